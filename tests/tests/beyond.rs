//! What must hold beyond the logs (semantics.md §7, §9, §10): over generated programs with all primitives, driven by random choices.

use std::collections::BTreeMap;
use std::sync::Arc;

use causality::Stretch;
use log_format::{ActionId, ActionNo, Cut, Kind, Pid, SendNo, Tag, Trace};
use seeds::{many, seeds};
use session::Session;
use session::player::free::Choice;
use session::player::steps::Strategy;
use session::player::{CHECKPOINT_MEMORY, Player, Stopped};
use system::scheduler::mix;
use tests::generate::{self, Level};
use tests::laws::{self, same, state_of};

/// A session on a program that has not run yet.
fn blank(source: &str) -> Session {
    let program = laws::program("gen.erl", source.as_bytes());
    let bytes = program
        .blank_on(laws::node_of(&program).as_deref())
        .unwrap_or_else(|error| panic!("{error}:\n{source}"));
    Session::of(Arc::new(Trace::from_bytes(bytes).expect("a whole trace"))).expect("a whole trace")
}

fn generated(seed: u64) -> String {
    let level = [Level::Messages, Level::Everything, Level::Edges][(seed % 3) as usize];
    generate::program(seed, level)
}

fn run(player: &mut Player, seed: u64, steps: u64, what: &str) -> Stopped {
    let mut strategy = match seed % 6 {
        0 | 3 => Strategy::RoundRobin { last: Pid(0) },
        1 | 4 => Strategy::ProcessesFirst { tired: Vec::new() },
        2 => Strategy::Random {
            state: seed,
            patient: false,
        },
        _ => Strategy::Random {
            state: seed,
            patient: true,
        },
    };
    let moved = player.run_beyond(&mut strategy, steps, |_, _| Ok(false));
    moved.unwrap_or_else(|error| panic!("{error}: {what}")).stopped
}

fn actions(player: &Player) -> Vec<ActionId> {
    let mut all: Vec<ActionId> = Vec::new();
    for ActionId {
        pid,
        number: ActionNo(last),
    } in player.position().cut.iter()
    {
        all.extend((1..=last).map(|n| ActionId::new(pid, n)));
    }
    all.sort_unstable();
    all
}

/// Loop lemma beyond the logs: undoing an action undoes all and only its consequences, and going forward performs them again.
#[test]
fn what_was_done_beyond_is_undone_and_done_again() {
    for seed in seeds(30, 900) {
        let source = generated(seed);
        let what = format!("seed {seed}:\n{source}");
        let session = blank(&source);
        let memory = if seed % 2 == 0 { CHECKPOINT_MEMORY } else { 0 };
        let mut player = Player::new(&session, memory).expect("a session").with_distances(16, 2);
        run(&mut player, seed, 250, &what);
        let before = state_of(&player);
        let cut = player.position().cut;
        let all = actions(&player);
        for i in 0..4 {
            let target = all[(mix(seed * 100 + i) % all.len() as u64) as usize];
            let what = format!("{target}, {memory} bytes of checkpoints, {what}");
            let moved = player.undo(&[target]).unwrap_or_else(|error| panic!("{error}: {what}"));
            // Brute force: the actions undone are those that have the action among their causes.
            let undone: Vec<ActionId> = moved.undone.iter().flat_map(session::player::Stretch::iter).collect();
            let expected: Vec<ActionId> = all
                .iter()
                .copied()
                .filter(|one| {
                    let past = player.past(*one).expect("whole logs");
                    past.get(target.pid) >= target.number.0.max(1)
                })
                .collect();
            assert_eq!(expected, undone, "{what}");
            laws::forward(&mut player, &cut, &what);
            same(&before, &state_of(&player), &what);
        }
        // From the beginning.
        player.go_to_cut(&Cut::default(), &[]).expect("the beginning");
        laws::forward(&mut player, &cut, &what);
        same(&before, &state_of(&player), &format!("from the beginning, {what}"));
    }
}

