//! Types.

use super::Encoder;
use crate::ast::*;
use crate::builtin::is_builtin_type;
use crate::stack::with_stack;

impl Encoder {
    pub(super) fn named(&mut self, name: &str, loc: Loc) {
        self.node("type", loc, 2);
        self.name(name);
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        with_stack(|| self.ty_here(ty));
    }

    #[expect(clippy::too_many_lines, reason = "a table: for each sort of type, its tuple")]
    pub(super) fn ty_here(&mut self, ty: &Type) {
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
                        out.loc(Loc { col: 0, ..loc });
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

    pub(super) fn fun_type(&mut self, fun: &FunType) {
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
