//! Characters, strings, quoted atoms and sigils.

use std::rc::Rc;

use super::{Scan, ScanError, Scanner, Unfinished, error, legal};
use crate::ast::Loc;
use crate::atom::Atom;
use crate::release::Feature;
use crate::token::{Tok, Token, is_name_char, quoted_with};

impl Scanner<'_> {
    pub(super) fn char_literal(&mut self, loc: Loc) -> Scan<Tok> {
        self.pos += 1;
        match self.peek() {
            None => Err(error(loc, "unterminated character".into(), None)),
            Some('\\') => {
                self.bump();
                match self.escape().map_err(|error| ScanError { loc, ..error })? {
                    Some(c) => Ok(Tok::Char(c)),
                    None => Err(error(loc, "unterminated character".into(), None)),
                }
            }
            Some(c) => {
                self.bump();
                legal(loc, c)?;
                Ok(Tok::Char(c))
            }
        }
    }

    /// The rest of a literal up to and including its closing delimiter. `loc`: where it begins; `inside`: behind its opening delimiter.
    pub(super) fn quoted(&mut self, loc: Loc, what: Unfinished, close: char, escapes: bool) -> Scan<String> {
        let inside = self.loc();
        let mut text = String::new();
        loop {
            let run = self.text[self.pos..].find(|c: char| c == close || c == '\\' || c == '\n' || !c.is_ascii());
            let run = run.unwrap_or(self.text.len() - self.pos);
            text.push_str(&self.text[self.pos..self.pos + run]);
            self.pos += run;
            let here = self.loc();
            match self.bump() {
                None => {
                    let loc = if self.dialect.is_of(Feature::TripleQuoted) {
                        inside
                    } else {
                        loc
                    };
                    return Err(unterminated(loc, what, &text));
                }
                Some(c) if c == close => return Ok(text),
                Some('\\') if escapes => match self.escape().map_err(|error| ScanError { loc: here, ..error })? {
                    Some(c) => text.push(c),
                    None => continue,
                },
                Some(c) => {
                    legal(here, c)?;
                    text.push(c);
                }
            }
        }
    }

    /// The character after a backslash; `None` at the end of the text.
    pub(super) fn escape(&mut self) -> Scan<Option<char>> {
        let loc = self.loc();
        let Some(c) = self.bump() else {
            return Ok(None);
        };
        let value = match c {
            '0'..='7' => {
                let mut value = c as u32 - 48;
                for _ in 0..2 {
                    if let digit @ b'0'..=b'7' = self.byte(0) {
                        value = value * 8 + u32::from(digit - 48);
                        self.pos += 1;
                    }
                }
                value
            }
            'x' if self.byte(0) == b'{' => {
                self.pos += 1;
                let start = self.pos;
                while self.byte(0).is_ascii_hexdigit() {
                    self.pos += 1;
                }
                let digits = &self.text[start..self.pos];
                let value = u32::from_str_radix(digits.trim_start_matches('0'), 16);
                let value = if digits.is_empty() {
                    None
                } else {
                    value.ok().or(Some(0)).filter(|_| digits.len() < 64)
                };
                match (value, self.byte(0)) {
                    (Some(value), b'}') => {
                        self.pos += 1;
                        value
                    }
                    _ => {
                        return Err(error(
                            loc,
                            "illegal character".into(),
                            Some("write \\x{HexDigits}, at most 10FFFF"),
                        ));
                    }
                }
            }
            'x' if self.byte(0).is_ascii_hexdigit() && self.byte(1).is_ascii_hexdigit() => {
                let value = u32::from_str_radix(&self.text[self.pos..self.pos + 2], 16).expect("two hex digits");
                self.pos += 2;
                value
            }
            'x' => {
                return Err(error(
                    loc,
                    "illegal character".into(),
                    Some("write \\xHH or \\x{HexDigits}"),
                ));
            }
            '^' => match self.peek() {
                None => return Ok(None),
                Some('?') if self.dialect.is_of(Feature::StrictNumbers) => {
                    self.bump();
                    127
                }
                Some(c) if self.dialect.is_of(Feature::StrictNumbers) && !matches!(c, '@'..='_' | 'a'..='z') => {
                    return Err(error(loc, "illegal character".into(), Some("write \\^ and a letter")));
                }
                Some(c) => {
                    self.bump();
                    if c == '\n' { 10 } else { c as u32 & 31 }
                }
            },
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'b' => 8,
            'f' => 12,
            'e' => 27,
            's' => 32,
            'd' => 127,
            _ => c as u32,
        };
        let c = char::from_u32(value).ok_or_else(|| {
            error(
                loc,
                "illegal character".into(),
                Some("this number is no Unicode character"),
            )
        })?;
        legal(loc, c)?;
        Ok(Some(c))
    }

    /// The number of quotes that open a triple-quoted string here, if any: at least three. Before OTP 27 they are empty strings, unless the
    /// rest of the line is white space.
    pub(super) fn triple_quotes(&self) -> Option<usize> {
        if !self.dialect.has(Feature::TripleQuoted) {
            return None;
        }
        let rest = &self.text[self.pos..];
        let quotes = rest.bytes().take_while(|&b| b == b'"').count();
        if quotes < 3 {
            return None;
        }
        if self.dialect.is_of(Feature::TripleQuoted) {
            return Some(quotes);
        }
        let first_line = rest[quotes..].split_once('\n')?.0;
        first_line.chars().all(is_space).then_some(quotes)
    }

    /// OTP 27's triple-quoted string: the lines up to one that begins with the closing quotes, whose indentation is removed from all.
    pub(super) fn triple_quoted(&mut self, quotes: usize, kind: Option<Atom>) -> Scan<Tok> {
        self.newer.push((Feature::TripleQuoted, self.loc()));
        self.pos += quotes;
        let inside = self.loc();
        let escapes = kind.is_some_and(|kind| matches!(kind.as_str(), "b" | "s"));
        let closing = "\"".repeat(quotes);
        let first = self.line_of_text(escapes)?;
        let mut lines: Vec<(Loc, String)> = Vec::new();
        loop {
            let rest = &self.text[self.pos..];
            let text = rest.trim_start_matches(|c| c != '\n' && is_space(c));
            if text.starts_with(&closing) {
                let indent = &rest[..rest.len() - text.len()];
                while self.pos < self.text.len() - text.len() {
                    self.bump();
                }
                self.pos += quotes;
                return dedent(inside, &first, &lines, indent).map(|text| Tok::String(text.into()));
            }
            if rest.is_empty() {
                let what = match kind {
                    Some(kind) => Unfinished::TripleSigil(kind, quotes),
                    None => Unfinished::Triple(quotes),
                };
                let text: String = std::iter::once(first)
                    .chain(lines.into_iter().map(|line| line.1))
                    .collect();
                return Err(unterminated(inside, what, &text));
            }
            let here = self.loc();
            lines.push((here, self.line_of_text(escapes)?));
        }
    }

    /// The rest of the line, with its end.
    fn line_of_text(&mut self, escapes: bool) -> Scan<String> {
        let mut line = String::new();
        loop {
            let here = self.loc();
            match self.bump() {
                None => return Ok(line),
                Some('\\') if escapes => {
                    let at = self.loc();
                    let ends = self.byte(0) == b'\n';
                    line.extend(self.escape().map_err(|error| ScanError { loc: at, ..error })?);
                    if ends {
                        return Ok(line);
                    }
                }
                Some(c) => {
                    legal(here, c)?;
                    line.push(c);
                    if c == '\n' {
                        return Ok(line);
                    }
                }
            }
        }
    }

    /// OTP 27's sigils on strings: a prefix, the string, and what follows it at once.
    pub(super) fn sigil(&mut self, loc: Loc, out: &mut Vec<Token>) -> Scan<()> {
        if !self.dialect.has(Feature::Sigil) {
            self.pos += 1;
            out.push(Token {
                loc,
                tok: Tok::Other('~'),
            });
            return Ok(());
        }
        self.newer.push((Feature::Sigil, loc));
        self.pos += 1;
        let kind = match self.peek() {
            Some(c) if is_name_char(c) => self.name(loc)?,
            _ => Atom::new(""),
        };
        let string_loc = self.loc();
        let Some(open) = self.peek().filter(|c| "([{</|'\"`#".contains(*c)) else {
            let hint = "a sigil is ~ with b, B, s, S or nothing, and then a string";
            return Err(error(string_loc, "illegal string".into(), Some(hint)));
        };
        let triple = if open == '"' { self.triple_quotes() } else { None };
        let string = match triple {
            Some(quotes) => self.triple_quoted(quotes, Some(kind))?,
            None => {
                self.pos += 1;
                let close = match open {
                    '(' => ')',
                    '[' => ']',
                    '{' => '}',
                    '<' => '>',
                    other => other,
                };
                let escapes = matches!(kind.as_str(), "" | "b" | "s");
                let what = Unfinished::Sigil(kind, open, close);
                Tok::String(self.quoted(string_loc, what, close, escapes)?.into())
            }
        };
        let after = self.loc();
        let suffix: Rc<str> = match self.peek() {
            Some(c) if is_name_char(c) => self.name_text(after, "sigil_suffix")?.into(),
            _ => "".into(),
        };
        if suffix.is_empty() {
            self.no_string_follows()?;
        }
        let tokens = [
            (loc, Tok::SigilPrefix(kind)),
            (string_loc, string),
            (after, Tok::SigilSuffix(suffix)),
        ];
        out.extend(tokens.map(|(loc, tok)| Token { loc, tok }));
        Ok(())
    }

    /// From OTP 27 on, white space is between two strings.
    pub(super) fn no_string_follows(&self) -> Scan<()> {
        if self.dialect.is_of(Feature::TripleQuoted) && self.byte(0) == b'"' {
            let message = "adjacent string literals without intervening white space";
            return Err(error(self.loc(), message.into(), None));
        }
        Ok(())
    }
}

