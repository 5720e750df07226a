//! What nobody may take for a success: tests that were not seen, not run, or not told; and folders that keep a failure from being told.

use serde_json::Value;
use tests::{CommandOutcome, Folder};

const EUNIT: &str = "-include_lib(\"eunit/include/eunit.hrl\").\n";

fn write(folder: &Folder, name: &str, text: &str) {
    let parent = folder.path().join(name);
    std::fs::create_dir_all(parent.parent().expect("a folder")).expect("can be made");
    folder.write(name, text);
}

fn module(folder: &Folder, name: &str, text: &str) {
    write(
        folder,
        &format!("{name}.erl"),
        &format!("-module({name}).\n{EUNIT}{text}"),
    );
}

fn json(outcome: &CommandOutcome) -> Value {
    serde_json::from_slice(&outcome.stdout).expect("one document")
}

#[test]
fn tests_are_those_of_the_compiled_module() {
    let folder = Folder::new("false_green");
    module(&folder, "quoted_tests", "'1_fails_test'() -> ?assert(false).\n");
    module(
        &folder,
        "made_tests",
        "-define(NAME, made_test).\n?NAME() -> ?assert(true).\n-define(GEN, 'made too_test_').\n?GEN() -> [?_assert(true)].\n",
    );
    write(&folder, "names.hrl", "-define(FROM_HEADER, header_test).\n");
    module(
        &folder,
        "header_tests",
        "-include(\"names.hrl\").\n?FROM_HEADER() -> ok.\n",
    );
    // None of these is a test: a call, a name in a text, a function that is not exported, one with an argument.
    write(
        &folder,
        "plain.erl",
        "-module(plain).\n-export([f/0]).\nf() -> \"f_test()\".\n",
    );
    write(
        &folder,
        "own_tests.erl",
        "-module(own_tests).\n-export([f_test/1]).\nf_test(X) -> X.\n",
    );
    let outcome = folder.tracer(["test"]).expect(1).says(&[
        "quoted_tests:1_fails_test failed; next: replay why",
        "without tests: own_tests (no exported function is named *_test or *_test_)",
        "4 tests: 1 failed, 3 passed; 3 modules (2 without tests)",
    ]);
    assert!(
        outcome.out().contains("quoted_tests: 1_fails_test"),
        "{}",
        outcome.out()
    );
    let report = json(&folder.tracer(["test", "--format=json", "-q"]).expect(1));
    assert_eq!(
        report["modules_without_tests"],
        serde_json::json!(["own_tests", "plain"])
    );
    folder
        .tracer(["test", "plain", "own_tests"])
        .expect(66)
        .says(&["no tests were found in plain, own_tests (2 modules were looked at)"]);
    folder
        .tracer(["test", "-v", "made_tests", "plain"])
        .expect(0)
        .says(&["without tests: plain"]);
    // Whether it has tests is not known.
    write(&folder, "broken.erl", "-module(broken).\nf() -> X.\n");
    folder.tracer(["test"]).expect(64).says(&["broken does not compile"]);
}

#[test]
fn exact_execution_runs_both_modules() {
    let folder = Folder::new("false_green");
    write(&folder, "rebar.config", "{eunit_opts, [{exact_execution, true}]}.\n");
    write(&folder, "src/a.app.src", "{application, a, [{vsn, \"1\"}]}.\n");
    write(
        &folder,
        "src/a.erl",
        &format!("-module(a).\n{EUNIT}own_test() -> ok.\n"),
    );
    write(
        &folder,
        "test/a_tests.erl",
        &format!("-module(a_tests).\n{EUNIT}fails_test() -> error(no).\n"),
    );
    folder
        .tracer(["test"])
        .expect(1)
        .says(&["2 tests: 1 failed, 1 passed; 2 modules"]);
}

#[test]
fn a_generator_as_the_entry_is_run() {
    let folder = Folder::new("false_green");
    module(
        &folder,
        "gen_tests",
        "a_test_() -> [?_assert(true), ?_assert(false)].\ngood_test_() -> [?_assert(true)].\nnone_test_() -> [].\n",
    );
    let run = |command: &str, entry: &str, code| {
        let args = [command, "gen_tests.erl", "--seed", "1", "--entry", entry];
        folder.tracer(args).expect(code)
    };
    run("run", "gen_tests:a_test_", 1).says(&["1 of 2 tests failed"]);
    assert!(
        folder
            .replay(["why", "trace.bin"])
            .expect(0)
            .out()
            .contains("expected false to be true")
    );
    let hunted = run("hunt", "gen_tests:a_test_", 1).says(&[
        "failed in run 1",
        "gen_tests:a_test_:3 failed: error {assert",
        "_traces/gen_tests-",
    ]);
    // The command that it prints makes the failure again.
    let again = hunted
        .stderr
        .lines()
        .find_map(|line| line.trim().strip_prefix("again:  tracer "))
        .expect("a command");
    folder
        .tracer(again.split_whitespace())
        .expect(1)
        .says(&["1 of 2 tests failed"]);
    run("run", "gen_tests:good_test_", 0);
    for command in ["run", "hunt"] {
        run(command, "gen_tests:none_test_", 1).says(&["no_tests"]);
    }
    folder
        .tracer(["compare", "gen_tests.erl", "--entry", "gen_tests:a_test_"])
        .expect(2)
        .says(&["a generator of tests is not compared"]);
}

