//! Expressions: values, operators, construction, records.

use super::names::{fun_key, is_merged};
use super::scope::Walker;
use super::{Bound, Compiler, Dest};
use crate::atom::Atom;
use crate::heap::TermView;
use crate::term::Term;
use crate::vm::instr::{FailKind, Instr, Reg, TypeTest};
use syntax::ast::*;
use syntax::stack::with_stack;
use syntax::walk::{Node, children};

mod construct;
mod operator;
mod record;

/// Lists longer than this are built in pieces, so that they need few registers.
const LIST_CHUNK: usize = 100;

impl<'a> Compiler<'a> {
    /// Expressions in sequence; the value is that of the last.
    pub(super) fn body(&mut self, exprs: &'a [Expr], dst: Dest) {
        let Some((last, before)) = exprs.split_last() else {
            return;
        };
        // `X = f(), X` is a call in tail position, as in OTP.
        if let (Dest::Tail, ExprKind::Var(name), Some((bound, earlier))) = (dst, &last.kind, before.split_last())
            && let ExprKind::Match(m) = &bound.kind
            && matches!(m.pattern.kind, PatternKind::Var(n) if n == *name)
            && self.var(*name).is_none()
            && !binds(&m.value, *name)
        {
            for (at, e) in earlier.iter().enumerate() {
                self.merge_fun(&exprs[at..], dst);
                self.counted(e, Dest::Effect);
            }
            self.mark(last.loc);
            self.f.b.at(bound.loc);
            self.mark(bound.loc);
            self.statement(&m.value, Dest::Tail);
            return;
        }
        for (at, e) in before.iter().enumerate() {
            self.merge_fun(&exprs[at..], dst);
            self.counted(e, Dest::Effect);
        }
        self.counted(last, dst);
    }

    /// An expression of a body: its executions are counted where that is wanted.
    fn counted(&mut self, e: &'a Expr, dst: Dest) {
        self.mark(e.loc);
        self.statement(e, dst);
    }

    pub(super) fn mark(&mut self, loc: Loc) {
        if self.counts_lines && loc.line > 0 && loc.file == 0 {
            self.f.b.at(loc);
            self.f.b.emit(Instr::Mark {
                number: self.unit.marks.len() as u32,
            });
            self.unit.marks.push(loc.line);
        }
    }

    /// `F = fun … end, F(X)`, where F is used once: OTP merges the fun into the function, which stack traces show.
    fn merge_fun(&mut self, exprs: &'a [Expr], dst: Dest) {
        let [first, call, rest @ ..] = exprs else { return };
        let ExprKind::Match(m) = &first.kind else { return };
        let (PatternKind::Var(name), ExprKind::Fun(clauses)) = (&m.pattern.kind, &m.value.kind) else {
            return;
        };
        let is_last = dst == Dest::Tail && rest.is_empty();
        let (call, is_last) = match &call.kind {
            ExprKind::Match(m) if matches!(m.pattern.kind, PatternKind::Var(_) | PatternKind::Wildcard) => {
                (&m.value, false)
            }
            _ => (call, is_last),
        };
        let ExprKind::Call(call) = &call.kind else { return };
        let Callee::Dynamic(callee) = &call.callee else { return };
        if matches!(callee.kind, ExprKind::Var(n) if n == *name)
            && self.var(*name).is_none()
            && is_merged(clauses, &call.args)
        {
            let mut walker = Walker::new(0, &self.free);
            call.args.iter().for_each(|arg| walker.expr(arg));
            walker.exprs(rest);
            if !walker.has(*name) {
                self.f.merge_next = Some(fun_key(clauses));
                self.f.merge_last = is_last;
                self.f.merged_var = Some(*name);
            }
        }
    }

    fn statement(&mut self, e: &'a Expr, dst: Dest) {
        self.f.b.at(e.loc);
        let mark = self.f.next;
        self.expr(e, dst);
        self.f.next = mark;
    }

    /// Moves the value in `reg` to `dst`.
    pub(super) fn give(&mut self, dst: Dest, reg: Reg) {
        match dst {
            Dest::To(d) => {
                self.touch(d);
                self.f.b.mov(d, reg);
            }
            Dest::Tail => self.f.b.return_value(reg),
            Dest::Effect => {}
        }
    }

    /// The register to which an instruction should write for `dst`; to be followed by [`Compiler::done`].
    pub(super) fn target(&mut self, dst: Dest) -> Reg {
        let reg = match dst {
            Dest::To(d) => d,
            _ => self.f.next,
        };
        self.touch(reg);
        reg
    }

    pub(super) fn done(&mut self, dst: Dest, reg: Reg) {
        if dst == Dest::Tail {
            self.f.b.return_value(reg);
        }
    }

    /// A register with the value: that of a variable, or a new temporary.
    pub(super) fn operand(&mut self, e: &'a Expr) -> Reg {
        if let ExprKind::Var(name) = e.kind
            && let Some(reg) = self.var(name)
        {
            return reg;
        }
        let reg = self.f.next;
        self.touch(reg);
        self.expr(e, Dest::To(reg));
        self.f.next = reg + 1;
        if self.f.next >= super::REGISTER_LIMIT {
            self.f.next = super::REGISTER_LIMIT;
        }
        reg
    }

