//! Exit codes of `replay check`, through the binary, as `git bisect run` needs them.

use tests::{Folder, root};

/// The failure occurred again, or another one.
const FAILS: i32 = 1;
/// No verdict.
const UNDECIDED: i32 = 125;
/// An error of the tool or of its user.
const FAILED: i32 = 128;

fn pair(name: &str) -> String {
    let path = root().join("tests/pairs").join(format!("{name}.erl"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with a failing run of a pair in `trace.bin`, and its program.
fn failing(name: &str) -> Folder {
    let folder = Folder::new(&format!("check-{name}"));
    let file = format!("{name}.erl");
    folder.write(&file, pair(name));
    for seed in 1..200 {
        let seed = seed.to_string();
        let run = folder.tracer(["run", "--seed", &seed, "-o", "trace.bin", &file]);
        if run.code == 1 || run.code == 80 {
            return folder;
        }
    }
    panic!("{name} never fails");
}

#[test]
fn every_verdict_has_its_exit_code() {
    let folder = failing("divide");
    let fixed = folder.write("fixed.erl", pair("divide.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    // The program on disk is the recorded one.
    let same = folder.replay(["check", "trace.bin"]).expect(FAILS);
    assert!(same.out().contains("still fails"), "{}", same.out());
    let done = folder.replay(["check", "trace.bin", "--program", fixed]).expect(0);
    assert!(done.out().starts_with("fixed"), "{}", done.out());
    let json = folder
        .replay(["check", "trace.bin", "--program", fixed, "--json"])
        .expect(0);
    assert!(json.out().contains("\"verdict\""), "{}", json.out());
    folder.write("broken.erl", "-module(divide).\nmain( ->");
    folder
        .replay(["check", "trace.bin", "--program", "broken.erl"])
        .expect(UNDECIDED)
        .says(&["divide.erl:2", "inside a form"]);
    folder
        .replay(["check", "nowhere.bin"])
        .expect(FAILED)
        .says(&["nowhere.bin"]);
    folder
        .replay(["check", "trace.bin", "--program", "nowhere.erl"])
        .expect(FAILED)
        .says(&["nowhere.erl"]);
    folder.write("junk.bin", "no trace at all");
    folder.replay(["check", "junk.bin"]).expect(FAILED).says(&["junk.bin"]);
}

#[test]
fn damage_is_told_with_the_file() {
    let folder = failing("divide");
    let good = std::fs::read(folder.path().join("trace.bin")).expect("a trace");
    let fixed = folder.write("fixed.erl", pair("divide.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    let mut told = 0;
    for part in 1..16 {
        let mut bad = good.clone();
        bad[good.len() * part / 16] ^= 0x55;
        folder.write("bad.bin", &bad);
        let outcome = folder.replay(["check", "bad.bin", "--program", fixed]).no_panic();
        if outcome.code == FAILED {
            outcome.says(&["bad.bin"]);
            told += 1;
        }
    }
    assert!(told > 0, "no damage was noticed");
}

#[test]
fn what_a_change_takes_away_is_a_divergence() {
    let folder = failing("divide");
    // A program of the same name that waits for something else.
    folder.write(
        "other.erl",
        "-module(divide).\n-export([main/0]).\nmain() -> receive never -> ok end.\n",
    );
    let other = folder.replay(["check", "trace.bin", "--program", "other.erl"]);
    assert!(
        other.code == UNDECIDED || other.code == FAILS,
        "never fixed: {} {}",
        other.code,
        other.out()
    );
}

/// `check` lets recorded messages arrive one by one. A 'DOWN' that has arrived before its monitor is given up comes before all that arrives later; a
/// run that takes it later cannot happen, and is no failure.
#[test]
fn a_down_of_a_monitor_that_was_given_up_comes_in_time() {
    let folder = failing("stale_down");
    let fixed = folder.write("fixed.erl", pair("stale_down.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    folder.replay(["check", "trace.bin"]).expect(FAILS);
    let done = folder.replay(["check", "trace.bin", "--program", fixed]).expect(0);
    assert!(done.out().starts_with("fixed"), "{}", done.out());
}

/// A program of two modules: an error in the one that is not the entry's is reported as such, and so is a folder without either of them.
#[test]
fn all_changed_modules_must_compile_and_one_must_be_there() {
    let folder = Folder::new("check-modules");
    let main = "-module(front).\n-export([main/0]).\nmain() -> back:run().\n";
    let back = "-module(back).\n-export([run/0]).\nrun() -> exit(bad).\n";
    folder.write("front.erl", main);
    folder.write("back.erl", back);
    folder
        .tracer(["run", "--seed", "1", "-o", "trace.bin", "front.erl"])
        .expect(1);
    folder.write("back.erl", back.replace("exit(bad)", "exti(bad)"));
    for files in [&[][..], &["--program", "back.erl"]] {
        let arguments = [&["check", "trace.bin"][..], files].concat();
        folder
            .replay(arguments)
            .expect(UNDECIDED)
            .says(&["back.erl:3", "exti/1"]);
    }
    folder.write("back.erl", back.replace("exit(bad)", "ok"));
    folder.replay(["check", "trace.bin"]).expect(0);
    let trace = folder.path().join("trace.bin");
    let elsewhere = Folder::new("check-elsewhere");
    elsewhere
        .replay(["check", trace.to_str().expect("a path in UTF-8")])
        .expect(FAILED)
        .says(&["the files of the program are not here", "front.erl", "--program"]);
}

/// A folder `_traces` with the failing run of `divide`, one of a program that has no failure, and a file that is no trace.
fn several() -> Folder {
    let folder = failing("divide");
    folder.write("fine.erl", "-module(fine).\n-export([main/0]).\nmain() -> ok.\n");
    std::fs::create_dir(folder.path().join("_traces")).expect("a new folder");
    folder
        .tracer(["run", "--quiet", "-o", "_traces/b-00000002.trace", "fine.erl"])
        .expect(0);
    std::fs::copy(
        folder.path().join("trace.bin"),
        folder.path().join("_traces/a-00000001.trace"),
    )
    .expect("a copy");
    folder
}

#[test]
fn several_traces_are_checked_at_once() {
    let folder = several();
    let fixed = folder.write("fixed.erl", pair("divide.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    let one = "_traces/a-00000001.trace";
    std::fs::copy(folder.path().join(one), folder.path().join("c.trace")).expect("a copy");
    // All are fixed.
    let all = folder
        .replay(["check", "--program", fixed, one, "c.trace", one])
        .expect(0)
        .out();
    assert_eq!(all, format!("fixed: {one}\nfixed: c.trace\n2 traces: 2 fixed\n"));
    // The answers keep their order, however many are made at a time.
    for jobs in ["1", "3"] {
        let all = folder
            .replay(["check", "--jobs", jobs, "c.trace", "trace.bin", one])
            .expect(FAILS)
            .out();
        let order: Vec<&str> = all
            .lines()
            .filter_map(|line| line.strip_prefix("still fails: "))
            .collect();
        assert_eq!(order, ["c.trace", "trace.bin", one], "{all}");
        assert!(all.ends_with("3 traces: 3 still fail\n"), "{all}");
    }
    // An error about one of them does not hide the others, and is not taken for a failure.
    folder.write("_traces/d.trace", "no trace at all");
    let all = folder.replay(["check", "_traces"]).expect(FAILED).out();
    assert!(all.contains("still fails: _traces/a-00000001.trace"), "{all}");
    assert!(
        all.contains("skipped: _traces/b-00000002.trace (its run did not fail)\n"),
        "{all}"
    );
    assert!(all.contains("bad file: _traces/d.trace\n  _traces/d.trace: "), "{all}");
    assert!(
        all.ends_with("3 traces: 1 still fails, 1 skipped, 1 bad file\n"),
        "{all}"
    );
    folder
        .replay(["check", "--junit", "check.xml", "_traces"])
        .expect(FAILED);
    let xml = std::fs::read_to_string(folder.path().join("check.xml")).expect("the report is there");
    for part in [
        r#"<testsuite name="replay check" tests="3" skipped="1" errors="1" failures="1">"#,
        r#"<testcase name="_traces/a-00000001.trace" classname="replay check">"#,
        r#"type="still fails""#,
        r#"type="bad file""#,
    ] {
        assert!(xml.contains(part), "{part} is missing in\n{xml}");
    }
    let json = folder.replay(["check", "--json", "_traces"]).expect(FAILED).out();
    let json: serde_json::Value = serde_json::from_str(&json).expect("one value");
    let verdicts: Vec<&str> = (0..3).filter_map(|i| json[i]["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["still_fails", "skipped", "bad file"], "{json}");
    // One that was named was meant to be checked; and where nothing was checked, that is no success.
    let named = ["check", "_traces/a-00000001.trace", "_traces/b-00000002.trace"];
    let all = folder.replay(named).expect(FAILED).out();
    assert!(all.contains("not checked: _traces/b-00000002.trace"), "{all}");
    std::fs::create_dir(folder.path().join("passing")).expect("a new folder");
    std::fs::copy(
        folder.path().join("_traces/b-00000002.trace"),
        folder.path().join("passing/b.trace"),
    )
    .expect("can be copied");
    folder
        .replay(["check", "passing"])
        .expect(FAILED)
        .says(&["nothing was checked: the recorded run has not failed"]);
}

#[test]
fn places_of_several_traces_are_explained() {
    let folder = several();
    folder
        .replay(["check", "trace.bin", "error", "_traces"])
        .expect(FAILED)
        .says(&["error is a target, not a trace"]);
    std::fs::create_dir(folder.path().join("empty")).expect("a new folder");
    folder
        .replay(["check", "empty"])
        .expect(FAILED)
        .says(&["empty", "there is no trace in this folder"]);
    folder
        .replay(["check", "--jobs", "0", "_traces"])
        .expect(FAILED)
        .says(&["--jobs"]);
}

#[test]
fn a_summary_tells_a_ci_page_what_failed() {
    let folder = several();
    let text = folder.replay(["summary"]).expect(0).out();
    assert!(
        text.starts_with("## Recorded runs\n\n2 traces, 1 with a failure.\n"),
        "{text}"
    );
    assert!(text.contains("### `_traces/a-00000001.trace`"), "{text}");
    assert!(
        text.contains("Replay it: `replay why _traces/a-00000001.trace`"),
        "{text}"
    );
    assert!(
        text.contains("### `_traces/b-00000002.trace`\n\n`no failure`"),
        "{text}"
    );
    // The story is the one that `why` tells.
    let told = folder
        .replay(["why", "--width", "100", "_traces/a-00000001.trace"])
        .expect(0)
        .out();
    assert!(text.contains(told.trim_end()), "{text}\n{told}");
    // On GitHub, the page is a file, and standard output has the annotations.
    folder.write("page.md", "Before.\n");
    let args = ["summary", "--github", "_traces"];
    let on_github = tests::BinaryRun::new("replay", folder.path(), args)
        .env("GITHUB_STEP_SUMMARY", "page.md")
        .run()
        .expect(0)
        .out();
    assert!(on_github.starts_with("::error file=divide.erl,line="), "{on_github}");
    assert_eq!(on_github.lines().count(), 1, "{on_github}");
    let page = std::fs::read_to_string(folder.path().join("page.md")).expect("the page is there");
    assert_eq!(page, format!("Before.\n{text}"));
    let json = folder.replay(["summary", "--json"]).expect(0).out();
    let json: serde_json::Value = serde_json::from_str(&json).expect("one value");
    assert_eq!(json[0]["failed"], serde_json::json!(true));
}

/// The example of docs/ci.md: a failing trace finds the commit that broke the program.
#[test]
fn git_bisect_finds_the_commit() {
    let folder = failing("divide");
    let git = |args: &[&str]| {
        let fixed = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
        let output = std::process::Command::new("git")
            .args(fixed.iter().chain(args))
            .current_dir(folder.path())
            .output()
            .expect("git runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{args:?}: {said}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        said
    };
    if !steady::has("git") {
        return;
    }
    git(&["init", "--quiet"]);
    std::fs::create_dir(folder.path().join("src")).expect("a new folder");
    let (good, bad) = (pair("divide.fixed"), pair("divide"));
    let mut commits = Vec::new();
    for (n, text) in [&good, &good, &bad, &bad, &bad].into_iter().enumerate() {
        folder.write("src/divide.erl", format!("%% Version {n}.\n{text}"));
        git(&["add", "src"]);
        git(&["commit", "--quiet", "-m", &format!("version {n}")]);
        commits.push(git(&["rev-parse", "HEAD"]).trim().to_owned());
    }
    git(&["bisect", "start", &commits[4], &commits[0]]);
    let replay = tests::binary("replay");
    let replay = replay.to_str().expect("a path in UTF-8");
    let said = git(&[
        "bisect",
        "run",
        replay,
        "check",
        "--program",
        "src/divide.erl",
        "trace.bin",
    ]);
    assert!(
        said.contains(&format!("{} is the first bad commit", commits[2])),
        "{said}"
    );
}

/// Who asks may be another process now, and two questions that differ stay apart.
#[test]
fn recorded_answers_serve_whoever_asks() {
    const ASKS: &str = r#"-module(asks).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! {a, file:read_file("one.txt")} end),
    spawn(fun() -> Me ! {b, file:read_file("two.txt")} end),
    receive {b, _} -> error(b_first); {a, _} -> ok end,
    receive {b, _} -> ok end.
"#;
    let folder = Folder::new("check-answers");
    folder.write("one.txt", "1");
    folder.write("two.txt", "2");
    folder.write("asks.erl", ASKS);
    let fails = |seed: &u32| {
        let seed = seed.to_string();
        folder
            .tracer(["run", "--seed", &seed, "-o", "trace.bin", "asks.erl"])
            .code
            == 1
    };
    assert!((1..200).any(|seed| fails(&seed)), "it never fails");
    let check = |name: &str, text: &str, code: i32| {
        folder.write(name, text);
        folder
            .replay(["check", "trace.bin", "--program", name])
            .expect(code)
            .out()
    };
    // The entry reads both, one of them twice.
    let first = r#"    Me = self(),
    {ok, <<"2">>} = file:read_file("two.txt"),
    {ok, <<"2">>} = file:read_file("two.txt"),
    One = file:read_file("one.txt"),
    {ok, <<"1">>} = One,
"#;
    let moved = ASKS
        .replace("    Me = self(),\n", first)
        .replace(r#"{a, file:read_file("one.txt")}"#, "{a, One}")
        .replace(
            "receive {b, _} -> error(b_first); {a, _} -> ok end",
            "receive {a, _} -> ok end",
        );
    // What it read does not keep it from running under random schedules.
    let answer = check("moved.erl", &moved, 0);
    assert!(answer.contains("random schedules"), "{answer}");
    // The bug is still there.
    let same = first.replace(
        "    One = file:read_file(\"one.txt\"),\n    {ok, <<\"1\">>} = One,\n",
        "",
    );
    check("same.erl", &ASKS.replace("    Me = self(),\n", &same), FAILS);
    // A file of which nothing is known.
    check("other.erl", &moved.replace("two.txt", "three.txt"), UNDECIDED);
}
