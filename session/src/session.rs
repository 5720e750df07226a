//! A session: a trace with its program, and replays of any part of it.
//!
//! Operations return what was done and why they stopped; loops are left to the callers.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use interpreter::atom::Atom;
use interpreter::print::Terms;
use interpreter::vm;
use log_format::{ActionId, Cut, FinalState, Pid, Trace};
use system::answers::{Answers, RecordedInputs};
use system::feed::{Divergence, Plan, Quota, REDACTED, Tail};
use system::ids;
use system::loader::{Loader, Role};
use system::observer::Observer;
use system::outside::{Ground, Simulated};
use system::process::Lookup;
use system::recorder;
use system::scheduler::{RoundRobin, Scheduler};
use system::{Delivery, Limits, RunClock, Settings, System, World};

use crate::digests::RecordedDigests;
use crate::error::Error;
use crate::machinery::Machinery;
use crate::numbers::Numbers;
use crate::program::{RunEntry, Sources};
use crate::source::TraceLogs;

/// The goal of a replay.
#[derive(Clone, Debug)]
pub struct Goal {
    /// How far each process is to go.
    pub extent: Quota,
    /// This process then runs on silently, to its end or to a receive.
    pub runs_on: Option<Pid>,
    /// All processes then run on silently.
    pub all_run_on: bool,
    /// Those that waited when the run ended then run on silently, to that wait.
    pub waiting_run_on: bool,
    /// Processes note which exceptions they catch.
    pub notes_catches: bool,
}

impl Goal {
    /// To do exactly these actions.
    #[must_use]
    pub fn causes(upto: Cut) -> Self {
        Self {
            extent: Quota::Some(Arc::new(upto)),
            runs_on: None,
            all_run_on: false,
            waiting_run_on: false,
            notes_catches: false,
        }
    }
    /// To replay the whole run.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            extent: Quota::All,
            runs_on: None,
            all_run_on: false,
            waiting_run_on: false,
            notes_catches: false,
        }
    }
}

/// An open trace with its program, compiled. Cheap to clone.
#[derive(Clone)]
pub struct Session {
    trace: Arc<Trace>,
    logs: TraceLogs,
    sources: Sources,
    entry: RunEntry,
    /// Read on first use.
    digests: Arc<OnceLock<RecordedDigests>>,
    /// Found on first use.
    pub(crate) machinery: Arc<OnceLock<Arc<Machinery>>>,
    /// Grows by the modules that replays load. invariant: append-only, so every replay sees the code that it would have loaded itself.
    program: Arc<Mutex<Arc<vm::Program>>>,
    /// If the trace was written for a session that went beyond another trace: the numbers of that trace.
    numbers: Option<Arc<Numbers>>,
    /// Limit: bytes that the replayed program may hold.
    memory: Option<usize>,
    /// Of runs that go another way.
    delivery: Delivery,
    /// What is around such runs.
    around: Around,
    /// What processes are called in an answer.
    called: Arc<crate::called::Called>,
}

/// What is around a run that goes another way than the recorded one. Replays do without.
#[derive(Clone, Default)]
pub struct Around {
    /// Files as they are now.
    pub ground: Option<Arc<dyn Ground>>,
    /// The recorded values of inputs, for all else.
    pub answers: Option<Arc<RecordedInputs>>,
    /// Has one of these runs asked for something that nobody can answer?
    pub lacked: Arc<AtomicBool>,
}

/// The process that calls the entry.
const FIRST: Pid = Pid(system::FIRST_PID);

