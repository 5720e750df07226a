//! Numbers.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Scan, ScanError, Scanner, error};
use crate::ast::Loc;
use crate::token::Tok;

/// Maximum number of digits of an integer: reading takes quadratic time.
const MAX_DIGITS: usize = 1_300_000;

impl Scanner<'_> {
    /// Digits of a base, with single underscores between them removed.
    pub(super) fn digits(&mut self, base: u32) -> String {
        let mut digits = String::new();
        let is_digit = |byte: u8| char::from(byte).is_digit(base);
        loop {
            let byte = self.byte(0);
            if is_digit(byte) {
                digits.push(char::from(byte));
                self.pos += 1;
            } else if byte == b'_' && !digits.is_empty() && is_digit(self.byte(1)) {
                self.pos += 1;
            } else {
                return digits;
            }
        }
    }

    pub(super) fn number(&mut self, loc: Loc) -> Scan<Tok> {
        let mut digits = self.digits(10);
        match self.byte(0) {
            b'.' if self.byte(1).is_ascii_digit() => {
                self.pos += 1;
                digits.push('.');
                digits += &self.digits(10);
                self.exponent(loc, &mut digits)?;
                match digits.parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(Tok::Float(value)),
                    _ => Err(error(
                        loc,
                        "illegal float".into(),
                        Some("the largest float is about 1.8e308"),
                    )),
                }
            }
            b'#' => {
                let base = digits.parse().ok().filter(|base| (2..=36).contains(base));
                let Some(base) = base else {
                    return Err(error(
                        loc,
                        format!("illegal base '{digits}'"),
                        Some("bases are 2 to 36"),
                    ));
                };
                self.pos += 1;
                let digits = self.digits(base);
                if digits.is_empty() {
                    let hint = format!("a digit of base {base} must follow `#`");
                    return Err(ScanError {
                        loc,
                        message: "illegal integer".into(),
                        hint: Some(hint),
                    });
                }
                integer(loc, &digits, base)
            }
            _ => integer(loc, &digits, 10),
        }
    }

    pub(super) fn exponent(&mut self, loc: Loc, digits: &mut String) -> Scan<()> {
        if !matches!(self.byte(0), b'e' | b'E') {
            return Ok(());
        }
        self.pos += 1;
        digits.push('e');
        if let sign @ (b'+' | b'-') = self.byte(0) {
            self.pos += 1;
            digits.push(char::from(sign));
        }
        let exponent = self.digits(10);
        if exponent.is_empty() {
            return Err(error(
                loc,
                "illegal float".into(),
                Some("digits must follow the exponent's `e`"),
            ));
        }
        *digits += &exponent;
        Ok(())
    }
}

fn integer(loc: Loc, digits: &str, base: u32) -> Scan<Tok> {
    if let Ok(value) = i64::from_str_radix(digits, base) {
        return Ok(Tok::Integer(value));
    }
    if digits.len() > MAX_DIGITS {
        return Err(error(
            loc,
            "illegal integer".into(),
            Some("an integer has at most 1,300,000 digits"),
        ));
    }
    let value = BigInt::parse_bytes(digits.as_bytes(), base).expect("only digits of this base were taken");
    Ok(value
        .to_i64()
        .map_or_else(|| Tok::BigInteger(value.into()), Tok::Integer))
}
