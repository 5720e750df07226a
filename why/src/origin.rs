//! Where the values of a failure came from. Where no order matters, the data is to blame: the process that failed first, what it had received, and
//! the lines from which the values came that its failure names.

use causality::Point;
use interpreter::atom::Atom;
use interpreter::print::Terms;
use log_format::{ActionId, ActionNo, Cut, Kind, Pid, Trace};
use rustc_hash::FxHashMap;
use session::error::Error;
use session::of_elixir::machinery;
use session::player::places::StandingPlace;
use session::subject::ShownBounds;
use session::value::Value;
use session::view::{FunctionName, SourcePlace};
use session::watch::{Watcher, Wish, ascending};
use session::{Goal, Session, shown};

use crate::heard::is_common;
use crate::scene::{Scene, Server};
use crate::story::{Came, Change, Got, Origin, Turned};
use crate::walk::Walk;

/// Limits: failures that are followed to the first one, and looked at.
const HOPS: usize = 6;
const ENDS: usize = 8;
/// Limit: receives of a process whose states are compared.
const TURNS: usize = 12;
/// Limits: changes and values that are told.
const CHANGES: usize = 2;
const VALUES: usize = 2;
/// Limit: how deep changed parts are looked for.
const DEPTH: usize = 4;

/// Where the values of a failure came from. `None`: it is a wait for ever, or nothing is known of it.
///
/// # Errors
/// The trace is damaged; a replay diverges.
pub(crate) fn of(session: &Session, found: &Point, slice: &Cut, bounds: &ShownBounds) -> Result<Option<Origin>, Error> {
    if found.runs_on || found.action.0 == 0 {
        return Ok(None);
    }
    let trace = session.trace();
    let ends = ends(trace, found, slice)?;
    let mut turns: FxHashMap<Pid, Vec<Turn>> = FxHashMap::default();
    let mut ids = Vec::new();
    for end in &ends {
        let mut list = receives(trace, *end)?;
        list.retain(|turn| !machinery(session).has(turn.got));
        ids.push(*end);
        for turn in &list {
            ids.push(turn.got);
            ids.extend(turn.sent);
        }
        turns.insert(end.pid, list);
    }
    ids.retain(|id| id.number.0 > 0 && slice.contains(*id));
    let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for id in &ids {
        acts.entry(id.pid).or_default().push(id.number.0);
    }
    let wish = Wish {
        acts: ascending(acts),
        chars: bounds.chars,
        frames: bounds.frames,
        variables: session::scene::FRAMES,
        near: ids.into_iter().collect(),
        terms: true,
        ..Wish::default()
    };
    let system = session.replay(&Goal::causes(slice.clone()), Watcher::new(wish))?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let end = first_of(&scene, &ends);
    let told = &turns[&end.pid];
    let Some(act) = scene.act(end.pid, end.number.0)? else {
        return Ok(None);
    };
    let blamed = scene
        .seen
        .get(&end)
        .and_then(|seen| seen.term.as_ref())
        .map_or_else(Vec::new, blamed);
    let mut walk = Walk::new(session)?;
    let last = told.last();
    // The message with the value that the failure names says more than the last one.
    let holds = |turn: &&Turn| {
        let term = scene.seen.get(&turn.got).and_then(|seen| seen.term.as_ref());
        term.is_some_and(|term| {
            blamed
                .iter()
                .any(|value| !is_plain(value) && is_telling(value) && term.holds(value))
        })
    };
    let telling = told.iter().rev().find(holds).or(last);
    let received = match telling.filter(|turn| !is_start(&scene, turn.got)) {
        Some(turn) => got(&scene, turn)?,
        None => None,
    };
    let inner = blamed
        .iter()
        .find_map(|value| raised_in(value, scene.terms(), |file| scene.sources.owns(file)));
    let is_first = led_to_all(trace, end)?;
    let lines = walk.lines(end.pid, last.map(|turn| turn.got), end.number.0)?;
    let raised = act.place.clone();
    Ok(Some(Origin {
        values: came(&lines, raised.as_ref(), &blamed),
        state: turned(&scene, &mut walk, told, &blamed)?,
        own: end == found.id(),
        first: is_first,
        inner,
        end: act,
        received,
    }))
}

