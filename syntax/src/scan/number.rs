//! Numbers.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Scan, Scanner, error};
use crate::ast::Loc;
use crate::release::Feature;
use crate::token::{Tok, is_name_char};

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
                self.no_name_follows(loc, "float")?;
                float(loc, &digits)
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
                self.based(loc, base)
            }
            _ => {
                self.no_name_follows(loc, "integer")?;
                integer(loc, &digits, 10)
            }
        }
    }

    /// What follows `Base#`: an integer or, from OTP 28 on, a float, whose exponent is decimal and of this base.
    fn based(&mut self, loc: Loc, base: u32) -> Scan<Tok> {
        let digits = self.digits(base);
        let is_float = self.byte(0) == b'.' && char::from(self.byte(1)).is_digit(base);
        if is_float && self.dialect.has(Feature::BasedFloat) && (!digits.is_empty() || base != 10) {
            self.newer.push((Feature::BasedFloat, loc));
            self.pos += 1;
            let fraction = self.digits(base);
            return self.based_float(loc, base, digits, &fraction);
        }
        self.no_name_follows(loc, "integer")?;
        if digits.is_empty() {
            let hint = format!("a digit of base {base} must follow `#`");
            return Err(error(loc, "illegal integer".into(), Some(&hint)));
        }
        integer(loc, &digits, base)
    }

    fn based_float(&mut self, loc: Loc, base: u32, mut digits: String, fraction: &str) -> Scan<Tok> {
        let mut exponent = String::new();
        if self.byte(0) == b'#' && matches!(self.byte(1), b'e' | b'E') {
            self.pos += 1;
            self.exponent(loc, &mut exponent)?;
        } else {
            self.no_name_follows(loc, "float")?;
        }
        if base == 10 {
            return float(loc, &format!("{digits}.{fraction}{exponent}"));
        }
        // As OTP computes it: the digits as an integer, times a power of the base.
        let fraction = match fraction.trim_end_matches('0') {
            "" => "0",
            fraction => fraction,
        };
        digits += fraction;
        let is_too_long = digits.len() > MAX_DIGITS;
        if is_too_long {
            digits.clear();
        }
        let whole = BigInt::parse_bytes(digits.as_bytes(), base).and_then(|n| n.to_f64());
        let exponent = match exponent.strip_prefix('e') {
            Some(exponent) => exponent.parse::<f64>().ok(),
            None => Some(0.0),
        };
        let value = match (whole, exponent) {
            (Some(whole), Some(exponent)) => whole * f64::from(base).powf(exponent - fraction.len() as f64),
            _ => f64::INFINITY,
        };
        if is_too_long || !value.is_finite() {
            let hint = "the largest float is about 1.8e308";
            return Err(error(loc, "illegal float".into(), Some(hint)));
        }
        Ok(Tok::Float(value))
    }

    /// From OTP 28 on, no name follows a number at once, nor behind a dot.
    fn no_name_follows(&self, loc: Loc, what: &str) -> Scan<()> {
        if !self.dialect.is_of(Feature::StrictNumbers) {
            return Ok(());
        }
        let rest = &self.text[self.pos..];
        let (what, rest) = match rest.strip_prefix('.') {
            Some(rest) if what == "integer" => ("float", rest),
            _ => (what, rest),
        };
        match rest.chars().next() {
            Some(c) if is_name_char(c) => Err(error(loc, format!("illegal {what}"), Some("white space is missing"))),
            _ => Ok(()),
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

fn float(loc: Loc, digits: &str) -> Scan<Tok> {
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Tok::Float(value)),
        _ => {
            let hint = "the largest float is about 1.8e308";
            Err(error(loc, "illegal float".into(), Some(hint)))
        }
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
