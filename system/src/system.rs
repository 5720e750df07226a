//! Γ; Π; Ω: the system and its steps. One forward semantics for processes with and without a log to follow [GV21, Fig. 8 and 9].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, bytes_outside};
use interpreter::native::{Class, Raise};
use interpreter::otp;
use interpreter::term::{Pid, Term};
use interpreter::vm::{self, EndClass, Program, Stop, Timeout};
use log_format::{Access, Action, ActionId, ActionNo, ExitClass, Kind, Resource, Tag};

use crate::feed::{Divergence, Feed, Plan};
use crate::ids;
use crate::loader::Loader;
use crate::natives::Op;
use crate::observer::{Detail, Event, Observer};
use crate::outside::{Device, Outside};
use crate::process::{AliasMode, Flight, Label, Lookup, PendingExit, Process, Sender, Signal, Slot, State, Table};
use crate::resources::Resources;
use crate::scheduler::Scheduler;
use crate::timers::Timers;

/// Why a native could not be carried out now.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// It raises.
    Raise(Raise),
    /// Replay: a version that it reads has not been written yet; it is tried again.
    Blocked(crate::resources::Wanted),
    /// Replay: the program is not the one that was recorded.
    Diverged(Box<Divergence>),
    /// The process is waiting for a line of standard input; it is tried again.
    Input,
    /// The process is waiting for the end of a command; it is tried again.
    Command,
    /// It hibernates until it has a message; it is tried again.
    Message,
    /// Replay: an exit signal ends the process while it waits for the outside.
    Killed(Tag),
    /// Replay: a signal that it is to drop has not been sent yet; it is tried again when it is.
    Awaiting,
    /// The whole system stopped in this step.
    Halted(i64),
}

impl From<Raise> for Interrupt {
    fn from(raise: Raise) -> Self {
        Self::Raise(raise)
    }
}

/// What a slice left a process doing.
pub(crate) enum After {
    Ready,
    Parked(State),
    Ended,
}

/// How a whole run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Nothing can happen any more.
    Quiescent,
    /// The entry process ended and the caller asked to stop then.
    EntryEnded,
    /// `halt(code)`.
    Halted(i64),
    /// A limit was reached; the text names it.
    Limit(String),
    /// The person asked to stop.
    Interrupted,
}

/// Limits of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Nanoseconds of the run's clock.
    pub time: Option<u64>,
    /// Living processes.
    pub processes: usize,
    /// Bytes of heaps, mailboxes, tables, timers, shared resources, and of binaries outside the heaps.
    pub memory: Option<usize>,
}

/// [`set_default_memory`]: 0 for no limit.
static DEFAULT_MEMORY: AtomicUsize = AtomicUsize::new(0);

/// Limits the memory of all systems of this process whose limits do not say otherwise: for a tool that runs programs of strangers.
pub fn set_default_memory(bytes: usize) {
    DEFAULT_MEMORY.store(bytes, Ordering::Relaxed);
}

impl Default for Limits {
    fn default() -> Self {
        let memory = DEFAULT_MEMORY.load(Ordering::Relaxed);
        Self {
            time: None,
            processes: 262_144,
            memory: (memory > 0).then_some(memory),
        }
    }
}

/// The run's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// The outside's.
    Real,
    /// Moves with the counted events and jumps over idle time; nanoseconds since the start of the run.
    Virtual(u64),
}

/// Heaps that are smaller are not collected before a checkpoint.
const SPARED_WORDS: usize = 8192;

/// With more processes than this, one that has done all that was asked of it keeps no more memory than it needs to go on later.
const FROZEN_AT_HAND: usize = 256;

/// The same for one that waits in replay: that costs a little whenever it goes on.
const WAITING_AT_HAND: usize = 4096;

/// Words of a link, monitor or alias.
const RELATION_WORDS: usize = 12;

/// Words that belong to a process besides its description and what grows: its place in the tables, its log, the ends of its buffers.
const BESIDES_WORDS: usize = 60;

/// Virtual nanoseconds that a counted event takes.
pub(crate) const EVENT_NANOSECONDS: u64 = 50;

/// Settings of a system.
pub struct Settings {
    /// Who runs next.
    pub scheduler: Box<dyn Scheduler>,
    /// The outside.
    pub outside: Box<dyn Outside>,
    /// Where modules come from.
    pub loader: Box<dyn Loader>,
    /// The clock.
    pub clock: Clock,
    /// Limits.
    pub limits: Limits,
    /// Arguments after `--`, for `init:get_plain_arguments/0`.
    pub arguments: Vec<String>,
    /// Stop when the entry process has ended.
    pub exit_with_entry: bool,
}

/// The system.
pub struct System<O: Observer> {
    /// The code.
    pub program: Arc<Program>,
    /// Who watches (the recorder, a view, nobody).
    pub observer: O,
    /// The last answer of `erlang:now/0`, in microseconds.
    pub(crate) last_now: i64,
    pub(crate) table: Table<O::Log>,
    pub(crate) scheduler: Box<dyn Scheduler>,
    pub(crate) outside: Box<dyn Outside>,
    pub(crate) loader: Box<dyn Loader>,
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
    pub(crate) arguments: Vec<String>,
    exit_with_entry: bool,
    pub(crate) flight: Flight,
    pub(crate) timers: Timers,
    pub(crate) resources: Resources,
    /// Accesses of the step being made.
    pub(crate) accesses: Vec<Access>,
    /// What a process that is born follows; `None` when recording.
    pub(crate) plan: Option<Plan>,
    /// The next free N of `<0.N.0>`.
    pub(crate) next_pid: u64,
    pub(crate) nodes: interpreter::native::Nodes,
    pub(crate) membership: crate::nodes::Membership,
    pub(crate) node_changes: Vec<crate::nodes::NodeChange>,
    pub(crate) unique: i64,
    pub(crate) entry: Pid,
    /// How the entry process ended, if it has: by itself with a class, or by a signal.
    pub entry_end: Option<Option<EndClass>>,
    /// Nodes whose logger prints no errors. For the observer alone: no program sees it.
    pub(crate) silent_nodes: rustc_hash::FxHashSet<u16>,
    /// Processes that make log events of ends by errors.
    pub(crate) crash_hearers: std::collections::BTreeSet<Pid>,
    /// Who of them does so now, by node.
    pub(crate) crash_proxies: std::collections::BTreeMap<u16, Pid>,
    pub(crate) end: Option<RunEnd>,
    /// Actions of all processes.
    pub total_actions: u64,
    started: u64,
    /// invariant: the sum of `counted_words` of the living.
    pub(crate) memory_words: usize,
    /// Words that tables take, when it was last counted.
    table_words: usize,
    /// Signals to the process that is running, sent while another one ended.
    pub(crate) incoming: Vec<(Pid, Tag, Signal)>,
    /// Likewise what its tables and monitors have become.
    pub(crate) owed: Vec<crate::ends::Owed>,
    /// Lines of standard input are given as binaries: `io:setopts/1` has said so.
    pub(crate) binary_input: bool,
    /// The native being carried out.
    pub(crate) native: vm::NativeId,
    /// ETS tables.
    pub(crate) tables: rustc_hash::FxHashMap<interpreter::term::Reference, crate::ets::Table>,
    /// Messages of the table operation being carried out.
    pub(crate) ets_sends: Vec<(Pid, Fragment)>,
    /// Sizes of the counter arrays, and of which kind their makers say that they are.
    pub(crate) counters: rustc_hash::FxHashMap<interpreter::term::Reference, (u64, Atom)>,
    pub(crate) last_statistics: i64,
    /// Processes that wait for the outside.
    pub(crate) asking: crate::asking::Asking,
    pub(crate) blocked: rustc_hash::FxHashMap<crate::resources::Wanted, Vec<Slot>>,
    /// It is driven: what happens is the caller's choice.
    pub(crate) held_back: Option<crate::driven::HeldBack>,
    /// Somebody drives processes beyond their logs.
    pub(crate) driven: Option<crate::beyond::Driven>,
    /// Memory of processes that have ended.
    pub(crate) spare: vm::Spare,
    /// Replay: those that have ended, where that may be taken back.
    pub(crate) graves: rustc_hash::FxHashMap<log_format::Pid, crate::retract::Grave>,
    /// Replay: of each process the last timer's message that another one has received.
    pub(crate) timers_reached: rustc_hash::FxHashMap<log_format::Pid, u64>,
    /// The first divergence met in replay.
    pub divergence: Option<Box<Divergence>>,
}

/// What has come of a signal that has arrived.
pub(crate) enum Settled {
    /// A message.
    Message(Fragment),
    /// An exit signal takes effect at the next point.
    Exit,
    /// Nothing: it was for a link, monitor or alias that is not there.
    Nothing,
}

/// The number of the first process.
pub const FIRST_PID: u64 = 1;

/// The first group leader: standard input and output. No process of the program.
pub const DEVICE: Pid = Pid::new(0, 0);

