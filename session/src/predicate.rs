//! Conditions on variables and patterns of messages: Erlang expressions, evaluated outside the system and without effects.

use std::cell::OnceCell;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::print::Terms;
use interpreter::print::elixir::is_variable;
use interpreter::vm::Program;
use rustc_hash::FxHashMap;
use system::error::Unloadable;
use system::loader::{ModuleFile, Role, SourceLoader};

pub use crate::aside::Own;
use crate::aside::{self, Came, REFUSED, UNDEFINED};
use crate::elixir::{self, Erlang};
use crate::error::Error;
use crate::program::Sources;

/// The module that an expression is compiled into. No program can use this name by accident.
const MODULE: &str = "$replay_expression";

/// A compiled condition or pattern.
pub struct Predicate {
    text: String,
    kind: PredicateKind,
    base: Arc<Program>,
    sources: Sources,
    /// Variables that the text names.
    variables: Vec<String>,
    /// Compiled for the variables that have a value, by their names; `None` if it does not compile for these.
    compiled: FxHashMap<Vec<String>, Option<Arc<Program>>>,
    /// Variables without a value at the last evaluation; `None` once all had one.
    lacking: Option<Vec<String>>,
    /// The variables that had a value then.
    had: Vec<String>,
    /// Why the first evaluation was neither true nor false; `None` once one was.
    failed: Option<Option<String>>,
    /// Declarations of the program's records, if it may use them.
    records: String,
    /// If it was typed in Elixir: the same in Erlang.
    translated: Option<Erlang>,
}

/// What an expression can use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The variables that have a value.
    pub variables: Vec<(String, Fragment)>,
    /// The process in which it is evaluated, if that is alive.
    pub own: Option<Own>,
}

/// Modules of the library in which a process of the program stands.
const BEHAVIOURS: [&str; 5] = ["gen_server", "gen_statem", "gen_event", "supervisor", "proc_lib"];
/// Limit: variables that are listed to choose from.
const NAMED: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
enum PredicateKind {
    Condition,
    Pattern,
}

impl Predicate {
    /// A condition on variables, such as `X > 3 andalso lists:member(Y, Z)`.
    ///
    /// # Errors
    /// It is not an Erlang expression.
    pub fn condition(text: &str, program: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        Self::new(text, PredicateKind::Condition, program, sources)
    }

    /// As [`Self::condition`], but every variable must be one of the program.
    ///
    /// # Errors
    /// It is not an Erlang expression; no function of the program has a variable of that name.
    pub fn of_program(text: &str, program: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        let predicate = Self::condition(text, program, sources)?;
        if sources.terms() == Terms::Elixir {
            return predicate.of_elixir();
        }
        let mut there: Vec<String> = Vec::new();
        let mut library: Vec<String> = Vec::new();
        for source in sources.all().iter().filter(|source| sources.owns(&source.path)) {
            let text = String::from_utf8_lossy(&source.text);
            there.extend(variables_of_module(&text));
            // Where the program is a callback, the process stands in the behaviour, with the variables of that.
            words(&text, |_, word| {
                if BEHAVIOURS.contains(&word)
                    && let Some(text) = interpreter::library::source(word)
                    && predicate.variables.iter().any(|name| !library.contains(name))
                {
                    library.extend(variables_of_module(text));
                }
            });
        }
        // An expression can bind variables of its own.
        let bound = predicate.binds();
        let known = |name: &String| there.contains(name) || library.contains(name);
        let strange = predicate.variables.iter().find(|name| !known(name) && !bound);
        let Some(strange) = strange else { return Ok(predicate) };
        Err(not_a_variable(strange, there))
    }

