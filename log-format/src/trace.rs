//! Reading a trace: opening it, finding processes and actions, checking what is read.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::action::{Action, Counts, Kind};
use crate::block::{Block, Chunk};
use crate::decode::{Decoder, Found};
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{ActionId, ActionNo, Node, Pid, RecNo, SendNo, Tag, TextId};
use crate::index::{ChunkMeta, Chunks, Directory, Page, ProcIndex, Totals, build, parse};
use crate::model::{Birth, Model};
use crate::reader::{LogPlace, LogReader, SharedLogReader};
use crate::record::{self, Digests, FinalState, Header, ProcessOutcome, Program, RunEnd};
use crate::section::{CLOCK, FILE_HEADER, FileHeader, SECTION_HEADER, SLICE, SectionHeader, SectionKind};
use crate::source::Source;
use crate::varint::get;

/// So many bytes of blocks are kept at hand.
const BLOCK_CACHE: usize = 24 << 20;
/// So many pages of the index are kept at hand.
const PAGE_CACHE: usize = 512;

/// How much of a trace there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// All of it.
    Complete,
    /// All actions and the outcome; the index was damaged or missing and has been made again.
    IndexRebuilt {
        /// Offset at which the outcome ends and the index should begin.
        end: u64,
        /// What was wrong with the index.
        why: String,
        /// Is what is there of it more than a part that was not written to its end?
        damaged: bool,
    },
    /// The recording did not end, or the file was cut: what is there ends at its last whole cut.
    Incomplete {
        /// Offset at which the whole part ends.
        end: u64,
        /// Bytes after it that were not used.
        lost: u64,
        /// What was wrong with them, if there are any.
        why: Option<String>,
        /// Are they more than a section that was not written to its end: is there one that is whole and wrong?
        damaged: bool,
    },
}

/// What a trace knows of a process without its actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its pid.
    pub pid: Pid,
    /// The action that spawned it; none for an entry process.
    pub parent: Option<ActionId>,
    /// Its node.
    pub node: Node,
    /// How many actions, sends and receives its log has.
    pub counts: Counts,
    /// Receives of all processes before it: its first receive is the next number.
    pub base: u64,
    /// Is its last action its end?
    pub ended: bool,
}

/// A trace that can be asked. Reads only what a question needs, and checks what it reads. Can be shared between threads.
#[derive(Debug)]
pub struct Trace {
    source: Source,
    file_header: FileHeader,
    header: Header,
    status: Status,
    directory: Directory,
    /// Pages of an index that was made again; empty when they are in the file.
    rebuilt: Vec<Page>,
    texts: OnceLock<Vec<String>>,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    blocks: FxHashMap<u32, Arc<Block>>,
    /// In the order in which they came.
    block_order: VecDeque<u32>,
    block_bytes: usize,
    pages: FxHashMap<usize, Arc<Vec<ProcIndex>>>,
    page_order: VecDeque<usize>,
}

/// A process in a page of the index.
#[derive(Clone, Debug)]
pub(crate) struct ProcRef {
    page: Arc<Vec<ProcIndex>>,
    at: usize,
}

impl std::ops::Deref for ProcRef {
    type Target = ProcIndex;

    fn deref(&self) -> &ProcIndex {
        &self.page[self.at]
    }
}

