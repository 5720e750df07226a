//! The words of an expression of Elixir.

use interpreter::print::elixir::is_variable;

use super::Refused;

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A number, as Erlang writes it.
    Number(String),
    /// `"text"`
    Text(String),
    /// `'text'`, `~c"text"`
    Characters(String),
    /// `:atom`
    Atom(String),
    /// A variable, or the name of a function.
    Name(String),
    /// `Shop.Cart`
    Alias(String),
    /// `key:` before a value.
    Key(String),
    /// An operator, a bracket, or a word such as `and`.
    Sign(&'static str),
    /// The end.
    End,
}

/// A word with its column, and whether a blank comes before it.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) column: usize,
    pub(super) after_blank: bool,
}

/// Longer ones first.
const SIGNS: [&str; 42] = [
    "===", "!==", "...", "|||", "&&&", "<<<", ">>>", "==", "!=", "=~", "<=", ">=", "<>", "++", "--", "&&", "||", "|>",
    "<<", ">>", "->", "=>", "..", "::", "**", "%{", "(", ")", "[", "]", "{", "}", ",", "|", "<", ">", "=", "+", "-",
    "*", "/", "!",
];
/// Signs of one character besides.
const MORE: [&str; 6] = [".", "^", "&", "@", "%", ";"];
/// Words that are operators or begin what is refused.
const WORDS: [&str; 15] = [
    "and", "or", "not", "in", "when", "fn", "do", "end", "if", "unless", "case", "cond", "for", "with", "receive",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Refused> {
    let characters: Vec<char> = text.chars().collect();
    let mut scanner = Scanner {
        characters: &characters,
        at: 0,
    };
    let mut found = Vec::new();
    loop {
        let start = scanner.at;
        while scanner.peek().is_some_and(char::is_whitespace) {
            scanner.at += 1;
        }
        let (column, after_blank) = (scanner.at + 1, scanner.at > start);
        let token = scanner.token()?;
        let is_end = token == Token::End;
        found.push(Placed {
            token,
            column,
            after_blank,
        });
        if is_end {
            return Ok(found);
        }
    }
}

struct Scanner<'t> {
    characters: &'t [char],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn ahead(&self, n: usize) -> Option<char> {
        self.characters.get(self.at + n).copied()
    }

    fn refuse<T>(&self, column: usize, why: impl Into<String>) -> Result<T, Refused> {
        Err(Refused {
            column,
            why: why.into(),
        })
    }

    fn token(&mut self) -> Result<Token, Refused> {
        let Some(c) = self.peek() else { return Ok(Token::End) };
        match c {
            '0'..='9' => self.number(),
            '"' | '\'' => {
                let text = self.quoted(c)?;
                // `"key": value`
                if self.is_colon_of_key() {
                    self.at += 1;
                    return Ok(Token::Key(text));
                }
                Ok(if c == '"' {
                    Token::Text(text)
                } else {
                    Token::Characters(text)
                })
            }
            '~' if self.ahead(1) == Some('c') && matches!(self.ahead(2), Some('"' | '\'')) => {
                self.at += 2;
                let quote = self.peek().unwrap_or('"');
                Ok(Token::Characters(self.quoted(quote)?))
            }
            '?' => self.character(),
            ':' => self.atom(),
            c if c.is_alphabetic() || c == '_' => Ok(self.word()),
            _ => self.sign(),
        }
    }

    fn number(&mut self) -> Result<Token, Refused> {
        let column = self.at + 1;
        let radix = match (self.peek(), self.ahead(1)) {
            (Some('0'), Some('x')) => 16,
            (Some('0'), Some('o')) => 8,
            (Some('0'), Some('b')) => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
            let digits = self.digits(radix);
            if digits.is_empty() {
                return self.refuse(column, "expected digits after this beginning of a number");
            }
            return Ok(Token::Number(match radix {
                // Erlang's `16#1F` would have to be written with a space before some words.
                16 => i128::from_str_radix(&digits, 16).map_or_else(|_| format!("16#{digits}"), |n| n.to_string()),
                _ => {
                    i128::from_str_radix(&digits, radix).map_or_else(|_| format!("{radix}#{digits}"), |n| n.to_string())
                }
            }));
        }
        let mut text = self.digits(10);
        if self.peek() == Some('.') && self.ahead(1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            text = format!("{text}.{}", self.digits(10));
            if matches!(self.peek(), Some('e' | 'E')) {
                self.at += 1;
                text.push('e');
                if let Some(sign @ ('-' | '+')) = self.peek() {
                    self.at += 1;
                    text.push(sign);
                }
                text.push_str(&self.digits(10));
            }
        }
        Ok(Token::Number(text))
    }

    fn digits(&mut self, radix: u32) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_digit(radix) || *c == '_') {
            self.at += 1;
            if c != '_' {
                text.push(c);
            }
        }
        text
    }

    fn character(&mut self) -> Result<Token, Refused> {
        let column = self.at + 1;
        self.at += 1;
        let c = match self.peek() {
            Some('\\') => self.escape(column)?,
            Some(c) => {
                self.at += 1;
                c
            }
            None => return self.refuse(column, "expected a character after `?`"),
        };
        Ok(Token::Number(u32::from(c).to_string()))
    }

    /// A character after a backslash.
    fn escape(&mut self, column: usize) -> Result<char, Refused> {
        self.at += 1;
        let Some(c) = self.peek() else {
            return self.refuse(column, "expected a character after the backslash");
        };
        self.at += 1;
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            's' => ' ',
            'e' => '\u{1b}',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'd' => '\u{7f}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            '0' => '\0',
            'x' | 'u' => return self.refuse(self.at - 1, "expected the character itself in place of its number"),
            c => c,
        })
    }

    fn quoted(&mut self, quote: char) -> Result<String, Refused> {
        let column = self.at + 1;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => {
                    return self.refuse(
                        column,
                        format!("expected a closing {quote} of the text that begins here"),
                    );
                }
                Some(c) if c == quote => {
                    self.at += 1;
                    return Ok(text);
                }
                Some('#') if self.ahead(1) == Some('{') => {
                    return self.refuse(self.at + 1, "expected a text without interpolation");
                }
                Some('\\') => text.push(self.escape(self.at + 1)?),
                Some(c) => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
    }

    /// Is here the colon of a keyword: with a blank after it?
    fn is_colon_of_key(&self) -> bool {
        self.peek() == Some(':') && self.ahead(1).is_none_or(char::is_whitespace)
    }

    fn atom(&mut self) -> Result<Token, Refused> {
        let column = self.at + 1;
        self.at += 1;
        match self.peek() {
            Some('"') => Ok(Token::Atom(self.quoted('"')?)),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.name(true);
                Ok(Token::Atom(name))
            }
            _ => {
                let rest: String = self.characters[self.at..].iter().take(3).collect();
                let all = SIGNS.iter().chain(&MORE);
                let sign = all.filter(|sign| {
                    rest.starts_with(**sign) && !matches!(**sign, "(" | ")" | "[" | "]" | "}" | "," | ";" | "{")
                });
                match sign.max_by_key(|sign| sign.len()) {
                    Some(sign) => {
                        self.at += sign.len();
                        Ok(Token::Atom((*sign).to_owned()))
                    }
                    None => self.refuse(column, "expected the name of an atom after `:`"),
                }
            }
        }
    }

    fn name(&mut self, with_at: bool) -> String {
        let mut name = String::new();
        while let Some(c) = self
            .peek()
            .filter(|c| c.is_alphanumeric() || *c == '_' || with_at && *c == '@')
        {
            name.push(c);
            self.at += 1;
        }
        if let Some(mark @ ('?' | '!')) = self.peek()
            && self.ahead(1) != Some('=')
        {
            name.push(mark);
            self.at += 1;
        }
        name
    }

    fn word(&mut self) -> Token {
        let name = self.name(false);
        if self.is_colon_of_key() {
            self.at += 1;
            return Token::Key(name);
        }
        if let Some(word) = WORDS.iter().find(|word| **word == name) {
            return Token::Sign(word);
        }
        if matches!(name.as_str(), "nil" | "true" | "false") {
            return Token::Atom(name);
        }
        if is_variable(&name) {
            return Token::Name(name);
        }
        let mut whole = name;
        while self.peek() == Some('.') && self.ahead(1).is_some_and(char::is_uppercase) {
            self.at += 1;
            whole = format!("{whole}.{}", self.name(false));
        }
        Token::Alias(whole)
    }

    fn sign(&mut self) -> Result<Token, Refused> {
        let rest: String = self.characters[self.at..].iter().take(3).collect();
        match SIGNS.iter().chain(&MORE).find(|sign| rest.starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => self.refuse(
                self.at + 1,
                format!(
                    "expected an expression of Elixir, found `{}`",
                    rest.chars().next().unwrap_or(' ')
                ),
            ),
        }
    }
}
