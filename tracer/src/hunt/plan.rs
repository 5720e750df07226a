//! Which of many runs of a test begin where it does, and which at their start.

use crate::hunt::once::{EVENTS_OF_AN_ACTION, Work};

/// What a run took.
#[derive(Clone, Copy, Debug)]
pub struct Took {
    /// Steps of its scheduler, if it tells them.
    pub steps: Option<u64>,
    /// What it did.
    pub work: Work,
}

/// How the runs after the first one go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Steps of the scheduler of the first run, from where it began.
    steps: u64,
    /// What came before.
    before: u64,
    /// One run of so many begins at the start.
    whole_every: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            steps: system::scheduler::DEFAULT_STEPS,
            before: 0,
            whole_every: 1,
        }
    }
}

/// What copying and judging a run costs, as work.
const WORK_OF_A_RUN: u64 = 20_000;
/// What runs that begin at the start may take: one of so many parts of all that is done.
const SHARE: u64 = 4;

impl Plan {
    /// A race can also be in what comes before the test, such as its fixtures. So some runs begin at the start: as many as take a quarter of the time.
    pub fn after(first: Option<Took>, has_beginning: bool) -> Self {
        let plan = Self::default();
        let Some(Took { steps, work }) = first else {
            return plan;
        };
        let steps = steps.unwrap_or(plan.steps).max(1);
        if !has_beginning {
            return Self { steps, ..plan };
        }
        let whole = work.all + WORK_OF_A_RUN;
        let whole_every = 1 + (SHARE - 1) * whole / (whole - work.before);
        // Before the test, a step is about an action.
        let before = work.before / EVENTS_OF_AN_ACTION;
        Self {
            steps,
            before,
            whole_every,
        }
    }

    /// For the runs of its sort, the number of a run after the first one, from 0; and does it begin at the start?
    pub const fn turn(self, turn: u64) -> (u64, bool) {
        let whole = (turn + 1) / self.whole_every;
        if (turn + 1).is_multiple_of(self.whole_every) {
            (whole - 1, true)
        } else {
            (turn - whole, false)
        }
    }

    /// About so many steps has a run.
    pub const fn steps(self, is_whole: bool) -> u64 {
        self.steps + if is_whole { self.before } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_runs_begin_at_the_start_and_each_sort_has_all_turns() {
        let work = Work {
            before: 980_000,
            all: 1_000_000,
        };
        let steps = Some(100);
        let plan = Plan::after(Some(Took { steps, work }), true);
        assert_eq!(plan.whole_every, 77);
        assert_eq!((plan.steps(false), plan.steps(true)), (100, 49_100));
        let (whole, others): (Vec<_>, Vec<_>) = (0..770).map(|turn| plan.turn(turn)).partition(|(_, whole)| *whole);
        assert!(whole.iter().map(|(turn, _)| *turn).eq(0..10));
        assert!(others.iter().map(|(turn, _)| *turn).eq(0..760));
        let without = Plan::after(Some(Took { steps, work }), false);
        assert_eq!(without.turn(5), (5, true));
        assert_eq!(without.steps(true), 100);
    }
}
