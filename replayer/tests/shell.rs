//! `replay debug` with scripts, and the exit codes of `check`, through the command line.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use replayer::error::Error;
use replayer::exit::Exit;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("replay-shell-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn replay(arguments: &[&str]) -> (Result<Exit, Error>, String) {
    let all: Vec<OsString> = std::iter::once("replay")
        .chain(arguments.iter().copied())
        .map(OsString::from)
        .collect();
    let mut sink = Vec::new();
    let (_, done) = replayer::run_with(all, &mut sink, None);
    (done, String::from_utf8(sink).unwrap())
}

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fixtures/{name}/{name}.erl"));
    path.display().to_string()
}

#[test]
fn a_script_goes_forward_and_back() {
    let folder = Folder::new("script");
    let script = folder.file(
        "commands",
        "# to the first write\nuntil line:account.erl:27@0.2.0\nmark write\nprint Balance =:= 0\nstep 2\nback 2\naction 2\n\
         undo rec:5\nposition\ngoto write\nstate\nprocesses\nwhy event:0.2.0/1\nback birth\nquit\nnonsense\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "1", &fixture("account")]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    for expected in [
        "account.erl:27  {put, New} ->",
        "\ntrue\n",
        "actions undone:",
        " of 40 actions; ",
        "process 0.2.0",
        "0.5.0 ",
        "event:0.2.0/1: ",
        "0.2.0       from ",
    ] {
        assert!(text.contains(expected), "`{expected}` is missing:\n{text}");
    }
}

#[test]
fn a_script_stops_at_the_first_error() {
    let folder = Folder::new("stops");
    let script = folder.file("commands", "step\nnonsense\nstep\n");
    let (done, _) = replay(&["debug", "-x", &script, &fixture("account")]);
    assert!(
        matches!(&done, Err(Error::Usage(text)) if text.contains("nonsense")),
        "{done:?}"
    );
    let (done, _) = replay(&["debug", "-x", "there/is/none", &fixture("account")]);
    assert!(matches!(done, Err(Error::Input { .. })), "{done:?}");
}

#[test]
fn a_run_that_ends_by_halt_replays() {
    let folder = Folder::new("halt");
    let program = folder.file(
        "halting.erl",
        "-module(halting).\n-export([main/0]).\nmain() -> P = self(), [spawn(fun() -> w(P, 50) end) || _ <- [1, 2, 3]],\n    \
         receive 7 -> ok end, halt(3).\nw(P, 0) -> P ! y;\nw(P, N) -> P ! N, w(P, N - 1).\n",
    );
    let script = folder.file("commands", "until halt\nback 1\nuntil event:0.3.0/20\n");
    for seed in ["1", "2", "3", "4"] {
        let (done, text) = replay(&["debug", "-x", &script, "--seed", seed, &program]);
        assert!(matches!(done, Ok(Exit::Success)), "seed {seed}: {done:?}\n{text}");
    }
}

