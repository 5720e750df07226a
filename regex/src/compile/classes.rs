//! Classes in brackets.

use super::super::op::{CharClass, Group, Ket, Op, Single};
use super::super::ucd::{self, Property};
use super::{CompileResult, Compiler, Escape};

/// A class while it is read.
#[derive(Default)]
struct Reading {
    map: [u64; 4],
    wide: Vec<(u32, u32)>,
    properties: Vec<(Property, bool)>,
    /// Something negative that holds for all above 255.
    flips: bool,
}

impl Reading {
    fn bytes(&mut self, holds: impl Fn(u8) -> bool) {
        for b in 0..=255_u8 {
            if holds(b) {
                self.map[b as usize >> 6] |= 1 << (b & 63);
            }
        }
    }

    fn range(&mut self, first: u32, last: u32, utf: bool) {
        for b in first..=last.min(255) {
            self.map[b as usize >> 6] |= 1 << (b & 63);
        }
        if utf && last > 255 {
            self.wide.push((first.max(256), last));
        }
    }

    fn cased(&mut self, first: u32, last: u32, utf: bool) {
        if utf {
            for c in ucd::with_case(first, last) {
                match ucd::case_set(c) {
                    Some(set) => ucd::case_set_members(set).iter().for_each(|&c| self.range(c, c, true)),
                    None => {
                        let other = ucd::other_case(c);
                        self.range(other, other, true);
                    }
                }
            }
        } else {
            for b in first..=last.min(255) {
                let other = u32::from(ucd::flip(b as u8));
                self.range(other, other, false);
            }
        }
        self.range(first, last, utf);
    }
}

