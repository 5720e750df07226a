//! `replay scrub`: a trace without what could be private.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use log_format::{
    Action, FinalState, Header, InputClass, Kind, LogStep, ProcLog, Program, Resource, RunOutcome, SendNo, Trace,
    TraceWriter, without_reason,
};
use rustc_hash::FxHashMap;

use crate::commands::export::{may_replace, same_file};
use crate::commands::{Out, open};
use crate::exit::Exit;
use clap::Args;
use clap::ValueEnum;
use session::error::Error;
use std::path::PathBuf;

/// `replay scrub`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay scrub --input file,env --part reasons -o public.bin my.bin")]
pub struct ScrubArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Where to write the new trace. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Take out the values of these inputs (clock, random, unique, system, env, file, stdin, arguments, command)
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = system::input_class)]
    pub input: Vec<log_format::InputClass>,
    /// Take out these parts
    #[arg(long = "part", value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub parts: Vec<Part>,
}

/// Parts of a trace that can be taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// The program's sources; without them the trace cannot be replayed
    Sources,
    /// The command line and the program's arguments
    Command,
    /// Reasons of ends, with their stacks
    Reasons,
    /// Observed values, such as those of process_info
    Observations,
    /// Hashes of keys of tables, persistent terms and the application environment, from which keys can be guessed; they become numbers
    Keys,
}

/// Runs `replay scrub`.
///
/// # Errors
/// The trace cannot be read or is damaged; the new one cannot be written.
pub fn run(args: &ScrubArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    if args.input.is_empty() && args.parts.is_empty() {
        return Err(Error::Usage(
            "name what to take out: --input CLASS,… or --part PART,…; `replay info` lists what could be private"
                .to_owned(),
        ));
    }
    may_replace(&args.output)?;
    let trace = open(&args.trace)?;
    if same_file(&args.trace, &args.output) {
        return Err(Error::Usage(
            "it is the trace to be scrubbed; name another file with -o".to_owned(),
        ));
    }
    let failed = |error: String| Error::Output {
        path: args.output.clone(),
        error,
    };
    let refused = |error: std::io::Error| failed(error.to_string());
    let place = crate::unfinished::aside(&args.output).map_err(refused)?;
    let sink = Box::new(std::io::BufWriter::new(place.handle().map_err(refused)?));
    let removed = copy(&trace, &Removed::of(args), sink).map_err(|error| match error {
        ScrubFailed::Reading(error) => Error::from(error).about(&args.trace),
        ScrubFailed::Writing(error) => failed(error.to_string()),
    })?;
    place.keep().map_err(refused)?;
    writeln!(out.sink, "{}", told(args, removed))?;
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// What was taken out, and what that means for a replay.
fn told(args: &ScrubArgs, removed: u64) -> String {
    let values = crate::words::count(removed, "value");
    let gone = |part: Part| args.parts.contains(&part);
    let without = if gone(Part::Sources) {
        "the sources are gone, so the trace cannot be replayed"
    } else if args.input.is_empty() && !gone(Part::Observations) && !gone(Part::Keys) && !gone(Part::Command) {
        "the trace can still be replayed to the end"
    } else {
        "a replay goes as far as the first of them that it needs"
    };
    format!("{values} taken out; {without}")
}

/// What is taken out.
pub(crate) struct Removed<'a> {
    /// Values of these inputs.
    pub input: &'a [InputClass],
    /// These parts.
    pub parts: &'a [Part],
}

impl<'a> Removed<'a> {
    const fn of(args: &'a ScrubArgs) -> Self {
        Self {
            input: args.input.as_slice(),
            parts: args.parts.as_slice(),
        }
    }
}

/// A trace without these parts, in memory.
///
/// # Errors
/// The trace is damaged.
pub(crate) fn without(trace: &Trace, removed: &Removed<'_>) -> Result<Vec<u8>, log_format::Error> {
    let sink = MemoryBytes::default();
    match copy(trace, removed, Box::new(sink.clone())) {
        Ok(_) => Ok(std::mem::take(&mut *sink.lock())),
        Err(ScrubFailed::Reading(error) | ScrubFailed::Writing(error)) => Err(error),
    }
}

/// Bytes in memory, for a writer that wants its sink for itself.
#[derive(Clone, Default)]
struct MemoryBytes(Arc<Mutex<Vec<u8>>>);

