//! Keeping variables for a debugger, and the times of garbage collections, do not change a program's behaviour: over the conformance programs,
//! the fixtures and generated programs, with a collection at every call (semantics.md §5: points of execution are those of the language).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use interpreter::atom::Atom;
use interpreter::vm::{LineCounts, Program};
use log_format::{Action, InputClass, Kind, Pid};
use seeds::seeds;
use system::loader::{Archive, LoadedFile, ModuleFile, Role, SourceLoader};
use system::observer::{ActionEvent, Detail, Observer};
use system::outside::Simulated;
use system::scheduler::Random;
use system::{Limits, RunClock, Settings, System};
use tests::generate::{self, Level};
use tests::root;

/// The actions and output of the processes, in order.
type Log = BTreeMap<Pid, Vec<(Action, Vec<u8>)>>;

#[derive(Clone, Default)]
struct Memory {
    log: Arc<Mutex<Log>>,
    /// The number of events before the last actions.
    events: Arc<AtomicU64>,
}

impl Observer for Memory {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        let output = match event.detail {
            Detail::Output(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        self.events.fetch_add(event.machine.events(), Ordering::Relaxed);
        let mut log = self.log.lock().expect("no test thread panicked");
        let mut action = without_sizes(event.action.clone());
        if let Kind::Output { bytes, .. } = &mut action.kind
            && mentions_size(&output)
        {
            // As many digits as the sizes have.
            *bytes = 0;
        }
        let done = (action, without_digits(output));
        log.entry(event.pid).or_default().push(done);
    }
}

/// The size of a heap, which a program may request, is the only thing that collections change; the log has the answer for a replay.
const SIZES: [&str; 2] = ["heap_size", "memory"];

fn mentions_size(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    SIZES.iter().any(|name| text.contains(name))
}

fn without_sizes(mut action: Action) -> Action {
    match &mut action.kind {
        Kind::Observe { value, .. } if mentions_size(value) => value.clear(),
        // Memory, reductions, collections.
        Kind::Input { value } if matches!(InputClass::split(value), Some((InputClass::System, _))) => value.clear(),
        _ => {}
    }
    action
}

/// Crash reports print sizes.
fn without_digits(mut output: Vec<u8>) -> Vec<u8> {
    if mentions_size(&output) {
        output.retain(|b| !b.is_ascii_digit());
    }
    output
}

/// The module first, then the others that it needs.
struct Subject {
    name: String,
    files: Vec<(PathBuf, Arc<[u8]>)>,
}

/// How the program is compiled and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mode {
    keep: bool,
    often: bool,
    counts: bool,
}

const PLAIN: Mode = Mode {
    keep: false,
    often: false,
    counts: false,
};

/// Programs with more events than this are not run with a collection at every call, which would take minutes.
const MANY_EVENTS: u64 = 100_000;

/// Runs it: its actions, and the approximate number of events. `None`: it does not compile.
fn run(subject: &Subject, mode: Mode, seed: u64) -> Option<(Log, u64)> {
    let mut program = Program::new(&[system::natives::NATIVES]);
    if mode.keep {
        program.keep_variables();
    }
    if mode.often {
        program.collect_always();
    }
    if mode.counts {
        program.count_lines(Arc::new(LineCounts::new(|_| true)));
    }
    let sources = subject.files.iter().map(|(path, text)| LoadedFile {
        role: Role::Module(path.file_stem().unwrap_or_default().to_string_lossy().into_owned()),
        path: path.display().to_string(),
        text: Arc::clone(text),
        options: Vec::new(),
    });
    let mut loader = SourceLoader::new(Box::new(Archive::new(sources.collect())));
    let (path, text) = &subject.files[0];
    let module = loader
        .load_file(
            ModuleFile::plain(path.display().to_string(), Arc::clone(text)),
            &mut program,
        )
        .ok()?;
    let settings = Settings {
        scheduler: Box::new(Random::new(seed)),
        outside: Box::new(Simulated::new(7)),
        loader: Box::new(loader),
        clock: RunClock::Virtual(0),
        delivery: system::Delivery::Causal,
        limits: Limits {
            time: Some(60_000_000_000),
            ..Limits::default()
        },
        arguments: Vec::new(),
        exit_with_entry: false,
    };
    let observer = Memory::default();
    let (log, events) = (Arc::clone(&observer.log), Arc::clone(&observer.events));
    let mut system = System::new(Arc::new(program), observer, settings, None);
    system.start(module, Atom::new("main"), None);
    system.run();
    let log = std::mem::take(&mut *log.lock().expect("no test thread panicked"));
    Some((log, events.load(Ordering::Relaxed)))
}

