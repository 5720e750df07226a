//! Γ; Π; Ω: mailboxes, signals, links, names, timers, shared resources, schedulers, the recorder (semantics.md §1, "Systems").
//!
//! There is one forward semantics for processes with and without a log to follow [GV21, Fig. 8 and 9]: recording, replay and user-driven
//! debugging are different answers to the same labels of the interpreter.

mod accesses;
pub mod answers;
mod asking;
pub mod beyond;
pub mod delivery;
pub mod digest;
mod divergence;
pub mod driven;
mod ends;
pub mod feed;
pub mod files;
pub mod flags;
mod flight;
pub mod ids;
mod limits;
pub mod loader;
pub mod mode;
pub mod natives;
pub mod observer;
mod ops;
pub mod outside;
mod pairs;
mod plan;
mod points;
pub mod pool;
mod probe;
pub mod process;
mod rare;
pub mod reached;
mod receive;
pub mod recorder;
pub mod resources;
pub mod retract;
mod runtime;
pub mod scheduler;
mod settings;
mod signals;
mod sink;
mod step;
mod system;
mod table;
mod tally;
pub mod terms;
pub mod timers;
mod turn;
mod typed;
mod world;

pub use delivery::Delivery;
pub use limits::Limits;
pub use ops::clock::{civil as civil_time, seconds_of_civil};
pub use ops::ets::{Kind as TableKind, key_hash as table_key_hash};
pub use ops::nodes::{NO_NODE, long_name, short_name};
pub use ops::test::Tests;
pub use settings::{Clock, FIRST_PID, RunEnd, Settings};
pub use step::here;
pub use system::System;
pub use typed::{StallLimit, duration, time_limit, whole_number};
pub use world::World;
