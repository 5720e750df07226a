//! The Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, version 1.70) over a [`Debugger`](debugger::Debugger): editors drive a replay with it, forward
//! and back. Threads are processes.
//!
//! Requests of our own, besides those of the protocol: `retell/until`, `retell/undo` (both with `target`), `retell/why` (with `target`, or without for
//! the failure). In the console of an editor, the same are `until TARGET`, `undo TARGET`, `why [TARGET]`, and any other text is an expression.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod adapter;
mod answer;
mod backend;
mod launched;
mod sources;
mod wire;

use std::io::{self, BufRead, Write};

pub use backend::{Backend, Launch, Options};

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
