//! Arithmetic of Erlang: integers of any size, finite floats. Operands that are not numbers, and results that are not finite floats, are
//! `badarith`; integers beyond OTP's largest are `system_limit`.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use crate::heap::{Heap, TermView};
use crate::native::Raise;
use crate::ops::compare_limbs;
use crate::term::{SMALL_MIN, Term};

/// The largest number of 64-bit limbs of an integer, as in OTP 25 (33,554,368 bits).
pub const LIMB_LIMIT: usize = 524_287;

/// A number seen through its heap.
#[derive(Clone, Copy, Debug)]
pub enum Number<'h> {
    /// Small integer.
    Small(i64),
    /// Larger integer: sign and little-endian limbs.
    Big(bool, &'h [u64]),
    /// Float.
    Float(f64),
}

/// The number of a term; `None` if it is not a number.
#[inline]
#[must_use]
pub fn number(heap: &Heap, t: Term) -> Option<Number<'_>> {
    match heap.view(t) {
        TermView::Small(i) => Some(Number::Small(i)),
        TermView::Big { negative, limbs } => Some(Number::Big(negative, limbs)),
        TermView::Float(x) => Some(Number::Float(x)),
        _ => None,
    }
}

/// Is it an integer of any size?
#[inline]
#[must_use]
pub fn is_integer(heap: &Heap, t: Term) -> bool {
    t.is_small() || matches!(heap.view(t), TermView::Big { .. })
}

/// The integer of a term, as a `BigInt`; `None` if it is not an integer.
#[must_use]
pub fn to_bigint(heap: &Heap, t: Term) -> Option<BigInt> {
    match number(heap, t)? {
        Number::Small(i) => Some(BigInt::from(i)),
        Number::Big(negative, limbs) => Some(bigint(negative, limbs)),
        Number::Float(_) => None,
    }
}

fn bigint(negative: bool, limbs: &[u64]) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, biguint(limbs))
}

pub(crate) fn biguint(limbs: &[u64]) -> BigUint {
    let mut digits = Vec::with_capacity(limbs.len() * 2);
    for limb in limbs {
        digits.extend_from_slice(&[*limb as u32, (*limb >> 32) as u32]);
    }
    BigUint::new(digits)
}

/// The term of an integer.
///
/// # Errors
/// `system_limit` beyond [`LIMB_LIMIT`].
pub fn from_bigint(heap: &mut Heap, value: &BigInt) -> Result<Term, Raise> {
    from_parts(heap, value.sign() == Sign::Minus, &value.magnitude().to_u64_digits())
}

/// The term of an integer given as sign and limbs (leading zeros allowed).
///
/// # Errors
/// `system_limit` beyond [`LIMB_LIMIT`].
pub fn from_parts(heap: &mut Heap, negative: bool, limbs: &[u64]) -> Result<Term, Raise> {
    if limbs.len() > LIMB_LIMIT && limbs[LIMB_LIMIT..].iter().any(|l| *l != 0) {
        return Err(Raise::system_limit());
    }
    Ok(heap.make_big(negative, limbs))
}

/// The term of a 128-bit integer.
#[inline]
pub fn from_i128(heap: &mut Heap, value: i128) -> Term {
    match i64::try_from(value) {
        Ok(small) => heap.make_int(small),
        Err(_) => {
            let magnitude = value.unsigned_abs();
            heap.make_big(value < 0, &[magnitude as u64, (magnitude >> 64) as u64])
        }
    }
}

/// The term of a float.
///
/// # Errors
/// `badarith` if it is not finite.
#[inline]
pub fn from_f64(heap: &mut Heap, value: f64) -> Result<Term, Raise> {
    if value.is_finite() {
        Ok(heap.make_float(value))
    } else {
        Err(Raise::badarith())
    }
}

/// A number as a float, rounded as OTP rounds (large integers limb by limb), or `None` if it is too large.
#[must_use]
pub fn to_f64(n: Number<'_>) -> Option<f64> {
    match n {
        Number::Small(i) => Some(i as f64),
        Number::Float(x) => Some(x),
        Number::Big(negative, limbs) => {
            let value = limbs
                .iter()
                .rev()
                .fold(0.0, |sum, limb| sum * 18_446_744_073_709_551_616.0 + *limb as f64);
            value.is_finite().then_some(if negative { -value } else { value })
        }
    }
}

