//! Modules that the trace has not, and that a run of a program in Elixir calls: those of the installed Elixir and OTP, and of dependencies, can be had.
//! A trace holds what its run has loaded; a mend may call more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interpreter::atom::Atom;
use interpreter::vm::Program;
use session::Session;
use session::error::Error;
use system::error::Unloadable;
use system::loader::{LoadedFile, Loader, ModuleFile, Role, SourceLoader};

use crate::options::{Of, Options, WantedProgram};
use crate::project::{beside, is_of_mix, of_tests};

/// Limit: how often modules are asked for.
const ROUNDS: u32 = 8;

/// Names of modules that runs have called in vain.
#[derive(Clone, Default)]
pub(crate) struct Missing(Arc<Mutex<MissingNames>>);

#[derive(Default)]
struct MissingNames {
    called: BTreeSet<String>,
    /// The recorded run has called them in vain, too.
    expected: BTreeSet<String>,
    /// Why modules that were called do not compile.
    refused: BTreeMap<String, String>,
    is_settled: bool,
}

impl Missing {
    /// A loader that notes them.
    pub(crate) fn noting(&self, inner: SourceLoader) -> Box<dyn Loader> {
        Box::new(Noting {
            inner,
            missing: self.clone(),
        })
    }

    /// Only the recorded program has run so far: what was called in vain was called so when recorded. Later calls of this change nothing.
    pub(crate) fn expect_these(&self) {
        let mut names = self.names();
        if !names.is_settled {
            names.is_settled = true;
            names.expected = std::mem::take(&mut names.called);
            // Nor does one that did not compile then.
            let refused = std::mem::take(&mut names.refused);
            names.expected.extend(refused.into_keys());
        }
    }

    /// Why modules that the changed program calls do not compile.
    pub(crate) fn refused(&self) -> Option<String> {
        let names = self.names();
        (!names.refused.is_empty()).then(|| names.refused.values().cloned().collect())
    }

    /// Has a run called this module in vain?
    pub(crate) fn has_called(&self, name: &str) -> bool {
        self.names().called.contains(name)
    }

    fn names(&self) -> MutexGuard<'_, MissingNames> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Noting {
    inner: SourceLoader,
    missing: Missing,
}

impl Loader for Noting {
    fn load(&mut self, module: Atom, program: &mut Program) -> Result<bool, Unloadable> {
        let loaded = self.inner.load(module, program).inspect_err(|why| {
            let mut names = self.missing.names();
            if !names.expected.contains(module.as_str()) {
                names.refused.insert(module.as_str().to_owned(), why.to_string());
            }
        })?;
        if !loaded {
            let mut names = self.missing.names();
            if !names.expected.contains(module.as_str()) {
                names.called.insert(module.as_str().to_owned());
            }
        }
        Ok(loaded)
    }

    fn missed(&self) -> Vec<Atom> {
        self.inner.missed()
    }

    fn has(&mut self, module: Atom, program: &Program) -> bool {
        self.inner.has(module, program)
    }

    fn path(&mut self, module: Atom) -> Option<String> {
        self.inner.path(module)
    }

    fn reads(&mut self, module: Atom, program: &mut Program) -> bool {
        self.inner.reads(module, program)
    }

    fn source(&mut self, module: &str) -> Option<ModuleFile> {
        self.inner.source(module)
    }

    fn included(&mut self, file: &ModuleFile) -> (Vec<LoadedFile>, Option<Vec<u8>>) {
        self.inner.included(file)
    }

    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)> {
        self.inner.forms(module)
    }
}

/// What has been asked for.
#[derive(Clone, Default)]
pub(crate) struct AskedModules {
    names: BTreeSet<String>,
    rounds: u32,
}

impl AskedModules {
    /// The modules that were called in vain and that nobody has asked for yet.
    pub(crate) fn not_yet(&self, missing: &Missing) -> BTreeSet<String> {
        match self.rounds {
            ROUNDS.. => BTreeSet::new(),
            _ => missing.names().called.difference(&self.names).cloned().collect(),
        }
    }

    /// The session with these modules, as far as they can be had; `None`: none of them can.
    ///
    /// # Errors
    /// The project does not compile.
    pub(crate) fn ask(
        &mut self,
        names: &BTreeSet<String>,
        session: &Session,
        options: &Options,
    ) -> Result<Option<Session>, Error> {
        self.rounds += 1;
        self.names.extend(names.iter().cloned());
        let Some(compile) = options.compile else {
            return Ok(None);
        };
        let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
        let files = beside(session, options);
        let of = match of_tests(session) {
            Some(of) => of,
            None if is_of_mix(session) => Of::Mix,
            None if session.sources().has_elixir() => Of::Modules,
            None if files.is_empty() => return Ok(None),
            None => Of::Files,
        };
        let had = compile(&WantedProgram {
            of,
            modules: &wanted,
            files: &files,
            ..options.wanted(session)
        })?;
        let is_wanted = |source: &&LoadedFile| matches!(&source.role, Role::Module(name) | Role::Forms(name) if names.contains(name));
        let more: Vec<LoadedFile> = had.sources.iter().filter(is_wanted).cloned().collect();
        if more.is_empty() {
            return Ok(None);
        }
        let is_needed = |source: &&LoadedFile| {
            let is_include = matches!(source.role, Role::Include { .. } | Role::Transform(_));
            is_include && session.sources().all().iter().all(|other| other.role != source.role)
        };
        let mut all = session.sources().all().to_vec();
        all.extend(had.sources.iter().filter(is_needed).cloned());
        all.extend(more);
        Ok(Some(session.with_program(session.sources().replaced(all))?))
    }
}
