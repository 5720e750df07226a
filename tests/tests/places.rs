//! Targets that are places, `step:` and `line:`, in commands about actions: they refer to the last action before the place. And places that do
//! not exist.

use serde_json::Value;
use tests::Folder;

/// A registered process that reaches a line twice.
const NAMED: &str = "-module(named).
-export([main/0]).
main() ->
    register(server, spawn(fun server/0)),
    server ! self(), server ! self(), receive hello -> ok end, receive hello -> ok end.
server() ->
    receive From -> From ! hello end,
    server().
";

fn json(folder: &Folder, args: &[&str]) -> Value {
    let outcome = folder
        .replay(args.iter().copied().chain(["--json", "trace.bin"]))
        .expect(0);
    serde_json::from_slice(&outcome.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", outcome.out()))
}

/// The action that a place refers to: the last one of the process there, or its creation.
fn stands_for(folder: &Folder, target: &str) -> String {
    let state = json(folder, &["state", target]);
    let (pid, actions) = (&state["pid"], state["actions"].as_u64());
    let pid = pid.as_str().unwrap_or_else(|| panic!("{target}: {state}"));
    match actions {
        Some(0) => format!("spawn:{pid}"),
        Some(n) => format!("event:{pid}/{n}"),
        None => panic!("{target}: {state}"),
    }
}

/// The answers for a place equal those for its action.
fn same(folder: &Folder, target: &str) {
    let event = stands_for(folder, target);
    let name = |value: &Value| value.as_str().map(str::to_owned);
    for verb in ["causes", "consequences"] {
        let told = |target: &str| {
            let mut view = json(folder, &[verb, target]);
            // A creation is also named as the parent's action.
            view.as_object_mut().and_then(|view| view.remove("target"));
            view
        };
        assert_eq!(told(target), told(&event), "{verb} {target}, which is {event}");
    }
    let (here, there) = (json(folder, &["why", target]), json(folder, &["why", &event]));
    for key in ["happened", "links", "required", "instead", "causes", "processes"] {
        assert_eq!(here[key], there[key], "why {target}, which is {event}: {key}");
    }
    // The note says so, and names the place as it was typed.
    let notes = here["notes"].as_array().cloned().unwrap_or_default();
    let said = notes.iter().filter_map(name).any(|note| note.starts_with(target));
    assert!(said, "why {target}: {notes:?}");
    let sliced = |target: &str, file: &str| {
        let args = ["slice", target, "-o", file, "trace.bin"];
        folder.replay(args).expect(0);
        std::fs::read(folder.path().join(file)).expect("a slice")
    };
    assert_eq!(
        sliced(target, "a.bin"),
        sliced(&event, "b.bin"),
        "slice {target}, which is {event}"
    );
    folder.replay(["verify", "a.bin"]).expect(0);
}

#[test]
fn what_is_told_of_steps_is_told_of_the_action_before() {
    let folder = Folder::new("steps");
    folder.record("account", 3).no_panic();
    for (pid, from) in [("0.1.0", 3), ("0.2.0", 1), ("0.4.0", 1)] {
        for steps in [0, 1, 2, 4, 8, 13] {
            same(&folder, &format!("step:{pid}+{}", from + steps));
        }
    }
    // By a registered name.
    folder.write("named.erl", NAMED);
    folder
        .tracer(["run", "--quiet", "--seed", "1", "-o", "trace.bin", "named.erl"])
        .expect(0);
    same(&folder, "step:server+2");
    same(&folder, "line:named.erl:7@server/2");
}

#[test]
fn what_is_told_of_lines_is_told_of_the_action_before() {
    let folder = Folder::new("lines");
    folder.record("account", 3).no_panic();
    for target in [
        "line:account.erl:18",
        "line:account.erl:26@0.2.0",
        "line:account.erl:26@0.2.0/3",
        "line:account.erl:28@0.2.0/2",
        "line:account.erl:40",
        "line:account.erl:40@0.5.0",
        "line:account.erl:34",
    ] {
        same(&folder, target);
    }
    // The process is on that line for the first and the second time.
    for (target, line) in [("line:account.erl:26@0.2.0", 26), ("line:account.erl:28@0.2.0/2", 28)] {
        let state = json(&folder, &["state", target]);
        assert_eq!(state["frames"][0]["place"]["line"], line, "{target}: {state}");
    }
    // Without a process it is the one that gets there with the fewest causes.
    let fewest = |pid: &str| {
        let target = format!("line:account.erl:40@{pid}");
        json(&folder, &["why", &target])["causes"].as_u64()
    };
    let least = ["0.3.0", "0.4.0", "0.5.0"].into_iter().filter_map(fewest).min();
    let first = json(&folder, &["why", "line:account.erl:40"]);
    assert_eq!(first["causes"].as_u64(), least);
}

#[test]
fn places_that_are_none_are_refused_by_name() {
    const USAGE: i32 = 2;
    const NONE: i32 = 67;
    let folder = Folder::new("no-places");
    folder.record("account", 3).no_panic();
    let cases: [(&str, i32, &[&str]); 16] = [
        ("step:0.2.0", USAGE, &["step:0.2.0", "step:0.7.0+5"]),
        ("step:0.2.0+0", USAGE, &["step:0.2.0+0", "step:0.7.0+5"]),
        ("step:0.2.0+x", USAGE, &["step:0.2.0+x"]),
        ("step:+3", USAGE, &["step:+3"]),
        ("step:0.99.0+1", NONE, &["0.99.0"]),
        ("step:nobody+1", NONE, &["nobody"]),
        ("step:0.2.0+99999", NONE, &["step:0.2.0+99999", "ends or waits before"]),
        ("step:0.2.0+-1", USAGE, &["step:0.2.0+-1"]),
        ("line:account.erl:x", USAGE, &["line:account.erl:x"]),
        ("line:account.erl", USAGE, &["line:account.erl", "line:server.erl:42"]),
        ("line:account.erl:0", USAGE, &["line:account.erl:0"]),
        ("line:account.erl:26@", USAGE, &["line:account.erl:26@"]),
        ("line:nothing.erl:26", NONE, &["nothing.erl", "account.erl"]),
        (
            "line:account.erl:1",
            NONE,
            &["line 1 of", "is there code on that line?"],
        ),
        ("line:account.erl:26@0.99.0", NONE, &["0.99.0"]),
        ("line:account.erl:26@0.2.0/99", NONE, &["line:account.erl:26@0.2.0/99"]),
    ];
    folder
        .replay(["--until", "rec:1", "--back", "0", "trace.bin"])
        .expect(USAGE)
        .says(&["`0` is not a number of steps"]);
    for (target, code, words) in cases {
        for verb in ["why", "causes", "consequences", "state"] {
            let outcome = folder.replay([verb, target, "trace.bin"]);
            assert!(outcome.stdout.is_empty(), "{verb} {target}: {}", outcome.out());
            outcome.expect(code).says(words);
        }
        let outcome = folder.replay(["slice", target, "-o", "out.bin", "trace.bin"]);
        outcome.expect(code).says(words);
        assert!(!folder.path().join("out.bin").exists(), "slice {target} left a file");
        folder.replay(["--until", target, "trace.bin"]).expect(code).says(words);
    }
}

#[test]
fn before_the_first_action_of_all_there_is_nothing_to_tell() {
    let folder = Folder::new("first-step");
    folder.record("account", 3).no_panic();
    for verb in ["why", "causes", "consequences"] {
        let outcome = folder.replay([verb, "step:0.1.0+1", "trace.bin"]).expect(67);
        outcome.says(&["before the first action of the run", "replay state step:0.1.0+1"]);
    }
    folder
        .replay(["slice", "step:0.1.0+1", "-o", "out.bin", "trace.bin"])
        .expect(67);
    assert_eq!(json(&folder, &["state", "step:0.1.0+1"])["actions"], 0);
}
