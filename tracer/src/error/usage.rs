//! The command line is wrong.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use log_format::safe_path;
use system::error::Mistyped;

/// A command line that clap takes, and that makes no sense all the same.
#[derive(Debug)]
pub enum UsageError {
    /// A value of `--strategy`.
    Strategy {
        /// What was typed.
        word: String,
        /// What is wrong with it.
        error: Mistyped,
    },
    /// The pattern of `--fail-on-output`.
    Pattern {
        /// What was typed.
        text: String,
        /// What is wrong with it.
        error: pcre::Error,
    },
    /// Tests of these two projects.
    SeveralProjects(PathBuf, PathBuf),
    /// A value of `--entry` that is not `MOD:FUN`.
    Entry {
        /// What was typed.
        text: String,
        /// What could be typed.
        example: &'static str,
    },
    /// An option that is for projects of mix only.
    OnlyForMix(String),
    /// `hunt -k`: tests of several modules have such names.
    SeveralModules {
        /// The parts of names.
        only: Vec<String>,
        /// The files of the modules.
        files: Vec<PathBuf>,
        /// The first module.
        module: String,
    },
    /// `compare`: the entry is a generator of tests.
    Generator(String),
}

/// Limit: so many files are named in a message.
const NAMED: usize = 8;

impl Display for UsageError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strategy { word, error } => write!(f, "--strategy {}: {error}, or `mix`", word.escape_debug()),
            Self::Pattern { text, error } => write!(
                f,
                "--fail-on-output: {} at byte {} of `{}`",
                error.text,
                error.at,
                text.escape_debug()
            ),
            Self::SeveralProjects(one, other) => write!(
                f,
                "tests of several projects cannot run together: {} and {}",
                safe_path(one),
                safe_path(other)
            ),
            Self::Entry { text, example } => write!(
                f,
                "--entry takes MOD:FUN, for example {example}, found `{}`",
                text.escape_debug()
            ),
            Self::OnlyForMix(option) => write!(
                f,
                "{} is for projects of mix, and there is none here (a folder with mix.exs, and an installed Elixir)",
                log_format::safe(option)
            ),
            Self::SeveralModules { only, files, module } => {
                let texts: Vec<String> = only.iter().map(|text| format!("`{}`", text.escape_debug())).collect();
                let mut all: Vec<String> = files.iter().take(NAMED).map(|path| safe_path(path)).collect();
                if files.len() > NAMED {
                    all.push(format!("{} more", files.len() - NAMED));
                }
                write!(
                    f,
                    "tests of several modules have {} in their names ({}); a hunt makes runs of one: name the module, too, as in -k {module}:TEXT",
                    texts.join(" or "),
                    all.join(", ")
                )
            }
            Self::Generator(entry) => write!(
                f,
                "--entry {}: a generator of tests is not compared, because a call of it runs no test; name MODULE:test, which EUnit's header defines",
                entry.escape_debug()
            ),
        }
    }
}

/// A value of an option that is not what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MistypedOption {
    /// `MOD=FILE`.
    Stub,
    /// A stub for a module of the library.
    StubOfLibrary(String),
    /// There is no such file.
    NoFile(PathBuf),
    /// A number of bytes.
    Bytes,
}

impl Display for MistypedOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stub => {
                f.write_str("expected MOD=FILE.erl or MOD=FILE.ex, for example crypto_nif=test/crypto_nif_stub.erl")
            }
            Self::StubOfLibrary(module) => {
                write!(f, "the module {module} is one of the library, which cannot be replaced")
            }
            Self::NoFile(path) => write!(f, "there is no file {}", safe_path(path)),
            Self::Bytes => f.write_str("expected a number of bytes, for example 500000 or 64M"),
        }
    }
}

impl std::error::Error for MistypedOption {}
