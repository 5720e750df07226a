//! Which actions of a slice are shown: all of a small slice; of a large one, those that lead to the target, found by walking back from it.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::{Action, ActionId, ActionNo, Cut, Kind, Pid, Result, Trace};
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

/// Picks the actions to show from a slice whose last action is `target`.
///
/// # Errors
/// If the trace is damaged where it is read.
pub fn pick(trace: &Trace, upto: &Cut, target: ActionId) -> Result<Picked> {
    if upto.actions() <= SHOWN {
        return Ok(all(upto));
    }
    let mut walk = Walk {
        trace,
        chosen: BTreeSet::new(),
        queue: Vec::new(),
    };
    walk.process(target, OWN)?;
    // Breadth first: near causes come before far ones.
    let mut at = 0;
    while at < walk.queue.len() && walk.chosen.len() < SHOWN as usize {
        let next = walk.queue[at];
        at += 1;
        walk.process(next, OTHER)?;
    }
    let mut by_pid: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for one in walk.chosen {
        by_pid.entry(one.pid).or_default().push(one.number.0);
    }
    Ok(by_pid.into_iter().map(|(pid, list)| (pid, list.into())).collect())
}

struct Walk<'t> {
    trace: &'t Trace,
    chosen: BTreeSet<ActionId>,
    /// Causes that the walk has still to visit.
    queue: Vec<ActionId>,
}

impl Walk<'_> {
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
            recent.push((number.0, action));
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
