//! `check` on pairs of a program with a bug and the same program with the bug fixed (tests/pairs/): the right verdict on both in at least 80 %,
//! and never `fixed` for a program that still has the bug.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod generated;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Options, Verdict, check};
use log_format::Trace;
use session::Session;
use session::record::Text;
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/pairs")
}

/// Names of all pairs, sorted.
fn pairs() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Some(name.strip_suffix(".fixed.erl")?.to_owned())
        })
        .collect();
    names.sort();
    names
}

fn program(name: &str) -> Text {
    let path = folder().join(format!("{name}.erl"));
    Text {
        path: path.display().to_string(),
        source: std::fs::read(&path).unwrap().into(),
    }
}

/// A failing run of the program with the bug.
fn failing(name: &str) -> Session {
    let program = program(name);
    let seed = (1..=200).find(|&seed| program.fails(seed).unwrap() || crashes(&program, seed));
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

/// A crash of a process other than the entry process is a failure too.
fn crashes(program: &Text, seed: u64) -> bool {
    let trace = Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
    !causality::abnormal_ends(&trace).unwrap().is_empty()
}

fn with(program: PathBuf) -> Options {
    Options {
        program: vec![program],
        ..Options::default()
    }
}

struct Scratch(TempDir);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(format!("replay-check-{name}-")).unwrap())
    }
}

#[test]
fn verdicts_are_right_and_never_wrongly_fixed() {
    let scratch = Scratch::new("pairs");
    let (mut right, mut all, mut table) = (0, 0, String::new());
    let names = pairs();
    assert!(names.len() >= 20, "{} pairs", names.len());
    for name in &names {
        let session = failing(name);
        let same = check(&session, &with(folder().join(format!("{name}.erl")))).unwrap();
        assert_eq!(
            (same.verdict, same.unchanged),
            (Verdict::StillFails, true),
            "{name}: {same:?}"
        );
        // With other comments it is the same program.
        let path = scratch.0.path().join(format!("{name}.erl"));
        let text = String::from_utf8(std::fs::read(folder().join(format!("{name}.erl"))).unwrap()).unwrap();
        std::fs::write(
            &path,
            format!(
                "%% Two lines\n%% more.\n{}",
                text.replace(" ->\n", " -> % as it was\n\n")
            ),
        )
        .unwrap();
        let commented = check(&session, &with(path)).unwrap();
        assert_eq!(
            (commented.verdict, commented.unchanged, commented.same_code),
            (Verdict::StillFails, false, true),
            "{name}: {commented:?}"
        );
        // The same program in other words: it still fails.
        let path = scratch.0.path().join(format!("{name}.erl"));
        std::fs::write(
            &path,
            text.replace("main() ->", "-export([unused/0]).\nunused() -> ok.\n\nmain() ->"),
        )
        .unwrap();
        let unfixed = check(&session, &with(path)).unwrap();
        assert_ne!(unfixed.verdict, Verdict::Fixed, "{name}: {unfixed:?}");
        let fixed = check(&session, &with(folder().join(format!("{name}.fixed.erl")))).unwrap();
        right += u32::from(unfixed.verdict == Verdict::StillFails) + u32::from(fixed.verdict == Verdict::Fixed);
        all += 2;
        table.push_str(&format!(
            "{name}: unfixed {:?}, fixed {:?} ({}; {:?})\n",
            unfixed.verdict, fixed.verdict, fixed.now, fixed.divergences
        ));
    }
    println!("{right} of {all}\n{table}");
    assert!(right * 100 >= all * 80, "{right} of {all} verdicts are right:\n{table}");
}

/// The same bugs with different source text (tests/pairs/*.same.erl): other names, named tables; and programs that end differently (*.unfixed.erl).
#[test]
fn a_bug_in_other_words_is_not_fixed() {
    let scratch = Scratch::new("same");
    let mut all = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let ends_so = file.strip_suffix(".same.erl");
        let Some(name) = ends_so.or_else(|| file.strip_suffix(".unfixed.erl")) else {
            continue;
        };
        let session = failing(name);
        let path = scratch.0.path().join(format!("{name}.erl"));
        std::fs::copy(folder().join(&file), &path).unwrap();
        let checked = check(&session, &with(path)).unwrap();
        let expected = match ends_so {
            Some(_) => Verdict::StillFails,
            None => Verdict::FailsDifferently,
        };
        assert_eq!(checked.verdict, expected, "{file}: {checked:?}");
        all += 1;
    }
    assert!(all >= 7, "{all} programs");
}

