//! The observer of a session: determines where steps end and when a line is reached; keeps printed output and the end of the subject.

use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::hash;
use interpreter::heap::Fragment;
use interpreter::ops::exact_equal;
use interpreter::otp::OtpName;
use interpreter::term::Term;
use interpreter::vm::{self, Program};
use log_format::{Action, ActionId, ActionNo, ExitClass, Kind, Pid, Tag};
use rustc_hash::FxHashMap;
use system::observer::{ActionEvent, Detail, Ending, Observer};
use system::process::Signal;

use super::lines::StackLines;
use super::retained::Retained;
use super::spot::{Here, Spot, SpotKind, SpotPlace, SpotVisit, Spots};
use crate::digests::DigestCheck;
use crate::doing::Doing;
use crate::program::Sources;
use crate::watch::{Output, SeenEnd};

/// What is looked for in the past of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sought {
    /// The last time that it was about to evaluate this line.
    Line {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
    },
    /// Where this variable was last bound, or got another value.
    Variable(String),
    /// The last line of the program's own modules, in an activation that begins at most at this depth of the stack.
    Depth(usize),
}

/// Bytes of output that are kept for a process: the last ones.
const OUTPUT: usize = 4096;
/// Limits: activations that are kept of an ended process, and characters of a value.
const FRAMES: usize = 12;
const CHARS: usize = 2000;
/// Limit: parts of a variable's value that are compared if the heap was collected in between.
const MAX_COMPARED_PARTS: usize = 1_000;

/// Where the watched process is to stop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StopCondition {
    /// Nowhere: it is not watched.
    #[default]
    Nothing,
    /// After this many steps.
    Steps(u64),
    /// After this many steps in the program's own modules: what library functions do is skipped, including their actions.
    Own(u64),
    /// When it next reaches this line.
    Line {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
    },
    /// Nowhere: the steps of each stretch between actions are counted.
    Measure,
    /// At a given place, after finding the last place before it where something was the case.
    Sought(WaySearch),
    /// At the `count`-th visit of a line, by any process: all are watched, and the first such visit of each is noted.
    Anyone {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
        /// From 1.
        count: u64,
    },
    /// When it next reaches a line of the program's own modules, in an activation that begins at most at this depth of the stack.
    Depth(usize),
    /// Nowhere: all are watched, and each visit of one of these spots is noted.
    Spots(Spots),
}

/// A search on the way of a process, and its result so far. A place is a number of actions, and of steps since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaySearch {
    past: Sought,
    before: (u64, u64),
    /// The last place where it was the case.
    pub found: Option<(u64, u64)>,
    /// The variable when it was last examined: the word, and the number of collections of the heap by then; and a hash of its first parts.
    word: Option<(Term, u32)>,
    hash: Option<u64>,
    /// Nothing has been examined yet.
    is_first: bool,
}

impl WaySearch {
    /// From the current position of the process up to, but not including, some place.
    #[must_use]
    pub const fn new(past: Sought, before: (u64, u64)) -> Self {
        Self {
            past,
            before,
            found: None,
            word: None,
            hash: None,
            is_first: true,
        }
    }

    /// The process has reached a place in one of the program's modules. True if the search ends there.
    fn comes_to(
        &mut self,
        at: (u64, u64),
        machine: &vm::Process,
        program: &Program,
        line: vm::SourceLocation<'_>,
        (depth, is_own_visit): (usize, bool),
    ) -> bool {
        if at >= self.before {
            return true;
        }
        match &self.past {
            Sought::Depth(most) => {
                if is_own_visit && depth <= *most {
                    self.found = Some(at);
                }
            }
            Sought::Line { file, line: wanted } => {
                if line.line == *wanted && line.file == file.as_ref() {
                    self.found = Some(at);
                }
            }
            Sought::Variable(name) => {
                let value = machine.variable(program, Atom::new(name));
                self.finds(at, machine, value);
            }
        }
        false
    }

    /// The variable that is looked for has this value there.
    fn finds(&mut self, at: (u64, u64), machine: &vm::Process, value: Option<Term>) {
        let word = value.map(|value| (value, machine.heap.collections()));
        if word.is_some() && word == self.word {
            return;
        }
        // A value that is not a single word may have been moved: then its first parts are compared.
        let hash = value.map(|value| hash::of_parts(&machine.heap, value, MAX_COMPARED_PARTS));
        let is_other = match (self.word, word) {
            (None, None) => false,
            (Some((before, then)), Some((value, now))) if then == now => !exact_equal(&machine.heap, before, value),
            (Some(_), Some(_)) => hash != self.hash,
            _ => true,
        };
        if value.is_some() && !self.is_first && is_other {
            self.found = Some(at);
        }
        self.is_first = false;
        self.word = word;
        self.hash = hash;
    }
}

