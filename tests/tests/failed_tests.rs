//! Failed tests, `halt(N)` and `{error, _}` as failures: what `tracer run` says, where `error` leads, and how `why` begins.
//!
//! `tests/eunit/` has racy tests; the first lines of each file say how `why` has to begin when its test fails.

use std::path::PathBuf;

use serde_json::Value;
use tests::{CommandOutcome, Folder, root};

/// Seeds that are tried until a test fails.
const SEEDS: u64 = 60;

/// A program of `tests/eunit/` and what its first lines say.
struct Program {
    path: PathBuf,
    text: String,
}

impl Program {
    fn all() -> Vec<Self> {
        let folder = root().join("tests/eunit");
        let mut all: Vec<Self> = std::fs::read_dir(&folder)
            .expect("the folder of racy tests")
            .map(|entry| entry.expect("a folder entry").path())
            .map(|path| Self {
                text: std::fs::read_to_string(&path).expect("a test program"),
                path,
            })
            .collect();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }

    fn named(name: &str) -> Self {
        let is_it = |one: &Self| one.path.file_stem().is_some_and(|stem| stem == name);
        Self::all().into_iter().find(is_it).expect("a program of tests/eunit")
    }

    fn says(&self, what: &str) -> Option<&str> {
        let mark = format!("%% {what}: ");
        self.text.lines().find_map(|line| line.strip_prefix(&mark))
    }

    fn run(&self, folder: &Folder, seed: u64) -> CommandOutcome {
        let seed = seed.to_string();
        folder.tracer(["run", "--seed", &seed, "-o", "t.bin", &self.path.display().to_string()])
    }

    /// Records runs until a test fails.
    fn fail(&self, folder: &Folder) -> CommandOutcome {
        let failed = (1..=SEEDS).map(|seed| self.run(folder, seed));
        let failed = failed.into_iter().find(|outcome| outcome.code != 0);
        failed.unwrap_or_else(|| panic!("{} passes under {SEEDS} seeds", self.path.display()))
    }
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    let outcome = folder.replay(args).expect(0);
    serde_json::from_str(&outcome.out()).expect("JSON")
}

#[test]
fn why_begins_with_the_failed_test() {
    for program in Program::all() {
        let folder = Folder::new("failed");
        let outcome = program.fail(&folder);
        assert!(outcome.stderr.contains("next: replay why t.bin"), "{}", outcome.stderr);
        let why = folder.replay(["why", "t.bin"]).expect(0);
        let first = why.out().lines().next().unwrap_or_default().to_owned();
        let wanted = program.says("why").expect("a line `why`");
        assert!(first.contains(wanted), "{}:\n{}", program.path.display(), why.out());
        let story = json(&folder, &["why", "--json", "t.bin"]);
        if let Some(likely) = program.says("likely") {
            let found = story["likely"]["pattern"].as_str().unwrap_or(".");
            assert_eq!(found, likely, "{}:\n{}", program.path.display(), why.out());
        }
        if let Some(words) = program.says("story") {
            assert!(why.out().contains(words), "{}", why.out());
        }
        // The test runner's own work leads to nothing.
        for noise in ["eunit_proc", "io_reply", "group_leader"] {
            assert!(!why.out().contains(noise), "{}:\n{}", program.path.display(), why.out());
        }
    }
}

/// The group leader of a test dies because its test is ended, not the other way round.
#[test]
fn the_test_runner_is_no_cause_of_a_timeout() {
    let folder = Folder::new("time_up");
    let text = "-module(time_up_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nwait_test_() -> {timeout, 0.1, fun() -> receive never -> ok end end}.\n";
    folder.write("time_up_tests.erl", text);
    for seed in ["1", "2", "3", "4"] {
        let run = [
            "run",
            "--seed",
            seed,
            "--entry",
            "time_up_tests:test",
            "-o",
            "t.bin",
            "time_up_tests.erl",
        ];
        folder.tracer(run).expect(1);
        let story = json(&folder, &["why", "--json", "t.bin"]);
        assert!(story["likely"].is_null(), "seed {seed}: {}", story["likely"]);
        assert_eq!(story["test"]["text"], "its time was up", "seed {seed}");
    }
}

#[test]
fn a_failed_test_is_told_and_is_status_1() {
    let folder = Folder::new("told");
    let outcome = Program::named("lost_update_tests").fail(&folder).expect(1);
    assert!(
        outcome.stderr.contains("tracer: 1 of 2 tests failed"),
        "{}",
        outcome.stderr
    );
    let until = folder.replay(["--until", "error", "t.bin"]).expect(0);
    assert!(
        until.out().contains("raised in lost_update_tests:two_deposits_test/0"),
        "{}",
        until.out()
    );
    let listed = folder.replay(["log", "--kind", "test", "t.bin"]).expect(0);
    assert_eq!(listed.out().lines().count(), 4, "{}", listed.out());
    let info = folder.replay(["info", "t.bin"]).expect(0);
    assert!(
        info.out().contains("test:lost_update_tests:two_deposits_test"),
        "{}",
        info.out()
    );
}

/// A test is named with or without its module, and with the number of its run.
#[test]
fn tests_are_targets() {
    let folder = Folder::new("targets");
    Program::named("lost_update_tests").fail(&folder);
    for target in [
        "test:lost_update_tests:two_deposits_test",
        "test:two_deposits_test",
        "test:two_deposits_test/0",
        "test:two_deposits_test/1",
        "test:open_test",
    ] {
        folder.replay(["--until", target, "t.bin"]).expect(0);
    }
    let missing = folder.replay(["why", "test:nothing_test", "t.bin"]).expect(67);
    assert!(
        missing.stderr.contains("lost_update_tests:open_test"),
        "{}",
        missing.stderr
    );
    let twice = folder.replay(["why", "test:open_test/2", "t.bin"]).expect(67);
    assert!(twice.stderr.contains("that test ran once in it"), "{}", twice.stderr);
}

