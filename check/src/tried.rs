//! What runs under random schedules have shown, and how many of them are enough.

use crate::failure::{CheckFailure, EndKind, is_of_kind};

/// How many random schedules are tried if the recorded choices lead to no failure.
pub(crate) const SEEDS: u64 = 100;

/// Random schedules of a changed program, where the recorded one fails often.
pub(crate) const USUAL_SEEDS: u64 = 300;

/// Limit of actions of all these runs together.
const SEARCH: u64 = 2_000_000;

/// How many random schedules of a recorded program that rarely fails are tried, if random schedules decide.
const MANY_SEEDS: u64 = 500;

/// A recorded program that fails under fewer of [`SEEDS`] fails seldom: a change may have made its failure too rare for as many schedules.
pub(crate) const SELDOM: u64 = 50;

/// With fewer failures of the recorded program under [`SEEDS`] its rate is hardly known: it can be so low that [`RARE_SEEDS`] schedules of the
/// changed program without a failure are no evidence. (3 of 100: above 1 % with 97.5 %, so that none of 1,000 fails by chance once in 20,000.)
pub(crate) const FEW: u64 = 3;

/// Random schedules of a changed program, where the recorded one fails seldom.
const RARE_SEEDS: u64 = 1_000;

/// Limit of actions of each program in that case.
const LONG_SEARCH: u64 = 5_000_000;

/// How many runs the changed program must survive: this many times the expected number of runs until the recorded one has failed [`OFTEN`] times.
const SURE: u64 = 10;

/// Failures of the recorded program from which its rate is estimated.
pub(crate) const OFTEN: u64 = 10;

/// How many kinds of random schedules there are.
const KINDS: usize = 4;

/// Some of the kinds of random schedules, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kinds([bool; KINDS]);

impl Default for Kinds {
    fn default() -> Self {
        Self([true; KINDS])
    }
}

impl Kinds {
    /// The kind of a seed: each of them in turn.
    pub(crate) fn of(self, seed: u64) -> usize {
        let some = self.0.iter().filter(|is_one| **is_one).count().max(1);
        let mut all = (0..KINDS).filter(|kind| self.0[*kind]);
        all.nth(usize::try_from(seed).unwrap_or(0) % some).unwrap_or(0)
    }
}

/// The results of runs under random schedules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tried {
    /// The number of runs.
    pub runs: u64,
    /// How many failed in the recorded way.
    pub fails: u64,
    /// For each kind of schedule, the runs, and how many of them failed so.
    pub by_kind: [(u64, u64); KINDS],
    /// The seed and the failure of the first of these.
    pub found: Option<(u64, CheckFailure)>,
    /// The first failure of each other kind, with its seed.
    pub others: Vec<(u64, CheckFailure)>,
    /// In how many runs each of these occurred.
    pub others_in: Vec<u64>,
    /// Ends that return results, and in how many runs each occurred.
    pub results: Vec<(EndKind, u64)>,
    /// The seed of the first run that did not end.
    pub endless: Option<u64>,
    /// The seed of the first run that ended, and in which the test that failed when recorded did not run.
    pub without_test: Option<u64>,
    /// A run asked for a file, a line or the output of a command that the record does not hold: no more were made.
    pub blind: bool,
}

impl Tried {
    /// How many runs without failure show that a program fails far less often than this one; `None` if this one's rate is not known.
    pub(crate) fn runs_to_be_sure(&self) -> Option<u64> {
        let failures = OFTEN * SURE;
        (self.fails >= OFTEN).then(|| (self.runs_that_count() * failures).div_ceil(self.fails).max(SEEDS))
    }

    /// The kinds of schedules under which it fails; all of them if there is none. Each kind finds races that the others miss, so a rate is that under
    /// these: runs of the others would say nothing.
    pub(crate) fn kinds(&self) -> Kinds {
        match self.fails {
            0 => Kinds::default(),
            _ => Kinds(self.by_kind.map(|(_, fails)| fails > 0)),
        }
    }

