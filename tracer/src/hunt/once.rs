//! One run of a hunt: the program under one schedule, recorded into memory, its output kept away from the terminal.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::{Memory, Trace};
use system::loader::{LoadedFile, Loader, SharedLoader, SourceLoader};
use system::outside::Outside as _;
use system::recorder::{Recorder, RunFacts};
use system::scheduler::{ChoicesMade, Jitter, RoundRobin, Schedule, Scheduler, Taken};
use system::{Delivery, Limits, RunClock, RunEnd, Settings, System};
use tempfile::TempDir;

use crate::built::Built;
use crate::error::{HuntError, OutputError};
use crate::execute::Loaded;
use crate::hunt::beginning::{Beginning, Recorded};
use crate::hunt::failure::{self, Failure, Rules};
use crate::hunt::figures;
use crate::hunt::watcher::Watcher;
use crate::outside::Real;
use crate::report::{self, Verdict};
use crate::test::Told;

/// The program, and all that the runs of a hunt have in common.
pub struct Prey {
    /// The modules that the last run had loaded, so that each is compiled once. Once a run has come to its first test, those that it had loaded there:
    /// a program can ask what is loaded, and a run that begins at its start is to come to the test as that run did.
    program: Mutex<Arc<Program>>,
    loader: Arc<Mutex<SourceLoader>>,
    /// The diagnostics of modules that do not compile.
    broken: Arc<Mutex<Vec<String>>>,
    read: Arc<Mutex<Vec<LoadedFile>>>,
    named: Atom,
    module: Atom,
    function: Atom,
    arguments: Option<Vec<String>>,
    /// Variables of the environment that the program finds set.
    variables: Vec<(String, String)>,
    /// Is it `mix test`, which takes the seed, too?
    pub is_of_mix: bool,
    /// Do its runs run tests, so that there has to be one?
    pub runs_tests: bool,
    /// The facts of every run, but for schedule, seed and command.
    facts: RunFacts,
    /// Limits of one run.
    pub limits: Bounds,
    /// What counts as a failure.
    pub rules: Rules,
    /// Tells a run to stop.
    pub stop: Arc<AtomicBool>,
    /// Has a run changed a file, or started a program, which could?
    writes: Arc<AtomicBool>,
    /// The folder that a suite of tests may write to: empty when a run begins.
    private: Option<Arc<TempDir>>,
    /// The folders that a build would make.
    built: Built,
    /// Where the first test of a run begins, once a run has come to it.
    beginning: Mutex<Option<Beginning>>,
    has_given_up: AtomicBool,
}

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunKind {
    /// The trace holds also what no process has called, for other ways of the run. That takes longer than most tests; without it, only a run that fails
    /// has it, where all begin at their start.
    pub whole: bool,
    /// It continues no copy, also if its schedule begins where the first test does.
    pub afresh: bool,
}

impl RunKind {
    /// With all in its trace.
    pub const WHOLE: Self = Self {
        whole: true,
        afresh: false,
    };
    /// From its start.
    pub const AFRESH: Self = Self {
        whole: false,
        afresh: true,
    };
}

/// What a run did, as numbers that do not depend on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Before its first test began.
    pub before: u64,
    /// In all.
    pub all: u64,
}

/// Limits of one run.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Simulated nanoseconds.
    pub time: Option<u64>,
    /// Living processes.
    pub processes: usize,
    /// Bytes.
    pub memory: Option<usize>,
    /// The schedulers that the program is told of.
    pub schedulers: u32,
    /// Steps of the scheduler.
    pub steps: u32,
    /// See [`system::scheduler::Jitter`].
    pub jitter: u64,
    /// In which order messages arrive.
    pub delivery: Delivery,
    /// Does the run end with the entry?
    pub exit_with_entry: bool,
    /// For `init:get_plain_arguments/0`.
    pub arguments: Vec<String>,
}

