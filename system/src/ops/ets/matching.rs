//! Match specifications (OTP, ERTS User's Guide, "Match Specifications in Erlang"), evaluated on terms of one scratch heap.

use std::sync::OnceLock;

use interpreter::atom::Atom;
use interpreter::heap::{Heap, TermView};
use interpreter::native::{CodeInfo, Context, Implementation, Local, PureFn};
use interpreter::term::Term;
use interpreter::{maps, ops};
use rustc_hash::FxHashMap;
use syntax::Release;

/// Deeper patterns and expressions are refused, because they are evaluated by recursion.
const DEPTH: usize = 1000;

#[path = "lint.rs"]
mod lint;
pub use lint::{is_pattern, lint};

/// Values of `'$0'`, `'$1'`, …, in the order of their numbers.
#[derive(Default)]
pub struct Bindings(Vec<(u64, Term)>);

impl Bindings {
    fn get(&self, n: u64) -> Option<Term> {
        let at = self.0.binary_search_by_key(&n, |(number, _)| *number).ok()?;
        Some(self.0[at].1)
    }
    fn set(&mut self, n: u64, value: Term) {
        match self.0.binary_search_by_key(&n, |(number, _)| *number) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (n, value)),
        }
    }
    /// The values in order of their numbers, as `ets:match` returns them.
    #[must_use]
    pub fn in_order(&self) -> Vec<Term> {
        self.0.iter().map(|(_, value)| *value).collect()
    }
}

/// The number of a variable `'$N'`, which has no leading zeros.
fn variable(t: Term) -> Option<u64> {
    let digits = t.as_atom()?.as_str().strip_prefix('$')?;
    let zeros = digits.len() > 1 && digits.starts_with('0');
    if digits.is_empty() || digits.len() > 18 || zeros || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// Does the object match the pattern?
pub fn matches(heap: &Heap, pattern: Term, object: Term, bindings: &mut Bindings) -> bool {
    match_at(heap, pattern, object, bindings, DEPTH)
}

fn match_at(heap: &Heap, pattern: Term, object: Term, bindings: &mut Bindings, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    if let Some(atom) = pattern.as_atom() {
        if atom.as_str() == "_" {
            return true;
        }
        if let Some(n) = variable(pattern) {
            return match bindings.get(n) {
                Some(bound) => ops::exact_equal(heap, bound, object),
                None => {
                    bindings.set(n, object);
                    true
                }
            };
        }
        return pattern == object;
    }
    match (heap.view(pattern), heap.view(object)) {
        (TermView::Tuple(a), TermView::Tuple(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&p, &o)| match_at(heap, p, o, bindings, depth - 1))
        }
        (TermView::Cons(..), TermView::Cons(..)) => {
            let (mut p, mut o) = (pattern, object);
            while let (Some((ph, pt)), Some((oh, ot))) = (heap.cons_cell(p), heap.cons_cell(o)) {
                if !match_at(heap, ph, oh, bindings, depth - 1) {
                    return false;
                }
                (p, o) = (pt, ot);
            }
            match_at(heap, p, o, bindings, depth - 1)
        }
        (TermView::Map, TermView::Map) => maps::pairs(heap, pattern).into_iter().all(|(key, value)| {
            maps::get(heap, object, key).is_some_and(|found| match_at(heap, value, found, bindings, depth - 1))
        }),
        // As in OTP of every release, 0.0 does not match -0.0.
        (TermView::Float(x), TermView::Float(y)) => x.to_bits() == y.to_bits(),
        _ => ops::exact_equal(heap, pattern, object),
    }
}

/// Does the pattern contain neither a variable nor `'_'`, so that it matches one value only? Maps match larger ones.
#[must_use]
pub fn is_ground(heap: &Heap, pattern: Term) -> bool {
    let mut pending = vec![pattern];
    while let Some(t) = pending.pop() {
        if let Some(atom) = t.as_atom() {
            if atom.as_str() == "_" || variable(t).is_some() {
                return false;
            }
            continue;
        }
        match heap.view(t) {
            TermView::Tuple(elements) => pending.extend(elements),
            TermView::Cons(head, tail) => pending.extend([head, tail]),
            TermView::Map => return false,
            _ => {}
        }
    }
    true
}

/// A match specification: clauses of head, guards and body.
#[derive(Default)]
pub struct Spec {
    clauses: Vec<(Term, Vec<Term>, Vec<Term>)>,
}

