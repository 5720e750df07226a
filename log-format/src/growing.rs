//! A file under construction: what has been written, what the next write will append, and the data of the index.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::action::Counts;
use crate::block::{BlockBuilder, Filled};
use crate::encode::WaitingPieces;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::Pid;
use crate::index::{ChunkMeta, Directory, Totals, build, expanded, push_whole, put_checkpoint, put_index};
use crate::pack::Packer;
use crate::record::{self, Header, ProcessOutcome, RunEnd};
use crate::section::{
    FILE_HEADER, FileHeader, MINOR, SECTION_HEADER, SectionKind, put_compressed, put_optional, put_packed, put_section,
};
use crate::stream::{self, Stream};
use crate::varint::put;

/// The first cut after so many bytes has a checkpoint of the index. Without an index, a reader reads what comes after the last one: some ten
/// milliseconds of work.
const CHECKPOINT_BYTES: u64 = 16 << 10;

/// How many outcomes of processes go into one section.
const OUTCOMES_PER_SECTION: usize = 512;

/// An interrupted run must end at once: an index with more entries than this is not written. Who opens the trace first makes it
/// ([`crate::Trace::complete`]).
const INDEXED_IN_HASTE: usize = 200_000;

/// A trace file that is being written.
pub(crate) struct Growing {
    sink: Box<dyn Write + Send>,
    /// The file of the sink, if its contents must reach the disk at every cut.
    pub sync: Option<File>,
    /// Bytes written.
    pub written: u64,
    /// Where the header of the trace ends, once it is written.
    header_end: usize,
    /// What the next write will append.
    pending: Vec<u8>,
    failed: Option<std::io::ErrorKind>,
    /// Nothing can be added any more.
    finished: bool,
    /// Chunks of processes that were born and ended between two cuts: mostly ascending.
    short: Vec<ChunkMeta>,
    /// All others.
    chunks: Vec<ChunkMeta>,
    /// For a slice: receives before each process in the original trace.
    pub bases: FxHashMap<u64, u64>,
    pub directory: Directory,
    /// What the last checkpoint of the index covers.
    covered: Covered,
    packer: Packer,
    /// Outcomes of processes, which are written at the end.
    pub ended: Vec<ProcessOutcome>,
}

/// What checkpoints cover: so many chunks of each list, so many blocks, and the bytes before this place.
#[derive(Clone, Default)]
struct Covered {
    short: usize,
    chunks: usize,
    blocks: usize,
    bytes: u64,
}

/// The beginning of a cut, to be able to remove it.
pub(crate) struct CutMark {
    pending: usize,
    short: usize,
    chunks: usize,
    blocks: usize,
    others: usize,
    totals: Totals,
    block_bytes: u64,
}

