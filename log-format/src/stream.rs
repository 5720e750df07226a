//! Blocks of processes that were born and have ended between two cuts, filled as they end: what such a process logged is then still in the
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
    /// What they hold; blocks are counted from the first of these.
    chunks: Vec<ChunkMeta>,
}

impl Stream {
    pub const fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Takes over the log of a process that has ended; the log can then only be renewed. False, and nothing is done, if its birth is in an
    /// earlier cut, or its number below that of the process before: it has to wait and be sorted.
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
                alike: 0,
                counts: piece.counts,
            },
        );
        true
    }

    /// All blocks and what they hold; nothing is left. The first block has number `first`.
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

/// What an entry stands for: how many processes, and what they hold.
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
