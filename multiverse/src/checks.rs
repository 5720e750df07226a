//! What a universe is held against, besides that nothing crashes: invariants of the program, and exits that count as normal.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::vm::{self, Program};
use log_format::{ActionId, ActionNo, Pid};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Error;
use session::invariant::{self, About, Invariant};
use session::player::receives::Received;
use session::player::{Player, handle};
use session::program::Sources;
use session::watch;
use system::observer::{ActionEvent, Ending, Observer};
use system::process::Process;

use crate::normal::Normal;
use crate::outcome::{Names, Violation};

/// Limit: answers that are remembered.
const REMEMBERED: usize = 1 << 18;

/// Invariants, and reasons that count as normal.
#[derive(Default)]
pub struct Checks {
    /// Must hold for all messages and states.
    pub(crate) invariants: Vec<Invariant>,
    /// No crashes.
    pub(crate) normal: Normal,
    /// What they said, by what was looked at.
    known: FxHashMap<(usize, LookedKey), Option<Arc<FailedInvariant>>>,
}

/// What is looked at, the same in all universes that have it: what happened, and what is looked at there; and the name of the process.
pub(crate) type LookedKey = (u64, Looked, Option<Atom>);

/// What is looked at of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Looked {
    Message,
    State,
    /// In which it waits at the end.
    LastState,
    /// The same of a process that has done nothing.
    FirstState,
}

/// How an invariant failed, with the pids of one universe.
struct FailedInvariant {
    value: String,
    place: String,
    how: String,
}

/// A look at a process.
pub(crate) struct Look<'a> {
    pub pid: Pid,
    /// Its actions by then.
    pub done: u64,
    /// `None`: it is not known from other universes.
    pub key: Option<(u64, Looked)>,
    pub name: Option<Atom>,
    pub what: LookedAt<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum LookedAt<'a> {
    /// A message, received there.
    Message(&'a Fragment, Option<&'a vm::Process>),
    /// A process that waits in a receive.
    Waits(&'a vm::Process),
}

impl LookedAt<'_> {
    const fn about(self) -> About {
        match self {
            Self::Message(..) => About::Message,
            Self::Waits(_) => About::State,
        }
    }
}

/// The name of a process.
pub(crate) fn name_of(process: &Process) -> Option<Atom> {
    process.rare.names.first().copied()
}

/// Of a universe: which invariants failed, each once for a process and what it is about, and after which action.
#[derive(Default)]
pub(crate) struct Violations {
    seen: FxHashSet<(usize, Pid, About)>,
    pub all: Vec<(Violation, ActionId)>,
}

impl Checks {
    /// These invariants, and exits that count as normal.
    #[must_use]
    pub fn new(invariants: Vec<Invariant>, normal: Normal) -> Self {
        Self {
            invariants,
            normal,
            known: FxHashMap::default(),
        }
    }

    /// The exits that count as normal.
    #[must_use]
    pub fn normal(&self) -> Normal {
        self.normal.clone()
    }

    /// Holds one thing against the invariants.
    pub(crate) fn look(
        &mut self,
        look: &Look<'_>,
        (program, sources): (&Program, &Sources),
        names: &mut dyn Names,
        into: &mut Violations,
    ) -> Result<(), Error> {
        for (invariant, i) in self.invariants.iter_mut().zip(0..) {
            let about = look.what.about();
            if into.seen.contains(&(i, look.pid, about)) {
                continue;
            }
            let key = look.key.map(|(key, looked)| (i, (key, looked, look.name)));
            let failed = match key.and_then(|key| self.known.get(&key)) {
                Some(known) => known.clone(),
                None => ask(invariant, look, program, sources)?.map(Arc::new),
            };
            if let Some(key) = key {
                if self.known.len() >= REMEMBERED {
                    self.known.clear();
                }
                self.known.insert(key, failed.clone());
            }
            let Some(failed) = failed else { continue };
            into.seen.insert((i, look.pid, about));
            let violation = Violation {
                invariant: invariant.name.clone(),
                who: look
                    .name
                    .map_or_else(|| names.of(look.pid).to_string(), |name| name.as_str().to_owned()),
                about: about.word().to_owned(),
                value: names.text(&failed.value),
                place: failed.place.clone(),
                how: names.text(&failed.how),
            };
            let last = ActionId {
                pid: names.of(look.pid),
                number: ActionNo(look.done),
            };
            into.all.push((violation, last));
        }
        Ok(())
    }

    /// Holds all that was done against the invariants.
    pub(crate) fn look_at(
        &mut self,
        player: &Player,
        start: &Player,
        names: &mut dyn Names,
    ) -> Result<Violations, Error> {
        let mut violations = Violations::default();
        if self.invariants.is_empty() {
            return Ok(violations);
        }
        let called = names_at_ends(player)?;
        let (session, program) = (player.session(), player.look(|system| Arc::clone(&system.program)));
        player.receives(start, |pid, done, received| {
            let look = Look {
                pid,
                done: done.0,
                key: None,
                name: called.get(&pid).copied(),
                what: match received {
                    Received::Waits(machine) => LookedAt::Waits(machine),
                    Received::Takes(message, machine) => LookedAt::Message(message, machine),
                },
            };
            self.look(&look, (&program, session.sources()), names, &mut violations)
        })?;
        violations.in_order();
        Ok(violations)
    }
}

/// Hears with which names processes end.
#[derive(Default)]
struct NamedEnds(FxHashMap<Pid, Atom>);

impl Observer for NamedEnds {
    type Log = ();

    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        self.0.extend(ending.names.first().map(|name| (ending.pid, *name)));
    }
}

/// The names of processes, at the end of what was done or at their own ends.
fn names_at_ends(player: &Player) -> Result<FxHashMap<Pid, Atom>, Error> {
    let mut called = player.replay_for(NamedEnds::default())?.0;
    player.look(|system| {
        let living = system.table().pids().into_iter();
        called.extend(living.filter_map(|pid| Some((system::ids::to_log(pid), name_of(system.table().by_pid(pid)?)?))));
    });
    Ok(called)
}

impl Violations {
    /// The order must not depend on the order of the search.
    pub fn in_order(&mut self) {
        self.all
            .sort_unstable_by(|(one, at), (other, then)| one.cmp(other).then(at.cmp(then)));
    }
}

fn ask(
    invariant: &mut Invariant,
    look: &Look<'_>,
    program: &Program,
    sources: &Sources,
) -> Result<Option<FailedInvariant>, Error> {
    let (machine, value) = match look.what {
        LookedAt::Message(message, machine) => (machine, message.clone()),
        LookedAt::Waits(machine) => match invariant::state(machine, program, sources) {
            Some(state) => (Some(machine), state),
            None => return Ok(None),
        },
    };
    let how = invariant.fails(look.pid, look.name, look.what.about(), &value)?;
    Ok(how.map(|how| FailedInvariant {
        value: invariant.shown(&value),
        place: machine.map_or_else(String::new, |machine| place(machine, program, sources)),
        how,
    }))
}

/// Where a process is: the line in a file of the program, or what it runs.
fn place(machine: &vm::Process, program: &Program, sources: &Sources) -> String {
    let here = watch::here(machine, program).filter(|place| sources.owns(&place.file));
    let line = here.map(|place| format!("{}:{}", place.file, place.line));
    line.or_else(|| watch::runs(machine, program)).unwrap_or_default()
}

/// The living process with this pid.
pub(crate) fn living(world: &system::World, pid: Pid) -> Option<&Process> {
    world.table().by_pid(handle(pid))
}
