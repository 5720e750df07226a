//! `replay why` and `replay consequences`: the story of an action backwards, and what came of it.

use log_format::{ActionNo, Trace};
use rustc_hash::FxHashMap;

use crate::act::Names;
use crate::cli::{ConsequencesArgs, WhyArgs};
use crate::commands::{Out, open, run};
use crate::error::Error;
use crate::exit::Exit;
use crate::render;
use crate::session::Session;
use crate::targets::Found;
use crate::view::{Act, Consequences, Extent, Suffix};

/// Runs `replay why`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &WhyArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = Session::open(path)?;
    let bounds = run::bounds(out, args.show);
    let view = crate::why::why(&session, target, path, &bounds, args.show.all).map_err(|e| e.about(path))?;
    out.view(&view, args.show, render::why::why)?;
    Ok(Exit::Success)
}

/// Processes that are listed, and actions of each.
const PROCESSES: usize = 20;

/// Runs `replay consequences`.
///
/// # Errors
/// Everything of [`Error`] but divergence: nothing is replayed.
pub fn consequences(args: &ConsequencesArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let trace = open(path)?;
    let gather = || -> Result<Consequences, Error> {
        let found = super::travel::find(&trace, target)?;
        of(&trace, &found, args.show.all)
    };
    let view = gather().map_err(|e| e.about(path))?;
    out.view(&view, args.show, render::text::consequences)?;
    Ok(Exit::Success)
}

/// What came of a target.
///
/// # Errors
/// The process did nothing; the trace is damaged.
pub(crate) fn of(trace: &Trace, found: &Found, all: bool) -> Result<Consequences, Error> {
    if found.action == ActionNo(0) && trace.process(found.pid)?.parent.is_none() {
        return Err(Error::NoTarget(format!(
            "{} did nothing that is logged: nothing came of it",
            found.pid
        )));
    }
    if found.action == ActionNo(0) {
        return Err(Error::NoTarget(format!(
            "{} did nothing that is logged; `replay consequences spawn:{} TRACE` tells what came of its creation",
            found.pid, found.pid
        )));
    }
    let future = causality::consequences(trace, found.pid, found.action)?;
    let limit = if all { usize::MAX } else { PROCESSES };
    let mut processes = Vec::new();
    for (pid, first, last) in future.processes().take(limit) {
        processes.push(Suffix {
            pid: pid.to_string(),
            first: act(trace, pid, first)?,
            actions: last.0 - first.0 + 1,
            last: format!("event:{pid}/{last}"),
        });
    }
    Ok(Consequences {
        target: found.target.clone(),
        consequences: Extent {
            actions: future.len(),
            processes: future.processes().len() as u64,
        },
        of: run::of(trace),
        more: (future.processes().len() - processes.len()) as u64,
        processes,
    })
}

/// An action with its name, from the log.
fn act(trace: &Trace, pid: log_format::Pid, number: ActionNo) -> Result<Act, Error> {
    let mut teller = run::Teller::new(trace);
    run::shown(
        &mut teller,
        pid,
        number.0,
        None,
        &FxHashMap::default(),
        &Names::default(),
    )
}
