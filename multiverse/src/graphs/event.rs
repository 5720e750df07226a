//! The events of a universe: actions with the choices that led to them, and what each of them depends on.

use std::sync::Arc;

use interpreter::vm;
use log_format::{Action, Kind, Pid, Resource, Tag};
use session::player::free::Choice;
use system::process::AliasMode;

use super::watch::{SentSignal, is_drawn};
use crate::said::Said;
use crate::stops::Doing;

/// A number for each process of a search, from 0.
pub(super) type ProcessNumber = u32;

/// A name for what an action did, given everything that it depends on. Copies of an event in other graphs have the same one.
pub(super) type Uid = u64;

/// How many actions of each other process are in the past of an event, by [`ProcessNumber`]. Events share what their clocks have in common, so an event costs
/// what it has learned, and not how many processes there are.
#[derive(Clone, Debug, Default)]
pub(super) struct EventClock(system::delivery::VectorClock);

impl EventClock {
    pub fn get(&self, place: ProcessNumber) -> u32 {
        let known = self.0.sent(Pid(place.into()));
        known.map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// Takes over what another event knows, and the event itself.
    pub fn learn(&mut self, clock: &Self, place: ProcessNumber, number: u32) {
        self.0.merge(&clock.0);
        self.0.learn(Pid(place.into()), number.into());
    }
}

/// A place in the order of the search: its number, and the one among all writers that a scan sees or does not see ([`WriterKey`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Stamp(pub u64, pub WriterKey);

impl Stamp {
    /// Of all but a scan.
    pub const fn of(number: u64) -> Self {
        Self(number, 0)
    }
}

/// The order in which a scan decides which writers it sees. It is the same in all graphs.
pub(super) type WriterKey = u64;

/// When, in the order of the search, the parts of an action were decided: whether an exit signal ends the process first; which version of each
/// resource is read; and what the action does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stamps {
    pub choice: u64,
    pub reads: Vec<u64>,
    /// Of scans: which writers it sees was decided later from some of them on.
    pub later: Vec<ScanStamp>,
    pub effect: u64,
}

/// From this writer on, the scan with this place among the reads was decided then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScanStamp {
    pub read: u32,
    pub from: WriterKey,
    pub number: u64,
}

impl Stamps {
    /// When a read was decided; of a scan, where that began.
    pub fn read(&self, at: usize) -> Stamp {
        Stamp::of(self.reads.get(at).copied().unwrap_or(0))
    }

    /// When it was decided whether a scan sees a writer.
    pub fn scan(&self, at: usize, writer: WriterKey) -> Stamp {
        let later = self.later.iter().rev();
        let mut later = later.filter(|one| one.read as usize == at && one.from <= writer);
        let number = later.next().map_or(self.read(at).0, |one| one.number);
        Stamp(number, writer)
    }

    /// The largest number.
    pub fn most(&self) -> u64 {
        let later = self.later.iter().map(|one| one.number);
        let reads = self.reads.iter().copied().chain(later);
        reads.fold(self.choice.max(self.effect), u64::max)
    }

    /// How many reads were decided up to this one; and if the last of these is a scan of which only a part was: before which writer.
    pub fn decided(&self, upto: Stamp) -> (usize, Option<WriterKey>) {
        for at in 0..self.reads.len() {
            if self.read(at) > upto {
                return (at, None);
            }
            let mut later = self.later.iter().filter(|one| one.read as usize == at);
            if let Some(open) = later.find(|one| Stamp::of(one.number) > upto) {
                return (at + 1, Some(open.from));
            }
        }
        (self.reads.len(), None)
    }

    /// Of the first reads; of the last of them, if it is a scan, only before this writer.
    pub fn first(&self, (reads, below): (usize, Option<WriterKey>)) -> Self {
        let is_kept = |one: &&ScanStamp| {
            let read = one.read as usize;
            read + 1 < reads || read + 1 == reads && below.is_none_or(|below| one.from < below)
        };
        Self {
            choice: self.choice,
            reads: self.reads[..reads].to_vec(),
            later: self.later.iter().filter(is_kept).copied().collect(),
            effect: 0,
        }
    }
}

/// Is it a thing of many writers, whose writes have no order: who scans it sees some of them?
pub(super) const fn is_group(resource: Resource) -> bool {
    match resource {
        Resource::TableContents(_) => true,
        Resource::Counter { index, .. } => index > 0,
        _ => false,
    }
}

