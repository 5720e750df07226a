//! What variables are called in the language that a program is shown in.

use interpreter::atom::Atom;
use interpreter::print::Terms;
use interpreter::print::elixir::is_variable;
use interpreter::term::Term;

use crate::words::safe;

/// The name that a variable has in the source. Elixir's compiler calls `count` `_count@1`, `_count@2`, … in the order of its bindings, and its own
/// variables `_@1`. `None`: it is not in the source.
#[must_use]
pub fn variable(name: &str, terms: Terms) -> Option<&str> {
    if terms == Terms::Erlang {
        return Some(name);
    }
    let made = || {
        let (inner, number) = name.strip_prefix('_')?.rsplit_once('@')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(inner)
    };
    match made() {
        None => Some(name),
        Some(inner) => (inner != "_" && is_variable(inner)).then_some(inner),
    }
}

/// The variables of an activation with their names in the source, in order of binding. Of several with one name, the last one: it is the one in scope.
pub fn variables<'v>(
    bound: &'v [(Atom, Option<Term>)],
    terms: Terms,
) -> impl Iterator<Item = (String, Option<Term>)> + 'v {
    let name = move |bound: &'v (Atom, Option<Term>)| variable(bound.0.as_str(), terms);
    bound.iter().enumerate().filter_map(move |(at, one)| {
        let own = name(one)?;
        let again = || bound[at + 1..].iter().any(|later| name(later) == Some(own));
        (terms == Terms::Erlang || !again()).then(|| (safe(own), one.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_the_names_of_the_source() {
        for (name, shown) in [
            ("_before@1", Some("before")),
            ("__from@2", Some("_from")),
            ("_ok?@1", Some("ok?")),
            ("_größe@12", Some("größe")),
            ("_@1", None),
            ("__@3", None),
            ("State", Some("State")),
            ("_State", Some("_State")),
            ("_x@y", Some("_x@y")),
            ("_a@b@1", Some("a@b")),
        ] {
            assert_eq!(variable(name, Terms::Elixir), shown, "{name}");
            assert_eq!(variable(name, Terms::Erlang), Some(name));
        }
    }

    #[test]
    fn the_last_binding_is_the_one_in_scope() {
        let bound = [("_x@1", 1), ("_y@1", 2), ("_x@2", 3)].map(|(name, n)| (Atom::new(name), Some(Term::small(n))));
        let shown: Vec<_> = variables(&bound, Terms::Elixir).collect();
        let one = |name: &str, n| (name.to_owned(), Some(Term::small(n)));
        assert_eq!(shown, [one("y", 2), one("x", 3)]);
        assert_eq!(variables(&bound, Terms::Erlang).count(), 3);
    }
}
