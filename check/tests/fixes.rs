//! Programs with a bug, and fixes of it.

use super::*;

#[test]
fn verdicts_are_right_and_never_wrongly_fixed() {
    let scratch = Scratch::new("pairs");
    let (mut right, mut all, mut table) = (0, 0, String::new());
    let names = pairs();
    assert!(names.len() >= 20, "{} pairs", names.len());
    for name in &seeds::share(names, 2) {
        let session = failing(name);
        let same = check(&session, &with(folder().join(format!("{name}.erl")))).unwrap();
        assert_eq!(
            (same.verdict, same.unchanged),
            (CheckVerdict::StillFails, true),
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
            (CheckVerdict::StillFails, false, true),
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
        assert_ne!(unfixed.verdict, CheckVerdict::Fixed, "{name}: {unfixed:?}");
        let fixed = check(&session, &with(folder().join(format!("{name}.fixed.erl")))).unwrap();
        right +=
            u32::from(unfixed.verdict == CheckVerdict::StillFails) + u32::from(fixed.verdict == CheckVerdict::Fixed);
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
            // It has a pause of 20 ms, which its failure must outlast.
            Some("no_demonitor") => CheckVerdict::FixedUnlessDelayed,
            Some(_) => CheckVerdict::StillFails,
            None => CheckVerdict::FailsDifferently,
        };
        assert_eq!(checked.verdict, expected, "{file}: {checked:?}");
        all += 1;
    }
    assert!(all >= 7, "{all} programs");
}

/// A changed program sees the processes that it has, not the recorded ones; and no schedule lets two processes talk for ever while a third waits.
#[test]
fn a_changed_program_sees_its_own_processes() {
    for name in ["seen_dead", "asks_again"] {
        let fixed = check(&failing(name), &with(folder().join(format!("{name}.fixed.erl")))).unwrap();
        assert_eq!(fixed.verdict, CheckVerdict::Fixed, "{name}: {fixed:?}");
    }
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
            assert_ne!(checked.verdict, CheckVerdict::Fixed, "{name}, {i}: {checked:?}");
            all += 1;
            still += u32::from(checked.verdict == CheckVerdict::StillFails);
            if checked.verdict != CheckVerdict::StillFails {
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
    for name in seeds::share(pairs(), 4) {
        let session = failing(&name);
        let strict = check(&session, &with(folder().join(format!("{name}.fixed.erl")))).unwrap();
        let fixed = check(&session, &best(folder().join(format!("{name}.fixed.erl")))).unwrap();
        assert_ne!(fixed.verdict, CheckVerdict::Diverged, "{name}: {fixed:?}");
        if strict.verdict == CheckVerdict::Diverged {
            all += 1;
            assert!(!fixed.divergences.is_empty(), "{name}: {fixed:?}");
            went_on += u32::from(fixed.verdict == CheckVerdict::Fixed);
        } else {
            assert_eq!((strict.verdict, strict.now), (fixed.verdict, fixed.now), "{name}");
        }
        let path = scratch.0.path().join(format!("{name}.erl"));
        let text = String::from_utf8(program(&name).source.to_vec()).unwrap();
        std::fs::write(&path, format!("{text}\n%% the same\n")).unwrap();
        let same = check(&session, &best(path)).unwrap();
        assert_eq!(same.verdict, CheckVerdict::StillFails, "{name}: {same:?}");
    }
    println!("{went_on} of {all} that diverge are fixed by best effort");
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
        assert_eq!(checked.verdict, CheckVerdict::StillFails, "{name}: {checked:?}");
    }
}

/// Two processes that add to a balance among other work. `before`: how much work comes before that.
fn rarely(before: &str) -> String {
    format!(
        "-module(rarely).\n-export([main/0]).\nmain() ->\n    ets:new(t, [named_table, public]),\n    ets:insert(t, {{balance, 0}}),\n    \
         Ps = [spawn_monitor(fun() -> busy(N), teller(), busy(N) end) || N <- [1, 2]],\n    \
         [receive {{'DOWN', R, process, P, _}} -> ok end || {{P, R}} <- Ps],\n    [{{balance, 2}}] = ets:lookup(t, balance).\n\
         busy(N) -> [ets:insert(t, {{{{N, I}}, I}}) || I <- lists:seq(1, {before})].\nteller() ->\n    [{{balance, N}}] = ets:lookup(t, balance),\n    ets:insert(t, {{balance, N + 1}}).\n"
    )
}

/// The racing steps are made by a helper: as they were, and in one step.
fn moved(source: &str) -> (String, String) {
    let moved = source.replace(
        "teller() ->\n",
        "teller() ->\n    {P, R} = spawn_monitor(fun() -> add() end),\n    receive {'DOWN', R, process, P, _} -> ok end.\nadd() ->\n",
    );
    let at_once = moved.replace(
        "[{balance, N}] = ets:lookup(t, balance),\n    ets:insert(t, {balance, N + 1})",
        "ets:update_counter(t, balance, 1)",
    );
    (moved, at_once)
}

#[test]
fn a_race_that_moved_to_another_process_is_found_by_schedules() {
    let source = rarely("12");
    let session = run_of("rarely", &source, false);
    let (moved, at_once) = moved(&source);
    let answer = checked(&session, "rarely", &moved, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
    let answer = checked(&session, "rarely", &at_once, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    assert!(
        answer.schedules.as_ref().is_some_and(|s| s.recorded_fails >= 3),
        "{answer:?}"
    );
}

/// The race is too rare for the schedules.
#[test]
fn a_rare_race_that_moved_to_another_process_is_not_fixed() {
    let source = rarely("20 * N");
    let session = run_of("rarely", &source, false);
    let (moved, at_once) = moved(&source);
    let answer = checked(&session, "rarely", &moved, Options::default());
    assert_ne!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    // A program that cannot fail any more: its universes are few.
    let answer = checked(&session, "rarely", &at_once, Options::default());
    let all = answer.universes.as_ref().is_some_and(|universes| universes.all);
    assert!(answer.verdict == CheckVerdict::Fixed && all, "{answer:?}");
    // If nothing shows that, it is not said.
    let timed = at_once.replace("balance, 1).", "balance, 1), erlang:monotonic_time().");
    let answer = checked(&session, "rarely", &timed, Options::default());
    assert!(
        answer.verdict == CheckVerdict::Diverged && answer.no_power && !answer.divergences.is_empty(),
        "{answer:?}"
    );
    assert!(answer.universes.is_some_and(|universes| !universes.all), "not all");
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
    assert_eq!(
        (answer.verdict, answer.own_files),
        (CheckVerdict::Fixed, true),
        "{answer:?}"
    );
    // A pause between reading and writing is not a fix.
    let worse = source.replace(
        "{ok, Old} = file:read_file(\"lines.txt\"),",
        "{ok, Old} = file:read_file(\"lines.txt\"), timer:sleep(1),",
    );
    let answer = checked(&session, "lines", &worse, Options::default());
    assert_ne!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
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
        (CheckVerdict::StillFails, true),
        "{moved:?}"
    );
    assert!(moved.now.contains("lines.erl:12:"), "{moved:?}");
    let renamed = LINES.replace("First", "Winner");
    let renamed = checked(&session, "lines", &renamed, Options::default());
    assert_eq!(
        (renamed.verdict, renamed.same_code),
        (CheckVerdict::StillFails, true),
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
