//! A driven system: what is held back until its caller lets it happen.

use interpreter::term::Pid;
use log_format::Tag;
use rustc_hash::FxHashSet;

use crate::state::delivery::{Causality, Delivery};

/// The state of a driven system.
#[derive(Clone, Default)]
pub(crate) struct HeldBack {
    /// Signals that have arrived since the caller last asked.
    pub arrived: Vec<(Pid, Tag)>,
    /// The process that may pass its gate, once.
    pub(crate) permitted: Option<Pid>,
    /// The result of the next input or observation.
    pub(crate) given: Option<Vec<u8>>,
    /// A recorded value from outside was used that the simulated world does not have.
    pub took_outside: bool,
    /// A recorded value of a file was used that differs from what the program has written into it in this run.
    pub other_files: bool,
    /// The process that asked for an outside value which neither the caller nor the simulated world has.
    pub invented: Option<Pid>,
    /// The next node that is started cannot be reached.
    pub(crate) unreachable: bool,
    /// Processes that have run since the caller last asked.
    pub ran: FxHashSet<Pid>,
    /// What processes know of the signals of others.
    pub causality: Causality,
    pub delivery: Delivery,
}
