//! Targets of semantics.md §8 over generated programs with all primitives: each way of naming an action finds it, and a replay to it performs
//! exactly its causes.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{ActionId, ActionNo, ExitClass, Kind, Trace};
use session::{Goal, Session};
use system::observer::Nobody;
use tests::generate::{self, Level};
use tests::laws;
use tests::memory::{self, RunSubject};

/// The names of a run's actions as targets.
struct Named {
    /// The action, and a text that has to find it.
    actions: Vec<(ActionId, String)>,
    /// The attempts to start each node; their order in the run is not tested here.
    starts: BTreeMap<String, BTreeSet<ActionId>>,
}

fn named(session: &Session) -> Named {
    let trace = session.trace();
    let nodes = trace.nodes().expect("a whole trace");
    let mut starts: BTreeMap<u16, BTreeSet<ActionId>> = BTreeMap::new();
    let mut all = Vec::new();
    for process in trace.processes() {
        let process = process.expect("a whole trace");
        let pid = process.pid;
        let (mut timeouts, mut outputs, mut sent) = (0, 0, 0);
        for n in 1..=process.counts.actions {
            let action = trace.action(pid, ActionNo(n)).expect("a whole trace");
            let mut name = |text: String| all.push((ActionId::new(pid, n), text));
            name(format!("event:{pid}/{n}"));
            if action.sends > 0 {
                name(format!("sent:{pid}/{}", sent + 1));
                name(format!("sent:{pid}/{}", sent + u64::from(action.sends)));
                sent += u64::from(action.sends);
            }
            match &action.kind {
                Kind::Spawn { child, .. } => name(format!("spawn:{child}")),
                Kind::Rec(tag) => {
                    let number = trace.rec_no(pid, ActionNo(n)).expect("a whole trace");
                    let number = number.expect("a receive has a number").0;
                    name(format!("rec:{number}"));
                    // A timer of the runtime, or a limit, has no sender.
                    if let Some(send) = trace.find_send(*tag).expect("a whole trace") {
                        all.push((send, format!("send:{number}")));
                        all.push((send, tag.to_string()));
                    }
                }
                Kind::After => {
                    timeouts += 1;
                    name(format!("timeout:{pid}/{timeouts}"));
                }
                Kind::Output { .. } => {
                    outputs += 1;
                    name(format!("output:{pid}/{outputs}"));
                }
                Kind::Start { node, .. } => {
                    starts.entry(node.0).or_default().insert(ActionId::new(pid, n));
                }
                Kind::Halt { .. } => name("halt".to_owned()),
                Kind::Exit { .. } => name(format!("exit:{pid}")),
                Kind::Signal { .. } => name(format!("signal:{pid}")),
                _ => {}
            }
        }
        if process.counts.actions > 0 {
            all.push((ActionId::new(pid, process.counts.actions), format!("end:{pid}")));
        }
    }
    let starts = starts.into_iter();
    let starts = starts.map(|(node, attempts)| (nodes[usize::from(node)].clone(), attempts));
    Named {
        actions: all,
        starts: starts.collect(),
    }
}

#[test]
fn every_name_of_an_action_finds_it_and_replays_its_causes() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..150 {
        let source = generate::program(seed, Level::Everything);
        // On a node that is alive.
        let trace = memory::trace(&RunSubject::new("gen", "gen.erl", &source), seed);
        let session = Session::of(trace).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let Named {
            actions: mut all,
            starts,
        } = named(&session);
        for (node, attempts) in starts {
            let mut found = BTreeSet::new();
            for i in 1..=attempts.len() {
                let text = format!("start:{node}/{i}");
                let start =
                    resolve(session.trace(), &text).unwrap_or_else(|error| panic!("seed {seed}, {text}: {error}"));
                let start = ActionId::new(start.pid, start.action.0);
                found.insert(start);
                all.push((start, text));
            }
            assert_eq!(found, attempts, "seed {seed}, {node}");
        }
        for (i, (id, text)) in all.into_iter().enumerate() {
            let found = resolve(session.trace(), &text).unwrap_or_else(|error| panic!("seed {seed}, {text}: {error}"));
            assert_eq!(ActionId::new(found.pid, found.action.0), id, "seed {seed}, {text}");
            let kind = text.split(':').next().unwrap_or_default();
            let count = kinds.entry(kind.to_owned()).or_default();
            *count += 1;
            // Only a sample: there are many, of which few are rare.
            if *count > 40 && i % 11 != 0 {
                continue;
            }
            let causes = laws::causes(&session, id.pid, id.number.0);
            let mut goal = Goal::causes(causes);
            goal.runs_on = found.runs_on.then_some(id.pid);
            session
                .replay(&goal, Nobody)
                .unwrap_or_else(|error| panic!("seed {seed}, {text}: {error}"));
        }
        // `exit/1` can also end a process normally.
        let failures = session.trace().processes().any(|process| {
            let process = process.expect("a whole trace");
            let last = process.counts.actions;
            let end = (last > 0).then(|| {
                session
                    .trace()
                    .action(process.pid, ActionNo(last))
                    .expect("a whole trace")
                    .kind
            });
            matches!(
                end,
                Some(Kind::Exit {
                    class: ExitClass::Error | ExitClass::Throw
                })
            )
        });
        match causality::Target::Error.resolve(session.trace()) {
            Ok(found) => {
                let causes = laws::causes(&session, found.pid, found.action.0.max(1));
                let goal = Goal::causes(causes);
                session
                    .replay(&goal, Nobody)
                    .unwrap_or_else(|error| panic!("seed {seed}, error: {error}"));
                *kinds.entry("error".to_owned()).or_default() += 1;
            }
            Err(error) => assert!(!failures, "seed {seed}: {error}"),
        }
    }
    println!("{kinds:?}");
    let wanted = [
        "end", "error", "event", "exit", "halt", "output", "rec", "send", "sent", "signal", "spawn", "start", "timeout",
    ];
    for kind in wanted {
        assert!(kinds.get(kind).copied().unwrap_or(0) > 5, "{kind}: {kinds:?}");
    }
}

/// The point that a target names by the log alone.
fn resolve(trace: &Trace, target: &str) -> Result<causality::Point, session::Error> {
    Ok(target.parse::<causality::Target>()?.resolve(trace)?)
}
