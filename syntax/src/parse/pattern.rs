//! Expressions in places where a pattern is required: converted, or refused as by `erl_lint`.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::Parser;
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;

/// Maximum number of bits that a shift in a pattern may make.
const MAX_SHIFT: u32 = 1 << 24;

impl Parser<'_> {
    /// The pattern that an expression denotes; anything else is reported and never matches.
    pub(super) fn pattern_of(&mut self, expr: Expr) -> Pattern {
        with_stack(|| self.convert(expr))
    }

    fn convert(&mut self, expr: Expr) -> Pattern {
        let loc = expr.loc;
        if matches!(expr.kind, ExprKind::Unary(..))
            || matches!(&expr.kind, ExprKind::Binop(op, _) if *op != BinaryOp::Append)
        {
            return self.constant(expr);
        }
        let kind = match expr.into_kind() {
            ExprKind::Var(Atom::WILDCARD) => PatternKind::Wildcard,
            ExprKind::Var(name) => PatternKind::Var(name),
            ExprKind::Atom(atom) => PatternKind::Atom(atom),
            ExprKind::Integer(value) => PatternKind::Integer(value),
            ExprKind::BigInteger(value) => PatternKind::BigInteger(value),
            ExprKind::Float(value) => PatternKind::Float(value),
            ExprKind::Char(c) => PatternKind::Char(c),
            ExprKind::String(text) => PatternKind::String(text),
            ExprKind::Nil => PatternKind::Nil,
            ExprKind::List(List { items, tail, end }) => {
                let items = items.into_iter().map(|item| self.pattern_of(item)).collect();
                let tail = tail.map(|tail| Box::new(self.pattern_of(*tail)));
                PatternKind::List(List { items, tail, end })
            }
            ExprKind::Tuple(items) => PatternKind::Tuple(items.into_iter().map(|item| self.pattern_of(item)).collect()),
            ExprKind::Map(fields) => {
                PatternKind::Map(fields.into_iter().map(|field| self.map_field_pattern(field)).collect())
            }
            ExprKind::Record(record) => {
                let fields = record.fields.into_iter().map(|field| RecordField {
                    name: field.name,
                    is_wildcard: field.is_wildcard,
                    value: self.pattern_of(field.value),
                });
                let fields = fields.collect();
                PatternKind::Record(Box::new(RecordPattern {
                    name: record.name,
                    fields,
                }))
            }
            ExprKind::RecordIndex(index) => PatternKind::RecordIndex(index),
            ExprKind::Binary(segments) => PatternKind::Binary(
                segments
                    .into_iter()
                    .map(|segment| self.segment_pattern(segment))
                    .collect(),
            ),
            ExprKind::Match(matching) => {
                let MatchExpr { pattern, value } = *matching;
                PatternKind::Match(Box::new([pattern, self.pattern_of(value)]))
            }
            ExprKind::Binop(BinaryOp::Append, operands) => {
                let [prefix, tail] = *operands;
                if !is_prefix(&prefix) {
                    self.report(loc, "illegal pattern");
                }
                PatternKind::Append(Box::new([self.pattern_of(prefix), self.pattern_of(tail)]))
            }
            other => {
                self.report(loc, "illegal pattern");
                never(Expr::new(loc, other))
            }
        };
        Pattern::new(loc, kind)
    }

    fn map_field_pattern(&mut self, field: MapField) -> MapFieldPattern {
        if field.op == MapOp::Assoc {
            self.report(field.loc, "illegal pattern, did you mean to use `:=`?");
        }
        MapFieldPattern {
            loc: field.loc,
            key: field.key,
            value: self.pattern_of(field.value),
        }
    }

    fn segment_pattern(&mut self, segment: Segment<Expr>) -> Segment<Pattern> {
        let Segment {
            loc,
            value,
            size,
            spec,
            written,
        } = segment;
        let is_utf = matches!(spec.ty, SegmentType::Utf8 | SegmentType::Utf16 | SegmentType::Utf32);
        if matches!(value.kind, ExprKind::String(_)) && (size.is_some() || !(written.is_empty() || is_utf)) {
            self.report(
                loc,
                "a literal string in a binary pattern must not have a type or a size",
            );
        }
        let value = self.pattern_of(value);
        let simple = !matches!(
            value.kind,
            PatternKind::Binary(_)
                | PatternKind::Map(_)
                | PatternKind::Record(_)
                | PatternKind::RecordIndex(_)
                | PatternKind::Match(_)
                | PatternKind::Append(_)
        );
        if !simple {
            self.report(value.loc, "illegal pattern");
        }
        Segment {
            loc,
            value,
            size,
            spec,
            written,
        }
    }

    fn constant(&mut self, expr: Expr) -> Pattern {
        let loc = expr.loc;
        if !is_constant(&expr) {
            self.report(loc, "illegal pattern");
            return Pattern::new(loc, never(expr));
        }
        let value = fold_constant(&expr);
        Pattern::new(loc, PatternKind::Const(Box::new(ConstPattern { expr, value })))
    }
}

