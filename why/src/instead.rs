//! Messages that could have come first: what a process of the story could have received instead.

use causality::Point;
use log_format::{ActionId, ActionNo, Kind, Pid, Trace};
use session::error::Error;
use session::of_elixir::machinery;
use session::subject::ShownBounds;
use session::{Session, targets};

use crate::limits::RECEIVES;
use crate::past::Taken;
use crate::story::Instead;
use crate::tell::Told;

/// Limit: messages shown that could have come first.
const INSTEAD: usize = 4;
/// Limit: later messages of each process that are searched.
const LATER: u64 = 8;

/// Messages that could have been received instead of those in the story: their sending does not depend on that receive, and the sender is
/// another one.
pub(crate) fn instead(
    session: &Session,
    found: &Point,
    told: &Told,
    own: &[Taken],
    bounds: &ShownBounds,
) -> Result<Vec<Instead>, Error> {
    let trace = session.trace();
    let mut receives = Vec::new();
    let mut others: Vec<ActionId> = Vec::new();
    let mut list: Vec<(Pid, Taken)> = told.receives.clone();
    for one in own {
        if !list.contains(&(found.pid, *one)) {
            list.push((found.pid, *one));
        }
    }
    for (pid, taken) in list.iter().take(RECEIVES) {
        let here = ActionNo(taken.number);
        let Kind::Rec(tag) = trace.action(*pid, here)?.kind else {
            continue;
        };
        let mut senders = vec![Some(*pid), tag.sender(), None];
        for other in later(trace, *pid, taken)? {
            if senders.contains(&other.sender()) {
                continue;
            }
            // The first message of each sender is enough: messages of one sender keep their order.
            senders.push(other.sender());
            let Some(send) = targets::sender_of(trace, other)? else {
                continue;
            };
            let receive = ActionId {
                pid: *pid,
                number: here,
            };
            if machinery(session).has(send) || machinery(session).has(receive) {
                continue;
            }
            if others.contains(&send) || causality::causes(trace, send)?.contains(receive) {
                continue;
            }
            let target = match session.numbers() {
                Some(numbers) => numbers.receive(*pid, here.0)?,
                None => {
                    let number = trace.rec_no(*pid, here)?;
                    number.map_or_else(|| receive.to_string(), |n| format!("rec:{n}"))
                }
            };
            receives.push((receive, target));
            others.push(send);
            if others.len() >= INSTEAD {
                break;
            }
        }
        if others.len() >= INSTEAD {
            break;
        }
    }
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let acts = session::scene::acts(session, &others, bounds)?;
    Ok(receives
        .into_iter()
        .zip(acts)
        .filter_map(|((receive, target), act)| {
            Some(Instead {
                receive,
                target,
                sent: act?,
            })
        })
        .collect())
}

/// Messages that a process received later than another one, or had not received at the end of the run.
fn later(trace: &Trace, pid: Pid, taken: &Taken) -> Result<Vec<log_format::Tag>, Error> {
    let mut tags = Vec::new();
    let mut log = trace.log(pid)?.without_values();
    log.seek(ActionNo(taken.number + 1))?;
    while (tags.len() as u64) < LATER {
        match log.step(u64::MAX)? {
            None => break,
            Some(log_format::LogStep::Action(action)) => {
                if let Kind::Rec(tag) = action.kind {
                    tags.push(tag);
                }
            }
            Some(log_format::LogStep::Sends(_)) => {}
        }
    }
    if let Some(outcome) = trace.outcome(pid)? {
        tags.extend(outcome.tags.iter().take(LATER as usize));
    }
    Ok(tags)
}