    pub(super) fn operands(&mut self, exprs: &'a [Expr]) -> Vec<Reg> {
        exprs.iter().map(|e| self.operand(e)).collect()
    }

    /// An expression.
    pub(super) fn expr(&mut self, e: &'a Expr, dst: Dest) {
        self.f
            .within
            .extend(is_beside(e).map(|beside| (beside, self.f.log.len())));
        let depth = self.f.within.len();
        with_stack(|| self.expr_kind(e, dst));
        self.f.within.truncate(depth - usize::from(is_beside(e).is_some()));
    }

    /// Whether the variable is bound by an expression parallel to the current one. A fun or comprehension does not see it.
    pub(super) fn is_bound_beside(&self, name: Atom) -> bool {
        let behind = self
            .f
            .within
            .iter()
            .skip(1)
            .map(|(_, from)| *from)
            .chain([self.f.log.len()]);
        let mut ranges = self
            .f
            .within
            .iter()
            .zip(behind)
            .filter(|((beside, from), to)| *beside && from < to);
        ranges.any(|((_, from), to)| self.f.log[*from..to].contains(&name))
    }

    fn load_to(&mut self, dst: Dest, term: Term) {
        if dst == Dest::Effect {
            return;
        }
        let d = self.target(dst);
        self.load(d, term);
        self.done(dst, d);
    }

    fn expr_kind(&mut self, e: &'a Expr, dst: Dest) {
        let mark = self.f.next;
        if let Some(term) = self.literal(e) {
            self.load_to(dst, term);
            return;
        }
        match &e.kind {
            ExprKind::Var(name) => match self.var(*name) {
                Some(reg) => self.give(dst, reg),
                None => self.refuse(e.loc, format!("variable '{name}' is unbound")),
            },
            // A term that is not used is not constructed; its parts are evaluated.
            ExprKind::List(list) if dst == Dest::Effect => {
                list.items
                    .iter()
                    .chain(list.tail.as_deref())
                    .for_each(|e| self.statement(e, dst));
            }
            ExprKind::Tuple(items) if dst == Dest::Effect => items.iter().for_each(|e| self.statement(e, dst)),
            ExprKind::List(list) => self.list(list, dst),
            ExprKind::Tuple(items) => {
                let regs = self.operands(items);
                self.tuple(&regs, dst);
            }
            ExprKind::Map(fields) => self.map(fields, dst),
            // A map that was just made is always valid: OTP drops the update, although a key may be missing.
            ExprKind::MapUpdate(map, fields) if dst == Dest::Effect && makes_map(map) => {
                self.statement(map, dst);
                for field in fields {
                    self.statement(&field.key, dst);
                    self.statement(&field.value, dst);
                }
            }
            ExprKind::MapUpdate(map, fields) => self.map_update(e, map, fields, dst),
            ExprKind::Record(r) => self.record(r, e.loc, dst),
            ExprKind::RecordUpdate(r) => self.record_update(r, e.loc, dst),
            ExprKind::RecordAccess(r) => {
                let Some(index) = self.field_index(
                    &RecordIndex {
                        name: r.name,
                        field: r.field,
                    },
                    e.loc,
                ) else {
                    return;
                };
                let src = self.operand(&r.record);
                let loc = first_loc(&r.record);
                self.f.b.at(loc);
                self.check_record(src, r.name, loc);
                let d = self.target(dst);
                self.f.b.element(d, src, index as u16 - 1);
                self.done(dst, d);
            }
            ExprKind::RecordIndex(r) => {
                if let Some(index) = self.field_index(r, e.loc) {
                    self.load_to(dst, Term::small(index as i64));
                }
            }
            ExprKind::Binary(segments) => self.binary(segments, e.loc, dst),
            ExprKind::ListComp(c) => self.list_comprehension(e, c, dst),
            ExprKind::BinaryComp(c) => self.binary_comprehension(e, c, dst),
            ExprKind::MapComp(c) => self.map_comprehension(e, c, dst),
            ExprKind::Match(m) => self.match_expr(e.loc, &m.pattern, &m.value, dst),
            ExprKind::Unary(op, operand) => self.unary(e, *op, operand, dst),
            ExprKind::Binop(op, operands) => self.binop(e, *op, operands, dst),
            ExprKind::AndAlso(operands) => self.short_circuit(e, operands, true, dst),
            ExprKind::OrElse(operands) => self.short_circuit(e, operands, false, dst),
            ExprKind::Call(call) => self.call(e, call, dst),
            ExprKind::Fun(clauses) => self.fun(e.loc, clauses, None, dst),
            ExprKind::NamedFun(name, clauses) => self.fun(e.loc, clauses, Some(*name), dst),
            ExprKind::FunLocal(id) => self.fun_local(e.loc, *id, dst),
            // The lint has refused it.
            ExprKind::Remote(_) => self.refuse(e.loc, "illegal expression"),
            ExprKind::FunRemote(parts) => {
                let regs = self.operands(parts.as_slice());
                self.f.b.at(e.loc);
                self.native_or_call(Atom::ERLANG, Atom::new("make_fun"), &regs, dst);
            }
            ExprKind::Block(body) => self.body(body, dst),
            ExprKind::If(clauses) => self.if_expr(e.loc, clauses, dst),
            ExprKind::Case(value, clauses) => self.case(e.loc, value, clauses, dst),
            ExprKind::Receive(r) => self.receive(e.loc, r, dst),
            ExprKind::Try(t) => self.try_expr(e.loc, t, dst),
            ExprKind::Catch(body) => self.catch(body, dst),
            ExprKind::Maybe(m) => self.maybe(m, dst),
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil => unreachable!("constants are literals"),
        }
        self.f.next = mark;
    }

