//! `replay debug` with scripts, and the exit codes of `check`, through the command line.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsString;
use std::path::Path;

use replayer::exit::Exit;
use session::error::Error;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(format!("replay-shell-{name}-")).unwrap())
    }
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
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
    // All read before anyone writes, so deposits get lost. Then one after the other.
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
fn random_steps_keep_to_the_clock_unless_told_otherwise() {
    let folder = Folder::new("late");
    let program = folder.file(
        "late.erl",
        "-module(late).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    spawn(fun() -> timer:sleep(2), Me ! ok end),\n    \
         receive ok -> ok after 5000 -> exit(too_late) end.\n",
    );
    let too_late = |seed: u32, when: &str| {
        let script = folder.file("commands", &format!("run 100 random {seed}{when}\nposition\n"));
        let (done, text) = replay(&["debug", "-x", &script, &program]);
        assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
        text.contains("0.1.0 has ended: exit too_late")
    };
    for seed in 1..9 {
        assert!(!too_late(seed, ""), "seed {seed}");
    }
    assert!(
        (1..9).any(|seed| too_late(seed, " any-time")),
        "no seed lets the time pass first"
    );
}

#[test]
fn what_was_done_beyond_the_log_is_told() {
    let folder = Folder::new("told");
    // The account receives a write before the second read: the run takes another path from there.
    let script = folder.file(
        "commands",
        "until sent:0.2.0/2\nuse 0.4.0\naction 2\nuse 0.2.0\nchoose sent:0.4.0/2\nrun\nwhy event:0.2.0/5\ncauses event:0.2.0/5\n\
         consequences event:0.2.0/5\nwhy end:0.1.0\nwhy line:account.erl:28@0.2.0\ncauses rec:7\nconsequences sent:0.4.0/2\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "3", &fixture("account")]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let told = text.split_once("event:0.2.0/5: ").unwrap().1;
    for expected in [
        // What is printed about the chosen message.
        "received {put,",
        "sent at account.erl:40: Account ! {put, Balance + Amount}.",
        // The receive has no number in the trace; the one before has kept its number.
        "event:0.2.0/5",
        "rec:7",
        "  until event:0.2.0/5  # go there",
        "end:0.1.0: 0.1.0 main",
        "the answer is about",
    ] {
        assert!(told.contains(expected), "`{expected}` is missing:\n{told}");
    }
    // Dropped actions are not shown.
    let script = folder.file(
        "dropped",
        "until sent:0.2.0/2\nuse 0.4.0\naction 2\nuse 0.2.0\nchoose sent:0.4.0/2\nwhy error\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "3", &fixture("account")]);
    assert!(
        matches!(&done, Err(Error::NoTarget(told)) if told.contains("no process has ended abnormally")),
        "{done:?}\n{text}"
    );
    // A failure that exists only in the session: everyone reads before anyone writes.
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
    let program = session::record::Text {
        path: "counter.erl".to_owned(),
        source: COUNTER.as_bytes().into(),
        release: Default::default(),
    };
    let path = folder.0.path().join("counter.bin");
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
        ("X", "X has no value here; the variables are S"),
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
        "`Foo` is not a variable of the program: its variables are F, N, P, S, V, X"
    );
    // For one that never has a value there, a note says so.
    let (done, _) = replay(&["--until", "event:0.2.0/1", "--when", "X > 1", &trace]);
    let error = done.unwrap_err().to_string();
    assert!(
        error.contains("X never had a value there; the last time, the variables were S"),
        "{error}"
    );
    // An expression may bind variables of its own.
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
    // No observation of 0.2.0 was made when it ended.
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
        text.starts_with("Replayed until exit:0.2.0, then back output:0.2.0/2: "),
        "{text}"
    );
    let (_, json) = replay(&["--json", "--until", "exit:0.2.0", "--back", "output:0.2.0/2", &trace]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["target"], serde_json::Value::Null);
    assert_eq!(value["way"][1], "back output:0.2.0/2");
    let (_, text) = replay(&["--until", "exit:0.2.0", "--back", "1", "--until", "exit:0.2.0", &trace]);
    assert!(
        text.starts_with("Replayed until exit:0.2.0, then back 1, then until exit:0.2.0: "),
        "{text}"
    );
}

