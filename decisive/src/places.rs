//! Places where the run could have gone another way, from the failure backwards.

use std::rc::Rc;
use std::sync::Arc;

use causality::accesses;
use log_format::{Action, ActionId, Cut, Kind, Pid};
use multiverse::alternatives::are_in_conflict;
use session::error::Error;
use session::player::Suffixes;
use session::player::free::Choice;
use session::player::future::Futures;

use crate::record::{FAR, Record};

/// So many actions are looked at before the places among them are put in order.
const CHUNK: usize = 256;
/// Of the receives that could only have timed out instead, so many are looked at.
const PUT_OFF: usize = 100;
/// A process that was ended by a signal could have been ended so many actions earlier.
const EARLIER: u64 = 8;

/// A place where the run could have gone another way: all that does not depend on `action` is done, and then another choice is made.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The action that is taken back, with all that depends on it.
    pub(crate) action: ActionId,
    /// The first action of each process that is taken back.
    pub(crate) future: Suffixes,
    /// What is kept.
    pub(crate) kept: Cut,
    /// The same two without the waits that end later and are decided by the clock.
    pub(crate) later: Option<Arc<(Suffixes, Cut)>>,
    /// Whose choice it is.
    pub(crate) pid: Pid,
    /// Which choice to make instead. `None`: any other one that the process has there.
    pub(crate) choice: Option<Choice>,
}

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
        let (future, kept) = &**self.later.as_ref()?;
        let is_same = kept.get(self.pid) == self.kept.get(self.pid);
        is_same.then(|| Self {
            future: future.clone(),
            kept: kept.clone(),
            later: None,
            ..self.clone()
        })
    }
}

/// The places of a run, nearest to the failure first.
pub(crate) struct Places<'r> {
    record: &'r Record,
    futures: Futures<'r>,
    /// All actions of the window, and what is before it.
    all: Cut,
    window: Window,
    /// The next action to look at is before this place in the order.
    next: usize,
    /// This action must depend on the place.
    within: Option<ActionId>,
    /// A timeout that is always taken back, too.
    waited: Option<ActionId>,
    /// Waits that the clock alone decides, in the order of their times. Those after an action are taken back with it: it may end them earlier.
    by_clock: Rc<[ActionId]>,
    ready: Vec<Place>,
    /// Receives that could only have timed out instead, nearest last: looked at when all else has been.
    put_off: Vec<ActionId>,
    /// What came of this action is not looked at.
    effects: Suffixes,
}

impl<'r> Places<'r> {
    /// `within`: only places on which this action depends.
    pub(crate) fn new(
        record: &'r Record,
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
            next: window.to,
            within,
            waited,
            by_clock: Rc::clone(by_clock),
            ready: Vec::new(),
            put_off: Vec::new(),
            effects: Suffixes::default(),
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
            next: to,
            within: None,
            waited,
            by_clock: Rc::clone(by_clock),
            ready: Vec::new(),
            put_off: Vec::new(),
            effects: Suffixes::default(),
        })
    }

    /// The places of one action.
    pub(crate) fn at(&mut self, id: ActionId) -> Result<Vec<Place>, Error> {
        self.look_at(id, true)?;
        Ok(std::mem::take(&mut self.ready))
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
        self.next = self.next.min(at);
    }

    /// Up to where nothing has been looked at, as a place in the order.
    pub(crate) fn left(&self) -> usize {
        self.next
    }

    /// The next place; `None`: there is none left in the window.
    pub(crate) fn next(&mut self) -> Result<Option<Place>, Error> {
        while self.ready.is_empty() && self.next > self.window.from {
            let from = self.next.saturating_sub(CHUNK).max(self.window.from);
            for at in (from..self.next).rev() {
                self.look_at(self.record.order[at], false)?;
            }
            self.next = from;
            // The nearest last: they are taken from the end.
            self.ready
                .sort_by_cached_key(|place| (place.kept.actions(), std::cmp::Reverse((place.action, place.pid))));
            if self.next == self.window.from {
                self.put_off.reverse();
            }
        }
        if self.ready.is_empty()
            && let Some(id) = self.put_off.pop()
        {
            self.look_at(id, true)?;
        }
        Ok(self.ready.pop())
    }

    /// All that depends on an action, and what is kept without it.
    pub(crate) fn without(&self, action: ActionId) -> Result<(Suffixes, Cut), Error> {
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
    fn without_later_waits(&self, action: ActionId, future: &Suffixes) -> Result<Option<Arc<(Suffixes, Cut)>>, Error> {
        let time = self.record.time(action) + FAR;
        let later = self.by_clock.partition_point(|wait| self.record.time(*wait) <= time);
        let later = &self.by_clock[later..];
        if later.iter().all(|wait| future.contains(*wait)) {
            return Ok(None);
        }
        let all = std::iter::once(action).chain(self.waited).chain(later.iter().copied());
        Ok(Some(Arc::new(self.without_all(all)?)))
    }

    fn without_all(&self, actions: impl Iterator<Item = ActionId>) -> Result<(Suffixes, Cut), Error> {
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
        Ok((future, kept))
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
                self.put_off.push(id);
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
            self.put_off.push(id);
        }
        if (chooses || early) && !is_forced {
            self.ready.push(Place {
                action: id,
                future: future.clone(),
                kept: kept.clone(),
                later: later.clone(),
                pid: id.pid,
                choice: None,
            });
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
                self.ready.push(Place {
                    action: id,
                    future: future.clone(),
                    kept: kept.clone(),
                    later: later.clone(),
                    pid: other.pid,
                    choice: Some(Choice::of(&late)),
                });
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