/// An unrelated process is spawned before all others: an existing bug is still found.
#[test]
fn a_bug_with_one_more_process_is_not_fixed() {
    let scratch = Scratch::new("more");
    let (mut still, mut all, mut table) = (0, 0, String::new());
    for name in pairs() {
        let session = failing(&name);
        let text = String::from_utf8(program(&name).source.to_vec()).unwrap();
        let more = [
            // A fun and a function, first and in between.
            "main() ->\n    spawn(fun() -> unused end),",
            "main() ->\n    spawn(lists, seq, [1, 2]), spawn(fun() -> receive never -> ok after 0 -> ok end end),",
        ];
        for (i, more) in more.into_iter().enumerate() {
            let changed = text.replace("main() ->", more);
            assert_ne!(changed, text, "{name}");
            let path = scratch.0.path().join(format!("{name}.erl"));
            std::fs::write(&path, changed).unwrap();
            let checked = check(&session, &with(path)).unwrap();
            assert_ne!(checked.verdict, Verdict::Fixed, "{name}, {i}: {checked:?}");
            all += 1;
            still += u32::from(checked.verdict == Verdict::StillFails);
            if checked.verdict != Verdict::StillFails {
                table.push_str(&format!(
                    "{name}, {i}: {:?} ({}; {:?})\n",
                    checked.verdict, checked.now, checked.divergences
                ));
            }
        }
    }
    println!("{still} of {all} still fail\n{table}");
    assert!(still * 100 >= all * 90, "{still} of {all}:\n{table}");
}

/// Choices without a counterpart are skipped, and the run goes on to a verdict; never a wrong `fixed`.
#[test]
fn best_effort_goes_on() {
    let best = |program: PathBuf| Options {
        best_effort: true,
        ..with(program)
    };
    let scratch = Scratch::new("best-effort");
    let (mut went_on, mut all) = (0, 0);
    for name in seeds::share(pairs(), 2) {
        let session = failing(&name);
        let strict = check(&session, &with(folder().join(format!("{name}.fixed.erl")))).unwrap();
        let fixed = check(&session, &best(folder().join(format!("{name}.fixed.erl")))).unwrap();
        assert_ne!(fixed.verdict, Verdict::Diverged, "{name}: {fixed:?}");
        if strict.verdict == Verdict::Diverged {
            all += 1;
            assert!(!fixed.divergences.is_empty(), "{name}: {fixed:?}");
            went_on += u32::from(fixed.verdict == Verdict::Fixed);
        } else {
            assert_eq!((strict.verdict, strict.now), (fixed.verdict, fixed.now), "{name}");
        }
        let path = scratch.0.path().join(format!("{name}.erl"));
        let text = String::from_utf8(program(&name).source.to_vec()).unwrap();
        std::fs::write(&path, format!("{text}\n%% the same\n")).unwrap();
        let same = check(&session, &best(path)).unwrap();
        assert_eq!(same.verdict, Verdict::StillFails, "{name}: {same:?}");
    }
    println!("{went_on} of {all} that diverge are fixed by best effort");
}

#[test]
fn the_recorded_program_driven_by_its_choices_does_the_same() {
    let root = folder().join("../..");
    let fixtures = [
        "account",
        "barber",
        "client_server",
        "philosophers",
        "philosophers_livelock",
        "philosophers_order",
        "proxy",
        "seats",
        "stock",
    ];
    let paths = fixtures
        .iter()
        .map(|name| root.join(format!("fixtures/{name}/{name}.erl")));
    let pairs = pairs();
    let all = paths.chain(pairs.iter().map(|name| folder().join(format!("{name}.erl"))));
    let (mut runs, mut others) = (0, Vec::new());
    for path in all {
        let text = Text {
            path: path.display().to_string(),
            source: std::fs::read(&path).unwrap().into(),
        };
        for seed in 1..=4 {
            let bytes = text.record_bytes(seed).unwrap().1;
            let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
            runs += 1;
            if let Some(other) = check::drive_again(&session).unwrap() {
                others.push(format!("{}, seed {seed}: {other}", path.display()));
            }
        }
    }
    assert!(
        others.is_empty(),
        "{} of {runs} runs are others:\n{}",
        others.len(),
        others.join("\n")
    );
}

/// Maximum number of actions driven, to bound the time of the test.
const LONGEST: u64 = 20_000;

