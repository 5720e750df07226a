//! A module as OTP's abstract format in the external term format: what `term_to_binary(Forms)` gives for the forms of
//! `epp:parse_file/2` with `{location, {1, 1}}`. `tests/oracle/abstract_code.escript` compares the two.

use num_bigint::{BigInt, Sign};

use super::ast::*;
use super::builtin::is_builtin_type;
use super::stack::with_stack;
use crate::atom::Atom;

/// The module's forms, encoded.
pub fn to_external(module: &Module) -> Vec<u8> {
    let mut out = Encoder {
        bytes: vec![131],
        columns: true,
    };
    out.list(
        &module.order,
        |out, form| out.form(module, *form),
        |out| {
            out.tuple(2);
            out.name("eof");
            out.loc(module.eof);
        },
    );
    out.bytes
}

/// Expressions as a list, encoded; places are lines alone unless `columns`.
pub fn exprs_to_external(exprs: &[Expr], columns: bool) -> Vec<u8> {
    let mut out = Encoder {
        bytes: vec![131],
        columns,
    };
    out.exprs(exprs);
    out.bytes
}

struct Encoder {
    bytes: Vec<u8>,
    /// Are places `{Line, Column}`, or lines?
    columns: bool,
}

impl Encoder {
    fn u32(&mut self, value: usize) {
        let value = u32::try_from(value).expect("a module's lists and names are counted in 32 bits");
        self.bytes.extend(value.to_be_bytes());
    }

    fn tuple(&mut self, arity: usize) {
        match u8::try_from(arity) {
            Ok(arity) => self.bytes.extend([104, arity]),
            Err(_) => {
                self.bytes.push(105);
                self.u32(arity);
            }
        }
    }

    fn name(&mut self, name: &str) {
        match u8::try_from(name.len()) {
            Ok(length) => self.bytes.extend([119, length]),
            Err(_) => {
                self.bytes.push(118);
                self.bytes.extend(
                    u16::try_from(name.len())
                        .expect("atoms have at most 255 characters")
                        .to_be_bytes(),
                );
            }
        }
        self.bytes.extend(name.as_bytes());
    }

    fn atom(&mut self, atom: Atom) {
        self.name(atom.as_str());
    }

    fn integer(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value @ 0..=255) => self.bytes.extend([97, value as u8]),
            Ok(value) => {
                self.bytes.push(98);
                self.bytes.extend(value.to_be_bytes());
            }
            Err(_) => self.big(&BigInt::from(value)),
        }
    }

    fn big(&mut self, value: &BigInt) {
        let (sign, digits) = value.to_bytes_le();
        match u8::try_from(digits.len()) {
            Ok(length) => self.bytes.extend([110, length]),
            Err(_) => {
                self.bytes.push(111);
                self.u32(digits.len());
            }
        }
        self.bytes.push(u8::from(sign == Sign::Minus));
        self.bytes.extend(digits);
    }

    fn float(&mut self, value: f64) {
        self.bytes.push(70);
        self.bytes.extend(value.to_be_bytes());
    }

    fn nil(&mut self) {
        self.bytes.push(106);
    }

    fn text(&mut self, text: &str) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        if codes.is_empty() {
            self.nil();
        } else if codes.len() <= 65_535 && codes.iter().all(|code| *code < 256) {
            self.bytes.push(107);
            self.bytes.extend((codes.len() as u16).to_be_bytes());
            self.bytes.extend(codes.iter().map(|code| *code as u8));
        } else {
            self.items(&codes, |out, code| out.integer(i64::from(*code)));
        }
    }

    /// A proper list.
    fn items<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Encoder, &T)) {
        if !items.is_empty() {
            self.bytes.push(108);
            self.u32(items.len());
            items.iter().for_each(|item| each(self, item));
        }
        self.nil();
    }

    /// A proper list with one more element.
    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Encoder, &T), last: impl FnOnce(&mut Encoder)) {
        self.bytes.push(108);
        self.u32(items.len() + 1);
        items.iter().for_each(|item| each(self, item));
        last(self);
        self.nil();
    }

    fn loc(&mut self, loc: Loc) {
        if !self.columns {
            return self.integer(i64::from(loc.line));
        }
        self.tuple(2);
        self.integer(i64::from(loc.line));
        self.integer(i64::from(loc.col));
    }

    /// `{Tag, Loc, …` with `more` elements to come.
    fn node(&mut self, tag: &str, loc: Loc, more: usize) {
        self.tuple(2 + more);
        self.name(tag);
        self.loc(loc);
    }

    fn leaf(&mut self, tag: &str, loc: Loc, atom: Atom) {
        self.node(tag, loc, 1);
        self.atom(atom);
    }

    fn fun_id(&mut self, id: FunId) {
        self.tuple(2);
        self.atom(id.name);
        self.integer(i64::from(id.arity));
    }
}

