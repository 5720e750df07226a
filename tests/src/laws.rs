//! What must hold for every session, on every program: checked by the tests over fixtures and generated programs.
//!
//! States are compared completely, including everything that a process holds, except for the order of the mailbox (semantics.md §7).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use causality::brute_force::BruteForce;
use interpreter::print::{self, Style};
use interpreter::term::{Reference, Term};
use interpreter::vm;
use log_format::{ActionId, Cut, Pid, Trace};
use session::Session;
use session::player::{Moved, Player, Stretch, between, cut_of};
use session::record::Text;
use system::World;
use system::feed::Tail;
use system::process::{Process, Rare, Signal};

/// A program as the tests run it.
pub fn program(path: &str, source: &[u8]) -> Text {
    Text {
        path: path.to_owned(),
        source: source.into(),
        release: Default::default(),
    }
}

/// The node that a program asks for.
pub fn node_of(program: &Text) -> Option<String> {
    std::str::from_utf8(&program.source).ok().and_then(crate::node_of)
}

/// A recorded run of a program under a seed, on the node that it asks for, ready to be replayed.
pub fn session(program: &Text, seed: u64) -> Session {
    let (_, bytes) = program
        .record_bytes_on(node_of(program).as_deref(), seed, None, system::Delivery::Causal)
        .unwrap_or_else(|error| panic!("{} with seed {seed}: {error}", program.path));
    let trace = Trace::from_bytes(bytes).unwrap_or_else(|error| panic!("{} with seed {seed}: {error}", program.path));
    Session::of(Arc::new(trace)).unwrap_or_else(|error| panic!("{} with seed {seed}: {error}", program.path))
}

/// The complete state of every process of a system, and what is in flight.
pub fn state(system: &World) -> BTreeMap<u64, Vec<String>> {
    let mut all: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (pid, ended) in system.table().all() {
        let facts = match ended {
            Some(actions) => vec![format!("ended after {actions}")],
            None => system.table().by_pid(pid).map_or_else(Vec::new, |p| facts(system, p)),
        };
        all.insert(pid.number(), facts);
    }
    all
}

fn sorted<T: Ord + Clone>(list: &[T]) -> Vec<T> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}

fn facts(system: &World, p: &Process) -> Vec<String> {
    // The compiler reports fields that are added: they have to be considered here.
    let Process {
        machine,
        pid,
        parent,
        state: _,
        actions,
        sent,
        slot: _,
        mode,
        // See `mail`.
        pool: _,
        trap_exit,
        pending,
        deadline: _,
        expired,
        group_leader,
        initial_call,
        applied,
        total_events: _,
        suspended: _,
        held: _,
        at_receive: _,
        retry,
        may_read,
        incarnation,
        standing,
        label: _,
        reached,
        spawned,
        // Whether a report was printed.
        outgrown: _,
        // Determined by the log.
        awaits_message: _,
        // How much of its memory the system has counted, for the memory limit only.
        counted_words: _,
        // Used only where the process is driven, which replays are not.
        ending: _,
        rare,
    } = p;
    let Rare {
        handed: _,
        links,
        // Used only while recording.
        unlinked: _,
        monitors,
        watchers,
        fired,
        names,
        robbed,
        aliases,
        tables,
        fixes,
        flags,
        suspending,
        unread,
        unread_binary,
        node_monitors,
        node_events,
        node_news,
        modules,
        // Used only while recording.
        stands_at_call: _,
        has_asked: _,
        traced,
        urgent,
        urgent_downs,
        urgent_links,
        past: _,
    } = &**rare;
    // The order in which it was given tables is not part of the logs.
    let (tables, fixes) = (sorted(tables), sorted(fixes));
    let mut facts = vec![
        format!(
            "{pid:?} of {parent:?}, {actions} actions, {sent} signals, then {:?}",
            mode.logged()
        ),
        format!(
            "traps {trap_exit}, expired {expired}, leader {group_leader:?}, call {initial_call:?} {applied}, {flags:?}, suspending {suspending:?}"
        ),
        format!(
            "names {names:?} {robbed}, pending {pending:?}, retry {retry:?}, {may_read} {unread:?} {unread_binary}, standing {standing}, traced {traced:?}"
        ),
        format!(
            "tables {tables:?} {fixes:?}, has spawned {spawned}, has seen {:?}",
            modules.seen()
        ),
        format!(
            "counted {}, nodes {node_monitors:?} {node_events} {node_news:?} {incarnation}",
            machine.events()
        ),
    ];
    facts.extend(machine_facts(system, machine));
    let mut unordered: Vec<String> = Vec::new();
    let seen = reached.iter();
    unordered.extend(seen.map(|last| format!("has signals of {} up to {}", last.by, last.k)));
    unordered.extend(links.iter().map(|pid| format!("link {pid:?}")));
    let watched = monitors.iter();
    unordered.extend(watched.map(|(r, m)| format!("monitor {r:?} {:?} {:?}", m.target, m.name)));
    unordered.extend(watchers.iter().map(|(r, w)| format!("watched {r:?} {w:?}")));
    unordered.extend(fired.iter().map(|(r, t)| format!("fired {r:?} {t:?}")));
    unordered.extend(aliases.iter().map(|(r, m)| format!("alias {r:?} {m:?}")));
    unordered.extend(mail(system, p));
    unordered.extend(urgency(urgent, urgent_downs, urgent_links));
    unordered.sort();
    facts.extend(unordered);
    facts
}