#[test]
fn tests_after_the_end_of_their_run_are_not_run() {
    let folder = Folder::new("false_green");
    module(
        &folder,
        "h_tests",
        "a_test() -> ok.\nb_test() -> halt(3).\nc_test() -> ok.\nd_test_() -> [?_assert(true)].\n",
    );
    let outcome = folder.tracer(["test", "--format=json"]).expect(1).says(&[
        "h_tests:b_test was cancelled",
        "not run: h_tests:c_test, h_tests:d_test_",
        "4 tests: 1 cancelled, 2 not run, 1 passed",
    ]);
    let report = json(&outcome);
    assert_eq!(report["not_run"], 2);
    let test = &report["modules"][0]["tests"][2];
    assert_eq!(
        (&test["name"], &test["status"], &test["reason"]),
        (
            &"h_tests:c_test".into(),
            &"not run".into(),
            &"not run: halted with status 3".into()
        )
    );
    let junit = folder.tracer(["test", "--format=junit", "-q"]).expect(1).out();
    assert!(
        junit.contains("<skipped message=\"not run: halted with status 3\"/>"),
        "{junit}"
    );
    write(
        &folder,
        "h_SUITE.erl",
        "-module(h_SUITE).\n-export([all/0, a/1, b/1, c/1]).\nall() -> [a, b, c].\na(_) -> ok.\nb(_) -> halt(3).\nc(_) -> ok.\n",
    );
    folder
        .tracer(["test", "h_SUITE"])
        .expect(1)
        .says(&["not run: h_SUITE:c", "3 tests: 1 cancelled, 1 not run, 1 passed"]);
}

#[test]
fn cases_of_one_name_are_kept_apart() {
    let folder = Folder::new("false_green");
    module(
        &folder,
        "p_tests",
        "par_test_() -> [fun() -> ?assert(X =/= 2) end || X <- [1, 2, 3]].\n",
    );
    let junit = folder.tracer(["test", "--format=junit", "-q"]).expect(1).out();
    for name in ["name=\"par_test_\"", "name=\"par_test_/2\"", "name=\"par_test_/3\""] {
        assert_eq!(junit.matches(name).count(), 1, "{name}\n{junit}");
    }
    let args = ["test", "--runs", "3", "--seed", "1"];
    let outcome = folder
        .tracer(args)
        .expect(1)
        .says(&["1 of 3 tests failed at least once in 3 runs"]);
    let out = outcome.out();
    assert!(out.contains("p_tests:par_test_/2: failed in 3 of 3 runs"), "{out}");
    assert_eq!(out.matches(" × ").count(), 1, "{out}");
    // The same as JUnit, to a file or to standard output.
    let file = ["test", "--runs", "3", "--seed", "1", "-o", "r.xml"];
    folder.tracer(file).expect(1);
    let written = std::fs::read_to_string(folder.path().join("r.xml")).expect("is there");
    let printed = ["test", "--runs", "3", "--seed", "1", "--format", "junit"];
    for text in [written, folder.tracer(printed).expect(1).out()] {
        assert!(text.starts_with("<?xml"), "{text}");
        assert!(
            text.contains(
                "<testsuites name=\"tracer test --runs\" tests=\"3\" skipped=\"0\" failures=\"1\" errors=\"0\">"
            ),
            "{text}"
        );
        assert!(text.contains("failed in 3 of 3 runs (100.0 %)"), "{text}");
    }
}

#[test]
fn equal_failures_of_a_test_are_told_once() {
    let folder = Folder::new("false_green");
    // Two ways to one failure: the message comes from one process or from another.
    module(
        &folder,
        "w_tests",
        "w_test() ->\n    S = self(),\n    spawn(fun() -> S ! bad end),\n    spawn(fun() -> ets:new(t, [named_table]), S ! bad end),\n    receive bad -> ?assert(false) end.\n",
    );
    let args = ["test", "--runs", "40", "--seed", "1"];
    let out = folder.tracer(args).expect(1).out();
    assert_eq!(out.matches("{assert,").count(), 1, "{out}");
    assert!(out.contains("40 × error {assert,"), "{out}");
}

