//! What the search says of small programs whose race is known.

#![expect(clippy::unwrap_used, reason = "tests")]

mod sets;

use std::sync::Arc;

use decisive::{Answer, Class, Limits, Outcome, Verdict};
use log_format::Trace;
use session::Session;
use session::record::Text;
use session::subject::ShownBounds;

fn text(body: &str) -> Text {
    Text {
        path: "m.erl".to_owned(),
        source: format!("-module(m).\n-export([main/0]).\n{body}").into_bytes().into(),
        release: Default::default(),
    }
}

const BOUNDS: ShownBounds = ShownBounds {
    chars: 200,
    frames: 4,
    items: 4,
};

/// The answer for the first seed with which the program fails.
fn answer_with(body: &str, limits: Limits) -> Answer {
    let text = text(body);
    let seed = (0..400).find(|seed| text.fails(*seed).unwrap()).unwrap();
    let (_, bytes) = text.record_bytes(seed).unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let found = session.find(causality::Target::Error).unwrap();
    decisive::search(&session, &found, limits, &BOUNDS).unwrap().unwrap()
}

/// The answers for the first so many seeds with which the program fails.
fn answers(body: &str, seeds: usize, limits: Limits) -> impl Iterator<Item = Answer> {
    let text = text(body);
    (0..400)
        .map(move |seed| text.record_bytes(seed).unwrap())
        .filter(|(end, _)| session::record::is_failure(end))
        .take(seeds)
        .map(move |(_, bytes)| {
            let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
            let found = session.find(causality::Target::Error).unwrap();
            decisive::search(&session, &found, limits, &BOUNDS).unwrap().unwrap()
        })
}

fn answer(body: &str) -> Answer {
    answer_with(body, Limits::default())
}

/// To find the next step of a continuation, only those processes are looked at that have changed, and only those messages: their number does not
/// matter. Near the record and at random, with timeouts among what they can do.
#[test]
fn a_step_of_a_continuation_does_not_look_at_all_processes() {
    for clients in [50, 1_000] {
        let body = format!(
            "main() ->
                S = spawn(fun() -> serve() end),
                [spawn(fun() -> S ! {{self(), I}}, receive ok -> ok after 1000 -> late end end) || I <- lists:seq(1, {clients})],
                receive after 5000 -> ok end.
             serve() -> receive {{P, _}} -> P ! ok, serve() end."
        );
        let (_, bytes) = text(&body).record_bytes(1).unwrap();
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
        let record = decisive::record::Record::of(&session).unwrap();
        for random in [None, Some(2), Some(3)] {
            let mut player = session.player().unwrap();
            let all = record.history.processes().unwrap().into_iter();
            player
                .leave_logs(&all.map(|pid| log_format::ActionId::new(pid, 1)).collect())
                .unwrap();
            let plan = decisive::guide::Plan {
                random,
                calm: true,
                steps: 1_500,
                ..decisive::guide::Plan::default()
            };
            let mut guide = decisive::guide::Guide::new(&record, plan);
            guide.finish(&mut player).unwrap();
            assert!(guide.step > 100, "{random:?}: {} steps", guide.step);
            // Among few, one is drawn after the other until one can do something; but it is not looked at what they can do.
            assert!(
                guide.looks < 12 * guide.step,
                "{clients} {random:?}: {} for {}",
                guide.looks,
                guide.step
            );
            // Of the messages that wait for the server, only those are judged that have come.
            assert!(
                guide.judged < 6 * guide.step,
                "{clients} {random:?}: {} judged for {}",
                guide.judged,
                guide.step
            );
        }
    }
}

/// To stand at a place of a long run is work, also if nothing else can be done there: many such places end the search.
#[test]
fn places_without_another_choice_are_work() {
    let body = "main() ->
            All = [spawn(fun() -> serve() end) || _ <- lists:seq(1, 220)],
            [begin P ! {self(), K}, receive {P, K} -> ok end end || K <- lists:seq(1, 4), P <- All],
            error(late).
         serve() -> receive {P, K} -> P ! {self(), K}, serve() end.";
    let limits = Limits {
        work: 500_000,
        runs: 1,
        ..Limits::default()
    };
    let answer = answer_with(body, limits);
    // So few other choices are never too much work; the places are.
    assert!(answer.flips <= Limits::LEAST, "{answer:?}");
    assert_eq!(answer.stopped, Some(decisive::answer::Bound::Work), "{answer:?}");
}

