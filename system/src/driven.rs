//! Driving a system from outside: the caller decides which process acts next, which signal takes effect, when time passes. For running a
//! program by choices that were made elsewhere: another version of it (`check`), another tool (`import --cauder`). Only beyond logs.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::native::Native;
use interpreter::term::Pid;
use interpreter::vm::Timeout;
use log_format::{Resource, SendNo, Tag};
use rustc_hash::FxHashSet;

use crate::ids;
use crate::observer::Observer;
use crate::process::{Lookup, Process, Signal, Slot, State};
use crate::system::{Clock, EVENT_NANOSECONDS, RunEnd, Settled, System, is_message};

/// What is held back in a system that is driven.
#[derive(Clone, Default)]
pub(crate) struct HeldBack {
    /// Signals that have arrived since the caller last asked.
    pub arrived: Vec<(Pid, Tag)>,
    /// Processes stop before natives that are not pure, and before their ends; exit signals are held back too.
    pub gates: bool,
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
    /// Who has run, while there are gates, since the caller last asked.
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

impl<O: Observer> System<O> {
    /// From now on messages are held back where they arrive, no time passes, and no receive times out, until the caller says so.
    pub fn hold_back(&mut self) {
        self.held_back.get_or_insert_default();
    }

    /// [`System::hold_back`]; and processes stop before every native that is not pure and before their ends, and exit signals are held
    /// back like messages (but for those to oneself).
    pub fn gate(&mut self) {
        self.held_back.get_or_insert_default().gates = true;
    }

    /// Runs until every process waits, stands at a gate or has ended; at most about so many counted events. Processes that are still
    /// running then are parked as [`Label::Spinning`]. Answers how the run ended, if it did.
    pub fn come_to_rest(&mut self, events: u64) -> Option<RunEnd> {
        let limit = self.limits.time;
        let until = self.now().saturating_add(events.saturating_mul(EVENT_NANOSECONDS));
        if matches!(self.clock, Clock::Virtual(_)) {
            self.limits.time = Some(limit.map_or(until, |l| l.min(until)));
        }
        let end = self.run();
        self.limits.time = limit;
        match end {
            RunEnd::Quiescent => None,
            RunEnd::Limit(which) if !which.starts_with("memory") && limit.is_none_or(|l| self.now() < l) => {
                self.end = None;
                while self.scheduler.next().is_some() {}
                for p in self.table.iter_mut().filter(|p| p.state == State::Ready) {
                    p.state = State::Gated;
                }
                // Over the memory limit, or over the time limit of the whole run: that stays so.
                self.check_limits();
                self.end.clone()
            }
            end => Some(end),
        }
    }

