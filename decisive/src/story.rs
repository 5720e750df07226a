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

/// A sort of actions: where in the program they were done; 0: nothing was chosen there.
pub(crate) type Sort = u32;

/// All uses of a shared thing in order, and the place of one among them.
pub(crate) type Uses = (Rc<[ActionId]>, usize);

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
    fn uses(&self, id: ActionId) -> Result<Vec<Uses>, Self::Error>;
}

/// A step of the walk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// An action.
    To(ActionId),
    Back(Back),
}

/// Back to an action of a sort: the `back`-th one, at place `at` in the list of those of the process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Back {
    pid: Pid,
    sort: Sort,
    at: usize,
    back: u32,
    /// What it costs to come to the process.
    from: u32,
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
                Step::Back(step) => {
                    let past = self.past(step.pid);
                    let Some(number) = past.get(&step.sort).and_then(|all| all.get(step.at)) else {
                        continue;
                    };
                    let id = ActionId::new(step.pid, *number);
                    // Where the walk has been, it has gone on from there.
                    if !self.cost.contains_key(&id) {
                        self.go_back(Back {
                            back: step.back + 1,
                            ..step
                        });
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

    /// To the action of a sort before the one at this place.
    fn go_back(&mut self, after: Back) {
        let Some(at) = after.at.checked_sub(1) else { return };
        let cost = after.from + BACK * after.back + commonness(self.run.many(after.sort));
        self.next.push(Reverse((cost, Step::Back(Back { at, ..after }))));
    }

    fn go_on(&mut self, id: ActionId, cost: u32) -> Result<(), R::Error> {
        // To come to what is common says little.
        let common = commonness(self.run.many(self.run.sort(id))) / 2;
        for source in self.run.sources(id)? {
            self.reach(source, cost + HOP + common);
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
                self.go_back(Back {
                    pid: id.pid,
                    sort: *sort,
                    at: before,
                    back: 1,
                    from: cost,
                });
            }
        }
        if let Some(turn) = turn {
            let turn = ActionId::new(id.pid, turn);
            let common = commonness(self.run.many(self.run.sort(turn))) / 2;
            self.reach(turn, cost + TURN + common);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// An action: its sort, what it goes back to, and the shared thing that it uses.
    type Done = (Sort, Option<ActionId>, Option<u32>);

    #[derive(Default)]
    struct Told {
        acts: FxHashMap<Pid, Vec<Done>>,
        order: Vec<ActionId>,
    }

    impl Told {
        fn does(&mut self, pid: u64, sort: Sort, source: Option<ActionId>, thing: Option<u32>) -> ActionId {
            let acts = self.acts.entry(Pid(pid)).or_default();
            acts.push((sort, source, thing));
            let id = ActionId::new(Pid(pid), acts.len() as u64);
            self.order.push(id);
            id
        }

        fn at(&self, id: ActionId) -> Done {
            let acts = self.acts.get(&id.pid).map_or(&[][..], Vec::as_slice);
            let at = usize::try_from(id.number.0).unwrap_or(0).wrapping_sub(1);
            acts.get(at).copied().unwrap_or((0, None, None))
        }

        /// The actions that are visited, in this order, each with its cost.
        fn walk(&self, end: ActionId) -> Vec<(u32, ActionId)> {
            let mut story = Story::new(self, &[(end, 0)]);
            std::iter::from_fn(|| story.next().unwrap_or_else(|never| match never {})).collect()
        }
    }

    impl Run for Told {
        type Error = Infallible;

        fn processes(&self) -> Vec<Pid> {
            let mut all: Vec<Pid> = self.acts.keys().copied().collect();
            all.sort_unstable();
            all
        }

        fn actions(&self, pid: Pid) -> u64 {
            self.acts.get(&pid).map_or(0, |acts| acts.len() as u64)
        }

        fn sort(&self, id: ActionId) -> Sort {
            self.at(id).0
        }

        fn many(&self, sort: Sort) -> u32 {
            self.order.iter().filter(|id| self.at(**id).0 == sort).count() as u32
        }

        fn sources(&self, id: ActionId) -> Result<Vec<ActionId>, Infallible> {
            Ok(self.at(id).1.into_iter().collect())
        }

        fn uses(&self, id: ActionId) -> Result<Vec<Uses>, Infallible> {
            let Some(thing) = self.at(id).2 else {
                return Ok(Vec::new());
            };
            let all = self.order.iter().filter(|one| self.at(**one).2 == Some(thing));
            let all: Rc<[ActionId]> = all.copied().collect();
            let place = all.iter().position(|one| *one == id).unwrap_or(0);
            Ok(vec![(all, place)])
        }
    }

    const SERVED: Sort = 1;
    const ASKED: Sort = 2;
    const ANSWERED: Sort = 3;
    const TOOK: Sort = 4;
    const GOT: Sort = 5;
    const DONE: Sort = 6;

    /// A server (1) takes one request of each of two clients (2 and 3), whose answers the main process (0) waits for, and then many of others.
    fn server(others: u64) -> (Told, ActionId, [ActionId; 2]) {
        let mut told = Told::default();
        let asked = [2, 3].map(|client| told.does(client, ASKED, None, None));
        let took = asked.map(|asked| told.does(1, TOOK, Some(asked), None));
        let sent: Vec<ActionId> = [2, 3]
            .into_iter()
            .zip(took)
            .map(|(client, took)| told.does(client, ANSWERED, Some(took), None))
            .collect();
        for sent in sent {
            told.does(0, GOT, Some(sent), None);
        }
        for n in 0..others {
            let asked = told.does(4 + n % 5, SERVED, None, None);
            let served = told.does(1, SERVED, Some(asked), None);
            told.does(4 + n % 5, SERVED, Some(served), None);
        }
        let last = told.does(4, DONE, None, None);
        told.does(0, DONE, Some(last), None);
        let end = told.does(0, 0, None, None);
        (told, end, took)
    }

    #[test]
    fn what_led_to_the_failure_comes_first_however_much_else_was_done_in_between() {
        for others in [5, 50, 500] {
            let (told, end, took) = server(others);
            let walk = told.walk(end);
            for wanted in took {
                let at = walk.iter().position(|(_, id)| *id == wanted);
                assert!(at.is_some_and(|at| at < 16), "{others}: {wanted} is at {at:?}");
            }
        }
    }

    #[test]
    fn every_action_with_a_choice_is_visited_once_and_the_cheapest_first() {
        let (told, end, _) = server(20);
        let walk = told.walk(end);
        let mut seen: Vec<ActionId> = walk.iter().map(|(_, id)| *id).collect();
        assert!(walk.is_sorted_by_key(|(cost, _)| *cost));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), walk.len());
        let chosen = told.order.iter().filter(|id| told.at(**id).0 != 0).count();
        assert_eq!(chosen, walk.len());
    }

    #[test]
    fn a_later_write_of_what_was_read_is_near_although_nothing_goes_back_to_it() {
        let mut told = Told::default();
        for n in 0..100 {
            told.does(9, SERVED, None, Some(1_000 + n));
        }
        let read = told.does(0, ASKED, None, Some(7));
        let written = told.does(9, TOOK, None, Some(7));
        for n in 0..100 {
            told.does(9, SERVED, None, Some(2_000 + n));
        }
        let end = told.does(0, 0, None, None);
        let walk = told.walk(end);
        let order: Vec<ActionId> = walk.iter().map(|(_, id)| *id).take(2).collect();
        assert_eq!(order, [read, written]);
    }
}
