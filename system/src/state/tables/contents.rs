//! The contents of a table, by version.
//!
//! All keys of a table share one count of versions: the n-th write of any key makes version n, of that key and of the contents. So a look-up
//! needs the last version of one key up to some n, and a scan of version n that of every key. A reader of one key depends on the last write of
//! that key alone. A scan depends on every write that is not overwritten; of each writer, only the last such action is named (the earlier ones
//! are in its past).

use std::collections::BTreeMap;
use std::ops::Bound;

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Term;
use log_format::{ActionId, ActionNo, Pid};
use rustc_hash::FxHashMap;

use super::objects::Objects;
use super::table::{TableKey, TableKind, key_hash};

/// The action that wrote something.
pub use log_format::ActionId as Writer;

/// One key.
#[derive(Clone, Default)]
struct TableRow {
    /// `None` if only a write that names it by its hash was replayed.
    key: Option<TableKey>,
    /// It was written under keys that are equal, but not identical (`ordered_set`).
    mixed: bool,
    /// The newest version and who wrote it; 0 if there is none.
    version: u64,
    /// The last version in which it became empty.
    emptied: u64,
    by: Option<Writer>,
    /// Its objects in the newest version.
    now: Objects,
    /// Replay: every version so far, ascending.
    old: Vec<(u64, Objects)>,
}

impl TableRow {
    /// Its objects in a version of the contents.
    fn at(&self, version: u64) -> Option<&Objects> {
        let objects = if version >= self.version {
            &self.now
        } else {
            let after = self.old.partition_point(|(known, _)| *known <= version);
            &self.old.get(after.checked_sub(1)?)?.1
        };
        (!objects.is_empty()).then_some(objects)
    }

    /// Replay: keeps a version. They come nearly in order.
    fn keep(&mut self, version: u64, objects: Objects) {
        let at = self.old.partition_point(|(known, _)| *known < version);
        match self.old.get_mut(at) {
            Some(known) if known.0 == version => known.1 = objects,
            Some(_) => self.old.insert(at, (version, objects)),
            None => self.old.push((version, objects)),
        }
    }
}

/// The last action of a process that has written something.
#[derive(Clone, Copy)]
struct Wrote {
    number: ActionNo,
    /// The version before its first write in this action.
    before: u64,
}

/// Below so many kept versions, none is forgotten.
const ENOUGH: usize = 4096;

/// A key as a step names it: the place of its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPlace(pub u64);

/// The newest state of a key.
pub struct Newest {
    /// Its version; 0 if it was never written.
    pub version: u64,
    /// Who wrote it.
    pub by: Option<Writer>,
    /// What it holds; empty if absent.
    pub objects: Objects,
}

/// The contents of a table; see the module.
#[derive(Clone, Default)]
pub struct Contents {
    /// Old versions are kept (replay).
    keep: bool,
    /// By the hash that names the resource of the key. If two keys have one hash, they get neighbouring places.
    rows: FxHashMap<u64, TableRow>,
    /// The keys with objects in the newest version.
    present: BTreeMap<TableKey, u64>,
    /// Replay: all keys that ever occurred, for walks over old versions.
    known: BTreeMap<TableKey, u64>,
    /// Replay: for each process, its last action that has written something. A process does its actions in order.
    written: FxHashMap<Pid, Wrote>,
    /// Replay: versions of rows that are kept, and how many are enough to look for some that nobody can read any more.
    kept: usize,
    enough: usize,
    version: u64,
    objects: usize,
    words: usize,
    writers: Writers,
}

