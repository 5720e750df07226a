//! A debugger on a trace, as a library: breakpoints, steps, frames and values, forward and back. It knows no terminal and no protocol: the shell
//! `replay debug` and the adapter `replay dap` are two faces of it.
//!
//! | to | use |
//! |---|---|
//! | open a trace | [`Debugger::new`] |
//! | go on, or back, to the next breakpoint or failure | [`Debugger::run`] |
//! | go to another line of the current process | [`Debugger::step`] |
//! | go to a target, or undo one | [`Debugger::go_to`], [`Debugger::undo`] |
//! | stand where the run failed, in the program's own code | [`Debugger::go_to_failure`] |
//! | see processes, activations, variables and what is inside them | [`Debugger::processes`], [`Debugger::activations`], [`Debugger::variables`], [`Debugger::inside`] |
//! | compute with them | [`Debugger::evaluate`] |
//!
//! A session stands at a consistent cut of the run. Whatever goes forward does only what it needs, and whatever goes back undoes only consequences
//! (semantics.md, section 8): so processes that have nothing to do with each other may stand far apart in time.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod breaks;
mod debug;
mod frames;
mod values;

pub use breaks::{Breakpoint, Failing, HitRule, Wish};
pub use debug::{Debugger, Halt, Report, Way};
pub use frames::{Activation, Listed};
pub use values::{HeldValue, ValueLine};
