//! `why`, `consequences` and `diff` over the fixtures: the story is made of causes, each named by a target that can be pasted, and it
//! names what went wrong.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use std::path::Path;
use std::sync::Arc;

use log_format::Trace;
use replayer::commands::diff::diff;
use replayer::paint::{ColorChoice, Paint};
use replayer::record::is_failure;
use replayer::render::text::Layout;
use replayer::session::Session;
use replayer::subject::Bounds;
use replayer::targets;
use replayer::why::story::{Because, Why};
use replayer::why::why;

use common::fixture;

const BOUNDS: Bounds = Bounds {
    chars: 120,
    frames: 6,
    items: 20,
};

fn tell(session: &Session, target: &str) -> Why {
    why(session, target, Path::new("trace.bin"), &BOUNDS, false).unwrap_or_else(|e| panic!("{target}: {e}"))
}

fn text(view: &Why) -> String {
    let layout = Layout {
        paint: Paint::stdout(ColorChoice::Never),
        width: 160,
        all: false,
    };
    let mut out = Vec::new();
    replayer::render::why::why(&mut out, view, &layout).unwrap();
    String::from_utf8(out).unwrap()
}

/// The failing runs of a fixture under some seeds.
fn failures(name: &str, seeds: u64) -> Vec<Session> {
    let program = fixture(name);
    let mut all = Vec::new();
    for seed in 1..=seeds {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        if is_failure(&end) {
            all.push(Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap());
        }
    }
    assert!(!all.is_empty(), "{name} did not fail under {seeds} seeds");
    all
}

/// Everything told is a cause, is named by a target that is found again, and is told once.
fn check(session: &Session, view: &Why) {
    let trace = session.trace();
    let found = targets::resolve(trace, &view.target).unwrap();
    let slice = causality::causes(trace, found.pid, found.action).unwrap();
    let mut told = std::collections::BTreeSet::new();
    for link in &view.links {
        let acts = [Some(&link.act), link.sent.as_ref().map(|sent| &sent.act)];
        for act in acts.into_iter().flatten() {
            let there = targets::resolve(trace, &act.target).unwrap_or_else(|e| panic!("{}: {e}", act.target));
            assert!(slice.contains(there.pid, there.action), "{} is no cause", act.target);
        }
        assert!(
            told.insert(link.act.target.clone()),
            "{} is told twice",
            link.act.target
        );
    }
    for act in &view.required {
        let there = targets::resolve(trace, &act.target).unwrap();
        assert!(slice.contains(there.pid, there.action), "{} is no cause", act.target);
    }
    for (receive, act) in &view.instead {
        let receive = targets::resolve(trace, receive).unwrap();
        let send = targets::resolve(trace, &act.target).unwrap();
        let past = causality::causes(trace, send.pid, send.action).unwrap();
        assert!(
            !past.contains(receive.pid, receive.action),
            "{} follows the receive",
            act.target
        );
    }
}

#[test]
fn stories_are_made_of_causes() {
    for name in [
        "account",
        "proxy",
        "client_server",
        "seats",
        "barber",
        "philosophers_order",
        "philosophers_livelock",
    ] {
        for session in failures(name, 12) {
            let view = tell(&session, "error");
            assert!(
                !view.links.is_empty() || !view.waits.is_empty(),
                "{name}: nothing is told"
            );
            check(&session, &view);
        }
    }
}

#[test]
fn any_action_can_be_asked_about() {
    for name in ["stock", "account", "client_server", "philosophers"] {
        let (_, bytes) = fixture(name).record_bytes(3).unwrap();
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
        let mut asked = 0;
        let trace = Arc::clone(session.trace());
        for process in trace.processes() {
            let process = process.unwrap();
            for n in (1..=process.counts.actions).step_by(5) {
                let target = format!("event:{}/{n}", process.pid);
                check(&session, &tell(&session, &target));
                asked += 1;
            }
        }
        assert!(asked > 3, "{name}");
    }
}

#[test]
fn a_lost_update_is_told_by_the_state_that_was_read() {
    for session in failures("account", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Answered, "{text}");
        assert_eq!(view.links[1].because, Because::State, "{text}");
        assert!(text.contains("in answer to {get,<0.1.0>}"), "{text}");
        assert!(text.contains("Account ! {put, Balance + Amount}."), "{text}");
        assert!(text.contains("Balance became"), "{text}");
    }
}

#[test]
fn a_message_that_overtook_another_is_told_with_the_other() {
    // Where the proxy's message was sent after the server had ended, the trace does not hold to whom.
    let mut both = 0;
    for session in failures("proxy", 24) {
        let text = text(&tell(&session, "error"));
        assert!(text.contains("ends: error {unexpected,2}"), "{text}");
        assert!(text.contains("server/0 received 2 from 0.1.0 client/2"), "{text}");
        both += u32::from(text.contains("before rec:1: {<0.1.0>,40} from 0.3.0 proxy/0"));
    }
    assert!(both > 0, "the message that was overtaken is never told");
}