/// The failure, and the processes that failed by themselves before it.
fn ends(trace: &Trace, found: &Point, slice: &Cut) -> Result<Vec<ActionId>, Error> {
    let mut ends = vec![found.id()];
    for end in causality::abnormal_ends(trace)? {
        let by_itself = matches!(trace.action(end.pid, end.number)?.kind, Kind::Exit { .. });
        if by_itself && end.pid != found.pid && slice.contains(end) && ends.len() < ENDS {
            ends.push(end);
        }
    }
    Ok(ends)
}

/// The failure that led to the others: the first of those whose reasons or processes the reasons name.
fn first_of(scene: &Scene<'_>, ends: &[ActionId]) -> ActionId {
    let reason = |end: &ActionId| scene.seen.get(end).and_then(|seen| seen.term.as_ref());
    let mut way = vec![ends[0]];
    while way.len() < HOPS {
        let Some(of_last) = way.last().and_then(reason) else {
            break;
        };
        let led = |end: &&ActionId| {
            let own = reason(end).filter(|own| !matches!(own, Value::Atom(word) if is_common(word)));
            !way.iter().any(|known| known.pid == end.pid)
                && (own.is_some_and(|own| of_last.holds(own)) || of_last.pids().contains(&end.pid))
        };
        match ends.iter().find(led) {
            Some(end) => way.push(*end),
            None => break,
        }
    }
    way.last().copied().unwrap_or(ends[0])
}

