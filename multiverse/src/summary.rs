//! How far a search goes, and what it has found.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use session::Error;
use system::{Delivery, StallLimit};

/// Steps without an action after which a run that does nothing but compute is cut.
pub(crate) const IDLE: u32 = 16;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchBounds {
    /// Stop after this many universes.
    pub universes: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Cut a process after this many steps. Each step of a run is an action.
    pub steps: u64,
    /// Leave out what takes another way than the first one more often.
    pub delays: Option<u32>,
    /// Leave out universes with more preemptions.
    pub preemptions: Option<u32>,
    /// In which order signals of different senders arrive at one process.
    pub delivery: Delivery,
    /// What is sent is in the mailbox of its receiver at once, as on BEAM. With causal delivery only.
    pub at_send: bool,
    /// Leave out what needs a longer stall, in milliseconds.
    pub stall: Option<u64>,
}

impl Default for SearchBounds {
    fn default() -> Self {
        Self {
            universes: None,
            time: None,
            steps: 10_000,
            delays: None,
            preemptions: None,
            delivery: Delivery::Causal,
            at_send: false,
            stall: StallLimit::default().0,
        }
    }
}

/// A kind of thing that a program did, and whose other results were not explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Gap {
    /// An input: time, a random number, a file.
    Input,
    /// A look at its own state, which a signal may change: `process_info(self(), message_queue_len)`, for example.
    State,
    /// A look at what another process does between two of its actions: its dictionary, its stack.
    Other,
    /// `cancel_timer` of a timer that sends to another process: whether its message had come before.
    Cancel,
    /// A message to a process of the runtime, such as `init`, which would answer.
    Runtime,
    /// Signals to aliases and monitors that were given up: in too many ways could they have been dropped.
    Dropped,
    /// A halt against many crashes, or against the ends of several processes that would halt the run.
    Halts,
    /// A timer that sends to a name: who has the name when it fires.
    Named,
    /// Exit signals that cross.
    Crossing,
    /// A list of names or of tables.
    Lists,
    /// A `link` of one process and an `unlink` of the other one, about the link of the two.
    Links,
    /// A process that several processes register: each call reads two things that the others write.
    Registers,
}

/// What the search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// How many universes.
    pub universes: u64,
    /// How many runs that took, the first one included.
    pub runs: u64,
    /// Why not all were visited, if so.
    pub stopped: Option<Bound>,
    /// How many universes were cut, and why.
    pub cut: BTreeMap<Cut, u64>,
    /// The actions of the run that was under way when the search was stopped, if it had not ended. It is not counted as a universe.
    pub under_way: Option<u64>,
    /// How many ways are known and not gone yet.
    pub open: u64,
    /// How many runs were left out because they need a longer stall, each at the first choice that needs it.
    pub stalled: u64,
    /// How many ways were left out because they take another way than the first one too often.
    pub delayed: u64,
    /// How many universes were left out because they have too many preemptions.
    pub preempted: u64,
    /// What was not explored, with the place (`file:line`) of the first action that did such a thing.
    pub gaps: BTreeMap<Gap, String>,
}

impl Summary {
    /// Are these all universes, each in full?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
            && self.cut.is_empty()
            && self.gaps.is_empty()
            && self.delayed == 0
            && self.preempted == 0
    }
}

/// The program does what only the search that goes from universe to universe explores, and more was asked for. `place`: where. `so`: how it can be
/// explored.
pub(crate) fn older_search(refused: &str, place: Option<&str>, so: &str) -> Error {
    let at = place.map_or_else(String::new, |place| format!(" at {}", log_format::safe(place)));
    Error::Usage(format!(
        "{refused}: the program does something{at} that only the older search explores (docs/exploration.md lists such calls); explore it {so}"
    ))
}

/// What ended a search before all ways were tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So many universes were found.
    Universes,
    /// The time was up.
    Time,
    /// The caller wanted no more, or interrupted it.
    Caller,
    /// Units of the work are left.
    Units,
    /// So many random walks were made.
    Walks,
}

/// Why a universe was cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Cut {
    /// It had made all its steps.
    Steps,
    /// A process computed without an action, again and again.
    Computes,
}

/// Why a search has to stop now, if it has.
pub(crate) fn late(interrupted: &AtomicBool, time: Option<Duration>, began: Instant) -> Option<Bound> {
    if interrupted.load(Ordering::Relaxed) {
        return Some(Bound::Caller);
    }
    // The clock is read only if there is a limit.
    let time = time?;
    (began.elapsed() >= time).then_some(Bound::Time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_left_out_makes_a_search_incomplete() {
        let whole = Summary {
            universes: 3,
            runs: 5,
            // What needs a longer stall was not to be explored.
            stalled: 2,
            ..Summary::default()
        };
        assert!(whole.is_complete());
        let parts: [fn(&mut Summary); 5] = [
            |one| one.stopped = Some(Bound::Universes),
            |one| *one.cut.entry(Cut::Steps).or_default() += 1,
            |one| drop(one.gaps.insert(Gap::Input, "m.erl:3".to_owned())),
            |one| one.delayed = 1,
            |one| one.preempted = 1,
        ];
        for (part, at) in parts.into_iter().zip(0..) {
            let mut summary = whole.clone();
            part(&mut summary);
            assert!(!summary.is_complete(), "{at}");
        }
    }

    #[test]
    fn an_interruption_comes_before_the_time() {
        let (calls, quiet) = (AtomicBool::new(true), AtomicBool::new(false));
        let began = Instant::now();
        assert_eq!(late(&calls, Some(Duration::ZERO), began), Some(Bound::Caller));
        assert_eq!(late(&quiet, Some(Duration::ZERO), began), Some(Bound::Time));
        assert_eq!(late(&quiet, Some(Duration::from_secs(1_000_000)), began), None);
        assert_eq!(late(&quiet, None, began), None);
    }
}
