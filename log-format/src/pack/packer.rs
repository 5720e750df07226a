//! Packing a block.
use super::parts::{FIRST, Parts, SECOND, SORTS, TABLE};
use super::{ALL, BITS, CHUNKS_MAX, LOW, MOST, PACKED_MAX};
use crate::varint::{get, put};

/// Shorter blocks are not packed.
const LEAST: usize = 256;

/// A symbol of one sort, prepared for the encoder.
#[derive(Clone, Copy, Default)]
struct Symbol {
    /// A state from here on first writes bytes out.
    limit: u32,
    /// The reciprocal of the frequency, and how far to shift the product.
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
#[derive(Clone)]
pub(crate) struct Packer {
    counts: Box<[[u32; 256]; SORTS]>,
    symbols: Box<[[Symbol; 256]; SORTS]>,
    sorts: Vec<u8>,
    /// The bytes that the states wrote, in the end.
    given: Vec<u8>,
    /// This many of the next blocks are not tried.
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
    /// After a block that packing hardly makes shorter, this many are not tried.
    const PAUSE: u32 = 7;

    /// Packs the payload of a block, whose table ends at `table`; `None` if that does not pay.
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
                    // The most frequent repetition.
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

    /// Turns counts into frequencies, and writes them. Returns the approximate number of bits of the payload.
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
        // The state of the first byte comes first.
        out.extend_from_slice(&other.to_le_bytes());
        out.extend_from_slice(&this.to_le_bytes());
        out.extend_from_slice(&self.given[from..]);
    }
}

/// Turns counts, whose sum is `all`, into frequencies whose sum is [`ALL`]; counts above 0 get frequencies above 0.
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

/// The logarithm to base 2 in 256ths, computed with integers so that it is the same everywhere.
const fn logarithm(f: u32) -> u32 {
    let whole = f.ilog2();
    whole << 8 | ((f << 8) >> whole) & 255
}

/// First and last symbol that occur, then the frequencies from the one to the other; after a 0, how many more zeros follow.
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
