//! The module `unicode`: conversions between deep lists of characters and binaries in several encodings, byte order marks,
//! normal forms.

use unicode_normalization::UnicodeNormalization;

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("unicode", "characters_to_list", 1, |cx, a| {
        to_list(cx, a[0], Encoding::Utf8)
    }),
    Native::pure("unicode", "characters_to_list", 2, |cx, a| {
        let from = encoding(cx, a[1])?;
        to_list(cx, a[0], from)
    }),
    Native::pure("unicode", "characters_to_binary", 1, |cx, a| {
        to_binary(cx, a[0], Encoding::Utf8, Encoding::Utf8)
    }),
    Native::pure("unicode", "characters_to_binary", 2, |cx, a| {
        let from = encoding(cx, a[1])?;
        to_binary(cx, a[0], from, Encoding::Utf8)
    }),
    Native::pure("unicode", "characters_to_binary", 3, |cx, a| {
        let (from, to) = (encoding(cx, a[1])?, encoding(cx, a[2])?);
        to_binary(cx, a[0], from, to)
    }),
    Native::pure("unicode", "bin_is_7bit", 1, |cx, a| {
        Ok(Term::boolean(cx.heap.bytes(a[0]).is_some_and(|b| b.is_ascii())))
    }),
    Native::pure("unicode", "bom_to_encoding", 1, bom_to_encoding),
    Native::pure("unicode", "encoding_to_bom", 1, encoding_to_bom),
    Native::pure("unicode", "characters_to_nfc_list", 1, |cx, a| {
        normal(cx, a[0], false, |s| s.nfc().collect())
    }),
    Native::pure("unicode", "characters_to_nfd_list", 1, |cx, a| {
        normal(cx, a[0], false, |s| s.nfd().collect())
    }),
    Native::pure("unicode", "characters_to_nfkc_list", 1, |cx, a| {
        normal(cx, a[0], false, |s| s.nfkc().collect())
    }),
    Native::pure("unicode", "characters_to_nfkd_list", 1, |cx, a| {
        normal(cx, a[0], false, |s| s.nfkd().collect())
    }),
    Native::pure("unicode", "characters_to_nfc_binary", 1, |cx, a| {
        normal(cx, a[0], true, |s| s.nfc().collect())
    }),
    Native::pure("unicode", "characters_to_nfd_binary", 1, |cx, a| {
        normal(cx, a[0], true, |s| s.nfd().collect())
    }),
    Native::pure("unicode", "characters_to_nfkc_binary", 1, |cx, a| {
        normal(cx, a[0], true, |s| s.nfkc().collect())
    }),
    Native::pure("unicode", "characters_to_nfkd_binary", 1, |cx, a| {
        normal(cx, a[0], true, |s| s.nfkd().collect())
    }),
];

/// The encoding of binaries in the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Latin1,
    Utf8,
    Utf16 { little: bool },
    Utf32 { little: bool },
}

fn encoding(cx: &Context<'_>, t: Term) -> Result<Encoding, Raise> {
    let (name, little) = match cx.heap.view(t) {
        TermView::Atom(a) => (a, false),
        TermView::Tuple(&[name, order]) => {
            let little = match order.as_atom() {
                Some(Atom::LITTLE) => true,
                Some(Atom::BIG) => false,
                _ => return Err(Raise::badarg()),
            };
            match name.as_atom() {
                Some(name @ (Atom::UTF16 | Atom::UTF32)) => (name, little),
                _ => return Err(Raise::badarg()),
            }
        }
        _ => return Err(Raise::badarg()),
    };
    Ok(match name {
        Atom::LATIN1 => Encoding::Latin1,
        Atom::UTF8 | Atom::UNICODE => Encoding::Utf8,
        Atom::UTF16 => Encoding::Utf16 { little },
        Atom::UTF32 => Encoding::Utf32 { little },
        _ => return Err(Raise::badarg()),
    })
}

/// The next character of some bytes.
enum Next {
    Char(char, usize),
    /// More bytes could complete it.
    Cut,
    Bad,
}

