//! User-driven mode (semantics.md §7 and §10): a process that has used up its log goes on by single steps that somebody asks for.
//!
//! A process never leaves its log for good: it makes one step without it, the observer sees which action that was, and it stands again
//! after the last action of a log that is one longer. So whatever was done beyond a log is undone and done again like the log itself.
//! Signals wait in the pool of their receiver until a receive is told to take one, or an exit signal to take effect. A mailbox has no
//! order here: which choices an order of arrival explains is for the caller to see to.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference, Term};
use interpreter::vm::{Stop, Timeout};
use log_format::{Action, Kind, Tag};

use crate::feed::{LogSource, Tail};
use crate::ids;
use crate::observer::{Detail, Observer};
use crate::process::{Label, Lookup, Process, Signal, State};
use crate::scheduler::mix;
use crate::system::{After, Clock, System, as_message, exit_reason, is_message, pending_exit};

/// Pids below this are dense; above it they are drawn.
const DENSE: u64 = 1 << 24;
/// Numbers of pids have so many bits.
const PID_BITS: u32 = 40;
/// Counted events in which the guards of a receive can be evaluated once.
const GUARDS: u32 = 1_000_000;

/// How the processes of a system go on beyond their logs.
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    seed: u64,
    /// Pids up to this one are of the recording.
    last_recorded: u64,
    /// The process that makes one step, and its actions before.
    one: Option<(Pid, u64)>,
}

impl Driven {
    pub(crate) fn is_done(&self, pid: Pid, actions: u64) -> bool {
        self.one.is_some_and(|(one, before)| one == pid && actions > before)
    }
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

impl<O: Observer> System<O> {
    /// From now on processes that have used up their logs can be driven. Random numbers are a function of the seed and of who asks.
    pub fn be_driven(&mut self, seed: u64) {
        if self.driven.is_none() {
            self.driven = Some(Driven {
                seed,
                last_recorded: self.plan.as_ref().map_or(0, crate::feed::Plan::last_recorded),
                one: None,
            });
        }
    }

