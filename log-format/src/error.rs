//! Errors in trace files. Every error says where, what was expected, what was found, and what to do.

use std::fmt;
use std::io;

use crate::varint::Malformed;

/// The result of everything that reads or writes a trace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A trace that could not be read or written.
#[derive(Debug)]
pub struct Error {
    /// Offset in the file, in bytes, of what was wrong.
    pub offset: u64,
    /// What was wrong.
    pub kind: ErrorKind,
}

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused to open, read or write the file.
    Io(io::Error),
    /// The file does not begin like a trace.
    NotATrace {
        /// What it looks like, for people.
        found: String,
    },
    /// A version of the format that is not known here.
    Version {
        /// Its major number.
        major: u16,
        /// Its minor number.
        minor: u16,
    },
    /// Something that a later minor version has added, and that a reader must know.
    Later {
        /// What it is.
        what: String,
        /// The minor version of the file, where it is known.
        minor: Option<u16>,
    },
    /// Bytes that no writer writes.
    Damaged {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The file ends where there should be more.
    Cut {
        /// What was expected.
        expected: String,
        /// The length of the file.
        end: u64,
    },
    /// The file ends before the program that it should begin with does: nothing was recorded.
    Empty {
        /// The length of the file.
        end: u64,
    },
    /// All actions are whole, and the index is not.
    Index {
        /// What is wrong with it.
        why: String,
    },
    /// The file became shorter while it was being read.
    Shrunk {
        /// Its length when it was opened.
        opened: u64,
    },
    /// Something requested is not in the trace.
    Absent {
        /// The request.
        what: String,
        /// What there is instead.
        range: String,
    },
    /// Something is larger than the format allows.
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        found: u64,
        /// The limit.
        limit: u64,
    },
}

impl Error {
    pub(crate) const fn new(offset: u64, kind: ErrorKind) -> Self {
        Self { offset, kind }
    }

    pub(crate) const fn io(offset: u64, error: io::Error) -> Self {
        Self::new(offset, ErrorKind::Io(error))
    }

    /// An error for bytes that no writer writes: the offset, what was expected, what was found.
    pub fn damaged(offset: u64, expected: impl Into<String>, found: impl fmt::Display) -> Self {
        Self::new(
            offset,
            ErrorKind::Damaged {
                expected: expected.into(),
                found: found.to_string(),
            },
        )
    }

    /// An error for a file that ends too early.
    pub(crate) fn cut(offset: u64, expected: impl Into<String>, end: u64) -> Self {
        let expected = expected.into();
        Self::new(offset, ErrorKind::Cut { expected, end })
    }

    /// An error for a request: what is missing, and what there is instead.
    pub fn absent(what: impl Into<String>, range: impl Into<String>) -> Self {
        Self::new(
            0,
            ErrorKind::Absent {
                what: what.into(),
                range: range.into(),
            },
        )
    }

    /// Only what is wrong and where, to stand within another sentence.
    pub(crate) fn brief(&self) -> String {
        let at = self.offset;
        match &self.kind {
            ErrorKind::Damaged { expected, found } if at == 0 => format!("expected {expected}, found {found}"),
            ErrorKind::Damaged { expected, found } => format!("at byte {at}: expected {expected}, found {found}"),
            ErrorKind::Cut { expected, end } => {
                format!("at byte {at}: expected {expected}, found the end of the file at {end}")
            }
            _ => self.to_string(),
        }
    }

    /// The same, where it is found before the program has been read: if the file ends there, it was cut off.
    pub(crate) fn at_the_start(self, end: u64) -> Self {
        if self.is_of_the_end() {
            return Self::new(end, ErrorKind::Empty { end });
        }
        self
    }

    /// An error in the bytes of a section that begins at `base`.
    pub(crate) fn malformed(base: u64, malformed: &Malformed) -> Self {
        Self::damaged(base + malformed.at as u64, malformed.expected, malformed.found)
    }

    /// Is only the end of the file missing, because it was not written or was cut off?
    #[must_use]
    pub(crate) const fn is_of_the_end(&self) -> bool {
        matches!(self.kind, ErrorKind::Cut { .. })
    }

    /// Is the file at fault (not a trace, damaged, another version), and not the system or the request?
    #[must_use]
    pub const fn is_bad_trace(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::NotATrace { .. }
                | ErrorKind::Version { .. }
                | ErrorKind::Later { .. }
                | ErrorKind::Damaged { .. }
                | ErrorKind::Cut { .. }
                | ErrorKind::Empty { .. }
                | ErrorKind::Index { .. }
                | ErrorKind::Shrunk { .. }
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match &self.kind {
            ErrorKind::Io(error) if at == 0 => write!(f, "{error}"),
            ErrorKind::Io(error) => write!(f, "at byte {at}: {error}"),
            ErrorKind::NotATrace { found } => {
                write!(f, "not a trace: expected a file made by `tracer run -o`, found {found}")
            }
            ErrorKind::Version { major, minor } => write!(
                f,
                "version {major}.{minor} of the trace format is not supported: this program reads version {}.x; \
                 use the release that wrote the trace, or record again",
                crate::MAJOR
            ),
            ErrorKind::Later { what, minor } => {
                let (major, ours) = (crate::MAJOR, crate::MINOR);
                let of = minor.map_or_else(
                    || "a later version".to_owned(),
                    |minor| format!("version {major}.{minor}"),
                );
                write!(
                    f,
                    "the trace needs a later release: at byte {at}: expected what version {major}.{ours} of the trace format has, found {what}, of \
                     {of}; use the release that wrote the trace, or record again"
                )
            }
            ErrorKind::Damaged { .. } | ErrorKind::Cut { .. } => write!(
                f,
                "damaged trace: {}; restore the file from its source or record again",
                self.brief()
            ),
            ErrorKind::Empty { end } => write!(
                f,
                "the file was cut off before anything was recorded: it ends at byte {end}, before its program does; record again"
            ),
            ErrorKind::Index { why } => write!(
                f,
                "the index is damaged: {why}; all actions are whole and can be replayed; `replay export TRACE | replay import - -o NEW` makes a \
                 sound file"
            ),
            ErrorKind::Shrunk { opened } => write!(
                f,
                "the trace became shorter while it was read: at byte {at}: expected {opened} bytes in all; \
                 restore the file and try again"
            ),
            ErrorKind::Absent { what, range } => write!(f, "no {what} in this trace: {range}"),
            ErrorKind::TooLarge { what, found, limit } => {
                write!(f, "{what} is too large for a trace: {found}, the limit is {limit}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}