fn next(bytes: &[u8], encoding: Encoding) -> Next {
    let number = |n: usize, little: bool| {
        let word = bytes.get(..n)?.iter();
        let fold = |sum: u32, b: &u8| sum << 8 | u32::from(*b);
        Some(if little {
            word.rev().fold(0, fold)
        } else {
            word.fold(0, fold)
        })
    };
    match encoding {
        Encoding::Latin1 => Next::Char(char::from(bytes[0]), 1),
        Encoding::Utf8 => {
            let front = &bytes[..bytes.len().min(4)];
            match std::str::from_utf8(front) {
                Ok(text) => text.chars().next().map_or(Next::Cut, |c| Next::Char(c, c.len_utf8())),
                Err(e) if e.valid_up_to() > 0 => {
                    let valid = std::str::from_utf8(&front[..e.valid_up_to()]).unwrap_or_default();
                    valid.chars().next().map_or(Next::Bad, |c| Next::Char(c, c.len_utf8()))
                }
                Err(e) => {
                    if e.error_len().is_none() {
                        Next::Cut
                    } else {
                        Next::Bad
                    }
                }
            }
        }
        Encoding::Utf16 { little } => match number(2, little) {
            None => Next::Cut,
            Some(high @ 0xd800..0xdc00) => {
                if bytes.len() < 4 {
                    return Next::Cut;
                }
                let low = if little {
                    [bytes[3], bytes[2]]
                } else {
                    [bytes[2], bytes[3]]
                };
                match u32::from(u16::from_be_bytes(low)) {
                    low @ 0xdc00..0xe000 => char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                        .map_or(Next::Bad, |c| Next::Char(c, 4)),
                    _ => Next::Bad,
                }
            }
            Some(code) => char::from_u32(code).map_or(Next::Bad, |c| Next::Char(c, 2)),
        },
        Encoding::Utf32 { little } => match number(4, little) {
            None => Next::Cut,
            Some(code) => char::from_u32(code).map_or(Next::Bad, |c| Next::Char(c, 4)),
        },
    }
}

/// How a conversion ended; `Rest` is the unconverted rest.
enum ConversionEnd {
    Whole,
    Error(Term),
    Incomplete(Term),
}

/// A walk over a deep list: the rest of each list around the current position, innermost last.
struct DeepListWalk {
    tails: Vec<Term>,
}

impl DeepListWalk {
    /// The data from `item` on, in its original shape. At the top level, `item` is the whole rest.
    fn rest(&self, heap: &mut Heap, item: Term) -> Term {
        self.tails
            .iter()
            .rev()
            .fold(item, |inner, tail| heap.cons(inner, *tail))
    }

    /// As [`DeepListWalk::rest`], in the shape that `unicode_util:cp/1` returns, which opens the lists on its way: the item at the head of one list.
    fn opened(&self, heap: &mut Heap, item: Term) -> Term {
        let mut rest = Term::NIL;
        for tail in self.tails.iter().rev().filter(|tail| !tail.is_nil()) {
            rest = match rest.is_nil() {
                true => *tail,
                false => heap.cons(rest, *tail),
            };
        }
        match rest.is_nil() {
            true => item,
            false => heap.cons(item, rest),
        }
    }

    /// The bytes of what follows an item, if that consists of binaries only.
    fn bytes_left(&self, heap: &Heap) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut todo: Vec<Term> = self.tails.clone();
        while let Some(at) = todo.pop() {
            if let Some((head, tail)) = heap.cons_cell(at) {
                todo.extend([tail, head]);
            } else if !at.is_nil() {
                bytes.extend_from_slice(&heap.bytes(at)?);
            }
        }
        Some(bytes)
    }
}

