//! `--until` with steps, lines and conditions, and `--back`: where a session comes to, on the fixtures.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use log_format::{Pid, Trace};
use replayer::commands::travel::{Conditions, back, forward};
use replayer::error::Error;
use replayer::player::undo::{Cut, Region, undone};
use replayer::player::{CHECKPOINT_MEMORY, Player, Stopped, handle};
use replayer::record::Text;
use replayer::session::Session;

fn session(name: &str, seed: u64) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fixtures/{name}/{name}.erl"));
    let source = std::fs::read(&path).unwrap();
    let text = Text {
        path: format!("{name}.erl"),
        source: source.into(),
    };
    Session::of(Arc::new(Trace::from_bytes(text.record_bytes(seed).unwrap().1).unwrap())).unwrap()
}

fn go(
    session: &Session,
    memory: usize,
    target: &str,
    when: Option<&str>,
    pattern: Option<&str>,
) -> Result<(Player, Pid), Error> {
    let mut player = Player::new(session, memory)?.with_distances(8, 2);
    let mut conditions = Conditions::of(session, when, pattern)?;
    let (pid, _) = forward(&mut player, target, &mut conditions)?;
    Ok((player, pid))
}

fn variable(player: &Player, pid: Pid, name: &str) -> Option<String> {
    let (_, value) = player.variables(pid).into_iter().find(|(known, _)| known == name)?;
    Some(player.look(|system| replayer::watch::fragment(&value, &system.program, 100)))
}

fn line(player: &Player, pid: Pid) -> u32 {
    player.look(|system| {
        let p = system.table().by_pid(handle(pid)).unwrap();
        p.machine.location(&system.program).unwrap().line
    })
}

#[test]
fn lines_are_reached_as_often_as_asked() {
    for memory in [0, CHECKPOINT_MEMORY] {
        let session = session("account", 1);
        // The clause of `put` is come to three times, with growing balances.
        let mut seen = Vec::new();
        for count in 1..=3 {
            let (player, pid) = go(
                &session,
                memory,
                &format!("line:account.erl:27@0.2.0/{count}"),
                None,
                None,
            )
            .unwrap();
            assert_eq!((pid, line(&player, pid)), (Pid(2), 27));
            seen.push(variable(&player, pid, "New").unwrap());
        }
        assert_eq!(seen.len(), 3);
        assert!(go(&session, memory, "line:account.erl:27@0.2.0/4", None, None).is_err());
        assert!(go(&session, memory, "line:account.erl:1", None, None).is_err());
        assert!(go(&session, memory, "line:nothing.erl:1", None, None).is_err());
        // Without a process: whoever comes there with the fewest causes.
        let (_, pid) = go(&session, memory, "line:account.erl:40", None, None).unwrap();
        assert!([Pid(3), Pid(4), Pid(5)].contains(&pid));
    }
}

#[test]
fn conditions_and_patterns_choose() {
    let session = session("account", 1);
    let (player, pid) = go(&session, 0, "line:account.erl:27@0.2.0", Some("New > 10"), None).unwrap();
    assert_ne!(variable(&player, pid, "New").unwrap(), "10");
    let (player, pid) = go(&session, 0, "event:0.2.0/1", None, Some("{put, N} when N > 10")).unwrap();
    let n = player.done(pid);
    assert_eq!(
        session
            .trace()
            .action(pid, log_format::ActionNo(n))
            .unwrap()
            .kind
            .word(),
        "rec"
    );
    assert_ne!(variable(&player, pid, "New").unwrap(), "10");
    assert!(go(&session, 0, "event:0.2.0/1", None, Some("{nothing, _}")).is_err());
    assert!(go(&session, 0, "event:0.2.0/1", Some("X +"), None).is_err());
}

