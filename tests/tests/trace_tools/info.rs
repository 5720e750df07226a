//! `replay info`, `ls` and `log`.

use super::*;

#[test]
fn the_log_can_be_narrowed_and_tabled() {
    let folder = Folder::new("log");
    folder.record("stock", 1).expect(0);
    let log = |options: &[&str]| {
        let fixed = ["log", "trace.bin"];
        folder.replay(fixed.iter().chain(options)).expect(0).out()
    };
    let all = log(&[]).lines().count();
    let of_one = log(&["--pid", "0.1.0"]);
    assert!(of_one.lines().all(|line| line.starts_with("0.1.0 ")), "{of_one}");
    let middle = log(&["--pid", "0.1.0", "--from", "2", "--to", "3"]);
    assert_eq!(middle.lines().count(), 2, "{middle}");
    let table = log(&["--format", "csv"]);
    assert_eq!(table.lines().count(), all + 1);
    assert!(
        table.starts_with("pid,number,target,kind,peer,signal,sends,content,accesses\n"),
        "{table}"
    );
    assert!(
        log(&["--kind", "rec", "--json"])
            .lines()
            .all(|line| line.contains("\"kind\":\"rec\""))
    );
    folder
        .replay(["info", "--format", "csv", "trace.bin"])
        .expect(2)
        .says(&["csv"]);
}

#[test]
fn traces_of_tests_are_listed_found_and_pruned() {
    let folder = Folder::new("store");
    std::fs::create_dir(folder.path().join("_traces")).unwrap();
    folder.record("stock", 1).expect(0);
    let names = ["second-11111111.trace", "second-0bcdef01.trace", "first-00aa11bb.trace"];
    for (age, name) in names.into_iter().enumerate() {
        let path = folder.path().join("_traces").join(name);
        std::fs::copy(folder.path().join("trace.bin"), &path).unwrap();
        set_age(&path, age as u64);
    }
    folder.write("_traces/not-00000000.trace", "mine");
    let list = folder.replay(["ls"]).expect(0).out();
    assert!(
        list.contains("second") && list.contains("00aa11bb") && list.contains("returned"),
        "{list}"
    );
    let json = folder.replay(["ls", "--json", "_traces"]).expect(0).out();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 4);
    for name in ["latest", "00aa", "0b"] {
        if name == "latest" {
            std::fs::remove_file(folder.path().join("_traces/not-00000000.trace")).unwrap();
        }
        // The file itself is named, also in the suggested commands: the word refers to another trace after the next run.
        let info = folder.replay(["info", name]).expect(0).out();
        assert!(info.contains("stock") && !info.contains(&format!(" {name}")), "{info}");
        assert!(info.contains("replay log _traces/"), "{info}");
        folder.replay(["--until", "rec:1", name]).expect(0);
    }
    folder.replay(["info", "0"]).expect(2).says(&["00aa11bb", "0bcdef01"]);
    folder.write("_traces/not-00000000.trace", "mine");
    // A link is another name of a trace: it is not counted, and not removed.
    #[cfg(unix)]
    std::os::unix::fs::symlink("not-00000000.trace", folder.path().join("_traces/latest.trace")).unwrap();
    // An empty file of a recorder that was killed long ago goes first; neither it nor what somebody else wrote counts as a trace.
    set_age(&folder.write("_traces/empty-22222222.trace", ""), 3600);
    folder.write("_traces/begun-33333333.trace", "");
    let would = folder.replay(["prune", "--keep", "2", "--dry-run"]).expect(0).out();
    assert_eq!(would.lines().count(), 2, "{would}");
    assert!(
        would.contains("empty-22222222") && would.contains("00aa11bb"),
        "{would}"
    );
    #[cfg(unix)]
    std::fs::remove_file(folder.path().join("_traces/latest.trace")).unwrap();
    let gone = folder.replay(["prune", "--keep", "2"]).expect(0);
    gone.says(&["1 trace removed", "and 1 empty file", "1 file not removed"]);
    // The newest two traces stay; what is no trace is never removed.
    let left = folder.replay(["ls"]).expect(0).out();
    assert_eq!(left.lines().count(), 4, "{left}");
    for name in ["11111111", "0bcdef01", "00000000", "33333333"] {
        assert!(left.contains(name), "{left}");
    }
    folder.replay(["ls", "nowhere"]).expect(66);
    // Outside `_traces`, a trace may have any name; `prune` leaves such a one alone.
    let here = folder.replay(["ls", "."]).expect(0).out();
    assert!(here.contains("trace.bin"), "{here}");
    folder
        .replay(["prune", "--keep", "0", "."])
        .expect(0)
        .says(&["0 traces removed"]);
    let gone = folder.replay(["prune", "--older-than", "0d"]).expect(0);
    let gone = gone.says(&["2 traces removed", "1 file not removed"]);
    assert!(!gone.out().contains("not-00000000"), "{}", gone.out());
}

