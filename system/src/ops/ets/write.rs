//! Operations that write objects.

use interpreter::heap::{Fragment, Heap};
use interpreter::newer::Newer;
use interpreter::term::{Reference, Term};
use interpreter::{arith, ops};
use rustc_hash::FxHashMap;

use super::{Want, list_of};
use crate::ops::{OpResult, TRUE, badarg, badarg_because};
use crate::state::tables::contents::RowPlace;
use crate::state::tables::objects::Objects;
use crate::state::tables::table::{TableKey, TableKind};
use crate::step::{Interrupt, Step};

pub(super) fn insert(step: &mut Step<'_>) -> OpResult {
    let [table, objects] = step.args();
    step.ets_insert(table, objects, false)
}

pub(super) fn insert_new(step: &mut Step<'_>) -> OpResult {
    let [table, objects] = step.args();
    step.ets_insert(table, objects, true)
}

/// `delete/2`.
pub(super) fn delete(step: &mut Step<'_>) -> OpResult {
    let [table, key] = step.args();
    let id = step.ets_table(table, Want::Write)?;
    let place = step.ets_place(id, key)?;
    step.ets_write(id, place, None, Objects::default(), false)?;
    Ok(TRUE)
}

pub(super) fn take(step: &mut Step<'_>) -> OpResult {
    let [table, key] = step.args();
    let id = step.ets_table(table, Want::Write)?;
    let (place, objects) = step.ets_get(id, key)?;
    if !objects.is_empty() {
        step.ets_write(id, place, None, Objects::default(), true)?;
    }
    Ok(list_of(step, &objects))
}

pub(super) fn update_counter(step: &mut Step<'_>) -> OpResult {
    let [t, key, updates, default] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let (_, position) = step.world.ets_kind(id);
    if default != Term::NONE && step.process.machine.heap.tuple(default).is_none() {
        return Err(badarg());
    }
    let (place, found) = step.ets_single(id, key, Some("table_type"))?;
    let mut object = match found {
        Some(object) => object,
        None if default != Term::NONE => {
            let mut object = step.process.machine.heap.tuple(default).ok_or_else(badarg)?.to_vec();
            let explained = step.world.ets_kind(id).0 == TableKind::OrderedSet || !object.is_empty();
            let small = || match explained {
                _ if Newer::CausesOfTables.is_in(step.release()) => badarg_because("default"),
                true => badarg_because("position"),
                false => badarg(),
            };
            *object.get_mut(position - 1).ok_or_else(small)? = key;
            object
        }
        None => return Err(badarg_because("badkey")),
    };
    let (list, single) = match step.process.machine.heap.list(updates) {
        Some(list) => (list, false),
        None => (vec![updates], true),
    };
    let mut results = Vec::with_capacity(list.len());
    for update in list {
        let parts = match step.process.machine.heap.tuple(update) {
            Some(parts) => parts.to_vec(),
            None if !single => return Err(badarg()),
            None => vec![Term::small(position as i64 + 1), update],
        };
        let (at, by, limit) = match parts[..] {
            [at, by] => (at, by, None),
            [at, by, threshold, set] => (at, by, Some((threshold, set))),
            _ => return Err(badarg()),
        };
        let at = at.as_small().ok_or_else(badarg)?;
        if at == position as i64 {
            return Err(badarg_because("keypos"));
        }
        let at = usize::try_from(at - 1).map_err(|_| badarg_because("position"))?;
        let old = object.get(at).copied().ok_or_else(|| badarg_because("position"))?;
        let heap = &mut step.process.machine.heap;
        if !is_integer(heap, old) || !is_integer(heap, by) {
            return Err(badarg());
        }
        let mut new = arith::add(heap, old, by)?;
        if let Some((threshold, set)) = limit {
            if !is_integer(heap, threshold) || !is_integer(heap, set) {
                return Err(badarg());
            }
            let falling = ops::compare(heap, by, Term::small(0)).is_lt();
            let order = ops::compare(heap, new, threshold);
            if (falling && order.is_lt()) || (!falling && order.is_gt()) {
                new = set;
            }
        }
        object[at] = new;
        results.push(new);
    }
    step.ets_put(id, place, &object)?;
    Ok(if single {
        results[0]
    } else {
        step.process.machine.heap.make_list(&results)
    })
}

pub(super) fn update_element(step: &mut Step<'_>) -> OpResult {
    let [t, key, updates, default] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let (_, position) = step.world.ets_kind(id);
    if default != Term::NONE && step.process.machine.heap.tuple(default).is_none() {
        return Err(badarg());
    }
    let (place, found) = step.ets_single(id, key, None)?;
    let mut object = match found {
        Some(object) => object,
        None if default == Term::NONE => return Ok(Term::boolean(false)),
        None => {
            let mut object = step.process.machine.heap.tuple(default).ok_or_else(badarg)?.to_vec();
            *object.get_mut(position - 1).ok_or_else(|| badarg_because("default"))? = key;
            object
        }
    };
    let list = match step.process.machine.heap.list(updates) {
        Some(list) => list,
        None => vec![updates],
    };
    let explained = default != Term::NONE || Newer::CausesOfTables.is_in(step.release());
    let out_of_range = || {
        if explained {
            badarg_because("position")
        } else {
            badarg()
        }
    };
    let mut parsed = Vec::with_capacity(list.len());
    for update in list {
        let Some(&[at, value]) = step.process.machine.heap.tuple(update) else {
            return Err(badarg());
        };
        let at = at.as_small().ok_or_else(badarg)?;
        let at = usize::try_from(at).ok().filter(|&n| n > 0).ok_or_else(out_of_range)?;
        if at == position {
            return Err(badarg_because("keypos"));
        }
        parsed.push((at - 1, value));
    }
    for (at, value) in parsed {
        *object.get_mut(at).ok_or_else(out_of_range)? = value;
    }
    step.ets_put(id, place, &object)?;
    Ok(TRUE)
}

