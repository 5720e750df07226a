//! Functions that never return: they fail, or run for ever. OTP's compiler finds them by the types of their results, and makes every call of
//! one a tail call, so that the caller is not in stack traces. We keep the frame for the debugger, and leave it out of traces.
//!
//! We find those that follow from the shape of the code. OTP finds more if types show that a pattern can never match or a library function can
//! never succeed (docs/limitations.md).

use rustc_hash::FxHashMap;

use super::names::is_merged;
use crate::atom::Atom;
use syntax::ast::*;
use syntax::stack::with_stack;

/// For each function of the module, by index: does it never return? The largest such set, as in OTP: functions that only call each other do not
/// return.
pub fn never_return(module: &Module, local: &FxHashMap<(Atom, u32), u32>) -> Vec<bool> {
    let mut never = vec![true; module.functions.len()];
    loop {
        let mut changed = false;
        for (index, function) in module.functions.iter().enumerate() {
            if never[index] {
                let judge = Judge {
                    local,
                    never: &never,
                    own: None,
                };
                if !function.clauses.iter().all(|c| judge.body(&c.body)) {
                    never[index] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return never;
        }
    }
}

/// Does a fun that calls itself by this name never return?
pub fn fun_never_returns(
    name: Atom,
    clauses: &[FunClause],
    local: &FxHashMap<(Atom, u32), u32>,
    never: &[bool],
) -> bool {
    let own = clauses.first().map(|c| (name, c.params.len()));
    let judge = Judge { local, never, own };
    clauses.iter().all(|c| judge.body(&c.body))
}

struct Judge<'j> {
    local: &'j FxHashMap<(Atom, u32), u32>,
    never: &'j [bool],
    /// The named fun that is judged, and its arguments: taken for one that never returns, like functions.
    own: Option<(Atom, usize)>,
}

impl Judge<'_> {
    fn body(&self, exprs: &[Expr]) -> bool {
        exprs.iter().any(|e| self.expr(e))
    }

    fn clauses(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|c| self.body(&c.body))
    }

    fn fields(&self, fields: &[MapField]) -> bool {
        fields.iter().any(|f| self.expr(&f.key) || self.expr(&f.value))
    }

    /// Does its evaluation never return a value?
    fn expr(&self, e: &Expr) -> bool {
        with_stack(|| self.expr_kind(e))
    }

    fn expr_kind(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call(call) => self.call(call),
            ExprKind::Block(exprs) | ExprKind::Tuple(exprs) => self.body(exprs),
            ExprKind::List(list) => list.items.iter().chain(list.tail.as_deref()).any(|e| self.expr(e)),
            ExprKind::Map(fields) => self.fields(fields),
            ExprKind::MapUpdate(map, fields) => self.expr(map) || self.fields(fields),
            ExprKind::Record(record) => record.fields.iter().any(|f| self.expr(&f.value)),
            ExprKind::RecordUpdate(update) => {
                self.expr(&update.record) || update.fields.iter().any(|f| self.expr(&f.value))
            }
            ExprKind::RecordAccess(access) => self.expr(&access.record),
            ExprKind::Binary(segments) => segments
                .iter()
                .any(|s| self.expr(&s.value) || s.size.as_ref().is_some_and(|size| self.expr(size))),
            ExprKind::Match(m) => self.expr(&m.value),
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binop(_, operands) => self.body(&operands[..]),
            ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => self.expr(&operands[0]),
            ExprKind::If(clauses) => clauses.iter().all(|c| self.body(&c.body)),
            ExprKind::Case(subject, clauses) => self.expr(subject) || self.clauses(clauses),
            ExprKind::Receive(receive) => {
                let forever = |timeout: &Expr| matches!(timeout.kind, ExprKind::Atom(a) if a.as_str() == "infinity");
                self.clauses(&receive.clauses)
                    && receive
                        .after
                        .as_ref()
                        .is_none_or(|(timeout, body)| forever(timeout) || self.expr(timeout) || self.body(body))
            }
            ExprKind::Try(parts) => {
                let normally = self.body(&parts.body) || !parts.of.is_empty() && self.clauses(&parts.of);
                normally && parts.catch.iter().all(|c| self.body(&c.body)) || self.body(&parts.after)
            }
            ExprKind::ListComp(c) | ExprKind::BinaryComp(c) => self.qualifier(&c.qualifiers),
            ExprKind::MapComp(c) => self.qualifier(&c.qualifiers),
            _ => false,
        }
    }

    /// Expressions of a qualifier that are always evaluated.
    fn qualifier(&self, qs: &[Qualifier]) -> bool {
        qs.first().is_some_and(|q| q.inputs().any(|e| self.expr(e)))
    }

    fn call(&self, call: &Call) -> bool {
        let count = call.args.len() as u32;
        let raises = |f: Atom| matches!((f, count), (Atom::ERROR, 1 | 2) | (Atom::EXIT_LOWER | Atom::THROW, 1));
        self.body(&call.args)
            || match &call.callee {
                Callee::Local(name) => match self.local.get(&(name.atom, count)) {
                    Some(&index) => self.never.get(index as usize).copied().unwrap_or(false),
                    None => raises(name.atom),
                },
                Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                    (ExprKind::Atom(m), ExprKind::Atom(f)) => *m == Atom::ERLANG && raises(*f),
                    _ => self.expr(module) || self.expr(function),
                },
                Callee::Dynamic(fun) => match &fun.kind {
                    ExprKind::Fun(clauses) if is_merged(clauses, &call.args) => {
                        clauses.iter().all(|c| self.body(&c.body))
                    }
                    ExprKind::Fun(clauses) => clauses.first().is_some_and(|c| c.params.len() != call.args.len()),
                    ExprKind::Var(name) => self.own == Some((*name, call.args.len())),
                    _ => self.expr(fun),
                },
            }
    }
}
