//! Bit syntax: construction and patterns.

use super::pattern::is_wildcard;
use super::{Compiler, Dest, Label};
use crate::atom::Atom;
use crate::binary::Builder;
use crate::heap::{Heap, TermView};
use crate::term::Term;
use crate::vm::instr::{Instr, RaiseClass, Reg, SegmentCode};
use syntax::ast::*;

/// All of a bitstring.
const ALL_BITS: SegmentSpec = SegmentSpec {
    ty: SegmentType::Binary,
    signed: false,
    endian: Endian::Big,
    unit: 1,
};

/// Constant bits that are collected at compile time.
struct Constant {
    heap: Heap,
    bits: Builder,
    /// How many segments.
    segments: usize,
}

impl Constant {
    fn new() -> Self {
        Self {
            heap: Heap::new(std::sync::Arc::default()),
            bits: Builder::new(),
            segments: 0,
        }
    }

    /// A character of a string, or a small integer.
    fn put(&mut self, value: i64, spec: SegmentSpec, size: usize) -> bool {
        let value = Term::small(value);
        let little = spec.endian != Endian::Big;
        match spec.ty {
            SegmentType::Integer => self.bits.put_integer(&self.heap, value, size, little).is_ok(),
            SegmentType::Utf8 => self.bits.put_utf8(value).is_ok(),
            SegmentType::Utf16 => self.bits.put_utf16(value, little).is_ok(),
            SegmentType::Utf32 => self.bits.put_utf32(value, little).is_ok(),
            SegmentType::Float | SegmentType::Binary => false,
        }
    }
}

impl<'a> Compiler<'a> {
    /// `<<…>>`
    pub(super) fn binary(&mut self, segments: &'a [Segment<Expr>], loc: Loc, dst: Dest) {
        self.construct(None, segments, loc, dst);
    }

    /// Adds one element of a binary comprehension.
    pub(super) fn append_binary(&mut self, acc: Reg, e: &'a Expr) {
        let loc = self.f.b.loc();
        if let ExprKind::Binary(segments) = &e.kind {
            return self.construct(Some(acc), segments, loc, Dest::To(acc));
        }
        let part = self.operand(e);
        self.f.b.at(loc);
        self.f.b.emit(Instr::Binary { dst: acc, len: 2 });
        for value in [acc, part] {
            self.f.b.emit(Instr::Ops {
                a: value,
                b: 0,
                c: SegmentCode::pack(ALL_BITS).0,
            });
        }
    }

    fn construct(&mut self, prefix: Option<Reg>, segments: &'a [Segment<Expr>], loc: Loc, dst: Dest) {
        let mark = self.f.next;
        if segments.iter().any(|s| self.is_bad_constant(s)) {
            // OTP's compiler detects this, and calls error/1 instead.
            for s in segments {
                self.operand(&s.value);
                s.size.iter().for_each(|size| {
                    self.operand(size);
                });
            }
            let reason = self.temp();
            self.load(reason, Term::atom(Atom::BADARG));
            self.f.b.at(loc);
            self.f.b.emit(Instr::Raise {
                class: RaiseClass::Error,
                reason,
                args: 0,
            });
            self.f.next = mark;
            return;
        }
        let mut parts: Vec<(Reg, Reg, SegmentCode)> = Vec::new();
        parts.extend(prefix.map(|p| (p, 0, SegmentCode::pack(ALL_BITS))));
        let mut constant = Constant::new();
        for s in segments {
            if self.put_constant(s, &mut constant) {
                continue;
            }
            self.flush_constant(&mut constant, &mut parts);
            match &s.value.kind {
                ExprKind::String(text) => {
                    let size = self.segment_size(s);
                    for c in text.chars() {
                        let value = self.temp();
                        self.load(value, Term::small(c as i64));
                        parts.push((value, size, SegmentCode::pack(spec_of(s))));
                    }
                }
                _ => {
                    let value = self.operand(&s.value);
                    let size = self.segment_size(s);
                    parts.push((value, size, SegmentCode::pack(spec_of(s))));
                }
            }
        }
        if constant.bits.is_empty() && parts.is_empty() {
            let empty = super::literal::bitstring(&mut self.unit.heap, &[], 0);
            let d = self.target(dst);
            self.load(d, empty);
            self.f.next = mark;
            return self.done(dst, d);
        }
        self.flush_constant(&mut constant, &mut parts);
        let d = self.target(dst);
        self.f.b.at(loc);
        if let [(value, 0, spec)] = parts[..]
            && spec.0 & 7 == 6
            && prefix.is_none()
        {
            // Nothing but constants.
            self.f.b.mov(d, value);
        } else {
            self.f.b.emit(Instr::Binary {
                dst: d,
                len: parts.len() as u16,
            });
            for (a, b, code) in parts {
                self.f.b.emit(Instr::Ops { a, b, c: code.0 });
            }
        }
        self.f.next = mark;
        self.done(dst, d);
    }

