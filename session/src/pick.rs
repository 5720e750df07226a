//! Which actions of a slice are shown: of a small one all that say something; of a large one those that lead to the target, found by walking back
//! from it. What is only bookkeeping (who watches whom, names that are found, clocks) is a cause, too, but decides nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::{Access, Action, ActionId, ActionNo, Cut, InputClass, Kind, Pid, Resource, Result, Trace};
use rustc_hash::FxHashMap;

/// How many actions of a larger slice are shown.
pub const SHOWN: u64 = 40;
/// How many actions of a process before a shown one are examined.
const WINDOW: u64 = 64;
/// Limit: shown actions of the target's own process.
const OWN: usize = 10;
/// Limit: shown actions of another process for each message that led to the target.
const OTHER: usize = 3;

/// Actions by process, ascending.
pub type Picked = FxHashMap<Pid, Arc<[u64]>>;

/// Everything in the slice.
#[must_use]
pub fn all(upto: &Cut) -> Picked {
    upto.iter()
        .map(|last| (last.pid, (1..=last.number.0).collect::<Vec<u64>>().into()))
        .collect()
}

/// Is an action only bookkeeping: of the clock, of names that are there, of who watches whom? What it says decides nothing that a person asks for.
#[must_use]
pub fn is_bookkeeping(trace: &Trace, action: &Action) -> bool {
    let used = || action.accesses.iter().all(|access| is_routine(trace, access));
    match &action.kind {
        Kind::Drop { tag: None, .. } | Kind::Observe { of: None, .. } => true,
        Kind::Input { value } => InputClass::split(value).is_some_and(|(class, _)| {
            matches!(
                class,
                InputClass::Clock | InputClass::Random | InputClass::Unique | InputClass::System
            )
        }),
        Kind::Access => !action.accesses.is_empty() && used(),
        _ => false,
    }
}

/// Does an access only find, or make, that a name is held and that a process is alive?
fn is_routine(trace: &Trace, access: &Access) -> bool {
    match access.resource {
        Resource::Name(_) => access.version.0 % 2 == 1,
        Resource::Alive(pid) => access.by.is_none_or(|by| {
            let process = trace.process(pid);
            by.pid != pid || !process.is_ok_and(|process| process.ended && process.counts.last_action() == by.number)
        }),
        _ => false,
    }
}

/// All of a slice but what is bookkeeping.
fn telling(trace: &Trace, upto: &Cut, target: ActionId) -> Result<Picked> {
    let mut picked = Picked::default();
    for last in upto.iter() {
        let mut list = Vec::new();
        for item in trace.log(last.pid)? {
            let (number, action) = item?;
            if number > last.number {
                break;
            }
            if ActionId::new(last.pid, number.0) == target || !is_bookkeeping(trace, &action) {
                list.push(number.0);
            }
        }
        if !list.is_empty() {
            picked.insert(last.pid, list.into());
        }
    }
    Ok(picked)
}

/// Picks from a slice whose last action is `target`.
///
/// # Errors
/// If the trace is damaged where it is read.
pub fn pick(trace: &Trace, upto: &Cut, target: ActionId) -> Result<Picked> {
    if upto.actions() <= SHOWN {
        return telling(trace, upto, target);
    }
    walked(trace, upto, target, SHOWN as usize)
}

/// As [`pick`], with another limit: all that says something if there are no more of these; else the nearest causes.
///
/// # Errors
/// If the trace is damaged where it is read.
pub fn pick_at_most(trace: &Trace, upto: &Cut, target: ActionId, limit: usize) -> Result<Picked> {
    // Of a much longer slice, not everything is read.
    const READ: u64 = 50;
    if upto.actions() <= READ.saturating_mul(limit as u64) {
        let all = telling(trace, upto, target)?;
        if length(&all) <= limit {
            return Ok(all);
        }
        let walked = walked(trace, upto, target, limit)?;
        // The walk looks at a few actions of each process only. A large limit has room for more: the last ones of each.
        return Ok(match length(&walked) < limit / 4 {
            true => filled(walked, &all, limit),
            false => walked,
        });
    }
    walked(trace, upto, target, limit)
}

