//! Reading pages of the index.
use super::chunk::ChunkMeta;
use super::{ALIKE, BASE, ChunkRef, Chunks, NEXT_PID, NEXT_SLOT, PAGE_PROCESSES, ProcIndex, SINGLE};
use crate::action::Counts;
use crate::error::Result;
use crate::varint::{Malformed, byte, get, get_difference};

/// Expands groups of equal processes to one entry for each process.
pub(crate) fn expanded(chunks: &[ChunkMeta]) -> Vec<ChunkMeta> {
    let each = |chunk: &ChunkMeta| {
        let chunk = *chunk;
        (0..=chunk.alike).map(move |i| chunk.nth(i))
    };
    chunks.iter().flat_map(each).collect()
}

/// Parses a page. `blocks` is the number of blocks.
pub(crate) fn parse(page: &[u8], first_pid: u64, first_base: u64, blocks: u32) -> Result<Vec<ProcIndex>, Malformed> {
    let mut reading = PageReading {
        page,
        at: 0,
        entry: 0,
        blocks,
        last_pid: first_pid,
        last_block: 0,
        last_slot: 0,
        base: first_base,
        out: Vec::new(),
    };
    while reading.at < page.len() {
        reading.entry()?;
    }
    Ok(reading.out)
}

/// A page, read up to some place.
struct PageReading<'p> {
    page: &'p [u8],
    at: usize,
    /// Where the entry begins that is being read.
    entry: usize,
    blocks: u32,
    /// Of the entry before: its last process, and its first chunk.
    last_pid: u64,
    last_block: u32,
    last_slot: u32,
    /// Receives of all processes before.
    base: u64,
    out: Vec<ProcIndex>,
}

