//! What nobody did to something shared: an object that was looked for and that nobody wrote, and one that was found and that nobody removed.

use log_format::{Access, ActionId, Pid, Resource};
use session::shared::{Deed, SharedUse, removes};

use super::failure::Failure;
use super::fate::ended;
use super::run::{Does, Run, Step};
use crate::heard::words;
use crate::story::{Diagnosis, Pattern, said};
use session::value::Value;

/// So many actions before a failure are searched for what it had looked at.
const LOOKS: usize = 16;
/// So many removals of one turn are told.
const REMOVALS: usize = 3;

/// An object that was looked for and that nobody ever wrote: who knew of it, and ended without having come to where others like it wrote theirs.
pub(super) fn not_written(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let (look, used) = last_look(run, failure)?;
    let key = key(&used)?;
    if used.access.version.0 > 0 || words(key).is_empty() {
        return None;
    }
    let writes = writes_like(run, used.access.resource, |access| access.write);
    if writes.iter().any(|(_, access)| access.resource == used.access.resource) {
        return None;
    }
    let others = writes.iter().map(|(id, _)| *id).filter(|id| id.pid != look.pid);
    let others: Vec<ActionId> = others.filter(|id| run.place(*id).is_some()).collect();
    let wrote = |pid: Pid| others.iter().any(|id| id.pid == pid);
    let silent = run.processes().iter().rev().map(|process| process.pid);
    let mut silent = silent.filter(|pid| *pid != look.pid && !wrote(*pid) && run.end(*pid).is_some());
    let (pid, like) = silent.find_map(|pid| {
        let like = others.iter().rev().find(|id| run.called(id.pid) == run.called(pid))?;
        let other = written(run, *like)?;
        knows(run, pid, &own_words(key, self::key(&other)?)).then_some((pid, *like))
    })?;
    let text = format!(
        "nobody had written {} when {} looked for it {}: {} {}{}, without having come to {}, where {} wrote {} [{}].",
        used.resource.noun(),
        run.who(look),
        run.at(look),
        run.named(pid),
        ended(run, pid)?,
        asked_for(run, pid),
        run.place(like).map(|place| run.quoted(place))?,
        run.named(like.pid),
        written(run, like)?.resource.noun(),
        run.target(like),
    );
    Some(Diagnosis {
        for_good: true,
        ..said(Pattern::NotWritten, text)
    })
}

/// An object that was found and that nobody removed: a turn that was about it removed others, or others that were written at the same place were.
pub(super) fn not_removed(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let (look, access) = match failure.known.key {
        Some(found) => found,
        None => {
            let (look, used) = last_look(run, failure)?;
            (look, used.access)
        }
    };
    let resource = access.resource;
    let write = access.by.filter(|by| by.number.0 > 0)?;
    let used = uses(run, write)
        .into_iter()
        .find(|one| one.access.resource == resource)?;
    let key = key(&used)?;
    let later = |one: &Access| one.write && one.resource == resource && one.version > used.access.version;
    let is_changed = writes_like(run, resource, |_| true).iter().any(|(_, one)| later(one));
    if used.deed == Deed::Removes || is_changed {
        return None;
    }
    let asked = run.last_got(write).filter(|(got, _)| got.pid == write.pid);
    let asked = asked.map_or_else(String::new, |(_, from)| {
        format!(", on {} of {} {}", run.said(from), run.who(from), run.at(from))
    });
    let came = match turn_about(run, (write, resource), key) {
        Some((got, removals)) => {
            let places = removals.iter().filter_map(|id| Some(run.quoted(run.place(*id)?)));
            let places: Vec<String> = places.take(REMOVALS).collect();
            format!(
                "{} took {} {}, and what it removed then, at {}, was not this",
                run.who(got),
                run.said(got),
                run.at(got),
                super::fate::listed(&places),
            )
        }
        None => {
            let (like, removal) = removed_like(run, (write, resource))?;
            let fate = run.end(write.pid).filter(|_| write.pid != look.pid);
            let fate = fate.and_then(|_| Some(format!("{} {}; ", run.named(write.pid), ended(run, write.pid)?)));
            format!(
                "{}{} removed {}, which was written at the same line, at {} [{}]",
                fate.unwrap_or_default(),
                run.named(removal.pid),
                written(run, like)?.resource.noun(),
                run.place(removal).map(|place| run.quoted(place))?,
                run.target(removal),
            )
        }
    };
    let text = format!(
        "{} wrote {} {}{asked}, and nobody removed it before {} found it {}: {came}.",
        run.who(write),
        used.resource.noun(),
        run.at(write),
        run.who(look),
        run.at(look),
    );
    Some(Diagnosis {
        for_good: true,
        ..said(Pattern::NotRemoved, text)
    })
}

/// What the process that failed had looked at last, since it received something.
fn last_look(run: &Run<'_>, failure: &Failure<'_>) -> Option<(ActionId, SharedUse)> {
    let since = run.before(failure.action).iter().rev().take(LOOKS);
    let mut since = since.take_while(|step| !matches!(step.does, Does::Got(..)));
    since.find_map(|step| {
        let id = ActionId::new(failure.action.pid, step.number);
        let read = uses(run, id).into_iter().find(|one| one.resource.key().is_some())?;
        (read.deed == Deed::Reads).then_some((id, read))
    })
}

fn uses(run: &Run<'_>, id: ActionId) -> Vec<SharedUse> {
    let act = run.scene.act(id.pid, id.number.0).ok().flatten();
    act.map_or_else(Vec::new, |act| act.accesses.to_vec())
}