/// Whose messages come first.
fn urgency<'a>(
    aliases: impl IntoIterator<Item = &'a Reference>,
    downs: impl IntoIterator<Item = &'a Reference>,
    links: impl IntoIterator<Item = &'a interpreter::term::Pid>,
) -> Vec<String> {
    let aliases = aliases.into_iter().map(|r| format!("urgent {r:?}"));
    let downs = downs.into_iter().map(|r| format!("urgent end {r:?}"));
    let links = links.into_iter().map(|pid| format!("urgent link {pid:?}"));
    aliases.chain(downs).chain(links).collect()
}

/// The signals that a process has not consumed.
fn mail(system: &World, p: &Process) -> Vec<String> {
    let waiting = p
        .pool
        .iter()
        .map(|(tag, signal)| format!("signal {tag} {}", signal_text(system, signal)));
    let arrived = p.machine.mailbox.entries().map(|e| {
        format!(
            "message {:?} {}",
            e.tag(),
            session::watch::fragment(e.fragment(), &system.program, 1000)
        )
    });
    waiting.chain(arrived).collect()
}

/// The activations of a process and its dictionary.
fn machine_facts(system: &World, machine: &vm::Process) -> Vec<String> {
    let style = Style::unicode(system.program.as_ref());
    let text = |t: Term| print::write(&machine.heap, t, -1, &style);
    let mut facts = Vec::new();
    for frame in machine.frames(&system.program) {
        let place = frame
            .location
            .map(|l| format!("{}:{}:{} {}/{}", l.file, l.line, l.column, l.function, l.arity));
        let variables: Vec<String> = frame
            .variables
            .into_iter()
            .map(|(name, value)| format!("{name}={}", value.map_or_else(|| "?".to_owned(), text)))
            .collect();
        facts.push(format!("at {place:?} {variables:?}"));
    }
    for (key, value) in machine.local.dictionary.iter() {
        facts.push(format!("dictionary {}={}", text(key), text(value)));
    }
    facts
}

fn signal_text(system: &World, signal: &Signal) -> String {
    let text = |f| session::watch::fragment(f, &system.program, 1000);
    match signal {
        Signal::Message(message) => text(message),
        Signal::Down { monitor, message } => format!("{monitor:?} {}", text(message)),
        Signal::Aliased { alias, message, .. } => format!("{alias:?} {}", text(message)),
        Signal::Exit { from, reason, link, .. } => format!("exit {from:?} {link} {}", text(reason)),
    }
}

/// The state of a session, with each process moved silently on to its next label: its position between two actions is not part of a cut.
pub fn state_of(player: &Player) -> BTreeMap<u64, Vec<String>> {
    let mut system = player.copy().expect("a simulated outside can be had twice");
    let living: Vec<ActionId> = system
        .table()
        .iter()
        .map(|p| ActionId::new(system::ids::to_log(p.pid), p.actions))
        .collect();
    for last in living {
        system.request(last.pid, last.number.0, Tail::RunOn);
    }
    system.run();
    state(&system)
}

