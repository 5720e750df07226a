//! The recorder: an observer of labels that writes a trace [LPV19, logging semantics].

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::otp::Known;
use interpreter::print;
use interpreter::vm::{EndClass, NativeId, Program};
use log_format::{
    FinalState, Header, InputClass, Kind, MAILBOX_TAGS, NativeVersion, Node, Outcome, Pid, ProcLog, ProcessOutcome,
    RunEnd, SendNo, Tag, TraceWriter,
};

pub use log_format::Finisher;

use crate::digest;
use crate::ids;
use crate::loader::{Role, Source};
use crate::observer::{Detail, Ending, Event, Observer};
use crate::process::State;
use crate::system::{System, here};

/// A cut after so many actions. What a clock says is no rule under virtual time, so that equal runs give equal files.
const CUT_ACTIONS: u64 = 1 << 17;
/// With many processes a cut is due later, after so many actions of each: a chunk for every process and cut has its price.
const CUT_ACTIONS_EACH: u64 = 64;
/// Under virtual time a cut is made before the run stands still for the outside, too, where this part of all actions is in none: so little is lost
/// at most, and a run that reads a million lines has some hundred cuts.
const CUT_PART: u64 = 64;
/// Or after so many bytes of values (inputs, observations).
const CUT_VALUES: usize = 4 << 20;
/// With a real clock also after this time.
const CUT_TIME: Duration = Duration::from_millis(100);
/// So many logs of processes that have ended are kept for others.
const POOL: usize = 256;

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
    /// Leave these and the command line out of the trace.
    pub without_arguments: bool,
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
    /// The natives that the program has ([`natives`]).
    pub natives: Vec<NativeVersion>,
    /// What is read from now on, beginning with `sources`: written with the next cut.
    pub read: Option<Arc<Mutex<Vec<Source>>>>,
}

/// What is recorded, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Every cut reaches the disk before the program goes on.
    pub sync: bool,
    /// The recording ends at the last cut with which the file is no longer.
    pub max_bytes: Option<u64>,
    /// Digests of received messages and final states.
    pub digests: bool,
    /// Inputs whose values are left out.
    pub redact: Vec<InputClass>,
    /// Leave out reasons of ends, with their stacks.
    pub without_reasons: bool,
    /// Leave out the values of observations.
    pub without_observations: bool,
}

/// The log of one process.
#[derive(Clone, Debug)]
pub struct Log {
    log: ProcLog,
    /// Of the messages received since the last cut, where digests are recorded.
    digests: Vec<u32>,
    /// Of its state at its end.
    last: Option<u32>,
}

/// Writes a trace while a system runs. `I` watches too (for example to print crash reports).
pub struct Recorder<I> {
    inner: I,
    /// `None` after an error: the program runs on, its trace ends at the last whole cut.
    writer: Option<TraceWriter>,
    error: Option<String>,
    options: Options,
    /// Nothing is recorded any more.
    off: bool,
    /// Logs of processes that have ended, for those that come.
    #[expect(clippy::vec_box, reason = "the boxes themselves are used again")]
    pool: Vec<Box<Log>>,
    /// How many actions there were at the last cut, and after how many more the next one is due.
    cut_actions: u64,
    cut_after: u64,
    cut_time: Instant,
    /// Bytes of values logged since the last cut.
    value_bytes: usize,
    virtual_time: bool,
    /// How many of the sources are in the file.
    sources: usize,
    read: Option<Arc<Mutex<Vec<Source>>>>,
}

impl<I: Observer<Log = ()>> Recorder<I> {
    /// Creates the file. One that is there is replaced when the new one has its header, so that who reads it goes on with what it was.
    ///
    /// # Errors
    /// It cannot be created or written, in which case nothing is left of it; another recorder writes to it.
    pub fn create(path: &Path, facts: &RunFacts, options: Options, inner: I) -> Result<Self, String> {
        let clock = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        let place = log_format::NewFile::at_once(path).map_err(|error| error.to_string())?;
        let file = place.handle().map_err(|error| error.to_string())?;
        let sync = if options.sync {
            Some(file.try_clone().map_err(|error| error.to_string())?)
        } else {
            None
        };
        let mut recorder = Self::new(Box::new(file), clock, facts, inner)?;
        place.keep().map_err(|error| error.to_string())?;
        if let Some(writer) = &mut recorder.writer {
            if let Some(file) = sync {
                writer.sync_to(file);
            }
            if let Some(bytes) = options.max_bytes {
                writer.limit(bytes);
                recorder.cut_after = (bytes / 16).clamp(64, CUT_ACTIONS);
            }
        }
        recorder.options = options;
        Ok(recorder)
    }

