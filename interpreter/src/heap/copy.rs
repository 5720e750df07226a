//! Terms outside the heaps, and copies from heap to heap.

use std::sync::Arc;

use super::{Heap, HeldBytes, SharedBytes};
use crate::term::{BoxKind, Term, header_size};

/// Largest export buffer that is kept for the next message, in words.
const LARGEST_EXPORT: usize = 1 << 16;

thread_local! {
    /// Buffer in which a message is built.
    static EXPORT: std::cell::Cell<Vec<u64>> = const { std::cell::Cell::new(Vec::new()) };
}

/// A term outside any heap: a message in flight, a stored value. Indices are relative to its own words.
#[derive(Clone, Debug)]
pub struct Fragment {
    root: Term,
    words: Box<[u64]>,
    binaries: Vec<SharedBytes>,
}

impl Fragment {
    /// A fragment of an immediate value.
    #[must_use]
    pub fn immediate(term: Term) -> Self {
        debug_assert!(term.is_immediate() || term.in_literals());
        Self {
            root: term,
            words: Box::default(),
            binaries: Vec::new(),
        }
    }
    /// A copy without literals, for another program than that with these, which has other ones.
    #[must_use]
    pub fn own(&self, literals: &Arc<Vec<u64>>) -> Self {
        let mut heap = Heap::new(Arc::clone(literals));
        let root = heap.import(self);
        heap.export_own(root)
    }
    /// Its size in a heap, in words.
    #[must_use]
    pub fn size(&self) -> usize {
        self.words.len()
    }
    /// Are the two terms `=:=`? `None` if only a heap can tell.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        let no_bytes = self.binaries.is_empty() && other.binaries.is_empty();
        if no_bytes && self.root == other.root && self.words == other.words {
            return Some(true);
        }
        (self.is_plain() && other.is_plain()).then_some(false)
    }
    /// Does every term equal to this one have the same fragment? Not if it contains constants of the program (by reference or copied), binaries
    /// or maps (several encodings), or `0.0`, which equals `-0.0`.
    fn is_plain(&self) -> bool {
        let literal = |t: Term| !t.is_immediate() && t.in_literals();
        if literal(self.root) {
            return false;
        }
        let mut at = 0;
        while let Some(&word) = self.words.get(at) {
            if word & 7 != 7 {
                if literal(Term(word)) {
                    return false;
                }
                at += 1;
                continue;
            }
            at += match BoxKind::of_header(word) {
                BoxKind::Tuple => 1,
                BoxKind::BigPositive | BoxKind::BigNegative | BoxKind::Reference => 1 + header_size(word),
                BoxKind::Float if f64::from_bits(self.words[at + 1]) != 0.0 => 1 + header_size(word),
                _ => return false,
            };
        }
        true
    }
    /// The value, if it is immediate.
    #[must_use]
    pub fn as_immediate(&self) -> Option<Term> {
        self.root.is_immediate().then_some(self.root)
    }
}

impl Heap {
    /// Copies a term out of this heap. Iterative; sharing inside the term is not kept (as in Erlang's own sends).
    #[must_use]
    pub fn export(&self, root: Term) -> Fragment {
        if root.is_immediate() || root.in_literals() {
            return Fragment {
                root,
                words: Box::default(),
                binaries: Vec::new(),
            };
        }
        // Built in a reused buffer, and copied once its size is known: one allocation for a message.
        let mut words = EXPORT.take();
        words.clear();
        let mut binaries = Vec::new();
        let root = self.copy_cell(root, &mut words, &mut binaries);
        let mut scan = 0;
        while let Some(&w) = words.get(scan) {
            if w & 7 == 7 {
                let kind = BoxKind::of_header(w);
                scan += if kind.is_raw() { header_size(w) + 1 } else { 1 };
            } else {
                let t = Term(w);
                if !t.is_immediate() && !t.in_literals() {
                    words[scan] = self.copy_cell(t, &mut words, &mut binaries).0;
                }
                scan += 1;
            }
        }
        let fragment = Fragment {
            root,
            words: Box::from(words.as_slice()),
            binaries,
        };
        if words.capacity() <= LARGEST_EXPORT {
            EXPORT.set(words);
        }
        fragment
    }

