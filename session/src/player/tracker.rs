//! The observer of a session: knows where steps end and when a line is reached, keeps what was printed and how the subject ended.

use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::hash;
use interpreter::heap::Fragment;
use interpreter::ops::exact_equal;
use interpreter::term::Term;
use interpreter::vm::{self, Program};
use log_format::{Action, ActionId, ActionNo, Kind, Pid, Tag};
use rustc_hash::FxHashMap;
use system::observer::{Detail, Ending, Event, Observer};
use system::process::Signal;

use super::places::Past;
use super::retained::Retained;
use crate::digests::DigestCheck;
use crate::program::Sources;
use crate::watch::{Output, SeenEnd};

/// Bytes of output that are kept of a process, the last ones.
const OUTPUT: usize = 4096;
/// Activations that are kept of a process that has ended, and characters of a value.
const FRAMES: usize = 12;
const CHARS: usize = 2000;
/// Parts of a variable's value that are compared where the heap was collected in between.
const PARTS: usize = 1_000;

/// What the watched process shall stand still at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// Nothing: it is not watched.
    #[default]
    Nothing,
    /// So many more steps.
    Steps(u64),
    /// So many more steps in the program's own modules: what happens in a library function is passed over, its actions too.
    Own(u64),
    /// The next time that it reaches this line.
    Line {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
    },
    /// Nothing: the steps of each of its stretches between actions are counted.
    Measure,
    /// The last place before some other one at which something was so: it stands still at that other one.
    Past(Search),
    /// So many visits of a line by any process: all are watched, and each first one is noted.
    Anyone {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
        /// From 1.
        count: u64,
    },
}

/// What is looked for on the way of a process, and what was found so far. Places are numbers of actions, and of steps since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    past: Past,
    before: (u64, u64),
    /// The last place at which it was so.
    pub found: Option<(u64, u64)>,
    /// The variable as it was last seen: the word, and how often the heap had been collected; and a hash of its first parts.
    word: Option<(Term, u32)>,
    hash: Option<u64>,
    /// Nothing was seen yet.
    is_first: bool,
}

impl Search {
    /// From where the process stands to some place, which does not count.
    #[must_use]
    pub const fn new(past: Past, before: (u64, u64)) -> Self {
        Self {
            past,
            before,
            found: None,
            word: None,
            hash: None,
            is_first: true,
        }
    }

