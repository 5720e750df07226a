//! Warnings (`-W`) against what OTP's compiler says of the same modules: `warnings/capture.sh` captured it.

use syntax::{NoIncludes, ReadOptions, parse_module};

fn compare(name: &str, source: &str, expected: &str) {
    let parsed =
        parse_module(name, source.as_bytes(), &ReadOptions::default(), &NoIncludes).expect("the module is right");
    let mut found: Vec<(u32, u16, String)> = parsed
        .warnings
        .into_iter()
        .map(|warning| (warning.loc.line, warning.loc.col, warning.message))
        .collect();
    found.sort();
    let found: Vec<String> = found
        .iter()
        .map(|(line, col, text)| format!("{line}:{col}: {text}"))
        .collect();
    assert_eq!(found, expected.lines().collect::<Vec<_>>());
}

#[test]
fn all_kinds() {
    compare(
        "all_kinds.erl",
        include_str!("warnings/all_kinds.erl"),
        include_str!("warnings/all_kinds.warnings"),
    );
}

#[test]
fn unwanted_values_and_unreachable_clauses() {
    compare(
        "unwanted.erl",
        include_str!("warnings/unwanted.erl"),
        include_str!("warnings/unwanted.warnings"),
    );
}

#[test]
fn what_constants_decide() {
    compare(
        "always.erl",
        include_str!("warnings/always.erl"),
        include_str!("warnings/always.warnings"),
    );
}

#[test]
fn fields_exported_variables_and_callbacks() {
    compare(
        "fields_and_exports.erl",
        include_str!("warnings/fields_and_exports.erl"),
        include_str!("warnings/fields_and_exports.warnings"),
    );
}

#[test]
fn clauses_that_earlier_ones_hide() {
    compare(
        "hidden.erl",
        include_str!("warnings/hidden.erl"),
        include_str!("warnings/hidden.warnings"),
    );
}