impl<O: Observer> System<O> {
    /// A system without processes.
    pub fn new(program: Arc<Program>, observer: O, mut settings: Settings, plan: Option<Plan>) -> Self {
        let started = settings.outside.monotonic();
        let next_pid = plan.as_ref().map_or(FIRST_PID, Plan::first_free_pid);
        let mut resources = Resources::new(plan.is_some());
        if let Some(plan) = &plan {
            resources.set_texts(plan.texts());
        }
        let first_node = Resource::Node(log_format::Node(0));
        resources.given(first_node, crate::resources::Value::Number(1));
        let mut names = plan.as_ref().map(Plan::nodes).unwrap_or_default();
        if names.is_empty() {
            names.push(crate::nodes::NO_NODE.to_owned());
        }
        let names = names.iter().map(|name| Atom::new(name)).collect();
        Self {
            program,
            last_now: 0,
            observer,
            table: Table::default(),
            scheduler: settings.scheduler,
            outside: settings.outside,
            loader: settings.loader,
            clock: settings.clock,
            limits: settings.limits,
            arguments: settings.arguments,
            exit_with_entry: settings.exit_with_entry,
            flight: Flight::default(),
            timers: Timers::default(),
            resources,
            accesses: Vec::new(),
            plan,
            next_pid,
            nodes: interpreter::native::Nodes::new(names),
            membership: Default::default(),
            node_changes: Vec::new(),
            unique: 0,
            entry: Pid::new(0, FIRST_PID),
            entry_end: None,
            silent_nodes: Default::default(),
            crash_hearers: Default::default(),
            crash_proxies: Default::default(),
            end: None,
            total_actions: 0,
            started,
            memory_words: 0,
            table_words: 0,
            incoming: Vec::new(),
            owed: Vec::new(),
            binary_input: false,
            native: vm::NativeId(0),
            tables: rustc_hash::FxHashMap::default(),
            ets_sends: Vec::new(),
            counters: rustc_hash::FxHashMap::default(),
            last_statistics: 0,
            asking: Default::default(),
            blocked: rustc_hash::FxHashMap::default(),
            held_back: None,
            driven: None,
            spare: vm::Spare::default(),
            graves: Default::default(),
            timers_reached: Default::default(),
            divergence: None,
        }
    }

    /// Makes the entry process, which will call `module:function(arguments…)`; arguments are strings.
    pub fn start(&mut self, module: Atom, function: Atom, arguments: Option<&[String]>) -> Pid {
        let pid = Pid::new(0, FIRST_PID);
        if self.next_pid == FIRST_PID {
            self.next_pid += 1;
        }
        let mut machine = self.machine(pid);
        let args = match arguments {
            None => vec![],
            Some(list) => {
                let strings: Vec<Term> = list.iter().map(|a| machine.heap.make_string(a)).collect();
                vec![machine.heap.make_list(&strings)]
            }
        };
        machine.start_call(module, function, &args);
        let call = (module, function, args.len() as u8);
        self.birth(machine, pid, None, call, DEVICE, None, 1);
        self.entry = pid;
        pid
    }

    /// A machine for a new process.
    pub(crate) fn machine(&mut self, pid: Pid) -> vm::Process {
        let node = self.node_name(pid.node());
        vm::Process::new_in(&self.program, pid, node, self.nodes.clone(), &mut self.spare)
    }

    /// Puts a new process into the table and makes it ready. `incarnation`: the version of its node.
    #[expect(clippy::too_many_arguments, reason = "what a process is born with")]
    pub(crate) fn birth(
        &mut self,
        mut machine: vm::Process,
        pid: Pid,
        parent: Option<(Pid, u64)>,
        initial_call: (Atom, Atom, u8),
        group_leader: Pid,
        parent_log: Option<&O::Log>,
        incarnation: u64,
    ) -> Slot {
        let feed = self.plan.as_ref().and_then(|plan| plan.feed(ids::to_log(pid)));
        let log = self.observer.born(ids::to_log(pid), parent_log, pid.node());
        if self.plan.is_none() && self.observer.wants_messages() {
            machine.mailbox.keep_received();
        }
        let mut process = Box::new(Process {
            machine,
            pid,
            parent,
            state: State::Ready,
            actions: 0,
            sent: 0,
            log,
            feed,
            pool: Default::default(),
            trap_exit: false,
            pending: None,
            deadline: None,
            expired: false,
            group_leader,
            initial_call,
            applied: false,
            total_events: 0,
            suspended: 0,
            held: false,
            awaits_message: false,
            at_receive: false,
            retry: None,
            may_read: false,
            counted_words: 0,
            incarnation,
            standing: true,
            ending: None,
            label: None,
            reached: Default::default(),
            spawned: 0,
            outgrown: false,
            rare: crate::process::Seldom::default(),
        });
        // Replay may have sent to it before it was born again.
        if !self.resources.early.is_empty()
            && let Some(early) = self.resources.early.remove(&pid)
        {
            process.pool = early;
        }
        let frozen = process
            .feed
            .as_ref()
            .is_some_and(|f| f.is_done() && !f.runs_on() && !f.hands_over());
        if frozen {
            process.state = State::Frozen;
        }
        // At once: very many may be born before the first of them runs.
        self.count_words(&mut process);
        let slot = self.table.insert(process);
        if !frozen {
            self.scheduler.ready(slot);
        }
        slot
    }

    // ---- the run -------------------------------------------------------------------------------------------------

    /// Runs until nothing can happen any more, or a limit.
    pub fn run(&mut self) -> RunEnd {
        loop {
            if let Some(end) = self.run_until(u64::MAX) {
                return end;
            }
        }
    }

    /// The same, but pauses (and answers none) between two slices when about so many actions have been done in all.
    pub fn run_until(&mut self, actions: u64) -> Option<RunEnd> {
        self.run_for(actions, u32::MAX)
    }

    /// The same, and at most so many slices of processes.
    pub fn run_for(&mut self, actions: u64, slices: u32) -> Option<RunEnd> {
        let mut left = slices;
        let mut turns: u32 = 0;
        let mut cut_due = self.observer.cut_due();
        loop {
            if let Some(end) = &self.end {
                return Some(end.clone());
            }
            if self.total_actions >= actions {
                return None;
            }
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(64) {
                self.check_limits();
                self.attend();
            }
            if self.total_actions >= cut_due || turns.is_multiple_of(64) {
                if self.observer.wants_cut(self.total_actions) {
                    self.cut();
                }
                cut_due = self.observer.cut_due();
            }
            if !self.flight.is_empty()
                && let Some(i) = self.scheduler.arrival(self.flight.pairs())
            {
                self.arrive_pair(i);
                continue;
            }
            if !self.timers.is_empty() && self.held_back.is_none() {
                self.fire_timers();
            }
            if left == 0 {
                return None;
            }
            if let Some((slot, budget)) = self.scheduler.next() {
                left -= u32::from(slices != u32::MAX);
                let due = actions - self.total_actions;
                self.slice(slot, u32::try_from(due).unwrap_or(u32::MAX).min(budget));
            } else if !self.idle() {
                self.end = Some(RunEnd::Quiescent);
            }
        }
    }

    /// Nothing is ready: lets a signal arrive, time pass or input come. False if nothing can happen any more.
    fn idle(&mut self) -> bool {
        if !self.flight.is_empty() {
            self.arrive_pair(0);
            return true;
        }
        if self.divergence.is_some() {
            return false;
        }
        if self.let_read() || self.attend() {
            return true;
        }
        if self.held_back.is_some() {
            // The caller says when time passes.
            return false;
        }
        // A receive that has its message, or whose process is dead, and a message to the dead must not keep the run alive.
        let table = &self.table;
        let waits = |pid, deadline| table.by_pid(pid).is_some_and(|p| p.deadline == Some(deadline));
        let reaches = |message: &crate::timers::Message| match message.to {
            crate::timers::To::Pid(pid) => !matches!(table.find(pid), Lookup::Dead(_)),
            crate::timers::To::Name(_) => true,
        };
        let next = self.timers.next_wanted(waits, reaches);
        let asked = self.asking.anybody(&self.table);
        match (&mut self.clock, next) {
            (Clock::Real, None) if !asked => return false,
            (Clock::Virtual(_), None) => return false,
            (Clock::Virtual(now), Some(next)) => *now = (*now).max(next),
            (Clock::Real, next) => {
                let now = self.outside.monotonic();
                self.cut_before_rest(next.map(|next| next.saturating_sub(now)));
                self.outside.flush();
                let limit = self.limits.time.map(|t| self.started.saturating_add(t));
                // What was not written because the rest might have been short, is written when it was not.
                let cut = self.observer.rests_at_most(self.total_actions);
                let cut = cut.map(|nanoseconds| now.saturating_add(nanoseconds));
                let until = next.into_iter().chain(limit).chain(cut).min();
                if asked {
                    self.outside.rest(until);
                } else {
                    self.outside.sleep(until);
                }
            }
        }
        self.check_limits();
        true
    }

    /// The system is about to stand still for so many nanoseconds, or for an unknown time.
    pub(crate) fn cut_before_rest(&mut self, nanoseconds: Option<u64>) {
        if self.observer.wants_cut_before_rest(self.total_actions, nanoseconds) {
            self.cut();
        }
    }

