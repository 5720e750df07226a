//! Unpacking a block.
use super::parts::{Parts, SORTS, TABLE};
use super::{ALL, BITS, CHUNKS_MAX, LOW, MOST, PACKED_MAX};
use crate::varint::{Malformed, byte, get};

/// For each of [`ALL`] slots of a sort: the symbol, the slot's index among those of the symbol (12 bits), the frequency minus 1 (12 bits).
type SlotTable = Vec<u32>;

fn get_frequencies(bytes: &[u8], at: &mut usize) -> Result<SlotTable, Malformed> {
    let start = *at;
    let wrong = |found| Malformed {
        at: start,
        expected: "frequencies that sum up to 4096",
        found,
    };
    let first = byte(bytes, at, "the first symbol")?;
    let last = byte(bytes, at, "the last symbol")?;
    let mut places = SlotTable::with_capacity(ALL as usize);
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

/// The unpacked payload of a block.
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
    let mut sorts: [SlotTable; SORTS] = Default::default();
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
