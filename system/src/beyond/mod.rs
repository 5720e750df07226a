//! User-driven mode (semantics.md §7 and §10): a process that has used up its log goes on by single steps on request.
//!
//! A process never leaves its log for good. It makes one step without it; the observer sees the action; then the process is again right after
//! the last action of a log, which is one action longer. So whatever was done beyond a log is undone and redone like the log itself. Signals
//! wait in the pool of their receiver until a receive is told to take one, or an exit signal to take effect. A mailbox has no order here: the
//! caller must ensure that an order of arrival explains the choices.

mod choices;
mod finds;
mod numbers;

pub use finds::{Blind, Window, has_turned};

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::term::Pid;
use interpreter::vm::{self, Timeout};
use log_format::{Action, Tag};
use rustc_hash::FxHashSet;

use crate::ids;
use crate::observer::Observer;
use crate::settings::RunClock;
use crate::signals::exit_reason;
use crate::state::feed::{LogSource, Tail};
use crate::state::process::{Label, Process, ProcessActivity};
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::step::After;
use crate::system::System;
use crate::system::run::Running;
use crate::world::World;

/// Limit: counted events for one evaluation of the guards of a receive.
pub const GUARDS: u32 = 1_000_000;

/// The result of a requested step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drove {
    /// The process has done an action (or another process has ended, which that action needs).
    Acted,
    /// It waits in this receive: the user must choose.
    Waits(Timeout),
    /// It runs without an action; its budget is used up.
    Running,
    /// Its log is not used up, or there is no such process.
    Refused,
}

/// A virtual clock and a counter of unique integers. Both only grow in a session, whatever is undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// Nanoseconds of the run's clock.
    pub clock: u64,
    /// The last unique integer.
    pub unique: i64,
}

/// The moment at which a search lets a process take its next step: what the clock and the counter of unique integers show is determined by what the
/// process knows of, whatever else was done before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Milliseconds of the run's clock.
    pub clock: u64,
    /// How many steps the process knows of.
    pub known: u64,
    /// Who takes the step.
    pub pid: log_format::Pid,
}

impl World {
    /// From now on, processes that have used up their logs can be driven. Random numbers depend on the seed and on the process.
    pub fn be_driven(&mut self, seed: u64) {
        self.purpose.go_beyond(seed);
        if !self.table.is_shared() {
            self.settle();
        }
    }

    /// From now on, a process that is driven also stands before it begins to trap exits, or ceases to ([`System::let_trap`]).
    pub fn stand_at_traps(&mut self) {
        self.purpose.stand_at_traps();
    }

    /// From now on, processes call a module of which they have seen the version without an action, as in a recorded run. Otherwise each call of a
    /// module that was loaded or deleted is one, so that a load can come before it.
    pub fn pass_over_seen(&mut self) {
        self.purpose.pass_over_seen();
    }

    /// From now on, additions to a counter that follow each other share a version, as when recorded. Only where each log that is followed has been done to its
    /// end: what is left of one could read the version as it was.
    pub fn join_sums(&mut self) {
        self.purpose.join_sums();
    }

    /// Takes over what another system for the same program has loaded and named, so that this is the same in both. What this one has loaded and named
    /// must be part of it.
    pub fn share_code(&mut self, other: &Self) {
        self.program = Arc::clone(&other.program);
        self.resources.share_texts(&other.resources);
    }

    /// The number of a text, for whoever names resources. Others that search with it must have the same numbers.
    pub fn id_of_text(&mut self, text: &str) -> log_format::TextId {
        self.resources.text(text)
    }

    /// The memory that its processes do not use now, for another system.
    pub fn take_spare(&mut self) -> vm::Spare {
        std::mem::take(&mut self.spare)
    }

    /// Takes the memory of another system.
    pub fn give_spare(&mut self, spare: vm::Spare) {
        self.spare = spare;
    }

