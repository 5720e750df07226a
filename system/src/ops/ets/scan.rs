//! Operations on whole tables: each reads a version of the contents.

use interpreter::atom::Atom;
use interpreter::term::{Reference, Term};
use log_format::{Access, Resource};

use super::{Want, list_of, matching};
use crate::ids;
use crate::ops::{OpResult, TRUE, badarg};
use crate::state::tables::contents::RowPlace;
use crate::state::tables::objects::Objects;
use crate::state::tables::table::TableKey;
use crate::step::{Interrupt, Step};

pub(super) fn tab2list(step: &mut Step<'_>) -> OpResult {
    let [table] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let rows = step.ets_rows(id)?;
    let heap = &mut step.process.machine.heap;
    let all = rows.iter().flat_map(|(_, objects)| objects.iter());
    let all: Vec<Term> = all.map(|object| heap.import(object)).collect();
    Ok(heap.make_list(&all))
}

pub(super) fn first(step: &mut Step<'_>) -> OpResult {
    let [table] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    step.ets_step(id, None, false)
}

/// Tables without an order can be walked in one direction only.
pub(super) fn last(step: &mut Step<'_>) -> OpResult {
    let [table] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let back = step.world.ets_kind(id).0 == super::TableKind::OrderedSet;
    step.ets_step(id, None, back)
}

pub(super) fn next(step: &mut Step<'_>) -> OpResult {
    step.ets_walk(false)
}

pub(super) fn prev(step: &mut Step<'_>) -> OpResult {
    step.ets_walk(true)
}

pub(super) fn first_lookup(step: &mut Step<'_>) -> OpResult {
    let key = first(step)?;
    step.ets_with_objects(key)
}

pub(super) fn last_lookup(step: &mut Step<'_>) -> OpResult {
    let key = last(step)?;
    step.ets_with_objects(key)
}

pub(super) fn next_lookup(step: &mut Step<'_>) -> OpResult {
    let key = step.ets_walk(false)?;
    step.ets_with_objects(key)
}

pub(super) fn prev_lookup(step: &mut Step<'_>) -> OpResult {
    let key = step.ets_walk(true)?;
    step.ets_with_objects(key)
}

pub(super) fn slot(step: &mut Step<'_>) -> OpResult {
    let [table, i] = step.args();
    let id = step.ets_table(table, Want::Read)?;
    let i = i.as_small().and_then(|n| usize::try_from(n).ok()).ok_or_else(badarg)?;
    let rows = step.ets_rows(id)?;
    match rows.get(i) {
        Some((_, objects)) => Ok(list_of(step, objects)),
        None if i == rows.len() => Ok(end_of_table()),
        None => Err(badarg()),
    }
}

pub(super) fn delete_all_objects(step: &mut Step<'_>) -> OpResult {
    let [table] = step.args();
    let id = step.ets_table(table, Want::Write)?;
    // Which keys it removes depends on what is there. (Older traces do not say so.)
    let contents = Resource::TableContents(ids::object(id));
    let says = |accesses: &[Access]| accesses.iter().any(|access| access.resource == contents);
    if step.logged_accesses().is_none_or(says) {
        step.ets_scan_version(id)?;
    }
    for place in step.ets_present(id)? {
        step.ets_write(id, place, None, Objects::default(), false)?;
    }
    Ok(TRUE)
}

