//! What a server holds: a value that somebody set from what it had read too early, and names of processes that have ended.

use interpreter::print::Terms;
use log_format::{ActionId, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Failure;
use super::run::{Does, Run, sort_of};
use crate::story::{Diagnosis, Pattern, said};
use session::value::Value;

/// So many servers are looked at.
const SERVERS: usize = 4;
/// So many lost updates of one thing are told.
const LOSSES: usize = 3;
/// So many turns of a server are looked at.
const TURNS: usize = 64;
/// Processes that have ended and are still named: so many are told.
const TOLD: usize = 2;

/// The processes whose answers a story begins with.
pub(super) fn servers(run: &Run<'_>, failure: &Failure<'_>) -> Vec<ActionId> {
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
pub(super) struct Turn<'a> {
    pub(super) got: ActionId,
    pub(super) from: ActionId,
    pub(super) held: Vec<Held<'a>>,
}

/// A part of what a process held: a variable, or what a key of a map leads to.
#[derive(Clone)]
pub(super) struct Held<'a> {
    name: String,
    key: Option<&'a Value>,
    pub(super) value: &'a Value,
}

pub(super) fn turns<'a>(run: &'a Run<'_>, pid: Pid) -> Vec<Turn<'a>> {
    let steps = run.steps(pid).iter().rev();
    let got = steps.filter_map(|step| match step.does {
        Does::Got(_, Some(from)) => Some((ActionId::new(pid, step.number), from)),
        _ => None,
    });
    let got: Vec<(ActionId, ActionId)> = got.take(TURNS).collect();
    let known: Vec<_> = got
        .iter()
        .map(|(got, _)| run.scene.known_terms(pid, got.number.0))
        .collect();
    // A variable that is not a part of the message in one turn is none in another one, whatever its value is.
    let lasting: FxHashSet<&str> = known.iter().flatten().filter(|one| !one.2).map(|one| one.0).collect();
    let turns = got.iter().zip(&known).rev();
    turns
        .map(|(&(got, from), known)| {
            let mut held = Vec::new();
            for (name, value, _) in known.iter().filter(|one| lasting.contains(one.0)) {
                parts((*name).to_owned(), value, run.scene.terms(), &mut held);
            }
            Turn { got, from, held }
        })
        .collect()
}

impl Held<'_> {
    fn pids(&self) -> Vec<Pid> {
        let of_key = self.key.map_or_else(Vec::new, Value::pids);
        of_key.into_iter().chain(self.value.pids()).collect()
    }
}

fn parts<'a>(name: String, value: &'a Value, terms: Terms, list: &mut Vec<Held<'a>>) {
    match value {
        Value::Map(pairs) => {
            for (key, value) in pairs.iter() {
                list.push(Held {
                    name: format!("{} in {name}", key.as_key(terms)),
                    key: Some(key),
                    value,
                });
            }
        }
        Value::Tuple(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
            for item in items.iter() {
                parts(name.clone(), item, terms, list);
            }
        }
        _ => list.push(Held { name, key: None, value }),
    }
}

