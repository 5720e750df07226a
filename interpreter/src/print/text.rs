//! The characters that printing produces: code points, including surrogates and values beyond Unicode.
//!
//! `io_lib` works on lists of integers, and some of those integers are not Unicode scalar values (`~tc` of 16#D800, `~ts` of any non-negative
//! integer). So the buffer is UTF-8 in its original, generalised form: one to six bytes a character, up to 2^31 - 1. For real text it is plain
//! UTF-8.

use syntax::{Feature, Release};

use super::grapheme;

/// A growing run of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    // invariant: generalised UTF-8
    bytes: Vec<u8>,
    /// Whether `maybe` and `else` are quoted, as from OTP 27 on.
    pub(super) quotes_maybe: bool,
}

/// Largest character that a [`Text`] can hold.
pub const CHAR_MAX: u32 = 0x7fff_ffff;

impl Text {
    /// No characters.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            quotes_maybe: false,
        }
    }

    /// Atoms that are appended from here on are quoted as in this release.
    pub fn follow(&mut self, release: Release) {
        self.quotes_maybe = Feature::MaybeKeyword.is_in(release);
    }

    /// Length of the representation; the unit of positions in the text.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Is it empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The representation.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a string.
    #[inline]
    pub fn push_str(&mut self, s: &str) {
        self.bytes.extend_from_slice(s.as_bytes());
    }

    /// Appends an ASCII character.
    #[inline]
    pub fn push_ascii(&mut self, c: u8) {
        debug_assert!(c < 0x80);
        self.bytes.push(c);
    }

    /// Appends a character (at most [`CHAR_MAX`]).
    #[inline]
    pub fn push(&mut self, c: u32) {
        if c < 0x80 {
            self.bytes.push(c as u8);
        } else {
            self.push_long(c);
        }
    }

    fn push_long(&mut self, c: u32) {
        debug_assert!(c <= CHAR_MAX);
        let (extra, mark): (u32, u32) = match c {
            0..=0x7ff => (1, 0xc0),
            0x800..=0xffff => (2, 0xe0),
            0x1_0000..=0x1f_ffff => (3, 0xf0),
            0x20_0000..=0x3ff_ffff => (4, 0xf8),
            _ => (5, 0xfc),
        };
        self.bytes.push((mark | c >> (6 * extra)) as u8);
        for i in (0..extra).rev() {
            self.bytes.push((0x80 | (c >> (6 * i) & 0x3f)) as u8);
        }
    }

    /// Appends a piece of another text.
    #[inline]
    pub fn push_slice(&mut self, slice: &[u8]) {
        self.bytes.extend_from_slice(slice);
    }

    /// Appends `n` times the character `c`.
    pub fn push_times(&mut self, c: u32, n: usize) {
        if c < 0x80 {
            self.bytes.resize(self.bytes.len() + n, c as u8);
        } else {
            for _ in 0..n {
                self.push(c);
            }
        }
    }

    /// Appends spaces.
    pub fn push_spaces(&mut self, n: usize) {
        self.push_times(u32::from(b' '), n);
    }

    /// Removes everything from position `at` on.
    pub fn truncate(&mut self, at: usize) {
        self.bytes.truncate(at);
    }

    /// Inserts a text at position `at`.
    pub fn insert(&mut self, at: usize, text: &[u8]) {
        self.bytes.splice(at..at, text.iter().copied());
    }

    /// The column after the last character: counted from 0 at the start of the line, tabs every eight columns.
    #[must_use]
    pub fn column(&self) -> usize {
        let line = self.bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        column_after(&self.bytes[line..], 0)
    }

    /// As a Rust string; `None` if some character is not a Unicode scalar value.
    #[must_use]
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// As a Rust string, with U+FFFD for characters that are not Unicode scalar values.
    #[must_use]
    pub fn into_string_lossy(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_else(|e| {
            chars(e.as_bytes())
                .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        })
    }
}

/// `io_lib:indentation/2`: the column after `slice` when it starts in column `start`.
#[must_use]
pub fn column_after(slice: &[u8], start: usize) -> usize {
    chars(slice).fold(start, |column, c| match c {
        0x0a => 0,
        0x09 => (column + 8) / 8 * 8,
        _ => column + 1,
    })
}

/// The characters of a piece of a text.
pub fn chars(slice: &[u8]) -> Chars<'_> {
    Chars { rest: slice }
}

/// See [`chars`].
#[derive(Clone)]
pub struct Chars<'a> {
    rest: &'a [u8],
}

impl<'a> Chars<'a> {
    /// The unread rest.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Chars<'_> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (&first, rest) = self.rest.split_first()?;
        if first < 0x80 {
            self.rest = rest;
            return Some(u32::from(first));
        }
        let (extra, bits) = match first {
            0..=0xdf => (1, first & 0x1f),
            0xe0..=0xef => (2, first & 0x0f),
            0xf0..=0xf7 => (3, first & 0x07),
            0xf8..=0xfb => (4, first & 0x03),
            _ => (5, first & 0x01),
        };
        let (more, rest) = rest.split_at(extra);
        self.rest = rest;
        Some(more.iter().fold(u32::from(bits), |c, &b| c << 6 | u32::from(b & 0x3f)))
    }
}

/// A text (UTF-8) in the form of a Latin-1 device: `\\x{…}` for characters beyond Latin-1.
#[must_use]
pub fn to_latin1(text: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if text.is_ascii() {
        return text.into();
    }
    let mut out = Vec::with_capacity(text.len());
    for c in chars(text) {
        match u8::try_from(c) {
            Ok(byte) => out.push(byte),
            Err(_) => out.extend(format!("\\x{{{c:X}}}").bytes()),
        }
    }
    out.into()
}

/// How many characters (code points).
#[must_use]
pub fn count(slice: &[u8]) -> usize {
    slice.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

/// `io_lib:chars_length/1`: code points if all are Latin-1, grapheme clusters otherwise.
#[must_use]
pub fn length(slice: &[u8]) -> usize {
    if slice.iter().all(|&b| b < 0xc4) {
        count(slice)
    } else {
        grapheme::count(slice)
    }
}

/// The first `n` code points.
#[must_use]
pub fn first_chars(slice: &[u8], n: usize) -> &[u8] {
    let mut it = chars(slice);
    for _ in 0..n {
        if it.next().is_none() {
            break;
        }
    }
    &slice[..slice.len() - it.rest().len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_reads_back() {
        let all = [
            0, 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xffff, 0x1_0000, 0x1f_ffff, 0x20_0000, 0x3ff_ffff, CHAR_MAX,
        ];
        let mut t = Text::new();
        all.iter().for_each(|&c| t.push(c));
        assert_eq!(chars(t.as_bytes()).collect::<Vec<_>>(), all);
        assert_eq!(count(t.as_bytes()), all.len());
        assert_eq!(t.to_str(), None);
    }

    #[test]
    fn latin1_devices_show_the_rest_as_numbers() {
        assert_eq!(
            to_latin1("aé\u{3bb}\u{1f600}\n".as_bytes()).as_ref(),
            b"a\xe9\\x{3BB}\\x{1F600}\n"
        );
    }

    #[test]
    fn columns_restart_at_newlines_and_jump_at_tabs() {
        let mut t = Text::new();
        t.push_str("abc\nä\tx");
        assert_eq!(t.column(), 9);
        assert_eq!(column_after(b"ab", 7), 9);
    }
}
