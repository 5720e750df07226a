//! Erlang terms as `file:consult/1` reads them, as far as CauDEr writes them: words with their lines, and where each term ends. Nothing here
//! recurses, and only one term is kept in memory.

use std::fmt;

/// A word of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// `{ } [ ] ( ) , | # < > / : =`, one character each.
    Mark(char),
    /// An atom, without its quotes.
    Atom(String),
    /// A whole number that fits into 64 bits.
    Number(u64),
    /// A number, string, character or variable: its text.
    Other(String),
    /// `<0.12.0>`, `#Ref<0.1.2.3>`, `#Fun<…>`, `#Port<…>`: its text. These cannot occur in source code.
    Opaque(String),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark) => write!(f, "{mark}"),
            Self::Atom(name) if is_plain(name) => f.write_str(name),
            Self::Atom(name) => {
                f.write_str("'")?;
                for c in name.chars() {
                    match c {
                        '\\' | '\'' => write!(f, "\\{c}")?,
                        c if c.is_control() => write!(f, "\\x{{{:x}}}", u32::from(c))?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("'")
            }
            Self::Number(n) => write!(f, "{n}"),
            Self::Other(text) | Self::Opaque(text) => f.write_str(text),
        }
    }
}

/// Is it an atom without quotes, and not a reserved word of Erlang?
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@')
        && !is_reserved(name)
}

fn is_reserved(word: &str) -> bool {
    const RESERVED: &str = " after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of or orelse \
                            receive rem try when xor ";
    RESERVED.contains(&format!(" {word} "))
}

/// A word and its line, from 1.
pub type Placed = (Word, u32);

/// A term: its words without the dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// The words. invariant: not empty.
    pub words: Vec<Placed>,
}

impl Form {
    /// The line on which it begins.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.words.first().map_or(0, |(_, line)| *line)
    }

    /// The elements of the tuple or list, each with its words. `None` if the words are not a tuple or list.
    #[must_use]
    pub fn elements(words: &[Placed], open: char) -> Option<Vec<&[Placed]>> {
        let close = if open == '{' { '}' } else { ']' };
        let (first, rest) = words.split_first()?;
        let (last, inner) = rest.split_last()?;
        if first.0 != Word::Mark(open) || last.0 != Word::Mark(close) {
            return None;
        }
        if inner.is_empty() {
            return Some(Vec::new());
        }
        let mut depth = 0_i64;
        let mut parts = Vec::new();
        let mut from = 0;
        for (i, (word, _)) in inner.iter().enumerate() {
            match word {
                Word::Mark('{' | '[' | '(') => depth += 1,
                Word::Mark('}' | ']' | ')') => depth -= 1,
                Word::Mark(',') if depth == 0 => {
                    parts.push(&inner[from..i]);
                    from = i + 1;
                }
                _ => {}
            }
            if depth < 0 {
                return None;
            }
        }
        parts.push(&inner[from..]);
        (depth == 0 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
    }
}

/// Words as text that reads back as the same term.
#[must_use]
pub fn show(words: &[Placed]) -> String {
    let mut text = String::new();
    for (i, (word, _)) in words.iter().enumerate() {
        let wordy = |w: &Word| !matches!(w, Word::Mark(_));
        if i > 0 && wordy(word) && wordy(&words[i - 1].0) {
            text.push(' ');
        }
        text.push_str(&word.to_string());
    }
    text
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The line, from 1.
    pub line: u32,
    /// What was expected.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
}

/// Limit: words of a term.
const LONGEST: usize = 4_000_000;

