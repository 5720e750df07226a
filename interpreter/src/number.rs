//! Numbers as text and back: floats with the fewest digits in Erlang's layout, integers in bases 2 to 36.

use num_bigint::{BigInt, Sign};

use crate::arith::{self, Number, biguint};
use crate::heap::Heap;
use crate::native::Raise;
use crate::term::Term;

/// The shortest digits that read back as this positive finite float, and the decimal exponent of the first one:
/// `(b"15", -1)` is 0.15.
#[must_use]
pub fn shortest_digits(value: f64) -> (Vec<u8>, i32) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mut exponent: i32 = exponent.parse().expect("an exponent is an integer");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    exponent += whole.len() as i32 - 1;
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let zeros = digits.iter().take_while(|d| **d == b'0').count().min(digits.len() - 1);
    exponent -= zeros as i32;
    digits.drain(..zeros);
    while digits.len() > 1 && digits.ends_with(b"0") {
        digits.pop();
    }
    (digits, exponent)
}

/// A float as `~p` and `float_to_list(F, [short])` write it: the shorter of decimal and scientific form, decimal when both
/// are as long, scientific from 2^53 on.
#[must_use]
pub fn float_to_text(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, exponent) = shortest_digits(magnitude);
    let n = digits.len() as i32;
    let digits = std::str::from_utf8(&digits).expect("digits are ASCII");
    let scientific_length = exponent.to_string().len() as i32 + 1 + if n == 1 { 2 } else { 1 };
    let point = exponent + 1;
    let decimal = if magnitude >= 9_007_199_254_740_992.0 {
        false
    } else if point < 0 {
        2 - point <= scientific_length
    } else if point >= n {
        point - n + 2 <= scientific_length
    } else {
        true
    };
    if !decimal {
        let fraction = if n == 1 { "0" } else { &digits[1..] };
        return format!("{sign}{}.{fraction}e{exponent}", &digits[..1]);
    }
    if point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
    } else if point >= n {
        format!("{sign}{digits}{}.0", "0".repeat((point - n) as usize))
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{sign}{whole}.{fraction}")
    }
}

/// As C's `%.*e`: `1.50000e+00`, exact decimal expansion, exponent of at least two digits.
#[must_use]
pub fn float_scientific(value: f64, decimals: usize) -> String {
    // The standard library rounds the exact expansion half to even, as C does.
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').expect("scientific form has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is an integer");
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `float_to_list(F, [{decimals, D}])`: up to 18 decimals and below 2^53 OTP rounds half up in floating point, beyond it as
/// C's `%.*f`. `None` when the text would be longer than OTP's buffer.
#[must_use]
pub fn float_decimals(value: f64, decimals: usize, compact: bool) -> Option<String> {
    const POWERS: [f64; 18] = [
        1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ];
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    let slow = magnitude >= 9_007_199_254_740_992.0 || decimals > POWERS.len();
    // Round half up, without adding 0.5: large values would lose it.
    let round = |x: f64| x.trunc() as u64 + u64::from(x.fract() >= 0.5);
    let mut text = if slow {
        format!("{value:.decimals$}")
    } else if decimals == 0 {
        format!("{sign}{}", round(magnitude))
    } else {
        let power = POWERS[decimals - 1];
        let fraction = round(magnitude.fract() * power);
        let carry = u64::from(fraction >= power as u64);
        format!(
            "{sign}{}.{:0decimals$}",
            magnitude as u64 + carry,
            fraction - carry * power as u64
        )
    };
    if text.len() > 255 {
        return None;
    }
    // OTP's slow path strips zeros even where there is no fraction.
    if compact && (slow || decimals > 0) {
        let kept = text.trim_end_matches('0').len();
        text.truncate(if text[..kept].ends_with('.') { kept + 1 } else { kept });
    }
    Some(text)
}

/// Reads a float in Erlang's syntax: sign, digits, `.`, digits, and an optional exponent. `None` for anything else and for
/// what is too large.
#[must_use]
pub fn parse_float(text: &[u8]) -> Option<f64> {
    let digits = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits(sign);
    let point = sign + whole;
    if whole == 0 || text.get(point) != Some(&b'.') {
        return None;
    }
    let fraction = digits(point + 1);
    let mut end = point + 1 + fraction;
    if fraction == 0 {
        return None;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent == 0 {
            return None;
        }
        end += 1 + sign + exponent;
    }
    if end != text.len() {
        return None;
    }
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Reads an integer: optional sign, then digits of the base (2 to 36, letters of either case). `None` for anything else.
///
/// # Errors
/// `system_limit` for an integer that is too large.
pub fn parse_integer(heap: &mut Heap, text: &[u8], base: u32) -> Result<Option<Term>, Raise> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(|b| char::from(*b).is_digit(base)) {
        return Ok(None);
    }
    let digits = &digits[digits.iter().take_while(|b| **b == b'0').count().min(digits.len() - 1)..];
    if digits.len() <= 11 || base == 10 && digits.len() <= 18 {
        let value = digits.iter().fold(0_i64, |sum, b| {
            sum * i64::from(base) + i64::from(char::from(*b).to_digit(base).expect("checked above"))
        });
        return Ok(Some(heap.make_int(if negative { -value } else { value })));
    }
    // Each digit holds at least log2(base) bits, rounded down: refuse before the work is done.
    if digits.len() as u64 * u64::from(base.ilog2()) > (arith::LIMB_LIMIT as u64 + 1) * 64 {
        return Err(Raise::system_limit());
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    let value = num_bigint::BigUint::parse_bytes(digits, base).expect("checked above");
    arith::from_bigint(heap, &BigInt::from_biguint(sign, value)).map(Some)
}

/// An integer in a base of 2 to 36, with capital letters; `None` if the term is not an integer.
#[must_use]
pub fn integer_to_text(heap: &Heap, t: Term, base: u32) -> Option<String> {
    match arith::number(heap, t)? {
        Number::Small(i) if base == 10 => Some(i.to_string()),
        Number::Small(i) => {
            let (mut left, mut digits) = (i.unsigned_abs(), Vec::new());
            loop {
                let digit = (left % u64::from(base)) as u32;
                digits.push(
                    char::from_digit(digit, base)
                        .expect("a digit of the base")
                        .to_ascii_uppercase(),
                );
                left /= u64::from(base);
                if left == 0 {
                    break;
                }
            }
            if i < 0 {
                digits.push('-');
            }
            Some(digits.into_iter().rev().collect())
        }
        Number::Big(negative, limbs) => {
            let digits = biguint(limbs).to_str_radix(base).to_ascii_uppercase();
            Some(if negative { format!("-{digits}") } else { digits })
        }
        Number::Float(_) => None,
    }
}
