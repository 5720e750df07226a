//! The Erlang front end: source bytes to a typed tree, or diagnostics.
//!
//! [`ast`] is the tree that the compiler reads.

pub mod ast;
pub mod stack;
