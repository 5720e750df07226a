//! `replay slice`: a trace with only the causes of a target. It replays like the whole one, and keeps all of its numbers.

use std::io::{BufWriter, Write};

use log_format::{
    ActionId, ActionNo, Cut, FinalState, LogStep, Pid, ProcLog, ProcessFacts, ProcessOutcome, RunEnd, RunOutcome,
    TextId, Trace, TraceWriter,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cli::shared::{PlaceArgs, TARGETS};
use crate::commands::export::{may_replace, same_file};
use crate::commands::{Out, open};
use crate::exit::Exit;
use crate::words::{bytes, count, number, path_argument};
use clap::Args;
use session::error::Error;
use session::shown;
use std::path::PathBuf;

/// `replay slice`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay slice error -o small.bin my.bin"),
    override_usage = "replay slice [OPTIONS] -o FILE [TARGET] TRACE"
)]
pub struct SliceArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the slice. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// The process that calls the entry.
const FIRST: Pid = Pid(system::FIRST_PID);

/// Runs `replay slice`.
///
/// # Errors
/// There is no such target; the trace is damaged; the slice cannot be written, or would replace a file that is not a trace.
pub fn run(args: &SliceArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let trace = open(path)?;
    let found = super::find(&trace, target).map_err(|e| e.about(path))?;
    let slice = held(&trace, &found).map_err(|e| e.about(path))?;
    may_replace(&args.output)?;
    let failed = |error: String| Error::Output {
        path: args.output.clone(),
        error,
    };
    if same_file(path, &args.output) {
        return Err(failed(
            "it is the trace to be sliced; name another file with -o".to_owned(),
        ));
    }
    let refused = |error: std::io::Error| failed(error.to_string());
    let place = crate::unfinished::aside(&args.output).map_err(refused)?;
    let file = place.handle().map_err(refused)?;
    let length = write(&trace, &slice, Box::new(BufWriter::new(file))).map_err(|error| match error {
        SliceFailed::Read(error) => Error::from(error).about(path),
        SliceFailed::Write(error) => failed(error.to_string()),
    })?;
    place.keep().map_err(refused)?;
    let totals = trace.totals();
    let text = format!(
        "{} of {} and {} of {} written to {}, {}\n",
        number(slice.actions()),
        count(totals.counts.actions, "action"),
        number(slice.processes() as u64),
        count(totals.processes, "process"),
        path_argument(&args.output),
        bytes(length),
    );
    match out.format {
        crate::cli::shared::Format::Text => {
            out.sink.write_all(text.as_bytes())?;
            writeln!(
                out.sink,
                "  replay --until {} {}",
                found.target,
                path_argument(&args.output)
            )?;
        }
        crate::cli::shared::Format::Json => {
            let view = serde_json::json!({
                "target": found.target.to_string(),
                "file": args.output.to_string_lossy(),
                "actions": slice.actions(),
                "processes": slice.processes(),
                "bytes": length,
            });
            crate::render::json::write(out.sink, &view)?;
        }
    }
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// The causes of a target. For a deadlock, those of all waiting processes, with what had been sent to them: the wait of the entry alone
/// explains nothing.
pub(crate) fn held(trace: &Trace, found: &causality::Point) -> Result<Cut, Error> {
    let is_deadlock =
        found.target == causality::Target::Error && found.runs_on && trace.run_end()? == Some(RunEnd::Deadlock);
    if !is_deadlock {
        return shown::slice_of(trace, found);
    }
    let mut ends = vec![ActionId {
        pid: found.pid,
        number: found.action,
    }];
    for outcome in trace.outcomes()? {
        if matches!(outcome.state, FinalState::Waiting { .. }) {
            ends.push(ActionId::new(outcome.pid, trace.process(outcome.pid)?.counts.actions));
            for tag in outcome.tags {
                ends.extend(session::targets::sender_of(trace, tag)?);
            }
        }
    }
    Ok(causality::causes_of_all(trace, ends)?)
}

/// Why a slice was not written.
#[derive(Debug)]
pub enum SliceFailed {
    /// The whole trace is damaged.
    Read(log_format::Error),
    /// The sink cannot be written.
    Write(log_format::Error),
}

impl From<log_format::Error> for SliceFailed {
    fn from(error: log_format::Error) -> Self {
        Self::Read(error)
    }
}

/// Writes a slice of a trace. Returns its length in bytes.
///
/// # Errors
/// The trace is damaged, or the sink cannot be written.
pub fn write(trace: &Trace, slice: &Cut, sink: Box<dyn Write + Send>) -> Result<u64, SliceFailed> {
    let program = trace.program()?;
    let mut writer = TraceWriter::slice(sink, trace.header(), &program, trace.clock()).map_err(SliceFailed::Write)?;
    // Texts and nodes keep their numbers, because accesses refer to them by number.
    let mut id = 0;
    while let Ok(text) = trace.text(TextId(id)) {
        writer.text(text);
        id += 1;
    }
    for node in trace.nodes()? {
        writer.node(&node);
    }
    let mut logs: FxHashMap<Pid, ProcLog> = FxHashMap::default();
    let mut order = Vec::new();
    for entry in trace.processes() {
        let process = entry?;
        // Processes without a parent exist from the beginning; the first is kept also if it did nothing that is logged.
        if process.parent.is_none() && (process.pid == FIRST || slice.get(process.pid) > 0) {
            logs.insert(process.pid, ProcLog::entry(process.pid, process.node));
            order.push(process.pid);
        }
    }
    // A parent is written up to a spawn before its child is begun.
    let mut at = 0;
    while at < order.len() {
        let pid = order[at];
        at += 1;
        let mut log = logs
            .remove(&pid)
            .ok_or_else(|| log_format::Error::damaged(0, "a process whose parent is in the slice", pid))?;
        let last = slice.get(pid);
        let mut reader = trace.log(pid)?;
        while log.last_action().0 < last {
            let left = last - log.last_action().0;
            match reader.step(left)? {
                None => break,
                Some(LogStep::Sends(n)) => (0..n).for_each(|_| log.send()),
                Some(LogStep::Action(action)) => {
                    log.action(action);
                    if let Some(child) = action.kind.spawned() {
                        let ProcessFacts { node, parent, .. } = trace.process(child)?;
                        let spawn = ActionId::new(pid, log.last_action().0);
                        // A child has only one birth, so it is begun once.
                        if parent != Some(spawn) {
                            return Err(born_elsewhere(child, spawn, parent).into());
                        }
                        logs.insert(child, ProcLog::child(child, node, &log));
                        order.push(child);
                    }
                }
            }
        }
        let process = trace.process(pid)?;
        writer.set_base(pid, process.base);
        writer.retire(&mut log);
    }
    // Processes whose births form a cycle do not descend from an entry.
    let written: FxHashSet<Pid> = order.iter().copied().collect();
    if let Some(ActionId { pid: lost, .. }) = slice.iter().find(|last| !written.contains(&last.pid)) {
        let expected = format!("births that lead from an entry process to {lost}");
        return Err(log_format::Error::damaged(0, expected, "others").into());
    }
    let outcome = outcome(trace, slice, &order)?;
    writer
        .finish(std::iter::empty::<&mut ProcLog>(), &outcome)
        .map_err(SliceFailed::Write)
}

/// The error for a process that names another birth than the spawn that names it.
fn born_elsewhere(child: Pid, spawn: ActionId, found: Option<ActionId>) -> log_format::Error {
    let of = |spawn: ActionId| format!("born of action {} of {}", spawn.number, spawn.pid);
    let expected = format!("{child} to be {}, which spawns it", of(spawn));
    let found = match found {
        Some(other) => format!("one {}", of(other)),
        None => "an entry process".to_owned(),
    };
    log_format::Error::damaged(0, expected, found)
}

/// The outcomes of the processes in the slice: how they ended, or that they went on.
fn outcome(trace: &Trace, slice: &Cut, pids: &[Pid]) -> Result<RunOutcome, log_format::Error> {
    let mut processes = Vec::new();
    for &pid in pids {
        let whole = ActionNo(slice.get(pid)) == trace.process(pid)?.counts.last_action();
        match trace.outcome(pid)? {
            Some(outcome) if whole => processes.push(outcome),
            _ if whole && trace.process(pid)?.ended => {}
            _ => processes.push(ProcessOutcome {
                pid,
                state: FinalState::Running {
                    location: String::new(),
                },
                mailbox: 0,
                tags: Vec::new(),
            }),
        }
    }
    let run = match trace.run_end()? {
        Some(end) => end,
        None => RunEnd::Interrupted("the recording was cut".to_owned()),
    };
    Ok(RunOutcome { run, processes })
}
