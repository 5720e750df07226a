//! The parser: the expanded tokens of one form to a node of the tree.
//!
//! Operators are parsed by precedence (Pratt); patterns are parsed as expressions and then converted, as `erl_parse` and `erl_lint` do
//! between them. Recursion runs on a growing stack, so nesting is bounded by [`MAX_DEPTH`] alone.

mod attribute;
mod binary;
mod clauses;
mod expr;
mod form;
mod pattern;
mod types;

pub(crate) use self::binary::resolve_segment;
pub(super) use self::pattern::{fold_constant, is_constant};
use super::ast::{Expr, FormRef, Loc, Module, Pattern};
use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::release::Language;
use super::stack::with_stack;
use super::token::{Tok, Token, quoted_atom};
use crate::atom::Atom;

/// Maximum nesting of expressions, patterns or types.
pub const MAX_DEPTH: u32 = 200_000;

/// Parses one form's tokens (the dot last) into `module`, and appends to `diagnostics`. A form with a syntax error is left out; one with a
/// semantic error (`Kind::Lint`) is kept.
pub fn parse_form(tokens: &[Token], module: &mut Module, diagnostics: &mut Vec<Diagnostic>) {
    let before = diagnostics.len();
    let forms = module.order.len();
    let mut parser = Parser::new(tokens, diagnostics);
    parser.guesses_maybe = !module.language.has_maybe();
    if let Err(error) = parser.form(module) {
        // Other errors of this form do not matter.
        let refused: Vec<Diagnostic> = diagnostics
            .drain(before..)
            .filter(|found| found.kind == DiagnosticKind::Parse)
            .collect();
        diagnostics.extend(refused);
        diagnostics.push(*error);
    } else if diagnostics[before..]
        .iter()
        .any(|error| error.kind == DiagnosticKind::Parse)
    {
        drop_form(module, forms);
    }
}

/// Removes the form that was added last, if any.
fn drop_form(module: &mut Module, forms: usize) {
    let Some(form) = module.order.get(forms) else { return };
    match form {
        FormRef::Module => module.name = None,
        FormRef::Export(_) => drop(module.exports.pop()),
        FormRef::ExportType(_) => drop(module.export_types.pop()),
        FormRef::Import(_) => drop(module.imports.pop()),
        FormRef::Record(_) => drop(module.records.pop()),
        FormRef::Attribute(_) => drop(module.attributes.pop()),
        FormRef::Type(_) => drop(module.types.pop()),
        FormRef::Spec(_) => drop(module.specs.pop()),
        FormRef::Function(_) => drop(module.functions.pop()),
        FormRef::File(_) => drop(module.file_marks.pop()),
    }
    module.order.truncate(forms);
}

/// Parses expressions separated by commas (as for `-if` and for a debugger's prompt); a final dot may follow.
///
/// # Errors
/// The first syntax error.
pub fn parse_exprs(tokens: &[Token]) -> Result<Vec<Expr>, Vec<Diagnostic>> {
    exprs_unless(tokens, Language::default(), |_| true)
}

/// As [`parse_exprs`], for `erl_parse`: patterns that are none are told by `erl_lint`, unless a parse transform makes something of them.
///
/// # Errors
/// The first syntax error.
pub fn parse_unchecked_exprs(tokens: &[Token], language: Language) -> Result<Vec<Expr>, Vec<Diagnostic>> {
    exprs_unless(tokens, language, |found| found.kind != DiagnosticKind::Lint)
}

fn exprs_unless(
    tokens: &[Token],
    language: Language,
    is_wrong: impl Fn(&Diagnostic) -> bool,
) -> Result<Vec<Expr>, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut parser = Parser::new(tokens, &mut diagnostics);
    parser.guesses_maybe = !language.has_maybe();
    let result = parser
        .exprs()
        .and_then(|exprs| parser.expect_dot("an operator or the end").map(|()| exprs));
    match result {
        Ok(exprs) if !diagnostics.iter().any(is_wrong) => Ok(exprs),
        Ok(_) => Err(diagnostics),
        Err(error) => {
            diagnostics.push(*error);
            Err(diagnostics)
        }
    }
}

/// The pattern that an expression denotes. What is none is reported and becomes `_`.
pub(crate) fn pattern_of(expr: Expr, diagnostics: &mut Vec<Diagnostic>) -> Pattern {
    Parser::new(&[], diagnostics).pattern_of(expr)
}

