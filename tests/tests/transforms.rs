//! Parse transforms: modules that change the forms of others when these are compiled. They run in the interpreter; what comes out is in the trace.

use tests::Folder;

/// How a program ends that does not compile.
const PROGRAM: i32 = 64;

/// Adds a number to every integer in the module that asks for it, and prints.
const ADD: &str = r#"-module(add).
-export([parse_transform/2]).
parse_transform(Forms, Options) ->
    io:format("adding in ~p with ~p~n", [[M || {attribute, _, module, M} <- Forms], Options]),
    [add(Form) || Form <- Forms].
add({function, L, Name, Arity, Clauses}) -> {function, L, Name, Arity, added(Clauses)};
add(Form) -> Form.
added({integer, L, N}) -> {integer, L, N + 10};
added(T) when is_tuple(T) -> list_to_tuple(added(tuple_to_list(T)));
added([H | T]) -> [added(H) | added(T)];
added(Other) -> Other.
"#;

/// Doubles what follows `double`, even in a pattern, and needs a transform itself.
const DOUBLE: &str = r#"-module(double).
-export([parse_transform/2]).
-compile({parse_transform, two}).
parse_transform(Forms, _) -> [form(Form) || Form <- Forms].
form({call, _, {atom, _, double}, [{integer, L, N}]}) -> {integer, L, N * factor()};
form(T) when is_tuple(T) -> list_to_tuple(form(tuple_to_list(T)));
form([H | T]) -> [form(H) | form(T)];
form(Other) -> Other.
factor() -> nothing.
"#;

const TWO: &str = r#"-module(two).
-export([parse_transform/2, parse_transform_info/0]).
parse_transform_info() -> #{error_location => line}.
parse_transform(Forms, _) ->
    [case Form of
         {function, L, factor, 0, _} when is_integer(L) -> {function, L, factor, 0, [{clause, L, [], [], [{integer, L, 2}]}]};
         _ -> Form
     end || Form <- Forms].
"#;

const MAIN: &str = r#"-module(main).
-include("ask.hrl").
-compile([{parse_transform, double}, {nowarn_unused_function, []}]).
-export([main/0, is/1]).
main() ->
    io:format("~p ~p ~p~n", [1, double(4), is(18)]),
    io:format("~p~n", [?LINE]),
    io:format("~p~n", [proplists:get_value(compile, ?MODULE:module_info(attributes), [])]),
    exit(far(0)).
far(N) -> {line, N}.
is(double(4)) -> yes;
is(_) -> no.
"#;

fn program(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("add.erl", ADD);
    folder.write("double.erl", DOUBLE);
    folder.write("two.erl", TWO);
    folder.write("ask.hrl", "-compile({parse_transform, add}).\n");
    folder.write("main.erl", MAIN);
    folder
}

/// The forms are in the trace: a replay needs neither transforms nor sources, and shows the places of the text.
#[test]
fn transforms_run_in_order_and_a_replay_runs_none() {
    let folder = program("transforms");
    let run = folder.tracer(["run", "-D", "level=3", "main.erl"]).expect(1);
    // First 10 is added, then 14 is doubled.
    assert_eq!(run.out(), "11 28 yes\n17\n[]\n");
    run.says(&["adding in [main] with [{d,level,3}]", "{line,10}"]);
    let elsewhere = Folder::new("transforms-elsewhere");
    std::fs::copy(folder.path().join("trace.bin"), elsewhere.path().join("trace.bin")).expect("can be copied");
    elsewhere.replay(["verify", "trace.bin"]).expect(0);
    let stood = elsewhere
        .replay(["run", "trace.bin", "--until", "line:main.erl:9"])
        .expect(0);
    assert!(stood.out().contains("exit(far(0))"), "{}", stood.out());
    let why = elsewhere.replay(["why", "trace.bin"]).expect(0);
    assert!(why.out().contains("main.erl:9"), "{}", why.out());
    let back = elsewhere.replay(["export", "trace.bin", "-o", "trace.json"]);
    back.expect(0);
    elsewhere.replay(["import", "trace.json", "-o", "again.bin"]).expect(0);
    elsewhere.replay(["verify", "again.bin"]).expect(0);
}