/// How many bytes a character needs beyond these, which OTP takes for its beginning; `None` if no character begins in this way.
fn missing(bytes: &[u8], encoding: Encoding) -> Option<usize> {
    let continued = |more: &[u8]| more.iter().all(|b| b & 0xc0 == 0x80);
    let plane = |x: u8, y: u8| x <= 16 && (x > 0 || !(0xd8..0xe0).contains(&y));
    match encoding {
        Encoding::Latin1 => None,
        Encoding::Utf8 => {
            let n = match *bytes.first()? {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => return None,
            };
            (bytes.len() < n && continued(&bytes[1..])).then(|| n - bytes.len())
        }
        Encoding::Utf16 { little } => {
            let surrogate = |b: u8| (0xd8..0xdc).contains(&b);
            match (little, bytes) {
                (false, [a]) if surrogate(*a) => Some(3),
                (false, [a]) if !(0xdc..0xe0).contains(a) => Some(1),
                (false, [a, _]) if surrogate(*a) => Some(2),
                (false, [a, _, b]) if surrogate(*a) && (0xdc..0xe0).contains(b) => Some(1),
                (true, [_]) => Some(1),
                (true, [_, a]) if surrogate(*a) => Some(2),
                (true, [_, a, _]) if surrogate(*a) => Some(1),
                _ => None,
            }
        }
        Encoding::Utf32 { little } => match (little, bytes) {
            (false, [0]) | (true, [_]) => Some(3),
            (true, [_, _]) => Some(2),
            (false, [0, x]) if *x <= 16 => Some(2),
            (false, [0, x, y]) | (true, [_, y, x]) if plane(*x, *y) => Some(1),
            _ => None,
        },
    }
}

/// Are there fewer bytes than the first one announces? OTP waits for the others before it says what is wrong.
fn is_cut(bytes: &[u8]) -> bool {
    match bytes.first() {
        Some(0xc0..=0xdf) => bytes.len() < 2,
        Some(0xe0..=0xef) => bytes.len() < 3,
        Some(0xf0..=0xf7) => bytes.len() < 4,
        _ => false,
    }
}

/// The characters of the data, as far as the target (`None`: a list) can represent them.
///
/// OTP converts from Latin-1 and UTF-8 to UTF-8 and lists in one way, and between all other encodings in another. The two differ in what they
/// return for data that cannot be converted (`direct`).
fn characters(
    cx: &mut Context<'_>,
    data: Term,
    from: Encoding,
    to: Option<Encoding>,
) -> Result<(String, ConversionEnd), Raise> {
    characters_opened(cx, data, from, to, false)
}

/// As [`characters`]; `opens`: the unconverted rest has the shape of [`DeepListWalk::opened`].
fn characters_opened(
    cx: &mut Context<'_>,
    data: Term,
    from: Encoding,
    to: Option<Encoding>,
    opens: bool,
) -> Result<(String, ConversionEnd), Raise> {
    if !data.is_list() && cx.heap.bits(data).is_none() {
        return Err(Raise::badarg());
    }
    let direct = matches!(from, Encoding::Latin1 | Encoding::Utf8) && to.is_none_or(|to| to == Encoding::Utf8);
    if direct {
        check(cx, data)?;
    }
    // A list with one binary is treated as that binary if bytes are converted to bytes.
    let single = match cx.heap.cons_cell(data) {
        Some((head, tail)) if direct && to.is_some() && tail.is_nil() && cx.heap.bits(head).is_some() => Some(head),
        _ => None,
    };
    let mut conversion = Conversion {
        from,
        direct,
        latin1_target: to == Some(Encoding::Latin1),
        opens,
        out: String::new(),
        partial: Vec::new(),
        needed: 0,
        opened: None,
        walk: DeepListWalk { tails: Vec::new() },
    };
    let mut at = single.unwrap_or(data);
    // Is `at` an element, whose list continues in the last of `tails`? Otherwise it is the data itself or a tail.
    let mut element = false;
    loop {
        if !element && let Some((head, tail)) = cx.heap.cons_cell(at) {
            conversion.walk.tails.push(tail);
            (at, element) = (head, true);
            continue;
        }
        if element && at.is_cons() {
            element = false;
            continue;
        }
        let part = match at.as_small() {
            Some(_) if !element => return Err(Raise::badarg()),
            Some(code) => conversion.number(cx, at, code)?,
            None if at.is_nil() => ConvertedPart::Taken,
            None => conversion.binary(cx, at, element)?,
        };
        match part {
            ConvertedPart::Taken => {}
            ConvertedPart::Instead(other) => {
                at = other;
                continue;
            }
            ConvertedPart::Wrong(rest) => return Ok((conversion.out, ConversionEnd::Error(rest))),
        }
        match conversion.walk.tails.pop() {
            Some(tail) => (at, element) = (tail, false),
            None => return Ok(conversion.end(cx)),
        }
    }
}

