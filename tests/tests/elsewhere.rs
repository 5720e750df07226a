//! A replay gets nothing from the recorder's environment but the trace: not its macros, headers, folders, environment variables, nor the order
//! in which it loaded modules.

use log_format::Trace;
use seeds::{many, seeds};
use tests::modules::{ProgramFiles, modules};
use tests::{BinaryRun, Folder};

/// Fails if the macros differ: it spawns another number of processes.
const MACROS: &str = "-module(macros).
-export([main/0]).
-include(\"macros.hrl\").
-ifdef(TEST).
main() -> [spawn(fun() -> ok end) || _ <- ?LIST], io:format(\"~p~n\", [?HEADER]), maybe_it(), error({?LIST, tested}).
-else.
main() -> error(other).
-endif.
maybe_it() -> maybe {ok, X} ?= {ok, ?LIST}, X end.
";

const OPTIONS: [&str; 3] = ["-DTEST", "-DLIST=[1,2,3]", "--enable-feature=maybe_expr"];

fn record_macros(folder: &Folder) {
    folder.write("macros.hrl", "-define(HEADER, {header, ?LIST}).\n");
    folder.write("macros.erl", MACROS);
    let args = ["run", "--quiet", "--seed", "1", "macros.erl"];
    let outcome = folder.tracer(args.iter().chain(&OPTIONS)).expect(1);
    assert_eq!(outcome.out(), "{header,[1,2,3]}\n");
}

#[track_caller]
fn prints(outcome: &tests::CommandOutcome, words: &[&str]) {
    for word in words {
        assert!(
            outcome.out().contains(word),
            "{word:?} is not printed:\n{}",
            outcome.out()
        );
    }
}

#[test]
fn macros_and_features_of_the_command_line_travel_in_the_trace() {
    let folder = Folder::new("macros");
    record_macros(&folder);
    std::fs::remove_file(folder.path().join("macros.erl")).expect("it was written");
    std::fs::remove_file(folder.path().join("macros.hrl")).expect("it was written");
    folder.replay(["verify", "trace.bin"]).expect(0);
    prints(
        &folder.replay(["--until", "error", "trace.bin"]).expect(0),
        &["[1,2,3]"],
    );
    prints(&folder.replay(["why", "trace.bin"]).expect(0), &["tested"]);
    folder.replay(["state", "error", "trace.bin"]).expect(0);
    let info = folder.replay(["info", "trace.bin"]).expect(0);
    prints(&info, &["-DTEST -DLIST=[1,2,3] --enable-feature=maybe_expr"]);
    folder.replay(["slice", "-o", "slice.bin", "trace.bin"]).expect(0);
    folder.replay(["verify", "slice.bin"]).expect(0);
    folder.replay(["export", "-o", "trace.json", "trace.bin"]).expect(0);
    folder.replay(["import", "-o", "again.bin", "trace.json"]).expect(0);
    folder.replay(["verify", "again.bin"]).expect(0);
    folder.replay(["export", "-o", "again.json", "again.bin"]).expect(0);
    let read = |name| std::fs::read(folder.path().join(name)).expect("it was written");
    assert_eq!(read("trace.json"), read("again.json"));
    folder.write("script", "until error\nback 1\nuntil error\nquit\n");
    folder.replay(["debug", "-x", "script", "trace.bin"]).expect(0);
}

#[test]
fn check_compiles_with_the_recorded_macros_unless_others_are_given() {
    let folder = Folder::new("macros-check");
    record_macros(&folder);
    let check = |more: &[&str]| folder.replay(["check", "trace.bin"].iter().chain(more));
    prints(&check(&[]).expect(1), &["still fails"]);
    folder.write("macros.erl", format!("%% As before.\n{MACROS}"));
    prints(&check(&[]).expect(1), &["still fails"]);
    prints(&check(&["-DTEST", "-DMORE"]).expect(1), &["still fails"]);
    prints(&check(&["-DLIST=[1,2]"]).expect(1), &["fails differently"]);
    // A module that is first called now is compiled like the others.
    folder.write(
        "new.erl",
        "-module(new).\n-export([f/0]).\n-ifdef(TEST).\nf() -> ?LIST.\n-endif.\n",
    );
    folder.write(
        "macros.erl",
        MACROS.replace("maybe_it(), error", "[1,2,3] = new:f(), error"),
    );
    prints(
        &check(&["--program", "macros.erl", "--program", "new.erl"]).expect(1),
        &["still fails"],
    );
}

#[test]
fn one_module_is_one_file() {
    let folder = Folder::new("one-module");
    folder.write(
        "first.erl",
        "-module(first).\n-export([main/0]).\nmain() -> catch named:f().\n",
    );
    std::fs::create_dir_all(folder.path().join("a")).expect("a new folder");
    std::fs::create_dir_all(folder.path().join("b")).expect("a new folder");
    folder.write("a/twice.erl", "-module(twice).\n");
    folder.write("b/twice.erl", "-module(twice).\n");
    folder
        .tracer(["run", "first.erl", "a/twice.erl", "b/twice.erl"])
        .expect(64)
        .says(&["a/twice.erl and b/twice.erl are both the module twice"]);
    // As under OTP, a file with another name is not the module.
    folder.write(
        "named.erl",
        "-module(other).\n-export([f/0]).\nf() -> spawn(fun() -> ok end).\n",
    );
    folder
        .tracer(["run", "first.erl"])
        .expect(0)
        .says(&["expected the module named", "-module(other)"]);
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// Whether a module counts as loaded, and the number of a fun, do not depend on earlier loading.
#[test]
fn the_order_of_loading_is_not_seen() {
    let folder = Folder::new("loading");
    folder.write(
        "main.erl",
        "-module(main).
-export([main/0]).
main() ->
    Exported = erlang:function_exported(late, f, 0),
    Exported = erlang:module_loaded(late),
    Exported = code:is_loaded(late) =/= false,
    [spawn(fun() -> ok end) || Exported],
    Funs = lists:sort([early:f(), late:f(), fun() -> main end]),
    [main, early, late] = [element(2, erlang:fun_info(F, module)) || F <- [fun() -> main end, early:f(), late:f()]],
    [early, late, main] = [element(2, erlang:fun_info(F, module)) || F <- Funs],
    [spawn(fun() -> ok end) || F <- Funs, erlang:phash2(F) rem 2 =:= 0],
    persistent_term:put(late:f(), 1),
    Parent = self(),
    P = spawn(fun() -> put(fun_of, late:f()), Parent ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    {dictionary, [{fun_of, Observed}]} = process_info(P, dictionary),
    P ! {stop, Observed},
    exit(P, kill),
    1 = persistent_term:get(Observed),
    error(done).
",
    );
    folder.write(
        "early.erl",
        "-module(early).\n-export([f/0]).\nf() -> fun() -> early end.\n",
    );
    folder.write(
        "late.erl",
        "-module(late).\n-export([f/0]).\nf() -> fun() -> late end.\n",
    );
    let mut traces = Vec::new();
    for files in [
        &["main.erl", "early.erl", "late.erl"][..],
        &["main.erl", "late.erl", "early.erl"],
        &["main.erl"],
    ] {
        let args = ["run", "--quiet", "--digests", "--seed", "1"].iter().chain(files);
        folder.tracer(args).expect(1).says(&["done"]);
        folder.replay(["verify", "trace.bin"]).expect(0);
        folder.replay(["--until", "error", "trace.bin"]).expect(0);
        folder.replay(["export", "-o", "trace.json", "trace.bin"]).expect(0);
        let bytes = std::fs::read(folder.path().join("trace.bin")).expect("a trace");
        traces.push(Trace::from_bytes(bytes).expect("a trace"));
    }
    let log = |trace: &Trace| {
        let log = trace.log(log_format::Pid(1)).expect("the entry has a log");
        log.map(|action| action.expect("a whole trace")).collect::<Vec<_>>()
    };
    for trace in &traces {
        assert!(
            log(trace) == log(&traces[0]),
            "the same run, in whatever order modules are loaded"
        );
    }
}

/// The generated programs of `tests::modules`, replayed elsewhere: another folder without their files, another zone, another environment.
#[test]
fn generated_programs_replay_elsewhere() {
    for seed in seeds(12, 400) {
        let program = modules(seed);
        let folder = Folder::new("elsewhere");
        let outcome = record(&folder, &program);
        let what = format!(
            "program {seed}: {:?} {:?} {}",
            program.named, program.options, program.zone
        );
        assert!(outcome.stderr.contains("{ended,"), "{what}: {}", outcome.stderr);
        let elsewhere = Folder::new("elsewhere-replay");
        std::fs::rename(folder.path().join("trace.bin"), elsewhere.path().join("trace.bin")).expect("a trace");
        replay(&elsewhere, &["verify", "trace.bin"]).expect(0);
        let trace = Trace::open(&elsewhere.path().join("trace.bin")).expect(&what);
        let processes: Vec<_> = trace.processes().map(|process| process.expect(&what)).collect();
        for turn in 0..many(2, 6) {
            let process = &processes[(seed + turn * 7) as usize % processes.len()];
            let actions = process.counts.actions;
            if actions > 0 {
                let target = format!("event:{}/{}", process.pid, 1 + (seed + turn) % actions);
                replay(&elsewhere, &["--until", &target, "trace.bin"]).expect(0);
            }
        }
        // The unchanged program fails as it did; so does one with other comments.
        check(&folder, &elsewhere, &program, &what);
    }
}

fn record(folder: &Folder, program: &ProgramFiles) -> tests::CommandOutcome {
    for (name, text) in &program.files {
        folder.write(name, text);
    }
    let seed = program.seed.map(|seed| format!("--seed={seed}"));
    let args = ["run", "--digests"].into_iter().map(str::to_owned);
    let args = args
        .chain(seed)
        .chain(program.options.clone())
        .chain(program.named.clone());
    let run = BinaryRun::new("tracer", folder.path(), args).env("TZ", program.zone);
    run.env("LANG", "C.UTF-8").run().expect(1)
}

fn replay(folder: &Folder, args: &[&str]) -> tests::CommandOutcome {
    let run = BinaryRun::new("replay", folder.path(), args);
    run.env("TZ", "Asia/Tehran")
        .env("HOME", "/nowhere")
        .env("LANG", "de_DE.ISO-8859-1")
        .env("ERL_LIBS", "/nowhere")
        .run()
}

fn check(folder: &Folder, elsewhere: &Folder, program: &ProgramFiles, what: &str) {
    for (name, text) in &program.files {
        folder.write(name, format!("{text}\n%% Another comment.\n"));
    }
    let mut args = vec!["check".to_owned(), "trace.bin".to_owned()];
    for name in program.named.iter() {
        let path = folder.path().join(name);
        args.extend(["--program".to_owned(), path.to_string_lossy().into_owned()]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = replay(elsewhere, &args).no_panic();
    assert!(outcome.out().starts_with("still fails"), "{what}: {}", outcome.out());
}
