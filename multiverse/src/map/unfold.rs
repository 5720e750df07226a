//! From the events of universes to the graph.
//!
//! A state is what some universes have in common. Of the processes whose next event is not the same in all of them, one is taken: if possible one
//! that has a next event in each, and whose next events depend on nothing more; of these, the first. So which process chooses depends on nothing but
//! what can come. Each of its next events is a choice, and leads to what the universes that have it have in common.
//!
//! If each process does nothing more in some of these universes (there, the run halts before, or it was cut), then one of the choices is that: nothing
//! more of the process. Such a universe may also be possible after the other choices. This is noted, so that nobody takes the others for certain.

use std::collections::BTreeMap;
use std::rc::Rc;

use log_format::Pid;
use rustc_hash::FxHashMap;

use super::book::{Book, NONE, Numbered};
use super::{Chain, Edge, Ending, Length, Map, SharedStep};
use crate::outcome::UniverseOutcome;

/// How far each process is.
type Reach = FxHashMap<Pid, u32>;

/// A state on the way to be made, and what is known of it.
struct Open {
    /// The universes that go through it that are left, by choice; the last one is next.
    left: Vec<(Option<u32>, Vec<u32>)>,
    /// The choice that is under way.
    under_way: Option<u32>,
    reach: Rc<Reach>,
    edges: Vec<(u32, u32)>,
    /// Endings that are possible besides.
    open: Vec<u32>,
    /// If the process that chooses does nothing more in some universes: these, and all.
    without: Vec<u32>,
    all: Vec<u32>,
}

/// What a state is, as far as what comes can tell.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Looks {
    End(u32),
    Choices {
        edges: Vec<(u32, u32)>,
        open: Vec<u32>,
    },
    /// It is not known what can come.
    Alone(u32),
}

/// A state that is made.
struct MadeState {
    /// Its choices: chains, and states that they lead to.
    edges: Vec<(u32, u32)>,
    ending: Option<u32>,
    /// Endings that are possible besides.
    open: Vec<u32>,
}

struct Unfold<'a> {
    book: &'a Book,
    steps: &'a [SharedStep],
    /// Which ending an end has.
    endings: Vec<u32>,
    /// By the last event of a process: all its events, in order.
    own: FxHashMap<u32, Box<[u32]>>,
    chains: Numbered<Chain>,
    looks: Numbered<Looks>,
    states: Vec<MadeState>,
    /// How many universes end in a state, with so many actions.
    lengths: BTreeMap<(u32, u64), u64>,
    merges: bool,
}

impl Book {
    /// The graph. `merges`: are these all universes? Otherwise only ends are merged. `ending`: what is said of an outcome.
    #[must_use]
    pub fn into_map(mut self, merges: bool, mut ending: impl FnMut(&UniverseOutcome) -> Ending) -> Map {
        let outcomes = std::mem::take(&mut self.outcomes).into_all();
        let ends = std::mem::take(&mut self.ends).into_all();
        let steps = std::mem::take(&mut self.steps).into_all();
        let mut unfold = Unfold {
            steps: &steps,
            endings: ends.iter().map(|(outcome, _)| *outcome).collect(),
            own: self.lasts.iter().map(|last| (*last, self.up_to(*last))).collect(),
            chains: Numbered::default(),
            looks: Numbered::default(),
            states: Vec::new(),
            lengths: BTreeMap::new(),
            merges,
            book: &self,
        };
        let start = unfold.run();
        let mut map = unfold.into_map(start);
        map.endings = outcomes.iter().map(&mut ending).collect();
        map.processes = self.runs.into_iter().collect();
        map.processes.sort();
        map.steps = steps;
        map.complete = merges;
        map
    }
}

