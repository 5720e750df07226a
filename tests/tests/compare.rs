//! `tracer compare`, with a fake Erlang/OTP: `erlc` and `erl` are scripts, so that the tests run without an installed one.

use std::path::Path;
use std::process::Command;

use tests::{BinaryRun, CommandOutcome, Folder};

const PROGRAM: &str = "-module(p).\n-export([main/0]).\nmain() -> io:format(\"one~ntwo~n\").\n";

/// Writes an executable script. A shell does it: if this process wrote the file, a child that another test starts meanwhile would still have it
/// open for writing for a moment, and the script could not be executed ("Text file busy").
fn script(folder: &Path, name: &str, text: &str) {
    let status = Command::new("sh")
        .args([
            "-c",
            "printf '#!/bin/sh\n%s\n' \"$2\" >\"$1\" && chmod 755 \"$1\"",
            "sh",
        ])
        .arg(folder.join(name))
        .arg(text)
        .status()
        .expect("a shell can be run");
    assert!(status.success(), "the script {name} cannot be written");
}

/// Compares `p.erl` with what these scripts do.
fn compare(erlc: Option<&str>, erl: Option<&str>) -> CommandOutcome {
    let folder = Folder::new("compare");
    folder.write("p.erl", PROGRAM);
    let path = folder.path().join("bin");
    std::fs::create_dir(&path).expect("a folder can be made");
    for (name, text) in [("erlc", erlc), ("erl", erl)] {
        if let Some(text) = text {
            script(&path, name, text);
        }
    }
    BinaryRun::new("tracer", folder.path(), ["compare", "p.erl"])
        .env("PATH", &path.display().to_string())
        .run()
}

