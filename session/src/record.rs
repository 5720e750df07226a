//! Records a program on a simulated outside, inside the replayer: for the demo, and wherever a run is needed that touches nothing.

use std::path::Path;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::CodeInfo as _;
use interpreter::vm::Program;
use log_format::{CompileOption, ExitClass, Memory, RunEnd};
use system::loader::{Archive, Files, LoadedFile, Loader as _, ModuleFile, Role, SourceLoader};
use system::observer::{Nobody, Observer};
use system::outside::Simulated;
use system::recorder::{self, Recorder, RunFacts};
use system::scheduler::{Random, Scheduler};
use system::{DEFAULT_SCHEDULERS, Delivery, Limits, RunClock, Settings, System, World};

use syntax::{Language, Release};

use crate::error::Error;
use crate::program::transforming;

/// A program whose sources are in memory.
#[derive(Clone, Debug)]
pub struct Text {
    /// The path that messages show.
    pub path: String,
    /// The source of its one module, which exports `main/0`.
    pub source: Arc<[u8]>,
    /// The release of OTP that it is of.
    pub release: Release,
}

/// Virtual seconds after which a run is stopped.
const LONGEST: u64 = 3600;

/// A loaded program, and the files that were read for it.
struct Loaded {
    program: Program,
    loader: SourceLoader,
    module: Atom,
    function: Atom,
    node: Option<String>,
    /// Limit: bytes that it may hold.
    memory: Option<usize>,
    delivery: Delivery,
}

impl Text {
    /// A program of one module.
    #[must_use]
    pub fn new(path: &str, source: &str) -> Self {
        Self {
            path: path.to_owned(),
            source: source.as_bytes().into(),
            release: Release::OLDEST,
        }
    }

    /// `keep`: keep variables for a debugger. `node`: the name of the first node, if it is to be alive.
    fn load(&self, keep: bool, node: Option<&str>) -> Result<Loaded, Error> {
        let source = LoadedFile {
            role: Role::Module(String::new()),
            path: self.path.clone(),
            text: Arc::clone(&self.source),
            options: Vec::new(),
        };
        let mut loader = SourceLoader::new(Box::new(Archive::new(vec![source]))).of(Language::of(self.release));
        let mut program = system::natives::program(loader.release());
        if keep {
            program.keep_variables();
        }
        let module = loader
            .load_file(ModuleFile::plain(&*self.path, Arc::clone(&self.source)), &mut program)
            .map_err(Error::from)?;
        Ok(Loaded {
            program,
            loader,
            module,
            function: Atom::new("main"),
            node: node.map(str::to_owned),
            memory: None,
            delivery: Delivery::Causal,
        })
    }

    /// Runs it under a random schedule. Returns the system at its end, and how it ended.
    ///
    /// # Errors
    /// It does not compile.
    pub fn run<O: Observer>(&self, seed: u64, observer: O) -> Result<(System<O>, RunEnd), Error> {
        let loaded = self.load(true, None)?;
        let mut system = start(loaded, seed, observer);
        let end = system.run();
        let end = verdict(&system, &end);
        Ok((system, end))
    }

    /// Does it fail under this schedule (its entry crashes, or waits for ever)?
    ///
    /// # Errors
    /// It does not compile.
    pub fn fails(&self, seed: u64) -> Result<bool, Error> {
        let (_, end) = self.run(seed, Nobody)?;
        Ok(is_failure(&end))
    }

    /// Runs it under a random schedule and writes its trace. Returns how it ended, and the length of the trace in bytes.
    ///
    /// `recorder` makes the recorder from the facts of the run.
    ///
    /// # Errors
    /// It does not compile.
    pub fn record(
        &self,
        seed: u64,
        command: &[String],
        recorder: impl FnOnce(&RunFacts) -> Result<Recorder<Nobody>, Error>,
        failed: impl FnOnce(String) -> Error,
    ) -> Result<(RunEnd, u64), Error> {
        record(self.load(false, None)?, seed, command, recorder, failed)
    }

    /// A trace of the program in which nothing has been done: for a session that starts from scratch.
    ///
    /// # Errors
    /// It does not compile.
    pub fn blank(&self) -> Result<Vec<u8>, Error> {
        self.blank_on(None)
    }

    /// As [`Text::blank`], with the name of the first node, if it is to be alive.
    ///
    /// # Errors
    /// It does not compile.
    pub fn blank_on(&self, node: Option<&str>) -> Result<Vec<u8>, Error> {
        blank(self.load(false, node)?)
    }

