//! User-driven mode (semantics.md §7 and §10): a process that has used up its log goes on by single steps that somebody asks for.
//!
//! A process never leaves its log for good: it makes one step without it, the observer sees which action that was, and it stands again
//! after the last action of a log that is one longer. So whatever was done beyond a log is undone and done again like the log itself.
//! Signals wait in the pool of their receiver until a receive is told to take one, or an exit signal to take effect. A mailbox has no
//! order here: which choices an order of arrival explains is for the caller to see to.

mod choices;
mod numbers;

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::term::Pid;
use interpreter::vm::Timeout;
use log_format::{Action, Tag};

use crate::feed::{LogSource, Tail};
use crate::ids;
use crate::mode::{Mode, Purpose};
use crate::observer::Observer;
use crate::process::{Label, Lookup, Process, Signal, State};
use crate::settings::Clock;
use crate::signals::exit_reason;
use crate::step::After;
use crate::system::System;
use crate::world::World;

/// Counted events in which the guards of a receive can be evaluated once.
const GUARDS: u32 = 1_000_000;

/// How the processes of a system go on beyond their logs.
#[derive(Clone, Debug)]
pub(crate) struct Beyond {
    seed: u64,
    /// Pids up to this one are of the recording.
    last_recorded: u64,
}

/// What came of asking a process for a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drove {
    /// It has done an action (or the end of another process, which that needs).
    Acted,
    /// It waits in this receive: somebody must choose.
    Waits(Timeout),
    /// It runs on without an action; its budget is used up.
    Running,
    /// Its log is not used up, or there is no such process.
    Refused,
}

/// A virtual clock and a counter of unique integers: both only ever grow in a session, whatever is undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// Nanoseconds of the run's clock.
    pub clock: u64,
    /// The last unique integer.
    pub unique: i64,
}

impl World {
    /// From now on processes that have used up their logs can be driven. Random numbers are a function of the seed and of who asks.
    pub fn be_driven(&mut self, seed: u64) {
        if let Purpose::Replay { plan, beyond } = &mut self.purpose {
            beyond.get_or_insert_with(|| Beyond {
                seed,
                last_recorded: plan.last_recorded(),
            });
        }
    }

    /// Replay: these are the logs from now on. Every process must have done all that was asked of it.
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
        for p in self.table.iter_mut() {
            let pid = ids::to_log(p.pid);
            if let Some(feed) = p.mode.feed_mut() {
                feed.follow(plan, pid);
            }
        }
    }

    /// Sets the clock and the counter that the next step sees; answers what they are now.
    pub fn refresh(&mut self, fresh: Fresh) -> Fresh {
        let Clock::Virtual(now) = &mut self.clock else {
            return fresh;
        };
        *now = fresh.clock.max(*now);
        self.unique = fresh.unique.max(self.unique);
        Fresh {
            clock: *now,
            unique: self.unique,
        }
    }

    pub(crate) fn rests(&self, pid: log_format::Pid) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.and_then(|p| p.mode.feed()).is_some_and(crate::feed::Feed::is_done)
    }

    /// A process that has used up its log does this next: a receive of a message that has been sent to it, or a timeout.
    pub fn instruct(&mut self, pid: log_format::Pid, action: Action) {
        self.end = None;
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = p.mode.feed_mut().filter(|feed| feed.is_done()) else {
            return;
        };
        feed.instruct(action);
        p.state = State::Ready;
        self.scheduler.ready(slot);
    }

    /// The names of the nodes so far, by [`log_format::Node`].
    #[must_use]
    pub fn node_names(&self) -> Vec<String> {
        self.nodes.names().iter().map(|name| name.as_str().to_owned()).collect()
    }

    /// Who holds a registered name of the first node now.
    #[must_use]
    pub fn holder_of(&self, name: &str) -> Option<log_format::Pid> {
        let at = self.resources.texts().iter().position(|text| text == name)?;
        let id = log_format::TextId(u32::try_from(at).ok()?);
        self.resources.holder(log_format::Resource::Name(id)).map(ids::to_log)
    }
}