    /// Has this system loaded and named the same as another one?
    #[must_use]
    pub fn has_code_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program) && self.resources.texts().len() == other.resources.texts().len()
    }

    /// Beyond the log: for the next step, these signals have arrived at these processes.
    pub fn let_arrive_before_step(&mut self, arrived: FxHashSet<(log_format::Pid, Tag)>) {
        self.purpose.let_arrive(arrived);
    }

    /// Beyond the log: was that said of this signal?
    pub(crate) fn was_let_arrive(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let beyond = self.purpose.beyond();
        beyond.is_some_and(|beyond| !beyond.arrived.is_empty() && beyond.arrived.contains(&(pid, tag)))
    }

    /// Replay: follows other logs from now on. Every process must have done all that was requested.
    pub fn follow(&mut self, source: Arc<dyn LogSource>) {
        let Some(plan) = self.purpose.plan_mut() else { return };
        plan.follow(source);
        let texts = plan.texts();
        if texts.len() > self.resources.texts().len() {
            self.resources.set_texts(texts);
        }
        for name in plan.nodes() {
            self.nodes.add(Atom::new(&name));
        }
        let follow = |p: &mut Process| {
            let pid = ids::to_log(p.pid);
            if let Some(feed) = p.mode.log_mut() {
                feed.follow(plan, pid);
            }
        };
        self.table
            .each_mut(|p| p.mode.log().is_some_and(|feed| !feed.follows(plan, p.pid)), follow);
    }

    /// Sets the clock and the counter for the next step; returns their current values.
    pub fn refresh(&mut self, fresh: Fresh) -> Fresh {
        let RunClock::Virtual(now) = &mut self.clock else {
            return fresh;
        };
        *now = fresh.clock.max(*now);
        self.unique = fresh.unique.max(self.unique);
        Fresh {
            clock: *now,
            unique: self.unique,
        }
    }

    /// Sets the virtual clock and the counters for the next step, whatever they were. What one process knows of another one's step is later and larger.
    pub fn stand_in(&mut self, moment: Moment) {
        let RunClock::Virtual(now) = &mut self.clock else {
            return;
        };
        *now = moment.clock.saturating_mul(1_000_000);
        self.unique = ((moment.known << 16) | (moment.pid.0 & 0xffff)) as i64;
        self.last_now = self.system_ns() / 1000 + moment.known as i64;
    }

    /// Does the caller want to know that a process stands at this native, because it begins to trap exits, or ceases to?
    pub(crate) fn stands_at_trap(&self, p: &Process, id: vm::NativeId) -> bool {
        if !self.purpose.beyond().is_some_and(|beyond| beyond.stands_at_traps) {
            return false;
        }
        let native = self.program.native(id);
        let [flag, value] = crate::ops::args(p);
        let is_flag = native.module == "erlang" && native.name == "process_flag" && native.arity == 2;
        is_flag
            && flag.as_atom().is_some_and(|flag| flag.as_str() == "trap_exit")
            && value.as_bool().is_some_and(|on| on != p.trap_exit)
    }

    pub(crate) fn rests(&self, pid: log_format::Pid) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.mode.is_done())
    }

    /// Sets the next action of a process that has used up its log: a receive of a message that was sent to it, or a timeout.
    pub fn instruct(&mut self, pid: log_format::Pid, action: Action) {
        self.end = None;
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = p.mode.log_mut().filter(|feed| feed.is_done()) else {
            return;
        };
        feed.instruct(action);
        p.state = ProcessActivity::Ready;
        self.scheduler.ready(slot);
    }

    /// The names of the nodes so far, by [`log_format::Node`].
    #[must_use]
    pub fn node_names(&self) -> Vec<String> {
        self.nodes.names().iter().map(|name| name.as_str().to_owned()).collect()
    }

    /// The current holder of a registered name of the first node.
    #[must_use]
    pub fn holder_of(&self, name: &str) -> Option<log_format::Pid> {
        let at = self.resources.texts().iter().position(|text| text == name)?;
        let id = log_format::TextId(u32::try_from(at).ok()?);
        self.resources.holder(log_format::Resource::Name(id)).map(ids::to_log)
    }
}

impl<O: Observer> System<O> {
    /// Runs a process that has used up its log silently on to its next label. `None` if it has not reached one within this many counted events,
    /// does not exist, or has not done all that was requested.
    pub fn look_ahead(&mut self, pid: log_format::Pid, budget: u32) -> Option<Label> {
        self.running(|run| run.look_ahead(pid, budget))
    }

    /// Lets a process that has used up its log make its next step, unless that is a receive.
    pub fn drive(&mut self, pid: log_format::Pid, budget: u32) -> Drove {
        self.running(|run| run.drive(pid, budget))
    }

