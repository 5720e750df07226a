//! Rebuilding the index by scanning the file from its start.
use std::sync::Arc;

use rayon::prelude::*;

use super::cache::bad_chunk;
use super::sections::{Room, section_at, section_header, section_of};
use super::{IndexProgress, Status};
use crate::block::Block;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::Pid;
use crate::index::{ChunkMeta, Directory, Page, Totals, build, checkpoint};
use crate::record::{self};
use crate::section::{FILE_HEADER, SECTION_HEADER, SectionHeader, SectionKind};
use crate::source::TraceBytes;
use crate::varint::get;

/// How many sections are checked at a time during a scan.
const SCANNED: usize = 1024;

/// The results of a scan so far: what belongs to complete cuts, and what came since the last one.
#[derive(Default)]
struct Scan {
    directory: Directory,
    /// Chunks of processes that are not sealed.
    chunks: Vec<ChunkMeta>,
    /// Pages of processes that have ended, each with its last pid; in no particular order. The pids of a page are not interleaved with those of
    /// others.
    sealed: Vec<(Page, u64)>,
    /// The sums over these processes.
    totals: Totals,
    /// How many chunks are collected before those of ended processes are sealed; `None` if never.
    patience: Option<usize>,
    blocks: Vec<u64>,
    block_bytes: u64,
    others: Vec<u64>,
    metas: Vec<ChunkMeta>,
    /// The end of the last complete cut, or of the outcome.
    whole: u64,
    outcome: bool,
    /// Where the last section ends, if it has been found.
    closed: Option<u64>,
}

/// A section that was checked separately.
struct Scanned {
    header: SectionHeader,
    /// For a block: its chunks, with block number 0.
    metas: Vec<ChunkMeta>,
    /// For a cut: its number. For process outcomes: the first process.
    number: u64,
}

/// Finds everything by scanning the file from its start, and rebuilds the index. `why` says why that was needed. Headers are read one after the
/// other, payloads are checked in parallel.
///
/// For processes that have ended, only the pages are kept, so memory grows with the index and with the number of processes alive at one time.
/// This works if later processes have larger pids, or pids outside the sealed ranges. If a recorder numbers them in another way, everything is
/// done again in memory.
pub(super) fn scan(
    source: &TraceBytes,
    why: &Error,
    progress: IndexProgress<'_>,
) -> Result<(Status, Directory, Vec<Page>)> {
    match scan_with(source, why, progress, Some(PATIENCE)) {
        Ok(Some(found)) => return Ok(found),
        Err(error) if !error.is_bad_trace() => return Err(error),
        _ => {}
    }
    let absent = || Error::damaged(0, "every process once", "one of them twice");
    scan_with(source, why, progress, None)?.ok_or_else(absent)
}

/// How many chunks are collected before processes are sealed.
const PATIENCE: usize = 1 << 14;

