//! Runs in memory: programs recorded and replayed without a file, with a description of every state, for the property tests.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex};

use interpreter::atom::Atom;
use interpreter::print;
use interpreter::vm::Program;
use log_format::{Action, ActionId, ActionNo, Kind, Pid, Resource, Tag, Trace};
use system::feed::{Cursor, LogSource, Plan, Quota};
use system::loader::{Archive, LoadedFile, ModuleFile, Role, SourceLoader};
use system::observer::{ActionEvent, Detail, Nobody, Observer};
use system::outside::Simulated;
use system::recorder::{Recorder, RunFacts};
use system::scheduler::{Random, Scheduler};
use system::{Limits, RunClock, RunEnd, Settings, System};

/// The log of one process with a description of its state after each action.
pub type Log = Vec<(Action, String)>;
type MemoryLogs = Arc<Mutex<HashMap<Pid, Log>>>;

/// Keeps everything in memory.
#[derive(Clone, Default)]
pub struct Memory {
    logs: MemoryLogs,
}

impl Observer for Memory {
    type Log = ();
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        let mut logs = self.logs.lock().expect("no test thread panicked");
        let log = logs.entry(event.pid).or_default();
        assert_eq!(event.number, ActionNo(log.len() as u64 + 1));
        log.push((event.action.clone(), fingerprint(event)));
    }
}

/// The position of the process, the values of its variables, and what it sent or wrote.
fn fingerprint(event: &ActionEvent<'_>) -> String {
    let mut out = String::new();
    let style = print::Style::unicode(event.program);
    let heap = &event.machine.heap;
    // Long enough to distinguish states, bounded for programs with long lists in every variable.
    let text = |t| print::short(heap, t, 1000, &style);
    for frame in event.machine.frames(event.program) {
        if let Some(l) = &frame.location {
            let _ = write!(out, "{}:{}/{} {}:{}", l.module, l.function, l.arity, l.line, l.column);
        }
        for (name, value) in &frame.variables {
            let _ = write!(out, " {name}={}", value.map_or_else(|| "?".to_owned(), text));
        }
        out.push('\n');
    }
    for (key, value) in event.machine.local.dictionary.iter() {
        let _ = writeln!(out, "dictionary {}={}", text(key), text(value));
    }
    match event.detail {
        Detail::Sent { to, message } => {
            let _ = write!(out, "sent {to:?} {}", text(message));
        }
        Detail::Value(value) => out.push_str(&text(value)),
        Detail::Output(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
        Detail::None | Detail::TimedOut(_) | Detail::Received { .. } | Detail::Ended(_) => {}
    }
    out
}

/// The areas of the conformance programs that are recorded and replayed: those in which processes affect each other or the outside.
pub const REPLAYED: &[&str] = &[
    "process", "ets", "nodes", "otp", "errors", "crash", "reports", "misc", "lib",
];

/// A program to run: one module.
pub struct RunSubject {
    /// Name of the module.
    pub name: String,
    /// Its path, for messages.
    pub path: String,
    /// Its source.
    pub text: Arc<[u8]>,
}

impl RunSubject {
    /// A module that was generated instead of read.
    #[must_use]
    pub fn new(name: &str, path: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            path: path.to_owned(),
            text: text.as_bytes().into(),
        }
    }

    /// Every fixture that is one module, in order.
    #[must_use]
    pub fn fixtures() -> Vec<Self> {
        let read = |name: String| {
            let path = crate::fixture(&name);
            let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            Self {
                path: path.display().to_string(),
                text: text.into(),
                name,
            }
        };
        crate::fixtures().into_iter().map(read).collect()
    }

    /// The conformance programs of one area that are one module and need nothing external, in order.
    ///
    /// # Panics
    /// If they cannot be read.
    #[must_use]
    pub fn conformance(area: &str) -> Vec<Self> {
        let folder = crate::root().join("tests/conformance").join(area);
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|e| e == "erl") && path.with_extension("out").exists());
        let read = |path: std::path::PathBuf| {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Self::new(&name, &path.display().to_string(), &text)
        };
        let mut programs: Vec<Self> = paths.into_iter().map(read).collect();
        programs.retain(|p| !p.text.starts_with(b"%% with:"));
        programs
    }

    /// The node that it asks for: `%% node: NAME` in its first line.
    #[must_use]
    pub fn node(&self) -> Option<String> {
        // Completed as by `tracer run --sname`.
        crate::node_of(&String::from_utf8_lossy(&self.text)).map(|name| format!("{name}@localhost"))
    }

    fn sources(&self) -> Vec<LoadedFile> {
        vec![LoadedFile {
            role: Role::Module(self.name.clone()),
            path: self.path.clone(),
            text: Arc::clone(&self.text),
            options: Vec::new(),
        }]
    }

    /// Compiles it.
    ///
    /// # Panics
    /// If it does not compile.
    fn compile(&self) -> (Program, SourceLoader) {
        let mut program = Program::new(&[system::natives::NATIVES]);
        let mut loader = SourceLoader::new(Box::new(Archive::new(self.sources())));
        loader
            .load_file(ModuleFile::plain(&*self.path, Arc::clone(&self.text)), &mut program)
            .unwrap_or_else(|e| panic!("{} does not compile: {e}", self.path));
        (program, loader)
    }
}