/// Every driven run has an order of arrival that explains it: the graph of all constraints of §10 has no cycle.
#[test]
fn an_order_of_arrival_explains_all_choices() {
    let mut receives = 0;
    for seed in seeds(20, 600) {
        let source = generated(3 * seed);
        let what = format!("seed {seed}:\n{source}");
        let session = blank(&source);
        let mut player = Player::new(&session, CHECKPOINT_MEMORY)
            .expect("a session")
            .with_distances(32, 8);
        run(&mut player, 3 * seed + 2, 200, &what);
        for ActionId { pid, .. } in player.position().cut.iter() {
            receives += explained(&player, pid, &what);
        }
    }
    assert!(receives as u64 > many(30, 3_000), "{receives}");
}

/// Nodes: messages sent to a process, and its own actions; an edge means "comes before".
fn explained(player: &Player, pid: Pid, what: &str) -> usize {
    let last = player.done(pid);
    let entries = player.history().stretch(pid, 0, last).expect("whole logs");
    // All messages to it: those that it consumed, and those in its mailbox.
    let mut sent: BTreeMap<Tag, Option<u64>> = BTreeMap::new();
    for entry in &entries {
        if let Some(tag) = entry.action.kind.consumed() {
            sent.insert(tag, Some(entry.number));
        }
    }
    let held = player.look(|system| system.messages(pid));
    for (tag, _) in &held {
        sent.insert(*tag, None);
    }
    let tags: Vec<Tag> = sent.keys().copied().collect();
    let actions = usize::try_from(last).expect("few");
    // Node i is action i (0 is the birth); then the messages.
    let mut edges: Vec<(usize, usize)> = (0..actions).map(|i| (i, i + 1)).collect();
    let message = |tag: &Tag| actions + 1 + tags.binary_search(tag).expect("one of them");
    for (i, one) in tags.iter().enumerate() {
        if let Some(n) = sent[one] {
            edges.push((actions + 1 + i, usize::try_from(n).expect("few")));
        }
        if let Some(send) = player.history().find_send(*one).expect("whole logs") {
            let past = player.past(send).expect("whole logs");
            edges.push((usize::try_from(past.get(pid)).expect("few"), actions + 1 + i));
        }
        for other in &tags {
            if let (Tag::Sent { by, k }, Tag::Sent { by: q, k: l }) = (one, other)
                && by == q
                && k < l
            {
                edges.push((message(one), message(other)));
            }
        }
    }
    let mut receives = 0;
    for entry in &entries {
        let chosen = match entry.action.kind {
            Kind::Rec(tag) => Some(tag),
            Kind::After => None,
            _ => continue,
        };
        receives += 1;
        // Which of the messages in its mailbox would this receive have taken?
        let mut probe = player.clone();
        probe
            .undo(&[ActionId::new(pid, entry.number)])
            .expect("an action that was done");
        assert_eq!(probe.done(pid), entry.number - 1, "{what}");
        probe.choices(pid).expect("whole logs");
        let matching = probe.look(|system| system.takes(pid, &held));
        for tag in matching.iter().filter(|tag| Some(**tag) != chosen) {
            let from = chosen.map_or(usize::try_from(entry.number).expect("few"), |tag| message(&tag));
            edges.push((from, message(tag)));
        }
    }
    let nodes = actions + 1 + tags.len();
    let mut incoming = vec![0; nodes];
    edges.iter().for_each(|(_, to)| incoming[*to] += 1);
    let mut free: Vec<usize> = (0..nodes).filter(|n| incoming[*n] == 0).collect();
    let mut ordered = 0;
    while let Some(node) = free.pop() {
        ordered += 1;
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                free.push(*to);
            }
        }
    }
    assert_eq!(
        ordered, nodes,
        "no order of arrival explains what {pid} received: {edges:?} {tags:?} {what}"
    );
    receives
}

