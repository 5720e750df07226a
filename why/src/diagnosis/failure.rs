//! What a diagnosis is about.

use log_format::{Access, ActionId, Pid};
use rustc_hash::FxHashSet;
use session::machinery::Machinery;
use session::value::Value;

use super::run::{Does, Run};
use crate::story::{GaveUp, Overtaken, Unseen};
use crate::tell::Told;

/// What the story has found already.
pub(crate) struct Findings<'a> {
    pub(crate) told: &'a Told,
    pub(crate) unseen: &'a [Unseen],
    pub(crate) gave_up: &'a [GaveUp],
    pub(crate) overtaken: &'a [Overtaken],
    /// The read of a whole table, and the key of it that the failure names.
    pub(crate) key: Option<(ActionId, Access)>,
}

/// What a diagnosis is about.
pub(crate) struct Failure<'a> {
    /// The process that failed, or that waits for ever.
    pub(crate) pid: Pid,
    /// Its last action; what it waits for comes after that.
    pub(crate) action: ActionId,
    /// Does it wait?
    pub(crate) waits: bool,
    pub(crate) known: Findings<'a>,
    /// What Elixir itself did.
    pub(crate) machinery: &'a Machinery,
}

impl Failure<'_> {
    /// The receives of the first steps of the story, and those of the process that failed, the last first, and of an earlier one with what its reason
    /// holds. Those of Elixir's own talk are left out.
    pub(super) fn receives(&self, run: &Run<'_>) -> Vec<ActionId> {
        const OF_STORY: usize = 6;
        const OWN: usize = 12;
        let told = self.known.told.receives.iter().take(OF_STORY);
        let mut list: Vec<ActionId> = told.map(|(pid, taken)| ActionId::new(*pid, taken.number)).collect();
        let own = run.steps(self.pid).iter().rev();
        let own = own.filter(|step| matches!(step.does, Does::Got(..))).take(OWN);
        list.extend(own.map(|step| ActionId::new(self.pid, step.number)));
        list.extend(self.telling(run));
        let mut known = FxHashSet::default();
        list.retain(|got| known.insert(*got));
        list.retain(|got| !self.machinery.has(*got));
        list
    }

    /// The last receive of a message with something that the reason of the failure holds: a tuple, a list or a map.
    fn telling(&self, run: &Run<'_>) -> Option<ActionId> {
        let reason = run.value(self.action)?;
        let mut parts: Vec<&Value> = Vec::new();
        reason.each(&mut |part| {
            let is_telling = part.inside().nth(1).is_some() && part != reason;
            if is_telling {
                parts.push(part);
            }
        });
        let own = run.steps(self.pid).iter().rev();
        let own = own.filter(|step| matches!(step.does, Does::Got(..)));
        let mut own = own.map(|step| ActionId::new(self.pid, step.number));
        own.find(|got| {
            let message = run.value(*got);
            message.is_some_and(|message| parts.iter().any(|part| message.holds(part)))
        })
    }
}
