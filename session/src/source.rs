//! The logs of a trace as a replay follows them.

use std::sync::{Arc, Mutex, PoisonError};

use log_format::{Action, ActionNo, Error, Pid, SharedLogReader, Step, TextId, Trace};
use system::feed::{Cursor, LogSource};

/// The logs of a trace. Damage found while reading ends the log of that process, and is kept for [`TraceLogs::damage`].
#[derive(Clone)]
pub struct TraceLogs {
    trace: Arc<Trace>,
    last_pid: Pid,
    texts: Arc<Vec<String>>,
    damage: Arc<Mutex<Option<Error>>>,
}

impl TraceLogs {
    /// The logs of this trace.
    ///
    /// # Errors
    /// If its index or its texts are damaged.
    pub fn new(trace: Arc<Trace>) -> Result<Self, Error> {
        let last_pid = trace.last_pid()?;
        let mut texts = Vec::new();
        while let Ok(text) = trace.text(TextId(texts.len() as u32)) {
            texts.push(text.to_owned());
        }
        Ok(Self {
            trace,
            last_pid,
            texts: Arc::new(texts),
            damage: Arc::default(),
        })
    }

    /// The first damage found while reading.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn note(damage: &Mutex<Option<Error>>, error: Error) {
    damage
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert(error);
}

impl LogSource for TraceLogs {
    fn open(&self, pid: Pid, done: ActionNo) -> Option<Box<dyn Cursor>> {
        let place = match self.trace.log_of(pid) {
            Ok(place) => place?,
            Err(error) => {
                note(&self.damage, error);
                return None;
            }
        };
        let mut cursor = Box::new(TraceCursor {
            reader: SharedLogReader::before(Arc::clone(&self.trace), place),
            damage: Arc::clone(&self.damage),
        });
        let opened = match done.0 {
            0 => cursor.reader.begin(),
            done => cursor.reader.seek(ActionNo(done + 1)).map(|_| ()),
        };
        match opened {
            Ok(()) => Some(cursor),
            Err(error) => {
                note(&self.damage, error);
                None
            }
        }
    }
    fn last_pid(&self) -> Pid {
        self.last_pid
    }
    fn texts(&self) -> Vec<String> {
        self.texts.as_ref().clone()
    }
    fn nodes(&self) -> Vec<String> {
        self.trace.nodes().unwrap_or_else(|error| {
            note(&self.damage, error);
            Vec::new()
        })
    }
}

struct TraceCursor {
    reader: SharedLogReader,
    damage: Arc<Mutex<Option<Error>>>,
}

impl Cursor for TraceCursor {
    #[inline]
    fn next(&mut self) -> Option<Action> {
        match self.reader.next()? {
            Ok((_, action)) => Some(action),
            Err(error) => {
                note(&self.damage, error);
                None
            }
        }
    }
    #[inline]
    fn step(&mut self, max: u64, into: &mut Action) -> Option<Step> {
        self.reader.step_into(max, into).unwrap_or_else(|error| {
            note(&self.damage, error);
            None
        })
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            reader: self.reader.clone(),
            damage: Arc::clone(&self.damage),
        })
    }
}
