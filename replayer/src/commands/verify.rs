//! `replay verify`: checks every byte of a trace, that its logs are consistent, and that its program still does what was recorded, under any
//! schedule.

use std::sync::Arc;

use log_format::{Action, ActionId, FinalState, Kind, LogStep, Pid, REMOVED, REMOVED_SHUTDOWN, Status, Trace};
use rustc_hash::FxHashMap;
use serde::Serialize;
use system::scheduler::{Random, RoundRobin, Scheduler};

use crate::cli::shared::ShowArgs;
use crate::commands::{Out, open};
use crate::exit::Exit;
use crate::spoken::ready;
use crate::words::{bytes, count, duration, safe};
use clap::Args;
use session::consistency;
use session::digests::{self, RecordedDigests};
use session::error::Error;
use session::fingerprint::{Noter, Notes, difference};
use session::name::{ActionTally, target};
use session::{Goal, Session};
use std::path::PathBuf;

/// `replay verify`.
#[derive(Args, Debug)]
#[command(after_help = "Exit codes:
    0  the trace is intact; or the recorder was killed, and the trace is intact up to its last cut
   65  damage
   82  the replay differs from the record

Example: replay verify my.bin")]
pub struct VerifyArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
}

/// The seed of the second replay's schedule; any seed will do.
const SEED: u64 = 0x5eed;

#[derive(Serialize)]
struct Verified {
    actions: u64,
    processes: u64,
    complete: bool,
    /// Has it an index?
    indexed: bool,
    /// How many digests were compared.
    digests: u64,
    /// How far the replay came, if a value was left out of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<String>,
    seconds: f64,
}

/// Runs `replay verify`.
///
/// # Errors
/// The trace is damaged or inconsistent; its program diverges from it; two replays differ, or differ from the digests.
pub fn run(args: &VerifyArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let trace = open(&args.trace)?;
    let checked = trace.verify_start().and_then(|()| trace.verify_sections());
    let checked = checked.and_then(|()| trace.verify_index());
    checked.map_err(|e| Error::from(e).about(&args.trace))?;
    // A trace without any index (from another recorder, or cut off after its outcome) has been checked completely.
    let indexed = !matches!(trace.status(), Status::IndexRebuilt { .. });
    consistency::check(&trace).map_err(|e| Error::from(e).about(&args.trace))?;
    let started = std::time::Instant::now();
    let (mut redacted, mut compared) = (None, 0);
    let mut replays: Vec<FxHashMap<Pid, Notes>> = Vec::new();
    let session = match Session::of(Arc::clone(&trace)) {
        Ok(session) => Some(ready(session)),
        Err(Error::LeftOut(what)) => {
            redacted = Some(format!("nothing was replayed, because {what} were left out"));
            None
        }
        Err(error) => return Err(error.about(&args.trace)),
    };
    let schedules: [Box<dyn Scheduler>; 2] = [Box::new(RoundRobin::default()), Box::new(Random::new(SEED))];
    for scheduler in schedules {
        let Some(session) = &session else {
            break;
        };
        match notes(session, scheduler)? {
            Replayed::Whole(notes, digests) => {
                replays.push(notes);
                compared = digests;
            }
            Replayed::UpTo(place) => redacted = Some(format!("replayed as recorded up to {place}")),
        }
    }
    if let [one, two] = replays.as_slice()
        && let Some(ActionId { pid, number }) = difference(one, two)
    {
        let what = named(&trace, pid, number.0)?;
        return Err(Error::Leaked(format!(
            "nondeterminism leaked: two replays of this trace differ at {what}; something that the program used there is neither recorded \
             nor the same in every run; please report it with the trace"
        )));
    }
    if let Some(one) = replays.first() {
        printed(&trace, one)?;
        reasons(&trace, one)?;
    }
    let totals = trace.totals();
    let view = Verified {
        actions: totals.counts.actions,
        processes: totals.processes,
        complete: !matches!(trace.status(), Status::Incomplete { .. }),
        indexed,
        digests: compared,
        redacted,
        seconds: started.elapsed().as_secs_f64(),
    };
    let show = ShowArgs {
        all: false,
        width: None,
    };
    let bytes = whole_bytes(&trace);
    out.view(&view, show, |sink, view, _| {
        let digests = match view.digests {
            0 => String::new(),
            n => format!(", {} as recorded", count(n, "digest")),
        };
        match &view.redacted {
            Some(how_far) => writeln!(sink, "{bytes}; the logs are consistent; {how_far}"),
            None => writeln!(
                sink,
                "{bytes}; the logs are consistent; {} of {} replayed twice as recorded, under two schedules{digests}, in {}",
                count(view.actions, "action"),
                count(view.processes, "process"),
                duration(view.seconds)
            ),
        }
    })?;
    Ok(Exit::Success)
}

