//! Macros: the table, and expansion as in `epp`.
//!
//! The tokens of an expansion have the place of the macro's name in the call; those of an argument keep their own place, and so do the tokens
//! that follow an argument in the body up to the next one.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::directive::{DirectiveResult, atom_of, fail};
use crate::ReadOptions;
use crate::ast::Loc;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::stack::with_stack;
use crate::token::{Tok, Token, quoted_atom};

/// Maximum number of tokens that the macros of one module may expand to.
const MAX_EXPANSION: usize = 20_000_000;

/// A macro's definition.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// `None` for a macro without a parameter list.
    pub(super) params: Option<Vec<Atom>>,
    pub(super) body: Rc<[Token]>,
}

impl Definition {
    fn arity(&self) -> Option<usize> {
        self.params.as_ref().map(Vec::len)
    }
}

enum Macro {
    /// Predefined, but without a value yet (`?MODULE` before `-module`).
    Unset,
    /// Predefined: cannot be redefined.
    Builtin(Rc<Definition>),
    /// One definition for each arity.
    User(Vec<(Rc<Definition>, Loc)>),
}

pub(super) struct Macros {
    table: FxHashMap<Atom, Macro>,
    /// Macros (with arity) that reach no cycle; cleared when a definition that they may reach changes.
    acyclic: FxHashSet<(Atom, Option<usize>)>,
    /// Macros reached from those and already checked.
    reached: FxHashSet<Atom>,
    /// Head of the form that is being expanded, up to the first `->`, for `?FUNCTION_NAME`.
    head: Head,
    expanded: usize,
}

enum Head {
    /// Not analysed yet.
    Tokens(Rc<[Token]>),
    Known(Atom, usize),
    /// The head itself is being expanded: leave `?FUNCTION_NAME` alone.
    Expanding,
}

impl Macros {
    pub(super) fn new() -> Macros {
        Macros {
            table: FxHashMap::default(),
            acyclic: FxHashSet::default(),
            reached: FxHashSet::default(),
            head: Head::Expanding,
            expanded: 0,
        }
    }

    pub(super) fn predefine(&mut self, options: &ReadOptions, file: &str) {
        for name in [
            "FUNCTION_NAME",
            "FUNCTION_ARITY",
            "MODULE",
            "MODULE_STRING",
            "BASE_MODULE",
            "BASE_MODULE_STRING",
        ] {
            self.table.insert(Atom::new(name), Macro::Unset);
        }
        self.builtin("MACHINE", None, vec![Tok::Atom(Atom::new("BEAM"))]);
        self.builtin("BEAM", None, vec![Tok::Atom(Atom::TRUE)]);
        self.builtin("LINE", None, vec![Tok::Integer(1)]);
        self.builtin(
            "OTP_RELEASE",
            None,
            vec![Tok::Integer(i64::from(options.language.release.number()))],
        );
        self.feature_macro("FEATURE_AVAILABLE", true);
        self.set_maybe_expr(options.has_maybe());
        self.set_file(file);
    }

    fn builtin(&mut self, name: &str, params: Option<Vec<Atom>>, toks: Vec<Tok>) {
        let loc = Loc {
            line: 1,
            col: 1,
            file: 0,
        };
        let body = toks.into_iter().map(|tok| Token { loc, tok }).collect();
        self.table
            .insert(Atom::new(name), Macro::Builtin(Rc::new(Definition { params, body })));
    }

    fn feature_macro(&mut self, name: &str, has_maybe: bool) {
        let param = Atom::new("X");
        let body = match has_maybe {
            true => vec![
                Tok::LParen,
                Tok::LParen,
                Tok::Var(param),
                Tok::RParen,
                Tok::EqEq,
                Tok::Atom(Atom::new("maybe_expr")),
                Tok::RParen,
            ],
            false => vec![Tok::Atom(Atom::FALSE)],
        };
        self.builtin(name, Some(vec![param]), body);
    }

