//! Timeouts, sleeps and programs that do not end.

use super::*;

/// In the record no reply came and the receive timed out: if the reply comes at once now, there is no timeout.
#[test]
fn a_timeout_in_vain_does_not_fire_where_the_answer_comes() {
    let source = "-module(vain).\n-export([main/0]).\nmain() ->\n    L = spawn(fun() -> receive {log, _, 1} -> ok end end),\n    \
         W = spawn(fun() -> work(L) end),\n    W ! {add, self()},\n    receive {sum, 3} -> ok after 2000 -> error(worker_stuck) end.\n\
         work(L) ->\n    receive {add, P} -> log(L, 1), log(L, 2), P ! {sum, 3} end.\nlog(L, N) -> L ! {log, self(), N}, receive logged -> ok end.\n";
    let session = run_of("vain", source, false);
    let fixed = source.replace("receive logged -> ok end", "ok");
    let answer = checked(&session, "vain", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    // The logger replies once now: there is still no reply in the end.
    let unfixed = source.replace("{log, _, 1} -> ok", "{log, P, 1} -> P ! logged");
    let answer = checked(&session, "vain", &unfixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
}

/// A lease that is three times as long is left to the clock, and the answer says so.
#[test]
fn a_timer_that_runs_much_longer_is_left_to_the_clock() {
    let source = "-module(lease).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    erlang:send_after(20, self(), expired),\n    \
         spawn(fun() -> timer:sleep(25), Me ! done end),\n    receive expired -> error(too_late); done -> ok end.\n";
    let session = run_of("lease", source, false);
    let answer = checked(&session, "lease", &source.replace("(20,", "(60,"), Options::default());
    // Done comes after 25 ms.
    assert_eq!(answer.verdict, CheckVerdict::FixedUnlessDelayed, "{answer:?}");
    assert_eq!(answer.delay.as_ref().map(|delay| delay.ms), Some(35), "{answer:?}");
    assert!(
        answer.timeouts.len() == 1 && answer.timeouts[0].timer && answer.timeouts[0].now == 60,
        "{answer:?}"
    );
    let answer = checked(&session, "lease", &source.replace("(20,", "(22,"), Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
}

/// The event with the latest time comes last: a wait of two seconds does not end before a reply that is available now or within some milliseconds.
#[test]
fn a_long_wait_ends_behind_the_answer_of_a_fix() {
    let program = Text {
        path: "desk.erl".to_owned(),
        source: DESK.as_bytes().into(),
        release: Default::default(),
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
            assert_eq!(answer.verdict, CheckVerdict::Fixed, "seed {seed}, {fix}: {answer:?}");
        }
        let unfixed = DESK.replace(forgets, "{hello, _V} -> timer:sleep(1), desk(Whom)");
        let answer = checked(&session, "desk", &unfixed, Options::default());
        assert_eq!(answer.verdict, CheckVerdict::StillFails, "seed {seed}: {answer:?}");
    }
}

#[test]
fn a_longer_sleep_does_not_end_at_once() {
    let source = "-module(nap).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    \
         spawn(fun() -> timer:sleep(5), ets:insert(T, {a, 1}) end),\n    timer:sleep(50),\n    [{a, 1}] = ets:tab2list(T).\n";
    let session = run_of("nap", source, true);
    for (sleep, verdict) in [
        ("sleep(60)", CheckVerdict::Fixed),
        ("sleep(500)", CheckVerdict::Fixed),
        ("sleep(49)", CheckVerdict::Fixed),
        ("sleep(1)", CheckVerdict::FailsDifferently),
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
        assert_eq!(answer.verdict, CheckVerdict::Incomplete, "{wait}: {answer:?}");
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
        (CheckVerdict::StillFails, None),
        "{answer:?}"
    );
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
    assert_eq!(fixed.verdict, CheckVerdict::Fixed, "{fixed:?}");
}
