//! Probabilistic concurrency testing [Burckhardt, Kothari, Musuvathi, Nagarakatte: *A Randomized Scheduler with Probabilistic Guarantees of
//! Finding Bugs*, ASPLOS 2010].
//!
//! Every actor has a priority, and the candidate with the highest one acts. At d - 1 steps, drawn from the first k, the actor that would act
//! gets a priority below all first ones. A bug of depth d (d steps have to come in one order) in a run of n actors and k steps is found with a
//! probability of at least 1 / (n · k^(d-1)).
//!
//! Departures: pairs of processes with signals in flight and the clock are actors, too, as chains of messages are in [Ozkan et al., *Randomized
//! Testing of Distributed Systems with Probabilistic Guarantees*, OOPSLA 2018]; so n counts them. An actor that has acted a thousand times in a
//! row falls below all others, because a process may poll for something that only another one can do; and so do, once the run is longer than k,
//! all that have acted in a thousand steps while others could not: two processes may talk until a third one acts. The bound holds for runs without
//! that.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::scheduler::actor::Actor;
use crate::scheduler::draws::Draws;
use crate::scheduler::explorer::STREAK;
use crate::scheduler::explorer::{Round, Strategy};

/// First priorities are above this; those of changed ones below.
const FIRST: u64 = 1 << 62;
/// The priorities of changes are above this, those of actors that act too long are below.
const TOO_LONG: u64 = 1 << 61;

/// See the module.
pub(super) struct Pct {
    /// First priorities are made of this and of the actor, so that nothing is looked up for most of the candidates of a step.
    first: u64,
    /// Priorities that are no longer the first ones.
    changed: FxHashMap<Actor, u64>,
    /// Steps at which the priority changes, and to what.
    changes: Vec<(u64, u64)>,
    /// The last actor, and how often it has acted in a row.
    last: Option<(Actor, u32)>,
    /// The next priority of an actor that acts too long.
    lowest: u64,
    /// k: how long a run is expected to be.
    expected: u64,
    /// Who has acted since a multiple of [`STREAK`] steps, in a run that is longer than expected.
    acted: FxHashSet<Actor>,
}

impl Pct {
    /// `depth` is d, `steps` is k.
    pub(super) fn new(seed: u64, depth: u32, steps: u64) -> Self {
        let mut draws = Draws::new(seed, 0x70_6374);
        let changes = (1..u64::from(depth)).map(|i| (draws.below(steps.max(1)), TOO_LONG + i));
        Self {
            changes: changes.collect(),
            first: draws.next(),
            changed: FxHashMap::default(),
            last: None,
            lowest: TOO_LONG,
            expected: steps,
            acted: FxHashSet::default(),
        }
    }

    /// Lets others act in a run that is longer than expected, if only the same ones have acted for long.
    fn be_fair(&mut self, round: &Round<'_>) {
        if round.step.is_multiple_of(u64::from(STREAK)) {
            let kept_waiting = |acted: &FxHashSet<Actor>| round.candidates.iter().any(|c| !acted.contains(&c.actor));
            if !self.acted.is_empty() && kept_waiting(&self.acted) {
                for candidate in round.candidates {
                    if self.acted.contains(&candidate.actor) {
                        self.lowest -= 1;
                        self.changed.insert(candidate.actor, self.lowest);
                    }
                }
            }
            self.acted.clear();
        }
    }

    /// The candidate with the highest priority.
    fn highest(&self, round: &Round<'_>) -> usize {
        let mut best = (0, 0);
        for (i, candidate) in round.candidates.iter().enumerate() {
            let priority = self.priority(candidate.actor);
            if priority > best.0 {
                best = (priority, i);
            }
        }
        best.1
    }

    fn priority(&self, actor: Actor) -> u64 {
        let changed = if self.changed.is_empty() {
            None
        } else {
            self.changed.get(&actor)
        };
        changed
            .copied()
            .unwrap_or_else(|| FIRST + (actor.spread(self.first) >> 2))
    }
}

impl Strategy for Pct {
    fn choose(&mut self, round: &Round<'_>) -> usize {
        let is_long = round.step > self.expected;
        if is_long {
            self.be_fair(round);
        }
        let mut chosen = self.highest(round);
        for i in 0..self.changes.len() {
            let (step, priority) = self.changes[i];
            if step == round.step {
                self.changed.insert(round.candidates[chosen].actor, priority);
                chosen = self.highest(round);
            }
        }
        let mut actor = round.candidates[chosen].actor;
        let streak = match self.last {
            Some((last, streak)) if last == actor => streak + 1,
            _ => 0,
        };
        self.last = Some((actor, streak));
        if streak >= STREAK && round.candidates.len() > 1 {
            self.lowest -= 1;
            self.changed.insert(actor, self.lowest);
            chosen = self.highest(round);
            actor = round.candidates[chosen].actor;
            self.last = Some((actor, 0));
        }
        if is_long {
            self.acted.insert(actor);
        }
        chosen
    }
}
