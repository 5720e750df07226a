//! Terms as `inspect` of Elixir 1.14 prints them, on one line.

mod atom;
mod banner;
mod structs;

pub use atom::{is_variable, module_name, push_callable, push_literal};
pub use banner::Banner;

use super::Style;
use super::text::Text;
use super::write::{push_atomic, push_i64};
use crate::atom::Atom;
use crate::heap::{Bits, Heap, TermView};
use crate::term::Term;

/// What is left to write, the next on top of the stack.
enum Task {
    Text(&'static str),
    Term(Term),
    /// The rest of a list after at least one element.
    Tail(Term),
    /// The elements of a tuple from this index on.
    Tuple(Term, usize),
    /// The rest of a keyword list after at least one pair.
    Keywords(Term),
    /// From here on, are lists of characters written as lists?
    AsLists(bool),
    /// The pairs from this index on; with atoms as keys, as keywords?
    Pairs(Vec<(Term, Term)>, usize, bool),
}

/// A writer of one term.
struct ElixirWriter<'a> {
    out: &'a mut Text,
    heap: &'a Heap,
    style: &'a Style<'a>,
    stack: Vec<Task>,
    /// No more than about this many bytes are wanted.
    limit: usize,
    /// Lists of characters are written as lists, as in a `MapSet`.
    as_lists: bool,
}

/// Writes a term; stops when the text has more than `limit` bytes. The work is at most a fixed multiple of `limit`.
pub fn push_term(out: &mut Text, heap: &Heap, term: Term, style: &Style<'_>, limit: usize) {
    let mut writer = ElixirWriter {
        out,
        heap,
        style,
        stack: vec![Task::Term(term)],
        limit,
        as_lists: false,
    };
    while let Some(task) = writer.stack.pop() {
        if writer.out.size() > limit {
            return;
        }
        writer.go(task);
    }
}