    /// Replay: these are the logs from now on. Every process must have done all that was asked of it.
    pub fn follow(&mut self, source: Arc<dyn LogSource>) {
        let Some(plan) = &mut self.plan else { return };
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
            if let Some(feed) = &mut p.feed {
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

    /// A process that has used up its log runs silently on to what it would do next; none if it has not come to it within so many
    /// counted events, or is not there, or has not used up what was asked of it.
    pub fn look_ahead(&mut self, pid: log_format::Pid, budget: u32) -> Option<Label> {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return None;
        };
        let mut p = self.table.take(slot)?;
        let rests = p.feed.as_ref().is_some_and(crate::feed::Feed::is_done);
        if rests && p.label.is_none() {
            self.end = None;
            if let Some(feed) = &mut p.feed {
                feed.set_tail(Tail::RunOn);
            }
            self.run_process(&mut p, budget);
            if let Some(feed) = &mut p.feed {
                feed.set_tail(Tail::Stop);
            }
            self.count_words(&mut p);
            p.state = State::Frozen;
        }
        let label = p.label.filter(|_| rests);
        self.table.put(slot, p);
        label
    }

    /// A process that has used up its log makes its next step by itself, unless that is a receive.
    pub fn drive(&mut self, pid: log_format::Pid, budget: u32) -> Drove {
        match self.look_ahead(pid, budget) {
            Some(Label::Receive(timeout)) => return Drove::Waits(timeout),
            Some(Label::Native(_) | Label::End) => {}
            None => {
                let rests = self.rests(pid);
                return if rests { Drove::Running } else { Drove::Refused };
            }
        }
        self.by_itself(pid, |system, p| system.run_process(p, budget))
    }

    /// An exit signal that has been sent to a process takes effect where the process stands.
    pub fn end_by(&mut self, pid: log_format::Pid, tag: Tag) -> Drove {
        let deadly = self.deadly(pid);
        if !deadly.contains(&tag) {
            return Drove::Refused;
        }
        self.by_itself(pid, |system, p| {
            let Some(Signal::Exit { reason, link, .. }) = p.pool.remove(&tag) else {
                return After::Parked(State::Frozen);
            };
            let waiting = matches!(p.label, Some(Label::Receive(_)));
            system.end_by_signal(p, tag, exit_reason(&reason, link), waiting);
            After::Ended
        })
    }

    fn rests(&self, pid: log_format::Pid) -> bool {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.and_then(|p| p.feed.as_ref()).is_some_and(crate::feed::Feed::is_done)
    }

    fn by_itself(
        &mut self,
        pid: log_format::Pid,
        step: impl FnOnce(&mut Self, &mut Process<O::Log>) -> After,
    ) -> Drove {
        let Lookup::Alive(slot) = self.table.find(Pid::new(0, pid.0)) else {
            return Drove::Refused;
        };
        let Some(mut p) = self.table.take(slot) else {
            return Drove::Refused;
        };
        let Some(feed) = p.feed.take_if(|feed| feed.is_done()) else {
            self.table.put(slot, p);
            return Drove::Refused;
        };
        let before = p.actions;
        if let Some(driven) = &mut self.driven {
            driven.one = Some((p.pid, before));
        }
        // A line of input is read at once: the simulated outside has none.
        p.may_read = true;
        self.end = None;
        let after = step(self, &mut p);
        if let Some(driven) = &mut self.driven {
            driven.one = None;
        }
        self.take_incoming(&mut p);
        self.count_words(&mut p);
        p.may_read = false;
        let acted = p.actions - before;
        if let After::Ended = after {
            self.bury(slot, *p);
            return Drove::Acted;
        }
        p.feed = Some(feed.moved_by(acted));
        p.state = State::Frozen;
        let label = p.label;
        self.table.put(slot, p);
        match (acted, label) {
            (0, Some(Label::Receive(timeout))) => Drove::Waits(timeout),
            (0, _) => Drove::Running,
            _ => Drove::Acted,
        }
    }

    /// A process that has used up its log does this next: a receive of a message that has been sent to it, or a timeout.
    pub fn instruct(&mut self, pid: log_format::Pid, action: Action) {
        self.end = None;
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = p.feed.as_mut().filter(|feed| feed.is_done()) else {
            return;
        };
        feed.instruct(action);
        p.state = State::Ready;
        self.scheduler.ready(slot);
    }

    // ---- what can be chosen ------------------------------------------------------------------------------------------

    /// The messages that have been sent to a process, in the order of their tags: those that would be dropped where they arrive are not
    /// among them.
    #[must_use]
    pub fn messages(&self, pid: log_format::Pid) -> Vec<(Tag, Fragment)> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        let own = p.pool.iter().filter(|(_, signal)| is_welcome(p, signal));
        let named = self.resources.afloat.iter();
        let named = named.filter(|(_, (_, name))| self.resources.holder(*name) == Some(p.pid));
        let named = named.map(|(tag, (signal, _))| (*tag, signal));
        let mut all: Vec<(Tag, Fragment)> = own
            .chain(named)
            .map(|(tag, signal)| (tag, as_message(signal.clone())))
            .collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        all
    }

    /// Which of these messages the receive takes in which a process waits; none if it waits in none.
    #[must_use]
    pub fn takes(&self, pid: log_format::Pid, messages: &[(Tag, Fragment)]) -> Vec<Tag> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        if !matches!(p.label, Some(Label::Receive(_))) {
            return Vec::new();
        }
        let mut taken = Vec::new();
        let mut machine = p.machine.clone();
        for (tag, message) in messages {
            machine.deliver(ids::pack(*tag), message.clone());
            match machine.run(&self.program, GUARDS) {
                Stop::Received(_) => {
                    taken.push(*tag);
                    machine = p.machine.clone();
                }
                _ => {
                    machine.mailbox.remove(ids::pack(*tag));
                }
            }
        }
        taken
    }

