//! Γ; Π; Ω: mailboxes, signals, links, names, timers, shared resources, schedulers, the recorder (semantics.md §1, "Systems").
//!
//! One forward semantics for processes with and without a log to follow [GV21, Fig. 8 and 9]: recording, replay and user-driven
//! debugging are different answers to the same labels of the interpreter.

mod asking;
pub mod beyond;
mod cells;
mod control;
pub mod digest;
pub mod driven;
mod effects;
mod ends;
mod ets;
pub mod feed;
pub mod files;
pub mod flags;
pub mod ids;
mod info;
pub mod loader;
pub mod natives;
mod nodes;
pub mod observer;
pub mod outside;
mod pairs;
pub mod pool;
pub mod process;
pub mod reached;
pub mod recorder;
pub mod resources;
pub mod retract;
mod runtime;
pub mod scheduler;
mod system;
mod tally;
pub mod terms;
pub mod timers;
mod world;
pub use ets::{Kind as TableKind, key_hash as table_key_hash, value_hash as table_value_hash};
pub use nodes::{NO_NODE, long_name, short_name};
pub use world::civil as civil_time;

pub use system::{Clock, FIRST_PID, Limits, RunEnd, Settings, System, here, set_default_memory};