impl Step<'_> {
    /// The key before or after the one that the program names.
    fn ets_walk(&mut self, back: bool) -> OpResult {
        let [table, from] = self.args();
        let id = self.ets_table(table, Want::Read)?;
        let (kind, _) = self.world.ets_kind(id);
        let key = TableKey::new(&self.process.machine.heap, from, kind);
        let ordered = kind == super::TableKind::OrderedSet;
        let answer = self.ets_step(id, Some(&key), back && ordered)?;
        if !ordered {
            self.ets_may_walk_from(id, from)?;
        } else if from == end_of_table() {
            return Err(badarg());
        }
        Ok(answer)
    }

    /// In a table without an order, a walk may continue only from a key that is present, unless the table is fixed.
    fn ets_may_walk_from(&mut self, id: Reference, from: Term) -> Result<(), Interrupt> {
        let place = self.ets_place(id, from)?;
        if !self.ets_seen(id, place)?.is_empty() {
            return Ok(());
        }
        match self.ets_lingers(id, place)? {
            true => Ok(()),
            false => Err(badarg()),
        }
    }

    /// The objects of a place in the version of the contents that this step has read.
    fn ets_seen(&self, id: Reference, place: RowPlace) -> Result<Objects, Interrupt> {
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let contents = table.contents_resource();
        let read = self.accesses.iter().find(|a| a.resource == contents);
        let version = read.map_or(0, |a| a.version.0);
        Ok(table.contents.at(place, version))
    }

    /// `{Key, Objects}` for a key that this step has found in its walk, and the end of the table for that.
    fn ets_with_objects(&mut self, key: Term) -> OpResult {
        let [table] = self.args();
        if key == end_of_table() {
            return Ok(key);
        }
        let id = self.ets_table(table, Want::Read)?;
        let place = self.ets_place(id, key)?;
        let objects = self.ets_seen(id, place)?;
        let objects = list_of(self, &objects);
        Ok(self.process.machine.heap.make_tuple(&[key, objects]))
    }

    /// Every key with objects, in key order, with the objects.
    pub(crate) fn ets_rows(&mut self, id: Reference) -> Result<Vec<(TableKey, Objects)>, Interrupt> {
        let version = self.ets_scan_version(id)?;
        Ok(self.world.tables.get(&id).ok_or_else(badarg)?.contents.all(version))
    }

    /// The rows that a pattern can match: if all its heads bind the key, only these keys are examined.
    pub(crate) fn ets_candidates(
        &mut self,
        id: Reference,
        heads: &[Term],
    ) -> Result<Vec<(TableKey, Objects)>, Interrupt> {
        match self.ets_bound(id, heads)? {
            Some(rows) => Ok(rows),
            None => {
                let version = self.ets_scan_version(id)?;
                let within = self.ets_range(id, heads);
                let contents = &self.world.tables.get(&id).ok_or_else(badarg)?.contents;
                Ok(contents.some(version, None, false, usize::MAX, within.as_ref()))
            }
        }
    }

    /// The range of an `ordered_set` that contains all keys that a pattern can match, if it binds the first elements of a tuple. (The whole
    /// table is read all the same.)
    pub(crate) fn ets_range(&self, id: Reference, heads: &[Term]) -> Option<[TableKey; 2]> {
        let (kind, position) = self.world.ets_kind(id);
        let &[head] = heads else { return None };
        let heap = &self.process.machine.heap;
        let key = *heap.tuple(head)?.get(position - 1)?;
        let elements = heap.tuple(key).filter(|_| kind == super::TableKind::OrderedSet)?;
        let bound = elements
            .iter()
            .take_while(|&&element| matching::is_ground(heap, element));
        let begin = &elements[..bound.count()];
        (!begin.is_empty()).then(|| TableKey::range(heap, begin, elements.len()))
    }

    /// The rows of the keys that the heads of a pattern bind; `None` if one head does not.
    pub(crate) fn ets_bound(
        &mut self,
        id: Reference,
        heads: &[Term],
    ) -> Result<Option<Vec<(TableKey, Objects)>>, Interrupt> {
        let (kind, position) = self.world.ets_kind(id);
        let bound = |head: &Term| {
            let key = *self.process.machine.heap.tuple(*head)?.get(position - 1)?;
            matching::is_ground(&self.process.machine.heap, key).then_some(key)
        };
        let Some(keys) = heads.iter().map(bound).collect::<Option<Vec<Term>>>() else {
            return Ok(None);
        };
        let mut keys: Vec<TableKey> = keys
            .into_iter()
            .map(|key| TableKey::new(&self.process.machine.heap, key, kind))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut rows = Vec::new();
        for key in keys {
            let place = self
                .world
                .tables
                .get(&id)
                .ok_or_else(badarg)?
                .contents
                .place_of(&key, kind);
            let objects = self.ets_read(id, place)?;
            if !objects.is_empty() {
                rows.push((key, objects));
            }
        }
        Ok(Some(rows))
    }

    /// The key before or after one, or the first or last.
    pub(crate) fn ets_step(&mut self, id: Reference, key: Option<&TableKey>, back: bool) -> OpResult {
        let version = self.ets_scan_version(id)?;
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let position = table.key_position;
        let Some((found, object)) = table.contents.step(version, key, back) else {
            return Ok(end_of_table());
        };
        let heap = &mut self.process.machine.heap;
        let own = object.map(|object| heap.import(&object));
        let own = own.and_then(|object| heap.tuple(object)?.get(position - 1).copied());
        Ok(own.unwrap_or_else(|| found.import(heap)))
    }

    /// The keys that a blind deletion of all deletes: those that are present, or those that the log names.
    pub(crate) fn ets_present(&self, id: Reference) -> Result<Vec<RowPlace>, Interrupt> {
        let table = self.world.tables.get(&id).ok_or_else(badarg)?;
        let object = ids::object(id);
        Ok(match self.logged_accesses() {
            None => table.contents.present(),
            Some(accesses) => {
                let of_table = accesses.iter().filter_map(|a| match a.resource {
                    Resource::TableKey { table, key } if table == object => Some(RowPlace(key)),
                    _ => None,
                });
                of_table.collect()
            }
        })
    }
}

pub(crate) fn end_of_table() -> Term {
    Term::atom(Atom::new("$end_of_table"))
}
