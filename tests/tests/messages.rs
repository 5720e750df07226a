//! What the tools say of words that cannot be right, and of runs that have little to tell.

use std::process::Stdio;

use tests::{BinaryRun, CommandOutcome, Folder, wait};

/// A folder with a trace of the account fixture in `t.bin`.
fn recorded() -> Folder {
    let folder = Folder::new("messages");
    folder.record("account", 1).no_panic();
    std::fs::rename(folder.path().join("trace.bin"), folder.path().join("t.bin")).expect("it was recorded");
    folder
}

#[test]
fn words_that_cannot_be_right_are_explained() {
    let folder = recorded();
    let said = |args: &[&str], code: i32, words: &[&str]| {
        let outcome: CommandOutcome = folder.replay(args.iter().copied()).expect(code).says(words);
        assert!(!outcome.stderr.contains("os error"), "{}", outcome.stderr);
    };
    // A mistyped option of `check` must stop a bisection, not blame a commit.
    said(&["check", "--progam", "f.erl", "t.bin"], 128, &["--progam"]);
    said(
        &["--json", "check", "--width", "1", "t.bin"],
        128,
        &["expected a whole number from 40 to 65535"],
    );
    said(
        &["info", "--width", "x", "t.bin"],
        2,
        &["expected a whole number, for example 70"],
    );
    said(
        &["log", "--from", "-1", "t.bin"],
        2,
        &["expected a whole number from 0 to"],
    );
    said(&["prune", "--older-than", "-1"], 2, &["expected a time with its unit"]);
    said(&["--until", "rec:1", "--back", "-1", "t.bin"], 2, &["-1"]);
    // The words of a command in another order, or not all of them.
    said(
        &["why", "t.bin", "rec:4"],
        2,
        &["rec:4 is a target, not a trace; the target comes first: rec:4 t.bin"],
    );
    said(
        &["why", "error"],
        2,
        &["error is a target; the trace is missing: expected error TRACE"],
    );
    said(
        &["state", "rec:1", "rec:2", "t.bin"],
        2,
        &["found 3 arguments: rec:1, rec:2, t.bin"],
    );
    said(&["--until", "42", "t.bin"], 2, &["did you mean rec:42 or send:42?"]);
    said(&["--until", "output:0.1.0/9", "t.bin"], 67, &["0.1.0 has "]);
    // What is not there.
    said(&["info", "nofile"], 66, &["cannot read nofile: "]);
    said(
        &["info", "latest"],
        66,
        &["cannot read latest: there is no such file, and no trace in _traces"],
    );
    said(
        &["info", "-"],
        66,
        &["a trace is read from a file, not from standard input"],
    );
    said(&["ls"], 66, &["cannot read _traces: there is no such folder"]);
    // Conditions that are no Erlang are explained by what was typed.
    let when = |text: &str, words: &str| said(&["--until", "rec:1", "--when", text, "t.bin"], 2, &[words]);
    when("Balance > ", "`Balance > `: it ends too early");
    when("foo bar", "`foo bar`: syntax error before: bar (at character 5)");
    let like = |text: &str, words: &str| said(&["--until", "rec:1", "--where", text, "t.bin"], 2, &[words]);
    like("{a, ", "`{a, `: it ends too early");
    like("{a, X} when X foo", "syntax error before: foo (at character 15)");
    like("{a, X} when", "it ends too early");
    let run = |args: &[&str], words: &[&str]| drop(folder.tracer(args.iter().copied()).expect(2).says(words));
    run(
        &["run", "--seed", "-1", "t.erl"],
        &["expected a whole number from 0 to"],
    );
    run(
        &["run", "--max-time", "-3", "t.erl"],
        &["expected a time with its unit"],
    );
    run(&["run", "--no-trace", "-o", "x", "t.erl"], &["--no-trace"]);
    run(
        &["run", "--sname", "a b", "t.erl"],
        &["for example store or store@host"],
    );
}

