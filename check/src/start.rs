//! Systems that run a program of a trace in another way than it was recorded.

use std::sync::Arc;

use interpreter::vm;
use session::Session;
use session::error::Error;
use session::program::{Entry, Sources};
use system::outside::Simulated;
use system::scheduler::{RoundRobin, Scheduler};
use system::{Clock, Limits, Settings, System};

use crate::listener::Listener;

/// A system with this program that holds signals back.
pub(crate) fn start(
    session: &Session,
    sources: &Sources,
    entry: &Entry,
    listener: Listener,
) -> Result<System<Listener>, Error> {
    let program = Arc::new(entry.load(sources)?);
    let seed = session.trace().header().seed.unwrap_or(0);
    let mut system = system_of(
        session,
        program,
        sources,
        listener,
        Box::new(RoundRobin::default()),
        seed,
    )?;
    system.gate();
    system.start(entry.module, entry.function, entry.arguments.as_deref());
    Ok(system)
}

/// A system with this program on the node of the recorded run, without processes.
pub(crate) fn system_of(
    session: &Session,
    program: Arc<vm::Program>,
    sources: &Sources,
    listener: Listener,
    scheduler: Box<dyn Scheduler>,
    seed: u64,
) -> Result<System<Listener>, Error> {
    let trace = session.trace();
    let settings = Settings {
        scheduler,
        outside: Box::new(Simulated::new(seed)),
        loader: Box::new(sources.loader()),
        clock: Clock::Virtual(0),
        delivery: session.delivery(),
        limits: Limits {
            memory: session.memory(),
            ..Limits::default()
        },
        arguments: trace.header().arguments.clone(),
        exit_with_entry: false,
    };
    let mut system = System::new(program, listener, settings, None);
    if let Some(node) = trace.nodes()?.first()
        && node != system::NO_NODE
    {
        system.name_node(node);
    }
    Ok(system)
}
