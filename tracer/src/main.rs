//! The recorder.
fn main() {}
