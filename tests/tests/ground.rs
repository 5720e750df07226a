//! What the tests stand on: the same seeds every day, no clock, nothing ignored, nothing left out of `.ci/full`; and the scripts in `.ci/`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::{Folder, root};

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// The Rust files of all tests and their helpers, but this one, by their paths in the tree.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the tree") {
            let path = entry.expect("a folder entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let place = path.strip_prefix(root()).expect("it is below").display().to_string();
                let text = read(&path);
                if place != "tests/tests/ground.rs" && (place.contains("tests/") || text.contains("#[test]")) {
                    found.push((place, text));
                }
            }
        }
    }
    assert!(found.len() > 60, "{} files", found.len());
    found
}

/// Where a test may look at the clock or sleep, and why.
const CLOCKS: [(&str, &str); 9] = [
    ("tests/steady/src/lib.rs", "waits for what happens"),
    ("tests/steady/src/processor.rs", "waits for what a process does"),
    ("tests/src/lib.rs", "waits for the end of a command"),
    ("tests/src/session_bench.rs", "a bench"),
    (
        "tests/tests/crash.rs",
        "signals that come at once or later, and whether they did; moments drawn at random; slow input",
    ),
    ("tests/tests/explore.rs", "waits until it listens to Ctrl-C"),
    ("tests/tests/big_trace.rs", "prints how long it took"),
    ("tests/tests/record_replay.rs", "prints how long it took"),
    ("log-format/tests/hostile.rs", "prints how long it took"),
];

/// A sleep guesses how long something takes, and a limit in time of the clock how busy the machine is. `steady` has what does neither.
#[test]
fn no_test_depends_on_the_clock() {
    let words = ["thread::sleep(", "Instant::now()", ".elapsed()"];
    let looks: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(place, text)| {
            (place.contains("/tests/") || place.starts_with("tests/")) && words.iter().any(|word| text.contains(word))
        })
        .map(|(place, _)| place)
        .collect();
    let may: BTreeSet<String> = CLOCKS.iter().map(|(place, _)| (*place).to_owned()).collect();
    assert_eq!(looks, may, "what looks at the clock (left), and what may (right)");
}

/// Ignored tests are forgotten. What a test runs as a program of its own may be one: its name begins with `child_`, and the test asks for it.
#[test]
fn nothing_is_ignored_but_programs_of_tests() {
    for (place, text) in sources() {
        for (at, _) in text.match_indices("#[ignore") {
            let name = text[at..].split("fn ").nth(1).and_then(|rest| rest.split('(').next());
            let name = name.unwrap_or_default();
            let asked = text.contains(&format!("{name}\", \"--ignored\""));
            assert!(name.starts_with("child_") && asked, "{place}: {name} is ignored");
        }
    }
}

/// Each variable of the environment that a test asks for is explained to people.
#[test]
fn variables_of_tests_are_explained() {
    let page = read(&root().join("CONTRIBUTING.md"));
    let mut seen = 0;
    for (place, text) in sources() {
        if !place.contains("/tests/") && !place.starts_with("tests/") {
            continue;
        }
        for word in ["env::var(\"", "env::var_os(\""] {
            for rest in text.split(word).skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                seen += 1;
                assert!(
                    name == "PATH" || page.contains(&format!("| `{name}")),
                    "{place} asks for {name}: CONTRIBUTING.md has no row for it"
                );
            }
        }
    }
    assert!(seen > 5);
}

/// The deep form of every test runs in `.ci/full`, and so do the seeds of the day: their steps name no test. `.ci/run` has neither.
#[test]
fn no_deep_form_is_left_out() {
    let full = read(&root().join(".ci/full"));
    let step = |name: &str| {
        let start = format!("step {name} env ");
        let line = full.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!(".ci/full has no step {name}")).to_owned()
    };
    let whole = "cargo test --release --workspace --no-fail-fast";
    assert_eq!(step("deep"), format!("DEEP=1 {whole} -- --nocapture"));
    assert_eq!(step("today"), format!("FIRST_SEED=\"$today\" {whole}"));
    assert!(full.contains("\nexport NEED_TOOLS=1\n"));
    let run = read(&root().join(".ci/run"));
    assert!(run.contains("\nunset DEEP FIRST_SEED BLESS\n") && !run.contains("$(date"));
    // What depends on the seeds asks for them by these functions, and they by one variable.
    let seeds = read(&root().join("tests/seeds/src/lib.rs"));
    assert!(!seeds.contains("SystemTime"));
}

