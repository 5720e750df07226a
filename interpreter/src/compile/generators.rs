//! The generators of comprehensions: the values that they run over, and one turn of them, in which each gives an element, skips one, or is at its end.

use super::scope::BodyKey;
use super::{Compiler, Dest, Label};
use crate::atom::Atom;
use crate::vm::instr::{FailKind, Instr, Reg};
use syntax::ast::*;

/// A pseudo-variable that no program can name.
pub(super) fn hidden(kind: &str, depth: usize) -> Atom {
    Atom::new(&format!("-{kind}-{depth}-"))
}

impl<'a> Compiler<'a> {
    /// The values that generators run over, in registers from `first` on. Gives the register behind them, which is the next free one.
    pub(super) fn generator_values(&mut self, q: &'a Qualifier, first: Reg) -> Reg {
        let mut to = first;
        for generator in q.generators() {
            self.f.next = to;
            self.touch(to);
            self.generator_value(generator, to);
            to += 1;
        }
        self.f.next = to;
        to
    }

    /// The value that a generator runs over. Of a map or an iterator, these are its pairs; anything else fails as a generator.
    fn generator_value(&mut self, generator: &'a Generator, to: Reg) {
        self.expr(&generator.expr, Dest::To(to));
        if !matches!(generator.element, Element::Map { .. }) {
            return;
        }
        self.f.next = to + 1;
        let pairs = self.temp();
        self.f.b.at(generator.loc);
        self.native_or_call(Atom::MAPS, Atom::new("$pairs"), &[to], Dest::To(pairs));
        let bad = self.fail_stub(FailKind::BadGenerator, to, generator.expr.loc);
        let no = Atom::FALSE.index() as u16;
        self.f.b.branch(
            Instr::IsAtom {
                src: pairs,
                atom: no,
                to: 0,
            },
            bad,
        );
        self.f.b.mov(to, pairs);
    }

    /// Takes the next element apart. Then its variables and the rests are bound.
    pub(super) fn each(&mut self, loc: Loc, q: &'a Qualifier, at: usize) -> Each {
        let d = Each {
            skip: self.f.b.label(),
            end: self.f.b.label(),
            bad: self.f.b.label(),
        };
        match q {
            Qualifier::Generator(generator) => {
                let head = self.temp();
                let tail = self.temp();
                // The scope stays open to the end of the function.
                let _ = self.open(body_key(q));
                self.f.b.at(loc);
                self.one(generator, head, tail, at, d);
            }
            Qualifier::Zip(_, generators) => self.all(generators, q, loc, at, d),
            Qualifier::Filter(_) => {}
        }
        d
    }

    fn one(&mut self, generator: &'a Generator, head: Reg, tail: Reg, at: usize, d: Each) {
        let rest = rest_of(at, 0);
        let value = generator.expr.loc;
        match &generator.element {
            Element::Binary(pattern) => {
                let Some(segments) = self.binary_pattern(pattern) else {
                    return;
                };
                let bad = self.fail_stub(FailKind::BadGenerator, 1, value);
                self.f.b.emit(Instr::BinaryStart { src: 1, pos: head });
                self.f.b.jump(bad);
                self.segments(segments, 1, head, d.skip);
                self.rest_of_binary(1, head, tail, d.skip);
                self.bind(rest, tail);
            }
            element => {
                let to = 0;
                self.f.b.branch(Instr::MatchCons { src: 1, dst: head, to }, d.end);
                self.bind(rest, tail);
                let skip = if generator.strict {
                    self.fail_stub(FailKind::Badmatch, head, generator.loc)
                } else {
                    d.skip
                };
                self.take_apart(element, head, skip);
            }
        }
    }

    /// Matches an element of a list, or a pair of a map.
    fn take_apart(&mut self, element: &'a Element, src: Reg, fail: Label) {
        match element {
            Element::Map { pair, .. } => {
                // Elements are pairs that the compiler made.
                for (p, index) in pair.iter().zip(0..) {
                    let dst = self.temp();
                    self.f.b.emit(Instr::Element { dst, src, index });
                    self.pattern(p, dst, fail);
                }
            }
            Element::List(p) | Element::Binary(p) => self.pattern(p, src, fail),
        }
    }

