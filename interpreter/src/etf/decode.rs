//! Decoding external terms from any bytes: every length is checked before it is used, and nothing recurses.

use std::io::Read;

use super::{
    ATOM, ATOM_UTF8, BINARY, BIT_BINARY, COMPRESSED, EXPORT, FLOAT, INTEGER, LARGE_BIG, LARGE_TUPLE, LIST, MAP,
    NEW_FLOAT, NEW_FUN, NEW_PID, NEW_PORT, NEW_REFERENCE, NEWER_REFERENCE, NIL, PID, REFERENCE, SMALL_ATOM,
    SMALL_ATOM_UTF8, SMALL_BIG, SMALL_INTEGER, SMALL_TUPLE, STRING, VERSION,
};
use crate::arith::from_parts;
use crate::atom::Atom;
use crate::heap::{Heap, as_words};
use crate::maps;
use crate::native::CodeInfo;
use crate::term::{BoxKind, FunName, Pid, Port, Reference, Term};

/// Limit: characters of an atom's name.
const ATOM_LENGTH: usize = 255;

/// Why bytes are not an external term that we can represent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// Not the external term format, or cut short, at this byte.
    Malformed(usize),
    /// An atom or a fun that does not exist here, at this byte; atoms only when decoding safely.
    Unknown(usize),
    /// A kind of value that only other systems have (ports, foreign pids and references), at this byte.
    Foreign(usize),
    /// A fun of this module, which has to be loaded first.
    Unloaded(Atom),
    /// An integer or the atom table would be too large.
    SystemLimit,
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Malformed(at) => write!(f, "byte {at}: not the external term format"),
            Self::Unknown(at) => write!(f, "byte {at}: an atom or a fun that does not exist here"),
            Self::Foreign(at) => write!(f, "byte {at}: a port, or a pid or reference of another system"),
            Self::Unloaded(module) => write!(f, "a fun of {module}, which is not loaded"),
            Self::SystemLimit => write!(f, "an integer or the atom table would be too large"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// What to build once its parts are complete.
enum DecodeFrame {
    Tuple(usize),
    /// Elements, then the tail.
    List(usize),
    /// Keys and values, alternating.
    Map(usize),
    Fun {
        words: [u64; 2],
        free: usize,
    },
}

impl DecodeFrame {
    fn parts(&self) -> usize {
        match self {
            Self::Tuple(n) => *n,
            Self::List(n) => *n + 1,
            Self::Map(n) => *n * 2,
            Self::Fun { free, .. } => *free,
        }
    }
}

/// Decodes a term from the front of `bytes`; also returns how many bytes it took. With `safe`, no atom is created.
///
/// # Errors
/// See [`DecodeError`]; the heap may have grown by decoded parts.
pub fn decode(
    heap: &mut Heap,
    bytes: &[u8],
    safe: bool,
    code: Option<&dyn CodeInfo>,
) -> Result<(Term, usize), DecodeError> {
    let mut reader = EtfReader {
        heap,
        bytes,
        at: 0,
        safe,
        code,
    };
    if reader.u8()? != VERSION {
        return Err(DecodeError::Malformed(0));
    }
    if bytes.get(1) != Some(&COMPRESSED) {
        let term = reader.term()?;
        let used = reader.at;
        return Ok((term, used));
    }
    reader.at = 2;
    let size = reader.u32()? as usize;
    // Deflate compresses at most 1032 to 1: a larger claim is false.
    if size > (bytes.len() - 6).saturating_mul(1032) {
        return Err(DecodeError::Malformed(2));
    }
    let mut decoder = flate2::bufread::ZlibDecoder::new(&bytes[6..]);
    let mut plain = Vec::new();
    let read = decoder.by_ref().take(size as u64 + 1).read_to_end(&mut plain);
    if read.is_err() || plain.len() != size {
        return Err(DecodeError::Malformed(6));
    }
    let used = 6 + decoder.total_in() as usize;
    let mut reader = EtfReader {
        heap,
        bytes: &plain,
        at: 0,
        safe,
        code,
    };
    let term = reader.term()?;
    if reader.at != size {
        return Err(DecodeError::Malformed(6));
    }
    Ok((term, used))
}

struct EtfReader<'a> {
    heap: &'a mut Heap,
    bytes: &'a [u8],
    at: usize,
    safe: bool,
    code: Option<&'a dyn CodeInfo>,
}

