//! A trace as JSON and back: `replay export`, `replay import`, `replay log --format json`. The contents of a trace are preserved; its encoding
//! (cuts, blocks, the index) is not.

pub mod action;
pub mod document;
pub mod hex;
pub mod read;
pub mod tables;
pub mod write;
