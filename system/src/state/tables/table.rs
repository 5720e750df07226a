//! One ETS table: its fixed properties, its keys as resources, and its contents.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Pid, Reference, Term};
use interpreter::{hash, maps, ops};
use log_format::Resource;

use super::contents::{Contents, RowPlace};
use crate::ids;

/// The types of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// One object a key; keys are compared with `=:=`.
    Set,
    /// One object a key; keys are compared with `==` and sorted.
    OrderedSet,
    /// Any number of different objects a key.
    Bag,
    /// Any number of objects a key.
    DuplicateBag,
}

impl TableKind {
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

/// Which processes may read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    /// All processes read and write.
    Public,
    /// All read, the owner writes.
    Protected,
    /// Only the owner reads and writes.
    Private,
}

impl Protection {
    /// The protection of this name.
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
pub struct TableKey {
    value: Arc<(Heap, Term)>,
    /// 1 and 1.0 are one key (`ordered_set`).
    by_value: bool,
    /// For the border of a range instead of a key.
    edge: Option<TupleBound>,
}

/// Before or after all tuples of one size that begin with the same elements.
#[derive(Clone, Copy)]
struct TupleBound {
    elements: usize,
    behind: bool,
}

impl TableKey {
    /// The borders around all keys of an `ordered_set` that are tuples of this size and begin with these elements.
    #[must_use]
    pub fn range(heap: &Heap, begin: &[Term], size: usize) -> [Self; 2] {
        let mut made = heap.beside();
        let mut elements: Vec<Term> = begin.iter().map(|&t| made.import(&heap.export(t))).collect();
        elements.resize(size, Term::NIL);
        let tuple = made.make_tuple(&elements);
        let value = Arc::new(made.own_copy(tuple));
        [false, true].map(|behind| Self {
            value: Arc::clone(&value),
            by_value: true,
            edge: Some(TupleBound {
                elements: begin.len(),
                behind,
            }),
        })
    }
    /// The order of a border relative to a key.
    fn seen_from(&self, edge: TupleBound, other: &Self) -> Ordering {
        let ((heap, border), (there, key)) = (&*self.value, &*other.value);
        let (Some(begin), Some(elements)) = (heap.tuple(*border), there.tuple(*key)) else {
            return ops::compare_across(heap, *border, there, *key);
        };
        let begins = begin[..edge.elements].iter().zip(elements);
        let sizes = begin.len().cmp(&elements.len());
        let order = begins.fold(sizes, |order, (&a, &b)| {
            order.then_with(|| ops::compare_across(heap, a, there, b))
        });
        order.then(if edge.behind { Ordering::Greater } else { Ordering::Less })
    }
    /// The key `t` of `heap`.
    #[must_use]
    pub fn new(heap: &Heap, t: Term, kind: TableKind) -> Self {
        Self {
            value: Arc::new(heap.own_copy(t)),
            by_value: kind == TableKind::OrderedSet,
            edge: None,
        }
    }
    /// The term and the heap that it is in.
    #[must_use]
    pub fn value(&self) -> (&Heap, Term) {
        (&self.value.0, self.value.1)
    }
    /// Is it equal to this term of another heap?
    #[must_use]
    pub fn is(&self, other: &Heap, t: Term) -> bool {
        let (heap, term) = &*self.value;
        if self.by_value {
            ops::compare_across(heap, *term, other, t).is_eq()
        } else {
            *term == t && t.is_immediate() || ops::exact_equal_across(heap, *term, other, t)
        }
    }
    /// Is it the identical term? Keys of an `ordered_set` can be equal although numbers have different types.
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
pub fn key_hash(heap: &Heap, key: Term, kind: TableKind) -> u64 {
    match kind {
        TableKind::OrderedSet => value_hash(heap, key),
        _ => hash::internal(heap, key),
    }
}

/// The hash of a key of an `ordered_set`: equal (`==`) terms have equal hashes, different terms different ones.
fn value_hash(heap: &Heap, key: Term) -> u64 {
    use interpreter::heap::TermView;
    let mut bytes = Vec::new();
    let mut pending = vec![key];
    while let Some(t) = pending.pop() {
        let (kind, size) = match heap.view(t) {
            TermView::Small(n) => {
                put_integer(&mut bytes, n < 0, &[n.unsigned_abs()]);
                continue;
            }
            TermView::Big { negative, limbs } => {
                put_integer(&mut bytes, negative, limbs);
                continue;
            }
            TermView::Float(x) if x.fract() == 0.0 => {
                put_integer(&mut bytes, x < 0.0, &whole(x));
                continue;
            }
            TermView::Float(x) => (2, x.to_bits()),
            TermView::Tuple(elements) => {
                pending.extend(elements.iter().rev());
                (3, elements.len() as u64)
            }
            TermView::Cons(head, tail) => {
                pending.extend([tail, head]);
                (4, 0)
            }
            TermView::Map => {
                // Keys are compared with `=:=`.
                let pairs = maps::sorted_pairs(heap, t);
                for (key, value) in pairs.iter().rev() {
                    pending.push(*value);
                    bytes.extend(hash::internal(heap, *key).to_le_bytes());
                }
                (5, pairs.len() as u64)
            }
            _ => (6, hash::internal(heap, t)),
        };
        bytes.push(kind);
        bytes.extend(size.to_le_bytes());
    }
    crate::hash::fnv(&bytes)
}

/// Adds a whole number: its sign and magnitude without leading zeros.
fn put_integer(bytes: &mut Vec<u8>, negative: bool, limbs: &[u64]) {
    let used = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    bytes.extend([1, u8::from(negative), used as u8]);
    bytes.extend(limbs[..used].iter().flat_map(|limb| limb.to_le_bytes()));
}

/// The exact magnitude of a float that is a whole number.
fn whole(x: f64) -> Vec<u64> {
    let x = x.abs();
    if x < 18_446_744_073_709_551_616.0 {
        return vec![x as u64];
    }
    // Beyond 2^64 it is its mantissa of 53 bits, shifted.
    let exponent = (x.to_bits() >> 52) as usize - 1075;
    let mantissa = u128::from((x.to_bits() & ((1 << 52) - 1)) | (1 << 52)) << (exponent % 64);
    let mut limbs = vec![0; exponent / 64];
    limbs.extend([mantissa as u64, (mantissa >> 64) as u64]);
    limbs
}

impl Ord for TableKey {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.edge, other.edge) {
            (None, None) => {}
            // Borders are compared only with those of the same range.
            (Some(a), Some(b)) => return a.behind.cmp(&b.behind),
            (Some(edge), None) => return self.seen_from(edge, other),
            (None, Some(edge)) => return other.seen_from(edge, self).reverse(),
        }
        let ((ha, a), (hb, b)) = (&*self.value, &*other.value);
        if self.by_value {
            ops::compare_across(ha, *a, hb, *b)
        } else {
            ops::compare_exact_across(ha, *a, hb, *b)
        }
    }
}
impl PartialOrd for TableKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for TableKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for TableKey {}

