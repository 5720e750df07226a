//! The orders of semantics.md §3 over a trace: causes, consequences, slices, linearisations; and the targets of §8.
//!
//! [`causes`] walks back from an action over the logs of the processes that matter; its cost follows the causes, not the trace.
//! [`causal_order`] puts a slice into an order in which it can be performed. [`consequences`] goes forward. [`Conflicts`] holds what
//! the finer order `→` needs. [`Target`] is what a person types.

#![forbid(unsafe_code)]

pub mod brute_force;
mod causes;
mod conflicts;
mod consequences;
mod direct;
mod errors;
mod names;
mod order;
mod reading;
mod resolve;
mod target;

pub use causes::{causes, causes_of_all, conflict_past};
pub use conflicts::{Conflicts, accesses, writes_commute};
pub use consequences::{Future, conflict_future, consequences, consequences_of_all};
pub use direct::{Edge, EdgeKind, direct_causes};
pub use errors::{Gravity, abnormal_ends, first_errors};
pub use names::{holders, registered};
pub use order::{CausalOrder, Stretch, Times, causal_order, conflict_order, conflict_order_in_time};
pub use resolve::{NoSuchTarget, Resolved, UIDS, uids};
pub use target::{Target, TargetError, Who};
