//! The external tests of this crate, one executable: `cargo test -p retell-system effects::` runs one file.

mod effects;
mod library;
