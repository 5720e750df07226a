//! The current program where `tracer test` was recorded: what `tracer` knows of the project in the current folder takes the place of what was recorded.
//! Only modules of OTP and of the tool's library stay as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::beam;
use log_format::CompileOption;
use rustc_hash::FxHashMap;
use session::error::Error;
use session::program::{Sources, module_of};
use session::{Around, Session};
use system::loader::{LoadedFile, Role};

use crate::ground::{Project, ProjectFolders, read_regular, without_common_end};
use crate::lines::TestLines;
use crate::listener::Listener;
use crate::options::{CompiledProgram, Of, Options, WantedProgram};
use crate::project::can_change;
use crate::search::Searched;
use crate::texts::{self, Texts};

/// The current program, and what is around it.
pub(crate) struct Now {
    /// Its sources.
    pub sources: Sources,
    /// The files that differ.
    pub changed: Vec<String>,
    /// What it reads itself.
    pub texts: Texts,
    /// Files of the project.
    pub around: Around,
    /// Modules of the recorded run that the project no longer has.
    pub gone: BTreeSet<String>,
    /// Where tests are that are named by lines.
    pub lines: Arc<TestLines>,
    /// The arguments of the entry, if they are others.
    pub arguments: Option<Vec<String>>,
}

/// The names of the modules that can have changed.
pub(crate) fn own_modules(session: &Session) -> Vec<String> {
    let names = session.sources().all().iter().filter_map(|source| match &source.role {
        Role::Module(name) if can_change(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// The project as it is now.
///
/// # Errors
/// It cannot be read; a file that was named cannot be read.
pub(crate) fn current(
    session: &Session,
    heard: &Listener,
    options: &Options,
    (of, searched): (Of, &Searched),
) -> Result<Now, Error> {
    let compiled = compiled(session, options, of, searched)?;
    let (sources, changed, gone) = merged(session, &compiled.sources, options, heard)?;
    let lines = TestLines::of(heard.tests_begun.iter(), session.sources(), &sources);
    let module = entered(&session.trace().header().arguments, &gone, heard.tests_begun.iter());
    let places = ProjectFolders::new(&session.trace().header().arguments, &compiled.words, Path::new("."));
    let known = heard.answers();
    let read: Vec<(&str, bool, Vec<u8>)> = heard
        .read
        .iter()
        .filter_map(|(question, path)| match known.get(question)?.as_slice() {
            // What it has read with several contents, it has written itself.
            [value, others @ ..] if others.iter().all(|other| other == value) => {
                let contents = texts::contents(value);
                Some((path.as_str(), contents.is_some(), contents.unwrap_or_default().to_vec()))
            }
            _ => None,
        })
        .collect();
    let had = read
        .iter()
        .filter(|(_, was_there, _)| *was_there)
        .map(|(path, ..)| (*path).to_owned());
    let project = Project::new(places, heard.wrote.clone(), had.collect());
    let files = project.changed(
        read.iter()
            .map(|(path, was_there, contents)| (*path, *was_there, contents.as_slice())),
    );
    Ok(Now {
        sources,
        changed,
        texts: Texts::of_ground(files),
        around: Around {
            ground: Some(Arc::new(project)),
            answers: Some(Arc::new(known)),
            lacked: Arc::default(),
        },
        gone,
        arguments: arguments(&session.trace().header().arguments, &compiled.words, &lines, module),
        lines: Arc::new(lines),
    })
}

/// EUnit can be given a module, whose tests are in another one: `cell` for those of `cell_tests`. If the project no longer has it, the module of the
/// tests, if there is one only.
fn entered<'a>(
    recorded: &[String],
    gone: &BTreeSet<String>,
    tests: impl Iterator<Item = &'a String>,
) -> Option<&'a str> {
    gone.contains(recorded.first()?).then_some(())?;
    let modules: BTreeSet<&str> = tests.filter_map(|test| Some(test.split_once(':')?.0)).collect();
    let mut there = modules.into_iter().filter(|module| !gone.contains(*module));
    there.next().filter(|_| there.next().is_none())
}

/// The arguments of the library's runner, `MODULE STYLE PLACE COUNT WORD… WORD…`, with what is known of new applications, and with the lines that tests
/// have now. `module`: the module, if it is another one. None if they are the recorded ones.
fn arguments(recorded: &[String], now: &[String], lines: &TestLines, module: Option<&str>) -> Option<Vec<String>> {
    let count: usize = recorded.get(COUNT)?.parse().ok()?;
    let end = (COUNT + 1).checked_add(count).filter(|end| *end <= recorded.len())?;
    let words = &recorded[COUNT + 1..end];
    let name = |word: &str| {
        let (_, rest) = word.split_once('=')?;
        Some(rest.split('=').next()?.to_owned())
    };
    let known: BTreeSet<String> = words.iter().filter_map(|word| name(word)).collect();
    let new: Vec<&String> = now
        .iter()
        .filter(|word| name(word).is_some_and(|name| !known.contains(&name)))
        .collect();
    let only: Vec<String> = recorded[end..]
        .iter()
        .map(|word| lines.word(word).unwrap_or_else(|| word.clone()))
        .collect();
    if new.is_empty() && only == recorded[end..] && module.is_none() {
        return None;
    }
    let mut all = recorded[..COUNT].to_vec();
    if let Some(module) = module {
        module.clone_into(&mut all[0]);
    }
    all.push((count + new.len()).to_string());
    all.extend(words.iter().chain(new).cloned());
    all.extend(only);
    Some(all)
}

/// Where the number of words is.
const COUNT: usize = 3;

/// What `tracer` says of the project: once for a check.
fn compiled<'s>(
    session: &Session,
    options: &Options,
    of: Of,
    searched: &'s Searched,
) -> Result<&'s CompiledProgram, Error> {
    if let Some(compiled) = searched.compiled.get() {
        return Ok(compiled);
    }
    let Some(compile) = options.compile else {
        return Err(Error::Usage("a project cannot be read here".to_owned()));
    };
    options.doing("reading the project");
    let names = own_modules(session);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let compiled = compile(&WantedProgram {
        of,
        modules: &names,
        ..options.wanted(session)
    })?;
    Ok(searched.compiled.get_or_init(|| compiled))
}