/// A place that a process reached: its number of actions, and of steps since.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Visit {
    /// The process.
    pub pid: Pid,
    /// Its actions.
    pub actions: u64,
    /// Its steps since.
    pub steps: u64,
}

/// What is kept for each process.
#[derive(Clone, Debug)]
pub struct Track {
    pid: Pid,
    output: Output,
    actions: u64,
    receives: u64,
    /// Steps since the last action, while it is watched.
    pub steps: u64,
    /// The line of each activation, by depth of the stack.
    visited: StackLines,
    /// The same, since the last action: an action ends a step.
    stepped: StackLines,
    visits: u64,
    /// At this depth of the stack, a function begins that a spot names.
    entered: Option<usize>,
}

impl Track {
    /// The process is at this line, in an activation that begins at this depth of the stack.
    pub fn stands(&mut self, depth: usize, line: u32) {
        self.visited.is_new(depth, line);
    }

    /// The process is at these lines, outermost first, each in an activation that begins at this depth of the stack.
    pub fn stands_at(&mut self, lines: impl IntoIterator<Item = (usize, u32)>) {
        self.visited.clear();
        for (depth, line) in lines {
            self.visited.is_new(depth, line);
        }
        self.entered = None;
    }
}

/// The spots that name this line.
fn lines_there<'s>(spots: &'s [Spot], at: vm::SourceLocation<'s>) -> impl Iterator<Item = (usize, &'s Spot)> {
    spots.iter().enumerate().filter(move |(_, spot)| matches!(&spot.kind, SpotKind::Line { file, line } if at.line == *line && at.file == file.as_ref()))
}

/// The observer of a session; see the module.
#[derive(Clone)]
pub struct Tracker {
    sources: Sources,
    /// The process that is watched.
    pub watched: Option<Pid>,
    /// Why it is watched.
    pub stop: StopCondition,
    /// The stop is reached: the process stops at its next place, or has already stopped.
    pub reached: bool,
    /// What the done actions need of each process besides its signals. An observation does not wait in a replay, so between two slices an
    /// action may be done before what it observed.
    pub needs: FxHashMap<Pid, u64>,
    /// The steps of the watched process between its last two actions.
    pub stretch: u64,
    /// The steps of all stretches, if they are measured.
    pub stretches: Vec<u64>,
    /// Did the watched process do its last action in a module of the program?
    in_own: bool,
    /// Visits that were noted.
    pub noted: Vec<Visit>,
    /// Visits of spots, in the order in which they came.
    pub spots: Vec<SpotVisit>,
    /// The process whose last message and whose end are kept.
    pub subject: Option<Pid>,
    /// The last message that the subject sent or received, and the action.
    pub message: Option<(u64, Fragment)>,
    /// The subject, and how it ended.
    pub end: Option<(Pid, Arc<SeenEnd>)>,
    /// Are the ends of all processes kept?
    pub keeps_ends: bool,
    /// Abnormal ends, if they are kept.
    pub ends: Vec<(Pid, Arc<SeenEnd>)>,
    /// Actions beyond the logs, in order.
    pub beyond: Vec<(Pid, Action)>,
    /// What actions beyond the logs did, in order, if it is kept.
    pub doings: Option<Vec<(Pid, Doing)>>,
    /// Are actions now beyond the logs?
    pub is_beyond: bool,
    /// The program has halted, with this status.
    pub halted: Option<i64>,
    /// The first function of OTP that was called beyond the logs and is not there: the trace has not its module.
    pub lacks: Option<Arc<str>>,
    /// Processes that ended abnormally, in the order in which this was observed.
    pub failed: Vec<Pid>,
    /// Compares contents with the recorder's digests, until something is done beyond the logs.
    pub contents: DigestCheck,
    /// Output of processes that have ended.
    outputs: Arc<Vec<(Pid, Output)>>,
    /// Per process, the last of its actions that another process observed; `u64::MAX` if one of its signals was consumed without a receive.
    pub looked_at: FxHashMap<Pid, u64>,
    /// Are consumed signals now stored in `retained`?
    pub retains: bool,
    /// Where they are stored.
    pub retained: Retained,
}