    /// The same, in Elixir: names that begin with a capital are known already.
    fn of_elixir(self) -> Result<Self, Error> {
        let own = self
            .sources
            .all()
            .iter()
            .filter(|source| self.sources.owns(&source.path));
        let mut there: Vec<String> = Vec::new();
        let mut forms = Vec::new();
        for source in own {
            if matches!(source.role, Role::Forms(_)) {
                forms.push(&source.text);
                continue;
            }
            let text = String::from_utf8_lossy(&source.text);
            match source.path.ends_with(".erl") {
                true => there.extend(variables_of_module(&text)),
                false => there.extend(text.lines().flat_map(elixir_names)),
            }
        }
        // A module may be there without its text; its forms have the names, too.
        let in_forms = |name: &str| {
            let made = format!("_{name}@").into_bytes();
            forms
                .iter()
                .any(|bytes| bytes.windows(made.len()).any(|part| part == made))
        };
        let is_known = |name: &String| name.starts_with(char::is_uppercase) || there.contains(name) || in_forms(name);
        let Some(strange) = self.variables.iter().find(|name| !is_known(name)).cloned() else {
            return Ok(self);
        };
        Err(not_a_variable(&strange, there))
    }

    /// Can the expression bind variables of its own: by a match, a generator, a clause?
    fn binds(&self) -> bool {
        let text = self
            .text
            .replace("=:=", "")
            .replace("=/=", "")
            .replace("==", "")
            .replace("/=", "")
            .replace("=<", "")
            .replace(">=", "");
        text.contains('=') || text.contains("<-") || text.contains("->") || text.contains("<=")
    }