    /// Does this process have to stop here? It may pass once after [`System::permit`].
    pub(crate) fn gated(&mut self, p: &Process<O::Log>) -> bool {
        let Some(held) = &mut self.held_back else { return false };
        if !held.gates || p.may_read || p.feed.is_some() {
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
            (Some((id, _)), _) => Label::Native(self.program.native(id)),
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
            && let Some(held) = &mut self.held_back
        {
            held.permitted = Some(p.pid);
            held.given = given;
        }
        self.scheduler.ready(slot);
        self.go_on();
    }

    /// [`System::permit`] for the start of a node that cannot be reached: it fails.
    pub fn permit_failing_start(&mut self, pid: log_format::Pid) {
        if let Some(held) = &mut self.held_back {
            held.unreachable = true;
        }
        self.permit(pid, None);
    }

    /// Shall the start of a node fail, which is being carried out?
    pub(crate) fn is_unreachable(&mut self) -> bool {
        self.held_back
            .as_mut()
            .is_some_and(|held| std::mem::take(&mut held.unreachable))
    }

    /// The value that the native being carried out shall take.
    pub(crate) fn given(&mut self) -> Option<Vec<u8>> {
        self.held_back.as_mut()?.given.take()
    }

    /// Was a value given from outside that the program itself had not put there?
    #[must_use]
    pub fn took_outside(&self) -> bool {
        self.held_back.as_ref().is_some_and(|held| held.took_outside)
    }

    /// Was a recorded content of a file given that is not what the program has written into it in this run?
    #[must_use]
    pub fn took_other_files(&self) -> bool {
        self.held_back.as_ref().is_some_and(|held| held.other_files)
    }

    /// Who has asked the outside for something that was not given, and that the simulated world cannot know; once.
    pub fn take_invented(&mut self) -> Option<log_format::Pid> {
        self.held_back.as_mut()?.invented.take().map(ids::to_log)
    }

    /// The next process that is born gets this number if it is free and larger than that of the entry. Answers the number that it gets.
    pub fn number_next(&mut self, number: u64) -> log_format::Pid {
        let free = |number| matches!(self.table.find(Pid::new(0, number)), Lookup::Unborn);
        if free(number) && number > crate::system::FIRST_PID {
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
        if let Some(held) = &mut self.held_back
            && held.gates
        {
            held.ran.insert(pid);
        }
    }

    /// The processes that have run since the last call, those that ended among them; in no particular order.
    pub fn take_ran(&mut self) -> Vec<log_format::Pid> {
        let ran = self.held_back.as_mut().map(|held| std::mem::take(&mut held.ran));
        ran.unwrap_or_default().into_iter().map(ids::to_log).collect()
    }

    /// The messages that have arrived since the last call and are held back, with their receivers, in the order of arrival.
    pub fn take_arrived(&mut self) -> Vec<(log_format::Pid, Tag)> {
        let arrived = self.held_back.as_mut().map(|held| std::mem::take(&mut held.arrived));
        let arrived = arrived.unwrap_or_default().into_iter();
        arrived.map(|(pid, tag)| (ids::to_log(pid), tag)).collect()
    }

    /// Is this signal, which is to arrive, held back?
    pub(crate) fn holds(&mut self, q: &Process<O::Log>, tag: Tag, signal: &Signal) -> bool {
        let Some(held) = &mut self.held_back else { return false };
        let to_itself = tag.sender() == Some(ids::to_log(q.pid)) && matches!(signal, Signal::Exit { link: false, .. });
        let holds = is_message(signal, q.trap_exit) || (held.gates && !to_itself);
        if holds {
            held.arrived.push((q.pid, tag));
        }
        holds
    }

    /// Is a signal that is held back an exit signal that is no message to the process?
    #[must_use]
    pub fn is_exit(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.pool.get(&tag).is_some_and(|signal| !is_message(signal, p.trap_exit)))
    }

    /// Lets a signal that is held back arrive. Does nothing if there is no such signal.
    pub fn release(&mut self, pid: log_format::Pid, tag: Tag) {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(mut q) = self.table.take(slot) else { return };
        if let Some(signal) = q.pool.remove(&tag)
            && self.take_in(&mut q, tag, signal)
            && (q.state == State::Waiting
                || (q.pending.is_some() && matches!(q.state, State::Gated | State::WaitingInput)))
        {
            self.wake_up(slot, &mut q);
        }
        self.table.put(slot, q);
    }

    /// A signal that is held back has arrived: as a message it stays held back, but whatever the process does about links, monitors and aliases
    /// from now on, it will find it. Does nothing to an exit signal that is no message to it.
    pub fn let_arrive(&mut self, pid: log_format::Pid, tag: Tag) {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(mut q) = self.table.take(slot) else { return };
        self.let_arrive_at(&mut q, tag);
        self.table.put(slot, q);
    }

    /// The same for a process that is at hand.
    pub(crate) fn let_arrive_at(&mut self, q: &mut Process<O::Log>, tag: Tag) {
        if self.held_back.is_some()
            && q.pool.get(&tag).is_some_and(|signal| is_message(signal, q.trap_exit))
            && let Some(signal) = q.pool.remove(&tag)
            && let Settled::Message(message) = self.take_effect(q, tag, signal)
        {
            q.pool.insert(tag, Signal::Message(message));
        }
    }

    /// Takes away a message that has arrived and is held back. True if there was one.
    pub(crate) fn unhold(&self, q: &mut Process<O::Log>, tag: Tag) -> bool {
        let arrived = matches!(q.pool.get(&tag), Some(Signal::Message(_)));
        self.held_back.is_some() && arrived && q.pool.remove(&tag).is_some()
    }

    /// The timeout of the receive in which this process waits, in milliseconds, and when it is over.
    #[must_use]
    pub fn timeout(&self, pid: log_format::Pid) -> Option<(u64, u64)> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        match p.label {
            Some(crate::process::Label::Receive(Timeout::Millis(ms))) if p.state == State::Waiting => {
                Some((ms, p.deadline?))
            }
            _ => None,
        }
    }

    /// Holds a message back again that has not been received. True if there was one.
    pub fn withdraw(&mut self, pid: log_format::Pid, tag: Tag) -> bool {
        let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return false;
        };
        let Some(message) = p.machine.mailbox.remove(ids::pack(tag)) else {
            return false;
        };
        p.pool.insert(tag, Signal::Message(message));
        true
    }