#[test]
fn commands_of_the_debugger_that_cannot_be_right_are_explained() {
    let folder = recorded();
    for (command, words) in [
        ("foo", "`foo` is not a command"),
        ("quit now", "`quit` takes no argument, found `now`"),
        ("use", "`use` needs a process: use 0.7.0"),
        ("choose", "`choose` needs a choice: choose 1"),
        ("print", "`print` needs an expression: print EXPR"),
        ("print X", "X has no value here; "),
        ("print )", "`)`: syntax error before: ')' (at character 1)"),
        ("run until", "`run until` needs a condition: error, event:PID/N"),
        ("run foo", "`foo` is not an option of `run`"),
        ("run until rec:4", "`run` cannot stop at rec:4"),
    ] {
        folder.write("script", format!("{command}\n"));
        folder
            .replay(["debug", "-x", "script", "t.bin"])
            .no_panic()
            .says(&[words]);
    }
}

/// Where an action has not happened, or has happened already, the debugger and `run --back` say so.
#[test]
fn moves_that_lead_nowhere_are_explained() {
    let folder = recorded();
    let debug = |commands: &str| {
        folder.write("script", commands);
        folder.replay(["debug", "-x", "script", "t.bin"]).no_panic()
    };
    debug("undo rec:1\n").says(&["rec:1 has not happened at this point"]);
    let said = debug("back\nuntil rec:1\nuntil rec:1\n").expect(0).out();
    assert!(
        said.contains("this is the beginning of 0.1.0\n0.1.0 has not begun to run"),
        "{said}"
    );
    assert!(
        said.contains("rec:1 has already happened; `back rec:1` goes to before it"),
        "{said}"
    );
    debug("choose timeout\n").says(&["0.1.0 is not in a receive"]);
    let back = [
        "--until",
        "rec:1",
        "--back",
        "event:0.1.0/1",
        "--back",
        "event:0.1.0/1",
        "t.bin",
    ];
    folder
        .replay(back)
        .expect(67)
        .says(&["event:0.1.0/1 has not happened at this point"]);
}

/// What is taken for something else is named as what it is.
#[test]
fn files_of_another_sort_are_named() {
    let folder = recorded();
    folder
        .tracer(["run", "t.bin"])
        .expect(66)
        .says(&["it is a trace, not a program; `replay t.bin` replays it"]);
    folder.write("bad.erl", "-module(bad).\n-export([main/0]).\nmain() -> foo(.\n");
    folder
        .replay(["debug", "bad.erl"])
        .expect(64)
        .says(&["bad.erl cannot be loaded: error: syntax error"]);
    folder.write("junk.json", "{junk");
    folder.write("other.json", "{}");
    folder
        .replay(["import", "junk.json", "-o", "n.bin"])
        .expect(65)
        .says(&["junk.json: not JSON: "]);
    let other = folder.replay(["import", "other.json", "-o", "n.bin"]).expect(65);
    other.says(&["JSON, but not as `replay export` writes it: it has no field `exchange`; export the trace again"]);
    folder.replay(["export", "t.bin", "-o", "t.json"]).expect(0);
    let made = folder.replay(["import", "t.json", "-o", "n.bin"]).expect(0).out();
    assert!(
        made.contains("actions written to n.bin, ") && made.contains("replay info n.bin"),
        "{made}"
    );
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    folder.write("pid.json", text.replacen("\"pid\":\"0.1.0\"", "\"pid\":\"0.x.0\"", 1));
    let wrong = folder.replay(["import", "pid.json", "-o", "n.bin"]).expect(65);
    assert!(!wrong.stderr.contains("expected expected"), "{}", wrong.stderr);
}

