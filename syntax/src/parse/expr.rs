//! Expressions.

use super::{MAX_DEPTH, Parse, Parser};
use crate::ast::*;
use crate::atom::Atom;
use crate::token::Tok;

/// An infix operator's precedence on its left and right side (a higher one binds tighter), as in `erl_parse.yrl`.
struct Infix {
    op: InfixOp,
    left: u8,
    right: u8,
    /// Whether it cannot be chained without parentheses.
    nonassoc: bool,
}

#[derive(Clone, Copy)]
enum InfixOp {
    Match,
    AndAlso,
    OrElse,
    Binary(BinaryOp),
}

const COMPARISON: u8 = 200;

fn infix(tok: &Tok) -> Option<Infix> {
    use BinaryOp::*;
    let right = |op, power: u8| Infix {
        op,
        left: power,
        right: power,
        nonassoc: false,
    };
    let left = |op, power: u8| Infix {
        op: InfixOp::Binary(op),
        left: power,
        right: power + 1,
        nonassoc: false,
    };
    let compare = |op| Infix {
        op: InfixOp::Binary(op),
        left: COMPARISON,
        right: COMPARISON + 1,
        nonassoc: true,
    };
    // Powers above 255 do not occur: the grammar's are divided by 4 from 300 on.
    Some(match tok {
        Tok::Match => right(InfixOp::Match, 100),
        Tok::Bang => right(InfixOp::Binary(Send), 100),
        Tok::Orelse => right(InfixOp::OrElse, 150),
        Tok::Andalso => right(InfixOp::AndAlso, 160),
        Tok::EqEq => compare(Eq),
        Tok::NotEq => compare(Ne),
        Tok::LessEq => compare(Le),
        Tok::Less => compare(Lt),
        Tok::GreaterEq => compare(Ge),
        Tok::Greater => compare(Gt),
        Tok::ExactEq => compare(BinaryOp::ExactEq),
        Tok::ExactNe => compare(BinaryOp::ExactNe),
        Tok::PlusPlus => right(InfixOp::Binary(Append), 210),
        Tok::MinusMinus => right(InfixOp::Binary(Subtract), 210),
        Tok::Plus => left(Add, 220),
        Tok::Minus => left(Sub, 220),
        Tok::Bor => left(Bor, 220),
        Tok::Bxor => left(Bxor, 220),
        Tok::Bsl => left(Bsl, 220),
        Tok::Bsr => left(Bsr, 220),
        Tok::Or => left(Or, 220),
        Tok::Xor => left(Xor, 220),
        Tok::Star => left(Mul, 230),
        Tok::Slash => left(Slash, 230),
        Tok::Div => left(Div, 230),
        Tok::Rem => left(Rem, 230),
        Tok::Band => left(Band, 230),
        Tok::And => left(And, 230),
        _ => return None,
    })
}

/// Precedence of a prefix operator on its operand.
const PREFIX: u8 = 240;

pub(super) fn prefix(tok: &Tok) -> Option<UnaryOp> {
    Some(match tok {
        Tok::Plus => UnaryOp::Plus,
        Tok::Minus => UnaryOp::Minus,
        Tok::Bnot => UnaryOp::Bnot,
        Tok::Not => UnaryOp::Not,
        _ => return None,
    })
}

