//! What the adapter is given: how a client is served, and what it cannot do alone.

use std::path::{Path, PathBuf};

use session::{Error, Session, Target};

/// What a client asks to be launched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// A trace, or a program `FILE.erl`.
    pub program: PathBuf,
    /// With a program: run and record it first, under this schedule.
    pub seed: Option<u64>,
}

/// What the adapter cannot do alone.
pub trait Backend {
    /// Opens what is to be debugged.
    ///
    /// # Errors
    /// It cannot be opened.
    fn open(&self, launch: &Launch) -> Result<Session, Error>;

    /// Explains a target, as text for people. `program`: what was launched.
    ///
    /// # Errors
    /// There is no such target; the replay diverges.
    fn why(&self, session: &Session, program: &Path, target: &Target) -> Result<String, Error>;
}

/// How a client is served.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Bytes for checkpoints.
    pub checkpoint_memory: usize,
    /// What a client has to send with its `launch` request, if it is not known to be the one that started us.
    pub token: Option<String>,
}
