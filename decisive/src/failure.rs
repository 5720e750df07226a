//! What failed, and whether another run fails in the same way.

use causality::{Point, Test};
use log_format::{ActionId, ExitClass, Kind, Pid, RunEnd, TestNote, Trace};
use rustc_hash::FxHashSet;
use serde::Serialize;
use session::error::Error;
use session::player::{Player, handle};
use session::value::Value;
use system::process::Lookup;

use crate::guide::{Ended, Guide};

/// What became of a run in which another choice was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It does not fail.
    Passes,
    /// The same kind of failure, at another key or in another process.
    Moved,
    /// It fails as recorded.
    Same,
    /// It fails in another way.
    Another,
    /// It did not end within the limits.
    Cut,
}

/// How a process ended abnormally.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Crash {
    class: Option<&'static str>,
    /// The reason without numbers, texts, lists and maps; pids are those of the record.
    reason: Value,
}

/// Words of the runtime that stand for many failures; what comes with them says which one it is.
const GENERIC: &[&str] = &[
    "badmatch",
    "case_clause",
    "try_clause",
    "badkey",
    "badrecord",
    "nocatch",
    "badmap",
];

impl Crash {
    /// Without what tells instances of one kind apart: the atoms that are no tags.
    fn kind(&self) -> (Option<&'static str>, Value) {
        (self.class, kind(&self.reason))
    }
}

fn kind(reason: &Value) -> Value {
    match reason {
        Value::Tuple(all) => {
            let generic = matches!(all.first(), Some(Value::Atom(head)) if GENERIC.contains(&head.as_ref()));
            let parts = all.iter().enumerate().map(|(i, part)| match part {
                Value::Atom(_) if i == 0 || generic => part.clone(),
                Value::Atom(_) | Value::Pid(_) => Value::Cut,
                part => kind(part),
            });
            Value::Tuple(parts.collect())
        }
        other => other.clone(),
    }
}

/// A reason without numbers, texts, lists and maps; `part`: the recorded process in whose place another one is.
fn essence(reason: &Value, part: &mut dyn FnMut(Pid) -> Option<Pid>) -> Value {
    match reason {
        Value::Atom(_) => reason.clone(),
        Value::Pid(pid) => part(*pid).map_or(Value::Cut, Value::Pid),
        Value::Tuple(all) => Value::Tuple(all.iter().map(|one| essence(one, part)).collect()),
        Value::Number(_) | Value::Reference(_) | Value::Text(_) | Value::List(..) | Value::Map(_) | Value::Cut => {
            Value::Cut
        }
    }
}

/// What failed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    /// The entry, or this other process, ended abnormally.
    Crashed(Pid, Crash),
    /// The entry waits for ever.
    Deadlock,
    /// `halt` with this status.
    Halted(i64),
    /// The entry returned this `{error, _}`.
    ReturnedError(Value),
    /// This test failed.
    Test {
        name: String,
        /// With this action it began; `None`: a setup, cleanup or generator, whose success is not noted.
        began: Option<ActionId>,
    },
}

/// The failure of the recorded run.
pub struct Failure {
    what: What,
    entry: Pid,
    /// Processes that failed by themselves before, and so perhaps led to it.
    roots: Vec<(Pid, Crash)>,
    /// Kinds of abnormal ends that the recorded run has, too.
    known: FxHashSet<(Option<&'static str>, Value)>,
    /// Tests that failed in it.
    tests: FxHashSet<String>,
    /// The reason with which the process ended, with all that it holds, or the value that was returned.
    exact: Option<Value>,
    /// The processes that wait for ever, if that is the failure.
    waiting: FxHashSet<Pid>,
    /// The action that is explained: the last one of the process that failed.
    pub action: ActionId,
    /// It is a wait for ever.
    pub waits: bool,
}

/// A reason with its values; `part`: the recorded process in whose place another one is.
fn exact(reason: &Value, part: &mut dyn FnMut(Pid) -> Option<Pid>) -> Value {
    match reason {
        Value::Atom(_) | Value::Number(_) | Value::Text(_) => reason.clone(),
        Value::Pid(pid) => part(*pid).map_or(Value::Cut, Value::Pid),
        Value::Tuple(all) => Value::Tuple(all.iter().map(|one| exact(one, part)).collect()),
        Value::List(all, None) => Value::List(all.iter().map(|one| exact(one, part)).collect(), None),
        Value::Map(all) => {
            let pair = |(key, value): &(Value, Value)| (exact(key, part), exact(value, part));
            Value::Map(all.iter().map(pair).collect())
        }
        Value::Reference(_) | Value::List(..) | Value::Cut => Value::Cut,
    }
}

/// The reason with which a process ended.
fn reason_of(player: &Player, pid: Pid, part: &mut dyn FnMut(Pid) -> Option<Pid>) -> Option<Value> {
    let ends = player.ends();
    let (_, end) = ends.iter().find(|(who, _)| part(*who) == Some(pid))?;
    Some(exact(&end.term, part))
}

fn class(class: Option<ExitClass>) -> Option<&'static str> {
    class.map(ExitClass::word)
}

