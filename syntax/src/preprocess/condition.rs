//! The conditions of `-if` and `-elif`: guard expressions without variables, with `defined(Macro)`.
//!
//! As in `epp`, an expression that fails or calls an unknown function counts as false.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::Session;
use super::directive::{DirectiveResult, fail};
use crate::ast::*;
use crate::atom::Atom;
use crate::parse::parse_exprs;
use crate::stack::with_stack;
use crate::token::{Tok, Token};

#[derive(Clone, Debug)]
enum Value {
    Integer(BigInt),
    Float(f64),
    Atom(Atom),
    Tuple(Vec<Value>),
    /// Elements and tail (`None` = `[]`).
    List(Vec<Value>, Option<Box<Value>>),
}

impl Session<'_> {
    /// Evaluates the condition of `- if ( … ) .`
    pub(super) fn condition(&mut self, tokens: &[Token]) -> DirectiveResult<bool> {
        let loc = tokens[1].loc;
        if tokens.get(2).map(|token| &token.tok) != Some(&Tok::LParen) {
            return fail(loc, "badly formed 'if'");
        }
        let expanded = self.macros.expand(tokens[2..].to_vec())?;
        let exprs = match parse_exprs(&expanded) {
            Ok(exprs) => exprs,
            Err(mut errors) => return Err(Box::new(errors.swap_remove(0))),
        };
        let [expr] = &exprs[..] else {
            return fail(loc, "badly formed 'if'");
        };
        check(expr)?;
        Ok(matches!(self.value(expr), Some(Value::Atom(Atom::TRUE))))
    }

    fn value(&self, expr: &Expr) -> Option<Value> {
        with_stack(|| self.value_here(expr))
    }

    fn value_here(&self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Atom(atom) => Value::Atom(*atom),
            ExprKind::Integer(value) => Value::Integer((*value).into()),
            ExprKind::BigInteger(value) => Value::Integer((**value).clone()),
            ExprKind::Char(c) => Value::Integer((*c as u32).into()),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::String(text) => {
                Value::List(text.chars().map(|c| Value::Integer((c as u32).into())).collect(), None)
            }
            ExprKind::Nil => Value::List(Vec::new(), None),
            ExprKind::List(list) => {
                let mut items = list
                    .items
                    .iter()
                    .map(|item| self.value(item))
                    .collect::<Option<Vec<_>>>()?;
                match list.tail.as_deref().map(|tail| self.value(tail)) {
                    None => Value::List(items, None),
                    Some(Some(Value::List(more, tail))) => {
                        items.extend(more);
                        Value::List(items, tail)
                    }
                    Some(tail) => Value::List(items, Some(Box::new(tail?))),
                }
            }
            ExprKind::Tuple(items) => Value::Tuple(items.iter().map(|item| self.value(item)).collect::<Option<_>>()?),
            ExprKind::AndAlso(operands) => match self.truth(&operands[0])? {
                true => self.value(&operands[1])?,
                false => Value::Atom(Atom::FALSE),
            },
            ExprKind::OrElse(operands) => match self.truth(&operands[0])? {
                true => Value::Atom(Atom::TRUE),
                false => self.value(&operands[1])?,
            },
            ExprKind::Unary(op, operand) => unary(*op, self.value(operand)?)?,
            ExprKind::Binop(op, operands) => binary(*op, self.value(&operands[0])?, self.value(&operands[1])?)?,
            ExprKind::Call(call) => match &call.callee {
                Callee::Local(name) if name.atom.as_str() == "defined" && call.args.len() == 1 => {
                    match call.args[0].kind {
                        ExprKind::Atom(macro_name) | ExprKind::Var(macro_name) => {
                            boolean(self.macros.is_known(macro_name))
                        }
                        _ => return None,
                    }
                }
                Callee::Local(name) => {
                    let args = call
                        .args
                        .iter()
                        .map(|arg| self.value(arg))
                        .collect::<Option<Vec<_>>>()?;
                    guard_function(name.atom.as_str(), &args)?
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn truth(&self, expr: &Expr) -> Option<bool> {
        truth(&self.value(expr)?)
    }
}

/// Refuses expressions that cannot be a condition.
fn check(expr: &Expr) -> DirectiveResult<()> {
    let bad = match &expr.kind {
        ExprKind::Call(call) => match &call.callee {
            Callee::Local(name) if name.atom.as_str() == "defined" => {
                call.args.len() == 1 && !matches!(call.args[0].kind, ExprKind::Atom(_) | ExprKind::Var(_))
            }
            Callee::Local(_) => false,
            _ => true,
        },
        ExprKind::Var(_)
        | ExprKind::Match(_)
        | ExprKind::Block(_)
        | ExprKind::If(_)
        | ExprKind::Case(..)
        | ExprKind::Receive(_)
        | ExprKind::Try(_)
        | ExprKind::Catch(_)
        | ExprKind::Maybe(_)
        | ExprKind::Fun(_)
        | ExprKind::NamedFun(..)
        | ExprKind::ListComp(_)
        | ExprKind::BinaryComp(_)
        | ExprKind::MapComp(_)
        | ExprKind::Binop(BinaryOp::Send, _) => true,
        _ => false,
    };
    if bad {
        fail(expr.loc, "badly formed 'if'")
    } else {
        Ok(())
    }
}

fn boolean(value: bool) -> Value {
    Value::Atom(if value { Atom::TRUE } else { Atom::FALSE })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Atom(Atom::TRUE) => Some(true),
        Value::Atom(Atom::FALSE) => Some(false),
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    Some(match (op, value) {
        (UnaryOp::Not, value) => boolean(!truth(&value)?),
        (UnaryOp::Plus, value @ (Value::Integer(_) | Value::Float(_))) => value,
        (UnaryOp::Minus, Value::Integer(value)) => Value::Integer(-value),
        (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
        (UnaryOp::Bnot, Value::Integer(value)) => Value::Integer(!value),
        _ => return None,
    })
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    use BinaryOp::*;
    Some(match op {
        Eq => boolean(compare(&left, &right) == Ordering::Equal),
        Ne => boolean(compare(&left, &right) != Ordering::Equal),
        Le => boolean(compare(&left, &right) != Ordering::Greater),
        Lt => boolean(compare(&left, &right) == Ordering::Less),
        Ge => boolean(compare(&left, &right) != Ordering::Less),
        Gt => boolean(compare(&left, &right) == Ordering::Greater),
        ExactEq => boolean(identical(&left, &right)),
        ExactNe => boolean(!identical(&left, &right)),
        And => boolean(truth(&left)? & truth(&right)?),
        Or => boolean(truth(&left)? | truth(&right)?),
        Xor => boolean(truth(&left)? ^ truth(&right)?),
        _ => match (left, right) {
            (Value::Integer(a), Value::Integer(b)) if op != Slash => integers(op, &a, &b)?,
            (left, right) => floats(op, float(&left)?, float(&right)?)?,
        },
    })
}

fn integers(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<Value> {
    use BinaryOp::*;
    Some(Value::Integer(match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div if !b.is_zero() => a / b,
        Rem if !b.is_zero() => a % b,
        Band => a & b,
        Bor => a | b,
        Bxor => a ^ b,
        Bsl => a << b.to_u16()?,
        Bsr => a >> b.to_u16()?,
        _ => return None,
    }))
}

fn floats(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
    use BinaryOp::*;
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Slash if b != 0.0 => a / b,
        _ => return None,
    };
    value.is_finite().then_some(Value::Float(value))
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => value.to_f64(),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

/// Erlang's term order: number < atom < tuple < list.
fn compare(left: &Value, right: &Value) -> Ordering {
    with_stack(|| {
        let rank = |value: &Value| match value {
            Value::Integer(_) | Value::Float(_) => 0,
            Value::Atom(_) => 1,
            Value::Tuple(_) => 2,
            Value::List(..) => 3,
        };
        match (left, right) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => {
                float(left).partial_cmp(&float(right)).unwrap_or(Ordering::Equal)
            }
            (Value::Atom(a), Value::Atom(b)) => a.as_str().cmp(b.as_str()),
            (Value::Tuple(a), Value::Tuple(b)) => a.len().cmp(&b.len()).then_with(|| compare_all(a, b)),
            (Value::List(a, _), Value::List(b, _)) => {
                let common = a.len().min(b.len());
                compare_all(&a[..common], &b[..common]).then(a.len().cmp(&b.len()))
            }
            _ => rank(left).cmp(&rank(right)),
        }
    })
}

fn compare_all(a: &[Value], b: &[Value]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(a, b)| compare(a, b))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn identical(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Integer(_), Value::Float(_)) | (Value::Float(_), Value::Integer(_)) => false,
        _ => compare(left, right) == Ordering::Equal,
    }
}

