//! Replay: the last signal of each sender that a process has consumed.

use log_format::{Pid, PidMap};
use rustc_hash::FxHashMap;

/// From here on, senders are found by number: a hash map of so many misses the cache with each look-up.
const HASHED_FROM: usize = 1024;

/// For each sender, the last of its signals that this process has consumed (all earlier ones have arrived); `u64::MAX` for its end. Written on
/// each receive, mostly for the same sender twice in a row; most processes have no entry, a few have one for every other process.
#[derive(Clone, Debug, Default)]
pub struct Reached(Option<Box<HeardSignals>>);

/// A sender, and the last of its signals that was consumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Last {
    /// The sender.
    pub by: Pid,
    /// The number of the signal among those of its sender; `u64::MAX` for the end.
    pub k: u64,
}

#[derive(Clone, Debug)]
struct HeardSignals {
    /// The last sender. It may also have an entry below, with a lower or a higher number.
    last: Last,
    /// Other senders. invariant: at most [`HASHED_FROM`].
    few: FxHashMap<Pid, u64>,
    /// Senders that did not fit into `few`. invariant: none of them is in `few`.
    many: PidMap<u64>,
}

impl HeardSignals {
    fn before(&self, by: Pid) -> Option<u64> {
        self.few.get(&by).or_else(|| self.many.get(by)).copied()
    }

    /// Makes another sender the last one. True if it has no entry yet.
    #[inline(never)]
    fn turn_to(&mut self, by: Pid, k: u64) -> bool {
        let is_new = self.before(by).is_none();
        let Last { by: before, k: heard } = std::mem::replace(&mut self.last, Last { by, k });
        let there = match self.few.len() {
            HASHED_FROM.. => self.many.get_mut(before).or_else(|| self.few.get_mut(&before)),
            _ => Some(self.few.entry(before).or_insert(heard)),
        };
        match there {
            Some(there) => *there = heard.max(*there),
            None => {
                self.many.insert(before, heard);
            }
        }
        is_new
    }
}

impl Reached {
    /// The last signal of a sender that was consumed.
    #[must_use]
    pub fn get(&self, by: Pid) -> Option<u64> {
        let heard = self.0.as_ref()?;
        let last = (heard.last.by == by).then_some(heard.last.k);
        last.max(heard.before(by))
    }

    /// Approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let senders = |heard: &HeardSignals| heard.few.len() + heard.many.len();
        self.0
            .as_ref()
            .map_or(0, |heard| size_of::<HeardSignals>() + senders(heard) * 16)
    }

    /// Every sender with its last signal, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Last> + '_ {
        self.0.iter().flat_map(|heard| {
            let Last { by, k } = heard.last;
            let few = heard.few.iter().map(|(pid, last)| (*pid, *last));
            let others = few.chain(heard.many.iter().map(|(pid, last)| (pid, *last)));
            let others = others.map(|(by, k)| Last { by, k });
            let k = heard.before(by).map_or(k, |before| before.max(k));
            others.filter(move |other| other.by != by).chain([Last { by, k }])
        })
    }

    /// Notes that the k-th signal of a sender was consumed. True if it may be the first one of this sender.
    #[inline]
    pub fn note(&mut self, by: Pid, k: u64) -> bool {
        match &mut self.0 {
            Some(heard) if heard.last.by == by => {
                heard.last.k = k.max(heard.last.k);
                false
            }
            Some(heard) => heard.turn_to(by, k),
            None => {
                self.0 = Some(Box::new(HeardSignals {
                    last: Last { by, k },
                    few: FxHashMap::default(),
                    many: PidMap::default(),
                }));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Some close together, some far apart.
    const fn number(n: u64) -> u64 {
        if n.is_multiple_of(5) { n * 1_000_003 } else { n }
    }

    /// In whatever order signals are noted, it returns the highest number of each sender.
    #[test]
    fn it_is_a_map_of_the_highest_numbers() {
        for senders in [1, 3, 8, 9, 40, 3000] {
            let (mut reached, mut map) = (Reached::default(), BTreeMap::new());
            let mut state = 7_u64;
            for turn in 0..6_000 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let by = Pid(number((state >> 33) % senders));
                let k = if turn % 97 == 0 { u64::MAX } else { state >> 50 };
                reached.note(by, k);
                let last = map.entry(by).or_insert(k);
                *last = k.max(*last);
                assert_eq!(reached.get(by), map.get(&by).copied(), "{senders} senders, turn {turn}");
            }
            for n in 0..=senders {
                let pid = Pid(number(n));
                assert_eq!(reached.get(pid), map.get(&pid).copied(), "{senders} senders");
            }
            assert_eq!(
                reached.iter().map(|last| (last.by, last.k)).collect::<BTreeMap<_, _>>(),
                map
            );
            assert_eq!(reached.iter().count(), map.len());
        }
    }
}
