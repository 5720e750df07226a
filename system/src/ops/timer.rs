//! Timers.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::term::{Reference, Term};
use log_format::{Kind, Tag};

use crate::observer::{Detail, Fact};
use crate::ops::{FALSE, OK, OpResult, Operation, badarg, badarg_because, badopt};
use crate::state::mode::Decides;
use crate::state::order::LogOrder;
use crate::state::process::Process;
use crate::state::resources::Timed;
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::step::{Interrupt, Step};
use crate::terms::{self, TuplePart};
use crate::world::World;
use crate::{ids, timers};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "send_after", 3, NativeClass::Effect, send_after),
    Operation::new("erlang", "send_after", 4, NativeClass::Effect, send_after),
    Operation::new("erlang", "start_timer", 3, NativeClass::Effect, start_timer),
    Operation::new("erlang", "start_timer", 4, NativeClass::Effect, start_timer),
    Operation::new("erlang", "cancel_timer", 1, NativeClass::Drop, cancel_timer),
    Operation::new("erlang", "cancel_timer", 2, NativeClass::Drop, cancel_timer),
    Operation::new("erlang", "read_timer", 1, NativeClass::Observe, read_timer),
    Operation::new("erlang", "read_timer", 2, NativeClass::Observe, read_timer),
];

fn send_after(step: &mut Step<'_>) -> OpResult {
    step.set_timer(false)
}

/// The message is `{timeout, Timer, Message}`.
fn start_timer(step: &mut Step<'_>) -> OpResult {
    step.set_timer(true)
}

fn cancel_timer(step: &mut Step<'_>) -> OpResult {
    let [reference, options] = step.args();
    let TermView::Reference(reference) = step.process.machine.heap.view(reference) else {
        return Err(badarg());
    };
    let (mut info, mut asynchronous) = (true, false);
    if options != Term::NONE {
        for option in step.process.machine.heap.list(options).ok_or_else(badarg)? {
            match step.process.machine.heap.tuple(option) {
                Some(&[key, value]) => {
                    let value = value.as_bool().ok_or_else(badarg)?;
                    match key.as_atom().map(Atom::as_str) {
                        Some("info") => info = value,
                        Some("async") => asynchronous = value,
                        _ => return Err(badarg()),
                    }
                }
                _ => return Err(badarg()),
            }
        }
    }
    // If it is too late to cancel a timer, its message is in the mailbox, as in OTP; programs rely on that.
    while let Some((_, tag, signal)) = step.world.flight.pop_timer(step.process.pid) {
        step.deliver(step.process.pid, tag, signal);
    }
    // The reply comes as a message.
    let sends = u32::from(asynchronous && info);
    let left = step.cancel_timer(reference, sends)?;
    if sends == 1 {
        step.answer_of_timer("cancel_timer", reference, left);
    }
    Ok(left_answer(step.process, left, info && !asynchronous))
}

fn read_timer(step: &mut Step<'_>) -> OpResult {
    let [timer, options] = step.args();
    let TermView::Reference(reference) = step.process.machine.heap.view(timer) else {
        return Err(badarg());
    };
    let mut asynchronous = false;
    if options != Term::NONE {
        for option in step.process.machine.heap.list(options).ok_or_else(badarg)? {
            match step.process.machine.heap.tuple(option) {
                Some(&[key, value]) if key.as_atom() == Some(Atom::new("async")) => {
                    asynchronous = value.as_bool().ok_or_else(badarg)?;
                }
                _ => return Err(badarg()),
            }
        }
    }
    let left = match step.process.mode.decides() {
        Decides::Beyond { .. } => {
            let set = step.timed_for(reference).filter(|(tag, _)| !step.has_fired(*tag));
            set.map(|(_, left)| left)
        }
        Decides::Follow(_) => None,
        Decides::Record | Decides::Driven => {
            let now = step.world.now();
            let timer = step.world.timer_set(reference);
            timer.map(|timer| timer.deadline.saturating_sub(now) / 1_000_000)
        }
    };
    let left = step.observe_and_send(None, u32::from(asynchronous), |_, heap| match left {
        Some(left) => heap.make_int(i64::try_from(left).unwrap_or(i64::MAX)),
        None => FALSE,
    })?;
    if left == FALSE {
        step.hears_of_timer(reference);
        if step.hears() {
            let by = step.last_action();
            let reference = (ids::to_log(reference.owner), reference.number);
            step.sink.learned(Fact::Cancelled { by, reference });
        }
    }
    if !asynchronous {
        return Ok(left);
    }
    step.answer_of_timer("read_timer", reference, left.as_small());
    Ok(OK)
}

