//! What a backslash begins.

use super::super::op::{Op, Single};
use super::super::ucd::Property;
use super::parentheses::closing;
use super::{BAD_G, CompileResult, Compiler, Escape, Lead, MAX_NUMBER, NO_REFERENCE, TOO_BIG, ZERO_REFERENCE};

const CODE_TOO_LARGE: &str = "character value in \\x{} or \\o{} is too large";
const SURROGATE: &str = "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)";
const NO_CASING: &str = "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u";
const MALFORMED_PROPERTY: &str = "malformed \\P or \\p sequence";

impl Compiler<'_> {
    /// From the backslash to the last byte of what it begins.
    pub(super) fn escape(&mut self, in_class: bool) -> CompileResult<Escape> {
        self.at += 1;
        let (c, len) = self.char_at(self.at);
        self.at += len - 1;
        let Ok(letter) = u8::try_from(c) else {
            return Ok(Escape::Char(c));
        };
        let escape = match letter {
            0 => return self.fail("\\ at end of pattern"),
            b'a' => Escape::Char(7),
            b'e' => Escape::Char(27),
            b'f' => Escape::Char(12),
            b'n' => Escape::Char(10),
            b'r' => Escape::Char(13),
            b't' => Escape::Char(9),
            b'l' | b'L' | b'u' | b'U' => return self.fail(NO_CASING),
            b'g' if !in_class => self.escape_g()?,
            b'0'..=b'9' => self.escape_digits(letter, in_class)?,
            b'o' => self.braced_octal()?,
            b'x' => self.escape_hex()?,
            b'c' => {
                self.at += 1;
                let c = self.peek(0);
                if c == 0 {
                    return self.fail("\\c at end of pattern");
                }
                if c > 127 {
                    return self.fail("\\c must be followed by an ASCII character");
                }
                Escape::Char(u32::from(c.to_ascii_uppercase() ^ 0x40))
            }
            b'N' if self.peek(1) == b'{' && !self.is_counted(self.at + 2) => return self.fail(NO_CASING),
            b'A' | b'B' | b'C' | b'D' | b'E' | b'G' | b'H' | b'K' | b'N' | b'P' | b'Q' | b'R' | b'S' | b'V' | b'W'
            | b'X' | b'Z' | b'b' | b'd' | b'h' | b'k' | b'p' | b's' | b'v' | b'w' | b'z' => Escape::Special(letter),
            _ if self.flags().extra && letter.is_ascii_alphabetic() => {
                return self.fail("unrecognized character follows \\");
            }
            _ => Escape::Char(c),
        };
        Ok(escape)
    }

    /// Digits after the current byte, as PCRE reads numbers.
    pub(super) fn number(&mut self) -> CompileResult<i64> {
        let mut n = 0;
        while self.peek(1).is_ascii_digit() {
            if n > MAX_NUMBER / 10 - 1 {
                while self.peek(1).is_ascii_digit() {
                    self.at += 1;
                }
                return self.fail(TOO_BIG);
            }
            self.at += 1;
            n = n * 10 + i64::from(self.peek(0) - b'0');
        }
        Ok(n)
    }

    fn escape_g(&mut self) -> CompileResult<Escape> {
        if matches!(self.peek(1), b'<' | b'\'') {
            return Ok(Escape::Special(b'g'));
        }
        let braced = self.peek(1) == b'{';
        if braced {
            let mut at = self.at + 2;
            while self.byte(at) == b'-' || self.byte(at).is_ascii_digit() {
                at += 1;
            }
            if !matches!(self.byte(at), 0 | b'}') {
                return Ok(Escape::Special(b'k'));
            }
            self.at += 1;
        }
        let negated = self.peek(1) == b'-';
        if negated {
            self.at += 1;
        }
        let mut n = self.number()?;
        if braced {
            self.at += 1;
            if self.peek(0) != b'}' {
                return self.fail(BAD_G);
            }
        }
        if n == 0 {
            return self.fail(ZERO_REFERENCE);
        }
        if negated {
            if n > i64::from(self.number) {
                return self.fail(NO_REFERENCE);
            }
            n = i64::from(self.number) - (n - 1);
        }
        Ok(Escape::Reference(u16::try_from(n).unwrap_or(u16::MAX)))
    }

    fn escape_digits(&mut self, first: u8, in_class: bool) -> CompileResult<Escape> {
        let before = self.at;
        if first != b'0' && !in_class {
            self.at -= 1;
            let n = self.number()?;
            if n < 8 || n <= i64::from(self.number) {
                return Ok(Escape::Reference(u16::try_from(n).unwrap_or(u16::MAX)));
            }
            self.at = before;
        }
        if first >= b'8' {
            return Ok(Escape::Char(u32::from(first)));
        }
        let mut c = u32::from(first - b'0');
        for _ in 0..2 {
            if !matches!(self.peek(1), b'0'..=b'7') {
                break;
            }
            self.at += 1;
            c = c * 8 + u32::from(self.peek(0) - b'0');
        }
        if !self.settings.utf && c > 0xff {
            return self.fail("octal value is greater than \\377 in 8-bit non-UTF-8 mode");
        }
        Ok(Escape::Char(c))
    }

    fn max_char(&self) -> u32 {
        if self.settings.utf { 0x10_ffff } else { 0xff }
    }

    /// Digits and `}`, from the current byte.
    fn braced_code(&mut self, radix: u32, no_digit: &'static str) -> CompileResult<Escape> {
        let mut c = 0;
        let mut too_large = false;
        while let Some(d) = char::from(self.peek(0)).to_digit(radix) {
            if !too_large {
                c = c * radix + d;
                too_large = c > self.max_char();
            }
            self.at += 1;
        }
        if too_large {
            return self.fail(CODE_TOO_LARGE);
        }
        if self.peek(0) != b'}' {
            return self.fail(no_digit);
        }
        if self.settings.utf && (0xd800..=0xdfff).contains(&c) {
            return self.fail(SURROGATE);
        }
        Ok(Escape::Char(c))
    }

    fn braced_octal(&mut self) -> CompileResult<Escape> {
        if self.peek(1) != b'{' {
            return self.fail("missing opening brace after \\o");
        }
        if self.peek(2) == b'}' {
            return self.fail("digits missing in \\x{} or \\o{}");
        }
        self.at += 2;
        self.braced_code(8, "non-octal character in \\o{} (closing brace missing?)")
    }

    fn escape_hex(&mut self) -> CompileResult<Escape> {
        if self.peek(1) == b'{' {
            self.at += 2;
            if self.peek(0) == b'}' {
                return self.fail("digits missing in \\x{} or \\o{}");
            }
            return self.braced_code(16, "non-hex character in \\x{} (closing brace missing?)");
        }
        let mut c = 0;
        for _ in 0..2 {
            let Some(d) = char::from(self.peek(1)).to_digit(16) else {
                break;
            };
            c = c * 16 + d;
            self.at += 1;
        }
        Ok(Escape::Char(c))
    }

    /// After `\p` or `\P`: what is asked, and is it negated?
    pub(super) fn property(&mut self, letter: u8) -> CompileResult<(Property, bool)> {
        self.at += 1;
        let mut negative = letter == b'P';
        let mut name = Vec::new();
        match self.peek(0) {
            0 => return self.fail(MALFORMED_PROPERTY),
            b'{' => {
                if self.peek(1) == b'^' {
                    negative = !negative;
                    self.at += 1;
                }
                loop {
                    if name.len() == 31 {
                        return self.fail(MALFORMED_PROPERTY);
                    }
                    self.at += 1;
                    match self.peek(0) {
                        0 => return self.fail(MALFORMED_PROPERTY),
                        b'}' => break,
                        b => name.push(b),
                    }
                }
            }
            b => name.push(b),
        }
        match Property::named(&name) {
            Some(property) => Ok((property, negative)),
            None => self.fail("unknown property name after \\P or \\p"),
        }
    }

    pub(super) fn backslash(&mut self) -> CompileResult {
        let letter = match self.escape(false)? {
            Escape::Char(c) => {
                self.character(c);
                return Ok(());
            }
            Escape::Reference(group) => {
                self.keep_leads();
                self.reference(group);
                return Ok(());
            }
            Escape::Special(letter) => letter,
        };
        if self.top().branch_first == Lead::Unset && b"DdSsWwNCPpRHhVvX".contains(&letter) {
            self.top().branch_first = Lead::None;
        }
        self.keep_leads();
        let ucp = self.settings.ucp;
        let simple = |op| Some((op, false));
        let made = match letter {
            b'g' => return self.call_in_quotes(),
            b'k' => {
                if !matches!(self.peek(1), b'<' | b'\'' | b'{') {
                    return self.fail("\\k is not followed by a braced, angle-bracketed, or quoted name");
                }
                self.at += 1;
                let end = closing(self.peek(0));
                return self.named_use(end, false);
            }
            b'p' | b'P' => {
                let (property, negative) = self.property(letter)?;
                Some((Op::One(Single::Property(property, negative)), true))
            }
            b'A' => simple(Op::SubjectStart),
            b'G' => simple(Op::MatchStart),
            b'K' => simple(Op::SetStart),
            b'B' | b'b' => simple(Op::WordBoundary {
                negative: letter == b'B',
            }),
            b'Z' => simple(Op::EndOrNewline),
            b'z' => simple(Op::SubjectEnd),
            // `\E` and `\Q` have been seen before.
            b'E' | b'Q' => None,
            _ => {
                let negative = letter.is_ascii_uppercase();
                let single = match letter {
                    b'D' | b'd' if ucp => Single::Property(Property::Category(13), negative),
                    b'S' | b's' if ucp => Single::Property(Property::Space, negative),
                    b'W' | b'w' if ucp => Single::Property(Property::Word, negative),
                    b'D' | b'd' => Single::Digit(negative),
                    b'S' | b's' => Single::Space(negative),
                    b'W' | b'w' => Single::Word(negative),
                    b'H' | b'h' => Single::Horizontal(negative),
                    b'V' | b'v' => Single::Vertical(negative),
                    b'N' => Single::Any,
                    b'C' if self.settings.utf => Single::Byte,
                    b'C' => Single::AllAny,
                    b'R' => Single::Newline,
                    _ => Single::Cluster,
                };
                Some((Op::One(single), true))
            }
        };
        if let Some((op, repeatable)) = made {
            if repeatable {
                self.begin_item();
            } else {
                self.top().previous = None;
            }
            self.emit(op);
        }
        Ok(())
    }
}
