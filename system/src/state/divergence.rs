//! Divergences: a program departs from its log.

use std::fmt;

use log_format::{ActionNo, Pid};

/// A difference between a program and its log: the program is not the one that was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The process.
    pub pid: Pid,
    /// The action that it was to do.
    pub action: ActionNo,
    /// The place of the process, `file:line:column`.
    pub location: Option<String>,
    /// What the log contains.
    pub expected: String,
    /// What the program did.
    pub found: String,
}

/// The text of `expected` if the trace does not contain the value of an input any more.
pub const REDACTED: &str = "use a value that was left out";

impl Divergence {
    /// Is this not a real divergence, but the end of what can be replayed, because a value was left out of the trace?
    #[must_use]
    pub fn is_redacted(&self) -> bool {
        self.expected == REDACTED
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names of files and everything else come from the trace.
        let [expected, found] = [&self.expected, &self.found].map(|text| log_format::safe_lines(text));
        write!(f, "process {}, action {}", self.pid, self.action)?;
        if let Some(location) = &self.location {
            write!(f, ", at {}", log_format::safe(location))?;
        }
        if self.is_redacted() {
            return write!(f, ": the value needed here was left out of the trace: {found}");
        }
        write!(f, ": the log says: {expected}; the program does: {found}")
    }
}

impl std::error::Error for Divergence {}
