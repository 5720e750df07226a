//! One flat heap per process, addressed by index; copying collection; terms copied between heaps.
//!
//! Allocation never collects: it appends (and may move the buffer, which is harmless because everything is an index).
//! The machine collects at counted events, when [`Heap::wants_collection`] says so, with the live registers as roots.
//! So a native may hold terms of its heap freely while it runs.

use std::sync::Arc;

use crate::atom::Atom;
use crate::term::{Kind, Pid, Reference, SMALL_MAX, SMALL_MIN, Term, header, header_size};

mod shared;
#[cfg(test)]
mod tests;

pub use shared::{SharedBytes, bytes_outside};

/// Words of a fresh heap before the first collection is considered.
pub const FIRST_COLLECTION: usize = 4096;

/// Words of the largest memory that is kept for the next message.
const LARGEST_EXPORT: usize = 1 << 16;

thread_local! {
    /// Where a message is put together.
    static EXPORT: std::cell::Cell<Vec<u64>> = const { std::cell::Cell::new(Vec::new()) };
}

/// The heap of one process.
#[derive(Clone)]
pub struct Heap {
    words: Vec<u64>,
    /// Constants of the program: never collected, shared by all processes.
    literals: Arc<Vec<u64>>,
    /// Shared bytes of this heap; a `SharedBinary` box names them by position, with a length and an offset in bits.
    binaries: Vec<Held>,
    /// Bytes held through `binaries`, so that garbage binaries cause a collection too.
    binary_bytes: usize,
    /// A collection is due when `words.len()` exceeds this.
    threshold: usize,
    /// A collection is due when `binary_bytes` exceeds this.
    binary_threshold: usize,
    /// Bytes that its words and all that is outside the heaps may take together.
    room: usize,
    /// Something was refused because it would have taken more.
    full: bool,
    /// How often it was collected: in between, a term that is the same word is the same term.
    collections: u32,
}

/// Shared bytes, and how many of their bits are in use by the longest box over them; the rest is room to append
/// ([`Heap::extend_binary`]).
#[derive(Clone, Debug)]
struct Held {
    bytes: SharedBytes,
    used: usize,
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
    /// Words that it will take in a heap.
    #[must_use]
    pub fn size(&self) -> usize {
        self.words.len()
    }
    /// Are they copies of terms that are `=:=`? None where that cannot be told without a heap.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        let no_bytes = self.binaries.is_empty() && other.binaries.is_empty();
        if no_bytes && self.root == other.root && self.words == other.words {
            return Some(true);
        }
        (self.is_plain() && other.is_plain()).then_some(false)
    }
    /// Is it the only way to write this term as a fragment? Constants of the program can be written as such or not, binaries and maps in several
    /// ways, and `0.0` is `-0.0`.
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
            at += match Kind::of_header(word) {
                Kind::Tuple => 1,
                Kind::BigPositive | Kind::BigNegative | Kind::Reference => 1 + header_size(word),
                Kind::Float if f64::from_bits(self.words[at + 1]) != 0.0 => 1 + header_size(word),
                _ => return false,
            };
        }
        true
    }
    /// The value, if it needs no heap.
    #[must_use]
    pub fn as_immediate(&self) -> Option<Term> {
        self.root.is_immediate().then_some(self.root)
    }
}

