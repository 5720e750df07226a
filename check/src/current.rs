//! The current program: its sources, and whether they compile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::beam;
use log_format::CompileOption;
use session::error::Error;
use session::program::{RunEntry, Sources, module_of};
use session::{Around, Session};
use system::loader::{LoadedFile, Loader, Role};

use crate::described::{self, Now};
use crate::ground::read_regular;
use crate::listener::Listener;
use crate::mix;
use crate::options::Options;
use crate::project::{at_hand, is_elixir, is_of_mix, is_of_otp, may_be_read, of_tests};
use crate::search::Searched;
use crate::texts::Texts;

/// The sources of the trace, replaced by the files on disk, the paths of those that differ, and the files that the program reads itself. They are
/// compiled like the recorded ones; macros that are defined now are added, or replace recorded ones of the same name.
///
/// # Errors
/// A file that was named cannot be read, or belongs to no module of the trace; a project of mix is not here, or does not compile.
pub(crate) fn current(
    session: &Session,
    heard: &Listener,
    options: &Options,
    searched: &Searched,
) -> Result<Now, Error> {
    if let Some(of) = of_tests(session).filter(|_| options.compile.is_some()) {
        return described::current(session, heard, options, (of, searched));
    }
    let ((sources, changed, gone), texts) = elsewhere(session, heard, options, searched)?;
    Ok(Now {
        sources,
        changed,
        texts,
        around: Around {
            ground: None,
            answers: Some(Arc::new(heard.answers())),
            lacked: Arc::default(),
        },
        gone,
        lines: Arc::default(),
        arguments: None,
    })
}

/// The same of a program that is no project of Erlang.
fn elsewhere(
    session: &Session,
    heard: &Listener,
    options: &Options,
    searched: &Searched,
) -> Result<(Erlang, Texts), Error> {
    if !session.sources().has_elixir() {
        return Ok((in_erlang(session, &options.program, options)?, Texts::default()));
    }
    let is_in_elixir = |path: &&PathBuf| is_elixir(&path.to_string_lossy());
    let (named, others): (Vec<&PathBuf>, Vec<&PathBuf>) = options.program.iter().partition(is_in_elixir);
    let (named, others): (Vec<PathBuf>, Vec<PathBuf>) = (
        named.into_iter().cloned().collect(),
        others.into_iter().cloned().collect(),
    );
    if is_of_mix(session) {
        // What the run reads itself can be another file; what mix compiles cannot.
        let is_script = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "exs");
        if let Some(path) = options.program.iter().find(|path| !is_script(path)) {
            return Err(Error::Usage(format!(
                "{}: a project of mix is compiled as a whole: go to its folder, and name only files that the run reads, such as a test",
                path.display()
            )));
        }
        let (sources, changed) = mix::current(session, options, searched)?;
        return Ok((
            (sources, changed, BTreeSet::new()),
            Texts::of(heard, &named, true, &options.folders)?,
        ));
    }
    let texts = Texts::of(heard, &named, false, &options.folders)?;
    if named.is_empty() || !others.is_empty() {
        return Ok((in_erlang(session, &others, options)?, texts));
    }
    Ok(((session.sources().clone(), Vec::new(), BTreeSet::new()), texts))
}

