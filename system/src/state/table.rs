//! The table of all processes.

use interpreter::term::Pid;
use log_format::PidMap;

use crate::ids::Slot;
use crate::state::process::Process;

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

/// All processes: the living by slot, the dead by their number of actions.
#[derive(Clone, Default)]
pub struct Table {
    slots: Vec<Option<Box<Process>>>,
    free: Vec<Slot>,
    /// invariant: `Alive(s)` here exactly if `slots[s]` contains that pid or it is taken out to run.
    directory: PidMap<(Pid, Lookup)>,
    living: usize,
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
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            Slot(self.slots.len() as u32 - 1)
        });
        process.slot = slot;
        self.set(process.pid, Lookup::Alive(slot));
        self.slots[slot.0 as usize] = Some(process);
        self.living += 1;
        slot
    }
    /// Takes a process out to run it; [`Self::put`] brings it back.
    #[inline]
    pub fn take(&mut self, slot: Slot) -> Option<Box<Process>> {
        self.slots[slot.0 as usize].take()
    }
    /// Brings back a process that was taken out.
    #[inline]
    pub fn put(&mut self, slot: Slot, process: Box<Process>) {
        self.slots[slot.0 as usize] = Some(process);
    }
    /// A process that was taken out has ended.
    pub fn remove_ended(&mut self, slot: Slot, pid: Pid, actions: u64) {
        self.set(pid, Lookup::Dead(actions));
        self.free.push(slot);
        self.living -= 1;
    }
    /// Removes a process that was created and is not alive, as if it had not been created.
    pub(crate) fn forget(&mut self, pid: Pid) {
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
        self.slots[slot.0 as usize].as_deref()
    }
    /// The living process in a slot, unless it is taken out.
    #[inline]
    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut Process> {
        self.slots[slot.0 as usize].as_deref_mut()
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
    /// The living, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Process> {
        self.slots.iter().filter_map(Option::as_deref)
    }
    /// The living, in no particular order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Process> {
        self.slots.iter_mut().filter_map(Option::as_deref_mut)
    }
    /// The living with their slots, in the order of the slots.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, &Process)> {
        let all = self.slots.iter().enumerate();
        all.filter_map(|(i, p)| Some((Slot(i as u32), p.as_deref()?)))
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
