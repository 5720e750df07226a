//! Standard input as lists and as binaries; what is expected here is what Erlang/OTP 25 prints for the same program and input.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use tests::{BinaryRun, CommandOutcome, Folder};

const PROGRAM: &str = "-module(reader).
-export([main/0]).
main() ->
    p(io:getopts()), p(io:setopts([binary])), p(io:getopts()),
    p(io:get_line('')), p(io:get_chars('', 3)), p(io:get_line('')),
    p(file:read_line(standard_io)), p(file:read(standard_io, 3)), p(io:get_line('')),
    p(io:setopts([{encoding, unicode}])), p(io:get_line('')), p(io:get_line('')).
p(X) -> io:format(\"~w~n\", [X]).
";

const EXPECTED: &str = "[{binary,false},{encoding,latin1}]
ok
[{binary,true},{encoding,latin1}]
<<116,119,111,10>>
<<97,98,99>>
<<100,101,102,10>>
{ok,<<108,105,110,101,10>>}
{ok,<<114,101,97>>}
<<100,10>>
ok
<<117,110,101,10>>
eof
";

const UNICODE: &str = "-module(reader).
-export([main/0]).
main() ->
    p(io:setopts([{encoding, unicode}])), p(io:get_line('')), p(io:get_chars('', 2)), p(io:get_line('')), p(io:read('')),
    p(io:fread('', \"~ts\")), p(io:get_line('')), p(io:get_line('')).
p(X) -> io:format(\"~w~n\", [X]).
";

#[test]
fn characters_are_read_where_the_program_says_so() {
    let folder = Folder::new("unicode-input");
    folder.write("reader.erl", UNICODE);
    let recorded = BinaryRun::new("tracer", folder.path(), ["run", "reader.erl"])
        .input("жук\nжуб\n{\"ж\", 1}.\nжуу б\nå\n")
        .run()
        .expect(0);
    assert_eq!(
        recorded.out(),
        "ok\n[1078,1091,1082,10]\n[1078,1091]\n[1073,10]\n{ok,{[1078],1}}\n{ok,[[1078,1091,1091]]}\n[32,1073,10]\n[229,10]\n"
    );
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn lines_are_binaries_where_the_program_says_so() {
    let folder = Folder::new("standard-input");
    folder.write("reader.erl", PROGRAM);
    let recorded = BinaryRun::new("tracer", folder.path(), ["run", "reader.erl"].map(str::to_owned))
        .input("two\nabcdef\nline\nread\nune\n")
        .run()
        .expect(0);
    assert_eq!(recorded.out(), EXPECTED);
    // What was read, and as what, is in the trace: replay reads nothing.
    let replayed = folder.replay(["run", "trace.bin"]).expect(0);
    assert!(replayed.out().contains("<<117,110,101,10>>"), "{}", replayed.out());
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// A process that works while the entry process waits for a line.
const BESIDE: &str = "-module(beside).
-export([main/0]).
main() ->
    spawn(fun() -> tick(1) end),
    io:format(\"line ~p~n\", [io:get_line('')]),
    {ok, [N], _} = io_lib:fread(\"~d\", io:get_line('')),
    io:format(\"number ~p ~p~n\", [N, io:get_line('')]).
tick(4) -> io:format(\"go~n\");
tick(N) -> io:format(\"tick ~p~n\", [N]), timer:sleep(10), tick(N + 1).
";

/// A process that is killed while it waits for a line does not take it; neither does one whose turn never came.
const KILLED: &str = "-module(killed).
-export([main/0]).
main() ->
    Readers = [spawn_monitor(fun() -> exit({got, io:get_line(Prompt)}) end) || Prompt <- ['first ', 'second ']],
    {T, MT} = spawn_monitor(fun() -> user ! {io_request, self(), x, {get_line, ''}}, receive {io_reply, x, L} -> exit({got, L}) end end),
    timer:sleep(50),
    [exit(P, kill) || {P, _} <- [{T, MT} | Readers]],
    [receive {'DOWN', M, process, P, R} -> io:format(\"~p~n\", [R]) end || {P, M} <- [{T, MT} | Readers]],
    io:format(\"go~n\"),
    io:format(\"~p ~p~n\", [io:get_line(''), io:get_line('')]).
";

/// Starts a recording, waits until it prints `go`, and returns what it printed before that.
fn until_go(folder: &Folder, file: &str) -> (Child, String, BufReader<std::process::ChildStdout>) {
    let mut command = std::process::Command::new(tests::binary("tracer"));
    let mut child = command
        .args(["run", file])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tracer starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut before = String::new();
    while !before.ends_with("go\n") {
        assert!(
            lines.read_line(&mut before).expect("it writes text") > 0,
            "it says go: {before}"
        );
    }
    (child, before, lines)
}

/// Gives it its input; returns what it prints after that.
fn finish(
    mut child: Child,
    mut lines: BufReader<std::process::ChildStdout>,
    input: &[&str],
) -> (CommandOutcome, String) {
    let mut pipe = child.stdin.take().expect("it is piped");
    for part in input {
        pipe.write_all(part.as_bytes()).expect("it reads");
        // The next part is another read of the tool.
        steady::until_still(child.id());
    }
    drop(pipe);
    let mut after = String::new();
    lines.read_to_string(&mut after).expect("it writes text");
    (tests::wait(child).expect(0), after)
}

#[test]
fn others_go_on_while_a_process_waits_for_a_line() {
    let folder = Folder::new("beside-input");
    folder.write("beside.erl", BESIDE);
    let (child, before, lines) = until_go(&folder, "beside.erl");
    assert_eq!(before, "tick 1\ntick 2\ntick 3\ngo\n");
    let (_, after) = finish(child, lines, &["hel", "lo\n12\nthe", " end"]);
    assert_eq!(after, "line \"hello\\n\"\nnumber 12 \"the end\"\n");
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn who_is_killed_while_it_waits_for_a_line_does_not_take_it() {
    let folder = Folder::new("killed-input");
    folder.write("killed.erl", KILLED);
    let (child, before, lines) = until_go(&folder, "killed.erl");
    assert_eq!(before, "first killed\nkilled\nkilled\ngo\n");
    let (_, after) = finish(child, lines, &["one\ntwo\n"]);
    assert_eq!(after, "\"one\\n\" \"two\\n\"\n");
    folder.replay(["verify", "trace.bin"]).expect(0);
    let replayed = folder.replay(["run", "trace.bin"]).expect(0).out();
    assert!(replayed.contains("\"one\\n\" \"two\\n\""), "{replayed}");
    // The kill is a cause of the reader's end, and it ended while it waited.
    let why = folder.replay(["why", "signal:0.2.0", "trace.bin"]).expect(0).out();
    assert!(why.contains("killed"), "{why}");
}

/// While a command runs the other processes go on: here it ends only because they do; and a process that waits for one can be killed.
const COMMAND: &str = "-module(command).
-export([main/0]).
main() ->
    spawn(fun() -> timer:sleep(100), ok = file:write_file(\"go\", <<>>) end),
    io:format(\"~p~n\", [os:cmd(\"for i in $(seq 400); do [ -e go ] && echo went && exit; sleep 0.05; done\")]),
    {P, M} = spawn_monitor(fun() -> exit(os:cmd(\"for i in $(seq 6000); do [ -e command.erl ] || exit; sleep 0.1; done\")) end),
    timer:sleep(100),
    exit(P, kill),
    receive {'DOWN', M, process, P, R} -> io:format(\"~p~n\", [R]) end.
";

#[test]
fn others_go_on_while_a_command_runs() {
    let folder = Folder::new("beside-command");
    folder.write("command.erl", COMMAND);
    // Nobody waits for a command of the dead: it would go on for as long as its file is there.
    let recorded = folder.tracer(["run", "command.erl"]).expect(0);
    assert_eq!(recorded.out(), "\"went\\n\"\nkilled\n");
    folder.replay(["verify", "trace.bin"]).expect(0);
}

#[test]
fn a_seeded_run_is_a_function_of_its_seed_and_its_input() {
    let folder = Folder::new("seeded-input");
    folder.write("beside.erl", BESIDE);
    let mut runs = [1, 2].map(|_| {
        let args = ["run", "--seed", "3", "beside.erl"].map(str::to_owned);
        let input = "hello\n12\nthe end";
        let outcome = BinaryRun::new("tracer", folder.path(), args)
            .input(input)
            .run()
            .expect(0);
        let trace = std::fs::read(folder.path().join("trace.bin")).unwrap();
        // The header has the time of the recording.
        (outcome.out(), trace[32..].to_vec())
    });
    let [first, second] = &mut runs;
    assert!(first.0.contains("number 12 \"the end\""), "{}", first.0);
    assert!(first == second, "the same output and the same trace");
}
