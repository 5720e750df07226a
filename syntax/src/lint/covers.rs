//! Clauses that cannot match because an earlier clause without a guard matches everything that they match. Finds what OTP's compiler finds when
//! it compiles the patterns of a function or a `case` column by column, where a column in which variables and constructors alternate splits the
//! clauses (Wadler's mixture rule). As there, some hidden clauses are not reported.

use rustc_hash::FxHashMap;

use super::Linter;
use crate::ast::{Expr, ExprKind, FunClause, List, Loc, Pattern, PatternKind};
use crate::atom::Atom;

/// Maximum number of pairs of clauses compared in one function.
const PAIRS: usize = 1_000_000;
/// Maximum number of clauses between the two.
const BETWEEN: usize = 100;

/// A clause: its place, its patterns, and whether it has no guard.
pub(super) type ClauseHead<'p> = (Loc, &'p [Pattern], bool);

/// The clauses of a function or fun.
pub(super) fn heads(clauses: &[FunClause]) -> Vec<ClauseHead<'_>> {
    clauses
        .iter()
        .map(|clause| (clause.loc, &clause.params[..], clause.guard.is_empty()))
        .collect()
}

/// The content of a column.
#[derive(Clone, Copy)]
enum Column<'p> {
    Pattern(&'p Pattern),
    /// The items of a list from this one on.
    Rest(&'p List<Pattern>, usize),
    /// The rest of a string.
    Text(&'p str),
}

/// The outermost constructor.
#[derive(Clone, PartialEq)]
enum Shape<'p> {
    /// A variable or `_`.
    Any,
    Atom(Atom),
    Small(i64),
    Float(u64),
    Big(&'p num_bigint::BigInt),
    Nil,
    Cons,
    Tuple(usize),
    Map(Vec<CoverKey<'p>>),
    EmptyBinary,
    /// Anything else, which is not analysed.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CoverKey<'p> {
    Atom(u32),
    Small(i64),
    Text(&'p str),
}

impl<'p> CoverKey<'p> {
    fn of(key: &'p Expr) -> Option<Self> {
        Some(match &key.kind {
            ExprKind::Atom(atom) => Self::Atom(atom.index()),
            ExprKind::Integer(n) => Self::Small(*n),
            ExprKind::String(text) => Self::Text(text),
            _ => return None,
        })
    }
}

impl<'p> Column<'p> {
    /// Without a variable that names the whole pattern.
    fn bare(self) -> Self {
        let Self::Pattern(mut pattern) = self else { return self };
        while let PatternKind::Match(both) = &pattern.kind {
            let is_name = |one: &Pattern| matches!(one.kind, PatternKind::Var(_) | PatternKind::Wildcard);
            pattern = match (is_name(&both[0]), is_name(&both[1])) {
                (true, _) => &both[1],
                (_, true) => &both[0],
                _ => return Self::Pattern(pattern),
            };
        }
        match &pattern.kind {
            PatternKind::List(list) => Self::Rest(list, 0),
            PatternKind::String(text) => Self::Text(text),
            _ => Self::Pattern(pattern),
        }
    }

    fn shape(self) -> Shape<'p> {
        match self {
            Self::Rest(..) => Shape::Cons,
            Self::Text("") => Shape::Nil,
            Self::Text(_) => Shape::Cons,
            Self::Pattern(pattern) => match &pattern.kind {
                PatternKind::Wildcard | PatternKind::Var(_) => Shape::Any,
                PatternKind::Atom(atom) => Shape::Atom(*atom),
                PatternKind::Integer(n) => Shape::Small(*n),
                PatternKind::Char(c) => Shape::Small(i64::from(u32::from(*c))),
                PatternKind::Float(x) => Shape::Float(x.to_bits()),
                PatternKind::BigInteger(n) => Shape::Big(n),
                PatternKind::Nil => Shape::Nil,
                PatternKind::Tuple(items) => Shape::Tuple(items.len()),
                PatternKind::Binary(segments) if segments.is_empty() => Shape::EmptyBinary,
                PatternKind::Map(fields) => {
                    let keys: Option<Vec<CoverKey<'p>>> = fields.iter().map(|field| CoverKey::of(&field.key)).collect();
                    keys.map_or(Shape::Other, |mut keys| {
                        keys.sort_unstable();
                        Shape::Map(keys)
                    })
                }
                _ => Shape::Other,
            },
        }
    }

    /// Pushes the parts onto a stack, the first column on top.
    fn open(self, stack: &mut Vec<CompareStep<'p>>) {
        match self {
            Self::Text(text) => {
                let mut rest = text.chars();
                if let Some(first) = rest.next() {
                    stack.push(CompareStep::Column(Self::Text(rest.as_str())));
                    stack.push(CompareStep::Char(first));
                }
            }
            Self::Rest(list, at) => {
                stack.push(match (list.items.len() > at + 1, &list.tail) {
                    (true, _) => CompareStep::Column(Self::Rest(list, at + 1)),
                    (false, Some(tail)) => CompareStep::Column(Self::Pattern(tail)),
                    (false, None) => CompareStep::Column(Self::Text("")),
                });
                stack.push(CompareStep::Column(Self::Pattern(&list.items[at])));
            }
            Self::Pattern(pattern) => match &pattern.kind {
                PatternKind::Tuple(items) => {
                    stack.extend(items.iter().rev().map(|item| CompareStep::Column(Self::Pattern(item))));
                }
                PatternKind::Map(fields) => {
                    let mut fields: Vec<_> = fields.iter().collect();
                    fields.sort_by_key(|field| CoverKey::of(&field.key));
                    stack.extend(
                        fields
                            .iter()
                            .rev()
                            .map(|field| CompareStep::Column(Self::Pattern(&field.value))),
                    );
                }
                _ => {}
            },
        }
    }
}

/// What remains to be compared of a clause.
#[derive(Clone, Copy)]
enum CompareStep<'p> {
    Column(Column<'p>),
    /// A character of a string.
    Char(char),
}

impl<'p> CompareStep<'p> {
    fn bare(self) -> Self {
        match self {
            Self::Column(column) => Self::Column(column.bare()),
            Self::Char(_) => self,
        }
    }

    fn shape(self) -> Shape<'p> {
        match self {
            Self::Column(column) => column.shape(),
            Self::Char(c) => Shape::Small(i64::from(u32::from(c))),
        }
    }

    fn open(self, stack: &mut Vec<Self>) {
        if let Self::Column(column) = self {
            column.open(stack);
        }
    }
}

fn row<'p>(params: &'p [Pattern]) -> Vec<CompareStep<'p>> {
    params
        .iter()
        .rev()
        .map(|one| CompareStep::Column(Column::Pattern(one)))
        .collect()
}