    pub(crate) fn check_limits(&mut self) {
        if self.outside.interrupted() {
            self.end = Some(RunEnd::Interrupted);
            return;
        }
        if let Some(limit) = self.limits.time
            && self
                .now()
                .saturating_sub(if self.clock == Clock::Real { self.started } else { 0 })
                >= limit
        {
            self.end = Some(RunEnd::Limit(format!("time ({} s)", limit / 1_000_000_000)));
        }
        if let Some(limit) = self.limits.memory {
            self.table_words = self.tables.values().map(|table| table.contents.words()).sum();
            if self.memory_in_use() > limit {
                self.is_out_of_memory(None);
            }
        }
    }

    /// Bytes that count for the limit: heaps, stacks and mailboxes, signals in flight, tables, timers, shared resources, and binaries outside the heaps.
    fn memory_in_use(&self) -> usize {
        self.words_in_use() * 8 + bytes_outside()
    }

    fn words_in_use(&self) -> usize {
        let signals = self.flight.words() + self.timers.words();
        self.memory_words + self.table_words + signals + self.resources.words()
    }

    /// A process is about to run: its heap and the binaries outside the heaps may grow as long as there is room.
    fn give_room(&self, p: &mut Process<O::Log>) {
        if let Some(limit) = self.limits.memory {
            let besides = self.words_in_use() - p.counted_words + p.machine.words() - p.machine.heap.len();
            p.machine.heap.set_room(limit.saturating_sub(besides * 8));
        }
    }

    /// More memory is in use than may be, or the process that has just run was refused more. True if garbage was not the reason: then the
    /// run ends. So it does where next to nothing is won: the next slice would collect everything again.
    fn is_out_of_memory(&mut self, mut running: Option<&mut Process<O::Log>>) -> bool {
        let Some(limit) = self.limits.memory else { return false };
        if !running.as_ref().is_some_and(|p| p.machine.heap.has_refused()) {
            let all = self.table.iter_mut().chain(running.as_deref_mut());
            for p in all.filter(|p| p.ending.is_none()) {
                let (words, outside) = p.machine.heap.memory();
                if words + outside / 8 > SPARED_WORDS {
                    p.machine.collect(&self.program);
                    let words = words_of(p);
                    self.memory_words = self.memory_words + words - p.counted_words;
                    p.counted_words = words;
                }
            }
            if self.memory_in_use() <= limit - limit / 8 {
                if let Some(p) = running {
                    self.give_room(p);
                }
                return false;
            }
        }
        self.end = Some(RunEnd::Limit(format!("memory ({} MB)", limit >> 20)));
        true
    }

    /// The run's clock: nanoseconds.
    pub(crate) fn now(&mut self) -> u64 {
        match self.clock {
            Clock::Real => self.outside.monotonic(),
            Clock::Virtual(now) => now,
        }
    }

    /// Runs one process for one slice.
    fn slice(&mut self, slot: Slot, budget: u32) {
        let Some(mut process) = self.table.take(slot) else {
            return;
        };
        // An exit signal ends a suspended process too.
        if process.suspended > 0 && process.pending.is_none() && process.feed.is_none() {
            process.held = true;
            self.table.put(slot, process);
            return;
        }
        // One whose heap is limited is looked at often.
        let budget = if process.rare.heap_limit().is_some() {
            budget.min(64)
        } else {
            budget
        };
        self.note_run(process.pid);
        process.machine.borrow_stack(&self.program, &mut self.spare);
        self.give_room(&mut process);
        let after = self.run_process(&mut process, budget);
        self.count_words(&mut process);
        // At once: the next slice may double it.
        if self.limits.memory.is_some_and(|limit| self.memory_in_use() > limit) && !matches!(after, After::Ended) {
            self.is_out_of_memory(Some(&mut process));
        }
        match after {
            After::Ready => {
                process.state = State::Ready;
                self.table.put(slot, process);
                self.scheduler.ready(slot);
            }
            After::Parked(state) => {
                process.at_receive = matches!(state, State::Waiting | State::WaitingInput);
                // One that has come to wait with an exit signal pending ends there.
                let ends = process.at_receive && process.pending.is_some() && process.feed.is_none();
                if ends && self.driven.is_none() {
                    process.state = State::Ready;
                    self.table.put(slot, process);
                    self.scheduler.ready(slot);
                    return;
                }
                process.state = state;
                // In replay many may wait at once for what others have still to do.
                let living = self.table.living();
                let rests = match state {
                    State::Frozen => living > FROZEN_AT_HAND,
                    _ => process.feed.is_some() && living > WAITING_AT_HAND,
                };
                if rests {
                    process.machine.lend_stack(&self.program, &mut self.spare);
                    if let Some(feed) = process.feed.as_mut().filter(|_| state == State::Frozen) {
                        feed.park();
                    }
                }
                self.table.put(slot, process);
            }
            After::Ended => self.bury(slot, *process),
        }
    }

    /// Brings the system's total of memory up to date with a process.
    #[inline]
    pub(crate) fn count_words(&mut self, p: &mut Process<O::Log>) {
        let words = words_of(p);
        self.memory_words = self.memory_words + words - p.counted_words;
        p.counted_words = words;
    }

    /// Writes out all logs as one consistent cut.
    pub fn cut(&mut self) {
        self.cut_with(None);
    }

    /// The same with the log of a process that is out of the table.
    pub(crate) fn cut_with(&mut self, running: Option<&mut O::Log>) {
        let nodes = self.nodes.names();
        let mut logs = self.table.iter_mut().map(|p| &mut p.log).chain(running);
        self.observer.cut(&mut logs, self.resources.texts(), &nodes);
    }

    pub(crate) fn run_process(&mut self, p: &mut Process<O::Log>, budget: u32) -> After {
        let mut left = budget;
        if let Some(after) = self.point(p) {
            return after;
        }
        if p.pending.is_some() && p.feed.is_none() {
            // It takes effect at the next point.
            left = left.min(1);
        }
        if let Some(end) = p.ending.take() {
            return self.ends(p, &end);
        }
        loop {
            if let Some(after) = self.between(p) {
                return after;
            }
            if p.retry.is_some()
                && let Some(tag) = due_here(p)
            {
                return self.killed_by_log(p, tag, false);
            }
            if let Some((id, op)) = p.retry.take() {
                let done = p.feed.as_ref().is_some_and(Feed::is_done);
                if done && self.program.native(id).class != Class::Pure {
                    p.retry = Some((id, op));
                    return After::Parked(State::Frozen);
                }
                self.native = id;
                p.label = None;
                if let Some(after) = self.native(p, op) {
                    return after;
                }
                if self.is_to_stand(p) {
                    return After::Parked(State::Frozen);
                }
                continue;
            }
            let allowed = p
                .feed
                .as_ref()
                .map_or(left, |feed| feed.allowance(p.machine.events(), left));
            let before = p.machine.events();
            p.standing = false;
            p.label = None;
            let stop = if O::STEPS && self.observer.watches(&p.log) {
                let mut steps = crate::observer::Steps {
                    observer: &mut self.observer,
                    log: &mut p.log,
                };
                p.machine.run_observed(&self.program, allowed, &mut steps)
            } else {
                p.machine.run(&self.program, allowed)
            };
            // What is in the `Stop` of an end is not moved by a collection.
            if self.limits.memory.is_some()
                && p.machine.heap.is_full()
                && (!matches!(stop, Stop::Ended(_)) || p.machine.heap.has_refused())
                && self.is_out_of_memory(Some(p))
            {
                return After::Ready;
            }
            let used = p.machine.events() - before;
            p.total_events += used;
            left = left.saturating_sub(used as u32);
            if let Clock::Virtual(now) = &mut self.clock {
                *now += used * EVENT_NANOSECONDS;
            }
            if p.feed.as_ref().is_some_and(Feed::is_done) && !self.silent(&stop) {
                if self.passes(p, &stop) {
                    continue;
                }
                // It ran on beyond its last action and has come to something that is not a silent step. If more is asked of it
                // later, it goes on with that.
                p.label = match stop {
                    Stop::Native { id, number } => {
                        p.retry = Some((id, Op::of(number)));
                        Some(Label::Native(id))
                    }
                    Stop::Wait { timeout } => Some(Label::Receive(timeout)),
                    _ => Some(Label::End),
                };
                return After::Parked(State::Frozen);
            }
            if let Some(tag) = due_here(p)
                && !self.silent(&stop)
            {
                if let Stop::Native { id, number } = stop {
                    p.retry = Some((id, Op::of(number)));
                }
                return self.killed_by_log(p, tag, false);
            }
            // One that acts in every turn of a loop is never preempted between two actions. A receive is a point, too: where it has taken a
            // message, right behind that.
            let waiting = matches!(stop, Stop::Wait { .. });
            let received = matches!(stop, Stop::Received(_));
            let doomed = self.is_doomed(p) && (waiting || received || p.machine.events() > 0 && !self.silent(&stop));
            if doomed
                && !received
                && let Some(pending) = p.pending.take()
            {
                self.end_by_signal(p, pending.tag, pending.reason, waiting);
                return After::Ended;
            }
            match stop {
                // Natives that charge end a slice early.
                Stop::Preempted => match p.feed.as_ref().map(Feed::signal_due) {
                    None => return After::Ready,
                    Some(Some((tag, events, false))) if p.machine.events() >= events => {
                        return self.killed_by_log(p, tag, false);
                    }
                    Some(_) if left == 0 => return After::Ready,
                    Some(_) => {}
                },
                Stop::Observed => return After::Parked(State::Frozen),
                Stop::Native { id, number } => {
                    self.native = id;
                    if let Some(after) = self.native(p, Op::of(number)) {
                        return after;
                    }
                }
                Stop::Received(tag) => {
                    if !self.received_plainly(p, tag)
                        && let Err(interrupt) = self.received(p, ids::unpack(tag))
                    {
                        return self.interrupted_step(p, interrupt).unwrap_or(After::Ready);
                    }
                    if doomed && let Some(pending) = p.pending.take() {
                        self.end_by_signal(p, pending.tag, pending.reason, false);
                        return After::Ended;
                    }
                }
                Stop::Wait { timeout } => match self.waits(p, timeout) {
                    Ok(None) => {}
                    Ok(Some(after)) => return after,
                    Err(interrupt) => return self.interrupted_step(p, interrupt).unwrap_or(After::Ready),
                },
                Stop::Load(module) => self.load(p, module),
                Stop::Ended(end) => {
                    if self.held_back.is_some() && self.gated(p) {
                        p.ending = Some(Box::new(end));
                        return After::Parked(State::Gated);
                    }
                    return self.ends(p, &end);
                }
            }
            if self.end.is_some() {
                return After::Ready;
            }
            if self.is_to_stand(p) {
                return After::Parked(State::Frozen);
            }
            // An action costs as much as a counted event, and a slice may end behind one: others may come between any two actions.
            if p.standing && p.feed.is_none() {
                left = left.saturating_sub(1);
                if left == 0 {
                    return After::Ready;
                }
            }
        }
    }

