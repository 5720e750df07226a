//! Packed blocks: the bytes of a block entropy coded, each in the context of its part in an item (FORMAT.md, "Packed blocks").
//!
//! An adaptive walk over the bytes ([`Parts`]) says of every byte what it is: the first byte of an item, the second of a `rec`, a byte of a
//! place, a gap, a pid … Bytes of one sort have one table of frequencies in the block, and are coded with it by two interleaved range
//! asymmetric numeral systems [Duda 2013; the division by multiplication as in Giesen's `rans_byte`].

use crate::varint::{Malformed, byte, get, put};

/// Frequencies of one table sum up to 2^12.
const BITS: u32 = 12;
const ALL: u32 = 1 << BITS;
/// A state is at least this, and below 256 times it.
const LOW: u32 = 1 << 23;
/// A packed payload stands for at most so many times its length: few bytes cannot stand for endless work.
const MOST: usize = 256;
/// Nor is it longer than this when unpacked.
const PACKED_MAX: usize = 1 << 17;
/// Nor does it hold more chunks: each is read by itself, and may have to be unpacked for it.
const CHUNKS_MAX: u64 = 256;
/// Shorter blocks stay as they are.
const LEAST: usize = 256;

/// Sorts of bytes, each with frequencies of its own.
const SORTS: usize = 16;
const FIRST: u8 = 0;
const SECOND: u8 = 1;
const MIDDLE: u8 = 2;
const LAST: u8 = 3;
const PLACE: u8 = 4;
const GAP: u8 = 6;
const PID: u8 = 8;
const K: u8 = 10;
const NUMBER: u8 = 12;
const CODE: u8 = 13;
const RAW: u8 = 14;
const TABLE: u8 = 15;

/// What comes next in an item: one of these in four bits each, the next one lowest.
mod part {
    pub const SECOND: u64 = 1;
    pub const MIDDLE: u64 = 2;
    pub const LAST: u64 = 3;
    pub const PLACE: u64 = 4;
    pub const GAP: u64 = 5;
    pub const PID: u64 = 6;
    pub const K: u64 = 7;
    pub const NUMBER: u64 = 8;
    pub const KIND: u64 = 9;
    pub const EIGHT: u64 = 10;
    pub const VALUE: u64 = 11;
    pub const ACCESS: u64 = 12;
    pub const FLAGS: u64 = 13;
    pub const MANY: u64 = 14;
    pub const TAG: u64 = 15;
}

/// The walk over the items of a block. A guess of what each byte is, made from those before it: both sides make the same.
#[derive(Clone, Copy, Default)]
struct Parts {
    /// What is still to come of the item, the byte at hand included; 0 at the first byte of an item.
    parts: u64,
    /// Of a number that has begun: its bits so far, and how many; else 0.
    value: u64,
    shift: u32,
    /// Bytes left that are taken as they are.
    raw: u64,
    /// Accesses left of those that an action in full has, without the one at hand.
    accesses: u64,
}

/// The parts of an item behind its first byte from F0 on.
const ITEMS: [u64; 16] = {
    use part::{ACCESS, GAP, K, KIND, NUMBER, PID, PLACE, VALUE};
    [
        PLACE | GAP << 4,
        PID,
        PID | K << 4,
        0,
        0,
        PID,
        0,
        ACCESS,
        ACCESS,
        VALUE,
        NUMBER,
        VALUE,
        KIND,
        PID | K << 4,
        PID,
        0,
    ]
};

/// The parts that belong to the kinds of actions in full.
const KINDS: [u64; 32] = {
    use part::{LAST, NUMBER, PID, TAG, VALUE};
    let mut kinds = [0; 32];
    kinds[0] = PID;
    kinds[1] = PID | NUMBER << 4;
    kinds[2] = PID | NUMBER << 4;
    kinds[4] = TAG;
    kinds[6] = TAG | NUMBER << 4 | LAST << 8;
    kinds[7] = VALUE;
    kinds[8] = TAG | VALUE << 4;
    kinds[10] = NUMBER;
    kinds[11] = NUMBER;
    kinds[13] = VALUE;
    kinds[14] = PID | NUMBER << 4 | VALUE << 8;
    kinds[15] = VALUE;
    kinds[16] = NUMBER;
    kinds[17] = NUMBER;
    kinds[18] = NUMBER | NUMBER << 4;
    kinds[19] = NUMBER;
    kinds
};

