//! `replay explore`, as it is typed.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tests::{BinaryRun, CommandOutcome, Folder, root, wait};

fn shows(outcome: &CommandOutcome, words: &[&str]) {
    // Lines are wrapped.
    let out = outcome.out().split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(out.contains(word), "{word} is not in {out}");
    }
}

#[test]
fn outcomes_are_traces_that_replay() {
    let folder = Folder::new("explore");
    let counter = root().join("fixtures/universes/counter.erl").display().to_string();
    let answer = folder
        .replay(["explore", "--traces", "u", "--json", &counter])
        .expect(1);
    let answer: Value = serde_json::from_str(&answer.out()).expect("JSON");
    assert_eq!(answer["universes"], 6);
    assert_eq!(answer["complete"], true);
    assert_eq!(answer["failing"], 4);
    let groups = answer["groups"].as_array().expect("a list");
    let told = |one: &Value| (one["failure"] == true, one["universes"].as_u64());
    let told: Vec<_> = groups.iter().map(told).collect();
    assert_eq!(told, [(true, Some(4)), (false, Some(2))]);
    for one in groups {
        folder
            .replay(["verify", one["shortest"]["trace"].as_str().expect("a path")])
            .expect(0);
    }
    let failed = groups[0]["least_stall"]["trace"].as_str().expect("a path");
    shows(&folder.replay(["why", failed]).expect(0), &["{badmatch,1}"]);
    // A recorded run is explored in the same way.
    folder.tracer(["run", "-o", "t.bin", &counter]);
    let again = folder.replay(["explore", "--json", "t.bin"]).expect(1);
    let again: Value = serde_json::from_str(&again.out()).expect("JSON");
    assert_eq!(again["universes"], 6);
}

#[test]
fn bounds_and_what_is_not_tried_are_said() {
    let folder = Folder::new("explore_bounds");
    let counter = root().join("fixtures/universes/counter.erl").display().to_string();
    // With one thread: how many ways are left open depends on how far each thread has come.
    let some = folder.replay(["explore", "--jobs", "1", "--universes", "2", &counter]);
    shows(
        &some,
        &[
            "2 universes, and there can be more",
            "--universes",
            "known and were not gone",
        ],
    );
    folder.write(
        "clock.erl",
        "-module(clock).\n-export([main/0]).\nmain() -> erlang:monotonic_time(), ok.\n",
    );
    let clock = folder.replay(["explore", "clock.erl"]).expect(0);
    shows(&clock, &["there can be more", "reads the time", "clock.erl:3"]);
    folder.write(
        "ever.erl",
        "-module(ever).\n-export([main/0]).\nmain() -> self() ! a, receive a -> main() end.\n",
    );
    let ever = folder.replay(["explore", "--steps", "50", "ever.erl"]).expect(0);
    shows(
        &ever,
        &["there can be more", "--steps", "did not end within 50 steps (--steps)"],
    );
    folder.replay(["explore", "none.erl"]).expect(66);
}

/// Explores a program, and gives the answer as data.
fn explored(folder: &Folder, name: &str, body: &str, options: &[&str]) -> Value {
    folder.write(
        &format!("{name}.erl"),
        format!("-module({name}).\n-export([main/0]).\n{body}"),
    );
    let file = format!("{name}.erl");
    let answer = folder.replay(
        ["explore", "--json"]
            .iter()
            .chain(options)
            .copied()
            .chain([file.as_str()]),
    );
    serde_json::from_str(&answer.out()).expect("JSON")
}

/// How many groups of outcomes there are, and the outcomes and universes of each.
fn sizes(answer: &Value) -> Vec<(u64, u64)> {
    let groups = answer["groups"].as_array().expect("a list").iter();
    let number = |one: &Value, of: &str| one[of].as_u64().expect("a number");
    groups
        .map(|one| (number(one, "outcomes"), number(one, "universes")))
        .collect()
}

