//! Expressions.

use super::Encoder;
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;

impl Encoder {
    pub(super) fn exprs(&mut self, exprs: &[Expr]) {
        self.items(exprs, Encoder::expr);
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        with_stack(|| self.expr_here(expr));
    }

    #[expect(clippy::too_many_lines, reason = "a table: for each sort of expression, its tuple")]
    pub(super) fn expr_here(&mut self, expr: &Expr) {
        let loc = expr.loc;
        match &expr.kind {
            ExprKind::Var(name) => self.leaf("var", loc, *name),
            ExprKind::Atom(atom) => self.leaf("atom", loc, *atom),
            ExprKind::Integer(value) => {
                self.node("integer", loc, 1);
                self.integer(*value);
            }
            ExprKind::BigInteger(value) => {
                self.node("integer", loc, 1);
                self.big(value);
            }
            ExprKind::Float(value) => {
                self.node("float", loc, 1);
                self.float(*value);
            }
            ExprKind::Char(c) => {
                self.node("char", loc, 1);
                self.integer(i64::from(u32::from(*c)));
            }
            ExprKind::String(text) => {
                self.node("string", loc, 1);
                self.text(text);
            }
            ExprKind::Nil => self.node("nil", loc, 0),
            ExprKind::List(list) => {
                for (index, item) in list.items.iter().enumerate() {
                    let place = if index == 0 { loc } else { item.first_loc() };
                    self.node("cons", place, 2);
                    self.expr(item);
                }
                match &list.tail {
                    Some(tail) => self.expr(tail),
                    None => self.node("nil", list.end, 0),
                }
            }
            ExprKind::Tuple(items) => {
                self.node("tuple", loc, 1);
                self.exprs(items);
            }
            ExprKind::Map(fields) => {
                self.node("map", loc, 1);
                self.items(fields, Encoder::map_field);
            }
            ExprKind::MapUpdate(map, fields) => {
                self.node("map", loc, 2);
                self.expr(map);
                self.items(fields, Encoder::map_field);
            }
            ExprKind::Record(record) => {
                self.node("record", loc, 2);
                self.atom(record.name);
                self.items(&record.fields, |out, field| out.record_field(field, Encoder::expr));
            }
            ExprKind::RecordUpdate(update) => {
                self.node("record", loc, 3);
                self.expr(&update.record);
                self.atom(update.name);
                self.items(&update.fields, |out, field| out.record_field(field, Encoder::expr));
            }
            ExprKind::RecordAccess(access) => {
                self.node("record_field", loc, 3);
                self.expr(&access.record);
                self.atom(access.name);
                self.leaf("atom", access.field.loc, access.field.atom);
            }
            ExprKind::RecordIndex(index) => self.record_index(loc, index),
            ExprKind::Binary(segments) => {
                self.node("bin", loc, 1);
                self.items(segments, |out, segment| out.segment(segment, Encoder::expr));
            }
            ExprKind::ListComp(comprehension) => self.comprehension("lc", loc, comprehension),
            ExprKind::BinaryComp(comprehension) => self.comprehension("bc", loc, comprehension),
            ExprKind::MapComp(comprehension) => {
                self.node("mc", loc, 2);
                self.node("map_field_assoc", comprehension.arrow, 2);
                self.expr(&comprehension.key);
                self.expr(&comprehension.value);
                self.items(&comprehension.qualifiers, Encoder::qualifier);
            }
            ExprKind::Match(matching) => {
                self.node("match", loc, 2);
                self.pattern(&matching.pattern);
                self.expr(&matching.value);
            }
            ExprKind::Unary(op, operand) => {
                self.node("op", loc, 2);
                self.name(op.as_str());
                self.expr(operand);
            }
            ExprKind::Binop(op, operands) => self.operator(op.as_str(), loc, operands),
            ExprKind::AndAlso(operands) => self.operator("andalso", loc, operands),
            ExprKind::OrElse(operands) => self.operator("orelse", loc, operands),
            ExprKind::Call(call) => {
                self.node("call", loc, 2);
                match &call.callee {
                    Callee::Local(name) => self.leaf("atom", name.loc, name.atom),
                    Callee::Remote { loc, module, function } => {
                        self.node("remote", *loc, 2);
                        self.expr(module);
                        self.expr(function);
                    }
                    Callee::Dynamic(fun) => self.expr(fun),
                }
                self.exprs(&call.args);
            }
            ExprKind::Fun(clauses) => {
                self.node("fun", loc, 1);
                self.tuple(2);
                self.name("clauses");
                self.items(clauses, Encoder::fun_clause);
            }
            ExprKind::NamedFun(name, clauses) => {
                self.node("named_fun", loc, 2);
                self.atom(*name);
                self.items(clauses, Encoder::fun_clause);
            }
            ExprKind::FunLocal(id) => {
                self.node("fun", loc, 1);
                self.tuple(3);
                self.name("function");
                self.atom(id.name);
                self.integer(i64::from(id.arity));
            }
            ExprKind::Remote(parts) => {
                self.node("remote", loc, 2);
                self.expr(&parts[0]);
                self.expr(&parts[1]);
            }
            ExprKind::FunRemote(parts) => {
                self.node("fun", loc, 1);
                self.tuple(4);
                self.name("function");
                parts.iter().for_each(|part| self.expr(part));
            }
            ExprKind::Block(body) => {
                self.node("block", loc, 1);
                self.exprs(body);
            }
            ExprKind::If(clauses) => {
                self.node("if", loc, 1);
                self.items(clauses, |out, clause| {
                    out.node("clause", clause.loc, 3);
                    out.nil();
                    out.guard_and_body(&clause.guard, &clause.body);
                });
            }
            ExprKind::Case(subject, clauses) => {
                self.node("case", loc, 2);
                self.expr(subject);
                self.items(clauses, Encoder::clause);
            }
            ExprKind::Receive(receive) => {
                self.node("receive", loc, if receive.after.is_some() { 3 } else { 1 });
                self.items(&receive.clauses, Encoder::clause);
                if let Some((timeout, body)) = &receive.after {
                    self.expr(timeout);
                    self.exprs(body);
                }
            }
            ExprKind::Try(parts) => {
                self.node("try", loc, 4);
                self.exprs(&parts.body);
                self.items(&parts.of, Encoder::clause);
                self.items(&parts.catch, Encoder::catch_clause);
                self.exprs(&parts.after);
            }
            ExprKind::Catch(body) => {
                self.node("catch", loc, 1);
                self.expr(body);
            }
            ExprKind::Maybe(block) => self.maybe(loc, block),
        }
    }

