//! What constants decide: calls and operators that always fail, duplicate keys of a map, guards that are never true.

use super::Linter;
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;
use crate::token::quoted_atom;

/// A constant, as far as built-in functions distinguish them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constant<'a> {
    Boolean,
    Atom,
    Zero,
    Integer(Option<i64>),
    Float,
    Nil,
    /// A non-empty string.
    Text(&'a str),
    /// A non-empty proper list.
    List,
    Improper,
    Tuple(usize),
}

impl<'a> Constant<'a> {
    fn of(e: &'a Expr) -> Option<Self> {
        Some(match &e.kind {
            ExprKind::Atom(a) if matches!(a.as_str(), "true" | "false") => Self::Boolean,
            ExprKind::Atom(_) => Self::Atom,
            ExprKind::Integer(0) => Self::Zero,
            ExprKind::Integer(n) => Self::Integer(Some(*n)),
            ExprKind::Char(_) | ExprKind::BigInteger(_) => Self::Integer(None),
            ExprKind::Float(_) => Self::Float,
            ExprKind::Nil => Self::Nil,
            ExprKind::String(s) if s.is_empty() => Self::Nil,
            ExprKind::String(s) => Self::Text(s),
            ExprKind::List(list) => {
                list.items.iter().try_for_each(|i| Self::of(i).map(|_| ()))?;
                match list.tail.as_deref().map(Self::of) {
                    None => Self::List,
                    Some(tail) => match tail? {
                        Self::Nil | Self::Text(_) | Self::List => Self::List,
                        _ => Self::Improper,
                    },
                }
            }
            ExprKind::Tuple(items) => {
                items.iter().try_for_each(|i| Self::of(i).map(|_| ()))?;
                Self::Tuple(items.len())
            }
            _ => return None,
        })
    }
    fn is_integer(self) -> bool {
        matches!(self, Self::Zero | Self::Integer(_))
    }
    fn is_number(self) -> bool {
        self.is_integer() || self == Self::Float
    }
    fn is_atom(self) -> bool {
        matches!(self, Self::Atom | Self::Boolean)
    }
    fn is_proper_list(self) -> bool {
        matches!(self, Self::Nil | Self::Text(_) | Self::List)
    }
}

impl<'a> Linter<'a> {
    /// The built-in function that a call refers to.
    pub(super) fn built_in(&self, call: &Call) -> Option<&'static str> {
        let arity = call.args.len() as u32;
        match &call.callee {
            Callee::Local(name) => {
                let id = FunId { name: name.atom, arity };
                let own = self.locals.contains(&id) || self.imports.contains_key(&id) || !self.is_auto_imported(id);
                (!own).then(|| name.atom.as_str())
            }
            Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                (ExprKind::Atom(module), ExprKind::Atom(name)) if module.as_str() == "erlang" => Some(name.as_str()),
                _ => None,
            },
            Callee::Dynamic(_) => None,
        }
    }

    /// Warns of a call that fails because of its constant arguments.
    pub(super) fn failing_call(&mut self, loc: Loc, call: &'a Call) {
        let Some(name) = self.built_in(call) else { return };
        let Some(args) = call.args.iter().map(Constant::of).collect::<Option<Vec<_>>>() else {
            return;
        };
        let fits = match (name, &args[..]) {
            ("atom_to_list", [a]) => a.is_atom(),
            ("abs" | "ceil" | "float" | "floor" | "round" | "trunc", [n]) => n.is_number(),
            ("hd" | "tl", [l]) => matches!(l, Constant::Text(_) | Constant::List | Constant::Improper),
            ("length", [l]) => l.is_proper_list(),
            ("integer_to_list" | "integer_to_binary", [n]) => n.is_integer(),
            ("float_to_list" | "float_to_binary", [x]) => *x == Constant::Float,
            ("list_to_atom" | "list_to_binary" | "list_to_tuple", [l]) => {
                matches!(l, Constant::Improper) || l.is_proper_list()
            }
            ("list_to_integer", [Constant::Text(s)]) => s.parse::<num_bigint::BigInt>().is_ok(),
            ("list_to_integer", [l]) => *l == Constant::List,
            ("tuple_size" | "tuple_to_list", [t]) => matches!(t, Constant::Tuple(_)),
            ("size", [t]) => matches!(t, Constant::Tuple(_)),
            ("bit_size" | "byte_size" | "binary_to_list", [_]) => false,
            ("element", [n, Constant::Tuple(size)]) | ("setelement", [n, Constant::Tuple(size), _]) => match n {
                Constant::Integer(Some(n)) => usize::try_from(*n).is_ok_and(|n| n <= *size),
                _ => false,
            },
            ("element", [_, _]) | ("setelement", [_, _, _]) => false,
            _ => return,
        };
        if !fits {
            let message = format!("the call to {name}/{} will fail with a 'badarg' exception", args.len());
            self.remark(loc, message);
        }
    }

    /// Warns of an operator that fails because of its constant operand.
    pub(super) fn failing_unary(&mut self, loc: Loc, op: UnaryOp, operand: &'a Expr) {
        let Some(operand) = Constant::of(operand) else { return };
        let (fits, reason) = match op {
            UnaryOp::Plus | UnaryOp::Minus => (operand.is_number(), "badarith"),
            UnaryOp::Bnot => (operand.is_integer(), "badarith"),
            UnaryOp::Not => (operand == Constant::Boolean, "badarg"),
        };
        if !fits {
            let op = op.as_str();
            self.remark(
                loc,
                format!("evaluation of operator '{op}'/1 will fail with a '{reason}' exception"),
            );
        }
    }

    /// Warns of an operator on lists or booleans that fails because of its constant operands.
    pub(super) fn failing_operands(&mut self, loc: Loc, op: BinaryOp, operands: &'a [Expr; 2]) {
        let [left, right] = operands;
        let (Some(a), Some(b)) = (Constant::of(left), Constant::of(right)) else {
            return;
        };
        let fits = match op {
            BinaryOp::Append => a.is_proper_list(),
            BinaryOp::Subtract => a.is_proper_list() && b.is_proper_list(),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => a == Constant::Boolean && b == Constant::Boolean,
            _ => true,
        };
        if !fits {
            let op = op.as_str();
            self.remark(
                loc,
                format!("evaluation of operator '{op}'/2 will fail with a 'badarg' exception"),
            );
        }
    }

    /// Warns of duplicate keys.
    pub(super) fn repeated_keys(&mut self, fields: &'a [MapField]) {
        let shown: Vec<Option<String>> = fields.iter().map(|f| shown_key(&f.key)).collect();
        for (i, field) in fields.iter().enumerate() {
            if let Some(key) = &shown[i]
                && shown[i + 1..].contains(&shown[i])
            {
                let quoted = match field.key.kind {
                    ExprKind::Atom(_) => format!("'{key}'"),
                    _ => key.clone(),
                };
                self.remark(field.key.loc, format!("key {quoted} will be overridden in expression"));
            }
        }
    }

    /// Warns of an update of something that is not a map.
    pub(super) fn failing_update(&mut self, loc: Loc, map: &'a Expr) {
        if Constant::of(map).is_some() {
            self.remark(loc, "map update will fail with a 'badmap' exception");
        }
    }

    /// Warns of a match of a constant that cannot succeed.
    pub(super) fn matched(&mut self, pattern: &Pattern, value: &Expr) {
        let mut base = value;
        while let ExprKind::Match(next) = &base.kind {
            base = &next.value;
        }
        if self.remarks.last().is_some_and(|last| {
            last.message == NO_CLAUSE && matches!(&value.kind, ExprKind::Match(next) if next.pattern.loc == last.loc)
        }) {
            // A chain of patterns gets one warning, at the first of them.
            self.remarks.pop();
            self.remark(pattern.loc, NO_CLAUSE);
        } else if differs(pattern, base) {
            self.remark(pattern.loc, NO_CLAUSE);
        }
    }

    /// Warns of a `case` of a constant that no clause matches.
    pub(super) fn no_clause(&mut self, loc: Loc, subject: &Expr, clauses: &[Clause]) {
        if clauses.iter().all(|clause| differs(&clause.pattern, subject)) {
            self.remark(loc, NO_CLAUSE);
        }
    }

    /// Warns of a guard that is never true.
    pub(super) fn never(&mut self, loc: Loc, guard: &'a Guard) {
        let is_false = |e: &Expr| Constant::of(e).is_some() && !matches!(e.kind, ExprKind::Atom(Atom::TRUE));
        if !guard.is_empty() && guard.iter().all(|tests| matches!(&tests[..], [test] if is_false(test))) {
            self.remark(loc, "this clause cannot match because its guard evaluates to 'false'");
        }
    }
}

