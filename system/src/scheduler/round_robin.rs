//! Round robin.

use std::collections::VecDeque;

use crate::ids::Slot;
use crate::scheduler::choose::{SLICE, Scheduler};

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
