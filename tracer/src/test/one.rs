//! The run of one module.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use interpreter::vm::LineCounts;
use log_format::{Memory, Trace, safe_path};
use system::recorder::{Lost, Recorder};
use tempfile::TempDir;

use super::case::{Case, ModuleRun, Status};
use super::find::{Found, Kind, Unit};
use super::keep::{self, Names};
use super::load::{Loading, Style};
use super::told::Told;
use super::{Keep, TestArgs, mix};
use crate::error::{InputError, OutputError};
use crate::execute::{self, Loaded, Rest};
use crate::exit::Exit;
use crate::options::Running;
use crate::outside::Real;
use crate::report::{self, Reporter, Verdict};
use crate::signals::Signals;

/// What the tests print, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printing {
    /// Failures, on standard output.
    Plain,
    /// Every test, on standard output.
    Verbose,
    /// Failures, on standard error: standard output is for the report.
    PlainAside,
    /// Every test, on standard error.
    VerboseAside,
    /// Nothing.
    Silent,
}

impl Printing {
    const fn style(self) -> Style {
        match self {
            Self::Plain | Self::PlainAside => Style::Plain,
            Self::Verbose | Self::VerboseAside => Style::Verbose,
            Self::Silent => Style::Silent,
        }
    }
}

/// What the runs of all modules share.
pub struct Runner<'a> {
    /// The command line.
    pub args: &'a TestArgs,
    /// The project.
    pub found: &'a Found,
    /// Signals.
    pub signals: &'a Signals,
    /// The words of the command line.
    pub command: &'a [OsString],
    /// What is printed.
    pub printing: Printing,
    /// Are traces written? Not, if there is no place for them.
    pub records: bool,
    /// Counts of the lines that the tests execute.
    pub counts: Option<Arc<LineCounts>>,
}