    /// The runs of these kinds.
    pub(crate) fn runs_that_count(&self) -> u64 {
        let kinds = self.kinds().0.into_iter().zip(self.by_kind);
        kinds.filter(|(counts, _)| *counts).map(|(_, (runs, _))| runs).sum()
    }

    /// The failures that these runs of another program have, too, and how often these have them.
    pub(crate) fn also_of<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a CheckFailure, u64)> {
        let all = self
            .others
            .iter()
            .map(|(_, failure)| failure)
            .zip(self.others_in.iter().copied());
        all.filter(|(failure, _)| other.others.iter().any(|(_, known)| is_of_kind(failure, known)))
    }

    /// The first failure of another kind than all of these.
    pub(crate) fn unlike<'a>(&'a self, known: &[CheckFailure]) -> Option<&'a (u64, CheckFailure)> {
        self.others
            .iter()
            .find(|(_, failure)| !known.iter().any(|known| is_of_kind(failure, known)))
    }
}

/// When to stop running random schedules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Enough {
    /// After the first failure of the recorded kind.
    AFailure,
    /// After [`SEEDS`].
    Seeds,
    /// After [`OFTEN`] failures of the recorded kind, and at least [`SEEDS`] runs.
    Often,
    /// The same after [`RARE_SEEDS`] of a changed program, where the recorded one fails seldom.
    ARareFailure,
    /// After this many runs under such schedules, or the first failure of the recorded kind.
    AFailureOf(u64, Kinds),
    /// After this many runs, whatever they show.
    AsMany(u64),
    /// The same after [`SEEDS`] in which something can be held up for long.
    Delayed,
}

impl Enough {
    pub(crate) const fn seeds(self) -> u64 {
        match self {
            Self::AFailure | Self::Seeds | Self::Delayed => SEEDS,
            Self::Often => MANY_SEEDS,
            Self::ARareFailure => RARE_SEEDS,
            Self::AFailureOf(seeds, _) | Self::AsMany(seeds) => seeds,
        }
    }

    pub(crate) const fn actions(self) -> u64 {
        match self {
            Self::AFailure | Self::Seeds | Self::ARareFailure | Self::Delayed => SEARCH,
            Self::Often | Self::AFailureOf(..) | Self::AsMany(_) => LONG_SEARCH,
        }
    }

    pub(crate) const fn is_shown_by(self, tried: &Tried) -> bool {
        match self {
            Self::AFailure | Self::ARareFailure | Self::AFailureOf(..) | Self::Delayed => tried.fails > 0,
            Self::Seeds | Self::AsMany(_) => false,
            Self::Often => tried.fails >= OFTEN && tried.runs >= SEEDS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_failure_needs_more_runs_and_one_that_is_hardly_known_never_decides() {
        let failed = |fails, runs| Tried {
            fails,
            runs,
            by_kind: [(runs, fails), (0, 0), (0, 0), (0, 0)],
            ..Tried::default()
        };
        assert_eq!(failed(48, 500).runs_to_be_sure(), Some(1042));
        assert_eq!(failed(10, 500).runs_to_be_sure(), Some(5000));
        assert_eq!(failed(100, 100).runs_to_be_sure(), Some(100));
        assert_eq!(failed(9, 500).runs_to_be_sure(), None);
    }

    #[test]
    fn a_rate_is_that_under_the_kinds_of_schedules_that_fail() {
        let tried = Tried {
            fails: 10,
            runs: 400,
            by_kind: [(150, 7), (50, 0), (50, 0), (150, 3)],
            ..Tried::default()
        };
        assert_eq!(tried.runs_that_count(), 300);
        assert_eq!(tried.runs_to_be_sure(), Some(3000));
        let kinds = tried.kinds();
        assert_eq!([1, 2, 3].map(|seed| kinds.of(seed)), [3, 0, 3]);
        assert_eq!([1, 2, 3, 4].map(|seed| Tried::default().kinds().of(seed)), [1, 2, 3, 0]);
    }
}
