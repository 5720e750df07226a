//! Which processes are stopped, and which of them must be examined in every turn.
//!
//! Of thousands of processes, most are stopped before a recorded step whose turn has not come, or wait for a message that has not been sent.
//! That changes only if they run or something is given to them. So they are examined then, and not in every turn.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::process::ProcessActivity;

use super::{Drive, Move};
use crate::choices::{RecordedChoice, SignalKey, StepKind};
use session::player::handle;

/// Stopped processes, by what they wait for; see the module.
#[derive(Debug, Default)]
pub(super) struct StandingProcesses {
    /// Those that must be examined in every turn.
    active: BTreeSet<Pid>,
    /// Processes stopped before a step, or before a receive that takes a message that has arrived, by position in the record.
    steps: BTreeSet<(u64, Pid)>,
    /// Those of them whose step is new and not their end.
    new: BTreeSet<Pid>,
    order_of: FxHashMap<Pid, u64>,
    /// Processes that wait where the record has them make a step of their own, by the position of that step.
    elsewhere: BTreeSet<(u64, Pid)>,
    /// Processes whose situation has changed.
    touched: FxHashSet<Pid>,
    /// Processes of which it is not known what unrecorded signal they can be given.
    unseen: FxHashSet<Pid>,
    /// That signal, by process; those that have used up their record are the first.
    unrecorded: BTreeMap<(bool, Pid), Tag>,
    /// The exit signal that processes which have used up their record can be given.
    exits: BTreeMap<Pid, Tag>,
}

/// The situation of a stopped process.
enum Stands {
    /// It can make a step with this position in the record.
    Before {
        order: u64,
        /// The step is not in the record, and not its end.
        new: bool,
    },
    /// It can make no move until it runs or something is given to it.
    Still,
    /// The same, and the record has it make a step at this position.
    Elsewhere(u64),
    /// What it can do depends on others, too.
    Active,
}

impl StandingProcesses {
    pub fn touch(&mut self, pid: Pid) {
        self.touched.insert(pid);
    }

    fn forget(&mut self, pid: Pid) {
        self.active.remove(&pid);
        self.new.remove(&pid);
        if let Some(order) = self.order_of.remove(&pid) {
            self.steps.remove(&(order, pid));
            self.elsewhere.remove(&(order, pid));
        }
    }

    /// Of the processes that are examined only after a change, the one whose step comes first.
    pub fn first_step(&self) -> Option<Pid> {
        self.steps.first().map(|(_, pid)| *pid)
    }

    /// The first of them that is stopped before a new step which is not its end.
    pub fn first_new(&self) -> Option<Pid> {
        self.new.first().copied()
    }

    /// Of those that wait where the record has them make a step, the one whose step comes first, with its position.
    pub fn first_elsewhere(&self) -> Option<(u64, Pid)> {
        self.elsewhere.first().copied()
    }

    /// Processes whose unrecorded signals have not been looked at since they changed.
    pub fn take_unseen(&mut self) -> FxHashSet<Pid> {
        std::mem::take(&mut self.unseen)
    }

    /// A process can be given this signal, which the record does not have here. The flag: does its record have more choices? And this exit signal.
    pub fn set_unrecorded(&mut self, pid: Pid, found: Option<(bool, Tag)>, exit: Option<Tag>) {
        self.exits.remove(&pid);
        self.exits.extend(exit.map(|tag| (pid, tag)));
        self.unrecorded.remove(&(false, pid));
        self.unrecorded.remove(&(true, pid));
        self.unrecorded
            .extend(found.map(|(has_choices, tag)| ((has_choices, pid), tag)));
    }

    /// The first such exit signal with its receiver.
    pub fn first_exit(&self) -> Option<(Pid, Tag)> {
        self.exits.first_key_value().map(|(pid, tag)| (*pid, *tag))
    }

    /// The first such signal with its receiver; of processes that have used up their record, if there is one.
    pub fn first_unrecorded(&self) -> Option<(Pid, Tag)> {
        self.unrecorded.first_key_value().map(|((_, pid), tag)| (*pid, *tag))
    }

    /// Those that must be examined in every turn, ascending.
    pub fn active(&self) -> impl Iterator<Item = Pid> + '_ {
        self.active.iter().copied()
    }
}

const fn stands(state: ProcessActivity) -> bool {
    matches!(state, ProcessActivity::Waiting | ProcessActivity::Gated)
}