/// What was taken out of a trace is said with what that means.
#[test]
fn what_scrubbing_means_for_a_replay_is_said() {
    let folder = recorded();
    for (part, words, verified) in [
        (
            "sources",
            "so the trace cannot be replayed",
            "nothing was replayed, because the program's sources were left out",
        ),
        (
            "reasons",
            "the trace can still be replayed to the end",
            "replayed twice as recorded",
        ),
    ] {
        let said = folder
            .replay(["scrub", "--part", part, "-o", "s.bin", "t.bin"])
            .expect(0)
            .out();
        assert!(said.contains(words), "{said}");
        let said = folder.replay(["verify", "s.bin"]).expect(0).out();
        assert!(said.contains(verified), "{said}");
    }
}

/// Macros are not variables; those of a behaviour are, where the program is its callback.
#[test]
fn variables_of_conditions_are_those_that_are_shown() {
    let folder = Folder::new("variables-shown");
    folder.write(
        "bank.erl",
        "-module(bank).\n-behaviour(gen_server).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n-define(LIMIT, 3).\n\
         main() -> {ok, P} = gen_server:start(?MODULE, [], []), [gen_server:call(P, N) || N <- [1, 2, 3, 4]].\n\
         init(_) -> {ok, 0}.\nhandle_call(N, _From, S) when N > ?LIMIT -> {reply, S, S};\n\
         handle_call(N, _From, S) -> {reply, ok, S + N}.\nhandle_cast(_, S) -> {noreply, S}.\n",
    );
    folder.tracer(["run", "-o", "t.bin", "bank.erl"]).expect(0);
    let when = |text: &str| folder.replay(["--until", "event:0.2.0/1", "--when", text, "t.bin"]);
    let said = when("LIMIT > 3").expect(2).stderr;
    assert!(
        said.contains("its variables are N, P, S") && !said.contains("MODULE"),
        "{said}"
    );
    let said = when("Missing > 3").expect(2).stderr;
    assert!(said.contains("`Missing` is not a variable of the program"), "{said}");
    when("State > 3").expect(0);
}

/// A deadlock of an entry that did nothing that is logged has a story, and a slice that is replayed.
#[test]
fn an_entry_that_logged_nothing_is_told() {
    let folder = Folder::new("logged-nothing");
    folder.write(
        "idle.erl",
        "-module(idle).\n-export([main/0]).\nmain() -> receive x -> ok end.\n",
    );
    folder.tracer(["run", "-o", "t.bin", "idle.erl"]).expect(80);
    for target in ["error", "end:0.1.0"] {
        let why = folder.replay(["why", target, "t.bin"]).expect(0).out();
        assert!(why.contains("idle.erl:3") && why.contains("waits"), "{why}");
    }
    let causes = folder.replay(["causes", "t.bin"]).expect(0).out();
    assert!(causes.contains("nothing that is logged"), "{causes}");
    folder.replay(["slice", "-o", "s.bin", "t.bin"]).expect(0);
    folder.replay(["--until", "error", "s.bin"]).expect(0);
    folder.replay(["verify", "s.bin"]).expect(0);
}

/// The recorder, `info`, `why` and `check` agree on an entry that ends by `shutdown`.
#[test]
fn the_shutdown_of_the_entry_is_a_failure() {
    let folder = Folder::new("entry-shutdown");
    folder.write(
        "ends.erl",
        "-module(ends).\n-export([main/0]).\nmain() -> spawn_link(fun() -> exit(shutdown) end), receive x -> ok end.\n",
    );
    folder.write(
        "own.erl",
        "-module(own).\n-export([main/0]).\nmain() -> exit({shutdown, x}).\n",
    );
    for (file, target) in [("ends.erl", "signal:0.1.0"), ("own.erl", "exit:0.1.0")] {
        folder
            .tracer(["run", "-o", "t.bin", file])
            .expect(1)
            .says(&["crashed", "replay why t.bin"]);
        let info = folder.replay(["info", "t.bin"]).expect(0).out();
        assert!(
            info.contains("the entry crashed") && info.contains("error t.bin"),
            "{info}"
        );
        let why = folder.replay(["why", "t.bin"]).expect(0).out();
        assert!(why.contains("shutdown"), "{why}");
        let state = folder.replay(["--until", "error", "--json", "t.bin"]).expect(0).out();
        assert!(state.contains(target), "{state}");
    }
}

