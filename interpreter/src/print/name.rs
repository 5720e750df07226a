//! Atoms, strings and characters as Erlang source writes them: quotes and escapes.

use super::Encoding;
use super::text::{Text, chars};

/// Reserved words of the scanner: an atom with this name is quoted.
fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "after"
            | "begin"
            | "case"
            | "try"
            | "cond"
            | "catch"
            | "andalso"
            | "orelse"
            | "end"
            | "fun"
            | "if"
            | "let"
            | "of"
            | "receive"
            | "when"
            | "bnot"
            | "not"
            | "div"
            | "rem"
            | "band"
            | "and"
            | "bor"
            | "bxor"
            | "bsl"
            | "bsr"
            | "or"
            | "xor"
    )
}

/// Must an atom of this name be quoted? (Letters beyond Latin-1 always need quotes.)
#[must_use]
pub fn needs_quotes(name: &str) -> bool {
    let mut it = name.chars();
    let starts_small = matches!(it.next(), Some('a'..='z' | 'ß'..='ö' | 'ø'..='ÿ'));
    let is_name_char =
        |c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '@' | 'ß'..='ö' | 'ø'..='ÿ' | 'À'..='Ö' | 'Ø'..='Þ');
    !starts_small || !it.all(is_name_char) || is_reserved(name)
}

/// Reserved words of the scanner from OTP 27 on.
#[must_use]
pub fn is_newer_keyword(name: &str) -> bool {
    matches!(name, "maybe" | "else")
}

/// An atom, quoted if necessary; characters beyond Latin-1 are escaped unless the encoding is Unicode.
pub fn push_atom(out: &mut Text, name: &str, encoding: Encoding) {
    if needs_quotes(name) || out.quotes_maybe && is_newer_keyword(name) {
        let escape = if encoding == Encoding::Latin1 {
            Escape::UnicodeAsLatin1
        } else {
            Escape::Unicode
        };
        out.push_ascii(b'\'');
        for c in name.chars() {
            push_char(out, c as u32, Some('\''), escape);
        }
        out.push_ascii(b'\'');
    } else {
        out.push_str(name);
    }
}

/// Which characters from 160 on are written without escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// All.
    Unicode,
    /// Up to 255; the others as `\x{…}`.
    UnicodeAsLatin1,
}

/// One character of a quoted atom or string; `quote` is the character that must be escaped.
pub fn push_char(out: &mut Text, c: u32, quote: Option<char>, escape: Escape) {
    if quote.is_some_and(|q| q as u32 == c) {
        out.push_ascii(b'\\');
        return out.push(c);
    }
    let letter = match c {
        0x5c => b'\\',
        0x20..=0x7e => return out.push(c),
        0xa0..=0xff => return out.push(c),
        0x100.. => {
            match escape {
                Escape::Unicode => out.push(c),
                Escape::UnicodeAsLatin1 => out.push_str(&format!("\\x{{{c:X}}}")),
            }
            return;
        }
        0x0a => b'n',
        0x0d => b'r',
        0x09 => b't',
        0x0b => b'v',
        0x08 => b'b',
        0x0c => b'f',
        0x1b => b'e',
        0x7f => b'd',
        _ => {
            out.push_ascii(b'\\');
            for digit in [c >> 6, c >> 3 & 7, c & 7] {
                out.push_ascii(b'0' + digit as u8);
            }
            return;
        }
    };
    out.push_ascii(b'\\');
    out.push_ascii(letter);
}

/// A double-quoted string of the characters in `slice` (a piece of a [`Text`]).
pub fn push_string(out: &mut Text, slice: &[u8], escape: Escape) {
    out.push_ascii(b'"');
    for c in chars(slice) {
        push_char(out, c, Some('"'), escape);
    }
    out.push_ascii(b'"');
}

/// Is this a printable character of the range?
#[must_use]
pub fn is_printable(c: u32, range: Encoding) -> bool {
    match c {
        0x20..=0x7e | 0x08..=0x0d | 0x1b | 0xa0..=0xff => true,
        0x100..=0xd7ff | 0xe000..=0xfffd | 0x1_0000..=0x10_ffff => range == Encoding::Unicode,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(name: &str, encoding: Encoding) -> String {
        let mut t = Text::new();
        push_atom(&mut t, name, encoding);
        t.into_string_lossy()
    }

    #[test]
    fn atoms_are_quoted_as_the_scanner_needs_it() {
        for plain in ["a", "aB_@9", "ß", "éÖ"] {
            assert_eq!(atom(plain, Encoding::Latin1), plain);
        }
        assert_eq!(atom("", Encoding::Latin1), "''");
        assert_eq!(atom("Abc", Encoding::Latin1), "'Abc'");
        assert_eq!(atom("a÷", Encoding::Latin1), "'a÷'");
        assert_eq!(atom("end", Encoding::Latin1), "'end'");
        assert_eq!(atom("maybe", Encoding::Latin1), "maybe");
        assert_eq!(atom("it's\n\u{1}\u{9f}", Encoding::Latin1), "'it\\'s\\n\\001\\237'");
        assert_eq!(atom("λ", Encoding::Latin1), "'\\x{3BB}'");
        assert_eq!(atom("λ", Encoding::Unicode), "'λ'");
    }
}
