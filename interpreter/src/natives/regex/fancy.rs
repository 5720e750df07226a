//! The natives that `re` had before `pcre`: Perl's regular expressions by the crate `fancy-regex`, after a translation of what PCRE reads differently.
//! Traces of that time hold the `re` of that time, whose calls must have the results that they had then: nothing may be changed here.
//!
//! Without the option `unicode` a byte is a character, as in Erlang/OTP. Not supported, and refused when compiled: recursion, branch reset and callouts.

use std::cell::RefCell;
use std::sync::Arc;

use fancy_regex::Regex;
use rustc_hash::FxHashMap;

use crate::atom::Atom;
use crate::heap::Heap;
use crate::native::{Context, Raise};
use crate::term::Term;

mod classes;

/// What an expression is compiled with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Flags {
    unicode: bool,
    caseless: bool,
    dotall: bool,
    extended: bool,
    multiline: bool,
    ungreedy: bool,
    dollar_endonly: bool,
    no_auto_capture: bool,
    ucp: bool,
}

impl Flags {
    fn read(heap: &Heap, list: Term) -> Result<Self, Raise> {
        let mut flags = Self::default();
        for flag in heap.list(list).ok_or_else(Raise::badarg)? {
            match flag.as_atom().map(Atom::as_str) {
                Some("unicode") => flags.unicode = true,
                Some("caseless") => flags.caseless = true,
                Some("dotall") => flags.dotall = true,
                Some("extended") => flags.extended = true,
                Some("multiline") => flags.multiline = true,
                Some("ungreedy") => flags.ungreedy = true,
                Some("dollar_endonly") => flags.dollar_endonly = true,
                Some("no_auto_capture") => flags.no_auto_capture = true,
                Some("ucp") => flags.ucp = true,
                _ => return Err(Raise::badarg()),
            }
        }
        Ok(flags)
    }
}

/// An expression, and the same with the assertion that the match is not empty where the search began.
struct Compiled {
    regex: Regex,
    not_empty: Regex,
}

type Key = (Vec<u8>, Flags);

thread_local! {
    /// Expressions of this thread: only a memory of what was computed, nothing that a program can see.
    static CACHE: RefCell<FxHashMap<Key, Arc<Compiled>>> = RefCell::default();
}

/// Entries before the cache is emptied.
const CACHE_LIMIT: usize = 256;

/// A text that was searched: many calls in a row search the same one.
struct Subject {
    bytes: Vec<u8>,
    unicode: bool,
    text: String,
    /// Are positions in the bytes and in the text equal?
    plain: bool,
}

/// Longest text that is kept, in bytes.
const SUBJECT_LIMIT: usize = 1 << 24;

thread_local! {
    static SUBJECT: RefCell<Option<Arc<Subject>>> = const { RefCell::new(None) };
}

fn subject(bytes: &[u8], unicode: bool) -> Option<Arc<Subject>> {
    let last = SUBJECT.with_borrow(Clone::clone);
    if let Some(last) = last.filter(|last| last.unicode == unicode && last.bytes == bytes) {
        return Some(last);
    }
    let subject = Arc::new(Subject {
        text: text(bytes, unicode)?,
        plain: unicode || bytes.is_ascii(),
        bytes: bytes.to_vec(),
        unicode,
    });
    if bytes.len() <= SUBJECT_LIMIT {
        SUBJECT.set(Some(Arc::clone(&subject)));
    }
    Some(subject)
}

/// A text as characters: UTF-8, or a character for each byte.
fn text(bytes: &[u8], unicode: bool) -> Option<String> {
    if unicode {
        String::from_utf8(bytes.to_vec()).ok()
    } else {
        Some(bytes.iter().map(|&b| char::from(b)).collect())
    }
}

