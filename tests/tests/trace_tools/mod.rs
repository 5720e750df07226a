//! What can be done with a trace besides replaying it: JSON and back, tables, scrubbing, digests, lists of traces. On fixtures, and on every
//! trace in `fixtures/traces/`.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

mod contents;
mod info;
mod left_out;

use std::path::{Path, PathBuf};
use std::process::Command;

use log_format::Trace;
use tests::{Folder, fixtures, root};

/// Inputs of all kinds, and what the program makes of them.
const INPUTS: &str = "-module(inputs).
-export([main/0]).
main() ->
    Home = os:getenv(\"INPUTS_TEST\"),
    {ok, Text} = file:read_file(\"secret.txt\"),
    _ = erlang:monotonic_time(),
    Me = self(),
    spawn(fun() -> Me ! {size, byte_size(Text)} end),
    receive {size, N} -> io:format(\"~s ~w~n\", [Home, N]) end,
    put(home, Home),
    _ = process_info(self(), message_queue_len),
    case N of 6 -> ok; _ -> exit(other) end.
";

/// The golden traces of released versions.
fn goldens() -> Vec<PathBuf> {
    tests::goldens::all().into_iter().map(|golden| golden.path).collect()
}

/// A trace of each fixture, of a program with inputs, and the goldens.
fn traces(folder: &Folder) -> Vec<PathBuf> {
    let mut all = goldens();
    for name in fixtures() {
        folder.record(&name, 5).no_panic();
        let path = folder.path().join(format!("{name}.trace"));
        std::fs::rename(folder.path().join("trace.bin"), &path).unwrap();
        all.push(path);
    }
    all.push(with_inputs(folder, &["--digests"], "inputs.trace"));
    all
}

/// Makes a file so many seconds older than the test's first file with an age. Files that are written one after the other may have one time.
fn set_age(path: &Path, seconds: u64) {
    static NOW: std::sync::LazyLock<std::time::SystemTime> = std::sync::LazyLock::new(std::time::SystemTime::now);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(*NOW - std::time::Duration::from_secs(seconds))
        .unwrap();
}

fn with_inputs(folder: &Folder, options: &[&str], name: &str) -> PathBuf {
    folder.write("inputs.erl", INPUTS);
    folder.write("secret.txt", "tell n");
    let args = ["run", "--quiet", "--seed", "1", "-o", name, "inputs.erl"];
    let outcome = tests::BinaryRun::new("tracer", folder.path(), args.iter().chain(options))
        .env("INPUTS_TEST", "my home")
        .run()
        .expect(0);
    assert_eq!(outcome.out(), "my home 6\n");
    folder.path().join(name)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn json_and_back_loses_nothing() {
    let folder = Folder::new("json");
    for path in seeds::share(traces(&folder), 6) {
        let path = text(&path);
        folder
            .replay(["export", "--format", "json", &path, "-o", "one.json"])
            .expect(0);
        folder.replay(["import", "one.json", "-o", "again.bin"]).expect(0);
        folder.replay(["export", "again.bin", "-o", "two.json"]).expect(0);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        // Except for the version of the format, which is that of the writer.
        let written = |name: &str| {
            let read = read(name);
            let (before, version) = read.split_once("\"format\":\"").unwrap();
            format!("{before}{}", version.split_once('"').unwrap().1)
        };
        assert_eq!(written("one.json"), written("two.json"), "{path}");
        folder.replay(["verify", "again.bin"]).expect(0);
        let log = |trace: &str| folder.replay(["log", trace]).expect(0).out();
        assert_eq!(log(&path), log("again.bin"), "{path}");
    }
    // Standard output and input work as well.
    let json = folder.replay(["export", "stock.trace"]).expect(0).stdout;
    tests::BinaryRun::new("replay", folder.path(), ["import", "-", "-o", "piped.bin"])
        .input(json)
        .run()
        .expect(0);
    folder.replay(["verify", "piped.bin"]).expect(0);
}

/// Inputs that were read name their file.
#[test]
fn inputs_name_their_file() {
    let folder = Folder::new("input-files");
    let path = text(&with_inputs(&folder, &[], "inputs.trace"));
    let shown = folder.replay(["--until", "end:0.1.0", "--all", &path]).expect(0).out();
    assert!(shown.contains("{ok,<<\"tell n\">>} (file \"secret.txt\")"), "{shown}");
}

#[test]
fn json_that_is_no_trace_is_refused() {
    let folder = Folder::new("json-bad");
    folder.record("stock", 1).expect(0);
    folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    for (what, bad) in [
        ("nothing", String::new()),
        ("half", good[..good.len() / 2].to_owned()),
        ("another version", good.replacen("\"exchange\":1", "\"exchange\":99", 1)),
        (
            "a field too many",
            good.replacen("\"clock\":", "\"extra\":1,\"clock\":", 1),
        ),
        ("no kind", good.replacen("\"kind\":\"spawn\"", "\"kind\":\"spam\"", 1)),
        (
            "no child",
            good.replacen(
                "\"kind\":\"spawn\",\"child\"",
                "\"kind\":\"spawn\",\"node\":0,\"childs\"",
                1,
            ),
        ),
        (
            "a parent that did not spawn it",
            good.replacen("\"parent\":[\"0.1.0\",1]", "\"parent\":[\"0.1.0\",9999]", 1),
        ),
        (
            "a pid that is none",
            good.replacen("\"pid\":\"0.1.0\"", "\"pid\":\"1\"", 1),
        ),
    ] {
        assert_ne!(bad, good, "{what}: nothing was changed");
        folder.write("bad.json", &bad);
        let outcome = folder.replay(["import", "bad.json", "-o", "out.bin"]).expect(65);
        assert!(outcome.stderr.contains("bad.json"), "{what}: {}", outcome.stderr);
        assert!(!folder.path().join("out.bin").exists(), "{what} left a trace");
    }
    folder.replay(["import", "nowhere.json", "-o", "out.bin"]).expect(66);
    folder.write("notes.txt", "mine");
    folder.replay(["import", "good.json", "-o", "notes.txt"]).expect(73);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(),
        "mine"
    );
}

/// A reader written from FORMAT.md alone lists the same actions as `replay log --format json`.
#[test]
fn the_independent_reader_agrees() {
    if !steady::has("python3") {
        return;
    }
    let folder = Folder::new("independent");
    let script = root().join("log-format/tests/reader.py");
    for path in seeds::share(traces(&folder), 12) {
        let output = Command::new("python3")
            .arg(&script)
            .arg("--json")
            .arg(&path)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            path.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let ours = folder.replay(["log", "--format", "json", &text(&path)]).expect(0).out();
        let theirs = String::from_utf8(output.stdout).unwrap();
        assert_eq!(ours.lines().count(), theirs.lines().count(), "{}", path.display());
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
            assert_eq!(parse(ours), parse(theirs), "{}", path.display());
        }
    }
}

/// An endless stream is not read to its end.
#[test]
fn an_endless_stream_is_no_trace() {
    if Path::new("/dev/zero").exists() {
        let folder = Folder::new("endless");
        folder.replay(["info", "/dev/zero"]).expect(65).says(&["not a trace"]);
    }
}

/// A process that never enters code has no position, whatever the order in which modules were loaded.
#[test]
fn processes_that_start_with_no_function_verify() {
    let folder = Folder::new("undefined");
    let program = root().join("tests/conformance/process/exit_reasons.erl");
    for seed in ["1", "5"] {
        folder
            .tracer(["run", "--seed", seed, "-o", "undefined.trace", &text(&program)])
            .expect(0);
        folder.replay(["verify", "undefined.trace"]).expect(0);
    }
}

#[test]
fn an_inconsistent_trace_is_named() {
    let folder = Folder::new("inconsistent");
    with_inputs(&folder, &[], "good.trace");
    folder.replay(["export", "good.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    let changed = good.replacen("\"signal\":\"sent:0.2.0/1\"", "\"signal\":\"sent:0.2.0/2\"", 1);
    assert_ne!(changed, good);
    folder.write("changed.json", &changed);
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    folder
        .replay(["verify", "changed.trace"])
        .expect(65)
        .says(&["0.2.0 to have sent 2 signals"]);
}

/// A process that departs from its log is not woken by the next message of the log.
#[test]
fn a_diverged_process_stands_still() {
    let folder = Folder::new("diverged");
    folder.write(
        "pool.erl",
        "-module(pool).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    Ws = [spawn_monitor(fun() -> Me ! N end) || N <- lists:seq(1, 4)],\n    \
         [receive N when is_integer(N) -> ok end || _ <- Ws],\n    [receive {'DOWN', R, _, P, _} -> ok end || {P, R} <- Ws].\n",
    );
    for seed in ["1", "2", "3", "4"] {
        folder.tracer(["run", "--quiet", "--seed", seed, "pool.erl"]).expect(0);
        folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
        let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
        let changed = good.replacen("lists:seq(1, 4)", "lists:seq(1, 5)", 1);
        assert_ne!(changed, good);
        folder.write("changed.json", &changed);
        folder
            .replay(["import", "changed.json", "-o", "changed.trace"])
            .expect(0);
        for verb in [&["run"][..], &["verify"], &["state", "end:0.1.0"]] {
            let args: Vec<&str> = verb.iter().copied().chain(["changed.trace"]).collect();
            folder.replay(&args[..]).expect(82);
        }
    }
}

/// A secret that the program read also appears in reasons and observations: scrubbing it has to remove all of it.
const TELLING: &str = "-module(telling).
-export([main/0]).
main() ->
    Token = os:getenv(\"TELLING_TEST\"),
    put(token, Token),
    {dictionary, _} = process_info(self(), dictionary),
    spawn(fun() -> exit({shutdown, Token}) end),
    {_, Ref} = spawn_monitor(fun() -> error({early, Token}) end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    work(30000),
    exit({late, Token}).
work(0) -> ok;
work(N) -> self() ! N, receive N -> work(N - 1) end.
";

/// A program can open the files that JSON names.
#[test]
fn names_in_json_are_paths() {
    let folder = Folder::new("names-json");
    std::fs::create_dir(folder.path().join("_traces")).unwrap();
    folder.record("stock", 1).expect(0);
    for (age, name) in ["d-11111111.trace", "c-0bcdef01.trace", "a b-00aa11bb.trace"]
        .into_iter()
        .enumerate()
    {
        let path = folder.path().join("_traces").join(name);
        std::fs::copy(folder.path().join("trace.bin"), &path).unwrap();
        set_age(&path, age as u64);
    }
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.replay(args.iter().copied()).expect(0).out()).unwrap()
    };
    assert_eq!(
        json(&["info", "--json", "_traces/a b-00aa11bb.trace"])["trace"],
        "_traces/a b-00aa11bb.trace"
    );
    let all = json(&["ls", "--json"]);
    let paths: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["trace"].as_str().unwrap())
        .collect();
    assert!(paths.contains(&"_traces/a b-00aa11bb.trace"), "{paths:?}");
    // The newest are kept, regardless of age.
    let gone = json(&["prune", "--json", "--keep", "2", "--older-than", "0d", "--dry-run"]);
    assert_eq!(gone, serde_json::json!(["_traces/a b-00aa11bb.trace"]));
    assert_eq!(json(&["prune", "--json", "--keep", "3"]), serde_json::json!([]));
    assert_eq!(
        json(&["prune", "--json", "--older-than", "0d", "--dry-run"])
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// A source whose name is not UTF-8 is found again, though the trace cannot store its exact name.
#[cfg(unix)]
#[test]
fn sources_with_names_that_are_no_text_are_checked() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("odd-name");
    let name = std::ffi::OsStr::from_bytes(b"g\xff.erl");
    let path = folder.path().join(name);
    let write = |body: &str| std::fs::write(&path, format!("-module(g).\n-export([main/0]).\n{body}\n")).unwrap();
    write("main() -> error(wrong).");
    let quiet = std::ffi::OsStr::new("--quiet");
    folder.tracer([std::ffi::OsStr::new("run"), quiet, name]).expect(1);
    folder.replay(["check", "trace.bin"]).expect(1);
    write("main() -> ok.");
    folder.replay(["check", "trace.bin"]).expect(0);
    std::fs::remove_file(&path).unwrap();
    folder
        .replay(["check", "trace.bin"])
        .expect(128)
        .says(&["the files of the program are not here"]);
}

/// A recording into a FIFO waits for a reader, and says so.
#[cfg(unix)]
#[test]
fn a_recording_into_a_fifo_says_what_it_waits_for() {
    let folder = Folder::new("fifo");
    folder.write("short.erl", "-module(short).\n-export([main/0]).\nmain() -> ok.\n");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    let mut run = tests::BinaryRun::new("tracer", folder.path(), ["run", "-o", "pipe", "short.erl"]);
    let child = run.start();
    steady::until_still(child.id());
    let status = std::process::Command::new("kill")
        .args(["-s", "TERM", &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
    let outcome = tests::wait(child).expect(143);
    outcome.says(&["pipe is a FIFO", "before the program began"]);
}

/// What is no cause of a failure is not needed in order to explain it: here a value that was left out of the trace.
#[test]
fn why_needs_no_value_that_is_no_cause() {
    let folder = Folder::new("apart");
    folder.write(
        "apart.erl",
        "-module(apart).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> os:getenv(\"HOME\") end),\n    Me = self(),\n    \
         spawn(fun() -> Me ! hello end),\n    receive M -> error({bad, M}) end.\n",
    );
    folder
        .tracer([
            "run",
            "--quiet",
            "--seed",
            "1",
            "--redact-input",
            "env",
            "-o",
            "apart.bin",
            "apart.erl",
        ])
        .expect(1);
    let said = folder.replay(["why", "apart.bin"]).expect(0).out();
    assert!(
        said.contains("{bad,hello}") && said.contains("received hello"),
        "{said}"
    );
}
