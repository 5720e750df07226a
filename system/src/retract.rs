//! Replay: undoing the last actions of some processes, while all others stay as they are.
//!
//! In general, an earlier state is replayed from a checkpoint, with all processes. If the undone actions only computed, sent, received, read,
//! spawned or ended, their effects on the rest of the system are few and can be removed one by one. Then only the affected processes are
//! rebuilt, so the cost grows with what is undone and with nothing else.

use interpreter::term::{Pid, Reference};
use log_format::{Pid as Id, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids;
use crate::ids::Slot;
use crate::observer::Observer;
use crate::sink::Sink;
use crate::state::ended::EndedState;
use crate::state::pool::Pool;
use crate::state::process::{Process, ProcessActivity};
use crate::state::reached::Reached;
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::system::System;
use crate::world::World;

/// The earlier state that a process goes back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The process.
    pub pid: Id,
    /// The number of its actions that are left.
    pub actions: u64,
    /// The number of its signals that remain sent.
    pub sends: u64,
    /// Is its birth undone, too?
    pub unborn: bool,
}

/// A consumed signal that waits again.
#[derive(Clone, Debug)]
pub struct Unconsumed {
    /// The receiver.
    pub to: Id,
    /// Its tag.
    pub tag: Tag,
    /// The signal.
    pub signal: Signal,
    /// For the message of a timer: the timer and its delay in milliseconds.
    pub timer: Option<crate::state::resources::Timed>,
}

/// The effects of a process on others that are removed: for each of the three kinds, from which number on.
#[derive(Clone, Copy, Debug)]
struct Limit {
    pid: Pid,
    sends: u64,
    references: u64,
}

impl World {
    /// A process ends: keeps what is needed to undo that.
    pub(crate) fn remember_end(&mut self, sink: &mut dyn Sink, p: &Process) {
        if self.purpose.keeps_the_past() && sink.goes_back() {
            let end = EndedState {
                reached: Reached::default(),
                links: p.rare.links.iter().copied().collect(),
                watchers: p.rare.watchers.clone(),
                lost: false,
            };
            self.ended.insert(ids::to_log(p.pid), end);
        }
    }

    /// The process is removed from the system.
    pub(crate) fn complete_end(&mut self, p: &mut Process) {
        if let Some(end) = self.ended.get_mut(&ids::to_log(p.pid)) {
            end.reached = std::mem::take(&mut p.reached);
            end.lost |= !p.pool.is_empty() || !p.machine.mailbox.is_empty();
        }
    }

    /// A monitor of a process that has ended is removed.
    pub(crate) fn unwatch_ended(&mut self, target: Pid, monitor: Reference) {
        if let Some(end) = self.ended.get_mut(&ids::to_log(target)) {
            end.watchers.remove(&monitor);
        }
    }

    /// Notes that a signal came to a process that has ended.
    pub(crate) fn note_lost_signal(&mut self, to: Pid) {
        if let Some(end) = self.ended.get_mut(&ids::to_log(to)) {
            end.lost = true;
        }
    }

    /// All processes that may have received a signal of this one after its `sends`-th, or of its end. `None` if they are not known.
    #[must_use]
    pub fn receivers(&self, by: Id, sends: u64) -> Option<Vec<Id>> {
        if self.timers_reached.get(&by).is_some_and(|last| *last > sends) {
            return None;
        }
        let concerned = |reached: &Reached| reached.get(by).is_some_and(|last| last > sends);
        let mut told = self.told.of(by);
        told.retain(|q| {
            let living = self
                .table
                .by_pid(Pid::new(0, q.0))
                .is_some_and(|p| concerned(&p.reached));
            *q != by && (living || self.ended.get(q).is_some_and(|end| concerned(&end.reached)))
        });
        Some(told)
    }

