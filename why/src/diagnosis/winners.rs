//! Two that won where one should have: whoever decided for both, or what both looked at before either wrote.

use log_format::{ActionId, Pid};

use super::failure::Failure;
use super::run::{Does, Run, Step};
use crate::story::{Diagnosis, Pattern, Unseen, said};
use session::shared::Deed;
use session::value::Value;

/// So many actions of a process are compared with those of another one.
const LOOKED: usize = 64;

/// So many other lost updates of the same thing are told.
const OTHERS: usize = 3;

/// One that won: what it told the process that noticed.
#[derive(Clone, Copy)]
struct Winner {
    pid: Pid,
    /// Its send.
    told: ActionId,
}

/// Two winners among those that a failure speaks of, or a lost update that it speaks of.
pub(super) fn both(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let unseen = failure.known.unseen;
    let pair = winners(run, failure);
    if let Some((one, other)) = pair {
        let of_both = |update: &&Unseen| {
            let pids = [update.first.pid, update.second.pid];
            pids.contains(&one.pid) && pids.contains(&other.pid)
        };
        if let Some(update) = unseen.iter().find(of_both) {
            return Some(lost_update(run, update));
        }
        let found = granted_twice(run, one, other)
            .or_else(|| helped(run, one, other))
            .or_else(|| helped(run, other, one));
        if found.is_some() {
            return found;
        }
    }
    let spoken = unseen.iter().find(|update| update.spoken).or_else(|| unseen.first());
    spoken.map(|update| lost_update(run, update))
}

/// Two processes that read the same and then both wrote.
fn lost_update(run: &Run<'_>, update: &Unseen) -> Diagnosis {
    let id = |act: &session::view::Act| ActionId::new(act.pid, act.number);
    let (first, read, second) = (id(&update.first), id(&update.second_read), id(&update.second));
    let removed = update.first.accesses.iter().any(|one| one.deed == Deed::Removes);
    let mut text = match &update.values {
        Some(values) => format!(
            "{} wrote {} over {} {}, computed from the {} that it had read {}: {} had written {} in between {}.",
            run.who(second),
            values.wrote,
            values.over,
            run.at(second),
            values.read,
            run.at(read),
            run.who(first),
            update.what.noun(),
            run.at(first),
        ),
        None => {
            let (done, again) = match removed {
                true => ("removed it", "wrote it again"),
                false => ("wrote it", "wrote over that"),
            };
            format!(
                "{} read {} {} before {} {done} {}, and {again} {} without having seen it.",
                run.who(second),
                update.what.noun(),
                run.at(read),
                run.who(first),
                run.at(first),
                run.at(second),
            )
        }
    };
    for other in update.others.iter().take(OTHERS) {
        let values = &other.values;
        let id = id(&other.second);
        text.push_str(&format!(
            " {} wrote {} over {} {}, computed from {}.",
            run.who(id),
            values.wrote,
            values.over,
            run.at(id),
            values.read,
        ));
    }
    let more = update.others.len().saturating_sub(OTHERS);
    if more > 0 {
        text.push_str(&format!(" {} more did the same.", session::words::number(more as u64)));
    }
    said(Pattern::LostUpdate, text)
}

/// Two messages that say the same of two things that the reason of the failure names side by side.
fn winners(run: &Run<'_>, failure: &Failure<'_>) -> Option<(Winner, Winner)> {
    let reason = run.value(failure.action)?;
    let mut groups: Vec<Vec<&Value>> = Vec::new();
    reason.each(&mut |part| {
        if let Value::List(items, None) = part
            && (2..=8).contains(&items.len())
        {
            groups.push(items.iter().collect());
        }
    });
    let got: Vec<(ActionId, &Value)> = run
        .steps(failure.pid)
        .iter()
        .rev()
        .take(LOOKED)
        .rev()
        .filter_map(|step| match step.does {
            Does::Got(_, Some(from)) if from.pid != failure.pid => {
                Some((from, run.value(ActionId::new(failure.pid, step.number))?))
            }
            _ => None,
        })
        .collect();
    for names in groups {
        let named = |value: &Value| names.iter().find(|name| value.holds(name)).copied();
        for (i, (from, one)) in got.iter().enumerate() {
            for (other_from, other) in &got[i + 1..] {
                let (Some(a), Some(b)) = (named(one), named(other)) else {
                    continue;
                };
                if a != b && from.pid != other_from.pid && without(one, a) == without(other, b) {
                    let winner = |told: ActionId| Winner { pid: told.pid, told };
                    return Some((winner(*from), winner(*other_from)));
                }
            }
        }
    }
    None
}