/// Programs that cannot be followed (docs/limitations.md): receives with a timeout that `erl_eval` evaluates.
const NOT_FOLLOWED: &[&str] = &["process/evaluated_receive"];

#[test]
fn conformance_programs_driven_by_their_choices_do_the_same() {
    let root = folder().join("../conformance");
    let (mut runs, mut wrong) = (0, Vec::new());
    let areas = ["process", "ets", "crash", "errors", "misc", "nodes", "otp", "lib"];
    for area in areas {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(root.join(area))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "erl"))
            .collect();
        paths.sort();
        for path in seeds::share(paths, 3) {
            let name = format!("{area}/{}", path.file_stem().unwrap().to_string_lossy());
            let text = Text {
                path: path.display().to_string(),
                source: std::fs::read(&path).unwrap().into(),
            };
            // This test skips programs of several modules.
            let Ok((_, bytes)) = text.record_bytes(1) else { continue };
            if NOT_FOLLOWED.contains(&name.as_str()) {
                continue;
            }
            let trace = Trace::from_bytes(bytes).unwrap();
            if trace.totals().counts.actions > LONGEST {
                continue;
            }
            runs += 1;
            let session = Session::of(Arc::new(trace)).unwrap();
            let other = check::drive_again(&session);
            if !matches!(other, Ok(None)) {
                wrong.push(format!("{name} {other:?}"));
            }
        }
    }
    println!("{runs} programs");
    assert!(runs > seeds::many(30, 100), "{runs} programs");
    assert!(
        wrong.is_empty(),
        "{} of {runs} do something else:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_fix_of_one_is_no_fix_of_another() {
    // For every change of a program other than the fix: never `fixed`.
    for name in ["unexpected_message", "divide", "election"] {
        let session = failing(name);
        let scratch = Scratch::new(name);
        let text = String::from_utf8(program(name).source.to_vec()).unwrap();
        let path = scratch.0.path().join(format!("{name}_other.erl"));
        std::fs::write(&path, format!("{text}\n%% nothing but a comment\n")).unwrap();
        let checked = check(&session, &with(path)).unwrap();
        assert_eq!(checked.verdict, Verdict::StillFails, "{name}: {checked:?}");
    }
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let program = program("divide");
    let fine = (1..=200)
        .find(|&seed| !program.fails(seed).unwrap() && !crashes(&program, seed))
        .unwrap();
    let bytes = program.record_bytes(fine).unwrap().1;
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    assert!(
        check(&session, &Options::default()).is_err(),
        "no failure, and none was expected"
    );
    let options = Options {
        expect_ok: true,
        ..with(folder().join("divide.fixed.erl"))
    };
    let checked = check(&session, &options).unwrap();
    assert_eq!(checked.verdict, Verdict::Fixed, "{checked:?}");
    let session = failing("divide");
    assert!(check(&session, &with(PathBuf::from("there/is/no/such.erl"))).is_err());
    let scratch = Scratch::new("broken");
    let path = scratch.0.path().join("divide_broken.erl");
    std::fs::write(&path, "-module(divide).\nmain( ->").unwrap();
    let broken = check(&session, &with(path));
    assert!(matches!(broken, Err(session::error::Error::Changed(_))), "{broken:?}");
}

/// The same process ends with a reason of the program's own that contains other values.
#[test]
fn other_values_in_a_reason_are_the_same_failure() {
    let source = |n: u32| {
        format!(
            "-module(values).\n-export([main/0]).\nmain() -> self() ! {n}, receive N -> exit({{stock_wrong, N}}) end.\n"
        )
    };
    let recorded = Text {
        path: "values.erl".to_owned(),
        source: source(1).into_bytes().into(),
    };
    let (_, bytes) = recorded.record_bytes(1).unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let scratch = Scratch::new("values");
    let path = scratch.0.path().join("values.erl");
    let verdict = |text: String| {
        std::fs::write(&path, text).unwrap();
        let checked = check(&session, &with(path.clone())).unwrap();
        checked.verdict
    };
    assert_eq!(verdict(source(2)), Verdict::StillFails);
    assert_eq!(
        verdict(source(2).replace("stock_wrong", "till_wrong")),
        Verdict::FailsDifferently
    );
    // Reasons of the runtime stand for many different failures.
    assert_eq!(
        verdict(source(2).replace("exit({stock_wrong, N})", "1 = N")),
        Verdict::FailsDifferently
    );
}

