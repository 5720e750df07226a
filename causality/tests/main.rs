//! The tests of this crate from outside, one executable: `cargo test -p retell-causality orders::` runs one file.

mod orders;
mod targets;
