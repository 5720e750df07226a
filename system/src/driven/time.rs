//! Time in a driven system: timers fire and receives time out when the caller says so.

use interpreter::term::Pid;
use interpreter::vm::Timeout;
use log_format::{SendNo, Tag};

use crate::ids;
use crate::ids::Slot;
use crate::observer::Observer;
use crate::settings::{RunClock, RunEnd};
use crate::state::process::{Process, ProcessActivity};
use crate::state::table::Lookup;
use crate::system::System;
use crate::system::run::Running;
use crate::world::World;

impl World {
    /// The timeout of the receive in which this process waits, in milliseconds, and its deadline.
    #[must_use]
    pub fn timeout(&self, pid: log_format::Pid) -> Option<(u64, u64)> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        match p.label {
            Some(crate::state::process::Label::Receive(Timeout::Millis(ms))) if p.state == ProcessActivity::Waiting => {
                Some((ms, p.deadline?))
            }
            _ => None,
        }
    }

    /// Does this process wait in a receive that can time out?
    #[must_use]
    pub fn can_time_out(&self, pid: log_format::Pid) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.state == ProcessActivity::Waiting && p.deadline.is_some())
    }

    /// Lets the receive in which this process waits time out.
    pub fn time_out(&mut self, pid: log_format::Pid) {
        if !self.can_time_out(pid) {
            return;
        }
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(mut q) = self.table.take(slot) else { return };
        q.expired = true;
        self.wake_up(slot, &mut q);
        self.table.put(slot, q);
    }

    /// Times out the receive in which this process waits if its deadline is before `deadline`, and advances the virtual clock. False otherwise.
    pub fn time_out_by(&mut self, pid: log_format::Pid, deadline: u64) -> bool {
        let Some((_, due)) = self.timeout(pid).filter(|(_, due)| *due < deadline) else {
            return false;
        };
        if let RunClock::Virtual(now) = &mut self.clock {
            *now = (*now).max(due);
        }
        self.time_out(pid);
        true
    }

    pub(crate) fn wake_up(&mut self, slot: Slot, q: &mut Process) {
        q.state = ProcessActivity::Ready;
        self.scheduler.ready(slot);
        self.go_on();
    }

    /// Lets the run continue: something can happen again.
    pub(crate) fn go_on(&mut self) {
        if self.end == Some(RunEnd::Quiescent) {
            self.end = None;
        }
    }

    /// The receive that times out first, and when.
    pub(crate) fn first_timeout(&self) -> Option<(u64, Pid)> {
        let polls = self.table.iter().filter(|p| p.state == ProcessActivity::Waiting);
        polls.filter_map(|p| Some((p.deadline?, p.pid))).min()
    }

    /// The process that times out next if time passes; `None` if a timer comes first, or nothing.
    #[must_use]
    pub fn next_timeout(&self) -> Option<log_format::Pid> {
        let (deadline, pid) = self.first_timeout()?;
        let first = self.timers.next().is_none_or(|timer| deadline <= timer);
        first.then(|| ids::to_log(pid))
    }

    /// The receiver and the tag of the next timer's message if time passes; `None` if a receive times out first, or nothing is due.
    #[must_use]
    pub fn next_timer(&self) -> Option<(log_format::Pid, Tag)> {
        let message = self.timers.next_message()?;
        let first = self
            .first_timeout()
            .is_none_or(|(deadline, _)| self.timers.next() <= Some(deadline));
        let to = match message.to {
            crate::state::timers::To::Pid(pid) => pid,
            crate::state::timers::To::Name(name) => self.resources.holder(name)?,
        };
        first.then(|| (ids::to_log(to), message.tag))
    }

    /// Sets the virtual clock, for a caller that keeps a separate time for every process.
    pub fn set_clock(&mut self, nanoseconds: u64) {
        if let RunClock::Virtual(now) = &mut self.clock {
            *now = nanoseconds;
        }
    }

    /// The message timer that fires first, and when, ignoring timeouts of receives.
    #[must_use]
    pub fn next_message_timer(&self) -> Option<(u64, Tag)> {
        self.timers.first_message()
    }

    /// Is the timer set whose message has this tag?
    #[must_use]
    pub fn timer_is_set(&self, by: log_format::Pid, k: SendNo) -> bool {
        self.timers.has(Tag::Sent { by, k })
    }
}

impl<O: Observer> System<O> {
    /// Lets time pass up to the next timer or timeout. False if there is none.
    pub fn pass_time(&mut self) -> bool {
        self.running(|run| run.pass_time())
    }

    /// Fires the timer with this message if it is due by `deadline`, advancing the virtual clock. False if it is not due by then.
    pub fn expire_by(&mut self, tag: Tag, deadline: u64) -> bool {
        self.running(|run| run.expire_by(tag, deadline))
    }

    /// Fires the timer with this message, even if it is not due. False if there is no such timer.
    pub fn expire(&mut self, tag: Tag) -> bool {
        self.running(|run| run.expire(tag))
    }
}

impl Running<'_> {
    /// See [`System::pass_time`].
    pub fn pass_time(&mut self) -> bool {
        let first = self.world.first_timeout();
        let timer = self.world.timers.next();
        let Some(next) = first.map(|(deadline, _)| deadline).into_iter().chain(timer).min() else {
            return false;
        };
        if let RunClock::Virtual(now) = &mut self.world.clock {
            *now = (*now).max(next);
        }
        self.world.go_on();
        match first {
            // A receive with `after 0` has no timer.
            Some((deadline, pid)) if timer.is_none_or(|timer| deadline < timer) => {
                self.world.time_out(ids::to_log(pid))
            }
            _ => {
                self.world.fire_timers(self.watch);
            }
        }
        true
    }

    /// See [`System::expire_by`].
    pub fn expire_by(&mut self, tag: Tag, deadline: u64) -> bool {
        let Some(due) = self.world.timers.due(tag).filter(|due| *due <= deadline) else {
            return false;
        };
        if let RunClock::Virtual(now) = &mut self.world.clock {
            *now = (*now).max(due);
        }
        self.expire(tag)
    }

    /// See [`System::expire`].
    pub fn expire(&mut self, tag: Tag) -> bool {
        let Some(timer) = self.world.timers.take(tag) else {
            return false;
        };
        self.world.go_on();
        self.world.expired(self.watch, timer);
        true
    }
}