/// Modules of the library are not suggested.
#[test]
fn a_file_of_another_program_is_told_with_the_modules_of_this_one() {
    let recorded = Text {
        path: "sorted.erl".to_owned(),
        source: b"-module(sorted).\n-export([main/0]).\nmain() -> exit(lists:sort([2, 1])).\n"
            .as_slice()
            .into(),
    };
    let (_, bytes) = recorded.record_bytes(1).unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let scratch = Scratch::new("another");
    let path = scratch.0.path().join("another.erl");
    std::fs::write(&path, "-module(another).\n").unwrap();
    let error = check(&session, &with(path)).unwrap_err().to_string();
    assert!(
        error.ends_with("not a module of the recorded run, whose modules are: sorted"),
        "{error}"
    );
}

/// A run of a program in this file, under the first seed with which it fails (or, with `well`, does not fail).
fn run_of(name: &str, source: &str, well: bool) -> Session {
    first_run(name, source, 600, well).unwrap_or_else(|| panic!("{name} never ends so"))
}

/// The same for a failing run, if one of the first seeds gives one.
fn recorded_text(name: &str, source: &str, seeds: u64) -> Option<Session> {
    first_run(name, source, seeds, false)
}

fn first_run(name: &str, source: &str, seeds: u64, well: bool) -> Option<Session> {
    let program = Text {
        path: format!("{name}.erl"),
        source: source.as_bytes().into(),
    };
    let seed = (1..=seeds).find(|&seed| program.fails(seed).unwrap() != well)?;
    let trace = Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
    Some(Session::of(Arc::new(trace)).unwrap())
}

/// The answer of `check` for another source of the program.
fn checked(session: &Session, name: &str, source: &str, options: Options) -> check::Checked {
    let scratch = Scratch::new(name);
    let path = scratch.0.path().join(format!("{name}.erl"));
    std::fs::write(&path, source).unwrap();
    check(
        session,
        &Options {
            program: vec![path],
            ..options
        },
    )
    .unwrap()
}

/// In the record no reply came and the receive timed out: if the reply comes at once now, there is no timeout.
#[test]
fn a_timeout_in_vain_does_not_fire_where_the_answer_comes() {
    let source = "-module(vain).\n-export([main/0]).\nmain() ->\n    L = spawn(fun() -> receive {log, _, 1} -> ok end end),\n    \
         W = spawn(fun() -> work(L) end),\n    W ! {add, self()},\n    receive {sum, 3} -> ok after 2000 -> error(worker_stuck) end.\n\
         work(L) ->\n    receive {add, P} -> log(L, 1), log(L, 2), P ! {sum, 3} end.\nlog(L, N) -> L ! {log, self(), N}, receive logged -> ok end.\n";
    let session = run_of("vain", source, false);
    let fixed = source.replace("receive logged -> ok end", "ok");
    let answer = checked(&session, "vain", &fixed, Options::default());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
    // The logger replies once now: there is still no reply in the end.
    let unfixed = source.replace("{log, _, 1} -> ok", "{log, P, 1} -> P ! logged");
    let answer = checked(&session, "vain", &unfixed, Options::default());
    assert_eq!(answer.verdict, Verdict::StillFails, "{answer:?}");
}

/// A lease that is three times as long is left to the clock, and the answer says so.
#[test]
fn a_timer_that_runs_much_longer_is_left_to_the_clock() {
    let source = "-module(lease).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    erlang:send_after(20, self(), expired),\n    \
         spawn(fun() -> timer:sleep(25), Me ! done end),\n    receive expired -> error(too_late); done -> ok end.\n";
    let session = run_of("lease", source, false);
    let answer = checked(&session, "lease", &source.replace("(20,", "(60,"), Options::default());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
    assert!(
        answer.timeouts.len() == 1 && answer.timeouts[0].timer && answer.timeouts[0].now == 60,
        "{answer:?}"
    );
    let answer = checked(&session, "lease", &source.replace("(20,", "(22,"), Options::default());
    assert_eq!(answer.verdict, Verdict::StillFails, "{answer:?}");
}

