//! Tokens, as `erl_scan` knows them.

use std::fmt;
use std::rc::Rc;

use num_bigint::BigInt;

use super::ast::Loc;
use crate::atom::Atom;

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The place of its first character; for tokens from a macro's body, of the macro call.
    pub loc: Loc,
    /// What it is.
    pub tok: Tok,
}

macro_rules! tokens {
    (keywords { $($keyword:ident $word:literal,)* } punctuation { $($mark:ident $text:literal,)* }) => {
        /// The kinds of token.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Tok {
            /// A plain or quoted atom, not a keyword.
            Atom(Atom),
            /// A variable.
            Var(Atom),
            /// An integer that fits 64 bits.
            Integer(i64),
            /// A larger integer.
            BigInteger(Rc<BigInt>),
            /// A float.
            Float(f64),
            /// `$c`
            Char(char),
            /// One string literal.
            String(Rc<str>),
            /// `~` and the kind of a sigil; a string follows, then a suffix.
            SigilPrefix(Atom),
            /// What follows the string of a sigil at once; may be empty.
            SigilSuffix(Rc<str>),
            $(#[doc = concat!("`", $word, "`")] $keyword,)*
            $(#[doc = concat!("`", $text, "`")] $mark,)*
            /// A full stop followed by white space, a comment or the end.
            Dot,
            /// A character without a meaning in Erlang, such as `@`.
            Other(char),
        }

        impl Tok {
            /// The keyword with this spelling, including `maybe` and `else`.
            pub(super) fn keyword(word: &str) -> Option<Tok> {
                Some(match word {
                    $($word => Tok::$keyword,)*
                    _ => return None,
                })
            }

            /// The keyword or punctuation mark with this spelling, excluding `maybe` and `else`.
            pub fn from_fixed_text(text: &str) -> Option<Tok> {
                if matches!(text, "maybe" | "else") {
                    return None;
                }
                Some(match text {
                    $($word => Tok::$keyword,)*
                    $($text => Tok::$mark,)*
                    _ => return None,
                })
            }

            /// The fixed spelling of a keyword or punctuation mark.
            pub fn fixed_text(&self) -> Option<&'static str> {
                Some(match self {
                    $(Tok::$keyword => $word,)*
                    $(Tok::$mark => $text,)*
                    Tok::Dot => ".",
                    _ => return None,
                })
            }
        }
    };
}

tokens! {
    keywords {
        After "after",
        Begin "begin",
        Case "case",
        Try "try",
        Cond "cond",
        Catch "catch",
        Andalso "andalso",
        Orelse "orelse",
        End "end",
        Fun "fun",
        If "if",
        Let "let",
        Of "of",
        Receive "receive",
        When "when",
        Bnot "bnot",
        Not "not",
        Div "div",
        Rem "rem",
        Band "band",
        And "and",
        Bor "bor",
        Bxor "bxor",
        Bsl "bsl",
        Bsr "bsr",
        Or "or",
        Xor "xor",
        Maybe "maybe",
        Else "else",
    }
    punctuation {
        LParen "(",
        RParen ")",
        LBrace "{",
        RBrace "}",
        LBracket "[",
        RBracket "]",
        LBin "<<",
        RBin ">>",
        Comma ",",
        Semicolon ";",
        Colon ":",
        ColonColon "::",
        ColonEq ":=",
        Arrow "->",
        FatArrow "=>",
        LArrow "<-",
        LFatArrow "<=",
        StrictLArrow "<:-",
        StrictLFatArrow "<:=",
        AndAnd "&&",
        Bar "|",
        BarBar "||",
        Hash "#",
        Question "?",
        QuestionEq "?=",
        Bang "!",
        Match "=",
        EqEq "==",
        NotEq "/=",
        LessEq "=<",
        Less "<",
        GreaterEq ">=",
        Greater ">",
        ExactEq "=:=",
        ExactNe "=/=",
        Plus "+",
        Minus "-",
        Star "*",
        Slash "/",
        PlusPlus "++",
        MinusMinus "--",
        DotDot "..",
        Ellipsis "...",
        Period ". (not followed by white space)",
    }
}

