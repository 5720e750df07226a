//! Whether a run with another choice has come to be as the recorded one again: then it goes on as recorded, and need not be run.
//!
//! It has if every process that did something since the choice has done the same steps as in the record, in whatever order, and stands now where it
//! stood then, with the same values; if it has sent the same messages to each receiver, in the same order; and if each shared thing holds what it
//! held then. What the two runs do from there on differs in nothing but the numbers of some signals.

use std::sync::Arc;

use log_format::{ActionId, Cut, Pid, Resource, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::doing::Doing;
use session::error::Error;
use session::player::Player;

use crate::places::Place;
use crate::record::{Content, Record};

/// So often it is looked whether the states are equal.
const LOOKS: u32 = 8;

/// What a process has done since the choice.
struct Moved {
    /// Its actions, with those before the choice.
    done: u64,
    /// Steps that it has done more often than in the record (or, below 0, less often).
    open: FxHashMap<u64, i32>,
    /// What it had sent before the choice, and since then.
    before: u64,
    sent: Vec<Content>,
}

/// A write of a shared thing: what was written and which version, by whom, and the step.
type Write = (Resource, u64, Pid, u64);

/// Compares a continuation with the record.
pub struct Again<'r> {
    record: &'r Record,
    /// The recorded run, at the place of the choice.
    recorded: Player,
    kept: Arc<Cut>,
    /// This process makes the choice.
    chooser: Pid,
    moved: FxHashMap<Pid, Moved>,
    /// Processes that have done other steps so far.
    open: FxHashSet<Pid>,
    /// Writes since the choice in their order, and those of the record.
    writes: Vec<Write>,
    recorded_writes: Vec<Write>,
    /// It cannot become so any more.
    lost: bool,
    looks: u32,
    /// From this step on it is looked again.
    next: u64,
    /// Recorded actions that were repeated for it.
    pub repeated: u64,
}

impl<'r> Again<'r> {
    /// `recorded` stands at the place, with the logs of the record.
    pub fn new(record: &'r Record, recorded: Player, place: &Place) -> Self {
        Self {
            record,
            recorded,
            kept: place.kept.clone(),
            chooser: place.pid,
            moved: FxHashMap::default(),
            open: FxHashSet::default(),
            writes: Vec::new(),
            recorded_writes: Vec::new(),
            lost: false,
            looks: 0,
            next: 0,
            repeated: 0,
        }
    }

