//! Blocks: the chunks of several processes behind one table (FORMAT.md, "Blocks").

use std::sync::Arc;

use crate::action::{Action, Counts};
use crate::decode::{Decoded, Decoder};
use crate::encode::Piece;
use crate::ids::{ActionId, Node, Pid, SendNo};
use crate::kinds::Kind;
use crate::model::{Birth, Model, Parent};
use crate::varint::{Bytes, Malformed, byte, get, get_difference, put, put_difference};

/// A block is closed when it contains this many bytes of actions,
const BLOCK_BYTES: usize = 32 << 10;
/// or this many chunks.
pub(crate) const BLOCK_CHUNKS: u64 = 256;
/// The first chunk of a process has its counts in the table only if it is longer than this: a short one is quickly counted.
const COUNTED_BYTES: usize = 64;

/// Chunks with a shorter average length are tiny.
const TINY_CHUNK: u64 = 16;

/// The first chunk of its process: its birth follows.
const FIRST: u8 = 1;
/// A restart point.
const RESTART: u8 = 2;
/// Counts follow.
const COUNTS: u8 = 4;
/// The pid is one more than that of the chunk before.
const NEXT_PID: u8 = 8;
/// The parent is that of the last first chunk of this block.
const SAME_PARENT: u8 = 16;
/// The node follows; else it is node 0.
const NODE: u8 = 32;
/// The last action is the end of the process.
const ENDED: u8 = 64;

/// An entry of the table under construction: 8 numbers at most.
struct BlockEntry {
    bytes: [u8; 96],
    length: usize,
}

impl Default for BlockEntry {
    fn default() -> Self {
        Self {
            bytes: [0; 96],
            length: 0,
        }
    }
}

impl Bytes for BlockEntry {
    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }
}

/// Fills a block.
#[derive(Debug, Default)]
pub(crate) struct BlockBuilder {
    chunks: u64,
    table: Vec<u8>,
    data: Vec<u8>,
    last_pid: u64,
    last_parent: Option<Parent>,
    /// All actions in it.
    actions: u64,
}

/// The payload of a block.
#[derive(Debug)]
pub(crate) struct Filled {
    pub payload: Vec<u8>,
    /// The end of its table.
    pub table: usize,
    /// Is packing worth the time? Packing a byte takes as long as recording an action. So it is not worth it if an action takes half a byte
    /// anyway, nor for blocks of tiny chunks, which are mostly table.
    pub worth_packing: bool,
}

impl BlockBuilder {
    pub const fn is_empty(&self) -> bool {
        self.chunks == 0
    }

    pub const fn is_full(&self) -> bool {
        self.data.len() >= BLOCK_BYTES || self.chunks >= BLOCK_CHUNKS
    }

    /// The process of the last chunk; the next pid must not be lower.
    pub const fn last_pid(&self) -> u64 {
        self.last_pid
    }