    /// Exit signals that have been sent to a process and would end it.
    #[must_use]
    pub fn deadly(&self, pid: log_format::Pid) -> Vec<Tag> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        let mut tags: Vec<Tag> = p.pool.iter().filter(|(_, s)| is_deadly(p, s)).map(|(t, _)| t).collect();
        tags.sort_unstable();
        tags
    }

    /// Has a message of the pool arrived for certain: is it the process's own, or has a later signal of its sender been consumed?
    /// Timers are senders of their own.
    #[must_use]
    pub fn has_arrived(&self, p: &Process<O::Log>, tag: Tag) -> bool {
        if self.resources.timed.contains_key(&tag) {
            return false;
        }
        let Some(by) = tag.sender() else { return false };
        match tag {
            _ if by == ids::to_log(p.pid) => true,
            Tag::Sent { k, .. } => p.reached.get(by).is_some_and(|last| k.0 < last),
            // The signals of an end have no order among themselves.
            _ => false,
        }
    }

    /// After how many milliseconds the message of a timer was to come; none if it is no such message or has been consumed.
    #[must_use]
    pub fn timed(&self, tag: Tag) -> Option<u64> {
        self.resources.timed.get(&tag).map(|(_, after)| *after)
    }

    /// What an observation of the mailbox sees beyond the log: what has arrived for certain.
    pub(crate) fn arrived(&self, p: &Process<O::Log>) -> Vec<Fragment> {
        let mut all: Vec<(Tag, &Signal)> = p
            .pool
            .iter()
            .filter(|(tag, signal)| is_welcome(p, signal) && self.has_arrived(p, *tag))
            .collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        all.into_iter().map(|(_, signal)| as_message(signal.clone())).collect()
    }

    /// Replay: a signal was consumed, so that earlier ones of its sender have arrived.
    #[inline]
    pub(crate) fn note_arrival(&mut self, p: &mut Process<O::Log>, tag: Tag) {
        if !self.resources.timed.is_empty() && self.resources.timed.remove(&tag).is_some() {
            if let Tag::Sent { by, k } = tag
                && by != ids::to_log(p.pid)
            {
                let last = self.timers_reached.entry(by).or_default();
                *last = k.0.max(*last);
            }
            return;
        }
        let (by, k) = match tag {
            Tag::Sent { by, k } => (by, k.0),
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => (by, u64::MAX),
            Tag::Limit { .. } => return,
        };
        p.reached.note(by, k);
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

    // ---- steps beyond the log ----------------------------------------------------------------------------------------

    /// Signals of a process to another take effect before it looks whether the other one lives.
    pub(crate) fn due_from(&mut self, from: Pid, to: Pid) {
        let by = ids::to_log(from);
        let Some((_, q)) = self.table.by_pid_mut(to) else {
            return;
        };
        let due = |(tag, signal): (Tag, &Signal)| {
            let sent = matches!(tag, Tag::Sent { by: sender, .. } if sender == by);
            (sent && is_deadly(q, signal)).then_some(tag)
        };
        if let Some(tag) = q.pool.iter().filter_map(due).min()
            && let Some(Signal::Exit { from, reason, link }) = q.pool.remove(&tag)
        {
            q.pending = Some(Box::new(pending_exit(tag, from, reason, link)));
        }
    }

    /// The number of a process's j-th child: a function of the two alone, so that no order of independent steps changes it.
    pub(crate) fn number_of_child(&self, parent: Pid, j: u64) -> u64 {
        let base = self.driven.as_ref().map_or(0, |driven| driven.last_recorded);
        let mut number = number_of_child(base, parent.number(), j);
        // Two drawn numbers meet about never; if they do, the later one takes the next.
        while self.table.find(Pid::new(0, number)) != Lookup::Unborn {
            number = number % ((1 << PID_BITS) - 1) + 1;
        }
        number
    }

    pub(crate) fn driven_seed(&self, pid: Pid, actions: u64) -> u64 {
        let seed = self.driven.as_ref().map_or(0, |driven| driven.seed);
        mix(mix(seed ^ mix(pid.number())).wrapping_add(actions))
    }

    /// `cancel_timer` beyond the log: a timer whose message was not received has not expired.
    pub(crate) fn cancel_driven(&mut self, p: &mut Process<O::Log>, reference: Reference, sends: u32) -> Option<i64> {
        let found = self.timed_for(p, reference);
        let left = found.map(|(_, after)| i64::try_from(after).unwrap_or(i64::MAX));
        let tag = found.map(|(tag, _)| tag);
        if let Some(tag) = tag {
            self.drop_afloat(tag);
            p.pool.remove(&tag);
        }
        let value = left.map_or_else(Vec::new, |left| left.to_le_bytes().to_vec());
        self.commit(p, Kind::Drop { tag, value }, sends, Detail::None);
        left
    }

    /// Beyond the log: the message of a timer that is set, and in how many milliseconds it comes. What was for a process that has ended is
    /// nowhere.
    pub(crate) fn timed_for(&self, p: &Process<O::Log>, reference: Reference) -> Option<(Tag, u64)> {
        let mut timed = self.resources.timed.iter();
        let set = |tag: &Tag| {
            self.resources.afloat.contains_key(tag)
                || p.pool.contains(tag)
                || self.table.iter().any(|q| q.pool.contains(tag))
        };
        timed.find_map(|(tag, (own, after))| (*own == reference && set(tag)).then_some((*tag, *after)))
    }
}

