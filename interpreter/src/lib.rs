//! See Cargo.toml.
pub mod atom;
pub mod syntax;
