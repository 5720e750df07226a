//! Directives.

use super::expand::Definition;
use super::{Condition, Flow, MAX_INCLUDES, Session, is_atom};
use crate::IncludeKind;
use crate::ast::Loc;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::parse::parse_exprs;
use crate::scan::Scanner;
use crate::token::{Tok, Token};

pub(super) type DirectiveResult<T> = Result<T, Box<Diagnostic>>;

pub(super) fn fail<T>(loc: Loc, message: impl Into<String>) -> DirectiveResult<T> {
    Err(Box::new(Diagnostic::error(DiagnosticKind::Preprocess, loc, message)))
}

fn bad<T>(tokens: &[Token], at: usize, expected: &str) -> DirectiveResult<T> {
    let loc = tokens.get(at).or(tokens.last()).map_or(Loc::NONE, |token| token.loc);
    let name = &tokens[1].tok;
    Err(Box::new(
        Diagnostic::error(DiagnosticKind::Preprocess, loc, format!("badly formed '{name}'"))
            .label(format!("expected {expected}")),
    ))
}

/// `( name ) .` with a variable or an atom.
fn macro_name(tokens: &[Token]) -> DirectiveResult<Atom> {
    match tokens.get(2..) {
        Some(
            [
                Token { tok: Tok::LParen, .. },
                Token {
                    tok: Tok::Atom(name) | Tok::Var(name),
                    ..
                },
                rest @ ..,
            ],
        ) => match rest {
            [Token { tok: Tok::RParen, .. }, Token { tok: Tok::Dot, .. }] => Ok(*name),
            [Token { tok: Tok::RParen, .. }, ..] => bad(tokens, 5, "`.`"),
            _ => bad(tokens, 4, "`)`"),
        },
        Some([Token { tok: Tok::LParen, .. }, ..]) => bad(tokens, 3, "a macro's name"),
        _ => bad(tokens, 2, "`(` and a macro's name"),
    }
}

