//! What can be done with a trace besides replaying it: JSON and back, tables, scrubbing, digests, lists of traces. On fixtures, and on every
//! trace in `fixtures/traces/`.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::path::{Path, PathBuf};
use std::process::Command;

use log_format::Trace;
use tests::{Folder, fixtures, root};

/// Inputs of all kinds, and what the program makes of them.
const INPUTS: &str = "-module(inputs).
-export([main/0]).
main() ->
    Home = os:getenv(\"INPUTS_TEST\"),
    {ok, Text} = file:read_file(\"secret.txt\"),
    _ = erlang:monotonic_time(),
    Me = self(),
    spawn(fun() -> Me ! {size, byte_size(Text)} end),
    receive {size, N} -> io:format(\"~s ~w~n\", [Home, N]) end,
    put(home, Home),
    _ = process_info(self(), message_queue_len),
    case N of 6 -> ok; _ -> exit(other) end.
";

/// The golden traces of released versions.
fn goldens() -> Vec<PathBuf> {
    tests::goldens::all().into_iter().map(|golden| golden.path).collect()
}

/// A trace of each fixture, of a program with inputs, and the goldens.
fn traces(folder: &Folder) -> Vec<PathBuf> {
    let mut all = goldens();
    for name in fixtures() {
        folder.record(&name, 5).no_panic();
        let path = folder.path().join(format!("{name}.trace"));
        std::fs::rename(folder.path().join("trace.bin"), &path).unwrap();
        all.push(path);
    }
    all.push(with_inputs(folder, &["--digests"], "inputs.trace"));
    all
}

fn with_inputs(folder: &Folder, options: &[&str], name: &str) -> PathBuf {
    folder.write("inputs.erl", INPUTS);
    folder.write("secret.txt", "tell n");
    let args = ["run", "--quiet", "--seed", "1", "-o", name, "inputs.erl"];
    let outcome = tests::Run::new("tracer", folder.path(), args.iter().chain(options))
        .env("INPUTS_TEST", "my home")
        .run()
        .expect(0);
    assert_eq!(outcome.out(), "my home 6\n");
    folder.path().join(name)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn json_and_back_loses_nothing() {
    let folder = Folder::new("json");
    for path in seeds::share(traces(&folder), 3) {
        let path = text(&path);
        folder
            .replay(["export", "--format", "json", &path, "-o", "one.json"])
            .expect(0);
        folder.replay(["import", "one.json", "-o", "again.bin"]).expect(0);
        folder.replay(["export", "again.bin", "-o", "two.json"]).expect(0);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        // Except for the version of the format, which is that of the writer.
        let written = |name: &str| {
            let read = read(name);
            let (before, version) = read.split_once("\"format\":\"").unwrap();
            format!("{before}{}", version.split_once('"').unwrap().1)
        };
        assert_eq!(written("one.json"), written("two.json"), "{path}");
        folder.replay(["verify", "again.bin"]).expect(0);
        let log = |trace: &str| folder.replay(["log", trace]).expect(0).out();
        assert_eq!(log(&path), log("again.bin"), "{path}");
    }
    // Standard output and input work as well.
    let json = folder.replay(["export", "stock.trace"]).expect(0).stdout;
    tests::Run::new("replay", folder.path(), ["import", "-", "-o", "piped.bin"])
        .input(json)
        .run()
        .expect(0);
    folder.replay(["verify", "piped.bin"]).expect(0);
}

/// Inputs that were read name their file.
#[test]
fn inputs_name_their_file() {
    let folder = Folder::new("input-files");
    let path = text(&with_inputs(&folder, &[], "inputs.trace"));
    let shown = folder.replay(["--until", "end:0.1.0", "--all", &path]).expect(0).out();
    assert!(shown.contains("{ok,<<\"tell n\">>} (file \"secret.txt\")"), "{shown}");
}

#[test]
fn json_that_is_no_trace_is_refused() {
    let folder = Folder::new("json-bad");
    folder.record("stock", 1).expect(0);
    folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    for (what, bad) in [
        ("nothing", String::new()),
        ("half", good[..good.len() / 2].to_owned()),
        ("another version", good.replacen("\"exchange\":1", "\"exchange\":99", 1)),
        (
            "a field too many",
            good.replacen("\"clock\":", "\"extra\":1,\"clock\":", 1),
        ),
        ("no kind", good.replacen("\"kind\":\"spawn\"", "\"kind\":\"spam\"", 1)),
        (
            "no child",
            good.replacen(
                "\"kind\":\"spawn\",\"child\"",
                "\"kind\":\"spawn\",\"node\":0,\"childs\"",
                1,
            ),
        ),
        (
            "a parent that did not spawn it",
            good.replacen("\"parent\":[\"0.1.0\",1]", "\"parent\":[\"0.1.0\",9999]", 1),
        ),
        (
            "a pid that is none",
            good.replacen("\"pid\":\"0.1.0\"", "\"pid\":\"1\"", 1),
        ),
    ] {
        assert_ne!(bad, good, "{what}: nothing was changed");
        folder.write("bad.json", &bad);
        let outcome = folder.replay(["import", "bad.json", "-o", "out.bin"]).expect(65);
        assert!(outcome.stderr.contains("bad.json"), "{what}: {}", outcome.stderr);
        assert!(!folder.path().join("out.bin").exists(), "{what} left a trace");
    }
    folder.replay(["import", "nowhere.json", "-o", "out.bin"]).expect(66);
    folder.write("notes.txt", "mine");
    folder.replay(["import", "good.json", "-o", "notes.txt"]).expect(73);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(),
        "mine"
    );
}

/// A reader written from FORMAT.md alone lists the same actions as `replay log --format json`.
#[test]
fn the_independent_reader_agrees() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is not installed: the independent reader was not compared");
        return;
    }
    let folder = Folder::new("independent");
    let script = root().join("log-format/tests/reader.py");
    for path in seeds::share(traces(&folder), 4) {
        let output = Command::new("python3")
            .arg(&script)
            .arg("--json")
            .arg(&path)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            path.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let ours = folder.replay(["log", "--format", "json", &text(&path)]).expect(0).out();
        let theirs = String::from_utf8(output.stdout).unwrap();
        assert_eq!(ours.lines().count(), theirs.lines().count(), "{}", path.display());
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
            assert_eq!(parse(ours), parse(theirs), "{}", path.display());
        }
    }
}

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
fn redacted_inputs_are_not_in_the_trace() {
    let folder = Folder::new("redact");
    let holds = |path: &Path, what: &str| {
        let trace = Trace::open(path).unwrap();
        let mut found = false;
        for process in trace.processes() {
            for action in trace.log(process.unwrap().pid).unwrap() {
                if let log_format::Kind::Input { value } = action.unwrap().1.kind {
                    found |= value.windows(what.len()).any(|part| part == what.as_bytes());
                }
            }
        }
        found
    };
    let whole = with_inputs(&folder, &[], "whole.trace");
    assert!(holds(&whole, "tell n") && holds(&whole, "my home"));
    let info = folder.replay(["info", "whole.trace"]).expect(0).out();
    for words in [
        "1 input of class env",
        "1 input of class file",
        "1 input of class clock",
        "observation",
    ] {
        assert!(info.replace('\n', " ").contains(words), "{words}: {info}");
    }
    let recorded = with_inputs(&folder, &["--redact-input", "file,env"], "recorded.trace");
    folder
        .replay(["scrub", "whole.trace", "-o", "scrubbed.trace", "--input", "file,env"])
        .expect(0);
    for path in [&recorded, &folder.path().join("scrubbed.trace")] {
        assert!(!holds(path, "tell n") && !holds(path, "my home"), "{}", path.display());
        let path = text(path);
        // It replays up to there, and says why it cannot continue.
        let log = folder.replay(["log", "--kind", "input", &path]).expect(0).out();
        let first: u64 = log.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(first >= 1, "{log}");
        let outcome = folder
            .replay(["--until", &format!("event:0.1.0/{first}"), &path])
            .expect(82)
            .says(&["left out", "class env"]);
        assert!(!outcome.stderr.contains("diverged"), "{}", outcome.stderr);
        folder.replay(["verify", &path]).expect(0);
        assert!(
            folder
                .replay(["info", &path])
                .expect(0)
                .out()
                .replace('\n', " ")
                .contains("left out")
        );
    }
    let bytes = std::fs::read(folder.path().join("scrubbed.trace")).unwrap();
    assert!(!bytes.windows(6).any(|part| part == b"tell n"));
    // Other parts.
    folder
        .replay([
            "scrub",
            "whole.trace",
            "-o",
            "bare.trace",
            "--part",
            "sources,command,reasons,observations",
        ])
        .expect(0);
    let program = Trace::open(&folder.path().join("bare.trace"))
        .unwrap()
        .program()
        .unwrap();
    assert!(program.sources.is_empty());
    folder.replay(["info", "bare.trace"]).expect(0);
    folder
        .replay(["scrub", "whole.trace", "-o", "whole.trace", "--input", "env"])
        .expect(2);
    folder.replay(["scrub", "whole.trace", "-o", "x.trace"]).expect(2);
    folder
        .replay(["scrub", "whole.trace", "-o", "secret.txt", "--input", "env"])
        .expect(73);
}