/// A value seen through its heap: what natives match on.
#[derive(Clone, Copy, Debug)]
pub enum View<'h> {
    /// Small integer.
    Small(i64),
    /// Integer outside the small range: sign and little-endian limbs.
    Big { negative: bool, limbs: &'h [u64] },
    /// Float (finite).
    Float(f64),
    /// Atom.
    Atom(Atom),
    /// Pid.
    Pid(Pid),
    /// Reference.
    Reference(Reference),
    /// `[]`.
    Nil,
    /// Head and tail.
    Cons(Term, Term),
    /// Elements.
    Tuple(&'h [Term]),
    /// A map of either kind; use the functions of `maps`.
    Map,
    /// A binary or bitstring; use [`Heap::bits`].
    Binary,
    /// Local fun: index into the program's fun table, arity, captured values.
    Fun { id: u32, arity: u8, free: &'h [Term] },
    /// `fun M:F/A`.
    ExternalFun { module: Atom, function: Atom, arity: u8 },
}

/// The bits of a binary or bitstring.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'h> {
    /// The bytes that contain the bits.
    pub bytes: &'h [u8],
    /// First bit, counted from the most significant bit of `bytes[0]`.
    pub offset: usize,
    /// How many bits.
    pub len: usize,
}

impl<'h> Bits<'h> {
    /// The bytes, if the bits start on a byte border and fill whole bytes.
    #[must_use]
    pub fn as_bytes(self) -> Option<&'h [u8]> {
        (self.offset.is_multiple_of(8) && self.len.is_multiple_of(8))
            .then(|| &self.bytes[self.offset / 8..(self.offset + self.len) / 8])
    }
    /// The eight bits from bit `at` on (bits beyond the end are zero).
    #[must_use]
    pub fn byte_at(self, at: usize) -> u8 {
        let bit = self.offset + at;
        let (i, shift) = (bit / 8, bit % 8);
        let high = self.bytes.get(i).copied().unwrap_or(0);
        let byte = if shift == 0 {
            high
        } else {
            high << shift | self.bytes.get(i + 1).copied().unwrap_or(0) >> (8 - shift)
        };
        let left = self.len.saturating_sub(at);
        if left >= 8 {
            byte
        } else {
            byte & !(0xff_u16 >> left) as u8
        }
    }
    /// A copy as whole bytes, the last one padded with zero bits.
    #[must_use]
    pub fn to_vec(self) -> Vec<u8> {
        match self.as_bytes() {
            Some(bytes) => bytes.to_vec(),
            None => (0..self.len.div_ceil(8)).map(|i| self.byte_at(i * 8)).collect(),
        }
    }
}

/// Parts of at most as many bits are copied, where they start on a byte border.
const SMALL_PART: usize = 64;

/// Binaries longer than this (bytes) live outside the heap.
pub const HEAP_BINARY_LIMIT: usize = 64;

impl Heap {
    /// An empty heap over the program's literals.
    #[must_use]
    pub fn new(literals: Arc<Vec<u64>>) -> Self {
        Self::over(literals, Vec::new())
    }

    /// The same with memory that was used before. invariant: no words.
    pub(crate) fn over(literals: Arc<Vec<u64>>, words: Vec<u64>) -> Self {
        debug_assert!(words.is_empty(), "a fresh heap is empty");
        Self {
            words,
            literals,
            binaries: Vec::new(),
            binary_bytes: 0,
            threshold: FIRST_COLLECTION,
            binary_threshold: 1 << 20,
            room: usize::MAX,
            full: false,
            collections: 0,
        }
    }

