//! Natives on binaries: the module `binary` and the binary functions of `erlang`.

use crate::arith;
use crate::atom::Atom;
use crate::binary::{Builder, len};
use crate::heap::TermView;
use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::term::Term;

use super::convert::{byte_list, bytes};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "byte_size", 1, |cx, a| {
        size(cx, a[0]).map(|n| Term::small(n.div_ceil(8) as i64))
    }),
    Native::pure("erlang", "bit_size", 1, |cx, a| {
        size(cx, a[0]).map(|n| Term::small(n as i64))
    }),
    Native::pure("erlang", "size", 1, any_size),
    Native::pure("erlang", "split_binary", 2, split_binary),
    Native::pure("erlang", "binary_part", 2, |cx, a| part(cx, a[0], a[1])),
    Native::pure("erlang", "binary_part", 3, |cx, a| part_of(cx, a[0], a[1], a[2])),
    Native::pure("binary", "part", 2, |cx, a| part(cx, a[0], a[1])),
    Native::pure("binary", "part", 3, |cx, a| part_of(cx, a[0], a[1], a[2])),
    Native::pure("binary", "at", 2, at),
    Native::pure("binary", "first", 1, |cx, a| end(cx, a[0], <[u8]>::first)),
    Native::pure("binary", "last", 1, |cx, a| end(cx, a[0], <[u8]>::last)),
    Native::pure("binary", "bin_to_list", 1, |cx, a| {
        bytes(cx, a[0]).map(|b| byte_list(cx.heap, &b, Term::NIL))
    }),
    Native::pure("binary", "bin_to_list", 2, |cx, a| {
        let (from, n) = pair(cx, a[1])?;
        bin_to_list(cx, a[0], from, n)
    }),
    Native::pure("binary", "bin_to_list", 3, |cx, a| bin_to_list(cx, a[0], a[1], a[2])),
    Native::pure("binary", "list_to_bin", 1, list_to_bin),
    Native::pure("binary", "copy", 1, |cx, a| copy(cx, a[0], Term::small(1))),
    Native::pure("binary", "copy", 2, |cx, a| copy(cx, a[0], a[1])),
    Native::pure("binary", "referenced_byte_size", 1, |cx, a| {
        bytes(cx, a[0])?;
        let whole = cx.heap.bits(a[0]).map_or(0, |b| b.bytes.len());
        Ok(Term::small(whole as i64))
    }),
    Native::pure("binary", "decode_unsigned", 1, |cx, a| {
        decode_unsigned(cx, a[0], Term::atom(Atom::BIG))
    }),
    Native::pure("binary", "decode_unsigned", 2, |cx, a| decode_unsigned(cx, a[0], a[1])),
    Native::pure("binary", "encode_unsigned", 1, |cx, a| {
        encode_unsigned(cx, a[0], Term::atom(Atom::BIG))
    }),
    Native::pure("binary", "encode_unsigned", 2, |cx, a| encode_unsigned(cx, a[0], a[1])),
    Native::pure("binary", "encode_hex", 1, |cx, a| {
        encode_hex(cx, a[0], b"0123456789ABCDEF")
    }),
    Native::pure("binary", "encode_hex", 2, |cx, a| {
        match a[1].as_atom().map(Atom::as_str) {
            Some("uppercase") => encode_hex(cx, a[0], b"0123456789ABCDEF"),
            Some("lowercase") => encode_hex(cx, a[0], b"0123456789abcdef"),
            _ => Err(Raise::badarg()),
        }
    }),
    Native::pure("binary", "decode_hex", 1, decode_hex),
    Native::pure("binary", "longest_common_prefix", 1, |cx, a| {
        common(cx, a[0], |b, i| b.get(i).copied())
    }),
    Native::pure("binary", "longest_common_suffix", 1, |cx, a| {
        common(cx, a[0], |b, i| b.len().checked_sub(i + 1).map(|i| b[i]))
    }),
    Native::pure("binary", "compile_pattern", 1, compile_pattern),
    Native::pure("binary", "match", 2, |cx, a| find(cx, a, Term::NIL)),
    Native::pure("binary", "match", 3, |cx, a| find(cx, a, a[2])),
    Native::pure("binary", "matches", 2, |cx, a| find_all(cx, a, Term::NIL)),
    Native::pure("binary", "matches", 3, |cx, a| find_all(cx, a, a[2])),
    Native::pure("binary", "split", 2, |cx, a| split(cx, a, Term::NIL)),
    Native::pure("binary", "split", 3, |cx, a| split(cx, a, a[2])),
    Native::pure("binary", "replace", 3, |cx, a| replace(cx, a, Term::NIL)),
    Native::pure("binary", "replace", 4, |cx, a| replace(cx, a, a[3])),
];

