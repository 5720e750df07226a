//! `tracer test`: which tests are found and run, what is printed, reported and kept, and the exit codes.

use std::path::PathBuf;

use tests::{BinaryRun, CommandOutcome, Folder};

const BANK: &str = r#"-module(bank_tests).
-include_lib("eunit/include/eunit.hrl").
plain_test() -> ok.
wrong_test() -> io:format("printed <here>~n"), ?assertEqual(100, 10 * 9).
named_test_() -> {"a group", [{"first", fun() -> ok end}, {"second", ?_assertEqual(1, 2)}]}.
setup_test_() -> {setup, fun() -> error(no_db) end, fun(_) -> ok end, [fun() -> ok end]}.
"#;

const GOOD: &str = "-module(good_tests).\n-export([a_test/0]).\na_test() -> ok.\n";

fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
    std::fs::write(path, text).expect("can be written");
}

fn traces(folder: &Folder) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path().join("_traces"));
    let mut all: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .collect();
    all.sort();
    all
}

/// Runs the commands `replay …` that the tool has printed.
fn follow(folder: &Folder, outcome: &CommandOutcome) -> Vec<String> {
    let lines = outcome.stderr.lines();
    let commands = lines.filter_map(|line| line.split_once("next: replay ").map(|(_, words)| words));
    let run = |words: &str| folder.replay(words.split_whitespace()).expect(0).out();
    commands.map(run).collect()
}