pub fn float_of(heap: &Heap, t: Term) -> Result<f64, Raise> {
    number(heap, t).and_then(to_f64).ok_or(Raise::badarith())
}

#[inline(always)]
fn both_small(a: Term, b: Term) -> bool {
    (a.0 | b.0) & 7 == 0
}

/// `a + b`.
///
/// # Errors
/// `badarith`, `system_limit`.
#[inline(always)]
pub fn add(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    // The tag of a small integer is 0, so the words add as the values do, and overflow exactly when the value does.
    if both_small(a, b)
        && let Some(sum) = (a.0 as i64).checked_add(b.0 as i64)
    {
        return Ok(Term(sum as u64));
    }
    add_slow(heap, a, b, false)
}

/// `a - b`.
///
/// # Errors
/// `badarith`, `system_limit`.
#[inline(always)]
pub fn sub(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b)
        && let Some(difference) = (a.0 as i64).checked_sub(b.0 as i64)
    {
        return Ok(Term(difference as u64));
    }
    add_slow(heap, a, b, true)
}

/// `a * b`.
///
/// # Errors
/// `badarith`, `system_limit`.
#[inline(always)]
pub fn mul(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b)
        && let Some(product) = (a.0 as i64 >> 3).checked_mul(b.0 as i64)
    {
        return Ok(Term(product as u64));
    }
    mul_slow(heap, a, b)
}

/// Sign and magnitude of an integer; the buffer holds the limb of a small one.
fn parts<'a>(n: Number<'a>, buffer: &'a mut [u64; 1]) -> Option<(bool, &'a [u64])> {
    match n {
        Number::Small(i) => {
            buffer[0] = i.unsigned_abs();
            Some((i < 0, &buffer[..]))
        }
        Number::Big(negative, limbs) => Some((negative, limbs)),
        Number::Float(_) => None,
    }
}

#[inline(never)]
fn add_slow(heap: &mut Heap, a: Term, b: Term, subtract: bool) -> Result<Term, Raise> {
    let (Some(x), Some(y)) = (number(heap, a), number(heap, b)) else {
        return Err(Raise::badarith());
    };
    match (x, y) {
        (Number::Small(x), Number::Small(y)) => {
            let y = if subtract { -y } else { y };
            Ok(heap.make_int(x + y))
        }
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            let (x, y) = (to_f64(x).ok_or(Raise::badarith())?, to_f64(y).ok_or(Raise::badarith())?);
            from_f64(heap, if subtract { x - y } else { x + y })
        }
        _ => {
            let (mut one, mut other) = ([0], [0]);
            let (negative_x, x) = parts(x, &mut one).expect("no float here");
            let (negative_y, y) = parts(y, &mut other).expect("no float here");
            let (negative, limbs) = add_signed(negative_x, x, negative_y != subtract, y);
            from_parts(heap, negative, &limbs)
        }
    }
}

fn add_signed(negative_x: bool, x: &[u64], negative_y: bool, y: &[u64]) -> (bool, Vec<u64>) {
    if negative_x == negative_y {
        let (long, short) = if x.len() >= y.len() { (x, y) } else { (y, x) };
        let mut sum = Vec::with_capacity(long.len() + 1);
        let mut carry = false;
        for (i, limb) in long.iter().enumerate() {
            let (s, c) = limb.overflowing_add(short.get(i).copied().unwrap_or(0));
            let (s, d) = s.overflowing_add(u64::from(carry));
            sum.push(s);
            carry = c | d;
        }
        if carry {
            sum.push(1);
        }
        return (negative_x, sum);
    }
    let trimmed = |l: &[u64]| l.iter().rposition(|d| *d != 0).map_or(0, |i| i + 1);
    let (x, y) = (&x[..trimmed(x)], &y[..trimmed(y)]);
    let (negative, long, short) = if compare_limbs(x, y) == Ordering::Less {
        (negative_y, y, x)
    } else {
        (negative_x, x, y)
    };
    let mut difference = Vec::with_capacity(long.len());
    let mut borrow = false;
    for (i, limb) in long.iter().enumerate() {
        let (d, b) = limb.overflowing_sub(short.get(i).copied().unwrap_or(0));
        let (d, c) = d.overflowing_sub(u64::from(borrow));
        difference.push(d);
        borrow = b | c;
    }
    (negative, difference)
}

/// Up to this size of the smaller operand, the schoolbook product is faster than the conversion to the library's integers.
const SCHOOL_LIMBS: usize = 24;

