//! `replay check` in projects: it checks the project as it is now, as `tracer test` finds it.

use tests::{CommandOutcome, Folder};

/// No verdict.
const UNDECIDED: i32 = 125;
/// An error of the tool or of its user.
const FAILED: i32 = 128;

const RACY: &str = "-module(till).\n-export([put_in/1]).\n\
    put_in(Tab) -> [{sum, N}] = ets:lookup(Tab, sum), erlang:yield(), ets:insert(Tab, {sum, N + 1}).\n";
const MENDED: &str = "-module(till).\n-export([put_in/1]).\nput_in(Tab) -> ets:update_counter(Tab, sum, 1).\n";
const TESTS: &str = "-module(till_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
    both_test() ->\n    Tab = ets:new(t, [public]),\n    ets:insert(Tab, {sum, 0}),\n    Me = self(),\n    \
    [spawn_link(fun() -> till:put_in(Tab), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    \
    ?assertEqual(2, ets:lookup_element(Tab, sum, 2)).\n";

/// A project with these files, and the trace of a failing run of its tests in `_traces`.
fn recorded(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new("checked");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
    let fails = |seed: &u32| folder.tracer(["test", "-q", "--seed", &seed.to_string()]).code == 1;
    assert!((1..100).any(|seed| fails(&seed)), "it never fails");
    folder
}

fn with_race() -> Folder {
    recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.erl", RACY),
        ("test/till_tests.erl", TESTS),
    ])
}

/// Checks the trace that there is.
fn check(folder: &Folder, words: &[&str]) -> CommandOutcome {
    let traces = std::fs::read_dir(folder.path().join("_traces")).expect("there are traces");
    let trace = traces
        .map(|entry| entry.expect("an entry").path())
        .next()
        .expect("a trace");
    let trace = trace.strip_prefix(folder.path()).expect("inside").display().to_string();
    folder.replay(["check"].iter().chain(words).copied().chain([trace.as_str()]))
}

fn put(folder: &Folder, path: &str, text: &str) {
    let path = folder.path().join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
    std::fs::write(path, text).expect("can be written");
}

fn take(folder: &Folder, path: &str) {
    std::fs::remove_file(folder.path().join(path)).expect("it is there");
}

/// A run of tests is over when the tests are, also where a process that they have started goes on for ever.
#[test]
fn a_process_that_outlives_the_tests_does_not_count() {
    let with_beat = TESTS.replace(
        "    Me = self(),\n",
        "    Me = self(),\n    spawn(fun Beat() -> timer:sleep(1000), Beat() end),\n",
    );
    assert_ne!(with_beat, TESTS);
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.erl", RACY),
        ("test/till_tests.erl", &with_beat),
    ]);
    check(&folder, &[]).expect(1).prints(&["still fails"]);
    put(&folder, "src/till.erl", MENDED);
    check(&folder, &[]).expect(0).prints(&["fixed"]);
}