    /// Does a watched process that has just done an action stand still right after it?
    fn is_to_stand(&mut self, p: &mut Process<O::Log>) -> bool {
        if !O::STEPS || !p.standing || !self.observer.watches(&p.log) {
            return false;
        }
        // From here on it is seen what is seen when it is made again up to here.
        p.machine.forget_place();
        self.observer.acted(&mut p.log).is_break()
    }

    /// It ends by itself.
    fn ends(&mut self, p: &mut Process<O::Log>, end: &vm::End) -> After {
        let reason = seen_reason(&mut p.machine.heap, end);
        let step = self.end_by_itself(p, end.class, &reason, Some(end.stacktrace));
        match step {
            Ok(()) => After::Ended,
            Err(interrupt) => self.interrupted_step(p, interrupt).unwrap_or(After::Ended),
        }
    }

    /// Does a process that stopped so go on without an action?
    fn silent(&self, stop: &Stop) -> bool {
        match stop {
            Stop::Preempted | Stop::Observed | Stop::Load(_) => true,
            Stop::Native { id, .. } => self.program.native(*id).class == Class::Pure,
            Stop::Wait { .. } | Stop::Received(_) | Stop::Ended(_) => false,
        }
    }

    /// Replay: a process that has done all that was asked of it has come to a native. Carries it out if it leaves nothing in a log this time, because
    /// it fails or concerns the process alone.
    fn passes(&mut self, p: &mut Process<O::Log>, stop: &Stop) -> bool {
        let Stop::Native { id, number } = *stop else {
            return false;
        };
        let op = Op::of(number);
        if !op.looks_at_the_log_first() {
            return false;
        }
        self.native = id;
        self.accesses.clear();
        match self.carry_out(p, op) {
            Ok(value) => p.machine.answer(value),
            Err(Interrupt::Raise(raise)) => p.machine.raise(raise),
            // An action: the log has none.
            Err(_) => return false,
        }
        true
    }

    /// A slice begins. Where the process stands at a counted event or at a waiting point, exit signals take effect; where the last slice
    /// ended behind an action, they wait for the next such point.
    fn point(&mut self, p: &mut Process<O::Log>) -> Option<After> {
        let at_receive = std::mem::take(&mut p.at_receive);
        p.awaits_message = false;
        // At a gate they come where the record has them.
        let gates = self.held_back.is_some();
        let between_points = p.machine.events() == 0 && !at_receive && p.actions > 0 && p.suspended == 0 && !gates;
        if p.feed.is_some() || between_points {
            return None;
        }
        if let Some(pending) = p.pending.take() {
            self.end_by_signal(p, pending.tag, pending.reason, at_receive);
            return Some(After::Ended);
        }
        self.limit_heap(p, at_receive)
    }

    /// Recording: a process that has outgrown its limit is killed.
    fn limit_heap(&mut self, p: &mut Process<O::Log>, waiting: bool) -> Option<After> {
        if p.rare.heap_limit().is_none() || self.plan.is_some() || !self.outgrows(p) {
            return None;
        }
        let to = ids::to_log(p.pid);
        let killed = Fragment::immediate(Term::atom(Atom::KILLED));
        self.end_by_signal(p, Tag::Limit { to }, killed, waiting);
        Some(After::Ended)
    }

    /// Has its heap outgrown `max_heap_size`, so that it is killed?
    fn outgrows(&mut self, p: &mut Process<O::Log>) -> bool {
        let Some(&limit) = p.rare.heap_limit() else {
            return false;
        };
        let too_large = |p: &Process<O::Log>, program: &Program| p.machine.used_words(program) as i64 > limit.size;
        if too_large(p, &self.program) {
            p.machine.collect(&self.program);
        }
        if !too_large(p, &self.program) {
            p.outgrown = false;
            return false;
        }
        if limit.error_logger && !p.outgrown {
            p.outgrown = true;
            let (words, messages) = (p.machine.used_words(&self.program), p.machine.mailbox.len());
            let text = format!(
                "=ERROR REPORT==== {} ===\n     Process:            <0.{}.0> \n     Context:            maximum heap size reached\n     \
                 Max Heap Size:      {}\n     Total Heap Size:    {words}\n     Kill:               {}\n     Error Logger:       true\n     \
                 Message Queue Len:  {messages}\n\n",
                self.stamp(),
                p.pid.number(),
                limit.size,
                limit.kill
            );
            self.outside.flush();
            let _ = self.outside.write(Device::Stderr, text.as_bytes());
        }
        limit.kill
    }

    /// Between two labels: a signal to oneself takes effect, and in replay the process may have done all that was asked.
    fn between(&mut self, p: &mut Process<O::Log>) -> Option<After> {
        let Some(feed) = &p.feed else {
            let own = |pending: &mut Box<PendingExit>| pending.tag.sender() == Some(ids::to_log(p.pid));
            if let Some(pending) = p.pending.take_if(own) {
                self.end_by_signal(p, pending.tag, pending.reason, false);
                return Some(After::Ended);
            }
            let driven = self.driven.as_ref()?;
            return driven.is_done(p.pid, p.actions).then_some(After::Parked(State::Frozen));
        };
        if feed.is_done() {
            if feed.runs_on() {
                return None;
            }
            if feed.hands_over() {
                self.beyond(p);
                return None;
            }
            return Some(After::Parked(State::Frozen));
        }
        match feed.signal_due() {
            Some((tag, events, false)) => {
                // To itself: at the step that sent it. Where nothing was counted: right after its last action, or before it ever ran.
                let at_once = tag.sender() == Some(ids::to_log(p.pid)) || events == 0;
                at_once.then(|| self.killed_by_log(p, tag, false))
            }
            _ => None,
        }
    }

    /// Recording: an exit signal has come that ends the process at its next point.
    fn is_doomed(&self, p: &Process<O::Log>) -> bool {
        p.pending.is_some() && p.feed.is_none() && self.driven.is_none()
    }

    /// Replay: the head of the log is a signal and its point is reached.
    fn killed_by_log(&mut self, p: &mut Process<O::Log>, tag: Tag, waiting: bool) -> After {
        if let Err(Interrupt::Blocked(wanted)) = self.heirs_are_there(p) {
            if let Lookup::Alive(slot) = self.table.find(p.pid) {
                self.blocked.entry(wanted).or_default().push(slot);
            }
            return After::Parked(State::Blocked);
        }
        match p.pool.remove(&tag) {
            Some(Signal::Exit { reason, link, .. }) => {
                let reason = exit_reason(&reason, link);
                self.end_by_signal(p, tag, reason, waiting);
                After::Ended
            }
            Some(Signal::Message(_) | Signal::Aliased { .. } | Signal::Down { .. }) => {
                let d = self.divergence(
                    p,
                    format!("an exit signal {tag}"),
                    "a message was sent under that tag".to_owned(),
                );
                self.diverge(d)
            }
            None if matches!(tag, Tag::Limit { .. }) => {
                let killed = Fragment::immediate(Term::atom(Atom::KILLED));
                self.end_by_signal(p, tag, killed, waiting);
                After::Ended
            }
            None => match self.kill_of_node(tag) {
                Some(reason) => {
                    self.end_by_signal(p, tag, reason, waiting);
                    After::Ended
                }
                None => After::Parked(State::Blocked),
            },
        }
    }

