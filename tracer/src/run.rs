//! `tracer run`.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::native::CodeInfo;
use interpreter::vm::Program;
use log_format::safe_path;
use system::loader::{Loader, ModuleFile, Source, SourceLoader, render};
use system::observer::Observer;
use system::outside::Outside;
use system::recorder::{self, Lost, Options as RecordOptions, Recorder, RunFacts};
use system::scheduler::{Random, RoundRobin, Scheduler};
use system::{Clock, Limits, RunEnd, Settings, System};

use crate::cli::{RunArgs, Schedule};
use crate::exit::Exit;
use crate::files::Disk;
use crate::installed::Installed;
use crate::outside::Real;
use crate::report::{self, Reporter};
use crate::signals::Signals;

/// A program, ready to run.
struct Loaded {
    program: Program,
    loader: SourceLoader,
    module: Atom,
    function: Atom,
    arguments: Option<Vec<String>>,
}

/// Runs `tracer run`.
pub fn run(args: &RunArgs, command: &[OsString]) -> Exit {
    let loaded = match load(args) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    if args.warnings {
        eprint!("{}", render(&loaded.loader.warnings));
    }
    let signals = Signals::watch();
    let most = args.max_memory.map(|mb| mb << 20);
    let outside = Box::new(Real::new(Arc::clone(&signals.interrupted), args.seed, most));
    signals.prints_to(outside.stdout());
    if args.no_trace {
        signals.begins();
        let (system, end, _) = execute(args, loaded, outside, Reporter::default());
        signals.ended();
        let verdict = report::verdict(&system, &end);
        let system = std::mem::ManuallyDrop::new(system);
        if !args.quiet {
            report::closing_line(&verdict, &system, None);
        }
        return signals.tell_apart(verdict.exit);
    }
    signals.tell_apart(record(args, loaded, outside, command, &signals))
}

