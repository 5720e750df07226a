//! The other ways a run could have gone (semantics.md §10).
//!
//! A *universe* is a maximal run, and it is its log: two runs with equal logs, up to the numbers of pids, are one universe. [`identity`] gives the
//! log a name. [`alternatives`] finds what could have come otherwise in a universe: another message, a timeout, an exit signal at another point,
//! or two conflicting accesses in the other order. [`search`] takes each of these ways, and so finds every universe.
//!
//! There are two searches. `graphs` visits each universe once and remembers none; its module says how. What it cannot explore is left to
//! [`search`] itself, which takes back:
//!
//! # Why every universe is found, each once
//!
//! To go another way at an action `a`, everything that depends on `a` is taken back (its →-future, semantics.md §9) and all the rest is kept. So
//! for any universe W and any universe U that was visited: take the largest part P of W that is also done in U, and the next action of W after
//! P. U has something else in its place, or has it after an access that W does not have yet. Taking back that action keeps P, because nothing
//! in P depends on it. Then the action of W is possible, because the messages and versions that it needs are in P, and an order of arrival that
//! explains it for W explains it here too. The universe that is reached shares more with W. As runs are finite, W itself is reached.
//!
//! A universe is told once because names of universes are remembered, and a way is tried once because names of ways are: 16 bytes each.
//! Every universe is a run that was really made, by the rules of the session's user-driven mode. What these rules do not offer is not explored;
//! [`Summary`] says whether a program did such a thing.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod acts;
pub mod alternatives;
pub mod checks;
pub mod debugger;
mod graphs;
pub mod identity;
pub mod map;
mod normal;
pub mod outcome;
mod recorded;
mod said;
pub mod sample;
pub mod search;
pub mod stops;
pub mod summary;
mod time;
pub mod units;
mod universe;

pub use alternatives::Alternative;
pub use checks::Checks;
pub use identity::Name;
pub use normal::Normal;
pub use outcome::UniverseOutcome;
pub use recorded::RecordedPoint;
pub use sample::Sampled;
pub use search::Explorer;
pub use summary::{SearchBounds, Summary};
pub use universe::{Universe, follow};
