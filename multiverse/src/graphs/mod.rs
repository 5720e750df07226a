//! The search by graphs: every universe is visited once, with memory that grows with the length of a run and not with the number of universes.
//!
//! After "Model checking distributed protocols in Must" [Enea et al., OOPSLA 2024] and TruSt [Kokologiannakis et al., POPL 2022]. A run goes forward
//! and makes the first possible choice at each place. The others that are possible there are put aside. When something is sent or written, the
//! earlier choices that could have been this instead are *revisited*: all that came after such a choice is dropped, but for what the new event needs,
//! and the choice is made anew. A revisit is allowed only if all that it drops, and the choice itself, are *canonical*: what the search would choose
//! first without the new event. So each universe is reached in one way.

mod branch;
mod crew;
mod event;
mod order;
mod stands;
mod state;
mod visit;
mod watch;

#[cfg(test)]
mod tests;

pub use crew::Share;
pub(crate) use crew::{Begin, SearchFindings, sample, search, search_together, search_units, share_of};
pub(crate) use visit::{FoundUniverse, ReadUnits, Steps, UniverseStep, get_choice, misfit, put_choice};
pub(crate) use watch::{FOR_PEOPLE, is_drawn, is_given};
