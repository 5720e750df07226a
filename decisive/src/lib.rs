//! Answers by experiment: which choice of a run decided that it failed.
//!
//! A recorded run could have gone another way wherever a receive could have taken another message, timed out or not, wherever an exit signal
//! could have come at another point, wherever two processes used a shared thing, and wherever it got an input. A *flip* takes back one such
//! choice with all that depends on it, makes another one, and runs on as near to the record as it can ([`guide`]). If the failure is gone, the
//! flip is *decisive*: the order of its two actions decided. That is no guess: the sentence tells of a run that was made.
//!
//! Places are taken from the failure backwards ([`mod@search`]), each by a replay from a checkpoint. A decisive flip is then examined: random
//! continuations after it, and after the recorded choice in its place, say how much it decides. All limits are counts.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod again;
pub mod answer;
pub mod failure;
pub mod guide;
mod places;
pub mod record;
pub mod search;
mod story;
mod told;
pub mod way;

pub use answer::{Answer, Class, Flip, LongerStall, Side, Tally, Together, Weak};
pub use failure::{Outcome, Verdict};
pub use search::whatif::{Alternative, Departed, Near, Nearest, NotNamed, Taken, WhatIf, what_if};
pub use search::{Limits, search, search_from, search_near};
pub use way::Way;