#[test]
fn the_same_behaviour_is_no_difference() {
    let outcome = compare(Some("exit 0"), Some("echo one; echo two")).expect(0);
    assert_eq!(
        outcome.out(),
        "same: 8 bytes of standard output, 0 of error reports, exit status 0\n"
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn that_erl_writes_a_dump_is_no_difference() {
    let erl = "echo one; echo two; echo 'Crash dump is being written to: erl_crash.dump...done' >&2";
    let outcome = compare(Some("exit 0"), Some(erl)).expect(0);
    assert!(outcome.out().starts_with("same: "), "{}", outcome.out());
}

#[test]
fn the_first_differing_line_and_the_status_are_shown() {
    let outcome = compare(Some("exit 0"), Some("echo one; echo three; exit 3")).expect(1);
    assert_eq!(
        outcome.out(),
        "standard output, line 2:\n  erl    three\n  tracer two\nexit status: erl 3, tracer 0\n"
    );
}

#[test]
fn both_read_the_same_input() {
    let folder = Folder::new("compare-input");
    folder.write(
        "p.erl",
        "-module(p).\n-export([main/0]).\nmain() -> io:put_chars(io:get_line(\"\")).\n",
    );
    folder.write("in.txt", "a line\nanother\n");
    let path = folder.path().join("bin");
    std::fs::create_dir(&path).expect("a folder can be made");
    script(&path, "erlc", "exit 0");
    script(&path, "erl", "read line; echo \"$line\"");
    let run = |args: [&str; 4]| {
        BinaryRun::new("tracer", folder.path(), args)
            .env("PATH", &path.display().to_string())
            .run()
    };
    let outcome = run(["compare", "--input", "in.txt", "p.erl"]).expect(0);
    assert_eq!(
        outcome.out(),
        "same: 7 bytes of standard output, 0 of error reports, exit status 0\n"
    );
    let missing = run(["compare", "--input", "no.txt", "p.erl"]).expect(66);
    assert!(missing.stderr.contains("cannot read no.txt"), "{}", missing.stderr);
}

#[test]
fn error_reports_are_compared_without_times_and_pids() {
    let report = "echo '=ERROR REPORT==== 1-Jan-2024::00:00:00 ===' >&2; echo 'Error in process <0.80.0> here' >&2; echo one; echo two";
    let outcome = compare(Some("exit 0"), Some(report)).expect(1);
    assert_eq!(
        outcome.out(),
        "error report, line 1:\n  erl    =ERROR REPORT====\n  tracer \n"
    );
}

#[test]
fn modules_and_applications_that_are_only_named_are_there_for_both() {
    let folder = Folder::new("compare-named");
    folder.write(
        "p.erl",
        "-module(p).\n-export([main/0]).\nmain() -> io:format(\"~p~n\", [application:start(counters_app)]).\n",
    );
    folder.write(
        "counters_app.app",
        "{application, counters_app, [{mod, {counters_start, []}}]}.\n",
    );
    folder.write(
        "counters_start.erl",
        "-module(counters_start).\n-export([start/2, stop/1, init/1]).\n\
         start(_, _) -> supervisor:start_link(?MODULE, []).\nstop(_) -> ok.\n\
         init([]) -> {ok, {#{}, [#{id => a, start => {'counters_child', start, []}}]}}.\n",
    );
    folder.write(
        "counters_child.erl",
        "-module(counters_child).\n-export([start/0]).\nstart() -> {ok, spawn_link(timer, sleep, [infinity])}.\n",
    );
    // Not named by the program: not compiled. A module of the library is not the program's.
    folder.write("stranger.erl", "-module(stranger).\n");
    folder.write("application.erl", "-module(application).\n");
    let path = folder.path().join("bin");
    std::fs::create_dir(&path).expect("a folder can be made");
    script(&path, "erlc", "for last; do :; done; echo \"${last##*/}\" >>\"$LIST\"");
    script(
        &path,
        "erl",
        "while [ \"$1\" != -pa ]; do shift; done; ls \"$2\" >>\"$LIST\"; echo ok",
    );
    let list = folder.path().join("list");
    let outcome = BinaryRun::new("tracer", folder.path(), ["compare", "p.erl"])
        .env("PATH", &format!("{}:/usr/bin:/bin", path.display()))
        .env("LIST", &list.display().to_string())
        .run()
        .expect(0);
    assert!(outcome.out().starts_with("same: 3 bytes"), "{}", outcome.out());
    let list = std::fs::read_to_string(list).expect("the scripts have written it");
    assert_eq!(
        list,
        "p.erl\ncounters_child.erl\ncounters_start.erl\ntracer_compare_harness.erl\n\
         counters_app.app\ntracer_compare_harness.erl\n"
    );
}

/// Stack traces name a file as it was given to the compiler: both compilers are given the same name.
#[test]
fn a_program_in_a_folder_is_compiled_by_the_name_that_was_given() {
    let folder = Folder::new("compare-folder");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder can be made");
    folder.write("sub/p.erl", PROGRAM);
    let path = folder.path().join("bin");
    std::fs::create_dir(&path).expect("a folder can be made");
    script(&path, "erlc", "for last; do :; done; echo \"$last\" >>\"$LIST\"");
    script(&path, "erl", "echo one; echo two");
    let list = folder.path().join("list");
    BinaryRun::new("tracer", folder.path(), ["compare", "sub/p.erl"])
        .env("PATH", &format!("{}:/usr/bin:/bin", path.display()))
        .env("LIST", &list.display().to_string())
        .run()
        .expect(0);
    let list = std::fs::read_to_string(list).expect("the script has written it");
    assert!(list.starts_with("sub/p.erl\n"), "{list}");
}

#[test]
fn what_erlc_refuses_is_not_run() {
    let outcome = compare(Some("echo 'p.erl:1:1: no'; exit 1"), Some("echo started")).expect(64);
    assert!(
        outcome.stderr.contains("erlc refuses p.erl:\np.erl:1:1: no"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.out(), "");
}

#[test]
fn without_an_erlang_the_message_says_so() {
    for (erlc, missing) in [(None, "erlc"), (Some("exit 0"), "erl")] {
        let outcome = compare(erlc, None).expect(66);
        assert!(
            outcome
                .stderr
                .contains(&format!("`{missing}` is not installed or not in PATH")),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_folder_without_an_otp_is_refused() {
    let folder = Folder::new("no_otp");
    folder.write("p.erl", PROGRAM);
    let refused = folder.tracer(["compare", "--otp-root", "nowhere", "p.erl"]).expect(66);
    assert!(
        refused.stderr.contains("expected nowhere/bin/erl"),
        "{}",
        refused.stderr
    );
}
