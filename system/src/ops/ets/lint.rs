//! Mistakes in a match specification, in the words of OTP (`ets:test_ms/2`).

use interpreter::heap::{Heap, TermView};
use interpreter::maps;
use interpreter::native::CodeInfo;
use interpreter::newer::Newer;
use interpreter::print::{self, Style};
use interpreter::term::Term;
use syntax::Release;

use super::{DEPTH, variable};

/// Functions that a specification may call, with their numbers of arguments. `and`, `or`, `andalso`, `orelse`, `const` and `self` are forms.
const FUNCTIONS: &[(&str, &[usize])] = &[
    ("is_atom", &[1]),
    ("is_float", &[1]),
    ("is_integer", &[1]),
    ("is_list", &[1]),
    ("is_number", &[1]),
    ("is_pid", &[1]),
    ("is_port", &[1]),
    ("is_reference", &[1]),
    ("is_tuple", &[1]),
    ("is_map", &[1]),
    ("is_map_key", &[2]),
    ("is_binary", &[1]),
    ("is_function", &[1]),
    ("is_record", &[3]),
    ("not", &[1]),
    ("xor", &[2]),
    ("abs", &[1]),
    ("element", &[2]),
    ("hd", &[1]),
    ("length", &[1]),
    ("map_get", &[2]),
    ("map_size", &[1]),
    ("node", &[0, 1]),
    ("float", &[1]),
    ("round", &[1]),
    ("size", &[1]),
    ("bit_size", &[1]),
    ("byte_size", &[1]),
    ("tl", &[1]),
    ("trunc", &[1]),
    ("binary_part", &[2, 3]),
    ("+", &[1, 2]),
    ("-", &[1, 2]),
    ("*", &[2]),
    ("/", &[2]),
    ("div", &[2]),
    ("rem", &[2]),
    ("band", &[2]),
    ("bor", &[2]),
    ("bxor", &[2]),
    ("bnot", &[1]),
    ("bsl", &[2]),
    ("bsr", &[2]),
    (">", &[2]),
    (">=", &[2]),
    ("<", &[2]),
    ("=<", &[2]),
    ("=:=", &[2]),
    ("==", &[2]),
    ("=/=", &[2]),
    ("/=", &[2]),
];

/// Further ones from release 26 on.
const FUNCTIONS_OF_26: &[(&str, &[usize])] = &[
    ("is_function", &[2]),
    ("max", &[2]),
    ("min", &[2]),
    ("ceil", &[1]),
    ("floor", &[1]),
];

/// Forms of specifications for tracing.
const TRACING: &[&str] = &[
    "is_seq_trace",
    "set_seq_token",
    "get_seq_token",
    "message",
    "return_trace",
    "exception_trace",
    "process_dump",
    "display",
    "enable_trace",
    "disable_trace",
    "trace",
    "caller",
    "caller_line",
    "silent",
];

/// May a specification call this function, in some release?
pub fn is_function(name: &str, arity: usize) -> bool {
    // `and` and `or` with two arguments are functions to the evaluator.
    matches!((name, arity), ("and" | "or", 2)) || is_in(FUNCTIONS, name, arity) || is_newer(name, arity)
}

/// May it in release 26 and later only?
pub fn is_newer(name: &str, arity: usize) -> bool {
    is_in(FUNCTIONS_OF_26, name, arity)
}

fn is_in(table: &[(&str, &[usize])], name: &str, arity: usize) -> bool {
    table
        .iter()
        .any(|(known, arities)| *known == name && arities.contains(&arity))
}

/// What a specification may use.
#[derive(Clone, Copy)]
struct SpecScope<'a> {
    /// The variables of the head.
    variables: &'a [u64],
    /// The release.
    release: Release,
}

/// A mistake; a term in it has still to be printed.
pub enum Mistake {
    Text(String),
    About(&'static str, Term, &'static str),
}

/// All mistakes that OTP finds in a specification: in its shape, or in the first clause that has mistakes.
#[must_use]
pub fn lint(heap: &Heap, code: &dyn CodeInfo, spec: Term, release: Release) -> Vec<String> {
    let one = |text: &str| vec![text.to_owned()];
    let Some(clauses) = heap.list(spec) else {
        return one(match heap.cons_cell(spec) {
            Some(_) => "Match programs are not in a proper list.",
            None => "Match programs are not in a list.",
        });
    };
    if clauses.is_empty() {
        return one("Match programs are not in a list.");
    }
    let mut parts = Vec::with_capacity(clauses.len());
    for clause in clauses {
        match heap.tuple(clause) {
            Some(&[head, guards, body]) => parts.push((head, guards, body)),
            _ => return one("Match program part is not a tuple of arity 3."),
        }
    }
    for (head, guards, body) in parts {
        let found = shaped_clause(heap, head, guards, body, release);
        if !found.is_empty() {
            return found.into_iter().map(|mistake| text(heap, code, mistake)).collect();
        }
    }
    Vec::new()
}