    /// Writes into any sink. `clock`: when the recording began, in microseconds since 1970.
    ///
    /// # Errors
    /// The sink refuses.
    pub fn new(sink: Box<dyn Write + Send>, clock: i64, facts: &RunFacts, inner: I) -> Result<Self, String> {
        let arity = usize::from(facts.arguments.is_some());
        let mut header = Header {
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
        if facts.without_arguments {
            header.leave_arguments_out();
        }
        let program = log_format::Program {
            sources: facts.sources.iter().map(source_of).collect(),
            natives: facts.natives.clone(),
            used: Vec::new(),
        };
        let writer = TraceWriter::new(sink, &header, &program, clock).map_err(|error| error.to_string())?;
        Ok(Self {
            inner,
            writer: Some(writer),
            error: None,
            options: Options::default(),
            off: false,
            pool: Vec::new(),
            cut_actions: 0,
            cut_after: CUT_ACTIONS,
            cut_time: Instant::now(),
            value_bytes: 0,
            virtual_time: facts.virtual_time,
            sources: facts.sources.len(),
            read: facts.read.clone(),
        })
    }

    /// Finishes the trace where the run does not end; none if it cannot be written any more.
    #[must_use]
    pub fn finisher(&self) -> Option<Finisher> {
        self.writer.as_ref().map(TraceWriter::finisher)
    }

    /// The other observer.
    pub const fn inner(&self) -> &I {
        &self.inner
    }

    fn fail(&mut self, error: &log_format::Error) {
        self.writer = None;
        self.off = true;
        self.error.get_or_insert_with(|| error.to_string());
    }

    /// Writes the last cut, the rest of the program, the outcome and the index. Answers what the file has become.
    ///
    /// `read`: everything read, beginning with the sources that the recorder was created with.
    ///
    /// # Errors
    /// What kept the trace, or its last part, from being written.
    pub fn finish(system: &mut System<Self>, read: &[Source], run: &RunEnd) -> Result<Written, String> {
        let rest = read.get(system.observer.sources..).unwrap_or_default();
        let program = program_section(rest, &system.program);
        let texts = system.resources.texts().to_vec();
        let nodes = system.nodes.names();
        let mut last = Vec::new();
        if system.observer.options.digests && !system.observer.off {
            for p in system.table.iter().filter(|p| p.state == State::Waiting) {
                last.push((p.pid, digest::of_state(&system.program, &p.machine, None)));
            }
        }
        for (pid, digest) in last {
            if let Some((_, p)) = system.table.by_pid_mut(pid) {
                p.log.last = Some(digest);
            }
        }
        let Some(mut writer) = system.observer.writer.take() else {
            return Err(system
                .observer
                .error
                .clone()
                .unwrap_or_else(|| "nothing was written".to_owned()));
        };
        name_all(&mut writer, &texts, &nodes);
        // Before the actions of these modules: a file that is cut behind the last cut has all that it needs.
        writer.program(&program).map_err(|e| e.to_string())?;
        let digests = system.observer.options.digests;
        let full = |writer: &TraceWriter| writer.is_full();
        if !full(&writer) {
            let logs = system.table.iter_mut().map(|p| &mut p.log);
            cut(&mut writer, logs, digests).map_err(|e| e.to_string())?;
        }
        let complete = !full(&writer);
        let mut run = run.clone();
        if system.observer.options.without_reasons {
            run.leave_reason_out();
        }
        let run = &run;
        let most = match run {
            RunEnd::Interrupted(_) => TOLD_IN_HASTE,
            _ => usize::MAX,
        };
        let outcome = if complete {
            Outcome {
                run: run.clone(),
                processes: living(system, most),
            }
        } else {
            let limit = system.observer.options.max_bytes.unwrap_or_default();
            Outcome {
                run: RunEnd::Unrecorded {
                    why: format!("the trace would have grown beyond {limit} bytes"),
                    then: in_words(run),
                },
                // Where processes stood at the last cut is not known; replay tells.
                processes: Vec::new(),
            }
        };
        let bytes = writer.finish([], &outcome).map_err(|e| e.to_string())?;
        Ok(Written { bytes, complete })
    }
}

/// What a finished trace is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Its length.
    pub bytes: u64,
    /// Does it hold the whole run?
    pub complete: bool,
}

