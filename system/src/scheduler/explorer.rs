//! A scheduler that chooses before every action.
//!
//! At every moment, each ready process can do its next action, each pair of processes with signals in flight can have one arrive, and time can
//! pass up to the next deadline (see [`Jitter`]). All signals are kept in flight, and messages of timers too; so the order in which they arrive
//! is a choice of its own. Silent steps are not: they commute with all steps of others.
//!
//! One of the candidates is *usual*: the process that ran last goes on; if it waits, signals arrive in the order in which they were sent; then
//! the process runs that has been ready for longest. The choices of a run that are not usual are its *switches*. With them alone the run can be
//! repeated, and with fewer of them it can be made simpler.

use std::sync::{Arc, Mutex, PoisonError};

use interpreter::heap::TermView;
use interpreter::term::{Pid, Term};
use interpreter::vm::Program;
use rustc_hash::FxHashMap;

use crate::hash::mix;
use crate::ids::Slot;
use crate::scheduler::actor::Actor;
use crate::scheduler::choose::{Grain, Moment, SLICE, ScheduledChoice, Scheduler};
use crate::scheduler::jitter::Jitter;
use crate::scheduler::switches::Switch;
use crate::state::process::Process;

/// Counted events after which a process loses its turn even if it has done no action.
const SILENT: u32 = 250;

/// A process that does so many actions in a row is no longer the usual one: others that wait for their turn must get it.
pub(super) const STREAK: u32 = 1000;

/// What decides between candidates.
pub trait Strategy: Send {
    /// Does it look at what candidates touch?
    fn sees_natives(&self) -> bool {
        false
    }
    /// The index of the candidate that acts now.
    fn choose(&mut self, round: &Round<'_>) -> usize;
}

/// What a strategy chooses from.
pub struct Round<'a> {
    /// How many choices were made before.
    pub step: u64,
    /// invariant: not empty, and an actor occurs once; the clock is the last one.
    pub candidates: &'a [Candidate],
    /// The index of the usual candidate. It is not the clock.
    pub usual: usize,
    /// How often the usual candidate has acted before.
    pub acted: u64,
}

impl Round<'_> {
    /// The index of an actor.
    #[must_use]
    pub fn place_of(&self, actor: Actor) -> Option<usize> {
        self.candidates.iter().position(|candidate| candidate.actor == actor)
    }
}

/// Something that can happen now.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Who acts.
    pub actor: Actor,
    /// Hashes of what it touches, 0 for nothing. Only for strategies that look at it.
    touches: [u64; 3],
    choice: ScheduledChoice,
}

impl Candidate {
    /// Can the order of these two matter?
    #[must_use]
    pub fn races_with(&self, other: &Self) -> bool {
        self.touches.iter().any(|key| *key != 0 && other.touches.contains(key))
    }
}

/// The choices of a run, for its caller.
#[derive(Clone, Default, Debug)]
pub struct ChoicesMade {
    /// How many choices there were.
    pub steps: u64,
    /// Those that were not usual.
    pub switches: Vec<Switch>,
}

/// A handle to the choices of a run, to be read when it has ended.
#[derive(Clone, Default, Debug)]
pub struct Taken(Arc<Mutex<ChoicesMade>>);

