//! `~w` and `~W`: terms on one line, without strings.

use super::name;
use super::text::Text;
use super::{Encoding, MapOrder};
use crate::heap::{Bits, Heap, TermView};
use crate::number::{float_to_text, integer_to_text};
use crate::term::Term;

/// What is left to write, the next on top of the stack.
enum Task {
    Text(&'static str),
    Term(Term, i64),
    /// The rest of a list after at least one element.
    Tail(Term, i64),
    /// The elements of a tuple from this index on.
    Tuple(Term, usize, i64),
    /// The pairs of a map from this index on; depth left for pairs, depth of each.
    Map(Vec<(Term, Term)>, usize, i64, i64),
}

/// Writes `term` as `io_lib:write/2`; `depth` as there (−1: everything). Stops when `out` exceeds `limit` bytes.
///
/// Returns false if it stopped there.
pub fn push_term(
    out: &mut Text,
    heap: &Heap,
    term: Term,
    depth: i64,
    form: (Encoding, MapOrder),
    limit: usize,
) -> bool {
    let mut stack = vec![Task::Term(term, depth)];
    while let Some(task) = stack.pop() {
        if out.size() > limit {
            return false;
        }
        match task {
            Task::Text(s) => out.push_str(s),
            Task::Term(t, depth) => begin(out, heap, t, depth, form, &mut stack),
            Task::Tail(t, depth) => {
                if t.is_nil() {
                } else if depth == 1 {
                    out.push_str("|...");
                } else if let Some((head, tail)) = heap.cons_cell(t) {
                    out.push_ascii(b',');
                    stack.push(Task::Tail(tail, depth - 1));
                    begin(out, heap, head, depth - 1, form, &mut stack);
                } else {
                    out.push_ascii(b'|');
                    stack.push(Task::Term(t, depth - 1));
                }
            }
            Task::Tuple(t, i, depth) => {
                let elements = heap.tuple(t).expect("a Tuple task holds a tuple");
                if i >= elements.len() {
                } else if depth == 1 {
                    out.push_str(",...");
                } else {
                    out.push_ascii(b',');
                    let element = elements[i];
                    stack.push(Task::Tuple(t, i + 1, depth - 1));
                    begin(out, heap, element, depth - 1, form, &mut stack);
                }
            }
            Task::Map(pairs, i, depth, inner) => {
                if i > 0 && depth == 1 {
                    // OTP writes the dots even if no pair is left.
                    out.push_str(",...");
                } else if let Some(&(key, value)) = pairs.get(i) {
                    if i > 0 {
                        out.push_ascii(b',');
                    }
                    stack.push(Task::Map(pairs, i + 1, if i > 0 { depth - 1 } else { depth }, inner));
                    stack.push(Task::Term(value, inner));
                    stack.push(Task::Text(" => "));
                    stack.push(Task::Term(key, inner));
                }
            }
        }
    }
    true
}

fn begin(out: &mut Text, heap: &Heap, t: Term, depth: i64, form: (Encoding, MapOrder), stack: &mut Vec<Task>) {
    if depth == 0 {
        return out.push_str("...");
    }
    match heap.view(t) {
        TermView::Nil => out.push_str("[]"),
        TermView::Cons(..) if depth == 1 => out.push_str("[...]"),
        TermView::Cons(head, tail) => {
            out.push_ascii(b'[');
            stack.push(Task::Text("]"));
            stack.push(Task::Tail(tail, depth - 1));
            stack.push(Task::Term(head, depth - 1));
        }
        TermView::Tuple([]) => out.push_str("{}"),
        TermView::Tuple(_) if depth == 1 => out.push_str("{...}"),
        TermView::Tuple(elements) => {
            out.push_ascii(b'{');
            stack.push(Task::Text("}"));
            stack.push(Task::Tuple(t, 1, depth - 1));
            stack.push(Task::Term(elements[0], depth - 1));
        }
        TermView::Map => {
            // invariant: `#{}` even for a map with pairs, if the depth is used up (as in OTP).
            if depth == 1 {
                return out.push_str("#{}");
            }
            let pairs = super::map_pairs(heap, t, usize::MAX, form.1);
            out.push_str("#{");
            stack.push(Task::Text("}"));
            if !pairs.is_empty() {
                stack.push(Task::Map(pairs, 0, depth - 1, depth - 1));
            }
        }
        TermView::Binary => {
            let bits = heap.bits(t).expect("the view says binary");
            push_binary(out, bits, depth, -1);
        }
        _ => push_atomic(out, heap, t, form.0),
    }
}

/// A term without parts: number, atom, pid, reference, fun.
pub fn push_atomic(out: &mut Text, heap: &Heap, t: Term, encoding: Encoding) {
    match heap.view(t) {
        TermView::Small(n) => push_i64(out, n),
        TermView::Big { .. } => out.push_str(&integer_to_text(heap, t, 10).expect("an integer")),
        TermView::Float(x) => out.push_str(&float_to_text(x)),
        TermView::Atom(a) => name::push_atom(out, a.as_str(), encoding),
        TermView::Pid(pid) => out.push_str(&format!("<{}.{}.0>", pid.node(), pid.number())),
        TermView::Port(p) => out.push_str(&format!("#Port<{}.{}>", p.0.node(), p.0.number())),
        TermView::Reference(r) => {
            out.push_str(&format!("#Ref<{}.{}.{}.0>", r.owner.node(), r.owner.number(), r.number))
        }
        TermView::Fun { name: fun, .. } => {
            out.push_str("#Fun<");
            name::push_atom(out, fun.module.as_str(), Encoding::Latin1);
            out.push_str(&format!(".{}.{}>", fun.index, fun.unique));
        }
        TermView::ExternalFun {
            module,
            function,
            arity,
        } => {
            out.push_str("fun ");
            // The emulator writes these names, by its own list of words.
            let quotes_maybe = std::mem::take(&mut out.quotes_maybe);
            name::push_atom(out, module.as_str(), Encoding::Unicode);
            out.push_ascii(b':');
            name::push_atom(out, function.as_str(), Encoding::Unicode);
            out.quotes_maybe = quotes_maybe;
            out.push_str(&format!("/{arity}"));
        }
        TermView::Nil | TermView::Cons(..) | TermView::Tuple(_) | TermView::Map | TermView::Binary => {
            unreachable!("terms with parts are not atomic")
        }
    }
}

/// Decimal digits of an integer.
pub fn push_i64(out: &mut Text, n: i64) {
    let mut buffer = [0; 20];
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        out.push_ascii(b'-');
    }
    out.push_slice(&buffer[at..]);
}

/// `<<1,2,3:4>>`, at most `depth` − 1 elements and about `room` characters, if these are not negative.
///
/// Returns whether everything was written.
pub fn push_binary(out: &mut Text, bits: Bits<'_>, mut depth: i64, room: i64) -> bool {
    let mut room = super::sub(room, 4);
    let mut at = 0;
    let mut whole = true;
    out.push_str("<<");
    while at < bits.len {
        if depth == 1 || room == 0 {
            out.push_str("...");
            whole = false;
            break;
        }
        let left = bits.len - at;
        let byte = bits.byte_at(at);
        if left < 8 {
            out.push_str(&format!("{}:{left}", byte >> (8 - left)));
            break;
        }
        let start = out.size();
        push_i64(out, i64::from(byte));
        if left > 8 {
            room = super::sub(room, (out.size() - start) as i64 + 1);
            out.push_ascii(b',');
            depth -= 1;
        }
        at += 8;
    }
    out.push_str(">>");
    whole
}
