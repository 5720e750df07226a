//! What happens when the machine stops.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::{Implementation, NativeClass};
use interpreter::otp;
use interpreter::vm::{NativeId, Stop};
use log_format::Tag;

use crate::ids;
use crate::ops::{Operation, by_number};
use crate::scheduler::Grain;
use crate::settings::RunEnd;
use crate::state::feed::Divergence;
use crate::state::mode::Decides;
use crate::state::process::{Label, ProcessActivity};
use crate::step::{After, Interrupt, Step};
use crate::world::World;

/// What to do with the label at which the machine stopped.
pub(crate) enum Before {
    /// It has been handled; the process goes on.
    Done,
    /// The slice is over.
    Over(After),
    /// It must be performed now. `doomed`: if it is a receive, an exit signal then ends the process.
    Next { doomed: bool },
}

impl Step<'_> {
    /// Handles what comes before the label: the end of the log, or of the process by an exit signal.
    pub(crate) fn before_stop(&mut self, stop: &Stop) -> Before {
        if self.process.mode.is_done() && !self.is_silent(stop) {
            return match self.runs_silently(stop) {
                true => Before::Done,
                false => Before::Over(self.rest_before(stop)),
            };
        }
        if let Some(tag) = self.ends_here()
            && !self.is_silent(stop)
        {
            if let Stop::Native { id, .. } = *stop {
                self.process.retry = Some(id);
            }
            return Before::Over(self.killed_by_log(tag, false));
        }
        if !self.is_doomed() {
            return Before::Next { doomed: false };
        }
        // A process that acts in every turn of a loop is never preempted between two actions. A receive is a point, too: right after it has
        // taken a message.
        let waiting = match stop {
            Stop::Received(tag) if self.comes_after_pending(ids::unpack(*tag)) => true,
            Stop::Received(_) => return Before::Next { doomed: true },
            Stop::Wait { .. } => true,
            stop if self.process.machine.events() > 0 && !self.world.silent(stop) => false,
            _ => return Before::Next { doomed: false },
        };
        Before::Over(self.end_by_pending(waiting))
    }

    /// Has the sender of a message sent the pending exit signal before it? Then the process ends instead of receiving the message.
    fn comes_after_pending(&self, message: Tag) -> bool {
        match (self.process.pending.as_deref().map(|pending| pending.tag), message) {
            (Some(Tag::Sent { by, k }), Tag::Sent { by: sender, k: later }) => by == sender && k < later,
            _ => false,
        }
    }

    /// The pending exit signal takes effect.
    pub(crate) fn end_by_pending(&mut self, waiting: bool) -> After {
        if let Some(pending) = self.process.pending.take() {
            self.end_by_signal(pending.tag, pending.reason, waiting);
        }
        After::Ended
    }

    /// Replay: the process ran on beyond its last action and has reached a step that is not silent. If more is requested later, it goes on with
    /// that.
    pub(crate) fn rest_before(&mut self, stop: &Stop) -> After {
        self.process.label = match *stop {
            Stop::Native { id, .. } => {
                self.process.retry = Some(id);
                Some(Label::Native(id))
            }
            Stop::Wait { timeout } => Some(Label::Receive(timeout)),
            Stop::Which(module) => Some(Label::Version(module)),
            _ => Some(Label::End),
        };
        After::Parked(ProcessActivity::Frozen)
    }

    /// Performs the step for which the machine stopped. `left`: counted events left in the slice.
    #[inline(always)]
    pub(crate) fn carry_on(&mut self, stop: Stop, left: u32) -> Option<After> {
        match stop {
            Stop::Preempted => self.preempted(left),
            Stop::Observed => Some(After::Parked(ProcessActivity::Frozen)),
            Stop::Native { id, number } => {
                if self.world.grain == Grain::Natives && self.is_seen_before(id) {
                    return Some(After::Ready);
                }
                self.native = id;
                self.native(by_number(number))
            }
            Stop::Received(tag) => {
                let received = self.received(ids::unpack(tag));
                let interrupt = received.err()?;
                Some(self.interrupted_step(interrupt).unwrap_or(After::Ready))
            }
            Stop::Wait { timeout } => match self.waits(timeout) {
                Ok(after) => after,
                Err(interrupt) => Some(self.interrupted_step(interrupt).unwrap_or(After::Ready)),
            },
            Stop::Load(module) => {
                let loaded = self.load(module);
                self.take_incoming();
                self.interrupted_step(loaded.err()?)
            }
            Stop::Which(module) => {
                if self.is_seen_before_call() {
                    return Some(After::Ready);
                }
                let entered = self.enters(module);
                self.take_incoming();
                self.interrupted_step(entered.err()?)
            }
            Stop::Ended(end) => {
                if self.world.gated(self.process) {
                    self.process.ending = Some(Box::new(end));
                    return Some(After::Parked(ProcessActivity::Gated));
                }
                Some(self.ends(&end))
            }
        }
    }

    /// Must the scheduler see that the process stands at this native, before it runs? Then it is tried again in the next slice. An exit
    /// signal that has arrived takes effect at points that must not depend on the scheduler.
    #[cold]
    #[inline(never)]
    fn is_seen_before(&mut self, id: NativeId) -> bool {
        let native = self.world.program.native(id);
        let asks = match native.run {
            Implementation::System(number) => self.module_asked(&Stop::Native { id, number }).is_some(),
            Implementation::Pure(_) => false,
        };
        let is_seen = matches!(self.process.mode.decides(), Decides::Record)
            && self.process.pending.is_none()
            && (asks || native.class != NativeClass::Pure);
        if is_seen {
            self.process.retry = Some(id);
        }
        is_seen
    }

    /// Natives that charge end a slice early.
    pub(crate) fn preempted(&mut self, left: u32) -> Option<After> {
        let Some(order) = self.process.mode.order() else {
            return Some(After::Ready);
        };
        match order.ends_by_now(self.process.machine.events()) {
            Some(tag) => Some(self.killed_by_log(tag, false)),
            None => (left == 0).then_some(After::Ready),
        }
    }

    /// The process was in a native that is retried.
    pub(crate) fn retries(&mut self) -> Option<After> {
        if let Some(tag) = self.ends_here() {
            return Some(self.killed_by_log(tag, false));
        }
        let id = self.process.retry.take()?;
        let done = self.process.mode.is_done();
        if done && !self.may_retry(id) {
            // It saw a module, which was an action; what it says now logs nothing.
            if let Implementation::System(number) = self.world.program.native(id).run
                && self.runs_silently(&Stop::Native { id, number })
            {
                self.process.label = None;
                return None;
            }
            self.process.retry = Some(id);
            self.process.label = Some(Label::Native(id));
            return Some(After::Parked(ProcessActivity::Frozen));
        }
        self.native = id;
        self.process.label = None;
        match self.world.program.native(id).run {
            Implementation::System(number) => self.native(by_number(number)),
            Implementation::Pure(_) => None,
        }
    }

    /// Quota done, standing at a native: runs it if it logs nothing this time, because it fails or concerns only the process itself.
    pub(crate) fn runs_silently(&mut self, stop: &Stop) -> bool {
        let Stop::Native { id, number } = *stop else {
            return false;
        };
        let operation = by_number(number);
        if !operation.is_often_silent {
            return false;
        }
        self.native = id;
        match (operation.run)(self) {
            Ok(value) => self.process.machine.answer(value),
            Err(Interrupt::Raise(raise)) => self.process.machine.raise(raise),
            // It would be an action, which the log does not have.
            Err(_) => return false,
        }
        true
    }

    /// Performs a native that concerns only the process itself.
    pub(crate) fn goes_on(&mut self, id: NativeId) {
        self.native = id;
        let Implementation::System(number) = self.world.program.native(id).run else {
            return;
        };
        match (by_number(number).run)(self) {
            Ok(value) => self.process.machine.answer(value),
            Err(Interrupt::Raise(raise)) => self.process.machine.raise(raise),
            Err(_) => {}
        }
    }

    pub(crate) fn native(&mut self, operation: &Operation) -> Option<After> {
        if self.process.mode.stops_at_gates()
            && self.world.program.native(self.native).class != NativeClass::Pure
            && self.world.gated(self.process)
        {
            self.process.retry = Some(self.native);
            return Some(After::Parked(ProcessActivity::Gated));
        }
        let answer = self.traces_call().and_then(|()| (operation.run)(self));
        let after = match answer {
            Ok(value) => {
                self.process.machine.answer(value);
                None
            }
            Err(interrupt) => {
                // After a divergence, the next event of the log may wake the process, which then diverges again.
                if !matches!(interrupt, Interrupt::Raise(_) | Interrupt::Jumped | Interrupt::Yielded) {
                    self.process.retry = Some(self.native);
                }
                self.interrupted_step(interrupt)
            }
        };
        self.take_incoming();
        after
    }

    pub(crate) fn interrupted_step(&mut self, interrupt: Interrupt) -> Option<After> {
        match interrupt {
            Interrupt::Raise(raise) => {
                self.process.machine.raise(raise);
                None
            }
            Interrupt::Jumped | Interrupt::Again => None,
            Interrupt::Yielded => Some(After::Ready),
            Interrupt::Blocked(wanted) => Some(self.blocks(wanted)),
            Interrupt::Input => {
                self.world.asking.add_reader(self.process.pid);
                Some(After::Parked(ProcessActivity::WaitingInput))
            }
            Interrupt::Command => Some(After::Parked(ProcessActivity::WaitingInput)),
            Interrupt::Message => Some(After::Parked(ProcessActivity::Waiting)),
            Interrupt::Killed(tag) => Some(self.next().killed_waiting(tag)),
            Interrupt::Diverged(d) => Some(self.world.diverge(d)),
            Interrupt::Halted(code) => {
                match self.process.mode.decides() {
                    Decides::Record | Decides::Driven => self.world.end = Some(RunEnd::Halted(code)),
                    // The others go on to their last logged actions.
                    Decides::Follow(_) | Decides::Beyond { .. } => {}
                }
                Some(After::Parked(ProcessActivity::Frozen))
            }
        }
    }
    pub(crate) fn load(&mut self, module: Atom) -> Result<(), Interrupt> {
        if self.world.program.is_loaded(module) {
            self.missing();
            return Ok(());
        }
        self.loads_first(module, false)?;
        Ok(())
    }

    /// Loads the first code of a module. If there is none, the call at which the process stands looks in the code path, or is `undef`. `acted`: see
    /// [`Step::misses`].
    pub(crate) fn loads_first(&mut self, module: Atom, acted: bool) -> Result<bool, Interrupt> {
        match self.world.loader.load(module, Arc::make_mut(&mut self.world.program)) {
            Ok(true) => {
                self.world.table.renew_literals(self.world.program.literals());
                return Ok(true);
            }
            Ok(false) => {
                if !self.misses(module, acted)? {
                    self.missing();
                }
            }
            Err(error) => {
                self.world.outside.note(&error.to_string());
                self.process.machine.undefined();
            }
        }
        Ok(false)
    }

    /// The process calls a function that does not exist: `undef`; the observer is told if OTP has the function.
    pub(crate) fn missing(&mut self) {
        if let Some((module, function, arity)) = self.process.machine.pending_call()
            && let Some(known) = otp::known(self.world.program.release(), module.as_str(), function.as_str(), arity)
        {
            self.sink.missing((module, function, arity), known);
        }
        self.process.machine.undefined();
    }
}

impl World {
    /// Does a process that stopped in this way go on without an action?
    pub(crate) fn silent(&self, stop: &Stop) -> bool {
        match stop {
            Stop::Preempted | Stop::Observed | Stop::Load(_) | Stop::Which(_) => true,
            Stop::Native { id, .. } => self.program.native(*id).class == NativeClass::Pure,
            Stop::Wait { .. } | Stop::Received(_) | Stop::Ended(_) => false,
        }
    }
    pub(crate) fn diverge(&mut self, divergence: Box<Divergence>) -> After {
        self.divergence.get_or_insert(divergence);
        After::Parked(ProcessActivity::Blocked)
    }
}
