//! What is written is read back, by every query.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use log_format::Memory;
use log_format::simulate::{Plan, Random, SimulatedRun, simulate};
use log_format::{
    Action, ActionId, ActionNo, Counts, Header, Kind, LogStep, Node, Pid, ProcLog, Program, RecNo, RunEnd, RunOutcome,
    SendNo, Status, Tag, Trace, TraceWriter,
};
use proptest::prelude::*;

use crate::on_one_thread;

fn plans() -> impl Strategy<Value = Plan> {
    (any::<u64>(), 0u64..4000, 1usize..60, 1u64..1000, any::<bool>()).prop_map(
        |(seed, actions, processes, cut_every, messages_only)| Plan {
            seed,
            actions,
            processes,
            cut_every,
            messages_only,
        },
    )
}

fn check_logs(trace: &Trace, run: &SimulatedRun) {
    let mut base = 0;
    let mut totals = Counts::default();
    let processes: Vec<_> = trace.processes().map(Result::unwrap).collect();
    assert_eq!(processes.len(), run.actions.len());
    for (process, (pid, actions)) in processes.iter().zip(&run.actions) {
        assert_eq!(process.pid, *pid);
        let read: Vec<Action> = trace.log(*pid).unwrap().map(|action| action.unwrap().1).collect();
        assert_eq!(&read, actions, "{pid}");
        let mut counts = Counts::default();
        actions.iter().for_each(|action| counts.add(action));
        assert_eq!(process.counts, counts);
        assert_eq!(process.base, base);
        assert_eq!(process.ended, actions.last().is_some_and(Action::is_end));
        if let Some(ActionId { pid: parent, number }) = process.parent {
            assert_eq!(run.actions[&parent][number.0 as usize - 1].kind.spawned(), Some(*pid));
        }
        base += counts.receives;
        totals.actions += counts.actions;
        totals.sends += counts.sends;
        totals.receives += counts.receives;
    }
    assert_eq!(trace.totals().counts, totals);
    assert_eq!(trace.totals().processes, processes.len() as u64);
}