impl Runner<'_> {
    /// Runs the tests of a module. `kept` decides whether its trace is kept.
    pub fn run(&self, unit: &Unit, running: &Running, kept: impl FnOnce(&ModuleRun) -> bool) -> ModuleRun {
        self.run_into(None, unit, running, kept)
    }

    /// As [`Self::run`]; what the tests print goes to `printed`, if that is given.
    pub fn run_into(
        &self,
        printed: Option<Memory>,
        unit: &Unit,
        running: &Running,
        kept: impl FnOnce(&ModuleRun) -> bool,
    ) -> ModuleRun {
        let began = Instant::now();
        let alive = self.alive(unit, running);
        let running = alive.as_ref().unwrap_or(running);
        let mut run = ModuleRun::of(unit);
        // The folder is kept until the run has ended.
        if let Some((loaded, _private)) = self.loaded(unit, alive.is_some(), &mut run) {
            self.execute(loaded, running, printed, &mut run, kept);
        }
        run.seconds = began.elapsed().as_secs_f64();
        run
    }

    /// The program of a module's tests, with the folder that a suite may write to; `None`: the run says why there is none.
    pub(super) fn loaded(&self, unit: &Unit, is_alive: bool, run: &mut ModuleRun) -> Option<(Loaded, Option<TempDir>)> {
        let private = match unit.kind {
            Kind::Unit | Kind::Mix => None,
            Kind::Suite => Some(tempfile::Builder::new().prefix("tracer-").tempdir()),
        };
        let private = match private.transpose() {
            Ok(private) => private,
            Err(error) => {
                let module = unit.module.clone();
                run.lost = Some(InputError::SuiteFolder { module, error }.to_string());
                run.cases.push(Case::named(
                    &unit.module,
                    Status::Cancelled,
                    "there is no folder for its files",
                ));
                return None;
            }
        };
        match self.loading().load(unit, private.as_ref().map(TempDir::path), is_alive) {
            Ok(loaded) => Some((loaded, private)),
            Err(error) => {
                let text = error.to_string();
                report::say(&text);
                run.does_not_compile = true;
                let mut case = Case::named(&unit.module, Status::Cancelled, "the module does not compile");
                case.text = text;
                case.is_of_the_run = true;
                run.cases.push(case);
                None
            }
        }
    }

    /// How the tests of a module run that make their node alive. A node has its name from the start here, so it is looked for in the text.
    pub(super) fn alive(&self, unit: &Unit, running: &Running) -> Option<Running> {
        if running.node().is_some() {
            return None;
        }
        let asked = self.found.settings.node.clone();
        let is_asked = asked.is_some();
        let name = asked.or_else(|| super::alive::of(unit, self.found, &self.args.only))?;
        let name = super::alive::whole(&name);
        if !is_asked && !self.args.quiet && self.printing != Printing::Silent {
            report::tell(&format!(
                "{}: its node is to be alive, so it is {name} from the start",
                unit.module
            ));
        }
        Some(Running {
            name: Some(name),
            ..running.clone()
        })
    }

    fn execute(
        &self,
        mut loaded: Loaded,
        running: &Running,
        printed: Option<Memory>,
        run: &mut ModuleRun,
        kept: impl FnOnce(&ModuleRun) -> bool,
    ) {
        let told: Arc<Mutex<Told>> = Arc::default();
        let interrupted = Arc::clone(&self.signals.interrupted);
        let mut outside = Box::new(Real::new(interrupted, running.seed, running.most_memory()));
        outside.hears(Arc::clone(&told));
        outside.has_built(loaded.built.clone());
        match self.printing {
            Printing::Plain | Printing::Verbose => {}
            Printing::PlainAside | Printing::VerboseAside => outside.prints_aside(),
            Printing::Silent => outside.prints_nothing(),
        }
        if let Some(printed) = printed {
            outside.prints_to(printed);
        }
        self.signals.prints_to(outside.stdout());
        if loaded.is_of_mix {
            mix::seeded(&mut loaded, running.seed);
        }
        let broken = loaded.loader().broken();
        let recorder = self
            .recorder(&loaded, running, &run.module, self.reporter())
            .unwrap_or_else(|error| {
                run.lost = Some(error.to_string());
                None
            });
        match recorder {
            Some((recorder, names)) => {
                self.record(&mut loaded, running, outside, recorder, names, run, &told, kept);
                if loaded.is_of_mix && self.args.repeat.is_none() {
                    self.each_alone(&mut loaded, running, run);
                }
            }
            None => {
                self.signals.records(None, false, None);
                self.signals.begins();
                let (system, end, _) = execute::run(running, &mut loaded, rest(), outside, self.reporter());
                self.signals.ended();
                self.judge(run, &report::verdict(&system, &end), taken(&told));
            }
        }
        if loaded.is_of_mix {
            mix::note_modules(&loaded);
        }
        let broken = broken.lock().unwrap_or_else(PoisonError::into_inner);
        run.does_not_compile |= !broken.is_empty();
    }

    /// The recorder of a trace of this name, and where it writes; without one, the tests are run all the same.
    pub(super) fn recorder(
        &self,
        loaded: &Loaded,
        running: &Running,
        name: &str,
        reporter: Reporter,
    ) -> Result<Option<(Recorder<Reporter>, Names)>, OutputError> {
        if self.args.keep == Keep::None || !self.records {
            return Ok(None);
        }
        let facts = execute::facts(loaded, &self.args.recording, running, self.command);
        let names = keep::names(&self.args.traces, name);
        let options = self.args.recording.options();
        match Recorder::create(&names.aside, &facts, options, reporter) {
            Ok(recorder) => {
                self.signals.records(recorder.finisher(), false, Some(names.clone()));
                Ok(Some((recorder, names)))
            }
            Err(error) => Err(OutputError::KeptTrace {
                path: names.aside,
                error,
            }),
        }
    }

    /// Runs and records. The trace gets its name if it is kept.
    #[expect(clippy::too_many_arguments, reason = "the parts of one run, made by its only caller")]
    fn record(
        &self,
        loaded: &mut Loaded,
        running: &Running,
        outside: Box<Real>,
        recorder: Recorder<Reporter>,
        names: Names,
        run: &mut ModuleRun,
        told: &Mutex<Told>,
        kept: impl FnOnce(&ModuleRun) -> bool,
    ) {
        self.signals.begins();
        let (mut system, end, read) = execute::run(running, loaded, rest(), outside, recorder);
        self.signals.ended();
        let verdict = report::verdict(&system, &end);
        self.judge(run, &verdict, taken(told));
        // Most traces are thrown away: those need no end. Packing the program took a tenth of a small project's time.
        let is_wanted = self.args.keep != Keep::Failed || run.exit != Exit::Success || run.has_failed();
        if !is_wanted && self.args.recording.max_trace_bytes.is_none() {
            drop(system);
            settle(run, &names, kept);
            return;
        }
        if !is_wanted {
            system.observer.holds_called_only();
        }
        let written = Recorder::finish(&mut system, &read, &verdict.run);
        let module = &run.module;
        let is_gone = matches!(written, Err(Lost::Gone));
        match written {
            Ok(written) if written.complete => {}
            Ok(_) => {
                let limit = self.args.recording.max_trace_bytes.unwrap_or(u64::MAX);
                run.lost = Some(format!(
                    "the recording of {module} stopped at its limit of {limit} bytes"
                ));
            }
            Err(lost) => run.lost = Some(format!("the trace of {module} is lost or incomplete: {lost}")),
        }
        // What a crash reporter still holds of the trace is closed before it gets its name.
        drop(system);
        if self.args.repeat.is_some()
            && run.has_failed()
            && let Ok(trace) = Trace::open(&names.aside)
        {
            run.shape(&trace);
        }
        if !is_gone {
            settle(run, &names, kept);
        }
    }

    /// What the run means for its tests.
    pub(super) fn judge(&self, run: &mut ModuleRun, verdict: &Verdict, mut told: Told) {
        // `mix test` halts when ExUnit has finished: with a status other than 0 if a test failed. Else the program has halted.
        let is_mix = self.found.is_mix && run.path == Path::new("mix.exs");
        run.exit = match verdict.exit {
            Exit::Halt(0) if is_mix => Exit::Success,
            Exit::Halt(_) if is_mix && told.has_failed() && told.has_finished() => Exit::TestsFailed,
            exit => exit,
        };
        run.order = told.seed();
        (run.others, run.meant) = told.others();
        let ended_by_itself = matches!(run.exit, Exit::Success | Exit::TestsFailed | Exit::ReturnedError);
        let first = verdict.text.lines().next().unwrap_or_default();
        let planned: Vec<String> = run.planned.iter().filter(|test| self.is_named(test)).cloned().collect();
        run.cases = told.into_cases(&run.module, (!ended_by_itself).then_some(first), planned);
        if matches!(run.exit, Exit::Halt(_)) {
            // Not the first failed test, which is what a trace explains if nothing is named.
            for case in run.cases.iter_mut().filter(|case| case.is_of_the_run) {
                case.target = Some("halt".to_owned());
            }
        }
        if !ended_by_itself && self.printing != Printing::Silent {
            let module = &run.module;
            report::tell(&format!("{module}: {}", verdict.text));
        }
    }

    /// How modules are loaded.
    pub fn loading(&self) -> Loading<'_> {
        Loading {
            compiling: &self.args.compiling,
            only: &self.args.only,
            configs: &self.args.configs,
            found: self.found,
            style: self.printing.style(),
            counts: self.counts.as_ref(),
        }
    }

    /// Is this test selected by its name?
    fn is_named(&self, test: &str) -> bool {
        let only = &self.args.only;
        only.is_empty()
            || super::words::for_runner(only)
                .iter()
                .any(|text| test.contains(text.as_str()))
    }

    fn reporter(&self) -> Reporter {
        Reporter::new(self.printing == Printing::Silent)
    }
}