    /// From now on its words and all bytes outside the heaps may take so many bytes together. Beyond that a process stops at its next counted
    /// event, and a native that would make very much refuses to ([`Heap::has_room`]).
    #[inline]
    pub fn set_room(&mut self, bytes: usize) {
        self.room = bytes;
    }
    /// Is more in use than there may be, or was something refused that would have taken more?
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full || self.words.len() * 8 + bytes_outside() > self.room
    }
    /// Was something refused that would have taken more than there may be?
    #[must_use]
    pub const fn has_refused(&self) -> bool {
        self.full
    }
    /// May so many bytes be added? If not, it is full, and stays so: what the native raises then is never seen.
    pub fn has_room(&mut self, bytes: usize) -> bool {
        let all = (self.words.len() * 8 + bytes_outside()).saturating_add(bytes);
        self.full |= all > self.room;
        !self.full
    }

    /// Its memory, for another one.
    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The literal area in use.
    #[must_use]
    pub fn literals(&self) -> &Arc<Vec<u64>> {
        &self.literals
    }

    /// Takes a newer literal area (modules were loaded); older literals keep their places.
    pub fn set_literals(&mut self, literals: &Arc<Vec<u64>>) {
        if !Arc::ptr_eq(&self.literals, literals) {
            debug_assert!(literals.len() >= self.literals.len(), "the literal area only grows");
            self.literals = Arc::clone(literals);
        }
    }

    /// Words in use.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }
    /// No words in use?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
    /// Is it time to collect (at the next counted event)?
    #[inline(always)]
    #[must_use]
    pub fn wants_collection(&self) -> bool {
        self.words.len() > self.threshold
    }
    /// More bytes outside the heap: too many make a collection due.
    fn count_bytes(&mut self, bytes: usize) {
        self.binary_bytes += bytes;
        if self.binary_bytes > self.binary_threshold || bytes_outside() > self.room {
            self.threshold = 0;
        }
    }
    /// The raw words, for the machine's inner loop.
    #[inline(always)]
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.words
    }
    /// The raw words and the literals, for the machine's inner loop.
    #[inline(always)]
    #[must_use]
    pub fn areas(&self) -> (&[u64], &[u64]) {
        (&self.words, &self.literals)
    }

    #[inline(always)]
    fn area(&self, t: Term) -> &[u64] {
        if t.in_literals() { &self.literals } else { &self.words }
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    /// Head and tail of a cons cell.
    #[inline]
    #[must_use]
    pub fn cons_cell(&self, t: Term) -> Option<(Term, Term)> {
        if !t.is_cons() {
            return None;
        }
        let (area, i) = (self.area(t), t.index());
        Some((Term(area[i]), Term(area[i + 1])))
    }

    /// Kind of a box; `None` for anything else.
    #[inline]
    #[must_use]
    pub fn kind(&self, t: Term) -> Option<Kind> {
        t.is_box().then(|| Kind::of_header(self.area(t)[t.index()]))
    }

    /// Kind and payload of a box.
    #[inline]
    #[must_use]
    pub fn boxed(&self, t: Term) -> Option<(Kind, &[u64])> {
        if !t.is_box() {
            return None;
        }
        let (area, i) = (self.area(t), t.index());
        let h = area[i];
        Some((Kind::of_header(h), &area[i + 1..=i + header_size(h)]))
    }

    /// Elements of a tuple.
    #[inline]
    #[must_use]
    pub fn tuple(&self, t: Term) -> Option<&[Term]> {
        match self.boxed(t) {
            Some((Kind::Tuple, payload)) => Some(as_terms(payload)),
            _ => None,
        }
    }

    /// The value behind a word.
    #[must_use]
    pub fn view(&self, t: Term) -> View<'_> {
        use crate::term::Tag;
        match t.tag() {
            Tag::Small => View::Small(t.small_value()),
            Tag::Atom => View::Atom(Atom::from_index((t.0 >> 3) as u32)),
            Tag::Pid => View::Pid(Pid(t.0 >> 3)),
            Tag::Cons => {
                let (area, i) = (self.area(t), t.index());
                View::Cons(Term(area[i]), Term(area[i + 1]))
            }
            Tag::Box => {
                let (kind, p) = self.boxed(t).expect("tag is Box");
                match kind {
                    Kind::Tuple => View::Tuple(as_terms(p)),
                    Kind::Fun => View::Fun {
                        id: Term(p[0]).small_value() as u32,
                        arity: Term(p[1]).small_value() as u8,
                        free: as_terms(&p[2..]),
                    },
                    Kind::ExternalFun => View::ExternalFun {
                        module: Term(p[0]).as_atom().expect("module of an external fun"),
                        function: Term(p[1]).as_atom().expect("function of an external fun"),
                        arity: Term(p[2]).small_value() as u8,
                    },
                    Kind::FlatMap | Kind::HashMap => View::Map,
                    Kind::SubBinary | Kind::HeapBinary | Kind::SharedBinary => View::Binary,
                    Kind::Float => View::Float(f64::from_bits(p[0])),
                    Kind::BigPositive => View::Big {
                        negative: false,
                        limbs: p,
                    },
                    Kind::BigNegative => View::Big {
                        negative: true,
                        limbs: p,
                    },
                    Kind::Reference => View::Reference(Reference {
                        owner: Pid(p[0]),
                        number: p[1],
                    }),
                    Kind::HashNode | Kind::Forward => unreachable!("internal box seen as a value"),
                }
            }
            Tag::Special | Tag::Reserved | Tag::Header => View::Nil,
        }
    }

    /// Handle, length and offset of a box over shared bytes: the usual case, without a look at the others.
    #[inline(always)]
    fn shared(&self, t: Term) -> Option<[usize; 3]> {
        if !t.is_box() || t.in_literals() {
            return None;
        }
        match self.words[t.index()..] {
            [h, handle, len, offset, ..] if h == header(Kind::SharedBinary, 3) => {
                Some([handle as usize, len as usize, offset as usize])
            }
            _ => None,
        }
    }

    /// The eight bits of a binary from bit `at` on, if they are there.
    #[must_use]
    pub fn byte(&self, t: Term, at: usize) -> Option<u8> {
        let bits = match self.shared(t) {
            Some([handle, len, offset]) => Bits {
                bytes: &self.binaries[handle].bytes,
                offset,
                len,
            },
            None => self.bits(t)?,
        };
        if bits.len < at + 8 {
            return None;
        }
        let start = bits.offset + at;
        Some(if start.is_multiple_of(8) {
            bits.bytes[start / 8]
        } else {
            bits.byte_at(at)
        })
    }

    /// What is left of a binary from bit `at` on, if that is a multiple of `unit`.
    pub fn rest(&mut self, t: Term, at: usize, unit: usize) -> Option<Term> {
        let shared = self.shared(t);
        let len = match shared {
            Some([_, len, _]) => len,
            None => self.bits(t)?.len,
        };
        let left = len.checked_sub(at)?;
        if left % unit != 0 {
            return None;
        }
        Some(match shared {
            _ if at == 0 => t,
            Some([handle, _, offset]) if left > SMALL_PART => {
                self.make_box(Kind::SharedBinary, &[handle as u64, left as u64, (offset + at) as u64])
            }
            _ => self.make_sub_binary(t, at, left),
        })
    }

    /// The bits of a binary or bitstring.
    #[inline]
    #[must_use]
    pub fn bits(&self, t: Term) -> Option<Bits<'_>> {
        let (kind, p) = self.boxed(t)?;
        match kind {
            Kind::HeapBinary => {
                let len = p[0] as usize;
                Some(Bits {
                    bytes: &as_bytes(&p[1..])[..len.div_ceil(8)],
                    offset: 0,
                    len,
                })
            }
            Kind::SharedBinary => Some(Bits {
                bytes: &self.binaries[p[0] as usize].bytes,
                offset: p[2] as usize,
                len: p[1] as usize,
            }),
            Kind::SubBinary => {
                let whole = self.bits(Term(p[0]))?;
                let (offset, len) = (Term(p[1]).small_value() as usize, Term(p[2]).small_value() as usize);
                Some(Bits {
                    bytes: whole.bytes,
                    offset: whole.offset + offset,
                    len,
                })
            }
            _ => None,
        }
    }

    /// Bytes of a binary (a copy only when it does not start on a byte border); `None` for non-binaries and bitstrings.
    #[must_use]
    pub fn bytes(&self, t: Term) -> Option<std::borrow::Cow<'_, [u8]>> {
        let bits = self.bits(t)?;
        if bits.len % 8 != 0 {
            return None;
        }
        Some(match bits.as_bytes() {
            Some(b) => std::borrow::Cow::Borrowed(b),
            None => std::borrow::Cow::Owned(bits.to_vec()),
        })
    }

    /// The elements of a proper list; `None` if `t` is not one.
    #[must_use]
    pub fn list(&self, mut t: Term) -> Option<Vec<Term>> {
        let mut out = Vec::new();
        while let Some((head, tail)) = self.cons_cell(t) {
            out.push(head);
            t = tail;
        }
        t.is_nil().then_some(out)
    }

    // ---- making --------------------------------------------------------------------------------------------------

    /// `[head | tail]`.
    #[inline]
    pub fn cons(&mut self, head: Term, tail: Term) -> Term {
        let at = self.words.len();
        self.words.extend_from_slice(&[head.0, tail.0]);
        Term::cons_at(at)
    }

    /// A box with this payload.
    #[inline]
    pub fn make_box(&mut self, kind: Kind, payload: &[u64]) -> Term {
        let at = self.words.len();
        self.words.reserve(payload.len() + 1);
        self.words.push(header(kind, payload.len()));
        self.words.extend_from_slice(payload);
        Term::box_at(at)
    }

    /// A tuple.
    #[inline]
    pub fn make_tuple(&mut self, elements: &[Term]) -> Term {
        self.make_box(Kind::Tuple, as_words(elements))
    }

    /// A list of these elements ending in `tail`.
    pub fn make_list_with_tail(&mut self, elements: &[Term], tail: Term) -> Term {
        self.words.reserve(elements.len() * 2);
        elements.iter().rev().fold(tail, |tail, &head| self.cons(head, tail))
    }

    /// A proper list.
    pub fn make_list(&mut self, elements: &[Term]) -> Term {
        self.make_list_with_tail(elements, Term::NIL)
    }

    /// A list of code points.
    pub fn make_string(&mut self, text: &str) -> Term {
        let chars: Vec<Term> = text.chars().map(|c| Term::small(c as i64)).collect();
        self.make_list(&chars)
    }

    /// An integer of any size given as i64.
    #[inline]
    pub fn make_int(&mut self, value: i64) -> Term {
        if (SMALL_MIN..=SMALL_MAX).contains(&value) {
            Term::small(value)
        } else {
            let kind = if value < 0 {
                Kind::BigNegative
            } else {
                Kind::BigPositive
            };
            self.make_box(kind, &[value.unsigned_abs()])
        }
    }

    /// An integer from sign and limbs (little-endian; leading zero limbs allowed).
    pub fn make_big(&mut self, negative: bool, limbs: &[u64]) -> Term {
        let mut n = limbs.len();
        while n > 0 && limbs[n - 1] == 0 {
            n -= 1;
        }
        if n == 0 {
            return Term::small(0);
        }
        if n == 1 {
            if !negative && limbs[0] <= SMALL_MAX as u64 {
                return Term::small(limbs[0] as i64);
            }
            if negative && limbs[0] <= SMALL_MIN.unsigned_abs() {
                return Term::small((limbs[0] as i64).wrapping_neg());
            }
        }
        self.make_box(
            if negative { Kind::BigNegative } else { Kind::BigPositive },
            &limbs[..n],
        )
    }

    /// A float. The caller guarantees that it is finite.
    #[inline]
    pub fn make_float(&mut self, value: f64) -> Term {
        debug_assert!(value.is_finite());
        self.make_box(Kind::Float, &[value.to_bits()])
    }

    /// A reference.
    pub fn make_reference(&mut self, reference: Reference) -> Term {
        self.make_box(Kind::Reference, &[reference.owner.0, reference.number])
    }

    /// A binary of whole bytes.
    pub fn make_binary(&mut self, bytes: &[u8]) -> Term {
        self.make_bitstring(bytes, bytes.len() * 8)
    }

    /// The first `bits` bits of `bytes`; the caller guarantees that unused bits of the last byte are zero.
    pub fn make_bitstring(&mut self, bytes: &[u8], bits: usize) -> Term {
        let n = bits.div_ceil(8);
        if n > HEAP_BINARY_LIMIT {
            return self.make_shared_binary(SharedBytes::from(&bytes[..n]), bits);
        }
        let at = self.words.len();
        let words = n.div_ceil(8);
        self.words.push(header(Kind::HeapBinary, words + 1));
        self.words.push(bits as u64);
        for chunk in bytes[..n].chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.words.push(u64::from_ne_bytes(word));
        }
        Term::box_at(at)
    }

    /// A binary over bytes outside the heap.
    pub fn make_shared_binary(&mut self, bytes: SharedBytes, bits: usize) -> Term {
        debug_assert!(bits.div_ceil(8) <= bytes.len());
        self.hold(bytes, bits);
        self.make_box(Kind::SharedBinary, &[self.binaries.len() as u64 - 1, bits as u64, 0])
    }

    fn hold(&mut self, bytes: SharedBytes, bits: usize) {
        self.count_bytes(bytes.len());
        self.binaries.push(Held { bytes, used: bits });
    }

    /// The whole bytes of `base`, followed by the first `bits` bits of `tail`; these begin with the bits of `base` that are no whole byte. Writes
    /// into the room behind `base` when nothing else holds its bytes and nothing was appended to it before; otherwise copies it into a buffer
    /// with such room.
    ///
    /// # Panics
    /// If `base` is not a binary.
    pub fn extend_binary(&mut self, base: Term, tail: &[u8], bits: usize) -> Term {
        let tail = &tail[..bits.div_ceil(8)];
        if let Some((Kind::SharedBinary, &[handle, length, offset])) = self.boxed(base)
            && !base.in_literals()
            && offset.is_multiple_of(8)
        {
            let whole = length / 8 * 8;
            let start = (offset + whole) as usize / 8;
            let held = &mut self.binaries[handle as usize];
            let end = start + tail.len();
            if (offset + length) as usize == held.used
                && end <= held.bytes.len()
                && let Some(bytes) = held.bytes.get_mut()
            {
                bytes[start..end].copy_from_slice(tail);
                held.used = start * 8 + bits;
                return self.make_box(Kind::SharedBinary, &[handle, whole + bits as u64, offset]);
            }
        }
        let before = self.bits(base).expect("extend_binary of a binary");
        let whole = before.len / 8;
        let mut bytes = before.to_vec();
        bytes.truncate(whole);
        bytes.reserve_exact(bytes.len() + 2 * tail.len() + 256);
        bytes.extend_from_slice(tail);
        bytes.resize(bytes.capacity(), 0);
        self.make_shared_binary(SharedBytes::from(bytes), whole * 8 + bits)
    }

    /// Bits `offset..offset+len` of the binary `t`, sharing its bytes.
    ///
    /// # Panics
    /// If `t` is not a binary or the range is outside it.
    pub fn make_sub_binary(&mut self, t: Term, offset: usize, len: usize) -> Term {
        let whole = self.bits(t).expect("make_sub_binary of a binary");
        assert!(offset + len <= whole.len, "sub-binary outside its binary");
        if len <= SMALL_PART && (whole.offset + offset).is_multiple_of(8) {
            let bits = Bits {
                bytes: whole.bytes,
                offset: whole.offset + offset,
                len,
            };
            let copy = bits.to_vec();
            return self.make_bitstring(&copy, len);
        }
        let (mut base, mut from) = (t, offset);
        match self.boxed(t) {
            Some((Kind::SharedBinary, &[handle, _, start])) => {
                return self.make_box(Kind::SharedBinary, &[handle, len as u64, start + offset as u64]);
            }
            Some((Kind::SubBinary, p)) => {
                from += Term(p[1]).small_value() as usize;
                base = Term(p[0]);
            }
            _ => {}
        }
        self.make_box(
            Kind::SubBinary,
            &[base.0, Term::small(from as i64).0, Term::small(len as i64).0],
        )
    }

    // ---- copying -------------------------------------------------------------------------------------------------

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
        // Put together in memory that is there, and copied once its size is known: one allocation for a message.
        let mut words = EXPORT.take();
        words.clear();
        let mut binaries = Vec::new();
        let root = self.copy_cell(root, &mut words, &mut binaries);
        let mut scan = 0;
        while let Some(&w) = words.get(scan) {
            if w & 7 == 7 {
                let kind = Kind::of_header(w);
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
        if Kind::of_header(h) == Kind::SharedBinary {
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
                let kind = Kind::of_header(w);
                scan += if kind.is_raw() { header_size(w) + 1 } else { 1 };
            } else {
                area[scan] = literal(self.copy_cell(Term(w), area, &mut binaries)).0;
                scan += 1;
            }
        }
        assert!(binaries.is_empty(), "literals hold no shared binaries");
        root
    }

    /// No collection before the heap has grown by this many words: a collection also costs a look at the whole stack.
    pub fn postpone_collection(&mut self, words: usize) {
        if self.threshold > 0 {
            self.threshold = self.threshold.max(self.words.len() + words);
        }
    }

    /// A collection is due when the heap has grown by this many words (0: at the next counted event): for tests.
    pub fn collect_after(&mut self, words: usize) {
        self.threshold = if words == 0 { 0 } else { self.words.len() + words };
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
                let kind = Kind::of_header(w);
                let n = if kind.is_raw() { header_size(w) + 1 } else { 1 };
                self.words.extend_from_slice(&source[i..i + n]);
                if kind == Kind::SharedBinary {
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
            self.binaries.push(Held {
                bytes: b.clone(),
                used: b.len() * 8,
            });
        }
        relocate(fragment.root, base)
    }

    // ---- collecting ----------------------------------------------------------------------------------------------

    /// Copying collection. `roots` is called once with a function that moves one root in place.
    ///
    /// invariant: every root not passed is dead afterwards.
    pub fn collect(&mut self, roots: impl FnOnce(&mut dyn FnMut(&mut Term))) {
        self.collections = self.collections.wrapping_add(1);
        let old_binaries = std::mem::take(&mut self.binaries);
        // Where shared bytes are now, by where they were. Several boxes may be over the same bytes.
        let mut moved = vec![u32::MAX; old_binaries.len()];
        // What lives is never more; and the room is needed again before the next collection.
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
                let kind = Kind::of_header(w);
                if kind == Kind::SharedBinary {
                    let old = to.to[scan + 1] as usize;
                    let used = (to.to[scan + 2] + to.to[scan + 3]) as usize;
                    if moved[old] == u32::MAX {
                        let bytes = old_binaries[old].bytes.clone();
                        self.binary_bytes += bytes.len();
                        moved[old] = self.binaries.len() as u32;
                        self.binaries.push(Held { bytes, used });
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
        self.threshold = (self.words.len() * 2).max(FIRST_COLLECTION);
        if room > self.threshold * 2 {
            self.words.shrink_to(self.threshold);
        }
        self.binary_threshold = (self.binary_bytes * 2).max(1 << 20);
    }

    /// How often it was collected (and then from 0 again). As long as that is the same, equal words are equal terms.
    #[must_use]
    pub const fn collections(&self) -> u32 {
        self.collections
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
        if first & 7 == 7 && Kind::of_header(first) == Kind::Forward {
            let index = header_size(first);
            return if t.is_cons() {
                Term::cons_at(index)
            } else {
                Term::box_at(index)
            };
        }
        if t.is_cons() {
            self.to.extend_from_slice(&self.from[i..i + 2]);
            self.from[i] = header(Kind::Forward, at);
            Term::cons_at(at)
        } else {
            self.to.extend_from_slice(&self.from[i..=i + header_size(first)]);
            self.from[i] = header(Kind::Forward, at);
            Term::box_at(at)
        }
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

/// Words as terms.
#[expect(unsafe_code, reason = "Term is repr(transparent) over u64")]
#[inline(always)]
#[must_use]
pub fn as_terms(words: &[u64]) -> &[Term] {
    // SAFETY: `Term` is `repr(transparent)` over `u64`: same size, alignment and validity.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// Terms as words.
#[expect(unsafe_code, reason = "Term is repr(transparent) over u64")]
#[inline(always)]
#[must_use]
pub fn as_words(terms: &[Term]) -> &[u64] {
    // SAFETY: `Term` is `repr(transparent)` over `u64`: same size, alignment and validity.
    unsafe { std::slice::from_raw_parts(terms.as_ptr().cast(), terms.len()) }
}

/// Words as the bytes they were made from.
#[expect(unsafe_code, reason = "any u64 is eight valid bytes")]
#[inline(always)]
#[must_use]
pub fn as_bytes(words: &[u64]) -> &[u8] {
    // SAFETY: every `u64` is eight initialised bytes, and `u8` needs no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * 8) }
}
