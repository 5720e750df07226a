//! The order in which places are looked at: what the failure goes back to comes first.
//!
//! A long run is mostly work that has nothing to do with the failure. So actions are visited by what it costs to come to them, the cheapest first:
//!
//! - A step from a receive to the send of what it took, from a read to the write that it saw, and from a process to its birth costs little.
//! - The receive in whose turn an action was done is nearly the same as the action.
//! - What a process did before is reached by *sort*: the places of the program where it was done, and where what it received had been sent. The last
//!   action of each sort costs least, the one before it more, and so on; a sort with many actions costs more than a rare one. So what a server did
//!   once for two buyers is near, however many others it served in between.
//! - The uses of the same shared thing just before and just after cost little.
//!
//! Whatever cannot be reached so comes last, from the end of the run backwards.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use log_format::{ActionId, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

/// From a receive to the send, and the like.
const HOP: u32 = 2;
/// From an action to the receive in whose turn it was done.
const TURN: u32 = 1;
/// To the action of a sort that is one further back.
pub(crate) const BACK: u32 = 4;
/// To a use of the same shared thing, and to one that is one further away.
const USE: u32 = 3;
const NEXT_USE: u32 = 2;
/// So many uses before one and after it.
const USES: usize = 3;
/// To what is on no way from the failure: the last action of each process.
const APART: u32 = 16;
/// What is not known to have led to the failure costs at least so much.
const UNKNOWN: u32 = 20;

/// A sort of actions; 0: nothing was chosen there.
pub(crate) type Sort = u32;

/// What the order is made of.
pub(crate) trait Run {
    /// What can go wrong when an action is read.
    type Error;
    /// The processes.
    fn processes(&self) -> Vec<Pid>;
    /// How many actions a process did.
    fn actions(&self, pid: Pid) -> u64;
    /// The sort of an action.
    fn sort(&self, id: ActionId) -> Sort;
    /// How many actions are of this sort.
    fn many(&self, sort: Sort) -> u32;
    /// What it depends on in other processes.
    fn sources(&self, id: ActionId) -> Result<Vec<ActionId>, Self::Error>;
    /// The uses of the shared things that it uses: for each, all of them in order, and the place of this one.
    fn uses(&self, id: ActionId) -> Result<Vec<(Rc<[ActionId]>, usize)>, Self::Error>;
}

/// A step of the walk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// An action.
    To(ActionId),
    /// The `back`-th action of a sort, counted from `at` places in the list of those of the process; `from`: what it costs to come to the process.
    Back {
        pid: Pid,
        sort: Sort,
        at: usize,
        back: u32,
        from: u32,
    },
}

/// The actions of one process where something was chosen, by sort, ascending.
type Past = FxHashMap<Sort, Vec<u64>>;

/// The walk.
pub(crate) struct Story<'r, R> {
    run: &'r R,
    next: BinaryHeap<Reverse<(u32, Step)>>,
    cost: FxHashMap<ActionId, u32>,
    pasts: FxHashMap<Pid, Rc<Past>>,
    /// Sorts that were gone back through, with what it had cost to come to the process then.
    gone: FxHashSet<(Pid, Sort, usize)>,
}

/// What it costs that a sort has so many actions.
pub(crate) const fn commonness(many: u32) -> u32 {
    match many {
        0 => 0,
        many => many.ilog2(),
    }
}

impl<'r, R: Run> Story<'r, R> {
    /// From these actions back, each with what it costs.
    pub(crate) fn new(run: &'r R, ends: &[(ActionId, u32)]) -> Self {
        let mut story = Self {
            run,
            next: BinaryHeap::new(),
            cost: FxHashMap::default(),
            pasts: FxHashMap::default(),
            gone: FxHashSet::default(),
        };
        for (end, cost) in ends {
            story.reach(*end, *cost);
        }
        let processes = run.processes();
        let apart = APART + commonness(u32::try_from(processes.len()).unwrap_or(u32::MAX));
        for pid in processes {
            story.reach(ActionId::new(pid, run.actions(pid)), apart);
        }
        story
    }

