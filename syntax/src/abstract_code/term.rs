//! Terms in the external format, decoded into one arena: no depth of nesting needs the stack, and the memory is at most a fixed multiple of the
//! bytes, whatever lengths these claim.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// A term, by its number in the arena.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Id(u32);

/// A term's outermost part.
#[derive(Debug)]
pub(super) enum Term<'a> {
    Atom(Cow<'a, str>),
    Integer(i64),
    /// One that does not fit 64 bits.
    Big(Box<BigInt>),
    Float(f64),
    Nil,
    /// At least one element, then the tail. The tail may be a list itself.
    List(Range<u32>, Id),
    Tuple(Range<u32>),
    /// Keys and values in turn.
    Map(Range<u32>),
    /// Bytes, and how many bits of the last one count.
    Bits(&'a [u8], u8),
    /// `fun M:F/A`
    Fun(Range<u32>),
    /// What no source can contain: what it is, and its bytes.
    Other(&'static str, &'a [u8]),
}

/// Why bytes are no term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermFault {
    /// The bytes end inside it.
    Short,
    /// It does not begin with the byte of its version.
    NoVersion,
    /// More parts than can be numbered.
    TooLarge,
    /// A float whose text is no number.
    FloatText,
    /// A float that is not finite.
    NotFinite,
    /// A last byte of which no bit, or more than 8, count.
    Bits,
    /// It is compressed.
    Compressed,
    /// An atom that is not UTF-8.
    AtomText,
    /// An atom of too many characters.
    LongAtom,
    /// A fun that is smaller than its size.
    FunSize,
    /// A tag that is none.
    UnknownTag,
    /// The node of a process, a port or a reference is no atom.
    Node,
}

impl Display for TermFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "the bytes end inside a term",
            Self::NoVersion => "a term begins with the byte 131",
            Self::TooLarge => "the term is too large",
            Self::FloatText => "a float that is no number",
            Self::NotFinite => "a float that is not finite",
            Self::Bits => "a bitstring with a wrong number of bits",
            Self::Compressed => "a compressed term, which is to be unpacked before",
            Self::AtomText => "an atom that is no text",
            Self::LongAtom => "an atom of more than 255 characters",
            Self::FunSize => "a fun with a wrong size",
            Self::UnknownTag => "an unknown kind of term",
            Self::Node => "a node that is no atom",
        })
    }
}

/// Terms that were decoded together.
#[derive(Debug)]
pub(super) struct Terms<'a> {
    terms: Vec<Term<'a>>,
    /// Elements of the compound ones, each one's side by side.
    children: Vec<Id>,
    pub(super) root: Id,
}

impl<'a> Terms<'a> {
    /// The term that the bytes begin with; bytes after it do not matter, as for `binary_to_term/1`.
    ///
    /// # Errors
    /// Where the bytes stop to be a term, and why.
    pub(super) fn decode(bytes: &'a [u8]) -> Result<Terms<'a>, (usize, TermFault)> {
        let mut decoder = Decoder {
            bytes,
            at: 0,
            terms: Terms {
                terms: (0..256).map(Term::Integer).collect(),
                children: Vec::new(),
                root: Id(0),
            },
            done: Vec::new(),
            open: Vec::new(),
        };
        match decoder.run() {
            Ok(root) => {
                decoder.terms.root = root;
                Ok(decoder.terms)
            }
            Err(why) => Err((decoder.at, why)),
        }
    }

    pub(super) fn get(&self, id: Id) -> &Term<'a> {
        &self.terms[id.0 as usize]
    }

    pub(super) fn slice(&self, range: &Range<u32>) -> &[Id] {
        &self.children[range.start as usize..range.end as usize]
    }

