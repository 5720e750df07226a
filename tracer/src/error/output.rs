//! Something cannot be written: a trace, a report, what a command makes.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use log_format::safe_path;
use system::error::Unrecorded;
use system::recorder::Lost;

/// Something cannot be written.
#[derive(Debug)]
pub enum OutputError {
    /// The trace of `run` would replace a folder.
    TraceIsFolder(PathBuf),
    /// It would replace something else than a trace.
    NotATrace(PathBuf),
    /// The trace of `run` cannot be begun.
    Trace {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Unrecorded,
    },
    /// A trace in the folder of traces cannot be begun.
    KeptTrace {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Unrecorded,
    },
    /// A trace that was found cannot be written.
    FoundTrace {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A trace that was found cannot be read back, to give it a name.
    UnreadTrace(log_format::Error),
    /// The folder of traces cannot be made.
    TracesNotMade {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Nothing can be written into the folder of traces.
    TracesNotWritable {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A trace that is too many cannot be removed.
    OldTrace {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The report cannot be written to standard output, or not at all.
    Report(io::Error),
    /// The report cannot be made.
    ReportText(ReportFault),
    /// The report cannot be written into a file.
    ReportFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A compiled program cannot be written.
    Program {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ProgramFault,
    },
    /// `compare`: no place for the compiled program.
    CompareFolder(io::Error),
    /// `compare`: a file in that place cannot be written.
    CompareFile {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// `compare`: a file cannot be copied there.
    CompareCopy {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Standard output cannot be written.
    Stdout(io::Error),
    /// Pages cannot be written into this folder.
    Pages {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Why a report cannot be made.
#[derive(Debug)]
pub enum ReportFault {
    /// As JSON.
    Json(serde_json::Error),
    /// As JUnit's XML.
    Junit(quick_junit::SerializeError),
}

/// Why a compiled program cannot be written.
#[derive(Debug)]
pub enum ProgramFault {
    /// It cannot be made.
    Unrecorded(Unrecorded),
    /// A part of it is missing.
    Lost(Lost),
    /// The system refuses to write the file.
    Io(io::Error),
}

impl Display for OutputError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::TraceIsFolder(path) => write!(f, "cannot write the trace {}: it is a directory", safe_path(path)),
            Self::NotATrace(path) => write!(
                f,
                "{} exists and is not a trace; remove it, or name another file with -o",
                safe_path(path)
            ),
            Self::Trace { path, error } => write!(
                f,
                "cannot write the trace {}: {error}; name another file with -o",
                safe_path(path)
            ),
            Self::KeptTrace { path, error } => write!(
                f,
                "cannot write the trace {}: {error}; name another folder with --traces",
                safe_path(path)
            ),
            Self::FoundTrace { path, error } => write!(
                f,
                "cannot write the trace {}: {error}; name another folder with --traces",
                safe_path(path)
            ),
            Self::UnreadTrace(error) => error.fmt(f),
            Self::TracesNotMade { path, error } => write!(
                f,
                "cannot make the folder {} for traces: {error}; name another one with --traces",
                safe_path(path)
            ),
            Self::TracesNotWritable { path, error } => write!(
                f,
                "cannot write into the folder {} for traces: {error}; name another one with --traces",
                safe_path(path)
            ),
            Self::OldTrace { path, error } => write!(f, "cannot remove the old trace {}: {error}", safe_path(path)),
            Self::Report(error) => write!(f, "cannot write the report: {error}"),
            Self::ReportText(ReportFault::Json(error)) => write!(f, "cannot write the report: {error}"),
            Self::ReportText(ReportFault::Junit(error)) => write!(f, "cannot write the report: {error}"),
            Self::ReportFile { path, error } => write!(
                f,
                "cannot write the report {}: {error}; name another file with -o",
                safe_path(path)
            ),
            Self::Program { path, error } => write!(f, "cannot write {}: {error}", safe_path(path)),
            Self::CompareFolder(error) => write!(f, "cannot make a folder for the compiled program: {error}"),
            Self::CompareFile { path, error } => write!(f, "cannot write {}: {error}", safe_path(path)),
            Self::CompareCopy { path, error } => write!(f, "cannot copy {}: {error}", path.display()),
            Self::Stdout(error) => write!(f, "cannot write to standard output: {error}"),
            Self::Pages { path, error } => {
                write!(f, "cannot write into {}: {error}; name another folder", safe_path(path))
            }
        }
    }
}

impl Display for ProgramFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrecorded(error) => error.fmt(f),
            Self::Lost(lost) => lost.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl From<serde_json::Error> for OutputError {
    fn from(error: serde_json::Error) -> Self {
        Self::ReportText(ReportFault::Json(error))
    }
}

impl From<quick_junit::SerializeError> for OutputError {
    fn from(error: quick_junit::SerializeError) -> Self {
        Self::ReportText(ReportFault::Junit(error))
    }
}
