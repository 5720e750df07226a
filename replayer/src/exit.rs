//! Exit codes of `replay`: one variant for each way an invocation can end, one number for each.

use std::process::ExitCode;

use session::Error;

/// How an invocation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Done; `diff`: the runs are equal.
    Success,
    /// `check`: it still fails, or fails differently; `diff`: the runs differ; `demo`: no seed made the program fail.
    Different,
    /// The command line, or the text of a target, is wrong.
    Usage,
    /// `check`: fixed, but a delay brings the failure back.
    UnlessDelayed,
    /// The program of the trace does not compile or uses what is not supported.
    Program,
    /// Not a trace, damaged, or of an unsupported version.
    BadTrace,
    /// An input cannot be read.
    NoInput,
    /// There is no such target in the trace.
    NoTarget,
    /// `summary`: there are no traces, and nothing says that a run kept none.
    NoTraces,
    /// A bug of ours.
    Bug,
    /// An output cannot be written.
    NoOutput,
    /// The replayed program needs more memory than allowed.
    Limit,
    /// The replay diverged; `verify`: nondeterminism leaked.
    Diverged,
    /// `check`: diverged, incomplete, or the program does not compile; `git bisect run` skips such a commit.
    Undecided,
    /// `check`: any error of the tool; `git bisect run` stops.
    CheckFailed,
    /// Ctrl-C.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// SIGHUP.
    HungUp,
}

impl Exit {
    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Different => 1,
            Self::Usage => 2,
            Self::UnlessDelayed => 3,
            Self::Program => 64,
            Self::BadTrace => 65,
            Self::NoInput => 66,
            Self::NoTarget => 67,
            Self::NoTraces => 68,
            Self::Bug => 70,
            Self::NoOutput => 73,
            Self::Limit => 81,
            Self::Diverged => 82,
            Self::Undecided => 125,
            Self::CheckFailed => 128,
            Self::HungUp => 129,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Self {
        use log_format::ErrorKind as K;
        match error {
            Error::Trace { error, .. } => match &error.kind {
                K::Io(_) => Self::NoInput,
                K::Absent { .. } => Self::NoTarget,
                K::NotATrace { .. }
                | K::Version { .. }
                | K::Later { .. }
                | K::Damaged { .. }
                | K::Cut { .. }
                | K::Empty { .. }
                | K::Index { .. }
                | K::Shrunk { .. }
                | K::TooLarge { .. } => Self::BadTrace,
                // The enum may grow; new kinds of errors are about the file.
                _ => Self::BadTrace,
            },
            Error::Input { .. } => Self::NoInput,
            Error::Usage(_) | Error::Target(_) => Self::Usage,
            Error::NoTarget(_) => Self::NoTarget,
            Error::Program(_) | Error::Source(..) | Error::Changed(_) => Self::Program,
            Error::Diverged(_) | Error::Leaked(_) | Error::LeftOut(_) => Self::Diverged,
            Error::Limit(_) => Self::Limit,
            Error::BadInput { .. } => Self::BadTrace,
            Error::Sink(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Self::Success,
            Error::Output { .. } | Error::Sink(_) => Self::NoOutput,
            Error::Bug(_) => Self::Bug,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_documentation() {
        let codes = [
            (Exit::Success, 0),
            (Exit::Different, 1),
            (Exit::Usage, 2),
            (Exit::UnlessDelayed, 3),
            (Exit::Program, 64),
            (Exit::BadTrace, 65),
            (Exit::NoInput, 66),
            (Exit::NoTarget, 67),
            (Exit::NoTraces, 68),
            (Exit::Bug, 70),
            (Exit::NoOutput, 73),
            (Exit::Limit, 81),
            (Exit::Diverged, 82),
            (Exit::Undecided, 125),
            (Exit::CheckFailed, 128),
            (Exit::HungUp, 129),
            (Exit::Interrupted, 130),
            (Exit::Terminated, 143),
        ];
        for (exit, code) in codes {
            assert_eq!(exit.code(), code, "{exit:?}");
        }
    }
}
