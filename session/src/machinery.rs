//! The actions of a run that belong to Elixir's machinery: data only, see `of_elixir`.

use log_format::ActionId;
use rustc_hash::FxHashSet;

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

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}
