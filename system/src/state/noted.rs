//! What test runners have noted.

/// How many tests of a run began, and how many failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tests {
    /// Began.
    pub began: u64,
    /// Failed; a failed setup or generator counts too.
    pub failed: u64,
}
