//! The scanner: source text to tokens, one form at a time.
//!
//! Takes every token of OTP 25 and, from OTP 27, triple-quoted strings and sigils (`~"…"` becomes the tokens of `<<"…"/utf8>>`).

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::ast::Loc;
use super::token::{Tok, Token, is_name_char};
use crate::atom::Atom;

/// Longest atom or variable name, in characters.
const MAX_NAME: usize = 255;
/// Most digits of one integer: reading takes time quadratic in them.
const MAX_DIGITS: usize = 1_300_000;

/// What is wrong with a character sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanError {
    /// Where it starts.
    pub loc: Loc,
    /// As `erl_scan:format_error/1` says it.
    pub message: String,
    /// What could have been meant.
    pub hint: Option<String>,
}

/// A source text and how far it is scanned.
pub struct Scanner<'a> {
    text: &'a str,
    pos: usize,
    line: u32,
    /// Byte position minus this = column (characters), for the current line. invariant: `line_base <= pos + 1`.
    line_start: usize,
    /// Bytes of the current line before `pos` that continue a character.
    extra: usize,
    /// Stamped on every place.
    file: u16,
    /// Are `maybe` and `else` keywords (`-feature(maybe_expr, enable)`)?
    pub maybe_keywords: bool,
}

type Scan<T> = Result<T, ScanError>;

impl<'a> Scanner<'a> {
    /// A scanner at the start of a text (without byte order mark).
    pub fn new(text: &'a str, file: u16) -> Scanner<'a> {
        Scanner {
            text,
            pos: 0,
            line: 1,
            line_start: 0,
            extra: 0,
            file,
            maybe_keywords: false,
        }
    }

    /// Where the next character is.
    pub fn loc(&self) -> Loc {
        let col = self.pos - self.line_start - self.extra + 1;
        Loc {
            line: self.line,
            col: u16::try_from(col).unwrap_or(u16::MAX),
            file: self.file,
        }
    }

    /// Continues as if the current line had another number and file (`-file`).
    pub fn relocate(&mut self, line: u32, file: u16) {
        self.line = line;
        self.file = file;
    }

    /// The line that is being scanned.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where `erl_scan` goes on after a dot: it takes one white space character with it.
    pub fn after_dot(&self) -> Loc {
        let loc = self.loc();
        match self.byte(0) {
            _ if self.pos >= self.text.len() => loc,
            b'\n' => Loc {
                line: loc.line.saturating_add(1),
                col: 1,
                ..loc
            },
            b'%' => loc,
            _ => Loc {
                col: loc.col.saturating_add(1),
                ..loc
            },
        }
    }

    /// Appends the tokens up to and with the next dot. False at the end of the text (then nothing was appended).
    ///
    /// # Errors
    /// At the first illegal character sequence; the scanner has then skipped to the next dot or the end.
    pub fn form(&mut self, out: &mut Vec<Token>) -> Scan<bool> {
        let start = out.len();
        loop {
            self.skip_space();
            if self.pos >= self.text.len() {
                return Ok(out.len() > start);
            }
            match self.token(out) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => {
                    self.skip_form(out);
                    out.truncate(start);
                    return Err(error);
                }
            }
        }
    }

    fn skip_form(&mut self, out: &mut Vec<Token>) {
        loop {
            self.skip_space();
            if self.pos >= self.text.len() || matches!(self.token(out), Ok(true)) {
                return;
            }
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    /// Takes one character and keeps the line and column.
    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        if c == '\n' {
            self.new_line();
        } else {
            self.extra += c.len_utf8() - 1;
        }
        Some(c)
    }

    fn new_line(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.pos;
        self.extra = 0;
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.pos) {
            match byte {
                b'\n' => {
                    self.pos += 1;
                    self.new_line();
                }
                0..=b' ' | 0x7f => self.pos += 1,
                b'%' => {
                    let rest = &bytes[self.pos..];
                    let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    self.extra += rest[..length].iter().filter(|&&b| b & 0xc0 == 0x80).count();
                    self.pos += length;
                }
                // U+0080 to U+00A0 are white space too.
                0xc2 if bytes.get(self.pos + 1).is_some_and(|&b| b <= 0xa0) => {
                    self.pos += 2;
                    self.extra += 1;
                }
                _ => return,
            }
        }
    }