fn prepared(pattern: &[u8], flags: Flags) -> Result<Arc<Compiled>, (String, usize)> {
    let key = (pattern.to_vec(), flags);
    if let Some(found) = CACHE.with_borrow(|cache| cache.get(&key).map(Arc::clone)) {
        return Ok(found);
    }
    let source = text(pattern, flags.unicode).ok_or_else(|| ("invalid UTF-8 string".to_owned(), 0))?;
    let translated = Translator::new(&source, flags).run()?;
    let mut prefix = String::from("(?");
    for (on, letter) in [
        (flags.caseless, 'i'),
        (flags.dotall, 's'),
        (flags.extended, 'x'),
        (flags.multiline, 'm'),
        (flags.ungreedy, 'U'),
    ] {
        if on {
            prefix.push(letter);
        }
    }
    prefix = if prefix == "(?" { String::new() } else { prefix + ")" };
    let build = |source: &str| Regex::new(source).map_err(|e| (e.to_string(), pattern.len()));
    // A comment of the extended syntax would swallow what follows on its line.
    let end = if flags.extended { "\n" } else { "" };
    let compiled = Arc::new(Compiled {
        regex: build(&format!("{prefix}{translated}"))?,
        not_empty: build(&format!("{prefix}(?:{translated}{end})(?!\\G)"))?,
    });
    CACHE.with_borrow_mut(|cache| {
        if cache.len() >= CACHE_LIMIT {
            cache.clear();
        }
        cache.insert(key, Arc::clone(&compiled));
    });
    Ok(compiled)
}

/// Turns PCRE's syntax into that of the crate.
struct Translator<'s> {
    chars: Vec<char>,
    at: usize,
    out: String,
    flags: Flags,
    source: &'s str,
}

const HORIZONTAL: &str = " \\t\\xa0\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}";
const VERTICAL: &str = "\\n\\x0b\\x0c\\r\\x85\\x{2028}\\x{2029}";

