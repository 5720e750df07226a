//! Writing pages of the index.
use super::{ALIKE, BASE, ChunkMeta, NEXT_PID, NEXT_SLOT, PAGE_BYTES, PAGE_PROCESSES, Page, SINGLE};
use crate::action::Counts;
use crate::varint::{put, put_difference};

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
