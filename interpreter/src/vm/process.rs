//! One process: heap, stack, mailbox, and position in the code.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::catches::Catches;
use super::instr::{Instr, Reg};
use super::program::{END, Mfa};
use super::{Mailbox, MessageTag, NativeId, Pc, Program, SourceLocation, Spare, VersionId};
use crate::atom::Atom;
use crate::dictionary::Dictionary;
use crate::heap::{Heap, as_terms};
use crate::native::{Local, Raise};
use crate::term::{Pid, Term};

/// How long a `receive` waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timeout {
    /// For ever.
    Infinity,
    /// That many milliseconds; 0 when `after 0` found nothing.
    Millis(u64),
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum EndClass {
    /// Its first function returned.
    Normal,
    /// An uncaught `error`.
    Error,
    /// An uncaught `exit`.
    Exit,
    /// An uncaught `throw`; links see `{nocatch, Reason}` as an error.
    Throw,
}

impl EndClass {
    /// The word for it: that of the exception's class, or `normal`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Error => "error",
            Self::Exit => "exit",
            Self::Throw => "throw",
        }
    }
}

/// The end of a process. Terms are in its heap.
#[derive(Clone, Copy, Debug)]
pub struct ProcessEnd {
    /// How.
    pub class: EndClass,
    /// The reason, or for `Normal` the returned value.
    pub reason: Term,
    /// The stack trace as Erlang shows it; `[]` for `Normal`.
    pub stacktrace: Term,
}

/// Why [`Process::run`] returned: the labels of semantics.md §1.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// The budget is used up; the process is exactly before a counted event.
    Preempted,
    /// A native of the system layer was called: its arguments are [`Process::args`]. To be continued by [`Process::answer`] or [`Process::raise`].
    Native {
        /// Which.
        id: NativeId,
        /// The number it was registered with.
        number: u16,
    },
    /// A `receive` found no match among the messages in the mailbox. To be continued after a [`Process::deliver`], or by [`Process::time_out`].
    Wait {
        /// Of its `after`.
        timeout: Timeout,
    },
    /// A `receive` consumed this message. To be continued directly.
    Received(MessageTag),
    /// A function of a module that is not loaded was called: load it and continue, or call [`Process::undefined`].
    Load(Atom),
    /// A function of a disturbed module ([`Program::disturb`]) was called, to be continued by [`Process::enter`]; or a fun of one, to be continued
    /// by [`Process::enter_fun`].
    Which(Atom),
    /// The process has ended.
    Ended(ProcessEnd),
    /// The observer asked for it (only from [`Process::run_observed`]). To be continued directly.
    Observed,
}

/// What becomes of the call of a fun of a disturbed module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunFate {
    /// Its code is there.
    Runs,
    /// It was purged, and its module has other code now: `badfun`.
    Bad,
    /// It was purged, and its module has no code: `undefined_lambda/3` of the error handler is called.
    Handled,
}

/// See [`Process::asked_fun`].
#[derive(Clone, Copy, Debug)]
pub(super) enum AskedFun {
    /// The number of the fun among those of the program.
    Asks(u32),
    /// What was answered.
    Known(FunFate),
}

/// Watches a process step by step.
pub trait Observer {
    /// The process is about to execute code of another source place than before, in a frame that starts at `depth` words of stack (so a callee
    /// has a greater depth). `Break` makes the run return [`Stop::Observed`] before that code is executed.
    fn place(&mut self, program: &Program, machine: &Process, pc: Pc, depth: usize) -> ControlFlow<()>;
}

/// No observer.
struct NoObserver;

