//! What is seen of a step: actions, what is sent, what ends, what is printed, and the lines that are met.

use std::ops::ControlFlow;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::vm;
use log_format::{Action, ExitClass, InputClass, Kind, Pid, Tag};
use session::watch::{Output, SeenEnd};
use system::World;
use system::observer::{ActionEvent, Detail, Ending, Fact, Observer};
use system::process::{AliasMode, Process};

use super::event::{Asks, Closed, Linked};
use super::stands::{Stand, Track};
use crate::outcome::FRAMES;
use crate::said::Said;
use crate::stops::Stops;

/// Bytes of output that are kept for a process: the last ones.
const OUTPUT: usize = 4096;
/// Limit: characters of a reason.
const CHARS: usize = 2000;

/// A signal that was sent.
#[derive(Clone, Debug)]
pub(super) struct SentSignal {
    pub tag: Tag,
    pub to: Pid,
    /// Is it an exit signal? Otherwise it is a message.
    pub exit: bool,
    /// Is it an exit signal that ends a process that does not trap exits?
    pub deadly: bool,
    /// Does it end every process?
    pub kills: bool,
    /// The number of the alias that it was sent to, and what ends that.
    pub alias: Option<(u64, AliasMode)>,
    /// Of a timer: its milliseconds.
    pub timer: Option<u64>,
    /// What a receive sees of it.
    pub message: Fragment,
}

/// Is it a signal that was sent, with a number? What comes of an end comes after all these.
pub(super) const fn is_numbered(tag: Tag) -> bool {
    matches!(tag, Tag::Sent { .. })
}

impl SentSignal {
    /// Is it a message for a process that traps exits, or not?
    pub const fn is_message(&self, traps: bool) -> bool {
        !self.exit || traps && !self.kills
    }

    /// Does it end a process that traps exits, or not?
    pub const fn ends(&self, traps: bool) -> bool {
        self.deadly && !self.is_message(traps)
    }

    /// If it arrives before another signal to the same process: is that one dropped?
    pub fn shuts(&self, other: &Self) -> bool {
        use AliasMode::{Demonitor, Reply, ReplyDemonitor};
        if self.tag == other.tag {
            return false;
        }
        match (self.tag, self.alias, other.tag, other.alias) {
            (Tag::EndRef { k, .. }, _, _, Some((of, Demonitor | ReplyDemonitor))) => k == of,
            (_, Some((of, Reply | ReplyDemonitor)), _, Some((other, _))) => of == other,
            (_, Some((of, ReplyDemonitor)), Tag::EndRef { k, .. }, None) => k == of,
            _ => false,
        }
    }

    /// Was it sent to an alias that accepts nothing?
    pub fn is_lost(&self) -> bool {
        self.alias.is_some_and(|(_, mode)| mode == AliasMode::Spent)
    }

    /// Can it be dropped when it arrives?
    pub const fn is_fickle(&self) -> bool {
        self.alias.is_some() || matches!(self.tag, Tag::EndRef { .. } | Tag::EndTo { .. })
    }
}

/// What happened in one step.
#[derive(Clone, Debug, Default)]
pub(super) struct DoneStep {
    /// The actions, usually one: a step can let others end, whose ends it needs.
    pub actions: Vec<(Pid, Action)>,
    pub sent: Vec<SentSignal>,
    /// What is said of each of them, if that is asked for.
    pub said: Vec<Said>,
    /// What its process does not accept from then on, and from some point before its next action on.
    pub closes: Vec<Closed>,
    pub closes_after: Vec<Closed>,
    /// It began to trap exits, or ceased to, and that is all.
    pub traps: Option<bool>,
    /// It added to counters, and that is all.
    pub adds: bool,
    /// What it asks about.
    pub asks: Option<Asks>,
    pub linked: Option<Linked>,
    /// If there are breakpoints: to whom a message was sent, and what; and the reason of an end.
    pub told: Option<(Option<Pid>, Fragment)>,
    pub ended: Option<Fragment>,
}

/// Gathers what happens.
#[derive(Clone, Default)]
pub(super) struct BranchWatch {
    pub(super) done: DoneStep,
    /// Breakpoints, and where processes came to some on lines.
    pub(super) stops: Option<Arc<Stops>>,
    pub(super) stands: Vec<Stand>,
    pub(super) ends: Arc<Vec<(Pid, Arc<SeenEnd>)>>,
    /// Processes that had a name when they ended.
    pub(super) named_ends: Arc<Vec<(Pid, Atom)>>,
    pub(super) outputs: Arc<Vec<(Pid, Output)>>,
    pub(super) halted: Option<i64>,
    /// The message of the timer that is being set, and its milliseconds.
    pub(super) timer: Option<(Tag, u64)>,
    /// Was a timer set that sends to a name?
    pub(super) named: bool,
    pub(super) beyond: bool,
    /// Where a process got a time or a number that can decide something.
    pub(super) drew: Option<String>,
    /// What is known of the input that is read next.
    pub(super) input: NextInput,
    /// Have files and the like values that are known before?
    pub(super) knows_files: bool,
    /// Is it asked for what is said of actions?
    pub tells: bool,
}

