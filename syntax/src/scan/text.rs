//! Characters, strings, quoted atoms and sigils.

use super::{Scan, ScanError, Scanner, error, legal};
use crate::ast::Loc;
use crate::atom::Atom;
use crate::release::Feature;
use crate::token::{Tok, Token};

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

    /// The rest of a literal up to and including its closing delimiter.
    pub(super) fn quoted(&mut self, loc: Loc, close: char, escapes: bool) -> Scan<String> {
        let mut text = String::new();
        loop {
            let run = self.text[self.pos..].find(|c: char| c == close || c == '\\' || c == '\n' || !c.is_ascii());
            let run = run.unwrap_or(self.text.len() - self.pos);
            text.push_str(&self.text[self.pos..self.pos + run]);
            self.pos += run;
            let here = self.loc();
            match self.bump() {
                None => {
                    let start: String = text.chars().take(16).collect();
                    let what = if close == '\'' { "atom" } else { "string" };
                    let hint = format!("a closing {close} is missing");
                    let message = format!(
                        "unterminated {what} starting with {close}{}{close}",
                        start.escape_debug()
                    );
                    return Err(ScanError {
                        loc,
                        message,
                        hint: Some(hint),
                    });
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
            '^' => match self.bump() {
                Some('\n') => 10,
                Some(c) => c as u32 & 31,
                None => return Ok(None),
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

    /// The number of quotes that open a triple-quoted string here, if any: at least three, and only white space up to the line's end.
    pub(super) fn triple_quotes(&self) -> Option<usize> {
        let rest = &self.text[self.pos..];
        let quotes = rest.bytes().take_while(|&b| b == b'"').count();
        let first_line = rest[quotes..].split_once('\n')?.0;
        (quotes >= 3 && first_line.trim().is_empty()).then_some(quotes)
    }

    /// OTP 27's triple-quoted string: the lines up to one that holds only the closing quotes, whose indentation is removed from all.
    pub(super) fn triple_quoted(&mut self, loc: Loc, quotes: usize, escapes: bool) -> Scan<Tok> {
        self.newer.push((Feature::TripleQuoted, loc));
        self.pos += quotes;
        let closing = "\"".repeat(quotes);
        while self.bump().is_some_and(|c| c != '\n') {}
        let mut lines: Vec<(Loc, &str)> = Vec::new();
        loop {
            if self.pos >= self.text.len() {
                let hint = format!("a line that starts with {closing} must close it");
                return Err(ScanError {
                    loc,
                    message: "unterminated triple-quoted string".into(),
                    hint: Some(hint),
                });
            }
            let here = self.loc();
            let rest = &self.text[self.pos..];
            let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
            let text = line.trim_start_matches([' ', '\t']);
            if text.starts_with(&closing) && !text[quotes..].starts_with('"') {
                let indent = &line[..line.len() - text.len()];
                self.pos += indent.len() + quotes;
                return self.dedent(&lines, indent, escapes).map(Tok::String);
            }
            lines.push((here, line));
            while self.bump().is_some_and(|c| c != '\n') {}
        }
    }

    pub(super) fn dedent(&self, lines: &[(Loc, &str)], indent: &str, escapes: bool) -> Scan<std::rc::Rc<str>> {
        let mut text = String::new();
        for (index, (loc, line)) in lines.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let line = line
                .strip_suffix('\r')
                .filter(|_| index + 1 == lines.len())
                .unwrap_or(line);
            match line.strip_prefix(indent) {
                Some(rest) => text.push_str(rest),
                None if line.trim().is_empty() => {}
                None => {
                    let hint = "every line needs the indentation of the closing quotes";
                    return Err(error(
                        *loc,
                        "bad indentation in triple-quoted string".into(),
                        Some(hint),
                    ));
                }
            }
        }
        if !escapes {
            return Ok(text.into());
        }
        let mut inner = Scanner::new(&text, self.file);
        let mut plain = String::new();
        while let Some(c) = inner.bump() {
            match c {
                '\\' => plain.extend(inner.escape().map_err(|error| ScanError {
                    loc: lines[0].0,
                    ..error
                })?),
                c => plain.push(c),
            }
        }
        Ok(plain.into())
    }

    /// OTP 27's sigils on strings.
    pub(super) fn sigil(&mut self, loc: Loc, out: &mut Vec<Token>) -> Scan<()> {
        let after = &self.text[self.pos + 1..];
        let kind_length = after.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let kind = &after[..kind_length];
        let Some(open) = after[kind_length..]
            .chars()
            .next()
            .filter(|c| "([{</|'\"`#".contains(*c))
        else {
            self.pos += 1;
            out.push(Token {
                loc,
                tok: Tok::Other('~'),
            });
            return Ok(());
        };
        if !["", "b", "B", "s", "S"].contains(&kind) {
            self.pos += 1 + kind_length;
            return Err(error(
                loc,
                format!("illegal sigil prefix ~{kind}"),
                Some("the sigils are ~ ~b ~B ~s ~S"),
            ));
        }
        self.newer.push((Feature::Sigil, loc));
        self.pos += 1 + kind_length;
        let string_loc = self.loc();
        let triple = if open == '"' { self.triple_quotes() } else { None };
        let verbatim = matches!(kind, "B" | "S") || (kind.is_empty() && triple.is_some());
        let string = match triple {
            Some(quotes) => self.triple_quoted(string_loc, quotes, !verbatim)?,
            None => {
                self.pos += 1;
                let close = match open {
                    '(' => ')',
                    '[' => ']',
                    '{' => '}',
                    '<' => '>',
                    other => other,
                };
                Tok::String(self.quoted(string_loc, close, !verbatim)?.into())
            }
        };
        if matches!(kind, "s" | "S") {
            out.push(Token { loc, tok: string });
            return Ok(());
        }
        let toks = [Tok::LBin, string, Tok::Slash, Tok::Atom(Atom::UTF8), Tok::RBin];
        out.extend(toks.into_iter().map(|tok| Token { loc, tok }));
        Ok(())
    }
}
