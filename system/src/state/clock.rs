//! Vector clocks that share what they have in common.
//!
//! In a run with many processes, one that hears from all of them has a clock with all of them in it, and what it sends takes that along. So a copy
//! costs nothing, a change copies one path of a tree, and what two clocks share is passed over when they are merged.

use std::sync::Arc;

use log_format::{Pid, Tag};

/// The bits of a pid that one floor of the tree tells apart.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

/// A subtree. It is on a floor: 0 for the lowest, which holds numbers.
#[derive(Clone, Debug)]
enum ClockNode {
    /// How many signals were sent by each of the next processes; 0 if nothing is known.
    Numbers(Arc<[u64; WIDTH]>),
    Floor(Arc<Floor>),
}

#[derive(Clone, Debug, Default)]
struct Floor {
    /// The number of processes of which something is known.
    len: usize,
    below: [Option<ClockNode>; WIDTH],
}

/// What is known: of each process, the number of its signals that had been sent. A copy costs nothing.
#[derive(Clone, Debug, Default)]
pub struct VectorClock {
    root: Option<ClockNode>,
    /// The floor of the root.
    height: u32,
}

/// The place of a process on a floor.
const fn place(pid: u64, height: u32) -> usize {
    (pid >> (BITS * height)) as usize % WIDTH
}

/// Has a tree of this height no place for the process?
const fn is_beyond(pid: u64, height: u32) -> bool {
    let bits = BITS * (height + 1);
    bits < u64::BITS && pid >> bits != 0
}