impl<L> Process<L> {
    /// Replay: the signals that have been sent to it and were neither consumed nor dropped where they arrived, by tag. When a message came to an
    /// alias, or a 'DOWN', is not recorded: what would be dropped if it came now is not among them, nor a second message to an alias that takes one.
    #[must_use]
    pub fn waiting(&self) -> Vec<(Tag, &Signal)> {
        let mut all: Vec<(Tag, &Signal)> = self.pool.iter().collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        let mut answered = rustc_hash::FxHashSet::default();
        all.retain(|(tag, signal)| match *signal {
            Signal::Message(_) | Signal::Exit { .. } => true,
            Signal::Down { .. } => is_welcome(self, signal),
            Signal::Aliased { alias, .. } => {
                use crate::process::AliasMode::{Reply, ReplyDemonitor};
                let takes_one = matches!(self.rare.aliases.get(alias), Some(Reply | ReplyDemonitor));
                is_welcome(self, signal) && (!takes_one || answered.insert((*alias, tag.sender())))
            }
        });
        all
    }
}

/// Would this signal become a message if it arrived now?
fn is_welcome<L>(p: &Process<L>, signal: &Signal) -> bool {
    match signal {
        Signal::Message(_) => true,
        Signal::Aliased { alias, .. } => {
            let mode = p.rare.aliases.get(alias);
            mode.is_some_and(|mode| *mode != crate::process::AliasMode::Spent)
        }
        Signal::Down { monitor, .. } => p.rare.monitors.get(monitor).is_some_and(|m| !m.over),
        Signal::Exit { from, link, .. } => is_message(signal, p.trap_exit) && (!link || p.rare.links.contains(from)),
    }
}

/// Would it end the process?
fn is_deadly<L>(p: &Process<L>, signal: &Signal) -> bool {
    let Signal::Exit { from, reason, link } = signal else {
        return false;
    };
    if is_message(signal, p.trap_exit) || (*link && !p.rare.links.contains(from)) {
        return false;
    }
    let normal = reason.as_immediate() == Some(Term::atom(Atom::NORMAL));
    !normal || *from == p.pid
}

/// See [`System::number_of_child`]: the pairs are counted diagonally as long as the numbers are small, then drawn.
fn number_of_child(base: u64, parent: u64, j: u64) -> u64 {
    let diagonal = u128::from(parent) + u128::from(j) - 1;
    let place = (diagonal - 1) * diagonal / 2 + u128::from(parent);
    let dense = u128::from(base) + place;
    match u64::try_from(dense) {
        Ok(number) if number < DENSE => number + 1,
        _ => {
            let drawn = mix(mix(parent) ^ j.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> (64 - PID_BITS + 1);
            DENSE.max(base) + 1 + drawn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_children_are_different_and_above_the_recording() {
        let mut seen = rustc_hash::FxHashMap::default();
        for base in [1, 40] {
            seen.clear();
            // Children of the recorded ones, and their children.
            let mut parents: Vec<u64> = (1..=base).collect();
            for _ in 0..3 {
                let mut next = Vec::new();
                for parent in parents {
                    for j in 1..=6 {
                        let number = number_of_child(base, parent, j);
                        assert!(number > base && number < 1 << PID_BITS);
                        assert_eq!(seen.insert(number, (parent, j)), None, "child {j} of {parent}");
                        next.push(number);
                    }
                }
                parents = next;
            }
        }
    }
}
