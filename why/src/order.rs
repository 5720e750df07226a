//! Messages that were received in another order than one process sent them: a selective receive leaves others in the mailbox.

use log_format::{ActionId, Kind, LogStep, Pid, Tag, Trace};
use rustc_hash::FxHashMap;

use crate::limits::{OVERTAKEN, RECEIVES};
use crate::past::Taken;
use crate::story::Overtaken;
use session::error::Error;
use session::of_elixir::machinery;
use session::shown;
use session::subject::ShownBounds;
use session::watch::{Watcher, Wish, ascending};
use session::{Goal, Session};

use crate::scene::Scene;

/// The signals that a process received, each with its action, in order, and then those that it never received.
type Mail = Vec<(Option<u64>, Tag)>;

/// A message that was received before another one that the same sender had sent earlier.
struct Pair {
    pid: Pid,
    /// The receive of the later message, and that message.
    later: (u64, Tag),
    /// The earlier one, and its receive.
    earlier: (Tag, Option<u64>),
}

/// The messages of a story that overtook others of their sender, or were overtaken.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn overtaken(session: &Session, receives: &[(Pid, Taken)], bounds: &ShownBounds) -> Result<Vec<Overtaken>, Error> {
    let trace = session.trace();
    let mut mail: FxHashMap<Pid, Mail> = FxHashMap::default();
    let mut pairs: Vec<Pair> = Vec::new();
    let machinery = machinery(session);
    let receives = receives
        .iter()
        .filter(|(pid, taken)| !machinery.has(ActionId::new(*pid, taken.number)));
    for (pid, taken) in receives.take(RECEIVES) {
        if !mail.contains_key(pid) {
            mail.insert(*pid, all(trace, *pid)?);
        }
        let mail = &mail[pid];
        let Some(at) = mail.iter().position(|(n, _)| *n == Some(taken.number)) else {
            continue;
        };
        let Tag::Sent { by, k } = mail[at].1 else { continue };
        let of_same = |tag: &Tag| match tag {
            Tag::Sent { by: other, k } if *other == by => Some(*k),
            _ => None,
        };
        // It came before one that was sent earlier, or after one that was sent later.
        let left = mail[at + 1..]
            .iter()
            .find(|(_, tag)| of_same(tag).is_some_and(|other| other < k));
        let passed = mail[..at]
            .iter()
            .rev()
            .find(|(_, tag)| of_same(tag).is_some_and(|other| other > k));
        let found = [
            left.map(|&(n, tag)| ((taken.number, mail[at].1), (tag, n))),
            passed.and_then(|&(n, tag)| Some(((n?, tag), (mail[at].1, Some(taken.number))))),
        ];
        for (later, earlier) in found.into_iter().flatten() {
            if !pairs.iter().any(|pair| pair.pid == *pid && pair.later == later) {
                pairs.push(Pair {
                    pid: *pid,
                    later,
                    earlier,
                });
            }
        }
    }
    tell(session, &pairs, bounds)
}

/// All signals that a process received, or had not received at the end.
fn all(trace: &Trace, pid: Pid) -> Result<Mail, Error> {
    let mut mail = Mail::new();
    let mut log = trace.log(pid)?.without_values();
    while let Some(step) = log.step(u64::MAX)? {
        if let LogStep::Action(action) = step
            && let Kind::Rec(tag) = action.kind
        {
            mail.push((Some(log.counts().actions), tag));
        }
    }
    // What a slice leaves out may have been received.
    if !trace.is_slice()
        && let Some(outcome) = trace.outcome(pid)?
    {
        mail.extend(outcome.tags.iter().map(|tag| (None, *tag)));
    }
    Ok(mail)
}

fn tell(session: &Session, pairs: &[Pair], bounds: &ShownBounds) -> Result<Vec<Overtaken>, Error> {
    let trace = session.trace();
    let mut sends = Vec::new();
    for pair in pairs {
        let earlier = session::targets::sender_of(trace, pair.earlier.0)?;
        let later = session::targets::sender_of(trace, pair.later.1)?;
        if let (Some(earlier), Some(later)) = (earlier, later) {
            sends.push((pair, earlier, later));
        }
    }
    if sends.is_empty() {
        return Ok(Vec::new());
    }
    let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for (_, earlier, later) in &sends {
        acts.entry(earlier.pid)
            .or_default()
            .extend([earlier.number.0, later.number.0]);
    }
    let wanted = acts
        .iter()
        .flat_map(|(pid, list)| list.iter().map(|n| ActionId::new(*pid, *n)));
    let slice = causality::causes_of_all(trace, wanted)?;
    let wish = Wish {
        acts: ascending(acts),
        chars: bounds.chars,
        variables: session::scene::FRAMES,
        ..Wish::default()
    };
    let system = session.replay(&Goal::causes(slice.clone()), Watcher::new(wish))?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut told = Vec::new();
    for (pair, earlier, later) in sends {
        let seen = |by: ActionId| system.observer.seen.get(&by);
        // For ordering, a timer is a sender of its own, and so is the end of a process.
        let plain = |at: ActionId| seen(at).is_some_and(|seen| !seen.sets_timer() && seen.peer == Some(pair.pid));
        let routine = scene.is_routine(earlier.pid, earlier.number.0) || scene.is_routine(later.pid, later.number.0);
        if told.len() >= OVERTAKEN || routine || !plain(earlier) || !plain(later) {
            continue;
        }
        if let (Some(one), Some(other)) = (
            scene.act(earlier.pid, earlier.number.0)?,
            scene.act(later.pid, later.number.0)?,
        ) {
            told.push(Overtaken {
                receive: receive(session, pair.pid, pair.later.0)?,
                sent: other,
                earlier: one,
                received: pair.earlier.1.map(|n| receive(session, pair.pid, n)).transpose()?,
            });
        }
    }
    Ok(told)
}

/// A receive as a target.
fn receive(session: &Session, pid: Pid, n: u64) -> Result<String, Error> {
    if let Some(numbers) = session.numbers() {
        return Ok(numbers.receive(pid, n)?);
    }
    let number = session.trace().rec_no(pid, log_format::ActionNo(n))?;
    Ok(number.map_or_else(|| ActionId::new(pid, n).to_string(), |n| format!("rec:{n}")))
}
