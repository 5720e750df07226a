//! The natives of the system layer, each with its class (semantics.md §1, closing rule). They are the rows of the tables of operations.

use interpreter::native::Native;
use interpreter::vm::Program;
use syntax::Release;

/// The table that is passed to the interpreter.
pub const NATIVES: &[Native] = &crate::ops::NATIVES;

/// An empty program of a release of OTP, with all natives that this has.
#[must_use]
pub fn program(release: Release) -> Program {
    Program::new(&[NATIVES]).of_release(release)
}
