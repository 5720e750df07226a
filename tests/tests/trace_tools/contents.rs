//! Digests: contents that differ are noticed.

use super::*;

#[test]
fn digests_notice_other_contents() {
    let folder = Folder::new("digests");
    let path = with_inputs(&folder, &["--digests"], "digests.trace");
    let verified = folder.replay(["verify", &text(&path)]).expect(0).out();
    // One message received; two processes with a final state.
    assert!(verified.contains("3 digests as recorded"), "{verified}");
    // The same logs with another program: only the content of a message differs.
    folder.replay(["export", "digests.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    for (what, from, to) in [
        (
            "message",
            "Me ! {size, byte_size(Text)}",
            "Me ! {size, 1 + byte_size(Text)}",
        ),
        ("final state", "put(home, Home)", "put(home, 1)"),
    ] {
        let changed = good.replacen(from, to, 1).replace("case N of 6", "case N of N");
        assert_ne!(changed, good);
        folder.write("changed.json", &changed);
        folder
            .replay(["import", "changed.json", "-o", "changed.trace"])
            .expect(0);
        folder
            .replay(["verify", "changed.trace"])
            .expect(82)
            .says(&[what, "digest"]);
        // Replaying the whole run, or only the causes of the message, reports it too.
        folder
            .replay(["run", "changed.trace"])
            .expect(82)
            .says(&[what, "digest"]);
        let until = folder.replay(["--until", "rec:1", "changed.trace"]);
        if what == "message" {
            until.expect(82).says(&["message rec:1 of 0.1.0", "digest"]);
        } else {
            until.expect(0);
        }
        // Without digests the same change is unnoticed: the log does not contain message contents.
        folder
            .replay(["scrub", "changed.trace", "-o", "plain.trace", "--input", "stdin"])
            .expect(0);
        folder.replay(["verify", "plain.trace"]).expect(0);
    }
}

/// A replay of changed code uses them to report which messages differ now.
#[test]
fn digests_under_changed_code() {
    let folder = Folder::new("digests-changed");
    let program = "-module(sum).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> Me ! {n, N, N * 2} end) || N <- [1, 2, 3]],\n    \
                   1 = lists:sum([receive {n, N, X} -> X end || N <- [1, 2, 3]]).\n";
    folder.write("sum.erl", program);
    folder
        .tracer([
            "run",
            "--quiet",
            "--seed",
            "1",
            "--digests",
            "sum.erl",
            "-o",
            "sum.trace",
        ])
        .expect(1);
    folder
        .tracer(["run", "--quiet", "--seed", "1", "sum.erl", "-o", "plain.trace"])
        .expect(1);
    let check = |trace: &str| folder.replay(["check", trace, "--program", "sum.erl"]).expect(1).out();
    folder.write("sum.erl", program.replace("N * 2", "case N of 2 -> 5; _ -> N * 2 end"));
    let one = check("sum.trace");
    assert!(one.contains("1 of 3 received messages differ"), "{one}");
    assert!(one.contains("the first is rec:2 of 0.1.0"), "{one}");
    assert!(!check("plain.trace").contains("contents"));
    // Other code that does the same.
    folder.write("sum.erl", program.replace("1 = lists:sum", "1 = 0 + lists:sum"));
    let same = check("sum.trace");
    assert!(
        same.contains("the contents of 3 received messages are as recorded"),
        "{same}"
    );
}

/// The same for how processes end: reasons without the lines of stack traces, and process dictionaries.
#[test]
fn digests_of_ends_under_changed_code() {
    let folder = Folder::new("digests-ends");
    let program = "-module(ends).\n-export([main/0]).\nmain() ->\n    \
                   [spawn(fun() -> put(n, N), exit({done, N}) end) || N <- [1, 2, 3]],\n    \
                   spawn_link(fun() -> receive never -> ok end end),\n    \
                   1 = length([a, b]).\n";
    folder.write("ends.erl", program);
    let args = ["run", "--quiet", "--seed", "1", "ends.erl", "-o"];
    folder
        .tracer([&args[..], &["ends.trace", "--digests"]].concat())
        .expect(1);
    folder.tracer([&args[..], &["plain.trace"]].concat()).expect(1);
    let check = |trace: &str| {
        let told = folder.replay(["check", trace, "--program", "ends.erl"]).expect(1).out();
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (then, now, words) in [
        (
            "exit({done, N})",
            "exit({done, N rem 3})",
            "1 of 5 ended processes differ, the first is 0.4.0: now exit {done,0}, recorded exit {done,3}",
        ),
        (
            "put(n, N)",
            "put(n, N bor 1)",
            "1 of 5 ended processes differ, the first is 0.3.0: exit {done,2} as recorded, with another process dictionary",
        ),
    ] {
        folder.write("ends.erl", program.replace(then, now));
        let told = check("ends.trace");
        assert!(told.contains(&format!("the final states of {words}")), "{told}");
        assert!(!check("plain.trace").contains("final states"));
    }
    // Other line numbers in the stack of the failing process, and in the signal that terminates the linked one.
    let moved = program.replace("1 = length", "1 =\n        0 + length");
    folder.write("ends.erl", moved);
    let told = check("ends.trace");
    assert!(
        told.contains("the final states of 5 ended processes are as recorded"),
        "{told}"
    );
}

/// The state of a process that waits when the run ends is compared where it waits.
#[test]
fn digests_of_those_who_wait() {
    let folder = Folder::new("digests-wait");
    folder.write(
        "waits.erl",
        "-module(waits).\n-export([main/0]).\nmain() ->\n    spawn(fun() -> put(kept, 1), receive after 10 -> put(more, 2) end, receive _ -> ok end end).\n",
    );
    let args = ["run", "--quiet", "--seed", "1", "--digests", "waits.erl"];
    folder.tracer(args).expect(0);
    let verified = folder.replay(["verify", "trace.bin"]).expect(0).out();
    assert!(verified.contains("2 digests as recorded"), "{verified}");
    folder.replay(["export", "trace.bin", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    folder.write("changed.json", good.replacen("put(more, 2)", "put(more, 3)", 1));
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    for verb in [
        &["verify"][..],
        &["run"],
        &["--until", "end:0.2.0"],
        &["state", "end:0.2.0"],
    ] {
        let args: Vec<&str> = verb.iter().copied().chain(["changed.trace"]).collect();
        folder.replay(args).expect(82).says(&["final state of 0.2.0", "digest"]);
        let args: Vec<&str> = verb.iter().copied().chain(["trace.bin"]).collect();
        folder.replay(args).expect(0);
    }
    // The entry process ended in the same state.
    folder.replay(["--until", "end:0.1.0", "changed.trace"]).expect(0);
}

/// A session that moves compares too, and reports a difference once.
#[test]
fn digests_are_compared_when_a_session_moves() {
    let folder = Folder::new("digests-move");
    with_inputs(&folder, &["--digests"], "digests.trace");
    folder.replay(["export", "digests.trace", "-o", "good.json"]).expect(0);
    let good = std::fs::read_to_string(folder.path().join("good.json")).unwrap();
    let changed = good
        .replacen("Me ! {size, byte_size(Text)}", "Me ! {size, 1 + byte_size(Text)}", 1)
        .replace("case N of 6", "case N of N");
    folder.write("changed.json", changed);
    folder
        .replay(["import", "changed.json", "-o", "changed.trace"])
        .expect(0);
    for (trace, code) in [("digests.trace", 0), ("changed.trace", 82)] {
        let back = folder
            .replay(["--until", "end:0.1.0", "--back", "rec:1", trace])
            .expect(code);
        let when = folder
            .replay(["--until", "rec:1", "--when", "true", trace])
            .expect(code);
        let commands = "until rec:1\nback\nuntil rec:1\n";
        let debug = tests::BinaryRun::new("replay", folder.path(), ["debug", trace])
            .input(commands)
            .run()
            .expect(0);
        if code != 0 {
            for outcome in [back, when] {
                outcome.says(&["message rec:1 of 0.1.0", "digest"]);
            }
            let said = format!("{}{}", debug.out(), debug.stderr);
            assert!(said.contains("the digests differ"), "{said}");
        }
    }
}

/// Two runs that differ only in the remaining time of a cancelled timer: building a long list takes real time, and almost no virtual time.
#[test]
fn what_a_timer_had_left_is_a_value() {
    let folder = Folder::new("diff-timer");
    let source = "-module(left).\n-export([main/0]).\nmain() -> R = erlang:send_after(5000, self(), x),
        3000000 = length(lists:seq(1, 3000000)), receive after 20 -> ok end, erlang:cancel_timer(R).\n";
    folder.write("left.erl", source);
    for options in [&["--virtual-time", "-o", "a.bin"][..], &["-o", "b.bin"]] {
        let all = [&["run", "--quiet"], options, &["left.erl"]].concat();
        folder.tracer(all).expect(0);
    }
    folder.replay(["diff", "a.bin", "b.bin"]).expect(0);
    let shown = folder.replay(["diff", "--values", "a.bin", "b.bin"]).no_panic();
    assert_eq!(shown.code, 1, "the clock stood still in one of them: {}", shown.out());
}

/// Runs that loaded different modules of the library, because they took different paths, have the same program.
#[test]
fn runs_are_compared_and_changed_code_is_named() {
    let folder = Folder::new("diff");
    let quiet = "-module(late).\n-export([main/0]).\nmain() -> S = self(), [spawn(fun() -> S ! X end) || X <- [1, 2]],
        receive 1 -> ok; 2 -> lists:last([1]) end.\n";
    folder.write("late.erl", quiet);
    let record = |seed: &str, trace: &str| {
        let options = ["run", "--quiet", "--seed", seed, "-o", trace, "late.erl"];
        folder.tracer(options).no_panic().expect(0);
    };
    let (mut same, mut other) = (false, false);
    record("1", "a.bin");
    for seed in 2..20 {
        record(&seed.to_string(), "b.bin");
        let outcome = folder.replay(["diff", "a.bin", "b.bin"]).no_panic();
        let shown = outcome.out();
        assert!(!shown.contains("programs"), "{shown}");
        match outcome.code {
            0 => same = true,
            1 => {
                other = true;
                assert!(shown.contains("The runs first differ here"), "{shown}");
            }
            code => panic!("exit status {code}: {shown}"),
        }
    }
    assert!(same && other, "both kinds of runs among 18 seeds");
    folder.write("late.erl", quiet.replace("2 ->", "2 -> ok, "));
    record("1", "b.bin");
    let shown = folder.replay(["diff", "a.bin", "b.bin"]).no_panic().out();
    assert!(
        shown.starts_with("The programs of the two runs differ: late\n"),
        "{shown}"
    );
}
