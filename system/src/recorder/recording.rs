//! The recorder and what it is given.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::{Finisher, Header, InputClass, NativeVersion, Placed, ProcLog, TraceWriter};
use syntax::{Release, UnknownRelease};

use crate::error::Unrecorded;
use crate::loader::{LoadedFile, Role};
use crate::observer::Observer;
use crate::settings::DEFAULT_SCHEDULERS;

/// A cut is due after this many actions. With virtual time, the clock has no influence, so equal runs give equal files.
pub(super) const CUT_ACTIONS: u64 = 1 << 17;

/// The facts about a run that are known before it starts.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The tool and its version.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// The entry.
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
    /// Further facts for replay, by name.
    pub facts: Vec<(String, String)>,
    /// The files read so far. They are written first, so that the trace of a killed recorder can be replayed.
    pub sources: Vec<LoadedFile>,
    /// The natives of the program ([`natives`]).
    pub natives: Vec<NativeVersion>,
    /// The files read from now on, beginning with `sources`; written with the next cut.
    pub read: Option<Arc<Mutex<Vec<LoadedFile>>>>,
}

impl RunFacts {
    fn header(&self) -> Header {
        let arity = usize::from(self.arguments.is_some());
        let mut header = Header {
            tool: self.tool.clone(),
            command: self.command.clone(),
            entry: format!("{}:{}/{arity}", self.entry.0.as_str(), self.entry.1.as_str()),
            arguments: self.arguments.clone().unwrap_or_default(),
            node: self.node.clone(),
            schedule: self.schedule.clone(),
            seed: self.seed,
            virtual_time: self.virtual_time,
            facts: self.facts.clone(),
        };
        if self.without_arguments {
            header.leave_arguments_out();
        }
        header
    }
}

/// What is recorded, and how.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// Wait at every cut until the trace has reached the disk.
    pub sync: bool,
    /// The recording ends at the last cut with which the file is not longer than this.
    pub max_bytes: Option<u64>,
    /// Record digests of received messages and final states.
    pub digests: bool,
    /// Leave out the values of these inputs.
    pub redact: Vec<InputClass>,
    /// Leave out reasons of ends, with their stacks.
    pub without_reasons: bool,
    /// Leave out the values of observations.
    pub without_observations: bool,
}

/// The log of one process.
#[derive(Clone, Debug)]
pub struct Log {
    pub(super) log: ProcLog,
    /// Digests of the messages received since the last cut, if digests are recorded.
    pub(super) digests: Vec<u32>,
    /// The digest of its final state.
    pub(super) last: Option<u32>,
}

/// What is missing from a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lost {
    /// All that came after some action: the file could not be written.
    Rest {
        /// The error and the file.
        error: String,
        /// The number of actions of the run that are in the file.
        kept: u64,
    },
    /// The whole file: it was removed, moved, or replaced while the program ran.
    Gone,
}

/// Writes a trace while a system runs. `I` is another observer (for example to print crash reports): it hears of ends, of missing functions, and of
/// what tests came to.
pub struct Recorder<I> {
    pub(super) inner: I,
    pub(super) recording: Recording,
}

/// What a recorder writes, and how far it has come: whatever the other observer is, so that it is compiled once.
pub struct Recording {
    /// `None` after an error: the program runs on, its trace ends at the last complete cut.
    pub(super) writer: Option<TraceWriter>,
    pub(super) error: Option<Lost>,
    /// The file, if the trace is written to one.
    pub(super) placed: Option<Placed>,
    pub(super) options: RecordOptions,
    /// Recording has stopped.
    pub(super) off: bool,
    /// Logs of ended processes, to be reused.
    #[expect(clippy::vec_box, reason = "the boxes themselves are used again")]
    pub(super) pool: Vec<Box<Log>>,
    /// The number of actions at the last cut, and after how many more the next one is due.
    pub(super) cut_actions: u64,
    pub(super) cut_after: u64,
    pub(super) cut_time: Instant,
    /// Bytes of values logged since the last cut.
    pub(super) value_bytes: usize,
    pub(super) virtual_time: bool,
    /// The number of the native that notes tests, until the file says that it was used.
    pub(super) tests: Option<u32>,
    /// The number of sources in the file.
    pub(super) sources: usize,
    pub(super) read: Option<Arc<Mutex<Vec<LoadedFile>>>>,
}

