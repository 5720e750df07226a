//! A term as a value of its own: what a replay saw, kept apart from the process, to be compared and looked into.

use std::fmt;
use std::sync::Arc;

use interpreter::heap::{Fragment, Heap, TermView};
use interpreter::print::{self, Style, Terms, elixir};
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
    /// The name of an atom.
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
        ValueReader {
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
        Self::of(&heap, term, &Style::shown(program))
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

    /// Is it the reason of an exit that is not a failure?
    #[must_use]
    pub fn is_peaceful(&self) -> bool {
        let is_shutdown = |tuple: &[Self]| tuple.len() == 2 && tuple[0].is_atom("shutdown");
        self.is_atom("normal") || self.is_atom("shutdown") || is_shutdown(self.tuple())
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

    /// The characters of a text, if it is a string or a binary that is shown as one.
    #[must_use]
    pub fn characters(&self) -> Option<String> {
        let Self::Text(written) = self else { return None };
        let inside = written.strip_prefix("<<").and_then(|rest| rest.strip_suffix(">>"));
        let inside = inside.unwrap_or(written);
        let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let mut rest = inside.strip_prefix(quote)?.strip_suffix(quote)?.chars();
        let mut text = String::new();
        while let Some(c) = rest.next() {
            match c {
                '\\' => match rest.next()? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    other => text.push(other),
                },
                c => text.push(c),
            }
        }
        Some(text)
    }

    /// Is it a list, or does it hold a list, with these items in a row?
    #[must_use]
    pub fn holds_row(&self, items: &[Self]) -> bool {
        let here = match self {
            Self::List(list, _) if !items.is_empty() => list.windows(items.len()).any(|row| row == items),
            _ => false,
        };
        here || self.inside().any(|part| part.holds_row(items))
    }

    /// As a text of this language.
    #[must_use]
    pub const fn shown(&self, terms: Terms) -> ShownValue<'_> {
        ShownValue { value: self, terms }
    }

    /// The key of a map, as a name for what is there: in Elixir, an atom without its colon.
    #[must_use]
    pub fn as_key(&self, terms: Terms) -> String {
        match self {
            Self::Atom(name) if terms == Terms::Elixir && can_be_key(self) => crate::words::safe(&elixir::key(name)),
            _ => self.shown(terms).to_string(),
        }
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

struct ValueReader<'h> {
    heap: &'h Heap,
    style: &'h Style<'h>,
    left: usize,
}

