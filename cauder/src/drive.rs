//! Executes a program under CauDEr's log. The log names spawns, sends, receives, starts and lists of nodes; all else the program does by
//! itself. When it does that is guessed: every process has a clock of its own, which computing and waiting move on, and what comes first by
//! these clocks is done first. Sends come in the order of their uids, which is the order in which the tracer saw them.

use std::collections::BTreeSet;

use interpreter::atom::Atom;
use interpreter::vm::EndClass;
use log_format::{Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::observer::Observer;
use system::process::{Lookup, Process, State};
use system::{RunEnd, System, ids};

use super::absent::{self, Absent};
use super::log::{Entry, Logs};
use super::value;

/// Counted events that a process may run without coming to anything, before others are looked at again.
const EVENTS: u64 = 20_000_000;
/// How often all processes that run for so long may go on.
pub(super) const SPINS: u32 = 50;
/// Steps without an entry of the log: so many, and so many more for every entry.
const FREE_STEPS: u64 = 1_000_000;
const FREE_STEPS_EACH: u64 = 1000;
/// After so many steps without an entry of the log, what is otherwise done last is done first: somebody may tick for ever.
const BARREN: u64 = 200_000;
/// Nanoseconds of a process's clock for a counted event, for a step that is no silent one, and for what the tracer has to be told: before
/// a send it is asked.
const EVENT: u64 = 5;
const STEP: u64 = 1000;
const TOLD: u64 = 5000;
const SEND: u64 = 20_000;
/// Nanoseconds after which a new process runs, and that the start of a node takes.
const BIRTH: u64 = 20_000;
const BOOT: u64 = 300_000_000;
/// Every so many steps in a row without an entry of the log, a step takes as long once more: who polls, waits.
const POLLS: u64 = 1024;
/// Numbers of the log are kept up to here (those of OTP 25 end at 2^28).
const LARGEST_PID: u64 = 1 << 28;

/// A send, as the n-th of a process (from 0, those with and without uid).
pub type Nth = (u64, u64);

/// How what the logs leave open is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Sends happen in the order of their uids.
    pub by_uids: bool,
    /// Nanoseconds by which computing may go before waiting: how fast the traced machine was is not known.
    pub patience: u64,
    /// Has a send to a process that has ended in this run a uid, if the log goes on with one that nobody received?
    pub ended_has_uid: bool,
    /// The program calls `erlang:send/2` by other ways than by name: such sends are not instrumented.
    pub plain_sends: bool,
    /// Of single sends that nobody received: have they a uid?
    pub has_uid: FxHashMap<Nth, bool>,
}

/// A message of the log in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Its tag.
    pub tag: Tag,
    /// Its receiver, if it is in the log.
    pub to: Option<Pid>,
}

/// Where the program and the log part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// CauDEr's number of the process.
    pub pid: u64,
    /// How many entries of its log fitted.
    pub fitted: usize,
    /// The place of the program.
    pub place: Option<String>,
    /// What the program does.
    pub found: String,
}

/// How the entry ended by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It returned this, as `~p` writes it.
    Returned(String),
    /// An exception that it did not catch.
    Raised(String),
}

/// What a run under the log was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// All entries of all logs fitted, or where not.
    pub result: Result<(), Misfit>,
    /// How the system stopped, if it did by itself.
    pub end: Option<RunEnd>,
    /// How the entry ended, if it came to that by itself.
    pub outcome: Option<Outcome>,
    /// The messages of the log, by uid.
    pub sent: FxHashMap<u64, Sent>,
    /// The processes of the log: CauDEr's numbers and ours.
    pub pids: FxHashMap<u64, Pid>,
    /// Sends that nobody received, and whether they were read as having a uid.
    pub doubtful: Vec<(Nth, bool)>,
    /// Sends without a uid, to processes that had ended.
    pub lost: u64,
    /// Sends with a uid to names that nobody had.
    pub nameless: u64,
    /// Messages that CauDEr does not trace and the program itself received.
    pub untraced: u64,
    /// Messages with a uid that a library was given, or a module that was not instrumented.
    pub stray: u64,
    /// Entries that were used.
    pub used: usize,
    /// Processes of the log that have not ended, by CauDEr's numbers, ascending.
    pub alive: Vec<u64>,
    /// A process ran on and on.
    pub span: bool,
}

