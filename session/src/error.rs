//! The errors of a session, by whose fault they are.

use std::fmt;
use std::path::{Path, PathBuf};

use system::feed::Divergence;

/// An expected failure.
#[derive(Debug)]
pub enum Error {
    /// A trace cannot be read, is not a trace, or is damaged.
    Trace {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// What is wrong with it.
        error: log_format::Error,
    },
    /// A text is not a target, or not a process.
    Target(causality::TargetError),
    /// What was asked for makes no sense.
    Usage(String),
    /// There is no such target: what was asked for, and what there is.
    NoTarget(String),
    /// The program of the trace does not compile, or the tool does not support it.
    Program(String),
    /// A program that was named does not compile, or the tool does not support it.
    Source(PathBuf, String),
    /// The changed program, which is to be checked, does not compile, or the tool does not support it.
    Changed(String),
    /// The replayed program needs more memory than allowed.
    Limit(String),
    /// Nothing can be replayed because this was left out of the trace.
    LeftOut(String),
    /// The program did something else than the log says.
    Diverged(Box<Divergence>),
    /// An input other than a trace cannot be read.
    Input {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: String,
    },
    /// A text that should become a trace is not valid.
    BadInput {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: String,
    },
    /// The replays of one trace differ from each other, or from its digests.
    Leaked(String),
    /// An output cannot be written.
    Output {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: String,
    },
    /// The caller's sink for the answer cannot be written.
    Sink(std::io::Error),
    /// A replay that did not do exactly what was asked.
    Bug(String),
}

impl Error {
    /// Adds the file that a trace error is about.
    #[must_use]
    pub fn about(self, file: &Path) -> Self {
        match self {
            Self::Trace { path: None, error } => Self::Trace {
                path: Some(file.to_path_buf()),
                error,
            },
            other => other,
        }
    }
}

impl From<log_format::Error> for Error {
    fn from(error: log_format::Error) -> Self {
        Self::Trace { path: None, error }
    }
}

impl From<system::error::Unloadable> for Error {
    /// A module of the program.
    fn from(error: system::error::Unloadable) -> Self {
        Self::Program(error.to_string())
    }
}

impl From<causality::TargetError> for Error {
    fn from(error: causality::TargetError) -> Self {
        Self::Target(error)
    }
}

impl From<std::io::Error> for Error {
    /// Only for the sink of the answer.
    fn from(error: std::io::Error) -> Self {
        Self::Sink(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace {
                path: Some(path),
                error,
            } => {
                let cannot = match error.kind {
                    log_format::ErrorKind::Io(_) => "cannot read ",
                    _ => "",
                };
                write!(f, "{cannot}{}: {error}", crate::words::path_argument(path))
            }
            Self::Trace { path: None, error } => error.fmt(f),
            Self::Target(error) => error.fmt(f),
            Self::Usage(text) | Self::NoTarget(text) | Self::Leaked(text) => f.write_str(text),
            Self::Input { path, error } => write!(f, "cannot read {}: {error}", crate::words::path_argument(path)),
            Self::BadInput { path, error } => write!(f, "{}: {error}", crate::words::path_argument(path)),
            Self::Diverged(divergence) if divergence.is_redacted() => write!(
                f,
                "the replay can go no further: {divergence}; choose a target before it, or use a trace that holds the value"
            ),
            Self::LeftOut(what) => write!(
                f,
                "the replay cannot begin: {what} were left out of the trace; use a trace that holds them; `log`, `causes` and `consequences` need no replay"
            ),
            Self::Limit(limit) => write!(
                f,
                "the program of the trace needs more memory than it may have: limit reached: {limit}; raise it with --max-memory MB"
            ),
            Self::Program(text) => write!(f, "the program of the trace cannot be loaded: {}", text.trim_end()),
            Self::Source(path, text) => {
                write!(
                    f,
                    "{} cannot be loaded: {}",
                    crate::words::path_argument(path),
                    text.trim_end()
                )
            }
            Self::Changed(text) => write!(f, "the program as it is now cannot be loaded: {}", text.trim_end()),
            Self::Diverged(divergence) => write!(
                f,
                "the replay diverged: {divergence}\nuse the program and the tool that recorded the trace; `replay info` names both"
            ),
            Self::Output { path, error } => write!(f, "cannot write {}: {error}", crate::words::path_argument(path)),
            Self::Sink(error) => write!(f, "cannot write to standard output: {error}"),
            Self::Bug(text) => write!(f, "this is a bug of replay, please report it with the trace: {text}"),
        }
    }
}

impl std::error::Error for Error {}
