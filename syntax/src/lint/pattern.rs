//! Patterns.

use crate::release::Feature;
use rustc_hash::FxHashMap;

use super::Linter;
use super::scope::{Added, Var, VariableUse};
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;
use crate::token::quoted_atom;

/// Patterns that are matched together: a variable new in one of them counts as repeated in the others.
pub(super) struct Head {
    /// Whether every variable is new and shadows those outside (funs, generators).
    shadows: bool,
    new: Vec<(Atom, Var)>,
    index: FxHashMap<Atom, usize>,
}

impl Head {
    pub(super) fn new(shadows: bool) -> Head {
        Head {
            shadows,
            new: Vec::new(),
            index: FxHashMap::default(),
        }
    }

    pub(super) fn is_new(&self, name: Atom) -> bool {
        self.index.contains_key(&name)
    }

    /// The new variables.
    pub(super) fn into_new(self) -> Added {
        self.new
    }
}

impl<'a> Linter<'a> {
    /// Checks patterns that are matched together and binds their new variables.
    pub(super) fn patterns(&mut self, patterns: impl IntoIterator<Item = &'a Pattern>) {
        let mut head = Head::new(false);
        for pattern in patterns {
            self.pattern(pattern, &mut head);
        }
        for (name, var) in head.into_new() {
            self.scope.bind(name, var);
        }
    }

    /// Like [`Linter::patterns`], for a fun's head or a generator (`what`): variables shadow those outside.
    pub(super) fn shadowing_patterns(&mut self, patterns: impl IntoIterator<Item = &'a Pattern>, what: &str) {
        let mut head = Head::new(true);
        for pattern in patterns {
            self.pattern(pattern, &mut head);
        }
        for (name, var) in head.into_new() {
            self.warn_shadowed(name, var.sites[0], what);
            self.scope.bind(name, var);
        }
    }

    pub(super) fn warn_shadowed(&mut self, name: Atom, site: usize, what: &str) {
        if self
            .scope
            .get(name)
            .is_some_and(|var| !matches!(var.state, VariableUse::Unsafe(..)))
        {
            let loc = self.scope.sites[site].loc;
            self.warn(loc, format!("variable {} shadowed in {what}", quoted_atom(name)));
        }
    }

    pub(super) fn pattern(&mut self, pattern: &'a Pattern, head: &mut Head) {
        with_stack(|| self.pattern_here(pattern, head));
    }

    fn pattern_here(&mut self, pattern: &'a Pattern, head: &mut Head) {
        match &pattern.kind {
            PatternKind::Wildcard
            | PatternKind::Atom(_)
            | PatternKind::Integer(_)
            | PatternKind::BigInteger(_)
            | PatternKind::Float(_)
            | PatternKind::Char(_)
            | PatternKind::String(_)
            | PatternKind::Nil => {}
            PatternKind::Const(constant) => {
                // The parser has reported all else.
                if constant.value.is_none() && crate::parse::is_constant(&constant.expr) {
                    self.error(pattern.loc, "illegal pattern");
                }
            }
            PatternKind::Var(name) => self.pattern_var(*name, pattern.loc, head),
            PatternKind::List(list) => {
                list.items.iter().for_each(|item| self.pattern(item, head));
                list.tail.iter().for_each(|tail| self.pattern(tail, head));
            }
            PatternKind::Tuple(items) => items.iter().for_each(|item| self.pattern(item, head)),
            PatternKind::Map(fields) => {
                for field in fields {
                    self.guard_expr(&field.key);
                    self.pattern(&field.value, head);
                }
            }
            PatternKind::Record(record) => self.record_pattern(pattern.loc, record, head),
            PatternKind::RecordIndex(index) => {
                if self.record(pattern.loc, index.name) {
                    self.field(index.name, index.field);
                }
            }
            PatternKind::Binary(segments) => self.binary_pattern(segments, head),
            PatternKind::Match(both) => {
                self.pattern(&both[0], head);
                self.pattern(&both[1], head);
                self.reject_alias(&both[0], &both[1]);
            }
            PatternKind::Append(both) => self.pattern(&both[1], head),
        }
    }

    pub(super) fn pattern_var(&mut self, name: Atom, loc: Loc, head: &mut Head) {
        if let Some(&index) = head.index.get(&name) {
            let sites = head.new[index].1.sites.clone();
            self.scope.use_sites(&sites);
            if name.as_str().starts_with('_') {
                self.warn(
                    loc,
                    format!(
                        "variable {} is bound multiple times in this pattern. If you mean to ignore this value, use '_' or a different \
                         underscore-prefixed name",
                        quoted_atom(name)
                    ),
                );
            }
            return;
        }
        let known = if head.shadows {
            None
        } else {
            self.scope.get(name).map(|var| var.state)
        };
        match known {
            None => {
                if self.in_record_default {
                    self.error(loc, format!("variable {} in record definition", quoted_atom(name)));
                }
                let site = self.scope.new_site(name, loc);
                head.index.insert(name, head.new.len());
                head.new.push((
                    name,
                    Var {
                        state: VariableUse::Bound,
                        sites: vec![site],
                    },
                ));
            }
            Some(state) => {
                self.scope.touch(name);
                self.scope.set_state(name, VariableUse::Bound);
                match state {
                    VariableUse::Unsafe(what, place) => self.unsafe_var(name, loc, what, place),
                    VariableUse::Exported(what, place) => self.exported_var(name, loc, what, place),
                    VariableUse::Bound | VariableUse::StackTrace => {
                        if name.as_str().starts_with('_') {
                            self.warn(
                                loc,
                                format!(
                                    "variable {} is already bound. If you mean to ignore this value, use '_' or a different \
                                     underscore-prefixed name",
                                    quoted_atom(name)
                                ),
                            );
                        }
                    }
                }
            }
        }
    }

