//! A random walk.

use crate::scheduler::draws::Draws;
use crate::scheduler::explorer::{Round, Strategy};

/// Every candidate is as likely as any other, at every step.
///
/// A bug that needs d steps to come in one order is found with a probability that falls with the number of all steps to the power of d, but
/// without any parameter to guess.
pub(super) struct RandomWalk {
    draws: Draws,
}

impl RandomWalk {
    pub(super) const fn new(seed: u64) -> Self {
        Self {
            draws: Draws::new(seed, 0x7761_6c6b),
        }
    }
}

impl Strategy for RandomWalk {
    fn choose(&mut self, round: &Round<'_>) -> usize {
        self.draws.below(round.candidates.len() as u64) as usize
    }
}