/// What a use read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WasRead {
    pub resource: Resource,
    /// What wrote the version before; `None`: nobody.
    pub source: Option<Uid>,
    /// Of a scan: the writers that it sees, in the order of their keys.
    pub seen: Vec<(WriterKey, Uid)>,
}

impl WasRead {
    /// The same, of the writers before this one.
    pub fn below(mut self, below: WriterKey) -> Self {
        self.seen.retain(|(key, _)| *key < below);
        self
    }
}

/// A use of something shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EventUse {
    pub read: WasRead,
    pub writes: bool,
    /// Of a thing of many writers: does it depend on what was written there?
    pub scans: bool,
}

impl EventUse {
    pub const fn resource(&self) -> Resource {
        self.read.resource
    }

    /// Has it read what this event wrote?
    pub fn has_read(&self, uid: Uid) -> bool {
        self.read.source == Some(uid) || self.read.seen.iter().any(|(_, seen)| *seen == uid)
    }

    /// Does the order of two uses of one thing matter?
    pub const fn conflicts(&self, writes: bool, scans: bool) -> bool {
        match is_group(self.read.resource) {
            true => self.scans && writes || self.writes && scans,
            false => self.writes || writes,
        }
    }
}

/// What a step asks of signals: whether they have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asks {
    /// What ends the monitor or the alias with this number: a 'DOWN', or a reply.
    Ends(u64),
    /// The message of a timer of its own, which it cancels or reads.
    Timer(Tag),
}

impl Asks {
    /// Does it ask about this signal?
    pub fn is_about(self, sent: &SentSignal) -> bool {
        match (self, sent.tag) {
            (Self::Timer(tag), other) => tag == other,
            (Self::Ends(number), Tag::EndRef { k, .. }) => k == number,
            (Self::Ends(number), _) => sent
                .alias
                .is_some_and(|(of, mode)| of == number && matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor)),
        }
    }
}

/// What a process does not accept any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closed {
    /// Messages to the alias of this number.
    Alias(u64),
    /// The 'DOWN' with this number.
    Monitor(u64),
    /// The exit signal of the end of this process.
    Link(Pid),
}

/// A call of `link` or `unlink`: with whom, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Linked {
    pub with: Pid,
    pub on: bool,
}

impl Closed {
    pub fn is_about(self, sent: &SentSignal) -> bool {
        match (self, sent.tag) {
            (Self::Monitor(k), Tag::EndRef { k: l, .. }) => k == l,
            // The alias that goes with a monitor ends with it, unless only `unalias` ends it.
            (Self::Monitor(k), _) => sent
                .alias
                .is_some_and(|(of, mode)| of == k && mode != AliasMode::Explicit),
            (Self::Link(of), Tag::EndTo { by, .. }) => of == by,
            (Self::Link(_), _) => false,
            (Self::Alias(k), _) => sent.alias.is_some_and(|(number, _)| number == k),
        }
    }
}

/// Why a process does not go on.
#[derive(Clone)]
pub(super) enum Stop {
    /// It meets a breakpoint with this event.
    Before(Arc<Met>),
    /// It depends on such an event.
    After,
}

/// A breakpoint that an event meets.
pub(super) struct Met {
    pub breakpoint: usize,
    pub place: String,
    pub function: String,
    pub doing: Doing,
}

/// An action.
#[derive(Clone)]
pub(super) struct GraphEvent {
    pub uid: Uid,
    pub pid: Pid,
    pub place: ProcessNumber,
    /// Its number in its process.
    pub number: u32,
    pub choice: Choice,
    pub stamps: Stamps,
    /// Does its process trap exits before it, and after it?
    pub traps: [bool; 2],
    /// What is logged: one action, but for a process that ends itself by an exit signal, and none where it begins to trap exits, or ceases to.
    pub actions: Vec<Action>,
    /// What is said of these, if that is asked for.
    pub said: Vec<Said>,
    pub uses: Vec<EventUse>,
    pub sent: Vec<SentSignal>,
    /// Of a receive, or what ended one: the machine in it.
    pub machine: Option<Arc<vm::Process>>,
    /// Of a receive with an `after`: its milliseconds.
    pub after: Option<u64>,
    /// Does it make a link, or break one?
    pub linked: Option<Linked>,
    /// What it asks of signals: whether they have arrived.
    pub asks: Option<Asks>,
    /// From then on, the process does not accept these.
    pub closes: Vec<Closed>,
    /// Nor these, from some point before its next action on.
    pub closes_after: Vec<Closed>,
    /// The past by `⇒`: what other processes had done.
    pub past: EventClock,
    /// What its process knows of what others have sent, for the order of arrival.
    pub knows: EventClock,
    /// The earliest time, in milliseconds, if nothing is held up.
    pub time: u64,
    /// More than that of all in its past.
    pub age: u64,
    /// Its process does not go on after it.
    pub stop: Option<Stop>,
    /// Is it a part of every run that is told, also of one that halts and does not depend on it?
    pub kept: bool,
}

