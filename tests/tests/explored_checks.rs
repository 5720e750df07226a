//! `replay explore` with invariants, reasons that count as normal, and choices of the program.

use serde_json::Value;
use tests::{Folder, root};

fn fixture(name: &str) -> String {
    root().join("fixtures/universes").join(name).display().to_string()
}

fn explored(folder: &Folder, arguments: &[&str]) -> Value {
    let arguments = ["explore", "--json"].iter().chain(arguments);
    let outcome = folder.replay(arguments);
    serde_json::from_str(&outcome.out()).expect("JSON")
}

fn headlines(answer: &Value) -> Vec<(String, u64)> {
    let groups = answer["groups"].as_array().expect("a list").iter();
    let told = groups.map(|group| {
        (
            group["headline"].to_string(),
            group["universes"].as_u64().expect("a number"),
        )
    });
    told.collect()
}

const PLAIN: &str = "-module(plain).\n-export([main/0, small/2, first/2, effect/2]).\nmain() ->\n    TIME\
    C = spawn(fun() -> loop(0) end),\n    register(c, C),\n    spawn(fun() -> C ! {add, 1} end),\n    spawn(fun() -> C ! {mul, 3} end),\n    \
    C ! {get, self()},\n    receive N -> N end.\nloop(Count) ->\n    receive\n        {add, K} -> loop(Count + K);\n        \
    {mul, K} -> loop(Count * K);\n        {get, P} -> P ! Count, loop(Count)\n    end.\n\
    small(c, {state, #{'Count' := N}}) when N > 1 -> no;\nsmall(_, _) -> ok.\n\
    first(c, {message, {get, _}}) -> true;\nfirst(P, {message, {_, _}}) when is_atom(P) -> 1 / 0;\nfirst(_, _) -> true.\n\
    effect(_, _) -> self() ! x, true.\n";

/// Of a program for each of the two searches.
fn plain(folder: &Folder) -> [&'static str; 2] {
    folder.write("plain.erl", PLAIN.replace("TIME", ""));
    std::fs::create_dir_all(folder.path().join("timed")).expect("a folder");
    folder.write(
        "timed/plain.erl",
        PLAIN.replace("TIME", "_ = persistent_term:info(),\n    "),
    );
    ["plain.erl", "timed/plain.erl"]
}

#[test]
fn an_invariant_is_held_against_states_and_messages_in_both_searches() {
    let folder = Folder::new("explore_invariant");
    for file in plain(&folder) {
        let without = explored(&folder, &[file]);
        let small = explored(&folder, &["--invariant", "plain:small", file]);
        assert_eq!(
            without["universes"], small["universes"],
            "an invariant adds no universe"
        );
        assert_eq!((&without["failing"], &small["failing"]), (&0.into(), &3.into()));
        let told = headlines(&small);
        let said = format!("plain:small does not hold at {file}:11: state of c is #{{'Count' => 3}}; it returned no");
        let line = if file == "plain.erl" { 11 } else { 12 };
        assert!(
            told[0].0.contains(&said.replace(":11:", &format!(":{line}:"))),
            "{told:?}"
        );
        let first = explored(&folder, &["--invariant", "plain:first", file]);
        let told = headlines(&first);
        assert!(
            told[0].0.contains("message of c is {") && told[0].0.contains("it crashed: error badarith"),
            "{told:?}"
        );
    }
}