fn record(args: &RunArgs, loaded: Loaded, outside: Box<Real>, command: &[OsString], signals: &Signals) -> Exit {
    let facts = RunFacts {
        tool: concat!("tracer ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: command.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
        entry: (loaded.module, loaded.function),
        arguments: loaded.arguments.clone(),
        without_arguments: args.redact_input.contains(&log_format::InputClass::Arguments),
        node: args.node().unwrap_or(system::NO_NODE).to_owned(),
        schedule: match schedule(args) {
            Schedule::RoundRobin => "round-robin".to_owned(),
            Schedule::Random => "random".to_owned(),
        },
        seed: args.seed,
        virtual_time: virtual_time(args),
        facts: Vec::new(),
        sources: loaded
            .loader
            .shared_list()
            .lock()
            .map(|list| list.clone())
            .unwrap_or_default(),
        natives: recorder::natives(&loaded.program),
        read: Some(loaded.loader.shared_list()),
    };
    let options = RecordOptions {
        sync: args.sync,
        max_bytes: args.max_trace_bytes,
        digests: args.digests,
        redact: args.redact_input.clone(),
        without_reasons: args.redact_part.contains(&crate::cli::Part::Reasons),
        without_observations: args.redact_part.contains(&crate::cli::Part::Observations),
    };
    if let Err(text) = may_replace(&args.output) {
        report::tell(&text);
        return Exit::NoOutput;
    }
    if is_fifo(&args.output) && !args.quiet {
        report::tell(&format!(
            "{} is a FIFO: the program starts when another program reads it",
            safe_path(&args.output)
        ));
    }
    let recorder = match Recorder::create(&args.output, &facts, options, Reporter::default()) {
        Ok(recorder) => recorder,
        Err(error) => {
            report::tell(&format!(
                "cannot write the trace {}: {error}; name another file with -o",
                safe_path(&args.output)
            ));
            return Exit::NoOutput;
        }
    };
    signals.records(recorder.finisher(), args.require_trace);
    signals.begins();
    let (mut system, end, read) = execute(args, loaded, outside, recorder);
    signals.ended();
    let verdict = report::verdict(&system, &end);
    let written = Recorder::finish(&mut system, &read, &verdict.run);
    // The process is about to exit; freeing the memory of a large run would take longer than the time limit of a signal.
    let system = std::mem::ManuallyDrop::new(system);
    let exit = verdict.exit;
    match written {
        Ok(written) => {
            if !args.quiet {
                report::closing_line(&verdict, &system, Some((&args.output, &written)));
            }
            let limit = args.max_trace_bytes.unwrap_or(u64::MAX);
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

/// Is it a FIFO? Writing to one blocks until there is a reader.
fn is_fifo(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo())
}

/// An existing file is replaced only if it is a trace.
fn may_replace(path: &Path) -> Result<(), String> {
    match std::fs::metadata(path) {
        Err(_) => Ok(()),
        Ok(meta) if meta.is_dir() => Err(format!("cannot write the trace {}: it is a directory", safe_path(path))),
        Ok(meta) if !meta.is_file() || meta.len() == 0 || log_format::is_trace(path) => Ok(()),
        Ok(_) => Err(format!(
            "{} exists and is not a trace; remove it, or name another file with -o",
            safe_path(path)
        )),
    }
}

fn schedule(args: &RunArgs) -> Schedule {
    // A seed without a schedule asks for the schedule that depends on it.
    args.schedule.unwrap_or(if args.seed.is_some() {
        Schedule::Random
    } else {
        Schedule::RoundRobin
    })
}

fn virtual_time(args: &RunArgs) -> bool {
    args.virtual_time || args.seed.is_some()
}

fn load(args: &RunArgs) -> Result<Loaded, Exit> {
    let mut folders: Vec<std::path::PathBuf> = Vec::new();
    for file in &args.files {
        let folder = file.parent().map_or_else(Default::default, Path::to_path_buf);
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let disk = Disk {
        source_folders: folders,
        include_folders: args.includes.clone(),
        installed: Installed::from_environment(),
        options: args.compile_options(),
    };
    let mut loader = SourceLoader::new(Box::new(disk));
    let mut program = Program::new(&[system::natives::NATIVES]);
    let mut first = None;
    for file in &args.files {
        let text = match read(file) {
            Ok(text) => text,
            Err(text) => {
                report::tell(&text);
                return Err(Exit::NoInput);
            }
        };
        let file = ModuleFile {
            path: file.display().to_string(),
            text,
            options: args.compile_options(),
        };
        match loader.load_file(file, &mut program) {
            Ok(module) => {
                first.get_or_insert(module);
            }
            Err(diagnostics) => {
                eprint!("{diagnostics}");
                if args.warnings {
                    eprint!("{}", render(&loader.warnings));
                }
                return Err(Exit::Program);
            }
        }
    }
    let first = first.expect("clap asks for at least one file");
    let (module, function) = match &args.entry {
        None => (first, Atom::new("main")),
        Some(text) => match text.split_once(':') {
            Some((m, f)) if !m.is_empty() && !f.is_empty() => {
                (Atom::new(m), Atom::new(f.split_once('/').map_or(f, |(name, _)| name)))
            }
            _ => {
                report::tell(&format!(
                    "--entry takes MOD:FUN, for example stock:main, found `{}`",
                    text.escape_debug()
                ));
                return Err(Exit::Usage);
            }
        },
    };
    if !program.is_loaded(module)
        && let Err(diagnostics) = loader.load(module, &mut program)
    {
        eprint!("{diagnostics}");
        return Err(Exit::Program);
    }
    let arguments = if !args.arguments.is_empty() || !program.is_exported(module, function, 0) {
        Some(args.arguments.clone())
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
        report::tell(&format!(
            "the program exports {}; export it, or name another entry with --entry MOD:FUN",
            log_format::safe(&wanted)
        ));
        return Err(Exit::Program);
    }
    Ok(Loaded {
        program,
        loader,
        module,
        function,
        arguments,
    })
}

fn read(path: &Path) -> Result<Arc<[u8]>, String> {
    if path.is_dir() {
        return Err(format!(
            "cannot read {}: it is a directory; name an .erl file",
            safe_path(path)
        ));
    }
    if path.extension().is_some_and(|e| e == "beam") {
        return Err(format!(
            "cannot read {}: .beam files are not supported yet; name the .erl source",
            safe_path(path)
        ));
    }
    if log_format::is_trace(path) {
        return Err(format!(
            "cannot run {0}: it is a trace, not a program; `replay {0}` replays it",
            safe_path(path)
        ));
    }
    std::fs::read(path)
        .map(Arc::from)
        .map_err(|e| format!("cannot read {}: {e}", safe_path(path)))
}

/// Runs the program. The loader's list of read files is returned through the shared list.
fn execute<O: Observer + report::Reports>(
    args: &RunArgs,
    loaded: Loaded,
    mut outside: Box<Real>,
    observer: O,
) -> (System<O>, RunEnd, Vec<Source>) {
    let scheduler: Box<dyn Scheduler> = match schedule(args) {
        Schedule::RoundRobin => Box::new(RoundRobin::default()),
        Schedule::Random => Box::new(Random::new(args.seed.unwrap_or_else(|| outside.entropy()))),
    };
    let read = loaded.loader.shared_list();
    let settings = Settings {
        scheduler,
        outside,
        loader: Box::new(loaded.loader),
        clock: if virtual_time(args) {
            Clock::Virtual(0)
        } else {
            Clock::Real
        },
        limits: Limits {
            time: args.max_time,
            processes: args.max_processes,
            memory: args.max_memory.map(|mb| mb << 20),
        },
        arguments: args.arguments.clone(),
        exit_with_entry: args.exit_with_main,
    };
    let mut system = System::new(Arc::new(loaded.program), observer, settings, None);
    if let Some(name) = args.node() {
        system.name_node(name);
    }
    system.start(loaded.module, loaded.function, loaded.arguments.as_deref());
    let end = system.run();
    system.outside().flush();
    let read = read.lock().map(|list| list.clone()).unwrap_or_default();
    (system, end, read)
}