fn is_space(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\u{80}'..='\u{a0}')
}

/// The text of lines without their indentation and without the last line's end. `inside`: where the `first` line begins, which must be white space.
fn dedent(inside: Loc, first: &str, lines: &[(Loc, String)], indent: &str) -> Scan<String> {
    let without_end = |line: &str| {
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line).len()
    };
    let beyond = |loc: Loc, count: usize| Loc {
        col: u16::try_from(usize::from(loc.col) + count).unwrap_or(u16::MAX),
        ..loc
    };
    if let Some(count) = first[..without_end(first)].chars().position(|c| !is_space(c)) {
        let message = "not white space after start of triple-quoted string";
        return Err(error(beyond(inside, count), message.into(), None));
    }
    let mut text = String::new();
    for (index, (loc, line)) in lines.iter().enumerate() {
        let kept = if index + 1 == lines.len() {
            without_end(line)
        } else {
            line.len()
        };
        let line = &line[..kept];
        match line.strip_prefix(indent) {
            Some(rest) => text.push_str(rest),
            None if without_end(line) == 0 => text.push_str(line),
            None => {
                let same = line.chars().zip(indent.chars()).take_while(|(a, b)| a == b).count();
                let hint = "every line needs the indentation of the closing quotes";
                let message = "bad indentation in triple-quoted string";
                return Err(error(beyond(*loc, same), message.into(), Some(hint)));
            }
        }
    }
    Ok(text)
}