fn settings(loader: SourceLoader, scheduler: Box<dyn Scheduler>) -> Settings {
    Settings {
        scheduler,
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
    }
}

/// A recorded run.
pub struct RecordedRun {
    /// The program and the seed, for messages.
    pub place: String,
    /// The actions of every process.
    pub logs: HashMap<Pid, Log>,
    /// How the run ended.
    pub end: RunEnd,
    module: Atom,
    program: Arc<Program>,
    subject_sources: Vec<LoadedFile>,
    source: Arc<MemorySource>,
    births: HashMap<Pid, ActionId>,
}

/// Records a run whose schedule is a function of the seed.
///
/// # Panics
/// If the program does not compile.
#[must_use]
pub fn record(subject: &RunSubject, seed: u64) -> RecordedRun {
    let recorded = record_under(subject, Box::new(Random::new(seed)));
    RecordedRun {
        place: format!("{} with seed {seed}", subject.path),
        ..recorded
    }
}

/// Records a run under this scheduler.
///
/// # Panics
/// If the program does not compile.
#[must_use]
pub fn record_under(subject: &RunSubject, scheduler: Box<dyn Scheduler>) -> RecordedRun {
    let (program, loader) = subject.compile();
    let observer = Memory::default();
    let logs = Arc::clone(&observer.logs);
    let mut system = System::new(Arc::new(program), observer, settings(loader, scheduler), None);
    let module = Atom::new(&subject.name);
    if let Some(node) = subject.node() {
        system.name_node(&node);
    }
    system.start(module, Atom::new("main"), None);
    let end = system.run();
    let logs = logs.lock().expect("no test thread panicked").clone();
    let source = MemorySource {
        logs: logs
            .iter()
            .map(|(pid, log)| (*pid, Arc::new(log.iter().map(|(a, _)| a.clone()).collect())))
            .collect(),
        texts: system.texts().to_vec(),
        nodes: system.nodes(),
    };
    RecordedRun {
        place: subject.path.clone(),
        logs,
        end,
        module,
        program: Arc::clone(&system.program),
        subject_sources: subject.sources(),
        births: source.births(),
        source: Arc::new(source),
    }
}

/// The number of actions of that run, without keeping it.
///
/// # Panics
/// If the program does not compile.
#[must_use]
pub fn length(subject: &RunSubject, seed: u64) -> u64 {
    let (program, loader) = subject.compile();
    let settings = settings(loader, Box::new(Random::new(seed)));
    let mut system = System::new(Arc::new(program), Nobody, settings, None);
    if let Some(node) = subject.node() {
        system.name_node(&node);
    }
    system.start(Atom::new(&subject.name), Atom::new("main"), None);
    system.run();
    system.total_actions
}

