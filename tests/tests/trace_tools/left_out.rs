//! What is left out of a trace, and what still works without it.

use super::*;

#[test]
fn redacted_inputs_are_not_in_the_trace() {
    let folder = Folder::new("redact");
    let holds = |path: &Path, what: &str| {
        let trace = Trace::open(path).unwrap();
        let mut found = false;
        for process in trace.processes() {
            for action in trace.log(process.unwrap().pid).unwrap() {
                if let log_format::Kind::Input { value } = action.unwrap().1.kind {
                    found |= value.windows(what.len()).any(|part| part == what.as_bytes());
                }
            }
        }
        found
    };
    let whole = with_inputs(&folder, &[], "whole.trace");
    assert!(holds(&whole, "tell n") && holds(&whole, "my home"));
    let info = folder.replay(["info", "whole.trace"]).expect(0).out();
    for words in [
        "1 input of class env",
        "1 input of class file",
        "1 input of class clock",
        "observation",
    ] {
        assert!(info.replace('\n', " ").contains(words), "{words}: {info}");
    }
    let recorded = with_inputs(&folder, &["--redact-input", "file,env"], "recorded.trace");
    folder
        .replay(["scrub", "whole.trace", "-o", "scrubbed.trace", "--input", "file,env"])
        .expect(0);
    for path in [&recorded, &folder.path().join("scrubbed.trace")] {
        assert!(!holds(path, "tell n") && !holds(path, "my home"), "{}", path.display());
        let path = text(path);
        // It replays up to there, and says why it cannot continue.
        let log = folder.replay(["log", "--kind", "input", &path]).expect(0).out();
        let first: u64 = log.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(first >= 1, "{log}");
        let outcome = folder
            .replay(["--until", &format!("event:0.1.0/{first}"), &path])
            .expect(82)
            .says(&["left out", "class env"]);
        assert!(!outcome.stderr.contains("diverged"), "{}", outcome.stderr);
        folder.replay(["verify", &path]).expect(0);
        assert!(
            folder
                .replay(["info", &path])
                .expect(0)
                .out()
                .replace('\n', " ")
                .contains("left out")
        );
    }
    let bytes = std::fs::read(folder.path().join("scrubbed.trace")).unwrap();
    assert!(!bytes.windows(6).any(|part| part == b"tell n"));
    // Other parts.
    folder
        .replay([
            "scrub",
            "whole.trace",
            "-o",
            "bare.trace",
            "--part",
            "sources,command,reasons,observations",
        ])
        .expect(0);
    let program = Trace::open(&folder.path().join("bare.trace"))
        .unwrap()
        .program()
        .unwrap();
    assert!(program.sources.is_empty());
    folder.replay(["info", "bare.trace"]).expect(0);
    folder
        .replay(["scrub", "whole.trace", "-o", "whole.trace", "--input", "env"])
        .expect(2);
    folder.replay(["scrub", "whole.trace", "-o", "x.trace"]).expect(2);
    folder
        .replay(["scrub", "whole.trace", "-o", "secret.txt", "--input", "env"])
        .expect(73);
}

/// The program's arguments are inputs too: once removed from the header and the command line, a replay cannot begin.
#[test]
fn arguments_are_left_out() {
    let folder = Folder::new("arguments");
    folder.write(
        "args.erl",
        "-module(args).\n-export([main/1]).\nmain([A]) -> io:format(\"~w~n\", [length(A)]), length(init:get_plain_arguments()).\n",
    );
    let record = |options: &[&str], name: &str| {
        let args: Vec<&str> = [
            &["run", "--quiet", "-o", name],
            options,
            &["args.erl", "--", "hidden-word"],
        ]
        .concat();
        assert_eq!(
            tests::BinaryRun::new("tracer", folder.path(), args)
                .run()
                .expect(0)
                .out(),
            "11\n"
        );
    };
    record(&[], "whole.trace");
    record(&["--redact-input", "arguments"], "recorded.trace");
    for (option, name) in [("--input=arguments", "input.trace"), ("--part=command", "part.trace")] {
        folder.replay(["scrub", "whole.trace", "-o", name, option]).expect(0);
    }
    let told = |name: &str| folder.replay(["info", name]).expect(0).out().replace('\n', " ");
    assert!(told("whole.trace").contains("hidden-word"));
    for name in ["recorded.trace", "input.trace", "part.trace"] {
        let trace = Trace::open(&folder.path().join(name)).unwrap();
        let header = format!("{:?}", trace.header());
        assert!(!header.contains("hidden-word"), "{header}");
        assert!(!told(name).contains("hidden-word"));
        assert!(told(name).contains("(left out: the arguments)"), "{}", told(name));
        folder
            .replay(["run", name])
            .expect(82)
            .says(&["the program's arguments were left out of the trace"]);
        folder.replay(["log", name]).expect(0);
        folder.replay(["verify", name]).expect(0);
    }
}

