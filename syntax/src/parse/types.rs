//! Types and specs.

use super::expr::prefix;
use super::{MAX_DEPTH, Parse, Parser};
use crate::ast::*;
use crate::atom::Atom;
use crate::token::Tok;

/// Precedence of `..`, which does not chain.
const RANGE: u8 = 20;
const ADD: u8 = 40;
const MUL: u8 = 50;
const PREFIX: u8 = 60;

fn infix(tok: &Tok) -> Option<(Option<BinaryOp>, u8)> {
    use BinaryOp::*;
    Some(match tok {
        Tok::DotDot => (None, RANGE),
        Tok::Plus => (Some(Add), ADD),
        Tok::Minus => (Some(Sub), ADD),
        Tok::Bor => (Some(Bor), ADD),
        Tok::Bxor => (Some(Bxor), ADD),
        Tok::Bsl => (Some(Bsl), ADD),
        Tok::Bsr => (Some(Bsr), ADD),
        Tok::Or => (Some(Or), ADD),
        Tok::Xor => (Some(Xor), ADD),
        Tok::Star => (Some(Mul), MUL),
        Tok::Slash => (Some(Slash), MUL),
        Tok::Div => (Some(Div), MUL),
        Tok::Rem => (Some(Rem), MUL),
        Tok::Band => (Some(Band), MUL),
        Tok::And => (Some(And), MUL),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `-spec` or `-callback` after its name.
    pub(super) fn spec(&mut self, loc: Loc, callback: bool, module: &mut Module) -> Parse<FormRef> {
        let paren = self.eat(&Tok::LParen);
        let mut name = self.expect_atom("the function's name")?;
        let mut of_module = None;
        if self.eat(&Tok::Colon).is_some() {
            of_module = Some(name);
            name = self.expect_atom("the function's name")?;
        }
        let mut sigs = vec![self.signature()?];
        while self.eat(&Tok::Semicolon).is_some() {
            sigs.push(self.signature()?);
        }
        if paren.is_some() {
            self.expect(&Tok::RParen)?;
        }
        let Some(params) = &sigs[0].fun.params else {
            return Err(self.expected("a spec whose first alternative lists its arguments"));
        };
        let arity = u32::try_from(params.len()).expect("arguments are tokens, and those are counted in 32 bits");
        module.specs.push(Spec {
            loc,
            callback,
            module: of_module,
            id: FunId { name, arity },
            sigs,
        });
        Ok(FormRef::Spec(module.specs.len() - 1))
    }

    fn signature(&mut self) -> Parse<Signature> {
        let fun = self.fun_type()?;
        let constraints = match self.eat(&Tok::When) {
            Some(_) => self.commas(Self::constraint)?,
            None => Vec::new(),
        };
        Ok(Signature { fun, constraints })
    }

    fn constraint(&mut self) -> Parse<Constraint> {
        let is_subtype = matches!(self.peek(), Tok::Atom(atom) if atom.as_str() == "is_subtype");
        if is_subtype {
            self.bump();
            self.expect(&Tok::LParen)?;
        }
        let loc = self.loc();
        let Tok::Var(atom) = *self.peek() else {
            return Err(self.expected("a type variable"));
        };
        if atom == Atom::WILDCARD {
            self.refuse(loc, "bad type variable");
        }
        self.bump();
        self.expect(if is_subtype { &Tok::Comma } else { &Tok::ColonColon })?;
        let ty = self.top_type()?;
        if is_subtype {
            self.expect(&Tok::RParen)?;
        }
        Ok(Constraint {
            var: Name { loc, atom },
            ty,
        })
    }

    /// `(…) -> Type`
    fn fun_type(&mut self) -> Parse<FunType> {
        let loc = self.expect(&Tok::LParen)?;
        let params = if self.eat(&Tok::Ellipsis).is_some() {
            self.expect(&Tok::RParen)?;
            None
        } else {
            Some(self.types_until(&Tok::RParen)?)
        };
        if self.eat(&Tok::Arrow).is_none() {
            return Err(self.expected("`->` and the result type"));
        }
        let result = Box::new(self.top_type()?);
        Ok(FunType { loc, params, result })
    }

    /// Types separated by commas, up to and including a closing token.
    fn types_until(&mut self, close: &Tok) -> Parse<Vec<Type>> {
        if self.eat(close).is_some() {
            return Ok(Vec::new());
        }
        let types = self.commas(Self::top_type)?;
        match self.eat(close) {
            Some(_) => Ok(types),
            None => Err(self.expected(&format!("`,`, `|` or `{close}`"))),
        }
    }

    /// `top_type` of the grammar: a type, an annotated type, or a union.
    pub(super) fn top_type(&mut self) -> Parse<Type> {
        self.nested(Self::top_type_here)
    }

    fn top_type_here(&mut self) -> Parse<Type> {
        let mut items = Vec::new();
        loop {
            let loc = self.loc();
            if let (Tok::Var(atom), Tok::ColonColon) = (self.peek(), self.peek_at(1)) {
                let name = Name { loc, atom: *atom };
                self.bump();
                self.bump();
                let inner = self.top_type()?;
                items.push(Type::new(loc, TypeKind::Annotated(name, Box::new(inner))));
                break;
            }
            items.push(self.type_of(0)?);
            if self.eat(&Tok::Bar).is_none() {
                break;
            }
        }
        let last = items.pop().expect("the loop pushes at least one");
        if items.is_empty() {
            return Ok(last);
        }
        let loc = items[0].first_loc();
        match last.kind {
            TypeKind::Union(_) => {
                if let TypeKind::Union(more) = last.into_kind() {
                    items.extend(more);
                }
            }
            _ => items.push(last),
        }
        Ok(Type::new(loc, TypeKind::Union(items)))
    }

    fn type_of(&mut self, power: u8) -> Parse<Type> {
        self.nested(|parser| parser.type_here(power))
    }

    fn type_here(&mut self, power: u8) -> Parse<Type> {
        let mut left = match prefix(self.peek()) {
            Some(op) => {
                let loc = self.bump();
                Type::new(loc, TypeKind::Unary(op, Box::new(self.type_of(PREFIX)?)))
            }
            None => self.simple_type()?,
        };
        let mut chain = self.depth;
        while let Some((op, strength)) = infix(self.peek()) {
            if strength < power {
                break;
            }
            chain += 1;
            if chain > MAX_DEPTH {
                return Err(self.too_deep());
            }
            let loc = self.bump();
            let right = self.type_of(strength + 1)?;
            left = match op {
                Some(op) => Type::new(loc, TypeKind::Binop(op, Box::new([left, right]))),
                None => Type::new(left.loc, TypeKind::Range(Box::new([left, right]))),
            };
            if op.is_none() && *self.peek() == Tok::DotDot {
                return Err(self.expected("`|` or the end of the type"));
            }
        }
        Ok(left)
    }

    fn simple_type(&mut self) -> Parse<Type> {
        let loc = self.loc();
        let kind = match self.peek() {
            Tok::Var(name) => TypeKind::Var(*name),
            Tok::Integer(value) => TypeKind::Integer(*value),
            Tok::BigInteger(value) => TypeKind::BigInteger(Box::new((**value).clone())),
            Tok::Char(c) => TypeKind::Char(*c),
            Tok::Atom(atom) => return self.named_type(loc, *atom),
            Tok::LParen => {
                self.bump();
                let inner = self.top_type()?;
                self.expect(&Tok::RParen)?;
                return Ok(inner);
            }
            Tok::LBracket => {
                self.bump();
                return self.list_type(loc);
            }
            Tok::LBrace => {
                self.bump();
                return Ok(Type::new(loc, TypeKind::Tuple(self.types_until(&Tok::RBrace)?)));
            }
            Tok::Hash => {
                self.bump();
                return self.hash_type(loc);
            }
            Tok::LBin => {
                self.bump();
                return self.binary_type(loc);
            }
            Tok::Fun => {
                self.bump();
                self.expect(&Tok::LParen)?;
                if self.eat(&Tok::RParen).is_some() {
                    return Ok(Type::new(loc, TypeKind::AnyFun));
                }
                let fun = self.fun_type()?;
                self.expect(&Tok::RParen)?;
                return Ok(Type::new(fun.loc, TypeKind::Fun(fun)));
            }
            _ => return Err(self.expected("a type")),
        };
        self.bump();
        Ok(Type::new(loc, kind))
    }

    fn named_type(&mut self, loc: Loc, atom: Atom) -> Parse<Type> {
        self.bump();
        let kind = match self.peek() {
            Tok::LParen => {
                self.bump();
                TypeKind::Named(atom, self.types_until(&Tok::RParen)?)
            }
            Tok::Colon => {
                self.bump();
                let name = self.name("a type name")?;
                self.expect(&Tok::LParen)?;
                TypeKind::Remote(Name { loc, atom }, name, self.types_until(&Tok::RParen)?)
            }
            _ => TypeKind::Atom(atom),
        };
        Ok(Type::new(loc, kind))
    }

    fn list_type(&mut self, loc: Loc) -> Parse<Type> {
        if self.eat(&Tok::RBracket).is_some() {
            return Ok(Type::new(loc, TypeKind::Nil));
        }
        let item = Box::new(self.top_type()?);
        let kind = match self.eat(&Tok::Comma) {
            Some(_) => {
                self.expect(&Tok::Ellipsis)?;
                TypeKind::NonemptyList(item)
            }
            None => TypeKind::List(item),
        };
        self.expect(&Tok::RBracket)?;
        Ok(Type::new(loc, kind))
    }

    fn hash_type(&mut self, loc: Loc) -> Parse<Type> {
        if let Tok::Atom(_) = self.peek() {
            let name = self.name("a record name")?;
            self.expect(&Tok::LBrace)?;
            let mut fields = Vec::new();
            if self.eat(&Tok::RBrace).is_none() {
                fields = self.commas(|parser| {
                    let name = parser.name("a field name")?;
                    parser.expect(&Tok::ColonColon)?;
                    Ok(RecordFieldType {
                        name,
                        ty: parser.top_type()?,
                    })
                })?;
                self.expect(&Tok::RBrace)?;
            }
            return Ok(Type::new(loc, TypeKind::Record(name, fields)));
        }
        self.expect(&Tok::LBrace)?;
        let mut fields = Vec::new();
        if self.eat(&Tok::RBrace).is_none() {
            fields = self.commas(|parser| {
                let key = parser.top_type()?;
                let op = match parser.peek() {
                    Tok::FatArrow => MapOp::Assoc,
                    Tok::ColonEq => MapOp::Exact,
                    _ => return Err(parser.expected("`=>` or `:=`")),
                };
                let loc = parser.bump();
                Ok(MapFieldType {
                    loc,
                    op,
                    key,
                    value: parser.top_type()?,
                })
            })?;
            self.expect(&Tok::RBrace)?;
        }
        Ok(Type::new(loc, TypeKind::Map(fields)))
    }

    fn binary_type(&mut self, loc: Loc) -> Parse<Type> {
        let mut ty = BinaryType::default();
        if self.eat(&Tok::RBin).is_none() {
            if !self.is_unit_part() {
                self.wildcard()?;
                ty.base = Some(self.type_of(0)?);
                if self.eat(&Tok::Comma).is_some() {
                    ty.unit = Some(self.unit_part()?);
                }
            } else {
                ty.unit = Some(self.unit_part()?);
            }
            self.expect(&Tok::RBin)?;
        }
        Ok(Type::new(loc, TypeKind::Binary(Box::new(ty))))
    }

    fn is_unit_part(&self) -> bool {
        matches!((self.peek_at(2), self.peek_at(3)), (Tok::Var(_), Tok::Star))
    }

    /// `_:`
    fn wildcard(&mut self) -> Parse<()> {
        let loc = self.loc();
        match self.peek() {
            Tok::Var(name) => {
                if *name != Atom::WILDCARD {
                    self.refuse(loc, "bad binary type: `_` expected");
                }
                self.bump();
                self.expect(&Tok::Colon)?;
                Ok(())
            }
            _ => Err(self.expected("`_:Size` or `_:_*Unit`")),
        }
    }

    /// `_:_*Unit`
    fn unit_part(&mut self) -> Parse<Type> {
        if !self.is_unit_part() {
            return Err(self.expected("`_:_*Unit`"));
        }
        self.wildcard()?;
        self.bump();
        self.bump();
        self.type_of(MUL + 1)
    }
}
