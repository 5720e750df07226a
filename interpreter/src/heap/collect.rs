//! Copying collection, and when it is due.

use super::{FIRST_COLLECTION, Heap, HeldBytes};
use crate::term::{BoxKind, Term, header, header_size};

impl Heap {
    /// No collection before the heap has grown by this many words: a collection also scans the whole stack.
    pub fn postpone_collection(&mut self, words: usize) {
        if self.threshold > 0 {
            self.threshold = self.threshold.max(self.words.len() + words);
        }
    }

    /// A collection is due when the heap has grown by this many words (0: at the next counted event): for tests.
    pub fn collect_after(&mut self, words: usize) {
        self.threshold = if words == 0 { 0 } else { self.words.len() + words };
    }
    /// Copying collection. `roots` is called once with a function that moves one root in place.
    ///
    /// invariant: every root not passed is dead afterwards.
    pub fn collect(&mut self, roots: impl FnOnce(&mut dyn FnMut(&mut Term))) {
        self.collections = self.collections.wrapping_add(1);
        let old_binaries = std::mem::take(&mut self.binaries);
        // For each old handle of shared bytes, the new one. Several boxes may use the same bytes.
        let mut moved = vec![u32::MAX; old_binaries.len()];
        // The live part is never larger, and the room is needed again before the next collection.
        let room = self.words.len();
        let mut to = Mover {
            from: &mut self.words,
            to: Vec::with_capacity(room),
        };
        roots(&mut |t| *t = to.forward(*t));
        let mut scan = 0;
        self.binary_bytes = 0;
        while scan < to.to.len() {
            let w = to.to[scan];
            if w & 7 == 7 {
                let kind = BoxKind::of_header(w);
                if kind == BoxKind::SharedBinary {
                    let old = to.to[scan + 1] as usize;
                    let used = (to.to[scan + 2] + to.to[scan + 3]) as usize;
                    if moved[old] == u32::MAX {
                        let bytes = old_binaries[old].bytes.clone();
                        self.binary_bytes += bytes.len();
                        moved[old] = self.binaries.len() as u32;
                        self.binaries.push(HeldBytes { bytes, used });
                    }
                    to.to[scan + 1] = u64::from(moved[old]);
                    let held = &mut self.binaries[moved[old] as usize];
                    held.used = held.used.max(used);
                }
                scan += if kind.is_raw() { header_size(w) + 1 } else { 1 };
            } else {
                to.to[scan] = to.forward(Term(w)).0;
                scan += 1;
            }
        }
        self.words = to.to;
        self.reclaimed += room - self.words.len();
        self.threshold = (self.words.len() * 2).max(FIRST_COLLECTION);
        if room > self.threshold * 2 {
            self.words.shrink_to(self.threshold);
        }
        self.binary_threshold = (self.binary_bytes * 2).max(1 << 20);
    }

    /// Number of collections, modulo 2^32. As long as it does not change, equal words are equal terms.
    #[must_use]
    pub const fn collections(&self) -> u32 {
        self.collections
    }

    /// Words that collections gave back.
    #[must_use]
    pub const fn reclaimed(&self) -> usize {
        self.reclaimed
    }

    /// Words of heap, and bytes outside it, in use.
    #[must_use]
    pub fn memory(&self) -> (usize, usize) {
        (self.words.len(), self.binary_bytes)
    }
}

struct Mover<'a> {
    from: &'a mut Vec<u64>,
    to: Vec<u64>,
}

impl Mover<'_> {
    fn forward(&mut self, t: Term) -> Term {
        if t.is_immediate() || t.in_literals() {
            return t;
        }
        let (i, at) = (t.index(), self.to.len());
        let first = self.from[i];
        if first & 7 == 7 && BoxKind::of_header(first) == BoxKind::Forward {
            let index = header_size(first);
            return if t.is_cons() {
                Term::cons_at(index)
            } else {
                Term::box_at(index)
            };
        }
        if t.is_cons() {
            self.to.extend_from_slice(&self.from[i..i + 2]);
            self.from[i] = header(BoxKind::Forward, at);
            Term::cons_at(at)
        } else {
            self.to.extend_from_slice(&self.from[i..=i + header_size(first)]);
            self.from[i] = header(BoxKind::Forward, at);
            Term::box_at(at)
        }
    }
}