/// A conversion in progress: see [`characters`].
struct Conversion {
    from: Encoding,
    direct: bool,
    latin1_target: bool,
    opens: bool,
    out: String,
    /// Bytes of a character that began in an earlier binary.
    partial: Vec<u8>,
    /// How many bytes it still needs, if not `direct`.
    needed: usize,
    /// The rest from that character on, if the conversion `opens`.
    opened: Option<Term>,
    walk: DeepListWalk,
}

/// The result of one part of the data.
enum ConvertedPart {
    /// It is converted.
    Taken,
    /// It is to be replaced by this, which is then converted.
    Instead(Term),
    /// It cannot be converted. The unconverted rest begins with it.
    Wrong(Term),
}

impl Conversion {
    /// An element that is a number.
    fn number(&mut self, cx: &mut Context<'_>, at: Term, code: i64) -> Result<ConvertedPart, Raise> {
        if !self.partial.is_empty() {
            let partial = cx.heap.make_binary(&self.partial);
            let rest = if let Some(opened) = self.opened {
                opened
            } else if self.direct {
                let rest = self.walk.rest(cx.heap, at);
                cx.heap.make_list(&[partial, rest])
            } else {
                let tail = self.walk.tails.pop().expect("an element has a tail");
                let whole = cx.heap.cons(at, tail);
                let whole = cx.heap.cons(partial, whole);
                self.walk.rest(cx.heap, whole)
            };
            return Ok(ConvertedPart::Wrong(rest));
        }
        let narrow = self.from == Encoding::Latin1 || self.latin1_target;
        Ok(match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(c) if !narrow || u32::from(c) < 256 => {
                self.out.push(c);
                ConvertedPart::Taken
            }
            None if self.latin1_target && code < 0 => return Err(Raise::badarg()),
            _ if self.direct => ConvertedPart::Wrong(self.walk.rest(cx.heap, at)),
            _ => {
                let alone = cx.heap.cons(at, Term::NIL);
                ConvertedPart::Wrong(self.walk.rest(cx.heap, alone))
            }
        })
    }

    /// An element, a tail or data that is a binary.
    fn binary(&mut self, cx: &mut Context<'_>, at: Term, element: bool) -> Result<ConvertedPart, Raise> {
        let bytes = cx.heap.bytes(at).ok_or(Raise::badarg())?.into_owned();
        if self.partial.is_empty() {
            return Ok(self.decode(cx, at, &bytes, 0));
        }
        if self.direct {
            return Ok(self.complete(cx, at, &bytes));
        }
        if bytes.len() < self.needed {
            self.partial.extend_from_slice(&bytes);
            self.needed -= bytes.len();
            return Ok(ConvertedPart::Taken);
        }
        let mut partial = std::mem::take(&mut self.partial);
        if !element {
            let first = cx.heap.make_binary(&partial);
            return Ok(ConvertedPart::Instead(cx.heap.make_list(&[first, at])));
        }
        // The completed character and the rest of the binary replace the binary.
        partial.extend_from_slice(&bytes[..self.needed]);
        let rest = cx.heap.make_binary(&bytes[self.needed..]);
        let tail = self.walk.tails.pop().expect("an element has a tail");
        self.walk.tails.push(cx.heap.cons(rest, tail));
        Ok(ConvertedPart::Instead(cx.heap.make_binary(&partial)))
    }

    /// Completes the character that began earlier, a byte at a time, and converts the rest of these bytes.
    fn complete(&mut self, cx: &mut Context<'_>, at: Term, bytes: &[u8]) -> ConvertedPart {
        for (i, &byte) in bytes.iter().enumerate() {
            let before = self.partial.len();
            self.partial.push(byte);
            match next(&self.partial, self.from) {
                Next::Char(c, _) => {
                    self.out.push(c);
                    self.partial.clear();
                    return self.decode(cx, at, bytes, i + 1);
                }
                Next::Cut => {}
                Next::Bad => {
                    let rest = match self.walk.bytes_left(cx.heap) {
                        Some(left) => {
                            let all = [&self.partial[..before], &bytes[i..], &left].concat();
                            cx.heap.make_binary(&all)
                        }
                        None => {
                            let tail = cx.heap.make_binary(&bytes[i..]);
                            let rest = self.walk.rest(cx.heap, tail);
                            let partial = cx.heap.make_binary(&self.partial[..before]);
                            cx.heap.make_list(&[partial, rest])
                        }
                    };
                    return ConvertedPart::Wrong(self.opened.unwrap_or(rest));
                }
            }
        }
        ConvertedPart::Taken
    }

    /// Converts the bytes of a binary from this one on, up to a character that is cut off.
    fn decode(&mut self, cx: &mut Context<'_>, at: Term, bytes: &[u8], mut from_byte: usize) -> ConvertedPart {
        while from_byte < bytes.len() {
            let left = &bytes[from_byte..];
            let more = if self.direct { None } else { missing(left, self.from) };
            match next(left, self.from) {
                Next::Char(c, n) if !self.latin1_target || u32::from(c) < 256 => {
                    self.out.push(c);
                    from_byte += n;
                }
                kind @ (Next::Cut | Next::Bad)
                    if self.direct && (matches!(kind, Next::Cut) || self.from == Encoding::Utf8 && is_cut(left)) =>
                {
                    self.partial = left.to_vec();
                    if self.opens {
                        let rest = cx.heap.make_sub_binary(at, from_byte * 8, left.len() * 8);
                        self.opened = Some(self.walk.opened(cx.heap, rest));
                    }
                    break;
                }
                Next::Cut | Next::Bad if more.is_some() => {
                    (self.partial, self.needed) = (left.to_vec(), more.unwrap_or_default());
                    break;
                }
                _ => {
                    let rest = cx.heap.make_sub_binary(at, from_byte * 8, left.len() * 8);
                    return ConvertedPart::Wrong(match self.opens {
                        true => self.walk.opened(cx.heap, rest),
                        false => self.walk.rest(cx.heap, rest),
                    });
                }
            }
        }
        ConvertedPart::Taken
    }

    /// The result at the end of the data.
    fn end(self, cx: &mut Context<'_>) -> (String, ConversionEnd) {
        if self.partial.is_empty() {
            return (self.out, ConversionEnd::Whole);
        }
        let rest = self.opened.unwrap_or_else(|| cx.heap.make_binary(&self.partial));
        let begins = !self.direct || self.from != Encoding::Utf8 || missing(&self.partial, self.from).is_some();
        let end = if begins {
            ConversionEnd::Incomplete(rest)
        } else {
            ConversionEnd::Error(rest)
        };
        (self.out, end)
    }
}

