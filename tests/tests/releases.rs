//! A run has a release of OTP: what says it, and what follows from it.

use syntax::Release;
use tests::{BinaryRun, Folder};

const PROGRAM: &str = "-module(p).\n-export([main/0]).\n-if(?OTP_RELEASE >= 27).\nword() -> newer.\n-else.\nword() -> older.\n-endif.\n\
    main() -> io:format(\"~p ~s ~p~n\", [?OTP_RELEASE, erlang:system_info(otp_release), word()]).\n";

#[test]
fn a_run_is_of_the_release_that_is_asked_for() {
    let folder = Folder::new("releases");
    folder.write("p.erl", PROGRAM);
    for (release, word) in [("25", "older"), ("26", "older"), ("27", "newer"), ("28", "newer")] {
        let outcome = folder.tracer(["run", "--otp", release, "p.erl"]).expect(0);
        assert_eq!(outcome.out(), format!("{release} {release} {word}\n"));
        let info = folder.replay(["info", "trace.bin"]).expect(0);
        let expected = format!("OTP {release}");
        let shown = info
            .out()
            .lines()
            .any(|line| line.split_whitespace().eq(["release", "OTP", release]));
        assert!(shown, "{expected}\n{}", info.out());
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
    for wrong in ["24", "29", "28.5", "x"] {
        let refused = folder.tracer(["run", "--otp", wrong, "p.erl"]).expect(2);
        assert!(
            refused.stderr.contains("expected one of 25 to 28"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn without_an_installed_otp_it_is_the_newest_and_else_that_of_the_installed_one() {
    let folder = Folder::new("default_release");
    folder.write("p.erl", PROGRAM);
    let run = || BinaryRun::new("tracer", folder.path(), ["run", "--no-trace", "p.erl"]).env("TRACER_RELEASE", "");
    assert_eq!(run().run().expect(0).out(), "28 28 newer\n");
    for (release, expected) in [
        ("26", "26 26 older\n"),
        ("19", "25 25 older\n"),
        ("33", "28 28 newer\n"),
    ] {
        folder.write("otp/releases/start_erl.data", format!("14.1 {release}\n"));
        folder.write("otp/lib/README", "");
        let found = run().env("TRACER_OTP", "otp").run().expect(0);
        assert_eq!(found.out(), expected);
    }
}

#[test]
fn a_project_can_ask_for_a_release() {
    let folder = Folder::new("minimum_release");
    folder.write("src/p.app.src", "{application, p, [{vsn, \"1\"}]}.\n");
    folder.write("src/p.erl", "-module(p).\n");
    let test = "-module(p_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nrelease_test() -> ?assertEqual(\"27\", erlang:system_info(otp_release)).\n";
    folder.write("test/p_tests.erl", test);
    for minimum in ["27", "27.1.2"] {
        folder.write("rebar.config", format!("{{minimum_otp_vsn, \"{minimum}\"}}.\n"));
        folder.tracer(["test"]).expect(0);
    }
    // A lower one does not matter.
    folder.write("rebar.config", "{minimum_otp_vsn, \"24\"}.\n");
    folder.tracer(["test"]).expect(1);
    folder.tracer(["test", "--otp", "27"]).expect(0);
    folder.write("rebar.config", "{minimum_otp_vsn, \"31\"}.\n");
    let told = folder.tracer(["test"]).expect(1).stderr;
    let note = "rebar.config asks for OTP 31 or newer; the newest that is known here is 28";
    assert!(told.contains(note), "{told}");
    for (text, is_told) in [("26+", false), (" 27", false), ("x", true), ("", true)] {
        folder.write("rebar.config", format!("{{minimum_otp_vsn, \"{text}\"}}.\n"));
        let told = folder.tracer(["test"]).stderr;
        assert_eq!(
            told.contains("minimum_otp_vsn is not applied"),
            is_told,
            "{text}: {told}"
        );
    }
}

#[test]
fn a_release_of_the_environment_that_is_none_is_told() {
    let folder = Folder::new("odd_release");
    folder.write("p.erl", PROGRAM);
    for text in ["24", "29", "28.5", "x"] {
        let run = BinaryRun::new("tracer", folder.path(), ["run", "--no-trace", "p.erl"]).env("TRACER_RELEASE", text);
        let told = run.run().expect(0).stderr;
        assert_eq!(told.matches("TRACER_RELEASE is ignored").count(), 1, "{told}");
    }
}

#[test]
fn newer_syntax_is_refused_where_the_release_was_asked_for() {
    let folder = Folder::new("newer_syntax");
    let cases = [
        ("#{K => 1 || K <- [1]}", "map comprehensions came with OTP 26"),
        ("maybe ok ?= ok end", "maybe without a feature came with OTP 27"),
        ("~\"a\"", "sigils came with OTP 27"),
        ("16#f.8", "floats with a base came with OTP 28"),
        ("\"\"\"\n    a\n    \"\"\"", "triple-quoted strings came with OTP 27"),
    ];
    for (expression, why) in cases {
        folder.write(
            "n.erl",
            format!("-module(n).\n-export([main/0]).\nmain() -> {expression}.\n"),
        );
        let refused = folder.tracer(["run", "--no-trace", "--otp", "25", "n.erl"]).expect(64);
        let place = "n.erl:3:11";
        assert!(
            refused.stderr.contains(why) && refused.stderr.contains(place),
            "{}",
            refused.stderr
        );
        folder.tracer(["run", "--no-trace", "n.erl"]).expect(0);
        folder.tracer(["run", "--no-trace", "--otp", "28", "n.erl"]).expect(0);
    }
    let parts = [
        ("[X || X <- [1] && _ <- [2]]", "zip generators came with OTP 28", 19),
        ("[X || X <:- [1]]", "strict generators came with OTP 28", 19),
        ("[X || <<X>> <:= <<1>>]", "strict generators came with OTP 28", 23),
    ];
    for (expression, why, column) in parts {
        folder.write(
            "n.erl",
            format!("-module(n).\n-export([main/0]).\nmain() -> {expression}.\n"),
        );
        let refused = folder.tracer(["run", "--no-trace", "--otp", "27", "n.erl"]).expect(64);
        let place = format!("n.erl:3:{column}");
        let is_told = refused.stderr.contains(why) && refused.stderr.contains(&place);
        assert!(is_told, "{}", refused.stderr);
        folder.tracer(["run", "--no-trace", "n.erl"]).expect(0);
    }
    // What is not compiled does not matter.
    let guarded = "-module(n).\n-export([main/0]).\n-if(?OTP_RELEASE >= 27).\nmain() -> ~\"a\".\n-else.\nmain() -> ok.\n-endif.\n";
    folder.write("n.erl", guarded);
    folder.tracer(["run", "--no-trace", "--otp", "25", "n.erl"]).expect(0);
}

/// What is a keyword, an error or a warning in one release is none in another.
#[test]
fn a_release_has_its_own_rules() {
    let folder = Folder::new("rules_of_releases");
    let run = |source: &str, release: &str| {
        folder.write("r.erl", format!("-module(r).\n-export([main/0]).\n{source}"));
        folder.tracer(["run", "--no-trace", "--otp", release, "r.erl"])
    };
    for (source, older, newer) in [
        ("main() -> maybe(else).\nmaybe(X) -> X.\n", 0, 64),
        ("main() -> [X || X <- [1a]].\n", 64, 64),
        ("main() -> <<_:16>> = <<_, _>> = <<1, 2>>.\n", 64, 0),
        (
            "-type binary() :: a.\n-export_type([binary/0]).\nmain() -> ok.\n",
            64,
            0,
        ),
        ("main() -> f(<<1, 2>>).\nf(<<A, _>> = <<B:16>>) -> {A, B}.\n", 64, 0),
        ("-doc \"a\".\n-doc \"b\".\nmain() -> ok.\n", 0, 64),
        ("main() -> \"a\"\"b\".\n", 0, 64),
    ] {
        run(source, "25").expect(older);
        run(source, "28").expect(newer);
    }
    let printed = "-doc \"a\".\nmain() -> io:format(\"~p ~w~n\", ['maybe', 'else']), io:format(\"~p~n\", [proplists:is_defined(doc, module_info(attributes))]).\n";
    assert_eq!(run(printed, "26").expect(0).out(), "maybe else\ntrue\n");
    assert_eq!(run(printed, "27").expect(0).out(), "'maybe' 'else'\nfalse\n");
}

#[test]
fn what_a_transform_made_is_of_the_release_too() {
    let folder = Folder::new("transformed_release");
    folder.write(
        "same.erl",
        "-module(same).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> Forms.\n",
    );
    let text = "-module(p).\n-compile({parse_transform, same}).\n-moduledoc \"of p\".\n-export([main/0]).\n-export_type([nonempty_binary/0]).\n\
        -type nonempty_binary() :: binary().\n-doc \"starts\".\n\
        main() -> io:format(\"~p~n\", [[K || {K, _} <- module_info(attributes), K =/= vsn]]), [X || X <:- [1]].\n";
    folder.write("p.erl", text);
    assert_eq!(folder.tracer(["run", "--otp", "28", "p.erl"]).expect(0).out(), "[]\n");
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// Two deposits read the balance of a server before either sets it.
const DEPOSITS: &str = "-module(bank).\n-behaviour(gen_server).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n\
    main() ->\n  {ok, _} = gen_server:start_link({local, bank}, ?MODULE, 100, []),\n  Main = self(),\n  \
    Deposit = fun(N) -> Before = gen_server:call(bank, balance), gen_server:cast(bank, {set, Before + N}), Main ! done end,\n  \
    [spawn(fun() -> Deposit(N) end) || N <- [10, 20]],\n  [receive done -> ok end || _ <- [10, 20]],\n  \
    130 = gen_server:call(bank, balance).\n\
    init(N) -> {ok, N}.\nhandle_call(balance, _, N) -> {reply, N, N}.\nhandle_cast({set, N}, _) -> {noreply, N}.\n";

/// The loop of a `gen_server` has another arity from 28 on.
#[test]
fn a_lost_update_of_a_server_is_told_in_each_release() {
    let folder = Folder::new("server-of-release");
    folder.write("bank.erl", DEPOSITS);
    for release in Release::ALL {
        let failed = (1..100).any(|seed| {
            let (seed, release) = (seed.to_string(), release.to_string());
            let run = folder.tracer(["run", "-q", "--otp", &release, "--seed", &seed, "-o", "t", "bank.erl"]);
            run.code == 1
        });
        assert!(failed, "a race in {release}");
        let why = folder.replay(["why", "t"]).expect(0).out();
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_told = why.contains("to State [") && why.contains("computed from the 100 that it had read");
        assert!(is_told, "{release}: {why}");
    }
}
