//! Guards and boolean tests as branches.

use super::{Compiler, Label};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::Instr;
use syntax::ast::*;
use syntax::builtin::old_type_test;
use syntax::stack::with_stack;

/// Guard functions besides the type tests: name and arity.
const GUARD_FUNCTIONS: &[(&str, u32)] = &[
    ("abs", 1),
    ("binary_part", 2),
    ("binary_part", 3),
    ("bit_size", 1),
    ("byte_size", 1),
    ("ceil", 1),
    ("element", 2),
    ("float", 1),
    ("floor", 1),
    ("hd", 1),
    ("is_function", 2),
    ("is_map_key", 2),
    ("is_record", 2),
    ("is_record", 3),
    ("length", 1),
    ("map_get", 2),
    ("map_size", 1),
    ("max", 2),
    ("min", 2),
    ("node", 0),
    ("node", 1),
    ("round", 1),
    ("self", 0),
    ("size", 1),
    ("tl", 1),
    ("trunc", 1),
    ("tuple_size", 1),
];

/// Properties of an expression that follow from its shape.
#[derive(Clone, Copy, Debug, Default)]
struct Nature {
    /// Is the value `true` or `false` whenever the operands can be evaluated?
    boolean: bool,
    /// Evaluation can neither fail nor have an effect.
    harmless: bool,
}

impl<'a> Compiler<'a> {
    /// The name of an auto-imported or `erlang:` function, if the call calls one.
    pub(super) fn erlang_function(&self, call: &Call) -> Option<Atom> {
        match &call.callee {
            Callee::Local(name) => {
                let id = (name.atom, call.args.len() as u32);
                let imported = self.imported.get(&id).is_some_and(|module| *module != Atom::ERLANG);
                (!self.local.contains_key(&id) && !imported).then_some(name.atom)
            }
            Callee::Remote { module, function, .. } => match (&module.kind, &function.kind) {
                (ExprKind::Atom(Atom::ERLANG), ExprKind::Atom(f)) => Some(*f),
                _ => None,
            },
            Callee::Dynamic(_) => None,
        }
    }

    /// Is the value `true` or `false` whenever the operands can be evaluated?
    pub(super) fn is_boolean(&self, e: &Expr) -> bool {
        self.nature(e).boolean
    }

    /// Determines the properties of an expression. Each part is examined once, so a chain of a thousand operators is not a problem.
    fn nature(&self, e: &Expr) -> Nature {
        with_stack(|| self.nature_of_kind(&e.kind))
    }

