//! `tracer test`: finds tests, runs them module by module, keeps the traces of failed runs, and reports.
//!
//! One run is one module: under OTP, the tests of a module share a node, with its tables, names and applications. So the run that failed is the
//! run that is kept. How tests ended is told by the library's runners ([`case`](mod@case)), not read from printed texts.

mod aim;
mod alive;
mod alone;
mod case;
mod compiled;
mod configured;
mod copies;
mod cover;
mod described;
mod doctor;
mod document;
mod find;
mod jobs;
mod keep;
mod load;
mod looked;
mod meant;
mod mix;
mod one;
mod passed;
mod rates;
mod repeat;
mod shape;
mod show;
mod taken;
mod told;
mod words;

use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::error::{Error, InputError, UsageError};
use crate::exit::Exit;
use crate::options::{Compiling, Recording, Running};
use crate::report::tell;
use crate::signals::Signals;
pub use aim::{Aim, Wanted};
use case::ModuleRun;
pub use compiled::{CompileArgs, compile};
pub use doctor::{DoctorArgs, doctor};
use find::{Found, Unit};
pub use keep::Names;
pub use load::folders;
use meant::Reached;
use one::{Printing, Runner};
use passed::Passed;
pub use passed::{elsewhere, held, paths};
pub use told::Told;
pub use words::for_runner;

/// `tracer test`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "One run is one module with its MODULE_tests, so tests of a module share tables and names, as under eunit:test(MODULE).
TEST is defined, and EUNIT too (in suites COMMON_TEST). Folders src, test and include are found beside each other; rebar.config is read.

Exit codes:
   0  all tests passed
   1  a test failed or was cancelled
   2  usage
  64  a module does not compile (the others were run)
  66  no tests were found, or a file cannot be read
  70  a bug of tracer
  73  all tests passed, but a trace or the report could not be written
  80  all else passed, but a run was deadlocked
  81  all else passed, but a run reached a limit
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Examples:
  tracer test
  tracer test -k bank_tests:transfer --runs 100 --seed 1"
)]
pub struct TestArgs {
    /// Source files, folders, or names of modules in src or test of this folder. Files named *_SUITE.erl are run as Common Test suites
    #[arg(value_name = "FILE|DIR|MODULE", default_value = ".")]
    pub what: Vec<OsString>,
    /// Run only tests whose module:function contains TEXT; if no test of a module has such a name, those whose description, or that of a group
    /// around them, contains TEXT (its generators are then called, and setups run). Can be repeated: a test that fits one of them is run
    #[arg(short = 'k', value_name = "TEXT")]
    pub only: Vec<String>,
    /// What the report is. With json and junit, what the program prints goes to standard error
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the report to this file, as JUnit if it is named *.xml, else as JSON, and show the tests as text
    #[arg(short, long, value_name = "FILE", conflicts_with = "format")]
    pub output: Option<std::path::PathBuf>,
    /// Write the report to this file as JUnit's XML, and show the tests as text
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "output"])]
    pub junit: Option<std::path::PathBuf>,
    /// A file with configuration variables of Common Test, in place of those that ct_opts names. Can be repeated
    #[arg(long = "config", value_name = "FILE", value_delimiter = ',')]
    pub configs: Vec<std::path::PathBuf>,
    /// Show every test, as eunit:test(MODULE, [verbose]) does
    #[arg(short, long)]
    pub verbose: bool,
    /// Which runs keep their trace
    #[arg(long, value_enum, default_value = "failed")]
    pub keep: Keep,
    /// The folder for the traces
    #[arg(long, value_name = "DIR", default_value = log_format::kept::FOLDER)]
    pub traces: std::path::PathBuf,
    /// Keep at most N traces in that folder; the oldest are removed
    #[arg(long, value_name = "N", value_parser = system::whole_number(1..=usize::MAX))]
    pub keep_max: Option<usize>,
    /// Run everything N times under other schedules and say how often each test fails. Most runs begin where the first test of a module does, and
    /// what comes before it runs once. One trace of each distinct failure is kept
    #[arg(long = "runs", value_name = "N", value_parser = system::whole_number(1..=u64::MAX))]
    pub repeat: Option<u64>,
    /// With --runs: every run begins at its start. Run R has the seed S+R-1 with --seed S; without --seed, it has a random schedule on the real clock
    #[arg(long, requires = "repeat")]
    pub from_start: bool,
    /// Count the lines of the project's own modules that the tests execute, and say which they do not. The runs and their traces are as without it
    #[arg(long, conflicts_with = "repeat")]
    pub cover: bool,
    /// Run N modules at the same time. They share files, ports and names of other programs, as they do not otherwise
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = system::whole_number(1..=1024_usize), conflicts_with = "repeat")]
    pub jobs: usize,
    /// What is recorded
    #[command(flatten)]
    pub recording: Recording,
    /// How the tests run
    #[command(flatten)]
    pub running: Running,
    /// How modules are compiled
    #[command(flatten)]
    pub compiling: Compiling,
    /// Do not print the closing lines
    #[arg(short, long)]
    pub quiet: bool,
    /// What is passed on to mix test
    #[command(flatten)]
    pub passed: Passed,
}