impl Parser<'_> {
    /// `expr {, expr}`
    pub(super) fn exprs(&mut self) -> Parse<Vec<Expr>> {
        self.commas(Self::expr)
    }

    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.binary(0)
    }

    /// An expression whose operators all bind at least as tightly as `power`.
    fn binary(&mut self, power: u8) -> Parse<Expr> {
        self.nested(|parser| parser.binary_here(power))
    }

    fn binary_here(&mut self, power: u8) -> Parse<Expr> {
        let mut left = self.unary()?;
        let mut chain = self.depth;
        while let Some(infix) = infix(self.peek()) {
            if infix.left < power {
                break;
            }
            let loc = self.bump();
            let right = self.binary(infix.right)?;
            // A chain adds a level to the tree for each operator, though not to the parser's recursion.
            chain += 1;
            if chain > MAX_DEPTH {
                return Err(self.too_deep());
            }
            left = self.join(loc, infix.op, left, right);
            if infix.nonassoc && matches!(self::infix(self.peek()), Some(next) if next.nonassoc) {
                return Err(self.expected("parentheses around one of the two comparisons"));
            }
        }
        Ok(left)
    }

    fn join(&mut self, loc: Loc, op: InfixOp, left: Expr, right: Expr) -> Expr {
        match op {
            InfixOp::Match => {
                let loc = left.first_loc();
                let pattern = self.pattern_of(left);
                Expr::new(loc, ExprKind::Match(Box::new(MatchExpr { pattern, value: right })))
            }
            InfixOp::AndAlso => Expr::new(loc, ExprKind::AndAlso(Box::new([left, right]))),
            InfixOp::OrElse => Expr::new(loc, ExprKind::OrElse(Box::new([left, right]))),
            InfixOp::Binary(op) => Expr::new(loc, ExprKind::Binop(op, Box::new([left, right]))),
        }
    }

    fn unary(&mut self) -> Parse<Expr> {
        if let Some(op) = prefix(self.peek()) {
            let loc = self.bump();
            let operand = self.binary(PREFIX)?;
            return Ok(Expr::new(loc, ExprKind::Unary(op, Box::new(operand))));
        }
        if let Some(loc) = self.eat(&Tok::Catch) {
            let body = self.binary(0)?;
            return Ok(Expr::new(loc, ExprKind::Catch(Box::new(body))));
        }
        self.postfix()
    }

    /// A primary expression with what may follow it: `:f`, one argument list, `#` selections.
    fn postfix(&mut self) -> Parse<Expr> {
        if *self.peek() == Tok::Hash {
            let first = self.hash(None)?;
            return self.hashes(first);
        }
        let base = self.primary()?;
        match self.peek() {
            Tok::Colon if !self.in_catch_reason => {
                let colon = self.bump();
                let function = self.primary()?;
                let loc = base.first_loc();
                if *self.peek() != Tok::LParen {
                    return Ok(Expr::new(colon, ExprKind::Remote(Box::new([base, function]))));
                }
                let args = self.arguments()?;
                let callee = Callee::Remote {
                    loc: colon,
                    module: base,
                    function,
                };
                Ok(Expr::new(
                    loc.min_place(colon),
                    ExprKind::Call(Box::new(Call { callee, args })),
                ))
            }
            Tok::LParen => {
                let args = self.arguments()?;
                let loc = base.first_loc();
                let callee = match base.kind {
                    ExprKind::Atom(atom) => Callee::Local(Name { loc: base.loc, atom }),
                    _ => Callee::Dynamic(base),
                };
                Ok(Expr::new(loc, ExprKind::Call(Box::new(Call { callee, args }))))
            }
            Tok::Hash => self.hashes(base),
            _ => Ok(base),
        }
    }

    /// `#…` repeated after an expression.
    fn hashes(&mut self, mut expr: Expr) -> Parse<Expr> {
        let mut chain = self.depth;
        while *self.peek() == Tok::Hash {
            chain += 1;
            if chain > MAX_DEPTH {
                return Err(self.too_deep());
            }
            expr = self.hash(Some(expr))?;
        }
        Ok(expr)
    }

    /// One map or record selection; `base` stands before the `#`.
    fn hash(&mut self, base: Option<Expr>) -> Parse<Expr> {
        let loc = self.bump();
        if *self.peek() == Tok::LBrace {
            return self.map(loc, base);
        }
        let name = self.expect_atom("a record name or `{`")?;
        let kind = match self.peek() {
            Tok::Period => {
                self.bump();
                let field = self.name("a field name")?;
                match base {
                    Some(record) => ExprKind::RecordAccess(Box::new(RecordAccess { record, name, field })),
                    None => ExprKind::RecordIndex(Box::new(RecordIndex { name, field })),
                }
            }
            Tok::LBrace => {
                let fields = self.record_fields()?;
                match base {
                    Some(record) => ExprKind::RecordUpdate(Box::new(RecordUpdate { record, name, fields })),
                    None => ExprKind::Record(Box::new(RecordExpr { name, fields })),
                }
            }
            _ => return Err(self.expected("`{` or `.` after the record name")),
        };
        Ok(Expr::new(loc, kind))
    }

    pub(super) fn name(&mut self, what: &str) -> Parse<Name> {
        let loc = self.loc();
        Ok(Name {
            loc,
            atom: self.expect_atom(what)?,
        })
    }

    fn record_fields(&mut self) -> Parse<Vec<RecordField<Expr>>> {
        self.expect(&Tok::LBrace)?;
        if self.eat(&Tok::RBrace).is_some() {
            return Ok(Vec::new());
        }
        let fields = self.commas(|parser| {
            let loc = parser.loc();
            let (atom, is_wildcard) = match parser.peek() {
                Tok::Atom(atom) => (*atom, false),
                Tok::Var(name) => {
                    if *name != Atom::WILDCARD {
                        parser.report(loc, format!("field '{name}' is not an atom or _ in record expression"));
                    }
                    (*name, true)
                }
                _ => return Err(parser.expected("a field name")),
            };
            parser.bump();
            parser.expect(&Tok::Match)?;
            let value = parser.expr()?;
            Ok(RecordField {
                name: Name { loc, atom },
                is_wildcard,
                value,
            })
        })?;
        self.expect(&Tok::RBrace)?;
        Ok(fields)
    }

    fn map(&mut self, loc: Loc, base: Option<Expr>) -> Parse<Expr> {
        self.expect(&Tok::LBrace)?;
        if self.eat(&Tok::RBrace).is_some() {
            return Ok(Expr::new(loc, with_base(base, Vec::new())));
        }
        let first = self.map_field()?;
        if base.is_none() && first.op == MapOp::Assoc && self.eat(&Tok::BarBar).is_some() {
            let qualifiers = self.qualifiers()?;
            self.expect(&Tok::RBrace)?;
            let MapField {
                loc: arrow,
                op: _,
                key,
                value,
            } = first;
            let comprehension = MapComprehension {
                arrow,
                key,
                value,
                qualifiers,
            };
            return Ok(Expr::new(loc, ExprKind::MapComp(Box::new(comprehension))));
        }
        let mut fields = vec![first];
        while self.eat(&Tok::Comma).is_some() {
            fields.push(self.map_field()?);
        }
        self.expect(&Tok::RBrace)?;
        Ok(Expr::new(loc, with_base(base, fields)))
    }

    fn map_field(&mut self) -> Parse<MapField> {
        let key = self.expr()?;
        let op = match self.peek() {
            Tok::FatArrow => MapOp::Assoc,
            Tok::ColonEq => MapOp::Exact,
            _ => return Err(self.expected("`=>` or `:=` after the key")),
        };
        let loc = self.bump();
        let value = self.expr()?;
        Ok(MapField { loc, op, key, value })
    }

    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.expect(&Tok::LParen)?;
        if self.eat(&Tok::RParen).is_some() {
            return Ok(Vec::new());
        }
        let args = self.exprs()?;
        match self.eat(&Tok::RParen) {
            Some(_) => Ok(args),
            None => Err(self.expected("`,` or `)`")),
        }
    }

    /// `expr_max` of the grammar.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let loc = self.loc();
        let kind = match self.peek() {
            Tok::Atom(atom) => {
                if atom.as_str() == "maybe" && self.guesses_maybe && self.maybe_starts_here() {
                    return self.maybe_block();
                }
                ExprKind::Atom(*atom)
            }
            Tok::Var(name) => ExprKind::Var(*name),
            Tok::Integer(value) => ExprKind::Integer(*value),
            Tok::BigInteger(value) => ExprKind::BigInteger(Box::new((**value).clone())),
            Tok::Float(value) => ExprKind::Float(*value),
            Tok::Char(c) => ExprKind::Char(*c),
            Tok::String(_) => return Ok(self.strings()),
            Tok::SigilPrefix(kind) => return self.sigil(*kind),
            Tok::LBracket => return self.list(),
            Tok::LBrace => return self.tuple(),
            Tok::LBin => return self.binary_literal(),
            Tok::LParen => {
                self.bump();
                let inner = self.expr()?;
                return match self.eat(&Tok::RParen) {
                    Some(_) => Ok(inner),
                    None => Err(self.expected("an operator or `)`")),
                };
            }
            Tok::Begin => {
                self.bump();
                let body = self.exprs()?;
                self.expect_end("`,` or `end`")?;
                return Ok(Expr::new(loc, ExprKind::Block(body)));
            }
            Tok::If => return self.if_expr(),
            Tok::Case => return self.case_expr(),
            Tok::Receive => return self.receive_expr(),
            Tok::Try => return self.try_expr(),
            Tok::Fun => return self.fun_expr(),
            Tok::Maybe => return self.maybe_block(),
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        Ok(Expr::new(loc, kind))
    }

    pub(super) fn expect_end(&mut self, what: &str) -> Parse<()> {
        match self.eat(&Tok::End) {
            Some(_) => Ok(()),
            None => Err(self.expected(what)),
        }
    }

    /// Joins adjacent string literals.
    fn strings(&mut self) -> Expr {
        let loc = self.loc();
        let mut parts = Vec::new();
        while let Tok::String(text) = self.peek() {
            parts.push(&**text);
            self.bump();
        }
        Expr::new(loc, ExprKind::String(parts.concat().into()))
    }

    /// A string, or a binary of it.
    fn sigil(&mut self, kind: Atom) -> Parse<Expr> {
        let loc = self.bump();
        let string_loc = self.loc();
        let Tok::String(text) = self.peek() else {
            return Err(self.expected("a string"));
        };
        self.bump();
        let Tok::SigilSuffix(suffix) = self.peek() else {
            return Err(self.expected("the end of the sigil"));
        };
        let suffix_loc = self.bump();
        let string = Expr::new(string_loc, ExprKind::String((**text).into()));
        let kind = kind.as_str();
        if !matches!(kind, "" | "b" | "B" | "s" | "S") {
            self.refuse_with(loc, "illegal sigil prefix", "the sigils are ~ ~b ~B ~s ~S");
        } else if !suffix.is_empty() {
            self.refuse_with(
                suffix_loc,
                "illegal sigil suffix",
                "a space is missing behind the string",
            );
        }
        if matches!(kind, "s" | "S") {
            return Ok(string);
        }
        let written = vec![SpecItem::Name(Atom::UTF8)];
        let (spec, _) = super::resolve_segment(false, &written);
        let segment = Segment {
            loc: string_loc,
            value: string,
            size: None,
            spec,
            written,
        };
        Ok(Expr::new(loc, ExprKind::Binary(vec![segment])))
    }

    fn tuple(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        if self.eat(&Tok::RBrace).is_some() {
            return Ok(Expr::new(loc, ExprKind::Tuple(Vec::new())));
        }
        let items = self.exprs()?;
        match self.eat(&Tok::RBrace) {
            Some(_) => Ok(Expr::new(loc, ExprKind::Tuple(items))),
            None => Err(self.expected("`,` or `}`")),
        }
    }

    fn list(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        if self.eat(&Tok::RBracket).is_some() {
            return Ok(Expr::new(loc, ExprKind::Nil));
        }
        let first = self.expr()?;
        if self.eat(&Tok::BarBar).is_some() {
            let qualifiers = self.qualifiers()?;
            self.expect(&Tok::RBracket)?;
            return Ok(Expr::new(
                loc,
                ExprKind::ListComp(Box::new(Comprehension {
                    template: first,
                    qualifiers,
                })),
            ));
        }
        let mut items = vec![first];
        while self.eat(&Tok::Comma).is_some() {
            items.push(self.expr()?);
        }
        let tail = match self.eat(&Tok::Bar) {
            Some(_) => Some(Box::new(self.expr()?)),
            None => None,
        };
        match self.eat(&Tok::RBracket) {
            Some(end) => Ok(Expr::new(loc, ExprKind::List(List { items, tail, end }))),
            None if tail.is_some() => Err(self.expected("`]`")),
            None => Err(self.expected("`,`, `|` or `]`")),
        }
    }

    /// The parts of a comprehension after `||`.
    pub(super) fn qualifiers(&mut self) -> Parse<Vec<Qualifier>> {
        self.commas(|parser| {
            let first = parser.qualifier()?;
            if *parser.peek() != Tok::AndAnd {
                return Ok(first);
            }
            let mut parts = vec![first];
            while parser.eat(&Tok::AndAnd).is_some() {
                parts.push(parser.qualifier()?);
            }
            // As in OTP's parser: at the comma behind it, else at its first part.
            let loc = match parser.peek() {
                Tok::Comma => parser.loc(),
                _ => parts[0].loc(),
            };
            let mut generators = Vec::with_capacity(parts.len());
            for part in parts {
                match part {
                    Qualifier::Generator(generator) => generators.push(generator),
                    _ => parser.report(part.loc(), "only generators are allowed in a zip generator."),
                }
            }
            Ok(Qualifier::Zip(loc, generators))
        })
    }

    /// A generator or a filter.
    fn qualifier(&mut self) -> Parse<Qualifier> {
        let left = self.expr()?;
        let (element, strict) = match self.peek() {
            tok @ (Tok::LArrow | Tok::StrictLArrow) => {
                (Element::List(self.pattern_of(left)), *tok == Tok::StrictLArrow)
            }
            tok @ (Tok::LFatArrow | Tok::StrictLFatArrow) => {
                if !matches!(left.kind, ExprKind::Binary(_)) {
                    return Err(self.expected("`<-` (the pattern before `<=` must be a binary)"));
                }
                (Element::Binary(self.pattern_of(left)), *tok == Tok::StrictLFatArrow)
            }
            Tok::ColonEq => {
                let arrow = self.bump();
                let value = self.expr()?;
                let strict = match self.peek() {
                    Tok::LArrow => false,
                    Tok::StrictLArrow => true,
                    _ => return Err(self.expected("`<-`")),
                };
                let pair = Box::new([self.pattern_of(left), self.pattern_of(value)]);
                (Element::Map { arrow, pair }, strict)
            }
            _ => return Ok(Qualifier::Filter(left)),
        };
        let loc = self.bump();
        let expr = self.expr()?;
        Ok(Qualifier::Generator(Generator {
            loc,
            strict,
            element,
            expr,
        }))
    }
}

fn with_base(base: Option<Expr>, fields: Vec<MapField>) -> ExprKind {
    match base {
        Some(base) => ExprKind::MapUpdate(Box::new(base), fields),
        None => ExprKind::Map(fields),
    }
}

impl Loc {
    /// The earlier of two places in line and column, the first if they are equal.
    fn min_place(self, other: Loc) -> Loc {
        if (other.line, other.col) < (self.line, self.col) {
            other
        } else {
            self
        }
    }
}