    /// The signal with this tag that waits for a process, as [`Unconsumed`].
    #[must_use]
    pub fn waiting_signal(&self, to: Id, tag: Tag) -> Option<Unconsumed> {
        let p = self.table.by_pid(Pid::new(0, to.0))?;
        Some(Unconsumed {
            to,
            tag,
            signal: p.pool.get(&tag)?.clone(),
            timer: self.resources.timed.get(&tag).copied(),
        })
    }

    /// Gives a signal to a process that has not got it, so that its sender need not be rebuilt for that.
    pub fn hand_out(&mut self, to: Id, tag: Tag, signal: Signal) {
        if let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, to.0))
            && !p.pool.contains(&tag)
        {
            p.pool.insert(tag, signal);
        }
    }

    /// Removes what a process sent, and its monitors, from some number on, wherever they are.
    fn wipe(&mut self, limit: Limit) {
        let by = ids::to_log(limit.pid);
        let of = |number| Reference {
            owner: limit.pid,
            number,
        };
        for slot in self.table.holding() {
            let made_since = || of(limit.references.saturating_add(1))..=of(u64::MAX);
            let is_concerned = |q: &Process| {
                q.pool.has_after(by, limit.sends)
                    || !q.rare.watchers.is_empty() && q.rare.watchers.range(made_since()).next().is_some()
            };
            if !self.table.get(slot).is_some_and(is_concerned) {
                continue;
            }
            let Some(q) = self.table.get_mut(slot) else { continue };
            q.pool.truncate(by, limit.sends);
            if !q.rare.watchers.is_empty() {
                let made_since = made_since();
                let undone: Vec<Reference> = q.rare.watchers.range(made_since).map(|(k, _)| *k).collect();
                for reference in undone {
                    q.rare.watchers.remove(&reference);
                }
            }
        }
        // The 'DOWN' messages of its monitors.
        if let Some((_, p)) = self.table.by_pid_mut(limit.pid) {
            p.pool.retain_others(
                |tag| !matches!(tag, Tag::EndRef { owner, k, .. } if *owner == by && *k > limit.references),
            );
        }
        let is_undone =
            |tag: &Tag| matches!(tag, Tag::Sent { by: sender, k: SendNo(k) } if *sender == by && *k > limit.sends);
        self.resources.afloat.retain(|tag, _| is_undone(tag), |_, _| false);
        self.resources.timed.retain(|tag, _| is_undone(tag), |_, _| false);
        let is_concerned = |_: &Pid, pool: &Pool| pool.has_after(by, limit.sends);
        self.resources.early.retain(is_concerned, |_, pool| {
            pool.truncate(by, limit.sends);
            !pool.is_empty()
        });
        if let Some(plan) = self.purpose.plan_mut() {
            plan.ask_nothing(by);
        }
    }
}

impl<O: Observer> System<O> {
    /// Undoes the last actions of these processes, and of no others: sends of messages, receives, timeouts, reads, inputs, output, spawns and
    /// ends with `normal`, without a write to any resource. `made` contains these processes in their earlier states; `back` is what they had
    /// consumed and whose send remains. False, with nothing changed, if the effects of all this on others cannot be distinguished from those of
    /// other actions.
    pub fn retract(&mut self, made: &mut Self, earlier: &[Earlier], back: Vec<Unconsumed>) -> bool {
        made.rest();
        let pids: FxHashMap<Id, Earlier> = earlier.iter().map(|one| (one.pid, *one)).collect();
        if !self.is_at_rest(made) || !earlier.iter().all(|one| self.is_retractable(made, *one, &pids)) {
            return false;
        }
        let mut limits = Vec::with_capacity(earlier.len());
        for &Earlier { pid, sends, unborn, .. } in earlier {
            let Some(full) = self.world.table.known(pid) else {
                continue;
            };
            let references = match made.world.table.by_pid(full) {
                Some(then) if !unborn => then.machine.local.references,
                _ => 0,
            };
            limits.push(Limit {
                pid: full,
                sends,
                references,
            });
            match (self.world.table.find(full), unborn) {
                (Lookup::Alive(slot), false) => self.put_back(slot, full, made),
                (Lookup::Alive(slot), true) => self.undo_birth(slot, full),
                (_, unborn) => self.undo_end(full, unborn, made),
            }
        }
        for limit in &limits {
            self.world.wipe(*limit);
        }
        for Unconsumed { to, tag, signal, timer } in back {
            self.world.hand_out(to, tag, signal);
            if let Some(timer) = timer {
                self.world.resources.timed.insert(tag, timer);
            }
        }
        true
    }

