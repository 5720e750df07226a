//! What is noted of universes while they are found: their events, each once, and where each universe ends.

use std::collections::BTreeMap;
use std::hash::Hash;

use log_format::{Access, ActionId, InputClass, Kind, Pid, Resource, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Error;
use session::content::{Content, Speech};

use super::{Deed, SharedStep};
use crate::acts::{Act, Ear};
use crate::identity::Name;
use crate::outcome::{UniverseOutcome, renamed};
use crate::universe::Universe;

/// No event.
pub(super) const NONE: u32 = u32::MAX;

/// Numbers things.
#[derive(Clone)]
pub(super) struct Numbered<T> {
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
        }
    }
}

impl<T: Eq + Hash> Numbered<T> {
    /// The number of one.
    pub fn of(&mut self, one: T) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(one).or_insert(next)
    }

    /// All, by number.
    pub fn into_all(self) -> Vec<T> {
        let mut all: Vec<(T, u32)> = self.numbers.into_iter().collect();
        all.sort_unstable_by_key(|(_, number)| *number);
        all.into_iter().map(|(one, _)| one).collect()
    }
}

/// An event that can be a choice, with all that it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceEvent {
    pub pid: Pid,
    /// How many such events come before it in its process.
    pub position: u32,
    /// The one before it in its process, or before the birth of that.
    pub before: u32,
    pub step: u32,
    /// Events of other processes that it depends on: a part of [`Book::causes`].
    pub causes: (u32, u32),
}

/// A universe: where it ends, and the last events of its processes, a part of [`Book::lasts`].
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownUniverse {
    pub end: u32,
    pub actions: u64,
    pub lasts: (u32, u32),
}

/// Universes, noted one after the other. Memory grows with the number of different events, and by some bytes for each process of a universe.
#[derive(Clone, Default)]
pub struct Book {
    by_key: FxHashMap<Name, u32>,
    pub(super) events: Vec<ChoiceEvent>,
    pub(super) causes: Vec<u32>,
    pub(super) steps: Numbered<SharedStep>,
    pub(super) runs: FxHashMap<Pid, String>,
    pub(super) outcomes: Numbered<UniverseOutcome>,
    /// The state at the end, and what came of it.
    pub(super) ends: Numbered<(u32, Name)>,
    pub(super) universes: Vec<KnownUniverse>,
    pub(super) lasts: Vec<u32>,
    /// The names of the universes by their last events, and how many universes have those of another one.
    ways: FxHashSet<Name>,
    alike: u64,
}

/// What is known of a process, of a signal or of a version of something, in one universe.
#[derive(Clone, Copy, Default)]
struct UniverseMark {
    key: Name,
    /// The last event before it. `NONE`: none.
    event: u32,
}

/// A process, and which of its actions it was, if that is known.
type WriterOf = (Pid, Option<u64>);

/// One universe while it is read.
struct UniverseReader<'a> {
    book: &'a mut Book,
    names: &'a FxHashMap<Pid, Pid>,
    now: FxHashMap<Pid, UniverseMark>,
    /// The last event of each process itself.
    own: FxHashMap<Pid, u32>,
    sent: FxHashMap<(Pid, u64), UniverseMark>,
    sends: FxHashMap<Pid, u64>,
    /// How many actions each process has done.
    actions: FxHashMap<Pid, u64>,
    /// By version: who wrote it. A replay can read an old version.
    written: FxHashMap<Resource, BTreeMap<u64, Vec<(UniverseMark, WriterOf)>>>,
}

