//! Tagged 64-bit words: the only representation of Erlang values.
//!
//! The low three bits are the tag. Cons cells and boxes are addressed by *index* into the owning [`crate::heap::Heap`] (never by pointer), so a
//! process is a few flat buffers that can be copied, sent to another thread and checkpointed. Bit 63 of a cons or box word says that the index
//! is into the shared literal area instead.

use crate::atom::Atom;

/// A tagged word: an immediate value, or the index of a cons cell or box.
///
/// Equality of `Term` is identity of the word, which is Erlang's `=:=` only for immediates. invariant: a `Term` is only meaningful together
/// with its heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Term(pub u64);

/// The three low bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    /// Small integer, 61 bits, signed, in the upper bits.
    Small = 0,
    /// Atom, index in bits 3..35.
    Atom = 1,
    /// The empty list, ports, and internal markers.
    Special = 2,
    /// Process identifier, [`Pid`] in the upper 61 bits.
    Pid = 3,
    /// Two words: head, tail.
    Cons = 4,
    /// A header word followed by its payload.
    Box = 5,
    /// Reserved.
    Reserved = 6,
    /// Header of a box; only inside a heap.
    Header = 7,
}

/// Marks an index into the literal area (in cons and box words, and in heap indices).
pub const LITERAL: u64 = 1 << 63;

/// The kind of a box: bits 3..8 of its header; bits 8.. are the payload size in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum BoxKind {
    /// n tagged words.
    Tuple = 0,
    /// Two small integers that identify the fun ([`FunName::words`]), then free variables, all tagged.
    Fun = 1,
    /// `fun M:F/A`: `[M, F, A]`, tagged.
    ExternalFun = 2,
    /// Up to 32 keys: `[keys (tuple, in term order), values…]`, tagged.
    FlatMap = 3,
    /// More than 32 keys: `[count (small), root]`, tagged.
    HashMap = 4,
    /// A node of a large map: `[bitmap (small), children…]`, tagged; see `maps`.
    HashNode = 5,
    /// Part of a `HeapBinary`: `[whole (box), bit offset (small), bit length (small)]`, tagged.
    SubBinary = 6,
    // -- kinds from here on hold raw words: the collector copies them unread --
    /// One raw word: the bits of an `f64` (always finite).
    Float = 16,
    /// Magnitude of a positive integer outside the small range: raw little-endian 64-bit limbs, no leading zero limb.
    BigPositive = 17,
    /// The same, negative.
    BigNegative = 18,
    /// `[process, number]`, raw: the reference (process, k) of semantics.md §2.
    Reference = 19,
    /// `[bit length, bytes…]`, raw, bytes padded to words with zeros.
    HeapBinary = 20,
    /// `[handle, bit length, bit offset]`, raw: part of bytes outside the heap, `handle` indexes the heap's table of shared bytes.
    SharedBinary = 21,
    /// Left behind by the collector: the payload size field is the new index.
    Forward = 31,
}

impl BoxKind {
    /// Kinds whose payload the collector must not read as terms.
    #[inline(always)]
    #[must_use]
    pub const fn is_raw(self) -> bool {
        self as u8 >= 16
    }

    /// Binaries and bitstrings.
    #[inline(always)]
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::SubBinary | Self::HeapBinary | Self::SharedBinary)
    }

    /// Decodes bits 3..8 of a header.
    #[inline(always)]
    #[must_use]
    pub const fn of_header(word: u64) -> Self {
        match (word >> 3) as u8 & 31 {
            0 => Self::Tuple,
            1 => Self::Fun,
            2 => Self::ExternalFun,
            3 => Self::FlatMap,
            4 => Self::HashMap,
            5 => Self::HashNode,
            6 => Self::SubBinary,
            16 => Self::Float,
            17 => Self::BigPositive,
            18 => Self::BigNegative,
            19 => Self::Reference,
            20 => Self::HeapBinary,
            21 => Self::SharedBinary,
            _ => Self::Forward,
        }
    }
}

/// Header word of a box.
#[inline(always)]
#[must_use]
pub const fn header(kind: BoxKind, payload_words: usize) -> u64 {
    (payload_words as u64) << 8 | (kind as u64) << 3 | Tag::Header as u64
}

/// Payload size in words of the box with this header.
#[inline(always)]
#[must_use]
pub const fn header_size(word: u64) -> usize {
    (word >> 8) as usize
}

/// A process identifier from the system layer: opaque here, except for printing.
///
/// Bits 0..40 are the number N of `<0.N.0>`, bits 40..56 the index of the node (0 = the first node).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Pid(pub u64);

