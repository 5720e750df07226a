//! Places where the run could have gone another way, in the order of the story: see [`Story`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use causality::accesses;
use log_format::{Action, ActionId, Cut, Kind, Pid};
use multiverse::alternatives::are_in_conflict;
use rustc_hash::FxHashMap;
use session::error::Error;
use session::player::Suffixes;
use session::player::free::Choice;
use session::player::future::Futures;

use crate::record::{FAR, Record};
use crate::story::{BACK, Run, Sort, Story};

/// Of the receives that could only have timed out instead, so many are looked at.
const PUT_OFF: usize = 100;
/// A process that was ended by a signal could have been ended so many actions earlier.
const EARLIER: u64 = 8;

/// A place where the run could have gone another way: all that does not depend on `action` is done, and then another choice is made.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The action that is taken back, with all that depends on it.
    pub(crate) action: ActionId,
    /// The first action of each process that is taken back. Places of one action share it: a run can have thousands of processes.
    pub(crate) future: Arc<Suffixes>,
    /// What is kept.
    pub(crate) kept: Arc<Cut>,
    /// The same two without the waits that end later and are decided by the clock.
    pub(crate) later: Option<Without>,
    /// Whose choice it is.
    pub(crate) pid: Pid,
    /// Which choice to make instead. `None`: any other one that the process has there.
    pub(crate) choice: Option<Choice>,
}

/// What is taken back, and what is kept.
pub(crate) type Without = (Arc<Suffixes>, Arc<Cut>);

/// What part of a run is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// Actions before this place in the order are not taken back.
    pub(crate) from: usize,
    /// Actions from this place on are left out.
    pub(crate) to: usize,
}

impl Place {
    /// The same place without the waits that end later and are decided by the clock.
    pub(crate) fn without_later_waits(&self) -> Option<Self> {
        let (future, kept) = self.later.as_ref()?;
        let is_same = kept.get(self.pid) == self.kept.get(self.pid);
        is_same.then(|| Self {
            future: Arc::clone(future),
            kept: Arc::clone(kept),
            later: None,
            ..self.clone()
        })
    }
}

/// A place whose turn has come.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The place.
    pub(crate) place: Place,
    /// What it costs to come to it. Choices that cost more wait.
    pub(crate) cost: u32,
    /// The choices that have waited; `None`: it has not been stood at.
    pub(crate) waited: Option<Vec<Choice>>,
    /// So much of the cost is because others like it were tried in vain.
    late: u32,
}

/// What came of a look at the next action.
pub(crate) enum Next {
    /// It is the turn of this place.
    Turn(Turn),
    /// It is the turn of none yet.
    NoTurn,
    /// There is none left in the window.
    End,
}

/// The places of a run, those that what failed goes back to first.
pub(crate) struct Places<'r> {
    record: &'r Record,
    futures: Futures<'r>,
    /// All actions of the window, and what is before it.
    all: Cut,
    window: Window,
    story: Story<'r, Record>,
    /// Places, and choices at them, whose turn will come: by cost, the nearest to the failure first.
    waiting: BTreeMap<(u32, Reverse<u64>, u64), Turn>,
    /// Places so far.
    many: u64,
    /// The cost of what is looked at.
    cost: u32,
    /// Actions from this place in the order on are passed over.
    upto: usize,
    /// This action must depend on the place.
    within: Option<ActionId>,
    /// A timeout that is always taken back, too.
    waited: Option<ActionId>,
    /// Waits that the clock alone decides, in the order of their times. Those after an action are taken back with it: it may end them earlier.
    by_clock: Rc<[ActionId]>,
    ready: Vec<(Place, Option<ActionId>)>,
    /// Receives that could only have timed out instead: looked at when all else has been.
    put_off: VecDeque<ActionId>,
    /// What came of this action is not looked at.
    effects: Suffixes,
    /// How often a choice between actions of two sorts was tried in vain.
    vain: FxHashMap<(Sort, Sort), u32>,
}

impl<'r> Places<'r> {
    /// `ends`: where the story ends, each with its cost. `within`: only places on which this action depends.
    pub(crate) fn new(
        record: &'r Record,
        ends: &[(ActionId, u32)],
        within: Option<ActionId>,
        (waited, by_clock): (Option<ActionId>, &Rc<[ActionId]>),
        window: Window,
    ) -> Result<Self, Error> {
        let (mut from, mut all) = (Cut::default(), Cut::default());
        for id in &record.order[..window.to] {
            all.extend_to(*id);
        }
        for id in &record.order[..window.from] {
            from.extend_to(*id);
        }
        Ok(Self {
            record,
            futures: Futures::since(&record.history, &from)?,
            all,
            window,
            story: Story::new(record, ends),
            waiting: BTreeMap::new(),
            many: 0,
            cost: 0,
            upto: window.to,
            within,
            waited,
            by_clock: Rc::clone(by_clock),
            ready: Vec::new(),
            put_off: VecDeque::new(),
            effects: Suffixes::default(),
            vain: FxHashMap::default(),
        })
    }

