//! The index: for every process its chunks and receives, in pages sorted by process; and the directory, which says where the
//! pages and all else are (FORMAT.md, "Index").

use crate::action::Counts;
use crate::error::{Error, Result};
use crate::varint::{Malformed, byte, get, get_difference, put, put_difference};

/// A page is closed when it is this long.
const PAGE_BYTES: usize = 1 << 10;

/// The pid is one more than that before.
const NEXT_PID: u8 = 1;
/// One chunk, a restart point.
const SINGLE: u8 = 2;
/// The chunk after the first chunk of the process before, in the same block.
const NEXT_SLOT: u8 = 4;
/// The number of receives before is given.
const BASE: u8 = 8;
/// A number follows: so many further processes are alike, each with the next pid, one chunk in the next slot and as many receives.
const ALIKE: u8 = 16;
/// A page has no more processes, so that few bytes cannot stand for endless ones.
const PAGE_PROCESSES: u64 = 4096;

/// Where a chunk is and what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChunkMeta {
    pub pid: u64,
    /// Number of its block, in the order of the file.
    pub block: u32,
    /// Its place in the block.
    pub slot: u32,
    pub restart: bool,
    /// So many further processes are like this one: each with the next pid, one chunk in the next slot of the same block, and as much in it.
    pub alike: u32,
    pub counts: Counts,
}

/// Adds the only chunk of a process; one entry stands for many that are alike.
#[inline]
pub(crate) fn push_whole(chunks: &mut Vec<ChunkMeta>, chunk: ChunkMeta) {
    if let Some(last) = chunks.last_mut()
        && last.pid.wrapping_add(u64::from(last.alike) + 1) == chunk.pid
        && last.slot + last.alike + 1 == chunk.slot
        && last.block == chunk.block
        && last.counts == chunk.counts
        && last.restart == chunk.restart
    {
        last.alike += 1;
        return;
    }
    chunks.push(chunk);
}

/// An entry for each process.
pub(crate) fn expanded(chunks: &[ChunkMeta]) -> Vec<ChunkMeta> {
    let each = |chunk: &ChunkMeta| {
        let chunk = *chunk;
        (0..=chunk.alike).map(move |i| ChunkMeta {
            pid: chunk.pid.wrapping_add(u64::from(i)),
            slot: chunk.slot + i,
            alike: 0,
            ..chunk
        })
    };
    chunks.iter().flat_map(each).collect()
}

/// A page of the index with what the directory says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    /// The first process in it.
    pub first_pid: u64,
    /// Receives of all processes before it.
    pub first_base: u64,
    pub bytes: Vec<u8>,
}