impl ElixirWriter<'_> {
    fn go(&mut self, task: Task) {
        match task {
            Task::Text(text) => self.out.push_str(text),
            Task::Term(term) => self.begin(term),
            Task::Tail(rest) => {
                if rest.is_nil() {
                } else if let Some((head, tail)) = self.heap.cons_cell(rest) {
                    self.out.push_str(", ");
                    self.stack.extend([Task::Tail(tail), Task::Term(head)]);
                } else {
                    self.out.push_str(" | ");
                    self.stack.push(Task::Term(rest));
                }
            }
            Task::Keywords(rest) => {
                if let Some((head, tail)) = self.heap.cons_cell(rest) {
                    self.out.push_str(", ");
                    self.keyword(head, tail);
                }
            }
            Task::Tuple(term, at) => {
                let element = self.heap.tuple(term).and_then(|elements| elements.get(at).copied());
                if let Some(element) = element {
                    self.out.push_str(", ");
                    self.stack.extend([Task::Tuple(term, at + 1), Task::Term(element)]);
                }
            }
            Task::AsLists(so) => self.as_lists = so,
            Task::Pairs(pairs, at, as_keywords) => self.pair(pairs, at, as_keywords),
        }
    }

    /// The pair at this index of a map, if there is one.
    fn pair(&mut self, pairs: Vec<(Term, Term)>, at: usize, as_keywords: bool) {
        let Some(&(key, value)) = pairs.get(at) else { return };
        if at > 0 {
            self.out.push_str(", ");
        }
        self.stack
            .extend([Task::Pairs(pairs, at + 1, as_keywords), Task::Term(value)]);
        match key.as_atom().filter(|_| as_keywords) {
            Some(name) => atom::push_key(self.out, name.as_str()),
            None => self.stack.extend([Task::Text(" => "), Task::Term(key)]),
        }
    }

    /// A pair of a keyword list, before the rest of that list.
    fn keyword(&mut self, pair: Term, rest: Term) {
        if let Some(&[key, value]) = self.heap.tuple(pair)
            && let Some(key) = key.as_atom()
        {
            atom::push_key(self.out, key.as_str());
            self.stack.extend([Task::Keywords(rest), Task::Term(value)]);
        }
    }

    fn begin(&mut self, term: Term) {
        match self.heap.view(term) {
            TermView::Atom(name) => push_literal(self.out, name.as_str()),
            TermView::Nil => self.out.push_str("[]"),
            TermView::Cons(head, tail) => self.list(term, head, tail),
            TermView::Tuple([]) => self.out.push_str("{}"),
            TermView::Tuple(elements) => {
                self.out.push_ascii(b'{');
                let first = elements[0];
                self.stack
                    .extend([Task::Text("}"), Task::Tuple(term, 1), Task::Term(first)]);
            }
            TermView::Map => self.map(term),
            TermView::Binary => {
                let bits = self.heap.bits(term).expect("the view says binary");
                self.binary(bits);
            }
            TermView::Pid(pid) => self.out.push_str(&format!("#PID<{}.{}.0>", pid.node(), pid.number())),
            TermView::Reference(r) => self.out.push_str(&format!(
                "#Reference<{}.{}.{}.0>",
                r.owner.node(),
                r.owner.number(),
                r.number
            )),
            TermView::Fun { id, arity, .. } => self.fun(id, arity),
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => {
                self.out.push_ascii(b'&');
                push_literal(self.out, module.as_str());
                self.out.push_ascii(b'.');
                push_callable(self.out, function.as_str());
                self.out.push_str(&format!("/{arity}"));
            }
            TermView::Big { limbs, .. } if self.style.brief && limbs.len() > super::short::LIMBS => {
                self.out
                    .push_str(&format!("(integer of {} bits)", limbs.len() as u64 * 64));
            }
            TermView::Small(_) | TermView::Big { .. } | TermView::Float(_) | TermView::Port(_) => {
                push_atomic(self.out, self.heap, term, super::Encoding::Unicode);
            }
        }
    }

    fn list(&mut self, list: Term, head: Term, tail: Term) {
        if let Some(characters) = self.characters(list) {
            self.out.push_ascii(b'\'');
            push_escaped(self.out, &characters, '\'');
            return self.out.push_ascii(b'\'');
        }
        self.out.push_ascii(b'[');
        self.stack.push(Task::Text("]"));
        if self.is_keywords(list) {
            self.keyword(head, tail);
        } else {
            self.stack.extend([Task::Tail(tail), Task::Term(head)]);
        }
    }

    /// The characters of a list that is a text, as far as they are wanted.
    fn characters(&self, mut list: Term) -> Option<String> {
        if self.as_lists {
            return None;
        }
        let mut found = String::new();
        while let Some((head, tail)) = self.heap.cons_cell(list) {
            let c = head.as_small().and_then(|c| u8::try_from(c).ok())?;
            if !matches!(c, 0x20..=0x7e | 0x07..=0x0d | 0x1b) {
                return None;
            }
            found.push(c as char);
            if found.len() > self.limit {
                return Some(found);
            }
            list = tail;
        }
        list.is_nil().then_some(found)
    }

    /// Are all elements, as far as they are wanted, pairs with an atom first that can be a keyword?
    fn is_keywords(&self, mut list: Term) -> bool {
        for _ in 0..=self.limit {
            let Some((head, tail)) = self.heap.cons_cell(list) else {
                return list.is_nil();
            };
            match self.heap.tuple(head) {
                Some(&[key, _]) if is_keyword(key) => list = tail,
                _ => return false,
            }
        }
        true
    }

    fn map(&mut self, map: Term) {
        let pairs = super::map_pairs(self.heap, map, self.limit.max(64), super::MapOrder::Usual);
        if let Some(text) = structs::known(self.heap, &pairs) {
            return self.out.push_str(&text);
        }
        if let Some(members) = structs::members(self.heap, &pairs, self.limit) {
            self.out.push_str("MapSet.new([");
            self.stack.extend([Task::AsLists(self.as_lists), Task::Text("])")]);
            self.as_lists = true;
            if let Some((first, rest)) = members.split_first() {
                for member in rest.iter().rev() {
                    self.stack.extend([Task::Term(*member), Task::Text(", ")]);
                }
                self.stack.push(Task::Term(*first));
            }
            return;
        }
        let (name, pairs) = structs::fields(pairs, self.style.code);
        let as_keywords = pairs.iter().all(|(key, _)| is_keyword(*key));
        self.out.push_ascii(b'%');
        if let Some(name) = name {
            push_literal(self.out, name.as_str());
        }
        self.out.push_ascii(b'{');
        self.stack.extend([Task::Text("}"), Task::Pairs(pairs, 0, as_keywords)]);
    }

    fn binary(&mut self, bits: Bits<'_>) {
        let whole = bits.len / 8;
        let wanted = whole.min(self.limit.saturating_add(4));
        let bytes: Vec<u8> = match bits.as_bytes() {
            Some(bytes) => bytes[..wanted].to_vec(),
            None => (0..wanted).map(|i| bits.byte_at(i * 8)).collect(),
        };
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => Some(text),
            // It goes on in what is not wanted.
            Err(error) if error.error_len().is_none() && wanted < whole => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()
            }
            Err(_) => None,
        };
        if let Some(text) = text.filter(|text| bits.len.is_multiple_of(8) && text.chars().all(is_printable)) {
            self.out.push_ascii(b'"');
            push_escaped(self.out, text, '"');
            return self.out.push_ascii(b'"');
        }
        self.out.push_str("<<");
        for (i, byte) in bytes.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            push_i64(self.out, i64::from(*byte));
        }
        let rest = bits.len % 8;
        if rest > 0 && wanted == whole {
            let start = if whole > 0 { ", " } else { "" };
            let value = bits.byte_at(whole * 8) >> (8 - rest);
            self.out.push_str(&format!("{start}{value}::size({rest})"));
        }
        self.out.push_str(">>");
    }

    fn fun(&mut self, id: u32, arity: u8) {
        let info = self.style.code.fun(id);
        let name = info.name;
        self.out
            .push_str(&format!("#Function<{}.{}/{arity} in ", name.index, name.unique));
        push_literal(self.out, name.module.as_str());
        self.out.push_ascii(b'.');
        match parent(info.function.as_str()) {
            Some((function, arity)) => {
                push_callable(self.out, function);
                self.out.push_str(&format!("/{arity}>"));
            }
            None => {
                push_callable(self.out, info.function.as_str());
                self.out.push_ascii(b'>');
            }
        }
    }
}

