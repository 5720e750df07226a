//! The table of all processes.
//!
//! Copies of a table share the processes that none of them has changed since ([`Slots`]). What a caller asks of all processes at once (how many
//! actions each has done, which are ready) is kept for the shared ones, so that the answer costs what has changed since.

use interpreter::term::Pid;
use log_format::{Cut, PidMap};
use rpds::HashTrieMapSync;
use rustc_hash::FxBuildHasher;

use crate::ids::{self, Slot};
use crate::state::layers::{Meter, Slots};
use crate::state::mode::Mode;
use crate::state::process::{Process, State};

/// The state of a pid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It has not been created (or never will be).
    Unborn,
    /// It is alive.
    Alive(Slot),
    /// It has ended; its last action had this number.
    Dead(u64),
}

/// A property of a process that callers ask all processes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Ready = 1,
    /// It has run on silently from its last action.
    Ahead = 2,
    /// It cannot be rebuilt from a log.
    Lone = 4,
    /// It has a request that is not fulfilled, or messages in its mailbox.
    Busy = 8,
    /// It has signals that wait, or monitors on it.
    Holding = 16,
}

impl Mark {
    fn is_on(self, p: &Process) -> bool {
        match self {
            Self::Ready => p.state == State::Ready,
            Self::Ahead => !p.standing,
            Self::Lone => p.mode.log().is_none(),
            Self::Busy => !p.mode.is_done() || p.state == State::Blocked || !p.machine.mailbox.is_empty(),
            Self::Holding => !p.pool.is_empty() || !p.rare.watchers.is_empty(),
        }
    }
    /// All marks of a process, as bits.
    fn all(p: &Process) -> u8 {
        let marks = [Self::Ready, Self::Ahead, Self::Lone, Self::Busy, Self::Holding];
        let on = marks.into_iter().filter(|mark| mark.is_on(p));
        on.fold(0, |bits, mark| bits | mark as u8)
    }
}

/// What is kept of the processes in the lower layer.
#[derive(Clone)]
struct Summary {
    /// How many actions each process has done, the dead included.
    cut: Cut,
    /// The marks of those that have any, by slot.
    marks: HashTrieMapSync<usize, u8, FxBuildHasher>,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            cut: Cut::default(),
            marks: HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher),
        }
    }
}

impl Summary {
    fn update(&mut self, at: usize, process: Option<&Process>) {
        let marks = process.map_or(0, Mark::all);
        match self.marks.get(&at) {
            Some(known) if *known == marks => {}
            None if marks == 0 => {}
            Some(_) if marks == 0 => {
                self.marks.remove_mut(&at);
            }
            _ => self.marks.insert_mut(at, marks),
        }
    }
    /// The processes of a table with a mark, in the order of their slots; those in the upper layer are looked at again.
    fn marked<'a>(&self, mark: Mark, slots: &'a Slots<Box<Process>>) -> Vec<(Slot, &'a Process)> {
        let mut places: Vec<usize> = if slots.is_shared() {
            let marked = self.marks.iter().filter(|(_, marks)| **marks & mark as u8 != 0);
            marked.map(|(at, _)| *at).chain(slots.changed()).collect()
        } else {
            (0..slots.len()).collect()
        };
        places.sort_unstable();
        places.dedup();
        let there = places
            .into_iter()
            .filter_map(|at| Some((Slot(at as u32), &**slots.get(at)?)));
        there.filter(|(_, p)| mark.is_on(p)).collect()
    }
}

/// All processes: the living by slot, the dead by their number of actions.
#[derive(Default)]
pub struct Table {
    slots: Slots<Box<Process>>,
    free: Vec<Slot>,
    /// invariant: `Alive(s)` here exactly if `slots[s]` contains that pid or it is taken out to run.
    directory: PidMap<(Pid, Lookup)>,
    living: usize,
    /// invariant: of the processes in the lower layer of `slots`, and of the dead.
    below: Summary,
}

