//! The replayer.
fn main() {}