/// Did all other processes that failed by themselves do so because of this one, as far as causes tell?
fn led_to_all(trace: &Trace, first: ActionId) -> Result<bool, Error> {
    let mut looked_at = 0;
    for end in causality::abnormal_ends(trace)? {
        if end.pid == first.pid || !matches!(trace.action(end.pid, end.number)?.kind, Kind::Exit { .. }) {
            continue;
        }
        looked_at += 1;
        if looked_at > ENDS || !causality::causes(trace, end)?.contains(first) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first place of the program in a stack trace that is a part of a value: `{'EXIT',{badarg,[{shop,init,1,[{file,"shop.erl"},{line,23}]},…]}}`.
fn raised_in(value: &Value, terms: Terms, owns: impl Fn(&str) -> bool) -> Option<SourcePlace> {
    let mut found = None;
    value.each(&mut |part| {
        if found.is_none() {
            found = frame_of(part, terms).filter(|place| owns(&place.file));
        }
    });
    found
}

/// An entry of a stack trace.
fn frame_of(value: &Value, terms: Terms) -> Option<SourcePlace> {
    let [
        Value::Atom(module),
        Value::Atom(function),
        arity,
        Value::List(known, None),
    ] = value.tuple()
    else {
        return None;
    };
    let arity = match arity {
        Value::Number(n) => n.parse().ok()?,
        Value::List(arguments, None) => u8::try_from(arguments.len()).ok()?,
        _ => return None,
    };
    let of = |key: &str| {
        known.iter().find_map(|pair| match pair.tuple() {
            [name, value] if name.is_atom(key) => Some(value),
            _ => None,
        })
    };
    match (of("file")?, of("line")?) {
        (file, Value::Number(line)) => Some(SourcePlace {
            file: session::words::safe(&file.characters()?),
            line: line.parse().ok()?,
            column: 1,
            function: FunctionName {
                module: Atom::new(module),
                name: Atom::new(function),
                arity,
            },
            loaded: None,
            terms,
        }),
        _ => None,
    }
}

/// A message that a process received.
struct Turn {
    got: ActionId,
    sent: Option<ActionId>,
}

/// The last receives of a process before an action, the last one last.
fn receives(trace: &Trace, end: ActionId) -> Result<Vec<Turn>, Error> {
    let mut tags = Vec::new();
    let mut log = trace.log(end.pid)?.without_values();
    while let Some(step) = log.step(u64::MAX)? {
        let tag = match step {
            log_format::LogStep::Action(action) => match action.kind {
                Kind::Rec(tag) => Some(tag),
                _ => None,
            },
            log_format::LogStep::Sends(_) => None,
        };
        let n = log.counts().actions;
        if n >= end.number.0 {
            break;
        }
        tags.extend(tag.map(|tag| (n, tag)));
    }
    let from = tags.len().saturating_sub(TURNS);
    let turn = |(n, tag): (u64, log_format::Tag)| -> Result<Turn, Error> {
        Ok(Turn {
            got: ActionId::new(end.pid, n),
            sent: session::targets::sender_of(trace, tag)?,
        })
    };
    tags.drain(from..).map(turn).collect()
}

/// Is it a receive of the library before the program's own code runs, or between its parts?
fn is_start(scene: &Scene<'_>, got: ActionId) -> bool {
    let Some(seen) = scene.seen.get(&got) else { return true };
    let is_loop = |place: &SourcePlace| Server::at(place).is_some();
    scene.own_frame(seen).is_none() && !seen.place.as_ref().is_some_and(is_loop)
}

fn got(scene: &Scene<'_>, turn: &Turn) -> Result<Option<Got>, Error> {
    let Some(act) = scene.act(turn.got.pid, turn.got.number.0)? else {
        return Ok(None);
    };
    let sent = match turn.sent.filter(|sent| sent.number > ActionNo(0)) {
        Some(sent) => scene.act(sent.pid, sent.number.0)?,
        None => None,
    };
    Ok(sent.map(|sent| Got { act, sent }))
}

/// The values that a reason names: `V` of `{badmatch,V}`, the arguments of a function that has no clause for them.
fn blamed(reason: &Value) -> Vec<&Value> {
    match reason.tuple() {
        [inner @ Value::Tuple(_), Value::List(..)] => blamed(inner),
        [Value::Atom(_), Value::List(frames, None)] if frames.first().is_some_and(|one| one.tuple().len() == 4) => {
            match frames[0].tuple() {
                [_, _, Value::List(arguments, None), _] => arguments.iter().collect(),
                _ => Vec::new(),
            }
        }
        [Value::Atom(_), rest @ ..] => rest.iter().collect(),
        _ => Vec::new(),
    }
}

/// Is it a value by which one can tell where it came from?
pub(crate) const fn is_telling(value: &Value) -> bool {
    !matches!(value, Value::Pid(_) | Value::Reference(_) | Value::Cut)
}

/// For each value that a reason names: the function from which it came in the last turn, if it came from one.
fn came(lines: &[StandingPlace], raised: Option<&SourcePlace>, blamed: &[&Value]) -> Vec<Came> {
    let mut found: Vec<Came> = Vec::new();
    for value in blamed.iter().filter(|value| is_telling(value)) {
        let has = |stop: &StandingPlace| stop.variables.iter().any(|(_, known)| known == *value);
        let one = match lines.iter().position(has) {
            // It had it from the start.
            Some(0) => None,
            Some(at) => {
                let (before, here) = (&lines[at - 1], &lines[at]);
                let call = lines[..at].iter().rev().find(|stop| stop.depth == here.depth);
                let name = here.variables.iter().find(|(_, known)| known == *value);
                let inner = before.depth > here.depth && !has(before);
                match (call, name) {
                    (Some(call), Some((name, _))) if inner && call.place.function == here.place.function => {
                        Some(Came {
                            variable: Some(name.clone()),
                            value: value.shown(here.place.terms).to_string(),
                            from: before.place.clone(),
                            to: call.place.clone(),
                        })
                    }
                    _ => None,
                }
            }
            None => returned(lines, raised, value),
        };
        if let Some(one) = one
            && found.len() < VALUES
        {
            found.push(one);
        }
    }
    found
}

/// The value that no variable held: it came from the function from which the process had just returned when it failed.
fn returned(lines: &[StandingPlace], raised: Option<&SourcePlace>, value: &Value) -> Option<Came> {
    let (last, raised) = (lines.last()?, raised?);
    let call = lines.iter().rev().find(|stop| stop.depth < last.depth)?;
    let is_call = call.place.line == raised.line && call.place.function == raised.function;
    (is_call && last.place.function != raised.function).then(|| Came {
        variable: None,
        value: value.shown(last.place.terms).to_string(),
        from: last.place.clone(),
        to: call.place.clone(),
    })
}

/// The last message that changed the state in a way that the failure names, and the lines of that turn.
fn turned(scene: &Scene<'_>, walk: &mut Walk, turns: &[Turn], blamed: &[&Value]) -> Result<Option<Turned>, Error> {
    // What is missing says most; then a value that is named itself; then one inside such a value.
    for kind in [Part::is_missing, Part::is_itself, Part::is_inside] {
        for pair in turns.windows(2).rev() {
            let mut changes = changes(scene, &pair[0], &pair[1]);
            changes.retain(|part| kind(part, blamed));
            if changes.is_empty() {
                continue;
            }
            let Some(got) = got(scene, &pair[0])? else { continue };
            let lines = walk.lines(pair[0].got.pid, Some(pair[0].got), pair[1].got.number.0)?;
            let top = lines.iter().map(|stop| stop.depth).min().unwrap_or(0);
            let inner = lines.iter().rev().find(|stop| stop.depth > top).or(lines.last());
            return Ok(Some(Turned {
                got,
                changes: changes
                    .into_iter()
                    .take(CHANGES)
                    .map(|part| part.told(scene.terms()))
                    .collect(),
                place: inner.map(|stop| stop.place.clone()),
            }));
        }
    }
    Ok(None)
}

/// What changed in the state of a process between two of its receives.
fn changes<'s>(scene: &'s Scene<'_>, one: &Turn, next: &Turn) -> Vec<Part<'s>> {
    let state = |turn: &Turn| scene.state_terms(turn.got.pid, turn.got.number.0);
    let (before, after) = (state(one), state(next));
    let mut changes = Vec::new();
    for (name, was) in &before {
        if let Some((_, now)) = after.iter().find(|(known, _)| known == name) {
            differing(name, (was, now), scene.terms(), 0, &mut changes);
        }
    }
    changes
}

/// A part of a state that changed. `None`: it was not there.
struct Part<'v> {
    name: String,
    /// Of an association: its key.
    key: Option<&'v Value>,
    before: Option<&'v Value>,
    after: Option<&'v Value>,
}

impl Part<'_> {
    /// Was a key removed that a map of the failure lacks, or that the failure names?
    fn is_missing(&self, blamed: &[&Value]) -> bool {
        let Some(key) = self.key.filter(|_| self.after.is_none()) else {
            return false;
        };
        blamed.iter().any(|value| match value {
            Value::Map(pairs) => pairs.iter().all(|(known, _)| known != key),
            value => *value == key,
        })
    }

    /// Is the new value one that the failure names?
    fn is_itself(&self, blamed: &[&Value]) -> bool {
        let telling = |after: &&Value| is_telling(after) && !is_plain(after);
        self.after.filter(telling).is_some_and(|after| blamed.contains(&after))
    }

    /// Is it inside such a value? Counters are inside all that comes later.
    fn is_inside(&self, blamed: &[&Value]) -> bool {
        let telling = |after: &&Value| is_telling(after) && !is_plain(after) && !matches!(after, Value::Number(_));
        self.after
            .filter(telling)
            .is_some_and(|after| blamed.iter().any(|value| value.holds(after)))
    }

    fn told(self, terms: Terms) -> Change {
        let text = |value: Option<&Value>| {
            value.map_or_else(
                || crate::changes::ABSENT.to_owned(),
                |value| value.shown(terms).to_string(),
            )
        };
        Change {
            before: text(self.before),
            after: text(self.after),
            name: self.name,
        }
    }
}

