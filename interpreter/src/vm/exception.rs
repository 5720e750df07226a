//! Raising, unwinding, stack traces.

use super::catches::Catch;
use super::instr::FailKind;
use super::otp_frames;
use super::process::{EndClass, Process, ProcessEnd, StopPoint, of_return_word};
use super::program::{END, FunctionInfo, Mfa, Program, Special};
use super::{NativeId, Pc};
use crate::atom::Atom;
use crate::heap::TermView;
use crate::maps;
use crate::native::{ExceptionClass, Raise};
use crate::newer::Newer;
use crate::term::Term;
use syntax::ast::Loc;

/// Limit: entries of a stack trace, as OTP's `backtrace_depth`.
const TRACE_LIMIT: usize = 8;

/// The first entry of a stack trace, if it is not just a position in the code.
pub(super) enum First {
    /// Nothing special.
    None,
    /// This entry, already made.
    Entry(Term),
    /// The trace is known: a list that a program may see, or a raw trace.
    Whole(Term),
}

/// An exception about to be raised.
pub(super) struct Exception {
    pub(super) class: ExceptionClass,
    pub(super) reason: Term,
    pub(super) first: First,
    /// How often the position of the raise occurs in the trace.
    pub(super) here: usize,
}

impl Exception {
    pub(super) fn error(reason: Term) -> Self {
        Self {
            class: ExceptionClass::Error,
            reason,
            first: First::None,
            here: 1,
        }
    }
}

fn class_of(term: Term) -> ExceptionClass {
    match term.as_atom() {
        Some(Atom::THROW) => ExceptionClass::Throw,
        Some(Atom::EXIT_LOWER) => ExceptionClass::Exit,
        _ => ExceptionClass::Error,
    }
}

impl Process {
    /// The last exceptions that it caught, in order, if the program notes them ([`Program::note_catches`]).
    pub fn catches(&self) -> impl Iterator<Item = &Catch> {
        self.catches.iter().flat_map(|all| all.last())
    }

    /// Notes an exception that is about to be raised: one that has a stack already had been caught before, and was not for this handler.
    fn note_raise(&mut self, e: &Exception) {
        if let (First::Whole(_), Some(all)) = (&e.first, &mut self.catches) {
            all.take_back(e.class);
        }
    }

    /// Notes an exception that is caught here. `raw`: its trace.
    fn note_catch(&mut self, (class, reason): (ExceptionClass, Term), raw: Term, handler: u32) {
        let positions = self
            .heap
            .tuple(raw)
            .and_then(|words| words.get(1..))
            .unwrap_or_default();
        let raised = positions.iter().map(|pc| Pc(pc.small_value() as u32)).collect();
        let reason = self.heap.export_own(reason);
        let all = self.catches.get_or_insert_default();
        all.note((class, reason), raised, Pc(handler));
    }

    /// Raises. `pc` is inside the instruction that raises, `None` if the innermost frame has no code yet. Returns the position of the handler,
    /// whose frame is then the innermost. `None`: there is no handler, and the process has ended.
    pub(super) fn throw(&mut self, program: &Program, pc: Option<u32>, e: Exception) -> Option<u32> {
        let mut handler = pc.and_then(|pc| program.handler_at(pc));
        if let Some(h) = handler
            && h.base == 0
        {
            return Some(h.target);
        }
        let raw = match e.first {
            First::Whole(trace) => trace,
            First::Entry(entry) => self.raw_trace(program, entry, pc, e.here),
            First::None => self.raw_trace(program, Term::NIL, pc, e.here),
        };
        let mut at = self.frame;
        let mut unhandled = END;
        if program.notes_catches() {
            self.note_raise(&e);
        }
        loop {
            if let Some(h) = handler {
                if program.notes_catches() {
                    self.note_catch((e.class, e.reason), raw, h.target);
                }
                let regs = at + h.base as usize;
                self.stack[regs] = Term::atom(e.class.atom()).0;
                self.stack[regs + 1] = e.reason.0;
                self.stack[regs + 2] = raw.0;
                self.frame = at;
                return Some(h.target);
            }
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END {
                break;
            }
            at -= base;
            // Deep recursion returns to one position a million times.
            if pc != unhandled {
                handler = program.handler_at(pc - 1);
                unhandled = pc;
            }
        }
        // The frames stay for the debugger.
        self.crash = Some(pc.unwrap_or(END));
        let class = match e.class {
            ExceptionClass::Error => EndClass::Error,
            ExceptionClass::Exit => EndClass::Exit,
            ExceptionClass::Throw => EndClass::Throw,
        };
        let stacktrace = self.stacktrace(program, raw);
        self.point = StopPoint::Ended(ProcessEnd {
            class,
            reason: e.reason,
            stacktrace,
        });
        None
    }