/// What an action wrote, if it has a key.
fn written(run: &Run<'_>, id: ActionId) -> Option<SharedUse> {
    let mut all = uses(run, id).into_iter();
    all.find(|one| one.access.write && one.resource.key().is_some())
}

/// The key that a use names.
fn key(used: &SharedUse) -> Option<&Value> {
    Some(&used.resource.key()?.terms().last()?.value)
}

/// Are both keys of the same table, or both such terms?
fn is_like(one: Resource, other: Resource) -> bool {
    match (one, other) {
        (Resource::TableKey { table: one, .. }, Resource::TableKey { table: other, .. }) => one == other,
        (Resource::Persistent(_), Resource::Persistent(_)) | (Resource::Env(_), Resource::Env(_)) => true,
        _ => false,
    }
}

/// The uses of things like this one, of this sort.
fn writes_like(run: &Run<'_>, thing: Resource, is_it: impl Fn(&Access) -> bool) -> Vec<(ActionId, Access)> {
    let steps = run.processes().iter().flat_map(|process| {
        let id = |step: &Step| ActionId::new(process.pid, step.number);
        process.steps.iter().map(move |step| (id(step), step))
    });
    let all = steps.flat_map(|(id, step)| step.accesses.iter().map(move |access| (id, *access)));
    all.filter(|(_, access)| is_it(access) && is_like(access.resource, thing))
        .collect()
}

/// What a key holds and another one of its sort does not.
fn own_words<'k>(key: &'k Value, other: &Value) -> Vec<&'k Value> {
    let mut own = words(key);
    own.retain(|word| !other.holds(word));
    own
}

/// Does a process hold all this, or has it received it?
fn knows(run: &Run<'_>, pid: Pid, words: &[&Value]) -> bool {
    let holds = |value: &Value| words.iter().all(|word| value.holds(word));
    let mut steps = run.steps(pid).iter().rev();
    !words.is_empty()
        && steps.any(|step| {
            let id = ActionId::new(pid, step.number);
            let took = matches!(step.does, Does::Got(..)) && run.value(id).is_some_and(holds);
            took || run
                .scene
                .state_terms(pid, step.number)
                .iter()
                .any(|(_, held)| holds(held))
        })
}

/// If a process ended another one because it had been asked to: by whom.
fn asked_for(run: &Run<'_>, pid: Pid) -> String {
    let asked = || {
        let Does::EndedBy(_, Some(by)) = run.end(pid)?.does else {
            return None;
        };
        let from = run.asked_by(by)?;
        let names_it = run.value(from).is_some_and(|said| said.pids().contains(&pid));
        names_it.then(|| format!(" (on {} of {} {})", run.said(from), run.who(from), run.at(from)))
    };
    asked().unwrap_or_default()
}

/// The last turn after a write in which a process took a message about its key, and removed, or would have removed, others like it: the receive, and the
/// removals.
fn turn_about(
    run: &Run<'_>,
    (write, resource): (ActionId, Resource),
    key: &Value,
) -> Option<(ActionId, Vec<ActionId>)> {
    let own = words(key);
    let mut turns: Vec<(ActionId, Vec<ActionId>)> = Vec::new();
    for (removal, _) in removals(run, resource) {
        let Some((got, _)) = run.last_got(removal) else {
            continue;
        };
        match turns.iter_mut().find(|(known, _)| *known == got) {
            Some((_, all)) => all.push(removal),
            None => turns.push((got, vec![removal])),
        }
    }
    let is_about = |got: ActionId| {
        run.value(got)
            .is_some_and(|said| own.iter().any(|word| said.holds(word)))
    };
    let is_later = |got: ActionId| match got.pid == write.pid {
        true => got.number > write.number,
        false => causality::causes(run.scene.trace, got).is_ok_and(|causes| causes.contains(write)),
    };
    turns
        .into_iter()
        .rev()
        .find(|(got, _)| is_about(*got) && is_later(*got))
}

/// The removals from where this is, each with what it removed.
fn removals(run: &Run<'_>, thing: Resource) -> Vec<(ActionId, Vec<Access>)> {
    let is_there = |access: &Access| match (access.resource, thing) {
        (Resource::TableContents(one), Resource::TableKey { table, .. }) => one == table,
        (one, other) => is_like(one, other),
    };
    let mut all = Vec::new();
    for process in run.processes() {
        for step in &process.steps {
            let id = ActionId::new(process.pid, step.number);
            let is_removal = || run.seen(id).and_then(|seen| seen.native).is_some_and(removes);
            if step.accesses.iter().any(is_there) && is_removal() {
                let removed = step.accesses.iter().filter(|access| access.write).copied();
                all.push((id, removed.collect()));
            }
        }
    }
    all
}

/// Another object that was written at the same place as this one, and its removal.
fn removed_like(run: &Run<'_>, (write, resource): (ActionId, Resource)) -> Option<(ActionId, ActionId)> {
    let place = run.place(write)?;
    let writes = writes_like(run, resource, |access| access.write);
    let is_same = |id: ActionId| {
        run.place(id)
            .is_some_and(|one| (&one.file, one.line) == (&place.file, place.line))
    };
    let removals = removals(run, resource);
    writes
        .iter()
        .rev()
        .filter(|(id, one)| one.resource != resource && is_same(*id))
        .find_map(|(id, one)| {
            let is_it = |access: &Access| access.resource == one.resource && access.version > one.version;
            let removal = removals.iter().find(|(_, removed)| removed.iter().any(is_it))?;
            Some((*id, removal.0))
        })
}
