//! `tracer compile`: a project as it is now, for `replay check`, written as the program of a trace in which nothing has happened. A project of mix is
//! compiled as before its tests; of all others, the sources are read.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use interpreter::atom::Atom;
use log_format::{Memory, NewFile, RunEnd};
use system::error::Unloadable;
use system::loader::{Loader as _, SharedLoader};
use system::observer::Nobody;
use system::outside::Simulated;
use system::recorder::{self, Recorder, RunFacts};
use system::scheduler::RoundRobin;
use system::{DEFAULT_SCHEDULERS, Delivery, Limits, RunClock, Settings, System};

use super::described::{self, Asked, Described};
use super::mix;
use crate::elixir;
use crate::error::{Error, InputError, OutputError, ProgramFault};
use crate::execute::Loaded;
use crate::exit::Exit;
use crate::options::Compiling;
use crate::project::entries;
use crate::script;
use crate::signals::Signals;

/// `tracer compile`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "`replay check` calls this command by itself.

Exit codes:
   0  compiled
   2  usage
  64  it does not compile
  66  there is no project of mix here, or no Elixir is installed
  70  a bug of tracer
  73  the file cannot be written
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Example: tracer compile -o now.bin")]
pub struct CompileArgs {
    /// Write the modules to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Compile nothing, and write only the modules that are named
    #[arg(long)]
    pub no_project: bool,
    /// Describe what there is in this folder, which is no project of mix: its sources, and not what is made of them
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "no_project")]
    pub describe: Option<Described>,
    /// A file of the program that is described. Can be repeated
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A word of the command line that was recorded: its options count. Can be repeated
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    pub recorded: Vec<String>,
    /// How modules are compiled
    #[command(flatten)]
    pub compiling: Compiling,
    /// Other modules to write. Those that do not exist are left out
    #[arg(last = true, value_name = "MODULE")]
    pub modules: Vec<String>,
}

/// Runs `tracer compile`.
pub fn compile(args: &CompileArgs) -> Exit {
    if let Some(what) = args.describe {
        let asked = Asked {
            what,
            recorded: &args.recorded,
            compiling: &args.compiling,
            files: &args.files,
            modules: &args.modules,
        };
        return match described::read(&asked) {
            Ok((loaded, words)) => written(&loaded, Some(words), &args.output),
            Err(error) => Error::from(error).told(),
        };
    }
    if elixir::all().is_empty() {
        return Error::from(InputError::NoElixir).told();
    }
    if args.no_project {
        return read_and_write(args);
    }
    if !Path::new(mix::FILE).is_file() {
        return Error::from(InputError::NoMixProject).told();
    }
    let signals = Signals::watch();
    if let Err(error) = mix::compile(&args.compiling, &signals) {
        return signals.tell_apart(Error::from(error).told());
    }
    read_and_write(args)
}

fn read_and_write(args: &CompileArgs) -> Exit {
    let loaded = match read(args) {
        Ok(loaded) => loaded,
        Err(error) => return Error::Library(error).told(),
    };
    written(&loaded, None, &args.output)
}

/// Writes the program. `words`: what is known of its project.
fn written(loaded: &Loaded, words: Option<Vec<String>>, output: &Path) -> Exit {
    match write(loaded, words, output) {
        Ok(()) => Exit::Success,
        Err(error) => {
            let path = output.to_owned();
            Error::from(OutputError::Program { path, error }).told()
        }
    }
}

/// Reads the project's own modules, and the other ones that are wanted. One that cannot be read is left out: it need not be called.
fn read(args: &CompileArgs) -> Result<Loaded, Unloadable> {
    let mut compiling = args.compiling.clone();
    let folders = match args.no_project {
        true => Vec::new(),
        false => mix::compiled(),
    };
    compiling.objects.extend(folders.iter().cloned());
    let (mut program, mut loader) = script::runner(&compiling)?;
    if !args.no_project {
        mix::note_tests(&mut loader);
    }
    let own = folders.iter().filter(|folder| is_own(folder));
    let own = own.flat_map(|folder| entries(folder)).filter_map(|file| {
        let is_object = file.extension().is_some_and(|kind| kind == "beam");
        is_object.then(|| file.file_stem()?.to_str().map(str::to_owned))?
    });
    let names: BTreeSet<String> = own.chain(args.modules.iter().cloned()).collect();
    for name in names {
        loader.reads(Atom::new(&name), &mut program);
    }
    let entry = (Atom::new(script::RUNNER), Atom::new("test"));
    Ok(Loaded::new(program, loader, entry, Vec::new()))
}

/// Is it a folder with modules of an application of the project itself?
fn is_own(folder: &Path) -> bool {
    let application = folder.parent().and_then(Path::file_name);
    application.is_some_and(|name| !Path::new("deps").join(name).is_dir())
}

/// Writes the program as a trace in which nothing has happened.
fn write(loaded: &Loaded, words: Option<Vec<String>>, output: &Path) -> Result<(), ProgramFault> {
    let facts = RunFacts {
        tool: concat!("tracer ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: Vec::new(),
        entry: (loaded.module, loaded.function),
        arguments: words,
        without_arguments: false,
        node: system::NO_NODE.to_owned(),
        schedule: "none".to_owned(),
        seed: None,
        virtual_time: true,
        facts: recorder::facts(&loaded.program, DEFAULT_SCHEDULERS),
        sources: loaded.read(),
        natives: recorder::natives(&loaded.program),
        read: None,
    };
    let bytes = Memory::default();
    let recorder = Recorder::new(Box::new(bytes.clone()), 0, &facts, Nobody).map_err(ProgramFault::Unrecorded)?;
    let settings = Settings {
        scheduler: Box::new(RoundRobin::default()),
        outside: Box::new(Simulated::new(0)),
        loader: Box::new(SharedLoader(Arc::clone(&loaded.loader))),
        clock: RunClock::Virtual(0),
        delivery: Delivery::Causal,
        limits: Limits::default(),
        arguments: Vec::new(),
        exit_with_entry: false,
    };
    let mut system = System::new(Arc::clone(&loaded.program), recorder, settings, None);
    let end = RunEnd::Unrecorded {
        why: "the program was compiled, and nothing was run".to_owned(),
        then: "it has not begun".to_owned(),
    };
    Recorder::finish(&mut system, &facts.sources, &end).map_err(ProgramFault::Lost)?;
    let written = || -> std::io::Result<()> {
        let file = NewFile::aside(output)?;
        file.handle()?.write_all(&bytes.take())?;
        file.keep()
    };
    written().map_err(ProgramFault::Io)
}