/// A fork keeps exactly the actions that do not follow, in →, from the point of departure.
#[test]
fn a_fork_keeps_exactly_the_independent_rest() {
    let mut forks = 0;
    for seed in seeds(30, 1_200) {
        let source = generated(seed);
        let what = format!("seed {seed}:\n{source}");
        let program = laws::program("gen.erl", source.as_bytes());
        let session = laws::session(&program, seed);
        let trace = Arc::clone(session.trace());
        let total = trace.totals().counts.actions;
        if total == 0 || total > 600 {
            continue;
        }
        let conflicts = causality::Conflicts::scan(&trace).expect("a whole trace");
        for i in 0..3 {
            let mut all: Vec<ActionId> = Vec::new();
            for process in trace.processes() {
                let process = process.expect("a whole trace");
                all.extend((1..=process.counts.actions).map(|n| ActionId::new(process.pid, n)));
            }
            let ActionId {
                pid,
                number: ActionNo(n),
            } = all[(mix(seed * 10 + i) % all.len() as u64) as usize];
            let what = format!("leaving the log before event:{pid}/{n}, {what}");
            let mut player = Player::new(&session, CHECKPOINT_MEMORY)
                .expect("a session")
                .with_distances(16, 2);
            // Some of the remaining actions have been performed, others not.
            let other = all[(mix(seed * 10 + i + 5) % all.len() as u64) as usize];
            laws::forward(&mut player, &laws::causes(&session, other.pid, other.number.0), &what);
            player.pull(pid, n - 1).expect("its causes");
            if player.done(pid) >= n {
                player.undo(&[ActionId::new(pid, n)]).expect("an action that was done");
            }
            let moved = player.leave_log(pid).unwrap_or_else(|error| panic!("{error}: {what}"));
            let future = causality::conflict_future(&trace, &conflicts, ActionId::new(pid, n)).expect("a whole trace");
            let expected: Vec<Stretch> = future.iter().collect();
            let dropped: Vec<Stretch> = moved.dropped.clone();
            assert_eq!(expected, dropped, "{what}");
            // Everything kept can still be performed, and whatever is chosen then can be undone down to it.
            let kept: Cut = trace
                .processes()
                .map(|p| p.expect("a whole trace"))
                .filter_map(|p| {
                    let last = future.first(p.pid).map_or(p.counts.actions, |first| first.0 - 1);
                    (last > 0).then_some(ActionId::new(p.pid, last))
                })
                .collect();
            laws::forward(&mut player, &kept, &what);
            assert_eq!(player.history().total(), total - future.actions(), "{what}");
            let before = state_of(&player);
            run(&mut player, seed + i, 60, &what);
            let cut = player.position().cut;
            let after = state_of(&player);
            player
                .go_to_cut(&kept, &[])
                .unwrap_or_else(|error| panic!("{error}: {what}"));
            same(&before, &state_of(&player), &what);
            laws::forward(&mut player, &cut, &what);
            same(&after, &state_of(&player), &format!("done again, {what}"));
            forks += 1;
        }
    }
    assert!(forks > many(10, 1_000), "{forks}");
}

