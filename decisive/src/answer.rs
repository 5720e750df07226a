//! The answer as data: which choices were tried, and what came of it.

use serde::Serialize;
use session::view::{Act, SourcePlace};

use crate::failure::{Outcome, Verdict};
use crate::way::Way;

/// What sort of choice was made otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Another message came first.
    Message,
    /// A message came before the receive timed out.
    MessageForTimeout,
    /// The receive timed out before the message came.
    TimeoutForMessage,
    /// An exit signal came earlier.
    Signal,
    /// An exit signal came later.
    NoSignal,
    /// Two uses of a shared thing came in the other order.
    Access,
    /// A process used a shared thing only after the others had done all they could.
    Later,
    /// A message came only after all others that could come.
    MessageLast,
    /// An input had another value.
    Input,
}

/// How often a random continuation ended in each way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// So many were tried.
    pub of: u64,
    /// They did not fail.
    pub passed: u64,
    /// They failed as recorded.
    pub failed: u64,
}

impl Tally {
    /// Is it more than chance that more end well than of the other ones? Where some of those do, there must be as many as that takes: of many choices that
    /// change nothing, one looks better in a few runs.
    #[must_use]
    pub const fn surely_gains_over(self, other: Self) -> bool {
        /// So many standard deviations, squared.
        const SURE: u64 = 9;
        let all = self.of + other.of;
        let passed = self.passed + other.passed;
        let more = (self.passed * other.of).saturating_sub(other.passed * self.of);
        let chance = passed * (all - passed) * self.of * other.of;
        self.gains_over(other) && (other.passed == 0 || more * more * all >= SURE * chance)
    }

    /// Do clearly more end well than of the other ones: three in ten more? What was not run says nothing against it.
    #[must_use]
    pub const fn gains_over(self, other: Self) -> bool {
        let more = (self.passed * other.of).saturating_sub(other.passed * self.of);
        more * 10 >= self.of * other.of * 3
    }
}

/// One of the two things whose order was tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// The action: the send of the message, the use of the shared thing, the receive that timed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    /// A timeout, or a timer: its milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// If the action is the end of a process that was ended: what ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Act>,
    /// Where the program had called the function in which it was done, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<SourcePlace>,
    /// If the action is an end that has no place in the program: the last line that its process had come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<SourcePlace>,
    /// If the action has no place in the program: what led to it that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Act>,
    /// The message had been taken already, and the process was ended in that turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub taken: bool,
    /// Only the run with the other choice did it: the recorded one ended before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_then: bool,
    /// If the action has no place in the program: where its process was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<SourcePlace>,
}

/// For how long something must be held up for a run to happen, where that is longer than in the recorded run: what is so unlikely says little.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LongerStall {
    /// Milliseconds. `None`: no order of arrival allows it.
    pub ms: Option<u64>,
    /// Milliseconds in the recorded run, up to its failure.
    pub recorded: u64,
}

/// A choice that was made otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Flip {
    /// Its number in the answer, from 1: `flip N` in `replay debug`.
    #[serde(skip_serializing_if = "is_zero")]
    pub number: usize,
    /// What sort of choice it is.
    pub class: Class,
    /// The recorded action whose choice was made otherwise.
    pub at: Act,
    /// What came first in the run.
    pub made: Side,
    /// What came first instead.
    pub instead: Side,
    /// What became of it near the record.
    pub verdict: Verdict,
    /// What the run came to then.
    pub outcome: Outcome,
    /// Random continuations after this other choice.
    pub otherwise: Tally,
    /// Random continuations after the recorded choice.
    pub as_recorded: Tally,
    /// Milliseconds of waits between the two.
    pub apart: u64,
    /// If the run with the other choice needs a longer stall than the recorded one: how long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall: Option<LongerStall>,
    /// Why it says little, if it does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak: Vec<Weak>,
    /// Actions that do not depend on this choice and were kept.
    pub kept: u64,
    /// The actions that it is about: the choice, the two, and the receive of the message that came later.
    #[serde(skip)]
    pub involved: Vec<log_format::ActionId>,
    /// How to take it.
    #[serde(skip)]
    pub way: Way,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl Flip {
    /// Is it one whose evidence is good?
    #[must_use]
    pub fn is_strong(&self) -> bool {
        self.verdict == Verdict::Passes && self.weak.is_empty()
    }
}