fn scan_with(
    source: &TraceBytes,
    why: &Error,
    progress: IndexProgress<'_>,
    patience: Option<usize>,
) -> Result<Option<(Status, Directory, Vec<Page>)>> {
    let mut scan = from_checkpoints(source, patience)?;
    let mut offset = scan.whole;
    let mut stop = None;
    while stop.is_none() && offset < source.len() {
        let (offsets, broken) = some_sections(source, &mut offset)?;
        stop = broken;
        let checked: Vec<Result<Scanned>> = offsets
            .par_iter()
            .map(|offset| check_section(source, *offset))
            .collect();
        for (offset, checked) in offsets.into_iter().zip(checked) {
            match checked.and_then(|section| scan.in_place(offset, section)) {
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
    if scan.directory.totals.cuts == 0 {
        scan.directory.others.append(&mut scan.others);
    }
    scan.directory.totals = Totals {
        cuts: scan.directory.totals.cuts,
        ..scan.totals
    };
    let status = scan.status(source.len(), why, stop);
    let Some(pages) = pages_of(scan.sealed) else {
        return Ok(None);
    };
    let mut directory = scan.directory;
    directory.pages = pages.iter().map(|page| (page.first_pid, page.first_base, 0)).collect();
    Ok(Some((status, directory, pages)))
}

/// What the checkpoints of the index say: a scan up to the last of them. Only headers of sections and the checkpoints are read. What they say is
/// checked where it is used, as that of an index is.
fn from_checkpoints(source: &TraceBytes, patience: Option<usize>) -> Result<Scan> {
    let nothing = || Scan {
        whole: FILE_HEADER,
        patience,
        ..Scan::default()
    };
    // One that cannot be right: everything is read.
    match hop(source, nothing()) {
        Err(error) if error.is_bad_trace() => Ok(nothing()),
        done => done,
    }
}

/// Goes from section to section.
fn hop(source: &TraceBytes, mut scan: Scan) -> Result<Scan> {
    let mut room = Room::of(source);
    let mut offset = scan.whole;
    // The number of the cut whose checkpoint has been read.
    let mut cuts = None;
    while let Ok((_, header)) = section_header(source, offset) {
        let end = offset + SECTION_HEADER + u64::from(header.length);
        if end > source.len() {
            break;
        }
        match header.kind {
            Some(SectionKind::Block) => {
                scan.blocks.push(offset);
                scan.block_bytes += end - offset;
            }
            Some(SectionKind::Checkpoint) => {
                let known = scan.directory.blocks.len();
                let blocks = known as u32..(known + scan.blocks.len()) as u32;
                let payload = section_of(source, offset, SectionKind::Checkpoint)?;
                let read = checkpoint(&payload, blocks);
                let read = read.map_err(|error| Error::malformed(offset + SECTION_HEADER, &error))?;
                room.take(offset, size_of_val(&read.chunks[..]) as u64)?;
                scan.metas = read.chunks;
                cuts = Some(read.cuts);
            }
            Some(SectionKind::Cut) => {
                if let Some(cuts) = cuts.take() {
                    scan.covered(cuts, end)?;
                }
            }
            Some(kind) if kind.is_of_the_run_itself() => scan.others.push(offset),
            None => {}
            // Behind the outcome there is none.
            Some(_) => break,
        }
        offset = end;
    }
    // What comes after the last checkpoint is read.
    scan.blocks.clear();
    scan.block_bytes = 0;
    scan.others.clear();
    scan.metas.clear();
    Ok(scan)
}

/// Where the next sections begin, as far as their headers are whole, and what is wrong with the one after them.
fn some_sections(source: &TraceBytes, offset: &mut u64) -> Result<(Vec<u64>, Option<Error>)> {
    let mut offsets = Vec::with_capacity(SCANNED);
    while offsets.len() < SCANNED && *offset < source.len() {
        match section_header(source, *offset) {
            Ok((_, header)) => {
                offsets.push(*offset);
                *offset += SECTION_HEADER + u64::from(header.length);
            }
            // Valid, but from a later version: what comes before it may not mean what we think.
            Err(error) if matches!(error.kind, ErrorKind::Later { .. }) => return Err(error),
            Err(error) if error.is_bad_trace() => return Ok((offsets, Some(error))),
            Err(error) => return Err(error),
        }
    }
    Ok((offsets, None))
}

/// The pages in the order of their processes, with the receives before each; none if a process is in two of them.
fn pages_of(mut sealed: Vec<(Page, u64)>) -> Option<Vec<Page>> {
    sealed.sort_by_key(|(page, _)| page.first_pid);
    if sealed.windows(2).any(|pages| pages[1].0.first_pid <= pages[0].1) {
        return None;
    }
    // Until now, the number of receives before a page was the number in it.
    let mut base = 0u64;
    let pages = sealed.into_iter().map(|(page, _)| {
        let first_base = base;
        base += page.first_base;
        Page { first_base, ..page }
    });
    Some(pages.collect())
}

impl Scan {
    /// All up to here is whole, and known.
    fn covered(&mut self, cuts: u64, whole: u64) -> Result<()> {
        let directory = &mut self.directory;
        directory.blocks.append(&mut self.blocks);
        directory.block_bytes += std::mem::take(&mut self.block_bytes);
        directory.others.append(&mut self.others);
        directory.totals.cuts = cuts;
        self.whole = whole;
        self.keep()
    }

    /// A section, unless it is one of the run that lies behind the outcome.
    fn in_place(&self, offset: u64, section: Scanned) -> Result<Scanned> {
        if !self.outcome || !section.header.kind.is_some_and(SectionKind::is_of_the_run) {
            return Ok(section);
        }
        let expected = "nothing but an index behind the outcome";
        let found = section.header.kind.map_or("another", SectionKind::name);
        Err(Error::damaged(
            offset,
            expected,
            format_args!("a section of kind {found}"),
        ))
    }

    /// How whole the trace is. `why`: what is wrong with its index; `stop`: where the scan stopped.
    fn status(&mut self, length: u64, why: &Error, stop: Option<Error>) -> Status {
        let lost = length - self.whole;
        if !self.outcome {
            self.directory.outcomes.clear();
            let damaged = stop.as_ref().is_some_and(|error| !error.is_of_the_end());
            return Status::Incomplete {
                end: self.whole,
                lost,
                why: stop.map(|error| error.brief()),
                damaged,
            };
        }
        let (why, damaged) = match (self.closed, &stop) {
            _ if lost == 0 => ("it has none".to_owned(), false),
            (Some(end), _) if end < length => {
                let found = format_args!("{} more bytes", length - end);
                (Error::damaged(end, "the end of the file", found).brief(), true)
            }
            // Everything after the outcome is valid: an index with wrong offsets, or one whose last part is missing.
            (closed, None) => (why.brief(), closed.is_some()),
            (_, Some(error)) => (error.brief(), !error.is_of_the_end()),
        };
        Status::IndexRebuilt {
            end: self.whole,
            why,
            damaged,
        }
    }

    fn add(&mut self, offset: u64, section: Scanned) -> Result<()> {
        let Scanned { header, metas, number } = section;
        let end = offset + SECTION_HEADER + u64::from(header.length);
        let directory = &mut self.directory;
        match header.kind {
            Some(SectionKind::Block) => {
                let block = (directory.blocks.len() + self.blocks.len()) as u32;
                self.metas
                    .extend(metas.into_iter().map(|meta| ChunkMeta { block, ..meta }));
                self.blocks.push(offset);
                self.block_bytes += end - offset;
            }
            Some(kind) if kind.is_of_the_run_itself() => self.others.push(offset),
            Some(SectionKind::Cut) => {
                self.covered(number, end)?;
            }
            Some(SectionKind::Processes) if number != NO_PROCESS => directory.outcomes.push((number, offset)),
            Some(SectionKind::Outcome) => {
                self.others.push(offset);
                directory.others.append(&mut self.others);
                self.outcome = true;
                self.whole = end;
            }
            Some(SectionKind::End) => self.closed = Some(end),
            _ => {}
        }
        Ok(())
    }

    /// The chunks that were found last belong to what is whole.
    fn keep(&mut self) -> Result<()> {
        self.chunks.append(&mut self.metas);
        match self.patience {
            Some(patience) if self.chunks.len() > patience => self.seal(false),
            _ => Ok(()),
        }
    }

    /// Makes pages of the processes that have ended, or of `all`.
    fn seal(&mut self, all: bool) -> Result<()> {
        let mut chunks = std::mem::take(&mut self.chunks);
        chunks.par_sort_by_key(|chunk| (chunk.pid, chunk.block));
        // From here on, a chunk of a process that has ended says so, whichever it is.
        for process in chunks.chunk_by_mut(|a, b| a.pid == b.pid) {
            let ended = all || process.iter().any(|chunk| chunk.ended);
            process.iter_mut().for_each(|chunk| chunk.ended = ended);
        }
        // A process that is missing between two others may be in another page, or still come.
        let alone = all && self.sealed.is_empty();
        let together = |a: &ChunkMeta, b: &ChunkMeta| a.ended == b.ended && (alone || b.pid - a.pid <= 1);
        for run in chunks.chunk_by(together) {
            if !run[0].ended {
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
        // The rest is examined again when the number of chunks has doubled.
        if let Some(patience) = &mut self.patience {
            *patience = PATIENCE.max(2 * self.chunks.len());
        }
        Ok(())
    }
}

/// The number of a section of process outcomes that is empty.
const NO_PROCESS: u64 = u64::MAX;

fn check_section(source: &TraceBytes, offset: u64) -> Result<Scanned> {
    let (header, payload) = section_at(source, offset)?;
    let (mut metas, mut number) = (Vec::new(), 0);
    match header.kind {
        Some(SectionKind::Block) => {
            let payload = match header.expand(&payload, offset)? {
                std::borrow::Cow::Borrowed(_) => payload,
                std::borrow::Cow::Owned(expanded) => expanded.into(),
            };
            chunk_metas(&payload, offset, &mut metas)?;
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
    Ok(Scanned { header, metas, number })
}

fn chunk_metas(payload: &Arc<[u8]>, offset: u64, into: &mut Vec<ChunkMeta>) -> Result<()> {
    let at = offset + SECTION_HEADER;
    let block = Block::parse(Arc::clone(payload), at).map_err(|error| Error::malformed(at, &error))?;
    for (slot, chunk) in block.chunks.iter().enumerate() {
        let counts = block.counts(chunk).map_err(|error| bad_chunk(&block, chunk, &error))?;
        into.push(ChunkMeta {
            pid: chunk.pid,
            block: 0,
            slot: slot as u32,
            restart: chunk.restart,
            ended: chunk.ended,
            alike: 0,
            counts,
        });
    }
    Ok(())
}

/// Adds the chunks of some processes to the totals, and returns the number of their receives. Sums are checked for overflow, because the counts
/// come from the file.
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
