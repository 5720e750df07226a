//! Actions in full (FORMAT.md, "Actions in full"), and tags.
use super::ProcLog;
use super::accesses::read_and_key;
use crate::action::Action;
use crate::ids::Tag;
use crate::kinds::Kind;
use crate::model::{FULL_ACCESSES, FULL_SENDS, OP_FULL};
use crate::varint::{put, put_difference};

impl ProcLog {
    /// An action in full (FORMAT.md, "Actions in full").
    pub(super) fn full(&mut self, action: &Action) {
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