#[test]
fn digests_notice_other_contents() {
    let folder = Folder::new("digests");
    let path = with_inputs(&folder, &["--digests"], "digests.trace");
    let verified = folder.replay(["verify", &text(&path)]).expect(0).out();
    // One message received; two processes with a final state.
    assert!(verified.contains("3 digests as recorded"), "{verified}");
    // The same logs with another program: only the content of a message differs.
    folder.replay(["export", "digests.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    for (what, from, to) in [
        (
            "message",
            "Me ! {size, byte_size(Text)}",
            "Me ! {size, 1 + byte_size(Text)}",
        ),
        ("final state", "put(home, Home)", "put(home, 1)"),
    ] {
        let changed = good.replacen(from, to, 1).replace("case N of 6", "case N of N");
        assert_ne!(changed, good);
        folder.write("changed.json", &changed);
        folder
            .replay(["import", "changed.json", "-o", "changed.trace"])
            .expect(0);
        folder
            .replay(["verify", "changed.trace"])
            .expect(82)
            .says(&[what, "digest"]);
        // Replaying the whole run, or only the causes of the message, reports it too.
        folder
            .replay(["run", "changed.trace"])
            .expect(82)
            .says(&[what, "digest"]);
        let until = folder.replay(["--until", "rec:1", "changed.trace"]);
        if what == "message" {
            until.expect(82).says(&["message rec:1 of 0.1.0", "digest"]);
        } else {
            until.expect(0);
        }
        // Without digests the same change is unnoticed: the log does not contain message contents.
        folder
            .replay(["scrub", "changed.trace", "-o", "plain.trace", "--input", "stdin"])
            .expect(0);
        folder.replay(["verify", "plain.trace"]).expect(0);
    }
}

/// A replay of changed code uses them to report which messages differ now.
#[test]
fn digests_under_changed_code() {
    let folder = Folder::new("digests-changed");
    let program = "-module(sum).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> Me ! {n, N, N * 2} end) || N <- [1, 2, 3]],\n    \
                   1 = lists:sum([receive {n, N, X} -> X end || N <- [1, 2, 3]]).\n";
    folder.write("sum.erl", program);
    folder
        .tracer([
            "run",
            "--quiet",
            "--seed",
            "1",
            "--digests",
            "sum.erl",
            "-o",
            "sum.trace",
        ])
        .expect(1);
    folder
        .tracer(["run", "--quiet", "--seed", "1", "sum.erl", "-o", "plain.trace"])
        .expect(1);
    let check = |trace: &str| folder.replay(["check", trace, "--program", "sum.erl"]).expect(1).out();
    folder.write("sum.erl", program.replace("N * 2", "case N of 2 -> 5; _ -> N * 2 end"));
    let one = check("sum.trace");
    assert!(one.contains("1 of 3 received messages differ"), "{one}");
    assert!(one.contains("the first is rec:2 of 0.1.0"), "{one}");
    assert!(!check("plain.trace").contains("contents"));
    // Other code that does the same.
    folder.write("sum.erl", program.replace("1 = lists:sum", "1 = 0 + lists:sum"));
    let same = check("sum.trace");
    assert!(
        same.contains("the contents of 3 received messages are as recorded"),
        "{same}"
    );
}

/// The same for how processes end: reasons without the lines of stack traces, and process dictionaries.
#[test]
fn digests_of_ends_under_changed_code() {
    let folder = Folder::new("digests-ends");
    let program = "-module(ends).\n-export([main/0]).\nmain() ->\n    \
                   [spawn(fun() -> put(n, N), exit({done, N}) end) || N <- [1, 2, 3]],\n    \
                   spawn_link(fun() -> receive never -> ok end end),\n    \
                   1 = length([a, b]).\n";
    folder.write("ends.erl", program);
    let args = ["run", "--quiet", "--seed", "1", "ends.erl", "-o"];
    folder
        .tracer([&args[..], &["ends.trace", "--digests"]].concat())
        .expect(1);
    folder.tracer([&args[..], &["plain.trace"]].concat()).expect(1);
    let check = |trace: &str| {
        let told = folder.replay(["check", trace, "--program", "ends.erl"]).expect(1).out();
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (then, now, words) in [
        (
            "exit({done, N})",
            "exit({done, N rem 3})",
            "1 of 5 ended processes differ, the first is 0.4.0: now exit {done,0}, recorded exit {done,3}",
        ),
        (
            "put(n, N)",
            "put(n, N bor 1)",
            "1 of 5 ended processes differ, the first is 0.3.0: exit {done,2} as recorded, with another process dictionary",
        ),
    ] {
        folder.write("ends.erl", program.replace(then, now));
        let told = check("ends.trace");
        assert!(told.contains(&format!("the final states of {words}")), "{told}");
        assert!(!check("plain.trace").contains("final states"));
    }
    // Other line numbers in the stack of the failing process, and in the signal that terminates the linked one.
    let moved = program.replace("1 = length", "1 =\n        0 + length");
    folder.write("ends.erl", moved);
    let told = check("ends.trace");
    assert!(
        told.contains("the final states of 5 ended processes are as recorded"),
        "{told}"
    );
}

/// The state of a process that waits when the run ends is compared where it waits.
#[test]
fn digests_of_those_who_wait() {
    let folder = Folder::new("digests-wait");
    folder.write(
        "waits.erl",
        "-module(waits).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> put(kept, 1), receive after 10 -> put(more, 2) end, receive _ -> ok end end).\n",
    );
    let args = ["run", "--quiet", "--seed", "1", "--digests", "waits.erl"];
    folder.tracer(args).expect(0);
    let verified = folder.replay(["verify", "trace.bin"]).expect(0).out();
    assert!(verified.contains("2 digests as recorded"), "{verified}");
    folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    folder.write("changed.json", good.replacen("put(more, 2)", "put(more, 3)", 1));
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    for verb in [
        &["verify"][..],
        &["run"],
        &["--until", "end:0.2.0"],
        &["state", "end:0.2.0"],
    ] {
        let args: Vec<&str> = verb.iter().copied().chain(["changed.trace"]).collect();
        folder.replay(args).expect(82).says(&["final state of 0.2.0", "digest"]);
        let args: Vec<&str> = verb.iter().copied().chain(["trace.bin"]).collect();
        folder.replay(args).expect(0);
    }
    // The entry process ended in the same state.
    folder.replay(["--until", "end:0.1.0", "changed.trace"]).expect(0);
}

/// A session that moves compares too, and reports a difference once.
#[test]
fn digests_are_compared_when_a_session_moves() {
    let folder = Folder::new("digests-move");
    with_inputs(&folder, &["--digests"], "digests.trace");
    folder.replay(["export", "digests.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    let changed = good
        .replacen("Me ! {size, byte_size(Text)}", "Me ! {size, 1 + byte_size(Text)}", 1)
        .replace("case N of 6", "case N of N");
    folder.write("changed.json", changed);
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    for (trace, code) in [("digests.trace", 0), ("changed.trace", 82)] {
        let back = folder
            .replay(["--until", "end:0.1.0", "--back", "rec:1", trace])
            .expect(code);
        let when = folder
            .replay(["--until", "rec:1", "--when", "true", trace])
            .expect(code);
        let commands = "until rec:1\nback\nuntil rec:1\n";
        let debug = tests::Run::new("replay", folder.path(), ["debug", trace])
            .input(commands)
            .run()
            .expect(0);
        if code != 0 {
            for outcome in [back, when] {
                outcome.says(&["message rec:1 of 0.1.0", "digest"]);
            }
            let said = format!("{}{}", debug.out(), debug.stderr);
            assert!(said.contains("the digests differ"), "{said}");
        }
    }
}

/// The program's arguments are inputs too: once removed from the header and the command line, a replay cannot begin.
#[test]
fn arguments_are_left_out() {
    let folder = Folder::new("arguments");
    folder.write(
        "args.erl",
        "-module(args).\n-export([main/1]).\nmain([A]) -> io:format(\"~w~n\", [length(A)]), length(init:get_plain_arguments()).\n",
    );
    let record = |options: &[&str], name: &str| {
        let args: Vec<&str> = [
            &["run", "--quiet", "-o", name],
            options,
            &["args.erl", "--", "hidden-word"],
        ]
        .concat();
        assert_eq!(
            tests::Run::new("tracer", folder.path(), args).run().expect(0).out(),
            "11\n"
        );
    };
    record(&[], "whole.trace");
    record(&["--redact-input", "arguments"], "recorded.trace");
    for (option, name) in [("--input=arguments", "input.trace"), ("--part=command", "part.trace")] {
        folder.replay(["scrub", "whole.trace", "-o", name, option]).expect(0);
    }
    let told = |name: &str| folder.replay(["info", name]).expect(0).out().replace('\n', " ");
    assert!(told("whole.trace").contains("hidden-word"));
    for name in ["recorded.trace", "input.trace", "part.trace"] {
        let trace = Trace::open(&folder.path().join(name)).unwrap();
        let header = format!("{:?}", trace.header());
        assert!(!header.contains("hidden-word"), "{header}");
        assert!(!told(name).contains("hidden-word"));
        assert!(told(name).contains("(left out: the arguments)"), "{}", told(name));
        folder
            .replay(["run", name])
            .expect(82)
            .says(&["the program's arguments were left out of the trace"]);
        folder.replay(["log", name]).expect(0);
        folder.replay(["verify", name]).expect(0);
    }
}

/// An endless stream is not read to its end.
#[test]
fn an_endless_stream_is_no_trace() {
    if Path::new("/dev/zero").exists() {
        let folder = Folder::new("endless");
        folder.replay(["info", "/dev/zero"]).expect(65).says(&["not a trace"]);
    }
}

/// A process that never enters code has no position, whatever the order in which modules were loaded.
#[test]
fn processes_that_start_with_no_function_verify() {
    let folder = Folder::new("undefined");
    let program = root().join("tests/conformance/process/exit_reasons.erl");
    for seed in ["1", "5"] {
        folder
            .tracer(["run", "--seed", seed, "-o", "undefined.trace", &text(&program)])
            .expect(0);
        folder.replay(["verify", "undefined.trace"]).expect(0);
    }
}

/// Two runs that differ only in the remaining time of a cancelled timer: building a long list takes real time, and almost no virtual time.
#[test]
fn what_a_timer_had_left_is_a_value() {
    let folder = Folder::new("diff-timer");
    let source = "-module(left).\n-export([main/0]).\nmain() -> R = erlang:send_after(5000, self(), x),
        3000000 = length(lists:seq(1, 3000000)), receive after 20 -> ok end, erlang:cancel_timer(R).\n";
    folder.write("left.erl", source);
    for options in [&["--virtual-time", "-o", "a.bin"][..], &["-o", "b.bin"]] {
        let all = [&["run", "--quiet"], options, &["left.erl"]].concat();
        folder.tracer(all).expect(0);
    }
    folder.replay(["diff", "a.bin", "b.bin"]).expect(0);
    let shown = folder.replay(["diff", "--values", "a.bin", "b.bin"]).no_panic();
    assert_eq!(shown.code, 1, "the clock stood still in one of them: {}", shown.out());
}

/// Runs that loaded different modules of the library, because they took different paths, have the same program.
#[test]
fn runs_are_compared_and_changed_code_is_named() {
    let folder = Folder::new("diff");
    let quiet = "-module(late).\n-export([main/0]).\nmain() -> S = self(), [spawn(fun() -> S ! X end) || X <- [1, 2]],
        receive 1 -> ok; 2 -> lists:last([1]) end.\n";
    folder.write("late.erl", quiet);
    let record = |seed: &str, trace: &str| {
        let options = ["run", "--quiet", "--seed", seed, "-o", trace, "late.erl"];
        folder.tracer(options).no_panic().expect(0);
    };
    let (mut same, mut other) = (false, false);
    record("1", "a.bin");
    for seed in 2..20 {
        record(&seed.to_string(), "b.bin");
        let outcome = folder.replay(["diff", "a.bin", "b.bin"]).no_panic();
        let shown = outcome.out();
        assert!(!shown.contains("programs"), "{shown}");
        match outcome.code {
            0 => same = true,
            1 => {
                other = true;
                assert!(shown.contains("The runs first differ here"), "{shown}");
            }
            code => panic!("exit status {code}: {shown}"),
        }
    }
    assert!(same && other, "both kinds of runs among 18 seeds");
    folder.write("late.erl", quiet.replace("2 ->", "2 -> ok, "));
    record("1", "b.bin");
    let shown = folder.replay(["diff", "a.bin", "b.bin"]).no_panic().out();
    assert!(
        shown.starts_with("The programs of the two runs differ: late\n"),
        "{shown}"
    );
}

#[test]
fn an_inconsistent_trace_is_named() {
    let folder = Folder::new("inconsistent");
    with_inputs(&folder, &[], "good.trace");
    folder.replay(["export", "good.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    let changed = good.replacen("\"signal\":\"sent:0.2.0/1\"", "\"signal\":\"sent:0.2.0/2\"", 1);
    assert_ne!(changed, good);
    folder.write("changed.json", &changed);
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    folder
        .replay(["verify", "changed.trace"])
        .expect(65)
        .says(&["0.2.0 to have sent 2 signals"]);
}

#[test]
fn traces_of_tests_are_listed_found_and_pruned() {
    let folder = Folder::new("store");
    std::fs::create_dir(folder.path().join("_traces")).unwrap();
    folder.record("stock", 1).expect(0);
    for name in ["first-00aa11bb.trace", "second-0bcdef01.trace", "second-11111111.trace"] {
        let path = folder.path().join("_traces").join(name);
        std::fs::copy(folder.path().join("trace.bin"), path).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
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
    let set_age = |name: &str, seconds: u64| {
        let file = std::fs::File::options()
            .write(true)
            .open(folder.path().join(name))
            .unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(seconds))
            .unwrap();
    };
    folder.write("_traces/empty-22222222.trace", "");
    set_age("_traces/empty-22222222.trace", 3600);
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
    let gone = folder.replay(["prune", "--older-than", "0"]).expect(0);
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

/// A process that departs from its log is not woken by the next message of the log.
#[test]
fn a_diverged_process_stands_still() {
    let folder = Folder::new("diverged");
    folder.write(
        "pool.erl",
        "-module(pool).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    Ws = [spawn_monitor(fun() -> Me ! N end) || N <- lists:seq(1, 4)],\n    \
         [receive N when is_integer(N) -> ok end || _ <- Ws],\n    [receive {'DOWN', R, _, P, _} -> ok end || {P, R} <- Ws].\n",
    );
    for seed in ["1", "2", "3", "4"] {
        folder.tracer(["run", "--quiet", "--seed", seed, "pool.erl"]).expect(0);
        folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
        let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
        let changed = good.replacen("lists:seq(1, 4)", "lists:seq(1, 5)", 1);
        assert_ne!(changed, good);
        folder.write("changed.json", &changed);
        folder
            .replay(["import", "changed.json", "-o", "changed.trace"])
            .expect(0);
        for verb in [&["run"][..], &["verify"], &["state", "end:0.1.0"]] {
            let args: Vec<&str> = verb.iter().copied().chain(["changed.trace"]).collect();
            folder.replay(&args[..]).expect(82);
        }
    }
}

/// A secret that the program read also appears in reasons and observations: scrubbing it has to remove all of it.
const TELLING: &str = "-module(telling).
-export([main/0]).
main() ->
    Token = os:getenv(\"TELLING_TEST\"),
    put(token, Token),
    {dictionary, _} = process_info(self(), dictionary),
    spawn(fun() -> exit({shutdown, Token}) end),
    {_, Ref} = spawn_monitor(fun() -> error({early, Token}) end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    work(30000),
    exit({late, Token}).
work(0) -> ok;
work(N) -> self() ! N, receive N -> work(N - 1) end.
";

/// Reasons are scrubbed wherever they occur, also if the recording had stopped before the run ended.
#[test]
fn reasons_and_observations_are_left_out() {
    let folder = Folder::new("reasons");
    folder.write("telling.erl", TELLING);
    let record = |name: &str, options: &[&str]| {
        let args = ["run", "--quiet", "--seed", "1", "-o", name, "telling.erl"];
        tests::Run::new("tracer", folder.path(), args.iter().chain(options))
            .env("TELLING_TEST", "SECRET")
            .run()
            .expect(1);
        folder.path().join(name)
    };
    // JSON contains everything in a trace, unpacked.
    let tells = |name: &str| {
        let json = folder.replay(["export", name]).expect(0).out();
        let hex: String = "SECRET".bytes().map(|byte| format!("{byte:02x}")).collect();
        json.contains("SECRET") || json.contains(&hex)
    };
    for (name, limit) in [("whole.trace", "10M"), ("stopped.trace", "20K")] {
        record(name, &["--max-trace-bytes", limit]);
        assert!(tells(name));
        let info = folder.replay(["info", "--json", name]).expect(0).out();
        assert!(info.contains("reasons of ends"), "{info}");
        let parts = "command,sources,observations,reasons";
        folder
            .replay(["scrub", "--input", "env", "--part", parts, name, "-o", "scrubbed.trace"])
            .expect(0);
        assert!(!tells("scrubbed.trace"), "{name}");
        let info = folder.replay(["info", "--json", "scrubbed.trace"]).expect(0).out();
        let info: serde_json::Value = serde_json::from_str(&info).unwrap();
        assert!(info["outcome"].as_str().unwrap().contains("(removed)"), "{info}");
        assert!(!info["private"].to_string().contains("reasons"), "{info}");
        assert_eq!(info["complete"], name == "whole.trace", "{info}");
    }
    // Only what came before the recording stopped is known.
    folder.replay(["--until", "error", "stopped.trace"]).no_panic();
    // The file was never written.
    record(
        "redacted.trace",
        &["--redact-input", "env", "--redact-part", "reasons,observations"],
    );
    assert!(!tells("redacted.trace"));
    let log = folder
        .replay(["log", "--kind", "observe", "redacted.trace"])
        .expect(0)
        .out();
    let first: u64 = log.split_whitespace().nth(1).unwrap().parse().unwrap();
    folder
        .replay(["--until", &format!("event:0.1.0/{first}"), "redacted.trace"])
        .expect(82)
        .says(&["left out"]);
    record("observed.trace", &["--redact-part", "observations"]);
    folder
        .replay(["--until", &format!("event:0.1.0/{first}"), "observed.trace"])
        .expect(82)
        .says(&["left out", "an observation"]);
}

/// An error that is logged as an observation can have one meaning only: it is known even if its value was scrubbed.
#[test]
fn errors_that_were_observed_need_no_value() {
    let folder = Folder::new("observed-errors");
    folder.write(
        "dead.erl",
        "-module(dead).\n-export([main/0]).\nmain() ->\n    P = spawn(fun() -> ok end),\n    timer:sleep(10),\n    link(P).\n",
    );
    folder.write(
        "full.erl",
        "-module(full).\n-export([main/0]).\nmain() -> [spawn(fun() -> receive x -> ok end end) || _ <- lists:seq(1, 5)].\n",
    );
    for name in ["dead", "full"] {
        let program = format!("{name}.erl");
        let options = ["--max-processes", "4", "--redact-part", "observations"];
        let args = ["run", "--quiet", "--seed", "1", "-o", "left-out.trace", &program];
        tests::Run::new("tracer", folder.path(), args.iter().chain(&options))
            .run()
            .expect(1);
        let verified = folder.replay(["verify", "left-out.trace"]).expect(0).out();
        assert!(verified.contains("replayed twice as recorded"), "{verified}");
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

/// A program can open the files that JSON names.
#[test]
fn names_in_json_are_paths() {
    let folder = Folder::new("names-json");
    std::fs::create_dir(folder.path().join("_traces")).unwrap();
    folder.record("stock", 1).expect(0);
    for name in ["a b-00aa11bb.trace", "c-0bcdef01.trace", "d-11111111.trace"] {
        std::fs::copy(
            folder.path().join("trace.bin"),
            folder.path().join("_traces").join(name),
        )
        .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.replay(args.iter().copied()).expect(0).out()).unwrap()
    };
    assert_eq!(
        json(&["info", "--json", "_traces/a b-00aa11bb.trace"])["trace"],
        "_traces/a b-00aa11bb.trace"
    );
    let all = json(&["ls", "--json"]);
    let paths: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["trace"].as_str().unwrap())
        .collect();
    assert!(paths.contains(&"_traces/a b-00aa11bb.trace"), "{paths:?}");
    // The newest are kept, regardless of age.
    let gone = json(&["prune", "--json", "--keep", "2", "--older-than", "0", "--dry-run"]);
    assert_eq!(gone, serde_json::json!(["_traces/a b-00aa11bb.trace"]));
    assert_eq!(json(&["prune", "--json", "--keep", "3"]), serde_json::json!([]));
    assert_eq!(
        json(&["prune", "--json", "--older-than", "0", "--dry-run"])
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// A source whose name is not UTF-8 is found again, though the trace cannot store its exact name.
#[cfg(unix)]
#[test]
fn sources_with_names_that_are_no_text_are_checked() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("odd-name");
    let name = std::ffi::OsStr::from_bytes(b"g\xff.erl");
    let path = folder.path().join(name);
    let write = |body: &str| std::fs::write(&path, format!("-module(g).\n-export([main/0]).\n{body}\n")).unwrap();
    write("main() -> error(wrong).");
    let quiet = std::ffi::OsStr::new("--quiet");
    folder.tracer([std::ffi::OsStr::new("run"), quiet, name]).expect(1);
    folder.replay(["check", "trace.bin"]).expect(1);
    write("main() -> ok.");
    folder.replay(["check", "trace.bin"]).expect(0);
    std::fs::remove_file(&path).unwrap();
    folder
        .replay(["check", "trace.bin"])
        .expect(128)
        .says(&["the files of the program are not here"]);
}

/// A recording into a FIFO waits for a reader, and says so.
#[cfg(unix)]
#[test]
fn a_recording_into_a_fifo_says_what_it_waits_for() {
    let folder = Folder::new("fifo");
    folder.write("short.erl", "-module(short).\n-export([main/0]).\nmain() -> ok.\n");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    let mut run = tests::Run::new("tracer", folder.path(), ["run", "-o", "pipe", "short.erl"]);
    let child = run.start();
    std::thread::sleep(std::time::Duration::from_millis(400));
    let status = std::process::Command::new("kill")
        .args(["-s", "TERM", &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
    let outcome = tests::wait(child).expect(143);
    outcome.says(&["pipe is a FIFO", "before the program began"]);
}

/// Hashes of keys are listed among possibly private data, and can be scrubbed: the trace then replays up to the first key.
#[test]
fn hashes_of_keys_are_told_and_taken_out() {
    let folder = Folder::new("hashes");
    folder.write(
        "keys.erl",
        "-module(keys).\n-export([main/0, none/0]).\nnone() -> ok.\n\
         main() -> self() ! go, receive go -> ok end, T = ets:new(t, [public]), ets:insert(T, {4711, 1}), persistent_term:put(secret, 1),\n\
         P = self(), spawn(fun() -> P ! {ets:lookup(T, 4711), persistent_term:get(secret)} end), receive _ -> ok end.\n",
    );
    for (entry, told) in [("keys:none", false), ("keys:main", true)] {
        folder
            .tracer(["run", "--quiet", "--entry", entry, "keys.erl"])
            .expect(0);
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert_eq!(info.contains("hashes of keys"), told, "{info}");
    }
    let scrub = folder
        .replay(["scrub", "--part", "keys", "-o", "s.trace", "trace.bin"])
        .expect(0);
    assert!(scrub.out().contains("2 values taken out"), "{}", scrub.out());
    let info = folder.replay(["info", "s.trace"]).expect(0).out();
    assert!(
        info.contains("(left out: keys)") && !info.contains("hashes of keys"),
        "{info}"
    );
    // Equal keys get equal numbers: who read what was written by whom is reported as before.
    let log = folder.replay(["log", "s.trace"]).expect(0).out();
    assert!(log.contains("key 1)") && log.contains("persistent(2)"), "{log}");
    let causes = |file: &str| -> Vec<String> {
        let told = folder.replay(["causes", "--json", "exit:0.1.0", file]).expect(0).out();
        let targets = told.lines().filter(|line| line.contains("\"target\":"));
        targets.map(str::to_owned).collect()
    };
    let targets = causes("s.trace");
    assert!(targets.len() > 8 && targets == causes("trace.bin"), "{targets:?}");
    folder.replay(["--until", "rec:1", "s.trace"]).expect(0);
    folder
        .replay(["run", "s.trace"])
        .expect(82)
        .says(&["can go no further", "left out of the trace: a key"]);
    let verified = folder.replay(["verify", "s.trace"]).expect(0).out();
    assert!(
        verified.contains("which needs a value that was left out: a key"),
        "{verified}"
    );
    // Once is enough.
    folder
        .replay(["scrub", "--part", "keys", "-o", "again.trace", "s.trace"])
        .expect(0);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("s.trace"), read("again.trace"));
}

/// What is no cause of a failure is not needed in order to explain it: here a value that was left out of the trace.
#[test]
fn why_needs_no_value_that_is_no_cause() {
    let folder = Folder::new("apart");
    folder.write(
        "apart.erl",
        "-module(apart).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> os:getenv(\"HOME\") end),\n    Me = self(),\n    \
         spawn(fun() -> Me ! hello end),\n    receive M -> error({bad, M}) end.\n",
    );
    folder
        .tracer([
            "run",
            "--quiet",
            "--seed",
            "1",
            "--redact-input",
            "env",
            "-o",
            "apart.bin",
            "apart.erl",
        ])
        .expect(1);
    let said = folder.replay(["why", "apart.bin"]).expect(0).out();
    assert!(
        said.contains("{bad,hello}") && said.contains("received hello"),
        "{said}"
    );
}