impl Unfold<'_> {
    /// The events of each process of a universe.
    fn all(&self, universe: u32) -> impl Iterator<Item = (Pid, &[u32])> {
        let lasts = self.book.lasts_of(universe).iter();
        lasts.filter_map(|last| Some((self.book.events[*last as usize].pid, &**self.own.get(last)?)))
    }

    /// The events of one process.
    fn own(&self, universe: u32, pid: Pid) -> &[u32] {
        let lasts = self.book.lasts_of(universe);
        let found = lasts.binary_search_by_key(&pid, |last| self.book.events[*last as usize].pid);
        let own = found.ok().and_then(|at| self.own.get(&lasts[at]));
        own.map_or(&[], |own| own)
    }

    /// The next event of a process in a universe.
    fn next(&self, universe: u32, pid: Pid, reach: &Reach) -> Option<u32> {
        let done = reach.get(&pid).copied().unwrap_or(0);
        self.own(universe, pid).get(done as usize).copied()
    }

    /// Is an event done?
    fn is_done(&self, event: u32, reach: &Reach) -> bool {
        let event = &self.book.events[event as usize];
        reach.get(&event.pid).is_some_and(|done| *done > event.position)
    }

    /// Can this universe come of what is done, if more may be done than it tells?
    fn suits(&self, universe: u32, reach: &Reach, whole: u32) -> bool {
        let same = |(pid, done): (&Pid, &u32)| {
            let (one, other) = (self.own(universe, *pid), self.own(whole, *pid));
            let both = (*done as usize).min(one.len());
            both == 0 || one.get(both - 1) == other.get(both - 1)
        };
        reach.iter().all(same)
    }

    /// What these universes have in common.
    fn common(&self, universes: &[u32], reach: &Reach) -> Reach {
        let mut reach = reach.clone();
        let Some((first, others)) = universes.split_first() else {
            return reach;
        };
        for (pid, own) in self.all(*first) {
            let done = reach.get(&pid).copied().unwrap_or(0) as usize;
            let mut most = own.len();
            for other in others {
                let other = self.own(*other, pid);
                let same = own[done..most].iter().zip(other.get(done..).unwrap_or_default());
                most = done + same.take_while(|(one, other)| one == other).count();
            }
            if most > 0 {
                reach.insert(pid, most as u32);
            }
        }
        reach
    }

    /// The next events of the process that chooses, each with the universes that have it; `None`: those in which it does nothing more.
    fn choices(&self, universes: &[u32], reach: &Reach) -> Vec<(Option<u32>, Vec<u32>)> {
        let mut pids: Vec<Pid> = Vec::new();
        for universe in universes {
            let done = |pid: &Pid| reach.get(pid).map_or(0, |done| *done as usize);
            pids.extend(
                self.all(*universe)
                    .filter(|(pid, own)| own.len() > done(pid))
                    .map(|(pid, _)| pid),
            );
            pids.sort_unstable();
            pids.dedup();
        }
        let rank = |pid: &Pid| {
            let (mut without, mut unready) = (false, false);
            let mut last = None;
            for universe in universes {
                let next = self.next(*universe, *pid, reach);
                without |= next.is_none();
                if next != last {
                    unready |= next.is_some_and(|event| !self.is_ready(event, reach));
                    last = next;
                }
                if without {
                    break;
                }
            }
            (without, unready, *pid)
        };
        let Some((_, _, pid)) = pids.iter().map(rank).min() else {
            return Vec::new();
        };
        let mut all: FxHashMap<Option<u32>, Vec<u32>> = FxHashMap::default();
        for universe in universes {
            all.entry(self.next(*universe, pid, reach)).or_default().push(*universe);
        }
        let mut all: Vec<(Option<u32>, Vec<u32>)> = all.into_iter().collect();
        all.sort_by_cached_key(|(event, universes)| {
            let chain = event.map(|event| self.chain(Some(event), universes[0], reach, None));
            let texts = chain.map(|chain| {
                chain
                    .steps
                    .iter()
                    .map(|step| &self.steps[*step as usize])
                    .collect::<Vec<_>>()
            });
            (texts.is_none(), texts, universes[0])
        });
        all
    }

    /// Is all done that an event depends on?
    fn is_ready(&self, event: u32, reach: &Reach) -> bool {
        let one = &self.book.events[event as usize];
        let causes = &self.book.causes[one.causes.0 as usize..one.causes.1 as usize];
        let before = one.before == NONE || self.is_done(one.before, reach);
        before && causes.iter().all(|cause| self.is_done(*cause, reach))
    }

    /// The steps from one state to another: what leads to an event, the event, and the rest.
    fn chain(&self, event: Option<u32>, universe: u32, from: &Reach, to: Option<&Reach>) -> Chain {
        let mut done: FxHashMap<u32, ()> = FxHashMap::default();
        let mut steps = Vec::new();
        let mut choice = u32::MAX;
        if let Some(event) = event {
            self.emit(event, from, &mut done, &mut steps);
            choice = steps.len() as u32 - 1;
        }
        if let Some(to) = to {
            for (pid, own) in self.all(universe) {
                let first = from.get(&pid).copied().unwrap_or(0) as usize;
                let last = to.get(&pid).copied().unwrap_or(0) as usize;
                for event in own.get(first..last).unwrap_or_default() {
                    self.emit(*event, from, &mut done, &mut steps);
                }
            }
        }
        let step = |event: u32| self.book.events[event as usize].step;
        Chain {
            steps: steps.into_iter().map(step).collect(),
            choice,
        }
    }

    /// Adds an event after all that it depends on.
    fn emit(&self, event: u32, from: &Reach, done: &mut FxHashMap<u32, ()>, steps: &mut Vec<u32>) {
        let mut work = vec![(event, false)];
        while let Some((event, is_next)) = work.pop() {
            if is_next {
                steps.push(event);
                continue;
            }
            if event == NONE || self.is_done(event, from) || done.insert(event, ()).is_some() {
                continue;
            }
            let one = &self.book.events[event as usize];
            work.push((event, true));
            let causes = &self.book.causes[one.causes.0 as usize..one.causes.1 as usize];
            let mut causes: Vec<u32> = causes.to_vec();
            causes.sort_by_key(|cause| {
                let cause = &self.book.events[*cause as usize];
                std::cmp::Reverse((cause.pid, cause.position))
            });
            work.extend(causes.into_iter().map(|cause| (cause, false)));
            work.push((one.before, false));
        }
    }

    /// Makes all states. Returns what is done before the first choice.
    fn run(&mut self) -> Vec<u32> {
        let all: Vec<u32> = (0..self.book.universes.len() as u32).collect();
        let Some(&first) = all.first() else { return Vec::new() };
        let nothing = Reach::default();
        let reach = self.common(&all, &nothing);
        let start = self.chain(None, first, &nothing, Some(&reach)).steps;
        let mut stack: Vec<Open> = Vec::new();
        let mut made = self.open(all, reach, Vec::new(), &mut stack);
        while let Some(mut top) = stack.pop() {
            if let Some(state) = made.take() {
                let chain = top.under_way.take().unwrap_or_default();
                top.edges.push((chain, state));
            }
            let Some((event, universes)) = top.left.pop() else {
                made = Some(self.close(top.edges, None, top.open));
                continue;
            };
            let reach = self.common(&universes, &top.reach);
            let chain = self.chain(event, universes[0], &top.reach, Some(&reach));
            top.under_way = Some(self.chains.of(chain));
            let open = self.inherited(&top, event, (&universes, &reach));
            stack.push(top);
            made = self.open(universes, reach, open, &mut stack);
        }
        start
    }

    /// Endings that are possible after a choice though no universe of it has them.
    fn inherited(&self, top: &Open, event: Option<u32>, (universes, reach): (&[u32], &Reach)) -> Vec<u32> {
        let mut open = top.open.clone();
        let others: &[u32] = match event {
            Some(_) => &top.without,
            None => &top.all,
        };
        for other in others.iter().filter(|other| universes.binary_search(other).is_err()) {
            if self.suits(*other, reach, universes[0]) {
                open.push(self.endings[self.book.universes[*other as usize].end as usize]);
            }
        }
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Begins a state. If it is an end, it is made at once.
    fn open(&mut self, universes: Vec<u32>, reach: Reach, open: Vec<u32>, stack: &mut Vec<Open>) -> Option<u32> {
        let mut left = match universes.len() {
            0 | 1 => Vec::new(),
            _ => self.choices(&universes, &reach),
        };
        if left.is_empty() {
            let mut state = 0;
            for universe in universes {
                let known = self.book.universes[universe as usize];
                state = self.close(Vec::new(), Some(known.end), Vec::new());
                *self.lengths.entry((state, known.actions)).or_default() += 1;
            }
            return Some(state);
        }
        left.reverse();
        let without = left.iter().find(|(event, _)| event.is_none());
        let without = without.map_or_else(Vec::new, |(_, universes)| universes.clone());
        stack.push(Open {
            left,
            all: if without.is_empty() { Vec::new() } else { universes },
            without,
            under_way: None,
            reach: Rc::new(reach),
            edges: Vec::new(),
            open,
        });
        None
    }

    /// The number of a state.
    fn close(&mut self, edges: Vec<(u32, u32)>, end: Option<u32>, open: Vec<u32>) -> u32 {
        let looks = match end {
            Some(end) => Looks::End(end),
            None if self.merges => Looks::Choices {
                edges: edges.clone(),
                open: open.clone(),
            },
            None => Looks::Alone(self.states.len() as u32),
        };
        let number = self.looks.of(looks);
        if number as usize == self.states.len() {
            let ending = end.map(|end| self.endings[end as usize]);
            self.states.push(MadeState { edges, ending, open });
        }
        number
    }

    /// The states, numbered so that those that lead to another one come before it.
    fn into_map(self, start: Vec<u32>) -> Map {
        let last = self.states.len().saturating_sub(1);
        // A state is made after those that it leads to, and the first one last.
        let renamed = |state: u32| (last - state as usize) as u32;
        let mut map = Map {
            start,
            chains: self.chains.into_all(),
            universes: self.book.universes.len() as u64,
            lengths: self
                .lengths
                .iter()
                .rev()
                .map(|((end, actions), universes)| Length {
                    end: renamed(*end),
                    actions: *actions,
                    universes: *universes,
                })
                .collect(),
            ..Map::default()
        };
        for (number, made) in self.states.into_iter().rev().enumerate() {
            let from = number as u32;
            let edge = |(chain, to): &(u32, u32)| Edge {
                from,
                to: renamed(*to),
                chain: *chain,
                n: 0,
            };
            map.edges.extend(made.edges.iter().map(edge));
            map.ends.push(made.ending);
            map.open.extend(made.open.into_iter().map(|ending| (from, ending)));
        }
        map.index();
        map
    }
}