    /// For a look at single actions: nothing need depend on them. The actions before `from` in the order are not taken back.
    pub(crate) fn around(
        record: &'r Record,
        (waited, by_clock): (Option<ActionId>, &Rc<[ActionId]>),
        from: usize,
    ) -> Result<Self, Error> {
        let to = record.order.len();
        let (mut before, mut all) = (Cut::default(), Cut::default());
        for (at, id) in record.order.iter().enumerate() {
            all.extend_to(*id);
            if at < from {
                before.extend_to(*id);
            }
        }
        Ok(Self {
            record,
            futures: Futures::since(&record.history, &before)?,
            all,
            window: Window { from, to },
            story: Story::new(record, &[]),
            waiting: BTreeMap::new(),
            many: 0,
            cost: 0,
            upto: to,
            within: None,
            waited,
            by_clock: Rc::clone(by_clock),
            ready: Vec::new(),
            put_off: VecDeque::new(),
            effects: Suffixes::default(),
            vain: FxHashMap::default(),
        })
    }

    /// The work since this was asked last: how many actions were looked at to find what depends on others.
    pub(crate) fn take_looked(&self) -> u64 {
        self.futures.take_looked()
    }

    /// The places of one action.
    pub(crate) fn at(&mut self, id: ActionId) -> Result<Vec<Place>, Error> {
        self.look_at(id, true)?;
        Ok(std::mem::take(&mut self.ready)
            .into_iter()
            .map(|(place, _)| place)
            .collect())
    }

    /// What comes of this action is not looked at.
    pub(crate) fn pass_over_effects_of(&mut self, action: ActionId) -> Result<(), Error> {
        self.effects = self.futures.after_all(std::iter::once(action))?;
        Ok(())
    }

    /// Is an action not looked at: Elixir's own, or what came of the failure?
    pub(crate) fn passes_over(&self, id: ActionId) -> bool {
        self.record.is_of_elixir(id) || self.effects.contains(id)
    }