/// Error reports have the clock of the run.
#[test]
fn reports_have_the_clock_of_the_run() {
    let folder = Folder::new("clock-of-reports");
    folder.write(
        "crash.erl",
        "-module(crash).\n-export([main/0]).\nmain() -> spawn(fun() -> error(oops) end), receive after 10 -> ok end.\n",
    );
    let run = folder
        .tracer(["run", "--seed", "1", "-o", "t.bin", "crash.erl"])
        .expect(0);
    let run = run.says(&["=ERROR REPORT==== 1-Jan-2020::00:00:00."]);
    folder.write(
        "hidden.erl",
        "-module(hidden).\n-export([main/0]).\nmain() -> receive after 300 -> ok end.\n",
    );
    drop(run);
    let limit = folder
        .tracer(["run", "--max-time", "200ms", "-o", "t.bin", "hidden.erl"])
        .expect(81);
    limit.says(&["limit reached: time (0.2 s)"]);
}

/// An interrupted run says where each process stood: the place of an endless loop is what one wants to know.
#[cfg(unix)]
#[test]
fn an_interrupted_run_tells_where_its_processes_stood() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("stood");
    folder.write(
        "busy.erl",
        "-module(busy).\n-export([main/0]).\nmain() -> spawn(fun() -> spin(0) end), io:format(\"started~n\"),\n  receive x -> ok end.\n\
         spin(N) -> spin(N + 1).\n",
    );
    let mut run = BinaryRun::new("tracer", folder.path(), ["run", "-o", "t.bin", "busy.erl"]).stdout_to(Stdio::piped());
    let mut child = run.start();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    // Each process has had its turn.
    steady::until_used(child.id(), std::time::Duration::from_millis(100));
    let status = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
    let stood = wait(child).expect(130);
    stood.says(&[
        "0.1.0 (the entry) waits in the receive at busy.erl:4",
        "0.2.0 runs at busy.erl:5",
    ]);
    let info = folder.replay(["info", "t.bin"]).expect(0).out();
    assert!(
        info.contains("Still running:\n  end:0.2.0  runs at busy.erl:5"),
        "{info}"
    );
    assert!(info.contains("Waiting:\n  end:0.1.0  waits at busy.erl:4"), "{info}");
    let state = folder.replay(["state", "end:0.2.0", "t.bin"]).expect(0).out();
    assert!(state.contains("was running at busy.erl:5"), "{state}");
    folder
        .replay(["why", "t.bin"])
        .expect(67)
        .says(&["lists where its processes stood"]);
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let folder = tests::Folder::new("installing");
    for (tool, command, option) in [("tracer", "compare", "--max-time"), ("replay", "why", "--max-memory")] {
        let run = |args: &[&str]| tests::BinaryRun::new(tool, folder.path(), args).run();
        for shell in ["bash", "zsh", "fish"] {
            let script = run(&["completions", shell]).expect(0).out();
            let option = if shell == "fish" {
                option.trim_start_matches("--")
            } else {
                option
            };
            assert!(script.contains(command) && script.contains(option), "{tool} {shell}");
        }
        run(&["completions", "csh"]).expect(2).says(&["csh", "bash"]);
        run(&["man", "man1"]).expect(0);
        let page = |name: &str| std::fs::read_to_string(folder.path().join("man1").join(name)).expect("a page");
        assert!(page(&format!("{tool}.1")).contains(command));
        assert!(page(&format!("{tool}-{command}.1")).contains("Exit codes") || command == "why");
        folder.write("file", "");
        run(&["man", "file"]).expect(73).says(&["file"]);
    }
}
