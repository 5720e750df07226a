//! The future of actions: one pass over the trace in an order in which it can have happened.

use log_format::{Access, ActionId, ActionNo, Cut, Error, Pid, Resource, Result, SendNo, Trace, Version};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conflicts::{Conflicts, uses_conflict};
use crate::direct::CauseNeed;
use crate::order::{CausalOrder, Stretch, causal_order, conflict_order};

/// For each process a suffix of its log, closed under the order that it was computed with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Future {
    /// Each reaches to the last action of its log. invariant: ascending by process.
    suffixes: Vec<Stretch>,
}

impl Future {
    /// Does it contain this action?
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.first(action.pid).is_some_and(|first| first <= action.number)
    }

    /// The first action of a process that it contains.
    #[must_use]
    pub fn first(&self, pid: Pid) -> Option<ActionNo> {
        let at = self.suffixes.binary_search_by_key(&pid, |suffix| suffix.pid).ok()?;
        Some(self.suffixes[at].first)
    }

    /// How many actions it contains.
    #[must_use]
    pub fn actions(&self) -> u64 {
        self.suffixes.iter().map(Stretch::actions).sum()
    }

    /// Is it empty?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.suffixes.is_empty()
    }

    /// Its part of each process, by pid.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Stretch> + '_ {
        self.suffixes.iter().copied()
    }
}

/// The consequences of an action: itself and its `⇒`-future. Reads the whole trace.
///
/// # Errors
/// If there is no such action, or the trace is damaged.
pub fn consequences(trace: &Trace, action: ActionId) -> Result<Future> {
    consequences_of_all(trace, [action])
}

/// The consequences of several actions together.
///
/// # Errors
/// As [`consequences`].
pub fn consequences_of_all(trace: &Trace, actions: impl IntoIterator<Item = ActionId>) -> Result<Future> {
    let order = causal_order(trace, &Cut::whole(trace)?)?;
    Spread::new(trace, order, actions)?.run()
}

/// What comes of several actions, and which of them come of no other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Firsts {
    /// All that comes of them, themselves included.
    pub future: Future,
    /// Those with no other one in their past.
    pub first: FxHashSet<ActionId>,
}

/// The consequences of several actions, at most one of each process, and which of these actions are consequences of no other one: one pass.
///
/// # Errors
/// As [`consequences`].
pub fn first_of_all(trace: &Trace, actions: impl IntoIterator<Item = ActionId>) -> Result<Firsts> {
    let order = causal_order(trace, &Cut::whole(trace)?)?;
    let mut spread = Spread::new(trace, order, actions)?;
    let future = spread.spread()?;
    Ok(Firsts {
        future,
        first: spread.first,
    })
}

/// The `→`-future of an action, itself included, as far as the log tells it (see [`Conflicts`]): what must be undone with it when the
/// future is not fixed by the log.
///
/// # Errors
/// As [`consequences`].
pub fn conflict_future(trace: &Trace, conflicts: &Conflicts, action: ActionId) -> Result<Future> {
    let order = conflict_order(trace, conflicts, &Cut::whole(trace)?)?;
    let mut spread = Spread::new(trace, order, [action])?;
    spread.conflicts = Some(conflicts);
    spread.run()
}

/// Where the future of a process begins.
#[derive(Clone, Copy, Debug)]
struct From {
    action: ActionNo,
    /// How many signals it had sent before that.
    sends: u64,
}

struct Spread<'t> {
    order: CausalOrder<'t>,
    conflicts: Option<&'t Conflicts>,
    /// The first action of each process that was asked for.
    asked: FxHashMap<Pid, ActionNo>,
    /// Those of them that were come to before any other had led there.
    first: FxHashSet<ActionId>,
    from: Vec<Option<From>>,
    /// For each resource, the lowest version whose write, and the lowest whose read, belong to the future.
    used: FxHashMap<Resource, (Option<Version>, Option<Version>)>,
}