/// A folder with a program `cargo` that does what `script` says, and the `PATH` with it in front.
fn pretended(script: &str) -> (Folder, String) {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("ci");
    let cargo = folder.write("cargo", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).expect("its mode can be set");
    let path = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    (folder, path)
}

#[test]
fn the_last_line_counts_what_was_skipped() {
    let (_folder, path) = pretended(
        "echo 'test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s'\n\
         echo 'test result: FAILED. 7 passed; 2 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.1s'\n\
         echo 'skipped: a::b: strace is not installed' >> \"$SKIPPED\"\n\
         echo 'skipped: a::a: rebar3 is not installed' >> \"$SKIPPED\"\n\
         echo \"$@\"\nexit 101",
    );
    let output = Command::new(root().join(".ci/tests"))
        .args(["--workspace", "a::"])
        .env("PATH", path)
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(101), "{said}");
    let expected = "\nskipped: a::a: rebar3 is not installed\nskipped: a::b: strace is not installed\n10 passed, 2 failed, 2 skipped\n";
    assert!(
        said.contains("test --no-fail-fast --workspace a::\n") && said.ends_with(expected),
        "{said}"
    );
}

/// A test that is skipped says so in the file that is counted; where all tools are needed, it fails. Asked in a program of its own.
#[test]
fn a_missing_tool_skips_or_fails() {
    let folder = Folder::new("tools");
    let list = folder.path().join("list");
    let ask = |needed: bool| {
        let mut program = Command::new(std::env::current_exe().expect("a test has a path"));
        program
            .args(["--exact", "ground::child_without_tools", "--ignored"])
            .env("PATH", folder.path())
            .env("SKIPPED", &list)
            .env_remove("NEED_TOOLS");
        if needed {
            program.env("NEED_TOOLS", "1");
        }
        program.output().expect("it runs")
    };
    let skipped = ask(false);
    assert!(skipped.status.success(), "{skipped:?}");
    let line = read(&list);
    assert!(
        line.starts_with("skipped: ") && line.ends_with(": strace is not installed\n"),
        "{line}"
    );
    assert_eq!(String::from_utf8_lossy(&skipped.stderr), line);
    let failed = ask(true);
    assert!(!failed.status.success() && String::from_utf8_lossy(&failed.stdout).contains("cannot be skipped here"));
}

#[test]
#[ignore = "run by the test above, without tools"]
fn child_without_tools() {
    assert!(!steady::has("strace"));
}

/// The processes whose parent is this one.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc").expect("a folder");
    let of = |path: &Path| {
        let stat = std::fs::read_to_string(path.join("stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let paths = all.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| of(path) == Some(parent)).collect()
}

/// The loops of `.ci/busy` run beside the tests, and end with it: after a failure, and after a signal.
#[test]
#[cfg(target_os = "linux")]
fn busy_loops_end_with_their_script() {
    for interrupt in [false, true] {
        let (folder, path) = pretended(
            "case \"$*\" in *no-run*) exit;; esac\ntouch begun\nwhile [ ! -e go ]; do sleep 0.01; done\nexit 101",
        );
        std::fs::create_dir(folder.path().join(".ci")).expect("a new folder");
        for name in ["busy", "tests"] {
            std::fs::copy(root().join(".ci").join(name), folder.path().join(".ci").join(name)).expect("can be copied");
        }
        let mut busy = Command::new(folder.path().join(".ci/busy"))
            .env("PATH", path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("bash runs");
        steady::until("for the tests", || folder.path().join("begun").exists().then_some(()));
        let loops = children(busy.id());
        // And the one that runs the tests.
        assert_eq!(loops.len(), 8 + 1, "{loops:?}");
        if interrupt {
            // A shell that was started with Ctrl-C ignored, as one in the background is, cannot listen to it.
            let status = Command::new("kill")
                .args(["-s", "TERM", &busy.id().to_string()])
                .status();
            assert!(status.expect("kill runs").success());
        } else {
            folder.write("go", "");
        }
        let code = busy.wait().expect("it can be waited for").code();
        assert_eq!(code, Some(if interrupt { 143 } else { 101 }));
        // Those that nobody waits for are gone once they have ended.
        steady::until("for the end of the loops", || {
            loops.iter().all(|path| !path.exists()).then_some(())
        });
    }
}
