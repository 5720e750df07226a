//! Regular expressions as in PCRE 8.44, on which the module `re` of Erlang/OTP 25 is built.
//!
//! A pattern is compiled to a sequence of operations (`compile`, `op`), some of which are made cheaper (`optimize`), and matched by
//! backtracking with an explicit stack (`matcher`), place after place (`search`). Errors have PCRE's words and positions, and limits count what
//! PCRE counts: a program sees no difference, even when a search gives up. Offsets are in bytes. The source of PCRE (BSD licence) was read for
//! the order of its checks and for what its limits count; the code is our own.

mod analyze;
mod compile;
mod matcher;
mod op;
mod optimize;
mod search;
mod tables;
#[cfg(test)]
mod tests;
mod ucd;

pub use search::{Limit, MatchOutcome, Request};

/// What ends a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Newline {
    #[default]
    Lf,
    Cr,
    CrLf,
    Any,
    AnyCrLf,
}

impl Newline {
    /// How long the newline at `at` is, if there is one before `end`.
    fn is_at(self, text: &[u8], at: usize, end: usize, utf: bool) -> Option<usize> {
        let byte = *text.get(at).filter(|_| at < end)?;
        let next = || text.get(at + 1).copied().filter(|_| at + 1 < end);
        match (self, byte) {
            (Self::Lf, b'\n') | (Self::Cr, b'\r') => Some(1),
            (Self::CrLf, b'\r') => (next() == Some(b'\n')).then_some(2),
            (Self::Any | Self::AnyCrLf, b'\n') | (Self::Any, 0x0b | 0x0c) => Some(1),
            (Self::Any | Self::AnyCrLf, b'\r') => Some(if next() == Some(b'\n') { 2 } else { 1 }),
            (Self::Any, 0x85) if !utf => Some(1),
            (Self::Any, 0xc2) if utf && next() == Some(0x85) => Some(2),
            (Self::Any, 0xe2) if utf && next() == Some(0x80) => {
                matches!(text.get(at + 2), Some(0xa8 | 0xa9)).then_some(3)
            }
            _ => None,
        }
    }

    /// Does a newline end at `at`?
    fn is_before(self, text: &[u8], at: usize, utf: bool) -> bool {
        let Some(last) = at.checked_sub(1) else { return false };
        match (self, text[last]) {
            (Self::Lf, b'\n') | (Self::Cr, b'\r') => true,
            (Self::CrLf, b'\n') => last > 0 && text[last - 1] == b'\r',
            (Self::Any | Self::AnyCrLf, b'\n' | b'\r') | (Self::Any, 0x0b | 0x0c) => true,
            (Self::Any, 0x85) => !utf || (last > 0 && text[last - 1] == 0xc2),
            (Self::Any, 0xa8 | 0xa9) => utf && text[..last].ends_with(&[0xe2, 0x80]),
            _ => false,
        }
    }
}

/// The options of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Settings {
    pub caseless: bool,
    pub dotall: bool,
    pub extended: bool,
    pub multiline: bool,
    pub ungreedy: bool,
    pub dupnames: bool,
    pub utf: bool,
    pub never_utf: bool,
    pub ucp: bool,
    pub no_auto_capture: bool,
    pub anchored: bool,
    pub dollar_endonly: bool,
    pub firstline: bool,
    pub no_start_optimize: bool,
    pub newline: Newline,
    /// The options ask for several newlines that cannot be combined.
    pub clashing_newlines: bool,
    pub bsr_anycrlf: bool,
    pub bsr_unicode: bool,
    /// Set by the pattern only.
    pub match_limit: Option<u32>,
    pub recursion_limit: Option<u32>,
}

impl Settings {
    fn flags(&self) -> compile::Flags {
        compile::Flags {
            caseless: self.caseless,
            dotall: self.dotall,
            extended: self.extended,
            multiline: self.multiline,
            ungreedy: self.ungreedy,
            dupnames: self.dupnames,
            extra: false,
        }
    }
}

/// Why a pattern was refused: PCRE's message, and how many bytes of the pattern had been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    pub text: &'static str,
    pub at: usize,
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern(compile::CompiledPattern);

impl Pattern {
    /// # Errors
    /// The pattern is not a regular expression.
    pub fn new(pattern: &[u8], settings: Settings) -> Result<Self, Error> {
        compile::compile(pattern, settings).map(Self)
    }

    /// How many capturing groups it has.
    #[must_use]
    pub fn groups(&self) -> usize {
        usize::from(self.0.groups)
    }

    /// Names and numbers of groups, sorted; a name may have several groups.
    #[must_use]
    pub fn names(&self) -> &[(Vec<u8>, u16)] {
        &self.0.names
    }

    /// Are pattern and subject UTF-8, as an option or the pattern says?
    #[must_use]
    pub fn is_utf(&self) -> bool {
        self.0.settings.utf
    }

    /// What ends a line, as an option or the pattern says.
    #[must_use]
    pub fn newline(&self) -> Newline {
        self.0.settings.newline
    }

    /// Searches `subject`, which must be UTF-8 if the pattern is; also the part before the request's offset. Returns the outcome and the number
    /// of steps.
    #[must_use]
    pub fn search(&self, subject: &[u8], request: &Request) -> (MatchOutcome, u64) {
        search::search(&self.0, subject, request)
    }
}
