//! What a universe came to: how the entry ended, what crashed, what was printed and what was left.

use std::sync::Arc;

use log_format::{ExitClass, Kind, Pid, TestNote};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use session::error::Error;
use session::player::{Player, handle};
use session::program::Sources;
use session::view::SourcePlace;
use session::watch::SeenEnd;
use system::process::Lookup;
use system::{World, ids};

use interpreter::heap::Heap;
use interpreter::print;

use crate::identity::{Identity, Name};
use crate::normal::Normal;
use crate::summary::Cut;

/// Limit: characters of a value.
const CHARS: usize = 400;

/// Limit: activations that are searched for one of the program.
pub(crate) const FRAMES: usize = 32;

/// What a universe came to. Universes with equal outcomes are told together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UniverseOutcome {
    /// How it ended.
    pub end: UniverseEnd,
    /// Crashes, besides that of the entry: the process and the reason. Ends by exit signals follow from others and are left out, and so are ends by
    /// `exit` with `normal`, `shutdown` or `{shutdown, _}`.
    pub crashes: Vec<(String, String)>,
    /// Where the entry and these processes crashed, `file:line`: the innermost place in the program.
    pub places: Vec<(String, String)>,
    /// What each process printed.
    pub printed: Vec<(String, String)>,
    /// Messages that were sent to a process that is there at the end, and not received.
    pub unreceived: Vec<(String, u64)>,
    /// Tests that failed: the name, and class and reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<(String, String)>,
    /// Invariants that did not hold.
    pub violations: Vec<Violation>,
    /// It did not come to its end: what would have come then is not known.
    pub cut: Option<Cut>,
}

/// An invariant that did not hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// `MOD:FUN`
    pub invariant: String,
    /// The process: its name, or its pid.
    pub who: String,
    /// `message` or `state`.
    pub about: String,
    /// The message or the state.
    pub value: String,
    /// Where the process was: `file:line`, or the module that it runs.
    pub place: String,
    /// `returned false`
    pub how: String,
}

/// How a universe ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UniverseEnd {
    /// The entry ended abnormally.
    Crashed(String),
    /// The entry waits for ever: who waits, and where.
    Deadlock(Vec<(String, String)>),
    /// `halt(N)`.
    Halted(i64),
    /// The entry returned this value.
    Returned(String),
    /// The entry called `exit(normal)`, or `exit` with another reason that counts as normal.
    Exited,
    /// It was cut, and the entry had not ended.
    Cut(Cut),
}

/// What ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnded {
    /// Nothing more can happen.
    Quiet,
    /// `halt(N)`.
    Halted(i64),
    /// It was cut.
    Cut(Cut),
}

impl UniverseOutcome {
    /// Is it one that nobody wants: a crash, a deadlock, `halt` with another status than 0, a returned `{error, _}`, a failed test, or an invariant that did
    /// not hold?
    #[must_use]
    pub fn is_failure(&self) -> bool {
        let failed = match &self.end {
            UniverseEnd::Crashed(_) | UniverseEnd::Deadlock(_) => true,
            UniverseEnd::Halted(status) => *status != 0,
            UniverseEnd::Returned(value) => ["{error,", "{:error, "].iter().any(|start| value.starts_with(start)),
            UniverseEnd::Exited | UniverseEnd::Cut(_) => false,
        };
        failed || !self.crashes.is_empty() || !self.tests.is_empty() || !self.violations.is_empty()
    }
}

/// Numbers processes alike in all universes: a process has the pid that it had in the first universe that had it.
#[derive(Default)]
pub struct Numbers {
    known: FxHashMap<Name, Pid>,
    taken: rustc_hash::FxHashSet<Pid>,
}

impl Numbers {
    pub(crate) fn of(&mut self, identity: &Identity, pid: Pid) -> Pid {
        let name = identity.path(pid);
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        let mut free = pid;
        while !self.taken.insert(free) {
            free = Pid(free.0 + 1);
        }
        self.known.insert(name, free);
        free
    }

    /// A text with these numbers for pids.
    fn text(&mut self, identity: &Identity, text: &str) -> String {
        renamed(text, |pid| self.of(identity, pid))
    }
}

