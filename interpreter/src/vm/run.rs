//! The execution loop: one function, compiled with and without an observer.

use super::exception::{Exception, First};
use super::instr::{Instr as I, RaiseClass, Reg};
use super::process::{
    EndClass, Observer, Process, ProcessEnd, STACK_MARGIN, Stop, StopPoint, Timeout, of_return_word, return_word,
};
use super::program::{ASKS, Mfa, NameTarget, Program, Special};
use super::{NativeId, Pc, slow};
use crate::arith;
use crate::atom::Atom;
use crate::heap::TermView;
use crate::native::{ExceptionClass, Implementation};
use crate::newer::Newer;
use crate::ops;
use crate::otp;
use crate::term::{BoxKind, Term, fun_arity, fun_id, header};

mod call;

/// Where the loop continues after a helper. The process's `frame` is up to date.
pub(super) enum Next {
    Go(u32),
    Stop(Stop),
}

/// Smaller integers are exactly equal to a float, so comparing them as floats is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A call being carried out.
#[derive(Clone, Copy)]
struct Site {
    /// The instruction; 0 = none (the frame of the callee is there already).
    pc: u32,
    /// Where it returns to; unused for tail calls.
    next: u32,
    /// Register that receives the result; arguments follow it. 0 for tail calls.
    base: Reg,
    tail: bool,
}

/// Appends a few words.
#[expect(
    unsafe_code,
    reason = "one capacity check for all words, which `extend_from_slice` does not give"
)]
#[inline(always)]
fn push_words<const N: usize>(heap: &mut Vec<u64>, words: [u64; N]) {
    if heap.capacity() - heap.len() < N {
        heap.reserve(N);
    }
    let at = heap.len();
    // SAFETY: there is room for `N` words behind the `len` in use.
    unsafe {
        heap.as_mut_ptr().add(at).cast::<[u64; N]>().write(words);
        heap.set_len(at + N);
    }
}

