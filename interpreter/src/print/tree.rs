//! The measured form of a term for `~p`: every node knows how many characters it takes on one line.
//!
//! Built with two allowances, as in OTP: the depth D (−1: no limit) and the characters T left (−1: no limit). A node that was cut short counts
//! its dots, and remembers what it can be rebuilt from with a larger depth ([`More`]).

use super::name::{self, Escape};
use super::text::{self, Text};
use super::write::{push_atomic, push_binary};
use super::{Encoding, Style, grapheme, sub};
use crate::heap::{Bits, Heap, TermView};
use crate::term::Term;

mod strings;

/// Index of a node in its [`Tree`].
pub type NodeId = u32;

/// No node.
pub const NONE: NodeId = u32::MAX;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Finished text: atoms, numbers, strings, `[]`, `{...}`, …
    Leaf,
    /// A binary as numbers, which may be broken after commas.
    Bytes,
    /// A list; the last child may be an improper tail.
    List,
    /// A tuple; tagged if it has an atom first and more after it.
    Tuple {
        /// Laid out with the rest indented under the tag.
        tagged: bool,
    },
    /// A map; its children are pairs.
    Map,
    /// Key and value.
    Pair,
    /// `#name{…}`; its text is `#name`, its children are fields.
    Record,
    /// `name = value`; its text is the name, its child the value.
    Field,
    /// `...` in place of the remaining children.
    Dots,
}

/// One node. Children are linked from `first` over `next`.
#[derive(Clone, Copy, Debug)]
pub struct PrintNode {
    /// What it is.
    pub shape: Shape,
    /// Characters on one line.
    pub len: i64,
    /// The number of characters of dots in it.
    pub dots: i64,
    /// First child.
    pub first: NodeId,
    /// Next sibling.
    pub next: NodeId,
    /// Is it an improper tail or dots, at the end of its siblings?
    pub tail: bool,
    /// Start of its text.
    pub from: usize,
    /// End of its text.
    pub to: usize,
    /// Characters of its text (names of records; names of fields with ` = `).
    pub name_len: i64,
    /// How to rebuild it with more depth: an index into [`Tree::more`].
    more: u32,
}

/// The source of a shortened node, and its depth.
#[derive(Clone, Debug)]
enum More {
    Term(Term, i64),
    List(Term, i64),
    Tuple(Term, usize, i64),
    Map(Term, usize, i64, i64),
    Fields(Term, usize, i64),
}

/// All nodes of one term.
pub struct Tree<'a> {
    heap: &'a Heap,
    style: &'a Style<'a>,
    /// The nodes.
    pub nodes: Vec<PrintNode>,
    /// The texts of leaves and names.
    pub text: Text,
    more: Vec<More>,
}

/// A parent whose children are being built.
struct PrintParent {
    node: NodeId,
    last: NodeId,
    depth: i64,
    room: i64,
    count: i64,
    len: i64,
    dots: i64,
    rest: Rest,
}

/// The source of the next child.
enum Rest {
    List(Term),
    Tuple(Term, usize),
    Map {
        map: Term,
        pairs: Vec<(Term, Term)>,
        at: usize,
        inner: i64,
    },
    Pair(Term, Term, u8),
    Record {
        tuple: Term,
        fields: Vec<crate::atom::Atom>,
        at: usize,
    },
    Field(Term, bool),
    /// Siblings of a kept node that are being expanded: the next one, and the increase of the depth.
    Expand {
        next: NodeId,
        by: i64,
    },
    ExpandPair {
        key: NodeId,
        value: NodeId,
        by: i64,
        state: u8,
    },
    ExpandField {
        value: NodeId,
        by: i64,
        done: bool,
    },
}

/// A child to build next.
enum Job {
    Term {
        term: Term,
        depth: i64,
        room: i64,
    },
    Pair {
        key: Term,
        value: Term,
        depth: i64,
        room: i64,
    },
    Field {
        name: crate::atom::Atom,
        value: Term,
        depth: i64,
        room: i64,
    },
    Expand {
        node: NodeId,
        by: i64,
        room: i64,
    },
    /// The remaining siblings are rebuilt.
    Siblings {
        more: More,
        by: i64,
        room: i64,
    },
    Dots(More),
    Finish,
}

