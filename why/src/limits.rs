//! Limits of an answer that several modules keep to.

/// Searches that need a replay of their own are made only for runs of at most this many actions.
pub(crate) const SMALL: u64 = 1_000_000;
/// Limit: overtaken messages that are shown.
pub(crate) const OVERTAKEN: usize = 2;
/// Limit: receives of the story that are searched for other messages.
pub(crate) const RECEIVES: usize = 12;
