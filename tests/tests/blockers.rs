//! What projects of other people stumbled over, each in a project of its own that shows it.

use tests::{Folder, Outcome};

/// A project: its configuration, if it has one, and its files.
fn project(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(name);
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
    folder
}

fn test(folder: &Folder) -> Outcome {
    folder.tracer(["test", "--seed", "1"])
}

/// It computes for longer than its limit, which is that of a faster machine. One that waits is still ended by it.
#[test]
fn a_test_that_still_computes_gets_more_time_than_one_that_waits() {
    let text = "-module(busy_tests).
-include_lib(\"eunit/include/eunit.hrl\").
busy_test_() -> {timeout, 0.2, fun() -> busy(erlang:monotonic_time(millisecond) + 300) end}.
idle_test_() -> {timeout, 0.2, fun() -> receive never -> ok end end}.
busy(End) -> case erlang:monotonic_time(millisecond) of Now when Now < End -> busy(End); _ -> ok end.
";
    let folder = project("busy", &[("test/busy_tests.erl", text)]);
    let outcome = folder.tracer(["test"]).expect(1);
    assert!(
        outcome.stderr.contains("2 tests: 1 cancelled, 1 passed"),
        "{}",
        outcome.stderr
    );
}
/// Each definition of a macro is read, and the same one twice is no error.
#[test]
fn a_macro_that_two_parts_of_the_configuration_define_alike_is_defined_once() {
    let folder = project(
        "twice",
        &[
            (
                "rebar.config",
                "{erl_opts, [{d, 'TEST'}, {d, level, 3}]}.\n{profiles, [{test, [{erl_opts, [{d, 'TEST'}, {d, level, 3}]}]}]}.\n",
            ),
            ("src/twice.app.src", "{application, twice, []}.\n"),
            ("src/twice.erl", "-module(twice).\n-export([level/0]).\nlevel() -> ?level.\n"),
            (
                "test/twice_tests.erl",
                "-module(twice_tests).\n-export([level_test/0]).\nlevel_test() -> 3 = twice:level().\n",
            ),
        ],
    );
    let outcome = test(&folder).expect(0);
    assert!(outcome.stderr.contains("the test passed"), "{}", outcome.stderr);
}

/// What a process of init_per_suite prints later, in the test cases, has somewhere to go.
#[test]
fn a_process_that_init_per_suite_started_can_print_in_the_test_cases() {
    let text = "-module(helper_SUITE).
-export([all/0, init_per_suite/1, end_per_suite/1, first/1, second/1]).
all() -> [first, second].
init_per_suite(Config) ->
    Suite = self(),
    register(helper, spawn(fun() -> Suite ! ready, helper() end)),
    receive ready -> Config end.
end_per_suite(_) -> ok.
helper() -> receive {From, Text} -> From ! {printed, io:format(\"~s~n\", [Text])}, helper() end.
first(_) -> ask().
second(_) -> ask().
ask() -> helper ! {self(), \"here\"}, receive {printed, ok} -> ok end.
";
    let folder = project("helper", &[("test/helper_SUITE.erl", text)]);
    let outcome = test(&folder).expect(0);
    assert!(outcome.stderr.contains("all 2 tests passed"), "{}", outcome.stderr);
}