/// A text with other pids for those such as `<0.9.0>`.
pub(crate) fn renamed(text: &str, mut name: impl FnMut(Pid) -> Pid) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<0.") {
        let (before, from) = rest.split_at(start);
        done.push_str(before);
        let digits = from[3..].bytes().take_while(u8::is_ascii_digit).count();
        let number = from[3..3 + digits].parse();
        match number {
            Ok(number) if from[3 + digits..].starts_with(".0>") => {
                done.push_str(&format!("<{}>", name(Pid(number))));
                rest = &from[3 + digits + 3..];
            }
            _ => {
                done.push_str("<0.");
                rest = &from[3..];
            }
        }
    }
    done.push_str(rest);
    done
}

/// What an end that was told is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Crash,
    /// By an exit signal.
    Follows,
    /// Nothing is wrong with it.
    Wanted,
}

/// As `causality::abnormal_ends` counts them.
fn weight(seen: &SeenEnd, is_entry: bool, normal: &Normal) -> Weight {
    match seen.class {
        Some(ExitClass::Exit) if seen.term.is_atom("normal") => Weight::Wanted,
        Some(ExitClass::Exit) if answers(seen) || normal.has(seen) => Weight::Wanted,
        Some(ExitClass::Exit) if !is_entry && seen.term.is_peaceful() => Weight::Wanted,
        None if !is_entry => Weight::Follows,
        _ => Weight::Crash,
    }
}

/// Is it the answer to an `erpc:call`? That is the reason with which the called process ends.
fn answers(seen: &SeenEnd) -> bool {
    let innermost = seen.frames.first().and_then(|frame| frame.place.as_ref());
    innermost.is_some_and(|place| place.function.is("erpc", "execute_call", 4))
}

/// The first crash of a universe: of the entry, if that crashed.
#[must_use]
pub fn first_crash(player: &Player, normal: &Normal) -> Option<Pid> {
    let entry = player.look(|system| ids::to_log(system.entry()));
    let ends = player.ends();
    let mut crashed = ends
        .iter()
        .filter(|(pid, seen)| weight(seen, *pid == entry, normal) == Weight::Crash)
        .map(|(pid, _)| *pid);
    let first = crashed.clone().next();
    crashed.find(|pid| *pid == entry).or(first)
}

/// What is seen at the end of a run.
pub(crate) struct SeenAtEnd<'a> {
    pub world: &'a World,
    pub sources: &'a Sources,
    pub ended: RunEnded,
    pub normal: &'a Normal,
    /// Abnormal ends.
    pub ends: Vec<(Pid, Arc<SeenEnd>)>,
    /// The last of what each process printed.
    pub printed: Vec<(Pid, Vec<u8>)>,
    /// Failed tests, with class and reason.
    pub tests: Vec<(String, String)>,
}

/// How processes are called in an outcome.
pub(crate) trait Names {
    fn of(&mut self, pid: Pid) -> Pid;
    fn text(&mut self, text: &str) -> String;
}

/// The pids of all universes are those of the first one that has the process.
pub(crate) struct Renumbered<'a> {
    pub numbers: &'a mut Numbers,
    pub identity: &'a Identity,
}

impl Names for Renumbered<'_> {
    fn of(&mut self, pid: Pid) -> Pid {
        self.numbers.of(self.identity, pid)
    }
    fn text(&mut self, text: &str) -> String {
        self.numbers.text(self.identity, text)
    }
}

/// The outcome of a universe that a player has run to its end.
///
/// # Errors
/// The run cannot be read.
pub fn of(
    player: &Player,
    ended: RunEnded,
    normal: &Normal,
    (identity, numbers): (&Identity, &mut Numbers),
) -> Result<UniverseOutcome, Error> {
    let ends = player.ends();
    let tests = failed_tests(player)?;
    Ok(player.look(|system| {
        let living = system.table().pids().into_iter().map(ids::to_log);
        let printed = system.observer.outputs(living.filter_map(|pid| system.log(pid)));
        let seen = SeenAtEnd {
            world: system,
            sources: player.session().sources(),
            ended,
            normal,
            ends,
            printed: printed.into_iter().map(|(pid, output)| (pid, output.kept)).collect(),
            tests,
        };
        seen.outcome(&mut Renumbered { numbers, identity })
    }))
}