    /// Takes in a segment that is known when the code is compiled.
    fn put_constant(&mut self, s: &Segment<Expr>, constant: &mut Constant) -> bool {
        let size = match &s.size {
            None => default_size(s.spec.ty).map(|n| n as i64),
            Some(size) => self.literal(size).and_then(Term::as_small),
        };
        let values: Option<Vec<i64>> = match &s.value.kind {
            ExprKind::String(text) => Some(text.chars().map(|c| c as i64).collect()),
            _ => self.literal(&s.value).and_then(Term::as_small).map(|v| vec![v]),
        };
        let bits = match (s.spec.ty, size) {
            (SegmentType::Utf8 | SegmentType::Utf16 | SegmentType::Utf32, _) => Some(0),
            (SegmentType::Integer, Some(n)) => usize::try_from(n)
                .ok()
                .map(|n| n * usize::from(unit(s)))
                .filter(|n| *n <= 4096),
            _ => None,
        };
        let (Some(values), Some(bits)) = (values, bits) else {
            return false;
        };
        let is_put = values.iter().all(|v| constant.put(*v, s.spec, bits));
        constant.segments += usize::from(is_put);
        is_put
    }

    /// A binary that is known when the code is compiled.
    pub(super) fn constant_binary(&mut self, segments: &[Segment<Expr>]) -> Option<Term> {
        let mut constant = Constant::new();
        let is_whole = segments.iter().all(|s| self.put_constant(s, &mut constant));
        is_whole.then(|| self.constant_bits(constant))
    }

    fn constant_bits(&mut self, mut constant: Constant) -> Term {
        let term = constant.bits.finish(&mut constant.heap);
        let bits = constant.heap.bits(term).expect("a builder makes a bitstring");
        super::literal::bitstring(&mut self.unit.heap, &bits.to_vec(), bits.len)
    }

    /// Is the value of a segment a constant, list or tuple of a wrong type, or the size an invalid constant? The result of an operator, even of
    /// a sign, is not a constant yet when OTP checks this.
    pub(super) fn is_bad_constant(&mut self, s: &'a Segment<Expr>) -> bool {
        let size = s.size.as_ref().and_then(|size| self.literal(size));
        if size.is_some_and(|size| {
            !matches!(
                self.unit.heap.view(size),
                TermView::Small(0..) | TermView::Big { negative: false, .. }
            )
        }) {
            return true;
        }
        match (&s.value.kind, self.literal(&s.value)) {
            (ExprKind::String(_), _) => s.spec.ty == SegmentType::Binary,
            (ExprKind::Unary(..) | ExprKind::Binop(..), _) => false,
            (ExprKind::Map(fields), _) => {
                let mut parts = fields.iter().flat_map(|field| [&field.key, &field.value]);
                parts.all(|part| self.literal(part).is_some())
            }
            (ExprKind::Binary(segments), _) => s.spec.ty != SegmentType::Binary && self.is_constant(segments),
            (_, Some(value)) => {
                let is_integer = matches!(self.unit.heap.view(value), TermView::Small(_) | TermView::Big { .. });
                match s.spec.ty {
                    SegmentType::Float => !is_integer && !matches!(self.unit.heap.view(value), TermView::Float(_)),
                    SegmentType::Binary => self.unit.heap.bits(value).is_none(),
                    _ => !is_integer,
                }
            }
            (ExprKind::Tuple(_) | ExprKind::List(_), None) => true,
            _ => false,
        }
    }

