//! Small values built outside any process; text in terms.

use std::sync::Arc;

use interpreter::etf::{self, DecodeError};
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Reference, Term};
use interpreter::vm::Program;

/// An element of a tuple under construction.
pub enum TuplePart<'a> {
    /// An immediate value.
    Term(Term),
    /// A value outside any heap.
    Fragment(&'a Fragment),
    /// A reference.
    Reference(Reference),
}

/// A string, binary or atom as text.
pub fn text(heap: &Heap, t: Term) -> Option<String> {
    if let Some(bytes) = heap.bytes(t) {
        return String::from_utf8(bytes.into_owned()).ok();
    }
    if let Some(atom) = t.as_atom() {
        return Some(atom.as_str().to_owned());
    }
    heap.list(t)?
        .iter()
        .map(|c| c.as_small().and_then(|c| char::from_u32(u32::try_from(c).ok()?)))
        .collect()
}

/// A tuple of these parts.
#[must_use]
pub fn tuple(parts: &[TuplePart<'_>]) -> Fragment {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let terms: Vec<Term> = parts
        .iter()
        .map(|part| match part {
            TuplePart::Term(term) => *term,
            TuplePart::Fragment(fragment) => heap.import(fragment),
            TuplePart::Reference(reference) => heap.make_reference(*reference),
        })
        .collect();
    let tuple = heap.make_tuple(&terms);
    heap.export(tuple)
}

/// The fragment of a value made by `make` in an empty heap.
pub fn build(make: impl FnOnce(&mut Heap) -> Term) -> Fragment {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let term = make(&mut heap);
    heap.export(term)
}

/// A value in the form of the log: the external term format, the same for equal values.
#[must_use]
pub fn encode(heap: &Heap, term: Term) -> Vec<u8> {
    let options = etf::EtfOptions {
        minor_version: 2,
        deterministic: true,
        ..etf::EtfOptions::default()
    };
    etf::encode(heap, term, &options)
}

/// The inverse of [`encode`]. A compressed term is not a value: nobody writes such a value into a log, and it could stand for endless memory.
///
/// # Errors
/// The bytes are not a value; or the module of a fun in it has to be loaded first.
pub fn decode(program: &Program, heap: &mut Heap, bytes: &[u8]) -> Result<Term, DecodeError> {
    if let [131, 80, ..] = bytes {
        return Err(DecodeError::Malformed(1));
    }
    match etf::decode(heap, bytes, false, Some(program))? {
        (term, used) if used == bytes.len() => Ok(term),
        (_, used) => Err(DecodeError::Malformed(used)),
    }
}