/// A changed program is transformed anew, also by a changed transform; an unchanged one is not.
#[test]
fn a_check_transforms_what_has_changed() {
    let folder = program("transforms-check");
    folder.tracer(["run", "--quiet", "main.erl"]).expect(1);
    let same = folder.replay(["check", "trace.bin"]);
    let text = same.out();
    assert!(text.contains("the program is unchanged"), "{text}");
    folder.write("main.erl", MAIN.replace("exit(far(0))", "far(double(1))"));
    folder.replay(["check", "trace.bin"]).expect(0);
    folder.write("main.erl", MAIN);
    folder.write("add.erl", ADD.replace("N + 10", "N + 0 * hd(N)"));
    folder
        .replay(["check", "trace.bin"])
        .says(&["error in parse transform 'add'"]);
}

/// What a transform says is told like what the compiler says.
#[test]
fn errors_and_warnings_of_transforms_have_their_places() {
    let folder = Folder::new("transforms-errors");
    let transform = |body: &str| {
        let text = format!(
            "-module(t).\n-export([parse_transform/2, format_error/1]).\nformat_error(What) -> [\"bad \", atom_to_list(What)].\nparse_transform(Forms, _) -> {body}.\n"
        );
        folder.write("t.erl", &text);
    };
    folder.write(
        "m.erl",
        "-module(m).\n-compile({parse_transform, t}).\n-export([main/0]).\nmain() ->\n    ok.\n",
    );
    let run = |words: &[&str]| folder.tracer(["run", "-W"].iter().chain(words).chain(&["m.erl"]));
    transform("{warning, Forms, [{\"m.erl\", [{{4, 1}, t, thing}]}]}");
    run(&[]).expect(0).says(&["warning: bad thing", "m.erl:4:1"]);
    transform("element(1, {{error, [{\"m.erl\", [{5, t, thing}]}], []}, Forms})");
    run(&[]).expect(PROGRAM).says(&["error: bad thing", "m.erl:5"]);
    transform("Forms ++ [{error, {{5, 5}, t, form}}]");
    run(&[]).expect(PROGRAM).says(&["error: bad form", "m.erl:5:5"]);
    transform("hd(length(Forms))");
    run(&[])
        .expect(PROGRAM)
        .says(&["error in parse transform 't'", "bad argument", "m.erl:2:28"]);
    transform("Forms ++ [{function, {9, 9}, f, 0, none}]");
    run(&[])
        .expect(PROGRAM)
        .says(&["illegal form", "m.erl:9:9", "the parse transform t returned"]);
    transform("element(2, {Forms, no_forms})");
    run(&[]).expect(PROGRAM).says(&["a list of forms", "no_forms"]);
    transform("exit(self(), kill), Forms");
    run(&[]).expect(PROGRAM).says(&["t gave no forms", "killed"]);
    transform("halt(length(Forms))");
    run(&[]).expect(PROGRAM).says(&["it halted with status"]);
    transform("receive Forms -> ok end");
    run(&[]).expect(PROGRAM).says(&["it waits for ever"]);
    transform("{ok, \"1\"} = {file:write_file(\"made.txt\", \"1\"), element(2, file:read_file(\"made.txt\"))}, Forms");
    run(&[]).expect(PROGRAM).says(&[
        "made.txt",
        "the file is not changed",
        "no match of right hand side value {ok,<<\"1\">>}",
    ]);
    assert!(!folder.path().join("made.txt").exists());
    transform("Forms, os:cmd(\"touch made.txt\"), Forms");
    run(&[]).expect(0);
    assert!(!folder.path().join("made.txt").exists());
    transform("Forms ++ Gone");
    run(&[]).expect(PROGRAM).says(&[
        "the parse transform t does not compile",
        "variable 'Gone' is unbound",
        "t.erl:4:39",
    ]);
    folder.write("t.erl", "-module(t).\n");
    run(&[])
        .expect(PROGRAM)
        .says(&["undefined parse transform 't'", "m.erl:2:28"]);
    std::fs::remove_file(folder.path().join("t.erl")).expect("is there");
    run(&[]).expect(PROGRAM).says(&["undefined parse transform 't'"]);
}

