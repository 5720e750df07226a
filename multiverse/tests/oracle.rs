//! Generated programs against an oracle that knows nothing of choices, places and futures: the recorder under a scheduler that takes every
//! choice, before every action, in every order. Runs with one log are one universe.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use log_format::{ActionNo, Trace};
use multiverse::identity::Identity;
use multiverse::summary::Bound;
use multiverse::{Explorer, Name, SearchBounds};
use session::Session;
use session::player::history::History;
use session::record::Text;
use session::source::TraceLogs;
use system::Delivery;
use system::feed::LogSource;
use system::scheduler::{Actor, Candidate, Draws, Explorer as Chooser, Jitter, Round, Schedule, Strategy};

use super::text;

/// Programs with more schedules are compared by random ones only.
const SCHEDULES: (u64, u64) = (400, 1_500);
/// Programs with more universes than this are left out.
const UNIVERSES: u64 = 400;

/// The choices of a run so far: which of how many.
type Path = Vec<(usize, usize)>;

/// Repeats the choices of a path, and then takes the first of each.
struct Repeats {
    path: Arc<Mutex<Path>>,
    at: usize,
    /// Signals arrive when they are sent.
    at_send: bool,
}

impl Strategy for Repeats {
    fn choose(&mut self, round: &Round<'_>) -> usize {
        let arrives = |one: &Candidate| matches!(one.actor, Actor::Channel { .. });
        if let Some(arrival) = round.candidates.iter().position(arrives).filter(|_| self.at_send) {
            return arrival;
        }
        let mut path = self.path.lock().unwrap();
        let of = round.candidates.len();
        if self.at == path.len() {
            path.push((0, of));
        }
        assert_eq!(path[self.at].1, of, "the same choices lead to the same state");
        self.at += 1;
        path[self.at - 1].0
    }
}

/// The next path in the order of the tree; `false` after the last one.
fn advance(path: &mut Path) -> bool {
    while let Some((chosen, of)) = path.pop() {
        if chosen + 1 < of {
            path.push((chosen + 1, of));
            return true;
        }
    }
    false
}

pub(super) fn name_of(bytes: Vec<u8>) -> Name {
    let trace = Arc::new(Trace::from_bytes(bytes).unwrap());
    let logs = TraceLogs::new(Arc::clone(&trace)).unwrap();
    Identity::of_run(&History::of(trace, logs)).unwrap().whole()
}

/// The universes under all schedules, or `None` if there are too many schedules.
fn every_schedule(program: &Text, delivery: Delivery, at_send: bool) -> Option<BTreeSet<Name>> {
    let mut names = BTreeSet::new();
    let path = Arc::new(Mutex::new(Path::new()));
    for _ in 0..seeds::many(SCHEDULES.0, SCHEDULES.1) {
        let strategy = Repeats {
            path: Arc::clone(&path),
            at: 0,
            at_send,
        };
        let chooser = Chooser::new(Box::new(strategy), Jitter::up_to(u64::MAX));
        names.insert(name_of(program.record_under(Box::new(chooser), delivery).unwrap().1));
        if !advance(&mut path.lock().unwrap()) {
            return Some(names);
        }
    }
    None
}

fn random_schedules(program: &Text, delivery: Delivery, runs: u64) -> BTreeSet<Name> {
    let run = |seed: u64| {
        let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::new(seed, 1_000_000_000));
        name_of(program.record_under(scheduler, delivery).unwrap().1)
    };
    (0..runs).map(run).collect()
}

const fn bounds(delivery: Delivery) -> SearchBounds {
    SearchBounds {
        universes: Some(UNIVERSES),
        time: None,
        steps: 10_000,
        delays: None,
        preemptions: None,
        delivery,
        at_send: false,
        stall: None,
    }
}

/// What the search finds; `None` if that is too much, or if the program does what is not explored.
fn explored(program: &Text, delivery: Delivery, source: &str) -> Option<BTreeSet<Name>> {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let mut names = BTreeSet::new();
    let found = Explorer::new(&session, bounds(delivery), Arc::default())
        .unwrap()
        .run(|universe| {
            if universe.number == 1 {
                names.clear();
            }
            let name = name_of(universe.player()?.save(0)?);
            assert!(
                names.insert(name),
                "a universe was told twice:\n{source}\n{}",
                printed(universe.player()?.history())
            );
            Ok(true)
        });
    let summary = found.unwrap();
    let all = summary.stopped != Some(Bound::Universes) && summary.gaps.is_empty();
    all.then_some(names)
}

/// What the steps of a process so far have given names to.
#[derive(Default)]
struct Known {
    monitors: Vec<u64>,
    timers: Vec<u64>,
    /// It has an alias `A`, and others know it.
    has_alias: bool,
    /// Others may halt the system.
    halts: bool,
}

