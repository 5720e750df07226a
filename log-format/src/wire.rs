//! Numbers, texts, signals and resources for small files besides the trace, encoded as in a trace. Reading never goes past the bytes, and no
//! length is trusted.

use crate::decode::{get_resource, get_tag};
use crate::encode::{put_resource, put_tag};
use crate::ids::{Pid, Tag};
use crate::varint::{byte, get, get_bytes, get_difference, put, put_bytes, put_difference};
use crate::{Resource, varint};

pub use varint::Malformed;

/// Bytes that are being written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number; small ones take one byte.
    pub fn number(&mut self, n: u64) {
        put(&mut self.bytes, n);
    }

    /// The difference between two numbers; if it is small in either direction, it takes one byte.
    pub fn difference(&mut self, from: u64, to: u64) {
        put_difference(&mut self.bytes, from, to);
    }

    /// A text, after its length.
    pub fn text(&mut self, text: &str) {
        put_bytes(&mut self.bytes, text.as_bytes());
    }

    /// Bytes, after their number.
    pub fn counted(&mut self, bytes: &[u8]) {
        put_bytes(&mut self.bytes, bytes);
    }

    /// A signal to a process.
    pub fn tag(&mut self, to: Pid, tag: Tag) {
        put_tag(&mut self.bytes, to.0, tag);
    }

    /// A resource that a process uses.
    pub fn resource(&mut self, by: Pid, resource: &Resource) {
        let kind = self.bytes.len();
        self.bytes.push(0);
        self.bytes[kind] = put_resource(&mut self.bytes, by.0, resource);
    }

    /// What another one has written.
    pub fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// All bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Clone, Debug)]
pub struct WireReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What a reader found, or where the bytes are wrong.
pub type WireResult<T> = Result<T, Malformed>;

impl<'a> WireReader<'a> {
    /// At this place in the bytes.
    #[must_use]
    pub const fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The offset of what is read next.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Has all been read?
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// A byte.
    ///
    /// # Errors
    /// There is none.
    pub fn byte(&mut self, expected: &'static str) -> WireResult<u8> {
        byte(self.bytes, &mut self.at, expected)
    }

    /// A number.
    ///
    /// # Errors
    /// There is none, or it is too large.
    pub fn number(&mut self, expected: &'static str) -> WireResult<u64> {
        get(self.bytes, &mut self.at, expected)
    }

    /// A number below a limit.
    ///
    /// # Errors
    /// There is none, or it is too large.
    pub fn below(&mut self, limit: u64, expected: &'static str) -> WireResult<u64> {
        let at = self.at;
        let found = self.number(expected)?;
        match found < limit {
            true => Ok(found),
            false => Err(Malformed { at, expected, found }),
        }
    }

    /// How many things follow, of which each takes a byte or more.
    ///
    /// # Errors
    /// There is no number, or there are not so many bytes.
    pub fn count(&mut self, expected: &'static str) -> WireResult<usize> {
        let most = self.bytes.len().saturating_sub(self.at) as u64;
        self.below(most, expected).map(|count| count as usize)
    }

    /// The number that has this difference from another one.
    ///
    /// # Errors
    /// There is none.
    pub fn difference(&mut self, from: u64, expected: &'static str) -> WireResult<u64> {
        get_difference(self.bytes, &mut self.at, from, expected)
    }

    /// What [`Writer::counted`] wrote.
    ///
    /// # Errors
    /// It is cut off.
    pub fn counted(&mut self, expected: &'static str) -> WireResult<&'a [u8]> {
        get_bytes(self.bytes, &mut self.at, expected)
    }

    /// A text.
    ///
    /// # Errors
    /// There is none, or it is not UTF-8.
    pub fn text(&mut self, expected: &'static str) -> WireResult<&'a str> {
        let at = self.at;
        let bytes = get_bytes(self.bytes, &mut self.at, expected)?;
        std::str::from_utf8(bytes).map_err(|error| Malformed {
            at: at + error.valid_up_to(),
            expected: "a text in UTF-8",
            found: bytes.len() as u64,
        })
    }

    /// A signal to a process.
    ///
    /// # Errors
    /// There is none.
    pub fn tag(&mut self, to: Pid) -> WireResult<Tag> {
        get_tag(self.bytes, &mut self.at, to.0)
    }

    /// A resource that a process uses.
    ///
    /// # Errors
    /// There is none.
    pub fn resource(&mut self, by: Pid) -> WireResult<Resource> {
        let kind = self.byte("the kind of a resource")?;
        get_resource(self.bytes, &mut self.at, by.0, kind)
    }
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "at byte {}: expected {}, found {}",
            self.at, self.expected, self.found
        )
    }
}

impl std::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ObjectId, SendNo, TextId};

    #[test]
    fn what_is_written_is_read() {
        let (p, q) = (Pid(3), Pid(400));
        let table = ObjectId { creator: q, k: 2 };
        let mut out = Writer::default();
        out.number(1 << 40);
        out.difference(10, 7);
        out.text("stock");
        out.tag(p, Tag::Sent { by: q, k: SendNo(9) });
        out.resource(p, &Resource::TableKey { table, key: 77 });
        out.resource(p, &Resource::Name(TextId(5)));
        let bytes = out.into_bytes();
        let mut read = WireReader::at(&bytes, 0);
        assert_eq!(read.number("n"), Ok(1 << 40));
        assert_eq!(read.difference(10, "n"), Ok(7));
        assert_eq!(read.text("a text"), Ok("stock"));
        assert_eq!(read.tag(p), Ok(Tag::Sent { by: q, k: SendNo(9) }));
        assert_eq!(read.resource(p), Ok(Resource::TableKey { table, key: 77 }));
        assert_eq!(read.resource(p), Ok(Resource::Name(TextId(5))));
        assert!(read.is_done());
        assert_eq!(read.byte("a byte").map_err(|error| error.at), Err(bytes.len()));
        // A length that the bytes do not have.
        assert!(WireReader::at(&[0xff, 0xff, 0x03, 0], 0).count("units").is_err());
        assert!(WireReader::at(&[2, 0xff, 0xfe], 0).text("a text").is_err());
    }
}
