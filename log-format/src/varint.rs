//! Numbers of variable length: LEB128, and zigzag for signed ones. Reading never goes past the slice.

/// An error in the bytes of actions or a table, and its position in the slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Offset in the slice that was read.
    pub at: usize,
    /// What was expected.
    pub expected: &'static str,
    /// The number that was found; at the end of the bytes, their number.
    pub found: u64,
}

/// A sink for numbers.
pub(crate) trait Bytes {
    /// Appends a byte.
    fn push(&mut self, byte: u8);
}

impl Bytes for Vec<u8> {
    #[inline]
    fn push(&mut self, byte: u8) {
        Self::push(self, byte);
    }
}

/// Appends `value`, 7 bits a byte, lowest first.
#[inline]
pub(crate) fn put(out: &mut impl Bytes, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the difference `to - from`, wrapping, small in either direction.
#[inline]
pub(crate) fn put_difference(out: &mut impl Bytes, from: u64, to: u64) {
    let difference = to.wrapping_sub(from) as i64;
    put(out, ((difference << 1) ^ (difference >> 63)) as u64);
}

/// Reads one byte.
#[inline]
pub(crate) fn byte(bytes: &[u8], at: &mut usize, expected: &'static str) -> Result<u8, Malformed> {
    let Some(&b) = bytes.get(*at) else {
        return Err(Malformed {
            at: *at,
            expected,
            found: bytes.len() as u64,
        });
    };
    *at += 1;
    Ok(b)
}

/// Reads what [`put`] wrote. A number of more than 64 bits is refused.
#[inline]
pub(crate) fn get(bytes: &[u8], at: &mut usize, expected: &'static str) -> Result<u64, Malformed> {
    let start = *at;
    let mut value = 0;
    let mut shift = 0;
    loop {
        let b = byte(bytes, at, expected)?;
        let low = u64::from(b & 0x7f);
        if shift == 63 && low > 1 {
            return Err(Malformed {
                at: start,
                expected: "a number of at most 64 bits",
                found: u64::from(b),
            });
        }
        value |= low << shift;
        if b < 0x80 {
            return Ok(value);
        }
        shift += 7;
        if shift > 63 {
            return Err(Malformed {
                at: start,
                expected: "a number of at most 10 bytes",
                found: u64::from(b),
            });
        }
    }
}

/// Reads what [`put_difference`] wrote and adds it to `from`, wrapping.
#[inline]
pub(crate) fn get_difference(
    bytes: &[u8],
    at: &mut usize,
    from: u64,
    expected: &'static str,
) -> Result<u64, Malformed> {
    let z = get(bytes, at, expected)?;
    Ok(from.wrapping_add((z >> 1) ^ (z & 1).wrapping_neg()))
}

/// Appends a length and these bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads a length and that many bytes. The length is checked against the bytes that are left.
#[inline]
pub(crate) fn get_bytes<'a>(bytes: &'a [u8], at: &mut usize, expected: &'static str) -> Result<&'a [u8], Malformed> {
    let start = *at;
    let length = get(bytes, at, expected)?;
    let rest = &bytes[*at..];
    match usize::try_from(length).ok().and_then(|length| rest.get(..length)) {
        Some(value) => {
            *at += value.len();
            Ok(value)
        }
        None => Err(Malformed {
            at: start,
            expected,
            found: length,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_read_back(value: u64, from: u64) {
            let mut out = Vec::new();
            put(&mut out, value);
            put_difference(&mut out, from, value);
            let mut at = 0;
            prop_assert_eq!(get(&out, &mut at, "n"), Ok(value));
            prop_assert_eq!(get_difference(&out, &mut at, from, "n"), Ok(value));
            prop_assert_eq!(at, out.len());
        }
    }

    #[test]
    fn a_number_too_long_is_refused() {
        let eleven = [0x80u8; 11];
        assert!(get(&eleven, &mut 0, "n").is_err());
        let mut too_big = [0xffu8; 10];
        too_big[9] = 2;
        assert!(get(&too_big, &mut 0, "n").is_err());
        assert!(get_bytes(&[0xff, 0xff, 0x03, 0], &mut 0, "n").is_err());
    }
}
