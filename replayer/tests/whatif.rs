//! `replay what-if` through the command line.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::path::Path;

use replayer::exit::Exit;
use session::error::Error;
use session::record::Text;

const LOST_UPDATE: &str = "-module(lost).
-export([main/0]).
main() ->
    S = spawn(fun() -> acc(0) end), Me = self(),
    spawn(fun() -> dep(S, 10), Me ! d end),
    spawn(fun() -> dep(S, 20), Me ! d end),
    receive d -> ok end, receive d -> ok end,
    S ! {get, self()},
    receive {v, 30} -> ok; {v, X} -> error({lost, X}) end.
dep(S, D) ->
    S ! {get, self()},
    receive {v, V} -> S ! {put, V + D} end.
acc(V) ->
    receive {get, P} -> P ! {v, V}, acc(V); {put, N} -> acc(N) end.
";

fn replay(arguments: &[&str]) -> (Result<Exit, Error>, String) {
    let all: Vec<OsString> = std::iter::once("replay")
        .chain(arguments.iter().copied())
        .map(OsString::from)
        .collect();
    let mut sink = Vec::new();
    let (_, done) = replayer::run_with(all, &mut sink, None);
    (done, String::from_utf8(sink).unwrap())
}

/// A trace of the program that fails, or does not.
fn recorded(folder: &Path, fails: bool) -> String {
    recorded_of(folder, ("lost.erl", LOST_UPDATE), fails)
}

fn recorded_of(folder: &Path, (path, source): (&str, &str), fails: bool) -> String {
    let text = Text {
        path: path.to_owned(),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    let seed = (0..400).find(|seed| text.fails(*seed).unwrap() == fails).unwrap();
    let path = folder.join(format!("{fails}.bin"));
    std::fs::write(&path, text.record_bytes(seed).unwrap().1).unwrap();
    path.display().to_string()
}

/// The target of the best flip.
fn decisive(trace: &str) -> String {
    let (done, text) = replay(&["races", "--json", trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}");
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    answer["decisive"][0]["at"]["target"].as_str().unwrap().to_owned()
}

#[test]
fn the_other_choice_is_taken_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), true);
    let target = decisive(&trace);
    let other = folder.path().join("other.bin").display().to_string();
    let (done, text) = replay(&["what-if", &target, "-o", &other, &trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    for words in [
        "come first",
        "fails: error {lost,",
        "the run returns ok: it does not fail",
        "receives {put,",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The new run is a trace like others.
    replay(&["verify", &other]).0.unwrap();
    let (_, info) = replay(&["info", &other]);
    assert!(
        info.contains("the entry returned") && info.contains("by hand, in replay what-if"),
        "{info}"
    );
    let (done, _) = replay(&["diff", &trace, &other]);
    assert!(matches!(done, Ok(Exit::Different)), "{done:?}");
    // A choice is named by a part of its text, by its number, and in JSON all is data.
    for choice in ["put", "1"] {
        let (done, text) = replay(&["what-if", "--json", &format!("{target}={choice}"), &trace]);
        assert!(matches!(done, Ok(Exit::Success)), "{done:?}");
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["run"]["verdict"], "passes", "{text}");
        assert_eq!(answer["run"]["after"]["returned"], "ok", "{text}");
        assert!(
            answer["run"]["is"]["content"].as_str().unwrap().starts_with("{put,"),
            "{text}"
        );
    }
}

/// Two servers ask each other. That one of them is served in time needs a delay that the recorded run did not need.
#[test]
fn a_choice_that_needs_a_longer_delay_is_told_as_why_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let source = include_str!("../../tests/causes/peek.erl");
    let trace = recorded_of(folder.path(), ("peek.erl", source), true);
    let words = |arguments: &[&str]| {
        let (done, text) = replay(arguments);
        assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (why, other) = (words(&["why", &trace]), words(&["what-if", "rec:4", &trace]));
    let delay = "something must be held up for 6 ms for that, and this run needed none";
    assert!(why.contains(delay), "{why}");
    assert!(other.contains(delay), "{other}");
}

#[test]
fn what_is_no_choice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), true);
    let target = decisive(&trace);
    let (done, _) = replay(&["what-if", "exit:0.1.0", &trace]);
    let error = done.unwrap_err();
    assert_eq!(Exit::from(&error), Exit::NoTarget);
    let text = error.to_string();
    assert!(
        text.contains("is no choice") && text.contains("The nearest choice in its causal past is rec:"),
        "{text}"
    );
    for choice in ["nonsense", "77", "0"] {
        let (done, _) = replay(&["what-if", &format!("{target}={choice}"), &trace]);
        let error = done.unwrap_err();
        assert_eq!(Exit::from(&error), Exit::Usage);
        assert!(
            error.to_string().contains("names no choice") && error.to_string().contains("{put,"),
            "{error}"
        );
    }
    // The input is never replaced, nor what is no trace.
    let before = std::fs::read(&trace).unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "mine").unwrap();
    for file in [&trace, &notes.display().to_string()] {
        let (done, _) = replay(&["what-if", &target, "-o", file, &trace]);
        assert_eq!(Exit::from(&done.unwrap_err()), Exit::NoOutput);
    }
    assert_eq!(std::fs::read(&trace).unwrap(), before);
    assert_eq!(std::fs::read(&notes).unwrap(), b"mine");
}

