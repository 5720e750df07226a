//! Breakpoints in all universes, and universes from a point of a trace, as they are typed.

use serde_json::Value;
use tests::{Folder, root};

fn math() -> String {
    root().join("fixtures/universes/math.erl").display().to_string()
}

/// The answers to these commands, one value for each command that answers.
fn talk(folder: &Folder, what: &str, commands: &str) -> Vec<Value> {
    folder.write("script", commands);
    let out = folder
        .replay(["explore", "--interactive", "-x", "script", "--json", what])
        .out();
    let values = serde_json::Deserializer::from_str(&out).into_iter::<Value>();
    values.collect::<Result<_, _>>().expect("JSON")
}

fn paused(answer: &Value) -> Vec<&str> {
    let all = answer["paused"].as_array().expect("a list");
    all.iter()
        .map(|one| one["about_to"].as_str().expect("a text"))
        .collect()
}

/// The session of [TL19, section 5.2]: two universes are paused, then three, and their results are 24, 24 and 66.
#[test]
fn the_example_of_the_paper() {
    let folder = Folder::new("universes_math");
    let told = talk(
        &folder,
        &math(),
        "break receive in math/1\nrun\nturn\nresume\nresume\nends\n",
    );
    let receives = |what: &str| format!("is about to receive {what}");
    assert_eq!(
        paused(&told[1]),
        [receives("{double,12} from 0.3.0"), receives("{double,33} from 0.5.0")]
    );
    assert_eq!(told[2]["paused"].as_array().map(Vec::len), Some(3));
    assert_eq!(told[2]["ended_in_all"], 0);
    assert_eq!((paused(&told[4]).len(), &told[4]["ended_in_all"]), (0, &Value::from(3)));
    let mut results: Vec<(String, u64)> = told[5]["outcomes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["outcome"].to_string(), one["universes"].as_u64().unwrap_or(0)))
        .collect();
    results.sort_unstable();
    let returned = |value: &str| format!("\"returned {value}\"");
    assert_eq!(results, [(returned("24"), 2), (returned("66"), 1)]);
}

#[test]
fn steps_of_universes() {
    let folder = Folder::new("universes_steps");
    let told = talk(
        &folder,
        &math(),
        "break send by 0.3.0 to 0.2.0 where {get_result, _}\nrun\nover\nnext\nstep\nresume\n",
    );
    assert_eq!(paused(&told[1]), ["is about to send {get_result,<0.1.0>} to 0.2.0"]);
    // It was handled: at once, after the other number, or between the two.
    assert_eq!(paused(&told[2]), ["has come to a receive"; 3]);
    // In one of them, the other number is still to come.
    assert_eq!(paused(&told[3]), ["has come to a receive"]);
    assert_eq!(told[3]["ended_in_all"], 2);
    assert_eq!((paused(&told[4]).len(), &told[4]["ended_in_all"]), (0, &Value::from(3)));
}

#[test]
fn lines_conditions_and_sessions() {
    let folder = Folder::new("universes_lines");
    folder.write(
        "doubled.erl",
        "-module(doubled).\n-export([main/0]).\nmain() ->\n    D = spawn(fun() -> doubled(0) end),\n    \
         [spawn(fun() -> D ! N end) || N <- [12, 33]],\n    ok.\ndoubled(_) ->\n    receive\n        N ->\n            \
         doubled(2 * N)\n    end.\n",
    );
    folder.write(
        "script",
        "break line doubled.erl:10 when N > 20\nrun\nopen 1\nprint N + 1\nquit\nlist\n",
    );
    let out = folder
        .replay(["explore", "--interactive", "-x", "script", "doubled.erl"])
        .expect(0)
        .out();
    assert!(out.contains("is about to evaluate this line"), "{out}");
    assert!(
        out.contains("\n34\n") && out.contains("back among the universes"),
        "{out}"
    );
    // The number comes first or second.
    assert!(out.contains("2 universes are paused; 0 have ended"), "{out}");
}

#[test]
fn what_cannot_be_a_breakpoint_is_said() {
    let folder = Folder::new("universes_wrong");
    let math = math();
    for (line, words) in [
        ("break line math.erl:11", "there is no code on line 11"),
        ("break line math.erl", "expected FILE:LINE"),
        ("break line nothing.erl:1", "nothing.erl"),
        ("break", "is no place for a breakpoint"),
        ("break receive by", "`by` is not understood"),
        ("break receive of x", "`of` is not understood"),
        ("break exit from 0.2.0", "it goes with receive and send"),
        ("break timeout where x", "it goes with receive, send and exit"),
        ("break receive where {", "expected an Erlang pattern"),
        ("break receive when Missing > 1", "`Missing` is not a variable"),
        ("break receive by server/2", "name the process by its pid"),
        ("resume", "no universe is paused"),
        ("show 1", "there is no paused universe"),
        ("open x", "needs the number"),
        ("delete 1", "there is no breakpoint"),
        ("run now", "takes no argument"),
        ("jump", "is not a command"),
    ] {
        folder.write("script", format!("{line}\n"));
        let failed = folder.replay(["explore", "--interactive", "-x", "script", &math]);
        println!("{line}");
        failed.says(&[words]);
    }
    // What only the older search explores.
    folder.write(
        "m.erl",
        "-module(m).\n-export([main/0]).\nmain() ->\n    self() ! persistent_term:info(),\n    receive X -> X end.\n",
    );
    folder.write("script", "break receive\nrun\n");
    let failed = folder.replay(["explore", "--interactive", "-x", "script", "m.erl"]);
    failed.says(&["at m.erl:4 that only the older search explores"]);
}

/// The recorded run is one of those that can follow, and the traces of the others have the order of accesses that they should have.
#[test]
fn what_could_have_followed_a_point_of_a_trace() {
    let folder = Folder::new("universes_from");
    let math = math();
    folder
        .tracer(["run", "--exit-with-main", "-o", "t.bin", &math])
        .expect(0);
    let count = |from: &str| {
        let answer = folder.replay(["explore", "--json", "--from", from, "t.bin"]).out();
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["complete"], true);
        answer["universes"].as_u64().expect("a number")
    };
    assert_eq!(count("before:event:0.1.0/1"), 3);
    assert_eq!(count("end:0.1.0"), 1);
    let failed = folder.replay(["explore", "--from", "rec:1", &math]);
    failed.says(&["it needs a trace"]);
    let failed = folder.replay(["explore", "--from", "rec:999", "t.bin"]);
    failed.says(&["rec:999"]);
    // Names that are registered by several processes: each universe can be written, and its trace is whole.
    folder.write(
        "names.erl",
        "-module(names).\n-export([main/0]).\nmain() ->\n    S = self(),\n    \
         spawn(fun() -> catch register(a, self()), S ! b end),\n    \
         spawn(fun() -> S ! a, case whereis(a) of undefined -> no; P -> P ! c end end),\n    \
         catch register(a, self()),\n    ok.\n",
    );
    for seed in ["0", "1", "2"] {
        folder.tracer(["run", "--seed", seed, "-o", "n.bin", "names.erl"]);
        let told = folder.replay(["explore", "--json", "--delivery", "free", "--traces", seed, "n.bin"]);
        let told: Value = serde_json::from_str(&told.out()).expect("JSON");
        for group in told["groups"].as_array().expect("a list") {
            folder
                .replay(["verify", group["shortest"]["trace"].as_str().expect("a path")])
                .expect(0);
        }
    }
}
