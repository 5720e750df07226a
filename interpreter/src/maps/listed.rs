//! The order in which small maps are listed by programs of OTP 26 and newer: printed, and by `maps:to_list/1` and its like.
//!
//! BEAM's order there is that of its table of atoms, which holds the atoms of the running system first, and then those of the program, as they are loaded.
//! Here, the atoms of a system that has just started come first, in BEAM's order, and all others follow by name. So the order is a function of the keys.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::atom::Atom;
use crate::term::Term;

/// The atoms that a node of OTP 28 has when it has started, in the order of its table. Made by `tests/oracle/boot_atoms.erl`.
const BOOT: &str = include_str!("../../lib/boot_atoms.txt");

/// The place of an atom: its line in the table, or behind all of it.
fn place(atom: Atom) -> usize {
    static PLACES: OnceLock<FxHashMap<&'static str, usize>> = OnceLock::new();
    let places = PLACES.get_or_init(|| BOOT.lines().zip(0..).collect());
    places.get(atom.as_str()).copied().unwrap_or(usize::MAX)
}

/// Puts pairs that are in the order of their keys as terms into this order.
pub(super) fn sort(pairs: &mut [(Term, Term)]) {
    // Atoms stand together, between numbers and all others.
    let Some(first) = pairs.iter().position(|(key, _)| key.as_atom().is_some()) else {
        return;
    };
    let atoms = pairs[first..]
        .iter()
        .take_while(|(key, _)| key.as_atom().is_some())
        .count();
    let of = |(key, _): &(Term, Term)| key.as_atom().map(place);
    // The sort is stable: names that are not in the table stay as they are.
    pairs[first..first + atoms].sort_by_cached_key(of);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(names: &[&str]) -> Vec<&'static str> {
        let mut pairs: Vec<_> = names
            .iter()
            .map(|name| (Term::atom(Atom::new(name)), Term::NIL))
            .collect();
        pairs.insert(0, (Term::small(1), Term::NIL));
        pairs.push((Term::NIL, Term::NIL));
        sort(&mut pairs);
        assert!(pairs[0].0 == Term::small(1) && pairs[names.len() + 1].0 == Term::NIL);
        let atoms = pairs.iter().filter_map(|(key, _)| key.as_atom());
        atoms.map(Atom::as_str).collect()
    }

    #[test]
    fn atoms_of_the_system_come_first_and_others_by_name() {
        let names = ["$none", "aaa_of_nobody", "false", "name", "true", "zzz_of_nobody"];
        assert_eq!(
            listed(&names),
            ["false", "true", "name", "$none", "aaa_of_nobody", "zzz_of_nobody"]
        );
        assert_eq!(listed(&[]), [""; 0]);
    }
}