/// Why a decisive flip says little.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weak {
    /// A timeout fires instead of the message that was there: that a process gives up explains nothing.
    GivesUp,
    /// The process that failed does something else: a test that looks earlier passes, too.
    ByFailing,
    /// The two were far apart in time.
    Far,
    /// Few continuations end well.
    Rare,
    /// As recorded, many continuations end well, too: a later choice decided.
    Undecided,
    /// Only the time at which a value was read was changed.
    Value,
    /// Something must be held up for longer than in the recorded run.
    Stalls,
}

impl Weak {
    /// The flip with the smallest sum comes first.
    #[must_use]
    pub const fn weight(self) -> u32 {
        match self {
            Self::Far => 1,
            Self::ByFailing | Self::Rare | Self::Undecided => 2,
            Self::GivesUp | Self::Value => 3,
            // All others come first.
            Self::Stalls => 100,
        }
    }
}

/// Why not all was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// So many flips were made.
    Flips,
    /// So many steps were made.
    Steps,
    /// So much work was done.
    Work,
    /// So many places were looked at.
    Places,
    /// Enough decisive ones were found.
    Found,
    /// The time was up.
    Time,
    /// The run is long: only what is near the failure was looked at.
    Window,
    /// Only what led to an action that is not the failure was looked at.
    From,
    /// Only what came after the failed test had begun was looked at: it decides.
    Test,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Answer {
    /// Does the run fail? If it does not, those flips are listed first after which it fails.
    pub fails: bool,
    /// Actions of the run.
    pub actions: u64,
    /// At so many places other choices were looked for, in the order of the story.
    pub places: u64,
    /// How many other choices were tried.
    pub flips: u64,
    /// How they ended.
    pub verdicts: Verdicts,
    /// Steps of all continuations.
    pub steps: u64,
    /// The work, as [`crate::Limits::work`] counts it.
    #[serde(skip)]
    pub work: u64,
    /// Why more was not tried, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Bound>,
    /// Did the failing process wait in vain? Then that wait was taken back with every flip.
    pub absence: bool,
    /// Random runs begin after so many actions of the run; 0: at its beginning.
    pub random_from: u64,
    /// Random runs: if some end well, the order matters, even if no single choice decides.
    pub at_random: Tally,
    /// The decisive ones, the best first; then those after which the failure moved.
    pub decisive: Vec<Flip>,
    /// If no single choice decides: those after which many more continuations end well than as recorded, the best first.
    pub leaning: Vec<Flip>,
    /// A few of the others.
    pub others: Vec<Flip>,
    /// If no single choice decides: choices that decide together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
}

/// Choices that decide together: with all of them the run does not fail, and with any one left out it does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Together {
    /// The choices, in the order in which they are made. Each but the first is one of the run that the choices before it lead to.
    pub choices: Vec<Flip>,
    /// The same choice is made each time that it comes up, where so many actions could be concerned. The only choice of the list is one of them, taken alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<u64>,
    /// What the run came to then.
    pub outcome: Outcome,
    /// Random continuations with all of them.
    pub otherwise: Tally,
    /// Random continuations without the last one; in the recorded order each time, if the same choice is made each time.
    pub without: Tally,
}

impl Answer {
    /// Did another choice, or a random run, end well? One that fails for another reason still fails.
    #[must_use]
    pub const fn order_matters(&self) -> bool {
        self.verdicts.passes > 0 || self.at_random.passed > 0
    }

