//! The natives of the system layer, each with its class (semantics.md §1, closing rule). They are the rows of the tables of operations.

use interpreter::native::Native;

/// The table that is passed to the interpreter.
pub const NATIVES: &[Native] = &crate::ops::NATIVES;