#[test]
fn a_process_that_has_ended_is_called_by_the_name_that_it_had_then() {
    let folder = Folder::new("explore_invariant_ended");
    let never = "never(boss, {message, go}) -> false;\nnever(_, _) -> true.\n";
    let receives = "register(boss, self()), self() ! go, receive go -> ok end";
    for (body, failing) in [
        (receives.to_owned(), 1),
        (format!("_ = persistent_term:info(), {receives}"), 1),
        (format!("spawn(fun() -> {receives} end), ok"), 1),
        (
            format!("spawn(fun() -> {receives}, exit(kaput) end), persistent_term:info(), ok"),
            1,
        ),
        (
            format!("spawn(fun() -> {receives}, exit(self(), kill), receive after infinity -> ok end end), ok"),
            1,
        ),
        // It has given the name up.
        (format!("{receives}, unregister(boss)"), 0),
        (format!("_ = persistent_term:info(), {receives}, unregister(boss)"), 0),
    ] {
        folder.write(
            "m.erl",
            format!("-module(m).\n-export([main/0, never/2]).\nmain() -> {body}.\n{never}"),
        );
        let answer = explored(&folder, &["--invariant", "m:never", "--normal-reason", "_", "m.erl"]);
        assert_eq!(answer["failing"], failing, "{body}: {answer}");
        let told = headlines(&answer)[0].0.contains("message of boss is go");
        assert_eq!(told, failing == 1, "{body}: {answer}");
    }
}

#[test]
fn the_universe_that_breaks_an_invariant_is_a_trace() {
    let folder = Folder::new("explore_invariant_trace");
    let answer = explored(
        &folder,
        &["--invariant", "bank:covered", "--traces", "u", &fixture("bank.erl")],
    );
    assert_eq!((&answer["universes"], &answer["failing"]), (&12.into(), &8.into()));
    let group = &answer["groups"][0];
    let kept = &group["least_stall"];
    let (at, trace) = (
        kept["broken"].as_str().expect("a place"),
        kept["trace"].as_str().expect("a path"),
    );
    let state = folder.replay(["state", at, trace]).expect(0).out();
    // The last message before it came to the state -4.
    assert!(state.contains("State  = 3") && state.contains("{take,7}"), "{state}");
}

#[test]
fn an_invariant_that_cannot_be_evaluated_is_refused() {
    let folder = Folder::new("explore_invariant_refused");
    let [file, _] = plain(&folder);
    for (invariant, why) in [
        ("plain:effect", "would have an effect"),
        ("plain:none", "exports no plain:none/2"),
        ("none:none", "exports no none:none/2"),
        ("plain", "takes MOD:FUN"),
    ] {
        let refused = folder.replay(["explore", "--invariant", invariant, file]);
        assert!(refused.stderr.contains(why), "{invariant}: {}", refused.stderr);
    }
}

#[test]
fn reasons_can_count_as_normal() {
    let folder = Folder::new("explore_normal");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> exit({stopped, 3}) end),\n    spawn(fun() -> error({stopped, 3}) end),\n    exit({stopped, 1}).\n",
    );
    let crashes = |options: &[&str]| {
        let arguments: Vec<&str> = options.iter().copied().chain(["m.erl"]).collect();
        headlines(&explored(&folder, &arguments))[0].0.clone()
    };
    assert!(crashes(&[]).contains("the entry crashed"));
    let all = crashes(&["--normal-reason", "{stopped, _}"]);
    assert!(
        all.contains("0.3.0 crashed") && all.contains("error {stopped,3}"),
        "an error stays one: {all}"
    );
    assert!(crashes(&["--normal-reason", "{stopped, N} when N > 1"]).contains("the entry crashed"));
    let bad = folder.replay(["explore", "--normal-reason", "{stopped,", "m.erl"]);
    assert!(bad.stderr.contains("expected an Erlang pattern"), "{}", bad.stderr);
}

#[test]
fn every_element_that_amb_can_choose_is_tried() {
    let folder = Folder::new("explore_amb");
    let answer = explored(&folder, &[&fixture("ambiguous.erl")]);
    let outcomes = answer["outcomes"].as_array().expect("a list").iter();
    let mut outcomes: Vec<_> = outcomes
        .map(|one| (one["outcome"].as_str().expect("a text"), one["universes"].as_u64()))
        .collect();
    outcomes.sort_unstable();
    assert_eq!(
        outcomes,
        [
            ("returned 4", Some(1)),
            ("returned 5", Some(2)),
            ("returned 6", Some(1))
        ]
    );
    assert_eq!(answer["complete"], true);
}

