//! Drives a program by the choices of a recorded run: what each process receives, which exit signal ends it and when, which values it
//! obtains, and in which order the steps of all processes come.
//!
//! Every process runs silently to its next step and waits there. Of the steps that are possible the one is done that came first in the record;
//! a step that is not in the record comes just before the next one of its process that is. So the recorded program does again what it did, step
//! by step, and changed code meets the same order of accesses, ends and messages as far as it takes them.

mod clock;
mod extra;
mod standing;

use std::collections::VecDeque;

use interpreter::heap::View;
use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::{RunEnd, System};

use super::choices::{Choice, Choices, END, Given, Key, Lengths, Listener, Sent, What};
use super::kin::Id;
use session::player::handle;

/// Counted events that a process may run without coming to anything, before others are looked at again.
const EVENTS: u64 = 20_000_000;
/// How often all processes that run for so long may go on.
const SPINS: u32 = 20;
/// So often time passes and unknown messages come before what the record waits for is given up.
const PATIENCE: u32 = 100;
/// Turns that are taken at most for an action that may be done.
const TURNS: u64 = 16;
/// Who waits for at most so many milliseconds may do so for its own sake; who waits longer waits for an answer.
const ANSWER: u64 = 1000;
/// Who sleeps for at least so many milliseconds gives time for what is on its way: no message takes so long.
const PAUSE: u64 = 100;
/// A timeout that came about when recorded comes about again where the receive waits less than so many times as long: how late messages come is
/// not known so well that a little more patience could be a remedy.
const PATIENT: u64 = 2;
/// Steps that a process makes which are not in the record, before all others have a turn.
const ALONE: u32 = 50;
/// So many messages that are withheld are told, and so many characters of each.
const WITHHELD: usize = 3;
const SHOWN: usize = 60;
/// Steps that a process may make before the recorded signal that ends it, where other times count than when recorded.
const OVERTIME: u32 = 100;

/// A recorded choice without a counterpart.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Divergence {
    /// The process in this run.
    pub pid: String,
    /// The process for people: its registered name, or what it runs.
    pub name: String,
    /// The recorded action, as a target of the trace.
    pub recorded: String,
    /// Where it waits, in the program.
    pub place: String,
    /// What the record says.
    pub expected: String,
    /// The recorded message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What is there.
    pub found: String,
    /// What has been sent to the process, and is withheld since the record has something else first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

/// How a driven run went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// Nothing can happen any more; does the entry wait?
    ToTheEnd {
        /// It does.
        waiting: bool,
    },
    /// The program halted.
    Halted(i64),
    /// The bound was reached.
    Bound,
    /// A choice that is needed had no counterpart.
    Diverged,
}

/// What a drive found.
#[derive(Clone, Debug)]
pub struct Driven {
    /// How the run went.
    pub ran: Ran,
    /// Choices without a counterpart.
    pub divergences: Vec<Divergence>,
    /// Where processes waited, and how long at most.
    pub waits: Waits,
    /// Some wait for shorter times than when recorded.
    pub other_waits: bool,
    /// Recorded timeouts that were left to the clock.
    pub longer: Vec<Longer>,
    /// Recorded timeouts that came when nothing else could happen and nothing had been sent to who waited.
    pub vain: Timeouts,
    /// A recorded timeout, where who waited would have received what had been sent to it.
    pub taken_before_time: Option<(Id, usize)>,
    /// Recorded timeouts that ended a sleep.
    pub sleeps: Timeouts,
    /// The recorded steps that were done.
    pub done: FxHashSet<(Id, usize)>,
    /// Somebody who waited for an answer timed out while messages were withheld.
    pub lost_patience: bool,
    /// The program obtained something from outside that it had not put there itself.
    pub took_outside: bool,
    /// Recorded contents of a file were given that are not what the program had written into it.
    pub other_files: bool,
    /// Which of the messages that are received in the record, too, have other contents, and which processes end otherwise; where the trace has
    /// digests.
    pub contents: Option<super::received::Contents>,
}

/// Of each process and place among its recorded steps the timeout of the receive in which it waited there, in milliseconds.
pub type Waits = FxHashMap<(Id, usize), u64>;

/// Recorded timeouts, by process and place among its recorded steps.
pub type Timeouts = FxHashSet<(Id, usize)>;

/// A receive or a timer that ran out when recorded, and takes longer now.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Longer {
    /// The process.
    pub pid: String,
    /// The place in the program.
    pub place: String,
    /// Is it a timer?
    pub timer: bool,
    /// Milliseconds then.
    pub recorded: u64,
    /// Milliseconds now.
    pub now: u64,
}

