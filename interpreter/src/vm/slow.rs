//! Rare parts of the inner loop, out of line.

use super::exception::{Exception, First};
use super::instr::{Instr, Reg, SegmentCode, TypeTest};
use super::process::{Process, Timeout};
use super::program::Program;
use crate::atom::Atom;
use crate::binary;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::native::{Context, ExceptionClass, Implementation, Raise};
use crate::newer::Newer;
use crate::ops;
use crate::term::{BoxKind, Tag, Term};
use syntax::ast::SegmentType;

/// Limit: bytes of the memory that is kept for the next binary.
const LARGEST_BUILDER: usize = 1 << 16;

thread_local! {
    /// The buffer in which binaries are built.
    static BUILDER: std::cell::Cell<Vec<u8>> = const { std::cell::Cell::new(Vec::new()) };
}

/// Larger sizes do not fit into memory.
const SIZE_LIMIT: i64 = 1 << 40;

/// `is_…/1`.
pub(super) fn has_type(heap: &Heap, t: Term, ty: TypeTest) -> bool {
    let kind = || heap.kind(t);
    match ty {
        TypeTest::Atom => t.is_atom(),
        TypeTest::Integer => t.is_small() || matches!(kind(), Some(BoxKind::BigPositive | BoxKind::BigNegative)),
        TypeTest::Float => matches!(kind(), Some(BoxKind::Float)),
        TypeTest::Number => {
            t.is_small()
                || matches!(
                    kind(),
                    Some(BoxKind::BigPositive | BoxKind::BigNegative | BoxKind::Float)
                )
        }
        TypeTest::Boolean => t.as_bool().is_some(),
        TypeTest::List => t.is_list(),
        TypeTest::Tuple => matches!(kind(), Some(BoxKind::Tuple)),
        TypeTest::Pid => t.tag() == Tag::Pid,
        TypeTest::Port => t.as_port().is_some(),
        TypeTest::Reference => matches!(kind(), Some(BoxKind::Reference)),
        TypeTest::Function => matches!(kind(), Some(BoxKind::Fun | BoxKind::ExternalFun)),
        TypeTest::Map => matches!(kind(), Some(BoxKind::FlatMap | BoxKind::HashMap)),
        TypeTest::Binary => heap.bits(t).is_some_and(|b| b.len % 8 == 0),
        TypeTest::Bitstring => heap.bits(t).is_some(),
    }
}

/// `=:=` beyond identity.
#[inline]
pub(super) fn same(heap: &Heap, a: Term, b: Term) -> bool {
    a == b || (!a.is_immediate() && !b.is_immediate() && ops::exact_equal(heap, a, b))
}

/// `==` beyond identity.
#[inline]
pub(super) fn equal(heap: &Heap, a: Term, b: Term) -> bool {
    a == b || ((!a.is_immediate() || !b.is_immediate()) && ops::equal(heap, a, b))
}

/// The time that a `receive` waits; `None` if it is not a valid timeout.
pub(super) fn timeout(heap: &Heap, t: Term) -> Option<Timeout> {
    match heap.view(t) {
        TermView::Atom(Atom::INFINITY) => Some(Timeout::Infinity),
        TermView::Small(ms) if (0..=0xffff_ffff).contains(&ms) => Some(Timeout::Millis(ms as u64)),
        _ => None,
    }
}

/// What is wrong with a segment's value, for OTP's `error_info`.
struct BadSegment {
    number: usize,
    ty: SegmentType,
    what: &'static str,
    value: Term,
}

impl Process {
    pub(super) fn reg(&self, r: Reg) -> Term {
        Term(self.stack[self.frame + r as usize])
    }

    fn ops_word(&self, program: &Program, at: u32) -> (Reg, Reg, Reg) {
        match program.code[at as usize] {
            Instr::Ops { a, b, c } => (a, b, c),
            other => unreachable!("{other:?} where operands should be"),
        }
    }

    /// Operands packed three to a word after `pc`.
    pub(super) fn packed(&self, program: &Program, pc: u32, count: usize) -> Vec<Term> {
        let mut terms = Vec::with_capacity(count);
        for word in 0..count.div_ceil(3) {
            let (a, b, c) = self.ops_word(program, pc + 1 + word as u32);
            for r in [a, b, c] {
                if terms.len() < count {
                    terms.push(self.reg(r));
                }
            }
        }
        terms
    }