/// Runs it again and writes a trace.
///
/// # Panics
/// If the trace cannot be written or read.
#[must_use]
pub fn trace(subject: &RunSubject, seed: u64) -> Arc<Trace> {
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);
    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no test thread panicked").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (program, loader) = subject.compile();
    let module = Atom::new(&subject.name);
    let facts = RunFacts {
        tool: "tests".to_owned(),
        command: Vec::new(),
        entry: (module, Atom::new("main")),
        arguments: None,
        without_arguments: false,
        node: subject.node().unwrap_or_else(|| system::NO_NODE.to_owned()),
        schedule: "random".to_owned(),
        seed: Some(seed),
        virtual_time: true,
        facts: Vec::new(),
        sources: Vec::new(),
        natives: Vec::new(),
        read: None,
    };
    let read = loader.shared_list();
    let sink = Sink::default();
    let recorder = Recorder::new(Box::new(sink.clone()), 0, &facts, Nobody).expect("a vector takes everything");
    let mut system = System::new(
        Arc::new(program),
        recorder,
        settings(loader, Box::new(Random::new(seed))),
        None,
    );
    if let Some(node) = subject.node() {
        system.name_node(&node);
    }
    system.start(module, Atom::new("main"), None);
    let end = system.run();
    let read = read.lock().expect("no test thread panicked").clone();
    Recorder::finish(&mut system, &read, &run_end(&end)).expect("a vector takes everything");
    let bytes = sink.0.lock().expect("no test thread panicked").clone();
    Arc::new(Trace::from_bytes(bytes).expect("what was written can be read"))
}

fn run_end(end: &RunEnd) -> log_format::RunEnd {
    match end {
        RunEnd::Halted(code) => log_format::RunEnd::Halted(*code),
        _ => log_format::RunEnd::Returned(String::new()),
    }
}

/// A kind of edge of `⇒` (semantics.md §3, rules 1 to 5). Rule 3 is split by what is sent and how it is consumed, rule 4 by what is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CauseEdge {
    /// An action and the next one of its process.
    Program,
    /// A spawn and the actions of the child.
    Birth,
    /// A signal and the action that consumes it: `rec`, `signal` or `drop`, and the kind of signal.
    Signal(&'static str, &'static str),
    /// A write and the read that sees it, by the kind of resource.
    Access(&'static str),
    /// An action and the observation of its process's state.
    Observed,
}

/// The kind of a signal.
#[must_use]
pub const fn sort_of_tag(tag: Tag) -> &'static str {
    match tag {
        Tag::Sent { .. } => "sent",
        Tag::EndTo { .. } => "link",
        Tag::EndRef { .. } => "down",
        Tag::EndTable { .. } => "table",
        Tag::Limit { .. } => "limit",
    }
}

/// The kind of a resource.
#[must_use]
pub const fn sort_of_resource(resource: Resource) -> &'static str {
    match resource {
        Resource::Node(_) => "node",
        Resource::Name(_) => "name",
        Resource::Alive(_) => "alive",
        Resource::Table(_) => "table",
        Resource::TableKey { .. } => "key",
        Resource::TableContents(_) => "contents",
        Resource::Persistent(_) => "persistent",
        Resource::Env(_) => "env",
        Resource::Counter { .. } => "counter",
        Resource::Module(_) => "module",
        Resource::Atom(_) => "atom",
        Resource::GroupLeader(_) => "group_leader",
        Resource::Other(_) => "other",
    }
}

/// The number of actions that each process performs; processes that are not named perform none.
pub type Prefixes = BTreeMap<Pid, u64>;

impl RecordedRun {
    /// Writes the program and its logs into the folder for temporary files, for investigating a failed test.
    ///
    /// # Panics
    /// If the file cannot be written.
    #[must_use]
    pub fn keep(&self, error: &str) -> String {
        let mut out = String::new();
        for source in &self.subject_sources {
            out.push_str(&String::from_utf8_lossy(&source.text));
        }
        let _ = writeln!(out, "\n{:?}", self.source.texts);
        let mut pids: Vec<&Pid> = self.logs.keys().collect();
        pids.sort_unstable();
        for pid in pids {
            for (i, (action, state)) in self.logs[pid].iter().enumerate() {
                let line = state.lines().next().unwrap_or_default();
                let detail = state.lines().last().unwrap_or_default();
                let _ = writeln!(out, "{pid}/{} {action:?}\n        {line}\n        {detail}", i + 1);
            }
        }
        let path = std::env::temp_dir().join(format!("{}.log", self.place.replace([' ', '/'], "_")));
        std::fs::write(&path, out).expect("the folder for temporary files can be written");
        format!("{error}\nprogram and logs: {}", path.display())
    }