impl Tracker {
    /// An observer that watches nothing.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        Self {
            sources,
            watched: None,
            stop: StopCondition::Nothing,
            reached: false,
            needs: FxHashMap::default(),
            stretch: 0,
            stretches: Vec::new(),
            in_own: false,
            noted: Vec::new(),
            spots: Vec::new(),
            subject: None,
            message: None,
            end: None,
            keeps_ends: false,
            ends: Vec::new(),
            beyond: Vec::new(),
            doings: None,
            is_beyond: false,
            halted: None,
            lacks: None,
            failed: Vec::new(),
            contents: DigestCheck::default(),
            outputs: Arc::default(),
            looked_at: FxHashMap::default(),
            retains: false,
            retained: Retained::default(),
        }
    }

    /// Some actions were undone, and all that is left needs only what is left.
    pub fn went_back(&mut self) {
        self.needs.clear();
        self.message = None;
        self.reached = false;
    }

    /// Watches a process, or changes the stop condition.
    pub fn watch(&mut self, pid: Option<Pid>, stop: StopCondition) {
        self.watched = pid;
        self.stop = stop;
        self.reached = false;
    }

    /// The watched process has done an action, which is a step. True if this was the stop condition.
    pub fn step(&mut self) -> bool {
        if let StopCondition::Steps(left) | StopCondition::Own(left) = &mut self.stop {
            *left = left.saturating_sub(1);
            self.reached = *left == 0;
        }
        self.reached
    }

    /// Counts a plain send or receive; nothing else is needed unless its process is watched. False if it is.
    #[inline]
    fn plain(&self, log: &mut Track) -> bool {
        if self.subject == Some(log.pid) || self.is_beyond || self.watches(log) {
            return false;
        }
        log.actions += 1;
        log.steps = 0;
        log.stepped.clear();
        true
    }

    /// A watched process has received a message: it is now at the line of a clause. Is that another line than before?
    fn clause(&mut self, log: &mut Track, event: &ActionEvent<'_>) -> bool {
        let Some(location) = event.machine.location(event.program) else {
            return false;
        };
        if !self.sources.holds(location.file) || !log.visited.is_new(event.machine.frame_start(), location.line) {
            return false;
        }
        match &self.stop {
            StopCondition::Spots(Spots(spots)) => {
                let here = Here::of(event.machine, event.program, false);
                let place = SpotPlace::Step {
                    actions: log.actions,
                    steps: 0,
                };
                self.spots.extend(
                    lines_there(spots, location)
                        .filter(|(_, spot)| spot.takes(log.pid, &here))
                        .map(|(spot, _)| SpotVisit {
                            spot,
                            pid: log.pid,
                            place,
                        }),
                );
            }
            StopCondition::Depth(most) if event.machine.frame_start() <= *most && self.sources.owns(location.file) => {
                self.reached = true
            }
            StopCondition::Line { file, line } if location.line == *line && location.file == file.as_ref() => {
                self.reached = true
            }
            StopCondition::Anyone { file, line, count } if location.line == *line && location.file == file.as_ref() => {
                log.visits += 1;
                if log.visits == *count {
                    self.noted.push(Visit {
                        pid: log.pid,
                        actions: log.actions,
                        steps: 0,
                    });
                }
            }
            _ => {}
        }
        true
    }

    /// The output of all processes: of those that have ended, and of these living ones.
    #[must_use]
    pub fn outputs<'a>(&self, living: impl Iterator<Item = &'a Track>) -> Vec<(Pid, Output)> {
        let mut all = self.outputs.as_ref().clone();
        all.extend(
            living
                .filter(|track| track.output.total > 0)
                .map(|track| (track.pid, track.output.clone())),
        );
        all.sort_by_key(|(pid, _)| *pid);
        all
    }
}

impl Observer for Tracker {
    type Log = Track;
    const WANTS_MESSAGES: bool = true;
    const STEPS: bool = true;

    #[inline]
    fn watches(&self, log: &Track) -> bool {
        self.watched == Some(log.pid) || matches!(self.stop, StopCondition::Anyone { .. } | StopCondition::Spots(_))
    }

