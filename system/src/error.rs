//! The errors of this crate's public functions. Two more have modules of their own: damage of a trace is [`log_format::Error`], and a program that
//! departs from its log is a [`Divergence`](crate::feed::Divergence).

use std::error::Error;
use std::fmt;
use std::io;

use interpreter::atom::Atom;
use log_format::InputClass;

/// What a person typed is not what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistyped {
    /// A whole number.
    WholeNumber,
    /// A whole number of this range.
    Range {
        /// The least.
        from: String,
        /// The greatest.
        to: String,
    },
    /// A time with its unit.
    Time,
    /// The time is too long.
    LongTime,
    /// The time is 0.
    NoTime,
    /// A stall: as this says, or `none`.
    Stall(Box<Self>),
    /// The name of a node with its host.
    LongName,
    /// The name of a node.
    ShortName,
    /// The short name of a node has a host with dots.
    Dots,
    /// An order of delivery.
    Delivery,
    /// What acts in a schedule.
    Actor(String),
    /// A switch of a schedule.
    Switch(String),
    /// The numbers of a strategy.
    Strategy(&'static str),
    /// A schedule: one of these words.
    Schedule(&'static str),
    /// A class of inputs.
    InputClass,
}

impl fmt::Display for Mistyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WholeNumber => "expected a whole number, for example 70",
            Self::Range { from, to } => return write!(f, "expected a whole number from {from} to {to}"),
            Self::Time => "expected a time with its unit, for example 50ms, 10s, 5m, 1h or 30d",
            Self::LongTime => "expected a time of at most 500 years",
            Self::NoTime => "expected a time above 0, for example 10s",
            Self::Stall(why) => return write!(f, "{why}, or none"),
            Self::LongName => "expected NAME@HOST, letters, digits, `_`, `-` and `.`, for example store@example.org",
            Self::ShortName => {
                "expected NAME or NAME@HOST, letters, digits, `_` and `-`, for example store or store@host"
            }
            Self::Dots => "a short name has a host without dots; use --name for a long one",
            Self::Delivery => "expected causal or free",
            Self::Actor(found) => {
                let found = found.escape_debug();
                return write!(
                    f,
                    "expected a process (3), a pair (3-7), a timer (3.5) or `clock`, found `{found}`"
                );
            }
            Self::Switch(found) => {
                return write!(
                    f,
                    "expected a switch, for example 3/12>5, found `{}`",
                    found.escape_debug()
                );
            }
            Self::Strategy(expected) => return write!(f, "expected {expected}"),
            Self::Schedule(words) => return write!(f, "expected one of {words}"),
            Self::InputClass => {
                let all: Vec<&str> = InputClass::ALL.iter().map(|class| class.word()).collect();
                return write!(f, "expected one of {}", all.join(", "));
            }
        })
    }
}

impl Error for Mistyped {}

/// A module that cannot be loaded. As text, it has lines of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unloadable {
    /// It does not compile: the diagnostics, rendered.
    Refused(String),
    /// The compiler has no such option.
    Option {
        /// The file.
        path: String,
        /// The option.
        option: String,
    },
    /// It has no name.
    Nameless {
        /// The file.
        path: String,
    },
    /// It is another module.
    Misnamed {
        /// The file.
        path: String,
        /// The module that was wanted.
        wanted: Atom,
        /// The module that it is.
        found: Atom,
    },
    /// Another file is this module already.
    Twice {
        /// The file.
        path: String,
        /// The other one.
        other: String,
        /// The module.
        module: Atom,
    },
}

impl fmt::Display for Unloadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(diagnostics) => f.write_str(diagnostics),
            Self::Option { path, option } => writeln!(
                f,
                "error: {path}: the option `{option}` of the compiler is not supported; expected maybe_expr or export_all"
            ),
            Self::Nameless { path } => writeln!(f, "{path}: no `-module` attribute"),
            Self::Misnamed { path, wanted, found } => writeln!(
                f,
                "error: {path}: expected the module {wanted}, because of the name of the file, found `-module({found}).`"
            ),
            Self::Twice { path, other, module } => writeln!(
                f,
                "error: {other} and {path} are both the module {module}; name only one of them"
            ),
        }
    }
}

impl Error for Unloadable {}

/// The POSIX name of what went wrong with a file, for example `enoent`: what the program gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posix(pub &'static str);

impl fmt::Display for Posix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Posix {}

/// A trace that cannot be begun.
#[derive(Debug)]
pub enum Unrecorded {
    /// Its file cannot be created.
    File(io::Error),
    /// It cannot be written.
    Trace(log_format::Error),
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Trace(error) => error.fmt(f),
        }
    }
}

impl Error for Unrecorded {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Trace(error) => Some(error),
        }
    }
}

impl From<io::Error> for Unrecorded {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<log_format::Error> for Unrecorded {
    fn from(error: log_format::Error) -> Self {
        Self::Trace(error)
    }
}
