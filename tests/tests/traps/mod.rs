//! Pitfalls of recording and replaying interactions between processes, each with the schedules that trigger it.

mod kills;
mod shared;
mod signals;
mod timers;

use std::collections::{BTreeMap, BTreeSet};

use log_format::{ActionId, ActionNo, ExitClass, Kind, Pid, Resource, Tag};
use seeds::many;
use system::process::Slot;
use system::scheduler::{Random, RoundRobin, Scheduler};
use tests::memory::{self, Prefixes, RecordedRun, RunSubject};
use tests::{Folder, laws};

/// Seeds of each test. They are fixed, because each pitfall is known to occur under some of them.
fn all_seeds() -> u64 {
    many(16, 64)
}

/// Scales the number of occurrences required under 64 seeds.
fn often<Count: From<u8>>(of_64: u8) -> Count {
    Count::from(if seeds::deep() { of_64 } else { of_64 / 16 })
}

/// Always runs the process in the lowest or highest slot: the first-born, or the last-born, until it blocks.
struct Eager {
    ready: BTreeSet<Slot>,
    highest: bool,
}

impl Scheduler for Eager {
    fn ready(&mut self, slot: Slot) {
        self.ready.insert(slot);
    }
    fn next(&mut self) -> Option<(Slot, u32)> {
        let slot = if self.highest {
            self.ready.pop_last()
        } else {
            self.ready.pop_first()
        };
        slot.map(|slot| (slot, 4000))
    }
}

fn schedules(seed: u64) -> Vec<Box<dyn Scheduler>> {
    let eager = |highest| {
        Box::new(Eager {
            ready: BTreeSet::new(),
            highest,
        })
    };
    vec![
        eager(false),
        eager(true),
        Box::new(RoundRobin::default()),
        Box::new(Random::new(seed)),
        Box::new(Random::new(!seed)),
    ]
}

fn program(body: &str) -> RunSubject {
    RunSubject::new(
        "trap",
        "trap.erl",
        &format!("-module(trap).\n-export([main/0]).\n{body}"),
    )
}

/// Records under many seeds, replays each run completely and every action with its causes alone, and passes each run to `look`.
fn each(body: &str, mut look: impl FnMut(&RecordedRun)) {
    let subject = program(body);
    for seed in 0..all_seeds() {
        let recorded = memory::record(&subject, seed);
        for scheduler in schedules(seed) {
            recorded.replay(None, scheduler).unwrap_or_else(|e| panic!("{e}"));
        }
        let step = 1 + recorded.actions() as usize / 25;
        for target in recorded.names().into_iter().step_by(step) {
            replay_causes(&recorded, target, seed);
        }
        look(&recorded);
    }
}

fn replay_causes(recorded: &RecordedRun, target: ActionId, seed: u64) -> Prefixes {
    let causes = recorded.causes(target, None);
    for scheduler in schedules(seed) {
        recorded
            .replay(Some(&causes), scheduler)
            .unwrap_or_else(|e| panic!("{e}\ncauses of {target:?}: {causes:?}"));
    }
    causes
}

/// All actions of some kind.
fn all(recorded: &RecordedRun, wanted: impl Fn(&Kind) -> bool) -> Vec<ActionId> {
    let mut names = recorded.names();
    names.retain(|name| wanted(&recorded.action(*name).kind));
    names
}

/// The process that last put this into its dictionary or variables, according to its states.
fn who(recorded: &RecordedRun, words: &str) -> Pid {
    let log = recorded
        .logs
        .iter()
        .find(|(_, log)| log.iter().any(|(_, state)| state.contains(words)));
    *log.unwrap_or_else(|| panic!("{}: nobody shows {words}", recorded.place))
        .0
}

/// Whether a state of this process shows these words.
fn shows(recorded: &RecordedRun, words: &str) -> bool {
    recorded
        .logs
        .values()
        .any(|log| log.iter().any(|(_, state)| state.contains(words)))
}

const fn is_kill(kind: &Kind) -> bool {
    matches!(kind, Kind::Signal { .. })
}