    pub(super) fn set_maybe_expr(&mut self, enabled: bool) {
        self.feature_macro("FEATURE_ENABLED", enabled);
    }

    pub(super) fn set_file(&mut self, name: &str) {
        self.builtin("FILE", None, vec![Tok::String(name.into())]);
    }

    /// Sets `?MODULE` if the form is `-module(name).`
    pub(super) fn note_module(&mut self, form: &[Token]) {
        let [minus, attribute, open, name, _, ..] = form else {
            return;
        };
        let is_module = minus.tok == Tok::Minus && atom_of(attribute) == Some(Atom::MODULE) && open.tok == Tok::LParen;
        if let (true, Some(name)) = (is_module, atom_of(name)) {
            self.builtin("MODULE", None, vec![Tok::Atom(name)]);
            self.builtin("MODULE_STRING", None, vec![Tok::String(name.as_str().into())]);
        }
    }

    pub(super) fn is_defined(&self, name: Atom) -> bool {
        !matches!(self.table.get(&name), None | Some(Macro::Unset))
    }

    /// Like [`Macros::is_defined`], but also true for predefined macros without a value: what `defined(X)` in `-if` tests.
    pub(super) fn is_known(&self, name: Atom) -> bool {
        self.table.contains_key(&name)
    }

    fn forget_cycles(&mut self, name: Atom) {
        if self.reached.contains(&name) {
            self.acyclic.clear();
            self.reached.clear();
        }
    }

    pub(super) fn undefine(&mut self, name: Atom) {
        self.forget_cycles(name);
        self.table.remove(&name);
    }

    pub(super) fn define(&mut self, name: Atom, loc: Loc, definition: Definition) -> DirectiveResult<()> {
        self.forget_cycles(name);
        let arity = definition.arity();
        match self.table.entry(name).or_insert_with(|| Macro::User(Vec::new())) {
            Macro::User(definitions) => {
                if let Some((_, first)) = definitions.iter().find(|(old, _)| old.arity() == arity) {
                    let error =
                        Diagnostic::error(DiagnosticKind::Preprocess, loc, format!("redefining macro '{name}'"))
                            .note(*first, "first defined here")
                            .hint("put -undef before the new definition");
                    return Err(Box::new(error));
                }
                definitions.push((Rc::new(definition), loc));
                Ok(())
            }
            _ => fail(loc, format!("redefining predefined macro '{name}'")),
        }
    }

    /// Expands a form that is not a directive.
    pub(super) fn expand_form(&mut self, tokens: Vec<Token>) -> DirectiveResult<Vec<Token>> {
        if !tokens.iter().any(|token| token.tok == Tok::Question) {
            return Ok(tokens);
        }
        let head = tokens
            .iter()
            .position(|token| token.tok == Tok::Arrow)
            .unwrap_or(tokens.len());
        self.head = Head::Tokens(tokens[..head].into());
        let result = self.expand(tokens);
        self.head = Head::Expanding;
        result
    }

    /// Expands all macros.
    pub(super) fn expand(&mut self, mut tokens: Vec<Token>) -> DirectiveResult<Vec<Token>> {
        let Some(first) = tokens.iter().position(|token| token.tok == Tok::Question) else {
            return Ok(tokens);
        };
        let mut input = tokens.split_off(first);
        input.reverse();
        let mut out = tokens;
        while let Some(token) = input.pop() {
            if token.tok != Tok::Question {
                out.push(token);
                continue;
            }
            match input.pop() {
                Some(Token {
                    tok: Tok::Atom(name),
                    loc,
                }) => self.call(name, loc, &mut input)?,
                Some(Token {
                    tok: Tok::Var(name),
                    loc,
                }) => match name.as_str() {
                    "LINE" => out.push(Token {
                        loc,
                        tok: Tok::Integer(i64::from(loc.line)),
                    }),
                    "FUNCTION_NAME" | "FUNCTION_ARITY" => self.function_macro(name, loc, token, &mut out)?,
                    _ => self.call(name, loc, &mut input)?,
                },
                Some(other) => {
                    let shown = match other.tok {
                        Tok::Dot => "dot".to_owned(),
                        _ => other.tok.to_string(),
                    };
                    return fail(other.loc, format!("illegal macro call '?{shown}'"));
                }
                None => return fail(token.loc, "illegal macro call '?'"),
            }
        }
        Ok(out)
    }

