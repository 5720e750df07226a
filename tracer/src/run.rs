//! `tracer run`.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::CodeInfo;
use interpreter::vm::Program;
use log_format::safe_path;
use system::World;
use system::loader::{Loader, render};
use system::recorder::{Lost, Recorder};

use crate::cli::RunArgs;
use crate::elixir::is_elixir;
use crate::error::{Error, OutputError, ProgramError, UsageError};
use crate::execute::{self, Loaded};
use crate::exit::Exit;
use crate::lingering;
use crate::named::{self, Named};
use crate::named_test;
use crate::outside::Real;
use crate::report::{self, Reporter};
use crate::script;
use crate::signals::Signals;

/// Runs `tracer run`.
pub fn run(args: &RunArgs, command: &[OsString]) -> Exit {
    let named = Named {
        files: &args.files,
        entry: args.entry.as_deref(),
        arguments: &args.arguments,
        compiling: &args.compiling,
    };
    let mut loaded = match load(&named) {
        Ok(loaded) => loaded,
        Err(error) => return error.told(),
    };
    if args.compiling.warnings {
        report::say(&render(&loaded.loader().warnings));
    }
    let signals = Signals::watch();
    let most = args.running.most_memory();
    let outside = Box::new(Real::new(Arc::clone(&signals.interrupted), args.running.seed, most));
    signals.prints_to(outside.stdout());
    if args.no_trace {
        let (reporter, lingering) = watched(args);
        signals.begins();
        let (system, end, _) = execute::run(&args.running, &mut loaded, rest(args), outside, reporter);
        drop(lingering);
        signals.ended();
        let verdict = report::verdict(&system, &end);
        let system = std::mem::ManuallyDrop::new(system);
        if !args.quiet {
            hint_at_exit(args, &verdict, &system);
            report::closing_line(&verdict, &system, None);
        }
        return signals.tell_apart(verdict.exit);
    }
    signals.tell_apart(record(args, loaded, outside, command, &signals))
}

fn record(args: &RunArgs, mut loaded: Loaded, outside: Box<Real>, command: &[OsString], signals: &Signals) -> Exit {
    let facts = execute::facts(&loaded, &args.recording, &args.running, command);
    if let Err(error) = may_replace(&args.output) {
        return Error::from(error).told();
    }
    if is_fifo(&args.output) && !args.quiet {
        report::tell(&format!(
            "{} is a FIFO: the program starts when another program reads it",
            safe_path(&args.output)
        ));
    }
    let (reporter, lingering) = watched(args);
    let recorder = match Recorder::create(&args.output, &facts, args.recording.options(), reporter) {
        Ok(recorder) => recorder,
        Err(error) => {
            let path = args.output.clone();
            return Error::from(OutputError::Trace { path, error }).told();
        }
    };
    signals.records(recorder.finisher(), args.require_trace, None);
    signals.begins();
    let (mut system, end, read) = execute::run(&args.running, &mut loaded, rest(args), outside, recorder);
    drop(lingering);
    signals.ended();
    let verdict = report::verdict(&system, &end);
    let written = Recorder::finish(&mut system, &read, &verdict.run);
    // The process is about to exit; freeing the memory of a large run would take longer than the time limit of a signal.
    let system = std::mem::ManuallyDrop::new(system);
    let exit = verdict.exit;
    match written {
        Ok(written) => {
            if !args.quiet {
                hint_at_exit(args, &verdict, &system);
                report::closing_line(&verdict, &system, Some((&args.output, &written)));
            }
            let limit = args.recording.max_trace_bytes.unwrap_or(u64::MAX);
            if !written.complete {
                report::tell(&format!(
                    "recording stopped before the run ended: {} reached its limit of {limit} bytes; it holds the run up to there",
                    safe_path(&args.output)
                ));
            }
            if written.bytes > limit {
                report::tell(&format!(
                    "{} is {} bytes long: the program's sources, the index and the outcome are always written",
                    safe_path(&args.output),
                    written.bytes
                ));
            }
        }
        // Only the trace, or its last part, is lost: the program's own result stands, unless the trace is required.
        Err(lost) => {
            report::closing_line(&verdict, &system, None);
            let path = safe_path(&args.output);
            // Always the last line.
            report::tell(&match lost {
                Lost::Rest { error, kept } => format!(
                    "the trace {path} is incomplete: it holds {kept} of {} actions: {error}",
                    system.total_actions
                ),
                Lost::Gone => format!("the trace {path} is lost: {lost}"),
            });
            if args.require_trace {
                return Exit::NoOutput;
            }
        }
    }
    exit
}

