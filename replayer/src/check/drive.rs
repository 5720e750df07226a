//! Drives a program by the choices of a recorded run: what each process receives, which exit signal ends it and when, which values it
//! obtains, and in which order the steps of all processes come.
//!
//! Every process runs silently to its next step and waits there. Of the steps that are possible the one is done that came first in the record;
//! a step that is not in the record comes just before the next one of its process that is. So the recorded program does again what it did, step
//! by step, and changed code meets the same order of accesses, ends and messages as far as it takes them.

use std::collections::VecDeque;

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::process::State;
use system::{RunEnd, System};

use super::choices::{Choice, END, Given, Key, Listener, What};
use super::kin::Id;
use crate::player::handle;

/// Counted events that a process may run without coming to anything, before others are looked at again.
const EVENTS: u64 = 20_000_000;
/// How often all processes that run for so long may go on.
const SPINS: u32 = 50;

/// A recorded choice without a counterpart.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Divergence {
    /// The process in this run.
    pub pid: String,
    /// The recorded action.
    pub action: u64,
    /// Where it waits.
    pub place: String,
    /// What the record says.
    pub expected: String,
    /// What is there.
    pub found: String,
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
}

/// What can be done next.
#[derive(Clone, Debug)]
enum Move {
    /// A step at a gate: the recorded one, if there is one.
    Step(Option<usize>),
    /// A recorded receive, or the exit signal that ends it.
    Take(usize, Tag),
    /// The timer of a recorded receive expires.
    Expire(Tag),
    /// A recorded timeout.
    After(usize),
    /// A process that runs on and on.
    Spin,
}

struct Drive<'a> {
    system: &'a mut System<Listener>,
    choices: &'a FxHashMap<Id, Vec<Choice>>,
    /// The place of each process among its recorded steps.
    at: FxHashMap<Id, usize>,
    /// Recorded choices of what comes to a process, which are still ahead.
    ahead: FxHashMap<Id, FxHashSet<Key>>,
    /// Signals that have arrived and are held back, by receiver, in the order of arrival.
    held: FxHashMap<Pid, VecDeque<(Key, Tag)>>,
    divergences: Vec<Divergence>,
    /// The first number that no recorded process has.
    fresh: u64,
    spins: u32,
}

/// Runs a system whose processes stop at gates ([`System::gate`]) by the choices; at most so many actions. `best_effort`: goes on after a
/// needed choice without a counterpart. `fresh`: the first number that no recorded process has.
pub fn drive(
    system: &mut System<Listener>,
    choices: &FxHashMap<Id, Vec<Choice>>,
    fresh: u64,
    bound: u64,
    best_effort: bool,
) -> Driven {
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
        at: FxHashMap::default(),
        ahead: choices.iter().map(|(id, list)| (*id, keys(list))).collect(),
        held: FxHashMap::default(),
        divergences: Vec::new(),
        fresh,
        spins: 0,
    };
    let ran = drive.run(bound, best_effort);
    Driven {
        ran,
        divergences: drive.divergences,
    }
}