/// An error of a literal without its end. `text`: what it has.
fn unterminated(loc: Loc, what: Unfinished, text: &str) -> ScanError {
    let head: String = text.chars().take(16).collect();
    let shown = Tok::String(head.as_str().into()).to_string();
    let (message, hint) = match &what {
        Unfinished::String => ("string".to_owned(), "a closing \" is missing".to_owned()),
        Unfinished::Atom => ("atom".to_owned(), "a closing ' is missing".to_owned()),
        Unfinished::Triple(quotes) => (
            "triple-quoted string".to_owned(),
            format!("a line that starts with {} must close it", "\"".repeat(*quotes)),
        ),
        Unfinished::Sigil(kind, open, close) => (
            format!("~{kind}{open}{close} sigil string"),
            format!("a closing {close} is missing"),
        ),
        Unfinished::TripleSigil(kind, quotes) => (
            format!("triple-quoted ~{kind} sigil string"),
            format!("a line that starts with {} must close it", "\"".repeat(*quotes)),
        ),
    };
    let shown = match what {
        Unfinished::Atom => quoted_with(&head, '\''),
        _ => shown,
    };
    let mut error = error(
        loc,
        format!("unterminated {message} starting with {shown}"),
        Some(&hint),
    );
    error.unfinished = Some((what, head));
    error
}
