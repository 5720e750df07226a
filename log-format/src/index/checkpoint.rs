//! Checkpoints of the index: what is in the blocks since the last one. They are written while a run is recorded, so that a trace whose recorder was
//! killed need not be read as a whole (FORMAT.md, "Checkpoints").
use super::chunk::ChunkMeta;
use crate::action::Counts;
use crate::block::BLOCK_CHUNKS;
use crate::error::Result;
use crate::varint::{Malformed, byte, get, get_difference, put, put_difference};

/// The chunk is a restart point.
const RESTART: u8 = 1;

/// The process ends in it.
const ENDED: u8 = 2;

/// The pid is one more than that before.
const NEXT_PID: u8 = 4;

/// It is the next chunk of the same block.
const NEXT_SLOT: u8 = 8;

/// A number follows: this many further processes are equal, each with the next pid, in the next slot, and with the same counts.
const ALIKE: u8 = 16;

/// Writes a checkpoint. `blocks`: the blocks that it is about, by number; `cuts`: the number of its cut.
pub(crate) fn put_checkpoint<'c>(
    out: &mut Vec<u8>,
    blocks: std::ops::Range<u32>,
    cuts: u64,
    chunks: impl Iterator<Item = &'c ChunkMeta>,
) {
    put(out, u64::from(blocks.end));
    put(out, cuts);
    let mut last = start(blocks.start);
    for chunk in chunks {
        let next_pid = chunk.pid == last.pid.wrapping_add(1);
        let next_slot = chunk.block == last.block && chunk.slot == last.slot + 1;
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        out.push(
            flag(chunk.restart, RESTART)
                | flag(chunk.ended, ENDED)
                | flag(next_pid, NEXT_PID)
                | flag(next_slot, NEXT_SLOT)
                | flag(chunk.alike > 0, ALIKE),
        );
        if !next_pid {
            put_difference(out, last.pid, chunk.pid);
        }
        if !next_slot {
            put_difference(out, u64::from(last.block), u64::from(chunk.block));
            put(out, u64::from(chunk.slot));
        }
        if chunk.alike > 0 {
            put(out, u64::from(chunk.alike));
        }
        put(out, chunk.counts.actions);
        put(out, chunk.counts.sends);
        put(out, chunk.counts.receives);
        last = chunk.nth(chunk.alike);
    }
}

/// What the first chunk is told from.
fn start(block: u32) -> ChunkMeta {
    ChunkMeta {
        pid: 0,
        block,
        slot: 0,
        restart: false,
        ended: false,
        alike: 0,
        counts: Counts::default(),
    }
}

/// A checkpoint, read.
pub(crate) struct Checkpoint {
    /// The number of its cut.
    pub cuts: u64,
    /// The chunks since the last checkpoint, none of them alike; those of one process in the order of its actions.
    pub chunks: Vec<ChunkMeta>,
}