#[test]
fn outcomes_that_differ_only_in_values_are_one_group() {
    let folder = Folder::new("explore_groups");
    let senders = "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2, 3, 4]],\n    ";
    let lists = format!("{senders} [receive N -> N end || _ <- [1, 2, 3, 4]].\n");
    let all = explored(&folder, "lists", &lists, &[]);
    assert_eq!(sizes(&all), [(24, 24)]);
    let outcomes = all["outcomes"].as_array().expect("a list");
    assert!(outcomes.len() == 24 && outcomes.iter().all(|one| one["group"] == 1));
    shows(
        &folder.replay(["explore", "lists.erl"]),
        &[
            "24 returned [1,2,3,4]",
            "and 23 more that differ only in values (--all)",
        ],
    );
    shows(
        &folder.replay(["explore", "--all", "lists.erl"]),
        &["all 24 that differ in values:", "1 returned [4,3,2,1]"],
    );
    // Two places where it crashes, whatever the values; and atoms tell apart what is returned, if they are few.
    let places = format!(
        "{senders} A = receive N -> N end, B = receive M -> M end,\n\
         case A of 1 -> B = A;\n2 -> 0 = B;\n3 -> {{ok, B}};\n4 -> {{no, B}} end.\n"
    );
    let all = explored(&folder, "places", &places, &[]);
    assert_eq!(sizes(&all), [(1, 3), (3, 3), (3, 3), (3, 3)]);
    shows(
        &folder.replay(["explore", "places.erl"]),
        &[
            "crashed at places.erl:5: error {badmatch,",
            "crashed at places.erl:6: error {badmatch,",
        ],
    );
    // With many, they are one.
    let orders = "main() -> S = self(), [spawn(fun() -> S ! N end) || N <- [a, b, c, d]],\n    \
                  [A, B, C, D] = [receive N -> N end || _ <- [1, 2, 3, 4]], {A, B, C, D}.\n";
    assert_eq!(sizes(&explored(&folder, "orders", orders, &[])), [(24, 24)]);
}

#[test]
fn of_failures_the_one_of_least_stall_is_shown() {
    let folder = Folder::new("explore_stall");
    // 7 comes after 30 ms; to miss it, something must stall for 20 ms, and for 70 ms if the other process asks twice.
    let body = "main() -> S = self(), spawn(fun() -> receive after 30 -> S ! 7 end end), spawn(fun() -> S ! x end),\n    \
                receive x -> receive 7 -> ok after 50 -> exit(late) end\n    after 100 -> exit(late) end.\n";
    let answer = explored(&folder, "late", body, &["--traces", "u"]);
    let failed = &answer["groups"][0];
    assert_eq!(
        (&failed["failure"], &failed["least_stall"]["ms"]),
        (&true.into(), &20.into()),
        "{failed}"
    );
    let trace = failed["least_stall"]["trace"].as_str().expect("a path");
    shows(&folder.replay(["why", trace]).expect(0), &["stalls for 20 ms"]);
    shows(&folder.replay(["explore", "late.erl"]), &["needs a stall of 20 ms"]);
}

#[test]
fn an_exit_that_nobody_minds_is_no_failure() {
    let folder = Folder::new("explore_exits");
    let body = "main() -> [spawn(fun() -> exit(R) end) || R <- [normal, shutdown, {shutdown, x}]], exit(normal).\n";
    let answer = explored(&folder, "exits", body, &[]);
    assert_eq!(answer["failing"], 0);
    shows(
        &folder.replay(["explore", "exits.erl"]).expect(0),
        &["none of them fails", "the entry ended with a normal exit"],
    );
    let body = "main() -> spawn(fun() -> exit(bad) end), ok.\n";
    assert_eq!(explored(&folder, "bad", body, &[])["failing"], 1);
    shows(
        &folder.replay(["explore", "bad.erl"]).expect(1),
        &[
            "1 of them fails",
            "0.2.0 crashed at bad.erl:3: exit bad",
            "the entry returned ok",
        ],
    );
}

#[test]
fn what_another_takes_away_conflicts_with_the_end_of_its_owner() {
    let folder = Folder::new("explore_taken");
    let all = |name, body| explored(&folder, name, body, &["--max-stall", "none"]);
    // Before the end of its holder, or after that.
    let body = "main() -> register(bank, self()), spawn(fun() -> unregister(bank) end), receive after 10 -> ok end.\n";
    assert_eq!(all("name", body)["universes"], 2);
    // And before it is registered.
    let body = "main() -> spawn(fun() -> unregister(bank) end), register(bank, self()), receive after 10 -> ok end.\n";
    assert_eq!(all("early", body)["universes"], 3);
    let body =
        "main() -> ets:new(t, [named_table, public]), spawn(fun() -> ets:delete(t) end), receive after 10 -> ok end.\n";
    assert_eq!(all("table", body)["universes"], 2);
    // The child, too, can end first; and it can have the name again.
    let body = "main() -> S = self(), P = spawn(fun() -> register(bank, self()), S ! go, receive x -> ok end end),\n    \
                receive go -> P ! x end, (catch unregister(bank)).\n";
    assert_eq!(all("child", body)["universes"], 2);
    // A recording that has such an end replays.
    folder.tracer(["run", "-q", "-o", "t.bin", "name.erl"]);
    folder.replay(["verify", "t.bin"]).expect(0);
    let again: Value = serde_json::from_str(
        &folder
            .replay(["explore", "--max-stall", "none", "--json", "t.bin"])
            .out(),
    )
    .expect("JSON");
    assert_eq!(again["universes"], 2);
}