/// Size in bits.
fn size(cx: &Context<'_>, t: Term) -> Result<usize, Raise> {
    len(cx.heap, t).ok_or(Raise::badarg())
}

fn any_size(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    match cx.heap.tuple(args[0]) {
        Some(elements) => Ok(Term::small(elements.len() as i64)),
        None => size(cx, args[0]).map(|n| Term::small(n as i64 / 8)),
    }
}

fn split_binary(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let size = size(cx, args[0])?;
    match args[1].as_small().and_then(|n| usize::try_from(n).ok()) {
        Some(n) if n <= size / 8 => {
            let front = cx.heap.make_sub_binary(args[0], 0, n * 8);
            let back = cx.heap.make_sub_binary(args[0], n * 8, size - n * 8);
            Ok(cx.heap.make_tuple(&[front, back]))
        }
        _ => Err(Raise::badarg()),
    }
}

/// The two integers of a part specification.
fn pair(cx: &Context<'_>, t: Term) -> Result<(Term, Term), Raise> {
    match cx.heap.tuple(t) {
        Some(&[from, n]) => Ok((from, n)),
        _ => Err(Raise::badarg()),
    }
}

/// Start and end of a part, in bytes; a negative length counts back from the start.
fn range(size: usize, from: Term, n: Term) -> Result<(usize, usize), Raise> {
    let (Some(from), Some(n)) = (from.as_small(), n.as_small()) else {
        return Err(Raise::badarg());
    };
    let (from, to) = if n < 0 { (from + n, from) } else { (from, from + n) };
    if from < 0 || to > size as i64 {
        Err(Raise::badarg())
    } else {
        Ok((from as usize, to as usize))
    }
}

fn part(cx: &mut Context<'_>, t: Term, spec: Term) -> NativeResult {
    let (from, n) = pair(cx, spec)?;
    part_of(cx, t, from, n)
}

fn part_of(cx: &mut Context<'_>, t: Term, from: Term, n: Term) -> NativeResult {
    let (from, to) = range(size(cx, t)? / 8, from, n)?;
    Ok(cx.heap.make_sub_binary(t, from * 8, (to - from) * 8))
}

fn at(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let bits = cx
        .heap
        .bits(args[0])
        .filter(|b| b.len % 8 == 0)
        .ok_or(Raise::badarg())?;
    match args[1].as_small() {
        Some(n) if n >= 0 && (n as usize) < bits.len / 8 => Ok(Term::small(i64::from(bits.byte_at(n as usize * 8)))),
        _ => Err(Raise::badarg()),
    }
}

fn end(cx: &mut Context<'_>, t: Term, pick: fn(&[u8]) -> Option<&u8>) -> NativeResult {
    let bytes = cx.heap.bytes(t).ok_or(Raise::badarg())?;
    pick(&bytes).map(|b| Term::small(i64::from(*b))).ok_or(Raise::badarg())
}

fn bin_to_list(cx: &mut Context<'_>, t: Term, from: Term, n: Term) -> NativeResult {
    let bytes = bytes(cx, t)?;
    let (from, to) = range(bytes.len(), from, n)?;
    Ok(byte_list(cx.heap, &bytes[from..to], Term::NIL))
}

