//! Graphs of universes, as they are typed: `replay explore --graph`, `replay graph`, and questions in SQL.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::Value;
use tests::{CommandOutcome, Folder, root};

fn json(outcome: &CommandOutcome) -> Value {
    serde_json::from_str(&outcome.out()).expect("JSON")
}

/// The graph of a fixture, in `u.sqlite`.
fn explored(name: &str, fixture: &str) -> Folder {
    let folder = Folder::new(name);
    let program = root().join(format!("fixtures/universes/{fixture}.erl"));
    let program = program.display().to_string();
    folder.replay(["explore", "--graph", "u.sqlite", &program]);
    folder
}

fn open(folder: &Folder) -> Connection {
    Connection::open(folder.path().join("u.sqlite")).expect("a database")
}

fn numbers(db: &Connection, sql: &str) -> Vec<Vec<i64>> {
    let mut query = db.prepare(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
    let columns = query.column_count();
    let rows = query.query_map([], |row| (0..columns).map(|at| row.get(at)).collect());
    rows.expect("rows").collect::<Result<_, _>>().expect("numbers")
}

/// The query of the paper [TL19, Listing 2], as docs/exploration.md has it.
fn query_of_the_paper() -> String {
    let page = std::fs::read_to_string(root().join("docs/exploration.md")).expect("the page");
    let query = page.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next());
    query.expect("a query in SQL").replace("t.text", "t.n")
}

#[test]
fn the_query_of_the_paper_finds_the_shortest_ways_to_the_ends() {
    for fixture in ["math", "forks", "counter"] {
        let folder = explored("paper", fixture);
        let db = open(&folder);
        let rows = numbers(&db, query_of_the_paper().trim_end().trim_end_matches(';'));
        let choices = numbers(&db, "SELECT state, next FROM choices");
        // Level by level, as far as each end.
        let mut near: BTreeMap<i64, i64> = BTreeMap::from([(0, 0)]);
        for depth in 0..choices.len() as i64 {
            for choice in &choices {
                if near.get(&choice[0]) == Some(&depth) {
                    near.entry(choice[1]).or_insert(depth + 1);
                }
            }
        }
        let ends: BTreeSet<i64> = numbers(&db, "SELECT state FROM ends")
            .iter()
            .map(|row| row[0])
            .collect();
        assert_eq!(
            rows.iter().map(|row| row[0]).collect::<BTreeSet<_>>(),
            ends,
            "{fixture}"
        );
        for end in ends {
            let steps: BTreeSet<(i64, i64)> = rows
                .iter()
                .filter(|row| row[0] == end)
                .map(|row| (row[1], row[2]))
                .collect();
            let mut on_the_way = BTreeSet::from([end]);
            let mut expected = BTreeSet::new();
            for depth in (0..near[&end]).rev() {
                for choice in choices.iter().filter(|choice| near[&choice[0]] == depth) {
                    if on_the_way.contains(&choice[1]) && near[&choice[1]] == depth + 1 {
                        on_the_way.insert(choice[0]);
                        expected.insert((choice[0], choice[1]));
                    }
                }
            }
            assert_eq!(steps, expected, "{fixture}, end {end}");
        }
    }
}

#[test]
fn the_choice_that_makes_a_deadlock_unavoidable_is_named() {
    let folder = explored("deadlock", "forks");
    let answer = json(
        &folder
            .replay(["graph", "--json", "--decides", "deadlock", "u.sqlite"])
            .expect(0),
    );
    let decides = &answer["decides"];
    assert_eq!(decides["universes"], 1);
    assert_eq!(decides["unavoidable_after"], 3);
    let choices = decides["choices"].as_array().expect("choices");
    // Each fork is taken by the philosopher on whose left it is: the last one decides.
    let takers = ["0.8.0", "0.12.0", "0.17.0"];
    for (choice, taker) in choices.iter().zip(takers) {
        let step = choice["steps"][0].as_str().expect("a step");
        assert!(
            step.contains(&format!("takes {{take,<{taker}>}}")) && step.contains("forks.erl:26"),
            "{step}"
        );
    }
    let text = folder
        .replay(["graph", "--decides", "deadlock", "u.sqlite"])
        .expect(0)
        .out();
    assert!(
        text.contains("Unavoidable after choice 3: every run ends so, once"),
        "{text}"
    );
}