    /// As [`Text::blank`], with the files that it includes, its compiler options, another entry than `main/0` of this module, and these modules, too.
    ///
    /// # Errors
    /// It does not compile; there is no such entry.
    pub fn blank_from(
        &self,
        files: impl Files + Clone + Sync + 'static,
        options: Vec<CompileOption>,
        entry: Option<(&str, &str)>,
        also: &[&str],
    ) -> Result<Vec<u8>, Error> {
        let again = files.clone();
        let language = Language::of(self.release);
        let mut loader = transforming(Box::new(files), move || Box::new(again.clone()), Vec::new(), language);
        let mut program = system::natives::program(loader.release());
        let file = ModuleFile {
            path: self.path.clone(),
            text: Arc::clone(&self.source),
            options,
            forms: None,
        };
        let own = loader.load_file(file, &mut program).map_err(Error::from)?;
        let (module, function) = match entry {
            None => (own, Atom::new("main")),
            Some((module, function)) => (Atom::new(module), Atom::new(function)),
        };
        if !program.is_loaded(module) {
            loader.load(module, &mut program).map_err(Error::from)?;
        }
        for name in also.iter().map(|name| Atom::new(name)) {
            if !program.is_loaded(name) {
                loader.load(name, &mut program).map_err(Error::from)?;
            }
        }
        if !program.is_exported(module, function, 0) {
            return Err(Error::Usage(format!(
                "the program exports no {module}:{function}/0; export it, or name another entry with --entry MOD:FUN"
            )));
        }
        blank(Loaded {
            program,
            loader,
            module,
            function,
            node: None,
            memory: None,
            delivery: Delivery::Causal,
        })
    }

    /// [`Text::record`] into memory. The clock in the header is 0.
    ///
    /// # Errors
    /// It does not compile.
    pub fn record_bytes(&self, seed: u64) -> Result<(RunEnd, Vec<u8>), Error> {
        self.record_bytes_on(None, seed, None, Delivery::Causal)
    }

    /// As [`Text::record_bytes`], with the name of the first node, if it is to be alive, at most `memory` bytes for the program, and this order
    /// of delivery.
    ///
    /// # Errors
    /// It does not compile.
    pub fn record_bytes_on(
        &self,
        node: Option<&str>,
        seed: u64,
        memory: Option<usize>,
        delivery: Delivery,
    ) -> Result<(RunEnd, Vec<u8>), Error> {
        let mut loaded = self.load(false, node)?;
        loaded.memory = memory;
        loaded.delivery = delivery;
        let sink = Memory::default();
        let bytes = sink.clone();
        let bug = |error: String| Error::Bug(format!("memory cannot be written: {error}"));
        let (end, _) = record(
            loaded,
            seed,
            &[],
            |facts| Recorder::new(Box::new(sink), 0, facts, Nobody).map_err(|error| bug(error.to_string())),
            bug,
        )?;
        Ok((end, bytes.take()))
    }

    /// [`Text::record_bytes`] under this scheduler.
    ///
    /// # Errors
    /// It does not compile.
    pub fn record_by(&self, scheduler: Box<dyn Scheduler>) -> Result<(RunEnd, Vec<u8>), Error> {
        self.record_under(scheduler, Delivery::Causal)
    }

    /// [`Text::record_by`] with this order of delivery.
    ///
    /// # Errors
    /// It does not compile.
    pub fn record_under(&self, scheduler: Box<dyn Scheduler>, delivery: Delivery) -> Result<(RunEnd, Vec<u8>), Error> {
        let mut loaded = self.load(false, None)?;
        loaded.delivery = delivery;
        let sink = Memory::default();
        let bytes = sink.clone();
        let bug = |error: String| Error::Bug(format!("memory cannot be written: {error}"));
        let facts = facts(&loaded, 0, &[]);
        let recorder = Recorder::new(Box::new(sink), 0, &facts, Nobody).map_err(|error| bug(error.to_string()))?;
        let read = loaded.loader.shared_list();
        let module = loaded.module;
        let mut system = make_under(loaded, scheduler, 0, recorder);
        system.start(module, Atom::new("main"), None);
        let end = system.run();
        let end = verdict(&system, &end);
        let read = read.lock().map(|list| list.clone()).unwrap_or_default();
        Recorder::finish(&mut system, &read, &end).map_err(|lost| bug(lost.to_string()))?;
        Ok((end, bytes.take()))
    }

    /// [`Text::record`] into a file.
    ///
    /// # Errors
    /// It does not compile; the file cannot be written.
    pub fn record_to(&self, seed: u64, command: &[String], path: &Path) -> Result<(RunEnd, u64), Error> {
        let failed = |error: String| Error::Output {
            path: path.to_path_buf(),
            error,
        };
        self.record(
            seed,
            command,
            |facts| {
                Recorder::create(path, facts, recorder::RecordOptions::default(), Nobody)
                    .map_err(|error| failed(error.to_string()))
            },
            failed,
        )
    }
}