impl Spec {
    /// Parses a specification; `None` if it is not valid in this release.
    #[must_use]
    pub fn read(heap: &Heap, t: Term, release: Release) -> Option<Self> {
        let mut clauses = Vec::new();
        for clause in heap.list(t)? {
            let &[head, guards, body] = heap.tuple(clause)? else {
                return None;
            };
            clauses.push((head, heap.list(guards)?, heap.list(body)?));
        }
        let spec = Self { clauses };
        let faulty = |clause: &(Term, Vec<Term>, Vec<Term>)| {
            !lint::clause(heap, clause.0, &clause.1, &clause.2, release).is_empty()
        };
        (!spec.clauses.is_empty() && !spec.clauses.iter().any(faulty)).then_some(spec)
    }

    /// As [`Self::read`], for a search in a table, where the list may be empty: it matches nothing.
    #[must_use]
    pub fn read_search(heap: &Heap, t: Term, release: Release) -> Option<Self> {
        if t.is_nil() {
            return Some(Self::default());
        }
        Self::read(heap, t, release)
    }

    /// Does every clause keep the key, which is at this position? `select_replace` requires it. A key that is rebuilt from its parts is also
    /// accepted.
    #[must_use]
    pub fn keeps_key(&self, heap: &Heap, position: usize) -> bool {
        self.clauses
            .iter()
            .all(|(head, _, body)| keeps_key(heap, position, *head, body))
    }

    /// The patterns of its clauses.
    #[must_use]
    pub fn heads(&self) -> Vec<Term> {
        self.clauses.iter().map(|(head, ..)| *head).collect()
    }

    /// The result for an object; `None` if no clause matches. Everything is in `heap`.
    pub fn run(&self, heap: &mut Heap, code: &dyn CodeInfo, local: &mut Local, object: Term) -> Option<Term> {
        for (head, guards, body) in &self.clauses {
            let mut bindings = Bindings::default();
            if !matches(heap, *head, object, &mut bindings) {
                continue;
            }
            let mut eval = Eval {
                heap,
                code,
                local,
                object,
                bindings: &bindings,
                in_body: false,
            };
            if !guards
                .iter()
                .all(|&g| eval.value(g, DEPTH).is_some_and(|v| v == Term::boolean(true)))
            {
                continue;
            }
            eval.in_body = true;
            let mut result = Term::NIL;
            for &expression in body {
                result = eval.value(expression, DEPTH).unwrap_or(Term::atom(Atom::EXIT_UPPER));
            }
            return Some(result);
        }
        None
    }
}

struct Eval<'a> {
    heap: &'a mut Heap,
    code: &'a dyn CodeInfo,
    local: &'a mut Local,
    object: Term,
    bindings: &'a Bindings,
    /// In a body, a call that fails has the value `'EXIT'`.
    in_body: bool,
}

impl Eval<'_> {
    /// The value of an expression; `None` if it fails.
    fn value(&mut self, t: Term, depth: usize) -> Option<Term> {
        if depth == 0 {
            return None;
        }
        if let Some(atom) = t.as_atom() {
            return match atom.as_str() {
                "$_" => Some(self.object),
                "$$" => {
                    let all = self.bindings.in_order();
                    Some(self.heap.make_list(&all))
                }
                _ => match variable(t) {
                    Some(n) => self.bindings.get(n),
                    None => Some(t),
                },
            };
        }
        match self.heap.view(t) {
            TermView::Cons(..) => {
                let mut elements = Vec::new();
                let mut rest = t;
                while let Some((head, tail)) = self.heap.cons_cell(rest) {
                    elements.push(self.value(head, depth - 1)?);
                    rest = tail;
                }
                let tail = if rest.is_nil() {
                    rest
                } else {
                    self.value(rest, depth - 1)?
                };
                Some(self.heap.make_list_with_tail(&elements, tail))
            }
            TermView::Map => {
                let pairs = maps::pairs(self.heap, t);
                let mut out = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    out.push((self.value(key, depth - 1)?, self.value(value, depth - 1)?));
                }
                Some(maps::from_pairs(self.heap, &out))
            }
            TermView::Tuple(&[inner]) if self.heap.tuple(inner).is_some() => {
                let elements = self.heap.tuple(inner)?.to_vec();
                let mut out = Vec::with_capacity(elements.len());
                for element in elements {
                    out.push(self.value(element, depth - 1)?);
                }
                Some(self.heap.make_tuple(&out))
            }
            TermView::Tuple(elements) => {
                let elements = elements.to_vec();
                let (&name, args) = elements.split_first()?;
                let value = self.call(name.as_atom()?.as_str(), args, depth);
                value.or_else(|| self.in_body.then_some(Term::atom(Atom::EXIT_UPPER)))
            }
            _ => Some(t),
        }
    }

    fn truth(&mut self, t: Term, depth: usize) -> Option<bool> {
        self.value(t, depth - 1)?.as_bool()
    }

    fn call(&mut self, name: &str, args: &[Term], depth: usize) -> Option<Term> {
        match (name, args) {
            ("const", &[value]) => return Some(value),
            ("andalso" | "orelse", args) => {
                let ends = name == "orelse";
                let (&last, others) = args.split_last()?;
                for &arg in others {
                    if self.truth(arg, depth)? == ends {
                        return Some(Term::boolean(ends));
                    }
                }
                return self.value(last, depth - 1);
            }
            ("and" | "or", args) if args.len() != 2 => {
                let mut all = Vec::new();
                for &arg in args {
                    all.push(self.truth(arg, depth)?);
                }
                let value = if name == "and" {
                    all.iter().all(|&b| b)
                } else {
                    all.iter().any(|&b| b)
                };
                return Some(Term::boolean(value));
            }
            ("self", []) => return Some(Term::pid(self.local.pid)),
            ("node", []) => return Some(Term::atom(self.local.node)),
            _ => {}
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.value(arg, depth - 1)?);
        }
        if name == "is_record" {
            let &[record, tag, size] = &values[..] else { return None };
            tag.as_atom()?;
            let size = size.as_small()?;
            let elements = self.heap.tuple(record).unwrap_or_default();
            return Some(Term::boolean(
                elements.first() == Some(&tag) && elements.len() as i64 == size,
            ));
        }
        let run = guard_function(name, values.len())?;
        let mut context = Context {
            heap: self.heap,
            local: self.local,
            code: self.code,
        };
        run(&mut context, &values).ok()
    }
}