/// A run that has ended.
#[derive(Clone)]
pub struct Ran {
    /// How it ended.
    pub verdict: Verdict,
    /// What runners of tests have told.
    pub told: Told,
    /// Why it counts as a failure.
    pub failure: Option<Failure>,
    /// The choices of the schedule, if it tells them.
    pub made: Option<ChoicesMade>,
    /// The trace.
    pub trace: Vec<u8>,
    /// Was it told to stop before its end?
    pub stopped: bool,
    /// Did it continue a copy?
    pub is_copy: bool,
    /// Its program, if runs begin where the first test does: for a replay, which then compiles nothing.
    pub program: Option<Arc<Program>>,
    /// Does the trace hold what no process has called, too?
    pub is_whole: bool,
    /// What it did.
    pub work: Work,
    /// Had the entry ended, while other processes went on up to a limit?
    pub lives_on: bool,
}

impl Ran {
    /// A number for its logs.
    fn log(&self) -> log_format::Result<u64> {
        figures::digest(&Trace::from_bytes(self.trace.clone())?)
    }

    /// Is it the same run as another one?
    ///
    /// # Errors
    /// A trace is damaged: our own fault.
    pub fn is_as(&self, other: &Self) -> Result<bool, HuntError> {
        Ok(self.failure == other.failure && self.log()? == other.log()?)
    }

    /// Writes its trace into the folder, under the name of the program and of the run's log. Returns its path.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, folder: &Path, program: &str) -> Result<PathBuf, OutputError> {
        let log = self.log().map_err(OutputError::UnreadTrace)?;
        let path = log_format::kept::path(folder, program, (log >> 32) as u32);
        let written = || -> std::io::Result<()> {
            std::fs::create_dir_all(folder)?;
            let file = log_format::NewFile::aside(&path)?;
            file.handle()?.write_all(&self.trace)?;
            file.keep()
        };
        match written() {
            Ok(()) => Ok(path),
            Err(error) => Err(OutputError::FoundTrace { path, error }),
        }
    }
}

impl Prey {
    /// From a loaded program.
    pub fn new(
        loaded: Loaded,
        facts: RunFacts,
        limits: Bounds,
        rules: Rules,
        stop: Arc<AtomicBool>,
        private: Option<TempDir>,
    ) -> Self {
        let broken = loaded.loader().broken();
        Self {
            program: Mutex::new(Arc::clone(&loaded.program)),
            read: loaded.shared_list(),
            broken,
            loader: loaded.loader,
            variables: loaded.variables,
            is_of_mix: loaded.is_of_mix,
            runs_tests: loaded.runs_tests,
            named: loaded.named,
            module: loaded.module,
            function: loaded.function,
            arguments: loaded.arguments,
            facts,
            limits,
            rules,
            stop,
            private: private.map(Arc::new).or(loaded.private),
            built: loaded.built,
            writes: Arc::default(),
            beginning: Mutex::default(),
            has_given_up: AtomicBool::new(false),
        }
    }