#[test]
fn views_tell_paths_universes_and_outcomes() {
    let folder = explored("views", "counter");
    let db = open(&folder);
    assert_eq!(
        numbers(&db, "SELECT outcome, failure, universes FROM outcomes"),
        [[1, 1, 4], [2, 0, 2]]
    );
    assert_eq!(
        numbers(&db, "SELECT outcome, count(*) FROM universes GROUP BY outcome"),
        [[1, 4], [2, 2]]
    );
    // Each universe is another path.
    let mut paths: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in numbers(&db, "SELECT universe, n, state FROM paths ORDER BY universe, n") {
        let path = paths.entry(row[0]).or_default();
        assert_eq!(path.len() as i64, row[1]);
        path.push(row[2]);
    }
    assert_eq!(paths.len(), 6);
    let steps = numbers(&db, "SELECT count(*) FROM chain_steps JOIN steps USING(step)");
    assert!(steps[0][0] > 6);
    let told = "SELECT count(*) FROM told WHERE deed = 'receive' AND place LIKE '%counter.erl:%'";
    assert_eq!(numbers(&db, told), numbers(&db, "SELECT count(*) FROM choices"));
}

/// Seven processes that send one message each: 5,040 universes with as many results.
const ORDERS: &str = "-module(orders).\n-export([main/0]).\nmain() -> S = self(), [spawn(fun() -> S ! {n, I} end) || I <- lists:seq(1, 7)], \
                      go(7, []).\ngo(0, A) -> A;\ngo(N, A) -> receive {n, I} -> go(N - 1, [I | A]) end.\n";

#[test]
fn a_choice_takes_few_bytes_and_a_large_picture_is_folded() {
    let folder = Folder::new("large_graph");
    folder.write("orders.erl", ORDERS.as_bytes());
    folder
        .replay(["explore", "--graph", "u.sqlite", "orders.erl"])
        .expect(0);
    let db = open(&folder);
    let choices = numbers(&db, "SELECT count(*) FROM choices")[0][0];
    assert!(choices > 8_000);
    let size = std::fs::metadata(folder.path().join("u.sqlite")).expect("a file").len() as i64;
    assert!(size < 64 * choices, "{} bytes for each choice", size / choices);
    folder.replay(["graph", "-o", "u.dot", "u.sqlite"]).expect(0);
    let dot = std::fs::read_to_string(folder.path().join("u.dot")).expect("a picture");
    assert!(dot.lines().count() < 200, "{dot}");
    folder.replay(["graph", "-o", "u.json", "u.sqlite"]).expect(0);
    let document = std::fs::read_to_string(folder.path().join("u.json")).expect("a text");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["universes"], 5_040);
    assert_eq!(
        document["choices"].as_array().map(|all| all.len() as i64),
        Some(choices)
    );
}

