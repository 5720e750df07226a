//! Jitter: how much time may pass while processes can run.
//!
//! A simulated clock that stands still while anything can run never lets a timeout win against work. On a loaded machine it can: a process that
//! is ready has to wait for its turn. So every run draws how loaded its machine is: the longest time for which something that can happen
//! waits for its turn. Timers that are due within this time may fire first.
//!
//! The levels are small, because timeouts mostly watch over work: a machine that stands still for half a second trips every one of them, and such a
//! failure says nothing about the program.

use rustc_hash::FxHashMap;

use crate::scheduler::actor::Actor;
use crate::scheduler::draws::Draws;

/// The most that anything waits for its turn, in nanoseconds, unless the caller says otherwise.
pub const DEFAULT_JITTER: u64 = 100_000_000;

/// The loads that a run can draw, besides the most that is allowed; those above it are left out.
const LEVELS: [u64; 5] = [0, 1_000_000, 5_000_000, 20_000_000, 100_000_000];

/// How long each actor has waited for its turn, and how long it may.
#[derive(Debug)]
pub struct Jitter {
    /// Nanoseconds that anything may wait. 0: the clock stands still while anything can happen.
    longest: u64,
    /// Since when each actor that is not the clock could have acted.
    since: FxHashMap<Actor, u64>,
}

impl Jitter {
    /// Draws the load of the machine: none, 1, 5, 20 or 100 ms, or `most` nanoseconds; never more than `most`.
    #[must_use]
    pub fn new(seed: u64, most: u64) -> Self {
        let lower = LEVELS.iter().filter(|level| **level < most).count();
        let drawn = Draws::new(seed, 0x6a69_7474_6572).below(lower as u64 + 1);
        Self::up_to(LEVELS[..lower].get(drawn as usize).copied().unwrap_or(most))
    }

    /// Anything may wait for so many nanoseconds.
    #[must_use]
    pub fn up_to(longest: u64) -> Self {
        Self {
            longest,
            since: FxHashMap::default(),
        }
    }

    /// May time pass up to `due`, if these can act now?
    pub fn allows(&mut self, now: u64, due: u64, actors: impl Iterator<Item = Actor>) -> bool {
        let mut oldest = now;
        for actor in actors {
            oldest = oldest.min(*self.since.entry(actor).or_insert(now));
        }
        due.saturating_sub(oldest) <= self.longest
    }

    /// Can it ever let time pass?
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.longest == 0
    }

    /// An actor has had its turn.
    pub fn acted(&mut self, actor: Actor) {
        self.since.remove(&actor);
    }

    /// Nothing can act until time passes.
    pub fn rests(&mut self) {
        self.since.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(most: u64) -> Vec<u64> {
        let mut all: Vec<u64> = (0..200).map(|seed| Jitter::new(seed, most).longest).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn every_level_up_to_the_most_is_drawn() {
        const MS: u64 = 1_000_000;
        assert_eq!(drawn(0), [0]);
        assert_eq!(drawn(3 * MS), [0, MS, 3 * MS]);
        assert_eq!(drawn(DEFAULT_JITTER), [0, MS, 5 * MS, 20 * MS, 100 * MS]);
        assert_eq!(drawn(1_000 * MS), [0, MS, 5 * MS, 20 * MS, 100 * MS, 1_000 * MS]);
    }
}