    pub(super) fn operator(&mut self, op: &str, loc: Loc, operands: &[Expr; 2]) {
        self.node("op", loc, 3);
        self.name(op);
        self.expr(&operands[0]);
        self.expr(&operands[1]);
    }

    pub(super) fn map_field(&mut self, field: &MapField) {
        let tag = match field.op {
            MapOp::Assoc => "map_field_assoc",
            MapOp::Exact => "map_field_exact",
        };
        self.node(tag, field.loc, 2);
        self.expr(&field.key);
        self.expr(&field.value);
    }

    pub(super) fn record_field<T>(&mut self, field: &RecordField<T>, value: impl FnOnce(&mut Encoder, &T)) {
        let Name { loc, atom } = field.name;
        self.node("record_field", loc, 2);
        self.leaf(if field.is_wildcard { "var" } else { "atom" }, loc, atom);
        value(self, &field.value);
    }

    pub(super) fn record_index(&mut self, loc: Loc, index: &RecordIndex) {
        self.node("record_index", loc, 2);
        self.atom(index.name);
        self.leaf("atom", index.field.loc, index.field.atom);
    }

    pub(super) fn segment<T>(&mut self, segment: &Segment<T>, value: impl FnOnce(&mut Encoder, &T)) {
        self.node("bin_element", segment.loc, 3);
        value(self, &segment.value);
        match &segment.size {
            Some(size) => self.expr(size),
            None => self.name("default"),
        }
        if segment.written.is_empty() {
            return self.name("default");
        }
        self.items(&segment.written, |out, item| match item {
            SpecItem::Name(name) => out.atom(*name),
            SpecItem::Unit(name, value) => {
                out.tuple(2);
                out.atom(*name);
                out.integer(*value);
            }
        });
    }

