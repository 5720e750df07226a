//! A slice of one process: the loop that runs the machine.

use interpreter::vm::{self, Stop};
use log_format::{Kind, Tag};

use crate::ids;
use crate::ops::is_plain_send;
use crate::settings::{EVENT_NANOSECONDS, RunClock};
use crate::sink::{Sink, Steps};
use crate::state::process::{Process, ProcessActivity};
use crate::state::signal::Signal;
use crate::step::stop::Before;
use crate::step::{After, Step};
use crate::world::World;

/// The process that is running.
pub(crate) struct RunningTurn<'a> {
    pub world: &'a mut World,
    pub process: &'a mut Process,
    pub watch: &'a mut dyn Sink,
    /// [`Sink::steps`].
    pub steps: bool,
}

impl RunningTurn<'_> {
    /// A step of this process.
    #[inline(always)]
    fn step(&mut self) -> Step<'_> {
        Step::new(self.world, self.process, self.watch)
    }

    /// Runs the process for this many counted events, or until it waits or ends.
    pub fn run(&mut self, budget: u32) -> After {
        let mut left = budget;
        if let Some(after) = self.step().point() {
            return after;
        }
        if self.process.pending.is_some() && self.process.mode.log().is_none() {
            // It takes effect at the next point.
            left = left.min(1);
        }
        if let Some(end) = self.process.ending.take() {
            return self.step().ends(&end);
        }
        loop {
            // Most labels are reached by a process that nothing disturbs: no step is made for what is not there.
            let disturbed = self.process.is_disturbed();
            if disturbed && let Some(after) = self.step().between_labels() {
                return after;
            }
            if self.process.retry.is_some() {
                self.world.besides = None;
                if let Some(after) = self.step().retries() {
                    return after;
                }
                if self.is_to_stand() {
                    return After::Parked(ProcessActivity::Frozen);
                }
                continue;
            }
            let Some(stop) = self.execute(&mut left) else {
                return After::Ready;
            };
            let doomed = if self.process.is_disturbed() {
                match self.step().before_stop(&stop) {
                    Before::Done => continue,
                    Before::Over(after) => return after,
                    Before::Next { doomed } => doomed,
                }
            } else {
                false
            };
            let plain = match stop {
                Stop::Received(tag) => self.received_plainly(tag),
                Stop::Native { number, .. } => self.sent_plainly(number),
                _ => false,
            };
            if !plain && !matches!(stop, Stop::Wait { .. }) {
                self.world.besides = None;
            }
            if !plain && let Some(after) = self.step().carry_on(stop, left) {
                return after;
            }
            if doomed {
                return self.step().end_by_pending(false);
            }
            // What an action stores outside its own heap counts at once: a slice of thousands of actions could store gigabytes.
            if self.world.end.is_some() || self.world.is_at_test() || self.world.is_over_memory() {
                return After::Ready;
            }
            if self.is_to_stand() {
                return After::Parked(ProcessActivity::Frozen);
            }
            // An action costs as much as a counted event, and a slice may end after one: steps of others may come between any two actions.
            if self.process.standing && self.process.mode.log().is_none() {
                let cost = self.world.action_cost;
                if left <= cost {
                    return After::Ready;
                }
                left -= cost;
            }
        }
    }

    /// Runs the machine until it stops. `None` if memory has run out.
    #[inline(always)]
    fn execute(&mut self, left: &mut u32) -> Option<Stop> {
        let Self {
            world,
            process,
            watch,
            steps,
        } = self;
        let before = process.machine.events();
        let allowed = match process.mode.order() {
            Some(order) => order.run_at_most(before, *left),
            None => *left,
        };
        process.standing = false;
        process.label = None;
        let stop = if *steps && watch.watches(process.slot) {
            let mut steps = Steps {
                watch: &mut **watch,
                slot: process.slot,
            };
            process.machine.run_observed(&world.program, allowed, &mut steps)
        } else {
            process.machine.run(&world.program, allowed)
        };
        // The term in the `Stop` of an end is not moved by a collection.
        if world.limits.memory.is_some()
            && process.machine.heap.is_full()
            && (!matches!(stop, Stop::Ended(_)) || process.machine.heap.has_refused())
            && world.is_out_of_memory(Some(process))
        {
            return None;
        }
        let used = process.machine.events() - before;
        process.total_events += used;
        world.total_events += used;
        *left = left.saturating_sub(used as u32);
        if let RunClock::Virtual(now) = &mut world.clock {
            *now += used * EVENT_NANOSECONDS;
        }
        Some(stop)
    }

    /// Must a watched process that has just done an action stop right after it?
    #[inline(always)]
    fn is_to_stand(&mut self) -> bool {
        let Self {
            process, watch, steps, ..
        } = self;
        if !*steps || !process.standing || !watch.watches(process.slot) {
            return false;
        }
        // From here on, the observer sees the same as in a replay up to here.
        process.machine.forget_place();
        watch.acted(process.slot).is_break()
    }

    /// Fast path: the log says no more about the received message than its tag, and the observer needs only its number, as for most receives.
    /// False if [`Step::received`] must do it.
    #[inline(always)]
    fn received_plainly(&mut self, handle: vm::MessageTag) -> bool {
        let Self {
            world, process, watch, ..
        } = self;
        if process.rare.handed.is_some() || !process.rare.fired.is_empty() {
            return false;
        }
        let Some((by, k)) = ids::sent(handle) else { return false };
        let tag = Tag::Sent { by, k };
        let taken = match process.mode.order() {
            None => {
                let taken = watch.plain_rec_sent(process.slot, by, k);
                if taken {
                    world.note_consumed(process.pid, tag);
                }
                taken
            }
            Some(order) => {
                let is_next = order.takes_plainly(tag);
                let taken = is_next && world.resources.timed.is_empty() && watch.plain_rec(process.slot, tag);
                if taken {
                    let is_first = process.reached.note(by, k.0);
                    if is_first && watch.goes_back() {
                        world.told.note(by, ids::to_log(process.pid));
                    }
                }
                taken
            }
        };
        if !taken {
            return false;
        }
        process.deadline = None;
        process.expired = false;
        self.world.acted(self.process);
        true
    }

    /// Fast path: a message is sent to a process by its pid, and the observer needs no more than that, as for most sends. False if the native
    /// must be performed in the usual way.
    #[inline(always)]
    fn sent_plainly(&mut self, number: u16) -> bool {
        if !is_plain_send(number) || self.world.purpose.holds_signals_back() {
            return false;
        }
        let Self { process, watch, .. } = self;
        let &[to, message] = process.machine.args() else {
            return false;
        };
        let Some(to) = to.as_pid() else { return false };
        if crate::runtime::is_runtime(to) {
            return false;
        }
        let is_next = match process.mode.order() {
            None => true,
            Some(order) => order.is_next(|kind| matches!(kind, Kind::Send)),
        };
        if !is_next || !watch.plain_send(process.slot) {
            return false;
        }
        self.world.acted(self.process);
        let tag = self.process.next_tag();
        let message_out = self.process.machine.heap.export(message);
        self.step().deliver(to, tag, Signal::Message(message_out));
        self.process.machine.answer(message);
        true
    }
}
