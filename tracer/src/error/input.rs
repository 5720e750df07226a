//! Something that is to be read is not there, or cannot be read: the named files, the configuration of a project, its tests.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use interpreter::beam::BeamError;
use log_format::safe_path;
use syntax::TermsError;
use system::error::Unloadable;

/// Something that is to be read is not there, or cannot be read.
#[derive(Debug)]
pub enum InputError {
    /// The system refuses to read a file.
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The input of `compare`.
    UnreadInput {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no such file.
    NoFile(PathBuf),
    /// It is a folder, or not a plain file.
    NotAFile(PathBuf),
    /// A program is named, and this is a folder.
    Folder(PathBuf),
    /// A program is named, and this is a trace.
    Trace(PathBuf),
    /// A beam file that cannot be run.
    Beam {
        /// The file.
        path: PathBuf,
        /// Why.
        error: BeamFileError,
    },
    /// A script of Elixir, and there is no Elixir.
    NoElixirFor(PathBuf),
    /// There is no Elixir.
    NoElixir,
    /// There is no project of mix.
    NoMixProject,
    /// A folder that cannot be entered.
    Enter {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// No place for the files of a suite.
    SuiteFolder {
        /// The suite.
        module: String,
        /// Why.
        error: io::Error,
    },
    /// No tests can be found.
    Tests(FindError),
    /// No test has such a name.
    NoNamedTest {
        /// The parts of names.
        only: Vec<String>,
        /// The names that there are.
        known: Vec<String>,
        /// Would it help to name a module, too?
        names_module: bool,
    },
    /// No test has run.
    NoTestRan,
    /// `--otp-root`: there is no OTP in this folder.
    NoOtp(PathBuf),
    /// A program of OTP is not installed.
    NotInstalled(&'static str),
    /// A program of OTP cannot be run.
    NotRun {
        /// The program.
        program: &'static str,
        /// Why.
        error: io::Error,
    },
}

impl Display for InputError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread { path, error } => write!(f, "cannot read {}: {error}", safe_path(path)),
            Self::UnreadInput { path, error } => write!(
                f,
                "cannot read {}: {error}; --input names the file that both runs read",
                safe_path(path)
            ),
            Self::NoFile(path) => write!(f, "cannot read {}: there is no such file", safe_path(path)),
            Self::NotAFile(path) => write!(f, "cannot read {}: it is not a file", safe_path(path)),
            Self::Folder(path) => write!(
                f,
                "cannot read {}: it is a directory; name an .erl file",
                safe_path(path)
            ),
            Self::Trace(path) => write!(
                f,
                "cannot run {0}: it is a trace, not a program; `replay {0}` replays it",
                safe_path(path)
            ),
            Self::Beam { path, error } => write!(f, "cannot run {}: {error}", safe_path(path)),
            Self::NoElixirFor(path) => write!(
                f,
                "cannot run {}: no Elixir is installed (`elixir` is not in the PATH)",
                safe_path(path)
            ),
            Self::NoElixir => f.write_str("no Elixir is installed (`elixir` is not in the PATH)"),
            Self::NoMixProject => f.write_str("there is no mix.exs here: go to the folder of the project"),
            Self::Enter { path, error } => write!(f, "cannot enter {}: {error}", safe_path(path)),
            Self::SuiteFolder { module, error } => {
                write!(f, "cannot make a folder for the files of {module}: {error}")
            }
            Self::Tests(error) => error.fmt(f),
            Self::NoNamedTest {
                only,
                known,
                names_module,
            } => {
                f.write_str(&no_named_test(only, known))?;
                if *names_module {
                    f.write_str(
                        "; if the description of a test has it, name its module, too: tracer hunt -k TEXT MODULE",
                    )?;
                }
                Ok(())
            }
            Self::NoTestRan => f.write_str("no tests were found; name a file, a folder or a module that has tests"),
            Self::NoOtp(root) => {
                let root = safe_path(root);
                write!(
                    f,
                    "--otp-root: there is no Erlang/OTP in {root}: expected {root}/bin/erl"
                )
            }
            Self::NotInstalled(program) => write!(
                f,
                "`{program}` is not installed or not in PATH; `tracer compare` needs an Erlang/OTP to compare with"
            ),
            Self::NotRun { program, error } => write!(f, "cannot run `{program}`: {error}"),
        }
    }
}

/// Limit: names of tests in a message.
const NAMED: usize = 8;

/// That no test has these words in its name, with the nearest names of those that there are.
fn no_named_test(only: &[String], known: &[String]) -> String {
    let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
    known.sort_unstable();
    known.dedup();
    let words: Vec<String> = only.iter().map(|text| format!("`{}`", text.escape_debug())).collect();
    let mut near: Vec<&str> = Vec::new();
    for word in only {
        for name in log_format::nearest(word, known.iter().copied(), NAMED) {
            if !near.contains(&name) {
                near.push(name);
            }
        }
    }
    let (what, names) = match near.is_empty() {
        false => ("the nearest names are", near),
        true => ("the tests are", known),
    };
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| log_format::safe(name)).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    let there = match shown.is_empty() {
        true => "there are no tests".to_owned(),
        false => format!("{what} {}{more}", shown.join(", ")),
    };
    format!("no test has {} in its name or description; {there}", words.join(" or "))
}

