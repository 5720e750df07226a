//! `check` on pairs of a program with a bug and the same program with the bug fixed (tests/pairs/): the right verdict on both in at least 80 %,
//! and never `fixed` for a program that still has the bug.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod driven;
mod evidence;
mod failures;
mod fixes;
mod generated;
mod mutants;
mod times;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use check::{CheckVerdict, Options, check};
use log_format::Trace;
use session::Session;
use session::record::Text;
use system::Delivery;
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/pairs")
}

/// Names of all pairs, sorted.
fn pairs() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".fixed.erl")?.to_owned())
        })
        .collect();
    names.sort();
    names
}

fn program(name: &str) -> Text {
    let path = folder().join(format!("{name}.erl"));
    Text {
        path: path.display().to_string(),
        source: std::fs::read(&path).unwrap().into(),
        release: Default::default(),
    }
}

/// A failing run of the program with the bug. Several tests ask for it: it is recorded once.
fn failing(name: &str) -> Session {
    static FOUND: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let found = Arc::clone(FOUND.lock().unwrap().entry(name.to_owned()).or_default());
    let bytes = found.get_or_init(|| record_failing(name)).clone();
    Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap()
}

fn record_failing(name: &str) -> Vec<u8> {
    let program = program(name);
    // Some bugs show only if a message overtakes its cause.
    let mut orders = [Delivery::Causal, Delivery::Free].into_iter();
    let run = orders.find_map(|order| {
        (1..=200).find_map(|seed| {
            let (end, bytes) = program.record_bytes_on(None, seed, None, order).unwrap();
            (session::record::is_failure(&end) || crashes(&bytes)).then_some(bytes)
        })
    });
    run.unwrap_or_else(|| panic!("{name} never fails"))
}

/// A crash of a process other than the entry process is a failure too.
fn crashes(bytes: &[u8]) -> bool {
    let trace = Trace::from_bytes(bytes.to_vec()).unwrap();
    !causality::abnormal_ends(&trace).unwrap().is_empty()
}

fn with(program: PathBuf) -> Options {
    Options {
        program: vec![program],
        ..Options::default()
    }
}

struct Scratch(TempDir);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(format!("replay-check-{name}-")).unwrap())
    }
}

/// Maximum number of actions driven, to bound the time of the test.
const LONGEST: u64 = 20_000;

/// Programs that cannot be followed (docs/limitations.md): receives with a timeout that `erl_eval` evaluates.
const NOT_FOLLOWED: &[&str] = &["process/evaluated_receive"];

/// A run of a program in this file, under the first seed with which it fails (or, with `well`, does not fail).
fn run_of(name: &str, source: &str, well: bool) -> Session {
    first_run(name, source, 600, well).unwrap_or_else(|| panic!("{name} never ends so"))
}

/// The same for a failing run, if one of the first seeds gives one.
fn recorded_text(name: &str, source: &str, seeds: u64) -> Option<Session> {
    first_run(name, source, seeds, false)
}

fn first_run(name: &str, source: &str, seeds: u64, well: bool) -> Option<Session> {
    let program = Text {
        path: format!("{name}.erl"),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    let bytes = (1..=seeds).find_map(|seed| {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        (session::record::is_failure(&end) != well).then_some(bytes)
    })?;
    Some(Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap())
}

/// The answer of `check` for another source of the program.
fn checked(session: &Session, name: &str, source: &str, options: Options) -> check::Checked {
    let scratch = Scratch::new(name);
    let path = scratch.0.path().join(format!("{name}.erl"));
    std::fs::write(&path, source).unwrap();
    check(
        session,
        &Options {
            program: vec![path],
            ..options
        },
    )
    .unwrap()
}

const FLAKY: &str = "-module(flaky).\n-export([main/0]).\nmain() ->\n    S = spawn(fun() -> server() end),\n    S ! {work, self()},\n    \
     receive done -> ok end.\nserver() ->\n    receive {work, P} ->\n        {_, M} = spawn_monitor(fun() -> exit(flaky) end),\n        \
     receive {'DOWN', M, _, _, flaky} -> P, forgotten end,\n        server()\n    end.\n";

/// Two clients of a desk that forgets those who come while it is busy; their parent gives each two seconds.
const DESK: &str = "-module(desk).\n-export([main/0]).\nmain() ->\n    D = spawn_link(fun() -> desk(free) end),\n    Me = self(),\n    \
     Vs = [spawn(fun() -> timer:sleep(rand:uniform(8)), visit(D), Me ! {served, self()} end) || _ <- [1, 2]],\n    \
     [served, served] = [receive {served, V} -> served after 2000 -> sent_away end || V <- Vs].\n\
     visit(D) -> D ! {hello, self()}, receive your_turn -> ok end.\n\
     desk(Whom) ->\n    receive\n        {hello, V} when Whom =:= free -> erlang:send_after(4, self(), done), desk(V);\n        \
     {hello, _V} -> desk(Whom);\n        done -> Whom ! your_turn, desk(free)\n    end.\n";
