//! The types of the fields of actions in full: how each is written and read, and how a packed block sorts its bytes.

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

/// Defines the types of fields: what each is called, the part of a packed block that its bytes belong to, how it is written and read (`values`: are
/// values wanted?), and one for tests.
macro_rules! fields {
    ($(
        $(#[$doc:meta])*
        $name:ident $part:ident
        put($log:ident, $value:ident: $given:ty) $put:block
        get($from:ident, $bytes:ident, $values:ident) -> $read:ty $get:block
        sample($seed:ident) $sample:block
    )*) => {$(
        $(#[$doc])*
        pub(crate) mod $name {
            use super::*;
            pub(crate) const PART: u64 = part::$part;

            #[inline]
            pub(crate) fn put($log: &mut ProcLog, $value: $given) $put

            #[inline]
            pub(crate) fn get($from: &mut Decoder, $bytes: &[u8], $values: bool) -> Result<$read, Malformed> $get

            pub(crate) fn sample($seed: u64) -> $read $sample
        }
    )*};
}

fields! {
    /// A process, as a difference to the one whose log it is.
    pid PID
    put(log, value: &Pid) {
        put_difference(&mut log.buffer, log.pid.0, value.0);
    }
    get(from, bytes, _values) -> Pid {
        get_difference(bytes, &mut from.at, from.model.me, "a pid").map(Pid)
    }
    sample(seed) {
        Pid(seed % 90)
    }

    /// A node.
    node NUMBER
    put(log, value: &Node) {
        put_number(&mut log.buffer, u64::from(value.0));
    }
    get(from, bytes, _values) -> Node {
        get_node(bytes, &mut from.at)
    }
    sample(seed) {
        Node((seed % 3) as u16)
    }

    /// A text by its number.
    text NUMBER
    put(log, value: &TextId) {
        put_number(&mut log.buffer, u64::from(value.0));
    }
    get(from, bytes, _values) -> TextId {
        get_text(bytes, &mut from.at)
    }
    sample(seed) {
        TextId((seed % 2) as u32)
    }

    /// The number of an action.
    action NUMBER
    put(log, value: &ActionNo) {
        put_number(&mut log.buffer, value.0);
    }
    get(from, bytes, _values) -> ActionNo {
        get_number(bytes, &mut from.at, "the number of an action").map(ActionNo)
    }
    sample(seed) {
        ActionNo(seed % 20)
    }

    /// A number of counted events.
    events NUMBER
    put(log, value: &u64) {
        put_number(&mut log.buffer, *value);
    }
    get(from, bytes, _values) -> u64 {
        get_number(bytes, &mut from.at, "a number of counted events")
    }
    sample(seed) {
        seed
    }

    /// A number of bytes.
    length NUMBER
    put(log, value: &u64) {
        put_number(&mut log.buffer, *value);
    }
    get(from, bytes, _values) -> u64 {
        get_number(bytes, &mut from.at, "a number of bytes")
    }
    sample(seed) {
        seed
    }

    /// An exit status.
    status NUMBER
    put(log, value: &i64) {
        put_difference(&mut log.buffer, 0, *value as u64);
    }
    get(from, bytes, _values) -> i64 {
        Ok(get_difference(bytes, &mut from.at, 0, "an exit status")? as i64)
    }
    sample(seed) {
        -((seed % 300) as i64)
    }

    /// Yes or no, as a byte.
    flag LAST
    put(log, value: &bool) {
        log.buffer.push(u8::from(*value));
    }
    get(from, bytes, _values) -> bool {
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
    sample(seed) {
        seed.is_multiple_of(2)
    }

    /// The name of a signal.
    tag TAG
    put(log, value: &Tag) {
        put_tag(&mut log.buffer, log.pid.0, *value);
    }
    get(from, bytes, _values) -> Tag {
        get_tag(bytes, &mut from.at, from.model.me)
    }
    sample(seed) {
        Tag::Limit { to: Pid(seed % 90) }
    }

    /// Bytes that are read only where they are wanted.
    value VALUE
    put(log, value: &[u8]) {
        log.value(value);
    }
    get(from, bytes, values) -> Vec<u8> {
        from.value(bytes, values)
    }
    sample(seed) {
        vec![7; (seed % 30) as usize]
    }

    /// A text for people: few, and part of every listing. What is not UTF-8 is shown as U+FFFD.
    words VALUE
    put(log, value: &str) {
        log.value(value.as_bytes());
    }
    get(from, bytes, _values) -> String {
        let bytes = from.value(bytes, true)?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
    sample(seed) {
        "words ".repeat((seed % 7) as usize)
    }
}
