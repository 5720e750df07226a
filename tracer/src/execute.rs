//! One run of a loaded program on the real outside.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::InputClass;
use system::loader::{LoadedFile, SharedLoader, SourceLoader};
use system::observer::Observer;
use system::outside::Outside;
use system::recorder::{self, RunFacts};
use system::{Limits, RunClock, RunEnd, Settings, System};
use tempfile::TempDir;

use crate::built::Built;
use crate::options::{Recording, Running};
use crate::outside::Real;
use crate::report::Reports;

/// A program, ready to run, also several times: what one run has loaded is there for the next.
pub struct Loaded {
    /// Its modules.
    pub program: Arc<Program>,
    /// Where further modules come from.
    pub loader: Arc<Mutex<SourceLoader>>,
    /// The module that the person named: the entry's, or that whose tests run. Traces are named after it.
    pub named: Atom,
    /// The module of the entry.
    pub module: Atom,
    /// The function of the entry.
    pub function: Atom,
    /// Its argument, a list of strings; `None`: it has no argument.
    pub arguments: Option<Vec<String>>,
    /// The folders that a build would make.
    pub built: Built,
    /// Variables of the environment that the program finds set.
    pub variables: Vec<(String, String)>,
    /// Is it `mix test`?
    pub is_of_mix: bool,
    /// Does the entry run tests, so that there has to be one?
    pub runs_tests: bool,
    /// The folder that a suite may write to; it lives as long as this.
    pub private: Option<Arc<TempDir>>,
}

impl Loaded {
    /// A program that starts at a function with arguments.
    #[must_use]
    pub fn new(
        program: Program,
        loader: SourceLoader,
        (module, function): (Atom, Atom),
        arguments: Vec<String>,
    ) -> Self {
        Self {
            program: Arc::new(program),
            loader: Arc::new(Mutex::new(loader)),
            named: module,
            module,
            function,
            arguments: Some(arguments),
            built: Built::default(),
            variables: Vec::new(),
            is_of_mix: false,
            runs_tests: false,
            private: None,
        }
    }

    /// Every file that was read so far.
    #[must_use]
    pub fn read(&self) -> Vec<LoadedFile> {
        let list = self.shared_list();
        list.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The list of the files that are read.
    #[must_use]
    pub fn shared_list(&self) -> Arc<Mutex<Vec<LoadedFile>>> {
        self.loader().shared_list()
    }

    /// The loader, while nothing runs.
    pub fn loader(&self) -> std::sync::MutexGuard<'_, SourceLoader> {
        self.loader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a run is started with besides the options that commands share.
pub struct Rest {
    /// For `init:get_plain_arguments/0`.
    pub arguments: Vec<String>,
    /// Does the run end when the entry process has ended?
    pub exit_with_entry: bool,
}

/// The facts about a run that its trace begins with.
pub fn facts(loaded: &Loaded, recording: &Recording, running: &Running, command: &[OsString]) -> RunFacts {
    RunFacts {
        tool: concat!("tracer ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: command.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
        entry: (loaded.module, loaded.function),
        arguments: loaded.arguments.clone(),
        without_arguments: recording.redact_input.contains(&InputClass::Arguments),
        node: running.node().unwrap_or(system::NO_NODE).to_owned(),
        schedule: running.schedule().to_string(),
        seed: running.seed,
        virtual_time: running.virtual_time(),
        facts: recorder::facts(&loaded.program, running.schedulers),
        sources: loaded.read(),
        natives: recorder::natives(&loaded.program),
        read: Some(loaded.shared_list()),
    }
}

/// Runs the program. Returns the files that were read, too.
pub fn run<O: Observer + Reports>(
    running: &Running,
    loaded: &mut Loaded,
    rest: Rest,
    mut outside: Box<Real>,
    observer: O,
) -> (System<O>, RunEnd, Vec<LoadedFile>) {
    for (name, value) in &loaded.variables {
        outside.set_variable(name, Some(value));
    }
    let schedule = running.schedule();
    let seed = if schedule.draws() {
        running.seed.unwrap_or_else(|| outside.entropy())
    } else {
        0
    };
    let (scheduler, _) = schedule.scheduler(seed, schedule.jitter(seed, running.jitter));
    let settings = Settings {
        scheduler,
        outside,
        loader: Box::new(SharedLoader(Arc::clone(&loaded.loader))),
        clock: if running.virtual_time() {
            RunClock::Virtual(0)
        } else {
            RunClock::Real
        },
        delivery: running.delivery,
        limits: Limits {
            time: running.max_time,
            processes: running.max_processes,
            memory: running.most_memory(),
            schedulers: running.schedulers,
        },
        arguments: rest.arguments,
        exit_with_entry: rest.exit_with_entry,
    };
    let mut system = System::new(Arc::clone(&loaded.program), observer, settings, None);
    if let Some(name) = running.node() {
        system.name_node(name);
    }
    system.start(loaded.module, loaded.function, loaded.arguments.as_deref());
    let end = match schedule.at_test() {
        None => system.run(),
        Some((draw, then)) => system.run_to_test(u32::MAX).unwrap_or_else(|| {
            let (scheduler, _) = then.scheduler(draw, then.jitter(draw, running.jitter));
            system.goes_on_by(scheduler, draw);
            system.run()
        }),
    };
    system.outside().flush();
    loaded.program = Arc::clone(&system.program);
    let read = loaded.read();
    (system, end, read)
}
