//! What is wrong with the arguments of a call that failed with `badarg`, in the words of an `ArgumentError` of Elixir, on one line: without what it
//! begins with, "errors were found at the given arguments".

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::print::{MapOrder, explain, map_pairs};
use crate::term::Term;

/// The message for the call on top of this stack trace; `None`: nothing is known of its arguments.
pub(super) fn message(heap: &Heap, stack: Term) -> Option<String> {
    let (entry, _) = heap.cons_cell(stack)?;
    let &[module, function, args, info] = heap.tuple(entry)? else {
        return None;
    };
    let (module, function, args) = (module.as_atom()?, function.as_atom()?, heap.list(args)?);
    let details = heap.list(info)?.into_iter().find_map(|one| match heap.tuple(one) {
        Some(&[key, value]) if is(key, "error_info") => Some(value),
        _ => None,
    })?;
    let wrong = match module.as_str() {
        "erlang" => explain(heap, module, function, &args, Term::atom(Atom::BADARG)).arguments,
        "ets" => vec![(1, of_table(cause(heap, details)?)?.to_owned())],
        _ => return None,
    };
    let each: Vec<String> = wrong
        .iter()
        .map(|(n, text)| format!("{} argument: {text}", nth(*n)))
        .collect();
    (!each.is_empty()).then(|| each.join("; "))
}

fn is(term: Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

/// The cause that a native gives with its failure.
fn cause(heap: &Heap, details: Term) -> Option<&'static str> {
    let pairs = match heap.view(details) {
        TermView::Map => map_pairs(heap, details, 8, MapOrder::Usual),
        _ => return None,
    };
    let (_, value) = pairs.into_iter().find(|(key, _)| is(*key, "cause"))?;
    Some(value.as_atom()?.as_str())
}

/// What is wrong with a table, as `erl_stdlib_errors` has it.
fn of_table(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "id" => "the table identifier does not refer to an existing ETS table",
        "access" => "the table identifier refers to an ETS table with insufficient access rights",
        "table_type" => "the table identifier refers to an ETS table of a type not supported by this operation",
        _ => return None,
    })
}

fn nth(n: usize) -> String {
    match n {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{n}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::ExceptionClass;
    use crate::print::elixir::Banner;
    use crate::print::{NoCode, Style, Terms};

    /// A stack trace of one call.
    fn stack(heap: &mut Heap, (module, function): (&str, &str), args: &[Term], cause: Option<&str>) -> Term {
        let atom = |name: &str| Term::atom(Atom::new(name));
        let pairs: Vec<(Term, Term)> = cause.into_iter().map(|cause| (atom("cause"), atom(cause))).collect();
        let details = crate::maps::from_pairs(heap, &pairs);
        let info = heap.make_tuple(&[atom("error_info"), details]);
        let info = heap.make_list(&[info]);
        let args = heap.make_list(args);
        let entry = heap.make_tuple(&[atom(module), atom(function), args, info]);
        heap.make_list(&[entry])
    }

    #[test]
    fn wrong_arguments_are_told_in_elixirs_words() {
        let mut heap = Heap::new(std::sync::Arc::new(Vec::new()));
        let text = heap.make_binary(b"1 20");
        let of_number = stack(&mut heap, ("erlang", "binary_to_integer"), &[text], None);
        assert_eq!(
            message(&heap, of_number).unwrap(),
            "1st argument: not a textual representation of an integer"
        );
        let table = Term::atom(Atom::new("nope"));
        let of_table = stack(&mut heap, ("ets", "lookup"), &[table, table], Some("id"));
        assert_eq!(
            message(&heap, of_table).unwrap(),
            "1st argument: the table identifier does not refer to an existing ETS table"
        );
        let unknown = stack(&mut heap, ("other", "f"), &[], None);
        assert_eq!(message(&heap, unknown), None);
    }

    #[test]
    fn what_no_clause_of_with_takes_is_told_alike_in_all_versions() {
        let mut heap = Heap::new(std::sync::Arc::new(Vec::new()));
        for name in ["with_clause", "else_clause"] {
            let reason = heap.make_tuple(&[Term::atom(Atom::new(name)), Term::small(3)]);
            let style = Style {
                terms: Terms::Elixir,
                ..Style::unicode(&NoCode)
            };
            let banner = Banner {
                heap: &heap,
                style: &style,
                chars: 100,
            };
            let told = banner.banner(ExceptionClass::Error, reason, None);
            assert_eq!(told, "** (WithClauseError) no with clause matching: 3");
        }
    }
}
