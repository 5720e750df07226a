//! The beginning of a unit of work: the way to its graph, and the actions of which some parts were decided.

use std::sync::Arc;

use log_format::Pid;
use session::Error;
use session::player::free::Choice;

use super::super::branch::{Branch, BranchNode};
use super::super::event::{GraphEvent, Stamps, Uid, is_group};
use super::super::state::State;
use super::possible::AskedReceive;
use super::{Again, Graphs, Partial, Unit};
use crate::summary::IDLE;

impl Graphs {
    /// Goes to where a unit begins. `None`: there is nothing.
    pub(super) fn begin(&mut self, unit: Unit) -> Result<Option<State>, Error> {
        self.order.repeated = 0;
        if unit.is_beginning() {
            self.branch.go_to(None);
            let state = self.start()?;
            self.begins();
            return Ok(state);
        }
        let Unit {
            base,
            way,
            again,
            then,
            delays,
        } = unit;
        self.delays = delays.saturating_sub(1);
        self.order.repeated = u32::try_from(again.len()).unwrap_or(u32::MAX);
        let mut state = match &way {
            Some(way) => match self.go_way(way)? {
                Some(state) => state,
                None => return Ok(None),
            },
            None => {
                self.branch.go_to(base.as_ref());
                self.state_here()?
            }
        };
        if !self.repeats(&mut state, &again)? {
            return Ok(None);
        }
        if self.order.sample.is_none()
            && let [one] = &then[..]
            && let (Choice::Pick(number), Some(of)) = (one.choice, state.system.alternatives(one.pid))
            && one.uid.is_none()
        {
            self.put_alternative(one.pid, number + 1, of, one.stamps.choice);
        }
        self.delays = delays;
        for partial in then {
            let next = self.decide(state, partial)?;
            let is_misfit = std::mem::take(&mut self.misfit);
            match (next, &way) {
                // It read something else than before, so it is not that.
                (None, _) => return Ok(None),
                (Some(_), Some(way)) if is_misfit => {
                    return Err(way.misfits("what was decided cannot be done there".to_owned()));
                }
                (Some(next), _) => state = next,
            }
        }
        self.begins();
        Ok(Some(state))
    }

    /// Lets a process go on to an action that it does, however long it computes before.
    pub(super) fn go_through(
        &mut self,
        state: &mut State,
        (pid, choice): (Pid, Choice),
        uid: Option<Uid>,
        stamps: Option<Stamps>,
    ) -> Result<Option<u32>, Error> {
        loop {
            match self.go(state, pid, choice, uid, stamps.clone())? {
                None if state.tired > 0 && state.tired < IDLE => {}
                done => return Ok(done),
            }
        }
    }

