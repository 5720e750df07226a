//! `~e`, `~f` and `~g`.

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

/// The form in which `~g` with this precision writes `x`: decimals for `~f`, or digits for `~e`.
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
    fn rounding_carries() {
        assert_eq!(fixed(9.96, 1), "10.0");
        assert_eq!(fixed(0.05, 1), "0.1");
        assert_eq!(scientific(9.99, 2), "1.0e+1");
        assert_eq!(fixed(-1.0e22, 2), "-10000000000000000000000.00");
    }
}