    /// Why it did not hold, if the reason is that a variable never had a value.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        if let Some(Some(why)) = &self.failed {
            return Some(format!(
                "the expression was never true or false; the first time, it {why}"
            ));
        }
        let lacking = self.lacking.as_ref().filter(|names| !names.is_empty())?;
        let had = if self.had.is_empty() {
            "none".to_owned()
        } else {
            self.had.join(", ")
        };
        Some(format!(
            "{} never had a value there; the last time, the variables were {had}",
            lacking.join(" and ")
        ))
    }

    /// The value of the expression for these variables, as text.
    ///
    /// # Errors
    /// A variable has no value; it raises; it would have an effect.
    pub fn value(&mut self, scope: &Scope) -> Result<String, Error> {
        let text = self.text.escape_debug().to_string();
        let known = &scope.variables;
        match self.come(scope) {
            Some(Came::Value(value, _)) => Ok(value),
            Some(Came::Raised(reason)) => Err(Error::NoTarget(format!("`{text}` raises {reason}"))),
            Some(Came::Refused) => Err(Error::NoTarget(format!("`{text}` {REFUSED}"))),
            Some(Came::Undefined) => Err(Error::NoTarget(format!("`{text}` {UNDEFINED}"))),
            None => {
                let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                let lacking = self.lacking.clone().unwrap_or_default().join(" and ");
                let there = if names.is_empty() {
                    "no variable has one".to_owned()
                } else {
                    format!("the variables are {}", names.join(", "))
                };
                Err(Error::NoTarget(format!("{lacking} has no value here; {there}")))
            }
        }
    }

    /// A pattern for messages, with or without a guard, such as `{add, N} when N > 3`.
    ///
    /// # Errors
    /// It is not an Erlang pattern.
    pub fn pattern(text: &str, program: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        Self::new(text, PredicateKind::Pattern, program, sources)
    }

    fn new(text: &str, kind: PredicateKind, base: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        let translated = match sources.terms() {
            Terms::Erlang => None,
            Terms::Elixir => Some(translated(text, kind, sources)?),
        };
        let variables = match (kind, &translated) {
            (PredicateKind::Pattern, _) => Vec::new(),
            (PredicateKind::Condition, None) => variables(text),
            (PredicateKind::Condition, Some(erlang)) => erlang.variables.clone(),
        };
        let predicate = Self {
            text: text.to_owned(),
            kind,
            base,
            sources: sources.clone(),
            variables: variables.clone(),
            compiled: FxHashMap::default(),
            lacking: Some(Vec::new()),
            had: Vec::new(),
            failed: Some(None),
            records: if translated.is_none() && text.contains('#') {
                sources.records()
            } else {
                String::new()
            },
            translated,
        };
        predicate.compile(&variables).map_err(|diagnostics| {
            if predicate.translated.is_some() {
                return not_elixir(text, kind, &first_message(&diagnostics.to_string()));
            }
            let what = match kind {
                PredicateKind::Condition => "expected an Erlang expression, as 'X > 3'",
                PredicateKind::Pattern => "expected an Erlang pattern, as '{add, _}' or '{add, N} when N > 3'",
            };
            let first = 4 + predicate.records.lines().count();
            let guard = match kind {
                PredicateKind::Condition => None,
                PredicateKind::Pattern => guard(text),
            };
            Error::Usage(format!(
                "{what}, found `{}`: {}",
                text.escape_debug(),
                in_typed_text(&diagnostics.to_string(), text, first, guard)
            ))
        })?;
        Ok(predicate)
    }

    /// Does the condition hold for these variables? Not if one of them has no value, or if it raises: it may hold elsewhere.
    ///
    /// # Errors
    /// It cannot be evaluated anywhere: it would have an effect, wait, or run for long; it calls a function that does not exist.
    pub fn holds(&mut self, scope: &Scope) -> Result<bool, Error> {
        let came = self.come(scope);
        let refused = match &came {
            Some(Came::Refused) => Some(REFUSED),
            Some(Came::Undefined) => Some(UNDEFINED),
            _ => None,
        };
        if let Some(why) = refused {
            return Err(Error::Usage(format!("`{}` {why}", self.text.escape_debug())));
        }
        if let (Some(failed), Some(came)) = (&mut self.failed, &came) {
            let why = match came {
                Came::Value(value, _) if value == "true" || value == "false" => None,
                Came::Value(value, _) => Some(format!("was {value}")),
                Came::Raised(reason) => Some(format!("raised {reason}")),
                Came::Refused | Came::Undefined => None,
            };
            match why {
                None => self.failed = None,
                Some(why) => {
                    failed.get_or_insert(why);
                }
            }
        }
        Ok(matches!(came, Some(Came::Value(_, true))))
    }

    /// Evaluates the expression. `None` if it does not compile for these variables, because one has no value.
    fn come(&mut self, scope: &Scope) -> Option<Came> {
        let known = &scope.variables;
        let named: Vec<&(String, Fragment)> = known.iter().filter(|(name, _)| self.variables.contains(name)).collect();
        let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
        let Some(program) = self.program(&names) else {
            if self.lacking.is_some() {
                let lacking = self.variables.iter().filter(|name| !names.contains(name));
                self.lacking = Some(lacking.cloned().collect());
                self.had = known.iter().map(|(name, _)| name.clone()).collect();
            }
            return None;
        };
        self.lacking = None;
        let values = named.iter().map(|(_, value)| value);
        Some(self.evaluate(program, names, values, scope.own.as_ref()))
    }

    /// Does this message match the pattern? It holds no literals (`Fragment::own`): this is another program than the one that made it.
    pub fn matches(&mut self, message: &Fragment) -> bool {
        let Some(program) = self.program(&[]) else { return false };
        let came = self.evaluate(program, Vec::new(), std::iter::once(message), None);
        matches!(came, Came::Value(_, true))
    }

    fn program(&mut self, names: &[String]) -> Option<Arc<Program>> {
        if !self.compiled.contains_key(names) {
            let compiled = self.compile(names).ok();
            self.compiled.insert(names.to_vec(), compiled);
        }
        self.compiled[names].clone()
    }

    fn compile(&self, names: &[String]) -> Result<Arc<Program>, Unloadable> {
        let Self {
            text,
            kind,
            records,
            translated,
            ..
        } = self;
        let (code, guard, helpers) = match translated {
            Some(erlang) => {
                let guard = erlang.guard.as_ref().map(|guard| format!(" when {guard}"));
                (erlang.code.as_str(), guard, elixir::HELPERS)
            }
            None => match guard(text).filter(|_| *kind == PredicateKind::Pattern) {
                Some(at) => (&text[..at], Some(format!(" {}", &text[at..])), ""),
                None => (text.as_str(), None, ""),
            },
        };
        let source = match kind {
            PredicateKind::Condition => {
                let parameters: Vec<String> = names
                    .iter()
                    .map(|name| match translated {
                        Some(_) => elixir::variable(name),
                        None => name.clone(),
                    })
                    .collect();
                format!(
                    "-module('{MODULE}').\n-export([holds/{}]).\n{records}holds({}) ->\n{code}\n.\n{helpers}",
                    names.len(),
                    parameters.join(", ")
                )
            }
            // A guard comes after the closing parenthesis of the pattern.
            PredicateKind::Pattern => {
                let guard = guard.unwrap_or_default();
                format!(
                    "-module('{MODULE}').\n-export([holds/1]).\n{records}holds(\n{code}\n){guard} -> true;\nholds(_) -> false.\n{helpers}"
                )
            }
        };
        let mut program = self.base.as_ref().clone();
        let mut loader: SourceLoader = self.sources.loader();
        let file = ModuleFile::plain("expression", source.into_bytes());
        loader.load_file(file, &mut program)?;
        Ok(Arc::new(program))
    }

    fn evaluate<'f>(
        &mut self,
        mut program: Arc<Program>,
        names: Vec<String>,
        values: impl Iterator<Item = &'f Fragment>,
        own: Option<&Own>,
    ) -> Came {
        let known = Arc::clone(&program);
        let function = (Atom::new(MODULE), Atom::new("holds"));
        let came = aside::call(&mut program, &self.sources, function, own, |heap| {
            values.map(|value| heap.import(value)).collect()
        });
        // It has loaded modules.
        if !Arc::ptr_eq(&known, &program) {
            self.compiled.insert(names, Some(program));
        }
        came
    }
}