fn crashes(player: &Player, part: &mut dyn FnMut(Pid) -> Option<Pid>) -> Vec<(Pid, Crash)> {
    let ends = player.ends().into_iter();
    let crash = |(pid, end): (Pid, std::sync::Arc<session::watch::SeenEnd>)| {
        let reason = essence(&end.term, part);
        let class = class(end.class);
        (pid, Crash { class, reason })
    };
    ends.map(crash).collect()
}

fn returned(player: &Player) -> Option<Value> {
    player.look(|system| {
        let value = system.entry_value.as_ref()?;
        Some(Value::of_fragment(value, &system.program))
    })
}

fn is_error(value: &Value) -> bool {
    matches!(value.tuple().first(), Some(Value::Atom(head)) if head.as_ref() == "error")
}

/// How tests ended, as noted in the actions of all processes.
#[derive(Default)]
struct Noted {
    failed: FxHashSet<String>,
    passed: FxHashSet<String>,
}

impl Noted {
    fn of(player: &Player) -> Result<Self, Error> {
        let history = player.history();
        let texts = player.look(|system| system.texts().to_vec());
        let mut noted = Self::default();
        for pid in history.processes()? {
            let length = history.length(pid)?.unwrap_or(0);
            for entry in history.stretch(pid, 0, length)? {
                let Kind::Test { name, note, .. } = entry.action.kind else {
                    continue;
                };
                let name = texts.get(name.0 as usize).cloned().unwrap_or_default();
                match note {
                    TestNote::Failed { .. } => noted.failed.insert(name),
                    TestNote::Passed => noted.passed.insert(name),
                    TestNote::Began | TestNote::Skipped => false,
                };
            }
        }
        Ok(noted)
    }
}

/// The action with which a test ended.
fn noted_end(player: &Player, test: &str) -> Result<Option<ActionId>, Error> {
    let history = player.history();
    let texts = player.look(|system| system.texts().to_vec());
    for pid in history.processes()? {
        let length = history.length(pid)?.unwrap_or(0);
        for entry in history.stretch(pid, 0, length)? {
            let Kind::Test { name, note, .. } = entry.action.kind else {
                continue;
            };
            let is_it = texts.get(name.0 as usize).is_some_and(|name| name == test);
            if is_it && !matches!(note, TestNote::Began) {
                return Ok(Some(ActionId::new(pid, entry.number)));
            }
        }
    }
    Ok(None)
}

/// The failed test that a point shows. One process can run several: then it is the one that ended there.
fn shown<'t>(trace: &Trace, tests: &'t [Test], found: &Point) -> Result<Option<&'t Test>, Error> {
    for test in tests {
        if test.point(trace)?.is_at(found) {
            return Ok(Some(test));
        }
    }
    let is_of_it =
        |test: &&Test| test.of == found.pid || test.failed().is_some_and(|(noted, ..)| noted.pid == found.pid);
    Ok(tests.iter().find(is_of_it))
}

