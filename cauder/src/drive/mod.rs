//! Executes a program under CauDEr's log. The log names spawns, sends, receives, node starts and lists of nodes; everything else the program
//! does by itself. The times of that are guessed: every process has its own clock, which advances as it computes and waits, and the step with
//! the earliest time is done first. Sends come in the order of their uids, in which the tracer saw them.

use std::collections::BTreeSet;

use interpreter::atom::Atom;
use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::observer::Observer;
use system::process::{Lookup, Process, ProcessActivity};
use system::{RunEnd, System, ids};

use crate::absent::{self, Absent};
use crate::log::{LogEntry, LogFolder};

mod ends;
mod make;
mod outcome;
mod time;

pub use outcome::{Driven, EntryOutcome, LogMessage, Misfit, Nth, Reading};

/// Counted events that a process may run without a step before the others get a turn.
const EVENTS: u64 = 20_000_000;
/// How often it may go on if all processes run for that long.
pub(crate) const SPINS: u32 = 50;
/// Limit of steps without an entry of the log: this many, and this many more for every entry.
const FREE_STEPS: u64 = 250_000;
const FREE_STEPS_EACH: u64 = 1000;
/// After this many steps without a log entry, low-priority steps go first: another process may tick for ever.
const BARREN_STEPS: u64 = 200_000;
/// Nanoseconds that a process's clock advances for a counted event, for a step that is not silent, and for a request to the tracer: before each
/// send it is asked.
const EVENT_NS: u64 = 5;
const STEP_NS: u64 = 1000;
const LOGGED_NS: u64 = 5000;
const SEND_NS: u64 = 20_000;
/// Nanoseconds until a new process runs, and for the start of a node.
const BIRTH_NS: u64 = 20_000;
const BOOT_NS: u64 = 300_000_000;
/// After each such number of steps in a row without a log entry, a step's cost grows: a polling process waits.
const POLLING_STEPS: u64 = 1024;
/// Numbers of the log are kept up to this one (OTP 25's end at 2^28).
const LARGEST_PID: u64 = 1 << 28;

/// A process of the log.
#[derive(Default)]
pub(crate) struct ProcessProgress {
    /// Our pid.
    pub(crate) pid: Pid,
    /// Entries that fitted.
    pub(crate) at: usize,
    /// Sends so far.
    pub(crate) sends: u64,
    /// A message that was given to it and that no receive has taken yet.
    pub(crate) loose: Option<Tag>,
    /// Its receive did not take a message that it was given.
    pub(crate) refused: bool,
}

/// The clock of a process, whether or not it is in the log.
#[derive(Default)]
pub(crate) struct Own {
    /// Nanoseconds.
    pub(crate) time: u64,
    /// Its counted events at that time.
    events: u64,
    /// Steps in a row without an entry of the log.
    free: u64,
    /// When the current receive times out: by the clock of the system, and by its own.
    deadline: Option<(u64, u64)>,
}

/// The queue in which a process is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueueOf {
    /// Ordered by time.
    Queue(u64),
    /// For steps that come when nothing else can be done, ordered by rank.
    Late(u8, u64),
    /// None: it can do nothing until others have done something.
    Blocked,
}

pub(crate) struct Drive<'a, O: Observer> {
    pub(crate) system: &'a mut System<O>,
    pub(crate) logs: &'a LogFolder,
    /// Modules that the tracer instruments: those of the program.
    pub(crate) modules: &'a FxHashSet<Atom>,
    pub(crate) reading: &'a Reading,
    /// By CauDEr's number.
    pub(crate) all: FxHashMap<u64, ProcessProgress>,
    /// CauDEr's number of a process of ours.
    pub(crate) names: FxHashMap<Pid, u64>,
    pub(crate) own: FxHashMap<Pid, Own>,
    pub(crate) uids: FxHashMap<Tag, u64>,
    pub(crate) sent: FxHashMap<u64, LogMessage>,
    /// When the messages of the log were sent.
    pub(crate) sent_at: FxHashMap<u64, u64>,
    /// Messages without a uid that have arrived, by receiver, with the time.
    pub(crate) untraced: FxHashMap<Pid, Vec<(Tag, u64)>>,
    /// Messages with a uid that no process received according to the logs, by receiver.
    pub(crate) stray: FxHashMap<Pid, Vec<Tag>>,
    /// Exit signals that are held back until the log of the process is used up.
    exits: FxHashMap<Pid, Vec<Tag>>,
    absent: Absent,
    /// Nodes that a process started.
    pub(crate) starts: FxHashSet<&'a str>,
    /// All uids that are sent, ascending, and how many of the first have been sent.
    order: Vec<u64>,
    next: usize,
    /// Uids whose sends are done, or had no receiver.
    gone: FxHashSet<u64>,
    /// The first number that no process of the log has.
    fresh: u64,
    doubtful: Vec<(Nth, bool)>,
    lost: u64,
    nameless: u64,
    taken_untraced: u64,
    taken_stray: u64,
    pub(crate) spins: u32,
    outcome: Option<EntryOutcome>,
    used: usize,
    entries: usize,
    /// Living processes of the log, and those that have ended.
    living: usize,
    ended: FxHashSet<Pid>,
    /// Too many steps were done that no log contains.
    exhausted: bool,
    /// Steps since the last entry.
    barren: u64,
    /// The time of the step that is being made.
    now: u64,
    places: FxHashMap<Pid, QueueOf>,
    queue: BTreeSet<(u64, Pid)>,
    late: BTreeSet<(u8, u64, Pid)>,
    blocked: BTreeSet<Pid>,
    /// Processes that must be examined again.
    dirty: Vec<Pid>,
    /// A process has done something for which any other may have waited.
    shaken: bool,
}