/// The rows of a request with many causes equal those of its replay: the same actions, in a causal order, with everything between them counted.
#[test]
fn rows_of_a_large_request() {
    let folder = Folder::new("rows");
    let fanin = root().join("benches/programs/fanin.erl");
    for seed in 0..4 {
        let seed = seed.to_string();
        let args = [
            "run",
            "--quiet",
            "--seed",
            &seed,
            "-o",
            "t.bin",
            &text(&fanin),
            "--",
            "100",
        ];
        folder.tracer(args).expect(0);
        let replayed = folder
            .replay(["--until", "end:0.1.0", "--json", "t.bin"])
            .expect(0)
            .out();
        let replayed: serde_json::Value = serde_json::from_str(&replayed).unwrap();
        let causes = folder
            .replay(["causes", "end:0.1.0", "--json", "t.bin"])
            .expect(0)
            .out();
        let causes: serde_json::Value = serde_json::from_str(&causes).unwrap();
        let rows = replayed["causes"].as_array().unwrap();
        let number = |row: &serde_json::Value, key: &str| row[key].as_u64().unwrap_or_default();
        let folded: u64 = rows.iter().map(|row| number(row, "folded_actions")).sum();
        let acts: Vec<&serde_json::Value> = rows.iter().filter(|row| row["target"].is_string()).collect();
        let actions = replayed["replayed"]["actions"].as_u64().unwrap();
        assert!(actions > 10_000, "{actions} actions only");
        assert_eq!(folded + acts.len() as u64, actions);
        assert!(rows.iter().any(|row| number(row, "folded_processes") > 1));
        let names = |rows: &[&serde_json::Value]| -> std::collections::BTreeSet<String> {
            rows.iter().map(|row| row["target"].to_string()).collect()
        };
        let told: Vec<&serde_json::Value> = causes.as_array().unwrap().iter().collect();
        let told: Vec<&serde_json::Value> = told.into_iter().filter(|row| row["target"].is_string()).collect();
        assert_eq!(names(&acts), names(&told));
        // Folded rows are named: stretches of processes that are not shown.
        let folded: Vec<&serde_json::Value> = causes
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["target"].is_null())
            .collect();
        assert!(!folded.is_empty());
        for row in folded {
            let stretches = row["folded"].as_array().unwrap();
            assert!(
                !stretches.is_empty()
                    && stretches
                        .iter()
                        .all(|pair| pair[0].as_str().unwrap().starts_with("event:"))
            );
        }
        for (at, row) in acts.iter().enumerate() {
            let later = &acts[at + 1..];
            let same = |other: &&&serde_json::Value| other["pid"] == row["pid"];
            assert!(
                later
                    .iter()
                    .filter(same)
                    .all(|other| number(other, "number") > number(row, "number"))
            );
            assert!(
                later
                    .iter()
                    .all(|other| row["signal"].is_null() || other["target"] != row["signal"])
            );
        }
        assert_eq!(acts.last().unwrap()["target"], "exit:0.1.0");
    }
}

