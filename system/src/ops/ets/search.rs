//! Searches by patterns and match specifications.

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Reference, Term};

use super::Want;
use super::matching::{self, Bindings, Spec};
use super::scan::end_of_table;
use crate::ops::{OpResult, TRUE, badarg, badarg_because};
use crate::state::tables::contents::Contents;
use crate::state::tables::objects::Objects;
use crate::state::tables::table::TableKey;
use crate::step::{Interrupt, Step};

/// Marks a checked specification.
const COMPILED: &str = "$compiled_match_spec";

/// What a search returns for each object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Give {
    /// The values of the variables of a pattern.
    Bindings,
    /// The object.
    Object,
    /// The result of a match specification.
    Result,
}

/// The rows that a page examines.
enum Rows {
    /// These.
    All(Vec<(TableKey, Objects)>),
    /// Those of a version of the whole table, some at a time; after a key, or from it on.
    Walk {
        version: u64,
        from: Option<(TableKey, bool)>,
        count: usize,
        /// Only these can match.
        within: Option<[TableKey; 2]>,
    },
}

impl Rows {
    /// The next ones; empty if there are no more.
    fn next(&mut self, contents: &Contents, reverse: bool) -> Vec<(TableKey, Objects)> {
        match self {
            Self::All(rows) => std::mem::take(rows),
            Self::Walk {
                version,
                from,
                count,
                within,
            } => {
                let rows = contents.some(*version, from.as_ref(), reverse, *count, within.as_ref());
                *count = count.saturating_mul(2);
                if let Some((last, _)) = rows.last() {
                    *from = Some((last.clone(), false));
                }
                rows
            }
        }
    }
}

pub(super) fn match_bindings(step: &mut Step<'_>) -> OpResult {
    step.ets_search(Give::Bindings, false)
}

pub(super) fn match_object(step: &mut Step<'_>) -> OpResult {
    step.ets_search(Give::Object, false)
}

pub(super) fn select(step: &mut Step<'_>) -> OpResult {
    step.ets_search(Give::Result, false)
}

pub(super) fn select_reverse(step: &mut Step<'_>) -> OpResult {
    step.ets_search(Give::Result, true)
}

/// The next page of a search.
pub(super) fn go_on(step: &mut Step<'_>) -> OpResult {
    let [continuation] = step.args();
    step.ets_continue(continuation)
}

pub(super) fn select_count(step: &mut Step<'_>) -> OpResult {
    let [table, spec] = step.args();
    let (found, _) = step.ets_found(table, spec)?;
    Ok(Term::small(found.iter().filter(|f| f.is_true()).count() as i64))
}

pub(super) fn match_delete(step: &mut Step<'_>) -> OpResult {
    let [table, pattern] = step.args();
    let spec = match_all_spec(&mut step.process.machine.heap, pattern);
    delete_matching(step, table, spec)?;
    Ok(TRUE)
}

pub(super) fn match_spec_compile(step: &mut Step<'_>) -> OpResult {
    let [spec] = step.args();
    let release = step.release();
    let heap = &mut step.process.machine.heap;
    Spec::read(heap, spec, release).ok_or_else(badarg)?;
    Ok(heap.make_tuple(&[Term::atom(Atom::new(COMPILED)), spec]))
}

pub(super) fn select_delete(step: &mut Step<'_>) -> OpResult {
    let [t, spec] = step.args();
    delete_matching(step, t, spec)
}

/// Returns how many objects it has deleted.
fn delete_matching(step: &mut Step<'_>, t: Term, spec: Term) -> OpResult {
    step.ets_table(t, Want::Write)?;
    let (found, id) = step.ets_found(t, spec)?;
    let mut count = 0;
    let mut victims: Vec<(TableKey, Vec<usize>)> = Vec::new();
    for hit in found.iter().filter(|f| f.is_true()) {
        count += 1;
        match victims.last_mut() {
            Some((key, places)) if *key == hit.key => places.push(hit.place),
            _ => victims.push((hit.key.clone(), vec![hit.place])),
        }
    }
    for (key, places) in victims {
        // They are in order.
        let mut places = places.into_iter().peekable();
        step.ets_change(id, &key, |objects| {
            let all = objects.iter().enumerate();
            let kept = all.filter(|(i, _)| places.next_if_eq(i).is_none());
            kept.map(|(_, object)| object.clone()).collect()
        })?;
    }
    Ok(Term::small(count))
}

