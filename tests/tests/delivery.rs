//! Small programs whose outcomes under a real Erlang were counted in 1,000 runs each (`tests/delivery/capture.sh`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tests::{Folder, root};

/// What the programs return, as a set.
type Outcomes = BTreeSet<String>;

fn words(text: &str) -> Outcomes {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What exploring finds.
fn explored(folder: &Folder, program: &str, delivery: &str) -> Outcomes {
    let path = root()
        .join(format!("tests/delivery/{program}.erl"))
        .display()
        .to_string();
    // A process that is killed on purpose counts as a failure, so the exit code says nothing.
    let answer = folder.replay(["explore", "--json", "--all", "--delivery", delivery, &path]);
    let answer: Value = serde_json::from_str(&answer.out()).expect("JSON");
    let outcomes = answer["outcomes"].as_array().expect("a list").iter();
    let told = outcomes.map(|one| one["outcome"].as_str().expect("a text").to_owned());
    told.map(|text| text.trim_start_matches("returned ").to_owned())
        .collect()
}

#[test]
fn what_erlang_shows_is_possible_and_what_is_excluded_it_never_shows() {
    let folder = Folder::new("delivery");
    let data = root().join("tests/delivery");
    let counts = std::fs::read_to_string(data.join("counts.txt")).expect("counts.txt");
    let mut seen: BTreeMap<String, Outcomes> = BTreeMap::new();
    for line in counts.lines() {
        let [program, outcome, count] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a count: {line}");
        };
        assert!(
            count.parse::<u32>().is_ok_and(|count| (1..=1000).contains(&count)),
            "{line}"
        );
        seen.entry(program.to_owned()).or_default().insert(outcome.to_owned());
    }
    assert!(seen.len() >= 15, "{} programs", seen.len());
    for (program, seen) in seen {
        let source = std::fs::read_to_string(data.join(format!("{program}.erl"))).expect("a program");
        let said = |key: &str| {
            let mut lines = source.lines();
            let line = lines.find_map(|line| line.strip_prefix(&format!("%% {key}: ")));
            words(line.unwrap_or_else(|| panic!("{program} says nothing of {key}")))
        };
        let (causal, free) = (said("causal"), said("free"));
        assert!(seen.is_subset(&causal), "{program}: Erlang shows {seen:?}");
        assert_eq!(explored(&folder, &program, "causal"), causal, "{program}");
        assert_eq!(explored(&folder, &program, "free"), free, "{program}");
    }
}