    /// The process has used up its log: what is in its pool becomes its mailbox, and it goes on by itself.
    fn beyond(&mut self, p: &mut Process<O::Log>) {
        p.feed = None;
        for (tag, signal) in p.pool.drain() {
            self.take_in(p, tag, signal);
        }
    }

    fn native(&mut self, p: &mut Process<O::Log>, op: Op) -> Option<After> {
        if self.held_back.is_some() && self.program.native(self.native).class != Class::Pure && self.gated(p) {
            p.retry = Some((self.native, op));
            return Some(After::Parked(State::Gated));
        }
        self.accesses.clear();
        match self.carry_out(p, op) {
            Ok(value) => {
                if op == Op::Hibernate {
                    crate::control::wake_up(p);
                } else {
                    p.machine.answer(value);
                }
                if !self.incoming.is_empty() {
                    self.take_incoming(p);
                }
                None
            }
            Err(interrupt) => {
                if matches!(
                    interrupt,
                    Interrupt::Blocked(_)
                        | Interrupt::Awaiting
                        | Interrupt::Input
                        | Interrupt::Command
                        | Interrupt::Message
                        | Interrupt::Killed(_)
                        | Interrupt::Halted(_)
                        // What its log says next may come and wake it: it diverges again.
                        | Interrupt::Diverged(_)
                ) {
                    p.retry = Some((self.native, op));
                }
                self.interrupted_step(p, interrupt)
            }
        }
    }

    /// Signals that other processes sent to the running one while they ended.
    pub(crate) fn take_incoming(&mut self, p: &mut Process<O::Log>) {
        for (to, tag, signal) in std::mem::take(&mut self.incoming) {
            debug_assert_eq!(to, p.pid, "only the running process is out of the table");
            self.arrive_at(p, tag, signal);
        }
    }

    /// The entry process has ended.
    pub(crate) fn entry_ended(&mut self, class: Option<EndClass>) {
        self.entry_end = Some(class);
        if self.exit_with_entry && self.end.is_none() {
            self.end = Some(RunEnd::EntryEnded);
        }
    }

    fn interrupted_step(&mut self, p: &mut Process<O::Log>, interrupt: Interrupt) -> Option<After> {
        match interrupt {
            Interrupt::Raise(raise) => {
                p.machine.raise(raise);
                None
            }
            Interrupt::Blocked(wanted) => {
                if let Lookup::Alive(slot) = self.table.find(p.pid) {
                    self.blocked.entry(wanted).or_default().push(slot);
                }
                Some(After::Parked(State::Blocked))
            }
            Interrupt::Input => {
                self.asking.add_reader(p.pid);
                Some(After::Parked(State::WaitingInput))
            }
            Interrupt::Command => Some(After::Parked(State::WaitingInput)),
            Interrupt::Message => Some(After::Parked(State::Waiting)),
            Interrupt::Killed(tag) => Some(self.killed_by_log(p, tag, true)),
            Interrupt::Diverged(d) => Some(self.diverge(d)),
            Interrupt::Awaiting => Some(After::Parked(State::Blocked)),
            Interrupt::Halted(code) => {
                // In replay the others go on to their last logged actions.
                if p.feed.is_none() && self.driven.is_none() {
                    self.end = Some(RunEnd::Halted(code));
                }
                Some(After::Parked(State::Frozen))
            }
        }
    }

    fn diverge(&mut self, divergence: Box<Divergence>) -> After {
        self.divergence.get_or_insert(divergence);
        After::Parked(State::Blocked)
    }

    // ---- receiving -----------------------------------------------------------------------------------------------

    /// What [`Self::received`] does with a message that a process sent, where the log says nothing else of it and the observer wants no more than
    /// its number: most of what is received. False if it is to be done there.
    #[inline(always)]
    fn received_plainly(&mut self, p: &mut Process<O::Log>, handle: vm::MessageTag) -> bool {
        if p.rare.handed.is_some() || !p.rare.fired.is_empty() {
            return false;
        }
        let Some((by, k)) = ids::sent(handle) else { return false };
        let tag = Tag::Sent { by, k };
        let taken = match &mut p.feed {
            None => self.observer.plain_rec_sent(&mut p.log, by, k),
            Some(feed) => {
                let is_next = feed.head().is_some_and(|head| {
                    head.accesses.is_empty() && matches!(head.kind, Kind::Rec(next) if next == tag)
                });
                let taken = is_next && self.resources.timed.is_empty() && self.observer.plain_rec(&mut p.log, tag);
                if taken {
                    p.reached.note(by, k.0);
                    feed.advance();
                }
                taken
            }
        };
        if !taken {
            return false;
        }
        self.accesses.clear();
        p.deadline = None;
        p.expired = false;
        p.actions += 1;
        p.standing = true;
        self.total_actions += 1;
        p.machine.reset_events();
        true
    }

    fn received(&mut self, p: &mut Process<O::Log>, tag: Tag) -> Result<(), Interrupt> {
        self.accesses.clear();
        self.expect(
            p,
            |k| matches!(k, Kind::Rec(t) if *t == tag),
            || format!("receive the message {tag}"),
        )?;
        p.deadline = None;
        p.expired = false;
        forget_monitor(p, tag);
        if p.feed.is_some() {
            self.note_arrival(p, tag);
        }
        match p.feed.as_ref().and_then(Feed::head) {
            // The name under which it came.
            Some(head) => self.accesses.extend(&head.accesses),
            None if self.resources.arrivals.is_empty() => {}
            None => self.accesses.extend(self.resources.arrivals.remove(&tag)),
        }
        let handed = match p.rare.take(|rare| &mut rare.handed) {
            Some((handed, message)) => (handed == tag).then_some(message),
            None => p.machine.mailbox.take_kept(),
        };
        self.commit(
            p,
            Kind::Rec(tag),
            0,
            Detail::Received {
                message: handed.as_ref(),
            },
        );
        Ok(())
    }

    /// The process is in a receive and none of the messages that it has been shown matches.
    fn waits(&mut self, p: &mut Process<O::Log>, timeout: Timeout) -> Result<Option<After>, Interrupt> {
        self.accesses.clear();
        if p.feed.is_some() {
            return self.waits_in_replay(p, timeout);
        }
        if self.driven.is_some() {
            p.label = Some(Label::Receive(timeout));
            return Ok(Some(After::Parked(State::Frozen)));
        }
        if self.held_back.is_some() {
            p.label = Some(Label::Receive(timeout));
        }
        if let Some(after) = self.limit_heap(p, true) {
            return Ok(Some(after));
        }
        match timeout {
            Timeout::Infinity => {}
            Timeout::Millis(0) if self.held_back.is_some() && !p.expired => p.deadline = Some(self.now()),
            Timeout::Millis(0) => {
                self.times_out(p);
                return Ok(None);
            }
            Timeout::Millis(ms) => {
                if p.expired {
                    self.times_out(p);
                    return Ok(None);
                }
                if p.deadline.is_none() {
                    let late = self.scheduler.lateness(p.pid.number());
                    let deadline = self
                        .now()
                        .saturating_add(ms.saturating_mul(1_000_000))
                        .saturating_add(late);
                    p.deadline = Some(deadline);
                    self.timers.add_wake(deadline, p.pid);
                }
            }
        }
        Ok(Some(After::Parked(State::Waiting)))
    }

    fn waits_in_replay(&mut self, p: &mut Process<O::Log>, timeout: Timeout) -> Result<Option<After>, Interrupt> {
        let feed = p.feed.as_ref().expect("called with a log");
        if feed.is_done() {
            return Ok(Some(After::Parked(State::Frozen)));
        }
        if !p.machine.mailbox.is_empty() {
            let tags: Vec<String> = p.machine.mailbox.tags().map(|t| ids::unpack(t).to_string()).collect();
            let d = self.divergence(
                p,
                feed.describe_head(),
                format!("this receive does not match the message {}", tags.join(", ")),
            );
            return Err(Interrupt::Diverged(d));
        }
        match feed.head_kind() {
            Some(Kind::Rec(tag)) => {
                let tag = *tag;
                let waiting = p.pool.remove(&tag);
                if let Some(signal) = &waiting {
                    self.gives(p, tag, signal);
                }
                match waiting.or_else(|| self.afloat(p, tag)) {
                    Some(signal) => {
                        absorb(p, &signal);
                        let message = as_message(signal);
                        self.hand(p, tag, message);
                        Ok(None)
                    }
                    None => {
                        p.awaits_message = true;
                        Ok(Some(After::Parked(State::Blocked)))
                    }
                }
            }
            Some(Kind::After) if timeout != Timeout::Infinity => {
                self.times_out(p);
                Ok(None)
            }
            _ if let Some(tag) = due_waiting(p) => Ok(Some(self.killed_by_log(p, tag, true))),
            _ => {
                let d = self.divergence(p, feed.describe_head(), "it waits in a receive".to_owned());
                Err(Interrupt::Diverged(d))
            }
        }
    }

