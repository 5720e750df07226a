//! Values of attributes: any term, as a constant expression.

use super::error::{FormResult, FormsError, Inside};
use super::{FormReader, Id, Term};
use crate::ast::*;
use crate::atom::Atom;
use crate::parse::resolve_segment;

impl FormReader<'_> {
    /// The expression that stands for a term. All its parts have the attribute's place.
    pub(super) fn constant(&mut self, loc: Loc, id: Id) -> FormResult<Expr> {
        self.nested(|reader| Ok(Expr::new(loc, reader.constant_kind(loc, id)?)))
    }

    fn constant_kind(&mut self, loc: Loc, id: Id) -> FormResult<ExprKind> {
        let terms = self.terms;
        Ok(match terms.get(id) {
            Term::Atom(_) => ExprKind::Atom(self.atom(id, "an atom")?),
            Term::Integer(value) => ExprKind::Integer(*value),
            Term::Big(value) => ExprKind::BigInteger(value.clone()),
            Term::Float(value) => ExprKind::Float(*value),
            Term::Nil => ExprKind::Nil,
            Term::List(..) => {
                let (items, tail) = terms.list(id);
                if let Some(text) = self.printable(&items).filter(|_| tail.is_none()) {
                    return Ok(ExprKind::String(text.into()));
                }
                let length = items.len();
                let items = self.constants(loc, &items)?;
                let tail = match tail {
                    None => None,
                    Some(tail) => Some(Box::new(self.constant(loc, tail).inside(length + 1)?)),
                };
                ExprKind::List(List { items, tail, end: loc })
            }
            Term::Tuple(range) => ExprKind::Tuple(self.constants(loc, terms.slice(range))?),
            Term::Map(range) => {
                let mut parts = self.constants(loc, terms.slice(range))?.into_iter();
                let mut fields = Vec::with_capacity(parts.len() / 2);
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    let op = MapOp::Assoc;
                    fields.push(MapField { loc, op, key, value });
                }
                ExprKind::Map(fields)
            }
            Term::Bits(bytes, last) => ExprKind::Binary(bits(loc, bytes, *last)),
            Term::Fun(range) => {
                let Ok(parts) = <[Expr; 3]>::try_from(self.constants(loc, terms.slice(range))?) else {
                    return Err(self.illegal(id, "fun M:F/A"));
                };
                ExprKind::FunRemote(Box::new(parts))
            }
            Term::Other(_, bytes) if self.carries => carried(loc, bytes),
            Term::Other(what, _) => return Err(FormsError::unsupported(format!("{what} in an attribute"))),
        })
    }

    /// The same, of a term that stands for its value in an expression.
    pub(super) fn value(&mut self, loc: Loc, id: Id) -> FormResult<ExprKind> {
        let before = std::mem::replace(&mut self.carries, true);
        let value = self.constant(loc, id);
        self.carries = before;
        Ok(value?.into_kind())
    }

    fn constants(&mut self, loc: Loc, ids: &[Id]) -> FormResult<Vec<Expr>> {
        let read = |(index, id): (usize, &Id)| self.constant(loc, *id).inside(index + 1);
        ids.iter().enumerate().map(read).collect()
    }

    /// The text that a list stands for if all its elements are characters that can be seen.
    fn printable(&self, items: &[Id]) -> Option<String> {
        let character = |id: &Id| match self.terms.get(*id) {
            Term::Integer(code) => u32::try_from(*code).ok().and_then(char::from_u32).filter(|c| {
                !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{8}' | '\u{c}' | '\u{1b}')
            }),
            _ => None,
        };
        items.iter().map(character).collect()
    }
}

/// `erlang:binary_to_term(<<131, …>>)`: a process identifier, a reference or a fun is what it was in the run in which it was made.
fn carried(loc: Loc, bytes: &[u8]) -> ExprKind {
    let atom = |name: &str| Expr::new(loc, ExprKind::Atom(Atom::new(name)));
    let external: Vec<u8> = std::iter::once(131).chain(bytes.iter().copied()).collect();
    ExprKind::Call(Box::new(Call {
        callee: Callee::Remote {
            loc,
            module: atom("erlang"),
            function: atom("binary_to_term"),
        },
        args: vec![Expr::new(loc, ExprKind::Binary(bits(loc, &external, 8)))],
    }))
}

/// Whole bytes as one string, and an integer for the bits after them.
fn bits(loc: Loc, bytes: &[u8], last: u8) -> Vec<Segment<Expr>> {
    let (whole, rest) = match (bytes.split_last(), last) {
        (Some((rest, whole)), 1..8) => (whole, Some(rest >> (8 - last))),
        _ => (bytes, None),
    };
    let segment = |kind, size: Option<i64>| Segment {
        loc,
        value: Expr::new(loc, kind),
        size: size.map(|size| Box::new(Expr::new(loc, ExprKind::Integer(size)))),
        spec: resolve_segment(size.is_some(), &[]).0,
        written: Vec::<SpecItem>::new(),
    };
    let mut segments = Vec::new();
    if !whole.is_empty() {
        let text: String = whole.iter().map(|byte| char::from(*byte)).collect();
        segments.push(segment(ExprKind::String(text.into()), None));
    }
    if let Some(rest) = rest {
        segments.push(segment(ExprKind::Integer(i64::from(rest)), Some(i64::from(last))));
    }
    segments
}