    /// Puts the expansion of one call in front of the input (which is reversed: its end comes first).
    fn call(&mut self, name: Atom, loc: Loc, input: &mut Vec<Token>) -> DirectiveResult<()> {
        let definition = self.find(name, loc, input)?;
        self.check_cycles(name, definition.arity(), loc)?;
        let mut expansion = match &definition.params {
            None => {
                let body = definition
                    .body
                    .iter()
                    .map(|token| Token {
                        loc,
                        tok: token.tok.clone(),
                    })
                    .collect();
                with_stack(|| self.expand(body))?
            }
            Some(params) => {
                let (args, used) =
                    arguments(input, name, loc)?.expect("the definition was found by its number of arguments");
                let expansion = substitute(&definition.body, params, &args, loc);
                input.truncate(input.len() - used);
                expansion
            }
        };
        self.expanded += expansion.len() + 1;
        if self.expanded > MAX_EXPANSION {
            return fail(
                loc,
                format!("the module's macros expand to more than {MAX_EXPANSION} tokens"),
            );
        }
        expansion.reverse();
        input.append(&mut expansion);
        Ok(())
    }

    fn find(&self, name: Atom, loc: Loc, input: &[Token]) -> DirectiveResult<Rc<Definition>> {
        let definitions = match self.table.get(&name) {
            Some(Macro::Builtin(definition)) => return Ok(definition.clone()),
            Some(Macro::User(definitions)) => definitions,
            None | Some(Macro::Unset) => {
                let args = arguments(input, name, loc)?;
                let shown = args.map_or_else(|| name.to_string(), |(args, _)| format!("{name}/{}", args.len()));
                return Err(Box::new(self.undefined(name, loc, &shown)));
            }
        };
        if let [(definition, _)] = &definitions[..]
            && definition.params.is_none()
        {
            return Ok(definition.clone());
        }
        let arity = arguments(input, name, loc)?.map(|(args, _)| args.len());
        match definitions.iter().find(|(definition, _)| definition.arity() == arity) {
            Some((definition, _)) => Ok(definition.clone()),
            None => {
                let mut error = Diagnostic::error(
                    DiagnosticKind::Preprocess,
                    loc,
                    format!("argument mismatch for macro '{name}'"),
                );
                for (definition, place) in definitions {
                    let text = match definition.arity() {
                        Some(arity) => format!("defined here with {arity} argument(s)"),
                        None => "defined here without arguments".to_owned(),
                    };
                    error = error.note(*place, text);
                }
                Err(Box::new(error))
            }
        }
    }

