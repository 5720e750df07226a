//! Replay: the signals that have been sent to a process and not been consumed, found by their tags.
//!
//! Nearly all of them are the signals of some sender, numbered by it and consumed about in that order: each sender has a queue, so that the
//! common case neither hashes a tag nor moves anything.

use std::collections::VecDeque;

use log_format::{Pid, SendNo, Tag};
use rustc_hash::FxHashMap;

use crate::process::Signal;

/// The signals of one sender, by number. What was taken out of the middle leaves a hole until it comes to the front.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// invariant: ascending numbers; the first is no hole.
    signals: VecDeque<(u64, Option<Signal>)>,
}

impl Queue {
    fn place(&self, k: u64) -> Result<usize, usize> {
        match self.signals.front() {
            Some((first, _)) if *first == k => Ok(0),
            _ => self.signals.binary_search_by_key(&k, |(k, _)| *k),
        }
    }

    fn get(&self, k: u64) -> Option<&Signal> {
        let at = self.place(k).ok()?;
        self.signals.get(at)?.1.as_ref()
    }

    fn insert(&mut self, k: u64, signal: Signal) -> Option<Signal> {
        if self.signals.back().is_none_or(|(last, _)| *last < k) {
            self.signals.push_back((k, Some(signal)));
            return None;
        }
        match self.place(k) {
            Ok(at) => self.signals.get_mut(at).and_then(|(_, there)| there.replace(signal)),
            Err(at) => {
                self.signals.insert(at, (k, Some(signal)));
                None
            }
        }
    }

    fn remove(&mut self, k: u64) -> Option<Signal> {
        let at = self.place(k).ok()?;
        let signal = self.signals.get_mut(at)?.1.take()?;
        while self.signals.front().is_some_and(|(_, signal)| signal.is_none()) {
            self.signals.pop_front();
        }
        Some(signal)
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// By sender. invariant: no queue is empty.
    sent: FxHashMap<Pid, Queue>,
    /// What ends emitted, and what no process sent.
    others: FxHashMap<Tag, Signal>,
    len: usize,
    /// The memory of the queue that became empty last.
    spare: Queue,
}

impl Pool {
    /// How many signals there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// None?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The signal of this tag.
    #[must_use]
    pub fn get(&self, tag: &Tag) -> Option<&Signal> {
        match tag {
            Tag::Sent { by, k } => self.sent.get(by)?.get(k.0),
            other => self.others.get(other),
        }
    }

    /// Is there a signal of this tag?
    #[must_use]
    pub fn contains(&self, tag: &Tag) -> bool {
        self.get(tag).is_some()
    }

    /// Adds a signal, instead of the one of this tag if there is one.
    pub fn insert(&mut self, tag: Tag, signal: Signal) {
        let before = match tag {
            Tag::Sent { by, k } => {
                let spare = &mut self.spare;
                let queue = self.sent.entry(by).or_insert_with(|| std::mem::take(spare));
                queue.insert(k.0, signal)
            }
            other => self.others.insert(other, signal),
        };
        self.len += usize::from(before.is_none());
    }

    /// Takes the signal of this tag.
    pub fn remove(&mut self, tag: &Tag) -> Option<Signal> {
        if self.len == 0 {
            return None;
        }
        let signal = match tag {
            Tag::Sent { by, k } => {
                let queue = self.sent.get_mut(by)?;
                let signal = queue.remove(k.0)?;
                if queue.signals.is_empty() {
                    self.spare = self.sent.remove(by).unwrap_or_default();
                }
                signal
            }
            other => self.others.remove(other)?,
        };
        self.len -= 1;
        Some(signal)
    }

    /// Takes away what a process sent after its `last`-th signal.
    pub fn truncate(&mut self, by: Pid, last: u64) {
        let Some(queue) = self.sent.get_mut(&by) else { return };
        while let Some((_, signal)) = queue.signals.pop_back_if(|(k, _)| *k > last) {
            self.len -= usize::from(signal.is_some());
        }
        // Holes are left only between signals.
        while queue.signals.pop_back_if(|(_, signal)| signal.is_none()).is_some() {}
        if queue.signals.is_empty() {
            self.spare = self.sent.remove(&by).unwrap_or_default();
        }
    }

    /// Keeps those of what ends emitted, and of what no process sent, whose tags are like this.
    pub fn retain_others(&mut self, keep: impl Fn(&Tag) -> bool) {
        let before = self.others.len();
        self.others.retain(|tag, _| keep(tag));
        self.len -= before - self.others.len();
    }

    /// All with their tags, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Tag, &Signal)> {
        let queues = self.sent.iter().flat_map(|(&by, queue)| {
            let there = queue.signals.iter();
            there.filter_map(move |(k, signal)| Some((Tag::Sent { by, k: SendNo(*k) }, signal.as_ref()?)))
        });
        queues.chain(self.others.iter().map(|(tag, signal)| (*tag, signal)))
    }

    /// The tags of all, in no particular order.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.iter().map(|(tag, _)| tag)
    }

    /// Takes all, in the order of their tags.
    pub fn drain(&mut self) -> Vec<(Tag, Signal)> {
        let Self { sent, others, .. } = std::mem::take(self);
        let mut all: Vec<(Tag, Signal)> = others.into_iter().collect();
        for (by, queue) in sent {
            let signals = queue.signals.into_iter();
            all.extend(signals.filter_map(|(k, signal)| Some((Tag::Sent { by, k: SendNo(k) }, signal?))));
        }
        all.sort_by_key(|(tag, _)| *tag);
        all
    }
}

#[cfg(test)]
mod tests {
    use interpreter::heap::Fragment;
    use interpreter::term::Term;

    use super::*;

    fn signal(n: i64) -> Signal {
        Signal::Message(Fragment::immediate(Term::small(n)))
    }

    fn number(signal: Option<&Signal>) -> Option<i64> {
        match signal {
            Some(Signal::Message(message)) => message.as_immediate().map(Term::small_value),
            _ => None,
        }
    }

    /// Every order of putting in and taking out gives what a map of tags gives.
    #[test]
    fn it_is_a_map_of_tags() {
        let tag = |n: u64| match n % 4 {
            0 => Tag::EndTo { by: Pid(n), to: Pid(1) },
            by => Tag::Sent {
                by: Pid(by),
                k: SendNo(n / 4),
            },
        };
        let (mut pool, mut map) = (Pool::default(), std::collections::BTreeMap::new());
        let mut state = 1_u64;
        for turn in 0..20_000_i64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let tag = tag((state >> 33) % 200);
            if state >> 63 == 0 {
                pool.insert(tag, signal(turn));
                map.insert(tag, turn);
            } else {
                assert_eq!(number(pool.remove(&tag).as_ref()), map.remove(&tag));
            }
            assert_eq!(pool.len(), map.len());
            assert_eq!(number(pool.get(&tag)), map.get(&tag).copied());
        }
        let mut tags: Vec<Tag> = pool.tags().collect();
        tags.sort_unstable();
        assert_eq!(tags, map.keys().copied().collect::<Vec<_>>());
        let drained = pool.drain().into_iter().map(|(tag, s)| (tag, number(Some(&s))));
        let all: Vec<_> = map.into_iter().map(|(tag, n)| (tag, Some(n))).collect();
        assert_eq!(drained.collect::<Vec<_>>(), all);
        assert!(pool.is_empty() && pool.tags().next().is_none());
    }
}
