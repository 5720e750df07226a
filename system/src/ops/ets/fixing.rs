//! `safe_fixtable`. Whether a table is fixed by any process is a resource of its own. It is written when the first process fixes the table, and
//! when the last one releases it. By which processes, how often and since when is observed.

use interpreter::term::{Reference, Term};
use log_format::{Access, OtherResource, Resource, Version};

use super::Want;
use crate::ids;
use crate::ops::{FALSE, OpResult, TRUE, badarg};
use crate::state::resources::Value;
use crate::state::tables::contents::RowPlace;
use crate::step::{Interrupt, Step};
use crate::world::World;

/// `safe_fixtable/2`.
pub(super) fn safe_fixtable(step: &mut Step<'_>) -> OpResult {
    let [table, on] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let on = on.as_bool().ok_or_else(badarg)?;
    let now = step.world.now();
    let table = step.world.tables.get_mut(&id).ok_or_else(badarg)?;
    let version = table.contents.version();
    let was = !table.fixed.is_empty();
    let mut times = table.fixed.get(&step.process.pid).copied().unwrap_or_default();
    times = if on { times + 1 } else { times.saturating_sub(1) };
    if times > 0 {
        table.fixed.insert(step.process.pid, times);
    } else {
        table.fixed.remove(&step.process.pid);
    }
    let is = !table.fixed.is_empty();
    if is && !was {
        table.fixed_since = now;
    }
    step.process.rare.fixes.retain(|fixed| *fixed != id);
    if times > 0 {
        step.process.rare.fixes.push(id);
    }
    let resource = step.world.ets_fix_resource(id);
    let changed = step.writes(resource, |_| was != is);
    if changed {
        let value = match on {
            true => Value::Number(i64::try_from(version).unwrap_or(i64::MAX)),
            false => Value::Absent,
        };
        step.write(resource, value, false)?;
    }
    Ok(TRUE)
}

impl Step<'_> {
    /// The version of its contents since which a table has been fixed by any process. Read like any resource, except if it was never fixed.
    pub(crate) fn ets_fixed_since(&mut self, id: Reference) -> Result<Option<u64>, Interrupt> {
        let resource = self.world.ets_fix_resource(id);
        let was_fixed = self.uses(resource, |world| world.resources.was_written(resource));
        if !was_fixed {
            return Ok(None);
        }
        Ok(match self.read(resource)? {
            Value::Number(version) => u64::try_from(version).ok(),
            _ => None,
        })
    }

    /// May a walk over the table continue from a key that has been deleted? If so, the step depends on the deletion.
    pub(crate) fn ets_lingers(&mut self, id: Reference, place: RowPlace) -> Result<bool, Interrupt> {
        let Some(since) = self.ets_fixed_since(id)? else {
            return Ok(false);
        };
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        if let Some(feed) = self.process.mode.log() {
            let logged = feed.access(resource);
            self.accesses.extend(logged);
            return Ok(logged.is_some());
        }
        let newest = table.contents.newest(place);
        let lingers = table.contents.emptied(place) > since;
        if lingers {
            self.accesses
                .push(Access::read(resource, Version(newest.version), newest.by));
        }
        Ok(lingers)
    }

    /// `{Since, [{Pid, Times}]}` if the table is fixed, else `false`.
    pub(crate) fn ets_fixers(&mut self, id: Reference, as_timestamp: bool) -> OpResult {
        self.ets_fixed_since(id)?;
        self.observe(None, |sys, heap| {
            let Some((since, fixers)) = sys
                .tables
                .get(&id)
                .map(|table| (table.fixed_since, table.fixed.clone()))
            else {
                return FALSE;
            };
            if fixers.is_empty() {
                return FALSE;
            }
            let time = sys.time_of(heap, since, as_timestamp);
            let mut pairs = Vec::with_capacity(fixers.len());
            for (pid, times) in fixers {
                let times = heap.make_int(i64::try_from(times).unwrap_or(i64::MAX));
                pairs.push(heap.make_tuple(&[Term::pid(pid), times]));
            }
            let pairs = heap.make_list(&pairs);
            heap.make_tuple(&[time, pairs])
        })
    }

    /// A process that ends releases the tables that it has fixed.
    pub(crate) fn ets_let_go(&mut self) -> Result<(), Interrupt> {
        let mut fixes = self.process.rare.take(|rare| &mut rare.fixes);
        fixes.sort_unstable();
        for id in fixes {
            let Some(table) = self.world.tables.get_mut(&id) else {
                continue;
            };
            table.fixed.remove(&self.process.pid);
            // The log's writes are made together with those of the tables.
            if self.process.mode.log().is_none() && table.fixed.is_empty() {
                let resource = self.world.ets_fix_resource(id);
                self.write(resource, Value::Absent, false)?;
            }
        }
        Ok(())
    }
}

impl World {
    pub(crate) fn ets_fix_resource(&mut self, id: Reference) -> Resource {
        let id = ids::object(id).to_string();
        let fixed = OtherResource::TableFixed(&id).to_string();
        Resource::Other(self.resources.text(&fixed))
    }
}
