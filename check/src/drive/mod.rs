//! Drives a program by the choices of a recorded run: what each process receives, which exit signal ends it and when, which values it gets, and
//! the order of the steps of all processes.
//!
//! Every process runs silently up to its next step and stops there. Of the possible steps, the one that came first in the record is done. An
//! unrecorded step comes just before the next recorded step of its process. So the recorded program does the same again, step by step, and
//! changed code sees the same order of accesses, ends and messages as long as it makes these steps.

mod clock;
mod divergence;
mod extra;
mod follow;
mod held;
mod next;
mod outcome;
mod record;
mod standing;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::{RunEnd, System};

use crate::choices::{Choices, Lengths, RecordedChoice, SentCounts, SignalKey, StepKind, Waits};
use crate::kin::Id;
use crate::tape::Ears;

pub use outcome::{Divergence, Driven, Longer, Ran, Timeouts};

/// Counted events that a process may run without a step before the others get a turn.
pub(crate) const EVENTS: u64 = 20_000_000;
/// How often processes that have run for [`EVENTS`] may go on.
const SPINS: u32 = 20;
/// How often the clock may move or an unrecorded message be delivered before the driver stops waiting for an expected recorded step.
const PATIENCE: u32 = 100;
/// The limit of turns of the loop, as a multiple of the limit of actions.
const TURNS: u64 = 16;
/// A receive with at least this timeout, in milliseconds, is taken for a pending call; a shorter one may only be a pause.
const ANSWER: u64 = 1000;
/// After a sleep of at least this many milliseconds, everything has arrived that was sent before: no message takes longer.
const PAUSE: u64 = 100;
/// A recorded timeout is repeated if the receive now waits less than this many times as long: message delays are not known precisely enough for
/// slightly longer waits to count as a fix.
const PATIENT: u64 = 2;
/// Unrecorded steps of one process in a row before all others get a turn.
const ALONE: u32 = 50;
/// Pauses of a process that are not in the record and take no time. A process that pauses more often is polling for what others do.
const NAPS: u32 = 2;
/// Unrecorded steps that a process may make before the recorded exit signal ends it.
const OVERTIME: u32 = 100;

/// How to drive.
pub struct DrivePlan<'a> {
    /// The recorded choices.
    pub choices: &'a Choices,
    /// How many messages were sent in the recorded run.
    pub sent: &'a SentCounts,
    /// Where the recorded program waits, and the longest time; `None` while this is being determined.
    pub waits: Option<&'a Waits>,
    /// Recorded timeouts known to have come although there was something to receive; `None` if this is not being determined.
    pub real: Option<&'a Timeouts>,
    /// Recorded timeouts that came when nothing else could happen: they are repeated only if nothing else can happen again.
    pub vain: &'a Timeouts,
    /// Recorded timeouts that ended a sleep.
    pub sleeps: &'a Timeouts,
    /// How long the recorded timers ran.
    pub lengths: &'a Lengths,
    /// Is this a file that the program writes itself?
    pub own: &'a dyn Fn(&str) -> bool,
    /// The recorded process for each name.
    pub pids: &'a FxHashMap<Id, Pid>,
    /// Recorded timeouts come only when no other recorded step is possible. For programs whose waits are shorter than recorded, where we must
    /// know which message a timeout waits for.
    pub timeouts_last: bool,
    /// The first number that no recorded process has.
    pub fresh: u64,
    /// The limit of actions.
    pub bound: u64,
    /// Continue after a needed choice without a counterpart.
    pub best_effort: bool,
    /// If all processes wait, deliver messages in another order than recorded.
    pub lenient: bool,
    /// Unrecorded steps and messages come as early as possible, not just before the next recorded step.
    pub eager: bool,
}

/// A move that can be made next.
#[derive(Clone, Debug)]
enum Move {
    /// A step at a gate; the index of the recorded step, if there is one.
    Step(Option<usize>),
    /// A recorded receive, or the exit signal that ends the process.
    Take(usize, Tag),
    /// A message that is not in the record here.
    Give(SignalKey, Tag),
    /// The end of an unrecorded pause.
    Awake,
    /// The timer of a recorded receive fires.
    Expire(Tag),
    /// A recorded timeout.
    After(usize),
    /// A recorded timeout of a receive that waits longer now: the clock decides.
    Longer(usize, Option<Longer>),
    /// Runs a process on that has not reached a step.
    Spin,
}

