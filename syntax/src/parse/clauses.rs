//! Expressions with clauses: `if`, `case`, `receive`, `try`, `fun`, `maybe`.

use super::{Parse, Parser};
use crate::ast::*;
use crate::token::Tok;
use crate::walk::{Node, last_loc};

impl Parser<'_> {
    /// `when guard`, or nothing.
    pub(super) fn opt_guard(&mut self) -> Parse<Guard> {
        match self.eat(&Tok::When) {
            Some(_) => self.guard(),
            None => Ok(Vec::new()),
        }
    }

    fn guard(&mut self) -> Parse<Guard> {
        let mut guard = vec![self.exprs()?];
        while self.eat(&Tok::Semicolon).is_some() {
            guard.push(self.exprs()?);
        }
        Ok(guard)
    }

    /// `-> exprs`
    pub(super) fn body(&mut self, before: &str) -> Parse<Vec<Expr>> {
        match self.eat(&Tok::Arrow) {
            Some(_) => self.exprs(),
            None => Err(self.expected(before)),
        }
    }

    fn clauses<T>(&mut self, mut clause: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut clauses = vec![clause(self)?];
        while self.eat(&Tok::Semicolon).is_some() {
            clauses.push(clause(self)?);
        }
        Ok(clauses)
    }

    fn clause(&mut self) -> Parse<Clause> {
        let pattern = self.expr()?;
        let loc = pattern.first_loc();
        let pattern = self.pattern_of(pattern);
        let guard = self.opt_guard()?;
        let body = self.body("`when` or `->` after the pattern")?;
        Ok(Clause {
            loc,
            pattern,
            guard,
            body,
        })
    }

    pub(super) fn if_expr(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        let clauses = self.clauses(|parser| {
            let guard = parser.guard()?;
            let loc = guard[0][0].first_loc();
            let body = parser.body("`->` after the guard")?;
            Ok(IfClause { loc, guard, body })
        })?;
        self.expect_end("`,`, `;` or `end`")?;
        Ok(Expr::new(loc, ExprKind::If(clauses)))
    }

    pub(super) fn case_expr(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        let subject = self.expr()?;
        if self.eat(&Tok::Of).is_none() {
            return Err(self.expected("`of`"));
        }
        let clauses = self.clauses(Self::clause)?;
        self.expect_end("`,`, `;` or `end`")?;
        Ok(Expr::new(loc, ExprKind::Case(Box::new(subject), clauses)))
    }

    pub(super) fn receive_expr(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        let clauses = if *self.peek() == Tok::After {
            Vec::new()
        } else {
            self.clauses(Self::clause)?
        };
        let after = match self.eat(&Tok::After) {
            Some(_) => {
                let timeout = self.expr()?;
                Some((timeout, self.body("`->` after the timeout")?))
            }
            None => None,
        };
        self.expect_end(if after.is_some() {
            "`,` or `end`"
        } else {
            "`,`, `;`, `after` or `end`"
        })?;
        Ok(Expr::new(loc, ExprKind::Receive(Box::new(Receive { clauses, after }))))
    }

    pub(super) fn try_expr(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        let body = self.exprs()?;
        let of = match self.eat(&Tok::Of) {
            Some(_) => self.clauses(Self::clause)?,
            None => Vec::new(),
        };
        let catch = match self.eat(&Tok::Catch) {
            Some(_) => self.clauses(Self::catch_clause)?,
            None => Vec::new(),
        };
        let after = match self.eat(&Tok::After) {
            Some(_) => self.exprs()?,
            None => Vec::new(),
        };
        if catch.is_empty() && after.is_empty() {
            return Err(self.expected(if of.is_empty() {
                "`of`, `catch` or `after`"
            } else {
                "`;`, `catch` or `after`"
            }));
        }
        self.expect_end("`,`, `;`, `after` or `end`")?;
        Ok(Expr::new(loc, ExprKind::Try(Box::new(Try { body, of, catch, after }))))
    }

    fn catch_clause(&mut self) -> Parse<CatchClause> {
        let start = self.loc();
        let class = match (self.peek(), self.peek_at(1)) {
            (Tok::Atom(atom), Tok::Colon) => CatchClass::Atom(*atom),
            (Tok::Var(name), Tok::Colon) => CatchClass::Var(*name),
            _ => CatchClass::Default,
        };
        if class != CatchClass::Default {
            self.bump();
            self.bump();
        }
        self.in_catch_reason = true;
        let reason = self.expr()?;
        self.in_catch_reason = false;
        let loc = if class == CatchClass::Default {
            reason.first_loc()
        } else {
            start
        };
        let stack_loc = last_loc(Node::Expr(&reason));
        let reason = self.pattern_of(reason);
        let stack = match self.peek() {
            Tok::Colon if class != CatchClass::Default => {
                self.bump();
                let loc = self.loc();
                let Tok::Var(atom) = self.peek() else {
                    return Err(self.expected("a variable for the stack trace"));
                };
                self.bump();
                Some(Name { loc, atom: *atom })
            }
            _ => None,
        };
        let guard = self.opt_guard()?;
        let body = self.body("`when` or `->` after the pattern")?;
        Ok(CatchClause {
            loc,
            class,
            reason,
            stack,
            stack_loc,
            guard,
            body,
        })
    }

    pub(super) fn fun_expr(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        match (self.peek(), self.peek_at(1)) {
            (Tok::LParen, _) => {
                let clauses = self.fun_clauses(None)?;
                Ok(Expr::new(loc, ExprKind::Fun(clauses)))
            }
            (Tok::Var(name), Tok::LParen) => {
                let clauses = self.fun_clauses(Some(*name))?;
                Ok(Expr::new(loc, ExprKind::NamedFun(*name, clauses)))
            }
            (Tok::Atom(name), Tok::Slash) => {
                self.bump();
                self.bump();
                let Tok::Integer(arity) = *self.peek() else {
                    return Err(self.expected("the arity, an integer"));
                };
                let Ok(arity) = u32::try_from(arity) else {
                    return Err(self.expected("an arity of at most 255"));
                };
                self.bump();
                Ok(Expr::new(loc, ExprKind::FunLocal(FunId { name: *name, arity })))
            }
            (Tok::Atom(_) | Tok::Var(_), Tok::Colon) => {
                let module = self.atom_or_var("a module name or variable")?;
                self.expect(&Tok::Colon)?;
                let function = self.atom_or_var("a function name or variable")?;
                self.expect(&Tok::Slash)?;
                if !matches!(self.peek(), Tok::Integer(_) | Tok::BigInteger(_) | Tok::Var(_)) {
                    return Err(self.expected("the arity, an integer or variable"));
                }
                let arity = self.primary()?;
                Ok(Expr::new(loc, ExprKind::FunRemote(Box::new([module, function, arity]))))
            }
            (Tok::Atom(_), _) => {
                self.bump();
                Err(self.expected("`/` and the arity, or `:`"))
            }
            _ => Err(self.expected("`(`, a name with `/`Arity, or Module`:`Function`/`Arity")),
        }
    }

    fn atom_or_var(&mut self, what: &str) -> Parse<Expr> {
        let loc = self.loc();
        let kind = match self.peek() {
            Tok::Atom(atom) => ExprKind::Atom(*atom),
            Tok::Var(name) => ExprKind::Var(*name),
            _ => return Err(self.expected(what)),
        };
        self.bump();
        Ok(Expr::new(loc, kind))
    }

    fn fun_clauses(&mut self, name: Option<crate::atom::Atom>) -> Parse<Vec<FunClause>> {
        let clauses = self.clauses(|parser| {
            let loc = parser.loc();
            let found = match parser.peek() {
                Tok::Var(var) => {
                    parser.bump();
                    Some(*var)
                }
                _ => None,
            };
            let params = parser.parameters()?;
            if found != name {
                return Err(Box::new(parser.head_mismatch(loc)));
            }
            let guard = parser.opt_guard()?;
            let body = parser.body("`when` or `->` after the arguments")?;
            Ok(FunClause {
                loc,
                params,
                guard,
                body,
            })
        })?;
        self.expect_end("`,`, `;` or `end`")?;
        let arity = clauses[0].params.len();
        match clauses.iter().find(|clause| clause.params.len() != arity) {
            Some(clause) => Err(Box::new(self.head_mismatch(clause.loc))),
            None => Ok(clauses),
        }
    }

    /// `(Pattern, …)`
    pub(super) fn parameters(&mut self) -> Parse<Vec<Pattern>> {
        let args = self.arguments()?;
        Ok(args.into_iter().map(|arg| self.pattern_of(arg)).collect())
    }

    /// Whether the next token, the atom `maybe`, is the keyword of OTP 25-27. It is when no expression could continue like this after an atom;
    /// `maybe (` is a call unless the feature was enabled, so that older sources keep their meaning.
    pub(super) fn maybe_starts_here(&self) -> bool {
        matches!(
            self.peek_at(1),
            Tok::Atom(_)
                | Tok::Var(_)
                | Tok::Integer(_)
                | Tok::BigInteger(_)
                | Tok::Float(_)
                | Tok::Char(_)
                | Tok::String(_)
                | Tok::LBrace
                | Tok::LBracket
                | Tok::LBin
                | Tok::Begin
                | Tok::If
                | Tok::Case
                | Tok::Receive
                | Tok::Try
                | Tok::Fun
                | Tok::Not
                | Tok::Bnot
        ) && !matches!(self.peek_at(1), Tok::Atom(atom) if atom.as_str() == "else")
    }

    pub(super) fn maybe_block(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        let body = self.commas(|parser| {
            let left = parser.expr()?;
            match parser.eat(&Tok::QuestionEq) {
                Some(loc) => {
                    let pattern = parser.pattern_of(left);
                    Ok(MaybeStep::Match {
                        loc,
                        pattern,
                        value: parser.expr()?,
                    })
                }
                None => Ok(MaybeStep::Expr(left)),
            }
        })?;
        let is_else = match self.peek() {
            Tok::Else => true,
            Tok::Atom(atom) => self.guesses_maybe && atom.as_str() == "else",
            _ => false,
        };
        let otherwise = if is_else {
            let loc = self.bump();
            Some((loc, self.clauses(Self::clause)?))
        } else {
            None
        };
        self.expect_end(if otherwise.is_some() {
            "`,`, `;` or `end`"
        } else {
            "`,`, `?=`, `else` or `end`"
        })?;
        Ok(Expr::new(loc, ExprKind::Maybe(Box::new(Maybe { body, otherwise }))))
    }
}
