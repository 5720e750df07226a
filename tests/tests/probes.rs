//! Facts stay facts: what explains a run asks the data of its actions, and looks for no words in lines of source, rendered terms or sentences; so does
//! the script of the page. This finds the places where they do. Each that is allowed is listed with its reason in `probes.txt`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What explains: folders and files.
const EXPLAIN: [&str; 14] = [
    "why/src",
    "decisive/src",
    "delay/src",
    "check/src",
    "replayer/src",
    "report/src",
    "multiverse/src",
    "session/src/act.rs",
    "session/src/called.rs",
    "session/src/content.rs",
    "session/src/scene.rs",
    "session/src/shared.rs",
    "session/src/shown",
    "report/page/script",
];

/// Ways to look into a text.
const METHODS: [&str; 17] = [
    "contains",
    "starts_with",
    "ends_with",
    "find",
    "rfind",
    "split",
    "splitn",
    "rsplit",
    "rsplitn",
    "split_once",
    "rsplit_once",
    "strip_prefix",
    "strip_suffix",
    "match_indices",
    "trim_matches",
    "trim_start_matches",
    "trim_end_matches",
];

/// Ways to look into a text in JavaScript.
const SCRIPT_METHODS: [&str; 12] = [
    ".test(",
    ".exec(",
    ".match(",
    ".matchAll(",
    ".replace(",
    ".replaceAll(",
    ".split(",
    ".search(",
    ".startsWith(",
    ".endsWith(",
    ".lastIndexOf(",
    "new RegExp(",
];

/// Ways to look into a text or a list in JavaScript.
const SCRIPT_LOOKS: [&str; 2] = [".includes(", ".indexOf("];

/// The same places in a part of the page's script. A list that is written there, or is a constant, is no text.
fn script_probes(path: &str, source: &str) -> Vec<String> {
    let looks = |line: &str, method: &str| {
        let mut calls = line.match_indices(method);
        calls.any(|(at, _)| {
            let name: String = line[..at].chars().rev().take_while(|c| is_of_name(*c)).collect();
            let is_constant = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            !line[..at].ends_with(']') && !is_constant
        })
    };
    let lines = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let found = lines.filter(|line| {
        SCRIPT_METHODS.iter().any(|method| line.contains(method))
            || SCRIPT_LOOKS.iter().any(|method| looks(line, method))
    });
    found.map(|line| format!("{path}: {line}")).collect()
}

const fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// A place where a text is looked into: `path: line of code`.
fn probes(path: &str, source: &str) -> Vec<String> {
    let tests = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    let code = &source[..tests];
    let mut found = Vec::new();
    for method in METHODS {
        let call = format!(".{method}(");
        for (at, _) in code.match_indices(&call) {
            let argument = code[at + call.len()..].trim_start();
            let is_text = ["\"", "'", "['", "[\"", "b\"", "b'", "format!(", "&format!("];
            if is_text.iter().any(|start| argument.starts_with(start)) {
                let from = code[..at].rfind('\n').map_or(0, |at| at + 1);
                let to = code[at..].find('\n').map_or(code.len(), |end| at + end);
                found.push(format!("{path}: {}", code[from..to].trim()));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn sources(place: &Path, list: &mut Vec<PathBuf>) {
    if !place.is_dir() {
        let is_source = place.extension().is_some_and(|kind| kind == "rs" || kind == "js");
        list.extend(is_source.then(|| place.to_path_buf()));
        return;
    }
    for entry in std::fs::read_dir(place).expect("a folder of the tree") {
        sources(&entry.expect("a file of the tree").path(), list);
    }
}

/// An allowed place: the beginning of its path, a part of its line (or nothing: all of the file or folder), and why.
struct Allowed<'t> {
    path: &'t str,
    line: &'t str,
    reason: &'t str,
}

fn allowed(text: &str) -> Vec<Allowed<'_>> {
    let entries = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &'_ str| -> Option<(usize, usize)> {
        let first = line.find(" | ")?;
        let second = line[first + 3..].find(" | ")? + first + 3;
        Some((first, second))
    };
    entries
        .map(|line| {
            let (first, second) = entry(line).unwrap_or_else(|| panic!("{line}: expected PATH | LINE | REASON"));
            Allowed {
                path: &line[..first],
                line: line[first + 3..second].trim(),
                reason: line[second + 3..].trim(),
            }
        })
        .collect()
}

#[test]
fn nothing_that_explains_a_run_looks_for_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let list = allowed(include_str!("probes.txt"));
    let mut used = vec![false; list.len()];
    let mut new = String::new();
    for one in EXPLAIN {
        let mut files = Vec::new();
        assert!(root.join(one).exists(), "{one}");
        sources(&root.join(one), &mut files);
        files.sort();
        for file in files {
            let path = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            let source = std::fs::read_to_string(&file).unwrap();
            // Helpers of tests.
            if path.ends_with("/tests.rs") || path == "why/src/typed.rs" {
                continue;
            }
            let found = match path.ends_with(".js") {
                true => script_probes(&path, &source),
                false => probes(&path, &source),
            };
            for probe in found {
                let fits = |one: &Allowed<'_>| path.starts_with(one.path) && probe.contains(one.line);
                let mut fitting = false;
                for (one, used) in list.iter().zip(&mut used) {
                    if fits(one) {
                        *used = true;
                        fitting = true;
                    }
                }
                if !fitting {
                    let _ = writeln!(new, "{probe}");
                }
            }
        }
    }
    assert!(
        new.is_empty(),
        "a text is looked into; carry the fact instead, or say in tests/tests/probes.txt why not:\n{new}"
    );
    for (one, used) in list.iter().zip(used) {
        assert!(used, "{} | {}: there is no such place", one.path, one.line);
        assert!(!one.reason.is_empty(), "{}: without a reason", one.path);
    }
}

#[test]
fn a_probe_is_found() {
    let source = "fn f(line: &str) -> bool {\n    line.contains(\"cancel\") || known.contains(&line)\n}\n#[cfg(test)]\nmod tests {\n    \
                  fn g() { x.find('a'); }\n}\n";
    assert_eq!(
        probes("why/src/x.rs", source),
        ["why/src/x.rs: line.contains(\"cancel\") || known.contains(&line)"]
    );
    let script = "// a.test(b)\nif (/failed/.test(content(a))) b();\nconst c = text.includes('d') || ['e'].includes(f) || KINDS.includes(f);\n\
                  const d = ['e'].includes(f) || KINDS.includes(f);";
    assert_eq!(script_probes("a.js", script).len(), 2);
    assert_eq!(probes("x", "text\n    .split_once(\n        \": \",\n    )").len(), 1);
}