/// A trace in which nothing has been done.
fn blank(loaded: Loaded) -> Result<Vec<u8>, Error> {
    let sink = Memory::default();
    let bytes = sink.clone();
    let bug = |error: String| Error::Bug(format!("memory cannot be written: {error}"));
    let facts = facts(&loaded, 0, &[]);
    let read = loaded.loader.shared_list();
    let recorder = Recorder::new(Box::new(sink), 0, &facts, Nobody).map_err(|error| bug(error.to_string()))?;
    let mut system = make(loaded, 0, recorder);
    let end = RunEnd::Unrecorded {
        why: "nothing was run: the program is driven by hand".to_owned(),
        then: "it has not begun".to_owned(),
    };
    let read = read.lock().map(|list| list.clone()).unwrap_or_default();
    Recorder::finish(&mut system, &read, &end).map_err(|lost| bug(lost.to_string()))?;
    Ok(bytes.take())
}

fn record(
    loaded: Loaded,
    seed: u64,
    command: &[String],
    recorder: impl FnOnce(&RunFacts) -> Result<Recorder<Nobody>, Error>,
    failed: impl FnOnce(String) -> Error,
) -> Result<(RunEnd, u64), Error> {
    let facts = facts(&loaded, seed, command);
    let read = loaded.loader.shared_list();
    let mut system = start(loaded, seed, recorder(&facts)?);
    let end = system.run();
    let end = verdict(&system, &end);
    let read = read.lock().map(|list| list.clone()).unwrap_or_default();
    let written = Recorder::finish(&mut system, &read, &end).map_err(|lost| failed(lost.to_string()))?;
    Ok((end, written.bytes))
}

/// The description of a run in its trace.
fn facts(loaded: &Loaded, seed: u64, command: &[String]) -> RunFacts {
    RunFacts {
        tool: concat!("replay ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: command.to_vec(),
        entry: (loaded.module, loaded.function),
        arguments: None,
        without_arguments: false,
        node: loaded.node.clone().unwrap_or_else(|| system::NO_NODE.to_owned()),
        schedule: "random".to_owned(),
        seed: Some(seed),
        virtual_time: true,
        facts: recorder::facts(&loaded.program, DEFAULT_SCHEDULERS),
        sources: loaded
            .loader
            .shared_list()
            .lock()
            .map(|list| list.clone())
            .unwrap_or_default(),
        natives: recorder::natives(&loaded.program),
        read: Some(loaded.loader.shared_list()),
    }
}

fn start<O: Observer>(loaded: Loaded, seed: u64, observer: O) -> System<O> {
    let module = loaded.module;
    let mut system = make(loaded, seed, observer);
    system.start(module, Atom::new("main"), None);
    system
}

/// A system without processes.
fn make<O: Observer>(loaded: Loaded, seed: u64, observer: O) -> System<O> {
    make_under(loaded, Box::new(Random::new(seed)), seed, observer)
}

fn make_under<O: Observer>(loaded: Loaded, scheduler: Box<dyn Scheduler>, seed: u64, observer: O) -> System<O> {
    let Loaded {
        program,
        loader,
        node,
        memory,
        delivery,
        ..
    } = loaded;
    let settings = Settings {
        scheduler,
        outside: Box::new(Simulated::new(seed)),
        loader: Box::new(loader),
        clock: RunClock::Virtual(0),
        delivery,
        limits: Limits {
            time: Some(LONGEST * 1_000_000_000),
            memory,
            ..Limits::default()
        },
        arguments: Vec::new(),
        exit_with_entry: false,
    };
    let mut system = System::new(Arc::new(program), observer, settings, None);
    if let Some(node) = node {
        system.name_node(&node);
    }
    system
}

/// How a run ended, for the trace.
pub fn verdict(system: &World, end: &system::RunEnd) -> RunEnd {
    match end {
        system::RunEnd::Halted(code) => RunEnd::Halted(*code),
        system::RunEnd::Limit(which) => RunEnd::Limit(which.clone()),
        system::RunEnd::Interrupted => RunEnd::Interrupted("a signal".to_owned()),
        system::RunEnd::Quiescent | system::RunEnd::EntryEnded => match system.entry_end {
            None => RunEnd::Deadlock,
            Some(Some(ExitClass::Normal)) => RunEnd::Returned(String::new()),
            Some(class) => {
                let class = class.map_or("signal", ExitClass::word);
                RunEnd::Crashed {
                    class: class.to_owned(),
                    reason: String::new(),
                }
            }
        },
    }
}

/// Would people call this end a failure?
#[must_use]
pub const fn is_failure(end: &RunEnd) -> bool {
    match end {
        RunEnd::Crashed { .. } | RunEnd::Deadlock => true,
        RunEnd::Halted(code) => *code != 0,
        RunEnd::Returned(_) | RunEnd::Limit(_) | RunEnd::Interrupted(_) | RunEnd::Unrecorded { .. } => false,
    }
}