/// How the paths of a project begin when recorded and now: what most of its modules say.
fn beginnings(then: &[LoadedFile], now: &[LoadedFile]) -> (PathBuf, PathBuf) {
    let paths: BTreeMap<&str, &str> = modules(then).collect();
    let mut counts: FxHashMap<(PathBuf, PathBuf), usize> = FxHashMap::default();
    for (name, path) in modules(now) {
        if let Some(then) = paths.get(name) {
            *counts
                .entry(without_common_end(Path::new(then), Path::new(path)))
                .or_default() += 1;
        }
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    all.into_iter().next().map_or_else(Default::default, |(pair, _)| pair)
}

fn modules(sources: &[LoadedFile]) -> impl Iterator<Item = (&str, &str)> {
    sources.iter().filter_map(|source| match &source.role {
        Role::Module(name) if can_change(name) => Some((name.as_str(), source.path.as_str())),
        _ => None,
    })
}

/// The sources as they are now, under the paths that they would have had when recorded.
fn as_recorded(recorded: &[LoadedFile], now: &[LoadedFile]) -> Vec<LoadedFile> {
    let (then, here) = beginnings(recorded, now);
    let renamed = |path: &str| match Path::new(path).strip_prefix(&here) {
        Ok(rest) if then != here => then.join(rest).display().to_string(),
        _ => path.to_owned(),
    };
    let mut all = now.to_vec();
    for source in &mut all {
        source.path = renamed(&source.path);
        if let Role::Include { from, .. } = &mut source.role {
            *from = renamed(from);
        }
    }
    all
}

/// Options that count for the code: the others are for parse transforms, and hold paths.
fn counting(options: &[CompileOption]) -> Vec<&CompileOption> {
    let counts =
        |option: &&CompileOption| !matches!(option, CompileOption::Feature(text) if text.starts_with("option "));
    options.iter().filter(counts).collect()
}

/// The recorded sources with those of the project in their place; which files differ; and which modules there are no more.
fn merged(
    session: &Session,
    compiled: &[LoadedFile],
    options: &Options,
    heard: &Listener,
) -> Result<(Sources, Vec<String>, BTreeSet<String>), Error> {
    let recorded = session.sources().all();
    let mut now = as_recorded(recorded, compiled);
    let named = with_named(&mut now, recorded, options)?;
    let is_own = |source: &LoadedFile| match &source.role {
        Role::Module(name) | Role::Forms(name) => can_change(name),
        Role::Transform(_) | Role::Include { .. } => false,
    };
    // What modules of OTP include stays, too.
    let mut kept: BTreeSet<&str> = recorded
        .iter()
        .filter(|source| matches!(&source.role, Role::Module(name) if !can_change(name)))
        .map(|source| source.path.as_str())
        .collect();
    let mut changed = Vec::new();
    let mut gone = BTreeSet::new();
    let mut all: Vec<LoadedFile> = Vec::new();
    for source in recorded {
        let current = now.iter().find(|other| other.role == source.role);
        match (&source.role, current) {
            (Role::Include { from, .. }, _) if kept.contains(from.as_str()) => {
                kept.insert(&source.path);
                all.push(source.clone());
            }
            (_, Some(current))
                if is_own(source) || matches!(source.role, Role::Transform(_) | Role::Include { .. }) =>
            {
                let is_same = current.text == source.text && counting(&current.options) == counting(&source.options);
                let has_moved = current.path != source.path && !matches!(source.role, Role::Forms(_));
                if !is_same || has_moved {
                    changed.push(current.path.clone());
                }
                all.push(current.clone());
            }
            (Role::Module(name), None) if is_own(source) => {
                changed.push(source.path.clone());
                gone.insert(name.clone());
            }
            // The project's own, without the file that asked for it.
            (Role::Include { .. } | Role::Forms(_), None) if is_own(source) || !kept.contains(source.path.as_str()) => {
                let is_forms_of_kept = matches!(&source.role, Role::Forms(name) if !can_change(name));
                if is_forms_of_kept {
                    all.push(source.clone());
                }
            }
            _ => all.push(source.clone()),
        }
    }
    for source in now {
        let is_new = all.iter().all(|other| other.role != source.role);
        let of_otp = matches!(&source.role, Role::Module(name) | Role::Forms(name) if session.sources().has_module(name) && !can_change(name));
        if !is_new || of_otp {
            continue;
        }
        // The recorded run has called it in vain, or somebody has named it.
        let counts = matches!(&source.role, Role::Module(name) if heard.missed.contains(name) || named.contains(name));
        if counts {
            changed.push(source.path.clone());
        }
        all.push(source);
    }
    changed.sort();
    changed.dedup();
    Ok((session.sources().replaced(all), changed, gone))
}

/// Puts files that were named in the place of the project's: `tracer` has read those that are sources. Returns their modules.
fn with_named(
    now: &mut Vec<LoadedFile>,
    recorded: &[LoadedFile],
    options: &Options,
) -> Result<BTreeSet<String>, Error> {
    let mut modules = BTreeSet::new();
    for path in &options.program {
        let input = |error: String| Error::Input {
            path: path.clone(),
            error,
        };
        let bytes = read_regular(path).map_err(|error| input(error.to_string()))?;
        let module = match beam::is_beam(&bytes) {
            false => module_named(path, &bytes),
            true => {
                let object = beam::read(&bytes).map_err(|error| input(error.to_string()))?;
                now.retain(|source| !matches!(&source.role, Role::Forms(name) if *name == object.module));
                let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Module(name) if *name == object.module);
                let known = now.iter().find(is_it).map(|source| source.path.clone());
                if known.is_none() {
                    now.push(LoadedFile {
                        role: Role::Module(object.module.clone()),
                        path: path.display().to_string(),
                        text: Arc::from(Vec::new()),
                        options: Vec::new(),
                    });
                }
                now.push(LoadedFile {
                    role: Role::Forms(object.module.clone()),
                    path: known.unwrap_or_else(|| path.display().to_string()),
                    text: object.forms.into(),
                    options: Vec::new(),
                });
                object.module
            }
        };
        // It is shown under the path that it takes the place of.
        let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Module(name) if *name == module);
        if let (Some(then), Some(here)) = (
            recorded.iter().find(is_it),
            now.iter().find(is_it).map(|source| source.path.clone()),
        ) {
            for source in now.iter_mut() {
                if source.path == here {
                    source.path.clone_from(&then.path);
                }
                if let Role::Include { from, .. } = &mut source.role
                    && *from == here
                {
                    from.clone_from(&then.path);
                }
            }
        }
        modules.insert(module);
    }
    Ok(modules)
}