/// How to drive.
pub struct Plan<'a> {
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
    /// Signals that have arrived and are held back, by receiver, in the order of arrival. invariant: no list is empty.
    held: FxHashMap<Pid, VecDeque<(Key, Tag)>>,
    stand: standing::Standing,
    /// Processes that were given messages that the record does not know, for one that waits for what comes of that.
    serving: std::collections::BTreeSet<Pid>,
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
    longer: Vec<Longer>,
    plan: &'a Plan<'a>,
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

/// Runs a system whose processes stop at gates ([`System::gate`]) by the choices.
pub fn drive<'a>(system: &'a mut System<Listener>, plan: &'a Plan<'a>) -> Driven {
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
        held: FxHashMap::default(),
        stand: standing::Standing::default(),
        serving: std::collections::BTreeSet::new(),
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
                    "it obtains something (a file, the environment, input) of which the record knows nothing here";
                let divergence = self.divergence(pid, actions, "nothing from outside".to_owned(), found.to_owned());
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
            self.held.entry(to).or_default().push_back((key, tag));
            self.stand.touch(to);
        }
    }

    /// Where a process stands, in the program if it has a place there.
    fn place(&self, pid: Pid) -> Option<String> {
        let machine = &self.system.table().by_pid(handle(pid))?.machine;
        let frames = machine.frames(&self.system.program);
        let mut locations = frames.iter().filter_map(|frame| frame.location.as_ref());
        let own = locations.find(|location| (self.plan.own)(location.file));
        match own {
            Some(location) => Some(format!("{}:{}", location.file, location.line)),
            None => machine
                .location(&self.system.program)
                .map(|location| format!("{}:{}", location.file, location.line)),
        }
    }

    /// A process for people.
    fn name(&self, pid: Pid) -> String {
        let p = self.system.table().by_pid(handle(pid));
        let name = p.and_then(|p| {
            let registered = p.rare.names.first().map(|name| name.as_str().to_owned());
            let started = || {
                session::watch::started(&p.machine).and_then(|_| session::watch::runs(&p.machine, &self.system.program))
            };
            registered
                .or_else(started)
                .or_else(|| session::watch::label(&p.machine, &self.system.program))
        });
        name.map_or_else(String::new, |name| session::words::safe(&name))
    }

    /// A process with its name, and where it stands.
    fn whereabouts(&self, id: Id) -> String {
        let Some(pid) = self.system.observer.pid(id) else {
            return match self.plan.pids.get(&id) {
                Some(recorded) => format!("{recorded} of the record has no counterpart"),
                None => "its sender was not created".to_owned(),
            };
        };
        let name = self.name(pid);
        let who = if name.is_empty() {
            pid.to_string()
        } else {
            format!("{pid} {name}")
        };
        let at = self.place(pid).map_or_else(String::new, |place| format!(" at {place}"));
        match self.system.table().by_pid(handle(pid)) {
            None => {
                let failed = self.system.observer.ends.iter().find(|end| end.id == id);
                match failed {
                    Some(end) if end.place.is_empty() => format!("{who} has ended: {}", end.reason),
                    Some(end) => format!("{who} has ended at {}: {}", end.place, end.reason),
                    None => format!("{who} has ended normally"),
                }
            }
            Some(_) if self.system.label(pid).is_none() => format!("{who} waits{at}"),
            Some(_) => format!("{who} is{at}"),
        }
    }

    fn divergence(&self, pid: Pid, action: u64, expected: String, found: String) -> Divergence {
        let recorded = self
            .id(pid)
            .and_then(|id| self.plan.pids.get(&id))
            .copied()
            .unwrap_or(pid);
        let withheld = self.held_still(pid).into_iter().filter_map(|(_, tag)| {
            let content = self.system.held_content(pid, tag)?;
            let text = session::watch::fragment(content, &self.system.program, SHOWN);
            let from = tag.sender().map_or_else(String::new, |by| format!(" of {by}"));
            Some(format!("{text}{from}"))
        });
        Divergence {
            pid: pid.to_string(),
            name: self.name(pid),
            recorded: format!("event:{recorded}/{action}"),
            place: self.place(pid).unwrap_or_default(),
            expected,
            message: None,
            found,
            withheld: withheld.take(WITHHELD).collect(),
        }
    }

    fn id(&self, pid: Pid) -> Option<Id> {
        self.system.observer.ids.get(&pid).copied()
    }

    /// The recorded steps of a process, and its place among them.
    fn record(&self, pid: Pid) -> (&[Choice], usize) {
        let Some(id) = self.id(pid) else { return (&[], 0) };
        let list = self.choices.get(&id).map_or(&[][..], Vec::as_slice);
        (list, self.at.get(&id).copied().unwrap_or(0))
    }

    /// Does the record say that this comes to the process later?
    fn is_ahead(&self, pid: Pid, key: Key) -> bool {
        let ahead = self.id(pid).and_then(|id| self.ahead.get(&id));
        ahead.is_some_and(|keys| keys.contains(&key))
    }

    /// How many actions a process has done in this run.
    fn actions(&self, pid: Pid) -> u64 {
        self.system.table().by_pid(handle(pid)).map_or(0, |p| p.actions)
    }

    fn choice(&self, pid: Pid, place: usize) -> Option<&Choice> {
        self.record(pid).0.get(place)
    }

    /// The next recorded choice of what comes to a process.
    fn next(&self, pid: Pid) -> Option<usize> {
        let (list, at) = self.record(pid);
        let id = self.id(pid)?;
        (at..list.len()).find(|&i| match list[i].what {
            What::Rec(key) => !self.early.contains(&(id, key)),
            what => what.comes(),
        })
    }

    /// A process has come to this place among its recorded steps.
    fn come_to(&mut self, pid: Pid, place: usize) {
        let Some(id) = self.id(pid) else { return };
        self.stand.touch(pid);
        let from = self.at.get(&id).copied().unwrap_or(0);
        if let (Some(list), Some(ahead)) = (self.choices.get(&id), self.ahead.get_mut(&id)) {
            for choice in list.get(from..place).unwrap_or_default() {
                if let What::Rec(key) | What::Signal(key) = choice.what {
                    ahead.remove(&key);
                }
            }
        }
        self.at.insert(id, place);
    }

    /// Has it not gone on and on by itself, without a step of anyone that is in the record?
    fn is_calm(&self, pid: Pid) -> bool {
        self.alone.get(&pid).is_none_or(|&steps| steps < ALONE)
    }

    fn spinning(&self) -> bool {
        let spins = |pid: &Pid| matches!(self.system.label(*pid), Some(Label::Spinning));
        self.standing().iter().any(spins)
    }

    fn held_tag(&self, pid: Pid, key: Key) -> Option<Tag> {
        let held = self.held.get(&pid)?;
        let found = held.iter().find(|(known, _)| *known == key).map(|(_, tag)| *tag);
        found.filter(|tag| self.system.is_held(pid, *tag))
    }

    /// The next move of a process, with its place in the order of the record.
    fn next_move(&self, pid: Pid) -> Option<(u64, Move)> {
        let (list, at) = self.record(pid);
        let next = self.next(pid);
        // The exit signal that ends it comes when all that it did before is done.
        if let Some(i) = next
            && i == at
            && let What::Signal(key) = list[i].what
        {
            return match self.held_tag(pid, key) {
                Some(tag) => Some((list[i].order, Move::Take(i, tag))),
                // A program that has changed may come to more before that signal, where nothing else can happen.
                None => {
                    let changed = self.recorded_waits.is_some() || self.timeouts_last;
                    let more = changed && self.overtime.get(&pid).is_none_or(|&steps| steps < OVERTIME);
                    let stands = matches!(self.system.label(pid), Some(Label::Native(_) | Label::End));
                    (more && stands).then_some((u64::MAX, Move::Step(None)))
                }
            };
        }
        match self.system.label(pid) {
            Some(Label::Spinning) => (self.spins < SPINS).then_some((u64::MAX, Move::Spin)),
            Some(label) => {
                // A spawn that succeeds is named by the child.
                let (spawn, call) = match label {
                    Label::Native(native) => {
                        let machine = &self.system.table().by_pid(handle(pid))?.machine;
                        let (listener, program) = (&self.system.observer, &self.system.program);
                        let spawn = listener.spawn(pid, native, machine, program);
                        (spawn, listener.call(native, machine))
                    }
                    Label::End | Label::Spinning => (None, END),
                };
                let segment = at..next.unwrap_or(list.len());
                let find = |call| segment.clone().find(|&i| list[i].what == What::Do(call));
                let found = spawn.and_then(find).or_else(|| find(call));
                let order = match found {
                    Some(i) => list[i].order,
                    None => self.order_of_new(pid),
                };
                Some((order, Move::Step(found)))
            }
            None => {
                // A look into the mailbox that the record does not have.
                if self.is_new_poll(pid) {
                    if let Some((key, tag)) = self.too_late_timer(pid) {
                        return Some((self.order_of_new(pid), Move::Give(key, tag)));
                    }
                    if self.eager || next.is_some_and(|i| list[i].what == What::After) {
                        return Some((self.order_of_new(pid), Move::Awake));
                    }
                }
                let Some(i) = next else {
                    return self.through_wait(pid, list.get(at)?.order);
                };
                match list[i].what {
                    What::Rec(key) => match self.held_tag(pid, key) {
                        Some(tag) => Some((list[i].order, self.in_order(pid, i, (key, tag)))),
                        None => {
                            if i > at
                                && let Some(through) = self.through_wait(pid, list[at].order)
                            {
                                return Some(through);
                            }
                            let timer = self.system.observer.timers.get(&(pid, key)).copied()?;
                            let Tag::Sent { by, k } = timer else { return None };
                            let set = self.system.timer_is_set(by, k);
                            let next = || match self.runs_longer(pid, key) {
                                Some(longer) => Move::Longer(i, Some(longer)),
                                None => Move::Expire(timer),
                            };
                            set.then(|| (list[i].order, next()))
                        }
                    },
                    // A sleep that the record does not have here.
                    What::After if self.is_new_sleep(pid, i) => {
                        (self.is_calm(pid) && self.system.can_time_out(pid)).then_some((list[i].order, Move::Awake))
                    }
                    // The timeout is that of a later receive: steps before it have not been done.
                    What::After if i > at && self.waits_elsewhere(pid, i) => self.through_wait(pid, list[at].order),
                    What::After => Some((list[i].order, self.after(pid, i)?)),
                    What::Signal(key) => {
                        let tag = self.held_tag(pid, key)?;
                        Some((list[i].order, Move::Take(i, tag)))
                    }
                    What::Do(_) => None,
                }
            }
        }
    }

    /// The place in the order of the record of a step that is not in it.
    fn order_of_new(&self, pid: Pid) -> u64 {
        let (list, at) = self.record(pid);
        // Where a process goes on and on by itself, others come first.
        if !self.is_calm(pid) {
            return u64::MAX - 1;
        }
        match at.checked_sub(1) {
            _ if !self.eager => list.get(at).map_or(u64::MAX, |choice| choice.order),
            None => 0,
            Some(last) => list[last].order,
        }
    }

    /// Of the next moves of these processes the one that comes first in the record, with its rank.
    fn first_move(&self, pids: impl Iterator<Item = Pid>) -> Option<Ranked> {
        let mut best: Option<Ranked> = None;
        for pid in pids {
            let Some((order, next)) = self.next_move(pid) else {
                continue;
            };
            let last = match next {
                Move::After(i) => self.timeouts_last || self.is_vain(pid, i),
                // What the clock decides waits for it, too.
                Move::Longer(..) => true,
                _ => false,
            };
            let rank = (last, order);
            if best.as_ref().is_none_or(|(known, who, _)| (rank, pid) < (*known, *who)) {
                best = Some((rank, pid, next));
            }
        }
        best
    }

    /// Does the move that comes first in the record. False if there is none.
    fn follow(&mut self) -> bool {
        let step = self.stand.first_step();
        let mut best = self.first_move(self.stand.active().chain(step));
        debug_assert!(
            self.system.table().living() > 100
                || best.as_ref().map(|(rank, pid, _)| (*rank, *pid))
                    == self
                        .first_move(self.standing().into_iter())
                        .map(|(rank, pid, _)| (rank, pid)),
            "a process was not looked at"
        );
        // Somebody waits for what others do that is not in the record either: that comes before the later recorded steps.
        if let Some((order, waits)) = self.hurry()
            && best.as_ref().is_none_or(|((last, known), ..)| *last || order < *known)
        {
            let service = self.serving.iter().find_map(|&pid| match self.next_move(pid)? {
                (_, Move::Step(None))
                    if self
                        .system
                        .label(pid)
                        .is_some_and(|label| matches!(label, Label::Native(_))) =>
                {
                    Some((pid, Move::Step(None)))
                }
                _ => None,
            });
            let asked = || self.request(waits).map(|(pid, key, tag)| (pid, Move::Give(key, tag)));
            if let Some((pid, one)) = service.or_else(asked) {
                self.serving.insert(pid);
                best = Some(((false, order), pid, one));
            }
        }
        if let Some((_, pid, Move::After(i))) = best
            && let Some((key, tag)) = self.untried(pid, i)
        {
            self.probing = self.id(pid).map(|id| (id, i));
            self.offer(pid, key, tag);
            return true;
        }
        // Where nothing but the passing of time comes next, what is new in the program comes before.
        if self.recorded_waits.is_some()
            && let Some((_, pid, next)) = &best
            && self.takes_time(*pid, next)
        {
            if let Some(new) = self.new_step() {
                best = Some(((false, u64::MAX), new, Move::Step(None)));
            } else if let Some(new) = self.new_pause(*pid) {
                *self.alone.entry(new).or_default() += 1;
                best = Some(((false, u64::MAX), new, Move::Awake));
            } else if let Move::After(i) = next
                && self.is_vain(*pid, *i)
                && let Some((key, tag)) = self.comes_after_all(*pid)
            {
                let pid = *pid;
                self.offer(pid, key, tag);
                return true;
            } else if self.idle < PATIENCE
                && let Some((to, key, tag)) = self.new_message(*pid)
            {
                self.idle += 1;
                self.offer(to, key, tag);
                return true;
            } else if self.expire_new(*pid) {
                return true;
            }
        }
        let Some(((_, order), pid, next)) = best else {
            return false;
        };
        if !matches!(next, Move::Step(None) | Move::Awake | Move::Spin) {
            self.idle = 0;
            // A message that the record does not have here is no step of it.
            if !matches!(next, Move::Give(..)) {
                self.alone.clear();
            }
        }
        // Beyond the record exit signals come first, so that a process that goes on and on can be ended.
        if order == u64::MAX && self.let_go_exit() {
            return true;
        }
        match next {
            Move::Step(found) => {
                let given = found.and_then(|i| self.choice(pid, i)?.given.clone());
                let (value, number) = match given {
                    Some(Given::Value(value)) => (Some(value), self.fresh),
                    Some(Given::Pid(number)) => (None, number.0),
                    None => (None, self.fresh),
                };
                let number = self.system.number_next(number).0;
                self.fresh = self.fresh.max(number);
                match found {
                    Some(i) => {
                        self.done.extend(self.id(pid).map(|id| (id, i)));
                        self.come_to(pid, i + 1);
                    }
                    None => {
                        *self.overtime.entry(pid).or_default() += 1;
                        *self.alone.entry(pid).or_default() += 1;
                    }
                }
                self.let_arrive(pid);
                self.system.permit(pid, value);
            }
            Move::Take(i, tag) => {
                let what = self.choice(pid, i).map(|choice| choice.what);
                self.come_to(pid, i + 1);
                self.give(pid, tag);
                if let Some(What::Rec(key)) = what {
                    self.tried = Some((pid, key, tag));
                    self.instead_of = None;
                }
            }
            Move::Expire(tag) => {
                self.system.expire(tag);
            }
            Move::Give(key, tag) => self.offer(pid, key, tag),
            Move::Awake => self.system.time_out(pid),
            Move::After(i) => {
                self.note_timeout(pid, i);
                self.come_to(pid, i + 1);
                self.system.time_out(pid);
            }
            Move::Longer(i, longer) => {
                self.come_to(pid, i + 1);
                self.longer.extend(longer);
            }
            Move::Spin => {
                self.spins += 1;
                self.system.permit(pid, None);
            }
        }
        true
    }

    /// A process is about to let go of a link, a monitor or an alias, or of trapping exits: what the record says that it receives later had arrived
    /// before.
    fn let_arrive(&mut self, pid: Pid) {
        let name = match self.system.label(pid) {
            Some(Label::Native(native)) if native.module == "erlang" => native.name,
            _ => return,
        };
        match name {
            "cancel_timer" => return self.let_expire(pid),
            "demonitor" => self.note_unwatched(pid),
            "unlink" | "unalias" | "process_flag" => {}
            _ => return,
        }
        let held = self.held.get(&pid).into_iter().flatten();
        let tags: Vec<Tag> = held
            .filter(|(key, _)| self.is_ahead(pid, *key))
            .map(|(_, tag)| *tag)
            .collect();
        for tag in tags {
            self.system.let_arrive(pid, tag);
        }
    }

    fn note_unwatched(&mut self, pid: Pid) {
        let Some(p) = self.system.table().by_pid(handle(pid)) else {
            return;
        };
        let reference = p.machine.args().first().map(|arg| p.machine.heap.view(*arg));
        if let Some(View::Reference(reference)) = reference
            && let Some(monitor) = p.rare.monitors.get(&reference)
        {
            self.unwatched.insert((pid, system::ids::to_log(monitor.target)));
        }
    }

    fn held_still(&self, pid: Pid) -> Vec<(Key, Tag)> {
        let held = self.held.get(&pid).into_iter().flatten().copied();
        held.filter(|(_, tag)| self.system.is_held(pid, *tag)).collect()
    }

    /// Of the signals that are held back for a process, the first from the sender of this one: it comes before it. A timer is a sender of
    /// its own.
    fn first_of_pair(&self, pid: Pid, held: &[(Key, Tag)], (key, tag): (Key, Tag)) -> Tag {
        let is_timer = |key: Key| self.system.observer.timers.contains_key(&(pid, key));
        if tag.sender().is_none() || is_timer(key) {
            return tag;
        }
        let mut same = held
            .iter()
            .filter(|(known, other)| other.sender() == tag.sender() && !is_timer(*known));
        same.next().map_or(tag, |(_, first)| *first)
    }

    fn give(&mut self, pid: Pid, tag: Tag) {
        if let Some(held) = self.held.get_mut(&pid) {
            held.retain(|(_, known)| *known != tag);
            if held.is_empty() {
                self.held.remove(&pid);
            }
        }
        self.stand.touch(pid);
        self.system.release(pid, tag);
    }

    /// Where messages come in another order than when recorded: is it about a process that is not there now, or has ended otherwise than by a failure?
    /// What such a one sent when recorded does not come, and nobody has to wait for it.
    fn is_dropped(&self, what: What) -> bool {
        let (What::Rec(Key::Sent(sender, _) | Key::Link(sender) | Key::Down(sender))
        | What::Signal(Key::Sent(sender, _) | Key::Link(sender) | Key::Down(sender))) = what
        else {
            return false;
        };
        let gone = match self.system.observer.pid(sender) {
            None => true,
            Some(pid) => {
                let failed = self.system.observer.ends.iter().any(|end| end.pid == pid);
                self.system.table().by_pid(handle(pid)).is_none() && !failed
            }
        };
        self.lenient && gone
    }

    /// The process whose next choice has no counterpart and comes first, and whether it is needed: it is noted then.
    fn missing(&mut self) -> Option<(Pid, usize, bool)> {
        let open = self
            .standing()
            .into_iter()
            .filter_map(|pid| Some((self.next(pid)?, pid)));
        let ranked = open.filter_map(|(i, pid)| {
            let choice = self.choice(pid, i)?;
            Some(((!choice.needed, choice.order), pid, i))
        });
        let (_, pid, place) = ranked.min()?;
        let choice = self.choice(pid, place)?.clone();
        let needed = choice.needed && !self.is_dropped(choice.what);
        if needed {
            let who = |id: Id| {
                let pid = self.system.observer.pid(id);
                pid.map_or_else(|| "a process that is not there now".to_owned(), |pid| pid.to_string())
            };
            let never = |sender: Id| format!("it was not sent: {}", self.whereabouts(sender));
            let none = || "it never came".to_owned();
            let (expected, found) = match choice.what {
                What::Rec(Key::Sent(sender, n)) => (format!("message {} of {} to it", n.n, who(sender)), never(sender)),
                What::Signal(Key::Sent(sender, _)) => (format!("the exit signal of {}", who(sender)), never(sender)),
                What::Rec(Key::Link(sender) | Key::Down(sender))
                | What::Signal(Key::Link(sender) | Key::Down(sender)) => (
                    format!("the signal that {} ended", who(sender)),
                    format!("it did not end, or was not watched: {}", self.whereabouts(sender)),
                ),
                What::Rec(Key::Made(sender, n)) | What::Signal(Key::Made(sender, n)) => {
                    (format!("answer {n} of the runtime to {}", who(sender)), none())
                }
                What::Rec(Key::Other(..)) | What::Signal(Key::Other(..)) => {
                    ("a signal of the runtime".to_owned(), none())
                }
                What::After => ("a timeout".to_owned(), "this receive has none".to_owned()),
                What::Do(_) => ("a step".to_owned(), "it does another one".to_owned()),
            };
            let divergence = self.divergence(pid, choice.action, expected, found);
            self.divergences.push(divergence);
        }
        Some((pid, place, needed))
    }
}
