//! Open files: what a trace holds of them, and what a replay does with them.

use std::path::Path;

use tests::{BinaryRun, Folder};

const OTP: &str = "/usr/lib/erlang";

const PROGRAM: &str = "-module(opened).
-export([main/0]).
main() ->
    ok = file:write_file(\"big.tmp\", binary:copy(<<\"x\">>, 4000000)),
    {ok, F} = file:open(\"big.tmp\", [raw, binary, read, write]),
    ok = file:delete(\"big.tmp\"),
    [ok = file:pwrite(F, N * 1000, \"hello\") || N <- lists:seq(1, 300)],
    io:format(\"~p ~p~n\", [file:pread(F, 999, 7), file:position(F, eof)]),
    ok = file:close(F).
";

/// Of a write, only the result is recorded, and of a read, what was read.
#[test]
fn a_trace_holds_no_more_of_an_open_file_than_the_program_sees() {
    let folder = Folder::new("a_trace_holds_no_more_of_an_open_file");
    folder.write("opened.erl", PROGRAM);
    let run = folder.tracer(["run", "--quiet", "-o", "t", "opened.erl"]).expect(0);
    assert_eq!(run.out(), "{ok,<<\"xhellox\">>} {ok,4000000}\n");
    assert!(!folder.path().join("big.tmp").exists());
    let size = std::fs::metadata(folder.path().join("t")).expect("a trace").len();
    assert!(size < 200_000, "{size} bytes");
    folder.replay(["verify", "t"]).expect(0);
    assert!(!folder.path().join("big.tmp").exists());
}

const TABLES: &str = "-module(tables).
-export([main/0]).
open() -> {ok, t} = dets:open_file(t, [{file, \"t.tmp\"}, {repair, true}]).
p(T) -> io:format(\"~p~n\", [T]).
main() ->
    open(),
    ok = dets:insert(t, [{N, N * N} || N <- lists:seq(1, 300)]),
    ok = dets:delete(t, 7),
    p([dets:lookup(t, 6), dets:lookup(t, 7), dets:info(t, size), dets:close(t)]),
    open(),
    p([dets:lookup(t, 300), dets:info(t, size)]),
    ok = file:delete(\"t.tmp\"),
    ok = dets:insert(t, {a, 1}),
    p([dets:lookup(t, a), dets:close(t), filelib:is_file(\"t.tmp\")]),
    open(),
    p([dets:lookup(t, a), dets:lookup(t, 6), dets:info(t, size), dets:insert(t, {b, 2}), dets:close(t), filelib:is_file(\"t.tmp\")]).
";

/// What Erlang/OTP 25 prints for it.
const SHOWN: &str = "[[{6,36}],[],299,ok]\n[[{300,90000}],299]\n[[{a,1}],ok,false]\n[[],[],0,ok,ok,true]\n";

/// A table of `dets`, which runs from an installed OTP, whose file is removed is not there again when it is closed.
#[test]
fn a_removed_table_stays_removed() {
    if !steady::has_otp_25() || !Path::new(OTP).join("lib/stdlib-4.2/src/dets.erl").is_file() {
        return;
    }
    let folder = Folder::new("a_removed_table_stays_removed");
    folder.write("tables.erl", TABLES);
    let run = BinaryRun::new("tracer", folder.path(), ["run", "--quiet", "-o", "t", "tables.erl"])
        .env("TRACER_OTP", OTP)
        .run()
        .expect(0);
    assert_eq!(run.out(), SHOWN);
    folder.replay(["verify", "t"]).expect(0);
}

/// Whoever kills the process of a file closes the file.
#[test]
fn a_file_of_a_killed_process_is_closed() {
    if !Path::new("/proc/self/fd").is_dir() {
        return;
    }
    let folder = Folder::new("a_file_of_a_killed_process_is_closed");
    folder.write(
        "killed.erl",
        "-module(killed).
-export([main/0]).
main() ->
    Before = open(),
    Files = [begin {ok, File} = file:open(\"f\", [write, read]), ok = file:write(File, \"a\"), File end || _ <- lists:seq(1, 20)],
    During = open(),
    _ = [begin Ref = monitor(process, File), exit(File, kill), receive {'DOWN', Ref, _, _, killed} -> ok end end || File <- Files],
    io:format(\"~p ~p~n\", [During - Before, open() - Before]).
open() -> {ok, Names} = file:list_dir(\"/proc/self/fd\"), length(Names).
",
    );
    let run = folder.tracer(["run", "--quiet", "-o", "t", "killed.erl"]).expect(0);
    assert_eq!(run.out(), "20 0\n");
    folder.replay(["verify", "t"]).expect(0);
}