/// Reads a checkpoint that is about these blocks.
///
/// # Errors
/// It is about others, or not as [`put_checkpoint`] writes it.
pub(crate) fn checkpoint(payload: &[u8], blocks: std::ops::Range<u32>) -> Result<Checkpoint, Malformed> {
    let mut at = 0;
    let wrong = |at, expected, found| Malformed { at, expected, found };
    let so_far = get(payload, &mut at, "a number of blocks")?;
    if so_far != u64::from(blocks.end) {
        return Err(wrong(0, "the number of blocks before it", so_far));
    }
    let cuts = get(payload, &mut at, "a number of cuts")?;
    // A block has so many chunks at most.
    let most = u64::from(blocks.end - blocks.start) * BLOCK_CHUNKS;
    let (mut chunks, mut last) = (Vec::new(), start(blocks.start));
    while at < payload.len() {
        let entry = at;
        let flags = byte(payload, &mut at, "the flags of a chunk")?;
        if flags & !(RESTART | ENDED | NEXT_PID | NEXT_SLOT | ALIKE) != 0 {
            return Err(wrong(entry, "the flags of a chunk", u64::from(flags)));
        }
        let pid = match flags & NEXT_PID {
            0 => get_difference(payload, &mut at, last.pid, "a process")?,
            _ => last.pid.wrapping_add(1),
        };
        let (block, slot) = match flags & NEXT_SLOT {
            0 => (
                get_difference(payload, &mut at, u64::from(last.block), "a block")?,
                get(payload, &mut at, "the place of a chunk")?,
            ),
            _ => (u64::from(last.block), u64::from(last.slot) + 1),
        };
        let alike = match flags & ALIKE {
            0 => 0,
            _ => get(payload, &mut at, "a number of processes")?,
        };
        let number = |at: &mut usize| get(payload, at, "a number of actions");
        let counts = Counts {
            actions: number(&mut at)?,
            sends: number(&mut at)?,
            receives: number(&mut at)?,
        };
        let block = u32::try_from(block).ok().filter(|block| blocks.contains(block));
        let block = block.ok_or_else(|| wrong(entry, "a block since the last checkpoint", so_far))?;
        if slot >= BLOCK_CHUNKS || alike >= BLOCK_CHUNKS - slot || pid.checked_add(alike).is_none() {
            return Err(wrong(entry, "places in a block", slot));
        }
        if chunks.len() as u64 + alike >= most {
            return Err(wrong(entry, "as many chunks as the blocks can hold", most));
        }
        let first = ChunkMeta {
            pid,
            block,
            slot: slot as u32,
            restart: flags & RESTART != 0,
            ended: flags & ENDED != 0,
            alike: 0,
            counts,
        };
        chunks.extend((0..=alike as u32).map(|i| first.nth(i)));
        last = first.nth(alike as u32);
    }
    // A process is in one list of the writer, in the order of its actions. No file can make it otherwise.
    chunks.sort_by_key(|chunk| (chunk.pid, chunk.block));
    Ok(Checkpoint { cuts, chunks })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(pid: u64, block: u32, slot: u32, actions: u64) -> ChunkMeta {
        ChunkMeta {
            pid,
            slot,
            restart: true,
            ended: pid.is_multiple_of(2),
            counts: Counts {
                actions,
                sends: actions / 2,
                receives: 1,
            },
            ..start(block)
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let whole = ChunkMeta {
            alike: 3,
            ..chunk(40, 6, 1, 9)
        };
        let written = [
            chunk(7, 5, 0, 300),
            chunk(8, 5, 1, 1),
            whole,
            chunk(2, 6, 9, 5),
            chunk(7, 6, 10, 8),
        ];
        let mut bytes = Vec::new();
        put_checkpoint(&mut bytes, 5..7, 12, written.iter());
        let read = checkpoint(&bytes, 5..7).expect("a checkpoint");
        let mut expected = vec![
            chunk(2, 6, 9, 5),
            chunk(7, 5, 0, 300),
            chunk(7, 6, 10, 8),
            chunk(8, 5, 1, 1),
        ];
        expected.extend((0..4).map(|i| whole.nth(i)));
        assert_eq!((read.cuts, read.chunks), (12, expected));
        assert!(checkpoint(&bytes, 5..8).is_err(), "it is about fewer blocks");
        assert!(checkpoint(&bytes, 6..7).is_err(), "a chunk is in a block before");
    }

    #[test]
    fn no_bytes_are_too_strange() {
        let mut bytes = Vec::new();
        let written = [
            chunk(7, 5, 0, 300),
            ChunkMeta {
                alike: 200,
                ..chunk(9, 5, 1, 1)
            },
        ];
        put_checkpoint(&mut bytes, 5..6, 12, written.iter());
        for at in 0..bytes.len() {
            for value in 0..=255 {
                let mut other = bytes.clone();
                other[at] = value;
                if let Ok(read) = checkpoint(&other, 5..6) {
                    assert!(read.chunks.len() as u64 <= BLOCK_CHUNKS, "byte {at} is {value}");
                }
            }
            let _cut = checkpoint(&bytes[..at], 5..6);
        }
    }
}
