//! The logs of a trace as a replay follows them.

use std::sync::Arc;

use log_format::{Action, ActionNo, Error, LogStep, Pid, SharedLogReader, TextId, Trace};
use rustc_hash::FxHashMap;
use system::feed::{Births, Cursor, LogSource};

/// The logs of a trace.
#[derive(Clone)]
pub struct TraceLogs {
    trace: Arc<Trace>,
    last_pid: Pid,
    texts: Arc<Vec<String>>,
    nodes: Arc<Vec<String>>,
}

impl TraceLogs {
    /// The logs of this trace.
    ///
    /// # Errors
    /// If its index or the names of its nodes are damaged.
    pub fn new(trace: Arc<Trace>) -> Result<Self, Error> {
        let last_pid = trace.last_pid()?;
        let mut texts = Vec::new();
        while let Ok(text) = trace.text(TextId(texts.len() as u32)) {
            texts.push(text.to_owned());
        }
        let nodes = trace.nodes()?;
        Ok(Self {
            trace,
            last_pid,
            texts: Arc::new(texts),
            nodes: Arc::new(nodes),
        })
    }
}

/// The children of all processes of a trace.
///
/// # Errors
/// The trace is damaged.
pub fn births(trace: &Trace) -> Result<Births, Error> {
    let mut born = Vec::new();
    for process in trace.processes() {
        let process = process?;
        born.extend(process.parent.map(|birth| (birth, process.pid)));
    }
    born.sort_unstable();
    let mut births = Births::default();
    let mut numbers: FxHashMap<Pid, u64> = FxHashMap::default();
    for (birth, pid) in born {
        let number = numbers.entry(birth.pid).or_default();
        *number += 1;
        births.insert((birth.pid, *number), pid);
    }
    Ok(births)
}

impl LogSource for TraceLogs {
    fn open(&self, pid: Pid, done: ActionNo) -> Result<Option<Box<dyn Cursor>>, Error> {
        let Some(place) = self.trace.log_of(pid)? else {
            return Ok(None);
        };
        let mut reader = SharedLogReader::before(Arc::clone(&self.trace), place);
        match done.0 {
            0 => reader.begin()?,
            done => drop(reader.seek(ActionNo(done + 1))?),
        }
        Ok(Some(Box::new(TraceCursor { reader })))
    }
    fn last_pid(&self) -> Pid {
        self.last_pid
    }
    fn texts(&self) -> Vec<String> {
        self.texts.as_ref().clone()
    }
    fn nodes(&self) -> Vec<String> {
        self.nodes.as_ref().clone()
    }
}

struct TraceCursor {
    reader: SharedLogReader,
}

impl Cursor for TraceCursor {
    #[inline]
    fn next(&mut self) -> Result<Option<Action>, Error> {
        Ok(self.reader.next().transpose()?.map(|(_, action)| action))
    }
    #[inline]
    fn step(&mut self, max: u64, into: &mut Action) -> Result<Option<LogStep>, Error> {
        self.reader.step_into(max, into)
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            reader: self.reader.clone(),
        })
    }
}
