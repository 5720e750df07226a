//! Modules of an installed Elixir that another thread compiles ahead: `mix test` needs the same hundreds of them every time. Which thread compiles a
//! module changes nothing in it, and the program loads it when it calls it.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use interpreter::vm::{Compiled, Program};
use rustc_hash::FxBuildHasher;
use syntax::diagnostic::Diagnostic;

use super::transforms::of_elixir;
use super::{Forms, ModuleFile, SourceLoader, front};

/// A module that is compiled.
#[derive(Clone)]
pub(super) struct Made {
    pub compiled: Arc<Compiled>,
    pub warnings: Vec<Diagnostic>,
    /// What it was made of.
    forms: Arc<[u8]>,
}

/// How far a module is.
enum State {
    /// Nobody has begun.
    Wanted,
    /// The other thread compiles it.
    Working,
    Made(Made),
    /// The program compiles it itself.
    Taken,
}

type Modules = HashMap<String, State, FxBuildHasher>;

static ALL: Mutex<Modules> = Mutex::new(HashMap::with_hasher(FxBuildHasher));
static CHANGED: Condvar = Condvar::new();

fn all() -> MutexGuard<'static, Modules> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to compile these modules, in this order.
pub fn compile_ahead(mut loader: SourceLoader, names: Vec<String>) {
    {
        let mut all = all();
        for name in &names {
            all.entry(name.clone()).or_insert(State::Wanted);
        }
    }
    std::thread::spawn(move || {
        let program = crate::natives::program(loader.release());
        for name in names {
            let Some(claim) = Claim::on(name) else { continue };
            let made = made(&mut loader, &claim.0, &program);
            claim.ends(made.map_or(State::Taken, State::Made));
        }
    });
}

/// A module that this thread compiles. Whoever waits for it goes on in any case.
struct Claim(String);

impl Claim {
    fn on(name: String) -> Option<Self> {
        let mut all = all();
        let state = all.get_mut(&name)?;
        if !matches!(state, State::Wanted) {
            return None;
        }
        *state = State::Working;
        Some(Self(name))
    }

    fn ends(&self, state: State) {
        all().insert(self.0.clone(), state);
        CHANGED.notify_all();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let is_left = matches!(all().get(&self.0), Some(State::Working));
        if is_left {
            self.ends(State::Taken);
        }
    }
}

fn made(loader: &mut SourceLoader, name: &str, program: &Program) -> Option<Made> {
    let file = loader.files.module(name).filter(is_of_elixir)?;
    let Some(Forms::Whole(forms)) = &file.forms else {
        return None;
    };
    let (parsed, _) = front(&mut *loader.files, None, loader.language, &file).ok()?;
    let parsed = parsed.ok()?;
    let compiled = program.compile_to_share(&parsed.module).ok()?;
    Some(Made {
        compiled: Arc::new(compiled),
        warnings: parsed.warnings,
        forms: Arc::clone(forms),
    })
}

fn is_of_elixir(file: &ModuleFile) -> bool {
    file.options == [of_elixir()]
}

/// A module that was compiled ahead of these forms; `None`: it is to be compiled now. Waits if it is being compiled.
pub(super) fn take(name: &str, file: &ModuleFile) -> Option<Made> {
    let Some(Forms::Whole(forms)) = file.forms.as_ref().filter(|_| is_of_elixir(file)) else {
        return None;
    };
    let mut all = all();
    loop {
        match all.get_mut(name)? {
            State::Taken => return None,
            state @ State::Wanted => {
                *state = State::Taken;
                return None;
            }
            State::Made(made) => return (made.forms == *forms).then(|| made.clone()),
            State::Working => all = CHANGED.wait(all).unwrap_or_else(PoisonError::into_inner),
        }
    }
}
