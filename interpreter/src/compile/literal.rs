//! Constant expressions, which become terms in the literal area.

use num_bigint::{BigInt, Sign};

use super::Compiler;
use crate::heap::Heap;
use crate::maps;
use crate::term::{BoxKind, Term};
use crate::vm::instr::{Instr, Reg};
use syntax::ast::*;
use syntax::stack::with_stack;

/// An integer of any size.
pub fn big(heap: &mut Heap, value: &BigInt) -> Term {
    let (sign, limbs) = value.to_u64_digits();
    heap.make_big(sign == Sign::Minus, &limbs)
}

/// A bitstring inside the heap, whatever its length (literals hold no shared binaries).
pub fn bitstring(heap: &mut Heap, bytes: &[u8], bits: usize) -> Term {
    let mut payload = vec![bits as u64];
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        payload.push(u64::from_ne_bytes(word));
    }
    heap.make_box(BoxKind::HeapBinary, &payload)
}

impl Compiler<'_> {
    /// The term of a constant expression.
    pub(super) fn literal(&mut self, e: &Expr) -> Option<Term> {
        let heap = &mut self.unit.heap;
        Some(match &e.kind {
            ExprKind::Atom(a) => Term::atom(*a),
            ExprKind::Integer(i) => heap.make_int(*i),
            ExprKind::BigInteger(b) => big(heap, b),
            ExprKind::Float(f) => heap.make_float(*f),
            ExprKind::Char(c) => Term::small(*c as i64),
            ExprKind::String(s) => heap.make_string(s),
            ExprKind::Nil => Term::NIL,
            ExprKind::RecordIndex(r) => Term::small(self.field_index(r, e.loc)? as i64),
            ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Map(_)
            | ExprKind::Unary(..)
            | ExprKind::Binop(..)
            | ExprKind::Binary(_)
            | ExprKind::FunRemote(_) => {
                let address = std::ptr::from_ref(e) as usize;
                if self.not_constant.contains_key(&address) {
                    return None;
                }
                let found = with_stack(|| self.composite(e));
                if found.is_none() {
                    self.not_constant.insert(address, ());
                }
                return found;
            }
            _ => return None,
        })
    }

    fn composite(&mut self, e: &Expr) -> Option<Term> {
        match &e.kind {
            ExprKind::List(list) => {
                let items = self.literals(&list.items)?;
                let tail = match &list.tail {
                    Some(tail) => self.literal(tail)?,
                    None => Term::NIL,
                };
                Some(self.unit.heap.make_list_with_tail(&items, tail))
            }
            ExprKind::Tuple(items) => {
                let items = self.literals(items)?;
                Some(self.unit.heap.make_tuple(&items))
            }
            ExprKind::Map(fields) => {
                let mut pairs = Vec::with_capacity(fields.len());
                for field in fields {
                    pairs.push((self.literal(&field.key)?, self.literal(&field.value)?));
                }
                Some(maps::of_expression(&mut self.unit.heap, &pairs))
            }
            ExprKind::Binary(segments) => self.constant_binary(segments),
            ExprKind::FunRemote(parts) => {
                let parts = self.literals(parts.as_slice())?;
                let arity = parts[2].as_small()?;
                if !parts[0].is_atom() || !parts[1].is_atom() || !(0..=255).contains(&arity) {
                    return None;
                }
                Some(
                    self.unit
                        .heap
                        .make_box(BoxKind::ExternalFun, &[parts[0].0, parts[1].0, parts[2].0]),
                )
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => match &operand.kind {
                ExprKind::Integer(i) => Some(match i.checked_neg() {
                    Some(i) => self.unit.heap.make_int(i),
                    None => big(&mut self.unit.heap, &-BigInt::from(*i)),
                }),
                ExprKind::BigInteger(b) => Some(big(&mut self.unit.heap, &-(**b).clone())),
                ExprKind::Float(f) => Some(self.unit.heap.make_float(-f)),
                ExprKind::Char(c) => Some(Term::small(-(*c as i64))),
                _ => self.literal(operand)?.as_small().map(|i| self.unit.heap.make_int(-i)),
            },
            ExprKind::Binop(op, operands) => {
                let a = self.literal(&operands[0])?.as_small()?;
                let b = self.literal(&operands[1])?.as_small()?;
                let value = match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    _ => None,
                };
                Some(self.unit.heap.make_int(value?))
            }
            _ => None,
        }
    }

    fn literals(&mut self, items: &[Expr]) -> Option<Vec<Term>> {
        let mut terms = Vec::with_capacity(items.len());
        for item in items {
            terms.push(self.literal(item)?);
        }
        Some(terms)
    }

    /// The term of a constant pattern without variables, if it is one.
    pub(super) fn constant_pattern(&mut self, p: &Pattern) -> Option<Term> {
        let heap = &mut self.unit.heap;
        Some(match &p.kind {
            PatternKind::Atom(a) => Term::atom(*a),
            PatternKind::Integer(i) => heap.make_int(*i),
            PatternKind::BigInteger(b) => big(heap, b),
            PatternKind::Float(f) => heap.make_float(*f),
            PatternKind::Char(c) => Term::small(*c as i64),
            PatternKind::String(s) => heap.make_string(s),
            PatternKind::Nil => Term::NIL,
            PatternKind::Const(c) => match c.value.as_ref()? {
                ExprKind::Integer(i) => heap.make_int(*i),
                ExprKind::BigInteger(b) => big(heap, b),
                ExprKind::Float(f) => heap.make_float(*f),
                _ => return None,
            },
            PatternKind::RecordIndex(r) => Term::small(self.field_index(r, p.loc)? as i64),
            _ => return None,
        })
    }

    /// Loads a constant into a register.
    pub(super) fn load(&mut self, dst: Reg, term: Term) {
        self.touch(dst);
        let instr = match term.as_small().map(i32::try_from) {
            Some(Ok(value)) => Instr::Small { dst, value },
            _ if term.is_nil() => Instr::Nil { dst },
            _ => match term.as_atom() {
                Some(atom) => Instr::Atom {
                    dst,
                    atom: atom.index(),
                },
                None => Instr::Const {
                    dst,
                    index: self.constant(term),
                },
            },
        };
        self.f.b.emit(instr);
    }
}