/// How a run ended, for people.
fn in_words(run: &RunEnd) -> String {
    match run {
        RunEnd::Returned(_) => "the entry returned".to_owned(),
        RunEnd::Crashed { class, reason } => format!("the entry crashed: {class} {reason}"),
        RunEnd::Deadlock => "the entry waited for ever".to_owned(),
        RunEnd::Limit(limit) => format!("a limit was reached: {limit}"),
        RunEnd::Halted(code) => format!("halted with status {code}"),
        RunEnd::Interrupted(by) => format!("interrupted by {by}"),
        RunEnd::Unrecorded { then, .. } => then.clone(),
    }
}

/// Writes a cut with all that these logs hold, and their digests.
fn cut<'a>(
    writer: &mut TraceWriter,
    logs: impl Iterator<Item = &'a mut Box<Log>>,
    digests: bool,
) -> log_format::Result<()> {
    if !digests {
        return writer.cut(logs.map(|log| &mut log.log));
    }
    let mut all: Vec<&mut Box<Log>> = logs.collect();
    for log in &mut all {
        writer.digests(log.log.pid(), &log.digests, log.last.take());
        log.digests.clear();
    }
    writer.cut(all.into_iter().map(|log| &mut log.log))
}

/// Of a run that was interrupted at most so many processes are told where they stood: it has to end at once, and replay tells of the others.
const TOLD_IN_HASTE: usize = 10_000;

