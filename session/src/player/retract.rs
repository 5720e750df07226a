//! Going back when few processes are affected: only these are rebuilt, and they replace the current ones. All others stay as they are, so the
//! cost grows with what is undone and not with what else has been done ([`System::retract`]).
//!
//! What the affected processes received is retained ([`super::retained`]), or rebuilt by its senders from the same checkpoint. If that is not
//! enough (writes to shared resources, ends by errors, processes that others observed), the whole system is rebuilt, as a jump does.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::{ActionId, Cut, ExitClass, Kind, Pid, SendNo, Tag};
use rustc_hash::FxHashMap;
use system::System;
use system::feed::Tail;
use system::retract::{Earlier, Unconsumed};

use super::checkpoints::Checkpoint;
use super::history::HistoryEntry;
use super::suffixes::Suffixes;
use super::tracker::Tracker;
use super::{Player, Ways, fresh};
use crate::error::Error;
use crate::session::done;

/// If more actions would have to be examined one by one, the whole system is rebuilt.
const MAX_EXAMINED: usize = 1 << 17;

/// The undone actions of a process.
#[derive(Debug, Default)]
struct Undone {
    /// The first of them.
    first: u64,
    unborn: bool,
    /// Those that were examined, ascending.
    entries: Vec<HistoryEntry>,
}

/// All undone actions.
#[derive(Debug, Default)]
struct Consequences {
    all: FxHashMap<Pid, Undone>,
    looked_at: usize,
}

impl Player {
    /// How processes were rebuilt so far.
    #[must_use]
    pub const fn ways(&self) -> Ways {
        self.ways
    }

    /// Undoes actions and their consequences by rebuilding only the affected processes. Returns the first undone action of each process.
    /// `None`, with nothing changed, if that is not possible. `base`: a checkpoint that contains none of the actions; the target processes have
    /// not run on from it.
    pub(super) fn retract(
        &mut self,
        targets: &[ActionId],
        now: &Cut,
        base: Option<&Checkpoint>,
    ) -> Result<Option<Suffixes>, Error> {
        if self.history.has_branches() || !self.look(|system| system.table().can_be_rebuilt()) {
            return Ok(None);
        }
        let none = Cut::default();
        let before = base.map_or(&none, |one| one.cut.as_ref());
        let Some(undone) = self.consequences(targets, now, before)? else {
            return Ok(None);
        };
        let mut earlier = Vec::with_capacity(undone.all.len());
        for (&pid, one) in &undone.all {
            let actions = one.first - 1;
            earlier.push(Earlier {
                pid,
                actions,
                sends: self.history.sends(pid, actions)?,
                unborn: one.unborn,
            });
        }
        let sends: FxHashMap<Pid, u64> = earlier.iter().map(|one| (one.pid, one.sends)).collect();
        // Signals that they had consumed wait again, unless their sends are undone too.
        let mut waits = Vec::new();
        for (&pid, one) in &undone.all {
            for entry in one.entries.iter().filter(|_| !one.unborn) {
                if let Some(Tag::Sent { by, k: SendNo(k) }) = entry.action.kind.consumed()
                    && sends.get(&by).is_none_or(|kept| k <= *kept)
                {
                    waits.push((ActionId::new(pid, entry.number), Tag::Sent { by, k: SendNo(k) }));
                }
            }
        }
        waits.sort_unstable();
        let mut goal = now.clone();
        for one in &earlier {
            goal.set(one.pid, one.actions);
        }
        let base = self.standing_base(&goal, earlier.iter().map(|one| one.pid));
        let base = base.as_ref();
        let made = match self.made_by_values(&earlier, &waits, base)? {
            Some(made) => Some((made, true)),
            None => self
                .made_by_senders(&earlier, &waits, base, now)?
                .map(|made| (made, false)),
        };
        let Some((mut made, retained)) = made else {
            return Ok(None);
        };
        let mut back = Vec::with_capacity(waits.len());
        for (at, tag) in waits {
            let to = at.pid;
            let signal = self.retained.get(at).filter(|_| tag.sender() != Some(to));
            let one = match signal {
                Some(signal) => Some(Unconsumed {
                    to,
                    tag,
                    signal,
                    timer: None,
                }),
                None => made.waiting_signal(to, tag),
            };
            let Some(one) = one else { return Ok(None) };
            back.push(one);
        }
        let done = self.change(|system| {
            let done = system.retract(&mut made, &earlier, back);
            if done {
                system.observer.went_back();
            }
            done
        })?;
        if !done {
            return Ok(None);
        }
        if retained {
            self.ways.retained += 1;
        } else {
            self.ways.remade += 1;
        }
        Ok(Some(
            undone
                .all
                .into_iter()
                .map(|(pid, one)| ActionId::new(pid, one.first))
                .collect(),
        ))
    }

