//! Operators.

use super::*;

impl<'a> Compiler<'a> {
    pub(super) fn unary(&mut self, e: &'a Expr, op: UnaryOp, operand: &'a Expr, dst: Dest) {
        if op == UnaryOp::Not && self.is_boolean(operand) {
            return self.boolean_value(e, dst);
        }
        let src = self.operand(operand);
        self.f.b.at(e.loc);
        self.native_or_call(Atom::ERLANG, Atom::new(op.as_str()), &[src], dst);
    }

    pub(super) fn binop(&mut self, e: &'a Expr, op: BinaryOp, operands: &'a [Expr; 2], dst: Dest) {
        use BinaryOp as B;
        if self.is_boolean(e) {
            // Comparisons do not fail, but their operands may.
            return self.boolean_value(e, dst);
        }
        // If an operator between constants fails, OTP evaluates it by its function, which is then in the stack trace.
        let constants = operands.iter().all(|o| self.literal(o).is_some());
        if !constants
            && matches!(op, B::Add | B::Sub)
            && let Some(value) = self
                .literal(&operands[1])
                .and_then(Term::as_small)
                .and_then(|v| i16::try_from(v).ok())
        {
            let src = self.operand(&operands[0]);
            let d = self.target(dst);
            self.f.b.at(e.loc);
            self.f.b.emit(match op {
                B::Add => Instr::AddSmall { dst: d, src, value },
                _ => Instr::SubSmall { dst: d, src, value },
            });
            return self.done(dst, d);
        }
        if op == B::Add
            && !constants
            && let Some(value) = self.small_literal(&operands[0])
        {
            let src = self.operand(&operands[1]);
            let d = self.target(dst);
            self.f.b.at(e.loc);
            self.f.b.emit(Instr::AddSmall { dst: d, src, value });
            return self.done(dst, d);
        }
        let (a, b) = if op == B::Append && matches!(operands[0].kind, ExprKind::ListComp(_)) {
            // An operand that is prepended to a comprehension is evaluated before it.
            let b = self.operand(&operands[1]);
            (self.operand(&operands[0]), b)
        } else {
            let a = self.operand(&operands[0]);
            (a, self.operand(&operands[1]))
        };
        // OTP's compiler puts a literal after the other operand if the operator commutes.
        let commutes = matches!(
            op,
            B::Add | B::Mul | B::Band | B::Bor | B::Bxor | B::And | B::Or | B::Xor
        );
        let (a, b) = match commutes && !constants && self.literal(&operands[0]).is_some() {
            true => (b, a),
            false => (a, b),
        };
        let d = self.target(dst);
        self.f.b.at(e.loc);
        let instr = match op {
            B::Add => Instr::Add { dst: d, a, b },
            B::Sub => Instr::Sub { dst: d, a, b },
            B::Mul => Instr::Mul { dst: d, a, b },
            B::Slash => Instr::Divide { dst: d, a, b },
            B::Div => Instr::Div { dst: d, a, b },
            B::Rem => Instr::Rem { dst: d, a, b },
            B::Band => Instr::Band { dst: d, a, b },
            B::Bor => Instr::Bor { dst: d, a, b },
            B::Bxor => Instr::Bxor { dst: d, a, b },
            B::Bsl => Instr::Bsl { dst: d, a, b },
            B::Bsr => Instr::Bsr { dst: d, a, b },
            // As in Erlang/OTP, where `!` is send/2 in stack traces.
            B::Send => return self.native_or_call(Atom::ERLANG, Atom::SEND, &[a, b], dst),
            _ => return self.native_or_call(Atom::ERLANG, Atom::new(op.as_str()), &[a, b], dst),
        };
        let start = self.f.b.position();
        self.f.b.emit(instr);
        let small = |this: &mut Self, e| this.literal(e).is_some_and(|t| t.as_small().is_some());
        if !constants
            && (op == B::Add && small(self, &operands[0]) || matches!(op, B::Add | B::Sub) && small(self, &operands[1]))
        {
            // In OTP this is an instruction, which is not in the trace.
            self.f.b.hide(start, true);
        } else if !constants
            && matches!(op, B::Add | B::Sub | B::Mul)
            && operands.iter().any(|operand| self.is_float(operand))
        {
            // In OTP these are instructions that convert to floats and compute with them.
            self.f.b.hide(start, true);
        }
        self.done(dst, d);
    }