impl MemoryBytes {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for MemoryBytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.lock().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

enum ScrubFailed {
    Reading(log_format::Error),
    Writing(log_format::Error),
}

impl From<log_format::Error> for ScrubFailed {
    fn from(error: log_format::Error) -> Self {
        Self::Reading(error)
    }
}

/// Writes the trace without the given parts. Returns how many values were taken out. Digests are always left out, because they reveal contents.
fn copy(trace: &Trace, args: &Removed<'_>, sink: Box<dyn Write + Send>) -> Result<u64, ScrubFailed> {
    let gone = |part: Part| args.parts.contains(&part);
    let mut header: Header = trace.header().clone();
    let mut removed = 0;
    if gone(Part::Command) || args.input.contains(&InputClass::Arguments) {
        removed += header.leave_arguments_out();
    }
    // If the trace has numbers already, they stay.
    let keys = gone(Part::Keys) && !header.keys_left_out();
    if keys {
        header.leave_keys_out();
    }
    let mut numbers = keys.then(FxHashMap::default);
    let mut program: Program = trace.program()?;
    if gone(Part::Sources) {
        removed += program.sources.len() as u64;
        program.sources.clear();
    }
    let make = if trace.is_slice() {
        TraceWriter::slice
    } else {
        TraceWriter::new
    };
    let mut writer = make(sink, &header, &program, trace.clock()).map_err(ScrubFailed::Writing)?;
    for text in trace.texts()? {
        writer.text(text);
    }
    for node in trace.nodes()? {
        writer.node(&node);
    }
    let sends = sends_at_spawns(trace)?;
    let mut logs = Vec::new();
    for process in trace.processes() {
        let process = process?;
        let parent = process
            .parent
            .map(|spawn| (spawn, sends.get(&process.pid.0).copied().unwrap_or_default()));
        let mut log = ProcLog::born(process.pid, process.node, parent);
        for action in trace.log(process.pid)? {
            let (_, action) = action?;
            let mut action = scrubbed(action, args, &mut removed);
            if let Some(numbers) = &mut numbers {
                number_keys(&mut action, numbers);
            }
            log.action(&action);
        }
        if trace.is_slice() {
            writer.set_base(process.pid, process.base);
        }
        logs.push(log);
    }
    removed += numbers.map_or(0, |numbers| numbers.len() as u64);
    let Some(mut run) = trace.run_end()? else {
        writer.cut(&mut logs).map_err(ScrubFailed::Writing)?;
        return Ok(removed);
    };
    let mut processes = trace.outcomes()?;
    if gone(Part::Reasons) {
        removed += run.leave_reason_out();
        for outcome in &mut processes {
            if let FinalState::Ended { reason, stack } = &mut outcome.state {
                removed += 1;
                *reason = without_reason(reason).to_owned();
                stack.clear();
            }
        }
    }
    if gone(Part::Sources) {
        for outcome in &mut processes {
            if let FinalState::Running { location } | FinalState::Waiting { location } = &mut outcome.state {
                *location = without_folders(location);
            }
        }
    }
    writer
        .finish(&mut logs, &RunOutcome { run, processes })
        .map_err(ScrubFailed::Writing)?;
    Ok(removed)
}

/// A place, `file:line:column`, without the folders of the file.
fn without_folders(location: &str) -> String {
    location
        .rsplit_once(['/', '\\'])
        .map_or(location, |(_, last)| last)
        .to_owned()
}

/// For each process, how many signals its parent had sent when it spawned it.
fn sends_at_spawns(trace: &Trace) -> log_format::Result<FxHashMap<u64, SendNo>> {
    let mut sends = FxHashMap::default();
    for process in trace.processes() {
        let mut log = trace.log(process?.pid)?.without_values();
        loop {
            let child = match log.step(u64::MAX)? {
                None => break,
                Some(LogStep::Sends(_)) => None,
                Some(LogStep::Action(action)) => action.kind.spawned(),
            };
            if let Some(child) = child {
                sends.insert(child.0, log.counts().last_send());
            }
        }
    }
    Ok(sends)
}

/// Replaces hashes of keys by numbers, in order of appearance. Which action wrote what another one read can still be determined.
fn number_keys(action: &mut Action, numbers: &mut FxHashMap<Resource, u64>) {
    for access in &mut action.accesses {
        if access.resource.has_key() {
            let next = numbers.len() as u64 + 1;
            let number = *numbers.entry(access.resource).or_insert(next);
            access.resource = access.resource.with_key(number);
        }
    }
}

fn scrubbed(mut action: Action, args: &Removed<'_>, removed: &mut u64) -> Action {
    if args.parts.contains(&Part::Reasons) {
        *removed += action.leave_reason_out();
    }
    match &mut action.kind {
        Kind::Input { value } => {
            if let Some((class, Some(_))) = InputClass::split(value)
                && args.input.contains(&class)
            {
                *value = class.redacted();
                *removed += 1;
            }
        }
        Kind::Observe { value, .. } if args.parts.contains(&Part::Observations) && !value.is_empty() => {
            value.clear();
            *removed += 1;
        }
        _ => {}
    }
    action
}