/// What is kept for each process.
#[derive(Clone)]
pub(super) struct WatchedProcess {
    pid: Pid,
    output: Option<Box<Output>>,
    /// If there are breakpoints on lines.
    track: Option<Box<Track>>,
}

/// Is it a time that is read for people? A runner of tests measures how long they take, and takes back the timer that would have ended them; events of the
/// logger have a time. No run goes another way because of it, as long as no test is held up until its time is up.
fn is_for_people(event: &ActionEvent<'_>) -> bool {
    let place = event.machine.location(event.program);
    place.is_some_and(|place| {
        let function = (place.module.as_str(), place.function.as_str());
        FOR_PEOPLE.contains(&place.file) || REPORTS.contains(&function) || function == TIME_OF_RESTART
    })
}

/// The function of the library that reads a time which decides nothing yet: times of restarts are compared when there are too many of them.
const TIME_OF_RESTART: (&str, &str) = ("supervisor", "time_of_restart");

/// What is known of the input that a process reads next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NextInput {
    #[default]
    Unknown,
    /// It is the same at all times.
    Constant,
    /// It only reads what is outside: nothing of it changes unless the program changes it, which is not explored here.
    Outside,
}

/// Facts of the system that change in a run.
const CHANGING: [&str; 7] = [
    "process_count",
    "atom_count",
    "ets_count",
    "procs",
    "loaded",
    "info",
    "dist",
];

/// Requests to the file system that change nothing.
const READING: [&str; 5] = ["list", "info", "link_info", "read_link", "cwd"];

impl NextInput {
    /// Of the native that a process stands before.
    pub fn of(native: (&str, &str), p: &Process) -> Self {
        let first = p.machine.args().first();
        let first = first.map_or("", |first| first.as_atom().map_or("", |atom| atom.as_str()));
        match native {
            ("erlang", "system_info") if !CHANGING.contains(&first) => Self::Constant,
            ("os", "getenv") | ("init", _) | ("erlang", "$read_file") => Self::Outside,
            ("erlang", "$file") if READING.contains(&first) => Self::Outside,
            _ => Self::Unknown,
        }
    }
}

/// The functions of the library that look at a process only to report what it was: the client of a server; and the process itself, and those that are
/// linked to it.
const REPORTS: [(&str, &str); 3] = [
    ("gen_server", "client_stacktrace"),
    ("gen_statem", "client"),
    CRASH_REPORT,
];
const CRASH_REPORT: (&str, &str) = ("proc_lib", "info");

/// Does a process look at itself or at another one only to report that? Then whether what it sees can decide how many others it looks at.
pub(super) fn only_reports(p: &Process, world: &World) -> Option<bool> {
    let place = p.machine.location(&world.program)?;
    let function = (place.module.as_str(), place.function.as_str());
    if !REPORTS.contains(&function) {
        return None;
    }
    let &[of, item, ..] = p.machine.args() else {
        return Some(false);
    };
    let asks_trap = item.as_atom().is_some_and(|item| item.as_str() == "trap_exit");
    let traps = |of| world.table().by_pid(of).is_some_and(|other| other.trap_exit);
    // One that traps exits is not looked at any more.
    let decides = of.as_pid().is_some_and(|of| of != p.pid && !(asks_trap && traps(of)));
    Some(function == CRASH_REPORT && decides)
}

/// The files of the library that read the time so.
pub(crate) const FOR_PEOPLE: [&str; 5] = [
    "eunit_proc.erl",
    "retell_suite.erl",
    "logger.erl",
    "logger_formatter.erl",
    "error_logger.erl",
];

/// Is it the time, a unique integer, a random number or a fact of the system? What a process gets is determined by what it knows of, or it is kept.
pub(crate) fn is_drawn(action: &Action) -> bool {
    let Kind::Input { value } = &action.kind else {
        return false;
    };
    let class = InputClass::split(value).map(|(class, _)| class);
    matches!(
        class,
        Some(InputClass::Clock | InputClass::Unique | InputClass::Random | InputClass::System)
    )
}

/// Is it an input whose value is the same in all runs that are given recorded values?
pub(crate) fn is_given(value: &[u8]) -> bool {
    let class = InputClass::split(value).map(|(class, _)| class);
    matches!(class, Some(InputClass::File | InputClass::Env | InputClass::Arguments))
}

impl BranchWatch {
    fn is_known(&self, value: &[u8]) -> bool {
        self.knows_files && is_given(value)
    }

    /// A process stops where it may meet a breakpoint, so that its variables can be looked at.
    fn stands_still(&self) -> ControlFlow<()> {
        match self.stands.is_empty() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// What was printed, by these living processes and by those that have ended.
    pub(super) fn outputs<'a>(&self, living: impl Iterator<Item = &'a WatchedProcess>) -> Vec<(Pid, Vec<u8>)> {
        let kept = |pid: Pid, output: &Output| (pid, output.kept.clone());
        let mut all: Vec<(Pid, Vec<u8>)> = self.outputs.iter().map(|(pid, output)| kept(*pid, output)).collect();
        all.extend(living.filter_map(|life| Some(kept(life.pid, life.output.as_deref()?))));
        all.sort_by_key(|(pid, _)| *pid);
        all
    }
}