impl<O: Observer> System<O> {
    /// A process that has used up its log runs silently on to what it would do next; none if it has not come to it within so many
    /// counted events, or is not there, or has not used up what was asked of it.
    pub fn look_ahead(&mut self, pid: log_format::Pid, budget: u32) -> Option<Label> {
        let Lookup::Alive(slot) = self.world.table.find(Pid::new(0, pid.0)) else {
            return None;
        };
        let mut p = self.world.table.take(slot)?;
        let rests = p.mode.is_done();
        if rests && p.label.is_none() {
            self.world.end = None;
            if let Some(feed) = p.mode.feed_mut() {
                feed.set_tail(Tail::RunOn);
            }
            self.turn(&mut p, budget);
            if let Some(feed) = p.mode.feed_mut() {
                feed.set_tail(Tail::Stop);
            }
            self.world.count_words(&mut p);
            p.state = State::Frozen;
        }
        let label = p.label.filter(|_| rests);
        self.world.table.put(slot, p);
        label
    }

    /// A process that has used up its log makes its next step by itself, unless that is a receive.
    pub fn drive(&mut self, pid: log_format::Pid, budget: u32) -> Drove {
        match self.look_ahead(pid, budget) {
            Some(Label::Receive(timeout)) => return Drove::Waits(timeout),
            Some(Label::Native(_) | Label::End) => {}
            None => {
                let rests = self.world.rests(pid);
                return if rests { Drove::Running } else { Drove::Refused };
            }
        }
        self.by_itself(pid, |system, p| system.turn(p, budget))
    }

    /// An exit signal that has been sent to a process takes effect where the process stands.
    pub fn end_by(&mut self, pid: log_format::Pid, tag: Tag) -> Drove {
        let deadly = self.world.deadly(pid);
        if !deadly.contains(&tag) {
            return Drove::Refused;
        }
        self.by_itself(pid, |system, p| {
            let Some(Signal::Exit { reason, link, .. }) = p.pool.remove(&tag) else {
                return After::Parked(State::Frozen);
            };
            let waiting = matches!(p.label, Some(Label::Receive(_)));
            system.step(p, |step| step.end_by_signal(tag, exit_reason(&reason, link), waiting));
            After::Ended
        })
    }

    pub(crate) fn by_itself(
        &mut self,
        pid: log_format::Pid,
        step: impl FnOnce(&mut Self, &mut Process) -> After,
    ) -> Drove {
        let Lookup::Alive(slot) = self.world.table.find(Pid::new(0, pid.0)) else {
            return Drove::Refused;
        };
        let Some(mut p) = self.world.table.take(slot) else {
            return Drove::Refused;
        };
        let before = p.actions;
        let feed = match std::mem::replace(&mut p.mode, Mode::Beyond { before }) {
            Mode::Follow(feed) if feed.is_done() => feed,
            mode => {
                p.mode = mode;
                self.world.table.put(slot, p);
                return Drove::Refused;
            }
        };
        // A line of input is read at once: the simulated outside has none.
        p.may_read = true;
        self.world.end = None;
        let after = step(self, &mut p);
        self.step(&mut p, |step| step.take_incoming());
        self.world.count_words(&mut p);
        p.may_read = false;
        let acted = p.actions - before;
        if let After::Ended = after {
            let (world, mut watch) = self.parts();
            world.bury(&mut watch, *p);
            return Drove::Acted;
        }
        p.mode = Mode::Follow(feed.moved_by(acted));
        p.state = State::Frozen;
        let label = p.label;
        self.world.table.put(slot, p);
        match (acted, label) {
            (0, Some(Label::Receive(timeout))) => Drove::Waits(timeout),
            (0, _) => Drove::Running,
            _ => Drove::Acted,
        }
    }
}
