//! Guards: which expressions are allowed.

use super::{Linter, shown};
use crate::ast::*;
use crate::atom::Atom;
use crate::builtin::{is_guard_bif, old_type_test};
use crate::stack::with_stack;

/// Whether the expression may be a guard test. A comprehension's filter that is one fails silently; any other has to return a boolean.
/// `overridden` tells whether the module defines or imports a function of that name.
pub fn is_guard_test(expr: &Expr, overridden: &dyn Fn(FunId) -> bool) -> bool {
    if let ExprKind::Call(call) = &expr.kind
        && let Callee::Local(name) = call.callee
    {
        let id = FunId {
            name: name.atom,
            arity: call.args.len() as u32,
        };
        if old_type_test(id).is_some() {
            return !overridden(id) && call.args.iter().all(|arg| is_guard_expr(arg, overridden));
        }
    }
    is_guard_expr(expr, overridden)
}

fn is_guard_expr(expr: &Expr, overridden: &dyn Fn(FunId) -> bool) -> bool {
    let check = |expr: &Expr| is_guard_expr(expr, overridden);
    let all = |exprs: &[Expr]| exprs.iter().all(check);
    let fields = |fields: &[MapField]| fields.iter().all(|field| check(&field.key) && check(&field.value));
    with_stack(|| match &expr.kind {
        ExprKind::Var(_)
        | ExprKind::Atom(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Nil
        | ExprKind::RecordIndex(_) => true,
        ExprKind::List(list) => all(&list.items) && list.tail.as_deref().is_none_or(check),
        ExprKind::Tuple(items) => all(items),
        ExprKind::Map(list) => fields(list),
        ExprKind::MapUpdate(map, list) => check(map) && fields(list),
        ExprKind::RecordAccess(access) => check(&access.record),
        ExprKind::Record(record) => record.fields.iter().all(|field| check(&field.value)),
        ExprKind::Binary(segments) => segments
            .iter()
            .all(|segment| check(&segment.value) && segment.size.as_deref().is_none_or(check)),
        ExprKind::Call(call) => {
            let arity = call.args.len() as u32;
            let allowed = match &call.callee {
                Callee::Local(name) => {
                    let id = FunId { name: name.atom, arity };
                    is_guard_bif(id) && !overridden(id)
                }
                Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                    (ExprKind::Atom(Atom::ERLANG), ExprKind::Atom(name)) => is_erlang_guard(*name, arity),
                    _ => false,
                },
                Callee::Dynamic(_) => false,
            };
            allowed && all(&call.args)
        }
        ExprKind::Unary(_, operand) => check(operand),
        ExprKind::Binop(op, operands) => op.in_guards() && all(&operands[..]),
        ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => all(&operands[..]),
        _ => false,
    })
}

/// Whether it is a guard BIF or operator that can be called as `erlang:name(…)`.
fn is_erlang_guard(name: Atom, arity: u32) -> bool {
    let operator = match arity {
        1 => UnaryOp::named(name.as_str()).is_some(),
        2 => BinaryOp::named(name.as_str()).is_some_and(BinaryOp::in_guards),
        _ => false,
    };
    operator || is_guard_bif(FunId { name, arity })
}

impl<'a> Linter<'a> {
    pub(super) fn guard(&mut self, guard: &'a Guard) {
        for test in guard.iter().flatten() {
            self.guard_test(test);
        }
    }

    fn guard_test(&mut self, test: &'a Expr) {
        if let ExprKind::Call(call) = &test.kind
            && let Callee::Local(name) = call.callee
            && let id = (FunId {
                name: name.atom,
                arity: call.args.len() as u32,
            })
            && let Some(new) = old_type_test(id)
        {
            call.args.iter().for_each(|arg| self.guard_expr(arg));
            if self.locals.contains(&id) || self.imports.contains_key(&id) {
                self.illegal_call(test.loc, id);
            } else if id.name != Atom::FLOAT {
                self.warn(test.loc, format!("{}/{1} obsolete (use {new}/{1})", id.name, id.arity));
            }
            return;
        }
        self.guard_expr(test);
    }

    /// Whether the module defines a function of this name, or imports one other than the one that a guard calls.
    fn is_overridden(&self, id: FunId) -> bool {
        self.locals.contains(&id) || self.imports.get(&id).is_some_and(|module| *module != Atom::ERLANG)
    }

    fn illegal_call(&mut self, loc: Loc, id: FunId) {
        let hint = "compute the value before, and test the result in the guard";
        self.hinted_error(
            loc,
            format!("call to local/imported function {} is illegal in guard", shown(id)),
            hint,
        );
    }