/// Choices, and messages whose order is one, too; the clock is for the older search.
const CHOOSES: &str = "-module(m).\n-export([main/0]).\nmain() ->\n    TIMES = self(),\n    \
    [spawn(fun() -> S ! {I, amb:choose([a, b, c])} end) || I <- [1, 2]],\n    [receive M -> M end || _ <- [1, 2]].\n";

#[test]
fn choices_are_recorded_repeated_and_explored_from_a_trace() {
    let folder = Folder::new("explore_amb_recorded");
    for older in ["", "_ = persistent_term:info(), "] {
        folder.write("m.erl", CHOOSES.replace("TIMES", &format!("{older}S")));
        let all = explored(&folder, &["m.erl"]);
        assert_eq!(all["universes"], 18);
        assert_eq!(all["complete"], true);
        let mut seen = std::collections::BTreeSet::new();
        for seed in ["1", "2", "3", "4"] {
            folder.tracer(["run", "--seed", seed, "-o", "t.bin", "m.erl"]);
            folder.replay(["verify", "t.bin"]).expect(0);
            let inputs = folder.replay(["find", "{_, _}", "t.bin"]);
            seen.insert(inputs.out());
            assert_eq!(explored(&folder, &["t.bin"])["universes"], 18);
        }
        assert!(seen.len() > 1, "each seed draws its own: {seen:?}");
    }
}

#[test]
fn amb_takes_a_list_of_between_one_and_ten_thousand() {
    let folder = Folder::new("explore_amb_limits");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n    [try amb:choose(L) of _ -> ok catch error:R -> R end\n     \
         || L <- [[], [a | b], [a, b | c], x, lists:seq(1, 10001)]].\n",
    );
    let answer = explored(&folder, &["m.erl"]);
    assert_eq!(
        answer["outcomes"][0]["outcome"],
        "returned [badarg,badarg,badarg,badarg,system_limit]"
    );
    folder.write(
        "n.erl",
        "-module(n).\n-export([main/0]).\nmain() -> amb:choose(lists:seq(1, 10000)).\n",
    );
    let some = explored(&folder, &["--universes", "5", "-j", "1", "n.erl"]);
    assert_eq!(
        (&some["universes"], &some["open"]),
        (&5.into(), &1.into()),
        "what is open is kept as one"
    );
}

#[test]
fn the_module_for_a_plain_erlang_is_the_built_in_one() {
    let shipped = std::fs::read(fixture("amb.erl")).expect("a file");
    let own = std::fs::read(root().join("interpreter/lib/amb.erl")).expect("a file");
    assert!(shipped == own, "copy interpreter/lib/amb.erl to fixtures/universes");
}

#[test]
fn small_random_numbers_can_be_choices() {
    let folder = Folder::new("explore_random");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0, seeded/0, large/0]).\nmain() -> {rand:uniform(2), rand:uniform(3)}.\n\
         seeded() -> rand:seed(exsss, {1, 2, 3}), rand:uniform(2).\nlarge() -> rand:uniform(50).\n",
    );
    let told = |options: &[&str]| {
        let arguments: Vec<&str> = options.iter().copied().chain(["m.erl"]).collect();
        let answer = explored(&folder, &arguments);
        (answer["universes"].as_u64(), answer["complete"].as_bool())
    };
    assert_eq!(told(&[]), (Some(1), Some(false)));
    assert_eq!(told(&["--random-choices", "3"]), (Some(6), Some(true)));
    assert_eq!(
        told(&["--random-choices", "3", "--entry", "m:seeded"]),
        (Some(1), Some(true))
    );
    assert_eq!(
        told(&["--random-choices", "3", "--entry", "m:large"]),
        (Some(1), Some(false))
    );
    folder.tracer(["run", "-o", "t.bin", "m.erl"]);
    let refused = folder.replay(["explore", "--random-choices", "3", "t.bin"]);
    assert!(
        refused.stderr.contains("is for a program FILE.erl"),
        "{}",
        refused.stderr
    );
    folder.replay(["explore", "--random-choices", "101", "m.erl"]).expect(2);
}