/// Forms.
impl Encoder {
    fn attribute(&mut self, loc: Loc, name: &str) {
        self.node("attribute", loc, 2);
        self.name(name);
    }

    fn form(&mut self, module: &Module, form: FormRef) {
        match form {
            FormRef::Module => {
                let name = module.name.expect("the form was made with the name");
                self.attribute(name.loc, "module");
                self.atom(name.atom);
            }
            FormRef::Export(index) => self.export("export", &module.exports[index]),
            FormRef::ExportType(index) => self.export("export_type", &module.export_types[index]),
            FormRef::Import(index) => {
                let import = &module.imports[index];
                self.attribute(import.loc, "import");
                self.tuple(2);
                self.atom(import.module);
                self.items(&import.items, |out, (_, id)| out.fun_id(*id));
            }
            FormRef::Record(index) => self.record_def(&module.records[index]),
            FormRef::Attribute(index) => {
                let attribute = &module.attributes[index];
                self.attribute(attribute.loc, attribute.name.as_str());
                self.term(&attribute.value);
            }
            FormRef::Type(index) => {
                let def = &module.types[index];
                self.attribute(def.loc, if def.opaque { "opaque" } else { "type" });
                self.tuple(3);
                self.atom(def.name);
                self.ty(&def.ty);
                self.items(&def.params, |out, param| out.leaf("var", param.loc, param.atom));
            }
            FormRef::Spec(index) => self.spec(&module.specs[index]),
            FormRef::Function(index) => {
                let function = &module.functions[index];
                self.node("function", function.loc, 3);
                self.atom(function.name);
                self.integer(i64::from(function.arity));
                self.items(&function.clauses, Encoder::fun_clause);
            }
            FormRef::File(index) => {
                let mark = &module.file_marks[index];
                self.attribute(mark.loc, "file");
                self.tuple(2);
                self.text(&module.files[usize::from(mark.file)]);
                self.integer(i64::from(mark.line));
            }
        }
    }

    fn export(&mut self, name: &str, export: &Export) {
        self.attribute(export.loc, name);
        self.items(&export.items, |out, (_, id)| out.fun_id(*id));
    }

    fn record_def(&mut self, def: &RecordDef) {
        self.attribute(def.loc, "record");
        self.tuple(2);
        self.atom(def.name);
        self.items(&def.fields, |out, field| {
            if field.ty.is_some() {
                out.tuple(3);
                out.name("typed_record_field");
            }
            out.node("record_field", field.loc, 1 + usize::from(field.default.is_some()));
            out.leaf("atom", field.loc, field.name);
            field.default.iter().for_each(|default| out.expr(default));
            field.ty.iter().for_each(|ty| out.ty(ty));
        });
    }

    fn spec(&mut self, spec: &Spec) {
        self.attribute(spec.loc, if spec.callback { "callback" } else { "spec" });
        self.tuple(2);
        match spec.module {
            Some(module) => {
                self.tuple(3);
                self.atom(module);
                self.atom(spec.id.name);
                self.integer(i64::from(spec.id.arity));
            }
            None => self.fun_id(spec.id),
        }
        self.items(&spec.sigs, |out, sig| {
            if sig.constraints.is_empty() {
                return out.fun_type(&sig.fun);
            }
            out.node("type", sig.fun.loc, 2);
            out.name("bounded_fun");
            out.bytes.push(108);
            out.u32(2);
            out.fun_type(&sig.fun);
            out.items(&sig.constraints, Encoder::constraint);
            out.nil();
        });
    }