fn multiply(x: &[u64], y: &[u64]) -> Vec<u64> {
    let mut product = vec![0; x.len() + y.len()];
    for (i, a) in x.iter().enumerate() {
        let mut carry = 0_u64;
        for (b, sum) in y.iter().zip(&mut product[i..]) {
            let wide = u128::from(*a) * u128::from(*b) + u128::from(*sum) + u128::from(carry);
            *sum = wide as u64;
            carry = (wide >> 64) as u64;
        }
        product[i + y.len()] = carry;
    }
    product
}

#[inline(never)]
fn mul_slow(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    let (Some(x), Some(y)) = (number(heap, a), number(heap, b)) else {
        return Err(Raise::badarith());
    };
    match (x, y) {
        (Number::Small(x), Number::Small(y)) => {
            let product = i128::from(x) * i128::from(y);
            Ok(from_i128(heap, product))
        }
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            let (x, y) = (to_f64(x).ok_or(Raise::badarith())?, to_f64(y).ok_or(Raise::badarith())?);
            from_f64(heap, x * y)
        }
        (Number::Big(negative, limbs), Number::Small(i)) | (Number::Small(i), Number::Big(negative, limbs)) => {
            let factor = i.unsigned_abs();
            let mut product = Vec::with_capacity(limbs.len() + 1);
            let mut carry = 0_u64;
            for limb in limbs {
                let wide = u128::from(*limb) * u128::from(factor) + u128::from(carry);
                product.push(wide as u64);
                carry = (wide >> 64) as u64;
            }
            product.push(carry);
            from_parts(heap, negative != (i < 0), &product)
        }
        (Number::Big(negative_x, x), Number::Big(negative_y, y)) => {
            if x.len() + y.len() > LIMB_LIMIT + 1 {
                return Err(Raise::system_limit());
            }
            let product = if x.len().min(y.len()) <= SCHOOL_LIMBS {
                multiply(x, y)
            } else {
                (biguint(x) * biguint(y)).to_u64_digits()
            };
            from_parts(heap, negative_x != negative_y, &product)
        }
    }
}

/// `a / b`: always a float.
///
/// # Errors
/// `badarith`, also when an operand is too large for a float.
pub fn div(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    let (x, y) = (float_of(heap, a)?, float_of(heap, b)?);
    if y == 0.0 {
        return Err(Raise::badarith());
    }
    from_f64(heap, x / y)
}

/// `a div b`, towards zero.
///
/// # Errors
/// `badarith`: not integers, or division by zero.
#[inline]
pub fn idiv(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) && b.0 != 0 {
        return Ok(heap.make_int(a.small_value() / b.small_value()));
    }
    divide(heap, a, b, false)
}

/// `a rem b`, with the sign of `a`.
///
/// # Errors
/// `badarith`: not integers, or division by zero.
#[inline]
pub fn rem(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) && b.0 != 0 {
        return Ok(Term::small(a.small_value() % b.small_value()));
    }
    divide(heap, a, b, true)
}

#[inline(never)]
fn divide(heap: &mut Heap, a: Term, b: Term, remainder: bool) -> Result<Term, Raise> {
    let (Some(x), Some(y)) = (number(heap, a), number(heap, b)) else {
        return Err(Raise::badarith());
    };
    if matches!(y, Number::Small(0)) {
        return Err(Raise::badarith());
    }
    match (x, y) {
        (Number::Big(negative, limbs), Number::Small(i)) => {
            let divisor = i.unsigned_abs();
            let mut quotient = limbs.to_vec();
            let mut left = 0_u64;
            for limb in quotient.iter_mut().rev() {
                let wide = u128::from(left) << 64 | u128::from(*limb);
                *limb = (wide / u128::from(divisor)) as u64;
                left = (wide % u128::from(divisor)) as u64;
            }
            if remainder {
                from_parts(heap, negative, &[left])
            } else {
                from_parts(heap, negative != (i < 0), &quotient)
            }
        }
        (Number::Small(i), Number::Big(_, limbs)) => {
            // A large magnitude exceeds every small one, except 2^60, which is also the magnitude of the smallest small integer.
            if i == SMALL_MIN && limbs == [SMALL_MIN.unsigned_abs()] {
                return Ok(Term::small(if remainder { 0 } else { -1 }));
            }
            Ok(if remainder { a } else { Term::small(0) })
        }
        (Number::Big(negative_x, x), Number::Big(negative_y, y)) => {
            let (x, y) = (bigint(negative_x, x), bigint(negative_y, y));
            let result = if remainder { x % y } else { x / y };
            from_bigint(heap, &result)
        }
        _ => Err(Raise::badarith()),
    }
}

