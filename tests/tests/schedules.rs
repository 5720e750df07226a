//! Schedules that choose before every action: what they record can be replayed, the same seed makes the same run, and they find what a
//! clock that stands still hides.

use std::collections::BTreeMap;

use log_format::Pid;
use seeds::{many, share};
use system::scheduler::{DEFAULT_JITTER, Random, RoundRobin, Schedule, Taken};
use tests::Folder;
use tests::memory::{self, RecordedRun, RunSubject};

const EXPLORING: [&str; 5] = ["walk", "pct:2:100", "pct:4:100", "pos", "delay:3:100"];

fn record(subject: &RunSubject, schedule: &Schedule, seed: u64) -> (RecordedRun, Taken) {
    let (scheduler, taken) = schedule.scheduler(seed, schedule.jitter(seed, DEFAULT_JITTER));
    let recorded = memory::record_under(subject, scheduler);
    (recorded, taken.expect("an exploring schedule"))
}

/// The logs as text, by process.
fn logs(recorded: &RecordedRun) -> BTreeMap<Pid, String> {
    let text = |log: &memory::Log| log.iter().map(|(action, _)| format!("{action:?}\n")).collect();
    recorded.logs.iter().map(|(pid, log)| (*pid, text(log))).collect()
}

/// Records under every schedule, and replays each run completely and the causes of some actions, under two schedules of a replay.
fn replays(subjects: &[RunSubject], quick: u64) {
    for subject in subjects {
        for schedule in EXPLORING {
            for seed in 0..many(quick, 20 * quick) {
                let schedule: Schedule = schedule.parse().expect("a schedule");
                let (recorded, _) = record(subject, &schedule, seed);
                let fail = |e: String| panic!("{} under {schedule}, seed {seed}: {e}", subject.name);
                recorded
                    .replay(None, Box::new(RoundRobin::default()))
                    .unwrap_or_else(fail);
                recorded.replay(None, Box::new(Random::new(seed))).unwrap_or_else(fail);
                let step = 1 + recorded.actions() as usize / 4;
                for target in recorded.names().into_iter().step_by(step) {
                    let causes = recorded.causes(target, None);
                    let replayed = recorded.replay(Some(&causes), Box::new(RoundRobin::default()));
                    replayed.unwrap_or_else(|e| fail(format!("causes of {target:?}: {e}")));
                }
            }
        }
    }
}

#[test]
fn what_they_record_of_fixtures_can_be_replayed() {
    replays(&RunSubject::fixtures(), 2);
}

#[test]
fn what_they_record_of_processes_can_be_replayed() {
    let mut programs = RunSubject::conformance("process");
    // Every choice looks at every process, so thousands of them take long; so do processes that never wait.
    // And exit_storm has processes that are killed where they stand before a native, without a counted event since their last action: a replay
    // shows them one expression earlier (docs/limitations.md).
    programs.retain(|program| !["many", "acting_loops", "kill_busy", "exit_storm"].contains(&&*program.name));
    replays(&share(programs, 16), 1);
}

#[test]
fn what_they_record_of_tables_and_nodes_can_be_replayed() {
    for area in ["ets", "nodes"] {
        let mut programs = RunSubject::conformance(area);
        // The causes of each action of a long program take seconds.
        programs.retain(|program| memory::length(program, 1) < many(500, u64::MAX));
        replays(&share(programs, 6), 1);
    }
}

#[test]
fn the_same_seed_makes_the_same_run_and_so_do_its_switches_alone() {
    for subject in RunSubject::fixtures() {
        for schedule in EXPLORING {
            let schedule: Schedule = schedule.parse().expect("a schedule");
            let (first, taken) = record(&subject, &schedule, 5);
            let (again, _) = record(&subject, &schedule, 5);
            assert_eq!(logs(&first), logs(&again), "{} under {schedule}", subject.name);
            let switches = schedule.with_switches(taken.so_far().switches).unwrap();
            let read: Schedule = switches.to_string().parse().expect("a schedule");
            let (repeated, _) = record(&subject, &read, 0);
            assert_eq!(logs(&first), logs(&repeated), "{} under {switches}", subject.name);
        }
    }
}

