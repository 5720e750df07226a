//! Beam files as modules of the program: their forms run, and the source that they were made of is what people see, if it is at hand.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use interpreter::beam;
use log_format::CompileOption;
use system::loader::{Forms, ModuleFile};

use crate::elixir::is_elixir;
use crate::error::BeamFileError;
use crate::{elixir, kept, report};

/// Limit: bytes of a beam file.
const MOST: u64 = 64 << 20;

/// A beam file, or the source beside it, if that has changed since. The options are those for the source.
///
/// # Errors
/// It cannot be used.
pub fn read(path: &Path, options: &[CompileOption]) -> Result<ModuleFile, BeamFileError> {
    if let Some((source, text)) = newer_source(path) {
        let (object, shown) = (log_format::safe_path(path), log_format::safe_path(&source));
        report::tell(&format!("{shown} is newer than {object}, so it is compiled instead"));
        return Ok(ModuleFile {
            path: source.display().to_string(),
            text,
            options: options.to_vec(),
            forms: None,
        });
    }
    let content = bytes(path)?;
    let known = kept::get(&content).and_then(|forms| beam::Object::of_forms(forms).ok());
    let object = match &known {
        Some(object) => object.clone(),
        None => beam::read(&content)?,
    };
    let is_hooked = known.is_none() && elixir::is_hooked(&object.module, path);
    if object.is_elixir || is_hooked {
        return Ok(ModuleFile {
            path: path.display().to_string(),
            text: object.file.map_or_else(Arc::default, |file| elixir_source(path, &file)),
            options: elixir::options_of(path),
            forms: Some(Forms::ToMake {
                by: elixir::MAKER,
                of: object.forms.into(),
            }),
        });
    }
    let (file, text) = match object.file {
        Some(file) if is_elixir(Path::new(&file)) => {
            let text = elixir_source(path, &file);
            (file, text.to_vec())
        }
        Some(file) => {
            let source = Path::new(&file);
            // A stranger's file may name any other. What was changed since is not what runs.
            let is_it = source.extension().is_some_and(|kind| kind == "erl") && !is_newer(source, path);
            let text = is_it.then(|| bytes(source).ok()).flatten();
            (file, text.unwrap_or_default())
        }
        None => (path.display().to_string(), Vec::new()),
    };
    Ok(ModuleFile {
        path: file,
        text: text.into(),
        options: elixir::options_of(path),
        forms: Some(Forms::Whole(object.forms.into())),
    })
}

/// Limit: folders above a beam file in which the source that it names is looked for.
const HIGHEST: usize = 7;

/// The text that a beam file of Elixir was made of, if it is still that: it names the file in full, or from the folder of its project.
fn elixir_source(object: &Path, file: &str) -> Arc<[u8]> {
    let above = object.ancestors().skip(1).take(HIGHEST).map(|folder| folder.join(file));
    let found = above
        .take_while(|path| path.is_absolute() || !file.starts_with('/'))
        .find(|path| path.is_file());
    let is_it = |path: &Path| is_elixir(path) && !is_newer(path, object);
    let text = found.filter(|path| is_it(path)).and_then(|path| bytes(&path).ok());
    text.map_or_else(Arc::default, Arc::from)
}

/// Are there forms in a beam file, or what they are made of?
pub fn has_forms(path: &Path) -> bool {
    bytes(path).is_ok_and(|content| kept::get(&content).is_some() || beam::read(&content).is_ok())
}

/// Keeps the forms that were made of a beam file of Elixir.
pub fn keep(path: &Path, forms: &[u8]) {
    if let Ok(content) = bytes(path) {
        kept::put(&content, forms);
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, BeamFileError> {
    if !path.is_file() {
        return Err(BeamFileError::NotAFile);
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    let read = file.take(MOST + 1).read_to_end(&mut bytes);
    match read? as u64 {
        0..=MOST => Ok(bytes),
        _ => Err(BeamFileError::TooLarge(MOST >> 20)),
    }
}

/// The source beside a beam file, or in `src` beside its `ebin`, if it is newer.
fn newer_source(object: &Path) -> Option<(PathBuf, Arc<[u8]>)> {
    let beside = object.with_extension("erl");
    let folder = object.parent().filter(|folder| folder.ends_with("ebin"));
    let above = folder.and_then(|folder| Some(folder.parent()?.join("src").join(beside.file_name()?)));
    let newer = [Some(beside), above]
        .into_iter()
        .flatten()
        .find(|source| is_newer(source, object))?;
    let text = fs::read(&newer).ok()?;
    Some((newer, text.into()))
}

fn is_newer(source: &Path, object: &Path) -> bool {
    let time = |path: &Path| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    matches!((time(source), time(object)), (Some(source), Some(object)) if source > object)
}
