//! The Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, version 1.70) over a [`Debugger`]: editors drive a replay with it, forward
//! and back. Threads are processes.
//!
//! Requests of our own, besides those of the protocol: `retell/until`, `retell/undo` (both with `target`), `retell/why` (with `target`, or without for
//! the failure). In the console of an editor, the same are `until TARGET`, `undo TARGET`, `why [TARGET]`, and any other text is an expression.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod adapter;
mod sources;
mod wire;

use std::io::{self, BufRead, Write};
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

/// Serves one client until it disconnects or vanishes.
///
/// # Errors
/// The streams cannot be read or written, or what comes is no message.
pub fn serve(
    input: &mut impl BufRead,
    output: &mut (impl Write + ?Sized),
    backend: &dyn Backend,
    options: &Options,
) -> io::Result<()> {
    let mut adapter = adapter::Adapter::new(backend, options);
    while let Some(incoming) = wire::read(input)? {
        let messages = match incoming {
            wire::Incoming::Message(request) => adapter.handle(&request),
            wire::Incoming::NotJson(why) => adapter.not_json(&why),
        };
        for message in &messages {
            wire::write(output, message)?;
        }
        if adapter.is_over() {
            break;
        }
    }
    Ok(())
}