#[test]
fn transforms_that_need_each_other_are_a_circle() {
    let folder = Folder::new("transforms-circle");
    folder.write(
        "a.erl",
        "-module(a).\n-compile({parse_transform, b}).\n-export([parse_transform/2]).\nparse_transform(F, _) -> F.\n",
    );
    folder.write(
        "b.erl",
        "-module(b).\n-compile({parse_transform, a}).\n-export([parse_transform/2]).\nparse_transform(F, _) -> F.\n",
    );
    folder.write(
        "m.erl",
        "-module(m).\n-compile({parse_transform, a}).\n-export([main/0]).\nmain() -> ok.\n",
    );
    folder
        .tracer(["run", "m.erl"])
        .expect(PROGRAM)
        .says(&["parse transforms in a circle: a.erl needs b, b.erl needs a, a.erl needs b"]);
}

/// A module that is loaded again is transformed again, and a replay has its forms.
#[test]
fn a_module_that_is_loaded_again_is_transformed_again() {
    let folder = program("transforms-reload");
    folder.write(
        "srv.erl",
        "-module(srv).\n-include(\"ask.hrl\").\n-export([f/0]).\nf() -> 1.\n",
    );
    folder.write(
        "load.erl",
        r#"-module(load).
-export([main/0]).
main() ->
    io:format("~p~n", [srv:f()]),
    ok = file:write_file("srv.erl", "-module(srv).\n-include(\"ask.hrl\").\n-export([f/0]).\nf() -> 2.\n"),
    {module, srv} = code:load_file(srv),
    io:format("~p~n", [srv:f()]).
"#,
    );
    let run = folder.tracer(["run", "--quiet", "load.erl"]).expect(0);
    assert_eq!(run.out(), "11\n12\n");
    for gone in ["add.erl", "srv.erl"] {
        std::fs::remove_file(folder.path().join(gone)).expect("is there");
    }
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// The options of a project: a transform for all modules, from a dependency, with an option of its own.
#[test]
fn a_project_asks_for_a_transform_of_a_dependency() {
    let folder = Folder::new("transforms-project");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    };
    write(
        "rebar.config",
        "{deps, [adder]}.\n{erl_opts, [debug_info, {parse_transform, add}, {add_by, [\"a b\", 1]}]}.\n",
    );
    write(
        "src/shop.app.src",
        "{application, shop, [{vsn, \"1\"}, {modules, []}]}.\n",
    );
    write("src/shop.erl", "-module(shop).\n-export([f/0]).\nf() -> 1.\n");
    write(
        "test/shop_tests.erl",
        "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nf_test() -> 11 = shop:f() + 0 - 10.\ng_test() -> ?assertEqual(11, 21 - 10).\n",
    );
    write(
        "_build/default/lib/adder/src/adder.app.src",
        "{application, adder, [{vsn, \"1\"}]}.\n",
    );
    write("_build/default/lib/adder/src/add.erl", ADD);
    let outcome = folder.tracer(["test", "--keep", "all", "--seed", "1"]).expect(1);
    outcome.says(&["shop_tests:f_test"]).says(&["{add_by,[\"a b\",1]}"]);
    std::fs::remove_dir_all(folder.path().join("_build")).expect("is there");
    folder.replay(["verify", "latest"]).expect(0);
}
