//! What a diagnosis is about.

use log_format::{ActionId, Pid};
use session::machinery::Machinery;

use super::run::{Does, Run};
use crate::story::{GaveUp, Overtaken, Unseen};
use crate::tell::Told;

/// What the story has found already.
pub(crate) struct Findings<'a> {
    pub(crate) told: &'a Told,
    pub(crate) unseen: &'a [Unseen],
    pub(crate) gave_up: &'a [GaveUp],
    pub(crate) overtaken: &'a [Overtaken],
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
    /// The receives of the first steps of the story, and those of the process that failed, the last first. Those of Elixir's own talk are left out.
    pub(super) fn receives(&self, run: &Run<'_>) -> Vec<ActionId> {
        const OF_STORY: usize = 6;
        const OWN: usize = 12;
        let told = self.known.told.receives.iter().take(OF_STORY);
        let mut list: Vec<ActionId> = told.map(|(pid, taken)| ActionId::new(*pid, taken.number)).collect();
        let own = run.steps(self.pid).iter().rev();
        let own = own.filter(|step| matches!(step.does, Does::Got(..))).take(OWN);
        list.extend(own.map(|step| ActionId::new(self.pid, step.number)));
        list.dedup();
        list.retain(|got| !self.machinery.has(*got));
        list
    }
}
