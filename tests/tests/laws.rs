//! The laws of sessions over every fixture and over generated programs with all primitives (issue 5, "shown by").

use causality::brute_force::BruteForce;
use log_format::{ActionNo, Pid};
use replayer::player::undo::Cut;
use replayer::player::{CHECKPOINT_MEMORY, Player};
use replayer::session::Session;
use system::scheduler::mix;
use tests::generate::{self, Level};
use tests::laws;
use tests::many;

/// A budget into which a few checkpoints of a small program go.
const TINY: usize = 48 << 10;

/// Picks actions of a run.
fn picks(session: &Session, seed: u64, count: u64) -> Vec<(Pid, u64)> {
    let mut all = Vec::new();
    for process in session.trace().processes() {
        let process = process.expect("a whole trace");
        all.extend((1..=process.counts.actions).map(|n| (process.pid, n)));
    }
    (0..count.min(all.len() as u64))
        .map(|i| all[(mix(seed * 1000 + i) % all.len() as u64) as usize])
        .collect()
}

fn whole(session: &Session) -> Cut {
    let processes = session.trace().processes().map(|p| p.expect("a whole trace"));
    processes
        .filter(|p| p.counts.actions > 0)
        .map(|p| (p.pid, p.counts.actions))
        .collect()
}

/// Sessions of all fixtures and of generated programs: with a name for messages.
fn sessions(fixture_seeds: u64, programs: u64) -> impl Iterator<Item = (String, u64, Session)> {
    let fixtures = tests::fixtures().into_iter().flat_map(move |name| {
        let source = std::fs::read(tests::fixture(&name)).expect("a fixture");
        let program = laws::program(&format!("{name}.erl"), &source);
        (1..=fixture_seeds).map(move |seed| (format!("{name}, seed {seed}"), seed, laws::session(&program, seed)))
    });
    let generated = (0..programs).map(|seed| {
        let level = [Level::Messages, Level::Everything, Level::Edges][(seed % 3) as usize];
        let source = generate::program(seed, level);
        let program = laws::program("gen.erl", source.as_bytes());
        (
            format!("generated program {seed}:\n{source}"),
            seed,
            laws::session(&program, seed),
        )
    });
    fixtures.chain(generated)
}

#[test]
fn the_request_stack_is_the_closure() {
    for (name, seed, session) in sessions(4, many(120, 1_200)) {
        for (pid, n) in picks(&session, seed, 6) {
            laws::stack_is_closure(&session, pid, n, &format!("event:{pid}/{n} of {name}"));
        }
    }
}

#[test]
fn undoing_is_minimal_and_is_undone_by_going_forward() {
    for (name, seed, session) in sessions(3, many(90, 900)) {
        if session.trace().totals().counts.actions > 400 {
            // Brute force is what limits.
            continue;
        }
        let brute = BruteForce::causes(session.trace()).expect("a whole trace");
        let whole = whole(&session);
        for (i, (pid, n)) in picks(&session, seed ^ 77, 5).into_iter().enumerate() {
            // Checkpoints everywhere, nowhere, or a few that take each other's place.
            let memory = [CHECKPOINT_MEMORY, 0, TINY][i % 3];
            let what = format!("event:{pid}/{n} of {name}, {memory} bytes of checkpoints");
            let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
            laws::undo_is_minimal(&session, &brute, &mut player, &whole, (pid, n), &what);
            // Within the causes of another action: something earlier than most.
            let (other, m) = picks(&session, seed + i as u64, 1)[0];
            let cut = laws::causes(&session, other, m);
            let target = picks(&session, seed + 7 * i as u64, 9)
                .into_iter()
                .find(|(pid, n)| cut.get(pid).is_some_and(|last| n <= last));
            if let Some(target) = target {
                let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
                laws::undo_is_minimal(&session, &brute, &mut player, &cut, target, &what);
            }
            let (count, bytes) = player.checkpoints();
            assert!(
                bytes <= memory && (memory > 0 || count == 0),
                "{count} checkpoints of {bytes} bytes: {what}"
            );
        }
    }
}

