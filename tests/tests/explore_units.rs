//! `replay explore` in parts: units and shares in processes of their own, resumed, merged; and files that are refused.

use serde_json::Value;
use tests::Folder;

/// Names, a table, a persistent term, an exit signal, a timeout and values: everything that units name.
const PROGRAM: &str = "-module(shop).\n-export([main/0]).\n\
main() ->\n    S = self(), T = ets:new(t, [public]),\n    \
P = spawn(fun() -> register(clerk, self()), receive X -> S ! {sold, X} after 50 -> S ! late end end),\n    \
[spawn(fun() -> ets:insert(T, {last, N}), catch clerk ! N, S ! N end) || N <- [banana, apple]],\n    \
spawn(fun() -> persistent_term:put(open, no), exit(P, kill) end),\n    \
[receive M -> M end || _ <- [1, 2]],\n    \
[{last, L}] = ets:lookup(T, last),\n    \
case persistent_term:get(open, yes) of yes -> {L, open}; no -> exit({closed, L}) end.\n";

const SHOP: [&str; 3] = ["--max-stall", "none", "shop.erl"];

fn shop(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("shop.erl", PROGRAM);
    folder
}

/// The answer as data, without the time that it took.
fn answer(folder: &Folder, options: &[&str]) -> Value {
    let outcome = folder.replay(["explore", "--json"].iter().chain(options).chain(&SHOP));
    let mut value: Value = serde_json::from_str(&outcome.out()).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    value.as_object_mut().expect("an object").remove("seconds");
    value
}

fn left(answer: &Value) -> Vec<String> {
    let left = answer["left"].as_array().into_iter().flatten();
    left.map(|path| path.as_str().expect("a path").to_owned()).collect()
}

#[test]
fn units_in_separate_processes_are_the_whole_when_they_are_merged() {
    let folder = shop("explore_units");
    let whole = answer(&folder, &[]);
    let all = whole["universes"].as_u64().expect("a number");
    assert!(all > 20 && whole["complete"] == true, "{all}");
    // Other processes name atoms and resources in another order: each begins with other events.
    let first = answer(&folder, &["--out", "d", "--budget", "3"]);
    assert!(first["complete"] == false && first["open"].as_u64() > Some(0));
    let mut open = left(&first);
    let mut parts = 1;
    while let Some(unit) = open.pop() {
        let part = answer(
            &folder,
            &[
                "--out", "d", "--unit", &unit, "--budget", "7", "--split", "3", "--jobs", "1",
            ],
        );
        assert!(part["complete"] == false && part["universes"].as_u64() <= Some(7));
        open.extend(left(&part));
        parts += 1;
    }
    assert!(parts > 3);
    assert_eq!(answer(&folder, &["--merge", "d"]), whole);
    // The same text, but for the time.
    let text = |options: &[&str]| {
        let out = folder.replay(["explore"].iter().chain(options).chain(&SHOP)).out();
        let (first, rest) = out.split_once('\n').expect("lines");
        format!("{}\n{rest}", first.split(" in ").next().unwrap_or(first))
    };
    assert_eq!(text(&["--merge", "d"]), text(&[]));
    // What was explored is not explored again.
    let again = answer(&folder, &["--out", "d"]);
    assert!(again["notes"].to_string().contains("explored before"));
    // Traces are made from the ways to universes.
    let traced = answer(&folder, &["--merge", "d", "--traces", "t"]);
    let trace = traced["groups"][0]["shortest"]["trace"].as_str().expect("a path");
    folder.replay(["verify", trace]).expect(0);
}

#[test]
fn shares_in_separate_folders_are_the_whole_when_they_are_merged() {
    let folder = shop("explore_shares");
    let whole = answer(&folder, &[]);
    let mut universes = 0;
    for number in 1..=3 {
        let (out, share) = (format!("s{number}"), format!("{number}/3"));
        // Cut after each universe, and repeated until nothing is left.
        for _ in 0..100 {
            let part = answer(&folder, &["--out", &out, "--shard", &share, "--budget", "9"]);
            if left(&part).is_empty() {
                universes += part["universes"].as_u64().expect("a number");
                break;
            }
        }
        if number < 3 {
            let some = answer(
                &folder,
                &["--merge", "s1", "--merge", if number == 2 { "s2" } else { "s1" }],
            );
            assert_eq!(some["complete"], false);
            assert!(some["notes"].to_string().contains("share"), "{}", some["notes"]);
        }
    }
    assert_eq!(whole["universes"], universes);
    assert_eq!(
        answer(&folder, &["--merge", "s1", "--merge", "s2", "--merge", "s3"]),
        whole
    );
}

