//! What a replay observed, as the types of [`crate::view`].

mod names;
mod player;
mod process;
mod rows;

pub use names::{names, names_of, outputs, printed, shown_pids};
pub use player::{roll_log, standing};
pub use process::{next_action, process, quote};
pub use rows::{Teller, act, picked, replayed_rows, rows, slice_of};
