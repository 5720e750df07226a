//! The logs of a session as a trace of its own, so that what is told of traces is told of what was done beyond one, too.

use std::sync::Arc;

use log_format::{
    ActionNo, FinalState, Kind, Node, Outcome, Pid, ProcLog, ProcessOutcome, RunEnd, SendNo, Trace, TraceWriter,
};
use rustc_hash::FxHashMap;
use system::feed::LogSource;

use super::Player;
use super::history::History;
use crate::error::Error;
use crate::record::Shared;
use crate::session::Session;
use crate::view::Act;

/// Where the numbers of a written trace come from.
#[derive(Debug)]
pub struct Numbers {
    /// The trace that the session follows as far as it does.
    trace: Arc<Trace>,
    /// How many actions of a process are from there, where these are not all.
    kept: FxHashMap<Pid, u64>,
}

impl Numbers {
    /// A receive as a target: what the trace does not number is an event.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn receive(&self, pid: Pid, n: u64) -> Result<String, log_format::Error> {
        let there = self.kept.get(&pid).is_none_or(|kept| n <= *kept);
        let number = if there {
            self.trace.rec_no(pid, ActionNo(n))?
        } else {
            None
        };
        Ok(number.map_or_else(|| format!("event:{pid}/{n}"), |number| format!("rec:{number}")))
    }

    /// Gives an action of the written trace the name that it has in the session.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn rename(&self, act: &mut Act, pid: Pid) -> Result<(), log_format::Error> {
        if act.kind == "rec" {
            act.target = self.receive(pid, act.number)?;
        }
        Ok(())
    }
}

impl Player {
    /// A session on all that the logs of this one hold, done or not; this session's own while it follows its trace alone.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn told(&self) -> Result<Session, Error> {
        if !self.history.has_branches() {
            return Ok(self.session.clone());
        }
        let sink = Shared::default();
        let bytes = sink.clone();
        write(self.session.trace(), &self.history, sink)?;
        let trace = Arc::new(Trace::from_bytes(bytes.take())?);
        let mut kept = FxHashMap::default();
        for pid in self.history.processes()? {
            kept.extend(self.history.left_at(pid).map(|n| (pid, n)));
        }
        let numbers = Numbers {
            trace: Arc::clone(self.session.trace()),
            kept,
        };
        self.session.with(trace, Arc::new(numbers))
    }
}

fn write(trace: &Trace, history: &History, sink: Shared) -> Result<(), Error> {
    let mut writer = TraceWriter::new(Box::new(sink), trace.header(), &trace.program()?, trace.clock())?;
    for text in history.texts() {
        writer.text(&text);
    }
    for node in history.nodes() {
        writer.node(&node);
    }
    let pids = history.processes()?;
    let (mut logs, mut ends) = (Vec::with_capacity(pids.len()), Vec::new());
    for pid in pids {
        let parent = match history.parent(pid)? {
            Some((parent, n)) => Some((parent, ActionNo(n), SendNo(history.sends(parent, n)?))),
            None => None,
        };
        let mut log = ProcLog::born(pid, node(trace, history, pid)?, parent);
        let length = history.length(pid)?.unwrap_or(0);
        let mut cursor = history.open(pid, ActionNo(0));
        let mut last = None;
        while log.last_action().0 < length {
            let Some(action) = cursor.as_mut().and_then(|cursor| cursor.next()) else {
                break;
            };
            log.action(&action);
            last = Some(action.kind);
        }
        // How it ended is known where the trace tells it.
        let told = if history.left_at(pid).is_none() {
            trace.outcome(pid)?
        } else {
            None
        };
        let ended = last.as_ref().is_some_and(Kind::is_end);
        let state = match told.map(|outcome| outcome.state) {
            Some(state @ FinalState::Ended { .. }) => Some(state),
            _ if ended => None,
            _ => Some(FinalState::Running {
                location: String::new(),
            }),
        };
        ends.extend(state.map(|state| ProcessOutcome {
            pid,
            state,
            mailbox: 0,
            tags: Vec::new(),
        }));
        logs.push(log);
    }
    if let Some(error) = history.damage() {
        return Err(error.into());
    }
    let outcome = Outcome {
        run: RunEnd::Interrupted("the session stands here".to_owned()),
        processes: ends,
    };
    writer.finish(&mut logs, &outcome)?;
    Ok(())
}

/// The node of a process.
fn node(trace: &Trace, history: &History, of: Pid) -> Result<Node, Error> {
    let mut pid = of;
    loop {
        if trace.has(pid)? {
            return Ok(trace.process(pid)?.node);
        }
        // The entry of a run that has not begun is on the first node.
        let Some((parent, n)) = history.parent(pid)? else {
            return Ok(Node(0));
        };
        if let Kind::Spawn { node: Some(node), .. } = history.action(parent, n)?.kind {
            return Ok(node);
        }
        pid = parent;
    }
}
