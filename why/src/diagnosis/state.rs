//! What a server holds: a value that somebody set from what it had read too early, and names of processes that have ended.

use log_format::{ActionId, Pid};

use super::run::{Does, Run};
use super::{Failure, said};
use crate::story::{Diagnosis, Pattern};
use session::value::Value;

/// So many servers are looked at.
const SERVERS: usize = 4;
/// So many turns of a server are looked at.
const TURNS: usize = 64;
/// Processes that have ended and are still named: so many are told.
const TOLD: usize = 2;

/// The processes whose answers a story begins with.
fn servers(run: &Run<'_>, failure: &Failure<'_>) -> Vec<ActionId> {
    let receives = failure.receives(run);
    let mut found: Vec<ActionId> = Vec::new();
    for got in receives {
        if let Some(Does::Got(_, Some(from))) = run.step(got).map(|step| step.does.clone())
            && from.pid != got.pid
            && found.len() < SERVERS
            && !found.iter().any(|known| known.pid == from.pid)
        {
            found.push(from);
        }
    }
    found
}

/// A turn of a server: the message that it received, and what it held then.
struct Turn<'a> {
    got: ActionId,
    from: ActionId,
    held: Vec<(String, &'a Value)>,
}

fn turns<'a>(run: &'a Run<'_>, pid: Pid) -> Vec<Turn<'a>> {
    let steps = run.steps(pid).iter().rev();
    let got = steps.filter_map(|step| match step.does {
        Does::Got(_, Some(from)) => Some((ActionId::new(pid, step.number), from)),
        _ => None,
    });
    let mut turns: Vec<Turn<'a>> = got
        .take(TURNS)
        .map(|(got, from)| Turn {
            got,
            from,
            held: held(run, got),
        })
        .collect();
    turns.reverse();
    turns
}

/// What a process held: its variables, and of maps each key apart.
fn held<'a>(run: &'a Run<'_>, got: ActionId) -> Vec<(String, &'a Value)> {
    let mut list = Vec::new();
    for (name, value) in run.scene.state_terms(got.pid, got.number.0) {
        parts(name.to_owned(), value, &mut list);
    }
    list
}

fn parts<'a>(name: String, value: &'a Value, list: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Map(pairs) => {
            for (key, value) in pairs.iter() {
                list.push((format!("{key} in {name}"), value));
            }
        }
        Value::Tuple(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
            for item in items.iter() {
                parts(name.clone(), item, list);
            }
        }
        _ => list.push((name, value)),
    }
}

/// A value that was set from what had been read before somebody else set it.
pub(super) fn stale_write(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let reason = run
        .seen(failure.action)
        .and_then(|seen| seen.content.as_deref())
        .unwrap_or_default();
    let mut found: Vec<(bool, Diagnosis)> = Vec::new();
    for answer in servers(run, failure) {
        let turns = turns(run, answer.pid);
        for (at, pair) in turns.windows(2).enumerate().rev() {
            for (name, value) in &pair[0].held {
                let after = pair[1].held.iter().find(|(known, _)| known == name);
                if after.is_some_and(|(_, after)| after != value)
                    && let Some(text) = set_from_old(run, &turns, at, name)
                {
                    let key = name.rsplit_once(" in ").map_or(name.as_str(), |(key, _)| key);
                    let spoken = crate::changes::speaks_of(reason, key);
                    found.push((!spoken, said(Pattern::LostUpdate, text)));
                }
            }
        }
    }
    found.sort_by_key(|(other, _)| *other);
    found.into_iter().next().map(|(_, diagnosis)| diagnosis)
}

