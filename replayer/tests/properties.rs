//! The main properties over every fixture and many seeds [LPV19, Theorems 1 to 5]: a recorded run, replayed completely or only as far as the
//! causes of one action, goes through the same states, performs exactly these actions, and prints the same.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use interpreter::print::{self, Style};
use log_format::{ActionId, ActionNo, Pid, Trace};
use rustc_hash::FxHasher;
use session::record::Text;
use session::{Goal, Session};
use system::observer::{ActionEvent, Detail, Observer};

use crate::common::fixture;

/// Actions of each run whose causes alone are replayed.
const TARGETS: u64 = 12;

/// What is compared after each action, and what each process printed.
#[derive(Default, PartialEq, Eq, Debug, Clone)]
struct States {
    after: BTreeMap<ActionId, State>,
    printed: BTreeMap<Pid, Vec<u8>>,
}

/// One process just after an action: its place and variables in all activations; as text only if a test fails.
#[derive(PartialEq, Eq, Debug, Clone)]
struct State {
    action: u64,
    frames: u64,
    content: u64,
    depth: usize,
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[derive(Default)]
struct Fingerprints(States);

impl Observer for Fingerprints {
    type Log = ();
    const WANTS_MESSAGES: bool = true;
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        let style = Style::unicode(event.program);
        let machine = event.machine;
        let frames: Vec<_> = machine
            .frames(event.program)
            .into_iter()
            .map(|frame| {
                let place = frame.location.map(|l| (l.file.to_owned(), l.line, l.column));
                let value = |t| print::short(&machine.heap, t, 120, &style);
                let variables: Vec<(&str, Option<String>)> = frame
                    .variables
                    .into_iter()
                    .map(|(name, t)| (name.as_str(), t.map(value)))
                    .collect();
                (place, variables)
            })
            .collect();
        let content = match event.detail {
            Detail::Sent { to, message } => format!("{to:?} {}", print::short(&machine.heap, message, 200, &style)),
            Detail::Value(value) => print::short(&machine.heap, value, 200, &style),
            Detail::Output(bytes) => {
                self.0.printed.entry(event.pid).or_default().extend_from_slice(bytes);
                String::new()
            }
            // Only replays know the contents of received messages; the send has them.
            Detail::Received { .. } | Detail::None | Detail::TimedOut(_) | Detail::Ended(_) => String::new(),
        };
        let state = State {
            action: hash(&event.action),
            frames: hash(&frames),
            content: hash(&content),
            depth: frames.len(),
        };
        let old = self.0.after.insert(ActionId::new(event.pid, event.number.0), state);
        assert_eq!(old, None, "{} was done twice", ActionId::new(event.pid, event.number.0));
    }
}

fn check(name: &str) {
    let program = fixture(name);
    for seed in seeds::seeds(8, 256) {
        check_run(name, &program, seed);
    }
}

fn check_run(name: &str, program: &Text, seed: u64) {
    let here = || format!("{name} with seed {seed}: tracer run --seed {seed} fixtures/{name}/{name}.erl");
    let (recorded, end) = program.run(seed, Fingerprints::default()).unwrap();
    let recorded = recorded.into_observer().0;
    let (end_again, bytes) = program.record_bytes(seed).unwrap();
    assert_eq!(end, end_again, "two runs with one seed, {}", here());
    assert!(
        bytes == program.record_bytes(seed).unwrap().1,
        "two runs with one seed, {}",
        here()
    );
    let trace = Arc::new(Trace::from_bytes(bytes).unwrap());
    assert_eq!(trace.totals().counts.actions, recorded.after.len() as u64, "{}", here());
    let session = Session::of(Arc::clone(&trace)).unwrap();

    // Theorem 2 and 3: a complete replay is the recorded run up to reordering.
    let whole = session.replay(&Goal::everything(), Fingerprints::default());
    let whole = whole.unwrap_or_else(|e| panic!("{e}, {}", here())).into_observer().0;
    compare(&recorded, &whole, &here());

    // Theorem 4 and 5: the causes of one action, and nothing else.
    let all: Vec<ActionId> = recorded.after.keys().copied().collect();
    let step = (all.len() as u64 / TARGETS).max(1);
    for i in 0..(all.len() as u64).min(TARGETS) {
        let at = (i * step + system::scheduler::mix(seed * 1000 + i) % step) as usize;
        let target = all[at.min(all.len() - 1)];
        let slice = causality::causes(&trace, target).unwrap();
        let upto = slice.clone();
        let part = session.replay(&Goal::causes(upto), Fingerprints::default());
        let what = format!("up to event:{target}, {}", here());
        let part = part.unwrap_or_else(|e| panic!("{e}, {what}")).into_observer().0;
        assert_eq!(part.after.len() as u64, slice.actions(), "minimal: {what}");
        for (one, state) in &part.after {
            assert!(slice.contains(*one), "event:{one} is not a cause: {what}");
            assert_eq!(Some(state), recorded.after.get(one), "event:{one}: {what}");
        }
        if i % 4 == seed % 4 {
            check_slice(&trace, &slice, &part, &what);
        }
        for (p, printed) in &part.printed {
            assert!(recorded.printed[p].starts_with(printed), "what {p} printed: {what}");
        }
    }
}

/// A slice as a separate file: the same actions, the same states, the same numbers.
fn check_slice(trace: &Trace, slice: &log_format::Cut, part: &States, what: &str) {
    let sink = log_format::Memory::default();
    replayer::commands::slice::write(trace, slice, Box::new(sink.clone())).unwrap_or_else(|e| panic!("{e:?}, {what}"));
    let bytes = sink.bytes();
    let alone = Arc::new(Trace::from_bytes(bytes).unwrap());
    assert_eq!(alone.totals().counts.actions, slice.actions(), "{what}");
    for ActionId { pid, number: last } in slice.iter() {
        for n in 1..=last.0 {
            let number = ActionNo(n);
            let (whole, sliced) = (trace.action(pid, number).unwrap(), alone.action(pid, number).unwrap());
            assert_eq!(whole, sliced, "event:{pid}/{n}, slice {what}");
            assert_eq!(
                trace.rec_no(pid, number).unwrap(),
                alone.rec_no(pid, number).unwrap(),
                "event:{pid}/{n}, slice {what}"
            );
        }
        assert_eq!(
            trace.process(pid).unwrap().parent,
            alone.process(pid).unwrap().parent,
            "{what}"
        );
    }
    let session = Session::of(alone).unwrap();
    let states = session.replay(&Goal::everything(), Fingerprints::default());
    let states = states.unwrap_or_else(|e| panic!("{e}, slice {what}")).into_observer().0;
    assert_eq!(&states, part, "slice {what}");
}

fn compare(recorded: &States, replayed: &States, here: &str) {
    for (name, state) in &recorded.after {
        assert_eq!(Some(state), replayed.after.get(name), "event:{name}, {here}");
    }
    assert_eq!(recorded.after.len(), replayed.after.len(), "{here}");
    assert_eq!(recorded.printed, replayed.printed, "{here}");
}

macro_rules! fixtures {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_fixture_is_here() {
            let here = [$(stringify!($name)),*];
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                let entry_file = entry.path().join(format!("{name}.erl"));
                assert!(!entry_file.is_file() || here.contains(&name.as_str()), "{name} has no test here");
            }
        }
    };
}

fixtures! { account barber client_server philosophers philosophers_livelock philosophers_order proxy seats stock storage }
