//! The →-future over all that the logs of a session hold, done or not: what must be dropped when a process leaves its log (semantics.md §9).
//!
//! [`causality::conflict_future`] answers the same for a trace alone; this one also knows what was done beyond it. It reads all logs.

use causality::{accesses, writes_commute};
use log_format::{Error, Kind, Pid, Resource, SendNo, Tag};
use rustc_hash::FxHashMap;

use super::history::History;
use super::undo::Cut;

/// What an action needs of another process.
#[derive(Clone, Copy)]
enum Need {
    Action(u64),
    Sent(u64),
    End,
}

/// What is needed of a process, and by which action.
type Needed = Vec<(Need, (Pid, u64))>;

/// One use of a resource: its version, is it a read, by whom.
type Use = (u64, bool, (Pid, u64));

/// What the logs hold, by what depends on it.
#[derive(Default)]
struct Dependants {
    /// By process: what is needed of it, by which action.
    of: FxHashMap<Pid, Needed>,
    uses: FxHashMap<Resource, Vec<Use>>,
    /// By process, the resources that each of its actions uses.
    used: FxHashMap<Pid, Vec<(u64, Resource, u64, bool)>>,
}

impl Dependants {
    fn scan(history: &History) -> Result<Self, Error> {
        let mut all = Self::default();
        for pid in history.processes()? {
            let length = history.length(pid)?.unwrap_or(0);
            if length > 0
                && let Some((parent, spawn)) = history.parent(pid)?
            {
                all.needs((parent, Need::Action(spawn)), (pid, 1));
            }
            for entry in history.stretch(pid, 0, length)? {
                let me = (pid, entry.number);
                if let Some(tag) = entry.action.kind.consumed() {
                    match tag {
                        Tag::Sent { by, k: SendNo(k) } => all.needs((by, Need::Sent(k)), me),
                        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                            all.needs((by, Need::End), me);
                        }
                        Tag::Limit { .. } => {}
                    }
                }
                if let Kind::Observe { of: Some((of, n)), .. } = &entry.action.kind {
                    all.needs((*of, Need::Action(n.0)), me);
                    // Rule 7: what the observed process does next comes after.
                    all.needs((pid, Need::Action(entry.number)), (*of, n.0 + 1));
                }
                for access in accesses(pid, &entry.action) {
                    if let Some((by, n)) = access.by {
                        all.needs((by, Need::Action(n.0)), me);
                    }
                    let one = (access.version.0, !access.write, me);
                    all.uses.entry(access.resource).or_default().push(one);
                    let mine = (entry.number, access.resource, access.version.0, access.write);
                    all.used.entry(pid).or_default().push(mine);
                }
            }
        }
        Ok(all)
    }

    /// The actions that come right after an action because they change what it saw: what only `→` orders.
    fn change(&self, (pid, n): (Pid, u64)) -> Vec<(Pid, u64)> {
        // Who needs an action of a process that it was observed by.
        let needed = self.of.get(&pid).map_or(&[][..], Vec::as_slice).iter();
        let mut found: Vec<(Pid, u64)> = needed
            .filter(|(need, _)| matches!(need, Need::Action(m) if *m == n))
            .map(|(_, who)| *who)
            .collect();
        let used = self.used.get(&pid).map_or(&[][..], Vec::as_slice);
        let from = used.partition_point(|(number, ..)| *number < n);
        for (_, resource, version, write) in used[from..].iter().take_while(|(number, ..)| *number == n) {
            let uses = self.uses.get(resource).map_or(&[][..], Vec::as_slice).iter();
            let later =
                uses.filter(|(other, read, _)| !read && other > version && !(*write && writes_commute(*resource)));
            found.extend(later.map(|(_, _, who)| *who).filter(|who| *who != (pid, n)));
        }
        found
    }

    fn needs(&mut self, what: (Pid, Need), who: (Pid, u64)) {
        if what.0 != who.0 {
            self.of.entry(what.0).or_default().push((what.1, who));
        }
    }
}

/// From which action on each process belongs to the →-future of these actions, themselves included.
///
/// # Errors
/// If the trace is damaged.
pub fn future(history: &History, targets: impl IntoIterator<Item = (Pid, u64)>) -> Result<FxHashMap<Pid, u64>, Error> {
    reached(history, &Dependants::scan(history)?, targets, |_| true)
}