/// A move with its rank: whether it comes after all others, and its position in the record.
type Ranked = ((bool, u64), Pid, Move);

struct Drive<'a> {
    system: &'a mut System<Ears>,
    choices: &'a Choices,
    sent: &'a SentCounts,
    /// The position of each process among its recorded steps.
    at: FxHashMap<Id, usize>,
    /// The places of the recorded steps of each process that are a choice of a signal or timeout, ascending.
    coming: FxHashMap<Id, Vec<usize>>,
    /// Recorded signals to each process that are still ahead.
    ahead: FxHashMap<Id, FxHashSet<SignalKey>>,
    /// Signals that have arrived and are held back, by receiver. invariant: no entry is empty.
    held: BTreeMap<Pid, held::HeldArrivals>,
    stand: standing::StandingProcesses,
    /// Processes that were given unrecorded messages because another process waits for their effect.
    serving: BTreeSet<Pid>,
    /// The message that was just given to a waiting process, as recorded or out of order.
    tried: Option<(Pid, SignalKey, Tag)>,
    /// The recorded timeout that will not come if the receive takes that message.
    instead_of: Option<usize>,
    /// The recorded timeout before which the message was given, to see whether the receive takes it.
    probing: Option<(Id, usize)>,
    taken_before_time: Option<(Id, usize)>,
    /// Messages given in this way that the receive did not take, with the number of actions that the receiver had done.
    refused: FxHashSet<(Pid, Tag, u64)>,
    /// Pairs of a process and another one whose monitor it is about to remove, or has removed.
    unwatched: FxHashSet<(Pid, Pid)>,
    /// Messages of timers that had fired when they were cancelled, and signals that had arrived when the monitor or the link was given up.
    arrived: FxHashSet<Tag>,
    /// Recorded messages that were given out of order.
    early: FxHashSet<(Id, SignalKey)>,
    divergences: Vec<Divergence>,
    waits: Waits,
    recorded_waits: Option<&'a Waits>,
    timeouts_last: bool,
    lenient: bool,
    eager: bool,
    /// Unrecorded steps of each process.
    overtime: FxHashMap<Pid, u32>,
    /// Unrecorded steps of each process since the last recorded step of any process.
    alone: FxHashMap<Pid, u32>,
    /// Pauses of each process that are not in the record, since its last step that is.
    naps: FxHashMap<Pid, u32>,
    longer: Vec<Longer>,
    plan: &'a DrivePlan<'a>,
    vain: Timeouts,
    sleeps: Timeouts,
    done: FxHashSet<(Id, usize)>,
    lost_patience: bool,
    invented: bool,
    /// The first number that no recorded process has.
    fresh: u64,
    spins: u32,
    /// Unrecorded messages given, and steps of time, since the last recorded step.
    idle: u32,
    /// How often a held signal was looked at.
    looks: Cell<u64>,
}

/// The places of what comes to a process, among its recorded steps.
fn coming(list: &[RecordedChoice]) -> Vec<usize> {
    (0..list.len()).filter(|&place| list[place].what.comes()).collect()
}

/// Drives a system, whose processes stop at gates (`World::gate`), by the recorded choices.
pub fn drive<'a>(system: &'a mut System<Ears>, plan: &'a DrivePlan<'a>) -> Driven {
    let choices = plan.choices;
    let keys = |list: &Vec<RecordedChoice>| {
        let key = |choice: &RecordedChoice| match choice.what {
            StepKind::Rec(key) | StepKind::Signal(key) => Some(key),
            StepKind::After | StepKind::Do(_) => None,
        };
        list.iter().filter_map(key).collect()
    };
    let mut drive = Drive {
        system,
        choices,
        sent: plan.sent,
        at: FxHashMap::default(),
        coming: choices.iter().map(|(id, list)| (*id, coming(list))).collect(),
        ahead: choices.iter().map(|(id, list)| (*id, keys(list))).collect(),
        held: BTreeMap::new(),
        stand: standing::StandingProcesses::default(),
        serving: BTreeSet::new(),
        tried: None,
        instead_of: None,
        probing: None,
        taken_before_time: None,
        plan,
        vain: Timeouts::default(),
        sleeps: Timeouts::default(),
        done: FxHashSet::default(),
        refused: FxHashSet::default(),
        early: FxHashSet::default(),
        unwatched: FxHashSet::default(),
        arrived: FxHashSet::default(),
        divergences: Vec::new(),
        waits: Waits::default(),
        recorded_waits: plan.waits,
        timeouts_last: plan.timeouts_last,
        lenient: plan.lenient,
        eager: plan.eager,
        overtime: FxHashMap::default(),
        alone: FxHashMap::default(),
        naps: FxHashMap::default(),
        longer: Vec::new(),
        lost_patience: false,
        invented: false,
        fresh: plan.fresh,
        spins: 0,
        idle: 0,
        looks: Cell::new(0),
    };
    let ran = drive.run(plan.bound, plan.best_effort);
    let known = |(place, now): (&(Id, usize), &u64)| {
        plan.waits
            .and_then(|waits| waits.get(place))
            .is_some_and(|then| now < then)
    };
    Driven {
        took_outside: drive.system.took_outside(),
        other_files: drive.system.took_other_files(),
        other_waits: drive.waits.iter().any(known),
        ran,
        divergences: drive.divergences,
        waits: drive.waits,
        longer: drive.longer,
        vain: drive.vain,
        taken_before_time: drive.taken_before_time,
        sleeps: drive.sleeps,
        done: drive.done,
        lost_patience: drive.lost_patience,
        invented: drive.invented,
        looks: drive.looks.get(),
        contents: None,
    }
}

