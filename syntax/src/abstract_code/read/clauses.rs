//! Clauses, the qualifiers of comprehensions, and the steps of `maybe`.

use super::error::{FormResult, FormsError, Inside};
use super::expr::CLAUSES;
use super::{FormNode, FormReader, Id};
use crate::ast::*;
use crate::atom::Atom;

const CLAUSE: &str = "a clause {clause, Anno, Patterns, Guard, Body}";
const CATCH: &str = "one pattern {tuple, Anno, [Class, Reason, Stack]}";

impl FormReader<'_> {
    /// `{clause, Loc, Patterns, Guard, Body}`
    fn clause_parts(&self, id: Id) -> FormResult<(Loc, [Id; 3])> {
        let node = self.node(id, CLAUSE)?;
        match (node.tag, node.args) {
            ("clause", [patterns, guard, body]) => Ok((node.loc, [*patterns, *guard, *body])),
            _ => Err(self.illegal(id, CLAUSE)),
        }
    }

    fn guard_and_body(&mut self, guard: Id, body: Id) -> FormResult<(Guard, Vec<Expr>)> {
        let tests = |reader: &mut Self, id| reader.some(id, "a list of at least one guard test", Self::expr);
        let guard = self.list(guard, "a guard, a list of lists", tests).inside(4)?;
        Ok((guard, self.body(body).inside(5)?))
    }

    pub(super) fn clauses(&mut self, id: Id) -> FormResult<Vec<Clause>> {
        self.list(id, CLAUSES, |reader, clause| {
            let (loc, [patterns, guard, body]) = reader.clause_parts(clause)?;
            reader.clause(loc, patterns, guard, body).near(loc)
        })
    }

    /// Clauses of an expression that has at least one in every source. OTP takes none, too: such a `case` matches nothing.
    pub(super) fn some_clauses(&mut self, id: Id, of: &'static str) -> FormResult<Vec<Clause>> {
        match self.clauses(id)? {
            clauses if clauses.is_empty() => Err(FormsError::unsupported(format!("{of} without clauses"))),
            clauses => Ok(clauses),
        }
    }

    fn clause(&mut self, loc: Loc, patterns: Id, guard: Id, body: Id) -> FormResult<Clause> {
        let [pattern] = self.items(patterns, "a list of one pattern").inside(3)?[..] else {
            return Err(self.illegal(patterns, "a list of one pattern")).inside(3);
        };
        let pattern = self.pattern(pattern).inside(1).inside(3)?;
        let (guard, body) = self.guard_and_body(guard, body)?;
        Ok(Clause {
            loc,
            pattern,
            guard,
            body,
        })
    }

    pub(super) fn if_clause(&mut self, id: Id) -> FormResult<IfClause> {
        let (loc, [patterns, guard, body]) = self.clause_parts(id)?;
        if !self.items(patterns, NO_PATTERNS).inside(3).near(loc)?.is_empty() {
            return Err(self.illegal(patterns, NO_PATTERNS)).inside(3).near(loc);
        }
        let (guard, body) = self.guard_and_body(guard, body).near(loc)?;
        Ok(IfClause { loc, guard, body })
    }

    /// Clauses of a fun or function, at least one, all of one arity.
    pub(super) fn fun_clauses(&mut self, id: Id) -> FormResult<Vec<FunClause>> {
        let mut arity = None;
        self.some(id, "a list of at least one clause", |reader, clause| {
            let (loc, [patterns, guard, body]) = reader.clause_parts(clause)?;
            let params = reader.list(patterns, "a list of patterns", Self::pattern);
            let params = params.inside(3).near(loc)?;
            if *arity.get_or_insert(params.len()) != params.len() {
                let expected = "as many arguments as in the first clause";
                return Err(reader.illegal(patterns, expected)).inside(3).near(loc);
            }
            let (guard, body) = reader.guard_and_body(guard, body).near(loc)?;
            Ok(FunClause {
                loc,
                params,
                guard,
                body,
            })
        })
    }

    pub(super) fn catch_clause(&mut self, id: Id) -> FormResult<CatchClause> {
        let (loc, [patterns, guard, body]) = self.clause_parts(id)?;
        self.catch_clause_here(loc, patterns, guard, body).near(loc)
    }

    fn catch_clause_here(&mut self, loc: Loc, patterns: Id, guard: Id, body: Id) -> FormResult<CatchClause> {
        let [pattern] = self.items(patterns, CATCH).inside(3)?[..] else {
            return Err(self.illegal(patterns, CATCH)).inside(3);
        };
        let node = self.node(pattern, CATCH).inside(1).inside(3)?;
        let ("tuple", [parts]) = (node.tag, node.args) else {
            return Err(self.illegal(pattern, CATCH)).inside(1).inside(3);
        };
        let items = self.items(*parts, CATCH).inside(3).inside(1).inside(3)?;
        let [class, reason, stack] = items[..] else {
            return Err(self.illegal(*parts, CATCH)).inside(3).inside(1).inside(3);
        };
        let class = self.class(class).inside(1).inside(3).inside(1).inside(3)?;
        let reason = self.pattern(reason).inside(2).inside(3).inside(1).inside(3)?;
        let stack = self.leaf(stack, "var", "a variable for the stack trace");
        let stack = stack.inside(3).inside(3).inside(1).inside(3)?;
        let (guard, body) = self.guard_and_body(guard, body)?;
        Ok(CatchClause {
            loc,
            class,
            reason,
            stack: (stack.atom != Atom::WILDCARD).then_some(stack),
            stack_loc: stack.loc,
            guard,
            body,
        })
    }

    fn class(&self, id: Id) -> FormResult<CatchClass> {
        let FormNode { tag, loc, args } = self.node(id, "a class, an atom or variable")?;
        match (tag, args) {
            ("atom", [class]) => Ok(CatchClass::Atom(self.atom(*class, "an atom").inside(3).near(loc)?)),
            ("var", [class]) => {
                let class = self.atom(*class, "a variable's name, an atom");
                Ok(CatchClass::Var(class.inside(3).near(loc)?))
            }
            // OTP takes any pattern; only `error`, `exit` and `throw` can match.
            _ => Err(FormsError::unsupported(
                "the class of a catch clause that is neither an atom nor a variable".to_owned(),
            ))
            .near(loc),
        }
    }

    pub(super) fn qualifiers(&mut self, id: Id) -> FormResult<Vec<Qualifier>> {
        self.list(id, "a list of qualifiers", Self::qualifier)
    }

    fn qualifier(&mut self, id: Id) -> FormResult<Qualifier> {
        let node = self.node(id, "a qualifier")?;
        let loc = node.loc;
        match (node.tag, node.args) {
            ("zip", [generators]) => {
                let generators = self.some(*generators, "a list of at least one generator", |reader, id| {
                    match reader.generator(id)? {
                        Some(generator) => Ok(generator),
                        // `erl_lint` of OTP 28 says so.
                        None => Err(reader.illegal(id, "a generator, as all parts of a zip generator are")),
                    }
                });
                Ok(Qualifier::Zip(loc, generators.inside(3).near(loc)?))
            }
            _ => match self.generator(id)? {
                Some(generator) => Ok(Qualifier::Generator(generator)),
                None => self.expr(id).map(Qualifier::Filter),
            },
        }
    }

    /// A generator, unless this is another qualifier.
    fn generator(&mut self, id: Id) -> FormResult<Option<Generator>> {
        let FormNode { tag, loc, args } = self.node(id, "a qualifier")?;
        let [pattern, expr] = args else {
            return Ok(None);
        };
        let (pattern, expr) = (*pattern, *expr);
        let strict = tag.ends_with("_strict");
        let element = match tag.strip_suffix("_strict").unwrap_or(tag) {
            "generate" => Element::List(self.pattern(pattern).inside(3).near(loc)?),
            "b_generate" => Element::Binary(self.pattern(pattern).inside(3).near(loc)?),
            "m_generate" => {
                let (arrow, key, value) = self.association(pattern, "map_field_exact").inside(3).near(loc)?;
                let key = self.pattern(key).inside(3).inside(3).near(loc)?;
                let value = self.pattern(value).inside(4).inside(3).near(loc)?;
                let pair = Box::new([key, value]);
                Element::Map { arrow, pair }
            }
            _ => return Ok(None),
        };
        let expr = self.expr(expr).inside(4).near(loc)?;
        Ok(Some(Generator {
            loc,
            strict,
            element,
            expr,
        }))
    }

    pub(super) fn maybe(&mut self, steps: Id, otherwise: Option<Id>) -> FormResult<ExprKind> {
        let body = self.some(steps, "a list of at least one expression", |reader, step| {
            let node = reader.node(step, "an expression or {maybe_match, …}")?;
            match (node.tag, node.args) {
                ("maybe_match", [pattern, value]) => Ok(MaybeStep::Match {
                    loc: node.loc,
                    pattern: reader.pattern(*pattern).inside(3).near(node.loc)?,
                    value: reader.expr(*value).inside(4).near(node.loc)?,
                }),
                _ => reader.expr(step).map(MaybeStep::Expr),
            }
        });
        let body = body.inside(3)?;
        let otherwise = match otherwise {
            None => None,
            Some(id) => Some(self.otherwise(id).inside(4)?),
        };
        Ok(ExprKind::Maybe(Box::new(Maybe { body, otherwise })))
    }

    fn otherwise(&mut self, id: Id) -> FormResult<(Loc, Vec<Clause>)> {
        let node = self.node(id, "{else, Anno, Clauses}")?;
        match (node.tag, node.args) {
            ("else", [clauses]) => {
                let clauses = self.some_clauses(*clauses, "else");
                Ok((node.loc, clauses.inside(3).near(node.loc)?))
            }
            _ => Err(self.illegal(id, "{else, Anno, Clauses}")),
        }
    }
}

const NO_PATTERNS: &str = "no patterns in a clause of `if`";
