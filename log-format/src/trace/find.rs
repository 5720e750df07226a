//! Finding processes and actions: by pid, by the number of a receive, by the tag of a signal.
use std::sync::Arc;

use super::cache::{ProcRef, bad_chunk, birth_in};
use super::{ProcessFacts, Trace};
use crate::action::Action;
use crate::error::{Error, Result};
use crate::ids::{ActionId, ActionNo, Pid, RecNo, SendNo, Tag};
use crate::index::Chunks;
use crate::reader::{LogPlace, LogReader, SharedLogReader};

impl Trace {
    /// All processes, by pid.
    pub fn processes(&self) -> impl Iterator<Item = Result<ProcessFacts>> {
        let pages = 0..self.directory.pages.len();
        pages.flat_map(move |page| {
            let page = self.page(page);
            let (page, error) = match page {
                Ok(page) => (page, None),
                Err(error) => (Arc::default(), Some(Err(error))),
            };
            let here = (0..page.len()).map(move |at| {
                self.describe(&ProcRef {
                    page: Arc::clone(&page),
                    at,
                })
            });
            here.chain(error)
        })
    }

    /// One process.
    ///
    /// # Errors
    /// If there is none with this pid, or the trace is damaged.
    pub fn process(&self, pid: Pid) -> Result<ProcessFacts> {
        self.describe(&self.locate(pid)?)
    }

    /// Is there a process with this pid?
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn has(&self, pid: Pid) -> Result<bool> {
        Ok(self.find(pid)?.is_some())
    }

    fn describe(&self, process: &ProcRef) -> Result<ProcessFacts> {
        let first = process.chunks()[0];
        let block = self.block(first.block)?;
        let chunk = self.chunk(&block, process.pid, first.slot)?;
        let birth = birth_in(&block, chunk)?;
        let (counts, ended) = match &process.chunks {
            Chunks::One(_) => (
                block.counts(chunk).map_err(|error| bad_chunk(&block, chunk, &error))?,
                chunk.ended,
            ),
            Chunks::Many(chunks, all) => {
                let last = chunks[chunks.len() - 1];
                let block = self.block(last.block)?;
                (*all, self.chunk(&block, process.pid, last.slot)?.ended)
            }
        };
        Ok(ProcessFacts {
            pid: Pid(process.pid),
            parent: birth.parent.map(|parent| parent.spawn),
            node: birth.node,
            counts,
            base: process.base,
            ended,
        })
    }

