//! A process at the end of a replay.

use log_format::{ActionId, ActionNo, Kind, Pid, Trace};
use system::System;

use crate::called::ProcessNames;
use crate::error::Error;
use crate::name::{self, ActionTally};
use crate::session::Session;
use crate::subject::{self, ShownBounds};
use crate::view::ProcessView;
use crate::watch::Watcher;
use causality::Point;

const LINES_AROUND: u32 = 2;

/// The process of the target, at the end of the replay.
pub fn process(
    session: &Session,
    system: &System<Watcher>,
    found: &Point,
    names: &ProcessNames,
    bounds: &ShownBounds,
) -> Result<ProcessView, Error> {
    let trace = session.trace();
    let of_actions = trace.process(found.pid)?.counts.actions;
    let handle = interpreter::term::Pid::new(0, found.pid.0);
    let mut view = match (system.table().by_pid(handle), &system.observer.end) {
        (Some(p), _) => subject::living(system, p, bounds),
        (None, Some(end)) => subject::ended(found.pid, of_actions, end),
        (None, None) => return Err(session.fault(format!("{} is not there after its replay", found.pid))),
    };
    view.of_actions = of_actions;
    view.name = names.get(&found.pid).cloned();
    quote(session, &mut view, bounds);
    view.next = next_action(trace, found.pid, view.actions)?;
    Ok(view)
}

/// Adds the source to the frames.
pub fn quote(session: &Session, view: &mut ProcessView, bounds: &ShownBounds) {
    let around = if bounds.frames == usize::MAX {
        LINES_AROUND * 2
    } else {
        LINES_AROUND
    };
    for (i, frame) in view.frames.iter_mut().enumerate() {
        if let Some(place) = &frame.place {
            let around = if i == 0 { around } else { 0 };
            frame.source = session.sources().quote_at(place, around);
        }
    }
}

/// The action after the first `done` actions of a process, as a target.
pub fn next_action(trace: &Trace, pid: Pid, done: u64) -> Result<Option<String>, Error> {
    let process = trace.process(pid)?;
    if done >= process.counts.actions {
        return Ok(None);
    }
    let mut log = trace.log(pid)?.without_values();
    let before = log.seek(ActionNo(done + 1))?;
    let Some(item) = log.next() else { return Ok(None) };
    let action = item?.1;
    // Timeouts and outputs are named by their number in the log: counting them would need the whole log before.
    if matches!(action.kind, Kind::After | Kind::Output { .. }) {
        return Ok(Some(ActionId::new(pid, done + 1).to_string()));
    }
    let mut tally = ActionTally {
        counts: before,
        ..ActionTally::default()
    };
    tally.add(&action);
    Ok(Some(name::target(pid, &action, &tally, process.base)))
}