fn guard_function(name: &str, args: &[Value]) -> Option<Value> {
    Some(match (name, args) {
        ("is_atom", [value]) => boolean(matches!(value, Value::Atom(_))),
        ("is_boolean", [value]) => boolean(truth(value).is_some()),
        ("is_integer", [value]) => boolean(matches!(value, Value::Integer(_))),
        ("is_float", [value]) => boolean(matches!(value, Value::Float(_))),
        ("is_number", [value]) => boolean(float(value).is_some()),
        ("is_list", [value]) => boolean(matches!(value, Value::List(..))),
        ("is_tuple", [value]) => boolean(matches!(value, Value::Tuple(_))),
        ("is_binary" | "is_bitstring" | "is_map" | "is_pid" | "is_port" | "is_reference" | "is_function", [_]) => {
            boolean(false)
        }
        ("abs", [Value::Integer(value)]) => Value::Integer(value.abs()),
        ("abs", [Value::Float(value)]) => Value::Float(value.abs()),
        ("length", [Value::List(items, None)]) => Value::Integer(items.len().into()),
        ("tuple_size" | "size", [Value::Tuple(items)]) => Value::Integer(items.len().into()),
        ("hd", [Value::List(items, _)]) => items.first()?.clone(),
        ("tl", [Value::List(items, tail)]) if !items.is_empty() => Value::List(items[1..].to_vec(), tail.clone()),
        ("element", [Value::Integer(index), Value::Tuple(items)]) => {
            items.get(index.to_usize()?.checked_sub(1)?)?.clone()
        }
        ("max", [a, b]) => if compare(a, b) == Ordering::Less { b } else { a }.clone(),
        ("min", [a, b]) => if compare(a, b) == Ordering::Greater { b } else { a }.clone(),
        _ => return None,
    })
}