/// Is the body one expression that keeps the key of the head?
fn keeps_key(heap: &Heap, position: usize, head: Term, body: &[Term]) -> bool {
    let key_of = |t: Term| heap.tuple(t).and_then(|e| e.get(position - 1)).copied();
    let &[result] = body else { return false };
    if result.as_atom().is_some_and(|a| a.as_str() == "$_") {
        return true;
    }
    let Some(key) = key_of(head) else { return false };
    let object = match heap.tuple(result) {
        Some(&[word, constant]) if word.as_atom().is_some_and(|a| a.as_str() == "const") => {
            return is_ground(heap, key) && key_of(constant).is_some_and(|new| ops::exact_equal(heap, key, new));
        }
        Some(&[object]) => object,
        _ => return false,
    };
    let Some(new) = key_of(object) else { return false };
    if let Some(&[function, at, of]) = heap.tuple(new) {
        let is = |t: Term, word: &str| t.as_atom().is_some_and(|a| a.as_str() == word);
        return is(function, "element") && at.as_small() == Some(position as i64) && is(of, "$_");
    }
    builds(heap, key, new)
}

/// Does an expression of a body build the value that a pattern matches?
fn builds(heap: &Heap, pattern: Term, expression: Term) -> bool {
    let mut pending = vec![(pattern, expression)];
    while let Some((pattern, expression)) = pending.pop() {
        if let (Some((a, more)), Some((b, others))) = (heap.cons_cell(pattern), heap.cons_cell(expression)) {
            pending.extend([(a, b), (more, others)]);
            continue;
        }
        let fits = match heap.tuple(expression) {
            Some(&[word, constant]) if word.as_atom().is_some_and(|a| a.as_str() == "const") => {
                is_ground(heap, pattern) && ops::exact_equal(heap, pattern, constant)
            }
            // `{{A, B}}` builds a tuple.
            Some(&[built]) => match (heap.tuple(pattern), heap.tuple(built)) {
                (Some(parts), Some(expressions)) if parts.len() == expressions.len() => {
                    pending.extend(parts.iter().copied().zip(expressions.iter().copied()));
                    true
                }
                _ => false,
            },
            Some(_) => false,
            None => {
                (variable(pattern).is_some() || is_ground(heap, pattern)) && ops::exact_equal(heap, pattern, expression)
            }
        };
        if !fits {
            return false;
        }
    }
    true
}

/// The pure native of module `erlang` with this name and arity, if it may stand in a guard.
fn guard_function(name: &str, arity: usize) -> Option<PureFn> {
    static TABLE: OnceLock<FxHashMap<(&'static str, usize), PureFn>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        interpreter::natives::all()
            .iter()
            .flat_map(|area| area.iter())
            .filter(|n| n.module == "erlang" && lint::is_function(n.name, usize::from(n.arity)))
            .filter_map(|n| match n.run {
                Implementation::Pure(run) => Some(((n.name, usize::from(n.arity)), run)),
                Implementation::System(_) => None,
            })
            .collect()
    });
    table.get(&(name, arity)).copied()
}
