//! What test runners have noted.

/// What is noted of the tests of a run: how many began, and how many failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tests {
    /// Began.
    pub began: u64,
    /// Failed; a failed setup or generator counts too.
    pub failed: u64,
    /// A runner is about to choose the order of its tests, and has run none.
    pub are_prepared: bool,
    /// Is their order drawn? Otherwise it is that of the runner.
    pub is_order_drawn: bool,
}