/// Which bytes are as they were written, and what the others are.
fn whole_bytes(trace: &Trace) -> String {
    match trace.status() {
        Status::Complete => "every byte is as written".to_owned(),
        Status::IndexRebuilt { end, .. } if *end == trace.bytes() => {
            "every byte is as written, without an index, so each command makes it again".to_owned()
        }
        Status::IndexRebuilt { end, .. } => format!(
            "every byte up to the index (byte {end}) is as written, and the index was cut off, so each command makes it again"
        ),
        Status::Incomplete { lost: 0, .. } => {
            "every byte is as written, and the recording was cut off, so its end is missing".to_owned()
        }
        Status::Incomplete { end, lost, .. } => format!(
            "every byte up to the last cut (byte {end}) is as written, and the recording was cut off: the {} after it cannot be used",
            bytes(*lost)
        ),
    }
}

/// Where a replay ends because a value was left out, and which one.
fn left_out_at(divergence: &system::feed::Divergence) -> String {
    let system::feed::Divergence {
        pid,
        action,
        location,
        found,
        ..
    } = divergence;
    let place = location.as_deref().map(|place| format!(" ({})", safe(place)));
    format!(
        "action {action} of {pid}{}, which needs a value that was left out: {}",
        place.unwrap_or_default(),
        safe(found)
    )
}

/// Was the same amount printed as recorded?
fn printed(trace: &Trace, notes: &FxHashMap<Pid, Notes>) -> Result<(), Error> {
    for process in trace.processes() {
        let pid = process?.pid;
        let Some(Notes { printed, .. }) = notes.get(&pid).filter(|notes| !notes.printed.is_empty()) else {
            continue;
        };
        let mut lengths = printed.iter();
        let mut log = trace.log(pid)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            let LogStep::Action(action) = step else { continue };
            let Kind::Output { bytes, .. } = action.kind else {
                continue;
            };
            if let Some(&found) = lengths.next()
                && found != bytes
            {
                let what = named(trace, pid, log.counts().actions)?;
                return Err(Error::Leaked(format!(
                    "the program prints other output than recorded: expected {bytes} bytes, found {found}, at {what}"
                )));
            }
        }
    }
    Ok(())
}

/// Did processes end for the recorded reasons? Another recorder may write other texts there, and they may have been left out.
fn reasons(trace: &Trace, notes: &FxHashMap<Pid, Notes>) -> Result<(), Error> {
    if !trace.header().tool.starts_with("tracer ") {
        return Ok(());
    }
    for outcome in trace.outcomes()? {
        let FinalState::Ended { reason, .. } = &outcome.state else {
            continue;
        };
        let told = !reason.is_empty() && ![REMOVED, REMOVED_SHUTDOWN].contains(&reason.as_str());
        if told
            && let Some(found) = notes.get(&outcome.pid).and_then(|notes| notes.reason.as_ref())
            && found != reason
        {
            return Err(Error::Leaked(format!(
                "{} ends for another reason than recorded: found {}, expected {}",
                outcome.pid,
                safe(found),
                safe(reason)
            )));
        }
    }
    Ok(())
}

enum Replayed {
    /// What every process did, and the number of digests that were compared.
    Whole(FxHashMap<Pid, Notes>, u64),
    /// Up to a value that was left out of the trace.
    UpTo(String),
}

/// Replays everything and notes what every process did.
fn notes(session: &Session, scheduler: Box<dyn Scheduler>) -> Result<Replayed, Error> {
    let trace = session.trace();
    let recorded: RecordedDigests = session.digests()?;
    let finals = !recorded.is_empty() && digests::waited(trace)?;
    let mut goal = Goal::everything();
    goal.all_run_on = finals;
    let mut system = match session.replay_under(&goal, Noter::comparing(recorded), scheduler) {
        Ok(system) => system,
        Err(Error::Diverged(divergence)) if divergence.is_redacted() => {
            return Ok(Replayed::UpTo(left_out_at(&divergence)));
        }
        Err(error) => return Err(error),
    };
    let mut living: FxHashMap<Pid, Notes> = FxHashMap::default();
    let mut contents = std::mem::take(&mut system.observer.contents);
    for process in system.table().iter() {
        let pid = system::ids::to_log(process.pid);
        living.extend(system.log(pid).map(|log| (pid, log.notes.clone())));
    }
    contents.all_wait(trace, &system, None)?;
    contents.agree(trace)?;
    living.extend(system.into_observer().ended);
    Ok(Replayed::Whole(living, contents.compared))
}

/// An action as a target; action 0 is the final state.
fn named(trace: &Trace, pid: Pid, number: u64) -> Result<String, Error> {
    if number == 0 {
        return Ok(format!("the final state of {pid}"));
    }
    let base = trace.process(pid)?.base;
    let mut tally = ActionTally::default();
    let mut last: Option<Action> = None;
    for item in trace.log(pid)?.without_values().take(number as usize) {
        let (_, action) = item?;
        tally.add(&action);
        last = Some(action);
    }
    Ok(match last {
        Some(action) if tally.counts.actions == number => {
            let word = action.kind.word();
            format!(
                "{} (action {number} of {pid}, {word})",
                target(pid, &action, &tally, base)
            )
        }
        _ => format!("action {number} of {pid}"),
    })
}