impl Session {
    /// Opens a trace and compiles its program.
    ///
    /// # Errors
    /// The file cannot be read or is not a trace; the program does not compile.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let open = || -> Result<Self, Error> { Self::of(Arc::new(Trace::open(path)?)) };
        open().map_err(|e| e.about(path))
    }

    /// A session on an open trace.
    ///
    /// # Errors
    /// The trace is damaged; the program does not compile.
    pub fn of(trace: Arc<Trace>) -> Result<Self, Error> {
        trace.verify_start()?;
        let sources = Sources::of(&trace)?;
        let entry = RunEntry::of(trace.header())?;
        if trace.totals().processes > 0 && !trace.has(FIRST)? {
            let expected = format!("the process {FIRST}, which calls the entry");
            return Err(log_format::Error::damaged(0, expected, "others only").into());
        }
        // A recorder that ended normally has written the sources.
        if sources.all().is_empty() && trace.run_end()?.is_some() {
            return Err(Error::LeftOut("the program's sources".to_owned()));
        }
        let program = entry.load(&sources)?;
        let logs = TraceLogs::new(Arc::clone(&trace))?;
        Ok(Self {
            trace,
            logs,
            sources,
            entry,
            digests: Arc::default(),
            machinery: Arc::default(),
            program: Arc::new(Mutex::new(Arc::new(program))),
            numbers: None,
            memory: None,
            delivery: Delivery::Causal,
            around: Around::default(),
            called: Arc::default(),
        })
    }

    /// The same session with a limit: how many bytes the replayed program may hold. A replay that needs more ends with [`Error::Limit`].
    /// Without a limit, a program that grows for ever takes all memory.
    #[must_use]
    pub const fn with_memory(mut self, bytes: Option<usize>) -> Self {
        self.memory = bytes;
        self
    }

    /// Shown in this language, whatever the program is written in.
    #[must_use]
    pub fn shown_in(mut self, terms: Terms) -> Self {
        self.sources = self.sources.shown_in(terms);
        let mut program = self.program();
        Arc::make_mut(&mut program).speak(terms);
        self.program = Arc::new(Mutex::new(program));
        self
    }

    /// The language that terms, functions and variables are shown in.
    #[must_use]
    pub const fn terms(&self) -> Terms {
        self.sources.terms()
    }

    /// The limit set by [`Session::with_memory`], in bytes.
    #[must_use]
    pub const fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// With this order of delivery in runs that go another way than the recorded one.
    #[must_use]
    pub const fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// The entry of its program.
    #[must_use]
    pub const fn entry(&self) -> &RunEntry {
        &self.entry
    }

    /// With other arguments for the entry, in runs that go another way than the recorded one.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Option<Vec<String>>) -> Self {
        if self.entry.arguments.is_some() && arguments.is_some() {
            self.entry.arguments = arguments;
        }
        self
    }

    /// With this around runs that go another way than the recorded one.
    #[must_use]
    pub fn with_around(mut self, around: Around) -> Self {
        self.around = around;
        self
    }

    /// What processes are called in an answer.
    #[must_use]
    pub fn called(&self) -> &crate::called::Called {
        &self.called
    }

    /// What is around such runs.
    #[must_use]
    pub const fn around(&self) -> &Around {
        &self.around
    }

    /// The world of such a run.
    #[must_use]
    pub fn world(&self, seed: u64) -> Box<Simulated> {
        Box::new(Simulated::new(seed).on(self.around.ground.clone()))
    }

    /// The order of delivery set by [`Session::with_delivery`].
    #[must_use]
    pub const fn delivery(&self) -> Delivery {
        self.delivery
    }

    /// The same trace with this program in the place of its own.
    ///
    /// # Errors
    /// The module of the entry does not compile.
    pub fn with_program(&self, sources: Sources) -> Result<Self, Error> {
        let program = self.entry.load(&sources)?;
        Ok(Self {
            sources,
            program: Arc::new(Mutex::new(Arc::new(program))),
            ..self.clone()
        })
    }

    /// The same session, whose replays count the executed lines.
    ///
    /// # Errors
    /// The module of the entry does not compile.
    pub fn counting(&self, counts: Arc<vm::LineCounts>) -> Result<Self, Error> {
        let program = self.entry.load_counting(&self.sources, Some(counts))?;
        Ok(Self {
            program: Arc::new(Mutex::new(Arc::new(program))),
            ..self.clone()
        })
    }

    /// The lines of a file of the program on which there is code. `None`: its module is not there as text.
    ///
    /// # Errors
    /// A module does not compile.
    pub fn code_lines(&self, file: &str) -> Result<Option<BTreeSet<u32>>, Error> {
        let counts = Arc::new(vm::LineCounts::new(|_| true));
        let mut program = self.entry.load_counting(&self.sources, Some(Arc::clone(&counts)))?;
        let mut loader = self.sources.loader();
        for source in self.sources.all() {
            if let Role::Module(name) = &source.role
                && source.path == file
            {
                let module = Atom::new(name);
                if !program.is_loaded(module) {
                    loader.load(module, &mut program)?;
                }
            }
        }
        let all = counts.all().into_iter().filter(|module| module.file == file);
        let lines: BTreeSet<u32> = all.flat_map(|module| module.lines.into_keys()).collect();
        Ok((!lines.is_empty()).then_some(lines))
    }

    /// A session on another trace: if its program is the same, it is not compiled anew.
    ///
    /// # Errors
    /// As [`Session::of`].
    pub fn also(&self, trace: Arc<Trace>) -> Result<Self, Error> {
        let sources = Sources::of(&trace)?;
        if !sources.is_same(&self.sources) || RunEntry::of(trace.header())? != self.entry {
            return Ok(Self::of(trace)?.with_memory(self.memory).shown_in(self.terms()));
        }
        trace.verify_start()?;
        self.on(trace)
    }

    /// The same program with the trace of another run of it, which need not hold the sources.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn on(&self, trace: Arc<Trace>) -> Result<Self, Error> {
        Ok(Self {
            logs: TraceLogs::new(Arc::clone(&trace))?,
            trace,
            digests: Arc::default(),
            machinery: Arc::default(),
            numbers: None,
            ..self.clone()
        })
    }

    /// The same program with another trace of it, whose actions are named by these numbers.
    ///
    /// # Errors
    /// The trace is damaged.
    pub(crate) fn with(&self, trace: Arc<Trace>, numbers: Arc<Numbers>) -> Result<Self, Error> {
        Ok(Self {
            logs: TraceLogs::new(Arc::clone(&trace))?,
            trace,
            sources: self.sources.clone(),
            entry: self.entry.clone(),
            digests: Arc::default(),
            machinery: Arc::default(),
            program: Arc::clone(&self.program),
            numbers: Some(numbers),
            memory: self.memory,
            delivery: self.delivery,
            around: self.around.clone(),
            called: Arc::clone(&self.called),
        })
    }

    /// If actions of this trace have the names of another one: the numbers of that trace.
    #[must_use]
    pub fn numbers(&self) -> Option<&Numbers> {
        self.numbers.as_deref()
    }

    /// The trace.
    #[must_use]
    pub const fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// The recorder's digests; empty unless they were recorded.
    ///
    /// # Errors
    /// It is damaged.
    pub fn digests(&self) -> Result<RecordedDigests, Error> {
        if let Some(digests) = self.digests.get() {
            return Ok(Arc::clone(digests));
        }
        let read = Arc::new(self.trace.digests()?);
        Ok(Arc::clone(self.digests.get_or_init(|| read)))
    }

    /// The sources of its program.
    #[must_use]
    pub const fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The logs of the trace.
    #[must_use]
    pub const fn logs(&self) -> &TraceLogs {
        &self.logs
    }

    /// The loader of modules for replays.
    #[must_use]
    pub fn loader(&self) -> Box<dyn Loader> {
        Box::new(self.sources.loader())
    }

    /// The scheduler for replays: any order is correct.
    #[must_use]
    pub fn scheduler(&self) -> Box<dyn Scheduler> {
        Box::new(RoundRobin::default())
    }

    /// The program, as far as it has been compiled.
    #[must_use]
    pub fn program(&self) -> Arc<vm::Program> {
        Arc::clone(&self.program.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The modules of the tool's library that the program has loaded.
    #[must_use]
    pub fn library_loaded(&self) -> Vec<log_format::ModuleSource> {
        let program = self.program();
        let names = interpreter::library::modules().filter(|name| program.is_loaded(Atom::new(name)));
        let source = |name: &'static str| {
            let text = interpreter::library::source(name)?;
            Some(log_format::ModuleSource {
                module: name.to_owned(),
                path: format!("{name}.erl"),
                format: "erl".to_owned(),
                bytes: text.as_bytes().to_vec(),
                options: Vec::new(),
            })
        };
        names.filter_map(source).collect()
    }

    /// Adopts the program of a replay that has loaded more modules.
    pub fn adopt(&self, program: Arc<vm::Program>) {
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = program;
    }

    /// A system with the entry process, on a simulated outside.
    pub fn system<O: Observer>(&self, observer: O, plan: Option<Plan>) -> System<O> {
        self.system_with(self.scheduler(), observer, plan)
    }

    fn settings(&self, scheduler: Box<dyn Scheduler>) -> Settings {
        Settings {
            scheduler,
            outside: self.world(0),
            loader: self.loader(),
            clock: RunClock::Virtual(0),
            delivery: self.delivery,
            limits: Limits {
                processes: usize::MAX,
                memory: self.memory,
                schedulers: recorder::schedulers(self.trace.header()),
                ..Limits::default()
            },
            arguments: self.trace.header().arguments.clone(),
            exit_with_entry: false,
        }
    }

    fn system_with<O: Observer>(&self, scheduler: Box<dyn Scheduler>, observer: O, plan: Option<Plan>) -> System<O> {
        let mut system = System::new(self.program(), observer, self.settings(scheduler), plan);
        let answers = self.around.answers.as_ref();
        system.answers =
            answers.map(|known| Answers::new(Arc::clone(known)).without_order(Arc::clone(&self.around.lacked)));
        system.start(self.entry.module, self.entry.function, self.entry.arguments.as_deref());
        system
    }

    /// Replays from the start of the run, exactly up to the goal [LPV19, uncontrolled replay semantics, restricted to the causes]. Returns the
    /// system in that state.
    ///
    /// # Errors
    /// The program departs from the log; the trace is damaged.
    pub fn replay<O: Observer>(&self, goal: &Goal, observer: O) -> Result<System<O>, Error> {
        self.replay_under(goal, observer, Box::new(RoundRobin::default()))
    }

    /// As [`Session::replay`], under another schedule.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn replay_under<O: Observer>(
        &self,
        goal: &Goal,
        observer: O,
        scheduler: Box<dyn Scheduler>,
    ) -> Result<System<O>, Error> {
        let plan = self.plan(goal)?;
        let mut system = self.system_with(scheduler, observer, Some(plan));
        if goal.notes_catches {
            Arc::make_mut(&mut system.program).note_catches(true);
        }
        system.run();
        if goal.notes_catches {
            Arc::make_mut(&mut system.program).note_catches(false);
        }
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&system.program);
        self.judge(goal, &mut system)?;
        Ok(system)
    }

    /// How far each process follows its log for a goal.
    fn plan(&self, goal: &Goal) -> Result<Plan, Error> {
        let mut plan = Plan::new(Arc::new(self.logs.clone()), goal.extent.clone());
        if goal.all_run_on {
            plan = plan.with_tail(Tail::RunOn);
        }
        if goal.waiting_run_on {
            for outcome in self.trace.outcomes()? {
                if matches!(outcome.state, FinalState::Waiting { .. }) {
                    plan = plan.with_tail_of(outcome.pid, Tail::RunOn);
                }
            }
        }
        if let Some(pid) = goal.runs_on {
            plan = plan.with_tail_of(pid, Tail::RunOn);
        }
        Ok(plan)
    }

    /// Finds processes that the trace names and its program cannot start: those without a parent, except the first one.
    fn orphans(&self, system: &World) -> Result<(), Error> {
        for process in self.trace.processes() {
            let process = process?;
            let handle = interpreter::term::Pid::new(0, process.pid.0);
            if process.parent.is_none() && matches!(system.table().find(handle), Lookup::Unborn) {
                let expected = format!(
                    "a parent of {}, or {} to be the only process without one",
                    process.pid, FIRST
                );
                return Err(log_format::Error::damaged(0, expected, "none").into());
            }
        }
        Ok(())
    }

    /// The error for a divergence. In a trace without keys, this may be the end of what can be replayed: the first step that uses a key.
    ///
    #[must_use]
    pub fn diverged(&self, mut divergence: Box<Divergence>) -> Error {
        let uses_key = || {
            let action = self.trace.action(divergence.pid, divergence.action).ok();
            action.is_some_and(|action| action.accesses.iter().any(|access| access.resource.has_key()))
        };
        if self.trace.header().keys_left_out() && uses_key() {
            REDACTED.clone_into(&mut divergence.expected);
            "a key".clone_into(&mut divergence.found);
        }
        Error::Diverged(divergence)
    }

    /// Classifies why a replay failed: a bad trace, or a bug. A trace can be impossible although all checksums are right; here, off the hot
    /// path, it is checked in full.
    #[must_use]
    pub fn fault(&self, what: String) -> Error {
        let checked = self.trace.verify_sections();
        match checked.and_then(|()| crate::consistency::check(&self.trace)) {
            Err(error) => error.into(),
            Ok(()) => Error::Bug(what),
        }
    }

    /// Did the replay do exactly what the goal says?
    fn judge(&self, goal: &Goal, system: &mut World) -> Result<(), Error> {
        if let Some(error) = system.take_damage() {
            return Err((*error).into());
        }
        if let Some(limit) = system.limit() {
            return Err(Error::Limit(limit.to_owned()));
        }
        let wanted = match &goal.extent {
            Quota::All => self.trace.totals().counts.actions,
            Quota::Some(upto) => upto.actions(),
        };
        // No process does more than the goal says, so if all together did the right number, each of them did. Checking each of very many would
        // take long.
        if system.divergence.is_none() && system.total_actions == wanted {
            debug_assert!(system.stuck().is_none(), "all did what was asked, and one did not");
            return Ok(());
        }
        if let Some(divergence) = system.divergence.clone().or_else(|| system.stuck()) {
            return Err(self.diverged(divergence));
        }
        if let Quota::Some(upto) = &goal.extent {
            for ActionId { pid, number } in upto.iter() {
                let (done, actions) = (done(system, pid), number.0);
                if done != actions {
                    self.orphans(system)?;
                    return Err(self.fault(format!("{pid} did {done} actions instead of {actions}")));
                }
            }
        }
        if system.total_actions != wanted {
            self.orphans(system)?;
            return Err(self.fault(format!(
                "{} actions were done instead of {wanted}",
                system.total_actions
            )));
        }
        Ok(())
    }
}

/// How many actions of its log a process has done.
#[must_use]
pub fn done(system: &World, pid: Pid) -> u64 {
    let handle = interpreter::term::Pid::new(0, pid.0);
    match system.table().find(handle) {
        Lookup::Dead(actions) => actions,
        Lookup::Unborn => 0,
        Lookup::Alive(_) => system.table().by_pid(handle).map_or(0, |p| p.actions),
    }
}

/// Pids of all processes that were created, ascending.
#[must_use]
pub fn born(system: &World) -> Vec<Pid> {
    system.table().pids().into_iter().map(ids::to_log).collect()
}