#[test]
fn a_place_where_nothing_can_be_written_hides_no_failure() {
    let folder = Folder::new("false_green");
    module(
        &folder,
        "race_tests",
        "race_test() ->\n    S = self(),\n    spawn(fun() -> S ! a end), spawn(fun() -> S ! b end),\n    receive X -> ?assertEqual(a, X) end.\nbad_test() -> error(oops).\n",
    );
    write(&folder, "file", "");
    folder
        .tracer(["test", "--traces", "file/x", "--seed", "4"])
        .expect(1)
        .says(&[
            "cannot make the folder file/x",
            "the tests run without traces",
            "race_tests:bad_test failed",
            "there is no trace of this run; again: tracer test --seed 4 -k race_tests:",
        ]);
    let out = folder
        .tracer(["test", "--traces", "/proc/self", "--runs", "20", "--seed", "1"])
        .expect(1)
        .out();
    let again = out
        .lines()
        .find_map(|line| line.trim().strip_prefix("again: tracer "))
        .expect("a command");
    folder.tracer(again.split_whitespace()).expect(1);
}

#[test]
fn traces_of_hunt_and_test_have_one_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("false_green");
    module(&folder, "m_tests", "m_test() -> error(oops).\n");
    folder.tracer(["test"]).expect(1);
    folder
        .tracer(["hunt", "m_tests.erl", "--entry", "m_tests:m_test", "--seed", "1"])
        .expect(1);
    let traces = std::fs::read_dir(folder.path().join("_traces")).expect("traces");
    let modes: Vec<u32> = traces
        .map(|entry| {
            entry
                .expect("an entry")
                .metadata()
                .expect("its mode")
                .permissions()
                .mode()
        })
        .collect();
    assert_eq!((modes.len(), modes.first()), (2, modes.last()));
}

#[test]
fn a_summary_without_traces_says_so() {
    const NO_TRACES: i32 = 68;
    let folder = Folder::new("false_green");
    module(&folder, "m_tests", "m_test() -> ok.\n");
    folder
        .replay(["summary"])
        .expect(NO_TRACES)
        .says(&["there are no traces: _traces does not exist"]);
    // A run that passed has kept nothing.
    folder.tracer(["test"]).expect(0);
    let summary = folder.replay(["summary"]).expect(0).says(&["_traces is empty"]);
    assert!(summary.out().contains("There are no traces."), "{}", summary.out());
    folder
        .replay(["summary", "."])
        .expect(NO_TRACES)
        .says(&["there are no traces in ."]);
    let gone = folder.replay(["summary", "gone.trace"]).expect(66).out();
    assert!(gone.contains("cannot read gone.trace"), "{gone}");
    folder
        .tracer([
            "hunt",
            "m_tests.erl",
            "--entry",
            "m_tests:m_test",
            "--runs",
            "3",
            "--traces",
            "of_hunt",
        ])
        .expect(0);
    folder.replay(["summary", "of_hunt"]).expect(0);
    // One failure in several traces is told once.
    module(&folder, "m_tests", "m_test() -> error(oops).\n");
    for _ in 0..3 {
        folder.tracer(["test"]).expect(1);
    }
    let out = folder.replay(["summary"]).expect(0).out();
    assert!(out.contains("3 traces, 3 with a failure."), "{out}");
    assert_eq!(
        (out.matches("### ").count(), out.matches("The same failure: ").count()),
        (1, 1),
        "{out}"
    );
}

/// The values were printed by `rebar3 ct` of rebar3 3.19 on OTP 25.2.3.
#[test]
fn configuration_of_common_test_is_that_of_otp() {
    let folder = Folder::new("false_green");
    write(&folder, "rebar.config", "{ct_opts, [{config, \"test/a.config\"}]}.\n");
    write(&folder, "src/m.app.src", "{application, m, [{vsn, \"1\"}]}.\n");
    write(
        &folder,
        "test/a.config",
        "{ftp, [{host, \"a\"}, {port, 21}]}.\n{ftp, [{host, \"b\"}, {port, 22}]}.\n{plain, 7}.\n{deep, [{a, [{b, 3}]}]}.\n",
    );
    write(&folder, "b.config", "{plain, 8}.\n{nowhere, 1}.\n");
    write(&folder, "test/x_SUITE.erl", CONFIGURED);
    write(
        &folder,
        "test/s_SUITE.erl",
        "-module(s_SUITE).\n-export([suite/0, all/0, a/1]).\nsuite() -> [{require, nowhere}].\nall() -> [a].\na(_) -> ok.\n",
    );
    let outcome = folder
        .tracer(["test", "x_SUITE", "--format=json"])
        .expect(1)
        .says(&["12 tests: 1 failed, 3 cancelled, 8 passed"]);
    let report = json(&outcome);
    let reason = |name: &str| {
        let tests = report["modules"][0]["tests"].as_array().expect("tests");
        let test = tests
            .iter()
            .find(|test| test["function"] == name)
            .expect("the test case");
        test["reason"].as_str().unwrap_or_default().to_owned()
    };
    let why = folder.replay(["why", "test:x_SUITE:lack", "latest"]).expect(0).out();
    assert!(why.contains("not_available"), "{why}");
    assert_eq!(reason("lack"), "{require_failed,{not_available,nowhere}}");
    assert_eq!(reason("never"), "{require_failed,{not_available,nothing_here}}");
    assert_eq!(reason("clash"), "{config_name_already_in_use,[srv]}");
    assert_eq!(reason("badinfo"), "{testcase0_failed,bad_return_value}");
    let skipped = json(&folder.tracer(["test", "s_SUITE", "--format=json"]).expect(1));
    assert_eq!(
        skipped["modules"][0]["tests"][0]["reason"],
        "{require_failed_in_suite0,{not_available,nowhere}}"
    );
    folder.tracer(["test", "s_SUITE", "--config", "b.config"]).expect(0);
    folder
        .tracer(["test", "--config", "none.config"])
        .expect(66)
        .says(&["cannot read none.config"]);
    write(&folder, "bad.config", "{a");
    folder
        .tracer(["test", "s_SUITE", "--config", "bad.config"])
        .expect(1)
        .says(&["s_SUITE:a was cancelled"]);
}