impl ClockNode {
    fn new(height: u32) -> Self {
        match height {
            0 => Self::Numbers(Arc::new([0; WIDTH])),
            _ => Self::Floor(Arc::default()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.iter().filter(|sent| **sent > 0).count(),
            Self::Floor(floor) => floor.len,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbers(one), Self::Numbers(other)) => Arc::ptr_eq(one, other),
            (Self::Floor(one), Self::Floor(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Sets a number that is greater than the one before. True if nothing was known before.
    fn set(&mut self, height: u32, pid: u64, sent: u64) -> bool {
        let at = place(pid, height);
        match self {
            Self::Numbers(numbers) => std::mem::replace(&mut Arc::make_mut(numbers)[at], sent) == 0,
            Self::Floor(floor) => {
                let floor = Arc::make_mut(floor);
                let below = floor.below[at].get_or_insert_with(|| Self::new(height - 1));
                let is_new = below.set(height - 1, pid, sent);
                floor.len += usize::from(is_new);
                is_new
            }
        }
    }

    /// The two together. Whatever is the same as in one of them is shared with it.
    fn merged(&self, other: &Self) -> Self {
        if self.is_same(other) {
            return self.clone();
        }
        match (self, other) {
            (Self::Numbers(one), Self::Numbers(two)) => {
                let mut both = **one;
                for (mine, other) in both.iter_mut().zip(two.iter()) {
                    *mine = (*mine).max(*other);
                }
                match () {
                    () if both == **one => self.clone(),
                    () if both == **two => other.clone(),
                    () => Self::Numbers(Arc::new(both)),
                }
            }
            (Self::Floor(one), Self::Floor(two)) => {
                let mut both = Floor::default();
                let (mut is_one, mut is_two) = (true, true);
                for (at, below) in both.below.iter_mut().enumerate() {
                    let (mine, other) = (&one.below[at], &two.below[at]);
                    *below = match (mine, other) {
                        (Some(mine), Some(other)) => Some(mine.merged(other)),
                        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
                        (None, None) => continue,
                    };
                    let is = |side: &Option<Self>| side.as_ref().zip(below.as_ref()).is_some_and(|(a, b)| a.is_same(b));
                    is_one &= is(mine);
                    is_two &= is(other);
                    both.len += below.as_ref().map_or(0, Self::len);
                }
                match () {
                    () if is_one => self.clone(),
                    () if is_two => other.clone(),
                    () => Self::Floor(Arc::new(both)),
                }
            }
            // invariant: both are of the same height.
            _ => self.clone(),
        }
    }
}

impl VectorClock {
    /// The number of processes of which something is known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, ClockNode::len)
    }
    /// Is nothing known?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.root.is_none()
    }
    /// Are the two one and the same, because one was copied from the other? If not, they may still be equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(one), Some(other)) => one.is_same(other),
            (None, None) => true,
            _ => false,
        }
    }
    /// All that is known, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Pid, u64)> + '_ {
        let mut next: Vec<(&ClockNode, u64, u32)> = self.root.iter().map(|root| (root, 0, self.height)).collect();
        let mut numbers: Option<(&[u64; WIDTH], usize, u64)> = None;
        std::iter::from_fn(move || {
            loop {
                if let Some((all, at, first)) = &mut numbers {
                    while let Some(sent) = all.get(*at) {
                        *at += 1;
                        if *sent > 0 {
                            return Some((Pid(*first + *at as u64 - 1), *sent));
                        }
                    }
                }
                let (node, first, height) = next.pop()?;
                match node {
                    ClockNode::Numbers(all) => numbers = Some((&**all, 0, first)),
                    ClockNode::Floor(floor) => {
                        let below = floor.below.iter().enumerate().rev();
                        next.extend(below.filter_map(|(at, node)| {
                            let first = first | (at as u64) << (BITS * height);
                            Some((node.as_ref()?, first, height - 1))
                        }));
                    }
                }
            }
        })
    }
    /// What is known otherwise than to an older clock, from which this one has grown. What the two share is passed over.
    #[must_use]
    pub fn news(&self, older: &Self) -> Vec<(Pid, u64)> {
        let mut older = older.clone();
        older.raise(self.height);
        let mut found = Vec::new();
        let mut next: Vec<(&ClockNode, Option<&ClockNode>, u64, u32)> = Vec::new();
        if self.height == older.height {
            next.extend(self.root.iter().map(|root| (root, older.root.as_ref(), 0, self.height)));
        }
        while let Some((node, old, first, height)) = next.pop() {
            if old.is_some_and(|old| node.is_same(old)) {
                continue;
            }
            match node {
                ClockNode::Numbers(all) => {
                    let before = |at: usize| match old {
                        Some(ClockNode::Numbers(old)) => old[at],
                        _ => 0,
                    };
                    let new = all.iter().enumerate().filter(|(at, sent)| **sent > before(*at));
                    found.extend(new.map(|(at, sent)| (Pid(first + at as u64), *sent)));
                }
                ClockNode::Floor(floor) => {
                    let old = |at: usize| match old {
                        Some(ClockNode::Floor(old)) => old.below[at].as_ref(),
                        _ => None,
                    };
                    let below = floor.below.iter().enumerate();
                    next.extend(below.filter_map(|(at, node)| {
                        let first = first | (at as u64) << (BITS * height);
                        Some((node.as_ref()?, old(at), first, height - 1))
                    }));
                }
            }
        }
        found
    }
    /// How many signals of a process were sent, as far as known.
    #[must_use]
    pub fn sent(&self, by: Pid) -> Option<u64> {
        if is_beyond(by.0, self.height) {
            return None;
        }
        let (mut node, mut height) = (self.root.as_ref()?, self.height);
        loop {
            let at = place(by.0, height);
            match node {
                ClockNode::Numbers(numbers) => return Some(numbers[at]).filter(|sent| *sent > 0),
                ClockNode::Floor(floor) => node = floor.below[at].as_ref()?,
            }
            height -= 1;
        }
    }
    /// Is this numbered signal known to have been sent?
    #[must_use]
    pub fn has(&self, tag: Tag) -> bool {
        let Tag::Sent { by, k } = tag else { return false };
        self.sent(by).is_some_and(|sent| sent >= k.0)
    }
    /// Puts floors on top, up to this height.
    fn raise(&mut self, height: u32) {
        while self.height < height {
            if let Some(root) = self.root.take() {
                let mut floor = Floor {
                    len: root.len(),
                    ..Floor::default()
                };
                floor.below[0] = Some(root);
                self.root = Some(ClockNode::Floor(Arc::new(floor)));
            }
            self.height += 1;
        }
    }
    /// Takes over that a process has sent so many signals.
    pub fn learn(&mut self, by: Pid, sent: u64) {
        if self.sent(by).unwrap_or(0) >= sent {
            return;
        }
        while is_beyond(by.0, self.height) {
            self.raise(self.height + 1);
        }
        let height = self.height;
        self.root
            .get_or_insert_with(|| ClockNode::new(height))
            .set(height, by.0, sent);
    }
    /// Takes over what another clock knows.
    pub fn merge(&mut self, other: &Self) {
        let Some(theirs) = &other.root else { return };
        let Some(mine) = &self.root else {
            *self = other.clone();
            return;
        };
        if self.height == other.height {
            self.root = Some(mine.merged(theirs));
            return;
        }
        let mut other = other.clone();
        other.raise(self.height);
        self.raise(other.height);
        if let (Some(mine), Some(theirs)) = (&self.root, &other.root) {
            self.root = Some(mine.merged(theirs));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn as_map(clock: &VectorClock) -> BTreeMap<u64, u64> {
        clock.iter().map(|(pid, sent)| (pid.0, sent)).collect()
    }

    proptest! {
        /// Whatever is learned and merged, each clock is a map of greatest numbers.
        #[test]
        fn it_is_a_map_of_greatest_numbers(
            steps in proptest::collection::vec((0..3_usize, 0..3_usize, prop_oneof![0..40_u64, 0..5_000_u64, any::<u64>()], 1..9_u64), 0..120),
        ) {
            let mut all: [(VectorClock, BTreeMap<u64, u64>); 3] = Default::default();
            for (one, other, pid, sent) in steps {
                if one == other {
                    let (clock, map) = &mut all[one];
                    clock.learn(Pid(pid), sent);
                    let known = map.entry(pid).or_default();
                    *known = sent.max(*known);
                    prop_assert_eq!(clock.sent(Pid(pid)), Some(*known));
                } else {
                    let (clock, map) = all[other].clone();
                    all[one].0.merge(&clock);
                    for (pid, sent) in map {
                        let known = all[one].1.entry(pid).or_default();
                        *known = sent.max(*known);
                    }
                }
                for (clock, map) in &all {
                    prop_assert_eq!(&as_map(clock), map);
                    prop_assert_eq!(clock.len(), map.len());
                    prop_assert_eq!(clock.is_empty(), map.is_empty());
                    prop_assert_eq!(clock.sent(Pid(pid)), map.get(&pid).copied());
                }
            }
        }
    }

    proptest! {
        /// What a clock knows more than before is what was learned or merged since.
        #[test]
        fn the_news_are_what_is_new(
            before in proptest::collection::vec((prop_oneof![0..40_u64, 0..5_000_u64, any::<u64>()], 1..9_u64), 0..60),
            after in proptest::collection::vec((prop_oneof![0..40_u64, 0..5_000_u64, any::<u64>()], 1..9_u64), 0..60),
        ) {
            let (mut clock, mut other) = (VectorClock::default(), VectorClock::default());
            before.into_iter().for_each(|(pid, sent)| clock.learn(Pid(pid), sent));
            let older = clock.clone();
            after.iter().for_each(|(pid, sent)| other.learn(Pid(*pid), *sent));
            clock.merge(&other);
            let mut news = clock.news(&older);
            news.sort_unstable();
            let all = clock.iter().filter(|(pid, sent)| older.sent(*pid) != Some(*sent));
            prop_assert_eq!(news, all.collect::<Vec<_>>());
        }
    }

    /// What was taken over once is passed over: the merged clock is the same tree.
    #[test]
    fn what_brings_nothing_new_leaves_a_clock_as_it_is() {
        let mut one = VectorClock::default();
        (1..2_000).for_each(|pid| one.learn(Pid(pid), 1));
        let older = one.clone();
        one.learn(Pid(70), 2);
        let before = one.clone();
        one.merge(&older);
        assert!(one.is_same(&before) && !one.is_same(&older));
        let mut older = older;
        older.merge(&one);
        assert!(older.is_same(&one));
    }
}
