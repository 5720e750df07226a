//! What a scheduler is asked, and what it answers.

use interpreter::vm::Program;

use crate::ids::Slot;
use crate::state::flight::Flight;
use crate::state::table::Table;

/// Counted events of a slice under round robin.
pub const SLICE: u32 = 4000;

/// A scheduler.
///
/// It may rely on this: `next` is called only if processes were made `ready` and not yet returned; a process is ready at most once at a time.
/// It must guarantee this: every ready process is returned after finitely many calls (with probability one, if it draws random numbers).
pub trait Scheduler: Send {
    /// A process can run.
    fn ready(&mut self, slot: Slot);
    /// The process to run now and its budget of counted events; `None` if none is ready.
    fn next(&mut self) -> Option<(Slot, u32)>;
    /// Must the signal that was just sent be kept in flight for a while? (Signals of one pair keep their order all the same.)
    fn delay(&mut self) -> bool {
        false
    }
    /// Must a signal in flight arrive now, and which (of `n`)?
    fn arrival(&mut self, n: usize) -> Option<usize> {
        let _ = n;
        None
    }
    /// How many nanoseconds after their deadlines the timers of a process fire; those of one process fire in the order of their deadlines.
    fn lateness(&self, pid: u64) -> u64 {
        let _ = pid;
        0
    }
    /// Must the message of a timer that has fired be kept in flight for a while?
    fn delay_timer(&mut self) -> bool {
        false
    }
    /// The process that runs now wants others to come first. It is made ready again after this.
    fn yields(&mut self) {}
    /// How it wants to be asked. It is asked for this once, when a run begins.
    fn grain(&self) -> Grain {
        Grain::Slices
    }
    /// [`Grain::Actions`] and finer: what happens next; `None` if there is nothing that can.
    fn choose(&mut self, moment: &Moment<'_>) -> Option<ScheduledChoice> {
        let _ = moment;
        None
    }
}

/// How often a scheduler is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grain {
    /// Once for each slice.
    Slices,
    /// After every action.
    Actions,
    /// As `Actions`, and before every native that is not pure, so that it can see what a process is about to do.
    Natives,
}

impl Grain {
    /// What an action costs of the budget of a slice: all of it if the scheduler is asked after every action.
    #[must_use]
    pub(crate) const fn action_cost(self) -> u32 {
        match self {
            Self::Slices => 1,
            Self::Actions | Self::Natives => u32::MAX,
        }
    }
}

/// What can be seen before a choice.
pub struct Moment<'a> {
    /// Nanoseconds of the run's clock.
    pub now: u64,
    /// The next deadline of a timer, if the clock is simulated.
    pub due: Option<u64>,
    /// The signals in flight.
    pub flight: &'a Flight,
    /// The processes.
    pub table: &'a Table,
    /// The code.
    pub program: &'a Program,
}

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduledChoice {
    /// A process runs up to its next action, or for so many counted events.
    Run(Slot, u32),
    /// The oldest signal of this pair arrives.
    Arrive(usize),
    /// Time passes up to the next deadline, although processes can run.
    Elapse,
}
