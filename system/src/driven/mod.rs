//! Driving a system from outside: the caller decides which process acts next, which signal takes effect, and when time passes. Used to run a
//! program by choices that come from elsewhere: from another version of it (`check`), from another tool (`import --cauder`). Only beyond logs.

mod held;
mod time;

use interpreter::atom::Atom;
use interpreter::native::Native;
use interpreter::term::Pid;
use log_format::{Resource, Tag};

use crate::ids;
use crate::observer::Observer;
use crate::settings::{EVENT_NANOSECONDS, RunClock, RunEnd};
use crate::state::process::{Process, ProcessActivity};
use crate::state::table::Lookup;
use crate::system::System;
use crate::system::run::Running;
use crate::world::World;

/// What a process at a gate is about to do.
#[derive(Clone, Copy)]
pub enum Label<'a> {
    /// This native; its arguments are those of the machine.
    Native(&'a Native),
    /// Its own end.
    End,
    /// Nothing: it has run for long without reaching a gate ([`System::come_to_rest`]).
    Spinning,
}

/// [`System::run_out`] stops after so many turns without an action.
const IDLE: u32 = 1000;

impl World {
    /// From now on, the caller decides: arriving messages are held back, no time passes, and no receive times out, until the caller says so.
    /// Processes stop before every native that is not pure and before their ends. Exit signals are held back like messages (except those to
    /// oneself). Does nothing in replay.
    pub fn gate(&mut self) {
        self.purpose.drive(self.flight.delivery(), self.table.modes_mut());
    }

    /// Must this process stop here? It may pass once after `World::permit`.
    pub(crate) fn gated(&mut self, p: &Process) -> bool {
        let Some(held) = self.purpose.held_back_mut() else {
            return false;
        };
        if p.may_read {
            return false;
        }
        if held.permitted == Some(p.pid) {
            held.permitted = None;
            return false;
        }
        true
    }

    /// What a process at a gate is about to do. `None` if it is not at one.
    #[must_use]
    pub fn label(&self, pid: log_format::Pid) -> Option<Label<'_>> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        if p.state != ProcessActivity::Gated {
            return None;
        }
        Some(match (p.retry, &p.ending) {
            (Some(id), _) => Label::Native(self.program.native(id)),
            (None, Some(_)) => Label::End,
            (None, None) => Label::Spinning,
        })
    }

    /// Lets a process pass its gate. `given`: the result of an input or observation, as logged.
    pub fn permit(&mut self, pid: log_format::Pid, given: Option<Vec<u8>>) {
        let pid = Pid::new(0, pid.0);
        let Some((slot, p)) = self.table.by_pid_mut(pid) else {
            return;
        };
        if p.state != ProcessActivity::Gated {
            return;
        }
        p.state = ProcessActivity::Ready;
        if p.ending.is_none()
            && p.retry.is_some()
            && let Some(held) = self.purpose.held_back_mut()
        {
            held.permitted = Some(p.pid);
            held.given = given;
        }
        self.scheduler.ready(slot);
        self.go_on();
    }

    /// As `World::permit`, for the start of a node that cannot be reached: it fails.
    pub fn permit_failing_start(&mut self, pid: log_format::Pid) {
        if let Some(held) = self.purpose.held_back_mut() {
            held.unreachable = true;
        }
        self.permit(pid, None);
    }

    /// Must the current start of a node fail?
    pub(crate) fn is_unreachable(&mut self) -> bool {
        self.purpose
            .held_back_mut()
            .is_some_and(|held| std::mem::take(&mut held.unreachable))
    }

    /// The given result for the current native.
    pub(crate) fn given(&mut self) -> Option<Vec<u8>> {
        self.purpose.held_back_mut()?.given.take()
    }

    /// Was a value given that the program itself had not put outside?
    #[must_use]
    pub fn took_outside(&self) -> bool {
        self.purpose.held_back().is_some_and(|held| held.took_outside)
    }

    /// Was a recorded file content given that differs from what the program has written into it in this run?
    #[must_use]
    pub fn took_other_files(&self) -> bool {
        self.purpose.held_back().is_some_and(|held| held.other_files)
    }

    /// The process that asked for an outside value which neither the caller nor the simulated world has; cleared by this call.
    pub fn take_invented(&mut self) -> Option<log_format::Pid> {
        self.purpose.held_back_mut()?.invented.take().map(ids::to_log)
    }

    /// Sets the number of the next new process, if it is free and larger than that of the entry. Returns the number that the process will get.
    pub fn number_next(&mut self, number: u64) -> log_format::Pid {
        let free = |number| matches!(self.table.find(Pid::new(0, number)), Lookup::Unborn);
        if free(number) && number > crate::settings::FIRST_PID {
            self.next_pid = number;
        }
        while !matches!(self.table.find(Pid::new(0, self.next_pid)), Lookup::Unborn) {
            self.next_pid += 1;
        }
        log_format::Pid(self.next_pid)
    }

    /// The current holder of a name on a node. Not logged.
    #[must_use]
    pub fn holder_now(&self, name: Atom, node: u16) -> Option<Pid> {
        let text = self.resources.known_text(&format!("{name}{}", self.on_node(node)))?;
        self.resources.holder(Resource::Name(text))
    }

    /// The index of a node, if the program has named it.
    #[must_use]
    pub fn known_node(&self, name: Atom) -> Option<u16> {
        let names = self.nodes.names();
        names.iter().position(|known| *known == name).map(|i| i as u16)
    }

    /// Does this node exist now? Not logged.
    #[must_use]
    pub fn node_is_there(&self, name: Atom) -> bool {
        self.known_node(name).is_some_and(|index| self.is_present(index))
    }

    /// Notes that a process has run, or was told to stop.
    #[inline]
    pub(crate) fn note_run(&mut self, pid: Pid) {
        if let Some(held) = self.purpose.held_back_mut() {
            held.ran.insert(pid);
        }
    }

    /// The processes that have run since the last call, including those that ended; in no particular order.
    pub fn take_ran(&mut self) -> Vec<log_format::Pid> {
        let ran = self.purpose.held_back_mut().map(|held| std::mem::take(&mut held.ran));
        ran.unwrap_or_default().into_iter().map(ids::to_log).collect()
    }
}

