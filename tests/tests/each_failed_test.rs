//! Every failed test of a trace is judged by `check`, and told by `summary`, `info`, `export` and `explore`.

use std::path::PathBuf;

use serde_json::Value;
use tests::Folder;

const TESTS: &str = "-module(cells_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\na_test() -> ?assertEqual(2, cells:a()).\nb_test() -> ?assertEqual(2, cells:b()).\nc_test() -> ok.\n";

fn cells(folder: &Folder, a: u32, b: u32) {
    let text = format!("-module(cells).\n-export([a/0, b/0]).\na() -> {a}.\nb() -> {b}.\n");
    folder.write("cells.erl", text);
}

/// A folder with the trace of a run in which two tests failed.
fn two_failed() -> (Folder, String) {
    let folder = Folder::new("each_failed");
    cells(&folder, 1, 1);
    folder.write("cells_tests.erl", TESTS);
    folder.tracer(["test"]).expect(1).says(&["3 tests: 2 failed, 1 passed"]);
    let entries = std::fs::read_dir(folder.path().join("_traces")).expect("traces");
    let all: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    let name = all[0].file_name().expect("a name").to_string_lossy().into_owned();
    (folder, format!("_traces/{name}"))
}

#[test]
fn each_failed_test_has_a_verdict() {
    let (folder, trace) = two_failed();
    // One of them is mended.
    cells(&folder, 2, 1);
    for place in [trace.as_str(), "_traces"] {
        let out = folder.replay(["check", place]).expect(1).out();
        assert!(
            out.starts_with(&format!("fixed: cells_tests:a_test in {trace}\n")),
            "{out}"
        );
        assert!(
            out.contains(&format!("still fails: cells_tests:b_test in {trace}\n")),
            "{out}"
        );
        assert!(out.ends_with("2 tests in 1 trace: 1 fixed, 1 still fails\n"), "{out}");
    }
    let json = folder.replay(["check", "--json", &trace]).expect(1).out();
    let json: Value = serde_json::from_str(&json).expect("one value");
    let told: Vec<(&str, &str)> = (0..2)
        .filter_map(|i| Some((json[i]["test"].as_str()?, json[i]["verdict"].as_str()?)))
        .collect();
    assert_eq!(
        told,
        [("cells_tests:a_test", "fixed"), ("cells_tests:b_test", "still_fails")]
    );
    folder.replay(["check", "--junit", "check.xml", &trace]).expect(1);
    let xml = std::fs::read_to_string(folder.path().join("check.xml")).expect("the report is there");
    assert!(
        xml.contains(r#"tests="2" skipped="0" errors="0" failures="1""#),
        "{xml}"
    );
    assert!(
        xml.contains(&format!("replay check test:cells_tests:b_test {trace}")),
        "{xml}"
    );
    // One that is named is the only one.
    folder.replay(["check", "test:cells_tests:a_test", &trace]).expect(0);
    folder
        .replay(["check", "test:cells_tests:a_tset", &trace])
        .expect(128)
        .says(&["the nearest of its tests are cells_tests:a_test"]);
    cells(&folder, 2, 2);
    let out = folder.replay(["check", "_traces"]).expect(0).out();
    assert!(out.ends_with("2 tests in 1 trace: 2 fixed\n"), "{out}");
}

#[test]
fn each_failed_test_is_told() {
    let (folder, trace) = two_failed();
    let out = folder.replay(["summary", "--github"]).expect(0).out();
    assert!(out.contains("1 trace, 1 with a failure: 2 failures."), "{out}");
    assert_eq!(out.matches("::error ").count(), 2, "{out}");
    for test in ["a", "b"] {
        let title = format!("### `cells_tests:{test}_test in {trace}`");
        let next = format!("Replay it: `replay why test:cells_tests:{test}_test {trace}`");
        assert!(out.contains(&title) && out.contains(&next), "{out}");
    }
    let info = folder.replay(["info", &trace]).expect(0).out();
    assert!(
        info.contains("of 3 tests, 2 failed") && !info.contains("returned"),
        "{info}"
    );
    folder
        .replay(["export", "--format", "csv", "-o", "tables", &trace])
        .expect(0);
    let runs = std::fs::read_to_string(folder.path().join("tables/runs.csv")).expect("a table");
    assert!(runs.ends_with(",true,\"of 3 tests, 2 failed\"\n"), "{runs}");
}

/// Two tests of one process: the choice that decides is one of the test that is asked about.
#[test]
fn why_tries_the_choices_of_the_test_that_is_named() {
    let folder = Folder::new("each_failed");
    let go = "go(F) ->\n    T = ets:new(t, [public]), ets:insert(T, {n, 0}), Me = self(),\n    [spawn_link(fun() -> F(T), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    ets:lookup_element(T, n, 2).\n";
    let tests = "a_test() -> ?assertEqual(2, go(fun first/1)).\nb_test() -> ?assertEqual(2, go(fun second/1)).\n";
    let racy = |name: &str| {
        format!("{name}(T) -> [{{n, N}}] = ets:lookup(T, n), erlang:yield(), ets:insert(T, {{n, N + 1}}).\n")
    };
    let text = format!(
        "-module(pair_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n{tests}{}{}{go}",
        racy("first"),
        racy("second")
    );
    folder.write("pair_tests.erl", text);
    let both = (1..=60).find(|seed| {
        let args = [
            "test",
            "--seed",
            &seed.to_string(),
            "--schedule",
            "random",
            "--traces",
            "both",
        ];
        let outcome = folder.tracer(args);
        let found = outcome.stderr.contains("2 failed");
        if !found {
            let _ = std::fs::remove_dir_all(folder.path().join("both"));
        }
        found
    });
    assert!(both.is_some(), "a seed under which both fail");
    let trace = std::fs::read_dir(folder.path().join("both")).expect("traces").next();
    let trace = trace.expect("a trace").expect("an entry").path();
    let trace = trace.to_str().expect("a path");
    for (test, function) in [("a", "first/1"), ("b", "second/1")] {
        let target = format!("test:pair_tests:{test}_test");
        let out = folder.replay(["why", "--json", &target, trace]).expect(0).out();
        let story: Value = serde_json::from_str(&out).expect("JSON");
        let decisive = story["decisive"]["decisive"].to_string() + &story["decided"].to_string();
        assert!(decisive.contains(function), "{test}: {decisive}");
    }
}

#[test]
fn a_universe_in_which_a_test_fails_is_one_that_fails() {
    let folder = Folder::new("each_failed");
    folder.write(
        "late_tests.erl",
        "-module(late_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nlate_test() ->\n    T = ets:new(t, [public]), ets:insert(T, {n, 0}), Me = self(),\n    [spawn_link(fun() -> add(T), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    ?assertEqual(2, ets:lookup_element(T, n, 2)).\nadd(T) -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}).\n",
    );
    folder
        .tracer(["hunt", "-k", "late_test", "--seed", "1", "--traces", "found"])
        .expect(1);
    let trace = std::fs::read_dir(folder.path().join("found")).expect("traces").next();
    let trace = trace.expect("a trace").expect("an entry").path();
    let out = folder
        .replay(["explore", "--json", trace.to_str().expect("a path")])
        .expect(1)
        .out();
    let view: Value = serde_json::from_str(&out).expect("JSON");
    let (all, failing) = (view["universes"].as_u64(), view["failing"].as_u64());
    assert!(failing > Some(0) && failing < all, "{out}");
    let headline = view["groups"][0]["headline"].as_str().unwrap_or_default();
    assert!(
        headline.starts_with("the test late_tests:late_test failed: error {assertEqual"),
        "{headline}"
    );
}
