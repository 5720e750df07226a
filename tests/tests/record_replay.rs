//! Record → replay gives the same states (semantics.md §7): over every fixture and generated programs, with many seeds, in memory.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use interpreter::atom::Atom;
use interpreter::print;
use interpreter::syntax::Options;
use interpreter::vm::Program;
use log_format::{Action, ActionNo, Pid};
use system::feed::{Cursor, LogSource, Plan, Quota};
use system::loader::{Archive, Role, Source, SourceLoader};
use system::observer::{Detail, Event, Observer};
use system::outside::Simulated;
use system::scheduler::{Random, RoundRobin, Scheduler};
use system::{Clock, Limits, Settings, System};
use tests::generate::{self, Level};

/// The log of one process with a description of its state after each action.
type Log = Vec<(Action, String)>;
type Logs = Arc<Mutex<HashMap<Pid, Log>>>;

/// Keeps everything in memory.
#[derive(Clone, Default)]
struct Memory {
    logs: Logs,
}

impl Observer for Memory {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), event: &Event<'_>) {
        let mut logs = self.logs.lock().expect("no test thread panicked");
        let log = logs.entry(event.pid).or_default();
        assert_eq!(event.number, ActionNo(log.len() as u64 + 1));
        log.push((event.action.clone(), fingerprint(event)));
    }
}

/// Where the process stands, what its variables hold, what it sent or wrote.
fn fingerprint(event: &Event<'_>) -> String {
    let mut out = String::new();
    let style = print::Style::unicode(event.program);
    let heap = &event.machine.heap;
    let text = |t| print::write(heap, t, -1, &style);
    for frame in event.machine.frames(event.program) {
        if let Some(l) = &frame.location {
            let _ = write!(out, "{}:{}/{} {}:{}", l.module, l.function, l.arity, l.line, l.column);
        }
        for (name, value) in &frame.variables {
            let _ = write!(out, " {name}={}", value.map_or_else(|| "?".to_owned(), text));
        }
        out.push('\n');
    }
    for (key, value) in &event.machine.local.dictionary {
        let _ = writeln!(out, "dictionary {}={}", text(*key), text(*value));
    }
    match event.detail {
        Detail::Sent { to, message } => {
            let _ = write!(out, "sent {to:?} {}", text(message));
        }
        Detail::Value(value) => out.push_str(&text(value)),
        Detail::Output(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
        Detail::None | Detail::Received { .. } | Detail::Ended(_) => {}
    }
    out
}

struct Source0 {
    logs: HashMap<Pid, Arc<Vec<Action>>>,
    texts: Vec<String>,
}

struct Cursor0 {
    log: Arc<Vec<Action>>,
    at: usize,
}

impl Cursor for Cursor0 {
    fn next(&mut self) -> Option<Action> {
        self.at += 1;
        self.log.get(self.at - 1).cloned()
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            log: Arc::clone(&self.log),
            at: self.at,
        })
    }
}

impl LogSource for Source0 {
    fn open(&self, pid: Pid, done: ActionNo) -> Option<Box<dyn Cursor>> {
        let log = self.logs.get(&pid)?;
        Some(Box::new(Cursor0 {
            log: Arc::clone(log),
            at: done.0 as usize,
        }))
    }
    fn last_pid(&self) -> Pid {
        self.logs.keys().copied().max().unwrap_or(Pid(0))
    }
    fn texts(&self) -> Vec<String> {
        self.texts.clone()
    }
}

struct Subject {
    name: String,
    path: String,
    text: Arc<[u8]>,
}

fn settings(subject: &Subject, program: &mut Program, scheduler: Box<dyn Scheduler>) -> (Settings, Atom) {
    let archive = Archive::new(vec![Source {
        role: Role::Module(subject.name.clone()),
        path: subject.path.clone(),
        text: Arc::clone(&subject.text),
    }]);
    let mut loader = SourceLoader::new(Box::new(archive), Options::default());
    let module = loader
        .load_file(&subject.path, Arc::clone(&subject.text), program)
        .unwrap_or_else(|e| panic!("{} does not compile: {e}", subject.path));
    let settings = Settings {
        scheduler,
        outside: Box::new(Simulated::new(7)),
        loader: Box::new(loader),
        clock: Clock::Virtual(0),
        limits: Limits {
            time: Some(60_000_000_000),
            ..Limits::default()
        },
        arguments: Vec::new(),
        exit_with_entry: false,
    };
    (settings, module)
}

