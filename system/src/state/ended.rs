//! What was lost with the end of a process.

use std::collections::BTreeMap;

use interpreter::term::{Pid, Reference};

use crate::state::rare::Watcher;
use crate::state::reached::Reached;

/// What was lost with the end of a process, kept so that the end can be undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndedState {
    pub(crate) reached: Reached,
    pub(crate) links: Vec<Pid>,
    pub(crate) watchers: BTreeMap<Reference, Watcher>,
    /// Were signals to it lost, with it or because they came later?
    pub(crate) lost: bool,
}