    // ---- construction --------------------------------------------------------------------------------------------

    // ---- records -------------------------------------------------------------------------------------------------

    // ---- matching ------------------------------------------------------------------------------------------------

    fn match_expr(&mut self, loc: Loc, pattern: &'a Pattern, value: &'a Expr, dst: Dest) {
        match pattern.kind {
            PatternKind::Wildcard => return self.expr(value, dst),
            // `X = X = self()`: the value binds it, and is then compared with it.
            PatternKind::Var(name) if self.var(name).is_none() && !binds(value, name) => {
                let home = self.home(name);
                self.touch(home);
                self.expr(value, Dest::To(home));
                self.bind(name, home);
                let known = match value.kind {
                    ExprKind::Var(other) => Some(match self.f.known.get(&other) {
                        Some(&known @ (Bound::Constant(_) | Bound::Same(_))) => known,
                        Some(Bound::Float) | None => Bound::Same(other),
                    }),
                    _ => {
                        let literal = self.literal(value).map(Bound::Constant);
                        literal.or_else(|| self.is_float(value).then_some(Bound::Float))
                    }
                };
                if let Some(known) = known {
                    self.f.known.insert(name, known);
                }
                return self.give(dst, home);
            }
            _ => {}
        }
        let src = self.operand(value);
        self.f.b.at(loc);
        let fail = self.fail_stub(FailKind::Badmatch, src, loc);
        self.pattern(pattern, src, fail);
        self.give(dst, src);
    }

    // ---- operators -----------------------------------------------------------------------------------------------

    /// Jumps unless the register holds this constant.
    pub(super) fn not_constant(&mut self, src: Reg, term: Term, fail: super::Label) {
        let b = &mut self.f.b;
        if term.is_nil() {
            return b.branch(Instr::NotNil { src, to: 0 }, fail);
        }
        if let Some(Ok(value)) = term.as_small().map(i16::try_from) {
            return b.branch(Instr::NotSmall { src, value, to: 0 }, fail);
        }
        if let Some(Ok(atom)) = term.as_atom().map(|a| u16::try_from(a.index())) {
            return b.branch(Instr::NotAtom { src, atom, to: 0 }, fail);
        }
        let t = self.f.next;
        self.load(t, term);
        self.f.b.branch(Instr::NotSame { a: src, b: t, to: 0 }, fail);
    }
}

/// The first position of an expression.
fn first_loc(e: &Expr) -> Loc {
    let mut first = e.loc;
    let mut work = vec![Node::Expr(e)];
    while let Some(node) = work.pop() {
        let loc = node.loc();
        if loc.line != 0 && (loc.line, loc.col) < (first.line, first.col) {
            first = loc;
        }
        children(node, &mut |child| work.push(child));
    }
    first
}

/// Is this variable bound in an expression? What a fun or a comprehension binds is its own.
fn binds(e: &Expr, name: Atom) -> bool {
    let mut work = vec![Node::Expr(e)];
    while let Some(node) = work.pop() {
        match node {
            Node::Pattern(Pattern {
                kind: PatternKind::Var(bound),
                ..
            }) if *bound == name => return true,
            Node::Expr(e) if is_beside(e).is_none() => {}
            _ => children(node, &mut |child| work.push(child)),
        }
    }
    false
}

/// Is its value always a map?
fn makes_map(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Map(_) | ExprKind::MapUpdate(..) => true,
        ExprKind::Block(body) => body.last().is_some_and(makes_map),
        _ => false,
    }
}

/// Whether the parts of an expression are evaluated in parallel, each with the variables bound before the whole. `None` for an expression
/// without parts here.
fn is_beside(e: &Expr) -> Option<bool> {
    use ExprKind as E;
    match &e.kind {
        E::List(_)
        | E::Tuple(_)
        | E::Map(_)
        | E::MapUpdate(..)
        | E::Record(_)
        | E::RecordUpdate(_)
        | E::Binary(_)
        | E::Binop(..)
        | E::Call(_)
        | E::FunRemote(_) => Some(true),
        E::Fun(_) | E::NamedFun(..) | E::ListComp(_) | E::BinaryComp(_) | E::MapComp(_) => None,
        _ => Some(false),
    }
}