/// Modules that end in another order than they begin, and what is printed of them.
#[test]
fn several_modules_at_the_same_time_are_shown_as_one_after_the_other() {
    let folder = Folder::new("several_modules_at_the_same_time");
    for (name, turns) in [("a", 400_000), ("b", 40_000), ("c", 4), ("d", 40)] {
        let text = format!(
            "-module({name}_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
             turns_test() -> io:format(\"in {name}~n\"), ?assertEqual({turns}, length(lists:seq(1, {turns}))).\n\
             wrong_test() -> ?assertEqual({name}, none).\n"
        );
        folder.write(&format!("test/{name}_tests.erl"), text);
    }
    let printed = |jobs| {
        // With a simulated clock, equal runs print equal times.
        let outcome = folder
            .tracer(["test", "-v", "--seed", "1", "--keep", "none", "-j", jobs])
            .expect(1);
        let closing = outcome
            .stderr
            .rsplit_once("modules")
            .expect("a closing line")
            .0
            .to_owned();
        (outcome.out(), closing)
    };
    let (one, three) = (printed("1"), printed("3"));
    assert_eq!(one, three);
    assert!(one.1.ends_with("4 failed, 4 passed; 4 "), "{}", one.1);
    folder
        .tracer(["test", "-j", "2", "--runs", "2"])
        .expect(2)
        .says(&["cannot be used with"]);
}

#[test]
fn failed_tests_keep_one_trace_and_the_printed_commands_work() {
    let folder = Folder::new("testing");
    write(&folder, "bank_tests.erl", BANK);
    write(&folder, "good_tests.erl", GOOD);
    let outcome = folder.tracer(["test"]).expect(1).says(&[
        "bank_tests:wrong_test failed; next: replay why test:bank_tests:wrong_test _traces/bank_tests-",
        "bank_tests:named_test_:5 failed; next: replay why",
        "bank_tests:setup_test_:setup was cancelled",
        "6 tests: 2 failed, 1 cancelled, 3 passed; 2 modules",
    ]);
    let out = outcome.out();
    for part in [
        "module 'bank_tests'\nbank_tests: wrong_test...*failed*\nin function bank_tests:wrong_test/0 (bank_tests.erl, line 4)\n",
        "**error:{assertEqual,[{module,bank_tests},",
        "output:<<\"printed <here>\n\">>",
        "*** context setup failed ***",
        "  Failed: 2.  Skipped: 0.  Passed: 2.\nOne or more tests were cancelled.\n",
        "module 'good_tests'\n  Test passed.\n",
    ] {
        assert!(out.contains(part), "{part}\nis missing in\n{out}");
    }
    let all = traces(&folder);
    assert_eq!(all.len(), 1, "{all:?}");
    let told = follow(&folder, &outcome);
    assert_eq!(told.len(), 3);
    assert!(
        told[0].contains("expected 100") || told[0].contains("wrong_test"),
        "{}",
        told[0]
    );
    folder.replay(["info", "latest"]).expect(0);
}

#[test]
fn reports_for_programs_have_standard_output_for_themselves() {
    let folder = Folder::new("testing");
    write(&folder, "bank_tests.erl", BANK);
    let json = folder.tracer(["test", "--format", "json"]).expect(1);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one document");
    assert_eq!(
        (&value["tests"], &value["failed"], &value["cancelled"]),
        (&5.into(), &2.into(), &1.into())
    );
    let tests = value["modules"][0]["tests"].as_array().expect("tests");
    let wrong = tests
        .iter()
        .find(|test| test["name"] == "bank_tests:wrong_test")
        .expect("is there");
    assert_eq!(
        (&wrong["class"], &wrong["output"]),
        (&"error".into(), &"printed <here>\n".into())
    );
    let second = tests
        .iter()
        .find(|test| test["description"] == "second")
        .expect("is there");
    assert_eq!(
        (&second["line"], &second["function"]),
        (&5.into(), &"named_test_".into())
    );
    assert!(json.stderr.contains("*failed*"));

    let junit = folder
        .tracer(["test", "--format=junit", "-q", "bank_tests"])
        .expect(1)
        .out();
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracer test\" tests=\"5\" skipped=\"0\" failures=\"2\" errors=\"1\">";
    assert!(junit.starts_with(start), "{junit}");
    assert!(
        junit.contains("<system-out>printed &lt;here&gt;\n</system-out>"),
        "{junit}"
    );

    folder.tracer(["test", "-o", "report.xml", "--keep", "none"]).expect(1);
    let file = std::fs::read_to_string(folder.path().join("report.xml")).expect("is there");
    assert!(file.starts_with("<?xml"));
}

#[test]
fn junit_has_the_elements_and_attributes_of_the_schema() {
    // Jenkins' junit-10.xsd: the children and attributes that each element may have, those of the reports that CI systems read.
    let allowed = [
        ("testsuites", "name tests failures errors time disabled skipped"),
        (
            "testsuite",
            "name tests failures errors time disabled skipped timestamp hostname id package group",
        ),
        ("properties", ""),
        ("property", "name value"),
        ("testcase", "name classname assertions time status group"),
        ("failure", "message type"),
        ("error", "message type"),
        ("skipped", "message type"),
        ("system-out", ""),
    ];
    let folder = Folder::new("testing");
    write(&folder, "bank_tests.erl", BANK);
    let junit = folder.tracer(["test", "--format=junit", "-q"]).expect(1).out();
    for tag in junit.split('<').skip(1).filter(|tag| !tag.starts_with(['/', '?'])) {
        let tag = tag.split('>').next().expect("a tag ends");
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        let (_, known) = allowed
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("<{name}>"));
        // Values contain no quotes: those are written &quot;.
        for attribute in attributes
            .split('"')
            .step_by(2)
            .filter_map(|part| part.trim().strip_suffix('='))
        {
            assert!(
                known.split(' ').any(|other| other == attribute),
                "<{name} {attribute}=…>"
            );
        }
    }
}

