//! The likely cause of a failure, in a sentence.
//!
//! A story tells of causes, and so of what happened. What a person wants to know is often what did *not* happen: a worker that was killed before
//! it sent, a wake-up that came too early. So the whole run is looked at here, for what is known to go wrong between processes. Each module knows
//! some kinds of fault; the first that is found is told. Every part of a sentence is a fact of the run, named by a target; that it is *the* cause is a
//! judgement, and the heading says so.

mod asked;
mod caught;
mod failure;
mod fate;
mod files;
mod gone;
mod log;
mod ordering;
mod replies;
mod run;
mod state;
mod swallowed;
mod timing;
mod unanswered;
mod unchanged;
mod waiting;
mod winners;

use log_format::{ActionId, Cut};

use crate::scene::Scene;
use crate::story::{Diagnosis, Pattern, Timing, said};
use crate::tested::Tested;
use causality::Point;
use delay::Measure;
pub(crate) use failure::{Failure, Findings};
use log::Log;
use run::Run;
use session::Session;
use session::error::Error;
use session::of_elixir::machinery;
use session::shown;
use session::subject::ShownBounds;
use session::view::Purpose;
use session::words::cut;

/// What is said of a failure by looking at the whole run.
#[derive(Default)]
pub(crate) struct Diagnosed {
    /// The likely cause, if it is of a kind that is known here.
    pub(crate) likely: Option<Diagnosis>,
    /// If that is about an order: what is likely where no order matters.
    pub(crate) otherwise: Option<Diagnosis>,
    /// Why a wait was too short.
    pub(crate) timing: Option<Timing>,
}

