//! Counters (`counters`, `atomics`). Additions commute, so consecutive ones without a read in between share a version and have no order
//! (semantics.md §4).
//!
//! A read depends on every write that is not overwritten: it lists the last such action of each process; the earlier ones are in its past.

use std::collections::BTreeMap;

use log_format::{Access, ActionId, ActionNo, Pid, Resource, Version};

use crate::ids;
use crate::resources::Wanted;
use crate::step::{Interrupt, Step};

/// One counter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The newest version.
    version: u64,
    /// Does the newest version consist of additions that have not been read?
    open: bool,
    /// Its value. Not used in replay, where `versions` has it.
    value: i64,
    /// For each process that wrote it, its last such action and the version. When recording, only writes that are not overwritten.
    writers: BTreeMap<Pid, (ActionNo, u64)>,
    /// Replay: what each version did.
    versions: BTreeMap<u64, Made>,
}

/// What a version did to a counter.
#[derive(Clone, Copy, Debug, Default)]
struct Made {
    /// It was set to this.
    set: Option<i64>,
    /// The sum of what was added.
    added: i64,
    /// The value including all earlier versions, once it was read.
    known: Option<i64>,
}

/// What a step does to a counter.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    /// It adds to it, blind.
    Add(i64),
    /// It sets it.
    Set(i64),
}

impl Tally {
    fn was_written_by(&self, ActionId { pid, number }: ActionId) -> bool {
        self.writers.get(&pid).is_some_and(|(last, _)| *last >= number)
    }

    /// Replay: the value at a version; all its writes have been done.
    fn at(&self, version: u64) -> i64 {
        let mut sum = 0_i64;
        for made in self.versions.range(..=version).rev().map(|(_, made)| made) {
            if let Some(value) = made.known {
                return sum.wrapping_add(value);
            }
            sum = sum.wrapping_add(made.added);
            if let Some(value) = made.set {
                return sum.wrapping_add(value);
            }
        }
        sum
    }

    /// The last actions that contribute to the current value.
    fn seen(&self, keep: bool) -> Vec<ActionId> {
        let set = self.versions.iter().rev().find(|(_, made)| made.set.is_some());
        let from = if keep {
            set.map_or(0, |(version, _)| *version)
        } else {
            0
        };
        let writers = self.writers.iter().filter(|(_, (_, version))| *version >= from);
        writers
            .map(|(pid, (number, _))| ActionId {
                pid: *pid,
                number: *number,
            })
            .collect()
    }
}

impl Step<'_> {
    /// Reads a counter: now, or as the log says.
    pub(crate) fn tally(&mut self, resource: Resource) -> Result<i64, Interrupt> {
        let keep = self.world.resources.keeps();
        let Some(accesses) = self.logged_accesses() else {
            let tally = self.world.resources.tallies.entry(resource).or_default();
            tally.open = false;
            let version = Version(tally.version);
            let seen = tally.seen(keep);
            let value = if keep { tally.at(tally.version) } else { tally.value };
            if seen.is_empty() {
                self.accesses.push(Access::read(resource, version, None));
            }
            let reads = seen.into_iter().map(|by| Access::read(resource, version, Some(by)));
            self.accesses.extend(reads);
            return Ok(value);
        };
        let uses: Vec<Access> = accesses.iter().filter(|a| a.resource == resource).copied().collect();
        let write = uses.iter().find(|access| access.write);
        let version = match (write, uses.first()) {
            (Some(write), _) => write.version.0.saturating_sub(1),
            (None, Some(read)) => read.version.0,
            (None, None) => {
                return Err(self.unexpected("read a counter that the recorded step did not use"));
            }
        };
        let tally = self.world.resources.tallies.entry(resource).or_default();
        for by in uses.iter().filter_map(|access| access.by) {
            if !tally.was_written_by(by) {
                return Err(Interrupt::Blocked(Wanted::Written(resource, by)));
            }
        }
        let value = tally.at(version);
        if let Some(made) = tally.versions.get_mut(&version) {
            made.known = Some(value);
        }
        self.accesses.extend(uses.iter().filter(|access| !access.write));
        Ok(value)
    }

    /// Writes a counter. If the step has read it by [`Self::tally`], the read becomes part of the write where possible.
    pub(crate) fn change_tally(&mut self, resource: Resource, change: Change) -> Result<(), Interrupt> {
        // The reads of a step come before its writes.
        let logged = match self.logged_accesses() {
            None => None,
            Some(accesses) => {
                let mut writes = accesses.iter().filter(|access| access.write);
                match writes.find(|access| access.resource == resource) {
                    Some(write) => Some(*write),
                    None => return Err(self.unexpected("write a counter that the recorded step did not write")),
                }
            }
        };
        let keep = self.world.resources.keeps();
        let me = ActionId::new(ids::to_log(self.process.pid), self.process.actions + 1);
        let tally = self.world.resources.tallies.entry(resource).or_default();
        if let Some(by) = logged.and_then(|access| access.by)
            && !tally.was_written_by(by)
        {
            // Additions have no order of their own, but an order in the log is kept.
            return Err(Interrupt::Blocked(Wanted::Written(resource, by)));
        }
        let reads: Vec<Access> = self
            .accesses
            .iter()
            .filter(|a| a.resource == resource)
            .copied()
            .collect();
        let access = logged.unwrap_or_else(|| {
            let joins = matches!(change, Change::Add(_)) && tally.open && !keep;
            let version = Version(tally.version + u64::from(!joins));
            match reads[..] {
                [read] => Access::update(resource, version, read.by),
                _ => Access::write(resource, version),
            }
        });
        if reads.len() == 1 {
            self.accesses.retain(|a| a.resource != resource);
        }
        self.accesses.push(access);
        let version = access.version.0;
        if version >= tally.version {
            tally.version = version;
            tally.open = matches!(change, Change::Add(_));
        }
        match change {
            Change::Add(n) => tally.value = tally.value.wrapping_add(n),
            Change::Set(n) => {
                tally.value = n;
                if !keep {
                    tally.writers.clear();
                }
            }
        }
        if keep {
            let made = tally.versions.entry(version).or_default();
            match change {
                Change::Add(n) => made.added = made.added.wrapping_add(n),
                Change::Set(n) => made.set = Some(n),
            }
        }
        tally.writers.insert(me.pid, (me.number, version));
        self.world.wake(Wanted::Written(resource, me));
        Ok(())
    }
}