/// The parts of a tag behind its first byte, and of the resources of accesses.
const TAGS: [u64; 5] = {
    use part::{NUMBER, PID};
    [
        PID | NUMBER << 4,
        PID | PID << 4,
        PID | PID << 4 | NUMBER << 8,
        PID | PID << 4 | NUMBER << 8,
        PID,
    ]
};
const RESOURCES: [u64; 16] = {
    use part::{EIGHT, NUMBER, PID};
    let mut kinds = [NUMBER; 16];
    kinds[2] = PID;
    kinds[3] = PID | NUMBER << 4;
    kinds[4] = PID | NUMBER << 4 | EIGHT << 8;
    kinds[5] = EIGHT;
    kinds[6] = EIGHT;
    kinds[7] = PID | NUMBER << 4 | NUMBER << 8;
    kinds[10] = PID;
    kinds[12] = PID | NUMBER << 4;
    kinds
};

/// The parts of an access to the key of a table behind its first byte.
const fn key(b: u8) -> u64 {
    use part::{EIGHT, GAP, K, PID, PLACE};
    let version = if b & 0x08 == 0 { 0 } else { GAP };
    let by = if b & 3 == 2 { PID | K << 4 } else { 0 };
    before(if b & 0x40 == 0 { PLACE } else { EIGHT }, before(by, version))
}

/// These parts in front of those.
const fn before(front: u64, rest: u64) -> u64 {
    if front == 0 {
        return rest;
    }
    let used = (64 - front.leading_zeros()).div_ceil(4) * 4;
    if used >= 64 { front } else { front | rest << used }
}

impl Parts {
    /// Of which sort is the next byte?
    #[inline(always)]
    fn sort(&self) -> u8 {
        if self.parts == 0 {
            return FIRST;
        }
        self.sort_within()
    }

    #[inline]
    fn sort_within(&self) -> u8 {
        let later = (self.shift > 0) as u8;
        match self.parts & 15 {
            part::SECOND => SECOND,
            part::MIDDLE => MIDDLE,
            part::LAST => LAST,
            part::PLACE => PLACE + later,
            part::GAP => GAP + later,
            part::PID => PID + later,
            part::K => K + later,
            part::NUMBER => NUMBER,
            part::VALUE if self.raw == 0 => NUMBER,
            part::EIGHT | part::VALUE => RAW,
            _ => CODE,
        }
    }

    /// The next byte is this.
    #[inline(always)]
    fn next(&mut self, b: u8) {
        if self.parts == 0 {
            self.parts = match b {
                0x00..0x40 => 0,
                0x40..0xd8 => part::SECOND,
                0xd8..0xe0 => part::MIDDLE | part::LAST << 4,
                0xe0..0xef => 0,
                0xef => part::NUMBER,
                0xf0.. => ITEMS[usize::from(b & 15)],
            };
            return;
        }
        self.next_within(b);
    }

