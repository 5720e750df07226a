//! The message that told a failing process the value with which it fails, however many it received after that.
//!
//! A story looks at the last few receives before a failure. `Result = call(…), work(), ok = Result` fails on what came before `work/0`.

use causality::Point;
use log_format::{ActionId, ActionNo, Cut, Kind, LogStep, Pid, Trace};
use session::error::Error;
use session::subject::ShownBounds;
use session::watch::Watcher;
use session::{Session, shown};
use system::System;

use crate::past::{Pasts, Taken};
use crate::scene::Scene;

/// Limit: so many receives before a failure are looked at.
const RECEIVES: usize = 2_000;

/// Does the failure name a value that none of the last messages before it told? `system`: at the failure.
///
/// # Errors
/// The trace is damaged.
pub(crate) fn is_wanted(
    session: &Session,
    system: &System<Watcher>,
    pasts: &mut Pasts<'_>,
    found: &Point,
) -> Result<bool, Error> {
    let past = pasts.past(found.pid, found.action.0)?;
    if found.runs_on || past.all || !past.others.is_empty() || !past.timeouts.is_empty() {
        return Ok(false);
    }
    let names = shown::names(system);
    let scene = Scene::new(session, system, &names);
    Ok(scene.names_a_value(found.id())? && scene.told(found.id(), &past.taken)?.is_none())
}

/// The last receive that told it.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub(crate) fn receive(
    session: &Session,
    found: &Point,
    slice: &Cut,
    bounds: &ShownBounds,
) -> Result<Option<ActionNo>, Error> {
    let taken = receives(session.trace(), found.pid, found.action.0)?;
    let mut wanted = vec![found.id()];
    wanted.extend(taken.iter().map(|one| ActionId::new(found.pid, one.number)));
    let system = session::scene::replay(session, found, slice.clone(), &wanted, bounds)?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let told = scene.told(found.id(), &taken)?;
    Ok(told.map(|at| ActionNo(taken[at].number)))
}

/// The last receives of a process before its `n`-th action, latest first.
fn receives(trace: &Trace, pid: Pid, n: u64) -> Result<Vec<Taken>, Error> {
    let mut log = trace.log(pid)?.without_values();
    let before = log.seek(ActionNo(n + 1))?;
    let mut log = trace.log(pid)?.without_values();
    let first = before.receives.saturating_sub(RECEIVES as u64).max(1);
    log.seek_receive(first)?;
    let mut taken = Vec::new();
    while log.counts().actions < n {
        let Some(step) = log.step(n - log.counts().actions)? else {
            break;
        };
        if let LogStep::Action(action) = step
            && let Kind::Rec(_) = action.kind
        {
            let number = log.counts().actions;
            taken.push(Taken { number, from: None });
        }
    }
    taken.reverse();
    Ok(taken)
}