/// The next action of a process, with its number, and the choice that is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    pub pid: Pid,
    pub place: ProcessNumber,
    pub number: u32,
    pub choice: Choice,
}

impl GraphEvent {
    pub const fn who(&self) -> Who {
        Who {
            pid: self.pid,
            place: self.place,
            number: self.number,
            choice: self.choice,
        }
    }

    /// Its place among the writers that a scan sees.
    pub const fn key(&self) -> WriterKey {
        self.pid.0 << 24 | self.number as u64
    }

    /// Does it belong to the point where the search begins? Then it stays as it is.
    pub const fn is_fixed(&self) -> bool {
        self.stamps.effect == 0
    }

    /// Does its process begin to trap exits, or cease to?
    pub const fn turns(&self) -> bool {
        self.traps[0] != self.traps[1]
    }

    /// How many times it makes that matter.
    pub fn waits(&self) -> u32 {
        let timeout = self.choice == Choice::Timeout && self.after.is_some_and(|ms| ms > 0);
        let timers = self.sent.iter().filter(|sent| sent.timer.is_some()).count();
        u32::from(timeout) + timers as u32
    }

    /// Does its process wait for ever in a receive, though something was sent to it? That was dropped. It is no action.
    pub fn is_stuck(&self) -> bool {
        self.choice == Choice::Timeout && self.after.is_none()
    }

    /// Is it what came of a receive: a message, a timeout or an exit signal?
    pub const fn is_receive(&self) -> bool {
        self.machine.is_some()
    }

    /// The signal that it consumed: a message, an exit signal, or what it dropped.
    pub fn consumed(&self) -> Option<Tag> {
        match self.choice {
            Choice::Message(tag) | Choice::Signal(tag) => Some(tag),
            Choice::Arrived(_) | Choice::Step | Choice::Pick(_) => {
                self.actions.iter().find_map(|action| match action.kind {
                    Kind::Drop { tag, .. } => tag,
                    _ => None,
                })
            }
            Choice::Timeout => None,
        }
    }

    /// The signal that had arrived, as its choice says.
    pub const fn arrived(&self) -> Option<Tag> {
        match self.choice {
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => Some(tag),
            Choice::Step | Choice::Timeout | Choice::Pick(_) => None,
        }
    }

    /// Does it close the way for this signal, and say that it had not arrived before?
    pub fn closes_for(&self, sent: &SentSignal) -> bool {
        let says = self.asks.is_some_and(|asks| asks.is_about(sent)) && self.choice != Choice::Arrived(sent.tag);
        says && self.closes.iter().any(|one| one.is_about(sent))
    }

    /// Does it close the way for this signal, and not say whether it had arrived before?
    pub fn may_close_for(&self, sent: &SentSignal) -> bool {
        !self.asks.is_some_and(|asks| asks.is_about(sent)) && self.closes.iter().any(|one| one.is_about(sent))
    }

    /// Is the way for this signal closed between this action and the next one of the process?
    pub fn is_closed_after(&self, sent: &SentSignal) -> bool {
        self.closes_after.iter().any(|one| one.is_about(sent))
    }

    /// The time, the unique integer or the random number that it got.
    pub fn drawn(&self) -> Option<&Action> {
        let action = self.actions.first().filter(|_| self.choice == Choice::Step)?;
        is_drawn(action).then_some(action)
    }

    /// The process that it made.
    pub fn spawned(&self) -> Option<Pid> {
        self.actions.iter().find_map(|action| action.kind.spawned())
    }

    /// Did it read what others wrote?
    pub fn reads(&self) -> bool {
        let mut accesses = self.actions.iter().flat_map(|action| &action.accesses);
        accesses.any(|access| access.by.is_some())
    }

    /// Is it a receive that an exit signal did not end? It does nothing else.
    pub const fn is_plain(&self) -> bool {
        matches!(self.choice, Choice::Message(_) | Choice::Timeout)
    }

    /// Is another one in its past?
    pub fn has(&self, other: &Self) -> bool {
        let known = match other.place == self.place {
            true => self.number,
            false => self.past.get(other.place),
        };
        known >= other.number && other.uid != self.uid
    }
}
