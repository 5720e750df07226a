//! Measures sessions: controlled replay against the number of causes and of other actions, going back, memory. Run by `benches/run session`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use log_format::{ActionId, Cut, Pid, Trace};
use session::player::steps::Strategy;
use session::player::{CHECKPOINT_MEMORY, Player};
use session::record::Text;
use session::{Goal, Session};
use system::observer::Nobody;

/// Two processes that answer each other: every action is a cause of the next one.
fn ping(rounds: u64) -> String {
    format!(
        "-module(ping).\n-export([main/0]).\nmain() -> P = spawn(fun() -> pong() end), ping(P, {rounds}, 0), P ! stop.\n\
         ping(_, 0, S) -> S;\nping(P, N, S) -> P ! {{ping, self(), N}}, receive {{pong, K}} -> ping(P, N - 1, (S + K) band 65535) end.\n\
         pong() -> receive {{ping, P, N}} -> P ! {{pong, N}}, pong(); stop -> ok end.\n"
    )
}

/// The same pair with 250 rounds, and processes that are independent of it.
fn crowd(others: u64) -> String {
    format!(
        "-module(crowd).\n-export([main/0]).\nmain() -> spawn(fun() -> noise({}) end), spawn(fun() -> noise({}) end), \
         P = spawn(fun() -> pong() end), ping(P, 250).\n\
         ping(_, 0) -> ok;\nping(P, N) -> P ! {{ping, self()}}, receive pong -> ping(P, N - 1) end.\n\
         pong() -> receive {{ping, P}} -> P ! pong, pong() end.\n\
         noise(0) -> ok;\nnoise(N) -> self() ! N, receive N -> noise(N - 1) end.\n",
        others / 4,
        others / 4
    )
}

/// One process with a heap of the given size that sends to itself.
fn alone(turns: u64) -> String {
    format!(
        "-module(alone).\n-export([main/0]).\nmain() -> loop({turns}, lists:seq(1, 10000), #{{}}).\n\
         loop(0, L, _) -> length(L);\nloop(N, L, M) -> self() ! N, receive K -> loop(N - 1, L, M#{{K rem 1000 => K}}) end.\n"
    )
}

fn record(source: &str) -> Session {
    let text = Text {
        path: "bench.erl".to_owned(),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    let (_, bytes) = text.record_bytes(1).expect("a program that compiles");
    Session::of(Arc::new(Trace::from_bytes(bytes).expect("a whole trace"))).expect("a whole trace")
}

/// The entry process's actions.
fn length(session: &Session, pid: Pid) -> u64 {
    session
        .trace()
        .process(pid)
        .expect("a process of the run")
        .counts
        .actions
}

fn slice(session: &Session, pid: Pid, n: u64) -> Cut {
    causality::causes(session.trace(), ActionId::new(pid, n)).expect("an action of the run")
}

fn goal(slice: &Cut) -> Goal {
    Goal::causes(slice.clone())
}

/// The resident memory of this program in MB, on Linux; 0 elsewhere.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = text.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
    pages * 4096.0 / 1e6
}

/// All tables. `largest`: the length of the longest run as a power of ten.
#[must_use]
pub fn report(largest: u32) -> String {
    let mut text = String::new();
    causes(&mut text, largest);
    rest(&mut text, largest);
    backward(&mut text);
    whole(&mut text, largest);
    beyond(&mut text);
    text
}

/// A session on a whole run: time, memory, checkpoints.
fn whole(text: &mut String, largest: u32) {
    text.push_str(
        "\n## A session on a whole run\n\nThe pair again, replayed to its end in one session with 256 MB for checkpoints, then one action back.\n\n\
         | actions | MB before | forward, s | MB after | checkpoints | their MB | back one, ms |\n|---|---|---|---|---|---|---|\n",
    );
    for exponent in 4..=largest {
        let session = record(&ping(10_u64.pow(exponent) / 4));
        let all: Vec<ActionId> = session
            .trace()
            .processes()
            .map(|process| process.expect("a whole trace"))
            .map(|process| ActionId::new(process.pid, process.counts.actions))
            .collect();
        let before = resident();
        let mut player = Player::new(&session, CHECKPOINT_MEMORY).expect("a session");
        let started = Instant::now();
        player.forward_to(all).expect("a replay");
        let forward = started.elapsed().as_secs_f64();
        let after = resident();
        let last = length(&session, Pid(1));
        let started = Instant::now();
        player
            .undo(&[ActionId::new(Pid(1), last)])
            .expect("an action that was done");
        let back = started.elapsed().as_secs_f64();
        let (count, bytes) = player.checkpoints();
        let _ = writeln!(
            text,
            "| {} | {before:.0} | {forward:.2} | {after:.0} | {count} | {:.2} | {:.1} |",
            session.trace().totals().counts.actions,
            bytes as f64 / 1e6,
            back * 1e3
        );
    }
}

