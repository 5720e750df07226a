//! How a run reports to the observer, without knowing its type: the run is compiled once, not for each observer.

use std::ops::ControlFlow;

use interpreter::atom::Atom;
use interpreter::otp::OtpName;
use interpreter::vm::{self, Program};
use log_format::{ActionNo, InputClass, Pid, SendNo, Tag};

use crate::ids::Slot;
use crate::observer::{ActionEvent, CurrentReceive, Ending, Fact, Observer, Other};
use crate::state::layers::{Meter, Slots};
use crate::state::signal::Signal;

/// The observer and its logs, as the operations see them. Processes are identified by their slots.
pub(crate) trait Sink {
    /// See [`Observer::born`].
    fn born(&mut self, slot: Slot, pid: Pid, parent: Option<Slot>, node: u16);
    /// See [`Observer::action`].
    fn action(&mut self, slot: Slot, event: &ActionEvent<'_>);
    /// See [`Observer::plain_send`].
    fn plain_send(&mut self, slot: Slot) -> bool;
    /// See [`Observer::plain_rec`].
    fn plain_rec(&mut self, slot: Slot, tag: Tag) -> bool;
    /// See [`Observer::plain_rec_sent`].
    fn plain_rec_sent(&mut self, slot: Slot, by: Pid, k: SendNo) -> bool;
    /// See [`Observer::STEPS`].
    fn steps(&self) -> bool;
    /// See [`Observer::watches`].
    fn watches(&self, slot: Slot) -> bool;
    /// See [`Observer::place`].
    fn place(
        &mut self,
        slot: Slot,
        program: &Program,
        machine: &vm::Process,
        pc: vm::Pc,
        depth: usize,
    ) -> ControlFlow<()>;
    /// See [`Observer::acted`].
    fn acted(&mut self, slot: Slot) -> ControlFlow<()>;
    /// See [`Observer::ended`].
    fn ended(&mut self, slot: Slot, ending: &Ending<'_>);
    /// See [`Observer::buried`].
    fn buried(&mut self, slot: Slot);
    /// See [`Observer::missing`].
    fn missing(&mut self, function: (Atom, Atom, u8), known: OtpName);
    /// See [`Observer::redacts`].
    fn redacts(&self, class: InputClass) -> bool;
    /// See [`Observer::goes_back`].
    fn goes_back(&self) -> bool;
    /// See [`Observer::wants_messages`].
    fn wants_messages(&self) -> bool;
    /// See [`Observer::wants_message`].
    fn wants_message(&self, slot: Slot) -> bool;
    /// See [`Observer::retains`].
    fn retains(&self) -> bool;
    /// See [`Observer::given`].
    fn given(&mut self, pid: Pid, number: ActionNo, tag: Tag, signal: &Signal);
    /// See [`Observer::probes`].
    fn probes(&self) -> bool;
    /// See [`Observer::hears_sends`].
    fn hears_sends(&self) -> bool;
    /// See [`Observer::learned`].
    fn learned(&mut self, fact: Fact);
    /// See [`Observer::others`].
    fn others(&mut self, at: CurrentReceive) -> Vec<Other>;
    /// See [`Observer::could_take`].
    fn could_take(&mut self, at: CurrentReceive, tags: Vec<Tag>, closed: Vec<Tag>, words: usize);
    /// See [`Observer::wants_cut`].
    fn wants_cut(&mut self, actions: u64) -> bool;
    /// See [`Observer::cut_due`].
    fn cut_due(&self) -> u64;
    /// See [`Observer::rests_at_most`].
    fn rests_at_most(&self, actions: u64) -> Option<u64>;
    /// See [`Observer::wants_cut_before_rest`].
    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool;
    /// See [`Observer::cut`]. The log of `running` comes last.
    fn cut(&mut self, running: Option<Slot>, texts: &[String], nodes: &[Atom]);
}

/// The observer, as the machine uses it while it runs one process.
pub(crate) struct Steps<'a> {
    pub watch: &'a mut dyn Sink,
    /// The process.
    pub slot: Slot,
}

impl vm::Observer for Steps<'_> {
    fn place(&mut self, program: &Program, machine: &vm::Process, pc: vm::Pc, depth: usize) -> ControlFlow<()> {
        self.watch.place(self.slot, program, machine, pc, depth)
    }
}

/// The observer's data for each living process, by slot.
pub(crate) struct ProcessLogs<L>(Slots<L>);

impl<L> Default for ProcessLogs<L> {
    fn default() -> Self {
        Self(Slots::default())
    }
}

/// invariant: a log exists from the birth of its process until `World::remove_ended`.
const KEPT: &str = "invariant: every living process has a log";