#[test]
fn a_graph_is_shown_as_a_page() {
    let folder = explored("graph_page", "forks");
    folder.replay(["report", "u.sqlite"]).expect(0);
    folder.replay(["graph", "-o", "v.html", "u.sqlite"]).expect(0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a page");
    let page = read("u.html");
    assert_eq!(page, read("v.html"));
    // Eleven states; no script; the deadlock is told.
    assert_eq!(page.matches("<rect").count(), 11);
    assert!(!page.contains("<script") && page.contains("default-src 'none'"));
    assert!(page.contains("the entry waits for ever") && page.contains("Unavoidable after choice 3"));
    // Nothing that is not a report is replaced.
    folder.write("mine.html", b"mine");
    folder.replay(["report", "-o", "mine.html", "u.sqlite"]).expect(73);
    // A large one is folded.
    folder.write("orders.erl", ORDERS.as_bytes());
    folder.replay(["explore", "--graph", "w.html", "orders.erl"]).expect(0);
    let page = read("w.html");
    assert!(page.matches("<rect").count() < 10 && page.len() < 60_000 && page.contains("5,040 universes"));
}

#[test]
fn what_was_not_explored_is_said() {
    let folder = Folder::new("part_of_a_graph");
    folder.write("orders.erl", ORDERS.as_bytes());
    folder.replay([
        "explore",
        "--universes",
        "10",
        "-j",
        "1",
        "--graph",
        "u.sqlite",
        "orders.erl",
    ]);
    let text = folder.replay(["graph", "--decides", "1", "u.sqlite"]).expect(0).out();
    assert!(
        text.contains("as far as explored") && text.contains("There can be more"),
        "{text}"
    );
}

#[test]
fn a_file_that_is_not_a_graph_is_refused() {
    let folder = explored("bad_graphs", "math");
    let refuses = |name: &str, exit: i32, words: &str| {
        let outcome = folder.replay(["graph", name]).expect(exit);
        assert!(outcome.stderr.contains(words), "{name}: {}", outcome.stderr);
    };
    folder.write("text.sqlite", b"no database");
    refuses("text.sqlite", 65, "text.sqlite");
    refuses("none.sqlite", 66, "there is no such file");
    let other = Connection::open(folder.path().join("other.sqlite")).expect("a database");
    other.execute_batch("CREATE TABLE states(state)").expect("a table");
    refuses("other.sqlite", 65, "not one that");
    for change in [
        "UPDATE choices SET next = 99 WHERE state = 0",
        "UPDATE choices SET next = 0",
        "UPDATE states SET ending = 77 WHERE ending IS NOT NULL",
        "UPDATE chains SET steps = '[1,9999]'",
        "UPDATE chains SET steps = NULL",
        "DELETE FROM chains",
        "DELETE FROM states",
        "UPDATE endings SET outcome = 4000000000",
        "UPDATE lengths SET state = 0",
        "UPDATE lengths SET universes = 9223372036854775807",
        "DROP TABLE steps; CREATE VIEW steps AS SELECT 1",
    ] {
        std::fs::copy(folder.path().join("u.sqlite"), folder.path().join("c.sqlite")).expect("a copy");
        let db = Connection::open(folder.path().join("c.sqlite")).expect("a database");
        db.execute_batch("PRAGMA ignore_check_constraints = ON")
            .expect("a setting");
        // A change that the tables refuse leaves an intact file.
        let changed = db.execute_batch(change).is_ok() && !change.contains("universes =");
        drop(db);
        for question in [
            &["graph", "c.sqlite"][..],
            &["graph", "--decides", "66", "c.sqlite"],
            &["graph", "--at", "0", "c.sqlite"],
        ] {
            let outcome = folder.replay(question.iter().copied());
            assert!(
                !changed || outcome.code == 65,
                "{change}: {} {}",
                outcome.code,
                outcome.stderr
            );
        }
    }
    let outcome = folder.replay(["explore", "--graph", "u.txt", "u.erl"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
}

#[test]
fn what_the_program_chooses_is_told_as_a_choice() {
    let folder = Folder::new("graph_of_choices");
    for (body, options, count) in [
        ("amb:choose([1, 2, 3])", vec![], 3),
        ("_ = persistent_term:info(), amb:choose([1, 2, 3])", vec![], 3),
        ("rand:uniform(2)", vec!["--random-choices", "2"], 2),
    ] {
        folder.write(
            "m1.erl",
            format!("-module(m1).\n-export([main/0]).\nmain() -> {body}.\n"),
        );
        let mut arguments = vec!["explore", "--graph", "m1.sqlite"];
        arguments.extend(options);
        arguments.push("m1.erl");
        folder.replay(arguments);
        let answer = json(&folder.replay(["graph", "--json", "--at", "0", "m1.sqlite"]).expect(0));
        assert_eq!(answer["universes"], count, "{body}");
        let choices = answer["state"]["choices"].as_array().expect("choices");
        assert_eq!(choices.len(), count, "{body}");
        let second = choices[1]["steps"][0].as_str().expect("a step");
        assert!(
            second.contains(&format!("chooses 2 (element 2 of {count})")),
            "{second}"
        );
    }
}

#[test]
fn only_choices_that_prevent_an_outcome_are_named() {
    let folder = Folder::new("graph_prevents");
    let body = "case amb:choose([a, b, c]) of a -> exit(bad); c -> ok; b -> case amb:choose([a, b]) of a -> exit(bad); b -> ok end end";
    folder.write("m.erl", format!("-module(m).\n-export([main/0]).\nmain() -> {body}.\n"));
    folder.replay(["explore", "--graph", "u.sqlite", "m.erl"]);
    let answer = json(
        &folder
            .replay(["graph", "--json", "--decides", "crash", "u.sqlite"])
            .expect(0),
    );
    let instead = answer["decides"]["instead"].as_array().expect("choices");
    assert_eq!(instead.len(), 1, "{answer}");
    let step = instead[0]["steps"][0].as_str().expect("a step");
    assert!(step.contains("chooses c (element 3 of 3)"), "{step}");
    let text = folder
        .replay(["graph", "--decides", "crash", "u.sqlite"])
        .expect(0)
        .out();
    assert!(!text.contains("for certain") && !text.contains("chooses b"), "{text}");
}

#[test]
fn only_a_graph_of_the_same_kind_is_replaced() {
    let folder = explored("graph_replaces", "math");
    let program = root().join("fixtures/universes/math.erl").display().to_string();
    let other = Connection::open(folder.path().join("b.sqlite")).expect("a database");
    other.execute_batch("CREATE TABLE mine(x)").expect("a table");
    drop(other);
    for (name, mine) in [
        ("a.sqlite", b"mine".to_vec()),
        (
            "b.sqlite",
            std::fs::read(folder.path().join("b.sqlite")).expect("a file"),
        ),
        ("c.json", br#"{"name": "mine", "version": 1}"#.to_vec()),
        ("d.dot", b"digraph mine { a -> b; }".to_vec()),
        ("e.html", b"<!doctype html><p>mine".to_vec()),
    ] {
        folder.write(name, &mine);
        for arguments in [
            ["explore", "--graph", name, &program],
            ["graph", "-o", name, "u.sqlite"],
        ] {
            let refused = folder.replay(arguments).expect(73);
            let words = "it exists and is not a graph of universes of this kind";
            assert!(refused.stderr.contains(words), "{name}: {}", refused.stderr);
            assert!(
                std::fs::read(folder.path().join(name)).expect("a file") == mine,
                "{name}"
            );
        }
        // What was written is replaced, and so is an empty file.
        folder.write(name, b"");
        for arguments in [
            ["explore", "--graph", name, &program],
            ["graph", "-o", name, "u.sqlite"],
        ] {
            folder.replay(arguments).expect(0);
        }
    }
}

#[test]
fn universes_that_differ_only_in_the_write_that_was_seen_part() {
    let folder = Folder::new("graph_writes");
    let body = "register(boss, self()), spawn(fun() -> case whereis(boss) of undefined -> ok; _ -> ok end end), unregister(boss)";
    for older in ["", "_ = persistent_term:info(), "] {
        folder.write(
            "m.erl",
            format!("-module(m).\n-export([main/0]).\nmain() -> {older}{body}.\n"),
        );
        folder.replay(["explore", "--graph", "u.sqlite", "m.erl"]);
        let text = folder.replay(["graph", "--parts", "1,2", "u.sqlite"]).expect(0).out();
        let first = if older.is_empty() { 1 } else { 2 };
        for action in [first, first + 2] {
            let words = format!("last changed by main/0 <0.1.0>, its action {action} at m.erl:3");
            assert!(text.contains(&words), "{text}");
        }
    }
}