/// In a run that succeeded, helpers are killed and workers crash as intended.
#[test]
fn what_belongs_to_a_good_run_is_no_failure() {
    let source = "-module(tidy).\n-export([main/0]).\nmain() ->\n    S = spawn(fun() -> receive stop -> ok end end),\n    \
         {P, R} = spawn_monitor(fun() -> error(poisoned) end),\n    receive {'DOWN', R, process, P, _} -> ok end,\n    exit(S, kill),\n    3 = 1 + 2.\n";
    let session = run_of("tidy", source, true);
    let expect = || Options {
        expect_ok: true,
        ..Options::default()
    };
    let answer = checked(&session, "tidy", &source.replace("3 = 1 + 2", "3 = 2 + 1"), expect());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
    let answer = checked(&session, "tidy", &source.replace("3 = 1 + 2", "3 = 2 + 2"), expect());
    assert_eq!(answer.verdict, Verdict::FailsDifferently, "{answer:?}");
}

/// The racing steps are now made by a helper, and the race is too rare for the random schedules.
#[test]
fn a_rare_race_that_moved_to_another_process_is_not_fixed() {
    let source = "-module(rarely).\n-export([main/0]).\nmain() ->\n    ets:new(t, [named_table, public]),\n    ets:insert(t, {balance, 0}),\n    \
         Ps = [spawn_monitor(fun() -> busy(N), teller(), busy(N) end) || N <- [1, 2]],\n    \
         [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ps],\n    [{balance, 2}] = ets:lookup(t, balance).\n\
         busy(N) -> [ets:insert(t, {{N, I}, I}) || I <- lists:seq(1, 12)].\nteller() ->\n    [{balance, N}] = ets:lookup(t, balance),\n    ets:insert(t, {balance, N + 1}).\n";
    let session = run_of("rarely", source, false);
    let moved = source.replace(
        "teller() ->\n",
        "teller() ->\n    {P, R} = spawn_monitor(fun() -> add() end),\n    receive {'DOWN', R, process, P, _} -> ok end.\nadd() ->\n",
    );
    let answer = checked(&session, "rarely", &moved, Options::default());
    assert_ne!(answer.verdict, Verdict::Fixed, "{answer:?}");
    // Even a program that cannot fail any more: nothing here shows that.
    let moved = moved.replace(
        "[{balance, N}] = ets:lookup(t, balance),\n    ets:insert(t, {balance, N + 1})",
        "ets:update_counter(t, balance, 1)",
    );
    let answer = checked(&session, "rarely", &moved, Options::default());
    assert!(
        answer.verdict == Verdict::Diverged && answer.no_power && !answer.divergences.is_empty(),
        "{answer:?}"
    );
}

/// The error says which program does not compile.
#[test]
fn a_changed_program_that_does_not_compile_is_told_as_such() {
    let source = "-module(torn).\n-export([main/0]).\nmain() -> exit(bad).\n";
    let session = run_of("torn", source, false);
    let scratch = Scratch::new("torn");
    let path = scratch.0.path().join("torn.erl");
    std::fs::write(&path, source.replace("exit(bad)", "nobody()")).unwrap();
    let error = check(&session, &with(path)).unwrap_err().to_string();
    assert!(
        error.contains("the program as it is now cannot be loaded") && error.contains("nobody/0"),
        "{error}"
    );
}

/// What a missing choice is reported with: the process, its place in the program, the recorded message, and where the sender waits.
#[test]
fn a_divergence_says_what_was_expected_and_where_the_others_are() {
    let source = "-module(lacks).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    P = spawn(fun() -> Me ! {price, 7}, receive stop -> ok end end),\n    \
         receive {price, N} -> P ! stop, error({dear, N}) end.\n";
    let session = run_of("lacks", source, false);
    let changed = source.replace("Me ! {price, 7}, ", "");
    let answer = checked(&session, "lacks", &changed, Options::default());
    assert_eq!(answer.verdict, Verdict::Diverged, "{answer:?}");
    let one = &answer.divergences[0];
    assert_eq!(one.message.as_deref(), Some("{price,7}"), "{answer:?}");
    assert!(one.place.ends_with("lacks.erl:6") && one.name == "main/0", "{answer:?}");
    assert!(
        one.found.contains("0.2.0") && one.found.contains("lacks.erl:5"),
        "{answer:?}"
    );
}