impl Session<'_> {
    pub(super) fn directive(
        &mut self,
        name: &str,
        tokens: &[Token],
        scanner: &mut Scanner<'_>,
    ) -> DirectiveResult<Flow> {
        match name {
            "define" => self.define(tokens)?,
            "undef" => self.macros.undefine(macro_name(tokens)?),
            "ifdef" | "ifndef" => return Ok(self.ifdef(name == "ifdef", tokens)),
            "if" => {
                let taken = self.condition(tokens);
                return Ok(self.branch(Condition::If, taken));
            }
            "elif" => return self.close_branch(Condition::Elif, tokens),
            "else" => {
                if tokens.len() != 3 {
                    return bad(tokens, 2, "`.`");
                }
                return self.close_branch(Condition::Else, tokens);
            }
            "endif" => {
                if tokens.len() != 3 {
                    return bad(tokens, 2, "`.`");
                }
                if self.conditions().pop().is_none() {
                    return fail(tokens[1].loc, "unbalanced '-endif'");
                }
            }
            "include" => self.include(IncludeKind::Include, tokens, scanner)?,
            "include_lib" => self.include(IncludeKind::IncludeLib, tokens, scanner)?,
            "error" | "warning" => self.message(name == "error", tokens)?,
            "file" => self.file_directive(tokens, scanner)?,
            "feature" => self.feature(tokens, scanner)?,
            _ => unreachable!("directive_name knows these names only"),
        }
        Ok(Flow::Read)
    }

    fn conditions(&mut self) -> &mut Vec<Condition> {
        &mut self.open.last_mut().expect("a file is being read").conditions
    }

    fn branch(&mut self, condition: Condition, taken: DirectiveResult<bool>) -> Flow {
        match taken {
            Ok(true) => {
                self.conditions().push(condition);
                Flow::Read
            }
            Ok(false) => Flow::Skip(condition),
            Err(error) => {
                self.diagnostics.push(*error);
                Flow::Skip(condition)
            }
        }
    }

    fn ifdef(&mut self, wanted: bool, tokens: &[Token]) -> Flow {
        let condition = if wanted { Condition::Ifdef } else { Condition::Ifndef };
        let taken = macro_name(tokens).map(|name| self.macros.is_defined(name) == wanted);
        self.branch(condition, taken)
    }

    /// `-else` or `-elif` at the end of a branch that was taken.
    fn close_branch(&mut self, next: Condition, tokens: &[Token]) -> DirectiveResult<Flow> {
        let loc = tokens[1].loc;
        match (self.conditions().pop(), next) {
            (None, _) => fail(loc, format!("unbalanced '-{}'", next.as_str())),
            (Some(Condition::Else), Condition::Else) => {
                self.error(loc, "repeated '-else'".to_owned(), None);
                Ok(Flow::Skip(Condition::Else))
            }
            (Some(Condition::Else), _) => {
                self.error(loc, "unbalanced '-elif'".to_owned(), None);
                Ok(Flow::Skip(Condition::Else))
            }
            (Some(_), _) => Ok(Flow::Skip(next)),
        }
    }

    fn define(&mut self, tokens: &[Token]) -> DirectiveResult<()> {
        let (name, name_loc) = match tokens.get(2..4) {
            Some(
                [
                    Token { tok: Tok::LParen, .. },
                    Token {
                        tok: Tok::Atom(name) | Tok::Var(name),
                        loc,
                    },
                ],
            ) => (*name, *loc),
            Some([Token { tok: Tok::LParen, .. }, _]) => return bad(tokens, 3, "a macro's name"),
            _ => return bad(tokens, 2, "`(` and a macro's name"),
        };
        let mut at = 4;
        let mut params = None;
        match tokens.get(at).map(|token| &token.tok) {
            Some(Tok::Comma) => {}
            Some(Tok::LParen) => {
                let (names, after) = parameters(tokens, at + 1)?;
                params = Some(names);
                at = after;
                if tokens.get(at).map(|token| &token.tok) != Some(&Tok::Comma) {
                    let loc = tokens.get(at).or(tokens.last()).map_or(name_loc, |token| token.loc);
                    return fail(loc, "badly formed define: missing comma");
                }
            }
            _ => return bad(tokens, at, "`,` or `(`"),
        }
        let body = &tokens[at + 1..];
        let body = match body {
            [body @ .., Token { tok: Tok::RParen, .. }, Token { tok: Tok::Dot, .. }] => body,
            _ => {
                let loc = tokens.last().map_or(name_loc, |token| token.loc);
                return fail(loc, "badly formed define: missing closing right parenthesis");
            }
        };
        self.macros.define(
            name,
            name_loc,
            Definition {
                params,
                body: body.into(),
            },
        )
    }

    fn include(&mut self, kind: IncludeKind, tokens: &[Token], scanner: &mut Scanner<'_>) -> DirectiveResult<()> {
        let (name, loc) = string_argument(tokens)?;
        if self.open.len() > MAX_INCLUDES {
            let what = if kind == IncludeKind::Include {
                "include"
            } else {
                "include_lib"
            };
            return fail(tokens[1].loc, format!("{what} too deep"));
        }
        let from = self.open.last().expect("a file is being read").name.clone();
        match self.includes.read(kind, &name, &from) {
            Ok(found) => {
                self.file(&found.name, &found.text);
                self.resume(scanner);
                Ok(())
            }
            Err(reason) => {
                let what = if kind == IncludeKind::Include { "file" } else { "lib" };
                let message = format!("can't find include {what} \"{name}\"");
                Err(Box::new(
                    Diagnostic::error(DiagnosticKind::Preprocess, loc, message).label(reason.to_string()),
                ))
            }
        }
    }

    fn message(&mut self, is_error: bool, tokens: &[Token]) -> DirectiveResult<()> {
        let loc = tokens[1].loc;
        if tokens.get(2).map(|token| &token.tok) != Some(&Tok::LParen) {
            return bad(tokens, 2, "`(` and a term");
        }
        let expanded = self.macros.expand(tokens[2..].to_vec())?;
        if parse_exprs(&expanded).is_err() {
            return bad(tokens, 2, "a term in parentheses");
        }
        let term: Vec<String> = expanded[..expanded.len() - 1]
            .iter()
            .map(|token| token.tok.to_string())
            .collect();
        let name = if is_error { "error" } else { "warning" };
        let text = format!("-{name}{}.", term.concat());
        self.diagnostics.push(match is_error {
            true => Diagnostic::error(DiagnosticKind::Preprocess, loc, text),
            false => Diagnostic::warning(loc, text),
        });
        Ok(())
    }

    /// `-file(Name, Line)`: changes the file and line of what follows.
    fn file_directive(&mut self, tokens: &[Token], scanner: &mut Scanner<'_>) -> DirectiveResult<()> {
        let mut expanded = tokens[..2].to_vec();
        expanded.extend(self.macros.expand(tokens[2..].to_vec())?);
        let mut toks = expanded[2..].iter().map(|token| &token.tok);
        let mut name = String::new();
        let mut next = toks.next();
        if next != Some(&Tok::LParen) {
            return bad(&expanded, 2, "`(`, a file name in quotes and a line");
        }
        next = toks.next();
        while let Some(Tok::String(text)) = next {
            name.push_str(text);
            next = toks.next();
        }
        let rest = [next, toks.next(), toks.next(), toks.next()];
        let [
            Some(Tok::Comma),
            Some(Tok::Integer(line)),
            Some(Tok::RParen),
            Some(Tok::Dot),
        ] = rest
        else {
            return bad(&expanded, 3, "a file name in quotes and a line");
        };
        let Ok(line) = u32::try_from(*line) else {
            return bad(&expanded, 3, "a line number");
        };
        let Some(index) = self.file_number(&name) else {
            return Ok(());
        };
        let loc = tokens[1].loc;
        self.mark(loc, index, line);
        self.macros.set_file(&name);
        let open = self.open.last_mut().expect("a file is being read");
        open.shown = name.as_str().into();
        open.delta += i64::from(loc.line) - i64::from(line);
        scanner.relocate(line.saturating_add(scanner.line().saturating_sub(loc.line)), index);
        Ok(())
    }

    fn feature(&mut self, tokens: &[Token], scanner: &mut Scanner<'_>) -> DirectiveResult<()> {
        let toks: Vec<&Tok> = tokens[2..].iter().map(|token| &token.tok).collect();
        let [
            Tok::LParen,
            Tok::Atom(feature),
            Tok::Comma,
            Tok::Atom(action),
            Tok::RParen,
            Tok::Dot,
        ] = toks[..]
        else {
            return bad(tokens, 2, "(Feature, enable) or (Feature, disable)");
        };
        if !self.in_prefix {
            let message = "feature directive not allowed after exports or record definitions";
            return Err(Box::new(
                Diagnostic::error(DiagnosticKind::Preprocess, tokens[1].loc, message)
                    .hint("move it up, behind -module"),
            ));
        }
        let enable = match action.as_str() {
            "enable" => true,
            "disable" => false,
            _ => return bad(tokens, 5, "`enable` or `disable`"),
        };
        if feature.as_str() != "maybe_expr" {
            let message = format!("the feature '{feature}' does not exist");
            return Err(Box::new(
                Diagnostic::error(DiagnosticKind::Preprocess, tokens[3].loc, message)
                    .hint("the only feature is maybe_expr"),
            ));
        }
        self.maybe_expr = enable;
        scanner.maybe_keywords = enable;
        self.macros.set_maybe_expr(enable);
        Ok(())
    }

    pub(super) fn define_from_options(&mut self) {
        for (name, value) in &self.options.defines {
            let mut tokens = Vec::new();
            let value = value.as_deref().unwrap_or("true");
            let defined = match Scanner::new(value, 0).form(&mut tokens) {
                Ok(_) => {
                    tokens.retain(|token| token.tok != Tok::Dot);
                    tokens.iter_mut().for_each(|token| {
                        token.loc = Loc {
                            line: 1,
                            col: 1,
                            file: 0,
                        }
                    });
                    self.macros.define(
                        Atom::new(name),
                        Loc::NONE,
                        Definition {
                            params: None,
                            body: tokens.into(),
                        },
                    )
                }
                Err(error) => fail(Loc::NONE, format!("macro {name} given as an option: {}", error.message)),
            };
            if let Err(error) = defined {
                self.diagnostics.push(*error);
            }
        }
    }
}