impl<O: Observer> System<O> {
    /// Nothing is held back any more: all signals arrive, processes pass their gates, and time passes when nothing else can happen. Until the run
    /// ends, has done so many actions, or goes on for long without one.
    pub fn run_out(&mut self, actions: u64, events: u64) {
        self.running(|run| run.run_out(actions, events));
    }

    /// Runs until every process waits, stops at a gate or has ended; at most about this many counted events. Processes that are still running
    /// then are parked as [`Label::Spinning`]. Returns how the run ended, if it did.
    pub fn come_to_rest(&mut self, events: u64) -> Option<RunEnd> {
        self.running(|run| run.come_to_rest(events))
    }
}

impl Running<'_> {
    /// See [`System::run_out`].
    pub fn run_out(&mut self, actions: u64, events: u64) {
        let mut idle = 0;
        while self.world.total_actions < actions && idle < IDLE {
            let before = self.world.total_actions;
            if self.come_to_rest(events).is_some() {
                return;
            }
            let held = self
                .world
                .table
                .iter()
                .flat_map(|p| p.pool.tags().map(|tag| (ids::to_log(p.pid), tag)));
            let mut held: Vec<(log_format::Pid, Tag)> = held.collect();
            held.sort_unstable();
            for (pid, tag) in &held {
                self.world.release(*pid, *tag);
            }
            // A gate opens for one process at a time.
            let gated = self
                .world
                .table
                .iter()
                .filter(|p| p.state == ProcessActivity::Gated)
                .map(|p| ids::to_log(p.pid))
                .min();
            if let Some(pid) = gated {
                self.world.permit(pid, None);
            } else if held.is_empty() && !self.pass_time() {
                return;
            }
            idle = if self.world.total_actions > before { 0 } else { idle + 1 };
        }
    }

    /// See [`System::come_to_rest`].
    pub fn come_to_rest(&mut self, events: u64) -> Option<RunEnd> {
        let limit = self.world.limits.time;
        let until = self
            .world
            .now()
            .saturating_add(events.saturating_mul(EVENT_NANOSECONDS));
        if matches!(self.world.clock, RunClock::Virtual(_)) {
            self.world.limits.time = Some(limit.map_or(until, |l| l.min(until)));
        }
        let end = self.run();
        self.world.limits.time = limit;
        match end {
            RunEnd::Quiescent => None,
            RunEnd::Limit(which) if !which.starts_with("memory") && limit.is_none_or(|l| self.world.now() < l) => {
                self.world.end = None;
                while self.world.scheduler.next().is_some() {}
                let is_ready = |p: &Process| p.state == ProcessActivity::Ready;
                self.world
                    .table
                    .each_mut(is_ready, |p| p.state = ProcessActivity::Gated);
                // Beyond the limit of memory, or of the time of the whole run: that remains so.
                self.world.check_limits();
                self.world.end.clone()
            }
            end => Some(end),
        }
    }
}