    /// `{First, Pc, …}` with code positions as integers: cheap to make, turned into a trace only on request.
    fn raw_trace(&mut self, program: &Program, first: Term, pc: Option<u32>, here: usize) -> Term {
        let mut words = vec![first];
        let limit = TRACE_LIMIT + usize::from(first.is_nil());
        let mut add = |pc: u32, called: bool| {
            if words.len() < limit && !(called && program.is_hidden(pc)) {
                words.push(Term::small(i64::from(pc)));
            }
            words.len() < limit
        };
        if let Some(pc) = pc {
            (0..here).for_each(|_| {
                add(pc, false);
            });
        }
        // As in OTP, a position to which many activations return in a row occurs only once.
        let mut at = self.frame;
        let mut last = END;
        loop {
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END || pc != last && !add(pc - 1, true) {
                break;
            }
            last = pc;
            at -= base;
        }
        self.heap.make_tuple(&words)
    }

    /// The trace that a program sees.
    pub(super) fn stacktrace(&mut self, program: &Program, raw: Term) -> Term {
        let Some(words) = self.heap.tuple(raw).map(<[Term]>::to_vec) else {
            return raw;
        };
        let mut entries = Vec::with_capacity(words.len());
        if !words[0].is_nil() {
            entries.push(words[0]);
        }
        for pc in &words[1..] {
            let pc = pc.small_value() as u32;
            if let Some(f) = program.function_at(pc) {
                let (loc, _) = program.place(f, pc);
                let (name, arity) = f.merged.map_or((f.name, f.arity), |m| (m.name, m.arity));
                let arity = Term::small(i64::from(arity));
                entries.push(self.code_entry(program, f, name, loc, arity, &[]));
            }
        }
        self.heap.make_list(&entries)
    }

    /// `{M, F, ArityOrArgs, [{file, File}, {line, Line} | More]}`.
    fn code_entry(
        &mut self,
        program: &Program,
        f: &FunctionInfo,
        name: Atom,
        loc: Loc,
        args: Term,
        more: &[Term],
    ) -> Term {
        let mut location = Vec::new();
        if loc.line != 0 {
            let file = self.heap.make_string(program.file(f, loc));
            location.push(self.heap.make_tuple(&[Term::atom(Atom::FILE), file]));
            location.push(
                self.heap
                    .make_tuple(&[Term::atom(Atom::LINE), Term::small(i64::from(loc.line))]),
            );
        }
        location.extend_from_slice(more);
        let location = self.heap.make_list(&location);
        self.heap
            .make_tuple(&[Term::atom(f.module), Term::atom(name), args, location])
    }

    /// The entry of the function at `pc` with these arguments.
    fn own_entry(&mut self, program: &Program, pc: u32, args: Term, more: &[Term]) -> Option<Term> {
        let f = program.function_at(pc)?;
        let (loc, _) = program.place(f, pc);
        let name = f.merged.map_or(f.name, |m| m.name);
        Some(self.code_entry(program, f, name, loc, args, more))
    }

    /// `error:function_clause` of the function at `pc`, whose arguments are still in place.
    pub(super) fn function_clause(&mut self, program: &Program, pc: u32) -> Exception {
        let f = program.function_at(pc);
        let arity = f.map_or(0, |f| f.merged.map_or(f.arity, |m| m.params) as usize);
        let args: Vec<Term> = self.stack[self.frame + 1..=self.frame + arity]
            .iter()
            .map(|&w| Term(w))
            .collect();
        let args = self.heap.make_list(&args);
        let entry = f.map(|f| {
            let (loc, _) = program.place(f, pc);
            let name = f.merged.map_or(f.name, |m| m.clauses);
            self.code_entry(program, f, name, loc, args, &[])
        });
        Exception {
            class: ExceptionClass::Error,
            reason: Term::atom(Atom::FUNCTION_CLAUSE),
            first: entry.map_or(First::None, First::Entry),
            here: 0,
        }
    }

    /// `error:undef`: the entry is the function that is missing.
    pub(super) fn undef(&mut self, name: Mfa, args: &[Term]) -> Exception {
        let args = self.heap.make_list(args);
        let entry = self
            .heap
            .make_tuple(&[Term::atom(name.0), Term::atom(name.1), args, Term::NIL]);
        Exception {
            class: ExceptionClass::Error,
            reason: Term::atom(Atom::UNDEF),
            first: First::Entry(entry),
            here: 0,
        }
    }

