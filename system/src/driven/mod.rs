//! Driving a system from outside: the caller decides which process acts next, which signal takes effect, when time passes. For running a
//! program by choices that were made elsewhere: another version of it (`check`), another tool (`import --cauder`). Only beyond logs.

mod held;
mod time;

use interpreter::atom::Atom;
use interpreter::native::Native;
use interpreter::term::Pid;
use log_format::{Resource, Tag};
use rustc_hash::FxHashSet;

use crate::ids;
use crate::mode::{Mode, Purpose};
use crate::observer::Observer;
use crate::process::{Lookup, Process, State};
use crate::settings::{Clock, EVENT_NANOSECONDS, RunEnd};
use crate::system::System;
use crate::world::World;

/// What is held back in a system that is driven.
#[derive(Clone, Default)]
pub(crate) struct HeldBack {
    /// Signals that have arrived since the caller last asked.
    pub arrived: Vec<(Pid, Tag)>,
    /// Who may pass its gate, once.
    permitted: Option<Pid>,
    /// The value that the next input or observation takes.
    given: Option<Vec<u8>>,
    /// A recorded value of the outside was taken that the simulated world does not have.
    pub took_outside: bool,
    /// A recorded value of a file was taken that is not what the program has written into it in this run.
    pub other_files: bool,
    /// Who has asked the outside for something that neither the caller nor the simulated world has.
    pub invented: Option<Pid>,
    /// The next node that is started cannot be reached.
    unreachable: bool,
    /// Who has run since the caller last asked.
    pub ran: FxHashSet<Pid>,
}

/// What a process at a gate is about to do.
#[derive(Clone, Copy)]
pub enum Label<'a> {
    /// This native; its arguments are those of the machine.
    Native(&'a Native),
    /// Its own end.
    End,
    /// It has run for long without coming to anything ([`System::come_to_rest`]).
    Spinning,
}

impl World {
    /// From now on the caller decides: messages are held back where they arrive, no time passes, and no receive times out, until it says so;
    /// processes stop before every native that is not pure and before their ends, and exit signals are held back like messages (but for
    /// those to oneself). Does nothing in replay.
    pub fn gate(&mut self) {
        if !matches!(self.purpose, Purpose::Record) {
            return;
        }
        self.purpose = Purpose::Drive(HeldBack::default());
        for p in self.table.iter_mut() {
            p.mode = Mode::Driven;
        }
    }

    /// Does this process have to stop here? It may pass once after `World::permit`.
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

    /// What a process that stands at a gate is about to do. None if it stands at none.
    #[must_use]
    pub fn label(&self, pid: log_format::Pid) -> Option<Label<'_>> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        if p.state != State::Gated {
            return None;
        }
        Some(match (p.retry, &p.ending) {
            (Some(id), _) => Label::Native(self.program.native(id)),
            (None, Some(_)) => Label::End,
            (None, None) => Label::Spinning,
        })
    }

    /// Lets a process pass the gate at which it stands. `given`: the value, as logged, that an input or observation then takes.
    pub fn permit(&mut self, pid: log_format::Pid, given: Option<Vec<u8>>) {
        let pid = Pid::new(0, pid.0);
        let Some((slot, p)) = self.table.by_pid_mut(pid) else {
            return;
        };
        if p.state != State::Gated {
            return;
        }
        p.state = State::Ready;
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

    /// `World::permit` for the start of a node that cannot be reached: it fails.
    pub fn permit_failing_start(&mut self, pid: log_format::Pid) {
        if let Some(held) = self.purpose.held_back_mut() {
            held.unreachable = true;
        }
        self.permit(pid, None);
    }

    /// Shall the start of a node fail, which is being carried out?
    pub(crate) fn is_unreachable(&mut self) -> bool {
        self.purpose
            .held_back_mut()
            .is_some_and(|held| std::mem::take(&mut held.unreachable))
    }

    /// The value that the native being carried out shall take.
    pub(crate) fn given(&mut self) -> Option<Vec<u8>> {
        self.purpose.held_back_mut()?.given.take()
    }

    /// Was a value given from outside that the program itself had not put there?
    #[must_use]
    pub fn took_outside(&self) -> bool {
        self.purpose.held_back().is_some_and(|held| held.took_outside)
    }

    /// Was a recorded content of a file given that is not what the program has written into it in this run?
    #[must_use]
    pub fn took_other_files(&self) -> bool {
        self.purpose.held_back().is_some_and(|held| held.other_files)
    }

    /// Who has asked the outside for something that was not given, and that the simulated world cannot know; once.
    pub fn take_invented(&mut self) -> Option<log_format::Pid> {
        self.purpose.held_back_mut()?.invented.take().map(ids::to_log)
    }

    /// The next process that is born gets this number if it is free and larger than that of the entry. Answers the number that it gets.
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

    /// Who holds a name on a node now. Not logged.
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

    /// Is this node there now? Not logged.
    #[must_use]
    pub fn node_is_there(&self, name: Atom) -> bool {
        self.known_node(name).is_some_and(|index| self.is_present(index))
    }

    /// A process has run, or was told to stop.
    #[inline]
    pub(crate) fn note_run(&mut self, pid: Pid) {
        if let Some(held) = self.purpose.held_back_mut() {
            held.ran.insert(pid);
        }
    }

    /// The processes that have run since the last call, those that ended among them; in no particular order.
    pub fn take_ran(&mut self) -> Vec<log_format::Pid> {
        let ran = self.purpose.held_back_mut().map(|held| std::mem::take(&mut held.ran));
        ran.unwrap_or_default().into_iter().map(ids::to_log).collect()
    }
}

impl<O: Observer> System<O> {
    /// Runs until every process waits, stands at a gate or has ended; at most about so many counted events. Processes that are still
    /// running then are parked as [`Label::Spinning`]. Answers how the run ended, if it did.
    pub fn come_to_rest(&mut self, events: u64) -> Option<RunEnd> {
        let limit = self.world.limits.time;
        let until = self
            .world
            .now()
            .saturating_add(events.saturating_mul(EVENT_NANOSECONDS));
        if matches!(self.world.clock, Clock::Virtual(_)) {
            self.world.limits.time = Some(limit.map_or(until, |l| l.min(until)));
        }
        let end = self.run();
        self.world.limits.time = limit;
        match end {
            RunEnd::Quiescent => None,
            RunEnd::Limit(which) if !which.starts_with("memory") && limit.is_none_or(|l| self.world.now() < l) => {
                self.world.end = None;
                while self.world.scheduler.next().is_some() {}
                for p in self.world.table.iter_mut().filter(|p| p.state == State::Ready) {
                    p.state = State::Gated;
                }
                // Over the memory limit, or over the time limit of the whole run: that stays so.
                self.world.check_limits();
                self.world.end.clone()
            }
            end => Some(end),
        }
    }
}