impl<I: Observer<Log = ()>> Recorder<I> {
    /// Creates the file. An existing one is replaced when the new one has its header, so that its readers keep the old contents.
    ///
    /// # Errors
    /// It cannot be created or written (then nothing is left of it); another recorder writes to it.
    pub fn create(path: &Path, facts: &RunFacts, options: RecordOptions, inner: I) -> Result<Self, Unrecorded> {
        let recording = Recording::create(path, facts, options)?;
        Ok(Self { inner, recording })
    }

    /// Writes to any sink. `clock`: when the recording began, in microseconds since 1970.
    ///
    /// # Errors
    /// The sink cannot be written.
    pub fn new(sink: Box<dyn Write + Send>, clock: i64, facts: &RunFacts, inner: I) -> Result<Self, Unrecorded> {
        let recording = Recording::new(sink, clock, facts)?;
        Ok(Self { inner, recording })
    }

    /// A copy that records another run, which has begun in the same way, into another sink. `so_far`: what this one has written. To be called right
    /// after a cut. `None`: it cannot be written any more.
    ///
    /// # Errors
    /// The sink cannot be written.
    pub fn copy(&self, facts: &RunFacts, so_far: &[u8], sink: Box<dyn Write + Send>) -> log_format::Result<Option<Self>>
    where
        I: Clone,
    {
        let recording = self.recording.copy(facts, so_far, sink)?;
        let inner = || self.inner.clone();
        Ok(recording.map(|recording| Self {
            inner: inner(),
            recording,
        }))
    }

    /// A handle to finish the trace if the run does not end; `None` if it cannot be written any more.
    #[must_use]
    pub fn finisher(&self) -> Option<Finisher> {
        self.recording.writer.as_ref().map(TraceWriter::finisher)
    }

    /// The other observer.
    pub const fn inner(&self) -> &I {
        &self.inner
    }
}

