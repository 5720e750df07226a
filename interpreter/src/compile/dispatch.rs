//! Clauses with many constant heads: one multi-way branch instead of a test for each.

use super::binary::first_byte;
use super::build::SwitchLabels;
use super::{Compiler, Label};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::{Instr, Reg};
use syntax::ast::*;

/// With fewer clauses, they are tested one by one.
const SWITCH_MIN: usize = 4;
/// As [`SWITCH_MIN`], for first bytes of binaries: such a test is expensive.
const SWITCH_BYTES_MIN: usize = 2;

/// The top-level constant of a pattern, if it can be used in a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TopKey {
    /// An atom, a small integer or `[]`, as word.
    Word(u64),
    /// A tuple of this arity that starts with this atom.
    Tag(u16, Atom),
    /// A list whose head is this word.
    Head(u64),
    /// A binary that starts with this byte.
    Byte(u8),
}

impl TopKey {
    fn word(self) -> u64 {
        match self {
            Self::Word(w) | Self::Head(w) => w,
            Self::Byte(byte) => Term::small(i64::from(byte)).0,
            Self::Tag(arity, atom) => u64::from(arity) << 40 | Term::atom(atom).0,
        }
    }
    /// Does a switch over this many of its kind pay?
    fn pays(self, count: usize) -> bool {
        let least = match self {
            Self::Byte(_) => SWITCH_BYTES_MIN,
            _ => SWITCH_MIN,
        };
        count >= least
    }
    fn same_kind(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// Consecutive clauses that share a switch.
struct ClauseRun {
    start: usize,
    end: usize,
    column: usize,
    keys: Vec<TopKey>,
    entries: Vec<Label>,
}

/// The order in which clauses are tried.
pub(super) struct Dispatch {
    /// By clause, and one for the failure of all.
    starts: Vec<Label>,
    runs: Vec<ClauseRun>,
}

impl Dispatch {
    /// The label for the case that nothing matches.
    pub(super) fn failure(&self) -> Label {
        *self.starts.last().expect("there is one more start than clauses")
    }
}

impl<'a> Compiler<'a> {
    /// Plans clauses whose patterns are the rows of `patterns`.
    pub(super) fn dispatch(&mut self, patterns: &[Vec<&'a Pattern>]) -> Dispatch {
        let starts = (0..=patterns.len()).map(|_| self.f.b.label()).collect();
        let columns = patterns.first().map_or(0, Vec::len);
        let mut runs: Vec<ClauseRun> = Vec::new();
        let mut at = 0;
        while at + SWITCH_BYTES_MIN <= patterns.len() {
            let best = (0..columns)
                .map(|column| {
                    let mut keys: Vec<TopKey> = Vec::new();
                    for row in &patterns[at..] {
                        match self.top_key(row[column]) {
                            Some(key) if keys.first().is_none_or(|f| f.same_kind(key)) => keys.push(key),
                            _ => break,
                        }
                    }
                    (keys, column)
                })
                .reduce(|a, b| if b.0.len() > a.0.len() { b } else { a });
            match best {
                Some((keys, column)) if keys.first().is_some_and(|key| key.pays(keys.len())) => {
                    let entries = keys.iter().map(|_| self.f.b.label()).collect();
                    let end = at + keys.len();
                    runs.push(ClauseRun {
                        start: at,
                        end,
                        column,
                        keys,
                        entries,
                    });
                    at = end;
                }
                _ => at += 1,
            }
        }
        Dispatch { starts, runs }
    }

    /// Begins clause `i`: returns the label to which it fails, and the column whose top level has already been tested. `None`: it is unreachable.
    pub(super) fn begin_clause(&mut self, d: &Dispatch, i: usize, regs: &[Reg]) -> Option<(Label, Option<usize>)> {
        let reachable = i == 0 || self.f.b.is_used(d.starts[i]);
        self.f.b.place(d.starts[i]);
        let Some(run) = d.runs.iter().find(|r| (r.start..r.end).contains(&i)) else {
            return reachable.then_some((d.starts[i + 1], None));
        };
        if i == run.start {
            if !reachable {
                return None;
            }
            let mut labels = SwitchLabels {
                cases: Vec::new(),
                default: Some(d.starts[run.end]),
            };
            for (key, &entry) in run.keys.iter().zip(&run.entries) {
                if !labels.cases.iter().any(|c| c.0 == key.word()) {
                    labels.cases.push((key.word(), entry));
                }
            }
            let table = self.new_switch(labels);
            let src = regs[run.column];
            let none = d.starts[run.end];
            let mark = self.f.next;
            let switch = match run.keys[0] {
                TopKey::Word(_) => Instr::Switch { src, table },
                TopKey::Tag(..) => Instr::SwitchTag { src, table },
                TopKey::Head(_) => {
                    let (head, _tail) = (self.temp(), self.temp());
                    self.f.b.branch(Instr::MatchCons { src, dst: head, to: 0 }, none);
                    Instr::Switch { src: head, table }
                }
                TopKey::Byte(_) => {
                    let (pos, byte) = (self.temp(), self.temp());
                    self.f.b.emit(Instr::BinaryStart { src, pos });
                    self.f.b.jump(none);
                    self.f.b.emit(Instr::BinaryByte { src, pos, dst: byte });
                    self.f.b.jump(none);
                    Instr::Switch { src: byte, table }
                }
            };
            self.f.b.emit(switch);
            self.f.next = mark;
        }
        let k = i - run.start;
        if !self.f.b.is_used(run.entries[k]) {
            return None;
        }
        self.f.b.place(run.entries[k]);
        let same = (k + 1..run.keys.len()).find(|&j| run.keys[j] == run.keys[k]);
        Some((same.map_or(d.starts[run.end], |j| run.entries[j]), Some(run.column)))
    }

    fn top_key(&mut self, p: &Pattern) -> Option<TopKey> {
        match &p.kind {
            PatternKind::Tuple(items) => match items.first()?.kind {
                PatternKind::Atom(name) => Some(TopKey::Tag(u16::try_from(items.len()).ok()?, name)),
                _ => None,
            },
            PatternKind::Record(r) => {
                let fields = self.records.get(&r.name)?.fields.len();
                Some(TopKey::Tag(u16::try_from(fields + 1).ok()?, r.name))
            }
            PatternKind::Match(both) => both.iter().find_map(|p| self.top_key(p)),
            PatternKind::List(list) => {
                let head = self.constant_pattern(list.items.first()?)?;
                head.is_immediate().then_some(TopKey::Head(head.0))
            }
            PatternKind::Append(both) => match &both[0].kind {
                PatternKind::String(prefix) => {
                    let first = prefix.chars().next()?;
                    Some(TopKey::Head(Term::small(first as i64).0))
                }
                _ => None,
            },
            PatternKind::Binary(segments) => first_byte(segments).map(TopKey::Byte),
            PatternKind::Atom(_) | PatternKind::Integer(_) | PatternKind::Char(_) | PatternKind::Nil => {
                let term = self.constant_pattern(p)?;
                term.is_immediate().then_some(TopKey::Word(term.0))
            }
            _ => None,
        }
    }

    /// Matches the rest of a pattern whose top-level key was used in the switch.
    pub(super) fn pattern_below_key(&mut self, p: &'a Pattern, src: Reg, fail: Label) {
        match &p.kind {
            PatternKind::Tuple(items) => self.match_elements(items, 1, src, fail),
            PatternKind::Record(r) => self.match_fields(r, p.loc, src, fail),
            PatternKind::Binary(segments) => self.match_behind_byte(segments, src, fail),
            PatternKind::List(_) | PatternKind::Append(_) => self.pattern(p, src, fail),
            PatternKind::Match(both) => {
                let [a, b] = &**both;
                if self.top_key(a).is_some() {
                    self.pattern_below_key(a, src, fail);
                    self.pattern(b, src, fail);
                } else {
                    self.pattern(a, src, fail);
                    self.pattern_below_key(b, src, fail);
                }
            }
            _ => {}
        }
    }
}