    fn place(
        &mut self,
        log: &mut Track,
        program: &Program,
        machine: &vm::Process,
        pc: vm::Pc,
        depth: usize,
    ) -> ControlFlow<()> {
        let Some(location) = program.location(pc) else {
            return ControlFlow::Continue(());
        };
        if location.line == 0 || !self.sources.holds(location.file) {
            return ControlFlow::Continue(());
        }
        // When a function is entered, its arguments have not been matched yet. The first expression after that counts, even if it is on the
        // line of the call that led here.
        if program.is_entry(pc) {
            log.visited.enter(depth);
            log.stepped.enter(depth);
            if let StopCondition::Spots(Spots(spots)) = &self.stop
                && spots.iter().any(|spot| spot.kind.is_function(location))
            {
                log.entered = Some(depth);
            }
            return ControlFlow::Continue(());
        }
        let visit = log.visited.is_new(depth, location.line);
        if !log.stepped.is_new(depth, location.line) {
            return ControlFlow::Continue(());
        }
        log.steps += 1;
        match &mut self.stop {
            StopCondition::Nothing | StopCondition::Measure => {}
            StopCondition::Spots(Spots(spots)) => {
                let is_first = log.entered.take() == Some(depth);
                let functions = spots
                    .iter()
                    .enumerate()
                    .filter(|(_, spot)| is_first && spot.kind.is_function(location));
                let lines = lines_there(spots, location).filter(|_| visit);
                let here = Here::of(machine, program, true);
                let place = SpotPlace::Step {
                    actions: log.actions,
                    steps: log.steps,
                };
                let mut found: Vec<usize> = functions
                    .chain(lines)
                    .filter(|(_, spot)| spot.takes(log.pid, &here))
                    .map(|(spot, _)| spot)
                    .collect();
                found.sort_unstable();
                self.spots.extend(found.into_iter().map(|spot| SpotVisit {
                    spot,
                    pid: log.pid,
                    place,
                }));
            }
            StopCondition::Depth(most) => self.reached = visit && depth <= *most && self.sources.owns(location.file),
            StopCondition::Sought(search) => {
                let is_own = self.sources.owns(location.file);
                self.reached = search.comes_to(
                    (log.actions, log.steps),
                    machine,
                    program,
                    location,
                    (depth, visit && is_own),
                );
            }
            StopCondition::Steps(left) => {
                *left = left.saturating_sub(1);
                self.reached = *left == 0;
            }
            // An action does not make the process's line a new one.
            StopCondition::Own(left) => {
                if visit && self.sources.owns(location.file) {
                    *left = left.saturating_sub(1);
                    self.reached = *left == 0;
                }
            }
            StopCondition::Line { file, line } => {
                self.reached = visit && location.line == *line && location.file == file.as_ref();
            }
            StopCondition::Anyone { file, line, count } => {
                if visit && location.line == *line && location.file == file.as_ref() {
                    log.visits += 1;
                    if log.visits == *count {
                        self.noted.push(Visit {
                            pid: log.pid,
                            actions: log.actions,
                            steps: log.steps,
                        });
                    }
                }
            }
        }
        if self.reached {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn acted(&mut self, log: &mut Track) -> ControlFlow<()> {
        let passed_over = matches!(self.stop, StopCondition::Own(_)) && !self.in_own;
        if self.watched == Some(log.pid) && !passed_over && self.step() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn born(&mut self, pid: Pid, _: Option<&Track>, _: u16) -> Track {
        Track {
            pid,
            output: Output::default(),
            actions: 0,
            receives: 0,
            steps: 0,
            visited: StackLines::default(),
            stepped: StackLines::default(),
            visits: 0,
            entered: None,
        }
    }

    #[inline]
    fn wants_message(&self, log: &Track) -> bool {
        self.subject == Some(log.pid) || self.contents.are_recorded() || matches!(self.stop, StopCondition::Spots(_))
    }

    #[inline]
    fn plain_send(&mut self, log: &mut Track) -> bool {
        self.plain(log)
    }

    #[inline]
    fn plain_rec(&mut self, log: &mut Track, _: Tag) -> bool {
        if self.contents.are_recorded() || !self.plain(log) {
            return false;
        }
        log.receives += 1;
        true
    }

    #[inline]
    fn action(&mut self, log: &mut Track, event: &ActionEvent<'_>) {
        if let Detail::Output(bytes) = event.detail {
            log.output.push(bytes, OUTPUT);
        }
        log.actions = event.number.0;
        if matches!(event.action.kind, Kind::Rec(_)) {
            log.receives += 1;
            if let Detail::Received { message: Some(message) } = event.detail {
                self.contents.received(log.pid, log.receives, event.program, message);
            }
        }
        for ActionId { pid, number: n } in event.action.read_from() {
            let needed = self.needs.entry(pid).or_default();
            *needed = n.0.max(*needed);
            let looked_at = self.looked_at.entry(pid).or_default();
            *looked_at = n.0.max(*looked_at);
        }
        if let Kind::Signal { tag, .. } | Kind::Drop { tag: Some(tag), .. } = event.action.kind
            && let Some(by) = tag.sender().filter(|by| *by != event.pid)
        {
            self.looked_at.insert(by, u64::MAX);
        }
        if self.watched == Some(event.pid) {
            self.stretch = log.steps;
            if self.stop == StopCondition::Measure {
                self.stretches.push(log.steps);
            }
            let file = event.machine.location(event.program).map(|location| location.file);
            self.in_own = file.is_some_and(|file| self.sources.owns(file));
        }
        log.steps = 0;
        log.stepped.clear();
        // A receive reaches the line of its clause by receiving.
        let is_at_clause = matches!(event.action.kind, Kind::Rec(_)) && self.watches(log) && self.clause(log, event);
        // Right after an action, a process is still at the line that made it; a receive has reached a clause.
        if self.watched == Some(event.pid)
            && let StopCondition::Sought(search) = &mut self.stop
            && let Some(location) = event.machine.location(event.program)
        {
            let at = (event.number.0, 0);
            let (machine, program, sources) = (event.machine, event.program, &self.sources);
            match &search.past {
                // The function that has the variable can have called one of the library.
                Sought::Variable(name) if !sources.owns(location.file) && at < search.before => {
                    let value = machine.variable_where(program, Atom::new(name), |place| sources.owns(place.file));
                    search.finds(at, machine, value);
                }
                Sought::Line { .. } | Sought::Depth(_) if !matches!(event.action.kind, Kind::Rec(_)) => {}
                _ if sources.owns(location.file) => {
                    search.comes_to(at, machine, program, location, (machine.frame_start(), is_at_clause));
                }
                _ => {}
            }
        }
        if let StopCondition::Spots(Spots(spots)) = &self.stop {
            let mut here = Here::of(event.machine, event.program, false);
            here.carried = match event.detail {
                Detail::Received { message } => message,
                Detail::Ended(reason) => Some(reason),
                _ => None,
            };
            let place = |kind: &SpotKind| kind.of_action(&event.action.kind, event.number.0);
            let found = spots
                .iter()
                .enumerate()
                .filter_map(|(i, spot)| Some((i, spot, place(&spot.kind)?)));
            let found = found.filter(|(_, spot, _)| spot.takes(event.pid, &here));
            self.spots.extend(found.map(|(spot, _, place)| SpotVisit {
                spot,
                pid: event.pid,
                place,
            }));
        }
        if self.subject == Some(event.pid) {
            self.message = match event.detail {
                Detail::Sent { message, .. } => Some((event.number.0, event.machine.heap.export_own(message))),
                Detail::Received { message: Some(message) } => {
                    Some((event.number.0, message.own(event.program.literals())))
                }
                _ => None,
            };
        }
        match event.action.kind {
            Kind::Halt { code } => self.halted = Some(code),
            Kind::Exit { class } if class != ExitClass::Normal => self.failed.push(event.pid),
            _ => {}
        }
        if self.is_beyond {
            self.beyond.push((event.pid, event.action.clone()));
            if let Some(doings) = &mut self.doings {
                doings.push((event.pid, Doing::of(event)));
            }
        }
    }

    fn missing(&mut self, (module, function, arity): (Atom, Atom, u8), _: OtpName) {
        if self.is_beyond {
            self.lacks
                .get_or_insert_with(|| format!("{module}:{function}/{arity}").into());
        }
    }

    fn ended(&mut self, _: &mut Track, ending: &Ending<'_>) {
        self.contents.ended(ending);
        if self.keeps_ends && ending.class != Some(ExitClass::Normal) {
            self.ends
                .push((ending.pid, Arc::new(SeenEnd::of(ending, FRAMES, CHARS))));
        }
        if self.subject != Some(ending.pid) {
            return;
        }
        self.end = Some((ending.pid, Arc::new(SeenEnd::of(ending, FRAMES, CHARS))));
    }

    fn goes_back(&self) -> bool {
        true
    }

    fn raised(&mut self, pid: Pid) {
        self.failed.retain(|failed| *failed != pid);
        self.ends.retain(|(who, _)| *who != pid);
        self.end.take_if(|(who, _)| *who == pid);
        if self.outputs.iter().any(|(who, _)| *who == pid) {
            Arc::make_mut(&mut self.outputs).retain(|(who, _)| *who != pid);
        }
    }

    #[inline]
    fn retains(&self) -> bool {
        self.retains
    }

    fn given(&mut self, pid: Pid, number: ActionNo, tag: Tag, signal: &Signal) {
        // Signals to itself are sent again.
        if tag.sender() != Some(pid) {
            self.retained.keep(ActionId { pid, number }, signal);
        }
    }

    fn buried(&mut self, log: Track) {
        let Track { pid, mut output, .. } = log;
        if output.total > 0 {
            output.trim(OUTPUT);
            Arc::make_mut(&mut self.outputs).push((pid, output));
        }
    }
}
