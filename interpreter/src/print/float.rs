//! Floats: the shortest digits in Erlang's layout, and `~e`, `~f`, `~g`.

use super::text::Text;

/// `float_to_list(F, [short])`: shortest digits that read back; scientific when |x| ≥ 2^53 or when that is shorter.
pub fn push_short(out: &mut Text, x: f64) {
    if x.is_sign_negative() {
        out.push_ascii(b'-');
    }
    let x = x.abs();
    if x == 0.0 {
        return out.push_str("0.0");
    }
    let (digits, exponent) = shortest(x);
    out.push_str(&layout(&digits, exponent, x >= 9_007_199_254_740_992.0));
}

/// The shortest decimal digits of a positive float and the exponent of the first digit.
fn shortest(x: f64) -> (String, i32) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(x);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().expect("zmij writes decimal exponents");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let digits = all.trim_matches('0').to_string();
    (digits, exponent + whole.len() as i32 - 1 - leading as i32)
}

fn layout(digits: &str, exponent: i32, large: bool) -> String {
    let n = digits.len() as i32;
    let scientific = || {
        let (first, rest) = digits.split_at(1);
        format!("{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
    };
    if large {
        return scientific();
    }
    let decimal = if exponent < 0 {
        format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else if exponent + 1 >= n {
        format!("{digits}{}.0", "0".repeat((exponent + 1 - n) as usize))
    } else {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        format!("{whole}.{fraction}")
    };
    let scientific = scientific();
    if scientific.len() < decimal.len() {
        scientific
    } else {
        decimal
    }
}

/// The 21 significant digits that `io_lib` rounds from, and the exponent E of 0.ddd × 10^E.
fn data(x: f64) -> (Vec<u8>, i32) {
    let text = format!("{:.20e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').expect("scientific format");
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse::<i32>().expect("decimal exponent") + 1)
}

/// `whole` digits, the point, `decimals` digits, rounded half up; true if the rounding carried out of the first digit.
fn mantissa(digits: &[u8], whole: usize, decimals: usize) -> (String, bool) {
    let wanted = whole + decimals;
    let mut kept: Vec<u8> = digits
        .iter()
        .copied()
        .chain(std::iter::repeat(b'0'))
        .take(wanted)
        .collect();
    let mut carry = digits.get(wanted).is_some_and(|&d| d >= b'5');
    for d in kept.iter_mut().rev() {
        if !carry {
            break;
        }
        carry = *d == b'9';
        *d = if carry { b'0' } else { *d + 1 };
    }
    let mut text = String::with_capacity(wanted + 1);
    kept[..whole].iter().for_each(|&d| text.push(d as char));
    text.push('.');
    kept[whole..].iter().for_each(|&d| text.push(d as char));
    (text, carry)
}

fn sign(x: f64) -> &'static str {
    if x.is_sign_negative() { "-" } else { "" }
}

/// `~e` with `precision` significant digits (at least 2).
#[must_use]
pub fn scientific(x: f64, precision: usize) -> String {
    let (digits, e) = data(x);
    let (text, carry) = mantissa(&digits, 1, precision - 1);
    let (text, e) = if carry {
        (format!("1{}", &text[1..]), e)
    } else {
        (text, e - 1)
    };
    format!("{}{text}e{e:+}", sign(x))
}

/// `~f` with `precision` decimals (at least 1).
#[must_use]
pub fn fixed(x: f64, precision: usize) -> String {
    let (mut digits, mut e) = data(x);
    if e <= 0 {
        digits.splice(0..0, std::iter::repeat_n(b'0', (1 - e) as usize));
        e = 1;
    }
    let (text, carry) = mantissa(&digits, e as usize, precision);
    format!("{}{}{text}", sign(x), if carry { "1" } else { "" })
}

/// How `~g` with this precision writes `x`: decimals for `~f`, or else digits for `~e`.
pub fn general(x: f64, precision: usize) -> Result<usize, usize> {
    let a = x.abs();
    let e: i64 = match a {
        _ if a < 1.0e-1 => -2,
        _ if a < 1.0e0 => -1,
        _ if a < 1.0e1 => 0,
        _ if a < 1.0e2 => 1,
        _ if a < 1.0e3 => 2,
        _ if a < 1.0e4 => 3,
        _ => i64::MAX,
    };
    let p = precision as i64;
    if (p <= 1 && e == -1) || (e >= -1 && p - 1 > e) {
        Ok((p - 1 - e) as usize)
    } else {
        Err(precision.max(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_layout() {
        let short = |x| {
            let mut t = Text::new();
            push_short(&mut t, x);
            t.into_string_lossy()
        };
        for (x, s) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (123.456, "123.456"),
            (1.0e10, "1.0e10"),
            (1.0e9, "1.0e9"),
            (123456789.0, "123456789.0"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-5"),
            (1.5e300, "1.5e300"),
            (9007199254740992.0, "9.007199254740992e15"),
            (9007199254740991.0, "9007199254740991.0"),
            (5e-324, "5.0e-324"),
        ] {
            assert_eq!(short(x), s);
        }
    }

    #[test]
    fn rounding_carries() {
        assert_eq!(fixed(9.96, 1), "10.0");
        assert_eq!(fixed(0.05, 1), "0.1");
        assert_eq!(scientific(9.99, 2), "1.0e+1");
        assert_eq!(fixed(-1.0e22, 2), "-10000000000000000000000.00");
    }
}