/// What the report is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// What EUnit prints
    Text,
    /// One JSON document
    Json,
    /// JUnit's XML
    Junit,
}

/// Which runs keep their trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Keep {
    /// Those in which a test failed or was cancelled
    Failed,
    /// All
    All,
    /// None: nothing is recorded
    None,
}

/// Runs `tracer test`.
pub fn test(args: &TestArgs, command: &[OsString]) -> Exit {
    match passed::elsewhere(&args.what) {
        Ok(None) => {}
        Ok(Some(elsewhere)) => {
            let moved = args.moved(elsewhere.what);
            if let Err(error) = std::env::set_current_dir(&elsewhere.root) {
                let path = elsewhere.root;
                return Error::from(InputError::Enter { path, error }).told();
            }
            return here(&moved, command);
        }
        Err(error) => return Error::from(error).told(),
    }
    here(args, command)
}

impl TestArgs {
    /// Tests of mix have deadlines that were made for OTP's machine. So their clock is simulated, unless the caller wants the real one.
    fn with_clock_for(&self, is_mix: bool) -> Self {
        let mut args = self.clone();
        args.running.virtual_time |= is_mix && !args.running.real_time;
        args
    }
}

/// Runs the tests of the current folder, or of files and folders that are no project of mix elsewhere.
fn here(args: &TestArgs, command: &[OsString]) -> Exit {
    let started = Instant::now();
    if let Some(path) = args.configs.iter().find(|path| !path.is_file()) {
        return Error::from(InputError::NoFile(path.clone())).told();
    }
    let mut found = match find::find(&args.what) {
        Ok(found) => found,
        Err(error) => return Error::from(error).told(),
    };
    let args = &args.with_clock_for(found.is_mix);
    found.options = args.passed.options();
    if !found.is_mix && !found.options.is_empty() {
        return Error::from(UsageError::OnlyForMix(found.options[0].clone())).told();
    }
    if !args.quiet {
        found.notes.iter().for_each(|note| tell(note));
    }
    if args.repeat.is_some() || !args.only.is_empty() {
        found.run_once();
    }
    let signals = Signals::watch();
    let looks = {
        let printing = printing(args, &found);
        let runner = Runner {
            args,
            found: &found,
            signals: &signals,
            command,
            printing,
            records: false,
            counts: None,
        };
        looked::at(&runner.loading(), &signals.interrupted)
    };
    if found.is_mix
        && let Err(error) = mix::compile(&args.compiling, &signals)
    {
        return signals.tell_apart(Error::from(error).told());
    }
    let told = found.notes.len();
    found.settle(looks);
    if !args.quiet {
        found.notes[told..].iter().for_each(|note| tell(note));
    }
    if found.units.is_empty() {
        let none = find::none(&args.what, found.without.len(), Vec::new());
        return Error::from(none).told();
    }
    let all = found.units.clone();
    found.narrow(&args.only);
    if !args.quiet {
        show::without(&found, args.verbose);
    }
    // Failures count for more than their traces, so the tests run all the same.
    let prepared = match args.keep {
        Keep::None => Ok(()),
        Keep::Failed | Keep::All => keep::prepare(&args.traces),
    };
    if let Err(error) = &prepared {
        tell(&format!("{error}; the tests run without traces"));
    }
    let runner = Runner {
        args,
        found: &found,
        signals: &signals,
        command,
        printing: match args.repeat {
            Some(_) => Printing::Silent,
            None => printing(args, &found),
        },
        records: prepared.is_ok(),
        counts: args.cover.then(|| cover::counts(&found)),
    };
    let exit = match args.repeat {
        Some(times) => repeat::repeat(&runner, &all, times),
        None => once(&runner, &all, started),
    };
    signals.tell_apart(match exit {
        Exit::Success if prepared.is_err() => Exit::NoOutput,
        exit => exit,
    })
}

