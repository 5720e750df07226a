//! Numbers that people type as options.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number of a range, for an option of the command line.
pub fn whole_number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err("expected a whole number, for example 70".to_owned());
        }
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_in_their_range() {
        let read = whole_number(1..=100u64);
        assert_eq!(read("100"), Ok(100));
        for text in ["0", "-1", "101", "99999999999999999999999"] {
            assert_eq!(
                read(text),
                Err("expected a whole number from 1 to 100".to_owned()),
                "{text}"
            );
        }
        for text in ["", "-", "x", "1.5", "+3", "0x10"] {
            assert_eq!(
                read(text),
                Err("expected a whole number, for example 70".to_owned()),
                "{text}"
            );
        }
    }
}
