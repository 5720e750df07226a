//! Attributes.

use super::{Parse, Parser};
use crate::ast::*;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::stack::with_stack;
use crate::token::Tok;

fn bad(loc: Loc, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(DiagnosticKind::Parse, loc, message.into()))
}

impl Parser<'_> {
    pub(super) fn attribute(&mut self, module: &mut Module) -> Parse<()> {
        self.bump();
        let loc = self.loc();
        let name = self.expect_atom("an attribute's name")?;
        let form = match name.as_str() {
            "spec" | "callback" => self.spec(loc, name.as_str() == "callback", module)?,
            "type" | "opaque" => self.type_def(loc, name, module)?,
            "nominal" if self.defines_type() => self.type_def(loc, name, module)?,
            "record" => self.record_def(loc, module)?,
            "module" => self.module_attribute(loc, module)?,
            "export" | "export_type" => {
                let value = self.one_value(loc, name)?;
                let export = Export {
                    loc,
                    items: fun_ids(&value)?,
                };
                let (list, form): (_, fn(usize) -> FormRef) = match name.as_str() {
                    "export" => (&mut module.exports, FormRef::Export),
                    _ => (&mut module.export_types, FormRef::ExportType),
                };
                list.push(export);
                form(list.len() - 1)
            }
            "import" => {
                let values = self.attribute_values()?;
                let (ExprKind::Atom(from), 2) = (&values[0].kind, values.len()) else {
                    return Err(hinted(
                        bad(values[0].first_loc(), "bad import declaration"),
                        "write -import(Module, [Name/Arity, …])",
                    ));
                };
                module.imports.push(Import {
                    loc,
                    module: *from,
                    items: fun_ids(&values[1])?,
                });
                FormRef::Import(module.imports.len() - 1)
            }
            _ => {
                let value = name_arities(self.one_value(loc, name)?);
                if !is_term(&value) && (!is_doc(name) || !is_documentation(&value)) {
                    return Err(hinted(
                        bad(value.first_loc(), "bad attribute"),
                        "the value must be a constant term",
                    ));
                }
                module.attributes.push(Attribute { loc, name, value });
                FormRef::Attribute(module.attributes.len() - 1)
            }
        };
        self.expect_dot("`.` after the attribute")?;
        module.order.push(form);
        Ok(())
    }

    /// `(expr, …)` or `expr, …`
    fn attribute_values(&mut self) -> Parse<Vec<Expr>> {
        if *self.peek() != Tok::LParen {
            return self.exprs();
        }
        self.bump();
        let values = self.exprs()?;
        match self.eat(&Tok::RParen) {
            Some(_) => Ok(values),
            None => Err(self.expected("`,` or `)`")),
        }
    }

    fn one_value(&mut self, loc: Loc, name: Atom) -> Parse<Expr> {
        let mut values = self.attribute_values()?;
        match (values.pop(), values.len()) {
            (Some(value), 0) => Ok(value),
            _ => Err(bad(loc, format!("bad attribute: -{name} takes one value"))),
        }
    }

    fn module_attribute(&mut self, loc: Loc, module: &mut Module) -> Parse<FormRef> {
        let values = self.attribute_values()?;
        match (&values[0].kind, values.len()) {
            (ExprKind::Atom(name), 1) if module.name.is_none() => module.name = Some(Name { loc, atom: *name }),
            (ExprKind::Atom(_), 1) => return Err(bad(loc, "redefining module")),
            (ExprKind::Atom(_), 2) => {
                return Err(bad(loc, "parameterized modules are no longer supported"));
            }
            _ => return Err(bad(values[0].first_loc(), "bad module declaration")),
        }
        Ok(FormRef::Module)
    }

    fn record_def(&mut self, loc: Loc, module: &mut Module) -> Parse<FormRef> {
        let paren = self.eat(&Tok::LParen);
        let Tok::Atom(name) = *self.peek() else {
            return Err(with_message(
                self.expected("the record's name"),
                "bad record declaration",
            ));
        };
        self.bump();
        self.expect(&Tok::Comma)?;
        if *self.peek() != Tok::LBrace {
            let value = self.expr()?;
            if paren.is_some() {
                self.expect(&Tok::RParen)?;
            }
            self.expect_dot("`.` after the attribute")?;
            return Err(hinted(
                bad(value.first_loc(), "bad record declaration"),
                "write -record(Name, {Field, …}).",
            ));
        }
        self.bump();
        let mut fields = Vec::new();
        if self.eat(&Tok::RBrace).is_none() {
            fields = self.commas(Self::record_field_def)?;
            if self.eat(&Tok::RBrace).is_none() {
                return Err(self.expected("`,` or `}` after the field"));
            }
        }
        if paren.is_some() {
            self.expect(&Tok::RParen)?;
        }
        module.records.push(RecordDef { loc, name, fields });
        Ok(FormRef::Record(module.records.len() - 1))
    }

    fn record_field_def(&mut self) -> Parse<RecordFieldDef> {
        let loc = self.loc();
        let Tok::Atom(name) = *self.peek() else {
            return Err(with_message(
                self.expected("a field name (an atom)"),
                "bad record field",
            ));
        };
        self.bump();
        let default = match self.eat(&Tok::Match) {
            Some(_) => Some(self.expr()?),
            None => None,
        };
        let ty = match self.eat(&Tok::ColonColon) {
            Some(_) => Some(self.top_type()?),
            None => None,
        };
        Ok(RecordFieldDef { loc, name, default, ty })
    }

    /// Whether a `::` follows: in older releases, `-nominal` is an attribute like any other.
    fn defines_type(&self) -> bool {
        self.tokens[self.pos..].iter().any(|token| token.tok == Tok::ColonColon)
    }

    fn type_def(&mut self, loc: Loc, attribute: Atom, module: &mut Module) -> Parse<FormRef> {
        let paren = self.eat(&Tok::LParen);
        let name = self.expect_atom("the type's name")?;
        self.expect(&Tok::LParen)?;
        let mut params = Vec::new();
        if self.eat(&Tok::RParen).is_none() {
            params = self.commas(|parser| {
                let loc = parser.loc();
                match *parser.peek() {
                    Tok::Var(atom) if atom != Atom::WILDCARD => {
                        parser.bump();
                        Ok(Name { loc, atom })
                    }
                    _ => Err(with_message(parser.expected("a type variable"), "bad type variable")),
                }
            })?;
            self.expect(&Tok::RParen)?;
        }
        self.expect(&Tok::ColonColon)?;
        let ty = self.top_type()?;
        if paren.is_some() {
            self.expect(&Tok::RParen)?;
        }
        module.types.push(TypeDef {
            loc,
            kind: TypeAttribute::of_name(attribute).unwrap_or(TypeAttribute::Type),
            name,
            params,
            ty,
        });
        Ok(FormRef::Type(module.types.len() - 1))
    }
}

