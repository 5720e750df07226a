//! Views as text for people and as JSON for programs.

pub mod info;
pub mod json;
pub mod races;
pub mod text;
pub mod whatif;
pub mod why;