/// The lines of the two actions of the best flip.
fn lines(answer: &Answer) -> (u32, u32) {
    let best = &answer.decisive[0];
    let line = |side: &decisive::Side| {
        side.act
            .as_ref()
            .and_then(|act| act.place.as_ref())
            .map_or(0, |place| place.line)
    };
    (line(&best.made), line(&best.instead))
}

const LOST_UPDATE: &str = "
main() ->
    S = spawn(fun() -> acc(0) end), Me = self(),
    spawn(fun() -> dep(S, 10), Me ! d end),
    spawn(fun() -> dep(S, 20), Me ! d end),
    receive d -> ok end, receive d -> ok end,
    S ! {get, self()},
    receive {v, 30} -> ok; {v, X} -> error({lost, X}) end.
dep(S, D) ->
    S ! {get, self()},
    receive {v, V} -> S ! {put, V + D} end.
acc(V) -> receive {get, P} -> P ! {v, V}, acc(V); {put, W} -> acc(W) end.
";

#[test]
fn an_order_of_messages_decides() {
    let answer = answer(LOST_UPDATE);
    let best = &answer.decisive[0];
    assert_eq!(best.class, Class::Message);
    assert_eq!(lines(&answer), (12, 13));
    assert_eq!(best.outcome, Outcome::Returned("ok".to_owned()));
    assert_eq!((best.otherwise.passed, best.otherwise.of), (10, 10));
    assert_eq!((best.as_recorded.failed, best.as_recorded.of), (10, 10));
    assert!(best.is_strong());
}

#[test]
fn an_answer_depends_on_the_trace_and_the_seed_alone() {
    assert_eq!(answer(LOST_UPDATE), answer(LOST_UPDATE));
}

#[test]
fn a_limit_is_kept_and_named() {
    let limits = Limits {
        flips: 2,
        ..Limits::default()
    };
    let answer = answer_with(LOST_UPDATE, limits);
    assert!(answer.flips <= 3, "{}", answer.flips);
    assert_eq!(answer.stopped, Some(decisive::answer::Bound::Flips));
}

/// The work of a search is counted, so its answer is the same on every machine.
#[test]
fn a_budget_of_work_is_kept() {
    const MANY: &str = "main() ->\n    Me = self(),\n    [spawn(fun() -> Me ! {n, N} end) || N <- lists:seq(1, 40)],\n    Sum = lists:sum([receive {n, N} -> N end || _ <- lists:seq(1, 40)]),\n    821 = Sum.\n";
    let mut before = 0;
    for work in [1, 50_000, 100_000] {
        let little = Limits {
            work,
            ..Limits::default()
        };
        let answer = answer_with(MANY, little);
        assert_eq!(answer.stopped, Some(decisive::answer::Bound::Work), "{work}");
        assert!(answer.work < 2 * work.max(50_000), "{work}: {}", answer.work);
        assert!(answer.flips >= before, "{work}: {}", answer.flips);
        before = answer.flips;
        assert_eq!(answer, answer_with(MANY, little));
    }
    assert!(before > 0);
    assert_eq!(
        answer_with(MANY, Limits::default()).stopped,
        Some(decisive::answer::Bound::Flips)
    );
}

