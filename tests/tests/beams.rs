//! Beam files that the tool makes, and those of other compilers as input. The programs of `tests/beams/` need the front end of an installed OTP; what they print was captured by
//! `tests/capture.sh tests/beams/*.erl`.

use std::path::Path;
use std::process::Command;

use tests::{BinaryRun, Folder, root};

const OTP: &str = "/usr/lib/erlang";

fn has_sources_of_otp_25() -> bool {
    steady::has_otp_25() && Path::new(OTP).join("lib/compiler-8.2.3/src/compile.erl").is_file()
}

#[test]
fn programs_with_the_compiler_print_what_otp_prints_and_replay() {
    if !has_sources_of_otp_25() {
        return;
    }
    let mut sources: Vec<_> = std::fs::read_dir(root().join("tests/beams"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "erl"))
        .collect();
    sources.sort();
    assert!(sources.len() > 4);
    for source in seeds::share(sources, 3) {
        let name = source.file_name().expect("a file").to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(source.with_extension("out")).expect("it was captured");
        let folder = Folder::new("beams");
        folder.write(&name, std::fs::read_to_string(&source).expect("a text"));
        let outcome = BinaryRun::new("tracer", folder.path(), ["run", "--quiet", "-o", "t", &name])
            .env("TRACER_OTP", OTP)
            .run()
            .expect(0);
        assert_eq!(outcome.out(), expected, "{name}");
        folder.replay(["verify", "t"]).expect(0);
    }
}