    fn copy_cell(&self, t: Term, words: &mut Vec<u64>, binaries: &mut Vec<SharedBytes>) -> Term {
        if t.is_immediate() || t.in_literals() {
            return t;
        }
        let (i, at) = (t.index(), words.len());
        if t.is_cons() {
            words.extend_from_slice(&self.words[i..i + 2]);
            return Term::cons_at(at);
        }
        let h = self.words[i];
        words.extend_from_slice(&self.words[i..=i + header_size(h)]);
        if BoxKind::of_header(h) == BoxKind::SharedBinary {
            let bytes = &self.binaries[words[at + 1] as usize].bytes;
            // Parts of one binary often follow one another.
            if !binaries.last().is_some_and(|last| last.is(bytes)) {
                binaries.push(bytes.clone());
            }
            words[at + 1] = binaries.len() as u64 - 1;
        }
        Term::box_at(at)
    }

    /// Copies a term of this heap to the end of a literal area. Terms that are literals already stay as they are.
    ///
    /// # Panics
    /// If the term holds a shared binary: literals are made without them.
    pub fn export_literal(&self, root: Term, area: &mut Vec<u64>) -> Term {
        fn literal(t: Term) -> Term {
            if t.is_immediate() {
                t
            } else {
                Term(t.0 | crate::term::LITERAL)
            }
        }
        let mut scan = area.len();
        let mut binaries = Vec::new();
        let root = literal(self.copy_cell(root, area, &mut binaries));
        while scan < area.len() {
            let w = area[scan];
            if w & 7 == 7 {
                let kind = BoxKind::of_header(w);
                scan += if kind.is_raw() { header_size(w) + 1 } else { 1 };
            } else {
                area[scan] = literal(self.copy_cell(Term(w), area, &mut binaries)).0;
                scan += 1;
            }
        }
        assert!(binaries.is_empty(), "literals hold no shared binaries");
        root
    }

    /// As [`Heap::export`], with copies of literals: for another program than that of this heap, which has other ones.
    #[must_use]
    pub fn export_own(&self, root: Term) -> Fragment {
        let (own, root) = self.own_copy(root);
        own.export(root)
    }

    /// An own copy of a term in an own heap, which needs no literals of the program: it does not keep that area alive.
    #[must_use]
    pub fn own_copy(&self, root: Term) -> (Self, Term) {
        let mut words = Vec::new();
        let mut binaries = Vec::new();
        let root = self.copy_cell_of_any(root, &mut words, &mut binaries);
        let mut scan = 0;
        while let Some(&w) = words.get(scan) {
            if w & 7 == 7 {
                let kind = BoxKind::of_header(w);
                scan += if kind.is_raw() { header_size(w) + 1 } else { 1 };
            } else {
                words[scan] = self.copy_cell_of_any(Term(w), &mut words, &mut binaries).0;
                scan += 1;
            }
        }
        let mut own = Self::new(Arc::default());
        own.release = self.release;
        own.words = words;
        own.binaries.extend(binaries.into_iter().map(|bytes| HeldBytes {
            used: bytes.len() * 8,
            bytes,
        }));
        (own, root)
    }

    /// [`Heap::copy_cell`], of literals too. They hold no shared binaries.
    fn copy_cell_of_any(&self, t: Term, words: &mut Vec<u64>, binaries: &mut Vec<SharedBytes>) -> Term {
        if t.is_immediate() || !t.in_literals() {
            return self.copy_cell(t, words, binaries);
        }
        let (i, at) = (t.index(), words.len());
        if t.is_cons() {
            words.extend_from_slice(&self.literals[i..i + 2]);
            return Term::cons_at(at);
        }
        words.extend_from_slice(&self.literals[i..=i + header_size(self.literals[i])]);
        Term::box_at(at)
    }

    /// Copies a fragment into this heap.
    pub fn import(&mut self, fragment: &Fragment) -> Term {
        let base = self.words.len() as u64;
        let handles = self.binaries.len() as u64;
        self.words.reserve(fragment.words.len());
        let mut i = 0;
        let source = &fragment.words;
        while i < source.len() {
            let w = source[i];
            if w & 7 == 7 {
                let kind = BoxKind::of_header(w);
                let n = if kind.is_raw() { header_size(w) + 1 } else { 1 };
                self.words.extend_from_slice(&source[i..i + n]);
                if kind == BoxKind::SharedBinary {
                    let at = self.words.len() - n + 1;
                    self.words[at] += handles;
                }
                i += n;
            } else {
                self.words.push(relocate(Term(w), base).0);
                i += 1;
            }
        }
        for b in &fragment.binaries {
            self.count_bytes(b.len());
            self.binaries.push(HeldBytes {
                bytes: b.clone(),
                used: b.len() * 8,
            });
        }
        relocate(fragment.root, base)
    }
}

#[inline(always)]
fn relocate(t: Term, base: u64) -> Term {
    if t.is_immediate() || t.in_literals() {
        t
    } else {
        Term(t.0 + (base << 3))
    }
}