/// What is told while the program runs: its crashes, and a hint if it goes on after its entry has ended.
fn watched(args: &RunArgs) -> (Reporter, Option<lingering::Watch>) {
    let reporter = Reporter::default();
    let hints = !args.quiet && !args.exit_with_main;
    let watch = hints.then(|| lingering::watch(Arc::clone(&reporter.entry_ended)));
    (reporter, watch)
}

/// If the entry had ended before a limit was reached, perhaps only a heartbeat went on.
fn hint_at_exit(args: &RunArgs, verdict: &report::Verdict, system: &World) {
    let has_ended = system.table().by_pid(system.entry()).is_none();
    if verdict.exit == Exit::Limit && has_ended && !args.exit_with_main {
        report::tell(&lingering::hint(
            "the entry had ended before, and other processes went on",
        ));
    }
}

/// Is it a FIFO? Writing to one blocks until there is a reader.
fn is_fifo(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

/// An existing file is replaced only if it is a trace.
fn may_replace(path: &Path) -> Result<(), OutputError> {
    match std::fs::metadata(path) {
        Err(_) => Ok(()),
        Ok(meta) if meta.is_dir() => Err(OutputError::TraceIsFolder(path.to_owned())),
        Ok(meta) if !meta.is_file() || meta.len() == 0 || log_format::is_trace(path) => Ok(()),
        Ok(_) => Err(OutputError::NotATrace(path.to_owned())),
    }
}

/// What the program sees of the command line, and when it ends.
fn rest(args: &RunArgs) -> execute::Rest {
    let script = args.files.first().filter(|file| is_elixir(file));
    let script = script.map(|file| file.display().to_string());
    execute::Rest {
        arguments: script.into_iter().chain(args.arguments.iter().cloned()).collect(),
        exit_with_entry: args.exit_with_main,
    }
}

/// Loads a program.
///
/// # Errors
/// A file cannot be read or does not compile; there is no such entry.
pub fn load(args: &Named<'_>) -> Result<Loaded, Error> {
    if args.files.iter().any(|file| is_elixir(file)) {
        return script::load(args);
    }
    let (mut loader, mut program, first) = named::files(args, args.files)?;
    let first = first.expect("clap asks for at least one file");
    let (module, function) = match args.entry {
        None => (first, Atom::new("main")),
        Some(text) => match text.split_once(':') {
            Some((m, f)) if !m.is_empty() && !f.is_empty() => {
                (Atom::new(m), Atom::new(f.split_once('/').map_or(f, |(name, _)| name)))
            }
            _ => {
                let (text, example) = (text.to_owned(), "stock:main");
                return Err(UsageError::Entry { text, example }.into());
            }
        },
    };
    if !program.is_loaded(module)
        && let Err(error) = loader.load(module, &mut program)
    {
        let warnings = String::new();
        return Err(ProgramError::DoesNotCompile { error, warnings }.into());
    }
    if args.arguments.is_empty()
        && let Some((_, name)) = args.entry.and_then(|entry| entry.split_once(':'))
        && let Some(entry) = named_test::load(&mut program, &mut loader, (module, name), &args.files[0])?
    {
        return Ok(Loaded {
            named: module,
            private: entry.private,
            runs_tests: entry.by_name,
            ..Loaded::new(program, loader, entry.function, entry.arguments)
        });
    }
    let arguments = if !args.arguments.is_empty() || !program.is_exported(module, function, 0) {
        Some(args.arguments.to_vec())
    } else {
        None
    };
    let arity = u8::from(arguments.is_some());
    if !program.is_exported(module, function, arity) {
        let wanted = if arity == 1 && args.arguments.is_empty() {
            format!("neither {module}:{function}/0 nor {module}:{function}/1")
        } else {
            format!("no {module}:{function}/{arity}")
        };
        let nearest = nearest(&program, module, function);
        return Err(ProgramError::NoEntry { wanted, nearest }.into());
    }
    Ok(Loaded {
        arguments,
        ..Loaded::new(program, loader, (module, function), Vec::new())
    })
}

/// The exports of a module that are like the name of a function that it has not.
fn nearest(program: &Program, module: Atom, function: Atom) -> Vec<String> {
    const NAMED: usize = 3;
    let exports = program.exports(module).unwrap_or_default();
    let mut names: Vec<&str> = exports.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    let near = log_format::nearest(function.as_str(), names, NAMED);
    near.into_iter().map(str::to_owned).collect()
}