impl ValueReader<'_> {
    fn read(&mut self, term: Term, depth: usize) -> Value {
        if self.left == 0 || depth == 0 {
            return Value::Cut;
        }
        self.left -= 1;
        let written = || -> Arc<str> { print::short(self.heap, term, CHARS, self.style).into() };
        match self.heap.view(term) {
            TermView::Atom(name) => Value::Atom(name.as_str().into()),
            TermView::Small(_) | TermView::Big { .. } | TermView::Float(_) => Value::Number(written()),
            TermView::Pid(pid) => Value::Pid(ids::to_log(pid)),
            TermView::Reference(_) => Value::Reference(written()),
            TermView::Nil => Value::List(Arc::new([]), None),
            TermView::Tuple(elements) => {
                let elements = elements.to_vec();
                Value::Tuple(self.all(elements.into_iter(), depth))
            }
            TermView::Map if interpreter::maps::size(self.heap, term) > ASSOCIATIONS => Value::Cut,
            TermView::Map => {
                let pairs = interpreter::maps::sorted_pairs(self.heap, term).into_iter();
                Value::Map(
                    pairs
                        .map(|(key, value)| (self.read(key, depth - 1), self.read(value, depth - 1)))
                        .collect(),
                )
            }
            // Only a list of numbers can be a text. All others are not printed to find that out.
            TermView::Cons(head, _) if !matches!(self.heap.view(head), TermView::Small(_)) => self.list(term, depth),
            TermView::Cons(..) => {
                let written = written();
                let quote = match self.style.terms {
                    Terms::Erlang => '"',
                    Terms::Elixir => '\'',
                };
                match written.starts_with(quote) {
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

/// A value as a text of one language.
pub struct ShownValue<'v> {
    value: &'v Value,
    terms: Terms,
}

impl fmt::Display for ShownValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, terms } = *self;
        let is_elixir = terms == Terms::Elixir;
        let comma = if is_elixir { ", " } else { "," };
        let list = |f: &mut fmt::Formatter<'_>, items: &[Value]| {
            for (i, item) in items.iter().enumerate() {
                write!(f, "{}{}", if i == 0 { "" } else { comma }, item.shown(terms))?;
            }
            Ok(())
        };
        match value {
            Value::Number(text) | Value::Reference(text) | Value::Text(text) => f.write_str(text),
            Value::Atom(name) if is_elixir => f.write_str(&crate::words::safe(&elixir::literal(name))),
            Value::Atom(name) => f.write_str(&crate::words::quoted_atom(name)),
            Value::Pid(pid) if is_elixir => write!(f, "#PID<{pid}>"),
            Value::Pid(pid) => write!(f, "<{pid}>"),
            Value::Cut => f.write_str("..."),
            Value::Tuple(items) => {
                f.write_str("{")?;
                list(f, items)?;
                f.write_str("}")
            }
            Value::List(items, None) if is_elixir && items.iter().all(is_keyword) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if let [key, value] = item.tuple() {
                        write!(
                            f,
                            "{}{}: {}",
                            if i == 0 { "" } else { comma },
                            key.as_key(terms),
                            value.shown(terms)
                        )?;
                    }
                }
                f.write_str("]")
            }
            Value::List(items, tail) => {
                f.write_str("[")?;
                list(f, items)?;
                if let Some(tail) = tail {
                    write!(f, "{}{}", if is_elixir { " | " } else { "|" }, tail.shown(terms))?;
                }
                f.write_str("]")
            }
            Value::Map(pairs) if is_elixir => of_elixir(f, pairs),
            Value::Map(pairs) => {
                f.write_str("#{")?;
                for (i, (key, value)) in pairs.iter().enumerate() {
                    let comma = if i == 0 { "" } else { comma };
                    write!(f, "{comma}{} => {}", key.shown(terms), value.shown(terms))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A map with only some of its associations: `#{… a => 1 …}`.
#[must_use]
pub fn map_in_part(whole: &[(Value, Value)], some: &[(Value, Value)], terms: Terms) -> String {
    let (comma, start) = match terms {
        Terms::Erlang => (",", "#{".to_owned()),
        Terms::Elixir => (", ", format!("%{}{{", struct_name(whole).unwrap_or_default())),
    };
    let are_keys = terms == Terms::Elixir && whole.iter().all(|(key, _)| can_be_key(key));
    let told = |(key, value): &(Value, Value)| match are_keys {
        true => format!("{}: {}", key.as_key(terms), value.shown(terms)),
        false => format!("{} => {}", key.shown(terms), value.shown(terms)),
    };
    let told: Vec<String> = some.iter().map(told).collect();
    format!("{start}… {} …}}", told.join(comma))
}

/// The associations of a map without those that make it a struct of Elixir.
pub fn fields(pairs: &[(Value, Value)]) -> impl Iterator<Item = &(Value, Value)> {
    let is_struct = struct_name(pairs).is_some();
    pairs.iter().filter(move |(key, _)| !(is_struct && marks_struct(key)))
}

/// Of a struct of Elixir: its module.
fn struct_name(pairs: &[(Value, Value)]) -> Option<&str> {
    pairs.iter().find_map(|(key, value)| match value {
        Value::Atom(name) if key.is_atom("__struct__") => elixir::module_name(name),
        _ => None,
    })
}

fn marks_struct(key: &Value) -> bool {
    key.is_atom("__struct__") || key.is_atom("__exception__")
}

/// `%{a: 1}`, `%User{name: "x"}`.
fn of_elixir(f: &mut fmt::Formatter<'_>, pairs: &[(Value, Value)]) -> fmt::Result {
    const TERMS: Terms = Terms::Elixir;
    let name = struct_name(pairs);
    let shown = fields(pairs);
    let are_keys = pairs.iter().all(|(key, _)| can_be_key(key));
    write!(f, "%{}{{", name.unwrap_or_default())?;
    for (i, (key, value)) in shown.enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        if are_keys {
            write!(f, "{}: {}", key.as_key(TERMS), value.shown(TERMS))?;
        } else {
            write!(f, "{} => {}", key.shown(TERMS), value.shown(TERMS))?;
        }
    }
    f.write_str("}")
}

/// Can it stand before the colon of a keyword?
fn can_be_key(key: &Value) -> bool {
    matches!(key, Value::Atom(name) if !name.starts_with("Elixir."))
}

fn is_keyword(item: &Value) -> bool {
    matches!(item.tuple(), [key, _] if can_be_key(key))
}
