//! The state that writer and reader of a log share at every byte, so that a common action takes one byte (FORMAT.md, "Actions").
//!
//! A log is a sequence of *items*, each followed by a run of plain sends. The length of the run is predicted (the last one after an item of the
//! same sender, or of the same sort), and written only if the prediction fails. A `rec` identifies its sender by its place in a list, in which
//! a sender that is used again moves half way to the front, and the k of the message by the gap to the last k received from that sender.

use crate::action::Access;
use crate::ids::{ActionId, Node, Pid, SendNo};

/// A `rec` in one byte: `place << 2 | gap - 1`, place below 16, gap 1 to 4.
pub(crate) const SHORT_END: u8 = 0x40;
/// A `rec` in two bytes: `(byte - SHORT_END) << 8 | next` = place × [`GAPS`] + gap - 1.
pub(crate) const MEDIUM_END: u8 = 0xd8;
/// How many places and gaps the two-byte `rec` holds: 128 × 304 = (0xd8 - 0x40) × 256.
pub(crate) const PLACES: usize = 128;
/// See [`PLACES`].
pub(crate) const GAPS: u64 = 304;
/// A `rec` in three bytes from a place below 65,536 with gap 1: the place in the next two bytes.
pub(crate) const OP_REC_PLACE: u8 = 0xd8;
/// A `rec` in three bytes from place 0 to 3 (added to this) with a gap up to 65,536: the gap - 1 in the next two bytes.
pub(crate) const OP_REC_GAP: u8 = 0xd9;
/// A `rec` in three bytes: `(byte - OP_REC_LARGE) << 16 | next two` = place × [`LARGE_GAPS`] + gap - 1.
pub(crate) const OP_REC_LARGE: u8 = 0xdd;
/// How many places and gaps it holds: 1,024 × 192 = (0xe0 - 0xdd) × 65,536.
pub(crate) const LARGE_PLACES: usize = 1024;
/// See [`LARGE_PLACES`].
pub(crate) const LARGE_GAPS: u64 = 192;
/// The length of the run of sends after the last item: `byte - RUN`, or 15 and a number to add.
pub(crate) const RUN: u8 = 0xe0;
/// See [`RUN`].
pub(crate) const RUN_LONG: u8 = 0xef;
/// The maximal length of a run, so that a few bytes cannot stand for endless work. It goes on after an [`OP_SEND`].
pub(crate) const RUN_MAX: u64 = 1 << 16;

/// `rec`: place, difference to the last k.
pub(crate) const OP_REC: u8 = 0xf0;
/// `rec` of the first message of a new sender: difference of its pid to the last new sender.
pub(crate) const OP_REC_FIRST: u8 = 0xf1;
/// `rec` from a new sender: difference of its pid, k.
pub(crate) const OP_REC_NEW: u8 = 0xf2;
/// `after`.
pub(crate) const OP_AFTER: u8 = 0xf3;
/// `spawn` of the pid after the last child.
pub(crate) const OP_SPAWN_NEXT: u8 = 0xf4;
/// `spawn`: difference of the pid to the last child.
pub(crate) const OP_SPAWN: u8 = 0xf5;
/// `exit(normal)`.
pub(crate) const OP_EXIT: u8 = 0xf6;
/// `send` with one access.
pub(crate) const OP_SEND_ACCESS: u8 = 0xf7;
/// One access alone.
pub(crate) const OP_ACCESS: u8 = 0xf8;
/// `input`: length, bytes.
pub(crate) const OP_INPUT: u8 = 0xf9;
/// `output` to standard output: number of bytes.
pub(crate) const OP_OUTPUT: u8 = 0xfa;
/// `observe` of the process's own state: length, bytes.
pub(crate) const OP_OBSERVE: u8 = 0xfb;
/// Any action, in full.
pub(crate) const OP_FULL: u8 = 0xfc;
/// `rec` of a 'DOWN' for a monitor of the process itself: difference of the pid that ended to itself, k of the reference.
pub(crate) const OP_REC_DOWN: u8 = 0xfd;
/// `rec` of a link signal: difference of the pid that ended to itself.
pub(crate) const OP_REC_LINK: u8 = 0xfe;
/// One `send` as an item of its own, after a run of [`RUN_MAX`].
pub(crate) const OP_SEND: u8 = 0xff;

