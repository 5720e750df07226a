//! Forms.

use num_bigint::BigInt;

use super::Encoder;
use crate::ast::*;
use crate::stack::with_stack;

impl Encoder {
    pub(super) fn attribute(&mut self, loc: Loc, name: &str) {
        self.node("attribute", loc, 2);
        self.name(name);
    }

    pub(super) fn form(&mut self, module: &Module, form: FormRef) {
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
                self.attribute(def.loc, def.kind.as_str());
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

    pub(super) fn export(&mut self, name: &str, export: &Export) {
        self.attribute(export.loc, name);
        self.items(&export.items, |out, (_, id)| out.fun_id(*id));
    }

    pub(super) fn record_def(&mut self, def: &RecordDef) {
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

    pub(super) fn spec(&mut self, spec: &Spec) {
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

    pub(super) fn constraint(&mut self, constraint: &Constraint) {
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
    pub(super) fn term(&mut self, expr: &Expr) {
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
            // What a documentation attribute says a function is equal to.
            ExprKind::Call(_) => self.expr(expr),
            other => unreachable!("the parser accepts constant terms only in attributes, not {other:?}"),
        });
    }

    pub(super) fn big_or_small(&mut self, value: BigInt) {
        match i64::try_from(&value) {
            Ok(value) => self.integer(value),
            Err(_) => self.big(&value),
        }
    }

    /// Integer segments of a literal size that counts bits from the most significant one, and strings; other binaries in attributes are written
    /// as the atom `'<<>>'`.
    pub(super) fn binary_term(&mut self, segments: &[Segment<Expr>]) {
        let mut bits = Bits::default();
        for segment in segments {
            let plain = segment.size.is_none() && matches!(segment.spec.ty, SegmentType::Integer | SegmentType::Utf8);
            let size = match segment.size.as_deref().map(|size| &size.kind) {
                None => Some(8),
                Some(ExprKind::Integer(size)) => u32::try_from(*size).ok().filter(|size| *size <= 64),
                Some(_) => None,
            };
            let is_sized = segment.spec.ty == SegmentType::Integer
                && segment.spec.unit == 1
                && (segment.spec.endian == Endian::Big || plain);
            match (&segment.value.kind, size) {
                (ExprKind::String(text), _) if plain && segment.spec.ty == SegmentType::Utf8 => {
                    text.bytes().for_each(|byte| bits.push(i64::from(byte), 8));
                }
                (ExprKind::String(text), _) if plain => {
                    text.chars().for_each(|c| bits.push(i64::from(u32::from(c)), 8));
                }
                (ExprKind::Integer(value), Some(size)) if is_sized => bits.push(*value, size),
                (ExprKind::Integer(value), _) if plain => bits.push(*value, 8),
                _ => return self.name("<<>>"),
            }
        }
        match bits.free {
            0 => {
                self.bytes.push(109);
                self.u32(bits.bytes.len());
            }
            free => {
                self.bytes.push(77);
                self.u32(bits.bytes.len());
                self.bytes.push(8 - free);
            }
        }
        self.bytes.extend(bits.bytes);
    }
}

/// Bits side by side.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// How many bits of the last byte are not used.
    free: u8,
}

impl Bits {
    /// The last `size` bits of a value.
    fn push(&mut self, value: i64, size: u32) {
        for bit in (0..size).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit.min(63) & 1) as u8) << self.free;
            }
        }
    }
}