/// A process of the log.
#[derive(Default)]
pub(super) struct Progress {
    /// Ours.
    pub(super) pid: Pid,
    /// Entries that fitted.
    pub(super) at: usize,
    /// Sends so far.
    pub(super) sends: u64,
    /// A message that was given to it and that no receive has taken.
    pub(super) loose: Option<Tag>,
    /// It was given a message that its receive does not take.
    pub(super) refused: bool,
}

/// The clock of a process, of the log or not.
#[derive(Default)]
pub(super) struct Own {
    /// Nanoseconds.
    pub(super) time: u64,
    /// Its counted events up to then.
    events: u64,
    /// Steps in a row without an entry of the log.
    free: u64,
    /// When the receive in which it waits times out: by the clock of the system, and by its own.
    deadline: Option<(u64, u64)>,
}

/// Where a process is lined up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// By time.
    Queue(u64),
    /// When nothing else can be done, by rank.
    Late(u8, u64),
    /// It can do nothing before others have done something.
    Blocked,
}

pub(super) struct Drive<'a, O: Observer> {
    pub(super) system: &'a mut System<O>,
    pub(super) logs: &'a Logs,
    /// Modules of the program: what the tracer instruments.
    pub(super) modules: &'a FxHashSet<Atom>,
    pub(super) reading: &'a Reading,
    /// By CauDEr's number.
    pub(super) all: FxHashMap<u64, Progress>,
    /// CauDEr's number of a process of ours.
    pub(super) names: FxHashMap<Pid, u64>,
    pub(super) own: FxHashMap<Pid, Own>,
    pub(super) uids: FxHashMap<Tag, u64>,
    pub(super) sent: FxHashMap<u64, Sent>,
    /// When the messages of the log were sent.
    pub(super) sent_at: FxHashMap<u64, u64>,
    /// Messages without a uid that have arrived, by receiver, with the time.
    pub(super) untraced: FxHashMap<Pid, Vec<(Tag, u64)>>,
    /// Messages with a uid that nobody received by the logs, by receiver.
    pub(super) stray: FxHashMap<Pid, Vec<Tag>>,
    /// Exit signals that wait until the log of the process is used up.
    exits: FxHashMap<Pid, Vec<Tag>>,
    absent: Absent,
    /// Nodes that somebody started.
    pub(super) starts: FxHashSet<&'a str>,
    /// All uids that are sent, ascending, and how many of the first have been.
    order: Vec<u64>,
    next: usize,
    /// Uids whose sends are done, or were sends to nobody.
    gone: FxHashSet<u64>,
    /// The first number that no process of the log has.
    fresh: u64,
    doubtful: Vec<(Nth, bool)>,
    lost: u64,
    nameless: u64,
    taken_untraced: u64,
    taken_stray: u64,
    pub(super) spins: u32,
    outcome: Option<Outcome>,
    used: usize,
    entries: usize,
    /// Living processes of the log, and those that have ended.
    living: usize,
    ended: FxHashSet<Pid>,
    /// Too many steps were done that no log names.
    exhausted: bool,
    /// Steps since the last entry.
    barren: u64,
    /// The time of the step that is being made.
    now: u64,
    places: FxHashMap<Pid, Place>,
    queue: BTreeSet<(u64, Pid)>,
    late: BTreeSet<(u8, u64, Pid)>,
    blocked: BTreeSet<Pid>,
    /// Who has to be looked at again.
    dirty: Vec<Pid>,
    /// Somebody has done something for which anybody may have waited.
    shaken: bool,
}