impl Table {
    #[inline]
    fn lookup(&self, pid: Pid) -> Option<&(Pid, Lookup)> {
        self.directory.get(log_format::Pid(pid.number()))
    }
    fn set(&mut self, pid: Pid, lookup: Lookup) {
        self.directory.insert(log_format::Pid(pid.number()), (pid, lookup));
    }
    /// The state of a pid.
    #[inline]
    #[must_use]
    pub fn find(&self, pid: Pid) -> Lookup {
        self.lookup(pid).map_or(Lookup::Unborn, |(_, lookup)| *lookup)
    }
    /// The number of living processes.
    #[must_use]
    pub const fn living(&self) -> usize {
        self.living
    }
    /// The number of processes that were ever created.
    #[must_use]
    pub fn born(&self) -> usize {
        self.directory.len()
    }
    /// Adds a process.
    pub fn insert(&mut self, mut process: Box<Process>) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| Slot(self.slots.add() as u32));
        process.slot = slot;
        self.set(process.pid, Lookup::Alive(slot));
        self.slots.put(slot.0 as usize, process);
        self.living += 1;
        slot
    }
    /// Takes a process out to run it; [`Self::put`] brings it back.
    #[inline]
    pub fn take(&mut self, slot: Slot) -> Option<Box<Process>> {
        self.slots.take(slot.0 as usize)
    }
    /// Brings back a process that was taken out.
    #[inline]
    pub fn put(&mut self, slot: Slot, process: Box<Process>) {
        self.slots.put(slot.0 as usize, process);
    }
    /// A process that was taken out has ended.
    pub fn remove_ended(&mut self, slot: Slot, pid: Pid, actions: u64) {
        self.set(pid, Lookup::Dead(actions));
        self.free.push(slot);
        self.living -= 1;
        if self.slots.is_shared() {
            self.below.cut.set(ids::to_log(pid), actions);
        }
    }
    /// Removes a process that was created and is not alive, as if it had not been created.
    pub(crate) fn forget(&mut self, pid: Pid) {
        self.below.cut.set(ids::to_log(pid), 0);
        self.directory.remove(log_format::Pid(pid.number()));
    }
    /// The full pid of a process that was created.
    #[must_use]
    pub fn known(&self, pid: log_format::Pid) -> Option<Pid> {
        self.directory.get(pid).map(|(pid, _)| *pid)
    }
    /// The living process in a slot, unless it is taken out.
    #[inline]
    #[must_use]
    pub fn get(&self, slot: Slot) -> Option<&Process> {
        self.slots.get(slot.0 as usize).map(|p| &**p)
    }
    /// The living process in a slot, unless it is taken out.
    #[inline]
    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut Process> {
        self.slots.get_mut(slot.0 as usize).map(|p| &mut **p)
    }
    /// The living process of a pid, unless it is taken out.
    #[must_use]
    pub fn by_pid(&self, pid: Pid) -> Option<&Process> {
        match self.find(pid) {
            Lookup::Alive(slot) => self.get(slot),
            _ => None,
        }
    }
    /// Is it alive?
    #[must_use]
    pub fn is_alive(&self, pid: Pid) -> bool {
        matches!(self.find(pid), Lookup::Alive(_))
    }
    /// The living process of a pid and its slot, unless it is taken out.
    pub fn by_pid_mut(&mut self, pid: Pid) -> Option<(Slot, &mut Process)> {
        match self.find(pid) {
            Lookup::Alive(slot) => self.get_mut(slot).map(|p| (slot, p)),
            _ => None,
        }
    }
    /// The living, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = &Process> {
        self.slots.iter().map(|(_, p)| &**p)
    }
    /// Calls `change` with each living process that is wanted. The others stay as they are, shared with copies of the table.
    pub fn each_mut(&mut self, wanted: impl Fn(&Process) -> bool, mut change: impl FnMut(&mut Process)) {
        for at in 0..self.slots.len() {
            if self.slots.get(at).is_some_and(|p| wanted(p))
                && let Some(p) = self.slots.get_mut(at)
            {
                change(p);
            }
        }
    }
    /// The modes of all living processes, which are no longer shared with copies of the table.
    pub(crate) fn modes_mut(&mut self) -> impl Iterator<Item = &mut Mode> {
        self.slots.own_all().iter_mut().flatten().map(|p| &mut p.mode)
    }
    /// The living that can run, in the order of their slots.
    #[must_use]
    pub fn ready(&self) -> Vec<Slot> {
        let ready = self.below.marked(Mark::Ready, &self.slots);
        ready.into_iter().map(|(slot, _)| slot).collect()
    }
    /// The living that have run on silently from their last action.
    #[must_use]
    pub fn ahead(&self) -> Vec<Pid> {
        let ahead = self.below.marked(Mark::Ahead, &self.slots);
        ahead.into_iter().map(|(_, p)| p.pid).collect()
    }
    /// Can all living be rebuilt from their logs?
    #[must_use]
    pub fn can_be_rebuilt(&self) -> bool {
        self.below.marked(Mark::Lone, &self.slots).is_empty()
    }
    /// The living with a request that is not fulfilled, or with messages in their mailboxes.
    #[must_use]
    pub fn busy(&self) -> Vec<&Process> {
        let busy = self.below.marked(Mark::Busy, &self.slots);
        busy.into_iter().map(|(_, p)| p).collect()
    }
    /// The living with signals that wait, or with monitors on them.
    #[must_use]
    pub fn holding(&self) -> Vec<Slot> {
        let holding = self.below.marked(Mark::Holding, &self.slots);
        holding.into_iter().map(|(slot, _)| slot).collect()
    }
    /// How many actions each process has done.
    #[must_use]
    pub fn cut(&self) -> Cut {
        let mut cut = Cut::default();
        if self.slots.is_shared() {
            cut = self.below.cut.clone();
            let changed = self.slots.changed().filter_map(|at| self.slots.get(at));
            changed.for_each(|p| cut.set(ids::to_log(p.pid), p.actions));
            return cut;
        }
        for (pid, (_, lookup)) in self.directory.iter() {
            let actions = match *lookup {
                Lookup::Alive(slot) => self.get(slot).map_or(0, |p| p.actions),
                Lookup::Dead(actions) => actions,
                Lookup::Unborn => 0,
            };
            cut.set(pid, actions);
        }
        cut
    }
    /// A copy, which shares all processes until one of the two changes them. `prepare`: what is done to a process that has changed since the last
    /// copy; returns its bytes.
    pub(crate) fn fork(&mut self, meter: &Meter, mut prepare: impl FnMut(&mut Process) -> usize) -> Self {
        let cut = self.cut();
        let changed: Vec<usize> = if self.slots.is_shared() {
            self.slots.changed().collect()
        } else {
            (0..self.slots.len()).collect()
        };
        for at in changed {
            self.below.update(at, self.slots.get(at).map(|p| &**p));
        }
        self.below.cut = cut;
        self.slots.freeze(meter, |p| prepare(p));
        Self {
            slots: self.slots.fork(),
            free: self.free.clone(),
            directory: self.directory.clone(),
            living: self.living,
            below: self.below.clone(),
        }
    }
    /// Every pid that was created; for an ended process with its number of actions.
    pub fn all(&self) -> impl Iterator<Item = (Pid, Option<u64>)> + '_ {
        self.directory.iter().filter_map(|(_, (pid, lookup))| match *lookup {
            Lookup::Alive(_) => Some((*pid, None)),
            Lookup::Dead(actions) => Some((*pid, Some(actions))),
            Lookup::Unborn => None,
        })
    }
    /// Pids of the living, ascending.
    #[must_use]
    pub fn pids(&self) -> Vec<Pid> {
        let all = self.directory.iter().map(|(_, entry)| entry);
        let living = all.filter(|(_, l)| matches!(l, Lookup::Alive(_)));
        let mut pids: Vec<Pid> = living.map(|(pid, _)| *pid).collect();
        pids.sort_unstable();
        pids
    }
}