/// Steps beyond the log, chosen by a scheduler.
fn beyond(text: &mut String) {
    text.push_str("\n## Beyond the log\n\nThe pair, driven from the start by the round-robin scheduler of a session.\n\n| steps | µs a step |\n|---|---|\n");
    for steps in [1_000, 10_000, 40_000] {
        let program = Text {
            path: "bench.erl".to_owned(),
            source: ping(1_000_000).as_bytes().into(),
            release: Default::default(),
        };
        let bytes = program.blank().expect("a program that compiles");
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).expect("a whole trace"))).expect("a whole trace");
        let mut player = Player::new(&session, CHECKPOINT_MEMORY).expect("a session");
        let mut strategy = Strategy::RoundRobin { last: Pid(0) };
        let started = Instant::now();
        player
            .run_beyond(&mut strategy, steps, |_, _| Ok(false))
            .expect("steps");
        let _ = writeln!(
            text,
            "| {steps} | {:.1} |",
            started.elapsed().as_secs_f64() * 1e6 / steps as f64
        );
    }
}

fn causes(text: &mut String, largest: u32) {
    text.push_str(
        "## Controlled replay against the number of causes\n\nTwo processes that answer each other, replayed to the last action of the first: \
         finding the causes, replaying them.\n\n| causes | find, ms | replay, ms | ns a cause | MB of the program |\n|---|---|---|---|---|\n",
    );
    for exponent in 3..=largest {
        let session = record(&ping(10_u64.pow(exponent) / 4));
        let last = length(&session, Pid(1)) - 1;
        let started = Instant::now();
        let slice = slice(&session, Pid(1), last);
        let found = started.elapsed().as_secs_f64();
        let started = Instant::now();
        session.replay(&goal(&slice), Nobody).expect("a replay");
        let replayed = started.elapsed().as_secs_f64();
        let _ = writeln!(
            text,
            "| {} | {:.2} | {:.2} | {:.0} | {:.0} |",
            slice.actions(),
            found * 1e3,
            replayed * 1e3,
            (found + replayed) * 1e9 / slice.actions() as f64,
            resident()
        );
    }
}

fn rest(text: &mut String, largest: u32) {
    text.push_str(
        "\n## The same 1,000 causes in runs of different lengths\n\n| actions of the run | causes | find, ms | replay, ms |\n|---|---|---|---|\n",
    );
    for exponent in 4..=largest {
        let session = record(&crowd(10_u64.pow(exponent)));
        let last = length(&session, Pid(1)) - 1;
        // The first replay compiles the program.
        let cut = slice(&session, Pid(1), last);
        session.replay(&goal(&cut), Nobody).expect("a replay");
        let started = Instant::now();
        let cut = slice(&session, Pid(1), last);
        let found = started.elapsed().as_secs_f64();
        let started = Instant::now();
        session.replay(&goal(&cut), Nobody).expect("a replay");
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {:.2} |",
            session.trace().totals().counts.actions,
            cut.actions(),
            found * 1e3,
            started.elapsed().as_secs_f64() * 1e3
        );
    }
}

fn backward(text: &mut String) {
    text.push_str(
        "\n## Going back in a process with a million actions\n\nA list of 10,000 elements and a map of 1,000 keys live in it.\n\n\
         | checkpoint memory, MB | forward, s | checkpoints | MB | one action back, first, ms | median of 50, ms | worst, ms | to the middle, ms |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let session = record(&alone(500_000));
    let last = length(&session, Pid(1)) - 1;
    for memory in [CHECKPOINT_MEMORY, 16 << 20] {
        let mut player = Player::new(&session, memory).expect("a session");
        let started = Instant::now();
        player.forward_to([ActionId::new(Pid(1), last)]).expect("a replay");
        let forward = started.elapsed().as_secs_f64();
        let (count, bytes) = player.checkpoints();
        let mut times: Vec<f64> = (0..50)
            .map(|_| {
                let n = player.done(Pid(1));
                let started = Instant::now();
                player.undo(&[ActionId::new(Pid(1), n)]).expect("a replay");
                started.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        let first = times[0];
        times.sort_by(f64::total_cmp);
        let started = Instant::now();
        player.undo(&[ActionId::new(Pid(1), last / 2)]).expect("a replay");
        let middle = started.elapsed().as_secs_f64() * 1e3;
        let _ = writeln!(
            text,
            "| {} | {forward:.2} | {count} | {:.1} | {first:.1} | {:.1} | {:.1} | {middle:.1} |",
            memory >> 20,
            bytes as f64 / 1e6,
            times[25],
            times[49]
        );
    }
}
