//! Drives a program by the choices of a recorded run: what each process receives, which exit signal ends it and when, which values it
//! obtains, and in which order the steps of all processes come.
//!
//! Every process runs silently to its next step and waits there. Of the steps that are possible the one is done that came first in the record;
//! a step that is not in the record comes just before the next one of its process that is. So the recorded program does again what it did, step
//! by step, and changed code meets the same order of accesses, ends and messages as far as it takes them.

mod clock;
mod divergence;
mod extra;
mod follow;
mod held;
mod next;
mod outcome;
mod record;
mod standing;

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::{RunEnd, System};

use crate::choices::{Choice, Choices, Key, Lengths, Sent, What};
use crate::kin::Id;
use crate::listener::Listener;

pub use outcome::{Divergence, Driven, Longer, Ran, Timeouts, Waits};

/// Counted events that a process may run without a step, before the others are looked at again.
const EVENTS: u64 = 20_000_000;
/// How often processes that have run for [`EVENTS`] may go on.
const SPINS: u32 = 20;
/// Times that the clock moves or an unrecorded message is delivered before an expected recorded step is given up.
const PATIENCE: u32 = 100;
/// The most turns of the loop, as a multiple of the most actions.
const TURNS: u64 = 16;
/// A receive with a longer timeout, in milliseconds, waits for an answer; a shorter one may only pause.
const ANSWER: u64 = 1000;
/// A sleep of at least this many milliseconds lets everything arrive that was sent before: no message takes longer.
const PAUSE: u64 = 100;
/// A recorded timeout comes again if the receive now waits less than this many times as long: message delays are not known precisely enough
/// for slightly longer waits to count as a fix.
const PATIENT: u64 = 2;
/// Unrecorded steps in a row of one process, before all others have a turn.
const ALONE: u32 = 50;
/// Pauses of a process that are not in the record and take no time. Who pauses more often waits for what others do.
const NAPS: u32 = 2;
/// Unrecorded steps that a process may make before the recorded exit signal ends it.
const OVERTIME: u32 = 100;

/// How to drive.
pub struct DrivePlan<'a> {
    /// The recorded choices.
    pub choices: &'a Choices,
    /// How many messages were sent when recorded.
    pub sent: &'a Sent,
    /// Where the recorded program waits, and how long at most; none while that is being found out.
    pub waits: Option<&'a Waits>,
    /// Recorded timeouts that came although there was something to receive, as far as that is known; none if it is not looked for.
    pub real: Option<&'a Timeouts>,
    /// Recorded timeouts that came when nothing else could happen: they do so again, or not at all.
    pub vain: &'a Timeouts,
    /// Recorded timeouts that ended a sleep.
    pub sleeps: &'a Timeouts,
    /// How long the recorded timers ran.
    pub lengths: &'a Lengths,
    /// Is this a file of the program?
    pub own: &'a dyn Fn(&str) -> bool,
    /// The recorded process of a name.
    pub pids: &'a FxHashMap<Id, Pid>,
    /// Recorded timeouts come when no other recorded step is possible: for a program that waits for shorter times than when recorded, of which
    /// it is to be known before a timeout who waits for less.
    pub timeouts_last: bool,
    /// The first number that no recorded process has.
    pub fresh: u64,
    /// The most actions.
    pub bound: u64,
    /// Go on after a needed choice without a counterpart.
    pub best_effort: bool,
    /// Where all wait, messages come to their receivers in another order than when recorded.
    pub lenient: bool,
    /// Steps and messages that are not in the record come as early as they can, not just before the next recorded step.
    pub eager: bool,
}

/// What can be done next.
#[derive(Clone, Debug)]
enum Move {
    /// A step at a gate: the recorded one, if there is one.
    Step(Option<usize>),
    /// A recorded receive, or the exit signal that ends it.
    Take(usize, Tag),
    /// A message that is not in the record here.
    Give(Key, Tag),
    /// A pause that the record does not have is over.
    Awake,
    /// The timer of a recorded receive expires.
    Expire(Tag),
    /// A recorded timeout.
    After(usize),
    /// A recorded timeout of a receive that waits longer now: the clock decides.
    Longer(usize, Option<Longer>),
    /// A process that runs on and on.
    Spin,
}

/// A move with its rank: does it come after all others, and its place in the order of the record.
type Ranked = ((bool, u64), Pid, Move);

