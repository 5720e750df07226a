//! What projects of other people stumbled over, each in a project of its own that shows it.

use tests::{CommandOutcome, Folder};

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

fn test_in(folder: &Folder, words: &[&str]) -> CommandOutcome {
    folder.tracer(["test", "--seed", "1"].iter().chain(words))
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
            (
                "src/twice.erl",
                "-module(twice).\n-export([level/0]).\nlevel() -> ?level.\n",
            ),
            (
                "test/twice_tests.erl",
                "-module(twice_tests).\n-export([level_test/0]).\nlevel_test() -> 3 = twice:level().\n",
            ),
        ],
    );
    let outcome = test_in(&folder, &[]).expect(0);
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
    let outcome = test_in(&folder, &[]).expect(0);
    assert!(outcome.stderr.contains("all 2 tests passed"), "{}", outcome.stderr);
}

const APP: (&str, &str) = (
    "src/shop.app.src",
    "{application, shop, [{applications, [kernel, stdlib]}]}.\n",
);

/// The script of a configuration runs in the interpreter, in the project's folder, and what it makes of the configuration is read.
#[test]
fn the_script_of_a_configuration_changes_it() {
    let script = "case lists:keytake(erl_opts, 1, CONFIG) of
    {value, {erl_opts, Opts}, Rest} ->
        {ok, [Level]} = file:consult(\"level.config\"),
        [{erl_opts, [{d, level, Level} | Opts]}, {seen, filename:basename(SCRIPT)} | Rest]
end.
";
    let test = "-module(shop_tests).\n-export([level_test/0]).\nlevel_test() -> {7, 1} = {?level, ?other}.\n";
    let files = [
        APP,
        ("rebar.config", "{erl_opts, [{d, other, 1}]}.\n"),
        ("rebar.config.script", script),
        ("level.config", "7.\n"),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("script", &files);
    let outcome = test_in(&folder, &[]).expect(0);
    assert!(outcome.stderr.contains("the test passed"), "{}", outcome.stderr);
    // From elsewhere, too.
    let above = folder.path().parent().expect("a folder above").to_owned();
    let words = ["test", &folder.path().display().to_string()].map(str::to_owned);
    tests::BinaryRun::new("tracer", &above, words).run().expect(0);
    folder.write("rebar.config.script", "error(no).");
    let outcome = test_in(&folder, &[]).expect(64);
    let told = "rebar.config.script is not applied: 1: evaluation failed with reason error:no";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
}

/// `overrides` change the configuration of what the project needs.
#[test]
fn overrides_are_applied_to_what_the_project_needs() {
    let config = "{overrides, [{add, dep, [{erl_opts, [{d, added, 1}]}]}, {del, dep, [{erl_opts, [{d, gone, 1}]}]}, {override, other, [{erl_opts, []}]}]}.\n";
    let dep = "-module(dep).\n-export([f/0]).\n-ifdef(gone).\nf() -> gone.\n-else.\nf() -> {?added, ?kept}.\n-endif.\n";
    let other = "-module(other).\n-export([f/0]).\n-ifdef(gone).\nf() -> gone.\n-else.\nf() -> plain.\n-endif.\n";
    let test = "-module(shop_tests).\n-export([f_test/0]).\nf_test() -> {{1, 2}, plain} = {dep:f(), other:f()}.\n";
    let files = [
        APP,
        ("rebar.config", config),
        (
            "_checkouts/dep/rebar.config",
            "{erl_opts, [{d, gone, 1}, {d, kept, 2}]}.\n",
        ),
        ("_checkouts/dep/src/dep.app.src", "{application, dep, []}.\n"),
        ("_checkouts/dep/src/dep.erl", dep),
        ("_build/prod/lib/other/rebar.config", "{erl_opts, [{d, gone, 1}]}.\n"),
        ("_build/prod/lib/other/src/other.app.src", "{application, other, []}.\n"),
        ("_build/prod/lib/other/src/other.erl", other),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("overrides", &files);
    test_in(&folder, &[]).expect(0);
}

/// A folder of suites that the configuration names is compiled as the project is.
#[test]
fn suites_elsewhere_are_compiled_with_the_options_of_the_project() {
    let suite = "-module(far_SUITE).\n-compile(nowarn_export_all).\nall() -> [a].\na(_) -> ok.\n";
    let files = [
        APP,
        (
            "rebar.config",
            "{ct_opts, [{dir, \"ct\"}]}.\n{profiles, [{test, [{erl_opts, [export_all]}]}]}.\n",
        ),
        ("ct/far_SUITE.erl", suite),
    ];
    let folder = project("far", &files);
    let outcome = test_in(&folder, &[]).expect(0);
    assert!(outcome.stderr.contains("the test passed"), "{}", outcome.stderr);
}

/// Tests that make their node alive: it has its name from the start, and can start others.
#[test]
fn tests_can_make_their_node_alive() {
    let test = "-module(alive_tests).
-include_lib(\"eunit/include/eunit.hrl\").
alive_test() ->
    {ok, Pid} = net_kernel:start([here, shortnames]),
    ?assert(is_pid(Pid)),
    ?assertMatch(\"here@\" ++ _, atom_to_list(node())),
    ?assertMatch({error, {already_started, _}}, net_kernel:start([here, shortnames])),
    {ok, Peer, Node} = peer:start(#{name => there}),
    ?assertEqual(pong, net_adm:ping(Node)),
    ?assertEqual(ok, peer:stop(Peer)),
    ?assertEqual(ok, net_kernel:stop()).
";
    let folder = project("alive", &[("test/alive_tests.erl", test)]);
    let outcome = folder.tracer(["test", "--keep", "all", "--seed", "1"]).expect(0);
    assert!(
        outcome
            .stderr
            .contains("alive_tests: its node is to be alive, so it is here@"),
        "{}",
        outcome.stderr
    );
    folder.replay(["verify", "latest"]).expect(0);
}

/// A module that needs a transform and shows no tests takes nothing else down.
#[test]
fn a_module_without_tests_that_cannot_be_compiled_is_a_note() {
    let properties =
        "-module(prop_shop).\n-compile({parse_transform, far_away}).\n-export([prop_a/0]).\nprop_a() -> true.\n";
    let test = "-module(shop_tests).\n-export([a_test/0]).\na_test() -> ok.\n";
    let mut files = vec![APP, ("test/shop_tests.erl", test), ("test/prop_shop.erl", properties)];
    let folder = project("unread", &files);
    let outcome = test_in(&folder, &[]).expect(0);
    let told = "prop_shop is not read: it needs the parse transform far_away, which is not there; no tests are seen in its text";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    // With tests, it is one that does not compile.
    let with_tests = properties.replace("prop_a", "a_test");
    files.pop();
    let folder = project("unread", &files);
    folder.write("test/prop_shop.erl", &with_tests);
    test_in(&folder, &[]).expect(64);
}

/// A project of erlang.mk: what it needs is in `deps`.
#[test]
fn a_project_of_erlang_mk_finds_what_it_needs_in_deps() {
    let makefile = "PROJECT = shop\nDEPS = till \\\n  lost\nTEST_ERLC_OPTS += -Dlevel=3\ninclude erlang.mk\n";
    let test = "-module(shop_tests).\n-include_lib(\"till/include/till.hrl\").\n-export([a_test/0]).\na_test() -> {?till, 3} = {till:f(), ?level}.\n";
    let files = [
        ("erlang.mk", "# made\n"),
        ("Makefile", makefile),
        ("src/shop.erl", "-module(shop).\n"),
        (
            "deps/till/src/till.erl",
            "-module(till).\n-export([f/0]).\nf() -> open.\n",
        ),
        ("deps/till/include/till.hrl", "-define(till, open).\n"),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("mk", &files);
    let outcome = test_in(&folder, &[]).expect(0);
    let told = "Makefile:2: lost is not in deps; `make test-deps` fetches it";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
}

/// Without OTP's generators, the module that is called says what to do.
#[test]
fn a_module_that_a_generator_makes_says_so_where_there_is_no_generator() {
    let test = "-module(shop_tests).\n-export([a_test/0]).\na_test() -> {ok, _, _} = words:string(\"a\").\n";
    let files = [
        APP,
        (
            "src/words.xrl",
            "Definitions.\nRules.\n[a-z]+ : {token, TokenChars}.\nErlang code.\n",
        ),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("made", &files);
    let outcome = test_in(&folder, &[]).expect(1);
    let told = "the module words is not made of src/words.xrl: the module leex of OTP's parsetools is not there";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
}

/// With an OTP whose sources are there, it is made in the interpreter, and the trace has it.
#[test]
fn a_module_that_a_generator_makes_travels_in_the_trace() {
    let otp = std::path::Path::new("/usr/lib/erlang");
    if !steady::has_otp_25() || !otp.join("lib/parsetools-2.4.1/src/leex.erl").is_file() {
        return;
    }
    let test = "-module(shop_tests).\n-export([a_test/0]).
a_test() ->
    {ok, Words, _} = words:string(\"one two\"),
    {ok, {pair, one, two}} = grammar:parse(Words ++ [{'$end', 1}]).
";
    let grammar = "Nonterminals pair.\nTerminals word.\nRootsymbol pair.\npair -> word word : {pair, name('$1'), name('$2')}.\nErlang code.\nname({word, _, Text}) -> list_to_atom(Text).\n";
    let files = [
        APP,
        (
            "src/words.xrl",
            "Definitions.\nRules.\n[a-z]+ : {token, {word, TokenLine, TokenChars}}.\n\\s+ : skip_token.\nErlang code.\n",
        ),
        ("src/grammar.yrl", grammar),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("made", &files);
    let words = ["test", "--keep", "all"];
    tests::BinaryRun::new("tracer", folder.path(), words)
        .env("TRACER_OTP", "/usr/lib/erlang")
        .run()
        .expect(0);
    assert!(!folder.path().join("src/words.erl").exists());
    folder.replay(["verify", "latest"]).expect(0);
}

/// What a folder without a configuration needs can be checked out beside it.
#[test]
fn a_folder_without_a_configuration_can_have_checkouts() {
    let test = "-module(shop_tests).\n-export([a_test/0]).\na_test() -> open = till:f().\n";
    let files = [
        ("src/shop.erl", "-module(shop).\n"),
        (
            "_checkouts/till/src/till.erl",
            "-module(till).\n-export([f/0]).\nf() -> open.\n",
        ),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("plain", &files);
    test_in(&folder, &[]).expect(0);
    test_in(&folder, &["test/shop_tests.erl"]).expect(0);
}

/// As under OTP: the run has the case, or the test, and not what it runs by `eunit:test`. A failure that it expects is none of the run.
#[test]
fn what_a_test_runs_by_eunit_is_part_of_the_test() {
    let folder = project(
        "inner",
        &[
            ("src/inner.app.src", "{application, inner, []}.\n"),
            ("src/inner.erl", "-module(inner).\n"),
            (
                "test/inner_SUITE.erl",
                "-module(inner_SUITE).\n-export([all/0, a/1]).\nall() -> [a].\na(_) -> ok = eunit:test({\"t\", fun() -> ok end}), error = eunit:test([{\"t\", fun() -> 1 = 2 end}, fun() -> exit(x) end], [no_tty]).\n",
            ),
            (
                "test/inner_tests.erl",
                "-module(inner_tests).\n-export([a_test/0]).\na_test() -> error = eunit:test([{setup, fun() -> 1 = 2 end, fun() -> ok end}, {timeout, 0.01, fun() -> receive never -> ok end end}]).\n",
            ),
        ],
    );
    let outcome = test_in(&folder, &[]).expect(0);
    assert!(outcome.stderr.contains("all 2 tests passed"), "{}", outcome.stderr);
}

/// A module of native code: as under OTP, it is not there, and the tests of the others run.
#[test]
fn a_module_of_native_code_does_not_stop_the_tests_of_others() {
    let native = "-module(fast).\n-export([f/1]).\n-on_load(init/0).\ninit() -> erlang:load_nif(\"priv/fast\", 0).\nf(_) -> erlang:nif_error(not_loaded).\n";
    let test = "-module(shop_tests).\n-export([a_test/0, b_test/0]).\na_test() -> {'EXIT', {undef, [{fast, f, [1], []} | _]}} = (catch fast:f(1)).\nb_test() -> {error, on_load_failure} = code:ensure_loaded(fast).\n";
    let folder = project(
        "native",
        &[APP, ("src/fast.erl", native), ("test/shop_tests.erl", test)],
    );
    let outcome = test_in(&folder, &[]).expect(0);
    assert!(outcome.stderr.contains("all 2 tests passed"), "{}", outcome.stderr);
}

/// A stub takes the place of a module, and is in the trace.
#[test]
fn a_stub_takes_the_place_of_a_module() {
    let native = "-module(fast).\n-export([f/1]).\n-on_load(init/0).\ninit() -> erlang:load_nif(\"priv/fast\", 0).\nf(_) -> erlang:nif_error(not_loaded).\n";
    let stub = "-module(fast).\n-export([f/1]).\nf(X) -> {stub, X}.\n";
    let test = "-module(shop_tests).\n-export([a_test/0]).\na_test() -> {stub, 1} = fast:f(1).\n";
    let files = [
        APP,
        ("src/fast.erl", native),
        ("stubs/fast.erl", stub),
        ("test/shop_tests.erl", test),
    ];
    let folder = project("stub", &files);
    test_in(&folder, &[]).expect(1);
    test_in(&folder, &["--stub", "fast=stubs/fast.erl", "--keep", "all"]).expect(0);
    std::fs::remove_dir_all(folder.path().join("stubs")).unwrap();
    folder.replay(["verify", "latest"]).expect(0);
    for (word, says) in [
        ("fast=none.erl", "there is no file none.erl"),
        ("lists=src/fast.erl", "one of the library"),
        ("fast", "expected MOD=FILE.erl"),
    ] {
        let outcome = test_in(&folder, &["--stub", word]).expect(2);
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
}
