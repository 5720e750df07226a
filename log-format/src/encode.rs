//! Writing the actions of one process as bytes, on the hot path of a recording: no lock, no shared counter, no allocation but the
//! growth of a buffer that is kept.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::action::{Access, Action, Counts, Device, ExitClass, Kind, Resource};
use crate::ids::{ActionId, ActionNo, Node, ObjectId, Pid, SendNo, Tag};
use crate::keys::KnownKeys;
use crate::model::{
    ACCESS_BY, ACCESS_FULL, ACCESS_KEY, ACCESS_SAME_RESOURCE, ACCESS_WRITE, After, Birth, FULL_ACCESSES, FULL_SENDS,
    GAPS, KEY_BY, KEY_BY_KNOWN, KEY_NEW, KEY_READ, KEY_TABLE, KEY_TABLE_NEW, KEY_TABLE_READ, KEY_TABLE_READ_BY,
    KEY_VERSION, LARGE_GAPS, LARGE_PLACES, Model, OP_ACCESS, OP_AFTER, OP_EXIT, OP_FULL, OP_INPUT, OP_OBSERVE,
    OP_OUTPUT, OP_REC, OP_REC_DOWN, OP_REC_FIRST, OP_REC_GAP, OP_REC_LARGE, OP_REC_LINK, OP_REC_NEW, OP_REC_PLACE,
    OP_SEND, OP_SEND_ACCESS, OP_SPAWN, OP_SPAWN_NEXT, PLACES, Parent, RECENT, RUN, RUN_LONG, RUN_MAX, SHORT_END,
};
use crate::varint::{put, put_difference};

/// A restart point at most every so many bytes; later with many senders, each of which must be named anew.
const RESTART_BYTES: usize = 4 << 10;
/// At the latest after so many bytes.
const RESTART_BYTES_MAX: usize = 64 << 10;
/// So many bytes for each sender known pay for naming it anew.
const RESTART_BYTES_PER_SENDER: usize = 48;
/// So many bytes for each key of a table that was used again pay for naming it anew.
const RESTART_BYTES_PER_KEY: usize = 1 << 10;
/// Up to so many senders are searched one by one.
const SEARCHED: usize = 8;

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

/// The log of one process while it is recorded: what has not been flushed yet, and the counts of everything.
///
/// Every action of the process goes through exactly one of the methods, in order. Nothing may follow an end.
#[derive(Clone, Debug)]
pub struct ProcLog {
    pid: Pid,
    birth: Birth,
    /// Encoded items that are not flushed.
    buffer: Vec<u8>,
    /// Plain sends since the last item. invariant: at most [`RUN_MAX`].
    run: u64,
    /// All that is encoded, without the current run.
    counts: Counts,
    model: Model,
    places: Places,
    /// Of the resources of the accesses remembered, in their order: so that most are told apart without a look at them.
    prints: [u32; RECENT],
    /// The keys of tables that were used; none before the first one.
    keys: Option<Box<KnownKeys>>,
    /// When the buffer has grown to this, a new piece begins.
    limit: usize,
    /// Bytes flushed since the last restart point.
    flushed_since_restart: usize,
    /// Pieces that are ready in the buffer.
    pieces: Vec<Piece>,
    /// What was encoded when the current piece began.
    piece_start: Counts,
    /// Does the current piece begin with fresh knowledge?
    restart: bool,
    /// Has no piece been cut off yet?
    first: bool,
    ended: bool,
    /// Is the parent, which readers know as a sender from birth on, not in the model yet? Only a process that receives needs it.
    orphan: bool,
    /// Receives before the last restart point.
    restart_receives: u64,
}

impl ProcLog {
    /// The log of an entry process, on a node, with nothing in it.
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

    /// The log of a process whose birth is known from elsewhere: the parent's spawn, and how many signals the parent had put in flight by
    /// then; none for an entry process.
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
            places: Places::default(),
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

    /// Becomes the log of an entry process, keeping its memory. To be called after [`crate::TraceWriter::retire`].
    pub fn renew_entry(&mut self, pid: Pid, node: Node) {
        self.renew(pid, Birth { parent: None, node });
    }

