//! Bit syntax: construction by a [`Builder`], matching by functions of (binary, bit offset). All offsets and sizes are in bits.
//!
//! A matching function gets the binary and the offset from which it reads, and returns `None` if Erlang's match fails. The caller keeps the
//! offset in a register and advances it by the size (the UTF functions return how many bits they took). Nothing is copied until a part is
//! bound; a bound part shares the bytes of the whole.

mod build;
#[cfg(test)]
mod tests;

pub use build::{Builder, SIZE_LIMIT};

use crate::arith;
use crate::heap::{Bits, Heap};
use crate::term::Term;

/// Length of a binary or bitstring; `None` for anything else.
#[inline]
#[must_use]
pub fn len(heap: &Heap, t: Term) -> Option<usize> {
    heap.bits(t).map(|b| b.len)
}

/// The first `n` ≤ 64 bits from `at` on as an unsigned number, most significant bit first. The caller checks the range.
#[inline]
#[must_use]
pub fn read(bits: Bits<'_>, at: usize, n: usize) -> u64 {
    debug_assert!(n <= 64 && at + n <= bits.len, "the caller checks the range");
    let start = bits.offset + at;
    let (first, shift) = (start / 8, start % 8);
    if n == 8 && shift == 0 {
        return u64::from(bits.bytes[first]);
    }
    if n == 0 {
        return 0;
    }
    let bytes = &bits.bytes[first..(start + n).div_ceil(8)];
    let wide = bytes.iter().fold(0_u128, |w, b| w << 8 | u128::from(*b));
    let value = (wide >> (bytes.len() * 8 - shift - n)) as u64;
    if n == 64 { value } else { value & ((1 << n) - 1) }
}

/// As [`read`], least significant byte first; the last bits, if they do not fill a byte, are the most significant ones.
#[inline]
#[must_use]
pub fn read_little(bits: Bits<'_>, at: usize, n: usize) -> u64 {
    let value = read(bits, at, n);
    let (whole, left) = (n / 8, n % 8);
    if whole == 0 {
        return value;
    }
    let low = (value >> left).swap_bytes() >> (64 - whole * 8);
    if left == 0 {
        low
    } else {
        low | (value & ((1 << left) - 1)) << (whole * 8)
    }
}

/// `Int:Size/integer` from `at` on.
#[inline]
pub fn match_integer(heap: &mut Heap, t: Term, at: usize, size: usize, little: bool, signed: bool) -> Option<Term> {
    let bits = heap.bits(t)?;
    if size > bits.len.checked_sub(at)? {
        return None;
    }
    if size <= 64 {
        let value = if little {
            read_little(bits, at, size)
        } else {
            read(bits, at, size)
        };
        if signed && size > 0 {
            let unused = 64 - size;
            return Some(heap.make_int((value << unused) as i64 >> unused));
        }
        return Some(match i64::try_from(value) {
            Ok(value) => heap.make_int(value),
            Err(_) => heap.make_big(false, &[value]),
        });
    }
    let (whole, left) = (size / 64, size % 64);
    let mut limbs: Vec<u64> = (0..whole)
        .map(|i| {
            if little {
                read_little(bits, at + i * 64, 64)
            } else {
                read(bits, at + size - (i + 1) * 64, 64)
            }
        })
        .collect();
    if left > 0 {
        limbs.push(if little {
            read_little(bits, at + whole * 64, left)
        } else {
            read(bits, at, left)
        });
    }
    let top = if left == 0 { 64 } else { left };
    let negative = signed && limbs[limbs.len() - 1] >> (top - 1) & 1 == 1;
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
        if left > 0
            && let Some(last) = limbs.last_mut()
        {
            *last &= (1 << left) - 1;
        }
        // Only −2^(size−1) carries out of its own bits: its magnitude has that one bit.
    }
    arith::from_parts(heap, negative, &limbs).ok()
}

/// `X:Size/float`: sizes 16, 32 and 64; fails for infinities and NaN.
#[inline]
pub fn match_float(heap: &mut Heap, t: Term, at: usize, size: usize, little: bool) -> Option<Term> {
    let bits = heap.bits(t)?;
    if size > bits.len.checked_sub(at)? {
        return None;
    }
    let raw = if little {
        read_little(bits, at, size.min(64))
    } else {
        read(bits, at, size.min(64))
    };
    let value = match size {
        16 => half_to_f64(raw as u16),
        32 => f64::from(f32::from_bits(raw as u32)),
        64 => f64::from_bits(raw),
        _ => return None,
    };
    value.is_finite().then(|| heap.make_float(value))
}

