//! How far a search goes.

use std::time::Duration;

use system::Delivery;

/// How far to go. All but `time` are counts, so the answer depends on the trace and the seed only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Other choices that are tried. From [`LEAST`](Self::LEAST) on, the few actions nearest to the failure are held back besides.
    pub flips: u64,
    /// Places that are looked at for other choices.
    pub places: u64,
    /// Steps of all continuations.
    pub steps: u64,
    /// Steps of one continuation.
    pub continuation: u64,
    /// Work of a whole answer: about as many microseconds. A step costs more where there are many processes, and where many signals wait; to come to a
    /// place is work, too. A longer run has up to twice as much ([`Self::budget`]). Each part of the search has a part of it, and what earlier ones have left.
    pub work: u64,
    /// So many choices may decide together.
    pub depth: usize,
    /// Decisive flips that are enough.
    pub enough: usize,
    /// Random continuations with which a decisive flip is examined, and as many with the recorded choice.
    pub runs: u64,
    /// Of a longer run, only so many actions before the failure are looked at.
    pub window: usize,
    /// The seed of random continuations.
    pub seed: u64,
    /// In which order signals of different senders arrive at one process in a continuation.
    pub delivery: Delivery,
    /// A continuation is run to its end even if it has come to be as the record again. The answer is the same.
    pub whole: bool,
    /// In a run of more than [`LONG`](Self::LONG) actions: once a choice is found that surely decides, or where random runs all fail, only a little more is
    /// tried.
    pub soon: bool,
    /// Stop after this time. The answer then depends on the machine.
    pub time: Option<Duration>,
}

impl Limits {
    /// See [`soon`](Self::soon).
    pub const LONG: u64 = 1_000;
    /// Up to so many flips more work is done: those nearest to the failure decide most often.
    pub const LEAST: u64 = 24;
    /// Up to so many places, too, if nothing else can be done at any of them.
    pub const LEAST_PLACES: u64 = 200;

    /// The work of an answer for a run of so many actions.
    #[must_use]
    pub const fn budget(&self, actions: u64) -> u64 {
        /// From so many actions on, it is twice as much.
        const LONG: u64 = 50_000;
        let actions = if actions < LONG { actions } else { LONG };
        self.work.saturating_add(self.work / LONG * actions)
    }

    /// For one of several failures of a run that are told together: they share the work.
    #[must_use]
    pub fn shared(self, failures: usize) -> Self {
        /// So many failures are looked into.
        const FEW: u64 = 8;
        let failures = (failures as u64).max(1);
        Self {
            flips: self.flips / failures.min(FEW),
            work: self.work / failures,
            ..self
        }
    }

    /// Nothing is tried.
    #[must_use]
    pub const fn nothing(self) -> Self {
        Self {
            flips: 0,
            runs: 0,
            depth: 1,
            ..self
        }
    }
}

/// A part of a search. What is left of the work of one is for the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Other choices.
    Look,
    /// Those that are tried even if there is much work.
    Nearest,
    /// What is held back.
    Hold,
    /// Runs at random after the best ones.
    Examine,
    /// Runs at random.
    Random,
    /// Sets.
    Sets,
}

impl Phase {
    /// Up to how much work it goes, of so much for the whole answer.
    pub(super) const fn upto(self, budget: u64) -> u64 {
        const PARTS: u64 = 16;
        let parts = match self {
            Self::Look => 6,
            Self::Nearest | Self::Hold => 8,
            Self::Examine => 10,
            Self::Random => 11,
            Self::Sets => 16,
        };
        budget / PARTS * parts + budget % PARTS * parts / PARTS
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            flips: 150,
            places: 1200,
            steps: 150_000,
            work: 3_600_000,
            continuation: 20_000,
            depth: 3,
            enough: 12,
            runs: 10,
            window: 1_000_000,
            seed: 1,
            delivery: Delivery::Causal,
            whole: false,
            soon: true,
            time: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_up_to_twice_the_work() {
        let limits = Limits {
            work: 1_000_000,
            ..Limits::default()
        };
        let budget = |actions| limits.budget(actions);
        assert_eq!(
            [0, 25_000, 50_000, 10_000_000].map(budget),
            [1_000_000, 1_500_000, 2_000_000, 2_000_000]
        );
        let endless = Limits {
            work: u64::MAX,
            ..limits
        };
        assert_eq!(endless.budget(u64::MAX), u64::MAX);
    }

    #[test]
    fn each_part_of_a_search_goes_further_than_the_one_before_and_the_last_to_the_end() {
        let parts = [Phase::Look, Phase::Nearest, Phase::Examine, Phase::Random, Phase::Sets];
        for budget in [1, 100, 3_600_000, u64::MAX / 2] {
            let upto = parts.map(|phase| phase.upto(budget));
            assert!(upto.is_sorted(), "{upto:?}");
            assert_eq!(upto[4], budget);
        }
        assert_eq!(Phase::Hold.upto(160), Phase::Nearest.upto(160));
    }
}