    #[inline]
    fn next_within(&mut self, b: u8) {
        let rest = self.parts >> 4;
        self.parts = match self.parts & 15 {
            part::PLACE | part::GAP | part::PID | part::K | part::NUMBER => match self.number(b) {
                None => self.parts,
                Some(_) => rest,
            },
            part::VALUE if self.raw == 0 => match self.number(b) {
                None => self.parts,
                Some(0) => rest,
                Some(length) => {
                    self.raw = length;
                    self.parts
                }
            },
            part::VALUE => {
                self.raw -= 1;
                if self.raw == 0 { rest } else { self.parts }
            }
            part::EIGHT => {
                if self.raw == 0 {
                    self.raw = 8;
                }
                self.raw -= 1;
                if self.raw == 0 { rest } else { self.parts }
            }
            // In front of an access to a key: the table, and what its read has seen.
            part::ACCESS if matches!(b, 0x20..0x24) => {
                use part::{ACCESS, NUMBER, PID};
                match b {
                    0x20 => before(PID | NUMBER << 4 | ACCESS << 8, rest),
                    0x23 => before(NUMBER | PID << 4 | NUMBER << 8 | ACCESS << 12, rest),
                    _ => before(NUMBER | ACCESS << 4, rest),
                }
            }
            part::ACCESS => {
                let rest = match self.accesses {
                    0 => rest,
                    _ => {
                        self.accesses -= 1;
                        before(part::ACCESS, rest)
                    }
                };
                let by = if b & 0x20 == 0 {
                    0
                } else {
                    part::PID | part::NUMBER << 4
                };
                match b {
                    0x00..0x10 => rest,
                    0x10..0x20 => before(part::FLAGS, rest),
                    0x80.. => before(key(b), rest),
                    _ => before(RESOURCES[usize::from(b & 15)], before(part::NUMBER, before(by, rest))),
                }
            }
            part::FLAGS => {
                let by = if b & 0x20 == 0 {
                    0
                } else {
                    part::PID | part::NUMBER << 4
                };
                before(part::NUMBER, before(by, rest))
            }
            part::MANY => match self.number(b) {
                None => self.parts,
                Some(0) => rest,
                Some(count) => {
                    self.accesses = count - 1;
                    before(part::ACCESS, rest)
                }
            },
            part::TAG => before(TAGS.get(usize::from(b)).copied().unwrap_or(0), rest),
            part::KIND => {
                let sends = if b & 0x20 == 0 { 0 } else { part::NUMBER };
                let accesses = if b & 0x40 == 0 { 0 } else { part::MANY };
                before(sends, before(accesses, KINDS[usize::from(b & 31)]))
            }
            _ => rest,
        };
    }

    /// A byte of a number: its value, if that was the last one.
    #[inline(always)]
    fn number(&mut self, b: u8) -> Option<u64> {
        self.value |= u64::from(b & 0x7f) << self.shift;
        if b >= 0x80 && self.shift < 63 {
            self.shift += 7;
            return None;
        }
        self.shift = 0;
        Some(std::mem::take(&mut self.value))
    }
}

/// A symbol of one sort as the encoder needs it.
#[derive(Clone, Copy, Default)]
struct Symbol {
    /// A state from here on gives away bytes first.
    limit: u32,
    /// The reciprocal of the frequency, and how far to shift what it was multiplied with.
    reciprocal: u32,
    shift: u32,
    bias: u32,
    /// All - frequency.
    rest: u32,
}

impl Symbol {
    fn new(start: u32, frequency: u32) -> Self {
        let limit = ((LOW >> BITS) << 8) * frequency;
        let rest = ALL - frequency;
        if frequency < 2 {
            return Self {
                limit,
                reciprocal: u32::MAX,
                shift: 0,
                bias: start + ALL - 1,
                rest,
            };
        }
        let shift = (frequency - 1).ilog2() + 1;
        Self {
            limit,
            reciprocal: (1u64 << (shift + 31)).div_ceil(u64::from(frequency)) as u32,
            shift: shift - 1,
            bias: start,
            rest,
        }
    }
}

/// Packs blocks, and remembers whether that pays.
pub(crate) struct Packer {
    counts: Box<[[u32; 256]; SORTS]>,
    symbols: Box<[[Symbol; 256]; SORTS]>,
    sorts: Vec<u8>,
    /// What the states gave away, at the end.
    given: Vec<u8>,
    /// So many blocks are not tried.
    rest: u32,
}

impl Default for Packer {
    fn default() -> Self {
        Self {
            counts: Box::new([[0; 256]; SORTS]),
            symbols: Box::new([[Symbol::default(); 256]; SORTS]),
            sorts: Vec::new(),
            given: Vec::new(),
            rest: 0,
        }
    }
}

impl Packer {
    /// After a block that is hardly shorter when packed so many are not tried.
    const PAUSE: u32 = 7;