pub(super) fn select_replace(step: &mut Step<'_>) -> OpResult {
    let [t, spec] = step.args();
    let id = step.ets_table(t, Want::Write)?;
    let (kind, position) = step.world.ets_kind(id);
    if kind == super::TableKind::Bag {
        return Err(badarg_because("table_type"));
    }
    let parsed = Spec::read_search(&step.process.machine.heap, spec, step.release()).ok_or_else(badarg)?;
    if !parsed.keeps_key(&step.process.machine.heap, position) {
        return Err(badarg());
    }
    let (found, id) = step.ets_found(t, spec)?;
    // All objects of one key are written together: a step writes a key once.
    let mut changes: Vec<(TableKey, Vec<(usize, Fragment)>)> = Vec::new();
    let count = found.len() as i64;
    for hit in found {
        let key = step
            .process
            .machine
            .heap
            .tuple(hit.result)
            .and_then(|e| e.get(position - 1))
            .copied()
            .ok_or_else(badarg)?;
        if !hit.key.is(&step.process.machine.heap, key) {
            return Err(badarg());
        }
        let change = (hit.place, step.process.machine.heap.export(hit.result));
        match changes.last_mut() {
            Some((key, list)) if *key == hit.key => list.push(change),
            _ => changes.push((hit.key, vec![change])),
        }
    }
    for (key, list) in changes {
        step.ets_change(id, &key, |objects| {
            let mut new: Vec<Fragment> = objects.iter().cloned().collect();
            for (place, object) in list {
                new[place] = object;
            }
            new.into_iter().collect()
        })?;
    }
    Ok(Term::small(count))
}

pub(super) fn match_spec_run(step: &mut Step<'_>) -> OpResult {
    let [list, spec] = step.args();
    let spec = match step.process.machine.heap.tuple(spec) {
        Some(&[mark, inner]) if mark == Term::atom(Atom::new(COMPILED)) => inner,
        _ => return Err(badarg()),
    };
    let spec = Spec::read(&step.process.machine.heap, spec, step.release()).ok_or_else(badarg)?;
    let objects = step.process.machine.heap.list(list).ok_or_else(badarg)?;
    let mut out = Vec::new();
    for object in objects {
        out.extend(spec.run(
            &mut step.process.machine.heap,
            &*step.world.program,
            &mut step.process.machine.local,
            object,
        ));
    }
    Ok(step.process.machine.heap.make_list(&out))
}

pub(super) fn test_ms(step: &mut Step<'_>) -> OpResult {
    let [object, spec] = step.args();
    let Some(spec) = Spec::read(&step.process.machine.heap, spec, step.release()) else {
        let mistakes = matching::lint(&step.process.machine.heap, &*step.world.program, spec, step.release());
        let heap = &mut step.process.machine.heap;
        let error = Term::atom(Atom::ERROR);
        let mut list = Vec::with_capacity(mistakes.len());
        for mistake in mistakes {
            let text = heap.make_string(&mistake);
            list.push(heap.make_tuple(&[error, text]));
        }
        let list = heap.make_list(&list);
        return Ok(heap.make_tuple(&[error, list]));
    };
    let result = spec.run(
        &mut step.process.machine.heap,
        &*step.world.program,
        &mut step.process.machine.local,
        object,
    );
    let result = result.unwrap_or(Term::boolean(false));
    Ok(step.process.machine.heap.make_tuple(&[Term::atom(Atom::OK), result]))
}