fn list_to_bin(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if !args[0].is_list() {
        return Err(Raise::badarg());
    }
    let flat = super::convert::flatten(cx.heap, args[0], super::convert::Flatten::Bytes);
    let (bytes, _) = flat.ok_or(Raise::badarg())?;
    Ok(cx.heap.make_binary(&bytes))
}

fn copy(cx: &mut Context<'_>, t: Term, times: Term) -> NativeResult {
    let times = times
        .as_small()
        .and_then(|n| usize::try_from(n).ok())
        .ok_or(Raise::badarg())?;
    if times == 0 && cx.heap.bits(t).is_some() {
        return Ok(cx.heap.make_binary(&[]));
    }
    let bytes = bytes(cx, t)?;
    let bits = bytes.len().checked_mul(times).and_then(|n| n.checked_mul(8));
    if bits.is_none_or(|n| n > crate::binary::SIZE_LIMIT) {
        return Err(Raise::system_limit());
    }
    let size = bytes.len() * times;
    cx.needs(size)?;
    cx.local.charge = cx
        .local
        .charge
        .saturating_add(u32::try_from(size / 1024).unwrap_or(u32::MAX));
    Ok(cx.heap.make_binary(&bytes.repeat(times)))
}

fn is_little(t: Term) -> Result<bool, Raise> {
    match t.as_atom() {
        Some(Atom::LITTLE) => Ok(true),
        Some(Atom::BIG) => Ok(false),
        _ => Err(Raise::badarg()),
    }
}

fn decode_unsigned(cx: &mut Context<'_>, t: Term, endianness: Term) -> NativeResult {
    let little = is_little(endianness)?;
    let bits = bytes(cx, t)?.len() * 8;
    crate::binary::match_integer(cx.heap, t, 0, bits, little, false).ok_or(Raise::system_limit())
}

fn encode_unsigned(cx: &mut Context<'_>, t: Term, endianness: Term) -> NativeResult {
    let little = is_little(endianness)?;
    let bytes = match arith::number(cx.heap, t) {
        Some(arith::Number::Small(i)) if i >= 0 => (8 - i.leading_zeros() as usize / 8).max(1),
        Some(arith::Number::Big(false, limbs)) => limbs.len() * 8 - limbs[limbs.len() - 1].leading_zeros() as usize / 8,
        _ => return Err(Raise::badarg()),
    };
    let mut builder = Builder::new();
    builder.put_integer(cx.heap, t, bytes * 8, little)?;
    Ok(builder.finish(cx.heap))
}

fn encode_hex(cx: &mut Context<'_>, data: Term, digits: &[u8; 16]) -> NativeResult {
    let hex: Vec<u8> = bytes(cx, data)?
        .iter()
        .flat_map(|b| [digits[usize::from(b >> 4)], digits[usize::from(b & 15)]])
        .collect();
    Ok(cx.heap.make_binary(&hex))
}

