//! `if`, `case`, `receive`, `try`, `catch`, `maybe`.

use super::names::is_merged;
use super::scope::key;
use super::{Compiler, Dest, Label};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::{FailKind, Instr, Reg};
use syntax::ast::*;
use syntax::walk::{Node, children};

impl<'a> Compiler<'a> {
    pub(super) fn if_expr(&mut self, loc: Loc, clauses: &'a [IfClause], dst: Dest) {
        let end = self.f.b.label();
        let mut exported = Vec::new();
        let mut complete = false;
        for c in clauses {
            let next = self.f.b.label();
            let scope = self.open(key(&c.body));
            self.guard(&c.guard, next);
            self.body(&c.body, dst);
            self.end_alternative(dst, end);
            exported.push(self.close(scope));
            if !self.f.b.is_used(next) {
                complete = true;
                break;
            }
            self.f.b.place(next);
        }
        if !complete {
            self.f.b.at(loc);
            self.f.b.emit(Instr::Fail {
                kind: FailKind::IfClause,
                src: 0,
            });
        }
        self.f.b.place(end);
        self.export(exported);
    }

    /// Ends an alternative.
    fn end_alternative(&mut self, dst: Dest, end: Label) {
        if dst != Dest::Tail {
            self.f.b.jump(end);
        }
    }

    pub(super) fn case(&mut self, loc: Loc, value: &'a Expr, clauses: &'a [Clause], dst: Dest) {
        let end = self.f.b.label();
        if let Some((want, [a, b])) = self.boolean_case(value, clauses) {
            let otherwise = self.f.b.label();
            self.test(value, otherwise, want);
            let scope = self.open(key(&a.body));
            self.body(&a.body, dst);
            self.end_alternative(dst, end);
            let first = self.close(scope);
            self.f.b.place(otherwise);
            let scope = self.open(key(&b.body));
            self.body(&b.body, dst);
            let second = self.close(scope);
            self.f.b.place(end);
            return self.export(vec![first, second]);
        }
        // `case f() of X -> X end` is a call in tail position, as in OTP.
        if let (Dest::Tail, [only]) = (dst, clauses)
            && only.guard.is_empty()
            && let (
                PatternKind::Var(name),
                [
                    Expr {
                        kind: ExprKind::Var(result),
                        ..
                    },
                ],
            ) = (&only.pattern.kind, &only.body[..])
            && name == result
            && self.var(*name).is_none()
        {
            return self.expr(value, dst);
        }
        let src = self.operand(value);
        let (exported, failure) = self.clauses(src, clauses, dst, end, false);
        self.otherwise_fail(failure, FailKind::CaseClause, src, loc);
        self.f.b.place(end);
        self.export(exported);
    }

    fn otherwise_fail(&mut self, failure: Label, kind: FailKind, src: Reg, loc: Loc) {
        self.f.b.place(failure);
        if self.f.b.is_used(failure) {
            self.f.b.at(loc);
            self.f.b.emit(Instr::Fail { kind, src });
        }
    }

    /// For a comparison with a clause for `true` and one for `false` (or the rest): which comes first.
    fn boolean_case(&self, value: &Expr, clauses: &'a [Clause]) -> Option<(bool, &'a [Clause; 2])> {
        let two: &[Clause; 2] = clauses.try_into().ok()?;
        let truth = |p: &Pattern| match p.kind {
            PatternKind::Atom(Atom::TRUE) => Some(true),
            PatternKind::Atom(Atom::FALSE) => Some(false),
            _ => None,
        };
        if two.iter().any(|c| !c.guard.is_empty()) || !self.is_boolean(value) {
            return None;
        }
        let first = truth(&two[0].pattern)?;
        let fits = matches!(two[1].pattern.kind, PatternKind::Wildcard) || truth(&two[1].pattern) == Some(!first);
        fits.then_some((first, two))
    }

