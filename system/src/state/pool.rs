//! Replay: the signals that were sent to a process and not consumed, by tag.
//!
//! Nearly all of them are numbered signals of some sender, consumed roughly in that order. Each sender has a queue, so the common case neither
//! hashes a tag nor moves anything.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use interpreter::atom::Atom;
use interpreter::term::Term;
use log_format::{Pid, SendNo, Tag};
use rustc_hash::FxHashMap;

use crate::state::map::Map;
use crate::state::signal::Signal;

/// The signals of one sender, by number. A signal removed from the middle leaves a hole until the hole comes to the front.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// invariant: ascending numbers; the first is not a hole.
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

/// Limit: changes that are noted until somebody asks. After more of them, all signals are read anew.
const NOTED: usize = 4096;

/// Which signals have come and gone since somebody asked. A copy of the pool has none: who asked does not know it.
#[derive(Debug, Default)]
struct Changes {
    /// The name of the state of the pool from which on they are noted; 0: they are not.
    since: u64,
    tags: Vec<Tag>,
}

impl Clone for Changes {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Changes {
    #[inline]
    fn note(&mut self, tag: Tag) {
        if self.since == 0 {
            return;
        }
        match self.tags.len() < NOTED {
            true => self.tags.push(tag),
            // Nobody asks any more.
            false => self.forget(),
        }
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The contents of a pool that has ever held a signal.
#[derive(Clone, Debug, Default)]
struct HeldSignals {
    /// By sender. invariant: no queue is empty.
    sent: Map<Pid, Queue>,
    /// Signals sent by ends, and those without a sender.
    others: FxHashMap<Tag, Signal>,
    len: usize,
    /// Words of the signals.
    words: usize,
    /// How many are exit signals, and how many of these tell only that a linked process came to its normal end.
    exits: usize,
    farewells: usize,
    /// How many are something else than numbered messages.
    odd: usize,
    changes: Changes,
    /// The memory of the queue that last became empty.
    spare: Queue,
}

impl HeldSignals {
    fn counts(&mut self, tag: &Tag, signal: &Signal) {
        self.len += 1;
        self.words += signal.words();
        self.exits += usize::from(is_exit(signal));
        self.farewells += usize::from(is_farewell(signal));
        self.odd += usize::from(is_odd(tag, signal));
    }

    fn counts_no_more(&mut self, tag: &Tag, signal: &Signal) {
        self.len -= 1;
        self.words -= signal.words();
        self.exits -= usize::from(is_exit(signal));
        self.farewells -= usize::from(is_farewell(signal));
        self.odd -= usize::from(is_odd(tag, signal));
    }

    fn remove(&mut self, tag: &Tag) -> Option<Signal> {
        let signal = match tag {
            Tag::Sent { by, k } => {
                // A single look-up, also if the queue becomes empty.
                let (signal, empty) = self.sent.change(*by, |queue| {
                    let signal = queue.remove(k.0);
                    (signal, queue.signals.is_empty())
                })?;
                if let Some(empty) = empty {
                    self.spare = empty;
                }
                signal?
            }
            other => self.others.remove(other)?,
        };
        self.counts_no_more(tag, &signal);
        self.changes.note(*tag);
        Some(signal)
    }
}

/// Is it something else than a numbered message?
const fn is_odd(tag: &Tag, signal: &Signal) -> bool {
    !matches!((tag, signal), (Tag::Sent { .. }, Signal::Message(_)))
}

const fn is_exit(signal: &Signal) -> bool {
    matches!(signal, Signal::Exit { .. })
}

/// Is it the exit signal of a linked process that came to its normal end? It ends nobody, and only who traps exits hears of it.
#[must_use]
pub fn is_farewell(signal: &Signal) -> bool {
    match signal {
        Signal::Exit {
            reason,
            link: true,
            via: None,
            ..
        } => reason.as_immediate() == Some(Term::atom(Atom::NORMAL)),
        _ => false,
    }
}

/// The pool of a process; see the module. It takes memory only once it holds a signal: with very many processes, most receive none.
#[derive(Clone, Debug, Default)]
pub struct Pool(Option<Box<HeldSignals>>);

impl Pool {
    /// The number of signals.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |held| held.len)
    }

    /// Is it empty?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Words of all signals.
    #[must_use]
    pub fn words(&self) -> usize {
        self.0.as_ref().map_or(0, |held| held.words)
    }

    /// Is there an exit signal that could end a process?
    #[must_use]
    pub fn has_deadly(&self) -> bool {
        self.0.as_ref().is_some_and(|held| held.exits > held.farewells)
    }

    /// Before its process is shared: from now on, a copy shares what does not change.
    pub(crate) fn settle(&mut self) {
        if let Some(held) = &mut self.0 {
            held.sent.settle();
        }
    }

    /// The signal of this tag.
    #[must_use]
    pub fn get(&self, tag: &Tag) -> Option<&Signal> {
        let held = self.0.as_ref()?;
        match tag {
            Tag::Sent { by, k } => held.sent.get(by)?.get(k.0),
            other => held.others.get(other),
        }
    }

    /// Is there a signal of this tag?
    #[must_use]
    pub fn contains(&self, tag: &Tag) -> bool {
        self.get(tag).is_some()
    }

    /// Adds a signal; replaces one with the same tag.
    pub fn insert(&mut self, tag: Tag, signal: Signal) {
        let held = self.0.get_or_insert_default();
        held.counts(&tag, &signal);
        held.changes.note(tag);
        let before = match tag {
            Tag::Sent { by, k } => {
                let spare = &mut held.spare;
                let queue = held.sent.get_or_insert_with(by, || std::mem::take(spare));
                queue.insert(k.0, signal)
            }
            other => held.others.insert(other, signal),
        };
        if let Some(before) = before {
            held.counts_no_more(&tag, &before);
        }
    }

    /// Has it nothing but numbered messages?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.0.as_ref().is_none_or(|held| held.odd == 0)
    }