/// What is no pattern: a parse transform can make one of it.
fn never(expr: Expr) -> PatternKind {
    PatternKind::Const(Box::new(ConstPattern { expr, value: None }))
}

/// Whether it may precede `++` in a pattern.
fn is_prefix(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Nil | ExprKind::String(_) => true,
        ExprKind::List(list) => {
            list.tail.is_none()
                && list
                    .items
                    .iter()
                    .all(|item| matches!(item.kind, ExprKind::Char(_) | ExprKind::Integer(_)))
        }
        _ => false,
    }
}

/// The value of arithmetic over number literals, if it has one.
pub(crate) fn fold_constant(expr: &Expr) -> Option<ExprKind> {
    evaluate(expr).map(PatternNumber::into_kind)
}

/// Arithmetic operators over literals only: `erl_lint:is_pattern_expr/1`.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    with_stack(|| match &expr.kind {
        ExprKind::Char(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Atom(_)
        | ExprKind::String(_)
        | ExprKind::Nil => true,
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        ExprKind::List(list) => list.items.iter().all(is_constant) && list.tail.as_deref().is_none_or(is_constant),
        ExprKind::Unary(op, operand) => *op != UnaryOp::Not && is_constant(operand),
        ExprKind::Binop(op, operands) => is_arithmetic(*op) && operands.iter().all(is_constant),
        _ => false,
    })
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Sub | Mul | Slash | Div | Rem | Band | Bor | Bxor | Bsl | Bsr)
}

enum PatternNumber {
    Integer(BigInt),
    Float(f64),
}

impl PatternNumber {
    fn into_kind(self) -> ExprKind {
        match self {
            PatternNumber::Integer(value) => match value.to_i64() {
                Some(value) => ExprKind::Integer(value),
                None => ExprKind::BigInteger(Box::new(value)),
            },
            PatternNumber::Float(value) => ExprKind::Float(value),
        }
    }

    fn as_float(&self) -> Option<f64> {
        let value = match self {
            PatternNumber::Integer(value) => value.to_f64()?,
            PatternNumber::Float(value) => *value,
        };
        value.is_finite().then_some(value)
    }
}

fn evaluate(expr: &Expr) -> Option<PatternNumber> {
    with_stack(|| match &expr.kind {
        ExprKind::Char(c) => Some(PatternNumber::Integer(BigInt::from(*c as u32))),
        ExprKind::Integer(value) => Some(PatternNumber::Integer(BigInt::from(*value))),
        ExprKind::BigInteger(value) => Some(PatternNumber::Integer((**value).clone())),
        ExprKind::Float(value) => Some(PatternNumber::Float(*value)),
        ExprKind::Unary(op, operand) => match (op, evaluate(operand)?) {
            (UnaryOp::Plus, value) => Some(value),
            (UnaryOp::Minus, PatternNumber::Integer(value)) => Some(PatternNumber::Integer(-value)),
            (UnaryOp::Minus, PatternNumber::Float(value)) => Some(PatternNumber::Float(-value)),
            (UnaryOp::Bnot, PatternNumber::Integer(value)) => Some(PatternNumber::Integer(!value)),
            (UnaryOp::Bnot | UnaryOp::Not, _) => None,
        },
        ExprKind::Binop(op, operands) => apply(*op, &evaluate(&operands[0])?, &evaluate(&operands[1])?),
        _ => None,
    })
}

fn apply(op: BinaryOp, left: &PatternNumber, right: &PatternNumber) -> Option<PatternNumber> {
    use BinaryOp::*;
    if let (PatternNumber::Integer(a), PatternNumber::Integer(b), true) = (left, right, op != Slash) {
        let value = match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            // Both truncate towards zero, as Erlang's do.
            Div if !b.is_zero() => a / b,
            Rem if !b.is_zero() => a % b,
            Band => a & b,
            Bor => a | b,
            Bxor => a ^ b,
            Bsl => shift(a, b)?,
            Bsr => shift(a, &-b)?,
            _ => return None,
        };
        return Some(PatternNumber::Integer(value));
    }
    let (a, b) = (left.as_float()?, right.as_float()?);
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Slash if b != 0.0 => a / b,
        _ => return None,
    };
    value.is_finite().then_some(PatternNumber::Float(value))
}

fn shift(value: &BigInt, by: &BigInt) -> Option<BigInt> {
    let distance = by.abs().to_u32();
    if by.is_negative() {
        return Some(match distance {
            Some(distance) => value >> distance,
            None if value.is_negative() => BigInt::from(-1),
            None => BigInt::zero(),
        });
    }
    distance
        .filter(|distance| *distance <= MAX_SHIFT)
        .map(|distance| value << distance)
}