fn with_message(mut error: Box<Diagnostic>, message: &str) -> Box<Diagnostic> {
    error.message = message.to_owned();
    error
}

fn hinted(mut error: Box<Diagnostic>, hint: &str) -> Box<Diagnostic> {
    error.hint = Some(hint.to_owned());
    error
}

/// `[name/arity, …]`
fn fun_ids(expr: &Expr) -> Parse<Vec<(Loc, FunId)>> {
    let list = match &expr.kind {
        ExprKind::Nil => return Ok(Vec::new()),
        ExprKind::List(list) => list,
        _ => {
            return Err(hinted(
                bad(expr.first_loc(), "bad Name/Arity"),
                "expected a list [Name/Arity, …]",
            ));
        }
    };
    let mut ids = Vec::with_capacity(list.items.len());
    for (index, item) in list.items.iter().enumerate() {
        match fun_id(item) {
            Ok(id) => ids.push((item.first_loc(), id)),
            // `erl_parse` looks at the list cell, which begins at the bracket or at the element.
            Err(error) if index == 0 && error.message == "bad Name/Arity" => {
                return Err(bad(expr.loc, "bad Name/Arity"));
            }
            Err(error) => return Err(error),
        }
    }
    match &list.tail {
        Some(tail) => Err(bad(tail.first_loc(), "bad Name/Arity")),
        None => Ok(ids),
    }
}

