//! Values as a debugger shows them: a line for each, and what is inside it when that is asked for. Nothing is copied: a value is read in the process
//! where it is, and is there until the session moves.

use interpreter::heap::{Heap, TermView};
use interpreter::maps;
use interpreter::print::{self, Style, Terms};
use interpreter::term::Term;
use log_format::Pid;
use session::player::handle;

use crate::debug::Debugger;

/// Limits: characters of a value, and of a key.
const CHARS: usize = 1000;
const KEY: usize = 60;

/// A value on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueLine {
    /// The name of a variable, the number of an element, the key of a map.
    pub name: String,
    /// Its value. Of a long one, the beginning.
    pub value: String,
    /// What kind of a term it is.
    pub kind: &'static str,
    /// How many values are inside.
    pub inside: usize,
    /// Are these named by keys, and not by numbers?
    pub by_key: bool,
    /// Where it is, for [`Debugger::inside`].
    pub(crate) term: Option<Term>,
}

impl ValueLine {
    pub(crate) fn of(name: String, heap: &Heap, term: Term, style: &Style<'_>) -> Self {
        let (kind, inside) = kind_of(heap, term);
        Self {
            name,
            value: print::short(heap, term, CHARS, style),
            kind,
            inside,
            by_key: kind == "map",
            term: Some(term),
        }
    }

    /// A value that is only a text.
    pub(crate) const fn text(name: String, value: String) -> Self {
        Self {
            name,
            value,
            kind: "term",
            inside: 0,
            by_key: false,
            term: None,
        }
    }

    /// A variable whose value is no longer kept.
    pub(crate) fn lost(name: String) -> Self {
        Self::text(name, "(no longer kept)".to_owned())
    }
}

/// A value whose inside is shown: one of a living process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldValue {
    /// The process.
    pub pid: Pid,
    term: Term,
}

impl ValueLine {
    /// The value, to look inside.
    #[must_use]
    pub fn held(&self, pid: Pid) -> Option<HeldValue> {
        let term = self.term.filter(|_| self.inside > 0)?;
        Some(HeldValue { pid, term })
    }
}

/// The kind of a term, and how many values are inside. A string and a text are one value.
fn kind_of(heap: &Heap, term: Term) -> (&'static str, usize) {
    match heap.view(term) {
        TermView::Small(_) | TermView::Big { .. } => ("integer", 0),
        TermView::Float(_) => ("float", 0),
        TermView::Atom(_) => ("atom", 0),
        TermView::Pid(_) => ("pid", 0),
        TermView::Port(_) => ("port", 0),
        TermView::Reference(_) => ("reference", 0),
        TermView::Nil => ("list", 0),
        TermView::Cons(..) => ("list", length(heap, term)),
        TermView::Tuple(elements) => ("tuple", elements.len()),
        TermView::Map => ("map", maps::size(heap, term)),
        TermView::Binary => ("binary", 0),
        TermView::Fun { free, .. } => ("fun", free.len()),
        TermView::ExternalFun { .. } => ("fun", 0),
    }
}

/// The number of elements of a list, and one for a tail that is none.
fn length(heap: &Heap, mut term: Term) -> usize {
    let mut n = 0;
    loop {
        match heap.view(term) {
            TermView::Cons(_, tail) => {
                n += 1;
                term = tail;
            }
            TermView::Nil => return n,
            _ => return n + 1,
        }
    }
}

/// Some of the values inside a term, with their names.
fn parts(heap: &Heap, term: Term, from: usize, limit: usize, style: &Style<'_>) -> Vec<(String, Term)> {
    let first = if style.terms == Terms::Elixir { 0 } else { 1 };
    let numbered = |(i, part): (usize, Term)| ((i + first).to_string(), part);
    match heap.view(term) {
        TermView::Tuple(elements) | TermView::Fun { free: elements, .. } => {
            let some = elements.iter().copied().enumerate().skip(from).take(limit);
            some.map(numbered).collect()
        }
        TermView::Map => {
            let key = |key| print::short(heap, key, KEY, style);
            let pairs = maps::sorted_pairs(heap, term).into_iter().skip(from).take(limit);
            pairs.map(|(name, value)| (key(name), value)).collect()
        }
        TermView::Cons(..) => {
            let mut found = Vec::new();
            let (mut rest, mut i) = (term, 0);
            while found.len() < limit {
                match heap.view(rest) {
                    TermView::Cons(head, tail) => {
                        if i >= from {
                            found.push(numbered((i, head)));
                        }
                        rest = tail;
                        i += 1;
                    }
                    TermView::Nil => break,
                    _ => {
                        found.push(("tail".to_owned(), rest));
                        break;
                    }
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

impl Debugger {
    /// Some of the values inside a value, from the `from`-th on. None if its process has moved on or ended since.
    #[must_use]
    pub fn inside(&self, held: HeldValue, from: usize, limit: usize) -> Vec<ValueLine> {
        let found = self.player.look(|system| {
            let process = system.table().by_pid(handle(held.pid))?;
            let style = Style::shown(&*system.program);
            let heap = &process.machine.heap;
            let parts = parts(heap, held.term, from, limit, &style);
            Some(
                parts
                    .into_iter()
                    .map(|(name, part)| ValueLine::of(name, heap, part, &style))
                    .collect(),
            )
        });
        found.unwrap_or_default()
    }

    /// The process dictionary.
    #[must_use]
    pub fn dictionary(&self, pid: Pid) -> Vec<ValueLine> {
        let found = self.player.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let style = Style::shown(&*system.program);
            let heap = &process.machine.heap;
            let pairs = process.machine.local.dictionary.iter();
            Some(
                pairs
                    .map(|(key, value)| ValueLine::of(print::short(heap, key, KEY, &style), heap, value, &style))
                    .collect(),
            )
        });
        found.unwrap_or_default()
    }
}