impl Trace {
    /// Opens a trace file.
    ///
    /// # Errors
    /// If the file cannot be read, is no trace, is of another version, or is so damaged that not even its start is there.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &mut |_, _| {})
    }

    /// The same; `progress` is told how far it has come where the index is missing and has to be made again.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn open_with(path: &Path, progress: Progress<'_>) -> Result<Self> {
        Self::from_source(Source::open(path)?, progress)
    }

    /// Opens a trace that is in memory.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self> {
        Self::from_source(Source::Bytes(bytes.into()), &mut |_, _| {})
    }

    fn from_source(source: Source, progress: Progress<'_>) -> Result<Self> {
        let start = source.read(0, source.len().min(FILE_HEADER))?;
        let file_header = FileHeader::parse(&start)?;
        let first = section_of(&source, FILE_HEADER, SectionKind::Header)?;
        let header = record::get_header(&first, FILE_HEADER + SECTION_HEADER)?;
        let read = read_directory(&source).and_then(|directory| check_pages(&source, directory));
        let (status, directory, rebuilt) = match read {
            Ok(directory) => (Status::Complete, directory, Vec::new()),
            Err(error) if !error.is_bad_trace() => return Err(error),
            Err(why) => scan(&source, &why, progress)?,
        };
        let (texts, cache) = (OnceLock::new(), Mutex::default());
        Ok(Self {
            source,
            file_header,
            header,
            status,
            directory,
            rebuilt,
            texts,
            cache,
        })
    }

    /// How the run was started.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// When the recording began, in microseconds since 1970.
    #[must_use]
    pub const fn clock(&self) -> i64 {
        self.file_header.clock
    }

    /// The version of the format: major and minor.
    #[must_use]
    pub const fn version(&self) -> (u16, u16) {
        (crate::MAJOR, self.file_header.minor)
    }

    /// How much of the trace there is.
    #[must_use]
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// Of a trace that was cut: where sources are missing that its actions may need, as a recorder before 1.2 wrote them behind the actions.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn sources_cut_at(&self) -> Result<Option<u64>> {
        let Status::Incomplete { end, .. } = self.status else {
            return Ok(None);
        };
        let mut offset = end;
        while offset < self.source.len() {
            match section_header(&self.source, offset) {
                Ok((_, header)) if header.kind == Some(SectionKind::Program) => return Ok(Some(offset)),
                Ok((_, header)) => offset += SECTION_HEADER + u64::from(header.length),
                Err(error) if error.is_bad_trace() => break,
                Err(error) => return Err(error),
            }
        }
        Ok((self.file_header.minor < 2).then_some(end))
    }

    /// Totals over all processes.
    #[must_use]
    pub const fn totals(&self) -> Totals {
        self.directory.totals
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.source.len()
    }

    /// Bytes of action blocks and of index with directory, without frames of other sections. Of an index that was made again: 0.
    #[must_use]
    pub fn sizes(&self) -> (u64, u64) {
        let Directory {
            block_bytes,
            page_bytes,
            ..
        } = &self.directory;
        let index = if self.rebuilt.is_empty() && self.status == Status::Complete {
            page_bytes.saturating_add(SECTION_HEADER + self.directory.length())
        } else {
            0
        };
        (*block_bytes, index)
    }

    /// The program: sources and natives in the order in which they were loaded.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn program(&self) -> Result<Program> {
        let mut program = Program::default();
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Program, |payload, offset| {
            let Program { sources, natives, used } = record::get_program(payload, offset)?;
            let held = size_of_val(&sources[..]) + size_of_val(&natives[..]) + size_of_val(&used[..]);
            room.take(offset, held as u64)?;
            program.sources.extend(sources);
            program.natives.extend(natives);
            program.used.extend(used);
            Ok(())
        })?;
        Ok(program)
    }

    /// How the run ended; none in a trace that is not whole.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn run_end(&self) -> Result<Option<RunEnd>> {
        let mut end = None;
        self.others(SectionKind::Outcome, |payload, offset| {
            end = Some(record::get_run_end(payload, offset)?);
            Ok(())
        })?;
        Ok(end)
    }

    /// What was noted of processes when the run ended, by pid. Those that ended normally need not be among them.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn outcomes(&self) -> Result<Vec<ProcessOutcome>> {
        let mut all: Vec<ProcessOutcome> = Vec::new();
        let mut room = Room::of(&self.source);
        for (_, offset) in &self.directory.outcomes {
            let more = self.outcome_section(*offset)?;
            let texts = more.iter().map(|outcome| match &outcome.state {
                FinalState::Ended { reason, stack } => reason.len() + stack.len(),
                FinalState::Running { location } | FinalState::Waiting { location } => location.len(),
            });
            room.take(*offset, (size_of_val(&more[..]) + texts.sum::<usize>()) as u64)?;
            all.extend(more);
        }
        Ok(all)
    }

    /// What was noted of one process when the run ended.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn outcome(&self, pid: Pid) -> Result<Option<ProcessOutcome>> {
        let at = self.directory.outcomes.partition_point(|(first, _)| *first <= pid.0);
        let Some((_, offset)) = at.checked_sub(1).and_then(|at| self.directory.outcomes.get(at)) else {
            return Ok(None);
        };
        Ok(self
            .outcome_section(*offset)?
            .into_iter()
            .find(|outcome| outcome.pid == pid))
    }

    fn outcome_section(&self, offset: u64) -> Result<Vec<ProcessOutcome>> {
        let payload = section_of(&self.source, offset, SectionKind::Processes)?;
        record::get_processes(&payload, offset + SECTION_HEADER)
    }

    /// Digests of received messages and final states, by process; none if they were not recorded.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn digests(&self) -> Result<FxHashMap<u64, Digests>> {
        let mut all = FxHashMap::default();
        self.others(SectionKind::Digests, |payload, offset| {
            record::get_digests(payload, offset, &mut all)
        })?;
        Ok(all)
    }

    /// The text with a number.
    ///
    /// # Errors
    /// If the texts are damaged or there is none with this number.
    pub fn text(&self, id: TextId) -> Result<&str> {
        let texts = self.texts()?;
        let text = texts.get(id.0 as usize).map(String::as_str);
        text.ok_or_else(|| Error::absent(format!("text {id}"), format!("it has {} texts", texts.len())))
    }

    /// Were digests recorded?
    ///
    /// # Errors
    /// If a section header is damaged.
    pub fn has_digests(&self) -> Result<bool> {
        for offset in &self.directory.others {
            if section_header(&self.source, *offset)?.1.kind == Some(SectionKind::Digests) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All texts, in the order of their numbers.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn texts(&self) -> Result<&[String]> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let mut texts = Vec::new();
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Texts, |payload, offset| {
            let more = record::get_texts(payload, offset)?;
            room.take(offset, size_of_val(&more[..]) as u64)?;
            texts.extend(more);
            Ok(())
        })?;
        Ok(self.texts.get_or_init(|| texts))
    }

    /// The names of all nodes, in the order of their numbers.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn nodes(&self) -> Result<Vec<String>> {
        let mut nodes = vec![self.header.node.clone()];
        let mut room = Room::of(&self.source);
        self.others(SectionKind::Nodes, |payload, offset| {
            let more = record::get_texts(payload, offset)?;
            room.take(offset, size_of_val(&more[..]) as u64)?;
            nodes.extend(more);
            Ok(())
        })?;
        Ok(nodes)
    }

    /// Goes through the sections of one kind.
    fn others(&self, wanted: SectionKind, mut found: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
        let mut room = Room::of(&self.source);
        for offset in &self.directory.others {
            if section_header(&self.source, *offset)?.1.kind == Some(wanted) {
                let payload = section_of(&self.source, *offset, wanted)?;
                room.take(*offset, payload.len() as u64)?;
                found(&payload, offset + SECTION_HEADER)?;
            }
        }
        Ok(())
    }

    /// All processes, by pid.
    pub fn processes(&self) -> impl Iterator<Item = Result<Process>> {
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
    pub fn process(&self, pid: Pid) -> Result<Process> {
        self.describe(&self.locate(pid)?)
    }

    /// Is there a process with this pid?
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn has(&self, pid: Pid) -> Result<bool> {
        Ok(self.find(pid)?.is_some())
    }

    fn describe(&self, process: &ProcRef) -> Result<Process> {
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
        Ok(Process {
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

    /// The same with a reader that lives by itself.
    ///
    /// # Errors
    /// As [`Trace::log`].
    pub fn shared_log(self: &Arc<Self>, pid: Pid) -> Result<SharedLogReader> {
        let process = self.locate(pid)?;
        SharedLogReader::new(Arc::clone(self), process)
    }

    /// What [`Reader::before`](crate::Reader::before) needs to know of a process.
    ///
    /// # Errors
    /// If there is no such process, or the trace is damaged.
    pub fn log_place(&self, pid: Pid) -> Result<LogPlace> {
        Ok(LogPlace(self.locate(pid)?))
    }

    /// The same; none if there is no such process.
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
        // Processes without receives have the base of the next one: the last below the number is the receiver.
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

    /// Which receive numbers there are, for people.
    #[must_use]
    pub fn rec_range(&self) -> String {
        match self.directory.totals.counts.receives {
            0 => "nothing was received".to_owned(),
            n if self.is_slice() => format!("it is a slice with {n} of the receives of a run"),
            n => format!("its receives are rec:1 to rec:{n}"),
        }
    }

    /// Is it a slice, whose receives have the numbers of another trace?
    #[must_use]
    pub const fn is_slice(&self) -> bool {
        self.file_header.flags & SLICE != 0
    }

    /// The number of a receive; none if the action is no receive.
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

    /// The action that put a signal in flight; none for a kill by the runtime.
    ///
    /// # Errors
    /// If the sender has not sent so many signals or has not ended, or the trace is damaged.
    pub fn find_send(&self, tag: Tag) -> Result<Option<ActionId>> {
        let Some(by) = tag.sender() else {
            return Ok(None);
        };
        let process = self.locate(by)?;
        if let Tag::Sent { k, .. } = tag {
            let mut log = LogReader::new(self, process)?;
            log.seek_send(k)?;
            if k == SendNo(0) || log.counts().sends < k.0 {
                let range = format!("{by} has put {} signals in flight", log.counts().sends);
                return Err(Error::absent(tag.to_string(), range));
            }
            return Ok(Some(ActionId {
                pid: by,
                number: log.counts().last_action(),
            }));
        }
        let Process { counts, ended, .. } = self.describe(&process)?;
        if !ended {
            return Err(Error::absent(tag.to_string(), format!("{by} has not ended")));
        }
        Ok(Some(ActionId {
            pid: by,
            number: counts.last_action(),
        }))
    }

    /// Do two traces hold the same bytes, the time at which they were recorded left out?
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn equal_ignoring_clock(&self, other: &Self) -> Result<bool> {
        const STEP: u64 = 1 << 20;
        if self.source.len() != other.source.len() {
            return Ok(false);
        }
        let clock = CLOCK.end as u64;
        let mut at = 0;
        while at < self.source.len() {
            let end = if at < clock {
                clock
            } else {
                self.source.len().min(at + STEP)
            };
            let (a, b) = (self.source.read(at, end - at)?, other.source.read(at, end - at)?);
            let compared = if at < clock { 0..CLOCK.start } else { 0..a.len() };
            if a[compared.clone()] != b[compared] {
                return Ok(false);
            }
            at = end;
        }
        Ok(true)
    }

    /// Checks every section of the file against its checksum, and decodes every action. Of a recording that did not end, up to its last whole
    /// cut.
    ///
    /// # Errors
    /// The first damage found; also behind the last whole cut, unless that is a section that was not written to its end.
    pub fn verify_sections(&self) -> Result<()> {
        if let Status::Incomplete {
            end,
            lost,
            damaged: true,
            ..
        } = self.status
        {
            let found = format_args!("{lost} bytes that cannot be used");
            return Err(Error::damaged(end, "the rest of the recording", found));
        }
        let mut offset = FILE_HEADER;
        let end = match &self.status {
            Status::Incomplete { end, .. } | Status::IndexRebuilt { end, .. } => *end,
            Status::Complete => self.source.len(),
        };
        // Cuts; bytes of blocks and of pages.
        let (mut cuts, mut blocks, mut pages) = (0, 0, 0);
        while offset < end {
            let (raw, header) = section_header(&self.source, offset)?;
            let payload = self.source.read(offset + SECTION_HEADER, u64::from(header.length))?;
            header.check(&raw, &payload, offset)?;
            let length = SECTION_HEADER + u64::from(header.length);
            match header.kind {
                Some(SectionKind::Cut) => cuts += 1,
                Some(SectionKind::Block) => blocks += length,
                Some(SectionKind::Index) => pages += length,
                _ => {}
            }
            offset += length;
        }
        let said = &self.directory;
        if self.status == Status::Complete
            && (cuts, blocks, pages) != (said.totals.cuts, said.block_bytes, said.page_bytes)
        {
            let told = |cuts, blocks, pages| format!("{cuts} cuts, {blocks} bytes of blocks and {pages} of an index");
            return Err(Error::damaged(
                end_section(&self.source)?.1,
                format!("the totals of what there is, {}", told(cuts, blocks, pages)),
                told(said.totals.cuts, said.block_bytes, said.page_bytes),
            ));
        }
        self.verify_actions()?;
        self.program()?;
        self.outcomes()?;
        self.run_end()?;
        self.texts()?;
        self.nodes().map(|_| ())
    }

    /// Decodes every action, and compares what there is with the totals. Goes through the blocks in their order, so that each is read once for
    /// [`VERIFIED`] processes: process by process a block would be read again for every chunk in it.
    fn verify_actions(&self) -> Result<()> {
        let mut processes: Vec<Verifying> = Vec::new();
        let mut found = Totals {
            cuts: self.directory.totals.cuts,
            ..Totals::default()
        };
        for at in 0..self.directory.pages.len() {
            let page = self.page(at)?;
            processes.extend((0..page.len()).map(|at| {
                let process = ProcRef {
                    page: Arc::clone(&page),
                    at,
                };
                Verifying {
                    decoder: Decoder::new(Model::at_restart(Pid(process.pid))),
                    process,
                    counts: Counts::default(),
                    ended: false,
                }
            }));
            if processes.len() >= VERIFIED || at + 1 == self.directory.pages.len() {
                self.verify_processes(&mut processes)?;
                for Verifying { counts, .. } in processes.drain(..) {
                    found.processes += 1;
                    found.counts.actions = found.counts.actions.saturating_add(counts.actions);
                    found.counts.sends = found.counts.sends.saturating_add(counts.sends);
                    found.counts.receives = found.counts.receives.saturating_add(counts.receives);
                }
            }
        }
        let said = self.directory.totals;
        if found != said {
            let told = |totals: Totals| format!("{} processes with {}", totals.processes, totals.counts);
            // Where the index was made again, the counts of the blocks were added up.
            let place = match self.status {
                Status::Complete => end_section(&self.source)?.1,
                _ => 0,
            };
            let expected = format!("the totals of what there is, {}", told(found));
            return Err(Error::damaged(place, expected, told(said)));
        }
        Ok(())
    }

    fn verify_processes(&self, processes: &mut [Verifying]) -> Result<()> {
        // Block, process, which of its chunks: those of one process stay in their order.
        let mut chunks: Vec<(u32, u32, u32)> = Vec::new();
        for (i, Verifying { process, .. }) in processes.iter().enumerate() {
            let of_one = process.chunks().iter().enumerate();
            chunks.extend(of_one.map(|(at, chunk)| (chunk.block, i as u32, at as u32)));
        }
        chunks.sort_unstable();
        let mut action = Action::new(Kind::After);
        for in_block in chunks.chunk_by(|a, b| a.0 == b.0) {
            let block = self.block(in_block[0].0)?;
            for (_, process, at) in in_block {
                let Verifying {
                    process,
                    decoder,
                    counts,
                    ended,
                } = &mut processes[*process as usize];
                let at = *at as usize;
                let before = *counts;
                let reference = process.chunks()[at];
                let chunk = self.chunk(&block, process.pid, reference.slot)?;
                let wrong = |what: String, found: String| Err(Error::damaged(block.offset, what, found));
                if chunk.restart != reference.restart || chunk.birth.is_some() != (at == 0) {
                    return wrong(
                        format!("the chunks of {} as the index has them", Pid(process.pid)),
                        "others".to_owned(),
                    );
                }
                match &chunk.birth {
                    Some(birth) => *decoder = Decoder::new(Model::at_birth(Pid(process.pid), birth)),
                    None if chunk.restart => decoder.restart(),
                    None => decoder.next_chunk(),
                }
                loop {
                    let found = decoder.step(block.bytes(chunk), counts.actions, &mut action, false);
                    let found = found.map_err(|error| bad_chunk(&block, chunk, &error))?;
                    if *ended && found != Found::End {
                        let number = counts.actions + 1;
                        return wrong(
                            format!("nothing after the end of {}", Pid(process.pid)),
                            format!("action {number} after it"),
                        );
                    }
                    match found {
                        Found::End => break,
                        Found::Sends(n) => {
                            counts.actions += n;
                            counts.sends += n;
                        }
                        Found::Action => {
                            counts.add(&action);
                            *ended = action.is_end();
                        }
                    }
                }
                if chunk.ended != *ended {
                    let what = |ended| if ended { "the end of" } else { "no end of" };
                    let pid = Pid(process.pid);
                    return wrong(
                        format!("{} {pid} in a chunk, as its flags say", what(chunk.ended)),
                        format!("{} it", what(*ended)),
                    );
                }
                let sum = |said: Counts| Counts {
                    actions: before.actions.wrapping_add(said.actions),
                    sends: before.sends.wrapping_add(said.sends),
                    receives: before.receives.wrapping_add(said.receives),
                };
                if let Some(said) = chunk.counts
                    && sum(said) != *counts
                {
                    let what = format!("a chunk of {} with {said}, as the block says", Pid(process.pid));
                    return wrong(what, format!("{counts} up to its end"));
                }
                match process.before(at + 1) {
                    Some(expected) if expected != *counts => {
                        let what = format!("{expected} up to the end of a chunk of {}", Pid(process.pid));
                        return wrong(what, counts.to_string());
                    }
                    None if counts.receives != process.receives => {
                        return wrong(
                            format!("{} receives of {}", process.receives, Pid(process.pid)),
                            counts.receives.to_string(),
                        );
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    pub(crate) fn locate(&self, pid: Pid) -> Result<ProcRef> {
        self.find(pid)?.ok_or_else(|| {
            let range = match self.directory.totals.processes {
                0 => "it has no processes".to_owned(),
                n => format!("it has {n} processes; `replay info` lists them"),
            };
            Error::absent(format!("process {pid}"), range)
        })
    }

    fn find(&self, pid: Pid) -> Result<Option<ProcRef>> {
        let Some(at) = self
            .directory
            .pages
            .partition_point(|(first, ..)| *first <= pid.0)
            .checked_sub(1)
        else {
            return Ok(None);
        };
        let page = self.page(at)?;
        // Where numbers were given out one after the other, its place follows from its number.
        let guess = page.first().map_or(0, |first| pid.0.saturating_sub(first.pid)) as usize;
        let found = match page.get(guess) {
            Some(process) if process.pid == pid.0 => Some(guess),
            _ => page.binary_search_by_key(&pid.0, |process| process.pid).ok(),
        };
        Ok(found.map(|at| ProcRef { page, at }))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        // A cache is as good after a panic elsewhere as before.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn page(&self, at: usize) -> Result<Arc<Vec<ProcIndex>>> {
        if let Some(page) = self.cache().pages.get(&at) {
            return Ok(Arc::clone(page));
        }
        let (first_pid, first_base, offset) = self.directory.pages[at];
        let blocks = u32::try_from(self.directory.blocks.len()).unwrap_or(u32::MAX);
        let page = match self.rebuilt.get(at) {
            Some(page) => parse(&page.bytes, first_pid, first_base, blocks),
            None => parse(
                &section_of(&self.source, offset, SectionKind::Index)?,
                first_pid,
                first_base,
                blocks,
            ),
        };
        let page = Arc::new(page.map_err(|error| Error::malformed(offset + SECTION_HEADER, &error))?);
        let mut cache = self.cache();
        if cache.pages.insert(at, Arc::clone(&page)).is_none() {
            cache.page_order.push_back(at);
        }
        if cache.pages.len() > PAGE_CACHE
            && let Some(old) = cache.page_order.pop_front()
        {
            cache.pages.remove(&old);
        }
        Ok(page)
    }

    pub(crate) fn block(&self, number: u32) -> Result<Arc<Block>> {
        if let Some(block) = self.cache().blocks.get(&number) {
            return Ok(Arc::clone(block));
        }
        let Some(offset) = self.directory.blocks.get(number as usize) else {
            return Err(Error::damaged(
                0,
                format!("block {number}"),
                format_args!("{} blocks", self.directory.blocks.len()),
            ));
        };
        let block = Arc::new(read_block(&self.source, *offset)?);
        let mut cache = self.cache();
        if cache.blocks.insert(number, Arc::clone(&block)).is_none() {
            cache.block_order.push_back(number);
            cache.block_bytes += block.payload.len();
        }
        while cache.block_bytes > BLOCK_CACHE && cache.block_order.len() > 1 {
            let Some(old) = cache.block_order.pop_front().and_then(|old| cache.blocks.remove(&old)) else {
                break;
            };
            cache.block_bytes -= old.payload.len();
        }
        Ok(block)
    }

    pub(crate) fn chunk<'b>(&self, block: &'b Block, pid: u64, slot: u32) -> Result<&'b crate::block::Chunk> {
        match block.chunks.get(slot as usize) {
            Some(chunk) if chunk.pid == pid => Ok(chunk),
            Some(chunk) => Err(Error::damaged(
                block.offset,
                format!("a chunk of {}", Pid(pid)),
                format_args!("one of {}", Pid(chunk.pid)),
            )),
            None => Err(Error::damaged(
                block.offset,
                format!("a chunk with number {slot}"),
                format_args!("{} chunks", block.chunks.len()),
            )),
        }
    }
}

/// How the process began that has this as its first chunk.
pub(crate) fn birth_in(block: &Block, chunk: &Chunk) -> Result<Birth> {
    chunk.birth.ok_or_else(|| {
        let what = format!("the first chunk of {}", Pid(chunk.pid));
        Error::damaged(block.offset, what, "a later one")
    })
}

/// An error in the bytes of a chunk.
pub(crate) fn bad_chunk(block: &Block, chunk: &crate::block::Chunk, error: &crate::varint::Malformed) -> Error {
    Error::malformed(block.offset + chunk.start as u64, error)
}

fn section_header(source: &Source, offset: u64) -> Result<([u8; 12], SectionHeader)> {
    let mut raw = [0; SECTION_HEADER as usize];
    source.read_into(offset, &mut raw)?;
    Ok((raw, SectionHeader::parse(&raw, offset)?))
}

/// Reads a section of a kind, checks it and expands it.
fn section_of(source: &Source, offset: u64, kind: SectionKind) -> Result<Arc<[u8]>> {
    let (raw, header) = section_header(source, offset)?;
    if header.kind != Some(kind) {
        let found = header.kind.map_or("one of another version", SectionKind::name);
        return Err(Error::damaged(
            offset,
            format!("a section of kind {}", kind.name()),
            found,
        ));
    }
    let payload = source.read(offset + SECTION_HEADER, u64::from(header.length))?;
    header.check(&raw, &payload, offset)?;
    if kind != SectionKind::Block {
        Room::of(source).take(offset, header.expanded(&payload))?;
    }
    match header.expand(&payload, offset)? {
        std::borrow::Cow::Borrowed(_) => Ok(payload),
        std::borrow::Cow::Owned(expanded) => Ok(expanded.into()),
    }
}

/// What may still be made in memory of sections other than blocks (which are read one by one, and are small). It grows with the file, so that few
/// bytes cannot stand for endless ones: neither in one section, nor in many that are kept together.
struct Room {
    left: u64,
    all: u64,
}

/// So much may always be made of a file, and so many times its length.
const ROOM: (u64, u64) = (128 << 20, 64);

impl Room {
    fn of(source: &Source) -> Self {
        let all = ROOM.0.saturating_add(source.len().saturating_mul(ROOM.1));
        Self { left: all, all }
    }

    fn take(&mut self, offset: u64, bytes: u64) -> Result<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::damaged(
                offset,
                format!(
                    "sections that need at most {} bytes of memory, for a file of this length",
                    self.all
                ),
                "more",
            )),
        }
    }
}

/// A process whose log is verified, and how far that has come.
struct Verifying {
    process: ProcRef,
    decoder: Decoder,
    counts: Counts,
    /// Was its end read?
    ended: bool,
}

/// Pages of an index that are at most so long in all are checked when the trace is opened: one that is damaged is then made again. Of a longer index
/// a page is checked when it is used.
const CHECKED: u64 = 8 << 20;

fn check_pages(source: &Source, directory: Directory) -> Result<Directory> {
    if directory.page_bytes <= CHECKED {
        for (_, _, offset) in &directory.pages {
            section_of(source, *offset, SectionKind::Index)?;
        }
    }
    Ok(directory)
}

fn read_block(source: &Source, offset: u64) -> Result<Block> {
    let payload = section_of(source, offset, SectionKind::Block)?;
    let at = offset + SECTION_HEADER;
    Block::parse(payload, at).map_err(|error| Error::malformed(at, &error))
}

/// Reads the directory by way of the last section.
fn read_directory(source: &Source) -> Result<Directory> {
    let (end, offset, total) = end_section(source)?;
    let length = source.len();
    if total != length {
        return Err(Error::damaged(
            end,
            format!("the last section of a file of {length} bytes"),
            "that of another file",
        ));
    }
    Directory::parse(
        &section_of(source, offset, SectionKind::Directory)?,
        offset + SECTION_HEADER,
    )
}

/// Where the last section begins, where it says that the directory does, and how long it says that the file is.
fn end_section(source: &Source) -> Result<(u64, u64, u64)> {
    let length = source.len();
    let Some(end) = length
        .checked_sub(SECTION_HEADER + 16)
        .filter(|end| *end >= FILE_HEADER)
    else {
        return Err(Error::damaged(length, "the last section", "the end of the file"));
    };
    let payload = section_of(source, end, SectionKind::End)?;
    let numbers = payload.split_first_chunk::<8>();
    let Some((offset, total)) = numbers.and_then(|(offset, rest)| Some((offset, rest.first_chunk::<8>()?))) else {
        return Err(Error::damaged(end, "a last section of 16 bytes", payload.len()));
    };
    Ok((end, u64::from_le_bytes(*offset), u64::from_le_bytes(*total)))
}

/// So many processes are decoded at a time when a trace is verified.
const VERIFIED: usize = 1 << 16;

/// So many sections are checked at a time when a file is gone through.
const SCANNED: usize = 1024;

/// Is told how far the making of a missing index has come: bytes done, bytes in all.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// What going through the file has found so far: what belongs to whole cuts, and what came since the last one.
#[derive(Default)]
struct Scan {
    directory: Directory,
    /// Chunks of processes that are not sealed.
    chunks: Vec<ChunkMeta>,
    /// Pages of processes that have ended, each with its last pid; in no order. A page has no process of others between its own.
    sealed: Vec<(Page, u64)>,
    /// What those processes have, summed up.
    totals: Totals,
    /// So many chunks are gathered before those of processes that have ended are sealed; none if they never are.
    patience: Option<usize>,
    /// Processes whose end was seen since they were last sealed.
    ended: FxHashSet<u64>,
    blocks: Vec<u64>,
    block_bytes: u64,
    others: Vec<u64>,
    metas: Vec<ChunkMeta>,
    /// Where the last whole cut, or the outcome, ends.
    whole: u64,
    outcome: bool,
    /// Has the last section been found?
    closed: bool,
}

/// A section that was checked, by itself.
struct Scanned {
    header: SectionHeader,
    /// Of a block: its chunks, with block number 0.
    metas: Vec<ChunkMeta>,
    /// Processes that end in it.
    ended: Vec<u64>,
    /// Of a cut: its number. Of process outcomes: the first process.
    number: u64,
}

/// Finds everything by going through the file from its start, and makes the index again. `why` says why that was needed. Headers are read
/// one after the other, payloads are checked in parallel.
///
/// Of processes that have ended only the pages are kept, so that memory grows with the index and with the processes that live at one time. That is
/// right where later processes have larger pids, or ones that lie beside what was sealed; where a recorder numbers them otherwise, it
/// is all done again with everything in memory.
fn scan(source: &Source, why: &Error, progress: Progress<'_>) -> Result<(Status, Directory, Vec<Page>)> {
    match scan_with(source, why, progress, Some(PATIENCE)) {
        Ok(Some(found)) => return Ok(found),
        Err(error) if !error.is_bad_trace() => return Err(error),
        _ => {}
    }
    let absent = || Error::damaged(0, "every process once", "one of them twice");
    scan_with(source, why, progress, None)?.ok_or_else(absent)
}

/// So many chunks are gathered before processes are sealed.
const PATIENCE: usize = 1 << 14;

fn scan_with(
    source: &Source,
    why: &Error,
    progress: Progress<'_>,
    patience: Option<usize>,
) -> Result<Option<(Status, Directory, Vec<Page>)>> {
    let mut offset = FILE_HEADER;
    let mut scan = Scan {
        whole: offset,
        patience,
        ..Scan::default()
    };
    let mut stop = None;
    while stop.is_none() && offset < source.len() {
        let mut offsets = Vec::with_capacity(SCANNED);
        while offsets.len() < SCANNED && offset < source.len() {
            match section_header(source, offset) {
                Ok((_, header)) => {
                    offsets.push(offset);
                    offset += SECTION_HEADER + u64::from(header.length);
                }
                // Whole, but not for us: what lies before it may not mean what we think.
                Err(error) if matches!(error.kind, ErrorKind::Later { .. }) => return Err(error),
                Err(error) if error.is_bad_trace() => {
                    stop = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let checked: Vec<Result<Scanned>> = offsets
            .par_iter()
            .map(|offset| check_section(source, *offset))
            .collect();
        for (offset, checked) in offsets.into_iter().zip(checked) {
            match checked {
                Ok(section) if scan.outcome && section.header.kind.is_some_and(SectionKind::is_of_the_run) => {
                    let expected = "nothing but an index behind the outcome";
                    let found = section.header.kind.map_or("another", SectionKind::name);
                    stop = Some(Error::damaged(
                        offset,
                        expected,
                        format_args!("a section of kind {found}"),
                    ));
                    break;
                }
                Ok(section) => scan.add(offset, section)?,
                Err(error) if error.is_bad_trace() => {
                    stop = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        progress(offset.min(source.len()), source.len());
    }
    scan.seal(true)?;
    let Scan {
        mut directory,
        mut sealed,
        totals,
        mut others,
        whole,
        outcome,
        closed,
        ..
    } = scan;
    if directory.totals.cuts == 0 {
        directory.others.append(&mut others);
    }
    directory.totals = Totals {
        cuts: directory.totals.cuts,
        ..totals
    };
    let lost = source.len() - whole;
    let status = if outcome {
        let why = if lost == 0 {
            "it has none".to_owned()
        } else {
            why.to_string()
        };
        // All that follows is whole: an index that leads elsewhere, or one whose last part is missing.
        let damaged = stop.as_ref().map_or(closed, |error| !error.is_of_the_end());
        Status::IndexRebuilt {
            end: whole,
            why,
            damaged,
        }
    } else {
        directory.outcomes.clear();
        let damaged = stop.as_ref().is_some_and(|error| !error.is_of_the_end());
        let why = stop.map(|error| error.to_string());
        Status::Incomplete {
            end: whole,
            lost,
            why,
            damaged,
        }
    };
    sealed.sort_by_key(|(page, _)| page.first_pid);
    if sealed.windows(2).any(|pages| pages[1].0.first_pid <= pages[0].1) {
        return Ok(None);
    }
    // What a page has said so far of the receives before it is how many it has.
    let mut base = 0u64;
    let pages: Vec<Page> = sealed
        .into_iter()
        .map(|(page, _)| {
            let first_base = base;
            base += page.first_base;
            Page { first_base, ..page }
        })
        .collect();
    directory.pages = pages.iter().map(|page| (page.first_pid, page.first_base, 0)).collect();
    Ok(Some((status, directory, pages)))
}

impl Scan {
    fn add(&mut self, offset: u64, section: Scanned) -> Result<()> {
        let Scanned {
            header,
            metas,
            ended,
            number,
        } = section;
        let end = offset + SECTION_HEADER + u64::from(header.length);
        let directory = &mut self.directory;
        match header.kind {
            Some(SectionKind::Block) => {
                let block = (directory.blocks.len() + self.blocks.len()) as u32;
                self.metas
                    .extend(metas.into_iter().map(|meta| ChunkMeta { block, ..meta }));
                self.ended.extend(ended);
                self.blocks.push(offset);
                self.block_bytes += end - offset;
            }
            Some(
                SectionKind::Header
                | SectionKind::Program
                | SectionKind::Texts
                | SectionKind::Nodes
                | SectionKind::Digests,
            ) => self.others.push(offset),
            Some(SectionKind::Cut) => {
                directory.blocks.append(&mut self.blocks);
                directory.block_bytes += std::mem::take(&mut self.block_bytes);
                directory.others.append(&mut self.others);
                self.chunks.append(&mut self.metas);
                directory.totals.cuts = number;
                self.whole = end;
                if self.patience.is_some_and(|patience| self.chunks.len() > patience) {
                    self.seal(false)?;
                }
            }
            Some(SectionKind::Processes) if number != NO_PROCESS => directory.outcomes.push((number, offset)),
            Some(SectionKind::Outcome) => {
                self.others.push(offset);
                directory.others.append(&mut self.others);
                self.outcome = true;
                self.whole = end;
            }
            Some(SectionKind::End) => self.closed = true,
            _ => {}
        }
        Ok(())
    }

    /// Makes pages of the processes that have ended, or of `all`.
    fn seal(&mut self, all: bool) -> Result<()> {
        let mut chunks = std::mem::take(&mut self.chunks);
        chunks.par_sort_by_key(|chunk| chunk.pid);
        let whole = |pid: u64| all || self.ended.contains(&pid);
        for run in chunks.chunk_by(|a, b| whole(a.pid) == whole(b.pid)) {
            if !whole(run[0].pid) {
                self.chunks.extend_from_slice(run);
                continue;
            }
            let receives = sum_up(run, &mut self.totals)?;
            let pages = build(run, |_| None);
            let firsts: Vec<(u64, u64)> = pages.iter().map(|page| (page.first_pid, page.first_base)).collect();
            for (i, mut page) in pages.into_iter().enumerate() {
                page.bytes.shrink_to_fit();
                let next = firsts.get(i + 1);
                let last = next.map_or(run[run.len() - 1].pid, |(pid, _)| pid - 1);
                let first_base = next.map_or(receives, |(_, base)| *base) - page.first_base;
                self.sealed.push((Page { first_base, ..page }, last));
            }
        }
        self.ended.clear();
        // What is left is looked at again when as much has come.
        if let Some(patience) = &mut self.patience {
            *patience = PATIENCE.max(2 * self.chunks.len());
        }
        Ok(())
    }
}

/// The number of a section of process outcomes with none in it.
const NO_PROCESS: u64 = u64::MAX;

fn check_section(source: &Source, offset: u64) -> Result<Scanned> {
    let (header, payload) = scan_section(source, offset)?;
    let (mut metas, mut ended, mut number) = (Vec::new(), Vec::new(), 0);
    match header.kind {
        Some(SectionKind::Block) => {
            let payload = match header.expand(&payload, offset)? {
                std::borrow::Cow::Borrowed(_) => payload,
                std::borrow::Cow::Owned(expanded) => expanded.into(),
            };
            chunk_metas(&payload, offset, 0, &mut metas, &mut ended)?;
        }
        Some(SectionKind::Cut) => number = get(&payload, &mut 0, "a number").unwrap_or_default(),
        Some(SectionKind::Processes) => {
            Room::of(source).take(offset, header.expanded(&payload))?;
            let payload = header.expand(&payload, offset)?;
            let outcomes = record::get_processes(&payload, offset + SECTION_HEADER)?;
            number = outcomes.first().map_or(NO_PROCESS, |outcome| outcome.pid.0);
        }
        _ => {}
    }
    Ok(Scanned {
        header,
        metas,
        ended,
        number,
    })
}

fn scan_section(source: &Source, offset: u64) -> Result<(SectionHeader, Arc<[u8]>)> {
    let (raw, header) = section_header(source, offset)?;
    let payload = source.read(offset + SECTION_HEADER, u64::from(header.length))?;
    header.check(&raw, &payload, offset)?;
    Ok((header, payload))
}

fn chunk_metas(
    payload: &Arc<[u8]>,
    offset: u64,
    number: u32,
    into: &mut Vec<ChunkMeta>,
    ended: &mut Vec<u64>,
) -> Result<()> {
    let at = offset + SECTION_HEADER;
    let block = Block::parse(Arc::clone(payload), at).map_err(|error| Error::malformed(at, &error))?;
    for (slot, chunk) in block.chunks.iter().enumerate() {
        let counts = block.counts(chunk).map_err(|error| bad_chunk(&block, chunk, &error))?;
        into.push(ChunkMeta {
            pid: chunk.pid,
            block: number,
            slot: slot as u32,
            restart: chunk.restart,
            alike: 0,
            counts,
        });
        ended.extend(chunk.ended.then_some(chunk.pid));
    }
    Ok(())
}

/// Adds the chunks of some processes to the totals, and returns how many receives they have. Sums are checked: the counts come from the file.
fn sum_up(chunks: &[ChunkMeta], totals: &mut Totals) -> Result<u64> {
    let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| Error::damaged(0, "sums below 2^64", b));
    let before = totals.counts.receives;
    for process in chunks.chunk_by(|a, b| a.pid == b.pid) {
        if !process[0].restart {
            return Err(Error::damaged(
                0,
                format!("the first chunk of {}", Pid(process[0].pid)),
                "a later one",
            ));
        }
        totals.processes += 1;
        for chunk in process {
            totals.counts.actions = sum(totals.counts.actions, chunk.counts.actions)?;
            totals.counts.sends = sum(totals.counts.sends, chunk.counts.sends)?;
            totals.counts.receives = sum(totals.counts.receives, chunk.counts.receives)?;
        }
    }
    Ok(totals.counts.receives - before)
}

/// Does the file begin as a trace does? Nothing more is read; false also if it cannot be read.
#[must_use]
pub fn is_trace(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    std::fs::File::open(path)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok()
        && start == crate::section::MAGIC
}
