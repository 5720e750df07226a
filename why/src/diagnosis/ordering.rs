//! Two messages of one origin on two ways: the one that was sent first came last, or not at all.

use log_format::{ActionId, Pid};

use super::failure::Failure;
use super::run::{Does, Run, sort_of};
use crate::heard::is_common;
use crate::story::{Diagnosis, Pattern, said};
use session::value::Value;

/// A message, or the news of an end, that overtook another one.
pub(super) fn overtaken(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    if let Some(one) = failure.known.overtaken.first() {
        let id = |act: &session::view::Act| ActionId::new(act.pid, act.number);
        let (later, earlier) = (id(&one.sent), id(&one.earlier));
        let received = match &one.received {
            Some(receive) => format!("received only afterwards [{receive}]"),
            None => "never received".to_owned(),
        };
        let text = format!(
            "{} from {} was received [{}] before {}, which had been sent first {} and was {received}.",
            run.said(later),
            run.who(later),
            one.receive,
            run.said(earlier),
            run.at(earlier),
        );
        return Some(said(Pattern::Overtaken, text));
    }
    failure
        .receives(run)
        .into_iter()
        .find_map(|got| by_another_way(run, got))
}

/// A message that came before one that its sender had sent earlier by way of another process; or the other way round, one that came late by such a way.
fn by_another_way(run: &Run<'_>, got: ActionId) -> Option<Diagnosis> {
    too_early(run, got).or_else(|| too_late(run, got))
}

/// So many of the messages that a process had sent before are looked at.
const SENT_BEFORE: usize = 8;

fn too_early(run: &Run<'_>, got: ActionId) -> Option<Diagnosis> {
    let Does::Got(_, Some(direct)) = run.step(got)?.does else {
        return None;
    };
    let (origin, receiver) = (direct.pid, got.pid);
    if origin == receiver || run.is_reply(got) {
        return None;
    }
    // The last that it had sent to others, the nearest first.
    let sends = run
        .before(direct)
        .iter()
        .rev()
        .filter(|step| matches!(step.does, Does::Send(_)));
    for step in sends.take(SENT_BEFORE) {
        let first = ActionId::new(origin, step.number);
        let (Does::Send(tag), Some(between)) = (&step.does, run.receiver(first)) else {
            continue;
        };
        if between == receiver || between == origin {
            continue;
        }
        let taken = run.receipt(*tag);
        match taken.and_then(|taken| passed_on(run, taken, receiver)) {
            Some(passed) => {
                let later = run.sent(passed).is_some_and(|tag| match run.receipt(tag) {
                    Some(receipt) => receipt.number > got.number,
                    None => run.is_untaken(tag, receiver),
                });
                if later && (is_related(run, first, passed) || passes_on(run, between, receiver, first)) {
                    return Some(order(run, got, direct, first, Some(passed)));
                }
            }
            // It was not passed on before the run ended. Who gave up waiting for it, or has ended, never would have.
            None if run.is_untaken(*tag, between)
                && still_waits(run, between)
                && passes_on(run, between, receiver, first) =>
            {
                return Some(order(run, got, direct, first, None));
            }
            None => {}
        }
    }
    None
}

/// Has a process not ended, and not stopped waiting for anything?
fn still_waits(run: &Run<'_>, pid: Pid) -> bool {
    run.end(pid).is_none() && run.steps(pid).iter().all(|step| step.does != Does::Timeout)
}

/// The message came by way of another process, and one that its origin had sent later had come before.
fn too_late(run: &Run<'_>, got: ActionId) -> Option<Diagnosis> {
    let Does::Got(_, Some(passed)) = run.step(got)?.does else {
        return None;
    };
    let (_, first) = run.last_got(passed)?;
    if first.pid == got.pid || first.pid == passed.pid || !is_related(run, first, passed) {
        return None;
    }
    let direct = run.after(first).iter().find_map(|step| {
        let id = ActionId::new(first.pid, step.number);
        let Does::Send(tag) = step.does else { return None };
        let receipt = run.receipt(tag)?;
        let before = receipt.pid == got.pid && receipt.number < got.number && !run.is_reply(receipt);
        (before && is_related(run, id, passed)).then_some((receipt, id))
    })?;
    Some(order(run, direct.0, direct.1, first, Some(passed)))
}

