//! The →-future over all logs of a session, done or not: what must be dropped when a process leaves its log (semantics.md §9).
//!
//! [`causality::conflict_future`] is the counterpart for a trace alone; this module also knows what was done beyond the trace. It reads all logs.

use std::cell::Cell;

use causality::{accesses, uses_conflict};
use log_format::{ActionId, ActionNo, Cut, Error, Kind, Pid, Resource, SendNo, Tag};
use rustc_hash::FxHashMap;

use super::history::History;
use super::suffixes::Suffixes;

/// What an action needs of another process.
#[derive(Clone, Copy)]
enum FutureNeed {
    Action(u64),
    Sent(u64),
    End,
}

/// What is needed of a process, and by which action. invariant: each list is sorted once all logs have been read.
#[derive(Default)]
struct Needed {
    actions: Vec<(u64, ActionId)>,
    sends: Vec<(u64, ActionId)>,
    ends: Vec<ActionId>,
}

/// The uses of a resource, by version. invariant: as [`Needed`].
#[derive(Default)]
struct Uses {
    reads: Vec<(u64, ActionId)>,
    writes: Vec<(u64, ActionId)>,
}

/// The actions of all logs, by what depends on them.
#[derive(Default)]
struct Dependants {
    /// By process.
    of: FxHashMap<Pid, Needed>,
    uses: FxHashMap<Resource, Uses>,
    /// For each process, the resources that each of its actions uses.
    used: FxHashMap<Pid, Vec<(u64, Resource, u64, bool)>>,
    logs: FxHashMap<Pid, ReadLog>,
}

/// What was read of the log of a process.
struct ReadLog {
    /// It was read from here on.
    from: u64,
    length: u64,
    /// How many signals the process had sent after each action that was read.
    sends: Vec<u64>,
}

impl ReadLog {
    /// How many signals the process had sent before this action; `None`: that was not read.
    fn sends_before(&self, n: u64) -> Option<u64> {
        let at = usize::try_from(n.checked_sub(self.from + 2)?).ok()?;
        self.sends.get(at).copied()
    }
}

impl Dependants {
    fn scan(history: &History) -> Result<Self, Error> {
        Self::scan_from(history, &Cut::default())
    }

    /// Of the actions that are not in this cut.
    fn scan_from(history: &History, from: &Cut) -> Result<Self, Error> {
        let mut all = Self::default();
        for pid in history.processes()? {
            let length = history.length(pid)?.unwrap_or(0);
            let from = from.get(pid);
            if length > 0
                && from == 0
                && let Some(spawn) = history.parent(pid)?
            {
                all.needs((spawn.pid, FutureNeed::Action(spawn.number.0)), ActionId::new(pid, 1));
            }
            let mut sends = Vec::new();
            for entry in history.stretch(pid, from, length)? {
                sends.push(entry.sends);
                let me = ActionId::new(pid, entry.number);
                if let Some(tag) = entry.action.kind.consumed() {
                    match tag {
                        Tag::Sent { by, k: SendNo(k) } => all.needs((by, FutureNeed::Sent(k)), me),
                        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                            all.needs((by, FutureNeed::End), me);
                        }
                        Tag::Limit { .. } => {}
                    }
                }
                if let Kind::Drop { tag: None, value } = &entry.action.kind
                    && let Some(Tag::Sent { by, k: SendNo(k) }) = system::dropped_after(value)
                {
                    all.needs((by, FutureNeed::Sent(k)), me);
                }
                if let Kind::Observe {
                    of: Some(ActionId { pid: of, number: n }),
                    ..
                } = &entry.action.kind
                {
                    all.needs((*of, FutureNeed::Action(n.0)), me);
                    // Rule 7: the next action of the observed process comes after.
                    all.needs((pid, FutureNeed::Action(entry.number)), ActionId::new(*of, n.0 + 1));
                }
                for access in accesses(pid, &entry.action) {
                    if let Some(ActionId { pid: by, number: n }) = access.by {
                        all.needs((by, FutureNeed::Action(n.0)), me);
                    }
                    let uses = all.uses.entry(access.resource).or_default();
                    let list = if access.write {
                        &mut uses.writes
                    } else {
                        &mut uses.reads
                    };
                    list.push((access.version.0, me));
                    let mine = (entry.number, access.resource, access.version.0, access.write);
                    all.used.entry(pid).or_default().push(mine);
                }
            }
            all.logs.insert(pid, ReadLog { from, length, sends });
        }
        for needed in all.of.values_mut() {
            needed.actions.sort_unstable();
            needed.sends.sort_unstable();
        }
        for uses in all.uses.values_mut() {
            uses.reads.sort_unstable();
            uses.writes.sort_unstable();
        }
        Ok(all)
    }

    /// The last version of each resource that a done action wrote.
    fn last_written(&self, is_done: impl Fn(ActionId) -> bool) -> FxHashMap<Resource, u64> {
        let last = |uses: &Uses| {
            let done = uses.writes.iter().rev().find(|(_, who)| is_done(*who));
            done.map(|(version, _)| *version)
        };
        let all = self.uses.iter();
        all.filter_map(|(resource, uses)| Some((*resource, last(uses)?)))
            .collect()
    }

    /// Has an action been done that must come right after this one because it changes what this one saw? Only `→` orders these. `written`: see
    /// [`Dependants::last_written`].
    fn is_changed(
        &self,
        ActionId {
            pid,
            number: ActionNo(n),
        }: ActionId,
        is_done: impl Fn(ActionId) -> bool,
        written: &FxHashMap<Resource, u64>,
    ) -> bool {
        // Actions that observed the process before its next action.
        let needed = self.of.get(&pid).map_or(&[][..], |needed| needed.actions.as_slice());
        let from = needed.partition_point(|(m, _)| *m < n);
        if needed[from..]
            .iter()
            .take_while(|(m, _)| *m == n)
            .any(|(_, who)| is_done(*who))
        {
            return true;
        }
        let used = self.used.get(&pid).map_or(&[][..], Vec::as_slice);
        let from = used.partition_point(|(number, ..)| *number < n);
        used[from..]
            .iter()
            .take_while(|(number, ..)| *number == n)
            .any(|(_, resource, version, write)| {
                let later = written.get(resource).is_some_and(|last| last > version);
                later && uses_conflict(*resource, *write, true)
            })
    }

    fn needs(&mut self, what: (Pid, FutureNeed), who: ActionId) {
        if what.0 != who.pid {
            let needed = self.of.entry(what.0).or_default();
            match what.1 {
                FutureNeed::Action(n) => needed.actions.push((n, who)),
                FutureNeed::Sent(k) => needed.sends.push((k, who)),
                FutureNeed::End => needed.ends.push(who),
            }
        }
    }
}

