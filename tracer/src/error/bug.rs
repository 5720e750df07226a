//! A hunt cannot go on: a fault of the tool, or of the machine.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use causality::{NoSuchTarget, TargetError};
use system::error::Unrecorded;
use system::recorder::Lost;

/// Why a hunt cannot go on.
#[derive(Debug)]
pub enum HuntError {
    /// The trace of a run cannot be begun.
    Unrecorded(Unrecorded),
    /// A part of the trace of a run is missing.
    Lost(Lost),
    /// The trace of a run cannot be read.
    Trace(log_format::Error),
    /// The name of a failure is no target.
    Target(TargetError),
    /// The failure is not in the trace of its run.
    NoTarget(NoSuchTarget),
    /// The trace of a run cannot be replayed.
    Session(session::Error),
    /// Why what a run needs cannot be measured.
    NotMeasured(String),
    /// The folder of a suite cannot be emptied, or given what it held.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The system gives no thread.
    NoThread(io::Error),
    /// A run has panicked.
    Crashed,
}

impl HuntError {
    /// The folder of a suite cannot be as a run is to find it.
    pub fn folder(path: &Path, error: io::Error) -> Self {
        Self::Folder {
            path: path.to_owned(),
            error,
        }
    }
}

impl Display for HuntError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrecorded(error) => error.fmt(f),
            Self::Lost(lost) => lost.fmt(f),
            Self::Trace(error) => error.fmt(f),
            Self::Target(error) => error.fmt(f),
            Self::NoTarget(error) => error.fmt(f),
            Self::Session(error) => error.fmt(f),
            Self::NotMeasured(why) => f.write_str(why),
            Self::Folder { path, error } => write!(f, "cannot prepare {}: {error}", path.display()),
            Self::NoThread(error) => write!(f, "no thread for a run: {error}"),
            Self::Crashed => f.write_str("a run of the hunt has crashed"),
        }
    }
}

macro_rules! from {
    ($($error:ty => $variant:ident),*) => {
        $(impl From<$error> for HuntError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        })*
    };
}
from!(
    Unrecorded => Unrecorded,
    Lost => Lost,
    log_format::Error => Trace,
    TargetError => Target,
    NoSuchTarget => NoTarget,
    session::Error => Session
);