impl Observer for NoObserver {
    fn place(&mut self, _: &Program, _: &Process, _: Pc, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// One activation of a function, to be shown.
#[derive(Clone, Debug)]
pub struct Frame<'p> {
    /// Its place in the source.
    pub location: Option<SourceLocation<'p>>,
    /// Variables in scope, in order of binding; `None` = bound, but the value is no longer kept.
    pub variables: Vec<(Atom, Option<Term>)>,
}

/// The position of a process that is not running. It determines what is live in the innermost frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum StopPoint {
    /// It has nothing to do.
    Idle,
    /// `pc` is an `Enter`: the arguments are live.
    Entry,
    /// `pc` is after a `Live` word, which lists the live registers. The register of the result, if there is one, is live too.
    After { result: Option<Reg> },
    /// `pc` is a `Peek` or `Sleep` followed by its `Live` word.
    Waiting,
    /// At a native whose arguments are in `count` registers from `first` on. Unless it is a tail call, `pc` is after the `Live` word.
    Native {
        id: NativeId,
        first: Reg,
        count: u16,
        tail: bool,
    },
    /// That native raises.
    Raising {
        id: NativeId,
        first: Reg,
        count: u16,
        tail: bool,
        raise: Raise,
    },
    /// A call of a function that is not resolved: its arguments are in registers 1, …; the frame has its return word. `version`: the answer to
    /// [`Stop::Which`].
    Call { name: Mfa, version: Option<VersionId> },
    /// The same, for a function that cannot be defined any more.
    Undefined { name: Mfa },
    /// A call of the fun after `arity` arguments; the frame has its return word.
    CallFun { arity: u16 },
    /// Any place of the observed loop: everything that is in scope may be live.
    Between,
    /// It has ended.
    Ended(ProcessEnd),
}

/// One process. A clone is a checkpoint (call [`Process::collect`] before, to make it small).
#[derive(Clone)]
pub struct Process {
    /// Its heap.
    pub heap: Heap,
    /// What pure natives may use besides the heap.
    pub local: Local,
    /// Messages not consumed yet.
    pub mailbox: Mailbox,
    /// Frames, outermost first. invariant: has [`STACK_MARGIN`] words beyond the innermost frame.
    pub(super) stack: Vec<u64>,
    /// Where the innermost frame starts; its word 0 is the return word.
    pub(super) frame: usize,
    pub(super) pc: u32,
    pub(super) events: u64,
    /// Questions about modules that were answered since the last reset. See [`Process::sight_point`].
    questions: u64,
    pub(super) point: StopPoint,
    /// The last place that was reported to the observer: pc range and frame.
    pub(super) seen: (u32, u32, usize),
    /// The observed loop is matching a message against the clauses of a `receive`. Places are not reported to the observer then, because a
    /// message that does not match has no effect.
    pub(super) matching: bool,
    /// The stack was cut to its live part. It must be enlarged again before the process runs.
    shrunk: bool,
    /// The module whose `undefined_function/3` is called for what does not exist; `None`: such a call raises `undef`.
    pub(super) error_handler: Option<Atom>,
    /// It stands at a call of a fun of a disturbed module.
    pub(super) asked_fun: Option<AskedFun>,
    /// Where the exception that ended it was raised, until the next collection; `END` where the innermost frame had no code.
    pub(super) crash: Option<u32>,
    /// The exceptions that it has caught, if the program notes them.
    pub(super) catches: Option<Box<Catches>>,
}

/// Words kept free above the innermost frame, for captured variables of a callee and arguments of `apply`.
pub(super) const STACK_MARGIN: usize = 600;
pub(super) const FIRST_STACK: usize = 1024;
/// A stack whose innermost frame begins before this is worth lending: it takes a small part of its buffer.
const SHALLOW: usize = FIRST_STACK / 4;

/// The return word: a small integer, so that the collector ignores it.
#[inline(always)]
pub(super) const fn return_word(pc: u32, base: u32) -> u64 {
    ((base as u64) << 32 | pc as u64) << 3
}

/// Return position and distance to the caller's frame.
#[inline(always)]
pub(super) const fn of_return_word(word: u64) -> (u32, usize) {
    ((word >> 3) as u32, (word >> 35) as usize)
}

impl Process {
    /// A process that has nothing to do yet; give it a call by [`Process::start_call`] or [`Process::start_fun`].
    #[must_use]
    pub fn new(program: &Program, pid: Pid, node: Atom) -> Self {
        Self::new_in(
            program,
            pid,
            node,
            crate::native::Nodes::default(),
            &mut Spare::default(),
        )
    }

