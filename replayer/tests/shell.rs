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
    for expected in ["receive sent:", "{get,<0.", "0.1.0 is not running", "actions undone:"] {
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