    /// Is a binary made of constants?
    fn is_constant(&mut self, segments: &'a [Segment<Expr>]) -> bool {
        segments.iter().all(|s| {
            (matches!(s.value.kind, ExprKind::String(_)) || self.literal(&s.value).is_some())
                && s.size.as_ref().is_none_or(|size| self.literal(size).is_some())
        })
    }

    fn flush_constant(&mut self, constant: &mut Constant, parts: &mut Vec<(Reg, Reg, SegmentCode)>) {
        if constant.bits.is_empty() {
            return;
        }
        let done = std::mem::replace(constant, Constant::new());
        let segments = done.segments;
        let literal = self.constant_bits(done);
        let reg = self.temp();
        self.load(reg, literal);
        parts.push((reg, 0, SegmentCode::constant(segments)));
    }

    /// The register of a segment's size; 0 = all of it, or a type without size.
    fn segment_size(&mut self, s: &'a Segment<Expr>) -> Reg {
        match (&s.size, default_size(s.spec.ty)) {
            (Some(size), _) => self.operand(size),
            (None, Some(bits)) => {
                let reg = self.temp();
                self.load(reg, Term::small(i64::from(bits)));
                reg
            }
            (None, None) => 0,
        }
    }

    // ---- patterns ------------------------------------------------------------------------------------------------

    /// A binary pattern.
    pub(super) fn match_binary(&mut self, segments: &'a [Segment<Pattern>], src: Reg, fail: Label) {
        let pos = self.temp();
        self.f.b.emit(Instr::BinaryStart { src, pos });
        self.f.b.jump(fail);
        self.segments(segments, src, pos, fail);
        self.binary_end(segments, src, pos, fail);
    }

    /// Matches the rest of a binary pattern whose first byte has already been tested ([`first_byte`]).
    pub(super) fn match_behind_byte(&mut self, segments: &'a [Segment<Pattern>], src: Reg, fail: Label) {
        let mark = self.f.next;
        let pos = self.temp();
        self.load(pos, Term::small(8));
        let (bytes, count) = constant_run(segments);
        if bytes.len() > 1 {
            let rest = super::literal::bitstring(&mut self.unit.heap, &bytes[1..], (bytes.len() - 1) * 8);
            let reg = self.temp();
            self.load(reg, rest);
            self.literal_bits(src, pos, reg, fail);
        }
        self.segments(&segments[count..], src, pos, fail);
        self.binary_end(segments, src, pos, fail);
        self.f.next = mark;
    }

    fn literal_bits(&mut self, src: Reg, pos: Reg, literal: Reg, fail: Label) {
        self.f.b.emit(Instr::BinaryLiteral { src, pos });
        self.f.b.emit(Instr::Ops { a: literal, b: 0, c: 0 });
        self.f.b.jump(fail);
    }

    fn binary_end(&mut self, segments: &[Segment<Pattern>], src: Reg, pos: Reg, fail: Label) {
        let takes_all = segments
            .last()
            .is_some_and(|s| s.size.is_none() && s.spec.ty == SegmentType::Binary);
        if !takes_all {
            self.f.b.emit(Instr::BinaryEnd { src, pos });
            self.f.b.jump(fail);
        }
    }

