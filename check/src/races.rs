//! Races of the recorded run: two uses of one resource by two processes, at least one of them a write, that could have come in the other order.

use log_format::{Action, ActionId, Cut, LogStep, Pid, Resource, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::choices::{Choices, StepKind};
use crate::drive::Divergence;
use crate::kin::Id;
use session::error::Error;
use session::shared::{SeenNames, SharedUse};

/// Limit: pairs of uses that are examined; each needs a walk over its causes.
const LOOKED_AT: usize = 64;
/// Limit: uses without a counterpart that are shown.
const TOLD: usize = 4;

/// A use of a shared resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RaceUse {
    pid: Pid,
    number: u64,
    version: u64,
    write: bool,
}

impl RaceUse {
    const fn action(&self) -> ActionId {
        ActionId::new(self.pid, self.number)
    }
}

/// Resources whose contents a program bases decisions on: holders of names, and data.
const fn decides(resource: Resource) -> bool {
    resource.has_key() || matches!(resource, Resource::Name(_))
}

/// The uses among these actions that raced with another one.
fn racing(trace: &Trace, slice: &Cut) -> Result<Vec<ActionId>, Error> {
    let mut uses: FxHashMap<Resource, Vec<RaceUse>> = FxHashMap::default();
    for ActionId { pid, number: last } in slice.iter() {
        let mut log = trace.log(pid)?.without_values();
        while log.counts().actions < last.0 {
            let left = last.0 - log.counts().actions;
            let Some(step) = log.step(left)? else { break };
            let LogStep::Action(action) = step else { continue };
            let all: Vec<RaceUse> = uses_of(action)
                .map(|(_, version, write)| RaceUse {
                    pid,
                    number: 0,
                    version,
                    write,
                })
                .collect();
            let resources: Vec<Resource> = uses_of(action).map(|(resource, ..)| resource).collect();
            let number = log.counts().actions;
            for (resource, one) in resources.into_iter().zip(all) {
                uses.entry(resource).or_default().push(RaceUse { number, ..one });
            }
        }
    }
    let mut pairs: Vec<(RaceUse, RaceUse)> = Vec::new();
    for list in uses.values_mut() {
        list.sort_unstable_by_key(|one| (one.version, !one.write, one.number));
        for (i, one) in list.iter().enumerate() {
            // The next use by another process: the write that a read missed, or that overwrote a write. A read of a write depends on it and
            // does not race, though both are in conflict (`causality::uses_conflict`).
            let next = list[i + 1..].iter().find(|other| other.pid != one.pid && other.write);
            pairs.extend(next.map(|next| (*one, *next)));
        }
    }
    // The last ones are nearest to the failure.
    pairs.sort_unstable_by_key(|(one, other)| (u64::MAX - one.version, other.number));
    let mut found = Vec::new();
    for (one, other) in pairs.into_iter().take(LOOKED_AT) {
        let past = causality::causes(trace, other.action())?;
        if !past.contains(one.action()) {
            found.extend([one.action(), other.action()]);
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn uses_of(action: &Action) -> impl Iterator<Item = (Resource, u64, bool)> + '_ {
    let fitting = action.accesses.iter().filter(|access| decides(access.resource));
    fitting.map(|access| (access.resource, access.version.0, access.write))
}

/// The racing steps among the causes of a failure that their process does not make now.
///
/// # Errors
/// If the trace is damaged.
pub fn without_counterpart(
    trace: &Trace,
    slice: &Cut,
    choices: &Choices,
    done: &FxHashSet<(Id, usize)>,
    ids: &FxHashMap<Pid, Id>,
) -> Result<Vec<ActionId>, Error> {
    let mut lost = Vec::new();
    for action in racing(trace, slice)? {
        let Some(id) = ids.get(&action.pid) else { continue };
        let list = choices.get(id).map_or(&[][..], Vec::as_slice);
        let at = list
            .iter()
            .position(|choice| choice.action == action.number.0 && matches!(choice.what, StepKind::Do(_)));
        if at.is_some_and(|at| !done.contains(&(*id, at))) {
            lost.push(action);
        }
    }
    Ok(lost)
}

/// As [`without_counterpart`], in words.
///
/// # Errors
/// If the trace is damaged.
pub fn divergences(trace: &Trace, lost: &[ActionId]) -> Result<Vec<Divergence>, Error> {
    let mut told = Vec::new();
    for id in lost.iter().take(TOLD) {
        let action = trace.action(id.pid, id.number)?;
        let deciding = action.accesses.iter().filter(|access| decides(access.resource));
        let uses: Vec<SharedUse> = deciding
            .map(|access| SharedUse::of(trace, access, SeenNames::default()))
            .collect();
        told.push(Divergence {
            pid: id.pid.to_string(),
            name: String::new(),
            recorded: id.to_string(),
            place: String::new(),
            expected: session::shared::joined(&uses),
            message: None,
            found: "it no longer does that; another process may".to_owned(),
            withheld: Vec::new(),
        });
    }
    Ok(told)
}
