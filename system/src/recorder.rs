//! The recorder: an observer of labels that writes a trace [LPV19, logging semantics].

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::otp::Known;
use interpreter::print;
use interpreter::vm::{EndClass, Program};
use log_format::{
    FinalState, Header, Kind, MAILBOX_TAGS, NativeVersion, Node, Outcome, Pid, ProcLog, ProcessOutcome, RunEnd, Tag,
    TraceWriter,
};

use crate::ids;
use crate::loader::{Role, Source};
use crate::observer::{Ending, Event, Observer};
use crate::process::State;
use crate::system::{System, here};

/// A cut after so many actions: the only rule under virtual time, so that equal runs give equal files.
const CUT_ACTIONS: u64 = 1 << 17;
/// With a real clock also after this time.
const CUT_TIME: Duration = Duration::from_millis(100);

/// What is known of a run before it starts.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The tool and its version.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// What the entry process calls.
    pub entry: (Atom, Atom),
    /// The arguments for `main/1`; `None` for `main/0`.
    pub arguments: Option<Vec<String>>,
    /// The name of the first node, `nonode@nohost` for a system that is not alive.
    pub node: String,
    /// The scheduler.
    pub schedule: String,
    /// Its seed.
    pub seed: Option<u64>,
    /// Are the clocks simulated?
    pub virtual_time: bool,
    /// Anything else that replay must know, by name.
    pub facts: Vec<(String, String)>,
    /// What was read so far. It is written first, so that the trace of a recorder that was killed can be replayed.
    pub sources: Vec<Source>,
}

/// Writes a trace while a system runs. `I` watches too (for example to print crash reports).
pub struct Recorder<I> {
    inner: I,
    /// `None` after an error: the program runs on, its trace ends at the last whole cut.
    writer: Option<TraceWriter>,
    error: Option<String>,
    /// Abnormal ends, for the outcome.
    ended: Vec<ProcessOutcome>,
    cut_actions: u64,
    cut_time: Instant,
    virtual_time: bool,
    asked: u32,
    /// How many of the sources are in the file.
    sources: usize,
}

impl<I: Observer<Log = ()>> Recorder<I> {
    /// Creates the file.
    ///
    /// # Errors
    /// It cannot be created or written.
    pub fn create(path: &Path, facts: &RunFacts, inner: I) -> Result<Self, String> {
        let clock = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        let file = std::fs::File::create(path).map_err(|error| error.to_string())?;
        Self::new(Box::new(file), clock, facts, inner)
    }

    /// Writes into any sink. `clock`: when the recording began, in microseconds since 1970.
    ///
    /// # Errors
    /// The sink refuses.
    pub fn new(sink: Box<dyn Write + Send>, clock: i64, facts: &RunFacts, inner: I) -> Result<Self, String> {
        let arity = usize::from(facts.arguments.is_some());
        let header = Header {
            tool: facts.tool.clone(),
            command: facts.command.clone(),
            entry: format!("{}:{}/{arity}", facts.entry.0.as_str(), facts.entry.1.as_str()),
            arguments: facts.arguments.clone().unwrap_or_default(),
            node: facts.node.clone(),
            schedule: facts.schedule.clone(),
            seed: facts.seed,
            virtual_time: facts.virtual_time,
            facts: facts.facts.clone(),
        };
        let program = log_format::Program {
            sources: facts.sources.iter().map(source_of).collect(),
            natives: Vec::new(),
        };
        let writer = TraceWriter::new(sink, &header, &program, clock).map_err(|error| error.to_string())?;
        Ok(Self {
            inner,
            writer: Some(writer),
            error: None,
            ended: Vec::new(),
            cut_actions: 0,
            cut_time: Instant::now(),
            virtual_time: facts.virtual_time,
            asked: 0,
            sources: facts.sources.len(),
        })
    }

    /// The other observer.
    pub const fn inner(&self) -> &I {
        &self.inner
    }

    fn fail(&mut self, error: &log_format::Error) {
        self.writer = None;
        self.error.get_or_insert_with(|| error.to_string());
    }

    /// Writes the last cut, the rest of the program, the outcome and the index. Answers the length of the file.
    ///
    /// `read`: everything read, beginning with the sources that the recorder was created with.
    ///
    /// # Errors
    /// What kept the trace, or its last part, from being written.
    pub fn finish(system: &mut System<Self>, read: &[Source], run: &RunEnd) -> Result<u64, String> {
        let rest = read.get(system.observer.sources..).unwrap_or_default();
        let program = program_section(rest, &system.program);
        let mut outcome = Outcome {
            run: run.clone(),
            processes: std::mem::take(&mut system.observer.ended),
        };
        outcome.processes.extend(living(system));
        let texts = system.resources.texts().to_vec();
        let nodes = system.nodes.names();
        let Some(mut writer) = system.observer.writer.take() else {
            return Err(system
                .observer
                .error
                .clone()
                .unwrap_or_else(|| "nothing was written".to_owned()));
        };
        name_all(&mut writer, &texts, &nodes);
        writer.program(&program).map_err(|e| e.to_string())?;
        writer
            .finish(system.table.iter_mut().map(|p| &mut p.log), &outcome)
            .map_err(|e| e.to_string())
    }
}