/// A text whose quote and interpolations are escaped.
fn push_escaped(out: &mut Text, text: &str, quote: char) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '#' && rest.peek() == Some(&'{') {
            out.push_ascii(b'\\');
        }
        atom::push_char(out, c as u32, quote);
    }
}

/// Name and arity of the function in which an anonymous function was written: `-deposit/1-fun-0-`.
#[must_use]
pub fn parent(name: &str) -> Option<(&str, &str)> {
    let (function, last) = name.strip_prefix('-')?.rsplit_once('/')?;
    let mut parts = last.split('-');
    let [arity, _, _, ""] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?] else {
        return None;
    };
    parts.next().is_none().then_some((function, arity))
}

/// Can it be written as `key: value`?
fn is_keyword(key: Term) -> bool {
    key.as_atom().is_some_and(|name| !name.as_str().starts_with("Elixir."))
}

/// `String.printable?/1`.
const fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{7}'..='\u{d}' | '\u{1b}' | '\u{7f}' | '\u{a0}'..='\u{d7ff}'
        | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
}

/// The atom as `inspect` prints it.
#[must_use]
pub fn literal(name: &str) -> String {
    let mut out = Text::new();
    push_literal(&mut out, name);
    out.into_string_lossy()
}

/// The atom as the key of a keyword, without its colon.
#[must_use]
pub fn key(name: &str) -> String {
    let mut out = Text::new();
    atom::push_key(&mut out, name);
    out.into_string_lossy().trim_end_matches(": ").to_owned()
}

/// The name of a function as a call has it: `deposit`, `"test a: b"`, `+`.
#[must_use]
pub fn callable(name: &str) -> String {
    let mut out = Text::new();
    push_callable(&mut out, name);
    out.into_string_lossy()
}

/// The definition of a struct, as the program knows it: names of the fields in their order.
pub type Fields = std::sync::Arc<[Atom]>;