    /// Packs the payload of a block, whose table ends at `table`; none if that does not pay.
    pub fn pack(&mut self, payload: &[u8], table: usize) -> Option<Vec<u8>> {
        let chunks = get(payload, &mut 0, "a number of chunks").unwrap_or(u64::MAX);
        if payload.len() < LEAST || payload.len() > PACKED_MAX || chunks > CHUNKS_MAX {
            return None;
        }
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        self.count(payload, table);
        let mut out = (payload.len() as u32).to_le_bytes().to_vec();
        put(&mut out, table as u64);
        let bits = self.frequencies(&mut out);
        if (out.len() as u64 + 8 + bits / 8) * 8 > payload.len() as u64 * 7 {
            self.rest = Self::PAUSE;
            return None;
        }
        self.encode(payload, &mut out);
        let least = payload.len().div_ceil(MOST);
        if out.len() < least {
            out.resize(least, 0);
        }
        (out.len() < payload.len()).then_some(out)
    }

    fn count(&mut self, payload: &[u8], table: usize) {
        for counts in self.counts.iter_mut() {
            counts.fill(0);
        }
        self.sorts.clear();
        self.sorts.resize(table, TABLE);
        self.sorts.resize(payload.len(), FIRST);
        for &b in &payload[..table] {
            self.counts[usize::from(TABLE)][usize::from(b)] += 1;
        }
        let mut at = table;
        while let Some(&b) = payload.get(at) {
            self.counts[usize::from(FIRST)][usize::from(b)] += 1;
            at += 1;
            match b {
                0x00..0x40 => {
                    // What repeats itself most.
                    while payload.get(at..at + 8) == Some(&[b; 8]) {
                        self.counts[usize::from(FIRST)][usize::from(b)] += 8;
                        at += 8;
                    }
                }
                0x40..0xd8 => {
                    let Some(&second) = payload.get(at) else {
                        return;
                    };
                    self.counts[usize::from(SECOND)][usize::from(second)] += 1;
                    self.sorts[at] = SECOND;
                    at += 1;
                }
                _ => {
                    let mut parts = Parts::default();
                    parts.next(b);
                    while parts.parts != 0
                        && let Some(&b) = payload.get(at)
                    {
                        let sort = parts.sort();
                        self.sorts[at] = sort;
                        self.counts[usize::from(sort & 15)][usize::from(b)] += 1;
                        parts.next(b);
                        at += 1;
                    }
                }
            }
        }
    }

    /// Makes frequencies of counts, and writes them. Returns how many bits the payload will take, more or less.
    fn frequencies(&mut self, out: &mut Vec<u8>) -> u64 {
        let start = out.len();
        out.extend_from_slice(&[0, 0]);
        let (mut present, mut bits) = (0u16, 0);
        for (sort, counts) in self.counts.iter_mut().enumerate() {
            let all: u64 = counts.iter().map(|n| u64::from(*n)).sum();
            if all == 0 {
                continue;
            }
            present |= 1 << sort;
            let wanted = *counts;
            scale(counts, all);
            for (n, f) in wanted.iter().zip(counts.iter()).filter(|(n, _)| **n > 0) {
                bits += u64::from(*n) * u64::from((BITS << 8) - logarithm(*f));
            }
            let mut start = 0;
            for (symbol, f) in self.symbols[sort]
                .iter_mut()
                .zip(counts.iter())
                .filter(|(_, f)| **f > 0)
            {
                *symbol = Symbol::new(start, *f);
                start += f;
            }
            put_frequencies(out, counts);
        }
        out[start..start + 2].copy_from_slice(&present.to_le_bytes());
        bits >> 8
    }