    fn is_at_rest(&self, made: &Self) -> bool {
        // Code is identified by its position in the program.
        self.world.flight.is_empty()
            && self.world.waiting.is_empty()
            && self.world.purpose.beyond().is_none()
            && std::sync::Arc::ptr_eq(&self.world.program, &made.world.program)
    }

    /// Can the effects of a process be distinguished from others? Changes nothing.
    fn is_retractable(&self, made: &Self, one: Earlier, all: &FxHashMap<Id, Earlier>) -> bool {
        let Some(pid) = self.world.table.known(one.pid) else {
            return one.unborn;
        };
        // What became of broken links is kept by pair.
        let mut pairs = self.world.resources.pairs.keys();
        if pairs.any(|(p, q)| *p == pid || *q == pid) || self.world.resources.abnormal_ends.contains_key(&pid) {
            return false;
        }
        let concerned = |q: &Pid| all.contains_key(&ids::to_log(*q));
        let now = self.world.table.by_pid(pid);
        let end = self.world.ended.get(&one.pid);
        if one.unborn {
            return match (now, end) {
                (Some(now), _) => {
                    now.rare.names.is_empty()
                        && !now.rare.robbed
                        && now.rare.tables.is_empty()
                        && now.rare.links.iter().all(concerned)
                }
                (None, Some(end)) => end.links.iter().all(concerned),
                (None, None) => false,
            };
        }
        let Some(then) = made.world.table.by_pid(pid) else {
            return false;
        };
        if then.actions != one.actions || then.sent != one.sends || then.pending.is_some() {
            return false;
        }
        // A link to a process whose birth is undone goes with it.
        let is_kept = |q: &Pid| !all.get(&ids::to_log(*q)).is_some_and(|q| q.unborn);
        let same_links = |now: FxHashSet<Pid>| now == then.rare.links;
        match (now, end) {
            (Some(now), _) => {
                now.state != ProcessActivity::Blocked
                    && now.mode.log().is_some()
                    && now.pending.is_none()
                    && now.group_leader == then.group_leader
                    && now.incarnation == then.incarnation
                    && now.suspended == then.suspended
                    && now.rare.fixes == then.rare.fixes
                    && now.rare.suspending == then.rare.suspending
                    && now.rare.node_monitors == then.rare.node_monitors
                    && now.rare.node_events == then.rare.node_events
                    && same_links(now.rare.links.iter().copied().filter(is_kept).collect())
            }
            (None, Some(end)) => {
                let is_alive = |q: Pid| matches!(self.world.table.find(q), Lookup::Alive(_));
                !end.lost
                    && then.rare.names.is_empty()
                    && !then.rare.robbed
                    && then.rare.tables.is_empty()
                    && then.rare.fixes.is_empty()
                    && then.rare.suspending.is_empty()
                    && then.rare.node_monitors.is_empty()
                    && then.rare.node_events == 0
                    && then.rare.monitors.values().all(|monitor| is_alive(monitor.target))
                    && same_links(end.links.iter().copied().filter(is_kept).collect())
            }
            (None, None) => false,
        }
    }