/// A syntax error ends the form; errors that are not about structure go to `Parser::diagnostics` and parsing goes on.
type Parse<T> = Result<T, Box<Diagnostic>>;

struct Parser<'a> {
    tokens: &'a [Token],
    pos: usize,
    depth: u32,
    /// In the reason of a catch clause a colon comes before the stack variable; elsewhere it makes a remote call.
    in_catch_reason: bool,
    /// Whether the atom `maybe` is the keyword where nothing else makes sense: where the scanner does not know the keyword.
    guesses_maybe: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

const END: &Tok = &Tok::Dot;

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], diagnostics: &'a mut Vec<Diagnostic>) -> Parser<'a> {
        Parser {
            tokens,
            pos: 0,
            depth: 0,
            in_catch_reason: false,
            guesses_maybe: true,
            diagnostics,
        }
    }

    fn peek(&self) -> &'a Tok {
        self.tokens.get(self.pos).map_or(END, |token| &token.tok)
    }

    fn peek_at(&self, ahead: usize) -> &'a Tok {
        self.tokens.get(self.pos + ahead).map_or(END, |token| &token.tok)
    }

    /// The place of the next token; at the end, of the last one.
    fn loc(&self) -> Loc {
        self.tokens
            .get(self.pos)
            .or(self.tokens.last())
            .map_or(Loc::NONE, |token| token.loc)
    }

    fn at_end(&self) -> bool {
        *self.peek() == Tok::Dot
    }

    /// Takes the next token and returns its place.
    fn bump(&mut self) -> Loc {
        let loc = self.loc();
        self.pos += 1;
        loc
    }

    fn eat(&mut self, tok: &Tok) -> Option<Loc> {
        (self.peek() == tok && self.pos < self.tokens.len()).then(|| self.bump())
    }

    fn expect(&mut self, tok: &Tok) -> Parse<Loc> {
        match self.eat(tok) {
            Some(loc) => Ok(loc),
            None => Err(self.expected(&format!("`{tok}`"))),
        }
    }

    fn expect_atom(&mut self, what: &str) -> Parse<Atom> {
        match self.peek() {
            Tok::Atom(atom) => {
                self.bump();
                Ok(*atom)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// The error for the next token, in `erl_parse`'s words, with what was expected.
    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let message = match self.tokens.get(self.pos) {
            Some(token) if token.tok == Tok::Dot => "syntax error before: '.'".to_owned(),
            Some(token) => format!("syntax error before: {}", quoted(&token.tok)),
            None => "syntax error: the form ends too early".to_owned(),
        };
        Box::new(Diagnostic::error(DiagnosticKind::Parse, self.loc(), message).label(format!("expected {what}")))
    }

    /// Reports an error of meaning in a form with the right structure, as `erl_lint` would.
    fn report(&mut self, loc: Loc, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(DiagnosticKind::Lint, loc, message));
    }

    /// Reports what `erl_parse` refuses, where parsing can go on.
    fn refuse(&mut self, loc: Loc, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(DiagnosticKind::Parse, loc, message));
    }

    /// As [`Parser::refuse`], with a hint.
    fn refuse_with(&mut self, loc: Loc, message: &str, hint: &str) {
        self.diagnostics
            .push(Diagnostic::error(DiagnosticKind::Parse, loc, message).hint(hint));
    }

    /// Runs a step one level of nesting deeper.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = with_stack(|| step(self));
        self.depth -= 1;
        result
    }

    fn too_deep(&self) -> Box<Diagnostic> {
        let message = format!("nested more than {MAX_DEPTH} deep");
        Box::new(Diagnostic::error(DiagnosticKind::Parse, self.loc(), message).hint("split the expression"))
    }

    /// `item {, item}`
    fn commas<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(&Tok::Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

fn quoted(tok: &Tok) -> String {
    match tok {
        Tok::Atom(_) | Tok::Var(_) | Tok::Integer(_) | Tok::BigInteger(_) | Tok::Float(_) | Tok::Char(_) => {
            tok.to_string()
        }
        Tok::String(text) if text.chars().count() > 40 => {
            let start: String = text.chars().take(40).collect();
            format!("{}…", Tok::String(start.into()))
        }
        Tok::String(_) => tok.to_string(),
        Tok::SigilPrefix(kind) => quoted_atom(*kind),
        Tok::SigilSuffix(suffix) => Tok::String(suffix.clone()).to_string(),
        _ => format!("'{tok}'"),
    }
}
