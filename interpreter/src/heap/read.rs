//! Reading terms of a heap.

use super::{Heap, SMALL_PART, as_bytes, as_terms};
use crate::atom::Atom;
use crate::term::{BoxKind, FunName, Pid, Port, Reference, Term, fun_arity, fun_id, header, header_size};

/// The value of a term, for natives to match on.
#[derive(Clone, Copy, Debug)]
pub enum TermView<'h> {
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
    /// Port.
    Port(Port),
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
    Fun {
        id: u32,
        name: FunName,
        arity: u8,
        free: &'h [Term],
    },
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
impl Heap {
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
    pub fn kind(&self, t: Term) -> Option<BoxKind> {
        t.is_box().then(|| BoxKind::of_header(self.area(t)[t.index()]))
    }

    /// Kind and payload of a box.
    #[inline]
    #[must_use]
    pub fn boxed(&self, t: Term) -> Option<(BoxKind, &[u64])> {
        if !t.is_box() {
            return None;
        }
        let (area, i) = (self.area(t), t.index());
        let h = area[i];
        Some((BoxKind::of_header(h), &area[i + 1..=i + header_size(h)]))
    }

    /// Elements of a tuple.
    #[inline]
    #[must_use]
    pub fn tuple(&self, t: Term) -> Option<&[Term]> {
        match self.boxed(t) {
            Some((BoxKind::Tuple, payload)) => Some(as_terms(payload)),
            _ => None,
        }
    }

    /// The number of elements of a tuple; `None` for anything else.
    #[inline(always)]
    pub(crate) fn tuple_size(&self, t: Term) -> Option<usize> {
        let word = if t.is_box() { self.area(t)[t.index()] } else { 0 };
        (word & 0xff == header(BoxKind::Tuple, 0)).then(|| header_size(word))
    }

    /// The element of a tuple at a position from 1; `None` if there is none.
    #[inline(always)]
    pub(crate) fn element(&self, t: Term, position: Term) -> Option<Term> {
        let size = self.tuple_size(t)?;
        let at = position.as_small()?;
        let exists = at >= 1 && at as u64 <= size as u64;
        exists.then(|| Term(self.area(t)[t.index() + at as usize]))
    }

    /// A float or a small integer as a float.
    #[inline(always)]
    fn float(&self, t: Term) -> Option<f64> {
        if t.is_small() {
            return Some(t.small_value() as f64);
        }
        if !t.is_box() {
            return None;
        }
        let (area, i) = (self.area(t), t.index());
        (area[i] == header(BoxKind::Float, 1)).then(|| f64::from_bits(area[i + 1]))
    }

    /// Two floats or small integers as floats.
    #[inline(always)]
    pub(crate) fn floats(&self, a: Term, b: Term) -> Option<(f64, f64)> {
        Some((self.float(a)?, self.float(b)?))
    }

    /// As [`Heap::floats`], if one of the two is a float.
    #[inline(always)]
    pub(crate) fn some_float(&self, a: Term, b: Term) -> Option<(f64, f64)> {
        if (a.0 | b.0) & 7 == 0 {
            return None;
        }
        self.floats(a, b)
    }

    /// The value behind a word.
    #[must_use]
    pub fn view(&self, t: Term) -> TermView<'_> {
        use crate::term::Tag;
        match t.tag() {
            Tag::Small => TermView::Small(t.small_value()),
            Tag::Atom => TermView::Atom(Atom::from_index((t.0 >> 3) as u32)),
            Tag::Pid => TermView::Pid(Pid(t.0 >> 3)),
            Tag::Cons => {
                let (area, i) = (self.area(t), t.index());
                TermView::Cons(Term(area[i]), Term(area[i + 1]))
            }
            Tag::Box => {
                let (kind, p) = self.boxed(t).expect("tag is Box");
                match kind {
                    BoxKind::Tuple => TermView::Tuple(as_terms(p)),
                    BoxKind::Fun => TermView::Fun {
                        id: fun_id(p[0]),
                        name: FunName::of_words(p[0], p[1]),
                        arity: fun_arity(p[1]),
                        free: as_terms(&p[2..]),
                    },
                    BoxKind::ExternalFun => TermView::ExternalFun {
                        module: Term(p[0]).as_atom().expect("module of an external fun"),
                        function: Term(p[1]).as_atom().expect("function of an external fun"),
                        arity: Term(p[2]).small_value() as u8,
                    },
                    BoxKind::FlatMap | BoxKind::HashMap => TermView::Map,
                    BoxKind::SubBinary | BoxKind::HeapBinary | BoxKind::SharedBinary => TermView::Binary,
                    BoxKind::Float => TermView::Float(f64::from_bits(p[0])),
                    BoxKind::BigPositive => TermView::Big {
                        negative: false,
                        limbs: p,
                    },
                    BoxKind::BigNegative => TermView::Big {
                        negative: true,
                        limbs: p,
                    },
                    BoxKind::Reference => TermView::Reference(Reference {
                        owner: Pid(p[0]),
                        number: p[1],
                    }),
                    BoxKind::HashNode | BoxKind::Forward => unreachable!("internal box seen as a value"),
                }
            }
            Tag::Special | Tag::Reserved | Tag::Header => t.as_port().map_or(TermView::Nil, TermView::Port),
        }
    }

    /// Handle, length and offset of a box over shared bytes: the fast path for the usual kind of binary.
    #[inline(always)]
    fn shared(&self, t: Term) -> Option<[usize; 3]> {
        if !t.is_box() || t.in_literals() {
            return None;
        }
        match self.words[t.index()..] {
            [h, handle, len, offset, ..] if h == header(BoxKind::SharedBinary, 3) => {
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

    /// The rest of a binary from bit `at` on, if that is a multiple of `unit`.
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
            Some([handle, _, offset]) if left > SMALL_PART => self.make_box(
                BoxKind::SharedBinary,
                &[handle as u64, left as u64, (offset + at) as u64],
            ),
            _ => self.make_sub_binary(t, at, left),
        })
    }

    /// The bits of a binary or bitstring.
    #[inline]
    #[must_use]
    pub fn bits(&self, t: Term) -> Option<Bits<'_>> {
        let (kind, p) = self.boxed(t)?;
        match kind {
            BoxKind::HeapBinary => {
                let len = p[0] as usize;
                Some(Bits {
                    bytes: &as_bytes(&p[1..])[..len.div_ceil(8)],
                    offset: 0,
                    len,
                })
            }
            BoxKind::SharedBinary => Some(Bits {
                bytes: &self.binaries[p[0] as usize].bytes,
                offset: p[2] as usize,
                len: p[1] as usize,
            }),
            BoxKind::SubBinary => {
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
}