impl ModuleRun {
    /// A run that is about to begin.
    pub fn of(unit: &Unit) -> Self {
        Self {
            module: unit.module.clone(),
            path: unit.path.clone(),
            planned: unit.tests.clone(),
            cases: Vec::new(),
            others: Vec::new(),
            meant: Vec::new(),
            exit: Exit::Program,
            does_not_compile: false,
            trace: None,
            lost: None,
            order: None,
            seconds: 0.0,
        }
    }
}

/// What was told so far.
fn taken(told: &Mutex<Told>) -> Told {
    std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A module's run ends with its tests, whatever processes they leave.
pub(super) fn rest() -> Rest {
    Rest {
        arguments: Vec::new(),
        exit_with_entry: true,
    }
}

/// Gives the trace its name, or removes it. The trace of an interrupted run is kept: it may have hung.
fn settle(run: &mut ModuleRun, names: &Names, kept: impl FnOnce(&ModuleRun) -> bool) {
    let Names { aside, place } = names;
    if run.exit == Exit::Interrupted || kept(run) {
        match std::fs::rename(aside, place) {
            Ok(()) => run.trace = Some(place.clone()),
            Err(error) => run.lost = Some(format!("cannot keep the trace {}: {error}", safe_path(aside))),
        }
    } else if let Err(error) = std::fs::remove_file(aside) {
        run.lost = Some(format!("cannot remove the trace {}: {error}", safe_path(aside)));
    }
}
