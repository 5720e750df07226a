//! Forms: functions. Attributes are in `attribute`.

use super::{Parse, Parser};
use crate::ast::*;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn form(&mut self, module: &mut Module) -> Parse<()> {
        match self.peek() {
            Tok::Minus => self.attribute(module)?,
            Tok::Atom(_) => {
                let function = self.function()?;
                module.order.push(FormRef::Function(module.functions.len()));
                module.functions.push(function);
            }
            _ => return Err(self.expected("a function name or an attribute `-name(…)`")),
        }
        Ok(())
    }

    pub(super) fn expect_dot(&mut self, what: &str) -> Parse<()> {
        if self.at_end() && self.pos + 1 >= self.tokens.len() {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    fn function(&mut self) -> Parse<Function> {
        let loc = self.loc();
        let name = self.expect_atom("a function name")?;
        let mut clauses = vec![self.function_clause(loc)?];
        let arity = clauses[0].params.len();
        while self.eat(&Tok::Semicolon).is_some() {
            let loc = self.loc();
            let next = self.expect_atom("the function's next clause (a `.` ends the function)")?;
            let clause = self.function_clause(loc)?;
            if next != name || clause.params.len() != arity {
                let found = format!(
                    "this clause is of {next}/{}, the function is {name}/{arity}",
                    clause.params.len()
                );
                return Err(Box::new(self.head_mismatch(loc).label(found)));
            }
            clauses.push(clause);
        }
        self.expect_dot("`,`, `;`, `.` or an operator")?;
        let arity = u32::try_from(arity).expect("arguments are tokens, and those are counted in 32 bits");
        Ok(Function {
            loc,
            name,
            arity,
            clauses,
        })
    }

    pub(super) fn head_mismatch(&self, loc: Loc) -> Diagnostic {
        Diagnostic::error(DiagnosticKind::Parse, loc, "head mismatch")
            .hint("all clauses of a function have one name and arity; end the function before with `.`")
    }

    fn function_clause(&mut self, loc: Loc) -> Parse<FunClause> {
        if *self.peek() != Tok::LParen {
            return Err(self.expected("`(` and the function's arguments"));
        }
        let params = self.parameters()?;
        let guard = self.opt_guard()?;
        let body = self.body("`when` or `->` after the arguments")?;
        Ok(FunClause {
            loc,
            params,
            guard,
            body,
        })
    }
}
