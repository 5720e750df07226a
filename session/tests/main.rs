//! `--until` with steps, lines and conditions, and `--back`: the position that a session reaches, on the fixtures.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use log_format::{ActionId, ActionNo, Cut, Pid, SendNo, Tag, Trace};
use session::conditions::Conditions;
use session::error::Error;
use session::player::receives::Received;
use session::player::undo::{Region, undone};
use session::player::{CHECKPOINT_MEMORY, Moved, Player, Stopped, handle};
use session::record::Text;
use session::watch::{SeenAction, Watcher, Wish, ascending};
use session::{Goal, Session};
use syntax::Release;

fn session(name: &str, seed: u64) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fixtures/{name}/{name}.erl"));
    let source = std::fs::read(&path).unwrap();
    let text = Text {
        path: format!("{name}.erl"),
        source: source.into(),
        release: Default::default(),
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
    let arrival = player.go_to_where(target.parse::<causality::Target>()?, &mut conditions)?;
    Ok((player, arrival.pid))
}

fn variable(player: &Player, pid: Pid, name: &str) -> Option<String> {
    let known = player.variables(pid).into_iter().find(|known| known.name == name)?;
    Some(known.value.shown(known.terms).to_string())
}

fn back(player: &mut Player, subject: Pid, way: &str) -> Result<Moved, Error> {
    player.back_to(subject, &way.parse()?)
}

fn line(player: &Player, pid: Pid) -> u32 {
    player.look(|system| {
        let p = system.table().by_pid(handle(pid)).unwrap();
        p.machine.location(&system.program).unwrap().line
    })
}

/// Another way of the run may have sent what the record does not know.
#[test]
fn a_signal_that_no_log_has_was_sent_by_nobody() {
    let player = Player::new(&session("account", 1), 0).unwrap();
    let (by, to) = (Pid(1), Pid(2));
    for tag in [
        Tag::Sent { by, k: SendNo(9_999) },
        Tag::Sent {
            by: Pid(999),
            k: SendNo(1),
        },
        Tag::EndTo { by: Pid(999), to },
    ] {
        assert_eq!(player.history().find_send(tag).unwrap(), None, "{tag}");
    }
}

