//! Natives for `erl_error` and `erl_erts_errors`: exceptions as text.

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::native::{Context, ExceptionClass, Native, Raise};
use crate::print::{self, Encoding, Explanation, Layout};
use crate::term::Term;

/// This area's natives.
pub const NATIVES: &[Native] = &[
    Native::pure("erl_error", "$exception", 7, exception),
    Native::pure("erl_erts_errors", "$explain", 4, explain),
];

/// `$exception(Class, Reason, Stacktrace, Explanation, Column, Depth, FramesToSkip)`: the text, as characters. The last argument is the number
/// of frames at the bottom of the stack that are left out.
fn exception(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let class = match args[0].as_atom() {
        Some(Atom::ERROR) => ExceptionClass::Error,
        Some(Atom::EXIT_LOWER) => ExceptionClass::Exit,
        Some(Atom::THROW) => ExceptionClass::Throw,
        _ => return Err(Raise::badarg()),
    };
    let number = |t: Term| t.as_small().ok_or(Raise::badarg());
    let column = usize::try_from(number(args[4])?)
        .ok()
        .filter(|&c| c > 0)
        .ok_or(Raise::badarg())?;
    let (depth, skipped) = (number(args[5])?, number(args[6])? as usize);
    let stacktrace = match cx.heap.list(args[2]) {
        Some(frames) if skipped > 0 => {
            let kept = frames.len().saturating_sub(skipped);
            cx.heap.make_list(&frames[..kept])
        }
        _ => args[2],
    };
    let explanation = explanation(cx.heap, args[3]);
    let layout = Layout {
        column,
        depth,
        encoding: Encoding::Unicode,
        ..Layout::escript(cx.code)
    };
    let text = print::exception(cx.heap, class, args[1], stacktrace, &explanation, &layout);
    Ok(cx.heap.make_string(&text))
}

/// Parses the result of a `format_error/2` function: a map from argument numbers, `general` and `reason` to texts.
fn explanation(heap: &Heap, map: Term) -> Explanation {
    let mut explanation = Explanation::default();
    if !maps::is_map(heap, map) {
        return explanation;
    }
    for (key, value) in maps::pairs(heap, map) {
        let Some(text) = chardata(heap, value) else { continue };
        match heap.view(key) {
            TermView::Small(n) if n > 0 => explanation.arguments.push((n as usize, text)),
            TermView::Atom(a) if a.as_str() == "general" => explanation.general = Some(text),
            TermView::Atom(a) if a.as_str() == "reason" => explanation.reason = Some(text),
            _ => {}
        }
    }
    explanation
}

fn chardata(heap: &Heap, t: Term) -> Option<String> {
    let mut out = String::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if let Some((head, tail)) = heap.cons_cell(t) {
            stack.push(tail);
            match head.as_small() {
                Some(c) => out.push(char::from_u32(u32::try_from(c).ok()?)?),
                None => stack.push(head),
            }
        } else if let Some(bytes) = heap.bytes(t) {
            out.push_str(std::str::from_utf8(&bytes).ok()?);
        } else if !t.is_nil() {
            return None;
        }
    }
    Some(out)
}

/// `$explain(Module, Function, Args, Reason)`: a map of argument numbers to texts.
fn explain(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let atom = |t: Term| t.as_atom().ok_or(Raise::badarg());
    let (module, function) = (atom(args[0])?, atom(args[1])?);
    let list = cx.heap.list(args[2]).ok_or(Raise::badarg())?;
    let explanation = print::explain(cx.heap, module, function, &list, args[3]);
    let pairs: Vec<(Term, Term)> = explanation
        .arguments
        .iter()
        .map(|(n, text)| (Term::small(*n as i64), cx.heap.make_binary(text.as_bytes())))
        .collect();
    Ok(maps::from_pairs(cx.heap, &pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    /// As `erl_erts_errors:format_error/2` of OTP 25.
    #[test]
    fn failed_calls_are_explained() {
        let mut m = Machine::new();
        let text = m.heap.make_string("12x");
        let tuple = m.heap.make_tuple(&[small(1)]);
        let binary = m.heap.make_binary(b"ab");
        let map = maps::empty(&mut m.heap);
        type Case<'a> = (&'a str, &'a [Term], &'a [(usize, &'a str)]);
        let cases: &[Case<'_>] = &[
            ("atom_to_list", &[small(3)], &[(1, "not an atom")]),
            (
                "list_to_integer",
                &[text],
                &[(1, "not a textual representation of an integer")],
            ),
            ("list_to_integer", &[atom("x")], &[(1, "not a list")]),
            (
                "list_to_integer",
                &[text, small(40)],
                &[(2, "not an integer in the range 2 through 36")],
            ),
            ("element", &[small(2), tuple], &[(1, "out of range")]),
            (
                "element",
                &[atom("a"), small(1)],
                &[(1, "not an integer"), (2, "not a tuple")],
            ),
            ("map_get", &[small(1), map], &[(1, "not present in map")]),
            ("map_get", &[small(1), small(2)], &[(2, "not a map")]),
            ("binary_part", &[binary, small(1), small(5)], &[(3, "out of range")]),
            ("split_binary", &[binary, small(5)], &[(2, "out of range")]),
            ("float_to_list", &[small(1), Term::NIL], &[(1, "not a float")]),
            (
                "register",
                &[atom("undefined"), small(1)],
                &[(1, "'undefined' is not a valid name"), (2, "not a pid or port")],
            ),
            ("process_info", &[small(1), atom("x")], &[(1, "not a pid")]),
            ("hd", &[Term::NIL], &[(1, "not a nonempty list")]),
            ("no_such_function", &[small(1)], &[]),
        ];
        for &(function, args, expected) in cases {
            let badarg = atom("badarg");
            let found = print::explain(&m.heap, Atom::ERLANG, Atom::new(function), args, badarg).arguments;
            let found: Vec<(usize, &str)> = found.iter().map(|(n, t)| (*n, t.as_str())).collect();
            assert_eq!(found, expected, "{function}");
        }
        let args = m.heap.make_list(&[small(3)]);
        let t = m
            .call(explain, &[atom("erlang"), atom("atom_to_list"), args, atom("badarg")])
            .unwrap();
        assert_eq!(maps::size(&m.heap, t), 1);
        let frame = m
            .heap
            .make_tuple(&[atom("erlang"), atom("atom_to_list"), args, Term::NIL]);
        let trace = m.heap.make_list(&[frame]);
        let text = m
            .call(
                exception,
                &[atom("error"), atom("badarg"), trace, t, small(1), small(30), small(0)],
            )
            .unwrap();
        let expected = "exception error: bad argument\n  in function  atom_to_list/1\n     called as atom_to_list(3)\n     *** argument 1: not an atom";
        assert_eq!(chardata(&m.heap, text).unwrap(), expected);
    }

    #[test]
    fn exceptions_are_formatted_in_their_column() {
        let mut m = Machine::new();
        let call = m.heap.make_tuple(&[atom("m"), atom("f"), small(1), Term::NIL]);
        let trace = m.heap.make_list(&[call]);
        let args = [
            atom("exit"),
            atom("why"),
            trace,
            Term::NIL,
            small(5),
            small(-1),
            small(0),
        ];
        let text = m.call(exception, &args).unwrap();
        assert_eq!(
            chardata(&m.heap, text).unwrap(),
            "exception exit: why\n      in function  m:f/1 "
        );
    }
}
