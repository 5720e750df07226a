//! The binary itself. Its behaviour with programs is tested end to end in `tests/`, with the binary that Cargo builds for this file.

use std::process::Command;

#[test]
fn the_binary_says_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_tracer"))
        .arg("--version")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let expected = format!("tracer {}", env!("CARGO_PKG_VERSION"));
    assert!(output.stdout.starts_with(expected.as_bytes()), "{output:?}");
}

#[test]
fn an_unknown_option_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_tracer"))
        .args(["run", "--no-such-option"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
