//! One process as the system layer sees it, and the table of all processes.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference};
use interpreter::vm;
use log_format::{PidMap, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::feed::Feed;
use crate::nodes::NodeNews;
use crate::pool::Pool;
use crate::reached::Reached;

/// Position of a living process in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// What a process is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// In the scheduler's queue, or running.
    Ready,
    /// In a receive without a matching message.
    Waiting,
    /// In a native that waits for the outside (a line of input).
    WaitingInput,
    /// Replay: what its log names next has not happened yet.
    Blocked,
    /// Replay: it has done all that was asked of it.
    Frozen,
    /// It is driven, and stands before a native or its end until the driver permits it ([`System::gate`](crate::System::gate)).
    Gated,
}

/// Something sent to a process that has arrived or will arrive.
#[derive(Clone, Debug)]
pub enum Signal {
    /// A message.
    Message(Fragment),
    /// A message sent to an alias: dropped on arrival if the alias is not active then.
    Aliased {
        /// The alias.
        alias: Reference,
        /// The message.
        message: Fragment,
    },
    /// A 'DOWN' message: dropped on arrival if the monitor has been removed.
    Down {
        /// The monitor.
        monitor: Reference,
        /// The message.
        message: Fragment,
    },
    /// An exit signal.
    Exit {
        /// Who sent it, or whose end emitted it.
        from: Pid,
        /// The reason.
        reason: Fragment,
        /// It came over a link (a reason `kill` is then an ordinary one).
        link: bool,
    },
}

impl Signal {
    /// Words that its message or reason takes.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Self::Message(value)
            | Self::Aliased { message: value, .. }
            | Self::Down { message: value, .. }
            | Self::Exit { reason: value, .. } => value.size(),
        }
    }
}

/// When an alias stops accepting messages, besides `unalias`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasMode {
    /// Never by itself.
    Explicit,
    /// With the first message.
    Reply,
    /// With the end of its monitor.
    Demonitor,
    /// It has stopped; `unalias` will say so.
    Spent,
    /// With the first message, which ends the monitor too, or with the end of the monitor.
    ReplyDemonitor,
}

/// A monitor held by the process that watches.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Who is watched.
    pub target: Pid,
    /// The name it was watched by, which the 'DOWN' message then carries.
    pub name: Option<Atom>,
    /// First element of the message, instead of `'DOWN'`.
    pub tag: Option<Fragment>,
    /// Has it ended without the process having asked for it? Beyond the log only: in replay the log tells.
    pub over: bool,
}

/// A monitor as the process that is watched knows it.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// Who watches.
    pub pid: Pid,
    /// As in [`Monitor`].
    pub name: Option<Atom>,
    /// As in [`Monitor`].
    pub tag: Option<Fragment>,
}

impl Monitor {
    /// How the watched process knows it.
    #[must_use]
    pub fn watcher(&self, pid: Pid) -> Watcher {
        Watcher {
            pid,
            name: self.name,
            tag: self.tag.clone(),
        }
    }
}

/// An exit signal that has arrived and takes effect at the next point.
#[derive(Clone, Debug)]
pub struct PendingExit {
    /// Its tag.
    pub tag: Tag,
    /// The reason with which the process ends.
    pub reason: Fragment,
    /// The message that it would be for a process that traps exits; none if it cannot be trapped.
    pub trapped: Option<Fragment>,
}