    /// The process has come to a place in one of the program's modules. True if the search ends there.
    fn comes_to(
        &mut self,
        at: (u64, u64),
        machine: &vm::Process,
        program: &Program,
        line: vm::SourceLocation<'_>,
    ) -> bool {
        if at >= self.before {
            return true;
        }
        match &self.past {
            Past::Line { file, line: wanted } => {
                if line.line == *wanted && line.file == file.as_ref() {
                    self.found = Some(at);
                }
            }
            Past::Variable(name) => {
                let value = machine.variable(program, Atom::new(name));
                let word = value.map(|value| (value, machine.heap.collections()));
                if word.is_some() && word == self.word {
                    return false;
                }
                // What is no word alone may lie elsewhere when it is seen again: then its first parts are compared.
                let hash = value.map(|value| hash::of_parts(&machine.heap, value, PARTS));
                let is_other = match (self.word, word) {
                    (None, None) => false,
                    (Some((before, then)), Some((value, now))) if then == now => {
                        !exact_equal(&machine.heap, before, value)
                    }
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
        false
    }
}

/// A place that a process came to: its actions until then, and its steps since the last of them.
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
    /// By depth of the stack, the line on which each activation is.
    visited: Lines,
    /// The same since the last action: an action ends a step.
    stepped: Lines,
    visits: u64,
}

impl Track {
    /// The process is on this line, in an activation that begins at this depth of the stack.
    pub fn stands(&mut self, depth: usize, line: u32) {
        self.visited.is_new(depth, line);
    }
}

/// Lines by depth of the stack, the innermost last.
#[derive(Clone, Debug, Default)]
struct Lines(Vec<(usize, u32)>);

impl Lines {
    /// A function is entered: whatever line comes next at this depth is another one.
    fn enter(&mut self, depth: usize) {
        while self.0.last().is_some_and(|(at, _)| *at >= depth) {
            self.0.pop();
        }
    }

    /// Is it another line than before, or in another activation?
    fn is_new(&mut self, depth: usize, line: u32) -> bool {
        while self.0.last().is_some_and(|(at, _)| *at > depth) {
            self.0.pop();
        }
        match self.0.last_mut() {
            Some((at, known)) if *at == depth => std::mem::replace(known, line) != line,
            _ => {
                self.0.push((depth, line));
                true
            }
        }
    }
}

/// See the module.
#[derive(Clone)]
pub struct Tracker {
    sources: Sources,
    /// The process that is watched.
    pub watched: Option<Pid>,
    /// What for.
    pub aim: Aim,
    /// The aim is reached: the process stands still at its next place, or does already.
    pub reached: bool,
    /// What the actions that were done need of each process besides its signals. What is observed does not make a process wait in replay,
    /// so that between two slices an action may be done before what it observed.
    pub needs: FxHashMap<Pid, u64>,
    /// The steps of the watched process between its last two actions.
    pub stretch: u64,
    /// The same for all of them, where they are measured.
    pub stretches: Vec<u64>,
    /// Was the last action of the watched process done in a module of the program?
    in_own: bool,
    /// Visits that were noted.
    pub noted: Vec<Visit>,
    /// The process whose last message and whose end are kept.
    pub subject: Option<Pid>,
    /// What the subject sent or received last, and with which action.
    pub message: Option<(u64, Fragment)>,
    /// How the subject ended, and who that was.
    pub end: Option<(Pid, Arc<SeenEnd>)>,
    /// Actions beyond the logs, as they come.
    pub beyond: Vec<(Pid, Action)>,
    /// Are actions beyond the logs now?
    pub is_beyond: bool,
    /// The program has halted, with this status.
    pub halted: Option<i64>,
    /// Processes that ended abnormally, in the order in which that was seen.
    pub failed: Vec<Pid>,
    /// Compares with what the recorder noted of contents, as long as nothing is done beyond the logs.
    pub contents: DigestCheck,
    /// Output of processes that have ended.
    outputs: Arc<Vec<(Pid, Output)>>,
    /// The last action of each process that another one has looked at; `u64::MAX` where a signal of its was consumed and not received.
    pub looked_at: FxHashMap<Pid, u64>,
    /// What processes consume is kept now, and where.
    pub retains: bool,
    /// See [`Retained`].
    pub retained: Retained,
}

impl Tracker {
    /// One that watches nothing.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        Self {
            sources,
            watched: None,
            aim: Aim::Nothing,
            reached: false,
            needs: FxHashMap::default(),
            stretch: 0,
            stretches: Vec::new(),
            in_own: false,
            noted: Vec::new(),
            subject: None,
            message: None,
            end: None,
            beyond: Vec::new(),
            is_beyond: false,
            halted: None,
            failed: Vec::new(),
            contents: DigestCheck::default(),
            outputs: Arc::default(),
            looked_at: FxHashMap::default(),
            retains: false,
            retained: Retained::default(),
        }
    }

    /// Some of what was done is undone, and all that is left needs only what is left.
    pub fn went_back(&mut self) {
        self.needs.clear();
        self.message = None;
        self.reached = false;
    }

    /// Begins to watch a process, or with another aim.
    pub fn watch(&mut self, pid: Option<Pid>, aim: Aim) {
        self.watched = pid;
        self.aim = aim;
        self.reached = false;
    }

    /// The watched process has done an action: a step. True if that is what was aimed at.
    pub fn step(&mut self) -> bool {
        if let Aim::Steps(left) | Aim::Own(left) = &mut self.aim {
            *left = left.saturating_sub(1);
            self.reached = *left == 0;
        }
        self.reached
    }

    /// A plain send or receive: there is nothing to do but to count it, unless its process is looked at. False if it is.
    #[inline]
    fn plain(&self, log: &mut Track) -> bool {
        if self.subject == Some(log.pid) || self.is_beyond || self.watches(log) {
            return false;
        }
        log.actions += 1;
        log.steps = 0;
        log.stepped.0.clear();
        true
    }