    /// Repeats events. False: they cannot be repeated so.
    pub(super) fn repeats(&mut self, state: &mut State, events: &[Again]) -> Result<bool, Error> {
        for one in events {
            let done = self.go_through(state, (one.pid, one.choice), Some(one.uid), Some(one.stamps.clone()))?;
            // One that reads something else than before is not the same.
            if std::mem::take(&mut self.misfit) || done.is_none() || self.told.beyond {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does an action of which some parts were decided.
    fn decide(&mut self, mut state: State, mut then: Partial) -> Result<Option<State>, Error> {
        // What it read first, it reads again: it comes before the next writes of these.
        let scans = then.sources.iter().any(|one| is_group(one.resource));
        if then.before.is_empty() && (then.sources.len() > 1 || scans) && then.uid.is_none() {
            then.before = self.next_writes(&then);
        }
        let is_here = |branch: &Branch, uid: &Uid| branch.find(*uid).is_some();
        then.before.retain(|uid| is_here(&self.branch, uid));
        if !then.before.is_empty() {
            return self.decide_before(&then);
        }
        if !then.sure && !self.can_decide(&mut state, &then) {
            return Ok(None);
        }
        let Some(at) = self.go_on(&mut state, &then)? else {
            return Ok(None);
        };
        if !self.reads_so(at, &then) {
            return Ok(None);
        }
        if then.uid.is_none() {
            self.after_event(at, (then.stamps.reads.len(), then.below));
            if !self.fits() {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// Can the choice be made?
    fn can_decide(&mut self, state: &mut State, then: &Partial) -> bool {
        if let Choice::Signal(tag) = then.choice
            && !self.deadly(state, then.pid).contains(&tag)
        {
            return false;
        }
        if let Choice::Pick(number) = then.choice {
            return state.system.alternatives(then.pid).is_some_and(|of| number < of);
        }
        if let Choice::Step | Choice::Arrived(_) = then.choice {
            return self.step_choices(state, then.pid).contains(&then.choice);
        }
        let Some(wait) = state.wait_of(then.pid).cloned() else {
            return matches!(then.choice, Choice::Signal(_));
        };
        if let Choice::Message(tag) = then.choice
            && !wait.matching.contains(&tag)
        {
            return false;
        }
        let asked = AskedReceive::by_receive(&mut self.branch, &wait);
        self.can_next(&asked, then.choice)
    }

    /// Does it, with the stamps that it has and new ones.
    fn go_on(&mut self, state: &mut State, then: &Partial) -> Result<Option<u32>, Error> {
        let whole = then.uid.map(|_| then.stamps.clone());
        let is_whole = whole.is_some();
        let Some(at) = self.go_through(state, (then.pid, then.choice), then.uid, whole)? else {
            return Ok(None);
        };
        if !is_whole {
            self.branch.restamp(&then.stamps, then.below);
        }
        Ok(Some(at))
    }

    /// Did it read what it had to read?
    fn reads_so(&self, at: u32, then: &Partial) -> bool {
        let uses = &self.branch.event(at).uses;
        let last = then.sources.len().wrapping_sub(1);
        then.sources.len() <= uses.len()
            && then
                .sources
                .iter()
                .zip(uses)
                .enumerate()
                .all(|(i, (read, one))| match then.below {
                    Some(below) if i == last => *read == one.read.clone().below(below),
                    _ => *read == one.read,
                })
    }

    /// The writes that came after what an action read first, and before which it has to come.
    fn next_writes(&self, then: &Partial) -> Vec<Uid> {
        let mut next = Vec::new();
        for (read, last) in then
            .sources
            .iter()
            .rev()
            .zip([true].into_iter().chain(std::iter::repeat(false)))
        {
            if is_group(read.resource) {
                let below = then.below.filter(|_| last);
                let unseen = self.branch.writers(read.resource).into_iter();
                let unseen = unseen.filter(|(key, _)| below.is_none_or(|below| *key < below));
                let unseen = unseen.map(|(key, at)| (key, self.branch.event(at).uid));
                next.extend(unseen.filter(|one| !read.seen.contains(one)).map(|(_, uid)| uid));
                continue;
            }
            // The last source is what was written last.
            if last {
                continue;
            }
            let after = match read.source.map(|source| self.branch.find(source)) {
                Some(None) => continue,
                after => after.flatten(),
            };
            let mut later = self.branch.uses(read.resource).iter();
            let later = later.find(|used| used.writes && Some(used.by) > after);
            next.extend(later.map(|later| self.branch.event(later.by).uid));
        }
        next
    }

    /// Does an action before some writes, and then these again, with what depends on them.
    fn decide_before(&mut self, then: &Partial) -> Result<Option<State>, Error> {
        let whole = self.branch.path.last().cloned();
        let len = self.branch.len();
        let mut later = vec![false; len as usize];
        let mut first = len;
        for uid in &then.before {
            let Some(at) = self.branch.find(*uid) else { continue };
            later[at as usize] = true;
            first = first.min(at);
        }
        for at in first..len {
            later[at as usize] |= self.depends(at, &later);
        }
        let place = self.branch.place(then.pid);
        let needs = self.branch.last(place).is_some_and(|at| later[at as usize]);
        let sources = then
            .sources
            .iter()
            .flat_map(|read| read.source.into_iter().chain(read.seen.iter().map(|(_, uid)| *uid)))
            .filter_map(|uid| self.branch.find(uid));
        if needs || sources.into_iter().any(|at| later[at as usize]) {
            return Ok(None);
        }
        let nodes: Vec<Arc<BranchNode>> = self.branch.path[first as usize..].to_vec();
        let (rest, before): (Vec<_>, Vec<_>) = nodes.into_iter().zip(first..).partition(|(_, at)| later[*at as usize]);
        let again =
            |nodes: &[(Arc<BranchNode>, u32)]| nodes.iter().map(|(node, _)| Again::of(&node.event)).collect::<Vec<_>>();
        let base = first
            .checked_sub(1)
            .map(|at| Arc::clone(&self.branch.path[at as usize]));
        self.branch.go_to(base.as_ref());
        let mut state = self.state_here()?;
        if !self.repeats(&mut state, &again(&before))? {
            return Ok(None);
        }
        let Some(at) = self.go_on(&mut state, then)? else {
            return Ok(None);
        };
        if !self.reads_so(at, then) {
            return Ok(None);
        }
        // The stamps that are new come after all others.
        let clock = whole.as_ref().map_or(0, |node| node.clock);
        if then.uid.is_none() {
            self.branch.restamp_after(&then.stamps, then.below, clock);
        }
        let done = Arc::clone(&self.branch.path[at as usize]);
        let forward = self.repeats_same(&mut state, &rest)?;
        let graph = self.branch.path.last().cloned();
        let nodes = self.branch.path.clone();
        let events: Vec<&GraphEvent> = nodes.iter().map(|node| &node.event).collect();
        let possible = forward && self.allows(&events);
        // What else it could have been, and what could have been it: in the graph without it.
        if then.uid.is_some() {
            return Ok(possible.then_some(state));
        }
        self.branch.go_to(whole.as_ref());
        let event = &done.event;
        self.older_from(event, len, (then.stamps.reads.len(), then.below), &then.before);
        self.revisits(event, len, &then.before);
        if !possible {
            return Ok(None);
        }
        self.branch.go_to(graph.as_ref());
        Ok(Some(state))
    }

    /// Repeats events that must read the same as before.
    fn repeats_same(&mut self, state: &mut State, events: &[(Arc<BranchNode>, u32)]) -> Result<bool, Error> {
        for (node, _) in events {
            let one = Again::of(&node.event);
            let Some(at) = self.go_through(state, (one.pid, one.choice), Some(one.uid), Some(one.stamps))? else {
                return Ok(false);
            };
            let same = self.branch.event(at).uses.iter().map(|one| &one.read);
            if self.told.beyond || !same.eq(node.event.uses.iter().map(|one| &one.read)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the event at a position depend on one of these?
    pub(super) fn depends(&self, at: u32, on: &[bool]) -> bool {
        let event = self.branch.event(at);
        if self.branch.before(at).is_some_and(|before| on[before as usize]) {
            return true;
        }
        if let Some(tag) = event.arrived()
            && self.branch.mail_of(tag).is_some_and(|mail| on[mail.by as usize])
        {
            return true;
        }
        // Who waits for ever does so though something was sent to it.
        if event.is_stuck()
            && self.branch.mail[event.place as usize]
                .iter()
                .any(|mail| on[mail.by as usize])
        {
            return true;
        }
        event.uses.iter().any(|one| {
            let mut earlier = self.branch.uses(one.resource()).iter().filter(|used| used.by < at);
            earlier.any(|used| one.conflicts(used.writes, used.scans) && on[used.by as usize])
        })
    }
}