const NO_CLAUSE: &str = "no clause will ever match";

/// Whether the value is a constant of another form, or with other parts, than the pattern.
fn differs(pattern: &Pattern, value: &Expr) -> bool {
    if Constant::of(value).is_none() {
        return false;
    }
    with_stack(|| match (&pattern.kind, &value.kind) {
        (PatternKind::Atom(a), ExprKind::Atom(b)) => a != b,
        (PatternKind::Integer(a), ExprKind::Integer(b)) => a != b,
        (PatternKind::Char(a), ExprKind::Char(b)) => a != b,
        (PatternKind::String(a), ExprKind::String(b)) => a != b,
        (PatternKind::Tuple(a), ExprKind::Tuple(b)) => {
            a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differs(a, b))
        }
        (PatternKind::Integer(a), ExprKind::Char(b)) => u32::try_from(*a) != Ok(u32::from(*b)),
        (PatternKind::Char(a), ExprKind::Integer(b)) => u32::try_from(*b) != Ok(u32::from(*a)),
        (PatternKind::Atom(_), ExprKind::Integer(_) | ExprKind::Char(_) | ExprKind::Float(_))
        | (PatternKind::Integer(_) | PatternKind::Char(_), ExprKind::Atom(_) | ExprKind::Float(_))
        | (PatternKind::Nil, ExprKind::List(_))
        | (
            PatternKind::Atom(_) | PatternKind::Integer(_) | PatternKind::Char(_),
            ExprKind::Tuple(_) | ExprKind::List(_),
        )
        | (
            PatternKind::Tuple(_) | PatternKind::List(_) | PatternKind::Nil | PatternKind::Map(_),
            ExprKind::Atom(_) | ExprKind::Integer(_) | ExprKind::Char(_) | ExprKind::Float(_),
        ) => true,
        _ => false,
    })
}

/// A constant key as `~p` prints it; `None` for computed or longer keys.
fn shown_key(e: &Expr) -> Option<String> {
    Some(match &e.kind {
        ExprKind::Atom(a) => quoted_atom(*a),
        ExprKind::Integer(n) => n.to_string(),
        ExprKind::BigInteger(n) => n.to_string(),
        ExprKind::Char(c) => u32::from(*c).to_string(),
        ExprKind::String(s) if !s.is_empty() && s.chars().all(|c| matches!(c, ' '..='~') && c != '"' && c != '\\') => {
            format!("\"{s}\"")
        }
        ExprKind::Nil => "[]".to_owned(),
        ExprKind::Tuple(items) => {
            let items: Option<Vec<String>> = items.iter().map(shown_key).collect();
            format!("{{{}}}", items?.join(","))
        }
        _ => return None,
    })
}
