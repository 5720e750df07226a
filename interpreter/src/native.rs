//! Registration of native functions: every one has a class, so that the closing rule of semantics.md §1 can be checked.

use std::sync::{Arc, PoisonError, RwLock};

use syntax::Release;

use crate::atom::Atom;
use crate::dictionary::Dictionary;
use crate::heap::Heap;
use crate::print::Terms;
use crate::print::elixir::Fields;
use crate::term::{FunName, Pid, Reference, Term};

/// What a native function answers: a term in the heap of its process, or what it raises.
pub type NativeResult = Result<Term, Raise>;

/// The arguments of a native function.
pub type NativeArgs<'a> = &'a [Term];

/// What a native's result depends on, and which effects it has (semantics.md §1, closing rule).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NativeClass {
    /// A function of its arguments and of the process's own state (dictionary, reference counter): recomputed in replay.
    Pure,
    /// Reads or writes a versioned shared resource (semantics.md §4).
    Access,
    /// Reads something that others can change and that has no versions.
    Observe,
    /// Removes or disables a signal without receiving it.
    Drop,
    /// Obtains a value from outside the program.
    Input,
    /// Writes to a device.
    Output,
    /// Acts on other processes: send, spawn, exit, link.
    Effect,
}

/// The class of an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ExceptionClass {
    /// `error`.
    Error,
    /// `exit`.
    Exit,
    /// `throw`.
    Throw,
}

impl ExceptionClass {
    /// `error`, `exit` or `throw`.
    #[must_use]
    pub const fn atom(self) -> Atom {
        match self {
            Self::Error => Atom::ERROR,
            Self::Exit => Atom::EXIT_LOWER,
            Self::Throw => Atom::THROW,
        }
    }
}

/// An exception raised by a native. The machine adds the stack trace.
#[derive(Clone, Copy, Debug)]
pub struct Raise {
    /// Its class.
    pub class: ExceptionClass,
    /// Its reason, in the caller's heap.
    pub reason: Term,
    /// A ready stack trace (for `erlang:raise/3`); otherwise the machine builds one whose first entry is the native with its arguments.
    pub stacktrace: Option<Term>,
    /// The cause of an error, for the `error_info` of the trace's first entry, which OTP's `format_error/2` functions read.
    pub cause: Option<Atom>,
}

impl Raise {
    /// `error:Reason`.
    #[must_use]
    pub const fn error(reason: Term) -> Self {
        Self {
            class: ExceptionClass::Error,
            reason,
            stacktrace: None,
            cause: None,
        }
    }
    /// `error:badarg` with a cause.
    #[must_use]
    pub fn badarg_because(cause: &str) -> Self {
        Self {
            cause: Some(Atom::new(cause)),
            ..Self::badarg()
        }
    }
    /// `error:badarg`.
    #[must_use]
    pub const fn badarg() -> Self {
        Self::error(Term::atom(Atom::BADARG))
    }
    /// `error:badarith`.
    #[must_use]
    pub const fn badarith() -> Self {
        Self::error(Term::atom(Atom::BADARITH))
    }
    /// `error:system_limit`.
    #[must_use]
    pub const fn system_limit() -> Self {
        Self::error(Term::atom(Atom::SYSTEM_LIMIT))
    }
    /// `error:{Tag, Value}`, for example `{badmap, M}`.
    #[must_use]
    pub fn tagged(heap: &mut Heap, tag: Atom, value: Term) -> Self {
        Self::error(heap.make_tuple(&[Term::atom(tag), value]))
    }
}

/// The part of a process that pure natives may use besides the heap.
#[derive(Clone, Debug)]
pub struct Local {
    /// The process itself.
    pub pid: Pid,
    /// Its node's name.
    pub node: Atom,
    /// The names of all nodes.
    pub nodes: Nodes,
    /// How many references it has made: the k of (process, k).
    pub references: u64,
    /// The process dictionary, in insertion order. Roots of the collector.
    pub dictionary: Dictionary,
    /// Reductions to charge for the native that just ran (scheduling only; never counted as events).
    pub charge: u32,
}

/// The names of the nodes of a run, by the index in pids; shared by all processes of the run. Names are only ever added.
#[derive(Clone, Debug, Default)]
pub struct Nodes(Arc<RwLock<Vec<Atom>>>);

impl Nodes {
    /// The nodes of these names.
    #[must_use]
    pub fn new(names: Vec<Atom>) -> Self {
        Self(Arc::new(RwLock::new(names)))
    }
    /// The name of a node.
    #[must_use]
    pub fn name(&self, index: u16) -> Option<Atom> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names.get(usize::from(index)).copied()
    }
    /// The index of a known name.
    #[must_use]
    pub fn index(&self, name: Atom) -> Option<u16> {
        let names = self.0.read().unwrap_or_else(PoisonError::into_inner);
        names
            .iter()
            .position(|&n| n == name)
            .and_then(|i| u16::try_from(i).ok())
    }
    /// The index of a name, which is added if it is new; `None` if there are 65,536 others.
    pub fn add(&self, name: Atom) -> Option<u16> {
        if let Some(index) = self.index(name) {
            return Some(index);
        }
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let index = u16::try_from(names.len()).ok()?;
        names.push(name);
        Some(index)
    }
    /// All names, by index.
    #[must_use]
    pub fn names(&self) -> Vec<Atom> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
    /// A copy with the same names.
    #[must_use]
    pub fn separate(&self) -> Self {
        Self::new(self.names())
    }
}