    fn undefined(&self, name: Atom, loc: Loc, shown: &str) -> Diagnostic {
        let error = Diagnostic::error(DiagnosticKind::Preprocess, loc, format!("undefined macro '{shown}'"));
        let mut names: Vec<&str> = self.table.keys().map(|known| known.as_str()).collect();
        names.sort_unstable();
        let similar = names
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name.as_str()));
        match similar {
            Some(similar) => error.hint(format!("did you mean ?{similar}?")),
            None => error.hint(format!("define it with -define({}, …).", quoted_atom_or_var(name))),
        }
    }

    /// `?FUNCTION_NAME` and `?FUNCTION_ARITY`, from the head of the form.
    fn function_macro(&mut self, which: Atom, loc: Loc, question: Token, out: &mut Vec<Token>) -> DirectiveResult<()> {
        if let Head::Tokens(tokens) = &self.head {
            let tokens = tokens.to_vec();
            self.head = Head::Expanding;
            let expanded = self.expand(tokens)?;
            self.head = match function_head(&expanded) {
                Some((name, arity)) => Head::Known(name, arity),
                None if expanded.first().is_some_and(|token| token.tok == Tok::Question) => {
                    return fail(loc, format!("?{which} must not begin a form"));
                }
                None => return fail(loc, format!("?{which} can only be used within a function")),
            };
        }
        match (&self.head, which.as_str()) {
            (Head::Known(name, _), "FUNCTION_NAME") => out.push(Token {
                loc,
                tok: Tok::Atom(*name),
            }),
            (Head::Known(_, arity), _) => out.push(Token {
                loc,
                tok: Tok::Integer(*arity as i64),
            }),
            _ => {
                out.push(question);
                out.push(Token {
                    loc,
                    tok: Tok::Var(which),
                });
            }
        }
        Ok(())
    }

    /// Refuses a macro that expands to itself.
    fn check_cycles(&mut self, name: Atom, arity: Option<usize>, loc: Loc) -> DirectiveResult<()> {
        if self.acyclic.contains(&(name, arity)) {
            return Ok(());
        }
        // Depth first with an explicit stack: a macro is on the path between its two visits.
        let mut path = FxHashSet::default();
        let mut todo = vec![((name, arity), false)];
        while let Some((key, done)) = todo.pop() {
            if done {
                path.remove(&key);
                self.acyclic.insert(key);
                continue;
            }
            if self.acyclic.contains(&key) {
                continue;
            }
            if !path.insert(key) {
                let shown = key
                    .1
                    .map_or_else(|| key.0.to_string(), |arity| format!("{}/{arity}", key.0));
                return fail(loc, format!("circular macro '{shown}'"));
            }
            self.reached.insert(key.0);
            todo.push((key, true));
            todo.extend(self.uses(key).into_iter().map(|used| (used, false)));
        }
        Ok(())
    }

    /// The macros that a macro's body calls.
    fn uses(&self, (name, arity): (Atom, Option<usize>)) -> Vec<(Atom, Option<usize>)> {
        let Some(Macro::User(definitions)) = self.table.get(&name) else {
            return Vec::new();
        };
        let found = definitions.iter().find(|(definition, _)| definition.arity() == arity);
        let found = found.or_else(|| definitions.iter().find(|(definition, _)| definition.params.is_none()));
        let Some((definition, _)) = found else {
            return Vec::new();
        };
        let mut uses = Vec::new();
        let mut previous_question = false;
        for (index, token) in definition.body.iter().enumerate() {
            if previous_question && let Tok::Atom(used) | Tok::Var(used) = token.tok {
                let mut rest = definition.body[index + 1..].to_vec();
                rest.reverse();
                let arity = arguments(&rest, used, token.loc)
                    .ok()
                    .flatten()
                    .map(|(args, _)| args.len());
                uses.push((used, arity));
            }
            previous_question = token.tok == Tok::Question && !previous_question;
        }
        uses
    }
}

fn quoted_atom_or_var(name: Atom) -> String {
    let text = name.as_str();
    if text.starts_with(|c: char| c.is_uppercase() || c == '_') {
        text.to_owned()
    } else {
        quoted_atom(name)
    }
}

/// Name and arity from the start of a function's tokens. Like `epp`, it ignores a first argument that consists of brackets only (`f([], X)` has
/// arity 1 for `?FUNCTION_ARITY` in OTP 25).
fn function_head(tokens: &[Token]) -> Option<(Atom, usize)> {
    let [
        Token {
            tok: Tok::Atom(name), ..
        },
        Token { tok: Tok::LParen, .. },
        rest @ ..,
    ] = tokens
    else {
        return None;
    };
    let (mut depth, mut arity) = (1, 0);
    for token in rest {
        match token.tok {
            Tok::Comma if depth == 1 => arity += 1,
            Tok::Comma => {}
            Tok::LParen | Tok::LBrace | Tok::LBracket | Tok::LBin => depth += 1,
            Tok::RParen if depth == 1 => return Some((*name, arity)),
            Tok::RParen | Tok::RBrace | Tok::RBracket | Tok::RBin => depth -= 1,
            _ => arity = arity.max(1),
        }
    }
    Some((*name, arity))
}