#[test]
fn modules_that_moved_and_new_ones_are_found() {
    let folder = with_race();
    check(&folder, &[]).expect(1).prints(&["the program is unchanged"]);
    // Moved, and the same.
    take(&folder, "src/till.erl");
    put(&folder, "src/deep/till.erl", RACY);
    check(&folder, &[])
        .expect(1)
        .prints(&["still fails", "changed: src/deep/till.erl; the code is the same"]);
    // The tests, too, to where the configuration says that they are.
    take(&folder, "test/till_tests.erl");
    put(&folder, "test/eunit/till_tests.erl", TESTS);
    put(
        &folder,
        "rebar.config",
        "{erl_opts, [debug_info]}.\n{eunit_tests, [{dir, \"test/eunit\"}]}.\n",
    );
    check(&folder, &[]).expect(1).prints(&["still fails"]);
    // The mend is in a module that the recorded run has not had.
    put(
        &folder,
        "src/deep/till.erl",
        "-module(till).\n-export([put_in/1]).\nput_in(Tab) -> counted:up(Tab, sum).\n",
    );
    put(
        &folder,
        "src/counted.erl",
        "-module(counted).\n-export([up/2]).\nup(Tab, Key) -> ets:update_counter(Tab, Key, 1).\n",
    );
    check(&folder, &[]).expect(0).prints(&["fixed"]);
    put(
        &folder,
        "src/counted.erl",
        "-module(counted).\n-export([up/2]).\nup(Tab, Key) -> .\n",
    );
    check(&folder, &[]).expect(UNDECIDED).says(&["src/counted.erl:3"]);
    // A module that there is no more is not taken from the trace.
    take(&folder, "src/deep/till.erl");
    check(&folder, &[])
        .expect(UNDECIDED)
        .prints(&["incomplete", "modules that the project no longer has: till"]);
    // A file that is named comes besides.
    put(&folder, "elsewhere/till.erl", MENDED);
    check(&folder, &["--program", "elsewhere/till.erl"])
        .expect(0)
        .prints(&["fixed"]);
}

/// Lines above a test that a generator has made are added: it is found again, also where it alone is run.
#[test]
fn a_test_that_is_named_by_its_line_is_found_where_it_is_now() {
    let plain = TESTS.replace(
        "both_test() ->\n    Tab",
        "both_test_() ->\n    [?_assert(true),\n     ?_test(both())].\nboth() ->\n    Tab",
    );
    assert_ne!(plain, TESTS);
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.erl", RACY),
        ("test/till_tests.erl", &plain),
    ]);
    let moved = plain.replace("both_test_() ->", "%% All of\n%% them.\nboth_test_() ->");
    put(
        &folder,
        "test/till_tests.erl",
        &moved.replace("    Me = self()", "    Me = self(),\n    true = is_pid(Me)"),
    );
    check(&folder, &[]).expect(1).prints(&["still fails", "both_test_:5"]);
    put(&folder, "src/till.erl", MENDED);
    check(&folder, &[]).expect(0).prints(&["fixed"]);
}

#[test]
fn what_is_not_tried_in_time_is_told() {
    let folder = with_race();
    put(&folder, "src/till.erl", MENDED);
    check(&folder, &["--time", "1ms"]).expect(UNDECIDED).prints(&[
        "incomplete",
        "the time of --time is up",
        "not tried",
    ]);
}

#[test]
fn headers_and_configuration_are_those_of_now() {
    let racy = "-module(till).\n-export([put_in/1]).\n-include(\"till.hrl\").\n\
        put_in(Tab) -> [{sum, N}] = ets:lookup(Tab, sum), ?BETWEEN, ets:insert(Tab, {sum, N + 1}).\n";
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("include/till.hrl", "-define(BETWEEN, erlang:yield()).\n"),
        ("src/till.erl", racy),
        ("test/till_tests.erl", TESTS),
    ]);
    put(
        &folder,
        "include/till.hrl",
        "-define(BETWEEN, begin erlang:yield(), ok end).\n",
    );
    check(&folder, &[])
        .expect(1)
        .prints(&["still fails", "include/till.hrl"]);
    let mended = "-ifdef(COUNTED).\n-define(BETWEEN, ets:update_counter(Tab, sum, 0)).\n-else.\n-define(BETWEEN, erlang:yield()).\n-endif.\n";
    put(&folder, "include/till.hrl", mended);
    let by_macro = "-module(till).\n-export([put_in/1]).\n-ifdef(COUNTED).\nput_in(Tab) -> ets:update_counter(Tab, sum, 1).\n-else.\n\
        put_in(Tab) -> [{sum, N}] = ets:lookup(Tab, sum), erlang:yield(), ets:insert(Tab, {sum, N + 1}).\n-endif.\n";
    put(&folder, "src/till.erl", by_macro);
    check(&folder, &[]).expect(1).prints(&["still fails"]);
    put(&folder, "rebar.config", "{erl_opts, [debug_info, {d, 'COUNTED'}]}.\n");
    check(&folder, &[]).expect(0).prints(&["fixed"]);
}