/// What a process has of what most never have.
#[derive(Clone, Debug, Default)]
pub struct Rare {
    /// Replay with a watching observer: the message that was last put into the mailbox.
    pub handed: Option<(Tag, Fragment)>,
    /// Linked processes. invariant: symmetric, as long as nothing is in flight.
    pub links: FxHashSet<Pid>,
    /// Recording: with whom it has a link that one of them has broken once, as long as both live.
    pub unlinked: FxHashSet<Pid>,
    /// Monitors that it holds, until it removes them or has received their 'DOWN'.
    pub monitors: FxHashMap<Reference, Monitor>,
    /// Monitors on it.
    pub watchers: BTreeMap<Reference, Watcher>,
    /// Monitors of its own that are no more and whose 'DOWN' may wait in the mailbox, with its tag.
    pub fired: FxHashMap<Reference, Tag>,
    /// Names registered for it.
    pub names: Vec<Atom>,
    /// Aliases that still accept messages.
    pub aliases: FxHashMap<Reference, AliasMode>,
    /// Tables that it owns.
    pub tables: Vec<Reference>,
    /// Tables that it has fixed.
    pub fixes: Vec<Reference>,
    /// What `process_flag/2` sets, besides `trap_exit`.
    pub flags: crate::flags::Flags,
    /// Whom it has suspended, and how often.
    pub suspending: BTreeMap<Pid, u32>,
    /// What it read of standard input and did not use: the next line that it reads.
    pub unread: Vec<u8>,
    /// What it has read last was for a program that wants binaries.
    pub unread_binary: bool,
    /// Nodes that it monitors, once for every call of `monitor_node/2`.
    pub node_monitors: Vec<u16>,
    /// How often it has asked for `{nodeup, _}` and `{nodedown, _}` of every node.
    pub node_events: u32,
    /// What these messages, and those of `monitor_node/2`, hold besides the name; none before it has asked for any.
    pub node_news: Option<NodeNews>,
}

/// A [`Rare`] that takes memory when it is first changed: a process that lives for four actions is a third smaller without.
#[derive(Clone, Debug, Default)]
pub struct Seldom(Option<Box<Rare>>);

impl Seldom {
    /// The flag `max_heap_size`, if the heap is limited.
    #[inline]
    #[must_use]
    pub fn heap_limit(&self) -> Option<&crate::flags::MaxHeap> {
        self.0.as_deref().and_then(|rare| rare.flags.heap_limit())
    }

    /// Does it take memory?
    #[must_use]
    pub const fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// How many links, monitors and aliases there are.
    #[inline]
    #[must_use]
    pub fn relations(&self) -> usize {
        let count = |rare: &Rare| rare.links.len() + rare.monitors.len() + rare.watchers.len() + rare.aliases.len();
        self.0.as_deref().map_or(0, count)
    }

    /// Takes a part of it away, without giving memory to one that has nothing.
    pub fn take<T: Default>(&mut self, part: impl FnOnce(&mut Rare) -> &mut T) -> T {
        self.0
            .as_deref_mut()
            .map(|rare| std::mem::take(part(rare)))
            .unwrap_or_default()
    }
}

impl Deref for Seldom {
    type Target = Rare;
    #[inline]
    fn deref(&self) -> &Rare {
        static NONE: LazyLock<Rare> = LazyLock::new(Rare::default);
        self.0.as_deref().unwrap_or_else(|| &NONE)
    }
}

impl DerefMut for Seldom {
    fn deref_mut(&mut self) -> &mut Rare {
        self.0.get_or_insert_default()
    }
}

/// A living process.
///
/// `L` is what the observer keeps for it (the recorder: its log buffer).
#[derive(Clone)]
pub struct Process<L> {
    /// The expression layer: heap, stack, mailbox.
    pub machine: vm::Process,
    /// Its identity.
    pub pid: Pid,
    /// Who spawned it, and with which action.
    pub parent: Option<(Pid, u64)>,
    /// What it is doing.
    pub state: State,
    /// Logged actions so far.
    pub actions: u64,
    /// Signals put in flight so far: the k of (p, k).
    pub sent: u64,
    /// The observer's own.
    pub log: L,
    /// The rest of its log; `None` when it is beyond it.
    pub feed: Option<Feed>,
    /// Replay: signals that have been sent to it and not been consumed, by tag.
    pub pool: Pool,
    /// `process_flag(trap_exit, _)`.
    pub trap_exit: bool,
    /// An exit signal that takes effect at its next point.
    pub pending: Option<Box<PendingExit>>,
    /// When the current receive times out, if it has a finite timeout.
    pub deadline: Option<u64>,
    /// That deadline has passed.
    pub expired: bool,
    /// Its group leader.
    pub group_leader: Pid,
    /// What it was spawned to run.
    pub initial_call: (Atom, Atom, u8),
    /// It was spawned with a fun: to `process_info(_, initial_call)`, with `erlang:apply/2`.
    pub applied: bool,
    /// Counted events over its life.
    pub total_events: u64,
    /// How often others have suspended it and not resumed it. Beyond the log only: in replay others only wait longer.
    pub suspended: u32,
    /// Its turn came while it was suspended.
    pub held: bool,
    /// Replay: it is blocked in a receive, for the message that its log names. invariant: set only where the state is `Blocked`, or it was then.
    pub awaits_message: bool,
    /// It stands at a receive (or at a native that waits), not at a counted event.
    pub at_receive: bool,
    /// The native that it waits in, to be tried again.
    pub retry: Option<(vm::NativeId, crate::natives::Op)>,
    /// It waited for input and its turn has come.
    pub may_read: bool,
    /// Words of its memory that the system's total holds.
    pub counted_words: usize,
    /// The version of its node in which it lives: another one when a node was stopped and started again.
    pub incarnation: u64,
    /// It has executed nothing since its last action (or its creation).
    pub standing: bool,
    /// It is driven and stands before this end of its own.
    pub ending: Option<Box<vm::End>>,
    /// Replay: it has done all that was asked of it, has run silently on, and would do this next.
    pub label: Option<Label>,
    /// Replay: of each sender the last signal that it has consumed.
    pub reached: Reached,
    /// How many processes it has spawned, or tried to.
    pub spawned: u64,
    /// That its heap has outgrown its limit is reported.
    pub outgrown: bool,
    /// What most processes never have.
    pub rare: Seldom,
}