impl<'a> EtfReader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], DecodeError> {
        match self.bytes.get(self.at..).and_then(|rest| rest.get(..n)) {
            Some(part) => {
                self.at += n;
                Ok(part)
            }
            None => Err(DecodeError::Malformed(self.at)),
        }
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    fn u16(&mut self) -> Result<usize, DecodeError> {
        Ok(self.take(2)?.iter().fold(0, |n, b| n << 8 | usize::from(*b)))
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(self.take(4)?.iter().fold(0, |n, b| n << 8 | u32::from(*b)))
    }

    /// A count of parts, each of which takes at least `least` bytes: checked before anything is allocated for them.
    fn count(&mut self, least: usize) -> Result<usize, DecodeError> {
        let at = self.at;
        let n = self.u32()? as usize;
        if n.saturating_mul(least) > self.bytes.len() - self.at {
            Err(DecodeError::Malformed(at))
        } else {
            Ok(n)
        }
    }

    fn term(&mut self) -> Result<Term, DecodeError> {
        let mut frames: Vec<(DecodeFrame, usize)> = Vec::new();
        let mut values: Vec<Term> = Vec::new();
        loop {
            let at = self.at;
            let tag = self.u8()?;
            let frame = match tag {
                SMALL_TUPLE => Some(DecodeFrame::Tuple(usize::from(self.u8()?))),
                LARGE_TUPLE => Some(DecodeFrame::Tuple(self.count(1)?)),
                LIST => Some(DecodeFrame::List(self.count(1)?)),
                MAP => Some(DecodeFrame::Map(self.count(2)?)),
                NEW_FUN => Some(self.fun(at)?),
                _ => {
                    let value = self.leaf(tag, at)?;
                    values.push(value);
                    None
                }
            };
            if let Some(frame) = frame {
                // An element takes two words of memory and at least one byte of input.
                let parts = frame.parts() * 16;
                if parts > 1 << 20 && !self.heap.has_room(parts) {
                    return Err(DecodeError::SystemLimit);
                }
                let base = values.len();
                frames.push((frame, base));
            }
            // Build everything that is now complete.
            while let Some((frame, base)) = frames.last() {
                if values.len() - base < frame.parts() {
                    break;
                }
                let built = self.build(frame, &values[*base..], at)?;
                values.truncate(*base);
                values.push(built);
                frames.pop();
            }
            if frames.is_empty() {
                return Ok(values.pop().expect("a term was read"));
            }
        }
    }

    fn build(&mut self, frame: &DecodeFrame, parts: &[Term], at: usize) -> Result<Term, DecodeError> {
        Ok(match frame {
            DecodeFrame::Tuple(_) => self.heap.make_tuple(parts),
            DecodeFrame::List(n) => self.heap.make_list_with_tail(&parts[..*n], parts[*n]),
            DecodeFrame::Map(n) => {
                let pairs: Vec<_> = parts.chunks_exact(2).map(|p| (p[0], p[1])).collect();
                let map = maps::from_pairs(self.heap, &pairs);
                if maps::size(self.heap, map) != *n {
                    return Err(DecodeError::Malformed(at));
                }
                map
            }
            DecodeFrame::Fun { words, .. } => {
                let mut payload = words.to_vec();
                payload.extend_from_slice(as_words(parts));
                self.heap.make_box(BoxKind::Fun, &payload)
            }
        })
    }

    fn leaf(&mut self, tag: u8, at: usize) -> Result<Term, DecodeError> {
        Ok(match tag {
            SMALL_INTEGER => Term::small(i64::from(self.u8()?)),
            INTEGER => Term::small(i64::from(self.u32()? as i32)),
            SMALL_BIG => {
                let n = usize::from(self.u8()?);
                self.big(n)?
            }
            LARGE_BIG => {
                let n = self.count(1)?;
                self.big(n)?
            }
            NEW_FLOAT => {
                let bits = self.take(8)?.iter().fold(0, |n, b| n << 8 | u64::from(*b));
                self.float(f64::from_bits(bits), at)?
            }
            FLOAT => {
                let text = self.take(31)?;
                let end = text.iter().position(|b| *b == 0).unwrap_or(text.len());
                let text = std::str::from_utf8(&text[..end]).map_err(|_| DecodeError::Malformed(at))?;
                let value = text.trim_start().parse().map_err(|_| DecodeError::Malformed(at))?;
                self.float(value, at)?
            }
            ATOM | SMALL_ATOM | ATOM_UTF8 | SMALL_ATOM_UTF8 => Term::atom(self.atom_of(tag, at)?),
            NIL => Term::NIL,
            STRING => {
                let n = self.u16()?;
                let bytes: Vec<Term> = self.take(n)?.iter().map(|b| Term::small(i64::from(*b))).collect();
                self.heap.make_list(&bytes)
            }
            BINARY => {
                let n = self.count(1)?;
                let bytes = self.take(n)?;
                self.heap.make_binary(bytes)
            }
            BIT_BINARY => {
                let n = self.count(1)?;
                let last = usize::from(self.u8()?);
                let mut bytes = self.take(n)?.to_vec();
                if last > 8 || (last == 0) != (n == 0) {
                    return Err(DecodeError::Malformed(at));
                }
                if let Some(byte) = bytes.last_mut() {
                    *byte &= !(0xff_u16 >> last) as u8;
                }
                self.heap.make_bitstring(&bytes, (n * 8 + last).saturating_sub(8))
            }
            EXPORT => {
                let (module, function) = (self.atom()?, self.atom()?);
                let (tag, arity) = (self.u8()?, self.u8()?);
                if tag != SMALL_INTEGER {
                    return Err(DecodeError::Malformed(at));
                }
                let parts = [Term::atom(module), Term::atom(function), Term::small(i64::from(arity))];
                self.heap.make_box(BoxKind::ExternalFun, as_words(&parts))
            }
            NEW_PID | PID => Term::pid(self.pid(tag, at)?),
            NEWER_REFERENCE | NEW_REFERENCE | REFERENCE => {
                let n = if tag == REFERENCE { 1 } else { self.u16()? };
                let node = self.atom()?;
                // The oldest form has its only word before the creation.
                let only = if tag == REFERENCE { Some(self.u32()?) } else { None };
                let creation = self.creation(tag == NEWER_REFERENCE)?;
                let mut words = [0_u64; 4];
                if !(1..=4).contains(&n) || node != Atom::NONODE_NOHOST {
                    return Err(DecodeError::Foreign(at));
                }
                for word in words.iter_mut().take(n) {
                    *word = u64::from(match only {
                        Some(only) => only,
                        None => self.u32()?,
                    });
                }
                let (number, owner) = (words[0] | words[1] << 32, words[2] | words[3] << 32);
                let node = u16::try_from(creation).map_err(|_| DecodeError::Foreign(at))?;
                if owner >> 40 != 0 {
                    return Err(DecodeError::Foreign(at));
                }
                self.heap.make_reference(Reference {
                    owner: Pid::new(node, owner),
                    number,
                })
            }
            NEW_PORT => {
                let (node, number) = (self.atom()?, self.u32()?);
                match u16::try_from(self.creation(true)?) {
                    Ok(index) if node == Atom::NONODE_NOHOST => Term::port(Port(Pid::new(index, u64::from(number)))),
                    _ => return Err(DecodeError::Foreign(at)),
                }
            }
            // Other forms of ports.
            102 | 120 => return Err(DecodeError::Foreign(at)),
            _ => return Err(DecodeError::Malformed(at)),
        })
    }

    fn float(&mut self, value: f64, at: usize) -> Result<Term, DecodeError> {
        if value.is_finite() {
            Ok(self.heap.make_float(value))
        } else {
            Err(DecodeError::Malformed(at))
        }
    }

    fn big(&mut self, n: usize) -> Result<Term, DecodeError> {
        let sign = self.u8()?;
        let limbs: Vec<u64> = self
            .take(n)?
            .chunks(8)
            .map(|chunk| chunk.iter().rev().fold(0, |limb, b| limb << 8 | u64::from(*b)))
            .collect();
        from_parts(self.heap, sign != 0, &limbs).map_err(|_| DecodeError::SystemLimit)
    }

    fn atom(&mut self) -> Result<Atom, DecodeError> {
        let at = self.at;
        let tag = self.u8()?;
        self.atom_of(tag, at)
    }

    fn atom_of(&mut self, tag: u8, at: usize) -> Result<Atom, DecodeError> {
        let n = match tag {
            ATOM | ATOM_UTF8 => self.u16()?,
            SMALL_ATOM | SMALL_ATOM_UTF8 => usize::from(self.u8()?),
            _ => return Err(DecodeError::Malformed(at)),
        };
        let bytes = self.take(n)?;
        let name: String = if matches!(tag, ATOM | SMALL_ATOM) {
            bytes.iter().map(|b| char::from(*b)).collect()
        } else {
            std::str::from_utf8(bytes)
                .map_err(|_| DecodeError::Malformed(at))?
                .to_owned()
        };
        if name.chars().count() > ATOM_LENGTH {
            return Err(DecodeError::Malformed(at));
        }
        if self.safe {
            return Atom::existing(&name).ok_or(DecodeError::Unknown(at));
        }
        Atom::try_new(&name).ok_or(DecodeError::SystemLimit)
    }

    /// The creation of a node: four bytes, in older forms one.
    fn creation(&mut self, is_long: bool) -> Result<u32, DecodeError> {
        if is_long { self.u32() } else { self.u8().map(u32::from) }
    }

    fn pid(&mut self, tag: u8, at: usize) -> Result<Pid, DecodeError> {
        let node = self.atom()?;
        let (low, high) = (self.u32()?, self.u32()?);
        let creation = self.creation(tag == NEW_PID)?;
        match u16::try_from(creation) {
            Ok(index) if node == Atom::NONODE_NOHOST && high < 256 => {
                Ok(Pid::new(index, u64::from(high) << 32 | u64::from(low)))
            }
            _ => Err(DecodeError::Foreign(at)),
        }
    }

    fn fun(&mut self, at: usize) -> Result<DecodeFrame, DecodeError> {
        self.u32()?;
        let arity = self.u8()?;
        let unique = self.u32()?;
        self.take(12)?;
        let index = self.u32()?;
        let free = self.count(1)?;
        let module = self.atom()?;
        for _ in 0..2 {
            let at = self.at;
            let tag = self.u8()?;
            if !matches!(tag, SMALL_INTEGER | INTEGER) {
                return Err(DecodeError::Malformed(at));
            }
            self.leaf(tag, at)?;
        }
        let tag = self.u8()?;
        if !matches!(tag, NEW_PID | PID) {
            return Err(DecodeError::Malformed(at));
        }
        self.pid(tag, at)?;
        let code = self.code.ok_or(DecodeError::Unknown(at))?;
        let name = FunName { module, index, unique };
        let id = match code.find_fun(name, arity, free) {
            Some(id) => id,
            None if code.is_loaded(module) => return Err(DecodeError::Unknown(at)),
            None => return Err(DecodeError::Unloaded(module)),
        };
        Ok(DecodeFrame::Fun {
            words: name.words(id, arity),
            free,
        })
    }
}