    /// Has it nothing but numbered messages, and signals that a process that has never trapped exits does not hear of?
    #[must_use]
    pub fn is_plain_without_farewells(&self) -> bool {
        self.0.as_ref().is_none_or(|held| held.odd == held.farewells)
    }

    /// Names the current state of the pool. The tags of what has come or gone since the state named `since`, in this order; `None` if that is not known.
    pub fn changes(&mut self, since: u64) -> (u64, Option<Vec<Tag>>) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let now = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let changes = &mut self.0.get_or_insert_default().changes;
        let is_known = since != 0 && changes.since == since;
        let tags = std::mem::take(&mut changes.tags);
        changes.since = now;
        (now, is_known.then_some(tags))
    }

    /// What has come and gone does not count any more: it came in another order than it was sent.
    pub fn forget_changes(&mut self) {
        if let Some(held) = &mut self.0 {
            held.changes.forget();
        }
    }

    /// Takes the signal of this tag.
    #[inline]
    pub fn remove(&mut self, tag: &Tag) -> Option<Signal> {
        let held = self.0.as_mut().filter(|held| held.len > 0)?;
        held.remove(tag)
    }

    /// Has it a signal that a process sent after its `last`-th one?
    #[must_use]
    pub fn has_after(&self, by: Pid, last: u64) -> bool {
        let queue = self.0.as_ref().and_then(|held| held.sent.get(&by));
        queue.is_some_and(|queue| queue.signals.back().is_some_and(|(k, _)| *k > last))
    }

    /// Removes what a process sent after its `last`-th signal.
    pub fn truncate(&mut self, by: Pid, last: u64) {
        let Some(held) = &mut self.0 else { return };
        let Some(queue) = held.sent.get_mut(&by) else { return };
        let mut gone = Vec::new();
        while let Some((k, signal)) = queue.signals.pop_back_if(|(k, _)| *k > last) {
            gone.extend(signal.map(|signal| (Tag::Sent { by, k: SendNo(k) }, signal)));
        }
        // There are holes only between signals.
        while queue.signals.pop_back_if(|(_, signal)| signal.is_none()).is_some() {}
        if queue.signals.is_empty() {
            held.spare = held.sent.remove(&by).unwrap_or_default();
        }
        gone.iter().for_each(|(tag, signal)| held.counts_no_more(tag, signal));
        held.changes.forget();
    }