/// A session written as a trace equals the session: the same actions, causes and conflicts, and it replays to the same states. By that trace,
/// undoing undoes all and only the consequences as found by brute force, and a second fork keeps exactly the independent rest.
#[test]
fn what_a_session_holds_is_a_trace() {
    let (mut undone, mut forks) = (0, 0);
    for seed in seeds(30, 800) {
        let source = generated(seed);
        let what = format!("seed {seed}:\n{source}");
        let mut player = if seed % 2 == 0 {
            Player::new(&blank(&source), CHECKPOINT_MEMORY)
        } else {
            let session = laws::session(&laws::program("gen.erl", source.as_bytes()), seed);
            Player::new(&session, CHECKPOINT_MEMORY)
        }
        .expect("a session")
        .with_distances(16, 2);
        // A departure from the recorded run at some point.
        let recorded = player.history().processes().expect("whole logs");
        let pid = recorded.get((mix(seed) % recorded.len().max(1) as u64) as usize);
        let pid = pid.copied().unwrap_or(Pid(1));
        let length = player.history().length(pid).expect("whole logs").unwrap_or(0);
        if length > 0 {
            player.pull(pid, mix(seed + 1) % length).expect("its causes");
            player.leave_log(pid).unwrap_or_else(|error| panic!("{error}: {what}"));
        }
        run(&mut player, seed, 120, &what);
        if !player.history().has_branches() || player.history().total() > 400 {
            continue;
        }
        let told = player.told().unwrap_or_else(|error| panic!("{error}: {what}"));
        let trace = Arc::clone(told.trace());
        assert_eq!(trace.totals().counts.actions, player.history().total(), "{what}");
        let mut whole = Cut::default();
        for pid in player.history().processes().expect("whole logs") {
            let length = player.history().length(pid).expect("whole logs").unwrap_or(0);
            assert_eq!(
                trace.process(pid).expect("a whole trace").counts.actions,
                length,
                "{pid}: {what}"
            );
            let parent = trace.process(pid).expect("a whole trace").parent;
            assert_eq!(
                parent,
                player.history().parent(pid).expect("whole logs"),
                "{pid}: {what}"
            );
            if length > 0 {
                whole.set(pid, length);
            }
        }
        laws::forward(&mut player, &whole, &what);
        same(
            &state_of(&player),
            &state_of(&laws::at(&told, &whole, &what)),
            &format!("as a trace, {what}"),
        );
        let brute = causality::brute_force::BruteForce::causes(&trace).expect("a whole trace");
        let all = actions(&player);
        for i in 0..5 {
            let ActionId {
                pid,
                number: ActionNo(n),
            } = all[(mix(seed * 10 + i) % all.len() as u64) as usize];
            let what = format!("event:{pid}/{n}, {what}");
            let slice = causality::causes(&trace, ActionId::new(pid, n)).expect("a whole trace");
            let past = slice.clone();
            assert_eq!(past, player.past(ActionId::new(pid, n)).expect("whole logs"), "{what}");
            let moved = player
                .undo(&[ActionId::new(pid, n)])
                .unwrap_or_else(|error| panic!("{error}: {what}"));
            let found: Vec<log_format::ActionId> = moved.undone.iter().flat_map(|one| one.iter()).collect();
            let expected: Vec<log_format::ActionId> = brute.future(ActionId::new(pid, n)).iter().copied().collect();
            assert_eq!(expected, found, "what is undone: {what}");
            laws::forward(&mut player, &whole, &what);
            undone += 1;
        }
        let order = causality::brute_force::BruteForce::conflicts(&trace).expect("a whole trace");
        laws::has_no_cycle(&order, &what);
        let conflicts = causality::Conflicts::scan(&trace).expect("a whole trace");
        let ActionId {
            pid,
            number: ActionNo(n),
        } = all[(mix(seed * 10 + 7) % all.len() as u64) as usize];
        let what = format!("leaving the logs again before event:{pid}/{n}, {what}");
        player.undo(&[ActionId::new(pid, n)]).expect("an action that was done");
        let moved = player.leave_log(pid).unwrap_or_else(|error| panic!("{error}: {what}"));
        let future = causality::conflict_future(&trace, &conflicts, ActionId::new(pid, n)).expect("a whole trace");
        let expected: Vec<Stretch> = future.iter().collect();
        let dropped = moved.dropped.clone();
        assert_eq!(expected, dropped, "{what}");
        assert_eq!(
            player.history().total(),
            trace.totals().counts.actions - future.actions(),
            "{what}"
        );
        forks += 1;
    }
    println!("{undone} undone, {forks} forks of forks");
    assert!(undone > many(20, 2_000) && forks > many(4, 400), "{undone} {forks}");
}

/// Independent steps in another order reach the same state: no number that a program sees depends on it.
#[test]
fn the_order_of_independent_steps_changes_nothing() {
    let source = "-module(gen).\n-export([main/0]).\nmain() -> A = spawn(fun() -> p(3) end), B = spawn(fun() -> p(2) end), \
                  receive after infinity -> {A, B} end.\np(N) -> L = [spawn(fun() -> ok end) || _ <- lists:seq(1, N)], put(l, {L, make_ref()}), \
                  receive stop -> ok end.\n";
    let mut states = Vec::new();
    for order in [[0, 1], [1, 0]] {
        let mut player = Player::new(&blank(source), 0).expect("a session");
        let main = Pid(1);
        player.choose(main, Choice::Step).expect("a spawn");
        player.choose(main, Choice::Step).expect("a spawn");
        let children: Vec<Pid> = player.living().into_iter().filter(|pid| *pid != main).collect();
        assert_eq!(children.len(), 2);
        for i in order {
            while player
                .choices(children[i])
                .expect("a whole log")
                .contains(&Choice::Step)
            {
                player.choose(children[i], Choice::Step).expect("a step");
            }
        }
        states.push(state_of(&player));
    }
    same(&states[0], &states[1], "the other order");
}

