//! Recursion over source trees of any depth: the host stack grows on demand.

/// Minimum stack left for a recursive step to run on the current segment.
const RED_ZONE: usize = 128 * 1024;
/// Size of a new segment.
const SEGMENT: usize = 4 * 1024 * 1024;

/// Runs one recursive step with enough host stack, on a new segment when the current one is nearly full.
///
/// Every function that recurses over the tree calls this once a level, so that a source with 10,000 nested calls cannot overflow.
pub fn with_stack<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, step)
}