pub(super) fn delete_object(step: &mut Step<'_>) -> OpResult {
    let [t, object] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let (_, position) = step.world.ets_kind(id);
    let key = step
        .process
        .machine
        .heap
        .tuple(object)
        .and_then(|e| e.get(position - 1))
        .copied()
        .ok_or_else(badarg)?;
    let (place, objects) = step.ets_get(id, key)?;
    let heap = &mut step.process.machine.heap;
    let fragment = heap.export(object);
    let others = objects.iter().filter(|old| !is_same(heap, old, &fragment, object));
    let kept: Objects = others.cloned().collect();
    if kept.len() != objects.len() {
        let key = TableKey::new(heap, key, step.world.ets_kind(id).0);
        step.ets_write(id, place, Some(key), kept, true)?;
    }
    Ok(TRUE)
}

impl Step<'_> {
    /// The objects of `insert`: one tuple or a list of tuples, each with its key.
    pub(crate) fn ets_new_objects(&self, id: Reference, t: Term) -> Result<Vec<(Term, Term)>, Interrupt> {
        let (_, position) = self.world.ets_kind(id);
        let heap = &self.process.machine.heap;
        let objects = if heap.tuple(t).is_some() {
            vec![t]
        } else {
            heap.list(t).ok_or_else(badarg)?
        };
        objects
            .into_iter()
            .map(|object| {
                let key = heap.tuple(object).and_then(|e| e.get(position - 1)).copied();
                key.map(|key| (key, object)).ok_or_else(badarg)
            })
            .collect()
    }

    pub(crate) fn ets_insert(&mut self, t: Term, objects: Term, only_new: bool) -> OpResult {
        let id = self.ets_table(t, Want::Write)?;
        let (kind, _) = self.world.ets_kind(id);
        let mut objects = self.ets_new_objects(id, objects)?;
        if kind == TableKind::Bag && !Newer::BagOrder.is_in(self.release()) {
            // As in OTP then, the last of a list comes first.
            objects.reverse();
        }
        // The new objects of each key: objects of one key in one call are inserted one after the other.
        let reads = only_new || !kind.is_set();
        let mut pending: Vec<(RowPlace, Term, Objects)> = Vec::new();
        let mut places = FxHashMap::<u64, usize>::default();
        for (key, object) in objects {
            let place = self.ets_place(id, key)?;
            let at = match places.get(&place.0) {
                Some(at) => *at,
                None => {
                    let old = if reads {
                        self.ets_read(id, place)?
                    } else {
                        Objects::default()
                    };
                    if only_new && !old.is_empty() {
                        // A failed `insert_new` is a read of the keys examined so far.
                        return Ok(Term::boolean(false));
                    }
                    pending.push((place, key, old));
                    places.insert(place.0, pending.len() - 1);
                    pending.len() - 1
                }
            };
            let fragment = self.process.machine.heap.export(object);
            let Some((_, named, row)) = pending.get_mut(at) else {
                continue;
            };
            match kind {
                TableKind::Set | TableKind::OrderedSet => {
                    // 1 may have become 1.0.
                    *named = key;
                    *row = Objects::one(fragment);
                }
                TableKind::Bag => {
                    let heap = &mut self.process.machine.heap;
                    if !row.iter().any(|old| is_same(heap, old, &fragment, object)) {
                        row.push(fragment);
                    }
                }
                TableKind::DuplicateBag => row.push(fragment),
            }
        }
        for (place, key, row) in pending {
            let key = TableKey::new(&self.process.machine.heap, key, kind);
            self.ets_write(id, place, Some(key), row, reads)?;
        }
        Ok(TRUE)
    }

    /// The only object of a key of a set, as a tuple in the caller's heap. `cause`: the cause in the error if the table is not a set.
    pub(crate) fn ets_single(
        &mut self,
        id: Reference,
        key: Term,
        cause: Option<&str>,
    ) -> Result<(RowPlace, Option<Vec<Term>>), Interrupt> {
        if !self.world.ets_kind(id).0.is_set() {
            return Err(cause.map_or_else(badarg, badarg_because));
        }
        let (place, objects) = self.ets_get(id, key)?;
        let object = objects.first().map(|object| {
            let object = self.process.machine.heap.import(object);
            self.process
                .machine
                .heap
                .tuple(object)
                .map(<[Term]>::to_vec)
                .unwrap_or_default()
        });
        Ok((place, object))
    }

    pub(crate) fn ets_put(&mut self, id: Reference, place: RowPlace, object: &[Term]) -> Result<(), Interrupt> {
        let (kind, position) = self.world.ets_kind(id);
        let key = TableKey::new(&self.process.machine.heap, object[position - 1], kind);
        let object = self.process.machine.heap.make_tuple(object);
        let fragment = self.process.machine.heap.export(object);
        self.ets_write(id, place, Some(key), Objects::one(fragment), true)
    }
}

/// Is an object of a table equal to this term of a heap (of which `fragment` is a copy)?
pub(crate) fn is_same(heap: &mut Heap, old: &Fragment, fragment: &Fragment, object: Term) -> bool {
    old.is_same(fragment).unwrap_or_else(|| {
        let old = heap.import(old);
        ops::exact_equal(heap, old, object)
    })
}

pub(crate) fn is_integer(heap: &Heap, t: Term) -> bool {
    use interpreter::heap::TermView;
    matches!(heap.view(t), TermView::Small(_) | TermView::Big { .. })
}