    /// The name of the program's module.
    pub fn name(&self) -> &'static str {
        self.named.as_str()
    }

    /// The diagnostics of a module that the program calls and that does not compile.
    pub fn broken(&self) -> Option<String> {
        let broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.first().cloned()
    }

    fn sources(&self) -> Vec<LoadedFile> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn settings(&self, scheduler: Box<dyn Scheduler>, outside: Real) -> Settings {
        Settings {
            scheduler,
            outside: Box::new(outside),
            loader: self.loader(),
            clock: RunClock::Virtual(0),
            delivery: self.limits.delivery,
            limits: Limits {
                time: self.limits.time,
                processes: self.limits.processes,
                memory: self.limits.memory,
                schedulers: self.limits.schedulers,
            },
            arguments: self.limits.arguments.clone(),
            exit_with_entry: self.limits.exit_with_entry,
        }
    }

    fn loader(&self) -> Box<dyn Loader> {
        Box::new(SharedLoader(Arc::clone(&self.loader)))
    }

    /// The scheduler of a run, and a handle to its choices.
    fn scheduler(&self, schedule: &Schedule, seed: u64) -> (Box<dyn Scheduler>, Option<Taken>) {
        // Also for a list of switches: a run made simpler has the load of the run that was found.
        schedule.scheduler(seed, Jitter::new(seed, self.limits.jitter))
    }

    /// Runs it. `command` repeats the run.
    ///
    /// # Errors
    /// The trace cannot be made: our own fault.
    pub fn run(&self, schedule: &Schedule, seed: u64, command: Vec<String>) -> Result<Ran, HuntError> {
        self.run_within(self.limits.steps, schedule, seed, command, RunKind::default())
    }

    /// As [`Self::run`], with at most this many steps of the scheduler.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_within(
        &self,
        steps: u32,
        schedule: &Schedule,
        seed: u64,
        command: Vec<String>,
        kind: RunKind,
    ) -> Result<Ran, HuntError> {
        let mut arguments = self.arguments.clone();
        let has_seed = |words: &[String]| words.iter().any(|word| word == "--seed" || word.starts_with("--seed="));
        if let (true, Some(arguments)) = (self.is_of_mix, &mut arguments)
            && !has_seed(arguments)
        {
            arguments.extend(["--seed".to_owned(), seed.to_string()]);
        }
        let facts = RunFacts {
            schedule: schedule.to_string(),
            seed: Some(seed),
            command,
            arguments,
            sources: self.sources(),
            ..self.facts.clone()
        };
        let (mut run, end) = match schedule.at_test() {
            None => {
                let (scheduler, taken) = self.scheduler(schedule, seed);
                let mut run = self.started(&facts, seed, scheduler)?;
                run.taken = taken;
                let end = run.system.run_for(u64::MAX, steps);
                (run, end)
            }
            Some((draw, then)) => match self.at_test(&facts, seed, steps, kind.afresh)? {
                AtTest::Ended(run, end) => (run, Some(end)),
                AtTest::Begins(mut run) => {
                    run.before = work_of(&run.system);
                    let (scheduler, taken) = self.scheduler(then, draw);
                    run.system.goes_on_by(scheduler, draw);
                    run.taken = taken;
                    let end = run.system.run_for(u64::MAX, steps);
                    (run, end)
                }
            },
        };
        let end = end.unwrap_or_else(|| RunEnd::Limit(format!("{steps} steps of the scheduler")));
        self.learn(&run);
        let system = &mut run.system;
        let work = Work {
            before: run.before,
            all: work_of(system),
        };
        let printed = system.outside().printed().unwrap_or_default();
        let mut told = Told::default();
        system.outside().heard().iter().for_each(|words| told.hear(words));
        let verdict = report::verdict(system, &end);
        let has_beginning = self.has_beginning();
        let is_whole = kind.whole || !has_beginning && !failure::is_none(system, &verdict, &self.rules);
        if !is_whole {
            system.observer.holds_called_only();
        }
        Recorder::finish(system, &self.sources(), &verdict.run)?;
        let has_ended = system.table().by_pid(system.entry()).is_none();
        let trace = run.trace.take();
        let read = || Trace::from_bytes(trace.clone());
        let failure = failure::of(system, &verdict, read, &printed, &self.rules);
        let failure = failure?;
        Ok(Ran {
            lives_on: has_ended && matches!(verdict.run, log_format::RunEnd::Limit(_)),
            verdict,
            told,
            failure,
            made: run.taken.map(|taken| taken.so_far()),
            trace,
            is_copy: run.is_copy,
            program: has_beginning.then(|| Arc::clone(&system.program)),
            is_whole,
            work,
            stopped: end == RunEnd::Interrupted,
        })
    }

    /// A run that is about to begin at its start.
    fn started(&self, facts: &RunFacts, seed: u64, scheduler: Box<dyn Scheduler>) -> Result<Run, HuntError> {
        self.empty_folder()?;
        let mut outside = Real::hidden(Arc::clone(&self.stop), seed, self.limits.memory);
        outside.has_built(self.built.clone());
        outside.notes_writes(Arc::clone(&self.writes));
        for (name, value) in &self.variables {
            outside.set_variable(name, Some(value));
        }
        let settings = self.settings(scheduler, outside);
        let trace = Memory::default();
        let recorder = Recorder::new(Box::new(trace.clone()), 0, facts, Watcher::default())?;
        let mut system = System::new(held(&self.program).clone(), recorder, settings, None);
        if self.facts.node != system::NO_NODE {
            system.name_node(&self.facts.node);
        }
        system.start(self.module, self.function, facts.arguments.as_deref());
        Ok(Run::of(system, trace, false))
    }

    /// A run that stands where its first test begins: a copy of the first one that came there, if that is possible.
    fn at_test(&self, facts: &RunFacts, seed: u64, steps: u32, afresh: bool) -> Result<AtTest, HuntError> {
        let afresh = afresh || self.has_given_up();
        if !afresh && let Some(run) = self.copied(facts, seed)? {
            return Ok(AtTest::Begins(run));
        }
        let mut run = self.started(facts, seed, Box::<RoundRobin>::default())?;
        let end = run.system.run_to_test(steps);
        if end.is_some() || !run.system.has_come_to_tests() {
            let end = end.unwrap_or_else(|| RunEnd::Limit(format!("{steps} steps of the scheduler")));
            return Ok(AtTest::Ended(run, end));
        }
        run.system.cut();
        let mut beginning = held(&self.beginning);
        if afresh || beginning.is_some() {
            return Ok(AtTest::Begins(run));
        }
        *held(&self.program) = Arc::clone(&run.system.program);
        let folder = self.private.as_deref().map(TempDir::path);
        let mut first = Beginning::new(run.system, run.trace, seed, folder)?;
        Ok(AtTest::Begins(match first.copy(facts, self.loader())? {
            Some((system, trace)) => {
                *beginning = Some(first);
                Run::of(system, trace, true)
            }
            None => {
                let (system, trace) = first.into_parts();
                Run::of(system, trace, false)
            }
        }))
    }

    /// A copy of the run that was kept where its first test begins, if that is one with this seed.
    fn copied(&self, facts: &RunFacts, seed: u64) -> Result<Option<Run>, HuntError> {
        let mut beginning = held(&self.beginning);
        let Some(beginning) = beginning.as_mut().filter(|beginning| beginning.seed == seed) else {
            return Ok(None);
        };
        if let Some(folder) = self.private.as_deref() {
            self.empty_folder()?;
            beginning.furnish(folder.path())?;
        }
        let copy = beginning.copy(facts, self.loader())?;
        Ok(copy.map(|(system, trace)| Run::of(system, trace, true)))
    }

    /// Has a run changed a file, or started a program, which could? Then runs at the same time could meet.
    pub fn has_written(&self) -> bool {
        self.writes.load(Ordering::Relaxed)
    }

    /// From now on, all runs begin at their start.
    pub fn give_up_copies(&self) {
        self.has_given_up.store(true, Ordering::Relaxed);
        *held(&self.beginning) = None;
    }

    /// Do all runs begin at their start, because one that continued a copy went another way?
    pub fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }

    /// Do runs begin where the first test does?
    pub fn has_beginning(&self) -> bool {
        held(&self.beginning).is_some()
    }

    /// What a run has loaded is there for the next one.
    fn learn(&self, run: &Run) {
        match held(&self.beginning).as_mut() {
            Some(beginning) if run.is_copy => beginning.learn(&run.system.program, &mut *self.loader()),
            None if !run.is_copy => *held(&self.program) = Arc::clone(&run.system.program),
            _ => {}
        }
    }

    fn empty_folder(&self) -> Result<(), HuntError> {
        let folder = self.private.as_deref().map(TempDir::path);
        folder.map_or(Ok(()), |path| {
            empty(path).map_err(|error| HuntError::folder(path, error))
        })
    }
}

/// A run that goes on.
struct Run {
    system: Recorded,
    trace: Memory,
    /// The choices of its schedule.
    taken: Option<Taken>,
    /// What it had done when its first test began.
    before: u64,
    /// Has it begun as a copy?
    is_copy: bool,
}

impl Run {
    const fn of(system: Recorded, trace: Memory, is_copy: bool) -> Self {
        Self {
            system,
            trace,
            taken: None,
            before: 0,
            is_copy,
        }
    }
}

/// A run that was to come to its first test.
enum AtTest {
    /// The test begins.
    Begins(Run),
    /// The run has ended before.
    Ended(Run, RunEnd),
}

/// An action costs about as much as so many counted events.
pub const EVENTS_OF_AN_ACTION: u64 = 20;

/// What a system has done.
fn work_of(system: &Recorded) -> u64 {
    system.total_events + EVENTS_OF_AN_ACTION * system.total_actions
}

fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn empty(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