/// A small program: a few processes, each with a few steps, and the main process.
pub(super) fn program(seed: u64) -> String {
    let mut draws = Draws::new(seed, 7);
    let wide = !seed.is_multiple_of(3);
    let processes = 1 + draws.below(3);
    let mut out = String::from("main() ->\n    S = self(),\n    T = ets:new(t, [public]),\n");
    let alias = ["alias()", "alias([reply])"][draws.below(2) as usize];
    let halts = draws.below(3) == 0;
    let mut main = Known {
        has_alias: wide && draws.below(3) == 0,
        halts,
        ..Known::default()
    };
    if main.has_alias {
        let _ = writeln!(out, "    A = {alias},");
    }
    for p in 1..=processes {
        let spawn = ["spawn", "spawn", "spawn", "spawn_link", "spawn_monitor"][draws.below(5) as usize];
        let pid = match spawn {
            "spawn_monitor" => {
                main.monitors.push(p + 100);
                format!("{{P{p}, M{}}}", p + 100)
            }
            _ => format!("P{p}"),
        };
        let _ = writeln!(out, "    {pid} = {spawn}(fun() ->");
        let mut own = Known {
            halts,
            ..Known::default()
        };
        for i in 0..1 + draws.below(3) {
            let n = p * 10 + i;
            let step = match wide && draws.below(2) == 0 {
                true => wide_step(&mut draws, p - 1, n, &mut own, main.has_alias),
                false => step(&mut draws, p - 1, n),
            };
            let _ = writeln!(out, "        {step},");
        }
        out.push_str("        ok end),\n");
    }
    for i in 0..draws.below(4) {
        let step = match wide && draws.below(2) == 0 {
            true => wide_step(&mut draws, processes, i, &mut main, false),
            false => step(&mut draws, processes, i),
        };
        let _ = writeln!(out, "    {step},");
    }
    out.push_str("    ok.\n");
    out
}

/// One step of a process that knows the main process and the first `known` others.
fn step(draws: &mut Draws, known: u64, n: u64) -> String {
    let to = whom(draws, known);
    let key = ["a", "b"][draws.below(2) as usize];
    match draws.below(20) {
        0..=4 => format!("{to} ! {{{key}, {n}}}"),
        5 | 6 => format!("receive V{n} -> V{n} after 0 -> none end"),
        7 | 8 => format!("receive {{{key}, V{n}}} -> V{n} after 1000 -> late end"),
        9 => format!("receive V{n} -> V{n} end"),
        10 => format!("ets:insert(T, {{{key}, {n}}})"),
        11 => format!("ets:lookup(T, {key})"),
        12 => format!("ets:update_counter(T, {key}, 1, {{{key}, 0}})"),
        13 => format!("catch register({key}, self())"),
        14 => format!("case whereis({key}) of undefined -> no; W{n} -> W{n} ! {{{key}, {n}}} end"),
        15 => format!("exit({to}, {})", ["kill", "gone"][draws.below(2) as usize]),
        16 => format!("monitor(process, {to})"),
        17 => format!("catch link({to})"),
        18 => "process_flag(trap_exit, true)".to_owned(),
        _ => "ets:tab2list(T)".to_owned(),
    }
}

fn whom(draws: &mut Draws, known: u64) -> String {
    match draws.below(known + 1) {
        0 => "S".to_owned(),
        p => format!("P{p}"),
    }
}

