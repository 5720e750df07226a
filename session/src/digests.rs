//! Compares what a replay receives, and how its processes end, with the recorder's digests (semantics.md §7).

use std::sync::Arc;

use interpreter::heap::Fragment;
use interpreter::vm::{Process, Program};
use log_format::{Digests, Pid, RunEnd, Trace};
use rustc_hash::FxHashMap;
use system::World;
use system::digest;
use system::observer::Ending;

use crate::error::Error;

/// The digests of a trace, by process.
pub type RecordedDigests = Arc<FxHashMap<u64, Digests>>;

/// Did the run end because nothing more could happen?
///
/// # Errors
/// The trace is damaged.
pub fn waited(trace: &Trace) -> Result<bool, Error> {
    Ok(matches!(
        trace.run_end()?,
        Some(RunEnd::Returned(_) | RunEnd::Crashed { .. } | RunEnd::Deadlock)
    ))
}

/// A digest that differs from the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The process.
    pub pid: Pid,
    /// The number of the receive in the process, from 1; `None` for its final state.
    pub receive: Option<u64>,
}

/// Compares the contents of one replay.
#[derive(Clone, Debug, Default)]
pub struct DigestCheck {
    /// The recorder's digests; `None` if there are none.
    recorded: Option<RecordedDigests>,
    /// How many digests were compared.
    pub compared: u64,
    /// The first that differs.
    pub mismatch: Option<Mismatch>,
}

impl DigestCheck {
    /// Compares with these digests.
    #[must_use]
    pub fn of(recorded: RecordedDigests) -> Self {
        Self {
            recorded: (!recorded.is_empty()).then_some(recorded),
            ..Self::default()
        }
    }

    /// Are there digests to compare with?
    #[must_use]
    pub const fn are_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// A process has received its `place`-th message, from 1.
    pub fn received(&mut self, pid: Pid, place: u64, program: &Program, message: &Fragment) {
        if self.are_recorded() {
            self.compare(pid, Some(place), digest::of_message(program, message));
        }
    }

    /// A process has ended.
    pub fn ended(&mut self, ending: &Ending<'_>) {
        if self.are_recorded() {
            let found = digest::of_state(ending.program, ending.machine, Some(ending.reason));
            self.compare(ending.pid, None, found);
        }
    }

    /// Compares the final states of waiting processes, or of one of them, in a system in which every log was followed to its end. If a run
    /// ended because nothing more could happen, all living processes waited; for other runs the recorder has no such digests.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn all_wait(&mut self, trace: &Trace, system: &World, only: Option<Pid>) -> Result<(), Error> {
        if !self.are_recorded() || !waited(trace)? {
            return Ok(());
        }
        for process in system.table().iter() {
            let pid = system::ids::to_log(process.pid);
            if only.is_none_or(|only| only == pid) {
                self.waits(pid, &system.program, &process.machine);
            }
        }
        Ok(())
    }

    /// A process waits at the end of the run.
    pub fn waits(&mut self, pid: Pid, program: &Program, machine: &Process) {
        if self.are_recorded() {
            self.compare(pid, None, digest::of_state(program, machine, None));
        }
    }

    /// Compares the digest of a message (`receive`: its number, from 1) or of a final state.
    pub fn compare(&mut self, pid: Pid, receive: Option<u64>, found: u32) {
        let Some(of) = self.recorded.as_ref().and_then(|all| all.get(&pid.0)) else {
            return;
        };
        let expected = match receive {
            Some(place) => of.received.get(place as usize - 1).copied(),
            None => of.last,
        };
        // 0: the recorder did not know it.
        let Some(expected) = expected.filter(|expected| *expected != 0) else {
            return;
        };
        self.compared += 1;
        if expected != found {
            self.mismatch.get_or_insert(Mismatch { pid, receive });
        }
    }

    /// Fails if anything differed, and names the message or state.
    ///
    /// # Errors
    /// A digest differed, or the trace is damaged.
    pub fn agree(&self, trace: &Trace) -> Result<(), Error> {
        let Some(Mismatch { pid, receive }) = self.mismatch else {
            return Ok(());
        };
        let what = match receive {
            Some(place) => format!("message rec:{}", trace.process(pid)?.base + place),
            None => "final state".to_owned(),
        };
        Err(Error::Leaked(format!(
            "the {what} of {pid} is not the recorded one: the digests differ; use the program and the tool that recorded the trace \
             (`replay info` names both)"
        )))
    }
}
