//! Unpacking of deflated bytes (RFC 1951) that come in pieces, without a state of its own: a call begins where a block does, with the window
//! before it, and tells how far it came and where the last block that is whole ended. What a stream keeps is thereby a term like any other.

/// Bytes that a distance can reach back.
pub const WINDOW: usize = 32 << 10;

/// Most bits of a code.
const MOST: usize = 15;

/// How far the bytes went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The last block has ended.
    Ended,
    /// The bytes end before.
    Short,
    /// They are not deflated.
    Damaged,
    /// There would be more than the caller wants to have.
    Large,
}

/// Where a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boundary {
    /// In bits, from the beginning of the bytes.
    pub bits: usize,
    /// How many bytes had been unpacked there.
    pub unpacked: usize,
}

/// What came of some bytes.
#[derive(Debug)]
pub struct Unpacked {
    /// How far they went.
    pub status: Status,
    /// What they hold.
    pub bytes: Vec<u8>,
    /// The end of the last block that is whole; the beginning if there is none.
    pub boundary: Boundary,
}

/// Unpacks deflated bytes from a bit on which a block begins; `window` is what was unpacked before.
#[must_use]
pub fn unpack(packed: &[u8], first_bit: usize, window: &[u8], limit: usize) -> Unpacked {
    let mut run = Run {
        bits: Bits {
            bytes: packed,
            at: first_bit,
        },
        out: window.to_vec(),
        before: window.len(),
        limit,
    };
    let mut boundary = Boundary {
        bits: first_bit,
        unpacked: 0,
    };
    let status = loop {
        match run.block() {
            Ok(last) => {
                boundary = Boundary {
                    bits: run.bits.at,
                    unpacked: run.out.len() - run.before,
                };
                if last {
                    break Status::Ended;
                }
            }
            Err(status) => break status,
        }
    };
    run.out.drain(..run.before);
    Unpacked {
        status,
        bytes: run.out,
        boundary,
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next bits, the first of them lowest.
    fn take(&mut self, count: usize) -> Result<usize, Status> {
        if self.at + count > self.bytes.len() * 8 {
            return Err(Status::Short);
        }
        let mut value = 0;
        for i in 0..count {
            let at = self.at + i;
            value |= usize::from(self.bytes[at / 8] >> (at % 8) & 1) << i;
        }
        self.at += count;
        Ok(value)
    }

    fn skip_to_byte(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }
}

/// A Huffman code in canonical form: how many symbols there are of each length, and the symbols in order.
struct Code {
    counts: [u16; MOST + 1],
    symbols: Vec<u16>,
}

impl Code {
    /// The code of these lengths. One that leaves bits unused is damaged, unless `lone` and its only symbol has one bit.
    fn new(lengths: &[u8], lone: bool) -> Result<Self, Status> {
        let mut counts = [0_u16; MOST + 1];
        for &length in lengths {
            counts[usize::from(length)] += 1;
        }
        let longest = (1..=MOST).rev().find(|&length| counts[length] > 0).unwrap_or(0);
        let mut left = 1_i32;
        for &count in &counts[1..] {
            left = left * 2 - i32::from(count);
            if left < 0 {
                return Err(Status::Damaged);
            }
        }
        if left > 0 && longest > 0 && !(lone && longest == 1) {
            return Err(Status::Damaged);
        }
        let mut symbols = Vec::with_capacity(lengths.len());
        for length in 1..=longest {
            symbols.extend(
                (0_u16..)
                    .zip(lengths)
                    .filter(|(_, l)| usize::from(**l) == length)
                    .map(|(s, _)| s),
            );
        }
        Ok(Self { counts, symbols })
    }

    fn next(&self, bits: &mut Bits<'_>) -> Result<usize, Status> {
        let (mut code, mut first, mut index) = (0_usize, 0_usize, 0_usize);
        for length in 1..=MOST {
            code |= bits.take(1)?;
            let count = usize::from(self.counts[length]);
            if code < first + count {
                return Ok(usize::from(self.symbols[index + code - first]));
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(Status::Damaged)
    }
}

struct Run<'a> {
    bits: Bits<'a>,
    /// The window, then what was unpacked.
    out: Vec<u8>,
    before: usize,
    limit: usize,
}

impl Run<'_> {
    /// One block; was it the last?
    fn block(&mut self) -> Result<bool, Status> {
        let last = self.bits.take(1)? == 1;
        match self.bits.take(2)? {
            0 => self.stored()?,
            1 => {
                let mut lengths = [8_u8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                self.coded(&Code::new(&lengths, false)?, &Code::new(&[5; 32], false)?)?;
            }
            2 => {
                let (literals, distances) = self.codes()?;
                self.coded(&literals, &distances)?;
            }
            _ => return Err(Status::Damaged),
        }
        Ok(last)
    }

    fn stored(&mut self) -> Result<(), Status> {
        self.bits.skip_to_byte();
        let size = self.bits.take(16)?;
        if self.bits.take(16)? != !size & 0xffff {
            return Err(Status::Damaged);
        }
        let from = self.bits.at / 8;
        let whole = from + size;
        let there = whole.min(self.bits.bytes.len());
        self.room(there - from)?;
        self.out.extend_from_slice(&self.bits.bytes[from..there]);
        self.bits.at = there * 8;
        if there == whole { Ok(()) } else { Err(Status::Short) }
    }

    /// The codes that a block brings.
    fn codes(&mut self) -> Result<(Code, Code), Status> {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let literals = self.bits.take(5)? + 257;
        let distances = self.bits.take(5)? + 1;
        let count = self.bits.take(4)? + 4;
        if literals > 286 || distances > 30 {
            return Err(Status::Damaged);
        }
        let mut lengths = [0_u8; 19];
        for &at in &ORDER[..count] {
            lengths[at] = self.bits.take(3)? as u8;
        }
        let code = Code::new(&lengths, false)?;
        let mut lengths: Vec<u8> = Vec::with_capacity(literals + distances);
        while lengths.len() < literals + distances {
            let (length, times) = match code.next(&mut self.bits)? {
                16 => {
                    let before = *lengths.last().ok_or(Status::Damaged)?;
                    (before, 3 + self.bits.take(2)?)
                }
                17 => (0, 3 + self.bits.take(3)?),
                18 => (0, 11 + self.bits.take(7)?),
                length => (length as u8, 1),
            };
            lengths.extend(std::iter::repeat_n(length, times));
        }
        // Repetitions must end where the lengths do, and a block must be able to end.
        if lengths.len() > literals + distances || lengths[256] == 0 {
            return Err(Status::Damaged);
        }
        let (first, second) = lengths.split_at(literals);
        Ok((Code::new(first, true)?, Code::new(second, true)?))
    }

    fn coded(&mut self, literals: &Code, distances: &Code) -> Result<(), Status> {
        loop {
            match literals.next(&mut self.bits)? {
                byte @ 0..256 => {
                    self.room(1)?;
                    self.out.push(byte as u8);
                }
                256 => return Ok(()),
                symbol => {
                    let (base, extra) = *LENGTHS.get(symbol - 257).ok_or(Status::Damaged)?;
                    let length = base + self.bits.take(extra)?;
                    let symbol = distances.next(&mut self.bits)?;
                    let (base, extra) = distance(symbol).ok_or(Status::Damaged)?;
                    let distance = base + self.bits.take(extra)?;
                    let from = self.out.len().checked_sub(distance).ok_or(Status::Damaged)?;
                    self.room(length)?;
                    // What is copied may hold bytes that this copy has written.
                    for at in from..from + length {
                        self.out.push(self.out[at]);
                    }
                }
            }
        }
    }

    fn room(&self, more: usize) -> Result<(), Status> {
        if self.out.len() - self.before + more > self.limit {
            return Err(Status::Large);
        }
        Ok(())
    }
}

/// Base and extra bits of the symbols of lengths, from 257 on.
const LENGTHS: [(usize, usize); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// Base and extra bits of a symbol of distances.
const fn distance(symbol: usize) -> Option<(usize, usize)> {
    match symbol {
        0..4 => Some((symbol + 1, 0)),
        4..30 => {
            let extra = symbol / 2 - 1;
            Some((((2 + symbol % 2) << extra) + 1, extra))
        }
        _ => None,
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