/// As [`step`], of more kinds: several shapes of messages, timers, what is cancelled, looks at others, normal exits, halts.
fn wide_step(draws: &mut Draws, known: u64, n: u64, own: &mut Known, knows_alias: bool) -> String {
    let to = whom(draws, known);
    let key = ["a", "b", "c"][draws.below(3) as usize];
    let after = ["", " after 0 -> none", " after 5 -> none", " after 20 -> none"][draws.below(4) as usize];
    let time = [0, 5, 10][draws.below(3) as usize];
    if !own.halts && draws.below(4) == 0 {
        return call_step(draws, known, n, own);
    }
    match draws.below(if own.halts { 27 } else { 24 }) {
        0 | 1 => format!("{to} ! {{{key}, {n}}}, {to} ! {{a, {n}}}"),
        2 => format!("receive {{a, V{n}}} -> V{n}; {{b, V{n}}} -> V{n}{after} end"),
        3 => format!("receive {{{key}, V{n}}} -> V{n}{after} end"),
        4 => format!("receive {{'DOWN', _, _, _, V{n}}} -> V{n}{after} end"),
        5 => format!("receive {{'EXIT', _, V{n}}} -> V{n}{after} end"),
        6 | 7 => format!("exit({to}, normal)"),
        8 => format!(
            "process_flag(trap_exit, {})",
            ["true", "true", "false"][draws.below(3) as usize]
        ),
        9 | 10 => format!("process_info({to}, message_queue_len)"),
        11 => format!("{to} =:= self() orelse is_process_alive({to})"),
        12 => {
            own.timers.push(n);
            format!("T{n} = erlang:send_after({time}, self(), {{{key}, {n}}})")
        }
        13 => {
            own.timers.push(n);
            format!("T{n} = erlang:start_timer({time}, self(), {n})")
        }
        14 => format!("erlang:send_after({time}, {to}, {{{key}, {n}}})"),
        15 | 16 if !own.timers.is_empty() => {
            let of = own.timers[draws.below(own.timers.len() as u64) as usize];
            format!("is_integer(erlang:cancel_timer(T{of}))")
        }
        15 | 16 => format!("receive {{timeout, _, V{n}}} -> V{n}{after} end"),
        17 => {
            own.monitors.push(n);
            format!("M{n} = monitor(process, {to})")
        }
        18..=20 if !own.monitors.is_empty() => {
            let of = own.monitors[draws.below(own.monitors.len() as u64) as usize];
            let options = ["", ", [flush]", ", [flush]", ", [info]", ", [flush, info]"][draws.below(5) as usize];
            format!("demonitor(M{of}{options})")
        }
        18..=20 => format!("monitor(process, {to})"),
        21 | 22 if own.has_alias => "unalias(A)".to_owned(),
        21 | 22 if knows_alias => format!("A ! {{{key}, {n}}}"),
        21 | 22 => format!("catch link({to})"),
        _ if own.halts => format!("halt({})", n % 3),
        _ => format!("receive V{n} -> V{n} end"),
    }
}

/// Calls and replies through aliases of all kinds.
fn call_step(draws: &mut Draws, known: u64, n: u64, own: &mut Known) -> String {
    let to = whom(draws, known);
    let mode = [
        "demonitor",
        "demonitor",
        "reply_demonitor",
        "reply_demonitor",
        "explicit_unalias",
    ][draws.below(5) as usize];
    let after = ["", " after 0 -> none", " after 10 -> none"][draws.below(3) as usize];
    match draws.below(10) {
        0..=2 => {
            own.monitors.push(n);
            format!("M{n} = monitor(process, {to}, [{{alias, {mode}}}]), {to} ! {{call, M{n}}}")
        }
        3 | 4 => format!("receive {{call, X{n}}} -> X{n} ! {{re, {n}}}{after} end"),
        5 => format!("receive {{call, X{n}}} -> X{n} ! {{re, {n}}}, X{n} ! {{a, {n}}}{after} end"),
        6 => format!("receive {{call, X{n}}} -> {to} ! {{call, X{n}}}{after} end"),
        7 => format!("receive {{re, V{n}}} -> V{n}{after} end"),
        8 => format!("receive {{re, V{n}}} -> V{n}; {{'DOWN', _, _, _, V{n}}} -> V{n}{after} end"),
        _ => match own.monitors.is_empty() {
            true => format!("receive {{a, V{n}}} -> V{n}{after} end"),
            false => {
                let of = own.monitors[draws.below(own.monitors.len() as u64) as usize];
                format!("unalias(M{of})")
            }
        },
    }
}

/// What the search finds if signals arrive when they are sent; `None` if that is too much, or if the program does what is not explored.
fn explored_at_send(program: &Text) -> Option<BTreeSet<Name>> {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let mut names = BTreeSet::new();
    let bounds = SearchBounds {
        at_send: true,
        ..bounds(Delivery::Causal)
    };
    let found = Explorer::new(&session, bounds, Arc::default())
        .unwrap()
        .run(|universe| {
            assert!(
                names.insert(name_of(universe.player()?.save(0)?)),
                "a universe was told twice"
            );
            Ok(true)
        });
    let summary = found.ok()?;
    (summary.stopped != Some(Bound::Universes) && summary.gaps.is_empty()).then_some(names)
}

/// Without signals of ends, which leave one after the other: what each step sends arrives before the next step.
#[test]
fn what_arrives_when_it_is_sent_has_exactly_these_universes() {
    let (mut exhausted, mut universes) = (0, 0);
    for seed in seeds::seeds(3, 300) {
        for set in ["", "a", "n", "tu", "ka", "x", "ts", "tum"] {
            let source = super::agree::program(seed, set);
            let program = text(&source);
            let Some(expected) = every_schedule(&program, Delivery::Causal, true) else {
                continue;
            };
            let Some(found) = explored_at_send(&program) else {
                continue;
            };
            exhausted += 1;
            universes += found.len();
            let [missed, extra] = [expected.difference(&found).count(), found.difference(&expected).count()];
            assert!(
                (missed, extra) == (0, 0),
                "{missed} universes are missed, {extra} are impossible: seed {seed} {set}:\n{source}"
            );
        }
    }
    println!("{universes} universes; every schedule of {exhausted} programs, at once");
    assert!(exhausted > 0);
}

