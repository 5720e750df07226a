//! `replay explore` with bounds, and with random walks.

use serde_json::Value;
use tests::{Folder, root};

fn fixture(name: &str) -> String {
    root().join("fixtures/universes").join(name).display().to_string()
}

fn explored(folder: &Folder, arguments: &[&str]) -> Value {
    let arguments = ["explore", "--json"].iter().chain(arguments);
    let outcome = folder.replay(arguments);
    serde_json::from_str(&outcome.out()).expect("JSON")
}

#[test]
fn a_bound_of_delays_leaves_out_what_takes_more_and_says_so() {
    let folder = Folder::new("explore_delays");
    let file = fixture("digits.erl");
    let found = |bound: &str| {
        let answer = explored(&folder, &["--bound", bound, &file]);
        (answer["universes"].as_u64(), answer["complete"].as_bool())
    };
    assert_eq!(found("delay:0"), (Some(1), Some(false)));
    // As many as there are permutations of four with so many inversions of their code that are not zero.
    assert_eq!(found("delay:1"), (Some(7), Some(false)));
    assert_eq!(found("delay:2"), (Some(18), Some(false)));
    assert_eq!(found("delay:3"), (Some(24), Some(true)));
    let text = folder.replay(["explore", "--bound", "delay:1", &file]).out();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("at most 1 time. 11 ways left out"), "{text}");
    for bad in ["delay", "delay:x", "steps:3", "delay:-1"] {
        let refused = folder.replay(["explore", "--bound", bad, &file]).expect(2);
        assert!(
            refused.stderr.contains("expected delay:N or preemption:N"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_bound_of_preemptions_leaves_out_universes_that_have_more() {
    let folder = Folder::new("explore_preemptions");
    let found = |bound: &str| {
        let answer = explored(&folder, &["--bound", bound, &fixture("bank.erl")]);
        (answer["universes"].as_u64(), answer["complete"].as_bool())
    };
    assert_eq!(found("preemption:0"), (Some(8), Some(false)));
    assert_eq!(found("preemption:1"), (Some(12), Some(true)));
}

#[test]
fn steps_are_counted_for_each_process() {
    let folder = Folder::new("explore_steps");
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n    TIMES = self(),\n    spawn(fun loop/0),\n    \
         [spawn(fun() -> S ! X end) || X <- [a, b]],\n    receive b -> exit(b); X -> X end.\n\
         loop() -> self() ! x, receive x -> loop() end.\n",
    );
    let source = std::fs::read_to_string(folder.path().join("m.erl")).expect("a file");
    // One that loops does not use up the steps of the others, in both searches.
    for older in ["", "_ = persistent_term:info(), "] {
        folder.write("m.erl", source.replace("TIMES", &format!("{older}S")));
        let answer = explored(&folder, &["--steps", "30", "m.erl"]);
        assert_eq!((&answer["universes"], &answer["failing"]), (&2.into(), &1.into()));
        assert_eq!(answer["complete"], false);
        assert!(
            answer["notes"].to_string().contains("2 universes cut"),
            "{}",
            answer["notes"]
        );
        assert!(
            answer["outcomes"].to_string().contains("returned a"),
            "{}",
            answer["outcomes"]
        );
    }
}

#[test]
fn random_walks_estimate_how_many_universes_there_are() {
    let folder = Folder::new("explore_sample");
    for (name, universes) in [("digits.erl", 24.0), ("ambiguous.erl", 4.0)] {
        let answer = explored(&folder, &["--sample", "20", &fixture(name)]);
        let estimated = &answer["estimated"];
        // Every walk through these trees stands for all of it.
        assert_eq!(estimated["universes"]["mean"], universes);
        assert_eq!((&estimated["walks"], &answer["complete"]), (&20.into(), &false.into()));
    }
    let answer = explored(
        &folder,
        &["--sample", "150", "-DFIXED", &fixture("servers/election.erl")],
    );
    let number = |what: &str| answer["estimated"]["universes"][what].as_f64().expect("a number");
    // 29,530 in a complete search.
    let (mean, error) = (number("mean"), number("error"));
    assert!(
        (mean - 29_530.0).abs() < 4.0 * error && error < mean,
        "{mean} ± {error}"
    );
    let failing = explored(&folder, &["--sample", "40", &fixture("digits.erl")]);
    let failing = failing["estimated"]["failing"]["mean"].as_f64().expect("a number");
    assert!((failing - 6.0).abs() < 4.0, "6 of 24 fail: {failing}");
    folder.write(
        "table.erl",
        "-module(table).\n-export([main/0]).\nmain() -> persistent_term:info().\n",
    );
    let refused = folder.replay(["explore", "--sample", "5", "table.erl"]);
    assert!(
        refused.stderr.contains("--sample cannot be used here"),
        "{}",
        refused.stderr
    );
    folder
        .replay(["explore", "--sample", "5", "--universes", "2", &fixture("digits.erl")])
        .expect(2);
}

#[test]
fn races_of_servers_are_found_early() {
    let folder = Folder::new("explore_servers");
    for (name, universes) in [
        ("locks", "8"),
        ("jobs", "8"),
        ("election", "1024"),
        ("config", "8"),
        ("batcher", "8"),
    ] {
        let file = fixture(&format!("servers/{name}.erl"));
        let failing = explored(&folder, &["-j", "1", "--universes", universes, &file]);
        assert!(failing["failing"].as_u64() > Some(0), "{name}: {}", failing["outcomes"]);
        let fixed = explored(&folder, &["-j", "1", "--universes", universes, "-DFIXED", &file]);
        assert_eq!(fixed["failing"], 0, "{name} is fixed: {}", fixed["outcomes"]);
    }
}