const WITH_APPLICATION: &str = "-module(till_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
    late_test() ->\n    ok = application:start(till),\n    Tab = ets:new(t, [public]),\n    ets:insert(Tab, {sum, 0}),\n    \
    Me = self(),\n    [spawn_link(fun() -> till:put_in(Tab), Me ! done end) || _ <- [1, 2]],\n    \
    [receive done -> ok end || _ <- [1, 2]],\n    application:stop(till),\n    \
    ?assertEqual({ok, 2}, {element(1, application:get_env(till, open)), ets:lookup_element(Tab, sum, 2)}).\n";

fn described(env: &str) -> String {
    format!(
        "{{application, till, [{{vsn, \"1\"}}, {{registered, []}}, {{applications, [kernel, stdlib]}}, {{env, [{env}]}}]}}.\n"
    )
}

#[test]
fn what_the_program_reads_is_there_in_every_run() {
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.app.src", &described("{open, true}")),
        ("src/till.erl", RACY),
        ("test/till_tests.erl", WITH_APPLICATION),
    ]);
    put(&folder, "src/till.erl", MENDED);
    let fixed = check(&folder, &[]).expect(0).out();
    assert!(fixed.starts_with("fixed"), "{fixed}");
    put(&folder, "src/till.erl", &RACY.replace("N + 1", "1 + N"));
    check(&folder, &[]).expect(1).prints(&["still fails"]);
}

#[test]
fn a_description_of_an_application_is_that_of_now() {
    let tests = "-module(till_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
        open_test() -> application:load(till), ?assertEqual({ok, true}, application:get_env(till, open)).\n";
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.app.src", &described("{open, false}")),
        ("src/till.erl", MENDED),
        ("test/till_tests.erl", tests),
    ]);
    check(&folder, &[]).expect(1).prints(&["the program is unchanged"]);
    put(&folder, "src/till.app.src", &described("{open, true}"));
    check(&folder, &[]).expect(0).prints(&["fixed", "till.app.src"]);
    put(&folder, "src/till.app.src", &described("{open, maybe}"));
    check(&folder, &[]).expect(1).prints(&["still fails", "till.app.src"]);
}

#[test]
fn a_project_in_another_folder_is_checked_there() {
    let folder = with_race();
    let other = Folder::new("checked-elsewhere");
    put(&other, "rebar.config", "{erl_opts, [debug_info]}.\n");
    put(&other, "src/till.erl", MENDED);
    put(&other, "test/till_tests.erl", TESTS);
    std::fs::create_dir_all(other.path().join("_traces")).expect("can be made");
    for entry in std::fs::read_dir(folder.path().join("_traces")).expect("there are traces") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), other.path().join("_traces").join(entry.file_name())).expect("can be copied");
    }
    check(&other, &[]).expect(0).prints(&["fixed"]);
}

#[test]
fn a_trace_opens_no_file_elsewhere() {
    let folder = Folder::new("checked-hostile");
    folder.write(
        "crash.erl",
        "-module(crash).\n-export([main/0]).\nmain() -> error(boom).\n",
    );
    folder.tracer(["run", "-q", "-o", "t.bin", "crash.erl"]).expect(1);
    take(&folder, "crash.erl");
    std::fs::create_dir(folder.path().join("crash.erl")).expect("can be made");
    folder
        .replay(["check", "t.bin"])
        .expect(FAILED)
        .says(&["it is a folder"]);
    std::fs::remove_dir(folder.path().join("crash.erl")).expect("it is there");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("crash.erl")).expect("can be made");
    folder
        .replay(["check", "t.bin"])
        .expect(FAILED)
        .says(&["it is no regular file"]);
}

