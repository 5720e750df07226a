//! Schedulers: which process runs next, for how long, and which signals are kept in flight.

use std::collections::VecDeque;

use crate::process::Slot;

/// Counted events of a slice under round robin.
pub const SLICE: u32 = 4000;

/// A scheduling strategy.
///
/// It may rely on this: `next` is called only if processes were made `ready` and not yet returned; a process is ready at most once at a time.
/// It must guarantee this: every ready process is returned after finitely many calls (with probability one, if it draws random numbers).
pub trait Scheduler: Send {
    /// A process can run.
    fn ready(&mut self, slot: Slot);
    /// The process to run now and its budget of counted events; `None` if none is ready.
    fn next(&mut self) -> Option<(Slot, u32)>;
    /// Must the signal that was just sent be kept in flight for a while? (Signals of one pair keep their order all the same.)
    fn delay(&mut self) -> bool {
        false
    }
    /// Must a signal in flight arrive now, and which (of `n`)?
    fn arrival(&mut self, n: usize) -> Option<usize> {
        let _ = n;
        None
    }
    /// How many nanoseconds after their deadlines the timers of a process fire; those of one process fire in the order of their deadlines.
    fn lateness(&self, pid: u64) -> u64 {
        let _ = pid;
        0
    }
    /// Must the message of a timer that has fired be kept in flight for a while?
    fn delay_timer(&mut self) -> bool {
        false
    }
}

/// First come, first served; [`SLICE`] events each. Nothing is kept in flight.
#[derive(Default)]
pub struct RoundRobin {
    queue: VecDeque<Slot>,
}

impl Scheduler for RoundRobin {
    #[inline]
    fn ready(&mut self, slot: Slot) {
        self.queue.push_back(slot);
    }
    #[inline]
    fn next(&mut self) -> Option<(Slot, u32)> {
        self.queue.pop_front().map(|slot| (slot, SLICE))
    }
}

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

    fn draw(&mut self, below: u64) -> u64 {
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

fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    // The multiplication maps the draw to 0..below with a bias under 2^-40 for the sizes that occur here.
    ((u128::from(mix(*state)) * u128::from(below)) >> 64) as u64
}

/// The finaliser of splitmix64: a bijection that spreads every bit.
#[must_use]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
