//! One ETS table: what never changes of it, its keys as resources, and its contents.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::hash;
use interpreter::heap::{Fragment, Heap};
use interpreter::ops;
use interpreter::term::{Pid, Reference, Term};
use log_format::Resource;

use super::contents::{Contents, Place};
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
    /// The one of this name.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Public, Self::Protected, Self::Private]
            .into_iter()
            .find(|protection| protection.word() == word)
    }
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
    /// The term and the heap that it is in.
    #[must_use]
    pub fn value(&self) -> (&Heap, Term) {
        (&self.value.0, self.value.1)
    }
    /// Is it this term of another heap?
    #[must_use]
    pub fn is(&self, other: &Heap, t: Term) -> bool {
        let (heap, term) = &*self.value;
        if self.by_value {
            ops::compare_across(heap, *term, other, t).is_eq()
        } else {
            *term == t && t.is_immediate() || ops::exact_equal_across(heap, *term, other, t)
        }
    }
    /// Is it the same term? Keys of an `ordered_set` are equal where numbers are of other types.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let ((ha, a), (hb, b)) = (&*self.value, &*other.value);
        !self.by_value || (a == b && a.is_immediate()) || ops::exact_equal_across(ha, *a, hb, *b)
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

/// The hash of a key: equal keys have equal hashes.
#[must_use]
pub fn key_hash(heap: &Heap, key: Term, kind: Kind) -> u64 {
    if kind != Kind::OrderedSet || !may_hold_number(heap, key) {
        return hash::internal(heap, key);
    }
    // 1 and 1.0 must meet: all keys with floats inside are written as their value.
    let mut own = Heap::new(Arc::clone(heap.literals()));
    let key = own.import(&heap.export(key));
    let whole = whole_floats(&mut own, key);
    hash::internal(&own, whole)
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
    /// Its type.
    pub kind: Kind,
    /// Position of the key in an object, from 1.
    pub key_position: usize,
    /// Options that change nothing that can be seen but by asking for them.
    pub hints: Hints,
    /// What it holds. Shared with checkpoints until one of them writes.
    pub contents: Arc<Contents>,
    /// How many `safe_fixtable(_, true)` of each process are open.
    pub fixed: BTreeMap<Pid, u64>,
    /// When the first of them came, by the run's clock.
    pub fixed_since: u64,
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

    /// The resource of a key.
    #[must_use]
    pub const fn key_resource(&self, place: Place) -> Resource {
        Resource::TableKey {
            table: ids::object(self.id),
            key: place.0,
        }
    }

    /// The resource of its contents as a whole, which scans read.
    #[must_use]
    pub const fn contents_resource(&self) -> Resource {
        Resource::TableContents(ids::object(self.id))
    }
}

/// What can change of a table besides its contents: the value of the resource of the table itself.
#[derive(Clone, Debug)]
pub struct Holding {
    /// Its owner.
    pub owner: interpreter::term::Pid,
    /// Its name, which only a named table answers to.
    pub name: Atom,
    /// Does it answer to its name?
    pub named: bool,
    /// Who may read and write.
    pub protection: Protection,
    /// Who gets it when its owner ends, and with what.
    pub heir: Option<(interpreter::term::Pid, Fragment)>,
}