    /// The segments of a pattern, from `pos` on.
    pub(super) fn segments(&mut self, segments: &'a [Segment<Pattern>], src: Reg, pos: Reg, fail: Label) {
        let mut at = 0;
        self.f.segment_names.clear();
        while at < segments.len() {
            let mut constant = Constant::new();
            let run = segments[at..]
                .iter()
                .take_while(|s| constant_bytes(s, &mut constant))
                .count();
            if run > 0 {
                let mut parts = Vec::new();
                self.flush_constant(&mut constant, &mut parts);
                if let Some(&(reg, ..)) = parts.first() {
                    self.literal_bits(src, pos, reg, fail);
                    self.f.next = reg;
                }
                at += run;
                continue;
            }
            self.segment(&segments[at], src, pos, fail);
            self.name_segment(&segments[at]);
            at += 1;
        }
    }

    /// Sizes of later segments can use what this one binds.
    fn name_segment(&mut self, s: &Segment<Pattern>) {
        if let PatternKind::Var(name) = s.value.kind {
            self.f.segment_names.push(name);
        }
    }

    fn segment(&mut self, s: &'a Segment<Pattern>, src: Reg, pos: Reg, fail: Label) {
        let mark = self.f.next;
        let size = self.pattern_size(s, fail);
        if let PatternKind::String(text) = &s.value.kind {
            for c in text.chars() {
                let value = self.temp();
                self.get(src, pos, value, size, s, fail);
                self.not_constant(value, Term::small(c as i64), fail);
                self.f.next = value;
            }
        } else if is_wildcard(&s.value) {
            self.get(src, pos, 0, size, s, fail);
        } else {
            let value = match s.value.kind {
                PatternKind::Var(name) if self.var(name).is_none() => self.home(name),
                _ => self.temp(),
            };
            self.touch(value);
            self.get(src, pos, value, size, s, fail);
            match s.value.kind {
                PatternKind::Var(name) if self.var(name).is_none() => self.bind(name, value),
                _ => match self.float_of_integer(s) {
                    Some(float) => self.not_constant(value, float, fail),
                    None => self.pattern(&s.value, value, fail),
                },
            }
        }
        self.f.next = mark;
    }

    /// `<<1/float>>` is `<<1.0/float>>`.
    fn float_of_integer(&mut self, s: &Segment<Pattern>) -> Option<Term> {
        if s.spec.ty != SegmentType::Float {
            return None;
        }
        let constant = self.constant_pattern(&s.value)?;
        let float = match self.unit.heap.view(constant) {
            TermView::Small(_) | TermView::Big { .. } => crate::arith::float_of(&self.unit.heap, constant).ok()?,
            _ => return None,
        };
        Some(self.unit.heap.make_float(float))
    }

    fn get(&mut self, src: Reg, pos: Reg, dst: Reg, size: Reg, s: &Segment<Pattern>, fail: Label) {
        if is_byte(s) {
            self.f.b.emit(Instr::BinaryByte { src, pos, dst });
        } else if let (None, SegmentType::Binary, unit @ (1 | 8)) = (&s.size, s.spec.ty, s.spec.unit) {
            self.rest(src, pos, dst, unit);
        } else {
            self.f.b.emit(Instr::BinaryGet { src, pos, dst });
            self.f.b.emit(Instr::Ops {
                a: size,
                b: SegmentCode::pack(spec_of(s)).0,
                c: 0,
            });
        }
        self.f.b.jump(fail);
    }

    fn rest(&mut self, src: Reg, pos: Reg, dst: Reg, unit: u16) {
        self.f.b.emit(if unit == 1 {
            Instr::BitsRest { src, pos, dst }
        } else {
            Instr::BinaryRest { src, pos, dst }
        });
    }