    /// Of the actions of the window, those from this place in the order on are not looked at.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.upto = self.upto.min(at);
    }

    /// From the beginning of the story once more, over the whole window.
    pub(crate) fn again(&mut self, ends: &[(ActionId, u32)]) {
        self.story = Story::new(self.record, ends);
        self.upto = self.window.to;
    }

    /// The next action of the story, with its cost; `None`: there is none left in the window.
    pub(crate) fn next_action(&mut self) -> Result<Option<(u32, ActionId)>, Error> {
        while let Some((cost, id)) = self.story.next()? {
            let rank = self.record.rank(id.pid, id.number.0);
            if (self.window.from as u64..self.upto as u64).contains(&rank) {
                return Ok(Some((cost, id)));
            }
        }
        Ok(None)
    }

    /// Looks at the next action.
    pub(crate) fn next(&mut self) -> Result<Next, Error> {
        let first = self.waiting.first_key_value().map(|((cost, ..), _)| *cost);
        if first.is_none_or(|first| self.story.least().is_some_and(|least| least <= first))
            && let Some((cost, id)) = self.next_action()?
        {
            self.cost = cost;
            self.look_at(id, false)?;
        } else if let Some((_, turn)) = self.waiting.pop_first() {
            let late = match turn.place.choice {
                Some(choice) => self.late(self.sorts(&turn.place, choice)?),
                None => turn.late,
            };
            if late <= turn.late {
                return Ok(Next::Turn(turn));
            }
            let cost = turn.cost + (late - turn.late);
            self.put(Turn { cost, late, ..turn });
        } else if let Some(id) = self.put_off.pop_front() {
            self.look_at(id, true)?;
        } else {
            return Ok(Next::End);
        }
        for (place, other) in std::mem::take(&mut self.ready) {
            let cost = match place.choice {
                Some(_) => self.cost.max(self.story.cost_of_other(other)),
                None => self.cost,
            };
            let (waited, late) = (None, 0);
            self.put(Turn {
                place,
                cost,
                waited,
                late,
            });
        }
        Ok(Next::NoTurn)
    }

    fn put(&mut self, turn: Turn) {
        let action = turn.place.action;
        self.many += 1;
        let rank = self.record.rank(action.pid, action.number.0);
        self.waiting.insert((turn.cost, Reverse(rank), self.many), turn);
    }

    /// The recorded action that took what a choice takes.
    fn taken(&self, pid: Pid, choice: Choice) -> Result<Option<ActionId>, Error> {
        let number = match choice {
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => self.record.received(pid)?.at(tag),
            Choice::Step | Choice::Timeout | Choice::Pick(_) => None,
        };
        Ok(number.map(|number| ActionId::new(pid, number)))
    }

    /// The sorts of the two actions of a choice.
    fn sorts(&self, place: &Place, choice: Choice) -> Result<(Sort, Sort), Error> {
        let other = match place.choice {
            Some(_) => Some(ActionId::new(place.pid, place.kept.get(place.pid) + 1)),
            None => self.taken(place.pid, choice)?,
        };
        let sort = |id| self.record.sort(id);
        Ok((sort(place.action), other.map_or(0, sort)))
    }

    /// Another choice was tried in vain: others of its sort come later, and each time later still.
    pub(crate) fn count_vain(&mut self, place: &Place, choice: Choice) -> Result<(), Error> {
        *self.vain.entry(self.sorts(place, choice)?).or_default() += 1;
        Ok(())
    }

    /// What it costs besides that others of its sorts were tried in vain.
    fn late(&self, sorts: (Sort, Sort)) -> u32 {
        lateness(self.vain.get(&sorts).copied().unwrap_or(0))
    }

    /// What a choice at a place costs: as much as to come to what the record has of it. Of several of one sort, each costs more.
    pub(crate) fn costs(&self, place: &Place, choices: Vec<Choice>) -> Result<Vec<(u32, Choice)>, Error> {
        let mut alike: FxHashMap<Sort, u32> = FxHashMap::default();
        let pid = place.pid;
        let mut all = Vec::new();
        for choice in choices {
            let taken = self.taken(pid, choice)?;
            let late = self.late(self.sorts(place, choice)?);
            all.push((self.story.cost_of_other(taken) + late, taken, choice));
        }
        all.sort_unstable_by_key(|(cost, taken, choice)| (*cost, *taken, *choice));
        let mut costs = Vec::new();
        for (cost, taken, choice) in all {
            let many = alike
                .entry(taken.map_or(0, |taken| self.record.sort(taken)))
                .or_default();
            costs.push((cost + BACK * *many, choice));
            *many += 1;
        }
        costs.sort_unstable();
        Ok(costs)
    }

    /// Choices at a place that cost more than the place wait. Those that do not are returned.
    pub(crate) fn cheap(&mut self, place: &Place, cost: u32, choices: Vec<Choice>) -> Result<Vec<Choice>, Error> {
        let costs = self.costs(place, choices)?;
        let cheap = costs.partition_point(|(one, _)| *one <= cost);
        if let Some((next, _)) = costs.get(cheap) {
            self.put(Turn {
                place: place.clone(),
                // It is cheaper if the walk comes to it.
                cost: (*next).min(cost + BACK),
                waited: Some(costs[cheap..].iter().map(|(_, choice)| *choice).collect()),
                late: 0,
            });
        }
        Ok(costs[..cheap].iter().map(|(_, choice)| *choice).collect())
    }

    /// All that depends on an action, and what is kept without it.
    pub(crate) fn without(&self, action: ActionId) -> Result<Without, Error> {
        self.without_all(std::iter::once(action).chain(self.waited))
    }

    /// The place before an action, where its process does anything else.
    pub(crate) fn before(&self, action: ActionId) -> Result<Place, Error> {
        let (future, kept) = self.without(action)?;
        Ok(Place {
            action,
            future,
            kept,
            later: None,
            pid: action.pid,
            choice: None,
        })
    }

    /// As [`Self::without`], and without the waits that end later and are decided by the clock. `None`: there are none.
    fn without_later_waits(&self, action: ActionId, future: &Suffixes) -> Result<Option<Without>, Error> {
        let time = self.record.time(action) + FAR;
        let later = self.by_clock.partition_point(|wait| self.record.time(*wait) <= time);
        let later = &self.by_clock[later..];
        if later.iter().all(|wait| future.contains(*wait)) {
            return Ok(None);
        }
        let all = std::iter::once(action).chain(self.waited).chain(later.iter().copied());
        Ok(Some(self.without_all(all)?))
    }

    fn without_all(&self, actions: impl Iterator<Item = ActionId>) -> Result<Without, Error> {
        let mut future = self.futures.after_all(actions)?;
        let kept = future.left_of(&self.all);
        // What is beyond the window is not done either.
        if self.window.to < self.record.order.len() {
            for pid in self.record.history.processes()? {
                let first = kept.get(pid) + 1;
                if first <= self.record.length(pid) {
                    future.add(ActionId::new(pid, first));
                }
            }
        }
        Ok((Arc::new(future), Arc::new(kept)))
    }

    /// `all`: also a receive that could only have timed out instead.
    fn look_at(&mut self, id: ActionId, all: bool) -> Result<(), Error> {
        let Some(action) = self.record.action(id.pid, id.number.0)? else {
            return Ok(());
        };
        if self.passes_over(id) {
            return Ok(());
        }
        let chooses = matches!(
            action.kind,
            Kind::Rec(_) | Kind::After | Kind::Signal { .. } | Kind::Input { .. }
        );
        let observes = matches!(action.kind, Kind::Observe { of: Some(_), .. });
        let conflicts = observes || accesses(id.pid, &action).next().is_some();
        let early = self.could_end(id)?;
        if !chooses && !conflicts && !early {
            return Ok(());
        }
        let made = match action.kind {
            Kind::Rec(tag) => Some(Some(tag)),
            Kind::After => Some(None),
            _ => None,
        };
        // Most receives could get nothing else, whatever is kept.
        let only = |kept: &Cut| match made {
            Some(made) if !all && !early => Ok(!self.record.could_get_another(id, made, kept)?),
            _ => Ok::<bool, Error>(false),
        };
        let mut is_forced = only(&self.all)?;
        if is_forced && !conflicts {
            if matches!(action.kind, Kind::Rec(_)) && self.put_off.len() < PUT_OFF {
                self.put_off.push_back(id);
            }
            return Ok(());
        }
        let (future, kept) = self.without(id)?;
        let later = self.without_later_waits(id, &future)?;
        let without = |failed: ActionId, kept: &Cut| kept.get(failed.pid) < failed.number.0;
        let led_to_it =
            |failed| without(failed, &kept) || later.as_ref().is_some_and(|later| without(failed, &later.1));
        if self.within.is_some_and(|failed| !led_to_it(failed)) {
            return Ok(());
        }
        is_forced = is_forced || only(&kept)?;
        if is_forced && matches!(action.kind, Kind::Rec(_)) && self.put_off.len() < PUT_OFF {
            self.put_off.push_back(id);
        }
        if (chooses || early) && !is_forced {
            let place = Place {
                action: id,
                future: Arc::clone(&future),
                kept: Arc::clone(&kept),
                later: later.clone(),
                pid: id.pid,
                choice: None,
            };
            self.ready.push((place, None));
        }
        if !conflicts {
            return Ok(());
        }
        let mut others: Vec<ActionId> = future.starts().filter(|start| start.pid != id.pid).collect();
        others.sort_unstable();
        for other in others {
            if let Some(late) = self.record.action(other.pid, other.number.0)?
                && are_in_conflict((id, &action), (other, &late))
            {
                let place = Place {
                    action: id,
                    future: Arc::clone(&future),
                    kept: Arc::clone(&kept),
                    later: later.clone(),
                    pid: other.pid,
                    choice: Some(Choice::of(&late)),
                };
                self.ready.push((place, Some(other)));
            }
        }
        Ok(())
    }

    /// Is it one of the last actions of a process that a signal ended?
    fn could_end(&self, id: ActionId) -> Result<bool, Error> {
        let length = self.record.length(id.pid);
        if id.number.0 + EARLIER < length {
            return Ok(false);
        }
        let last: Option<Action> = self.record.action(id.pid, length)?;
        Ok(last.is_some_and(|last| matches!(last.kind, Kind::Signal { .. })))
    }
}

/// What a choice costs besides, if so many of its sorts were tried in vain.
fn lateness(vain: u32) -> u32 {
    /// So many are tried first.
    const TRIED: u32 = 2;
    /// It costs no more than this.
    const MOST: u32 = 24;
    ((vain + 1).saturating_sub(TRIED) * BACK).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_choice_of_one_sort_comes_later_and_each_one_after_it_later_still_up_to_a_limit() {
        assert_eq!([0, 1, 2, 3].map(lateness), [0, 0, BACK, 2 * BACK]);
        assert_eq!(lateness(1_000), lateness(2_000));
    }
}
