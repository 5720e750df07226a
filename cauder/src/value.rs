//! Compares the value that CauDEr's tracer saw returned with the one that the program returned here.

use interpreter::heap::Heap;
use interpreter::print::{self, PrettyOptions, Style};
use interpreter::term::Term;
use interpreter::vm::Program;

use super::text::{Placed, TermReader, Word};

/// Limit: characters of a value that are written; longer ones are not compared.
const LONGEST: i64 = 1_000_000;

/// A term as `~p` writes it.
pub fn written(heap: &Heap, term: Term, program: &Program) -> String {
    let options = PrettyOptions {
        line_length: 0,
        chars_limit: LONGEST,
        ..PrettyOptions::new(Style::latin1(program))
    };
    print::pretty(heap, term, &options)
}

/// Is the value that was written here the logged one? `None`: unknown.
pub fn same(logged: &[Placed], here: &str) -> Option<bool> {
    if here.len() as i64 > LONGEST / 2 {
        return None;
    }
    let text = format!("{here} .");
    let form = TermReader::new(&text).form().ok().flatten()?;
    Some(plain(logged)? == plain(&form.words)?)
}

/// Words that are the same for the same value, however it was written. `None` for what has no unique text: pids, references, funs, bitstrings,
/// and maps, whose order differs between versions of OTP.
fn plain(words: &[Placed]) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    let mut bits = 0;
    let mut string = false;
    for (i, (word, _)) in words.iter().enumerate() {
        let next = words.get(i + 1).map(|(word, _)| word);
        match word {
            Word::Opaque(_) | Word::Mark('#' | ':' | '/') => return None,
            Word::Mark('<') if next == Some(&Word::Mark('<')) => bits += 1,
            Word::Mark('>') if next == Some(&Word::Mark('>')) => bits -= 1,
            _ => {}
        }
        match word {
            Word::Other(text) if text.starts_with('"') => {
                let chars: Vec<char> = TermReader::unescaped(text)?.chars().collect();
                // A long string is written in pieces.
                if string {
                    if bits == 0 && all.last().is_some_and(|last| last == "]") {
                        all.pop();
                    }
                    if !chars.is_empty() && all.last().is_some_and(|last| last != "[") {
                        all.push(",".to_owned());
                    }
                } else if bits == 0 {
                    all.push("[".to_owned());
                }
                for (i, c) in chars.iter().enumerate() {
                    if i > 0 {
                        all.push(",".to_owned());
                    }
                    all.push(u32::from(*c).to_string());
                }
                if bits == 0 {
                    all.push("]".to_owned());
                }
                string = true;
            }
            Word::Other(text) if text.starts_with('$') => {
                let mut chars = text.chars();
                chars.next();
                let (Some(c), None) = (chars.next(), chars.next()) else {
                    return None;
                };
                all.push(u32::from(c).to_string());
                string = false;
            }
            Word::Other(text) => {
                let number = text.parse::<f64>().ok();
                // The sign of a whole number too large for a word is a word of its own.
                all.push(match number {
                    Some(number) if text.contains('.') => format!("{number:?}"),
                    _ => text.clone(),
                });
                string = false;
            }
            _ => {
                all.push(word.to_string());
                string = false;
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_however_they_are_written() {
        let compare = |logged: &str, here: &str| {
            let text = format!("{logged}.");
            same(&TermReader::new(&text).form().unwrap().unwrap().words, here)
        };
        for (logged, here) in [
            ("{value,\n  2}", "{value,2}"),
            ("[97,98]", "\"ab\""),
            ("\"ab\"\n \"cd\"", "\"abcd\""),
            ("\"\"", "[]"),
            ("[{1,\"a\\n\"}|b]", "[{1,[97,10]}|b]"),
            ("<<\"ab\">>", "<<97,98>>"),
            ("<<>>", "<<>>"),
            ("1.0e3", "1000.0"),
            ("-5", "-5"),
            ("'\\x{65E5}'", "'日'"),
            ("'a b'", "'a b'"),
        ] {
            assert_eq!(compare(logged, here), Some(true), "{logged} and {here}");
        }
        for (logged, here) in [
            ("2", "3"),
            ("{value,2}", "{value,3}"),
            ("\"ab\"", "\"abc\""),
            ("'2'", "2"),
            ("<<\"ab\">>", "[97,98]"),
            ("1.0", "1"),
            ("[a]", "{a}"),
        ] {
            assert_eq!(compare(logged, here), Some(false), "{logged} and {here}");
        }
        for (logged, here) in [("<0.82.0>", "<0.1.0>"), ("#{a=>1,b=>2}", "#{b=>2,a=>1}")] {
            assert_eq!(compare(logged, here), None, "{logged} and {here}");
        }
    }
}
