//! A trace as JSON and back: `replay export`, `replay import`, `replay log --format json`. Nothing that a trace says is lost but the bytes it is
//! said with (cuts, blocks, the index).

pub mod action;
pub mod document;
pub mod hex;
pub mod read;
pub mod write;