fn text(heap: &Heap, code: &dyn CodeInfo, mistake: Mistake) -> String {
    match mistake {
        Mistake::Text(text) => text,
        Mistake::About(before, term, after) => {
            let mut options = print::PrettyOptions::new(Style::unicode(code));
            options.line_length = i64::MAX / 4;
            let shown = print::pretty(heap, term, &options);
            // The runtime does not quote reserved words.
            let shown = ["and", "or", "andalso", "orelse", "not", "xor"]
                .iter()
                .fold(shown, |shown, word| shown.replace(&format!("'{word}'"), word));
            format!("{before}{shown}{after}")
        }
    }
}

fn shaped_clause(heap: &Heap, head: Term, guards: Term, body: Term, release: Release) -> Vec<Mistake> {
    let elements = |t: Term| {
        let mut all = Vec::new();
        let mut rest = t;
        while let Some((head, tail)) = heap.cons_cell(rest) {
            all.push(head);
            rest = tail;
        }
        (all, rest)
    };
    let improper = || Mistake::Text("Match expression is not a proper list.".to_owned());
    let ((guards, guards_end), (body, body_end)) = (elements(guards), elements(body));
    let mut found = Vec::new();
    let mut of_head = check_head(heap, head);
    if !of_head.is_empty() {
        of_head.truncate(1);
        return of_head;
    }
    let variables = variables(heap, head);
    let known = SpecScope {
        variables: &variables,
        release,
    };
    if guards.is_empty() && !guards_end.is_nil() {
        found.push(Mistake::Text("Match expression is not a list.".to_owned()));
    }
    expressions(heap, known, &guards, &mut found);
    if !guards.is_empty() && !guards_end.is_nil() {
        found.push(improper());
    }
    if body.is_empty() {
        found.push(Mistake::Text("Body clause does not return anything.".to_owned()));
    }
    expressions(heap, known, &body, &mut found);
    if !body.is_empty() && !body_end.is_nil() {
        found.push(improper());
    }
    found
}

/// The mistakes of one clause.
pub fn clause(heap: &Heap, head: Term, guards: &[Term], body: &[Term], release: Release) -> Vec<Mistake> {
    let found = check_head(heap, head);
    if !found.is_empty() {
        return found;
    }
    let mut found = Vec::new();
    let variables = variables(heap, head);
    let known = SpecScope {
        variables: &variables,
        release,
    };
    expressions(heap, known, guards, &mut found);
    if body.is_empty() {
        found.push(Mistake::Text("Body clause does not return anything.".to_owned()));
    }
    expressions(heap, known, body, &mut found);
    found
}

/// Is it a valid pattern?
#[must_use]
pub fn is_pattern(heap: &Heap, pattern: Term) -> bool {
    check_head(heap, pattern).is_empty()
}

