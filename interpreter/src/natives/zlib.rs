//! The module `zlib`: packing and unpacking whole texts, and the two steps of its streams, which are written in Erlang.
//!
//! Any unpacker of the same format accepts the packed bytes; they need not be the same as OTP's.

use std::io::{Read, Write};

use flate2::{Compress, Compression, FlushCompress, GzBuilder, bufread, write};

use super::convert::{Flatten, flatten};
use super::inflate::{self, Status};
use crate::atom::Atom;
use crate::native::{Context, Native, NativeResult, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("zlib", "compress", 1, |cx, a| pack(cx, a[0], Format::Zlib)),
    Native::pure("zlib", "uncompress", 1, |cx, a| unpack(cx, a[0], Format::Zlib)),
    Native::pure("zlib", "zip", 1, |cx, a| pack(cx, a[0], Format::Raw)),
    Native::pure("zlib", "unzip", 1, |cx, a| unpack(cx, a[0], Format::Raw)),
    Native::pure("zlib", "gzip", 1, |cx, a| pack(cx, a[0], Format::Gzip)),
    Native::pure("zlib", "gunzip", 1, |cx, a| unpack(cx, a[0], Format::Gzip)),
    Native::pure("zlib", "$deflate", 4, deflate),
    Native::pure("zlib", "$inflate", 3, inflate),
];

/// Limit: bytes of an unpacked text; more is `system_limit`.
const LARGEST: u64 = 1 << 30;

/// Operating system in the header of a gzip file, as OTP's zlib writes it on Unix.
const UNIX: u8 = 3;

/// The format around the packed bytes.
#[derive(Clone, Copy)]
enum Format {
    /// Nothing (RFC 1951).
    Raw,
    /// Header and Adler-32 (RFC 1950).
    Zlib,
    /// Header and CRC-32 (RFC 1952).
    Gzip,
}

fn bytes(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    flatten(cx.heap, t, Flatten::Bytes)
        .map(|(bytes, _)| bytes)
        .ok_or(Raise::badarg())
}

fn pack(cx: &mut Context<'_>, data: Term, format: Format) -> NativeResult {
    let data = bytes(cx, data)?;
    let level = Compression::default();
    let packed = match format {
        Format::Raw => {
            let mut to = write::DeflateEncoder::new(Vec::new(), level);
            to.write_all(&data).and_then(|()| to.finish())
        }
        Format::Zlib => {
            let mut to = write::ZlibEncoder::new(Vec::new(), level);
            to.write_all(&data).and_then(|()| to.finish())
        }
        Format::Gzip => {
            let mut to = GzBuilder::new().operating_system(UNIX).write(Vec::new(), level);
            to.write_all(&data).and_then(|()| to.finish())
        }
    };
    let packed = packed.expect("writing to a vector does not fail");
    Ok(cx.heap.make_binary(&packed))
}

/// Raises `data_error` for data that is not packed in this format.
fn unpack(cx: &mut Context<'_>, data: Term, format: Format) -> NativeResult {
    let data = bytes(cx, data)?;
    let mut plain = Vec::new();
    let read = match format {
        Format::Raw => bufread::DeflateDecoder::new(&data[..])
            .take(LARGEST + 1)
            .read_to_end(&mut plain),
        Format::Zlib => bufread::ZlibDecoder::new(&data[..])
            .take(LARGEST + 1)
            .read_to_end(&mut plain),
        Format::Gzip => bufread::MultiGzDecoder::new(&data[..])
            .take(LARGEST + 1)
            .read_to_end(&mut plain),
    };
    if plain.len() as u64 > LARGEST {
        return Err(Raise::system_limit());
    }
    match read {
        Ok(_) => Ok(cx.heap.make_binary(&plain)),
        Err(_) => Err(Raise::error(Term::atom(Atom::new("data_error")))),
    }
}

/// `$deflate(Bytes, Level, Window, Finish)`: packs these bytes into blocks that end at a byte; with `Finish`, the last one ends the stream. No
/// block refers to bytes before these, nor further back than the window.
fn deflate(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let data = bytes(cx, args[0])?;
    let level = args[1]
        .as_small()
        .and_then(|l| u32::try_from(l).ok())
        .ok_or(Raise::badarg())?;
    let window = args[2]
        .as_small()
        .and_then(|w| usize::try_from(w).ok())
        .filter(|&w| w > 0);
    let window = window.ok_or(Raise::badarg())?;
    let finish = args[3] == Term::atom(Atom::TRUE);
    // The longest distance of the format needs no splitting.
    let parts: Vec<&[u8]> = match window {
        inflate::WINDOW => vec![&data],
        _ if data.is_empty() => vec![&data],
        _ => data.chunks(window).collect(),
    };
    let mut packed = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let flush = if finish && i + 1 == parts.len() {
            FlushCompress::Finish
        } else {
            FlushCompress::Sync
        };
        let mut state = Compress::new(Compression::new(level), false);
        loop {
            let read = state.total_in() as usize;
            packed.reserve((part.len() - read) / 2 + 64);
            let room = packed.capacity() - packed.len();
            let before = packed.len();
            state
                .compress_vec(&part[read..], &mut packed, flush)
                .expect("packing does not fail");
            // It is done when it has not used the room that it had.
            if packed.len() - before < room {
                break;
            }
        }
    }
    cx.local.charge += (data.len() / 16) as u32;
    Ok(cx.heap.make_binary(&packed))
}

/// `$inflate(Packed, FirstBit, Window)`: `{ended | more | damaged, Plain, Bits, Whole}`, see [`inflate::unpack`].
fn inflate(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let packed = bytes(cx, args[0])?;
    let bit = args[1]
        .as_small()
        .and_then(|b| usize::try_from(b).ok())
        .ok_or(Raise::badarg())?;
    let window = bytes(cx, args[2])?;
    let found = inflate::unpack(&packed, bit, &window, LARGEST as usize);
    let status = match found.status {
        Status::Ended => "ended",
        Status::Short => "more",
        Status::Damaged => "damaged",
        Status::Large => return Err(Raise::system_limit()),
    };
    cx.local.charge += (found.bytes.len() / 16) as u32;
    let plain = cx.heap.make_binary(&found.bytes);
    let boundary = [found.boundary.bits, found.boundary.unpacked].map(|n| Term::small(n as i64));
    Ok(cx
        .heap
        .make_tuple(&[Term::atom(Atom::new(status)), plain, boundary[0], boundary[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::{Implementation, PureFn};
    use crate::natives::testing::Machine;

    fn native(name: &str) -> PureFn {
        let found = NATIVES.iter().find(|n| n.name == name).expect("it is in the table");
        match found.run {
            Implementation::Pure(run) => run,
            Implementation::System(_) => panic!("{name} is not pure"),
        }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut m = Machine::new();
        for (there, back) in [("compress", "uncompress"), ("zip", "unzip"), ("gzip", "gunzip")] {
            for size in [0_usize, 1, 100, 100_000] {
                let data: Vec<u8> = (0..size).map(|i| (i * i % 251) as u8).collect();
                let data = m.heap.make_binary(&data);
                let packed = m.call(native(there), &[data]).expect("packs");
                let plain = m.call(native(back), &[packed]).expect("unpacks");
                assert_eq!(m.heap.bytes(plain), m.heap.bytes(data), "{there} {size}");
            }
        }
    }

    #[test]
    fn other_bytes_are_an_error() {
        let mut m = Machine::new();
        let data = m.heap.make_binary(b"not packed at all");
        for name in ["uncompress", "unzip", "gunzip"] {
            assert!(m.call(native(name), &[data]).is_err(), "{name}");
        }
    }
}
