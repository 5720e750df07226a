//! Blocks of processes that were born and have ended between two cuts. They are filled when a process ends: its log is then still in the
//! processor's cache, and neither waits nor is sorted.

use crate::action::Counts;
use crate::block::{BlockBuilder, Filled};
use crate::encode::ProcLog;
use crate::index::{ChunkMeta, push_whole};

/// Blocks for the next cut.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    builder: BlockBuilder,
    /// Blocks that are full.
    full: Vec<Filled>,
    /// Their chunks; blocks are counted from the first of `full`.
    chunks: Vec<ChunkMeta>,
}

impl Stream {
    pub const fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Takes over the log of a process that has ended; the log can then only be renewed. False, with nothing done, if its birth is in an
    /// earlier cut, or its number is lower than that of the process before: then it must wait and be sorted.
    #[inline]
    pub fn add(&mut self, log: &mut ProcLog) -> bool {
        let pid = log.pid();
        if self.builder.is_full() {
            self.full.push(self.builder.finish());
        }
        if pid.0 < self.builder.last_pid() {
            return false;
        }
        let Some((birth, piece, bytes)) = log.whole() else {
            return false;
        };
        let slot = self.builder.add(pid, birth, &piece, bytes);
        push_whole(
            &mut self.chunks,
            ChunkMeta {
                pid: pid.0,
                block: self.full.len() as u32,
                slot,
                restart: piece.restart,
                ended: true,
                alike: 0,
                counts: piece.counts,
            },
        );
        true
    }

    /// Removes and returns all blocks and their chunks. The first block gets the number `first`.
    pub fn take(&mut self, first: u32) -> (Vec<Filled>, impl Iterator<Item = ChunkMeta> + '_) {
        if !self.builder.is_empty() {
            self.full.push(self.builder.finish());
        }
        let chunks = self.chunks.drain(..).map(move |chunk| ChunkMeta {
            block: first + chunk.block,
            ..chunk
        });
        (std::mem::take(&mut self.full), chunks)
    }
}

/// What an entry stands for: the number of processes, and their counts.
pub(crate) fn all(chunk: &ChunkMeta) -> (u64, Counts) {
    let times = 1 + u64::from(chunk.alike);
    let Counts {
        actions,
        sends,
        receives,
    } = chunk.counts;
    let counts = Counts {
        actions: actions * times,
        sends: sends * times,
        receives: receives * times,
    };
    (times, counts)
}
