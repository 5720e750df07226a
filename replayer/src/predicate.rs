//! Conditions on variables and patterns of messages: Erlang expressions, evaluated apart and without effects.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Term};
use interpreter::vm::{self, EndClass, Program, Stop};
use rustc_hash::FxHashMap;
use system::loader::{Loader, SourceLoader};

use crate::error::Error;
use crate::program::Sources;

/// Counted events after which an evaluation is given up: it then does not hold.
const EVENTS: u32 = 1_000_000;
/// The module that an expression is compiled into; no program can name it by accident.
const MODULE: &str = "$replay_expression";

/// An expression that holds or not.
pub struct Predicate {
    text: String,
    kind: Kind,
    base: Arc<Program>,
    sources: Sources,
    /// Variables that the text names.
    variables: Vec<String>,
    /// Compiled for those of the variables that have a value; none where it does not compile for these.
    compiled: FxHashMap<Vec<String>, Option<Arc<Program>>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Condition,
    Pattern,
}

impl Predicate {
    /// A condition on variables, as `X > 3 andalso lists:member(Y, Z)`.
    ///
    /// # Errors
    /// It is no Erlang expression.
    pub fn condition(text: &str, program: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        Self::new(text, Kind::Condition, program, sources)
    }

    /// A pattern of a message, with or without a guard, as `{add, N} when N > 3`.
    ///
    /// # Errors
    /// It is no Erlang pattern.
    pub fn pattern(text: &str, program: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        Self::new(text, Kind::Pattern, program, sources)
    }

    fn new(text: &str, kind: Kind, base: Arc<Program>, sources: &Sources) -> Result<Self, Error> {
        let variables = match kind {
            Kind::Condition => variables(text),
            Kind::Pattern => Vec::new(),
        };
        let predicate = Self {
            text: text.to_owned(),
            kind,
            base,
            sources: sources.clone(),
            variables: variables.clone(),
            compiled: FxHashMap::default(),
        };
        predicate.compile(&variables).map_err(|diagnostics| {
            let what = match kind {
                Kind::Condition => "--when expects an Erlang expression, as 'X > 3'",
                Kind::Pattern => "--where expects an Erlang pattern, as '{add, _}' or '{add, N} when N > 3'",
            };
            Error::Usage(format!(
                "{what}, found `{}`\n{}",
                text.escape_debug(),
                diagnostics.trim_end()
            ))
        })?;
        Ok(predicate)
    }

    /// Does the condition hold for these variables? Not if it names one that has no value, or raises, or would have an effect.
    pub fn holds(&mut self, known: &[(String, Fragment)]) -> bool {
        let named: Vec<&(String, Fragment)> = known.iter().filter(|(name, _)| self.variables.contains(name)).collect();
        let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
        let Some(program) = self.program(&names) else {
            return false;
        };
        self.evaluate(program, names, named.iter().map(|(_, value)| value))
    }

    /// Does this message match the pattern?
    pub fn matches(&mut self, message: &Fragment) -> bool {
        let Some(program) = self.program(&[]) else { return false };
        self.evaluate(program, Vec::new(), std::iter::once(message))
    }

    fn program(&mut self, names: &[String]) -> Option<Arc<Program>> {
        if !self.compiled.contains_key(names) {
            let compiled = self.compile(names).ok();
            self.compiled.insert(names.to_vec(), compiled);
        }
        self.compiled[names].clone()
    }

    fn compile(&self, names: &[String]) -> Result<Arc<Program>, String> {
        let Self { text, kind, .. } = self;
        let source = match kind {
            Kind::Condition => format!(
                "-module('{MODULE}').\n-export([holds/{}]).\nholds({}) ->\n{text}\n.\n",
                names.len(),
                names.join(", ")
            ),
            Kind::Pattern => {
                format!("-module('{MODULE}').\n-export([holds/1]).\nholds(\n{text}\n) -> true;\nholds(_) -> false.\n")
            }
        };
        // A guard stands behind the closing parenthesis of the pattern.
        let source = match (kind, guard(text)) {
            (Kind::Pattern, Some(at)) => format!(
                "-module('{MODULE}').\n-export([holds/1]).\nholds(\n{}\n) {} -> true;\nholds(_) -> false.\n",
                &text[..at],
                &text[at..]
            ),
            _ => source,
        };
        let mut program = self.base.as_ref().clone();
        let mut loader: SourceLoader = self.sources.loader();
        loader.load_file("expression", source.into_bytes().into(), &mut program)?;
        Ok(Arc::new(program))
    }

    fn evaluate<'f>(
        &mut self,
        mut program: Arc<Program>,
        names: Vec<String>,
        values: impl Iterator<Item = &'f Fragment>,
    ) -> bool {
        let mut machine = vm::Process::new(&program, Pid::new(0, 0), Atom::new("nonode@nohost"));
        let arguments: Vec<Term> = values.map(|value| machine.heap.import(value)).collect();
        machine.start_call(Atom::new(MODULE), Atom::new("holds"), &arguments);
        let mut loader = self.sources.loader();
        loop {
            match machine.run(&program, EVENTS) {
                Stop::Ended(end) => {
                    return end.class == EndClass::Normal && end.reason == Term::atom(Atom::new("true"));
                }
                Stop::Load(module) => match loader.load(module, Arc::make_mut(&mut program)) {
                    Ok(true) => {
                        self.compiled.insert(names.clone(), Some(Arc::clone(&program)));
                    }
                    Ok(false) | Err(_) => machine.undefined(),
                },
                Stop::Observed => {}
                // It would have an effect, wait, or run for ever.
                Stop::Preempted | Stop::Native { .. } | Stop::Wait { .. } | Stop::Received(_) => return false,
            }
        }
    }
}

/// Where the guard of a pattern begins: at the word `when` outside texts and brackets.
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

/// The variables that an expression names, each once.
fn variables(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    words(text, |_, word| {
        let variable = word.starts_with(|c: char| c.is_uppercase() || c == '_') && word != "_";
        if variable && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    });
    found
}

/// The words and brackets of an expression; texts, quoted atoms, characters and comments are passed over.
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
    use system::natives::NATIVES;

    fn program() -> Arc<Program> {
        Arc::new(Program::new(&[NATIVES]))
    }

    fn number(n: i64) -> Fragment {
        Fragment::immediate(Term::small(n))
    }

    fn condition(text: &str, known: &[(&str, i64)]) -> bool {
        let known: Vec<(String, Fragment)> = known.iter().map(|(name, n)| ((*name).to_owned(), number(*n))).collect();
        let mut predicate = Predicate::condition(text, program(), &Sources::default()).unwrap();
        predicate.holds(&known)
    }

    #[test]
    fn conditions_are_erlang() {
        assert!(condition("X > 3", &[("X", 4), ("Other", 1)]));
        assert!(!condition("X > 3", &[("X", 3)]));
        assert!(!condition("X > 3", &[]), "no value");
        assert!(!condition("X > 3 orelse Y", &[("X", 1)]), "no value for Y");
        assert!(condition("lists:member(X, [Y || Y <- [1, 2]])", &[("X", 2)]));
        assert!(!condition("1 = X", &[("X", 2)]), "it raises");
        assert!(!condition("self() ! X", &[("X", 2)]), "it has an effect");
        assert!(!condition("X", &[("X", 2)]), "not true");
        assert!(condition("X =:= $A andalso \"X Y\" =/= 'Z'", &[("X", 65)]));
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