impl Process {
    #[expect(
        clippy::too_many_lines,
        reason = "the machine's loop: one flat match over its instructions"
    )]
    #[expect(
        unsafe_code,
        reason = "registers and instructions are read without bounds checks; the verifier has checked them"
    )]
    pub(super) fn execute<const OBSERVED: bool>(
        &mut self,
        program: &Program,
        budget: u32,
        observer: &mut dyn Observer,
    ) -> Stop {
        let code = program.code.as_ptr();
        // Remaining counted events, and the initial budget (less what natives charged).
        let mut remaining = budget;
        let mut granted = budget;
        let mut pc;
        let mut regs: *mut u64;
        // The limit of frames.
        let mut limit: *const u64;

        macro_rules! resync {
            () => {
                // SAFETY: `frame` is inside the stack, which has `STACK_MARGIN` words at least (invariant of `Process::stack`).
                unsafe {
                    let stack = self.stack.as_mut_ptr();
                    regs = stack.add(self.frame);
                    limit = stack.add(self.stack.len() - STACK_MARGIN);
                }
            };
        }
        macro_rules! sync {
            () => {{
                self.pc = pc;
                // SAFETY: `regs` points into the stack since the last `resync!`.
                self.frame = unsafe { regs.offset_from(self.stack.as_ptr()) } as usize;
            }};
        }
        macro_rules! get {
            ($r:expr) => {
                // SAFETY: the verifier has checked that the register is inside the frame, and `Enter` that the frame is inside the stack.
                Term(unsafe { *regs.add($r as usize) })
            };
        }
        macro_rules! set {
            ($r:expr, $v:expr) => {{
                let value: Term = $v;
                // SAFETY: as in `get!`.
                unsafe { *regs.add($r as usize) = value.0 }
            }};
        }
        macro_rules! stop {
            ($stop:expr) => {{
                self.events += u64::from(granted - remaining);
                return $stop;
            }};
        }
        macro_rules! charge {
            () => {
                if self.local.charge != 0 {
                    let charge = std::mem::take(&mut self.local.charge).min(remaining);
                    remaining -= charge;
                    granted -= charge;
                }
            };
        }
        macro_rules! go {
            ($next:expr) => {{
                let next = $next;
                charge!();
                match next {
                    Next::Go(to) => {
                        pc = to;
                        resync!();
                        continue;
                    }
                    Next::Stop(stop) => stop!(stop),
                }
            }};
        }
        macro_rules! throw {
            ($exception:expr) => {{
                let exception = $exception;
                let next = self.throw_next(program, Some(pc), exception);
                go!(next)
            }};
        }
        macro_rules! branch {
            ($condition:expr, $to:expr) => {{
                pc = if $condition {
                    pc.wrapping_add_signed(i32::from($to))
                } else {
                    pc + 1
                };
                continue;
            }};
        }
        macro_rules! word {
            ($t:expr, $i:expr) => {{
                let (words, literals) = self.heap.areas();
                let area = if $t.in_literals() { literals } else { words };
                area[$t.index() + $i]
            }};
        }
        // The name of an operator with a small constant: in older releases it is an instruction.
        macro_rules! constant {
            ($name:expr) => {
                Newer::FramesOfConstants.is_in(program.release()).then_some($name)
            };
        }
        macro_rules! arithmetic {
            ($dst:expr, $a:expr, $b:expr, $slow:path, $name:expr) => {{
                let (a, b) = ($a, $b);
                match $slow(&mut self.heap, a, b) {
                    Ok(value) => {
                        set!($dst, value);
                        pc += 1;
                        continue;
                    }
                    Err(raise) => {
                        sync!();
                        let name: Option<&str> = $name;
                        let exception = match name {
                            Some(name) => self.operator_raise(program, pc, name, [a, b], raise),
                            // In OTP this is an instruction too, so it is not in the stack trace.
                            None => Exception::error(raise.reason),
                        };
                        throw!(exception)
                    }
                }
            }};
        }
        // Arithmetic of floats, and of floats and small integers; goes on behind it if the result is not finite, or the operands are others.
        macro_rules! floats {
            ($dst:expr, $operands:expr, $operator:tt) => {
                if let Some((x, y)) = $operands {
                    let value = x $operator y;
                    if value.is_finite() {
                        let words = [header(BoxKind::Float, 1), value.to_bits()];
                        let heap = self.heap.words_mut();
                        let at = heap.len();
                        push_words(heap, words);
                        set!($dst, Term::box_at(at));
                        pc += 1;
                        continue;
                    }
                }
            };
        }
        // Calls a pure native.
        macro_rules! native {
            ($dst:expr, $native:expr, $count:expr) => {{
                sync!();
                let result = self.call_native(program, pc, $native, $count);
                charge!();
                resync!();
                match result {
                    Ok(value) => {
                        set!($dst, value);
                        pc += 1 + u32::from($count).div_ceil(3);
                    }
                    Err(exception) => throw!(exception),
                }
            }};
        }
        macro_rules! less {
            ($a:expr, $b:expr) => {
                if ($a.0 | $b.0) & 7 == 0 {
                    ($a.0 as i64) < ($b.0 as i64)
                } else if let Some((x, y)) = self.heap.floats($a, $b)
                    && x.abs() < EXACT
                    && y.abs() < EXACT
                {
                    x < y
                } else {
                    ops::compare(&self.heap, $a, $b).is_lt()
                }
            };
        }
        macro_rules! enter {
            ($frame:expr) => {{
                if remaining == 0 {
                    sync!();
                    self.point = StopPoint::Entry;
                    stop!(Stop::Preempted);
                }
                if self.heap.wants_collection() {
                    sync!();
                    self.point = StopPoint::Entry;
                    self.collect(program);
                    if self.heap.is_full() {
                        stop!(Stop::Preempted);
                    }
                    resync!();
                }
                remaining -= 1;
                room!($frame);
                pc += 1;
                continue;
            }};
        }
        // Jumps to a function's entry and executes it, unless a collection or a preemption is due.
        macro_rules! call {
            ($target:expr) => {{
                pc = $target;
                if !OBSERVED {
                    // SAFETY: a function's entry is an instruction of the program (verifier).
                    let entry = unsafe { *code.add(pc as usize) };
                    let frame = match entry {
                        I::Enter { frame, .. } => frame,
                        I::EnterGenerator { frame, .. } if get!(1).is_cons() => frame,
                        _ => continue,
                    };
                    if remaining > 0
                        && !self.heap.wants_collection()
                        && regs.wrapping_add(frame as usize).cast_const() <= limit
                    {
                        remaining -= 1;
                        pc += 1;
                    }
                }
                continue;
            }};
        }
        // Returns a value to the caller.
        macro_rules! back {
            ($value:expr) => {{
                let value: Term = $value;
                let (to, base) = of_return_word(get!(0).0);
                set!(0, value);
                // SAFETY: the return word says where the caller's frame starts, and only calls write it.
                regs = unsafe { regs.sub(base) };
                pc = to;
                continue;
            }};
        }
        // Takes the rest of a binary. The position is not needed afterwards.
        macro_rules! rest {
            ($src:expr, $pos:expr, $dst:expr, $unit:expr) => {{
                let (src, at) = (get!($src), get!($pos).small_value() as usize);
                let found = if $dst == 0 {
                    crate::binary::len(&self.heap, src).is_some_and(|len| (len - at).is_multiple_of($unit))
                } else if let Some(rest) = self.heap.rest(src, at, $unit) {
                    set!($dst, rest);
                    true
                } else {
                    false
                };
                pc += 1 + u32::from(found);
            }};
        }
        // Executes the call instruction at `pc`, the second of a pair.
        macro_rules! second_call {
            () => {{
                pc += 1;
                if OBSERVED {
                    continue;
                }
                // SAFETY: the second of a pair is an instruction of the program (`fuse`).
                let I::Call { base, target } = (unsafe { *code.add(pc as usize) }) else {
                    continue;
                };
                // SAFETY: `base` is a register of the frame (verifier).
                unsafe {
                    regs = regs.add(base as usize);
                    *regs = return_word(pc + 2, u32::from(base));
                }
                call!(target)
            }};
        }
        macro_rules! second_tail_call {
            () => {{
                pc += 1;
                if OBSERVED {
                    continue;
                }
                // SAFETY: as in `second_call!`.
                let I::TailCall { target } = (unsafe { *code.add(pc as usize) }) else {
                    continue;
                };
                call!(target)
            }};
        }
        // Executes the `Band` at the next position, if its operands are small.
        macro_rules! second_band {
            () => {{
                pc += 1;
                if OBSERVED {
                    continue;
                }
                // SAFETY: as in `second_call!`.
                if let I::Band { dst, a, b } = (unsafe { *code.add(pc as usize) }) {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 {
                        set!(dst, Term(a.0 & b.0));
                        pc += 1;
                    }
                }
                continue;
            }};
        }
        macro_rules! room {
            ($frame:expr) => {
                // SAFETY: compared only; a frame has at most 65,536 registers, and addresses do not wrap.
                if regs.wrapping_add($frame as usize).cast_const() > limit {
                    sync!();
                    self.grow($frame as usize);
                    resync!();
                }
            };
        }

        // The entry of the local fun in a register, if it is one of this arity, of a module that is not disturbed; captured variables are put in place.
        macro_rules! local_fun {
            ($register:expr, $arity:expr) => {{
                let register = $register;
                let fun = get!(register);
                match self.heap.boxed(fun) {
                    Some((BoxKind::Fun, [place, rest, captured @ ..]))
                        if u16::from(fun_arity(*rest)) == u16::from($arity)
                            && program.funs[fun_id(*place) as usize].entry != ASKS =>
                    {
                        let id = fun_id(*place) as usize;
                        for (i, value) in captured.iter().enumerate() {
                            // SAFETY: a fun captures at most 255 variables, and the margin of the stack has room for them.
                            unsafe { *regs.add(register as usize + i) = *value }
                        }
                        Some(program.funs[id].entry)
                    }
                    _ => None,
                }
            }};
        }

        let pc_then = self.pc;
        let start = match self.point {
            StopPoint::Idle => panic!("a process without a first call is run"),
            StopPoint::Native { .. } => panic!("a process that waits for an answer is run"),
            StopPoint::Ended(end) => return Stop::Ended(end),
            StopPoint::Entry | StopPoint::After { .. } | StopPoint::Waiting | StopPoint::Between => Next::Go(pc_then),
            StopPoint::Call { name, version } => self.resolved_call(program, name, version),
            StopPoint::Undefined { name } => self.undefined_call(program, name, None),
            StopPoint::CallFun { arity } => self.call_value(
                program,
                arity,
                Site {
                    pc: 0,
                    next: 0,
                    base: 0,
                    tail: true,
                },
            ),
            StopPoint::Raising {
                id,
                first,
                count,
                tail,
                raise,
            } => {
                let args: Vec<Term> = (0..count).map(|i| self.reg(first + i)).collect();
                let at = if tail { pc_then } else { pc_then - 1 };
                let at = (at > super::program::END).then_some(at);
                let exception = self.native_raise(program, at, id, &args, tail, raise);
                self.throw_next(program, at, exception)
            }
        };
        match start {
            Next::Go(to) => {
                pc = to;
                resync!();
            }
            Next::Stop(stop) => stop!(stop),
        }
        charge!();

        loop {
            // SAFETY: `pc` starts at an instruction and every jump goes to one (verifier); code is never removed.
            let instr = unsafe { *code.add(pc as usize) };
            if OBSERVED {
                sync!();
                if self.observe(program, observer) {
                    self.point = StopPoint::Between;
                    stop!(Stop::Observed);
                }
            }
            match instr {
                I::Move { dst, src } => {
                    set!(dst, get!(src));
                    pc += 1;
                }
                I::Move2 { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    set!(dst, a);
                    set!(dst + 1, b);
                    pc += 1;
                }
                I::Small { dst, value } => {
                    set!(dst, Term::small(i64::from(value)));
                    pc += 1;
                }
                I::Atom { dst, atom } => {
                    set!(dst, Term::atom(Atom::from_index(atom)));
                    pc += 1;
                }
                I::Nil { dst } => {
                    set!(dst, Term::NIL);
                    pc += 1;
                }
                I::Const { dst, index } => {
                    set!(dst, program.constants[index as usize]);
                    pc += 1;
                }

                // ---- the first of a pair: the second follows, and is executed at once unless there is an observer
                I::MoveCall { dst, src } => {
                    set!(dst, get!(src));
                    second_call!()
                }
                I::MoveTailCall { dst, src } => {
                    set!(dst, get!(src));
                    second_tail_call!()
                }
                I::Move2Call { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    set!(dst, a);
                    set!(dst + 1, b);
                    second_call!()
                }
                I::Move2TailCall { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    set!(dst, a);
                    set!(dst + 1, b);
                    second_tail_call!()
                }
                I::SubSmallCall { dst, src, value } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    if a.is_small()
                        && let Some(difference) = (a.0 as i64).checked_sub(b.0 as i64)
                    {
                        set!(dst, Term(difference as u64));
                        second_call!()
                    }
                    arithmetic!(dst, a, b, arith::sub, constant!("-"))
                }
                I::ConstBand { dst, index } => {
                    set!(dst, program.constants[index as usize]);
                    second_band!()
                }
                I::SmallBand { dst, value } => {
                    set!(dst, Term::small(i64::from(value)));
                    second_band!()
                }
                I::SubSmallAdd { dst, src, value } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    if a.is_small()
                        && let Some(difference) = (a.0 as i64).checked_sub(b.0 as i64)
                    {
                        set!(dst, Term(difference as u64));
                        pc += 1;
                        if OBSERVED {
                            continue;
                        }
                        // SAFETY: as in `second_call!`.
                        if let I::Add { dst, a, b } = unsafe { *code.add(pc as usize) } {
                            let (a, b) = (get!(a), get!(b));
                            if (a.0 | b.0) & 7 == 0
                                && let Some(sum) = (a.0 as i64).checked_add(b.0 as i64)
                            {
                                set!(dst, Term(sum as u64));
                                pc += 1;
                            }
                        }
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::sub, constant!("-"))
                }

                // ---- functions
                I::Mark { number } => {
                    program.marks.count(number);
                    pc += 1;
                }
                I::Enter { frame, .. } => enter!(frame),
                I::EnterGenerator { frame, .. } => {
                    let over = get!(1);
                    if over.is_cons() || over.is_box() && self.heap.bits(over).is_some_and(|b| b.len > 0) {
                        enter!(frame);
                    }
                    room!(frame);
                    pc += 1;
                }
                I::Call { base, target } => {
                    // SAFETY: `base` is a register of the frame (verifier).
                    unsafe {
                        regs = regs.add(base as usize);
                        *regs = return_word(pc + 2, u32::from(base));
                    }
                    call!(target)
                }
                I::TailCall { target } => call!(target),
                I::Return { src } => back!(get!(src)),
                I::ReturnCons { head, tail } => {
                    let cell = [get!(head).0, get!(tail).0];
                    let heap = self.heap.words_mut();
                    let at = heap.len();
                    push_words(heap, cell);
                    back!(Term::cons_at(at))
                }
                I::ReturnAtom { atom } => back!(Term::atom(Atom::from_index(atom))),
                I::End => {
                    let end = ProcessEnd {
                        class: EndClass::Normal,
                        reason: get!(0),
                        stacktrace: Term::NIL,
                    };
                    sync!();
                    self.point = StopPoint::Ended(end);
                    stop!(Stop::Ended(end));
                }
                I::CallExternal { base, import } => {
                    let import = &program.imports[import as usize];
                    if let NameTarget::Code(target) = import.target {
                        // SAFETY: `base` is a register of the frame (verifier).
                        unsafe {
                            regs = regs.add(base as usize);
                            *regs = return_word(pc + 2, u32::from(base));
                        }
                        call!(target)
                    }
                    sync!();
                    let site = Site {
                        pc,
                        next: pc + 2,
                        base,
                        tail: false,
                    };
                    go!(self.call_target(program, import.target, import.name, site));
                }
                I::TailExternal { import } => {
                    let import = &program.imports[import as usize];
                    if let NameTarget::Code(target) = import.target {
                        call!(target)
                    }
                    sync!();
                    let site = Site {
                        pc,
                        next: 0,
                        base: 0,
                        tail: true,
                    };
                    go!(self.call_target(program, import.target, import.name, site));
                }
                I::CallFun { base, arity } => {
                    let behind = base + arity + 1;
                    if let Some(target) = local_fun!(behind, arity) {
                        // SAFETY: `base` is a register of the frame (verifier).
                        unsafe {
                            regs = regs.add(base as usize);
                            *regs = return_word(pc + 2, u32::from(base));
                        }
                        call!(target)
                    }
                    sync!();
                    go!(self.call_value(
                        program,
                        arity,
                        Site {
                            pc,
                            next: pc + 2,
                            base,
                            tail: false
                        }
                    ));
                }
                I::TailFun { arity } => {
                    if let Some(target) = local_fun!(arity + 1, arity) {
                        call!(target)
                    }
                    sync!();
                    go!(self.call_value(
                        program,
                        arity,
                        Site {
                            pc,
                            next: 0,
                            base: 0,
                            tail: true
                        }
                    ));
                }
                I::CallApply { base, arity } => {
                    sync!();
                    go!(self.call_apply(
                        program,
                        arity,
                        Site {
                            pc,
                            next: pc + 2,
                            base,
                            tail: false
                        }
                    ));
                }
                I::TailApply { arity } => {
                    sync!();
                    go!(self.call_apply(
                        program,
                        arity,
                        Site {
                            pc,
                            next: 0,
                            base: 0,
                            tail: true
                        }
                    ));
                }
                I::CallApplyList { base, count } => {
                    sync!();
                    go!(self.call_apply_list(
                        program,
                        count,
                        Site {
                            pc,
                            next: pc + 2,
                            base,
                            tail: false
                        }
                    ));
                }
                I::TailApplyList { count } => {
                    sync!();
                    go!(self.call_apply_list(
                        program,
                        count,
                        Site {
                            pc,
                            next: 0,
                            base: 0,
                            tail: true
                        }
                    ));
                }
                I::Native { dst, native, count } => native!(dst, native, count),
                I::NativeElement { dst, native, count } => {
                    // SAFETY: an `Ops` word follows, as behind every native with arguments (verifier).
                    if let I::Ops { a, b, .. } = unsafe { *code.add(pc as usize + 1) }
                        && let Some(value) = self.heap.element(get!(b), get!(a))
                    {
                        set!(dst, value);
                        pc += 2;
                        continue;
                    }
                    native!(dst, native, count)
                }
                I::NativeTupleSize { dst, native, count } => {
                    // SAFETY: as above.
                    if let I::Ops { a, .. } = unsafe { *code.add(pc as usize + 1) }
                        && let Some(size) = self.heap.tuple_size(get!(a))
                    {
                        set!(dst, Term::small(size as i64));
                        pc += 2;
                        continue;
                    }
                    native!(dst, native, count)
                }
                I::NativeSelf { dst, .. } => {
                    set!(dst, Term::pid(self.local.pid));
                    pc += 1;
                }

                // ---- construction
                I::Cons { dst, head, tail } => {
                    let cell = [get!(head).0, get!(tail).0];
                    let heap = self.heap.words_mut();
                    let at = heap.len();
                    push_words(heap, cell);
                    set!(dst, Term::cons_at(at));
                    pc += 1;
                }
                I::Tuple2 { dst, a, b } => {
                    let words = [header(BoxKind::Tuple, 2), get!(a).0, get!(b).0];
                    let heap = self.heap.words_mut();
                    let at = heap.len();
                    push_words(heap, words);
                    set!(dst, Term::box_at(at));
                    pc += 1;
                }
                I::Tuple { dst, len } => {
                    let heap = self.heap.words_mut();
                    let at = heap.len();
                    heap.reserve(len as usize + 3);
                    heap.push(header(BoxKind::Tuple, len as usize));
                    let words = u32::from(len).div_ceil(3);
                    for i in 0..words {
                        // SAFETY: `Ops` words follow (verifier).
                        if let I::Ops { a, b, c } = unsafe { *code.add((pc + 1 + i) as usize) } {
                            heap.extend_from_slice(&[get!(a).0, get!(b).0, get!(c).0]);
                        }
                    }
                    heap.truncate(at + 1 + len as usize);
                    set!(dst, Term::box_at(at));
                    pc += 1 + words;
                }
                I::MakeFun { dst, fun } => {
                    sync!();
                    let entry = &program.funs[fun as usize];
                    let captured = self.packed(program, pc, entry.captured as usize);
                    let heap = self.heap.words_mut();
                    let at = heap.len();
                    heap.push(header(BoxKind::Fun, captured.len() + 2));
                    heap.extend_from_slice(&entry.words);
                    heap.extend(captured.iter().map(|t| t.0));
                    resync!();
                    set!(dst, Term::box_at(at));
                    pc += 1 + u32::from(entry.captured).div_ceil(3);
                }
                I::Map { dst, len } => {
                    sync!();
                    let map = self.make_map(program, pc, len as usize);
                    resync!();
                    set!(dst, map);
                    pc += 1 + u32::from(len);
                }
                I::MapUpdate { dst, src, len } => {
                    sync!();
                    let map = get!(src);
                    let result = self.update_map(program, pc, map, len as usize);
                    resync!();
                    match result {
                        Ok(map) => {
                            set!(dst, map);
                            pc += 1 + u32::from(len);
                        }
                        Err(exception) => throw!(exception),
                    }
                }
                I::Binary { dst, len } => {
                    sync!();
                    let result = self.make_binary(program, pc, len as usize);
                    resync!();
                    match result {
                        Ok(binary) => {
                            set!(dst, binary);
                            pc += 1 + u32::from(len);
                        }
                        Err(exception) => throw!(exception),
                    }
                }
                I::Reverse { dst, src, tail } => {
                    let list = self.reverse_onto(get!(src), get!(tail));
                    set!(dst, list);
                    pc += 1;
                }
                I::JoinMap { dst, src } => {
                    let map = self.join_map(get!(src));
                    set!(dst, map);
                    pc += 1;
                }

                // ---- access
                I::GetList { src, head, tail } => {
                    let cell = get!(src);
                    let (h, t) = (word!(cell, 0), word!(cell, 1));
                    set!(head, Term(h));
                    set!(tail, Term(t));
                    pc += 1;
                }
                I::Element { dst, src, index } => {
                    let tuple = get!(src);
                    set!(dst, Term(word!(tuple, 1 + index as usize)));
                    pc += 1;
                }
                I::Element2 { dst, src, index } => {
                    let tuple = get!(src);
                    let (a, b) = (word!(tuple, 1 + index as usize), word!(tuple, 2 + index as usize));
                    set!(dst, Term(a));
                    set!(dst + 1, Term(b));
                    pc += 1;
                }

                // ---- branches
                I::Jump { target } => pc = target,
                I::NotCons { src, to } => branch!(!get!(src).is_cons(), to),
                I::NotNil { src, to } => branch!(!get!(src).is_nil(), to),
                I::NotTuple { src, arity, to } => {
                    let t = get!(src);
                    branch!(!t.is_box() || word!(t, 0) != header(BoxKind::Tuple, arity as usize), to)
                }
                I::NotTagged { src, tag, to } => {
                    let t = get!(src);
                    if !t.is_box() {
                        branch!(true, to);
                    }
                    let (header, name) = program.tags[tag as usize];
                    branch!(word!(t, 0) != header || word!(t, 1) != name, to)
                }
                I::NotAtom { src, atom, to } => {
                    branch!(get!(src) != Term::atom(Atom::from_index(u32::from(atom))), to)
                }
                I::IsAtom { src, atom, to } => {
                    branch!(get!(src) == Term::atom(Atom::from_index(u32::from(atom))), to)
                }
                I::NotSmall { src, value, to } => branch!(get!(src) != Term::small(i64::from(value)), to),
                I::IsSmall { src, value, to } => branch!(get!(src) == Term::small(i64::from(value)), to),
                I::NotType { src, ty, to } => branch!(!slow::has_type(&self.heap, get!(src), ty), to),
                I::IsType { src, ty, to } => branch!(slow::has_type(&self.heap, get!(src), ty), to),
                I::Less { a, b, to } => {
                    let (a, b) = (get!(a), get!(b));
                    branch!(less!(a, b), to)
                }
                I::NotLess { a, b, to } => {
                    let (a, b) = (get!(a), get!(b));
                    branch!(!less!(a, b), to)
                }
                I::Equal { a, b, to } => branch!(slow::equal(&self.heap, get!(a), get!(b)), to),
                I::NotEqual { a, b, to } => branch!(!slow::equal(&self.heap, get!(a), get!(b)), to),
                I::Same { a, b, to } => branch!(slow::same(&self.heap, get!(a), get!(b)), to),
                I::NotSame { a, b, to } => branch!(!slow::same(&self.heap, get!(a), get!(b)), to),
                I::LessSmall { src, value, to } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    branch!(less!(a, b), to)
                }
                I::NotLessSmall { src, value, to } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    branch!(!less!(a, b), to)
                }
                I::MoreSmall { src, value, to } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    branch!(less!(b, a), to)
                }
                I::NotMoreSmall { src, value, to } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    branch!(!less!(b, a), to)
                }
                I::MatchCons { src, dst, to } => {
                    let t = get!(src);
                    if !t.is_cons() {
                        branch!(true, to);
                    }
                    let (head, tail) = (word!(t, 0), word!(t, 1));
                    set!(dst, Term(head));
                    set!(dst + 1, Term(tail));
                    pc += 1;
                }
                I::Switch { src, table } => pc = program.switches[table as usize].target(get!(src).0),
                I::SwitchTag { src, table } => {
                    let t = get!(src);
                    // No key is 0: an arity is at least 1.
                    let mut key = 0;
                    if t.is_box() {
                        let h = word!(t, 0);
                        if BoxKind::of_header(h) == BoxKind::Tuple && h >> 8 > 0 {
                            key = (h >> 8) << 40 | word!(t, 1);
                        }
                    }
                    pc = program.switches[table as usize].target(key);
                }
                I::MapGet { map, key, dst } => match crate::maps::get(&self.heap, get!(map), get!(key)) {
                    Some(value) => {
                        set!(dst, value);
                        pc += 2;
                    }
                    None => pc += 1,
                },
                I::BinaryStart { src, pos } => {
                    let t = get!(src);
                    if t.is_box() && BoxKind::of_header(word!(t, 0)).is_binary() {
                        set!(pos, Term::small(0));
                        pc += 2;
                    } else {
                        pc += 1;
                    }
                }
                I::BinaryGet { src, pos, dst } => {
                    sync!();
                    let at = get!(pos).small_value() as usize;
                    let (src, wanted) = (get!(src), dst != 0);
                    let found = self.match_segment(program, pc, src, at, wanted);
                    resync!();
                    match found {
                        Some((value, bits)) => {
                            if wanted {
                                set!(dst, value);
                            }
                            set!(pos, Term::small((at + bits) as i64));
                            pc += 3;
                        }
                        None => pc += 2,
                    }
                }
                I::BinaryByte { src, pos, dst } => {
                    let at = get!(pos).small_value() as usize;
                    match self.heap.byte(get!(src), at) {
                        Some(byte) => {
                            if dst != 0 {
                                set!(dst, Term::small(i64::from(byte)));
                            }
                            set!(pos, Term::small((at + 8) as i64));
                            pc += 2;
                        }
                        None => pc += 1,
                    }
                }
                I::BinaryRest { src, pos, dst } => rest!(src, pos, dst, 8),
                I::BitsRest { src, pos, dst } => rest!(src, pos, dst, 1),
                I::BinaryLiteral { src, pos } => {
                    // SAFETY: an `Ops` word follows (verifier).
                    let I::Ops { a, .. } = (unsafe { *code.add(pc as usize + 1) }) else {
                        unreachable!("an operand word follows")
                    };
                    let at = get!(pos).small_value() as usize;
                    match self.match_constant(get!(src), at, get!(a)) {
                        Some(bits) => {
                            set!(pos, Term::small((at + bits) as i64));
                            pc += 3;
                        }
                        None => pc += 2,
                    }
                }
                I::BinaryEnd { src, pos } => {
                    let at = get!(pos).small_value() as usize;
                    pc += if crate::binary::len(&self.heap, get!(src)) == Some(at) {
                        2
                    } else {
                        1
                    };
                }

                // ---- arithmetic
                I::Add { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0
                        && let Some(sum) = (a.0 as i64).checked_add(b.0 as i64)
                    {
                        set!(dst, Term(sum as u64));
                        pc += 1;
                        continue;
                    }
                    floats!(dst, self.heap.some_float(a, b), +);
                    arithmetic!(dst, a, b, arith::add, Some("+"))
                }
                I::Sub { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0
                        && let Some(difference) = (a.0 as i64).checked_sub(b.0 as i64)
                    {
                        set!(dst, Term(difference as u64));
                        pc += 1;
                        continue;
                    }
                    floats!(dst, self.heap.some_float(a, b), -);
                    arithmetic!(dst, a, b, arith::sub, Some("-"))
                }
                I::Mul { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0
                        && let Some(product) = a.small_value().checked_mul(b.0 as i64)
                    {
                        set!(dst, Term(product as u64));
                        pc += 1;
                        continue;
                    }
                    floats!(dst, self.heap.some_float(a, b), *);
                    arithmetic!(dst, a, b, arith::mul, Some("*"))
                }
                I::AddSmall { dst, src, value } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    if a.is_small()
                        && let Some(sum) = (a.0 as i64).checked_add(b.0 as i64)
                    {
                        set!(dst, Term(sum as u64));
                        pc += 1;
                        continue;
                    }
                    floats!(dst, self.heap.some_float(a, b), +);
                    arithmetic!(dst, a, b, arith::add, constant!("+"))
                }
                I::SubSmall { dst, src, value } => {
                    let (a, b) = (get!(src), Term::small(i64::from(value)));
                    if a.is_small()
                        && let Some(difference) = (a.0 as i64).checked_sub(b.0 as i64)
                    {
                        set!(dst, Term(difference as u64));
                        pc += 1;
                        continue;
                    }
                    floats!(dst, self.heap.some_float(a, b), -);
                    arithmetic!(dst, a, b, arith::sub, constant!("-"))
                }
                I::Divide { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    // Division by zero is no finite float.
                    floats!(dst, self.heap.floats(a, b), /);
                    arithmetic!(dst, a, b, arith::div, None)
                }
                I::Div { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    // Division by −1 takes the slow path: for the smallest small integer the result is not small.
                    if (a.0 | b.0) & 7 == 0 && b.0 != 0 && b.0 as i64 != -8 {
                        set!(dst, Term::small(a.small_value() / b.small_value()));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::idiv, Some("div"))
                }
                I::Rem { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 && b.0 != 0 && b.0 as i64 != -8 {
                        set!(dst, Term::small(a.small_value() % b.small_value()));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::rem, Some("rem"))
                }
                I::Band { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 {
                        set!(dst, Term(a.0 & b.0));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::band, Some("band"))
                }
                I::Bor { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 {
                        set!(dst, Term(a.0 | b.0));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::bor, Some("bor"))
                }
                I::Bxor { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 {
                        set!(dst, Term(a.0 ^ b.0));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::bxor, Some("bxor"))
                }
                I::Bsl { dst, a, b } => arithmetic!(dst, get!(a), get!(b), arith::bsl, Some("bsl")),
                I::Bsr { dst, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if (a.0 | b.0) & 7 == 0 && b.0 as i64 >= 0 {
                        set!(dst, Term::small(a.small_value() >> b.small_value().min(63)));
                        pc += 1;
                        continue;
                    }
                    arithmetic!(dst, a, b, arith::bsr, Some("bsr"))
                }

                // ---- exceptions
                I::Fail { kind, src } => {
                    sync!();
                    let value = get!(src);
                    let exception = self.failure(kind, value);
                    throw!(exception)
                }
                I::FunctionClause => {
                    sync!();
                    let exception = self.function_clause(program, pc);
                    throw!(exception)
                }
                I::Raise { class, reason, args } => {
                    sync!();
                    let reason = get!(reason);
                    let class = match class {
                        RaiseClass::Error => ExceptionClass::Error,
                        RaiseClass::Exit => ExceptionClass::Exit,
                        RaiseClass::Throw => ExceptionClass::Throw,
                    };
                    let exception = if args == 0 {
                        Exception {
                            class,
                            reason,
                            first: First::None,
                            here: 1,
                        }
                    } else {
                        let args = get!(args);
                        self.error_with_args(program, pc, reason, args, Term::NIL)
                    };
                    throw!(exception)
                }
                I::Reraise { base } => {
                    sync!();
                    let exception = self.reraise(self.frame + base as usize);
                    throw!(exception)
                }
                I::CatchValue { dst, base } => {
                    sync!();
                    let value = self.catch_value(program, self.frame + base as usize);
                    resync!();
                    set!(dst, value);
                    pc += 1;
                }
                I::Stacktrace { dst, src } => {
                    let trace = self.stacktrace(program, get!(src));
                    set!(dst, trace);
                    pc += 1;
                }

                // ---- messages
                I::ReceiveStart { mark } => {
                    match self.heap.view(if mark == 0 { Term::NIL } else { get!(mark) }) {
                        TermView::Reference(reference) if reference.owner == self.local.pid => {
                            self.mailbox.rewind_to(reference.number);
                        }
                        _ => self.mailbox.rewind(),
                    }
                    pc += 1;
                }
                I::Peek { dst, timeout } => {
                    if let Some(message) = self.mailbox.peek(&mut self.heap) {
                        if OBSERVED {
                            self.matching = true;
                        }
                        set!(dst, message);
                        pc += 3;
                        continue;
                    }
                    if OBSERVED {
                        self.matching = false;
                    }
                    sync!();
                    let time = if timeout == 0 {
                        Some(Timeout::Infinity)
                    } else {
                        slow::timeout(&self.heap, get!(timeout))
                    };
                    let Some(timeout) = time else {
                        throw!(Exception::error(Term::atom(Atom::TIMEOUT_VALUE)));
                    };
                    self.point = StopPoint::Waiting;
                    stop!(Stop::Wait { timeout });
                }
                I::Sleep { timeout } => {
                    sync!();
                    let Some(timeout) = slow::timeout(&self.heap, get!(timeout)) else {
                        throw!(Exception::error(Term::atom(Atom::TIMEOUT_VALUE)));
                    };
                    self.point = StopPoint::Waiting;
                    stop!(Stop::Wait { timeout });
                }
                I::ReceiveNext { target } => {
                    self.mailbox.advance();
                    pc = target;
                }
                I::Accept => {
                    let tag = self.mailbox.accept();
                    if OBSERVED {
                        self.matching = false;
                    }
                    pc += 2;
                    sync!();
                    self.point = StopPoint::After { result: None };
                    stop!(Stop::Received(tag));
                }
                I::Live { .. } | I::LiveTable { .. } | I::Ops { .. } => {
                    unreachable!("extension words are never executed")
                }
            }
        }
    }

    /// Enlarges the stack for a frame of this many registers.
    #[cold]
    fn grow(&mut self, frame: usize) {
        let needed = self.frame + frame + STACK_MARGIN + 1;
        let len = needed.max(self.stack.len() * 2);
        self.stack.resize(len, 0);
    }

    /// Reports a new place to the observer. True: stop.
    #[cold]
    fn observe(&mut self, program: &Program, observer: &mut dyn Observer) -> bool {
        let (start, end, frame) = self.seen;
        if self.matching {
            return false;
        }
        if (start..end).contains(&self.pc) && frame == self.frame {
            return false;
        }
        let Some(f) = program.function_at(self.pc) else {
            return false;
        };
        let (_, end) = program.place(f, self.pc);
        self.seen = (self.pc, end, self.frame);
        observer.place(program, self, Pc(self.pc), self.frame).is_break()
    }

    #[cold]
    fn throw_next(&mut self, program: &Program, pc: Option<u32>, e: Exception) -> Next {
        match self.throw(program, pc, e) {
            Some(to) => Next::Go(to),
            None => match self.point {
                StopPoint::Ended(end) => Next::Stop(Stop::Ended(end)),
                _ => unreachable!("an unhandled exception ends the process"),
            },
        }
    }

    /// Returns a value to the caller of the innermost frame.
    fn return_value(&mut self, value: Term) -> Next {
        let (pc, base) = of_return_word(self.stack[self.frame]);
        self.stack[self.frame] = value.0;
        self.frame -= base;
        Next::Go(pc)
    }

    /// Makes the frame of a callee whose arguments are in place.
    fn push_frame(&mut self, site: Site) {
        if !site.tail {
            self.frame += site.base as usize;
            self.stack[self.frame] = return_word(site.next, u32::from(site.base));
        }
    }
}