const CONFIGURED: &str = r#"-module(x_SUITE).
-compile([export_all, nowarn_export_all]).
suite() -> [{require, ftp}, {require, srv, {deep, a}}, {require, sd, sd_key}, {default_config, sd_key, [{v, 1}]}].
all() -> [look, need, own, own2, lack, {group, g}, {group, lackg}, clash, badinfo, files, again].
groups() -> [{g, [], [ing, ing2]}, {lackg, [], [never]}].
group(g) -> [{require, gk, gkey}, {default_config, gkey, gval}];
group(lackg) -> [{require, nothing_here}].
look(_) ->
    F = [{host, "a"}, {port, 21}],
    G = [{host, "b"}, {port, 22}],
    [F, 21, ["a", 21], [21, 22]] = [ct:get_config(ftp), ct:get_config({ftp, port}), ct:get_config({ftp, [host, port]}), ct:get_config({ftp, port}, none, [all])],
    [[{ftp, F}, {ftp, G}], {{ftp, port}, 21}] = [ct:get_config(ftp, none, [all, element]), ct:get_config({ftp, port}, none, [element])],
    [[{b, 3}], 3, 3] = [ct:get_config(srv), ct:get_config({srv, b}), ct:get_config({deep, a, b})],
    [undefined, 5, [5], 6, d] = [ct:get_config(nix), ct:get_config(nix, 5), ct:get_config(nix, 5, [all]), ct:get_config({plain, x}, 6), ct:get_config({ftp, nix}, d)],
    [[{v, 1}], undefined] = [ct:get_config(sd), ct:get_config(sd_key)].
need(_) ->
    F = [{host, "a"}, {port, 21}],
    [ok, {error, {not_available, nix}}, {error, {invalid, "x"}}] = [ct:require(ftp), ct:require(nix), ct:require("x")],
    [ok, F, {error, {name_in_use, al, ftp}}, ok] = [ct:require(al, ftp), ct:get_config(al), ct:require(al, plain), ct:require(al, ftp)],
    [ok, F] = [ct:require(pp, {ftp, [port]}), ct:get_config(pp)].
own() -> [{require, mine, k}, {default_config, k, 9}].
own(_) -> 9 = ct:get_config(mine), undefined = ct:get_config(k).
own2() -> [{require, k2}, {default_config, k2, 9}].
own2(_) -> 9 = ct:get_config(k2), undefined = ct:get_config(mine).
lack() -> [{require, nowhere}].
lack(_) -> ok.
ing() -> [{default_config, gkey, other}].
ing(_) -> gval = ct:get_config(gk).
ing2(_) -> gval = ct:get_config(gk).
never(_) -> ok.
clash() -> [{require, srv, ftp}].
clash(_) -> ok.
badinfo() -> nonsense.
badinfo(_) -> ok.
files(Config) ->
    undefined = ct:get_config(gk),
    File = filename:join(proplists:get_value(priv_dir, Config), "late.config"),
    ok = file:write_file(File, "{late, 1}.\n"),
    ok = ct:add_config(ct_config_plain, File),
    1 = ct:get_config(late),
    ok = file:write_file(File, "{late, 2}.\n"),
    2 = ct:reload_config(late),
    ok = ct:remove_config(ct_config_plain, File),
    undefined = ct:get_config(late),
    {error, {config_file_error, "nix", "no such file or directory"}} = ct:add_config(ct_config_plain, "nix").
again(_) -> 7 = ct:get_config(plain).
"#;
