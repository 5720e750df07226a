//! `check`: does the failure of a trace still occur in the current program?
//!
//! First the recorded program is driven by the recorded choices, to see that this produces its failure again. Then the changed program is
//! driven. If that does not decide, both run under random schedules.

mod again;
mod align;
mod all;
mod answer;
mod beginning;
mod budget;
pub mod choices;
mod current;
mod described;
pub mod drive;
mod failure;
mod ground;
mod inquiry;
pub mod kin;
mod lines;
pub mod listener;
mod missing;
mod mix;
mod names;
mod one;
mod options;
mod price;
mod project;
pub mod races;
mod reason;
pub mod received;
mod runs;
mod same;
mod schedules;
mod search;
mod shape;
mod start;
mod tape;
mod texts;
mod tried;
mod universes;

pub use again::{Again, drive_again};
pub use all::check_all;
pub use answer::{CheckVerdict, Checked, Cut, Delay, Remaining, Schedules, Universes, Unvisited};
pub use described::named_module;
pub use one::check;
pub use options::{Compile, CompiledProgram, Of, Options, WantedProgram};
