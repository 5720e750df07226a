//! Actions in full (FORMAT.md, "Actions in full"), and tags.
use super::Decoder;
use super::accesses::get_object;
use crate::action::Action;
use crate::ids::{Node, Pid, SendNo, Tag, TextId};
use crate::model::{FULL_ACCESSES, FULL_SENDS};
use crate::varint::{Malformed, byte, get, get_difference};

impl Decoder {
    /// An action in full.
    pub(super) fn full(&mut self, bytes: &[u8], into: &mut Action, values: bool) -> Result<(), Malformed> {
        let at = &mut self.at;
        let start = *at;
        let code = byte(bytes, at, "the kind of an action")?;
        let kind = code & !(FULL_SENDS | FULL_ACCESSES);
        into.sends = u32::from(kind == 3);
        if code & FULL_SENDS != 0 {
            let sends = get(bytes, at, "a number of sends")?;
            into.sends = u32::try_from(sends).map_err(|_| Malformed {
                at: start,
                expected: "a number of sends below 2^32",
                found: sends,
            })?;
        }
        if code & FULL_ACCESSES != 0 {
            let count = get(bytes, at, "a number of accesses")?;
            if count > (bytes.len() - *at) as u64 {
                return Err(Malformed {
                    at: start,
                    expected: "no more accesses than bytes",
                    found: count,
                });
            }
            for _ in 0..count {
                self.access(bytes, &mut into.accesses)?;
            }
        }
        into.kind = self.kind(bytes, kind, start, values)?;
        Ok(())
    }
}

pub(crate) fn get_node(bytes: &[u8], at: &mut usize) -> Result<Node, Malformed> {
    let start = *at;
    let node = get(bytes, at, "a node")?;
    u16::try_from(node).map(Node).map_err(|_| Malformed {
        at: start,
        expected: "a node below 65536",
        found: node,
    })
}

pub(crate) fn get_text(bytes: &[u8], at: &mut usize) -> Result<TextId, Malformed> {
    let start = *at;
    let text = get(bytes, at, "a text")?;
    u32::try_from(text).map(TextId).map_err(|_| Malformed {
        at: start,
        expected: "a text below 2^32",
        found: text,
    })
}

/// Reads what `put_tag` wrote.
pub(crate) fn get_tag(bytes: &[u8], at: &mut usize, me: u64) -> Result<Tag, Malformed> {
    let start = *at;
    let kind = byte(bytes, at, "the kind of a tag")?;
    if kind > 4 {
        return Err(Malformed {
            at: start,
            expected: "the kind of a tag",
            found: u64::from(kind),
        });
    }
    let by = Pid(get_difference(bytes, at, me, "a pid")?);
    Ok(match kind {
        0 => Tag::Sent {
            by,
            k: SendNo(get(bytes, at, "the number of a signal")?),
        },
        1 => Tag::EndTo {
            by,
            to: Pid(get_difference(bytes, at, me, "a pid")?),
        },
        2 => {
            let owner = Pid(get_difference(bytes, at, me, "a pid")?);
            Tag::EndRef {
                by,
                owner,
                k: get(bytes, at, "the number of a reference")?,
            }
        }
        3 => Tag::EndTable {
            by,
            table: get_object(bytes, at, me)?,
        },
        _ => Tag::Limit { to: by },
    })
}