impl Drive<'_> {
    fn run(&mut self, bound: u64, best_effort: bool) -> Ran {
        loop {
            if self.system.total_actions >= bound {
                return Ran::Bound;
            }
            match self.system.come_to_rest(EVENTS) {
                Some(RunEnd::Halted(code)) => return Ran::Halted(code),
                Some(RunEnd::Limit(_) | RunEnd::Interrupted) => return Ran::Bound,
                None | Some(RunEnd::Quiescent | RunEnd::EntryEnded) => {}
            }
            self.take_in();
            if self.follow() || self.let_go() || self.system.pass_time() {
                continue;
            }
            match self.missing() {
                Some((pid, place)) => {
                    let needed = self.choice(pid, place).is_some_and(|choice| choice.needed);
                    if needed && !best_effort {
                        return Ran::Diverged;
                    }
                    self.come_to(pid, place + 1);
                }
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

    fn choice(&self, pid: Pid, place: usize) -> Option<&Choice> {
        self.record(pid).0.get(place)
    }

    /// The next recorded choice of what comes to a process.
    fn next(&self, pid: Pid) -> Option<usize> {
        let (list, at) = self.record(pid);
        (at..list.len()).find(|&i| list[i].what.comes())
    }

    /// A process has come to this place among its recorded steps.
    fn come_to(&mut self, pid: Pid, place: usize) {
        let Some(id) = self.id(pid) else { return };
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

    /// Processes that wait or stand at a gate, ascending.
    fn standing(&self) -> Vec<Pid> {
        let stands = |state| matches!(state, State::Waiting | State::Gated);
        let all = self.system.table().iter().filter(|p| stands(p.state));
        let mut pids: Vec<Pid> = all.map(|p| system::ids::to_log(p.pid)).collect();
        pids.sort_unstable();
        pids
    }

    fn spinning(&self) -> bool {
        let spins = |pid: &Pid| matches!(self.system.label(*pid), Some(Label::Spinning));
        self.standing().iter().any(spins)
    }

    fn held_tag(&self, pid: Pid, key: Key) -> Option<Tag> {
        let held = self.held.get(&pid)?;
        held.iter().find(|(known, _)| *known == key).map(|(_, tag)| *tag)
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
            let tag = self.held_tag(pid, key)?;
            return Some((list[i].order, Move::Take(i, tag)));
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
                    None => list.get(at).map_or(u64::MAX, |choice| choice.order),
                };
                Some((order, Move::Step(found)))
            }
            None => {
                let i = next?;
                match list[i].what {
                    What::Rec(key) => match self.held_tag(pid, key) {
                        Some(tag) => Some((list[i].order, Move::Take(i, tag))),
                        None => {
                            let timer = self.system.observer.timers.get(&(pid, key)).copied()?;
                            let Tag::Sent { by, k } = timer else { return None };
                            let set = self.system.timer_is_set(by, k);
                            set.then_some((list[i].order, Move::Expire(timer)))
                        }
                    },
                    What::After => self.system.can_time_out(pid).then_some((list[i].order, Move::After(i))),
                    What::Signal(key) => {
                        let tag = self.held_tag(pid, key)?;
                        Some((list[i].order, Move::Take(i, tag)))
                    }
                    What::Do(_) => None,
                }
            }
        }
    }

    /// Does the move that comes first in the record. False if there is none.
    fn follow(&mut self) -> bool {
        let mut best: Option<(u64, Pid, Move)> = None;
        for pid in self.standing() {
            if let Some((order, next)) = self.next_move(pid)
                && best.as_ref().is_none_or(|(known, ..)| order < *known)
            {
                best = Some((order, pid, next));
            }
        }
        let Some((order, pid, next)) = best else { return false };
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
                if let Some(i) = found {
                    self.come_to(pid, i + 1);
                }
                self.let_arrive(pid);
                self.system.permit(pid, value);
            }
            Move::Take(i, tag) => {
                self.come_to(pid, i + 1);
                self.give(pid, tag);
            }
            Move::Expire(tag) => {
                self.system.expire(tag);
            }
            Move::After(i) => {
                self.come_to(pid, i + 1);
                self.system.time_out(pid);
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
            "unlink" | "demonitor" | "unalias" | "process_flag" => {}
            _ => return,
        }
        let Some(ahead) = self.id(pid).and_then(|id| self.ahead.get(&id)) else {
            return;
        };
        let held = self.held.get(&pid).into_iter().flatten();
        let tags: Vec<Tag> = held
            .filter(|(key, _)| ahead.contains(key))
            .map(|(_, tag)| *tag)
            .collect();
        for tag in tags {
            self.system.let_arrive(pid, tag);
        }
    }

    /// A process is about to cancel a timer: those of it whose messages the record says are received later had expired before.
    fn let_expire(&mut self, pid: Pid) {
        let received = |to: &Pid, key: &Key| {
            let ahead = self.id(*to).and_then(|id| self.ahead.get(&id));
            ahead.is_some_and(|keys| keys.contains(key))
        };
        let timers = self.system.observer.timers.iter();
        let mut due: Vec<Tag> = timers
            .filter(|((to, key), tag)| tag.sender() == Some(pid) && received(to, key))
            .map(|(_, tag)| *tag)
            .collect();
        due.sort_unstable();
        for tag in due {
            // It does nothing where the timer has expired.
            self.system.expire(tag);
        }
    }

    /// Lets an exit signal take effect on a process that has no choices left.
    fn let_go_exit(&mut self) -> bool {
        for pid in self.standing() {
            if self.next(pid).is_some() {
                continue;
            }
            let held = self.held.get(&pid).into_iter().flatten();
            let found = held.map(|(_, tag)| *tag).find(|tag| self.system.is_exit(pid, *tag));
            if let Some(tag) = found {
                self.give(pid, tag);
                return true;
            }
        }
        false
    }

    fn give(&mut self, pid: Pid, tag: Tag) {
        if let Some(held) = self.held.get_mut(&pid) {
            held.retain(|(_, known)| *known != tag);
        }
        self.system.release(pid, tag);
    }

    /// Gives a message or an exit signal that the record does not know to a process; first to one that has no choices left. They come as late
    /// as they can: where the record has none, it may be because it came too late.
    fn let_go(&mut self) -> bool {
        let mut found: Option<(bool, Pid, Tag)> = None;
        for pid in self.standing() {
            let waits = self.system.label(pid).is_none();
            let ahead = self.id(pid).and_then(|id| self.ahead.get(&id));
            let unknown = |key: &Key| ahead.is_none_or(|keys| !keys.contains(key));
            let held = self.held.get(&pid).into_iter().flatten();
            let fits = |(key, tag): &&(Key, Tag)| unknown(key) && (waits || self.system.is_exit(pid, *tag));
            let Some((_, tag)) = held.into_iter().find(fits) else {
                continue;
            };
            let has_choices = self.next(pid).is_some();
            if found.as_ref().is_none_or(|(known, ..)| !has_choices && *known) {
                found = Some((has_choices, pid, *tag));
            }
        }
        let Some((_, pid, tag)) = found else { return false };
        self.give(pid, tag);
        true
    }

    /// The process whose next choice has no counterpart and comes first; it is noted if it is needed.
    fn missing(&mut self) -> Option<(Pid, usize)> {
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
        if choice.needed {
            let place = self.system.table().by_pid(handle(pid)).and_then(|p| {
                let location = p.machine.location(&self.system.program)?;
                Some(format!("{}:{}", location.file, location.line))
            });
            let who = |id: Id| {
                let pid = self.system.observer.pid(id);
                pid.map_or_else(|| "a process that was not created".to_owned(), |pid| pid.to_string())
            };
            let never = || "it was never sent".to_owned();
            let (expected, found) = match choice.what {
                What::Rec(Key::Sent(sender, n)) => (format!("message {n} that {} sends to it", who(sender)), never()),
                What::Signal(Key::Sent(sender, _)) => (format!("the exit signal of {}", who(sender)), never()),
                What::Rec(Key::Link(sender) | Key::Down(sender))
                | What::Signal(Key::Link(sender) | Key::Down(sender)) => (
                    format!("the signal that {} ended", who(sender)),
                    "it did not end, or was not watched".to_owned(),
                ),
                What::Rec(Key::Made(sender, n)) | What::Signal(Key::Made(sender, n)) => {
                    (format!("answer {n} of the runtime to {}", who(sender)), never())
                }
                What::Rec(Key::Other(..)) | What::Signal(Key::Other(..)) => {
                    ("a signal of the runtime".to_owned(), "it never came".to_owned())
                }
                What::After => ("a timeout".to_owned(), "this receive has none".to_owned()),
                What::Do(_) => ("a step".to_owned(), "it does another one".to_owned()),
            };
            self.divergences.push(Divergence {
                pid: pid.to_string(),
                action: choice.action,
                place: place.unwrap_or_default(),
                expected,
                found,
            });
        }
        Some((pid, place))
    }
}