/// It reads what is in it, and refuses to run it with words that say why.
#[test]
fn the_tools_of_an_installed_otp_read_a_beam_file_of_ours() {
    if !has_sources_of_otp_25() {
        return;
    }
    let folder = Folder::new("own-beam");
    folder.write(
        "own.erl",
        "-module(own).\n-export([main/0]).\nmain() -> compile:file(\"small.erl\", [debug_info]).\n",
    );
    folder.write(
        "small.erl",
        "-module(small).\n-author(me).\n-export([f/1]).\nf(X) -> lists:reverse(g(X)).\ng(X) -> [X + 1].\n",
    );
    BinaryRun::new("tracer", folder.path(), ["run", "--quiet", "--no-trace", "own.erl"])
        .env("TRACER_OTP", OTP)
        .run()
        .expect(0);
    let script = r#"
        logger:set_primary_config(level, none),
        {ok, B} = file:read_file("small.beam"),
        {ok, {small, Chunks}} = beam_lib:chunks(B, [exports, locals, imports, attributes]),
        io:format("~p~n", [[{K, [V || V <- Vs, element(1, V) =/= vsn]} || {K, Vs} <- Chunks]]),
        {ok, {small, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(B, [abstract_code]),
        {ok, Same} = epp:parse_file("small.erl", [{location, {1, 1}}]),
        {ok, {small, S}} = beam_lib:strip(B),
        {ok, {small, M}} = beam_lib:md5(B),
        {beam_file, small, _, _, _, Code} = beam_disasm:file(B),
        io:format("~p~n", [[Forms =:= Same, beam_lib:md5(S) =:= {ok, {small, M}}, code:module_md5(B) =:= M, beam_lib:cmp(B, B), length(Code)]]),
        io:format("~p~n", [code:load_binary(small, "small.beam", B)]),
        halt().
    "#;
    let told = Command::new("erl")
        .args(["-noshell", "-eval", script])
        .current_dir(folder.path())
        .output()
        .expect("erl is installed");
    assert_eq!(
        String::from_utf8_lossy(&told.stdout),
        "[{exports,[{f,1},{module_info,0},{module_info,1}]},\n {locals,[{g,1}]},\n {imports,[{erlang,'+',2},\n           {erlang,get_module_info,1},\n           {erlang,get_module_info,2},\n           {lists,reverse,1}]},\n {attributes,[{author,[me]}]}]\n[true,true,true,ok,4]\n{error,badfile}\n"
    );
}

/// Forms of a module that was loaded from a source, in a beam file that the tool makes of it.
#[test]
fn a_module_from_a_source_has_object_code() {
    let folder = Folder::new("object-code");
    folder.write("header.hrl", "-define(GREETING, hello).\n");
    folder.write(
        "object.erl",
        r#"-module(object).
-export([main/0]).
-include("header.hrl").
main() ->
    [begin
         {M, Beam, File} = code:get_object_code(M),
         io:format("~p ~s ~p~n", [M, filename:basename(File), byte_size(code:module_md5(Beam))])
     end || M <- [object, lists]],
    io:format("~p ~p~n", [code:get_object_code(no_such_module), f()]).
f() -> ?GREETING.
"#,
    );
    let outcome = folder.tracer(["run", "--quiet", "object.erl", "-o", "t"]).expect(0);
    assert_eq!(
        outcome.out(),
        "object object.beam 16\nlists lists.beam 16\nerror hello\n"
    );
    folder.replay(["verify", "t"]).expect(0);
}

#[test]
fn a_beam_file_without_debug_information_is_refused_with_words() {
    let folder = Folder::new("no-debug-info");
    folder.write(
        "bare.erl",
        r#"-module(bare).
-export([main/0]).
main() ->
    {ok, m, Beam} = compile:forms([{attribute, 1, module, m}]),
    %% As OTP's own files are without debug information: no forms anywhere.
    <<"FOR1", _:32, "BEAM", Chunks/binary>> = Beam,
    Kept = kept(Chunks),
    Bare = <<"FOR1", (byte_size(Kept) + 4):32, "BEAM", Kept/binary>>,
    io:format("~p~n", [catch element(1, element(2, catch code:load_binary(m, "m.beam", Bare)))]).
kept(<<Id:4/binary, Size:32, Content:Size/binary, Rest/binary>>) ->
    Padding = (4 - Size rem 4) rem 4,
    <<_:Padding/binary, Others/binary>> = Rest,
    case lists:member(Id, [<<"Line">>, <<"Dbgi">>]) of
        true -> kept(Others);
        false -> <<Id/binary, Size:32, Content/binary, 0:(8 * Padding), (kept(Others))/binary>>
    end;
kept(<<>>) -> <<>>.
"#,
    );
    let outcome = folder.tracer(["run", "--quiet", "--no-trace", "bare.erl"]).expect(0);
    assert_eq!(outcome.out(), "undef\n");
    let words =
        "not supported: code:load_binary of the module m without its forms (compile it with the option debug_info)";
    assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
}

/// Misses before the path was changed are no actions, and those after it are: a replay tells them apart.
#[test]
fn what_appears_in_the_code_path_is_found_and_replays() {
    let folder = Folder::new("appears");
    folder.write(
        "appears.erl",
        r#"-module(appears).
-export([main/0]).
main() ->
    Me = self(),
    %% It misses, waits, and misses again, while the path is changed by another process.
    One = spawn(fun() -> try late:f() catch error:undef -> ok end, Me ! missed, receive go -> ok end, Me ! {found, late:f()} end),
    receive missed -> ok end,
    ok = file:make_dir("ebin"),
    {ok, late, Beam} = compile:forms([{attribute, 1, module, late}, {attribute, 1, export, [{f, 0}]}, {function, 1, f, 0, [{clause, 1, [], [], [{atom, 1, here}]}]}]),
    ok = file:write_file("ebin/late.beam", Beam),
    true = code:add_patha("ebin"),
    One ! go,
    Other = spawn(fun() -> try late:f() catch error:undef -> undef end, Me ! missed, receive go -> ok end, Me ! {found, late:f()} end),
    receive missed -> ok end,
    Other ! go,
    io:format("~p~n", [[receive {found, It} -> It end || _ <- [1, 2]]]),
    io:format("~p~n", [try nowhere:f() catch error:undef:Stack -> hd(Stack) end]),
    ok = file:del_dir_r("ebin").
"#,
    );
    for seed in 1..4 {
        let seed = seed.to_string();
        let args = [
            "run",
            "--quiet",
            "--schedule",
            "random",
            "--seed",
            &seed,
            "appears.erl",
            "-o",
            "t",
        ];
        let outcome = folder.tracer(args);
        folder.replay(["verify", "t"]).expect(0);
        if outcome.code == 0 {
            assert_eq!(outcome.out(), "[here,here]\n{nowhere,f,[],[]}\n");
        }
        let _gone = std::fs::remove_dir_all(folder.path().join("ebin"));
    }
}

/// What another compiler made: `fixtures/beams/make.sh`.
fn object(name: &str) -> Vec<u8> {
    std::fs::read(root().join("fixtures/beams").join(name)).expect("a fixture")
}

#[test]
fn a_beam_file_runs_as_under_otp() {
    let folder = Folder::new("object");
    folder.write("ebin/shape.beam", object("shape.beam"));
    let out = std::fs::read_to_string(root().join("fixtures/beams/shape.out")).expect("it was captured");
    let (expected, report) = out.split_once("\n=ERROR").expect("it has a report");
    let says = ["function_clause", "{file,\"src/shape.erl\"},{line,6}"];
    assert!(says.iter().all(|part| report.contains(part)));
    let run = folder.tracer(["run", "--quiet", "-o", "t", "ebin/shape.beam"]);
    assert!(run.expect(0).out().starts_with(expected));
    folder.write(
        "main.erl",
        "-module(main).\n-export([main/0]).\nmain() -> shape:area({circle, 4}).\n",
    );
    folder.tracer(["run", "-o", "m", "-pa", "ebin", "main.erl"]).expect(0);
    // A replay needs neither the file nor its source.
    std::fs::remove_file(folder.path().join("ebin/shape.beam")).expect("it is there");
    for trace in ["t", "m"] {
        folder.replay(["verify", trace]).expect(0);
    }
    folder.replay(["t", "--until", "line:shape.erl:6"]).expect(0);
    folder.tracer(["run", "main.erl"]).expect(1).says(&["undef"]);
}

#[test]
fn a_newer_source_wins_over_a_beam_file() {
    let folder = Folder::new("newer-source");
    folder.write("ebin/shape.beam", object("shape.beam"));
    let early = std::time::SystemTime::now() - std::time::Duration::from_secs(100);
    let file = std::fs::File::options()
        .append(true)
        .open(folder.path().join("ebin/shape.beam"));
    file.and_then(|file| file.set_modified(early)).expect("it can be set");
    folder.write(
        "src/shape.erl",
        "-module(shape).\n-export([main/0]).\nmain() -> io:put_chars(\"new\\n\").\n",
    );
    let run = folder.tracer(["run", "-o", "t", "ebin/shape.beam"]).expect(0);
    let run = run.says(&["src/shape.erl is newer than ebin/shape.beam, so it is compiled instead"]);
    assert_eq!(run.out(), "new\n");
}

#[test]
fn beam_files_without_forms_are_refused_with_words() {
    let folder = Folder::new("refused-objects");
    folder.write("bare.beam", object("bare.beam"));
    folder.write("cut.beam", &object("shape.beam")[..400]);
    for (name, says) in [
        (
            "bare.beam",
            "cannot run bare.beam: it has no debug information; compile it with the option debug_info",
        ),
        ("cut.beam", "cannot run cut.beam: it ends too early"),
    ] {
        folder.tracer(["run", name]).expect(66).says(&[says]);
    }
    folder.write(
        "main.erl",
        "-module(main).\n-export([main/0]).\nmain() -> bare:main().\n",
    );
    folder
        .tracer(["run", "main.erl"])
        .expect(1)
        .says(&["the module bare is called, and there is only bare.beam: it has no debug information"]);
}

#[test]
fn a_beam_file_of_lfe_runs_as_under_otp() {
    let folder = Folder::new("lfe");
    folder.write("hi.beam", object("hi.beam"));
    let expected = std::fs::read_to_string(root().join("fixtures/beams/hi.out")).expect("it was captured");
    let run = folder.tracer(["run", "--quiet", "-o", "t", "hi.beam"]).expect(0);
    assert_eq!(run.out(), expected);
    std::fs::remove_file(folder.path().join("hi.beam")).expect("it is there");
    folder.replay(["verify", "t"]).expect(0);
}

/// Calls `Letters.first/1`, and makes its forms as the `elixir_erl` of an Elixir does.
const CALLS_LETTERS: &str = r#"-module(calls_letters).
-export([main/0]).
main() -> io:format("~s~n", ['Elixir.Letters':first(<<"hello">>)]).
"#;
const LIKE_ELIXIR_ERL: &str = r#"-module(elixir_erl).
-export([debug_info/4]).
debug_info(erlang_v1, 'Elixir.Letters', {elixir_v1, #{definitions := [{{first, 1}, def, _, _}]}, _}, []) ->
    {ok, [{attribute, 1, file, {"lib/letters.ex", 1}}, {attribute, 1, module, 'Elixir.Letters'}, {attribute, 1, export, [{first, 1}]},
          {function, 2, first, 1, [{clause, 2, [{var, 2, '_s@1'}], [],
              [{call, 3, {remote, 3, {atom, 3, binary}, {atom, 3, part}}, [{var, 3, '_s@1'}, {integer, 3, 0}, {integer, 3, 1}]}]}]}]}.
"#;

#[test]
fn forms_of_a_beam_file_of_elixir_are_made_by_elixir_and_kept_in_the_trace() {
    let folder = Folder::new("elixir-object");
    folder.write("Elixir.Letters.beam", object("Elixir.Letters.beam"));
    folder.write("calls_letters.erl", CALLS_LETTERS);
    let elixir_erl = folder.write("elixir_erl.erl", LIKE_ELIXIR_ERL);
    let run = folder.tracer(["run", "-o", "t", "calls_letters.erl"]).expect(0);
    assert_eq!(run.out(), "h\n");
    // A question about the module does not make it missing.
    folder.write(
        "asks.erl",
        "-module(asks).\n-export([main/0]).\nmain() -> io:format(\"~s\", [filename:basename(code:which('Elixir.Letters'))]), calls_letters:main().\n",
    );
    let run = folder.tracer(["run", "--quiet", "--no-trace", "asks.erl"]).expect(0);
    assert!(run.out().ends_with("h\n"), "{}", run.out());
    std::fs::remove_file(elixir_erl).expect("it is there");
    // Nobody makes forms now.
    let says = [
        "error: it is made from Elixir, and the elixir_erl of an Elixir, which makes forms of that, is not found",
        "--> Elixir.Letters.beam",
    ];
    let run = BinaryRun::new("tracer", folder.path(), ["run", "--no-trace", "calls_letters.erl"]);
    run.env("PATH", "").env("TRACER_CACHE", "").run().expect(1).says(&says);
    let run = BinaryRun::new("tracer", folder.path(), ["run", "Elixir.Letters.beam"]);
    run.env("PATH", "").env("TRACER_CACHE", "").run().expect(64).says(&says);
    let check = folder.replay(["check", "--expect", "ok", "t", "--program", "Elixir.Letters.beam"]);
    check
        .expect(128)
        .says(&["made from Elixir, of which `check` makes no forms"]);
    std::fs::remove_file(folder.path().join("Elixir.Letters.beam")).expect("it is there");
    folder.replay(["verify", "t"]).expect(0);
    folder.replay(["t", "--until", "line:lib/letters.ex:3"]).expect(0);
    // Another Elixir keeps something else.
    folder.write("elixir_erl.erl", LIKE_ELIXIR_ERL.replace("elixir_v1", "elixir_v9"));
    folder.write("Elixir.Letters.beam", object("Elixir.Letters.beam"));
    let run = BinaryRun::new("tracer", folder.path(), ["run", "--no-trace", "calls_letters.erl"]);
    let run = run.env("TRACER_CACHE", "").run().expect(1);
    run.says(&["it is made from another Elixir than the one that is found"]);
}

/// Structs, protocols, comprehensions, processes, agents, exceptions.
const SHAPES: &str = r##"defmodule Shape do
  defstruct [:name, sides: 3]
  def area(%Shape{sides: n}, x) when n > 2, do: n * x
  def doubles(xs), do: for(x <- xs, x > 1, do: x * 2)
  def names(m), do: Enum.map(m, fn {k, v} -> "#{k}=#{v}" end) |> Enum.join(",")
  def main() do
    IO.puts(names(%{a: 1, b: 2}))
    IO.inspect({area(%Shape{name: "t"}, 5), doubles([1, 2, 3]), %Shape{}})
    me = self()
    spawn(fn -> receive(do: ({:hi, from} -> send(from, {:ok, self()}))) end) |> send({:hi, me})
    receive(do: ({:ok, p} -> IO.inspect(is_pid(p))))
    {:ok, agent} = Agent.start_link(fn -> 0 end)
    Agent.update(agent, &(&1 + 1))
    IO.inspect(Agent.get(agent, & &1))
    try do raise ArgumentError, "oops" rescue e -> IO.puts(Exception.message(e)) end
    with {:ok, x} <- Map.fetch(%{a: 1}, :a), do: IO.puts("#{x} #{String.upcase("e")}")
  end
end
"##;

#[test]
fn a_module_of_elixir_runs_as_under_elixir() {
    if !steady::has("elixirc") {
        return;
    }
    let folder = Folder::new("elixir-shapes");
    folder.write("shape.ex", SHAPES);
    let elixir = |program: &str, args: &[&str]| {
        let told = Command::new(program).args(args).current_dir(folder.path()).output();
        let told = told.expect("it is installed");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8_lossy(&told.stdout).into_owned()
    };
    elixir("elixirc", &["shape.ex"]);
    let expected = elixir("elixir", &["-e", "Shape.main()"]);
    let run = folder.tracer(["run", "-o", "t", "Elixir.Shape.beam"]).expect(0);
    assert_eq!(run.out(), expected);
    folder.replay(["verify", "t"]).expect(0);
}

/// `--program` takes a beam file: its forms are compared with those of the trace.
#[test]
fn a_failure_is_checked_against_another_beam_file() {
    let folder = Folder::new("checked-object");
    folder.write("shape.beam", object("shape.beam"));
    folder.write(
        "main.erl",
        "-module(main).\n-export([main/0]).\nmain() -> shape:area(triangle).\n",
    );
    folder.tracer(["run", "-o", "t", "main.erl"]).expect(1);
    let said = folder.replay(["check", "t", "--program", "shape.beam"]).expect(1).out();
    assert!(said.contains("still fails"), "{said}");
}

/// A dependency of which only the build is at hand, further folders for `-pa`, and an object file newer than its source, which a project's tests do not
/// look at.
#[test]
fn tests_of_a_project_find_object_files_where_there_is_no_source() {
    let folder = Folder::new("objects-of-tests");
    folder.write("rebar.config", "{deps, [shapes]}.\n");
    folder.write("src/own.app.src", "{application, own, [{vsn, \"1\"}]}.\n");
    folder.write(
        "src/own.erl",
        "-module(own).\n-export([f/0]).\nf() -> shape:area({circle, 4}).\n",
    );
    let tests =
        "-module(own_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nf_test() -> ?assert(own:f() =:= 48).\n";
    folder.write("test/own_tests.erl", tests);
    folder.write("_build/default/lib/shapes/ebin/shape.beam", object("shape.beam"));
    folder.tracer(["test"]).expect(0).says(&["the test passed"]);
    std::fs::remove_dir_all(folder.path().join("_build")).expect("it is there");
    folder.tracer(["test"]).expect(1).says(&["own_tests:f_test"]);
    // Several folders: what has object files alone is not a folder of tests.
    folder.write("one/bare.beam", object("bare.beam"));
    folder.write("two/shape.beam", object("shape.beam"));
    folder
        .tracer(["test", "-pa", "one", "two"])
        .expect(0)
        .says(&["the test passed"]);
    folder
        .tracer(["test", "-pa", "two", "test"])
        .expect(0)
        .says(&["the test passed"]);
    // The source, whichever is newer.
    folder.write("src/shape.erl", "-module(shape).\n-export([area/1]).\narea(_) -> 51.\n");
    folder.write("ebin/shape.beam", object("shape.beam"));
    folder.write("test/own_tests.erl", tests.replace("48", "51"));
    folder.tracer(["test"]).expect(0).says(&["the test passed"]);
}