impl Compiler<'_> {
    /// From `[:`, `[.` or `[=`: where the matching `:]` is.
    fn posix_end(&self, at: usize) -> Option<usize> {
        let end = self.byte(at + 1);
        if self.byte(at) != b'[' || !matches!(end, b':' | b'.' | b'=') {
            return None;
        }
        let mut at = at + 2;
        loop {
            match self.byte(at) {
                0 => return None,
                b'\\' if matches!(self.byte(at + 1), b']' | b'\\') => at += 1,
                b'[' if self.byte(at + 1) == end => return None,
                b']' => return None,
                b if b == end && self.byte(at + 1) == b']' => return Some(at),
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn bracket(&mut self) -> CompileResult {
        for (word, behind) in [(b"[[:<:]]", false), (b"[[:>:]]", true)] {
            if self.looking_at(0, word) {
                self.word_edge(behind);
                return Ok(());
            }
        }
        if self.posix_end(self.at).is_some() {
            return self.fail(if self.peek(1) == b':' {
                "POSIX named classes are supported only within a class"
            } else {
                "POSIX collating elements are not supported"
            });
        }
        self.class()
    }

    /// `[[:<:]]` is `\b(?=\w)`, `[[:>:]]` is `\b(?<=\w)`.
    fn word_edge(&mut self, behind: bool) {
        let word = if self.settings.ucp {
            Single::Property(Property::Word, false)
        } else {
            Single::Word(false)
        };
        self.emit(Op::WordBoundary { negative: false });
        self.begin_item();
        let group = if behind {
            Group::Behind { negative: false }
        } else {
            Group::Ahead { negative: false }
        };
        let inner = 2 + u32::from(behind);
        self.code.push(Op::Open(group, inner));
        if behind {
            self.code.push(Op::Back(1));
        }
        self.code.push(Op::One(word));
        self.code.push(Op::Close(Ket::Once, inner));
        self.keep_leads();
        let top = self.top();
        top.size += 7 + 3 * i64::from(behind);
        top.previous_size = 7 + 3 * i64::from(behind);
        top.current += 6;
        self.at += 6;
    }

    /// The `^` at the beginning of a class, among `\Q\E` and `\E`.
    fn negation(&mut self) -> bool {
        let mut negated = false;
        loop {
            self.at += 1;
            match self.peek(0) {
                b'\\' if self.peek(1) == b'E' => self.at += 1,
                b'\\' if self.looking_at(1, b"Q\\E") => self.at += 3,
                b'^' if !negated => negated = true,
                _ => return negated,
            }
        }
    }

    fn class(&mut self) -> CompileResult {
        let negated = self.negation();
        let mut class = Reading::default();
        // How many characters: only one is of interest.
        let mut count = 0;
        let caseless = self.flags().caseless;
        let utf = self.settings.utf;
        let mut is_first = true;
        loop {
            let c = self.peek(0);
            if c == 0 {
                return self.fail("missing terminating ] for character class");
            }
            if c == b']' && !self.quoted && !is_first {
                break;
            }
            is_first = false;
            let (mut c, len) = self.char_at(self.at);
            self.at += len - 1;
            if self.quoted {
                if c == u32::from(b'\\') && self.peek(1) == b'E' {
                    self.quoted = false;
                    self.at += 2;
                    continue;
                }
            } else if let Some(end) = self.posix_end(self.at) {
                self.posix_class(end, &mut class)?;
                count = 2;
                self.at = end + 2;
                continue;
            } else if c == u32::from(b'\\') {
                match self.escape(true)? {
                    Escape::Char(code) => c = code,
                    Escape::Reference(_) => unreachable!("digits in a class are octal"),
                    Escape::Special(b'b') => c = 8,
                    Escape::Special(b'N') => return self.fail("\\N is not supported in a class"),
                    Escape::Special(b'Q') => {
                        if self.looking_at(1, b"\\E") {
                            self.at += 2;
                        } else {
                            self.quoted = true;
                        }
                        self.at += 1;
                        continue;
                    }
                    Escape::Special(b'E') => {
                        self.at += 1;
                        continue;
                    }
                    Escape::Special(letter) => {
                        if self.class_escape(letter, &mut class)? {
                            count += 2;
                            self.at += 1;
                            continue;
                        }
                        if self.flags().extra {
                            return self.fail("invalid escape sequence in character class");
                        }
                        c = u32::from(letter);
                    }
                }
            }
            while self.looking_at(1, b"\\E") {
                self.quoted = false;
                self.at += 2;
            }
            self.mentions_newline |= c == 10 || c == 13;
            if let Some(last) = self.range_end(c)? {
                self.mentions_newline |= last == 10 || last == 13;
                if last > c {
                    count = 2;
                    if caseless {
                        class.cased(c, last, utf);
                    } else {
                        class.range(c, last, utf);
                    }
                    self.at += 1;
                    continue;
                }
            }
            count = (count + 1).min(2);
            if !self.quoted && class.properties.is_empty() && count == 1 && self.peek(1) == b']' {
                self.at += 1;
                return self.class_of_one(c, negated);
            }
            if caseless {
                class.cased(c, c, utf);
            } else {
                class.range(c, c, utf);
            }
            self.at += 1;
        }
        self.no_lead();
        self.end_class(class, negated);
        Ok(())
    }

    /// A class with one character is that character, or all others.
    fn class_of_one(&mut self, c: u32, negated: bool) -> CompileResult {
        if !negated {
            let top = self.top();
            top.zero_required = top.branch_required;
            self.character(c);
            return Ok(());
        }
        self.no_lead();
        let caseless = self.flags().caseless;
        let single = match ucd::case_set(c) {
            Some(set) if caseless && self.settings.utf => Single::Property(Property::CaseSet(set), true),
            _ if caseless => Single::Neither(c, self.other_case(c)),
            _ => Single::Neither(c, c),
        };
        self.single(single);
        Ok(())
    }

    /// After a character of a class, if `-` follows: the end of the range, which is the current byte then.
    fn range_end(&mut self, first: u32) -> CompileResult<Option<u32>> {
        if self.quoted || self.peek(1) != b'-' {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        while self.looking_at(0, b"\\E") {
            self.at += 2;
        }
        while self.looking_at(0, b"\\Q") {
            self.at += 2;
            if self.looking_at(0, b"\\E") {
                self.at += 2;
                continue;
            }
            self.quoted = true;
            break;
        }
        if self.peek(0) == 0 || (!self.quoted && self.peek(0) == b']') {
            self.at = before;
            return Ok(None);
        }
        const INVALID: &str = "invalid range in character class";
        let (mut last, len) = self.char_at(self.at);
        if !self.quoted {
            if self.posix_end(self.at).is_some() {
                return self.fail(INVALID);
            }
            if last == u32::from(b'\\') {
                last = match self.escape(true)? {
                    Escape::Char(c) => c,
                    Escape::Special(b'b') => 8,
                    _ => return self.fail(INVALID),
                };
                self.at -= len - 1;
            }
        }
        self.at += len - 1;
        if last < first {
            return self.fail("range out of order in character class");
        }
        Ok(Some(last))
    }

    fn posix_class(&mut self, end: usize, class: &mut Reading) -> CompileResult {
        if self.peek(1) != b':' {
            return self.fail("POSIX collating elements are not supported");
        }
        self.at += 2;
        let negative = self.peek(0) == b'^';
        if negative {
            class.flips = true;
            self.at += 1;
        }
        let mut name = &self.pattern[self.at..end];
        if ucd::posix(name).is_none() {
            return self.fail("unknown POSIX class name");
        }
        if self.flags().caseless && matches!(name, b"lower" | b"upper") {
            name = b"alpha";
        }
        if self.settings.ucp {
            let property = match name {
                b"alpha" => Property::Group(b'L'),
                b"lower" => Property::Category(5),
                b"upper" => Property::Category(9),
                b"alnum" => Property::Alnum,
                b"digit" => Property::Category(13),
                b"space" => Property::Space,
                b"word" => Property::Word,
                b"graph" => Property::Graph,
                b"print" => Property::Print,
                b"punct" => Property::Punct,
                b"blank" => {
                    self.class_escape(if negative { b'H' } else { b'h' }, class)?;
                    return Ok(());
                }
                _ => {
                    let is_last = self.byte(end + 2) == b']';
                    let is_wide = !class.wide.is_empty() || !class.properties.is_empty();
                    if negative && (is_wide || !is_last) {
                        class.wide.push((0x100, 0x10_ffff));
                    }
                    let holds = ucd::posix(name).expect("looked at above");
                    class.bytes(|b| holds(b) != negative);
                    return Ok(());
                }
            };
            class.properties.push((property, negative));
            return Ok(());
        }
        let holds = ucd::posix(name).expect("looked at above");
        class.bytes(|b| holds(b) != negative);
        Ok(())
    }

    /// `\d` and its like in a class; the last byte is the current one. `false`: it only means its letter there.
    fn class_escape(&mut self, letter: u8, class: &mut Reading) -> CompileResult<bool> {
        let negative = letter.is_ascii_uppercase();
        let ucp = self.settings.ucp;
        let utf = self.settings.utf;
        let caseless = self.flags().caseless;
        let mut ranges = |ranges: &[(u32, u32)]| {
            for &(first, last) in ranges {
                if caseless {
                    class.cased(first, last, utf);
                } else {
                    class.range(first, last, utf);
                }
            }
        };
        match letter {
            b'd' | b'D' if ucp => class.properties.push((Property::Category(13), negative)),
            b's' | b'S' if ucp => class.properties.push((Property::Space, negative)),
            b'w' | b'W' if ucp => class.properties.push((Property::Word, negative)),
            b'd' | b'D' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_digit(b) != negative);
            }
            b's' | b'S' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_space(b) != negative);
            }
            b'w' | b'W' => {
                class.flips |= negative;
                class.bytes(|b| ucd::is_word(b) != negative);
            }
            b'h' => ranges(ucd::HORIZONTAL),
            b'v' => ranges(ucd::VERTICAL),
            b'H' => ranges(&complement(ucd::HORIZONTAL)),
            b'V' => ranges(&complement(ucd::VERTICAL)),
            b'p' | b'P' => {
                let property = self.property(letter)?;
                class.properties.push(property);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn end_class(&mut self, mut class: Reading, negated: bool) {
        let has_wide = !class.wide.is_empty() || !class.properties.is_empty();
        let mut done = CharClass::default();
        let mut extra = 0;
        if has_wide && (!class.properties.is_empty() || !class.flips || self.settings.ucp) {
            if self.settings.utf && class.flips && !negated && !self.settings.ucp {
                class.wide.push((0x100, 0x10_ffff));
            }
            extra = 4 + class.properties.len() * 3;
            let has = |b: u8| class.map[b as usize >> 6] >> (b & 63) & 1 != 0;
            let property = |b: u8| {
                class
                    .properties
                    .iter()
                    .any(|&(p, negative)| p.holds(u32::from(b)) != negative)
            };
            for b in 0..=255_u8 {
                if (has(b) || property(b)) != negated {
                    done.map[b as usize >> 6] |= 1 << (b & 63);
                }
            }
            done.wide = negated;
            class.wide.sort_unstable();
            for (first, last) in class.wide {
                match done.ranges.last_mut() {
                    Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                    _ => done.ranges.push((first, last)),
                }
            }
            extra += done.ranges.len() * 9;
            done.properties = class.properties;
        } else {
            done.wide = negated != class.flips;
            done.map = if negated {
                class.map.map(|word| !word)
            } else {
                class.map
            };
        }
        let at = self.classes.iter().position(|c| *c == done).unwrap_or_else(|| {
            self.classes.push(done);
            self.class_sizes.push(extra);
            self.classes.len() - 1
        });
        self.single(Single::Class(at as u32));
    }
}

fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    let mut at = 0;
    for &(first, last) in ranges {
        if first > at {
            out.push((at, first - 1));
        }
        at = last + 1;
    }
    out.push((at, 0x10_ffff));
    out
}
