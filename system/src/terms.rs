//! Small values built outside any process.

use std::sync::Arc;

use interpreter::etf;
use interpreter::heap::{Fragment, Heap};
use interpreter::term::{Reference, Term};
use interpreter::vm::Program;

/// An element of a tuple under construction.
pub enum Part<'a> {
    /// An immediate value.
    Term(Term),
    /// A value outside any heap.
    Fragment(&'a Fragment),
    /// A reference.
    Reference(Reference),
}

/// A tuple of these parts.
#[must_use]
pub fn tuple(parts: &[Part<'_>]) -> Fragment {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let terms: Vec<Term> = parts
        .iter()
        .map(|part| match part {
            Part::Term(term) => *term,
            Part::Fragment(fragment) => heap.import(fragment),
            Part::Reference(reference) => heap.make_reference(*reference),
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
pub fn encode(program: &Program, heap: &Heap, term: Term) -> Vec<u8> {
    let options = etf::Options {
        minor_version: 2,
        deterministic: true,
        code: Some(program),
        ..etf::Options::default()
    };
    etf::encode(heap, term, &options)
}

/// The inverse of [`encode`]; `None` if the bytes are not a value. Compressed terms are rejected: no recorder writes them, and they could stand
/// for endless memory.
pub fn decode(program: &Program, heap: &mut Heap, bytes: &[u8]) -> Option<Term> {
    if let [131, 80, ..] = bytes {
        return None;
    }
    match etf::decode(heap, bytes, false, Some(program)) {
        Ok((term, used)) if used == bytes.len() => Some(term),
        _ => None,
    }
}
