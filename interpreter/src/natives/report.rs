//! The node of a pid.

use crate::heap::TermView;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[Native::pure("erlang", "node", 1, node_1)];

/// The node of a pid or reference.
fn node_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let owner = match cx.heap.view(args[0]) {
        TermView::Pid(pid) => pid,
        TermView::Port(port) => port.0,
        TermView::Reference(reference) => reference.owner,
        _ => return Err(Raise::badarg()),
    };
    if owner.node() == cx.local.pid.node() {
        return Ok(Term::atom(cx.local.node));
    }
    match cx.local.nodes.name(owner.node()) {
        Some(name) => Ok(Term::atom(name)),
        // A pid made from a text, with a node that never existed.
        None => Err(Raise::badarg()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::Atom;
    use crate::natives::testing::{Machine, atom};

    #[test]
    fn what_a_process_makes_belongs_to_its_node() {
        let mut m = Machine::new();
        let pid = Term::pid(m.local.pid);
        assert_eq!(m.call(node_1, &[pid]).unwrap(), Term::atom(m.local.node));
        assert_eq!(m.reason(node_1, &[atom("x")]), atom("badarg"));
        let other = Atom::new("other@host");
        m.local.nodes = crate::native::Nodes::new(vec![m.local.node, other]);
        let far = |node| Term::pid(crate::term::Pid::new(node, 80));
        assert_eq!(m.call(node_1, &[far(1)]).unwrap(), Term::atom(other));
        assert_eq!(m.reason(node_1, &[far(2)]), atom("badarg"));
    }
}
