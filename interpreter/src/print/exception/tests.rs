use std::sync::Arc;

use super::super::NoCode;
use super::*;

fn stack(heap: &mut Heap, entries: &[(&str, &str, Term, i64)]) -> Term {
    let frames: Vec<Term> = entries
        .iter()
        .map(|&(m, f, a, line)| {
            let file = heap.make_string(&format!("{m}.erl"));
            let file = heap.make_tuple(&[Term::atom(Atom::FILE), file]);
            let place = heap.make_tuple(&[Term::atom(Atom::LINE), Term::small(line)]);
            let info = if line == 0 {
                Term::NIL
            } else {
                heap.make_list(&[file, place])
            };
            heap.make_tuple(&[Term::atom(Atom::new(m)), Term::atom(Atom::new(f)), a, info])
        })
        .collect();
    heap.make_list(&frames)
}

fn heap() -> Heap {
    Heap::new(Arc::new(Vec::new()))
}

#[test]
fn a_failed_match() {
    let mut heap = heap();
    let st = stack(
        &mut heap,
        &[("m", "f", Term::small(1), 5), ("m", "main", Term::small(0), 0)],
    );
    let reason = heap.make_tuple(&[Term::atom(Atom::BADMATCH), Term::small(3)]);
    let layout = Layout::escript(&NoCode);
    assert_eq!(
        exception(
            &heap,
            ExceptionClass::Error,
            reason,
            st,
            &Explanation::default(),
            &layout
        ),
        "exception error: no match of right hand side value 3\n  in function  m:f/1 (m.erl, line 5)\n  in call from m:main/0 "
    );
}

#[test]
fn operators_and_bifs_with_arguments() {
    let mut heap = heap();
    let args = heap.make_list(&[Term::small(1), Term::atom(Atom::new("a"))]);
    let st = stack(
        &mut heap,
        &[("erlang", "+", args, 0), ("m", "-f/1-fun-0-", Term::small(2), 9)],
    );
    let layout = Layout::escript(&NoCode);
    let none = Explanation::default();
    let badarith = Term::atom(Atom::BADARITH);
    assert_eq!(
        exception(&heap, ExceptionClass::Error, badarith, st, &none, &layout),
        "exception error: an error occurred when evaluating an arithmetic expression\n  in operator  +/2\n     called as 1 + a\n  \
         in call from m:'-f/1-fun-0-'/2 (m.erl, line 9)"
    );
    let args = heap.make_list(&[Term::small(3)]);
    let st = stack(&mut heap, &[("erlang", "atom_to_list", args, 0)]);
    let why = Explanation {
        arguments: vec![(1, "not an atom".to_owned())],
        ..Explanation::default()
    };
    assert_eq!(
        exception(
            &heap,
            ExceptionClass::Error,
            Term::atom(Atom::BADARG),
            st,
            &why,
            &layout
        ),
        "exception error: bad argument\n  in function  atom_to_list/1\n     called as atom_to_list(3)\n     *** argument 1: not an atom"
    );
}

#[test]
fn calls_without_a_clause_or_a_function() {
    let mut heap = heap();
    let list = heap.make_list(&(1..=30).map(Term::small).collect::<Vec<_>>());
    let args = heap.make_list(&[list, Term::atom(Atom::new("foo"))]);
    let st = stack(&mut heap, &[("a_rather_long_module_name", "g", args, 19)]);
    let layout = Layout::escript(&NoCode);
    let none = Explanation::default();
    let text = exception(
        &heap,
        ExceptionClass::Error,
        Term::atom(Atom::FUNCTION_CLAUSE),
        st,
        &none,
        &layout,
    );
    assert!(
        text.starts_with(
            "exception error: no function clause matching \n                 a_rather_long_module_name:g([1,2,3,"
        ),
        "{text}"
    );
    assert!(
        text.ends_with("foo) (a_rather_long_module_name.erl, line 19)"),
        "{text}"
    );
    let args = heap.make_list(&[Term::small(1)]);
    let st = stack(&mut heap, &[("foo", "bar", args, 0), ("m", "f", Term::small(0), 1)]);
    assert_eq!(
        exception(
            &heap,
            ExceptionClass::Error,
            Term::atom(Atom::UNDEF),
            st,
            &none,
            &layout
        ),
        "exception error: undefined function foo:bar/1\n  in function  m:f/0 (m.erl, line 1)"
    );
}

#[test]
fn a_crashed_process() {
    let mut heap = heap();
    let st = stack(&mut heap, &[("m", "-f/1-fun-1-", Term::small(0), 12)]);
    let reason = heap.make_tuple(&[Term::atom(Atom::BADARITH), st]);
    let pid = Term::pid(crate::term::Pid::new(0, 80));
    assert_eq!(
        crash_report(&heap, &NoCode, "20-Nov-2026::20:17:52.584047", pid, reason),
        "=ERROR REPORT==== 20-Nov-2026::20:17:52.584047 ===\nError in process <0.80.0> with exit value:\n\
         {badarith,[{m,'-f/1-fun-1-',0,[{file,\"m.erl\"},{line,12}]}]}\n\n"
    );
}