/// The same, without what is reached only by way of actions that are not `passable`.
fn reached(
    history: &History,
    all: &Dependants,
    targets: impl IntoIterator<Item = (Pid, u64)>,
    passable: impl Fn((Pid, u64)) -> bool,
) -> Result<FxHashMap<Pid, u64>, Error> {
    let mut first: FxHashMap<Pid, u64> = FxHashMap::default();
    let mut next: Vec<(Pid, u64)> = targets.into_iter().collect();
    while let Some((pid, n)) = next.pop() {
        let before = first.get(&pid).copied().unwrap_or(u64::MAX);
        if n >= before || n > history.length(pid)?.unwrap_or(0) || !passable((pid, n)) {
            continue;
        }
        first.insert(pid, n);
        let kept = history.sends(pid, n - 1)?;
        for (need, who) in all.of.get(&pid).map_or(&[][..], Vec::as_slice) {
            let lost = match need {
                Need::Action(m) => *m >= n,
                Need::Sent(k) => *k > kept,
                Need::End => true,
            };
            // The birth is of the action that spawned.
            if lost {
                next.push(*who);
            }
        }
        let used = all.used.get(&pid).map_or(&[][..], Vec::as_slice);
        let from = used.partition_point(|(number, ..)| *number < n);
        for (number, resource, version, write) in &used[from..] {
            if *number >= before {
                break;
            }
            for (other, read, who) in all.uses.get(resource).map_or(&[][..], Vec::as_slice) {
                let after = match (*write, *read) {
                    (true, true) => other >= version,
                    (true, false) => other > version && !writes_commute(*resource),
                    (false, false) => other > version,
                    (false, true) => false,
                };
                if after && *who != (pid, *number) {
                    next.push(*who);
                }
            }
        }
    }
    Ok(first)
}

/// Logged actions that have not been done, and that the action done last would have to come before and after at once: it saw what they, or others
/// that they come after, change, and they see what was changed by what it comes after. What is not done of their →-future is among them.
///
/// # Errors
/// If the trace is damaged.
pub fn overtaken(history: &History, done: &Cut, last: (Pid, u64)) -> Result<FxHashMap<Pid, u64>, Error> {
    let action = history.action(last.0, last.1)?;
    let changes = changes_of(history, done, last.0, &action)?;
    let mut dropped = FxHashMap::default();
    if changes.is_empty() {
        return Ok(dropped);
    }
    let all = Dependants::scan(history)?;
    let is_done = |(pid, n): (Pid, u64)| done.get(&pid).is_some_and(|done| n <= *done);
    let comes_before = |one| Ok::<_, Error>(reached(history, &all, [one], |_| true)?.contains_key(&last.0));
    // Those that come after it, by way of what is not done.
    let after = reached(history, &all, changes, |one| !is_done(one))?;
    for (&pid, &first) in &after {
        for n in first..=history.length(pid)?.unwrap_or(0) {
            if all.change((pid, n)).into_iter().any(is_done) && comes_before((pid, n))? {
                dropped.insert(pid, n);
                break;
            }
        }
    }
    reached(history, &all, dropped, |one| !is_done(one))
}

/// What has not been done and changes what this action saw: the next version, or the next action of a process.
fn changes_of(history: &History, done: &Cut, of: Pid, action: &log_format::Action) -> Result<Vec<(Pid, u64)>, Error> {
    let mut found = Vec::new();
    if let Kind::Observe { of: Some((pid, n)), .. } = &action.kind
        && history.length(*pid)?.is_some_and(|length| length > n.0)
    {
        found.push((*pid, n.0 + 1));
    }
    let reads = accesses(of, action).filter(|access| !access.write);
    let read: Vec<(Resource, u64)> = reads.map(|access| (access.resource, access.version.0 + 1)).collect();
    if !read.is_empty() {
        found.extend(later_writes(history, done, &read, true)?);
    }
    Ok(found)
}

/// Who receives, or cancels, the message of a timer, if that is logged and not done: either takes the other's place (rule 8).
///
/// # Errors
/// If the trace is damaged.
pub fn consumer(history: &History, done: &Cut, tag: Tag) -> Result<Option<(Pid, u64)>, Error> {
    for pid in history.processes()? {
        let from = done.get(&pid).copied().unwrap_or(0);
        let length = history.length(pid)?.unwrap_or(0);
        if from < length {
            let entries = history.stretch(pid, from, length)?;
            if let Some(entry) = entries.iter().find(|e| e.action.kind.consumed() == Some(tag)) {
                return Ok(Some((pid, entry.number)));
            }
        }
    }
    Ok(None)
}

/// The writes of these versions or later ones, of actions that have not been done: what a write beyond the logs takes the place of. `all`: also those
/// that commute with other writes.
///
/// # Errors
/// If the trace is damaged.
pub fn later_writes(
    history: &History,
    done: &Cut,
    versions: &[(Resource, u64)],
    all: bool,
) -> Result<Vec<(Pid, u64)>, Error> {
    let mut found = Vec::new();
    for pid in history.processes()? {
        let from = done.get(&pid).copied().unwrap_or(0);
        let length = history.length(pid)?.unwrap_or(0);
        if from >= length {
            continue;
        }
        let conflicts = |action: &log_format::Action| {
            accesses(pid, action).any(|access| {
                access.write
                    && (all || !writes_commute(access.resource))
                    && versions
                        .iter()
                        .any(|(resource, version)| access.resource == *resource && access.version.0 >= *version)
            })
        };
        // The first of a process is enough: the rest follows it.
        let entries = history.stretch(pid, from, length)?;
        found.extend(entries.iter().find(|e| conflicts(&e.action)).map(|e| (pid, e.number)));
    }
    Ok(found)
}