impl Failure {
    /// The failure that a target of a trace is; `None` if it is none. `whole`: at the end of the recorded run.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn of(whole: &Player, found: &Point) -> Result<Option<Self>, Error> {
        let trace = whole.session().trace();
        let entry = whole.look(|system| system::ids::to_log(system.entry()));
        let last = |pid: Pid| -> Result<ActionId, Error> {
            Ok(ActionId {
                pid,
                number: trace.process(pid)?.counts.last_action(),
            })
        };
        let crashes = crashes(whole, &mut Some);
        let crash_of = |pid: Pid| {
            crashes
                .iter()
                .find(|(who, _)| *who == pid)
                .map(|(_, crash)| crash.clone())
        };
        let tests = match causality::failure(trace)? {
            Some(causality::RunFailure::Tests(tests)) => tests,
            _ => Vec::new(),
        };
        let shown = shown(trace, &tests, found)?;
        let is_last = last(found.pid)? == found.id();
        let run_end = trace.run_end()?;
        let (what, action) = match (shown, crash_of(found.pid), run_end) {
            (Some(test), ..) => {
                let began = test.began;
                (
                    What::Test {
                        name: test.name.clone(),
                        began,
                    },
                    found.id(),
                )
            }
            (None, ..) if found.runs_on => (What::Deadlock, last(entry)?),
            (None, Some(crash), _) if is_last => match crash_of(entry) {
                // What failed first led to the end of the entry.
                Some(of_entry) => (What::Crashed(entry, of_entry), last(entry)?),
                None => (What::Crashed(found.pid, crash), found.id()),
            },
            (None, _, Some(RunEnd::Halted(code))) if code != 0 => (What::Halted(code), found.id()),
            (None, _, Some(RunEnd::Returned(_))) if is_last && found.pid == entry => match returned(whole) {
                Some(value) if is_error(&value) => (What::ReturnedError(essence(&value, &mut Some)), found.id()),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let tests = if tests.is_empty() {
            FxHashSet::default()
        } else {
            Noted::of(whole)?.failed
        };
        let mut roots = Vec::new();
        if !found.runs_on {
            let past = causality::causes(trace, action)?;
            for end in causality::abnormal_ends(trace)? {
                let by_itself = matches!(trace.action(end.pid, end.number)?.kind, Kind::Exit { .. });
                if by_itself && end.pid != entry && past.contains(end) {
                    roots.extend(crash_of(end.pid).map(|crash| (end.pid, crash)));
                }
            }
        }
        let exact = match &what {
            What::Crashed(pid, _) => reason_of(whole, *pid, &mut Some),
            What::ReturnedError(_) => returned(whole).map(|value| exact(&value, &mut Some)),
            What::Deadlock | What::Halted(_) | What::Test { .. } => None,
        };
        Ok(Some(Self {
            waiting: match what {
                What::Deadlock => whole.living().into_iter().collect(),
                _ => FxHashSet::default(),
            },
            waits: what == What::Deadlock,
            exact,
            what,
            entry,
            roots,
            known: crashes.iter().map(|(_, crash)| crash.kind()).collect(),
            tests,
            action,
        }))
    }

    /// That nothing failed: a run is then judged by whether it fails in any way.
    #[must_use]
    pub fn none(whole: &Player) -> Self {
        let entry = whole.look(|system| system::ids::to_log(system.entry()));
        Self {
            what: What::Halted(0),
            entry,
            roots: Vec::new(),
            known: crashes(whole, &mut Some)
                .iter()
                .map(|(_, crash)| crash.kind())
                .collect(),
            tests: FxHashSet::default(),
            exact: None,
            waiting: FxHashSet::default(),
            action: ActionId::new(entry, whole.done(entry)),
            waits: false,
        }
    }

    /// Did nothing fail?
    #[must_use]
    pub(crate) fn is_none(&self) -> bool {
        self.what == What::Halted(0)
    }

    /// The test that failed.
    #[must_use]
    pub fn test(&self) -> Option<&str> {
        match &self.what {
            What::Test { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Did the failure come before the end of its process, which caught it? What comes after it, such as that end, has not led to it.
    #[must_use]
    pub const fn is_caught(&self) -> bool {
        matches!(self.what, What::Test { .. }) && !self.waits
    }

    /// The action with which the test began that failed.
    #[must_use]
    pub fn test_began(&self) -> Option<ActionId> {
        match &self.what {
            What::Test { began, .. } => *began,
            _ => None,
        }
    }

    /// The entry, if it is what failed: then the run can end with it.
    #[must_use]
    pub fn entry(&self) -> Option<Pid> {
        match &self.what {
            What::Crashed(pid, _) if *pid == self.entry => Some(self.entry),
            What::ReturnedError(_) => Some(self.entry),
            _ => None,
        }
    }

    /// The first process of the run.
    #[must_use]
    pub const fn first_process(&self) -> Pid {
        self.entry
    }

    /// The processes that failed by themselves before, and so perhaps led to it.
    pub fn roots(&self) -> impl Iterator<Item = Pid> {
        self.roots.iter().map(|(pid, _)| *pid)
    }

    /// Is the very failure gone, although another one of its kind came: in another process, with other values, or with fewer processes that wait for
    /// ever?
    pub(crate) fn is_another_one(&self, player: &Player, guide: &mut Guide<'_>) -> bool {
        let mut part = |pid: Pid| guide.recorded(player.history(), pid).ok().flatten();
        let now = match &self.what {
            What::Crashed(pid, _) => reason_of(player, *pid, &mut part),
            What::ReturnedError(_) => returned(player).map(|value| exact(&value, &mut part)),
            // Fewer wait for ever.
            What::Deadlock => {
                let waiting: Vec<Option<Pid>> = player.living().into_iter().map(part).collect();
                let is_one = |pid: &Option<Pid>| pid.is_some_and(|pid| self.waiting.contains(&pid));
                return waiting.len() < self.waiting.len() && waiting.iter().all(is_one);
            }
            What::Halted(_) | What::Test { .. } => return false,
        };
        now != self.exact
    }

    /// Where a continuation has got past the place of the failure, or has come as far as it could. `None`: the process that failed has done nothing.
    ///
    /// # Errors
    /// The trace is damaged.
    pub(crate) fn place_in(&self, player: &Player, guide: &mut Guide<'_>) -> Result<Option<ActionId>, Error> {
        if let Some(name) = self.test()
            && let Some(ended) = noted_end(player, name)?
        {
            return Ok(Some(ended));
        }
        let Some(pid) = counterpart(self.action.pid, player, guide)? else {
            return Ok(None);
        };
        // Of one that waited for ever, what it does then.
        let number = self.action.number.0 + u64::from(self.waits);
        let number = number.min(player.done(pid));
        Ok((number > 0).then(|| ActionId::new(pid, number)))
    }

    /// Judges a run that a continuation has brought to its end.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn judge(&self, player: &Player, ended: Ended, guide: &mut Guide<'_>) -> Result<Verdict, Error> {
        if ended == Ended::Cut {
            return Ok(match self.goes_on(player, guide)? {
                true => Verdict::Passes,
                false => Verdict::Cut,
            });
        }
        Ok(match self.judge_ended(player, ended, guide)? {
            // It failed because the trace has not all that it would have called.
            Verdict::Another if player.look(|system| system.observer.lacks.is_some()) => Verdict::Cut,
            verdict => verdict,
        })
    }

    /// Has a continuation got so far past the failure that it need not be followed any longer? `since`: the step at which it had got past it.
    ///
    /// # Errors
    /// The trace is damaged.
    pub(crate) fn is_far_behind(
        &self,
        player: &Player,
        guide: &mut Guide<'_>,
        since: &mut Option<u64>,
    ) -> Result<bool, Error> {
        /// A run is followed for so many steps more: another process may fail in the same way.
        const FOLLOWED: u64 = 4_000;
        if !self.goes_on(player, guide)? {
            *since = None;
            return Ok(false);
        }
        let first = *since.get_or_insert(guide.step);
        Ok(guide.step - first >= FOLLOWED)
    }

    /// A run that was ended at a limit: has what failed first in the recorded one come to a normal end? Or has it got past that place, in a run that has
    /// done more than the recorded one? Then nothing must have failed.
    fn goes_on(&self, player: &Player, guide: &mut Guide<'_>) -> Result<bool, Error> {
        let trace = player.session().trace();
        // What is held back has not happened yet.
        if guide.holds_now() || !matches!(self.what, What::Crashed(..)) {
            return Ok(false);
        }
        let is_longer = player.history().total() > trace.totals().counts.actions;
        let mut failed: Vec<Pid> = self.roots().collect();
        if failed.is_empty() {
            failed.push(self.action.pid);
        }
        for pid in failed {
            let Some(now) = counterpart(pid, player, guide)? else {
                return Ok(false);
            };
            let is_past = match player.look(|system| system.table().find(handle(now))) {
                Lookup::Unborn => false,
                Lookup::Alive(_) => is_longer && player.done(now) >= trace.process(pid)?.counts.last_action().0,
                Lookup::Dead(_) => player.ends().iter().all(|(ended, _)| *ended != now),
            };
            if !is_past {
                return Ok(false);
            }
        }
        let mut part = |pid: Pid| guide.recorded(player.history(), pid).ok().flatten();
        let fails = |crash: &Crash| crash.class.is_some() && !crash.reason.is_peaceful();
        Ok(!crashes(player, &mut part).iter().any(|(_, crash)| fails(crash)))
    }

    fn judge_ended(&self, player: &Player, ended: Ended, guide: &mut Guide<'_>) -> Result<Verdict, Error> {
        let mut part = |pid: Pid| guide.recorded(player.history(), pid).ok().flatten();
        let crashes = crashes(player, &mut part);
        let of_entry = crashes
            .iter()
            .find(|(pid, _)| *pid == self.entry)
            .map(|(_, crash)| crash);
        if let What::Test { name, began } = &self.what {
            let noted = Noted::of(player)?;
            let passes = || (began.is_none() || noted.passed.contains(name)) && noted.failed.is_subset(&self.tests);
            return Ok(match noted.failed.contains(name) {
                true => Verdict::Same,
                false if passes() => Verdict::Passes,
                false => Verdict::Another,
            });
        }
        if let Ended::Halted(status) = ended {
            return Ok(match &self.what {
                What::Halted(code) if *code == status => Verdict::Same,
                What::Crashed(pid, crash) => match self.again(*pid, crash, &crashes, &mut part) {
                    Some(verdict) => verdict,
                    None if status == 0 => Verdict::Passes,
                    None => Verdict::Another,
                },
                _ if status == 0 => Verdict::Passes,
                _ => Verdict::Another,
            });
        }
        let waits = player.look(|system| matches!(system.table().find(handle(self.entry)), Lookup::Alive(_)));
        // The failure itself, or another one of its kind.
        match &self.what {
            What::Crashed(pid, crash) if *pid == self.entry => match of_entry {
                Some(now) if now == crash => return Ok(Verdict::Same),
                Some(now) if now.kind() == crash.kind() => return Ok(Verdict::Moved),
                _ => {}
            },
            What::Crashed(pid, crash) => {
                if let Some(verdict) = self.again(*pid, crash, &crashes, &mut part) {
                    return Ok(verdict);
                }
            }
            What::Deadlock if waits => return Ok(Verdict::Same),
            What::ReturnedError(value) => {
                if let Some(now) = returned(player)
                    .filter(|_| of_entry.is_none() && !waits)
                    .filter(is_error)
                {
                    let now = essence(&now, &mut part);
                    return Ok(match () {
                        () if now == *value => Verdict::Same,
                        () if kind(&now) == kind(value) => Verdict::Moved,
                        () => Verdict::Another,
                    });
                }
            }
            What::Deadlock | What::Halted(_) | What::Test { .. } => {}
        }
        if of_entry.is_some() || waits {
            // The entry can hear in several ways of one that failed before.
            let root = |(who, crash): &(Pid, Crash)| {
                self.roots
                    .iter()
                    .any(|(pid, one)| Some(*pid) == part(*who) && one == crash)
            };
            let same = crashes.iter().any(root);
            return Ok(if same { Verdict::Same } else { Verdict::Another });
        }
        if returned(player).is_some_and(|value| is_error(&value)) {
            return Ok(Verdict::Another);
        }
        // The entry is well. Other processes may have crashed: on purpose, if they also did when recorded.
        // A server that traps exits ends so, without a report, after the process that started it.
        let new =
            |crash: &Crash| crash.class.is_some() && !crash.reason.is_peaceful() && !self.known.contains(&crash.kind());
        let fails = self.entry().is_none() && crashes.iter().any(|(_, crash)| new(crash));
        Ok(if fails { Verdict::Another } else { Verdict::Passes })
    }

    /// Did a process crash as the recorded one, or in the same way elsewhere?
    fn again(
        &self,
        pid: Pid,
        crash: &Crash,
        crashes: &[(Pid, Crash)],
        part: &mut dyn FnMut(Pid) -> Option<Pid>,
    ) -> Option<Verdict> {
        let mut alike = crashes.iter().filter(|(_, one)| one.kind() == crash.kind()).peekable();
        alike.peek()?;
        let is_same = alike.any(|(who, one)| part(*who) == Some(pid) && one == crash);
        Some(if is_same { Verdict::Same } else { Verdict::Moved })
    }
}

/// The process of a continuation that stands for a recorded one.
fn counterpart(recorded: Pid, player: &Player, guide: &mut Guide<'_>) -> Result<Option<Pid>, Error> {
    let history = player.history();
    let is_there = history.length(recorded)?.is_some();
    if is_there && guide.recorded(history, recorded)? == Some(recorded) {
        return Ok(Some(recorded));
    }
    for pid in history.processes()?.into_iter().filter(|pid| *pid != recorded) {
        if guide.recorded(history, pid)? == Some(recorded) {
            return Ok(Some(pid));
        }
    }
    Ok(None)
}

/// What a run came to, for people: `main would have returned ok`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The entry returned this value.
    Returned(String),
    /// The entry, or with `pid` another process, ended abnormally.
    Crashed {
        /// The process.
        pid: String,
        /// The reason.
        reason: String,
    },
    /// The entry waits for ever.
    Waits,
    /// `halt(N)`.
    Halted(i64),
    /// The test passes.
    TestPasses(String),
    /// It called this function, whose module the trace has not, and ended otherwise than it would have.
    Lacks(String),
    /// It had not failed when the limits ended it, and had done more than the recorded run.
    GoesOn,
    /// It did not end within the limits.
    Unknown,
}

impl Failure {
    /// How the recorded run ended.
    ///
    /// # Errors
    /// The trace is damaged.
    pub(crate) fn recorded_end(&self, base: &Player, fails: bool) -> Result<Outcome, Error> {
        let ended = match base.session().trace().run_end()? {
            Some(RunEnd::Returned(_) | RunEnd::Crashed { .. } | RunEnd::Deadlock) => Ended::Quiet,
            Some(RunEnd::Halted(code)) => Ended::Halted(code),
            _ => Ended::Cut,
        };
        let verdict = if fails { Verdict::Same } else { Verdict::Passes };
        Ok(self.outcome(base, ended, verdict))
    }

    /// What a run came to.
    #[must_use]
    pub fn outcome(&self, player: &Player, ended: Ended, verdict: Verdict) -> Outcome {
        const CHARS: usize = 60;
        if ended == Ended::Cut {
            return match verdict {
                Verdict::Passes => Outcome::GoesOn,
                _ => Outcome::Unknown,
            };
        }
        if verdict == Verdict::Cut
            && let Some(name) = player.look(|system| system.observer.lacks.clone())
        {
            return Outcome::Lacks(name.to_string());
        }
        if let (What::Test { name, .. }, Verdict::Passes) = (&self.what, verdict) {
            return Outcome::TestPasses(name.clone());
        }
        if let Ended::Halted(status) = ended {
            return Outcome::Halted(status);
        }
        let ends = player.ends();
        let entry = ends.iter().find(|(pid, _)| *pid == self.entry);
        let other = ends.iter().find(|(_, end)| end.class.is_some());
        let crash = match verdict {
            Verdict::Passes => None,
            _ => entry.or(other),
        };
        if let Some((pid, end)) = crash {
            return Outcome::Crashed {
                pid: pid.to_string(),
                reason: session::words::cut(&end.reason, CHARS),
            };
        }
        if player.look(|system| matches!(system.table().find(handle(self.entry)), Lookup::Alive(_))) {
            return Outcome::Waits;
        }
        let value = player.look(|system| {
            let value = system.entry_value.as_ref()?;
            let mut heap = interpreter::heap::Heap::new(system.program.literals().clone());
            let term = heap.import(value);
            let style = interpreter::print::Style::shown(&*system.program);
            Some(interpreter::print::short(&heap, term, CHARS, &style))
        });
        Outcome::Returned(value.unwrap_or_default())
    }
}