    /// Scans one token; true if it is the dot that ends a form.
    fn token(&mut self, out: &mut Vec<Token>) -> Scan<bool> {
        let loc = self.loc();
        let tok = match self.byte(0) {
            b'a'..=b'z' => self.atom(loc)?,
            b'A'..=b'Z' | b'_' => Tok::Var(self.name(loc)?),
            b'0'..=b'9' => self.number(loc)?,
            b'"' => match self.triple_quotes() {
                Some(quotes) => self.triple_quoted(loc, quotes, false)?,
                None => {
                    self.pos += 1;
                    Tok::String(self.quoted(loc, '"', true)?.into())
                }
            },
            b'\'' => self.quoted_atom(loc)?,
            b'$' => self.char_literal(loc)?,
            b'~' => return self.sigil(loc, out).map(|()| false),
            b'.' => self.dots(),
            128.. => self.unicode_start(loc)?,
            _ => self.mark(),
        };
        let ends = tok == Tok::Dot;
        out.push(Token { loc, tok });
        Ok(ends)
    }

    fn unicode_start(&mut self, loc: Loc) -> Scan<Tok> {
        let c = self.peek().expect("the caller saw a byte");
        match c {
            '÷' | '×' => {
                self.bump();
                Ok(Tok::Other(c))
            }
            'ß'..='ÿ' => self.atom(loc),
            'À'..='Þ' => Ok(Tok::Var(self.name(loc)?)),
            '\u{a1}'..='\u{ff}' => {
                self.bump();
                Ok(Tok::Other(c))
            }
            _ => {
                self.bump();
                let hint = "letters above U+00FF are allowed in quoted atoms, strings and comments only";
                Err(error(loc, format!("illegal character U+{:04X}", c as u32), Some(hint)))
            }
        }
    }

