//! The →-future over all that the logs of a session hold, done or not: what must be dropped when a process leaves its log (semantics.md §9).
//!
//! [`causality::conflict_future`] answers the same for a trace alone; this one also knows what was done beyond it. It reads all logs.

use causality::{accesses, writes_commute};
use log_format::{Error, Kind, Pid, Resource, SendNo, Tag};
use rustc_hash::FxHashMap;

use super::history::History;

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
    let all = Dependants::scan(history)?;
    let mut first: FxHashMap<Pid, u64> = FxHashMap::default();
    let mut next: Vec<(Pid, u64)> = targets.into_iter().collect();
    while let Some((pid, n)) = next.pop() {
        let before = first.get(&pid).copied().unwrap_or(u64::MAX);
        if n >= before || n > history.length(pid)?.unwrap_or(0) {
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

/// The writes of these versions or later ones, of actions that have not been done: what a write beyond the logs takes the place of.
///
/// # Errors
/// If the trace is damaged.
pub fn later_writes(
    history: &History,
    done: &super::undo::Cut,
    written: &[(Resource, u64)],
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
                    && !writes_commute(access.resource)
                    && written
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
