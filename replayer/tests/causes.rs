//! The likely cause that `why` names for programs with one fault each (`tests/causes/`). In each program's heading the true cause is written down,
//! by somebody who had not seen what the tool says; `NAME.says` is what it says. `BLESS=1` writes these files.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use log_format::Trace;
use replayer::commands::why::story;
use session::Session;
use session::record::{Text, is_failure};
use session::subject::ShownBounds;

const BOUNDS: ShownBounds = ShownBounds {
    chars: 120,
    frames: 6,
    items: 20,
};

/// So many seeds are tried until a program fails.
const SEEDS: u64 = 400;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/causes")
}

fn failing(name: &str) -> Session {
    let source = std::fs::read(folder().join(format!("{name}.erl"))).unwrap();
    let program = Text {
        path: format!("{name}.erl"),
        source: source.into(),
        release: Default::default(),
    };
    for seed in 1..=SEEDS {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        if is_failure(&end) {
            return Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
        }
    }
    panic!("{name} did not fail under {SEEDS} seeds")
}

fn programs() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|end| end == "erl"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    names
}

#[test]
fn the_likely_cause_is_the_true_one() {
    let mut wrong = Vec::new();
    for name in programs() {
        let session = failing(&name);
        let view = story(
            &session,
            ("error", decisive::Limits::default()),
            Path::new("trace.bin"),
            &BOUNDS,
            false,
        )
        .unwrap();
        let said: String = replayer::render::why::heading(&view)
            .iter()
            .map(|one| format!("{one}\n"))
            .collect();
        let likely = view.likely.map_or_else(String::new, |likely| likely.text);
        let path = folder().join(format!("{name}.says"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &said).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != said {
            wrong.push(format!("{name}: {said}"));
        }
        // Every action that it names can be asked for.
        for target in likely
            .split('[')
            .skip(1)
            .filter_map(|rest| rest.split([',', ']']).next())
        {
            if target.contains(':') {
                resolve(session.trace(), target).unwrap_or_else(|e| panic!("{name}: {target}: {e}"));
            }
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 if these are right:\n{}", wrong.join(""));
}

/// A table was read as a whole, and the failure names one key of it: the story goes back to the last write of that key, and not of the table.
#[test]
fn a_read_of_a_whole_table_goes_back_to_the_key_that_the_failure_names() {
    let session = failing("leftover");
    let limits = decisive::Limits::default().nothing();
    let view = story(&session, ("error", limits), Path::new("trace.bin"), &BOUNDS, false).unwrap();
    let read = view.links[0].read.as_ref().unwrap().to_string();
    assert!(
        read.starts_with("read key {tmp,draft} of the table files, last written by 0.2.0 writer/1"),
        "{read}"
    );
}

/// Both give up at the same time, and whoever is second hears of the end of the first. That is no cause.
#[test]
fn who_gives_up_first_is_no_cause_of_a_circle() {
    let source = std::fs::read(folder().join("billing.erl")).unwrap();
    let program = Text {
        path: "billing.erl".to_owned(),
        source: source.into(),
        release: Default::default(),
    };
    let mut failing = 0;
    for seed in 1..=8 {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        if !is_failure(&end) {
            continue;
        }
        failing += 1;
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
        let view = story(
            &session,
            ("error", decisive::Limits::default()),
            Path::new("trace.bin"),
            &BOUNDS,
            false,
        )
        .unwrap();
        let likely = view.likely.map_or_else(String::new, |likely| likely.text);
        assert!(likely.contains("wait for each other"), "seed {seed}: {likely}");
    }
    assert!(failing >= 3, "{failing}");
}

/// The numbers of processes depend on the order of all spawns of a run, which says nothing about who they are.
#[test]
fn diff_knows_processes_by_their_parents() {
    const SOURCE: &str = "-module(m).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> parent(Me, N) end) || N <- [1, 2, 3]],\n    \
                          [receive {done, N} -> ok end || N <- [1, 2, 3]].\nparent(Me, N) ->\n    spawn(fun() -> Me ! {done, N} end).\n";
    let record = |seed: u64| {
        let program = Text {
            path: "m.erl".to_owned(),
            source: (*SOURCE.as_bytes()).into(),
            release: Default::default(),
        };
        let (_, bytes) = program.record_bytes(seed).unwrap();
        Trace::from_bytes(bytes).unwrap()
    };
    let grandchildren = |trace: &Trace| -> Vec<_> {
        let processes = trace.processes().map(|process| process.unwrap());
        processes
            .filter_map(|process| Some((process.pid, process.parent?.pid)))
            .collect()
    };
    let first = record(1);
    let other = (2..100)
        .map(record)
        .find(|trace| grandchildren(trace) != grandchildren(&first))
        .unwrap();
    let view = replayer::commands::diff::diff(&first, &other, false, 10).unwrap();
    assert!(view.differences.is_empty(), "{:?}", view.differences);
    assert_eq!(view.equal_processes, 7);
}

/// The point that a target names by the log alone.
fn resolve(trace: &Trace, target: &str) -> Result<causality::Point, session::Error> {
    Ok(target.parse::<causality::Target>()?.resolve(trace)?)
}