/// What a process can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A step that the log does not name.
    Free,
    /// It is given a message that CauDEr does not trace, in a receive of a library.
    Untraced(Tag),
    /// The step that the log names.
    Logged,
    /// It receives what the log names.
    Receive(u64),
    /// It sends to a process that has ended.
    LostSend,
    /// Its receive times out when its time is over.
    TimeOut,
    /// It sends to a name that nobody has, and the log has a uid for that.
    Nameless,
    /// The start of a node.
    Start,
    /// The start of a node that cannot be reached.
    FailingStart,
    /// Its log is used up, but others may need what it does now.
    Onward,
    /// The same, and what it does is that its receive times out.
    OnwardTimeOut,
    /// It has run for long.
    Spin,
    /// It sends what the log names, before others have sent what was sent earlier.
    Early(u64),
    /// It sends to a name that nobody holds, though the log has something else.
    NoName,
    /// A send that the tracer does not see: by a fun or `apply`.
    Plain,
    /// A library is given a message with a uid.
    Stray(Tag),
    /// The program itself is given a message that CauDEr does not trace.
    Foreign(Tag),
}

/// Runs a system, whose processes stop at gates, under the logs.
pub fn drive<O: Observer>(system: &mut System<O>, logs: &Logs, modules: &FxHashSet<Atom>, reading: &Reading) -> Driven {
    let all = logs.processes.values().flat_map(|log| &log.entries);
    let spawned = all.filter_map(|(entry, _)| match entry {
        Entry::Spawn { pid, .. } => Some(*pid),
        _ => None,
    });
    let largest = spawned.filter(|&pid| pid <= LARGEST_PID).max().unwrap_or(0);
    let mut order: Vec<u64> = logs.senders.keys().copied().collect();
    order.sort_unstable();
    let mut drive = Drive {
        logs,
        modules,
        reading,
        all: FxHashMap::default(),
        names: FxHashMap::default(),
        own: FxHashMap::default(),
        uids: FxHashMap::default(),
        sent: FxHashMap::default(),
        sent_at: FxHashMap::default(),
        untraced: FxHashMap::default(),
        stray: FxHashMap::default(),
        exits: FxHashMap::default(),
        absent: absent::of(logs),
        starts: absent::starts(logs),
        order,
        next: 0,
        gone: FxHashSet::default(),
        fresh: largest.max(system::FIRST_PID) + 1,
        doubtful: Vec::new(),
        lost: 0,
        nameless: 0,
        taken_untraced: 0,
        taken_stray: 0,
        spins: 0,
        outcome: None,
        used: 0,
        entries: logs.processes.values().map(|log| log.entries.len()).sum(),
        living: 0,
        ended: FxHashSet::default(),
        exhausted: false,
        barren: 0,
        now: 0,
        places: FxHashMap::default(),
        queue: BTreeSet::new(),
        late: BTreeSet::new(),
        blocked: BTreeSet::new(),
        dirty: Vec::new(),
        shaken: false,
        system,
    };
    drive.born(logs.pid, Pid(system::FIRST_PID));
    let end = drive.run();
    let living = drive.all.iter().filter(|(_, p)| drive.process(p.pid).is_some());
    let mut alive: Vec<u64> = living.map(|(&number, _)| number).collect();
    alive.sort_unstable();
    Driven {
        result: drive.verdict().and_then(|()| drive.comes_to_its_end(&alive)),
        end,
        outcome: drive.outcome,
        pids: drive.all.iter().map(|(&n, p)| (n, p.pid)).collect(),
        sent: drive.sent,
        doubtful: drive.doubtful,
        lost: drive.lost,
        nameless: drive.nameless,
        untraced: drive.taken_untraced,
        stray: drive.taken_stray,
        used: drive.used,
        alive,
        span: drive.spins >= SPINS,
    }
}