    /// Puts a living process back to an earlier state. What others have sent and done to it since stays.
    fn put_back(&mut self, slot: Slot, pid: Pid, made: &mut Self) {
        let (Some(mut then), Some(mut now)) = (made.take_out(pid), self.world.table.take(slot)) else {
            return;
        };
        self.world.total_actions -= now.actions - then.actions;
        self.world.memory_words = self.world.memory_words + then.counted_words - now.counted_words;
        while let Some((tag, message)) = now.machine.mailbox.pop() {
            now.pool.insert(ids::unpack(tag), Signal::Message(message));
        }
        then.pool = std::mem::take(&mut now.pool);
        let watchers = now.rare.take(|rare| &mut rare.watchers);
        let names = now.rare.take(|rare| &mut rare.names);
        let tables = now.rare.take(|rare| &mut rare.tables);
        let robbed = now.rare.take(|rare| &mut rare.robbed);
        if then.rare.is_there() || robbed || !(watchers.is_empty() && names.is_empty() && tables.is_empty()) {
            then.rare.watchers = watchers;
            then.rare.names = names;
            then.rare.robbed = robbed;
            then.rare.tables = tables;
        }
        if let Some(log) = made.logs.take(then.slot) {
            self.logs.put(slot, log);
        }
        then.slot = slot;
        self.world.table.put(slot, then);
    }

    /// A process that has ended is alive again, or its birth is undone, too.
    fn undo_end(&mut self, pid: Pid, unborn: bool, made: &mut Self) {
        let Some(end) = self.world.ended.remove(&ids::to_log(pid)) else {
            return;
        };
        let by = ids::to_log(pid);
        // What its end sent.
        for (reference, watcher) in &end.watchers {
            let owner = ids::to_log(watcher.pid);
            let k = reference.number;
            self.take_from_pool(watcher.pid, &Tag::EndRef { by, owner, k });
        }
        for to in &end.links {
            let tag = Tag::EndTo {
                by,
                to: ids::to_log(*to),
            };
            self.take_from_pool(*to, &tag);
        }
        if pid == self.world.entry {
            self.world.entry_end = None;
            self.world.entry_error = None;
            self.world.entry_value = None;
        }
        self.observer.raised(by);
        let ended = match self.world.table.find(pid) {
            Lookup::Dead(actions) => actions,
            _ => 0,
        };
        if unborn {
            self.world.total_actions -= ended;
            self.world.table.forget(pid);
            return;
        }
        let Some(mut then) = made.take_out(pid) else { return };
        self.world.total_actions -= ended - then.actions;
        self.world.memory_words += then.counted_words;
        then.pool = Default::default();
        if !end.watchers.is_empty() || then.rare.is_there() {
            then.rare.watchers = end.watchers;
        }
        // Its end removed its monitors.
        for (reference, monitor) in &then.rare.monitors {
            if let Some((_, q)) = self.world.table.by_pid_mut(monitor.target) {
                q.rare.watchers.insert(*reference, monitor.watcher(pid));
            }
        }
        let log = made.logs.take(then.slot);
        let slot = self.world.table.insert(then);
        if let Some(log) = log {
            self.logs.put(slot, log);
        }
    }

    /// Undoes the birth of a living process.
    fn undo_birth(&mut self, slot: Slot, pid: Pid) {
        if let Some(now) = self.world.table.take(slot) {
            self.world.total_actions -= now.actions;
            self.world.memory_words -= now.counted_words;
            self.observer.raised(ids::to_log(pid));
        }
        self.logs.take(slot);
        self.world.table.remove_ended(slot, pid, 0);
        self.world.table.forget(pid);
    }

    fn take_out(&mut self, pid: Pid) -> Option<Box<Process>> {
        match self.world.table.find(pid) {
            Lookup::Alive(slot) => self.world.table.take(slot),
            Lookup::Unborn | Lookup::Dead(_) => None,
        }
    }

    fn take_from_pool(&mut self, pid: Pid, tag: &Tag) {
        if let Some((_, q)) = self.world.table.by_pid_mut(pid) {
            q.pool.remove(tag);
        }
    }
}