    /// Clauses over the value in `src`; after a clause, the code jumps to `end`. Returns the variables that each one exports, and the label for
    /// the case that none matches.
    fn clauses(
        &mut self,
        src: Reg,
        clauses: &'a [Clause],
        dst: Dest,
        end: Label,
        accept: bool,
    ) -> (Vec<Vec<Atom>>, Label) {
        let mut exported = Vec::new();
        let rows: Vec<Vec<&Pattern>> = clauses.iter().map(|c| vec![&c.pattern]).collect();
        let d = self.dispatch(&rows);
        for (i, c) in clauses.iter().enumerate() {
            let Some((next, known)) = self.begin_clause(&d, i, &[src]) else {
                continue;
            };
            let scope = self.open(key(&c.body));
            match known {
                Some(_) => self.pattern_below_key(&c.pattern, src, next),
                None => self.pattern(&c.pattern, src, next),
            }
            self.guard(&c.guard, next);
            if accept {
                // A process that has just received is at the clause that matched.
                self.f.b.at(c.pattern.loc);
                self.f.b.emit(Instr::Accept);
                self.f.b.live();
            }
            self.body(&c.body, dst);
            self.end_alternative(dst, end);
            exported.push(self.close(scope));
        }
        (exported, d.failure())
    }

    // ---- receive -------------------------------------------------------------------------------------------------

    pub(super) fn receive(&mut self, loc: Loc, r: &'a Receive, dst: Dest) {
        let end = self.f.b.label();
        let after = self.f.b.label();
        let timeout = match &r.after {
            Some((ms, _)) => self.operand(ms),
            None => 0,
        };
        let mut exported = Vec::new();
        self.f.b.at(loc);
        if r.clauses.is_empty() {
            self.f.b.emit(Instr::Sleep { timeout });
            self.f.b.live();
            self.f.b.jump(after);
        } else {
            let message = self.temp();
            let mark = self.held_by_all(&r.clauses).unwrap_or(0);
            self.f.b.emit(Instr::ReceiveStart { mark });
            let peek = self.f.b.here();
            self.f.b.emit(Instr::Peek { dst: message, timeout });
            self.f.b.live();
            // Without `after` the machine never takes this jump.
            self.f.b.jump(if r.after.is_some() { after } else { peek });
            let (names, failure) = self.clauses(message, &r.clauses, dst, end, true);
            exported = names;
            self.f.b.place(failure);
            if self.f.b.is_used(failure) {
                self.f.b.branch(Instr::ReceiveNext { target: 0 }, peek);
            }
        }
        if let Some((_, body)) = &r.after {
            self.f.b.place(after);
            let scope = self.open(key(body));
            self.body(body, dst);
            exported.push(self.close(scope));
        }
        self.f.b.place(end);
        self.export(exported);
    }

    /// The register of a variable, already bound, whose value is in every message that one of these clauses accepts.
    fn held_by_all(&self, clauses: &[Clause]) -> Option<Reg> {
        let (first, others) = clauses.split_first()?;
        let known = |name: &Atom| self.var(*name).is_some();
        let mut held: Vec<Atom> = variables_held(&first.pattern).into_iter().filter(known).collect();
        for clause in others {
            if held.is_empty() {
                return None;
            }
            let here = variables_held(&clause.pattern);
            held.retain(|name| here.contains(name));
        }
        self.var(*held.first()?)
    }

    // ---- exceptions ----------------------------------------------------------------------------------------------

    fn temps(&mut self, n: usize) -> Reg {
        let first = self.f.next;
        (0..n).for_each(|_| {
            self.temp();
        });
        first
    }

    pub(super) fn catch(&mut self, body: &'a Expr, dst: Dest) {
        let base = self.temps(3);
        let value = self.temp();
        let handler = self.f.b.label();
        let done = self.f.b.label();
        let start = self.f.b.position();
        let mark = self.f.stubs.len();
        let vars = self.f.log.len();
        self.expr(body, Dest::To(value));
        self.forget_since(vars);
        self.f.b.jump(done);
        self.flush_stubs(mark);
        self.f.b.protect(start, handler, base);
        self.f.b.place(handler);
        self.f.b.emit(Instr::CatchValue { dst: value, base });
        self.f.b.place(done);
        self.give(dst, value);
    }

