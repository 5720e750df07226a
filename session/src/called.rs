//! What processes are called.

use std::fmt;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use interpreter::print::Terms;
use log_format::Pid;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

use crate::words::{LocalFunction, safe};

/// Limit: characters of the name of a test.
const TEST: usize = 40;

/// What a process is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessName {
    /// The name, as people are shown it.
    pub text: String,
    /// What it is called after.
    pub after: CalledAfter,
}

/// What a process is called after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CalledAfter {
    /// The name under which it is registered.
    Name,
    /// The module of its behaviour, or its test.
    Behaviour,
    /// That it is a task: the program's function that it runs says more.
    Task,
    /// A function that it runs.
    Function(LocalFunction),
}

impl ProcessName {
    /// A registered name. Modules of Elixir are named as there, and all else as Erlang writes an atom.
    #[must_use]
    pub fn registered(name: &str) -> Self {
        let module = crate::words::module(name, Terms::Elixir);
        Self {
            text: match module == name {
                true => crate::words::quoted_atom(name),
                false => safe(module),
            },
            after: CalledAfter::Name,
        }
    }

    /// The process of a test: `test adds` of `TotalsTest:test adds`.
    #[must_use]
    pub fn of_test(name: &str) -> Self {
        let name = name.split_once(':').map_or(name, |(_, name)| name);
        Self {
            text: crate::words::cut(&safe(name), TEST),
            after: CalledAfter::Behaviour,
        }
    }

    /// The name of a process that runs this.
    #[must_use]
    pub fn of_function(function: LocalFunction) -> Self {
        let function = function.cut(usize::MAX);
        Self {
            text: function.to_string(),
            after: CalledAfter::Function(function),
        }
    }

    /// The function that it is called after, if it is.
    #[must_use]
    pub const fn function(&self) -> Option<&LocalFunction> {
        match &self.after {
            CalledAfter::Function(function) => Some(function),
            CalledAfter::Name | CalledAfter::Behaviour | CalledAfter::Task => None,
        }
    }

    /// Does it stay the same, whatever the process does?
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(self.after, CalledAfter::Name | CalledAfter::Behaviour)
    }
}

impl fmt::Display for ProcessName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for ProcessName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl Deref for ProcessName {
    type Target = str;
    fn deref(&self) -> &str {
        &self.text
    }
}

/// Names of processes for people, by pid.
pub type ProcessNames = FxHashMap<Pid, ProcessName>;

/// The names that processes have in one answer: the first that was given to a process is kept, whatever it does later.
#[derive(Debug, Default)]
pub struct Called(Mutex<Option<ProcessNames>>);

impl Called {
    fn names(&self) -> MutexGuard<'_, Option<ProcessNames>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer begins. `tests`: the names of tests, by their processes; `registered`: the names that processes had.
    pub fn begin(
        &self,
        tests: impl IntoIterator<Item = (Pid, String)>,
        registered: impl IntoIterator<Item = (Pid, String)>,
    ) {
        let tests = tests.into_iter().map(|(pid, name)| (pid, ProcessName::of_test(&name)));
        let registered = registered.into_iter();
        let registered = registered.map(|(pid, name)| (pid, ProcessName::registered(&name)));
        *self.names() = Some(tests.chain(registered).collect());
    }

    /// It ends: from here on, processes are called by what they do.
    pub fn end(&self) {
        *self.names() = None;
    }

    /// The name of a process: the one that it has in this answer, or else this one.
    pub(crate) fn name(&self, pid: Pid, name: impl FnOnce() -> Option<ProcessName>) -> Option<ProcessName> {
        match &mut *self.names() {
            Some(names) => match names.get(&pid) {
                Some(known) => Some(known.clone()),
                None => {
                    let name = name()?;
                    names.insert(pid, name.clone());
                    Some(name)
                }
            },
            None => name(),
        }
    }
}
