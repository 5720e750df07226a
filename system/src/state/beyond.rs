//! A system beyond the logs of its processes.

use std::sync::Arc;

use log_format::Tag;
use rustc_hash::FxHashSet;

use super::plan::Births;

/// The state of a system beyond the logs of its processes.
#[derive(Clone, Debug)]
pub(crate) struct Beyond {
    pub(crate) seed: u64,
    /// Pids up to this one belong to the recording.
    pub(crate) last_recorded: u64,
    /// Processes that have the numbers of recorded ones.
    pub(crate) births: Option<Arc<Births>>,
    /// Signals that have arrived at a process although no later one of their senders was consumed: the next step can see that.
    pub(crate) arrived: FxHashSet<(log_format::Pid, Tag)>,
    /// Do processes stand before they begin to trap exits, or cease to?
    pub(crate) stands_at_traps: bool,
    /// Is a call of a module an action only if the process sees another version of it, as in a recorded run?
    pub(crate) passes_over_seen: bool,
    /// Do additions to a counter share a version, as when recorded, because no log can still read the version before?
    pub(crate) joins_sums: bool,
}
