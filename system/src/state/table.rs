//! The table of all processes.
//!
//! Copies of a table share the processes that none of them has changed since ([`Slots`]). What a caller asks of all processes at once (how many
//! actions each has done, which are ready) is kept for the shared ones, so that the answer costs what has changed since.

use std::cell::RefCell;
use std::sync::Arc;

use interpreter::term::Pid;
use log_format::{Cut, PidMap};
use rpds::{HashTrieMapSync, HashTrieSetSync};
use rustc_hash::FxBuildHasher;

use crate::ids::{self, Slot};
use crate::state::layers::{Meter, Since, Slots};
use crate::state::mode::Mode;
use crate::state::process::{Process, ProcessActivity};

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
enum ProcessMark {
    Ready = 1,
    /// It has run on silently from its last action.
    Ahead = 2,
    /// It cannot be rebuilt from a log.
    Lone = 4,
    /// It has a request that is not fulfilled, or messages in its mailbox.
    Busy = 8,
    /// It has signals that wait, or monitors on it.
    Holding = 16,
    /// Exit signals are among those that wait for it.
    Exits = 32,
}

impl ProcessMark {
    const ALL: [Self; 6] = [
        Self::Ready,
        Self::Ahead,
        Self::Lone,
        Self::Busy,
        Self::Holding,
        Self::Exits,
    ];

    fn is_on(self, p: &Process) -> bool {
        match self {
            Self::Ready => p.state == ProcessActivity::Ready,
            Self::Ahead => !p.standing,
            Self::Lone => p.mode.log().is_none(),
            Self::Busy => !p.mode.is_done() || p.state == ProcessActivity::Blocked || !p.machine.mailbox.is_empty(),
            Self::Holding => !p.pool.is_empty() || !p.rare.watchers.is_empty(),
            Self::Exits => p.pool.has_deadly(),
        }
    }
    /// All marks of a process, as bits.
    fn all(p: &Process) -> u8 {
        let on = Self::ALL.into_iter().filter(|mark| mark.is_on(p));
        on.fold(0, |bits, mark| bits | mark as u8)
    }
}

/// What is known of all processes of a table that has copies, up to the changes that were read.
#[derive(Clone)]
struct ProcessIndex {
    since: Since,
    /// How many actions each process has done, the dead included.
    cut: Cut,
    /// The marks of those that have any, by slot.
    marks: HashTrieMapSync<usize, u8, FxBuildHasher>,
    /// Those with [`ProcessMark::Exits`], and those with [`ProcessMark::Ready`]: they are few, and asked for at each step beyond the logs, and at each copy.
    exits: HashTrieSetSync<usize, FxBuildHasher>,
    ready: HashTrieSetSync<usize, FxBuildHasher>,
}

impl Default for ProcessIndex {
    fn default() -> Self {
        Self {
            since: Since::default(),
            cut: Cut::default(),
            marks: HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher),
            exits: HashTrieSetSync::new_with_hasher_with_ptr_kind(FxBuildHasher),
            ready: HashTrieSetSync::new_with_hasher_with_ptr_kind(FxBuildHasher),
        }
    }
}

impl ProcessIndex {
    fn update(&mut self, at: usize, process: Option<&Process>) {
        if let Some(p) = process {
            let pid = ids::to_log(p.pid);
            if self.cut.get(pid) != p.actions {
                self.cut.set(pid, p.actions);
            }
        }
        let marks = process.map_or(0, ProcessMark::all);
        let known = self.marks.get(&at).copied().unwrap_or(0);
        if known == marks {
            return;
        }
        for (mark, few) in [
            (ProcessMark::Exits, &mut self.exits),
            (ProcessMark::Ready, &mut self.ready),
        ] {
            let mark = mark as u8;
            match ((known & mark) != 0, (marks & mark) != 0) {
                (false, true) => few.insert_mut(at),
                (true, false) => {
                    few.remove_mut(&at);
                }
                _ => {}
            }
        }
        match marks {
            0 => {
                self.marks.remove_mut(&at);
            }
            _ => self.marks.insert_mut(at, marks),
        }
    }
    /// Reads what has changed.
    fn refresh(&mut self, slots: &Slots<Box<Process>>) {
        let process = |at: usize| slots.get(at).map(|p| &**p);
        match slots.touched(&mut self.since) {
            Some(places) => {
                for place in places.iter().filter(|place| **place & ENDED == 0) {
                    let at = *place as usize;
                    self.update(at, process(at));
                }
            }
            None => (0..slots.len()).for_each(|at| self.update(at, process(at))),
        }
    }
    /// The processes of a table with a mark, in the order of their slots.
    fn marked(&self, mark: ProcessMark) -> Vec<usize> {
        let mut places: Vec<usize> = match mark {
            ProcessMark::Exits => self.exits.iter().copied().collect(),
            ProcessMark::Ready => self.ready.iter().copied().collect(),
            _ => {
                let marked = self.marks.iter().filter(|(_, marks)| **marks & mark as u8 != 0);
                marked.map(|(at, _)| *at).collect()
            }
        };
        places.sort_unstable();
        places
    }
}

/// Among the places that were touched, the number of a process that has ended has this bit. No pid and no slot has it.
const ENDED: u64 = 1 << 63;