    /// A watched process has received a message: it is now on the line of a clause.
    fn clause(&mut self, log: &mut Track, event: &Event<'_>) {
        let Some(location) = event.machine.location(event.program) else {
            return;
        };
        if !self.sources.holds(location.file) || !log.visited.is_new(event.machine.frame_start(), location.line) {
            return;
        }
        match &self.aim {
            Aim::Line { file, line } if location.line == *line && location.file == file.as_ref() => self.reached = true,
            Aim::Anyone { file, line, count } if location.line == *line && location.file == file.as_ref() => {
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
    }

    /// What processes wrote: of those that have ended; those that live are given.
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
        self.watched == Some(log.pid) || matches!(self.aim, Aim::Anyone { .. })
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
        // Where a function is entered its arguments are not matched yet: the first expression behind counts, also if it is on the line of
        // the call that led here.
        if program.is_entry(pc) {
            log.visited.enter(depth);
            log.stepped.enter(depth);
            return ControlFlow::Continue(());
        }
        let visit = log.visited.is_new(depth, location.line);
        if !log.stepped.is_new(depth, location.line) {
            return ControlFlow::Continue(());
        }
        log.steps += 1;
        match &mut self.aim {
            Aim::Nothing | Aim::Measure => {}
            Aim::Past(search) => {
                self.reached = search.comes_to((log.actions, log.steps), machine, program, location);
            }
            Aim::Steps(left) => {
                *left = left.saturating_sub(1);
                self.reached = *left == 0;
            }
            // An action does not make the line on which the process is a new one.
            Aim::Own(left) => {
                if visit && self.sources.owns(location.file) {
                    *left = left.saturating_sub(1);
                    self.reached = *left == 0;
                }
            }
            Aim::Line { file, line } => {
                self.reached = visit && location.line == *line && location.file == file.as_ref();
            }
            Aim::Anyone { file, line, count } => {
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
        let passed_over = matches!(self.aim, Aim::Own(_)) && !self.in_own;
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
            visited: Lines::default(),
            stepped: Lines::default(),
            visits: 0,
        }
    }

    #[inline]
    fn wants_message(&self, log: &Track) -> bool {
        self.subject == Some(log.pid) || self.contents.are_recorded()
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
    fn action(&mut self, log: &mut Track, event: &Event<'_>) {
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
            if self.aim == Aim::Measure {
                self.stretches.push(log.steps);
            }
            let file = event.machine.location(event.program).map(|location| location.file);
            self.in_own = file.is_some_and(|file| self.sources.owns(file));
        }
        log.steps = 0;
        log.stepped.0.clear();
        // The clause of a receive is come to by receiving.
        if matches!(event.action.kind, Kind::Rec(_)) && self.watches(log) {
            self.clause(log, event);
        }
        // Right after an action a process is still on the line that made it; a receive has come to a clause.
        if self.watched == Some(event.pid)
            && let Aim::Past(search) = &mut self.aim
            && let Some(location) = event.machine.location(event.program)
            && self.sources.owns(location.file)
            && (matches!(search.past, Past::Variable(_)) || matches!(event.action.kind, Kind::Rec(_)))
        {
            search.comes_to((event.number.0, 0), event.machine, event.program, location);
        }
        if self.subject == Some(event.pid) {
            self.message = match event.detail {
                Detail::Sent { message, .. } => Some((event.number.0, event.machine.heap.export(message))),
                Detail::Received { message: Some(message) } => Some((event.number.0, message.clone())),
                _ => None,
            };
        }
        match event.action.kind {
            Kind::Halt { code } => self.halted = Some(code),
            Kind::Exit { class } if class != log_format::ExitClass::Normal => self.failed.push(event.pid),
            _ => {}
        }
        if self.is_beyond {
            self.beyond.push((event.pid, event.action.clone()));
        }
    }

    fn ended(&mut self, _: &mut Track, ending: &Ending<'_>) {
        self.contents.ended(ending);
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
        // Its own it sends again.
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