/// In the second byte of [`OP_FULL`]: the number of sends follows.
pub(crate) const FULL_SENDS: u8 = 0x20;
/// In the second byte of [`OP_FULL`]: accesses follow.
pub(crate) const FULL_ACCESSES: u8 = 0x40;

/// How many accesses are remembered.
pub(crate) const RECENT: usize = 16;
/// Below this, an access equal to a remembered one: its place. From here on, only the resource is that of the remembered one.
pub(crate) const ACCESS_SAME_RESOURCE: u8 = 0x10;
/// From here on, an access in full: + number of the resource kind + flags.
pub(crate) const ACCESS_FULL: u8 = 0x40;
/// Before an access to a key: the table has not been used before. Codes from here on belong to keys.
pub(crate) const KEY_TABLE_NEW: u8 = 0x20;
/// Before an access to a key: the place of the table.
pub(crate) const KEY_TABLE: u8 = 0x21;
/// Before an access to a key: the version that the preceding read of the table itself has seen.
pub(crate) const KEY_TABLE_READ: u8 = 0x22;
/// As [`KEY_TABLE_READ`], with the writer of that version.
pub(crate) const KEY_TABLE_READ_BY: u8 = 0x23;
/// From here on, an access to the key of a table, with the flags below, and with [`ACCESS_WRITE`].
pub(crate) const ACCESS_KEY: u8 = 0x80;
/// The key is new: its hash follows; else its place.
pub(crate) const KEY_NEW: u8 = 0x40;
/// A read of the table itself comes before, which sees the same as the last such read.
pub(crate) const KEY_READ: u8 = 0x20;
/// Another version than expected.
pub(crate) const KEY_VERSION: u8 = 0x08;
/// The writer is the one that is known.
pub(crate) const KEY_BY_KNOWN: u8 = 0x01;
/// The writer follows.
pub(crate) const KEY_BY: u8 = 0x02;
/// Flag of an access: a write.
pub(crate) const ACCESS_WRITE: u8 = 0x10;
/// Flag of an access: its cause is named.
pub(crate) const ACCESS_BY: u8 = 0x20;

/// A sender from which the process has received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender {
    /// Its pid.
    pub pid: u64,
    /// The k of the last message received from it.
    pub last_k: u64,
    /// How many plain sends followed. invariant: at most [`RUN_MAX`].
    pub run: u32,
    /// For the writer, where its own table says this place. Here, because both change together.
    pub noted: u32,
}

/// The item before the current run of sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    /// The beginning of a chunk.
    Nothing,
    /// A `rec` from the sender at this place.
    Sender(u32),
    /// Any other item.
    Other,
}

/// The birth of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Birth {
    /// `None` for an entry process.
    pub parent: Option<Parent>,
    /// Its node.
    pub node: Node,
}

/// The process that spawned a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parent {
    /// The parent's spawn.
    pub spawn: ActionId,
    /// How many signals the parent had sent by then.
    pub sends: SendNo,
}

/// The shared state. Reset at every restart point. What a `rec` uses comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Model {
    /// The senders, recent and frequent ones in front.
    pub senders: Vec<Sender>,
    /// The item before the current run. invariant: a place in it is an index of `senders`.
    pub after: After,
    /// The predicted length of the current run.
    pub expected: u64,
    /// The last run of sends after a `rec`.
    pub rec_run: u64,
    /// The last run of sends after another item.
    pub other_run: u64,
    /// The last sender that was new, at first the process itself.
    pub last_new: u64,
    /// The last process spawned, at first the process itself.
    pub last_child: u64,
    /// The process whose log it is.
    pub me: u64,
    /// The remembered accesses.
    pub recent: Recent,
}