/// Why a beam file cannot be used. As text, a sentence about `it`.
#[derive(Debug)]
pub enum BeamFileError {
    /// It is not a plain file.
    NotAFile,
    /// The system refuses to read it.
    Unread(io::Error),
    /// It is longer than so many MB.
    TooLarge(u64),
    /// There are no forms in it.
    Beam(BeamError),
}

impl Display for BeamFileError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFile => f.write_str("it is not a file"),
            Self::Unread(error) => error.fmt(f),
            Self::TooLarge(mb) => write!(f, "it is larger than {mb} MB"),
            Self::Beam(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for BeamFileError {
    fn from(error: io::Error) -> Self {
        Self::Unread(error)
    }
}

impl From<BeamError> for BeamFileError {
    fn from(error: BeamError) -> Self {
        Self::Beam(error)
    }
}

/// Why a function of the library that a project needs made nothing.
#[derive(Debug)]
pub enum GeneratorError {
    /// There is no place for what it makes.
    Folder(io::Error),
    /// It does not load.
    Library(Unloadable),
    /// What it says itself.
    Said(String),
    /// It did not end, or failed.
    NoAnswer,
}

impl Display for GeneratorError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "cannot make a folder: {error}"),
            Self::Library(error) => error.fmt(f),
            Self::Said(text) => f.write_str(text),
            Self::NoAnswer => f.write_str("it did not end, or failed"),
        }
    }
}

/// The configuration of a project cannot be read.
#[derive(Debug)]
pub enum ConfigError {
    /// The system refuses to read it.
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not made of terms.
    Terms {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: TermsError,
    },
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread { path, error } => write!(f, "cannot read {}: {error}", safe_path(path)),
            Self::Terms { path, error } => write!(f, "cannot read {}: {error}", safe_path(path)),
        }
    }
}

/// What `eunit_tests` of a configuration names, and what is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotThere {
    /// A file.
    File(PathBuf),
    /// An application of this name.
    Application(String),
    /// A module of this name.
    Module(String),
}

/// No tests can be found.
#[derive(Debug)]
pub enum FindError {
    /// A file of Elixir, outside a project of mix.
    Elixir(PathBuf),
    /// It is not a source file.
    NotSource(PathBuf),
    /// The system refuses to read a file.
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The system refuses to read a folder.
    UnreadFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A word that is no file, no folder and no module.
    NoModule {
        /// What was typed.
        word: PathBuf,
        /// Where the module was looked for.
        folders: Vec<PathBuf>,
    },
    /// The configuration of a project cannot be read.
    Config(ConfigError),
    /// A configuration names what is not there.
    NotThere {
        /// The folder of the project.
        root: PathBuf,
        /// What it names.
        what: NotThere,
    },
    /// There are none.
    NoTests {
        /// Where they were looked for.
        places: Vec<PathBuf>,
        /// How many modules were looked at.
        looked: usize,
        /// What of a configuration was not done: it can say why there are none.
        notes: Vec<String>,
    },
}

impl From<ConfigError> for FindError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl Display for FindError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elixir(path) => write!(
                f,
                "cannot run {}: Elixir is not supported there yet, only Erlang (.erl)",
                safe_path(path)
            ),
            Self::NotSource(path) => write!(
                f,
                "cannot run {}: expected an .erl file, a folder or a module",
                safe_path(path)
            ),
            Self::Unread { path, error } => write!(f, "cannot read {}: {error}", safe_path(path)),
            Self::UnreadFolder { path, error } => write!(f, "cannot read the folder {}: {error}", safe_path(path)),
            Self::NoModule { word, folders } => write!(
                f,
                "{} is not a file, a folder, or a module in {}",
                safe_path(word),
                paths(folders)
            ),
            Self::Config(error) => error.fmt(f),
            Self::NotThere { root, what } => {
                let config = safe_path(&root.join("rebar.config"));
                write!(f, "eunit_tests of {config}: ")?;
                match what {
                    NotThere::File(path) => f.write_str(&safe_path(path))?,
                    NotThere::Application(name) => write!(f, "the application {name}")?,
                    NotThere::Module(name) => write!(f, "the module {name}")?,
                }
                f.write_str(" is not there")
            }
            Self::NoTests { places, looked, notes } => {
                let looked = match looked {
                    0 => "it has no .erl file".to_owned(),
                    1 => "1 module was looked at".to_owned(),
                    n => format!("{n} modules were looked at"),
                };
                write!(
                    f,
                    "no tests were found in {} ({looked}): expected exported functions named *_test or *_test_ in an .erl file, or a file *_SUITE.erl",
                    paths(places)
                )?;
                notes.iter().try_for_each(|note| write!(f, "; {note}"))
            }
        }
    }
}

fn paths(all: &[PathBuf]) -> String {
    let all: Vec<String> = all.iter().map(|path: &PathBuf| safe_path(Path::new(path))).collect();
    all.join(", ")
}