#[test]
fn a_program_is_driven_from_the_start() {
    let folder = Folder::new("driven");
    // All read before anybody writes: the deposits get lost. Then one after the other.
    let script = folder.file(
        "commands",
        "normalise\nchoices\nmark begin\nuse 0.2.0\nrun processes-first until error\nstate\nback 1\nundo spawn:0.2.0\nposition\n\
         until end:0.1.0\ngoto begin\nrun 30 random 7\nuse 0.1.0\nprocesses\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, &fixture("account")]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    for expected in ["receive sent:", "{get,<0.", "0.1.0 has ended: ", "actions undone:"] {
        assert!(text.contains(expected), "`{expected}` is missing:\n{text}");
    }
}

#[test]
fn what_was_done_beyond_the_log_is_told() {
    let folder = Folder::new("told");
    // The account receives a write before the second read: the run goes another way from there.
    let script = folder.file(
        "commands",
        "until sent:0.2.0/2\nuse 0.4.0\naction 2\nuse 0.2.0\nchoose sent:0.4.0/2\nrun\nwhy event:0.2.0/5\ncauses event:0.2.0/5\n\
         consequences event:0.2.0/5\nwhy end:0.1.0\nwhy line:account.erl:28@0.2.0\ncauses rec:7\nconsequences sent:0.4.0/2\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "3", &fixture("account")]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let told = text.split_once("event:0.2.0/5: ").unwrap().1;
    for expected in [
        // What it tells of the message that was chosen.
        "received {put,",
        "sent at account.erl:40: Account ! {put, Balance + Amount}.",
        // The receive has no number in the trace; the one before has kept its own.
        "event:0.2.0/5",
        "rec:7",
        "  until event:0.2.0/5  # go there",
        "end:0.1.0: 0.1.0 main",
        "is what is told",
    ] {
        assert!(told.contains(expected), "`{expected}` is missing:\n{told}");
    }
    // What was dropped is not told of.
    let script = folder.file(
        "dropped",
        "until sent:0.2.0/2\nuse 0.4.0\naction 2\nuse 0.2.0\nchoose sent:0.4.0/2\nwhy error\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "3", &fixture("account")]);
    assert!(
        matches!(&done, Err(Error::NoTarget(told)) if told.contains("no process has ended abnormally")),
        "{done:?}\n{text}"
    );
    // A failure that only the session has: everybody reads before anybody writes.
    let script = folder.file(
        "failure",
        "normalise\nuse 0.2.0\nrun processes-first until error\nwhy\nuse 0.1.0\nconsequences spawn:0.2.0\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, &fixture("account")]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(text.contains("ends: error {lost_update,"), "{text}");
    assert!(text.contains("Balance became"), "{text}");
}

const COUNTER: &str = "-module(counter).
-export([main/0]).
main() ->
    P = spawn(fun() -> loop(0) end),
    [P ! {add, N} || N <- [1, 2, 3, 4]],
    P ! {get, self()},
    X = receive {is, V} -> V end,
    io:format(\"got ~p~n\", [X]),
    10 = X + 1.
loop(S) ->
    receive
        {add, N} ->
            io:format(\"s ~p~n\", [S]),
            loop(S + N);
        {get, F} -> F ! {is, S}, exit({counted, S})
    end.
";

/// A trace of the counter above.
fn counter(folder: &Folder) -> String {
    let program = replayer::record::Text {
        path: "counter.erl".to_owned(),
        source: COUNTER.as_bytes().into(),
    };
    let path = folder.0.join("counter.bin");
    std::fs::write(&path, program.record_bytes(1).unwrap().1).unwrap();
    path.display().to_string()
}

#[test]
fn print_shows_values() {
    let folder = Folder::new("print");
    let trace = counter(&folder);
    let script = folder.file("commands", "until rec:4@0.2.0\nquit\n");
    let (done, _) = replay(&["debug", "-x", &script, &trace]);
    assert!(done.is_err(), "no such target");
    let script = folder.file(
        "commands",
        "until event:0.2.0/5\nprint S\nprint {S + 1, [N]}\nprint S > 2\nuntil exit:0.2.0\nprint S\nuntil error\nprint X * 2\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, &trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    for expected in [
        "\n3\n",
        "\n{4,[3]}\n",
        "\ntrue\n",
        "0.2.0 has ended: exit {counted,10}\n10\n",
        "\n20\n",
    ] {
        assert!(text.contains(expected), "`{expected}` is missing:\n{text}");
    }
    for (expression, expected) in [
        ("X", "X has no value here: the variables are S"),
        ("S + a", "`S + a` raises error badarith"),
        ("self() ! S", "would have an effect"),
    ] {
        let script = folder.file("commands", &format!("until event:0.2.0/5\nprint {expression}\n"));
        let (done, text) = replay(&["debug", "-x", &script, &trace]);
        assert!(
            matches!(&done, Err(error) if error.to_string().contains(expected)),
            "{done:?}\n{text}"
        );
    }
}

#[test]
fn conditions_hold_at_outputs_and_ends() {
    let folder = Folder::new("when");
    let trace = counter(&folder);
    for (target, when, expected) in [
        ("output:0.2.0/1", "S > 2", "output:0.2.0/3"),
        ("exit:0.2.0", "S > 2", "exit:0.2.0"),
        ("end:0.2.0", "S =:= 10", "exit:0.2.0"),
        ("error", "X =:= 10", "exit:0.1.0"),
        ("exit:0.1.0", "X =:= 10", "exit:0.1.0"),
    ] {
        let (done, text) = replay(&["--until", target, "--when", when, &trace]);
        assert!(matches!(done, Ok(Exit::Success)), "{target}: {done:?}\n{text}");
        let reached = text.lines().find(|line| line.starts_with('>')).unwrap_or_default();
        assert!(reached.contains(expected), "{target}:\n{text}");
    }
    // A variable that the program does not have is refused at once.
    let (done, _) = replay(&["--until", "exit:0.2.0", "--when", "Foo > 1", &trace]);
    let error = done.unwrap_err();
    assert!(matches!(error, Error::Usage(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "`Foo` is no variable of the program: its variables are F, N, P, S, V, X"
    );
    // One that never has a value there is told.
    let (done, _) = replay(&["--until", "event:0.2.0/1", "--when", "X > 1", &trace]);
    let error = done.unwrap_err().to_string();
    assert!(
        error.contains("X never had a value there; where it was looked last the variables were S"),
        "{error}"
    );
    // Its own variables an expression may bind.
    let (done, _) = replay(&[
        "--until",
        "exit:0.2.0",
        "--when",
        "lists:any(fun(Q) -> Q > 9 end, [S])",
        &trace,
    ]);
    assert!(done.is_ok(), "{done:?}");
}

#[test]
fn a_process_that_has_ended_is_shown_as_it_ended() {
    let folder = Folder::new("ended");
    let trace = counter(&folder);
    // Nobody looked at 0.2.0 when it ended.
    let script = folder.file(
        "commands",
        "until exit:0.2.0\nuntil exit:0.1.0\nuse 0.2.0\nstate\nstate 0.1.0\nstate 0.2.0\nprint S\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, &trace]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let ended = "process 0.2.0, after 11 of its 11 actions: ended\n  reason: exit {counted,10}\n  in counter:loop/1";
    assert_eq!(text.matches(ended).count(), 2, "{text}");
    assert_eq!(
        text.matches("process 0.1.0, after 9 of its 9 actions: ended").count(),
        1,
        "{text}"
    );
    assert!(text.ends_with("\n10\n"), "{text}");
}

#[test]
fn what_ends_beyond_the_log_is_reached_and_told_once() {
    let folder = Folder::new("beyond");
    let program = folder.file("counter.erl", COUNTER);
    let script = folder.file("commands", "run until end:0.2.0\nstate\nrun\nuntil end:0.1.0\nstep\n");
    let (done, text) = replay(&["debug", "-x", &script, &program]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(
        text.contains("0.2.0 has ended: exit {counted,10}\nprocess 0.2.0, after 11"),
        "{text}"
    );
    assert!(text.ends_with("0.1.0 has ended: error {badmatch,11}\n"), "{text}");
    assert!(
        !text.contains("is not running") && !text.contains("ends here"),
        "{text}"
    );
}

#[test]
fn a_way_with_a_step_back_is_told_as_such() {
    let folder = Folder::new("way");
    let trace = counter(&folder);
    let (done, text) = replay(&["--until", "exit:0.2.0", "--back", "output:0.2.0/2", &trace]);
    assert!(done.is_ok(), "{done:?}");
    assert!(
        text.starts_with("replayed until exit:0.2.0, then back output:0.2.0/2: "),
        "{text}"
    );
    let (_, json) = replay(&["--json", "--until", "exit:0.2.0", "--back", "output:0.2.0/2", &trace]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["target"], serde_json::Value::Null);
    assert_eq!(value["way"][1], "back output:0.2.0/2");
    let (_, text) = replay(&["--until", "exit:0.2.0", "--back", "1", "--until", "exit:0.2.0", &trace]);
    assert!(
        text.starts_with("replayed until exit:0.2.0, then back 1, then until exit:0.2.0: "),
        "{text}"
    );
}

#[test]
fn sources_that_were_scrubbed_are_no_damage() {
    let folder = Folder::new("scrubbed");
    let trace = counter(&folder);
    let scrubbed = folder.0.join("scrubbed.bin").display().to_string();
    let (done, _) = replay(&["scrub", "--part", "sources", "-o", &scrubbed, &trace]);
    assert!(done.is_ok(), "{done:?}");
    let (done, _) = replay(&["--until", "error", &scrubbed]);
    let error = done.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the program's sources were left out of the trace; use the trace from before it was scrubbed"),
        "{error}"
    );
}

#[test]
fn a_write_that_depends_on_what_it_found_says_so() {
    let folder = Folder::new("updates");
    let program = replayer::record::Text {
        path: "updates.erl".to_owned(),
        source: b"-module(updates).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    [spawn(fun() -> ets:update_counter(T, n, 1) end) || _ <- [1, 2]],
    timer:sleep(50).
"
        .as_slice()
        .into(),
    };
    let path = folder.0.join("updates.bin");
    std::fs::write(&path, program.record_bytes(1).unwrap().1).unwrap();
    let (_, text) = replay(&["log", "--kind", "access", &path.display().to_string()]);
    assert!(
        text.contains("reads table(0.1.0/1, key ") && text.contains(" left it, and writes it"),
        "{text}"
    );
}
