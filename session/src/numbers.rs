//! The numbers of a trace that was written by a session.

use std::sync::Arc;

use log_format::{ActionId, ActionNo, Pid, Trace};
use rustc_hash::FxHashMap;

use crate::view::{Act, ActKind};

/// Maps the numbers of a written trace to those of the session.
#[derive(Debug)]
pub struct Numbers {
    /// The trace that the session follows.
    pub(crate) trace: Arc<Trace>,
    /// For processes that have left their logs: how many actions come from that trace.
    pub(crate) kept: FxHashMap<Pid, u64>,
}

impl Numbers {
    /// A receive as a target; what the trace does not number is named as an event.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn receive(&self, pid: Pid, n: u64) -> Result<String, log_format::Error> {
        let there = self.kept.get(&pid).is_none_or(|kept| n <= *kept);
        // A process can be new, and can have done more than in that trace.
        let number = if there && self.trace.has(pid)? && n <= self.trace.process(pid)?.counts.actions {
            self.trace.rec_no(pid, ActionNo(n))?
        } else {
            None
        };
        Ok(number.map_or_else(|| ActionId::new(pid, n).to_string(), |number| format!("rec:{number}")))
    }

    /// Gives an action of the written trace the name that it has in the session.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn rename(&self, act: &mut Act) -> Result<(), log_format::Error> {
        if act.kind == ActKind::Rec {
            act.target = self.receive(act.pid, act.number)?;
        }
        Ok(())
    }
}