impl Drive<'_> {
    /// Examines the processes whose situation has changed.
    pub(super) fn look(&mut self) {
        let ran = self.system.take_ran();
        let (timers_set, renamed) = self.system.observer.inner.take_changes();
        let all = if renamed { self.standing() } else { Vec::new() };
        let mut touched = std::mem::take(&mut self.stand.touched);
        touched.extend(ran.into_iter().chain(timers_set).chain(all));
        for pid in touched {
            self.stand.forget(pid);
            self.stand.unseen.insert(pid);
            let Some(process) = self.system.table().by_pid(handle(pid)) else {
                self.held.remove(&pid);
                continue;
            };
            if !stands(process.state) {
                continue;
            }
            match self.stands(pid) {
                Stands::Before { order, new } => {
                    if new {
                        self.stand.new.insert(pid);
                    }
                    self.stand.steps.insert((order, pid));
                    self.stand.order_of.insert(pid, order);
                }
                Stands::Still => {}
                Stands::Elsewhere(order) => {
                    self.stand.elsewhere.insert((order, pid));
                    self.stand.order_of.insert(pid, order);
                }
                Stands::Active => {
                    self.stand.active.insert(pid);
                }
            }
        }
    }

    fn stands(&self, pid: Pid) -> Stands {
        if let Some(label) = self.system.label(pid) {
            // Only its own steps can keep it going.
            let calm = self.is_calm(pid);
            let new = matches!(label, Label::Native(_));
            return match self.next_move(pid) {
                Some((order, Move::Step(Some(_)))) => Stands::Before { order, new: false },
                Some((order, Move::Step(None))) if calm => Stands::Before { order, new },
                _ => Stands::Active,
            };
        }
        if self.system.timeout(pid).is_some() {
            return Stands::Active;
        }
        let (list, at) = self.record(pid);
        // Its next choice belongs to a later place: it is helped through what comes before.
        let Some(choice) = self.next(pid).filter(|i| *i == at).and_then(|i| list.get(i)) else {
            return match list.get(at) {
                None => Stands::Still,
                Some(choice) => self.stands_elsewhere(pid, choice),
            };
        };
        let (order, new) = (choice.order, false);
        match choice.what {
            StepKind::Rec(key) | StepKind::Signal(key) if self.held_tag(pid, key).is_some() => {
                Stands::Before { order, new }
            }
            StepKind::Signal(_) => Stands::Still,
            StepKind::Rec(SignalKey::Down(_)) | StepKind::After | StepKind::Do(_) => Stands::Active,
            StepKind::Rec(SignalKey::Sent(by, _)) if self.id(pid) == Some(by) => Stands::Active,
            StepKind::Rec(key) if self.system.observer.inner.timers.contains_key(&(pid, key)) => Stands::Active,
            StepKind::Rec(_) => Stands::Still,
        }
    }

    /// A process without a timeout waits, and its next choice is another one than a receive.
    fn stands_elsewhere(&self, pid: Pid, choice: &RecordedChoice) -> Stands {
        let (list, _) = self.record(pid);
        // What may happen without a signal to it: a timer fires, or the message is called off.
        let depends_on_others = match self.next(pid).map(|i| list[i].what) {
            Some(StepKind::Rec(key @ SignalKey::Sent(by, _))) => {
                self.id(pid) == Some(by) || self.system.observer.inner.timers.contains_key(&(pid, key))
            }
            Some(StepKind::Rec(_)) => true,
            _ => false,
        };
        let is_step = matches!(choice.what, StepKind::Do(_));
        if is_step && !depends_on_others && self.next_move(pid).is_none() {
            Stands::Elsewhere(choice.order)
        } else {
            Stands::Active
        }
    }

    /// Processes that wait or are stopped at a gate, ascending.
    pub(super) fn standing(&self) -> Vec<Pid> {
        let all = self.system.table().iter().filter(|p| stands(p.state));
        let mut pids: Vec<Pid> = all.map(|p| system::ids::to_log(p.pid)).collect();
        pids.sort_unstable();
        pids
    }

    /// Processes for which something is held back, ascending.
    pub(super) fn with_held(&self) -> Vec<Pid> {
        self.held.keys().copied().filter(|pid| self.is_standing(*pid)).collect()
    }

    /// Does this process wait, or is it stopped at a gate?
    pub(super) fn is_standing(&self, pid: Pid) -> bool {
        let process = self.system.table().by_pid(handle(pid));
        process.is_some_and(|p| stands(p.state))
    }

    /// Those of them that wait in a receive, ascending.
    pub(super) fn waiting_with_held(&self) -> impl Iterator<Item = Pid> + '_ {
        self.with_held()
            .into_iter()
            .filter(|pid| self.system.label(*pid).is_none())
    }
}