/// The living processes at the end of a run: where they are and what they hold.
fn living<I: Observer<Log = ()>>(system: &System<Recorder<I>>) -> Vec<ProcessOutcome> {
    system
        .table
        .iter()
        .map(|p| {
            let location = here(&p.machine, &system.program).unwrap_or_default();
            let state = match p.state {
                State::Waiting | State::WaitingInput => FinalState::Waiting { location },
                State::Ready | State::Blocked | State::Frozen => FinalState::Running { location },
            };
            let tags: Vec<Tag> = p.machine.mailbox.tags().take(MAILBOX_TAGS).map(ids::unpack).collect();
            ProcessOutcome {
                pid: ids::to_log(p.pid),
                state,
                mailbox: p.machine.mailbox.len() as u64,
                tags,
            }
        })
        .collect()
}

fn program_section(read: &[Source], program: &Program) -> log_format::Program {
    let natives = program
        .natives()
        .map(|n| NativeVersion {
            name: format!("{}:{}/{}", n.module, n.name, n.arity),
            version: n.version,
        })
        .collect();
    log_format::Program {
        sources: read.iter().map(source_of).collect(),
        natives,
    }
}

fn source_of(source: &Source) -> log_format::Source {
    let (module, format) = match &source.role {
        Role::Module(name) => (name.clone(), "erl"),
        // An include is found again by directive, text and including file.
        Role::Include { library, name, from } => (
            format!("{name}\n{from}"),
            if *library { "include_lib" } else { "include" },
        ),
    };
    log_format::Source {
        module,
        path: source.path.clone(),
        format: format.to_owned(),
        bytes: source.text.to_vec(),
    }
}

/// The sources of a trace, as a loader wants them.
#[must_use]
pub fn sources(program: &log_format::Program) -> Vec<Source> {
    program
        .sources
        .iter()
        .filter_map(|source| {
            let role = match (source.format.as_str(), source.module.split_once('\n')) {
                ("erl", _) => Role::Module(source.module.clone()),
                ("include" | "include_lib", Some((name, from))) => Role::Include {
                    library: source.format == "include_lib",
                    name: name.to_owned(),
                    from: from.to_owned(),
                },
                _ => return None,
            };
            Some(Source {
                role,
                path: source.path.clone(),
                text: source.bytes.as_slice().into(),
            })
        })
        .collect()
}

impl<I: Observer<Log = ()>> Observer for Recorder<I> {
    type Log = ProcLog;

    fn born(&mut self, pid: Pid, parent: Option<&ProcLog>, node: u16) -> ProcLog {
        match parent {
            Some(parent) => ProcLog::child(pid, Node(node), parent),
            None => ProcLog::entry(pid, Node(node)),
        }
    }

    #[inline]
    fn action(&mut self, log: &mut ProcLog, event: &Event<'_>) {
        let action = event.action;
        if !action.accesses.is_empty() {
            log.action(action);
            return;
        }
        match &action.kind {
            Kind::Send if action.sends == 1 => log.send(),
            Kind::Rec(tag) => log.rec(*tag),
            Kind::After => log.after(),
            Kind::Spawn { child, node } if action.sends == 0 => log.spawn(*child, *node),
            Kind::Exit { class } => log.exit(*class),
            _ => log.action(action),
        }
    }

    fn ended(&mut self, log: &mut ProcLog, ending: &Ending<'_>) {
        let _ = log;
        if ending.class != Some(EndClass::Normal) {
            let mut heap = Heap::new(ending.program.literals().clone());
            let reason = heap.import(ending.reason);
            let style = print::Style::unicode(ending.program);
            let reason = print::short(&heap, reason, REASON_CHARS, &style);
            let stack = match ending.stacktrace {
                Some(stack) => print::short(&ending.machine.heap, stack, REASON_CHARS, &style),
                None => String::new(),
            };
            let names: Vec<&str> = ending.names.iter().map(|n| n.as_str()).collect();
            let _ = names;
            self.ended.push(ProcessOutcome {
                pid: ending.pid,
                state: FinalState::Ended { reason, stack },
                mailbox: ending.machine.mailbox.len() as u64,
                tags: ending
                    .machine
                    .mailbox
                    .tags()
                    .take(MAILBOX_TAGS)
                    .map(ids::unpack)
                    .collect(),
            });
        }
        self.inner.ended(&mut (), ending);
    }

    fn missing(&mut self, function: (Atom, Atom, u8), known: Known) {
        self.inner.missing(function, known);
    }

    fn buried(&mut self, log: ProcLog) {
        if let Some(writer) = &mut self.writer {
            writer.retire(log);
        }
    }

    #[inline]
    fn wants_cut(&mut self, actions: u64) -> bool {
        if actions - self.cut_actions >= CUT_ACTIONS {
            self.cut_actions = actions;
            return true;
        }
        if self.virtual_time || actions == self.cut_actions {
            return false;
        }
        self.asked = self.asked.wrapping_add(1);
        // The clock is asked now and then only: asking costs as much as logging several actions.
        if self.asked.is_multiple_of(256) && self.cut_time.elapsed() >= CUT_TIME {
            self.cut_actions = actions;
            return true;
        }
        false
    }

    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut ProcLog>, texts: &[String], nodes: &[Atom]) {
        let Some(writer) = &mut self.writer else { return };
        name_all(writer, texts, nodes);
        let written = writer.cut(logs);
        self.cut_time = Instant::now();
        if let Err(error) = written {
            self.fail(&error);
        }
    }
}

/// Texts and nodes get the numbers that they have in the system.
fn name_all(writer: &mut TraceWriter, texts: &[String], nodes: &[Atom]) {
    for text in texts {
        writer.text(text);
    }
    for node in nodes {
        writer.node(node.as_str());
    }
}

/// How much of a reason is kept in the trace.
const REASON_CHARS: usize = 2000;