/// Values that occur everywhere.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Atom(word) => is_common(word),
        Value::List(items, None) => items.is_empty(),
        Value::Map(pairs) => pairs.is_empty(),
        _ => false,
    }
}

/// The parts in which two values differ.
fn differing<'v>(name: &str, (was, now): (&'v Value, &'v Value), terms: Terms, depth: usize, out: &mut Vec<Part<'v>>) {
    if was == now {
        return;
    }
    match (was, now) {
        (Value::Map(old), Value::Map(new)) if depth < DEPTH => {
            for (key, before) in old.iter() {
                let name = format!("{} in {name}", key.as_key(terms));
                match new.iter().find(|(known, _)| known == key) {
                    Some((_, after)) => differing(&name, (before, after), terms, depth + 1, out),
                    None => out.push(Part {
                        name,
                        key: Some(key),
                        before: Some(before),
                        after: None,
                    }),
                }
            }
            for (key, after) in new.iter().filter(|(key, _)| !old.iter().any(|(known, _)| known == key)) {
                out.push(Part {
                    name: format!("{} in {name}", key.as_key(terms)),
                    key: Some(key),
                    before: None,
                    after: Some(after),
                });
            }
        }
        (Value::Tuple(old), Value::Tuple(new)) if depth < DEPTH && old.len() == new.len() => {
            for (i, (before, after)) in old.iter().zip(new.iter()).enumerate() {
                let name = match before {
                    Value::Map(_) => name.to_owned(),
                    _ => format!("element {} of {name}", i + 1),
                };
                differing(&name, (before, after), terms, depth + 1, out);
            }
        }
        _ => out.push(Part {
            name: name.to_owned(),
            key: None,
            before: Some(was),
            after: Some(now),
        }),
    }
}