/// Fails with the first process that differs.
#[track_caller]
pub fn same(expected: &BTreeMap<u64, Vec<String>>, found: &BTreeMap<u64, Vec<String>>, what: &str) {
    for (pid, facts) in expected {
        let there = found
            .get(pid)
            .unwrap_or_else(|| panic!("0.{pid}.0 is not there: {what}"));
        let only = |a: &[String], b: &[String]| a.iter().filter(|f| !b.contains(f)).cloned().collect::<Vec<_>>();
        assert_eq!(only(facts, there), only(there, facts), "0.{pid}.0: {what}");
    }
    assert_eq!(expected.len(), found.len(), "processes: {what}");
}

/// The causes of an action as a cut.
pub fn causes(session: &Session, pid: Pid, n: u64) -> Cut {
    causality::causes(session.trace(), ActionId::new(pid, n)).expect("an action of the trace")
}

/// A session at a cut, replayed from the beginning.
pub fn at(session: &Session, cut: &Cut, what: &str) -> Player {
    let mut player = Player::new(session, 0).expect("a session");
    forward(&mut player, cut, what);
    player
}

/// Goes forward to a cut.
#[track_caller]
pub fn forward(player: &mut Player, cut: &Cut, what: &str) -> Moved {
    let moved = player.forward_to(cut.iter());
    moved.unwrap_or_else(|error| panic!("{error}: {what}"))
}

/// The order on a run's actions has no cycle.
#[track_caller]
pub fn has_no_cycle(order: &BruteForce, what: &str) {
    let mut left: BTreeSet<_> = order.actions().map(|(name, _)| name).collect();
    loop {
        let free = |name: &_| order.direct(*name).is_disjoint(&left);
        let first: Vec<_> = left.iter().copied().filter(free).collect();
        if first.is_empty() {
            break;
        }
        left.retain(|name| !first.contains(name));
    }
    let Some(mut at) = left.first().copied() else { return };
    // Each remaining action waits for another remaining one.
    let mut path = Vec::new();
    while !path.contains(&at) {
        path.push(at);
        at = order
            .direct(at)
            .into_iter()
            .find(|name| left.contains(name))
            .expect("it waits");
    }
    let from = path.iter().position(|name| *name == at).expect("it was met");
    let all: BTreeMap<_, _> = order.actions().collect();
    let told: Vec<String> = path[from..]
        .iter()
        .map(|name| format!("{}/{}: {:?}", name.pid, name.number, all[name]))
        .collect();
    panic!("each of these waits for the next:\n{}\n{what}", told.join("\n"));
}

/// The request stack performs exactly the causes, and reaches the same state as the closure [LPV19, Theorems 4 and 5].
pub fn stack_is_closure(session: &Session, pid: Pid, n: u64, what: &str) {
    let cut = causes(session, pid, n);
    let mut player = Player::new(session, 0).expect("a session");
    let moved = player.pull(pid, n).unwrap_or_else(|error| panic!("{error}: {what}"));
    assert_eq!(moved.done, between(&Cut::default(), &cut), "{what}");
    same(&state_of(&at(session, &cut, what)), &state_of(&player), what);
}

/// Undoing an action undoes all and only its consequences [FLS21, Theorems 1 and 2], as found by brute force; the remaining state equals that
/// of going forward to it; going forward again restores the original [GV21, loop lemma].
pub fn undo_is_minimal(
    session: &Session,
    brute: &BruteForce,
    player: &mut Player,
    cut: &Cut,
    target: ActionId,
    what: &str,
) {
    forward(player, cut, what);
    let before = state_of(player);
    let moved = player.undo(&[target]).unwrap_or_else(|error| panic!("{error}: {what}"));
    let future = brute.future(target);
    let inside = |name: &ActionId| cut.contains(*name);
    let expected: Vec<ActionId> = future.iter().copied().filter(inside).collect();
    let undone: Vec<ActionId> = moved.undone.iter().flat_map(Stretch::iter).collect();
    assert_eq!(expected, undone, "what is undone: {what}");
    let rest = player.look(cut_of);
    same(
        &state_of(&at(session, &rest, what)),
        &state_of(player),
        &format!("after undo, {what}"),
    );
    let again = forward(player, cut, what);
    assert_eq!(again.done, moved.undone, "what is done again: {what}");
    same(&before, &state_of(player), &format!("undo and redo, {what}"));
}
