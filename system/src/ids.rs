//! Identities: places in the table of processes; conversions between the opaque handles of the interpreter and the ids of the log.

use interpreter::term::{Pid, Reference};
use interpreter::vm::MessageTag;
use log_format::{ObjectId, SendNo, Tag};

/// Position of a living process in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// The pid of a log.
#[inline]
#[must_use]
pub const fn to_log(pid: Pid) -> log_format::Pid {
    log_format::Pid(pid.number())
}

/// A reference as the identity of an object.
#[must_use]
pub const fn object(reference: Reference) -> ObjectId {
    ObjectId {
        creator: to_log(reference.owner),
        k: reference.number,
    }
}

const NUMBER: u64 = (1 << 40) - 1;
const KIND: u32 = 60;

/// The tag of a signal as the handle that a mailbox stores.
///
/// A handle is two words. Tags of ends contain their addressee, so numbers of processes take 40 bits and those of references the rest.
#[inline]
#[must_use]
pub fn pack(tag: Tag) -> MessageTag {
    match tag {
        Tag::Sent { by, k } => MessageTag(by.0, k.0),
        Tag::EndTo { by, to } => MessageTag(1 << KIND | by.0, to.0),
        Tag::EndRef { by, owner, k } => MessageTag(2 << KIND | by.0 | (k & 0xf_ffff) << 40, owner.0 | (k >> 20) << 40),
        Tag::EndTable { by, table } => MessageTag(
            3 << KIND | by.0 | (table.k & 0xf_ffff) << 40,
            table.creator.0 | (table.k >> 20) << 40,
        ),
        Tag::Limit { to } => MessageTag(4 << KIND, to.0),
    }
}

/// The inverse of [`pack`].
#[inline]
#[must_use]
pub fn unpack(handle: MessageTag) -> Tag {
    let MessageTag(a, b) = handle;
    let by = log_format::Pid(a & NUMBER);
    let other = log_format::Pid(b & NUMBER);
    let k = (a >> 40 & 0xf_ffff) | (b >> 40) << 20;
    match a >> KIND {
        0 => Tag::Sent { by, k: SendNo(b) },
        1 => Tag::EndTo { by, to: other },
        2 => Tag::EndRef { by, owner: other, k },
        3 => Tag::EndTable {
            by,
            table: ObjectId { creator: other, k },
        },
        _ => Tag::Limit { to: other },
    }
}

/// The process and the number of a handle of [`Tag::Sent`].
#[inline(always)]
#[must_use]
pub const fn sent(handle: MessageTag) -> Option<(log_format::Pid, SendNo)> {
    let MessageTag(a, b) = handle;
    if a >> KIND == 0 {
        Some((log_format::Pid(a & NUMBER), SendNo(b)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_keep_tags() {
        let (p, q) = (log_format::Pid((1 << 40) - 1), log_format::Pid(7));
        let k = (1 << 44) - 3;
        for tag in [
            Tag::Sent {
                by: p,
                k: SendNo(u64::MAX),
            },
            Tag::EndTo { by: q, to: p },
            Tag::EndRef { by: p, owner: q, k },
            Tag::EndTable {
                by: q,
                table: ObjectId { creator: p, k },
            },
            Tag::Limit { to: p },
        ] {
            assert_eq!(unpack(pack(tag)), tag);
            let by_number = sent(pack(tag)).map(|(by, k)| Tag::Sent { by, k });
            assert_eq!(by_number, matches!(tag, Tag::Sent { .. }).then_some(tag));
        }
    }
}
