//! `~p`: breaks a measured term (see [`super::tree`]) into lines.
//!
//! The rules are those of OTP's `io_lib_pretty`: what fits stays on one line, counting the closing brackets that follow it. Elements fill lines
//! while they are plain; anything else gets a line of its own. The rest of a tagged tuple is indented under its first element, or, if that goes
//! too far to the right, by four columns or by one.

use super::text::Text;
use super::tree::{NONE, NodeId, PrintNode, Shape, Tree};

/// The limits of a layout.
#[derive(Clone, Copy, Debug)]
struct Page {
    /// Length of a line.
    line: i64,
    /// Characters on a line without indentation.
    max: i64,
}

impl Page {
    fn fits(self, len: i64, col: i64, ld: i64, width: i64) -> bool {
        len < self.line - col - ld && len + width + ld <= self.max
    }
}

/// Where something is printed: column, indentation of new lines, closing brackets after it, characters before it on its line.
#[derive(Clone, Copy, Debug)]
struct PrintPlace {
    col: i64,
    indent: i64,
    closing: i64,
    width: i64,
}

/// What is left to print.
#[derive(Clone, Copy, Debug)]
enum Task {
    Text(u8),
    Node(NodeId, PrintPlace),
    /// The siblings from this one on, after at least one of them.
    Rest {
        kind: Siblings,
        next: NodeId,
        first_col: i64,
        at: PrintPlace,
    },
    /// The value of a pair on its own line.
    Value(NodeId, PrintPlace),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Siblings {
    /// Elements, with the separator before an improper tail.
    Elements(u8),
    Pairs,
    Fields,
}

/// The layout of the node `root` from column `col` (at least 1) with lines of `line` characters.
pub fn push_pretty(out: &mut Text, tree: &Tree<'_>, root: NodeId, col: i64, line: i64, max: i64) {
    let len = tree.node(root).len;
    let max = if max < 0 { len } else { max };
    if line == 0 || (len < line - col && len <= max) {
        return push_line(out, tree, root);
    }
    let page = Page { line, max };
    // How far tagged tuples are indented: by their tag, by 4, or by 1.
    let tag_indent = [-1, 4]
        .into_iter()
        .find(|&i| indentable(tree, root, page, col, i))
        .unwrap_or(1);
    let layout = Layout { tree, page, tag_indent };
    layout.run(
        out,
        root,
        PrintPlace {
            col,
            indent: col - 1,
            closing: 0,
            width: 0,
        },
    );
}

struct Layout<'a> {
    tree: &'a Tree<'a>,
    page: Page,
    tag_indent: i64,
}

