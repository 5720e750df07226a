//! Systems that run a program of a trace in another way than it was recorded.

use std::sync::Arc;

use interpreter::vm;
use session::Session;
use session::error::Error;
use system::answers::{Answers, RecordedInputs};
use system::observer::Observer;
use system::recorder::Along;
use system::scheduler::{RoundRobin, Scheduler};
use system::{Limits, RunClock, Settings, System};

use crate::listener::Listener;
use crate::missing::Missing;
use crate::project::{is_of_mix, of_tests};
use crate::tape::{Ears, Tape};

/// A system with the program of a session that holds signals back, and its tape. Modules that there are not are noted.
pub(crate) fn start(
    session: &Session,
    missing: &Missing,
    listener: Listener,
    answers: Option<&Arc<RecordedInputs>>,
) -> Result<(System<Ears>, Tape), Error> {
    let (program, entry) = (session.program(), session.entry());
    let seed = session.trace().header().seed.unwrap_or(0);
    let tape = Tape::of(session, entry, &program);
    let ears = Along::new(listener, tape.recorder()?);
    let scheduler = Box::new(RoundRobin::default());
    let mut system = system_of(session, missing, program, ears, scheduler, seed)?;
    system.answers = answers.map(|known| Answers::new(Arc::clone(known)));
    system.gate();
    system.start(entry.module, entry.function, entry.arguments.as_deref());
    Ok((system, tape))
}

/// Is a run over when its entry has ended? A run of tests is; what they have started may go on for ever.
fn ends_with_entry(session: &Session) -> bool {
    of_tests(session).is_some() || is_of_mix(session)
}

/// A system with a program of a session on the node of the recorded run, without processes.
pub(crate) fn system_of<O: Observer>(
    session: &Session,
    missing: &Missing,
    program: Arc<vm::Program>,
    observer: O,
    scheduler: Box<dyn Scheduler>,
    seed: u64,
) -> Result<System<O>, Error> {
    let trace = session.trace();
    let settings = Settings {
        scheduler,
        outside: session.world(seed),
        loader: missing.noting(session.sources().loader()),
        clock: RunClock::Virtual(0),
        delivery: session.delivery(),
        limits: Limits {
            memory: session.memory(),
            schedulers: system::recorder::schedulers(trace.header()),
            ..Limits::default()
        },
        arguments: trace.header().arguments.clone(),
        exit_with_entry: ends_with_entry(session),
    };
    let mut system = System::new(program, observer, settings, None);
    if let Some(node) = trace.nodes()?.first()
        && node != system::NO_NODE
    {
        system.name_node(node);
    }
    Ok(system)
}
