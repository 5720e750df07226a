//! What a replay saw, gathered into [`crate::view`].

mod names;
mod process;
mod rows;

pub use names::{names, names_of, outputs, printed, shown_pids};
pub use process::{next_action, process, quote};
pub use rows::{Teller, picked, replayed_rows, rows, shown, slice_of};