/// Drives a program: `who` is the position in the list of live processes.
struct Driven(Player);

impl Driven {
    fn new(source: &str) -> Self {
        Self(Player::new(&blank(source), CHECKPOINT_MEMORY).expect("a session"))
    }
    /// Runs every step except receives.
    fn normalise(&mut self) {
        self.0.normalise(1000).expect("whole logs");
    }
    /// The choices of the entry process, messages by their text.
    fn offered(&mut self) -> Vec<String> {
        let choices = self.0.choices(Pid(1)).expect("whole logs");
        let text = |choice: &Choice| match choice {
            Choice::Message(tag) => self.0.look(|system| {
                let all = system.messages(Pid(1));
                let (_, message) = all.iter().find(|(known, _)| known == tag).expect("an offered message");
                session::watch::fragment(message, &system.program, 50)
            }),
            other => format!("{other:?}"),
        };
        let mut offered: Vec<String> = choices.iter().map(text).collect();
        offered.sort();
        offered
    }
    fn choose(&mut self, text: &str) {
        let found = self.0.look(|system| {
            let all = system.messages(Pid(1));
            let with = |m| session::watch::fragment(m, &system.program, 50) == text;
            all.iter().find(|(_, message)| with(message)).map(|(tag, _)| *tag)
        });
        self.0.choose(Pid(1), Choice::Message(found.expect(text))).expect(text);
    }
}

/// A message that was passed over has arrived: exactly the choices that some order of arrival explains are offered.
#[test]
fn exactly_what_an_order_of_arrival_explains_is_offered() {
    let program = |first: &str, second: &str| {
        format!(
            "-module(gen).\n-export([main/0]).\nmain() -> M = self(), spawn(fun() -> M ! y, M ! m end), spawn(fun() -> M ! x end), \
             receive {first} -> ok end, receive {second} -> ok after 5 -> ok end.\n"
        )
    };
    let cases: [(&str, &str, &[&str], &[&str]); 4] = [
        // x does not match the first receive: it may have arrived before or after y.
        ("m", "Any", &["m"], &["x", "y"]),
        // x matches it and was not taken: it arrived after m, and so after y.
        ("M1 when M1 =:= m; M1 =:= x", "Any", &["m", "x"], &["y"]),
        // Only y matches the second, and it has arrived: no timeout.
        ("m", "y", &["m"], &["y"]),
        // Only x matches the second: it may not have arrived yet.
        ("m", "x", &["m"], &["Timeout", "x"]),
    ];
    for (first, second, now, then) in cases {
        let mut driven = Driven::new(&program(first, second));
        driven.normalise();
        assert_eq!(driven.offered(), now, "{first} and then {second}");
        driven.choose("m");
        driven.normalise();
        assert_eq!(driven.offered(), then, "{first} and then {second}");
        // The same when x is sent only after m was received: the two are independent.
        let mut driven = Driven::new(&program(first, second));
        let x = loop {
            let living = driven.0.living();
            if living.len() == 3 {
                break living[2];
            }
            driven.0.choose(Pid(1), Choice::Step).expect("a spawn");
        };
        for pid in driven.0.living() {
            while pid != x && driven.0.choices(pid).expect("whole logs") == [Choice::Step] {
                driven.0.choose(pid, Choice::Step).expect("a step");
            }
        }
        driven.choose("m");
        driven.normalise();
        assert_eq!(driven.offered(), then, "{first} and then {second}, x sent later");
    }
    // A message that a timed-out receive would have taken arrived later, and so after what the process had sent to itself before.
    let mut driven = Driven::new(
        "-module(gen).\n-export([main/0]).\nmain() -> M = self(), spawn(fun() -> M ! x end), self() ! z, receive x -> ok after 5 -> late end, \
         receive Any -> Any end.\n",
    );
    driven.normalise();
    assert_eq!(driven.offered(), ["Timeout", "x"]);
    driven.0.choose(Pid(1), Choice::Timeout).expect("a timeout");
    assert_eq!(driven.offered(), ["z"]);
    driven.choose("z");
    // A message that a process sends to itself has arrived.
    let mut driven = Driven::new(
        "-module(gen).\n-export([main/0]).\nmain() -> self() ! z, put(n, process_info(self(), message_queue_len)), receive z -> ok after 0 -> no end.\n",
    );
    driven.normalise();
    assert_eq!(driven.offered(), ["z"]);
    let seen = driven.0.history().stretch(Pid(1), 1, 2).expect("whole logs");
    assert!(
        matches!(&seen[0].action.kind, Kind::Observe { value, .. } if value.ends_with(&[97, 1])),
        "{seen:?}"
    );
}