/// The turn at this place changed a value: did its sender know the one that was there?
fn set_from_old(run: &Run<'_>, turns: &[Turn<'_>], at: usize, name: &str) -> Option<String> {
    let turn = &turns[at];
    let writer = turn.from.pid;
    let (read, answer) = run.last_got(turn.from)?;
    if answer.pid != turn.got.pid {
        return None;
    }
    // The turn in which it was answered.
    let (asked, _) = run.last_got(answer)?;
    let seen = turns.iter().position(|one| one.got == asked)?;
    let value = |at: usize| {
        turns[at]
            .held
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    };
    let (known, now, set) = (value(seen)?, value(at)?, value(at + 1)?);
    if known == now || !run.value(read)?.holds(known) {
        return None;
    }
    let other = (seen..at)
        .rev()
        .find(|&i| value(i) != value(i + 1) && turns[i].from.pid != writer)?;
    let other = &turns[other];
    Some(format!(
        "{} made {name} {} {}, from {} that it had read {}: {} had made it {} in between {}.",
        run.who(turn.from),
        brief(set),
        run.at(turn.got),
        brief(known),
        run.at(read),
        run.who(other.from),
        brief(now),
        run.at(other.got),
    ))
}

fn brief(value: &Value) -> String {
    session::words::cut(&value.to_string(), 40)
}

/// A server that still names processes that have ended: what they had got was never given back.
pub(super) fn leak(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    servers(run, failure).into_iter().find_map(|answer| {
        let (turn, _) = run.last_got(answer)?;
        let state = run.scene.state_terms(turn.pid, turn.number.0);
        let mut pids: Vec<Pid> = Vec::new();
        for (_, value) in &state {
            pids.extend(value.pids());
        }
        let mut lost: Vec<(ActionId, ActionId)> = Vec::new();
        for pid in pids {
            if let Some(one) = never_gave_back(run, turn, pid)
                && !lost.contains(&one)
            {
                lost.push(one);
            }
        }
        if lost.is_empty() {
            return None;
        }
        let told: Vec<String> = lost
            .iter()
            .take(TOLD)
            .filter_map(|(got, _)| {
                let ended = super::waiting::ended(run, got.pid)?;
                Some(format!(
                    "{} received {} {}, sent nothing to {} after that, and {ended}",
                    run.who(*got),
                    run.said(*got),
                    run.at(*got),
                    turn.pid
                ))
            })
            .collect();
        let text = format!(
            "{} still holds {} in its state {}, but no process will give that back: {}.",
            run.named(turn.pid),
            super::waiting::listed(&lost.iter().map(|(got, _)| got.pid.to_string()).collect::<Vec<_>>()),
            run.at(turn),
            told.join("; "),
        );
        Some(said(Pattern::NeverGivenBack, text))
    })
}

/// Of a process that has ended: what it had received last of a server, and its end, where it sent nothing to it after that, and others like it did.
fn never_gave_back(run: &Run<'_>, server: ActionId, pid: Pid) -> Option<(ActionId, ActionId)> {
    let end = ActionId::new(pid, run.end(pid)?.number);
    // The server was told, or will be.
    let told = run
        .steps(server.pid)
        .iter()
        .any(|step| matches!(step.does, Does::Got(_, Some(from)) if from == end));
    let of_server = |step: &&super::run::Step| matches!(step.does, Does::Got(_, Some(from)) if from.pid == server.pid);
    let got = run.steps(pid).iter().rev().find(of_server)?;
    let got = ActionId::new(pid, got.number);
    let to_server = |id: ActionId| run.receiver(id) == Some(server.pid);
    let later = run
        .after(got)
        .iter()
        .any(|step| to_server(ActionId::new(pid, step.number)));
    // Others that received the like sent something afterwards.
    let others = run.steps(server.pid).iter().any(|step| {
        let Does::Got(_, Some(from)) = step.does else {
            return false;
        };
        from.pid != pid
            && run
                .last_got(from)
                .is_some_and(|(taken, by)| by.pid == server.pid && is_alike(run, taken, got))
    });
    (!told && !later && others).then_some((got, end))
}

/// Do two messages look alike: the same tags at the same places?
fn is_alike(run: &Run<'_>, one: ActionId, other: ActionId) -> bool {
    fn alike(one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| alike(a, b))
            }
            (Value::List(a, Some(_)), Value::List(b, Some(_))) => a.len() == b.len(),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
    match (run.value(one), run.value(other)) {
        (Some(one), Some(other)) => alike(one, other),
        _ => false,
    }
}
