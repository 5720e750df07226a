//! Whether the changed program differs from the recorded one only in comments and layout. Then the log is followed step by step, as in any replay.

use std::collections::BTreeSet;
use std::sync::Arc;

use interpreter::atom::Atom;
use session::Session;
use session::error::Error;
use session::program::Sources;
use system::loader::{LoadedFile, Role};

use crate::choices::Naming;
use crate::failure::{CheckFailure, recorded_failure};
use crate::inquiry::listen;
use crate::listener::Listener;
use crate::options::Options;

/// How similar a changed program is to the recorded one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sameness {
    /// The code is the same, apart from its place in the source.
    Code,
    /// The texts are the same except for comments and layout; `?LINE` may have another value.
    Text,
    /// It is a different program.
    None,
}

impl Sameness {
    /// Compares the program of a trace, which has been replayed to its end, with another program.
    pub(crate) fn of(session: &Session, sources: &Sources, heard: &Listener) -> Self {
        let recorded = session.sources();
        let (mut then, mut now) = (recorded.loader(), sources.loader());
        let program = session.program();
        let mut all = Self::Code;
        let modules = |sources: &Sources| -> BTreeSet<String> {
            let names = sources.all().iter().filter_map(|source| match &source.role {
                Role::Module(name) => Some(name.clone()),
                _ => None,
            });
            names.collect()
        };
        if !modules(recorded).is_subset(&modules(sources)) {
            return Self::None;
        }
        for source in sources.all() {
            let Role::Module(name) = &source.role else { continue };
            if recorded.all().contains(source)
                && !includes_others(source, recorded, sources)
                && !is_transformed_anew(name, recorded, sources)
            {
                continue;
            }
            if !program.is_loaded(Atom::new(name)) {
                let was_there = recorded.has_module(name);
                // A module that was missing in the recorded run is called now.
                if was_there || heard.missed.contains(name) {
                    return Self::None;
                }
                continue;
            }
            let (then, now) = (then.compiled(name, &program), now.compiled(name, &program));
            let same_code = matches!((then, now), (Some(then), Some(now)) if then.has_same_code(&now));
            all = match all {
                _ if same_code => all,
                _ if has_same_texts(recorded, sources) => Self::Text,
                _ => return Self::None,
            };
        }
        all
    }
}

/// Whether parse transforms, which may have changed, are to run for the module, or its beam file is another one.
fn is_transformed_anew(name: &str, recorded: &Sources, sources: &Sources) -> bool {
    let forms = |all: &Sources| {
        let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Forms(module) if module == name);
        all.all().iter().find(is_it).map(|source| Arc::clone(&source.text))
    };
    forms(recorded) != forms(sources)
}

/// Whether the module includes files that have changed.
fn includes_others(module: &LoadedFile, recorded: &Sources, sources: &Sources) -> bool {
    let is_include = |source: &&LoadedFile| matches!(source.role, Role::Include { .. });
    let others = sources.all().iter().filter(is_include);
    // An included file may include others: if any has changed, all modules are compared.
    recorded.owns(&module.path) && others.into_iter().any(|source| !recorded.all().contains(source))
}

fn has_same_texts(recorded: &Sources, sources: &Sources) -> bool {
    let (then, now) = (recorded.all(), sources.all());
    let is_known = |source: &&LoadedFile| then.iter().any(|known| known.role == source.role);
    let now: Vec<&LoadedFile> = now.iter().filter(is_known).collect();
    let same = |(then, now): (&LoadedFile, &LoadedFile)| {
        (&then.role, &then.options) == (&now.role, &now.options)
            && (then.text == now.text || syntax::has_same_tokens(&then.text, &now.text))
    };
    then.len() == now.len() && then.iter().zip(now).all(same)
}

/// Follows the log of a trace with a program that differs from the recorded one only in comments and layout. Returns the failure with its place
/// in that program, or `None` if the program departs from the log: then line numbers affect its behaviour.
pub(crate) fn follow(session: &Session, sources: &Sources, options: &Options) -> Result<Option<CheckFailure>, Error> {
    let again = session.with_program(sources.clone())?;
    match listen(&again, Naming::Place) {
        Ok((heard, _)) => Ok(Some(recorded_failure(again.trace(), &heard, options)?.failure)),
        Err(Error::Diverged(_) | Error::Leaked(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