impl Contents {
    /// Nothing. `keep` old versions for replay.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        Self {
            keep,
            writers: if keep { Writers::Unknown } else { Writers::One(None) },
            ..Self::default()
        }
    }

    /// About how many bytes a copy takes: the values are shared.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let versions = if self.keep { self.version as usize } else { 0 };
        self.rows.len() * 224 + versions * 24 + (self.present.len() + self.known.len()) * 64 + self.written.len() * 16
    }

    /// The words of the objects in the newest version.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    /// The newest version.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The place of a key, even if it is not present.
    #[must_use]
    pub fn place(&self, heap: &Heap, key: Term, kind: TableKind) -> RowPlace {
        let mut hash = key_hash(heap, key, kind);
        while let Some(row) = self.rows.get(&hash) {
            match &row.key {
                Some(known) if !known.is(heap, key) => hash = hash.wrapping_add(1),
                _ => break,
            }
        }
        RowPlace(hash)
    }

    /// As [`Self::place`], for a key outside any process.
    #[must_use]
    pub fn place_of(&self, key: &TableKey, kind: TableKind) -> RowPlace {
        let (heap, key) = key.value();
        self.place(heap, key, kind)
    }

    /// The places of the keys with objects in the newest version, in key order.
    #[must_use]
    pub fn present(&self) -> Vec<RowPlace> {
        self.present.values().map(|hash| RowPlace(*hash)).collect()
    }

    /// The state of a key in the newest version.
    #[must_use]
    pub fn newest(&self, place: RowPlace) -> Newest {
        match self.rows.get(&place.0) {
            Some(row) => Newest {
                version: row.version,
                by: row.by,
                objects: row.now.clone(),
            },
            None => Newest {
                version: 0,
                by: None,
                objects: Objects::default(),
            },
        }
    }

    /// The objects of a key in a version of the contents; empty if absent.
    #[must_use]
    pub fn at(&self, place: RowPlace, version: u64) -> Objects {
        let row = self.rows.get(&place.0);
        row.and_then(|row| row.at(version)).cloned().unwrap_or_default()
    }

    /// The last version in which a key became empty; 0 if there is none.
    #[must_use]
    pub fn emptied(&self, place: RowPlace) -> u64 {
        self.rows.get(&place.0).map_or(0, |row| row.emptied)
    }

    /// Replay: has this action written something?
    #[must_use]
    pub fn was_written_by(&self, writer: Writer) -> bool {
        self.written
            .get(&writer.pid)
            .is_some_and(|last| last.number >= writer.number)
    }

    /// Replay: are so many versions kept that it is worth finding out which ones nobody can read any more?
    #[must_use]
    pub fn keeps_many(&self) -> bool {
        self.kept >= self.enough.max(ENOUGH)
    }

    /// Replay: a version of the contents that this process has seen: what it reads from now on is not older.
    #[must_use]
    pub fn seen_by(&self, pid: Pid) -> u64 {
        self.written.get(&pid).map_or(0, |last| last.before)
    }

    /// Replay: no version of the contents before this one will be read. `others`: what looking for it cost, in versions.
    pub fn forget_before(&mut self, version: u64, others: usize) {
        if version > 0 {
            self.kept = 0;
            for row in self.rows.values_mut() {
                let after = row.old.partition_point(|(known, _)| *known <= version);
                row.old.drain(..after.saturating_sub(1));
                if row.old.capacity() > 4 * row.old.len().max(16) {
                    row.old.shrink_to_fit();
                }
                self.kept += row.old.len();
            }
        }
        self.enough = 2 * self.kept + self.rows.len() + others;
    }

    /// Writes a key: `version` is the new version of it and of the contents. In replay the key itself may be unknown if `objects` is empty.
    pub fn write(&mut self, place: RowPlace, key: Option<TableKey>, version: u64, by: Writer, objects: Objects) {
        let row = self.rows.entry(place.0).or_default();
        match (&row.key, key) {
            (None, Some(key)) => {
                if self.keep {
                    self.known.insert(key.clone(), place.0);
                }
                row.key = Some(key);
            }
            (Some(known), Some(key)) => row.mixed |= !known.is_same(&key),
            (_, None) => {}
        }
        if self.keep {
            row.keep(version, objects.clone());
            self.kept += 1;
            let last = self.written.entry(by.pid).or_insert(Wrote {
                number: ActionNo(0),
                before: 0,
            });
            if by.number > last.number {
                *last = Wrote {
                    number: by.number,
                    before: version.saturating_sub(1),
                };
            }
        }
        if version > row.version {
            let before = row.by.replace(by);
            row.version = version;
            self.objects = self.objects + objects.len() - row.now.len();
            self.words = self.words + objects.words() - row.now.words();
            if let Some(key) = &row.key
                && objects.is_empty() != row.now.is_empty()
            {
                if objects.is_empty() {
                    row.emptied = version;
                    self.present.remove(key);
                } else {
                    self.present.insert(key.clone(), place.0);
                }
            }
            row.now = objects;
            self.writers.wrote(by, before);
        }
        self.version = self.version.max(version);
    }

    /// The keys that were written last in a version of the contents or before it: each with its place, the version and the writer.
    pub fn last_writes(&self, upto: u64) -> impl Iterator<Item = (&TableKey, RowPlace, u64, Writer)> {
        let rows = self.rows.iter().filter(move |(_, row)| row.version <= upto);
        rows.filter_map(|(hash, row)| Some((row.key.as_ref()?, RowPlace(*hash), row.version, row.by?)))
    }

    /// For each process, its last action that wrote something not overwritten; sorted.
    pub fn writers(&mut self) -> Vec<Writer> {
        if self.keep || matches!(self.writers, Writers::Unknown) {
            // In replay, versions come in any order: they are counted on each call, which happens only beyond the log.
            let mut counts = FxHashMap::<Pid, BTreeMap<ActionNo, usize>>::default();
            for ActionId { pid, number } in self.rows.values().filter_map(|row| row.by) {
                *counts.entry(pid).or_default().entry(number).or_default() += 1;
            }
            self.writers = Writers::Many(counts);
        }
        self.writers.last()
    }

    /// Keys with their objects in a version, sorted.
    #[must_use]
    pub fn all(&self, version: u64) -> Vec<(TableKey, Objects)> {
        let keys = if version >= self.version {
            &self.present
        } else {
            &self.known
        };
        keys.iter()
            .filter_map(|(key, hash)| Some((key.clone(), self.rows.get(hash)?.at(version)?.clone())))
            .collect()
    }

    /// At most this many keys with their objects in a version: after a key, or from it on; backward if `back`. `within`: only keys of a range.
    #[must_use]
    pub fn some(
        &self,
        version: u64,
        from: Option<&(TableKey, bool)>,
        back: bool,
        count: usize,
        within: Option<&[TableKey; 2]>,
    ) -> Vec<(TableKey, Objects)> {
        let keys = if version >= self.version {
            &self.present
        } else {
            &self.known
        };
        let [first, last] = match within {
            None => [Bound::Unbounded, Bound::Unbounded],
            Some(edges) => edges.each_ref().map(Bound::Excluded),
        };
        // A continuation may name any key.
        let from = from.filter(|(key, _)| within.is_none_or(|[first, last]| first < key && key < last));
        let edge = from.map(|(key, included)| {
            if *included {
                Bound::Included(key)
            } else {
                Bound::Excluded(key)
            }
        });
        let row = |(key, hash): (&TableKey, &u64)| Some((key.clone(), self.rows.get(hash)?.at(version)?.clone()));
        match back {
            true => {
                let keys = keys.range((first, edge.unwrap_or(last))).rev();
                keys.filter_map(row).take(count).collect()
            }
            false => {
                let keys = keys.range((edge.unwrap_or(first), last));
                keys.filter_map(row).take(count).collect()
            }
        }
    }

    /// The first key in a version after `key`, or of all; if `back`, the last before it, or of all. Also returns the object that contains the
    /// key in its form in that version, if it was written in several forms.
    #[must_use]
    pub fn step(&self, version: u64, key: Option<&TableKey>, back: bool) -> Option<(TableKey, Option<Fragment>)> {
        let keys = if version >= self.version {
            &self.present
        } else {
            &self.known
        };
        let is_there =
            |(_, hash): &(&TableKey, &u64)| self.rows.get(*hash).is_some_and(|row| row.at(version).is_some());
        let edge = key.map_or(Bound::Unbounded, Bound::Excluded);
        let found = if back {
            keys.range((Bound::Unbounded, edge)).rev().find(is_there)
        } else {
            keys.range((edge, Bound::Unbounded)).find(is_there)
        };
        let (key, hash) = found?;
        let row = self.rows.get(hash).filter(|row| row.mixed);
        let object = row.and_then(|row| row.at(version)?.first().cloned());
        Some((key.clone(), object))
    }

    /// Number of objects and their words in a version.
    #[must_use]
    pub fn size(&self, version: u64) -> (usize, usize) {
        if version >= self.version {
            return (self.objects, self.words);
        }
        let rows = self.rows.values().filter_map(|row| row.at(version));
        rows.fold((0, 0), |(n, w), objects| (n + objects.len(), w + objects.words()))
    }
}

