//! How much work a check may do. It is counted in actions and in what processes compute, not in time, so the same trace has the same answer on every
//! machine; a ceiling of time comes on top if it is asked for.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use crate::answer::{CheckVerdict, Checked, Cut};

/// Limit of a check: about 60 s on a machine with two processors of 2024.
pub(crate) const WORK: u64 = 20_000_000;
/// So many counted events of a process cost as much as an action.
const EVENTS: u64 = 200;

/// The work of a run in actions: those it does, and what it computes.
pub(crate) const fn work(actions: u64, events: u64) -> u64 {
    actions.saturating_add(events / EVENTS)
}

/// What is left of the work that a check may do.
pub(crate) struct Budget {
    left: Cell<u64>,
    /// For the failures that are judged later.
    kept: u64,
    /// When the time of the whole check, and of this failure, is up.
    ends: Option<Instant>,
    until: Option<Instant>,
    is_late: Cell<bool>,
    /// What was not tried for want of it, in the order in which it would have been.
    untried: RefCell<Vec<&'static str>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(WORK, None)
    }
}

impl Budget {
    pub(crate) fn new(work: u64, time: Option<Duration>) -> Self {
        let ends = time.and_then(|time| Instant::now().checked_add(time));
        Self {
            left: Cell::new(work),
            kept: 0,
            ends,
            until: ends,
            is_late: Cell::new(false),
            untried: RefCell::default(),
        }
    }

    /// For the next one of so many failures, itself included: it gets its part of what is left.
    pub(crate) fn share(&mut self, failures: usize) {
        let all = self.left.get().saturating_add(self.kept);
        let part = all / (failures as u64).max(1);
        self.left.set(part);
        self.kept = all - part;
        let now = Instant::now();
        let parts = u32::try_from(failures).unwrap_or(u32::MAX).max(1);
        self.until = self.ends.map(|ends| now + ends.saturating_duration_since(now) / parts);
        self.is_late.set(false);
        self.untried.take();
    }

    /// How much work is left.
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }

    /// How much time is left, if it has a limit.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    pub(crate) fn spend(&self, work: u64) {
        self.left.set(self.left.get().saturating_sub(work));
    }

    /// May more be done? If not, it is noted that this is not tried.
    pub(crate) fn allows(&self, what: &'static str) -> bool {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        self.is_late.set(self.is_late.get() || is_late);
        if !self.is_late.get() && self.left.get() > 0 {
            return true;
        }
        let mut untried = self.untried.borrow_mut();
        if !untried.contains(&what) {
            untried.push(what);
        }
        false
    }

    /// Has something not been tried?
    pub(crate) fn is_over(&self) -> bool {
        !self.untried.borrow().is_empty()
    }

    /// The answer of a check that has ended before everything was tried: a failure is a failure, and nothing else is certain.
    pub(crate) fn judged(&self, checked: Checked) -> Checked {
        if !self.is_over() || checked.verdict == CheckVerdict::StillFails {
            return checked;
        }
        let untried = self.untried.borrow().iter().map(|what| (*what).to_owned()).collect();
        let by_time = self.is_late.get();
        let so_far = match checked.verdict {
            CheckVerdict::Incomplete | CheckVerdict::Diverged => String::new(),
            _ => format!(" (so far: {})", checked.now),
        };
        let limit = if by_time {
            "the time of --time is up"
        } else {
            "the budget of work is used up"
        };
        Checked {
            verdict: CheckVerdict::Incomplete,
            now: format!("{limit}{so_far}"),
            cut: Some(Cut { by_time, untried }),
            schedules: checked.schedules.filter(|schedules| schedules.tried > 0),
            universes: checked.universes.filter(|universes| universes.visited > 0),
            ..checked
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_share_the_work_and_what_one_does_not_need_is_for_the_next() {
        let mut budget = Budget::new(90, None);
        budget.share(3);
        budget.spend(10);
        assert_eq!(budget.left(), 20);
        budget.share(2);
        assert_eq!(budget.left(), 40);
        budget.spend(100);
        assert!(!budget.allows("random schedules"));
        assert!(budget.is_over());
        budget.share(1);
        assert_eq!(budget.left(), 40);
        assert!(budget.allows("random schedules") && !budget.is_over());
    }

    #[test]
    fn without_time_nothing_more_is_tried() {
        let budget = Budget::new(90, Some(Duration::ZERO));
        assert!(!budget.allows("universes") && !budget.allows("universes"));
        assert_eq!(*budget.untried.borrow(), ["universes"]);
    }
}