#[test]
fn steps_back_undo_steps() {
    for (name, seed, session) in sessions(2, many(30, 300)) {
        for (i, (pid, n)) in picks(&session, seed ^ 5, 3).into_iter().enumerate() {
            let memory = [CHECKPOINT_MEMORY, 0, TINY][i % 3];
            let what = format!("from event:{pid}/{n} of {name}, {memory} bytes of checkpoints");
            let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
            laws::forward(&mut player, &laws::causes(&session, pid, n), &what);
            // What others did without knowing of the step is no consequence: what they sent stays in the mailbox, the tables and names that they gave are there.
            let own = |player: &Player| {
                let mut facts = player.look(laws::state).remove(&pid.0).unwrap_or_default();
                let others = ["signal ", "tables ", "watched ", "link "];
                facts.retain(|fact| !others.iter().any(|word| fact.starts_with(word)));
                for fact in facts.iter_mut().filter(|fact| fact.starts_with("names [")) {
                    *fact = fact
                        .split_once(']')
                        .map_or_else(String::new, |(_, rest)| rest.to_owned());
                }
                facts
            };
            let mut seen = vec![(player.position(), own(&player))];
            for _ in 0..12 {
                let moved = player.step(pid, 1).unwrap_or_else(|error| panic!("{error}: {what}"));
                if moved.stopped != replayer::player::Stopped::Reached {
                    break;
                }
                seen.push((player.position(), own(&player)));
            }
            // A step at the end of the log may have gone on silently; what is compared begins at the last whole step.
            let (last, _) = seen.last().expect("where it began");
            if player.position() != *last {
                player
                    .step_back(pid, 1)
                    .unwrap_or_else(|error| panic!("{error}: {what}"));
                continue;
            }
            for k in 1..seen.len().min(6) {
                let (position, _) = &seen[seen.len() - 1 - k];
                player
                    .step_back(pid, 1)
                    .unwrap_or_else(|error| panic!("{error}: {what}"));
                let steps = |p: &replayer::player::Position| p.steps.filter(|(_, k)| *k > 0);
                let actions = |p: &replayer::player::Position| p.cut.get(&pid).copied();
                assert_eq!(actions(position), actions(&player.position()), "{k} steps back, {what}");
                assert_eq!(steps(position), steps(&player.position()), "{k} steps back, {what}");
                assert_eq!(seen[seen.len() - 1 - k].1, own(&player), "{k} steps back, {what}");
            }
        }
    }
}

#[test]
fn every_action_has_a_cut() {
    // The causes as a cut name the action itself.
    for (name, seed, session) in sessions(1, many(10, 100)) {
        for (pid, n) in picks(&session, seed, 3) {
            assert_eq!(laws::causes(&session, pid, n).get(&pid), Some(&n), "{name}");
            assert!(session.trace().action(pid, ActionNo(n)).is_ok(), "{name}");
        }
    }
}

/// What a checkpoint takes is counted with its tables, their old versions, and what waits in mailboxes; under a budget in which there is no room for
/// that every old state is made again.
#[test]
fn the_budget_counts_tables_and_mailboxes() {
    let source = "-module(big).\n-export([main/0]).\nmain() -> T = ets:new(t, [public]), fill(T, 4000), S = self(), [S ! lists:seq(1, 100) || _ <- lists:seq(1, 300)], \
                  receive stop -> ok after 0 -> last(T) end.\nfill(_, 0) -> ok;\nfill(T, N) -> ets:insert(T, {N rem 500, N}), fill(T, N - 1).\n\
                  last(T) -> ets:insert(T, {last, ets:lookup(T, 7)}).\n";
    let session = laws::session(&laws::program("big.erl", source.as_bytes()), 1);
    let length = session.trace().process(Pid(1)).expect("the entry").counts.actions;
    for memory in [1 << 18, CHECKPOINT_MEMORY] {
        let mut player = Player::new(&session, memory)
            .expect("a session")
            .with_distances(500, 50);
        player.forward_to([(Pid(1), length - 1)]).expect("a replay");
        let bytes = player.look(|system| system.bytes());
        assert!(bytes > 4000 * 64 + 300 * 200 * 8, "{bytes} bytes");
        let (count, taken) = player.checkpoints();
        assert!(taken <= memory && count > 0, "{count} checkpoints of {taken} bytes");
        let before = laws::state_of(&player);
        let cut = player.position().cut;
        player.undo(&[(Pid(1), length / 2)]).expect("an action that was done");
        assert_eq!(player.done(Pid(1)), length / 2 - 1);
        laws::forward(&mut player, &cut, "forward again");
        laws::same(&before, &laws::state_of(&player), "forward again");
    }
}
