//! The preprocessor: files to forms, with directives executed and macros expanded as by `epp`.

mod condition;
mod directive;
mod expand;
pub(crate) mod text;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::expand::Macros;
use super::ast::{FileMark, FormRef, Loc, Module};
use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::newer;
use super::parse::parse_form;
use super::release::Feature;
use super::scan::{Dialect, Scanner};
use super::token::{Tok, Token};
use super::{Includes, ReadOptions};
use crate::atom::Atom;

/// Maximum nesting of included files, as in `epp`.
const MAX_INCLUDES: usize = 8;
/// Maximum number of forms whose errors are reported.
const MAX_DIAGNOSTICS: usize = 100;

/// One run over a module's files.
pub(super) struct Session<'a> {
    options: &'a ReadOptions,
    includes: &'a dyn Includes,
    pub(super) module: Module,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Texts by file index, for quoting.
    pub(super) texts: FxHashMap<u16, Arc<str>>,
    file_index: FxHashMap<Box<str>, u16>,
    macros: Macros,
    /// Names of the files that are being read, the module's own first.
    open: Vec<OpenFile>,
    maybe_expr: bool,
    /// Whether all forms so far may precede `-feature`.
    in_prefix: bool,
    /// Whether a file could not be read as text, so that unknown forms are missing.
    pub(super) is_cut: bool,
    /// What the scanner found that older releases do not have, but for skipped forms.
    pub(super) newer: Vec<(Feature, Loc)>,
}

/// A file that is being read.
struct OpenFile {
    /// Its name as found.
    name: Arc<str>,
    /// The value of `?FILE`; changed by `-file`.
    shown: Arc<str>,
    /// Physical line minus shown line.
    delta: i64,
    conditions: Vec<Condition>,
}

/// An open `-if…`: which directive began the branch that is being read.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Condition {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Else,
}

impl Condition {
    fn as_str(self) -> &'static str {
        match self {
            Condition::If => "if",
            Condition::Ifdef => "ifdef",
            Condition::Ifndef => "ifndef",
            Condition::Elif => "elif",
            Condition::Else => "else",
        }
    }
}

/// How to go on with the forms after a directive.
enum Flow {
    /// Read them.
    Read,
    /// Skip to the matching `-else`, `-elif` or `-endif`.
    Skip(Condition),
}