    pub(super) fn comprehension(&mut self, tag: &str, loc: Loc, comprehension: &Comprehension) {
        self.node(tag, loc, 2);
        self.expr(&comprehension.template);
        self.items(&comprehension.qualifiers, Encoder::qualifier);
    }

    pub(super) fn qualifier(&mut self, qualifier: &Qualifier) {
        match qualifier {
            Qualifier::Generator(generator) => self.generator(generator),
            Qualifier::Zip(loc, generators) => {
                self.node("zip", *loc, 1);
                self.items(generators, Encoder::generator);
            }
            Qualifier::Filter(expr) => self.expr(expr),
        }
    }

    fn generator(&mut self, generator: &Generator) {
        let tag = match (&generator.element, generator.strict) {
            (Element::List(_), false) => "generate",
            (Element::List(_), true) => "generate_strict",
            (Element::Binary(_), false) => "b_generate",
            (Element::Binary(_), true) => "b_generate_strict",
            (Element::Map { .. }, false) => "m_generate",
            (Element::Map { .. }, true) => "m_generate_strict",
        };
        self.node(tag, generator.loc, 2);
        if let Element::Map { arrow, .. } = generator.element {
            self.node("map_field_exact", arrow, 2);
        }
        generator.element.patterns().iter().for_each(|p| self.pattern(p));
        self.expr(&generator.expr);
    }

    pub(super) fn guard_and_body(&mut self, guard: &Guard, body: &[Expr]) {
        self.items(guard, |out, tests| out.exprs(tests));
        self.exprs(body);
    }

    pub(super) fn fun_clause(&mut self, clause: &FunClause) {
        self.node("clause", clause.loc, 3);
        self.items(&clause.params, Encoder::pattern);
        self.guard_and_body(&clause.guard, &clause.body);
    }

    pub(super) fn clause(&mut self, clause: &Clause) {
        self.node("clause", clause.loc, 3);
        self.items(std::slice::from_ref(&clause.pattern), Encoder::pattern);
        self.guard_and_body(&clause.guard, &clause.body);
    }

    pub(super) fn catch_clause(&mut self, clause: &CatchClause) {
        let loc = clause.loc;
        self.node("clause", loc, 3);
        self.items(&[clause], |out, clause| {
            out.node("tuple", loc, 1);
            out.bytes.push(108);
            out.u32(3);
            match clause.class {
                CatchClass::Default => out.leaf("atom", loc, Atom::THROW),
                CatchClass::Atom(class) => out.leaf("atom", loc, class),
                CatchClass::Var(class) => out.leaf("var", loc, class),
            }
            out.pattern(&clause.reason);
            match clause.stack {
                Some(stack) => out.leaf("var", stack.loc, stack.atom),
                None => out.leaf("var", clause.stack_loc, Atom::WILDCARD),
            }
            out.nil();
        });
        self.guard_and_body(&clause.guard, &clause.body);
    }

    pub(super) fn maybe(&mut self, loc: Loc, block: &Maybe) {
        self.node("maybe", loc, 1 + usize::from(block.otherwise.is_some()));
        self.items(&block.body, |out, step| match step {
            MaybeStep::Expr(expr) => out.expr(expr),
            MaybeStep::Match { loc, pattern, value } => {
                out.node("maybe_match", *loc, 2);
                out.pattern(pattern);
                out.expr(value);
            }
        });
        if let Some((loc, clauses)) = &block.otherwise {
            self.node("else", *loc, 1);
            self.items(clauses, Encoder::clause);
        }
    }
}
