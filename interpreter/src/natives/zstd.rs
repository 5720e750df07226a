//! The module `zstd`: packing and unpacking whole texts.
//!
//! Any unpacker of the format (RFC 8878) accepts the packed bytes; they are not those of OTP.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::convert::{Flatten, flatten};
use crate::atom::Atom;
use crate::native::{Context, Native, NativeResult, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("zstd", "$compress", 1, compress),
    Native::pure("zstd", "$decompress", 1, decompress),
];

/// Limit: bytes of an unpacked text; more is `system_limit`.
const LARGEST: usize = 1 << 30;

/// What a frame begins with.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

fn bytes(cx: &Context<'_>, t: Term) -> Result<Vec<u8>, Raise> {
    flatten(cx.heap, t, Flatten::Bytes)
        .map(|(bytes, _)| bytes)
        .ok_or(Raise::badarg())
}

fn compress(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let data = bytes(cx, args[0])?;
    let packed = compress_to_vec(&data[..], CompressionLevel::Fastest);
    Ok(cx.heap.make_binary(&packed))
}

/// `{ok, Bytes}` of all frames, or `{error, Text}` in the words of OTP. A frame that ends too early gives what there is of it.
fn decompress(cx: &mut Context<'_>, args: &[Term]) -> NativeResult {
    let data = bytes(cx, args[0])?;
    let mut rest = &data[..];
    let mut unpacked = Vec::new();
    'frames: while !rest.is_empty() {
        let known = rest.len().min(MAGIC.len());
        if rest[..known] != MAGIC[..known] {
            return error(cx, "Unknown frame descriptor");
        }
        let Ok(mut decoder) = StreamingDecoder::new(&mut rest) else {
            break;
        };
        let mut part = vec![0; 1 << 16];
        loop {
            match decoder.read(&mut part) {
                Ok(0) => break,
                Ok(n) => {
                    cx.needs(unpacked.len() + n)?;
                    if unpacked.len() + n > LARGEST {
                        return Err(Raise::system_limit());
                    }
                    unpacked.extend_from_slice(&part[..n]);
                }
                // It says so only in its text.
                Err(e) if format!("{e:?}").contains("UnexpectedEof") => break 'frames,
                Err(_) => return error(cx, "Data corruption detected"),
            }
        }
        let frame = decoder.into_frame_decoder();
        if let Some(said) = frame.get_checksum_from_data()
            && frame.get_calculated_checksum().is_some_and(|found| found != said)
        {
            return error(cx, "Restored data doesn't match checksum");
        }
    }
    let unpacked = cx.heap.make_binary(&unpacked);
    Ok(cx.heap.make_tuple(&[Term::atom(Atom::OK), unpacked]))
}

fn error(cx: &mut Context<'_>, text: &str) -> NativeResult {
    let text = cx.heap.make_binary(text.as_bytes());
    Ok(cx.heap.make_tuple(&[Term::atom(Atom::ERROR), text]))
}