/// Reasons are scrubbed wherever they occur, also if the recording had stopped before the run ended.
#[test]
fn reasons_and_observations_are_left_out() {
    let folder = Folder::new("reasons");
    folder.write("telling.erl", TELLING);
    let record = |name: &str, options: &[&str]| {
        let args = ["run", "--quiet", "--seed", "1", "-o", name, "telling.erl"];
        tests::BinaryRun::new("tracer", folder.path(), args.iter().chain(options))
            .env("TELLING_TEST", "SECRET")
            .run()
            .expect(1);
        folder.path().join(name)
    };
    // JSON contains everything in a trace, unpacked.
    let tells = |name: &str| {
        let json = folder.replay(["export", name]).expect(0).out();
        let hex: String = "SECRET".bytes().map(|byte| format!("{byte:02x}")).collect();
        json.contains("SECRET") || json.contains(&hex)
    };
    for (name, limit) in [("whole.trace", "10M"), ("stopped.trace", "20K")] {
        record(name, &["--max-trace-bytes", limit]);
        assert!(tells(name));
        let info = folder.replay(["info", "--json", name]).expect(0).out();
        assert!(info.contains("reasons of ends"), "{info}");
        let parts = "command,sources,observations,reasons";
        folder
            .replay(["scrub", "--input", "env", "--part", parts, name, "-o", "scrubbed.trace"])
            .expect(0);
        assert!(!tells("scrubbed.trace"), "{name}");
        let info = folder.replay(["info", "--json", "scrubbed.trace"]).expect(0).out();
        let info: serde_json::Value = serde_json::from_str(&info).unwrap();
        assert!(info["outcome"].as_str().unwrap().contains("(removed)"), "{info}");
        assert!(!info["private"].to_string().contains("reasons"), "{info}");
        assert_eq!(info["complete"], name == "whole.trace", "{info}");
    }
    // Only what came before the recording stopped is known.
    folder.replay(["--until", "error", "stopped.trace"]).no_panic();
    // The file was never written.
    record(
        "redacted.trace",
        &["--redact-input", "env", "--redact-part", "reasons,observations"],
    );
    assert!(!tells("redacted.trace"));
    let log = folder
        .replay(["log", "--kind", "observe", "redacted.trace"])
        .expect(0)
        .out();
    let first: u64 = log.split_whitespace().nth(1).unwrap().parse().unwrap();
    folder
        .replay(["--until", &format!("event:0.1.0/{first}"), "redacted.trace"])
        .expect(82)
        .says(&["left out"]);
    record("observed.trace", &["--redact-part", "observations"]);
    folder
        .replay(["--until", &format!("event:0.1.0/{first}"), "observed.trace"])
        .expect(82)
        .says(&["left out", "an observation"]);
}

/// An error that is logged as an observation can have one meaning only: it is known even if its value was scrubbed.
#[test]
fn errors_that_were_observed_need_no_value() {
    let folder = Folder::new("observed-errors");
    folder.write(
        "dead.erl",
        "-module(dead).\n-export([main/0]).\nmain() ->\n    P = spawn(fun() -> ok end),\n    timer:sleep(10),\n    link(P).\n",
    );
    folder.write(
        "full.erl",
        "-module(full).\n-export([main/0]).\nmain() -> [spawn(fun() -> receive x -> ok end end) || _ <- lists:seq(1, 5)].\n",
    );
    for name in ["dead", "full"] {
        let program = format!("{name}.erl");
        let options = ["--max-processes", "4", "--redact-part", "observations"];
        let args = ["run", "--quiet", "--seed", "1", "-o", "left-out.trace", &program];
        tests::BinaryRun::new("tracer", folder.path(), args.iter().chain(&options))
            .run()
            .expect(1);
        let verified = folder.replay(["verify", "left-out.trace"]).expect(0).out();
        assert!(verified.contains("replayed twice as recorded"), "{verified}");
    }
}

/// Hashes of keys are listed among possibly private data, and can be scrubbed: the trace then replays up to the first key.
#[test]
fn hashes_of_keys_are_told_and_taken_out() {
    let folder = Folder::new("hashes");
    folder.write(
        "keys.erl",
        "-module(keys).\n-export([main/0, none/0]).\nnone() -> ok.\n\
         main() -> self() ! go, receive go -> ok end, T = ets:new(t, [public]), ets:insert(T, {4711, 1}), persistent_term:put(secret, 1),\n\
         P = self(), spawn(fun() -> P ! {ets:lookup(T, 4711), persistent_term:get(secret)} end), receive _ -> ok end.\n",
    );
    for (entry, told) in [("keys:none", false), ("keys:main", true)] {
        folder
            .tracer(["run", "--quiet", "--entry", entry, "keys.erl"])
            .expect(0);
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert_eq!(info.contains("hashes of keys"), told, "{info}");
    }
    let scrub = folder
        .replay(["scrub", "--part", "keys", "-o", "s.trace", "trace.bin"])
        .expect(0);
    assert!(scrub.out().contains("2 values taken out"), "{}", scrub.out());
    let info = folder.replay(["info", "s.trace"]).expect(0).out();
    assert!(
        info.contains("(left out: keys)") && !info.contains("hashes of keys"),
        "{info}"
    );
    // Equal keys get equal numbers: who read what was written by whom is reported as before.
    let log = folder.replay(["log", "s.trace"]).expect(0).out();
    assert!(
        log.contains("key 1 of the table") && log.contains("the persistent term 2"),
        "{log}"
    );
    let causes = |file: &str| -> Vec<String> {
        let told = folder.replay(["causes", "--json", "exit:0.1.0", file]).expect(0).out();
        let targets = told.lines().filter(|line| line.contains("\"target\":"));
        targets.map(str::to_owned).collect()
    };
    let targets = causes("s.trace");
    assert!(targets.len() > 8 && targets == causes("trace.bin"), "{targets:?}");
    folder.replay(["--until", "rec:1", "s.trace"]).expect(0);
    folder
        .replay(["run", "s.trace"])
        .expect(82)
        .says(&["can go no further", "left out of the trace: a key"]);
    let verified = folder.replay(["verify", "s.trace"]).expect(0).out();
    assert!(
        verified.contains("which needs a value that was left out: a key"),
        "{verified}"
    );
    // Once is enough.
    folder
        .replay(["scrub", "--part", "keys", "-o", "again.trace", "s.trace"])
        .expect(0);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("s.trace"), read("again.trace"));
}
