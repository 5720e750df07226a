//! Exceptions as `Exception.format_banner/3` of Elixir 1.14 writes them, on one line and without stack traces.

use super::{literal, parent};
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::ExceptionClass;
use crate::print::{MapOrder, Style, explain, map_pairs, short};
use crate::term::Term;

/// How deep the reason of one exit is looked for in that of another.
const DEPTH: usize = 6;

/// An exception and what it is written with.
pub struct Banner<'a> {
    /// Its terms.
    pub heap: &'a Heap,
    /// How they are written.
    pub style: &'a Style<'a>,
    /// Limit: characters of a term.
    pub chars: usize,
}

/// Is this side of an assertion a pattern? ExUnit has its code there, and no value.
fn is_pattern(side: &str, text: &str) -> bool {
    side == "left" && text.starts_with("match (")
}

impl Banner<'_> {
    /// `** (MatchError) no match of right hand side value: 120`, `** (exit) normal`, `** (throw) :done`. `stack`: its stack trace, if it is known.
    #[must_use]
    pub fn banner(&self, class: ExceptionClass, reason: Term, stack: Option<Term>) -> String {
        match class {
            ExceptionClass::Error => self.error(reason, stack),
            ExceptionClass::Exit => format!("** (exit) {}", self.exit(reason, DEPTH)),
            ExceptionClass::Throw => format!("** (throw) {}", self.show(reason)),
        }
    }

    fn show(&self, term: Term) -> String {
        short(self.heap, term, self.chars, self.style)
    }

    fn error(&self, reason: Term, stack: Option<Term>) -> String {
        let (name, message) = self.exception(reason).unwrap_or_else(|| self.of_erlang(reason, stack));
        format!("** ({name}) {message}")
    }

    /// An error of Erlang as the exception that Elixir makes of it.
    fn of_erlang(&self, reason: Term, stack: Option<Term>) -> (String, String) {
        let (name, message) = match (reason.as_atom().map(Atom::as_str), self.tagged(reason)) {
            (Some("badarg"), _) => (
                "ArgumentError",
                stack
                    .and_then(|stack| wrong_arguments(self.heap, stack))
                    .unwrap_or_else(|| "argument error".to_owned()),
            ),
            (Some("badarith"), _) => ("ArithmeticError", "bad argument in arithmetic expression".to_owned()),
            (Some("system_limit"), _) => ("SystemLimitError", "a system limit has been reached".to_owned()),
            (Some("cond_clause"), _) => (
                "CondClauseError",
                "no cond clause evaluated to a truthy value".to_owned(),
            ),
            (Some("undef"), _) => match self.innermost(stack) {
                Some((module, function, arity)) => ("UndefinedFunctionError", self.undefined(module, function, arity)),
                None => ("UndefinedFunctionError", "undefined function".to_owned()),
            },
            (Some("function_clause"), _) => match self.innermost(stack) {
                Some((module, function, arity)) => (
                    "FunctionClauseError",
                    format!("no function clause matching in {}", called(module, function, arity)),
                ),
                None => ("FunctionClauseError", "no function clause matches".to_owned()),
            },
            // As the test runner notes it.
            (_, Some(("assertion_failed", &[message, values]))) => {
                ("ExUnit.AssertionError", self.noted(message, values))
            }
            (_, Some(("badmatch", &[term]))) => ("MatchError", self.of_term("MatchError", term)),
            (_, Some(("case_clause", &[term]))) => ("CaseClauseError", self.of_term("CaseClauseError", term)),
            // `else_clause` from Elixir 1.15 on.
            (_, Some(("with_clause" | "else_clause", &[term]))) => {
                ("WithClauseError", self.of_term("WithClauseError", term))
            }
            (_, Some(("try_clause", &[term]))) => ("TryClauseError", self.of_term("TryClauseError", term)),
            (_, Some(("badmap", &[term]))) => ("BadMapError", self.of_term("BadMapError", term)),
            (_, Some(("badfun", &[term]))) => ("BadFunctionError", self.of_term("BadFunctionError", term)),
            (_, Some(("badkey", &[key]))) => ("KeyError", self.missing(key, None)),
            (_, Some(("badkey", &[key, term]))) => ("KeyError", self.missing(key, Some(term))),
            (_, Some(("badstruct", &[name, term]))) => ("BadStructError", self.no_struct(name, term)),
            (_, Some(("badbool", &[operator, term]))) => ("BadBooleanError", self.no_boolean(operator, term)),
            (_, Some(("badarity", &[pair]))) => match self.heap.tuple(pair) {
                Some(&[fun, arguments]) => ("BadArityError", self.wrong_arity(fun, arguments)),
                _ => ("ErlangError", format!("Erlang error: {}", self.show(reason))),
            },
            _ => ("ErlangError", format!("Erlang error: {}", self.show(reason))),
        };
        (name.to_owned(), message)
    }

    /// The name and the message of an exception of Elixir; `None` if it is not one.
    fn exception(&self, reason: Term) -> Option<(String, String)> {
        let pairs = match self.heap.view(reason) {
            TermView::Map => crate::print::map_pairs(self.heap, reason, 64, crate::print::MapOrder::Usual),
            _ => return None,
        };
        let field = |name: &str| {
            let is = |key: Term| key.as_atom().is_some_and(|key| key.as_str() == name);
            pairs.iter().find(|(key, _)| is(*key)).map(|(_, value)| *value)
        };
        let is_true = |term: Term| term.as_atom().is_some_and(|name| name.as_str() == "true");
        field("__exception__").filter(|value| is_true(*value))?;
        let module = field("__struct__")?.as_atom()?;
        let name = literal(module.as_str());
        let text = field("message").and_then(|message| self.text(message));
        let message = match (name.as_str(), text) {
            ("ExUnit.AssertionError", Some(text)) => self.assertion(text, field),
            (_, Some(text)) => Some(text),
            ("KeyError", None) => {
                field("key").map(|key| self.missing(key, field("term").filter(|term| !is_nil(*term))))
            }
            ("UndefinedFunctionError", None) => self
                .function(field)
                .map(|(module, function, arity)| self.undefined(module, function, arity)),
            ("FunctionClauseError", None) => self.function(field).map(|(module, function, arity)| {
                format!("no function clause matching in {}", called(module, function, arity))
            }),
            ("BadStructError", None) => Some(self.no_struct(field("struct")?, field("term")?)),
            ("BadBooleanError", None) => Some(self.no_boolean(field("operator")?, field("term")?)),
            ("BadArityError", None) => Some(self.wrong_arity(field("function")?, field("args")?)),
            ("CompileError" | "SyntaxError" | "TokenMissingError", None) => {
                let (file, line) = (self.text(field("file")?)?, field("line")?.as_small()?);
                self.text(field("description")?)
                    .map(|text| format!("{file}:{line}: {text}"))
            }
            ("CondClauseError", None) => Some("no cond clause evaluated to a truthy value".to_owned()),
            ("ErlangError", None) => Some(format!("Erlang error: {}", self.show(field("original")?))),
            (name, None) => field("term")
                .filter(|_| TERMS.iter().any(|(known, _)| *known == name))
                .map(|term| self.of_term(name, term)),
        };
        let said = || self.line(self.style.code.message(self.heap, module, reason)?.as_bytes());
        Some((name, message.or_else(said).unwrap_or_else(|| self.show(reason))))
    }

    /// The text of a binary, on one line.
    fn text(&self, term: Term) -> Option<String> {
        let bytes = self.heap.bits(term)?;
        self.line(bytes.as_bytes()?)
    }

    fn line(&self, bytes: &[u8]) -> Option<String> {
        let head = &bytes[..bytes.len().min(self.chars.saturating_mul(4))];
        let text = String::from_utf8_lossy(head);
        Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
    }

    /// What was compared, after the message.
    fn assertion(&self, mut text: String, field: impl Fn(&str) -> Option<Term>) -> Option<String> {
        for side in ["left", "right"] {
            if is_pattern(side, &text) {
                continue;
            }
            let value = field(side)?;
            let is_none = value
                .as_atom()
                .is_some_and(|name| name.as_str() == "ex_unit_no_meaningful_value");
            if !is_none {
                text.push_str(&format!(", {side}: {}", self.show(value)));
            }
        }
        Some(text)
    }

    /// An assertion: its text, and a map with the values of both sides.
    fn noted(&self, message: Term, values: Term) -> String {
        let sides = match self.heap.view(values) {
            TermView::Map => crate::print::map_pairs(self.heap, values, 2, crate::print::MapOrder::Usual),
            _ => Vec::new(),
        };
        let mut text = self.text(message).unwrap_or_default();
        for (side, value) in sides {
            if let Some(side) = side.as_atom().filter(|side| !is_pattern(side.as_str(), &text)) {
                text.push_str(&format!(", {side}: {}", self.show(value)));
            }
        }
        text
    }

    fn of_term(&self, name: &str, term: Term) -> String {
        let words = TERMS
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, words)| words);
        format!("{words}: {}", self.show(term))
    }

    fn missing(&self, key: Term, term: Option<Term>) -> String {
        let of = term.map_or_else(String::new, |term| format!(" in: {}", self.show(term)));
        format!("key {} not found{of}", self.show(key))
    }

    fn no_struct(&self, name: Term, term: Term) -> String {
        format!("expected a struct named {}, got: {}", self.show(name), self.show(term))
    }

    fn no_boolean(&self, operator: Term, term: Term) -> String {
        let operator = operator.as_atom().map_or("", Atom::as_str);
        format!(
            "expected a boolean on left-side of \"{operator}\", got: {}",
            self.show(term)
        )
    }

    fn wrong_arity(&self, fun: Term, arguments: Term) -> String {
        let arity = match self.heap.view(fun) {
            TermView::Fun { arity, .. } | TermView::ExternalFun { arity, .. } => arity.to_string(),
            _ => "?".to_owned(),
        };
        let given: Vec<String> = self
            .heap
            .list(arguments)
            .unwrap_or_default()
            .into_iter()
            .map(|t| self.show(t))
            .collect();
        let count = match given.len() {
            0 => "no arguments".to_owned(),
            1 => format!("1 argument ({})", given[0]),
            n => format!("{n} arguments ({})", given.join(", ")),
        };
        format!("{} with arity {arity} called with {count}", self.show(fun))
    }

    fn undefined(&self, module: Atom, function: Atom, arity: usize) -> String {
        let why = if self.style.code.is_loaded(module) {
            "is undefined or private".to_owned()
        } else {
            format!("is undefined (module {} is not available)", literal(module.as_str()))
        };
        format!("function {} {why}", called(module, function, arity))
    }

    /// Module, function and arity in the fields of an exception.
    fn function(&self, field: impl Fn(&str) -> Option<Term>) -> Option<(Atom, Atom, usize)> {
        let arity = usize::try_from(field("arity")?.as_small()?).ok()?;
        Some((field("module")?.as_atom()?, field("function")?.as_atom()?, arity))
    }

    /// The first entry of a stack trace.
    fn innermost(&self, stack: Option<Term>) -> Option<(Atom, Atom, usize)> {
        let (entry, _) = self.heap.cons_cell(stack?)?;
        self.entry(entry)
    }

    fn entry(&self, entry: Term) -> Option<(Atom, Atom, usize)> {
        let &[module, function, arity, info] = self.heap.tuple(entry)? else {
            return None;
        };
        self.heap.list(info)?;
        let arity = match arity.as_small() {
            Some(n) => usize::try_from(n).ok()?,
            None => self.heap.list(arity)?.len(),
        };
        Some((module.as_atom()?, function.as_atom()?, arity))
    }

    /// A tuple that begins with an atom: the atom and the rest.
    fn tagged(&self, term: Term) -> Option<(&'static str, &[Term])> {
        let (first, rest) = self.heap.tuple(term)?.split_first()?;
        Some((first.as_atom()?.as_str(), rest))
    }

    /// The reason of an exit.
    fn exit(&self, reason: Term, depth: usize) -> String {
        if let Some(&[inner, second]) = self.heap.tuple(reason).filter(|_| depth > 0) {
            let stack = self.heap.cons_cell(second);
            if stack.is_some_and(|(entry, _)| self.entry(entry).is_some()) {
                return format!("an exception was raised: {}", self.error(inner, Some(second)));
            }
            if let Some(&[module, function, arguments]) = self.heap.tuple(second)
                && let (Some(module), Some(function)) = (module.as_atom(), function.as_atom())
                && let Some(arguments) = self.heap.list(arguments)
            {
                let shown: Vec<String> = arguments.iter().map(|term| self.show(*term)).collect();
                let called = match parent(function.as_str()) {
                    None => format!("{}.{}", literal(module.as_str()), super::callable(function.as_str())),
                    Some(_) => called(module, function, shown.len()),
                };
                let inner = self.exit(inner, depth - 1);
                return format!("exited in: {called}({}) ** (EXIT) {inner}", shown.join(", "));
            }
        }
        self.reason(reason)
    }

    fn reason(&self, reason: Term) -> String {
        match (reason.as_atom().map(Atom::as_str), self.tagged(reason)) {
            (Some(name @ ("normal" | "shutdown" | "killed")), _) => name.to_owned(),
            (Some("calling_self"), _) => "process attempted to call itself".to_owned(),
            (Some("timeout"), _) => "time out".to_owned(),
            (Some("noconnection"), _) => "no connection".to_owned(),
            (Some("noproc"), _) => "no process: the process is not alive or there's no process currently associated with the given name, possibly because its application isn't started".to_owned(),
            (_, Some(("shutdown", &[why]))) => format!("shutdown: {}", self.show(why)),
            (_, Some(("already_started", &[pid]))) => format!("already started: {}", self.show(pid)),
            (_, Some(("bad_return_value", &[value]))) => format!("bad return value: {}", self.show(value)),
            (_, Some(("bad_call", &[request]))) => format!("bad call: {}", self.show(request)),
            (_, Some(("bad_cast", &[request]))) => format!("bad cast: {}", self.show(request)),
            (_, Some(("nodedown", &[node]))) => match node.as_atom() {
                Some(node) => format!("no connection to {node}"),
                None => self.show(reason),
            },
            _ => self.show(reason),
        }
    }
}