    fn nature_of_kind(&self, kind: &ExprKind) -> Nature {
        use BinaryOp as B;
        let all = |parts: &[Expr]| {
            let mut both = Nature {
                boolean: true,
                harmless: true,
            };
            for part in parts {
                let one = self.nature(part);
                both.boolean &= one.boolean;
                both.harmless &= one.harmless;
            }
            both
        };
        let boolean_if = |boolean: bool, harmless: bool| Nature {
            boolean,
            harmless: boolean && harmless,
        };
        match kind {
            ExprKind::Atom(a) => Nature {
                boolean: *a == Atom::TRUE || *a == Atom::FALSE,
                harmless: true,
            },
            ExprKind::Var(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil => Nature {
                boolean: false,
                harmless: true,
            },
            ExprKind::Tuple(items) => Nature {
                boolean: false,
                harmless: all(items).harmless,
            },
            ExprKind::List(list) => Nature {
                boolean: false,
                harmless: all(&list.items).harmless
                    && list.tail.as_deref().is_none_or(|tail| self.nature(tail).harmless),
            },
            ExprKind::Binop(op, operands) => match op {
                B::Eq | B::Ne | B::Le | B::Lt | B::Ge | B::Gt | B::ExactEq | B::ExactNe => {
                    boolean_if(true, all(&operands[..]).harmless)
                }
                B::And | B::Or => {
                    let both = all(&operands[..]);
                    boolean_if(both.boolean && both.harmless, true)
                }
                _ => Nature::default(),
            },
            ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => {
                let both = all(&operands[..]);
                boolean_if(both.boolean, both.harmless)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let one = self.nature(operand);
                boolean_if(one.boolean, one.harmless)
            }
            ExprKind::Call(call) => {
                let boolean = match self.erlang_function(call) {
                    Some(f) if call.args.len() == 1 => Self::type_test(f.as_str()).is_some(),
                    Some(f) if f.as_str() == "is_record" => self.record_test(call).is_some(),
                    _ => false,
                };
                boolean_if(boolean, boolean && all(&call.args).harmless)
            }
            _ => Nature::default(),
        }
    }

    /// The type test of an old-style guard: `list(X)`, `record(X, name)`.
    fn old_type_test(&self, call: &Call) -> Option<Atom> {
        let Callee::Local(name) = &call.callee else { return None };
        old_type_test(FunId {
            name: name.atom,
            arity: call.args.len() as u32,
        })
    }

    /// `is_record(X, name)` and `is_record(X, name, Size)`: name and size of the tuple.
    fn record_test(&self, call: &Call) -> Option<(Atom, usize)> {
        let ExprKind::Atom(name) = call.args.get(1)?.kind else {
            return None;
        };
        match call.args.get(2).map(|a| &a.kind) {
            None => Some((name, self.records.get(&name)?.fields.len() + 1)),
            Some(ExprKind::Integer(size @ 1..=60_000)) => Some((name, *size as usize)),
            Some(_) => None,
        }
    }

    /// Is the expression a valid guard test (`erl_lint:is_guard_test`)?
    pub(super) fn is_guard(&self, e: &Expr) -> bool {
        with_stack(|| match &e.kind {
            ExprKind::Var(_)
            | ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil
            | ExprKind::RecordIndex(_) => true,
            ExprKind::List(list) => list.items.iter().chain(list.tail.as_deref()).all(|i| self.is_guard(i)),
            ExprKind::Tuple(items) => items.iter().all(|i| self.is_guard(i)),
            ExprKind::Map(fields) => fields.iter().all(|f| self.is_guard(&f.key) && self.is_guard(&f.value)),
            ExprKind::MapUpdate(map, fields) => {
                self.is_guard(map) && fields.iter().all(|f| self.is_guard(&f.key) && self.is_guard(&f.value))
            }
            ExprKind::Record(r) => r.fields.iter().all(|f| self.is_guard(&f.value)),
            ExprKind::RecordAccess(r) => self.is_guard(&r.record),
            ExprKind::Binary(segments) => segments
                .iter()
                .all(|s| self.is_guard(&s.value) && s.size.as_ref().is_none_or(|z| self.is_guard(z))),
            ExprKind::Unary(_, operand) => self.is_guard(operand),
            ExprKind::Binop(op, operands) => {
                !matches!(op, BinaryOp::Append | BinaryOp::Subtract | BinaryOp::Send)
                    && operands.iter().all(|o| self.is_guard(o))
            }
            ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => operands.iter().all(|o| self.is_guard(o)),
            ExprKind::Call(call) => {
                self.erlang_function(call).is_some_and(|f| {
                    let arity = call.args.len() as u32;
                    Self::type_test(f.as_str()).is_some() && arity == 1
                        || GUARD_FUNCTIONS.contains(&(f.as_str(), arity))
                }) && call.args.iter().all(|a| self.is_guard(a))
            }
            _ => false,
        })
    }

    /// A guard: jumps to `fail` unless one alternative succeeds. It never raises.
    pub(super) fn guard(&mut self, guard: &'a Guard, fail: Label) {
        let succeed = self.f.b.label();
        for (i, alternative) in guard.iter().enumerate() {
            let last = i + 1 == guard.len();
            let next = if last { fail } else { self.f.b.label() };
            self.conjunction(alternative.iter(), next);
            if !last {
                self.f.b.jump(succeed);
                self.f.b.place(next);
            }
        }
        if self.f.b.is_used(succeed) {
            self.f.b.place(succeed);
        }
    }

    /// Guard tests that must all succeed.
    pub(super) fn conjunction(&mut self, tests: impl Iterator<Item = &'a Expr>, fail: Label) {
        let outer = self.f.guard.replace(fail);
        let start = self.f.b.position();
        for test in tests {
            let mark = self.f.next;
            self.guard_test(test, fail);
            self.f.next = mark;
        }
        self.f.b.protect(start, fail, 0);
        self.f.guard = outer;
    }

    /// Jumps to `fail` unless the value is `true`.
    fn guard_test(&mut self, e: &'a Expr, fail: Label) {
        with_stack(|| {
            if self.is_boolean(e) {
                return self.test(e, fail, true);
            }
            match &e.kind {
                ExprKind::Call(call) if self.old_type_test(call).is_some() => {
                    let test = self.old_type_test(call).expect("just looked at");
                    let mark = self.f.next;
                    let src = self.operand(&call.args[0]);
                    match (Self::type_test(test.as_str()), call.args.get(1).map(|a| &a.kind)) {
                        (Some(ty), _) => self.f.b.branch(Instr::NotType { src, ty, to: 0 }, fail),
                        (None, Some(ExprKind::Atom(name))) => {
                            let size = self.records.get(name).map_or(0, |r| r.fields.len() + 1);
                            self.not_tagged(src, size, *name, fail);
                        }
                        (None, _) => self.f.b.jump(fail),
                    }
                    self.f.next = mark;
                }
                ExprKind::AndAlso(operands) => operands.iter().for_each(|o| self.guard_test(o, fail)),
                ExprKind::OrElse(operands) if self.is_boolean(&operands[0]) => {
                    let yes = self.f.b.label();
                    self.test(&operands[0], yes, false);
                    self.guard_test(&operands[1], fail);
                    self.f.b.place(yes);
                }
                _ => {
                    let mark = self.f.next;
                    let src = self.operand(e);
                    self.f.b.branch(
                        Instr::NotAtom {
                            src,
                            atom: Atom::TRUE.index() as u16,
                            to: 0,
                        },
                        fail,
                    );
                    self.f.next = mark;
                }
            }
        });
    }

    /// Jumps to `to` unless the value of a boolean expression is `want`.
    pub(super) fn test(&mut self, e: &'a Expr, to: Label, want: bool) {
        with_stack(|| self.test_kind(e, to, want));
    }

    fn test_kind(&mut self, e: &'a Expr, to: Label, want: bool) {
        use BinaryOp as B;
        let mark = self.f.next;
        match &e.kind {
            ExprKind::Atom(a) => {
                if (*a == Atom::TRUE) != want {
                    self.f.b.jump(to);
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.test(operand, to, !want),
            ExprKind::AndAlso(operands) => self.test_both(operands, to, want, true),
            ExprKind::OrElse(operands) => self.test_both(operands, to, want, false),
            // Operands that cannot fail: the strict operators are equivalent to the short-circuit ones.
            ExprKind::Binop(B::And, operands) => self.test_both(operands, to, want, true),
            ExprKind::Binop(B::Or, operands) => self.test_both(operands, to, want, false),
            ExprKind::Binop(op, operands) => self.compare(e.loc, *op, operands, to, want),
            ExprKind::Call(call) => {
                let name = self.erlang_function(call).expect("boolean calls are type tests");
                let src = self.operand(&call.args[0]);
                if let (Some(ty), 1) = (Self::type_test(name.as_str()), call.args.len()) {
                    let instr = if want {
                        Instr::NotType { src, ty, to: 0 }
                    } else {
                        Instr::IsType { src, ty, to: 0 }
                    };
                    self.f.b.branch(instr, to);
                } else {
                    let (record, size) = self.record_test(call).expect("boolean calls are type tests");
                    if want {
                        self.not_tagged(src, size, record, to);
                    } else {
                        let no = self.f.b.label();
                        self.not_tagged(src, size, record, no);
                        self.f.b.jump(to);
                        self.f.b.place(no);
                    }
                }
            }
            _ => unreachable!("test of an expression that is not boolean"),
        }
        self.f.next = mark;
    }

    fn test_both(&mut self, operands: &'a [Expr; 2], to: Label, want: bool, and: bool) {
        let [a, b] = operands;
        if want == and {
            self.test(a, to, want);
            let vars = self.f.log.len();
            self.test(b, to, want);
            self.forget_since(vars);
        } else {
            // Jump when the whole is `!want`: the first operand may decide that it is `want`.
            let decided = self.f.b.label();
            self.test(a, decided, !want);
            let vars = self.f.log.len();
            self.test(b, to, want);
            self.forget_since(vars);
            self.f.b.place(decided);
        }
    }

    fn compare(&mut self, loc: Loc, op: BinaryOp, operands: &'a [Expr; 2], to: Label, want: bool) {
        use BinaryOp as B;
        let small = |c: &mut Self, e: &Expr| {
            c.literal(e)
                .and_then(Term::as_small)
                .and_then(|v| i16::try_from(v).ok())
        };
        let right = small(self, &operands[1]);
        if let Some(value) = right
            && let Some(instr) = match (op, want) {
                (B::Lt, true) | (B::Ge, false) => Some(Instr::NotLessSmall { src: 0, value, to: 0 }),
                (B::Lt, false) | (B::Ge, true) => Some(Instr::LessSmall { src: 0, value, to: 0 }),
                (B::Gt, true) | (B::Le, false) => Some(Instr::NotMoreSmall { src: 0, value, to: 0 }),
                (B::Gt, false) | (B::Le, true) => Some(Instr::MoreSmall { src: 0, value, to: 0 }),
                (B::ExactEq, true) | (B::ExactNe, false) => Some(Instr::NotSmall { src: 0, value, to: 0 }),
                (B::ExactEq, false) | (B::ExactNe, true) => Some(Instr::IsSmall { src: 0, value, to: 0 }),
                _ => None,
            }
        {
            let reg = self.operand(&operands[0]);
            let instr = match instr {
                Instr::NotLessSmall { value, to, .. } => Instr::NotLessSmall { src: reg, value, to },
                Instr::LessSmall { value, to, .. } => Instr::LessSmall { src: reg, value, to },
                Instr::NotMoreSmall { value, to, .. } => Instr::NotMoreSmall { src: reg, value, to },
                Instr::MoreSmall { value, to, .. } => Instr::MoreSmall { src: reg, value, to },
                Instr::NotSmall { value, to, .. } => Instr::NotSmall { src: reg, value, to },
                Instr::IsSmall { value, to, .. } => Instr::IsSmall { src: reg, value, to },
                other => other,
            };
            self.f.b.branch(instr, to);
            return;
        }
        // Equality with an atom or `[]`, exact or not.
        if matches!(op, B::Eq | B::Ne | B::ExactEq | B::ExactNe)
            && let Some(term) = self.literal(&operands[1])
            && let Some(Ok(atom)) = term.as_atom().map(|a| u16::try_from(a.index()))
        {
            let src = self.operand(&operands[0]);
            let equal = matches!(op, B::Eq | B::ExactEq) == want;
            let instr = if equal {
                Instr::NotAtom { src, atom, to: 0 }
            } else {
                Instr::IsAtom { src, atom, to: 0 }
            };
            self.f.b.branch(instr, to);
            return;
        }
        let a = self.operand(&operands[0]);
        let b = self.operand(&operands[1]);
        self.f.b.at(loc);
        let (t, instr) = match op {
            B::Lt => (true, Instr::Less { a, b, to: 0 }),
            B::Ge => (false, Instr::Less { a, b, to: 0 }),
            B::Gt => (true, Instr::Less { a: b, b: a, to: 0 }),
            B::Le => (false, Instr::Less { a: b, b: a, to: 0 }),
            B::Eq => (true, Instr::Equal { a, b, to: 0 }),
            B::Ne => (false, Instr::Equal { a, b, to: 0 }),
            B::ExactEq => (true, Instr::Same { a, b, to: 0 }),
            B::ExactNe => (false, Instr::Same { a, b, to: 0 }),
            _ => unreachable!("only comparisons are boolean operators"),
        };
        // The branch is taken when the value is not `want`.
        let instr = if t == want {
            match instr {
                Instr::Less { a, b, to } => Instr::NotLess { a, b, to },
                Instr::Equal { a, b, to } => Instr::NotEqual { a, b, to },
                Instr::Same { a, b, to } => Instr::NotSame { a, b, to },
                other => other,
            }
        } else {
            instr
        };
        self.f.b.branch(instr, to);
    }
}