/// The sources of a program without the files that it reads itself.
fn in_erlang(session: &Session, named: &[PathBuf], options: &Options) -> Result<Erlang, Error> {
    let defined = &options.defined;
    let recorded = session.sources().all();
    let (mut texts, mut objects) = read_named(named)?;
    let elixir = session.sources().of_elixir_itself();
    let can_change = |source: &LoadedFile| can_change(source, &elixir);
    let own = recorded
        .iter()
        .filter(|source| matches!(source.role, Role::Module(_)))
        .filter(|source| session.sources().owns(&source.path) && can_change(source));
    let paths: Vec<&str> = own.map(|source| source.path.as_str()).collect();
    let is_here = |path: &&str| at_hand(path).is_some_and(|path| may_be_read(&path, options));
    if named.is_empty() && !paths.is_empty() && !paths.iter().any(is_here) {
        return Err(Error::Usage(format!(
            "the files of the program are not here: {}; go to the folder in which it was recorded, or name the files with --program",
            paths.join(", ")
        )));
    }
    let mut changed = Vec::new();
    let mut gone = BTreeSet::new();
    let mut all = Vec::new();
    let transforms = texts.clone();
    for source in recorded {
        let is_named = matches!(&source.role, Role::Module(name) | Role::Forms(name) if transforms.iter().any(|(named, ..)| named == name));
        if !can_change(source) && !is_named {
            all.push(source.clone());
            continue;
        }
        let module = match &source.role {
            Role::Module(name) => Some(name),
            // What is compiled anew is transformed anew.
            Role::Forms(_) => continue,
            Role::Transform(_) | Role::Include { .. } => None,
        };
        let at = module.and_then(|name| texts.iter().position(|(known, _, _)| known == name));
        let of_transform = match &source.role {
            Role::Transform(name) => transforms.iter().find(|(known, ..)| known == name),
            _ => None,
        };
        let text = match (at, of_transform) {
            (Some(at), _) => texts.remove(at).2,
            (None, Some((.., text))) => Arc::clone(text),
            (None, None) => match read_here(source, options)? {
                Some(bytes) => text_of(bytes, source, &mut objects),
                None if named.is_empty() && module.is_some() && session.sources().owns(&source.path) => {
                    changed.push(source.path.clone());
                    gone.extend(module.cloned());
                    continue;
                }
                None => Arc::clone(&source.text),
            },
        };
        let object = module.filter(|name| objects.contains_key(*name));
        let text = if object.is_some() {
            Arc::clone(&source.text)
        } else {
            text
        };
        let is_new_object = object.is_some_and(|name| forms_of(recorded, name) != objects.get(name));
        let mut compiled_with = source.options.clone();
        if module.is_some() && session.sources().owns(&source.path) {
            compiled_with = with(compiled_with, defined);
        }
        if text != source.text || compiled_with != source.options || is_new_object {
            changed.push(source.path.clone());
        }
        all.push(LoadedFile {
            role: source.role.clone(),
            path: source.path.clone(),
            text,
            options: compiled_with,
        });
    }
    let is_transform = |module: &String| {
        let is_it = |source: &LoadedFile| matches!(&source.role, Role::Transform(name) if name == module);
        recorded.iter().any(is_it)
    };
    texts.retain(|(module, ..)| !is_transform(module));
    keep_forms(recorded, &mut all, &objects);
    if texts.len() == named.len() && !named.is_empty() {
        return Err(no_module(named, session));
    }
    // A module that the recorded run did not load may be called now. It is compiled like the others.
    let options = with(own_options(session), defined);
    for (module, path, text) in texts {
        changed.push(path.display().to_string());
        all.push(LoadedFile {
            role: Role::Module(module),
            path: path.display().to_string(),
            text,
            options: options.clone(),
        });
    }
    add_forms(&mut all, objects);
    Ok((session.sources().replaced(all), changed, gone))
}

/// Sources, the files that differ, and modules of which there is no file any more.
type Erlang = (Sources, Vec<String>, BTreeSet<String>);

/// What the file of a recorded source holds now; none if there is none. What a module of OTP includes stays as it was.
///
/// # Errors
/// The trace names a file elsewhere, or no regular file.
fn read_here(source: &LoadedFile, options: &Options) -> Result<Option<Vec<u8>>, Error> {
    let Some(path) = at_hand(&source.path) else {
        return Ok(None);
    };
    if !may_be_read(&path, options) {
        if matches!(source.role, Role::Include { .. }) {
            return Ok(None);
        }
        return Err(Error::Usage(format!(
            "the trace names {}, which is not in this folder: go to its folder, or name it with --program",
            log_format::safe_path(&path)
        )));
    }
    read_regular(&path).map(Some).map_err(|error| Error::Input {
        path,
        error: error.to_string(),
    })
}

/// Why a beam file is not taken.
const OF_ELIXIR: &str = "it is made from Elixir, of which `check` makes no forms; record a new trace";

/// Can a source have another text now? The modules of OTP and of Elixir stay as they were, and what the program reads itself is no module of it.
fn can_change(source: &LoadedFile, elixir: &BTreeSet<&str>) -> bool {
    match &source.role {
        Role::Module(name) | Role::Transform(name) | Role::Forms(name) => {
            !is_of_otp(name) && !elixir.contains(name.as_str())
        }
        Role::Include { .. } => !is_elixir(&source.path),
    }
}

/// None of the files that were named is a module of the recorded run.
fn no_module(named: &[PathBuf], session: &Session) -> Error {
    let all = session.sources().all().iter();
    let own = all.filter(|source| session.sources().owns(&source.path));
    let modules = own.filter_map(|source| match &source.role {
        Role::Module(name) => Some(name.as_str()),
        Role::Forms(_) | Role::Transform(_) | Role::Include { .. } => None,
    });
    let named: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
    Error::Usage(format!(
        "{}: not a module of the recorded run, whose modules are: {}",
        named.join(", "),
        modules.collect::<Vec<_>>().join(", ")
    ))
}

/// Modules, their files, and their texts.
type CurrentModules = Vec<(String, PathBuf, Arc<[u8]>)>;

/// Forms of modules in the external term format.
type Objects = BTreeMap<String, Arc<[u8]>>;