/// A write beyond the log replaces logged ones that were not performed, and drops them with their consequences.
#[test]
fn a_write_beyond_the_log_drops_later_versions() {
    let source = "-module(gen).\n-export([main/0]).\nmain() -> [spawn(fun() -> R = (catch register(n, self())), receive {stop, R} -> ok end end) \
                  || _ <- [1, 2]].\n";
    let session = laws::session(&laws::program("gen.erl", source.as_bytes()), 1);
    let trace = Arc::clone(session.trace());
    let wrote = |pid: Pid| {
        let action = trace.action(pid, log_format::ActionNo(1)).expect("its register");
        action.accesses.iter().any(|access| access.write)
    };
    let (winner, loser) = if wrote(Pid(2)) {
        (Pid(2), Pid(3))
    } else {
        (Pid(3), Pid(2))
    };
    assert!(wrote(winner) && !wrote(loser));
    let mut player = Player::new(&session, 0).expect("a session");
    player.pull(loser, 0).expect("its creation");
    player.pull(winner, 0).expect("its creation");
    let moved = player.choose(loser, Choice::Step).expect("what the log says");
    assert!(
        moved.dropped.is_empty() && player.done(winner) == 1,
        "the log says that it comes after: {moved:?}"
    );
    player
        .undo(&[ActionId::new(winner, 1)])
        .expect("an action that was done");
    let moved = player.leave_log(loser).expect("a log to leave");
    assert_eq!(moved.dropped.len(), 1);
    let moved = player.choose(loser, Choice::Step).expect("a step");
    let dropped: Vec<ActionId> = moved
        .dropped
        .iter()
        .map(|one| ActionId::new(one.pid, one.first.0))
        .collect();
    assert_eq!(
        dropped,
        [ActionId::new(winner, 1)],
        "the other one's register was logged as the same version"
    );
    player.choose(winner, Choice::Step).expect("a step");
    let holder = player.holder("n");
    assert_eq!(holder, Some(loser));
}

/// A read beyond the log requires that no kept action has changed the resource: if kept actions would come both after that read and before what
/// the process has written, those that saw the old value are dropped.
#[test]
fn what_a_read_beyond_the_log_contradicts_is_dropped() {
    let source = "-module(gen).\n-export([main/0]).\nmain() -> ets:new(t, [named_table, public]), ets:insert(t, [{r, 0}, {s, 0}]), \
                  X = spawn(fun() -> receive go -> put(r, ets:lookup(t, r)) end end), spawn(fun() -> ets:insert(t, {s, 1}), X ! go end), \
                  spawn(fun() -> receive after 50 -> ets:insert(t, {r, 1}), put(s, ets:lookup(t, s)) end end), receive after 100 -> ok end.\n";
    let session = laws::session(&laws::program("gen.erl", source.as_bytes()), 1);
    let (reader, writer, late) = (Pid(2), Pid(3), Pid(4));
    let mut player = Player::new(&session, 0).expect("a session");
    player.pull(late, 1).expect("its timeout");
    let moved = player.leave_log(late).expect("a log to leave");
    assert!(
        !moved.dropped.iter().any(|one| one.pid == reader || one.pid == writer),
        "{moved:?}"
    );
    assert_eq!(player.done(writer), 0);
    let moved = player.choose(late, Choice::Step).expect("its insert");
    assert!(moved.dropped.is_empty(), "{moved:?}");
    let moved = player.choose(late, Choice::Step).expect("its lookup");
    let dropped: Vec<ActionId> = moved
        .dropped
        .iter()
        .map(|one| ActionId::new(one.pid, one.first.0))
        .collect();
    assert_eq!(
        dropped,
        [ActionId::new(reader, 2)],
        "the old value of r cannot be read before the new one of s was written"
    );
    let told = player.told().expect("whole logs");
    let order = causality::brute_force::BruteForce::conflicts(told.trace()).expect("a whole trace");
    laws::has_no_cycle(&order, source);
    player.pull(writer, 1).expect("its insert");
    player.pull(reader, 1).expect("its receive");
    assert_eq!(player.choices(reader).expect("whole logs"), [Choice::Step]);
}