#[test]
fn back_goes_where_it_says() {
    for memory in [0, CHECKPOINT_MEMORY] {
        let session = session("account", 1);
        // Before an action.
        let (mut player, pid) = go(&session, memory, "rec:10", None, None).unwrap();
        let moved = back(&mut player, pid, "rec:6").unwrap();
        assert_eq!((moved.stopped, player.done(pid)), (Stopped::Reached, 2));
        // To the creation.
        let (mut player, pid) = go(&session, memory, "rec:10", None, None).unwrap();
        back(&mut player, pid, "birth").unwrap();
        assert_eq!(player.done(pid), 0);
        assert!(player.look(|system| system.table().by_pid(handle(pid)).is_some()));
        // Before the creation: it is not there.
        back(&mut player, pid, "spawn:0.2.0").unwrap();
        assert!(player.look(|system| system.table().by_pid(handle(pid)).is_none()));
        // To the last time of a line, and to the time before.
        let (mut player, pid) = go(&session, memory, "rec:11", None, None).unwrap();
        let mut places = Vec::new();
        while back(&mut player, pid, "line:account.erl:28").unwrap().stopped == Stopped::Reached {
            assert_eq!(line(&player, pid), 28);
            places.push(variable(&player, pid, "New").unwrap());
        }
        assert_eq!(places.len(), 3, "{places:?}");
        // To where a variable got its value: back through all of them.
        let (mut player, pid) = go(&session, memory, "rec:11", None, None).unwrap();
        let mut values = vec![variable(&player, pid, "Balance").unwrap()];
        while back(&mut player, pid, "var:Balance").unwrap().stopped == Stopped::Reached {
            values.push(variable(&player, pid, "Balance").unwrap());
            assert!(values.len() < 40, "{values:?}");
        }
        let mut different = values.clone();
        different.dedup();
        assert!(different.len() >= 3, "{values:?}");
        // Steps.
        let (mut player, pid) = go(&session, memory, "step:0.2.0+9", None, None).unwrap();
        let there = player.position();
        assert_eq!(back(&mut player, pid, "4").unwrap().stopped, Stopped::Reached);
        player.step(pid, 4).unwrap();
        assert_eq!(player.position().steps, there.steps);
        assert_eq!(player.done(pid), there.cut.get(&pid).copied().unwrap_or(0));
        assert_eq!(back(&mut player, pid, "1000").unwrap().stopped, Stopped::Beginning);
        assert!(back(&mut player, pid, "var:x").is_err());
        assert!(back(&mut player, pid, "nonsense").is_err());
    }
}

#[test]
fn the_mailbox_goes_back() {
    let session = session("account", 1);
    let (mut player, pid) = go(&session, 0, "rec:11", None, None).unwrap();
    let mut changes = 0;
    while back(&mut player, pid, "mailbox").unwrap().stopped == Stopped::Reached {
        changes += 1;
    }
    // Each message was put in and taken out: 7 of both, less what went with its cause.
    assert!(changes >= 4, "{changes}");
    assert_eq!(player.done(pid), 0);
}

#[test]
fn what_undoing_costs_is_what_is_undone() {
    for (name, seed) in [("account", 1), ("barber", 3), ("client_server", 2)] {
        let session = session(name, seed);
        let trace = session.trace();
        let history = session.history();
        let before = Cut::default();
        let mut now = Cut::default();
        for process in trace.processes() {
            let process = process.unwrap();
            now.insert(process.pid, process.counts.actions);
        }
        now.retain(|_, n| *n > 0);
        let region = Region::of(&history, &before, &now).unwrap();
        for (&pid, &actions) in &now {
            for n in 1..=actions {
                let all = undone(&history, &before, &now, [(pid, n)]).unwrap();
                let count: u64 = all.iter().map(|(pid, first)| now[pid] + 1 - first).sum();
                assert_eq!(
                    region.cost((pid, n), u64::MAX).unwrap(),
                    Some(count),
                    "{name}: event:{pid}/{n}"
                );
                assert_eq!(region.cost((pid, n), count).unwrap(), None, "{name}: event:{pid}/{n}");
            }
        }
    }
}

#[test]
fn a_full_mailbox_goes_back_in_little_time() {
    let text = Text {
        path: "full.erl".to_owned(),
        source: b"-module(full).
-export([main/0]).
main() ->
    S = spawn(fun() -> receive stop -> ok end end),
    [spawn(fun() -> send(S, 2000) end) || _ <- lists:seq(1, 10)],
    send(S, 2000).
send(_, 0) -> ok;
send(S, N) -> S ! N, send(S, N - 1).
"
        .as_slice()
        .into(),
    };
    let session = Session::of(Arc::new(Trace::from_bytes(text.record_bytes(1).unwrap().1).unwrap())).unwrap();
    let (mut player, pid) = go(&session, 0, "end:0.2.0", None, None).unwrap();
    player.forward_to(everything(&session)).unwrap();
    let before = player.position().cut.values().sum::<u64>();
    let started = std::time::Instant::now();
    let moved = back(&mut player, pid, "mailbox").unwrap();
    assert_eq!(moved.stopped, Stopped::Reached);
    // The last message of a sender and the end of that process, and nothing else.
    assert_eq!(before - player.position().cut.values().sum::<u64>(), 2);
    // Looking at each of the 22,000 messages for itself took minutes.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

fn everything(session: &Session) -> Vec<(Pid, u64)> {
    let all = session.trace().processes();
    all.map(|process| process.map(|process| (process.pid, process.counts.actions)).unwrap())
        .collect()
}