#[test]
fn names_and_descriptions_select_tests() {
    let folder = Folder::new("testing");
    write(&folder, "bank_tests.erl", BANK);
    let names = |only: &[&str]| {
        let mut args = vec!["test", "--format=json", "-q", "--keep=none"];
        for text in only {
            args.extend(["-k", text]);
        }
        let value: serde_json::Value = serde_json::from_slice(&folder.tracer(args).stdout).expect("one document");
        let tests = value["modules"][0]["tests"].as_array().expect("tests").clone();
        let title = |test: &serde_json::Value| format!("{} {}", test["name"], test["description"]).replace('"', "");
        tests.iter().map(title).collect::<Vec<_>>()
    };
    assert_eq!(names(&["plain"]), ["bank_tests:plain_test "]);
    assert_eq!(
        names(&["bank_tests:plain", "wrong_test"]),
        ["bank_tests:plain_test ", "bank_tests:wrong_test "]
    );
    assert_eq!(
        names(&["named_test_"]),
        ["bank_tests:named_test_ first", "bank_tests:named_test_:5 second"]
    );
    assert_eq!(
        names(&["bank_tests:named_test_:5"]),
        ["bank_tests:named_test_:5 second"]
    );
    assert!(names(&["second"]).contains(&"bank_tests:named_test_:5 second".to_owned()));
    assert!(!names(&["second"]).contains(&"bank_tests:named_test_ first".to_owned()));
    // A group's description stands for all that is in it.
    assert!(names(&["a group"]).contains(&"bank_tests:named_test_ first".to_owned()));
    folder
        .tracer(["test", "-k", "bank_tests:nothing"])
        .expect(66)
        .says(&["no test has `bank_tests:nothing` in its name or description; the tests are bank_tests:"]);
}

#[test]
fn a_project_needs_no_options() {
    let folder = Folder::new("testing");
    write(&folder, "include/shop.hrl", "-define(PRICE, 7).\n");
    write(
        &folder,
        "src/shop.erl",
        "-module(shop).\n-export([price/0, helper/0]).\n-include(\"shop.hrl\").\n-ifdef(TEST).\n-include_lib(\"eunit/include/eunit.hrl\").\nown_test() -> ?assertEqual(7, price()).\n-endif.\nprice() -> ?PRICE.\nhelper() -> shop_util:double(price()).\n",
    );
    write(
        &folder,
        "src/deep/shop_util.erl",
        "-module(shop_util).\n-export([double/1]).\ndouble(X) -> 2 * X.\n",
    );
    write(
        &folder,
        "test/shop_tests.erl",
        "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n-include(\"shop.hrl\").\nhelper_test() -> ?assertEqual(2 * ?PRICE, shop:helper()).\nprice_test() -> ok.\n",
    );
    let outcome = folder
        .tracer(["test", "-v", "--virtual-time"])
        .expect(0)
        .says(&["all 3 tests passed; 1 module"]);
    // Simulated time: on a slow machine, a test would show how long it took.
    let lines = outcome
        .out()
        .lines()
        .filter(|line| !line.contains("[done in"))
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    assert_eq!(
        lines,
        "======================== EUnit ========================\nmodule 'shop'\n  shop: own_test...ok\n  module 'shop_tests'\n    shop_tests: helper_test...ok\n    shop_tests: price_test...ok\n=======================================================\n  All 3 tests passed.\n"
    );
    // Nothing failed, so no trace is left.
    assert_eq!(traces(&folder), Vec::<PathBuf>::new());
    for one in ["shop", "src/shop.erl", "test/shop_tests.erl", "shop_tests", "test"] {
        folder.tracer(["test", one]).expect(0);
    }
    let all = folder
        .tracer(["test", "--keep", "all"])
        .expect(0)
        .says(&["shop: next: replay info _traces/shop-"]);
    assert_eq!(traces(&folder).len(), 1);
    assert_eq!(follow(&folder, &all).len(), 1);
    // A module that does not compile is told, and the others are run.
    write(&folder, "test/bad_tests.erl", "-module(bad_tests).\na_test() -> X.\n");
    folder
        .tracer(["test"])
        .expect(64)
        .says(&["'X' is unbound", "bad_tests does not compile", "1 cancelled, 3 passed"]);
    write(
        &folder,
        "src/deep/shop_util.erl",
        "-module(shop_util).\n-export([double/1]).\ndouble(X) -> Y.\n",
    );
    folder
        .tracer(["test", "shop"])
        .expect(64)
        .says(&["'Y' is unbound", "not everything compiles for: shop"]);
}

