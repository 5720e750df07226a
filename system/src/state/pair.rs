//! The links between two processes that both make and break (see `pairs`).

use interpreter::term::Pid;

/// The links between two processes, once one of them was broken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    /// The newest call.
    pub(crate) version: u64,
    /// The process that made it.
    pub(crate) by: Option<Pid>,
    /// The last call of each of the two, the smaller pid first.
    pub(crate) own: [u64; 2],
    /// Replay: whether the process has called `unlink` after the other one ended. Then its side has no link any more, whatever the other one
    /// did before.
    pub(crate) closed: [bool; 2],
}