#[test]
fn generated_programs_have_exactly_these_universes() {
    let (mut exhausted, mut sampled, mut universes) = (0, 0, 0);
    for seed in seeds::seeds(14, 1_000) {
        let source = program(seed);
        let program = text(&source);
        let delivery = [Delivery::Causal, Delivery::Free][(seed % 2) as usize];
        let Some(found) = explored(&program, delivery, &source) else {
            continue;
        };
        universes += found.len();
        match every_schedule(&program, delivery, false) {
            Some(expected) => {
                exhausted += 1;
                assert!(
                    expected.is_subset(&found),
                    "a universe is missed: seed {seed}:\n{source}\n{}{}",
                    missed(&program, delivery, &found),
                    extra(&program, delivery, &expected)
                );
                // The recorder does not end a process that was just born and traps exits as its first step; Erlang can.
                let can_die_first = source.contains("trap_exit");
                assert!(
                    can_die_first || found.is_subset(&expected),
                    "a universe is impossible: seed {seed}:\n{source}\n{}",
                    extra(&program, delivery, &expected)
                );
            }
            None => {
                sampled += 1;
                let some = random_schedules(&program, delivery, seeds::many(25, 150));
                assert!(
                    some.is_subset(&found),
                    "a universe is missed: seed {seed}:\n{source}\n{}",
                    missed(&program, delivery, &found)
                );
            }
        }
    }
    println!("{universes} universes; every schedule of {exhausted} programs, random ones of {sampled}");
    assert!(exhausted + sampled > 5);
}

/// A timer of 5 ms that a process has set for itself, and its `after 1000`: whatever the schedule holds up, the timer comes first.
#[test]
fn a_timer_of_its_own_comes_before_a_later_timeout() {
    let program = text(
        "main() -> spawn(fun() -> erlang:send_after(5, self(), b), receive b -> ok after 1000 -> late end end),\n    \
         receive x -> x after 0 -> none end.\n",
    );
    let found = explored(&program, Delivery::Causal, "").unwrap();
    let some = random_schedules(&program, Delivery::Causal, 100);
    assert!(some.is_subset(&found), "{}", missed(&program, Delivery::Causal, &found));
}

/// The logs of a few runs whose universes were missed.
fn missed(program: &Text, delivery: Delivery, found: &BTreeSet<Name>) -> String {
    let mut shown = BTreeSet::new();
    let mut out = String::new();
    for seed in 0..3_000 {
        let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::new(seed, 1_000_000_000));
        let bytes = program.record_under(scheduler, delivery).unwrap().1;
        let name = name_of(bytes.clone());
        if found.contains(&name) || !shown.insert(name) || shown.len() > 3 {
            continue;
        }
        out.push_str("missed:\n");
        let trace = Arc::new(Trace::from_bytes(bytes).unwrap());
        let history = History::of(Arc::clone(&trace), TraceLogs::new(trace).unwrap());
        out.push_str(&printed(&history));
    }
    out
}

/// The logs of a few universes that are found and not expected.
fn extra(program: &Text, delivery: Delivery, expected: &BTreeSet<Name>) -> String {
    let session = Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap();
    let mut out = String::new();
    let mut more = 3;
    let found = Explorer::new(&session, bounds(delivery), Arc::default())
        .unwrap()
        .run(|universe| {
            let player = universe.player()?;
            if !expected.contains(&name_of(player.save(0)?)) {
                let _ = write!(out, "not expected:\n{}", printed(player.history()));
                more -= 1;
            }
            Ok(more > 0)
        });
    found.unwrap();
    out
}

pub fn printed(history: &History) -> String {
    let mut out = String::new();
    for pid in history.processes().unwrap() {
        let _ = writeln!(out, "  {pid}");
        let mut log = history.open(pid, ActionNo(0)).unwrap().unwrap();
        for _ in 0..history.length(pid).unwrap().unwrap() {
            let action = log.next().unwrap().unwrap();
            let _ = write!(out, "    {:?}", action.kind);
            for access in action.accesses {
                let mark = if access.write { "=" } else { "@" };
                let by = access.by.map_or_else(String::new, |by| format!(" by {by}"));
                let _ = write!(out, "  {:?}{mark}{}{by}", access.resource, access.version.0);
            }
            out.push('\n');
        }
    }
    out
}