impl Model {
    /// The state at the start of the first chunk of a process: its parent is known as a sender.
    pub fn at_birth(me: Pid, birth: &Birth) -> Self {
        let mut model = Self::at_restart(me);
        model.know_parent(birth);
        model
    }

    /// Adds the parent as a sender.
    pub fn know_parent(&mut self, birth: &Birth) {
        if let Some(Parent { spawn, sends }) = birth.parent {
            self.senders.push(Sender {
                pid: spawn.pid.0,
                last_k: sends.0,
                run: 0,
                noted: 0,
            });
        }
    }

    /// As [`Model::at_restart`], for another process, keeping the memory.
    pub fn renew(&mut self, me: Pid) {
        self.me = me.0;
        self.restart();
    }

    /// The state at any other restart point: empty.
    pub const fn at_restart(me: Pid) -> Self {
        Self {
            me: me.0,
            senders: Vec::new(),
            recent: Recent(Vec::new()),
            last_child: me.0,
            last_new: me.0,
            rec_run: 0,
            other_run: 0,
            after: After::Nothing,
            expected: 0,
        }
    }

    /// Resets everything, keeping the memory.
    pub fn restart(&mut self) {
        self.senders.clear();
        self.recent.0.clear();
        self.last_child = self.me;
        self.last_new = self.me;
        self.rec_run = 0;
        self.other_run = 0;
        self.begin_chunk();
    }

    /// Begins a chunk: at its start, no sends are predicted.
    pub const fn begin_chunk(&mut self) {
        self.after = After::Nothing;
        self.expected = 0;
    }

    /// Ends the run of sends after the current item, which had this length.
    #[inline]
    pub fn end_run(&mut self, run: u64) {
        match self.after {
            After::Nothing => {}
            After::Sender(place) => {
                self.rec_run = run;
                self.senders[place as usize].run = run as u32;
            }
            After::Other => self.other_run = run,
        }
    }

    /// A `rec` from the sender at `place` with this k: the sender moves half way to the front. Returns its new place.
    #[inline]
    pub fn heard(&mut self, place: usize, k: u64) -> usize {
        let to = place / 2;
        self.senders.swap(place, to);
        let sender = &mut self.senders[to];
        sender.last_k = k;
        self.expected = u64::from(sender.run);
        self.after = After::Sender(to as u32);
        to
    }

    /// A `rec` from an unknown sender, which is added at the end of the list. Returns its place.
    #[inline]
    pub fn heard_new(&mut self, pid: u64, k: u64) -> usize {
        let place = self.senders.len();
        self.senders.push(Sender {
            pid,
            last_k: k,
            run: self.rec_run as u32,
            noted: 0,
        });
        self.last_new = pid;
        self.expected = self.rec_run;
        self.after = After::Sender(place as u32);
        place
    }

    /// An item that is not a `rec` from a sender of the list.
    #[inline]
    pub const fn other_item(&mut self) {
        self.after = After::Other;
        self.expected = self.other_run;
    }
}

/// The most recent accesses, the latest at place 0; [`RECENT`] places.
///
/// The latest is the last one of the vector, so that adding one moves nothing. Accesses that were dropped stay at its beginning for a while.
#[derive(Clone, Debug)]
pub(crate) struct Recent(Vec<Access>);

impl Recent {
    /// The access at a place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<&Access> {
        if place >= RECENT {
            return None;
        }
        self.0.get(self.0.len().wrapping_sub(place + 1))
    }

    /// The number of used places.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len().min(RECENT)
    }

    /// An access was written or read and becomes the most recent one. `place`: the place of the entry that it repeats or replaces.
    #[inline]
    pub fn remember(&mut self, access: Access, place: Option<usize>) {
        if let Some(place) = place {
            let at = self.0.len() - 1 - place;
            self.0[at] = access;
            self.0[at..].rotate_left(1);
            return;
        }
        if self.0.len() == 2 * RECENT {
            self.0.drain(..=RECENT);
        }
        self.0.push(access);
    }
}
