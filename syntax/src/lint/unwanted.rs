//! Unused values and expressions that cannot succeed: what OTP's compiler warns of in expressions that are evaluated without effect or always fail.

use super::Linter;
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;
use crate::token::quoted_atom;

/// Functions that cannot fail and have no effect.
const NO_EFFECT: [(&str, u32); 18] = [
    ("is_atom", 1),
    ("is_binary", 1),
    ("is_bitstring", 1),
    ("is_boolean", 1),
    ("is_float", 1),
    ("is_function", 1),
    ("is_integer", 1),
    ("is_list", 1),
    ("is_map", 1),
    ("is_number", 1),
    ("is_pid", 1),
    ("is_port", 1),
    ("is_reference", 1),
    ("is_tuple", 1),
    ("max", 2),
    ("min", 2),
    ("node", 0),
    ("self", 0),
];

/// Functions that have no effect but can fail.
const PURE: [(&str, u32); 45] = [
    ("abs", 1),
    ("atom_to_binary", 1),
    ("atom_to_binary", 2),
    ("atom_to_list", 1),
    ("binary_part", 2),
    ("binary_part", 3),
    ("binary_to_atom", 1),
    ("binary_to_atom", 2),
    ("binary_to_float", 1),
    ("binary_to_integer", 1),
    ("binary_to_list", 1),
    ("binary_to_list", 3),
    ("bit_size", 1),
    ("byte_size", 1),
    ("ceil", 1),
    ("element", 2),
    ("float", 1),
    ("float_to_binary", 1),
    ("float_to_list", 1),
    ("floor", 1),
    ("hd", 1),
    ("integer_to_binary", 1),
    ("integer_to_list", 1),
    ("is_function", 2),
    ("is_map_key", 2),
    ("is_record", 2),
    ("is_record", 3),
    ("length", 1),
    ("list_to_atom", 1),
    ("list_to_binary", 1),
    ("list_to_float", 1),
    ("list_to_integer", 1),
    ("list_to_integer", 2),
    ("list_to_pid", 1),
    ("list_to_tuple", 1),
    ("map_get", 2),
    ("pid_to_list", 1),
    ("round", 1),
    ("setelement", 3),
    ("size", 1),
    ("split_binary", 2),
    ("tl", 1),
    ("trunc", 1),
    ("tuple_size", 1),
    ("tuple_to_list", 1),
];

const IGNORED: &str = "is ignored (suppress the warning by assigning the expression to the _ variable)";