/// In how many of 200 runs the program crashes, under a schedule.
fn crashes(body: &str, schedule: &str) -> usize {
    let text = format!("-module(race).\n-export([main/0]).\n{body}");
    let subject = RunSubject::new("race", "race.erl", &text);
    let schedule: Schedule = schedule.parse().expect("a schedule");
    let crashed = |seed: &u64| {
        let recorded = memory::record_under(
            &subject,
            schedule.scheduler(*seed, schedule.jitter(*seed, DEFAULT_JITTER)).0,
        );
        let main = &recorded.logs[&Pid(1)];
        let end = main.last().map(|(action, _)| &action.kind);
        !matches!(
            end,
            Some(log_format::Kind::Exit {
                class: log_format::ExitClass::Normal,
                ..
            })
        )
    };
    (0..200).filter(crashed).count()
}

/// A reply is due long before the caller's patience ends, but the one who replies may have to wait for its turn.
const LATE: &str = "
main() ->
    Me = self(),
    spawn(fun() -> Me ! done end),
    receive done -> ok after 20 -> error(late) end.
";

#[test]
fn a_timeout_can_win_against_work() {
    assert_eq!(crashes(LATE, "random"), 0, "a clock that stands still never lets it");
    for schedule in ["walk", "pct:2:8", "pos", "delay:2:8"] {
        let n = crashes(LATE, schedule);
        assert!((5..195).contains(&n), "{schedule}: {n} of 200");
    }
}

/// A timeout of an hour does not come before work: the machine is loaded, not dead.
#[test]
fn a_long_timeout_does_not_win() {
    let body = LATE.replace("20", "3600000");
    for schedule in EXPLORING {
        assert_eq!(crashes(&body, schedule), 0, "{schedule}");
    }
}

/// Between two calls of one function, another process registers the name.
const CHECKED: &str = "
main() ->
    spawn(fun() -> register(server, self()), receive stop -> ok end end),
    case whereis(server) of
        undefined -> register(server, self());
        _ -> ok
    end.
";

#[test]
fn a_switch_can_come_between_any_two_calls() {
    for schedule in ["walk", "pct:3:10", "pos", "delay:2:10"] {
        let n = crashes(CHECKED, schedule);
        assert!((5..195).contains(&n), "{schedule}: {n} of 200");
    }
}

/// What two processes send to a third one arrives in any order, unless one sends because of what the other did after its send.
#[test]
fn a_message_can_overtake_one_of_another_sender_but_not_its_cause() {
    let body = "
main() ->
    Me = self(),
    Relay = spawn(fun() -> receive go -> Me ! second end end),
    spawn(fun() -> Me ! first, Relay ! go end),
    first = receive M -> M end.
";
    for schedule in ["walk", "pct:2:8", "pos", "delay:2:8"] {
        let n = crashes(body, schedule);
        assert_eq!(n, 0, "{schedule}");
        let n = crashes(
            &body.replace("Me ! first, Relay ! go", "Relay ! go, Me ! first"),
            schedule,
        );
        assert!((5..195).contains(&n), "{schedule}: {n} of 200");
    }
}

/// A process that polls for what another one does must not keep it from doing so.
#[test]
fn a_process_that_polls_does_not_run_for_ever() {
    let body = "
main() ->
    spawn(fun() -> register(ready, self()), receive stop -> ok end end),
    poll().
poll() -> case whereis(ready) of undefined -> poll(); Pid -> Pid ! stop end.
";
    for schedule in EXPLORING {
        assert_eq!(crashes(body, schedule), 0, "{schedule}");
    }
}

/// Under the usual schedules, a process that yields lets all go first that can run.
#[test]
fn a_process_that_yields_lets_others_go_first() {
    let body = "
main() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {a, 1}), lists:sum(lists:seq(1, 50)), ets:insert(T, {b, 1}) end),
    erlang:yield(),
    [{b, 1}] = ets:lookup(T, b).
";
    for schedule in ["round-robin", "switches:"] {
        assert_eq!(crashes(body, schedule), 0, "{schedule}");
    }
}

