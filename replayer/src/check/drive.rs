//! Drives a program by recorded choices: what it receives and in which order; everything else it does by itself.
//!
//! The recorded order in which a process received is taken as the order in which the messages arrive. So a receive that changed code made
//! selective may leave a message for later, as it could in any run.

use std::collections::VecDeque;

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::process::State;
use system::{RunEnd, System};

use super::choices::{Choice, Id, Key, Listener, What};
use crate::player::handle;

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

struct Drive<'a> {
    system: &'a mut System<Listener>,
    choices: &'a FxHashMap<Id, Vec<Choice>>,
    /// How many of its choices each process has met.
    met: FxHashMap<Id, usize>,
    /// Signals that have arrived and are held back, by receiver, in the order of arrival.
    held: FxHashMap<Pid, VecDeque<(Key, Tag)>>,
    /// Processes that get their messages as they come: their choices are used up, or had no counterpart.
    free: FxHashSet<Pid>,
    divergences: Vec<Divergence>,
}

/// Runs a system that holds signals back until the choices say so; at most so many actions. `best_effort`: goes on after a needed choice
/// without a counterpart.
pub fn drive(
    system: &mut System<Listener>,
    choices: &FxHashMap<Id, Vec<Choice>>,
    bound: u64,
    best_effort: bool,
) -> Driven {
    let mut drive = Drive {
        system,
        choices,
        met: FxHashMap::default(),
        held: FxHashMap::default(),
        free: FxHashSet::default(),
        divergences: Vec::new(),
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
            match self.system.run_until(bound) {
                None => return Ran::Bound,
                Some(RunEnd::Halted(code)) => return Ran::Halted(code),
                Some(RunEnd::Limit(_) | RunEnd::Interrupted) => return Ran::Bound,
                Some(RunEnd::Quiescent | RunEnd::EntryEnded) => {}
            }
            for (to, tag) in self.system.take_arrived() {
                let key = self.system.observer.key(to, tag);
                self.held.entry(to).or_default().push_back((key, tag));
            }
            if self.follow() || self.let_go() || self.system.pass_time() {
                continue;
            }
            match self.missing() {
                Some(pid) => {
                    let needed = self.next(pid).is_some_and(|choice| choice.needed);
                    if needed && !best_effort {
                        return Ran::Diverged;
                    }
                    self.free.insert(pid);
                }
                None => {
                    let entry = self.system.entry();
                    let waiting = self.system.table().by_pid(entry).is_some();
                    return Ran::ToTheEnd { waiting };
                }
            }
        }
    }

    /// The processes that wait, ascending.
    fn waiting(&self) -> Vec<Pid> {
        let waits = self.system.table().iter().filter(|p| p.state == State::Waiting);
        let mut pids: Vec<Pid> = waits.map(|p| system::ids::to_log(p.pid)).collect();
        pids.sort_unstable();
        pids
    }

    /// The next choice of a process that has not been met.
    fn next(&self, pid: Pid) -> Option<Choice> {
        if self.free.contains(&pid) {
            return None;
        }
        let id = self.system.observer.ids.get(&pid)?;
        let met = self.met.get(id).copied().unwrap_or(0);
        self.choices.get(id)?.get(met).copied()
    }

    /// Meets the next choice that can be met, in the recorded order. False if there is none.
    fn follow(&mut self) -> bool {
        let mut best: Option<(u64, Pid, Option<Tag>)> = None;
        for pid in self.waiting() {
            let Some(choice) = self.next(pid) else { continue };
            let tag = match choice.what {
                What::Rec(key) => {
                    let held = self.held.get(&pid);
                    match held.and_then(|held| held.iter().find(|(known, _)| *known == key)) {
                        Some((_, tag)) => Some(*tag),
                        None => continue,
                    }
                }
                What::After if self.system.can_time_out(pid) => None,
                What::After => continue,
            };
            if best.is_none_or(|(order, ..)| choice.order < order) {
                best = Some((choice.order, pid, tag));
            }
        }
        let Some((_, pid, tag)) = best else { return false };
        if let Some(id) = self.system.observer.ids.get(&pid) {
            *self.met.entry(*id).or_default() += 1;
        }
        match tag {
            Some(tag) => {
                if let Some(held) = self.held.get_mut(&pid) {
                    held.retain(|(_, known)| *known != tag);
                }
                self.system.release(pid, tag);
            }
            None => self.system.time_out(pid),
        }
        true
    }

    /// Gives one message to a process that has no choices left.
    fn let_go(&mut self) -> bool {
        for pid in self.waiting() {
            if self.next(pid).is_some() {
                continue;
            }
            if let Some((_, tag)) = self.held.get_mut(&pid).and_then(VecDeque::pop_front) {
                self.system.release(pid, tag);
                return true;
            }
        }
        false
    }

    /// The waiting process whose next choice has no counterpart and comes first; it is noted if it is needed.
    fn missing(&mut self) -> Option<Pid> {
        let waiting = self.waiting();
        let open = waiting.into_iter().filter_map(|pid| Some((self.next(pid)?, pid)));
        let (choice, pid) = open.min_by_key(|(choice, _)| (!choice.needed, choice.order))?;
        if choice.needed {
            let place = self.system.table().by_pid(handle(pid)).and_then(|p| {
                let location = p.machine.location(&self.system.program)?;
                Some(format!("{}:{}", location.file, location.line))
            });
            let who = |id: Id| {
                let pid = self.system.observer.pid(id);
                pid.map_or_else(|| "a process that was not created".to_owned(), |pid| pid.to_string())
            };
            let (expected, found) = match choice.what {
                What::Rec(Key::Sent(sender, n)) => (
                    format!("message {n} that {} sends to it", who(sender)),
                    "it was never sent".to_owned(),
                ),
                What::Rec(Key::Other(Some(sender), n)) => (
                    format!("signal {n} of the end or the timers of {}", who(sender)),
                    "it never came".to_owned(),
                ),
                What::Rec(Key::Other(None, _)) => ("a signal of the runtime".to_owned(), "it never came".to_owned()),
                What::After => ("a timeout".to_owned(), "this receive has none".to_owned()),
            };
            self.divergences.push(Divergence {
                pid: pid.to_string(),
                action: choice.action,
                place: place.unwrap_or_default(),
                expected,
                found,
            });
        }
        Some(pid)
    }
}