impl<'a> Linter<'a> {
    /// Warns of an expression whose value is not used.
    pub(super) fn unwanted(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Map(_)
            | ExprKind::Record(_)
            | ExprKind::Binary(_)
            | ExprKind::Fun(_)
            | ExprKind::NamedFun(..) => self.remark(expr.loc, "a term is constructed, but never used"),
            ExprKind::String(text) if !text.is_empty() => {
                self.remark(expr.loc, "a term is constructed, but never used");
            }
            ExprKind::FunRemote(_) => self.remark(expr.loc, format!("the result of fun construction {IGNORED}")),
            ExprKind::Unary(op, _) => {
                let message = format!("the result of evaluating operator '{}'/1 {IGNORED}", op.as_str());
                self.remark(expr.loc, message);
            }
            ExprKind::Binop(BinaryOp::Send, _) => {}
            ExprKind::Binop(op, _) if is_comparison(*op) => {
                self.remark(expr.loc, format!("use of operator '{}' has no effect", op.as_str()));
            }
            ExprKind::Binop(op, _) => {
                let message = format!("the result of evaluating operator '{}'/2 {IGNORED}", op.as_str());
                self.remark(expr.loc, message);
            }
            ExprKind::Call(call) => self.unwanted_call(expr.loc, call),
            ExprKind::ListComp(comprehension) => self.unwanted(&comprehension.template),
            ExprKind::Match(matching) => self.unwanted_match(matching),
            ExprKind::Block(body) => body.last().into_iter().for_each(|last| self.unwanted(last)),
            _ => {}
        }
    }

    /// The value bound by a match is unused if the variable is, which is known only at the end of the function.
    fn unwanted_match(&mut self, matching: &'a MatchExpr) {
        let PatternKind::Var(name) = matching.pattern.kind else {
            return;
        };
        let Some(&[site]) = self.scope.get(name).map(|var| &var.sites[..]) else {
            return;
        };
        let binds = self.scope.sites[site].loc == matching.pattern.loc;
        let value = &matching.value;
        let stays = matches!(
            value.kind,
            ExprKind::ListComp(_) | ExprKind::FunRemote(_) | ExprKind::String(_) | ExprKind::Match(_)
        );
        if binds && !name.as_str().starts_with('_') && !stays && !is_constant(value) {
            let before = self.remarks.len();
            match &value.kind {
                // A string in front of a list builds a list.
                ExprKind::Binop(BinaryOp::Append, operands) if matches!(operands[0].kind, ExprKind::String(_)) => {
                    self.remark(value.loc, "a term is constructed, but never used");
                }
                _ => self.unwanted(value),
            }
            let remarks = self.remarks.drain(before..);
            self.if_unused.extend(remarks.map(|remark| (site, remark)));
        }
    }

    /// Warns of an operator that fails because of its constant operands.
    pub(super) fn failing(&mut self, loc: Loc, op: BinaryOp, operands: &[Expr; 2]) {
        let [left, right] = operands;
        let (Some(a), Some(b)) = (Constant::of(left), Constant::of(right)) else {
            return;
        };
        let numbers = a != Constant::Other && b != Constant::Other;
        let integers = numbers && a != Constant::Float && b != Constant::Float;
        let fails = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !numbers,
            BinaryOp::Slash => !numbers || b == Constant::Zero,
            BinaryOp::Div | BinaryOp::Rem => !integers || b == Constant::Zero,
            BinaryOp::Band | BinaryOp::Bor | BinaryOp::Bxor | BinaryOp::Bsl | BinaryOp::Bsr => !integers,
            _ => false,
        };
        if fails {
            let op = op.as_str();
            self.remark(
                loc,
                format!("evaluation of operator '{op}'/2 will fail with a 'badarith' exception"),
            );
        }
    }

    fn unwanted_call(&mut self, loc: Loc, call: &'a Call) {
        let arity = call.args.len() as u32;
        let Some(name) = self.built_in(call) else { return };
        let function = (name, arity);
        let shown = quoted_atom(Atom::new(name));
        if NO_EFFECT.contains(&function) {
            self.remark(loc, format!("the call to {shown}/{arity} has no effect"));
        } else if PURE.contains(&function) {
            self.remark(loc, format!("the result of calling {shown}/{arity} {IGNORED}"));
        }
    }
}

/// Whether the compiler treats it as a literal.
fn is_constant(expr: &Expr) -> bool {
    with_stack(|| match &expr.kind {
        ExprKind::Atom(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Nil => true,
        ExprKind::List(list) => list.items.iter().all(is_constant) && list.tail.as_deref().is_none_or(is_constant),
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        ExprKind::Map(fields) => fields
            .iter()
            .all(|field| is_constant(&field.key) && is_constant(&field.value)),
        ExprKind::Binary(segments) => segments
            .iter()
            .all(|segment| is_constant(&segment.value) && segment.size.as_deref().is_none_or(is_constant)),
        _ => false,
    })
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Le
            | BinaryOp::Lt
            | BinaryOp::Ge
            | BinaryOp::Gt
            | BinaryOp::ExactEq
            | BinaryOp::ExactNe
    )
}

/// What arithmetic needs to know about a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constant {
    Zero,
    Integer,
    Float,
    /// Not a number.
    Other,
}

impl Constant {
    fn of(expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Integer(0) => Some(Constant::Zero),
            ExprKind::Integer(_) | ExprKind::BigInteger(_) | ExprKind::Char(_) => Some(Constant::Integer),
            ExprKind::Float(_) => Some(Constant::Float),
            ExprKind::Atom(_) | ExprKind::Nil | ExprKind::String(_) => Some(Constant::Other),
            _ => None,
        }
    }
}
