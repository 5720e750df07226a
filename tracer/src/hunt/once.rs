//! One run of a hunt: the program under one schedule, recorded into memory, its output kept away from the terminal.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::Memory;
use system::loader::{LoadedFile, SharedLoader, SourceLoader};
use system::outside::Outside as _;
use system::recorder::{Recorder, RunFacts};
use system::scheduler::{ChoicesMade, Jitter, Schedule};
use system::{Delivery, Limits, RunClock, RunEnd, Settings, System};
use tempfile::TempDir;

use crate::built::Built;
use crate::error::HuntError;
use crate::execute::Loaded;
use crate::hunt::failure::{self, Failure, Rules};
use crate::hunt::watcher::Watcher;
use crate::outside::Real;
use crate::report;
use crate::test::Told;

/// The program, and all that the runs of a hunt have in common.
pub struct Prey {
    /// The modules that the last run had loaded, so that each is compiled once.
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
    /// The folder that a suite of tests may write to: empty when a run begins.
    private: Option<Arc<TempDir>>,
    /// The folders that a build would make.
    built: Built,
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
    /// How, in a few words.
    pub end: log_format::RunEnd,
    /// Why it counts as a failure.
    pub failure: Option<Failure>,
    /// The choices of the schedule, if it tells them.
    pub made: Option<ChoicesMade>,
    /// The trace.
    pub trace: Vec<u8>,
    /// Was it told to stop before its end?
    pub stopped: bool,
    /// Had the entry ended, while other processes went on up to a limit?
    pub lives_on: bool,
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

    fn settings(&self, schedule: &Schedule, seed: u64, outside: Real) -> (Settings, Option<system::scheduler::Taken>) {
        // Also for a list of switches: a run made simpler has the load of the run that was found.
        let jitter = Jitter::new(seed, self.limits.jitter);
        let (scheduler, taken) = schedule.scheduler(seed, jitter);
        let settings = Settings {
            scheduler,
            outside: Box::new(outside),
            loader: Box::new(SharedLoader(Arc::clone(&self.loader))),
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
        };
        (settings, taken)
    }

    /// Runs it. `command` repeats the run; `told`: what a runner of tests tells.
    ///
    /// # Errors
    /// The trace cannot be made: our own fault.
    pub fn run(
        &self,
        schedule: &Schedule,
        seed: u64,
        command: Vec<String>,
        told: Option<&Arc<Mutex<Told>>>,
    ) -> Result<Ran, HuntError> {
        self.run_within(self.limits.steps, schedule, seed, command, told)
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
        told: Option<&Arc<Mutex<Told>>>,
    ) -> Result<Ran, HuntError> {
        if let Some(folder) = self.private.as_deref() {
            empty(folder.path()).map_err(|error| HuntError::Folder {
                path: folder.path().to_owned(),
                error,
            })?;
        }
        let printed = Memory::default();
        let mut outside = Real::hidden(Arc::clone(&self.stop), seed, self.limits.memory, printed.clone());
        outside.has_built(self.built.clone());
        if let Some(told) = told {
            outside.hears(Arc::clone(told));
        }
        for (name, value) in &self.variables {
            outside.set_variable(name, Some(value));
        }
        let mut arguments = self.arguments.clone();
        if let (true, Some(arguments)) = (self.is_of_mix, &mut arguments) {
            arguments.extend(["--seed".to_owned(), seed.to_string()]);
        }
        let (settings, taken) = self.settings(schedule, seed, outside);
        let facts = RunFacts {
            schedule: schedule.to_string(),
            seed: Some(seed),
            command,
            arguments: arguments.clone(),
            sources: self.sources(),
            ..self.facts.clone()
        };
        let trace = Memory::default();
        let recorder = Recorder::new(Box::new(trace.clone()), 0, &facts, Watcher::default());
        let recorder = recorder?;
        let program = Arc::clone(&self.program.lock().unwrap_or_else(PoisonError::into_inner));
        let mut system = System::new(program, recorder, settings, None);
        if self.facts.node != system::NO_NODE {
            system.name_node(&self.facts.node);
        }
        system.start(self.module, self.function, arguments.as_deref());
        let end = system
            .run_for(u64::MAX, steps)
            .unwrap_or_else(|| RunEnd::Limit(format!("{steps} steps of the scheduler")));
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&system.program);
        let verdict = report::verdict(&system, &end);
        Recorder::finish(&mut system, &self.sources(), &verdict.run)?;
        let has_ended = system.table().by_pid(system.entry()).is_none();
        let trace = trace.take();
        let read = || log_format::Trace::from_bytes(trace.clone());
        let failure = failure::of(&system, &verdict, read, &printed.take(), &self.rules);
        let failure = failure?;
        Ok(Ran {
            lives_on: has_ended && matches!(verdict.run, log_format::RunEnd::Limit(_)),
            end: verdict.run,
            failure,
            made: taken.map(|taken| taken.so_far()),
            trace,
            stopped: end == RunEnd::Interrupted,
        })
    }
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
