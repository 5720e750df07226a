//! The types of the fields of actions in full: how each is written and read, and how a packed block sorts its bytes.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a field is written as a pattern binds it"
)]

use crate::decode::{Decoder, get_node, get_tag, get_text};
use crate::encode::{ProcLog, put_tag};
use crate::ids::{ActionNo, Node, Pid, Tag, TextId};
use crate::part;
use crate::varint::{Malformed, byte, get as get_number, get_difference, put as put_number, put_difference};

/// Parts in order, four bits each, the first one lowest.
pub(crate) const fn parts(of: &[u64]) -> u64 {
    let mut all = 0;
    let mut i = of.len();
    while i > 0 {
        i -= 1;
        all = all << 4 | of[i];
    }
    all
}

/// A process, as a difference to the one whose log it is.
pub(crate) mod pid {
    use super::*;
    pub(crate) const PART: u64 = part::PID;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &Pid) {
        put_difference(&mut log.buffer, log.pid.0, value.0);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<Pid, Malformed> {
        let _ = values;
        get_difference(bytes, &mut from.at, from.model.me, "a pid").map(Pid)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> Pid {
        Pid(seed % 90)
    }
}

/// A node.
pub(crate) mod node {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &Node) {
        put_number(&mut log.buffer, u64::from(value.0));
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<Node, Malformed> {
        let _ = values;
        get_node(bytes, &mut from.at)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> Node {
        Node((seed % 3) as u16)
    }
}

/// A text by its number.
pub(crate) mod text {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &TextId) {
        put_number(&mut log.buffer, u64::from(value.0));
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<TextId, Malformed> {
        let _ = values;
        get_text(bytes, &mut from.at)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> TextId {
        TextId((seed % 2) as u32)
    }
}

/// The number of an action.
pub(crate) mod action {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &ActionNo) {
        put_number(&mut log.buffer, value.0);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<ActionNo, Malformed> {
        let _ = values;
        get_number(bytes, &mut from.at, "the number of an action").map(ActionNo)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> ActionNo {
        ActionNo(seed % 20)
    }
}

/// A number of counted events.
pub(crate) mod events {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &u64) {
        put_number(&mut log.buffer, *value);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<u64, Malformed> {
        let _ = values;
        get_number(bytes, &mut from.at, "a number of counted events")
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> u64 {
        seed
    }
}

/// A number of bytes.
pub(crate) mod length {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &u64) {
        put_number(&mut log.buffer, *value);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<u64, Malformed> {
        let _ = values;
        get_number(bytes, &mut from.at, "a number of bytes")
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> u64 {
        seed
    }
}

/// An exit status.
pub(crate) mod status {
    use super::*;
    pub(crate) const PART: u64 = part::NUMBER;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &i64) {
        put_difference(&mut log.buffer, 0, *value as u64);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<i64, Malformed> {
        let _ = values;
        Ok(get_difference(bytes, &mut from.at, 0, "an exit status")? as i64)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> i64 {
        -((seed % 300) as i64)
    }
}

/// Yes or no, as a byte.
pub(crate) mod flag {
    use super::*;
    pub(crate) const PART: u64 = part::LAST;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &bool) {
        log.buffer.push(u8::from(*value));
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<bool, Malformed> {
        let _ = values;
        match byte(bytes, &mut from.at, "0 or 1")? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(Malformed {
                at: from.at - 1,
                expected: "0 or 1",
                found: u64::from(found),
            }),
        }
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> bool {
        seed.is_multiple_of(2)
    }
}

/// The name of a signal.
pub(crate) mod tag {
    use super::*;
    pub(crate) const PART: u64 = part::TAG;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &Tag) {
        put_tag(&mut log.buffer, log.pid.0, *value);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<Tag, Malformed> {
        let _ = values;
        get_tag(bytes, &mut from.at, from.model.me)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> Tag {
        Tag::Limit { to: Pid(seed % 90) }
    }
}

/// Bytes that are read only where they are wanted.
pub(crate) mod value {
    use super::*;
    pub(crate) const PART: u64 = part::VALUE;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &[u8]) {
        log.value(value);
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<Vec<u8>, Malformed> {
        from.value(bytes, values)
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> Vec<u8> {
        vec![7; (seed % 30) as usize]
    }
}

/// A text for people: few, and part of every listing. What is not UTF-8 is shown as U+FFFD.
pub(crate) mod words {
    use super::*;
    pub(crate) const PART: u64 = part::VALUE;

    #[inline]
    pub(crate) fn put(log: &mut ProcLog, value: &str) {
        log.value(value.as_bytes());
    }

    #[inline]
    pub(crate) fn get(from: &mut Decoder, bytes: &[u8], values: bool) -> Result<String, Malformed> {
        let _ = values;
        let bytes = from.value(bytes, true)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    #[cfg(any(test, feature = "simulate"))]
    pub(crate) fn sample(seed: u64) -> String {
        "words ".repeat((seed % 7) as usize)
    }
}
