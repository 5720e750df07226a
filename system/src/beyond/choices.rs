//! What a process can do next beyond its log.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Reference, Term};
use interpreter::vm::{self, Judge};
use log_format::Tag;

use crate::beyond::GUARDS;
use crate::ids;
use crate::signals::{as_message, is_message, pending_exit};
use crate::state::process::{Label, Process};
use crate::state::resources::Timed;
use crate::state::signal::Signal;
use crate::step::Step;
use crate::world::World;

impl Step<'_> {
    /// Replay: a signal was consumed, so earlier ones of its sender have arrived.
    #[inline]
    pub(crate) fn note_arrival(&mut self, tag: Tag) {
        if !self.process.rare.past.arrived.is_empty() {
            self.process.rare.past.arrived.remove(&tag);
        }
        if !self.world.resources.timed.is_empty()
            && let Some(timer) = self.world.resources.timed.remove(&tag)
        {
            let Tag::Sent { by, k } = tag else { return };
            if by == ids::to_log(self.process.pid) {
                let rang = timer
                    .set
                    .saturating_add(timer.after.saturating_mul(2))
                    .saturating_add(1);
                let past = &mut self.process.rare.past;
                past.waited = past.waited.max(rang);
                self.rings(0);
            } else {
                let last = self.world.timers_reached.entry(by).or_default();
                *last = k.0.max(*last);
            }
            return;
        }
        let (Some(by), Some(place)) = (tag.sender(), place_in_channel(tag)) else {
            return;
        };
        if self.process.reached.note(by, place) && self.sink.goes_back() {
            self.world.told.note(by, ids::to_log(self.process.pid));
        }
    }

    /// Beyond the log: the message of a timer that is set, and in how many milliseconds it fires. A timer for a process that has ended no
    /// longer exists.
    pub(crate) fn timed_for(&self, reference: Reference) -> Option<(Tag, u64)> {
        let mut timed = self.world.resources.timed.iter();
        let set = |tag: &Tag| {
            self.world.resources.afloat.contains_key(tag)
                || self.process.pool.contains(tag)
                || self.world.table.iter().any(|q| q.pool.contains(tag))
        };
        timed.find_map(|(tag, timer)| (timer.reference == reference && set(tag)).then_some((*tag, timer.after)))
    }

    /// Beyond the log: has this timer fired?
    pub(crate) fn has_fired(&self, tag: Tag) -> bool {
        let me = ids::to_log(self.process.pid);
        self.process.rare.past.arrived.contains_key(&tag) || self.world.was_let_arrive(me, tag)
    }

    /// Replay: a receive has timed out after so many milliseconds, while a timer was set.
    pub(crate) fn waits_for(&mut self, ms: u64) {
        let past = &mut self.process.rare.past;
        past.waited = past.waited.saturating_add(ms.saturating_mul(2));
        self.rings(1);
    }

    /// Replay: timers that a process has set for itself, and that are due because it has waited, have fired by its last action (or by this one:
    /// 0).
    fn rings(&mut self, last: u64) {
        let (me, at) = (ids::to_log(self.process.pid), self.process.actions + 1 - last);
        let timed = self.world.resources.timed.iter();
        let due = timed.filter(|(tag, timer)| tag.sender() == Some(me) && is_due(timer, self.process.rare.past.waited));
        let due: Vec<Tag> = due.map(|(tag, _)| *tag).collect();
        for tag in due {
            if self.process.pool.contains(&tag) {
                self.process.rare.past.arrived.get_or_insert_with(tag, || at);
            }
        }
    }
}

impl World {
    /// The messages that were sent to a process, in the order of their tags, without those that would be dropped on arrival.
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