/// The recorded crash queried its process's links and messages; a server that continues and is stopped queries its stack.
#[test]
fn the_answer_to_one_question_is_none_to_another() {
    let source = "-module(obs).\n-behaviour(gen_server).\n-export([main/0, init/1, handle_info/2, handle_call/3, handle_cast/2]).\n\
         init(_) -> {ok, data}.\nhandle_call(_, _, S) -> {noreply, S}.\nhandle_cast(_, S) -> {noreply, S}.\n\
         handle_info(hello, S) -> {noreply, S}.\nmain() ->\n    {ok, S} = gen_server:start_link(?MODULE, [], []),\n    S ! boom,\n    \
         timer:sleep(5),\n    gen_server:stop(S).\n";
    let session = run_of("obs", source, false);
    let fixed = source.replace("handle_info(hello", "handle_info(_");
    let answer = checked(&session, "obs", &fixed, Options::default());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
    // The same for the environment: another variable is another query, which the record does not answer.
    let source = "-module(env).\n-export([main/0]).\nmain() ->\n    \"x\" = os:getenv(\"NO_SUCH_VARIABLE\", \"y\").\n";
    let session = run_of("env", source, false);
    let fixed = source.replace("\"NO_SUCH_VARIABLE\", \"y\"", "\"NOR_THIS_ONE\", \"x\"");
    let answer = checked(&session, "env", &fixed, Options::default());
    assert_eq!(answer.verdict, Verdict::Diverged, "{answer:?}");
}

const FLAKY: &str = "-module(flaky).\n-export([main/0]).\nmain() ->\n    S = spawn(fun() -> server() end),\n    S ! {work, self()},\n    \
     receive done -> ok end.\nserver() ->\n    receive {work, P} ->\n        {_, M} = spawn_monitor(fun() -> exit(flaky) end),\n        \
     receive {'DOWN', M, _, _, flaky} -> P, forgotten end,\n        server()\n    end.\n";

/// An abnormal end that another process handled, in a run that ended in a deadlock, is not a failure of the changed program.
#[test]
fn a_handled_crash_before_a_deadlock_is_no_failure() {
    let session = run_of("flaky", FLAKY, false);
    let answer = checked(&session, "flaky", &format!("{FLAKY}%% as before\n"), Options::default());
    assert_eq!(answer.verdict, Verdict::StillFails, "{answer:?}");
    let fixed = FLAKY.replace("P, forgotten", "P ! done");
    let answer = checked(&session, "flaky", &fixed, Options::default());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
}

/// If a crash is taken as the trace's failure, the deadlock in which the run ended can be named.
#[test]
fn the_wait_of_the_entry_can_be_named() {
    let source = "-module(waits).\n-export([main/0]).\nmain() ->\n    {_, M} = spawn_monitor(fun() -> error(expected) end),\n    \
         receive {'DOWN', M, _, _, _} -> ok end,\n    S = spawn(fun() -> receive {get, P} -> P end end),\n    S ! {get, self()},\n    \
         receive got -> ok end.\n";
    let session = run_of("waits", source, false);
    let fixed = source.replace("-> P end", "-> P ! got end");
    let answer = checked(&session, "waits", &fixed, Options::default());
    assert_eq!(
        answer.verdict,
        Verdict::StillFails,
        "the crash is the failure: {answer:?}"
    );
    let of_the_wait = || Options {
        target: Some("end:0.1.0".to_owned()),
        ..Options::default()
    };
    let answer = checked(&session, "waits", &fixed, of_the_wait());
    assert_eq!(answer.verdict, Verdict::Fixed, "{answer:?}");
    let answer = checked(&session, "waits", &source.replace("got", "had"), of_the_wait());
    assert_eq!(answer.verdict, Verdict::StillFails, "{answer:?}");
}

/// The order in which processes used a file is not recorded: if the fix makes them read something else, many random schedules decide.
#[test]
fn a_race_on_a_file_is_decided_by_schedules() {
    let source = "-module(lines).\n-export([main/0]).\nmain() ->\n    ok = file:write_file(\"lines.txt\", <<>>),\n    Me = self(),\n    \
         Ps = [spawn(fun() -> add(N), Me ! {done, self()} end) || N <- [1, 2, 3, 4, 5]],\n    [receive {done, P} -> ok end || P <- Ps],\n    \
         {ok, Text} = file:read_file(\"lines.txt\"),\n    5 = byte_size(Text).\n\
         add(N) -> {ok, Old} = file:read_file(\"lines.txt\"), ok = file:write_file(\"lines.txt\", [Old, $0 + N]).\n";
    let session = run_of("lines", source, false);
    let fixed = source.replace("main() ->\n", "main() ->\n    register(writer, spawn(fun writer/0)),\n").replace(
        "add(N) -> {ok, Old}",
        "add(N) -> writer ! {add, N, self()}, receive added -> ok end.\nwriter() -> receive {add, N, P} -> append(N), P ! added, writer() end.\n\
         append(N) -> {ok, Old}",
    );
    let answer = checked(&session, "lines", &fixed, Options::default());
    assert_eq!((answer.verdict, answer.own_files), (Verdict::Fixed, true), "{answer:?}");
    // A pause between reading and writing is not a fix.
    let worse = source.replace(
        "{ok, Old} = file:read_file(\"lines.txt\"),",
        "{ok, Old} = file:read_file(\"lines.txt\"), timer:sleep(1),",
    );
    let answer = checked(&session, "lines", &worse, Options::default());
    assert_ne!(answer.verdict, Verdict::Fixed, "{answer:?}");
}