#[test]
fn a_new_module_beside_a_plain_file_is_found() {
    let folder = Folder::new("checked-plain");
    folder.write(
        "crash.erl",
        "-module(crash).\n-export([main/0]).\nmain() -> error(boom).\n",
    );
    folder.tracer(["run", "-q", "-o", "t.bin", "crash.erl"]).expect(1);
    folder.write(
        "crash.erl",
        "-module(crash).\n-export([main/0]).\nmain() -> calm:down().\n",
    );
    folder.write("calm.erl", "-module(calm).\n-export([down/0]).\ndown() -> ok.\n");
    folder.replay(["check", "t.bin"]).expect(0).prints(&["fixed"]);
    folder
        .replay(["check", "--no-compile", "t.bin"])
        .expect(UNDECIDED)
        .prints(&["with --no-compile they are not looked for: calm"]);
}

#[test]
fn a_suite_is_checked_like_other_tests() {
    let suite = "-module(till_SUITE).\n-export([all/0, both/1]).\nall() -> [both].\nboth(Config) ->\n    \
        {ok, _} = file:read_file(filename:join(proplists:get_value(data_dir, Config), \"coins\")),\n    \
        Tab = ets:new(t, [public]),\n    ets:insert(Tab, {sum, 0}),\n    Me = self(),\n    \
        [spawn_link(fun() -> till:put_in(Tab), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    \
        2 = ets:lookup_element(Tab, sum, 2).\n";
    let folder = recorded(&[
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/till.erl", RACY),
        ("test/till_SUITE.erl", suite),
        ("test/till_SUITE_data/coins", "1"),
    ]);
    put(&folder, "src/till.erl", &RACY.replace("N + 1", "1 + N"));
    check(&folder, &[]).expect(1).prints(&["still fails"]);
    take(&folder, "src/till.erl");
    put(&folder, "src/deep/till.erl", MENDED);
    check(&folder, &[]).expect(0).prints(&["fixed"]);
}

const ADDS: &str = "-module(cell_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
    two_test() ->\n    Me = self(),\n    Tab = ets:new(t, [public]),\n    ets:insert(Tab, {n, 0}),\n    \
    [spawn_link(fun() -> add(Tab) =:= 2 andalso (Me ! two) end) || _ <- [1, 2]],\n    \
    receive two -> ok after 100 -> error(no_two) end.\n\
    add(Tab) -> [{_, N}] = ets:lookup(Tab, n), ets:insert(Tab, {n, N + 1}), N + 1.\n";

/// The recorded failure is that no message comes. A message that comes too late fails the test, too, but the test had this limit before the change.
#[test]
fn the_patience_of_a_test_is_no_delay_that_brings_a_failure_back() {
    let folder = Folder::new("patience");
    put(&folder, "cell_tests.erl", ADDS);
    folder
        .tracer(["hunt", "-q", "--max-stall", "0ms", "-k", "two_test"])
        .expect(1);
    let counts = "add(Tab) -> ets:update_counter(Tab, n, 1).\n";
    let (test, _) = ADDS.split_once("add(Tab) -> [").expect("the function");
    put(&folder, "cell_tests.erl", &format!("{test}{counts}"));
    check(&folder, &[]).expect(0).prints(&[
        "fixed\n",
        "the test waits at most 100 ms for a message: a longer delay fails it, with the change and without",
    ]);
    // A sleep that is shorter than the test's patience hides the race.
    let sleeps = test.replace("|| _ <- [1, 2]", "|| _ <- [1, 2], timer:sleep(20) =:= ok");
    let (_, races) = ADDS.split_once("receive two").expect("the receive");
    let (_, races) = races.split_once('\n').expect("the function");
    put(&folder, "cell_tests.erl", &format!("{sleeps}{races}"));
    check(&folder, &[]).expect(3).prints(&["fixed, but a delay of 20 ms"]);
}