impl Pid {
    /// A pid on a node.
    #[must_use]
    pub const fn new(node: u16, number: u64) -> Self {
        Self((node as u64) << 40 | (number & ((1 << 40) - 1)))
    }
    /// The N of `<0.N.0>`.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0 & ((1 << 40) - 1)
    }
    /// Index of its node.
    #[must_use]
    pub const fn node(self) -> u16 {
        (self.0 >> 40) as u16
    }
}

/// The number of the first process of the runtime, apart from the device, which has number 0; processes of a program have lower ones.
pub const FIRST_OF_RUNTIME: u64 = 1 << 39;

/// A port of the runtime: nothing can be done with it but to name it. The number and the node are those of a [`Pid`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Port(pub Pid);

/// Marks a port among the special words; a [`Pid`] takes 56 bits above the tag.
const PORT: u64 = 1 << 60;

/// A reference, by identity: the k-th of process `owner`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reference {
    /// The process that made it.
    pub owner: Pid,
    /// Counted from 1 in that process.
    pub number: u64,
}

/// Identifies a fun in the program's source: the same in every run, whatever the order in which modules are loaded. Funs are compared, hashed
/// and written by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunName {
    /// The module that created it.
    pub module: Atom,
    /// Its number in the module.
    pub index: u32,
    /// A hash of the module's source, of 27 bits as in OTP.
    pub unique: u32,
}

/// Bits of [`FunName::unique`].
pub const UNIQUE_BITS: u32 = 27;

impl FunName {
    /// The first two words of a fun: module and place among the funs of the program (an index of its table, which depends on what was loaded
    /// before), then index, hash and arity.
    #[must_use]
    pub fn words(self, id: u32, arity: u8) -> [u64; 2] {
        let place = i64::from(self.module.index()) << 32 | i64::from(id);
        let rest = i64::from(self.index) << UNIQUE_BITS | i64::from(self.unique);
        [Term::small(place).0, Term::small(rest << 8 | i64::from(arity)).0]
    }

    /// The inverse of [`FunName::words`].
    #[must_use]
    pub const fn of_words(place: u64, rest: u64) -> Self {
        let rest_bits = rest >> 11;
        Self {
            module: Atom::from_index((place >> 35) as u32),
            index: (rest_bits >> UNIQUE_BITS) as u32,
            unique: rest_bits as u32 & ((1 << UNIQUE_BITS) - 1),
        }
    }
}

/// The index of a fun in the program's table, from its first word.
#[inline(always)]
#[must_use]
pub const fn fun_id(place: u64) -> u32 {
    (place >> 3) as u32
}

/// The arity of a fun, from its second word.
#[inline(always)]
#[must_use]
pub const fn fun_arity(rest: u64) -> u8 {
    (rest >> 3) as u8
}

/// Smallest small integer.
pub const SMALL_MIN: i64 = -(1 << 60);
/// Largest small integer.
pub const SMALL_MAX: i64 = (1 << 60) - 1;

impl Term {
    /// The empty list.
    pub const NIL: Self = Self(Tag::Special as u64);
    /// No value: an unset register, an absent dictionary entry. Never visible to a program.
    pub const NONE: Self = Self(1 << 3 | Tag::Special as u64);