/// A table.
#[derive(Clone)]
pub struct Table {
    /// Its identity.
    pub id: Reference,
    /// Its type.
    pub kind: TableKind,
    /// Position of the key in an object, from 1.
    pub key_position: usize,
    /// Options without any other effect than that they can be read.
    pub hints: Hints,
    /// Its contents. Shared with checkpoints until one of them writes.
    pub contents: Arc<Contents>,
    /// For each process, how many of its `safe_fixtable(_, true)` are open.
    pub fixed: BTreeMap<Pid, u64>,
    /// The time of the first of these, by the run's clock.
    pub fixed_since: u64,
}

/// `{write_concurrency, _}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WriteConcurrency {
    /// `false`.
    #[default]
    No,
    /// `true`.
    Yes,
    /// `auto`.
    Auto,
}

/// See [`Table::hints`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// `compressed`.
    pub compressed: bool,
    /// `{read_concurrency, _}`.
    pub read_concurrency: bool,
    /// As asked for; a private table has none.
    pub write_concurrency: WriteConcurrency,
    /// `{decentralized_counters, _}`, if it was given.
    pub decentralized_counters: Option<bool>,
}

impl Hints {
    /// Do writers count in several places? Only where they write at the same time; unless the program says otherwise, if OTP thinks that it pays.
    #[must_use]
    pub fn counts_apart(&self, kind: TableKind) -> bool {
        let usual = match self.write_concurrency {
            WriteConcurrency::No => return false,
            WriteConcurrency::Yes => kind == TableKind::OrderedSet,
            WriteConcurrency::Auto => true,
        };
        self.decentralized_counters.unwrap_or(usual)
    }
}

impl Table {
    /// The resource of the table itself: its existence and its owner.
    #[must_use]
    pub fn resource(&self) -> Resource {
        Resource::Table(ids::object(self.id))
    }

    /// The resource of a key.
    #[must_use]
    pub const fn key_resource(&self, place: RowPlace) -> Resource {
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

/// What can change about a table besides its contents: the value of the table's resource.
#[derive(Clone, Debug)]
pub struct Holding {
    /// Its owner.
    pub owner: interpreter::term::Pid,
    /// Its name, which only a named table answers to.
    pub name: Atom,
    /// Can it be accessed by its name?
    pub named: bool,
    /// Which processes may read and write.
    pub protection: Protection,
    /// The process that gets it when its owner ends, and the data for the message.
    pub heir: Option<(interpreter::term::Pid, Option<Fragment>)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal (`==`) keys have equal hashes, different keys different ones.
    #[test]
    fn numbers_in_keys_are_hashed_by_value() {
        let mut heap = Heap::new(Arc::default());
        let mut terms = Vec::new();
        for n in [
            0_i64,
            1,
            -1,
            255,
            1 << 53,
            (1 << 53) + 1,
            1 << 60,
            (1 << 60) + 1,
            i64::MAX,
            i64::MIN,
        ] {
            terms.push(heap.make_int(n));
            terms.push(heap.make_float(n as f64));
        }
        let mut big = heap.make_int(1);
        for shift in 0..37 {
            if shift % 4 == 3 {
                terms.push(big);
                terms.push(heap.make_float(2_f64.powi(27 * shift)));
            }
            let factor = heap.make_int(1 << 27);
            big = interpreter::arith::mul(&mut heap, big, factor).expect("numbers");
        }
        terms.extend([0.5, -0.5, 1e300].map(|x| heap.make_float(x)));
        let numbers = terms.clone();
        for t in numbers {
            let pair = heap.make_tuple(&[t]);
            let nested = heap.make_tuple(&[pair, Term::NIL]);
            let list = heap.make_list(&[pair]);
            let improper = heap.cons(t, t);
            terms.extend([pair, nested, list, improper]);
        }
        terms.push(Term::NIL);
        for &a in &terms {
            for &b in &terms {
                let equal = ops::compare(&heap, a, b).is_eq();
                assert_eq!(
                    value_hash(&heap, a) == value_hash(&heap, b),
                    equal,
                    "{:?} {:?}",
                    heap.view(a),
                    heap.view(b)
                );
            }
        }
    }
}
