//! Library modules are compiled once for all runs of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use interpreter::atom::Atom;
use interpreter::compile::Natives;
use interpreter::library;
use interpreter::vm::{Compiled, Program};
use syntax::Release;
use syntax::diagnostic::Diagnostic;

use super::ModuleFile;

/// A library module that was compiled, with the warnings of the front end.
pub(super) struct SharedModule {
    pub compiled: Compiled,
    pub warnings: Vec<Diagnostic>,
}

/// A module that was loaded before.
enum Known {
    /// Once: nothing is kept, for most commands load each module once.
    Loaded,
    Shared(Arc<SharedModule>),
}

/// A module, the release of its program, and whether its variables are kept for a debugger.
pub(super) type Key = (Atom, Release, bool);

type Modules = HashMap<Key, Known, rustc_hash::FxBuildHasher>;

fn all() -> MutexGuard<'static, Modules> {
    static ALL: OnceLock<Mutex<Modules>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default);
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedModule {
    /// The module, if this file is exactly a module of the library.
    pub fn key(file: &ModuleFile, program: &Program) -> Option<Key> {
        let name = file.path.strip_suffix(".erl")?;
        let is_it = file.options.is_empty() && file.forms.is_none() && library::source(name)?.as_bytes() == &*file.text;
        is_it.then(|| (Atom::new(name), program.release(), Natives::keeps_variables(program)))
    }

    /// What was kept of a module.
    pub fn find(key: Key) -> Option<Arc<Self>> {
        match all().get(&key) {
            Some(Known::Shared(shared)) => Some(Arc::clone(shared)),
            Some(Known::Loaded) | None => None,
        }
    }

    /// Has the module been loaded before, so that it is worth keeping? Notes that it is loaded now.
    pub fn is_wanted(key: Key) -> bool {
        all().insert(key, Known::Loaded).is_some()
    }

    /// Keeps a module for the programs to come.
    pub fn keep(key: Key, compiled: Compiled, warnings: Vec<Diagnostic>) {
        all().insert(key, Known::Shared(Arc::new(Self { compiled, warnings })));
    }
}