/// Exceptions that hold one term, with the words before it.
const TERMS: [(&str, &str); 6] = [
    ("MatchError", "no match of right hand side value"),
    ("CaseClauseError", "no case clause matching"),
    ("WithClauseError", "no with clause matching"),
    ("TryClauseError", "no try clause matching"),
    ("BadMapError", "expected a map, got"),
    ("BadFunctionError", "expected a function, got"),
];

fn is_nil(term: Term) -> bool {
    term.as_atom().is_some_and(|name| name.as_str() == "nil")
}

/// `Account.deposit/1`, `anonymous fn/1 in Account.deposit/1`.
fn called(module: Atom, function: Atom, arity: usize) -> String {
    let (name, module) = (function.as_str(), literal(module.as_str()));
    match parent(name) {
        Some((outer, of)) => format!("anonymous fn/{arity} in {module}.{}/{of}", super::callable(outer)),
        None => format!("{module}.{}/{arity}", super::callable(name)),
    }
}

/// What is wrong with the arguments of the call on top of this stack trace, in the words of an `ArgumentError`, on one line and without what it begins
/// with, "errors were found at the given arguments"; `None`: nothing is known of them.
fn wrong_arguments(heap: &Heap, stack: Term) -> Option<String> {
    let (entry, _) = heap.cons_cell(stack)?;
    let &[module, function, args, info] = heap.tuple(entry)? else {
        return None;
    };
    let (module, function, args) = (module.as_atom()?, function.as_atom()?, heap.list(args)?);
    let details = heap.list(info)?.into_iter().find_map(|one| match heap.tuple(one) {
        Some(&[key, value]) if is(key, "error_info") => Some(value),
        _ => None,
    })?;
    let wrong = match module.as_str() {
        "erlang" => explain(heap, module, function, &args, Term::atom(Atom::BADARG)).arguments,
        "ets" => vec![(1, of_table(cause(heap, details)?)?.to_owned())],
        _ => return None,
    };
    let each: Vec<String> = wrong
        .iter()
        .map(|(n, text)| format!("{} argument: {text}", nth(*n)))
        .collect();
    (!each.is_empty()).then(|| each.join("; "))
}