/// Writers of what is not overwritten.
#[derive(Clone)]
enum Writers {
    /// At most one process ever wrote; its last write. A last write is not overwritten.
    One(Option<Writer>),
    /// By process: its actions, and for how many keys each is the last write.
    Many(FxHashMap<Pid, BTreeMap<ActionNo, usize>>),
    /// Several, not counted yet.
    Unknown,
}

impl Default for Writers {
    fn default() -> Self {
        Self::One(None)
    }
}

impl Writers {
    fn wrote(&mut self, by: Writer, before: Option<Writer>) {
        match self {
            Self::One(last) if last.is_none_or(|ActionId { pid, .. }| pid == by.pid) => *last = Some(by),
            Self::One(_) => *self = Self::Unknown,
            Self::Unknown => {}
            Self::Many(counts) => {
                if let Some(ActionId { pid, number }) = before
                    && let Some(actions) = counts.get_mut(&pid)
                    && let Some(count) = actions.get_mut(&number)
                {
                    *count -= 1;
                    if *count == 0 {
                        actions.remove(&number);
                    }
                }
                *counts.entry(by.pid).or_default().entry(by.number).or_default() += 1;
            }
        }
    }

    fn last(&self) -> Vec<Writer> {
        match self {
            Self::One(last) => last.iter().copied().collect(),
            Self::Many(counts) => {
                let last = counts.iter().filter_map(|(pid, actions)| {
                    Some(ActionId {
                        pid: *pid,
                        number: *actions.last_key_value()?.0,
                    })
                });
                let mut all: Vec<Writer> = last.collect();
                all.sort_unstable();
                all
            }
            Self::Unknown => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use interpreter::ops;

    use super::*;

    fn heap() -> Heap {
        Heap::new(Arc::default())
    }

    fn objects(heap: &Heap, n: usize) -> Objects {
        (0..n).map(|_| heap.export(Term::small(1))).collect()
    }

    fn put(contents: &mut Contents, key: i64, version: u64, by: (u64, u64), count: usize) {
        let heap = heap();
        let place = contents.place(&heap, Term::small(key), TableKind::Set);
        let key = TableKey::new(&heap, Term::small(key), TableKind::Set);
        let by = ActionId::new(Pid(by.0), by.1);
        contents.write(place, Some(key), version, by, objects(&heap, count));
    }

    fn keys(contents: &Contents, version: u64) -> Vec<i64> {
        let mut heap = heap();
        let all = contents.all(version);
        all.iter()
            .map(|(key, _)| key.import(&mut heap).as_small().unwrap())
            .collect()
    }

    #[test]
    fn versions_in_any_order_give_the_same_contents() {
        let writes = [(1, 1, 1), (2, 2, 2), (1, 3, 0), (3, 4, 1), (2, 5, 0), (1, 6, 3)];
        let mut orders = vec![writes.to_vec(), writes.iter().rev().copied().collect()];
        orders.push([3, 0, 5, 1, 4, 2].iter().map(|i| writes[*i]).collect());
        let expected = [vec![], vec![1], vec![1, 2], vec![2], vec![2, 3], vec![3], vec![1, 3]];
        for order in orders {
            let mut contents = Contents::new(true);
            for (key, version, count) in order {
                put(&mut contents, key, version, (1, version), count);
            }
            for (version, expected) in expected.iter().enumerate() {
                assert_eq!(keys(&contents, version as u64), *expected, "version {version}");
                let size = contents.all(version as u64).iter().map(|(_, o)| o.len()).sum::<usize>();
                assert_eq!(contents.size(version as u64).0, size);
                let mut walked = Vec::new();
                let mut at = None;
                while let Some((key, _)) = contents.step(version as u64, at.as_ref(), false) {
                    walked.push(key.import(&mut heap()).as_small().unwrap());
                    at = Some(key);
                }
                assert_eq!(walked, *expected);
            }
        }
    }

    /// A walk over a range gives the keys of the range in the same order as a walk over all keys.
    #[test]
    fn a_range_holds_the_keys_that_begin_alike() {
        let mut heap = heap();
        let mut contents = Contents::new(false);
        let mut all = Vec::new();
        let float = heap.make_float(1.0);
        for first in [Term::small(0), Term::small(1), float, Term::small(2), Term::NIL] {
            for second in [Term::small(-5), Term::small(5), Term::NIL] {
                all.push(heap.make_tuple(&[first, second]));
                all.push(heap.make_tuple(&[first, second, second]));
            }
            all.push(first);
        }
        for (version, &key) in (1..).zip(&all) {
            let key = TableKey::new(&heap, key, TableKind::OrderedSet);
            let place = contents.place_of(&key, TableKind::OrderedSet);
            contents.write(
                place,
                Some(key),
                version,
                ActionId::new(Pid(1), version),
                objects(&heap, 1),
            );
        }
        let begins = |key: &TableKey| {
            let (heap, key) = key.value();
            let begins = |e: &[Term]| e.len() == 2 && ops::compare(heap, e[0], Term::small(1)).is_eq();
            heap.tuple(key).is_some_and(begins)
        };
        let walked: Vec<TableKey> = contents
            .all(99)
            .into_iter()
            .map(|(key, _)| key)
            .filter(begins)
            .collect();
        assert_eq!(walked.len(), 3, "1.0 is 1 as a key");
        let range = TableKey::range(&heap, &[Term::small(1)], 2);
        for back in [false, true] {
            let mut from = None;
            let mut found = Vec::new();
            loop {
                let some = contents.some(99, from.as_ref(), back, 2, Some(&range));
                let Some((last, _)) = some.last() else { break };
                from = Some((last.clone(), false));
                found.extend(some.into_iter().map(|(key, _)| key));
            }
            if back {
                found.reverse();
            }
            assert!(found == walked, "{} keys", found.len());
        }
        // A key outside the range, as in a forged continuation.
        for key in [Term::small(0), Term::atom(interpreter::atom::Atom::new("z"))] {
            let beyond = (TableKey::new(&heap, key, TableKind::OrderedSet), true);
            assert_eq!(contents.some(99, Some(&beyond), false, 9, Some(&range)).len(), 3);
        }
    }

    #[test]
    fn a_scan_names_the_last_action_of_each_writer_that_is_not_overwritten() {
        let mut contents = Contents::new(false);
        assert!(contents.writers().is_empty());
        put(&mut contents, 1, 1, (1, 1), 1);
        put(&mut contents, 2, 2, (1, 2), 1);
        assert_eq!(contents.writers(), [ActionId::new(Pid(1), 2)]);
        put(&mut contents, 2, 3, (2, 9), 1);
        assert_eq!(contents.writers(), [ActionId::new(Pid(1), 1), ActionId::new(Pid(2), 9)]);
        put(&mut contents, 1, 4, (2, 10), 0);
        assert_eq!(contents.writers(), [ActionId::new(Pid(2), 10)]);
        put(&mut contents, 3, 5, (1, 7), 1);
        assert_eq!(
            contents.writers(),
            [ActionId::new(Pid(1), 7), ActionId::new(Pid(2), 10)]
        );
    }
}