/// Parameter names from `at` up to `)`; the index after it.
fn parameters(tokens: &[Token], mut at: usize) -> DirectiveResult<(Vec<Atom>, usize)> {
    let mut names = Vec::new();
    let tok = |at: usize| tokens.get(at).map(|token| &token.tok);
    if tok(at) == Some(&Tok::RParen) {
        return Ok((names, at + 1));
    }
    loop {
        let Some(Tok::Var(name)) = tok(at) else {
            return bad(tokens, at, "a parameter (a variable)");
        };
        if names.contains(name) {
            return fail(
                tokens[at].loc,
                format!("argument '{name}' already used in macro definition"),
            );
        }
        names.push(*name);
        match tok(at + 1) {
            Some(Tok::Comma) => at += 2,
            Some(Tok::RParen) => return Ok((names, at + 2)),
            _ => return bad(tokens, at + 1, "`,` or `)`"),
        }
    }
}

/// `("…") .`, adjacent literals joined.
fn string_argument(tokens: &[Token]) -> DirectiveResult<(String, Loc)> {
    if tokens.get(2).map(|token| &token.tok) != Some(&Tok::LParen) {
        return bad(tokens, 2, "`(` and a file name in quotes");
    }
    let mut name = String::new();
    let mut at = 3;
    while let Some(Token {
        tok: Tok::String(text), ..
    }) = tokens.get(at)
    {
        name.push_str(text);
        at += 1;
    }
    match tokens[at.min(tokens.len())..] {
        _ if at == 3 => bad(tokens, 3, "a file name in quotes"),
        [Token { tok: Tok::RParen, .. }, Token { tok: Tok::Dot, .. }] => Ok((name, tokens[3].loc)),
        _ => bad(tokens, at, "`)` and `.`"),
    }
}

/// The atom that a token stands for.
pub(super) fn atom_of(token: &Token) -> Option<Atom> {
    is_atom(&token.tok)
}
