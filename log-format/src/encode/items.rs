//! Items: the short codes of the usual actions, and the runs of plain sends between them.
use super::ProcLog;
use super::accesses::read_and_key;
use crate::action::Action;
use crate::ids::{Node, Pid, SendNo, Tag};
use crate::kinds::{Device, ExitClass, Kind};
use crate::model::{
    After, GAPS, LARGE_GAPS, LARGE_PLACES, OP_ACCESS, OP_AFTER, OP_EXIT, OP_INPUT, OP_OBSERVE, OP_OUTPUT, OP_REC,
    OP_REC_DOWN, OP_REC_FIRST, OP_REC_GAP, OP_REC_LARGE, OP_REC_LINK, OP_REC_NEW, OP_REC_PLACE, OP_SEND,
    OP_SEND_ACCESS, OP_SPAWN, OP_SPAWN_NEXT, PLACES, RUN, RUN_LONG, RUN_MAX, SHORT_END,
};
use crate::varint::{put, put_difference};

impl ProcLog {
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
        // Fast path: the last sender again, a small gap, the predicted number of sends, room in the piece.
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
                model.expected = u64::from(first.run);
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
        self.places.swapped(&self.model, place, to);
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
        self.places.insert(&mut self.model, place);
    }

    /// A `rec` of a signal that an end sent.
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

    /// Any action. Uses a short code if there is one.
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
    pub(super) fn end_run(&mut self) {
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

    /// Called before any item except a `rec` from a sender.
    #[inline]
    pub(super) fn item(&mut self) {
        self.close();
        self.counts.actions += 1;
        self.model.other_item();
    }

    pub(crate) fn value(&mut self, value: &[u8]) {
        put(&mut self.buffer, value.len() as u64);
        self.buffer.extend_from_slice(value);
    }
}
