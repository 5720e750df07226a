//! Writing pages of the index.
use super::chunk::ChunkMeta;
use super::{ALIKE, BASE, NEXT_PID, NEXT_SLOT, PAGE_BYTES, PAGE_PROCESSES, Page, SINGLE};
use crate::varint::{put, put_difference};

/// Adds the only chunk of a process; one entry stands for many equal ones.
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

/// Makes the pages from chunks sorted by process, those of one process in the order of their actions. `base` returns the number of receives
/// before a process if it is not the sum of those before (in slices); it is not called for processes that are equal to another one.
pub(crate) fn build(chunks: &[ChunkMeta], base: impl Fn(u64) -> Option<u64>) -> Vec<Page> {
    let mut pages = PageWriting::default();
    let mut processes = chunks.chunk_by(|a, b| a.pid == b.pid).peekable();
    // The rest of a group of equal processes, if a page was full.
    let mut left: Option<ChunkMeta> = None;
    while let Some(first) = left.or_else(|| processes.peek().map(|process| process[0])) {
        let process = match &left {
            Some(chunk) => std::slice::from_ref(chunk),
            None => processes.next().unwrap_or_default(),
        };
        let mut entry = pages.entry(process, base(first.pid));
        let room = PAGE_PROCESSES - pages.in_page;
        entry.alike = u64::from(first.alike).min(room);
        let rest = u64::from(first.alike) - entry.alike;
        let after = (rest > 0).then(|| ChunkMeta {
            alike: rest as u32 - 1,
            ..entry.next_alike()
        });
        while entry.single && after.is_none() && entry.alike < room {
            let wanted = entry.next_alike();
            let before = pages.receives_before + entry.receives * entry.alike;
            let is_alike = |next: &&[ChunkMeta]| {
                let [chunk] = next else { return false };
                // Of a process with one chunk, a page says only the receives.
                let counts = wanted.counts;
                ChunkMeta { counts, ..*chunk } == wanted
                    && chunk.counts.receives == entry.receives
                    && base(chunk.pid).is_none_or(|base| base == before)
            };
            if processes.next_if(is_alike).is_none() {
                break;
            }
            entry.alike += 1;
        }
        pages.put(&entry);
        left = after;
    }
    pages.pages
}

/// One entry of a page: a process, and so many that follow and are alike.
struct PageEntry<'c> {
    process: &'c [ChunkMeta],
    first: ChunkMeta,
    /// The process has one chunk, which stands for itself.
    single: bool,
    /// Receives of the process.
    receives: u64,
    /// Receives before it, where they are not the sum of those before.
    base: Option<u64>,
    alike: u64,
}

impl PageEntry<'_> {
    /// What the only chunk of the next process would be, were it alike, too.
    fn next_alike(&self) -> ChunkMeta {
        ChunkMeta {
            pid: self.first.pid.wrapping_add(self.alike + 1),
            slot: self.first.slot + self.alike as u32 + 1,
            alike: 0,
            ..self.first
        }
    }
}

/// Pages, written up to some process.
#[derive(Default)]
struct PageWriting {
    pages: Vec<Page>,
    /// Processes of the last page.
    in_page: u64,
    receives_before: u64,
    last_pid: u64,
    last_block: u32,
    last_slot: u32,
}

impl PageWriting {
    /// Begins with a process, on a new page where the last one is full.
    fn entry<'c>(&mut self, process: &'c [ChunkMeta], base: Option<u64>) -> PageEntry<'c> {
        let first = process[0];
        let receives: u64 = process.iter().map(|chunk| chunk.counts.receives).sum();
        let base = base.filter(|base| *base != self.receives_before);
        let is_full = |page: &Page| page.bytes.len() >= PAGE_BYTES || self.in_page >= PAGE_PROCESSES;
        if self.pages.last().is_none_or(is_full) {
            self.pages.push(Page {
                first_pid: first.pid,
                first_base: base.unwrap_or(self.receives_before),
                bytes: Vec::new(),
            });
            (self.last_pid, self.last_block, self.last_slot) = (first.pid, 0, 0);
            self.in_page = 0;
        }
        self.receives_before = base.unwrap_or(self.receives_before) + receives;
        self.in_page += 1;
        PageEntry {
            process,
            first,
            single: process.len() == 1 && first.restart,
            receives,
            base,
            alike: 0,
        }
    }

    /// Writes an entry that [`PageWriting::entry`] began.
    fn put(&mut self, entry: &PageEntry<'_>) {
        let PageEntry {
            process,
            first,
            single,
            receives,
            base,
            alike,
        } = *entry;
        self.receives_before += receives * alike;
        self.in_page += alike;
        let out = &mut self.pages.last_mut().expect("a page was just added").bytes;
        let next_pid = first.pid == self.last_pid.wrapping_add(1);
        let next_slot = single && first.block == self.last_block && first.slot == self.last_slot + 1;
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        out.push(
            flag(next_pid, NEXT_PID)
                | flag(single, SINGLE)
                | flag(next_slot, NEXT_SLOT)
                | flag(base.is_some(), BASE)
                | flag(alike > 0, ALIKE),
        );
        if !next_pid {
            put(out, first.pid - self.last_pid);
        }
        put(out, receives);
        if let Some(base) = base {
            put(out, base);
        }
        if alike > 0 {
            put(out, alike);
        }
        if !single {
            put(out, process.len() as u64);
        }
        if !next_slot {
            put_difference(out, u64::from(self.last_block), u64::from(first.block));
        }
        if !single {
            put_chunks(out, process);
        } else if !next_slot {
            put(out, u64::from(first.slot));
        }
        (self.last_pid, self.last_block) = (first.pid + alike, first.block);
        self.last_slot = first.slot + alike as u32;
    }
}

fn put_chunks(out: &mut Vec<u8>, process: &[ChunkMeta]) {
    let mut block = process[0].block;
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