/// A value that was set from what had been read before somebody else set it.
pub(super) fn stale_write(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let reason = run.value(failure.action);
    let mut found: Vec<(bool, String, String)> = Vec::new();
    for answer in servers(run, failure) {
        let turns = turns(run, answer.pid);
        for (at, pair) in turns.windows(2).enumerate().rev() {
            let message = run.value(pair[0].got);
            let names = |key: &Value| message.is_some_and(|message| message.holds(key));
            let names_one = pair[0].held.iter().filter_map(|held| held.key).any(names);
            let mut after: FxHashMap<&str, &Value> = FxHashMap::default();
            for held in &pair[1].held {
                after.entry(&held.name).or_insert(held.value);
            }
            for Held { name, key, value } in &pair[0].held {
                // The same value can be written once more: then the message holds it, and names the key if it names one.
                let again = || (!names_one || key.is_some_and(names)) && names(value);
                if after.get(name.as_str()).is_some_and(|after| after != value || again())
                    && let Some(text) = set_from_old(run, &turns, at, name)
                {
                    let spoken = key.is_some_and(|key| reason.is_some_and(|reason| reason.holds(key)));
                    found.push((!spoken, name.clone(), text));
                }
            }
        }
        if found.len() > LOSSES {
            break;
        }
    }
    found.sort_by_key(|(other, ..)| *other);
    let (_, name, _) = found.first()?;
    // Those of the same thing belong together: they are told in their order.
    let mut told: Vec<&str> = found
        .iter()
        .filter(|one| one.1 == *name)
        .map(|one| one.2.as_str())
        .collect();
    told.truncate(LOSSES);
    told.reverse();
    Some(said(Pattern::LostUpdate, told.join(" ")))
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
            .find(|known| known.name == name)
            .map(|known| known.value)
    };
    let (known, now, set) = (value(seen), value(at)?, value(at + 1)?);
    // It had asked for this key, if it asked for one.
    let mut keys = turn
        .held
        .iter()
        .filter_map(|held| Some((held.name.as_str(), held.key?)));
    let asks = |key: &Value| run.value(asked).is_some_and(|message| message.holds(key));
    let names_it = keys.clone().any(|(of, key)| of == name && asks(key));
    let is_asked = names_it || known.is_some() && !keys.any(|(_, key)| asks(key));
    let is_read = known.is_none_or(|known| run.value(read).is_some_and(|reply| reply.holds(known)));
    if known == Some(now) || !is_asked || !is_read || !run.value(turn.got)?.holds(set) {
        return None;
    }
    let from = match known {
        Some(known) => format!("the {} that it had read", brief(known, run.scene.terms())),
        None => format!("{}, when there was none", run.said(read)),
    };
    let other = (seen..at)
        .rev()
        .find(|&i| value(i) != value(i + 1) && turns[i].from.pid != writer)?;
    let other = &turns[other];
    Some(format!(
        "{} wrote {} over {} to {name} {}, computed from {from} {}: {} had written in between {}.",
        run.who(turn.from),
        brief(set, run.scene.terms()),
        brief(now, run.scene.terms()),
        run.at(turn.got),
        run.at(read),
        run.who(other.from),
        run.at(other.got),
    ))
}

fn brief(value: &Value, terms: Terms) -> String {
    session::words::cut(&value.shown(terms).to_string(), 40)
}

