//! The settings of a run, and how it ends.

use interpreter::term::Pid;

use crate::loader::Loader;
use crate::outside::Outside;
use crate::scheduler::Scheduler;
use crate::state::delivery::Delivery;

/// How a whole run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Nothing more can happen.
    Quiescent,
    /// The entry process ended and the caller asked to stop then.
    EntryEnded,
    /// `halt(code)`.
    Halted(i64),
    /// A limit was reached; the text names it.
    Limit(String),
    /// The user asked to stop.
    Interrupted,
}

/// The run's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunClock {
    /// The real clock.
    Real,
    /// A clock that advances with the counted events and jumps over idle time; nanoseconds since the start of the run.
    Virtual(u64),
}

/// Virtual nanoseconds that a counted event takes.
pub(crate) const EVENT_NANOSECONDS: u64 = 50;

/// Limits of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Nanoseconds of the run's clock.
    pub time: Option<u64>,
    /// Living processes.
    pub processes: usize,
    /// Bytes of heaps, mailboxes, tables, timers, shared resources, and of binaries outside the heaps.
    pub memory: Option<usize>,
    /// The schedulers that the program is told of. It is run by one, whatever machine it is, so that a seed gives the same run everywhere.
    pub schedulers: u32,
}

/// The schedulers that a program is told of unless somebody says another number.
pub const DEFAULT_SCHEDULERS: u32 = 4;

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: None,
            processes: 262_144,
            memory: None,
            schedulers: DEFAULT_SCHEDULERS,
        }
    }
}

/// Settings of a system.
pub struct Settings {
    /// The scheduler.
    pub scheduler: Box<dyn Scheduler>,
    /// The outside.
    pub outside: Box<dyn Outside>,
    /// The loader of modules.
    pub loader: Box<dyn Loader>,
    /// The clock.
    pub clock: RunClock,
    /// In which order signals of different senders arrive at one process.
    pub delivery: Delivery,
    /// Limits.
    pub limits: Limits,
    /// Arguments after `--`, for `init:get_plain_arguments/0`.
    pub arguments: Vec<String>,
    /// Stop when the entry process has ended.
    pub exit_with_entry: bool,
}

/// The number of the first process.
pub const FIRST_PID: u64 = 1;

/// The first group leader: standard input and output. It is not a process of the program.
pub const DEVICE: Pid = Pid::new(0, 0);