/// The tests that failed in the run of a player, by name.
fn failed_tests(player: &Player) -> Result<Vec<(String, String)>, Error> {
    // What was taken back is counted, too: the actions tell.
    if player.look(|system| system.tests.failed) == 0 {
        return Ok(Vec::new());
    }
    let history = player.history();
    let texts = player.look(|system| system.texts().to_vec());
    let mut failed = Vec::new();
    for pid in history.processes()? {
        let length = history.length(pid)?.unwrap_or(0);
        for entry in history.stretch(pid, 0, length)? {
            if let Kind::Test {
                name,
                note: TestNote::Failed { reason, .. },
                ..
            } = &entry.action.kind
            {
                let name = texts.get(name.0 as usize).cloned().unwrap_or_default();
                failed.push((name, reason.clone()));
            }
        }
    }
    failed.sort_unstable();
    failed.dedup();
    Ok(failed)
}

impl SeenAtEnd<'_> {
    pub fn outcome(&self, names: &mut dyn Names) -> UniverseOutcome {
        let entry = ids::to_log(self.world.entry());
        let (mut crashes, mut places) = (Vec::new(), Vec::new());
        let mut end = None;
        for (pid, seen) in &self.ends {
            let weight = weight(seen, *pid == entry, self.normal);
            if weight == Weight::Crash {
                let frames = seen.frames.iter().filter_map(|frame| frame.place.as_ref());
                let place = self.own(seen.raised.iter().chain(frames));
                places.extend(place.map(|place| (names.of(*pid).to_string(), place)));
            }
            let reason = names.text(&seen.reason);
            match weight {
                Weight::Wanted if *pid == entry => end = Some(UniverseEnd::Exited),
                Weight::Crash if *pid == entry => end = Some(UniverseEnd::Crashed(reason)),
                Weight::Crash => crashes.push((names.of(*pid).to_string(), reason)),
                Weight::Follows | Weight::Wanted => {}
            }
        }
        crashes.sort_unstable();
        places.sort_unstable();
        let printed = self.printed.iter().map(|(pid, kept)| {
            let text = names.text(&without_times(&String::from_utf8_lossy(kept)));
            (names.of(*pid).to_string(), text)
        });
        let mut printed: Vec<(String, String)> = printed.collect();
        printed.sort_unstable();
        let end = match (self.ended, end) {
            (RunEnded::Halted(_) | RunEnded::Quiet, Some(crash)) => crash,
            (RunEnded::Halted(status), None) => UniverseEnd::Halted(status),
            (RunEnded::Quiet, None) => self.quiet(entry, names),
            (RunEnded::Cut(_), Some(crash)) => crash,
            (RunEnded::Cut(why), None) if self.is_alive(entry) => UniverseEnd::Cut(why),
            (RunEnded::Cut(_), None) => self.quiet(entry, names),
        };
        let unreceived = match self.ended {
            RunEnded::Cut(_) | RunEnded::Halted(_) => Vec::new(),
            RunEnded::Quiet => self.unreceived(names),
        };
        UniverseOutcome {
            end,
            crashes,
            places,
            printed,
            unreceived,
            tests: self
                .tests
                .iter()
                .map(|(name, reason)| (name.clone(), names.text(reason)))
                .collect(),
            violations: Vec::new(),
            cut: match self.ended {
                RunEnded::Cut(why) => Some(why),
                RunEnded::Halted(_) | RunEnded::Quiet => None,
            },
        }
    }

    /// The innermost place in the program, or else of all.
    fn own<'p>(&self, mut places: impl Iterator<Item = &'p SourcePlace> + Clone) -> Option<String> {
        let first = places.clone().next();
        let own = places.find(|place| self.sources.owns(&place.file)).or(first);
        own.map(|place| format!("{}:{}", place.file, place.line))
    }

    fn is_alive(&self, pid: Pid) -> bool {
        matches!(self.world.table().find(handle(pid)), Lookup::Alive(_))
    }

    fn living(&self) -> Vec<Pid> {
        self.world.table().pids().into_iter().map(ids::to_log).collect()
    }

    fn unreceived(&self, names: &mut dyn Names) -> Vec<(String, u64)> {
        let left = self.living().into_iter().filter_map(|pid| {
            let left = self.world.messages(pid).len() as u64;
            (left > 0).then(|| (names.of(pid).to_string(), left))
        });
        let mut left: Vec<(String, u64)> = left.collect();
        left.sort_unstable();
        left
    }

    /// Nothing can happen any more, and the entry did not crash.
    fn quiet(&self, entry: Pid, names: &mut dyn Names) -> UniverseEnd {
        let world = self.world;
        if self.is_alive(entry) {
            let places = self.living().into_iter().map(|pid| {
                let process = world.table().by_pid(handle(pid));
                let frames = process.map(|p| session::subject::frames(&p.machine, &world.program, FRAMES, 0).0);
                let frames = frames.unwrap_or_default();
                let place = self.own(frames.iter().filter_map(|frame| frame.place.as_ref()));
                (names.of(pid).to_string(), place.unwrap_or_default())
            });
            let mut places: Vec<(String, String)> = places.collect();
            places.sort_unstable();
            return UniverseEnd::Deadlock(places);
        }
        let mut heap = Heap::new(world.program.literals().clone());
        let value = world.entry_value.as_ref().map(|value| heap.import(value));
        let text = value.map(|value| print::short(&heap, value, CHARS, &print::Style::shown(&*world.program)));
        UniverseEnd::Returned(names.text(&text.unwrap_or_default()))
    }
}