fn fun_id(item: &Expr) -> Parse<FunId> {
    let ExprKind::Binop(BinaryOp::Slash, parts) = &item.kind else {
        return Err(bad(item.first_loc(), "bad Name/Arity"));
    };
    match (&parts[0].kind, &parts[1].kind) {
        (ExprKind::Atom(name), ExprKind::Integer(arity)) => match u32::try_from(*arity) {
            Ok(arity) => Ok(FunId { name: *name, arity }),
            Err(_) => Err(bad(parts[1].loc, "bad function arity")),
        },
        (ExprKind::Atom(_), _) => Err(bad(parts[1].first_loc(), "bad function arity")),
        _ => Err(bad(parts[0].first_loc(), "bad function name")),
    }
}

/// Turns `name/arity` inside lists, tuples and map values into `{name, arity}`: `erl_parse:attribute_farity/1`.
fn name_arities(expr: Expr) -> Expr {
    with_stack(|| {
        let loc = expr.loc;
        let kind = match expr.into_kind() {
            ExprKind::Binop(BinaryOp::Slash, parts)
                if matches!(
                    (&parts[0].kind, &parts[1].kind),
                    (ExprKind::Atom(_), ExprKind::Integer(_))
                ) =>
            {
                ExprKind::Tuple((*parts).into())
            }
            ExprKind::List(mut list) => {
                list.items = list.items.into_iter().map(name_arities).collect();
                list.tail = list.tail.map(|tail| Box::new(name_arities(*tail)));
                ExprKind::List(list)
            }
            ExprKind::Tuple(items) => ExprKind::Tuple(items.into_iter().map(name_arities).collect()),
            ExprKind::Map(fields) => {
                let value_only = |MapField { loc, op, key, value }| MapField {
                    loc,
                    op,
                    key,
                    value: name_arities(value),
                };
                ExprKind::Map(fields.into_iter().map(value_only).collect())
            }
            other => other,
        };
        Expr::new(loc, kind)
    })
}

fn is_doc(name: Atom) -> bool {
    matches!(name.as_str(), "doc" | "moduledoc")
}

/// Whether it is a map of terms, but for a call that another function is equal to.
fn is_documentation(value: &Expr) -> bool {
    let ExprKind::Map(fields) = &value.kind else {
        return false;
    };
    let is_equiv = |key: &Expr| matches!(key.kind, ExprKind::Atom(name) if name.as_str() == "equiv");
    fields.iter().all(|field| {
        let is_call = is_equiv(&field.key) && matches!(field.value.kind, ExprKind::Call(_));
        field.op == MapOp::Assoc && is_term(&field.key) && (is_call || is_term(&field.value))
    })
}

/// Whether it is a constant term (`erl_parse:normalise/1`).
pub(super) fn is_term(expr: &Expr) -> bool {
    with_stack(|| match &expr.kind {
        ExprKind::Char(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Atom(_)
        | ExprKind::String(_)
        | ExprKind::Nil => true,
        ExprKind::List(list) => list.items.iter().all(is_term) && list.tail.as_deref().is_none_or(is_term),
        ExprKind::Tuple(items) => items.iter().all(is_term),
        ExprKind::Map(fields) => fields
            .iter()
            .all(|field| field.op == MapOp::Assoc && is_term(&field.key) && is_term(&field.value)),
        ExprKind::Binary(segments) => segments
            .iter()
            .all(|segment| is_term(&segment.value) && segment.size.as_deref().is_none_or(is_term)),
        ExprKind::FunRemote(parts) => parts.iter().all(is_term),
        ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus, operand) => matches!(
            operand.kind,
            ExprKind::Char(_) | ExprKind::Integer(_) | ExprKind::BigInteger(_) | ExprKind::Float(_)
        ),
        _ => false,
    })
}
