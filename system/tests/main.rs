//! The tests of this crate from outside, one executable: `cargo test -p retell-system effects::` runs one file.

mod effects;
mod library;
