//! Extended grapheme clusters (Unicode Standard Annex 29) with the Unicode version of OTP 25: what `string:length/1` counts.

use super::grapheme_table::CLASSES;
use super::text::chars;

/// The property of a code point that matters for breaking clusters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakClass {
    /// Stands alone.
    Control,
    /// Joins the cluster before it (marks, joiners).
    Extend,
    /// Joins the character after it.
    Prepend,
    /// Two of them with a joiner between are one cluster.
    Pictographic,
    /// Half of a flag.
    Regional,
    /// Leading consonant.
    HangulL,
    /// Vowel.
    HangulV,
    /// Trailing consonant.
    HangulT,
    /// Syllable without a trailing consonant.
    HangulLv,
    /// Syllable with one.
    HangulLvt,
    /// Anything else.
    Other,
}

const JOINER: u32 = 0x200d;

fn class(c: u32) -> BreakClass {
    match c {
        0x1100..=0x115f | 0xa960..=0xa97c => BreakClass::HangulL,
        0x1160..=0x11a7 | 0xd7b0..=0xd7c6 => BreakClass::HangulV,
        0x11a8..=0x11ff | 0xd7cb..=0xd7fb => BreakClass::HangulT,
        0xac00..=0xd7a3 if (c - 0xac00).is_multiple_of(28) => BreakClass::HangulLv,
        0xac00..=0xd7a3 => BreakClass::HangulLvt,
        0x1_f1e6..=0x1_f1ff => BreakClass::Regional,
        _ => {
            let i = CLASSES.partition_point(|&(_, last, _)| last < c);
            match CLASSES.get(i) {
                Some(&(first, _, class)) if first <= c => class,
                _ => BreakClass::Other,
            }
        }
    }
}

/// How many of the first characters form one cluster (0 only if there are no characters).
#[must_use]
pub fn cluster(text: impl Iterator<Item = u32>) -> usize {
    let mut it = text.peekable();
    let mut n = 0;
    // A prepending character joins what follows, unless that is a control.
    let (first, kind) = loop {
        let Some(c) = it.next() else { return n };
        let kind = class(c);
        if kind == BreakClass::Control && n > 0 {
            return n;
        }
        n += 1;
        if kind != BreakClass::Prepend {
            break (c, kind);
        }
    };
    let mut take = |it: &mut std::iter::Peekable<_>, wanted: &[BreakClass]| {
        let found = it.peek().map(|&c| class(c)).filter(|k| wanted.contains(k));
        if found.is_some() {
            it.next();
            n += 1;
        }
        found
    };
    match kind {
        BreakClass::Control => {
            if first == 0x0d && it.peek() == Some(&0x0a) {
                n += 1;
            }
            return n;
        }
        BreakClass::Regional => {
            take(&mut it, &[BreakClass::Regional]);
        }
        BreakClass::HangulL
        | BreakClass::HangulV
        | BreakClass::HangulT
        | BreakClass::HangulLv
        | BreakClass::HangulLvt => {
            let mut state = Some(kind);
            while let Some(now) = state {
                state = take(
                    &mut it,
                    match now {
                        BreakClass::HangulL => &[
                            BreakClass::HangulL,
                            BreakClass::HangulV,
                            BreakClass::HangulLv,
                            BreakClass::HangulLvt,
                        ],
                        BreakClass::HangulV | BreakClass::HangulLv => &[BreakClass::HangulV, BreakClass::HangulT],
                        _ => &[BreakClass::HangulT],
                    },
                );
            }
        }
        _ => {}
    }
    // After the joiner of a pictograph, OTP accepts another pictograph or nothing, not even an extending character.
    let mut joined = false;
    while let Some(&c) = it.peek() {
        joined = match class(c) {
            BreakClass::Pictographic if joined => false,
            BreakClass::Extend if !joined => kind == BreakClass::Pictographic && c == JOINER,
            _ => break,
        };
        it.next();
        n += 1;
    }
    n
}

/// [`cluster`] with the shortcut of OTP's `string`: between two characters below 256 there is a break, except inside CR LF.
#[must_use]
pub fn next(text: impl Iterator<Item = u32> + Clone) -> usize {
    let mut it = text.clone();
    match (it.next(), it.next()) {
        (Some(0x0d), Some(0x0a)) => 2,
        (Some(a), Some(b)) if a < 256 && b < 256 => 1,
        _ => cluster(text),
    }
}

/// The number of clusters.
#[must_use]
pub fn count(mut slice: &[u8]) -> usize {
    let mut n = 0;
    while !slice.is_empty() {
        slice = &slice[super::text::first_chars(slice, next(chars(slice))).len()..];
        n += 1;
    }
    n
}

/// The first `n` clusters.
#[must_use]
pub fn first(slice: &[u8], n: usize) -> &[u8] {
    let mut at = 0;
    for _ in 0..n {
        if at == slice.len() {
            break;
        }
        let rest = &slice[at..];
        at += super::text::first_chars(rest, next(chars(rest))).len();
    }
    &slice[..at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_of_each_kind() {
        for (text, clusters) in [
            ("", 0),
            ("abc", 3),
            ("\r\n", 1),
            ("e\u{301}x", 2),
            ("\u{1f1e6}\u{1f1e7}\u{1f1e8}", 2),
            ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f466}", 1),
            ("각가", 2),
            ("\u{1100}\u{1161}\u{11a8}", 1),
            ("\u{600}a", 1),
        ] {
            assert_eq!(count(text.as_bytes()), clusters, "{text:?}");
        }
        assert_eq!(first("e\u{301}xy".as_bytes(), 2), "e\u{301}x".as_bytes());
    }
}