/// The number of actions, or 0 if the program is refused.
fn check(subject: &Subject, modes: &[Mode], seed: u64) -> u64 {
    let Some((expected, events)) = run(subject, PLAIN, seed) else {
        return 0;
    };
    for &mode in modes.iter().filter(|m| !m.often || events < MANY_EVENTS) {
        let (log, _) = run(subject, mode, seed).unwrap_or_else(|| panic!("{} is refused with {mode:?}", subject.name));
        for (pid, actions) in &expected {
            let again = log.get(pid).map_or(&[][..], |a| &a[..]);
            for (i, (a, b)) in actions.iter().zip(again).enumerate() {
                assert!(
                    a == b,
                    "{} with {mode:?}: action {pid}/{}: {a:?}, expected {b:?}",
                    subject.name,
                    i + 1
                );
            }
            assert_eq!(
                actions.len(),
                again.len(),
                "{} with {mode:?}: actions of {pid}",
                subject.name
            );
        }
        assert_eq!(expected.len(), log.len(), "{} with {mode:?}: processes", subject.name);
    }
    expected.values().map(|actions| actions.len() as u64).sum()
}

const MODES: [Mode; 4] = [
    Mode { keep: true, ..PLAIN },
    Mode { often: true, ..PLAIN },
    Mode {
        keep: true,
        often: true,
        ..PLAIN
    },
    Mode { counts: true, ..PLAIN },
];

fn erlang_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a folder entry").path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "erl"));
    paths
}

fn subject(path: &Path) -> Subject {
    let text = |p: &Path| -> Arc<[u8]> {
        std::fs::read(p)
            .unwrap_or_else(|e| panic!("{}: {e}", p.display()))
            .into()
    };
    let folder = path.parent().expect("a file is in a folder");
    let mut files = vec![(path.to_owned(), text(path))];
    for other in erlang_files(folder).iter().filter(|p| *p != path) {
        files.push((other.clone(), text(other)));
    }
    Subject {
        name: path.display().to_string(),
        files,
    }
}

#[test]
fn conformance_programs_do_the_same() {
    let mut paths = Vec::new();
    for area in std::fs::read_dir(root().join("tests/conformance")).expect("the folder is there") {
        let area = area.expect("a folder entry").path();
        if area.is_dir() {
            paths.extend(erlang_files(&area));
        }
    }
    paths.retain(|p| p.with_extension("out").exists());
    // Depends on which atoms earlier runs in this test have created.
    paths.retain(|p| !p.ends_with("process/atoms_safe.erl"));
    paths.sort();
    let paths = seeds::share(paths, 15);
    let next = AtomicUsize::new(0);
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let actions = check(&subject(path), &MODES, 1);
                    done.fetch_add(actions, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(done.into_inner() > 1000, "the programs do too little");
}

#[test]
fn fixtures_do_the_same() {
    for name in tests::fixtures() {
        for seed in seeds(2, 8) {
            let actions = check(&subject(&tests::fixture(&name)), &MODES, seed);
            assert!(actions > 0, "{name} is refused");
        }
    }
}

#[test]
fn generated_programs_do_the_same() {
    let mut actions = 0;
    for seed in seeds(40, 1_000) {
        let text = generate::program(seed, Level::Everything);
        let subject = Subject {
            name: format!("gen{seed}"),
            files: vec![("gen.erl".into(), text.as_bytes().into())],
        };
        actions += check(&subject, &MODES, seed);
    }
    assert!(
        actions > 1_000,
        "the generated programs do too little: {actions} actions"
    );
}
