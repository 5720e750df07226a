//! Of two runs, one that fails and one that does not: the decisive race.

use std::sync::Arc;

use decisive::{Flip, Limits, Verdict, Weak};
use log_format::{Kind, Pid, RunEnd, Tag, Trace};
use session::Session;
use session::error::Error;
use session::player::free::Choice;
use session::subject::ShownBounds;

use super::identity::Kin;
use crate::spoken::ready;
use crate::view::Decided;

/// Longer runs are compared by their logs alone.
const SMALL: u64 = 2_000_000;

/// What decided, if one of the runs fails and the other does not. `None` also if that cannot be found out: the trace has no program, say.
pub(super) fn decided(
    a: &Arc<Trace>,
    b: &Arc<Trace>,
    (kin, limits): (&Kin, Limits),
    bounds: &ShownBounds,
) -> Option<Decided> {
    let (first, second) = (ends(a).ok()??, ends(b).ok()??);
    let (fails, trace) = match (first, second) {
        (End::Failed, End::Well) => ("first", a),
        (End::Well, End::Failed) => ("second", b),
        _ => return None,
    };
    if trace.totals().counts.actions > SMALL {
        return None;
    }
    let tried = || -> Result<Option<(String, Vec<Flip>)>, Error> {
        let session = ready(Session::of(Arc::clone(trace))?);
        let found = session.find(causality::Target::Error)?;
        let answer = decisive::search(&session, &found, limits, bounds)?;
        Ok(answer.map(|answer| (found.target.to_string(), answer.decisive)))
    };
    let (target, flips) = tried().ok()??;
    // The first one that the other run took the other way; else the first.
    let mut best: Option<Decided> = None;
    for flip in flips.into_iter().filter(decides) {
        let took = match fails {
            "first" => took(&flip, trace, b, |pid| kin.in_second(pid)),
            _ => took(&flip, trace, a, |pid| kin.is_in_both(pid).then(|| kin.in_first(pid))),
        };
        let other_took_it = took.ok().flatten();
        let is_it = other_took_it == Some(true);
        if best.is_none() || is_it {
            best = Some(Decided {
                fails,
                target: target.clone(),
                flip,
                other_took_it,
            });
        }
        if is_it {
            break;
        }
    }
    best
}

/// Did it decide, as far as random continuations tell?
fn decides(flip: &Flip) -> bool {
    let says_little = |weak: &Weak| matches!(weak, Weak::GivesUp | Weak::Rare | Weak::Undecided | Weak::Stalls);
    flip.verdict == Verdict::Passes && !flip.weak.iter().any(says_little)
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Failed,
    Well,
}

/// `None`: it did not end.
fn ends(trace: &Trace) -> Result<Option<End>, log_format::Error> {
    use causality::RunFailure;
    let is_over = matches!(trace.run_end()?, Some(RunEnd::Returned(_) | RunEnd::Halted(0)));
    Ok(match causality::failure(trace)? {
        // An end that somebody handled.
        None | Some(RunFailure::Ended { failed: false, .. }) => is_over.then_some(End::Well),
        Some(_) => Some(End::Failed),
    })
}

/// Did the other run take the message first that the flip lets come first? `there`: the process of the other run that is this one.
fn took(
    flip: &Flip,
    trace: &Trace,
    other: &Trace,
    there: impl Fn(Pid) -> Option<Pid>,
) -> Result<Option<bool>, log_format::Error> {
    let made = trace.action(flip.at.pid, log_format::ActionNo(flip.at.number))?;
    let (Kind::Rec(made), Some(Choice::Message(instead))) = (made.kind, flip.way.choice()) else {
        return Ok(None);
    };
    // The same message is one that was sent by the same action of a process that had done the same up to then.
    let same = |tag: Tag| -> Result<Option<Tag>, log_format::Error> {
        let (Tag::Sent { by, k }, Some(send)) = (tag, trace.find_send(tag)?) else {
            return Ok(None);
        };
        let Some(tag) = there(by).map(|by| Tag::Sent { by, k }) else {
            return Ok(None);
        };
        Ok(match other.find_send(tag)? {
            Some(found) if found.number == send.number => Some(tag),
            _ => None,
        })
    };
    let (Some(pid), Some(made), Some(instead)) = (there(flip.at.pid), same(made)?, same(instead)?) else {
        return Ok(None);
    };
    let mut log = other.log(pid)?.without_values();
    while let Some(step) = log.step(u64::MAX)? {
        match step {
            log_format::LogStep::Action(action) if action.kind == Kind::Rec(made) => return Ok(Some(false)),
            log_format::LogStep::Action(action) if action.kind == Kind::Rec(instead) => return Ok(Some(true)),
            _ => {}
        }
    }
    Ok(None)
}