/// A server that still names processes that have ended: what they had got was never given back.
pub(super) fn leak(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    servers(run, failure).into_iter().find_map(|answer| {
        let (turn, _) = run.last_got(answer)?;
        let held = |number: u64| -> Vec<Pid> {
            let state = run.scene.state_terms(turn.pid, number);
            state.iter().flat_map(|(_, value)| value.pids()).collect()
        };
        // What it had removed before the run ended was given back.
        let mut got = run.steps(turn.pid).iter().rev();
        let last = got.find(|step| matches!(step.does, Does::Got(_, Some(_))))?;
        let still: FxHashSet<Pid> = held(last.number).into_iter().collect();
        let mut pids = held(turn.number.0);
        pids.retain(|pid| still.contains(pid));
        let mut lost: Vec<(ActionId, ActionId)> = Vec::new();
        for pid in pids {
            // A turn after the one in which it heard of the server for the last time.
            let is_later = |got: ActionId| match run.step(got).map(|step| &step.does) {
                Some(Does::Got(_, Some(from))) => last.number > from.number.0,
                _ => false,
            };
            if let Some(one) = never_gave_back(run, turn, pid)
                && is_later(one.0)
                && !lost.contains(&one)
            {
                lost.push(one);
            }
        }
        // A server that never removes any does not wait for that.
        if lost.is_empty() || !gives_up(run, answer.pid) {
            return None;
        }
        let told: Vec<String> = lost
            .iter()
            .take(TOLD)
            .filter_map(|(got, _)| {
                let ended = super::fate::ended(run, got.pid)?;
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
            super::fate::listed(&lost.iter().map(|(got, _)| got.pid.to_string()).collect::<Vec<_>>()),
            run.at(turn),
            told.join("; "),
        );
        Some(Diagnosis {
            for_good: true,
            ..said(Pattern::NeverGivenBack, text)
        })
    })
}

/// Has a server ever removed a process that it named?
fn gives_up(run: &Run<'_>, server: Pid) -> bool {
    let pids = |turn: &Turn<'_>| -> FxHashSet<Pid> { turn.held.iter().flat_map(Held::pids).collect() };
    let turns: Vec<FxHashSet<Pid>> = turns(run, server).iter().map(pids).collect();
    turns.windows(2).any(|pair| !pair[0].is_subset(&pair[1]))
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

/// One that asked a server for the same as a process that waits for the answer, was answered, and ended without a word, where another one that was
/// answered alike sent something after that.
pub(super) fn not_given_back(run: &Run<'_>, (waits, server): (Pid, Pid), ask: ActionId) -> Option<String> {
    let sort = run.value(ask).map(request)?;
    let (mut kept, mut given) = (Vec::new(), Vec::new());
    let others = run.processes().iter().map(|process| process.pid);
    for pid in others.filter(|pid| *pid != server && *pid != waits) {
        let Some((got, later)) = answer_to(run, (pid, server), sort) else {
            continue;
        };
        match (later, run.end(pid)) {
            (Some(later), _) => given.push((got, later)),
            (None, Some(end)) => kept.push((got, ActionId::new(pid, end.number))),
            (None, None) => {}
        }
    }
    let alike = |got: ActionId| given.iter().copied().find(|(other, _)| is_alike(run, got, *other));
    let (got, end, (_, back)) = kept.iter().find_map(|(got, end)| Some((*got, *end, alike(*got)?)))?;
    let heard = run.last_got(end).filter(|(last, _)| *last != got);
    let heard = heard.map_or_else(String::new, |(last, _)| {
        format!(", received {} {}", run.said(last), run.at(last))
    });
    Some(format!(
        "{} received {} from it {}{heard}, sent nothing to {server} after that, and {}. {} sent {} {}.",
        run.who(got),
        run.said(got),
        run.at(got),
        super::fate::ended(run, got.pid)?,
        run.who(back),
        run.said(back),
        run.at(back),
    ))
}

/// What a process received last of a server after it had asked for this sort of thing, and what it sent to the server after that.
fn answer_to(
    run: &Run<'_>,
    (pid, server): (Pid, Pid),
    sort: (Option<&Value>, usize),
) -> Option<(ActionId, Option<ActionId>)> {
    let id = |step: &super::run::Step| ActionId::new(pid, step.number);
    let sends = |step: &super::run::Step| matches!(step.does, Does::Send(_)) && run.receiver(id(step)) == Some(server);
    let steps = run.steps(pid);
    let at = steps.iter().enumerate().rev().find_map(|(at, step)| {
        let of_server = matches!(step.does, Does::Got(_, Some(from)) if from.pid == server);
        let asked = steps[..at].iter().rev().find(|step| sends(step));
        let asked = asked.and_then(|step| run.value(id(step))).map(request);
        (of_server && asked == Some(sort)).then_some(at)
    })?;
    let later = steps[at + 1..].iter().find(|step| sends(step)).map(id);
    Some((id(&steps[at]), later))
}

/// What sort of request it is: of a call or cast, that of what it holds.
pub(super) fn request(value: &Value) -> (Option<&Value>, usize) {
    match value.tuple() {
        [Value::Atom(head), .., body] if matches!(head.as_ref(), "$gen_call" | "$gen_cast") => sort_of(body),
        _ => sort_of(value),
    }
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