#[test]
fn a_deadlock_is_told_by_who_waits() {
    for session in failures("barber", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert!(text.contains("waits for ever: nothing can happen any more"), "{text}");
        assert!(view.waits.len() > 1, "{text}");
        assert_eq!(view.waits[0].pid, "0.1.0", "{text}");
    }
}

#[test]
fn stories_fit_on_a_screen() {
    for name in ["account", "proxy", "client_server", "seats", "philosophers_livelock"] {
        for session in failures(name, 12) {
            let text = text(&tell(&session, "error"));
            assert!(text.lines().count() <= 50, "{name}:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 165), "{name}:\n{text}");
        }
    }
}

#[test]
fn two_runs_part_where_nothing_before_differs() {
    let program = fixture("account");
    let open = |seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
    let mut different = 0;
    for seed in 1..=12 {
        let (a, b) = (open(seed), open(seed + 1));
        let same = diff(&a, &a, true, 10).unwrap();
        assert_eq!(same.differences, vec![]);
        assert_eq!(same.equal_actions, a.totals().counts.actions);
        let view = diff(&a, &b, false, usize::MAX).unwrap();
        let back = diff(&b, &a, false, usize::MAX).unwrap();
        assert_eq!(view.equal_actions, back.equal_actions);
        assert_eq!(view.differences.len(), back.differences.len());
        for difference in &view.differences {
            different += 1;
            assert_ne!(difference.a, difference.b);
            let pid: log_format::Pid = difference.pid.parse().unwrap();
            for trace in [&a, &b] {
                let process = trace.process(pid).unwrap();
                let n = difference.number.min(process.counts.actions);
                let past = causality::causes(trace, pid, log_format::ActionNo(n)).unwrap();
                // All that lies before is equal in the other run.
                for (other, last) in past.processes() {
                    let equal = if other == pid { n - 1 } else { last.0 };
                    for k in 1..=equal {
                        let number = log_format::ActionNo(k);
                        let (x, y) = (a.action(other, number).unwrap(), b.action(other, number).unwrap());
                        assert_eq!(x.kind, y.kind, "event:{other}/{k} lies before event:{pid}/{n}");
                    }
                }
            }
        }
    }
    assert!(different > 5, "the runs do not differ");
}

#[test]
fn runs_that_differ_never_count_as_the_same() {
    let mut different = 0;
    for name in ["account", "philosophers", "seats", "barber", "client_server"] {
        let program = fixture(name);
        let open = |seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
        for seed in 1..=8 {
            let (a, b) = (open(seed), open(seed + 8));
            let view = diff(&a, &b, false, 10).unwrap();
            let counts = [&a, &b].map(|trace| trace.totals().counts.actions);
            let same = counts.iter().all(|all| *all == view.equal_actions);
            assert_eq!(
                view.differences.is_empty(),
                same,
                "{name}, seeds {seed} and {}",
                seed + 8
            );
            different += u32::from(!same);
        }
    }
    assert!(different > 10, "the runs do not differ");
}

/// A failing run of a program of `tests/pairs`.
fn failing_pair(name: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/pairs/{name}.erl"));
    let program = replayer::record::Text {
        path: format!("{name}.erl"),
        source: std::fs::read(&path).unwrap().into(),
    };
    let seed = (1..=200).find(|&seed| program.fails(seed).unwrap());
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

#[test]
fn who_wrote_what_was_read_from_a_table_is_told() {
    for (name, key) in [("table_race", "hits"), ("ets_lost_update", "apples")] {
        let session = failing_pair(name);
        let view = tell(&session, "error");
        check(&session, &view);
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Read, "{text}");
        assert!(text.contains(&format!("read table(0.1.0/1, key {key}) as ")), "{text}");
        assert!(
            text.contains("written at ") && text.contains("ets:insert(Table"),
            "{text}"
        );
        // That the table is there goes without saying.
        assert!(!text.contains("reads table(0.1.0/1) as"), "{text}");
    }
}

#[test]
fn an_answer_of_the_runtime_is_no_message_from_itself() {
    let session = failing_pair("missed_monitor");
    let text = text(&tell(&session, "error"));
    assert!(text.contains("noproc} from the runtime"), "{text}");
    assert!(text.contains("for what it did at missed_monitor.erl:13"), "{text}");
    assert!(
        text.contains("reads alive(0.2.0), which had ended with event:0.2.0/1"),
        "{text}"
    );
}

#[test]
fn a_wait_tells_who_had_ended_and_what_lies_in_the_mailbox() {
    let told = text(&tell(&failing_pair("lost_exit"), "error"));
    assert!(
        told.contains("0.2.0 had been ended by an exit signal: shutdown [signal:0.2.0]"),
        "{told}"
    );
    let mut lying = 0;
    for session in failures("barber", 12) {
        let told = text(&tell(&session, "error"));
        let first = told
            .split("who waits")
            .nth(1)
            .unwrap()
            .lines()
            .nth(3)
            .unwrap_or_default();
        lying += u32::from(first.contains("in its mailbox: {"));
    }
    assert!(lying > 0, "what the entry had not received is never told");
}