/// Fails with `badarg` unless the data is character data.
fn check(cx: &Context<'_>, data: Term) -> Result<(), Raise> {
    let mut stack = vec![];
    let mut at = data;
    loop {
        while let Some((head, tail)) = cx.heap.cons_cell(at) {
            if head.is_small() {
                at = tail;
            } else {
                stack.push(tail);
                at = head;
            }
        }
        if !at.is_nil() && cx.heap.bits(at).is_none_or(|b| b.len % 8 != 0) {
            return Err(Raise::badarg());
        }
        match stack.pop() {
            Some(next) => at = next,
            None => return Ok(()),
        }
    }
}

fn finish(cx: &mut Context<'_>, value: Term, end: &ConversionEnd) -> Term {
    match end {
        ConversionEnd::Whole => value,
        ConversionEnd::Error(rest) => cx.heap.make_tuple(&[Term::atom(Atom::ERROR), value, *rest]),
        ConversionEnd::Incomplete(rest) => cx.heap.make_tuple(&[Term::atom(Atom::new("incomplete")), value, *rest]),
    }
}

fn to_list(cx: &mut Context<'_>, data: Term, from: Encoding) -> NativeResult {
    let (text, end) = characters(cx, data, from, None)?;
    cx.needs(text.chars().count() * 16)?;
    cx.local.charge += (text.len() / 10) as u32;
    let value = cx.heap.make_string(&text);
    Ok(finish(cx, value, &end))
}