/// Reads the files that were named. A beam file has no text.
fn read_named(named: &[PathBuf]) -> Result<(CurrentModules, Objects), Error> {
    let mut texts: CurrentModules = Vec::new();
    let mut objects = Objects::new();
    for path in named {
        let input = |error: String| Error::Input {
            path: path.clone(),
            error,
        };
        let mut text = read_regular(path).map_err(|error| input(error.to_string()))?;
        let mut module = None;
        if beam::is_beam(&text) {
            let object = beam::read(&text).map_err(|error| input(error.to_string()))?;
            if object.is_elixir {
                return Err(input(OF_ELIXIR.to_owned()));
            }
            module = Some(object.module.clone());
            objects.insert(object.module, object.forms.into());
            text = Vec::new();
        }
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let module = module.or_else(|| module_of(&text)).unwrap_or(stem);
        if let Some((_, other, _)) = texts.iter().find(|(known, ..)| *known == module) {
            return Err(Error::Usage(format!(
                "{} and {} are both module {module}; name only one of them",
                other.display(),
                path.display()
            )));
        }
        texts.push((module, path.clone(), text.into()));
    }
    Ok((texts, objects))
}

fn forms_of<'a>(recorded: &'a [LoadedFile], name: &str) -> Option<&'a Arc<[u8]>> {
    let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Forms(module) if module == name);
    recorded.iter().find(is_it).map(|source| &source.text)
}

/// The text of a file that was recorded; of a beam file, which has none, what was recorded. One that cannot be read any more is as it was.
fn text_of(bytes: Vec<u8>, recorded: &LoadedFile, objects: &mut Objects) -> Arc<[u8]> {
    if !beam::is_beam(&bytes) {
        return bytes.into();
    }
    if let (Role::Module(name), Ok(object)) = (&recorded.role, beam::read(&bytes))
        && !object.is_elixir
    {
        objects.insert(name.clone(), object.forms.into());
    }
    Arc::clone(&recorded.text)
}

/// The forms of beam files, beside their modules.
fn add_forms(all: &mut Vec<LoadedFile>, objects: Objects) {
    for (name, forms) in objects {
        let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Module(module) if *module == name);
        if let Some(path) = all.iter().find(is_it).map(|source| source.path.clone()) {
            all.push(LoadedFile {
                role: Role::Forms(name),
                path,
                text: forms,
                options: Vec::new(),
            });
        }
    }
}

/// Keeps the forms of modules that are transformed as in the recorded run.
fn keep_forms(recorded: &[LoadedFile], all: &mut Vec<LoadedFile>, objects: &Objects) {
    let others = recorded
        .iter()
        .filter(|source| !matches!(source.role, Role::Module(_) | Role::Forms(_)));
    if !others.into_iter().all(|source| all.contains(source)) {
        return;
    }
    let is_same = |forms: &&LoadedFile| {
        let is_module = |source: &&LoadedFile| matches!((&source.role, &forms.role), (Role::Module(one), Role::Forms(other)) if one == other);
        recorded
            .iter()
            .find(is_module)
            .is_some_and(|module| all.contains(module))
    };
    let kept: Vec<LoadedFile> = recorded
        .iter()
        .filter(|source| matches!(&source.role, Role::Forms(name) if !objects.contains_key(name)))
        .filter(is_same)
        .filter(|source| !all.contains(source))
        .cloned()
        .collect();
    all.extend(kept);
}

/// The compiler options of the program's modules: the command line gave the same ones for all of them.
fn own_options(session: &Session) -> Vec<CompileOption> {
    let mut own = session
        .sources()
        .all()
        .iter()
        .filter(|source| session.sources().owns(&source.path));
    let is_module = |source: &&LoadedFile| matches!(source.role, Role::Module(_));
    own.find(is_module)
        .map_or_else(Vec::new, |source| source.options.clone())
}

/// The options with these macros added: of two with the same name, the new one counts.
fn with(mut options: Vec<CompileOption>, defined: &[CompileOption]) -> Vec<CompileOption> {
    for new in defined {
        let is_same = |old: &CompileOption| match (old, new) {
            (CompileOption::Define { name: old, .. }, CompileOption::Define { name: new, .. }) => old == new,
            _ => old == new,
        };
        match options.iter().position(is_same) {
            Some(at) => options[at] = new.clone(),
            None => options.push(new.clone()),
        }
    }
    options
}

/// Fails if one of the changed modules of the current program does not compile.
pub(crate) fn compiles(entry: &RunEntry, sources: &Sources, changed: &[String]) -> Result<(), Error> {
    let mut program = match entry.load(sources) {
        Err(Error::Program(text)) => return Err(Error::Changed(text)),
        loaded => loaded?,
    };
    let mut loader = sources.loader();
    for source in sources.all() {
        if let Role::Module(name) = &source.role
            && changed.contains(&source.path)
            && !program.is_loaded(Atom::new(name))
        {
            let loaded = loader.load(Atom::new(name), &mut program);
            loaded.map_err(|error| Error::Changed(error.to_string()))?;
        }
    }
    Ok(())
}
