//! A place in the log of a process, with a reader as long as it pays to keep one.

use log_format::{Action, ActionId, ActionNo, Counts, LogReader, Pid, Result, Step, Trace};

/// A log that has been read no further than this is read anew when its turn comes again, rather than its reader kept: of half a million
/// processes with a few actions each the readers would take more memory than anything else.
const SHORT: u64 = 64;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Reading<'t> {
    open: Option<Box<LogReader<'t>>>,
    /// How far the log was read when there was a reader.
    closed: Counts,
}

impl<'t> Reading<'t> {
    /// The log of a process, of which nothing has been read; and the action that created the process.
    ///
    /// # Errors
    /// If there is no such process, or the trace is damaged there.
    pub fn start(trace: &'t Trace, pid: Pid) -> Result<(Self, Option<ActionId>)> {
        let mut reading = Self::default();
        let reader = reading.open(trace, pid)?;
        let parent = reader.parent()?;
        Ok((reading, parent))
    }

    /// What has been read.
    #[inline]
    pub fn counts(&self) -> Counts {
        match &self.open {
            Some(reader) => reader.counts(),
            None => self.closed,
        }
    }

    /// The next action, or at most `max` plain sends, of the process that this is the log of.
    #[inline]
    pub fn step(&mut self, trace: &'t Trace, pid: Pid, max: u64) -> Result<Option<Step<&Action>>> {
        self.open(trace, pid)?.step(max)
    }

    /// The same where the caller has a place for the action.
    #[inline]
    pub fn step_into(&mut self, trace: &'t Trace, pid: Pid, max: u64, into: &mut Action) -> Result<Option<Step>> {
        if let Some(reader) = &mut self.open {
            return reader.step_into(max, into);
        }
        self.open(trace, pid)?.step_into(max, into)
    }

    fn open(&mut self, trace: &'t Trace, pid: Pid) -> Result<&mut LogReader<'t>> {
        let reader = match self.open.take() {
            Some(reader) => reader,
            None => {
                let place = trace.log_place(pid)?;
                let mut reader = Box::new(LogReader::before(trace, place).without_values());
                match self.closed.actions {
                    0 => reader.begin()?,
                    read => {
                        reader.seek(ActionNo(read + 1))?;
                    }
                }
                reader
            }
        };
        Ok(self.open.insert(reader))
    }

    /// It is another one's turn: lets go of memory.
    pub fn park(&mut self) {
        match &mut self.open {
            Some(reader) if reader.counts().actions > SHORT => reader.park(),
            _ => self.close(),
        }
    }

    /// Nothing more is asked for.
    pub fn close(&mut self) {
        self.closed = self.counts();
        self.open = None;
    }
}
