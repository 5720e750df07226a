//! Reading pages of the index.
use super::{ALIKE, BASE, ChunkMeta, ChunkRef, Chunks, NEXT_PID, NEXT_SLOT, PAGE_PROCESSES, ProcIndex, SINGLE};
use crate::action::Counts;
use crate::error::Result;
use crate::varint::{Malformed, byte, get, get_difference};

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