impl Step<'_> {
    pub(crate) fn set_timer(&mut self, wrapped: bool) -> OpResult {
        let [time, to, message, options] = self.args();
        let time = time.as_small().ok_or_else(|| badarg_because("time"))?;
        let mut absolute = false;
        if options != Term::NONE {
            for option in self.process.machine.heap.list(options).ok_or_else(badopt)? {
                match self.process.machine.heap.tuple(option) {
                    Some(&[key, value]) if key.as_atom() == Some(Atom::new("abs")) => {
                        absolute = value.as_bool().ok_or_else(badopt)?;
                    }
                    _ => return Err(badopt()),
                }
            }
        }
        if time < 0 && !absolute {
            return Err(badarg_because("time"));
        }
        let to = match (to.as_pid(), to.as_atom()) {
            (Some(pid), _) => timers::To::Pid(pid),
            (_, Some(name)) => timers::To::Name(self.world.name_resource(name, self.process.pid.node())),
            _ => return Err(badarg()),
        };
        self.expect(|k| matches!(k, Kind::Send), || "set a timer".to_owned())?;
        self.process.machine.local.references += 1;
        let reference = Reference {
            owner: self.process.pid,
            number: self.process.machine.local.references,
        };
        let fragment = self.process.machine.heap.export(message);
        let body = if wrapped {
            terms::tuple(&[
                TuplePart::Term(Term::atom(Atom::TIMEOUT)),
                TuplePart::Reference(reference),
                TuplePart::Fragment(&fragment),
            ])
        } else {
            fragment
        };
        let tag = self.process.next_tag();
        let log_to = match to {
            timers::To::Pid(pid) => Some(ids::to_log(pid)),
            timers::To::Name(_) => None,
        };
        self.commit(Kind::Send, 1, Detail::Sent { to: log_to, message });
        let ms = u64::try_from(time).unwrap_or(0);
        match self.process.mode.decides() {
            // The log of the receiver says when the message arrives, if it does.
            Decides::Follow(_) | Decides::Beyond { .. } => {
                let after = match absolute {
                    true => self.world.run_clock_at(time).saturating_sub(self.world.now()) / 1_000_000,
                    false => ms,
                };
                let set = self.process.rare.past.waited;
                self.world.resources.timed.insert(tag, Timed { reference, after, set });
                if self.hears() {
                    self.sink.learned(Fact::Timer {
                        tag,
                        reference: (ids::to_log(reference.owner), reference.number),
                        ms: (!absolute).then_some(after),
                        after,
                    });
                }
                match to {
                    timers::To::Pid(pid) => self.deliver(pid, tag, Signal::Message(body)),
                    timers::To::Name(name) => {
                        self.world.resources.afloat.insert(tag, (Signal::Message(body), name));
                        self.world.wake_afloat(tag);
                    }
                }
            }
            Decides::Record | Decides::Driven => {
                self.world.note_send(self.process.pid, tag, self.process.sent);
                let now = self.world.now();
                let deadline = match absolute {
                    true => self.world.run_clock_at(time),
                    false => now.saturating_add(ms.saturating_mul(1_000_000)),
                };
                let message = timers::Message {
                    deadline,
                    to,
                    tag,
                    message: body,
                };
                let late = self.world.scheduler.lateness(self.process.pid.number());
                self.world.timers.add_message(reference, message, late);
            }
        }
        Ok(self.process.machine.heap.make_reference(reference))
    }

    /// `{cancel_timer | read_timer, Timer, Left | false}`, to the process itself.
    pub(crate) fn answer_of_timer(&mut self, word: &str, timer: Reference, left: Option<i64>) {
        let tag = self.process.next_tag();
        let left = left_answer(self.process, left, true);
        let left = self.process.machine.heap.export(left);
        let message = terms::tuple(&[
            TuplePart::Term(Term::atom(Atom::new(word))),
            TuplePart::Reference(timer),
            TuplePart::Fragment(&left),
        ]);
        self.deliver(self.process.pid, tag, Signal::Message(message));
        self.world.let_arrive_at(self.process, tag);
    }

    /// The process has just seen that a timer is not set any more: if it is one for itself, its message has arrived.
    fn hears_of_timer(&mut self, reference: Reference) {
        if self.world.purpose.keeps_the_past() {
            let fired = self.timed_for(reference).map(|(tag, _)| tag);
            let own = fired.filter(|tag| self.process.pool.contains(tag));
            self.process.has_got(own);
        }
    }

    /// Takes back the message of a timer; returns the milliseconds that were left. `sends`: number of signals of the step.
    pub(crate) fn cancel_timer(&mut self, reference: Reference, sends: u32) -> Result<Option<i64>, Interrupt> {
        self.expect(|k| matches!(k, Kind::Drop { .. }), || "cancel a timer".to_owned())?;
        let (tag, left) = match self.process.mode.decides() {
            Decides::Follow(feed) => {
                // The process itself has set the timer before.
                let drops = LogOrder::of(feed).drops(|_| true);
                let (tag, value) = drops.map_err(|held| self.held(held, "cancel a timer"))?;
                (tag, <[u8; 8]>::try_from(value).ok().map(i64::from_le_bytes))
            }
            Decides::Beyond { .. } => match self.timed_for(reference).filter(|(tag, _)| !self.has_fired(*tag)) {
                Some((tag, after)) => (Some(tag), Some(i64::try_from(after).unwrap_or(i64::MAX))),
                None => (None, None),
            },
            Decides::Record | Decides::Driven => {
                let now = self.world.now();
                let set = self.world.timer_set(reference).is_some();
                let cancelled = self.world.timers.cancel(reference).filter(|_| set);
                let left = |t: &timers::Message| (t.deadline.saturating_sub(now) / 1_000_000) as i64;
                (cancelled.as_ref().map(|t| t.tag), cancelled.as_ref().map(left))
            }
        };
        if let Some(tag) = tag
            && !self.process.mode.dies_of_signals()
        {
            self.world.drop_afloat(tag);
            self.process.pool.remove(&tag);
        }
        let value = left.map_or_else(Vec::new, |left| left.to_le_bytes().to_vec());
        self.commit(Kind::Drop { tag, value }, sends, Detail::None);
        if tag.is_none() {
            self.hears_of_timer(reference);
        }
        if self.hears() {
            let by = self.last_action();
            let reference = (ids::to_log(reference.owner), reference.number);
            self.sink.learned(Fact::Cancelled { by, reference });
        }
        Ok(left)
    }
}

pub(crate) fn left_answer(p: &mut Process, left: Option<i64>, info: bool) -> Term {
    if !info {
        return OK;
    }
    match left {
        Some(ms) => p.machine.heap.make_int(ms),
        None => FALSE,
    }
}

impl World {
    /// A timer that is set. If its process has ended, it has been cancelled.
    pub(crate) fn timer_set(&self, reference: Reference) -> Option<&timers::Message> {
        let dead = |message: &&timers::Message| match message.to {
            timers::To::Pid(pid) => matches!(self.table.find(pid), Lookup::Dead(_)),
            timers::To::Name(_) => false,
        };
        self.timers.find(reference).filter(|message| !dead(message))
    }

    /// Replay: removes a timer's message that is never received.
    pub(crate) fn drop_afloat(&mut self, tag: Tag) {
        self.resources.afloat.remove(&tag);
        self.resources.timed.remove(&tag);
        self.table.each_mut(
            |q| q.pool.contains(&tag),
            |q| {
                q.pool.remove(&tag);
            },
        );
    }
}
