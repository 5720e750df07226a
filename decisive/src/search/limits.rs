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
    /// Work: about as many microseconds. A step costs more where there are many processes, and where many signals wait; to come to a place costs some
    /// steps, too. The search ends there if it has tried [`LEAST`](Self::LEAST) flips, or stood at [`LEAST_PLACES`](Self::LEAST_PLACES), and at
    /// [`MOST_WORK`](Self::MOST_WORK) in any case; runs at random end at twice as much.
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
    /// Stop after this time. The answer then depends on the machine.
    pub time: Option<Duration>,
}

impl Limits {
    /// So many flips are tried however much work that is: those nearest to the failure decide most often.
    pub const LEAST: u64 = 24;
    /// More work is never done, however little has been tried: a continuation in which hundreds of signals wait costs seconds.
    pub const MOST_WORK: u64 = 8_000_000;
    /// So many places are stood at however much work that is, even if nothing else can be done at any of them.
    pub const LEAST_PLACES: u64 = 200;

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

impl Default for Limits {
    fn default() -> Self {
        Self {
            flips: 150,
            places: 1200,
            steps: 150_000,
            work: 4_000_000,
            continuation: 20_000,
            depth: 3,
            enough: 12,
            runs: 10,
            window: 1_000_000,
            seed: 1,
            delivery: Delivery::Causal,
            whole: false,
            time: None,
        }
    }
}