/// The module of a file that was named; none for a beam file.
///
/// # Errors
/// It cannot be read.
pub fn named_module(path: &Path) -> Result<Option<String>, Error> {
    let text = read_regular(path).map_err(|error| Error::Input {
        path: path.to_path_buf(),
        error: error.to_string(),
    })?;
    Ok((!interpreter::beam::is_beam(&text)).then(|| module_named(path, &text)))
}

/// The module of a source file.
pub(crate) fn module_named(path: &Path, text: &[u8]) -> String {
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    module_of(text).or_else(stem).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_runner_is_told_of_new_applications() {
        let recorded = all(&[
            "a_tests",
            "plain",
            "alone",
            "2",
            "application=a=/p/a",
            "alive=later",
            "a_test",
        ]);
        let now = all(&[
            "application=a=/p/a",
            "application=b=/p/b",
            "built=b=test=/p/_build/test/lib/b",
        ]);
        let wanted = [
            "a_tests",
            "plain",
            "alone",
            "4",
            "application=a=/p/a",
            "alive=later",
            "application=b=/p/b",
            "built=b=test=/p/_build/test/lib/b",
            "a_test",
        ];
        assert_eq!(
            arguments(&recorded, &now, &TestLines::default(), None),
            Some(all(&wanted))
        );
        assert_eq!(arguments(&recorded, &now[..1], &TestLines::default(), None), None);
        for broken in [
            all(&["a", "b", "c", "9"]),
            all(&["a", "b", "c", "18446744073709551615"]),
            all(&["a"]),
        ] {
            assert_eq!(arguments(&broken, &now, &TestLines::default(), None), None);
        }
        let with = arguments(&recorded, &now[..1], &TestLines::default(), Some("b_tests")).expect("another module");
        assert_eq!((with[0].as_str(), &with[1..]), ("b_tests", &recorded[1..]));
    }

    #[test]
    fn the_module_of_the_tests_takes_the_place_of_one_that_is_gone() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let module = |module: &str, gone: &[&str], tests: &[&str]| {
            let gone = names(gone).into_iter().collect();
            entered(&names(&[module]), &gone, names(tests).iter()).map(str::to_owned)
        };
        let tests = ["cell_tests:a_test", "cell_tests:b_test_:4"];
        assert_eq!(module("cell", &["cell"], &tests).as_deref(), Some("cell_tests"));
        assert_eq!(module("cell", &[], &tests), None);
        assert_eq!(module("cell", &["cell", "cell_tests"], &tests), None);
        assert_eq!(
            module("cell", &["cell"], &["cell_tests:a_test", "more_tests:a_test"]),
            None
        );
    }

    #[test]
    fn sources_keep_the_paths_that_they_had_when_recorded() {
        let module = |name: &str, path: &str| LoadedFile {
            role: Role::Module(name.to_owned()),
            path: path.to_owned(),
            text: Arc::from(Vec::new()),
            options: Vec::new(),
        };
        let recorded = [
            module("a", "work/src/a.erl"),
            module("b", "work/src/b.erl"),
            module("c", "work/src/c.erl"),
        ];
        let now = [
            module("a", "src/a.erl"),
            module("b", "src/b.erl"),
            module("c", "src/deep/c.erl"),
        ];
        let paths: Vec<String> = as_recorded(&recorded, &now)
            .into_iter()
            .map(|source| source.path)
            .collect();
        assert_eq!(paths, ["work/src/a.erl", "work/src/b.erl", "work/src/deep/c.erl"]);
    }
}