    /// What [`super::instr::Instr::Fail`] raises.
    pub(super) fn failure(&mut self, kind: FailKind, value: Term) -> Exception {
        let tag = match kind {
            FailKind::Badmatch => Atom::BADMATCH,
            FailKind::CaseClause => Atom::CASE_CLAUSE,
            FailKind::IfClause => return Exception::error(Term::atom(Atom::IF_CLAUSE)),
            FailKind::TryClause => Atom::TRY_CLAUSE,
            FailKind::ElseClause => Atom::ELSE_CLAUSE,
            FailKind::BadGenerator => Atom::BAD_GENERATOR,
            FailKind::BadFilter => Atom::BAD_FILTER,
            FailKind::BadRecord => Atom::BADRECORD,
            FailKind::BadBoolean => Atom::BADARG,
            FailKind::BadGenerators => Atom::new("bad_generators"),
        };
        Exception::error(self.heap.make_tuple(&[Term::atom(tag), value]))
    }

    /// `error/2,3` at `pc`: `args` stands for the arguments of the function there.
    pub(super) fn error_with_args(
        &mut self,
        program: &Program,
        pc: u32,
        reason: Term,
        args: Term,
        options: Term,
    ) -> Exception {
        let args = if args.is_list() {
            args
        } else {
            Term::small(
                program
                    .function_at(pc)
                    .map_or(0, |f| i64::from(f.merged.map_or(f.arity, |m| m.arity))),
            )
        };
        let options = self.heap.list(options).unwrap_or_default();
        let info: Vec<Term> = options
            .into_iter()
            .filter(|&o| matches!(self.heap.tuple(o), Some(&[tag, _]) if tag == Term::atom(Atom::ERROR_INFO)))
            .take(1)
            .collect();
        match self.own_entry(program, pc, args, &info) {
            Some(entry) => Exception {
                class: ExceptionClass::Error,
                reason,
                first: First::Entry(entry),
                here: 0,
            },
            None => Exception::error(reason),
        }
    }

    /// The exception of a native, called at `pc` with `args`; `tail`: in tail position of its caller.
    pub(super) fn native_raise(
        &mut self,
        program: &Program,
        pc: Option<u32>,
        id: NativeId,
        args: &[Term],
        tail: bool,
        raise: Raise,
    ) -> Exception {
        let class = raise.class;
        let reason = raise.reason;
        if let Some(trace) = raise.stacktrace {
            return Exception {
                class,
                reason,
                first: First::Whole(trace),
                here: 0,
            };
        }
        match (program.special(id), pc) {
            (Special::Silent, _) => {
                return Exception {
                    class,
                    reason,
                    first: First::None,
                    here: 1,
                };
            }
            (Special::ErrorArgs, Some(pc)) => {
                // Options have no effect unless all of them are of the known form.
                let known = |t: &Term| match self.heap.tuple(*t) {
                    Some(&[key, map]) => {
                        key.as_atom().is_some_and(|key| key.as_str() == "error_info")
                            && crate::maps::is_map(&self.heap, map)
                    }
                    _ => false,
                };
                let given = args.get(2).copied().unwrap_or(Term::NIL);
                let valid = self.heap.list(given).is_some_and(|list| list.iter().all(known));
                let options = if valid { given } else { Term::NIL };
                return self.error_with_args(program, pc, reason, args[1], options);
            }
            _ => {}
        }
        let native = program.native(id);
        if native.module == "erlang"
            && native.name == "+"
            && args.len() == 1
            && !pc.is_some_and(|pc| program.is_dynamic_call(pc))
        {
            // In OTP this is an instruction, which is not in the trace.
            return Exception {
                class,
                reason,
                first: First::None,
                here: 1,
            };
        }
        let (module, name) = (Atom::new(native.module), Atom::new(native.name));
        let shown = otp_frames::shown_as(&mut self.heap, program.release(), (native.module, native.name), args);
        let (name, args) = shown.as_ref().map_or((name, args), |(name, args)| (*name, &args[..]));
        // If no clause matches, OTP's function is written in Erlang.
        let explained = class == ExceptionClass::Error && reason != Term::atom(Atom::FUNCTION_CLAUSE);
        let written = otp_frames::written_in_erlang(native.module, native.name, native.arity);
        let entry = if written {
            self.written_entry(module, name, args, explained)
        } else {
            self.native_entry(module, name, args, explained, raise.cause)
        };
        Exception {
            class,
            reason,
            first: First::Entry(entry),
            here: usize::from(
                !(tail
                    && (otp_frames::replaces_caller(native.module, native.name, native.arity)
                        || pc.is_some_and(|pc| program.is_dynamic_call(pc)))),
            ),
        }
    }

    /// `{M, F, Args, [{file, File}, {line, 1} | …]}`: the entry of a native that is written in Erlang in OTP. A native has no line; the file
    /// has one.
    fn written_entry(&mut self, module: Atom, name: Atom, args: &[Term], explained: bool) -> Term {
        let file = self.heap.make_string(&format!("{}.erl", module.as_str()));
        let mut location = vec![
            self.heap.make_tuple(&[Term::atom(Atom::FILE), file]),
            self.heap.make_tuple(&[Term::atom(Atom::LINE), Term::small(1)]),
        ];
        if explained && otp_frames::explained(module.as_str(), name.as_str(), true) {
            location.push(self.error_info(module, None));
        }
        let args = self.heap.make_list(args);
        let location = self.heap.make_list(&location);
        self.heap
            .make_tuple(&[Term::atom(module), Term::atom(name), args, location])
    }