    /// Adds a chunk and returns its index. Pids must not descend.
    pub fn add(&mut self, pid: Pid, birth: &Birth, piece: &Piece, bytes: &[u8]) -> u32 {
        let Piece {
            end: _,
            counts,
            restart,
            first,
            ended,
        } = *piece;
        let next_pid = pid.0 == self.last_pid.wrapping_add(1);
        if first
            && ended
            && next_pid
            && bytes.len() <= COUNTED_BYTES
            && birth.node == Node(0)
            && let (Some(parent), Some(last)) = (birth.parent, self.last_parent)
            && parent.spawn.pid == last.spawn.pid
        {
            // Fast path: short processes in a row.
            self.table
                .push(FIRST | ENDED | NEXT_PID | SAME_PARENT | if restart { RESTART } else { 0 });
            self.table.push(bytes.len() as u8);
            put_difference(&mut self.table, last.spawn.number.0, parent.spawn.number.0);
            put_difference(&mut self.table, last.sends.0, parent.sends.0);
            self.data.extend_from_slice(bytes);
            self.last_parent = birth.parent;
            self.last_pid = pid.0;
            self.chunks += 1;
            self.actions += counts.actions;
            return (self.chunks - 1) as u32;
        }
        let counted = !first || bytes.len() > COUNTED_BYTES;
        let same_parent = match (birth.parent, self.last_parent) {
            (Some(parent), Some(last)) => first && parent.spawn.pid == last.spawn.pid,
            _ => false,
        };
        let node = first && birth.node != Node(0);
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        let table = &mut BlockEntry::default();
        table.push(
            flag(first, FIRST)
                | flag(restart, RESTART)
                | flag(counted, COUNTS)
                | flag(next_pid, NEXT_PID)
                | flag(same_parent, SAME_PARENT)
                | flag(node, NODE)
                | flag(ended, ENDED),
        );
        if !next_pid {
            put(table, pid.0 - self.last_pid);
        }
        put(table, bytes.len() as u64);
        if first {
            match (birth.parent, self.last_parent) {
                (None, _) => put(table, 0),
                (Some(parent), Some(last)) if same_parent => {
                    put_difference(table, last.spawn.number.0, parent.spawn.number.0);
                    put_difference(table, last.sends.0, parent.sends.0);
                }
                (Some(Parent { spawn, sends }), _) => {
                    put_difference(table, pid.0, spawn.pid.0);
                    put(table, spawn.number.0);
                    put(table, sends.0);
                }
            }
            if birth.parent.is_some() {
                self.last_parent = birth.parent;
            }
            if node {
                put(table, u64::from(birth.node.0));
            }
        }
        if counted {
            put(table, counts.actions);
            put(table, counts.sends);
            put(table, counts.receives);
        }
        self.table.extend_from_slice(&table.bytes[..table.length]);
        self.data.extend_from_slice(bytes);
        self.last_pid = pid.0;
        self.chunks += 1;
        self.actions += counts.actions;
        (self.chunks - 1) as u32
    }

    /// Returns the payload of the section and empties the builder.
    pub fn finish(&mut self) -> Filled {
        let worth_packing =
            self.data.len() as u64 * 4 > self.actions * 3 && self.data.len() as u64 >= self.chunks * TINY_CHUNK;
        let mut out = Vec::with_capacity(self.table.len() + self.data.len() + 3);
        put(&mut out, self.chunks);
        out.append(&mut self.table);
        let table = out.len();
        out.append(&mut self.data);
        *self = Self {
            table: std::mem::take(&mut self.table),
            data: std::mem::take(&mut self.data),
            ..Self::default()
        };
        Filled {
            payload: out,
            table,
            worth_packing,
        }
    }
}

/// An entry of the table of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chunk {
    pub pid: u64,
    /// The start of its bytes in the payload. invariant: within it.
    pub start: usize,
    pub end: usize,
    pub restart: bool,
    pub ended: bool,
    pub counts: Option<Counts>,
    /// For the first chunk of a process.
    pub birth: Option<Birth>,
}

/// A block that has been read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Offset of the payload in the file.
    pub offset: u64,
    pub payload: Arc<[u8]>,
    pub chunks: Vec<Chunk>,
}

