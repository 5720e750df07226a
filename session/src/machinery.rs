//! The actions of a run that belong to Elixir's machinery: data only, see `of_elixir`.

use log_format::{ActionId, Cut, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

/// The actions of a run that belong to Elixir's machinery. Empty for a program without Elixir.
#[derive(Debug, Default)]
pub struct Machinery {
    actions: FxHashSet<ActionId>,
}

impl Machinery {
    pub(crate) const fn new(actions: FxHashSet<ActionId>) -> Self {
        Self { actions }
    }

    /// Does this action belong to it?
    #[must_use]
    pub fn has(&self, action: ActionId) -> bool {
        self.actions.contains(&action)
    }

    /// How many of these actions belong to it, and how many processes do nothing else there.
    #[must_use]
    pub fn within(&self, cut: &Cut) -> (u64, u64) {
        let mut of: FxHashMap<Pid, u64> = FxHashMap::default();
        for action in self.actions.iter().filter(|action| cut.contains(**action)) {
            *of.entry(action.pid).or_default() += 1;
        }
        let whole = of.iter().filter(|(pid, actions)| cut.get(**pid) == **actions).count();
        (of.values().sum(), whole as u64)
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}