impl PageReading<'_> {
    fn wrong(&self, expected: &'static str, found: u64) -> Malformed {
        Malformed {
            at: self.entry,
            expected,
            found,
        }
    }

    fn number(&mut self, expected: &'static str) -> Result<u64, Malformed> {
        get(self.page, &mut self.at, expected)
    }

    /// One entry: a process, and those that follow and are alike.
    fn entry(&mut self) -> Result<(), Malformed> {
        self.entry = self.at;
        let flags = self.flags()?;
        let pid = self.pid(flags)?;
        let receives = self.number("a number of receives")?;
        if flags & BASE != 0 {
            let given = self.number("the number of receives before")?;
            if given < self.base {
                return Err(self.wrong("ascending numbers of receives", given));
            }
            self.base = given;
        }
        let alike = self.alike(flags)?;
        let count = if flags & SINGLE != 0 {
            1
        } else {
            self.number("a number of chunks")?
        };
        if count == 0 || count > (self.page.len() - self.at) as u64 + 1 {
            return Err(self.wrong("a number of chunks", count));
        }
        let block = self.first_block(flags)?;
        let chunks = if flags & SINGLE != 0 {
            Chunks::One(self.only_chunk(flags, block)?)
        } else {
            self.many_chunks(count, block, receives)?
        };
        (self.last_pid, self.last_block) = (pid, block);
        self.last_slot = match &chunks {
            Chunks::One(chunk) => chunk.slot,
            Chunks::Many(chunks, _) => chunks[0].slot,
        };
        self.push(receives, chunks)?;
        for _ in 0..alike {
            self.last_pid = (self.last_pid.checked_add(1)).ok_or_else(|| self.wrong("a pid below 2^64", alike))?;
            self.last_slot = self.slot_after()?;
            let chunk = whole(self.last_block, self.last_slot);
            self.push(receives, Chunks::One(chunk))?;
        }
        Ok(())
    }

    fn flags(&mut self) -> Result<u8, Malformed> {
        let flags = byte(self.page, &mut self.at, "the flags of a process")?;
        let known = flags & !(NEXT_PID | SINGLE | NEXT_SLOT | BASE | ALIKE) == 0;
        if !known || (flags & (NEXT_SLOT | ALIKE) != 0 && flags & SINGLE == 0) {
            return Err(self.wrong("the flags of a process", u64::from(flags)));
        }
        Ok(flags)
    }

    fn pid(&mut self, flags: u8) -> Result<u64, Malformed> {
        let gap = match flags & NEXT_PID {
            0 => self.number("the distance to the next process")?,
            _ => 1,
        };
        let pid = self.last_pid.checked_add(gap);
        pid.filter(|pid| self.out.is_empty() || *pid > self.last_pid)
            .ok_or_else(|| self.wrong("processes in ascending order", gap))
    }

    /// How many of the processes that follow are alike.
    fn alike(&mut self, flags: u8) -> Result<u64, Malformed> {
        let alike = match flags & ALIKE {
            0 => 0,
            _ => self.number("a number of processes")?,
        };
        if alike > PAGE_PROCESSES || self.out.len() as u64 + alike >= PAGE_PROCESSES {
            return Err(self.wrong("at most 4096 processes in a page", alike));
        }
        Ok(alike)
    }

    fn first_block(&mut self, flags: u8) -> Result<u32, Malformed> {
        if flags & NEXT_SLOT != 0 {
            return self.known(u64::from(self.last_block));
        }
        let number = get_difference(self.page, &mut self.at, u64::from(self.last_block), "a block")?;
        self.known(number)
    }

    /// A block that there is.
    fn known(&self, block: u64) -> Result<u32, Malformed> {
        let number = u32::try_from(block).ok().filter(|block| *block < self.blocks);
        number.ok_or_else(|| self.wrong("the number of a block", block))
    }

    fn slot(&self, number: u64) -> Result<u32, Malformed> {
        u32::try_from(number).map_err(|_| self.wrong("the place of a chunk", number))
    }

    fn slot_after(&self) -> Result<u32, Malformed> {
        let next = self.last_slot.checked_add(1);
        next.ok_or_else(|| self.wrong("the place of a chunk", u64::from(self.last_slot)))
    }

    fn only_chunk(&mut self, flags: u8, block: u32) -> Result<ChunkRef, Malformed> {
        let slot = if flags & NEXT_SLOT != 0 {
            self.slot_after()?
        } else {
            let number = self.number("the place of a chunk")?;
            self.slot(number)?
        };
        Ok(whole(block, slot))
    }

    fn many_chunks(&mut self, count: u64, first_block: u32, receives: u64) -> Result<Chunks, Malformed> {
        let mut chunks = Vec::with_capacity(count as usize);
        let mut block = first_block;
        let mut before = Counts::default();
        for i in 0..count {
            if i > 0 {
                let gap = self.number("the distance to the next block")?;
                block = self.known(u64::from(block).saturating_add(gap))?;
            }
            let packed = self.number("the place of a chunk")?;
            let (slot, restart) = (self.slot(packed >> 1)?, packed & 1 != 0);
            if i == 0 && !restart {
                return Err(self.wrong("a restart point at the first chunk", packed));
            }
            chunks.push(ChunkRef {
                block,
                slot,
                restart,
                before,
            });
            let actions = self.number("a number of actions")?;
            let sends = self.number("a number of sends")?;
            let receives = self.number("a number of receives")?;
            before = Counts {
                actions: self.sum(before.actions, actions)?,
                sends: self.sum(before.sends, sends)?,
                receives: self.sum(before.receives, receives)?,
            };
        }
        if before.receives != receives {
            return Err(self.wrong("the sum of the receives", receives));
        }
        Ok(Chunks::Many(chunks, before))
    }

    fn sum(&self, a: u64, b: u64) -> Result<u64, Malformed> {
        a.checked_add(b).ok_or_else(|| self.wrong("a sum below 2^64", b))
    }

    /// Adds the process that was read last.
    fn push(&mut self, receives: u64, chunks: Chunks) -> Result<(), Malformed> {
        self.out.push(ProcIndex {
            pid: self.last_pid,
            base: self.base,
            receives,
            chunks,
        });
        self.base = self.sum(self.base, receives)?;
        Ok(())
    }
}

/// A chunk that holds all of a process.
fn whole(block: u32, slot: u32) -> ChunkRef {
    ChunkRef {
        block,
        slot,
        restart: true,
        before: Counts::default(),
    }
}
