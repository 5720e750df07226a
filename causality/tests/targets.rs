//! The action that a target names, in a hand-made run and in simulated ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use causality::{NoSuchTarget, Point, Target, abnormal_ends, causes, first_errors, holders};
use log_format::Memory;
use log_format::simulate::{Plan, simulate};
use log_format::{
    Access, Action, ActionId, Device, ExitClass, FinalState, Header, Kind, Node, Pid, ProcLog, ProcessOutcome, Program,
    Resource, RunEnd, RunOutcome, SendNo, Tag, Trace, TraceWriter, Version,
};

/// 83 spawns 84, which takes the name `server`, tries to start a node, gets a message, times out, prints and crashes by `error`; 83 gets
/// the 'DOWN' and waits. 85 is spawned and does nothing; 86 takes the name itself after 84 and exits with `shutdown`.
fn by_hand(end: RunEnd) -> Trace {
    let memory = Memory::default();
    let header = Header {
        node: "a@host".into(),
        ..Header::default()
    };
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &header, &Program::default(), 0).unwrap();
    let name = Resource::Name(writer.text("server"));
    let node = writer.node("b@host").unwrap();
    let (p, q, r, s) = (Pid(83), Pid(84), Pid(85), Pid(86));
    let mut entry = ProcLog::entry(p, Node(0));
    entry.spawn(q, None);
    let mut server = ProcLog::child(q, Node(0), &entry);
    entry.spawn(r, None);
    let mut idle = ProcLog::child(r, Node(0), &entry);
    entry.spawn(s, None);
    let mut second = ProcLog::child(s, Node(0), &entry);
    entry.send();
    entry.send();
    let life = |pid, number| Access::read(Resource::Alive(pid), Version(1), Some(ActionId::new(p, number)));
    let takes = [life(q, 1), Access::write(name, Version(1))];
    server.action(&Action::new(Kind::Access).with_accesses(takes.to_vec()));
    let present = Access::write(Resource::Node(node), Version(1));
    server.action(&Action::new(Kind::Start { node, ok: true }).with_accesses(vec![present]));
    server.rec(Tag::Sent { by: p, k: SendNo(2) });
    server.after();
    server.output(Device::Stdout, 6);
    let frees = Access::write(name, Version(2));
    server.action(
        &Action::new(Kind::Exit {
            class: ExitClass::Error,
        })
        .with_accesses(vec![frees]),
    );
    // Its own state is not read.
    let takes = Access::update(name, Version(3), Some(ActionId::new(q, 6)));
    second.action(&Action::new(Kind::Access).with_accesses(vec![takes]));
    second.exit(ExitClass::Exit);
    entry.rec(Tag::EndRef { by: q, owner: p, k: 1 });
    let state = |reason: &str| FinalState::Ended {
        reason: reason.into(),
        stack: String::new(),
    };
    let outcome = |pid, state| ProcessOutcome {
        pid,
        state,
        mailbox: 0,
        tags: Vec::new(),
    };
    let processes = vec![
        outcome(
            p,
            FinalState::Waiting {
                location: "m.erl:7".into(),
            },
        ),
        outcome(q, state("badarg")),
        outcome(s, state("shutdown")),
    ];
    let logs = [&mut entry, &mut server, &mut idle, &mut second];
    writer.finish(logs, &RunOutcome { run: end, processes }).unwrap();
    Trace::from_bytes(memory.bytes()).unwrap()
}

#[test]
fn targets_are_found() {
    let trace = by_hand(RunEnd::Deadlock);
    let found = |text: &str| text.parse::<Target>().unwrap().resolve(&trace);
    let named = |text: &str, point: Point| point.named(text.parse().unwrap());
    for (text, pid, action) in [
        ("rec:1", 83, 6),
        ("rec:2", 84, 3),
        ("send:1", 84, 6),
        ("send:2", 83, 5),
        ("sent:0.83.0/1", 83, 4),
        ("sent:0.84.0/end/ref/0.83.0/1", 84, 6),
        ("spawn:0.85.0", 83, 2),
        ("spawn:server/2", 83, 3),
        ("exit:server", 84, 6),
        ("exit:<0.84.0>", 84, 6),
        ("exit:server/2", 86, 2),
        ("timeout:server", 84, 4),
        ("output:0.84.0/1", 84, 5),
        ("start:b@host", 84, 2),
        ("event:0.83.0/3", 83, 3),
    ] {
        let point = named(text, Point::from(ActionId::new(Pid(pid), action)));
        assert_eq!(found(text).unwrap(), point, "{text}");
    }
    // The entry was told how the server ended, and handled it: what failed is its own wait.
    for (text, pid, action, runs_on) in [
        ("end:0.83.0", 83, 6, true),
        ("error", 83, 6, true),
        ("end:server", 84, 6, false),
        ("end:0.85.0", 85, 0, false),
    ] {
        let point = named(text, Point::rest(ActionId::new(Pid(pid), action), runs_on));
        assert_eq!(found(text).unwrap(), point, "{text}");
    }
    let creation = found("end:0.85.0").unwrap().causes(&trace).unwrap();
    assert_eq!(creation, causes(&trace, ActionId::new(Pid(83), 2)).unwrap());
    for text in ["step:server+5", "line:m.erl:3"] {
        assert!(matches!(found(text), Err(NoSuchTarget::ByReplay(_))), "{text}");
    }
    let error = found("step:nobody+5").unwrap_err().to_string();
    assert!(error.contains("no process was registered as nobody"), "{error}");
    assert_eq!(holders(&trace, "server").unwrap().len(), 2);
}