/// Makes the pages from chunks sorted by process, those of one process in the order of their actions. `base` gives the number of
/// receives before a process where it is not the sum of those before (in slices); it is not asked for processes that are alike another.
pub(crate) fn build(chunks: &[ChunkMeta], base: impl Fn(u64) -> Option<u64>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    let (mut last_pid, mut last_block, mut last_slot) = (0, 0, 0);
    let mut receives_before = 0;
    let mut in_page = 0;
    let mut processes = chunks.chunk_by(|a, b| a.pid == b.pid).peekable();
    // What is left of processes that are alike, where a page was full.
    let mut left: Option<ChunkMeta> = None;
    while let Some(first) = left.or_else(|| processes.peek().map(|process| process[0])) {
        let process = match &left {
            Some(chunk) => std::slice::from_ref(chunk),
            None => processes.next().unwrap_or_default(),
        };
        let receives: u64 = process.iter().map(|chunk| chunk.counts.receives).sum();
        let given = base(first.pid).filter(|base| *base != receives_before);
        if pages
            .last()
            .is_none_or(|page| page.bytes.len() >= PAGE_BYTES || in_page >= PAGE_PROCESSES)
        {
            let first_base = given.unwrap_or(receives_before);
            pages.push(Page {
                first_pid: first.pid,
                first_base,
                bytes: Vec::new(),
            });
            (last_pid, last_block, last_slot) = (first.pid, 0, 0);
            in_page = 0;
        }
        receives_before = given.unwrap_or(receives_before) + receives;
        let single = process.len() == 1 && first.restart;
        in_page += 1;
        let mut alike = u64::from(first.alike).min(PAGE_PROCESSES - in_page);
        receives_before += receives * alike;
        in_page += alike;
        let rest = u64::from(first.alike) - alike;
        let next = (rest > 0).then(|| ChunkMeta {
            pid: first.pid + alike + 1,
            slot: first.slot + alike as u32 + 1,
            alike: rest as u32 - 1,
            ..first
        });
        while single && next.is_none() && in_page < PAGE_PROCESSES {
            let wanted = ChunkMeta {
                pid: first.pid.wrapping_add(alike + 1),
                slot: first.slot + alike as u32 + 1,
                alike: 0,
                ..first
            };
            let is_alike = |next: &&[ChunkMeta]| match next {
                [chunk] => {
                    let counts = Counts {
                        receives: chunk.counts.receives,
                        ..wanted.counts
                    };
                    let expected = ChunkMeta { counts, ..wanted };
                    ChunkMeta { counts, ..*chunk } == expected
                        && counts.receives == receives
                        && base(chunk.pid).is_none_or(|base| base == receives_before)
                }
                _ => false,
            };
            if processes.next_if(is_alike).is_none() {
                break;
            }
            receives_before += receives;
            alike += 1;
            in_page += 1;
        }
        let out = &mut pages.last_mut().expect("a page was just added").bytes;
        let next_pid = first.pid == last_pid.wrapping_add(1);
        let next_slot = single && first.block == last_block && first.slot == last_slot + 1;
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        out.push(
            flag(next_pid, NEXT_PID)
                | flag(single, SINGLE)
                | flag(next_slot, NEXT_SLOT)
                | flag(given.is_some(), BASE)
                | flag(alike > 0, ALIKE),
        );
        if !next_pid {
            put(out, first.pid - last_pid);
        }
        put(out, receives);
        if let Some(base) = given {
            put(out, base);
        }
        if alike > 0 {
            put(out, alike);
        }
        if !single {
            put(out, process.len() as u64);
        }
        if !next_slot {
            put_difference(out, u64::from(last_block), u64::from(first.block));
        }
        if single && !next_slot {
            put(out, u64::from(first.slot));
        }
        if !single {
            let mut block = first.block;
            for (i, chunk) in process.iter().enumerate() {
                if i > 0 {
                    put(out, u64::from(chunk.block - block));
                    block = chunk.block;
                }
                put(out, u64::from(chunk.slot) << 1 | u64::from(chunk.restart));
                put(out, chunk.counts.actions);
                put(out, chunk.counts.sends);
                put(out, chunk.counts.receives);
            }
        }
        (last_pid, last_block, last_slot) = (first.pid + alike, first.block, first.slot + alike as u32);
        left = next;
    }
    pages
}

/// One chunk of a process, as the index has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChunkRef {
    pub block: u32,
    pub slot: u32,
    pub restart: bool,
    /// What the chunks before it hold.
    pub before: Counts,
}

/// The chunks of a process: nearly always one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Chunks {
    One(ChunkRef),
    /// More than one, and what they hold together. invariant: not empty, the first is a restart point.
    Many(Vec<ChunkRef>, Counts),
}

/// What the index has on a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProcIndex {
    pub pid: u64,
    /// Receives of all processes before it.
    pub base: u64,
    pub receives: u64,
    pub chunks: Chunks,
}

impl ProcIndex {
    pub fn chunks(&self) -> &[ChunkRef] {
        match &self.chunks {
            Chunks::One(chunk) => std::slice::from_ref(chunk),
            Chunks::Many(chunks, _) => chunks,
        }
    }

    /// What all chunks before the one at `at` hold; for the end, all; none where only the chunk itself tells.
    pub fn before(&self, at: usize) -> Option<Counts> {
        match &self.chunks {
            Chunks::One(_) => (at == 0).then(Counts::default),
            Chunks::Many(chunks, all) => Some(chunks.get(at).map_or(*all, |chunk| chunk.before)),
        }
    }

    /// The last restart point at which `reached` still holds of what comes before it.
    pub fn restart_before(&self, reached: impl Fn(&Counts) -> bool) -> usize {
        let chunks = self.chunks();
        let at = chunks.partition_point(|chunk| reached(&chunk.before));
        chunks[..at].iter().rposition(|chunk| chunk.restart).unwrap_or(0)
    }
}