#[test]
fn a_run_that_ends_early_names_its_test_and_the_others_run() {
    let folder = Folder::new("testing");
    let header = "-include_lib(\"eunit/include/eunit.hrl\").\n";
    write(
        &folder,
        "a_tests.erl",
        &format!("-module(a_tests).\n{header}halt_test() -> halt(0).\n"),
    );
    write(
        &folder,
        "b_tests.erl",
        &format!(
            "-module(b_tests).\n{header}wait_test_() -> {{timeout, 1000000, fun() -> receive never -> ok end end}}.\n"
        ),
    );
    write(&folder, "good_tests.erl", GOOD);
    folder
        .tracer(["test", "--virtual-time", "--max-time", "3s"])
        .expect(81)
        .says(&[
            "a_tests: halted with status 0",
            "a_tests:halt_test was cancelled; next: replay why halt _traces/a_tests-",
            "b_tests: limit reached: time",
            "b_tests:wait_test_ was cancelled",
            "3 tests: 2 cancelled, 1 passed; 3 modules",
        ]);
    assert_eq!(traces(&folder).len(), 2);
    folder.tracer(["test", "a_tests"]).expect(1);
    // A setup has no time limit.
    let wait = "wait_test_() -> {setup, fun() -> receive never -> ok end end, [fun() -> ok end]}.\n";
    write(&folder, "c_tests.erl", &format!("-module(c_tests).\n{header}{wait}"));
    folder
        .tracer(["test", "--virtual-time", "c_tests", "good_tests"])
        .expect(80)
        .says(&[
            "c_tests: deadlock",
            "waits in the receive at c_tests.erl:3",
            "c_tests ended early; next: replay why _traces/c_tests-",
        ]);
    folder
        .tracer(["test", "--keep-max", "1", "a_tests", "good_tests"])
        .expect(1);
    assert_eq!(traces(&folder).len(), 1);
}

