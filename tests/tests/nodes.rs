//! Nodes: the dependencies of [FLS21, §3.2] in `⇒` and `→`, over many schedules, and requests on the start of a node.

use causality::Conflicts;
use log_format::{ActionId, Cut, Kind, Resource, Trace};
use seeds::many;
use system::scheduler::RoundRobin;
use tests::memory::{self, RecordedRun, RunSubject};
use tests::{Folder, fixture};

/// Four processes that do one thing each; the schedule decides their order.
const RACE: &str = "%% node: hub@host
-module(race).
-export([main/0]).
main() ->
    spawn(fun() -> slave:start(host, a) end),
    spawn(fun() -> slave:start(host, a) end),
    spawn(fun() -> spawn('a@host', fun() -> node() ! node() end) end),
    spawn(fun() -> spawn('a@host', erlang, node, []) end),
    spawn(fun() -> nodes() end),
    spawn(fun() -> slave:start(host, b) end),
    spawn(fun() -> slave:stop('a@host') end).
";

struct Run {
    recorded: RecordedRun,
    trace: std::sync::Arc<Trace>,
    conflicts: Conflicts,
}

impl Run {
    fn new(seed: u64) -> Self {
        let subject = RunSubject::new("race", "race.erl", RACE);
        let trace = memory::trace(&subject, seed);
        Self {
            recorded: memory::record(&subject, seed),
            conflicts: Conflicts::scan(&trace).expect("a whole trace"),
            trace,
        }
    }

    /// All actions of some kind.
    fn all(&self, wanted: impl Fn(&Kind) -> bool) -> Vec<ActionId> {
        let mut names = self.recorded.names();
        names.retain(|name| wanted(&self.recorded.action(*name).kind));
        names
    }

    fn causes(&self, of: ActionId) -> Cut {
        causality::causes(&self.trace, of).expect("a whole trace")
    }

    /// The `→`-past.
    fn past(&self, of: ActionId) -> Cut {
        causality::conflict_past(&self.trace, &self.conflicts, of).expect("a whole trace")
    }

    /// The number of a node.
    fn node(&self, name: &str) -> Option<u16> {
        let nodes = self.trace.nodes().expect("a whole trace");
        nodes.iter().position(|n| n == name).map(|i| i as u16)
    }

    /// All starts of `a@host` that succeeded.
    fn starts(&self) -> Vec<ActionId> {
        let a = self.node("a@host");
        self.all(|k| matches!(k, Kind::Start { node, ok: true } if Some(node.0) == a))
    }

    /// The version of `a@host` that an action read or wrote.
    fn of_a(&self, action: ActionId) -> Option<u64> {
        self.version(action, self.node("a@host")?)
    }

    /// The version of a node that an action read or wrote.
    fn version(&self, action: ActionId, node: u16) -> Option<u64> {
        let of_node = |r: Resource| matches!(r, Resource::Node(n) if n.0 == node);
        let accesses = &self.recorded.action(action).accesses;
        accesses.iter().find(|a| of_node(a.resource)).map(|a| a.version.0)
    }
}

fn holds(slice: &Cut, name: ActionId) -> bool {
    slice.contains(name)
}

/// Fixed seeds under which each dependency is known to occur.
fn runs() -> u64 {
    many(50, 200)
}

/// How often each dependency occurred: a test in which none did proves nothing.
fn met(count: u32) {
    assert!(count > many(0, 5) as u32, "met only {count} times in {} runs", runs());
}

#[test]
fn what_runs_on_a_node_depends_on_its_spawn_and_that_on_the_start() {
    let mut count = 0;
    for seed in 0..runs() {
        let run = Run::new(seed);
        for spawn in run.all(|k| matches!(k, Kind::Spawn { node: Some(_), .. })) {
            let version = run.of_a(spawn).expect("it read the node");
            assert_eq!(version % 2, 1, "a spawn that succeeded read a node that is present");
            let start = run
                .starts()
                .into_iter()
                .find(|s| run.of_a(*s) == Some(version))
                .expect("its start");
            assert!(holds(&run.causes(spawn), start));
            let child = run.recorded.action(spawn).kind.spawned().expect("a spawn");
            let of_child = run
                .recorded
                .names()
                .into_iter()
                .filter(|ActionId { pid, .. }| *pid == child);
            for action in of_child {
                assert!(holds(&run.causes(action), spawn));
                count += 1;
            }
        }
    }
    met(count);
}