    /// Is what a process can receive now told by the messages that were sent to it, by where it stands, and by what it knows of others? Then nothing that
    /// waits for it is dropped or comes first, and no timer, alias or monitor has a part in it: that it had turned one on or off before is nothing to
    /// numbered messages.
    #[must_use]
    pub fn waits_plainly(&self, p: &Process) -> bool {
        let past = &p.rare.past;
        let mut timed = self.resources.timed.iter();
        matches!(p.label, Some(Label::Receive(_)))
            && (p.pool.is_plain() || p.is_deaf_to_farewells() && p.pool.is_plain_without_farewells())
            && past.arrived.is_empty()
            && past.seen.is_empty()
            && !past.woken
            && self.resources.afloat.is_empty()
            && !timed.any(|(tag, _)| p.pool.contains(tag))
    }

    /// See [`crate::state::pool::Pool::changes`].
    pub fn changes_of_pool(&mut self, pid: log_format::Pid, since: u64) -> Option<(u64, Option<Vec<Tag>>)> {
        let (_, p) = self.table.by_pid_mut(Pid::new(0, pid.0))?;
        Some(p.pool.changes(since))
    }

    /// How many signals wait for a process, and how many for a name: what it can do next changes only with these, and with what it does.
    #[must_use]
    pub fn pending(&self, pid: log_format::Pid) -> (usize, usize) {
        let own = self.table.by_pid(Pid::new(0, pid.0)).map_or(0, |p| p.pool.len());
        (own, self.resources.afloat.len())
    }

    /// How many signals wait for a name.
    #[must_use]
    pub fn afloat(&self) -> usize {
        self.resources.afloat.len()
    }

    /// Would this message of the pool come before ordinary ones if it arrived now?
    #[must_use]
    pub fn is_urgent(&self, p: &Process, tag: Tag) -> bool {
        match p.pool.get(&tag) {
            Some(Signal::Aliased { alias, urgent, .. }) => *urgent && p.rare.urgent.contains(alias),
            Some(Signal::Down { monitor, .. }) => p.rare.urgent_downs.contains(monitor),
            Some(Signal::Exit { from, link, via, .. }) => match via {
                Some(via) => via.urgent && p.rare.urgent.contains(&via.alias),
                None => *link && p.rare.urgent_links.contains(from),
            },
            Some(Signal::Message(_)) | None => false,
        }
    }