fn bitwise(heap: &mut Heap, a: Term, b: Term, f: impl Fn(BigInt, BigInt) -> BigInt) -> Result<Term, Raise> {
    match (to_bigint(heap, a), to_bigint(heap, b)) {
        (Some(x), Some(y)) => from_bigint(heap, &f(x, y)),
        _ => Err(Raise::badarith()),
    }
}

/// `a band b` (two's complement).
///
/// # Errors
/// `badarith`.
#[inline]
pub fn band(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) {
        Ok(Term(a.0 & b.0))
    } else {
        bitwise(heap, a, b, |x, y| x & y)
    }
}

/// `a bor b` (two's complement).
///
/// # Errors
/// `badarith`.
#[inline]
pub fn bor(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) {
        Ok(Term(a.0 | b.0))
    } else {
        bitwise(heap, a, b, |x, y| x | y)
    }
}

/// `a bxor b` (two's complement).
///
/// # Errors
/// `badarith`.
#[inline]
pub fn bxor(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) {
        Ok(Term(a.0 ^ b.0))
    } else {
        bitwise(heap, a, b, |x, y| x ^ y)
    }
}

/// `bnot a`.
///
/// # Errors
/// `badarith`.
#[inline]
pub fn bnot(heap: &mut Heap, a: Term) -> Result<Term, Raise> {
    if a.is_small() {
        return Ok(Term::small(!a.small_value()));
    }
    match to_bigint(heap, a) {
        Some(x) => from_bigint(heap, &!x),
        None => Err(Raise::badarith()),
    }
}

/// `a bsl b`; a negative `b` shifts right.
///
/// # Errors
/// `badarith`, `system_limit`.
#[inline]
pub fn bsl(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) {
        let (x, n) = (a.small_value(), b.small_value());
        if (0..64).contains(&n) {
            return Ok(from_i128(heap, i128::from(x) << n));
        }
    }
    shift(heap, a, b, false)
}

/// `a bsr b`; a negative `b` shifts left.
///
/// # Errors
/// `badarith`, `system_limit`.
#[inline]
pub fn bsr(heap: &mut Heap, a: Term, b: Term) -> Result<Term, Raise> {
    if both_small(a, b) && b.small_value() >= 0 {
        return Ok(Term::small(a.small_value() >> b.small_value().min(63)));
    }
    shift(heap, a, b, true)
}

#[inline(never)]
fn shift(heap: &mut Heap, a: Term, b: Term, right: bool) -> Result<Term, Raise> {
    if !is_integer(heap, a) || !is_integer(heap, b) {
        return Err(Raise::badarith());
    }
    if a == Term::small(0) {
        return Ok(a);
    }
    let (by, right) = match heap.view(b) {
        TermView::Small(n) => (Some(n.unsigned_abs()), right != (n < 0)),
        TermView::Big { negative, .. } => (None, right != negative),
        _ => unreachable!("checked above"),
    };
    let value = to_bigint(heap, a).expect("checked above");
    if right {
        let bits = value.bits();
        return match by {
            Some(n) if n <= bits => from_bigint(heap, &(value >> n)),
            _ => Ok(Term::small(if value.sign() == Sign::Minus { -1 } else { 0 })),
        };
    }
    match by {
        Some(n) if n <= LIMB_LIMIT as u64 * 64 && value.bits() + n <= LIMB_LIMIT as u64 * 64 => {
            from_bigint(heap, &(value << n))
        }
        _ => Err(Raise::system_limit()),
    }
}

/// `-a`.
///
/// # Errors
/// `badarith`.
#[inline]
pub fn neg(heap: &mut Heap, a: Term) -> Result<Term, Raise> {
    if a.is_small() {
        return Ok(heap.make_int(-a.small_value()));
    }
    match heap.view(a) {
        TermView::Float(x) => from_f64(heap, -x),
        TermView::Big { negative, limbs } => {
            let limbs = limbs.to_vec();
            from_parts(heap, !negative, &limbs)
        }
        _ => Err(Raise::badarith()),
    }
}

