//! The sort of each byte of a block, determined by an adaptive walk over its items.

use crate::codec::PARTS;
use crate::part;

/// The number of sorts of bytes, each with its own frequencies.
pub(super) const SORTS: usize = 16;

pub(super) const FIRST: u8 = 0;

pub(super) const SECOND: u8 = 1;

const MIDDLE: u8 = 2;

const LAST: u8 = 3;

const PLACE: u8 = 4;

const GAP: u8 = 6;

const PID: u8 = 8;

const K: u8 = 10;

const NUMBER: u8 = 12;

const CODE: u8 = 13;

const RAW: u8 = 14;

pub(super) const TABLE: u8 = 15;

/// The walk over the items of a block. It guesses the sort of each byte from the bytes before it; packer and unpacker make the same guesses.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    /// The remaining parts of the item, including the current byte; 0 at the first byte of an item.
    pub(super) parts: u64,
    /// If a number has begun: its bits so far, and how many; else 0.
    value: u64,
    shift: u32,
    /// Remaining raw bytes.
    raw: u64,
    /// Remaining accesses of an action in full, without the current one.
    accesses: u64,
}

/// The parts of an item after its first byte, from F0 on.
const ITEMS: [u64; 16] = {
    use crate::part::{ACCESS, GAP, K, KIND, NUMBER, PID, PLACE, VALUE};
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

/// The parts of a tag after its first byte, and of the resources of accesses.
const TAGS: [u64; 5] = {
    use crate::part::{NUMBER, PID};
    [
        PID | NUMBER << 4,
        PID | PID << 4,
        PID | PID << 4 | NUMBER << 8,
        PID | PID << 4 | NUMBER << 8,
        PID,
    ]
};

const RESOURCES: [u64; 16] = {
    use crate::part::{EIGHT, NUMBER, PID};
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

/// The parts of an access to the key of a table after its first byte.
const fn key(b: u8) -> u64 {
    use crate::part::{EIGHT, GAP, K, PID, PLACE};
    let version = if b & 0x08 == 0 { 0 } else { GAP };
    let by = if b & 3 == 2 { PID | K << 4 } else { 0 };
    before(if b & 0x40 == 0 { PLACE } else { EIGHT }, before(by, version))
}

/// The parts `front` before the parts `rest`.
const fn before(front: u64, rest: u64) -> u64 {
    if front == 0 {
        return rest;
    }
    let used = (64 - front.leading_zeros()).div_ceil(4) * 4;
    if used >= 64 { front } else { front | rest << used }
}

impl Parts {
    /// The sort of the next byte.
    #[inline(always)]
    pub(super) fn sort(&self) -> u8 {
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

    /// Advances over this byte.
    #[inline(always)]
    pub(super) fn next(&mut self, b: u8) {
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
            // Before an access to a key: the table, and what its read has seen.
            part::ACCESS if matches!(b, 0x20..0x24) => {
                use crate::part::{ACCESS, NUMBER, PID};
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
                before(sends, before(accesses, PARTS[usize::from(b & 31)]))
            }
            _ => rest,
        };
    }

    /// A byte of a number; returns the value if it is the last byte.
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
