//! Random slices.

use crate::hash::mix;
use crate::ids::Slot;
use crate::scheduler::choose::{SLICE, Scheduler};
use crate::scheduler::draws::draw;

/// Timers fire less than this late (nanoseconds), so timers that differ by a millisecond and are set together keep their order.
const LATEST: u64 = 1_000_000;

/// Uniform choice of process, slices from one event to [`SLICE`], signals that stay in flight for a while, and timers that fire late.
pub struct Random {
    queue: Vec<Slot>,
    state: u64,
    /// For timers, so that other draws do not depend on whether a program has any.
    timers: u64,
    /// Which processes' timers are late.
    lateness: u64,
}

impl Random {
    /// A schedule that depends only on the seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            queue: Vec::new(),
            state: seed,
            timers: mix(seed ^ 0x7469_6d65_7273),
            lateness: mix(!seed),
        }
    }

    const fn draw(&mut self, below: u64) -> u64 {
        draw(&mut self.state, below)
    }
}

impl Scheduler for Random {
    fn ready(&mut self, slot: Slot) {
        self.queue.push(slot);
    }
    fn next(&mut self) -> Option<(Slot, u32)> {
        if self.queue.is_empty() {
            return None;
        }
        let i = self.draw(self.queue.len() as u64) as usize;
        let slot = self.queue.swap_remove(i);
        // Half of the slices are short, so that races of a few steps occur; the others let long computations make progress.
        let budget = match self.draw(4) {
            0 => 1 + self.draw(4),
            1 => 1 + self.draw(64),
            _ => 1 + self.draw(u64::from(SLICE)),
        };
        Some((slot, budget as u32))
    }
    fn delay(&mut self) -> bool {
        self.draw(4) == 0
    }
    fn arrival(&mut self, n: usize) -> Option<usize> {
        if n > 0 && self.draw(2) == 0 {
            Some(self.draw(n as u64) as usize)
        } else {
            None
        }
    }
    fn lateness(&self, pid: u64) -> u64 {
        match mix(self.lateness ^ mix(pid)) {
            odd if odd & 1 == 1 => (odd >> 1) % LATEST,
            _ => 0,
        }
    }
    fn delay_timer(&mut self) -> bool {
        draw(&mut self.timers, 4) == 0
    }
}
