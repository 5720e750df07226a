//! The external tests of this crate, one executable: `cargo test -p retell-causality orders::` runs one file.

mod orders;
mod targets;
