//! The current program where `mix test` was recorded: mix compiles the project, and its modules take the place of the recorded ones.

use std::collections::BTreeMap;
use std::path::Path;

use session::Session;
use session::error::Error;
use session::program::Sources;
use system::loader::transforms::of_elixir;
use system::loader::{Role, Source};

use crate::Options;
use crate::project::is_elixir;
use crate::search::Searched;

/// The configuration of a project.
const PROJECT: &str = "mix.exs";

/// A module as it is now: its source, and its forms, if it has been compiled already.
type Now<'a> = BTreeMap<&'a str, (&'a Source, Option<&'a Source>)>;

/// The modules of a list.
fn modules(sources: &[Source]) -> Now<'_> {
    let mut all = Now::new();
    for source in sources {
        if let Role::Module(name) = &source.role {
            all.insert(name, (source, None));
        }
    }
    for source in sources {
        if let Role::Forms(name) = &source.role
            && let Some((_, forms)) = all.get_mut(name.as_str())
        {
            *forms = Some(source);
        }
    }
    all
}

/// The sources of the trace, with the project's modules as they are now, and the paths of those that differ.
///
/// # Errors
/// The project is not here, or does not compile.
pub(crate) fn current(
    session: &Session,
    options: &Options,
    searched: &Searched,
) -> Result<(Sources, Vec<String>), Error> {
    let Some(compile) = options.compile else {
        return Err(Error::Usage("a project of mix cannot be compiled here".to_owned()));
    };
    let recorded = session.sources().all();
    let then = modules(recorded);
    // Those of the installed Elixir stay as they were recorded.
    let is_own = |source: &Source| !source.options.contains(&of_elixir());
    let own = then
        .iter()
        .filter(|(_, (source, forms))| forms.is_some() && is_own(source));
    let names: Vec<&str> = own.map(|(name, _)| *name).collect();
    let compiled = match searched.compiled.get() {
        Some(compiled) => compiled,
        None => {
            if !Path::new(PROJECT).is_file() {
                return Err(Error::Usage(format!(
                    "the project is not here: expected {PROJECT} in the current folder; go to the folder in which it was recorded"
                )));
            }
            options.doing("compiling the project");
            let compiled = compile(&names, true)?;
            searched.compiled.get_or_init(|| compiled)
        }
    };
    let now = modules(compiled);
    // Elixir's own protocols, which each project has, come without a text.
    let has_text = |name: &&&str| then.get(**name).is_some_and(|(source, _)| !source.text.is_empty());
    let written: Vec<&str> = names.iter().filter(has_text).copied().collect();
    if !written.is_empty() && !written.iter().any(|name| now.contains_key(name)) {
        let written: Vec<&str> = written.iter().map(|name| name.trim_start_matches("Elixir.")).collect();
        return Err(Error::Changed(format!(
            "the project here has no module of the recorded one, which has {}: is it another project?\n",
            written.join(", ")
        )));
    }
    let mut changed = Vec::new();
    let mut all: Vec<Source> = Vec::new();
    for source in recorded {
        let (Role::Module(name) | Role::Forms(name)) = &source.role else {
            all.push(source.clone());
            continue;
        };
        let is_module = matches!(source.role, Role::Module(_));
        let forms = then.get(name.as_str()).and_then(|(_, forms)| *forms);
        let Some(forms) = forms.filter(|_| names.contains(&name.as_str())) else {
            all.push(source.clone());
            continue;
        };
        match now.get(name.as_str()) {
            Some((_, Some(other))) if other.text == forms.text => all.push(source.clone()),
            Some((module, Some(other))) => {
                if is_module {
                    changed.push(module.path.clone());
                }
                all.push(if is_module { (*module).clone() } else { (*other).clone() });
            }
            // The project has it no more.
            _ if is_elixir(&source.path) => changed.push(source.path.clone()),
            _ => all.push(source.clone()),
        }
    }
    // New ones may be called.
    for (name, (module, forms)) in &now {
        if !then.contains_key(name) {
            all.push((*module).clone());
            all.extend(forms.map(Clone::clone));
        }
    }
    changed.sort();
    changed.dedup();
    Ok((session.sources().replaced(all), changed))
}