/// Reads one term after the other.
pub struct TermReader<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> TermReader<'a> {
    /// Reads a whole file.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// The next term; `None` at the end.
    ///
    /// # Errors
    /// The text is not a term.
    pub fn form(&mut self) -> Result<Option<Form>, Malformed> {
        let mut words = Vec::new();
        loop {
            self.blank();
            let Some(first) = self.rest.chars().next() else {
                if words.is_empty() {
                    return Ok(None);
                }
                return Err(self.malformed("a dot at the end of the term", "the end of the file"));
            };
            let after = self.rest[first.len_utf8()..].chars().next();
            if first == '.' && after.is_none_or(|c| c.is_whitespace() || c == '%') {
                self.take(1);
                if words.is_empty() {
                    return Err(self.malformed("a term", "`.`"));
                }
                return Ok(Some(Form { words }));
            }
            if words.len() >= LONGEST {
                return Err(self.malformed("a term of at most 4,000,000 words", "a longer one"));
            }
            let line = self.line;
            let word = self.word(first)?;
            words.push((word, line));
        }
    }

    fn malformed(&self, expected: &'static str, found: &str) -> Malformed {
        Malformed {
            line: self.line,
            expected,
            found: found.to_owned(),
        }
    }

    /// Takes this many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.bytes().filter(|&b| b == b'\n').count() as u32;
        taken
    }

    fn blank(&mut self) {
        loop {
            let spaces = self.rest.len() - self.rest.trim_start().len();
            self.take(spaces);
            if !self.rest.starts_with('%') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(end);
        }
    }

    fn span(&self, fits: impl Fn(char) -> bool) -> usize {
        self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len())
    }

    fn word(&mut self, first: char) -> Result<Word, Malformed> {
        let wordy = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        match first {
            'a'..='z' | 'à'..='ÿ' => {
                let length = self.span(wordy);
                let name = self.take(length);
                // `fun m:f/1` is a term.
                Ok(match name {
                    "fun" => Word::Other(name.to_owned()),
                    _ => Word::Atom(name.to_owned()),
                })
            }
            '\'' => {
                let text = self.quoted('\'')?;
                Ok(Word::Atom(text))
            }
            '"' => {
                let before = self.rest;
                self.quoted('"')?;
                Ok(Word::Other(before[..before.len() - self.rest.len()].to_owned()))
            }
            '$' => {
                let body = &self.rest[1..];
                let length = match body.chars().next() {
                    Some('\\') => 1 + 1 + body[1..].chars().next().map_or(0, char::len_utf8),
                    Some(c) => 1 + c.len_utf8(),
                    None => return Err(self.malformed("a character after `$`", "the end of the file")),
                };
                Ok(Word::Other(self.take(length).to_owned()))
            }
            '0'..='9' | '-' | '+' => self.number(),
            'A'..='Z' | '_' => {
                let length = self.span(wordy);
                Ok(Word::Other(self.take(length).to_owned()))
            }
            '<' => {
                let length = self.span(|c| c != '>');
                let inner = self.rest.get(1..length).unwrap_or_default();
                let dotted = inner.contains('.') && inner.chars().all(|c| c.is_ascii_digit() || c == '.');
                if dotted && length < self.rest.len() {
                    return Ok(Word::Opaque(self.take(length + 1).to_owned()));
                }
                self.take(1);
                Ok(Word::Mark('<'))
            }
            '#' => {
                let name = self.rest[1..].find(|c| !wordy(c)).map_or(self.rest.len(), |n| n + 1);
                let length = self.span(|c| c != '>');
                if self.rest[name..].starts_with('<')
                    && matches!(&self.rest[1..name], "Ref" | "Fun" | "Port")
                    && length < self.rest.len()
                {
                    return Ok(Word::Opaque(self.take(length + 1).to_owned()));
                }
                self.take(1);
                Ok(Word::Mark('#'))
            }
            '{' | '}' | '[' | ']' | '(' | ')' | ',' | '|' | '>' | '/' | ':' | '=' => {
                self.take(1);
                Ok(Word::Mark(first))
            }
            _ => {
                let found = format!("`{}`", first.escape_default());
                Err(self.malformed("a term", &found))
            }
        }
    }

    fn number(&mut self) -> Result<Word, Malformed> {
        let digits = self.span(|c| c.is_ascii_digit());
        let plain = digits > 0 && !self.rest[digits..].starts_with(|c: char| c == '#' || c.is_alphanumeric());
        let fraction = self.rest[digits..].strip_prefix('.');
        let float = fraction.is_some_and(|f| f.starts_with(|c: char| c.is_ascii_digit()));
        if plain && !float {
            let text = self.take(digits);
            return Ok(text.parse().map_or_else(|_| Word::Other(text.to_owned()), Word::Number));
        }
        let bytes = self.rest.as_bytes();
        let mut length = usize::from(!bytes[0].is_ascii_digit());
        while let Some(&b) = bytes.get(length) {
            let before = bytes[length.saturating_sub(1)];
            let sign = matches!(b, b'-' | b'+') && matches!(before, b'e' | b'E') && length > 1;
            let point = b == b'.' && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
            if !(b.is_ascii_alphanumeric() || b == b'#' || sign || point) {
                break;
            }
            length += 1;
        }
        if length == 1 && !bytes[0].is_ascii_digit() {
            return Err(self.malformed("a number", "a sign"));
        }
        Ok(Word::Other(self.take(length).to_owned()))
    }

    /// A string without its quotes.
    #[must_use]
    pub fn unescaped(string: &str) -> Option<String> {
        TermReader::new(string).quoted('"').ok()
    }

    /// A text in quotes, with its escapes replaced.
    fn quoted(&mut self, quote: char) -> Result<String, Malformed> {
        let start = self.line;
        let mut text = String::new();
        let whole = self.rest;
        let mut at = quote.len_utf8();
        while let Some(c) = whole[at..].chars().next() {
            at += c.len_utf8();
            match c {
                '\\' => {
                    let Some((c, length)) = escape(&whole[at..]) else { break };
                    text.push(c);
                    at += length;
                }
                c if c == quote => {
                    self.take(at);
                    return Ok(text);
                }
                c => text.push(c),
            }
        }
        Err(Malformed {
            line: start,
            expected: "a closing quote",
            found: "the end of the file".to_owned(),
        })
    }
}