    /// Does the shape of an expression imply that its value is a float?
    pub(super) fn is_float(&self, e: &Expr) -> bool {
        use BinaryOp as B;
        with_stack(|| match &e.kind {
            ExprKind::Float(_) => true,
            ExprKind::Var(name) => match self.f.known.get(name) {
                Some(Bound::Float) => true,
                Some(Bound::Same(other)) => matches!(self.f.known.get(other), Some(Bound::Float)),
                Some(Bound::Constant(value)) => matches!(self.unit.heap.view(*value), TermView::Float(_)),
                None => false,
            },
            ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, operand) => self.is_float(operand),
            ExprKind::Binop(B::Slash, _) => true,
            ExprKind::Binop(B::Add | B::Sub | B::Mul, operands) => {
                operands.iter().any(|operand| self.is_float(operand))
            }
            ExprKind::Block(body) => body.last().is_some_and(|last| self.is_float(last)),
            ExprKind::Match(m) => self.is_float(&m.value),
            ExprKind::Case(_, clauses) => clauses
                .iter()
                .all(|clause| clause.body.last().is_some_and(|last| self.is_float(last))),
            ExprKind::Call(call) => match (&call.callee, &call.args[..]) {
                (Callee::Local(name), [argument]) if self.erlang_function(call).is_some() => match name.atom.as_str() {
                    "float" => true,
                    "abs" => self.is_float(argument),
                    _ => false,
                },
                (Callee::Remote { module, .. }, _) => matches!(module.kind, ExprKind::Atom(m) if m.as_str() == "math"),
                _ => false,
            },
            _ => false,
        })
    }

    pub(super) fn small_literal(&mut self, e: &Expr) -> Option<i16> {
        self.literal(e)
            .and_then(Term::as_small)
            .and_then(|v| i16::try_from(v).ok())
    }

    /// `andalso` (`and` = true) and `orelse`.
    pub(super) fn short_circuit(&mut self, e: &'a Expr, operands: &'a [Expr; 2], and: bool, dst: Dest) {
        let [a, b] = operands;
        let short = self.f.b.label();
        let end = self.f.b.label();
        if self.is_boolean(a) {
            self.test(a, short, and);
        } else {
            let mark = self.f.next;
            let v = self.operand(a);
            self.f.b.at(e.loc);
            let (stop, go_on) = if and {
                (Atom::FALSE, Atom::TRUE)
            } else {
                (Atom::TRUE, Atom::FALSE)
            };
            let bad = self.fail_stub(FailKind::BadBoolean, v, e.loc);
            self.f.b.branch(
                Instr::IsAtom {
                    src: v,
                    atom: stop.index() as u16,
                    to: 0,
                },
                short,
            );
            self.f.b.branch(
                Instr::NotAtom {
                    src: v,
                    atom: go_on.index() as u16,
                    to: 0,
                },
                bad,
            );
            self.f.next = mark;
        }
        let vars = self.f.log.len();
        self.mark(b.loc);
        self.expr(b, dst);
        self.forget_since(vars);
        if dst != Dest::Tail {
            self.f.b.jump(end);
        }
        if self.f.b.is_used(short) {
            self.f.b.place(short);
            self.load_to(dst, Term::boolean(!and));
        }
        self.f.b.place(end);
    }

    /// A comparison or type test as a value.
    pub(in crate::compile) fn boolean_value(&mut self, e: &'a Expr, dst: Dest) {
        let otherwise = self.f.b.label();
        let end = self.f.b.label();
        self.test(e, otherwise, true);
        self.load_to(dst, Term::boolean(true));
        if dst != Dest::Tail {
            self.f.b.jump(end);
        }
        self.f.b.place(otherwise);
        self.load_to(dst, Term::boolean(false));
        self.f.b.place(end);
    }

    /// The type that `is_…/1` tests.
    pub(in crate::compile) fn type_test(name: &str) -> Option<TypeTest> {
        Some(match name {
            "is_atom" => TypeTest::Atom,
            "is_integer" => TypeTest::Integer,
            "is_float" => TypeTest::Float,
            "is_number" => TypeTest::Number,
            "is_boolean" => TypeTest::Boolean,
            "is_list" => TypeTest::List,
            "is_tuple" => TypeTest::Tuple,
            "is_pid" => TypeTest::Pid,
            "is_port" => TypeTest::Port,
            "is_reference" => TypeTest::Reference,
            "is_function" => TypeTest::Function,
            "is_map" => TypeTest::Map,
            "is_binary" => TypeTest::Binary,
            "is_bitstring" => TypeTest::Bitstring,
            _ => return None,
        })
    }
}
