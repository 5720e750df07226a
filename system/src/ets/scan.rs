//! Operations that look at a whole table: each reads a version of its contents.

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Reference, Term};
use log_format::Resource;

use super::contents::Contents;
use super::matching::{self, Bindings, Spec};
use super::{Key, Objects, Place, Want};
use crate::effects::{Answer, TRUE, badarg, badarg_because};
use crate::ids;
use crate::observer::Observer;
use crate::process::Process;
use crate::system::{Interrupt, System};

/// Marks a specification that was checked.
const COMPILED: &str = "$compiled_match_spec";

/// What a search gives for each object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Give {
    /// The values of the variables of a pattern.
    Bindings,
    /// The object.
    Object,
    /// The result of a match specification.
    Result,
}

/// The rows that a page looks at.
enum Rows {
    /// These.
    All(Vec<(Key, Objects)>),
    /// Those of a version of the whole table, so many at a time; behind a key, or from it on.
    Walk {
        version: u64,
        from: Option<(Key, bool)>,
        count: usize,
        /// Only these can match.
        within: Option<[Key; 2]>,
    },
}

impl Rows {
    /// The next ones; none if there are no more.
    fn next(&mut self, contents: &Contents, reverse: bool) -> Vec<(Key, Objects)> {
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

impl<O: Observer> System<O> {
    /// Every key of a table that has objects, in key order, with the objects.
    pub(super) fn ets_rows(&mut self, p: &Process<O::Log>, id: Reference) -> Result<Vec<(Key, Objects)>, Interrupt> {
        let version = self.ets_scan_version(p, id)?;
        Ok(self.tables.get(&id).ok_or_else(badarg)?.contents.all(version))
    }

    /// The rows that a pattern can match: if all its heads bind the key, these keys alone are looked at.
    fn ets_candidates(
        &mut self,
        p: &Process<O::Log>,
        id: Reference,
        heads: &[Term],
    ) -> Result<Vec<(Key, Objects)>, Interrupt> {
        match self.ets_bound(p, id, heads)? {
            Some(rows) => Ok(rows),
            None => {
                let version = self.ets_scan_version(p, id)?;
                let within = self.ets_range(p, id, heads);
                let contents = &self.tables.get(&id).ok_or_else(badarg)?.contents;
                Ok(contents.some(version, None, false, usize::MAX, within.as_ref()))
            }
        }
    }

    /// The range of an `ordered_set` in which all keys are that a pattern can match: it binds the first elements of a tuple. (It is read as
    /// a scan of the whole table is.)
    fn ets_range(&self, p: &Process<O::Log>, id: Reference, heads: &[Term]) -> Option<[Key; 2]> {
        let (kind, position) = self.ets_kind(id);
        let &[head] = heads else { return None };
        let heap = &p.machine.heap;
        let key = *heap.tuple(head)?.get(position - 1)?;
        let elements = heap.tuple(key).filter(|_| kind == super::Kind::OrderedSet)?;
        let bound = elements
            .iter()
            .take_while(|&&element| matching::is_ground(heap, element));
        let begin = &elements[..bound.count()];
        (!begin.is_empty()).then(|| Key::range(heap, begin, elements.len()))
    }

    /// The rows of the keys that all heads of a pattern bind; none if one does not.
    fn ets_bound(
        &mut self,
        p: &Process<O::Log>,
        id: Reference,
        heads: &[Term],
    ) -> Result<Option<Vec<(Key, Objects)>>, Interrupt> {
        let (kind, position) = self.ets_kind(id);
        let bound = |head: &Term| {
            let key = *p.machine.heap.tuple(*head)?.get(position - 1)?;
            matching::is_ground(&p.machine.heap, key).then_some(key)
        };
        let Some(keys) = heads.iter().map(bound).collect::<Option<Vec<Term>>>() else {
            return Ok(None);
        };
        let mut keys: Vec<Key> = keys
            .into_iter()
            .map(|key| Key::new(&p.machine.heap, key, kind))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut rows = Vec::new();
        for key in keys {
            let place = self.tables.get(&id).ok_or_else(badarg)?.contents.place_of(&key, kind);
            let objects = self.ets_read(p, id, place)?;
            if !objects.is_empty() {
                rows.push((key, objects));
            }
        }
        Ok(Some(rows))
    }

    /// The key before or after one, or the first or last.
    fn ets_step(&mut self, p: &mut Process<O::Log>, id: Reference, key: Option<&Key>, back: bool) -> Answer {
        let version = self.ets_scan_version(p, id)?;
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let position = table.key_position;
        let Some((found, object)) = table.contents.step(version, key, back) else {
            return Ok(end_of_table());
        };
        let heap = &mut p.machine.heap;
        let own = object.map(|object| heap.import(&object));
        let own = own.and_then(|object| heap.tuple(object)?.get(position - 1).copied());
        Ok(own.unwrap_or_else(|| found.import(heap)))
    }

    /// Carries out an operation on a whole table.
    pub(super) fn ets_scan(&mut self, p: &mut Process<O::Log>, name: &str) -> Answer {
        let [t, second, third] = crate::effects::args(p);
        let count = p.machine.args().len();
        match (name, count) {
            ("tab2list", 1) => {
                let id = self.ets_table(p, t, Want::Read)?;
                let rows = self.ets_rows(p, id)?;
                let all: Vec<Term> = rows
                    .iter()
                    .flat_map(|(_, o)| o.iter())
                    .map(|o| p.machine.heap.import(o))
                    .collect();
                Ok(p.machine.heap.make_list(&all))
            }
            ("first" | "last", 1) => {
                let id = self.ets_table(p, t, Want::Read)?;
                // Tables without an order have one way to be walked.
                let ordered = self.ets_kind(id).0 == super::Kind::OrderedSet || self.walks_back();
                let back = name == "last" && ordered;
                self.ets_step(p, id, None, back)
            }
            ("next" | "prev", 2) => {
                let id = self.ets_table(p, t, Want::Read)?;
                let (kind, _) = self.ets_kind(id);
                let key = Key::new(&p.machine.heap, second, kind);
                let ordered = kind == super::Kind::OrderedSet;
                let answer = self.ets_step(p, id, Some(&key), name == "prev" && (ordered || self.walks_back()))?;
                if ordered && second == end_of_table() {
                    return Err(badarg());
                }
                if !ordered {
                    let place = self.ets_place(p, id, second)?;
                    let table = self.tables.get(&id).ok_or_else(badarg)?;
                    let version = self.accesses.iter().find(|a| a.resource == table.contents_resource());
                    let version = version.map_or(0, |a| a.version.0);
                    if table.contents.at(place, version).is_empty() {
                        let own = table.fixed.contains_key(&p.pid) && table.contents.knows(place);
                        let lingers = match self.native_version() > if name == "next" { 1 } else { 2 } {
                            true => self.ets_lingers(p, id, place)?,
                            false => own,
                        };
                        if !lingers {
                            return Err(badarg());
                        }
                    }
                }
                Ok(answer)
            }
            ("slot", 2) => {
                let id = self.ets_table(p, t, Want::Read)?;
                let i = second.as_small().and_then(|n| usize::try_from(n).ok());
                let i = i.ok_or_else(badarg)?;
                let rows = self.ets_rows(p, id)?;
                match rows.get(i) {
                    Some((_, objects)) => {
                        let all: Vec<Term> = objects.iter().map(|o| p.machine.heap.import(o)).collect();
                        Ok(p.machine.heap.make_list(&all))
                    }
                    None if i == rows.len() => Ok(end_of_table()),
                    None => Err(badarg()),
                }
            }
            ("delete_all_objects", 1) => {
                let id = self.ets_table(p, t, Want::Write)?;
                for place in self.ets_present(p, id)? {
                    self.ets_write(p, id, place, None, Objects::default(), false)?;
                }
                Ok(TRUE)
            }
            ("match", 1) | ("select", 1) | ("match_object", 1) | ("select_reverse", 1) => self.ets_continue(p, t),
            ("match", _) => self.ets_search(p, Give::Bindings, false),
            ("match_object", _) => self.ets_search(p, Give::Object, false),
            ("select", _) => self.ets_search(p, Give::Result, false),
            ("select_reverse", _) => self.ets_search(p, Give::Result, true),
            ("select_count", 2) => {
                let (found, _) = self.ets_found(p, t, second)?;
                Ok(Term::small(found.iter().filter(|f| f.is_true()).count() as i64))
            }
            ("select_delete", 2) => self.ets_select_delete(p, t, second),
            ("match_delete", 2) => {
                let one = match_all_spec(&mut p.machine.heap, second);
                self.ets_select_delete(p, t, one).map(|_| TRUE)
            }
            ("select_replace", 2) => self.ets_select_replace(p, t, second),
            ("match_spec_compile", 1) => {
                Spec::read(&p.machine.heap, t).ok_or_else(badarg)?;
                Ok(p.machine.heap.make_tuple(&[Term::atom(Atom::new(COMPILED)), t]))
            }
            ("match_spec_run", 2) => self.ets_match_spec_run(p, t, second),
            ("test_ms", 2) => self.ets_test_ms(p, t, second),
            _ => {
                let _ = third;
                Err(badarg())
            }
        }
    }

    /// The keys that a blind deletion of all deletes: those that are there, or those that the log says.
    fn ets_present(&self, p: &Process<O::Log>, id: Reference) -> Result<Vec<Place>, Interrupt> {
        let table = self.tables.get(&id).ok_or_else(badarg)?;
        let object = ids::object(id);
        Ok(match &p.feed {
            None => table.contents.present(),
            Some(feed) => {
                let head = feed.head().map_or(&[][..], |a| &a.accesses);
                let of_table = head.iter().filter_map(|a| match a.resource {
                    Resource::TableKey { table, key } if table == object => Some(Place(key)),
                    _ => None,
                });
                of_table.collect()
            }
        })
    }

    /// In traces of older tools tables without an order were walked back too.
    fn walks_back(&self) -> bool {
        self.native_version() < 2
    }

    fn ets_search(&mut self, p: &mut Process<O::Log>, give: Give, reverse: bool) -> Answer {
        let [t, pattern, limit] = crate::effects::args(p);
        let id = self.ets_table(p, t, Want::Read)?;
        let limit = match limit {
            Term::NONE => None,
            limit => {
                let natural = limit.as_small().and_then(|n| usize::try_from(n).ok());
                Some(natural.filter(|&n| n > 0).ok_or_else(badarg)?)
            }
        };
        let reverse = reverse && self.ets_kind(id).0 == super::Kind::OrderedSet;
        self.ets_page(p, id, t, pattern, limit, give, reverse, None)
    }

    /// One page of a search: `after` is the last key of the page before, and how many of its objects were looked at; 0: all.
    #[expect(clippy::too_many_arguments, reason = "the state of a continuation")]
    fn ets_page(
        &mut self,
        p: &mut Process<O::Log>,
        id: Reference,
        table: Term,
        pattern: Term,
        limit: Option<usize>,
        give: Give,
        reverse: bool,
        after: Option<(Key, usize)>,
    ) -> Answer {
        let spec = match give {
            Give::Result => Some(Spec::read_search(&p.machine.heap, pattern).ok_or_else(badarg)?),
            _ if !matching::is_pattern(&p.machine.heap, pattern) => return Err(badarg()),
            _ => None,
        };
        let heads = spec.as_ref().map_or_else(|| vec![pattern], Spec::heads);
        let bound = self.ets_bound(p, id, &heads)?;
        let mut rows = match bound {
            Some(mut rows) => {
                if reverse {
                    rows.reverse();
                }
                if let Some((after, seen)) = &after {
                    let rest = |key: &Key| if reverse { key < after } else { key > after };
                    rows.retain(|(key, _)| rest(key) || *seen > 0 && key == after);
                }
                Rows::All(rows)
            }
            None => Rows::Walk {
                version: self.ets_scan_version(p, id)?,
                from: after.as_ref().map(|(key, seen)| (key.clone(), *seen > 0)),
                count: limit.map_or(usize::MAX, |limit| limit.saturating_add(1)),
                within: self.ets_range(p, id, &heads),
            },
        };
        // In traces of older tools a page held all objects of its last key.
        let splits = self.native_version() > 1;
        let mut found: Vec<Term> = Vec::new();
        let mut last: Option<(Key, usize)> = None;
        let mut more = false;
        let full = |found: &[Term]| limit.is_some_and(|limit| found.len() >= limit);
        'page: loop {
            let some = rows.next(&self.tables.get(&id).ok_or_else(badarg)?.contents, reverse);
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
                    if splits && full(&found) {
                        last = Some((key, i));
                        more = true;
                        break 'page;
                    }
                    let result = self.ets_try(p, object, pattern, spec.as_ref(), give);
                    found.extend(result);
                }
                last = Some((key, 0));
            }
        }
        let heap = &mut p.machine.heap;
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