#[test]
fn a_cut_trace_without_a_failure_is_incomplete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/traces/1.0/cut.trace");
    let session = Session::of(Arc::new(Trace::open(&path).unwrap())).unwrap();
    let changed = "-module(many).\n-export([main/1]).\nmain(_) -> ok.\n";
    let found = checked(&session, "many", changed, Options::default());
    assert_eq!(
        (found.verdict, &found.now[..]),
        (Verdict::Incomplete, "the recording was cut")
    );
}

/// Two clients of a desk that forgets those who come while it is busy; their parent gives each two seconds.
const DESK: &str = "-module(desk).\n-export([main/0]).\nmain() ->\n    D = spawn_link(fun() -> desk(free) end),\n    Me = self(),\n    \
     Vs = [spawn(fun() -> timer:sleep(rand:uniform(8)), visit(D), Me ! {served, self()} end) || _ <- [1, 2]],\n    \
     [served, served] = [receive {served, V} -> served after 2000 -> sent_away end || V <- Vs].\n\
     visit(D) -> D ! {hello, self()}, receive your_turn -> ok end.\n\
     desk(Whom) ->\n    receive\n        {hello, V} when Whom =:= free -> erlang:send_after(4, self(), done), desk(V);\n        \
     {hello, _V} -> desk(Whom);\n        done -> Whom ! your_turn, desk(free)\n    end.\n";

/// The event with the latest time comes last: a wait of two seconds does not end before a reply that is available now or within some milliseconds.
#[test]
fn a_long_wait_ends_behind_the_answer_of_a_fix() {
    let program = Text {
        path: "desk.erl".to_owned(),
        source: DESK.as_bytes().into(),
    };
    let failing: Vec<u64> = (1..=30).filter(|&seed| program.fails(seed).unwrap()).take(4).collect();
    assert_eq!(failing.len(), 4);
    let forgets = "{hello, _V} -> desk(Whom)";
    for seed in failing {
        let trace = Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
        let session = Session::of(Arc::new(trace)).unwrap();
        for fix in [
            "{hello, V} -> V ! your_turn, desk(Whom)",
            "{hello, V} -> erlang:send_after(3, self(), {hello, V}), desk(Whom)",
            "{hello, V} -> timer:sleep(3), V ! your_turn, desk(Whom)",
        ] {
            let answer = checked(&session, "desk", &DESK.replace(forgets, fix), Options::default());
            assert_eq!(answer.verdict, Verdict::Fixed, "seed {seed}, {fix}: {answer:?}");
        }
        let unfixed = DESK.replace(forgets, "{hello, _V} -> timer:sleep(1), desk(Whom)");
        let answer = checked(&session, "desk", &unfixed, Options::default());
        assert_eq!(answer.verdict, Verdict::StillFails, "seed {seed}: {answer:?}");
    }
}

#[test]
fn a_longer_sleep_does_not_end_at_once() {
    let source = "-module(nap).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    \
         spawn(fun() -> timer:sleep(5), ets:insert(T, {a, 1}) end),\n    timer:sleep(50),\n    [{a, 1}] = ets:tab2list(T).\n";
    let session = run_of("nap", source, true);
    for (sleep, verdict) in [
        ("sleep(60)", Verdict::Fixed),
        ("sleep(500)", Verdict::Fixed),
        ("sleep(49)", Verdict::Fixed),
        ("sleep(1)", Verdict::FailsDifferently),
    ] {
        let options = Options {
            expect_ok: true,
            ..Options::default()
        };
        let answer = checked(&session, "nap", &source.replace("sleep(50)", sleep), options);
        assert_eq!(answer.verdict, verdict, "{sleep}: {answer:?}");
    }
}

