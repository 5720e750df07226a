//! What the name of a module stands for (a version of `Resource::Module`), and what a process has seen of it.
//!
//! Version 0 of a module is the code that was there before anything was loaded at run time: of a source, of the library, or none. A process that
//! has seen a version goes on with it without an action, until it sees another one: by a call by name, or by a question.

use std::sync::Arc;

use interpreter::heap::Fragment;
use interpreter::term::Pid;
use interpreter::vm::VersionId;
use log_format::Resource;

/// What the name of a module that was touched at run time stands for.
#[derive(Clone, Debug, Default)]
pub struct ModuleStanding {
    /// What calls by name enter; `None`: the module was deleted.
    pub current: Option<VersionId>,
    /// The code before it, until it is purged.
    pub old: Option<VersionId>,
    /// Old code is being purged: who is not in it does not enter it any more, by a fun.
    pub purging: bool,
    /// New code whose function of `-on_load` runs. It is not current yet.
    pub pending: Option<Pending>,
    /// The file that it was loaded from, and what its loader said about it: a pair, for `code`.
    pub about: Option<Fragment>,
}

impl ModuleStanding {
    /// New code becomes current, and what was current old. Of a deleted module, what was there stays old.
    pub(crate) fn replaced(self, version: VersionId, about: Fragment) -> Self {
        Self {
            current: Some(version),
            old: self.current.or(self.old),
            about: Some(about),
            ..Self::default()
        }
    }

    /// What a call by name meets: code, or who loads some where there is none.
    pub(crate) fn met(&self) -> (Option<VersionId>, Option<VersionId>) {
        let pending = self.pending.as_ref().filter(|_| self.current.is_none());
        (self.current, pending.map(|pending| pending.version))
    }
}

/// See [`ModuleStanding::pending`].
#[derive(Clone, Debug)]
pub struct Pending {
    /// The code.
    pub version: VersionId,
    /// As in [`ModuleStanding::about`].
    pub about: Fragment,
    /// Who loads it.
    pub loader: Pid,
}

/// What a process sees of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleView {
    /// The version of the resource.
    pub version: u64,
    /// `None`: version 0.
    pub standing: Option<Arc<ModuleStanding>>,
}

impl ModuleView {
    /// What calls by name enter. `None`: the first code of the module, if there is any; `Some(None)`: nothing.
    pub(crate) fn entered(&self) -> Option<Option<VersionId>> {
        self.standing.as_ref().map(|standing| standing.current)
    }
}

/// What a process has seen of the modules that were touched.
#[derive(Clone, Debug, Default)]
pub struct Views(Vec<(Resource, ModuleView)>);

impl Views {
    /// What it has seen last of a module.
    pub(crate) fn of(&self, module: Resource) -> ModuleView {
        let known = self.0.iter().find(|(one, _)| *one == module);
        known.map(|(_, view)| view.clone()).unwrap_or_default()
    }

    /// The modules of which it has seen a version, with its number, sorted.
    #[must_use]
    pub fn seen(&self) -> Vec<(Resource, u64)> {
        let mut all: Vec<_> = self.0.iter().map(|(module, view)| (*module, view.version)).collect();
        all.sort_unstable();
        all
    }

    /// It sees a version.
    pub(crate) fn see(&mut self, module: Resource, view: ModuleView) {
        match self.0.iter_mut().find(|(one, _)| *one == module) {
            Some((_, known)) => *known = view,
            None => self.0.push((module, view)),
        }
    }
}
