//! What is said of wrong modules, against what OTP's compiler says of them: `diagnostics/capture.sh` captured it.

use syntax::diagnostic::DiagnosticKind;
use syntax::{NoIncludes, ReadOptions, parse_module};

const CASES: &str = include_str!("diagnostics/cases.txt");
const EXPECTED: &str = include_str!("diagnostics/cases.expected");

/// Errors and warnings of a case, in the order of their text.
fn found(number: usize, case: &str) -> Vec<String> {
    let source = format!("-module(case{number}).\n-export([main/0]).\n{case}");
    let name = format!("case{number}.erl");
    let diagnostics = match parse_module(&name, source.as_bytes(), &ReadOptions::default(), &NoIncludes) {
        Ok(parsed) => parsed.warnings,
        Err(diagnostics) => diagnostics,
    };
    let line = |found: &syntax::diagnostic::Diagnostic| {
        let kind = if found.kind == DiagnosticKind::Warning {
            "Warning: "
        } else {
            ""
        };
        format!("{}:{}: {kind}{}", found.loc.line, found.loc.col, found.message)
    };
    let mut lines: Vec<String> = diagnostics.iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn wrong_modules_are_refused_with_the_words_and_places_of_erlc() {
    let mut wrong = String::new();
    for (index, case) in CASES.split("%%%%\n").enumerate() {
        let start = format!("{} ", index + 1);
        let lines = EXPECTED.lines().filter_map(|line| line.strip_prefix(&start));
        let mut expected: Vec<&str> = lines.collect();
        expected.sort_unstable();
        let found = found(index + 1, case);
        if found != expected {
            wrong += &format!("{case}  expected {expected:#?}\n  found {found:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