/// Nor must two that talk until a third one has acted.
#[test]
fn two_that_talk_do_not_run_for_ever() {
    let body = "
main() ->
    S = spawn(fun() -> serve(none) end),
    Me = self(),
    spawn(fun() -> S ! {set, done}, receive after infinity -> Me end end),
    ask(S).
ask(S) -> S ! {get, self()}, receive done -> S ! stop; none -> ask(S) end.
serve(X) -> receive {set, Y} -> serve(Y); {get, From} -> From ! X, serve(X); stop -> ok end.
";
    for schedule in EXPLORING {
        assert_eq!(crashes(body, schedule), 0, "{schedule}");
    }
}

#[test]
fn tracer_run_takes_every_schedule_and_says_what_is_wrong_with_others() {
    let folder = Folder::new("tracer_run_takes_every_schedule");
    folder.write(
        "a.erl",
        "-module(a).\n-export([main/0]).\nmain() -> self() ! x, receive x -> ok end.\n",
    );
    for schedule in EXPLORING
        .into_iter()
        .chain(["random", "round-robin", "switches:1/0>clock"])
    {
        folder
            .tracer([
                "run",
                "a.erl",
                "--seed",
                "3",
                "--schedule",
                schedule,
                "--jitter",
                "20ms",
            ])
            .expect(0);
        let info = folder.replay(["info", "trace.bin"]).expect(0).out();
        assert!(info.contains(schedule), "{schedule}: {info}");
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
    folder
        .tracer(["run", "a.erl", "--schedule", "pct"])
        .expect(2)
        .says(&["expected one of", "pct:D[:STEPS]"]);
    folder
        .tracer(["run", "a.erl", "--schedule", "walk", "--jitter", "5"])
        .expect(2)
        .says(&["a time with its unit"]);
}

/// A process looks at its mailbox while another one ends it and then writes to it: under OTP 25, it never saw the message in 18,000 runs.
const LOOKS: &str = "
main() -> [turn() || _ <- lists:seq(1, 10)].
turn() ->
    Me = self(),
    {Looker, Monitor} = spawn_monitor(fun() ->
        Me ! h, Me ! h, Me ! h, Me ! h,
        exit(process_info(self(), message_queue_len)) end),
    spawn(fun() -> exit(Looker, ended), Looker ! late end),
    receive
        {'DOWN', Monitor, _, _, {message_queue_len, 0}} -> ok;
        {'DOWN', Monitor, _, _, ended} -> ok;
        {'DOWN', Monitor, _, _, Seen} -> error(Seen)
    end.
";

#[test]
fn a_process_never_sees_what_was_sent_after_the_signal_that_ends_it() {
    for schedule in ["random", "walk", "pct:2:100", "pos", "delay:3:100"] {
        assert_eq!(crashes(LOOKS, schedule), 0, "{schedule}");
    }
    let text = format!("-module(looks).\n-export([main/0]).\n{LOOKS}");
    let subject = RunSubject::new("looks", "looks.erl", &text);
    for seed in 0..20 {
        let recorded = memory::record_under(&subject, Box::new(Random::new(seed)));
        let replayed = recorded.replay(None, Box::new(RoundRobin::default()));
        replayed.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// A process that could take a message ends instead if the sender of the message had ended it before.
#[test]
fn a_message_is_not_received_after_an_exit_signal_of_its_sender() {
    let text = "-module(late).\n-export([main/0]).\n
main() ->
    Waiter = spawn(fun() -> receive late -> ok end end),
    exit(Waiter, ended),
    Waiter ! late.
";
    let subject = RunSubject::new("late", "late.erl", text);
    for schedule in ["random", "walk", "pos"] {
        let schedule: Schedule = schedule.parse().expect("a schedule");
        for seed in 0..50 {
            let scheduler = schedule.scheduler(seed, schedule.jitter(seed, DEFAULT_JITTER)).0;
            let recorded = memory::record_under(&subject, scheduler);
            let waiter = &recorded.logs[&Pid(2)];
            assert_eq!(waiter.len(), 1, "{schedule}, seed {seed}: {waiter:?}");
        }
    }
}
