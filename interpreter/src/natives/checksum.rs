//! Natives of the module `erlang`: `crc32`, `adler32`, `md5`.

use md5::{Digest, Md5};

use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::term::Term;

use super::convert::{Flatten, flatten};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "crc32", 1, |cx, a| crc32(cx, 0, a[0])),
    Native::pure("erlang", "crc32", 2, |cx, a| {
        word(a[0]).and_then(|old| crc32(cx, old, a[1]))
    }),
    Native::pure("erlang", "crc32_combine", 3, crc32_combine),
    Native::pure("erlang", "adler32", 1, |cx, a| adler32(cx, 1, a[0])),
    Native::pure("erlang", "adler32", 2, |cx, a| {
        word(a[0]).and_then(|old| adler32(cx, old, a[1]))
    }),
    Native::pure("erlang", "adler32_combine", 3, adler32_combine),
    Native::pure("erlang", "md5", 1, md5),
    Native::pure("erlang", "md5_init", 0, |cx, _| Ok(cx.heap.make_binary(MD5_STATE))),
    Native::pure("erlang", "md5_update", 2, md5_update),
    Native::pure("erlang", "md5_final", 1, md5_final),
];

/// The prefix of a state between `md5_update`s: our state is this followed by all data so far (programs cannot look into it).
const MD5_STATE: &[u8] = b"md5 state\0";

fn bytes(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    flatten(cx.heap, t, Flatten::Bytes)
        .map(|(bytes, _)| bytes)
        .ok_or(Raise::badarg())
}

fn word(t: Term) -> Result<u32, Raise> {
    t.as_small().and_then(|w| u32::try_from(w).ok()).ok_or(Raise::badarg())
}

fn crc32(cx: &mut Context<'_>, old: u32, data: Term) -> NativeResult {
    let mut hasher = crc32fast::Hasher::new_with_initial(old);
    hasher.update(&bytes(cx, data)?);
    Ok(Term::small(i64::from(hasher.finalize())))
}

fn size(cx: &Context<'_>, t: Term) -> Result<u64, Raise> {
    match cx.heap.view(t) {
        crate::heap::TermView::Small(n) => u32::try_from(n).map(u64::from).map_err(|_| Raise::badarg()),
        _ => Err(Raise::badarg()),
    }
}

fn crc32_combine(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let (first, second, length) = (word(args[0])?, word(args[1])?, size(cx, args[2])?);
    if length == 0 {
        return Ok(Term::small(i64::from(first ^ second)));
    }
    let mut hasher = crc32fast::Hasher::new_with_initial(first);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(second, length));
    Ok(Term::small(i64::from(hasher.finalize())))
}

fn adler32(cx: &mut Context<'_>, old: u32, data: Term) -> NativeResult {
    let mut hasher = adler2::Adler32::from_checksum(old);
    hasher.write_slice(&bytes(cx, data)?);
    Ok(Term::small(i64::from(hasher.checksum())))
}

fn adler32_combine(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    const BASE: u64 = 65_521;
    let (first, second, length) = (u64::from(word(args[0])?), u64::from(word(args[1])?), size(cx, args[2])?);
    if length == 0 {
        return Ok(args[0]);
    }
    let (a, b) = (first & 0xffff, first >> 16);
    let (c, d) = (second & 0xffff, second >> 16);
    // The first sum starts the second part at `a` instead of 1, `length` times in the second sum.
    let length = length % BASE;
    let reduce = |sum: u64, times: u64| (0..times).fold(sum, |s, _| if s >= BASE { s - BASE } else { s });
    let low = reduce(a + c + BASE - 1, 2);
    let high = reduce(length * a % BASE + b + d + BASE - length, 3);
    Ok(Term::small((high << 16 | low) as i64))
}

fn md5(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let digest = Md5::digest(bytes(cx, args[0])?);
    Ok(cx.heap.make_binary(&digest))
}

fn md5_data(cx: &Context<'_>, state: Term) -> Result<Vec<u8>, Raise> {
    let state = cx.heap.bytes(state).ok_or(Raise::badarg())?;
    state.strip_prefix(MD5_STATE).map(<[u8]>::to_vec).ok_or(Raise::badarg())
}

fn md5_update(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let mut data = md5_data(cx, args[0])?;
    data.extend(bytes(cx, args[1])?);
    Ok(cx.heap.make_binary(&[MD5_STATE, &data].concat()))
}

fn md5_final(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let digest = Md5::digest(md5_data(cx, args[0])?);
    Ok(cx.heap.make_binary(&digest))
}
