//! The script of the page: its parts, joined in one block, so that none of their names is one of the window.
//!
//! A part is written as a module of JavaScript, with what it takes from parts above and what it gives to parts below. What only its reader needs is
//! left out of the page: `import`, `export`, comments, indentation, and spaces beside signs.

/// The name and the text of each part, in the order in which they run.
macro_rules! parts {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../page/script/", $name, ".js")))),*]
    };
}

/// Each takes only from those above it.
const PARTS: [(&str, &str); 33] = parts![
    // The facts, and words for them.
    "elements" "data" "words" "graph" "state" "story"
    // What stands where.
    "rows" "items" "lanes" "edges"
    // What is drawn.
    "marks" "picture" "badges" "row" "lines" "highlight" "drawing" "heads" "rail" "view"
    // What is told.
    "rich_text" "headline" "panel_parts" "why_panel" "source_panel" "action_panel" "panel"
    // What a reader asks for.
    "selection" "search" "keys" "legend" "print" "start"
];

/// The whole script.
pub fn script() -> String {
    let mut out = String::from("'use strict';\n{\n");
    for (_, text) in PARTS {
        let mut import = false;
        for line in text.lines().map(str::trim) {
            import |= line.starts_with("import ");
            if !import && !line.is_empty() && !line.starts_with("//") {
                squeeze(line.strip_prefix("export ").unwrap_or(line), &mut out);
            }
            import &= !line.ends_with(';');
        }
    }
    out.push_str("}\n");
    out
}

/// Adds a line without the spaces beside signs. Quoted texts stay as they are, and so does a line with anything that is not quoted by '.
fn squeeze(line: &str, out: &mut String) {
    if line.contains(['"', '\x60', '/', '\\']) {
        out.push_str(line);
    } else {
        for (k, piece) in line.split('\'').enumerate() {
            if k > 0 {
                out.push('\'');
            }
            match k % 2 {
                0 => squeeze_code(piece, out),
                _ => out.push_str(piece),
            }
        }
    }
    // Where a line goes on or a statement has ended, no line needs to end.
    if !line.ends_with([';', '{', ',', '(', '[']) {
        out.push('\n');
    }
}

/// `+` and `-` are no such signs: two of them have a meaning of their own.
fn squeeze_code(code: &str, out: &mut String) {
    let is_sign = |c: Option<char>| c.is_some_and(|c| "=,?:&|<>(){}[];*".contains(c));
    let mut before = None;
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c != ' ' || !(is_sign(before) || is_sign(chars.peek().copied())) {
            out.push(c);
        }
        before = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::{BTreeMap, BTreeSet};

    /// What a part takes: names, and the part that gives them.
    fn imports(text: &str) -> Vec<(Vec<&str>, &str)> {
        let statements = text.split(';').map(str::trim);
        let imports = statements.filter_map(|one| one.rsplit_once("import {").map(|(_, rest)| rest));
        let parsed = imports.map(|one| {
            let (names, from) = one.split_once("} from './").expect("a list of names, and a part");
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            (names.collect(), from.strip_suffix(".js'").expect("a part is a file"))
        });
        parsed.collect()
    }

    /// The names that a part declares outside of functions, and whether it gives them.
    fn declared(text: &str) -> Vec<(&str, bool)> {
        let declaration = |line: &str| -> Option<(usize, bool)> {
            let exported = line.starts_with("export ");
            let start = if exported { "export ".len() } else { 0 };
            let words = ["const ", "let ", "class ", "function ", "async function "];
            let word = words.iter().find(|word| line[start..].starts_with(**word))?;
            Some((start + word.len(), exported))
        };
        let found = text.lines().filter_map(|line| {
            let (at, exported) = declaration(line)?;
            let end = line[at..]
                .find(|c: char| !is_of_name(c))
                .map_or(line.len(), |end| at + end);
            Some((&line[at..end], exported))
        });
        found.collect()
    }

    fn is_of_name(c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_' || c == '$'
    }

    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !is_of_name(c))
    }

    #[test]
    fn each_part_is_read_in_one_sitting() {
        for (name, text) in PARTS {
            assert!(text.starts_with("// "), "{name} says first what it is for");
            assert!(text.lines().count() <= 200, "{name} has more than 200 lines");
            for line in text.lines() {
                assert!(line.chars().count() <= 140, "{name}: {line}");
            }
        }
    }

    #[test]
    fn all_files_are_parts() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/script");
        let files = std::fs::read_dir(folder).expect("the parts are there");
        let files = files.map(|file| file.expect("a file").file_name().into_string().expect("a plain name"));
        let parts = PARTS.iter().map(|(name, _)| format!("{name}.js"));
        assert_eq!(files.collect::<BTreeSet<_>>(), parts.collect());
    }

    #[test]
    fn what_a_part_takes_is_given_above_and_what_it_gives_is_taken() {
        let mut given: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut taken: BTreeSet<(&str, &str)> = BTreeSet::new();
        for (name, text) in PARTS {
            for (names, from) in imports(text) {
                let above = given
                    .get(from)
                    .unwrap_or_else(|| panic!("{name}: {from} stands not above it"));
                for one in names {
                    assert!(above.contains(one), "{name}: {from} does not give {one}");
                    assert!(
                        words(text).filter(|word| *word == one).count() > 1,
                        "{name} does not use {one}"
                    );
                    taken.insert((from, one));
                }
            }
            let gives = declared(text)
                .into_iter()
                .filter_map(|(one, is_given)| is_given.then_some(one));
            given.insert(name, gives.collect());
        }
        let all = given
            .iter()
            .flat_map(|(name, gives)| gives.iter().map(|one| (*name, *one)));
        assert_eq!(
            all.collect::<BTreeSet<_>>(),
            taken,
            "all that is given is taken by another part"
        );
    }

    #[test]
    fn all_parts_share_one_block_and_no_name_stands_for_two_things() {
        let mut of: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, text) in PARTS {
            for (one, _) in declared(text) {
                assert_eq!(of.insert(one, name), None, "{name}: {one} is there twice");
            }
        }
        let script = script();
        assert!(script.starts_with("'use strict';\n{\n") && script.ends_with("}\n"));
        // No statement of a module is left, and nothing gives a name to the window.
        for word in ["import", "export", "window", "globalThis", "var", "eval"] {
            assert!(!words(&script).any(|other| other == word), "{word}");
        }
    }

    #[test]
    fn what_is_left_out_is_outside_of_texts() {
        for (name, text) in PARTS {
            for line in text.lines() {
                assert!(
                    line.matches('\x60').count() % 2 == 0,
                    "{name}: a template ends in its line: {line}"
                );
                let comment = line.trim_start().starts_with("//");
                assert!(
                    comment || !(line.contains(" // ") || line.contains("/*")),
                    "{name}: {line}"
                );
            }
        }
        let squeezed = |line: &str| {
            let mut out = String::new();
            squeeze(line, &mut out);
            out
        };
        assert_eq!(
            squeezed("const a = b ? [c, -1] : { d: 'a = b, c' };"),
            "const a=b?[c,-1]:{d:'a = b, c'};"
        );
        assert_eq!(squeezed("const text = `a = ${b}`"), "const text = `a = ${b}`\n");
        assert_eq!(squeezed("a = /x = y/.test(b)"), "a = /x = y/.test(b)\n");
        assert_eq!(squeezed("a = b + +c - -d"), "a=b + +c - -d\n");
        assert_eq!(squeezed("return in_a instanceof B"), "return in_a instanceof B\n");
    }
}
