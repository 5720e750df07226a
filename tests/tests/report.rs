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
        head["about"]["title"].as_str().unwrap().contains("lost_update"),
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