/// `+a`.
///
/// # Errors
/// `badarith`.
#[inline]
pub fn plus(heap: &mut Heap, a: Term) -> Result<Term, Raise> {
    if number(heap, a).is_some() {
        Ok(a)
    } else {
        Err(Raise::badarith())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn integer() -> impl Strategy<Value = BigInt> {
        prop_oneof![
            (-20..20_i64).prop_map(BigInt::from),
            any::<i64>().prop_map(BigInt::from),
            (58..66_u32, -2..3_i64).prop_map(|(n, d)| (BigInt::from(1) << n) + d),
            (58..66_u32, -2..3_i64).prop_map(|(n, d)| d - (BigInt::from(1) << n)),
            (any::<bool>(), prop::collection::vec(any::<u64>(), 1..30)).prop_map(|(n, limbs)| bigint(n, &limbs)),
        ]
    }

    proptest! {
        #[test]
        fn integers_agree_with_bigint(x in integer(), y in integer(), n in 0..200_i64) {
            let mut h = Heap::new(Arc::new(Vec::new()));
            let (a, b) = (from_bigint(&mut h, &x).unwrap(), from_bigint(&mut h, &y).unwrap());
            prop_assert_eq!(&to_bigint(&h, a).unwrap(), &x);
            type Op = fn(&mut Heap, Term, Term) -> Result<Term, Raise>;
            let zero = y == BigInt::from(0);
            let cases: [(Op, Option<BigInt>); 8] = [
                (add, Some(&x + &y)),
                (sub, Some(&x - &y)),
                (mul, Some(&x * &y)),
                (idiv, (!zero).then(|| &x / &y)),
                (rem, (!zero).then(|| &x % &y)),
                (band, Some(&x & &y)),
                (bor, Some(&x | &y)),
                (bxor, Some(&x ^ &y)),
            ];
            for (i, (op, expected)) in cases.into_iter().enumerate() {
                let result = op(&mut h, a, b).ok();
                let value = result.and_then(|t| to_bigint(&h, t));
                prop_assert_eq!(value, expected.clone(), "case {}", i);
                if let Some(expected) = expected {
                    // Every value has one representation: small if it fits.
                    let again = from_bigint(&mut h, &expected).unwrap();
                    prop_assert!(crate::ops::exact_equal(&h, result.unwrap(), again));
                }
            }
            let value = |h: &Heap, t: Result<Term, Raise>| to_bigint(h, t.unwrap()).unwrap();
            let (left, right) = (bsl(&mut h, a, Term::small(n)), bsr(&mut h, a, Term::small(n)));
            prop_assert_eq!(value(&h, left), &x << n);
            prop_assert_eq!(value(&h, right), &x >> n);
            let (left, right) = (bsr(&mut h, a, Term::small(-n)), bsl(&mut h, a, Term::small(-n)));
            prop_assert_eq!(value(&h, left), &x << n);
            prop_assert_eq!(value(&h, right), &x >> n);
            let (minus, not) = (neg(&mut h, a), bnot(&mut h, a));
            prop_assert_eq!(value(&h, minus), -&x);
            prop_assert_eq!(value(&h, not), !&x);
            prop_assert_eq!(crate::ops::compare(&h, a, b), x.cmp(&y));
        }
    }

    #[test]
    fn largest_integer_is_otps() {
        let mut h = Heap::new(Arc::new(Vec::new()));
        assert!(bsl(&mut h, Term::small(1), Term::small(33_554_367)).is_ok());
        let failed = bsl(&mut h, Term::small(1), Term::small(33_554_368)).unwrap_err();
        assert_eq!(failed.reason, Raise::system_limit().reason);
        let big = h.make_big(false, &[0, 1]);
        assert!(bsl(&mut h, Term::small(1), big).is_err());
        assert_eq!(bsl(&mut h, Term::small(0), big).unwrap(), Term::small(0));
        assert_eq!(bsr(&mut h, Term::small(-5), big).unwrap(), Term::small(-1));
    }

    #[test]
    fn floats_stay_finite() {
        let mut h = Heap::new(Arc::new(Vec::new()));
        let x = h.make_float(1.0e308);
        assert!(mul(&mut h, x, Term::small(10)).is_err());
        assert!(div(&mut h, x, Term::small(0)).is_err());
        let huge = bsl(&mut h, Term::small(1), Term::small(2000)).unwrap();
        assert!(div(&mut h, huge, huge).is_err());
        assert!(add(&mut h, x, Term::NIL).is_err());
    }
}