    /// The ⇒-future of some actions, found through the receivers of their signals. `None` if it contains something that cannot be undone in
    /// this way, or another way would be faster. `before`: a cut that contains none of it.
    fn consequences(&self, targets: &[ActionId], now: &Cut, before: &Cut) -> Result<Option<Consequences>, Error> {
        let mut found = Consequences::default();
        let mut next: Vec<(Pid, u64, bool)> = targets.iter().map(|one| (one.pid, one.number.0, false)).collect();
        while let Some((pid, n, unborn)) = next.pop() {
            let end = now.get(pid) + 1;
            let one = found.all.entry(pid).or_insert_with(|| Undone {
                first: end,
                ..Undone::default()
            });
            let known = n >= one.first && (one.unborn || !unborn);
            if known && one.first < end {
                continue;
            }
            one.unborn |= unborn;
            let entries = self.history.stretch(pid, n.min(one.first) - 1, one.first - 1)?;
            one.first = n.min(one.first);
            found.looked_at += entries.len();
            if found.looked_at > MAX_EXAMINED || found.all.len() > MAX_EXAMINED {
                return Ok(None);
            }
            let looked_at = self.look(|system| system.observer.looked_at.get(&pid).copied());
            if looked_at.is_some_and(|last| unborn || last >= n) {
                return Ok(None);
            }
            let mut ended = false;
            for entry in &entries {
                match self.kind_of(pid, entry) {
                    Some(Undoing::Ends) => ended = true,
                    Some(Undoing::Spawns(child)) => next.push((child, 1, true)),
                    Some(Undoing::Plain) => {}
                    None => return Ok(None),
                }
            }
            let sends = match entries.first() {
                Some(first) => first.sends - u64::from(first.action.sends),
                None => self.history.sends(pid, n - 1)?,
            };
            if let Some(one) = found.all.get_mut(&pid) {
                one.entries.splice(0..0, entries);
            }
            let Some(receivers) = self.look(|system| system.receivers(pid, sends)) else {
                return Ok(None);
            };
            for q in receivers {
                let to = match found.all.get(&q) {
                    Some(one) => one.first - 1,
                    None => now.get(q),
                };
                let from = before.get(q);
                if from >= to {
                    continue;
                }
                found.looked_at += usize::try_from(to - from).unwrap_or(usize::MAX);
                if found.looked_at > MAX_EXAMINED {
                    return Ok(None);
                }
                let is_lost = |entry: &HistoryEntry| match entry.action.kind.consumed() {
                    Some(Tag::Sent { by, k: SendNo(k) }) => by == pid && k > sends,
                    Some(Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. }) => {
                        by == pid && ended
                    }
                    Some(Tag::Limit { .. }) | None => false,
                };
                let entries = self.history.stretch(q, from, to)?;
                if let Some(entry) = entries.iter().find(|entry| is_lost(entry)) {
                    next.push((q, entry.number, false));
                }
            }
        }
        Ok(Some(found))
    }

    /// A separate system at a checkpoint, or at the beginning.
    pub(super) fn beside(&self, base: Option<&Checkpoint>) -> Result<System<Tracker>, Error> {
        let mut system = match base {
            Some(one) => {
                let mut system = self.fork(&one.system)?;
                system.rest();
                // What has been loaded since need not be loaded again.
                let newest = self.look(|system| Arc::clone(&system.program));
                if !Arc::ptr_eq(&newest, &system.program) && newest.extends(&system.program) {
                    system.program = newest;
                }
                system
            }
            None => fresh(&self.session, &self.history, &self.shared)?,
        };
        system.observer.subject = None;
        system.observer.keeps_ends = self.keeps_ends;
        system.observer.retained = self.retained.clone();
        Ok(system)
    }

    /// Rebuilds processes from retained values alone; `None` if one is missing.
    fn made_by_values(
        &self,
        earlier: &[Earlier],
        waits: &[(ActionId, Tag)],
        base: Option<&Checkpoint>,
    ) -> Result<Option<System<Tracker>>, Error> {
        let others = |(at, tag): &(ActionId, Tag)| tag.sender() == Some(at.pid) || self.retained.has(*at);
        if !waits.iter().all(others) {
            return Ok(None);
        }
        let mut given = Vec::new();
        for one in earlier.iter().filter(|one| !one.unborn) {
            let reached = base.map_or(0, |base| base.cut.get(one.pid));
            if one.actions - reached > self.apart {
                return Ok(None);
            }
            for entry in self.history.stretch(one.pid, reached, one.actions)? {
                let Some(tag) = entry.action.kind.consumed() else {
                    continue;
                };
                if tag.sender() == Some(one.pid) {
                    continue;
                }
                let Some(signal) = self.retained.get(ActionId::new(one.pid, entry.number)) else {
                    return Ok(None);
                };
                given.push((one.pid, tag, signal));
            }
        }
        let mut made = self.beside(base)?;
        for (to, tag, signal) in given {
            made.hand_out(to, tag, signal);
        }
        for one in earlier.iter().filter(|one| !one.unborn) {
            made.request(one.pid, one.actions, Tail::Stop);
        }
        made.run();
        let there = |one: &Earlier| one.unborn || (is_born(&made, one.pid) && done(&made, one.pid) == one.actions);
        Ok((made.divergence.is_none() && earlier.iter().all(there)).then_some(made))
    }

    /// Rebuilds processes together with the senders of what they received since the checkpoint. Makes checkpoints on the way, and retains what
    /// is received.
    fn made_by_senders(
        &mut self,
        earlier: &[Earlier],
        waits: &[(ActionId, Tag)],
        base: Option<&Checkpoint>,
        now: &Cut,
    ) -> Result<Option<System<Tracker>>, Error> {
        let mut beside = self.clone();
        beside.steps = None;
        let mut made = self.beside(base)?;
        made.observer.retains = true;
        beside.at = Arc::new(Mutex::new(made));
        let total = now.actions();
        for one in earlier.iter().filter(|one| !one.unborn) {
            loop {
                let left = one.actions - beside.done(one.pid).min(one.actions);
                if left <= 2 * self.near {
                    break;
                }
                beside.request(one.pid, one.actions - left / 2, true)?;
                beside.keep(total)?;
            }
            beside.request(one.pid, one.actions, true)?;
        }
        for (ActionId { pid: to, .. }, tag) in waits {
            if tag.sender() != Some(*to)
                && beside.look(|system| system.waiting_signal(*to, *tag).is_none())
                && let Some(send) = self.history.find_send(*tag)?
            {
                beside.request(send.pid, send.number.0, true)?;
            }
        }
        self.kept = beside.kept;
        let made = Arc::into_inner(beside.at).map(|made| made.into_inner().unwrap_or_else(PoisonError::into_inner));
        let there = |made: &System<Tracker>| {
            let there = |one: &Earlier| one.unborn || done(made, one.pid) == one.actions;
            earlier.iter().all(there)
        };
        Ok(made.filter(there))
    }

    /// The mark that an action leaves; `None` if actions of its kind cannot be undone in this way.
    fn kind_of(&self, pid: Pid, entry: &HistoryEntry) -> Option<Undoing> {
        if entry.action.accesses.iter().any(|access| access.write) {
            return None;
        }
        match entry.action.kind {
            Kind::Send
            | Kind::After
            | Kind::Access
            | Kind::Nodes
            | Kind::Observe { .. }
            | Kind::Input { .. }
            | Kind::Output { .. }
            | Kind::Test { .. }
            | Kind::Rec(Tag::Sent { .. })
            | Kind::Drop { tag: None, .. } => Some(Undoing::Plain),
            Kind::Drop { tag: Some(tag), .. } if tag.sender() == Some(pid) => Some(Undoing::Plain),
            Kind::Spawn { child, node: None } => Some(Undoing::Spawns(child)),
            Kind::Exit {
                class: ExitClass::Normal,
            } => Some(Undoing::Ends),
            _ => None,
        }
    }
}

/// How an action is undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undoing {
    Plain,
    Spawns(Pid),
    Ends,
}

fn is_born(system: &System<Tracker>, pid: Pid) -> bool {
    system.table().find(super::handle(pid)) != system::process::Lookup::Unborn
}