/// The likely cause of a failure. `measure`: the times of the run.
///
/// # Errors
/// The trace is damaged.
pub(crate) fn diagnose(
    session: &Session,
    (found, tested): (&Point, Option<&Tested>),
    slice: &Cut,
    (known, measure): (Findings<'_>, Option<&Measure>),
    bounds: &ShownBounds,
) -> Result<Diagnosed, Error> {
    let mut log = Log::read(session.trace(), found.pid, slice, tested.map(|tested| (tested, found)))?;
    if tested.is_none() && !found.runs_on {
        log.without_effects(session.trace(), found.id())?;
    }
    let Some(mut system) = log.replay(session, bounds) else {
        return Ok(Diagnosed::default());
    };
    if tested.is_some() {
        crate::tested::restore_frames(session, &mut system, found);
    }
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let run = Run::new(log, &scene, &system);
    let failure = Failure {
        pid: found.pid,
        action: ActionId::new(found.pid, found.action.0),
        waits: found.runs_on,
        known,
        machinery: machinery(session),
    };
    let kinds: [fn(&Run<'_>, &Failure<'_>) -> Option<Diagnosis>; 17] = [
        replies::taken_for_another,
        replies::stale_timer,
        waiting::nobody_sent,
        winners::both,
        state::stale_write,
        ordering::overtaken,
        gone::stale_pid,
        state::leak,
        gone::killed_inside,
        files::both_wrote,
        given_up,
        ordering::missed,
        waiting::earlier_wait,
        unchanged::not_written,
        unchanged::not_removed,
        swallowed::exception,
        swallowed::message,
    ];
    let first = |is_wanted: &dyn Fn(&Diagnosis) -> bool| -> Result<Option<Diagnosis>, Error> {
        let found = kinds.iter().find_map(|kind| {
            run.forget_names();
            kind(&run, &failure).filter(|found| is_wanted(found))
        });
        let Some(mut found) = found else { return Ok(None) };
        found.actions = run.placed_actions();
        found.named = run.named_in(&found.text);
        if matches!(
            found.pattern,
            Pattern::NoAnswer | Pattern::ReceivedElsewhere | Pattern::DroppedMessage
        ) && let Some(turn) = unanswered::turn(session, &run, &found)?
        {
            found.text.push(' ');
            found.text.push_str(&turn);
            found.named = run.named_in(&found.text);
        }
        Ok(Some(found))
    };
    let found = first(&|_| true)?;
    let otherwise = match &found {
        Some(found) if found.pattern.is_order() => first(&|found| !found.pattern.is_order())?,
        _ => None,
    };
    // What a test was created with is the test runner's business.
    let likely = found.or_else(|| match tested {
        Some(_) => None,
        None => {
            run.forget_names();
            let named = |found: Diagnosis| Diagnosis {
                named: run.named_in(&found.text),
                ..found
            };
            by_itself(&run, &failure, slice).map(named)
        }
    });
    let timing = measure.and_then(|measure| timing::too_short(&run, &failure, likely.as_ref(), measure));
    Ok(Diagnosed {
        likely,
        otherwise,
        timing,
    })
}

/// A wait that ended before what was waited for came.
fn given_up(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let one = failure.known.gave_up.first()?;
    let id = |act: &session::view::Act| ActionId::new(act.pid, act.number);
    let (timeout, late) = (id(&one.timeout), id(&one.late));
    let text = format!(
        "{} timed out {} before {} sent {} {}.",
        run.who(timeout),
        run.at(timeout),
        run.who(late),
        run.said(late),
        run.at(late),
    );
    Some(said(Pattern::TimedOutTooEarly, text))
}

/// The process that failed by what it was created with: the failing one, or else the only one among its causes that failed.
fn by_itself(run: &Run<'_>, failure: &Failure<'_>, slice: &Cut) -> Option<Diagnosis> {
    if failure.waits {
        return None;
    }
    failed_unprompted(run, failure.action).or_else(|| {
        let others = run.processes().iter().filter(|process| process.pid != failure.pid);
        let mut failed = others.filter_map(|process| {
            let end = run.end(process.pid)?;
            let is_cause = end.number <= slice.get(process.pid);
            let id = ActionId::new(process.pid, end.number);
            (is_cause && matches!(end.does, run::Does::Ended { failed: true }) && !is_awaited(run, failure, id))
                .then(|| ActionId::new(process.pid, end.number))
        });
        match (failed.next(), failed.next()) {
            (Some(only), None) => failed_unprompted(run, only),
            _ => None,
        }
    })
}

/// Did the process that failed receive this end in a 'DOWN', and go on? Then it awaited it; unless its own reason holds the other one.
fn is_awaited(run: &Run<'_>, failure: &Failure<'_>, end: ActionId) -> bool {
    let took = |step: &run::Step| matches!(step.does, run::Does::Got(_, Some(from)) if from == end);
    if !run.steps(failure.pid).iter().any(took) {
        return false;
    }
    let (Some(own), Some(other)) = (run.value(failure.action), run.value(end)) else {
        return false;
    };
    !own.holds(other)
}

/// A process that failed with this action, before it had got anything from others. Where it had received something, the first step says so.
fn failed_unprompted(run: &Run<'_>, action: ActionId) -> Option<Diagnosis> {
    let ended = run.end(action.pid).is_some_and(|end| end.number == action.number.0);
    // An input, a look at something shared, or that nothing came in time may have led to it as well.
    let alone = |step: &run::Step| {
        let does = match step.does {
            run::Does::Spawn(_) | run::Does::Send(_) => true,
            run::Does::Timeout => run.purpose(ActionId::new(action.pid, step.number)) == Purpose::Sleep,
            _ => false,
        };
        does && step.accesses.is_empty()
    };
    if !ended || !run.before(action).iter().all(alone) {
        return None;
    }
    let reason = run.seen(action)?.told()?;
    let born = run.process(action.pid)?.parent?;
    let text = format!(
        "{} failed with {} {} before it had received anything: what {} created it with led to it {}.",
        run.who(action),
        cut(reason, 60),
        run.at(action),
        run.who(born),
        run.at(born)
    );
    Some(said(Pattern::Failed, text))
}