/// What the program of each universe returned, sorted.
fn returned(folder: &Folder, name: &str, body: &str) -> Vec<String> {
    let all = explored(folder, name, body, &[]);
    assert_eq!(all["complete"], true, "{name}");
    let outcomes = all["outcomes"].as_array().expect("a list").iter();
    let said = outcomes.map(|one| one["outcome"].as_str().expect("a text").replace("returned ", ""));
    let mut said: Vec<String> = said.collect();
    said.sort_unstable();
    said
}

/// Whether a process has a name is changed by others, too: who is to get another name depends on that.
#[test]
fn a_second_name_depends_on_who_took_the_first_one_away() {
    let folder = Folder::new("explore_names");
    let body = "main() -> M = self(),\n  \
                P = spawn(fun() -> A = (catch register(na, self())), B = (catch register(nb, self())),\n    \
                M ! {self(), {A =:= true, B =:= true}}, receive never -> ok end end),\n  \
                U = (catch unregister(na)), receive {P, R} -> {U =:= true, R} end.\n";
    let all = ["{false,{true,false}}", "{true,{true,false}}", "{true,{true,true}}"];
    assert_eq!(returned(&folder, "second", body), all);
    // It is given one by another process, too.
    let body = "main() -> M = self(),\n  \
                P = spawn(fun() -> A = (catch register(na, self())), M ! {self(), A =:= true}, receive never -> ok end end),\n  \
                B = (catch register(nb, P)), receive {P, A} -> {A, B =:= true} end.\n";
    let given = explored(&folder, "given", body, &[]);
    assert_eq!(given["universes"], 2);
    // Not every order of such calls is tried, and that is said.
    assert_eq!(given["complete"], false);
    let note = given["notes"][0].as_str().expect("a text");
    assert!(
        note.contains("registers a process that another one registers"),
        "{note}"
    );
}

/// Who reads a sum has heard of all who have added to it.
#[test]
fn a_sum_is_caused_by_all_that_was_added() {
    let folder = Folder::new("explore_sums");
    let body = "main() -> M = self(), C = counters:new(1, []),\n  \
                spawn(fun() -> M ! m, counters:add(C, 1, 1) end), spawn(fun() -> counters:add(C, 1, 2) end),\n  \
                V = counters:get(C, 1), {V, receive m -> there after 0 -> missing end}.\n";
    let all = [
        "{0,missing}",
        "{0,there}",
        "{1,there}",
        "{2,missing}",
        "{2,there}",
        "{3,there}",
    ];
    assert_eq!(returned(&folder, "sums", body), all);
}

/// `erl` 25: in 20,000 of 20,000 runs.
#[test]
fn an_end_tells_the_monitors_of_a_process_in_the_order_of_their_making() {
    let folder = Folder::new("explore_downs");
    let body = "main() -> P = spawn(fun() -> receive go -> ok end end),\n  \
                R1 = monitor(process, P), R2 = monitor(process, P), P ! go,\n  \
                receive {'DOWN', R1, _, _, _} -> first; {'DOWN', R2, _, _, _} -> second end.\n";
    assert_eq!(returned(&folder, "downs", body), ["first"]);
    // The exit signal of a link comes before them.
    let body = "main() -> process_flag(trap_exit, true), P = spawn(fun() -> receive go -> ok end end),\n  \
                monitor(process, P), link(P), P ! go,\n  \
                receive {'DOWN', _, _, _, _} -> down; {'EXIT', _, _} -> exit end.\n";
    assert_eq!(returned(&folder, "links", body), ["exit"]);
}

