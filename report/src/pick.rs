//! Which actions a page holds: all, if that is not too many; else the causes; else what is told and what came last before the failure.

use std::collections::BTreeMap;

use log_format::{ActionId, Cut, Pid, Trace};

/// A page holds about this many actions, unless another number is asked for.
pub const ACTIONS: u64 = 20_000;
/// So many actions around one that is told are held, too.
const AROUND: u64 = 8;

/// Numbers of actions by process, ascending.
pub type Picked = BTreeMap<Pid, Vec<u64>>;

/// What a page holds.
pub struct PageContents {
    /// The actions.
    pub picked: Picked,
    /// Does it hold the whole run?
    pub is_whole: bool,
    /// Does it hold all causes?
    pub has_causes: bool,
}

/// Chooses the actions of a page. `told`: actions that the words name.
///
/// # Errors
/// The trace is damaged.
pub fn choose(
    trace: &Trace,
    causes: &Cut,
    told: &[ActionId],
    most: u64,
    whole: bool,
) -> log_format::Result<PageContents> {
    let all = trace.totals().counts.actions;
    if whole && all <= most {
        return Ok(PageContents {
            picked: prefix(&Cut::whole(trace)?),
            is_whole: true,
            has_causes: true,
        });
    }
    if causes.actions() <= most {
        return Ok(PageContents {
            picked: prefix(causes),
            is_whole: causes.actions() == all,
            has_causes: true,
        });
    }
    let mut picked = Picked::default();
    for one in told {
        let last = causes.get(one.pid);
        let from = one.number.0.saturating_sub(AROUND).max(1);
        picked
            .entry(one.pid)
            .or_default()
            .extend(from..=(one.number.0 + AROUND).min(last));
    }
    tidy(&mut picked);
    let stretches = causality::causal_order(trace, causes)?.collect::<log_format::Result<Vec<_>>>()?;
    let mut left = most.saturating_sub(picked.values().map(|list| list.len() as u64).sum());
    for stretch in stretches.iter().rev() {
        if left == 0 {
            break;
        }
        let length = stretch.actions().min(left);
        let from = stretch.last.0 + 1 - length;
        picked.entry(stretch.pid).or_default().extend(from..=stretch.last.0);
        left -= length;
    }
    tidy(&mut picked);
    // What the story names may be all there is.
    let held: u64 = picked.values().map(|list| list.len() as u64).sum();
    let has_causes = held >= causes.actions();
    Ok(PageContents {
        picked,
        is_whole: has_causes && causes.actions() == all,
        has_causes,
    })
}

/// Each list ascending, without duplicates, and none empty.
fn tidy(picked: &mut Picked) {
    for list in picked.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    picked.retain(|_, list| !list.is_empty());
}

fn prefix(upto: &Cut) -> Picked {
    upto.iter()
        .map(|last| (last.pid, (1..=last.number.0).collect()))
        .collect()
}