    fn binary_pattern(&mut self, pattern: &'a Pattern) -> Option<&'a [Segment<Pattern>]> {
        match &pattern.kind {
            PatternKind::Binary(segments) => Some(segments),
            _ => {
                self.refuse(pattern.loc, "the pattern of a binary generator is a binary");
                None
            }
        }
    }

    /// A turn of several generators: all have an element, or none. What a strict one does not match fails, then what another does not
    /// match is skipped.
    fn all(&mut self, generators: &'a [Generator], q: &'a Qualifier, loc: Loc, at: usize, d: Each) {
        let cells: Vec<Reg> = generators
            .iter()
            .map(|_| {
                let head = self.temp();
                self.temp();
                head
            })
            .collect();
        let _ = self.open(body_key(q));
        self.f.b.at(loc);
        for (i, (generator, &head)) in generators.iter().zip(&cells).enumerate() {
            let src = i as Reg + 1;
            // What follows one that has an element must have one, too.
            let none = if i == 0 { d.end } else { d.bad };
            match &generator.element {
                Element::Binary(pattern) => {
                    let Some(segments) = self.binary_pattern(pattern) else {
                        return;
                    };
                    self.f.b.emit(Instr::BinaryStart { src, pos: head });
                    self.f.b.jump(d.bad);
                    self.skip_over(pattern, segments, src, head, none);
                    self.rest_of_binary(src, head, head + 1, none);
                }
                _ => self.f.b.branch(Instr::MatchCons { src, dst: head, to: 0 }, none),
            }
            self.bind(rest_of(at, i), head + 1);
        }
        for strict in [true, false] {
            let fail = if strict { d.bad } else { d.skip };
            for (i, generator) in generators.iter().enumerate().filter(|(_, g)| g.strict == strict) {
                let head = cells[i];
                match &generator.element {
                    Element::Binary(pattern) => {
                        let Some(segments) = self.binary_pattern(pattern) else {
                            return;
                        };
                        let src = i as Reg + 1;
                        self.f.b.emit(Instr::BinaryStart { src, pos: head });
                        self.f.b.jump(d.bad);
                        self.segments(segments, src, head, fail);
                    }
                    element => self.take_apart(element, head, fail),
                }
            }
        }
    }

    /// Moves a position behind an element of a binary, or goes to `none`. Variables of the pattern may be needed as sizes meanwhile.
    fn skip_over(&mut self, pattern: &Pattern, segments: &'a [Segment<Pattern>], src: Reg, pos: Reg, none: Label) {
        let mut names = Vec::new();
        super::scope::pattern_names(pattern, &mut names);
        for name in names {
            if let Some((_, handle)) = self.f.vars.remove(&name) {
                self.f.b.forget(handle);
            }
        }
        let vars = self.f.log.len();
        self.skip_segments(segments, src, pos, none);
        self.forget_since(vars);
    }

    /// What did not match was skipped: finds the rest of a binary. False if there can be no next turn, as a strict generator was at its end.
    pub(super) fn restart(&mut self, q: &'a Qualifier, at: usize, end: Label) -> bool {
        let Qualifier::Generator(generator) = q else {
            return true;
        };
        let Element::Binary(pattern) = &generator.element else {
            return true;
        };
        let PatternKind::Binary(segments) = &pattern.kind else {
            return true;
        };
        if generator.strict {
            let bad = self.fail_stub(FailKind::Badmatch, 1, generator.loc);
            self.unless_empty(1, bad);
            return false;
        }
        let tail = self.var(rest_of(at, 0)).expect("bound by the generator");
        let pos = self.temp();
        self.f.b.emit(Instr::BinaryStart { src: 1, pos });
        self.f.b.jump(end);
        self.skip_over(pattern, segments, 1, pos, end);
        self.rest_of_binary(1, pos, tail, end);
        true
    }

    /// Goes to `to` unless this is the empty bitstring.
    fn unless_empty(&mut self, src: Reg, to: Label) {
        let b = self.temp();
        let empty = super::literal::bitstring(&mut self.unit.heap, &[], 0);
        self.load(b, empty);
        self.f.b.branch(Instr::NotSame { a: src, b, to: 0 }, to);
    }

    /// Fails if a generator is not at its proper end; of several, if not all are, where the first is.
    pub(super) fn end_check(&mut self, q: &'a Qualifier, bad: Label) {
        match q {
            Qualifier::Filter(_) => {}
            Qualifier::Generator(generator) => {
                if !matches!(generator.element, Element::Binary(_)) {
                    let bad = self.fail_stub(FailKind::BadGenerator, 1, generator.expr.loc);
                    self.f.b.branch(Instr::NotNil { src: 1, to: 0 }, bad);
                }
            }
            Qualifier::Zip(_, generators) => {
                for (generator, src) in generators.iter().zip(1..) {
                    let Element::Binary(pattern) = &generator.element else {
                        self.f.b.branch(Instr::NotNil { src, to: 0 }, bad);
                        continue;
                    };
                    if src == 1 && generator.strict {
                        self.unless_empty(src, bad);
                    } else if src > 1
                        && let Some(segments) = self.binary_pattern(pattern)
                    {
                        let over = self.f.b.label();
                        let pos = self.temp();
                        self.f.b.emit(Instr::BinaryStart { src, pos });
                        self.f.b.jump(bad);
                        self.skip_over(pattern, segments, src, pos, over);
                        self.f.b.jump(bad);
                        self.f.b.place(over);
                    }
                }
            }
        }
    }

    /// The failure of several generators, with what is left of each.
    pub(super) fn bad_generators(&mut self, q: &'a Qualifier, bad: Label) {
        let Qualifier::Zip(loc, generators) = q else {
            return self.f.b.place(bad);
        };
        self.f.b.place(bad);
        self.f.b.at(*loc);
        let mut left = Vec::new();
        for (generator, src) in generators.iter().zip(1..) {
            let dst = self.temp();
            self.f.b.mov(dst, src);
            left.push(dst);
            match &generator.element {
                Element::List(_) => {}
                Element::Map { .. } => {
                    self.native_or_call(Atom::MAPS, Atom::new("from_list"), &[src], Dest::To(dst));
                }
                Element::Binary(pattern) => {
                    let Some(segments) = self.binary_pattern(pattern) else {
                        return;
                    };
                    // What is no whole element counts as nothing.
                    let (none, over) = (self.f.b.label(), self.f.b.label());
                    let pos = self.temp();
                    self.f.b.emit(Instr::BinaryStart { src, pos });
                    self.f.b.jump(over);
                    self.skip_over(pattern, segments, src, pos, none);
                    self.f.b.jump(over);
                    self.f.b.place(none);
                    let empty = super::literal::bitstring(&mut self.unit.heap, &[], 0);
                    self.load(dst, empty);
                    self.f.b.place(over);
                }
            }
        }
        let src = self.temp();
        self.tuple(&left, Dest::To(src));
        let kind = FailKind::BadGenerators;
        self.f.b.at(*loc);
        self.f.b.emit(Instr::Fail { kind, src });
    }
}

/// The labels of a turn besides its body.
#[derive(Clone, Copy)]
pub(super) struct Each {
    /// The element does not match.
    pub(super) skip: Label,
    /// There is no element.
    pub(super) end: Label,
    /// Of several generators not all have an element, or a strict one does not match.
    pub(super) bad: Label,
}

/// The pseudo-variables that hold what follows the element of each generator.
pub(super) fn rests(q: &Qualifier, at: usize) -> Vec<Atom> {
    (0..q.generators().len()).map(|i| rest_of(at, i)).collect()
}

fn rest_of(at: usize, i: usize) -> Atom {
    match i {
        0 => hidden("rest", at),
        _ => hidden(&format!("rest-{at}"), i),
    }
}

/// Does the pattern match everything, whether or not it binds it?
pub(super) fn is_anything(p: &Pattern) -> bool {
    match &p.kind {
        PatternKind::Var(_) | PatternKind::Wildcard => true,
        PatternKind::Match(both) => both.iter().all(is_anything),
        _ => false,
    }
}

pub(super) fn body_key(q: &Qualifier) -> BodyKey {
    std::ptr::from_ref(q) as BodyKey
}