    /// As [`Process::new`], in a run with these nodes; it reuses buffers of processes that have ended.
    #[must_use]
    pub fn new_in(program: &Program, pid: Pid, node: Atom, nodes: crate::native::Nodes, spare: &mut Spare) -> Self {
        let mut heap = Heap::over(program.literals().clone(), spare.heap());
        heap.follow(program.release());
        if program.collects_always() {
            heap.collect_after(0);
        }
        Self {
            heap,
            local: Local {
                pid,
                node,
                nodes,
                references: 0,
                dictionary: Dictionary::default(),
                charge: 0,
            },
            mailbox: Mailbox::default(),
            stack: spare.stack().unwrap_or_else(|| vec![return_word(END, 0)]),
            frame: 0,
            pc: 0,
            events: 0,
            questions: 0,
            point: StopPoint::Idle,
            seen: (0, 0, 0),
            matching: false,
            shrunk: true,
            error_handler: None,
            asked_fun: None,
            crash: None,
            catches: None,
        }
    }

    fn start(&mut self, args: &[Term], last: Option<Term>, point: StopPoint) {
        let words = args.iter().chain(&last).map(|t| t.0);
        let words = std::iter::once(return_word(END, 0)).chain(words);
        self.shrunk = self.stack.len() < FIRST_STACK;
        if self.shrunk {
            self.stack.clear();
            self.stack.extend(words);
        } else {
            self.stack.iter_mut().zip(words).for_each(|(slot, word)| *slot = word);
        }
        self.frame = 0;
        self.point = point;
    }
    /// The first call: `module:function(args)`. The arguments are in this process's heap.
    ///
    /// # Panics
    /// If there are more than 255 arguments.
    pub fn start_call(&mut self, module: Atom, function: Atom, args: &[Term]) {
        let arity = u8::try_from(args.len()).expect("a function has at most 255 arguments");
        self.start(
            args,
            None,
            StopPoint::Call {
                name: (module, function, arity),
                version: None,
            },
        );
    }
    /// The first call: of a fun. Terms are in this process's heap.
    ///
    /// # Panics
    /// If there are more than 255 arguments.
    pub fn start_fun(&mut self, fun: Term, args: &[Term]) {
        let arity = u16::from(u8::try_from(args.len()).expect("a fun has at most 255 arguments"));
        self.start(args, Some(fun), StopPoint::CallFun { arity });
    }
    /// Runs until a label, or until `budget` counted events have happened.
    ///
    /// The process is preempted exactly before the event that would exceed the budget. A native that charges reductions shortens the run: the
    /// process may then be preempted before `budget` events; [`Process::events`] returns the number.
    pub fn run(&mut self, program: &Program, budget: u32) -> Stop {
        self.heap.set_literals(program.literals());
        self.widen(program);
        self.execute::<false>(program, budget, &mut NoObserver)
    }
    /// [`Process::run`] with an observer.
    pub fn run_observed(&mut self, program: &Program, budget: u32, observer: &mut dyn Observer) -> Stop {
        self.heap.set_literals(program.literals());
        self.widen(program);
        self.execute::<true>(program, budget, observer)
    }
    /// Enlarges a stack that was cut to its live part.
    pub(super) fn widen(&mut self, program: &Program) {
        if self.shrunk {
            self.shrunk = false;
            let top = self.frame_end(program);
            self.stack.resize(top + FIRST_STACK, 0);
        }
    }
    /// The end of the innermost frame.
    fn frame_end(&self, program: &Program) -> usize {
        let size = program.frame_size(self.pc);
        self.frame + size.max(program.frame_size(self.pc.saturating_sub(1)))
    }
    /// Counted events since the last reset (semantics.md §5).
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }
    /// Where a process sees another version of a module: counted events and answered questions about modules since the last reset. Natives are no
    /// counted events, and two of them can be answered differently at one.
    #[must_use]
    pub fn sight_point(&self) -> u64 {
        self.events + self.questions
    }
    /// A question about a module was answered.
    pub fn note_question(&mut self) {
        self.questions += 1;
    }
    /// The position on the stack where the innermost frame starts, in words: the depth that [`Observer::place`] gets.
    #[must_use]
    pub fn frame_start(&self) -> usize {
        self.frame
    }
    /// Makes the next observed run report the current place again. So what an observer sees depends only on the position of the process.
    pub fn forget_place(&mut self) {
        self.seen = (0, 0, 0);
    }
    /// Resets the counter, because an action was logged.
    pub fn reset_events(&mut self) {
        self.events = 0;
        self.questions = 0;
    }
    /// Arguments of the native at which it stopped; empty if it is not at a native.
    #[must_use]
    pub fn args(&self) -> &[Term] {
        match self.point {
            StopPoint::Native { first, count, .. } => {
                let at = self.frame + first as usize;
                as_terms(&self.stack[at..at + count as usize])
            }
            _ => &[],
        }
    }
    /// Sets the result of the native at which it stopped; the value is in its heap.
    ///
    /// # Panics
    /// If it is not at a native.
    pub fn answer(&mut self, value: Term) {
        let StopPoint::Native { first, tail, .. } = self.point else {
            panic!("an answer for a process that stands at {:?}", self.point);
        };
        if tail {
            let (pc, base) = of_return_word(self.stack[self.frame]);
            self.stack[self.frame] = value.0;
            self.frame -= base;
            self.pc = pc;
            self.point = StopPoint::After {
                result: Some(base as Reg),
            };
        } else {
            // The arguments start after the register that receives the result.
            self.stack[self.frame + first as usize - 1] = value.0;
            self.point = StopPoint::After {
                result: Some(first - 1),
            };
        }
    }
    /// Makes the native at which it stopped raise.
    ///
    /// # Panics
    /// If it is not at a native.
    pub fn raise(&mut self, raise: Raise) {
        let StopPoint::Native { id, first, count, tail } = self.point else {
            panic!("an exception for a process that stands at {:?}", self.point);
        };
        self.point = StopPoint::Raising {
            id,
            first,
            count,
            tail,
            raise,
        };
    }
    /// Appends a message to its mailbox.
    #[inline]
    pub fn deliver(&mut self, tag: super::MessageTag, message: crate::heap::Fragment) {
        self.mailbox.push(tag, message, self.local.references);
    }
    /// Puts a priority message into its mailbox, before all ordinary ones.
    pub fn deliver_first(&mut self, tag: super::MessageTag, message: crate::heap::Fragment) {
        self.deliver(tag, message);
        self.mailbox.put_first();
    }
    /// Continues the `receive` in which it waits with its `after`.
    ///
    /// # Panics
    /// If it is not waiting.
    pub fn time_out(&mut self) {
        assert!(
            matches!(self.point, StopPoint::Waiting),
            "a timeout for a process that does not wait"
        );
        self.mailbox.rewind();
        self.pc += 2;
        self.point = StopPoint::After { result: None };
    }
    /// Says that the module of [`Stop::Load`] does not exist: the call raises `undef`.
    ///
    /// # Panics
    /// If it is not at such a call.
    pub fn undefined(&mut self) {
        let StopPoint::Call { name, .. } = self.point else {
            panic!("no function is missing");
        };
        self.point = StopPoint::Undefined { name };
    }
    /// A function that is not there is handled: instead of it, `handler` is called with its module, its name and the list of its arguments.
    ///
    /// # Panics
    /// If it is not at such a call.
    pub fn handled_by(&mut self, handler: (Atom, Atom)) {
        let StopPoint::Call { name, .. } = self.point else {
            panic!("no function is missing");
        };
        let args: Vec<Term> = (1..=u16::from(name.2)).map(|r| self.reg(r)).collect();
        let list = self.heap.make_list(&args);
        for (slot, word) in (self.frame + 1..).zip([Term::atom(name.0), Term::atom(name.1), list]) {
            self.stack[slot] = word.0;
        }
        let name = (handler.0, handler.1, 3);
        self.point = StopPoint::Call { name, version: None };
    }
    /// Says which version the module of [`Stop::Which`] has for this process; `None`: none, so the call raises `undef`.
    ///
    /// # Panics
    /// If it is not at such a call.
    pub fn enter(&mut self, version: Option<VersionId>) {
        let StopPoint::Call { name, .. } = self.point else {
            panic!("nobody asked for a version");
        };
        self.point = match version {
            Some(_) => StopPoint::Call { name, version },
            None => StopPoint::Undefined { name },
        };
    }
    /// The fun of a disturbed module that it is about to call.
    #[must_use]
    pub fn asked_fun(&self) -> Option<u32> {
        match self.asked_fun {
            Some(AskedFun::Asks(fun)) => Some(fun),
            _ => None,
        }
    }
    /// Says what becomes of the call of [`Process::asked_fun`].
    pub fn enter_fun(&mut self, fate: FunFate) {
        self.asked_fun = Some(AskedFun::Known(fate));
    }
    /// The module that is called for functions that do not exist.
    #[must_use]
    pub fn error_handler(&self) -> Atom {
        self.error_handler.unwrap_or(Atom::ERROR_HANDLER)
    }
    /// Sets the module whose `undefined_function/3` is called for functions that do not exist. `None`: such calls raise `undef`.
    pub fn set_error_handler(&mut self, handler: Option<Atom>) {
        self.error_handler = handler;
    }
    /// Has it been given such a module?
    #[must_use]
    pub fn has_error_handler(&self) -> bool {
        self.error_handler.is_some()
    }
    /// Does it run code of this version, or would it return to it? Funs and constants do not count, as in OTP.
    #[must_use]
    pub fn is_in(&self, program: &Program, version: VersionId) -> bool {
        let mut found = false;
        self.places(|pc, _| {
            found = program.version_at(Pc(pc)) == Some(version);
            if found {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found
    }
    /// Drops stack, heap, dictionary and mailbox; another process may use the memory.
    pub fn kill(&mut self, spare: &mut Spare) {
        spare.keep_stack(std::mem::take(&mut self.stack));
        self.frame = 0;
        let empty = Heap::new(Arc::clone(self.heap.literals()));
        spare.keep_heap(std::mem::replace(&mut self.heap, empty).into_words());
        self.local.dictionary = Dictionary::default();
        self.mailbox = Mailbox::default();
        self.point = StopPoint::Idle;
    }
    /// Its position. During a call or a native this is after the call, so look up `pc - 1`, as [`Process::frames`] does.
    #[must_use]
    pub fn pc(&self) -> Pc {
        Pc(self.pc)
    }
    /// Module, function and arity that it is about to call or load, when it stands at a call that is not resolved.
    #[must_use]
    pub fn pending_call(&self) -> Option<(Atom, Atom, u8)> {
        match self.point {
            StopPoint::Call { name, .. } | StopPoint::Undefined { name } => Some(name),
            _ => None,
        }
    }
    /// Collects garbage now.
    pub fn collect(&mut self, program: &Program) {
        let mut live = Vec::new();
        self.live_slots(program, |slot| live.push(slot));
        self.crash = None;
        let top = live.iter().copied().max().unwrap_or(0);
        let Self {
            heap,
            local,
            mailbox,
            stack,
            point,
            ..
        } = self;
        heap.collect(|keep| {
            for (k, v) in local.dictionary.roots() {
                keep(k);
                keep(v);
            }
            mailbox.roots().for_each(&mut *keep);
            for slot in live {
                let mut t = Term(stack[slot]);
                keep(&mut t);
                stack[slot] = t.0;
            }
            match point {
                StopPoint::Raising { raise, .. } => {
                    keep(&mut raise.reason);
                    if let Some(trace) = &mut raise.stacktrace {
                        keep(trace);
                    }
                }
                StopPoint::Ended(end) => {
                    keep(&mut end.reason);
                    keep(&mut end.stacktrace);
                }
                _ => {}
            }
        });
        // A collection scans the whole stack, so let the heap grow by as much before the next one.
        heap.postpone_collection(top / 2);
        if program.collects_always() {
            // Collect large heaps less often, so that tests finish.
            let size = heap.len() + top + mailbox.len();
            heap.collect_after(if size < 4000 { 0 } else { size / 8 });
            self.spoil_dead_slots(program);
        }
    }

    /// Overwrites dead stack slots, so that tests notice a wrong live set.
    #[cold]
    fn spoil_dead_slots(&mut self, program: &Program) {
        // After an uncaught exception the frames are no longer used.
        if matches!(self.point, StopPoint::Idle | StopPoint::Ended(_)) {
            return;
        }
        let mut keep = vec![false; self.stack.len()];
        self.live_slots(program, |slot| keep[slot] = true);
        let mut at = self.frame;
        loop {
            keep[at] = true;
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END || matches!(self.point, StopPoint::After { .. } if self.pc == END) {
                break;
            }
            at -= base;
        }
        for (word, _) in self.stack.iter_mut().zip(keep).filter(|(_, keep)| !keep) {
            *word = Term::small(0xdead).0;
        }
    }

    /// Its memory in words: heap, stack and mailbox.
    #[must_use]
    pub fn words(&self) -> usize {
        self.heap.len() + self.stack.len() + self.mailbox.words()
    }

    /// Words of the heap, of the stack that is in use, and of the mailbox.
    #[must_use]
    pub fn used_words(&self, program: &Program) -> usize {
        self.heap.len() + self.used_stack(program) + self.mailbox.words()
    }

    /// Frees unused capacity, for a checkpoint.
    pub fn shrink(&mut self, program: &Program) {
        self.collect(program);
        self.stack.truncate(self.used_stack(program));
        self.stack.shrink_to_fit();
        self.shrunk = true;
    }

    /// Drops what is not live, and all unused capacity: for a copy that is kept for long.
    pub fn pack(&mut self, program: &Program) {
        self.shrink(program);
        self.mailbox.release();
        self.heap.pack();
    }

    /// Gives away its stack buffer except for the words in use, so that another process can use it. For a process that will probably not run soon.
    pub fn lend_stack(&mut self, program: &Program, spare: &mut Spare) {
        if !self.shrunk {
            let used = self.stack[..self.used_stack(program)].to_vec();
            spare.keep_stack(std::mem::replace(&mut self.stack, used));
            self.shrunk = true;
        }
    }

    /// As [`Process::lend_stack`], if few words are in use: to copy a deep stack at every wait costs more than it saves. Gives back unused memory
    /// of the heap and the mailbox, too.
    pub fn lend_shallow_stack(&mut self, program: &Program, spare: &mut Spare) {
        if self.frame < SHALLOW {
            self.lend_stack(program, spare);
            self.mailbox.release();
            self.heap.shrink();
        }
    }

    /// Takes a stack buffer of another process, if it gave away its own; otherwise it would have to allocate one when it runs.
    #[inline]
    pub fn borrow_stack(&mut self, program: &Program, spare: &mut Spare) {
        if self.shrunk {
            self.take_stack(program, spare);
        }
    }

    #[cold]
    fn take_stack(&mut self, program: &Program, spare: &mut Spare) {
        if let Some(mut stack) = spare.stack() {
            if stack.len() < self.frame_end(program).max(self.stack.len()) + STACK_MARGIN {
                spare.keep_stack(stack);
                return;
            }
            stack[..self.stack.len()].copy_from_slice(&self.stack);
            self.stack = stack;
            self.shrunk = false;
        }
    }

    /// Is the receive in which it waits a sleep: one that takes no message?
    #[must_use]
    pub fn sleeps(&self, program: &Program) -> bool {
        matches!(self.point, StopPoint::Waiting) && matches!(program.code[self.pc as usize], Instr::Sleep { .. })
    }

    /// Does the receive in which it waits take every message, whatever that is? (False if it is not clear at once.)
    #[must_use]
    pub fn takes_everything(&self, program: &Program) -> bool {
        if !matches!(self.point, StopPoint::Waiting) || !matches!(program.code[self.pc as usize], Instr::Peek { .. }) {
            return false;
        }
        let matching = &program.code[self.pc as usize + 3..];
        let first = matching.iter().find(|instr| !matches!(instr, Instr::Move { .. }));
        matches!(first, Some(Instr::Accept))
    }

    /// Words of the stack in use, while it is not running.
    fn used_stack(&self, program: &Program) -> usize {
        let mut top = self.frame;
        self.live_slots(program, |slot| top = top.max(slot));
        if let StopPoint::Native { first, count, .. } | StopPoint::Raising { first, count, .. } = self.point {
            // The result goes before the arguments, where nothing is live.
            top = top.max(self.frame + usize::from(first) + usize::from(count));
        }
        (top + 1).min(self.stack.len())
    }

    /// Calls `f` with the stack slots of all variables in scope, used or not.
    pub(super) fn variable_slots(&self, program: &Program, mut f: impl FnMut(usize)) {
        self.places(|pc, frame| {
            for variable in program.variables_at(pc).filter(|v| v.reg != 0) {
                f(frame + variable.reg as usize);
            }
            ControlFlow::Continue(())
        });
    }

    /// Calls `f` with the position and the frame of every activation that has code, innermost first, until it breaks. The position is inside
    /// the activation's current instruction.
    pub(super) fn places(&self, mut f: impl FnMut(u32, usize) -> ControlFlow<()>) {
        let innermost = match self.point {
            StopPoint::Idle => return,
            StopPoint::Ended(_) => match self.crash {
                Some(END) => None,
                Some(pc) => Some(pc),
                None => return,
            },
            // The callee was not entered: its frame has no code, so start with the caller.
            StopPoint::Call { .. } | StopPoint::Undefined { .. } | StopPoint::CallFun { .. } => None,
            StopPoint::Entry | StopPoint::Waiting | StopPoint::Between => Some(self.pc),
            StopPoint::After { .. } if self.pc == END => return,
            StopPoint::After { .. } => Some(self.pc - 1),
            StopPoint::Native { tail, .. } | StopPoint::Raising { tail, .. } => {
                let pc = if tail { self.pc } else { self.pc - 1 };
                (pc > END).then_some(pc)
            }
        };
        if innermost.is_some_and(|pc| f(pc, self.frame).is_break()) {
            return;
        }
        let mut at = self.frame;
        loop {
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END {
                return;
            }
            at -= base;
            if f(pc - 1, at).is_break() {
                return;
            }
        }
    }

    /// Calls `f` with every stack slot whose value can still be used.
    pub(super) fn live_slots(&self, program: &Program, mut f: impl FnMut(usize)) {
        let frame = self.frame;
        // At a tail call the caller's variables are not live, but a debugger shows them.
        let tail_variables = matches!(
            self.point,
            StopPoint::Native { tail: true, .. } | StopPoint::Raising { tail: true, .. }
        );
        if program.keeps_variables() && tail_variables && self.pc > END {
            for v in program.variables_at(self.pc).filter(|v| v.reg != 0) {
                f(frame + v.reg as usize);
            }
        }
        let mut whole = |count: usize| (frame + 1..=frame + count).for_each(&mut f);
        match self.point {
            StopPoint::Idle | StopPoint::Ended(_) => return,
            StopPoint::Entry => {
                if let Instr::Enter { args, .. } | Instr::EnterGenerator { args, .. } = program.code[self.pc as usize] {
                    whole(args as usize);
                }
            }
            // The result of the first function stands where its return word was.
            StopPoint::After { .. } if self.pc == END => return f(frame),
            StopPoint::After { result } => {
                live_of(program, self.pc - 1, frame, &mut f);
                if let Some(reg) = result {
                    f(frame + reg as usize);
                }
            }
            StopPoint::Waiting => live_of(program, self.pc + 1, frame, &mut f),
            StopPoint::Native { first, count, tail, .. } | StopPoint::Raising { first, count, tail, .. } => {
                (0..count as usize).for_each(|i| f(frame + first as usize + i));
                if !tail {
                    live_of(program, self.pc - 1, frame, &mut f);
                }
            }
            StopPoint::Call { name, .. } | StopPoint::Undefined { name } => whole(name.2 as usize),
            StopPoint::CallFun { arity } => whole(arity as usize + 1),
            StopPoint::Between => {
                let live = super::liveness::live_before(program, self.pc);
                live.into_iter().for_each(|r| f(frame + r as usize));
            }
        }
        let mut at = frame;
        loop {
            let (pc, base) = of_return_word(self.stack[at]);
            if pc == END {
                return;
            }
            at -= base;
            live_of(program, pc - 1, at, &mut f);
        }
    }
}

/// The live registers that a `Live` word names.
pub(super) fn live_of(program: &Program, word: u32, frame: usize, f: &mut impl FnMut(usize)) {
    let mut bits = |mut set: u64, from: usize| {
        while set != 0 {
            f(frame + from + set.trailing_zeros() as usize);
            set &= set - 1;
        }
    };
    match program.code[word as usize] {
        Instr::Live { high, low } => bits(u64::from(high) << 32 | u64::from(low), 0),
        Instr::LiveTable { index } => {
            for (i, set) in program.live_sets[index as usize].iter().enumerate() {
                bits(*set, i * 64);
            }
        }
        other => unreachable!("{other:?} where a Live word should be"),
    }
}
