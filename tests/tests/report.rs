//! `replay report`: the page holds what happened, is the same each time, stays small, and obeys nothing that a trace says. What a browser makes of
//! it is tested by `tests/browser/run`.

use tests::Folder;

/// A program whose names and messages try to leave the page.
const HOSTILE: &str = r#"-module(hostile).
-export([main/0]).
main() ->
    register('</script><img src=x onerror=alert(1)>', self()),
    Me = self(),
    spawn(fun() -> Me ! {"</script><b>", 'a\x{202e}b\e[31m', <<"<!--<script>">>} end),
    receive Message -> io:format("~tp~n", [Message]), error({'"><svg onload=alert(2)>', Message}) end.
"#;

/// Two processes send a number to and fro, until one fails.
const LONG: &str = "-module(long).
-export([main/0]).
main() ->
    Other = spawn(fun echo/0),
    loop(Other, 200).
loop(_, 0) -> error(done);
loop(Other, N) -> Other ! {self(), N}, receive {Other, M} -> loop(Other, M - 1) end.
echo() -> receive {From, N} -> From ! {self(), N}, echo() end.
";

fn trace(name: &str) -> std::path::PathBuf {
    tests::root().join("fixtures/traces/1.0").join(name)
}

fn page(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the page was written")
}

/// The text between two marks.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let (_, rest) = page.split_once(from).expect("the page has it");
    rest.split_once(to).expect("and its end").0
}

fn head(page: &str) -> serde_json::Value {
    serde_json::from_str(between(
        page,
        "<script type=\"application/json\" id=\"head\">",
        "</script>",
    ))
    .expect("the head is JSON")
}

#[test]
fn a_failure_is_one_small_page_that_is_the_same_each_time() {
    let folder = Folder::new("report");
    let trace = trace("account.trace");
    for name in ["a.html", "b.html"] {
        folder
            .replay(["report".as_ref(), trace.as_os_str(), "-o".as_ref(), name.as_ref()])
            .expect(0);
    }
    let page = page(&folder, "a.html");
    assert_eq!(page, self::page(&folder, "b.html"));
    assert!(page.len() < 150_000, "{} bytes", page.len());
    let head = head(&page);
    assert_eq!(head["about"]["outcome"], "Crashed");
    assert!(
        head["about"]["title"]["happened"]
            .as_str()
            .unwrap()
            .contains("lost_update"),
        "{head}"
    );
    // The story of `why`, with actions that the page holds.
    let steps = head["steps"].as_array().unwrap();
    assert!(
        !steps.is_empty() && steps.iter().all(|step| step["a"].as_i64().unwrap() >= 0),
        "{head}"
    );
    assert!(head["target"].as_i64().unwrap() >= 0);
    assert_eq!(head["left_out"], serde_json::json!([]));
    // What the texts are, so that the page need not read them.
    assert_eq!(head["version"], 2);
    assert_eq!(head["about"]["title"]["name"], "main/0");
    let lead = &head["lead"][0];
    let named = lead["actions"].as_array().unwrap();
    assert_eq!(lead["kind"], "likely");
    assert!(
        !named.is_empty() && named.iter().all(|one| one.as_i64().unwrap() >= 0),
        "{lead}"
    );
    assert_eq!(steps[0]["because"], "answered");
    assert_eq!(steps[0]["asked"].as_array().unwrap().len(), 2, "{}", steps[0]);
    let evidence = &steps[0]["evidence"][0];
    assert_eq!(
        (&evidence["kind"], &evidence["place"]),
        (&"sent".into(), &"account.erl:25".into())
    );
    assert_eq!(head["beside"][0]["kind"], "races");
}

#[test]
fn waits_and_all_other_golden_runs_have_a_page() {
    let folder = Folder::new("report");
    for name in ["deadlock.trace", "crashed.trace"] {
        let trace = trace(name);
        folder
            .replay([
                "report".as_ref(),
                trace.as_os_str(),
                "-o".as_ref(),
                "page.html".as_ref(),
            ])
            .expect(0);
        let head = head(&page(&folder, "page.html"));
        assert!(head["target"].as_i64().unwrap() >= 0, "{name}: {head}");
    }
}

#[test]
fn a_page_says_what_it_does_not_hold() {
    let folder = Folder::new("report");
    folder.write("long.erl", LONG);
    folder.tracer(["run", "-q", "-o", "long.trace", "long.erl"]).expect(1);
    let page_of = |actions: &str| {
        folder
            .replay(["report", "--actions", actions, "long.trace", "-o", "p.html"])
            .expect(0);
        head(&page(&folder, "p.html"))
    };
    let small = page_of("50");
    assert!(small["left_out"][0].as_str().unwrap().starts_with("Of the "), "{small}");
    assert!(small["target"].as_i64().unwrap() >= 0);
    let held = small["counts"][2].as_u64().unwrap();
    assert!((40..150).contains(&held), "{small}");
    let all = page_of("all");
    assert_eq!(all["left_out"], serde_json::json!([]));
    assert_eq!(all["counts"][2], all["counts"][0]);
}