/// All processes: the living by slot, the dead by their number of actions.
#[derive(Default)]
pub struct Table {
    slots: Slots<Box<Process>>,
    free: Vec<Slot>,
    /// invariant: `Alive(s)` here exactly if `slots[s]` contains that pid or it is taken out to run.
    directory: PidMap<(Pid, Lookup)>,
    living: usize,
    /// Of a table that has copies.
    index: RefCell<ProcessIndex>,
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
    /// Has it copies, or is it ready for them?
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        self.slots.is_shared()
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
            self.slots.note(ENDED | pid.number());
            self.index.get_mut().cut.set(ids::to_log(pid), actions);
        }
    }
    /// Removes a process that was created and is not alive, as if it had not been created.
    pub(crate) fn forget(&mut self, pid: Pid) {
        self.slots.note(ENDED | pid.number());
        self.index.get_mut().cut.set(ids::to_log(pid), 0);
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
    /// All living processes let go of the program's constants, so that these can grow in place. invariant: [`Table::renew_literals`] is next.
    /// Processes that are shared with copies of the table keep what they have.
    pub(crate) fn release_literals(&mut self) {
        if !self.slots.is_shared() {
            self.each_mut(|_| true, |p| p.machine.heap.release_literals());
        }
    }
    /// Gives them the constants of now. A process that kept older ones until it runs again would hold a whole copy of them.
    pub(crate) fn renew_literals(&mut self, literals: &Arc<Vec<u64>>) {
        if !self.slots.is_shared() {
            self.each_mut(|_| true, |p| p.machine.heap.set_literals(literals));
        }
    }
    /// The modes of all living processes, which are no longer shared with copies of the table.
    pub(crate) fn modes_mut(&mut self) -> impl Iterator<Item = &mut Mode> {
        self.slots.own_all().iter_mut().flatten().map(|p| &mut p.mode)
    }
    /// The processes with a mark, in the order of their slots.
    fn marked(&self, mark: ProcessMark) -> Vec<(Slot, &Process)> {
        let places = if self.slots.is_shared() {
            let mut index = self.index.borrow_mut();
            index.refresh(&self.slots);
            index.marked(mark)
        } else {
            (0..self.slots.len()).collect()
        };
        let there = places.into_iter().map(|at| Slot(at as u32));
        let there = there.filter_map(|slot| Some((slot, self.get(slot)?)));
        there.filter(|(_, p)| mark.is_on(p)).collect()
    }
    /// The living that can run, in the order of their slots.
    #[must_use]
    pub fn ready(&self) -> Vec<Slot> {
        let ready = self.marked(ProcessMark::Ready);
        ready.into_iter().map(|(slot, _)| slot).collect()
    }
    /// The living that have run on silently from their last action.
    #[must_use]
    pub fn ahead(&self) -> Vec<Pid> {
        let ahead = self.marked(ProcessMark::Ahead);
        ahead.into_iter().map(|(_, p)| p.pid).collect()
    }
    /// Can all living be rebuilt from their logs?
    #[must_use]
    pub fn can_be_rebuilt(&self) -> bool {
        self.marked(ProcessMark::Lone).is_empty()
    }
    /// The living with a request that is not fulfilled, or with messages in their mailboxes.
    #[must_use]
    pub fn busy(&self) -> Vec<&Process> {
        let busy = self.marked(ProcessMark::Busy);
        busy.into_iter().map(|(_, p)| p).collect()
    }
    /// The living with signals that wait, or with monitors on them.
    #[must_use]
    pub fn holding(&self) -> Vec<Slot> {
        let holding = self.marked(ProcessMark::Holding);
        holding.into_iter().map(|(slot, _)| slot).collect()
    }
    /// The living for which exit signals wait that could end them.
    #[must_use]
    pub fn with_exits(&self) -> Vec<&Process> {
        let with_exits = self.marked(ProcessMark::Exits);
        with_exits.into_iter().map(|(_, p)| p).collect()
    }
    /// The processes that may have changed since somebody asked last, ended or not, ascending. `None`: that is not known.
    #[must_use]
    pub fn touched(&self, since: &mut Since) -> Option<Vec<Pid>> {
        let places = self.slots.touched(since)?;
        let pid = |place: &u64| match place & ENDED {
            0 => self.slots.get(*place as usize).map(|p| p.pid),
            _ => self.known(log_format::Pid(place & !ENDED)),
        };
        let mut pids: Vec<Pid> = places.iter().filter_map(pid).collect();
        pids.sort_unstable();
        pids.dedup();
        Some(pids)
    }
    /// How many actions a process has done, alive or not.
    #[must_use]
    pub fn actions(&self, pid: Pid) -> u64 {
        match self.find(pid) {
            Lookup::Alive(slot) => self.get(slot).map_or(0, |p| p.actions),
            Lookup::Dead(actions) => actions,
            Lookup::Unborn => 0,
        }
    }
    /// How many actions each process has done.
    #[must_use]
    pub fn cut(&self) -> Cut {
        if self.slots.is_shared() {
            let mut index = self.index.borrow_mut();
            index.refresh(&self.slots);
            return index.cut.clone();
        }
        self.counted()
    }
    /// As [`Self::cut`], from all processes.
    fn counted(&self) -> Cut {
        let mut cut = Cut::default();
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
    /// From now on, copies share what does not change. `prepare`: what is done to a process that has changed since the last copy; returns its bytes.
    pub(crate) fn settle(&mut self, meter: &Meter, mut prepare: impl FnMut(&mut Process) -> usize) {
        if !self.slots.is_shared() {
            self.index.get_mut().cut = self.counted();
        }
        self.slots.freeze(meter, |p| prepare(p));
        self.index.get_mut().refresh(&self.slots);
    }
    /// A copy of a table that has been settled.
    pub(crate) fn fork(&self) -> Self {
        let slots = self.slots.fork();
        let mut index = self.index.borrow().clone();
        slots.touched(&mut index.since);
        Self {
            slots,
            free: self.free.clone(),
            directory: self.directory.clone(),
            living: self.living,
            index: RefCell::new(index),
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