/// `there`: the variables of the program.
fn not_a_variable(strange: &str, mut there: Vec<String>) -> Error {
    there.sort_unstable();
    there.dedup();
    there.retain(|name| !name.starts_with('_'));
    let more = there.len().saturating_sub(NAMED);
    there.truncate(NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Error::Usage(format!(
        "`{strange}` is not a variable of the program: its variables are {}{more}",
        if there.is_empty() {
            "none".to_owned()
        } else {
            there.join(", ")
        }
    ))
}

/// What was typed in Elixir, in Erlang.
fn translated(text: &str, kind: PredicateKind, sources: &Sources) -> Result<Erlang, Error> {
    let known = OnceCell::new();
    let is_variable = |name: &str| {
        let names: &Vec<String> = known.get_or_init(|| {
            let library = BEHAVIOURS
                .iter()
                .filter_map(|module| interpreter::library::source(module));
            library.flat_map(variables_of_module).collect()
        });
        names.iter().any(|known| known == name) && !sources.has_module(&format!("Elixir.{name}"))
    };
    let found = match kind {
        PredicateKind::Condition => elixir::expression(text, &is_variable),
        PredicateKind::Pattern => elixir::pattern(text),
    };
    found.map_err(|refused| not_elixir(text, kind, &refused.to_string()))
}

fn not_elixir(text: &str, kind: PredicateKind, why: &str) -> Error {
    let what = match kind {
        PredicateKind::Condition => "expected an Elixir expression, as 'count > 3'",
        PredicateKind::Pattern => "expected an Elixir pattern, as '{:add, _}' or '{:add, n} when n > 3'",
    };
    Error::Usage(format!("{what}, found `{}`: {why}", text.escape_debug()))
}

/// What a compiler said first.
fn first_message(diagnostics: &str) -> String {
    let first = diagnostics.lines().find_map(|line| line.strip_prefix("error: "));
    first.unwrap_or(diagnostics).to_owned()
}

/// What a compiler said first of the text that was typed, which begins at this line of what was compiled; a guard stands on the next line,
/// after two more characters.
fn in_typed_text(diagnostics: &str, text: &str, first: usize, guard: Option<usize>) -> String {
    const EARLY: &str = "it ends too early";
    let mut lines = diagnostics.lines();
    while let Some(line) = lines.next() {
        // What is said of the function around the text is nothing to whoever typed it.
        let Some(message) = line
            .strip_prefix("error: ")
            .filter(|line| !line.contains("function holds/"))
        else {
            continue;
        };
        let place = lines.next().and_then(|line| {
            let (line, column) = line.trim_start().strip_prefix("--> expression:")?.split_once(':')?;
            Some((line.parse::<usize>().ok()?, column.trim().parse::<usize>().ok()?))
        });
        let before = guard.map(|at| text[..at].chars().count());
        let at = match (place, before) {
            _ if text.contains('\n') => return message.to_owned(),
            (Some((line, column)), _) if line == first => column,
            (Some((line, column)), Some(before)) if line == first + 1 => (before + column).saturating_sub(2),
            (Some((line, _)), _) if line > first => return EARLY.to_owned(),
            _ => return message.to_owned(),
        };
        if at > text.trim_end().chars().count() {
            return EARLY.to_owned();
        }
        return format!("{message} (at character {at})");
    }
    diagnostics.to_owned()
}

/// The position of a pattern's guard: the word `when` outside texts and brackets.
fn guard(text: &str) -> Option<usize> {
    let mut found = None;
    let mut depth = 0;
    words(text, |at, word| match word {
        "(" | "[" | "{" => depth += 1,
        ")" | "]" | "}" => depth -= 1,
        "when" if depth == 0 && found.is_none() => found = Some(at),
        _ => {}
    });
    found
}

/// The variables in an expression, without duplicates.
pub fn variables(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    words(text, |_, word| {
        let variable = word.starts_with(|c: char| c.is_uppercase() || c == '_') && word != "_";
        if variable && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    });
    found
}

/// The variables on a line of this language, without duplicates.
#[must_use]
pub fn variables_of(line: &str, terms: Terms) -> Vec<String> {
    match terms {
        Terms::Erlang => variables(line),
        Terms::Elixir => elixir_names(line),
    }
}

/// Has a line of source this word of the language? Texts and comments are skipped.
#[must_use]
pub fn has_word(line: &str, wanted: &str, terms: Terms) -> bool {
    let mut found = false;
    match terms {
        Terms::Erlang => words(line, |_, word| found |= word == wanted),
        Terms::Elixir => elixir_words(line, |before, word, _| {
            found |= word == wanted && !matches!(before, '.' | ':' | '@')
        }),
    }
    found
}

/// Names on a line of Elixir that can be variables: no calls, fields, atoms, and keys of keywords.
fn elixir_names(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    elixir_words(line, |before, word, after| {
        let is_key = after.starts_with(':') && !after.starts_with("::");
        let is_used = !matches!(before, '.' | ':' | '@') && !after.starts_with('(') && !is_key;
        if is_used && is_variable(word) && !KEYWORDS.contains(&word) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    });
    found
}

/// The words and signs of a line of Elixir, each with the character before it and what follows. Texts and comments are skipped.
fn elixir_words<'t>(line: &'t str, mut each: impl FnMut(char, &'t str, &'t str)) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match c {
            '#' => break,
            // What is interpolated in a text is not looked at.
            '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (_, after) = rest.split_at(length);
        let mark = after.starts_with(['?', '!']) && !after[1..].starts_with('=');
        let (word, after) = rest.split_at(length + usize::from(mark && is_word(c)));
        each(before, word, after);
        before = word.chars().next_back().unwrap_or(' ');
        rest = after;
    }
}

