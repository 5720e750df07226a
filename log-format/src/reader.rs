//! Reading the log of one process, from any action on.

use std::ops::Deref;
use std::sync::Arc;

use crate::action::{Action, Counts};
use crate::block::Block;
use crate::decode::{Decoded, Decoder};
use crate::error::{Error, Result};
use crate::ids::{ActionId, ActionNo, Pid, SendNo};
use crate::kinds::Kind;
use crate::model::Model;
use crate::trace::{ProcRef, Trace, bad_chunk, birth_in};

/// The next part of a log: from [`ActionReader::step`] with a reference to the action, from [`ActionReader::step_into`] without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogStep<A = ()> {
    /// This many consecutive plain sends (never 0), without accesses.
    Sends(u64),
    /// Another action; without a reference, it has been written to the caller's variable.
    Action(A),
}

/// The position of the log of a process ([`Trace::log_of`]).
#[derive(Clone, Debug)]
pub struct LogPlace(pub(crate) ProcRef);

/// Reads the actions of one process in order. After an error it returns nothing more.
///
/// `T` leads to the trace: a reference, or an `Arc`.
#[derive(Clone, Debug)]
pub struct ActionReader<T> {
    place: ReaderPlace<T>,
    /// The action that was read last, for [`ActionReader::step`].
    action: Action,
}

/// Where a reader is.
#[derive(Clone, Debug)]
struct ReaderPlace<T> {
    trace: T,
    process: ProcRef,
    /// The current chunk.
    at: usize,
    /// Its block, and the index in the block; `None` before it is read and while parked. invariant: the index is valid.
    block: Option<(Arc<Block>, usize)>,
    /// The number of that block.
    loaded: u32,
    decoder: Decoder,
    /// What has been read.
    counts: Counts,
    /// Plain sends of the current run that have not been returned yet.
    sends: u64,
    values: bool,
    done: bool,
}

/// A reader that borrows the trace.
pub type LogReader<'t> = ActionReader<&'t Trace>;

/// A reader that shares the trace.
pub type SharedLogReader = ActionReader<Arc<Trace>>;

impl<T: Deref<Target = Trace>> ActionReader<T> {
    pub(crate) fn new(trace: T, process: ProcRef) -> Result<Self> {
        let mut reader = Self::before(trace, LogPlace(process));
        reader.begin()?;
        Ok(reader)
    }

    /// A reader for which [`ActionReader::begin`] must be called first. Making it in place is cheaper than moving it there.
    #[inline(always)]
    #[must_use]
    pub fn before(trace: T, LogPlace(process): LogPlace) -> Self {
        Self {
            place: ReaderPlace {
                at: 0,
                block: None,
                loaded: 0,
                decoder: Decoder::new(Model::at_restart(Pid(process.pid))),
                counts: Counts::default(),
                sends: 0,
                values: true,
                done: false,
                trace,
                process,
            },
            action: Action::new(Kind::After),
        }
    }