/// A run that does not end is not a run without failure.
#[test]
fn a_program_that_runs_for_ever_is_not_fixed() {
    let source = "-module(poll).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> Me ! M end) || M <- [a, b]],\n    \
         receive M -> first(M) end.\nfirst(a) -> ok;\nfirst(b) -> error(b_first).\nwait() -> WAIT.\n";
    let session = run_of("poll", &source.replace("WAIT", "ok"), false);
    for wait in [
        "timer:sleep(10), wait()",
        "self() ! again, receive again -> wait() end",
        "wait()",
    ] {
        let changed = source
            .replace("first(a) -> ok", "first(a) -> wait()")
            .replace("error(b_first)", "ok")
            .replace("WAIT", wait);
        let answer = checked(&session, "poll", &changed, Options::default());
        assert_eq!(answer.verdict, Verdict::Incomplete, "{wait}: {answer:?}");
        assert!(
            answer
                .now
                .starts_with("the program does not end under a random schedule"),
            "{wait}: {answer:?}"
        );
    }
}

/// A short wait for a message that is never sent is equivalent to a sleep: what raced in the record still races.
#[test]
fn a_new_wait_for_nobody_is_no_remedy() {
    let source = "-module(count).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    Me = self(),\n    \
         ets:insert(T, {n, 0}),\n    Ps = [spawn(fun() -> add(T), Me ! {done, self()} end) || _ <- [1, 2]],\n    \
         [receive {done, P} -> ok end || P <- Ps],\n    [{n, 2}] = ets:lookup(T, n).\n\
         add(T) -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}).\n";
    let session = run_of("count", source, false);
    let delayed = source.replace("add(T) -> ", "add(T) -> receive nothing -> ok after 1 -> ok end, ");
    let answer = checked(&session, "count", &delayed, Options::default());
    assert_eq!(
        (answer.verdict, answer.schedule),
        (Verdict::StillFails, None),
        "{answer:?}"
    );
}

/// Line numbers that affect the program's behaviour, and names of variables, do not change a failure.
#[test]
fn lines_and_names_of_variables_are_no_change() {
    const LINES: &str = "-module(lines).
-export([main/0]).
-define(HERE, ?LINE).

main() ->
    Self = self(),
    [spawn_link(fun() -> Self ! {at, ?HERE, N} end) || N <- [1, 2]],
    First = receive {at, _, N} -> N end,
    io:format(\"~w~n\", [?LINE]),
    1 = First.
";
    let session = run_of("lines", LINES, false);
    let moved = checked(&session, "lines", &format!("%% One.\n\n{LINES}"), Options::default());
    assert_eq!(
        (moved.verdict, moved.same_code),
        (Verdict::StillFails, true),
        "{moved:?}"
    );
    assert!(moved.now.contains("lines.erl:12:"), "{moved:?}");
    let renamed = LINES.replace("First", "Winner");
    let renamed = checked(&session, "lines", &renamed, Options::default());
    assert_eq!(
        (renamed.verdict, renamed.same_code),
        (Verdict::StillFails, true),
        "{renamed:?}"
    );
    let other = checked(
        &session,
        "lines",
        &LINES.replace("1 = First", "2 = First"),
        Options::default(),
    );
    assert!(!other.same_code, "{other:?}");
}

/// A program that polls waits for what others do, and that happens.
#[test]
fn who_looks_again_and_again_waits_for_others() {
    const NAME: &str = "-module(gap).
-export([main/0]).

main() ->
    Self = self(),
    spawn_link(fun() -> Self ! ready, serve() end),
    spawn_link(fun() -> timer:sleep(1), register(served, self()), receive {ask, From} -> From ! answer end end),
    receive ready -> ok end,
    timer:sleep(1),
    ask(20).

ask(_Left) ->
    served ! {ask, self()},
    receive answer -> ok end.

serve() -> ok.
";
    let session = run_of("gap", NAME, false);
    let fix = NAME.replace(
        "    served ! {ask, self()},\n    receive answer -> ok end.",
        "    case whereis(served) of\n        undefined when _Left > 0 -> timer:sleep(2), ask(_Left - 1);\n        undefined -> exit(lost);\n        _ -> served ! {ask, self()}, receive answer -> ok end\n    end.",
    );
    let fixed = checked(&session, "gap", &fix, Options::default());
    assert_eq!(fixed.verdict, Verdict::Fixed, "{fixed:?}");
}