#[test]
fn nothing_in_a_trace_is_obeyed_by_the_page() {
    let folder = Folder::new("report");
    folder.write("hostile.erl", HOSTILE);
    folder.tracer(["run", "-q", "-o", "h.trace", "hostile.erl"]).expect(1);
    folder.replay(["report", "h.trace"]).expect(0);
    let page = page(&folder, "h.html");
    // The page ends three scripts: the two of the data, and its own.
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<svg onload") && !page.contains("<!--<script>"));
    assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
}

#[test]
fn the_script_of_a_page_is_one_that_node_reads() {
    if !steady::has("node") {
        return;
    }
    let folder = Folder::new("report-node");
    let trace = trace("account.trace");
    folder
        .replay(["report".as_ref(), trace.as_os_str(), "-o".as_ref(), "a.html".as_ref()])
        .expect(0);
    let page = page(&folder, "a.html");
    let script = folder.path().join("script.js");
    std::fs::write(&script, between(&page, "<script>", "</script>")).expect("the folder can be written");
    let checked = std::process::Command::new("node").arg("--check").arg(&script).output();
    let checked = checked.expect("node runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn only_a_report_is_replaced() {
    let folder = Folder::new("report");
    let trace = trace("account.trace");
    let report = || folder.replay(["report".as_ref(), trace.as_os_str(), "-o".as_ref(), "my.html".as_ref()]);
    folder.write("my.html", "<!doctype html>\n<p>mine");
    report().expect(73).says(&["it exists and is not a report"]);
    assert_eq!(page(&folder, "my.html"), "<!doctype html>\n<p>mine");
    std::fs::remove_file(folder.path().join("my.html")).unwrap();
    report().expect(0);
    report().expect(0);
    let arguments = ["report".as_ref(), "rec:100000".as_ref(), trace.as_os_str()];
    folder.replay(arguments).expect(67);
}

#[test]
fn a_bundle_holds_all_that_a_bug_report_needs_and_can_be_scrubbed() {
    let folder = Folder::new("bundle");
    let trace = trace("account.trace");
    let bundle = |arguments: &[&str]| {
        let given = arguments.iter().map(std::ffi::OsStr::new);
        let all: Vec<&std::ffi::OsStr> = ["bundle".as_ref(), trace.as_os_str()]
            .into_iter()
            .chain(given)
            .collect();
        folder.replay(all)
    };
    bundle(&[])
        .expect(0)
        .prints(&["report.html", "summary.md", "README.txt", "account.trace"]);
    let first = std::fs::read(folder.path().join("account.zip")).unwrap();
    bundle(&[]).expect(0);
    assert_eq!(first, std::fs::read(folder.path().join("account.zip")).unwrap());
    // Without what a replay needs, the trace goes alone, and it is said why.
    bundle(&["--part", "sources", "-o", "s.zip"])
        .expect(0)
        .prints(&["without a page", "sources"]);
    folder.write("mine.zip", "mine");
    bundle(&["-o", "mine.zip"])
        .expect(73)
        .says(&["it exists and is not a zip file"]);
}

/// Two processes count in a shared counter: each reads, then writes.
const COUNT: &str = "-module(count).
-export([main/0]).
main() ->
    Counter = counters:new(1, []),
    Me = self(),
    Add = fun() -> Old = counters:get(Counter, 1), counters:put(Counter, 1, Old + 1), Me ! done end,
    spawn(Add), spawn(Add),
    receive done -> ok end, receive done -> ok end,
    case counters:get(Counter, 1) of 2 -> ok; N -> error({lost, N}) end.
";

/// Runs a program under one seed after another until it fails, and makes its page.
fn failing(folder: &Folder, name: &str) -> serde_json::Value {
    let file = format!("{name}.erl");
    let fails = |seed: &u32| {
        let seed = seed.to_string();
        let outcome = folder.tracer(["run", "-q", "--seed", &seed, "-o", "f.trace", &file]);
        outcome.code != 0
    };
    (1..200).find(fails).expect("one of the seeds fails");
    folder.replay(["report", "f.trace", "-o", "f.html"]).expect(0);
    head(&page(folder, "f.html"))
}

#[test]
fn what_came_first_stands_above_what_came_after_it() {
    let folder = Folder::new("report-order");
    folder.write("count.erl", COUNT);
    let head = failing(&folder, "count");
    let order = head["order"].as_array().unwrap();
    assert!(order.len() >= 2, "{head}");
    for pair in order.chunks_exact(2) {
        assert!(pair[0].as_i64().unwrap() < pair[1].as_i64().unwrap(), "{head}");
    }
    // A seed's run has no date.
    assert_eq!(head["about"]["recorded"], "in simulated time");
}

#[test]
fn a_page_names_what_it_explains() {
    let folder = Folder::new("report-outcome");
    let trace = trace("account.trace");
    let of = |target: &str, trace: &std::ffi::OsStr| {
        folder
            .replay([
                "report".as_ref(),
                target.as_ref(),
                trace,
                "-o".as_ref(),
                "p.html".as_ref(),
            ])
            .expect(0);
        head(&page(&folder, "p.html"))["about"].clone()
    };
    // The run crashed, but this action is no crash.
    let about = of("rec:1", trace.as_os_str());
    assert_eq!(
        (&about["outcome"], &about["calm"]),
        (&"Reached".into(), &true.into()),
        "{about}"
    );
    assert_eq!(about["target"], "rec:1");
    let about = of("error", trace.as_os_str());
    assert_eq!(
        (&about["outcome"], &about["calm"]),
        (&"Crashed".into(), &false.into()),
        "{about}"
    );
    assert_eq!(about["target"], serde_json::Value::Null);
    folder.write("stop.erl", "-module(stop).\n-export([main/0]).\nmain() -> halt(3).\n");
    folder.tracer(["run", "-q", "-o", "stop.trace", "stop.erl"]).expect(3);
    let about = of("error", "stop.trace".as_ref());
    assert_eq!(
        (&about["outcome"], &about["calm"]),
        (&"Halted".into(), &false.into()),
        "{about}"
    );
    // A line is no action.
    let about = of("line:account.erl:16", trace.as_os_str());
    assert!(
        about["title"]["happened"]
            .as_str()
            .unwrap()
            .ends_with("its last action before account.erl:16"),
        "{about}"
    );
    // A test has its name, even if the target is that name.
    folder.write(
        "sum_tests.erl",
        "-module(sum_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nadds_test() -> ?assertEqual(2, 1).\n",
    );
    folder
        .tracer(["test", "-q", "--traces", "t", "sum_tests.erl"])
        .expect(1);
    let found = std::fs::read_dir(folder.path().join("t")).unwrap();
    let test = found
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "trace"));
    let about = of("test:sum_tests:adds_test", test.unwrap().as_os_str());
    assert!(
        about["title"]["happened"].as_str().unwrap().contains("adds_test"),
        "{about}"
    );
}