    /// The tag.
    #[inline(always)]
    #[must_use]
    pub const fn tag(self) -> Tag {
        match self.0 & 7 {
            0 => Tag::Small,
            1 => Tag::Atom,
            2 => Tag::Special,
            3 => Tag::Pid,
            4 => Tag::Cons,
            5 => Tag::Box,
            6 => Tag::Reserved,
            _ => Tag::Header,
        }
    }
    /// A small integer. The caller guarantees the range (`SMALL_MIN..=SMALL_MAX`).
    #[inline(always)]
    #[must_use]
    pub const fn small(value: i64) -> Self {
        debug_assert!(value >= SMALL_MIN && value <= SMALL_MAX);
        Self((value << 3) as u64)
    }
    /// An atom.
    #[inline(always)]
    #[must_use]
    pub const fn atom(atom: Atom) -> Self {
        Self((atom.index() as u64) << 3 | Tag::Atom as u64)
    }
    /// `true` or `false`.
    #[inline(always)]
    #[must_use]
    pub const fn boolean(value: bool) -> Self {
        Self::atom(if value { Atom::TRUE } else { Atom::FALSE })
    }
    /// A process identifier.
    #[inline(always)]
    #[must_use]
    pub const fn pid(pid: Pid) -> Self {
        Self(pid.0 << 3 | Tag::Pid as u64)
    }
    /// A cons cell at a heap index (may carry [`LITERAL`]).
    #[inline(always)]
    #[must_use]
    pub const fn cons_at(index: usize) -> Self {
        Self((index as u64) << 3 | (index as u64 & LITERAL) | Tag::Cons as u64)
    }
    /// A box at a heap index (may carry [`LITERAL`]).
    #[inline(always)]
    #[must_use]
    pub const fn box_at(index: usize) -> Self {
        Self((index as u64) << 3 | (index as u64 & LITERAL) | Tag::Box as u64)
    }
    /// Heap index of a cons or box, without the [`LITERAL`] bit.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        ((self.0 & !LITERAL) >> 3) as usize
    }
    /// Is the cell in the literal area?
    #[inline(always)]
    #[must_use]
    pub const fn in_literals(self) -> bool {
        self.0 & LITERAL != 0
    }
    /// Small integer?
    #[inline(always)]
    #[must_use]
    pub const fn is_small(self) -> bool {
        self.0 & 7 == Tag::Small as u64
    }
    /// Atom?
    #[inline(always)]
    #[must_use]
    pub const fn is_atom(self) -> bool {
        self.0 & 7 == Tag::Atom as u64
    }
    /// Pid?
    #[inline(always)]
    #[must_use]
    pub const fn is_pid(self) -> bool {
        self.0 & 7 == Tag::Pid as u64
    }
    /// Non-empty list?
    #[inline(always)]
    #[must_use]
    pub const fn is_cons(self) -> bool {
        self.0 & 7 == Tag::Cons as u64
    }
    /// `[]`?
    #[inline(always)]
    #[must_use]
    pub const fn is_nil(self) -> bool {
        self.0 == Self::NIL.0
    }
    /// `[]` or a cons cell?
    #[inline(always)]
    #[must_use]
    pub const fn is_list(self) -> bool {
        self.is_cons() || self.is_nil()
    }
    /// Box?
    #[inline(always)]
    #[must_use]
    pub const fn is_box(self) -> bool {
        self.0 & 7 == Tag::Box as u64
    }
    /// A value that needs no heap.
    #[inline(always)]
    #[must_use]
    pub const fn is_immediate(self) -> bool {
        self.0 & 7 < Tag::Cons as u64
    }
    /// Value of a small integer; meaningless for others.
    #[inline(always)]
    #[must_use]
    pub const fn small_value(self) -> i64 {
        self.0 as i64 >> 3
    }
    /// The small integer, if it is one.
    #[inline]
    #[must_use]
    pub const fn as_small(self) -> Option<i64> {
        if self.is_small() {
            Some(self.small_value())
        } else {
            None
        }
    }
    /// The atom, if it is one.
    #[inline]
    #[must_use]
    pub const fn as_atom(self) -> Option<Atom> {
        if self.is_atom() {
            Some(Atom::from_index((self.0 >> 3) as u32))
        } else {
            None
        }
    }
    /// The pid, if it is one.
    #[inline]
    #[must_use]
    pub const fn as_pid(self) -> Option<Pid> {
        if self.is_pid() { Some(Pid(self.0 >> 3)) } else { None }
    }
    /// A port.
    #[must_use]
    pub const fn port(port: Port) -> Self {
        Self(PORT | port.0.0 << 3 | Tag::Special as u64)
    }
    /// The port, if it is one.
    #[must_use]
    pub const fn as_port(self) -> Option<Port> {
        if self.0 & (PORT | 7) == PORT | Tag::Special as u64 {
            Some(Port(Pid((self.0 & !PORT) >> 3)))
        } else {
            None
        }
    }
    /// `true` / `false` as a Rust value.
    #[inline]
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        if self == Self::boolean(true) {
            Some(true)
        } else if self == Self::boolean(false) {
            Some(false)
        } else {
            None
        }
    }
}

impl From<Atom> for Term {
    fn from(atom: Atom) -> Self {
        Self::atom(atom)
    }
}

impl std::fmt::Debug for Term {
    /// The word, not the value: a value needs its heap (see `print`).
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            Tag::Small => write!(f, "{}", self.small_value()),
            Tag::Atom => write!(f, "atom#{}", self.0 >> 3),
            Tag::Special if self.is_nil() => write!(f, "[]"),
            tag => write!(f, "{tag:?}@{:#x}", self.0 >> 3),
        }
    }
}
