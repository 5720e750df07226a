//! One process: heap, stack, mailbox, and where it stands.

use std::ops::ControlFlow;

use super::{Mailbox, MessageTag, NativeId, Pc, Program, SourceLocation};
use crate::atom::Atom;
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

/// The end of a process. Terms are in its heap.
#[derive(Clone, Copy, Debug)]
pub struct End {
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
    /// The budget is used up; the process stands exactly before a counted event.
    Preempted,
    /// A native of the system layer was called: its arguments are [`Process::args`]. Go on by [`Process::answer`] or [`Process::raise`].
    Native {
        /// Which.
        id: NativeId,
        /// The number it was registered with.
        number: u16,
    },
    /// A `receive` found no match among the messages in the mailbox. Go on after a [`Mailbox::push`], or by [`Process::time_out`].
    Wait {
        /// Of its `after`.
        timeout: Timeout,
    },
    /// A `receive` consumed this message. Just go on.
    Received(MessageTag),
    /// A function of a module that is not loaded was called: load it and go on, or call [`Process::undefined`].
    Load(Atom),
    /// The process has ended.
    Ended(End),
    /// The observer said so (only from [`Process::run_observed`]). Just go on.
    Observed,
}

/// Watches a process step by step.
pub trait Observer {
    /// False removes every trace of the observer from the loop.
    const ACTIVE: bool = true;
    /// The process is about to execute code of another source place than before. `Break` makes the run return [`Stop::Observed`].
    fn place(&mut self, program: &Program, pc: Pc, depth: usize) -> ControlFlow<()>;
}

/// Nobody watches.
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
    fn place(&mut self, _: &Program, _: Pc, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// One activation of a function, for people.
#[derive(Clone, Debug)]
pub struct Frame<'p> {
    /// Where it stands.
    pub location: Option<SourceLocation<'p>>,
    /// Variables in scope, in order of binding; `None` = bound, but the value is no longer kept.
    pub variables: Vec<(Atom, Option<Term>)>,
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
    stack: Vec<u64>,
    frame: usize,
    pc: Pc,
    events: u64,
    args: (usize, usize),
}

impl Process {
    /// A process that has nothing to do yet; give it a call by [`Process::start_call`] or [`Process::start_fun`].
    #[must_use]
    pub fn new(program: &Program, pid: Pid, node: Atom) -> Self {
        Self {
            heap: Heap::new(program.literals().clone()),
            local: Local {
                pid,
                node,
                references: 0,
                dictionary: Vec::new(),
                charge: 0,
            },
            mailbox: Mailbox::default(),
            stack: Vec::new(),
            frame: 0,
            pc: Pc::default(),
            events: 0,
            args: (0, 0),
        }
    }
    /// The first call: `module:function(args)`. The arguments are in this process's heap.
    pub fn start_call(&mut self, _module: Atom, _function: Atom, args: &[Term]) {
        self.stack.extend(args.iter().map(|t| t.0));
    }
    /// The first call: of a fun. Terms are in this process's heap.
    pub fn start_fun(&mut self, fun: Term, args: &[Term]) {
        self.stack.push(fun.0);
        self.stack.extend(args.iter().map(|t| t.0));
    }
    /// Runs until a label, or until `budget` counted events have happened.
    ///
    /// A native that charges reductions shortens the run: it may then be preempted before `budget` events.
    pub fn run(&mut self, program: &Program, budget: u32) -> Stop {
        self.run_observed(program, budget, &mut NoObserver)
    }
    /// [`Process::run`] with an observer.
    pub fn run_observed<O: Observer>(&mut self, _program: &Program, _budget: u32, _observer: &mut O) -> Stop {
        Stop::Ended(End {
            class: EndClass::Normal,
            reason: Term::NIL,
            stacktrace: Term::NIL,
        })
    }
    /// Counted events since the last reset (semantics.md §5).
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }
    /// Starts counting anew: an action was logged.
    pub fn reset_events(&mut self) {
        self.events = 0;
    }
    /// Arguments of the native at which it stopped.
    #[must_use]
    pub fn args(&self) -> &[Term] {
        as_terms(&self.stack[self.args.0..self.args.1])
    }
    /// The result of the native at which it stopped, in its heap.
    pub fn answer(&mut self, value: Term) {
        self.stack.push(value.0);
    }
    /// The native at which it stopped raises.
    pub fn raise(&mut self, raise: Raise) {
        self.stack.push(raise.reason.0);
    }
    /// Leaves the `receive` it waits in through `after`.
    pub fn time_out(&mut self) {
        self.mailbox.rewind();
    }
    /// The module of [`Stop::Load`] does not exist: the call raises `undef`.
    pub fn undefined(&mut self) {}
    /// Drops stack, heap and mailbox.
    pub fn kill(&mut self) {
        self.stack = Vec::new();
        self.heap = Heap::new(self.heap.literals().clone());
        self.mailbox = Mailbox::default();
    }
    /// Where it stands.
    #[must_use]
    pub fn pc(&self) -> Pc {
        self.pc
    }
    /// Its activations, innermost first.
    #[must_use]
    pub fn frames<'p>(&self, _program: &'p Program) -> Vec<Frame<'p>> {
        Vec::new()
    }
    /// Collects garbage now: keeps what can still be used.
    pub fn collect(&mut self, _program: &Program) {
        let Self {
            heap,
            local,
            mailbox,
            stack,
            ..
        } = self;
        heap.collect(|keep| {
            for (k, v) in &mut local.dictionary {
                keep(k);
                keep(v);
            }
            mailbox.roots().for_each(&mut *keep);
            let _ = stack;
        });
        self.frame = 0;
    }
}
