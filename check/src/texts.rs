//! Files that a program in Elixir reads and compiles while it runs: scripts, tests, configurations. They are no modules of the trace but inputs of the
//! run. The current program reads what these files hold now; every other input is as it was recorded.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::term::Term;
use log_format::InputClass;
use rustc_hash::FxHashMap;
use session::error::Error;
use system::answers::RecordedInputs;
use system::terms;

use crate::choices::{Choices, Given};
use crate::ground::read_regular;
use crate::kin::Id;
use crate::listener::Listener;
use crate::project::is_of_application;

/// The texts that the current program reads and the recorded one did not.
#[derive(Default)]
pub(crate) struct Texts {
    /// The value of each question about such a file.
    values: FxHashMap<u64, Vec<u8>>,
    /// Which steps asked.
    asked: FxHashMap<(Id, u64), u64>,
    /// The files that differ.
    pub changed: Vec<String>,
    /// Do files of the ground differ, which the program reads there?
    differs: bool,
}

impl Texts {
    /// Compares what the recorded run has read with the files as they are now. `named`: files that stand for those of the same name.
    ///
    /// # Errors
    /// A named file cannot be read, or the run has read none of that name; a file of a project of mix is gone.
    pub(crate) fn of(heard: &Listener, named: &[PathBuf], is_of_mix: bool, folders: &[PathBuf]) -> Result<Self, Error> {
        let mut texts = Self::default();
        let mut stands_for = vec![false; named.len()];
        let known = heard.answers();
        let mut files: Vec<(&str, u64)> = heard
            .files
            .iter()
            .map(|(question, path)| (path.as_str(), *question))
            .collect();
        files.sort_unstable();
        for &(path, question) in &files {
            let Some([value, others @ ..]) = known.get(&question).map(Vec::as_slice) else {
                continue;
            };
            // The program writes it itself.
            if others.iter().any(|other| other != value) {
                continue;
            }
            let is_only = files.len() == 1;
            let stands_for_it = |named: &PathBuf| is_only || named.file_name() == Path::new(path).file_name();
            let place = named.iter().position(stands_for_it);
            let file = match place {
                Some(place) => {
                    stands_for[place] = true;
                    named[place].clone()
                }
                None if !named.is_empty() && !is_of_mix => continue,
                None => match at_hand(path, is_of_mix, folders).or_else(|| {
                    let then = contents(value).filter(|_| is_of_mix)?;
                    moved(Path::new("."), path, then)
                }) {
                    Some(file) => file,
                    None if is_of_mix && was_there(value) => {
                        return Err(Error::Changed(format!(
                            "{path} is missing, and the recorded run read it\n"
                        )));
                    }
                    None => continue,
                },
            };
            let text = match read_regular(&file) {
                Ok(text) => text,
                Err(_) if place.is_none() => continue,
                Err(error) => {
                    return Err(Error::Input {
                        path: file,
                        error: error.to_string(),
                    });
                }
            };
            let now = value_of(&text);
            if now != *value {
                texts.values.insert(question, now);
                // It changes with the sources.
                if !is_of_application(path) {
                    texts.changed.push(file.display().to_string());
                }
            }
        }
        if let Some(place) = stands_for.iter().position(|found| !found) {
            let read: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
            return Err(Error::Usage(format!(
                "{}: the recorded run read no file of this name; it read these files of Elixir: {}",
                named[place].display(),
                read.join(", ")
            )));
        }
        if !texts.values.is_empty() {
            texts.asked = heard.asked.clone();
        }
        Ok(texts)
    }

    /// Files that differ, and that the program reads where it runs.
    pub(crate) fn of_ground(changed: Vec<String>) -> Self {
        Self {
            differs: !changed.is_empty(),
            changed,
            ..Self::default()
        }
    }

    /// Do all files hold what they did?
    pub(crate) fn is_same(&self) -> bool {
        self.values.is_empty() && !self.differs
    }

    /// Are all answers those that were recorded?
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The answers that the current program gets.
    pub(crate) fn answers(&self, recorded: &RecordedInputs) -> RecordedInputs {
        let mut known = recorded.clone();
        for (question, value) in &self.values {
            known.insert(*question, vec![value.clone()]);
        }
        known
    }

    /// The choices of the recorded run, with what the current program reads.
    pub(crate) fn choices(&self, recorded: &Choices) -> Choices {
        let mut choices = recorded.clone();
        for (id, list) in &mut choices {
            for choice in list {
                let asked = self.asked.get(&(*id, choice.action));
                if let Some(value) = asked.and_then(|question| self.values.get(question)) {
                    choice.given = Some(Given::Value(value.clone()));
                }
            }
        }
        choices
    }
}

/// Does the value of a read say that there was a file?
fn was_there(value: &[u8]) -> bool {
    contents(value).is_some()
}

/// What was read; none if there was no file.
pub(crate) fn contents(value: &[u8]) -> Option<&[u8]> {
    // Otherwise it is a pair with `error`.
    let empty = value_of(b"");
    let start = empty.len() - EMPTY;
    (value.get(..start) == empty.get(..start)).then(|| value.get(empty.len()..).unwrap_or_default())
}