    pub(super) fn atom(&self, id: Id) -> Option<&str> {
        match self.get(id) {
            Term::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn tuple(&self, id: Id) -> Option<&[Id]> {
        match self.get(id) {
            Term::Tuple(range) => Some(self.slice(range)),
            _ => None,
        }
    }

    /// The elements of a list, and the tail unless it is `[]`. For any other term: no elements, and the term.
    pub(super) fn list(&self, mut id: Id) -> (Vec<Id>, Option<Id>) {
        let mut items = Vec::new();
        loop {
            match self.get(id) {
                Term::Nil => return (items, None),
                Term::List(range, tail) => {
                    items.extend_from_slice(self.slice(range));
                    id = *tail;
                }
                _ => return (items, Some(id)),
            }
        }
    }

    /// The elements of a proper list.
    pub(super) fn items(&self, id: Id) -> Option<Vec<Id>> {
        match self.list(id) {
            (items, None) => Some(items),
            _ => None,
        }
    }
}

/// A compound term whose elements are being read.
struct Open {
    kind: Compound,
    /// How many elements are still to come.
    missing: usize,
    /// Where its elements begin in `done`.
    base: usize,
}

#[derive(Copy, Clone)]
enum Compound {
    List,
    Tuple,
    Map,
    Fun,
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    terms: Terms<'a>,
    /// Terms that no finished one contains.
    done: Vec<Id>,
    open: Vec<Open>,
}

impl<'a> Decoder<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], TermFault> {
        let rest = &self.bytes[self.at..];
        if rest.len() < count {
            return Err(TermFault::Short);
        }
        self.at += count;
        Ok(&rest[..count])
    }

    fn u8(&mut self) -> Result<u8, TermFault> {
        Ok(self.take(1)?[0])
    }

