//! Delay-bounded scheduling [Emmi, Qadeer, Rakamarić: *Delay-Bounded Scheduling*, POPL 2011].
//!
//! A deterministic scheduler (here: the usual candidate) is made to skip its choice at most N times. An actor that was skipped waits until no
//! other one can act. Many bugs need few delays, so N is small: N delays in a run of k steps are one of about k^N schedules.
//!
//! Departures: delays come at random steps among the first k, so one run is a sample, not an enumeration. A delay can also be the passing of
//! time up to a deadline that is close; in half of the cases in which it could be, it is.

use rustc_hash::FxHashSet;

use crate::scheduler::actor::Actor;
use crate::scheduler::draws::Draws;
use crate::scheduler::explorer::{Round, Strategy};

/// See the module.
pub(super) struct Delay {
    draws: Draws,
    /// Steps at which to skip the usual candidate.
    delays: Vec<u64>,
    /// Actors that were skipped.
    skipped: FxHashSet<Actor>,
}

impl Delay {
    /// `delays` is N, `steps` is k.
    pub(super) fn new(seed: u64, delays: u32, steps: u64) -> Self {
        let mut draws = Draws::new(seed, 0x64_656c_6179);
        Self {
            delays: (0..delays).map(|_| draws.below(steps.max(1))).collect(),
            draws,
            skipped: FxHashSet::default(),
        }
    }

    /// The usual candidate, or the next one after it that was not skipped.
    fn usual(&self, round: &Round<'_>) -> Option<usize> {
        let n = round.candidates.len();
        let others = (0..n).map(|i| (round.usual + i) % n);
        others.into_iter().find(|&i| {
            let actor = round.candidates[i].actor;
            actor != Actor::Clock && !self.skipped.contains(&actor)
        })
    }
}

impl Strategy for Delay {
    fn choose(&mut self, round: &Round<'_>) -> usize {
        for _ in self.delays.iter().filter(|step| **step == round.step) {
            if let Some(clock) = round.place_of(Actor::Clock)
                && self.draws.below(2) == 0
            {
                return clock;
            }
            if let Some(i) = self.usual(round) {
                self.skipped.insert(round.candidates[i].actor);
            }
        }
        if let Some(i) = self.usual(round) {
            return i;
        }
        // Only skipped ones are left.
        self.skipped.clear();
        round.usual
    }
}