    /// Its number of actions.
    #[must_use]
    pub fn actions(&self) -> u64 {
        self.logs.values().map(|log| log.len() as u64).sum()
    }

    /// Every action, by process and number.
    #[must_use]
    pub fn names(&self) -> Vec<ActionId> {
        let mut names: Vec<ActionId> = self
            .logs
            .iter()
            .flat_map(|(pid, log)| (1..=log.len() as u64).map(|n| ActionId::new(*pid, n)))
            .collect();
        names.sort_unstable();
        names
    }

    /// One action.
    ///
    /// # Panics
    /// If there is none of that name.
    #[must_use]
    pub fn action(&self, ActionId { pid, number }: ActionId) -> &Action {
        &self.logs[&pid][number.0 as usize - 1].0
    }

    /// Replays these prefixes (all logs if `None`) and compares every action and every state with the recorded ones.
    ///
    /// # Errors
    /// What differs, or what kept the replay from getting there.
    pub fn replay(&self, prefixes: Option<&Prefixes>, scheduler: Box<dyn Scheduler>) -> Result<(), String> {
        let quota = match prefixes {
            None => Quota::All,
            Some(map) => Quota::Some(Arc::new(map.iter().map(|(p, n)| ActionId::new(*p, *n)).collect())),
        };
        let plan = Plan::new(Arc::clone(&self.source) as Arc<dyn LogSource>, quota);
        let observer = Memory::default();
        let logs = Arc::clone(&observer.logs);
        // The recorded program holds every module already.
        let loader = SourceLoader::new(Box::new(Archive::new(self.subject_sources.clone())));
        let mut system = System::new(
            Arc::clone(&self.program),
            observer,
            settings(loader, scheduler),
            Some(plan),
        );
        system.start(self.module, Atom::new("main"), None);
        system.run();
        if let Some(divergence) = &system.divergence {
            return Err(format!("{}: {divergence}", self.place));
        }
        if let Some(stuck) = system.stuck() {
            return Err(format!("{}: stuck: {stuck}", self.place));
        }
        let replayed = logs.lock().expect("no test thread panicked");
        let empty = Log::new();
        for (pid, log) in &self.logs {
            let wanted = prefixes.map_or(log.len() as u64, |map| map.get(pid).copied().unwrap_or(0)) as usize;
            let again = replayed.get(pid).unwrap_or(&empty);
            for (i, (a, b)) in log.iter().take(wanted).zip(again).enumerate() {
                let n = i + 1;
                if a.0 != b.0 {
                    return Err(format!(
                        "{}: action {pid}/{n} differs: recorded {:?}, replayed {:?}",
                        self.place, a.0, b.0
                    ));
                }
                if a.1 != b.1 {
                    return Err(format!(
                        "{}: the state after {pid}/{n} ({:?}) differs: recorded\n{}\nreplayed\n{}",
                        self.place, a.0, a.1, b.1
                    ));
                }
            }
            if again.len() != wanted {
                return Err(format!(
                    "{}: {pid} did {} actions, asked for {wanted}",
                    self.place,
                    again.len()
                ));
            }
        }
        if let Some(pid) = replayed.keys().find(|pid| !self.logs.contains_key(pid)) {
            return Err(format!("{}: {pid} acted and was not recorded", self.place));
        }
        Ok(())
    }

