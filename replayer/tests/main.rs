//! The tests of this crate from outside, one executable: `cargo test -p retell-replayer shell::` runs one file.

mod common;
mod hand_built;
mod properties;
mod shell;
mod why;