/// What a process comes to when it runs silently on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// A native of the system layer.
    Native(vm::NativeId),
    /// A receive, with its `after`.
    Receive(vm::Timeout),
    /// Its end.
    End,
}

/// Where a pid leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It has not been born (or never will).
    Unborn,
    /// It lives.
    Alive(Slot),
    /// It has ended; its last action had this number.
    Dead(u64),
}

/// All processes: the living by slot, the dead by their number of actions.
#[derive(Clone)]
pub struct Table<L> {
    slots: Vec<Option<Box<Process<L>>>>,
    free: Vec<Slot>,
    /// invariant: `Alive(s)` here exactly when `slots[s]` holds that pid or it is taken out to run.
    directory: PidMap<(Pid, Lookup)>,
    living: usize,
}

impl<L> Default for Table<L> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            directory: PidMap::default(),
            living: 0,
        }
    }
}

impl<L> Table<L> {
    #[inline]
    fn lookup(&self, pid: Pid) -> Option<&(Pid, Lookup)> {
        self.directory.get(log_format::Pid(pid.number()))
    }
    fn set(&mut self, pid: Pid, lookup: Lookup) {
        self.directory.insert(log_format::Pid(pid.number()), (pid, lookup));
    }
    /// Where a pid leads.
    #[inline]
    #[must_use]
    pub fn find(&self, pid: Pid) -> Lookup {
        self.lookup(pid).map_or(Lookup::Unborn, |(_, lookup)| *lookup)
    }
    /// How many live.
    #[must_use]
    pub const fn living(&self) -> usize {
        self.living
    }
    /// How many were ever born.
    #[must_use]
    pub fn born(&self) -> usize {
        self.directory.len()
    }
    /// Adds a process.
    pub fn insert(&mut self, process: Box<Process<L>>) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            Slot(self.slots.len() as u32 - 1)
        });
        self.set(process.pid, Lookup::Alive(slot));
        self.slots[slot.0 as usize] = Some(process);
        self.living += 1;
        slot
    }
    /// Takes a process out to run it; [`Self::put`] brings it back.
    #[inline]
    pub fn take(&mut self, slot: Slot) -> Option<Box<Process<L>>> {
        self.slots[slot.0 as usize].take()
    }
    /// Brings back a process that was taken out.
    #[inline]
    pub fn put(&mut self, slot: Slot, process: Box<Process<L>>) {
        self.slots[slot.0 as usize] = Some(process);
    }
    /// A process that was taken out has ended.
    pub fn bury(&mut self, slot: Slot, pid: Pid, actions: u64) {
        self.set(pid, Lookup::Dead(actions));
        self.free.push(slot);
        self.living -= 1;
    }
    /// A process that was born and does not live was not born after all.
    pub(crate) fn forget(&mut self, pid: Pid) {
        self.directory.remove(log_format::Pid(pid.number()));
    }
    /// The whole pid of a process that was born.
    pub(crate) fn known(&self, pid: log_format::Pid) -> Option<Pid> {
        self.directory.get(pid).map(|(pid, _)| *pid)
    }
    /// The living process in a slot, unless it is taken out.
    #[inline]
    #[must_use]
    pub fn get(&self, slot: Slot) -> Option<&Process<L>> {
        self.slots[slot.0 as usize].as_deref()
    }
    /// The living process in a slot, unless it is taken out.
    #[inline]
    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut Process<L>> {
        self.slots[slot.0 as usize].as_deref_mut()
    }
    /// The living process of a pid, unless it is taken out.
    #[must_use]
    pub fn by_pid(&self, pid: Pid) -> Option<&Process<L>> {
        match self.find(pid) {
            Lookup::Alive(slot) => self.get(slot),
            _ => None,
        }
    }
    /// Does it live?
    #[must_use]
    pub fn is_alive(&self, pid: Pid) -> bool {
        matches!(self.find(pid), Lookup::Alive(_))
    }
    /// The living process of a pid and its slot, unless it is taken out.
    pub fn by_pid_mut(&mut self, pid: Pid) -> Option<(Slot, &mut Process<L>)> {
        match self.find(pid) {
            Lookup::Alive(slot) => self.get_mut(slot).map(|p| (slot, p)),
            _ => None,
        }
    }
    /// The living, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Process<L>> {
        self.slots.iter().filter_map(Option::as_deref)
    }
    /// The living, in no particular order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Process<L>> {
        self.slots.iter_mut().filter_map(Option::as_deref_mut)
    }
    /// The living with their slots, in the order of the slots.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, &Process<L>)> {
        let all = self.slots.iter().enumerate();
        all.filter_map(|(i, p)| Some((Slot(i as u32), p.as_deref()?)))
    }
    /// Every pid that was born, and how many actions those that have ended did.
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

