//! With causal delivery, no run needs free delivery, and all others are still there.

use std::collections::BTreeSet;
use std::sync::Arc;

use log_format::Trace;
use system::Delivery;
use system::scheduler::{Jitter, Schedule};

use super::monotony::program;
use super::{measure, open, record_under, text};

#[test]
fn no_run_needs_free_delivery_under_causal_delivery() {
    let (mut free, mut most) = (0, 0);
    for seed in seeds::seeds(400, 10_000) {
        let body = program(seed);
        let jitter = [0, 20, 1_000][(seed % 3) as usize];
        let found = measure(&record_under(&body, seed, jitter, Delivery::Causal));
        assert_eq!(found.needs_free_delivery(), Some(false), "seed {seed}:\n{body}");
        let found = measure(&record_under(&body, seed, jitter, Delivery::Free));
        free += u64::from(found.needs_free_delivery() == Some(true));
        most += 1;
    }
    println!("{free} of {most} runs need free delivery where they may have it");
}

/// The same under the schedules that keep signals back in slices.
#[test]
fn no_run_in_slices_needs_free_delivery() {
    for seed in seeds::seeds(400, 10_000) {
        let body = program(seed);
        let (scheduler, _) = Schedule::Random.scheduler(seed, Jitter::up_to(0));
        let bytes = text(&body).record_under(scheduler, Delivery::Causal).unwrap().1;
        let found = measure(&open(bytes));
        assert_eq!(found.needs_free_delivery(), Some(false), "seed {seed}:\n{body}");
    }
}

/// What a program returns under many schedules.
fn results(body: &str, delivery: Delivery) -> BTreeSet<String> {
    let one = |seed| {
        let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::up_to(0));
        let bytes = text(body).record_under(scheduler, delivery).unwrap().1;
        let trace = Arc::new(Trace::from_bytes(bytes).unwrap());
        let outcomes = trace.outcomes().unwrap();
        let entry = outcomes.iter().find(|outcome| outcome.pid.0 == 1);
        format!("{:?}", entry.map(|outcome| &outcome.state))
    };
    (0..seeds::many(200, 1_000)).map(one).collect()
}

fn both(body: &str) -> [usize; 2] {
    let body = format!("{body}\nall(0) -> [];\nall(N) -> receive X -> [X | all(N - 1)] end.");
    [Delivery::Causal, Delivery::Free].map(|delivery| results(&body, delivery).len())
}

#[test]
fn a_message_does_not_overtake_its_cause() {
    // A chain through another process; through a spawn; through an end; by name.
    let chain = "main() -> C = self(), B = spawn(fun() -> receive go -> C ! m2 end end),
        spawn(fun() -> C ! m1, B ! go end), exit(all(2)).";
    assert_eq!(both(chain), [1, 2]);
    let spawned = "main() -> C = self(), spawn(fun() -> C ! m1, spawn(fun() -> C ! m2 end) end), exit(all(2)).";
    assert_eq!(both(spawned), [1, 2]);
    let ended = "main() -> C = self(), spawn(fun() -> {A, _} = spawn_monitor(fun() -> C ! m1 end),
        receive {'DOWN', _, _, A, _} -> C ! m2 end end), exit(all(2)).";
    assert_eq!(both(ended), [1, 2]);
    let named = "main() -> register(c, self()), B = spawn(fun() -> receive go -> c ! m2 end end),
        spawn(fun() -> c ! m1, B ! go end), exit(all(2)).";
    assert_eq!(both(named), [1, 2]);
}

#[test]
fn what_has_no_cause_in_common_comes_in_any_order() {
    let fork = "main() -> C = self(), B = spawn(fun() -> receive go -> C ! m2 end end),
        spawn(fun() -> B ! go, C ! m1 end), exit(all(2)).";
    assert_eq!(both(fork), [2, 2]);
    let timer = "main() -> erlang:send_after(0, self(), t), C = self(), spawn(fun() -> C ! m end), exit(all(2)).";
    assert_eq!(both(timer), [2, 2]);
}

#[test]
fn the_signals_of_an_end_leave_one_after_the_other() {
    // Who got the first of them can send before the next one leaves.
    let relay = "main() -> C = self(), A = spawn(fun() -> receive stop -> ok end end),
        spawn(fun() -> monitor(process, A), C ! ready, receive {'DOWN', _, _, _, _} -> C ! relay end end),
        receive ready -> ok end, monitor(process, A), A ! stop,
        exit([case X of relay -> X; _ -> down end || X <- all(2)]).";
    assert_eq!(both(relay), [2, 2]);
    // What it sent while it was alive comes before.
    let before = "main() -> C = self(), A = spawn(fun() -> receive stop -> C ! m1 end end),
        spawn(fun() -> monitor(process, A), A ! stop, receive {'DOWN', _, _, _, _} -> C ! m2 end end), exit(all(2)).";
    assert_eq!(both(before), [1, 2]);
}

#[test]
fn what_was_sent_before_is_there_when_it_is_looked_for() {
    let look = "main() -> C = self(), B = spawn(fun() -> receive go -> C ! m2 end end),
        spawn(fun() -> C ! m1, B ! go end), receive m2 -> ok end,
        exit(receive m1 -> got after 0 -> missed end).";
    assert_eq!(both(look), [1, 2]);
    let kill = "main() -> C = spawn(fun() -> receive never -> ok end end), M = monitor(process, C),
        B = spawn(fun() -> receive go -> exit(C, b) end end), spawn(fun() -> exit(C, a), B ! go end),
        receive {'DOWN', M, _, _, R} -> exit(R) end.";
    assert_eq!(both(kill), [1, 2]);
    let alive = "main() -> C = spawn(fun() -> receive never -> ok end end), S = self(),
        B = spawn(fun() -> receive go -> S ! is_process_alive(C) end end),
        spawn(fun() -> exit(C, kill), B ! go end), exit(all(1)).";
    assert_eq!(both(alive), [1, 2]);
}
