//! Pieces of a log: what a cut takes, and where a reader may begin.
use super::ProcLog;
use crate::action::Counts;
use crate::ids::Pid;
use crate::model::Birth;

/// A restart point at most every so many bytes; later with many senders, each of which must be named anew.
pub(super) const RESTART_BYTES: usize = 4 << 10;

/// At the latest after so many bytes.
const RESTART_BYTES_MAX: usize = 64 << 10;

/// So many bytes for each sender known pay for naming it anew.
const RESTART_BYTES_PER_SENDER: usize = 48;

/// So many bytes for each key of a table that was used again pay for naming it anew.
const RESTART_BYTES_PER_KEY: usize = 1 << 10;

/// A piece of a log that is ready to be written: the bytes up to `end` and what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Where it ends in the buffer, or in [`Waiting::bytes`].
    pub end: usize,
    /// What it holds.
    pub counts: Counts,
    /// Does it begin with fresh knowledge?
    pub restart: bool,
    /// Is it the first of the process?
    pub first: bool,
    /// Is its last action the end of the process?
    pub ended: bool,
}

/// Pieces of many logs that wait for the next cut: all in one buffer, so that the log of a process that has ended can be used again.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Whose, how that process came to be, and the piece. Those of one process are in the order of its actions.
    pub pieces: Vec<(Pid, Birth, Piece)>,
    /// The bytes of all pieces, one after the other.
    pub bytes: Vec<u8>,
}

impl ProcLog {
    #[cold]
    pub(super) fn next_piece(&mut self) {
        let length = self.buffer.len() - self.pieces.last().map_or(0, |piece| piece.end) + self.flushed_since_restart;
        // Senders that are heard once only are no loss.
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

    /// Makes a piece of all that is encoded since the last one.
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

    /// Everything, of a process that has ended and of which nothing is flushed, as one piece: how it was born, the piece, its bytes. Only
    /// renewing may follow.
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
    pub(crate) fn drain(&mut self, into: &mut Waiting) {
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