/// Signals that were sent and have not arrived: only under schedulers that keep them in flight.
#[derive(Clone, Default)]
pub struct Flight {
    queues: FxHashMap<(Sender, Pid), VecDeque<(Tag, Signal)>>,
    /// Pairs with signals in flight, in the order in which their queues became non-empty.
    pairs: Vec<(Sender, Pid)>,
    /// Words that the signals take.
    words: usize,
}

/// Words of a signal in flight, besides its own.
const FLIGHT_WORDS: usize = std::mem::size_of::<(Tag, Signal)>() / 8;

/// Whose signals keep their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sender {
    /// A process.
    Process(Pid),
    /// A timer, by the tag of its message: a sender of its own (semantics.md §2).
    Timer(Tag),
}

impl Flight {
    /// Nothing in flight?
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
    /// How many pairs have signals in flight.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }
    /// Has this pair signals in flight?
    #[must_use]
    pub fn has(&self, from: Sender, to: Pid) -> bool {
        self.queues.contains_key(&(from, to))
    }
    /// Adds a signal behind those of its pair.
    pub fn push(&mut self, from: Sender, to: Pid, tag: Tag, signal: Signal) {
        let queue = self.queues.entry((from, to)).or_default();
        if queue.is_empty() {
            self.pairs.push((from, to));
        }
        self.words += FLIGHT_WORDS + signal.words();
        queue.push_back((tag, signal));
    }
    /// Words of memory that it takes, about.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }
    /// Takes the oldest signal of the `i`-th pair.
    pub fn pop(&mut self, i: usize) -> Option<(Pid, Tag, Signal)> {
        let pair = *self.pairs.get(i)?;
        self.pop_pair(pair.0, pair.1)
    }
    /// Takes the message of a timer to this process.
    pub fn pop_timer(&mut self, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let is_timer = |(from, q): &&(Sender, Pid)| *q == to && matches!(from, Sender::Timer(_));
        let (from, to) = *self.pairs.iter().find(is_timer)?;
        self.pop_pair(from, to)
    }
    /// Takes the oldest signal of this pair.
    pub fn pop_pair(&mut self, from: Sender, to: Pid) -> Option<(Pid, Tag, Signal)> {
        let queue = self.queues.get_mut(&(from, to))?;
        let (tag, signal) = queue.pop_front().expect("invariant: queues in the map are not empty");
        self.words -= FLIGHT_WORDS + signal.words();
        if queue.is_empty() {
            self.queues.remove(&(from, to));
            self.pairs.retain(|&p| p != (from, to));
        }
        Some((to, tag, signal))
    }
}
