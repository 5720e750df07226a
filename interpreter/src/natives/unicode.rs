//! The module `unicode`: conversions between deep lists of characters and binaries in several encodings, byte order marks,
//! normal forms.

use unicode_normalization::UnicodeNormalization;

use crate::atom::Atom;
use crate::heap::{Heap, View};
use crate::native::{Context, Native, Raise};
use crate::term::Term;

type Args<'a> = &'a [Term];
type Answer = Result<Term, Raise>;

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

/// How the binaries among the data are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Latin1,
    Utf8,
    Utf16 { little: bool },
    Utf32 { little: bool },
}

fn encoding(cx: &Context<'_>, t: Term) -> Result<Encoding, Raise> {
    let (name, little) = match cx.heap.view(t) {
        View::Atom(a) => (a, false),
        View::Tuple(&[name, order]) => {
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

/// How a conversion ended; `Rest` is what was not converted.
enum End {
    Whole,
    Error(Term),
    Incomplete(Term),
}

/// A deep list that is walked: what is left of each list around the current place, innermost last.
struct Walk {
    tails: Vec<Term>,
}

impl Walk {
    /// The data from `item` on, in the shape that it had. At the top level `item` is all there is.
    fn rest(&self, heap: &mut Heap, item: Term) -> Term {
        self.tails
            .iter()
            .rev()
            .fold(item, |inner, tail| heap.cons(inner, *tail))
    }
}

/// The characters of the data. `largest`: the largest character that the target can hold.
fn characters(cx: &mut Context<'_>, data: Term, from: Encoding, to: Option<Encoding>) -> Result<(String, End), Raise> {
    if !data.is_list() && cx.heap.bits(data).is_none() {
        return Err(Raise::badarg());
    }
    check(cx, data)?;
    let latin1_target = to == Some(Encoding::Latin1);
    let mut out = String::new();
    // Bytes of a character that began in an earlier binary.
    let mut partial: Vec<u8> = Vec::new();
    let mut walk = Walk { tails: Vec::new() };
    let mut at = data;
    // `None`: `at` is the data itself or a tail; otherwise an element whose list goes on in the last of `tails`.
    let mut element = false;
    loop {
        if !element && let Some((head, tail)) = cx.heap.cons_cell(at) {
            walk.tails.push(tail);
            (at, element) = (head, true);
            continue;
        }
        if element && at.is_cons() {
            element = false;
            continue;
        }
        if let Some(code) = at.as_small() {
            if !partial.is_empty() {
                let rest = walk.rest(cx.heap, at);
                return Ok((out, cut_short(cx, &partial, rest)));
            }
            let c = u32::try_from(code).ok().and_then(char::from_u32);
            let narrow = from == Encoding::Latin1 && to.is_some() || latin1_target;
            match c {
                Some(c) if !narrow || u32::from(c) < 256 => out.push(c),
                Some(_) if !(from == Encoding::Latin1 && to == Some(Encoding::Utf8)) => {
                    let alone = cx.heap.cons(at, Term::NIL);
                    return Ok((out, End::Error(walk.rest(cx.heap, alone))));
                }
                None if to.is_some_and(|to| to != Encoding::Utf8) => return Err(Raise::badarg()),
                _ => return Ok((out, End::Error(walk.rest(cx.heap, at)))),
            }
        } else if !at.is_nil() {
            let bytes = cx.heap.bytes(at).ok_or(Raise::badarg())?.into_owned();
            let mut from_byte = 0;
            // Complete the character that began earlier, a byte at a time.
            while !partial.is_empty() && from_byte < bytes.len() {
                let before = partial.len();
                partial.push(bytes[from_byte]);
                match next(&partial, from) {
                    Next::Char(c, _) if !latin1_target || u32::from(c) < 256 => {
                        out.push(c);
                        partial.clear();
                    }
                    Next::Cut => {}
                    Next::Char(..) | Next::Bad => {
                        let tail = cx.heap.make_binary(&bytes[from_byte..]);
                        let rest = walk.rest(cx.heap, tail);
                        return Ok((out, cut_short(cx, &partial[..before], rest)));
                    }
                }
                from_byte += 1;
            }
            while from_byte < bytes.len() {
                match next(&bytes[from_byte..], from) {
                    Next::Char(c, n) if !latin1_target || u32::from(c) < 256 => {
                        out.push(c);
                        from_byte += n;
                    }
                    Next::Cut => {
                        partial = bytes[from_byte..].to_vec();
                        break;
                    }
                    Next::Char(..) | Next::Bad => {
                        let rest = cx
                            .heap
                            .make_sub_binary(at, from_byte * 8, (bytes.len() - from_byte) * 8);
                        return Ok((out, End::Error(walk.rest(cx.heap, rest))));
                    }
                }
            }
        }
        match walk.tails.pop() {
            Some(tail) => (at, element) = (tail, false),
            None if partial.is_empty() => return Ok((out, End::Whole)),
            None => return Ok((out, End::Incomplete(cx.heap.make_binary(&partial)))),
        }
    }
}

/// What is no character data at all is `badarg`, wherever it stands.
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

/// An error because a character that began in an earlier binary does not go on.
fn cut_short(cx: &mut Context<'_>, partial: &[u8], rest: Term) -> End {
    let partial = cx.heap.make_binary(partial);
    let rest = cx.heap.make_list(&[partial, rest]);
    End::Error(rest)
}

fn finish(cx: &mut Context<'_>, value: Term, end: &End) -> Term {
    match end {
        End::Whole => value,
        End::Error(rest) => cx.heap.make_tuple(&[Term::atom(Atom::ERROR), value, *rest]),
        End::Incomplete(rest) => cx.heap.make_tuple(&[Term::atom(Atom::new("incomplete")), value, *rest]),
    }
}

fn to_list(cx: &mut Context<'_>, data: Term, from: Encoding) -> Answer {
    let (text, end) = characters(cx, data, from, None)?;
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

fn to_binary(cx: &mut Context<'_>, data: Term, from: Encoding, to: Encoding) -> Answer {
    let (text, end) = characters(cx, data, from, Some(to))?;
    cx.local.charge += (text.len() / 20) as u32;
    let value = cx.heap.make_binary(&encode(&text, to));
    Ok(finish(cx, value, &end))
}

fn normal(cx: &mut Context<'_>, data: Term, binary: bool, form: fn(&str) -> String) -> Answer {
    let (text, end) = characters(cx, data, Encoding::Utf8, None)?;
    let text = form(&text);
    cx.local.charge += (text.len() / 5) as u32;
    let value = if binary {
        cx.heap.make_binary(text.as_bytes())
    } else {
        cx.heap.make_string(&text)
    };
    // These functions know only errors.
    let end = match end {
        End::Incomplete(rest) => End::Error(rest),
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

fn bom_to_encoding(cx: &mut Context<'_>, args: Args<'_>) -> Answer {
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

fn encoding_to_bom(cx: &mut Context<'_>, args: Args<'_>) -> Answer {
    let function_clause = Raise::error(Term::atom(Atom::FUNCTION_CLAUSE));
    let mark: &[u8] = match encoding(cx, args[0]).map_err(|_| function_clause)? {
        Encoding::Latin1 => &[],
        Encoding::Utf8 => MARKS[0].0,
        Encoding::Utf32 { little } => MARKS[1 + usize::from(little)].0,
        Encoding::Utf16 { little } => MARKS[3 + usize::from(little)].0,
    };
    Ok(cx.heap.make_binary(mark))
}
