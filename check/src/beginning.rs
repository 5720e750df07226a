//! Where random schedules of a test in Elixir begin: when the test does. Before it, mix, the compiler and the runner take nearly all actions, and none of
//! the program's; that part is run once, and each schedule continues a copy of it.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::vm;
use session::Session;
use session::error::Error;
use system::loader::Loader as _;
use system::observer::Observer;
use system::scheduler::{RoundRobin, Scheduler};
use system::{System, World};

use crate::budget;
use crate::failure::CheckFailure;
use crate::listener::Listener;
use crate::runs::Runs;
use crate::search::{Tested, has_more_modules};

/// A program that stands where its test begins.
pub(crate) struct Beginning {
    system: System<Listener>,
    way: WayBack,
}

/// How to come there again.
#[derive(Clone)]
pub(crate) struct WayBack {
    /// What the program has loaded before it starts.
    pub program: Arc<vm::Program>,
    /// So many actions have been done.
    actions: u64,
    /// Modules that earlier runs have needed since. They are loaded first.
    needed: Vec<Atom>,
}

/// Limit: actions that are run before it is looked whether the test has begun.
const PIECE: u64 = 1000;

impl Beginning {
    /// Runs a program to where the test that failed begins. `None`: it is no test in Elixir, or the program does not come to it.
    pub(crate) fn of(runs: &Runs<'_>, tested: Tested) -> Result<Option<Self>, Error> {
        let CheckFailure::End(end) = runs.failure else {
            return Ok(None);
        };
        let Some((name, _)) = end.test.as_ref().filter(|_| runs.session.sources().has_elixir()) else {
            return Ok(None);
        };
        // Slices end later than the action with which a test begins: the first run counts, the second one stops there.
        let start = |program| runs.started(tested, program, runs.listener(tested), in_turn());
        let mut first = start(runs.of(tested).program())?;
        first.observer.awaits = Some(name.clone());
        while first.observer.began.is_none() {
            let limit = first.total_actions.saturating_add(PIECE);
            if limit > runs.bound || first.run_for(limit, u32::MAX).is_some() && first.observer.began.is_none() {
                return Ok(None);
            }
        }
        runs.searched
            .budget
            .spend(2 * budget::work(first.total_actions, first.total_events));
        let actions = first.observer.began.unwrap_or(0);
        let program = Arc::clone(&first.program);
        let mut system = start(Arc::clone(&program))?;
        if system.run_for(actions, u32::MAX).is_some() {
            return Ok(None);
        }
        system.observer.forget_choices();
        Ok(Some(Self {
            system,
            way: WayBack {
                program,
                actions,
                needed: Vec::new(),
            },
        }))
    }

    /// A copy, and how to come there again. `None`: it cannot be copied.
    pub(crate) fn copy(&mut self, runs: &Runs<'_>, tested: Tested) -> Option<(System<Listener>, WayBack)> {
        let loader = runs.searched.missing.noting(runs.of(tested).sources().loader());
        let mut copy = self.system.fork(in_turn().0, loader)?;
        copy.observer.kin = self.system.observer.kin.apart();
        Some((copy, self.way.clone()))
    }

    /// A run that began here has ended with this program: what it has loaded is there for the next one.
    pub(crate) fn learn(&mut self, program: &vm::Program, session: &Session) {
        if !has_more_modules(program, &self.system.program) {
            return;
        }
        let known = &self.system.program;
        let new: Vec<Atom> = program
            .loaded()
            .into_iter()
            .filter(|module| !known.is_loaded(*module))
            .collect();
        load(&new, &mut self.system, session);
        self.way.needed.extend(new);
    }
}

impl WayBack {
    /// Goes it with another observer.
    pub(crate) fn again<O: Observer>(&self, runs: &Runs<'_>, tested: Tested, observer: O) -> Result<System<O>, Error> {
        let mut system = runs.started(tested, Arc::clone(&self.program), observer, in_turn())?;
        system.run_for(self.actions, u32::MAX);
        load(&self.needed, &mut system, runs.of(tested));
        Ok(system)
    }
}

/// First come, first served; and the seed of the outside.
fn in_turn() -> (Box<dyn Scheduler>, u64) {
    (Box::new(RoundRobin::default()), 0)
}

fn load(modules: &[Atom], system: &mut World, session: &Session) {
    let mut loader = session.sources().loader();
    for module in modules {
        // One that does not load is told of when it is called.
        let _ = loader.load(*module, Arc::make_mut(&mut system.program));
    }
}
