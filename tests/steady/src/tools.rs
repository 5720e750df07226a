//! Tools that a machine may lack.

use std::io::Write;
use std::process::Command;

/// What every tool answers at once. `None`: a tool that no test needs.
fn question(tool: &str) -> Option<&'static [&'static str]> {
    Some(match tool {
        "strace" => &["-V"],
        "git" | "node" | "python3" | "rebar3" | "mix" | "elixirc" => &["--version"],
        "erl" => &["-noshell", "-eval", "halt()."],
        _ => return None,
    })
}

/// Whether a tool is installed and runs. If not, the running test is skipped: it says so, and the caller returns.
///
/// # Panics
/// When the tool is missing where all tools are needed; see [`skipped`].
#[must_use]
pub fn has(tool: &str) -> bool {
    let words = question(tool).unwrap_or_else(|| panic!("{tool}: what does it answer? Add it to the table"));
    let runs = Command::new(tool).args(words).output();
    let there = runs.is_ok_and(|output| output.status.success());
    if !there {
        skipped(&format!("{tool} is not installed"));
    }
    there
}

/// Whether Erlang/OTP 25 is installed: others print other texts.
///
/// # Panics
/// When it is missing where all tools are needed; see [`skipped`].
#[must_use]
pub fn has_otp_25() -> bool {
    let asked = Command::new("erl")
        .args([
            "-noshell",
            "-eval",
            "io:put_chars(erlang:system_info(otp_release)), halt().",
        ])
        .output();
    let release = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    match release.as_deref() {
        Ok("25") => return true,
        Ok(other) => skipped(&format!("Erlang/OTP 25 is not installed; there is {other:?}")),
        Err(_) => skipped("erl is not installed"),
    }
    false
}

/// Says that the running test is skipped, and why: on standard error, and in the file that `SKIPPED` names, from which `.ci/run` counts.
///
/// # Panics
/// When `NEED_TOOLS` is set, as in `.ci/full`: there, everything is tested.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    assert!(
        std::env::var_os("NEED_TOOLS").is_none(),
        "{test} cannot be skipped here: {why}"
    );
    let line = format!("skipped: {test}: {why}\n");
    // Not with `eprintln!`: the test runner keeps that of a test that passes.
    let _untold = std::io::stderr().write_all(line.as_bytes());
    if let Some(list) = std::env::var_os("SKIPPED") {
        let list = std::fs::OpenOptions::new().append(true).create(true).open(&list);
        // One write: other tests write, too.
        let written = list.and_then(|mut list| list.write_all(line.as_bytes()));
        written.expect("the file that SKIPPED names can be written");
    }
}