    /// Becomes what [`ProcLog::child`] makes, keeping its memory. To be called after [`crate::TraceWriter::retire`].
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

    /// The action that spawned it; none for an entry process.
    #[must_use]
    pub fn parent(&self) -> Option<ActionId> {
        self.birth.parent.map(|parent| parent.spawn)
    }

    /// How far the log has come.
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

    /// The k of the last signal put in flight.
    #[must_use]
    pub const fn last_send(&self) -> SendNo {
        SendNo(self.counts.sends + self.run)
    }

    /// Is there something that the next cut must write? True for a log that is new, even if it is empty.
    #[must_use]
    pub const fn is_dirty(&self) -> bool {
        self.first || self.run > 0 || !self.buffer.is_empty()
    }

    /// Bytes that wait for the next cut.
    #[must_use]
    pub const fn buffered(&self) -> usize {
        self.buffer.len()
    }

    /// A plain send: one signal, no access.
    #[inline(always)]
    pub fn send(&mut self) {
        debug_assert!(!self.ended, "an action after the end of {}", self.pid);
        if self.run == RUN_MAX {
            self.send_alone();
        } else {
            self.run += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn send_alone(&mut self) {
        self.item();
        self.buffer.push(OP_SEND);
        self.counts.sends += 1;
    }

    /// A `rec`.
    #[inline]
    pub fn rec(&mut self, tag: Tag) {
        match tag {
            Tag::Sent { by, k } => self.rec_sent(by, k),
            tag => self.rec_named(tag),
        }
    }

    /// A `rec` of the k-th signal of a process.
    #[inline]
    pub fn rec_sent(&mut self, by: Pid, k: SendNo) {
        debug_assert!(!self.ended, "an action after the end of {}", self.pid);
        // The common case by itself: the sender heard last, a near message, as many sends since as expected, room in the piece.
        let model = &mut self.model;
        if let Some(first) = model.senders.first_mut()
            && first.pid == by.0
            && self.run == model.expected
            && self.buffer.len() < self.limit
        {
            let gap = k.0.wrapping_sub(first.last_k).wrapping_sub(1);
            if gap < 4 {
                if matches!(model.after, After::Sender(_)) {
                    model.rec_run = self.run;
                }
                first.last_k = k.0;
                model.expected = first.run;
                model.after = After::Sender(0);
                self.counts.actions += self.run + 1;
                self.counts.sends += self.run;
                self.counts.receives += 1;
                self.run = 0;
                self.buffer.push(gap as u8);
                return;
            }
        }
        self.rec_any(by.0, k.0);
    }

    fn rec_any(&mut self, pid: u64, k: u64) {
        self.close();
        self.counts.actions += 1;
        self.counts.receives += 1;
        if self.orphan {
            self.orphan = false;
            self.model.know_parent(&self.birth);
        }
        let Some(place) = self.places.find(&self.model, pid) else {
            return self.rec_new(pid, k);
        };
        let gap = k.wrapping_sub(self.model.senders[place].last_k);
        if place < 16 && gap.wrapping_sub(1) < 4 {
            self.buffer.push((place as u8) << 2 | (gap - 1) as u8);
        } else if place < PLACES && gap.wrapping_sub(1) < GAPS {
            let code = (u64::from(SHORT_END) << 8) + place as u64 * GAPS + gap - 1;
            self.buffer.extend_from_slice(&(code as u16).to_be_bytes());
        } else {
            self.rec_far(place, gap, k);
        }
        let to = self.model.heard(place, k);
        self.places.swapped(place, to);
    }

    /// A `rec` that does not fit into two bytes.
    fn rec_far(&mut self, place: usize, gap: u64, k: u64) {
        let near = gap.wrapping_sub(1);
        let three = if near == 0 && place <= 0xffff {
            u32::from(OP_REC_PLACE) << 16 | place as u32
        } else if place < 4 && near <= 0xffff {
            (u32::from(OP_REC_GAP) + place as u32) << 16 | near as u32
        } else if place < LARGE_PLACES && near < LARGE_GAPS {
            (u32::from(OP_REC_LARGE) << 16) + (place as u64 * LARGE_GAPS + near) as u32
        } else {
            self.buffer.push(OP_REC);
            put(&mut self.buffer, place as u64);
            put_difference(&mut self.buffer, self.model.senders[place].last_k, k);
            return;
        };
        self.buffer.extend_from_slice(&three.to_be_bytes()[1..]);
    }

    #[cold]
    fn rec_new(&mut self, pid: u64, k: u64) {
        self.buffer.push(if k == 1 { OP_REC_FIRST } else { OP_REC_NEW });
        put_difference(&mut self.buffer, self.model.last_new, pid);
        if k != 1 {
            put(&mut self.buffer, k);
        }
        let place = self.model.heard_new(pid, k);
        self.places.insert(&self.model, place);
    }

    /// A `rec` of what an end sent.
    #[cold]
    fn rec_named(&mut self, tag: Tag) {
        match tag {
            Tag::EndRef { by, owner, k } if owner == self.pid => {
                self.item();
                self.buffer.push(OP_REC_DOWN);
                put_difference(&mut self.buffer, self.pid.0, by.0);
                put(&mut self.buffer, k);
                self.counts.receives += 1;
            }
            Tag::EndTo { by, to } if to == self.pid => {
                self.item();
                self.buffer.push(OP_REC_LINK);
                put_difference(&mut self.buffer, self.pid.0, by.0);
                self.counts.receives += 1;
            }
            _ => self.full(&Action::new(Kind::Rec(tag))),
        }
    }

    /// A `receive` left through its `after` clause.
    #[inline]
    pub fn after(&mut self) {
        self.item();
        self.buffer.push(OP_AFTER);
    }

    /// A spawn without accesses, on the process's own node (`None`) or on a named one. The log of the new process is then made by
    /// [`ProcLog::child`].
    pub fn spawn(&mut self, child: Pid, node: Option<Node>) {
        if node.is_some() {
            return self.full(&Action::new(Kind::Spawn { child, node }));
        }
        self.item();
        if child.0 == self.model.last_child.wrapping_add(1) {
            self.buffer.push(OP_SPAWN_NEXT);
        } else {
            self.buffer.push(OP_SPAWN);
            put_difference(&mut self.buffer, self.model.last_child, child.0);
        }
        self.model.last_child = child.0;
    }

    /// The end of the process by itself, without accesses.
    pub fn exit(&mut self, class: ExitClass) {
        if class == ExitClass::Normal {
            self.item();
            self.buffer.push(OP_EXIT);
            self.ended = true;
        } else {
            self.full(&Action::new(Kind::Exit { class }));
        }
    }

    /// An input without accesses or sends.
    pub fn input(&mut self, value: &[u8]) {
        self.item();
        self.buffer.push(OP_INPUT);
        self.value(value);
    }

    /// An output without accesses or sends.
    pub fn output(&mut self, device: Device, bytes: u64) {
        if device == Device::Stdout {
            self.item();
            self.buffer.push(OP_OUTPUT);
            put(&mut self.buffer, bytes);
        } else {
            self.full(&Action::new(Kind::Output { device, bytes }));
        }
    }

    /// An observation of the process's own state, without accesses or sends.
    pub fn observe(&mut self, value: &[u8]) {
        self.item();
        self.buffer.push(OP_OBSERVE);
        self.value(value);
    }

    /// Any action. Takes the short way where there is one.
    pub fn action(&mut self, action: &Action) {
        let plain = action.accesses.is_empty() && action.sends == u32::from(matches!(action.kind, Kind::Send));
        if plain {
            match &action.kind {
                Kind::Send => return self.send(),
                Kind::Rec(tag) => return self.rec(*tag),
                Kind::After => return self.after(),
                Kind::Spawn { child, node } => return self.spawn(*child, *node),
                Kind::Exit { class } => return self.exit(*class),
                Kind::Input { value } => return self.input(value),
                Kind::Output { device, bytes } => return self.output(*device, *bytes),
                Kind::Observe { of: None, value } => return self.observe(value),
                _ => {}
            }
        }
        match (&action.kind, action.sends, &action.accesses[..]) {
            (Kind::Send, 1, [access]) => {
                self.item();
                self.buffer.push(OP_SEND_ACCESS);
                self.access(access);
                self.counts.sends += 1;
            }
            (Kind::Access, 0, [access]) => {
                self.item();
                self.buffer.push(OP_ACCESS);
                self.access(access);
            }
            (Kind::Access, 0, accesses @ [_, _]) if read_and_key(accesses).is_some() => {
                self.item();
                self.buffer.push(OP_ACCESS);
                self.accesses(accesses);
            }
            _ => self.full(action),
        }
    }

    /// Ends the run of sends before the next item; begins a new piece when the current one is long enough.
    #[inline]
    fn close(&mut self) {
        debug_assert!(!self.ended, "an action after the end of {}", self.pid);
        self.end_run();
        if self.buffer.len() >= self.limit {
            self.next_piece();
        }
    }

    #[inline]
    fn end_run(&mut self) {
        let run = self.run;
        if run != self.model.expected {
            self.put_run(run);
        }
        self.model.end_run(run);
        self.counts.actions += run;
        self.counts.sends += run;
        self.run = 0;
    }

    #[inline]
    fn put_run(&mut self, run: u64) {
        if run < 15 {
            self.buffer.push(RUN + run as u8);
        } else {
            self.buffer.push(RUN_LONG);
            put(&mut self.buffer, run - 15);
        }
    }

    /// Before any item but a `rec` from a sender.
    #[inline]
    fn item(&mut self) {
        self.close();
        self.counts.actions += 1;
        self.model.other_item();
    }

    #[cold]
    fn next_piece(&mut self) {
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

    fn forget_keys(&mut self) {
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

    fn value(&mut self, value: &[u8]) {
        put(&mut self.buffer, value.len() as u64);
        self.buffer.extend_from_slice(value);
    }

    /// An action in full (FORMAT.md, "Actions in full").
    fn full(&mut self, action: &Action) {
        self.item();
        let start = self.buffer.len() + 1;
        self.buffer.extend_from_slice(&[OP_FULL, 0]);
        let mut flags = 0;
        let usual = u32::from(matches!(action.kind, Kind::Send));
        if action.sends != usual {
            flags |= FULL_SENDS;
            put(&mut self.buffer, u64::from(action.sends));
        }
        if !action.accesses.is_empty() {
            flags |= FULL_ACCESSES;
            // A pair of table and key counts as one.
            let pairs = action
                .accesses
                .windows(2)
                .filter(|two| read_and_key(two).is_some())
                .count();
            put(&mut self.buffer, (action.accesses.len() - pairs) as u64);
            self.accesses(&action.accesses);
        }
        let kind = self.payload(&action.kind);
        self.buffer[start] = kind | flags;
        self.counts.sends += u64::from(action.sends);
        self.counts.receives += u64::from(matches!(action.kind, Kind::Rec(_)));
        self.ended = action.is_end();
    }

    /// Writes what belongs to the kind, and returns its number.
    fn payload(&mut self, kind: &Kind) -> u8 {
        let me = self.pid.0;
        match kind {
            Kind::Spawn { child, node: None } => {
                put_difference(&mut self.buffer, me, child.0);
                0
            }
            Kind::Spawn {
                child,
                node: Some(node),
            } => {
                put_difference(&mut self.buffer, me, child.0);
                put(&mut self.buffer, u64::from(node.0));
                1
            }
            Kind::SpawnFailed { child, node } => {
                put_difference(&mut self.buffer, me, child.0);
                put(&mut self.buffer, u64::from(node.0));
                2
            }
            Kind::Send => 3,
            Kind::Rec(tag) => {
                put_tag(&mut self.buffer, me, *tag);
                4
            }
            Kind::After => 5,
            Kind::Signal { tag, events, waiting } => {
                put_tag(&mut self.buffer, me, *tag);
                put(&mut self.buffer, *events);
                self.buffer.push(u8::from(*waiting));
                6
            }
            Kind::Drop { tag: None, value } => {
                self.value(value);
                7
            }
            Kind::Drop { tag: Some(tag), value } => {
                put_tag(&mut self.buffer, me, *tag);
                self.value(value);
                8
            }
            Kind::Access => 9,
            Kind::Start { node, ok } => {
                put(&mut self.buffer, u64::from(node.0));
                10 + u8::from(*ok)
            }
            Kind::Nodes => 12,
            Kind::Observe { of: None, value } => {
                self.value(value);
                13
            }
            Kind::Observe {
                of: Some(ActionId { pid, number: action }),
                value,
            } => {
                put_difference(&mut self.buffer, me, pid.0);
                put(&mut self.buffer, action.0);
                self.value(value);
                14
            }
            Kind::Input { value } => {
                self.value(value);
                15
            }
            Kind::Output { device, bytes } => {
                put(&mut self.buffer, *bytes);
                match device {
                    Device::Stdout => 16,
                    Device::Stderr => 17,
                    Device::Other(name) => {
                        put(&mut self.buffer, u64::from(name.0));
                        18
                    }
                }
            }
            Kind::Halt { code } => {
                put_difference(&mut self.buffer, 0, *code as u64);
                19
            }
            Kind::Exit {
                class: ExitClass::Normal,
            } => 20,
            Kind::Exit {
                class: ExitClass::Error,
            } => 21,
            Kind::Exit { class: ExitClass::Exit } => 22,
            Kind::Exit {
                class: ExitClass::Throw,
            } => 23,
        }
    }

    fn accesses(&mut self, accesses: &[Access]) {
        let mut at = 0;
        while let Some(access) = accesses.get(at) {
            if let Some((next, table, key)) = read_and_key(&accesses[at..]) {
                self.key(Some(access), next, table, key);
                at += 2;
            } else {
                self.access(access);
                at += 1;
            }
        }
    }

    /// An access to the key of a table, with the read of the table itself that comes before it (FORMAT.md, "Keys of tables").
    fn key(&mut self, read: Option<&Access>, access: &Access, id: ObjectId, hash: u64) {
        let Self { buffer, keys, pid, .. } = self;
        let me = pid.0;
        let known = &mut **keys.get_or_insert_default();
        let table = known.table(id);
        let place = table.and_then(|table| known.place(table, hash));
        let other_read = match (read, table) {
            (None, _) => false,
            (Some(read), Some(table)) => known.keys.tables[table].read != Some((read.version, read.by)),
            (Some(_), None) => true,
        };
        match table {
            None => {
                buffer.push(KEY_TABLE_NEW);
                put_difference(buffer, me, id.creator.0);
                put(buffer, id.k);
                known.new_table(id);
            }
            // A known key tells its table.
            Some(table) if table != known.keys.table && (other_read || place.is_none()) => {
                buffer.push(KEY_TABLE);
                put(buffer, table as u64);
                known.keys.table = table;
            }
            Some(_) => {}
        }
        if other_read && let Some(read) = read {
            buffer.push(if read.by.is_some() {
                KEY_TABLE_READ_BY
            } else {
                KEY_TABLE_READ
            });
            put(buffer, read.version.0);
            if let Some(ActionId { pid, number: action }) = read.by {
                put_difference(buffer, me, pid.0);
                put(buffer, action.0);
            }
            let table = known.keys.table;
            known.keys.tables[table].read = Some((read.version, read.by));
        }
        let mut key = match place {
            Some(place) => known.keys.keys[place],
            None => known.keys.unseen(hash),
        };
        let expected = known.keys.expected(&key, access.write);
        let named = access.by.filter(|_| access.by != key.writer);
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        buffer.push(
            ACCESS_KEY
                | flag(place.is_none(), KEY_NEW)
                | flag(read.is_some(), KEY_READ)
                | flag(access.write, ACCESS_WRITE)
                | flag(access.version.0 != expected, KEY_VERSION)
                | match (access.by, named) {
                    (None, _) => 0,
                    (_, None) => KEY_BY_KNOWN,
                    _ => KEY_BY,
                },
        );
        match place {
            Some(place) => put(buffer, place as u64),
            None => buffer.extend_from_slice(&hash.to_le_bytes()),
        }
        if let Some(ActionId { pid, number: action }) = named {
            put_difference(buffer, me, pid.0);
            put_difference(buffer, known.keys.named, action.0);
            known.keys.named = action.0;
        }
        if access.version.0 != expected {
            put_difference(buffer, known.keys.tables[key.table as usize].top, access.version.0);
        }
        key.version = access.version.0;
        key.writer = match access.write {
            true => Some(ActionId::new(*pid, self.counts.actions)),
            false => access.by,
        };
        known.used(place, key);
    }

    fn access(&mut self, access: &Access) {
        if let Resource::TableKey { table, key } = access.resource {
            return self.key(None, access, table, key);
        }
        let recent = &self.model.recent;
        let print = fingerprint(&access.resource);
        let (mut equal, mut known) = (None, None);
        let prints = self.prints[..recent.len()].iter().enumerate();
        for (place, _) in prints.filter(|(_, known)| **known == print) {
            match recent.get(place) {
                Some(before) if before == access => {
                    equal = Some(place);
                    break;
                }
                Some(before) if before.resource == access.resource => known = known.or(Some(place)),
                _ => {}
            }
        }
        if let Some(place) = equal {
            self.buffer.push(place as u8);
            self.remember(access, Some(place), print);
            return;
        }
        let flags = if access.write { ACCESS_WRITE } else { 0 } | if access.by.is_some() { ACCESS_BY } else { 0 };
        if let Some(place) = known {
            let before = recent.get(place).map_or(access.version, |before| before.version);
            self.buffer
                .extend_from_slice(&[ACCESS_SAME_RESOURCE + place as u8, flags]);
            put_difference(&mut self.buffer, before.0, access.version.0);
        } else {
            let start = self.buffer.len();
            self.buffer.push(0);
            let kind = put_resource(&mut self.buffer, self.pid.0, &access.resource);
            self.buffer[start] = ACCESS_FULL + kind + flags;
            put(&mut self.buffer, access.version.0);
        }
        if let Some(ActionId { pid, number: action }) = access.by {
            put_difference(&mut self.buffer, self.pid.0, pid.0);
            put(&mut self.buffer, action.0);
        }
        self.remember(access, known, print);
    }

    /// As [`Recent::remember`](crate::model::Recent::remember).
    fn remember(&mut self, access: &Access, place: Option<usize>, print: u32) {
        self.prints.copy_within(..place.unwrap_or(RECENT - 1), 1);
        self.prints[0] = print;
        self.model.recent.remember(*access, place);
    }
}

/// Where accesses begin with a read of a table itself and an access to one of its keys, as a step that uses a key has them: that second one, the
/// table, the key.
#[inline]
fn read_and_key(accesses: &[Access]) -> Option<(&Access, ObjectId, u64)> {
    match accesses {
        [read, access, ..] if !read.write => match (read.resource, access.resource) {
            (Resource::Table(id), Resource::TableKey { table, key }) if id == table => Some((access, id, key)),
            _ => None,
        },
        _ => None,
    }
}

/// Resources that are equal have equal ones; most others have others.
fn fingerprint(resource: &Resource) -> u32 {
    let mut hasher = FxHasher::default();
    resource.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// Writes a resource (FORMAT.md, "Accesses") and returns the number of its kind.
fn put_resource(out: &mut Vec<u8>, me: u64, resource: &Resource) -> u8 {
    match resource {
        Resource::Node(node) => {
            put(out, u64::from(node.0));
            0
        }
        Resource::Name(text) => {
            put(out, u64::from(text.0));
            1
        }
        Resource::Alive(pid) => {
            put_difference(out, me, pid.0);
            2
        }
        Resource::Table(table) => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            3
        }
        Resource::TableContents(table) => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            12
        }
        Resource::TableKey { table, key } => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            out.extend_from_slice(&key.to_le_bytes());
            4
        }
        Resource::Persistent(key) => {
            out.extend_from_slice(&key.to_le_bytes());
            5
        }
        Resource::Env(key) => {
            out.extend_from_slice(&key.to_le_bytes());
            6
        }
        Resource::Counter { array, index } => {
            put_difference(out, me, array.creator.0);
            put(out, array.k);
            put(out, *index);
            7
        }
        Resource::Module(text) => {
            put(out, u64::from(text.0));
            8
        }
        Resource::Atom(text) => {
            put(out, u64::from(text.0));
            9
        }
        Resource::GroupLeader(pid) => {
            put_difference(out, me, pid.0);
            10
        }
        Resource::Other(text) => {
            put(out, u64::from(text.0));
            11
        }
    }
}

/// Writes a tag; pids as differences to `me`.
pub(crate) fn put_tag(out: &mut Vec<u8>, me: u64, tag: Tag) {
    match tag {
        Tag::Sent { by, k } => {
            out.push(0);
            put_difference(out, me, by.0);
            put(out, k.0);
        }
        Tag::EndTo { by, to } => {
            out.push(1);
            put_difference(out, me, by.0);
            put_difference(out, me, to.0);
        }
        Tag::EndRef { by, owner, k } => {
            out.push(2);
            put_difference(out, me, by.0);
            put_difference(out, me, owner.0);
            put(out, k);
        }
        Tag::EndTable { by, table } => {
            out.push(3);
            put_difference(out, me, by.0);
            put_difference(out, me, table.creator.0);
            put(out, table.k);
        }
        Tag::Limit { to } => {
            out.push(4);
            put_difference(out, me, to.0);
        }
    }
}

/// Where each sender stands in the list: open addressing, only while there are more senders than are searched one by one.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Place + 1, or 0. invariant: a power of two, at most half full; empty up to [`SEARCHED`] senders.
    table: Vec<u32>,
    /// For each place, where in the table it is noted.
    noted: Vec<u32>,
}

impl Places {
    fn clear(&mut self) {
        self.table.clear();
        self.noted.clear();
    }