    fn encode(&mut self, payload: &[u8], out: &mut Vec<u8>) {
        // A symbol takes at most two bytes.
        let mut from = 2 * payload.len();
        self.given.resize(from, 0);
        let (mut this, mut other) = (LOW, LOW);
        for (&b, &sort) in payload.iter().zip(&self.sorts).rev() {
            let symbol = &self.symbols[usize::from(sort & 15)][usize::from(b)];
            if symbol.rest > 0 {
                while this >= symbol.limit {
                    from -= 1;
                    self.given[from] = this as u8;
                    this >>= 8;
                }
                let quotient = ((u64::from(this) * u64::from(symbol.reciprocal)) >> 32) as u32 >> symbol.shift;
                this += symbol.bias + quotient * symbol.rest;
            }
            (this, other) = (other, this);
        }
        // The one that took the first byte comes first.
        out.extend_from_slice(&other.to_le_bytes());
        out.extend_from_slice(&this.to_le_bytes());
        out.extend_from_slice(&self.given[from..]);
    }
}

/// Turns counts, `all` together, into frequencies that sum up to [`ALL`]; none that was not 0 becomes 0.
fn scale(counts: &mut [u32; 256], all: u64) {
    let mut sum = 0;
    for n in counts.iter_mut().filter(|n| **n > 0) {
        *n = ((u64::from(*n) * u64::from(ALL) / all) as u32).max(1);
        sum += *n;
    }
    while sum != ALL {
        let largest = counts.iter_mut().max().expect("there are 256");
        if sum < ALL {
            *largest += ALL - sum;
            sum = ALL;
        } else {
            // At most 256 too many, of at least 16.
            let less = (sum - ALL).min(*largest / 2);
            *largest -= less;
            sum -= less;
        }
    }
}

/// The logarithm to base 2 in 256ths, made of integers so that it is the same everywhere.
const fn logarithm(f: u32) -> u32 {
    let whole = f.ilog2();
    whole << 8 | ((f << 8) >> whole) & 255
}

/// First and last symbol that occur, then the frequencies of all between; after a 0, how many more of them follow.
fn put_frequencies(out: &mut Vec<u8>, frequencies: &[u32; 256]) {
    let used = |f: &u32| *f > 0;
    let first = frequencies.iter().position(used).unwrap_or(0);
    let last = frequencies.iter().rposition(used).unwrap_or(0);
    out.extend_from_slice(&[first as u8, last as u8]);
    let mut at = first;
    while at <= last {
        put(out, u64::from(frequencies[at]));
        let zero = frequencies[at] == 0;
        at += 1;
        if zero {
            let more = frequencies[at..=last].iter().take_while(|f| **f == 0).count();
            put(out, more as u64);
            at += more;
        }
    }
}

/// For each of [`ALL`] places of a sort: the symbol, the place among those of the symbol (12 bits), the frequency less 1 (12 bits).
type Places = Vec<u32>;

fn get_frequencies(bytes: &[u8], at: &mut usize) -> Result<Places, Malformed> {
    let start = *at;
    let wrong = |found| Malformed {
        at: start,
        expected: "frequencies that sum up to 4096",
        found,
    };
    let first = byte(bytes, at, "the first symbol")?;
    let last = byte(bytes, at, "the last symbol")?;
    let mut places = Places::with_capacity(ALL as usize);
    let mut symbol = u64::from(first);
    while symbol <= u64::from(last) {
        let frequency = get(bytes, at, "a frequency")?;
        if frequency == 0 {
            symbol = symbol
                .saturating_add(get(bytes, at, "a number of symbols")?)
                .saturating_add(1);
            continue;
        }
        if frequency > u64::from(ALL) - places.len() as u64 {
            return Err(wrong(frequency));
        }
        let frequency = frequency as u32;
        places.extend((0..frequency).map(|place| symbol as u32 | place << 8 | (frequency - 1) << 20));
        symbol += 1;
    }
    if places.len() != ALL as usize {
        return Err(wrong(places.len() as u64));
    }
    Ok(places)
}