    fn constraint(&mut self, constraint: &Constraint) {
        let Name { loc, atom } = constraint.var;
        self.node("type", loc, 2);
        self.name("constraint");
        self.bytes.push(108);
        self.u32(2);
        self.node("atom", loc, 1);
        self.name("is_subtype");
        self.bytes.push(108);
        self.u32(2);
        self.leaf("var", loc, atom);
        self.ty(&constraint.ty);
        self.nil();
        self.nil();
    }

    /// The value of a constant expression (`erl_parse:normalise/1`).
    fn term(&mut self, expr: &Expr) {
        with_stack(|| match &expr.kind {
            ExprKind::Char(c) => self.integer(i64::from(u32::from(*c))),
            ExprKind::Integer(value) => self.integer(*value),
            ExprKind::BigInteger(value) => self.big(value),
            ExprKind::Float(value) => self.float(*value),
            ExprKind::Atom(atom) => self.atom(*atom),
            ExprKind::String(text) => self.text(text),
            ExprKind::Nil => self.nil(),
            ExprKind::List(list) => {
                self.bytes.push(108);
                self.u32(list.items.len());
                list.items.iter().for_each(|item| self.term(item));
                match &list.tail {
                    Some(tail) => self.term(tail),
                    None => self.nil(),
                }
            }
            ExprKind::Tuple(items) => {
                self.tuple(items.len());
                items.iter().for_each(|item| self.term(item));
            }
            ExprKind::Map(fields) => {
                self.bytes.push(116);
                self.u32(fields.len());
                for field in fields {
                    self.term(&field.key);
                    self.term(&field.value);
                }
            }
            ExprKind::FunRemote(parts) => {
                self.bytes.push(113);
                parts.iter().for_each(|part| self.term(part));
            }
            ExprKind::Unary(op, operand) => match (op, &operand.kind) {
                (UnaryOp::Minus, ExprKind::Integer(value)) => self.big_or_small(-BigInt::from(*value)),
                (UnaryOp::Minus, ExprKind::Char(c)) => self.integer(-i64::from(u32::from(*c))),
                (UnaryOp::Minus, ExprKind::BigInteger(value)) => self.big_or_small(-(**value).clone()),
                (UnaryOp::Minus, ExprKind::Float(value)) => self.float(-value),
                _ => self.term(operand),
            },
            ExprKind::Binary(segments) => self.binary_term(segments),
            other => unreachable!("the parser accepts constant terms only in attributes, not {other:?}"),
        });
    }

    fn big_or_small(&mut self, value: BigInt) {
        match i64::try_from(&value) {
            Ok(value) => self.integer(value),
            Err(_) => self.big(&value),
        }
    }

    /// Bytes of whole-byte integer segments and strings; other binaries in attributes are written as the atom `'<<>>'`.
    fn binary_term(&mut self, segments: &[Segment<Expr>]) {
        let mut bytes = Vec::new();
        for segment in segments {
            let plain = segment.size.is_none() && matches!(segment.spec.ty, SegmentType::Integer | SegmentType::Utf8);
            match &segment.value.kind {
                ExprKind::String(text) if plain && segment.spec.ty == SegmentType::Utf8 => {
                    bytes.extend(text.as_bytes())
                }
                ExprKind::String(text) if plain => bytes.extend(text.chars().map(|c| c as u32 as u8)),
                ExprKind::Integer(value) if plain => bytes.push(*value as u8),
                _ => return self.name("<<>>"),
            }
        }
        self.bytes.push(109);
        self.u32(bytes.len());
        self.bytes.extend(bytes);
    }
}

