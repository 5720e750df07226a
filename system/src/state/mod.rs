//! The ground floor: what a system is made of, at one moment. Nothing here knows an operation, a step, or an observer; all of these stand above it.

pub(crate) mod asking;
pub(crate) mod beyond;
pub mod delivery;
mod divergence;
pub(crate) mod ended;
pub(crate) mod environments;
pub mod feed;
pub mod flags;
pub(crate) mod flight;
pub(crate) mod held_back;
pub mod mode;
pub(crate) mod nodes;
pub(crate) mod noted;
pub(crate) mod pair;
mod plan;
pub mod pool;
pub(crate) mod process;
pub(crate) mod rare;
pub mod reached;
pub mod resources;
pub(crate) mod signal;
pub(crate) mod table;
pub(crate) mod tables;
pub(crate) mod tally;
pub mod timers;
pub(crate) mod work;
