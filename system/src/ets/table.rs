//! One ETS table: its options and the keys that were ever written. The objects of a key are versions of a shared resource
//! (`resources`), so that recording, replay and rollback need nothing of their own for tables.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::hash;
use interpreter::heap::{Fragment, Heap};
use interpreter::ops;
use interpreter::term::{Reference, Term};
use log_format::Resource;
use rustc_hash::FxHashMap;

use crate::ids;

/// The types of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One object a key; keys are compared with `=:=`.
    Set,
    /// One object a key; keys are compared with `==` and sorted.
    OrderedSet,
    /// Any number of different objects a key.
    Bag,
    /// Any number of objects a key.
    DuplicateBag,
}

impl Kind {
    /// Its name as an option.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::OrderedSet => "ordered_set",
            Self::Bag => "bag",
            Self::DuplicateBag => "duplicate_bag",
        }
    }
    /// At most one object a key?
    #[must_use]
    pub const fn is_set(self) -> bool {
        matches!(self, Self::Set | Self::OrderedSet)
    }
}

/// Who may read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    /// All read, all write.
    Public,
    /// All read, the owner writes.
    Protected,
    /// Only the owner.
    Private,
}

impl Protection {
    /// Its name as an option.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}

/// A key of a table, outside any process.
#[derive(Clone)]
pub struct Key {
    value: Arc<(Heap, Term)>,
    /// 1 and 1.0 are one key (`ordered_set`).
    by_value: bool,
}

impl Key {
    /// The key `t` of `heap`.
    #[must_use]
    pub fn new(heap: &Heap, t: Term, kind: Kind) -> Self {
        let mut own = Heap::new(Arc::clone(heap.literals()));
        let term = if t.is_immediate() {
            t
        } else {
            own.import(&heap.export(t))
        };
        Self {
            value: Arc::new((own, term)),
            by_value: kind == Kind::OrderedSet,
        }
    }
    /// Its hash: equal keys have equal hashes.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let (heap, term) = &*self.value;
        if self.by_value && may_hold_number(heap, *term) {
            // 1 and 1.0 must meet: all keys with floats inside are written as their value.
            let mut own = heap.clone();
            let whole = whole_floats(&mut own, *term);
            return hash::internal(&own, whole);
        }
        hash::internal(heap, *term)
    }
    /// The key in another heap.
    #[must_use]
    pub fn import(&self, into: &mut Heap) -> Term {
        let (heap, term) = &*self.value;
        if term.is_immediate() {
            *term
        } else {
            into.import(&heap.export(*term))
        }
    }
}

fn may_hold_number(heap: &Heap, t: Term) -> bool {
    use interpreter::heap::View;
    matches!(heap.view(t), View::Float(_) | View::Tuple(_) | View::Cons(..))
}

/// The term with every float that is an integer replaced by that integer, one level of tuples and lists at a time.
fn whole_floats(heap: &mut Heap, t: Term) -> Term {
    use interpreter::heap::View;
    match heap.view(t) {
        View::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => heap.make_int(x as i64),
        View::Tuple(elements) => {
            let elements = elements.to_vec();
            let new: Vec<Term> = elements.into_iter().map(|e| whole_shallow(heap, e)).collect();
            heap.make_tuple(&new)
        }
        View::Cons(..) => match heap.list(t) {
            Some(elements) => {
                let new: Vec<Term> = elements.into_iter().map(|e| whole_shallow(heap, e)).collect();
                heap.make_list(&new)
            }
            None => Term::NIL,
        },
        _ => t,
    }
}

/// Deeper structures all get one hash: two keys with one hash are still told apart by comparing them.
fn whole_shallow(heap: &mut Heap, t: Term) -> Term {
    use interpreter::heap::View;
    match heap.view(t) {
        View::Float(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => heap.make_int(x as i64),
        View::Tuple(_) | View::Cons(..) | View::Map => Term::NIL,
        _ => t,
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((ha, a), (hb, b)) = (&*self.value, &*other.value);
        if self.by_value {
            ops::compare_across(ha, *a, hb, *b)
        } else {
            ops::compare_exact_across(ha, *a, hb, *b)
        }
    }
}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Key {}

/// A table.
#[derive(Clone)]
pub struct Table {
    /// Its identity.
    pub id: Reference,
    /// Its name, which only a named table answers to.
    pub name: Atom,
    /// Does it answer to its name?
    pub named: bool,
    /// Its type.
    pub kind: Kind,
    /// Position of the key in an object, from 1.
    pub key_position: usize,
    /// Who may read and write.
    pub protection: Protection,
    /// Who gets it when its owner ends, and with what.
    pub heir: Option<(interpreter::term::Pid, Fragment)>,
    /// Options that change nothing that can be seen but by asking for them.
    pub hints: Hints,
    /// Every key that was ever written, with its resource.
    pub keys: BTreeMap<Key, Resource>,
    /// The inverse, for replay: what a log names by hash.
    pub by_resource: FxHashMap<Resource, Key>,
    /// How many `safe_fixtable(_, true)` are open.
    pub fixed: u64,
}

/// See [`Table::hints`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// `compressed`.
    pub compressed: bool,
    /// `{read_concurrency, _}`.
    pub read_concurrency: bool,
    /// `{write_concurrency, _}`.
    pub write_concurrency: bool,
    /// `{decentralized_counters, _}`.
    pub decentralized_counters: bool,
}

impl Table {
    /// The resource of the table itself: its existence and its owner.
    #[must_use]
    pub fn resource(&self) -> Resource {
        Resource::Table(ids::object(self.id))
    }

    /// The resource of a key, made when it is met first. Keys of one hash get resources of their own.
    pub fn key_resource(&mut self, key: &Key) -> Resource {
        if let Some(&resource) = self.keys.get(key) {
            return resource;
        }
        let mut hash = key.hash();
        loop {
            let resource = Resource::TableKey {
                table: ids::object(self.id),
                key: hash,
            };
            if !self.by_resource.contains_key(&resource) {
                self.keys.insert(key.clone(), resource);
                self.by_resource.insert(resource, key.clone());
                return resource;
            }
            hash = hash.wrapping_add(1);
        }
    }
}
