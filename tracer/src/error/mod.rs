//! What can go wrong in a command of `tracer`, as data: one enum for each kind, and how each ends the command. The exit code follows from the type, in
//! [`Error::exit`] and nowhere else; [`Error::told`] says what went wrong, and returns the code.

mod bug;
mod input;
mod output;
mod program;
mod usage;

use std::fmt::{self, Display, Formatter};

pub use bug::HuntError;
pub use input::{BeamFileError, ConfigError, FindError, GeneratorError, InputError, NotThere};
pub use output::{OutputError, ProgramFault};
pub use program::{CompileError, MixError, ProgramError};
pub use usage::{MistypedOption, UsageError};

use crate::exit::Exit;
use crate::report::{say, tell};

/// Why a command ends before it has done what was asked.
#[derive(Debug)]
pub enum Error {
    /// The command line is wrong.
    Usage(UsageError),
    /// Something that is to be read is not there, or cannot be read.
    Input(InputError),
    /// The program does not compile, or lacks what was asked for.
    Program(ProgramError),
    /// A project of mix was not compiled.
    Mix(MixError),
    /// Something cannot be written.
    Output(OutputError),
    /// A part of the tool does not load.
    Library(system::error::Unloadable),
    /// A hunt cannot go on.
    Hunt(HuntError),
    /// `compare`: the program cannot be run a second time by the tool itself.
    Itself(std::io::Error),
}

impl Error {
    /// How the command ends.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Input(_) => Exit::NoInput,
            Self::Program(_) => Exit::Program,
            Self::Mix(error) => match error {
                MixError::Unwritable { .. } => Exit::NoOutput,
                MixError::Library(_) => Exit::Bug,
                MixError::Refused => Exit::Program,
                MixError::Ended { exit, .. } => *exit,
            },
            Self::Output(_) => Exit::NoOutput,
            Self::Library(_) | Self::Hunt(_) | Self::Itself(_) => Exit::Bug,
        }
    }

    /// Says it on standard error. Returns how the command ends.
    pub fn told(&self) -> Exit {
        match self {
            // These have lines of their own.
            Self::Program(ProgramError::DoesNotCompile { .. }) | Self::Library(_) | Self::Mix(MixError::Library(_)) => {
                say(&self.to_string());
            }
            Self::Program(ProgramError::Tests { error, module }) => {
                say(&error.to_string());
                tell(&format!("{module} does not compile"));
            }
            // Mix itself has said it.
            Self::Mix(MixError::Refused) => {}
            _ => tell(&self.to_string()),
        }
        self.exit()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => error.fmt(f),
            Self::Input(error) => error.fmt(f),
            Self::Program(error) => error.fmt(f),
            Self::Mix(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Library(error) => error.fmt(f),
            Self::Hunt(error) => error.fmt(f),
            Self::Itself(error) => write!(f, "cannot run the program: {error}"),
        }
    }
}

macro_rules! from {
    ($($error:ty => $variant:ident),*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        })*
    };
}
from!(UsageError => Usage, InputError => Input, ProgramError => Program, MixError => Mix, OutputError => Output, HuntError => Hunt);

impl From<FindError> for Error {
    fn from(error: FindError) -> Self {
        Self::Input(InputError::Tests(error))
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_exit_code_follows_from_the_type() {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let path = || PathBuf::from("a.erl");
        let bad = system::error::Unloadable::Nameless { path: "a".to_owned() };
        let all: [(Error, u8); 10] = [
            (UsageError::SeveralProjects(path(), path()).into(), 2),
            (
                InputError::Unread {
                    path: path(),
                    error: gone(),
                }
                .into(),
                66,
            ),
            (FindError::Elixir(path()).into(), 66),
            (ProgramError::Refused(String::new()).into(), 64),
            (MixError::Refused.into(), 64),
            (
                MixError::Ended {
                    exit: Exit::Limit,
                    text: String::new(),
                }
                .into(),
                81,
            ),
            (OutputError::Report(gone()).into(), 73),
            (Error::Library(bad), 70),
            (HuntError::Crashed.into(), 70),
            (Error::Itself(gone()), 70),
        ];
        for (error, code) in all {
            assert_eq!(error.exit().code(), code, "{error:?}");
        }
    }
}