    fn ets_continue(&mut self, p: &mut Process<O::Log>, continuation: Term) -> Answer {
        if continuation == end_of_table() {
            return Ok(continuation);
        }
        let Some(&[t, key, pattern, limit, give, reverse, mark]) = p.machine.heap.tuple(continuation) else {
            return Err(badarg());
        };
        if mark != Term::atom(Atom::new("$ets_continuation")) {
            return Err(badarg());
        }
        let id = self.ets_table(p, t, Want::Read)?;
        let after = Key::new(&p.machine.heap, key, self.ets_kind(id).0);
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
        self.ets_page(
            p,
            id,
            t,
            pattern,
            Some(limit),
            give,
            reverse == TRUE,
            Some((after, seen)),
        )
    }

    /// What the search gives for one object, in the caller's heap.
    fn ets_try(
        &mut self,
        p: &mut Process<O::Log>,
        object: &Fragment,
        pattern: Term,
        spec: Option<&Spec>,
        give: Give,
    ) -> Option<Term> {
        let machine = &mut p.machine;
        let object = machine.heap.import(object);
        match (give, spec) {
            (Give::Result, Some(spec)) => spec.run(&mut machine.heap, &*self.program, &mut machine.local, object),
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

    /// Every object for which a specification gives something, with what it gives.
    fn ets_found(
        &mut self,
        p: &mut Process<O::Log>,
        t: Term,
        spec: Term,
    ) -> Result<(Vec<Found>, Reference), Interrupt> {
        let id = self.ets_table(p, t, Want::Read)?;
        let parsed = Spec::read_search(&p.machine.heap, spec).ok_or_else(badarg)?;
        let rows = self.ets_candidates(p, id, &parsed.heads())?;
        let mut found = Vec::new();
        for (key, objects) in rows {
            for (i, object) in objects.iter().enumerate() {
                let result = self.ets_try(p, object, spec, Some(&parsed), Give::Result);
                if let Some(result) = result {
                    found.push(Found {
                        key: key.clone(),
                        place: i,
                        result,
                    });
                }
            }
        }
        Ok((found, id))
    }

    fn ets_select_delete(&mut self, p: &mut Process<O::Log>, t: Term, spec: Term) -> Answer {
        self.ets_table(p, t, Want::Write)?;
        let (found, id) = self.ets_found(p, t, spec)?;
        let mut count = 0;
        let mut victims: Vec<(Key, Vec<usize>)> = Vec::new();
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
            self.ets_change(p, id, &key, |objects| {
                let all = objects.iter().enumerate();
                let kept = all.filter(|(i, _)| places.next_if_eq(i).is_none());
                kept.map(|(_, object)| object.clone()).collect()
            })?;
        }
        Ok(Term::small(count))
    }

    fn ets_select_replace(&mut self, p: &mut Process<O::Log>, t: Term, spec: Term) -> Answer {
        let id = self.ets_table(p, t, Want::Write)?;
        let (kind, position) = self.ets_kind(id);
        if kind == super::Kind::Bag {
            return Err(badarg_because("table_type"));
        }
        let parsed = Spec::read_search(&p.machine.heap, spec).ok_or_else(badarg)?;
        if !parsed.keeps_key(&p.machine.heap, position, self.native_version() > 1) {
            return Err(badarg());
        }
        let (found, id) = self.ets_found(p, t, spec)?;
        // All objects of one key are written at once: a step writes a key once.
        let mut changes: Vec<(Key, Vec<(usize, Fragment)>)> = Vec::new();
        let count = found.len() as i64;
        for hit in found {
            let key = p
                .machine
                .heap
                .tuple(hit.result)
                .and_then(|e| e.get(position - 1))
                .copied()
                .ok_or_else(badarg)?;
            if !hit.key.is(&p.machine.heap, key) {
                return Err(badarg());
            }
            let change = (hit.place, p.machine.heap.export(hit.result));
            match changes.last_mut() {
                Some((key, list)) if *key == hit.key => list.push(change),
                _ => changes.push((hit.key, vec![change])),
            }
        }
        for (key, list) in changes {
            self.ets_change(p, id, &key, |objects| {
                let mut new: Vec<Fragment> = objects.iter().cloned().collect();
                for (place, object) in list {
                    new[place] = object;
                }
                new.into_iter().collect()
            })?;
        }
        Ok(Term::small(count))
    }

    fn ets_change(
        &mut self,
        p: &mut Process<O::Log>,
        id: Reference,
        key: &Key,
        change: impl FnOnce(&Objects) -> Objects,
    ) -> Result<(), Interrupt> {
        let (kind, _) = self.ets_kind(id);
        let place = self.tables.get(&id).ok_or_else(badarg)?.contents.place_of(key, kind);
        let old = self.ets_read(p, id, place)?;
        let new = change(&old);
        self.ets_write(p, id, place, Some(key.clone()), new, true)
    }

    fn ets_match_spec_run(&mut self, p: &mut Process<O::Log>, list: Term, spec: Term) -> Answer {
        let spec = match p.machine.heap.tuple(spec) {
            Some(&[mark, inner]) if mark == Term::atom(Atom::new(COMPILED)) => inner,
            _ => return Err(badarg()),
        };
        let spec = Spec::read(&p.machine.heap, spec).ok_or_else(badarg)?;
        let objects = p.machine.heap.list(list).ok_or_else(badarg)?;
        let mut out = Vec::new();
        for object in objects {
            out.extend(spec.run(&mut p.machine.heap, &*self.program, &mut p.machine.local, object));
        }
        Ok(p.machine.heap.make_list(&out))
    }

    fn ets_test_ms(&mut self, p: &mut Process<O::Log>, object: Term, spec: Term) -> Answer {
        let Some(spec) = Spec::read(&p.machine.heap, spec) else {
            let mistakes = matching::lint(&p.machine.heap, &*self.program, spec);
            let heap = &mut p.machine.heap;
            let error = Term::atom(Atom::ERROR);
            let mut list = Vec::with_capacity(mistakes.len());
            for mistake in mistakes {
                let text = heap.make_string(&mistake);
                list.push(heap.make_tuple(&[error, text]));
            }
            let list = heap.make_list(&list);
            return Ok(heap.make_tuple(&[error, list]));
        };
        let result = spec.run(&mut p.machine.heap, &*self.program, &mut p.machine.local, object);
        let result = result.unwrap_or(Term::boolean(false));
        Ok(p.machine.heap.make_tuple(&[Term::atom(Atom::OK), result]))
    }
}

/// One hit of a specification.
struct Found {
    key: Key,
    place: usize,
    result: Term,
}

impl Found {
    fn is_true(&self) -> bool {
        self.result == TRUE
    }
}

fn end_of_table() -> Term {
    Term::atom(Atom::new("$end_of_table"))
}

/// `[{Pattern, [], [true]}]`.
fn match_all_spec(heap: &mut Heap, pattern: Term) -> Term {
    let body = heap.make_list(&[TRUE]);
    let clause = heap.make_tuple(&[pattern, Term::NIL, body]);
    heap.make_list(&[clause])
}
