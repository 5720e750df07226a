//! What a parenthesis begins.

use super::super::Error;
use super::super::op::{Group, Op, Verb};
use super::super::ucd;
use super::{CompileResult, Compiler, Flags, Lead, MAX_NAME, MAX_NUMBER, NO_REFERENCE, NON_DIGIT, TOO_BIG};

const MAX_DEPTH: usize = 10_000;
const MAX_NAMES: usize = 10_000;
const MAX_MARK: usize = 255;
const UNKNOWN_OPTION: &str = "unrecognized character after (? or (?-";
const BAD_VERB: &str = "(*VERB) not recognized or malformed";

impl Compiler<'_> {
    pub(super) fn parenthesis(&mut self) -> CompileResult {
        self.at += 1;
        if self.peek(0) == b'*' && (self.peek(1) == b':' || ucd::is_letter(self.peek(1))) {
            return self.verb();
        }
        let flags = self.flags();
        if self.peek(0) != b'?' {
            return if self.settings.no_auto_capture {
                self.group(plain(0), flags, false, 0)
            } else {
                self.numbered(flags)
            };
        }
        self.at += 1;
        match self.peek(0) {
            b'|' | b':' => {
                let reset = self.peek(0) == b'|';
                self.at += 1;
                self.group(plain(0), flags, reset, 0)
            }
            b'(' => self.condition(),
            b'=' => {
                self.at += 1;
                self.assertion_depth += 1;
                self.group(Group::Ahead { negative: false }, flags, false, 0)
            }
            b'!' => {
                self.at += 1;
                let is_repeated = matches!(self.peek(1), b'*' | b'+' | b'?')
                    || (self.peek(1) == b'{' && self.is_counted(self.at + 2));
                if self.peek(0) == b')' && !is_repeated {
                    self.top().previous = None;
                    self.emit(Op::Verb(Verb::Fail, None));
                    return Ok(());
                }
                self.assertion_depth += 1;
                self.group(Group::Ahead { negative: true }, flags, false, 0)
            }
            b'<' if matches!(self.peek(1), b'=' | b'!') => {
                let negative = self.peek(1) == b'!';
                self.at += 2;
                self.assertion_depth += 1;
                self.group(Group::Behind { negative }, flags, false, 0)
            }
            b'<' if ucd::is_word(self.peek(1)) => self.define_name(),
            b'<' => {
                self.at += 1;
                self.fail("unrecognized character after (?<")
            }
            b'\'' => self.define_name(),
            b'>' => {
                self.at += 1;
                self.group(Group::Once, flags, false, 0)
            }
            b'C' => self.callout(),
            b'P' => {
                self.at += 1;
                match self.peek(0) {
                    b'=' => self.named_use(b')', false),
                    b'>' => self.named_use(b')', true),
                    b'<' => self.define_name(),
                    _ => self.fail("unrecognized character after (?P"),
                }
            }
            b'&' => self.named_use(b')', true),
            b'R' => {
                self.at += 1;
                if self.peek(0) != b')' {
                    return self.fail("(?R or (?[+-]digits must be followed by )");
                }
                self.call(0)
            }
            b'-' | b'+' | b'0'..=b'9' => self.call_number(b')'),
            _ => self.inline_options(),
        }
    }

    /// Begins a group; the current byte becomes the one before its first.
    pub(super) fn group(&mut self, group: Group, flags: Flags, reset: bool, skipped: i64) -> CompileResult {
        // The whole pattern is a frame, too.
        if self.frames.len() > MAX_DEPTH {
            return self.fail("parentheses are too deeply nested");
        }
        if group.is_assertion() && self.condition_is_assertion {
            self.top().previous = None;
            self.condition_is_assertion = false;
        } else {
            self.begin_item();
        }
        let skipped = skipped + if group.number().is_some() { 2 } else { 0 };
        self.open(Some(group), flags, reset, skipped);
        self.at -= 1;
        Ok(())
    }

    pub(super) fn numbered(&mut self, flags: Flags) -> CompileResult {
        self.number = self.number.saturating_add(1);
        let number = self.number;
        self.group(plain(number), flags, false, 0)
    }

    fn define_name(&mut self) -> CompileResult {
        let end = closing(self.peek(0));
        let from = self.name()?;
        let name = &self.pattern[from..self.at];
        if self.first_pass {
            let number = self.number + 1;
            if self.peek(0) != end {
                return self.fail("syntax error in subpattern name (missing terminator)");
            }
            if self.named.len() >= MAX_NAMES {
                return self.fail("too many named subpatterns (maximum 10000)");
            }
            if name.len() > MAX_NAME {
                return self.fail("subpattern name is too long (maximum 32 characters)");
            }
            let mut known = false;
            for (other, n) in &self.named {
                if other == name {
                    if *n == number {
                        known = true;
                        break;
                    }
                    if !self.flags().dupnames {
                        return self.fail("two named subpatterns have the same name");
                    }
                } else if *n == number {
                    return self.fail("different names for subpatterns of the same number are not allowed");
                }
            }
            if !known {
                self.named.push((name.to_vec(), number));
            }
        }
        self.at += 1;
        let flags = self.flags();
        self.numbered(flags)
    }

    fn callout(&mut self) -> CompileResult {
        let n = {
            let mut n = 0_u32;
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
                n = n.saturating_mul(10).saturating_add(u32::from(self.peek(0) - b'0'));
                self.at += 1;
            }
            n
        };
        if self.peek(0) != b')' {
            return self.fail("closing ) for (?C expected");
        }
        if n > 255 {
            return self.fail("number after (?C is > 255");
        }
        self.top().previous = None;
        self.emit(Op::Callout);
        Ok(())
    }

    pub(super) fn inline_options(&mut self) -> CompileResult {
        let mut flags = self.flags();
        let mut on = true;
        let (mut set, mut unset) = (Flags::default(), Flags::default());
        while !matches!(self.peek(0), b')' | b':') {
            let target = if on { &mut set } else { &mut unset };
            match self.pattern.get(self.at) {
                Some(b'-') => on = false,
                Some(b'J') => target.dupnames = true,
                Some(b'i') => target.caseless = true,
                Some(b'm') => target.multiline = true,
                Some(b's') => target.dotall = true,
                Some(b'x') => target.extended = true,
                Some(b'U') => target.ungreedy = true,
                Some(b'X') => target.extra = true,
                _ => return self.fail(UNKNOWN_OPTION),
            }
            self.at += 1;
        }
        let change = |now: &mut bool, set: bool, unset: bool| *now = (*now || set) && !unset;
        change(&mut flags.dupnames, set.dupnames, unset.dupnames);
        change(&mut flags.caseless, set.caseless, unset.caseless);
        change(&mut flags.multiline, set.multiline, unset.multiline);
        change(&mut flags.dotall, set.dotall, unset.dotall);
        change(&mut flags.extended, set.extended, unset.extended);
        change(&mut flags.ungreedy, set.ungreedy, unset.ungreedy);
        change(&mut flags.extra, set.extra, unset.extra);
        if self.peek(0) == b')' {
            let top = self.top();
            top.flags = flags;
            top.previous = None;
            return Ok(());
        }
        self.at += 1;
        self.group(plain(0), flags, false, 0)
    }

    pub(super) fn verb(&mut self) -> CompileResult {
        self.top().previous = None;
        self.at += 1;
        let from = self.at;
        while ucd::is_letter(self.peek(0)) {
            self.at += 1;
        }
        let name = &self.pattern[from..self.at];
        let mut argument = None;
        if self.peek(0) == b':' {
            self.at += 1;
            let from = self.at;
            while !matches!(self.peek(0), 0 | b')') {
                self.at += 1;
            }
            if self.at - from > MAX_MARK {
                return self.fail("name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)");
            }
            argument = Some(&self.pattern[from..self.at]).filter(|a| !a.is_empty());
        }
        if self.peek(0) != b')' {
            return self.fail(BAD_VERB);
        }
        let verb = match name {
            b"" | b"MARK" => Verb::Mark,
            b"ACCEPT" => Verb::Accept,
            b"COMMIT" => Verb::Commit,
            b"F" | b"FAIL" => Verb::Fail,
            b"PRUNE" => Verb::Prune,
            b"SKIP" => Verb::Skip,
            b"THEN" => Verb::Then,
            _ => return self.fail(BAD_VERB),
        };
        match verb {
            Verb::Mark if argument.is_none() => return self.fail("(*MARK) must have an argument"),
            Verb::Accept | Verb::Commit | Verb::Fail if argument.is_some() => {
                return self.fail("an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)");
            }
            Verb::Accept => {
                self.had_accept = true;
                for at in (0..self.open_captures.len()).rev() {
                    let number = self.open_captures[at].0;
                    self.emit(Op::Capture(number));
                }
                let verb = if self.assertion_depth > 0 {
                    Verb::AssertAccept
                } else {
                    Verb::Accept
                };
                self.emit(Op::Verb(verb, None));
                let top = self.top();
                if top.branch_first == Lead::Unset {
                    top.branch_first = Lead::None;
                }
                return Ok(());
            }
            Verb::Then => self.has_then = true,
            Verb::Prune | Verb::Skip => self.had_prune_or_skip = true,
            _ => {}
        }
        self.has_verb |= verb != Verb::Fail;
        let mark = argument.map(|argument| {
            self.top().size += argument.len() as i64 + 2;
            let at = self.marks.iter().position(|m| m == argument);
            at.unwrap_or_else(|| {
                self.marks.push(argument.to_vec());
                self.marks.len() - 1
            }) as u16
        });
        self.emit(Op::Verb(verb, mark));
        Ok(())
    }

    /// After `(?`, at the second `(`.
    fn condition(&mut self) -> CompileResult {
        let flags = self.flags();
        let mut at = self.at;
        if self.looking_at(1, b"?C") {
            let mut digits = self.at + 3;
            while self.byte(digits).is_ascii_digit() {
                digits += 1;
            }
            if self.byte(digits) == b')' {
                at = digits + 1;
            }
            if self.byte(at) != b'(' {
                return self.fail("assertion expected after (?( or (?(?C)");
            }
        }
        let follows = [self.byte(at + 1), self.byte(at + 2), self.byte(at + 3)];
        if matches!(follows, [b'?', b'=' | b'!', _] | [b'?', b'<', b'=' | b'!']) {
            self.condition_is_assertion = true;
            return self.group(Group::Condition { empty: false }, flags, false, 0);
        }
        self.at += 1;
        let mut is_recursion = false;
        let mut end = None;
        let mut sign = None;
        match self.peek(0) {
            b'R' if self.peek(1) == b'&' => {
                is_recursion = true;
                self.at += 2;
            }
            c @ (b'<' | b'\'') => {
                end = Some(closing(c));
                self.at += 1;
            }
            c @ (b'-' | b'+') => {
                sign = Some(c);
                self.at += 1;
            }
            c if c.is_ascii_digit() => sign = Some(0),
            _ => {}
        }
        let plain_name = end.is_none() && !is_recursion;
        let mut n = 0;
        let from = self.at;
        if sign.is_some() {
            self.at -= 1;
            let read = self.number();
            self.at += 1;
            n = read.map_err(|e| Error { at: self.at, ..e })?;
        } else {
            if self.peek(0).is_ascii_digit() {
                return self.fail(NON_DIGIT);
            }
            if !ucd::is_word(self.peek(0)) {
                return self.fail("assertion expected after (?( or (?(?C)");
            }
            while ucd::is_word(self.peek(0)) {
                self.at += 1;
            }
        }
        let name_end = self.at;
        for wanted in end.into_iter().chain([b')']) {
            if self.peek(0) != wanted {
                return self.fail("malformed number or name after (?(");
            }
            self.at += 1;
        }
        if self.first_pass {
            // Longer by what a duplicate name needs.
            let skipped = if sign.is_some() { 3 } else { 5 };
            self.group(Group::Condition { empty: false }, flags, false, skipped)?;
            self.code.push(Op::Define);
            return Ok(());
        }
        let op = match sign {
            Some(sign) => self.condition_by_number(sign, n)?,
            None => {
                let name = self.pattern[from..name_end].to_vec();
                self.condition_by_name(&name, is_recursion, plain_name)?
            }
        };
        let is_define = matches!(op, Op::Define);
        self.group(Group::Condition { empty: false }, flags, false, 0)?;
        self.top().is_define = is_define;
        self.code.push(op);
        Ok(())
    }

    /// Has the group with this number matched? A signed number counts from here.
    fn condition_by_number(&mut self, sign: u8, number: i64) -> Result<Op, Error> {
        if number <= 0 {
            return self.fail("invalid condition (?(0)");
        }
        let number = match sign {
            b'-' => i64::from(self.number) - number + 1,
            b'+' => i64::from(self.number) + number,
            _ => number,
        };
        if number <= 0 || number > i64::from(self.final_number) {
            return self.fail(NO_REFERENCE);
        }
        self.top_reference = self.top_reference.max(number as u16);
        Ok(Op::IfGroup(number as u16))
    }

    /// Has a group with this name matched, or is this a call of it? Without such a group, `R`, `R1` and `DEFINE` have meanings of their own, if
    /// nothing marks them as names (`is_plain`).
    fn condition_by_name(&mut self, name: &[u8], is_recursion: bool, is_plain: bool) -> Result<Op, Error> {
        let first = self.named.partition_point(|(other, _)| other.as_slice() < name);
        let count = self.named[first..]
            .iter()
            .take_while(|(other, _)| other == name)
            .count();
        if count > 0 {
            let number = self.named[first].1;
            self.top_reference = self.top_reference.max(number);
            let (first, count) = (first as u16, count as u16);
            return Ok(match (count, is_recursion) {
                (1, false) => Op::IfGroup(number),
                (1, true) => Op::IfRecursion(Some(number)),
                (_, false) => Op::IfNamed { first, count },
                (_, true) => Op::IfNamedRecursion { first, count },
            });
        }
        match name {
            b"DEFINE" if is_plain => Ok(Op::Define),
            [b'R', digits @ ..] if is_plain => {
                let mut number = 0_i64;
                for &digit in digits {
                    if !digit.is_ascii_digit() {
                        return self.fail(NO_REFERENCE);
                    }
                    if number > MAX_NUMBER / 10 - 1 {
                        return self.fail(TOO_BIG);
                    }
                    number = number * 10 + i64::from(digit - b'0');
                }
                let number = (number > 0).then_some(u16::try_from(number).unwrap_or(u16::MAX));
                Ok(Op::IfRecursion(number))
            }
            _ => self.fail(NO_REFERENCE),
        }
    }
}

pub(super) fn plain(number: u16) -> Group {
    Group::Plain {
        number,
        empty: false,
        possessive: false,
    }
}

/// What ends a name that begins so.
pub(super) fn closing(open: u8) -> u8 {
    match open {
        b'<' => b'>',
        b'\'' => b'\'',
        _ => b'}',
    }
}