/// For each process, the first action of the →-future of these actions, themselves included.
///
/// # Errors
/// If the trace is damaged.
pub fn future(history: &History, targets: impl IntoIterator<Item = ActionId>) -> Result<Suffixes, Error> {
    reached(history, &Dependants::scan(history)?, targets, |_| true)
}

/// The →-futures of many actions of the same logs.
pub struct Futures<'h> {
    history: &'h History,
    all: Dependants,
    looked: Cell<u64>,
}

impl<'h> Futures<'h> {
    /// Those of these logs, which are read once.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of(history: &'h History) -> Result<Self, Error> {
        Self::since(history, &Cut::default())
    }

    /// As [`Futures::of`], of actions that are not in this cut. It is closed: what is in it does not depend on anything else.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn since(history: &'h History, cut: &Cut) -> Result<Self, Error> {
        /// To read an action is as much work as to look at so many.
        const SCANNED: u64 = 8;
        let all = Dependants::scan_from(history, cut)?;
        let scanned = all.logs.values().map(|log| log.sends.len() as u64).sum::<u64>();
        Ok(Self {
            history,
            looked: Cell::new(SCANNED * scanned),
            all,
        })
    }

    /// As [`future`].
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn after(&self, action: ActionId) -> Result<Suffixes, Error> {
        self.after_all([action])
    }

    /// As [`future`].
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn after_all(&self, actions: impl IntoIterator<Item = ActionId>) -> Result<Suffixes, Error> {
        let passable = |_| {
            self.looked.set(self.looked.get() + 1);
            true
        };
        reached(self.history, &self.all, actions, passable)
    }

    /// The work since this was asked last: how many actions were looked at.
    pub fn take_looked(&self) -> u64 {
        self.looked.take()
    }
}

/// As [`future`], without actions that are reached only through actions that are not `passable`.
fn reached(
    history: &History,
    all: &Dependants,
    targets: impl IntoIterator<Item = ActionId>,
    passable: impl Fn(ActionId) -> bool,
) -> Result<Suffixes, Error> {
    let mut first = Suffixes::default();
    // How many of each list have not been examined: from the end, so each is examined once.
    let mut left: FxHashMap<Pid, (usize, usize, usize)> = FxHashMap::default();
    let mut left_of: FxHashMap<Resource, (usize, usize)> = FxHashMap::default();
    let mut next: Vec<ActionId> = targets.into_iter().collect();
    while let Some(one) = next.pop() {
        let ActionId {
            pid,
            number: ActionNo(n),
        } = one;
        let before = first.first(pid).map_or(u64::MAX, |first| first.0);
        let log = all.logs.get(&pid);
        if !passable(one) || n >= before || n > log.map_or(0, |log| log.length) {
            continue;
        }
        first.add(one);
        if let Some(needed) = all.of.get(&pid) {
            let (actions, sends, ends) =
                left.entry(pid)
                    .or_insert((needed.actions.len(), needed.sends.len(), needed.ends.len()));
            // The birth belongs to the spawning action.
            pop_while(&needed.actions, actions, |m| m >= n, &mut next);
            if *sends > 0 {
                let kept = match log.and_then(|log| log.sends_before(n)) {
                    Some(kept) => kept,
                    None => history.sends(pid, n - 1)?,
                };
                pop_while(&needed.sends, sends, |k| k > kept, &mut next);
            }
            next.extend(&needed.ends[..std::mem::take(ends)]);
        }
        let used = all.used.get(&pid).map_or(&[][..], Vec::as_slice);
        let from = used.partition_point(|(number, ..)| *number < n);
        for (number, resource, version, write) in &used[from..] {
            if *number >= before {
                break;
            }
            let Some(uses) = all.uses.get(resource) else { continue };
            let (reads, writes) = left_of
                .entry(*resource)
                .or_insert((uses.reads.len(), uses.writes.len()));
            if uses_conflict(*resource, *write, false) {
                pop_while(&uses.reads, reads, |other| other >= *version, &mut next);
            }
            if uses_conflict(*resource, *write, true) {
                pop_while(&uses.writes, writes, |other| other > *version, &mut next);
            }
        }
    }
    Ok(first)
}