/// A message as it says the same of all: without a name, without processes and references.
fn without(value: &Value, name: &Value) -> Value {
    if value == name {
        return Value::Cut;
    }
    match value {
        Value::Pid(_) | Value::Reference(_) => Value::Cut,
        Value::Tuple(items) => Value::Tuple(items.iter().map(|item| without(item, name)).collect()),
        Value::List(items, tail) => Value::List(
            items.iter().map(|item| without(item, name)).collect(),
            tail.as_ref().map(|tail| without(tail, name).into()),
        ),
        other => other.clone(),
    }
}

/// One that said the same to both, and nothing that gave it back in between.
fn granted_twice(run: &Run<'_>, one: Winner, other: Winner) -> Option<Diagnosis> {
    let got = |winner: Winner| {
        let steps = run.before(winner.told).iter().rev().take(LOOKED).rev();
        steps.filter_map(move |step| match step.does {
            Does::Got(_, Some(from)) => Some((ActionId::new(winner.pid, step.number), from)),
            _ => None,
        })
    };
    for (taken, from) in got(one) {
        for (other_taken, other_from) in got(other) {
            let is_same = from.pid == other_from.pid;
            let name = run
                .name(from.pid)
                .filter(|name| run.name(other_from.pid) == Some(*name));
            let third = ![one.pid, other.pid].contains(&from.pid) && (is_same || name.is_some());
            let (Some(a), Some(b)) = (run.value(taken), run.value(other_taken)) else {
                continue;
            };
            let alike = without(a, &Value::Cut) == without(b, &Value::Cut)
                && run.receive_of(taken) == run.receive_of(other_taken);
            if !third
                || !alike
                || !was_asked(run, from, one.pid)
                || !was_asked(run, other_from, other.pid)
                || (is_same && (given_back(run, from, other_from) || is_for_all(run, from, [one.pid, other.pid])))
            {
                continue;
            }
            let both = format!(
                "sent {} to both {} {}",
                run.said(taken),
                run.at(from),
                run.at(other_from)
            );
            let who = match name {
                Some(name) if !is_same => {
                    let first = [from.pid, other_from.pid]
                        .into_iter()
                        .find(|pid| run.end(*pid).is_some());
                    let ended =
                        first.and_then(|pid| Some(format!(" ({pid} {} in between)", super::fate::ended(run, pid)?)));
                    format!(
                        "{name} {both}, as {} and as {}{}",
                        from.pid,
                        other_from.pid,
                        ended.unwrap_or_default()
                    )
                }
                _ => format!("{} {both}, and got nothing back in between", run.named(from.pid)),
            };
            let text = format!(
                "{} {} and {} {} both won, because {who}.",
                run.who(one.told),
                run.at(one.told),
                run.who(other.told),
                run.at(other.told),
            );
            return Some(said(Pattern::TwoWinners, text));
        }
    }
    None
}

/// Had this process sent something to the sender before? What nobody asked for, such as a word to begin or the news of an end, is no decision.
fn was_asked(run: &Run<'_>, answer: ActionId, by: Pid) -> bool {
    let from = |step: &Step| matches!(step.does, Does::Got(_, Some(from)) if from.pid == by);
    run.before(answer).iter().any(from)
}

/// Did the first of two receivers send anything to the sender between the two?
fn given_back(run: &Run<'_>, one: ActionId, other: ActionId) -> bool {
    let (first, second) = if one.number < other.number {
        (one, other)
    } else {
        (other, one)
    };
    let holder = run.receiver(first);
    let between = run.after(first).iter().take_while(|step| step.number < second.number.0);
    let mut got = between.filter_map(|step| match step.does {
        Does::Got(_, Some(from)) => Some(from.pid),
        _ => None,
    });
    got.any(|pid| Some(pid) == holder)
}

/// Does a process say the same to others, too?
fn is_for_all(run: &Run<'_>, like: ActionId, known: [Pid; 2]) -> bool {
    let Some(value) = run.value(like) else { return true };
    let mut sends = run
        .steps(like.pid)
        .iter()
        .map(|step| ActionId::new(like.pid, step.number));
    sends.any(|id| {
        let to = run.receiver(id);
        to.is_some_and(|to| !known.contains(&to))
            && run
                .value(id)
                .is_some_and(|other| without(other, &Value::Cut) == without(value, &Value::Cut))
    })
}

/// One for which the other one decided, although that won itself.
fn helped(run: &Run<'_>, one: Winner, other: Winner) -> Option<Diagnosis> {
    let (taken, from) = run.last_got(one.told)?;
    if from.pid != other.pid {
        return None;
    }
    let text = format!(
        "{} {} and {} {} both won: what decided for {}, {}, came from {} itself {}.",
        run.who(one.told),
        run.at(one.told),
        run.who(other.told),
        run.at(other.told),
        one.pid,
        run.said(taken),
        other.pid,
        run.at(from),
    );
    Some(said(Pattern::TwoWinners, text))
}
