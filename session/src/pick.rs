//! Which actions of a slice are shown: all of a small one; of a large one those that lead to the target, found by walking back from it.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::{Action, ActionId, ActionNo, Cut, Kind, Pid, Result, Trace};
use rustc_hash::FxHashMap;

/// So many actions are shown of a slice that is larger.
pub const SHOWN: u64 = 40;
/// So many actions of a process before a shown one are looked at.
const WINDOW: u64 = 64;
/// So many actions of the process of the target are shown, at most.
const OWN: usize = 10;
/// So many actions of another process are shown for each message that led to the target.
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

/// Picks from a slice whose last action is `target`.
///
/// # Errors
/// If the trace is damaged where it looks.
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
    // Breadth first: what is near to the target comes before what is far.
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
    /// Causes still to be walked to.
    queue: Vec<ActionId>,
}

impl Walk<'_> {
    /// Chooses an action with the last few before it, and puts what these needed from others into the queue.
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
            // The last action of the process that depends on another one is what explains it, however far back.
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