fn encode(text: &str, to: Encoding) -> Vec<u8> {
    match to {
        Encoding::Latin1 => text.chars().map(|c| u32::from(c) as u8).collect(),
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16 { little } => text
            .encode_utf16()
            .flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() })
            .collect(),
        Encoding::Utf32 { little } => text
            .chars()
            .map(u32::from)
            .flat_map(|c| if little { c.to_le_bytes() } else { c.to_be_bytes() })
            .collect(),
    }
}

fn to_binary(cx: &mut Context<'_>, data: Term, from: Encoding, to: Encoding) -> NativeResult {
    let (text, end) = characters(cx, data, from, Some(to))?;
    cx.local.charge += (text.len() / 20) as u32;
    let value = cx.heap.make_binary(&encode(&text, to));
    Ok(finish(cx, value, &end))
}

fn normal(cx: &mut Context<'_>, data: Term, binary: bool, form: fn(&str) -> String) -> NativeResult {
    let (text, end) = characters_opened(cx, data, Encoding::Utf8, None, true)?;
    let text = form(&text);
    cx.local.charge += (text.len() / 5) as u32;
    let value = if binary {
        cx.heap.make_binary(text.as_bytes())
    } else {
        cx.heap.make_string(&text)
    };
    // These functions return only errors.
    let end = match end {
        ConversionEnd::Incomplete(rest) => ConversionEnd::Error(rest),
        end => end,
    };
    Ok(finish(cx, value, &end))
}

/// Byte order marks; the longer ones first, because UTF-16's little one begins UTF-32's.
const MARKS: [(&[u8], &str, Option<bool>); 5] = [
    (&[0xef, 0xbb, 0xbf], "utf8", None),
    (&[0, 0, 0xfe, 0xff], "utf32", Some(false)),
    (&[0xff, 0xfe, 0, 0], "utf32", Some(true)),
    (&[0xfe, 0xff], "utf16", Some(false)),
    (&[0xff, 0xfe], "utf16", Some(true)),
];

fn bom_to_encoding(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let function_clause = Raise::error(Term::atom(Atom::FUNCTION_CLAUSE));
    let bytes = cx.heap.bytes(args[0]).ok_or(function_clause)?.into_owned();
    let (name, little, n) = MARKS
        .iter()
        .find(|(mark, _, _)| bytes.starts_with(mark))
        .map_or(("latin1", None, 0), |(mark, name, little)| (*name, *little, mark.len()));
    let name = Term::atom(Atom::new(name));
    let encoding = match little {
        None => name,
        Some(little) => {
            let order = Term::atom(if little { Atom::LITTLE } else { Atom::BIG });
            cx.heap.make_tuple(&[name, order])
        }
    };
    Ok(cx.heap.make_tuple(&[encoding, Term::small(n as i64)]))
}

fn encoding_to_bom(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let function_clause = Raise::error(Term::atom(Atom::FUNCTION_CLAUSE));
    let mark: &[u8] = match encoding(cx, args[0]).map_err(|_| function_clause)? {
        Encoding::Latin1 => &[],
        Encoding::Utf8 => MARKS[0].0,
        Encoding::Utf32 { little } => MARKS[1 + usize::from(little)].0,
        Encoding::Utf16 { little } => MARKS[3 + usize::from(little)].0,
    };
    Ok(cx.heap.make_binary(mark))
}