/// Two buyers ask whether there is a ticket and then take it; others ask for something that does not matter.
fn tickets(others: u32, times: u32) -> String {
    format!(
        "
main() ->
    Me = self(), Shop = spawn(fun() -> shop(1) end),
    Others = [spawn(fun() -> ask(Shop, {times}), Me ! {{asked, self()}} end) || _ <- lists:seq(1, {others})],
    Buyers = [spawn(fun() -> Me ! {{bought, self(), buy(Shop)}} end) || _ <- [1, 2]],
    Got = [receive {{bought, B, R}} -> R end || B <- Buyers],
    [receive {{asked, O}} -> ok end || O <- Others],
    case [S || S <- Got, S =:= sold] of [_] -> ok; All -> error({{sold, length(All)}}) end.
shop(Left) ->
    receive
        {{hours, From}} -> From ! {{open, 9, 17}}, shop(Left);
        {{left, From}} -> From ! {{left, Left}}, shop(Left);
        {{take, From}} -> From ! sold, shop(Left - 1)
    end.
ask(_, 0) -> ok;
ask(Shop, N) -> Shop ! {{hours, self()}}, receive {{open, _, _}} -> ask(Shop, N - 1) end.
buy(Shop) ->
    Shop ! {{left, self()}},
    receive
        {{left, N}} when N > 0 -> Shop ! {{take, self()}}, receive sold -> sold end;
        {{left, _}} -> none
    end.
"
    )
}