    /// Is this signal held back still?
    #[must_use]
    pub fn is_held(&self, pid: log_format::Pid, tag: Tag) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.pool.get(&tag).is_some())
    }

    /// The message, or the reason of the exit signal, that is held back under this tag.
    #[must_use]
    pub fn held_content(&self, pid: log_format::Pid, tag: Tag) -> Option<&Fragment> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        Some(match p.pool.get(&tag)? {
            Signal::Message(message) | Signal::Aliased { message, .. } | Signal::Down { message, .. } => message,
            Signal::Exit { reason, .. } => reason,
        })
    }

    /// Does this process wait in a receive that can time out?
    #[must_use]
    pub fn can_time_out(&self, pid: log_format::Pid) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.is_some_and(|p| p.state == State::Waiting && p.deadline.is_some())
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

    /// Lets the receive in which this process waits time out, if it does so by then: it is as late then as it has to be. False if it does not.
    pub fn time_out_by(&mut self, pid: log_format::Pid, deadline: u64) -> bool {
        let Some((_, due)) = self.timeout(pid).filter(|(_, due)| *due < deadline) else {
            return false;
        };
        if let Clock::Virtual(now) = &mut self.clock {
            *now = (*now).max(due);
        }
        self.time_out(pid);
        true
    }

    fn wake_up(&mut self, slot: Slot, q: &mut Process<O::Log>) {
        q.state = State::Ready;
        self.scheduler.ready(slot);
        self.go_on();
    }

    /// Something can happen again.
    fn go_on(&mut self) {
        if self.end == Some(RunEnd::Quiescent) {
            self.end = None;
        }
    }

    /// The receive that times out first of all, and when.
    fn first_timeout(&self) -> Option<(u64, Pid)> {
        let polls = self.table.iter().filter(|p| p.state == State::Waiting);
        polls.filter_map(|p| Some((p.deadline?, p.pid))).min()
    }

    /// Who times out if time passes; none if a timer comes first, or nothing.
    #[must_use]
    pub fn next_timeout(&self) -> Option<log_format::Pid> {
        let (deadline, pid) = self.first_timeout()?;
        let first = self.timers.next().is_none_or(|timer| deadline <= timer);
        first.then(|| ids::to_log(pid))
    }

    /// Who gets the message of a timer if time passes, and its tag; none if a receive times out first, or nothing is due.
    #[must_use]
    pub fn next_timer(&self) -> Option<(log_format::Pid, Tag)> {
        let message = self.timers.next_message()?;
        let first = self
            .first_timeout()
            .is_none_or(|(deadline, _)| self.timers.next() <= Some(deadline));
        let to = match message.to {
            crate::timers::To::Pid(pid) => pid,
            crate::timers::To::Name(name) => self.resources.holder(name)?,
        };
        first.then(|| (ids::to_log(to), message.tag))
    }

    /// Sets a virtual clock: a caller that keeps a time of its own for every process tells it before each of their steps.
    pub fn set_clock(&mut self, nanoseconds: u64) {
        if let Clock::Virtual(now) = &mut self.clock {
            *now = nanoseconds;
        }
    }

    /// The timer of a message that expires first, and when, whatever receives time out before.
    #[must_use]
    pub fn next_message_timer(&self) -> Option<(u64, Tag)> {
        self.timers.first_message()
    }

    /// Lets time pass up to the next timer or timeout. False if there is none.
    pub fn pass_time(&mut self) -> bool {
        let first = self.first_timeout();
        let timer = self.timers.next();
        let Some(next) = first.map(|(deadline, _)| deadline).into_iter().chain(timer).min() else {
            return false;
        };
        if let Clock::Virtual(now) = &mut self.clock {
            *now = (*now).max(next);
        }
        self.go_on();
        match first {
            // A receive with `after 0` has no timer.
            Some((deadline, pid)) if timer.is_none_or(|timer| deadline < timer) => self.time_out(ids::to_log(pid)),
            _ => self.fire_timers(),
        }
        true
    }

    /// Is a timer set whose message has this tag?
    #[must_use]
    pub fn timer_is_set(&self, by: log_format::Pid, k: SendNo) -> bool {
        self.timers.has(Tag::Sent { by, k })
    }

    /// Lets the timer expire whose message has this tag, if it is due by then: it is as late then as it is due. False if it is not.
    pub fn expire_by(&mut self, tag: Tag, deadline: u64) -> bool {
        let Some(due) = self.timers.due(tag).filter(|due| *due <= deadline) else {
            return false;
        };
        if let Clock::Virtual(now) = &mut self.clock {
            *now = (*now).max(due);
        }
        self.expire(tag)
    }

    /// Lets the timer expire whose message has this tag, whenever it is due. False if there is none.
    pub fn expire(&mut self, tag: Tag) -> bool {
        let Some(timer) = self.timers.take(tag) else {
            return false;
        };
        self.go_on();
        self.expired(timer);
        true
    }
}