impl Layout<'_> {
    fn node(&self, id: NodeId) -> &PrintNode {
        self.tree.node(id)
    }

    /// Closing brackets after an element: those of the parent if it is the last one.
    fn closing(&self, next: NodeId, closing: i64) -> i64 {
        closing_after(self.tree, next, closing)
    }

    fn run(&self, out: &mut Text, root: NodeId, place: PrintPlace) {
        let mut stack = vec![Task::Node(root, place)];
        while let Some(task) = stack.pop() {
            match task {
                Task::Text(c) => out.push_ascii(c),
                Task::Node(id, place) => self.begin(out, id, place, &mut stack),
                Task::Value(id, place) => {
                    out.push_str(" =>\n");
                    out.push_spaces(place.indent as usize);
                    self.begin(out, id, place, &mut stack);
                }
                Task::Rest {
                    kind,
                    next,
                    first_col,
                    at,
                } => self.rest(out, kind, next, first_col, at, &mut stack),
            }
        }
    }

    fn begin(&self, out: &mut Text, id: NodeId, p: PrintPlace, stack: &mut Vec<Task>) {
        let node = self.node(id);
        if self.page.fits(node.len, p.col, p.closing, p.width) {
            return push_line(out, self.tree, id);
        }
        match node.shape {
            Shape::List => {
                out.push_ascii(b'[');
                stack.push(Task::Text(b']'));
                let p = PrintPlace {
                    col: p.col + 1,
                    indent: p.indent + 1,
                    width: p.width + 1,
                    ..p
                };
                self.elements(out, node.first, p, b'|', stack);
            }
            Shape::Tuple { tagged: false } => {
                out.push_ascii(b'{');
                stack.push(Task::Text(b'}'));
                let p = PrintPlace {
                    col: p.col + 1,
                    indent: p.indent + 1,
                    width: p.width + 1,
                    ..p
                };
                self.elements(out, node.first, p, b',', stack);
            }
            Shape::Tuple { tagged: true } => {
                out.push_ascii(b'{');
                stack.push(Task::Text(b'}'));
                self.tagged(
                    out,
                    node.first,
                    PrintPlace {
                        width: p.width + 1,
                        ..p
                    },
                    stack,
                );
            }
            Shape::Map => {
                out.push_str("#{");
                stack.push(Task::Text(b'}'));
                let p = PrintPlace {
                    col: p.col + 2,
                    indent: p.indent + 2,
                    width: p.width + 1,
                    ..p
                };
                self.first_of(out, Siblings::Pairs, node.first, p, stack);
            }
            Shape::Record => {
                out.push_slice(self.tree.text(node));
                out.push_ascii(b'{');
                stack.push(Task::Text(b'}'));
                let name_len = node.name_len;
                if node.first == NONE {
                    return;
                }
                if self.node(node.first).shape == Shape::Dots {
                    return out.push_str("...");
                }
                let p = PrintPlace {
                    width: p.width + name_len + 1,
                    ..p
                };
                let p = self.record_indent(out, name_len + 1, p);
                self.first_of(out, Siblings::Fields, node.first, p, stack);
            }
            Shape::Bytes => {
                let p = PrintPlace {
                    col: p.col + 2,
                    indent: p.indent + 2,
                    ..p
                };
                self.bytes(out, node, p);
            }
            Shape::Pair => self.broken_pair(out, id, p, stack),
            Shape::Field => self.broken_field(out, id, p, stack),
            Shape::Leaf | Shape::Dots => out.push_slice(self.tree.text(node)),
        }
    }

    fn tagged(&self, out: &mut Text, first: NodeId, p: PrintPlace, stack: &mut Vec<Task>) {
        let tag = self.node(first);
        if tag.shape == Shape::Dots {
            return out.push_str("...");
        }
        let by = tag.len + 2;
        let tag_col = p.col + by;
        out.push_slice(self.tree.text(tag));
        if self.tag_indent > 0 && by > self.tag_indent {
            let first_col = p.col + self.tag_indent;
            let at = PrintPlace {
                col: tag_col,
                indent: p.indent + self.tag_indent,
                width: p.width + tag.len,
                ..p
            };
            let kind = Siblings::Elements(b',');
            stack.push(Task::Rest {
                kind,
                next: tag.next,
                first_col,
                at,
            });
        } else {
            out.push_ascii(b',');
            let p = PrintPlace {
                col: tag_col,
                indent: p.indent + by,
                width: p.width + tag.len + 1,
                ..p
            };
            self.elements(out, tag.next, p, b',', stack);
        }
    }

    fn elements(&self, out: &mut Text, first: NodeId, p: PrintPlace, bar: u8, stack: &mut Vec<Task>) {
        if self.node(first).shape == Shape::Dots {
            return out.push_str("...");
        }
        self.first_of(out, Siblings::Elements(bar), first, p, stack);
    }

    /// The first of some siblings, and the rest as a task.
    fn first_of(&self, out: &mut Text, kind: Siblings, id: NodeId, p: PrintPlace, stack: &mut Vec<Task>) {
        if self.node(id).shape == Shape::Dots {
            return out.push_str("...");
        }
        self.one(out, kind, id, p.col, p, p.width, stack);
    }

    /// One sibling at `p`, and the rest as a task; its own width is added to `before`.
    #[expect(clippy::too_many_arguments, reason = "the state of one step of the layout")]
    fn one(
        &self,
        out: &mut Text,
        kind: Siblings,
        id: NodeId,
        first_col: i64,
        p: PrintPlace,
        before: i64,
        stack: &mut Vec<Task>,
    ) {
        let node = self.node(id);
        let closing = self.closing(node.next, p.closing);
        let plain = is_plain(self.tree, id);
        let fits = self.page.fits(node.len, first_col, closing, before);
        // Anything that is not plain fills its line, so the next one starts a new line.
        let taken = if fits && plain { node.len } else { self.page.line };
        // After the first pair of a map, OTP forgets the width of what came before it.
        let width = if kind == Siblings::Pairs { taken } else { before + taken };
        let at = PrintPlace {
            col: first_col + taken,
            width,
            ..p
        };
        stack.push(Task::Rest {
            kind,
            next: node.next,
            first_col,
            at,
        });
        if fits {
            return push_line(out, self.tree, id);
        }
        stack.push(Task::Node(
            id,
            PrintPlace {
                col: first_col,
                closing,
                width: before,
                ..p
            },
        ));
    }

    fn rest(&self, out: &mut Text, kind: Siblings, id: NodeId, first_col: i64, p: PrintPlace, stack: &mut Vec<Task>) {
        if id == NONE {
            return;
        }
        let node = self.node(id);
        let bar = if let Siblings::Elements(bar) = kind { bar } else { b',' };
        if node.shape == Shape::Dots {
            out.push_ascii(bar);
            return out.push_str("...");
        }
        if node.tail {
            out.push_ascii(bar);
            if self.page.fits(node.len + 1, p.col, p.closing + 1, p.width) && is_plain(self.tree, id) {
                return push_line(out, self.tree, id);
            }
            self.new_line(out, p.indent);
            let place = PrintPlace {
                col: first_col,
                closing: p.closing + 1,
                width: 0,
                ..p
            };
            return stack.push(Task::Node(id, place));
        }
        out.push_ascii(b',');
        let len = node.len + 1;
        let closing = self.closing(node.next, p.closing);
        // One more than the closing brackets that follow directly: a comma, if none do.
        if self.page.fits(len, p.col, closing.max(1), p.width) && is_plain(self.tree, id) {
            push_line(out, self.tree, id);
            let at = PrintPlace {
                col: p.col + len,
                width: p.width + len,
                ..p
            };
            return stack.push(Task::Rest {
                kind,
                next: node.next,
                first_col,
                at,
            });
        }
        self.new_line(out, p.indent);
        self.one(out, kind, id, first_col, p, 0, stack);
    }

    fn new_line(&self, out: &mut Text, indent: i64) {
        out.push_ascii(b'\n');
        out.push_spaces(indent as usize);
    }

    fn broken_pair(&self, out: &mut Text, id: NodeId, p: PrintPlace, stack: &mut Vec<Task>) {
        let key = self.node(id).first;
        let by = value_indent(self.tag_indent);
        let place = PrintPlace {
            col: p.col + by,
            indent: p.indent + by,
            width: 0,
            ..p
        };
        stack.push(Task::Value(self.node(key).next, place));
        self.begin(out, key, p, stack);
    }

    fn broken_field(&self, out: &mut Text, id: NodeId, p: PrintPlace, stack: &mut Vec<Task>) {
        let field = self.node(id);
        out.push_slice(self.tree.text(field));
        let by = field.name_len;
        out.push_str(if self.tag_indent > 0 && by > self.tag_indent {
            " ="
        } else {
            " = "
        });
        let p = self.record_indent(
            out,
            by,
            PrintPlace {
                width: p.width + by,
                ..p
            },
        );
        stack.push(Task::Node(field.first, p));
    }

    /// Where the text after a name of `by` characters goes: after the name, or on a new line.
    fn record_indent(&self, out: &mut Text, by: i64, p: PrintPlace) -> PrintPlace {
        if self.tag_indent > 0 && by > self.tag_indent {
            let place = PrintPlace {
                col: p.col + self.tag_indent,
                indent: p.indent + self.tag_indent,
                width: 0,
                ..p
            };
            self.new_line(out, place.indent);
            place
        } else {
            PrintPlace {
                col: p.col + by,
                indent: p.indent + by,
                ..p
            }
        }
    }

    fn bytes(&self, out: &mut Text, node: &PrintNode, p: PrintPlace) {
        let full = ((self.page.line - p.col).min(self.page.max - 4 - p.width) - p.closing).max(8);
        let text = self.tree.text(node);
        out.push_str("<<");
        let mut left = full;
        for part in text[2..text.len() - 2].split_inclusive(|&b| b == b',') {
            let len = part.len() as i64;
            if len > left {
                self.new_line(out, p.indent);
                left = full;
            }
            left -= len;
            out.push_slice(part);
        }
        out.push_str(">>");
    }
}