/// Reads a page. `blocks` is the number of blocks that there are.
pub(crate) fn parse(page: &[u8], first_pid: u64, first_base: u64, blocks: u32) -> Result<Vec<ProcIndex>, Malformed> {
    let mut out: Vec<ProcIndex> = Vec::new();
    let at = &mut 0;
    let (mut last_pid, mut last_block, mut last_slot) = (first_pid, 0u32, 0u32);
    let mut base = first_base;
    while *at < page.len() {
        let start = *at;
        let wrong = |expected, found| Malformed {
            at: start,
            expected,
            found,
        };
        let flags = byte(page, at, "the flags of a process")?;
        let known = flags & !(NEXT_PID | SINGLE | NEXT_SLOT | BASE | ALIKE) == 0;
        if !known || (flags & (NEXT_SLOT | ALIKE) != 0 && flags & SINGLE == 0) {
            return Err(wrong("the flags of a process", u64::from(flags)));
        }
        let gap = if flags & NEXT_PID != 0 {
            1
        } else {
            get(page, at, "the distance to the next process")?
        };
        let Some(pid) = last_pid
            .checked_add(gap)
            .filter(|pid| out.is_empty() || *pid > last_pid)
        else {
            return Err(wrong("processes in ascending order", gap));
        };
        let receives = get(page, at, "a number of receives")?;
        if flags & BASE != 0 {
            let given = get(page, at, "the number of receives before")?;
            if given < base {
                return Err(wrong("ascending numbers of receives", given));
            }
            base = given;
        }
        let single = flags & SINGLE != 0;
        let alike = if flags & ALIKE != 0 {
            get(page, at, "a number of processes")?
        } else {
            0
        };
        if alike > PAGE_PROCESSES || out.len() as u64 + alike >= PAGE_PROCESSES {
            return Err(wrong("at most 4096 processes in a page", alike));
        }
        let count = if single {
            1
        } else {
            get(page, at, "a number of chunks")?
        };
        if count == 0 || count > (page.len() - *at) as u64 + 1 {
            return Err(wrong("a number of chunks", count));
        }
        let mut block = last_block;
        if flags & NEXT_SLOT == 0 {
            let number = get_difference(page, at, u64::from(last_block), "a block")?;
            block = u32::try_from(number).map_err(|_| wrong("the number of a block", number))?;
        }
        let known = |block: u32| {
            if block < blocks {
                Ok(block)
            } else {
                Err(wrong("the number of a block", u64::from(block)))
            }
        };
        let slot_of = |number: u64| u32::try_from(number).map_err(|_| wrong("the place of a chunk", number));
        let first_block = known(block)?;
        let first_slot;
        let chunks = if single {
            first_slot = match flags & NEXT_SLOT {
                0 => slot_of(get(page, at, "the place of a chunk")?)?,
                _ => last_slot
                    .checked_add(1)
                    .ok_or_else(|| wrong("the place of a chunk", u64::from(last_slot)))?,
            };
            Chunks::One(ChunkRef {
                block,
                slot: first_slot,
                restart: true,
                before: Counts::default(),
            })
        } else {
            let mut chunks = Vec::with_capacity(count as usize);
            let mut before = Counts::default();
            for i in 0..count {
                if i > 0 {
                    let gap = get(page, at, "the distance to the next block")?;
                    let next = u64::from(block).saturating_add(gap);
                    block = known(u32::try_from(next).unwrap_or(u32::MAX))?;
                }
                let packed = get(page, at, "the place of a chunk")?;
                let (slot, restart) = (slot_of(packed >> 1)?, packed & 1 != 0);
                if i == 0 && !restart {
                    return Err(wrong("a restart point at the first chunk", packed));
                }
                chunks.push(ChunkRef {
                    block,
                    slot,
                    restart,
                    before,
                });
                let actions = get(page, at, "a number of actions")?;
                let sends = get(page, at, "a number of sends")?;
                let receives = get(page, at, "a number of receives")?;
                let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| wrong("a sum below 2^64", b));
                before = Counts {
                    actions: sum(before.actions, actions)?,
                    sends: sum(before.sends, sends)?,
                    receives: sum(before.receives, receives)?,
                };
            }
            if before.receives != receives {
                return Err(wrong("the sum of the receives", receives));
            }
            first_slot = chunks[0].slot;
            Chunks::Many(chunks, before)
        };
        let next = |base: u64| {
            base.checked_add(receives)
                .ok_or_else(|| wrong("a sum below 2^64", receives))
        };
        out.push(ProcIndex {
            pid,
            base,
            receives,
            chunks,
        });
        base = next(base)?;
        (last_pid, last_block, last_slot) = (pid, first_block, first_slot);
        for _ in 0..alike {
            last_pid = last_pid
                .checked_add(1)
                .ok_or_else(|| wrong("a pid below 2^64", alike))?;
            last_slot = last_slot
                .checked_add(1)
                .ok_or_else(|| wrong("the place of a chunk", alike))?;
            let chunk = ChunkRef {
                block,
                slot: last_slot,
                restart: true,
                before: Counts::default(),
            };
            out.push(ProcIndex {
                pid: last_pid,
                base,
                receives,
                chunks: Chunks::One(chunk),
            });
            base = next(base)?;
        }
    }
    Ok(out)
}

