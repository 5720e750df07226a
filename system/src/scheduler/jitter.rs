//! Jitter: how much time may pass while processes can run.
//!
//! A simulated clock that stands still while anything can run never lets a timeout win against work. On a loaded machine it can: a process that
//! is ready has to wait for its turn. So every run draws how loaded its machine is: the longest time for which something that can happen
//! waits for its turn. Timers that are due within this time may fire first.

use rustc_hash::FxHashMap;

use crate::scheduler::{Actor, Draws};

/// The most that anything waits for its turn, in nanoseconds, unless the caller says otherwise.
pub const DEFAULT_JITTER: u64 = 1_000_000_000;

/// How long each actor has waited for its turn, and how long it may.
#[derive(Debug)]
pub struct Jitter {
    /// Nanoseconds that anything may wait. 0: the clock stands still while anything can happen.
    longest: u64,
    /// Since when each actor that is not the clock could have acted.
    since: FxHashMap<Actor, u64>,
}

impl Jitter {
    /// Draws the load of the machine: none, or up to a thousandth, a hundredth, a tenth, or all of `most` nanoseconds.
    #[must_use]
    pub fn new(seed: u64, most: u64) -> Self {
        let longest = match Draws::new(seed, 0x6a69_7474_6572).below(5) {
            0 => 0,
            level => most / 10_u64.pow(4 - level as u32),
        };
        Self::up_to(longest)
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