impl<L> ProcessLogs<L> {
    #[inline(always)]
    pub fn log(&self, slot: Slot) -> &L {
        self.0.get(slot.0 as usize).expect(KEPT)
    }
    #[inline(always)]
    pub fn log_mut(&mut self, slot: Slot) -> &mut L {
        self.0.get_mut(slot.0 as usize).expect(KEPT)
    }
    pub fn put(&mut self, slot: Slot, log: L) {
        self.0.put(slot.0 as usize, log);
    }
    pub fn take(&mut self, slot: Slot) -> Option<L> {
        self.0.take(slot.0 as usize)
    }
    /// A copy, which shares the logs until one of the two changes them.
    pub fn fork(&mut self, meter: &Meter) -> Self
    where
        L: Clone,
    {
        self.0.freeze(meter, |_| size_of::<L>());
        Self(self.0.fork())
    }
    /// All of them, in the order of the slots, with that of `last` at the end.
    pub fn iter_mut(&mut self, last: Option<Slot>) -> impl Iterator<Item = &mut L> {
        let all = self.0.own_all();
        let at = last.map_or(all.len(), |slot| slot.0 as usize);
        let (before, rest) = all.split_at_mut(at);
        let (last, after) = match rest.split_first_mut() {
            Some((last, after)) => (last.as_mut(), after),
            None => (None, &mut [][..]),
        };
        before.iter_mut().chain(after).flatten().chain(last)
    }
}

/// The observer of a system as a [`Sink`].
pub(crate) struct ObserverSink<'a, O: Observer> {
    pub observer: &'a mut O,
    pub logs: &'a mut ProcessLogs<O::Log>,
}

impl<O: Observer> Sink for ObserverSink<'_, O> {
    fn born(&mut self, slot: Slot, pid: Pid, parent: Option<Slot>, node: u16) {
        let parent = parent.map(|parent| self.logs.log(parent));
        let log = self.observer.born(pid, parent, node);
        self.logs.put(slot, log);
    }
    fn action(&mut self, slot: Slot, event: &ActionEvent<'_>) {
        self.observer.action(self.logs.log_mut(slot), event);
    }
    fn plain_send(&mut self, slot: Slot) -> bool {
        self.observer.plain_send(self.logs.log_mut(slot))
    }
    fn plain_rec(&mut self, slot: Slot, tag: Tag) -> bool {
        self.observer.plain_rec(self.logs.log_mut(slot), tag)
    }
    fn plain_rec_sent(&mut self, slot: Slot, by: Pid, k: SendNo) -> bool {
        self.observer.plain_rec_sent(self.logs.log_mut(slot), by, k)
    }
    fn steps(&self) -> bool {
        O::STEPS
    }
    fn watches(&self, slot: Slot) -> bool {
        self.observer.watches(self.logs.log(slot))
    }
    fn place(
        &mut self,
        slot: Slot,
        program: &Program,
        machine: &vm::Process,
        pc: vm::Pc,
        depth: usize,
    ) -> ControlFlow<()> {
        self.observer
            .place(self.logs.log_mut(slot), program, machine, pc, depth)
    }
    fn acted(&mut self, slot: Slot) -> ControlFlow<()> {
        self.observer.acted(self.logs.log_mut(slot))
    }
    fn ended(&mut self, slot: Slot, ending: &Ending<'_>) {
        self.observer.ended(self.logs.log_mut(slot), ending);
    }
    fn buried(&mut self, slot: Slot) {
        if let Some(log) = self.logs.take(slot) {
            self.observer.buried(log);
        }
    }
    fn missing(&mut self, function: (Atom, Atom, u8), known: OtpName) {
        self.observer.missing(function, known);
    }
    fn redacts(&self, class: InputClass) -> bool {
        self.observer.redacts(class)
    }
    fn goes_back(&self) -> bool {
        self.observer.goes_back()
    }
    fn wants_messages(&self) -> bool {
        self.observer.wants_messages()
    }
    fn wants_message(&self, slot: Slot) -> bool {
        self.observer.wants_message(self.logs.log(slot))
    }
    fn retains(&self) -> bool {
        self.observer.retains()
    }
    fn given(&mut self, pid: Pid, number: ActionNo, tag: Tag, signal: &Signal) {
        self.observer.given(pid, number, tag, signal);
    }
    fn probes(&self) -> bool {
        self.observer.probes()
    }
    fn hears_sends(&self) -> bool {
        self.observer.hears_sends()
    }
    fn learned(&mut self, fact: Fact) {
        self.observer.learned(fact);
    }
    fn others(&mut self, at: CurrentReceive) -> Vec<Other> {
        self.observer.others(at)
    }
    fn could_take(&mut self, at: CurrentReceive, tags: Vec<Tag>, closed: Vec<Tag>, words: usize) {
        self.observer.could_take(at, tags, closed, words);
    }
    fn wants_cut(&mut self, actions: u64) -> bool {
        self.observer.wants_cut(actions)
    }
    fn cut_due(&self) -> u64 {
        self.observer.cut_due()
    }
    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        self.observer.rests_at_most(actions)
    }
    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        self.observer.wants_cut_before_rest(actions, nanoseconds)
    }
    fn cut(&mut self, running: Option<Slot>, texts: &[String], nodes: &[Atom]) {
        self.observer.cut(&mut self.logs.iter_mut(running), texts, nodes);
    }
}
