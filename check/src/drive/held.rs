//! Signals that have arrived at a process and are held back, in the order of arrival, indexed by content and by sender.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Pid, Tag};
use rustc_hash::FxHashMap;

use super::Drive;
use crate::choices::SignalKey;
use crate::kin::Id;

/// A place in the order of arrival: the number of signals before it, and the distance to the next one.
type ArrivalPlace = (u64, i64);

/// What counts when a held signal is looked for.
#[derive(Clone, Copy)]
pub(super) struct Sort {
    /// It is ahead in the record of the process.
    is_ahead: bool,
    /// It is an exit signal, unless the process traps exits.
    is_exit: bool,
}

/// The held signals of one process. No signal occurs twice.
#[derive(Debug, Default)]
pub(super) struct HeldArrivals {
    /// By place in the order of arrival.
    all: BTreeMap<ArrivalPlace, (SignalKey, Tag)>,
    by_key: FxHashMap<SignalKey, BTreeSet<ArrivalPlace>>,
    by_sender: FxHashMap<Pid, BTreeSet<ArrivalPlace>>,
    places: FxHashMap<Tag, ArrivalPlace>,
    /// Those that are not ahead in the record of the process.
    unknown: BTreeSet<ArrivalPlace>,
    /// Those that are exit signals, unless the process traps exits.
    exits: BTreeSet<ArrivalPlace>,
    next: u64,
}

impl HeldArrivals {
    /// Adds a signal that has arrived.
    pub fn push(&mut self, key: SignalKey, tag: Tag, sort: Sort) {
        self.next += 1;
        self.put((self.next, 0), key, tag, sort);
    }

    fn put(&mut self, place: ArrivalPlace, key: SignalKey, tag: Tag, sort: Sort) {
        self.all.insert(place, (key, tag));
        if !sort.is_ahead {
            self.unknown.insert(place);
        }
        if sort.is_exit {
            self.exits.insert(place);
        }
        self.places.insert(tag, place);
        self.by_key.entry(key).or_default().insert(place);
        if let Some(sender) = tag.sender() {
            self.by_sender.entry(sender).or_default().insert(place);
        }
    }

    /// Removes a signal that is given.
    pub fn remove(&mut self, tag: Tag) {
        let Some(place) = self.places.remove(&tag) else { return };
        let Some((key, _)) = self.all.remove(&place) else {
            return;
        };
        self.unknown.remove(&place);
        self.exits.remove(&place);
        drop_from(&mut self.by_key, key, place);
        if let Some(sender) = tag.sender() {
            drop_from(&mut self.by_sender, sender, place);
        }
    }

    /// Adds a signal that was given and not received: after all others, but before those that the same process sent later.
    pub fn take_back(&mut self, key: SignalKey, tag: Tag, sort: Sort) {
        let is_later = |other: Tag| match (other, tag) {
            (Tag::Sent { k, .. }, Tag::Sent { k: sent, .. }) => k > sent,
            _ => true,
        };
        let same = tag.sender().and_then(|sender| self.by_sender.get(&sender));
        let mut same = same.into_iter().flatten();
        let later = same.find(|place| self.all.get(place).is_some_and(|(_, other)| is_later(*other)));
        let Some(&(behind, mut before)) = later else {
            return self.push(key, tag, sort);
        };
        while self.all.contains_key(&(behind, before)) {
            before -= 1;
        }
        self.put((behind, before), key, tag, sort);
    }

    /// From now on, the signals with this name are ahead in the record of the process, or not.
    pub fn set_ahead(&mut self, key: SignalKey, is_ahead: bool) {
        for place in self.by_key.get(&key).into_iter().flatten() {
            match is_ahead {
                true => self.unknown.remove(place),
                false => self.unknown.insert(*place),
            };
        }
    }

    /// Those that are not ahead in the record of the process, in the order of arrival.
    fn unknown(&self) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        self.unknown.iter().filter_map(|place| self.all.get(place).copied())
    }

    /// Exit signals, unless the process traps exits, in the order of arrival.
    fn exits(&self) -> impl Iterator<Item = Tag> + '_ {
        self.exits
            .iter()
            .filter_map(|place| self.all.get(place).map(|(_, tag)| *tag))
    }

    /// In the order of arrival.
    pub fn iter(&self) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        self.all.values().copied()
    }

    /// The signals with this name, in the order of arrival.
    fn named(&self, key: SignalKey) -> impl Iterator<Item = Tag> + '_ {
        let places = self.by_key.get(&key).into_iter().flatten();
        places.filter_map(|place| self.all.get(place).map(|(_, tag)| *tag))
    }

    /// The signals of this sender, in the order of arrival.
    fn sent_by(&self, sender: Pid) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        let places = self.by_sender.get(&sender).into_iter().flatten();
        places.filter_map(|place| self.all.get(place).copied())
    }

    /// How many have sent some.
    fn senders(&self) -> usize {
        self.by_sender.len()
    }

    /// Who has sent some, in no particular order.
    fn all_senders(&self) -> impl Iterator<Item = Pid> + '_ {
        self.by_sender.keys().copied()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

fn drop_from<K: std::hash::Hash + Eq>(places: &mut FxHashMap<K, BTreeSet<ArrivalPlace>>, key: K, place: ArrivalPlace) {
    if let Some(of_key) = places.get_mut(&key) {
        of_key.remove(&place);
        if of_key.is_empty() {
            places.remove(&key);
        }
    }
}