/// Runs each module once, and reports. `all`: also those modules that `-k` does not mean.
fn once(runner: &Runner<'_>, all: &[Unit], started: Instant) -> Exit {
    let Runner {
        args, found, signals, ..
    } = *runner;
    let runs = jobs::all(runner);
    if let Some(most) = args.keep_max
        && let Err(error) = keep::remove_oldest(&args.traces, most)
    {
        tell(&error.to_string());
    }
    let counts = runner.counts.as_ref();
    let covered = counts.map(|counts| cover::of_project(found, &runner.loading(), counts));
    let written = document::write(args, &runs, &found.without, covered.as_deref());
    if !args.quiet {
        show::closing(&runs, found.without.len(), args.only.is_empty(), started.elapsed());
    }
    if let Some(covered) = &covered {
        cover::tell_lines(covered);
    }
    if let Err(error) = &written {
        tell(&error.to_string());
    }
    let interrupted = signals.interrupted.load(Ordering::Relaxed);
    let exit = exit(&runs, written.is_ok(), interrupted);
    let mut reached = Reached::default();
    runs.iter().for_each(|run| reached.note(run));
    match reached.unmeant(runner, all).filter(|_| !interrupted) {
        Some(unmeant) => {
            tell(&unmeant.error.to_string());
            unmeant.exit(exit)
        }
        None => exit,
    }
}

/// What the tests print, and where.
fn printing(args: &TestArgs, found: &Found) -> Printing {
    match (args.format, args.verbose || found.settings.verbose) {
        (Format::Text, false) => Printing::Plain,
        (Format::Text, true) => Printing::Verbose,
        (Format::Json | Format::Junit, false) => Printing::PlainAside,
        (Format::Json | Format::Junit, true) => Printing::VerboseAside,
    }
}

/// The exit code of all runs together.
fn exit(runs: &[ModuleRun], report_written: bool, interrupted: bool) -> Exit {
    let any = |what: fn(&ModuleRun) -> bool| runs.iter().any(what);
    let ended = |exit| runs.iter().any(|run| run.exit == exit);
    if interrupted {
        Exit::Interrupted
    } else if any(|run| run.does_not_compile) {
        Exit::Program
    } else if any(|run| run.cases.iter().any(|case| case.has_failed() && !case.is_of_the_run)) {
        Exit::TestsFailed
    } else if ended(Exit::Deadlock) {
        Exit::Deadlock
    } else if ended(Exit::Limit) {
        Exit::Limit
    } else if any(ModuleRun::has_failed) {
        Exit::TestsFailed
    } else if runs.iter().all(|run| run.cases.is_empty()) {
        Exit::NoInput
    } else if !report_written || any(|run| run.lost.is_some()) {
        Exit::NoOutput
    } else {
        Exit::Success
    }
}
