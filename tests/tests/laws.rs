//! The laws of sessions over every fixture and over generated programs with all primitives.

use std::ops::Range;

use causality::brute_force::BruteForce;
use log_format::{ActionId, ActionNo, Cut, Pid};
use seeds::{many, seeds};
use session::Session;
use session::player::Ways;
use session::player::{CHECKPOINT_MEMORY, Player};
use system::scheduler::mix;
use tests::generate::{self, Level};
use tests::laws;

/// A budget that fits a few checkpoints of a small program.
const TINY: usize = 48 << 10;

/// Picks actions of a run.
fn picks(session: &Session, seed: u64, count: u64) -> Vec<ActionId> {
    let mut all = Vec::new();
    for process in session.trace().processes() {
        let process = process.expect("a whole trace");
        all.extend((1..=process.counts.actions).map(|n| ActionId::new(process.pid, n)));
    }
    (0..count.min(all.len() as u64))
        .map(|i| all[(mix(seed * 1000 + i) % all.len() as u64) as usize])
        .collect()
}

fn whole(session: &Session) -> Cut {
    let processes = session.trace().processes().map(|p| p.expect("a whole trace"));
    processes
        .filter(|p| p.counts.actions > 0)
        .map(|p| ActionId::new(p.pid, p.counts.actions))
        .collect()
}

