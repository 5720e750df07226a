//! Beam files that the tool makes. The programs of `tests/beams/` need the front end of an installed OTP; what they print was captured by
//! `tests/capture.sh tests/beams/*.erl`.

use std::path::Path;
use std::process::Command;

use tests::{Folder, Run, root};

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
    for source in sources {
        let name = source.file_name().expect("a file").to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(source.with_extension("out")).expect("it was captured");
        let folder = Folder::new("beams");
        folder.write(&name, &std::fs::read_to_string(&source).expect("a text"));
        let outcome = Run::new("tracer", folder.path(), ["run", "--quiet", "-o", "t", &name])
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
    Run::new("tracer", folder.path(), ["run", "--quiet", "--no-trace", "own.erl"])
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
