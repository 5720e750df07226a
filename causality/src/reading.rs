//! A position in the log of a process. The reader is kept only as long as that pays.

use log_format::{Action, ActionId, ActionNo, Counts, LogReader, LogStep, Pid, Result, Trace};

/// If no more of a log than this has been read, the reader is dropped and the log is read again when its turn comes. With half a million
/// processes of a few actions each, the readers would take more memory than anything else.
const SHORT: u64 = 64;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Reading<'t> {
    open: Option<Box<LogReader<'t>>>,
    /// How much of the log had been read when the reader was dropped.
    closed: Counts,
}

impl<'t> Reading<'t> {
    /// Opens the log of a process at its beginning; also returns the action that created the process.
    ///
    /// # Errors
    /// If there is no such process, or the trace is damaged there.
    pub fn start(trace: &'t Trace, pid: Pid) -> Result<(Self, Option<ActionId>)> {
        let mut reading = Self::default();
        let reader = reading.open(trace, pid)?;
        let parent = reader.parent()?;
        Ok((reading, parent))
    }

    /// How much has been read.
    #[inline]
    pub fn counts(&self) -> Counts {
        match &self.open {
            Some(reader) => reader.counts(),
            None => self.closed,
        }
    }

    /// The next action of this process, or up to `max` plain sends at once.
    #[inline]
    pub fn step(&mut self, trace: &'t Trace, pid: Pid, max: u64) -> Result<Option<LogStep<&Action>>> {
        self.open(trace, pid)?.step(max)
    }

    /// As [`Self::step`], but writes the action to `into`.
    #[inline]
    pub fn step_into(&mut self, trace: &'t Trace, pid: Pid, max: u64, into: &mut Action) -> Result<Option<LogStep>> {
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

    /// Another log is read next: drops what takes memory.
    pub fn park(&mut self) {
        match &mut self.open {
            Some(reader) if reader.counts().actions > SHORT => reader.park(),
            _ => self.close(),
        }
    }

    /// Nothing more will be read.
    pub fn close(&mut self) {
        self.closed = self.counts();
        self.open = None;
    }
}