#[test]
fn what_is_absent_is_explained() {
    let trace = by_hand(RunEnd::Deadlock);
    for (text, expected) in [
        (
            "rec:3",
            "no rec:3 in this trace: its receives are rec:1 to rec:2; `replay log TRACE` lists the actions",
        ),
        (
            "send:9",
            "no send:9 in this trace: its receives are rec:1 to rec:2; `replay log TRACE` lists the actions",
        ),
        (
            "sent:0.83.0/3",
            "no sent:0.83.0/3 in this trace: 0.83.0 has sent 2 signals; `replay log TRACE` lists the actions",
        ),
        (
            "sent:0.83.0/end/0.1.0",
            "no sent:0.83.0/end/0.1.0 in this trace: 0.83.0 has not ended; `replay log TRACE` lists the actions",
        ),
        ("sent:0.83.0/limit", "the runtime kills a process at a limit"),
        ("spawn:0.83.0", "0.83.0 existed when the run began"),
        (
            "spawn:0.99.0",
            "no spawn:0.99.0 in this trace: its processes are 0.83.0 to 0.86.0",
        ),
        ("exit:0.83.0", "0.83.0 had not ended when the recording stopped"),
        (
            "signal:0.84.0",
            "0.84.0 did not end by a signal; its end is exit:0.84.0",
        ),
        ("timeout:0.84.0/2", "0.84.0 has only timeout:0.84.0/1"),
        ("output:0.83.0", "0.83.0 has no output"),
        ("start:c@host", "no process tried to start c@host"),
        ("start:b@host/2", "it has only start:b@host/1"),
        ("event:0.83.0/7", "0.83.0 has actions 1 to 6"),
        ("event:0.85.0/1", "0.85.0 did nothing that is logged"),
        (
            "end:nobody",
            "no process was registered as nobody (the names are server); `replay log TRACE` lists",
        ),
        ("end:server/3", "server had 2 holders"),
        ("halt", "no process stopped the system"),
    ] {
        let error = text.parse::<Target>().unwrap().resolve(&trace).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_error_of_a_deadlock_is_the_wait_of_the_entry() {
    let memory = Memory::default();
    let writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0).unwrap();
    let mut log = ProcLog::entry(Pid(1), Node(0));
    log.after();
    let state = FinalState::Waiting {
        location: "m.erl:1".into(),
    };
    let processes = vec![ProcessOutcome {
        pid: Pid(1),
        state,
        mailbox: 0,
        tags: Vec::new(),
    }];
    writer
        .finish(
            [&mut log],
            &RunOutcome {
                run: RunEnd::Deadlock,
                processes,
            },
        )
        .unwrap();
    let trace = Trace::from_bytes(memory.bytes()).unwrap();
    let end = Point::rest(ActionId::new(Pid(1), 1), true).named(Target::Error);
    assert_eq!(Target::Error.resolve(&trace).unwrap(), end);
}

#[test]
fn few_and_many_errors_are_sorted_out_alike() {
    let mut sizes = Vec::new();
    for seed in 0..30 {
        let plan = Plan {
            seed,
            actions: 1500 + 6000 * (seed % 2),
            processes: 30,
            cut_every: 400,
            messages_only: false,
        };
        let trace = Trace::from_bytes(simulate(plan).bytes).unwrap();
        let ends = abnormal_ends(&trace).unwrap();
        let first = first_errors(&trace, &ends).unwrap();
        // Computed from the definition, one by one.
        let expected: Vec<_> = ends
            .iter()
            .filter(|ActionId { pid, number: end }| {
                let past = causes(
                    &trace,
                    ActionId {
                        pid: *pid,
                        number: *end,
                    },
                )
                .unwrap();
                !ends.iter().any(|ActionId { pid: other, number: at }| {
                    other != pid
                        && past.contains(ActionId {
                            pid: *other,
                            number: *at,
                        })
                })
            })
            .copied()
            .collect();
        assert_eq!(first, expected, "seed {seed}, {} ends", ends.len());
        assert!(ends.is_empty() || !first.is_empty());
        sizes.push(ends.len());
    }
    sizes.sort_unstable();
    assert!(sizes[0] < 30 && sizes[29] > 32, "both ways are taken: {sizes:?}");
}

#[test]
fn every_receive_and_its_send_are_found() {
    let plan = Plan {
        seed: 8,
        actions: 3000,
        processes: 20,
        cut_every: 300,
        messages_only: false,
    };
    let trace = Trace::from_bytes(simulate(plan).bytes).unwrap();
    for number in 1..=trace.totals().counts.receives {
        let rec: Target = format!("rec:{number}").parse().unwrap();
        let send: Target = format!("send:{number}").parse().unwrap();
        let (rec, send) = (rec.resolve(&trace).unwrap().id(), send.resolve(&trace).unwrap().id());
        assert!(causes(&trace, rec).unwrap().contains(send));
    }
}