    fn name_text(&mut self, loc: Loc, what: &str) -> Scan<&'a str> {
        let start = self.pos;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.pos) {
                Some(b) if b.is_ascii_alphanumeric() || *b == b'_' || *b == b'@' => self.pos += 1,
                Some(128..) if self.peek().is_some_and(is_name_char) => {
                    self.bump();
                }
                _ => break,
            }
        }
        let name = &self.text[start..self.pos];
        if name.len() > MAX_NAME && name.chars().count() > MAX_NAME {
            return Err(error(
                loc,
                format!("illegal {what}"),
                Some("a name has at most 255 characters"),
            ));
        }
        Ok(name)
    }

    fn name(&mut self, loc: Loc) -> Scan<Atom> {
        let text = self.name_text(loc, "variable")?;
        intern(loc, text)
    }

    fn atom(&mut self, loc: Loc) -> Scan<Tok> {
        let text = self.name_text(loc, "atom")?;
        match Tok::keyword(text) {
            Some(Tok::Maybe | Tok::Else) if !self.maybe_keywords => {}
            Some(keyword) => return Ok(keyword),
            None => {}
        }
        Ok(Tok::Atom(intern(loc, text)?))
    }

    fn quoted_atom(&mut self, loc: Loc) -> Scan<Tok> {
        self.pos += 1;
        let text = self.quoted(loc, '\'', true)?;
        if text.chars().count() > MAX_NAME {
            return Err(error(
                loc,
                "illegal atom".into(),
                Some("an atom has at most 255 characters"),
            ));
        }
        Ok(Tok::Atom(intern(loc, &text)?))
    }

    fn dots(&mut self) -> Tok {
        self.pos += 1;
        match self.byte(0) {
            b'.' if self.byte(1) == b'.' => {
                self.pos += 2;
                Tok::Ellipsis
            }
            b'.' => {
                self.pos += 1;
                Tok::DotDot
            }
            0..=b' ' | b'%' | 0x7f => Tok::Dot,
            0xc2 if self.byte(1) <= 0xa0 => Tok::Dot,
            _ => Tok::Period,
        }
    }

    fn mark(&mut self) -> Tok {
        const THREE: [(&[u8], Tok); 2] = [(b"=:=", Tok::ExactEq), (b"=/=", Tok::ExactNe)];
        const TWO: [(&[u8], Tok); 17] = [
            (b"<<", Tok::LBin),
            (b">>", Tok::RBin),
            (b"->", Tok::Arrow),
            (b"<-", Tok::LArrow),
            (b"<=", Tok::LFatArrow),
            (b"=>", Tok::FatArrow),
            (b"::", Tok::ColonColon),
            (b":=", Tok::ColonEq),
            (b"||", Tok::BarBar),
            (b"==", Tok::EqEq),
            (b"/=", Tok::NotEq),
            (b"=<", Tok::LessEq),
            (b">=", Tok::GreaterEq),
            (b"++", Tok::PlusPlus),
            (b"--", Tok::MinusMinus),
            (b"?=", Tok::QuestionEq),
            (b"..", Tok::DotDot),
        ];
        let rest = &self.text.as_bytes()[self.pos..];
        for (text, tok) in THREE.iter().chain(&TWO) {
            if rest.starts_with(text) {
                self.pos += text.len();
                return tok.clone();
            }
        }
        self.pos += 1;
        match rest[0] {
            b'(' => Tok::LParen,
            b')' => Tok::RParen,
            b'{' => Tok::LBrace,
            b'}' => Tok::RBrace,
            b'[' => Tok::LBracket,
            b']' => Tok::RBracket,
            b',' => Tok::Comma,
            b';' => Tok::Semicolon,
            b':' => Tok::Colon,
            b'|' => Tok::Bar,
            b'#' => Tok::Hash,
            b'?' => Tok::Question,
            b'!' => Tok::Bang,
            b'=' => Tok::Match,
            b'<' => Tok::Less,
            b'>' => Tok::Greater,
            b'+' => Tok::Plus,
            b'-' => Tok::Minus,
            b'*' => Tok::Star,
            b'/' => Tok::Slash,
            other => Tok::Other(char::from(other)),
        }
    }

    /// Digits of a base with single underscores between them, without the underscores.
    fn digits(&mut self, base: u32) -> String {
        let mut digits = String::new();
        let is_digit = |byte: u8| char::from(byte).is_digit(base);
        loop {
            let byte = self.byte(0);
            if is_digit(byte) {
                digits.push(char::from(byte));
                self.pos += 1;
            } else if byte == b'_' && !digits.is_empty() && is_digit(self.byte(1)) {
                self.pos += 1;
            } else {
                return digits;
            }
        }
    }

    fn number(&mut self, loc: Loc) -> Scan<Tok> {
        let mut digits = self.digits(10);
        match self.byte(0) {
            b'.' if self.byte(1).is_ascii_digit() => {
                self.pos += 1;
                digits.push('.');
                digits += &self.digits(10);
                self.exponent(loc, &mut digits)?;
                match digits.parse::<f64>() {
                    Ok(value) if value.is_finite() => Ok(Tok::Float(value)),
                    _ => Err(error(
                        loc,
                        "illegal float".into(),
                        Some("the largest float is about 1.8e308"),
                    )),
                }
            }
            b'#' => {
                let base = digits.parse().ok().filter(|base| (2..=36).contains(base));
                let Some(base) = base else {
                    return Err(error(
                        loc,
                        format!("illegal base '{digits}'"),
                        Some("bases are 2 to 36"),
                    ));
                };
                self.pos += 1;
                let digits = self.digits(base);
                if digits.is_empty() {
                    let hint = format!("a digit of base {base} must follow `#`");
                    return Err(ScanError {
                        loc,
                        message: "illegal integer".into(),
                        hint: Some(hint),
                    });
                }
                integer(loc, &digits, base)
            }
            _ => integer(loc, &digits, 10),
        }
    }

    fn exponent(&mut self, loc: Loc, digits: &mut String) -> Scan<()> {
        if !matches!(self.byte(0), b'e' | b'E') {
            return Ok(());
        }
        self.pos += 1;
        digits.push('e');
        if let sign @ (b'+' | b'-') = self.byte(0) {
            self.pos += 1;
            digits.push(char::from(sign));
        }
        let exponent = self.digits(10);
        if exponent.is_empty() {
            return Err(error(
                loc,
                "illegal float".into(),
                Some("digits must follow the exponent's `e`"),
            ));
        }
        *digits += &exponent;
        Ok(())
    }

    fn char_literal(&mut self, loc: Loc) -> Scan<Tok> {
        self.pos += 1;
        match self.peek() {
            None => Err(error(loc, "unterminated character".into(), None)),
            Some('\\') => {
                self.bump();
                match self.escape()? {
                    Some(c) => Ok(Tok::Char(c)),
                    None => Err(error(loc, "unterminated character".into(), None)),
                }
            }
            Some(c) => {
                legal(loc, c)?;
                self.bump();
                Ok(Tok::Char(c))
            }
        }
    }

    /// The rest of a literal up to its closing delimiter, which is taken.
    fn quoted(&mut self, loc: Loc, close: char, escapes: bool) -> Scan<String> {
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
                Some('\\') if escapes => match self.escape()? {
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
    fn escape(&mut self) -> Scan<Option<char>> {
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

    /// How many quotes open a triple-quoted string here, if one does: at least three, and nothing but white space up to the line's end.
    fn triple_quotes(&self) -> Option<usize> {
        let rest = &self.text[self.pos..];
        let quotes = rest.bytes().take_while(|&b| b == b'"').count();
        let first_line = rest[quotes..].split_once('\n')?.0;
        (quotes >= 3 && first_line.trim().is_empty()).then_some(quotes)
    }

    /// OTP 27's triple-quoted string: the lines up to one that holds only the closing quotes, whose indentation is removed from all.
    fn triple_quoted(&mut self, loc: Loc, quotes: usize, escapes: bool) -> Scan<Tok> {
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

    fn dedent(&self, lines: &[(Loc, &str)], indent: &str, escapes: bool) -> Scan<std::rc::Rc<str>> {
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
    fn sigil(&mut self, loc: Loc, out: &mut Vec<Token>) -> Scan<()> {
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

/// How many characters the token takes that a text starts with, within its first line; at least 1 if there is any.
pub fn token_length(text: &str) -> usize {
    let line = text.split_once('\n').map_or(text, |(line, _)| line);
    if line.is_empty() {
        return 0;
    }
    let mut scanner = Scanner::new(line, 0);
    let mut tokens = Vec::new();
    match scanner.token(&mut tokens) {
        Ok(_) => line[..scanner.pos].chars().count(),
        Err(_) => 1,
    }
}

fn integer(loc: Loc, digits: &str, base: u32) -> Scan<Tok> {
    if let Ok(value) = i64::from_str_radix(digits, base) {
        return Ok(Tok::Integer(value));
    }
    if digits.len() > MAX_DIGITS {
        return Err(error(
            loc,
            "illegal integer".into(),
            Some("an integer has at most 1,300,000 digits"),
        ));
    }
    let value = BigInt::parse_bytes(digits.as_bytes(), base).expect("only digits of this base were taken");
    Ok(value
        .to_i64()
        .map_or_else(|| Tok::BigInteger(value.into()), Tok::Integer))
}

fn intern(loc: Loc, name: &str) -> Scan<Atom> {
    Atom::try_new(name).ok_or_else(|| {
        error(
            loc,
            "the atom table is full".into(),
            Some("a program has at most 1,048,576 atoms"),
        )
    })
}

/// Erlang source has no surrogates (a `char` never is one) and neither U+FFFE nor U+FFFF.
fn legal(loc: Loc, c: char) -> Scan<()> {
    match c {
        '\u{fffe}' | '\u{ffff}' => Err(error(loc, "illegal character".into(), None)),
        _ => Ok(()),
    }
}

fn error(loc: Loc, message: String, hint: Option<&str>) -> ScanError {
    ScanError {
        loc,
        message,
        hint: hint.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Scan<Vec<Tok>> {
        let mut tokens = Vec::new();
        let mut scanner = Scanner::new(text, 0);
        while scanner.form(&mut tokens)? {}
        Ok(tokens.into_iter().map(|t| t.tok).collect())
    }

    fn one(text: &str) -> Tok {
        let mut toks = scan(text).unwrap();
        assert_eq!(toks.len(), 1, "{text}: {toks:?}");
        toks.remove(0)
    }

    #[test]
    fn numbers() {
        assert_eq!(one("1_000"), Tok::Integer(1000));
        assert_eq!(one("16#ff"), Tok::Integer(255));
        assert_eq!(one("2#1010_1010"), Tok::Integer(170));
        assert_eq!(one("36#Zz"), Tok::Integer(35 * 37));
        assert_eq!(one("1.5e-3"), Tok::Float(0.0015));
        assert_eq!(one("9223372036854775807"), Tok::Integer(i64::MAX));
        assert!(matches!(one("9223372036854775808"), Tok::BigInteger(_)));
        assert_eq!(scan("1e3").unwrap(), [Tok::Integer(1), Tok::Atom(Atom::new("e3"))]);
        assert_eq!(scan("1..3").unwrap(), [Tok::Integer(1), Tok::DotDot, Tok::Integer(3)]);
        assert_eq!(scan("37#1").unwrap_err().message, "illegal base '37'");
        assert_eq!(scan("1.0e999").unwrap_err().message, "illegal float");
        assert_eq!(scan("16#").unwrap_err().message, "illegal integer");
    }

    #[test]
    fn chars_and_escapes() {
        assert_eq!(one("$a"), Tok::Char('a'));
        assert_eq!(one("$\\n"), Tok::Char('\n'));
        assert_eq!(one("$\\x{1F600}"), Tok::Char('\u{1f600}'));
        assert_eq!(one("$\\x41"), Tok::Char('A'));
        assert_eq!(one("$\\101"), Tok::Char('A'));
        assert_eq!(one("$\\^A"), Tok::Char('\u{1}'));
        assert_eq!(one("$ "), Tok::Char(' '));
        assert_eq!(one(r#""a\tb\"c""#), Tok::String("a\tb\"c".into()));
        assert!(scan("$\\x{D800}").is_err());
        assert!(scan("$\\x{110000}").is_err());
        assert!(scan("$").is_err());
        assert!(scan("\"abc").is_err());
    }

    #[test]
    fn names_and_keywords() {
        assert_eq!(one("'hello world'"), Tok::Atom(Atom::new("hello world")));
        assert_eq!(one("'after'"), Tok::Atom(Atom::AFTER));
        assert_eq!(one("after"), Tok::After);
        assert_eq!(one("maybe"), Tok::Atom(Atom::new("maybe")));
        assert_eq!(one("_X@1"), Tok::Var(Atom::new("_X@1")));
        assert_eq!(one("été"), Tok::Atom(Atom::new("été")));
        assert_eq!(one("Été"), Tok::Var(Atom::new("Été")));
        assert!(scan(&"a".repeat(256)).is_err());
        assert!(scan("日本").is_err());
    }

    #[test]
    fn columns_count_characters() {
        let mut tokens = Vec::new();
        Scanner::new("'é' x % ö\n\ty.", 0).form(&mut tokens).unwrap();
        let places: Vec<_> = tokens.iter().map(|t| (t.loc.line, t.loc.col)).collect();
        assert_eq!(places, [(1, 1), (1, 5), (2, 2), (2, 3)]);
    }

    #[test]
    fn dots_end_forms() {
        let mut scanner = Scanner::new("a. b.c.%x\nd", 0);
        let mut counts = Vec::new();
        loop {
            let mut tokens = Vec::new();
            if !scanner.form(&mut tokens).unwrap() {
                break;
            }
            counts.push(tokens.len());
        }
        assert_eq!(counts, [2, 4, 1]);
    }

    #[test]
    fn strings_of_otp_27() {
        assert_eq!(
            one("\"\"\"\n  a\n    \"b\\n\"\n  \"\"\""),
            Tok::String("a\n  \"b\\n\"".into())
        );
        assert_eq!(scan("\"\"\"\"").unwrap().len(), 2);
        assert_eq!(one("~s(a\\n)"), Tok::String("a\n".into()));
        assert_eq!(one("~S|a\\n|"), Tok::String("a\\n".into()));
        assert_eq!(scan("~\"x\"").unwrap().len(), 5);
        assert!(scan("\"\"\"\n  a\n b\n  \"\"\"").is_err());
        assert!(scan("\"\"\"\n  a\n").is_err());
    }

    #[test]
    fn an_error_skips_its_form() {
        let mut scanner = Scanner::new("a 1.0e999 b. c.", 0);
        let mut tokens = Vec::new();
        assert!(scanner.form(&mut tokens).is_err());
        assert!(tokens.is_empty());
        assert!(scanner.form(&mut tokens).unwrap());
        assert_eq!(tokens.len(), 2);
    }
}