impl<'t> Spread<'t> {
    fn new(trace: &Trace, order: CausalOrder<'t>, actions: impl IntoIterator<Item = ActionId>) -> Result<Self> {
        let mut asked = FxHashMap::default();
        for ActionId { pid, number } in actions {
            let all = trace.process(pid)?.counts.actions;
            if number.0 == 0 || number.0 > all {
                return Err(Error::absent(
                    format!("action {number} of {pid}"),
                    format!("its log has {all} actions"),
                ));
            }
            asked
                .entry(pid)
                .and_modify(|first: &mut ActionNo| *first = number.min(*first))
                .or_insert(number);
        }
        let from = vec![None; order.len()];
        Ok(Self {
            order,
            conflicts: None,
            asked,
            first: FxHashSet::default(),
            from,
            used: FxHashMap::default(),
        })
    }

    fn run(mut self) -> Result<Future> {
        self.spread()
    }

    fn spread(&mut self) -> Result<Future> {
        while let Some(done) = self.order.perform()? {
            let first = ActionNo(done.before.actions + 1);
            if self.from[done.at].is_none() {
                let pid = self.order.process(done.at).pid;
                let asked = self.asked.get(&pid).filter(|asked| **asked <= done.last);
                if self.is_reached(done.at, first) {
                    self.from[done.at] = Some(From {
                        action: first,
                        sends: done.before.sends,
                    });
                } else if let Some(asked) = asked {
                    // Within a run of sends, each action is one send.
                    let sends = done.before.sends + (asked.0 - first.0);
                    self.from[done.at] = Some(From { action: *asked, sends });
                    self.first.insert(ActionId { pid, number: *asked });
                }
            }
            if self.conflicts.is_some() && self.from[done.at].is_some() {
                self.mark(done.at);
            }
        }
        let reached = self.from.iter().enumerate().filter_map(|(at, from)| {
            let process = self.order.process(at);
            from.map(|from| Stretch {
                pid: process.pid,
                first: from.action,
                last: process.counts.last_action(),
            })
        });
        Ok(Future {
            suffixes: reached.collect(),
        })
    }

    /// Does the action of a process need something that belongs to the future?
    fn is_reached(&self, at: usize, number: ActionNo) -> bool {
        let process = self.order.process(at);
        let born = process.parent.filter(|_| number.0 == 1).map(CauseNeed::Action);
        let observers = self
            .conflicts
            .into_iter()
            .flat_map(|conflicts| conflicts.observers(ActionId::new(process.pid, number.0)));
        let mut needs = self
            .order
            .needs(at)
            .iter()
            .copied()
            .chain(born)
            .chain(observers.map(CauseNeed::Action));
        needs.any(|need| self.holds(need)) || self.order.accesses(at).iter().any(|access| self.is_used(access))
    }

    fn holds(&self, need: CauseNeed) -> bool {
        let pid = need.pid();
        if let CauseNeed::Action(ActionId {
            number: ActionNo(0), ..
        }) = need
            && let Some(spawn) = self.order.parent(pid)
        {
            return self.holds(CauseNeed::Action(spawn));
        }
        let Some(at) = self.order.place(pid) else {
            return false;
        };
        self.from[at].is_some_and(|from| match need {
            CauseNeed::Action(action) => from.action <= action.number,
            CauseNeed::Sent(_, SendNo(k)) => from.sends < k,
            CauseNeed::End(_) => true,
        })
    }

    fn is_used(&self, access: &Access) -> bool {
        let Some((written, read)) = self.used.get(&access.resource) else {
            return false;
        };
        let comes_before = |version: &Version| match access.write {
            true => *version < access.version,
            false => *version <= access.version,
        };
        let is_used = |version: &Option<Version>, writes| {
            version.as_ref().is_some_and(comes_before) && uses_conflict(access.resource, writes, access.write)
        };
        is_used(written, true) || is_used(read, false)
    }

    fn mark(&mut self, at: usize) {
        for access in self.order.accesses(at) {
            let (written, read) = self.used.entry(access.resource).or_default();
            let lowest = if access.write { written } else { read };
            *lowest = Some(lowest.map_or(access.version, |lowest| lowest.min(access.version)));
        }
    }
}