/// Expressions.
impl Encoder {
    fn exprs(&mut self, exprs: &[Expr]) {
        self.items(exprs, Encoder::expr);
    }

    fn expr(&mut self, expr: &Expr) {
        with_stack(|| self.expr_here(expr));
    }

    fn expr_here(&mut self, expr: &Expr) {
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

    fn operator(&mut self, op: &str, loc: Loc, operands: &[Expr; 2]) {
        self.node("op", loc, 3);
        self.name(op);
        self.expr(&operands[0]);
        self.expr(&operands[1]);
    }

    fn map_field(&mut self, field: &MapField) {
        let tag = match field.op {
            MapOp::Assoc => "map_field_assoc",
            MapOp::Exact => "map_field_exact",
        };
        self.node(tag, field.loc, 2);
        self.expr(&field.key);
        self.expr(&field.value);
    }

    fn record_field<T>(&mut self, field: &RecordField<T>, value: impl FnOnce(&mut Encoder, &T)) {
        let Name { loc, atom } = field.name;
        self.node("record_field", loc, 2);
        self.leaf(if field.is_wildcard { "var" } else { "atom" }, loc, atom);
        value(self, &field.value);
    }

    fn record_index(&mut self, loc: Loc, index: &RecordIndex) {
        self.node("record_index", loc, 2);
        self.atom(index.name);
        self.leaf("atom", index.field.loc, index.field.atom);
    }

    fn segment<T>(&mut self, segment: &Segment<T>, value: impl FnOnce(&mut Encoder, &T)) {
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

    fn comprehension(&mut self, tag: &str, loc: Loc, comprehension: &Comprehension) {
        self.node(tag, loc, 2);
        self.expr(&comprehension.template);
        self.items(&comprehension.qualifiers, Encoder::qualifier);
    }

    fn qualifier(&mut self, qualifier: &Qualifier) {
        match qualifier {
            Qualifier::List { loc, pattern, expr } => {
                self.node("generate", *loc, 2);
                self.pattern(pattern);
                self.expr(expr);
            }
            Qualifier::Binary { loc, pattern, expr } => {
                self.node("b_generate", *loc, 2);
                self.pattern(pattern);
                self.expr(expr);
            }
            Qualifier::Map {
                loc,
                arrow,
                key,
                value,
                expr,
            } => {
                self.node("m_generate", *loc, 2);
                self.node("map_field_exact", *arrow, 2);
                self.pattern(key);
                self.pattern(value);
                self.expr(expr);
            }
            Qualifier::Filter(expr) => self.expr(expr),
        }
    }

    fn guard_and_body(&mut self, guard: &Guard, body: &[Expr]) {
        self.items(guard, |out, tests| out.exprs(tests));
        self.exprs(body);
    }

    fn fun_clause(&mut self, clause: &FunClause) {
        self.node("clause", clause.loc, 3);
        self.items(&clause.params, Encoder::pattern);
        self.guard_and_body(&clause.guard, &clause.body);
    }

    fn clause(&mut self, clause: &Clause) {
        self.node("clause", clause.loc, 3);
        self.items(std::slice::from_ref(&clause.pattern), Encoder::pattern);
        self.guard_and_body(&clause.guard, &clause.body);
    }

    fn catch_clause(&mut self, clause: &CatchClause) {
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

    fn maybe(&mut self, loc: Loc, block: &Maybe) {
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

/// Patterns.
impl Encoder {
    fn pattern(&mut self, pattern: &Pattern) {
        with_stack(|| self.pattern_here(pattern));
    }

    fn pattern_here(&mut self, pattern: &Pattern) {
        let loc = pattern.loc;
        match &pattern.kind {
            PatternKind::Wildcard => self.leaf("var", loc, Atom::WILDCARD),
            PatternKind::Var(name) => self.leaf("var", loc, *name),
            PatternKind::Atom(atom) => self.leaf("atom", loc, *atom),
            PatternKind::Integer(value) => {
                self.node("integer", loc, 1);
                self.integer(*value);
            }
            PatternKind::BigInteger(value) => {
                self.node("integer", loc, 1);
                self.big(value);
            }
            PatternKind::Float(value) => {
                self.node("float", loc, 1);
                self.float(*value);
            }
            PatternKind::Char(c) => {
                self.node("char", loc, 1);
                self.integer(i64::from(u32::from(*c)));
            }
            PatternKind::String(text) => {
                self.node("string", loc, 1);
                self.text(text);
            }
            PatternKind::Nil => self.node("nil", loc, 0),
            PatternKind::List(list) => {
                for (index, item) in list.items.iter().enumerate() {
                    let place = if index == 0 { loc } else { item.first_loc() };
                    self.node("cons", place, 2);
                    self.pattern(item);
                }
                match &list.tail {
                    Some(tail) => self.pattern(tail),
                    None => self.node("nil", list.end, 0),
                }
            }
            PatternKind::Tuple(items) => {
                self.node("tuple", loc, 1);
                self.items(items, Encoder::pattern);
            }
            PatternKind::Map(fields) => {
                self.node("map", loc, 1);
                self.items(fields, |out, field| {
                    out.node("map_field_exact", field.loc, 2);
                    out.expr(&field.key);
                    out.pattern(&field.value);
                });
            }
            PatternKind::Record(record) => {
                self.node("record", loc, 2);
                self.atom(record.name);
                self.items(&record.fields, |out, field| out.record_field(field, Encoder::pattern));
            }
            PatternKind::RecordIndex(index) => self.record_index(loc, index),
            PatternKind::Binary(segments) => {
                self.node("bin", loc, 1);
                self.items(segments, |out, segment| out.segment(segment, Encoder::pattern));
            }
            PatternKind::Match(both) => {
                self.node("match", loc, 2);
                self.pattern(&both[0]);
                self.pattern(&both[1]);
            }
            PatternKind::Append(both) => {
                self.node("op", loc, 3);
                self.name("++");
                self.pattern(&both[0]);
                self.pattern(&both[1]);
            }
            PatternKind::Const(constant) => self.expr(&constant.expr),
        }
    }
}

/// Types.
impl Encoder {
    fn named(&mut self, name: &str, loc: Loc) {
        self.node("type", loc, 2);
        self.name(name);
    }

    fn ty(&mut self, ty: &Type) {
        with_stack(|| self.ty_here(ty));
    }

    fn ty_here(&mut self, ty: &Type) {
        let loc = ty.loc;
        match &ty.kind {
            TypeKind::Var(name) => self.leaf("var", loc, *name),
            TypeKind::Atom(atom) => self.leaf("atom", loc, *atom),
            TypeKind::Integer(value) => {
                self.node("integer", loc, 1);
                self.integer(*value);
            }
            TypeKind::BigInteger(value) => {
                self.node("integer", loc, 1);
                self.big(value);
            }
            TypeKind::Char(c) => {
                self.node("char", loc, 1);
                self.integer(i64::from(u32::from(*c)));
            }
            TypeKind::Unary(op, operand) => {
                self.node("op", loc, 2);
                self.name(op.as_str());
                self.ty(operand);
            }
            TypeKind::Binop(op, operands) => {
                self.node("op", loc, 3);
                self.name(op.as_str());
                operands.iter().for_each(|operand| self.ty(operand));
            }
            TypeKind::Annotated(name, inner) => {
                self.node("ann_type", loc, 1);
                self.bytes.push(108);
                self.u32(2);
                self.leaf("var", name.loc, name.atom);
                self.ty(inner);
                self.nil();
            }
            TypeKind::Union(types) => {
                self.named("union", loc);
                self.items(types, Encoder::ty);
            }
            TypeKind::Range(ends) => {
                self.named("range", loc);
                self.items(&ends[..], Encoder::ty);
            }
            TypeKind::Nil => {
                self.named("nil", loc);
                self.nil();
            }
            TypeKind::List(item) => {
                self.named("list", loc);
                self.items(std::slice::from_ref(&**item), Encoder::ty);
            }
            TypeKind::NonemptyList(item) => {
                self.named("nonempty_list", loc);
                self.items(std::slice::from_ref(&**item), Encoder::ty);
            }
            TypeKind::Map(fields) => {
                self.named("map", loc);
                self.items(fields, |out, field| {
                    out.named(
                        if field.op == MapOp::Assoc {
                            "map_field_assoc"
                        } else {
                            "map_field_exact"
                        },
                        field.loc,
                    );
                    out.items(&[&field.key, &field.value], |out, part| out.ty(part));
                });
            }
            TypeKind::Tuple(types) => {
                self.named("tuple", loc);
                self.items(types, Encoder::ty);
            }
            TypeKind::Record(name, fields) => {
                self.named("record", loc);
                self.bytes.push(108);
                self.u32(1 + fields.len());
                self.leaf("atom", name.loc, name.atom);
                for field in fields {
                    self.named("field_type", field.name.loc);
                    self.bytes.push(108);
                    self.u32(2);
                    self.leaf("atom", field.name.loc, field.name.atom);
                    self.ty(&field.ty);
                    self.nil();
                }
                self.nil();
            }
            TypeKind::Binary(parts) => {
                self.named("binary", loc);
                self.items(&[&parts.base, &parts.unit], |out, part| match part {
                    Some(ty) => out.ty(ty),
                    // `erl_parse` makes this zero itself, and keeps the line only.
                    None => {
                        out.tuple(3);
                        out.name("integer");
                        out.integer(i64::from(loc.line));
                        out.integer(0);
                    }
                });
            }
            TypeKind::AnyFun => {
                self.named("fun", loc);
                self.nil();
            }
            TypeKind::Fun(fun) => self.fun_type(fun),
            TypeKind::Named(name, args) => {
                let any = args.is_empty() && matches!(name.as_str(), "tuple" | "map");
                self.node(
                    if is_builtin_type(*name, args.len()) {
                        "type"
                    } else {
                        "user_type"
                    },
                    loc,
                    2,
                );
                self.atom(*name);
                if any {
                    self.name("any");
                } else {
                    self.items(args, Encoder::ty);
                }
            }
            TypeKind::Remote(module, name, args) => {
                self.node("remote_type", loc, 1);
                self.bytes.push(108);
                self.u32(3);
                self.leaf("atom", module.loc, module.atom);
                self.leaf("atom", name.loc, name.atom);
                self.items(args, Encoder::ty);
                self.nil();
            }
        }
    }

    fn fun_type(&mut self, fun: &FunType) {
        self.named("fun", fun.loc);
        self.bytes.push(108);
        self.u32(2);
        match &fun.params {
            Some(params) => {
                self.named("product", fun.loc);
                self.items(params, Encoder::ty);
            }
            None => {
                self.node("type", fun.loc, 1);
                self.name("any");
            }
        }
        self.ty(&fun.result);
        self.nil();
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{NoIncludes, Options, parse_module};

    /// The form after the file mark and before the end, as `erl` gives it:
    /// `term_to_binary([{attribute,{1,1},file,{"m",1}},{attribute,{1,2},module,m},{eof,{1,13}}])`, atoms in UTF-8.
    #[test]
    fn a_small_module_encodes_as_otp_does() {
        let module = parse_module("m", b"-module(m).\n", &Options::default(), &NoIncludes)
            .unwrap()
            .module;
        let bytes = super::to_external(&module);
        let mut expected = vec![131, 108, 0, 0, 0, 3];
        expected.extend(b"\x68\x04\x77\x09attribute\x68\x02\x61\x01\x61\x01\x77\x04file\x68\x02\x6b\x00\x01m\x61\x01");
        expected.extend(b"\x68\x04\x77\x09attribute\x68\x02\x61\x01\x61\x02\x77\x06module\x77\x01m");
        expected.extend(b"\x68\x02\x77\x03eof\x68\x02\x61\x02\x61\x01\x6a");
        assert_eq!(bytes, expected);
    }
}