#[test]
fn a_start_comes_after_the_spawns_that_failed_before_it_but_is_not_caused_by_them() {
    let mut count = 0;
    for seed in 0..runs() {
        let run = Run::new(seed);
        for failed in run.all(|k| matches!(k, Kind::SpawnFailed { .. })) {
            let absent = run.of_a(failed).expect("it read the node");
            assert_eq!(absent % 2, 0);
            for start in run.starts() {
                if run.of_a(start) == Some(absent + 1) {
                    assert!(holds(&run.past(start), failed), "seed {seed}");
                    assert!(!holds(&run.causes(start), failed), "seed {seed}");
                    count += 1;
                }
            }
        }
    }
    met(count);
}

#[test]
fn a_failed_start_depends_on_the_one_that_succeeded() {
    let mut count = 0;
    for seed in 0..runs() {
        let run = Run::new(seed);
        for failed in run.all(|k| matches!(k, Kind::Start { ok: false, .. })) {
            let present = run.of_a(failed);
            let start = run
                .starts()
                .into_iter()
                .find(|s| run.of_a(*s) == present)
                .expect("its start");
            assert!(holds(&run.causes(failed), start));
            count += 1;
        }
    }
    met(count);
}

#[test]
fn a_list_of_nodes_depends_on_the_starts_of_those_in_it_and_comes_before_those_of_the_others() {
    let (mut inside, mut outside) = (0, 0);
    for seed in 0..runs() {
        let run = Run::new(seed);
        for nodes in run.all(|k| *k == Kind::Nodes) {
            for start in run.all(|k| matches!(k, Kind::Start { ok: true, .. })) {
                let Kind::Start { node, .. } = run.recorded.action(start).kind else {
                    continue;
                };
                let made = run.version(start, node.0).expect("it wrote the node");
                let seen = run.version(nodes, node.0).unwrap_or(0);
                if seen == made {
                    assert!(holds(&run.causes(nodes), start), "seed {seed}");
                    inside += 1;
                } else if seen < made {
                    // Also for a node that nobody had named when the list was built.
                    assert!(holds(&run.past(start), nodes), "seed {seed}");
                    assert!(!holds(&run.causes(start), nodes), "seed {seed}");
                    outside += 1;
                }
            }
        }
    }
    met(inside);
    met(outside);
}

#[test]
fn a_stop_comes_after_what_saw_the_node_and_starts_of_different_nodes_are_independent() {
    let (mut stops, mut pairs) = (0, 0);
    for seed in 0..runs() {
        let run = Run::new(seed);
        let is_stop = |a: &ActionId| {
            let write = run
                .recorded
                .action(*a)
                .accesses
                .iter()
                .any(|a| a.write && matches!(a.resource, Resource::Node(_)));
            write && run.of_a(*a).is_some_and(|v| v % 2 == 0)
        };
        let writers = run.all(|k| *k == Kind::Access).into_iter().filter(is_stop);
        for stop in writers {
            let made = run.of_a(stop);
            for spawn in run.all(|k| matches!(k, Kind::Spawn { node: Some(_), .. })) {
                if run.of_a(spawn).map(|v| v + 1) == made {
                    assert!(holds(&run.past(stop), spawn), "seed {seed}");
                    stops += 1;
                }
            }
        }
        let Some(b) = run.node("b@host") else { continue };
        let b = run.all(|k| matches!(k, Kind::Start { node, ok: true } if node.0 == b));
        let nodes = run.all(|k| *k == Kind::Nodes);
        for (a, b) in run.starts().into_iter().zip(b) {
            let between = nodes.iter().any(|n| holds(&run.past(a), *n) || holds(&run.past(b), *n));
            if !between {
                assert!(!holds(&run.past(a), b) && !holds(&run.past(b), a), "seed {seed}");
                pairs += 1;
            }
        }
    }
    met(stops);
    met(pairs);
}

