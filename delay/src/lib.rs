//! The stall of a run: for how long the machine must have held something up for the run to happen.
//!
//! A schedule may do anything, but not everything is likely. A timeout is nearly always a watchdog: it fires because what it waits for takes long,
//! or because the machine stands still. The **stall** tells these apart. It is the least time for which something must have been held up, if
//! computing takes no time and messages are there at once.
//!
//! # Definition
//!
//! The nodes of the graph are the actions of the run and the arrivals of its signals. time(x) is the longest path to x. Edges are of two sorts.
//!
//! *Enabling* edges make a node possible:
//! - the action before, or the spawn → action (0 ms; for a timeout, as long as it waited);
//! - send → arrival (0 ms), setting a timer → arrival of its message (its time);
//! - arrival → the receive that took it; arrival of an exit signal → the end of a process that waited, or that would have waited next;
//! - arrivals of one sender at one receiver, in the order of sending.
//!
//! *Order* edges are what the run did besides:
//! - a use of something shared → the uses that came later and saw it, or changed it;
//! - arrival of what a receive took → arrival of each unconsumed message that it could have taken as well;
//! - a timeout → arrival of each message that the receive could have taken;
//! - arrival of a timer's message → the `cancel_timer` that came too late;
//! - the waits of a process, and the arrivals of what it received → arrival of an exit signal that would have ended it, and did not;
//! - a `demonitor` that gave up a monitor → arrival of the 'DOWN', or the end that it was about;
//! - closing an alias → arrival of a message to it, if a receive that timed out later would have taken it.
//!
//! ready(x) is the longest path whose last edge enables x. The stall of x is time(x) − ready(x): without an order edge x would have come then, and
//! it came later. It also counts if a receive took a message after its deadline, if a timer was cancelled after it was due, or if a process was
//! ended although a message that it waited for was there. The stall of a run is the greatest of its nodes, up to the failure: the time before
//! the failure that x was held up. "Unconsumed" includes messages to processes that had ended, and what lay unread at a kill.
//!
//! # Monotony
//!
//! In a prefix of a run, times are the same as in the whole, and stalls are not greater. So a search may stop as soon as a prefix stalls for too
//! long. One thing could still be taken back: an unread timer that another process may cancel. [`Measure::bound`] leaves these out.
//!
//! # Delivery
//!
//! Inside a node, a message must not overtake another one to the same process that was sent causally before it (`system::delivery` says what that
//! is). These are edges between arrivals, and from arrivals to the reads by which the receiver knows of the send. If they make a cycle, the run
//! needs free delivery ([`Measure::needs_free_delivery`]).
//!
//! # Where the facts come from
//!
//! From replays: the first gathers what was sent, and for how long receives and timers wait. A second one tries the messages that could matter in
//! the receives that could have taken them. Messages sent later than what a receive took cannot matter, so most runs try few. The clock of
//! the recorded machine is not used. A timer for a point of time (`{abs, true}`) counts as due at any time.
//!
//! # Cost
//!
//! Linear in actions, but for the messages that wait at one time: at most 48 are tried for each receive. Runs of more than 3,000,000 actions
//! are not measured. [`Measure::is_complete`] says if a limit was reached; the stall is then a lower bound.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod build;
pub mod graph;
mod measure;
mod order;
mod probe;
mod told;

pub use measure::{Extent, Held, InReceive, Judged, Measure, Stall, What};
pub use probe::{ACTIONS, Probe};
pub use told::{HeldUp, NONE, Told, is_failure, measure};
