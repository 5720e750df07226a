//! Where random schedules of a test in Elixir begin: when the test does. Before it, mix, the compiler and the runner take nearly all actions, and none of
//! the program's; that part is run once, and each schedule continues a copy of it.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::vm;
use session::Session;
use session::error::Error;
use system::System;
use system::answers::Answers;
use system::loader::Loader as _;
use system::observer::Observer;
use system::scheduler::RoundRobin;

use crate::choices::Naming;
use crate::failure::Failure;
use crate::kin::Kin;
use crate::listener::Listener;
use crate::missing::Missing;
use crate::runs::Runs;
use crate::search::Tested;
use crate::start::system_of;

/// A program that stands where its test begins.
pub(crate) struct Beginning {
    system: System<Listener>,
    way: Way,
}

/// How to come there again.
#[derive(Clone)]
pub(crate) struct Way {
    /// What the program has loaded before it starts.
    pub program: Arc<vm::Program>,
    /// So many actions have been done.
    actions: u64,
    /// Modules that earlier runs have needed since. They are loaded first.
    needed: Vec<Atom>,
}

/// Limit: actions that are run before it is looked whether the test has begun.
const PIECE: u64 = 1000;

/// Starts a program, which gets the recorded answers.
fn started<O: Observer>(
    runs: &Runs<'_>,
    tested: Tested,
    program: Arc<vm::Program>,
    observer: O,
) -> Result<System<O>, Error> {
    let scheduler = Box::new(RoundRobin::default());
    let mut system = system_of(runs.of(tested), &runs.searched.missing, program, observer, scheduler, 0)?;
    system.answers = Some(Answers::new(Arc::clone(runs.answers(tested))));
    let entry = &runs.entry;
    system.start(entry.module, entry.function, entry.arguments.as_deref());
    Ok(system)
}

impl Beginning {
    /// Runs a program to where the test that failed begins. `None`: it is no test in Elixir, or the program does not come to it.
    pub(crate) fn of(runs: &Runs<'_>, tested: Tested) -> Result<Option<Self>, Error> {
        let Failure::End(end) = runs.failure else {
            return Ok(None);
        };
        let Some((name, _)) = end.test.as_ref().filter(|_| runs.session.sources().has_elixir()) else {
            return Ok(None);
        };
        // Slices end later than the action with which a test begins: the first run counts, the second one stops there.
        let listener = || Listener::new(Kin::recorded(), Naming::Place);
        let mut first = started(runs, tested, runs.of(tested).program(), listener())?;
        first.observer.awaits = Some(name.clone());
        while first.observer.began.is_none() {
            let limit = first.total_actions.saturating_add(PIECE);
            if limit > runs.bound || first.run_for(limit, u32::MAX).is_some() && first.observer.began.is_none() {
                return Ok(None);
            }
        }
        let actions = first.observer.began.unwrap_or(0);
        let program = Arc::clone(&first.program);
        let mut system = started(runs, tested, Arc::clone(&program), listener())?;
        Ok(system.run_for(actions, u32::MAX).is_none().then_some(Self {
            system,
            way: Way {
                program,
                actions,
                needed: Vec::new(),
            },
        }))
    }

    /// A copy, and how to come there again. `None`: it cannot be copied.
    pub(crate) fn copy(&mut self, session: &Session, missing: &Missing) -> Option<(System<Listener>, Way)> {
        let mut copy = self.system.fork(
            Box::new(RoundRobin::default()),
            missing.noting(session.sources().loader()),
        )?;
        copy.observer.kin = self.system.observer.kin.apart();
        self.way.load(&mut copy, session);
        Some((copy, self.way.clone()))
    }

    /// A run that began here has ended: what it has loaded is there for the next one.
    pub(crate) fn learn(&mut self, program: &vm::Program) {
        let known = &self.system.program;
        let new = program.loaded().into_iter().filter(|module| !known.is_loaded(*module));
        for module in new {
            if !self.way.needed.contains(&module) {
                self.way.needed.push(module);
            }
        }
    }
}

impl Way {
    /// Goes it with another observer.
    pub(crate) fn again<O: Observer>(&self, runs: &Runs<'_>, tested: Tested, observer: O) -> Result<System<O>, Error> {
        let mut system = started(runs, tested, Arc::clone(&self.program), observer)?;
        system.run_for(self.actions, u32::MAX);
        self.load(&mut system, runs.of(tested));
        Ok(system)
    }

    fn load<O: Observer>(&self, system: &mut System<O>, session: &Session) {
        let mut loader = session.sources().loader();
        for module in &self.needed {
            // One that does not load is told of when it is called.
            let _ = loader.load(*module, Arc::make_mut(&mut system.program));
        }
    }
}
