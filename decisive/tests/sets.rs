//! Choices that decide together.

use decisive::{Limits, Verdict};

use crate::{answer, answers};

/// Two rooms, each with its own timer: either one is enough to fail.
fn rooms(fails: &str) -> String {
    format!(
        "main() ->
            Me = self(),
            Rooms = [spawn(fun() -> erlang:send_after(50, self(), sweep), room(Me, N) end) || N <- [coats, umbrellas]],
            [spawn(fun() -> timer:sleep(50), R ! touch end) || R <- Rooms],
            Lost = [N || {{N, lost}} <- [receive {{R, X}} -> X end || R <- Rooms]],
            case Lost of [] -> ok; _ -> error({fails}) end.
         room(Main, Name) ->
            receive
                sweep -> receive touch -> Main ! {{self(), {{Name, lost}}}} end;
                touch -> receive sweep -> Main ! {{self(), {{Name, kept}}}} end
            end."
    )
}

/// Where each of two races is enough to fail, no single choice avoids the failure, and random runs that all fail do not make it `not a race`: another
/// choice changes the reason, or, in a small run, something else.
#[test]
fn each_of_two_races_is_enough_to_fail() {
    for fails in ["{lost, Lost}", "lost"] {
        let mut found = 0;
        for answer in answers(&rooms(fails), 20, Limits::default()) {
            if answer.verdicts.passes > 0 {
                continue;
            }
            found += 1;
            let set = answer.together.as_ref().unwrap();
            assert_eq!((set.each, set.choices.len()), (None, 2), "{fails}: {set:?}");
            assert_eq!(
                (set.otherwise.passed, set.without.passed),
                (set.otherwise.of, 0),
                "{fails}: {set:?}"
            );
            assert!(!answer.is_no_race(), "{fails}");
        }
        assert!(found > 0, "{fails}: no run in which both were lost");
    }
}

/// A worker that says nothing after an even job: no race. Other choices end otherwise, because then main gives up earlier.
#[test]
fn a_search_for_sets_of_a_small_run_goes_to_its_end() {
    let answer = answer(
        "main() ->
            W = spawn(fun worker/0),
            [begin W ! {job, N, self()}, receive {done, N} -> ok after 100 -> exit({no_answer, N}) end end || N <- [1, 2]].
         worker() ->
            receive
                {job, N, _} when N rem 2 =:= 0 -> worker();
                {job, N, From} -> From ! {done, N}, worker()
            end.",
    );
    assert!(answer.flips > 0 && answer.together.is_none(), "{answer:?}");
}

/// The same choice each time is against what decides: a write of the same thing. That others used the same server in between says nothing, although
/// random runs end well as often with it.
#[test]
fn the_same_choice_each_time_is_one_against_what_decides() {
    let body = "main() ->
            S = spawn_link(fun() -> stock(#{bolts => 0}) end),
            Me = self(),
            Pickers = [spawn_link(fun() -> pick(S, {shelf, P}, 4), Me ! done end) || P <- [1, 2]],
            Docks = [spawn_link(fun() -> unload(S, C), Me ! done end) || C <- [100, 20, 3]],
            [receive done -> ok end || _ <- Pickers ++ Docks],
            #{bolts := 123} = call(S, all).
         unload(S, C) -> V = call(S, {level, bolts}), call(S, {set_level, bolts, V + C}).
         pick(_, _, 0) -> ok;
         pick(S, Shelf, N) -> S ! {picked, Shelf}, call(S, {level, Shelf}), pick(S, Shelf, N - 1).
         call(S, Q) -> S ! {self(), Q}, receive {S, A} -> A end.
         stock(M) ->
            receive
                {P, {level, K}} -> P ! {self(), maps:get(K, M, 0)}, stock(M);
                {P, {set_level, K, V}} -> P ! {self(), ok}, stock(M#{K => V});
                {P, all} -> P ! {self(), M}, stock(M);
                {picked, K} -> stock(maps:update_with(K, fun(N) -> N + 1 end, 1, M))
            end.";
    let mut found = 0;
    for answer in answers(body, 6, Limits::default()) {
        let Some(set) = answer.together.filter(|set| set.each.is_some()) else {
            continue;
        };
        found += 1;
        let flip = &set.choices[0];
        let instead = flip.instead.act.as_ref().and_then(|act| act.content.clone());
        let instead = instead.map_or_else(String::new, |content| content.to_string());
        assert!(instead.contains("set_level"), "{instead}: {flip:?}");
        assert_eq!(flip.verdict, Verdict::Same);
        assert!(set.without.passed * 10 <= set.without.of, "{set:?}");
    }
    assert!(found > 0, "no run in which it is a set");
}
