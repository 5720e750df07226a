//! Counters (`counters`, `atomics`). Additions commute, so consecutive ones without a read in between share a version and have no order
//! (semantics.md §4).
//!
//! A read depends on every write that is not overwritten: it lists the last such action of each process; the earlier ones are in its past.

use log_format::{Access, ActionId, Resource, Version};

use crate::ids;
use crate::state::order::{AwaitedWrite, Sum};
use crate::state::tally::Change;
use crate::step::{Interrupt, Step};

impl Step<'_> {
    /// Reads a counter: now, or as the log says.
    pub(crate) fn tally(&mut self, resource: Resource) -> Result<i64, Interrupt> {
        let keep = self.world.resources.keeps();
        let Some(order) = self.process.mode.order() else {
            let tally = self.world.resources.tallies.get_or_default(resource);
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
        let tally = self.world.resources.tallies.get_or_default(resource);
        let sum = order.reads_sum(resource, tally);
        let Sum { version, uses } =
            sum.map_err(|held| self.held(held, "read a counter that the recorded step did not use"))?;
        let tally = self.world.resources.tallies.get_or_default(resource);
        // Who adds beyond the log makes a new version.
        tally.open &= version < tally.version;
        let value = tally.at(version);
        self.accesses.extend(uses.iter().filter(|access| !access.write));
        Ok(value)
    }

    /// Writes a counter. If the step has read it by [`Self::tally`], the read becomes part of the write where possible.
    pub(crate) fn change_tally(&mut self, resource: Resource, change: Change) -> Result<(), Interrupt> {
        // The reads of a step come before its writes.
        let tally = self.world.resources.tallies.get_or_default(resource);
        let logged = self.process.mode.order().map(|order| order.writes_sum(resource, tally));
        let logged = logged.transpose();
        let logged = logged.map_err(|held| self.held(held, "write a counter that the recorded step did not write"))?;
        let keep = self.world.resources.keeps();
        let may_join = !keep || self.world.purpose.beyond().is_some_and(|beyond| beyond.joins_sums);
        let me = ActionId::new(ids::to_log(self.process.pid), self.process.actions + 1);
        let tally = self.world.resources.tallies.get_or_default(resource);
        let reads: Vec<Access> = self
            .accesses
            .iter()
            .filter(|a| a.resource == resource)
            .copied()
            .collect();
        let access = logged.unwrap_or_else(|| {
            let joins = matches!(change, Change::Add(_)) && tally.open && may_join;
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
            tally.make(version, change);
        }
        tally.writers.insert(me.pid, (me.number, version));
        self.world.wake(AwaitedWrite::Written(resource, me));
        Ok(())
    }
}
