//! The orders of semantics.md §3 over a trace: causes, consequences, slices, linearisations; and the targets of §8.
//!
//! [`causes`] walks back from an action over the logs of the processes that matter; its cost follows the causes, not the trace.
//! [`causal_order`] puts a slice into an order in which it can be performed. [`consequences`] goes forward. [`Conflicts`] holds what
//! the finer order `→` needs. [`Target`] is what a person types.
//!
//! # The causes of an action
//!
//! ```
//! use causality::{causal_order, causes, direct_causes};
//! use log_format::{RecNo, Trace};
//!
//! # fn main() -> log_format::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/account.trace");
//! let trace = Trace::open(path.as_ref())?;
//! let received = trace.rec(RecNo(5))?;
//!
//! // All that had to happen before, as a prefix of the log of every process.
//! let past = causes(&trace, received)?;
//! assert!(past.contains(received));
//! assert!(past.actions() < trace.totals().counts.actions);
//!
//! // Among them, what comes directly before: here the action before, and the send.
//! for edge in direct_causes(&trace, received)? {
//!     assert!(past.contains(edge.from));
//! }
//!
//! // An order in which they can be performed; the last is the receive itself.
//! let mut last = None;
//! for stretch in causal_order(&trace, &past)? {
//!     last = stretch?.iter().last();
//! }
//! assert_eq!(last, Some(received));
//! # Ok(())
//! # }
//! ```
//!
//! A longer one is `examples/causes.rs`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod ancestors;
pub mod brute_force;
mod causes;
mod conflicts;
mod consequences;
mod direct;
mod errors;
mod handled;
mod names;
mod order;
mod point;
mod reading;
mod resolve;
mod target;
mod tested;

pub use ancestors::ancestors;
pub use causes::{causes, causes_of_all, conflict_past, conflict_past_of_all};
pub use conflicts::{Conflicts, accesses, are_in_conflict, uses_conflict, writes_commute};
pub use consequences::{Firsts, Future, conflict_future, consequences, consequences_of_all, first_of_all};
pub use direct::{DirectCause, EdgeKind, direct_causes};
pub use errors::{RunFailure, abnormal_ends, failure, failures, first_errors, halt};
pub use handled::Gravity;
pub use names::{first_names, holders, registered};
pub use order::{CausalOrder, Stretch, WaitTimes, causal_order, conflict_order, conflict_order_in_time};
pub use point::Point;
pub use resolve::{NoSuchTarget, UIDS, uids};
pub use target::{ProcessRef, Target, TargetError};
pub use tested::{Test, failed_tests, is_of_exunit, runs_of, test_said, test_title, tests};