impl Taken {
    /// The choices so far.
    #[must_use]
    pub fn so_far(&self) -> ChoicesMade {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// See the module.
pub struct Explorer {
    strategy: Box<dyn Strategy>,
    sees_natives: bool,
    jitter: Jitter,
    /// Ready processes; the one that has been ready for longest is the first.
    ready: Vec<Slot>,
    candidates: Vec<Candidate>,
    /// How often each actor has acted.
    acted: FxHashMap<Actor, u64>,
    /// The process that ran last, and how many actions in a row it has done.
    current: Option<(Actor, u32)>,
    taken: Taken,
}

impl Explorer {
    /// A scheduler that asks this strategy.
    #[must_use]
    pub fn new(strategy: Box<dyn Strategy>, jitter: Jitter) -> Self {
        Self {
            sees_natives: strategy.sees_natives(),
            strategy,
            jitter,
            ready: Vec::new(),
            candidates: Vec::new(),
            acted: FxHashMap::default(),
            current: None,
            taken: Taken::default(),
        }
    }

    /// A handle to its choices.
    #[must_use]
    pub fn taken(&self) -> Taken {
        self.taken.clone()
    }

    /// Lists what can happen now.
    fn list(&mut self, moment: &Moment<'_>) {
        let Self {
            ready,
            candidates,
            sees_natives,
            ..
        } = self;
        candidates.clear();
        ready.retain(|slot| {
            // A process can end while it waits for its turn.
            let Some(process) = moment.table.get(*slot) else {
                return false;
            };
            candidates.push(Candidate {
                actor: Actor::Process(process.pid.number()),
                touches: if *sees_natives {
                    touched_by(process, moment.program)
                } else {
                    [0; 3]
                },
                choice: ScheduledChoice::Run(*slot, SILENT),
            });
            true
        });
        for (i, (from, to)) in moment.flight.list().iter().enumerate() {
            if !moment.flight.may_arrive((*from, *to)) {
                continue;
            }
            candidates.push(Candidate {
                actor: Actor::of_pair(*from, *to),
                touches: [key_of_pid(*to), 0, 0],
                choice: ScheduledChoice::Arrive(i),
            });
        }
        if let Some(due) = moment.due
            && !candidates.is_empty()
            && !self.jitter.is_off()
            && self.jitter.allows(moment.now, due, candidates.iter().map(|c| c.actor))
        {
            candidates.push(Candidate {
                actor: Actor::Clock,
                touches: [0; 3],
                choice: ScheduledChoice::Elapse,
            });
        }
    }

    /// The index of the usual candidate.
    fn usual(&self) -> usize {
        let processes = self.ready.len();
        if let Some((current, streak)) = self.current
            && streak < STREAK
            && let Some(place) = self.candidates[..processes].iter().position(|c| c.actor == current)
        {
            return place;
        }
        let signals = self.candidates.len() > processes && self.candidates[processes].actor != Actor::Clock;
        if signals { processes } else { 0 }
    }
}

impl Scheduler for Explorer {
    fn ready(&mut self, slot: Slot) {
        self.ready.push(slot);
    }

    /// Never asked, because of its grain. If it is: first come, first served.
    fn next(&mut self) -> Option<(Slot, u32)> {
        (!self.ready.is_empty()).then(|| (self.ready.remove(0), SLICE))
    }

    fn delay(&mut self) -> bool {
        true
    }

    fn delay_timer(&mut self) -> bool {
        true
    }

    fn yields(&mut self) {
        self.current = None;
    }

    fn grain(&self) -> Grain {
        if self.sees_natives {
            Grain::Natives
        } else {
            Grain::Actions
        }
    }

    fn choose(&mut self, moment: &Moment<'_>) -> Option<ScheduledChoice> {
        self.list(moment);
        if self.candidates.is_empty() {
            self.jitter.rests();
            return None;
        }
        let usual = self.usual();
        let usual_actor = self.candidates[usual].actor;
        let acted = self.acted.get(&usual_actor).copied().unwrap_or_default();
        let mut made = self.taken.0.lock().unwrap_or_else(PoisonError::into_inner);
        let chosen = self.strategy.choose(&Round {
            step: made.steps,
            candidates: &self.candidates,
            usual,
            acted,
        });
        let Candidate { actor, choice, .. } = self.candidates[chosen];
        made.steps += 1;
        if chosen != usual {
            made.switches.push(Switch {
                instead_of: usual_actor,
                after: acted,
                to: actor,
            });
        }
        drop(made);
        *self.acted.entry(actor).or_default() += 1;
        self.jitter.acted(actor);
        if let Actor::Process(_) = actor {
            let streak = match self.current {
                Some((current, streak)) if current == actor && streak < STREAK => streak + 1,
                _ => 0,
            };
            self.current = Some((actor, streak));
            self.ready.remove(chosen);
        }
        Some(choice)
    }
}

fn key_of_pid(pid: Pid) -> u64 {
    mix(pid.number() ^ 0x7069_6400_0000) | 1
}

/// What the next step of a process touches: the processes, names and tables among the first arguments of the native that it is about to call.
/// Otherwise its own mailbox.
fn touched_by(process: &Process, program: &Program) -> [u64; 3] {
    let own = key_of_pid(process.pid);
    let mut touched = [0; 3];
    match process.retry {
        None => touched[0] = own,
        Some(id) => {
            let arguments = process
                .machine
                .args()
                .iter()
                .take(program.native(id).arity.min(3).into());
            for (key, argument) in touched.iter_mut().zip(arguments) {
                *key = key_of(process, *argument);
            }
        }
    }
    touched
}

fn key_of(process: &Process, term: Term) -> u64 {
    match process.machine.heap.view(term) {
        TermView::Pid(pid) => key_of_pid(pid),
        TermView::Atom(atom) => mix(u64::from(atom.index()) ^ 0x6174_6f6d_0000) | 1,
        TermView::Reference(reference) => mix(reference.owner.number() ^ mix(reference.number)) | 1,
        _ => 0,
    }
}