    pub(super) fn guard_expr(&mut self, expr: &'a Expr) {
        with_stack(|| self.guard_expr_here(expr));
    }

    fn guard_exprs(&mut self, exprs: &'a [Expr]) {
        exprs.iter().for_each(|expr| self.guard_expr(expr));
    }

    fn guard_fields(&mut self, fields: &'a [MapField]) {
        for field in fields {
            self.guard_expr(&field.key);
            self.guard_expr(&field.value);
        }
    }

    fn guard_expr_here(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::Var(name) => self.use_var(*name, expr.loc),
            ExprKind::List(list) => {
                self.guard_exprs(&list.items);
                list.tail.iter().for_each(|tail| self.guard_expr(tail));
            }
            ExprKind::Tuple(items) => self.guard_exprs(items),
            ExprKind::Map(fields) => {
                self.check_construction(fields);
                self.guard_fields(fields);
            }
            ExprKind::MapUpdate(map, fields) => {
                self.guard_expr(map);
                self.guard_fields(fields);
            }
            ExprKind::RecordIndex(index) => {
                if self.record(expr.loc, index.name) {
                    self.field(index.name, index.field);
                }
            }
            ExprKind::RecordAccess(access) => {
                self.guard_expr(&access.record);
                if self.record(expr.loc, access.name) {
                    self.field(access.name, access.field);
                }
            }
            ExprKind::Record(record) => self.guard_record(expr.loc, record),
            ExprKind::Binary(segments) => {
                for segment in segments {
                    self.guard_expr(&segment.value);
                    segment.size.iter().for_each(|size| self.guard_expr(size));
                }
            }
            ExprKind::Call(call) => self.guard_call(expr.loc, call),
            ExprKind::Unary(_, operand) => self.guard_expr(operand),
            ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => self.guard_exprs(&operands[..]),
            ExprKind::Binop(op, operands) => {
                self.guard_exprs(&operands[..]);
                if !op.in_guards() {
                    self.error(expr.loc, "illegal guard expression");
                }
            }
            _ => self.error(expr.loc, "illegal guard expression"),
        }
    }

    fn guard_record(&mut self, loc: Loc, record: &'a RecordExpr) {
        if !self.record(loc, record.name) {
            return;
        }
        self.field_names(record.name, &record.fields);
        record.fields.iter().for_each(|field| self.guard_expr(&field.value));
        let def = self.records[&record.name].def;
        let has_wildcard = record.fields.iter().any(|field| field.is_wildcard);
        let is_set = |field: &RecordFieldDef| record.fields.iter().any(|set| set.name.atom == field.name);
        let omitted = def.fields.iter().filter(|field| !has_wildcard && !is_set(field));
        let overridden = |id: FunId| self.is_overridden(id);
        let bad = omitted
            .filter_map(|field| field.default.as_ref())
            .any(|default| !is_guard_expr(default, &overridden));
        if bad {
            self.error(loc, "illegal guard expression");
        }
    }

    fn guard_call(&mut self, loc: Loc, call: &'a Call) {
        self.guard_exprs(&call.args);
        let arity = call.args.len() as u32;
        let id = match &call.callee {
            Callee::Local(name) => FunId { name: name.atom, arity },
            Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                (ExprKind::Atom(Atom::ERLANG), ExprKind::Atom(name)) if is_erlang_guard(*name, arity) => {
                    FunId { name: *name, arity }
                }
                _ => return self.error(loc, "illegal guard expression"),
            },
            Callee::Dynamic(_) => return self.error(loc, "illegal guard expression"),
        };
        if id.name.as_str() == "is_record" {
            return self.guard_is_record(loc, call);
        }
        if let Callee::Remote { .. } = call.callee {
            return;
        }
        let overridden = self.is_overridden(id);
        match (is_guard_bif(id), overridden) {
            (true, false) => {}
            (true, true) if !self.is_auto_imported(id) => self.illegal_call(loc, id),
            (_, true) => self.illegal_call(loc, id),
            (false, false) => self.error(loc, "illegal guard expression"),
        }
    }

    fn guard_is_record(&mut self, loc: Loc, call: &'a Call) {
        let arg = |index: usize| call.args.get(index).map(|arg| (&arg.kind, arg.loc));
        match (arg(1), arg(2), call.args.len()) {
            (Some((ExprKind::Atom(name), place)), _, 2) => {
                self.record(place, *name);
            }
            (Some((ExprKind::Atom(_), _)), Some((ExprKind::Integer(_), _)), 3) => {}
            _ => self.error(loc, "illegal guard expression"),
        }
    }
}
