//! Library modules are compiled once for all runs of this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use interpreter::atom::Atom;
use interpreter::compile::Natives;
use interpreter::library;
use interpreter::vm::{CompiledModule, Program};
use syntax::Release;
use syntax::diagnostic::Diagnostic;

use super::ModuleFile;

/// A library module that was compiled, with the warnings of the front end.
pub(super) struct SharedModule {
    pub compiled: CompiledModule,
    pub warnings: Vec<Diagnostic>,
}

/// A module that was loaded before.
enum KnownModule {
    /// Once: nothing is kept, for most commands load each module once.
    Loaded,
    Shared(Arc<SharedModule>),
}

/// A module, the release of its program, and whether its variables are kept for a debugger.
pub(super) type ModuleKey = (Atom, Release, bool);

type LoadedModules = HashMap<ModuleKey, KnownModule, rustc_hash::FxBuildHasher>;

fn all() -> MutexGuard<'static, LoadedModules> {
    static ALL: OnceLock<Mutex<LoadedModules>> = OnceLock::new();
    let all = ALL.get_or_init(Mutex::default);
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedModule {
    /// The module, if this file is exactly a module of the library.
    pub fn key(file: &ModuleFile, program: &Program) -> Option<ModuleKey> {
        let name = file.path.strip_suffix(".erl")?;
        let is_it = file.options.is_empty() && file.forms.is_none() && library::source(name)?.as_bytes() == &*file.text;
        is_it.then(|| (Atom::new(name), program.release(), Natives::keeps_variables(program)))
    }

    /// What was kept of a module.
    pub fn find(key: ModuleKey) -> Option<Arc<Self>> {
        match all().get(&key) {
            Some(KnownModule::Shared(shared)) => Some(Arc::clone(shared)),
            Some(KnownModule::Loaded) | None => None,
        }
    }

    /// Has the module been loaded before, so that it is worth keeping? Notes that it is loaded now.
    pub fn is_wanted(key: ModuleKey) -> bool {
        all().insert(key, KnownModule::Loaded).is_some()
    }

    /// Keeps a module for the programs to come.
    pub fn keep(key: ModuleKey, compiled: CompiledModule, warnings: Vec<Diagnostic>) {
        all().insert(key, KnownModule::Shared(Arc::new(Self { compiled, warnings })));
    }
}