#[test]
fn a_run_that_does_not_fail_can_be_changed_too() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), false);
    let (done, text) = replay(&["what-if", "rec:1", &trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(
        text.contains("recorded  the run returns ok") && text.contains("either"),
        "{text}"
    );
}

/// What `replay debug` answers to these commands.
fn debug(folder: &Path, trace: &str, commands: &str) -> (Result<Exit, Error>, String) {
    let script = folder.join("commands");
    std::fs::write(&script, commands).unwrap();
    replay(&["debug", "-x", &script.display().to_string(), trace])
}

#[test]
fn a_flip_is_taken_in_the_debugger() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), true);
    let commands = "races\nuntil error\nflip 1\nrun as-recorded\nuse 0.1.0\nstate\nraces\ngoto record\nposition\nflip 1\nflip 2\n\
                    goto before\naction 1\n";
    let (done, text) = debug(folder.path(), &trace, commands);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let mut left = text.as_str();
    for words in [
        "error: ",
        "  1. 0.2.0 acc/1 took",
        "the run would have returned ok",
        "flip 1",
        "0.1.0 has ended: error {lost,",
        "come first, the run would have returned ok",
        "dropped from the logs; `goto before` goes back",
        "0.2.0 in lost:acc/1, lost.erl:14",
        "nothing more can happen",
        "reason: normal",
        // The branch does not fail: what could make it fail?
        "other choices tried; it fails after",
        "With the other order it fails.",
        "come first, 0.1.0 would have failed",
        // The record.
        "0.1.0 has ended: error {lost,",
    ] {
        let at = left
            .find(words)
            .unwrap_or_else(|| panic!("`{words}` is missing in\n{left}\nof\n{text}"));
        left = &left[at + words.len()..];
    }
}

#[test]
fn a_flip_that_waits_for_the_others_is_taken_in_the_debugger() {
    // The reader looks before both have written.
    let text = Text {
        path: "late.erl".to_owned(),
        source: "-module(late).\n-export([main/0]).\nmain() ->\n    ets:new(t, [public, named_table]),\n    \
                 [spawn(fun() -> ets:insert(t, {K, x}) end) || K <- [1, 2]],\n    2 = length(ets:tab2list(t)), ok.\n"
            .as_bytes()
            .into(),
        release: Default::default(),
    };
    let seed = (0..400).find(|seed| text.fails(*seed).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.bin");
    std::fs::write(&path, text.record_bytes(seed).unwrap().1).unwrap();
    let trace = path.display().to_string();
    let (_, json) = replay(&["races", "--json", &trace]);
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let lists = ["decisive", "leaning", "others"];
    let mut all = lists.iter().flat_map(|list| answer[list].as_array().unwrap());
    let later = all.find(|flip| flip["class"] == "later" && flip["verdict"] == "passes");
    let number = later.map_or(1, |flip| flip["number"].as_u64().unwrap());
    let commands = format!("races\nflip {number}\nrun as-recorded\nuse 0.1.0\nstate\n");
    let (done, text) = debug(folder.path(), &trace, &commands);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(text.contains("reason: normal"), "{text}");
}

#[test]
fn what_cannot_be_flipped_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), true);
    for (commands, words) in [
        ("flip 1\n", "`races` makes one"),
        ("flip\n", "`flip` needs a number"),
        ("races\nflip 0\n", "expected a number from 1"),
        ("races\nflip 999\n", "there is no flip 999; `races` listed"),
        ("races\nflip 18446744073709551615\n", "there is no flip"),
        ("races here\n", "has done nothing yet"),
        ("races nonsense\n", "nonsense"),
    ] {
        let (done, _) = debug(folder.path(), &trace, commands);
        let error = done.unwrap_err().to_string();
        assert!(error.contains(words), "{commands}: {error}");
    }
}