/// Every command that `info` suggests works: it names no failure if there is none, and no replay if the program cannot be run.
#[test]
fn commands_of_info_work() {
    let folder = Folder::new("info-commands");
    let programs = [
        (
            "normal",
            "spawn(fun() -> exit(normal) end), self() ! x, receive x -> ok end.",
            false,
        ),
        (
            "told",
            "spawn(fun() -> exit(shutdown) end), self() ! x, receive x -> ok end.",
            false,
        ),
        ("halts", "self() ! x, receive x -> halt(3) end.", true),
        ("shut", "self() ! x, receive x -> exit(shutdown) end.", true),
        ("fails", "self() ! x, receive x -> error(x) end.", true),
        ("waits", "self() ! x, receive y -> ok end.", true),
    ];
    for (name, body, failed) in programs {
        for (arguments, scrub) in [(false, None), (true, Some("command")), (false, Some("sources,reasons"))] {
            let (head, call) = if arguments {
                ("main/1", "main(_)")
            } else {
                ("main/0", "main()")
            };
            folder.write(
                &format!("{name}.erl"),
                format!("-module({name}).\n-export([{head}]).\n{call} -> {body}\n"),
            );
            let file = format!("{name}.erl");
            let mut args = vec!["run", "--quiet", "--seed", "1", "-o", "a.trace", &file];
            args.extend(arguments.then_some(["--", "secret"]).into_iter().flatten());
            folder.tracer(args).no_panic();
            let trace = match scrub {
                None => "a.trace",
                Some(parts) => {
                    folder
                        .replay(["scrub", "--part", parts, "a.trace", "-o", "b.trace"])
                        .expect(0);
                    "b.trace"
                }
            };
            let info = folder.replay(["info", "--json", trace]).expect(0).out();
            let info: serde_json::Value = serde_json::from_str(&info).unwrap();
            assert_eq!(info["failed"], failed, "{name}, {scrub:?}: {info}");
            for next in info["next"].as_array().unwrap() {
                let command = next["command"].as_str().unwrap();
                let words: Vec<&str> = command.split(' ').skip(1).collect();
                let outcome = folder.replay(words).no_panic();
                assert_eq!(outcome.code, 0, "{name}, {scrub:?}: {command}: {}", outcome.stderr);
            }
            if name == "normal" {
                assert_eq!(info["crashes"].to_string(), "[]", "{info}");
            }
        }
    }
}

/// Crashes, processes that wait for ever, and messages that were never received, at once: the trace contains them, and no source is needed.
#[test]
fn info_lists_crashes_deadlocks_and_messages_not_received() {
    let folder = Folder::new("info-lists");
    let text = "-module(lists_all).
-export([main/0]).
main() ->
    spawn(fun() -> exit({bad, [1, 2]}) end),
    spawn(fun() -> error(oops) end),
    A = spawn(fun() -> receive {go, B} -> receive {B, x} -> ok end end end),
    B = spawn(fun() -> receive {A, x} -> ok end end),
    V = spawn(fun() -> receive never -> ok end end),
    A ! {go, B}, B ! junk, B ! {more, [1, 2, 3]}, self() ! left,
    exit(V, kill),
    receive never -> ok end.
";
    folder.write("lists_all.erl", text);
    for seed in 0..8 {
        let args = ["run".to_owned(), format!("--seed={seed}"), "lists_all.erl".to_owned()];
        folder.tracer(args).expect(80);
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        for words in [
            "outcome           deadlock: the entry waits for ever",
            "exit:0.2.0    {bad,[1,2]}",
            "exit:0.3.0    {oops,[{lists_all,",
            "signal:0.6.0  killed",
            "end:0.1.0  waits at lists_all.erl:11:5 (1 message not received)",
            "end:0.4.0  waits at lists_all.erl:6:43\n",
            "end:0.5.0  waits at lists_all.erl:7:24 (2 messages not received)",
        ] {
            assert!(info.contains(words), "seed {seed}, {words}:\n{info}");
        }
    }
}

#[test]
fn info_lists_who_waits_when_the_entry_has_returned() {
    let folder = Folder::new("info-waits");
    let text = "-module(left).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    gen_server:start(?MODULE, [], []),
    A = spawn(fun() -> receive {b, B} -> ask(B) end end),
    B = spawn(fun() -> ask(A) end),
    A ! {b, B}, ok.
ask(P) -> R = monitor(process, P), receive {reply, R, X} -> X; {'DOWN', R, _, _, _} -> down end.
init(_) -> {ok, 0}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
";
    folder.write("left.erl", text);
    folder.tracer(["run", "left.erl"]).expect(0);
    let info = folder.replay(["info", "trace.bin"]).expect(0).out();
    for words in [
        "end:0.3.0  waits at left.erl:9:36\n",
        "end:0.4.0  waits at left.erl:9:36\n",
    ] {
        assert!(info.contains(words), "{words}:\n{info}");
    }
    assert!(!info.contains("waits at gen_server.erl"), "{info}");
    let info = folder.replay(["info", "--all", "trace.bin"]).expect(0).out();
    assert!(info.contains("end:0.2.0  waits at gen_server.erl:"), "{info}");
}