    pub(super) fn make_map(&mut self, program: &Program, pc: u32, len: usize) -> Term {
        let pairs: Vec<(Term, Term)> = (0..len)
            .map(|i| {
                let (k, v, _) = self.ops_word(program, pc + 1 + i as u32);
                (self.reg(k), self.reg(v))
            })
            .collect();
        maps::of_expression(&mut self.heap, &pairs)
    }

    pub(super) fn update_map(&mut self, program: &Program, pc: u32, src: Term, len: usize) -> Result<Term, Exception> {
        if !maps::is_map(&self.heap, src) {
            let reason = self.heap.make_tuple(&[Term::atom(Atom::BADMAP), src]);
            return Err(Exception::error(reason));
        }
        let mut map = src;
        for i in 0..len {
            let (k, v, exact) = self.ops_word(program, pc + 1 + i as u32);
            let (key, value) = (self.reg(k), self.reg(v));
            if exact == 1 {
                match maps::update_exact(&mut self.heap, map, key, value) {
                    Some(updated) => map = updated,
                    None => {
                        let reason = self.heap.make_tuple(&[Term::atom(Atom::BADKEY), key]);
                        return Err(Exception::error(reason));
                    }
                }
            } else {
                map = maps::put(&mut self.heap, map, key, value);
            }
        }
        Ok(map)
    }

    /// The map of a reversed list `[V, K, …]`.
    pub(super) fn join_map(&mut self, list: Term) -> Term {
        let mut flat = self.heap.list(list).unwrap_or_default();
        flat.reverse();
        let pairs: Vec<(Term, Term)> = flat.chunks_exact(2).map(|p| (p[0], p[1])).collect();
        maps::from_pairs(&mut self.heap, &pairs)
    }

    pub(super) fn reverse_onto(&mut self, list: Term, tail: Term) -> Term {
        let mut result = tail;
        let mut at = list;
        while let Some((head, rest)) = self.heap.cons_cell(at) {
            result = self.heap.cons(head, result);
            at = rest;
        }
        result
    }

    // ---- bit syntax ----------------------------------------------------------------------------------------------

    /// Constructs a binary from the `len` segments after `pc`.
    pub(super) fn make_binary(&mut self, program: &Program, pc: u32, len: usize) -> Result<Term, Exception> {
        let mut builder = binary::Builder::over(BUILDER.take());
        let mut number = 0;
        for i in 0..len {
            let (value, size, code) = self.ops_word(program, pc + 1 + i as u32);
            let code = SegmentCode(code);
            number += code.segments();
            let value = self.reg(value);
            let size = (size != 0).then(|| self.reg(size));
            if let Some(units) = size
                .and_then(Term::as_small)
                .filter(|&units| units > LARGEST_BUILDER as i64)
                && !self.heap.has_room((units as usize).saturating_mul(code.unit()) / 8)
            {
                // The exception is never seen: the run ends.
                self.local.charge = u32::MAX;
                return Err(Exception::error(Raise::system_limit().reason));
            }
            if let Err((raise, what, culprit)) = self.put_segment(&mut builder, value, size, code) {
                // OTP first computes the size of the whole, so it reports later segments with a wrong size before this one.
                if let Some((raise, bad)) = self.first_without_size(program, pc, len) {
                    return Err(self.bad_segment(program, pc, raise, &bad));
                }
                let bad = BadSegment {
                    number,
                    ty: code.ty(),
                    what,
                    value: culprit,
                };
                return Err(self.bad_segment(program, pc, raise, &bad));
            }
        }
        let (done, bytes) = builder.finish_reusable(&mut self.heap);
        if bytes.capacity() <= LARGEST_BUILDER {
            BUILDER.set(bytes);
        }
        Ok(done)
    }