/// Calls that are not logged, because they fail or concern only the process itself, are not steps: the position is the same whether the process
/// reached it by itself or was replayed to it.
#[test]
fn what_leaves_nothing_in_a_log_is_no_step() {
    let source = "-module(gen).\n-export([main/0]).\nmain() -> self() ! x, receive x -> ok end, put(a, unalias(alias())), put(b, demonitor(make_ref())), \
                  put(c, catch register(5, 6)), put(d, catch exit(5, kill)), put(e, catch link(self())), receive y -> ok end.\n";
    let mut driven = Driven::new(source);
    driven.normalise();
    driven.choose("x");
    assert_eq!(driven.offered(), [""; 0]);
    let before = driven.0.look(|system| laws::state(system));
    let known = before[&1].iter().filter(|fact| fact.starts_with("dictionary ")).count();
    assert_eq!(known, 5, "{before:?}");
    let cut = driven.0.position().cut;
    driven.0.go_to_cut(&Cut::default(), &[]).expect("the beginning");
    laws::forward(&mut driven.0, &cut, source);
    same(&before, &state_of(&driven.0), source);
}

/// If a timer's message is received beyond the log, a logged cancellation of the timer is impossible, and the other way round: the logged
/// action is dropped.
#[test]
fn who_takes_a_timers_message_drops_its_cancellation() {
    let source = "-module(gen).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> T = erlang:send_after(1, Me, late), spin(40), put(left, erlang:cancel_timer(T)), Me ! done end),
    receive done -> ok; late -> receive done -> ok end end.
spin(0) -> ok;
spin(N) -> spin(N - 1).
";
    let (timer, cancelled) = (
        Tag::Sent {
            by: Pid(2),
            k: SendNo(1),
        },
        |kind: &Kind| matches!(kind, Kind::Drop { tag: Some(_), .. }),
    );
    let mut left = 0;
    for seed in 0..8 {
        let session = laws::session(&laws::program("gen.erl", source.as_bytes()), seed);
        let mut player = Player::new(&session, CHECKPOINT_MEMORY).expect("a session");
        let logged = |player: &Player| {
            let length = player.history().length(Pid(2)).expect("whole logs").unwrap_or(0);
            let all = player.history().stretch(Pid(2), 0, length).expect("whole logs");
            all.iter().position(|entry| cancelled(&entry.action.kind))
        };
        let Some(at) = logged(&player) else { continue };
        player.pull(Pid(2), at as u64).expect("its causes");
        player.pull(Pid(1), 1).expect("its causes");
        let moved = player
            .choose(Pid(1), Choice::Message(timer))
            .expect("it may come before");
        assert!(
            moved
                .dropped
                .iter()
                .any(|one| one.pid == Pid(2) && one.first.0 == at as u64 + 1),
            "{moved:?}"
        );
        run(&mut player, 0, 50, "to the end");
        assert_eq!(logged(&player), None);
        let whole = player.position().cut;
        laws::at(&player.told().expect("a trace"), &whole, "as a trace");
        left += 1;
    }
    assert!(left > 0, "it is never cancelled");
}