fn value_indent(tag_indent: i64) -> i64 {
    if tag_indent > 0 { tag_indent } else { 4 }
}

fn closing_after(tree: &Tree<'_>, next: NodeId, closing: i64) -> i64 {
    if next != NONE && !tree.node(next).tail {
        0
    } else {
        closing + 1
    }
}

/// May other elements stand on the same line? Finished text, and pairs and fields of it.
fn is_plain(tree: &Tree<'_>, id: NodeId) -> bool {
    let leaf = |id: NodeId| tree.node(id).shape == Shape::Leaf;
    let node = tree.node(id);
    match node.shape {
        Shape::Leaf => true,
        Shape::Pair => leaf(node.first) && leaf(tree.node(node.first).next),
        Shape::Field => leaf(node.first),
        _ => false,
    }
}

/// The node on one line.
pub fn push_line(out: &mut Text, tree: &Tree<'_>, root: NodeId) {
    enum PrintStep {
        Node(NodeId),
        Text(&'static str),
        Rest(NodeId, &'static str),
    }
    let mut stack = vec![PrintStep::Node(root)];
    while let Some(step) = stack.pop() {
        match step {
            PrintStep::Text(s) => out.push_str(s),
            PrintStep::Rest(NONE, _) => {}
            PrintStep::Rest(id, bar) => {
                let node = tree.node(id);
                out.push_str(if node.tail { bar } else { "," });
                stack.push(PrintStep::Rest(node.next, bar));
                stack.push(PrintStep::Node(id));
            }
            PrintStep::Node(id) => {
                let node = tree.node(id);
                let mut children = |open: &str, close, bar| {
                    out.push_str(open);
                    stack.push(PrintStep::Text(close));
                    if node.first != NONE {
                        stack.push(PrintStep::Rest(tree.node(node.first).next, bar));
                        stack.push(PrintStep::Node(node.first));
                    }
                };
                match node.shape {
                    Shape::Leaf | Shape::Bytes => out.push_slice(tree.text(node)),
                    Shape::Dots => out.push_str("..."),
                    Shape::List => children("[", "]", "|"),
                    Shape::Tuple { .. } => children("{", "}", ","),
                    Shape::Map => children("#{", "}", ","),
                    Shape::Pair => {
                        stack.push(PrintStep::Node(tree.node(node.first).next));
                        stack.push(PrintStep::Text(" => "));
                        stack.push(PrintStep::Node(node.first));
                    }
                    Shape::Record => {
                        out.push_slice(tree.text(node));
                        out.push_ascii(b'{');
                        stack.push(PrintStep::Text("}"));
                        if node.first != NONE {
                            stack.push(PrintStep::Rest(tree.node(node.first).next, ","));
                            stack.push(PrintStep::Node(node.first));
                        }
                    }
                    Shape::Field => {
                        out.push_slice(tree.text(node));
                        out.push_str(" = ");
                        stack.push(PrintStep::Node(node.first));
                    }
                }
            }
        }
    }
}

/// Would the layout with this indentation of tagged tuples stay within half a line?
fn indentable(tree: &Tree<'_>, root: NodeId, page: Page, col: i64, indent: i64) -> bool {
    let check = Check { tree, page, indent };
    check.run(root, col).is_some()
}

struct Check<'a> {
    tree: &'a Tree<'a>,
    page: Page,
    indent: i64,
}

/// A place without indentation.
#[derive(Clone, Copy, Debug)]
struct At {
    col: i64,
    closing: i64,
    width: i64,
}

enum Todo {
    Node(NodeId, At),
    Rest(Siblings, NodeId, i64, At),
}

impl Check<'_> {
    fn run(&self, root: NodeId, col: i64) -> Option<()> {
        let mut stack = vec![Todo::Node(
            root,
            At {
                col,
                closing: 0,
                width: 0,
            },
        )];
        while let Some(todo) = stack.pop() {
            match todo {
                Todo::Node(id, at) => self.begin(id, at, &mut stack)?,
                Todo::Rest(kind, next, first_col, at) => self.rest(kind, next, first_col, at, &mut stack),
            }
        }
        Some(())
    }

    fn room(&self, col: i64) -> Option<()> {
        (self.page.max + col <= self.page.line || col <= self.page.line / 2).then_some(())
    }

    fn begin(&self, id: NodeId, at: At, stack: &mut Vec<Todo>) -> Option<()> {
        let node = self.tree.node(id);
        if self.page.fits(node.len, at.col, at.closing, at.width) {
            return Some(());
        }
        let elements = |first: NodeId, at: At, stack: &mut Vec<Todo>| {
            if self.tree.node(first).shape != Shape::Dots {
                self.one(Siblings::Elements(b','), first, at.col, at, at.width, stack);
            }
        };
        match node.shape {
            Shape::List | Shape::Tuple { tagged: false } => {
                elements(
                    node.first,
                    At {
                        col: at.col + 1,
                        width: at.width + 1,
                        ..at
                    },
                    stack,
                );
            }
            Shape::Tuple { tagged: true } => {
                let tag = self.tree.node(node.first);
                if tag.shape == Shape::Dots {
                    return Some(());
                }
                let at = At {
                    width: at.width + 1,
                    ..at
                };
                let by = tag.len + 2;
                let tag_col = at.col + by;
                if self.indent > 0 && by > self.indent {
                    let first_col = at.col + self.indent;
                    self.room(first_col)?;
                    let at = At {
                        col: tag_col,
                        width: at.width + tag.len,
                        ..at
                    };
                    stack.push(Todo::Rest(Siblings::Elements(b','), tag.next, first_col, at));
                } else {
                    let (max, line) = (self.page.max, self.page.line);
                    (max + tag_col < line || tag_col < line / 2).then_some(())?;
                    elements(
                        tag.next,
                        At {
                            col: tag_col,
                            width: at.width + tag.len + 1,
                            ..at
                        },
                        stack,
                    );
                }
            }
            Shape::Map => {
                let at = At {
                    col: at.col + 2,
                    width: at.width + 2,
                    ..at
                };
                if self.tree.node(node.first).shape != Shape::Dots {
                    self.one(Siblings::Pairs, node.first, at.col, at, at.width, stack);
                }
            }
            Shape::Record => {
                if node.first == NONE || self.tree.node(node.first).shape == Shape::Dots {
                    return Some(());
                }
                let at = At {
                    width: at.width + node.name_len + 1,
                    ..at
                };
                let at = self.record_indent(node.name_len + 1, at)?;
                self.one(Siblings::Fields, node.first, at.col, at, at.width, stack);
            }
            Shape::Pair => {
                let (key, by) = (node.first, value_indent(self.indent));
                stack.push(Todo::Node(
                    self.tree.node(key).next,
                    At {
                        col: at.col + by,
                        width: 0,
                        ..at
                    },
                ));
                stack.push(Todo::Node(key, at));
            }
            Shape::Field => {
                let at = At {
                    width: at.width + node.name_len,
                    ..at
                };
                stack.push(Todo::Node(node.first, self.record_indent(node.name_len, at)?));
            }
            Shape::Leaf | Shape::Bytes | Shape::Dots => {}
        }
        Some(())
    }

    fn record_indent(&self, by: i64, at: At) -> Option<At> {
        let new_line = self.indent > 0 && by > self.indent;
        let col = at.col + if new_line { self.indent } else { by };
        self.room(col)?;
        Some(At {
            col,
            width: if new_line { 0 } else { at.width },
            ..at
        })
    }

    fn one(&self, kind: Siblings, id: NodeId, first_col: i64, at: At, before: i64, stack: &mut Vec<Todo>) {
        let node = self.tree.node(id);
        let closing = closing_after(self.tree, node.next, at.closing);
        let fits = self.page.fits(node.len, first_col, closing, before);
        let plain = is_plain(self.tree, id);
        let taken = if fits && plain { node.len } else { self.page.line };
        // OTP measures the fields of a record from the record's column, not from their own.
        let from = if kind == Siblings::Fields { at.col } else { first_col };
        let after = At {
            col: from + taken,
            width: before + taken,
            ..at
        };
        stack.push(Todo::Rest(kind, node.next, first_col, after));
        if !fits {
            stack.push(Todo::Node(
                id,
                At {
                    col: first_col,
                    closing,
                    width: before,
                },
            ));
        }
    }

    fn rest(&self, kind: Siblings, id: NodeId, first_col: i64, at: At, stack: &mut Vec<Todo>) {
        if id == NONE || self.tree.node(id).shape == Shape::Dots {
            return;
        }
        let node = self.tree.node(id);
        let len = node.len + 1;
        let plain = is_plain(self.tree, id);
        if node.tail {
            if !(plain && self.page.fits(len, at.col, at.closing + 1, at.width)) {
                stack.push(Todo::Node(
                    id,
                    At {
                        closing: at.closing + 1,
                        width: 0,
                        ..at
                    },
                ));
            }
            return;
        }
        let closing = closing_after(self.tree, node.next, at.closing);
        if plain && self.page.fits(len, at.col, closing.max(1), at.width) {
            let after = At {
                col: at.col + len,
                width: at.width + len,
                ..at
            };
            return stack.push(Todo::Rest(kind, node.next, first_col, after));
        }
        self.one(kind, id, first_col, at, 0, stack);
    }
}
