//! Where runs of a hunt for a test begin: where the first test does. What comes before it (a compiler, a configuration, a runner, fixtures) is run once, and
//! each run continues a copy of that. The trace of a run is that of all of it, all the same.

use std::path::Path;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::Memory;
use rustc_hash::FxHashSet;
use system::System;
use system::loader::Loader;
use system::recorder::{Recorder, RunFacts};
use system::scheduler::RoundRobin;
use tempfile::TempDir;

use crate::error::HuntError;
use crate::hunt::watcher::Watcher;

/// The system of a run that is recorded into memory.
pub type Recorded = System<Recorder<Watcher>>;

/// A program that stands where its first test begins.
pub struct Beginning {
    system: Recorded,
    /// Its trace so far.
    trace: Memory,
    /// The seed of all that came before.
    pub seed: u64,
    /// Modules that runs have loaded since, or made.
    met: FxHashSet<Atom>,
    /// What the folder of a suite held then.
    folder: Option<TempDir>,
}

impl Beginning {
    /// Keeps a system that stands where its first test begins. `trace`: what was recorded so far, all of it in whole cuts; `private`: the folder of its
    /// suite.
    ///
    /// # Errors
    /// That folder cannot be copied.
    pub fn new(system: Recorded, trace: Memory, seed: u64, private: Option<&Path>) -> Result<Self, HuntError> {
        let kept = |folder: &Path| -> std::io::Result<TempDir> {
            let kept = tempfile::Builder::new().prefix("tracer-").tempdir()?;
            copy_all(folder, kept.path())?;
            Ok(kept)
        };
        let folder = private.map(|folder| kept(folder).map_err(|error| HuntError::folder(folder, error)));
        Ok(Self {
            system,
            trace,
            seed,
            met: FxHashSet::default(),
            folder: folder.transpose()?,
        })
    }

    /// A copy that goes on as another run, with its trace; `None`: it cannot be copied.
    ///
    /// # Errors
    /// The trace cannot be made: our own fault.
    pub fn copy(&mut self, facts: &RunFacts, loader: Box<dyn Loader>) -> Result<Option<(Recorded, Memory)>, HuntError> {
        let trace = Memory::default();
        let recorder = self
            .system
            .observer
            .copy(facts, &self.trace.bytes(), Box::new(trace.clone()))?;
        let copy = recorder.and_then(|recorder| self.system.fork_with(recorder, Box::<RoundRobin>::default(), loader));
        Ok(copy.map(|copy| (copy, trace)))
    }

    /// The system and its trace: it goes on itself.
    pub fn into_parts(self) -> (Recorded, Memory) {
        (self.system, self.trace)
    }

    /// Gives the folder of a suite, which is empty, what it held.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn furnish(&self, private: &Path) -> Result<(), HuntError> {
        match &self.folder {
            Some(folder) => copy_all(folder.path(), private).map_err(|error| HuntError::folder(private, error)),
            None => Ok(()),
        }
    }

    /// A run that began here has ended with this program: what it has loaded is there for the next one. Not what it has made itself.
    pub fn learn(&mut self, program: &Program, loader: &mut dyn Loader) {
        if program.loaded_count() <= self.system.program.loaded_count() + self.met.len() {
            return;
        }
        for module in program.loaded() {
            if !self.system.program.is_loaded(module) && self.met.insert(module) {
                // One that does not load is told of when it is called.
                let _ = loader.load(module, Arc::make_mut(&mut self.system.program));
            }
        }
        self.met.retain(|module| !self.system.program.is_loaded(*module));
    }
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            std::fs::create_dir(&to)?;
            copy_all(&entry.path(), &to)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path())?, to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