impl fmt::Display for Tok {
    /// As the token would be written; used by `??Arg` and in messages. Escaped characters in strings are written as themselves where
    /// `io_lib:write_string/1` does so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tok::Atom(atom) => f.write_str(&quoted_atom(*atom)),
            Tok::Var(name) => f.write_str(name.as_str()),
            Tok::Integer(value) => write!(f, "{value}"),
            Tok::BigInteger(value) => write!(f, "{value}"),
            Tok::Float(value) => f.write_str(&float_text(*value)),
            Tok::Char(c) => {
                f.write_str("$")?;
                write_char(f, *c, None)
            }
            Tok::String(text) => {
                f.write_str("\"")?;
                text.chars().try_for_each(|c| write_char(f, c, Some('"')))?;
                f.write_str("\"")
            }
            Tok::SigilPrefix(kind) => write!(f, "~{kind}"),
            Tok::SigilSuffix(suffix) => f.write_str(suffix),
            Tok::Other(c) => write!(f, "{c}"),
            Tok::Period => f.write_str("."),
            _ => f.write_str(self.fixed_text().expect("the other tokens are keywords and marks")),
        }
    }
}

/// One character of a literal as `io_lib:write_string/1` and `io_lib:write_char/1` write it. Space is `\s` in a char literal only.
fn write_char(f: &mut fmt::Formatter<'_>, c: char, quote: Option<char>) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\u{b}' => f.write_str("\\v"),
        '\u{8}' => f.write_str("\\b"),
        '\u{c}' => f.write_str("\\f"),
        '\u{1b}' => f.write_str("\\e"),
        '\u{7f}' => f.write_str("\\d"),
        '\\' => f.write_str("\\\\"),
        ' ' if quote.is_none() => f.write_str("\\s"),
        _ if Some(c) == quote => write!(f, "\\{c}"),
        _ if (c as u32) < 0x20 || (0x80..0xa0).contains(&(c as u32)) => {
            write!(f, "\\{:03o}", c as u32)
        }
        _ if (c as u32) > 0xff => write!(f, "\\x{{{:X}}}", c as u32),
        _ => write!(f, "{c}"),
    }
}

/// A text in such quotes, escaped as in a literal.
pub fn quoted_with(text: &str, quote: char) -> String {
    struct Quoted<'a>(&'a str, char);
    impl fmt::Display for Quoted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.chars().try_for_each(|c| write_char(f, c, Some(self.1)))
        }
    }
    format!("{quote}{}{quote}", Quoted(text, quote))
}

/// An atom, quoted where the scanner needs it.
pub fn quoted_atom(atom: Atom) -> String {
    let name = atom.as_str();
    let plain = name
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_lowercase() || (('ß'..='ÿ').contains(&c) && c != '÷'))
        && name.chars().all(is_name_char)
        && Tok::keyword(name).is_none_or(|tok| matches!(tok, Tok::Maybe | Tok::Else));
    if plain {
        return name.to_owned();
    }
    struct Quoted<'a>(&'a str);
    impl fmt::Display for Quoted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("'")?;
            self.0.chars().try_for_each(|c| {
                if (c as u32) > 0xff {
                    write!(f, "{c}")
                } else {
                    write_char(f, c, Some('\''))
                }
            })?;
            f.write_str("'")
        }
    }
    Quoted(name).to_string()
}

/// Whether the character may occur in a variable or plain atom after the first character.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '@' || (('À'..='ÿ').contains(&c) && c != '×' && c != '÷')
}

/// The shortest text that reads back as the same float, in Erlang's layout.
pub fn float_text(value: f64) -> String {
    let text = format!("{value:?}");
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text.as_str(), None),
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    match exponent {
        Some(exponent) => format!("{mantissa}{point}e{exponent}"),
        None => format!("{mantissa}{point}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_quoted_when_needed() {
        assert_eq!(quoted_atom(Atom::new("foo@bar_1")), "foo@bar_1");
        assert_eq!(quoted_atom(Atom::new("Foo")), "'Foo'");
        assert_eq!(quoted_atom(Atom::new("")), "''");
        assert_eq!(quoted_atom(Atom::new("it's")), "'it\\'s'");
        assert_eq!(quoted_atom(Atom::AFTER), "'after'");
        assert_eq!(quoted_atom(Atom::ELSE), "else");
    }

    #[test]
    fn literals_are_written_as_erlang_does() {
        assert_eq!(Tok::String("a\"b\n\u{1}".into()).to_string(), r#""a\"b\n\001""#);
        assert_eq!(Tok::Char(' ').to_string(), "$\\s");
        assert_eq!(Tok::Float(1e22).to_string(), "1.0e22");
        assert_eq!(Tok::Float(1.5).to_string(), "1.5");
    }
}
