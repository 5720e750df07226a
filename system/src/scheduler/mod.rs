//! Schedulers: which process runs next, for how long, and which signals are kept in flight.
//!
//! There are two sorts. [`RoundRobin`] and [`Random`] give a process a *slice*: so many counted events. An [`Explorer`] chooses before every
//! action: the next step of a process, the arrival of a signal, or the passing of time. Its choices come from a [`Strategy`], one to a file.

mod actor;
mod choose;
mod delay;
mod draws;
mod explorer;
mod jitter;
mod pct;
mod pos;
mod random;
mod round_robin;
mod schedule;
mod switches;
mod walk;

pub use crate::hash::mix;
pub use actor::Actor;
pub use choose::{Grain, Moment, SLICE, ScheduledChoice, Scheduler};
pub use draws::Draws;
pub use explorer::{Candidate, ChoicesMade, Explorer, Round, Strategy, Taken};
pub use jitter::{DEFAULT_JITTER, Jitter};
pub use random::Random;
pub use round_robin::RoundRobin;
pub use schedule::{DEFAULT_STEPS, Schedule};
pub use switches::{Switch, Switches};