impl Book {
    /// Notes a universe of a search that is [`telling`](crate::Explorer::telling). If its number is 1, what was noted before does not count.
    ///
    /// # Errors
    /// A universe cannot be repeated.
    pub fn note(&mut self, universe: &Universe<'_>) -> Result<(), Error> {
        if universe.number == 1 {
            *self = Self::default();
        }
        let standing = universe.standing();
        let mut reader = UniverseReader {
            names: &universe.names,
            now: FxHashMap::default(),
            own: FxHashMap::default(),
            sent: FxHashMap::default(),
            sends: FxHashMap::default(),
            actions: FxHashMap::default(),
            written: FxHashMap::default(),
            book: self,
        };
        universe.acts(&mut reader)?;
        let mut lasts: Vec<u32> = reader.own.values().copied().collect();
        lasts.sort_unstable_by_key(|last| self.events[*last as usize].pid);
        let outcome = self.outcomes.of(universe.outcome.clone());
        // If it is not known where it ends, that is nowhere else.
        let standing = standing.unwrap_or_else(|| Name::of(u64::MAX).then(universe.number));
        let way = lasts.iter().fold(Name::of(0), |way, last| way.then(u64::from(*last)));
        self.alike += u64::from(!self.ways.insert(way));
        let from = self.lasts.len() as u32;
        self.lasts.extend(&lasts);
        self.universes.push(KnownUniverse {
            end: self.ends.of((outcome, standing)),
            actions: universe.actions,
            lasts: (from, self.lasts.len() as u32),
        });
        Ok(())
    }

    /// How many universes were noted.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.universes.len()
    }

    /// How many universes differ from another one only in what no event shows: in what was dropped when it arrived.
    #[must_use]
    pub const fn alike(&self) -> u64 {
        self.alike
    }

    /// Was none?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.universes.is_empty()
    }

    /// The last events of the processes of a universe, by process.
    pub(super) fn lasts_of(&self, universe: u32) -> &[u32] {
        let (from, to) = self.universes[universe as usize].lasts;
        &self.lasts[from as usize..to as usize]
    }

    /// An event and those before it in its process, in order.
    pub(super) fn up_to(&self, last: u32) -> Box<[u32]> {
        let pid = self.events[last as usize].pid;
        let mut all = Vec::with_capacity(self.events[last as usize].position as usize + 1);
        let mut at = last;
        while at != NONE && self.events[at as usize].pid == pid {
            all.push(at);
            at = self.events[at as usize].before;
        }
        all.reverse();
        all.into()
    }
}

impl Ear for UniverseReader<'_> {
    fn hear(&mut self, act: &Act<'_>, text: &dyn Fn(Tag) -> Option<Content>) {
        let here = self.mark(act.pid);
        let actions = self.actions.entry(act.pid).or_default();
        *actions += u64::from(act.kind.is_some());
        let by = (act.pid, Some(*actions));
        let name = self.named(act.pid);
        if !act.said.runs.is_empty() {
            self.book.runs.entry(name).or_insert_with(|| act.said.runs.clone());
        }
        let (key, causes, from) = self.key(act, here);
        let event = match is_noted(act) {
            true => Some(self.event(act, (here, key, causes), from, text)),
            false => None,
        };
        let mark = UniverseMark {
            key,
            event: event.unwrap_or(here.event),
        };
        self.now.insert(act.pid, mark);
        if let Some(event) = event {
            self.own.insert(act.pid, event);
        }
        if let Some(child) = act.kind.and_then(Kind::spawned) {
            let key = key.then(100);
            self.now.insert(child, UniverseMark { key, ..mark });
        }
        let sends = self.sends.entry(act.pid).or_default();
        for k in *sends + 1..=*sends + act.sends {
            let key = key.then(200).then(k);
            self.sent.insert((act.pid, k), UniverseMark { key, ..mark });
        }
        *sends += act.sends;
        for access in act.accesses.iter().filter(|access| access.write) {
            let versions = self.written.entry(access.resource).or_default();
            versions.entry(access.version.0).or_default().push((mark, by));
        }
    }
}

/// Can it be a choice, or does a choice depend on what it found?
fn is_noted(act: &Act<'_>) -> bool {
    match act.kind {
        Some(Kind::Spawn { .. } | Kind::Send | Kind::Output { .. }) => {
            act.arrived.is_some()
                || act
                    .accesses
                    .iter()
                    .any(|one| !matches!(one.resource, Resource::Alive(_)) || !one.write)
        }
        Some(_) | None => true,
    }
}