impl Observer for BranchWatch {
    type Log = WatchedProcess;
    const STEPS: bool = true;

    #[inline]
    fn watches(&self, life: &WatchedProcess) -> bool {
        life.track.is_some()
    }

    fn place(
        &mut self,
        life: &mut WatchedProcess,
        program: &vm::Program,
        _: &vm::Process,
        pc: vm::Pc,
        depth: usize,
    ) -> ControlFlow<()> {
        if let (Some(track), Some(stops)) = (&mut life.track, &self.stops) {
            track.comes_to(life.pid, program, (pc, depth), stops, &mut self.stands);
        }
        self.stands_still()
    }

    fn acted(&mut self, _: &mut WatchedProcess) -> ControlFlow<()> {
        self.stands_still()
    }

    fn hears_sends(&self) -> bool {
        true
    }

    fn born(&mut self, pid: Pid, _: Option<&WatchedProcess>, _: u16) -> WatchedProcess {
        let has_lines = self.stops.as_ref().is_some_and(|stops| stops.has_lines());
        WatchedProcess {
            pid,
            output: None,
            track: has_lines.then(Box::default),
        }
    }

    fn action(&mut self, life: &mut WatchedProcess, event: &ActionEvent<'_>) {
        if let Detail::Output(bytes) = event.detail {
            life.output.get_or_insert_default().push(bytes, OUTPUT);
        }
        match &event.action.kind {
            Kind::Halt { code } => self.halted = Some(*code),
            Kind::Rec(_)
            | Kind::After
            | Kind::Signal { .. }
            | Kind::Spawn { .. }
            | Kind::Send
            | Kind::Access
            | Kind::Output { .. }
            | Kind::Observe { of: None, .. }
            | Kind::Drop { .. }
            | Kind::Exit { .. } => {}
            Kind::Input { value } if InputClass::picked(value).is_some() || self.is_known(value) => {}
            Kind::Input { .. } if self.input == NextInput::Constant => {}
            Kind::Input { .. } | Kind::Observe { .. } if is_for_people(event) => {}
            Kind::Input { .. } if self.input == NextInput::Outside || is_drawn(event.action) => {
                let here = session::watch::here(event.machine, event.program);
                self.drew = Some(here.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)));
            }
            _ => self.beyond = true,
        }
        if let Some(stops) = &self.stops {
            let export = |term| event.machine.heap.export_own(term);
            match event.detail {
                Detail::Sent { to, message } => {
                    self.done.told = Some((to, export(message)));
                }
                Detail::Ended(reason) => self.done.ended = Some(reason.own(event.program.literals())),
                _ => {}
            }
            let receives = matches!(event.action.kind, Kind::Rec(_));
            if let Some(track) = &mut life.track {
                track.acted(
                    life.pid,
                    (event.program, event.machine),
                    receives,
                    stops,
                    &mut self.stands,
                );
            }
        }
        self.done.actions.push((event.pid, event.action.clone()));
        if self.tells {
            self.done.said.push(Said::of(event));
        }
    }

    fn learned(&mut self, fact: Fact) {
        match fact {
            Fact::Sent {
                to,
                tag,
                exit,
                deadly,
                kills,
                message,
                alias,
            } => {
                self.beyond |= !matches!(tag, Tag::Sent { .. } | Tag::EndRef { .. } | Tag::EndTo { .. });
                let timer = self.timer.take_if(|(of, _)| *of == tag);
                self.done.sent.push(SentSignal {
                    tag,
                    to,
                    exit,
                    deadly,
                    kills,
                    alias,
                    timer: timer.map(|(_, ms)| ms),
                    message,
                });
            }
            Fact::Unwatched { k, .. } => self.done.closes.push(Closed::Monitor(k)),
            Fact::Unaliased { number, .. } => self.done.closes.push(Closed::Alias(number)),
            Fact::Traps { .. } => {}
            Fact::Unlinked { of, .. } => self.done.closes.push(Closed::Link(of)),
            Fact::Timer { tag, after, .. } => {
                self.timer = Some((tag, after));
            }
            Fact::Cancelled { .. } => {}
        }
    }

    fn ended(&mut self, _: &mut WatchedProcess, ending: &Ending<'_>) {
        if let Some(name) = ending.names.first() {
            Arc::make_mut(&mut self.named_ends).push((ending.pid, *name));
        }
        if ending.class == Some(ExitClass::Normal) {
            return;
        }
        let seen = SeenEnd::of(ending, FRAMES, CHARS);
        Arc::make_mut(&mut self.ends).push((ending.pid, Arc::new(seen)));
    }

    fn buried(&mut self, life: WatchedProcess) {
        if let Some(mut output) = life.output {
            output.trim(OUTPUT);
            Arc::make_mut(&mut self.outputs).push((life.pid, *output));
        }
    }
}
