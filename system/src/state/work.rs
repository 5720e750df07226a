//! What a run has done so far.

use crate::state::process::Process;

/// What the run has done so far, for `statistics/1`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunWork {
    /// From standard input.
    pub(crate) bytes_read: u64,
    /// To standard output and standard error.
    pub(crate) bytes_written: u64,
    /// Collections of processes that have ended, and the words that these gave back.
    pub(crate) collections: u64,
    pub(crate) reclaimed: u64,
}

impl RunWork {
    /// Adds the collections of a process.
    pub(crate) fn collected(&mut self, process: &Process) {
        self.collections += u64::from(process.machine.heap.collections());
        self.reclaimed += process.machine.heap.reclaimed() as u64;
    }
}