    /// `{error_info, #{module => …, cause => …}}`.
    fn error_info(&mut self, module: Atom, cause: Option<Atom>) -> Term {
        let explains = match module {
            Atom::ERLANG => Atom::ERL_ERTS_ERRORS,
            module if matches!(module.as_str(), "atomics" | "counters" | "persistent_term") => Atom::ERL_ERTS_ERRORS,
            module if module.as_str() == "os" => Atom::ERL_KERNEL_ERRORS,
            _ => Atom::ERL_STDLIB_ERRORS,
        };
        let mut pairs = vec![(Term::atom(Atom::MODULE), Term::atom(explains))];
        pairs.extend(cause.map(|cause| (Term::atom(Atom::new("cause")), Term::atom(cause))));
        let map = maps::from_pairs(&mut self.heap, &pairs);
        self.heap.make_tuple(&[Term::atom(Atom::ERROR_INFO), map])
    }

    /// `badarith` of an operator that OTP executes as a function: its arguments are in the trace.
    pub(super) fn operator_raise(
        &mut self,
        program: &Program,
        pc: u32,
        name: &str,
        args: [Term; 2],
        raise: Raise,
    ) -> Exception {
        // From OTP 26 on, only operations that convert to floats.
        let is_instruction = program.is_hidden(pc)
            && (!Newer::FramesOfConstants.is_in(program.release())
                || args
                    .iter()
                    .any(|arg| matches!(self.heap.view(*arg), TermView::Float(_))));
        if program.handler_at(pc).is_some_and(|h| h.base == 0) || is_instruction {
            // A guard fails silently; an operation with a constant is an instruction in OTP, which is not in the trace.
            return Exception::error(raise.reason);
        }
        let entry = self.native_entry(
            Atom::ERLANG,
            Atom::new(name),
            &args,
            raise.class == ExceptionClass::Error,
            None,
        );
        Exception {
            class: raise.class,
            reason: raise.reason,
            first: First::Entry(entry),
            here: 1,
        }
    }

    /// `{M, F, Args, [{error_info, #{module => …}}]}`, with the map if the error is `explained` by a module.
    pub(super) fn native_entry(
        &mut self,
        module: Atom,
        name: Atom,
        args: &[Term],
        explained: bool,
        cause: Option<Atom>,
    ) -> Term {
        let args = self.heap.make_list(args);
        let location = if explained && otp_frames::explained(module.as_str(), name.as_str(), false) {
            let info = self.error_info(module, cause);
            self.heap.make_list(&[info])
        } else {
            Term::NIL
        };
        self.heap
            .make_tuple(&[Term::atom(module), Term::atom(name), args, location])
    }

    /// Raises the class, reason and raw trace in three slots again, unchanged.
    pub(super) fn reraise(&self, slot: usize) -> Exception {
        Exception {
            class: class_of(Term(self.stack[slot])),
            reason: Term(self.stack[slot + 1]),
            first: First::Whole(Term(self.stack[slot + 2])),
            here: 0,
        }
    }

    /// The value of `catch` for the exception in three slots.
    pub(super) fn catch_value(&mut self, program: &Program, slot: usize) -> Term {
        let (class, reason, raw) = (
            Term(self.stack[slot]),
            Term(self.stack[slot + 1]),
            Term(self.stack[slot + 2]),
        );
        let exit = Term::atom(Atom::EXIT_UPPER);
        match class_of(class) {
            ExceptionClass::Throw => reason,
            ExceptionClass::Exit => self.heap.make_tuple(&[exit, reason]),
            ExceptionClass::Error => {
                let trace = self.stacktrace(program, raw);
                let pair = self.heap.make_tuple(&[reason, trace]);
                self.heap.make_tuple(&[exit, pair])
            }
        }
    }

    /// `badfun` or `badarity` for a call of something with `count` arguments in slots from `first` on.
    pub(super) fn bad_call(&mut self, fun: Term, is_fun: bool, first: usize, count: usize) -> Exception {
        let reason = if is_fun {
            let args: Vec<Term> = self.stack[first..first + count].iter().map(|&w| Term(w)).collect();
            let args = self.heap.make_list(&args);
            let pair = self.heap.make_tuple(&[fun, args]);
            self.heap.make_tuple(&[Term::atom(Atom::BADARITY), pair])
        } else {
            self.heap.make_tuple(&[Term::atom(Atom::BADFUN), fun])
        };
        Exception::error(reason)
    }
}