    /// All flips, in the order of their numbers.
    pub fn flips(&self) -> impl Iterator<Item = &Flip> {
        let passes = |flip: &&Flip| flip.verdict != Verdict::Moved;
        let first = self.decisive.iter().filter(passes);
        let moved = self.decisive.iter().filter(move |flip| !passes(flip));
        first.chain(&self.leaning).chain(moved).chain(&self.others)
    }

    /// Numbers the flips.
    pub(crate) fn number(&mut self) {
        let (moved, first): (Vec<&mut Flip>, Vec<&mut Flip>) = self
            .decisive
            .iter_mut()
            .partition(|flip| flip.verdict == Verdict::Moved);
        let all = first
            .into_iter()
            .chain(&mut self.leaning)
            .chain(moved)
            .chain(&mut self.others);
        for (number, flip) in (1..).zip(all) {
            flip.number = number;
        }
    }

    /// Was all tried, and did it fail each time? Where no random run was made, that is not known; nor where a run did not come to its end, where it
    /// ended well with a longer stall, where the failure moved or had other values, or where no random one failed as recorded, so that something else
    /// must be wrong with them.
    #[must_use]
    pub const fn is_no_race(&self) -> bool {
        let is_tried = self.at_random.failed > 0
            && self.verdicts.cut == 0
            && self.verdicts.stalls == 0
            && self.verdicts.moved == 0
            && self.verdicts.changed == 0;
        !self.order_matters() && self.together.is_none() && self.stopped.is_none() && (is_tried || self.flips == 0)
    }

    /// Where not all was tried: did all that was, and enough random runs of the whole run, fail as recorded?
    #[must_use]
    pub const fn is_likely_no_race(&self) -> bool {
        /// So many random runs are enough.
        const ENOUGH: u64 = 5;
        let runs = self.at_random;
        let all_fail = runs.of >= ENOUGH && runs.failed == runs.of && self.random_from == 0;
        let none_differs = self.verdicts.stalls == 0 && self.verdicts.moved == 0 && self.verdicts.changed == 0;
        !self.is_no_race() && !self.order_matters() && self.together.is_none() && all_fail && none_differs
    }
}

/// How many flips ended in each way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verdicts {
    /// The run does not fail.
    pub passes: u64,
    /// The run does not fail, but it needs a longer stall than the recorded one.
    pub stalls: u64,
    /// The same kind of failure elsewhere.
    pub moved: u64,
    /// As recorded.
    pub same: u64,
    /// Of these, so many failed with other values.
    #[serde(skip_serializing_if = "is_zero")]
    pub changed: u64,
    /// Another failure.
    pub another: u64,
    /// Not ended within the limits.
    pub cut: u64,
}

impl Verdicts {
    /// Counts one more. `stalls`: it needs a longer stall than the recorded run.
    pub const fn count(&mut self, verdict: Verdict, stalls: bool) {
        match verdict {
            Verdict::Passes if stalls => self.stalls += 1,
            Verdict::Passes => self.passes += 1,
            Verdict::Moved => self.moved += 1,
            Verdict::Same => self.same += 1,
            Verdict::Another => self.another += 1,
            Verdict::Cut => self.cut += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_few_runs_may_be_chance_where_some_end_well_as_recorded() {
        let tally = |passed, of| Tally {
            of,
            passed,
            failed: of - passed,
        };
        let surely = |with: (u64, u64), without: (u64, u64)| {
            tally(with.0, with.1).surely_gains_over(tally(without.0, without.1))
        };
        assert!(!surely((9, 10), (4, 10)) && !surely((7, 10), (4, 10)) && !surely((3, 3), (1, 3)));
        assert!(surely((36, 40), (16, 40)) && surely((10, 10), (3, 10)));
        // Where none does, the recorded run and these are enough.
        assert!(surely((3, 3), (0, 3)) && !surely((2, 10), (0, 10)));
    }
}
