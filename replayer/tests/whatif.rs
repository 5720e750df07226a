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
    let text = Text {
        path: "lost.erl".to_owned(),
        source: LOST_UPDATE.as_bytes().into(),
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
        text.contains("is no choice") && text.contains("The nearest choice is rec:"),
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