    /// Is the run as recorded again, after so many steps? `player` keeps its doings.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn is_so(&mut self, player: &mut Player, step: u64) -> Result<bool, Error> {
        if self.lost {
            return Ok(false);
        }
        for (pid, doing) in player.take_doings()? {
            self.note(player, pid, doing)?;
        }
        if self.lost {
            player.keep_doings(false)?;
            return Ok(false);
        }
        if !self.open.is_empty() || step < self.next || !self.moved.contains_key(&self.chooser) {
            return Ok(false);
        }
        self.looks += 1;
        self.next = step * 2;
        let is_so = self.sends_are_equal() && self.uses_are_done()? && self.states_are_equal(player)?;
        if self.looks >= LOOKS {
            self.lost = true;
            player.keep_doings(false)?;
        }
        Ok(is_so)
    }

    /// Counts a step.
    fn note(&mut self, player: &Player, pid: Pid, doing: Doing) -> Result<(), Error> {
        let content = match doing.taken {
            Some(tag) => self.content(tag),
            None => 0,
        };
        let done = self.kept.get(pid);
        let history = player.history();
        let moved = match self.moved.entry(pid) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(Moved {
                done,
                open: FxHashMap::default(),
                before: history.sends(pid, done)?,
                sent: Vec::new(),
            }),
        };
        moved.done += 1;
        let number = moved.done;
        let Some(then) = self.record.step(pid, number) else {
            self.lost = true;
            return Ok(());
        };
        let now = doing.with(content);
        count(&mut moved.open, now, 1);
        count(&mut moved.open, then, -1);
        match moved.open.is_empty() {
            true => self.open.remove(&pid),
            false => self.open.insert(pid),
        };
        let (to, holds) = doing.sent.unwrap_or((pid, doing.what));
        let sends = history.sends(pid, number)? - history.sends(pid, number - 1)?;
        moved.sent.extend((0..sends).map(|_| Content { to, holds }));
        let made = history.action(pid, number)?;
        let writes = causality::accesses(pid, &made).filter(|access| access.write);
        self.writes
            .extend(writes.map(|access| (access.resource, access.version.0, pid, now)));
        if let Some(action) = self.record.action(pid, number)? {
            let writes = causality::accesses(pid, &action).filter(|access| access.write);
            self.recorded_writes
                .extend(writes.map(|access| (access.resource, access.version.0, pid, then)));
        }
        Ok(())
    }

    /// What a signal of the continuation holds.
    fn content(&self, tag: Tag) -> u64 {
        if let Tag::Sent { by, k } = tag
            && let Some(moved) = self.moved.get(&by)
            && k.0 > moved.before
        {
            let sent = usize::try_from(k.0 - moved.before - 1).ok();
            return sent.and_then(|at| moved.sent.get(at)).map_or(0, |sent| sent.holds);
        }
        self.record.content(tag)
    }

    /// Has each process sent the same to each other one, in the same order?
    fn sends_are_equal(&self) -> bool {
        self.moved.iter().all(|(pid, moved)| {
            let then = self.record.sent(*pid, moved.before, moved.done);
            then.len() == moved.sent.len() && by_receiver(then) == by_receiver(&moved.sent)
        })
    }

    /// Has what used a shared thing in the record before one of these writes used it here, too? Else it would still come, and see the write.
    fn uses_are_done(&self) -> Result<bool, Error> {
        let is_done = |id: ActionId| {
            let moved = self.moved.get(&id.pid).map(|moved| moved.done);
            id.number.0 <= moved.unwrap_or_else(|| self.kept.get(id.pid))
        };
        let mut last: FxHashMap<Resource, u64> = FxHashMap::default();
        for (resource, version, ..) in &self.recorded_writes {
            let last = last.entry(*resource).or_default();
            *last = (*last).max(*version);
        }
        for (resource, last) in last {
            let versions = self.record.versions(resource)?;
            if !versions.iter().all(|(id, version)| *version >= last || is_done(*id)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn states_are_equal(&mut self, player: &Player) -> Result<bool, Error> {
        let there = self.moved.iter().map(|(pid, moved)| ActionId::new(*pid, moved.done));
        let mut recorded = self.recorded.clone();
        let steps = self.moved.iter().map(|(pid, moved)| moved.done - self.kept.get(*pid));
        self.repeated += steps.sum::<u64>();
        // These actions alone cannot be repeated: something else came before them.
        if recorded.forward_to(there).is_err() {
            return Ok(false);
        }
        let total = |player: &Player| player.look(|system| system.total_actions);
        if total(&recorded) != total(player) {
            return Ok(false);
        }
        let mut now = player.clone();
        for (pid, moved) in &self.moved {
            let is_there = recorded.done(*pid) == moved.done;
            if !is_there || recorded.state(*pid)? != now.state(*pid)? {
                return Ok(false);
            }
        }
        // Where the writes came in another order, the values count. A replay may make those of the record in any order: their versions tell it.
        self.recorded_writes.sort_by_key(|(_, version, ..)| *version);
        let then = by_resource(&self.recorded_writes);
        let differ = by_resource(&self.writes).into_iter().filter(|(resource, writes)| {
            // The contents of a table are those of its keys.
            !matches!(resource, Resource::TableContents(_)) && then.get(resource) != Some(writes)
        });
        let value = |player: &Player, resource: Resource| player.look(|system| system.shared_value(resource));
        let mut values = differ.map(|(resource, _)| (value(&recorded, resource), value(&now, resource)));
        Ok(values.all(|(then, now)| then.is_some() && then == now))
    }
}

fn count(open: &mut FxHashMap<u64, i32>, step: u64, by: i32) {
    let many = open.entry(step).or_default();
    *many += by;
    if *many == 0 {
        open.remove(&step);
    }
}

fn by_receiver(sent: &[Content]) -> FxHashMap<Pid, Vec<u64>> {
    let mut all: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    for Content { to, holds } in sent {
        all.entry(*to).or_default().push(*holds);
    }
    all
}

fn by_resource(writes: &[Write]) -> FxHashMap<Resource, Vec<(Pid, u64)>> {
    let mut all: FxHashMap<Resource, Vec<(Pid, u64)>> = FxHashMap::default();
    for (resource, _, pid, step) in writes {
        all.entry(*resource).or_default().push((*pid, *step));
    }
    all
}