fn check_questions(trace: &Trace, run: &SimulatedRun) {
    let mut number = 0;
    for (pid, actions) in &run.actions {
        let mut sends = 0;
        for (i, action) in actions.iter().enumerate() {
            let n = ActionNo(i as u64 + 1);
            let received = matches!(action.kind, Kind::Rec(_));
            number += u64::from(received);
            if i % 31 == 0 {
                assert_eq!(&trace.action(*pid, n).unwrap(), action);
                assert_eq!(trace.rec_no(*pid, n).unwrap(), received.then_some(RecNo(number)));
            }
            if received && number % 23 == 0 {
                assert_eq!(trace.rec(RecNo(number)).unwrap(), ActionId { pid: *pid, number: n });
            }
            for k in sends + 1..=sends + u64::from(action.sends) {
                if k % 23 == 0 {
                    let tag = Tag::Sent { by: *pid, k: SendNo(k) };
                    assert_eq!(trace.find_send(tag).unwrap(), Some(ActionId { pid: *pid, number: n }));
                }
            }
            sends += u64::from(action.sends);
        }
        let past = ActionNo(actions.len() as u64 + 1);
        assert!(trace.action(*pid, past).is_err());
        assert!(trace.action(*pid, ActionNo(0)).is_ok() != actions.is_empty() || actions.is_empty());
        assert!(
            trace
                .find_send(Tag::Sent {
                    by: *pid,
                    k: SendNo(sends + 1)
                })
                .is_err()
        );
        let end = trace.find_send(Tag::EndTo { by: *pid, to: Pid(1) });
        match actions.last() {
            Some(last) if last.is_end() => assert_eq!(end.unwrap(), Some(ActionId::new(*pid, actions.len() as u64))),
            _ => assert!(end.is_err()),
        }
    }
    assert!(trace.rec(RecNo(0)).is_err());
    assert!(trace.rec(RecNo(number + 1)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_log_reads_back(plan in plans()) {
        let run = simulate(plan);
        let trace = Trace::from_bytes(run.bytes.clone()).unwrap();
        prop_assert_eq!(trace.status(), &Status::Complete);
        check_logs(&trace, &run);
        check_questions(&trace, &run);
        trace.verify_sections().unwrap();
        let again = Trace::from_bytes(simulate(plan).bytes).unwrap();
        prop_assert!(trace.equal_ignoring_clock(&again).unwrap());
    }

    #[test]
    fn the_index_can_be_made_again(plan in plans()) {
        let run = simulate(plan);
        let mut bytes = run.bytes.clone();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let trace = Trace::from_bytes(bytes).unwrap();
        prop_assert!(matches!(trace.status(), Status::IndexRebuilt { .. }), "{:?}", trace.status());
        check_logs(&trace, &run);
        check_questions(&trace, &run);
        let whole = Trace::from_bytes(run.bytes).unwrap();
        prop_assert_eq!(trace.outcomes().unwrap(), whole.outcomes().unwrap());
        prop_assert_eq!(trace.run_end().unwrap(), whole.run_end().unwrap());
        prop_assert_eq!(trace.program().unwrap(), whole.program().unwrap());
        prop_assert_eq!(trace.nodes().unwrap(), whole.nodes().unwrap());
    }

    #[test]
    fn a_file_cut_between_cuts_ends_at_the_last_one(plan in plans(), at in 0.0..1.0f64) {
        let run = simulate(plan);
        let length = (run.bytes.len() as f64 * at) as usize;
        let Ok(trace) = Trace::from_bytes(&run.bytes[..length]) else {
            // Even the header is missing.
            prop_assert!(length < 400);
            return Ok(());
        };
        let whole = run.cuts.iter().rev().find(|(end, _)| *end <= length).map_or(0, |(_, actions)| *actions);
        let read: u64 = trace.totals().counts.actions;
        // The last cut is part of `finish`, so that the end of the file may hold more.
        prop_assert!(read == whole as u64 || read == run.order.len() as u64, "{read} {whole}");
        prop_assert!(!matches!(trace.status(), Status::Complete));
        for process in trace.processes() {
            let pid = process.unwrap().pid;
            let read: Vec<Action> = trace.log(pid).unwrap().map(|action| action.unwrap().1).collect();
            prop_assert_eq!(&read[..], &run.actions[&pid][..read.len()]);
        }
    }

    #[test]
    fn steps_of_any_size_are_the_same_log(plan in plans(), max in 1u64..50) {
        let run = simulate(plan);
        let trace = Trace::from_bytes(run.bytes.clone()).unwrap();
        for (pid, actions) in &run.actions {
            let mut log = trace.log(*pid).unwrap().without_values();
            let mut at = 0;
            while let Some(step) = log.step(max).unwrap() {
                match step {
                    LogStep::Sends(n) => {
                        prop_assert!(n <= max && n > 0);
                        let plain = Action::new(Kind::Send);
                        prop_assert!(actions[at..at + n as usize].iter().all(|action| *action == plain));
                        at += n as usize;
                    }
                    LogStep::Action(action) => {
                        prop_assert_eq!(action.kind.word(), actions[at].kind.word());
                        prop_assert_eq!(&action.accesses, &actions[at].accesses);
                        at += 1;
                    }
                }
                prop_assert_eq!(log.counts().actions, at as u64);
                if at % 3 == 0 {
                    log.park();
                }
            }
            prop_assert_eq!(at, actions.len());
        }
    }
}

#[test]
fn long_logs_have_restart_points() {
    let plan = Plan {
        seed: 5,
        actions: 100_000,
        processes: 10,
        cut_every: 7_500,
        messages_only: true,
    };
    let run = simulate(plan);
    let trace = Trace::from_bytes(run.bytes.clone()).unwrap();
    check_logs(&trace, &run);
    for (pid, actions) in run.actions.iter().take(5) {
        for n in (1..=actions.len()).step_by(997) {
            assert_eq!(trace.action(*pid, ActionNo(n as u64)).unwrap(), actions[n - 1]);
        }
    }
}

#[test]
fn a_long_run_of_sends_is_cut_into_pieces() {
    use log_format::{Header, Memory, ProcLog, Program, RunEnd, RunOutcome, TraceWriter};
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 7).unwrap();
    let mut log = ProcLog::entry(Pid(1), log_format::Node(0));
    for _ in 0..300_000 {
        log.send();
    }
    assert_eq!(log.last_send(), SendNo(300_000));
    writer.cut([&mut log]).unwrap();
    log.after();
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish([&mut log], &outcome).unwrap();
    let trace = Trace::from_bytes(memory.bytes()).unwrap();
    assert_eq!(trace.clock(), 7);
    assert_eq!(trace.process(Pid(1)).unwrap().counts.sends, 300_000);
    assert_eq!(trace.action(Pid(1), ActionNo(300_001)).unwrap().kind, Kind::After);
    let tag = Tag::Sent {
        by: Pid(1),
        k: SendNo(299_999),
    };
    assert_eq!(trace.find_send(tag).unwrap(), Some(ActionId::new(Pid(1), 299_999)));
    assert!(trace.bytes() < 600, "{}", trace.bytes());
}

#[test]
fn a_slice_keeps_its_numbers() {
    use log_format::{ExitClass, Header, Memory, Node, ProcLog, Program, RunEnd, RunOutcome, TraceWriter};
    let memory = Memory::default();
    let mut writer = TraceWriter::slice(Box::new(memory.clone()), &Header::default(), &Program::default(), 0).unwrap();
    let mut entry = ProcLog::entry(Pid(1), Node(0));
    let mut children = Vec::new();
    for n in 2..300u64 {
        entry.spawn(Pid(n), None);
        let mut child = ProcLog::child(Pid(n), Node(0), &entry);
        entry.send();
        child.rec(Tag::Sent {
            by: Pid(1),
            k: SendNo(n - 1),
        });
        child.exit(ExitClass::Normal);
        children.push(child);
        // In the whole trace every tenth process received five more messages.
        writer.set_base(Pid(n), n - 2 + 5 * (n / 10));
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer
        .finish(children.iter_mut().chain([&mut entry]), &outcome)
        .unwrap();
    let trace = Trace::from_bytes(memory.bytes()).unwrap();
    assert!(trace.is_slice());
    for n in 2..300u64 {
        let number = RecNo(n - 1 + 5 * (n / 10));
        assert_eq!(trace.rec(number).unwrap(), ActionId::new(Pid(n), 1));
        assert_eq!(trace.rec_no(Pid(n), ActionNo(1)).unwrap(), Some(number));
        assert_eq!(
            trace.process(Pid(n)).unwrap().parent,
            Some(ActionId::new(Pid(1), 2 * (n - 2) + 1))
        );
    }
    assert!(trace.rec(RecNo(9)).is_err() && trace.rec(RecNo(20)).is_ok());
    let (_, index) = trace.sizes();
    assert!(index < 400, "processes that are alike share an entry: {index}");
}

/// A rebuilt index equals the one that was written: if processes come and go, live on, and if there are more chunks than are kept in memory.
#[test]
fn an_index_made_again_is_the_same() {
    for (processes, cut_every) in [(300, 20), (3, 4), (40, 7)] {
        let run = simulate(Plan {
            seed: 31,
            actions: 120_000,
            processes,
            cut_every,
            messages_only: true,
        });
        let whole = Trace::from_bytes(run.bytes.clone()).unwrap();
        let again = Trace::from_bytes(&run.bytes[..run.bytes.len() - 1]).unwrap();
        assert!(matches!(again.status(), Status::IndexRebuilt { .. }));
        assert_eq!(again.totals(), whole.totals());
        let all = |trace: &Trace| trace.processes().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!(all(&again), all(&whole));
        again.verify_sections().unwrap();
        for receive in (1..=whole.totals().counts.receives).step_by(997) {
            assert_eq!(again.rec(RecNo(receive)).unwrap(), whole.rec(RecNo(receive)).unwrap());
        }
    }
}

/// Verifying reads a block once for all chunks in it: many processes that live for the whole run, and more blocks than are cached.
#[test]
fn verifying_reads_blocks_once() {
    let (processes, cuts) = (1_500, 120);
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 0).unwrap();
    let mut random = Random(5);
    let mut logs: Vec<ProcLog> = (1..=processes).map(|pid| ProcLog::entry(Pid(pid), Node(0))).collect();
    for _ in 0..cuts {
        for log in &mut logs {
            let value: Vec<u8> = (0..25).flat_map(|_| random.next().to_le_bytes()).collect();
            log.input(&value);
        }
        writer.cut(&mut logs).unwrap();
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish(&mut logs, &outcome).unwrap();
    let bytes = memory.bytes();
    assert!(bytes.len() > 30 << 20);
    let scan = on_one_thread(|| drop(Trace::from_bytes(&bytes[..bytes.len() - 1]).unwrap()));
    let trace = Trace::from_bytes(bytes).unwrap();
    let verify = on_one_thread(|| trace.verify_sections().unwrap());
    println!("index made again in {scan:?}, verified in {verify:?}");
    // Process by process it would read 180,000 blocks of 32 KiB: a hundred times as long.
    assert!(
        verify < 10 * scan + std::time::Duration::from_millis(500),
        "{verify:?}, {scan:?}"
    );
}

/// A key that was used before takes about three bytes with its version and writer, without repeating its hash; also after restart points and
/// cuts, which are read independently.
#[test]
fn keys_of_tables_are_named_by_their_hashes_once() {
    use log_format::{Access, ObjectId, Resource, Version};
    let memory = Memory::default();
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &Header::default(), &Program::default(), 7).unwrap();
    let mut log = ProcLog::entry(Pid(9), Node(0));
    let mut random = Random(3);
    let tables = [1, 2].map(|k| ObjectId { creator: Pid(4), k });
    let mut actions = Vec::new();
    let mut versions = [0; 2];
    let mut known = std::collections::BTreeMap::new();
    for n in 1..=40_000u64 {
        let at = random.below(20) / 19;
        let table = tables[at as usize];
        let key = random.below(700).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let read = Access::read(Resource::Table(table), Version(1), Some(ActionId::new(Pid(4), at + 1)));
        let resource = Resource::TableKey { table, key };
        let access = if random.below(2) == 0 {
            versions[at as usize] += 1;
            let version = Version(versions[at as usize]);
            known.insert((at, key), (version, Some(ActionId::new(Pid(9), n))));
            Access::write(resource, version)
        } else {
            let (version, by) = known.get(&(at, key)).copied().unwrap_or((Version(0), None));
            Access::read(resource, version, by)
        };
        let action = Action::new(Kind::Access).with_accesses(vec![read, access]);
        log.action(&action);
        actions.push(action);
        if n % 9_000 == 0 {
            writer.cut([&mut log]).unwrap();
        }
    }
    let outcome = RunOutcome {
        run: RunEnd::Deadlock,
        processes: Vec::new(),
    };
    writer.finish([&mut log], &outcome).unwrap();
    let trace = Trace::from_bytes(memory.bytes()).unwrap();
    trace.verify_sections().unwrap();
    let read: Vec<Action> = trace.log(Pid(9)).unwrap().map(|action| action.unwrap().1).collect();
    assert!(read == actions);
    for n in (1..=actions.len()).step_by(1_999) {
        assert_eq!(trace.action(Pid(9), ActionNo(n as u64)).unwrap(), actions[n - 1]);
    }
    let (blocks, index) = trace.sizes();
    let bytes = (blocks + index) as f64 / actions.len() as f64;
    assert!(bytes < 2.5, "{bytes} bytes an action");
}