fn run(subject: &Subject, scheduler: Box<dyn Scheduler>, plan: Option<Plan>) -> (Logs, System<Memory>) {
    let mut program = Program::new(&[system::natives::NATIVES]);
    let (settings, module) = settings(subject, &mut program, scheduler);
    let observer = Memory::default();
    let logs = Arc::clone(&observer.logs);
    let mut system = System::new(Arc::new(program), observer, settings, plan);
    system.start(module, Atom::new("main"), None);
    system.run();
    (logs, system)
}

/// Records a run and replays it whole, in two schedules.
fn check(subject: &Subject, seed: u64) -> u64 {
    let (logs, recorded) = run(subject, Box::new(Random::new(seed)), None);
    let recorded_logs = logs.lock().expect("no test thread panicked").clone();
    let source: Arc<dyn LogSource> = Arc::new(Source0 {
        logs: recorded_logs
            .iter()
            .map(|(pid, log)| (*pid, Arc::new(log.iter().map(|(a, _)| a.clone()).collect())))
            .collect(),
        texts: recorded.texts().to_vec(),
    });
    let schedulers: [Box<dyn Scheduler>; 2] = [Box::new(RoundRobin::default()), Box::new(Random::new(seed ^ 0xabcd))];
    for scheduler in schedulers {
        let plan = Plan::new(Arc::clone(&source), Quota::All);
        let (logs, replayed) = run(subject, scheduler, Some(plan));
        let place = format!("{} with seed {seed}", subject.path);
        if let Some(divergence) = &replayed.divergence {
            panic!("{place}: {divergence}");
        }
        if let Some(stuck) = replayed.stuck() {
            panic!("{place}: stuck: {stuck}");
        }
        let replayed_logs = logs.lock().expect("no test thread panicked");
        for (pid, log) in &recorded_logs {
            let again = replayed_logs
                .get(pid)
                .unwrap_or_else(|| panic!("{place}: {pid} was not replayed"));
            for (i, (a, b)) in log.iter().zip(again).enumerate() {
                assert!(
                    a.0 == b.0,
                    "{place}: action {pid}/{} differs: recorded {:?}, replayed {:?}",
                    i + 1,
                    a.0,
                    b.0
                );
                assert!(
                    a.1 == b.1,
                    "{place}: the state after {pid}/{} ({:?}) differs: recorded\n{}replayed\n{}",
                    i + 1,
                    a.0,
                    a.1,
                    b.1
                );
            }
            assert_eq!(log.len(), again.len(), "{place}: {pid} did fewer or more actions");
        }
        assert_eq!(recorded_logs.len(), replayed_logs.len(), "{place}: processes");
    }
    recorded.total_actions
}

#[test]
fn every_fixture_replays_to_the_same_states() {
    for entry in std::fs::read_dir(tests::root().join("fixtures")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let path = folder.join(format!("{name}.erl"));
        let Ok(text) = std::fs::read(&path) else { continue };
        let subject = Subject {
            name,
            path: path.display().to_string(),
            text: text.into(),
        };
        for seed in 0..64 {
            check(&subject, seed);
        }
    }
}

#[test]
fn generated_programs_replay_to_the_same_states() {
    let mut actions = 0;
    for seed in 0..300 {
        let level = if seed % 3 == 0 {
            Level::Messages
        } else {
            Level::Everything
        };
        let text = generate::program(seed, level);
        let subject = Subject {
            name: "gen".to_owned(),
            path: format!("gen{seed}.erl"),
            text: text.as_bytes().into(),
        };
        for schedule in 0..4 {
            actions += check(&subject, seed * 4 + schedule);
        }
    }
    assert!(
        actions > 10_000,
        "the generated programs do too little: {actions} actions"
    );
}