#[test]
fn lines_are_reached_as_often_as_asked() {
    for memory in [0, CHECKPOINT_MEMORY] {
        let session = session("account", 1);
        // The clause of `put` is reached three times, with growing balances.
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
        // Without a process: the one that gets there with the fewest causes.
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
        // Before the creation the process does not exist.
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
        // To where a variable got its value: back through all of its values.
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
        assert_eq!(player.done(pid), there.cut.get(pid));
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
    // Each message was inserted and removed: 7 of both, minus those undone with their causes.
    assert!(changes >= 4, "{changes}");
    assert_eq!(player.done(pid), 0);
}

#[test]
fn what_undoing_costs_is_what_is_undone() {
    for (name, seed) in [("account", 1), ("barber", 3), ("client_server", 2)] {
        let session = session(name, seed);
        let trace = session.trace();
        let history = session::player::history::History::of(Arc::clone(session.trace()), session.logs().clone());
        let before = Cut::default();
        let mut now = Cut::default();
        for process in trace.processes() {
            let process = process.unwrap();
            now.set(process.pid, process.counts.actions);
        }
        let region = Region::of(&history, &before, &now).unwrap();
        for ActionId {
            pid,
            number: ActionNo(actions),
        } in now.iter()
        {
            for n in 1..=actions {
                let all = undone(&history, &before, &now, [ActionId::new(pid, n)]).unwrap();
                let count: u64 = all.starts().map(|first| now.get(first.pid) + 1 - first.number.0).sum();
                assert_eq!(
                    region.cost(ActionId::new(pid, n), u64::MAX).unwrap(),
                    Some(count),
                    "{name}: event:{pid}/{n}"
                );
                assert_eq!(
                    region.cost(ActionId::new(pid, n), count).unwrap(),
                    None,
                    "{name}: event:{pid}/{n}"
                );
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
        release: Default::default(),
    };
    let session = Session::of(Arc::new(Trace::from_bytes(text.record_bytes(1).unwrap().1).unwrap())).unwrap();
    let (mut player, pid) = go(&session, 0, "end:0.2.0", None, None).unwrap();
    player.forward_to(everything(&session)).unwrap();
    let before = player.position().cut.actions();
    let started = steady::used();
    let moved = back(&mut player, pid, "mailbox").unwrap();
    assert_eq!(moved.stopped, Stopped::Reached);
    // The last message of a sender and the end of that process, and nothing else.
    assert_eq!(before - player.position().cut.actions(), 2);
    // Searching each of the 22,000 messages separately took minutes.
    let work = steady::used() - started;
    assert!(work.as_secs() < 20, "{work:?}");
}

fn everything(session: &Session) -> Vec<ActionId> {
    let all = session.trace().processes();
    all.map(|process| {
        process
            .map(|process| ActionId::new(process.pid, process.counts.actions))
            .unwrap()
    })
    .collect()
}

fn recorded(name: &str, source: &str, seed: u64) -> Session {
    let text = Text {
        path: format!("{name}.erl"),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    Session::of(Arc::new(Trace::from_bytes(text.record_bytes(seed).unwrap().1).unwrap())).unwrap()
}

/// A server that holds a record and a growing list.
const HOLDER: &str = "-module(holder).
-export([main/0]).
-record(st, {count = 0, 'a list' = []}).
main() ->
    Me = self(),
    S = spawn(fun() -> put(parent, Me), loop(#st{}) end),
    fill(S, 1500),
    S ! {self(), count},
    receive {count, N} -> N end.
fill(_, 0) -> ok;
fill(S, N) -> S ! N, fill(S, N - 1).
loop(#st{count = N, 'a list' = L} = St) ->
    receive
        {From, count} -> From ! {count, N}, loop(St);
        X -> loop(St#st{count = N + 1, 'a list' = [X | L]})
    end.
";

#[test]
fn an_expression_knows_records_and_the_process() {
    let session = recorded("holder", HOLDER, 1);
    let at = |when: &str| go(&session, 0, "event:0.2.0/1", Some(when), None).map(|(player, pid)| player.done(pid));
    assert_eq!(at("St#st.count =:= 7").unwrap(), 8);
    assert_eq!(at("#st{count = C} = St, C > 2").unwrap(), 4);
    assert_eq!(
        at("length(St#st.'a list') =:= 3 andalso self() =/= get(parent)").unwrap(),
        4
    );
    assert_eq!(at("node() =:= nonode@nohost andalso length(get()) =:= 1").unwrap(), 1);
    let told = |when: &str| at(when).unwrap_err().to_string();
    for (when, expected) in [
        ("St#st.count", "was 0"),
        ("hd(St)", "raised error badarg"),
        ("io:format(\"x\")", "would have an effect"),
        ("St#st.none > 1", "none"),
        ("St#none.count > 1", "record"),
    ] {
        let text = told(when);
        assert!(text.contains(expected), "{when}: {text}");
    }
    let pattern = go(&session, 0, "event:0.2.0/1", None, Some("#st{count = 1}")).map(|(player, pid)| player.done(pid));
    assert!(pattern.is_err(), "nobody sends a record");
}

/// Searching for the last place at which a condition held goes over the past once, whatever the values are.
#[test]
fn the_past_is_looked_through_once() {
    let session = recorded("holder", HOLDER, 1);
    for memory in [0, CHECKPOINT_MEMORY] {
        let (mut player, pid) = go(&session, memory, "end:0.2.0", None, None).unwrap();
        let there = player.done(pid);
        let started = steady::used();
        assert_eq!(back(&mut player, pid, "var:L").unwrap().stopped, Stopped::Reached);
        assert!(player.done(pid) < there, "{there}");
        // Once the state equals the first one, nothing comes before it.
        back(&mut player, pid, "event:0.2.0/3").unwrap();
        while back(&mut player, pid, "var:L").unwrap().stopped == Stopped::Reached {
            assert!(player.done(pid) < 3);
        }
        let mut player = go(&session, memory, "end:0.2.0", None, None).unwrap().0;
        assert_eq!(
            back(&mut player, pid, "line:holder.erl:6").unwrap().stopped,
            Stopped::Reached
        );
        assert_eq!((player.done(pid), line(&player, pid)), (0, 6));
        let mut player = go(&session, memory, "end:0.2.0", None, None).unwrap().0;
        assert_eq!(
            back(&mut player, pid, "line:holder.erl:9").unwrap().stopped,
            Stopped::Beginning
        );
        let work = steady::used() - started;
        assert!(work.as_secs() < 30, "{work:?}");
    }
}

/// The positions of processes whose actions are undone do not depend on what is retained.
#[test]
fn who_is_undone_stands_right_after_what_is_left() {
    for (name, seed) in [("account", 1), ("barber", 3), ("client_server", 2)] {
        let session = session(name, seed);
        let all = everything(&session);
        for (i, &ActionId { pid, number }) in all.iter().enumerate().filter(|(_, last)| last.number.0 > 0) {
            let target = ActionId::new(pid, 1 + (i as u64 * 7) % number.0);
            let mut stand = None;
            for memory in [0, 1 << 16, CHECKPOINT_MEMORY] {
                let mut player = Player::new(&session, memory).unwrap().with_distances(8, 2);
                player.forward_to(all.iter().copied()).unwrap();
                let undone = player.undo(&[target]).unwrap().undone;
                let standing: Vec<_> = undone
                    .iter()
                    .filter_map(|one| {
                        player.look(|system| system.table().by_pid(handle(one.pid)).map(|p| (one.pid, p.standing)))
                    })
                    .collect();
                assert!(
                    standing.iter().all(|(_, stands)| *stands),
                    "{name}, {memory} bytes: {standing:?}"
                );
                assert_eq!(stand.get_or_insert_with(|| standing.clone()), &standing, "{name}");
            }
        }
    }
}

/// Leaving the log early drops what depends on it, in time proportional to that.
#[test]
fn leaving_a_long_log_takes_little_time() {
    let source = "-module(pong).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    S = self(),
    P = spawn(fun() -> pong(S, T) end),
    ping(P, T, 20000).
ping(P, _, 0) -> P ! stop;
ping(P, T, N) -> P ! N, receive M -> ets:insert(T, {key, M}) end, ping(P, T, N - 1).
pong(S, T) -> receive stop -> ok; N -> ets:lookup(T, key), S ! N, pong(S, T) end.
";
    let session = recorded("pong", source, 1);
    let mut player = Player::new(&session, 0).unwrap();
    player.pull(Pid(2), 12).unwrap();
    let started = steady::used();
    let moved = player.leave_log(Pid(2)).unwrap();
    let dropped: u64 = moved.dropped.iter().map(|one| one.actions()).sum();
    assert!(dropped > 100_000, "{dropped} actions dropped");
    let work = steady::used() - started;
    assert!(work.as_secs() < 20, "{work:?}");
}

fn of_source(source: &str) -> Session {
    let text = Text {
        path: "t.erl".to_owned(),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    Session::of(Arc::new(Trace::from_bytes(text.record_bytes(1).unwrap().1).unwrap())).unwrap()
}

/// How a process ended is found from what its end needs, and not by going through all that came later.
#[test]
fn the_end_of_a_process_is_seen_from_what_it_needs() {
    let session = of_source(
        "-module(t).\n-export([main/0]).\nmain() -> [first() || _ <- [1, 2, 3]], pings(spawn(fun echo/0), 3000), error(x).
         first() -> S = self(), spawn(fun() -> Kept = [1, 2], S ! Kept, exit({ended, Kept}) end), receive _ -> ok end.
         pings(_, 0) -> ok; pings(P, N) -> P ! {self(), N}, receive N -> pings(P, N - 1) end.
         echo() -> receive {P, N} -> P ! N, echo() end.",
    );
    for memory in [0, CHECKPOINT_MEMORY] {
        let (mut player, main) = go(&session, memory, "error", None, None).unwrap();
        player.forward_to(Cut::whole(session.trace()).unwrap().iter()).unwrap();
        let first = player
            .processes()
            .unwrap()
            .into_iter()
            .find(|pid| *pid != main)
            .unwrap();
        let end = player.end_of(first).unwrap().unwrap();
        assert_eq!(variable(&player, first, "Kept").as_deref(), Some("[1,2]"), "{end:?}");
        let there = player.at_end_of(first).unwrap().position().cut;
        assert_eq!(there.get(first), player.done(first));
        // From a checkpoint, it is what had been done there, and what the end needs.
        let most = if memory == 0 { 100 } else { 12_100 };
        assert!(there.actions() < most, "{memory} bytes: {there:?}");
    }
}

/// What is kept of who waits is what it needs, and not what it has computed with.
#[test]
fn the_machine_of_who_waits_is_small() {
    let session = of_source(
        "-module(t).\n-export([main/0]).\nmain() -> S = self(), spawn(fun() -> S ! go end), N = length(lists:seq(1, 3000)), receive go -> N end.",
    );
    let start = Player::new(&session, 0).unwrap();
    let (player, _) = go(&session, 0, "end:0.1.0", None, None).unwrap();
    let mut waited = Vec::new();
    let tell = |_, _, seen: Received<'_>| {
        if let Received::Waits(machine) = seen {
            waited.push(machine.words());
        }
        Ok(())
    };
    player.receives(&start, tell).unwrap();
    assert!(
        !waited.is_empty() && waited.iter().all(|words| *words < 500),
        "{waited:?}"
    );
}

/// What a replay sees of the actions of the first process of a program.
fn seen(source: &'static str) -> Vec<SeenAction> {
    let text = Text {
        path: "m.erl".to_owned(),
        source: (*source.as_bytes()).into(),
        release: Release::NEWEST,
    };
    let bytes = text.record_bytes(1).unwrap().1;
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let first = session.trace().processes().next().unwrap().unwrap();
    let all: Vec<u64> = (1..=first.counts.actions).collect();
    let wish = Wish {
        acts: ascending([(first.pid, all.clone())].into_iter().collect()),
        chars: 80,
        frames: 4,
        terms: true,
        ..Wish::default()
    };
    let goal = Goal {
        notes_catches: true,
        ..Goal::everything()
    };
    let mut system = session.replay(&goal, Watcher::new(wish)).unwrap();
    let seen = &mut system.observer.seen;
    all.iter()
        .filter_map(|n| seen.remove(&ActionId::new(first.pid, *n)))
        .collect()
}

fn shown(value: &session::value::Value) -> String {
    value.shown(interpreter::print::Terms::Erlang).to_string()
}

#[test]
fn of_an_update_of_an_element_the_value_is_what_was_written() {
    let seen = seen(
        "-module(m).\n-export([main/0]).\nmain() ->\n    ets:new(t, [named_table]),\n    ets:insert(t, {k, 1}),\n    ets:update_element(t, k, {2, 7}),\n    \
         ets:update_element(t, q, {2, 8}, {q, 0}),\n    ets:update_counter(t, k, 1, {k, 0}).\n",
    );
    let written: Vec<String> = seen.iter().filter_map(|one| one.written.as_ref()).map(shown).collect();
    assert_eq!(written, ["{k,1}", "7", "8"]);
}

#[test]
fn a_table_is_called_by_the_name_by_which_it_can_be_used() {
    let seen = seen(
        "-module(m).\n-export([main/0]).\nmain() ->\n    ets:new(t, [named_table]),\n    Id = ets:whereis(t),\n    ets:insert(Id, {k, 1}),\n    \
         ets:rename(t, u),\n    ets:insert(Id, {k, 2}),\n    Other = ets:new(t, []),\n    ets:insert(Other, {k, 3}).\n",
    );
    let inserts = seen
        .iter()
        .filter(|one| one.native.is_some_and(|native| native.name == "insert"));
    let names: Vec<Option<String>> = inserts.map(|one| Some(one.table.as_ref()?.to_string())).collect();
    assert_eq!(names, [Some("t".to_owned()), Some("u".to_owned()), None]);
}

#[test]
fn what_was_caught_is_seen_with_the_next_action() {
    let seen = seen(
        "-module(m).\n-export([main/0]).\nmain() ->\n    catch exit(first),\n    self() ! a,\n    try list_to_atom(1) catch exit:_ -> ok; error:_ -> ok end,\n    \
         try\n        try throw(inner) catch error:_ -> ok end\n    catch throw:_ -> ok end,\n    self() ! b.\n",
    );
    let caught: Vec<Vec<String>> = seen
        .iter()
        .map(|one| {
            one.catches
                .iter()
                .map(|one| format!("{} {}", one.class, shown(&one.reason)))
                .collect()
        })
        .collect();
    assert_eq!(caught[0], ["exit first"]);
    // What has no clause for it has not caught it.
    assert_eq!(caught[1], ["error badarg", "throw inner"]);
    assert_eq!(seen[1].catches[0].raised[0].line, 6);
}

/// To go to places all over a run, checkpoints are made once.
#[test]
fn a_player_that_keeps_no_more_starts_from_the_checkpoints_that_it_has() {
    let session = of_source(
        "-module(m).\n-export([main/0]).\nmain() -> loop(500).\nloop(0) -> ok;\nloop(N) -> self() ! N, receive N -> loop(N - 1) end.\n",
    );
    let whole = Cut::whole(session.trace()).unwrap();
    let mut player = Player::new(&session, 64 << 20).unwrap().with_distances(64, 16);
    player.go_to_cut(&whole, &[]).unwrap();
    player.keep_no_more();
    let (kept, _) = player.checkpoints();
    assert!(kept >= 8, "{kept}");
    let all = player.replayed();
    assert_eq!(all, whole.actions());
    for part in 1..10 {
        let mut cut = whole.clone();
        cut.set(Pid(1), whole.get(Pid(1)) / 10 * part);
        player.go_to_cut(&cut, &[]).unwrap();
        assert_eq!(player.position().cut, cut);
    }
    assert_eq!(player.checkpoints().0, kept);
    let again = player.replayed() - all;
    assert!(again < 10 * 64, "{again} actions were replayed");
}