    #[inline]
    fn start(pid: u64, mask: usize) -> usize {
        (pid.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask
    }

    /// The place of a sender.
    #[inline]
    fn find(&self, model: &Model, pid: u64) -> Option<usize> {
        let senders = &model.senders;
        if self.table.is_empty() {
            return senders.iter().position(|sender| sender.pid == pid);
        }
        if senders[0].pid == pid {
            return Some(0);
        }
        let mask = self.table.len() - 1;
        let mut at = Self::start(pid, mask);
        loop {
            match self.table[at] {
                0 => return None,
                place => {
                    let place = place as usize - 1;
                    if senders[place].pid == pid {
                        return Some(place);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The senders at two places have changed places.
    #[inline]
    fn swapped(&mut self, a: usize, b: usize) {
        if a != b && !self.table.is_empty() {
            self.noted.swap(a, b);
            self.table[self.noted[a] as usize] = a as u32 + 1;
            self.table[self.noted[b] as usize] = b as u32 + 1;
        }
    }

    /// A sender was added at the end of the list.
    fn insert(&mut self, model: &Model, place: usize) {
        let senders = &model.senders;
        if senders.len() <= SEARCHED {
            return;
        }
        if senders.len() * 2 > self.table.len() {
            let size = (senders.len() * 4).next_power_of_two();
            self.table.clear();
            self.table.resize(size, 0);
            self.noted.clear();
            for (place, sender) in senders.iter().enumerate() {
                self.note(sender.pid, place);
            }
        } else {
            self.note(senders[place].pid, place);
        }
    }

    fn note(&mut self, pid: u64, place: usize) {
        let mask = self.table.len() - 1;
        let mut at = Self::start(pid, mask);
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = place as u32 + 1;
        self.noted.push(at as u32);
    }
}