/// Bytes of the length at the end of an encoded empty binary.
const EMPTY: usize = 4;

/// What reading a file with this content gives.
fn value_of(text: &[u8]) -> Vec<u8> {
    let mut heap = Heap::new(Arc::default());
    let bytes = heap.make_binary(text);
    let read = heap.make_tuple(&[Term::atom(Atom::new("ok")), bytes]);
    InputClass::File.wrap(&terms::encode(&heap, read))
}

/// The file that stands here for one that was read when recorded, perhaps in another folder: of the ends of its path, the longest that leads from the
/// current folder to a file. Of a project of mix, all files are in its folder.
pub(crate) fn at_hand(recorded: &str, is_of_mix: bool, folders: &[PathBuf]) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = Path::new(recorded).components().collect();
    let inside = |part: &&Component<'_>| !matches!(part, Component::Normal(_));
    // A path that leads upwards says too little.
    let from = parts.iter().rposition(|part| inside(&part)).map_or(0, |last| last + 1);
    let ends = (from..parts.len()).map(|first| parts[first..].iter().collect::<PathBuf>());
    let found = ends.into_iter().find(|path| path.is_file());
    let is_named = |path: &PathBuf| {
        let real = path.canonicalize();
        let mut folders = folders.iter().filter_map(|folder| folder.canonicalize().ok());
        real.is_ok_and(|real| folders.any(|folder| real.starts_with(folder)))
    };
    let recorded = Some(PathBuf::from(recorded))
        .filter(|path| !is_of_mix && path.is_absolute() && path.is_file())
        .filter(is_named);
    found.or(recorded)
}

/// Limit: files and folders of a project that are looked at for one that has moved.
const ENTRIES: usize = 20_000;

/// Where a file of a project of mix is now that the recorded run read elsewhere: the only one of that name, or else the only one that defines its module.
fn moved(project: &Path, recorded: &str, contents: &[u8]) -> Option<PathBuf> {
    let recorded = Path::new(recorded);
    let mut files = Vec::new();
    let mut folders = vec![project.to_path_buf()];
    let mut left = ENTRIES;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
            left = left.checked_sub(1)?;
            // Links are not followed.
            let Ok(kind) = entry.file_type() else { continue };
            let (path, name) = (entry.path(), entry.file_name());
            let is_own = !name.to_string_lossy().starts_with(['.', '_']) && name != "deps" && name != "node_modules";
            if kind.is_dir() && is_own {
                folders.push(path);
            } else if kind.is_file() && path.extension() == recorded.extension() {
                files.push(path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path));
            }
        }
    }
    let only = |mut found: Vec<&PathBuf>| found.pop().filter(|_| found.is_empty()).cloned();
    let of_name: Vec<&PathBuf> = files
        .iter()
        .filter(|path| path.file_name() == recorded.file_name())
        .collect();
    if !of_name.is_empty() {
        return only(of_name);
    }
    let module = defined(contents)?;
    let defines = |path: &&PathBuf| read_regular(path).is_ok_and(|text| defined(&text).as_ref() == Some(&module));
    only(files.iter().filter(defines).collect())
}

/// The first module that a file of Elixir defines.
fn defined(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().find_map(|line| line.strip_prefix("defmodule "))?;
    Some(line.split_whitespace().next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_moved_is_the_only_one_of_its_name_or_of_its_module() {
        let project = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = project.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let found = |path: &str, text: &str| {
            let found = moved(project.path(), path, text.as_bytes())?;
            Some(found.strip_prefix(project.path()).unwrap().display().to_string())
        };
        let text = "defmodule ShopTest do\nend\n";
        put("test/deep/shop_test.exs", text);
        put("_build/test/shop_test.exs", text);
        put("deps/shop/shop_test.exs", text);
        assert_eq!(
            found("test/shop_test.exs", text).as_deref(),
            Some("test/deep/shop_test.exs")
        );
        assert_eq!(
            found("test/store_test.exs", text).as_deref(),
            Some("test/deep/shop_test.exs")
        );
        assert_eq!(found("test/store_test.exs", "defmodule StoreTest do\nend\n"), None);
        put("test/other/shop_test.exs", text);
        assert_eq!(found("test/shop_test.exs", text), None);
        assert_eq!(found("test/store_test.exs", text), None);
    }

    #[test]
    fn a_file_is_found_by_the_longest_end_of_its_path_that_leads_to_one() {
        // Tests run in the folder of the crate.
        let found = |recorded: &str| at_hand(recorded, false, &[]).map(|path| path.display().to_string());
        assert_eq!(found("/home/ci/check/src/texts.rs").as_deref(), Some("src/texts.rs"));
        assert_eq!(found("/home/ci/../src/texts.rs").as_deref(), Some("src/texts.rs"));
        assert_eq!(found("src/texts.rs").as_deref(), Some("src/texts.rs"));
        assert_eq!(found("texts.rs"), None);
        assert_eq!(found("/home/ci/src/../other.rs"), None);
        // The project itself comes before where it was.
        let there = format!("{}/src/lib.rs", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(found(&there).as_deref(), Some("src/lib.rs"));
    }
}