    /// Of the signals sent by ends and those without a sender, keeps those whose tags satisfy this.
    pub fn retain_others(&mut self, keep: impl Fn(&Tag) -> bool) {
        let Some(held) = &mut self.0 else { return };
        let gone: Vec<(Tag, Signal)> = held.others.extract_if(|tag, _| !keep(tag)).collect();
        gone.iter().for_each(|(tag, signal)| held.counts_no_more(tag, signal));
        held.changes.forget();
    }

    /// All signals with their tags, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Tag, &Signal)> {
        let held = self.0.iter();
        held.flat_map(|held| {
            let queues = held.sent.iter().flat_map(|(&by, queue): (&Pid, &Queue)| {
                let there = queue.signals.iter();
                there.filter_map(move |(k, signal)| Some((Tag::Sent { by, k: SendNo(*k) }, signal.as_ref()?)))
            });
            queues.chain(held.others.iter().map(|(tag, signal)| (*tag, signal)))
        })
    }

    /// All tags, in no particular order.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.iter().map(|(tag, _)| tag)
    }

    /// Removes and returns all signals, in the order of their tags.
    pub fn drain(&mut self) -> Vec<(Tag, Signal)> {
        let mut all: Vec<(Tag, Signal)> = self.iter().map(|(tag, signal)| (tag, signal.clone())).collect();
        self.0 = None;
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
            assert_eq!(pool.is_plain(), map.keys().all(|tag| matches!(tag, Tag::Sent { .. })));
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

    #[test]
    fn it_counts_what_could_end_a_process_and_what_nobody_hears_of() {
        let exit = |reason: Atom, link: bool| Signal::Exit {
            from: interpreter::term::Pid::new(0, 2),
            reason: Fragment::immediate(Term::atom(reason)),
            link,
            via: None,
        };
        let tag = |n: u64| Tag::EndTo { by: Pid(n), to: Pid(1) };
        let mut pool = Pool::default();
        pool.insert(tag(2), exit(Atom::NORMAL, true));
        assert!(!pool.has_deadly() && pool.is_plain_without_farewells() && !pool.is_plain());
        for signal in [exit(Atom::NORMAL, false), exit(Atom::KILL, true)] {
            pool.insert(tag(3), signal);
            assert!(pool.has_deadly() && !pool.is_plain_without_farewells());
            pool.remove(&tag(3));
        }
        pool.remove(&tag(2));
        assert!(pool.is_plain());
    }

    #[test]
    fn it_tells_what_has_come_and_gone_to_who_asked_last() {
        let tag = |k: u64| Tag::Sent {
            by: Pid(1),
            k: SendNo(k),
        };
        let mut pool = Pool::default();
        pool.insert(tag(1), signal(1));
        let (first, none) = pool.changes(0);
        assert_eq!(none, None);
        pool.insert(tag(2), signal(2));
        pool.remove(&tag(1));
        let mut copy = pool.clone();
        assert_eq!(copy.changes(first).1, None, "a copy goes its own way");
        let (second, changes) = pool.changes(first);
        assert_eq!(changes, Some(vec![tag(2), tag(1)]));
        assert_eq!(pool.changes(first).1, None, "somebody else has asked since");
        let (third, _) = pool.changes(second);
        pool.truncate(Pid(1), 1);
        assert_eq!(pool.changes(third).1, None);
        let (fourth, _) = pool.changes(0);
        let (fifth, changes) = pool.changes(fourth);
        assert_eq!(changes, Some(Vec::new()));
        for _ in 0..NOTED {
            pool.insert(tag(9), signal(9));
            pool.remove(&tag(9));
        }
        assert_eq!(pool.changes(fifth).1, None, "nobody has asked for long");
    }
}
