//! Integers as text.

use num_bigint::BigUint;

use crate::heap::as_bytes;

fn magnitude(limbs: &[u64]) -> BigUint {
    if cfg!(target_endian = "little") {
        BigUint::from_bytes_le(as_bytes(limbs))
    } else {
        BigUint::from_slice(
            &limbs
                .iter()
                .flat_map(|&w| [w as u32, (w >> 32) as u32])
                .collect::<Vec<_>>(),
        )
    }
}

/// Decimal digits of a large integer, given as sign and little-endian limbs.
#[must_use]
pub fn to_decimal(negative: bool, limbs: &[u64]) -> String {
    to_radix(negative, limbs, 10)
}

/// Upper-case digits in a base from 2 to 36.
#[must_use]
pub fn to_radix(negative: bool, limbs: &[u64], base: u32) -> String {
    let digits = magnitude(limbs).to_str_radix(base).to_ascii_uppercase();
    if negative { format!("-{digits}") } else { digits }
}

/// Upper-case digits of a small integer in a base from 2 to 36.
#[must_use]
pub fn small_to_radix(n: i64, base: u32) -> String {
    let mut digits = Vec::new();
    let mut rest = n.unsigned_abs();
    loop {
        digits.push(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(rest % u64::from(base)) as usize]);
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        digits.push(b'-');
    }
    digits.reverse();
    String::from_utf8(digits).expect("digits are ASCII")
}