    /// Reads the log of a process from its first action.
    ///
    /// # Errors
    /// If there is no such process, or the trace is damaged.
    pub fn log(&self, pid: Pid) -> Result<LogReader<'_>> {
        LogReader::new(self, self.locate(pid)?)
    }

    /// As [`Trace::log`], with a reader that shares the trace.
    ///
    /// # Errors
    /// As [`Trace::log`].
    pub fn shared_log(self: &Arc<Self>, pid: Pid) -> Result<SharedLogReader> {
        let process = self.locate(pid)?;
        SharedLogReader::new(Arc::clone(self), process)
    }

    /// The position of the log of a process, for [`ActionReader::before`](crate::ActionReader::before).
    ///
    /// # Errors
    /// If there is no such process, or the trace is damaged.
    pub fn log_place(&self, pid: Pid) -> Result<LogPlace> {
        Ok(LogPlace(self.locate(pid)?))
    }

    /// As [`Trace::log_place`]; `None` if there is no such process.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn log_of(&self, pid: Pid) -> Result<Option<LogPlace>> {
        Ok(self.find(pid)?.map(LogPlace))
    }

    /// The largest pid; `Pid(0)` if there are no processes.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn last_pid(&self) -> Result<Pid> {
        match self.directory.pages.len().checked_sub(1) {
            Some(last) => Ok(self.page(last)?.last().map_or(Pid(0), |process| Pid(process.pid))),
            None => Ok(Pid(0)),
        }
    }

    /// One action.
    ///
    /// # Errors
    /// If there is none, or the trace is damaged.
    pub fn action(&self, pid: Pid, number: ActionNo) -> Result<Action> {
        let mut log = self.log(pid)?;
        let all = log.seek(number)?;
        match log.next() {
            Some(action) => Ok(action?.1),
            None => Err(Error::absent(
                format!("action {number} of {pid}"),
                format!("its log has {} actions", all.actions),
            )),
        }
    }

    /// The receive with a number: the process and its action.
    ///
    /// # Errors
    /// If there is none, or the trace is damaged.
    pub fn rec(&self, number: RecNo) -> Result<ActionId> {
        let absent = || Error::absent(format!("rec:{number}"), self.rec_range());
        let pages = &self.directory.pages;
        let at = pages
            .partition_point(|(_, base, _)| *base < number.0)
            .checked_sub(1)
            .ok_or_else(absent)?;
        let page = self.page(at)?;
        let at = page
            .partition_point(|process| process.base < number.0)
            .checked_sub(1)
            .ok_or_else(absent)?;
        // Processes without receives have the base of the next one: the last process with a lower base is the receiver.
        let process = ProcRef { page, at };
        let place = number.0 - process.base;
        if place > process.receives {
            return Err(absent());
        }
        let pid = Pid(process.pid);
        let mut log = LogReader::new(self, process)?;
        log.seek_receive(place)?;
        if log.counts().receives < place {
            return Err(Error::damaged(
                0,
                format!("{place} receives of {pid}"),
                log.counts().receives,
            ));
        }
        Ok(ActionId {
            pid,
            number: log.counts().last_action(),
        })
    }

    /// The existing receive numbers, in words.
    #[must_use]
    pub fn rec_range(&self) -> String {
        match self.directory.totals.counts.receives {
            0 => "nothing was received".to_owned(),
            n if self.is_slice() => format!("it is a slice with {n} of the receives of a run"),
            n => format!("its receives are rec:1 to rec:{n}"),
        }
    }

    /// The number of a receive; `None` if the action is not a receive.
    ///
    /// # Errors
    /// If there is no such action, or the trace is damaged.
    pub fn rec_no(&self, pid: Pid, number: ActionNo) -> Result<Option<RecNo>> {
        let process = self.locate(pid)?;
        let base = process.base;
        let mut log = LogReader::new(self, process)?;
        let all = log.seek(number)?;
        let before = log.counts().receives;
        match log.next() {
            Some(action) => action?,
            None => {
                let range = format!("its log has {} actions", all.actions);
                return Err(Error::absent(format!("action {number} of {pid}"), range));
            }
        };
        let after = log.counts().receives;
        Ok((after > before).then_some(RecNo(base.saturating_add(after))))
    }

    /// The action that sent a signal; `None` for a kill by the runtime.
    ///
    /// # Errors
    /// If the sender has not sent that many signals or has not ended, or the trace is damaged.
    pub fn find_send(&self, tag: Tag) -> Result<Option<ActionId>> {
        let Some(by) = tag.sender() else {
            return Ok(None);
        };
        let process = self.locate(by)?;
        if let Tag::Sent { k, .. } = tag {
            let mut log = LogReader::new(self, process)?;
            log.seek_send(k)?;
            if k == SendNo(0) || log.counts().sends < k.0 {
                let range = format!("{by} has sent {} signals", log.counts().sends);
                return Err(Error::absent(tag.to_string(), range));
            }
            return Ok(Some(ActionId {
                pid: by,
                number: log.counts().last_action(),
            }));
        }
        let ProcessFacts { counts, ended, .. } = self.describe(&process)?;
        if !ended {
            return Err(Error::absent(tag.to_string(), format!("{by} has not ended")));
        }
        Ok(Some(ActionId {
            pid: by,
            number: counts.last_action(),
        }))
    }

    pub(crate) fn locate(&self, pid: Pid) -> Result<ProcRef> {
        self.find(pid)?.ok_or_else(|| {
            let range = match self.directory.totals.processes {
                0 => "it has no processes".to_owned(),
                n => format!("it has {n} processes"),
            };
            Error::absent(format!("process {pid}"), range)
        })
    }

    pub(super) fn find(&self, pid: Pid) -> Result<Option<ProcRef>> {
        let Some(at) = self
            .directory
            .pages
            .partition_point(|(first, ..)| *first <= pid.0)
            .checked_sub(1)
        else {
            return Ok(None);
        };
        let page = self.page(at)?;
        // If pids are consecutive, its index follows from its number.
        let guess = page.first().map_or(0, |first| pid.0.saturating_sub(first.pid)) as usize;
        let found = match page.get(guess) {
            Some(process) if process.pid == pid.0 => Some(guess),
            _ => page.binary_search_by_key(&pid.0, |process| process.pid).ok(),
        };
        Ok(found.map(|at| ProcRef { page, at }))
    }
}