/// A continuation that has come to be as the record again is not run to its end. No other choice avoids the failure because of that; one that only
/// seemed to avoid it, by what its continuation did otherwise later, no longer does.
#[test]
fn what_is_as_recorded_again_goes_on_as_recorded() {
    const TABLE: &str = "
main() ->
    ets:new(t, [public, named_table]), [ets:insert(t, {K, 0}) || K <- [a, b, c]], Me = self(),
    [spawn(fun() -> [add(K) || K <- Keys], Me ! d end) || Keys <- [[a, b], [b, a, c], [c, a]]],
    [receive d -> ok end || _ <- [1, 2, 3]],
    [{a, 3}, {b, 2}, {c, 2}] = lists:sort(ets:tab2list(t)), ok.
add(K) ->
    [{K, N}] = ets:lookup(t, K),
    ets:insert(t, {K, N + 1}).
";
    const ENDS: &str = "
main() ->
    Me = self(), R = spawn(fun() -> rooms(#{}) end),
    [spawn(fun() -> R ! {in, self(), K}, receive ok -> ok end, Me ! {done, K} end) || K <- [x, y, x, z]],
    [receive {done, _} -> ok end || _ <- lists:seq(1, 4)],
    R ! {count, self()},
    receive {count, N} -> N end,
    if N > 1 -> error({left, N}); true -> ok end.
rooms(All) ->
    receive
        {in, P, K} -> monitor(process, P), P ! ok, rooms(All#{P => K});
        {'DOWN', _, _, P, _} -> rooms(maps:remove(P, All));
        {count, P} -> P ! {count, map_size(All)}, rooms(All)
    end.
";
    const NAMES: &str = "
main() ->
    Me = self(),
    [spawn(fun() -> Me ! {done, catch start(srv)} end) || _ <- [1, 2, 3]],
    ok = lists:foldl(fun(_, Ok) -> receive {done, {'EXIT', R}} -> error(R); {done, _} -> Ok end end, ok, [1, 2, 3]).
start(Name) ->
    case whereis(Name) of
        undefined -> P = spawn(fun() -> receive stop -> ok end end), register(Name, P), P;
        P -> P
    end.
";
    const COUNTER: &str = "
main() ->
    ets:new(c, [named_table, public]), ets:insert(c, {n, 1}),
    Rs = [element(2, spawn_monitor(F)) || F <- [fun del/0, fun add/0]],
    [receive {'DOWN', R, process, _, normal} -> ok end || R <- Rs],
    [{n, 1}] = ets:lookup(c, n), ok.
add() -> _ = erlang:monotonic_time(), ets:update_counter(c, n, 1, {n, 0}).
del() -> case ets:update_counter(c, n, -1) of 0 -> ets:delete(c, n); _ -> ok end.
";
    let bodies = [
        COUNTER.to_owned(),
        LOST_UPDATE.to_owned(),
        NAMES.to_owned(),
        TABLE.to_owned(),
        ENDS.to_owned(),
        tickets(3, 6),
    ];
    let mut shorter = 0;
    for body in &bodies {
        let limits = Limits {
            runs: 2,
            enough: 1_000,
            ..Limits::default()
        };
        let whole = Limits { whole: true, ..limits };
        let text = text(body);
        let seeds = (0..400).filter(|seed| text.fails(*seed).unwrap()).take(6);
        for seed in seeds {
            let (_, bytes) = text.record_bytes(seed).unwrap();
            let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
            let found = session.find(causality::Target::Error).unwrap();
            let of = |limits| decisive::search(&session, &found, limits, &BOUNDS).unwrap().unwrap();
            let (short, long) = (of(limits), of(whole));
            assert_eq!(short.flips, long.flips, "{body} {seed}");
            let pairs = |answer: &Answer| -> Vec<_> {
                let flips = answer.decisive.iter().filter(|flip| flip.verdict == Verdict::Passes);
                flips
                    .map(|flip| (flip.at.target.clone(), flip.involved.clone()))
                    .collect()
            };
            let avoided = pairs(&long);
            assert!(pairs(&short).iter().all(|pair| avoided.contains(pair)), "{body} {seed}");
            // What leaves nothing open avoids it in both.
            let sure = |flip: &&decisive::Flip| flip.is_strong() && flip.as_recorded.passed == 0;
            for flip in long.decisive.iter().filter(sure) {
                let same = short.decisive.iter().any(|one| one.involved == flip.involved);
                assert!(same, "{body} {seed}: {:?}", flip.involved);
            }
            // To look whether the states are equal costs a little.
            let most = long.steps + long.steps / 4;
            assert!(short.steps <= most, "{} {}", short.steps, long.steps);
            shorter += u32::from(short.steps * 2 < long.steps);
        }
    }
    assert!(shorter > 0, "{shorter} of 36");
}

/// How long the run went on after what decided does not matter: other choices that change nothing end where that is seen.
#[test]
fn a_race_at_the_beginning_of_a_long_run_is_found() {
    for times in [20, 400] {
        let answer = answer_with(
            &tickets(5, times),
            Limits {
                runs: 2,
                soon: false,
                ..Limits::default()
            },
        );
        assert_eq!(lines(&answer), (20, 22), "{times}: {answer:?}");
        let whole = answer.flips * answer.actions / 2;
        assert!(answer.steps < whole, "{times}: {} of {whole} steps", answer.steps);
        assert!(answer.flips > 20, "{times}: {}", answer.flips);
    }
}

#[test]
fn data_is_not_a_race() {
    let answer = answer(
        "main() -> S = spawn(fun() -> receive {get, P} -> P ! {v, 1} end end), S ! {get, self()}, receive {v, 2} -> ok; {v, X} -> error({bad, X}) end.\n",
    );
    assert_eq!(answer.verdicts.passes, 0);
    assert_eq!(answer.at_random.passed, 0);
    assert!(answer.decisive.is_empty());
}

#[test]
fn uses_of_a_table_are_exchanged() {
    let answer = answer(
        "
main() ->
    ets:new(t, [public, named_table]), ets:insert(t, {n, 0}), Me = self(),
    [spawn(fun() -> add(), Me ! d end) || _ <- [1, 2]],
    receive d -> ok end, receive d -> ok end,
    [{n, 2}] = ets:lookup(t, n), ok.
add() ->
    [{n, N}] = ets:lookup(t, n),
    ets:insert(t, {n, N + 1}).
",
    );
    assert_eq!(answer.decisive[0].class, Class::Access);
    assert_eq!(lines(&answer), (10, 11));
}

#[test]
fn a_receive_could_have_waited_longer() {
    let answer = answer(
        "
main() ->
    Me = self(),
    S = spawn(fun() -> server() end),
    S ! {work, Me},
    receive done -> ok after 20 -> exit(gave_up) end.
server() ->
    receive {work, P} -> receive after 10 -> ok end, receive after 11 -> ok end, P ! done end.
",
    );
    let best = &answer.decisive[0];
    assert!(answer.absence);
    assert_eq!(best.class, Class::MessageForTimeout);
    assert_eq!(best.made.after, Some(20));
    assert_eq!(lines(&answer), (8, 10));
}

/// Both servers ask each other and give up at the same time. With the other order of the two messages at one of them, the answer comes and the other
/// one does not give up either, although it did so independently of this order.
#[test]
fn a_wait_that_was_in_vain_can_end_earlier_after_another_choice() {
    let answer = answer(
        "
main() ->
    A = spawn(fun() -> receive B -> serve(B) end end),
    B = spawn(fun() -> serve(A) end),
    A ! B, Me = self(),
    [spawn(fun() -> S ! {swap, Me} end) || S <- [A, B]],
    [receive {swapped, 7} -> ok; {swapped, X} -> error({bad, X}) end || _ <- [1, 2]].
serve(Other) ->
    receive
        {value, P} ->
            P ! {v, 7};
        {swap, P} ->
            Other ! {value, self()},
            receive {v, V} -> P ! {swapped, V} after 200 -> P ! {swapped, nothing} end
    end,
    serve(Other).
",
    );
    let passes = |flip: &&decisive::Flip| flip.verdict == Verdict::Passes && flip.class == Class::Message;
    let best: Vec<_> = answer.decisive.iter().filter(passes).collect();
    // At either server.
    assert_eq!(best.len(), 2, "{:?}", answer.verdicts);
    for flip in best {
        assert!(flip.is_strong(), "{flip:?}");
        assert_eq!((flip.otherwise.passed, flip.as_recorded.passed), (10, 0));
    }
}

#[test]
fn a_message_that_was_sent_before_is_never_tried_before_it() {
    // Messages of one process to another keep their order, so nothing can be exchanged here.
    let answer =
        answer("main() -> S = self(), spawn(fun() -> S ! a, S ! b end), receive a -> error(bad); b -> ok end.\n");
    assert_eq!(answer.flips, 0);
}

#[test]
fn an_input_has_another_value() {
    let answer = answer(
        "
main() ->
    N = rand:uniform(1000),
    case N rem 3 of 0 -> error({poisoned, N}); _ -> ok end.
",
    );
    let best = &answer.decisive[0];
    assert_eq!(best.class, Class::Input);
    assert_eq!(best.verdict, Verdict::Passes);
}

#[test]
fn no_single_choice_decides() {
    // Two of three updates are lost: one exchange saves one of them.
    let answer = answer(
        "
main() ->
    S = spawn(fun() -> acc(0) end), Me = self(),
    [spawn(fun() -> dep(S), Me ! d end) || _ <- [1, 2, 3, 4]],
    [receive d -> ok end || _ <- [1, 2, 3, 4]],
    S ! {get, self()},
    receive {v, 4} -> ok; {v, X} when X > 1 -> ok; {v, X} -> error({lost, X}) end.
dep(S) ->
    S ! {get, self()},
    receive {v, V} -> S ! {put, V + 1} end.
acc(V) -> receive {get, P} -> P ! {v, V}, acc(V); {put, W} -> acc(W) end.
",
    );
    assert!(answer.verdicts.passes > 0 || answer.at_random.passed > 0);
}

/// Much work of others, then a lost update; or the same data failure in every order.
fn long(times: u32, fails: &str) -> String {
    format!(
        "
main() ->
    S = spawn(fun() -> acc(0) end), Me = self(),
    [spawn(fun() -> work({times}, self()), Me ! w end) || _ <- [1, 2, 3, 4, 5]],
    [receive w -> ok end || _ <- [1, 2, 3, 4, 5]],
    {fails}
work(0, _) -> ok;
work(N, P) -> P ! {{tick, N}}, receive {{tick, _}} -> ok end, work(N - 1, P).
dep(S, D) ->
    S ! {{get, self()}},
    receive {{v, V}} -> S ! {{put, V + D}} end.
acc(V) -> receive {{get, P}} -> P ! {{v, V}}, acc(V); {{put, W}} -> acc(W) end.
"
    )
}

#[test]
fn all_of_a_long_run_is_tried_where_little_can_come_otherwise() {
    let update = "spawn(fun() -> dep(S, 10), Me ! d end), spawn(fun() -> dep(S, 20), Me ! d end),
    receive d -> ok end, receive d -> ok end, S ! {get, self()},
    receive {v, 30} -> ok; {v, X} -> error({lost, X}) end.";
    let answer = answer(&long(1500, update));
    assert!(answer.actions > 15_000, "{}", answer.actions);
    assert_eq!(answer.stopped, None);
    assert_eq!(lines(&answer), (14, 15));
    // What a receive waits for that only its own process can send is not tried.
    assert!(
        answer.flips < 60 && answer.steps < 10_000,
        "{} {}",
        answer.flips,
        answer.steps
    );
}

#[test]
fn a_long_run_has_a_few_random_runs_from_its_beginning() {
    let answer = answer(&long(1500, "dep(S, 1), error(bad)."));
    assert!(
        answer.actions > 15_000 && answer.random_from == 0,
        "{}",
        answer.random_from
    );
    assert_eq!((answer.at_random.of, answer.at_random.failed), (5, 5));
    assert!(answer.is_no_race(), "{:?}", answer.stopped);
}

/// A process that fails late has not got past its failure before it is there.
#[test]
fn a_random_run_is_followed_up_to_what_failed_first() {
    let answer = answer(&long(
        1500,
        "R = monitor(process, spawn(fun() -> dep(S, 1), exit(bad) end)),
    receive {'DOWN', R, process, _, Reason} -> error({child, Reason}) end.",
    ));
    assert!(answer.actions > 15_000 && answer.random_from == 0, "{}", answer.actions);
    assert_eq!((answer.at_random.of, answer.at_random.failed), (5, 5));
}

/// Where not all is tried, random runs of the whole run that all fail make it likely that no order matters; one that ends well says that one does.
#[test]
fn a_long_search_that_is_cut_short_says_what_is_likely() {
    let limits = Limits {
        flips: 2,
        ..Limits::default()
    };
    let none = answer_with(&long(200, "dep(S, 1), error(bad)."), limits);
    assert!(
        none.stopped.is_some() && !none.is_no_race() && none.is_likely_no_race(),
        "{none:?}"
    );
    let race = "spawn(fun() -> dep(S, 10), Me ! d end), spawn(fun() -> dep(S, 20), Me ! d end),
    receive d -> ok end, receive d -> ok end, S ! {get, self()},
    receive {v, 30} -> ok; {v, X} -> error({lost, X}) end.";
    let race = answer_with(&long(200, race), Limits { flips: 0, ..limits });
    assert!(!race.is_likely_no_race(), "{race:?}");
}

/// Once a choice is found that surely decides, only a little more is tried; the answer is the same.
#[test]
fn a_long_search_ends_soon_after_what_surely_decides() {
    let body = tickets(5, 400);
    let soon = answer_with(&body, Limits::default());
    let whole = answer_with(
        &body,
        Limits {
            soon: false,
            ..Limits::default()
        },
    );
    assert!(soon.actions > Limits::LONG, "{}", soon.actions);
    assert_eq!((lines(&soon), lines(&whole)), ((20, 22), (20, 22)));
    assert!(soon.work < whole.work, "{} {}", soon.work, whole.work);
}

/// Each of six workers reads a number, and then writes one more: updates are lost. No single order mends that; the same order in each round does, and a
/// single worker's is named.
#[test]
fn the_same_choice_made_each_time_decides_where_a_single_one_does_not() {
    let answer = answer(
        "main() ->
            T = ets:new(t, [public]),
            ets:insert(T, {n, 0}),
            Me = self(),
            [spawn_link(fun() -> bump(T), Me ! done end) || _ <- lists:seq(1, 6)],
            [receive done -> ok end || _ <- lists:seq(1, 6)],
            6 = ets:lookup_element(T, n, 2).
         bump(T) ->
            [{n, V}] = ets:lookup(T, n),
            erlang:yield(),
            ets:insert(T, {n, V + 1}).",
    );
    assert!(!answer.decisive.iter().any(decisive::Flip::is_strong));
    let set = answer.together.unwrap();
    assert_eq!((set.each, set.choices.len()), (Some(6), 1), "{set:?}");
    // The one that stands for all does not avoid the failure alone.
    assert_eq!(set.choices[0].verdict, Verdict::Same);
    assert_eq!(set.otherwise.passed, set.otherwise.of);
    assert!(set.without.passed < set.without.of, "{set:?}");
}

/// The same in a run in which much else is done until it fails: random runs from near the failure say nothing of it.
#[test]
fn the_same_choice_made_each_time_decides_in_a_long_run_too() {
    let answer = answer(
        "main() ->
            T = ets:new(t, [public]),
            ets:insert(T, {n, 0}),
            Me = self(),
            [spawn_link(fun() -> bump(T), Me ! done end) || _ <- lists:seq(1, 6)],
            [receive done -> ok end || _ <- lists:seq(1, 6)],
            Clock = spawn(fun clock/0),
            [begin Clock ! {tick, Me, K}, receive {tock, K} -> ok end end || K <- lists:seq(1, 1200)],
            6 = ets:lookup_element(T, n, 2).
         clock() ->
            receive {tick, P, K} -> P ! {tock, K}, clock() end.
         bump(T) ->
            [{n, V}] = ets:lookup(T, n),
            erlang:yield(),
            ets:insert(T, {n, V + 1}).",
    );
    assert!(answer.actions > 4_000 && answer.random_from == 0, "{answer:?}");
    let set = answer.together.unwrap();
    assert_eq!((set.each, set.choices.len()), (Some(6), 1), "{set:?}");
    assert!(
        set.without.of > 0 && set.without.passed < set.otherwise.passed,
        "{set:?}"
    );
}

/// Two keys with the same race: each alone makes the run fail.
#[test]
fn two_choices_decide_together_where_each_race_is_enough_to_fail() {
    let answer = answer(
        "main() ->
            S = spawn(fun() -> store(#{}) end),
            Me = self(),
            [spawn(fun() -> put_one(S, K), Me ! done end) || K <- [a, b]],
            [receive done -> ok end || _ <- [a, b]],
            S ! {all, self()},
            All = receive {all, M} -> M end,
            [{new, K} = {maps:get(K, All), K} || K <- [a, b]],
            ok.
         put_one(S, K) ->
            Me = self(),
            spawn(fun() -> S ! {put, K, old}, Me ! sent end),
            S ! {put, K, new},
            receive sent -> ok end.
         store(M) ->
            receive {put, K, V} -> store(M#{K => V}); {all, P} -> P ! {all, M} end.",
    );
    assert_eq!(answer.verdicts.passes, 0);
    let set = answer.together.unwrap();
    assert_eq!((set.each, set.choices.len()), (None, 2), "{set:?}");
    // With the first alone another key fails; with the second, the run does not fail.
    assert_eq!(
        (set.choices[0].verdict, set.choices[1].verdict),
        (Verdict::Moved, Verdict::Passes)
    );
    assert!(set.without.passed < set.otherwise.passed, "{set:?}");
}

/// A call that waits for less time than the work takes fails whatever order is chosen: that its server is stopped then is no cause. A run in which
/// the answer comes in time needs a stall, and does not count.
#[test]
fn what_needs_a_longer_stall_than_the_run_does_not_count_and_makes_nothing_not_a_race() {
    let answer = answer(
        "main() ->
            S = spawn(fun work/0),
            S ! {ask, self()},
            R = receive yes -> ok after 25 -> late end,
            exit(S, kill),
            ok = R.
         work() -> receive {ask, P} -> timer:sleep(30), P ! yes, work() end.",
    );
    assert_eq!((answer.verdicts.passes, answer.at_random.passed), (0, 0));
    assert!(
        answer.verdicts.stalls > 0 && !answer.is_no_race(),
        "{:?}",
        answer.verdicts
    );
    for flip in &answer.decisive {
        let stall = flip.stall.unwrap();
        assert_eq!((stall.ms, stall.recorded), (Some(5), 0), "{flip:?}");
    }
}

/// Where the recorded timeout came although the answer could have been there, the record has a stall itself, which is the limit: the answer in time counts.
#[test]
fn a_record_that_was_held_up_is_its_own_limit() {
    let answer = answer(
        "main() ->
            Me = self(),
            spawn(fun() -> receive after 3 -> ok end, Me ! yes end),
            receive after 1 -> ok end,
            receive yes -> ok after 1 -> error(late) end.",
    );
    let best = &answer.decisive[0];
    assert_eq!((best.class, best.stall), (Class::MessageForTimeout, None), "{best:?}");
}