    fn record_pattern(&mut self, loc: Loc, record: &'a RecordPattern, head: &mut Head) {
        if !self.record(loc, record.name) {
            return;
        }
        self.field_names(record.name, &record.fields);
        let fields = &record.fields;
        if let Some(wildcard) = fields.iter().find(|field| field.is_wildcard) {
            let named = fields.iter().filter(|field| !field.is_wildcard).count();
            if named >= self.records[&record.name].def.fields.len() {
                self.error(wildcard.name.loc, "'_' initializes no omitted fields");
            }
        }
        for field in fields {
            self.pattern(&field.value, head);
        }
    }

    /// Checks that fields exist and occur once.
    pub(super) fn field_names<T>(&mut self, record: Atom, fields: &[RecordField<T>]) {
        let mut seen: Vec<Atom> = Vec::new();
        for field in fields {
            let Name { loc, atom } = field.name;
            if seen.contains(&atom) {
                match field.is_wildcard {
                    true => self.error(loc, "'_' initializes no omitted fields"),
                    false => self.error(
                        loc,
                        format!(
                            "field {} already defined in record {}",
                            quoted_atom(atom),
                            quoted_atom(record)
                        ),
                    ),
                }
                continue;
            }
            seen.push(atom);
            if !field.is_wildcard {
                self.field(record, field.name);
            }
        }
    }

    fn binary_pattern(&mut self, segments: &'a [Segment<Pattern>], head: &mut Head) {
        let outer = std::mem::take(&mut self.scope.segment_vars);
        for (index, segment) in segments.iter().enumerate() {
            if let Some(size) = &segment.size {
                self.guard_expr(size);
            }
            self.pattern(&segment.value, head);
            if let PatternKind::Var(name) = segment.value.kind {
                let sites = match head.index.get(&name) {
                    Some(&index) => head.new[index].1.sites.clone(),
                    None => self.scope.get(name).map(|var| var.sites.clone()).unwrap_or_default(),
                };
                self.scope.segment_vars.push((name, sites));
            }
            let takes_all = segment.size.is_none()
                && segment.spec.ty == SegmentType::Binary
                && !matches!(segment.value.kind, PatternKind::String(_));
            if takes_all && index + 1 < segments.len() {
                self.error(
                    segment.loc,
                    "a binary field without size is only allowed at the end of a binary pattern",
                );
            }
        }
        self.scope.segment_vars = outer;
    }

    /// `<<…>> = <<…>>` in one pattern, also inside tuples and lists: `erl_lint:reject_invalid_alias/4`.
    fn reject_alias(&mut self, left: &Pattern, right: &Pattern) {
        with_stack(|| match (&left.kind, &right.kind) {
            (PatternKind::Binary(_), PatternKind::Binary(_)) => {
                if self.module.language.is_of(Feature::ParallelBinaries) {
                    return;
                }
                self.error(left.loc, "binary patterns cannot be matched in parallel using '='");
            }
            (PatternKind::Tuple(a), PatternKind::Tuple(b)) => {
                a.iter().zip(b).for_each(|(a, b)| self.reject_alias(a, b))
            }
            (PatternKind::List(a), PatternKind::List(b)) => {
                a.items.iter().zip(&b.items).for_each(|(a, b)| self.reject_alias(a, b));
                if let (Some(x), Some(y), true) = (&a.tail, &b.tail, a.items.len() == b.items.len()) {
                    self.reject_alias(x, y);
                }
            }
            (PatternKind::Record(a), PatternKind::Record(b)) if a.name == b.name => {
                for field in &a.fields {
                    if let Some(other) = b.fields.iter().find(|other| other.name.atom == field.name.atom) {
                        self.reject_alias(&field.value, &other.value);
                    }
                }
            }
            (PatternKind::Match(both), _) => both.iter().for_each(|part| self.reject_alias(part, right)),
            (_, PatternKind::Match(both)) => both.iter().for_each(|part| self.reject_alias(left, part)),
            _ => {}
        });
    }

    /// `P1 = P2 = E`: the patterns of a chain are matched with one value.
    pub(super) fn reject_alias_chain(&mut self, pattern: &Pattern, mut value: &Expr) {
        while let ExprKind::Match(next) = &value.kind {
            self.reject_alias(pattern, &next.pattern);
            value = &next.value;
        }
    }
}