    /// Which of these messages the current receive of a process takes; empty if it is not in a receive.
    #[must_use]
    pub fn takes(&self, pid: log_format::Pid, messages: &[(Tag, Fragment)]) -> Vec<Tag> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        if !matches!(p.label, Some(Label::Receive(_))) {
            return Vec::new();
        }
        let Some(mut judge) = Judge::of(&p.machine, &self.program) else {
            return Vec::new();
        };
        let taken = messages
            .iter()
            .filter(|(_, message)| judge.takes(&self.program, message.clone(), GUARDS));
        taken.map(|(tag, _)| *tag).collect()
    }

    /// Would a machine that stands in a receive take this message?
    #[must_use]
    pub fn would_take(&self, machine: &vm::Process, message: Fragment) -> bool {
        if machine.takes_everything(&self.program) {
            return true;
        }
        let judge = Judge::of(machine, &self.program);
        judge.is_some_and(|mut judge| judge.takes(&self.program, message, GUARDS))
    }

    /// The machine of a process that rests, as small as it can be.
    pub fn machine_of(&mut self, pid: log_format::Pid) -> Option<vm::Process> {
        let (_, p) = self.table.by_pid_mut(Pid::new(0, pid.0))?;
        p.machine.lend_stack(&self.program, &mut self.spare);
        // What a process has computed with since its last collection can be much more than what it needs.
        let mut machine = p.machine.clone();
        machine.pack(&self.program);
        Some(machine)
    }

    /// What a receive would see of a signal that waits for a process. `None`: there is none, or it would be dropped.
    #[must_use]
    pub fn welcome(&self, p: &Process, tag: Tag) -> Option<Fragment> {
        let signal = p.pool.get(&tag)?;
        is_welcome(p, signal).then(|| as_message(signal.clone()))
    }

    /// Exit signals that were sent to a process and would end it.
    #[must_use]
    pub fn deadly(&self, pid: log_format::Pid) -> Vec<Tag> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        if !p.pool.has_deadly() {
            return Vec::new();
        }
        let mut tags: Vec<Tag> = p.pool.iter().filter(|(_, s)| is_deadly(p, s)).map(|(t, _)| t).collect();
        tags.sort_unstable();
        tags
    }

    /// Must this message of the pool have arrived: is it the process's own, or has a later signal of its sender been consumed? Timers are
    /// senders of their own.
    #[must_use]
    pub fn has_arrived(&self, p: &Process, tag: Tag) -> bool {
        if p.rare.past.arrived.contains_key(&tag) || p.must_have_got(tag).is_some() {
            return true;
        }
        if self.resources.timed.contains_key(&tag) {
            return false;
        }
        let Some(by) = tag.sender() else { return false };
        let is_own = by == ids::to_log(p.pid);
        let place = place_in_channel(tag);
        let has_order = !matches!(tag, Tag::EndTable { .. });
        is_own || has_order && place.is_some_and(|place| p.reached.get(by).is_some_and(|last| place < last))
    }

    /// The delay of a timer's message, in milliseconds; `None` if it is not one, or has been consumed.
    #[must_use]
    pub fn timed(&self, tag: Tag) -> Option<u64> {
        self.resources.timed.get(&tag).map(|timer| timer.after)
    }

    /// Would this message of a timer, which a process has set for itself, have arrived before a receive of the process times out after so many
    /// milliseconds?
    #[must_use]
    pub fn rings_within(&self, p: &Process, tag: Tag, ms: u64) -> bool {
        let timer = self.resources.timed.get(&tag);
        let own = tag.sender() == Some(ids::to_log(p.pid));
        own && timer.is_some_and(|timer| is_due(timer, p.rare.past.waited.saturating_add(ms.saturating_mul(2))))
    }

    /// What others have seen of the mailbox of a process.
    #[must_use]
    pub fn mailbox_seen(&self, pid: log_format::Pid) -> Vec<crate::state::rare::SeenLength> {
        let p = self.table.by_pid(Pid::new(0, pid.0));
        p.map_or_else(Vec::new, |p| p.rare.past.seen.clone())
    }

    /// After which of its actions a signal had arrived at a process for sure, if that is known from what it cancelled or waited for.
    #[must_use]
    pub fn arrived_by(&self, pid: log_format::Pid, tag: Tag) -> Option<u64> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        p.rare.past.arrived.get(&tag).copied().or_else(|| p.must_have_got(tag))
    }

    /// What an observation of the mailbox sees beyond the log: the messages that must have arrived.
    pub(crate) fn arrived(&self, p: &Process) -> Vec<Fragment> {
        let mut all: Vec<(Tag, &Signal)> = p
            .pool
            .iter()
            .filter(|(tag, signal)| {
                is_welcome(p, signal) && (self.has_arrived(p, *tag) || self.was_let_arrive(ids::to_log(p.pid), *tag))
            })
            .collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        all.into_iter().map(|(_, signal)| as_message(signal.clone())).collect()
    }

    /// Lets signals of a process to another take effect before it reads whether the other one is alive.
    pub(crate) fn due_from(&mut self, from: Pid, to: Pid) {
        let by = ids::to_log(from);
        let Some(q) = self.table.by_pid(to) else {
            return;
        };
        let due = |(tag, signal): (Tag, &Signal)| {
            let sent = matches!(tag, Tag::Sent { by: sender, .. } if sender == by);
            let known = sent || self.was_let_arrive(ids::to_log(to), tag);
            (known && is_deadly(q, signal)).then_some(tag)
        };
        let first = q.pool.iter().filter_map(due).min();
        if let Some(tag) = first
            && let Some((_, q)) = self.table.by_pid_mut(to)
            && let Some(Signal::Exit { from, reason, link, .. }) = q.pool.remove(&tag)
        {
            q.pending = Some(Box::new(pending_exit(tag, from, reason, link)));
        }
    }
}