    fn u16(&mut self) -> Result<usize, TermFault> {
        let bytes = self.take(2)?;
        Ok(usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
    }

    fn u32(&mut self) -> Result<usize, TermFault> {
        Ok(self.take(4)?.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    }

    fn run(&mut self) -> Result<Id, TermFault> {
        if self.u8()? != 131 {
            self.at = 0;
            return Err(TermFault::NoVersion);
        }
        loop {
            let before = self.at;
            let term = self.term().inspect_err(|why| {
                if *why != TermFault::Short {
                    self.at = before;
                }
            })?;
            if let Some(id) = term {
                self.done.push(id);
                if let Some(root) = self.close()? {
                    return Ok(root);
                }
            }
        }
    }

    /// Makes the compound terms that the last term completes. The root, if that was all.
    fn close(&mut self) -> Result<Option<Id>, TermFault> {
        while let Some(open) = self.open.last_mut() {
            open.missing -= 1;
            if open.missing > 0 {
                return Ok(None);
            }
            let (kind, base) = (open.kind, open.base);
            self.open.pop();
            let tail = match kind {
                Compound::List => self.done.pop(),
                Compound::Tuple | Compound::Map | Compound::Fun => None,
            };
            let range = self.children(base)?;
            let term = match (kind, tail) {
                (Compound::List, Some(tail)) => Term::List(range, tail),
                (Compound::Map, _) => Term::Map(range),
                (Compound::Fun, _) => Term::Fun(range),
                (Compound::Tuple | Compound::List, _) => Term::Tuple(range),
            };
            let id = self.push(term)?;
            self.done.push(id);
        }
        Ok(self.done.pop())
    }

    /// Moves the terms from `base` on to where compound terms keep their elements.
    fn children(&mut self, base: usize) -> Result<Range<u32>, TermFault> {
        let start = self.terms.children.len();
        self.terms.children.extend(self.done.drain(base..));
        let number = |length: usize| u32::try_from(length).map_err(|_| TermFault::TooLarge);
        Ok(number(start)?..number(self.terms.children.len())?)
    }

    fn push(&mut self, term: Term<'a>) -> Result<Id, TermFault> {
        let id = u32::try_from(self.terms.terms.len()).map_err(|_| TermFault::TooLarge)?;
        self.terms.terms.push(term);
        Ok(Id(id))
    }

    fn integer(&mut self, value: i64) -> Result<Id, TermFault> {
        match u8::try_from(value) {
            Ok(small) => Ok(Id(u32::from(small))),
            Err(_) => self.push(Term::Integer(value)),
        }
    }

    /// The next term, or `None` where its elements come first.
    fn term(&mut self) -> Result<Option<Id>, TermFault> {
        let start = self.at;
        let tag = self.u8()?;
        let term = match tag {
            97 => {
                let value = i64::from(self.u8()?);
                return self.integer(value).map(Some);
            }
            98 => {
                let value = self.u32()? as u32;
                return self.integer(i64::from(value.cast_signed())).map(Some);
            }
            110 | 111 => return self.big(tag == 110).map(Some),
            70 => {
                let bytes = self.take(8)?;
                Term::Float(finite(f64::from_bits(
                    bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
                ))?)
            }
            99 => {
                let text = std::str::from_utf8(self.take(31)?).map_err(|_| TermFault::FloatText)?;
                let text = text.trim_end_matches('\0').trim();
                Term::Float(finite(text.parse().map_err(|_| TermFault::FloatText)?)?)
            }
            100 | 115 | 118 | 119 => Term::Atom(self.name(tag)?),
            106 => Term::Nil,
            107 => return self.string().map(Some),
            108 => {
                let count = self.u32()?;
                return match count {
                    // `[] ++ Tail` is the tail.
                    0 => Ok(None),
                    _ => self.open(Compound::List, count + 1),
                };
            }
            104 => {
                let count = usize::from(self.u8()?);
                return self.open(Compound::Tuple, count);
            }
            105 => {
                let count = self.u32()?;
                return self.open(Compound::Tuple, count);
            }
            116 => {
                let count = self.u32()?;
                return self.open(Compound::Map, count.saturating_mul(2));
            }
            113 => return self.open(Compound::Fun, 3),
            109 => {
                let length = self.u32()?;
                Term::Bits(self.take(length)?, 8)
            }
            77 => {
                let length = self.u32()?;
                match (self.u8()?, length) {
                    (bits @ 1..=8, 1..) => Term::Bits(self.take(length)?, bits),
                    _ => return Err(TermFault::Bits),
                }
            }
            80 => return Err(TermFault::Compressed),
            _ => {
                let what = self.other(tag)?;
                Term::Other(what, &self.bytes[start..self.at])
            }
        };
        self.push(term).map(Some)
    }

    fn open(&mut self, kind: Compound, count: usize) -> Result<Option<Id>, TermFault> {
        // Each element takes a byte at least.
        if count > self.bytes.len() - self.at {
            return Err(TermFault::Short);
        }
        if count == 0 {
            let empty = match kind {
                Compound::Map => Term::Map(0..0),
                Compound::Tuple | Compound::List | Compound::Fun => Term::Tuple(0..0),
            };
            return self.push(empty).map(Some);
        }
        self.open.push(Open {
            kind,
            missing: count,
            base: self.done.len(),
        });
        Ok(None)
    }

    fn big(&mut self, small: bool) -> Result<Id, TermFault> {
        let length = if small { usize::from(self.u8()?) } else { self.u32()? };
        let sign = if self.u8()? == 0 { Sign::Plus } else { Sign::Minus };
        let value = BigInt::from_bytes_le(sign, self.take(length)?);
        match value.to_i64() {
            Some(value) => self.integer(value),
            None => self.push(Term::Big(Box::new(value))),
        }
    }

    /// A list of bytes.
    fn string(&mut self) -> Result<Id, TermFault> {
        let length = self.u16()?;
        let bytes = self.take(length)?;
        let nil = self.push(Term::Nil)?;
        if bytes.is_empty() {
            return Ok(nil);
        }
        let base = self.done.len();
        self.done.extend(bytes.iter().map(|byte| Id(u32::from(*byte))));
        let range = self.children(base)?;
        self.push(Term::List(range, nil))
    }

    /// An atom's name, after its tag.
    fn name(&mut self, tag: u8) -> Result<Cow<'a, str>, TermFault> {
        let length = match tag {
            115 | 119 => usize::from(self.u8()?),
            _ => self.u16()?,
        };
        let bytes = self.take(length)?;
        let name = match tag {
            100 | 115 if !bytes.is_ascii() => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
            _ => Cow::Borrowed(std::str::from_utf8(bytes).map_err(|_| TermFault::AtomText)?),
        };
        if name.len() > 255 && name.chars().count() > 255 {
            return Err(TermFault::LongAtom);
        }
        Ok(name)
    }

    /// A term that means something in one run only, skipped.
    fn other(&mut self, tag: u8) -> Result<&'static str, TermFault> {
        // Numbers after the name of the node; references tell how many.
        let (what, length) = match tag {
            88 => ("a process identifier", 12),
            103 => ("a process identifier", 9),
            120 => ("a port", 12),
            89 => ("a port", 8),
            102 => ("a port", 5),
            101 => ("a reference", 5),
            90 => ("a reference", 4 + 4 * self.u16()?),
            114 => ("a reference", 1 + 4 * self.u16()?),
            112 => {
                let size = self.u32()?;
                self.take(size.checked_sub(4).ok_or(TermFault::FunSize)?)?;
                return Ok("a fun that is no `fun M:F/A`");
            }
            _ => return Err(TermFault::UnknownTag),
        };
        match self.u8()? {
            node @ (100 | 115 | 118 | 119) => self.name(node)?,
            _ => return Err(TermFault::Node),
        };
        self.take(length)?;
        Ok(what)
    }
}

fn finite(value: f64) -> Result<f64, TermFault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(TermFault::NotFinite)
    }
}
