//! Replay: taking back what some processes did last, where all others stay as they are.
//!
//! The general way to an earlier state is to make it again from a checkpoint, all processes together. Where what is undone only
//! computed, sent, received, read, spawned or ended, its traces in the rest of the system are few and can be taken away one by one, so that
//! only the processes concerned are made again: the cost follows what is undone, and nothing else.

use std::collections::BTreeMap;

use interpreter::term::{Pid, Reference};
use log_format::{Pid as Id, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids;
use crate::observer::Observer;
use crate::process::{Lookup, Process, Signal, Slot, State, Watcher};
use crate::reached::Reached;
use crate::system::System;

/// What the end of a process took with it, so that it can be taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grave {
    reached: Reached,
    links: Vec<Pid>,
    watchers: BTreeMap<Reference, Watcher>,
    /// Signals to it were lost: with it, or because they came later.
    lost: bool,
}

impl Grave {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        64 + self.reached.bytes() + self.links.len() * 8 + self.watchers.len() * 64
    }
}

/// Where a process shall stand again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// Who.
    pub pid: Id,
    /// How many actions are left of it.
    pub actions: u64,
    /// How many of its signals stay in flight.
    pub sends: u64,
    /// Its birth is undone, too.
    pub unborn: bool,
}

/// A signal that had been consumed and waits again.
#[derive(Clone, Debug)]
pub struct Back {
    /// For whom.
    pub to: Id,
    /// Its tag.
    pub tag: Tag,
    /// It.
    pub signal: Signal,
    /// The message of a timer: which, and after how many milliseconds it was to come.
    pub timer: Option<(Reference, u64)>,
}

/// What the three kinds of marks that a process leaves elsewhere have in common: from which number on they are taken away.
#[derive(Clone, Copy, Debug)]
struct Limit {
    pid: Pid,
    sends: u64,
    references: u64,
}

impl<O: Observer> System<O> {
    /// A process ends: what will be needed to take that back.
    pub(crate) fn dig(&mut self, p: &Process<O::Log>) {
        if self.plan.is_some() && self.observer.goes_back() {
            let grave = Grave {
                reached: Reached::default(),
                links: p.rare.links.iter().copied().collect(),
                watchers: p.rare.watchers.clone(),
                lost: false,
            };
            self.graves.insert(ids::to_log(p.pid), grave);
        }
    }

    /// It leaves the system.
    pub(crate) fn fill(&mut self, p: &mut Process<O::Log>) {
        if let Some(grave) = self.graves.get_mut(&ids::to_log(p.pid)) {
            grave.reached = std::mem::take(&mut p.reached);
            grave.lost |= !p.pool.is_empty() || !p.machine.mailbox.is_empty();
        }
    }

    /// A process that has ended is not watched any more.
    pub(crate) fn watches_no_more(&mut self, target: Pid, monitor: Reference) {
        if let Some(grave) = self.graves.get_mut(&ids::to_log(target)) {
            grave.watchers.remove(&monitor);
        }
    }

    /// Something came to a process that has ended.
    pub(crate) fn lose(&mut self, to: Pid) {
        if let Some(grave) = self.graves.get_mut(&ids::to_log(to)) {
            grave.lost = true;
        }
    }

    /// Processes that may have received a signal of this one after its `sends`-th, or what its end sent: those that have not did not. None
    /// if that is not known.
    #[must_use]
    pub fn receivers(&self, by: Id, sends: u64) -> Option<Vec<Id>> {
        if self.timers_reached.get(&by).is_some_and(|last| *last > sends) {
            return None;
        }
        let concerned = |reached: &Reached| reached.get(by).is_some_and(|last| last > sends);
        let living = self.table.iter().filter(|q| concerned(&q.reached));
        let dead = self.graves.iter().filter(|(_, grave)| concerned(&grave.reached));
        let all = living.map(|q| ids::to_log(q.pid)).chain(dead.map(|(pid, _)| *pid));
        Some(all.filter(|pid| *pid != by).collect())
    }

    /// The signal of this tag that waits for a process, as [`Back`].
    #[must_use]
    pub fn waiting_signal(&self, to: Id, tag: Tag) -> Option<Back> {
        let p = self.table.by_pid(Pid::new(0, to.0))?;
        Some(Back {
            to,
            tag,
            signal: p.pool.get(&tag)?.clone(),
            timer: self.resources.timed.get(&tag).copied(),
        })
    }