/// Words of Elixir that are not variables.
const KEYWORDS: [&str; 24] = [
    "after",
    "alias",
    "and",
    "case",
    "catch",
    "cond",
    "def",
    "defmodule",
    "defp",
    "do",
    "else",
    "end",
    "false",
    "fn",
    "for",
    "if",
    "import",
    "in",
    "nil",
    "not",
    "or",
    "rescue",
    "true",
    "when",
];

/// The variables of a module, each once: no macros.
fn variables_of_module(text: &str) -> Vec<String> {
    let mut macros: Vec<&str> = Vec::new();
    let mut last = ["", ""];
    words(text, |_, word| {
        if last[1] == "?" || last == ["define", "("] {
            macros.push(word);
        }
        if !word.trim().is_empty() {
            last = [last[1], word];
        }
    });
    let mut found = variables(text);
    found.retain(|name| !macros.contains(&name.as_str()));
    found
}

/// Calls `each` for the words and brackets of an expression; texts, quoted atoms, characters and comments are skipped.
fn words<'t>(text: &'t str, mut each: impl FnMut(usize, &'t str)) {
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' | '\'' => {
                while let Some((_, inner)) = rest.next() {
                    if inner == '\\' {
                        rest.next();
                    } else if inner == c {
                        break;
                    }
                }
            }
            '$' => {
                if let Some((_, '\\')) = rest.next() {
                    rest.next();
                }
            }
            '%' => {
                for (_, inner) in rest.by_ref() {
                    if inner == '\n' {
                        break;
                    }
                }
            }
            c if c.is_alphanumeric() || c == '_' || c == '@' => {
                let mut end = at + c.len_utf8();
                while let Some((at, c)) = rest.next_if(|(_, c)| c.is_alphanumeric() || *c == '_' || *c == '@') {
                    end = at + c.len_utf8();
                }
                each(at, &text[at..end]);
            }
            c => each(at, &text[at..at + c.len_utf8()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interpreter::heap::Heap;
    use interpreter::term::Term;
    use system::natives::NATIVES;

    fn program() -> Arc<Program> {
        Arc::new(Program::new(&[NATIVES]))
    }

    fn number(n: i64) -> Fragment {
        Fragment::immediate(Term::small(n))
    }

    fn condition(text: &str, known: &[(&str, i64)]) -> bool {
        let variables = known.iter().map(|(name, n)| ((*name).to_owned(), number(*n)));
        let known = Scope {
            variables: variables.collect(),
            own: None,
        };
        let mut predicate = Predicate::condition(text, program(), &Sources::default()).unwrap();
        predicate.holds(&known).unwrap()
    }

    #[test]
    fn conditions_are_erlang() {
        assert!(condition("X > 3", &[("X", 4), ("Other", 1)]));
        assert!(!condition("X > 3", &[("X", 3)]));
        assert!(!condition("X > 3", &[]), "no value");
        assert!(!condition("X > 3 orelse Y", &[("X", 1)]), "no value for Y");
        assert!(condition("lists:member(X, [Y || Y <- [1, 2]])", &[("X", 2)]));
        assert!(!condition("1 = X", &[("X", 2)]), "it raises");
        assert!(!condition("X", &[("X", 2)]), "not true");
        assert!(condition("X =:= $A andalso \"X Y\" =/= 'Z'", &[("X", 65)]));
    }

    #[test]
    fn names_of_elixir_are_found_on_a_line() {
        let names = |line| elixir_names(line).join(" ");
        assert_eq!(
            names("GenServer.cast(__MODULE__, {:set, before + amount}) # now"),
            "__MODULE__ before amount"
        );
        assert_eq!(
            names("  def deposit(amount, key: value, ok?: ok?) do"),
            "amount value ok?"
        );
        assert_eq!(names("state.balance != \"x #{y}\" <> größe"), "state größe");
    }

    #[test]
    fn what_cannot_be_evaluated_is_refused_at_once() {
        for (text, why) in [
            ("self() ! ok", "effect"),
            ("ets:new(t, []) =:= t", "effect"),
            ("(fun F() -> F() end)()", "long"),
            ("receive x -> true end", "wait"),
            ("no_such_module:f()", "does not exist"),
        ] {
            let mut predicate = Predicate::condition(text, program(), &Sources::default()).unwrap();
            match predicate.holds(&Scope::default()) {
                Err(Error::Usage(said)) => assert!(said.contains(why), "{text}: {said}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn patterns_are_erlang() {
        let mut heap = Heap::new(Arc::clone(program().literals()));
        let term = heap.make_tuple(&[Term::atom(Atom::new("add")), Term::small(4)]);
        let message = heap.export(term);
        for (text, expected) in [
            ("{add, _}", true),
            ("{del, _}", false),
            ("{add, N} when N > 3", true),
            ("{add, N} when N > 4", false),
            ("{add, N} when N > 3, is_integer(N)", true),
            ("_", true),
        ] {
            let mut predicate = Predicate::pattern(text, program(), &Sources::default()).unwrap();
            assert_eq!(predicate.matches(&message), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in ["X >", "", "X. y", "(X"] {
            assert!(
                matches!(
                    Predicate::condition(text, program(), &Sources::default()),
                    Err(Error::Usage(_))
                ),
                "{text}"
            );
        }
        for text in ["{add,", "f(X)", ""] {
            assert!(
                matches!(
                    Predicate::pattern(text, program(), &Sources::default()),
                    Err(Error::Usage(_))
                ),
                "{text}"
            );
        }
    }
}
