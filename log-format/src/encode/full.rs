//! Actions in full (FORMAT.md, "Actions in full"), and tags.
use super::ProcLog;
use super::accesses::read_and_key;
use crate::action::{Action, Device, ExitClass, Kind, TestNote};
use crate::ids::{ActionId, Tag};
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

    /// Writes what belongs to the kind, and returns its number.
    #[expect(
        clippy::too_many_lines,
        reason = "a table of all kinds, the counterpart of `kind` in `decode`"
    )]
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
            Kind::Test { of, name, note } => {
                put_difference(&mut self.buffer, me, of.0);
                put(&mut self.buffer, u64::from(name.0));
                match note {
                    TestNote::Began => 24,
                    TestNote::Passed => 25,
                    TestNote::Skipped => 26,
                    TestNote::Failed { reason, stack } => {
                        self.value(reason.as_bytes());
                        self.value(stack.as_bytes());
                        27
                    }
                }
            }
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
