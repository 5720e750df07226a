//! The program does not compile, or lacks what was asked for.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use log_format::safe_path;
use system::error::Unloadable;

use crate::exit::Exit;

/// The program does not compile, or lacks what was asked for.
#[derive(Debug)]
pub enum ProgramError {
    /// A module of it does not compile. As text, it has lines of its own.
    DoesNotCompile {
        /// Why.
        error: Unloadable,
        /// Warnings, rendered, if they are wanted.
        warnings: String,
    },
    /// The tests of a module, which does not compile.
    Tests {
        /// Why.
        error: CompileError,
        /// The module.
        module: String,
    },
    /// The project does not compile, and its compiler has said why.
    Project,
    /// The entry is not exported.
    NoEntry {
        /// What is not exported: `no m:f/0`.
        wanted: String,
        /// The exports with the nearest names.
        nearest: Vec<String>,
    },
    /// What `erlc` says.
    Refused(String),
}

impl Display for ProgramError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::DoesNotCompile { error, warnings } => write!(f, "{error}{warnings}"),
            Self::Tests { error, module } => write!(f, "{error}tracer: {module} does not compile"),
            Self::Project => f.write_str("it does not compile"),
            Self::NoEntry { wanted, nearest } => {
                write!(
                    f,
                    "the program exports {}; export it, or name another entry with --entry MOD:FUN",
                    log_format::safe(wanted)
                )?;
                match nearest.as_slice() {
                    [] => Ok(()),
                    near => write!(
                        f,
                        "; the nearest of its exports: {}",
                        log_format::safe(&near.join(", "))
                    ),
                }
            }
            Self::Refused(text) => f.write_str(text),
        }
    }
}

/// A module of tests does not compile. As text, it has lines of its own.
#[derive(Debug)]
pub enum CompileError {
    /// The system refuses to read it.
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It, or a module that it needs, cannot be loaded.
    Unloadable(Unloadable),
}

impl Display for CompileError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread { path, error } => writeln!(f, "tracer: cannot read {}: {error}", safe_path(path)),
            Self::Unloadable(error) => error.fmt(f),
        }
    }
}

impl From<Unloadable> for CompileError {
    fn from(error: Unloadable) -> Self {
        Self::Unloadable(error)
    }
}

/// A project of mix was not compiled.
#[derive(Debug)]
pub enum MixError {
    /// What another tool has compiled cannot be removed.
    Unwritable {
        /// The folder.
        path: &'static str,
        /// Why.
        error: io::Error,
    },
    /// The part of the library that runs mix does not load.
    Library(Unloadable),
    /// The project does not compile: mix has said why.
    Refused,
    /// Mix came to another end.
    Ended {
        /// How.
        exit: Exit,
        /// The same in words.
        text: String,
    },
}

impl Display for MixError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable { path, error } => write!(f, "cannot remove the folder {path}: {error}"),
            Self::Library(error) => error.fmt(f),
            Self::Refused => f.write_str("it does not compile"),
            Self::Ended { text, .. } => write!(f, "mix compile: {text}"),
        }
    }
}