impl Step<'_> {
    fn ets_search(&mut self, give: Give, reverse: bool) -> OpResult {
        let [t, pattern, limit] = self.args();
        let id = self.ets_table(t, Want::Read)?;
        let limit = match limit {
            Term::NONE => None,
            limit => {
                let natural = limit.as_small().and_then(|n| usize::try_from(n).ok());
                Some(natural.filter(|&n| n > 0).ok_or_else(badarg)?)
            }
        };
        let reverse = reverse && self.world.ets_kind(id).0 == super::TableKind::OrderedSet;
        self.ets_page(id, t, pattern, limit, give, reverse, None)
    }

    /// One page of a search: `after` is the last key of the page before, and how many of its objects were examined; 0: all.
    #[expect(clippy::too_many_arguments, reason = "the state of a continuation")]
    fn ets_page(
        &mut self,
        id: Reference,
        table: Term,
        pattern: Term,
        limit: Option<usize>,
        give: Give,
        reverse: bool,
        after: Option<(TableKey, usize)>,
    ) -> OpResult {
        let spec = match give {
            Give::Result => {
                Some(Spec::read_search(&self.process.machine.heap, pattern, self.release()).ok_or_else(badarg)?)
            }
            _ if !matching::is_pattern(&self.process.machine.heap, pattern) => return Err(badarg()),
            _ => None,
        };
        let heads = spec.as_ref().map_or_else(|| vec![pattern], Spec::heads);
        let bound = self.ets_bound(id, &heads)?;
        let mut rows = match bound {
            Some(mut rows) => {
                if reverse {
                    rows.reverse();
                }
                if let Some((after, seen)) = &after {
                    let rest = |key: &TableKey| if reverse { key < after } else { key > after };
                    rows.retain(|(key, _)| rest(key) || *seen > 0 && key == after);
                }
                Rows::All(rows)
            }
            None => Rows::Walk {
                version: self.ets_scan_version(id)?,
                from: after.as_ref().map(|(key, seen)| (key.clone(), *seen > 0)),
                count: limit.map_or(usize::MAX, |limit| limit.saturating_add(1)),
                within: self.ets_range(id, &heads),
            },
        };
        let mut found: Vec<Term> = Vec::new();
        let mut last: Option<(TableKey, usize)> = None;
        let mut more = false;
        let full = |found: &[Term]| limit.is_some_and(|limit| found.len() >= limit);
        'page: loop {
            let some = rows.next(&self.world.tables.get(&id).ok_or_else(badarg)?.contents, reverse);
            if some.is_empty() {
                break;
            }
            for (key, objects) in some {
                if full(&found) {
                    more = true;
                    break 'page;
                }
                let seen = after
                    .as_ref()
                    .filter(|(after, _)| *after == key)
                    .map_or(0, |(_, seen)| *seen);
                for (i, object) in objects.iter().enumerate().skip(seen) {
                    if full(&found) {
                        last = Some((key, i));
                        more = true;
                        break 'page;
                    }
                    let result = self.ets_try(object, pattern, spec.as_ref(), give);
                    found.extend(result);
                }
                last = Some((key, 0));
            }
        }
        let heap = &mut self.process.machine.heap;
        let list = heap.make_list(&found);
        let Some(limit) = limit else { return Ok(list) };
        if found.is_empty() {
            return Ok(end_of_table());
        }
        let continuation = match last.filter(|_| more) {
            None => end_of_table(),
            Some((key, seen)) => {
                let key = key.import(heap);
                let give = match give {
                    Give::Bindings => 0,
                    Give::Object => 1,
                    Give::Result => 2,
                };
                let give = Term::small(give + 4 * seen as i64);
                heap.make_tuple(&[
                    table,
                    key,
                    pattern,
                    Term::small(limit as i64),
                    give,
                    Term::boolean(reverse),
                    Term::atom(Atom::new("$ets_continuation")),
                ])
            }
        };
        Ok(heap.make_tuple(&[list, continuation]))
    }

    fn ets_continue(&mut self, continuation: Term) -> OpResult {
        if continuation == end_of_table() {
            return Ok(continuation);
        }
        let Some(&[t, key, pattern, limit, give, reverse, mark]) = self.process.machine.heap.tuple(continuation) else {
            return Err(badarg());
        };
        if mark != Term::atom(Atom::new("$ets_continuation")) {
            return Err(badarg());
        }
        let id = self.ets_table(t, Want::Read)?;
        let after = TableKey::new(&self.process.machine.heap, key, self.world.ets_kind(id).0);
        let give = give
            .as_small()
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(badarg)?;
        let (give, seen) = (give % 4, give / 4);
        let give = match give {
            0 => Give::Bindings,
            1 => Give::Object,
            _ => Give::Result,
        };
        let limit = limit
            .as_small()
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(badarg)?;
        self.ets_page(id, t, pattern, Some(limit), give, reverse == TRUE, Some((after, seen)))
    }

    /// The search's result for one object, in the caller's heap.
    fn ets_try(&mut self, object: &Fragment, pattern: Term, spec: Option<&Spec>, give: Give) -> Option<Term> {
        let machine = &mut self.process.machine;
        let object = machine.heap.import(object);
        match (give, spec) {
            (Give::Result, Some(spec)) => spec.run(&mut machine.heap, &*self.world.program, &mut machine.local, object),
            _ => {
                let mut bindings = Bindings::default();
                if !matching::matches(&machine.heap, pattern, object, &mut bindings) {
                    return None;
                }
                if give == Give::Object {
                    return Some(object);
                }
                let values = bindings.in_order();
                Some(machine.heap.make_list(&values))
            }
        }
    }

    /// Every object for which a specification gives a result, with the result.
    fn ets_found(&mut self, t: Term, spec: Term) -> Result<(Vec<SpecHit>, Reference), Interrupt> {
        let id = self.ets_table(t, Want::Read)?;
        let parsed = Spec::read_search(&self.process.machine.heap, spec, self.release()).ok_or_else(badarg)?;
        let rows = self.ets_candidates(id, &parsed.heads())?;
        let mut found = Vec::new();
        for (key, objects) in rows {
            for (i, object) in objects.iter().enumerate() {
                let result = self.ets_try(object, spec, Some(&parsed), Give::Result);
                if let Some(result) = result {
                    found.push(SpecHit {
                        key: key.clone(),
                        place: i,
                        result,
                    });
                }
            }
        }
        Ok((found, id))
    }

    fn ets_change(
        &mut self,
        id: Reference,
        key: &TableKey,
        change: impl FnOnce(&Objects) -> Objects,
    ) -> Result<(), Interrupt> {
        let (kind, _) = self.world.ets_kind(id);
        let place = self
            .world
            .tables
            .get(&id)
            .ok_or_else(badarg)?
            .contents
            .place_of(key, kind);
        let old = self.ets_read(id, place)?;
        let new = change(&old);
        self.ets_write(id, place, Some(key.clone()), new, true)
    }
}

/// One hit of a specification.
struct SpecHit {
    key: TableKey,
    place: usize,
    result: Term,
}

impl SpecHit {
    fn is_true(&self) -> bool {
        self.result == TRUE
    }
}

/// `[{Pattern, [], [true]}]`.
fn match_all_spec(heap: &mut Heap, pattern: Term) -> Term {
    let body = heap.make_list(&[TRUE]);
    let clause = heap.make_tuple(&[pattern, Term::NIL, body]);
    heap.make_list(&[clause])
}
