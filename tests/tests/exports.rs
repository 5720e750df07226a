//! `replay find`, `--view lanes` and `replay export --format`. Other people's readers open the exports in `tests/readers/run`.

use serde_json::Value;
use tests::{BinaryRun, Folder, root};

const ORDERS: &str = "-module(orders).\n-export([main/0]).\n-record(order, {id, what = book}).\nmain() ->\n    Me = self(),\n    \
                      P = spawn(fun() -> loop(Me) end),\n    [P ! #order{id = N} || N <- [1, 2, 3]],\n    P ! {stop, \"2 < 3 & 'so' on\"},\n    \
                      P ! never,\n    receive done -> io:format(\"closed~n\"), error(late) end.\nloop(Me) ->\n    receive\n        \
                      #order{} -> loop(Me);\n        {stop, _} -> Me ! done\n    end.\n";

fn orders(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("orders.erl", ORDERS);
    folder.tracer(["run", "-q", "--seed", "1", "-o", "t.bin", "orders.erl"]);
    folder
}

fn found(folder: &Folder, arguments: &[&str]) -> Value {
    let all = ["find", "--json"].iter().chain(arguments).chain(&["t.bin"]);
    serde_json::from_str(&folder.replay(all).expect(0).out()).expect("JSON")
}

#[test]
fn messages_inputs_outputs_and_ends_are_found_by_pattern_and_by_text() {
    let folder = orders("find");
    let all = found(&folder, &["#order{}"]);
    assert_eq!(all["total"], 3, "{all}");
    for hit in all["hits"].as_array().expect("a list") {
        assert_eq!(
            (hit["what"].as_str(), hit["to"].as_str()),
            (Some("message"), Some("0.2.0"))
        );
        for target in [&hit["target"], &hit["received"]] {
            folder
                .replay(["causes", target.as_str().expect("a target"), "t.bin"])
                .expect(0);
        }
    }
    let total = |arguments: &[&str]| found(&folder, arguments)["total"].as_u64();
    assert_eq!(total(&["#order{id = N} when N > 1"]), Some(2));
    assert_eq!(total(&["{stop, _}"]), Some(1));
    assert_eq!(total(&["--text", "2 < 3"]), Some(1));
    assert_eq!(total(&["--text", "closed"]), Some(1), "an output");
    assert_eq!(total(&["late"]), Some(1), "the reason of an error, without its stack");
    assert_eq!(total(&["nothing_like_it"]), Some(0));
    let some = folder.replay(["find", "-n", "1", "#order{}", "t.bin"]).expect(0).out();
    assert!(some.contains("3 hits") && some.contains("the first 1"), "{some}");
    let lost = folder.replay(["find", "never", "t.bin"]).expect(0).out();
    assert!(lost.contains("never received"), "{lost}");
    folder.replay(["find", "{add,", "t.bin"]).expect(2).says(&["--text"]);
}

#[test]
fn a_message_of_a_timer_is_found_with_its_receive() {
    let folder = Folder::new("find_timer");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n    erlang:send_after(10, self(), {expire, 1}),\n    \
         erlang:send_after(90, self(), {expire, 2}),\n    receive {expire, 1} -> ok end.\n",
    );
    folder.tracer(["run", "-q", "-o", "t.bin", "m.erl"]).expect(0);
    let all = found(&folder, &["{expire, _}"]);
    let sent: Vec<&Value> = all["hits"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|hit| hit["to"] == "0.1.0")
        .collect();
    assert_eq!(sent.len(), 2, "{all}");
    assert_eq!(
        (&sent[0]["received"], &sent[1]["received"]),
        (&Value::from("rec:1"), &Value::Null),
        "{all}"
    );
}

/// Records `tests/causes/billing.erl` into `t.bin`, in a run that fails.
fn record_billing(folder: &Folder) {
    let billing = root().join("tests/causes/billing.erl").display().to_string();
    folder.tracer([
        "run",
        "-q",
        "--seed",
        "3",
        "--schedule",
        "random",
        "-o",
        "t.bin",
        &billing,
    ]);
}