/// What a pure native works with.
pub struct Context<'a> {
    /// The caller's heap. Allocation never moves or collects terms, so terms stay valid while the native runs.
    pub heap: &'a mut Heap,
    /// The caller's own state.
    pub local: &'a mut Local,
    /// Functions, modules and funs of the program (for `erlang:fun_info`, `function_exported`, …).
    pub code: &'a dyn CodeInfo,
}

/// Results up to this size are not checked: garbage in the heap counts too, and is not necessarily a reason to end the run.
const MEASURED_AFTERWARDS: usize = 1 << 20;

impl Context<'_> {
    /// To be called before a native makes a result much larger than its arguments.
    ///
    /// # Errors
    /// The memory limit of the run would be exceeded. The run then ends, so the program never sees this exception.
    pub fn needs(&mut self, bytes: usize) -> Result<(), Raise> {
        if bytes <= MEASURED_AFTERWARDS || self.heap.has_room(bytes) {
            return Ok(());
        }
        // The slice ends.
        self.local.charge = u32::MAX;
        Err(Raise::system_limit())
    }
    /// A fresh reference of this process.
    pub fn new_reference(&mut self) -> Term {
        self.local.references += 1;
        let reference = Reference {
            owner: self.local.pid,
            number: self.local.references,
        };
        self.heap.make_reference(reference)
    }
}

/// What pure natives can find out about the loaded code.
pub trait CodeInfo {
    /// A description of a local fun of the program.
    fn fun(&self, id: u32) -> FunInfo;
    /// The release of OTP that the program is of.
    fn release(&self) -> Release {
        Release::OLDEST
    }
    /// The language that the program is shown in.
    fn terms(&self) -> Terms {
        Terms::Erlang
    }
    /// The fields of a struct of Elixir, in the order of its definition, if its module is known.
    fn struct_fields(&self, _module: Atom) -> Option<Fields> {
        None
    }
    /// Whether a module of this name is loaded.
    fn is_loaded(&self, _module: Atom) -> bool {
        false
    }
    /// What an exception of Elixir says by `message/1` of its module, if that is loaded and only computes.
    fn message(&self, _heap: &Heap, _module: Atom, _exception: Term) -> Option<String> {
        None
    }
    /// Is `module:function/arity` a native?
    fn is_native(&self, module: Atom, function: Atom, arity: u8) -> bool;
    /// Is it exported by a loaded module, or a native?
    fn is_exported(&self, module: Atom, function: Atom, arity: u8) -> bool;
    /// The local fun of this name, if it has this arity and captures `free` values; needed to read a fun from bytes. By default no fun can be read.
    fn find_fun(&self, _name: FunName, _arity: u8, _free: usize) -> Option<u32> {
        None
    }
    /// Exported functions of a loaded module, by name and arity.
    fn exports(&self, _module: Atom) -> Option<Vec<(Atom, u8)>> {
        None
    }
    /// Attributes of a loaded module: terms of the literal area.
    fn attributes(&self, _module: Atom) -> Vec<(Atom, Term)> {
        Vec::new()
    }
}

/// See [`CodeInfo::fun`].
#[derive(Clone, Copy, Debug)]
pub struct FunInfo {
    /// Which one it is.
    pub name: FunName,
    /// Name of the function that holds its code, like `-main/0-fun-1-`.
    pub function: Atom,
    /// Its arity.
    pub arity: u8,
}

/// A pure native.
pub type PureFn = fn(&mut Context<'_>, &[Term]) -> Result<Term, Raise>;

/// How a native is executed.
#[derive(Clone, Copy)]
pub enum Implementation {
    /// Here and now.
    Pure(PureFn),
    /// By the system layer: the process stops with a label that carries this number.
    System(u16),
}

/// The version of a native that is not there, except for a program of a trace that was recorded when it was (`Program::as_in_version`).
pub const RETIRED: u16 = 0;

/// A native function. The full table is made from the tables of each area and the one that the system layer passes in.
#[derive(Clone, Copy)]
pub struct Native {
    /// Module name.
    pub module: &'static str,
    /// Function name.
    pub name: &'static str,
    /// Arity.
    pub arity: u8,
    /// What it depends on and does.
    pub class: NativeClass,
    /// Raised whenever its result or its labels change (FORMAT.md, natives). [`RETIRED`]: only programs of older traces can call it.
    pub version: u16,
    /// How it is executed.
    pub run: Implementation,
}

impl Native {
    /// No longer there, except for programs of older traces.
    #[must_use]
    pub const fn retired(mut self) -> Self {
        self.version = RETIRED;
        self
    }

    /// A pure native of version 1.
    #[must_use]
    pub const fn pure(module: &'static str, name: &'static str, arity: u8, run: PureFn) -> Self {
        Self {
            module,
            name,
            arity,
            class: NativeClass::Pure,
            version: 1,
            run: Implementation::Pure(run),
        }
    }
    /// A native of version 1 that the system layer executes.
    #[must_use]
    pub const fn system(module: &'static str, name: &'static str, arity: u8, class: NativeClass, number: u16) -> Self {
        Self {
            module,
            name,
            arity,
            class,
            version: 1,
            run: Implementation::System(number),
        }
    }
}