#[test]
fn sources_that_were_scrubbed_are_no_damage() {
    let folder = Folder::new("scrubbed");
    let trace = counter(&folder);
    let scrubbed = folder.0.path().join("scrubbed.bin").display().to_string();
    let (done, _) = replay(&["scrub", "--part", "sources", "-o", &scrubbed, &trace]);
    assert!(done.is_ok(), "{done:?}");
    let (done, _) = replay(&["--until", "error", &scrubbed]);
    let error = done.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the program's sources were left out of the trace; use a trace that holds them"),
        "{error}"
    );
}

#[test]
fn a_write_that_depends_on_what_it_found_says_so() {
    let folder = Folder::new("updates");
    let program = session::record::Text {
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
        release: Default::default(),
    };
    let path = folder.0.path().join("updates.bin");
    std::fs::write(&path, program.record_bytes(1).unwrap().1).unwrap();
    let (_, text) = replay(&["log", "--kind", "access", &path.display().to_string()]);
    assert!(
        text.contains("reads key ")
            && text.contains(" of the table 0.1.0/1, last written by event:0.2.0/1, and writes it"),
        "{text}"
    );
}

/// A server of two locks that two processes take in opposite order.
const LOCKS: &str = "-module(locks).
-export([main/0]).
main() ->
    Me = self(),
    A = spawn_link(fun() -> lock([]) end),
    B = spawn_link(fun() -> lock([]) end),
    spawn_link(fun() -> take(A), take(B), free(A), free(B), Me ! done end),
    spawn_link(fun() -> take(B), take(A), free(B), free(A), Me ! done end),
    receive done -> ok end,
    receive done -> ok end.
take(L) -> L ! {take, self()}, receive {L, yours} -> ok end.
lock([]) -> receive {take, P} -> P ! {self(), yours}, lock([P]) end;
lock(Held) -> receive {free, P} -> lock(Held -- [P]) end.
free(L) -> L ! {free, self()}.
";