fn is(term: Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

/// The cause that a native gives with its failure.
fn cause(heap: &Heap, details: Term) -> Option<&'static str> {
    let pairs = match heap.view(details) {
        TermView::Map => map_pairs(heap, details, 8, MapOrder::Usual),
        _ => return None,
    };
    let (_, value) = pairs.into_iter().find(|(key, _)| is(*key, "cause"))?;
    Some(value.as_atom()?.as_str())
}

/// What is wrong with a table, as `erl_stdlib_errors` has it.
fn of_table(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "id" => "the table identifier does not refer to an existing ETS table",
        "access" => "the table identifier refers to an ETS table with insufficient access rights",
        "table_type" => "the table identifier refers to an ETS table of a type not supported by this operation",
        _ => return None,
    })
}

fn nth(n: usize) -> String {
    match n {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{n}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{NoCode, Terms};

    /// A stack trace of one call.
    fn stack(heap: &mut Heap, (module, function): (&str, &str), args: &[Term], cause: Option<&str>) -> Term {
        let atom = |name: &str| Term::atom(Atom::new(name));
        let pairs: Vec<(Term, Term)> = cause.into_iter().map(|cause| (atom("cause"), atom(cause))).collect();
        let details = crate::maps::from_pairs(heap, &pairs);
        let info = heap.make_tuple(&[atom("error_info"), details]);
        let info = heap.make_list(&[info]);
        let args = heap.make_list(args);
        let entry = heap.make_tuple(&[atom(module), atom(function), args, info]);
        heap.make_list(&[entry])
    }

    #[test]
    fn wrong_arguments_are_told_in_elixirs_words() {
        let mut heap = Heap::new(std::sync::Arc::new(Vec::new()));
        let text = heap.make_binary(b"1 20");
        let of_number = stack(&mut heap, ("erlang", "binary_to_integer"), &[text], None);
        assert_eq!(
            wrong_arguments(&heap, of_number).unwrap(),
            "1st argument: not a textual representation of an integer"
        );
        let table = Term::atom(Atom::new("nope"));
        let of_table = stack(&mut heap, ("ets", "lookup"), &[table, table], Some("id"));
        assert_eq!(
            wrong_arguments(&heap, of_table).unwrap(),
            "1st argument: the table identifier does not refer to an existing ETS table"
        );
        let unknown = stack(&mut heap, ("other", "f"), &[], None);
        assert_eq!(wrong_arguments(&heap, unknown), None);
    }

    #[test]
    fn what_no_clause_of_with_takes_is_told_alike_in_all_versions() {
        let mut heap = Heap::new(std::sync::Arc::new(Vec::new()));
        for name in ["with_clause", "else_clause"] {
            let reason = heap.make_tuple(&[Term::atom(Atom::new(name)), Term::small(3)]);
            let style = Style {
                terms: Terms::Elixir,
                ..Style::unicode(&NoCode)
            };
            let banner = Banner {
                heap: &heap,
                style: &style,
                chars: 100,
            };
            let told = banner.banner(ExceptionClass::Error, reason, None);
            assert_eq!(told, "** (WithClauseError) no with clause matching: 3");
        }
    }
}