    /// The first segment without a size: one of type binary or utf32 (from OTP 26 on, utf8 too) with another value, or one with a wrong size.
    /// A binary at the front, to which OTP appends the others, is checked last.
    fn first_without_size(&self, program: &Program, pc: u32, len: usize) -> Option<(Raise, BadSegment)> {
        let segment = |i: usize| {
            let (value, size, code) = self.ops_word(program, pc + 1 + i as u32);
            (value, size, SegmentCode(code))
        };
        let mut order: Vec<usize> = (0..len).collect();
        if matches!(segment(0), (_, 0, code) if code.ty() == SegmentType::Binary) {
            order.rotate_left(1);
        }
        for i in order {
            let (value, size, code) = segment(i);
            let number = (0..=i).map(|i| segment(i).2.segments()).sum();
            let value = self.reg(value);
            let found = if size == 0 {
                let is_wrong = match code.ty() {
                    SegmentType::Binary => self.heap.bits(value).is_none(),
                    SegmentType::Utf32 => binary::Builder::new().put_utf32(value, false).is_err(),
                    SegmentType::Utf8 if Newer::Utf8Segments.is_in(program.release()) => {
                        binary::Builder::new().put_utf8(value).is_err()
                    }
                    _ => false,
                };
                is_wrong.then(|| (Raise::badarg(), "type", value))
            } else {
                let size = self.reg(size);
                self.segment_bits(size, code).err().map(|raise| (raise, "size", size))
            };
            if let Some((raise, what, value)) = found {
                let ty = code.ty();
                return Some((
                    raise,
                    BadSegment {
                        number,
                        ty,
                        what,
                        value,
                    },
                ));
            }
        }
        None
    }

    /// The bits of a segment with a size.
    fn segment_bits(&self, size: Term, code: SegmentCode) -> Result<usize, Raise> {
        match self.heap.view(size) {
            TermView::Small(n) if n >= 0 => {
                let bits = n.checked_mul(code.unit() as i64).filter(|b| *b < SIZE_LIMIT);
                Ok(bits.ok_or(Raise::system_limit())? as usize)
            }
            TermView::Big { negative: false, .. } => Err(Raise::system_limit()),
            _ => Err(Raise::badarg()),
        }
    }

    fn put_segment(
        &self,
        builder: &mut binary::Builder,
        value: Term,
        size: Option<Term>,
        code: SegmentCode,
    ) -> Result<(), (Raise, &'static str, Term)> {
        let heap = &self.heap;
        let bits = match size {
            None => 0,
            Some(size) => self.segment_bits(size, code).map_err(|raise| (raise, "size", size))?,
        };
        let little = code.little();
        let put = match code.ty() {
            SegmentType::Integer => builder.put_integer(heap, value, bits, little),
            SegmentType::Float => builder.put_float(heap, value, bits, little),
            SegmentType::Binary if size.is_some() => builder.put_bits(heap, value, bits),
            SegmentType::Binary => builder.put_all(heap, value, code.unit()),
            SegmentType::Utf8 => builder.put_utf8(value),
            SegmentType::Utf16 => builder.put_utf16(value, little),
            SegmentType::Utf32 => builder.put_utf32(value, little),
        };
        put.map_err(|raise| {
            let (what, culprit) = match (code.ty(), size, heap.bits(value)) {
                (SegmentType::Binary, None, Some(_)) => ("unit", value),
                (SegmentType::Binary, Some(_), Some(_)) => ("short", value),
                (SegmentType::Float, ..) if !matches!(bits, 16 | 32 | 64) => ("invalid", Term::small(bits as i64)),
                (SegmentType::Float, ..) if has_type(heap, value, TypeTest::Number) => ("no_float", value),
                _ => ("type", value),
            };
            (raise, what, culprit)
        })
    }

    fn bad_segment(&mut self, program: &Program, pc: u32, raise: Raise, bad: &BadSegment) -> Exception {
        let ty = match bad.ty {
            SegmentType::Integer => "integer",
            SegmentType::Float => "float",
            SegmentType::Binary => "binary",
            SegmentType::Utf8 => "utf8",
            SegmentType::Utf16 => "utf16",
            SegmentType::Utf32 => "utf32",
        };
        let word = |name: &str| Term::atom(Atom::new(name));
        let cause = self
            .heap
            .make_tuple(&[Term::small(bad.number as i64), word(ty), word(bad.what), bad.value]);
        let pairs = [
            (Term::atom(Atom::CAUSE), cause),
            (Term::atom(Atom::FUNCTION), word("format_bs_fail")),
            (Term::atom(Atom::MODULE), Term::atom(Atom::ERL_ERTS_ERRORS)),
        ];
        let map = maps::from_pairs(&mut self.heap, &pairs);
        let info = self.heap.make_tuple(&[Term::atom(Atom::ERROR_INFO), map]);
        let options = self.heap.make_list(&[info]);
        self.error_with_args(program, pc, raise.reason, Term::NONE, options)
    }