    /// Goes to the start of the log.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn begin(&mut self) -> Result<()> {
        self.place.enter(0)
    }

    /// From now on, the values of inputs (but for choices), observations and drops are left empty: this is cheaper if only causes are needed.
    #[inline(always)]
    #[must_use]
    pub const fn without_values(mut self) -> Self {
        self.place.values = false;
        self
    }

    /// The process.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.place.pid()
    }

    /// The counts so far: the number of the last returned action, the k of the last send, the receives.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.place.counts
    }

    /// The action that created the process; only while the reader is at the start of the log.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn parent(&self) -> Result<Option<ActionId>> {
        let parent = match &self.place.block {
            Some((block, chunk)) if self.place.at == 0 => birth_in(block, &block.chunks[*chunk])?.parent,
            _ => None,
        };
        Ok(parent.map(|parent| parent.spawn))
    }

    /// Drops the current block until the next step.
    pub fn park(&mut self) {
        self.place.block = None;
    }

    /// The next action, or at most `max` plain sends at once (at least one). None at the end of the log.
    ///
    /// # Errors
    /// If the trace is damaged there.
    #[inline]
    pub fn step(&mut self, max: u64) -> Result<Option<LogStep<&Action>>> {
        let step = self.place.step_into(max, &mut self.action)?;
        Ok(step.map(|step| match step {
            LogStep::Sends(n) => LogStep::Sends(n),
            LogStep::Action(()) => LogStep::Action(&self.action),
        }))
    }

    /// As [`ActionReader::step`], but writes the action to `into`, reusing its memory.
    ///
    /// # Errors
    /// If the trace is damaged there.
    #[inline]
    pub fn step_into(&mut self, max: u64, into: &mut Action) -> Result<Option<LogStep>> {
        self.place.step_into(max, into)
    }

    /// Makes `number` the next action, or goes to the end if there are fewer. Returns the counts before it.
    ///
    /// # Errors
    /// If the trace is damaged on the way.
    pub fn seek(&mut self, number: ActionNo) -> Result<Counts> {
        let wanted = number.0.saturating_sub(1);
        self.place
            .enter(self.place.process.restart_before(|before| before.actions <= wanted))?;
        while self.place.counts.actions < wanted {
            let left = wanted - self.place.counts.actions;
            if self.step(left)?.is_none() {
                break;
            }
        }
        Ok(self.place.counts)
    }

    /// Reads up to and including the action that sends the k-th signal, or to the end.
    ///
    /// # Errors
    /// If the trace is damaged on the way.
    pub fn seek_send(&mut self, k: SendNo) -> Result<()> {
        self.place
            .enter(self.place.process.restart_before(|before| before.sends < k.0))?;
        while self.place.counts.sends < k.0 {
            let left = k.0 - self.place.counts.sends;
            if self.step(left)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Reads up to and including the process's receive with this ordinal, or to the end.
    ///
    /// # Errors
    /// If the trace is damaged on the way.
    pub fn seek_receive(&mut self, place: u64) -> Result<()> {
        self.place
            .enter(self.place.process.restart_before(|before| before.receives < place))?;
        while self.place.counts.receives < place {
            if self.step(u64::MAX)?.is_none() {
                break;
            }
        }
        Ok(())
    }
}

impl<T: Deref<Target = Trace>> ReaderPlace<T> {
    fn pid(&self) -> Pid {
        Pid(self.process.pid)
    }

    /// See [`ActionReader::step_into`].
    #[inline]
    fn step_into(&mut self, max: u64, into: &mut Action) -> Result<Option<LogStep>> {
        loop {
            if self.sends > 0 {
                let n = self.sends.min(max.max(1));
                self.sends -= n;
                self.counts.actions = self.counts.actions.wrapping_add(n);
                self.counts.sends = self.counts.sends.wrapping_add(n);
                return Ok(Some(LogStep::Sends(n)));
            }
            if self.done {
                return Ok(None);
            }
            let Some((block, chunk)) = &self.block else {
                self.load()?;
                continue;
            };
            let chunk = &block.chunks[*chunk];
            match self
                .decoder
                .step(block.bytes(chunk), self.counts.actions, into, self.values)
            {
                Ok(Decoded::Sends(n)) => self.sends = n,
                Ok(Decoded::Action) => {
                    self.counts.add(into);
                    return Ok(Some(LogStep::Action(())));
                }
                Ok(Decoded::End) => self.next_chunk()?,
                Err(error) => {
                    self.done = true;
                    return Err(bad_chunk(block, chunk, &error));
                }
            }
        }
    }

    /// Goes to the start of a chunk that is a restart point.
    fn enter(&mut self, at: usize) -> Result<()> {
        let chunk = self.process.chunks()[at];
        self.at = at;
        self.counts = chunk.before;
        self.sends = 0;
        self.done = false;
        self.load()?;
        let chunk = self.block.as_ref().map(|(block, chunk)| &block.chunks[*chunk]);
        self.decoder.enter(chunk.and_then(|chunk| chunk.birth.as_ref()));
        Ok(())
    }

    /// Reads the block of the current chunk.
    fn load(&mut self) -> Result<()> {
        let reference = self.process.chunks()[self.at];
        // The next chunk is often in the current block.
        let at_hand = self.block.take().filter(|_| self.loaded == reference.block);
        self.loaded = reference.block;
        let block = at_hand.map_or_else(|| self.trace.block(reference.block), |(block, _)| Ok(block));
        let loaded = block.and_then(|block| {
            let chunk = self.trace.chunk(&block, self.process.pid, reference.slot)?;
            if chunk.restart != reference.restart {
                return Err(Error::damaged(
                    block.offset,
                    "the restart points of the index",
                    "others",
                ));
            }
            let pid = Pid(self.process.pid);
            if self.at > 0 && chunk.birth.is_some() {
                let what = format!("one first chunk of {pid}");
                return Err(Error::damaged(block.offset, what, "a second one"));
            }
            if chunk.ended && self.at + 1 < self.process.chunks().len() {
                let what = format!("nothing after the end of {pid}");
                return Err(Error::damaged(block.offset, what, "more chunks"));
            }
            Ok(block)
        });
        self.done = loaded.is_err();
        self.block = Some((loaded?, reference.slot as usize));
        Ok(())
    }

    /// Goes to the next chunk, or to the end.
    fn next_chunk(&mut self) -> Result<()> {
        let expected = self.process.before(self.at + 1);
        if expected.is_some_and(|expected| expected != self.counts) {
            self.done = true;
            let what = format!("{expected:?} up to the end of a chunk of {}", self.pid());
            return Err(Error::damaged(
                self.block.as_ref().map_or(0, |(block, _)| block.offset),
                what,
                format_args!("{:?}", self.counts),
            ));
        }
        if self.at + 1 == self.process.chunks().len() {
            self.done = true;
            return Ok(());
        }
        self.at += 1;
        self.load()?;
        match &self.block {
            Some((block, chunk)) if block.chunks[*chunk].restart => self.decoder.restart(),
            _ => self.decoder.next_chunk(),
        }
        Ok(())
    }
}

impl<T: Deref<Target = Trace>> Iterator for ActionReader<T> {
    type Item = Result<(ActionNo, Action)>;

    fn next(&mut self) -> Option<Self::Item> {
        let action = match self.step(1) {
            Ok(None) => return None,
            Ok(Some(LogStep::Sends(_))) => Action::new(Kind::Send),
            Ok(Some(LogStep::Action(action))) => action.clone(),
            Err(error) => return Some(Err(error)),
        };
        Some(Ok((self.place.counts.last_action(), action)))
    }
}