/// A trace of this program under the first seed whose run ends like this.
fn recorded(folder: &Folder, name: &str, source: &str, fits: impl Fn(&log_format::RunEnd) -> bool) -> String {
    let program = session::record::Text {
        path: format!("{name}.erl"),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    for seed in 1..200 {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        if fits(&end) {
            let path = folder.0.path().join(format!("{name}.bin"));
            std::fs::write(&path, bytes).unwrap();
            return path.display().to_string();
        }
    }
    unreachable!("{name} never ends so");
}

#[test]
fn a_slice_of_a_deadlock_holds_who_waits() {
    let folder = Folder::new("deadlock");
    let trace = recorded(&folder, "locks", LOCKS, |end| *end == log_format::RunEnd::Deadlock);
    let slice = folder.0.path().join("slice.bin").display().to_string();
    replay(&["slice", "error", "-o", &slice, &trace]).0.unwrap();
    let story = |trace: &str| {
        let (done, text) = replay(&["why", trace]);
        done.unwrap();
        let waits = &text[text.find("\nWait").unwrap()..];
        waits[..waits.find("\n\n").unwrap()].to_owned()
    };
    let whole = story(&trace);
    assert!(whole.contains("take/1 waits at locks.erl:11 [end:0.4.0]"), "{whole}");
    assert!(
        whole.lines().all(|line| !line.ends_with('…')),
        "something is cut:\n{whole}"
    );
    assert_eq!(whole, story(&slice));
    replay(&["verify", &slice]).0.unwrap();
    // A slice of another action does not have them; it names those that it has.
    replay(&["slice", "end:0.1.0", "-o", &slice, &trace]).0.unwrap();
    let (done, text) = replay(&["why", &slice]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
}

#[test]
fn a_slice_says_what_it_does_not_hold() {
    let folder = Folder::new("slice-info");
    let trace = recorded(
        &folder,
        "fails",
        "-module(fails).\n-export([main/0]).\nmain() -> Me = self(), spawn(fun() -> Me ! hello end), receive X -> exit({bad, X}) end.\n",
        |end| matches!(end, log_format::RunEnd::Crashed { .. }),
    );
    let slice = folder.0.path().join("slice.bin").display().to_string();
    replay(&["slice", "sent:0.2.0/1", "-o", &slice, &trace]).0.unwrap();
    let (_, text) = replay(&["info", &slice]);
    assert!(text.contains("(of the whole run; not in this slice)"), "{text}");
    assert!(!text.contains("--until error"), "{text}");
    replay(&["slice", "error", "-o", &slice, &trace]).0.unwrap();
    let (_, text) = replay(&["info", &slice]);
    assert!(
        !text.contains("not in this slice") && text.contains("--until error"),
        "{text}"
    );
    // A changed program may wait for what the slice leaves out: it is never reported as fixed.
    let fixed = folder.file("fails.erl", "-module(fails).\n-export([main/0]).\nmain() -> ok.\n");
    let (done, text) = replay(&["check", &trace, "--program", &fixed]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let (done, text) = replay(&["check", &slice, "--program", &fixed]);
    assert!(
        matches!(done, Ok(Exit::Undecided)) && text.contains("the trace is a slice"),
        "{done:?}\n{text}"
    );
}

/// Runs the lines as a script of `debug`.
fn debug(folder: &Folder, lines: &str, trace: &str) -> (Result<Exit, Error>, String) {
    let script = folder.file("commands", lines);
    replay(&["debug", "-x", &script, trace])
}

#[test]
fn a_process_that_was_dropped_is_told_as_such() {
    let folder = Folder::new("dropped");
    let trace = recorded(&folder, "locks", LOCKS, |_| true);
    for lines in [
        "leave\nuse 0.4.0\n",
        "mark a\nuse 0.4.0\ngoto a\nleave\nuse 0.4.0\nstep 5\n",
    ] {
        let (done, text) = debug(&folder, lines, &trace);
        let told = matches!(&done, Err(Error::NoTarget(text)) if text.starts_with("0.4.0 no longer exists"));
        assert!(told, "{done:?}\n{text}");
    }
    let (done, text) = debug(&folder, "use 0.77.0\n", &trace);
    let told = "no process 0.77.0 in this trace: its processes are 0.1.0 to 0.5.0";
    assert!(
        matches!(&done, Err(Error::NoTarget(text)) if text.starts_with(told)),
        "{done:?}\n{text}"
    );
    for word in ["mark", "until", "undo", "causes"] {
        let (done, _) = debug(&folder, word, &trace);
        assert!(
            matches!(&done, Err(Error::Usage(text)) if text.contains(" needs a ")),
            "{word}: {done:?}"
        );
    }
}

#[test]
fn a_question_does_not_change_the_session() {
    let folder = Folder::new("question");
    let source = "-module(killed).\n-export([main/0]).\nmain() ->\n    P = spawn_link(fun() -> busy(30) end),\n    \
        receive after 1 -> ok end,\n    exit({bad, P}).\nbusy(0) -> receive stop -> ok end;\nbusy(N) -> busy(N - 1).\n";
    let trace = recorded(&folder, "killed", source, |_| true);
    let plain = debug(&folder, "until exit:0.1.0\nuse 0.2.0\naction 1\nposition\n", &trace);
    let asked = debug(
        &folder,
        "until exit:0.1.0\nchoices 0.2.0\nuse 0.2.0\naction 1\nposition\n",
        &trace,
    );
    assert!(matches!(plain.0, Ok(Exit::Success)), "{plain:?}");
    assert!(
        asked
            .1
            .contains("end by the exit signal sent:0.1.0/end/0.2.0  (as recorded)"),
        "{}",
        asked.1
    );
    assert!(
        asked.1.ends_with(&plain.1[plain.1.find("0.2.0 has ended").unwrap()..]),
        "{plain:?}\n{asked:?}"
    );
}

#[test]
fn a_session_is_saved_as_a_trace() {
    let folder = Folder::new("save");
    let trace = recorded(&folder, "locks", LOCKS, |end| *end != log_format::RunEnd::Deadlock);
    let saved = folder.0.path().join("saved.bin").display().to_string();
    // By single steps into the deadlock.
    let locks = folder.file("locks.erl", LOCKS);
    let lines =
        format!("normalise\nuse 0.2.0\nchoose sent:0.5.0/1\nuse 0.3.0\nchoose sent:0.8.0/1\nrun\nsave {saved}\n");
    let (done, text) = debug(&folder, &lines, &locks);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    replay(&["verify", &saved]).0.unwrap();
    let (done, text) = replay(&["why", &saved]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    assert!(text.contains("waits for ever") && text.contains("\nWait"), "{text}");
    let (_, info) = replay(&["info", &saved]);
    assert!(info.contains("by hand, in replay debug"), "{info}");
    // A failure is saved with its reason, and the saved trace can be checked.
    let program = folder.file(
        "divide.erl",
        "-module(divide).\n-export([main/0]).\nmain() -> X = self(), X ! 0, receive N -> 1 div N end.\n",
    );
    let (done, text) = debug(&folder, &format!("run until error\nsave {saved}\n"), &program);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let (_, info) = replay(&["info", &saved]);
    assert!(info.contains("the entry crashed: error {badarith,"), "{info}");
    let (done, text) = replay(&["check", &saved, "--program", &program]);
    assert!(
        matches!(done, Ok(Exit::Different)) && text.starts_with("still fails"),
        "{done:?}\n{text}"
    );
    // The recorded run up to the current position.
    let (done, text) = debug(&folder, &format!("until rec:1\nsave {saved}\n"), &trace);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    replay(&["verify", &saved]).0.unwrap();
    // Only traces are replaced, and not the one being viewed.
    for other in [program.as_str(), trace.as_str()] {
        let (done, _) = debug(&folder, &format!("save {other}\n"), &trace);
        assert!(matches!(done, Err(Error::Output { .. })), "{done:?}");
    }
}

#[test]
fn steps_stay_in_the_program() {
    let folder = Folder::new("steps");
    let source = "-module(sums).\n-export([main/0]).\nmain() ->\n    L = lists:map(fun(X) ->\n        X + 1 end, [1, 2]),\n    \
        io:format(\"~p~n\", [L]),\n    S = lists:sum(L),\n    S + 1.\n";
    let trace = recorded(&folder, "sums", source, |_| true);
    let places = |lines: &str| {
        let (done, text) = debug(&folder, lines, &trace);
        assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
        let line = |line: &str| Some(line.strip_prefix("0.1.0 in ")?.split("  ").next()?.to_owned());
        text.lines().filter_map(line).collect::<Vec<_>>()
    };
    let own = places(&"step\n".repeat(6));
    assert!(own.iter().all(|place| place.contains("sums.erl:")), "{own:?}");
    let lines: Vec<&str> = own.iter().map(|place| place.rsplit(':').next().unwrap()).collect();
    assert_eq!(lines, ["4", "5", "5", "6", "7", "8"]);
    let all = places(&"step library\n".repeat(4));
    assert!(all.iter().any(|place| place.contains("lists.erl:")), "{all:?}");
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let folder = Folder::new("absent");
    let source = "-module(ends).\n-export([main/0]).\nmain() ->\n    process_flag(trap_exit, true),\n    \
        P = spawn_link(fun() -> exit(bad) end),\n    Q = spawn(fun() -> receive never -> ok end end),\n    \
        receive {'EXIT', P, bad} -> exit({done, Q}) end.\n";
    let trace = recorded(&folder, "ends", source, |_| true);
    for (target, why) in [
        ("sent:0.2.0/end/0.99.0", "its processes are 0.1.0 to 0.3.0"),
        (
            "sent:0.2.0/end/0.3.0",
            "0.2.0 was not linked to 0.3.0 when it ended; these signals of its end were received: sent:0.2.0/end/0.1.0",
        ),
        ("sent:0.2.0/end/ref/0.3.0/1", "0.2.0 was not watched by 0.3.0"),
        ("sent:0.3.0/end/0.1.0", "0.3.0 has not ended"),
        ("sent:0.1.0/end/0.3.0", "0.1.0 was not linked to 0.3.0"),
        ("sent:0.2.0/end/table/0.1.0/1", "0.2.0 left no such table to an heir"),
    ] {
        let (done, _) = replay(&["--until", target, &trace]);
        assert!(
            matches!(&done, Err(Error::NoTarget(text)) if text.contains(why)),
            "{target}: {done:?}"
        );
    }
    replay(&["--until", "sent:0.2.0/end/0.1.0", &trace]).0.unwrap();
    for (back, why) in [
        ("var:Nope", "Nope had no value in 0.1.0 before: here it has P, Q"),
        ("line:ends.erl:2", "0.1.0 was not at ends.erl:2 before"),
    ] {
        let (done, text) = replay(&["--until", "exit:0.1.0", "--back", "1", "--back", back, &trace]);
        assert!(
            matches!(&done, Err(Error::NoTarget(text)) if text.contains(why)),
            "{back}: {done:?}\n{text}"
        );
    }
}

/// The whole function is one line, and what is called next is a function of the library.
#[test]
fn back_goes_to_where_a_variable_got_its_value_within_a_line() {
    let folder = Folder::new("back_var");
    let source = "-module(e1).\n-export([main/0]).\nmain() -> P = self(), spawn(fun() -> P ! {v, 3} end), \
                  Old = receive {v, X} -> X end, io:format(\"~p~n\", [Old]), Old + 1.\n";
    let trace = recorded(&folder, "e1", source, |_| true);
    let (done, text) = replay(&["--until", "end:0.1.0", "--back", "1", "--back", "var:Old", &trace]);
    assert!(done.is_ok(), "{done:?}\n{text}");
    assert!(
        text.contains("Old = 3") && text.contains("after 3 of its 4 actions"),
        "{text}"
    );
}

/// Of ten processes, the first that comes to the line has another number.
#[test]
fn a_line_without_a_process_means_one_for_which_the_condition_holds() {
    let folder = Folder::new("line_when");
    let source = "-module(lines).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    \
                  Ps = [spawn(fun() -> at(N, Me) end) || N <- lists:seq(1, 10)],\n    [receive P -> ok end || P <- Ps].\n\
                  at(N, Me) ->\n    M = N * 2,\n    Me ! M,\n    Me ! self().\n";
    let trace = recorded(&folder, "lines", source, |_| true);
    for n in [3, 7] {
        let (done, text) = replay(&["--until", "line:lines.erl:9", "--when", &format!("N == {n}"), &trace]);
        assert!(done.is_ok(), "{done:?}\n{text}");
        assert!(text.contains(&format!("M  = {}", 2 * n)), "{text}");
    }
    let (done, _) = replay(&["--until", "line:lines.erl:9", "--when", "N == 11", &trace]);
    assert!(
        matches!(&done, Err(Error::NoTarget(text)) if text.contains("the condition never holds")),
        "{done:?}"
    );
}

#[test]
fn two_runs_are_compared_with_contents_and_places() {
    let folder = Folder::new("diff");
    let is_stuck = |end: &log_format::RunEnd| *end == log_format::RunEnd::Deadlock;
    let good = recorded(&folder, "locks", LOCKS, |end| !is_stuck(end));
    let kept = folder.0.path().join("good.bin").display().to_string();
    std::fs::rename(&good, &kept).unwrap();
    let bad = recorded(&folder, "locks", LOCKS, is_stuck);
    let (done, text) = replay(&["diff", &kept, &bad]);
    assert!(matches!(done, Ok(Exit::Different)), "{done:?}\n{text}");
    assert!(
        text.contains("receives {take,<0.") && text.contains("  locks.erl:12"),
        "{text}"
    );
    // Without the program the answer comes from the logs.
    let bare = folder.0.path().join("bare.bin").display().to_string();
    replay(&["scrub", "--part", "sources", "-o", &bare, &bad]).0.unwrap();
    let (done, text) = replay(&["diff", &kept, &bare]);
    assert!(matches!(done, Ok(Exit::Different)), "{done:?}\n{text}");
    assert!(text.contains("receives a message from"), "{text}");
}

const DIVIDING: &str = include_str!("../../tests/dap/server.erl");

#[test]
fn breakpoints_and_failures_stop_a_session_forward_and_back() {
    let folder = Folder::new("breaks");
    let program = folder.file("server.erl", DIVIDING);
    let script = folder.file(
        "commands",
        "break server.erl:13 say adding {N} to {Total}\nbreak rec:{divide, _}\ncatch all\nc\nbt\nvars\nc\nlist\nprint {Left, Total}\nrs\n\
         until error\nfailure\nprint Left\ndisable 1\nrc\ndelete 2\nrc\nc\nc\nbreak\nmailbox\nquit\n",
    );
    let (done, text) = replay(&["debug", "-x", &script, "--seed", "1", &program]);
    assert!(matches!(done, Ok(Exit::Success)), "{done:?}\n{text}");
    let mut rest = text.as_str();
    for expected in [
        "breakpoint 1, ",
        "server.erl:13\n",
        "breakpoint 2, rec:{divide, _}\n",
        "adding 4 to 0\n",
        "breakpoint 2, rec:{divide, _}\n",
        ">  0  server:server/1, ",
        "Total = 4\n",
        "0.2.0 is about to end: error badarith\n",
        ">   16              From ! {result, 12 div Left},\n",
        "{0,4}\n",
        "server.erl:15  Left = Total - 4,\n",
        // After the end, and back at the line that raised.
        "0.2.0 has ended: error badarith\n",
        "server.erl:16  From ! {result, 12 div Left},\n0\n",
        "breakpoint 2, rec:{divide, _}\n",
        "this is the beginning\n",
        "is about to end: error badarith\n",
        "all that was recorded is done\n",
        "disabled, met 0 times\n",
        "nothing is in the mailbox of 0.2.0\n",
    ] {
        let Some(at) = rest.find(expected) else {
            panic!("`{expected}` is missing after the lines before it:\n{text}");
        };
        rest = &rest[at + expected.len()..];
    }
}

#[test]
fn wrong_breakpoints_are_refused() {
    let folder = Folder::new("wrong-breaks");
    let program = folder.file("server.erl", DIVIDING);
    for (line, said) in [
        ("break server.erl:99", "there is no code on line 99"),
        ("break nonsense", "is no place for a breakpoint"),
        ("break rec:{add,", "expected an Erlang pattern"),
        ("break server.erl:13 when N >", "expected an Erlang expression"),
        ("break server.erl:13 hits zero", "is no number of hits"),
        ("delete 7", "there is no breakpoint 7"),
        ("catch fire", "is no failure"),
        ("frame 99", "there is no such activation"),
        ("failure", "no error in this trace"),
    ] {
        let script = folder.file("commands", &format!("{line}\n"));
        let (done, _) = replay(&["debug", "-x", &script, &program]);
        let error = done.unwrap_err().to_string();
        assert!(error.contains(said), "{line}: {error}");
    }
}