#[test]
fn a_search_that_was_cut_is_resumed() {
    let folder = shop("explore_resume");
    let whole = answer(&folder, &[]);
    let cut = answer(&folder, &["--resume", "d", "--budget", "5"]);
    assert!(cut["complete"] == false && cut["universes"].as_u64() >= Some(5));
    // What a killed run leaves behind does not count.
    folder.write("d/.whole.result.json.7-0.tmp", "{");
    folder.write("d/0123456789abcdef.unit", "not named by any result");
    assert_eq!(answer(&folder, &["--resume", "d", "--jobs", "2"]), whole);
    assert_eq!(answer(&folder, &["--resume", "d"]), whole);
}

#[test]
fn units_of_another_search_and_damaged_ones_are_refused() {
    let folder = shop("explore_refused");
    let first = answer(&folder, &["--out", "d", "--budget", "3"]);
    let unit = left(&first).swap_remove(0);
    let refused = |options: &[&str], code: i32, words: &[&str]| {
        let outcome = folder.replay(["explore"].iter().chain(options)).expect(code);
        let err = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(err.contains(word), "{word} is not in {err}");
        }
    };
    let begin = ["--out", "e", "--unit", &unit];
    let with = |more: &[&'static str]| [&begin[..], more].concat();
    refused(
        &with(&["--max-stall", "0ms", "shop.erl"]),
        65,
        &["a unit of another search", "--max-stall is none, and here it is 0ms"],
    );
    refused(
        &with(&["--max-stall", "none", "--steps", "50", "shop.erl"]),
        65,
        &["--steps"],
    );
    folder.write("d/shop.erl", PROGRAM.replace("banana", "cherry"));
    refused(
        &with(&["--max-stall", "none", "d/shop.erl"]),
        65,
        &["its program is shop.erl"],
    );
    let bytes = std::fs::read(folder.path().join(&unit)).expect("a file");
    folder.write("cut.unit", &bytes[..bytes.len() - 9]);
    refused(
        &["--out", "e", "--unit", "cut.unit", SHOP[0], SHOP[1], SHOP[2]],
        65,
        &["damaged unit", "at byte"],
    );
    refused(
        &["--out", "e", "--unit", "shop.erl", SHOP[0], SHOP[1], SHOP[2]],
        65,
        &["not a file of units"],
    );
    refused(&["--merge", "d", "shop.erl"], 65, &["a result of another search"]);
    folder.write("f/whole.result.json", "{\"search\": 1}");
    refused(
        &["--merge", "f", SHOP[0], SHOP[1], SHOP[2]],
        65,
        &["not a result", "line 1 column"],
    );
    folder.write("g/x", "");
    refused(
        &["--merge", "g", SHOP[0], SHOP[1], SHOP[2]],
        2,
        &["no result of the start"],
    );
    for options in [
        &["--unit", "u", "shop.erl"][..],
        &["--out", "d", "--shard", "4/3", "shop.erl"],
        &["--out", "d", "--resume", "d", "shop.erl"],
        &["--out", "d", "--universes", "3", "shop.erl"],
        &["--merge", "d", "--jobs", "3", "shop.erl"],
    ] {
        refused(options, 2, &[]);
    }
    // Of two searches, no answer is made.
    folder
        .replay(["explore", "--out", "d", "--shard", "1/2"].iter().chain(&SHOP))
        .expect(1);
    refused(
        &["--merge", "d", SHOP[0], SHOP[1], SHOP[2]],
        2,
        &["several searches", "share-1-of-2"],
    );
    folder.write(
        "table.erl",
        "-module(table).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> ok end),\n    persistent_term:info().\n",
    );
    refused(
        &["--out", "h", "table.erl"],
        2,
        &["cannot be explored in units", "at table.erl:5"],
    );
    assert!(!folder.path().join("h/whole.result.json").exists());
}
