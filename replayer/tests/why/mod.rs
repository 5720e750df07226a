//! `why`, `consequences` and `diff` over the fixtures: the story consists of causes, each named by a target that can be pasted, and it names
//! what went wrong.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod facts;
mod messages;
mod runs;
mod sentences;
mod shared;
mod state;
mod waiting;

use std::path::Path;
use std::sync::Arc;

use log_format::{ActionId, Pid, Trace};
use replayer::commands::diff::diff;
use replayer::commands::why as verb;
use replayer::paint::{ColorChoice, Paint};
use replayer::render::text::Layout;
use session::Session;
use session::record::is_failure;
use session::subject::ShownBounds;
use session::view::ActKind;
use why::story::{Because, Why};

use crate::common::fixture;

const BOUNDS: ShownBounds = ShownBounds {
    chars: 120,
    frames: 6,
    items: 20,
};

fn tell(session: &Session, target: &str) -> Why {
    verb::story(
        session,
        (target, decisive::Limits::default()),
        Path::new("trace.bin"),
        &BOUNDS,
        false,
    )
    .unwrap_or_else(|e| panic!("{target}: {e}"))
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

/// The first failures in a quick run: an answer takes many replays. All of them in a deep one.
fn few(failures: Vec<Session>) -> Vec<Session> {
    failures.into_iter().take(seeds::many(2, 12) as usize).collect()
}

/// Everything in the story is a cause, has a target that resolves to it, and occurs once.
fn check(session: &Session, view: &Why) {
    let trace = session.trace();
    let found = resolve(trace, &view.target).unwrap();
    let slice = causality::causes(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )
    .unwrap();
    let mut told = std::collections::BTreeSet::new();
    for link in &view.links {
        let acts = [Some(&link.act), link.sent.as_ref().map(|sent| &sent.act)];
        for act in acts.into_iter().flatten() {
            let there = resolve(trace, &act.target).unwrap_or_else(|e| panic!("{}: {e}", act.target));
            assert!(
                slice.contains(ActionId {
                    pid: there.pid,
                    number: there.action
                }),
                "{} is no cause",
                act.target
            );
        }
        assert!(
            told.insert(link.act.target.clone()),
            "{} is told twice",
            link.act.target
        );
    }
    for act in &view.required {
        let there = resolve(trace, &act.target).unwrap();
        assert!(
            slice.contains(ActionId {
                pid: there.pid,
                number: there.action
            }),
            "{} is no cause",
            act.target
        );
    }
    for one in &view.instead {
        let (receive, act) = (&one.target, &one.sent);
        let receive = resolve(trace, receive).unwrap();
        let send = resolve(trace, &act.target).unwrap();
        let past = causality::causes(
            trace,
            ActionId {
                pid: send.pid,
                number: send.action,
            },
        )
        .unwrap();
        assert!(
            !past.contains(ActionId {
                pid: receive.pid,
                number: receive.action
            }),
            "{} follows the receive",
            act.target
        );
    }
}

#[test]
fn stories_are_made_of_causes_and_fit_on_a_screen() {
    for name in [
        "account",
        "proxy",
        "client_server",
        "seats",
        "barber",
        "philosophers_order",
        "philosophers_livelock",
    ] {
        for session in few(failures(name, 12)) {
            let view = tell(&session, "error");
            assert!(
                !view.links.is_empty() || !view.waits.is_empty(),
                "{name}: nothing is told"
            );
            check(&session, &view);
            // It fits on a screen.
            let text = text(&view);
            assert!(text.lines().count() <= 58, "{name}:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 165), "{name}:\n{text}");
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

/// A failing run of a program of `tests/pairs`.
fn failing_pair(name: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/pairs/{name}.erl"));
    let program = session::record::Text {
        path: format!("{name}.erl"),
        source: std::fs::read(&path).unwrap().into(),
        release: Default::default(),
    };
    let seed = (1..=200).find(|&seed| program.fails(seed).unwrap());
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

/// A run of a program in this file, under the first seed with which it ends like this.
fn run_of(name: &str, source: &str) -> Session {
    let program = session::record::Text {
        path: format!("{name}.erl"),
        source: format!("-module({name}).\n{source}").into_bytes().into(),
        release: Default::default(),
    };
    let seed = (1..=60).find(|&seed| program.fails(seed).unwrap());
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

/// The story of a target, checked, as text.
fn story(session: &Session, target: &str) -> (Why, String) {
    let view = tell(session, target);
    check(session, &view);
    let text = text(&view);
    (view, text)
}

/// The causes of a target as a separate trace.
fn slice_of(session: &Session, target: &str) -> Session {
    let trace = session.trace();
    let found = resolve(trace, target).unwrap();
    let slice = causality::causes(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )
    .unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(replayer::commands::slice::write(trace, &slice, Box::new(file.reopen().unwrap())).is_ok());
    let bytes = std::fs::read(file.path()).unwrap();
    Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap()
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not told:\n{text}");
    }
}

/// A worker that died before is among the causes, though the failure is about a count.
#[test]
fn another_failure_among_the_causes_is_told() {
    let session = run_of(
        "slots",
        "-export([main/0]).\nmain() ->\n    ets:new(t, [named_table, public]),\n    ets:insert(t, {busy, 0}),\n    {_, R} = spawn_monitor(fun() -> \
         ets:update_counter(t, busy, 1), error(mirror_busy) end),\n    receive {'DOWN', R, _, _, _} -> ok end,\n    [{busy, N}] = ets:lookup(t, busy),\n    \
         N =:= 0 orelse error({leaked, N}).\n",
    );
    let view = tell(&session, "exit:0.1.0");
    let told = view.failed.iter().map(|act| act.target.as_str());
    let in_steps = view
        .links
        .iter()
        .filter_map(|link| link.sent.as_ref())
        .map(|sent| sent.act.target.as_str());
    assert!(
        told.chain(in_steps).any(|target| target == "exit:0.2.0"),
        "{}",
        text(&view)
    );
}

/// The slice of a failure leaves out that a supervisor expected the crash before it.
#[test]
fn a_slice_is_told_by_what_it_is_the_slice_of() {
    let session = run_of(
        "keeper",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    K = spawn(fun() -> keep(Me) end),\n    receive up -> ok end,\n    \
         rates ! {divide, 0},\n    timer:sleep(5),\n    [_] = [K || false],\n    ok.\nkeep(Me) ->\n    process_flag(trap_exit, true),\n    start(),\n    Me ! up,\n    \
         receive {'EXIT', _, _} -> start() end,\n    receive stop -> ok end.\nstart() ->\n    spawn_link(fun() -> register(rates, self()), receive {divide, N} -> 1 / N end end),\n    \
         timer:sleep(1).\n",
    );
    let of = |session: &Session| tell(session, "error").process.pid;
    assert_eq!(of(&session), "0.1.0");
    assert_eq!(of(&slice_of(&session, "error")), "0.1.0");
}

/// The point that a target names by the log alone.
fn resolve(trace: &Trace, target: &str) -> Result<causality::Point, session::Error> {
    Ok(target.parse::<causality::Target>()?.resolve(trace)?)
}