fn decode_hex(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let hex = bytes(cx, args[0])?;
    let digits: Option<Vec<u8>> = hex
        .iter()
        .map(|b| char::from(*b).to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits.filter(|d| d.len() % 2 == 0).ok_or(Raise::badarg())?;
    let bytes: Vec<u8> = digits.chunks(2).map(|d| d[0] << 4 | d[1]).collect();
    Ok(cx.heap.make_binary(&bytes))
}

fn common(cx: &mut Context<'_>, t: Term, get: fn(&[u8], usize) -> Option<u8>) -> NativeResult {
    let list = cx.heap.list(t).filter(|l| !l.is_empty()).ok_or(Raise::badarg())?;
    let all: Vec<Vec<u8>> = list.into_iter().map(|b| bytes(cx, b)).collect::<Result<_, _>>()?;
    let mut n = 0;
    while let Some(byte) = get(&all[0], n) {
        if !all.iter().all(|b| get(b, n) == Some(byte)) {
            break;
        }
        n += 1;
    }
    Ok(Term::small(n as i64))
}

/// The patterns of a search: one binary, a list of them, or a compiled pattern. All have at least one byte.
fn patterns(cx: &Context<'_>, t: Term) -> Result<Vec<Vec<u8>>, Raise> {
    let list = match cx.heap.view(t) {
        TermView::Binary => vec![t],
        TermView::Tuple(&[kind, inner]) if kind.as_atom().is_some_and(|k| matches!(k.as_str(), "bm" | "ac")) => {
            match cx.heap.view(inner) {
                TermView::Binary => vec![inner],
                _ => cx.heap.list(inner).ok_or(Raise::badarg())?,
            }
        }
        _ => cx.heap.list(t).ok_or(Raise::badarg())?,
    };
    let all: Vec<Vec<u8>> = list.into_iter().map(|b| bytes(cx, b)).collect::<Result<_, _>>()?;
    if all.is_empty() || all.iter().any(Vec::is_empty) {
        Err(Raise::badarg())
    } else {
        Ok(all)
    }
}

/// `{bm, Binary}` or `{ac, [Binary]}`: programs may only pass it on.
fn compile_pattern(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    patterns(cx, args[0])?;
    let kind = if args[0].is_list() { "ac" } else { "bm" };
    Ok(cx.heap.make_tuple(&[Term::atom(Atom::new(kind)), args[0]]))
}

/// The first `most` matches in `subject[from..to]`, leftmost first, the longest of those that begin at one place; not overlapping.
fn search(subject: &[u8], from: usize, to: usize, patterns: &[Vec<u8>], most: usize) -> Vec<(usize, usize)> {
    let mut firsts = [false; 256];
    for p in patterns {
        firsts[usize::from(p[0])] = true;
    }
    let (mut found, mut at) = (Vec::new(), from);
    while at < to {
        let rest = &subject[at..to];
        if firsts[usize::from(rest[0])]
            && let Some(n) = patterns.iter().filter(|p| rest.starts_with(p)).map(Vec::len).max()
        {
            found.push((at, n));
            if found.len() >= most {
                break;
            }
            at += n;
        } else {
            at += 1;
        }
    }
    found
}

/// Options of searches.
#[derive(Default)]
struct SearchOptions {
    scope: Option<(Term, Term)>,
    global: bool,
    trim: bool,
    trim_all: bool,
    insert: Option<Vec<usize>>,
}

fn options(cx: &Context<'_>, t: Term, allowed: &[&str]) -> Result<SearchOptions, Raise> {
    let mut out = SearchOptions::default();
    for option in cx.heap.list(t).ok_or(Raise::badarg())? {
        let (name, value) = match cx.heap.view(option) {
            TermView::Atom(a) => (a.as_str(), None),
            TermView::Tuple(&[name, value]) => (name.as_atom().ok_or(Raise::badarg())?.as_str(), Some(value)),
            _ => return Err(Raise::badarg()),
        };
        if !allowed.contains(&name) {
            return Err(Raise::badarg());
        }
        match (name, value) {
            ("global", None) => out.global = true,
            ("trim", None) => out.trim = true,
            ("trim_all", None) => out.trim_all = true,
            ("scope", Some(value)) => out.scope = Some(pair(cx, value)?),
            ("insert_replaced", Some(value)) => {
                let places = cx.heap.list(value).unwrap_or_else(|| vec![value]);
                let places: Option<Vec<usize>> = places
                    .into_iter()
                    .map(|p| p.as_small().and_then(|p| usize::try_from(p).ok()))
                    .collect();
                out.insert = Some(places.ok_or(Raise::badarg())?);
            }
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(out)
}

type Matches = Vec<(usize, usize)>;

/// The minimum number of bytes that a match takes in any result.
const PLACE: usize = 16;

/// The matches of `args[1]` in `args[0]`, and the size of the latter. The subject is not copied: programs search the rest of one large binary
/// again and again.
fn matches(
    cx: &mut Context<'_>,
    args: NativeArgs<'_>,
    options: &SearchOptions,
    all: bool,
) -> Result<(usize, Matches), Raise> {
    let size = cx
        .heap
        .bits(args[0])
        .filter(|b| b.len % 8 == 0)
        .ok_or(Raise::badarg())?
        .len
        / 8;
    if size == 0 && options.scope.is_none() {
        // OTP ignores the pattern then.
        return Ok((size, Vec::new()));
    }
    let patterns = patterns(cx, args[1])?;
    let (from, to) = match options.scope {
        Some((from, n)) => range(size, from, n)?,
        None => (0, size),
    };
    let most = match cx.heap.room_left() {
        Some(left) if all => left / PLACE,
        _ => usize::MAX,
    };
    let subject = cx.heap.bytes(args[0]).expect("whole bytes");
    let found = search(&subject, from, to, &patterns, if all { most } else { 1 });
    if found.len() >= most {
        // Not all matches were searched.
        cx.needs(usize::MAX)?;
    }
    let searched = found.last().filter(|_| !all).map_or(to, |(at, n)| at + n) - from;
    cx.local.charge += (searched / 50) as u32;
    Ok((size, found))
}

fn place(cx: &mut Context<'_>, (at, n): (usize, usize)) -> Term {
    cx.heap.make_tuple(&[Term::small(at as i64), Term::small(n as i64)])
}

fn find(cx: &mut Context<'_>, args: NativeArgs<'_>, opts: Term) -> NativeResult {
    let options = options(cx, opts, &["scope"])?;
    let (_, found) = matches(cx, args, &options, false)?;
    Ok(match found.first() {
        Some(at) => place(cx, *at),
        None => Term::atom(Atom::new("nomatch")),
    })
}

fn find_all(cx: &mut Context<'_>, args: NativeArgs<'_>, opts: Term) -> NativeResult {
    let options = options(cx, opts, &["scope"])?;
    let (_, found) = matches(cx, args, &options, true)?;
    cx.needs(found.len() * 40)?;
    let places: Vec<Term> = found.into_iter().map(|m| place(cx, m)).collect();
    Ok(cx.heap.make_list(&places))
}

fn split(cx: &mut Context<'_>, args: NativeArgs<'_>, opts: Term) -> NativeResult {
    let options = options(cx, opts, &["scope", "global", "trim", "trim_all"])?;
    let (size, found) = matches(cx, args, &options, options.global)?;
    cx.needs(found.len() * 48)?;
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, n) in found {
        parts.push((from, at));
        from = at + n;
    }
    parts.push((from, size));
    if options.trim_all {
        parts.retain(|(from, to)| from < to);
    } else if options.trim {
        while parts.last().is_some_and(|(from, to)| from == to) {
            parts.pop();
        }
    }
    let parts: Vec<Term> = parts
        .into_iter()
        .map(|(from, to)| cx.heap.make_sub_binary(args[0], from * 8, (to - from) * 8))
        .collect();
    Ok(cx.heap.make_list(&parts))
}

/// The replacement is a binary; OTP 25 takes no funs here.
fn replace(cx: &mut Context<'_>, args: NativeArgs<'_>, opts: Term) -> NativeResult {
    let replacement = bytes(cx, args[2])?;
    let options = options(cx, opts, &["scope", "global", "insert_replaced"])?;
    if options.insert.iter().flatten().any(|p| *p > replacement.len()) {
        return Err(Raise::badarg());
    }
    let (_, found) = matches(cx, args, &options, options.global)?;
    let subject = bytes(cx, args[0])?;
    let mut places = options.insert.unwrap_or_default();
    places.sort_unstable();
    let replaced: usize = found.iter().map(|(_, n)| n * places.len()).sum();
    cx.needs(subject.len() + found.len().saturating_mul(replacement.len()) + replaced)?;
    let (mut out, mut from) = (Vec::with_capacity(subject.len()), 0);
    for (at, n) in found {
        out.extend_from_slice(&subject[from..at]);
        let mut done = 0;
        for place in &places {
            out.extend_from_slice(&replacement[done..*place]);
            out.extend_from_slice(&subject[at..at + n]);
            done = *place;
        }
        out.extend_from_slice(&replacement[done..]);
        from = at + n;
    }
    out.extend_from_slice(&subject[from..]);
    Ok(cx.heap.make_binary(&out))
}