/// Waits until a command has a handler for Ctrl-C.
///
/// # Panics
/// When it ends before it has one, with what it said.
fn wait_for_handler(mut child: Child) -> Child {
    let status = format!("/proc/{}/status", child.id());
    for _ in 0..6000 {
        if child.try_wait().expect("a child can be waited for").is_some() {
            let said = child.wait_with_output().expect("its output can be read");
            panic!("it ended before it had a handler: {said:?}");
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(caught.expect("the process runs").trim(), 16).expect("a mask");
        // SIGINT is number 2.
        if mask >> 1 & 1 == 1 {
            return child;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!(
        "no handler after a minute; a command leaves SIGINT alone where it is ignored, as in the background of a script"
    );
}

const SPIN: &str = "-module(spin).\n-export([main/0]).\nmain() -> main().\n";

#[test]
fn the_limit_of_time_is_the_reason_where_it_was() {
    let folder = Folder::new("explore_time");
    folder.write("spin.erl", SPIN);
    let spin = folder.replay(["explore", "--time", "100ms", "spin.erl"]).expect(0);
    shows(
        &spin,
        &[
            "0 universes, and there can be more",
            "There can be more: it stopped at --time.",
        ],
    );
    assert!(!spin.out().contains("--steps"), "{}", spin.out());
    for wrong in ["3", "0s", "-1s", "soon"] {
        let option = format!("--time={wrong}");
        folder
            .replay(["explore", &option, "spin.erl"])
            .expect(2)
            .says(&["a time"]);
    }
}

#[test]
fn ctrl_c_is_answered_with_what_was_found() {
    let folder = Folder::new("explore_interrupted");
    // 3,628,800 universes.
    folder.write(
        "many.erl",
        "-module(many).\n-export([main/0]).\nmain() -> S = self(), [spawn(fun() -> S ! K end) || K <- lists:seq(1, 10)],\n    \
         [receive K -> K end || _ <- lists:seq(1, 10)].\n",
    );
    let child = BinaryRun::new("replay", folder.path(), ["explore", "many.erl"])
        .stdout_to(Stdio::piped())
        .start();
    let child = wait_for_handler(child);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let answer = wait(child).expect(130);
    shows(&answer, &["and there can be more", "it was interrupted"]);
}

#[test]
fn entry_macros_and_includes_are_those_of_run() {
    let folder = Folder::new("explore_options");
    std::fs::create_dir(folder.path().join("inc")).expect("a folder");
    folder.write("inc/n.hrl", "-define(N, 2).\n");
    folder.write(
        "m.erl",
        "-module(m).\n-export([go/0]).\n-include(\"n.hrl\").\n\
         go() -> S = self(), [spawn(fun() -> S ! K end) || K <- lists:seq(1, ?N)],\n    \
         {?WORD, [receive M -> M end || _ <- lists:seq(1, ?N)]}.\n",
    );
    let all = ["explore", "-I", "inc", "-D", "WORD=got", "--entry", "m:go", "m.erl"];
    shows(
        &folder.replay(all).expect(0),
        &[
            "2 universes: these are all",
            "2 returned {got,[1,2]}",
            "or: returned {got,[2,1]}",
        ],
    );
    folder.replay(["explore", "-D", "WORD=got", "m.erl"]).expect(64);
    folder
        .replay(["explore", "-I", "inc", "-D", "WORD=got", "m.erl"])
        .expect(2)
        .says(&["exports no m:main/0"]);
    folder.tracer([
        "run", "-q", "-I", "inc", "-D", "WORD=got", "--entry", "m:go", "-o", "t.bin", "m.erl",
    ]);
    folder
        .replay(["explore", "--entry", "m:go", "t.bin"])
        .expect(2)
        .says(&["are for a program"]);
}

/// Universes that are longer than a run may go on before others get a turn: what was put off is repeated, and not kept with its states. Without that,
/// these 120 need 1 GB.
#[test]
fn long_universes_are_not_kept_whole() {
    let folder = Folder::new("explore_long");
    folder.write(
        "long.erl",
        "-module(long).\n-export([main/0]).\n\
         main() -> M = self(), [spawn(fun() -> M ! I end) || I <- lists:seq(1, 5)], [receive X -> X end || _ <- lists:seq(1, 5)],\n    \
         E = spawn(fun echo/0), ask(E, 400), E ! stop.\n\
         echo() -> receive {P, X} -> P ! X, echo(); stop -> ok end.\n\
         ask(_, 0) -> ok; ask(E, N) -> E ! {self(), N}, receive N -> ask(E, N - 1) end.\n",
    );
    assert_eq!(universes_within(500_000, &folder, "long.erl"), 120);
}

/// Processes that only wait share their clocks with who spawned them: a step costs the same, however many there are.
#[test]
fn idle_processes_have_no_clocks_of_their_own() {
    let folder = Folder::new("explore_idle");
    folder.write(
        "idle.erl",
        "-module(idle).\n-export([main/0]).\n\
         main() -> S = self(), All = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 3200)],\n    \
         [spawn(fun() -> S ! I end) || I <- [1, 2, 3]], [receive X -> X end || _ <- [1, 2, 3]], [P ! stop || P <- All].\n",
    );
    assert_eq!(universes_within(500_000, &folder, "idle.erl"), 6);
}

/// Explores a program with so many kB of memory, and returns how many universes it has.
fn universes_within(memory: u32, folder: &Folder, program: &str) -> u64 {
    let replay = tests::binary("replay");
    let script = format!(
        "ulimit -v {memory}; exec {} explore -j 1 --json {program}",
        replay.display()
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .expect("bash");
    let said = String::from_utf8_lossy(&output.stderr);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(answer["complete"], true, "{said}");
    answer["universes"].as_u64().expect("a number")
}
