//! Modules of an installed Elixir that another thread compiles ahead: `mix test` needs the same hundreds of them every time. Which thread compiles a
//! module changes nothing in it, and the program loads it when it calls it.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use interpreter::vm::{CompiledModule, Program};
use rustc_hash::FxBuildHasher;
use syntax::diagnostic::Diagnostic;

use super::transforms::of_elixir;
use super::{Forms, ModuleFile, SourceLoader, front};

/// A module that is compiled.
#[derive(Clone)]
pub(super) struct ModuleAhead {
    pub compiled: Arc<CompiledModule>,
    pub warnings: Vec<Diagnostic>,
    /// What it was made of.
    forms: Arc<[u8]>,
}

/// How far a module is.
enum ModuleProgress {
    /// Nobody has begun.
    Wanted,
    /// The other thread compiles it.
    Working,
    Made(ModuleAhead),
    /// The program compiles it itself.
    Taken,
}

type ModulesAhead = HashMap<String, ModuleProgress, FxBuildHasher>;

static ALL: Mutex<ModulesAhead> = Mutex::new(HashMap::with_hasher(FxBuildHasher));
static CHANGED: Condvar = Condvar::new();

fn all() -> MutexGuard<'static, ModulesAhead> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to compile these modules, in this order. `empty`: a program without modules, of the loader's release.
pub fn compile_ahead(mut loader: SourceLoader, empty: Program, names: Vec<String>) {
    {
        let mut all = all();
        for name in &names {
            all.entry(name.clone()).or_insert(ModuleProgress::Wanted);
        }
    }
    std::thread::spawn(move || {
        for name in names {
            let Some(claim) = Claim::on(name) else { continue };
            let made = made(&mut loader, &claim.0, &empty);
            claim.ends(made.map_or(ModuleProgress::Taken, ModuleProgress::Made));
        }
    });
}

/// A module that this thread compiles. Whoever waits for it goes on in any case.
struct Claim(String);

impl Claim {
    fn on(name: String) -> Option<Self> {
        let mut all = all();
        let state = all.get_mut(&name)?;
        if !matches!(state, ModuleProgress::Wanted) {
            return None;
        }
        *state = ModuleProgress::Working;
        Some(Self(name))
    }

    fn ends(&self, state: ModuleProgress) {
        all().insert(self.0.clone(), state);
        CHANGED.notify_all();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let is_left = matches!(all().get(&self.0), Some(ModuleProgress::Working));
        if is_left {
            self.ends(ModuleProgress::Taken);
        }
    }
}

fn made(loader: &mut SourceLoader, name: &str, program: &Program) -> Option<ModuleAhead> {
    let file = loader.files.module(name).filter(is_of_elixir)?;
    let Some(Forms::Whole(forms)) = &file.forms else {
        return None;
    };
    let (parsed, _) = front(&mut *loader.files, None, loader.language, &file).ok()?;
    let parsed = parsed.ok()?;
    let compiled = program.compile_to_share(&parsed.module).ok()?;
    Some(ModuleAhead {
        compiled: Arc::new(compiled),
        warnings: parsed.warnings,
        forms: Arc::clone(forms),
    })
}

fn is_of_elixir(file: &ModuleFile) -> bool {
    file.options == [of_elixir()]
}

/// A module that was compiled ahead of these forms; `None`: it is to be compiled now. Waits if it is being compiled.
pub(super) fn take(name: &str, file: &ModuleFile) -> Option<ModuleAhead> {
    let Some(Forms::Whole(forms)) = file.forms.as_ref().filter(|_| is_of_elixir(file)) else {
        return None;
    };
    let mut all = all();
    loop {
        match all.get_mut(name)? {
            ModuleProgress::Taken => return None,
            state @ ModuleProgress::Wanted => {
                *state = ModuleProgress::Taken;
                return None;
            }
            ModuleProgress::Made(made) => return (made.forms == *forms).then(|| made.clone()),
            ModuleProgress::Working => all = CHANGED.wait(all).unwrap_or_else(PoisonError::into_inner),
        }
    }
}