/// The request of a call is what a person looks for, not what the library puts around it.
#[test]
fn requests_of_servers_are_found() {
    let folder = Folder::new("find_calls");
    record_billing(&folder);
    assert_eq!(found(&folder, &["{place, _}"])["total"], 1);
}

#[test]
fn lanes_fit_eighty_columns_and_mark_the_race() {
    let folder = Folder::new("lanes");
    record_billing(&folder);
    let why = folder.replay(["why", "--view", "lanes", "t.bin"]).expect(0).out();
    assert!(
        why.contains("Decisive (tried):") && why.contains("! the decisive race"),
        "{why}"
    );
    assert!(why.contains('▶') && why.contains("left out"), "{why}");
    let ascii = folder
        .replay(["--until", "error", "--view", "lanes", "--ascii", "t.bin"])
        .expect(0)
        .out();
    assert!(ascii.is_ascii() && ascii.contains("->|"), "{ascii}");
    let locale = BinaryRun::new(
        "replay",
        folder.path(),
        ["--until", "error", "--view", "lanes", "t.bin"],
    );
    assert_eq!(locale.env("LC_ALL", "C").run().expect(0).out(), ascii);
    // Above the diagram of `why` stand sentences, with long terms.
    let drawn = |text: &str| text.split_once("\n\n").expect("a diagram").1.to_owned();
    for line in drawn(&why).lines().chain(ascii.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let narrow = folder
        .replay(["why", "--view", "lanes", "--width", "40", "t.bin"])
        .expect(0)
        .out();
    assert!(
        drawn(&narrow).lines().all(|line| line.chars().count() <= 40),
        "{narrow}"
    );
    folder
        .replay(["why", "--view", "lanes", "--json", "t.bin"])
        .expect(2)
        .says(&["--view"]);
    folder
        .replay(["run", "--view", "lanes", "t.bin"])
        .expect(2)
        .says(&["--until"]);
}

#[test]
fn explore_draws_its_outcomes() {
    let folder = Folder::new("lanes_explore");
    let counter = root().join("fixtures/universes/counter.erl").display().to_string();
    let drawn = folder.replay(["explore", "--view", "lanes", &counter]).expect(1).out();
    assert_eq!(drawn.matches("spawn:0.2.0").count(), 2, "one for each group: {drawn}");
}

fn exported(folder: &Folder, arguments: &[&str]) -> String {
    folder
        .replay(["export"].iter().chain(arguments).chain(&["t.bin"]))
        .expect(0)
        .out()
}

#[test]
fn causes_are_exported_as_pictures_diagrams_and_timelines() {
    let folder = orders("export");
    let svg = exported(&folder, &["--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(svg.contains("2 &lt; 3 &amp; &#39;so&#39; on"), "{svg}");
    let mermaid = exported(&folder, &["--format", "mermaid", "error"]);
    assert!(
        mermaid.contains("\nsequenceDiagram\n") && mermaid.contains("p1->>p0: done"),
        "{mermaid}"
    );
    let timeline: Value = serde_json::from_str(&exported(&folder, &["--format", "perfetto"])).expect("JSON");
    let events = timeline["traceEvents"].as_array().expect("a list");
    let phases = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
    assert!(
        phases("X") > 4 && phases("s") == phases("f") && phases("s") > 1,
        "{timeline}"
    );
    // What does not fit is said, in the file and beside it.
    let few = folder
        .replay(["export", "--format", "svg", "-n", "2", "t.bin", "-o", "few.svg"])
        .expect(0)
        .out();
    let file = std::fs::read_to_string(folder.path().join("few.svg")).expect("a file");
    assert!(few.contains("left out") && file.contains("left out"), "{few}");
    // Only what it has written itself is replaced.
    folder
        .replay(["export", "--format", "svg", "t.bin", "-o", "few.svg"])
        .expect(0);
    folder.write("mine.svg", "<svg>mine</svg>");
    folder
        .replay(["export", "--format", "svg", "t.bin", "-o", "mine.svg"])
        .expect(73)
        .says(&["mine.svg"]);
    folder
        .replay(["export", "error", "t.bin"])
        .expect(2)
        .says(&["--format"]);
    folder
        .replay(["info", "--format", "svg", "t.bin"])
        .expect(2)
        .says(&["replay export"]);
}

#[test]
fn traces_and_folders_are_exported_as_tables() {
    let folder = orders("tables");
    std::fs::create_dir(folder.path().join("traces")).expect("a folder");
    for name in ["a.trace", "b.trace"] {
        std::fs::copy(folder.path().join("t.bin"), folder.path().join("traces").join(name)).expect("a copy");
    }
    folder
        .replay(["export", "--format", "csv", "traces", "-o", "tables"])
        .expect(0)
        .prints(&["2 traces"]);
    let rows = |name: &str| {
        let text = std::fs::read_to_string(folder.path().join("tables").join(name)).expect("a table");
        text.lines().skip(1).map(str::to_owned).collect::<Vec<String>>()
    };
    let log = folder.replay(["log", "t.bin"]).expect(0).out();
    assert_eq!(rows("runs.csv").len(), 2);
    assert_eq!(rows("processes.csv").len(), 4);
    assert_eq!(rows("actions.csv").len(), 2 * log.lines().count());
    let messages = rows("messages.csv");
    assert_eq!(messages.len(), 12, "{messages:?}");
    let lost: Vec<&String> = messages.iter().filter(|row| row.ends_with(",never")).collect();
    assert!(
        lost.len() == 2 && lost[0].starts_with("traces/a.trace,sent:0.1.0/5,sent:0.1.0/5,0.1.0,0.2.0,,"),
        "{lost:?}"
    );
    // A target narrows it to its causes; several traces have no common target.
    folder
        .replay(["export", "--format", "csv", "rec:2", "t.bin", "-o", "slice"])
        .expect(0);
    let slice = std::fs::read_to_string(folder.path().join("slice/actions.csv")).expect("a table");
    assert!(slice.lines().count() < rows("actions.csv").len() / 2, "{slice}");
    folder
        .replay(["export", "--format", "csv", "error", "traces", "-o", "x"])
        .expect(2);
    folder
        .replay(["export", "--format", "csv", "t.bin"])
        .expect(2)
        .says(&["-o"]);
    folder.write("other/runs.csv", "mine");
    folder
        .replay(["export", "--format", "csv", "t.bin", "-o", "other"])
        .expect(73)
        .says(&["runs.csv"]);
}

/// Names and messages that could mean something to a reader of an export.
#[test]
fn nothing_in_a_trace_is_markup_of_an_export() {
    let folder = Folder::new("hostile_export");
    let hostile = root().join("tests/readers/hostile.erl").display().to_string();
    folder.tracer(["run", "-q", "--seed", "1", "-o", "t.bin", &hostile]);
    let svg = exported(&folder, &["--format", "svg"]);
    assert!(
        svg.contains("&lt;script&gt;") && !svg.contains("<script") && svg.matches("</svg>").count() == 1,
        "{svg}"
    );
    assert!(
        !svg.contains(|c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202e}' | '\u{2066}'))),
        "{svg}"
    );
    let mermaid = exported(&folder, &["--format", "mermaid"]);
    for line in mermaid.lines().skip(2) {
        let is_known = ["    participant p", "    p", "    Note over p"]
            .iter()
            .any(|start| line.starts_with(start));
        assert!(is_known, "{line}");
    }
    let lanes = folder
        .replay(["--until", "error", "--view", "lanes", "t.bin"])
        .expect(0)
        .out();
    assert!(!lanes.contains(|c: char| c != '\n' && c.is_control()), "{lanes}");
    folder
        .replay(["export", "--format", "csv", "t.bin", "-o", "tables"])
        .expect(0);
    folder.replay(["find", "--text", "alert", "t.bin"]).expect(0);
}
