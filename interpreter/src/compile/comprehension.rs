//! Comprehensions: every generator is a local function, named and called as in OTP, so that stack traces agree.

use super::call::Captured;
use super::generators::{body_key, hidden, is_anything, rests};
use super::names::generator_key;
use super::scope::{FreeNames, Walker};
use super::{Compiler, Dest, Label};
use crate::atom::Atom;
use crate::term::Term;
use crate::vm::instr::{FailKind, Instr, Reg, TypeTest};
use syntax::ast::*;
use syntax::stack::with_stack;

/// The result of a comprehension.
#[derive(Clone, Copy)]
enum Template<'a> {
    List(&'a Expr),
    /// A list that is not used: as in OTP's compiler, the elements are evaluated and every turn is a tail call.
    Unwanted(&'a Expr),
    /// A bitstring, and is it wanted?
    Binary(&'a Expr, bool),
    Map(&'a Expr, &'a Expr),
}

/// The list after the elements made so far; only for lists, which are made front to back.
#[derive(Clone)]
enum More {
    /// Nothing follows.
    Nil,
    /// The next turn of this function: with the rests of its generators, in these pseudo-variables, and these captured variables.
    Turn {
        function: u32,
        rests: Vec<Atom>,
        captured: Vec<Atom>,
    },
}

impl<'a> Template<'a> {
    fn results(self) -> Vec<&'a Expr> {
        match self {
            Self::List(e) | Self::Unwanted(e) | Self::Binary(e, _) => vec![e],
            Self::Map(k, v) => vec![k, v],
        }
    }
    fn name(self) -> &'static str {
        match self {
            Self::List(_) | Self::Unwanted(_) => "lc",
            Self::Binary(..) => "lbc",
            Self::Map(..) => "mc",
        }
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn list_comprehension(&mut self, e: &'a Expr, c: &'a Comprehension, dst: Dest) {
        let template = if dst == Dest::Effect {
            Template::Unwanted(&c.template)
        } else {
            Template::List(&c.template)
        };
        self.list_part(e.loc, &c.qualifiers, 0, template, &More::Nil, dst);
    }

    pub(super) fn binary_comprehension(&mut self, e: &'a Expr, c: &'a Comprehension, dst: Dest) {
        // As a result it is a tail call of the first generator's function.
        let first = c.qualifiers.first().filter(|q| !q.is_filter());
        if let (Dest::Tail, Some(generator)) = (dst, first) {
            let base = self.f.next;
            let list = base + 1;
            self.touch(list + 1);
            let acc = self.generator_values(generator, list);
            let empty = super::literal::bitstring(&mut self.unit.heap, &[], 0);
            self.load(acc, empty);
            self.f.next = acc + 1;
            self.touch(self.f.next);
            self.size_first(e.loc, &c.qualifiers, &c.template, list);
            self.f.next = base;
            let (function, captured) =
                self.fold_generator(e.loc, &c.qualifiers, 0, Template::Binary(&c.template, true));
            self.f.next = base;
            let args: Vec<(Reg, Reg)> = (list..=acc).map(|reg| (reg, reg)).collect();
            return self.call_local(e.loc, function, &args, &captured, acc - base + 1, dst);
        }
        let empty = super::literal::bitstring(&mut self.unit.heap, &[], 0);
        let acc = self.temp();
        self.load(acc, empty);
        let template = Template::Binary(&c.template, dst != Dest::Effect);
        self.fold_part(e.loc, &c.qualifiers, 0, template, acc);
        self.give(dst, acc);
    }

    /// If the shape of the code allows it, OTP computes the size of a binary comprehension first. A generator that is not a proper list then
    /// fails as a whole, before the first element and in this function, even if none of its elements would be needed. [`beam_ssa_bc_size`]
    fn size_first(&mut self, loc: Loc, qs: &'a [Qualifier], template: &'a Expr, first: Reg) {
        let mut bound = Vec::new();
        let mut lists = vec![first];
        // Of a bitstring whose parts have a known size it is not the length that counts.
        if let [
            Qualifier::Generator(Generator {
                strict: false,
                element: Element::Binary(pattern),
                expr,
                ..
            }),
        ] = qs
            && let PatternKind::Binary(parts) = &pattern.kind
        {
            // An argument of this function goes on as it is: the function of the comprehension is the first that looks at it.
            if let ExprKind::Var(name) = &expr.kind
                && self.var(*name).is_some_and(|register| register <= self.f.arity)
            {
                return;
            }
            let mut fixed = |size: &'a Option<Box<Expr>>, ty: SegmentType| match (size, ty) {
                (None, SegmentType::Integer | SegmentType::Float) => true,
                (Some(size), SegmentType::Integer | SegmentType::Float | SegmentType::Binary) => {
                    self.literal(size).is_some()
                }
                _ => false,
            };
            let is_plain = |part: &Pattern| matches!(part.kind, PatternKind::Var(_) | PatternKind::Wildcard);
            if !parts
                .iter()
                .all(|part| is_plain(&part.value) && fixed(&part.size, part.spec.ty))
            {
                return;
            }
            super::scope::pattern_names(pattern, &mut bound);
            if self.template_sizes(template, &bound).is_some() {
                let mark = self.f.next;
                self.f.b.at(loc);
                let bad = self.fail_stub(FailKind::BadGenerator, first, loc);
                let ty = TypeTest::Bitstring;
                self.f.b.branch(Instr::NotType { src: first, ty, to: 0 }, bad);
                self.f.next = mark;
            }
            return;
        }
        for (at, q) in qs.iter().enumerate() {
            let Qualifier::Generator(Generator {
                element: Element::List(pattern),
                expr,
                ..
            }) = q
            else {
                return;
            };
            match &expr.kind {
                _ if at == 0 => {}
                ExprKind::Var(name) if !bound.contains(name) => lists.extend(self.var(*name)),
                _ if self.literal(expr).is_some_and(|l| self.unit.heap.list(l).is_some()) => {}
                _ => return,
            }
            if !is_anything(pattern) {
                return;
            }
            super::scope::pattern_names(pattern, &mut bound);
        }
        let Some(sizes) = self.template_sizes(template, &bound) else {
            return;
        };
        let mark = self.f.next;
        self.f.b.at(loc);
        let length = self.temp();
        for list in lists {
            let bad = self.fail_stub(FailKind::BadGenerator, list, loc);
            let start = self.f.b.position();
            self.native_or_call(Atom::ERLANG, Atom::new("length"), &[list], Dest::To(length));
            self.f.b.protect(start, bad, 0);
        }
        let bad = self.fail_stub(FailKind::BadGenerator, first, loc);
        for src in sizes {
            let ty = TypeTest::Integer;
            self.f.b.branch(Instr::NotType { src, ty, to: 0 }, bad);
        }
        self.f.next = mark;
    }

    /// The variables in the sizes of a template, if it is a binary of a size that does not depend on the variables of the generators.
    fn template_sizes(&mut self, template: &'a Expr, bound: &[Atom]) -> Option<Vec<Reg>> {
        let ExprKind::Binary(segments) = &template.kind else {
            return None;
        };
        let mut sizes = Vec::new();
        for s in segments {
            // A binary that cannot be constructed has no size.
            if self.is_bad_constant(s) {
                return None;
            }
            let text = matches!(s.value.kind, ExprKind::String(_)) || self.literal(&s.value).is_some();
            match (&s.size, s.spec.ty) {
                (None, SegmentType::Integer | SegmentType::Float) => {}
                (None, SegmentType::Utf8 | SegmentType::Utf16 | SegmentType::Utf32) if text => {}
                (Some(size), SegmentType::Integer | SegmentType::Float | SegmentType::Binary) => match &size.kind {
                    ExprKind::Var(name) if !bound.contains(name) => sizes.extend(self.var(*name)),
                    _ if self.literal(size).and_then(Term::as_small).is_some_and(|n| n >= 0) => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
        (!segments.is_empty()).then_some(sizes)
    }

    pub(super) fn map_comprehension(&mut self, e: &'a Expr, c: &'a MapComprehension, dst: Dest) {
        let acc = self.temp();
        self.load(acc, Term::NIL);
        self.fold_part(e.loc, &c.qualifiers, 0, Template::Map(&c.key, &c.value), acc);
        let d = self.target(dst);
        self.f.b.emit(Instr::JoinMap { dst: d, src: acc });
        self.done(dst, d);
    }

    /// Qualifiers from `at` on of a list comprehension: the elements they give, followed by `more`.
    fn list_part(&mut self, loc: Loc, qs: &'a [Qualifier], at: usize, t: Template<'a>, more: &More, dst: Dest) {
        with_stack(|| match qs.get(at) {
            None if matches!(t, Template::Unwanted(_)) => {
                let Template::Unwanted(e) = t else {
                    unreachable!("just matched")
                };
                let mark = self.f.next;
                self.mark(e.loc);
                self.expr(e, Dest::Effect);
                self.f.next = mark;
                self.more(loc, more, dst);
            }
            None => {
                let Template::List(e) = t else {
                    unreachable!("lists are made by list templates")
                };
                let mark = self.f.next;
                self.mark(e.loc);
                let head = self.operand(e);
                let tail = self.temp();
                self.more(loc, more, Dest::To(tail));
                let d = self.target(dst);
                self.f.b.emit(Instr::Cons { dst: d, head, tail });
                self.done(dst, d);
                self.f.next = mark;
            }
            Some(Qualifier::Filter(filter)) => {
                let no = self.f.b.label();
                let end = self.f.b.label();
                let outside = self.f.log.len();
                self.filter(filter, no);
                self.mark(filter.loc);
                self.list_part(loc, qs, at + 1, t, more, dst);
                if dst != Dest::Tail {
                    self.f.b.jump(end);
                }
                // Variables of a filter are local to the comprehension.
                self.forget_since(outside);
                self.f.b.place(no);
                self.more(loc, more, dst);
                self.f.b.place(end);
            }
            Some(generator) => {
                let base = self.f.next;
                let end = self.generator_values(generator, base + 1);
                self.f.next = base;
                let (function, captured) = self.generator(loc, qs, at, t, more);
                let args: Vec<(Reg, Reg)> = (base + 1..end).map(|reg| (reg, reg)).collect();
                self.call_local(generator.loc(), function, &args, &captured, end - base, dst);
            }
        });
    }

    /// Calls a local function: `args` are (where the argument is, where it goes in a frame at the first free register), captured
    /// variables follow from argument `first` on.
    fn call_local(&mut self, loc: Loc, function: u32, args: &[(Reg, Reg)], captured: &[Atom], first: Reg, dst: Dest) {
        let base = self.f.next;
        let mut moves: Vec<(Reg, Reg)> = args.iter().map(|&(src, to)| (to, src)).collect();
        let registers: Vec<Reg> = captured.iter().filter_map(|n| self.var(*n)).collect();
        if dst == Dest::Tail {
            moves.iter_mut().for_each(|m| m.0 -= base);
            moves.extend((first..).zip(registers));
            self.f.next = base + args.len() as Reg + 1;
            self.parallel(moves);
            self.f.b.at(loc);
            self.f.b.emit(Instr::TailCall { target: function });
            self.give_back();
        } else {
            moves.extend((base + first..).zip(registers));
            self.f.next = base + first + captured.len() as Reg;
            self.touch(self.f.next);
            self.parallel(moves);
            self.f.b.at(loc);
            self.f.b.emit(Instr::Call { base, target: function });
            self.f.b.live();
            self.f.next = base;
            self.give(dst, base);
        }
        self.f.next = base;
    }

    fn more(&mut self, loc: Loc, more: &More, dst: Dest) {
        match more {
            More::Nil => {
                let d = self.target(dst);
                self.load(d, Term::NIL);
                self.done(dst, d);
            }
            More::Turn {
                function,
                rests,
                captured,
            } => {
                let base = self.f.next;
                let rests = rests
                    .iter()
                    .map(|&rest| self.var(rest).expect("the rest of a generator is captured"));
                let args: Vec<(Reg, Reg)> = rests.zip(base + 1..).collect();
                self.touch(base + args.len() as Reg);
                self.call_local(loc, *function, &args, captured, args.len() as Reg + 1, dst);
            }
        }
    }

    /// Jumps to `no` unless the filter holds.
    fn filter(&mut self, filter: &'a Expr, no: Label) {
        self.f.b.at(filter.loc);
        if self.is_guard(filter) {
            return self.conjunction(std::iter::once(filter), no);
        }
        let mark = self.f.next;
        let value = self.operand(filter);
        self.f.b.at(filter.loc);
        let bad = self.fail_stub(FailKind::BadFilter, value, filter.loc);
        self.f.b.branch(
            Instr::IsAtom {
                src: value,
                atom: Atom::FALSE.index() as u16,
                to: 0,
            },
            no,
        );
        self.f.b.branch(
            Instr::NotAtom {
                src: value,
                atom: Atom::TRUE.index() as u16,
                to: 0,
            },
            bad,
        );
        self.f.next = mark;
    }

    /// Variables that the functions of the qualifiers from `at` on take from here.
    fn comprehension_captured(&mut self, qs: &'a [Qualifier], at: usize, t: Template<'a>, more: &[Atom]) -> Captured {
        let function = super::scope::key(&qs[at..]);
        if !self.free.knows(function) {
            self.free.extend(FreeNames::of_comprehension(&qs[at..], &t.results()));
        }
        let mut names = self.free.names_in(function).to_vec();
        names.extend_from_slice(more);
        self.captured(&names)
    }

    /// Makes the function of the generator `qs[at]`. Gives it with the captured variables, which follow its list argument.
    fn generator(
        &mut self,
        loc: Loc,
        qs: &'a [Qualifier],
        at: usize,
        t: Template<'a>,
        more: &More,
    ) -> (u32, Vec<Atom>) {
        let outer_needs: Vec<Atom> = match more {
            More::Nil => Vec::new(),
            More::Turn { rests, captured, .. } => captured.iter().chain(rests).copied().collect(),
        };
        let captured = self.comprehension_captured(qs, at, t, &outer_needs);
        let inputs = qs[at].generators().len() as Reg;
        let (function, outer) = self.open_generator(loc, qs, at, t, inputs, &captured);
        let rests = rests(&qs[at], at);
        // Inner generators may bind new variables of the same names: the next turn refers to its own by unique names.
        let kept: Vec<Atom> = (0..captured.names.len())
            .map(|i| hidden(&format!("kept-{at}"), i))
            .collect();
        for (&name, reg) in kept.iter().zip(inputs + 1..) {
            self.bind(name, reg);
        }
        let turn = More::Turn {
            function,
            rests,
            captured: kept,
        };
        let vars = self.f.log.len();
        let d = self.each(loc, &qs[at], at);
        self.mark_generator(&qs[at]);
        self.list_part(loc, qs, at + 1, t, &turn, Dest::Tail);
        self.forget_since(vars);
        self.f.b.place(d.skip);
        if self.f.b.is_used(d.skip) && self.restart(&qs[at], at, d.end) {
            self.more(loc, &turn, Dest::Tail);
        }
        self.f.b.place(d.end);
        self.end_check(&qs[at], d.bad);
        self.more(loc, more, Dest::Tail);
        self.bad_generators(&qs[at], d.bad);
        self.close_generator(function, outer);
        (function, captured.names)
    }

    /// Qualifiers from `at` on of a binary or map comprehension: what they give is added to `acc`.
    fn fold_part(&mut self, loc: Loc, qs: &'a [Qualifier], at: usize, t: Template<'a>, acc: Reg) {
        with_stack(|| {
            let mark = self.f.next;
            match qs.get(at) {
                None => match t {
                    Template::List(_) | Template::Unwanted(_) => unreachable!("lists are made front to back"),
                    Template::Binary(e, _) => {
                        self.mark(e.loc);
                        self.f.b.at(loc);
                        self.append_binary(acc, e);
                    }
                    Template::Map(key, value) => {
                        self.mark(key.loc);
                        let key = self.operand(key);
                        let value = self.operand(value);
                        self.f.b.emit(Instr::Cons {
                            dst: acc,
                            head: key,
                            tail: acc,
                        });
                        self.f.b.emit(Instr::Cons {
                            dst: acc,
                            head: value,
                            tail: acc,
                        });
                    }
                },
                Some(Qualifier::Filter(filter)) => {
                    let no = self.f.b.label();
                    let outside = self.f.log.len();
                    self.filter(filter, no);
                    self.mark(filter.loc);
                    self.fold_part(loc, qs, at + 1, t, acc);
                    self.forget_since(outside);
                    self.f.b.place(no);
                }
                Some(generator) => {
                    let base = self.f.next;
                    let list = base + 1;
                    self.touch(list + 1);
                    let end = self.generator_values(generator, list);
                    self.touch(end);
                    if let (Template::Binary(template, true), 0) = (t, at) {
                        self.f.next = end + 1;
                        self.size_first(loc, qs, template, list);
                    }
                    self.f.next = base;
                    let (function, captured) = self.fold_generator(loc, qs, at, t);
                    self.f.next = base;
                    let mut args: Vec<(Reg, Reg)> = (list..end).map(|reg| (reg, reg)).collect();
                    args.push((acc, end));
                    self.call_local(loc, function, &args, &captured, end - base + 1, Dest::To(acc));
                }
            }
            self.f.next = mark;
        });
    }

    /// An element of a generator was taken.
    fn mark_generator(&mut self, generator: &Qualifier) {
        if let Some(input) = generator.inputs().next() {
            self.mark(input.loc);
        }
    }

    fn fold_generator(&mut self, loc: Loc, qs: &'a [Qualifier], at: usize, t: Template<'a>) -> (u32, Vec<Atom>) {
        let captured = self.comprehension_captured(qs, at, t, &[]);
        let acc = qs[at].generators().len() as Reg + 1;
        let (function, outer) = self.open_generator(loc, qs, at, t, acc, &captured);
        let vars = self.f.log.len();
        let d = self.each(loc, &qs[at], at);
        self.mark_generator(&qs[at]);
        self.fold_part(loc, qs, at + 1, t, acc);
        self.forget_since(vars);
        let again = self.f.b.label();
        if self.f.b.is_used(d.skip) {
            self.f.b.jump(again);
            self.f.b.place(d.skip);
            if !self.restart(&qs[at], at, d.end) {
                self.f.b.jump(d.end);
            }
        } else {
            self.f.b.place(d.skip);
        }
        self.f.b.place(again);
        for (to, rest) in (1..).zip(rests(&qs[at], at)) {
            let rest = self.var(rest).expect("bound by the generator");
            self.f.b.mov(to, rest);
        }
        self.f.b.at(loc);
        self.f.b.emit(Instr::TailCall { target: function });
        self.f.b.place(d.end);
        self.end_check(&qs[at], d.bad);
        self.f.b.emit(Instr::Return { src: acc });
        self.bad_generators(&qs[at], d.bad);
        self.close_generator(function, outer);
        (function, captured.names)
    }

    // ---- one generator -------------------------------------------------------------------------------------------

    fn open_generator(
        &mut self,
        loc: Loc,
        qs: &'a [Qualifier],
        at: usize,
        t: Template<'a>,
        params: u16,
        captured: &Captured,
    ) -> (u32, super::Func) {
        if captured.names.len() > 250 {
            self.refuse(loc, "a comprehension has at most 250 captured variables");
        }
        let function = self.new_function(params + captured.names.len() as u16, loc);
        let numbers = self.names.get(generator_key(&qs[at]));
        let name = format!(
            "-{}/{}-{}$^{}/{}-{}-",
            self.origin.0,
            self.origin.1,
            t.name(),
            numbers.core,
            params,
            numbers.kernel
        );
        let name = Atom::new(&name);
        self.unit.functions[function as usize].name = Some(name);
        let outer = self.enter_function(params, captured, loc, true);
        self.f.shown = Some((name, self.f.arity));
        let mut walker = Walker::new(body_key(&qs[at]), &self.free);
        let patterns = || qs[at].generators().iter().flat_map(|g| g.element.patterns());
        patterns().for_each(|p| walker.pattern(p));
        walker.rest_of_comprehension(&qs[at + 1..], &t.results());
        self.f.homes = walker.finish();
        self.f.hidden = self.hide(patterns());
        (function, outer)
    }

    fn close_generator(&mut self, function: u32, outer: super::Func) {
        self.finish(function);
        self.f = outer;
    }
}