/// The causes of a slice are those of the failed test, and it is its error.
#[test]
fn a_slice_of_a_failed_test_replays() {
    let folder = Folder::new("slice");
    Program::named("late_reply_tests").fail(&folder);
    folder.replay(["slice", "error", "-o", "s.bin", "t.bin"]).expect(0);
    let whole = folder.replay(["why", "error", "t.bin"]).expect(0);
    let slice = folder.replay(["why", "error", "s.bin"]).expect(0);
    assert_eq!(whole.out().lines().next(), slice.out().lines().next());
    folder.replay(["verify", "t.bin"]).expect(0);
}

/// What the program says with its status does not hide the test that failed.
#[test]
fn a_failed_test_comes_before_what_it_led_to() {
    let folder = Folder::new("before");
    let outcome = Program::named("late_reply_tests").fail(&folder).expect(3);
    assert!(
        outcome.stderr.contains("halted with status 3; 1 of 2 tests failed"),
        "{}",
        outcome.stderr
    );
    let why = folder.replay(["why", "t.bin"]).expect(0);
    assert!(
        why.out()
            .starts_with("error: test late_reply_tests:second_answer_test failed"),
        "{}",
        why.out()
    );
}

#[test]
fn a_halt_with_a_status_is_a_failure() {
    let folder = Folder::new("halt");
    folder.write(
        "stop.erl",
        "-module(stop).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    spawn(fun() -> Me ! {load, 97} end),\n    receive {load, N} when N > 90 ->\n        Status = N div 10,\n        halt(Status)\n    end.\n",
    );
    let outcome = folder
        .tracer(["run", "--seed", "1", "-o", "t.bin", "stop.erl"])
        .expect(9);
    assert!(outcome.stderr.contains("next: replay why t.bin"), "{}", outcome.stderr);
    let why = folder.replay(["why", "t.bin"]).expect(0);
    assert!(
        why.out()
            .starts_with("error: 0.1.0 main/0 halts the system with status 9"),
        "{}",
        why.out()
    );
    assert!(why.out().contains("received {load,97} from 0.2.0"), "{}", why.out());
    assert!(why.out().contains("in stop:main/0, stop.erl:8"), "{}", why.out());
    // A peaceful halt is none.
    folder.write("peace.erl", "-module(peace).\n-export([main/0]).\nmain() -> halt(0).\n");
    folder
        .tracer(["run", "--seed", "1", "-o", "p.bin", "peace.erl"])
        .expect(0);
    folder.replay(["why", "p.bin"]).expect(67);
}

#[test]
fn a_returned_error_is_a_failure_if_nothing_else_failed() {
    let folder = Folder::new("returned");
    folder.write(
        "quit.erl",
        "-module(quit).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    spawn(fun() -> Me ! {full, disk} end),\n    receive {full, What} -> {error, {full, What}} end.\n",
    );
    let outcome = folder
        .tracer(["run", "--seed", "1", "-o", "t.bin", "quit.erl"])
        .expect(0);
    assert!(
        outcome.stderr.contains("the entry returned {error,{full,disk}}"),
        "{}",
        outcome.stderr
    );
    let why = folder.replay(["why", "t.bin"]).expect(0);
    assert!(why.out().contains("received {full,disk} from 0.2.0"), "{}", why.out());
}

/// Reasons of failed tests are left out with the others.
#[test]
fn reasons_of_failed_tests_can_be_left_out() {
    let folder = Folder::new("private");
    let program = Program::named("lost_update_tests");
    program.fail(&folder);
    folder
        .replay(["scrub", "--part", "reasons", "-o", "s.bin", "t.bin"])
        .expect(0);
    let log = folder.replay(["log", "--kind", "test", "s.bin"]).expect(0);
    assert!(
        log.out().contains("two_deposits_test failed: (removed)"),
        "{}",
        log.out()
    );
    assert!(!log.out().contains("assertEqual"), "{}", log.out());
}

/// `replay check` judges by the test that failed: with a server that deposits by itself, it passes; the other test may go on failing.
#[test]
fn a_check_judges_by_the_failed_test() {
    let folder = Folder::new("check");
    let program = Program::named("lost_update_tests");
    program.fail(&folder);
    let same = program.text.replace("%% Two clients", "%% Both clients");
    let path = |name: &str, text: &str| {
        let place = folder.path().join(name);
        std::fs::create_dir_all(&place).expect("a folder");
        folder.write(&format!("{name}/lost_update_tests.erl"), text);
        format!("{name}/lost_update_tests.erl")
    };
    let unchanged = path("same", &same);
    let fixed = path(
        "fixed",
        &program
            .text
            .replace(
                "{set, New} -> bank_loop(New)",
                "{add, Amount, From} -> From ! added, bank_loop(Balance + Amount)",
            )
            .replace(
                "    Balance = balance(Bank),\n    Bank ! {set, Balance + Amount}.",
                "    Bank ! {add, Amount, self()},\n    receive added -> ok end.",
            ),
    );
    let check = |file: &str| folder.replay(["check", "--program", file, "t.bin"]);
    let still = check(&unchanged).expect(1);
    assert!(still.out().contains("still fails"), "{}", still.out());
    assert!(
        still
            .out()
            .contains("the test lost_update_tests:two_deposits_test failed"),
        "{}",
        still.out()
    );
    let now = check(&fixed).expect(0);
    assert!(now.out().contains("fixed"), "{}", now.out());
}
