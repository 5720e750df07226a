//! Atoms as Elixir source writes them.

use super::push_escaped;
use crate::print::text::Text;

/// Operators that are atoms without quotes.
const OPERATORS: [&str; 48] = [
    "!", "!=", "!==", "%", "%{}", "&", "&&", "&&&", "*", "**", "+", "++", "+++", "-", "--", "---", "->", ".", "..",
    "...", "..//", "/", "<", "<-", "<<<", "<<~", "<<>>", "<=", "<>", "<~", "<~>", "=", "==", "===", "=~", ">", ">=",
    ">>>", "@", "^", "{}", "|", "|>", "||", "|||", "~>", "~>>", "\\\\",
];
/// Of these, the ones that cannot be called.
const NOT_CALLED: [&str; 9] = ["%", "%{}", "->", ".", "..", "...", "..//", "<<>>", "{}"];
/// Not atoms without quotes, but names of functions.
const ONLY_CALLED: [&str; 3] = ["<|>", "::", "^^^"];

/// An atom: `:ok`, `nil`, `Account`, `:"hello world"`, `:+`.
pub fn push_literal(out: &mut Text, name: &str) {
    match name {
        "nil" | "true" | "false" => out.push_str(name),
        _ => match module_name(name) {
            Some(module) => out.push_str(module),
            None => {
                out.push_ascii(b':');
                push_quoted_unless(out, name, is_bare(name));
            }
        },
    }
}

/// The name of a module of Elixir without its beginning.
#[must_use]
pub fn module_name(name: &str) -> Option<&str> {
    if name == "Elixir" {
        return Some(name);
    }
    let rest = name.strip_prefix("Elixir.")?;
    let is_alias = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    rest.split('.').all(is_alias).then_some(rest)
}

/// The key of a keyword, with its colon and a blank.
pub fn push_key(out: &mut Text, name: &str) {
    push_quoted_unless(out, name, name != "Elixir" && is_bare(name));
    out.push_str(": ");
}

/// The name of a function in a call.
pub fn push_callable(out: &mut Text, name: &str) {
    let is_operator =
        |name: &str| OPERATORS.contains(&name) && !NOT_CALLED.contains(&name) || ONLY_CALLED.contains(&name);
    let is_name = is_variable(name) && !name.contains('@');
    push_quoted_unless(out, name, is_name || is_operator(name));
}

fn push_quoted_unless(out: &mut Text, name: &str, is_bare: bool) {
    if is_bare {
        return out.push_str(name);
    }
    out.push_ascii(b'"');
    push_escaped(out, name, '"');
    out.push_ascii(b'"');
}

/// Needs the atom no quotes?
fn is_bare(name: &str) -> bool {
    OPERATORS.contains(&name) || is_identifier(name)
}

/// Could it be the name of a variable or a function?
#[must_use]
pub fn is_variable(name: &str) -> bool {
    is_identifier(name) && !name.starts_with(char::is_uppercase)
}

fn is_identifier(name: &str) -> bool {
    let inner = name.strip_suffix(['?', '!']).unwrap_or(name);
    let mut characters = inner.chars();
    let is_first = |c: char| c == '_' || c.is_alphabetic() && !is_numeral(c);
    let is_next = |c: char| {
        matches!(c, '_' | '@' | '·') || c.is_ascii_digit() || c.is_alphabetic() && !is_numeral(c) || is_mark(c)
    };
    characters.next().is_some_and(is_first) && characters.all(is_next)
}

/// Roman numerals are alphabetic, and not in names.
const fn is_numeral(c: char) -> bool {
    matches!(c, '\u{2150}'..='\u{218f}' | '\u{24b6}'..='\u{24e9}')
}

/// Marks that are combined with the letter before.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// One character of a text in this quote.
pub fn push_char(out: &mut Text, c: u32, quote: char) {
    let letter = match c {
        _ if c == quote as u32 || c == u32::from(b'\\') => c as u8,
        0 => b'0',
        7 => b'a',
        8 => b'b',
        9 => b't',
        0x0a => b'n',
        0x0b => b'v',
        0x0c => b'f',
        0x0d => b'r',
        0x1b => b'e',
        0x7f => b'd',
        0x01..=0x1f | 0x80..=0x9f => return out.push_str(&format!("\\x{c:02X}")),
        _ => return out.push(c),
    };
    out.push_ascii(b'\\');
    out.push_ascii(letter);
}