impl Recording {
    fn create(path: &Path, facts: &RunFacts, options: RecordOptions) -> Result<Self, Unrecorded> {
        let clock = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        let place = log_format::NewFile::at_once(path)?;
        let file = place.handle()?;
        let sync = if options.sync { Some(file.try_clone()?) } else { None };
        let mut recorder = Self::new(Box::new(file), clock, facts)?;
        let placed = place.handle().and_then(|file| Placed::new(file, path));
        place.keep()?;
        recorder.placed = Some(placed?);
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

    fn new(sink: Box<dyn Write + Send>, clock: i64, facts: &RunFacts) -> Result<Self, Unrecorded> {
        let header = facts.header();
        let program = log_format::Program {
            sources: facts.sources.iter().map(source_of).collect(),
            natives: facts.natives.clone(),
            used: Vec::new(),
        };
        let writer = TraceWriter::new(sink, &header, &program, clock)?;
        Ok(Self {
            writer: Some(writer),
            error: None,
            placed: None,
            options: RecordOptions::default(),
            off: false,
            pool: Vec::new(),
            cut_actions: 0,
            cut_after: CUT_ACTIONS,
            cut_time: Instant::now(),
            value_bytes: 0,
            virtual_time: facts.virtual_time,
            tests: facts
                .natives
                .iter()
                .position(|native| native.name == log_format::TEST_NATIVE)
                .and_then(|place| u32::try_from(place).ok()),
            sources: facts.sources.len(),
            read: facts.read.clone(),
        })
    }

    fn copy(&self, facts: &RunFacts, so_far: &[u8], sink: Box<dyn Write + Send>) -> log_format::Result<Option<Self>> {
        let Some(writer) = &self.writer else { return Ok(None) };
        Ok(Some(Self {
            writer: Some(writer.copy(&facts.header(), so_far, sink)?),
            error: None,
            placed: None,
            options: self.options.clone(),
            off: self.off,
            pool: Vec::new(),
            cut_actions: self.cut_actions,
            cut_after: self.cut_after,
            cut_time: self.cut_time,
            value_bytes: self.value_bytes,
            virtual_time: self.virtual_time,
            tests: self.tests,
            sources: self.sources,
            read: self.read.clone(),
        }))
    }

    /// Stops writing.
    pub(super) fn fail(&mut self, lost: Lost) {
        self.writer = None;
        self.off = true;
        self.error.get_or_insert(lost);
    }
}

/// Writes a cut with the contents of these logs, and their digests.
pub(super) fn cut<'a>(
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

/// The name of the header's fact that says of which release of OTP the program is.
const RELEASE: &str = "otp";

/// The name of the header's fact that says how many schedulers the program was told of.
const SCHEDULERS: &str = "schedulers";

/// Facts of a program for the header of its trace: its release, but for the oldest, which is that of traces without the fact; and how many schedulers
/// it is told of, unless it is the usual number.
#[must_use]
pub fn facts(program: &Program, schedulers: u32) -> Vec<(String, String)> {
    let release = program.release();
    let is_said = release != Release::OLDEST;
    let release = is_said.then(|| (RELEASE.to_owned(), release.to_string()));
    let is_said = schedulers != DEFAULT_SCHEDULERS;
    let schedulers = is_said.then(|| (SCHEDULERS.to_owned(), schedulers.to_string()));
    release.into_iter().chain(schedulers).collect()
}

/// How many schedulers the program of a trace was told of: what it asks beyond its record gets the same answer.
#[must_use]
pub fn schedulers(header: &Header) -> u32 {
    let fact = header.facts.iter().find(|(name, _)| name == SCHEDULERS);
    fact.and_then(|(_, text)| text.parse().ok())
        .unwrap_or(DEFAULT_SCHEDULERS)
}

/// The release of OTP of the program of a trace.
///
/// # Errors
/// It is not known here.
pub fn release(header: &Header) -> Result<Release, log_format::Error> {
    let Some((_, text)) = header.facts.iter().find(|(name, _)| name == RELEASE) else {
        return Ok(Release::OLDEST);
    };
    text.parse().map_err(|expected: UnknownRelease| {
        let found = format!("{} (a newer version of this tool may know it)", log_format::safe(text));
        log_format::Error::damaged(0, format!("as the release of OTP: {expected}"), found)
    })
}

/// The natives of a program with their versions, in the order of their ids. If two have one name, the later one counts.
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

pub(super) fn source_of(source: &LoadedFile) -> log_format::ModuleSource {
    let (module, format) = match &source.role {
        Role::Module(name) => (name.clone(), "erl"),
        Role::Forms(name) => (name.clone(), "forms"),
        Role::Transform(name) => (name.clone(), "transform"),
        // An include is identified by directive, text and including file.
        Role::Include { library, name, from } => (
            format!("{name}\n{from}"),
            if *library { "include_lib" } else { "include" },
        ),
    };
    log_format::ModuleSource {
        module,
        path: source.path.clone(),
        format: format.to_owned(),
        bytes: source.text.to_vec(),
        options: source.options.clone(),
    }
}

/// The sources of a trace, in the form that a loader needs.
#[must_use]
pub fn sources(program: &log_format::Program) -> Vec<LoadedFile> {
    program
        .sources
        .iter()
        .filter_map(|source| {
            let role = match (source.format.as_str(), source.module.split_once('\n')) {
                ("erl", _) => Role::Module(source.module.clone()),
                ("forms", _) => Role::Forms(source.module.clone()),
                ("transform", _) => Role::Transform(source.module.clone()),
                ("include" | "include_lib", Some((name, from))) => Role::Include {
                    library: source.format == "include_lib",
                    name: name.to_owned(),
                    from: from.to_owned(),
                },
                _ => return None,
            };
            Some(LoadedFile {
                role,
                path: source.path.clone(),
                text: source.bytes.as_slice().into(),
                options: source.options.clone(),
            })
        })
        .collect()
}

/// Gives texts and nodes the same numbers as in the system.
pub(super) fn name_all(writer: &mut TraceWriter, texts: &[String], nodes: &[Atom]) {
    for text in texts {
        writer.text(text);
    }
    for node in nodes {
        writer.node(node.as_str());
    }
}
