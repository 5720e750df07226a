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