    /// Puts a signal before a process that has not got it: its sender need not be made again for that.
    pub fn hand_out(&mut self, to: Id, tag: Tag, signal: Signal) {
        if let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, to.0))
            && !p.pool.contains(&tag)
        {
            p.pool.insert(tag, signal);
        }
    }

    /// Takes back what these processes did last, and nobody else: sends of messages, receipts, timeouts, reads, inputs, output, spawns and
    /// ends with `normal`, without a write to any resource. `made` holds them as they shall be; `back` is what they had consumed and whose
    /// send stays. False, and nothing is changed, where the marks that all this left elsewhere cannot be told from others.
    pub fn retract(&mut self, made: &mut Self, earlier: &[Earlier], back: Vec<Back>) -> bool {
        made.rest();
        let pids: FxHashMap<Id, Earlier> = earlier.iter().map(|one| (one.pid, *one)).collect();
        if !self.is_at_rest(made) || !earlier.iter().all(|one| self.is_retractable(made, *one, &pids)) {
            return false;
        }
        let mut limits = Vec::with_capacity(earlier.len());
        for &Earlier { pid, sends, unborn, .. } in earlier {
            let Some(full) = self.table.known(pid) else { continue };
            let references = match made.table.by_pid(full) {
                Some(then) if !unborn => then.machine.local.references,
                _ => 0,
            };
            limits.push(Limit {
                pid: full,
                sends,
                references,
            });
            match (self.table.find(full), unborn) {
                (Lookup::Alive(slot), false) => self.put_back(slot, full, made),
                (Lookup::Alive(slot), true) => self.unbear(slot, full),
                (_, unborn) => self.raise(full, unborn, made),
            }
        }
        for limit in &limits {
            self.wipe(*limit);
        }
        for Back { to, tag, signal, timer } in back {
            self.hand_out(to, tag, signal);
            if let Some(timer) = timer {
                self.resources.timed.insert(tag, timer);
            }
        }
        true
    }

    fn is_at_rest(&self, made: &Self) -> bool {
        let nothing_on_its_way = self.flight.is_empty() && self.incoming.is_empty() && self.owed.is_empty();
        // Code is addressed by where it lies in the program.
        nothing_on_its_way
            && self.blocked.is_empty()
            && self.driven.is_none()
            && std::sync::Arc::ptr_eq(&self.program, &made.program)
    }

    /// Can the marks of a process be told from others? Looks only.
    fn is_retractable(&self, made: &Self, one: Earlier, all: &FxHashMap<Id, Earlier>) -> bool {
        let Some(pid) = self.table.known(one.pid) else {
            return one.unborn;
        };
        // What became of links that were broken is kept by pair.
        let mut pairs = self.resources.pairs.keys();
        if pairs.any(|(p, q)| *p == pid || *q == pid) || self.resources.abnormal_ends.contains_key(&pid) {
            return false;
        }
        let concerned = |q: &Pid| all.contains_key(&ids::to_log(*q));
        let now = self.table.by_pid(pid);
        let grave = self.graves.get(&one.pid);
        if one.unborn {
            return match (now, grave) {
                (Some(now), _) => {
                    now.rare.names.is_empty() && now.rare.tables.is_empty() && now.rare.links.iter().all(concerned)
                }
                (None, Some(grave)) => grave.links.iter().all(concerned),
                (None, None) => false,
            };
        }
        let Some(then) = made.table.by_pid(pid) else {
            return false;
        };
        if then.actions != one.actions || then.sent != one.sends || then.pending.is_some() {
            return false;
        }
        // A link with a process that is not born any more goes with it.
        let is_kept = |q: &Pid| !all.get(&ids::to_log(*q)).is_some_and(|q| q.unborn);
        let same_links = |now: FxHashSet<Pid>| now == then.rare.links;
        match (now, grave) {
            (Some(now), _) => {
                now.state != State::Blocked
                    && now.feed.is_some()
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
            (None, Some(grave)) => {
                let is_alive = |q: Pid| matches!(self.table.find(q), Lookup::Alive(_));
                !grave.lost
                    && then.rare.names.is_empty()
                    && then.rare.tables.is_empty()
                    && then.rare.fixes.is_empty()
                    && then.rare.suspending.is_empty()
                    && then.rare.node_monitors.is_empty()
                    && then.rare.node_events == 0
                    && then.rare.monitors.values().all(|monitor| is_alive(monitor.target))
                    && same_links(grave.links.iter().copied().filter(is_kept).collect())
            }
            (None, None) => false,
        }
    }

    /// A living process stands where it stood. What others have sent and done to it since stays.
    fn put_back(&mut self, slot: Slot, pid: Pid, made: &mut Self) {
        let (Some(mut then), Some(mut now)) = (made.take_out(pid), self.table.take(slot)) else {
            return;
        };
        self.total_actions -= now.actions - then.actions;
        self.memory_words = self.memory_words + then.counted_words - now.counted_words;
        while let Some((tag, message)) = now.machine.mailbox.pop() {
            now.pool.insert(ids::unpack(tag), Signal::Message(message));
        }
        then.pool = std::mem::take(&mut now.pool);
        let watchers = now.rare.take(|rare| &mut rare.watchers);
        let names = now.rare.take(|rare| &mut rare.names);
        let tables = now.rare.take(|rare| &mut rare.tables);
        if then.rare.is_there() || !(watchers.is_empty() && names.is_empty() && tables.is_empty()) {
            then.rare.watchers = watchers;
            then.rare.names = names;
            then.rare.tables = tables;
        }
        self.table.put(slot, then);
    }

    /// A process that has ended lives again, or has not been born.
    fn raise(&mut self, pid: Pid, unborn: bool, made: &mut Self) {
        let Some(grave) = self.graves.remove(&ids::to_log(pid)) else {
            return;
        };
        let by = ids::to_log(pid);
        // What its end sent.
        for (reference, watcher) in &grave.watchers {
            let owner = ids::to_log(watcher.pid);
            let k = reference.number;
            self.take_from_pool(watcher.pid, &Tag::EndRef { by, owner, k });
        }
        for to in &grave.links {
            let tag = Tag::EndTo {
                by,
                to: ids::to_log(*to),
            };
            self.take_from_pool(*to, &tag);
        }
        if pid == self.entry {
            self.entry_end = None;
        }
        self.observer.raised(by);
        let ended = match self.table.find(pid) {
            Lookup::Dead(actions) => actions,
            _ => 0,
        };
        if unborn {
            self.total_actions -= ended;
            self.table.forget(pid);
            return;
        }
        let Some(mut then) = made.take_out(pid) else { return };
        self.total_actions -= ended - then.actions;
        self.memory_words += then.counted_words;
        then.pool = Default::default();
        if !grave.watchers.is_empty() || then.rare.is_there() {
            then.rare.watchers = grave.watchers;
        }
        // Its end ended its monitors.
        for (reference, monitor) in &then.rare.monitors {
            if let Some((_, q)) = self.table.by_pid_mut(monitor.target) {
                q.rare.watchers.insert(*reference, monitor.watcher(pid));
            }
        }
        self.table.insert(then);
    }

    /// A living process has not been born.
    fn unbear(&mut self, slot: Slot, pid: Pid) {
        if let Some(now) = self.table.take(slot) {
            self.total_actions -= now.actions;
            self.memory_words -= now.counted_words;
            self.observer.raised(ids::to_log(pid));
        }
        self.table.bury(slot, pid, 0);
        self.table.forget(pid);
    }

    fn take_out(&mut self, pid: Pid) -> Option<Box<Process<O::Log>>> {
        match self.table.find(pid) {
            Lookup::Alive(slot) => self.table.take(slot),
            Lookup::Unborn | Lookup::Dead(_) => None,
        }
    }

    fn take_from_pool(&mut self, pid: Pid, tag: &Tag) {
        if let Some((_, q)) = self.table.by_pid_mut(pid) {
            q.pool.remove(tag);
        }
    }

    /// What a process sent, and its monitors, from some number on, are gone wherever they are.
    fn wipe(&mut self, limit: Limit) {
        let by = ids::to_log(limit.pid);
        let of = |number| Reference {
            owner: limit.pid,
            number,
        };
        for q in self.table.iter_mut() {
            q.pool.truncate(by, limit.sends);
            if !q.rare.watchers.is_empty() {
                let made_since = of(limit.references.saturating_add(1))..=of(u64::MAX);
                let undone: Vec<Reference> = q.rare.watchers.range(made_since).map(|(k, _)| *k).collect();
                for reference in undone {
                    q.rare.watchers.remove(&reference);
                }
            }
        }
        // Of ends that its monitors told it.
        if let Some((_, p)) = self.table.by_pid_mut(limit.pid) {
            p.pool.retain_others(
                |tag| !matches!(tag, Tag::EndRef { owner, k, .. } if *owner == by && *k > limit.references),
            );
        }
        let is_undone =
            |tag: &Tag| matches!(tag, Tag::Sent { by: sender, k: SendNo(k) } if *sender == by && *k > limit.sends);
        self.resources.afloat.retain(|tag, _| !is_undone(tag));
        self.resources.timed.retain(|tag, _| !is_undone(tag));
        self.resources.early.retain(|_, pool| {
            pool.truncate(by, limit.sends);
            !pool.is_empty()
        });
        if let Some(plan) = &mut self.plan {
            plan.ask_nothing(by);
        }
    }
}