    /// Replay: a process is given what its next action consumes. That a message is a timer's is known only to those who make it.
    fn gives(&mut self, p: &Process<O::Log>, tag: Tag, signal: &Signal) {
        if self.observer.retains() && !self.resources.timed.contains_key(&tag) {
            let me = ids::to_log(p.pid);
            self.observer.given(me, ActionNo(p.actions + 1), tag, signal);
        }
    }

    /// Replay: a message that is in no process's pool: to a name, or of a node or an end.
    #[inline]
    fn afloat(&mut self, p: &Process<O::Log>, tag: Tag) -> Option<Signal> {
        let none = self.resources.afloat.is_empty() && self.node_changes.is_empty();
        if none && !matches!(tag, Tag::EndTo { .. }) {
            return None;
        }
        let one = self.resources.afloat.remove(&tag).map(|(signal, _)| signal);
        one.or_else(|| self.message_of_node(tag, p.pid, p.rare.node_news))
            .or_else(|| self.message_of_crash(p.pid, tag))
    }

    /// Replay: the message that the log names next goes into the mailbox.
    fn hand(&self, p: &mut Process<O::Log>, tag: Tag, message: Fragment) {
        if self.observer.wants_message(&p.log) {
            p.rare.handed = Some((tag, message.clone()));
        }
        p.machine.deliver(ids::pack(tag), message);
    }

    fn times_out(&mut self, p: &mut Process<O::Log>) {
        p.deadline = None;
        p.expired = false;
        self.commit(p, Kind::After, 0, Detail::None);
        p.machine.time_out();
    }

    // ---- logging -------------------------------------------------------------------------------------------------

    /// Replay: the head of the log must be of this kind. Does nothing beyond the log.
    pub(crate) fn expect(
        &self,
        p: &Process<O::Log>,
        fits: impl FnOnce(&Kind) -> bool,
        found: impl FnOnce() -> String,
    ) -> Result<(), Interrupt> {
        let Some(feed) = &p.feed else { return Ok(()) };
        match feed.head_kind() {
            Some(kind) if fits(kind) => Ok(()),
            _ => Err(Interrupt::Diverged(self.divergence(p, feed.describe_head(), found()))),
        }
    }

    pub(crate) fn divergence(&self, p: &Process<O::Log>, expected: String, found: String) -> Box<Divergence> {
        Box::new(Divergence {
            pid: ids::to_log(p.pid),
            action: ActionNo(p.actions + 1),
            location: here(&p.machine, &self.program),
            expected,
            found,
        })
    }

    /// The step is done: counts it, logs it, and in replay moves on in the log.
    #[inline(always)]
    pub(crate) fn commit(&mut self, p: &mut Process<O::Log>, kind: Kind, sends: u32, detail: Detail<'_>) {
        if self.accesses.is_empty() {
            let taken = match &kind {
                Kind::Send if sends == 1 => self.observer.plain_send(&mut p.log),
                Kind::Rec(tag) if sends == 0 => self.observer.plain_rec(&mut p.log, *tag),
                _ => false,
            };
            if taken {
                p.actions += 1;
                p.standing = true;
                self.total_actions += 1;
                p.machine.reset_events();
                if let Some(feed) = &mut p.feed {
                    feed.advance();
                }
                return;
            }
        }
        self.commit_any(p, kind, sends, detail);
    }

    #[inline(never)]
    fn commit_any(&mut self, p: &mut Process<O::Log>, kind: Kind, sends: u32, detail: Detail<'_>) {
        let accesses = if self.accesses.is_empty() {
            Vec::new()
        } else {
            std::mem::take(&mut self.accesses)
        };
        let action = Action { kind, sends, accesses };
        p.spawned += u64::from(matches!(action.kind, Kind::Spawn { .. } | Kind::SpawnFailed { .. }));
        p.actions += 1;
        p.standing = true;
        self.total_actions += 1;
        self.observer.action(
            &mut p.log,
            &Event {
                pid: ids::to_log(p.pid),
                number: ActionNo(p.actions),
                action: &action,
                detail,
                machine: &p.machine,
                program: &self.program,
                native: self.native,
            },
        );
        p.machine.reset_events();
        if let Some(feed) = &mut p.feed {
            feed.advance();
        }
    }

    // ---- sending -------------------------------------------------------------------------------------------------

    /// Puts a signal in flight.
    #[inline]
    pub(crate) fn deliver(&mut self, p: &mut Process<O::Log>, to: Pid, tag: Tag, signal: Signal) {
        if to == p.pid {
            self.arrive_at(p, tag, signal);
            return;
        }
        let from = Sender::Process(p.pid);
        if self.plan.is_none() && (!self.flight.is_empty() && self.flight.has(from, to) || self.scheduler.delay()) {
            self.flight.push(from, to, tag, signal);
            return;
        }
        self.arrive(to, tag, signal);
    }

    /// A signal arrives at a process that is not the one running.
    pub(crate) fn arrive(&mut self, to: Pid, tag: Tag, signal: Signal) {
        match self.table.find(to) {
            Lookup::Alive(slot) => {
                let Some(mut q) = self.table.take(slot) else {
                    self.incoming.push((to, tag, signal));
                    return;
                };
                let wake = self.arrive_at(&mut q, tag, signal);
                self.count_words(&mut q);
                if wake {
                    q.state = State::Ready;
                    self.scheduler.ready(slot);
                }
                self.table.put(slot, q);
            }
            Lookup::Unborn if self.plan.is_some() && !crate::runtime::is_runtime(to) => {
                self.resources.early.entry(to).or_default().insert(tag, signal);
            }
            Lookup::Dead(_) => self.lose(to),
            Lookup::Unborn => {}
        }
    }

    /// True if the process has to be made ready.
    fn arrive_at(&mut self, q: &mut Process<O::Log>, tag: Tag, signal: Signal) -> bool {
        // To itself: it arrives as it is sent, and at an alias that is not active it is gone.
        if let Signal::Aliased { alias, .. } = &signal
            && tag.sender() == Some(ids::to_log(q.pid))
            && q.rare.aliases.get(alias).is_none_or(|mode| *mode == AliasMode::Spent)
        {
            return false;
        }
        if let Some(feed) = &q.feed {
            let wanted = q.state == State::Blocked && feed.wants(tag);
            match signal {
                // It is in that receive: no need to keep the message until it looks for it.
                Signal::Message(message) if wanted && q.awaits_message => {
                    let signal = Signal::Message(message);
                    self.gives(q, tag, &signal);
                    self.hand(q, tag, as_message(signal));
                }
                signal => q.pool.insert(tag, signal),
            }
            return wanted;
        }
        if self.driven.is_some() {
            // While it makes a step: of its own only what ends it takes effect, of others nothing before that is chosen.
            let own = tag.sender() == Some(ids::to_log(q.pid));
            if !own || is_message(&signal, q.trap_exit) {
                q.pool.insert(tag, signal);
                return false;
            }
        }
        if self.held_back.is_some() && self.holds(q, tag, &signal) {
            q.pool.insert(tag, signal);
            return false;
        }
        let was_waiting = matches!(q.state, State::Waiting | State::WaitingInput);
        let noticed = self.take_in(q, tag, signal);
        if noticed && q.held && q.pending.is_some() {
            q.held = false;
            return true;
        }
        noticed && was_waiting && (q.state == State::Waiting || q.pending.is_some())
    }

    /// Beyond the log: a message goes into the mailbox, an exit signal takes effect at the next point. True if anything changed.
    pub(crate) fn take_in(&mut self, q: &mut Process<O::Log>, tag: Tag, signal: Signal) -> bool {
        match self.take_effect(q, tag, signal) {
            Settled::Message(message) => {
                q.machine.deliver(ids::pack(tag), message);
                true
            }
            Settled::Exit => true,
            Settled::Nothing => false,
        }
    }