/// The living processes at the end of a run, at most so many: where they are and what they hold.
fn living<I: Observer<Log = ()>>(system: &System<Recorder<I>>, most: usize) -> Vec<ProcessOutcome> {
    system
        .table
        .iter()
        .take(most)
        .map(|p| {
            let location = here(&p.machine, &system.program).unwrap_or_default();
            let state = match p.state {
                State::Waiting | State::WaitingInput => FinalState::Waiting { location },
                State::Ready | State::Blocked | State::Frozen | State::Gated => FinalState::Running { location },
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
    log_format::Program {
        sources: read.iter().map(source_of).collect(),
        natives: Vec::new(),
        used: (0u32..)
            .zip(program.natives())
            .map(|(i, _)| i)
            .filter(|&i| program.is_used(NativeId(i)))
            .collect(),
    }
}

/// The natives of a program with their versions, in the order of their ids. Where two have one name, the later one is meant.
#[must_use]
pub fn natives(program: &Program) -> Vec<NativeVersion> {
    program
        .natives()
        .map(|n| NativeVersion {
            name: format!("{}:{}/{}", n.module, n.name, n.arity),
            version: n.version,
        })
        .collect()
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
    type Log = Box<Log>;

    fn wants_messages(&self) -> bool {
        self.options.digests
    }

    fn redacts(&self, class: InputClass) -> bool {
        self.options.redact.contains(&class)
    }

    fn born(&mut self, pid: Pid, parent: Option<&Box<Log>>, node: u16) -> Box<Log> {
        let node = Node(node);
        match (self.pool.pop(), parent) {
            (Some(mut log), Some(parent)) => {
                log.log.renew_child(pid, node, &parent.log);
                log
            }
            (Some(mut log), None) => {
                log.log.renew_entry(pid, node);
                log
            }
            (None, parent) => Box::new(Log {
                log: match parent {
                    Some(parent) => ProcLog::child(pid, node, &parent.log),
                    None => ProcLog::entry(pid, node),
                },
                digests: Vec::new(),
                last: None,
            }),
        }
    }

    #[inline(always)]
    fn plain_send(&mut self, log: &mut Box<Log>) -> bool {
        if !self.off {
            log.log.send();
        }
        true
    }

    #[inline(always)]
    fn plain_rec(&mut self, log: &mut Box<Log>, tag: Tag) -> bool {
        if self.off || self.options.digests {
            return self.off;
        }
        log.log.rec(tag);
        true
    }

    #[inline(always)]
    fn plain_rec_sent(&mut self, log: &mut Box<Log>, by: Pid, k: SendNo) -> bool {
        let plain = !self.off && !self.options.digests;
        if plain {
            log.log.rec_sent(by, k);
        }
        plain
    }

    fn action(&mut self, log: &mut Box<Log>, event: &Event<'_>) {
        if self.off {
            return;
        }
        let action = event.action;
        if let Kind::Input { value } | Kind::Observe { value, .. } | Kind::Drop { value, .. } = &action.kind {
            self.value_bytes += value.len();
        }
        if self.options.digests
            && let Detail::Received { message } = event.detail
        {
            // A message whose contents are not at hand has digest 0, which is never compared.
            let digest = message.map_or(0, |message| digest::of_message(event.program, message));
            log.digests.push(digest);
        }
        if self.options.without_observations
            && let Kind::Observe { value, .. } = &action.kind
            && !value.is_empty()
        {
            let mut action = action.clone();
            if let Kind::Observe { value, .. } = &mut action.kind {
                value.clear();
            }
            log.log.action(&action);
            return;
        }
        log.log.action(action);
    }

    fn ended(&mut self, log: &mut Box<Log>, ending: &Ending<'_>) {
        if self.options.digests && !self.off {
            log.last = Some(digest::of_state(ending.program, ending.machine, Some(ending.reason)));
        }
        if ending.class != Some(EndClass::Normal)
            && !self.off
            && let Some(writer) = &mut self.writer
        {
            let style = print::Style::unicode(ending.program);
            let reason = reason(ending);
            let reason = match self.options.without_reasons {
                true => log_format::without_reason(&reason).to_owned(),
                false => reason,
            };
            let stack = match ending.stacktrace.filter(|_| !self.options.without_reasons) {
                Some(stack) => print::short(&ending.machine.heap, stack, REASON_CHARS, &style),
                None => String::new(),
            };
            writer.ended(ProcessOutcome {
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

    fn buried(&mut self, mut log: Box<Log>) {
        if let Some(writer) = &mut self.writer {
            if self.options.digests && !self.off {
                writer.digests(log.log.pid(), &log.digests, log.last.take());
                log.digests.clear();
            }
            writer.retire(&mut log.log);
        }
        if self.pool.len() < POOL {
            self.pool.push(log);
        }
    }

    fn wants_cut(&mut self, actions: u64) -> bool {
        let full = actions - self.cut_actions >= self.cut_after || self.value_bytes >= CUT_VALUES;
        let late = || !self.virtual_time && actions != self.cut_actions && self.late();
        (full || late()) && self.due(actions)
    }

    fn cut_due(&self) -> u64 {
        self.cut_actions + self.cut_after
    }

    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        let new = actions - self.cut_actions;
        if self.virtual_time {
            // Equal runs give equal files, however long the outside takes.
            return new >= (actions / CUT_PART).max(1) && self.due(actions);
        }
        let long = nanoseconds.is_some_and(|n| n >= CUT_TIME.as_nanos() as u64);
        new > 0 && (long || self.late()) && self.due(actions)
    }

    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        let waits = !self.virtual_time && !self.off && actions != self.cut_actions;
        waits.then(|| CUT_TIME.saturating_sub(self.cut_time.elapsed()).as_nanos() as u64)
    }

    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut Box<Log>>, texts: &[String], nodes: &[Atom]) {
        let Some(writer) = &mut self.writer else { return };
        name_all(writer, texts, nodes);
        if let Some(read) = &self.read {
            let read = read.lock().unwrap_or_else(PoisonError::into_inner);
            let program = log_format::Program {
                sources: read[self.sources.min(read.len())..].iter().map(source_of).collect(),
                ..log_format::Program::default()
            };
            self.sources = read.len();
            drop(read);
            if let Err(error) = writer.program(&program) {
                return self.fail(&error);
            }
        }
        let mut living = 0;
        let counted = logs.inspect(|_| living += 1);
        let written = cut(writer, counted, self.options.digests);
        if self.options.max_bytes.is_none() {
            self.cut_after = CUT_ACTIONS.max(living * CUT_ACTIONS_EACH);
        }
        self.off = writer.is_full();
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

impl<I> Recorder<I> {
    /// A cut is due, unless nothing is recorded any more.
    const fn due(&mut self, actions: u64) -> bool {
        self.cut_actions = actions;
        self.value_bytes = 0;
        !self.off
    }

    fn late(&self) -> bool {
        self.cut_time.elapsed() >= CUT_TIME
    }
}

/// The reason of an end, as the outcome of a trace has it.
#[must_use]
pub fn reason(ending: &Ending<'_>) -> String {
    let mut heap = Heap::new(ending.program.literals().clone());
    let reason = heap.import(ending.reason);
    print::short(&heap, reason, REASON_CHARS, &print::Style::unicode(ending.program))
}

/// How much of a reason is kept in the trace.
const REASON_CHARS: usize = 2000;