    /// The direct dependencies of an action, each with the kind of edge; written directly from semantics.md §3.
    #[must_use]
    pub fn direct_causes(&self, ActionId { pid, number }: ActionId) -> Vec<(CauseEdge, ActionId)> {
        let action = self.action(ActionId { pid, number });
        let mut causes = Vec::new();
        let births = &self.births;
        if number.0 > 1 {
            causes.push((CauseEdge::Program, ActionId::new(pid, number.0 - 1)));
        }
        causes.extend(births.get(&pid).map(|birth| (CauseEdge::Birth, *birth)));
        if let Some(tag) = action.kind.consumed() {
            let edge = CauseEdge::Signal(action.kind.word(), sort_of_tag(tag));
            causes.extend(self.send_of(tag).map(|sent| (edge, sent)));
        }
        let born = |ActionId { pid: q, number: n }: ActionId| match n {
            ActionNo(0) => births.get(&q).copied(),
            _ => Some(ActionId { pid: q, number: n }),
        };
        for access in &action.accesses {
            let edge = CauseEdge::Access(sort_of_resource(access.resource));
            causes.extend(access.by.and_then(born).map(|by| (edge, by)));
        }
        if let Kind::Observe { of: Some(of), .. } = &action.kind {
            causes.extend(born(*of).map(|of| (CauseEdge::Observed, of)));
        }
        causes
    }

    fn send_of(&self, tag: Tag) -> Option<ActionId> {
        match tag {
            Tag::Sent { by, k } => {
                let mut sent = 0;
                let i = self.logs.get(&by)?.iter().position(|(action, _)| {
                    sent += u64::from(action.sends);
                    sent >= k.0
                })?;
                Some(ActionId::new(by, i as u64 + 1))
            }
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                Some(ActionId::new(by, self.logs.get(&by)?.len() as u64))
            }
            Tag::Limit { .. } => None,
        }
    }

    /// The causes of an action as prefixes. `without`: a kind of edge to leave out (for tests that then have to fail).
    #[must_use]
    pub fn causes(&self, target: ActionId, without: Option<CauseEdge>) -> Prefixes {
        let mut prefixes = Prefixes::new();
        let mut seen = std::collections::HashSet::new();
        let mut next = vec![target];
        while let Some(action) = next.pop() {
            if !seen.insert(action) {
                continue;
            }
            let reached = prefixes.entry(action.pid).or_insert(0);
            *reached = action.number.0.max(*reached);
            let causes = self.direct_causes(action);
            next.extend(
                causes
                    .into_iter()
                    .filter(|(edge, _)| Some(*edge) != without)
                    .map(|(_, c)| c),
            );
        }
        prefixes
    }
}

/// Logs in memory as a source for replay.
struct MemorySource {
    logs: HashMap<Pid, Arc<Vec<Action>>>,
    texts: Vec<String>,
    nodes: Vec<String>,
}

impl MemorySource {
    fn births(&self) -> HashMap<Pid, ActionId> {
        let mut births = HashMap::new();
        for (pid, log) in &self.logs {
            for (i, action) in log.iter().enumerate() {
                if let Some(child) = action.kind.spawned() {
                    births.insert(child, ActionId::new(*pid, i as u64 + 1));
                }
            }
        }
        births
    }
}

struct MemoryCursor {
    log: Arc<Vec<Action>>,
    at: usize,
}

impl Cursor for MemoryCursor {
    fn next(&mut self) -> Result<Option<Action>, log_format::Error> {
        self.at += 1;
        Ok(self.log.get(self.at - 1).cloned())
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            log: Arc::clone(&self.log),
            at: self.at,
        })
    }
}

impl LogSource for MemorySource {
    fn open(&self, pid: Pid, done: ActionNo) -> Result<Option<Box<dyn Cursor>>, log_format::Error> {
        let Some(log) = self.logs.get(&pid) else {
            return Ok(None);
        };
        Ok(Some(Box::new(MemoryCursor {
            log: Arc::clone(log),
            at: done.0 as usize,
        })))
    }
    fn last_pid(&self) -> Pid {
        let children = self.logs.values().flat_map(|log| log.iter());
        let given = children.filter_map(|action| match &action.kind {
            Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. } => Some(*child),
            _ => None,
        });
        self.logs.keys().copied().chain(given).max().unwrap_or(Pid(0))
    }
    fn texts(&self) -> Vec<String> {
        self.texts.clone()
    }
    fn nodes(&self) -> Vec<String> {
        self.nodes.clone()
    }
}
