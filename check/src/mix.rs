//! The current program where `mix test` was recorded: mix compiles the project, and its modules take the place of the recorded ones.

use std::collections::BTreeMap;
use std::path::Path;

use session::Session;
use session::error::Error;
use session::program::Sources;
use system::loader::{LoadedFile, Role};

use crate::ground::read_regular;
use crate::options::{CompiledProgram, Of, Options, WantedProgram};
use crate::project::is_elixir;
use crate::search::Searched;
use crate::texts::at_hand;

/// The configuration of a project.
const PROJECT: &str = "mix.exs";

/// A module as it is now: its source, and its forms, if it has been compiled already.
type Now<'a> = BTreeMap<&'a str, (&'a LoadedFile, Option<&'a LoadedFile>)>;

/// The modules of a list.
fn modules(sources: &[LoadedFile]) -> Now<'_> {
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
    let recorded = session.sources().all();
    let then = modules(recorded);
    let elixir = session.sources().of_elixir_itself();
    // Of the project and its dependencies: each with its forms. Those of the installed Elixir stay as they were recorded.
    let own: BTreeMap<&str, &LoadedFile> = then
        .iter()
        .filter_map(|(name, (_, forms))| Some((*name, (*forms)?)))
        .filter(|(name, _)| !elixir.contains(name))
        .collect();
    if options.no_compile {
        return uncompiled(session, &own, &then);
    }
    let now = modules(&compiled(session, &own, options, searched)?.sources);
    // Elixir's own protocols, which each project has, come without a text.
    let written = own.keys().filter(|name| !then[**name].0.text.is_empty());
    if written.clone().next().is_some() && !written.clone().any(|name| now.contains_key(name)) {
        let written: Vec<&str> = written.map(|name| name.trim_start_matches("Elixir.")).collect();
        return Err(Error::Changed(format!(
            "this project has none of the recorded modules ({}): is it another project?\n",
            written.join(", ")
        )));
    }
    let mut changed = Vec::new();
    let mut all: Vec<LoadedFile> = Vec::new();
    for source in recorded {
        let forms = match &source.role {
            Role::Module(name) | Role::Forms(name) => own.get(name.as_str()).map(|forms| (name.as_str(), *forms)),
            Role::Transform(_) | Role::Include { .. } => None,
        };
        let Some((name, forms)) = forms else {
            all.push(source.clone());
            continue;
        };
        match now.get(name) {
            Some((_, Some(other))) if other.text == forms.text => all.push(source.clone()),
            Some((module, Some(other))) => {
                changed.push(module.path.clone());
                let is_module = matches!(source.role, Role::Module(_));
                all.push(if is_module { (*module).clone() } else { (*other).clone() });
            }
            // The project has it no more.
            _ if is_elixir(&source.path) => changed.push(source.path.clone()),
            _ => all.push(source.clone()),
        }
    }
    // New ones may be called.
    for (module, forms) in now
        .iter()
        .filter(|(name, _)| !then.contains_key(*name))
        .map(|(_, now)| now)
    {
        all.push((*module).clone());
        all.extend(forms.cloned());
    }
    changed.sort();
    changed.dedup();
    Ok((session.sources().replaced(all), changed))
}

/// The modules as they were recorded, where the project is not compiled.
///
/// # Errors
/// One of their files is another one now, or is gone.
fn uncompiled(
    session: &Session,
    own: &BTreeMap<&str, &LoadedFile>,
    then: &Now<'_>,
) -> Result<(Sources, Vec<String>), Error> {
    let mut changed: Vec<&str> = Vec::new();
    for (source, _) in own.keys().filter_map(|name| then.get(name)) {
        let is_same = || {
            let here = at_hand(&source.path, true, &[])?;
            Some(read_regular(&here).ok()? == *source.text)
        };
        if is_elixir(&source.path) && !source.text.is_empty() && is_same() != Some(true) {
            changed.push(&source.path);
        }
    }
    changed.sort_unstable();
    changed.dedup();
    if changed.is_empty() {
        return Ok((session.sources().clone(), Vec::new()));
    }
    Err(Error::Changed(format!(
        "these files are others now, and with --no-compile they are not compiled: {}\n",
        changed.join(", ")
    )))
}

/// The project, compiled: once for a check.
fn compiled<'s>(
    session: &Session,
    own: &BTreeMap<&str, &LoadedFile>,
    options: &Options,
    searched: &'s Searched,
) -> Result<&'s CompiledProgram, Error> {
    if let Some(compiled) = searched.compiled.get() {
        return Ok(compiled);
    }
    let Some(compile) = options.compile else {
        return Err(Error::Usage("a project of mix cannot be compiled here".to_owned()));
    };
    if !Path::new(PROJECT).is_file() {
        return Err(Error::Usage(format!(
            "the project is not here: expected {PROJECT} in the current folder; go to the folder in which it was recorded"
        )));
    }
    options.doing("compiling the project");
    let names: Vec<&str> = own.keys().copied().collect();
    let compiled = compile(&WantedProgram {
        of: Of::Mix,
        modules: &names,
        ..options.wanted(session)
    })?;
    Ok(searched.compiled.get_or_init(|| compiled))
}