/// Sessions of all fixtures and of generated programs, with a name for messages.
fn sessions(fixture_seeds: Range<u64>, programs: Range<u64>) -> impl Iterator<Item = (String, u64, Session)> {
    let fixtures = tests::fixtures().into_iter().flat_map(move |name| {
        let source = std::fs::read(tests::fixture(&name)).expect("a fixture");
        let program = laws::program(&format!("{name}.erl"), &source);
        fixture_seeds
            .clone()
            .map(move |seed| (format!("{name}, seed {seed}"), seed, laws::session(&program, seed)))
    });
    let generated = programs.map(|seed| {
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
    for (name, seed, session) in sessions(seeds(2, 8), seeds(30, 1_200)) {
        for ActionId {
            pid,
            number: ActionNo(n),
        } in picks(&session, seed, 6)
        {
            laws::stack_is_closure(&session, pid, n, &format!("event:{pid}/{n} of {name}"));
        }
    }
}

#[test]
fn undoing_is_minimal_and_is_undone_by_going_forward() {
    let mut ways = [[0_u64; 3]; 3];
    for (name, seed, session) in sessions(seeds(1, 6), seeds(24, 900)) {
        if session.trace().totals().counts.actions > 400 {
            // Brute force would take too long.
            continue;
        }
        let brute = BruteForce::causes(session.trace()).expect("a whole trace");
        let whole = whole(&session);
        for (i, id) in picks(&session, seed ^ 77, 5).into_iter().enumerate() {
            // Checkpoints everywhere, nowhere, or a few that replace each other.
            let memory = [CHECKPOINT_MEMORY, 0, TINY][i % 3];
            let what = format!("{id} of {name}, {memory} bytes of checkpoints");
            let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
            laws::undo_is_minimal(&session, &brute, &mut player, &whole, id, &what);
            // Within the causes of another action: earlier than most.
            let other = picks(&session, seed + i as u64, 1)[0];
            let cut = laws::causes(&session, other.pid, other.number.0);
            let target = picks(&session, seed + 7 * i as u64, 9)
                .into_iter()
                .find(|one| one.number.0.max(1) <= cut.get(one.pid));
            if let Some(target) = target {
                let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
                laws::undo_is_minimal(&session, &brute, &mut player, &cut, target, &what);
            }
            let (count, bytes) = player.checkpoints();
            assert!(
                bytes <= memory && (memory > 0 || count == 0),
                "{count} checkpoints of {bytes} bytes: {what}"
            );
            let Ways {
                retained,
                remade,
                whole,
            } = player.ways();
            let ways = &mut ways[i % 3];
            *ways = [ways[0] + retained, ways[1] + remade, ways[2] + whole];
        }
    }
    // Old values were retained, fetched from their senders, or recomputed completely.
    let [much, none, tiny] = ways;
    assert!(
        much[0] > many(0, 3)
            && [much[1], much[2], none[1], none[2], tiny[1], tiny[2]]
                .iter()
                .all(|count| *count > many(0, 10)),
        "{ways:?}"
    );
}

/// Going back repeatedly, in related processes: what is undone each time, and the state afterwards, do not depend on which old values were
/// retained.
#[test]
fn old_values_are_the_same_retained_and_made_again() {
    let mut ways = [[0_u64; 3]; 3];
    for seed in seeds(15, 600) {
        let level = [Level::Messages, Level::Messages, Level::Everything][(seed % 3) as usize];
        let source = generate::program(seed, level);
        let session = laws::session(&laws::program("gen.erl", source.as_bytes()), seed);
        let whole = whole(&session);
        if whole.is_empty() {
            continue;
        }
        let mut pids: Vec<Pid> = whole.iter().map(|last| last.pid).collect();
        pids.sort_unstable();
        let mut expected: Vec<Cut> = Vec::new();
        for (i, memory) in [0, CHECKPOINT_MEMORY, TINY].into_iter().enumerate() {
            let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
            laws::forward(&mut player, &whole, "the whole run");
            let mut cuts = Vec::new();
            for turn in 0..12_u64 {
                let what = format!("turn {turn}, {memory} bytes of checkpoints, generated program {seed}:\n{source}");
                let pid = pids[(mix(seed * 100 + turn / 4) % pids.len() as u64) as usize];
                let done = player.done(pid);
                if done == 0 {
                    continue;
                }
                let n = if turn % 4 == 0 {
                    1 + mix(seed * 7 + turn) % done
                } else {
                    done
                };
                let moved = player.undo(&[ActionId::new(pid, n)]);
                let moved = moved.unwrap_or_else(|error| panic!("{error}: {what}"));
                assert!(!moved.undone.is_empty(), "{what}");
                let cut = player.position().cut;
                let again = laws::at(&session, &cut, &what);
                // Whether an exit signal `normal`, which has no effect, is present can depend on the order of recomputation.
                let state = |player: &Player| {
                    let mut state = laws::state_of(player);
                    for facts in state.values_mut() {
                        facts.retain(|fact| !(fact.starts_with("signal ") && fact.ends_with(" true normal")));
                    }
                    state
                };
                laws::same(&state(&again), &state(&player), &what);
                assert_eq!(player.look(|system| system.total_actions), cut.actions(), "{what}");
                if turn % 6 == 5 {
                    laws::forward(&mut player, &whole, &what);
                    let end = laws::at(&session, &whole, &what);
                    laws::same(&laws::state_of(&end), &laws::state_of(&player), &what);
                }
                cuts.push(cut);
            }
            if expected.is_empty() {
                expected = cuts;
            } else {
                assert_eq!(expected, cuts, "generated program {seed}");
            }
            let (_, bytes) = player.checkpoints();
            assert!(bytes <= memory, "{bytes} of {memory} bytes");
            let Ways {
                retained,
                remade,
                whole,
            } = player.ways();
            ways[i] = [ways[i][0] + retained, ways[i][1] + remade, ways[i][2] + whole];
        }
    }
    // Without memory only processes that had received nothing are recomputed alone.
    assert!(ways.iter().flatten().all(|count| *count > many(0, 20)), "{ways:?}");
    assert!(ways[0][0] <= ways[2][0] && ways[2][0] <= ways[1][0], "{ways:?}");
}

/// A process that computes for long between two actions is not recomputed from its beginning.
#[test]
fn checkpoints_are_made_where_nothing_is_done() {
    let source = "-module(busy).\n-export([main/0]).\nmain() -> S = self(), lists:foreach(fun(I) -> S ! {I, sum(20000, 0)} end, lists:seq(1, 6)).\n\
                  sum(0, A) -> A;\nsum(N, A) -> sum(N - 1, A + N).\n";
    let session = laws::session(&laws::program("busy.erl", source.as_bytes()), 1);
    let whole = whole(&session);
    let mut player = Player::new(&session, CHECKPOINT_MEMORY)
        .expect("a session")
        .with_patience(2, std::time::Duration::ZERO);
    laws::forward(&mut player, &whole, "busy");
    assert!(player.checkpoints().0 >= 4, "{:?}", player.checkpoints());
    for n in (1..=6).rev() {
        player
            .undo(&[ActionId::new(Pid(1), n)])
            .expect("an action that was done");
        let cut = player.position().cut;
        let again = laws::at(&session, &cut, "busy");
        laws::same(
            &laws::state_of(&again),
            &laws::state_of(&player),
            &format!("back before {n}"),
        );
    }
}

#[test]
fn steps_back_undo_steps() {
    for (name, seed, session) in sessions(seeds(1, 4), seeds(12, 300)) {
        for (i, id) in picks(&session, seed ^ 5, 3).into_iter().enumerate() {
            let memory = [CHECKPOINT_MEMORY, 0, TINY][i % 3];
            let what = format!("from {id} of {name}, {memory} bytes of checkpoints");
            let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
            laws::forward(&mut player, &laws::causes(&session, id.pid, id.number.0), &what);
            let pid = id.pid;
            // What others did independently of the step is not a consequence: their messages stay in the mailbox, and the tables and names
            // that they gave stay.
            let own = |player: &Player| {
                let mut facts = player
                    .look(|system| laws::state(system))
                    .remove(&pid.0)
                    .unwrap_or_default();
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
                if moved.stopped != session::player::Stopped::Reached {
                    break;
                }
                seen.push((player.position(), own(&player)));
            }
            // A step at the end of the log may have continued silently; the comparison begins at the last complete step.
            let (last, _) = seen.last().expect("where it began");
            if player.position() != *last {
                player.back(pid, 1).unwrap_or_else(|error| panic!("{error}: {what}"));
                continue;
            }
            // All at once.
            for k in [2, 3, 5, 9] {
                if k < seen.len() {
                    let mut at_once = player.clone();
                    at_once
                        .back(pid, k as u64)
                        .unwrap_or_else(|error| panic!("{error}: {what}"));
                    let (position, _) = &seen[seen.len() - 1 - k];
                    let place =
                        |p: &session::player::Position| (p.cut.get(pid), p.steps.filter(|ahead| ahead.steps > 0));
                    assert_eq!(
                        place(position),
                        place(&at_once.position()),
                        "{k} steps back at once, {what}"
                    );
                }
            }
            for k in 1..seen.len().min(6) {
                let (position, _) = &seen[seen.len() - 1 - k];
                player.back(pid, 1).unwrap_or_else(|error| panic!("{error}: {what}"));
                let steps = |p: &session::player::Position| p.steps.filter(|ahead| ahead.steps > 0);
                let actions = |p: &session::player::Position| p.cut.get(pid);
                assert_eq!(actions(position), actions(&player.position()), "{k} steps back, {what}");
                assert_eq!(steps(position), steps(&player.position()), "{k} steps back, {what}");
                assert_eq!(seen[seen.len() - 1 - k].1, own(&player), "{k} steps back, {what}");
            }
        }
    }
}

#[test]
fn every_action_has_a_cut() {
    // The causes as a cut include the action itself.
    for (name, seed, session) in sessions(seeds(1, 2), seeds(10, 100)) {
        for ActionId {
            pid,
            number: ActionNo(n),
        } in picks(&session, seed, 3)
        {
            assert_eq!(laws::causes(&session, pid, n).get(pid), n, "{name}");
            assert!(session.trace().action(pid, ActionNo(n)).is_ok(), "{name}");
        }
    }
}

/// A checkpoint is charged for its tables, their old versions, and the messages waiting in mailboxes; under a budget without room for that,
/// every old state is recomputed.
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
        player
            .forward_to([ActionId::new(Pid(1), length - 1)])
            .expect("a replay");
        let (count, taken) = player.checkpoints();
        let least = 4000 * 24 + 300 * 100 * 8;
        assert!(memory < CHECKPOINT_MEMORY || taken > least, "{taken} bytes");
        assert!(taken <= memory && count > 0, "{count} checkpoints of {taken} bytes");
        let before = laws::state_of(&player);
        let cut = player.position().cut;
        player
            .undo(&[ActionId::new(Pid(1), length / 2)])
            .expect("an action that was done");
        assert_eq!(player.done(Pid(1)), length / 2 - 1);
        laws::forward(&mut player, &cut, "forward again");
        laws::same(&before, &laws::state_of(&player), "forward again");
    }
}
