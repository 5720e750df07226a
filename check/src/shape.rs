//! What identifies messages, requests and reasons in every run: shapes of terms, and texts without the numbers of a run.

use interpreter::atom::Atom;
use interpreter::heap::{Heap, TermView};
use interpreter::term::Term;
use std::hash::{Hash, Hasher};

/// The shape of a message: the kind of term; for an atom, the atom; for a tuple, its size, its tag and the atom after it. For messages of
/// `gen_server` and its like, and for replies that begin with a reference or a pid, the shape of their contents.
pub(crate) fn shape(heap: &Heap, message: Term) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    let mut term = message;
    // Contents nested deeper than this all have one shape.
    for _ in 0..4 {
        let TermView::Tuple(elements) = heap.view(term) else {
            break;
        };
        elements.len().hash(&mut hasher);
        let first = elements.first().map(|tag| (*tag, tag.as_atom()));
        match (first, elements) {
            (Some((_, Some(tag))), [_, _, request]) if tag.as_str() == "$gen_call" => term = *request,
            (Some((_, Some(tag))), [_, request]) if tag.as_str() == "$gen_cast" => term = *request,
            (Some((_, Some(tag))), _) => {
                tag.as_str().hash(&mut hasher);
                let second = elements.get(1).and_then(|second| second.as_atom());
                second.map(Atom::as_str).hash(&mut hasher);
                return hasher.finish().max(1);
            }
            (Some((_, None)), [_, answer]) => term = *answer,
            _ => break,
        }
    }
    match (term.as_atom(), heap.view(term)) {
        (Some(atom), _) => atom.as_str().hash(&mut hasher),
        (None, view) => std::mem::discriminant(&view).hash(&mut hasher),
    }
    hasher.finish().max(1)
}

/// What distinguishes one request from another: its atoms and numbers, also those in lists and tuples.
pub(crate) fn hash_question(heap: &Heap, term: Term, hasher: &mut impl Hasher, depth: u32) {
    if let Some(atom) = term.as_atom() {
        atom.as_str().hash(hasher);
    } else if let Some(n) = term.as_small() {
        n.hash(hasher);
    } else if depth > 0 {
        let inside = match heap.view(term) {
            TermView::Tuple(elements) => elements.to_vec(),
            _ => heap.list(term).unwrap_or_default(),
        };
        inside
            .iter()
            .for_each(|one| hash_question(heap, *one, hasher, depth - 1));
    }
}

/// A text without the numbers of pids, references, ports and funs, and without the lines of stack frames.
#[must_use]
pub fn without_names(text: &str) -> String {
    const LINE: &str = "{line,";
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(at) = text[from..].find(LINE).map(|at| from + at + LINE.len()) {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        text.replace_range(at..at + digits, "_");
        from = at;
    }
    without_numbers(&text)
}

pub(crate) fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at + 1);
        out.push_str(before);
        match from.find('>') {
            Some(end) if from[..end].chars().all(|c| c.is_ascii_digit() || c == '.') => {
                out.push('_');
                rest = &from[end..];
            }
            _ => rest = from,
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_compared_without_names() {
        assert_eq!(
            without_names("error {badmatch,<0.12.0>,#Ref<0.1.2.3>}"),
            "error {badmatch,<_>,#Ref<_>}"
        );
        assert_eq!(without_names("a < b <0.x> <0.1.0"), "a < b <0.x> <0.1.0");
        assert_eq!(
            without_names("exit {undef,[{m,f,1,[{file,\"m.erl\"},{line,48}]},{m,g,0,[{line,7}]}]}"),
            "exit {undef,[{m,f,1,[{file,\"m.erl\"},{line,_}]},{m,g,0,[{line,_}]}]}"
        );
    }
}
