//! Types.

use super::error::{FormResult, Inside};
use super::{FormNode, FormReader, Id, Integer};
use crate::ast::*;

const TYPE: &str = "a type";
const FUN_TYPE: &str = "a function type {type, Anno, 'fun', [Product, Result]}";
const BOUNDED: &str = "[FunctionType, Constraints]";
const CONSTRAINT: &str = "a constraint {type, Anno, constraint, [{atom, Anno, is_subtype}, [Variable, Type]]}";

impl FormReader<'_> {
    pub(super) fn ty(&mut self, id: Id) -> FormResult<Type> {
        self.nested(|reader| {
            let node = reader.node(id, TYPE)?;
            let loc = node.loc;
            // A type in parentheses, in forms made by OTP 18 and before.
            if let ("paren_type", [inner]) = (node.tag, node.args) {
                let [inner] = reader.items(*inner, "a list of one type").inside(3).near(loc)?[..] else {
                    return Err(reader.illegal(*inner, "a list of one type")).inside(3).near(loc);
                };
                return reader.ty(inner).inside(1).inside(3);
            }
            Ok(Type::new(loc, reader.type_kind(id, node).near(loc)?))
        })
    }

    fn types(&mut self, id: Id) -> FormResult<Vec<Type>> {
        self.list(id, "a list of types", Self::ty)
    }

    fn type_kind(&mut self, id: Id, node: FormNode<'_>) -> FormResult<TypeKind> {
        Ok(match (node.tag, node.args) {
            ("var", [name]) => TypeKind::Var(self.atom(*name, "a variable's name, an atom").inside(3)?),
            ("atom", [atom]) => TypeKind::Atom(self.atom(*atom, "an atom").inside(3)?),
            ("integer", [value]) => match self.integer(*value).inside(3)? {
                Integer::Small(value) => TypeKind::Integer(value),
                Integer::Big(value) => TypeKind::BigInteger(value),
            },
            ("char", [code]) => TypeKind::Char(self.character(*code).inside(3)?),
            ("op", [op, operand]) => {
                let op = self.terms.atom(*op).and_then(UnaryOp::named);
                let op = op.ok_or_else(|| self.illegal(id, "an operator with one operand"))?;
                TypeKind::Unary(op, Box::new(self.ty(*operand).inside(4)?))
            }
            ("op", [op, left, right]) => {
                let op = self.terms.atom(*op).and_then(BinaryOp::named);
                let op = op.ok_or_else(|| self.illegal(id, "an operator with two operands"))?;
                TypeKind::Binop(op, Box::new([self.ty(*left).inside(4)?, self.ty(*right).inside(5)?]))
            }
            ("ann_type", [parts]) => {
                let [name, ty] = self.items(*parts, "[Variable, Type]").inside(3)?[..] else {
                    return Err(self.illegal(*parts, "[Variable, Type]")).inside(3);
                };
                let name = self.leaf(name, "var", "a variable {var, Anno, Name}");
                let name = name.inside(1).inside(3)?;
                TypeKind::Annotated(name, Box::new(self.ty(ty).inside(2).inside(3)?))
            }
            ("user_type", [name, args]) => {
                let name = self.atom(*name, "a type's name, an atom").inside(3)?;
                TypeKind::Named(name, self.types(*args).inside(4)?)
            }
            ("remote_type", [parts]) => {
                const PARTS: &str = "[Module, Name, Arguments]";
                let [module, name, args] = self.items(*parts, PARTS).inside(3)?[..] else {
                    return Err(self.illegal(*parts, PARTS)).inside(3);
                };
                let module = self.leaf(module, "atom", "a module as {atom, Anno, Name}");
                let module = module.inside(1).inside(3)?;
                let name = self.leaf(name, "atom", "a type's name as {atom, Anno, Name}");
                let name = name.inside(2).inside(3)?;
                TypeKind::Remote(module, name, self.types(args).inside(3).inside(3)?)
            }
            ("type", [name, args]) => self.built_in(id, node.loc, *name, *args)?,
            _ => return Err(self.illegal(id, TYPE)),
        })
    }

    /// `{type, Loc, Name, Args}`
    fn built_in(&mut self, id: Id, loc: Loc, name: Id, args: Id) -> FormResult<TypeKind> {
        let terms = self.terms;
        let tag = terms.atom(name);
        if terms.atom(args) == Some("any") && matches!(tag, Some("tuple" | "map")) {
            return Ok(TypeKind::Named(self.atom(name, TYPE)?, Vec::new()));
        }
        let items = self.items(args, "a list of types").inside(4)?;
        Ok(match (tag, &items[..]) {
            (Some("union"), _) => TypeKind::Union(self.types(args).inside(4)?),
            (Some("tuple"), _) => TypeKind::Tuple(self.types(args).inside(4)?),
            (Some("nil"), []) => TypeKind::Nil,
            (Some("list"), [item]) => TypeKind::List(Box::new(self.ty(*item).inside(1).inside(4)?)),
            (Some("nonempty_list"), [item]) => TypeKind::NonemptyList(Box::new(self.ty(*item).inside(1).inside(4)?)),
            (Some("range"), [from, to]) => TypeKind::Range(Box::new([
                self.ty(*from).inside(1).inside(4)?,
                self.ty(*to).inside(2).inside(4)?,
            ])),
            (Some("binary"), [base, unit]) => TypeKind::Binary(Box::new(BinaryType {
                base: self.part(loc, *base).inside(1).inside(4)?,
                unit: self.part(loc, *unit).inside(2).inside(4)?,
            })),
            (Some("map"), _) => TypeKind::Map(
                self.list(args, "a list of map fields", Self::map_field_type)
                    .inside(4)?,
            ),
            (Some("record"), [name, fields @ ..]) => {
                let name = self.leaf(*name, "atom", "a record's name as {atom, Anno, Name}");
                let name = name.inside(1).inside(4)?;
                let read = |(index, field): (usize, &Id)| self.field_type(*field).inside(index + 2).inside(4);
                TypeKind::Record(name, fields.iter().enumerate().map(read).collect::<FormResult<_>>()?)
            }
            (Some("fun"), []) => TypeKind::AnyFun,
            (Some("fun"), [params, result]) => TypeKind::Fun(self.fun_parts(loc, *params, *result).inside(4)?),
            (Some("product" | "bounded_fun" | "constraint" | "field_type"), _) => {
                return Err(self.illegal(id, TYPE));
            }
            _ => {
                let name = self.atom(name, "a type's name, an atom").inside(3)?;
                TypeKind::Named(name, self.types(args).inside(4)?)
            }
        })
    }

    /// Base or unit of a binary type: `erl_parse` itself makes the zero for one that is not written, and gives it the line only.
    fn part(&mut self, loc: Loc, id: Id) -> FormResult<Option<Type>> {
        let part = self.ty(id)?;
        let is_made = matches!(part.kind, TypeKind::Integer(0)) && part.loc.line == loc.line && part.loc.col == 0;
        Ok((!is_made).then_some(part))
    }

    fn map_field_type(&mut self, id: Id) -> FormResult<MapFieldType> {
        const FIELD: &str = "{type, Anno, map_field_assoc, [Key, Value]}";
        let node = self.node(id, FIELD)?;
        let ("type", [tag, parts]) = (node.tag, node.args) else {
            return Err(self.illegal(id, FIELD));
        };
        let op = match self.terms.atom(*tag) {
            Some("map_field_assoc") => MapOp::Assoc,
            Some("map_field_exact") => MapOp::Exact,
            _ => return Err(self.illegal(id, FIELD)),
        };
        let [key, value] = self.items(*parts, "[Key, Value]").inside(4)?[..] else {
            return Err(self.illegal(*parts, "[Key, Value]")).inside(4).near(node.loc);
        };
        Ok(MapFieldType {
            loc: node.loc,
            op,
            key: self.ty(key).inside(1).inside(4)?,
            value: self.ty(value).inside(2).inside(4)?,
        })
    }

    fn field_type(&mut self, id: Id) -> FormResult<RecordFieldType> {
        const FIELD: &str = "{type, Anno, field_type, [Name, Type]}";
        let node = self.node(id, FIELD)?;
        let ("type", [tag, parts]) = (node.tag, node.args) else {
            return Err(self.illegal(id, FIELD));
        };
        if self.terms.atom(*tag) != Some("field_type") {
            return Err(self.illegal(id, FIELD));
        }
        let [name, ty] = self.items(*parts, "[Name, Type]").inside(4)?[..] else {
            return Err(self.illegal(*parts, "[Name, Type]")).inside(4).near(node.loc);
        };
        Ok(RecordFieldType {
            name: self
                .leaf(name, "atom", "a field's name as {atom, Anno, Name}")
                .inside(1)
                .inside(4)?,
            ty: self.ty(ty).inside(2).inside(4)?,
        })
    }

    /// Arguments and result of a function type.
    fn fun_parts(&mut self, loc: Loc, params: Id, result: Id) -> FormResult<FunType> {
        const PARAMS: &str = "{type, Anno, product, Types} or {type, Anno, any}";
        let node = self.node(params, PARAMS).inside(1)?;
        let params = match (node.tag, node.args) {
            ("type", [any]) if self.terms.atom(*any) == Some("any") => None,
            ("type", [product, types]) if self.terms.atom(*product) == Some("product") => {
                Some(self.types(*types).inside(4).inside(1)?)
            }
            _ => return Err(self.illegal(params, PARAMS)).inside(1),
        };
        let result = Box::new(self.ty(result).inside(2)?);
        Ok(FunType { loc, params, result })
    }

    fn fun_type(&mut self, id: Id) -> FormResult<FunType> {
        let node = self.node(id, FUN_TYPE)?;
        let ("type", [tag, parts]) = (node.tag, node.args) else {
            return Err(self.illegal(id, FUN_TYPE));
        };
        match (self.terms.atom(*tag), &self.items(*parts, FUN_TYPE).inside(4)?[..]) {
            (Some("fun"), [params, result]) => self.fun_parts(node.loc, *params, *result).inside(4).near(node.loc),
            _ => Err(self.illegal(id, FUN_TYPE)),
        }
    }

    /// One alternative of a spec.
    pub(super) fn signature(&mut self, id: Id) -> FormResult<Signature> {
        let node = self.node(id, FUN_TYPE)?;
        let ("type", [tag, parts]) = (node.tag, node.args) else {
            return Err(self.illegal(id, FUN_TYPE));
        };
        if self.terms.atom(*tag) != Some("bounded_fun") {
            return Ok(Signature {
                fun: self.fun_type(id)?,
                constraints: Vec::new(),
            });
        }
        let [fun, constraints] = self.items(*parts, BOUNDED).inside(4)?[..] else {
            return Err(self.illegal(*parts, BOUNDED)).inside(4).near(node.loc);
        };
        let fun = self.fun_type(fun).inside(1).inside(4).near(node.loc)?;
        let constraints = self.list(constraints, "a list of constraints", Self::constraint);
        Ok(Signature {
            fun,
            constraints: constraints.inside(2).inside(4).near(node.loc)?,
        })
    }

    fn constraint(&mut self, id: Id) -> FormResult<Constraint> {
        let node = self.node(id, CONSTRAINT)?;
        let ("type", [tag, parts]) = (node.tag, node.args) else {
            return Err(self.illegal(id, CONSTRAINT));
        };
        let parts = self.items(*parts, CONSTRAINT).inside(4)?;
        let ([kind, bound], Some("constraint")) = (&parts[..], self.terms.atom(*tag)) else {
            return Err(self.illegal(id, CONSTRAINT));
        };
        let kind = self.leaf(*kind, "atom", CONSTRAINT).inside(1).inside(4)?;
        if kind.atom.as_str() != "is_subtype" {
            return Err(self.illegal(id, CONSTRAINT));
        }
        let [var, ty] = self.items(*bound, "[Variable, Type]").inside(2).inside(4)?[..] else {
            return Err(self.illegal(*bound, "[Variable, Type]")).inside(2).inside(4);
        };
        let var = self.leaf(var, "var", "a variable {var, Anno, Name}");
        Ok(Constraint {
            var: var.inside(1).inside(2).inside(4)?,
            ty: self.ty(ty).inside(2).inside(2).inside(4)?,
        })
    }
}