/// What a process can do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextStep {
    /// A step that is not in the log.
    Free,
    /// It is given a message that CauDEr does not trace, in a receive of a library.
    Untraced(Tag),
    /// The step that is next in the log.
    Logged,
    /// It receives the message that the log names.
    Receive(u64),
    /// It sends to a process that has ended.
    LostSend,
    /// Its receive times out when its time is over.
    TimeOut,
    /// It sends to a name that no process has, and the log has a uid for that.
    Nameless,
    /// The start of a node.
    Start,
    /// The start of a node that cannot be reached.
    FailingStart,
    /// Its log is used up, but others may need what it does now.
    Onward,
    /// As [`NextStep::Onward`], for the timeout of its receive.
    OnwardTimeOut,
    /// It has run for long.
    Spin,
    /// It sends the next send of the log before earlier ones of others have been sent.
    Early(u64),
    /// It sends to a name that no process holds, although the log has something else.
    NoName,
    /// A send that the tracer does not see: by a fun or `apply`.
    Plain,
    /// A library is given a message with a uid.
    Stray(Tag),
    /// The program itself is given a message that CauDEr does not trace.
    Foreign(Tag),
}

/// Runs a system, whose processes stop at gates, under the logs.
pub fn drive<O: Observer>(
    system: &mut System<O>,
    logs: &LogFolder,
    modules: &FxHashSet<Atom>,
    reading: &Reading,
) -> Driven {
    let all = logs.processes.values().flat_map(|log| &log.entries);
    let spawned = all.filter_map(|(entry, _)| match entry {
        LogEntry::Spawn { pid, .. } => Some(*pid),
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
        absent: absent::missing_nodes(logs),
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
            ProcessProgress {
                pid,
                ..ProcessProgress::default()
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
            // A timer comes before any step only when it is due first.
            let comes_first = |due: u64, key: Option<u64>| {
                let patience = self.reading.patience;
                key.map_or(self.barren < BARREN_STEPS, |key| due.saturating_add(patience) < key)
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

    /// Sends come in the order of their uids: is this the next one?
    pub(crate) fn is_next(&self, uid: u64) -> bool {
        !self.reading.by_uids || self.order.get(self.next).is_none_or(|&next| uid <= next)
    }

    /// A send of the log is done, or need not be waited for any more.
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

    /// Lets all processes run silently on, and sorts the signals that have arrived.
    fn rest(&mut self) -> Option<RunEnd> {
        loop {
            if let Some(end) = self.system.come_to_rest(EVENTS) {
                return Some(end);
            }
            let mut again = false;
            for (to, tag) in self.system.take_arrived() {
                self.dirty.push(to);
                if self.system.is_exit(to, tag) {
                    // CauDEr does not know exit signals. A process that has entries left had not been ended by one yet.
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

    /// How many actions a process has done.
    fn actions(&self, pid: Pid) -> u64 {
        let pid = interpreter::term::Pid::new(0, pid.0);
        match self.system.table().find(pid) {
            Lookup::Dead(actions) => actions,
            _ => self.system.table().by_pid(pid).map_or(0, |p| p.actions),
        }
    }

    pub(crate) fn process(&self, pid: Pid) -> Option<&Process> {
        self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))
    }

    /// The next entry of the log of a process; the outer `None`: the process is not in the log.
    pub(crate) fn entry(&self, pid: Pid) -> Option<Option<&LogEntry>> {
        let number = self.names.get(&pid)?;
        let at = self.all.get(number)?.at;
        let log = self.logs.processes.get(number);
        Some(log.and_then(|log| log.entries.get(at)).map(|(entry, _)| entry))
    }

    pub(crate) fn progress(&self, pid: Pid) -> Option<&ProcessProgress> {
        self.all.get(self.names.get(&pid)?)
    }

    fn progress_mut(&mut self, pid: Pid) -> Option<&mut ProcessProgress> {
        self.all.get_mut(self.names.get(&pid)?)
    }

    /// The send that a process does next.
    pub(crate) fn nth_send(&self, pid: Pid) -> Option<Nth> {
        let number = *self.names.get(&pid)?;
        Some((number, self.all.get(&number)?.sends))
    }

    /// Whether no remaining entry needs this node to be absent.
    pub(crate) fn nobody_needs_absent(&self, node: &str) -> bool {
        let list = self.absent.get(node).map_or(&[][..], Vec::as_slice);
        list.iter()
            .all(|(number, place)| self.all.get(number).is_some_and(|p| p.at > *place))
    }

    /// Is this message held back at this process?
    pub(crate) fn has_arrived(&self, pid: Pid, tag: Tag) -> bool {
        self.process(pid).is_some_and(|p| p.pool.contains(&tag))
    }

    /// Is this message in the mailbox of a living process?
    fn is_unread(&self, pid: Pid, tag: Tag) -> bool {
        self.process(pid)
            .is_some_and(|p| p.pool.contains(&tag) || p.machine.mailbox.tags().any(|unread| ids::unpack(unread) == tag))
    }

    /// Does it wait in a receive?
    pub(crate) fn waits(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|p| p.state == ProcessActivity::Waiting)
    }
}
