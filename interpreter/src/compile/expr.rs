//! Expressions: values, operators, construction, records.

use super::names::{fun_key, is_merged};
use super::scope::Walker;
use super::{Compiler, Dest, Known};
use crate::atom::Atom;
use crate::heap::View;
use crate::term::Term;
use crate::vm::instr::{FailKind, Instr, Reg, TypeTest};
use syntax::ast::*;
use syntax::stack::with_stack;
use syntax::walk::{Node, children};

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
        {
            for (at, e) in earlier.iter().enumerate() {
                self.merge_fun(&exprs[at..], dst);
                self.statement(e, Dest::Effect);
            }
            self.statement(&m.value, Dest::Tail);
            return;
        }
        for (at, e) in before.iter().enumerate() {
            self.merge_fun(&exprs[at..], dst);
            self.statement(e, Dest::Effect);
        }
        self.statement(last, dst);
    }

    /// `F = fun … end, F(X)` where F is used once: OTP makes the fun part of the function, which stack traces show.
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
            let mut walker = Walker::free();
            call.args.iter().for_each(|arg| walker.expr(arg));
            walker.exprs(rest);
            if !walker.names().contains(name) {
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

    /// The value is in `reg`: brings it to `dst`.
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

    /// The register that an instruction should write for `dst`; then [`Compiler::done`].
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

    /// The value in some register: that of a variable, or a fresh temporary.
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
        with_stack(|| self.expr_kind(e, dst));
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
            // What is constructed for nothing is not constructed; its parts are evaluated.
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
            // A map that was just made cannot be a wrong one: OTP drops the update, though a key may be missing.
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

    pub(super) fn tuple(&mut self, regs: &[Reg], dst: Dest) {
        let d = self.target(dst);
        if let [a, b] = *regs {
            self.f.b.emit(Instr::Tuple2 { dst: d, a, b });
        } else {
            self.f.b.emit(Instr::Tuple {
                dst: d,
                len: regs.len() as u16,
            });
            self.f.b.ops(regs);
        }
        self.done(dst, d);
    }

    fn is_simple(&mut self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Var(_)) || self.literal(e).is_some()
    }

    fn list(&mut self, list: &'a List<Expr>, dst: Dest) {
        let nil;
        let tail = match &list.tail {
            Some(tail) => &**tail,
            None => {
                nil = None::<&Expr>;
                return self.proper_list(&list.items, nil, dst);
            }
        };
        self.proper_list(&list.items, Some(tail), dst);
    }

    fn proper_list(&mut self, items: &'a [Expr], tail: Option<&'a Expr>, dst: Dest) {
        let d = self.target(dst);
        if items.len() > LIST_CHUNK {
            if items.iter().all(|i| self.is_simple(i)) {
                // Order does not matter: from the end.
                let acc = self.tail_operand(tail);
                let own = self.temp();
                self.f.b.mov(own, acc);
                for item in items.iter().rev() {
                    let mark = self.f.next;
                    let head = self.operand(item);
                    self.f.b.emit(Instr::Cons {
                        dst: own,
                        head,
                        tail: own,
                    });
                    self.f.next = mark;
                }
                self.give(Dest::To(d), own);
            } else {
                let acc = self.temp();
                self.load(acc, Term::NIL);
                for item in items {
                    let mark = self.f.next;
                    let head = self.operand(item);
                    self.f.b.emit(Instr::Cons {
                        dst: acc,
                        head,
                        tail: acc,
                    });
                    self.f.next = mark;
                }
                let tail = self.tail_operand(tail);
                self.f.b.emit(Instr::Reverse { dst: d, src: acc, tail });
            }
            self.done(dst, d);
            return;
        }
        let regs = self.operands(items);
        let mut acc = self.tail_operand(tail);
        let own = self.f.next;
        self.touch(own);
        for (i, head) in regs.iter().enumerate().rev() {
            let to = if i == 0 { d } else { own };
            self.f.b.emit(Instr::Cons {
                dst: to,
                head: *head,
                tail: acc,
            });
            acc = own;
        }
        self.done(dst, d);
    }

    fn tail_operand(&mut self, tail: Option<&'a Expr>) -> Reg {
        match tail {
            Some(tail) => self.operand(tail),
            None => {
                let reg = self.temp();
                self.load(reg, Term::NIL);
                reg
            }
        }
    }

    fn map_fields(&mut self, fields: &'a [MapField]) -> Vec<(Reg, Reg, Reg)> {
        fields
            .iter()
            .map(|f| {
                let key = self.operand(&f.key);
                let value = self.operand(&f.value);
                (key, value, Reg::from(f.op == MapOp::Exact))
            })
            .collect()
    }

    fn map(&mut self, fields: &'a [MapField], dst: Dest) {
        let regs = self.map_fields(fields);
        let d = self.target(dst);
        self.f.b.emit(Instr::Map {
            dst: d,
            len: regs.len() as u16,
        });
        for (a, b, _) in regs {
            self.f.b.emit(Instr::Ops { a, b, c: 0 });
        }
        self.done(dst, d);
    }

    fn map_update(&mut self, e: &'a Expr, map: &'a Expr, fields: &'a [MapField], dst: Dest) {
        let src = self.operand(map);
        let regs = self.map_fields(fields);
        let regs = self.grouped(fields, regs);
        let d = self.target(dst);
        self.f.b.at(e.loc);
        self.f.b.emit(Instr::MapUpdate {
            dst: d,
            src,
            len: regs.len() as u16,
        });
        for (a, b, c) in regs {
            self.f.b.emit(Instr::Ops { a, b, c });
        }
        self.done(dst, d);
    }

    /// Fields beside each other with constant keys are updated at once by OTP (`v3_kernel:map_group_pairs/5`), which tells which missing key
    /// is found: of a key that is written twice the last value and the first operator count, `=>` comes before `:=`, the rest goes by
    /// the order of the keys.
    fn grouped(&mut self, fields: &'a [MapField], regs: Vec<(Reg, Reg, Reg)>) -> Vec<(Reg, Reg, Reg)> {
        if fields.iter().filter(|field| field.op == MapOp::Exact).count() == 0 || fields.len() < 2 {
            return regs;
        }
        let mut all = Vec::with_capacity(regs.len());
        let mut group: Vec<(Term, (Reg, Reg, Reg))> = Vec::new();
        for (field, (key, value, exact)) in fields.iter().zip(regs) {
            let Some(constant) = self.constant_key(&field.key) else {
                all.extend(group.drain(..).map(|(_, field)| field));
                all.push((key, value, exact));
                continue;
            };
            let heap = &self.unit.heap;
            let order = |a: Term, b: Term| crate::ops::compare_exact(heap, a, b);
            match group.iter_mut().find(|(known, _)| order(*known, constant).is_eq()) {
                Some((_, known)) => known.1 = value,
                None => group.push((constant, (key, value, exact))),
            }
            group.sort_by(|(a, x), (b, y)| x.2.cmp(&y.2).then_with(|| order(*a, *b)));
        }
        all.extend(group.drain(..).map(|(_, field)| field));
        all
    }

    /// The value of a key that is a constant for OTP's compiler: also a map, or a binary of bytes.
    fn constant_key(&mut self, key: &'a Expr) -> Option<Term> {
        let ExprKind::Binary(segments) = &key.kind else {
            return self.attribute_value(key);
        };
        let mut bytes = Vec::new();
        for segment in segments {
            match &segment.value.kind {
                ExprKind::String(text) if segment.size.is_none() && segment.spec.ty == SegmentType::Integer => {
                    bytes.extend(text.chars().map(|c| c as u32 as u8));
                }
                ExprKind::Integer(byte) if segment.size.is_none() && segment.spec.ty == SegmentType::Integer => {
                    bytes.push(*byte as u8);
                }
                _ => return None,
            }
        }
        Some(super::literal::bitstring(&mut self.unit.heap, &bytes, bytes.len() * 8))
    }

    // ---- records -------------------------------------------------------------------------------------------------

    pub(super) fn record_def(&mut self, name: Atom, loc: Loc) -> Option<&'a RecordDef> {
        let found = self.records.get(&name).copied();
        if found.is_none() {
            self.refuse(loc, format!("record {name} is undefined"));
        }
        found
    }

    /// Position of a field, counted from 1 with the tag.
    pub(super) fn field_index(&mut self, r: &RecordIndex, loc: Loc) -> Option<usize> {
        let def = self.record_def(r.name, loc)?;
        let found = def.fields.iter().position(|f| f.name == r.field.atom);
        if found.is_none() {
            self.refuse(
                r.field.loc,
                format!("field {} is not defined in record {}", r.field.atom, r.name),
            );
        }
        found.map(|i| i + 2)
    }

    fn record(&mut self, r: &'a RecordExpr, loc: Loc, dst: Dest) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        // Written fields are evaluated in the order of the definition, as `erl_expand_records` does.
        let tag = self.temp();
        self.load(tag, Term::atom(r.name));
        let mut regs = vec![tag];
        let wildcard = r.fields.iter().find(|f| f.is_wildcard);
        for field in &def.fields {
            let written = r.fields.iter().find(|f| !f.is_wildcard && f.name.atom == field.name);
            let value = written.or(wildcard).map(|f| &f.value).or(field.default.as_ref());
            regs.push(match value {
                Some(value) => self.operand(value),
                None => {
                    let reg = self.temp();
                    self.load(reg, Term::atom(Atom::UNDEFINED));
                    reg
                }
            });
        }
        self.check_fields(def, r.fields.iter().filter(|f| !f.is_wildcard).map(|f| f.name));
        self.tuple(&regs, dst);
    }

    pub(super) fn check_fields(&mut self, def: &RecordDef, names: impl Iterator<Item = Name>) {
        for name in names {
            if !def.fields.iter().any(|f| f.name == name.atom) {
                self.refuse(
                    name.loc,
                    format!("field {} is not defined in record {}", name.atom, def.name),
                );
            }
        }
    }

    /// `{badrecord, V}` (or failure of the guard) unless the register holds a record of this name.
    fn check_record(&mut self, src: Reg, name: Atom, loc: Loc) {
        let Some(def) = self.record_def(name, loc) else { return };
        let fail = self.fail_stub(FailKind::BadRecord, src, loc);
        self.not_tagged(src, def.fields.len() + 1, name, fail);
    }

    /// Jumps unless the register holds a tuple of this arity and first element.
    pub(super) fn not_tagged(&mut self, src: Reg, arity: usize, name: Atom, fail: super::Label) {
        if let Some(tag) = self.tag(arity, name) {
            self.f.b.branch(Instr::NotTagged { src, tag, to: 0 }, fail);
        } else {
            self.f.b.branch(
                Instr::NotTuple {
                    src,
                    arity: arity as u16,
                    to: 0,
                },
                fail,
            );
            let first = self.f.next;
            self.touch(first);
            self.f.b.element(first, src, 0);
            self.not_constant(first, Term::atom(name), fail);
        }
    }

    fn record_update(&mut self, r: &'a RecordUpdate, loc: Loc, dst: Dest) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        // Values come first, as `erl_expand_records` has it.
        let values: Vec<(Atom, Reg)> = r.fields.iter().map(|f| (f.name.atom, self.operand(&f.value))).collect();
        let src = self.operand(&r.record);
        self.check_fields(def, r.fields.iter().filter(|f| !f.is_wildcard).map(|f| f.name));
        self.f.b.at(loc);
        self.check_record(src, r.name, loc);
        let tag = self.temp();
        self.load(tag, Term::atom(r.name));
        let mut regs = vec![tag];
        for (index, field) in (1..).zip(&def.fields) {
            match values.iter().find(|v| v.0 == field.name) {
                Some(value) => regs.push(value.1),
                None => {
                    let t = self.temp();
                    self.f.b.element(t, src, index);
                    regs.push(t);
                }
            }
        }
        self.tuple(&regs, dst);
    }

    // ---- matching ------------------------------------------------------------------------------------------------

    fn match_expr(&mut self, loc: Loc, pattern: &'a Pattern, value: &'a Expr, dst: Dest) {
        match pattern.kind {
            PatternKind::Wildcard => return self.expr(value, dst),
            PatternKind::Var(name) if self.var(name).is_none() => {
                let home = self.home(name);
                self.touch(home);
                self.expr(value, Dest::To(home));
                self.bind(name, home);
                let known = match value.kind {
                    ExprKind::Var(other) => Some(match self.f.known.get(&other) {
                        Some(&known @ (Known::Constant(_) | Known::Same(_))) => known,
                        Some(Known::Float) | None => Known::Same(other),
                    }),
                    _ => {
                        let literal = self.literal(value).map(Known::Constant);
                        literal.or_else(|| self.is_float(value).then_some(Known::Float))
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

    fn unary(&mut self, e: &'a Expr, op: UnaryOp, operand: &'a Expr, dst: Dest) {
        if op == UnaryOp::Not && self.is_boolean(operand) {
            return self.boolean_value(e, dst);
        }
        let src = self.operand(operand);
        self.f.b.at(e.loc);
        self.native_or_call(Atom::ERLANG, Atom::new(op.as_str()), &[src], dst);
    }

    fn binop(&mut self, e: &'a Expr, op: BinaryOp, operands: &'a [Expr; 2], dst: Dest) {
        use BinaryOp as B;
        if self.is_boolean(e) {
            // Comparisons do not fail, but their operands may.
            return self.boolean_value(e, dst);
        }
        // OTP evaluates an operator between constants that fails by its function, which is in the stack trace then.
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
            // What a comprehension is put in front of is evaluated before it.
            let b = self.operand(&operands[1]);
            (self.operand(&operands[0]), b)
        } else {
            let a = self.operand(&operands[0]);
            (a, self.operand(&operands[1]))
        };
        // OTP's compiler puts a literal behind the other operand, where it may.
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
            // An instruction in OTP, which is not in the trace.
            self.f.b.hide(start, true);
        } else if !constants
            && matches!(op, B::Add | B::Sub | B::Mul)
            && operands.iter().any(|operand| self.is_float(operand))
        {
            // Instructions that convert to floats and compute with them.
            self.f.b.hide(start, true);
        }
        self.done(dst, d);
    }

    /// Does the shape of an expression tell that its value is a float?
    fn is_float(&self, e: &Expr) -> bool {
        use BinaryOp as B;
        with_stack(|| match &e.kind {
            ExprKind::Float(_) => true,
            ExprKind::Var(name) => match self.f.known.get(name) {
                Some(Known::Float) => true,
                Some(Known::Same(other)) => matches!(self.f.known.get(other), Some(Known::Float)),
                Some(Known::Constant(value)) => matches!(self.unit.heap.view(*value), View::Float(_)),
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
                (Callee::Local(name), [argument])
                    if !self.local.contains_key(&(name.atom, 1)) && !self.imported.contains_key(&(name.atom, 1)) =>
                {
                    match name.atom.as_str() {
                        "float" => true,
                        "abs" => self.is_float(argument),
                        _ => false,
                    }
                }
                (Callee::Remote { module, .. }, _) => matches!(module.kind, ExprKind::Atom(m) if m.as_str() == "math"),
                _ => false,
            },
            _ => false,
        })
    }

    fn small_literal(&mut self, e: &Expr) -> Option<i16> {
        self.literal(e)
            .and_then(Term::as_small)
            .and_then(|v| i16::try_from(v).ok())
    }

    /// `andalso` (`and` = true) and `orelse`.
    fn short_circuit(&mut self, e: &'a Expr, operands: &'a [Expr; 2], and: bool, dst: Dest) {
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
    pub(super) fn boolean_value(&mut self, e: &'a Expr, dst: Dest) {
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

    /// The type that `is_…/1` tests.
    pub(super) fn type_test(name: &str) -> Option<TypeTest> {
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

/// Where an expression starts: the first place in it.
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

/// Is its value always a map?
fn makes_map(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Map(_) | ExprKind::MapUpdate(..) => true,
        ExprKind::Block(body) => body.last().is_some_and(makes_map),
        _ => false,
    }
}
