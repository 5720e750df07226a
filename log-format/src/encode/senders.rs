//! Fast look-up of a sender's place in the list of senders.
use crate::model::{Model, Sender};

/// Up to this many senders are searched linearly.
const SEARCHED: usize = 8;

/// The place of each sender in the list: open addressing, only if there are too many senders for linear search.
#[derive(Clone, Debug, Default)]
pub(super) struct SenderPlaces {
    /// Place + 1, or 0. invariant: a power of two, at most half full; empty up to [`SEARCHED`] senders.
    ///
    /// Where a place stands in it is noted in the sender: of a thousand processes that receive in turn, none finds its lists in the cache, so each
    /// list less is a miss less.
    table: Vec<u32>,
}

impl SenderPlaces {
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }

    #[inline]
    fn start(pid: u64, mask: usize) -> usize {
        (pid.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask
    }

    /// The place of a sender.
    #[inline]
    pub(super) fn find(&self, model: &Model, pid: u64) -> Option<usize> {
        let senders = &model.senders;
        if self.table.is_empty() {
            return senders.iter().position(|sender| sender.pid == pid);
        }
        if senders[0].pid == pid {
            return Some(0);
        }
        let mask = self.table.len() - 1;
        let mut at = Self::start(pid, mask);
        loop {
            match self.table[at] {
                0 => return None,
                place => {
                    let place = place as usize - 1;
                    if senders[place].pid == pid {
                        return Some(place);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Two senders have changed places.
    #[inline]
    pub(super) fn swapped(&mut self, model: &Model, a: usize, b: usize) {
        if a != b && !self.table.is_empty() {
            for place in [a, b] {
                self.table[model.senders[place].noted as usize] = place as u32 + 1;
            }
        }
    }

    /// A sender was added at the end of the list.
    pub(super) fn insert(&mut self, model: &mut Model, place: usize) {
        let senders = &mut model.senders;
        if senders.len() <= SEARCHED {
            return;
        }
        let mut first = place;
        if senders.len() * 2 > self.table.len() {
            let size = (senders.len() * 4).next_power_of_two();
            self.table.clear();
            self.table.resize(size, 0);
            first = 0;
        }
        for (place, sender) in senders.iter_mut().enumerate().skip(first) {
            self.note(sender, place);
        }
    }

    fn note(&mut self, sender: &mut Sender, place: usize) {
        let mask = self.table.len() - 1;
        let mut at = Self::start(sender.pid, mask);
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = place as u32 + 1;
        sender.noted = at as u32;
    }
}