#[test]
fn diff_of_a_failing_and_a_passing_run_begins_with_what_decided() {
    let folder = tempfile::tempdir().unwrap();
    let trace = recorded(folder.path(), true);
    let target = decisive(&trace);
    let other = folder.path().join("other.bin").display().to_string();
    replay(&["what-if", &target, "-o", &other, &trace]).0.unwrap();
    for (fails, passes, pair) in [
        ("first", "second", [&trace, &other]),
        ("second", "first", [&other, &trace]),
    ] {
        let (done, text) = replay(&["diff", pair[0], pair[1]]);
        assert!(matches!(done, Ok(Exit::Different)), "{done:?}");
        let text = text.replace('\n', " ");
        let begins = format!("The {fails} run fails, the {passes} does not. Decisive (tried): 0.2.0 acc/1 took {{get,");
        assert!(text.starts_with(&begins), "{text}");
        assert!(
            text.contains("come first, the run would have returned ok (10 of 10"),
            "{text}"
        );
        assert!(text.contains(&format!("In the {passes} run, {{put,")), "{text}");
        assert!(text.contains("The runs first differ here:"), "{text}");
        let (_, json) = replay(&["diff", "--json", pair[0], pair[1]]);
        let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(answer["decided"]["fails"], fails, "{json}");
        assert_eq!(answer["decided"]["flip"]["verdict"], "passes", "{json}");
        assert_eq!(answer["decided"]["other_took_it"], true, "{json}");
    }
    // Runs that end alike.
    let text = Text {
        path: "lost.erl".to_owned(),
        source: LOST_UPDATE.as_bytes().into(),
        release: Default::default(),
    };
    for fails in [true, false] {
        let seeds: Vec<u64> = (0..400)
            .filter(|seed| text.fails(*seed).unwrap() == fails)
            .take(6)
            .collect();
        let path = |seed: &u64| folder.path().join(format!("{seed}.bin")).display().to_string();
        for seed in &seeds {
            std::fs::write(path(seed), text.record_bytes(*seed).unwrap().1).unwrap();
        }
        for seed in &seeds[1..] {
            let (_, text) = replay(&["diff", &path(&seeds[0]), &path(seed)]);
            assert!(text.starts_with("The runs "), "{text}");
        }
    }
}

#[test]
fn a_named_choice_is_not_lost_among_the_others() {
    let folder = tempfile::tempdir().unwrap();
    // Five messages, and the first one decides.
    let text = Text {
        path: "first.erl".to_owned(),
        source: "-module(first).\n-export([main/0]).\nmain() ->\n    Me = self(), spawn(fun() -> Me ! bad end),\n    \
                 [spawn(fun() -> Me ! {good, N} end) || N <- [1, 2, 3, 4]],\n    timer:sleep(5),\n    \
                 receive bad -> error(bad); {good, _} -> ok end.\n"
            .as_bytes()
            .into(),
        release: Default::default(),
    };
    let seed = (0..400).find(|seed| text.fails(*seed).unwrap()).unwrap();
    let trace = folder.path().join("first.bin").display().to_string();
    std::fs::write(&trace, text.record_bytes(seed).unwrap().1).unwrap();
    let target = decisive(&trace);
    let (done, text) = replay(&["what-if", &format!("{target}=3}}"), &trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(
        text.contains("Had {good,3} come first") && text.contains(" of 4\n"),
        "{text}"
    );
    assert!(!text.contains("{good,1}"), "{text}");
    let (_, text) = replay(&["what-if", &target, &trace]);
    assert!(text.contains("{good,1}") && text.contains("{good,4}"), "{text}");
}

#[test]
fn the_nearest_choice_is_one_that_led_there() {
    let folder = tempfile::tempdir().unwrap();
    // What the others do last has nothing to do with the failure.
    let text = Text {
        path: "past.erl".to_owned(),
        source: "-module(past).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    S = spawn(fun other/0), [spawn(fun() -> S ! x end) || _ <- [1, 2, 3]],\n    \
                 [spawn(fun() -> Me ! N end) || N <- [1, 2]],\n    X = receive 1 -> a; 2 -> b end,\n    timer:sleep(50), io:format(\"~p~n\", [X]), error(bad).\n\
                 other() -> receive x -> other() end.\n"
            .as_bytes()
            .into(),
        release: Default::default(),
    };
    let trace = folder.path().join("past.bin").display().to_string();
    std::fs::write(&trace, text.record_bytes(3).unwrap().1).unwrap();
    let (done, _) = replay(&["what-if", "error", &trace]);
    let text = done.unwrap_err().to_string();
    assert!(
        text.contains("The nearest choice in its causal past is rec:") && text.contains(": 0.1.0 receives "),
        "{text}"
    );
}
