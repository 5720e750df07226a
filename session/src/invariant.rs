//! Invariants: functions of the program that must hold for every message that is received, and for every state in which a process waits for one.
//! They are called outside the system and without effects.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, Heap};
use interpreter::maps;
use interpreter::native::CodeInfo as _;
use interpreter::print::{self, Style};
use interpreter::term::Term;
use interpreter::vm::{self, Program};
use log_format::Pid;
use system::loader::Loader as _;

use crate::aside::{self, Came};
use crate::error::Error;
use crate::player::handle;
use crate::predicate::Own;
use crate::program::Sources;
use crate::session::Session;

/// Limit: characters of a shown value.
const CHARS: usize = 2000;

/// A function `fun(Who, What)` that must return `true` or `ok`. `Who` is the name of a process, or else its pid; `What` is `{message, Message}` or
/// `{state, State}`.
pub struct Invariant {
    /// `MOD:FUN`
    pub name: String,
    module: Atom,
    function: Atom,
    program: Arc<Program>,
    sources: Sources,
}

/// What an invariant is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum About {
    /// A message that is received.
    Message,
    /// The state in which a process waits for one.
    State,
}

impl About {
    /// `message`, `state`
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::State => "state",
        }
    }
}

impl Invariant {
    /// The invariant with this name, `MOD:FUN`.
    ///
    /// # Errors
    /// It has another form; there is no such function with two arguments; its module does not compile.
    pub fn of(session: &Session, text: &str) -> Result<Self, Error> {
        let parts = text
            .split_once(':')
            .filter(|(module, function)| !module.is_empty() && !function.is_empty());
        let Some((module, function)) = parts else {
            return Err(Error::Usage(format!(
                "--invariant takes MOD:FUN, for example stock:holds; found `{}`",
                text.escape_debug()
            )));
        };
        let function = function.strip_suffix("/2").unwrap_or(function);
        let (module, function) = (Atom::new(module), Atom::new(function));
        let mut program = session.program();
        if !program.is_loaded(module) {
            let mut loader = session.sources().loader();
            loader.load(module, Arc::make_mut(&mut program)).map_err(Error::from)?;
        }
        if !program.is_exported(module, function, 2) {
            return Err(Error::Usage(format!(
                "the program exports no {module}:{function}/2: an invariant is called with a process and {{message, M}} or {{state, S}}"
            )));
        }
        Ok(Self {
            name: format!("{module}:{function}"),
            module,
            function,
            program,
            sources: session.sources().clone(),
        })
    }

    /// Does it not hold for this value of a process? Then how it failed: `returned false`.
    ///
    /// # Errors
    /// It would have an effect, wait, or run for long; it calls what does not exist.
    pub fn fails(
        &mut self,
        pid: Pid,
        name: Option<Atom>,
        about: About,
        value: &Fragment,
    ) -> Result<Option<String>, Error> {
        let own = Own {
            pid: handle(pid),
            node: Atom::new("nonode@nohost"),
            dictionary: Vec::new(),
        };
        let arguments = |heap: &mut Heap| {
            let who = name.map_or_else(|| Term::pid(own.pid), Term::atom);
            let value = heap.import(value);
            let what = heap.make_tuple(&[Term::atom(Atom::new(about.word())), value]);
            vec![who, what]
        };
        let function = (self.module, self.function);
        let why = match aside::call(&mut self.program, &self.sources, function, Some(&own), arguments) {
            Came::Value(_, true) => return Ok(None),
            Came::Value(value, false) if value == "ok" => return Ok(None),
            Came::Value(value, false) => return Ok(Some(format!("returned {value}"))),
            Came::Raised(reason) => return Ok(Some(format!("crashed: {reason}"))),
            Came::Refused => aside::REFUSED,
            Came::Undefined => aside::UNDEFINED,
        };
        Err(Error::Usage(format!("the invariant {} {why}", self.name)))
    }

    /// A value as text.
    #[must_use]
    pub fn shown(&self, value: &Fragment) -> String {
        let mut heap = Heap::new(self.program.literals().clone());
        let term = heap.import(value);
        print::short(&heap, term, CHARS, &Style::shown(self.program.as_ref()))
    }
}

/// The state of a process that waits in a receive. Of a `gen_server`, the state of its callback module; of a `gen_statem`, `{State, Data}`; of another
/// process that waits in a function of the program, a map of the variables of that function. `None`: it waits somewhere in the library, for example
/// for the answer to a call.
#[must_use]
pub fn state(machine: &vm::Process, program: &Program, sources: &Sources) -> Option<Fragment> {
    let frames = machine.frames(program);
    let frame = frames.first()?;
    let place = frame.location.as_ref()?;
    let variable = |name: &str| {
        let mut known = frame.variables.iter().filter(|(known, _)| known.as_str() == name);
        known.next_back().and_then(|(_, value)| *value)
    };
    let mut heap = Heap::new(program.literals().clone());
    match (place.module.as_str(), place.function.as_str()) {
        ("gen_server", _) => Some(machine.heap.export_own(variable("State")?)),
        ("gen_statem", _) => {
            let machine_of = machine.heap.tuple(variable("S")?)?;
            let (state, data) = (machine_of.get(1)?, machine_of.get(2)?);
            let parts = [machine.heap.export(*state), machine.heap.export(*data)];
            let parts = parts.map(|part| heap.import(&part));
            let pair = heap.make_tuple(&parts);
            Some(heap.export_own(pair))
        }
        _ if sources.owns(place.file) => {
            let known = frame
                .variables
                .iter()
                .filter_map(|(name, value)| Some((*name, (*value)?)));
            let pairs: Vec<(Term, Term)> = known
                .map(|(name, value)| (Term::atom(name), heap.import(&machine.heap.export(value))))
                .collect();
            let map = maps::from_pairs(&mut heap, &pairs);
            Some(heap.export_own(map))
        }
        _ => None,
    }
}