/// The payload of a block as it was before it was packed.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<u8>, Malformed> {
    let wrong = |at, expected, found| Malformed { at, expected, found };
    let at = &mut 0;
    let length = fixed(packed, at)? as usize;
    if length > PACKED_MAX || length > packed.len().saturating_mul(MOST) {
        return Err(wrong(
            0,
            "a length of at most 2^17 bytes and 256 times the packed one",
            length as u64,
        ));
    }
    let table = get(packed, at, "the length of a table")?;
    if table > length as u64 {
        return Err(wrong(4, "a table within the block", table));
    }
    let present = u16::from_le_bytes([byte(packed, at, "sorts of bytes")?, byte(packed, at, "sorts of bytes")?]);
    let mut sorts: [Places; SORTS] = Default::default();
    for (sort, places) in sorts.iter_mut().enumerate() {
        if present & 1 << sort != 0 {
            *places = get_frequencies(packed, at)?;
        }
    }
    let (mut this, mut other) = (fixed(packed, at)?, fixed(packed, at)?);
    let mut out = Vec::with_capacity(length);
    let mut parts = Parts::default();
    for i in 0..length {
        let walked = i as u64 >= table;
        let sort = if walked { parts.sort() } else { TABLE };
        let Some(entry) = sorts[usize::from(sort & 15)].get((this & (ALL - 1)) as usize) else {
            return Err(wrong(*at, "frequencies of the sort of a byte", u64::from(sort)));
        };
        let b = *entry as u8;
        this = ((entry >> 20) + 1)
            .wrapping_mul(this >> BITS)
            .wrapping_add(entry >> 8 & (ALL - 1));
        while this < LOW {
            this = this << 8 | u32::from(byte(packed, at, "more of a packed block")?);
        }
        (this, other) = (other, this);
        out.push(b);
        if walked {
            parts.next(b);
        }
    }
    if [this, other] != [LOW; 2] {
        return Err(wrong(*at, "the states of the start", u64::from(this)));
    }
    let chunks = get(&out, &mut 0, "a number of chunks")?;
    if chunks > CHUNKS_MAX {
        return Err(wrong(0, "at most 256 chunks in a packed block", chunks));
    }
    match packed[*at..].iter().position(|b| *b != 0) {
        None => Ok(out),
        Some(more) => Err(wrong(
            *at + more,
            "the end of a packed block",
            u64::from(packed[*at + more]),
        )),
    }
}

fn fixed(bytes: &[u8], at: &mut usize) -> Result<u32, Malformed> {
    let mut value = 0;
    for shift in [0, 8, 16, 24] {
        value |= u32::from(byte(bytes, at, "a number of 4 bytes")?) << shift;
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(payload: &[u8], table: usize) -> Option<usize> {
        let packed = Packer::default().pack(payload, table)?;
        assert!(packed.len() < payload.len() && payload.len() <= packed.len() * MOST);
        assert_eq!(unpack(&packed).unwrap(), payload);
        Some(packed.len())
    }

    #[test]
    fn what_repeats_takes_nearly_nothing() {
        assert!(there_and_back(&[0; 30_000], 0).unwrap() <= 120);
        let pairs: Vec<u8> = (0..30_000).map(|i| [0x41, 0x07][i % 2]).collect();
        assert!(there_and_back(&pairs, 0).unwrap() <= 120);
    }

    #[test]
    fn noise_is_left_alone() {
        let mut x = 1u64;
        let noise: Vec<u8> = (0..30_000)
            .map(|_| {
                x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (x >> 40) as u8
            })
            .collect();
        assert_eq!(there_and_back(&noise, 0), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(0u8..=255, 0..400), times in 1usize..20, table in 0usize..400) {
            let payload: Vec<u8> = bytes.iter().copied().cycle().take(bytes.len() * times).collect();
            let _ = there_and_back(&payload, table.min(payload.len()));
        }

        #[test]
        fn skewed_bytes_come_back(bits in proptest::collection::vec((0u8..=255, 0u8..12), 300..3000), table in 0usize..300) {
            let payload: Vec<u8> = bits.iter().map(|(b, by)| b >> by.min(&7)).collect();
            let _ = there_and_back(&payload, table);
        }

        #[test]
        fn any_packed_bytes_are_no_harm(bytes in proptest::collection::vec(0u8..=255, 0..400), flip in 0usize..1000) {
            let _ = unpack(&bytes);
            let mut packed = Packer::default().pack(&[7; 3000], 10).unwrap();
            let at = flip % packed.len();
            packed[at] ^= 1 << (flip % 8);
            let _ = unpack(&packed);
        }
    }
}
