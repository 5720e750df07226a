//! How a step reads and writes the keys and the contents of a table.

use std::sync::Arc;

use interpreter::term::{Reference, Term};
use log_format::{Access, ActionId, Version};

use crate::ids;
use crate::ops::badarg;
use crate::state::order::{AwaitedWrite, version_read};
use crate::state::tables::contents::{Newest, RowPlace};
use crate::state::tables::objects::Objects;
use crate::state::tables::table::TableKey;
use crate::step::{Interrupt, Step};

impl Step<'_> {
    pub(crate) fn ets_place(&mut self, id: Reference, key: Term) -> Result<RowPlace, Interrupt> {
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        Ok(table.contents.place(&self.process.machine.heap, key, table.kind))
    }

    /// Reads the objects of a key.
    pub(crate) fn ets_get(&mut self, id: Reference, key: Term) -> Result<(RowPlace, Objects), Interrupt> {
        let place = self.ets_place(id, key)?;
        let objects = self.ets_read(id, place)?;
        Ok((place, objects))
    }

    /// Reads the objects of a key: now, or as the log says.
    pub(crate) fn ets_read(&mut self, id: Reference, place: RowPlace) -> Result<Objects, Interrupt> {
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        let Some(order) = self.process.mode.order() else {
            let Newest { version, by, objects } = table.contents.newest(place);
            self.accesses.push(Access::read(resource, Version(version), by));
            return Ok(objects);
        };
        let access = order.reads_key(resource, ids::object(id), &table.contents);
        let access =
            access.map_err(|held| self.held(held, "read a key of a table that the recorded step did not use"))?;
        let objects = table.contents.at(place, version_read(&access).0);
        if !access.write {
            self.accesses.push(access);
        }
        Ok(objects)
    }

    /// Writes a key; `key` must be given unless `objects` is empty. `reads`: this step has read what it contained ([`Self::ets_read`], whose
    /// access this replaces).
    pub(crate) fn ets_write(
        &mut self,
        id: Reference,
        place: RowPlace,
        key: Option<TableKey>,
        objects: Objects,
        reads: bool,
    ) -> Result<(), Interrupt> {
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let resource = table.key_resource(place);
        let logged = self.logged_write(resource, "a key of a table")?;
        let access = logged.unwrap_or_else(|| {
            let version = Version(table.contents.version() + 1);
            if reads {
                Access::update(resource, version, table.contents.newest(place).by)
            } else {
                Access::write(resource, version)
            }
        });
        let me = ActionId::new(ids::to_log(self.process.pid), self.process.actions + 1);
        if let Some(table) = self.world.tables.get_mut(&id) {
            let before = table.contents.words();
            Arc::make_mut(&mut table.contents).write(place, key, access.version.0, me, objects);
            let after = table.contents.words();
            self.world.table_words = (self.world.table_words + after).saturating_sub(before);
        }
        self.accesses.put(access);
        let many = self
            .world
            .tables
            .get(&id)
            .is_some_and(|table| table.contents.keeps_many());
        if many && !self.sink.goes_back() {
            self.forget_versions(id);
        }
        self.world.wake(AwaitedWrite::Contents(ids::object(id), me));
        Ok(())
    }

    /// Reads the contents as a whole; returns their version.
    pub(crate) fn ets_scan_version(&mut self, id: Reference) -> Result<u64, Interrupt> {
        let table = self.world.tables.get_mut(&id).ok_or_else(badarg)?;
        let resource = table.contents_resource();
        let Some(order) = self.process.mode.order() else {
            let version = Version(table.contents.version());
            let writers = Arc::make_mut(&mut table.contents).writers();
            if writers.is_empty() {
                self.accesses.push(Access::read(resource, version, None));
            }
            let reads = writers.into_iter().map(|by| Access::read(resource, version, Some(by)));
            self.accesses.extend(reads);
            return Ok(version.0);
        };
        let reads = order.reads_contents(resource, ids::object(id), &table.contents);
        let reads = reads.map_err(|held| self.held(held, "look at a whole table, which the recorded step did not"))?;
        let version = reads.first().map_or(0, |access| access.version.0);
        self.accesses.extend(reads);
        Ok(version)
    }
}
