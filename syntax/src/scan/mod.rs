//! The scanner: source text to tokens, one form at a time.
//!
//! Takes every token of OTP 25 to 28. What a release lacks is a token where it has no other meaning there; what has another, such as a letter
//! behind a number, is what it is in the release.

mod number;
mod text;

#[cfg(test)]
mod tests;

use super::ast::Loc;
use super::token::{Tok, Token, is_name_char};
use crate::atom::Atom;
use crate::release::{Feature, Release};

/// Maximum length of an atom or variable name, in characters.
const MAX_NAME: usize = 255;

/// What is wrong with a character sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanError {
    /// Where it starts.
    pub loc: Loc,
    /// The message of `erl_scan:format_error/1`.
    pub message: String,
    /// What could be meant.
    pub hint: Option<String>,
    /// The literal whose end is missing, and its first characters.
    pub unfinished: Option<(Unfinished, String)>,
}

/// A literal without its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfinished {
    /// `"…`
    String,
    /// `'…`
    Atom,
    /// A triple-quoted string, of so many quotes.
    Triple(usize),
    /// A sigil of this kind, with its opening and closing delimiter.
    Sigil(Atom, char, char),
    /// A triple-quoted sigil of this kind.
    TripleSigil(Atom, usize),
}

/// Which tokens there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Those of this release.
    pub release: Release,
    /// And those that came up to this release, where they have no other meaning.
    pub newest: Release,
}

impl Dialect {
    /// In a source: tokens that are too new are found, and refused later.
    pub const fn of_source(release: Release) -> Self {
        Self {
            release,
            newest: Release::NEWEST,
        }
    }

    /// Whether there are the tokens of this feature.
    fn has(self, feature: Feature) -> bool {
        feature.is_in(self.newest)
    }

    /// Whether the release has this feature.
    fn is_of(self, feature: Feature) -> bool {
        feature.is_in(self.release)
    }
}

/// A source text and how far it has been scanned.
pub struct Scanner<'a> {
    text: &'a str,
    pos: usize,
    line: u32,
    /// Byte position minus this = column (characters), for the current line. invariant: `line_base <= pos + 1`.
    line_start: usize,
    /// Bytes of the current line before `pos` that continue a character.
    extra: usize,
    /// The file index stored in every place.
    file: u16,
    /// Whether `maybe` and `else` are keywords (`-feature(maybe_expr, enable)`).
    pub maybe_keywords: bool,
    /// Which tokens there are.
    pub dialect: Dialect,
    /// What it found that older releases do not have.
    pub newer: Vec<(Feature, Loc)>,
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
            dialect: Dialect::of_source(Release::default()),
            newer: Vec::new(),
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

    /// Where `erl_scan` continues after a dot: it consumes one white space character with it.
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

    /// Appends the tokens up to and including the next dot. False at the end of the text (then nothing was appended).
    ///
    /// # Errors
    /// At the first illegal character sequence; what is behind it begins a form, as for `epp`.
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
                    out.truncate(start);
                    return Err(error);
                }
            }
        }
    }

    /// The next token and what is before it: where that begins, its text, and the text of the token, which for a dot has the white space
    /// character that ends it. At the end of the text there is no token.
    ///
    /// # Errors
    /// An illegal character sequence.
    pub fn piece(&mut self, out: &mut Vec<Token>) -> Scan<(Loc, &'a str, &'a str)> {
        let (at, start) = (self.loc(), self.pos);
        self.skip_space();
        let from = self.pos;
        if from < self.text.len()
            && self.token(out)?
            && self
                .peek()
                .is_some_and(|c| matches!(c, '\0'..=' ' | '\u{80}'..='\u{a0}'))
        {
            self.bump();
        }
        Ok((at, &self.text[start..from], &self.text[from..self.pos]))
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    /// Takes one character and updates the line and column.
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
                0..=b' ' => self.pos += 1,
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
                Some(quotes) => {
                    let string = self.triple_quoted(quotes, None)?;
                    self.no_string_follows()?;
                    string
                }
                None => {
                    self.pos += 1;
                    let string = self.quoted(loc, Unfinished::String, '"', true)?;
                    self.no_string_follows()?;
                    Tok::String(string.into())
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
                let place = "letters above U+00FF are allowed in quoted atoms, strings and comments only";
                let hint = format!("this is U+{:04X}; {place}", c as u32);
                Err(error(loc, "illegal character".into(), Some(&hint)))
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
        let text = self.quoted(loc, Unfinished::Atom, '\'', true)?;
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
        const THREE: [(&[u8], Tok); 4] = [
            (b"=:=", Tok::ExactEq),
            (b"=/=", Tok::ExactNe),
            (b"<:-", Tok::StrictLArrow),
            (b"<:=", Tok::StrictLFatArrow),
        ];
        const TWO: [(&[u8], Tok); 18] = [
            (b"&&", Tok::AndAnd),
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
        let has_28 = self.dialect.has(Feature::StrictGenerator);
        for (text, tok) in THREE.iter().chain(&TWO) {
            let is_newer = matches!(tok, Tok::StrictLArrow | Tok::StrictLFatArrow | Tok::AndAnd);
            if rest.starts_with(text) && (has_28 || !is_newer) {
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
}

/// The number of characters of the token at the start of a text, within its first line; at least 1 if there is any.
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

fn intern(loc: Loc, name: &str) -> Scan<Atom> {
    Atom::try_new(name).ok_or_else(|| {
        error(
            loc,
            "the atom table is full".into(),
            Some("a program has at most 1,048,576 atoms"),
        )
    })
}

/// Whether the character is allowed in source text: no surrogates (a `char` never is one) and neither U+FFFE nor U+FFFF.
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
        unfinished: None,
    }
}
