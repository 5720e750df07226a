//! Erlang, from source to typed syntax tree to register bytecode to one process, which runs until it needs something that it cannot compute
//! alone (semantics.md §1, "Expressions").
//!
//! This crate knows nothing of other processes, mailbox arrival, logs or clocks. Pids, references and message tags are opaque handles, and
//! whatever does not depend on the process's own state alone is a *label* that the caller answers.

pub mod arith;
pub mod beam;
pub mod binary;
pub mod compile;
pub mod dictionary;
pub mod etf;
pub mod hash;
pub mod heap;
pub mod library;
pub mod maps;
pub mod native;
pub mod natives;
pub mod newer;
pub mod number;
pub mod ops;
pub mod otp;
pub mod print;
pub mod term;
pub mod vm;

pub use syntax::atom;
