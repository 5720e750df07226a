//! The end of a recording.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use interpreter::atom::Atom;
use interpreter::vm::{NativeId, Program};
use log_format::{FinalState, MAILBOX_TAGS, ProcessOutcome, RunEnd, RunOutcome, Tag, TraceWriter};

use crate::ids::Slot;
use crate::loader::LoadedFile;
use crate::observer::Observer;
use crate::recorder::along::Records;
use crate::recorder::recording::Lost;
use crate::recorder::recording::{Log, Recorder, Recording, cut, name_all, source_of};
use crate::sink::ProcessLogs;
use crate::state::process::ProcessActivity;
use crate::state::table::Lookup;
use crate::step::log::here;
use crate::system::System;
use crate::world::World;
use crate::{digest, ids};

impl<I: Observer<Log = ()>> Recorder<I> {
    /// The trace will hold no modules that no process has called.
    pub fn holds_called_only(&mut self) {
        self.recording.read = None;
    }

    /// Writes the last cut, the rest of the program, the outcome and the index. Returns a description of the file.
    ///
    /// `read`: everything read, beginning with the sources that the recorder was created with.
    ///
    /// # Errors
    /// The trace, or its last part, is lost.
    pub fn finish(system: &mut System<Self>, read: &[LoadedFile], run: &RunEnd) -> Result<FinishedTrace, Lost> {
        finish(system, read, run)
    }
}

/// [`Recorder::finish`], for an observer that holds a recorder.
///
/// # Errors
/// The trace, or its last part, is lost.
pub fn finish<R: Records>(system: &mut System<R>, read: &[LoadedFile], run: &RunEnd) -> Result<FinishedTrace, Lost> {
    let logs = &mut RecordedLogs::<R>(&mut system.logs);
    let recording = system.observer.recording();
    let written = finish_file(&mut system.world, recording, logs, read, run);
    match &recording.placed {
        Some(placed) if !placed.is_there() => Err(Lost::Gone),
        _ => written,
    }
}

/// The logs of the living processes, whatever else the observer keeps for them.
trait Logs {
    fn log(&mut self, slot: Slot) -> &mut Box<Log>;
    fn all(&mut self) -> Box<dyn Iterator<Item = &mut Box<Log>> + '_>;
}

struct RecordedLogs<'a, R: Records>(&'a mut ProcessLogs<R::Log>);

impl<R: Records> Logs for RecordedLogs<'_, R> {
    fn log(&mut self, slot: Slot) -> &mut Box<Log> {
        R::log(self.0.log_mut(slot))
    }
    fn all(&mut self) -> Box<dyn Iterator<Item = &mut Box<Log>> + '_> {
        Box::new(self.0.iter_mut(None).map(R::log))
    }
}

/// Limit: modules that are read although no process has called them; in a program in Elixir, whose library is loaded with the program.
const MOST_UNCALLED: usize = 64;
const MOST_OF_ELIXIR: usize = 512;

/// Modules that start a run in Elixir, with those inside of them: no program is about them.
const STARTERS: &[&str] = &["Elixir.Mix", "Elixir.IEx", "Elixir.Hex"];

/// Other ways of the run may call modules that no process has called in this one. Those that loaded modules name are read too, the nearest first. OTP's
/// are not, but for those of `stdlib` where Elixir runs, which calls them at the end of a script; nor any if there was one process only, which has no
/// other way.
fn read_uncalled(world: &mut World) {
    if world.table.born() == 1 {
        return;
    }
    let release = world.program.release();
    let with_elixir = world.program.is_loaded(Atom::new("elixir"));
    let is_own = |name: &str| match interpreter::otp::portable(name) {
        _ if interpreter::library::has(name, release) => false,
        Some(application) => with_elixir && application == "stdlib",
        None => !(with_elixir && STARTERS.iter().any(|starter| is_inside(name, starter))),
    };
    // What has run stays as it is.
    let mut copy: Option<Program> = None;
    let mut tried: BTreeSet<&str> = BTreeSet::new();
    let mut left = if with_elixir { MOST_OF_ELIXIR } else { MOST_UNCALLED };
    loop {
        let program = copy.as_ref().unwrap_or(&world.program);
        let called = program.calls().map(|(module, _, _)| module);
        let uncalled = called.filter(|module| !program.is_loaded(*module) && is_own(module.as_str()));
        let uncalled: BTreeSet<&str> = uncalled.map(|module| module.as_str()).collect();
        let new: Vec<&str> = uncalled.difference(&tried).copied().collect();
        if new.is_empty() {
            return;
        }
        for name in new {
            tried.insert(name);
            let program = copy.get_or_insert_with(|| (*world.program).clone());
            if world.loader.reads(Atom::new(name), program) {
                left -= 1;
            }
            if left == 0 {
                return;
            }
        }
    }
}

