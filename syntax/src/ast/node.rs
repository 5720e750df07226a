//! Operations on nodes: where they start; dropping and cloning at any depth.

use super::*;
use crate::stack::with_stack;
use crate::walk::{Node, children};

impl Loc {
    /// For code without a place in a source.
    pub const NONE: Loc = Loc {
        line: 0,
        col: 0,
        file: 0,
    };
}

/// Maximum number of nodes that [`first_loc`] looks at: far more than the nodes to which one macro gives the same place.
const FIRST_LOC_NODES: usize = 1000;

/// The least place reached from the root, from left to right, while places do not grow.
fn first_loc(root: Node<'_>) -> Loc {
    let mut first = root.loc();
    let mut todo = vec![root];
    let mut seen = 0;
    while let Some(node) = todo.pop() {
        let loc = node.loc();
        seen += 1;
        if (loc.line, loc.col) > (first.line, first.col) || seen > FIRST_LOC_NODES {
            break;
        }
        first = loc;
        let from = todo.len();
        children(node, &mut |child| todo.push(child));
        todo[from..].reverse();
    }
    first
}

impl Expr {
    /// Makes a node.
    pub fn new(loc: Loc, kind: ExprKind) -> Expr {
        Expr { loc, kind }
    }

    /// Takes the kind out (an `Expr` cannot be destructured, because it implements `Drop`).
    pub fn into_kind(mut self) -> ExprKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the expression starts: for `A + B`, the start of `A`. Follows `erl_parse:first_anno/1`, which macros can make differ from the text.
    pub fn first_loc(&self) -> Loc {
        first_loc(Node::Expr(self))
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Var(_)
                | ExprKind::Atom(_)
                | ExprKind::Integer(_)
                | ExprKind::BigInteger(_)
                | ExprKind::Float(_)
                | ExprKind::Char(_)
                | ExprKind::String(_)
                | ExprKind::Nil
                | ExprKind::FunLocal(_)
        )
    }
}

impl Drop for Expr {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Expr {
    fn clone(&self) -> Expr {
        with_stack(|| Expr {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

impl Pattern {
    /// Makes a node.
    pub fn new(loc: Loc, kind: PatternKind) -> Pattern {
        Pattern { loc, kind }
    }

    /// Takes the kind out.
    pub fn into_kind(mut self) -> PatternKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the pattern starts: for `A ++ B` and arithmetic, the start of `A`.
    pub fn first_loc(&self) -> Loc {
        first_loc(Node::Pattern(self))
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            PatternKind::Wildcard
                | PatternKind::Var(_)
                | PatternKind::Atom(_)
                | PatternKind::Integer(_)
                | PatternKind::BigInteger(_)
                | PatternKind::Float(_)
                | PatternKind::Char(_)
                | PatternKind::String(_)
                | PatternKind::Nil
        )
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Pattern {
    fn clone(&self) -> Pattern {
        with_stack(|| Pattern {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

impl Type {
    /// Makes a node.
    pub fn new(loc: Loc, kind: TypeKind) -> Type {
        Type { loc, kind }
    }

    /// Takes the kind out.
    pub fn into_kind(mut self) -> TypeKind {
        std::mem::take(&mut self.kind)
    }

    /// Where the type starts.
    pub fn first_loc(&self) -> Loc {
        let mut first = self.loc;
        let mut node = self;
        while let Some(left) = match &node.kind {
            TypeKind::Binop(_, operands) | TypeKind::Range(operands) => Some(&operands[0]),
            TypeKind::Union(types) => types.first(),
            _ => None,
        } {
            if (left.loc.line, left.loc.col) > (first.line, first.col) {
                break;
            }
            first = left.loc;
            node = left;
        }
        first
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::Var(_)
                | TypeKind::Atom(_)
                | TypeKind::Integer(_)
                | TypeKind::BigInteger(_)
                | TypeKind::Char(_)
                | TypeKind::Nil
                | TypeKind::AnyFun
        )
    }
}

impl Drop for Type {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::take(&mut self.kind);
            with_stack(move || drop(kind));
        }
    }
}

impl Clone for Type {
    fn clone(&self) -> Type {
        with_stack(|| Type {
            loc: self.loc,
            kind: self.kind.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree 200,000 deep, on a small thread stack.
    #[test]
    fn deep_trees_drop_and_clone() {
        let run = || {
            let mut expr = Expr::new(Loc::NONE, ExprKind::Nil);
            for _ in 0..200_000 {
                expr = Expr::new(Loc::NONE, ExprKind::Catch(Box::new(expr)));
            }
            let copy = expr.clone();
            drop(expr);
            assert!(matches!(copy.kind, ExprKind::Catch(_)));
        };
        std::thread::Builder::new()
            .stack_size(256 * 1024)
            .spawn(run)
            .unwrap()
            .join()
            .unwrap();
    }
}
