//! Code of a program that is called outside the system, and without effects.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::print::{self, Style};
use interpreter::term::{Pid, Term};
use interpreter::vm::{self, EndClass, FunFate, Program, Stop};
use system::loader::Loader;

use crate::program::Sources;

/// Counted events after which a call is given up.
const EVENTS: u32 = 1_000_000;
/// Limit: characters of a shown value.
const CHARS: usize = 10_000;

/// Why a call is refused.
pub(crate) const REFUSED: &str =
    "would have an effect, wait, or run for long: expected an expression that only computes";
pub(crate) const UNDEFINED: &str = "calls a function that does not exist";

/// What a process knows about itself without a log.
#[derive(Clone, Debug)]
pub struct Own {
    /// `self()`.
    pub pid: Pid,
    /// `node()`.
    pub node: Atom,
    /// Its dictionary.
    pub dictionary: Vec<(Fragment, Fragment)>,
}

impl Own {
    /// What this process knows.
    #[must_use]
    pub fn of(machine: &vm::Process) -> Self {
        let export = |term| machine.heap.export_own(term);
        let pairs = machine.local.dictionary.iter();
        Self {
            pid: machine.local.pid,
            node: machine.local.node,
            dictionary: pairs.map(|(key, value)| (export(key), export(value))).collect(),
        }
    }
}

/// What came of a call.
pub(crate) enum Came {
    /// Its value; is it `true`?
    Value(String, bool),
    /// An exception.
    Raised(String),
    /// It would have an effect, wait, or run for ever.
    Refused,
    /// It calls what does not exist.
    Undefined,
}

/// Calls a function. Modules that it needs are loaded into `program`, from these sources and the library. `own`: the process in which it is called.
pub(crate) fn call(
    program: &mut Arc<Program>,
    sources: &Sources,
    (module, function): (Atom, Atom),
    own: Option<&Own>,
    arguments: impl FnOnce(&mut Heap) -> Vec<Term>,
) -> Came {
    let (pid, node) = own.map_or((Pid::new(0, 0), Atom::new("nonode@nohost")), |own| (own.pid, own.node));
    let mut machine = vm::Process::new(program, pid, node);
    for (key, value) in own.map_or(&[][..], |own| own.dictionary.as_slice()) {
        let (key, value) = (machine.heap.import(key), machine.heap.import(value));
        machine.local.dictionary.put(&machine.heap, key, value);
    }
    let arguments = arguments(&mut machine.heap);
    machine.start_call(module, function, &arguments);
    let mut loader = None;
    loop {
        match machine.run(program, EVENTS) {
            Stop::Ended(end) => {
                let is_true = end.reason == Term::atom(Atom::new("true"));
                let style = Style::shown(program.as_ref());
                let text = |term| print::short(&machine.heap, term, CHARS, &style);
                return match end.class {
                    EndClass::Normal if is_true => Came::Value("true".to_owned(), true),
                    EndClass::Normal => Came::Value(text(end.reason), false),
                    EndClass::Error if end.reason == Term::atom(Atom::new("undef")) => Came::Undefined,
                    class => Came::Raised(crate::watch::raised_as(
                        &machine.heap,
                        system::exit_class(class),
                        end.reason,
                        None,
                        &style,
                        CHARS,
                    )),
                };
            }
            Stop::Load(module) => match loader
                .get_or_insert_with(|| sources.loader())
                .load(module, Arc::make_mut(program))
            {
                Ok(true) => {}
                Ok(false) | Err(_) => machine.undefined(),
            },
            Stop::Which(_) if machine.asked_fun().is_some() => machine.enter_fun(FunFate::Runs),
            Stop::Which(module) => machine.enter(program.first(module)),
            Stop::Observed => {}
            // It would have an effect, wait, or run for ever.
            Stop::Preempted | Stop::Native { .. } | Stop::Wait { .. } | Stop::Received(_) => return Came::Refused,
        }
    }
}