impl Drive<'_> {
    fn run(&mut self, bound: u64, best_effort: bool) -> Ran {
        let mut turns = 0;
        loop {
            turns += 1;
            if self.system.total_actions >= bound || turns > bound.saturating_mul(TURNS) {
                return Ran::Bound;
            }
            match self.system.come_to_rest(EVENTS) {
                Some(RunEnd::Halted(code)) => return Ran::Halted(code),
                Some(RunEnd::Limit(_) | RunEnd::Interrupted) => return Ran::Bound,
                // It was started so: what goes on without the entry does not count.
                Some(RunEnd::EntryEnded) => return Ran::ToTheEnd { waiting: false },
                None | Some(RunEnd::Quiescent) => {}
            }
            if let Some(pid) = self.system.take_invented() {
                let actions = self.actions(pid);
                let found =
                    "it reads an input that the trace does not hold here (a file, the environment, standard input)";
                let divergence = self.divergence(pid, actions, "no input".to_owned(), found.to_owned());
                self.divergences.push(divergence);
                self.invented = true;
                if !best_effort {
                    return Ran::Diverged;
                }
            }
            self.take_in();
            self.take_back();
            if self.taken_before_time.is_some() {
                return Ran::Diverged;
            }
            self.look();
            self.note_waits();
            if self.eager && self.idle < PATIENCE && self.let_go() {
                self.idle += 1;
                continue;
            }
            if self.follow() {
                continue;
            }
            if self.give_up() {
                continue;
            }
            // If the program has run long without a recorded step, the awaited step will not come. The same if a pending call would time out
            // because of what is held back.
            let starved = self.idle >= PATIENCE;
            // With best effort, time passes last: no receive times out because of what is held back.
            let holds_time =
                self.is_impatient() || best_effort && self.would_lose_patience() || self.lenient && self.withholds();
            if !starved && (self.let_go() || !holds_time && (self.before_a_timer() || self.pass_time())) {
                self.idle += 1;
                continue;
            }
            if self.give_early() || (self.lenient || best_effort) && self.give_withheld() {
                self.idle = 0;
                continue;
            }
            match self.missing() {
                Some((pid, place, needed)) => {
                    if needed && !best_effort {
                        return Ran::Diverged;
                    }
                    self.come_to(pid, place + 1);
                    self.idle = 0;
                }
                None if (starved || best_effort) && (self.let_go() || self.pass_time()) => {}
                None if self.spinning() => return Ran::Bound,
                None => {
                    let entry = self.system.entry();
                    let waiting = self.system.table().by_pid(entry).is_some();
                    return Ran::ToTheEnd { waiting };
                }
            }
        }
    }

    /// Names the signals that have arrived and holds them back.
    fn take_in(&mut self) {
        for (to, tag) in self.system.take_arrived() {
            let key = self.system.observer.inner.key(to, tag);
            let sort = self.sort(to, key, tag);
            self.held.entry(to).or_default().push(key, tag, sort);
            self.stand.touch(to);
        }
    }

    fn spinning(&self) -> bool {
        let spins = |pid: &Pid| matches!(self.system.label(*pid), Some(Label::Spinning));
        self.standing().iter().any(spins)
    }
}