impl<'a> Session<'a> {
    pub(super) fn new(options: &'a ReadOptions, includes: &'a dyn Includes) -> Session<'a> {
        Session {
            options,
            includes,
            module: Module {
                language: options.language,
                ..Module::default()
            },
            diagnostics: Vec::new(),
            texts: FxHashMap::default(),
            file_index: FxHashMap::default(),
            macros: Macros::new(),
            open: Vec::new(),
            maybe_expr: options.has_maybe(),
            in_prefix: true,
            is_cut: false,
            newer: Vec::new(),
        }
    }

    /// Reads the module's own file and everything that it includes.
    pub(super) fn run(&mut self, name: &str, source: &[u8]) {
        self.macros.predefine(self.options, name);
        self.define_from_options();
        self.file(name, source);
        let newer = newer::refusals(&self.module, &self.newer, self.options.language, self.maybe_expr);
        self.diagnostics.extend(newer);
    }

    fn file(&mut self, name: &str, source: &[u8]) {
        let Some(index) = self.file_number(name) else {
            return;
        };
        let text = match text::decode(source) {
            Ok(text) => text,
            Err((line, col)) => {
                let loc = Loc { line, col, file: index };
                let hint = "save the file as UTF-8, or put `%% coding: latin-1` in its first line";
                self.diagnostics
                    .push(Diagnostic::error(DiagnosticKind::Scan, loc, "invalid UTF-8").hint(hint));
                self.is_cut = true;
                return;
            }
        };
        let text: Arc<str> = text.into();
        self.texts.entry(index).or_insert_with(|| text.clone());
        let name: Arc<str> = name.into();
        self.open.push(OpenFile {
            name: name.clone(),
            shown: name.clone(),
            delta: 0,
            conditions: Vec::new(),
        });
        self.macros.set_file(&name);
        self.mark(
            Loc {
                line: 1,
                col: 1,
                file: index,
            },
            index,
            1,
        );
        let mut scanner = Scanner::new(&text, index);
        scanner.dialect = Dialect::of_source(self.options.language.release);
        scanner.maybe_keywords = self.maybe_expr;
        self.forms(&mut scanner);
        let eof = scanner.loc();
        let open = self.open.pop().expect("pushed above");
        for condition in open.conditions.iter().rev() {
            let message = format!("unterminated '-{}'", condition.as_str());
            self.error(eof, message, Some("put -endif. after the branch"));
        }
        if self.open.is_empty() {
            self.module.eof = eof;
        }
    }

    /// Continues in the including file at `loc`.
    fn resume(&mut self, scanner: &mut Scanner<'_>) {
        let open = self.open.last().expect("an includer is open");
        let (name, shown, delta) = (open.name.clone(), open.shown.clone(), open.delta);
        scanner.maybe_keywords = self.maybe_expr;
        self.macros.set_file(&shown);
        let after = scanner.after_dot();
        let physical = Loc {
            line: u32::try_from(i64::from(after.line) + delta).unwrap_or(0),
            ..after
        };
        if let Some(index) = self.file_number(&name) {
            self.mark(physical, index, physical.line);
        }
        if name != shown {
            self.mark(physical, after.file, after.line);
        }
    }

    fn mark(&mut self, loc: Loc, file: u16, line: u32) {
        self.module.order.push(FormRef::File(self.module.file_marks.len()));
        self.module.file_marks.push(FileMark { loc, file, line });
    }

    /// The index of a file name; `None` (and an error) when there are too many.
    fn file_number(&mut self, name: &str) -> Option<u16> {
        if let Some(&index) = self.file_index.get(name) {
            return Some(index);
        }
        let Ok(index) = u16::try_from(self.module.files.len()) else {
            self.error(Loc::NONE, "more than 65,536 file names in one module".to_owned(), None);
            return None;
        };
        self.module.files.push(name.into());
        self.file_index.insert(name.into(), index);
        Some(index)
    }

    fn forms(&mut self, scanner: &mut Scanner<'_>) {
        let mut tokens = Vec::new();
        loop {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                self.is_cut = true;
                return;
            }
            tokens.clear();
            match scanner.form(&mut tokens) {
                Ok(false) => return,
                Ok(true) => self.form(scanner, &mut tokens),
                Err(error) => {
                    let mut diagnostic = Diagnostic::error(DiagnosticKind::Scan, error.loc, error.message);
                    diagnostic.hint = error.hint;
                    self.diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn form(&mut self, scanner: &mut Scanner<'_>, tokens: &mut Vec<Token>) {
        self.newer.append(&mut scanner.newer);
        if let Some(directive) = directive_name(tokens) {
            match self.directive(directive, tokens, scanner) {
                Ok(Flow::Read) => {}
                Ok(Flow::Skip(condition)) => {
                    self.skip(scanner, condition);
                    scanner.newer.clear();
                }
                Err(error) => self.diagnostics.push(*error),
            }
            return;
        }
        match self.macros.expand_form(std::mem::take(tokens)) {
            Ok(expanded) => {
                if expanded.last().is_some_and(|token| token.tok != Tok::Dot) {
                    let last = expanded.last().expect("not empty").loc;
                    self.diagnostics.push(
                        Diagnostic::error(DiagnosticKind::Parse, last, "syntax error before: ")
                            .label("the file ends behind this, inside a form")
                            .hint("every form ends with a `.`"),
                    );
                } else {
                    self.in_prefix &= is_prefix(&expanded);
                    self.macros.note_module(&expanded);
                    self.module.fingerprint = fingerprint(self.module.fingerprint, &expanded);
                    parse_form(&expanded, &mut self.module, &mut self.diagnostics);
                }
                *tokens = expanded;
            }
            Err(error) => self.diagnostics.push(*error),
        }
    }

    /// Skips forms until the branch that began with `condition` ends, like `epp:skip_toks/3`, which ignores the branches of nested conditions.
    /// After `-elif` and `-else` no later `-else` is taken.
    fn skip(&mut self, scanner: &mut Scanner<'_>, condition: Condition) {
        let mut current = condition;
        let mut inner: Vec<Condition> = Vec::new();
        let mut tokens = Vec::new();
        loop {
            tokens.clear();
            match scanner.form(&mut tokens) {
                Ok(true) => {}
                Ok(false) => {
                    let file = self.open.last_mut().expect("a file is being read");
                    // Enclosing conditions are forgotten.
                    file.conditions = vec![current];
                    file.conditions.append(&mut inner);
                    return;
                }
                // Skipped text need not be Erlang.
                Err(_) => continue,
            }
            let Some(name) = directive_name(&tokens) else {
                continue;
            };
            match name {
                "ifdef" => inner.push(Condition::Ifdef),
                "ifndef" => inner.push(Condition::Ifndef),
                "if" => inner.push(Condition::If),
                "endif" if inner.pop().is_none() => return,
                _ if !inner.is_empty() => {}
                "else" | "elif" if current == Condition::Else => {
                    let message = if name == "else" {
                        "repeated '-else'"
                    } else {
                        "'elif' following 'else'"
                    };
                    self.error(tokens[1].loc, message.to_owned(), None);
                }
                "else" if current == Condition::Elif => current = Condition::Else,
                "else" => {
                    self.enter(Condition::Else);
                    return;
                }
                // OTP 25 also evaluates an `-elif` after an `-elif` that closed a branch that was taken.
                "elif" => match self.condition(&tokens) {
                    Ok(true) => {
                        self.enter(Condition::If);
                        return;
                    }
                    Ok(false) => current = Condition::If,
                    Err(error) => {
                        current = Condition::If;
                        self.diagnostics.push(*error);
                    }
                },
                _ => {}
            }
        }
    }

    /// Reads the branch of a condition.
    fn enter(&mut self, condition: Condition) {
        let file = self.open.last_mut().expect("a file is being read");
        file.conditions.push(condition);
    }

    fn error(&mut self, loc: Loc, message: String, hint: Option<&str>) {
        let mut diagnostic = Diagnostic::error(DiagnosticKind::Preprocess, loc, message);
        diagnostic.hint = hint.map(str::to_owned);
        self.diagnostics.push(diagnostic);
    }
}

/// Adds the tokens of a form to the hash. Programs can print and hash it as part of funs, so the algorithm is written out here and never changes.
fn fingerprint(hash: u64, tokens: &[Token]) -> u64 {
    let mix = |hash: u64, value: u64| (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let text = |hash, kind: u64, text: &str| {
        let start = mix(mix(hash, kind), text.len() as u64);
        text.bytes().fold(start, |hash, byte| mix(hash, byte.into()))
    };
    // A sigil counts as what it stands for.
    let mut bytes = false;
    tokens.iter().fold(hash, |hash, token| match &token.tok {
        Tok::SigilPrefix(kind) => {
            bytes = !matches!(kind.as_str(), "s" | "S");
            if bytes { text(hash, 7, "<<") } else { hash }
        }
        Tok::SigilSuffix(_) if bytes => text(text(text(hash, 7, "/"), 1, "utf8"), 7, ">>"),
        Tok::SigilSuffix(_) => hash,
        Tok::Atom(atom) => text(hash, 1, atom.as_str()),
        Tok::Var(name) => text(hash, 2, name.as_str()),
        Tok::Integer(value) => mix(mix(hash, 3), *value as u64),
        Tok::Float(value) => mix(mix(hash, 4), value.to_bits()),
        Tok::Char(c) => mix(mix(hash, 5), u64::from(*c)),
        Tok::String(literal) => text(hash, 6, literal),
        other => text(hash, 7, &other.to_string()),
    })
}

/// May `-feature` follow this form (`epp:in_prefix/1`; directives do not come here)?
fn is_prefix(tokens: &[Token]) -> bool {
    matches!(tokens, [Token { tok: Tok::Minus, .. }, Token { tok: Tok::Atom(name), .. }, ..] if name.as_str() == "module")
}

/// The directive's name, if these tokens are a directive.
fn directive_name(tokens: &[Token]) -> Option<&'static str> {
    const NAMES: [&str; 14] = [
        "define",
        "undef",
        "ifdef",
        "ifndef",
        "if",
        "elif",
        "else",
        "endif",
        "include",
        "include_lib",
        "error",
        "warning",
        "file",
        "feature",
    ];
    let [Token { tok: Tok::Minus, .. }, Token { tok, .. }, ..] = tokens else {
        return None;
    };
    let name = match tok {
        Tok::Atom(atom) => atom.as_str(),
        Tok::If => "if",
        Tok::Else => "else",
        _ => return None,
    };
    NAMES.into_iter().find(|known| *known == name)
}

fn is_atom(tok: &Tok) -> Option<Atom> {
    match tok {
        Tok::Atom(atom) => Some(*atom),
        _ => None,
    }
}