impl<O: Observer> Drive<'_, O> {
    fn born(&mut self, number: u64, pid: Pid) {
        self.living += 1;
        self.names.insert(pid, number);
        self.all.insert(
            number,
            Progress {
                pid,
                ..Progress::default()
            },
        );
    }

    fn run(&mut self) -> Option<RunEnd> {
        let mut left = FREE_STEPS + FREE_STEPS_EACH * self.entries as u64;
        let mut end = self.rest();
        loop {
            if end.is_some() || self.is_over() {
                return end;
            }
            self.look_again();
            let next = self.choose();
            let timer = self.system.next_message_timer();
            if next.is_none() && timer.is_none() {
                return end;
            }
            if left == 0 {
                self.exhausted = true;
                return None;
            }
            let used = self.used;
            // A timer comes before whatever is done only when nothing else can be.
            let comes_first = |due: u64, key: Option<u64>| {
                let patience = self.reading.patience;
                key.map_or(self.barren < BARREN, |key| due.saturating_add(patience) < key)
            };
            end = match (timer, next) {
                (Some((due, tag)), Some((.., key))) if comes_first(due, key) => self.expire(due, tag),
                (Some((due, tag)), None) => self.expire(due, tag),
                (_, Some((pid, step, _))) => self.make(pid, step),
                (None, None) => return None,
            };
            if self.used > used {
                self.barren = 0;
            } else {
                self.barren += 1;
                left -= 1;
            }
        }
    }

    /// Is there nothing more that the logs ask for?
    fn is_over(&self) -> bool {
        self.used == self.entries && (!self.logs.finished || self.living == 0)
    }

    /// Was the run given up while processes went on?
    fn comes_to_its_end(&self, alive: &[u64]) -> Result<(), Misfit> {
        match alive.first() {
            Some(&pid) if self.exhausted => Err(Misfit {
                pid,
                fitted: self.all.get(&pid).map_or(0, |p| p.at),
                place: None,
                found: "it goes on for ever after its last entry".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// A timer of the program sends its message.
    fn expire(&mut self, due: u64, tag: Tag) -> Option<RunEnd> {
        self.now = due;
        self.system.set_clock(due);
        self.system.expire(tag);
        self.rest()
    }

    // ---- who is next -----------------------------------------------------------------------------------------------

    fn look_again(&mut self) {
        if std::mem::take(&mut self.shaken) {
            self.dirty.extend(&self.blocked);
        }
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        dirty.dedup();
        for pid in dirty {
            self.look(pid);
        }
    }

    /// Lines a process up by what it can do next.
    fn look(&mut self, pid: Pid) -> Option<(Step, Place)> {
        let found = self.next_step(pid).map(|step| (step, self.place_of(pid, step)));
        let place = match found {
            Some((_, place)) => Some(place),
            None => self.system.label(pid).map(|_| Place::Blocked),
        };
        let before = match place {
            Some(place) => self.places.insert(pid, place),
            None => self.places.remove(&pid),
        };
        if before != place {
            match before {
                Some(Place::Queue(key)) => self.queue.remove(&(key, pid)),
                Some(Place::Late(rank, key)) => self.late.remove(&(rank, key, pid)),
                Some(Place::Blocked) => self.blocked.remove(&pid),
                None => false,
            };
            match place {
                Some(Place::Queue(key)) => self.queue.insert((key, pid)),
                Some(Place::Late(rank, key)) => self.late.insert((rank, key, pid)),
                Some(Place::Blocked) => self.blocked.insert(pid),
                None => false,
            };
        }
        found
    }

    /// When it is its turn. What is computed comes before what is waited for, up to the patience.
    fn place_of(&mut self, pid: Pid, step: Step) -> Place {
        let time = self.time_of(pid, step);
        match step {
            Step::Free | Step::Untraced(_) | Step::Logged | Step::Receive(_) | Step::LostSend => Place::Queue(time),
            Step::TimeOut | Step::Nameless | Step::Start | Step::FailingStart => {
                Place::Queue(time.saturating_add(self.reading.patience))
            }

            Step::Onward | Step::OnwardTimeOut if self.barren < BARREN => Place::Late(1, time),
            Step::Spin => Place::Late(2, time),
            Step::Early(uid) => Place::Late(3, uid),
            Step::NoName => Place::Late(4, time),
            Step::Plain => Place::Late(5, time),
            Step::Stray(_) => Place::Late(6, time),
            Step::Foreign(_) => Place::Late(7, time),
            Step::Onward | Step::OnwardTimeOut => Place::Late(8, time),
        }
    }

    /// When a process does a step, by its own clock.
    fn time_of(&mut self, pid: Pid, step: Step) -> u64 {
        let waits = self.system.timeout(pid);
        let sends = matches!(self.entry(pid), Some(Some(Entry::Send(_))));
        let own = self.own.entry(pid).or_default();
        match step {
            Step::TimeOut | Step::OnwardTimeOut => {
                let Some((ms, deadline)) = waits else { return own.time };
                match own.deadline {
                    Some((known, mine)) if known == deadline => mine,
                    _ => {
                        let mine = own.time.saturating_add(ms.saturating_mul(1_000_000));
                        own.deadline = Some((deadline, mine));
                        mine
                    }
                }
            }
            Step::Logged if sends => own.time.saturating_add(SEND),
            Step::Start | Step::FailingStart => own.time.saturating_add(BOOT),
            Step::Receive(uid) => own.time.max(self.sent_at.get(&uid).copied().unwrap_or(0)),
            Step::Untraced(tag) | Step::Foreign(tag) => {
                let arrived = self
                    .untraced
                    .get(&pid)
                    .and_then(|all| all.iter().find(|(t, _)| *t == tag));
                own.time.max(arrived.map_or(0, |(_, at)| *at))
            }
            _ => own.time,
        }
    }

    /// The process whose turn it is, what it does, and the time if it is lined up by time.
    fn choose(&mut self) -> Option<(Pid, Step, Option<u64>)> {
        let mut rechecked = false;
        loop {
            let first = self.queue.first().map(|&(_, pid)| pid);
            let late = self.late.first().map(|&(_, _, pid)| pid);
            let pid = match (first, late) {
                (Some(_), Some(pid)) if self.barren >= BARREN => pid,
                (Some(pid), _) => pid,
                (None, _) if !rechecked => {
                    rechecked = true;
                    self.dirty.extend(&self.blocked);
                    self.look_again();
                    continue;
                }
                (None, pid) => pid?,
            };
            // Others may have changed what it can do since it was lined up.
            let before = self.places.get(&pid).copied();
            if let Some((step, place)) = self.look(pid)
                && before == Some(place)
            {
                let key = match place {
                    Place::Queue(key) => Some(key),
                    Place::Late(..) | Place::Blocked => None,
                };
                return Some((pid, step, key));
            }
        }
    }

    /// Sends come in the order of their uids: is this one the next?
    pub(super) fn is_next(&self, uid: u64) -> bool {
        !self.reading.by_uids || self.order.get(self.next).is_none_or(|&next| uid <= next)
    }

    /// A send of the log is done, or needs not be waited for any more.
    fn send_is_done(&mut self, uid: u64) {
        self.gone.insert(uid);
        let before = self.next;
        while self.order.get(self.next).is_some_and(|uid| self.gone.contains(uid)) {
            self.next += 1;
        }
        if self.next > before
            && let Some(next) = self.order.get(self.next)
            && let Some(sender) = self.logs.senders.get(next)
            && let Some(progress) = self.all.get(sender)
        {
            self.dirty.push(progress.pid);
        }
    }

    // ---- the steps -------------------------------------------------------------------------------------------------

    /// Lets everybody run silently on, and sorts what has arrived.
    fn rest(&mut self) -> Option<RunEnd> {
        loop {
            if let Some(end) = self.system.come_to_rest(EVENTS) {
                return Some(end);
            }
            let mut again = false;
            for (to, tag) in self.system.take_arrived() {
                self.dirty.push(to);
                if self.system.is_exit(to, tag) {
                    // CauDEr does not know exit signals. Whoever has entries left has not been ended by one yet.
                    self.exits.entry(to).or_default().push(tag);
                    again |= self.let_die(to);
                } else {
                    match self.uids.get(&tag) {
                        None => self.untraced.entry(to).or_default().push((tag, self.now)),
                        Some(uid) if !self.logs.receivers.contains_key(uid) => {
                            self.stray.entry(to).or_default().push(tag);
                        }
                        Some(_) => {}
                    }
                }
            }
            for pid in self.system.take_ran() {
                self.dirty.push(pid);
                self.has_run(pid);
                again |= self.look_for_taken(pid);
            }
            if !again {
                return None;
            }
        }
    }

    /// Moves the clock of a process on, and sees whether it has ended.
    fn has_run(&mut self, pid: Pid) {
        if let Some(p) = self.process(pid) {
            let total = p.total_events;
            let now = self.now;
            let new = Own {
                time: now + BIRTH,
                ..Own::default()
            };
            let own = self.own.entry(pid).or_insert(new);
            let ran = total.saturating_sub(own.events);
            own.time = own.time.max(now).saturating_add(ran.saturating_mul(EVENT));
            own.events = total;
        } else {
            self.own.remove(&pid);
            self.untraced.remove(&pid);
            self.stray.remove(&pid);
            self.exits.remove(&pid);
            self.shaken = true;
            self.has_ended(pid);
        }
    }

    fn has_ended(&mut self, pid: Pid) {
        if self.names.contains_key(&pid) && self.ended.insert(pid) {
            self.living = self.living.saturating_sub(1);
        }
    }

    /// Has a message that was given to a process been taken by a receive? True if an exit signal is let through now.
    fn look_for_taken(&mut self, pid: Pid) -> bool {
        let Some(tag) = self.progress(pid).and_then(|progress| progress.loose) else {
            return false;
        };
        if self.is_unread(pid, tag) {
            return false;
        }
        if let Some(progress) = self.progress_mut(pid) {
            progress.loose = None;
            progress.refused = false;
        }
        self.entry_is_used(pid)
    }

    fn entry_is_used(&mut self, pid: Pid) -> bool {
        self.used += 1;
        if let Some(progress) = self.progress_mut(pid) {
            progress.at += 1;
        }
        if let Some(own) = self.own.get_mut(&pid) {
            own.free = 0;
        }
        self.dirty.push(pid);
        self.let_die(pid)
    }

    /// Lets the exit signals through that a process was kept from while its log was not used up. True if there are any.
    fn let_die(&mut self, pid: Pid) -> bool {
        if matches!(self.entry(pid), Some(Some(_))) {
            return false;
        }
        let mut any = false;
        for tag in self.exits.remove(&pid).unwrap_or_default() {
            if self.system.is_exit(pid, tag) {
                self.system.release(pid, tag);
                any = true;
            } else if self.system.is_held(pid, tag) {
                // It traps them by now.
                self.untraced.entry(pid).or_default().push((tag, self.now));
            }
        }
        any
    }

    /// Lets a process do a step, and everybody come to rest again.
    fn make(&mut self, pid: Pid, step: Step) -> Option<RunEnd> {
        self.now = self.time_of(pid, step);
        self.system.set_clock(self.now);
        let before = self.actions(pid);
        let takes = match (step, self.entry(pid)) {
            (Step::Logged, Some(Some(Entry::Send(_)))) => STEP,
            (Step::Logged | Step::Receive(_), _) => TOLD,
            _ => STEP,
        };
        if let Some(own) = self.own.get_mut(&pid) {
            own.free += 1;
            own.time = own.time.max(self.now).saturating_add(takes * (1 + own.free / POLLS));
        }
        match step {
            Step::Untraced(tag) | Step::Foreign(tag) => {
                if let Some(tags) = self.untraced.get_mut(&pid) {
                    tags.retain(|(known, _)| *known != tag);
                }
                self.taken_untraced += u64::from(matches!(step, Step::Foreign(_)));
                self.give(pid, tag)
            }
            Step::Stray(tag) => {
                if let Some(tags) = self.stray.get_mut(&pid) {
                    tags.retain(|known| *known != tag);
                }
                self.taken_stray += 1;
                self.give(pid, tag)
            }
            Step::TimeOut | Step::OnwardTimeOut => {
                self.system.time_out(pid);
                self.rest()
            }
            Step::Receive(uid) => {
                let tag = self.sent.get(&uid)?.tag;
                if let Some(progress) = self.progress_mut(pid) {
                    progress.loose = Some(tag);
                }
                let end = self.give(pid, tag);
                if let Some(progress) = self.progress_mut(pid) {
                    progress.refused = progress.loose.is_some();
                }
                end
            }
            Step::Spin => {
                self.spins += 1;
                self.pass(pid)
            }
            Step::LostSend => {
                self.lost += 1;
                if matches!(self.entry(pid), Some(Some(Entry::Send(_))))
                    && let Some(nth) = self.nth_send(pid)
                {
                    self.doubtful.push((nth, false));
                }
                self.unlogged_send(pid)
            }
            Step::NoName | Step::Plain => self.unlogged_send(pid),
            Step::Nameless => {
                let uid = match self.entry(pid) {
                    Some(Some(Entry::Send(uid))) => *uid,
                    _ => return None,
                };
                self.send_is_done(uid);
                // To another node it is a send like any other; to its own it raises, and there is no message.
                let sends = |drive: &Self| drive.process(pid).map(|p| p.sent);
                let before = sends(self);
                let end = self.unlogged_send(pid);
                match before.map(|k| Tag::Sent {
                    by: pid,
                    k: SendNo(k + 1),
                }) {
                    Some(tag) if sends(self) > before => {
                        self.sent.insert(uid, Sent { tag, to: None });
                    }
                    _ => self.nameless += 1,
                }
                if self.entry_is_used(pid) && end.is_none() {
                    return self.rest();
                }
                end
            }
            Step::Free | Step::Onward => {
                self.shaken |= self.may_concern_others(pid);
                self.outcome_of(pid);
                let fresh = self.system.number_next(self.fresh);
                self.fresh = self.fresh.max(fresh.0);
                self.pass(pid)
            }
            Step::Logged | Step::Start | Step::FailingStart | Step::Early(_) => self.make_logged(pid, step, before),
        }
    }

    fn pass(&mut self, pid: Pid) -> Option<RunEnd> {
        self.system.permit(pid, None);
        self.rest()
    }

    fn give(&mut self, pid: Pid, tag: Tag) -> Option<RunEnd> {
        self.system.release(pid, tag);
        self.rest()
    }

    fn unlogged_send(&mut self, pid: Pid) -> Option<RunEnd> {
        if let Some(progress) = self.progress_mut(pid) {
            progress.sends += 1;
        }
        self.pass(pid)
    }

    /// Names and nodes: others may wait for them.
    fn may_concern_others(&self, pid: Pid) -> bool {
        match self.system.label(pid) {
            Some(Label::Native(native)) => {
                native.name.contains("register") || native.name.starts_with("$node") || native.name == "unlink"
            }
            Some(Label::End) | None => false,
            Some(Label::Spinning) => true,
        }
    }

    /// Notes how the entry ends, if that is what it does next.
    fn outcome_of(&mut self, pid: Pid) {
        if pid.0 != system::FIRST_PID || !matches!(self.system.label(pid), Some(Label::End)) {
            return;
        }
        let Some(p) = self.process(pid) else { return };
        let Some(end) = &p.ending else { return };
        self.outcome = Some(match end.class {
            EndClass::Normal => Outcome::Returned(value::written(&p.machine.heap, end.reason, &self.system.program)),
            _ => Outcome::Raised(self.how_it_ends(p)),
        });
    }

    /// How many actions a process has done.
    fn actions(&self, pid: Pid) -> u64 {
        let pid = interpreter::term::Pid::new(0, pid.0);
        match self.system.table().find(pid) {
            Lookup::Dead(actions) => actions,
            _ => self.system.table().by_pid(pid).map_or(0, |p| p.actions),
        }
    }

    fn make_logged(&mut self, pid: Pid, step: Step, before: u64) -> Option<RunEnd> {
        let entry = self.entry(pid)??.clone();
        let mut born = None;
        match &entry {
            Entry::Send(uid) => {
                let to = match self.destination(pid) {
                    Some((Some(to), _)) => Some(ids::to_log(to)),
                    _ => None,
                };
                let k = SendNo(self.process(pid)?.sent + 1);
                let tag = Tag::Sent { by: pid, k };
                let receiver = self.logs.receivers.contains_key(uid);
                self.sent.insert(
                    *uid,
                    Sent {
                        tag,
                        to: to.filter(|_| receiver),
                    },
                );
                self.sent_at.insert(*uid, self.now);
                self.uids.insert(tag, *uid);
                self.send_is_done(*uid);
                if !receiver {
                    let nth = self.nth_send(pid)?;
                    self.doubtful.push((nth, true));
                }
                self.progress_mut(pid)?.sends += 1;
            }
            Entry::Spawn { pid: number, .. } => {
                let wanted = if *number <= LARGEST_PID { *number } else { self.fresh };
                let child = self.system.number_next(wanted);
                if child.0 >= self.fresh {
                    self.fresh = child.0 + 1;
                }
                born = Some((*number, child));
            }
            Entry::Start { .. } => self.shaken = true,
            Entry::Receive(_) | Entry::Nodes(_) => {}
        }
        // A child must be known before it acts: nobody has run yet.
        if let Some((number, child)) = born {
            self.born(number, child);
        }
        if step == Step::FailingStart {
            self.system.permit_failing_start(pid);
        } else {
            self.system.permit(pid, None);
        }
        let end = self.rest();
        if self.actions(pid) > before {
            let again = self.entry_is_used(pid);
            if let (Entry::Spawn { ok: false, .. }, Some((_, child))) = (&entry, born) {
                self.has_ended(child);
            }
            // Who looked before the node was started has looked.
            self.shaken |= matches!(entry, Entry::Nodes(_) | Entry::Spawn { ok: false, .. });
            if again && end.is_none() {
                return self.rest();
            }
        } else if let Some((number, child)) = born {
            self.living = self.living.saturating_sub(1);
            self.all.remove(&number);
            self.names.remove(&child);
        }
        end
    }

    // ---- what is known ---------------------------------------------------------------------------------------------

    pub(super) fn process(&self, pid: Pid) -> Option<&Process<O::Log>> {
        self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))
    }

    /// The next entry of the log of a process; the outer `None`: it is no process of the log.
    pub(super) fn entry(&self, pid: Pid) -> Option<Option<&Entry>> {
        let number = self.names.get(&pid)?;
        let at = self.all.get(number)?.at;
        let log = self.logs.processes.get(number);
        Some(log.and_then(|log| log.entries.get(at)).map(|(entry, _)| entry))
    }

    pub(super) fn progress(&self, pid: Pid) -> Option<&Progress> {
        self.all.get(self.names.get(&pid)?)
    }

    fn progress_mut(&mut self, pid: Pid) -> Option<&mut Progress> {
        self.all.get_mut(self.names.get(&pid)?)
    }

    /// The send that a process does next.
    pub(super) fn nth_send(&self, pid: Pid) -> Option<Nth> {
        let number = *self.names.get(&pid)?;
        Some((number, self.all.get(&number)?.sends))
    }

    /// Is no entry left for which this node has to be absent?
    pub(super) fn nobody_needs_absent(&self, node: &str) -> bool {
        let list = self.absent.get(node).map_or(&[][..], Vec::as_slice);
        list.iter()
            .all(|(number, place)| self.all.get(number).is_some_and(|p| p.at > *place))
    }

    /// Is this message held back at this process?
    pub(super) fn has_arrived(&self, pid: Pid, tag: Tag) -> bool {
        self.process(pid).is_some_and(|p| p.pool.contains(&tag))
    }

    /// Is this message in the mailbox of a living process?
    fn is_unread(&self, pid: Pid, tag: Tag) -> bool {
        self.process(pid)
            .is_some_and(|p| p.pool.contains(&tag) || p.machine.mailbox.tags().any(|unread| ids::unpack(unread) == tag))
    }

    /// Does it wait in a receive?
    pub(super) fn waits(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|p| p.state == State::Waiting)
    }
}