    /// Lets a process that stands before it begins to trap exits, or ceases to, do that; whether it traps exits then. `None`: it does not stand there.
    pub fn let_trap(&mut self, pid: log_format::Pid) -> Option<bool> {
        self.running(|run| run.let_trap(pid))
    }

    /// Lets an exit signal that was sent to a process end it at its current point.
    pub fn end_by(&mut self, pid: log_format::Pid, tag: Tag) -> Drove {
        self.running(|run| run.end_by(pid, tag))
    }
}

impl Running<'_> {
    fn look_ahead(&mut self, pid: log_format::Pid, budget: u32) -> Option<Label> {
        let Lookup::Alive(slot) = self.world.table.find(Pid::new(0, pid.0)) else {
            return None;
        };
        let mut p = self.world.table.take(slot)?;
        let rests = p.mode.is_done();
        if rests && p.label.is_none() {
            self.world.end = None;
            self.world.besides = None;
            if let Some(feed) = p.mode.log_mut() {
                feed.set_tail(Tail::RunOn);
            }
            self.turn(&mut p, budget);
            if let Some(feed) = p.mode.log_mut() {
                feed.set_tail(Tail::Stop);
            }
            self.world.count_words(&mut p);
            p.state = ProcessActivity::Frozen;
        }
        let label = p.label.filter(|_| rests);
        self.world.table.put(slot, p);
        label
    }

    fn drive(&mut self, pid: log_format::Pid, budget: u32) -> Drove {
        match self.look_ahead(pid, budget) {
            Some(Label::Receive(timeout)) => return Drove::Waits(timeout),
            Some(Label::Native(_) | Label::Version(_) | Label::End) => {}
            None => {
                let rests = self.world.rests(pid);
                return if rests { Drove::Running } else { Drove::Refused };
            }
        }
        self.by_itself(pid, |run, p| run.turn(p, budget))
    }

    fn let_trap(&mut self, pid: log_format::Pid) -> Option<bool> {
        let Lookup::Alive(slot) = self.world.table.find(Pid::new(0, pid.0)) else {
            return None;
        };
        let mut p = self.world.table.take(slot)?;
        let id = match p.label {
            Some(Label::Native(id)) if self.world.stands_at_trap(&p, id) => Some(id),
            _ => None,
        };
        if let Some(id) = id {
            p.retry = None;
            p.label = None;
            self.step(&mut p).goes_on(id);
        }
        let traps = p.trap_exit;
        self.world.table.put(slot, p);
        id.map(|_| traps)
    }

    fn end_by(&mut self, pid: log_format::Pid, tag: Tag) -> Drove {
        let deadly = self.world.deadly(pid);
        if !deadly.contains(&tag) {
            return Drove::Refused;
        }
        self.by_itself(pid, |run, p| {
            let Some(Signal::Exit { reason, link, .. }) = p.pool.remove(&tag) else {
                return After::Parked(ProcessActivity::Frozen);
            };
            let waiting = matches!(p.label, Some(Label::Receive(_)));
            run.step(p).end_by_signal(tag, exit_reason(&reason, link), waiting);
            After::Ended
        })
    }

    fn by_itself(&mut self, pid: log_format::Pid, step: impl FnOnce(&mut Self, &mut Process) -> After) -> Drove {
        let Lookup::Alive(slot) = self.world.table.find(Pid::new(0, pid.0)) else {
            return Drove::Refused;
        };
        let Some(mut p) = self.world.table.take(slot) else {
            return Drove::Refused;
        };
        let before = p.actions;
        let Some(feed) = p.mode.leave_log(before) else {
            self.world.table.put(slot, p);
            return Drove::Refused;
        };
        // A line of input is read at once: the simulated outside has none.
        p.may_read = true;
        self.world.end = None;
        self.world.besides = None;
        let after = step(self, &mut p);
        self.world.count_words(&mut p);
        p.may_read = false;
        let acted = p.actions - before;
        if let After::Ended = after {
            self.world.remove_ended(self.watch, *p);
            return Drove::Acted;
        }
        p.mode.return_to_log(feed.moved_by(acted));
        p.state = ProcessActivity::Frozen;
        let label = p.label;
        self.world.table.put(slot, p);
        match (acted, label) {
            (0, Some(Label::Receive(timeout))) => Drove::Waits(timeout),
            (0, _) => Drove::Running,
            _ => Drove::Acted,
        }
    }
}