    pub(super) fn try_expr(&mut self, loc: Loc, t: &'a Try, dst: Dest) {
        if t.after.is_empty() {
            return self.try_catch(loc, t, dst);
        }
        let value = self.temp();
        let base = self.temps(3);
        let handler = self.f.b.label();
        let after = self.f.b.label();
        let start = self.f.b.position();
        let mark = self.f.stubs.len();
        self.load(value, Term::NIL);
        self.try_catch(loc, t, Dest::To(value));
        // No exception: `base` holds 0 instead of a class.
        for (reg, term) in (base..).zip([Term::small(0), Term::NIL, Term::NIL]) {
            self.load(reg, term);
        }
        self.f.b.jump(after);
        self.flush_stubs(mark);
        self.f.b.protect(start, handler, base);
        self.f.b.place(handler);
        self.load(value, Term::NIL);
        self.f.b.place(after);
        let scope = self.open(key(&t.after));
        self.body(&t.after, Dest::Effect);
        self.close(scope);
        let done = self.f.b.label();
        self.f.b.branch(
            Instr::IsSmall {
                src: base,
                value: 0,
                to: 0,
            },
            done,
        );
        self.f.b.emit(Instr::Reraise { base });
        self.f.b.place(done);
        self.give(dst, value);
    }

    fn try_catch(&mut self, loc: Loc, t: &'a Try, dst: Dest) {
        let end = self.f.b.label();
        let handler = self.f.b.label();
        let scope = self.open(key(&t.body));
        let value = self.temp();
        let base = self.temps(3);
        let protected = !t.catch.is_empty();
        let start = self.f.b.position();
        let mark = self.f.stubs.len();
        // The body is never in tail position, and its value may be needed below.
        self.body(&t.body, Dest::To(value));
        let of = self.f.b.label();
        if protected {
            self.f.b.jump(of);
            self.flush_stubs(mark);
            self.f.b.protect(start, handler, base);
        }
        self.f.b.place(of);
        if t.of.is_empty() {
            self.give(dst, value);
        } else {
            let (_, failure) = self.clauses(value, &t.of, dst, end, false);
            self.otherwise_fail(failure, FailKind::TryClause, value, loc);
        }
        self.close(scope);
        if protected {
            if dst != Dest::Tail {
                self.f.b.jump(end);
            }
            self.f.b.place(handler);
            // The body's registers are free in the handler, the exception's are not.
            let next = self.f.next;
            self.f.next = base + 3;
            self.handler(t, base, dst, end);
            self.f.next = next;
        }
        self.f.b.place(end);
    }

    fn handler(&mut self, t: &'a Try, base: Reg, dst: Dest, end: Label) {
        for c in &t.catch {
            let next = self.f.b.label();
            let scope = self.open(key(&c.body));
            match c.class {
                CatchClass::Default => self.not_constant(base, Term::atom(Atom::THROW), next),
                CatchClass::Atom(class) => self.not_constant(base, Term::atom(class), next),
                CatchClass::Var(Atom::WILDCARD) => {}
                CatchClass::Var(name) => match self.var(name) {
                    Some(reg) => self.f.b.branch(Instr::NotSame { a: base, b: reg, to: 0 }, next),
                    None => self.bind_copy(name, base),
                },
            }
            self.pattern(&c.reason, base + 1, next);
            self.guard(&c.guard, next);
            if let Some(stack) = c.stack
                && stack.atom != Atom::WILDCARD
            {
                let home = self.home(stack.atom);
                self.touch(home);
                self.f.b.emit(Instr::Stacktrace {
                    dst: home,
                    src: base + 2,
                });
                self.bind(stack.atom, home);
                // A stack trace that is only used to raise again loses the location of a function without a matching clause.
                if is_raised_only(stack.atom, c)
                    && let Some(native) = self.natives.pure(Atom::ERLANG, Atom::new("$raised_again"), 2)
                {
                    self.native(native, &[base + 1, home], Dest::To(home));
                }
            }
            self.body(&c.body, dst);
            self.close(scope);
            self.end_alternative(dst, end);
            self.f.b.place(next);
            if !self.f.b.is_used(next) {
                return;
            }
        }
        self.f.b.emit(Instr::Reraise { base });
    }

    fn bind_copy(&mut self, name: Atom, src: Reg) {
        let home = self.home(name);
        self.touch(home);
        self.f.b.mov(home, src);
        self.bind(name, home);
    }

    // ---- maybe ---------------------------------------------------------------------------------------------------