    /// Matches the segment after `pc` at bit `at`. Returns its value (if wanted) and the bits it takes.
    pub(super) fn match_segment(
        &mut self,
        program: &Program,
        pc: u32,
        src: Term,
        at: usize,
        wanted: bool,
    ) -> Option<(Term, usize)> {
        let (size, code, _) = self.ops_word(program, pc + 1);
        let code = SegmentCode(code);
        let heap = &mut self.heap;
        let little = code.little();
        match code.ty() {
            SegmentType::Utf8 => return binary::match_utf8(heap, src, at),
            SegmentType::Utf16 => return binary::match_utf16(heap, src, at, little),
            SegmentType::Utf32 => return binary::match_utf32(heap, src, at, little),
            _ => {}
        }
        let left = binary::len(heap, src)?.checked_sub(at)?;
        if size == 0 {
            if !wanted {
                return (left % code.unit() == 0).then_some((Term::NIL, left));
            }
            return binary::match_rest(heap, src, at, code.unit()).map(|t| (t, left));
        }
        let size = Term(self.stack[self.frame + size as usize]).as_small()?;
        let bits = usize::try_from(size).ok()?.checked_mul(code.unit())?;
        if bits > left {
            return None;
        }
        let value = match code.ty() {
            SegmentType::Float => binary::match_float(heap, src, at, bits, little)?,
            _ if !wanted => Term::NIL,
            SegmentType::Integer => binary::match_integer(heap, src, at, bits, little, code.signed())?,
            _ => binary::match_bits(heap, src, at, bits)?,
        };
        Some((value, bits))
    }

    /// Are the bits of a constant at bit `at`? Returns their number.
    pub(super) fn match_constant(&self, src: Term, at: usize, constant: Term) -> Option<usize> {
        let bits = self.heap.bits(constant)?;
        binary::match_bytes(&self.heap, src, at, bits.as_bytes()?).then_some(bits.len)
    }

    // ---- natives -------------------------------------------------------------------------------------------------

    /// Executes a pure native.
    #[inline]
    pub(super) fn run_native(
        &mut self,
        program: &Program,
        run: crate::native::PureFn,
        args: &[Term],
    ) -> Result<Term, Raise> {
        run(
            &mut Context {
                heap: &mut self.heap,
                local: &mut self.local,
                code: program,
            },
            args,
        )
    }

    /// A pure native called by an instruction at `pc` with packed operands.
    pub(super) fn call_native(
        &mut self,
        program: &Program,
        pc: u32,
        native: u16,
        count: u16,
    ) -> Result<Term, Exception> {
        let id = super::NativeId(u32::from(native));
        let Implementation::Pure(run) = program.native(id).run else {
            unreachable!("the compiler uses pure natives only")
        };
        let mut args = [Term::NIL; 3];
        let heaped;
        let args: &[Term] = if count <= 3 {
            if count > 0 {
                let (a, b, c) = self.ops_word(program, pc + 1);
                for (arg, r) in args.iter_mut().zip([a, b, c]).take(count as usize) {
                    *arg = self.reg(r);
                }
            }
            &args[..count as usize]
        } else {
            heaped = self.packed(program, pc, count as usize);
            &heaped
        };
        match self.run_native(program, run, args) {
            Ok(value) => Ok(value),
            // A guard fails silently: the trace is not used.
            Err(raise) if program.handler_at(pc).is_some_and(|h| h.base == 0) => Err(Exception::error(raise.reason)),
            Err(raise) => {
                let args = args.to_vec();
                Err(self.native_raise(program, Some(pc), id, &args, false, raise))
            }
        }
    }

    /// `badarg` of `erlang:apply` with these arguments.
    pub(super) fn bad_apply(&mut self, args: &[Term]) -> Exception {
        let entry = self.native_entry(Atom::ERLANG, Atom::APPLY, args, true, None);
        Exception {
            class: ExceptionClass::Error,
            reason: Term::atom(Atom::BADARG),
            first: First::Entry(entry),
            here: 1,
        }
    }
}