/// A report of the logger begins with its time, which is no result.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.split_once("==== ") {
        Some((title, time)) if title.starts_with('=') && time.trim_end().ends_with("===") => format!("{title}===="),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: UniverseEnd) -> UniverseOutcome {
        UniverseOutcome {
            end,
            crashes: Vec::new(),
            places: Vec::new(),
            printed: Vec::new(),
            unreceived: Vec::new(),
            tests: Vec::new(),
            violations: Vec::new(),
            cut: None,
        }
    }

    #[test]
    fn nobody_wants_a_failure() {
        let returned = |value: &str| UniverseEnd::Returned(value.to_owned());
        for (end, fails) in [
            (UniverseEnd::Crashed("badarg".to_owned()), true),
            (UniverseEnd::Deadlock(Vec::new()), true),
            (UniverseEnd::Halted(0), false),
            (UniverseEnd::Halted(1), true),
            (UniverseEnd::Halted(-1), true),
            (returned("ok"), false),
            (returned("{error,enoent}"), true),
            (returned("{:error, :enoent}"), true),
            // A tuple that only begins with these letters.
            (returned("{errors,[]}"), false),
            (UniverseEnd::Exited, false),
            (UniverseEnd::Cut(Cut::Steps), false),
        ] {
            assert_eq!(outcome(end.clone()).is_failure(), fails, "{end:?}");
        }
        let one = || vec![("m:t_test".to_owned(), "error: badarg".to_owned())];
        let crashed = UniverseOutcome {
            crashes: one(),
            ..outcome(returned("ok"))
        };
        let tested = UniverseOutcome {
            tests: one(),
            ..outcome(UniverseEnd::Exited)
        };
        assert!(crashed.is_failure() && tested.is_failure());
        // What was not received is no failure in itself.
        let left = UniverseOutcome {
            unreceived: vec![("hello".to_owned(), 1)],
            ..outcome(returned("ok"))
        };
        assert!(!left.is_failure());
    }

    #[test]
    fn pids_in_a_text_get_other_numbers_and_nothing_else_does() {
        let later = |text: &str| renamed(text, |pid| Pid(pid.0 + 100));
        assert_eq!(later("{from,<0.9.0>,<0.10.0>}"), "{from,<0.109.0>,<0.110.0>}");
        // References, ports of other nodes, and texts that only look like a pid.
        for text in [
            "#Ref<0.1.2.3>",
            "<0.9>",
            "<0.9.1>",
            "<0.x.0>",
            "<0.",
            "a <0.9.0",
            "<0.99999999999999999999999.0>",
        ] {
            assert_eq!(later(text), text);
        }
        assert_eq!(later("<0.<0.7.0>"), "<0.<0.107.0>");
    }
}
