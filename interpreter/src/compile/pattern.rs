//! Patterns: tests and bindings, left to right.

use super::{Compiler, Label};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::{Instr, Reg, TypeTest};
use syntax::ast::*;
use syntax::stack::with_stack;

impl<'a> Compiler<'a> {
    /// Matches the value in `src`: binds variables, or jumps to `fail`.
    pub(super) fn pattern(&mut self, p: &'a Pattern, src: Reg, fail: Label) {
        with_stack(|| {
            let mark = self.f.next;
            self.pattern_kind(p, src, fail);
            self.f.next = mark;
        });
    }

    fn pattern_kind(&mut self, p: &'a Pattern, src: Reg, fail: Label) {
        match &p.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(name) => self.match_variable(*name, src, fail),
            PatternKind::List(list) => self.match_list(list, src, fail),
            PatternKind::Tuple(items) => self.match_tuple(items, src, fail),
            PatternKind::Map(fields) => self.match_map(fields, src, fail),
            PatternKind::Record(r) => self.match_record(r, p.loc, src, fail),
            PatternKind::Binary(segments) => self.match_binary(segments, src, fail),
            PatternKind::Match(both) => both.iter().for_each(|p| self.pattern(p, src, fail)),
            PatternKind::Append(both) => self.match_append(both, src, fail),
            PatternKind::RecordIndex(_) | PatternKind::Const(_) => match self.constant_pattern(p) {
                Some(term) => self.not_constant(src, term, fail),
                None => self.f.b.jump(fail),
            },
            _ => {
                let term = self.constant_pattern(p).expect("the other patterns are constants");
                self.not_constant(src, term, fail);
            }
        }
    }

    fn match_variable(&mut self, name: Atom, src: Reg, fail: Label) {
        if name == Atom::WILDCARD {
            return;
        }
        match self.var(name) {
            Some(reg) => self.f.b.branch(Instr::NotSame { a: src, b: reg, to: 0 }, fail),
            None => {
                let home = self.home(name);
                self.touch(home);
                self.f.b.mov(home, src);
                self.bind(name, home);
            }
        }
    }

    /// The register that a part goes to: the variable's own if it is a new variable; else a temporary.
    fn part_register(&mut self, p: &Pattern) -> Reg {
        match p.kind {
            PatternKind::Var(name) if name != Atom::WILDCARD && self.var(name).is_none() => self.home(name),
            _ => self.temp(),
        }
    }

    /// Matches the part in `reg`, the register that [`Compiler::part_register`] returned.
    fn match_part(&mut self, p: &'a Pattern, reg: Reg, fail: Label) {
        match p.kind {
            PatternKind::Var(name)
                if name != Atom::WILDCARD && self.f.home_regs.get(&name) == Some(&reg) && self.var(name).is_none() =>
            {
                self.touch(reg);
                self.bind(name, reg);
            }
            _ => self.pattern(p, reg, fail),
        }
    }

    fn match_list(&mut self, list: &'a List<Pattern>, src: Reg, fail: Label) {
        let outer = self.f.next;
        let mut at = src;
        for (i, item) in list.items.iter().enumerate() {
            let last = i + 1 == list.items.len();
            let rest = if last { list.tail.as_deref() } else { None };
            let head_unused = is_wildcard(item);
            let tail_unused = last && rest.is_some_and(is_wildcard);
            if head_unused && tail_unused {
                self.f.b.branch(Instr::NotCons { src: at, to: 0 }, fail);
                break;
            }
            let mut head = if head_unused {
                self.temp()
            } else {
                self.part_register(item)
            };
            let mut tail = match rest {
                Some(rest) if !tail_unused => self.part_register(rest),
                _ => self.temp(),
            };
            if rest.is_some_and(|r| same_new_variable(item, r)) {
                // `[X | X]`: the second occurrence is compared.
                tail = self.temp();
            }
            if head + 1 == tail {
                self.touch(tail);
                self.f.b.branch(
                    Instr::MatchCons {
                        src: at,
                        dst: head,
                        to: 0,
                    },
                    fail,
                );
            } else {
                self.touch(head.max(tail));
                self.f.b.branch(Instr::NotCons { src: at, to: 0 }, fail);
                if head == at {
                    head = self.temp();
                }
                self.f.b.emit(Instr::GetList { src: at, head, tail });
            }
            if !head_unused {
                self.match_part(item, head, fail);
            }
            match rest {
                Some(rest) if !tail_unused => self.match_part(rest, tail, fail),
                Some(_) => {}
                None if last => self.f.b.branch(Instr::NotNil { src: tail, to: 0 }, fail),
                None => {}
            }
            at = tail;
        }
        self.f.next = outer;
    }

    fn match_tuple(&mut self, items: &'a [Pattern], src: Reg, fail: Label) {
        let Ok(arity) = u16::try_from(items.len()) else {
            return self.f.b.jump(fail);
        };
        let mut from = 0;
        match items.first().map(|p| &p.kind) {
            Some(PatternKind::Atom(name)) => {
                self.not_tagged(src, items.len(), *name, fail);
                from = 1;
            }
            _ => self.f.b.branch(Instr::NotTuple { src, arity, to: 0 }, fail),
        }
        self.match_elements(items, from, src, fail);
    }

    /// Matches the elements from `from` on of a tuple that was tested. Constants first: they fail early and bind nothing.
    pub(super) fn match_elements(&mut self, items: &'a [Pattern], from: usize, src: Reg, fail: Label) {
        for (i, p) in items.iter().enumerate().skip(from) {
            if !matches!(p.kind, PatternKind::Wildcard | PatternKind::Var(_))
                && let Some(term) = self.constant_pattern(p)
            {
                let mark = self.f.next;
                let t = self.temp();
                self.f.b.element(t, src, i as u16);
                self.not_constant(t, term, fail);
                self.f.next = mark;
            }
        }
        for (i, p) in items.iter().enumerate().skip(from) {
            if is_wildcard(p) || self.is_constant_pattern(p) {
                continue;
            }
            let mark = self.f.next;
            let reg = self.part_register(p);
            self.touch(reg);
            self.f.b.element(reg, src, i as u16);
            self.match_part(p, reg, fail);
            self.f.next = mark;
        }
    }

    fn is_constant_pattern(&mut self, p: &Pattern) -> bool {
        match &p.kind {
            PatternKind::Const(c) => c.value.is_some(),
            PatternKind::Atom(_)
            | PatternKind::Integer(_)
            | PatternKind::BigInteger(_)
            | PatternKind::Float(_)
            | PatternKind::Char(_)
            | PatternKind::String(_)
            | PatternKind::Nil
            | PatternKind::RecordIndex(_) => true,
            _ => false,
        }
    }

    fn match_record(&mut self, r: &'a RecordPattern, loc: Loc, src: Reg, fail: Label) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        self.not_tagged(src, def.fields.len() + 1, r.name, fail);
        self.match_fields(r, loc, src, fail);
    }

    /// Matches the fields of a record whose tag was tested.
    pub(super) fn match_fields(&mut self, r: &'a RecordPattern, loc: Loc, src: Reg, fail: Label) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        self.check_fields(def, r.fields.iter().filter(|f| !f.is_wildcard).map(|f| f.name));
        let wildcard = r.fields.iter().find(|f| f.is_wildcard);
        for (index, field) in (1..).zip(&def.fields) {
            let written = r.fields.iter().find(|f| !f.is_wildcard && f.name.atom == field.name);
            let Some(p) = written.or(wildcard).map(|f| &f.value) else {
                continue;
            };
            if is_wildcard(p) {
                continue;
            }
            let mark = self.f.next;
            let reg = self.part_register(p);
            self.touch(reg);
            self.f.b.element(reg, src, index);
            self.match_part(p, reg, fail);
            self.f.next = mark;
        }
    }

    fn match_map(&mut self, fields: &'a [MapFieldPattern], src: Reg, fail: Label) {
        self.f.b.branch(
            Instr::NotType {
                src,
                ty: TypeTest::Map,
                to: 0,
            },
            fail,
        );
        self.f.segment_names.clear();
        for field in fields {
            let mark = self.f.next;
            let outer = self.f.guard.replace(fail);
            let start = self.f.b.position();
            let key = self.in_head(|c| c.operand(&field.key));
            if !matches!(field.key.kind, ExprKind::Var(_)) && self.literal(&field.key).is_none() {
                self.f.b.protect(start, fail, 0);
            }
            self.f.guard = outer;
            let reg = if is_wildcard(&field.value) {
                self.temp()
            } else {
                self.part_register(&field.value)
            };
            self.touch(reg);
            self.f.b.emit(Instr::MapGet {
                map: src,
                key,
                dst: reg,
            });
            self.f.b.jump(fail);
            if !is_wildcard(&field.value) {
                self.match_part(&field.value, reg, fail);
            }
            self.f.next = mark;
        }
    }

    /// `Prefix ++ Tail`.
    fn match_append(&mut self, both: &'a [Pattern; 2], src: Reg, fail: Label) {
        let [prefix, tail] = both;
        let mut at = src;
        let items: Vec<Term> = match &prefix.kind {
            PatternKind::String(s) => s.chars().map(|c| Term::small(c as i64)).collect(),
            PatternKind::List(list) => list.items.iter().filter_map(|p| self.constant_pattern(p)).collect(),
            _ => Vec::new(),
        };
        // Two pairs of registers, used alternately, so that a long prefix needs few.
        let pairs = [self.temp(), self.temp(), self.temp(), self.temp()];
        for (i, term) in items.into_iter().enumerate() {
            let head = pairs[i % 2 * 2];
            self.f.b.branch(
                Instr::MatchCons {
                    src: at,
                    dst: head,
                    to: 0,
                },
                fail,
            );
            self.not_constant(head, term, fail);
            at = head + 1;
        }
        self.pattern(tail, at, fail);
    }
}

/// Does the pattern match everything and bind nothing?
pub(super) fn is_wildcard(p: &Pattern) -> bool {
    matches!(p.kind, PatternKind::Wildcard | PatternKind::Var(Atom::WILDCARD))
}

fn same_new_variable(a: &Pattern, b: &Pattern) -> bool {
    matches!((&a.kind, &b.kind), (PatternKind::Var(a), PatternKind::Var(b)) if a == b)
}