impl Block {
    pub fn parse(payload: Arc<[u8]>, offset: u64) -> Result<Self, Malformed> {
        let bytes = &payload[..];
        let at = &mut 0;
        let count = get(bytes, at, "a number of chunks")?;
        if count > bytes.len() as u64 {
            return Err(Malformed {
                at: 0,
                expected: "no more chunks than bytes",
                found: count,
            });
        }
        let mut chunks = Vec::with_capacity(count as usize);
        let mut last_pid = 0u64;
        let mut last_parent: Option<Parent> = None;
        // Ends are counted from the start of the data, whose position is not known yet.
        let mut end = 0usize;
        for _ in 0..count {
            let head = *at;
            let wrong = |expected, found| Malformed {
                at: head,
                expected,
                found,
            };
            let flags = byte(bytes, at, "the flags of a chunk")?;
            let first = flags & FIRST != 0;
            if flags & 0x80 != 0 || (!first && flags & (SAME_PARENT | NODE) != 0) || (first && flags & RESTART == 0) {
                return Err(wrong("the flags of a chunk", u64::from(flags)));
            }
            let gap = if flags & NEXT_PID != 0 {
                1
            } else {
                get(bytes, at, "the distance to the next process")?
            };
            let pid = last_pid
                .checked_add(gap)
                .ok_or_else(|| wrong("a pid below 2^64", gap))?;
            let length = get(bytes, at, "the length of a chunk")?;
            if length > (bytes.len() - end) as u64 {
                return Err(wrong("a length within the block", length));
            }
            let birth = if first {
                Some(birth(bytes, at, flags, pid, &mut last_parent)?)
            } else {
                None
            };
            let counts = if flags & COUNTS != 0 {
                Some(Counts {
                    actions: get(bytes, at, "a number of actions")?,
                    sends: get(bytes, at, "a number of sends")?,
                    receives: get(bytes, at, "a number of receives")?,
                })
            } else if first {
                None
            } else {
                return Err(wrong("counts of a chunk that is not the first", u64::from(flags)));
            };
            let start = end;
            end += length as usize;
            chunks.push(Chunk {
                pid,
                start,
                end,
                restart: flags & RESTART != 0,
                ended: flags & ENDED != 0,
                counts,
                birth,
            });
            last_pid = pid;
        }
        let data = *at;
        if end != bytes.len() - data {
            return Err(Malformed {
                at: data,
                expected: "chunks that fill the block",
                found: end as u64,
            });
        }
        for chunk in &mut chunks {
            chunk.start += data;
            chunk.end += data;
        }
        Ok(Self {
            offset,
            payload,
            chunks,
        })
    }

    /// The bytes of a chunk of this block.
    #[inline]
    pub fn bytes(&self, chunk: &Chunk) -> &[u8] {
        &self.payload[chunk.start..chunk.end]
    }

    /// The counts of a chunk; counted by decoding it if the table does not contain them.
    pub fn counts(&self, chunk: &Chunk) -> Result<Counts, Malformed> {
        if let Some(counts) = chunk.counts {
            return Ok(counts);
        }
        let model = match &chunk.birth {
            Some(birth) => Model::at_birth(Pid(chunk.pid), birth),
            None => Model::at_restart(Pid(chunk.pid)),
        };
        let mut decoder = Decoder::new(model);
        let mut counts = Counts::default();
        let mut action = Action::new(Kind::After);
        loop {
            match decoder.step(self.bytes(chunk), counts.actions, &mut action, false)? {
                Decoded::End => return Ok(counts),
                Decoded::Sends(n) => {
                    counts.actions += n;
                    counts.sends += n;
                }
                Decoded::Action => counts.add(&action),
            }
        }
    }
}

fn birth(bytes: &[u8], at: &mut usize, flags: u8, pid: u64, last: &mut Option<Parent>) -> Result<Birth, Malformed> {
    let start = *at;
    let parent = match (flags & SAME_PARENT != 0, *last) {
        (true, None) => {
            return Err(Malformed {
                at: start,
                expected: "a parent",
                found: u64::from(flags),
            });
        }
        (true, Some(Parent { spawn, sends })) => Some(Parent {
            spawn: ActionId::new(
                spawn.pid,
                get_difference(bytes, at, spawn.number.0, "the number of a spawn")?,
            ),
            sends: SendNo(get_difference(bytes, at, sends.0, "the number of a send")?),
        }),
        (false, _) => match get_difference(bytes, at, pid, "a parent")? {
            parent if parent == pid => None,
            parent => Some(Parent {
                spawn: ActionId::new(Pid(parent), get(bytes, at, "the number of a spawn")?),
                sends: SendNo(get(bytes, at, "the number of a send")?),
            }),
        },
    };
    if parent.is_some_and(|parent| parent.spawn.number.0 == 0) {
        return Err(Malformed {
            at: start,
            expected: "the number of a spawn from 1",
            found: 0,
        });
    }
    if parent.is_some() {
        *last = parent;
    }
    let mut node = Node(0);
    if flags & NODE != 0 {
        let found = get(bytes, at, "a node")?;
        node = u16::try_from(found).map(Node).map_err(|_| Malformed {
            at: start,
            expected: "a node below 65536",
            found,
        })?;
    }
    Ok(Birth { parent, node })
}
