//! Γ; Π; Ω: mailboxes, signals, links, names, timers, shared resources, schedulers, the recorder (semantics.md §1, "Systems").
//!
//! There is one forward semantics for processes with and without a log to follow [GV21, Fig. 8 and 9]: recording, replay and user-driven
//! debugging are different answers to the same labels of the interpreter.

pub mod answers;
mod asking;
pub mod beyond;
pub mod digest;
pub mod driven;
mod ends;
pub mod error;
pub mod files;
pub mod handles;
pub mod hash;
pub mod ids;
mod limits;
pub mod loader;
mod loads;
pub mod natives;
pub mod observer;
mod ops;
pub mod outside;
mod pairs;
mod points;
mod probe;
mod receive;
pub mod recorder;
pub mod retract;
mod runtime;
pub mod scheduler;
mod settings;
mod signals;
mod sink;
mod standing;
mod state;
mod step;
mod system;
mod tallies;
pub mod terms;
pub mod transforms;
mod turn;
mod typed;
mod world;

pub use ends::exit_class;
pub use ops::alias::dropped_after;
pub use ops::clock::{civil as civil_time, seconds_of_civil};
pub use ops::nodes::{long_name, short_name};
pub use settings::{DEFAULT_SCHEDULERS, FIRST_PID, Limits, RunClock, RunEnd, Settings};
pub use state::delivery::Delivery;
pub use state::layers::{Meter, Since};
pub use state::nodes::NO_NODE;
pub use state::noted::Tests;
pub use state::tables::table::{TableKind, key_hash as table_key_hash};
pub use state::{delivery, feed, flags, mode, pool, reached, resources, timers};
pub use step::log::here;
pub use system::System;
pub use typed::{StallLimit, duration, input_class, time_limit, whole_number};
pub use world::World;

/// One process, as the system layer sees it, and the table of all.
pub mod process {
    pub use crate::ids::Slot;
    pub use crate::state::flight::Flight;
    pub use crate::state::process::{Label, Parent, Process, ProcessActivity};
    pub use crate::state::rare::{AliasMode, Monitor, Rare, SeenLength, Seldom, Watcher};
    pub use crate::state::signal::{PendingExit, Sender, Signal};
    pub use crate::state::table::{Lookup, Table};
}