/// Mistakes in a head: variables in keys of maps.
fn check_head(heap: &Heap, head: Term) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut pending = vec![head];
    while let Some(t) = pending.pop() {
        match heap.view(t) {
            TermView::Tuple(elements) => pending.extend(elements),
            TermView::Cons(head, tail) => pending.extend([head, tail]),
            TermView::Map => {
                for (key, value) in maps::pairs(heap, t) {
                    pending.push(value);
                    if variables(heap, key).is_empty() {
                        if !super::is_ground(heap, key) && key.as_atom().is_some() {
                            found.push(Mistake::Text("Underscore found in map key.".to_owned()));
                        }
                    } else {
                        found.push(Mistake::Text("Variable found in map key.".to_owned()));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The variables of a pattern.
fn variables(heap: &Heap, pattern: Term) -> Vec<u64> {
    let mut found = Vec::new();
    let mut pending = vec![pattern];
    while let Some(t) = pending.pop() {
        match heap.view(t) {
            TermView::Atom(_) => found.extend(variable(t)),
            TermView::Tuple(elements) => pending.extend(elements),
            TermView::Cons(head, tail) => pending.extend([head, tail]),
            TermView::Map => pending.extend(maps::pairs(heap, t).into_iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    found
}

fn expressions(heap: &Heap, known: SpecScope<'_>, list: &[Term], found: &mut Vec<Mistake>) {
    for &t in list {
        expression(heap, known, t, found, DEPTH);
    }
}

/// The mistakes in an expression. The parts are examined in the order in which OTP compiles them: arguments, elements and values from the last
/// to the first.
fn expression(heap: &Heap, known: SpecScope<'_>, t: Term, found: &mut Vec<Mistake>, depth: usize) {
    if depth == 0 {
        return found.push(Mistake::Text("The expression is nested too deeply.".to_owned()));
    }
    let each = |found: &mut Vec<Mistake>, list: &[Term]| {
        for &t in list.iter().rev() {
            expression(heap, known, t, found, depth - 1);
        }
    };
    match heap.view(t) {
        TermView::Atom(_) => {
            if let Some(n) = variable(t).filter(|n| !known.variables.contains(n)) {
                found.push(Mistake::Text(format!("Variable ${n} is unbound.")));
            }
        }
        TermView::Cons(..) => {
            let mut rest = t;
            while let Some((head, tail)) = heap.cons_cell(rest) {
                expression(heap, known, head, found, depth - 1);
                rest = tail;
            }
            expression(heap, known, rest, found, depth - 1);
        }
        TermView::Map => {
            let pairs = maps::pairs(heap, t);
            let (keys, values): (Vec<Term>, Vec<Term>) = pairs.into_iter().unzip();
            each(found, &values);
            each(found, &keys);
        }
        TermView::Tuple(&[inner]) if heap.tuple(inner).is_some() => {
            let elements = heap.tuple(inner).unwrap_or_default();
            each(found, elements);
        }
        TermView::Tuple(elements) => {
            let neither = " is neither a function call, nor a tuple (tuples are written {{ ... }}).";
            let Some((name, args)) = elements.split_first() else {
                return found.push(Mistake::About("", t, neither));
            };
            let Some(name) = name.as_atom().filter(|_| variable(*name).is_none()) else {
                return found.push(Mistake::About("", t, neither));
            };
            call(heap, known, t, (name.as_str(), args), found, &each, depth);
        }
        _ => {}
    }
}

fn call(
    heap: &Heap,
    known: SpecScope<'_>,
    t: Term,
    (name, args): (&str, &[Term]),
    found: &mut Vec<Mistake>,
    each: &impl Fn(&mut Vec<Mistake>, &[Term]),
    depth: usize,
) {
    match (name, args) {
        ("const", [_]) | ("self", []) => {}
        ("const", _) => found.push(Mistake::About(
            "Special form 'const' called with more than one argument in ",
            t,
            ".",
        )),
        ("self", _) => found.push(Mistake::About("Special form 'self' called with arguments in ", t, ".")),
        ("and", []) => found.push(Mistake::About(
            "Special form 'and' called without arguments in ",
            t,
            ".",
        )),
        ("or", []) => found.push(Mistake::About("Special form 'or' called without arguments in ", t, ".")),
        ("andalso", []) => found.push(Mistake::About(
            "Special form 'andalso' called without arguments in ",
            t,
            ".",
        )),
        ("orelse", []) => found.push(Mistake::About(
            "Special form 'orelse' called without arguments in ",
            t,
            ".",
        )),
        ("andalso" | "orelse", args) => {
            for &arg in args {
                expression(heap, known, arg, found, depth - 1);
            }
        }
        ("and" | "or", args) => each(found, args),
        _ if TRACING.contains(&name) => {
            let name = if name == "set_seq_token" { "set_seq_trace" } else { name };
            found.push(Mistake::Text(format!("Special form '{name}' used in wrong dialect.")));
        }
        ("get_tcw", []) | ("set_tcw", [_]) => {
            found.push(Mistake::Text(format!(
                "Function {name}/{} cannot be called in this context.",
                args.len()
            )));
        }
        _ if is_function(name, args.len())
            && (Newer::GuardsOfSpecifications.is_in(known.release) || !is_newer(name, args.len())) =>
        {
            each(found, args);
        }
        _ => {
            let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@');
            let name = if plain { name.to_owned() } else { format!("'{name}'") };
            found.push(Mistake::Text(format!("Function {name}/{} does_not_exist.", args.len())));
        }
    }
}