#[test]
fn a_crash_that_ends_a_test_is_its_reason() {
    let folder = Folder::new("testing");
    let text = "-module(crash_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nlink_test() -> spawn_link(fun() -> error(oops) end), timer:sleep(100).\nafter_test() -> ok.\n";
    write(&folder, "crash_tests.erl", text);
    let json = folder
        .tracer(["test", "--format=json"])
        .expect(1)
        .says(&["1 cancelled"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one document");
    let tests = value["modules"][0]["tests"].as_array().expect("tests");
    assert_eq!((tests.len(), &tests[0]["name"]), (2, &"crash_tests:link_test".into()));
    // As under EUnit, it took the rest of its module with it.
    assert_eq!(
        (&tests[1]["name"], &tests[1]["status"]),
        (&"crash_tests:after_test".into(), &"not run".into())
    );
    assert!(
        tests[0]["reason"].as_str().expect("a text").starts_with("{exit,{oops,"),
        "{json:?}"
    );
    follow(&folder, &json);
}

#[test]
fn a_lost_trace_fails_no_test() {
    let folder = Folder::new("testing");
    write(&folder, "good_tests.erl", GOOD);
    folder.tracer(["test", "--max-trace-bytes", "1"]).expect(73).says(&[
        "the test passed",
        "the recording of good_tests stopped at its limit of 1 bytes",
    ]);
    write(&folder, "file", "");
    folder
        .tracer(["test", "--traces", "file/x"])
        .expect(73)
        .says(&["cannot make the folder file/x"]);
    folder.tracer(["test", "--keep=none", "--traces", "file/x"]).expect(0);
}

#[test]
fn an_interrupted_run_keeps_a_whole_trace_and_leaves_no_litter() {
    let folder = Folder::new("testing");
    let text = "-module(slow_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nslow_test_() -> {timeout, 600, fun() -> timer:sleep(500000) end}.\n";
    write(&folder, "slow_tests.erl", text);
    let child = BinaryRun::new("tracer", folder.path(), ["test"]).start();
    let begun = || traces(&folder).iter().any(|path| log_format::is_trace(path));
    steady::until("for a trace", || begun().then_some(()));
    steady::until_still(child.id());
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill can be run").success());
    let outcome = tests::wait(child);
    assert_eq!(outcome.code, 143, "{}", outcome.stderr);
    let all = traces(&folder);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(log_format::kept::is_named(&all[0]), "{all:?}");
    folder.replay(["info", "latest"]).expect(0);
}

#[test]
fn repeating_finds_how_often_a_test_fails() {
    let folder = Folder::new("testing");
    write(
        &folder,
        "race_tests.erl",
        "-module(race_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nrace_test() ->\n    Me = self(),\n    [spawn(fun() -> Me ! X end) || X <- [a, b]],\n    ?assertEqual(a, receive X -> X end).\nsteady_test() -> ok.\n",
    );
    let outcome = folder.tracer(["test", "--runs", "40", "--seed", "1"]).expect(1);
    let out = outcome.out();
    assert!(out.starts_with("race_tests:race_test: failed in "), "{out}");
    assert!(
        out.contains("1 test never failed (95 % interval: up to 8.8 %)"),
        "{out}"
    );
    assert!(out.contains("× error {assertEqual,"), "{out}");
    outcome.says(&["1 of 2 tests failed at least once in 40 runs (seeds 1 to 40)"]);
    // The failures are all of one kind.
    assert_eq!(traces(&folder).len(), 1, "{out}");
    let why = out
        .lines()
        .find_map(|line| line.trim().strip_prefix("replay "))
        .expect("a command");
    folder.replay(why.split_whitespace()).expect(0);
    // The options that are named make the failure again.
    let again = out
        .split("(first in run ")
        .nth(1)
        .and_then(|rest| rest.split([',', ')']).nth(1))
        .expect("options");
    folder
        .tracer(std::iter::once("test").chain(again.split_whitespace()))
        .expect(1);
    // From the start, run R has the seed S+R-1.
    let from_start = ["test", "--runs", "40", "--seed", "1", "--from-start"];
    let whole = folder.tracer(from_start).expect(1).out();
    assert!(!whole.contains("from-test"), "{whole}");
    let seed = whole.split("--seed ").nth(1).and_then(|rest| rest.split(')').next());
    folder.tracer(["test", "--seed", seed.expect("a seed")]).expect(1);
    folder.tracer(["test", "--runs", "5", "-k", "steady"]).expect(0);
}

const SUITE: &str = r#"-module(shop_SUITE).
-include_lib("common_test/include/ct.hrl").
-compile([export_all, nowarn_export_all]).
suite() -> [{timetrap, {seconds, 2}}].
all() -> [good, bad, failed, skipped, {group, g}, slow, data, exits, init_fails, {group, seq}, thrown].
groups() -> [{g, [], [in_group, {group, inner}]}, {inner, [parallel], [one, two]}, {seq, [sequence], [bad, good]}].
init_per_suite(Config) -> [{suite_key, 1} | Config].
end_per_suite(_) -> ok.
init_per_group(g, Config) -> [{g_key, 2} | Config];
init_per_group(_, Config) -> Config.
end_per_group(_, _) -> ok.
init_per_testcase(init_fails, _) -> error(no_way);
init_per_testcase(_, Config) -> Config.
end_per_testcase(_, _) -> ok.
good(Config) -> 1 = ?config(suite_key, Config), ct:print("hello ~p", [world]), ct:comment("fine").
bad(_) -> io:format("in the log~n"), 1 = 1 + id(1).
failed(_) -> ct:fail("not ~p", [good]).
skipped(_) -> {skip, "not today"}.
in_group(Config) -> 2 = ?config(g_key, Config).
one(_) -> ok.
two(_) -> ct:fail(two).
slow(_) -> timer:sleep(60000).
data(Config) ->
    {ok, <<"x\n">>} = file:read_file(filename:join(?config(data_dir, Config), "x.txt")),
    ok = file:write_file(filename:join(?config(priv_dir, Config), "y"), "1").
exits(_) -> exit(self(), kill), timer:sleep(100).
init_fails(_) -> ok.
thrown(_) -> throw(ball).
id(X) -> X.
"#;

#[test]
fn a_hunt_names_the_node_as_a_test_run_does() {
    let folder = Folder::new("testing");
    let tests = "-module(alive_tests).\n-export([up_test/0]).\nup_test() -> {ok, _} = net_kernel:start([here, shortnames]), true = is_alive().\n";
    write(&folder, "test/alive_tests.erl", tests);
    folder.tracer(["test"]).expect(0);
    let hunt = folder.tracer(["hunt", "-k", "up_test", "--runs", "3"]).expect(0);
    assert!(
        hunt.stderr.contains("is to be alive, so it is here@"),
        "{}",
        hunt.stderr
    );
}

/// The process of a test case hands its answer over by its end, and what is linked to it ends with it, also if it traps exits, as a supervisor
/// does. That is no failure.
#[test]
fn who_ends_with_the_process_of_a_test_case_has_not_failed() {
    let folder = Folder::new("testing");
    let suite = "-module(linked_SUITE).\n-compile([export_all, nowarn_export_all]).\nall() -> [linked].\n\
                 linked(_) ->\n    spawn_link(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, Why} -> exit(Why) end end),\n    \
                 timer:sleep(1).\n";
    write(&folder, "test/linked_SUITE.erl", suite);
    folder.tracer(["test"]).expect(0);
    folder.tracer(["hunt", "-k", "linked_SUITE", "--runs", "20"]).expect(0);
}

/// The results are those of OTP 25's ct_run for this suite.
#[test]
fn a_suite_has_the_results_of_common_test() {
    let folder = Folder::new("testing");
    write(&folder, "test/shop_SUITE.erl", SUITE);
    write(&folder, "test/shop_SUITE_data/x.txt", "x\n");
    let outcome = folder.tracer(["test", "--virtual-time"]).expect(1);
    let out = outcome.out();
    for part in [
        "Testing shop_SUITE: Starting test, 14 test cases",
        "\nhello world\n",
        "shop_SUITE:bad failed on line 16\nReason: {badmatch,2}\n",
        "Testing shop_SUITE: *** FAILED test case 2 of 14 ***",
        "Reason: {test_case_failed,\"not good\"}",
        "Testing shop_SUITE: *** SKIPPED test case 4 of 14 ***",
        "Reason: {timetrap_timeout,2000}",
        "shop_SUITE:thrown failed on line",
        "Testing shop_SUITE: TEST COMPLETE, 4 ok, 7 failed, 3 skipped of 14 test cases",
    ] {
        assert!(out.contains(part), "{part}\nis missing in\n{out}");
    }
    // A test that was skipped because of another failure counts as cancelled.
    let outcome = outcome.says(&[
        "14 tests: 7 failed, 2 cancelled, 1 skipped, 4 passed",
        "next: replay why test:shop_SUITE:bad _traces/",
    ]);
    follow(&folder, &outcome);
    let json = folder
        .tracer(["test", "--virtual-time", "--format=json", "-q", "-k", "shop_SUITE:bad"])
        .expect(1);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("one document");
    let test = &value["modules"][0]["tests"][0];
    assert_eq!(
        (&test["name"], &test["output"]),
        (&"shop_SUITE:bad".into(), &"in the log\n".into())
    );
}

#[test]
fn groups_are_shuffled_and_repeated_as_by_common_test() {
    let folder = Folder::new("testing");
    let suites = tests::root().join("tests/suites");
    let read = |name: &str| std::fs::read_to_string(suites.join(name)).expect("a file of the tree");
    write(&folder, "order_SUITE.erl", &read("order_SUITE.erl"));
    let out = folder.tracer(["test"]).expect(1).out();
    let (_, order) = out.split_once("order:\n").expect("the suite prints the order");
    assert!(order.starts_with(&read("order_SUITE.out")), "{order}");
}

#[test]
fn small_things_of_suites_are_as_under_common_test() {
    let folder = Folder::new("testing");
    let suite =
        std::fs::read_to_string(tests::root().join("tests/suites/small_SUITE.erl")).expect("a file of the tree");
    write(&folder, "small_SUITE.erl", &suite);
    let outcome = folder.tracer(["test"]).expect(1);
    let out = outcome.out();
    assert!(out.contains("7 ok, 1 failed, 1 skipped of 9 test cases"), "{out}");
    write(
        &folder,
        "small_SUITE.erl",
        "-module(small_SUITE).\n-export([all/0]).\nall() -> {skip, \"no\"}.\n",
    );
    folder.tracer(["test"]).expect(0).says(&["1 test: 1 skipped"]);
}

#[test]
fn tests_on_other_nodes_are_refused_by_name() {
    let folder = Folder::new("testing");
    let header = "-module(node_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n";
    write(
        &folder,
        "node_tests.erl",
        &format!("{header}there_test_() -> {{node, there, [?_assert(true)]}}.\n"),
    );
    let out = folder.tracer(["test"]).expect(1).out();
    assert!(out.contains("{tests_on_other_nodes_are_not_supported,"), "{out}");
}

/// Recording problems fail no test, and neither does a log that cannot be written.
#[test]
fn a_full_standard_error_ends_nothing() {
    let folder = Folder::new("testing");
    write(&folder, "good_tests.erl", GOOD);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(_) = full() else {
        steady::skipped("there is no /dev/full");
        return;
    };
    for (words, code) in [
        (&["test"][..], 0),
        (&["test", "--runs", "2"], 0),
        (&["test", "nowhere"], 66),
    ] {
        let status = std::process::Command::new(tests::binary("tracer"))
            .args(words)
            .current_dir(folder.path())
            .stderr(full().expect("is there"))
            .status()
            .expect("can be run");
        assert_eq!(status.code(), Some(code), "{words:?}");
    }
}

#[test]
fn what_a_suite_asks_for_in_vain_is_refused_by_name() {
    let folder = Folder::new("testing");
    let suite = "-module(odd_SUITE).\n-export([all/0, groups/0, one/1]).\nall() -> [{group, g}].\ngroups() -> [{g, [{repeat, forever}], [one]}].\none(_) -> ok.\n";
    write(&folder, "odd_SUITE.erl", suite);
    folder.tracer(["test"]).expect(1).says(&["odd_SUITE:all was cancelled"]);
    let out = folder.tracer(["test"]).out();
    assert!(out.contains("{unsupported_property,g,{repeat,forever}}"), "{out}");
}

#[test]
fn eunit_of_otp_prints_the_same() {
    let folder = Folder::new("testing");
    write(&folder, "bank_tests.erl", BANK);
    if !steady::has_otp_25() {
        return;
    }
    let otp = std::process::Command::new("erl")
        .args([
            "-noshell",
            "-eval",
            "compile:file(bank_tests), eunit:test(bank_tests, [verbose]), halt().",
        ])
        .current_dir(folder.path())
        .output()
        .expect("erl runs");
    let ours = folder.tracer(["test", "-v"]).expect(1).out();
    // Times, and lines inside of the library, differ.
    let plain = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.contains("Warning: ") && !line.starts_with('%') && !line.is_empty());
        let cut = |line: &str| match line
            .split_once("_proc.erl, line")
            .or(line.split_once("_test.erl, line"))
        {
            Some((before, _)) => before.to_owned(),
            None => line.split("[done in").next().unwrap_or_default().trim_end().to_owned(),
        };
        // A test that took a millisecond says so: `...[0.001 s] ok`.
        let cut = |line: &str| {
            let line = cut(line);
            let timed = line
                .split_once("...[")
                .and_then(|(before, rest)| Some((before, rest.split_once(" s] ")?.1)));
            timed.map_or_else(|| line.clone(), |(before, after)| format!("{before}...{after}"))
        };
        lines.map(cut).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(plain(&ours), plain(&String::from_utf8_lossy(&otp.stdout)));
}

/// The lines are those that OTP's `cover` counts (captured by `cover:analyse(bank, calls, line)`), and the traces are as without counting.
#[test]
fn lines_that_the_tests_execute_are_counted() {
    let folder = Folder::new("covered");
    let bank = "-module(bank).\n-export([f/1, g/1, h/2, k/2]).\nf(X) when X > 0 ->\n    Y = X + 1,\n    {pos, Y};\nf(_) ->\n    neg.\n\
                g(L) -> [begin f(X) end || X <- L,\n                           X =/= 3].\nh(A, B) ->\n    try A / B\n    catch error:badarith -> inf\n    end.\n\
                k(A, B) ->\n    A > 1 andalso\n        B > 2.\n";
    folder.write("src/bank.erl", bank);
    folder.write("src/idle.erl", "-module(idle).\n-export([f/0]).\nf() ->\n    ok.\n");
    folder.write(
        "test/bank_tests.erl",
        "-module(bank_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         f_test() -> ?assertEqual({pos, 2}, bank:f(1)).\ng_test() -> [_, _] = bank:g([1, 2, 3]).\nk_test() -> false = bank:k(1, 1).\n",
    );
    let args = ["test", "--seed", "1", "--keep", "all"];
    let log = |folder: &Folder| {
        let all = traces(folder);
        assert_eq!(all.len(), 1);
        let path = all[0].display().to_string();
        let log = folder.replay(["log", &path]).expect(0).out();
        folder.replay(["verify", &path]).expect(0);
        std::fs::remove_file(&all[0]).expect("it is there");
        log
    };
    folder.tracer(args).expect(0);
    let plain = log(&folder);
    let outcome = folder.tracer(args.iter().chain(&["--cover", "-o", "r.json"])).expect(0);
    outcome.says(&[
        "src/bank.erl: 55.5 % (5 of 9 lines), not 7, 11-12, 16",
        "src/idle.erl: 0.0 % (0 of 1 lines), not 4",
        "50.0 % (5 of 10 lines) of 2 modules were executed",
    ]);
    assert_eq!(log(&folder), plain);
    let report = std::fs::read_to_string(folder.path().join("r.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let lines: Vec<&str> = report["covered"][0]["lines"]
        .as_object()
        .expect("lines")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(lines, ["11", "12", "15", "16", "4", "5", "7", "8", "9"]);
    assert_eq!(report["covered"][0]["lines"]["4"], 3);
}

/// `code:which/1` names an object file where a build would have made it. Nobody built it, and it can be read all the same.
#[test]
fn object_files_that_a_build_would_have_made_can_be_read() {
    let folder = Folder::new("unbuilt");
    folder.write("rebar.config", "{deps, []}.\n");
    folder.write("src/shop.app.src", "{application, shop, [{vsn, \"1\"}]}.\n");
    folder.write("src/shop.erl", "-module(shop).\n-export([f/0]).\nf() -> ok.\n");
    folder.write(
        "test/shop_tests.erl",
        "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
         read_test() ->\n    File = code:which(shop),\n    {ok, Bytes} = file:read_file(File),\n    {shop, Bytes, File} = code:get_object_code(shop),\n\
             <<\"FOR1\", _/binary>> = Bytes,\n\
             {ok, Opened} = file:open(File, [read, binary]),\n    {ok, <<\"FOR1\">>} = file:read(Opened, 4),\n    ok = file:close(Opened),\n\
             true = filelib:is_regular(File),\n    Size = filelib:file_size(File),\n    Size = byte_size(Bytes),\n\
             Ebin = filename:dirname(File),\n    true = filelib:is_dir(Ebin),\n    [\"shop.beam\"] = filelib:wildcard(\"*.beam\", Ebin),\n\
             true = code:add_path(Ebin),\n    {ok, _} = file:copy(File, \"copied.beam\"),\n    ok = file:delete(\"copied.beam\"),\n\
             {error, enoent} = file:read_file(filename:join(Ebin, \"other.beam\")),\n    {error, enoent} = file:delete(File).\n",
    );
    folder.tracer(["test", "--keep", "all"]).expect(0);
    folder
        .replay(["verify", &traces(&folder)[0].display().to_string()])
        .expect(0);
    assert!(!folder.path().join("_build").exists());
}
