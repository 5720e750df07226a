//! Encoding the actions of one process, on the hot path of a recording: no lock, no shared counter, no allocation except the growth of a buffer
//! that is kept.

mod accesses;
mod full;
mod items;
mod pieces;
mod senders;
use self::pieces::RESTART_BYTES;
use self::senders::SenderPlaces;
use crate::action::Counts;
use crate::ids::{ActionId, ActionNo, Node, Pid, SendNo};
use crate::keys::KnownKeys;
use crate::model::{Birth, Model, Parent, RECENT};

pub(crate) use self::accesses::put_resource;
pub(crate) use self::full::put_tag;
pub(crate) use self::pieces::{Piece, WaitingPieces};

/// The log of one process during a recording: what has not been flushed yet, and the counts of everything.
///
/// Every action of the process goes through exactly one of the methods, in order. Nothing may follow an end.
///
/// What every plain send and receive uses comes first, in two lines of the cache: with many processes, each action finds none of it there.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct ProcLog {
    /// Plain sends since the last item. invariant: at most [`RUN_MAX`].
    run: u64,
    /// A new piece begins when the buffer has this length.
    limit: usize,
    /// Encoded items that are not flushed.
    pub(crate) buffer: Vec<u8>,
    /// Counts of all encoded items, without the current run.
    counts: Counts,
    model: Model,
    places: SenderPlaces,
    pub(crate) pid: Pid,
    ended: bool,
    /// Is the parent not yet in the model? Readers know it as a sender from birth on, but only a process that receives needs it.
    orphan: bool,
    /// Does the current piece begin with an empty state?
    restart: bool,
    /// Has no piece been cut off yet?
    first: bool,
    birth: Birth,
    /// Fingerprints of the resources of the remembered accesses, in order: most different resources are told apart by them alone.
    prints: [u32; RECENT],
    /// The keys of tables that were used; `None` before the first one.
    keys: Option<Box<KnownKeys>>,
    /// Bytes flushed since the last restart point.
    flushed_since_restart: usize,
    /// Pieces that are ready in the buffer.
    pieces: Vec<Piece>,
    /// The counts at the beginning of the current piece.
    piece_start: Counts,
    /// Receives before the last restart point.
    restart_receives: u64,
}

impl ProcLog {
    /// An empty log of an entry process on a node.
    #[must_use]
    pub fn entry(pid: Pid, node: Node) -> Self {
        Self::new(pid, Birth { parent: None, node })
    }

    /// The log of the process that `parent` has just spawned: to be called right after the spawn was logged there.
    #[must_use]
    pub fn child(pid: Pid, node: Node, parent: &Self) -> Self {
        let parent = Some(Parent {
            spawn: parent.last(),
            sends: parent.last_send(),
        });
        Self::new(pid, Birth { parent, node })
    }

    /// The log of a process with a known birth: the parent's spawn, and how many signals the parent had sent by then; `None` for an entry process.
    #[must_use]
    pub fn born(pid: Pid, node: Node, parent: Option<(ActionId, SendNo)>) -> Self {
        let parent = parent.map(|(spawn, sends)| Parent { spawn, sends });
        Self::new(pid, Birth { parent, node })
    }

    fn new(pid: Pid, birth: Birth) -> Self {
        Self {
            pid,
            birth,
            buffer: Vec::new(),
            run: 0,
            counts: Counts::default(),
            model: Model::at_restart(pid),
            places: SenderPlaces::default(),
            prints: [0; RECENT],
            keys: None,
            limit: RESTART_BYTES,
            flushed_since_restart: 0,
            pieces: Vec::new(),
            piece_start: Counts::default(),
            restart: true,
            first: true,
            ended: false,
            orphan: birth.parent.is_some(),
            restart_receives: 0,
        }
    }

    /// Becomes the log of an entry process, reusing its memory. To be called after [`crate::TraceWriter::retire`].
    pub fn renew_entry(&mut self, pid: Pid, node: Node) {
        self.renew(pid, Birth { parent: None, node });
    }

    /// As [`ProcLog::child`], reusing the memory of this log. To be called after [`crate::TraceWriter::retire`].
    pub fn renew_child(&mut self, pid: Pid, node: Node, parent: &Self) {
        let parent = Some(Parent {
            spawn: parent.last(),
            sends: parent.last_send(),
        });
        self.renew(pid, Birth { parent, node });
    }

    fn renew(&mut self, pid: Pid, birth: Birth) {
        self.pid = pid;
        self.birth = birth;
        self.buffer.clear();
        self.buffer.shrink_to(RESTART_BYTES);
        self.run = 0;
        self.counts = Counts::default();
        self.model.renew(pid);
        self.places.clear();
        self.keys = self.keys.take().filter(|keys| !keys.is_large());
        self.forget_keys();
        self.limit = RESTART_BYTES;
        self.flushed_since_restart = 0;
        self.pieces.clear();
        self.piece_start = Counts::default();
        self.restart = true;
        self.first = true;
        self.ended = false;
        self.orphan = birth.parent.is_some();
        self.restart_receives = 0;
    }

    /// The process.
    #[must_use]
    pub const fn pid(&self) -> Pid {
        self.pid
    }

    /// Its node.
    #[must_use]
    pub const fn node(&self) -> Node {
        self.birth.node
    }

    /// The action that spawned it; `None` for an entry process.
    #[must_use]
    pub fn parent(&self) -> Option<ActionId> {
        self.birth.parent.map(|parent| parent.spawn)
    }

    /// The counts of the log.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        Counts {
            actions: self.counts.actions + self.run,
            sends: self.counts.sends + self.run,
            receives: self.counts.receives,
        }
    }

    /// The last action.
    #[must_use]
    pub const fn last(&self) -> ActionId {
        ActionId {
            pid: self.pid,
            number: self.last_action(),
        }
    }

    /// The number of the last action.
    #[must_use]
    pub const fn last_action(&self) -> ActionNo {
        ActionNo(self.counts.actions + self.run)
    }

    /// The k of the last signal sent.
    #[must_use]
    pub const fn last_send(&self) -> SendNo {
        SendNo(self.counts.sends + self.run)
    }

    /// Must the next cut write something of this log? True for a new log, even if it is empty.
    #[must_use]
    pub const fn is_dirty(&self) -> bool {
        self.first || self.run > 0 || !self.buffer.is_empty()
    }

    /// Bytes that wait for the next cut.
    #[must_use]
    pub const fn buffered(&self) -> usize {
        self.buffer.len()
    }
}
