//! Making terms in a heap.

use super::{Bits, Heap, HeldBytes, SMALL_PART, SharedBytes, as_words};
use crate::term::{BoxKind, Reference, SMALL_MAX, SMALL_MIN, Term, header};

/// Binaries longer than this (bytes) live outside the heap.
pub const HEAP_BINARY_LIMIT: usize = 64;

impl Heap {
    /// `[head | tail]`.
    #[inline]
    pub fn cons(&mut self, head: Term, tail: Term) -> Term {
        let at = self.words.len();
        self.words.extend_from_slice(&[head.0, tail.0]);
        Term::cons_at(at)
    }

    /// A box with this payload.
    #[inline]
    pub fn make_box(&mut self, kind: BoxKind, payload: &[u64]) -> Term {
        let at = self.words.len();
        self.words.reserve(payload.len() + 1);
        self.words.push(header(kind, payload.len()));
        self.words.extend_from_slice(payload);
        Term::box_at(at)
    }

    /// A tuple.
    #[inline]
    pub fn make_tuple(&mut self, elements: &[Term]) -> Term {
        self.make_box(BoxKind::Tuple, as_words(elements))
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
                BoxKind::BigNegative
            } else {
                BoxKind::BigPositive
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
            if negative {
                BoxKind::BigNegative
            } else {
                BoxKind::BigPositive
            },
            &limbs[..n],
        )
    }

    /// A float. The caller guarantees that it is finite.
    #[inline]
    pub fn make_float(&mut self, value: f64) -> Term {
        debug_assert!(value.is_finite());
        self.make_box(BoxKind::Float, &[value.to_bits()])
    }

    /// A reference.
    pub fn make_reference(&mut self, reference: Reference) -> Term {
        self.make_box(BoxKind::Reference, &[reference.owner.0, reference.number])
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
        self.words.push(header(BoxKind::HeapBinary, words + 1));
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
        self.make_box(BoxKind::SharedBinary, &[self.binaries.len() as u64 - 1, bits as u64, 0])
    }

    fn hold(&mut self, bytes: SharedBytes, bits: usize) {
        self.count_bytes(bytes.len());
        self.binaries.push(HeldBytes { bytes, used: bits });
    }

    /// The whole bytes of `base`, followed by the first `bits` bits of `tail`, which begin with the bits of `base` that do not fill a byte.
    /// Writes into the room after `base` if nothing else refers to its bytes and nothing was appended to it before; otherwise copies it into a
    /// buffer with such room.
    ///
    /// # Panics
    /// If `base` is not a binary.
    pub fn extend_binary(&mut self, base: Term, tail: &[u8], bits: usize) -> Term {
        let tail = &tail[..bits.div_ceil(8)];
        if let Some((BoxKind::SharedBinary, &[handle, length, offset])) = self.boxed(base)
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
                return self.make_box(BoxKind::SharedBinary, &[handle, whole + bits as u64, offset]);
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
            Some((BoxKind::SharedBinary, &[handle, _, start])) => {
                return self.make_box(BoxKind::SharedBinary, &[handle, len as u64, start + offset as u64]);
            }
            Some((BoxKind::SubBinary, p)) => {
                from += Term(p[1]).small_value() as usize;
                base = Term(p[0]);
            }
            _ => {}
        }
        self.make_box(
            BoxKind::SubBinary,
            &[base.0, Term::small(from as i64).0, Term::small(len as i64).0],
        )
    }
}