#[test]
fn every_action_of_the_race_replays_from_its_causes_alone() {
    for seed in 0..many(16, 64) {
        let run = Run::new(seed);
        for target in run.recorded.names() {
            let causes = run.recorded.causes(target, None);
            let replayed = run.recorded.replay(Some(&causes), Box::new(RoundRobin::default()));
            replayed.unwrap_or_else(|error| panic!("seed {seed}, {target:?}: {error}"));
        }
    }
}

#[test]
fn the_second_start_of_the_storage_node_can_be_asked_for() {
    assert!(fixture("storage").exists());
    let folder = Folder::new("storage");
    folder.record("storage", 1).expect(1);
    let outcome = folder
        .replay(["--until", "start:store1@alpha/2", "trace.bin"])
        .expect(0);
    assert!(outcome.out().contains("store1@alpha"), "{}", outcome.out());
    folder
        .replay(["--until", "start:store1@alpha/3", "trace.bin"])
        .expect(67);
    folder.replay(["verify", "trace.bin"]).expect(0);
}

/// When two nodes give up their connection, the node that started them loses both, as with OTP's `global`; the others stay.
#[test]
fn both_ends_of_a_connection_that_is_given_up_leave_the_system() {
    let folder = Folder::new("parted");
    let text = "-module(parted).
-export([main/0]).
main() ->
    [{ok, A}, {ok, B}, {ok, C}] = [slave:start(localhost, N) || N <- [a, b, c]],
    ok = net_kernel:monitor_nodes(true, [nodedown_reason]),
    io:format(\"~p ~p~n\", [rpc:call(A, erlang, disconnect_node, [nobody@localhost]), rpc:call(A, erlang, disconnect_node, [B])]),
    Down = [receive {nodedown, N, Why} -> {N, Why} end || _ <- [1, 2]],
    io:format(\"~p ~p~n\", [lists:sort(Down), nodes() =:= [C]]).
";
    folder.write("parted.erl", text);
    for seed in 0..many(4, 16) {
        let seed = format!("--seed={seed}");
        let outcome = folder.tracer(["run", "--sname=hub", &seed, "parted.erl"]).expect(0);
        let why = "[{nodedown_reason,connection_closed}]";
        let expected = format!("false true\n[{{a@localhost,{why}}},{{b@localhost,{why}}}] true\n");
        let said = outcome.out().replace(",\n ", ",");
        // The node may be gone before the answer arrives.
        assert!(
            said == expected || said == expected.replace("false true", "false {badrpc,nodedown}"),
            "{seed}: {said}"
        );
        for lost in ["a@localhost", "b@localhost"] {
            let report = format!("'global' at node hub@localhost requested disconnect from node {lost}");
            assert!(outcome.stderr.contains(&report), "{seed}: {}", outcome.stderr);
        }
        folder.replay(["verify", "trace.bin"]).expect(0);
    }
}

#[test]
fn a_name_of_a_node_is_checked() {
    let folder = Folder::new("node-names");
    let file = fixture("storage");
    let run = |option: &str| folder.tracer([std::ffi::OsStr::new("run"), option.as_ref(), file.as_os_str()]);
    for bad in [
        "--name=hub",
        "--name=@h",
        "--name=a b@h",
        "--sname=a@b.c",
        "--sname=",
        "--name=ä@h",
    ] {
        let outcome = run(bad).expect(2);
        assert!(
            outcome.stderr.contains("expected") || outcome.stderr.contains("short name"),
            "{}",
            outcome.stderr
        );
    }
    run("--sname=hub@site").expect(1);
    folder
        .tracer([std::ffi::OsStr::new("run"), file.as_os_str()])
        .expect(1)
        .says(&["run it with --sname"]);
}
