//! `safe_fixtable`. That some process has fixed a table is a resource of its own, written where the first fixes it and where the last lets
//! go; who, how often and since when, is observed.

use interpreter::term::{Reference, Term};
use log_format::{Access, Resource, Version};

use super::{Place, Want};
use crate::effects::{Answer, FALSE, TRUE, badarg};
use crate::ids;
use crate::observer::Observer;
use crate::process::Process;
use crate::resources::Value;
use crate::system::{Interrupt, System};

impl<O: Observer> System<O> {
    fn ets_fix_resource(&mut self, id: Reference) -> Resource {
        let id = ids::object(id);
        Resource::Other(self.resources.text(&format!("ets:fixed:{id}")))
    }

    /// `safe_fixtable/2`.
    pub(super) fn ets_fix(&mut self, p: &mut Process<O::Log>, table: Term, on: Term) -> Answer {
        let id = self.ets_table(p, table, Want::Read)?;
        let on = on.as_bool().ok_or_else(badarg)?;
        let now = self.now();
        let table = self.tables.get_mut(&id).ok_or_else(badarg)?;
        let version = table.contents.version();
        let was = !table.fixed.is_empty();
        let mut times = table.fixed.get(&p.pid).copied().unwrap_or_default();
        times = if on { times + 1 } else { times.saturating_sub(1) };
        if times > 0 {
            table.fixed.insert(p.pid, times);
        } else {
            table.fixed.remove(&p.pid);
        }
        let is = !table.fixed.is_empty();
        if is && !was {
            table.fixed_since = now;
        }
        p.rare.fixes.retain(|fixed| *fixed != id);
        if times > 0 {
            p.rare.fixes.push(id);
        }
        let resource = self.ets_fix_resource(id);
        let changed = match &p.feed {
            Some(feed) => feed.access(resource).is_some_and(|access| access.write),
            None => was != is,
        };
        if changed {
            let value = match on {
                true => Value::Number(i64::try_from(version).unwrap_or(i64::MAX)),
                false => Value::Absent,
            };
            self.write(p, resource, value, false)?;
        }
        Ok(TRUE)
    }

    /// The version of its contents since which a table is fixed, by whomever. Read like any resource, but not where it never was.
    pub(super) fn ets_fixed_since(&mut self, p: &Process<O::Log>, id: Reference) -> Result<Option<u64>, Interrupt> {
        let resource = self.ets_fix_resource(id);
        let was_fixed = match &p.feed {
            Some(feed) => feed.access(resource).is_some(),
            None => self.resources.was_written(resource),
        };
        if !was_fixed {
            return Ok(None);
        }
        Ok(match self.read(p, resource)? {
            Value::Number(version) => u64::try_from(version).ok(),
            _ => None,
        })
    }

    /// May the table be walked on from a key that is not there any more? If so, the step depends on who deleted it.
    pub(super) fn ets_lingers(&mut self, p: &Process<O::Log>, id: Reference, place: Place) -> Result<bool, Interrupt> {
        let Some(since) = self.ets_fixed_since(p, id)? else {
            return Ok(false);
        };
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        if let Some(feed) = &p.feed {
            return Ok(match feed.access(resource) {
                Some(access) => {
                    self.accesses.push(access);
                    true
                }
                None => false,
            });
        }
        let newest = table.contents.newest(place);
        let lingers = table.contents.emptied(place) > since;
        if lingers {
            self.accesses
                .push(Access::read(resource, Version(newest.version), newest.by));
        }
        Ok(lingers)
    }

    /// `{Since, [{Pid, Times}]}` of a table that is fixed, else `false`.
    pub(super) fn ets_fixers(&mut self, p: &mut Process<O::Log>, id: Reference, as_timestamp: bool) -> Answer {
        self.ets_fixed_since(p, id)?;
        self.observe(p, None, |sys, heap| {
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

    /// A process that ends lets go of the tables that it has fixed.
    pub(crate) fn ets_let_go(&mut self, p: &mut Process<O::Log>) -> Result<(), Interrupt> {
        let mut fixes = p.rare.take(|rare| &mut rare.fixes);
        fixes.sort_unstable();
        for id in fixes {
            let Some(table) = self.tables.get_mut(&id) else {
                continue;
            };
            table.fixed.remove(&p.pid);
            // What the log writes is written with the tables.
            if p.feed.is_none() && table.fixed.is_empty() {
                let resource = self.ets_fix_resource(id);
                self.write(p, resource, Value::Absent, false)?;
            }
        }
        Ok(())
    }
}
