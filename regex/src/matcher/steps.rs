//! Characters of the subject: matching one, and how far a repetition goes.

use super::super::Newline;
use super::super::op::Single;
use super::super::ucd;
use super::Matcher;

/// Does the character at `at` match? Returns where it ends. `at` is before the end.
#[inline]
pub(super) fn step(matcher: &Matcher<'_>, single: Single, at: usize) -> Option<usize> {
    let subject = matcher.subject;
    let byte = subject[at];
    let (c, next) = if byte < 0x80 || !matcher.compiled.settings.utf {
        (u32::from(byte), at + 1)
    } else {
        decode(subject, at)
    };
    let latin = |holds: fn(u8) -> bool| c < 256 && holds(c as u8);
    let is = match single {
        Single::Char(x) => c == x,
        Single::Either(x, y) => c == x || c == y,
        Single::Neither(x, y) => c != x && c != y,
        Single::Any => return (!matcher.at_newline(at)).then_some(next),
        Single::AllAny => true,
        Single::Byte => return Some(at + 1),
        Single::Digit(negative) => latin(ucd::is_digit) != negative,
        Single::Space(negative) => latin(ucd::is_space) != negative,
        Single::Word(negative) => latin(ucd::is_word) != negative,
        Single::Horizontal(negative) => ucd::is_horizontal(c) != negative,
        Single::Vertical(negative) => ucd::is_vertical(c) != negative,
        Single::Property(property, negative) => property.holds(c) != negative,
        Single::Class(class) => matcher.compiled.classes[class as usize].has(c),
        Single::Newline => {
            if c == 13 && subject.get(next) == Some(&b'\n') {
                return Some(next + 1);
            }
            c == 10 || c == 13 || (!matcher.bsr_anycrlf && ucd::is_vertical(c))
        }
        Single::Cluster => {
            let (mut left, mut end) = (c, next);
            while end < subject.len() {
                let (right, next) = matcher.char_at(end);
                if !ucd::joined(left, right) {
                    break;
                }
                (left, end) = (right, next);
            }
            return Some(end);
        }
    };
    is.then_some(next)
}

/// A character of several bytes. In the middle of one, which only `\C` leads to, whatever comes out is one byte long.
fn decode(subject: &[u8], at: usize) -> (u32, usize) {
    let byte = subject[at];
    let (size, first) = match byte {
        0xc0..=0xdf => (2, u32::from(byte) & 0x1f),
        0xe0..=0xef => (3, u32::from(byte) & 0x0f),
        0xf0..=0xf7 => (4, u32::from(byte) & 0x07),
        _ => return (u32::from(byte), at + 1),
    };
    let Some(rest) = subject.get(at + 1..at + size) else {
        return (u32::from(byte), at + 1);
    };
    (rest.iter().fold(first, |c, b| c << 6 | u32::from(b & 0x3f)), at + size)
}

impl Matcher<'_> {
    #[inline]
    pub(super) fn char_at(&self, at: usize) -> (u32, usize) {
        let byte = self.subject[at];
        if byte < 0x80 || !self.compiled.settings.utf {
            (u32::from(byte), at + 1)
        } else {
            decode(self.subject, at)
        }
    }

    /// Where the character begins that ends at `at`.
    #[inline]
    pub(super) fn before(&self, at: usize) -> usize {
        let mut at = at - 1;
        while self.compiled.settings.utf && at > 0 && self.subject[at] & 0xc0 == 0x80 {
            at -= 1;
        }
        at
    }

    #[inline]
    pub(super) fn at_newline(&self, at: usize) -> bool {
        match self.newline {
            Newline::Lf => self.subject.get(at) == Some(&b'\n'),
            newline => newline
                .is_at(self.subject, at, self.subject.len(), self.compiled.settings.utf)
                .is_some(),
        }
    }

    fn is_word(&self, c: u32) -> bool {
        if self.compiled.settings.ucp {
            ucd::Property::Word.holds(c)
        } else {
            c < 256 && ucd::is_word(c as u8)
        }
    }

    #[inline]
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        let left = at > 0 && self.is_word(self.char_at(self.before(at)).0);
        let right = at < self.subject.len() && self.is_word(self.char_at(at).0);
        left != right
    }

    #[inline]
    pub(super) fn at_end_or_newline(&self, at: usize) -> bool {
        let end = self.subject.len();
        let utf = self.compiled.settings.utf;
        at >= end
            || self
                .newline
                .is_at(self.subject, at, end, utf)
                .is_some_and(|len| at + len == end)
    }

    /// Where as many as possible, at most `most`, of the characters end.
    #[inline]
    pub(super) fn run_of(&self, single: Single, from: usize, most: u32) -> usize {
        let subject = self.subject;
        let limit = subject.len();
        if !self.compiled.settings.utf || matches!(single, Single::Byte) {
            // One byte each: no characters to decode.
            let window = &subject[from..limit.min(from.saturating_add(most as usize))];
            let stop = match single {
                Single::AllAny | Single::Byte => return from + window.len(),
                Single::Any if self.newline == Newline::Lf => window.iter().position(|&b| b == b'\n'),
                Single::Char(c) => window.iter().position(|&b| u32::from(b) != c),
                Single::Neither(c, d) => window.iter().position(|&b| u32::from(b) == c || u32::from(b) == d),
                Single::Digit(negative) => window.iter().position(|&b| ucd::is_digit(b) == negative),
                Single::Space(negative) => window.iter().position(|&b| ucd::is_space(b) == negative),
                Single::Word(negative) => window.iter().position(|&b| ucd::is_word(b) == negative),
                Single::Class(at) => {
                    let class = &self.compiled.classes[at as usize];
                    window.iter().position(|&b| !class.byte(b))
                }
                _ => return self.steps(single, from, most),
            };
            return from + stop.unwrap_or(window.len());
        }
        self.steps(single, from, most)
    }

    fn steps(&self, single: Single, from: usize, most: u32) -> usize {
        let mut at = from;
        let mut n = 0;
        while n < most && at < self.subject.len() {
            let Some(next) = step(self, single, at) else { break };
            at = next;
            n += 1;
        }
        at
    }

    /// Gives one character back; `least` is where the fewest end.
    #[inline]
    pub(super) fn one_less(&self, single: Single, at: usize, least: usize) -> usize {
        match single {
            Single::Newline => {
                let to = self.before(at);
                if to > least && self.subject[to] == b'\n' && self.subject[to - 1] == b'\r' {
                    to - 1
                } else {
                    to
                }
            }
            Single::Cluster => {
                let mut to = self.before(at);
                let mut right = self.char_at(to).0;
                while to > least {
                    let left_at = self.before(to);
                    let left = self.char_at(left_at).0;
                    if !ucd::joined(left, right) {
                        break;
                    }
                    (to, right) = (left_at, left);
                }
                to
            }
            _ => self.before(at),
        }
    }
}