    fn pattern_size(&mut self, s: &'a Segment<Pattern>, fail: Label) -> Reg {
        if is_byte(s) {
            return 0;
        }
        match (&s.size, default_size(s.spec.ty)) {
            (Some(size), _) => {
                let outer = self.f.guard.replace(fail);
                let start = self.f.b.position();
                let reg = self.in_head(|c| c.operand(size));
                self.f.b.protect(start, fail, 0);
                self.f.guard = outer;
                reg
            }
            (None, Some(bits)) => {
                let reg = self.temp();
                self.load(reg, Term::small(i64::from(bits)));
                reg
            }
            (None, None) => 0,
        }
    }

    /// Skips segments whatever their values are; new variables are bound, for later sizes.
    pub(super) fn skip_segments(&mut self, segments: &'a [Segment<Pattern>], src: Reg, pos: Reg, fail: Label) {
        self.f.segment_names.clear();
        for s in segments {
            let mark = self.f.next;
            let size = self.pattern_size(s, fail);
            match &s.value.kind {
                PatternKind::String(text) => text.chars().for_each(|_| self.get(src, pos, 0, size, s, fail)),
                PatternKind::Var(name) if !is_wildcard(&s.value) && self.var(*name).is_none() => {
                    let home = self.home(*name);
                    self.touch(home);
                    self.get(src, pos, home, size, s, fail);
                    self.bind(*name, home);
                }
                _ => self.get(src, pos, 0, size, s, fail),
            }
            self.name_segment(s);
            self.f.next = mark;
        }
    }

    /// Matches the rest of a binary.
    pub(super) fn rest_of_binary(&mut self, src: Reg, pos: Reg, dst: Reg, fail: Label) {
        self.rest(src, pos, dst, ALL_BITS.unit);
        self.f.b.jump(fail);
    }
}

/// The constant bytes at the beginning of a pattern, and how many segments they are.
fn constant_run(segments: &[Segment<Pattern>]) -> (Vec<u8>, usize) {
    let mut constant = Constant::new();
    let count = segments.iter().take_while(|s| constant_bytes(s, &mut constant)).count();
    (constant.bits.into_parts().0, count)
}

/// The constant byte at the beginning of a pattern.
pub(super) fn first_byte(segments: &[Segment<Pattern>]) -> Option<u8> {
    constant_run(segments.get(..1)?).0.first().copied()
}

/// One byte, unsigned?
fn is_byte<T>(s: &Segment<T>) -> bool {
    let size = match &s.size {
        None => true,
        Some(size) => matches!(size.kind, ExprKind::Integer(8)) && s.spec.unit == 1,
    };
    size && s.spec.ty == SegmentType::Integer && !s.spec.signed
}

/// The default size of a segment in bits; `None` = the whole binary, or a type without size.
fn default_size(ty: SegmentType) -> Option<u16> {
    match ty {
        SegmentType::Integer => Some(8),
        SegmentType::Float => Some(64),
        _ => None,
    }
}

fn unit<T>(s: &Segment<T>) -> u16 {
    if s.size.is_none() && default_size(s.spec.ty).is_some() {
        1
    } else {
        s.spec.unit
    }
}

/// The specification; default sizes are in bits.
fn spec_of<T>(s: &Segment<T>) -> SegmentSpec {
    SegmentSpec {
        unit: unit(s),
        ..s.spec
    }
}

/// Adds the bytes of a constant pattern segment, if it consists of whole bytes.
fn constant_bytes(s: &Segment<Pattern>, constant: &mut Constant) -> bool {
    let is_utf = s.spec.ty == SegmentType::Utf8;
    if !is_utf && !is_byte(s) {
        return false;
    }
    let fits = |v: i64| is_utf || (0..256).contains(&v);
    match &s.value.kind {
        PatternKind::String(text) => {
            text.chars().all(|c| fits(c as i64)) && text.chars().all(|c| constant.put(c as i64, s.spec, 8))
        }
        PatternKind::Integer(v) => fits(*v) && constant.put(*v, s.spec, 8),
        PatternKind::Char(c) => fits(*c as i64) && constant.put(*c as i64, s.spec, 8),
        _ => false,
    }
}