fn length(picked: &Picked) -> usize {
    picked.values().map(|list| list.len()).sum()
}

/// These actions, and as many of the others as there is room for: the last ones of each process, in turns.
fn filled(picked: Picked, all: &Picked, limit: usize) -> Picked {
    let mut lists: Vec<(Pid, Vec<u64>)> = all.iter().map(|(pid, list)| (*pid, list.to_vec())).collect();
    lists.sort_unstable_by_key(|(pid, _)| *pid);
    let mut chosen: BTreeSet<ActionId> = BTreeSet::new();
    for (pid, list) in &picked {
        chosen.extend(list.iter().map(|number| ActionId::new(*pid, *number)));
    }
    while chosen.len() < limit && lists.iter().any(|(_, list)| !list.is_empty()) {
        for (pid, list) in &mut lists {
            if chosen.len() < limit {
                chosen.extend(list.pop().map(|number| ActionId::new(*pid, number)));
            }
        }
    }
    by_process(chosen)
}

fn by_process(chosen: impl IntoIterator<Item = ActionId>) -> Picked {
    let mut by_pid: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for one in chosen {
        by_pid.entry(one.pid).or_default().push(one.number.0);
    }
    by_pid.into_iter().map(|(pid, list)| (pid, list.into())).collect()
}

fn walked(trace: &Trace, upto: &Cut, target: ActionId, limit: usize) -> Result<Picked> {
    let inside = |one: &ActionId| one.number.0 <= upto.get(one.pid);
    let mut walk = PickWalk {
        trace,
        chosen: BTreeSet::new(),
        queue: Vec::new(),
    };
    walk.process(target, OWN)?;
    // Breadth first: near causes come before far ones.
    let mut at = 0;
    while at < walk.queue.len() && walk.chosen.len() < limit {
        let next = walk.queue[at];
        at += 1;
        walk.process(next, OTHER)?;
    }
    Ok(by_process(walk.chosen.into_iter().filter(inside)))
}

struct PickWalk<'t> {
    trace: &'t Trace,
    chosen: BTreeSet<ActionId>,
    /// Causes that the walk has still to visit.
    queue: Vec<ActionId>,
}

impl PickWalk<'_> {
    /// Picks an action and the last few before it, and queues the actions of other processes that these need.
    fn process(
        &mut self,
        ActionId {
            pid,
            number: ActionNo(n),
        }: ActionId,
        own: usize,
    ) -> Result<()> {
        if n == 0 {
            return self.birth(pid);
        }
        let first = n.saturating_sub(WINDOW - 1).max(1);
        let mut log = self.trace.log(pid)?;
        log.seek(ActionNo(first))?;
        let mut recent: Vec<(u64, Action)> = Vec::new();
        for item in log {
            let (number, action) = item?;
            if number.0 == n || !is_bookkeeping(self.trace, &action) {
                recent.push((number.0, action));
            }
            if number.0 >= n {
                break;
            }
        }
        let mut others = 0;
        for (i, (number, action)) in recent.iter().rev().enumerate() {
            if i >= own && others > 0 {
                break;
            }
            let causes = self.causes(action)?;
            // The process's last action that depends on another process explains it, however far back it is.
            let explains = !causes.is_empty() && others == 0;
            if i >= own && !explains {
                continue;
            }
            if !self.chosen.insert(ActionId::new(pid, *number)) {
                break;
            }
            others += usize::from(!causes.is_empty());
            self.queue.extend(causes);
        }
        if first == 1 && others == 0 {
            self.birth(pid)
        } else {
            Ok(())
        }
    }

    /// The spawn of a process is the cause of its first action.
    fn birth(&mut self, pid: Pid) -> Result<()> {
        self.queue.extend(self.trace.process(pid)?.parent);
        Ok(())
    }

    fn causes(&self, action: &Action) -> Result<Vec<ActionId>> {
        let mut out = Vec::new();
        if let Some(tag) = action.kind.consumed() {
            out.extend(self.trace.find_send(tag)?);
        }
        if let Kind::Observe { of: Some(observed), .. } = &action.kind {
            out.push(*observed);
        }
        out.extend(action.accesses.iter().filter_map(|access| access.by));
        Ok(out)
    }
}
