//! The tests of this crate from outside, one executable: `cargo test -p retell-replayer cauder::` runs one file.

mod cauder;
mod check;
mod common;
mod hand_built;
mod properties;
mod shell;
mod travel;
mod why;