    pub(super) fn maybe(&mut self, m: &'a Maybe, dst: Dest) {
        let value = self.temp();
        let end = self.f.b.label();
        let otherwise = self.f.b.label();
        let scope = self.open(key(&m.body));
        for (i, step) in m.body.iter().enumerate() {
            let last = i + 1 == m.body.len();
            let mark = self.f.next;
            match step {
                MaybeStep::Expr(e) => {
                    self.f.b.at(e.loc);
                    self.expr(e, if last { dst } else { Dest::Effect });
                }
                MaybeStep::Match { loc, pattern, value: e } => {
                    self.f.b.at(*loc);
                    self.expr(e, Dest::To(value));
                    self.pattern(pattern, value, otherwise);
                    if last {
                        self.give(dst, value);
                    }
                }
            }
            self.f.next = mark;
        }
        self.close(scope);
        self.end_alternative(dst, end);
        self.f.b.place(otherwise);
        if self.f.b.is_used(otherwise) {
            self.f.next = value + 1;
            match &m.otherwise {
                None => self.give(dst, value),
                Some((loc, clauses)) => {
                    let (_, failure) = self.clauses(value, clauses, dst, end, false);
                    self.otherwise_fail(failure, FailKind::ElseClause, value, *loc);
                }
            }
        }
        self.f.b.place(end);
    }
}

/// The variables in a pattern that match a part of the value.
fn variables_held(pattern: &Pattern) -> Vec<Atom> {
    let mut held = Vec::new();
    let mut pending = vec![pattern];
    while let Some(pattern) = pending.pop() {
        match &pattern.kind {
            PatternKind::Var(name) if *name != Atom::WILDCARD => held.push(*name),
            PatternKind::Tuple(items) => pending.extend(items),
            PatternKind::List(list) => pending.extend(list.items.iter().chain(list.tail.as_deref())),
            PatternKind::Map(fields) => pending.extend(fields.iter().map(|field| &field.value)),
            PatternKind::Match(both) => pending.extend(both.iter()),
            _ => {}
        }
    }
    held
}

/// Is the variable used only as the stack trace of `erlang:raise/3`, as the last thing in the clause? OTP's compiler then raises the exception
/// as it was caught.
fn is_raised_only(stack: Atom, clause: &CatchClause) -> bool {
    let mut uses = 0;
    let guard = clause.guard.iter().flatten();
    let mut work: Vec<Node> = guard.chain(&clause.body).map(Node::Expr).collect();
    while let Some(node) = work.pop() {
        uses += usize::from(match node {
            Node::Expr(e) => matches!(e.kind, ExprKind::Var(name) if name == stack),
            Node::Pattern(p) => matches!(p.kind, PatternKind::Var(name) if name == stack),
        });
        children(node, &mut |child| work.push(child));
    }
    uses > 0 && uses == clause.body.last().map_or(0, |last| raises_last(stack, last))
}

/// How many of the expression's results raise with the variable as the stack trace.
fn raises_last(stack: Atom, e: &Expr) -> usize {
    let of_body = |body: &[Expr]| body.last().map_or(0, |last| raises_last(stack, last));
    match &e.kind {
        ExprKind::Block(body) => of_body(body),
        ExprKind::Case(_, clauses) => clauses.iter().map(|c| of_body(&c.body)).sum(),
        ExprKind::If(clauses) => clauses.iter().map(|c| of_body(&c.body)).sum(),
        ExprKind::AndAlso(sides) | ExprKind::OrElse(sides) => raises_last(stack, &sides[1]),
        ExprKind::Call(call) => match (&call.callee, &call.args[..]) {
            (Callee::Remote { module, function, .. }, [_, _, raised]) => {
                let is_raise = matches!(module.kind, ExprKind::Atom(Atom::ERLANG))
                    && matches!(function.kind, ExprKind::Atom(name) if name.as_str() == "raise");
                usize::from(is_raise && matches!(raised.kind, ExprKind::Var(name) if name == stack))
            }
            (Callee::Dynamic(fun), args) => match &fun.kind {
                ExprKind::Fun(clauses) if is_merged(clauses, args) => clauses.iter().map(|c| of_body(&c.body)).sum(),
                _ => 0,
            },
            _ => 0,
        },
        _ => 0,
    }
}