    /// A signal arrives: links, monitors and aliases are as they are from then on, an exit signal is pending.
    pub(crate) fn take_effect(&mut self, q: &mut Process<O::Log>, tag: Tag, signal: Signal) -> Settled {
        match signal {
            Signal::Message(message) => Settled::Message(message),
            Signal::Aliased { alias, message } => {
                let Some(mode) = q.rare.aliases.get(&alias).copied() else {
                    return Settled::Nothing;
                };
                if mode == AliasMode::Spent {
                    return Settled::Nothing;
                }
                if matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor) {
                    q.rare.aliases.insert(alias, AliasMode::Spent);
                }
                if mode == AliasMode::ReplyDemonitor
                    && let Some(monitor) = q.rare.monitors.get_mut(&alias)
                {
                    monitor.over = true;
                    if let Some((_, target)) = self.table.by_pid_mut(monitor.target) {
                        target.rare.watchers.remove(&alias);
                    }
                }
                Settled::Message(message)
            }
            Signal::Down { monitor, message } => {
                let Some(entry) = q.rare.monitors.get_mut(&monitor).filter(|m| !m.over) else {
                    return Settled::Nothing;
                };
                entry.over = true;
                if let Some(mode) = q.rare.aliases.get_mut(&monitor)
                    && matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor)
                {
                    *mode = AliasMode::Spent;
                }
                Settled::Message(message)
            }
            Signal::Exit { from, reason, link } => {
                if link && !q.rare.links.remove(&from) {
                    return Settled::Nothing;
                }
                let untrappable = !link && reason.as_immediate() == Some(Term::atom(Atom::KILL));
                if q.trap_exit && !untrappable {
                    return Settled::Message(as_message(Signal::Exit { from, reason, link }));
                }
                let normal = reason.as_immediate() == Some(Term::atom(Atom::NORMAL));
                if normal && from != q.pid {
                    return Settled::Nothing;
                }
                q.pending
                    .get_or_insert_with(|| Box::new(pending_exit(tag, from, reason, link)));
                Settled::Exit
            }
        }
    }

    /// Replay: a timer's message for a name was sent; whoever is to receive it can go on.
    pub(crate) fn wake_afloat(&mut self, tag: Tag) {
        self.wake_blocked(|feed| feed.wants(tag));
    }

    /// Replay: the waiting processes whose logs are like this can go on.
    pub(crate) fn wake_blocked(&mut self, wanted: impl Fn(&Feed) -> bool) {
        let waiting: Vec<Pid> = self
            .table
            .iter()
            .filter(|q| q.state == State::Blocked && q.feed.as_ref().is_some_and(&wanted))
            .map(|q| q.pid)
            .collect();
        for pid in waiting {
            if let Some((slot, q)) = self.table.by_pid_mut(pid) {
                q.state = State::Ready;
                self.scheduler.ready(slot);
            }
        }
    }

    fn arrive_pair(&mut self, i: usize) {
        if let Some((to, tag, signal)) = self.flight.pop(i) {
            self.arrive(to, tag, signal);
        }
    }

    /// Signals of `from` that are still in flight to `to` arrive now (liveness and links take effect after them).
    pub(crate) fn settle(&mut self, from: Pid, to: Pid) {
        while let Some((to, tag, signal)) = self.flight.pop_pair(Sender::Process(from), to) {
            self.arrive(to, tag, signal);
        }
    }

    pub(crate) fn fire_timers(&mut self) {
        let now = self.now();
        while let Some(timer) = self.timers.pop_due(now) {
            match timer {
                crate::timers::Due::Wake(pid, deadline) => {
                    if let Some((slot, q)) = self.table.by_pid_mut(pid)
                        && q.deadline == Some(deadline)
                    {
                        q.expired = true;
                        if q.state == State::Waiting {
                            q.state = State::Ready;
                            self.scheduler.ready(slot);
                        }
                    }
                }
                crate::timers::Due::Message(timer) => self.expired(timer),
            }
        }
    }

    /// A timer has expired: its message arrives.
    pub(crate) fn expired(&mut self, timer: crate::timers::Message) {
        let to = match timer.to {
            crate::timers::To::Pid(pid) => Some(pid),
            crate::timers::To::Name(name) => self.resources.arrives_at(name, timer.tag),
        };
        let Some(to) = to else { return };
        let message = Signal::Message(timer.message);
        if self.plan.is_none() && self.held_back.is_none() && self.scheduler.delay_timer() {
            self.flight.push(Sender::Timer(timer.tag), to, timer.tag, message);
            return;
        }
        self.arrive(to, timer.tag, message);
    }

    // ---- code ----------------------------------------------------------------------------------------------------

    fn load(&mut self, p: &mut Process<O::Log>, module: Atom) {
        if self.program.is_loaded(module) {
            self.missing(p);
            return;
        }
        match self.loader.load(module, Arc::make_mut(&mut self.program)) {
            Ok(true) => {}
            Ok(false) => self.missing(p),
            Err(text) => {
                self.outside.note(&text);
                p.machine.undefined();
            }
        }
    }

    /// The process calls a function that does not exist: `undef`, and whoever watches is told where OTP has it.
    fn missing(&mut self, p: &mut Process<O::Log>) {
        if let Some((module, function, arity)) = p.machine.pending_call()
            && let Some(known) = otp::known(module.as_str(), function.as_str(), arity)
        {
            self.observer.missing((module, function, arity), known);
        }
        p.machine.undefined();
    }

    /// The limit that has ended the run, if one has.
    #[must_use]
    pub fn limit(&self) -> Option<&str> {
        match &self.end {
            Some(RunEnd::Limit(which)) => Some(which),
            _ => None,
        }
    }

    /// Replay that came to rest: a process that has not done what was asked of it, and why.
    #[must_use]
    pub fn stuck(&self) -> Option<Box<Divergence>> {
        let stuck = |p: &&Process<O::Log>| p.feed.as_ref().is_some_and(|f| !f.is_done());
        let all: Vec<&Process<O::Log>> = self.table.iter().filter(stuck).collect();
        // Rather one that does not wait for another of them: it is more likely to be where the trouble began.
        let waits = |p: &&&Process<O::Log>| {
            let head = p.feed.as_ref().and_then(Feed::head);
            let sender = head.and_then(|a| a.kind.consumed()).and_then(Tag::sender);
            let writers = head
                .into_iter()
                .flat_map(|a| a.accesses.iter().filter_map(|a| a.by.map(|ActionId { pid, .. }| pid)));
            writers
                .chain(sender)
                .any(|pid| pid != ids::to_log(p.pid) && all.iter().any(|q| ids::to_log(q.pid) == pid))
        };
        let first = all.iter().filter(|p| !waits(p)).min_by_key(|p| p.pid);
        let p = first.or_else(|| all.iter().min_by_key(|p| p.pid))?;
        let feed = p.feed.as_ref()?;
        let found = match feed.head_kind().and_then(Kind::consumed) {
            Some(tag) => format!("nobody sent it {tag}"),
            None => "it waits for another process that never did its part".to_owned(),
        };
        Some(self.divergence(p, feed.describe_head(), found))
    }

    // ---- controlled replay and checkpoints ---------------------------------------------------------------------------

    /// Replay: asks a process to go on until it has done so many actions of its log, and says what it does then. It may be called for
    /// processes that are not born yet; what is done stays done.
    pub fn aim(&mut self, pid: log_format::Pid, actions: u64, tail: crate::feed::Tail) {
        let Some(plan) = &mut self.plan else { return };
        plan.aim(pid, actions, tail);
        if self.end == Some(RunEnd::Quiescent) {
            self.end = None;
        }
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = &mut p.feed else { return };
        feed.aim(plan, pid, actions, tail);
        if p.state == State::Frozen && (!feed.is_done() || feed.runs_on() || feed.hands_over()) {
            p.state = State::Ready;
            self.scheduler.ready(slot);
        }
    }

    /// Replay: a process that stands still is asked for no more than so many actions, whatever it was asked for before.
    pub fn ask_no_more(&mut self, pid: log_format::Pid, actions: u64) {
        let Some(plan) = &self.plan else { return };
        let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        if let Some(feed) = &mut p.feed
            && feed.asks_for_more_than(actions)
        {
            feed.rest();
            feed.aim(plan, pid, actions, crate::feed::Tail::Stop);
        }
    }

    /// Replay: every process is asked for what it has done and for nothing more, whatever it was asked for before.
    pub fn rest(&mut self) {
        let Some(plan) = &mut self.plan else { return };
        plan.rest();
        for p in self.table.iter_mut() {
            if let Some(feed) = &mut p.feed {
                feed.rest();
                if p.state == State::Blocked {
                    p.state = State::Frozen;
                }
                // What it has been handed and not received yet may be received later, or be waiting when it leaves its log.
                while let Some((tag, message)) = p.machine.mailbox.pop() {
                    p.pool.insert(ids::unpack(tag), Signal::Message(message));
                }
            }
        }
        self.blocked.clear();
    }

    /// A living process, to be prepared for being watched.
    pub fn process_mut(&mut self, pid: log_format::Pid) -> Option<(Slot, &mut Process<O::Log>)> {
        self.table.by_pid_mut(Pid::new(0, pid.0))
    }

    /// The same system once more, as it stands between two slices: a checkpoint. It gets a scheduler of its own, which takes over the
    /// processes that can run, and a loader. None where the outside cannot be had twice.
    #[must_use]
    pub fn fork(&self, mut scheduler: Box<dyn Scheduler>, loader: Box<dyn Loader>) -> Option<Self>
    where
        O: Clone,
        O::Log: Clone,
    {
        let Self {
            program,
            observer,
            table,
            scheduler: _,
            outside,
            loader: _,
            clock,
            limits,
            arguments,
            exit_with_entry,
            flight,
            timers,
            resources,
            accesses,
            plan,
            next_pid,
            nodes,
            unique,
            entry,
            entry_end,
            silent_nodes,
            crash_hearers,
            crash_proxies,
            end,
            total_actions,
            started,
            memory_words,
            table_words,
            incoming,
            owed,
            binary_input,
            native,
            tables,
            ets_sends,
            counters,
            last_statistics,
            asking,
            blocked,
            held_back,
            membership,
            node_changes,
            last_now,
            driven,
            spare: _,
            graves,
            timers_reached,
            divergence,
        } = self;
        let outside = outside.snapshot()?;
        for (slot, p) in table.slots() {
            if p.state == State::Ready {
                scheduler.ready(slot);
            }
        }
        Some(Self {
            program: Arc::clone(program),
            observer: observer.clone(),
            table: table.clone(),
            scheduler,
            outside,
            loader,
            clock: *clock,
            limits: limits.clone(),
            arguments: arguments.clone(),
            exit_with_entry: *exit_with_entry,
            flight: flight.clone(),
            timers: timers.clone(),
            resources: resources.clone(),
            accesses: accesses.clone(),
            plan: plan.clone(),
            next_pid: *next_pid,
            nodes: nodes.clone(),
            unique: *unique,
            entry: *entry,
            entry_end: *entry_end,
            silent_nodes: silent_nodes.clone(),
            crash_hearers: crash_hearers.clone(),
            crash_proxies: crash_proxies.clone(),
            end: end.clone(),
            total_actions: *total_actions,
            started: *started,
            memory_words: *memory_words,
            table_words: *table_words,
            incoming: incoming.clone(),
            owed: owed.clone(),
            binary_input: *binary_input,
            native: *native,
            tables: tables.clone(),
            ets_sends: ets_sends.clone(),
            counters: counters.clone(),
            last_statistics: *last_statistics,
            asking: asking.clone(),
            blocked: blocked.clone(),
            held_back: held_back.clone(),
            membership: *membership,
            node_changes: node_changes.clone(),
            last_now: *last_now,
            driven: driven.clone(),
            spare: vm::Spare::default(),
            graves: graves.clone(),
            timers_reached: timers_reached.clone(),
            divergence: divergence.clone(),
        })
    }

    /// Gives back memory that the processes can spare: before a system is kept as a checkpoint.
    pub fn shrink(&mut self) {
        for p in self.table.iter_mut() {
            if p.machine.heap.len() > SPARED_WORDS {
                p.machine.shrink(&self.program);
            }
        }
    }

    /// About how many bytes the processes and what is in flight take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = |p: &Process<O::Log>| {
            let signals = p.pool.len() + p.machine.mailbox.len() + p.rare.links.len() + p.rare.monitors.len();
            let words = p.machine.words() + p.pool.iter().map(|(_, signal)| signal.words()).sum::<usize>();
            std::mem::size_of::<Process<O::Log>>() + words * 8 + signals * 96
        };
        let processes: usize = self.table.iter().map(each).sum();
        let tables: usize = self.tables.values().map(|table| table.contents.bytes()).sum();
        let graves: usize = self.graves.values().map(crate::retract::Grave::bytes).sum();
        processes + tables + graves + self.table.born() * 32 + self.resources.bytes()
    }

    // ---- looking -------------------------------------------------------------------------------------------------

    /// All processes, the living and the dead.
    #[must_use]
    pub const fn table(&self) -> &Table<O::Log> {
        &self.table
    }

    /// The run's list of texts, by [`log_format::TextId`].
    #[must_use]
    pub fn texts(&self) -> &[String] {
        self.resources.texts()
    }

    /// The entry process.
    #[must_use]
    pub const fn entry(&self) -> Pid {
        self.entry
    }

    /// The outside, for the caller that made it.
    pub fn outside(&mut self) -> &mut dyn Outside {
        &mut *self.outside
    }

    /// Takes the observer out, at the end.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// All processes of the table, to finish their logs.
    pub fn processes_mut(&mut self) -> impl Iterator<Item = &mut Process<O::Log>> {
        self.table.iter_mut()
    }
}

