//! The end-to-end tests, one executable: `cargo test -p retell-tests abuse::` runs one file.

mod abuse;
mod bad_input;
mod beyond;
mod big_trace;
mod check;
mod compare;
mod conformance;
mod crash;
mod docs;
mod fixtures;
mod goldens;
mod hostile_traces;
mod inputs;
mod laws;
mod missing;
mod named_targets;
mod nodes;
mod places;
mod programs;
mod record_replay;
mod rows;
mod standard_input;
mod strace;
mod trace_tools;
mod traps;
mod variables;