/// Totals of a run, or of what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Processes.
    pub processes: u64,
    /// Actions, sends and receives of all of them.
    pub counts: Counts,
    /// Consistent cuts.
    pub cuts: u64,
}

/// Where everything in the file is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Directory {
    pub totals: Totals,
    /// Length of all blocks, with their headers.
    pub block_bytes: u64,
    /// Length of all pages of the index, with their headers.
    pub page_bytes: u64,
    /// Offsets of the blocks.
    pub blocks: Vec<u64>,
    /// First process, receives before it, offset of each page of the index.
    pub pages: Vec<(u64, u64, u64)>,
    /// First process and offset of each section of process outcomes.
    pub outcomes: Vec<(u64, u64)>,
    /// Offsets of all other sections that are read: header, program, texts, nodes, outcome.
    pub others: Vec<u64>,
}

impl Directory {
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self {
            totals,
            block_bytes,
            page_bytes,
            blocks,
            pages,
            outcomes,
            others,
        } = self;
        let Totals {
            processes,
            counts: Counts {
                actions,
                sends,
                receives,
            },
            cuts,
        } = totals;
        let mut out = Vec::new();
        let mut number = |value: u64| out.extend_from_slice(&value.to_le_bytes());
        for value in [
            *processes,
            *actions,
            *sends,
            *receives,
            *cuts,
            *block_bytes,
            *page_bytes,
        ] {
            number(value);
        }
        number(blocks.len() as u64);
        blocks.iter().for_each(|offset| number(*offset));
        number(pages.len() as u64);
        for (pid, base, offset) in pages {
            number(*pid);
            number(*base);
            number(*offset);
        }
        number(outcomes.len() as u64);
        for (pid, offset) in outcomes {
            number(*pid);
            number(*offset);
        }
        number(others.len() as u64);
        others.iter().for_each(|offset| number(*offset));
        out
    }

    /// The length of [`Directory::to_bytes`].
    pub const fn length(&self) -> u64 {
        let numbers = 11 + self.blocks.len() + 3 * self.pages.len() + 2 * self.outcomes.len() + self.others.len();
        numbers as u64 * 8
    }

    /// Reads the directory whose payload begins at `offset`.
    pub fn parse(bytes: &[u8], offset: u64) -> Result<Self> {
        let mut at = 0usize;
        let mut number = |left: &mut usize| -> Result<u64> {
            let Some(value) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
                return Err(Error::damaged(
                    offset + at as u64,
                    "a number of 8 bytes",
                    "the end of the directory",
                ));
            };
            at += 8;
            *left = bytes.len() - at;
            Ok(u64::from_le_bytes(*value))
        };
        let mut left = bytes.len();
        let mut totals = [0; 7];
        for total in &mut totals {
            *total = number(&mut left)?;
        }
        let [processes, actions, sends, receives, cuts, block_bytes, page_bytes] = totals;
        let count = |value: u64, left: usize, size: u64| -> Result<u64> {
            if value > left as u64 / size {
                return Err(Error::damaged(
                    offset,
                    format!("a directory with {value} entries"),
                    format_args!("{left} bytes"),
                ));
            }
            Ok(value)
        };
        let mut directory = Self {
            totals: Totals {
                processes,
                counts: Counts {
                    actions,
                    sends,
                    receives,
                },
                cuts,
            },
            block_bytes,
            page_bytes,
            ..Self::default()
        };
        for _ in 0..count(number(&mut left)?, left, 8)? {
            directory.blocks.push(number(&mut left)?);
        }
        for _ in 0..count(number(&mut left)?, left, 24)? {
            directory
                .pages
                .push((number(&mut left)?, number(&mut left)?, number(&mut left)?));
        }
        for _ in 0..count(number(&mut left)?, left, 16)? {
            directory.outcomes.push((number(&mut left)?, number(&mut left)?));
        }
        for _ in 0..count(number(&mut left)?, left, 8)? {
            directory.others.push(number(&mut left)?);
        }
        if left != 0 {
            return Err(Error::damaged(
                offset,
                "the end of the directory",
                format_args!("{left} bytes more"),
            ));
        }
        let ascending = directory.pages.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1)
            && directory.outcomes.is_sorted_by(|a, b| a.0 <= b.0)
            && directory.blocks.is_sorted_by(|a, b| a < b);
        if !ascending {
            return Err(Error::damaged(
                offset,
                "a directory in ascending order",
                "another order",
            ));
        }
        Ok(directory)
    }
}
