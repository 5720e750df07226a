//! A term as a value of its own: what a replay saw, kept apart from the process, to be compared and looked into.

use std::fmt;
use std::sync::Arc;

use interpreter::heap::{Fragment, Heap, View};
use interpreter::print::{self, Style};
use interpreter::term::Term;
use interpreter::vm;
use log_format::Pid;
use system::ids;

/// Parts of a value that are kept, and how deep they may lie. What is beyond is [`Value::Cut`].
const PARTS: usize = 2000;
const DEPTH: usize = 24;
/// Maps of more associations are not looked into: to put them in order costs more than to print their beginning.
const ASSOCIATIONS: usize = 500;
/// Characters of what is kept as it is printed.
const CHARS: usize = 200;

/// A term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// An atom, as it is written.
    Atom(Arc<str>),
    /// A number, as it is written.
    Number(Arc<str>),
    /// A process.
    Pid(Pid),
    /// A reference, as it is written.
    Reference(Arc<str>),
    /// A text, a binary, a fun or a port, as it is written.
    Text(Arc<str>),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A list, with what is in place of its end where that is not the empty list.
    List(Arc<[Value]>, Option<Arc<Value>>),
    /// A map, in the order of its keys.
    Map(Arc<[(Value, Value)]>),
    /// What was too much to keep.
    Cut,
}

impl Value {
    /// A term of a heap.
    #[must_use]
    pub fn of(heap: &Heap, term: Term, style: &Style<'_>) -> Self {
        Reader {
            heap,
            style,
            left: PARTS,
        }
        .read(term, DEPTH)
    }

    /// A term that is in no heap.
    #[must_use]
    pub fn of_fragment(fragment: &Fragment, program: &vm::Program) -> Self {
        let mut heap = Heap::new(program.literals().clone());
        let term = heap.import(fragment);
        Self::of(&heap, term, &Style::unicode(program))
    }

    /// The elements of a tuple; none of anything else.
    #[must_use]
    pub fn tuple(&self) -> &[Self] {
        match self {
            Self::Tuple(elements) => elements,
            _ => &[],
        }
    }

    /// Is it this atom?
    #[must_use]
    pub fn is_atom(&self, name: &str) -> bool {
        matches!(self, Self::Atom(known) if &**known == name)
    }

    /// The values right inside this one: elements, keys and what they lead to.
    pub fn inside(&self) -> impl Iterator<Item = &Self> {
        let (list, tail, pairs): (&[Self], Option<&Self>, &[(Self, Self)]) = match self {
            Self::Tuple(list) => (list, None, &[]),
            Self::List(list, tail) => (list, tail.as_deref(), &[]),
            Self::Map(pairs) => (&[], None, pairs),
            _ => (&[], None, &[]),
        };
        list.iter()
            .chain(tail)
            .chain(pairs.iter().flat_map(|(key, value)| [key, value]))
    }

    /// Is this other value the same or a part of it?
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        self == other || self.inside().any(|part| part.holds(other))
    }

    /// The processes that it names, each once.
    #[must_use]
    pub fn pids(&self) -> Vec<Pid> {
        let mut found = Vec::new();
        self.each(&mut |part| {
            if let Self::Pid(pid) = part
                && !found.contains(pid)
            {
                found.push(*pid);
            }
        });
        found
    }

    /// Calls this for the value and all its parts.
    pub fn each<'v>(&'v self, look: &mut dyn FnMut(&'v Self)) {
        look(self);
        for part in self.inside() {
            part.each(look);
        }
    }

    /// Was something left out?
    #[must_use]
    pub fn is_cut(&self) -> bool {
        *self == Self::Cut || self.inside().any(Self::is_cut)
    }
}

struct Reader<'h> {
    heap: &'h Heap,
    style: &'h Style<'h>,
    left: usize,
}

impl Reader<'_> {
    fn read(&mut self, term: Term, depth: usize) -> Value {
        if self.left == 0 || depth == 0 {
            return Value::Cut;
        }
        self.left -= 1;
        let written = || -> Arc<str> { print::short(self.heap, term, CHARS, self.style).into() };
        match self.heap.view(term) {
            View::Atom(_) => Value::Atom(written()),
            View::Small(_) | View::Big { .. } | View::Float(_) => Value::Number(written()),
            View::Pid(pid) => Value::Pid(ids::to_log(pid)),
            View::Reference(_) => Value::Reference(written()),
            View::Nil => Value::List(Arc::new([]), None),
            View::Tuple(elements) => {
                let elements = elements.to_vec();
                Value::Tuple(self.all(elements.into_iter(), depth))
            }
            View::Map if interpreter::maps::size(self.heap, term) > ASSOCIATIONS => Value::Cut,
            View::Map => {
                let pairs = interpreter::maps::sorted_pairs(self.heap, term).into_iter();
                Value::Map(
                    pairs
                        .map(|(key, value)| (self.read(key, depth - 1), self.read(value, depth - 1)))
                        .collect(),
                )
            }
            View::Cons(..) => {
                let written = written();
                match written.starts_with('"') {
                    true => Value::Text(written),
                    false => self.list(term, depth),
                }
            }
            _ => Value::Text(written()),
        }
    }

    fn all(&mut self, terms: impl Iterator<Item = Term>, depth: usize) -> Arc<[Value]> {
        terms.map(|term| self.read(term, depth - 1)).collect()
    }

    fn list(&mut self, mut term: Term, depth: usize) -> Value {
        let mut items = Vec::new();
        while let Some((head, tail)) = self.heap.cons_cell(term) {
            if self.left == 0 {
                return Value::List(items.into(), Some(Arc::new(Value::Cut)));
            }
            items.push(self.read(head, depth - 1));
            term = tail;
        }
        let tail = (!term.is_nil()).then(|| Arc::new(self.read(term, depth - 1)));
        Value::List(items.into(), tail)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[Self]| {
            for (i, item) in items.iter().enumerate() {
                write!(f, "{}{item}", if i == 0 { "" } else { "," })?;
            }
            Ok(())
        };
        match self {
            Self::Atom(text) | Self::Number(text) | Self::Reference(text) | Self::Text(text) => f.write_str(text),
            Self::Pid(pid) => write!(f, "<{pid}>"),
            Self::Cut => f.write_str("..."),
            Self::Tuple(items) => {
                f.write_str("{")?;
                list(f, items)?;
                f.write_str("}")
            }
            Self::List(items, tail) => {
                f.write_str("[")?;
                list(f, items)?;
                if let Some(tail) = tail {
                    write!(f, "|{tail}")?;
                }
                f.write_str("]")
            }
            Self::Map(pairs) => {
                f.write_str("#{")?;
                for (i, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key} => {value}", if i == 0 { "" } else { "," })?;
                }
                f.write_str("}")
            }
        }
    }
}
