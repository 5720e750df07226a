//! Partial order sampling [Yuan, Yang, Gu: *Partial Order Aware Concurrency Sampling*, CAV 2018].
//!
//! The next event of every actor has a random priority, and the highest one happens. Then the events that race with it get new priorities. So
//! the orders of racing events are drawn more evenly than by a random walk, and events that do not race take no part in the lottery.
//!
//! Departures: what a process does next is known only once it stands at a native. Before, the event is "it goes on", which touches its mailbox.
//! Two events race if they touch a process, name or table in common, whether they read or write it, and whatever the key. So some events get a
//! new priority although they need none. The clock races with nothing.

use rustc_hash::FxHashMap;

use crate::scheduler::actor::Actor;
use crate::scheduler::draws::Draws;
use crate::scheduler::explorer::{Round, Strategy};

/// See the module.
pub(super) struct Pos {
    draws: Draws,
    /// The priorities of next events.
    priorities: FxHashMap<Actor, u64>,
}

impl Pos {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            draws: Draws::new(seed, 0x70_6f73),
            priorities: FxHashMap::default(),
        }
    }
}

impl Strategy for Pos {
    fn sees_natives(&self) -> bool {
        true
    }

    fn choose(&mut self, round: &Round<'_>) -> usize {
        let mut best = (0, 0);
        for (i, candidate) in round.candidates.iter().enumerate() {
            let priority = *self
                .priorities
                .entry(candidate.actor)
                .or_insert_with(|| self.draws.next());
            if i == 0 || priority > best.0 {
                best = (priority, i);
            }
        }
        let chosen = round.candidates[best.1];
        self.priorities.remove(&chosen.actor);
        for other in round.candidates.iter().filter(|other| other.races_with(&chosen)) {
            self.priorities.remove(&other.actor);
        }
        best.1
    }
}
