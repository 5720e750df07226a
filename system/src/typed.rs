//! Numbers that people type as options.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use log_format::InputClass;

use crate::error::Mistyped;

/// Reads a whole number of a range, for an option of the command line.
pub fn whole_number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, Mistyped> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Mistyped::WholeNumber);
        }
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| Mistyped::Range {
            from: range.start().to_string(),
            to: range.end().to_string(),
        })
    }
}

/// Reads a time with its unit, for an option of the command line: `50ms`, `1.5s`, `10m`, `1h`, `30d`. In nanoseconds.
///
/// # Errors
/// It is not such a time, or longer than 500 years.
pub fn duration(text: &str) -> Result<u64, Mistyped> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        "" if digits == "0" => 1,
        _ => return Err(Mistyped::Time),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || digits.ends_with('.') || !all_digits(whole) || !all_digits(part) {
        return Err(Mistyped::Time);
    }
    let mut nanos = whole.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    let mut share = unit;
    for digit in part.bytes() {
        share /= 10;
        nanos = nanos.and_then(|nanos| nanos.checked_add(u64::from(digit - b'0') * share));
    }
    nanos.ok_or(Mistyped::LongTime)
}

/// Reads the name of a class of inputs, for an option of the command line.
///
/// # Errors
/// There is no such class.
pub fn input_class(text: &str) -> Result<InputClass, Mistyped> {
    InputClass::of_word(text).ok_or(Mistyped::InputClass)
}

/// The longest stall that a search allows: a time, or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StallLimit(
    /// In milliseconds. `None`: no limit.
    pub Option<u64>,
);

impl Default for StallLimit {
    fn default() -> Self {
        Self(Some(100))
    }
}

impl Display for StallLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(ms) => write!(f, "{ms}ms"),
            None => f.write_str("none"),
        }
    }
}

impl FromStr for StallLimit {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        match text {
            "none" => Ok(Self(None)),
            _ => match duration(text) {
                Ok(nanos) => Ok(Self(Some(nanos / 1_000_000))),
                Err(why) => Err(Mistyped::Stall(Box::new(why))),
            },
        }
    }
}

/// As [`duration`], for a limit: 0 is refused.
///
/// # Errors
/// As [`duration`]; it is 0.
pub fn time_limit(text: &str) -> Result<u64, Mistyped> {
    match duration(text)? {
        0 => Err(Mistyped::NoTime),
        nanos => Ok(nanos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        const S: u64 = 1_000_000_000;
        for (text, nanos) in [
            ("0", 0),
            ("0s", 0),
            ("50us", 50_000),
            ("50ms", 50_000_000),
            ("10s", 10 * S),
            ("0.5s", S / 2),
            ("1.25h", 4500 * S),
            ("5m", 300 * S),
            ("5min", 300 * S),
            ("30d", 30 * 86_400 * S),
        ] {
            assert_eq!(duration(text), Ok(nanos), "{text}");
        }
        for text in [
            "",
            "s",
            "10",
            "1.s",
            ".5s",
            "-1s",
            "1e3s",
            "1 s",
            "1w",
            "10S",
            "999999999999d",
        ] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(time_limit("0s").is_err() && time_limit("0").is_err());
        assert_eq!(time_limit("1ms"), Ok(1_000_000));
    }

    #[test]
    fn numbers_are_whole_and_in_their_range() {
        let read = whole_number(1..=100u64);
        assert_eq!(read("100"), Ok(100));
        for text in ["0", "-1", "101", "99999999999999999999999"] {
            assert_eq!(
                read(text).map_err(|error| error.to_string()),
                Err("expected a whole number from 1 to 100".to_owned()),
                "{text}"
            );
        }
        for text in ["", "-", "x", "1.5", "+3", "0x10"] {
            assert_eq!(
                read(text).map_err(|error| error.to_string()),
                Err("expected a whole number, for example 70".to_owned()),
                "{text}"
            );
        }
    }
}
