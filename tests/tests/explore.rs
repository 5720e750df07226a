//! `replay explore`, as it is typed.

use serde_json::Value;
use tests::{Folder, Outcome, root};

fn shows(outcome: &Outcome, words: &[&str]) {
    // Lines are wrapped.
    let out = outcome.out().split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(out.contains(word), "{word} is not in {out}");
    }
}

#[test]
fn outcomes_are_traces_that_replay() {
    let folder = Folder::new("explore");
    let counter = root().join("fixtures/universes/counter.erl").display().to_string();
    let answer = folder
        .replay(["explore", "--traces", "u", "--json", &counter])
        .expect(1);
    let answer: Value = serde_json::from_str(&answer.out()).expect("JSON");
    assert_eq!(answer["universes"], 6);
    assert_eq!(answer["complete"], true);
    let outcomes = answer["outcomes"].as_array().expect("a list");
    let told = |one: &Value| (one["failure"] == true, one["universes"].as_u64());
    let told: Vec<_> = outcomes.iter().map(told).collect();
    assert_eq!(told, [(true, Some(4)), (false, Some(2))]);
    for one in outcomes {
        folder
            .replay(["verify", one["trace"].as_str().expect("a path")])
            .expect(0);
    }
    let failed = outcomes[0]["trace"].as_str().expect("a path");
    shows(&folder.replay(["why", failed]).expect(0), &["{badmatch,1}"]);
    // A recorded run is explored in the same way.
    folder.tracer(["run", "-o", "t.bin", &counter]);
    let again = folder.replay(["explore", "--json", "t.bin"]).expect(1);
    let again: Value = serde_json::from_str(&again.out()).expect("JSON");
    assert_eq!(again["universes"], 6);
}

#[test]
fn bounds_and_what_is_not_tried_are_said() {
    let folder = Folder::new("explore_bounds");
    let counter = root().join("fixtures/universes/counter.erl").display().to_string();
    let some = folder.replay(["explore", "--universes", "2", &counter]);
    shows(&some, &["2 universes, and there can be more", "--universes"]);
    folder.write(
        "clock.erl",
        "-module(clock).\n-export([main/0]).\nmain() -> erlang:monotonic_time(), ok.\n",
    );
    let clock = folder.replay(["explore", "clock.erl"]).expect(0);
    shows(&clock, &["there can be more", "reads the time", "clock.erl:3"]);
    folder.write(
        "ever.erl",
        "-module(ever).\n-export([main/0]).\nmain() -> self() ! a, receive a -> main() end.\n",
    );
    let ever = folder.replay(["explore", "--actions", "50", "ever.erl"]).expect(0);
    shows(
        &ever,
        &["there can be more", "--actions", "did not end within the bounds"],
    );
    folder.replay(["explore", "none.erl"]).expect(66);
}