/// The arguments of the call that starts the (reversed) input, each in order, and how many tokens it takes with its parentheses; `None`
/// if no `(` comes next.
fn arguments(input: &[Token], name: Atom, loc: Loc) -> DirectiveResult<Option<(Vec<Vec<Token>>, usize)>> {
    let tok = |used: usize| input.len().checked_sub(used + 1).map(|index| &input[index].tok);
    let malformed = || fail(loc, format!("badly formed argument for macro '{name}'"));
    if tok(0) != Some(&Tok::LParen) {
        return Ok(None);
    }
    if tok(1) == Some(&Tok::RParen) {
        return Ok(Some((Vec::new(), 2)));
    }
    let mut used = 1;
    let mut args = Vec::new();
    loop {
        let start = used;
        let mut closers: Vec<Tok> = Vec::new();
        loop {
            match tok(used) {
                None => return malformed(),
                Some(Tok::Comma | Tok::RParen) if closers.is_empty() => break,
                Some(closer) if closers.last() == Some(closer) => {
                    closers.pop();
                }
                Some(Tok::LParen) => closers.push(Tok::RParen),
                Some(Tok::LBin) => closers.push(Tok::RBin),
                Some(Tok::LBracket) => closers.push(Tok::RBracket),
                Some(Tok::LBrace) => closers.push(Tok::RBrace),
                Some(Tok::Begin | Tok::If | Tok::Case | Tok::Receive | Tok::Try | Tok::Cond | Tok::Maybe) => {
                    closers.push(Tok::End)
                }
                Some(Tok::Fun) => match (tok(used + 1), tok(used + 2)) {
                    (Some(Tok::LParen), _) | (Some(Tok::Var(_)), Some(Tok::LParen)) => closers.push(Tok::End),
                    _ => {}
                },
                Some(_) => {}
            }
            used += 1;
        }
        if used == start {
            return malformed();
        }
        let range = input.len() - used..input.len() - start;
        args.push(input[range].iter().rev().cloned().collect());
        used += 1;
        if tok(used - 1) == Some(&Tok::RParen) {
            return Ok(Some((args, used)));
        }
    }
}

/// The body with its parameters replaced.
fn substitute(body: &[Token], params: &[Atom], args: &[Vec<Token>], loc: Loc) -> Vec<Token> {
    let argument = |name: Atom| params.iter().position(|param| *param == name).map(|index| &args[index]);
    let mut out = Vec::with_capacity(body.len());
    let mut place = loc;
    let mut rest = body;
    while let [token, after @ ..] = rest {
        rest = after;
        match (&token.tok, after) {
            (
                Tok::Question,
                [
                    Token { tok: Tok::Question, .. },
                    Token {
                        tok: Tok::Var(name), ..
                    },
                    more @ ..,
                ],
            ) => {
                rest = more;
                let tok = match argument(*name) {
                    Some(tokens) => Tok::String(stringify(tokens).into()),
                    None => Tok::Var(*name),
                };
                out.push(Token { loc: place, tok });
            }
            (Tok::Var(name), _) => match argument(*name) {
                Some(tokens) => {
                    out.extend_from_slice(tokens);
                    place = tokens.last().map_or(place, |token| token.loc);
                }
                None => out.push(Token {
                    loc: place,
                    tok: token.tok.clone(),
                }),
            },
            _ => out.push(Token {
                loc: place,
                tok: token.tok.clone(),
            }),
        }
    }
    out
}

/// The text of `??Arg`: tokens with one space between them.
fn stringify(tokens: &[Token]) -> String {
    let texts: Vec<String> = tokens.iter().map(|token| token.tok.to_string()).collect();
    texts.join(" ")
}
