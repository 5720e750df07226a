//! What becomes of the table of atoms when a program fills it. A test of its own: the table is the process's.

use syntax::atom::{ATOM_LIMIT, Atom};

#[test]
fn a_program_that_makes_all_atoms_leaves_some_to_the_tool() {
    let made = (0..ATOM_LIMIT)
        .take_while(|n| Atom::try_new(&n.to_string()).is_some())
        .count();
    assert!(made > ATOM_LIMIT - 20_000 && made < ATOM_LIMIT, "{made}");
    assert_eq!(Atom::of_program(|| Atom::new("of a program")), None);
    assert_eq!(Atom::of_program(|| Atom::try_new("of a program")), None);
    assert!(Atom::of_program(|| Atom::new("0")).is_some(), "an atom that was there");
    let of_tool = Atom::new("of the tool");
    let of_library = Atom::of_library(|| Atom::try_new("of the library"));
    assert_eq!(
        (of_tool.as_str(), of_library.unwrap().as_str()),
        ("of the tool", "of the library")
    );
}
