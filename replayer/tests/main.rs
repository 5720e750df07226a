//! The external tests of this crate, one executable: `cargo test -p retell-replayer shell::` runs one file.

mod causes;
mod common;
mod hand_built;
mod properties;
mod shell;
mod stall;
mod whatif;
mod why;
