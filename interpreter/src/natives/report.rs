//! Natives below crash reports, and the node of a pid.

use crate::atom::Atom;
use crate::heap::View;
use crate::native::{Context, ExceptionClass, Native, Raise};
use crate::print::{Encoding, Explanation, Layout, exception};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erl_error", "$format", 4, format_exception),
    Native::pure("erlang", "node", 1, node_1),
];

/// `'$format'(Column, Class, Reason, Stacktrace)`: the text of an exception as Erlang/OTP formats it, new lines starting in the column.
/// Frames of `proc_lib` and `erl_eval` at the bottom are left out.
fn format_exception(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let column = args[0]
        .as_small()
        .filter(|&n| (1..=1000).contains(&n))
        .ok_or_else(Raise::badarg)?;
    let class = match args[1].as_atom().map(Atom::as_str) {
        Some("error") => ExceptionClass::Error,
        Some("exit") => ExceptionClass::Exit,
        Some("throw") => ExceptionClass::Throw,
        _ => return Err(Raise::badarg()),
    };
    let layout = Layout {
        code: cx.code,
        column: column as usize,
        depth: 30,
        encoding: Encoding::Unicode,
        skip: &|module, _, _| matches!(module.as_str(), "proc_lib" | "erl_eval"),
    };
    let text = exception(cx.heap, class, args[2], args[3], &Explanation::default(), &layout);
    Ok(cx.heap.make_string(&text))
}

/// The node of a pid, reference or port of this node; what belongs to another node needs the system layer.
fn node_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let owner = match cx.heap.view(args[0]) {
        View::Pid(pid) => pid,
        View::Reference(reference) => reference.owner,
        _ => return Err(Raise::badarg()),
    };
    if owner.node() == cx.local.pid.node() {
        Ok(Term::atom(cx.local.node))
    } else {
        Err(Raise::error(Term::atom(Atom::NOT_SUP)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    #[test]
    fn exceptions_are_formatted_in_their_column() {
        let mut m = Machine::new();
        let call = m.heap.make_tuple(&[atom("m"), atom("f"), small(1), Term::NIL]);
        let trace = m.heap.make_list(&[call]);
        let text = m
            .call(format_exception, &[small(5), atom("exit"), atom("why"), trace])
            .unwrap();
        let chars: String = m
            .heap
            .list(text)
            .unwrap()
            .iter()
            .map(|t| char::from_u32(t.small_value() as u32).unwrap())
            .collect();
        assert_eq!(chars, "exception exit: why\n      in function  m:f/1 ");
    }
}