/// Whether the first clause hides the last one; `between` are the clauses that separate them.
fn hides<'p>(first: &'p [Pattern], between: &[ClauseHead<'p>], last: &'p [Pattern]) -> bool {
    let (mut first, mut last) = (row(first), row(last));
    let mut between: Vec<Vec<CompareStep<'p>>> = between.iter().map(|(_, params, _)| row(params)).collect();
    while let Some(step) = first.pop() {
        let (one, Some(other)) = (step.bare(), last.pop().map(CompareStep::bare)) else {
            return false;
        };
        let shape = one.shape();
        let mut tops: Vec<CompareStep<'p>> = between.iter_mut().filter_map(Vec::pop).map(CompareStep::bare).collect();
        if shape == Shape::Any {
            let mixed = other.shape() != Shape::Any || tops.iter().any(|top| top.shape() != Shape::Any);
            if mixed {
                return first.iter().all(|step| step.bare().shape() == Shape::Any);
            }
            continue;
        }
        if shape == Shape::Other || other.shape() != shape || tops.iter().any(|top| top.shape() == Shape::Any) {
            return false;
        }
        one.open(&mut first);
        other.open(&mut last);
        let mut at = 0;
        between.retain_mut(|row| {
            let top = tops[at];
            at += 1;
            let stays = top.shape() == shape;
            if stays {
                top.open(row);
            }
            stays
        });
        tops.clear();
    }
    true
}

/// Whether no variable of the clause is compared: none occurs twice or is bound before.
fn is_linear(params: &[Pattern], bound: &dyn Fn(Atom) -> bool) -> bool {
    let mut met: Vec<Atom> = Vec::new();
    let mut next: Vec<&Pattern> = params.iter().collect();
    while let Some(pattern) = next.pop() {
        match &pattern.kind {
            PatternKind::Var(name) => {
                if bound(*name) || met.contains(name) {
                    return false;
                }
                met.push(*name);
            }
            PatternKind::Tuple(items) => next.extend(items),
            PatternKind::List(list) => next.extend(list.items.iter().chain(list.tail.as_deref())),
            PatternKind::Match(both) => next.extend(both.iter()),
            PatternKind::Map(fields) => next.extend(fields.iter().map(|field| &field.value)),
            _ => {}
        }
    }
    true
}

/// The constant that a pattern begins with, if any: a clause hides none that begins with a different constant, or with none.
fn beginning(pattern: &Pattern) -> Option<(bool, i64)> {
    let mut pattern = pattern;
    while let PatternKind::Tuple(items) = &pattern.kind {
        pattern = items.first()?;
    }
    match &pattern.kind {
        PatternKind::Atom(atom) => Some((true, i64::from(atom.index()))),
        PatternKind::Integer(n) => Some((false, *n)),
        PatternKind::Char(c) => Some((false, i64::from(u32::from(*c)))),
        _ => None,
    }
}

impl Linter<'_> {
    /// Warns of clauses hidden by an earlier one. `scoped`: variables that are bound here are compared.
    pub(super) fn hidden(&mut self, clauses: &[ClauseHead<'_>], scoped: bool) {
        let arity = clauses.first().map_or(0, |(_, params, _)| params.len());
        if !self.compares_clauses || clauses.len() < 2 || clauses.iter().any(|(_, params, _)| params.len() != arity) {
            return;
        }
        let scope = &self.scope;
        let bound = |name: Atom| scoped && scope.get(name).is_some();
        let mut by_beginning: FxHashMap<Option<(bool, i64)>, Vec<usize>> = FxHashMap::default();
        let (mut found, mut pairs) = (Vec::new(), 0);
        for (i, (loc, params, free)) in clauses.iter().enumerate() {
            let key = params.first().and_then(beginning);
            let mut hides = |at: &&usize| {
                let between = &clauses[**at + 1..i];
                pairs += 1 + between.len().min(BETWEEN);
                pairs <= PAIRS && between.len() <= BETWEEN && hides(clauses[**at].1, between, params)
            };
            let any = by_beginning.get(&None).and_then(|all| all.iter().find(&mut hides));
            let alike = key
                .and(by_beginning.get(&key))
                .and_then(|all| all.iter().find(&mut hides));
            if let Some(first) = any.into_iter().chain(alike).min() {
                found.push((clauses[*first].0, *loc));
            }
            if *free && is_linear(params, &bound) {
                by_beginning.entry(key).or_default().push(i);
            }
        }
        for (first, loc) in found {
            self.unreachable(first, std::iter::once(loc), None);
        }
    }
}