#[test]
fn a_page_tells_only_what_can_be_typed_and_what_is_true() {
    let folder = Folder::new("report-words");
    folder.write("long.erl", LONG);
    folder.tracer(["run", "-q", "-o", "long.trace", "long.erl"]).expect(1);
    folder.replay(["report", "long.trace"]).expect(0);
    let whole = page(&folder, "long.html");
    let text = between(&whole, "id=\"head\">", "</script>");
    assert!(
        !text.contains("; --all shows") && text.contains("`replay why --all` shows them"),
        "{text}"
    );
    // A browser without scripts shows what failed.
    assert!(between(&whole, "<noscript>", "</noscript>").contains("error done"));
    // On standard output.
    let printed = folder.replay(["report", "long.trace", "-o", "-"]).expect(0).out();
    assert!(printed.starts_with("<!doctype html>") && !folder.path().join("-").exists());
    // All is there, whatever was asked for: nothing was left out.
    folder.write("one.erl", "-module(one).\n-export([main/0]).\nmain() -> error(x).\n");
    folder.tracer(["run", "-q", "-o", "one.trace", "one.erl"]).expect(1);
    folder.replay(["report", "--actions", "0", "one.trace"]).expect(0);
    assert_eq!(head(&page(&folder, "one.html"))["left_out"], serde_json::json!([]));
    // A recording that was cut off.
    let bytes = std::fs::read(folder.path().join("long.trace")).unwrap();
    let is_cut = |n: &usize| {
        std::fs::write(folder.path().join("cut.trace"), &bytes[..bytes.len() - 40 * n]).unwrap();
        folder.replay(["info", "cut.trace"]).out().contains("incomplete, last")
    };
    (1..40).find(is_cut).expect("without its end, the trace is incomplete");
    folder.replay(["report", "end:0.1.0", "cut.trace"]).expect(0);
    let head = head(&page(&folder, "cut.html"));
    assert!(
        head["left_out"][0]
            .as_str()
            .unwrap()
            .starts_with("The recording is not whole"),
        "{head}"
    );
}