/// `got` took what was sent with `direct`, before what came of `first`, which was sent before that.
fn order(run: &Run<'_>, got: ActionId, direct: ActionId, first: ActionId, passed: Option<ActionId>) -> Diagnosis {
    let origin = run.named(direct.pid);
    let news = match run.step(direct).map(|step| &step.does) {
        Some(Does::Ended { .. } | Does::EndedBy(..)) => format!("the news of the end of {origin}"),
        _ => format!("{} from {origin}", run.said(got)),
    };
    let between = run.receiver(first).map_or_else(String::new, |pid| run.named(pid));
    let (who, at) = (run.who(got), run.at(got));
    let earlier = format!("{} {}", run.said(first), run.at(first));
    let text = match passed {
        Some(passed) => format!(
            "{who} received {news} {at} before {} from {between} {}, although {} had sent {earlier} to {} first.",
            run.said(passed),
            run.at(passed),
            direct.pid,
            passed.pid,
        ),
        None => format!(
            "{who} received {news} {at} before {between} had passed on {earlier}, which {} had sent first.",
            direct.pid
        ),
    };
    said(Pattern::Overtaken, text)
}

/// A message that somebody was not sent because it had subscribed too late.
pub(super) fn missed(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let reason = run.value(failure.action)?;
    failure.receives(run).into_iter().find_map(|got| {
        let Does::Got(_, Some(from)) = run.step(got)?.does else {
            return None;
        };
        let (turn, _) = run.last_got(from).filter(|(turn, _)| turn.pid != failure.pid)?;
        let (value, sort) = (run.value(turn)?, run.value(turn).map(sort_of)?);
        let asked = run.steps(turn.pid).iter().find_map(|step| match step.does {
            Does::Got(_, Some(by)) if by.pid == got.pid => Some(ActionId::new(turn.pid, step.number)),
            _ => None,
        })?;
        // Who subscribes says something else than what is passed on. An answer that speaks of the request is no news: it was for this request alone.
        if run.value(asked).map(sort_of) == Some(sort) || answers(run, from, asked) {
            return None;
        }
        let earlier = run.before(asked).iter().rev().find_map(|step| {
            let id = ActionId::new(turn.pid, step.number);
            let other = run.value(id).filter(|_| matches!(step.does, Does::Got(..)))?;
            let is_like = sort_of(other) == sort && other != value && passed_on(run, id, got.pid).is_none();
            let own = other.inside().find(|part| reason.holds(part) && !value.holds(part));
            (is_like && own.is_some()).then_some(id)
        })?;
        let text = format!(
            "{} received {} {} before {} from {} {}, so it sent nothing to {} because of it.",
            run.who(turn),
            run.said(earlier),
            run.at(earlier),
            run.said(asked),
            run.named(got.pid),
            run.at(asked),
            got.pid,
        );
        Some(said(Pattern::LostWakeup, text))
    })
}

/// Does a message hold a number or a reference of a request?
fn answers(run: &Run<'_>, message: ActionId, request: ActionId) -> bool {
    let (Some(message), Some(request)) = (run.value(message), run.value(request)) else {
        return false;
    };
    let mut found = false;
    request.each(&mut |part| found |= matches!(part, Value::Number(_) | Value::Reference(_)) && message.holds(part));
    found
}

/// What a process sent to another one in the turn in which it took this in.
fn passed_on(run: &Run<'_>, taken: ActionId, to: Pid) -> Option<ActionId> {
    let mut sent = run.sent_in_turn(taken);
    sent.find_map(|(id, receiver)| (receiver == to).then_some(id))
}

/// Does a process pass messages of this sort on?
fn passes_on(run: &Run<'_>, between: Pid, to: Pid, like: ActionId) -> bool {
    let sort = run.value(like).map(sort_of);
    run.steps(between).iter().any(|step| {
        let id = ActionId::new(between, step.number);
        matches!(step.does, Does::Got(..)) && run.value(id).map(sort_of) == sort && passed_on(run, id, to).is_some()
    })
}

/// Do two messages speak of the same thing?
fn is_related(run: &Run<'_>, one: ActionId, other: ActionId) -> bool {
    let (Some(one), Some(other)) = (run.value(one), run.value(other)) else {
        return false;
    };
    if one.holds(other) || other.holds(one) {
        return true;
    }
    let mut shared = false;
    one.each(&mut |part| {
        let own = match part {
            Value::Atom(name) => !is_common(name),
            Value::Pid(_) | Value::Cut | Value::List(..) => false,
            _ => true,
        };
        shared |= own && other.holds(part);
    });
    shared
}
