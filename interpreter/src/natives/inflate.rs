//! Unpacking of deflated bytes (RFC 1951) that come in pieces, without internal state. A call begins where a block begins, with the window
//! before it; it returns how far it got and where the last complete block ended. So the state of a stream is an ordinary term.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress, inflate_flags};

/// Bytes that a distance can reach back.
pub const WINDOW: usize = 32 << 10;

/// Smallest output buffer.
const ROOM: usize = 4 << 10;

/// How unpacking ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The last block has ended.
    Ended,
    /// The bytes end too early.
    Short,
    /// They are not deflated.
    Damaged,
    /// The result would exceed the caller's limit.
    Large,
}

/// The end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// In bits, from the beginning of the bytes.
    pub bits: usize,
    /// How many bytes had been unpacked there.
    pub unpacked: usize,
}

/// The result of unpacking.
#[derive(Debug)]
pub struct Unpacked {
    /// How it ended.
    pub status: Status,
    /// The unpacked bytes.
    pub bytes: Vec<u8>,
    /// The end of the last complete block; the start if no block is complete.
    pub boundary: Boundary,
}

/// Unpacks deflated bytes from a bit on which a block begins; `window` is what was unpacked before.
#[must_use]
pub fn unpack(packed: &[u8], first_bit: usize, window: &[u8], limit: usize) -> Unpacked {
    const FLAGS: u32 = inflate_flags::TINFL_FLAG_HAS_MORE_INPUT
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | inflate_flags::TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY;
    let mut boundary = Boundary {
        bits: first_bit,
        unpacked: 0,
    };
    // The byte in which the block before ended: its remaining bits belong to this block.
    let begun = if first_bit.is_multiple_of(8) {
        None
    } else {
        packed.get(first_bit / 8)
    };
    let mut state = DecompressorOxide::from_block_boundary_state(&BlockBoundaryState {
        num_bits: begun.map_or(0, |_| 8 - (first_bit % 8) as u8),
        bit_buf: begun.map_or(0, |byte| byte >> (first_bit % 8)),
        ..BlockBoundaryState::default()
    });
    let mut read = first_bit.div_ceil(8).min(packed.len());
    let before = window.len();
    let most = before.saturating_add(limit);
    let mut out = window.to_vec();
    let mut end = before;
    out.resize(most.min(before + ROOM.max(packed.len() * 4)), 0);
    let status = loop {
        let (status, consumed, written) = decompress(&mut state, &packed[read..], &mut out, end, FLAGS);
        read += consumed;
        end += written;
        match status {
            TINFLStatus::BlockBoundary => {
                let ahead = state
                    .block_boundary_state()
                    .map_or(0, |state| usize::from(state.num_bits));
                boundary = Boundary {
                    bits: read * 8 - ahead,
                    unpacked: end - before,
                };
            }
            TINFLStatus::Done => {
                boundary = Boundary {
                    bits: read * 8,
                    unpacked: end - before,
                };
                break Status::Ended;
            }
            TINFLStatus::NeedsMoreInput => break Status::Short,
            TINFLStatus::HasMoreOutput if out.len() == most => break Status::Large,
            TINFLStatus::HasMoreOutput => out.resize(most.min(out.len() * 2), 0),
            _ => break Status::Damaged,
        }
    };
    out.truncate(end);
    out.drain(..before);
    Unpacked {
        status,
        bytes: out,
        boundary,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::DeflateEncoder};

    use super::*;

    fn packed(plain: &[u8], level: u32) -> Vec<u8> {
        let mut to = DeflateEncoder::new(Vec::new(), Compression::new(level));
        to.write_all(plain).unwrap();
        to.finish().unwrap()
    }

    fn samples() -> Vec<Vec<u8>> {
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u8
        };
        let noise: Vec<u8> = (0..70_000).map(|_| random()).collect();
        let words: Vec<u8> = (0..300_000)
            .map(|i| b"abcdefgh"[usize::from(noise[i % 977] % 8)])
            .collect();
        vec![Vec::new(), b"a".to_vec(), vec![7; 100_000], noise, words]
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        for plain in samples() {
            for level in [0, 1, 6, 9] {
                let bytes = packed(&plain, level);
                let found = unpack(&bytes, 0, &[], usize::MAX);
                assert_eq!((found.status, found.bytes.len()), (Status::Ended, plain.len()));
                assert!(found.bytes == plain);
                assert_eq!(found.boundary.bits.div_ceil(8), bytes.len());
            }
        }
    }

    #[test]
    fn pieces_give_what_the_whole_gives() {
        for plain in samples() {
            let bytes = packed(&plain, 6);
            let step = bytes.len() / 23 + 1;
            let (mut from, mut bit, mut window, mut all) = (0, 0, Vec::new(), Vec::new());
            let mut given = 0;
            for end in (step..bytes.len() + step).step_by(step) {
                let found = unpack(&bytes[from..end.min(bytes.len())], bit, &window, usize::MAX);
                assert_ne!(found.status, Status::Damaged);
                all.extend_from_slice(&found.bytes[given..]);
                given = found.bytes.len() - found.boundary.unpacked;
                window.extend_from_slice(&found.bytes[..found.boundary.unpacked]);
                window.drain(..window.len().saturating_sub(WINDOW));
                from += found.boundary.bits / 8;
                bit = found.boundary.bits % 8;
            }
            assert!(all == plain);
        }
    }

    #[test]
    fn damaged_bytes_are_told_and_never_panic() {
        let plain = &samples()[4];
        let bytes = packed(plain, 6);
        for at in 0..bytes.len().min(400) {
            let mut other = bytes.clone();
            other[at] ^= 1 << (at % 8);
            let _ = unpack(&other, 0, &[], 1 << 20);
        }
        assert_eq!(unpack(&[0b111], 0, &[], 10).status, Status::Damaged);
        assert_eq!(unpack(&[1, 1, 0, 0, 0], 0, &[], 10).status, Status::Damaged);
        assert_eq!(unpack(&packed(&[7; 100], 6), 0, &[], 10).status, Status::Large);
        // A distance before the beginning.
        assert_eq!(unpack(&[0x4b, 0x04, 0xe2, 0x00], 0, &[], 1000).status, Status::Damaged);
    }
}