impl Drive<'_> {
    /// Signals that are held back for a process, in the order of arrival.
    pub(super) fn held_still(&self, pid: Pid) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        let held = self.held.get(&pid).into_iter().flat_map(HeldArrivals::iter);
        held.filter(move |(_, tag)| self.looks_at(pid, *tag))
    }

    /// Those of them that are not ahead in its record.
    pub(super) fn held_unknown(&self, pid: Pid) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        let held = self.held.get(&pid).into_iter().flat_map(HeldArrivals::unknown);
        held.filter(move |(_, tag)| self.looks_at(pid, *tag))
    }

    /// Exit signals that are held back for a process, in the order of arrival.
    pub(super) fn held_exits(&self, pid: Pid) -> impl Iterator<Item = Tag> + '_ {
        let held = self.held.get(&pid).into_iter().flat_map(HeldArrivals::exits);
        held.filter(move |tag| self.looks_at(pid, *tag) && self.system.is_exit(pid, *tag))
    }

    pub(super) fn sort(&self, pid: Pid, key: SignalKey, tag: Tag) -> Sort {
        Sort {
            is_ahead: self.is_ahead(pid, key),
            is_exit: self.system.is_held_exit(pid, tag),
        }
    }

    /// Is this signal still held back?
    fn looks_at(&self, pid: Pid, tag: Tag) -> bool {
        self.looks.set(self.looks.get() + 1);
        self.system.is_held(pid, tag)
    }

    /// What is looked at for a check of our own is no work of the run.
    pub(super) fn uncounted<T>(&self, of: impl FnOnce(&Self) -> T) -> T {
        let looks = self.looks.get();
        let found = of(self);
        self.looks.set(looks);
        found
    }

    /// A signal is ahead in the record of a process, or no longer.
    pub(super) fn set_ahead(&mut self, pid: Pid, id: Id, key: SignalKey, is_ahead: bool) {
        let Some(ahead) = self.ahead.get_mut(&id) else { return };
        match is_ahead {
            true => ahead.insert(key),
            false => ahead.remove(&key),
        };
        if let Some(held) = self.held.get_mut(&pid) {
            held.set_ahead(key, is_ahead);
        }
    }

    /// Those of them that this process sent.
    pub(super) fn held_from(&self, pid: Pid, sender: Pid) -> impl Iterator<Item = (SignalKey, Tag)> + '_ {
        let held = self
            .held
            .get(&pid)
            .into_iter()
            .flat_map(move |held| held.sent_by(sender));
        held.filter(move |(_, tag)| self.looks_at(pid, *tag))
    }

    /// The first signal with this name that is held back for a process.
    pub(super) fn held_tag(&self, pid: Pid, key: SignalKey) -> Option<Tag> {
        self.held.get(&pid)?.named(key).find(|tag| self.looks_at(pid, *tag))
    }

    /// Of the signals held back for a process, one that must come before this one: the first from its sender, or one that was sent causally
    /// before it. A timer counts as a separate sender.
    pub(super) fn first_of_pair(&self, pid: Pid, (key, tag): (SignalKey, Tag)) -> (SignalKey, Tag) {
        let is_timer = |key: SignalKey| self.system.observer.inner.timers.contains_key(&(pid, key));
        let Some(sender) = tag.sender().filter(|_| !is_timer(key)) else {
            return (key, tag);
        };
        let first_of = |sender: Pid| {
            let mut same = self.held.get(&pid).into_iter().flat_map(|held| held.sent_by(sender));
            same.find(|(known, other)| !is_timer(*known) && self.looks_at(pid, *other))
        };
        let own = first_of(sender).unwrap_or((key, tag));
        if own.1 != tag {
            return own;
        }
        // Inside a node, what was sent causally before it comes first, too, unless the receive has refused it.
        let Some(known) = self.system.known_to_signal(tag) else {
            return own;
        };
        let comes_before = |(by, sent): (Pid, u64)| {
            let (key, first) = first_of(by)?;
            let is_known = matches!(first, Tag::Sent { k, .. } if k.0 <= sent);
            (is_known && self.system.is_on_one_node(pid, [by, sender]) && !self.is_refused(pid, first))
                .then_some((key, first))
        };
        let held = self.held.get(&pid);
        // Who knows thousands of processes answers one for which little is held back, and the other way round.
        let before = match held.map_or(0, HeldArrivals::senders) <= known.len() {
            true => {
                let senders = held.into_iter().flat_map(HeldArrivals::all_senders);
                let known = senders.filter_map(|by| Some((by, known.sent(by)?)));
                known
                    .filter_map(|of| Some((of.0, comes_before(of)?)))
                    .min_by_key(|(by, _)| *by)
                    .map(|(_, first)| first)
            }
            false => known.iter().find_map(comes_before),
        };
        before.unwrap_or(own)
    }

    /// Whether it is the first signal of its sender.
    pub(super) fn is_first_of_pair(&self, pid: Pid, one: (SignalKey, Tag)) -> bool {
        self.first_of_pair(pid, one).1 == one.1
    }

    /// Lets a signal that is held back arrive.
    pub(super) fn give(&mut self, pid: Pid, tag: Tag) {
        if let Some(held) = self.held.get_mut(&pid) {
            held.remove(tag);
            if held.is_empty() {
                self.held.remove(&pid);
            }
        }
        self.stand.touch(pid);
        self.system.release(pid, tag);
    }
}