    fn reach(&mut self, id: ActionId, cost: u32) {
        if id.number.0 > 0 && self.cost.get(&id).is_none_or(|known| *known > cost) {
            self.next.push(Reverse((cost, Step::To(id))));
        }
    }

    fn past(&mut self, pid: Pid) -> Rc<Past> {
        if let Some(known) = self.pasts.get(&pid) {
            return Rc::clone(known);
        }
        let mut past = Past::default();
        for n in 1..=self.run.actions(pid) {
            let sort = self.run.sort(ActionId::new(pid, n));
            if sort != 0 {
                past.entry(sort).or_default().push(n);
            }
        }
        let past = Rc::new(past);
        self.pasts.insert(pid, Rc::clone(&past));
        past
    }

    /// What it cost to come to an action, if the walk has been there.
    pub(crate) fn cost(&self, id: ActionId) -> Option<u32> {
        self.cost.get(&id).copied()
    }

    /// What an action costs as the other side of a choice.
    pub(crate) fn cost_of_other(&self, id: Option<ActionId>) -> u32 {
        match id {
            Some(id) => self
                .cost(id)
                .unwrap_or_else(|| UNKNOWN + commonness(self.run.many(self.run.sort(id)))),
            // Nobody ever took it.
            None => UNKNOWN / 2,
        }
    }

    /// The cost of the next action, or less.
    pub(crate) fn least(&self) -> Option<u32> {
        self.next.peek().map(|Reverse((cost, _))| *cost)
    }

    /// The next action at which something was chosen, with its cost.
    pub(crate) fn next(&mut self) -> Result<Option<(u32, ActionId)>, R::Error> {
        while let Some(Reverse((cost, step))) = self.next.pop() {
            let id = match step {
                Step::To(id) => id,
                Step::Back {
                    pid,
                    sort,
                    at,
                    back,
                    from,
                } => {
                    let past = self.past(pid);
                    let Some(number) = past.get(&sort).and_then(|all| all.get(at)) else {
                        continue;
                    };
                    let id = ActionId::new(pid, *number);
                    // Where the walk has been, it has gone on from there.
                    if !self.cost.contains_key(&id) {
                        self.go_back(pid, sort, at, back + 1, from);
                    }
                    id
                }
            };
            if self.cost.contains_key(&id) {
                continue;
            }
            self.cost.insert(id, cost);
            self.go_on(id, cost)?;
            if self.run.sort(id) != 0 {
                return Ok(Some((cost, id)));
            }
        }
        Ok(None)
    }

    /// To the actions of a sort before the one at this place.
    fn go_back(&mut self, pid: Pid, sort: Sort, at: usize, back: u32, from: u32) {
        let Some(at) = at.checked_sub(1) else { return };
        let cost = from + BACK * back + commonness(self.run.many(sort));
        self.next.push(Reverse((
            cost,
            Step::Back {
                pid,
                sort,
                at,
                back,
                from,
            },
        )));
    }

    fn go_on(&mut self, id: ActionId, cost: u32) -> Result<(), R::Error> {
        for source in self.run.sources(id)? {
            self.reach(source, cost + HOP);
        }
        for (uses, place) in self.run.uses(id)? {
            let before = uses[..place].iter().rev();
            let after = uses.iter().skip(place + 1);
            let others = |one: &&ActionId| one.pid != id.pid;
            for near in [
                before.filter(others).take(USES).collect::<Vec<_>>(),
                after.filter(others).take(USES).collect(),
            ] {
                for (other, far) in near.into_iter().zip(0..) {
                    self.reach(*other, cost + USE + NEXT_USE * far);
                }
            }
        }
        let past = self.past(id.pid);
        let mut turn: Option<u64> = None;
        for (sort, all) in past.iter() {
            let before = all.partition_point(|number| *number < id.number.0);
            let Some(last) = before.checked_sub(1) else { continue };
            turn = turn.max(Some(all[last]));
            if self.gone.insert((id.pid, *sort, before)) {
                self.go_back(id.pid, *sort, before, 1, cost);
            }
        }
        if let Some(turn) = turn {
            self.reach(ActionId::new(id.pid, turn), cost + TURN);
        }
        Ok(())
    }
}