impl UniverseReader<'_> {
    fn named(&self, pid: Pid) -> Pid {
        self.names.get(&pid).copied().unwrap_or(pid)
    }

    fn mark(&self, pid: Pid) -> UniverseMark {
        let first = UniverseMark {
            key: Name::of(1),
            event: NONE,
        };
        self.now.get(&pid).copied().unwrap_or(first)
    }

    /// What a signal depends on.
    fn signal(&self, tag: Tag) -> UniverseMark {
        let by = tag.sender();
        let known = match tag {
            Tag::Sent { by, k } => self.sent.get(&(by, k.0)).copied(),
            _ => None,
        };
        // It comes of an end.
        let mark = known.unwrap_or_else(|| match by {
            Some(by) => self.mark(by),
            None => UniverseMark {
                key: Name::of(2),
                event: NONE,
            },
        });
        let kind = match tag {
            Tag::Sent { .. } => 0,
            Tag::EndTo { .. } => 1,
            Tag::EndRef { k, .. } => 2 + k,
            Tag::EndTable { .. } => 3,
            Tag::Limit { .. } => 4,
        };
        UniverseMark {
            key: mark.key.then(kind),
            ..mark
        }
    }

    /// The name of an act with all that it depends on, the events of others that it depends on, and whose doing it met.
    fn key(&self, act: &Act<'_>, here: UniverseMark) -> (Name, Vec<u32>, Option<WriterOf>) {
        let mut key = here.key.then(code(act));
        let (mut causes, mut from) = (Vec::new(), None);
        let consumed = act.kind.and_then(consumed);
        for tag in consumed.into_iter().chain(act.arrived) {
            let mark = self.signal(tag);
            key = key.then_name(mark.key);
            causes.push(mark.event);
            from = from.or_else(|| Some((tag.sender()?, None)));
        }
        match act.kind {
            Some(Kind::Drop { value, .. }) => key = key.then_name(Name::of_bytes(value)),
            Some(Kind::Input { value }) => key = InputClass::picked(value).map_or(key, |n| key.then(u64::from(n))),
            Some(Kind::Observe { of, value }) => {
                key = key.then_name(Name::of_bytes(value));
                // After which action of the other process it looked makes another universe, also if it saw the same.
                for of in of.iter() {
                    let at = self.at(*of);
                    key = key.then(self.named(of.pid).0).then(u64::from(at)).then(of.number.0);
                    causes.push(at);
                }
            }
            Some(Kind::Halt { .. }) => {
                // Which crashes came before it makes another universe.
                let mut all: Vec<UniverseMark> = self.now.values().copied().collect();
                all.sort_unstable_by_key(|mark| mark.key);
                for mark in all {
                    key = key.then_name(mark.key);
                    causes.push(mark.event);
                }
            }
            _ => {}
        }
        // What is written in a table says more than who made the table.
        let has_data = act.accesses.iter().any(|access| access.resource.is_data());
        for access in &act.accesses {
            let (name, by) = self.read(access, &mut causes);
            key = key.then(u64::from(access.write)).then_name(name);
            let tells = !has_data || access.resource.is_data();
            from = from.or_else(|| by.filter(|(by, _)| tells && *by != act.pid));
        }
        causes.retain(|cause| *cause != NONE && *cause != here.event);
        causes.sort_unstable();
        causes.dedup();
        (key, causes, from.map(|(pid, action)| (self.named(pid), action)))
    }

    /// What an access finds: the name of the version, and who wrote it.
    fn read(&self, access: &Access, causes: &mut Vec<u32>) -> (Name, Option<WriterOf>) {
        let Some(versions) = self.written.get(&access.resource) else {
            return (Name::default(), None);
        };
        let version = access.version.0;
        let is_sum = matches!(access.resource, Resource::Counter { .. });
        if is_sum || causality::writes_commute(access.resource) {
            // These writes have no order among themselves.
            let (mut all, mut last) = (Name::default(), None);
            let before = versions
                .iter()
                .take_while(|(of, _)| **of < version || **of == version && !access.write);
            for (mark, by) in before
                .flat_map(|(_, writes)| writes)
                .filter(|_| is_sum || !access.write)
            {
                all = all.and(mark.key);
                causes.push(mark.event);
                last = Some(*by);
            }
            return (all, last);
        }
        let found = match access.write {
            true => versions.range(..version).next_back(),
            false => versions.range(..=version).next_back(),
        };
        match found.and_then(|(_, writes)| writes.last()) {
            Some((mark, by)) => {
                causes.push(mark.event);
                (mark.key, Some(*by))
            }
            None => (Name::default(), None),
        }
    }

    /// The last event of a process (it is not known which one an action of it was).
    fn at(&self, of: ActionId) -> u32 {
        self.mark(of.pid).event
    }

    /// The number of an event.
    fn event(
        &mut self,
        act: &Act<'_>,
        (here, key, causes): (UniverseMark, Name, Vec<u32>),
        from: Option<WriterOf>,
        text: &dyn Fn(Tag) -> Option<Content>,
    ) -> u32 {
        if let Some(known) = self.book.by_key.get(&key) {
            return *known;
        }
        let step = self.step(act, from, text);
        let step = self.book.steps.of(step);
        let book = &mut *self.book;
        let own = self.own.get(&act.pid);
        let position = own.map_or(0, |own| book.events[*own as usize].position + 1);
        let first = book.causes.len() as u32;
        book.causes.extend(&causes);
        let number = book.events.len() as u32;
        let pid = self.names.get(&act.pid).copied().unwrap_or(act.pid);
        book.events.push(ChoiceEvent {
            pid,
            position,
            before: here.event,
            step,
            causes: (first, book.causes.len() as u32),
        });
        book.by_key.insert(key, number);
        number
    }

    fn step(&self, act: &Act<'_>, from: Option<WriterOf>, text: &dyn Fn(Tag) -> Option<Content>) -> SharedStep {
        let said = |deed| (deed, Content::from(act.said.call.clone()));
        let (deed, what) = match act.kind {
            None => said(Deed::IsStuck),
            Some(Kind::Rec(tag)) => (Deed::Receives, text(*tag).unwrap_or_default()),
            Some(Kind::After) => said(Deed::TimesOut),
            Some(Kind::Signal { tag, .. }) => (Deed::IsEnded, text(*tag).unwrap_or_default()),
            Some(Kind::Exit { .. }) => said(Deed::Ends),
            Some(Kind::Halt { .. }) => said(Deed::Halts),
            Some(Kind::Input { value }) if InputClass::picked(value).is_some() => said(Deed::Chooses),
            Some(_) if act.arrived.is_some() => said(Deed::Finds),
            Some(_) => said(Deed::Calls),
        };
        let named = |text: &str| match self.names.is_empty() {
            true => text.to_owned(),
            false => renamed(text, |pid| self.named(pid)),
        };
        SharedStep {
            pid: self.named(act.pid),
            deed,
            said: match what.speech(act.said.in_library) {
                Speech::Plain(_) => None,
                speech => Some(named(&speech.noun())),
            },
            text: named(&what),
            from: from.map(|(pid, _)| pid),
            action: from.and_then(|(_, action)| action),
            place: act.said.place.clone(),
        }
    }
}

/// The signal that it consumed.
fn consumed(kind: &Kind) -> Option<Tag> {
    match kind {
        Kind::Rec(tag) | Kind::Signal { tag, .. } => Some(*tag),
        Kind::Drop { tag, .. } => *tag,
        _ => None,
    }
}

/// A number for what it is.
fn code(act: &Act<'_>) -> u64 {
    let word = act.kind.map_or("stuck", Kind::word);
    let code = word
        .bytes()
        .fold(7, |code: u64, byte| code.wrapping_mul(31).wrapping_add(u64::from(byte)));
    code * 2 + u64::from(act.arrived.is_some())
}