/// Is it this module of Elixir, or one whose name begins with its name?
fn is_inside(name: &str, module: &str) -> bool {
    let rest = name.strip_prefix(module);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn finish_file(
    world: &mut World,
    recording: &mut Recording,
    logs: &mut dyn Logs,
    read: &[LoadedFile],
    run: &RunEnd,
) -> Result<FinishedTrace, Lost> {
    let shared = recording.read.clone();
    let all = shared.filter(|_| !matches!(run, RunEnd::Interrupted(_))).map(|shared| {
        read_uncalled(world);
        shared.lock().unwrap_or_else(PoisonError::into_inner).clone()
    });
    let read = all.as_deref().unwrap_or(read);
    let rest = read.get(recording.sources..).unwrap_or_default();
    let program = program_section(rest, &world.program);
    let texts = world.resources.texts().to_vec();
    let nodes = world.nodes.names();
    let mut last = Vec::new();
    if recording.options.digests && !recording.off {
        for p in world.table.iter().filter(|p| p.state == ProcessActivity::Waiting) {
            last.push((p.pid, digest::of_state(&world.program, &p.machine, None)));
        }
    }
    for (pid, digest) in last {
        if let Lookup::Alive(slot) = world.table.find(pid) {
            logs.log(slot).last = Some(digest);
        }
    }
    let Some(mut writer) = recording.writer.take() else {
        return Err(recording.error.clone().unwrap_or_else(|| Lost::Rest {
            error: "nothing was written".to_owned(),
            kept: 0,
        }));
    };
    let mut kept = writer.totals().counts.actions;
    name_all(&mut writer, &texts, &nodes);
    // Before the actions of these modules, so that a file cut off after the last cut is complete.
    writer.program(&program).map_err(|error| Lost::rest(&error, kept))?;
    let digests = recording.options.digests;
    let full = |writer: &TraceWriter| writer.is_full();
    if !full(&writer) {
        cut(&mut writer, logs.all(), digests).map_err(|error| Lost::rest(&error, kept))?;
        kept = writer.totals().counts.actions;
    }
    let complete = !full(&writer);
    let mut run = run.clone();
    if recording.options.without_reasons {
        run.leave_reason_out();
    }
    let run = &run;
    let most = match run {
        RunEnd::Interrupted(_) => TOLD_IN_HASTE,
        _ => usize::MAX,
    };
    let outcome = if complete {
        RunOutcome {
            run: run.clone(),
            processes: living(world, most),
        }
    } else {
        let limit = recording.options.max_bytes.unwrap_or_default();
        RunOutcome {
            run: RunEnd::Unrecorded {
                why: format!("the trace would have grown beyond {limit} bytes"),
                then: in_words(run),
            },
            // The positions of processes at the last cut are not known; a replay finds them.
            processes: Vec::new(),
        }
    };
    let bytes = writer.finish([], &outcome).map_err(|error| Lost::rest(&error, kept))?;
    Ok(FinishedTrace { bytes, complete })
}

/// A finished trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinishedTrace {
    /// Its length.
    pub bytes: u64,
    /// Does it contain the whole run?
    pub complete: bool,
}

impl Lost {
    pub(super) fn rest(error: &log_format::Error, kept: u64) -> Self {
        Self::Rest {
            error: error.to_string(),
            kept,
        }
    }
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rest { error, kept } => write!(f, "it ends after {kept} actions: {error}"),
            Self::Gone => f.write_str("it was removed, moved or replaced while the program ran"),
        }
    }
}

/// How a run ended, in words.
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

/// For an interrupted run, the positions of at most this many processes are written: it must end at once, and a replay finds the others.
const TOLD_IN_HASTE: usize = 10_000;

/// The living processes at the end of a run, at most this many: their positions and mailboxes.
fn living(world: &World, most: usize) -> Vec<ProcessOutcome> {
    world
        .table
        .iter()
        .take(most)
        .map(|p| {
            let location = here(&p.machine, &world.program).unwrap_or_default();
            let state = match p.state {
                ProcessActivity::Waiting | ProcessActivity::WaitingInput => FinalState::Waiting { location },
                ProcessActivity::Ready
                | ProcessActivity::Blocked
                | ProcessActivity::Frozen
                | ProcessActivity::Gated => FinalState::Running { location },
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

fn program_section(read: &[LoadedFile], program: &Program) -> log_format::Program {
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