/// `Part:Size/bitstring`.
#[inline]
pub fn match_bits(heap: &mut Heap, t: Term, at: usize, size: usize) -> Option<Term> {
    let len = len(heap, t)?;
    (size <= len.checked_sub(at)?).then(|| heap.make_sub_binary(t, at, size))
}

/// The rest from `at` on, whose length must be a multiple of `unit`.
#[inline]
pub fn match_rest(heap: &mut Heap, t: Term, at: usize, unit: usize) -> Option<Term> {
    heap.rest(t, at, unit)
}

/// Are the next bits these whole bytes (a literal string)?
#[must_use]
pub fn match_bytes(heap: &Heap, t: Term, at: usize, bytes: &[u8]) -> bool {
    match heap.bits(t) {
        Some(bits) if at + bytes.len() * 8 <= bits.len => {
            if (bits.offset + at).is_multiple_of(8) {
                let from = (bits.offset + at) / 8;
                &bits.bytes[from..from + bytes.len()] == bytes
            } else {
                bytes.iter().enumerate().all(|(i, b)| bits.byte_at(at + i * 8) == *b)
            }
        }
        _ => false,
    }
}

/// `Char/utf8`: the code point and the bits taken.
#[inline]
#[must_use]
pub fn match_utf8(heap: &Heap, t: Term, at: usize) -> Option<(Term, usize)> {
    let bits = heap.bits(t)?;
    let left = bits.len.checked_sub(at)?;
    if left < 8 {
        return None;
    }
    let first = bits.byte_at(at);
    if first < 0x80 {
        return Some((Term::small(i64::from(first)), 8));
    }
    let n = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    if left < n * 8 {
        return None;
    }
    let mut bytes = [0; 4];
    for (i, byte) in bytes[..n].iter_mut().enumerate() {
        *byte = bits.byte_at(at + i * 8);
    }
    let c = std::str::from_utf8(&bytes[..n]).ok()?.chars().next()?;
    Some((Term::small(i64::from(u32::from(c))), n * 8))
}

/// `Char/utf16`: the code point and the bits taken.
#[must_use]
pub fn match_utf16(heap: &Heap, t: Term, at: usize, little: bool) -> Option<(Term, usize)> {
    let bits = heap.bits(t)?;
    let unit = |at: usize| {
        (at + 16 <= bits.len)
            .then(|| if little { read_little(bits, at, 16) } else { read(bits, at, 16) } as u32)
    };
    let first = unit(at)?;
    match first {
        0xd800..0xdc00 => {
            let second = unit(at + 16)?;
            (0xdc00..0xe000).contains(&second).then(|| {
                (
                    Term::small(i64::from(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))),
                    32,
                )
            })
        }
        0xdc00..0xe000 => None,
        _ => Some((Term::small(i64::from(first)), 16)),
    }
}

/// `Char/utf32`: the code point and the bits taken.
#[must_use]
pub fn match_utf32(heap: &Heap, t: Term, at: usize, little: bool) -> Option<(Term, usize)> {
    let bits = heap.bits(t)?;
    if at + 32 > bits.len {
        return None;
    }
    let value = if little {
        read_little(bits, at, 32)
    } else {
        read(bits, at, 32)
    };
    char::from_u32(value as u32).map(|c| (Term::small(i64::from(u32::from(c))), 32))
}

/// The value of a half-precision float (including infinities and NaN).
#[must_use]
pub fn half_to_f64(half: u16) -> f64 {
    let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    match exponent {
        0 => sign * fraction / 16_777_216.0,
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        // Exact: the factor is a power of two that a float holds.
        _ => sign * (1.0 + fraction / 1024.0) * f64::from_bits(((exponent - 15 + 1023) as u64) << 52),
    }
}

/// The nearest half-precision float, ties to even; infinity if it is too large, as in OTP 25.
#[must_use]
pub fn half_from_f64(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    // As in OTP: through single precision.
    let magnitude = f64::from(value.abs() as f32);
    if magnitude >= 65_520.0 {
        return sign | 0x7c00;
    }
    let half = if magnitude < 6.103_515_625e-5 {
        (magnitude * 16_777_216.0).round_ties_even() as u16
    } else {
        let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
        let scale = f64::from_bits(((10 - exponent + 1023) as u64) << 52);
        // 1024..=2048; 2048 carries into the exponent, which the addition does by itself.
        let fraction = (magnitude * scale).round_ties_even() as u16;
        (((exponent + 15) as u16) << 10) + (fraction - 1024)
    };
    sign | half
}