/// The place of a signal among those of its sender to the same process: numbered ones, the exit signal of the link, the 'DOWN' of each monitor in the
/// order in which these were set. A table for an heir comes after what was sent with a number, and has no order with the rest.
const fn place_in_channel(tag: Tag) -> Option<u64> {
    /// No process sends so many signals.
    const END: u64 = 1 << 62;
    match tag {
        Tag::Sent { k, .. } => Some(k.0),
        Tag::EndTo { .. } | Tag::EndTable { .. } => Some(END),
        Tag::EndRef { k, .. } => Some(END + 1 + k),
        Tag::Limit { .. } => None,
    }
}

/// Is this timer due before what happens when its process has waited for so long? Of two at one time, either can come first.
const fn is_due(timer: &Timed, waited: u64) -> bool {
    waited.saturating_sub(timer.set) > timer.after.saturating_mul(2)
}

impl Process {
    /// Replay: a signal had arrived when the process did its last action.
    pub(crate) fn has_got(&mut self, tag: Option<Tag>) {
        if let Some(tag) = tag {
            let at = self.actions;
            self.rare.past.arrived.get_or_insert_with(tag, || at);
        }
    }

    /// Replay: the signals that were sent to it and neither consumed nor dropped on arrival, by tag. When a message to an alias, or a 'DOWN',
    /// arrived is not recorded. So those that would be dropped if they arrived now are left out, and so is a second message to an alias that
    /// accepts one.
    #[must_use]
    pub fn waiting(&self) -> Vec<(Tag, &Signal)> {
        let mut all: Vec<(Tag, &Signal)> = self.pool.iter().collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        let mut answered = rustc_hash::FxHashSet::default();
        all.retain(|(tag, signal)| match *signal {
            Signal::Message(_) | Signal::Exit { .. } => true,
            Signal::Down { .. } => is_welcome(self, signal),
            Signal::Aliased { alias, .. } => {
                use crate::state::rare::AliasMode::{Reply, ReplyDemonitor};
                let takes_one = matches!(self.rare.aliases.get(alias), Some(Reply | ReplyDemonitor));
                is_welcome(self, signal) && (!takes_one || answered.insert((*alias, tag.sender())))
            }
        });
        all
    }
}

/// Would this signal become a message if it arrived now?
pub(super) fn is_welcome(p: &Process, signal: &Signal) -> bool {
    match signal {
        Signal::Message(_) => true,
        Signal::Aliased { alias, .. } => accepts(p, *alias),
        Signal::Down { monitor, .. } => p.rare.monitors.get(monitor).is_some_and(|m| !m.over),
        Signal::Exit { from, link, .. } => {
            is_message(signal, p.trap_exit)
                && (!link || p.rare.links.contains(from))
                && signal.alias().is_none_or(|alias| accepts(p, alias))
        }
    }
}

/// Is this alias of a process active?
fn accepts(p: &Process, alias: Reference) -> bool {
    let mode = p.rare.aliases.get(&alias);
    mode.is_some_and(|mode| *mode != crate::state::rare::AliasMode::Spent)
}

/// Would it end the process?
fn is_deadly(p: &Process, signal: &Signal) -> bool {
    let Signal::Exit { from, reason, link, .. } = signal else {
        return false;
    };
    if signal.alias().is_some_and(|alias| !accepts(p, alias)) {
        return false;
    }
    if is_message(signal, p.trap_exit) || (*link && !p.rare.links.contains(from)) {
        return false;
    }
    let normal = reason.as_immediate() == Some(Term::atom(Atom::NORMAL));
    !normal || *from == p.pid
}