struct Drive<'a> {
    system: &'a mut System<Listener>,
    choices: &'a Choices,
    sent: &'a Sent,
    /// The place of each process among its recorded steps.
    at: FxHashMap<Id, usize>,
    /// Recorded choices of what comes to a process, which are still ahead.
    ahead: FxHashMap<Id, FxHashSet<Key>>,
    /// Signals that have arrived and are held back, by receiver. invariant: nobody is here for whom there are none.
    held: BTreeMap<Pid, held::Held>,
    stand: standing::Standing,
    /// Processes that were given messages that the record does not know, for one that waits for what comes of that.
    serving: BTreeSet<Pid>,
    /// The message that was given to a waiting process just now: as recorded, or out of the recorded order.
    tried: Option<(Pid, Key, Tag)>,
    /// The recorded timeout in vain that does not come if the receive takes that message.
    instead_of: Option<usize>,
    /// The timeout of the record before which the message was given, to see whether it is taken.
    probing: Option<(Id, usize)>,
    taken_before_time: Option<(Id, usize)>,
    /// Messages that were given so, and that the receive did not take, with the actions that their receivers had done.
    refused: FxHashSet<(Pid, Tag, u64)>,
    /// Who is about to remove, or has removed, a monitor of whom.
    unwatched: FxHashSet<(Pid, Pid)>,
    /// The messages of timers that had expired when they were cancelled.
    too_late: FxHashSet<Tag>,
    /// Recorded messages that were given to their receivers out of the recorded order.
    early: FxHashSet<(Id, Key)>,
    divergences: Vec<Divergence>,
    waits: Waits,
    recorded_waits: Option<&'a Waits>,
    timeouts_last: bool,
    lenient: bool,
    eager: bool,
    /// Steps of each process that are not in the record.
    overtime: FxHashMap<Pid, u32>,
    /// Such steps of each process since the last step of anyone that is in the record.
    alone: FxHashMap<Pid, u32>,
    /// Pauses of each process that are not in the record, since its last step that is.
    naps: FxHashMap<Pid, u32>,
    longer: Vec<Longer>,
    plan: &'a DrivePlan<'a>,
    vain: Timeouts,
    sleeps: Timeouts,
    done: FxHashSet<(Id, usize)>,
    lost_patience: bool,
    /// The first number that no recorded process has.
    fresh: u64,
    spins: u32,
    /// What has happened since the last recorded step: messages that the record does not know, and time that passed.
    idle: u32,
}

/// Runs a system whose processes stop at gates (`World::gate`) by the choices.
pub fn drive<'a>(system: &'a mut System<Listener>, plan: &'a DrivePlan<'a>) -> Driven {
    let choices = plan.choices;
    let keys = |list: &Vec<Choice>| {
        let key = |choice: &Choice| match choice.what {
            What::Rec(key) | What::Signal(key) => Some(key),
            What::After | What::Do(_) => None,
        };
        list.iter().filter_map(key).collect()
    };
    let mut drive = Drive {
        system,
        choices,
        sent: plan.sent,
        at: FxHashMap::default(),
        ahead: choices.iter().map(|(id, list)| (*id, keys(list))).collect(),
        held: BTreeMap::new(),
        stand: standing::Standing::default(),
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
        too_late: FxHashSet::default(),
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
        fresh: plan.fresh,
        spins: 0,
        idle: 0,
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
                None | Some(RunEnd::Quiescent | RunEnd::EntryEnded) => {}
            }
            if let Some(pid) = self.system.take_invented() {
                let actions = self.actions(pid);
                let found =
                    "it reads an input that the trace does not hold here (a file, the environment, standard input)";
                let divergence = self.divergence(pid, actions, "no input".to_owned(), found.to_owned());
                self.divergences.push(divergence);
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
            // Where the program has gone on for long with nothing of the record, what the record waits for does not come. Nor does it
            // where somebody would lose patience who waits for the answer to what is held back here.
            let starved = self.idle >= PATIENCE;
            // With best effort time is the last thing to pass: nobody gives up waiting for what is withheld here.
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

    /// Sorts what has arrived.
    fn take_in(&mut self) {
        for (to, tag) in self.system.take_arrived() {
            let key = self.system.observer.key(to, tag);
            self.held.entry(to).or_default().push(key, tag);
            self.stand.touch(to);
        }
    }

    fn spinning(&self) -> bool {
        let spins = |pid: &Pid| matches!(self.system.label(*pid), Some(Label::Spinning));
        self.standing().iter().any(spins)
    }
}