impl<'a> Tree<'a> {
    /// An empty tree.
    #[must_use]
    pub fn new(heap: &'a Heap, style: &'a Style<'a>) -> Self {
        let mut text = Text::new();
        text.follow(style.code.release());
        Self {
            heap,
            style,
            nodes: Vec::new(),
            text,
            more: Vec::new(),
        }
    }

    /// The node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &PrintNode {
        &self.nodes[id as usize]
    }

    /// The text of a leaf, or the name of a record or field.
    #[must_use]
    pub fn text(&self, node: &PrintNode) -> &[u8] {
        &self.text.as_bytes()[node.from..node.to]
    }

    fn add(&mut self, shape: Shape, from: usize) -> NodeId {
        self.nodes.push(PrintNode {
            shape,
            len: 0,
            dots: 0,
            first: NONE,
            next: NONE,
            tail: false,
            from,
            to: self.text.size(),
            name_len: 0,
            more: NONE,
        });
        self.nodes.len() as NodeId - 1
    }

    fn remember(&mut self, id: NodeId, more: More) {
        self.more.push(more);
        self.nodes[id as usize].more = self.more.len() as u32 - 1;
    }

    /// A leaf of the text from position `from` on.
    fn leaf(&mut self, from: usize) -> NodeId {
        let id = self.add(Shape::Leaf, from);
        self.nodes[id as usize].len = text::length(&self.text.as_bytes()[from..]) as i64;
        id
    }

    fn fixed(&mut self, s: &str) -> NodeId {
        let from = self.text.size();
        self.text.push_str(s);
        self.leaf(from)
    }

    /// A text that stands for something longer.
    fn short(&mut self, s: &str, more: More) -> NodeId {
        let id = self.fixed(s);
        self.nodes[id as usize].dots = 3;
        self.remember(id, more);
        id
    }

    /// Builds the node of a term (`depth` is not 0).
    pub fn build(&mut self, term: Term, depth: i64, room: i64) -> NodeId {
        self.run(Job::Term { term, depth, room })
    }

    /// Rebuilds a node with `by` more depth; finished parts are kept.
    pub fn expand(&mut self, node: NodeId, room: i64, by: i64) -> NodeId {
        self.run(Job::Expand { node, by, room })
    }

    fn run(&mut self, first: Job) -> NodeId {
        let mut stack: Vec<PrintParent> = Vec::new();
        let mut done = self.start(first, &mut stack);
        loop {
            let Some(frame) = stack.last_mut() else {
                return done.expect("nothing is left to build");
            };
            if let Some(child) = done.take() {
                self.attach(frame, child);
            }
            done = match self.next(frame) {
                Job::Finish => {
                    let frame = stack.pop().expect("the frame that finished");
                    Some(self.finish(frame))
                }
                Job::Dots(more) => {
                    let from = self.text.size();
                    let id = self.add(Shape::Dots, from);
                    let node = &mut self.nodes[id as usize];
                    (node.len, node.dots, node.tail) = (3, 3, true);
                    self.remember(id, more);
                    frame.rest = Rest::Field(Term::NIL, true);
                    Some(id)
                }
                Job::Siblings { more, by, room } => {
                    frame.room = room;
                    self.resume(frame, more, by);
                    None
                }
                job => self.start(job, &mut stack),
            };
        }
    }

    /// Rebuilds the children of `frame` from here on.
    fn resume(&self, frame: &mut PrintParent, more: More, by: i64) {
        (frame.rest, frame.depth) = match more {
            More::List(rest, depth) => (Rest::List(rest), depth + by),
            More::Tuple(tuple, i, depth) => (Rest::Tuple(tuple, i), depth + by),
            More::Map(map, at, depth, inner) => (
                Rest::Map {
                    map,
                    pairs: self.pairs(map, at, frame.room),
                    at,
                    inner,
                },
                depth + by,
            ),
            More::Fields(tuple, at, depth) => {
                let elements = self.heap.tuple(tuple).expect("fields of a tuple");
                let fields = self.record_fields(elements).expect("it was a record before");
                (Rest::Record { tuple, fields, at }, depth + by)
            }
            More::Term(..) => unreachable!("siblings are never remembered as a term"),
        };
    }

    /// Adds a finished child.
    fn attach(&mut self, frame: &mut PrintParent, child: NodeId) {
        let PrintNode { len, dots, .. } = *self.node(child);
        if matches!(frame.rest, Rest::Field(_, true)) && self.node(frame.node).shape == Shape::List {
            self.nodes[child as usize].tail = true;
        }
        if frame.last == NONE {
            self.nodes[frame.node as usize].first = child;
        } else {
            self.nodes[frame.last as usize].next = child;
            if self.separated(frame.node) {
                frame.len += 1;
            }
        }
        frame.last = child;
        frame.count += 1;
        frame.len += len;
        frame.dots += dots;
        match &mut frame.rest {
            Rest::Pair(_, _, _) | Rest::ExpandPair { .. } => {
                if frame.count == 1 {
                    frame.len += 4;
                    frame.room = sub(frame.room, len + 4);
                }
            }
            Rest::Field(..) | Rest::ExpandField { .. } => {}
            Rest::Expand { .. } => frame.room = sub(frame.room, len),
            _ => {
                frame.room = sub(frame.room, len);
                frame.depth -= 1;
            }
        }
    }

    fn separated(&self, node: NodeId) -> bool {
        !matches!(self.node(node).shape, Shape::Pair | Shape::Field)
    }

    fn finish(&mut self, frame: PrintParent) -> NodeId {
        let node = &mut self.nodes[frame.node as usize];
        node.len = frame.len;
        node.dots = frame.dots;
        if frame.dots == 0 {
            node.more = NONE;
        }
        frame.node
    }

    /// The room for an element; a comma follows unless it is the last one.
    fn before_comma(frame: &mut PrintParent, last: bool) -> i64 {
        if !last {
            frame.room = sub(frame.room, 1);
        }
        frame.room
    }

    fn next(&self, frame: &mut PrintParent) -> Job {
        let (depth, room) = (frame.depth, frame.room);
        let cut = depth == 1 || room == 0;
        match &mut frame.rest {
            &mut Rest::List(list) => self.next_of_list(frame, list),
            Rest::Tuple(tuple, i) => {
                let elements = self.heap.tuple(*tuple).expect("a tuple's frame");
                if *i >= elements.len() {
                    return Job::Finish;
                }
                if cut {
                    return Job::Dots(More::Tuple(*tuple, *i, depth));
                }
                let term = elements[*i];
                *i += 1;
                let last = *i == elements.len();
                Job::Term {
                    term,
                    depth: depth - 1,
                    room: Self::before_comma(frame, last),
                }
            }
            Rest::Map { map, pairs, at, inner } => {
                let Some(&(key, value)) = pairs.get(*at) else {
                    return Job::Finish;
                };
                if cut {
                    return Job::Dots(More::Map(*map, *at, depth, *inner));
                }
                *at += 1;
                let (last, depth) = (*at == pairs.len(), *inner);
                Job::Pair {
                    key,
                    value,
                    depth,
                    room: Self::before_comma(frame, last),
                }
            }
            Rest::Pair(key, value, state) => {
                *state += 1;
                let term = match state {
                    1 => *key,
                    2 => *value,
                    _ => return Job::Finish,
                };
                Job::Term { term, depth, room }
            }
            Rest::Record { tuple, fields, at } => {
                let Some(&name) = fields.get(*at) else {
                    return Job::Finish;
                };
                if cut {
                    return Job::Dots(More::Fields(*tuple, *at, depth));
                }
                *at += 1;
                let value = self.heap.tuple(*tuple).expect("a record's frame")[*at];
                let last = *at == fields.len();
                Job::Field {
                    name,
                    value,
                    depth: depth - 1,
                    room: Self::before_comma(frame, last),
                }
            }
            Rest::Field(_, true) => Job::Finish,
            Rest::Field(value, done) => {
                *done = true;
                Job::Term {
                    term: *value,
                    depth,
                    room,
                }
            }
            &mut Rest::Expand { next, by } => self.next_of_expansion(frame, next, by),
            Rest::ExpandPair { key, value, by, state } => {
                *state += 1;
                match state {
                    1 => Job::Expand {
                        node: *key,
                        by: *by,
                        room: sub(room, 1),
                    },
                    2 => Job::Expand {
                        node: *value,
                        by: *by,
                        room,
                    },
                    _ => Job::Finish,
                }
            }
            Rest::ExpandField { done: true, .. } => Job::Finish,
            Rest::ExpandField { value, by, done } => {
                *done = true;
                Job::Expand {
                    node: *value,
                    by: *by,
                    room,
                }
            }
        }
    }

    /// The next element of a list, or what stands behind its bar.
    fn next_of_list(&self, frame: &mut PrintParent, list: Term) -> Job {
        let (depth, room) = (frame.depth, frame.room);
        if list.is_nil() {
            return Job::Finish;
        }
        if depth == 1 || room == 0 {
            return Job::Dots(More::List(list, depth));
        }
        let (term, room) = match self.heap.cons_cell(list) {
            Some((head, tail)) => {
                frame.rest = Rest::List(tail);
                (head, Self::before_comma(frame, tail.is_nil()))
            }
            None => {
                frame.rest = Rest::Field(Term::NIL, true);
                (list, room)
            }
        };
        Job::Term {
            term,
            depth: depth - 1,
            room,
        }
    }

    /// The next of nodes that are printed once more with more depth.
    fn next_of_expansion(&self, frame: &mut PrintParent, id: NodeId, by: i64) -> Job {
        if id == NONE {
            return Job::Finish;
        }
        let node = self.node(id);
        if node.shape == Shape::Dots {
            let more = self.more[node.more as usize].clone();
            let room = frame.room;
            return Job::Siblings { more, by, room };
        }
        let after = node.next;
        frame.rest = Rest::Expand { next: after, by };
        Job::Expand {
            node: id,
            by,
            room: Self::before_comma(frame, after == NONE),
        }
    }

    /// Starts a child: a finished node, or a frame on the stack.
    fn start(&mut self, job: Job, stack: &mut Vec<PrintParent>) -> Option<NodeId> {
        match job {
            Job::Term { term, depth, room } => self.start_term(term, depth, room, stack),
            Job::Pair {
                key,
                value,
                depth,
                room,
            } => {
                let node = self.add(Shape::Pair, self.text.size());
                stack.push(PrintParent::new(node, depth, room, 0, Rest::Pair(key, value, 0)));
                None
            }
            Job::Field {
                name,
                value,
                depth,
                room,
            } => {
                let from = self.text.size();
                name::push_atom(&mut self.text, name.as_str(), self.style.encoding);
                let name_len = text::length(&self.text.as_bytes()[from..]) as i64 + 3;
                let node = self.add(Shape::Field, from);
                self.nodes[node as usize].name_len = name_len;
                stack.push(PrintParent::new(
                    node,
                    depth,
                    sub(room, name_len),
                    name_len,
                    Rest::Field(value, false),
                ));
                None
            }
            Job::Expand { node, by, room } => self.start_expand(node, by, room, stack),
            Job::Siblings { .. } | Job::Dots(_) | Job::Finish => unreachable!("handled by the caller"),
        }
    }

    fn start_expand(&mut self, id: NodeId, by: i64, room: i64, stack: &mut Vec<PrintParent>) -> Option<NodeId> {
        let old = *self.node(id);
        if old.more != NONE {
            let More::Term(term, depth) = self.more[old.more as usize] else {
                unreachable!("dots are expanded with their siblings");
            };
            return self.start_term(term, depth + by, room, stack);
        }
        // A new node, because the old one may still be needed (the search for the best depth goes back to it).
        let mut copy = old;
        (copy.next, copy.tail) = (NONE, old.tail);
        self.nodes.push(copy);
        let node = self.nodes.len() as NodeId - 1;
        if old.dots == 0 {
            return Some(node);
        }
        self.nodes[node as usize].first = NONE;
        let (base, rest) = match old.shape {
            Shape::Tuple { .. } => (2, Rest::Expand { next: old.first, by }),
            Shape::Map => (3, Rest::Expand { next: old.first, by }),
            Shape::Record => (old.name_len + 2, Rest::Expand { next: old.first, by }),
            Shape::Pair => {
                let value = self.node(old.first).next;
                (
                    0,
                    Rest::ExpandPair {
                        key: old.first,
                        value,
                        by,
                        state: 0,
                    },
                )
            }
            Shape::Field => (
                old.name_len,
                Rest::ExpandField {
                    value: old.first,
                    by,
                    done: false,
                },
            ),
            Shape::Leaf | Shape::Bytes | Shape::List | Shape::Dots => {
                unreachable!("these remember what they were built from")
            }
        };
        stack.push(PrintParent::new(node, 0, sub(room, base), base, rest));
        None
    }

    fn start_term(&mut self, t: Term, depth: i64, room: i64, stack: &mut Vec<PrintParent>) -> Option<NodeId> {
        let from = self.text.size();
        match self.heap.view(t) {
            TermView::Nil => Some(self.fixed("[]")),
            TermView::Tuple([]) => Some(self.fixed("{}")),
            TermView::Atom(a) => {
                name::push_atom(&mut self.text, a.as_str(), self.style.encoding);
                Some(self.leaf(from))
            }
            TermView::Cons(..) => {
                if self.style.strings
                    && depth != 1
                    && let Some(node) = self.string(t, room)
                {
                    return Some(node);
                }
                let node = self.add(Shape::List, from);
                self.remember(node, More::Term(t, depth));
                stack.push(PrintParent::new(node, depth, sub(room, 2), 2, Rest::List(t)));
                None
            }
            TermView::Tuple(elements) => {
                let fields = self.record_fields(elements);
                if depth == 1 {
                    return Some(self.short("{...}", More::Term(t, depth)));
                }
                if let Some(fields) = fields {
                    let name = elements[0].as_atom().expect("records have names");
                    self.text.push_ascii(b'#');
                    name::push_atom(&mut self.text, name.as_str(), self.style.encoding);
                    let len = text::length(&self.text.as_bytes()[from..]) as i64;
                    let node = self.add(Shape::Record, from);
                    self.nodes[node as usize].name_len = len;
                    let rest = Rest::Record {
                        tuple: t,
                        fields,
                        at: 0,
                    };
                    stack.push(PrintParent::new(node, depth - 1, sub(room, len + 2), len + 2, rest));
                    return None;
                }
                let tagged = elements[0].is_atom() && elements.len() > 1;
                let node = self.add(Shape::Tuple { tagged }, from);
                stack.push(PrintParent::new(node, depth, sub(room, 2), 2, Rest::Tuple(t, 0)));
                None
            }
            TermView::Map => {
                let pairs = self.pairs(t, 0, room);
                if pairs.is_empty() {
                    return Some(self.fixed("#{}"));
                }
                if depth == 1 {
                    return Some(self.short("#{...}", More::Term(t, depth)));
                }
                let node = self.add(Shape::Map, from);
                let rest = Rest::Map {
                    map: t,
                    pairs,
                    at: 0,
                    inner: depth - 1,
                };
                stack.push(PrintParent::new(node, depth, sub(room, 3), 3, rest));
                None
            }
            TermView::Binary => Some(self.binary(t, depth, room)),
            TermView::Big { limbs, .. } if self.style.brief && limbs.len() > super::short::LIMBS => {
                self.text.push_str(&format!("(integer of {} bits)", limbs.len() * 64));
                Some(self.leaf(from))
            }
            _ => {
                push_atomic(&mut self.text, self.heap, t, Encoding::Latin1);
                Some(self.leaf(from))
            }
        }
    }

    /// The pairs of a map, after the first `at`; not many more than can be shown in `room` characters.
    fn pairs(&self, map: Term, at: usize, room: i64) -> Vec<(Term, Term)> {
        let limit = if room < 0 { usize::MAX } else { at + room as usize + 2 };
        super::map_pairs(self.heap, map, limit, self.style.order)
    }

    fn record_fields(&self, elements: &[Term]) -> Option<Vec<crate::atom::Atom>> {
        let name = elements.first()?.as_atom()?;
        (self.style.records?)(name, elements.len() - 1)
    }
}

impl PrintParent {
    fn new(node: NodeId, depth: i64, room: i64, base: i64, rest: Rest) -> Self {
        Self {
            node,
            last: NONE,
            depth,
            room,
            count: 0,
            len: base,
            dots: 0,
            rest,
        }
    }
}