impl<'s> Translator<'s> {
    fn new(source: &'s str, flags: Flags) -> Self {
        Self {
            chars: source.chars().collect(),
            at: 0,
            out: String::new(),
            flags,
            source,
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn literal(&mut self, c: char) {
        if c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii() {
            self.out.push(c);
        } else if c.is_ascii_control() || c == ' ' {
            self.out.push_str(&format!("\\x{:02x}", c as u32));
        } else {
            self.out.push('\\');
            self.out.push(c);
        }
    }

    fn run(mut self) -> Result<String, (String, usize)> {
        while let Some(c) = self.peek(0) {
            self.at += 1;
            match c {
                '\\' => self.escape(false)?,
                '[' => self.class()?,
                '(' => self.group()?,
                '$' if !self.flags.multiline && !self.source.contains("(?m") => {
                    self.out.push_str(if self.flags.dollar_endonly {
                        "\\z"
                    } else {
                        "(?=\\n?\\z)"
                    });
                }
                '{' if !self.is_quantifier() => self.out.push_str("\\{"),
                '}' if !self.closes_quantifier() => self.out.push_str("\\}"),
                c => self.out.push(c),
            }
        }
        Ok(self.out)
    }

    /// After `{`: digits, perhaps a comma and digits, and `}`?
    fn is_quantifier(&self) -> bool {
        let rest: String = self.chars[self.at..].iter().take_while(|&&c| c != '}').collect();
        let closed = self.chars.get(self.at + rest.chars().count()) == Some(&'}');
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        closed
            && match rest.split_once(',') {
                None => digits(&rest),
                Some((low, high)) => digits(low) && (high.is_empty() || digits(high)),
            }
    }

    fn closes_quantifier(&self) -> bool {
        let before: String = self.chars[..self.at - 1]
            .iter()
            .rev()
            .take_while(|&&c| c.is_ascii_digit() || c == ',')
            .collect();
        let open = self.at - 1 - before.chars().count();
        !before.is_empty() && open > 0 && self.chars[open - 1] == '{'
    }

    fn group(&mut self) -> Result<(), (String, usize)> {
        if self.peek(0) == Some('?') {
            match (self.peek(1), self.peek(2)) {
                (Some('#'), _) => {
                    while self.peek(0).is_some_and(|c| c != ')') {
                        self.at += 1;
                    }
                    self.at += 1;
                    return Ok(());
                }
                (Some('\''), _) => {
                    self.at += 2;
                    self.out.push_str("(?<");
                    while let Some(c) = self.peek(0).filter(|&c| c != '\'') {
                        self.out.push(c);
                        self.at += 1;
                    }
                    self.at += 1;
                    self.out.push('>');
                    return Ok(());
                }
                (Some('|' | 'R' | 'C' | '&'), _) | (Some('P'), Some('>')) => {
                    return Err(("not supported: recursion, branch reset or callout".to_owned(), self.at));
                }
                (Some(c), _) if c.is_ascii_digit() => {
                    return Err(("not supported: recursion".to_owned(), self.at));
                }
                _ => {}
            }
            // The letters of `(?` belong to it and are no part of the expression.
            self.out.push_str("(?");
            self.at += 1;
            return Ok(());
        }
        if self.peek(0) == Some('*') {
            return Err(("not supported: verbs `(*…)`".to_owned(), self.at));
        }
        self.out.push_str(if self.flags.no_auto_capture { "(?:" } else { "(" });
        Ok(())
    }

    /// A set of characters, in a class or alone.
    fn set(&mut self, class: bool, members: &str, negated: bool) {
        if class && !negated {
            self.out.push_str(members);
        } else {
            self.out.push_str(if negated { "[^" } else { "[" });
            self.out.push_str(members);
            self.out.push(']');
        }
    }

    /// After `\\p` or `\\P`: a letter, or a name in braces, which `^` negates.
    fn property(&mut self, mut negated: bool) -> Result<(String, bool), (String, usize)> {
        let name: String = match self.peek(0) {
            Some('{') => {
                let Some(end) = self.chars[self.at..].iter().position(|&c| c == '}') else {
                    return Err(("malformed \\P or \\p sequence".to_owned(), self.at));
                };
                let name = self.chars[self.at + 1..self.at + end].iter().collect();
                self.at += end + 1;
                name
            }
            Some(c) => {
                self.at += 1;
                c.to_string()
            }
            None => return Err(("malformed \\P or \\p sequence".to_owned(), self.at)),
        };
        let name = match name.strip_prefix('^') {
            Some(name) => {
                negated = !negated;
                name
            }
            None => &name,
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '&') {
            return Err(("malformed \\P or \\p sequence".to_owned(), self.at));
        }
        Ok((classes::property(name), negated))
    }

    /// After a backslash.
    fn escape(&mut self, class: bool) -> Result<(), (String, usize)> {
        let Some(c) = self.peek(0) else {
            return Err(("\\ at end of pattern".to_owned(), self.at));
        };
        self.at += 1;
        let ucp = self.flags.ucp;
        let [digit, word, space] = [classes::digit(ucp), classes::word(ucp), classes::space(ucp)];
        if matches!(c, 'p' | 'P') {
            let (members, negated) = self.property(c == 'P')?;
            self.set(class, &members, negated);
            return Ok(());
        }
        let mut set = |members: &str, negated: bool| self.set(class, members, negated);
        match c {
            'd' => set(digit, false),
            'D' => set(digit, true),
            'w' => set(word, false),
            'W' => set(word, true),
            's' => set(space, false),
            'S' => set(space, true),
            'h' => set(HORIZONTAL, false),
            'H' => set(HORIZONTAL, true),
            'v' => set(VERTICAL, false),
            'V' => set(VERTICAL, true),
            'N' => set("\\n", true),
            'R' => self.out.push_str("(?:\\r\\n|[\\n\\x0b\\x0c\\r\\x85])"),
            'b' if class => self.out.push_str("\\x08"),
            'b' => self
                .out
                .push_str(&format!("(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))")),
            'B' => self
                .out
                .push_str(&format!("(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))")),
            'Z' => self.out.push_str("(?=\\n?\\z)"),
            'e' => self.out.push_str("\\x1b"),
            'a' => self.out.push_str("\\x07"),
            'f' => self.out.push_str("\\x0c"),
            'n' | 'r' | 't' | 'A' | 'z' | 'G' | 'K' | 'X' => {
                self.out.push('\\');
                self.out.push(c);
            }
            'g' | 'k' if !class => {
                self.out.push('\\');
                self.out.push(c);
                if self.peek(0) == Some('{') {
                    let end = self.chars[self.at..].iter().position(|&c| c == '}').unwrap_or(0);
                    let name: String = self.chars[self.at + 1..self.at + end.max(1)].iter().collect();
                    self.out.push_str(&format!("<{name}>"));
                    self.at += end + 1;
                    if c == 'g' && name.bytes().all(|b| b.is_ascii_digit()) {
                        let keep = self.out.len() - format!("g<{name}>").len();
                        self.out.truncate(keep);
                        self.out.push_str(&name);
                    }
                }
            }
            'Q' => {
                while let Some(c) = self.peek(0) {
                    if c == '\\' && self.peek(1) == Some('E') {
                        self.at += 2;
                        break;
                    }
                    self.at += 1;
                    self.literal(c);
                }
            }
            'E' => {}
            'c' => {
                let letter = self
                    .peek(0)
                    .ok_or_else(|| ("\\c at end of pattern".to_owned(), self.at))?;
                self.at += 1;
                self.out
                    .push_str(&format!("\\x{:02x}", (letter.to_ascii_uppercase() as u32 & 127) ^ 64));
            }
            'x' => {
                let hex = |c: char| c.is_ascii_hexdigit();
                let digits: String = if self.peek(0) == Some('{') {
                    let end = self.chars[self.at..].iter().position(|&c| c == '}').unwrap_or(0);
                    let digits = self.chars[self.at + 1..self.at + end.max(1)].iter().collect();
                    self.at += end + 1;
                    digits
                } else {
                    let digits: String = self.chars[self.at..].iter().take(2).take_while(|c| hex(**c)).collect();
                    self.at += digits.len();
                    digits
                };
                let code = u32::from_str_radix(if digits.is_empty() { "0" } else { &digits }, 16).ok();
                match code.and_then(char::from_u32) {
                    Some(c) => self.out.push_str(&format!("\\x{{{:x}}}", c as u32)),
                    None => return Err(("character value in \\x{} or \\o{} is too large".to_owned(), self.at)),
                }
            }
            '0'..='7' if class || c == '0' => {
                let more: String = self.chars[self.at..]
                    .iter()
                    .take(2)
                    .take_while(|c| ('0'..='7').contains(*c))
                    .collect();
                self.at += more.len();
                let code = u32::from_str_radix(&format!("{c}{more}"), 8).unwrap_or(0);
                self.out.push_str(&format!("\\x{{{code:x}}}"));
            }
            '1'..='9' => {
                self.out.push('\\');
                self.out.push(c);
            }
            c if c.is_ascii_alphabetic() => {
                return Err(("unrecognized character follows \\".to_owned(), self.at - 1));
            }
            c => self.literal(c),
        }
        Ok(())
    }

    /// After `[`.
    fn class(&mut self) -> Result<(), (String, usize)> {
        self.out.push('[');
        if self.peek(0) == Some('^') {
            self.at += 1;
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let Some(c) = self.peek(0) else {
                return Err(("missing terminating ] for character class".to_owned(), self.chars.len()));
            };
            self.at += 1;
            match c {
                ']' if !first => break,
                '\\' => self.escape(true)?,
                '[' if self.peek(0) == Some(':') => {
                    let end = self.chars[self.at..].iter().position(|&c| c == ']');
                    match end {
                        Some(end) if self.chars[self.at + end - 1] == ':' => {
                            let name: String = self.chars[self.at + 1..self.at + end - 1].iter().collect();
                            let (name, negated) = match name.strip_prefix('^') {
                                Some(name) => (name, true),
                                None => (name.as_str(), false),
                            };
                            let Some(members) = classes::posix(name, self.flags.ucp) else {
                                return Err(("unknown POSIX class name".to_owned(), self.at - 1));
                            };
                            self.set(true, &members, negated);
                            self.at += end + 1;
                        }
                        _ => self.out.push_str("\\["),
                    }
                }
                '-' => self.out.push(if self.peek(0) == Some(']') || first {
                    '\u{0}'
                } else {
                    '-'
                }),
                '[' | ']' | '&' | '~' | '^' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                ' ' | '#' | '\t' | '\n' => self.literal(c),
                c => self.out.push(c),
            }
            // A hyphen at an end of the class stands for itself.
            if self.out.ends_with('\u{0}') {
                self.out.pop();
                self.out.push_str("\\-");
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }
}

/// `'$compile'(Pattern, Flags)`: `{ok, Groups, [{Name, Group}]}`, or `{error, {Text, Position}}`.
pub(super) fn compile(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let pattern = cx.heap.bytes(args[0]).ok_or_else(Raise::badarg)?.into_owned();
    let flags = Flags::read(cx.heap, args[1])?;
    match prepared(&pattern, flags) {
        Ok(compiled) => {
            let groups = compiled.regex.captures_len() as i64 - 1;
            let mut names: Vec<(&str, usize)> = compiled
                .regex
                .capture_names()
                .enumerate()
                .filter_map(|(i, n)| Some((n?, i)))
                .collect();
            names.sort_unstable();
            let names: Vec<Term> = names
                .into_iter()
                .map(|(name, group)| {
                    let name = cx.heap.make_binary(name.as_bytes());
                    cx.heap.make_tuple(&[name, Term::small(group as i64)])
                })
                .collect();
            let names = cx.heap.make_list(&names);
            Ok(cx.heap.make_tuple(&[Term::atom(Atom::OK), Term::small(groups), names]))
        }
        Err((message, position)) => {
            let message = cx.heap.make_string(&message);
            let why = cx.heap.make_tuple(&[message, Term::small(position as i64)]);
            Ok(cx.heap.make_tuple(&[Term::atom(Atom::ERROR), why]))
        }
    }
}

/// `'$run'(Pattern, Flags, Subject, Offset, NotEmptyAtStart)`: `nomatch`, or the places `{Start, Length}` of all groups, `{-1, 0}` where one took
/// no part, counted in bytes.
pub(super) fn run(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let pattern = cx.heap.bytes(args[0]).ok_or_else(Raise::badarg)?.into_owned();
    let flags = Flags::read(cx.heap, args[1])?;
    let bytes = cx.heap.bytes(args[2]).ok_or_else(Raise::badarg)?;
    let found = subject(&bytes, flags.unicode);
    let size = bytes.len();
    let offset = args[3]
        .as_small()
        .filter(|&n| n >= 0 && n as usize <= size)
        .ok_or_else(Raise::badarg)? as usize;
    let not_empty = args[4].as_bool().ok_or_else(Raise::badarg)?;
    let compiled = prepared(&pattern, flags).map_err(|_| Raise::badarg())?;
    cx.local.charge = cx.local.charge.saturating_add((size / 10) as u32);
    let found = found.ok_or_else(Raise::badarg)?;
    // Positions in the text of characters, and back; equal where every byte is a character.
    let Subject {
        bytes,
        text: subject,
        plain,
        ..
    } = &*found;
    let plain = *plain;
    let inward = |n: usize| {
        if plain {
            n
        } else {
            bytes[..n].iter().map(|&b| 1 + usize::from(b >= 128)).sum()
        }
    };
    let outward = |n: usize| if plain { n } else { subject[..n].chars().count() };
    let start = inward(offset);
    if !subject.is_char_boundary(start) {
        return Err(Raise::badarg());
    }
    let regex = if not_empty {
        &compiled.not_empty
    } else {
        &compiled.regex
    };
    // Too much backtracking counts as no match, as in Erlang/OTP.
    let Ok(Some(captures)) = regex.captures_from_pos(subject, start) else {
        return Ok(Term::atom(Atom::new("nomatch")));
    };
    let places: Vec<Term> = (0..captures.len())
        .map(|i| {
            let (from, len) = captures.get(i).map_or((-1, 0), |m| {
                let from = outward(m.start());
                (from as i64, (outward(m.end()) - from) as i64)
            });
            cx.heap.make_tuple(&[Term::small(from), Term::small(len)])
        })
        .collect();
    Ok(cx.heap.make_list(&places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    fn places(pattern: &[u8], flags: &[&str], subject: &[u8], offset: i64, not_empty: bool) -> Option<Vec<(i64, i64)>> {
        let mut m = Machine::new();
        let pattern = m.heap.make_binary(pattern);
        let subject = m.heap.make_binary(subject);
        let flags: Vec<Term> = flags.iter().map(|f| atom(f)).collect();
        let flags = m.heap.make_list(&flags);
        let r = m
            .call(run, &[pattern, flags, subject, small(offset), Term::boolean(not_empty)])
            .unwrap();
        let list = m.heap.list(r)?;
        Some(
            list.iter()
                .map(|&t| {
                    let e = m.heap.tuple(t).unwrap();
                    (e[0].small_value(), e[1].small_value())
                })
                .collect(),
        )
    }

    #[test]
    fn syntax_that_differs_is_translated() {
        assert_eq!(places(b"a{b", &[], b"xa{b", 0, false), Some(vec![(1, 3)]));
        assert_eq!(places(b"[a&&b[]+", &[], b"&[b", 0, false), Some(vec![(0, 3)]));
        assert_eq!(places(b"[]x]+", &[], b"]x", 0, false), Some(vec![(0, 2)]));
        assert_eq!(places(b"[-a]+", &[], b"a-", 0, false), Some(vec![(0, 2)]));
        assert_eq!(places(br"\Qa.b\E+", &[], b"a.bb", 0, false), Some(vec![(0, 4)]));
        assert_eq!(places(b"b$", &[], b"ab\n", 0, false), Some(vec![(1, 1)]));
        assert_eq!(places(b"b$", &["dollar_endonly"], b"ab\n", 0, false), None);
        assert_eq!(places(b"[[:digit:]]+", &[], b"a12", 0, false), Some(vec![(1, 2)]));
        assert_eq!(
            places(br"(a)|(b)", &[], b"b", 0, false),
            Some(vec![(0, 1), (-1, 0), (0, 1)])
        );
        assert_eq!(places(b"a(?#note)b", &[], b"ab", 0, false), Some(vec![(0, 2)]));
        assert_eq!(
            places(b"(?'n'a)\\k{n}", &[], b"aa", 0, false),
            Some(vec![(0, 2), (0, 1)])
        );
        assert_eq!(
            places(b"(a)(b)\\g{2}", &[], b"abb", 0, false),
            Some(vec![(0, 3), (0, 1), (1, 1)])
        );
    }

    #[test]
    fn bytes_are_characters_without_unicode() {
        assert_eq!(places(b".", &[], "\u{e5}x".as_bytes(), 1, false), Some(vec![(1, 1)]));
        assert_eq!(
            places(b".", &["unicode"], "\u{e5}x".as_bytes(), 0, false),
            Some(vec![(0, 2)])
        );
        // OTP compiles without `unicode` with tables of Latin-1.
        assert_eq!(places(br"\w+", &[], b"\xe5b", 0, false), Some(vec![(0, 2)]));
        assert_eq!(places(&[0xe5], &["caseless"], &[0xc5], 0, false), Some(vec![(0, 1)]));
    }

    #[test]
    fn empty_matches_can_be_refused() {
        assert_eq!(places(b"a*", &[], b"ba", 0, false), Some(vec![(0, 0)]));
        assert_eq!(places(b"a*", &[], b"ba", 1, true), Some(vec![(1, 1)]));
        assert_eq!(places(b"a*?", &[], b"aa", 0, true), Some(vec![(0, 1)]));
        assert_eq!(places(b"x*", &["extended"], b"", 0, true), None);
    }

    #[test]
    fn what_is_not_supported_is_refused() {
        let mut m = Machine::new();
        for bad in [&b"(a"[..], b"(?R)", b"[a", b"a\\", b"(?|a)", b"(*FAIL)"] {
            let pattern = m.heap.make_binary(bad);
            let r = m.call(compile, &[pattern, Term::NIL]).unwrap();
            assert_eq!(m.heap.tuple(r).unwrap()[0], atom("error"), "{bad:?}");
        }
    }
}