/// Programs in which many send to one process, which takes what it can in some way. `N`: how many.
const MANY_TO_ONE: [&str; 4] = [
    // Any of them.
    "main() -> S = self(), [spawn(fun() -> S ! {add, I} end) || I <- lists:seq(1, N)],
        [receive {add, I} -> I end || _ <- lists:seq(1, N)].",
    // What it takes depends on where it is.
    "main() -> S = self(), [spawn(fun() -> S ! {add, I} end) || I <- lists:seq(1, N)], r(0).
        r(N) -> ok; r(K) -> receive {add, I} when K + 1 =:= N -> I, r(K + 1); {add, _} -> r(K + 1) end.",
    // Some come after others: of the same sender, and because they were sent after those were received.
    "main() -> S = self(), P = spawn(fun() -> f(S) end),
        [spawn(fun() -> S ! {a, I}, S ! {b, I}, P ! I end) || I <- lists:seq(1, N)], r(2 * N).
        f(S) -> receive X -> S ! {a, X}, f(S) end.
        r(0) -> ok; r(K) -> receive {a, _} -> r(K - 1); {b, _} -> r(K - 1) after 50 -> late end.",
    // It passes over what came first.
    "main() -> S = self(), P = spawn(fun() -> f(S) end),
        [spawn(fun() -> S ! {a, I}, S ! {b, I}, P ! I end) || I <- lists:seq(1, N)],
        [receive {b, I} -> I end || _ <- lists:seq(1, N)], [receive {c, I} -> I end || _ <- lists:seq(1, N)],
        [receive {a, I} -> I end || _ <- lists:seq(1, N)].
        f(S) -> receive X -> S ! {c, X}, f(S) end.",
];

fn many_to_one(program: usize, n: u64) -> Session {
    blank(&format!(
        "-module(gen).\n-export([main/0]).\n-define(N, {n}).\n{}\n",
        MANY_TO_ONE[program]
            .replace("N)", "?N)")
            .replace("=:= N", "=:= ?N")
            .replace("r(N)", "r(?N)")
    ))
}

/// What is kept of who waits is what is found anew: builds for tests compare the two at each step, also after going back and in copies.
#[test]
fn what_is_kept_of_a_process_with_many_messages_is_what_it_can_receive() {
    for (seed, program) in seeds(12, 120).zip((0..MANY_TO_ONE.len()).cycle()) {
        let what = format!("program {program}, seed {seed}");
        let session = many_to_one(program, 6 + seed % 5);
        let mut player = Player::new(&session, CHECKPOINT_MEMORY)
            .expect("a session")
            .with_distances(16, 4);
        run(&mut player, seed, 30 + seed % 40, &what);
        let mut copy = player.clone();
        run(&mut copy, seed + 1, 20, &what);
        let all = actions(&player);
        let target = all[(mix(seed) % all.len() as u64) as usize];
        player.undo(&[target]).unwrap_or_else(|error| panic!("{error}: {what}"));
        for strategy in 0..6 {
            run(&mut player, strategy, 15, &what);
            for pid in player.living() {
                let choices = player.choices(pid).unwrap_or_else(|error| panic!("{error}: {what}"));
                assert_eq!(choices, player.clone().choices(pid).expect("the same"), "{what}");
            }
        }
        run(&mut player, seed, 1000, &what);
    }
}

/// A reply to an alias may come when the alias is gone. Whether it can is not found out by reading the whole run at each step.
#[test]
fn a_step_of_a_caller_does_not_read_all_logs() {
    let session = blank(
        "-module(gen).\n-export([main/0]).\n\
         main() -> S = spawn(fun s/0), [spawn(fun() -> c(S, 100) end) || _ <- [1, 2]].\n\
         s() -> receive {A, X} -> A ! {A, X}, s() end.\n\
         c(_, 0) -> ok;\n\
         c(S, N) -> A = monitor(process, S, [{alias, reply_demonitor}]), S ! {A, N}, receive {A, N} -> c(S, N - 1) end.\n",
    );
    for strategy in 0..3 {
        let mut player = Player::new(&session, CHECKPOINT_MEMORY).expect("a session");
        run(&mut player, strategy, 3_000, "calls");
        assert!(player.history().total() > 1_000, "{}", player.history().total());
        assert!(
            player.logs_read() < 10,
            "strategy {strategy}: all logs were read {} times",
            player.logs_read()
        );
    }
}

/// A step looks at the messages that have changed, not at all that wait.
#[test]
fn a_step_judges_what_has_changed() {
    for program in 0..2 {
        for strategy in 0..2 {
            let (n, what) = (300, format!("program {program}, strategy {strategy}"));
            let session = many_to_one(program, n);
            let mut player = Player::new(&session, CHECKPOINT_MEMORY).expect("a session");
            assert_eq!(run(&mut player, strategy, 10 * n, &what), Stopped::Quiet, "{what}");
            // Those that are few are judged anew each time.
            let judged = player.judged();
            assert!(judged < 12 * n, "{judged}: {what}");
        }
    }
}