/// What follows a backslash: the character that it stands for, and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let coded = |digits: &str, radix, length| {
        let code = u32::from_str_radix(digits, radix).ok();
        code.and_then(char::from_u32).map(|c| (c, length))
    };
    let octal = text.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    let found = match first {
        'b' => Some(('\u{8}', 1)),
        'd' => Some(('\u{7f}', 1)),
        'e' => Some(('\u{1b}', 1)),
        'f' => Some(('\u{c}', 1)),
        'n' => Some(('\n', 1)),
        'r' => Some(('\r', 1)),
        's' => Some((' ', 1)),
        't' => Some(('\t', 1)),
        'v' => Some(('\u{b}', 1)),
        '0'..='7' => coded(&text[..octal], 8, octal),
        '^' => {
            let control = text[1..].chars().next()?;
            coded(&format!("{:x}", u32::from(control) % 32), 16, 1 + control.len_utf8())
        }
        'x' if text[1..].starts_with('{') => text.find('}').and_then(|end| coded(&text[2..end], 16, end + 1)),
        'x' if text.is_char_boundary(3) && text.len() >= 3 => coded(&text[1..3], 16, 3),
        _ => None,
    };
    // Any other character stands for itself.
    found.or(Some((first, first.len_utf8())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Result<Vec<String>, Malformed> {
        let mut reader = TermReader::new(text);
        let mut all = Vec::new();
        while let Some(form) = reader.form()? {
            all.push(format!("{}:{}", form.line(), show(&form.words)));
        }
        Ok(all)
    }

    #[test]
    fn terms_are_read_with_their_lines() {
        let text = "{call,{m,f,[1,-2.5e-3,\"a\\\"b\",$x,'A b',#{a => <<1,2>>}]}}.\n% a comment\n{pid,209}. {return,<0.12.0>}.\n\n{x,#Ref<0.1.2.3>,16#ff}.";
        assert_eq!(
            forms(text).unwrap(),
            [
                "1:{call,{m,f,[1,-2.5e-3,\"a\\\"b\",$x,'A b',#{a=><<1,2>>}]}}",
                "3:{pid,209}",
                "3:{return,<0.12.0>}",
                "5:{x,#Ref<0.1.2.3>,16#ff}",
            ]
        );
        assert_eq!(forms("").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn escapes_of_atoms_are_those_of_erlang() {
        for (text, expected) in [
            ("'a\\rb\\e'", "'a\\x{d}b\\x{1b}'"),
            ("'\\x{65E5}\\xe9\\303'", "'日éÃ'"),
            ("'\\b\\v\\f\\d\\s\\t\\n'", "'\\x{8}\\x{b}\\x{c}\\x{7f} \\x{9}\\x{a}'"),
            ("'\\^a\\q\\'\\\\'", "'\\x{1}q\\'\\\\'"),
            ("'\\001'", "'\\x{1}'"),
            ("'fun'", "'fun'"),
            ("fun lists:map/2", "fun lists:map/2"),
            ("'\\x{110000}'", "'x{110000}'"),
        ] {
            assert_eq!(forms(&format!("{text}.")).unwrap(), [format!("1:{expected}")], "{text}");
        }
    }

    #[test]
    fn what_is_no_term_is_refused_with_its_line() {
        for (text, line) in [
            ("{a,1}.\n{b", 2),
            ("{a,1}", 1),
            ("{a}.\n.", 2),
            ("'abc", 1),
            ("\n\"abc", 2),
            ("{a,;}.", 1),
            ("$", 1),
            ("{-}.", 1),
            ("\u{0}", 1),
        ] {
            let error = forms(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error:?}");
        }
    }

    #[test]
    fn elements_of_tuples_and_lists() {
        let elements = |text: &str, open| {
            let form = TermReader::new(text).form().unwrap().unwrap();
            Form::elements(&form.words, open).map(|parts| parts.into_iter().map(show).collect::<Vec<_>>())
        };
        assert_eq!(elements("{a,{b,[c,d]},[]}.", '{').unwrap(), ["a", "{b,[c,d]}", "[]"]);
        assert_eq!(elements("{}.", '{').unwrap(), Vec::<String>::new());
        for text in ["a.", "{a,}.", "{a.", "{a]}.", "{a},{b}.", "[a]."] {
            assert_eq!(elements(text, '{'), None, "{text}");
        }
    }
}