/// Pops entries whose key satisfies `is_lost` off the end of the remaining list.
fn pop_while(list: &[(u64, ActionId)], left: &mut usize, is_lost: impl Fn(u64) -> bool, next: &mut Vec<ActionId>) {
    while let Some((at, who)) = left.checked_sub(1).map(|last| list[last])
        && is_lost(at)
    {
        next.push(who);
        *left -= 1;
    }
}

/// Logged actions that have not been done and would have to come both before and after the last done action: that action saw a state which they
/// (or actions that they come after) change, and they see a state changed by something that it comes after. The undone part of their →-future
/// is included.
///
/// # Errors
/// If the trace is damaged.
pub fn overtaken(history: &History, done: &Cut, last: ActionId) -> Result<Suffixes, Error> {
    let action = history.action(last.pid, last.number.0)?;
    let changes = changes_of(history, done, last.pid, &action)?;
    let mut dropped = Suffixes::default();
    if changes.is_empty() {
        return Ok(dropped);
    }
    let all = Dependants::scan(history)?;
    let is_done = |one: ActionId| one.number.0.max(1) <= done.get(one.pid);
    let comes_before = |one| Ok::<_, Error>(reached(history, &all, [one], |_| true)?.first(last.pid).is_some());
    // Actions that come after it by way of actions that have not been done.
    let after = reached(history, &all, changes, |one| !is_done(one))?;
    let written = all.last_written(is_done);
    for ActionId { pid, number: first } in after.starts() {
        for n in first.0..=history.length(pid)?.unwrap_or(0) {
            let one = ActionId::new(pid, n);
            if all.is_changed(one, is_done, &written) && comes_before(one)? {
                dropped.add(one);
                break;
            }
        }
    }
    reached(history, &all, dropped.starts(), |one| !is_done(one))
}

/// Actions that have not been done and change what this action saw: the next version, or the next action of an observed process.
fn changes_of(history: &History, done: &Cut, of: Pid, action: &log_format::Action) -> Result<Vec<ActionId>, Error> {
    let mut found = Vec::new();
    if let Kind::Observe {
        of: Some(ActionId { pid, number: n }),
        ..
    } = &action.kind
        && history.length(*pid)?.is_some_and(|length| length > n.0)
    {
        found.push(ActionId::new(*pid, n.0 + 1));
    }
    let reads = accesses(of, action).filter(|access| !access.write);
    let read: Vec<(Resource, u64)> = reads.map(|access| (access.resource, access.version.0 + 1)).collect();
    if !read.is_empty() {
        found.extend(later_writes(history, done, &read, false)?);
    }
    Ok(found)
}

/// The logged action, not done yet, that receives or cancels a timer's message: either takes the place of the other (rule 8).
///
/// # Errors
/// If the trace is damaged.
pub fn consumer(history: &History, done: &Cut, tag: Tag) -> Result<Option<ActionId>, Error> {
    for pid in history.processes()? {
        let from = done.get(pid);
        let length = history.length(pid)?.unwrap_or(0);
        if from < length {
            let entries = history.stretch(pid, from, length)?;
            if let Some(entry) = entries.iter().find(|e| e.action.kind.consumed() == Some(tag)) {
                return Ok(Some(ActionId::new(pid, entry.number)));
            }
        }
    }
    Ok(None)
}

/// Writes of these versions or later ones by actions that have not been done, in conflict with a use beyond the logs, which comes before them.
/// `writes`: does that write? Then it takes their place.
///
/// # Errors
/// If the trace is damaged.
pub fn later_writes(
    history: &History,
    done: &Cut,
    versions: &[(Resource, u64)],
    writes: bool,
) -> Result<Vec<ActionId>, Error> {
    let mut found = Vec::new();
    for pid in history.processes()? {
        let from = done.get(pid);
        let length = history.length(pid)?.unwrap_or(0);
        if from >= length {
            continue;
        }
        let conflicts = |action: &log_format::Action| {
            accesses(pid, action).any(|access| {
                access.write
                    && uses_conflict(access.resource, writes, true)
                    && versions
                        .iter()
                        .any(|(resource, version)| access.resource == *resource && access.version.0 >= *version)
            })
        };
        // The first one of a process is enough: the rest follows it.
        let entries = history.stretch(pid, from, length)?;
        let first = entries.iter().find(|e| conflicts(&e.action));
        found.extend(first.map(|e| ActionId::new(pid, e.number)));
    }
    Ok(found)
}
