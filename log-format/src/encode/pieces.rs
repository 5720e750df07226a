//! Pieces of a log: the units of a cut, and restart points for readers.
use super::ProcLog;
use crate::action::Counts;
use crate::ids::Pid;
use crate::model::Birth;

/// The distance between restart points is at least this many bytes; it is longer with many senders, each of which must be named again.
pub(super) const RESTART_BYTES: usize = 4 << 10;

/// The maximal distance between restart points, in bytes.
const RESTART_BYTES_MAX: usize = 64 << 10;

/// The distance grows by this many bytes for each known sender, to pay for naming it again.
const RESTART_BYTES_PER_SENDER: usize = 48;

/// The distance grows by this many bytes for each key of a table that was used again, to pay for naming it again.
const RESTART_BYTES_PER_KEY: usize = 1 << 10;

/// A piece of a log that is ready to be written: the bytes up to `end` and their counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Its end in the buffer, or in [`WaitingPieces::bytes`].
    pub end: usize,
    /// What it holds.
    pub counts: Counts,
    /// Does it begin with an empty state?
    pub restart: bool,
    /// Is it the first of the process?
    pub first: bool,
    /// Is its last action the end of the process?
    pub ended: bool,
}

/// Pieces of many logs that wait for the next cut. They share one buffer, so that the log of a process that has ended can be reused.
#[derive(Debug, Default)]
pub(crate) struct WaitingPieces {
    /// The process, its birth, and the piece. Pieces of one process are in the order of its actions.
    pub pieces: Vec<(Pid, Birth, Piece)>,
    /// The bytes of all pieces, one after the other.
    pub bytes: Vec<u8>,
}

impl ProcLog {
    #[cold]
    pub(super) fn next_piece(&mut self) {
        let length = self.buffer.len() - self.pieces.last().map_or(0, |piece| piece.end) + self.flushed_since_restart;
        // Senders that were used only once need not be named again.
        let known = self.model.senders.len() as u64;
        let again = (self.counts.receives - self.restart_receives).saturating_sub(known);
        let senders = known.min(again) as usize * RESTART_BYTES_PER_SENDER;
        let keys = self
            .keys
            .as_ref()
            .map_or(0, |keys| keys.again.min(keys.keys.keys.len()));
        let wanted = (senders + keys * RESTART_BYTES_PER_KEY).clamp(RESTART_BYTES, RESTART_BYTES_MAX);
        if length < wanted {
            self.limit = self.buffer.len() + (wanted - length);
            return;
        }
        self.cut_piece();
        self.restart = true;
        self.model.restart();
        self.places.clear();
        self.forget_keys();
        self.orphan = false;
        self.restart_receives = self.counts.receives;
        self.flushed_since_restart = 0;
        self.limit = self.buffer.len() + RESTART_BYTES;
    }

    pub(super) fn forget_keys(&mut self) {
        if let Some(keys) = &mut self.keys {
            keys.clear();
        }
    }

    /// Makes a piece of everything that was encoded since the last one.
    fn cut_piece(&mut self) {
        let piece = self.last_piece(self.buffer.len());
        self.pieces.push(piece);
    }

    fn last_piece(&mut self, end: usize) -> Piece {
        let counts = Counts {
            actions: self.counts.actions - self.piece_start.actions,
            sends: self.counts.sends - self.piece_start.sends,
            receives: self.counts.receives - self.piece_start.receives,
        };
        let (restart, first, ended) = (self.restart, self.first, self.ended);
        self.piece_start = self.counts;
        self.restart = false;
        self.first = false;
        Piece {
            end,
            counts,
            restart,
            first,
            ended,
        }
    }

    /// The whole log of a process that has ended, if nothing of it was flushed, as one piece: its birth, the piece, its bytes. After that the
    /// log may only be renewed.
    #[inline]
    pub(crate) fn whole(&mut self) -> Option<(&Birth, Piece, &[u8])> {
        if !(self.first && self.ended && self.pieces.is_empty()) {
            return None;
        }
        self.end_run();
        let piece = Piece {
            end: self.buffer.len(),
            counts: self.counts,
            restart: self.restart,
            first: true,
            ended: true,
        };
        Some((&self.birth, piece, &self.buffer))
    }

    /// Hands over everything that is not flushed.
    pub(crate) fn drain(&mut self, into: &mut WaitingPieces) {
        let start = into.bytes.len();
        if self.pieces.is_empty() && self.is_dirty() {
            // One piece: the common case.
            self.end_run();
            let piece = self.last_piece(start + self.buffer.len());
            into.pieces.push((self.pid, self.birth, piece));
            into.bytes.extend_from_slice(&self.buffer);
            self.flushed_since_restart += self.buffer.len();
            self.model.begin_chunk();
            self.buffer.clear();
            self.limit = RESTART_BYTES.saturating_sub(self.flushed_since_restart);
            return;
        }
        let before = self.pieces.last().map_or(0, |piece| piece.end);
        if self.run > 0 || self.first || self.buffer.len() > before {
            self.end_run();
            self.cut_piece();
            self.flushed_since_restart += self.buffer.len() - before;
            self.model.begin_chunk();
        }
        into.bytes.extend_from_slice(&self.buffer);
        for piece in self.pieces.drain(..) {
            let end = start + piece.end;
            into.pieces.push((self.pid, self.birth, Piece { end, ..piece }));
        }
        self.buffer.clear();
        self.limit = RESTART_BYTES.saturating_sub(self.flushed_since_restart);
    }
}