/// Words of memory that a process takes, about.
#[inline]
fn words_of<L>(p: &Process<L>) -> usize {
    std::mem::size_of::<Process<L>>() / 8 + BESIDES_WORDS + p.machine.words() + RELATION_WORDS * p.rare.relations()
}

/// A process has received a message: if it was a 'DOWN', its monitor is done with.
fn forget_monitor<L>(p: &mut Process<L>, tag: Tag) {
    match tag {
        Tag::EndRef { owner, k, .. } if owner == ids::to_log(p.pid) => {
            let reference = interpreter::term::Reference {
                owner: p.pid,
                number: k,
            };
            p.rare.monitors.remove(&reference);
            p.rare.fired.remove(&reference);
            if p.rare
                .aliases
                .get(&reference)
                .is_some_and(|mode| !matches!(mode, AliasMode::Explicit))
            {
                p.rare.aliases.remove(&reference);
            }
        }
        Tag::Sent { by, .. } if by == ids::to_log(p.pid) && !p.rare.fired.is_empty() => {
            p.rare.fired.retain(|_, fired| *fired != tag);
        }
        _ => {}
    }
}

/// Where a process stands, `file:line:column`.
#[must_use]
pub fn here(machine: &vm::Process, program: &Program) -> Option<String> {
    machine
        .location(program)
        .map(|l| format!("{}:{}:{}", l.file, l.line, l.column))
}

/// What the arrival of a message changes, besides bringing it: at the latest when it is received.
fn absorb<L>(p: &mut Process<L>, signal: &Signal) {
    match signal {
        Signal::Message(_) | Signal::Down { .. } => {}
        Signal::Aliased { alias, .. } => {
            let Some(mode) = p.rare.aliases.get_mut(alias) else {
                return;
            };
            if matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor) {
                let ends = *mode == AliasMode::ReplyDemonitor;
                *mode = AliasMode::Spent;
                if ends && let Some(monitor) = p.rare.monitors.get_mut(alias) {
                    monitor.over = true;
                }
            }
        }
        Signal::Exit { from, link, .. } => {
            if *link {
                p.rare.links.remove(from);
            }
        }
    }
}

/// Replay: the exit signal that ends the process where it stands.
fn due_here<L>(p: &Process<L>) -> Option<Tag> {
    let (tag, events, waiting) = p.feed.as_ref()?.signal_due()?;
    (!waiting && p.machine.events() == events).then_some(tag)
}

/// Replay: the exit signal that ended the process while it waited, if it has come to where that was: at a receive, or in a native that waits. Before
/// that it may pass others that leave nothing in a log, because they fail or concern the process alone.
pub(crate) fn due_waiting<L>(p: &Process<L>) -> Option<Tag> {
    let (tag, events, waiting) = p.feed.as_ref()?.signal_due()?;
    (waiting && p.machine.events() == events).then_some(tag)
}

/// Does a receiver see this signal as a message?
pub(crate) fn is_message(signal: &Signal, traps: bool) -> bool {
    match signal {
        Signal::Message(_) | Signal::Aliased { .. } | Signal::Down { .. } => true,
        Signal::Exit { reason, link, .. } => traps && (*link || reason.as_immediate() != Some(Term::atom(Atom::KILL))),
    }
}

/// What a trapped exit signal looks like, and what a message is.
pub(crate) fn as_message(signal: Signal) -> Fragment {
    match signal {
        Signal::Message(message) | Signal::Aliased { message, .. } | Signal::Down { message, .. } => message,
        Signal::Exit { from, reason, .. } => crate::terms::tuple(&[
            crate::terms::Part::Term(Term::atom(Atom::EXIT_UPPER)),
            crate::terms::Part::Term(Term::pid(from)),
            crate::terms::Part::Fragment(&reason),
        ]),
    }
}

/// The reason that links and monitors see (OTP, "Erlang Reference Manual", 14.6 and 10.4).
fn seen_reason(heap: &mut interpreter::heap::Heap, end: &vm::End) -> Fragment {
    let reason = match end.class {
        EndClass::Normal => Term::atom(Atom::NORMAL),
        EndClass::Exit => end.reason,
        EndClass::Error => heap.make_tuple(&[end.reason, end.stacktrace]),
        EndClass::Throw => {
            let nocatch = heap.make_tuple(&[Term::atom(Atom::NOCATCH), end.reason]);
            heap.make_tuple(&[nocatch, end.stacktrace])
        }
    };
    heap.export(reason)
}

/// An exit signal that ends the process at its next point, unless that traps exits before.
pub(crate) fn pending_exit(tag: Tag, from: Pid, reason: Fragment, link: bool) -> PendingExit {
    let ends_with = exit_reason(&reason, link);
    let signal = Signal::Exit { from, reason, link };
    PendingExit {
        tag,
        reason: ends_with,
        trapped: is_message(&signal, true).then(|| as_message(signal)),
    }
}

/// With which reason an exit signal ends a process: `kill` sent by `exit/2` becomes `killed`.
pub(crate) fn exit_reason(reason: &Fragment, link: bool) -> Fragment {
    if !link && reason.as_immediate() == Some(Term::atom(Atom::KILL)) {
        Fragment::immediate(Term::atom(Atom::KILLED))
    } else {
        reason.clone()
    }
}

/// The class of an end, for the log.
pub(crate) const fn exit_class(class: EndClass) -> ExitClass {
    match class {
        EndClass::Normal => ExitClass::Normal,
        EndClass::Error => ExitClass::Error,
        EndClass::Exit => ExitClass::Exit,
        EndClass::Throw => ExitClass::Throw,
    }
}
