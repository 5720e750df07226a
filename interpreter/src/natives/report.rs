//! The node of a pid.

use crate::atom::Atom;
use crate::heap::View;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[Native::pure("erlang", "node", 1, node_1)];

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
    use crate::natives::testing::{Machine, atom};

    #[test]
    fn what_a_process_makes_belongs_to_its_node() {
        let mut m = Machine::new();
        let pid = Term::pid(m.local.pid);
        assert_eq!(m.call(node_1, &[pid]).unwrap(), Term::atom(m.local.node));
        assert_eq!(m.reason(node_1, &[atom("x")]), atom("badarg"));
    }
}