/// A panic elsewhere leaves the file valid: sections are appended as a whole.
pub(crate) fn lock(file: &Mutex<Growing>) -> MutexGuard<'_, Growing> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Growing {
    /// A new file; its header is pending.
    pub fn new(sink: Box<dyn Write + Send>, flags: u32, clock: i64) -> Self {
        let header = FileHeader {
            minor: MINOR,
            flags,
            clock,
        };
        Self {
            sink,
            sync: None,
            written: 0,
            header_end: 0,
            pending: header.to_bytes().to_vec(),
            failed: None,
            finished: false,
            short: Vec::new(),
            chunks: Vec::new(),
            bases: FxHashMap::default(),
            directory: Directory::default(),
            covered: Covered::default(),
            packer: Packer::default(),
            ended: Vec::new(),
        }
    }

    /// Appends the header of the trace, as the first section.
    pub fn header(&mut self, header: &Header) -> Result<()> {
        self.other(SectionKind::Header, &record::put_header(header), true)?;
        self.header_end = self.pending.len();
        Ok(())
    }

    /// A copy with another header that goes on in another sink. `so_far`: what was written, all of it in whole cuts.
    pub fn copy(&self, header: &Header, so_far: &[u8], sink: Box<dyn Write + Send>) -> Result<Self> {
        let mut copy = Self {
            sink,
            sync: None,
            written: 0,
            header_end: 0,
            pending: so_far[..FILE_HEADER as usize].to_vec(),
            failed: self.failed,
            finished: self.finished,
            short: self.short.clone(),
            chunks: self.chunks.clone(),
            bases: self.bases.clone(),
            directory: Directory::default(),
            covered: self.covered.clone(),
            packer: self.packer.clone(),
            ended: self.ended.clone(),
        };
        copy.header(header)?;
        let own = std::mem::replace(&mut copy.directory, self.directory.clone());
        let later = |position: u64| position - self.header_end as u64 + copy.header_end as u64;
        let (others, blocks) = (&mut copy.directory.others, &mut copy.directory.blocks);
        for position in others.iter_mut().skip(own.others.len()).chain(blocks) {
            *position = later(*position);
        }
        if copy.covered.bytes > 0 {
            copy.covered.bytes = later(copy.covered.bytes);
        }
        copy.pending.extend_from_slice(&so_far[self.header_end..]);
        copy.write()?;
        Ok(copy)
    }

    /// The position of the next section.
    const fn position(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    /// Appends a section that is neither block nor cut nor index.
    pub fn other(&mut self, kind: SectionKind, payload: &[u8], compress: bool) -> Result<()> {
        let position = self.position();
        if compress {
            put_compressed(&mut self.pending, kind, payload)?;
        } else {
            put_section(&mut self.pending, kind, payload)?;
        }
        self.directory.others.push(position);
        Ok(())
    }

    pub fn digests(&mut self, digests: &[u8]) -> Result<()> {
        self.directory.others.push(self.position());
        put_optional(&mut self.pending, SectionKind::Digests, digests)
    }

    /// Appends blocks that are already filled.
    pub fn stream(&mut self, stream: &mut Stream) -> Result<()> {
        let (blocks, chunks) = stream.take(self.directory.blocks.len() as u32);
        for chunk in chunks {
            let (processes, counts) = stream::all(&chunk);
            let totals = &mut self.directory.totals;
            totals.processes += processes;
            totals.counts.actions += counts.actions;
            totals.counts.sends += counts.sends;
            totals.counts.receives += counts.receives;
            self.short.push(chunk);
        }
        blocks.iter().try_for_each(|block| self.block(block))
    }

    /// Makes blocks of all waiting pieces. `order` is passed for its memory.
    pub fn blocks(&mut self, waiting: &mut WaitingPieces, order: &mut Vec<(Pid, u32)>) -> Result<()> {
        order.clear();
        order.extend(waiting.pieces.iter().enumerate().map(|(i, (pid, ..))| (*pid, i as u32)));
        // Processes that have ended mostly come in order: a sort that finds runs is fast.
        order.sort();
        let mut builder = BlockBuilder::default();
        for &(pid, at) in order.iter() {
            let start = (at as usize)
                .checked_sub(1)
                .map_or(0, |before| waiting.pieces[before].2.end);
            let (_, birth, piece) = &waiting.pieces[at as usize];
            if builder.is_full() {
                self.block(&builder.finish())?;
            }
            let slot = builder.add(pid, birth, piece, &waiting.bytes[start..piece.end]);
            let block = self.directory.blocks.len() as u32;
            let chunk = ChunkMeta {
                pid: pid.0,
                block,
                slot,
                restart: piece.restart,
                ended: piece.ended,
                alike: 0,
                counts: piece.counts,
            };
            if piece.first && piece.ended {
                push_whole(&mut self.short, chunk);
            } else {
                self.chunks.push(chunk);
            }
            let Totals {
                processes,
                counts:
                    Counts {
                        actions,
                        sends,
                        receives,
                    },
                cuts: _,
            } = &mut self.directory.totals;
            *processes += u64::from(piece.first);
            *actions += piece.counts.actions;
            *sends += piece.counts.sends;
            *receives += piece.counts.receives;
        }
        if !builder.is_empty() {
            self.block(&builder.finish())?;
        }
        waiting.pieces.clear();
        waiting.bytes.clear();
        Ok(())
    }

    fn block(&mut self, block: &Filled) -> Result<()> {
        self.directory.blocks.push(self.position());
        let payload = &block.payload;
        let packed = match block.worth_packing {
            true => self.packer.pack(payload, block.table),
            false => None,
        };
        let length = packed.as_ref().unwrap_or(payload).len();
        self.directory.block_bytes += SECTION_HEADER + length as u64;
        match packed {
            Some(packed) => put_packed(&mut self.pending, &packed),
            None => put_section(&mut self.pending, SectionKind::Block, payload),
        }
    }

    pub fn end_cut(&mut self) -> Result<()> {
        self.directory.totals.cuts += 1;
        self.checkpoint()?;
        let mut payload = Vec::new();
        let Totals {
            processes,
            counts: Counts {
                actions,
                sends,
                receives,
            },
            cuts,
        } = self.directory.totals;
        for value in [cuts, processes, actions, sends, receives] {
            put(&mut payload, value);
        }
        put_section(&mut self.pending, SectionKind::Cut, &payload)
    }

    /// Appends a checkpoint of the index, if enough has come since the last one. The first cut has none: a copy is one cut, and has an index at once.
    fn checkpoint(&mut self) -> Result<()> {
        let (blocks, cuts) = (self.directory.blocks.len(), self.directory.totals.cuts);
        let is_due = cuts > 1 && self.position() - self.covered.bytes >= CHECKPOINT_BYTES;
        if !is_due || blocks == self.covered.blocks || !self.bases.is_empty() {
            return Ok(());
        }
        let chunks = self.short[self.covered.short..]
            .iter()
            .chain(&self.chunks[self.covered.chunks..]);
        let mut payload = Vec::new();
        put_checkpoint(&mut payload, self.covered.blocks as u32..blocks as u32, cuts, chunks);
        put_optional(&mut self.pending, SectionKind::Checkpoint, &payload)?;
        self.covered = Covered {
            short: self.short.len(),
            chunks: self.chunks.len(),
            blocks,
            bytes: self.position(),
        };
        Ok(())
    }

    pub const fn mark(&self) -> CutMark {
        CutMark {
            pending: self.pending.len(),
            short: self.short.len(),
            chunks: self.chunks.len(),
            blocks: self.directory.blocks.len(),
            others: self.directory.others.len(),
            totals: self.directory.totals,
            block_bytes: self.directory.block_bytes,
        }
    }

    /// Removes everything that was appended since.
    pub fn back_to(&mut self, mark: CutMark) {
        self.pending.truncate(mark.pending);
        self.short.truncate(mark.short);
        self.chunks.truncate(mark.chunks);
        self.directory.blocks.truncate(mark.blocks);
        self.directory.others.truncate(mark.others);
        self.directory.totals = mark.totals;
        self.directory.block_bytes = mark.block_bytes;
    }

    /// Approximate length of the file with its index.
    pub const fn estimate(&self) -> u64 {
        self.position() + ((self.short.len() + self.chunks.len()) * 4 + self.directory.blocks.len() * 8 + 1024) as u64
    }

    /// Writes everything pending, in one call.
    pub fn write(&mut self) -> Result<()> {
        if let Some(kind) = self.failed {
            return Err(Error::new(self.written, ErrorKind::Io(kind.into())));
        }
        let sink = &mut self.sink;
        let done = sink.write_all(&self.pending).and_then(|()| sink.flush());
        let done = done.and_then(|()| self.sync.as_ref().map_or(Ok(()), File::sync_data));
        if let Err(error) = done {
            self.failed = Some(error.kind());
            return Err(Error::io(self.written, error));
        }
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Writes the outcome and the index after the last cut. Returns the length of the file.
    pub fn finish(&mut self, run: &RunEnd) -> Result<u64> {
        if std::mem::replace(&mut self.finished, true) {
            let closed = std::io::Error::new(std::io::ErrorKind::BrokenPipe, "the trace has been finished already");
            return Err(Error::io(self.written, closed));
        }
        let ended = std::mem::take(&mut self.ended);
        let mut processes: Vec<&ProcessOutcome> = ended.iter().collect();
        processes.sort_by_key(|process| process.pid);
        for part in processes.chunks(OUTCOMES_PER_SECTION) {
            self.directory.outcomes.push((part[0].pid.0, self.position()));
            put_compressed(&mut self.pending, SectionKind::Processes, &record::put_processes(part))?;
        }
        self.other(SectionKind::Outcome, &record::put_run_end(run), false)?;
        // A copy (a slice, a scrubbed trace) has only one cut, and there is time.
        let in_haste = matches!(run, RunEnd::Interrupted(_)) && self.directory.totals.cuts > 1;
        if in_haste && self.short.len() + self.chunks.len() > INDEXED_IN_HASTE {
            self.write()?;
            return Ok(self.written);
        }
        // Chunks of one process are already in the order of its actions.
        if !self.bases.is_empty() {
            // Each process has its own number of receives before it.
            self.short = expanded(&self.short);
        }
        self.short.sort_by_key(|chunk| chunk.pid);
        self.chunks.sort_by_key(|chunk| chunk.pid);
        let chunks = merged(std::mem::take(&mut self.short), &self.chunks);
        let pages = build(&chunks, |pid| self.bases.get(&pid).copied());
        let position = self.position();
        put_index(&mut self.pending, position, &mut self.directory, &pages)?;
        self.write()?;
        Ok(self.written)
    }
}

/// Merges two lists sorted by process. A process is in only one of them.
fn merged(short: Vec<ChunkMeta>, chunks: &[ChunkMeta]) -> Vec<ChunkMeta> {
    if chunks.is_empty() {
        return short;
    }
    let mut all = Vec::with_capacity(short.len() + chunks.len());
    let mut short = &short[..];
    for chunk in chunks {
        let before = short.partition_point(|other| other.pid < chunk.pid);
        all.extend_from_slice(&short[..before]);
        short = &short[before..];
        all.push(*chunk);
    }
    all.extend_from_slice(short);
    all
}

/// Finishes a trace that another thread writes, if that thread cannot be waited for. The file then ends with the last cut, an outcome and an
/// index. What was logged after that cut is lost.
#[derive(Clone)]
pub struct Finisher(Arc<Mutex<Growing>>);

impl std::fmt::Debug for Finisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Finisher").finish_non_exhaustive()
    }
}

impl Finisher {
    pub(crate) fn of(file: &Arc<Mutex<Growing>>) -> Self {
        Self(Arc::clone(file))
    }

    /// Finishes the file, unless it is being written and that takes longer than `patience`, or it has already been finished. Returns whether
    /// this call has finished it. Later cuts of the writer are errors.
    ///
    /// # Errors
    /// The sink cannot be written, now or earlier.
    pub fn finish(&self, run: &RunEnd, patience: Duration) -> Result<bool> {
        let start = Instant::now();
        let mut file = loop {
            match self.0.try_lock() {
                Ok(file) => break file,
                Err(TryLockError::Poisoned(file)) => break file.into_inner(),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(TryLockError::WouldBlock) => return Ok(false),
            }
        };
        if file.finished {
            return Ok(false);
        }
        file.finish(run)?;
        file.failed = Some(std::io::ErrorKind::BrokenPipe);
        Ok(true)
    }
}
