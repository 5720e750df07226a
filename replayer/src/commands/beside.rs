//! Sources on disk for a program that is explored: modules beside its file, and include files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::library;
use log_format::CompileOption;
use syntax::{IncludeError, IncludeKind, Included};
use system::loader::{Files, ModuleFile};

/// Files beside a program, and in the folders of `-I`.
#[derive(Clone)]
pub struct FilesBeside {
    /// The folder of the program.
    pub folder: PathBuf,
    /// Of `-I`.
    pub includes: Vec<PathBuf>,
    /// The compiler options of all its modules.
    pub options: Vec<CompileOption>,
    /// `rand:uniform(N)` is a choice, if N is not larger.
    pub random: Option<u32>,
}

fn read(path: &Path) -> Option<Arc<[u8]>> {
    path.is_file()
        .then(|| std::fs::read(path).ok().map(Arc::from))
        .flatten()
}

/// The module `rand` in which `uniform(N)` is a choice, if N is at most this, and the process has no seed.
fn random(most: u32) -> Option<ModuleFile> {
    const UNIFORM: &str = "\nuniform(N) ->\n    {X";
    let text = library::source("rand").filter(|text| text.matches(UNIFORM).count() == 1)?;
    let choice = format!(
        "\nuniform(N) when is_integer(N), 1 =< N, N =< {most} ->\n    case get(?KEY) of\n        \
         undefined -> amb:choose(lists:seq(1, N));\n        State ->\n            {{X, Next}} = uniform_s(N, State),\n            \
         _ = put_seed(Next),\n            X\n    end;{UNIFORM}"
    );
    Some(ModuleFile::plain(
        "rand.erl",
        text.replacen(UNIFORM, &choice, 1).into_bytes(),
    ))
}

impl Files for FilesBeside {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        if let ("rand", Some(most)) = (name, self.random) {
            return random(most);
        }
        // A module name is not a path: it must not lead out of the folder. Library modules are built in.
        if name.is_empty() || name.contains(['/', '\\', '\0']) || library::source(name).is_some() {
            return None;
        }
        let path = self.folder.join(format!("{name}.erl"));
        Some(ModuleFile {
            text: read(&path)?,
            path: path.display().to_string(),
            options: self.options.clone(),
            forms: None,
        })
    }

    fn include(&mut self, _: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).to_path_buf();
        let mut tried = Vec::new();
        for folder in std::iter::once(&beside).chain(&self.includes) {
            let path = folder.join(name);
            if let Some(text) = read(&path) {
                return Ok(Included {
                    name: path.display().to_string(),
                    text,
                });
            }
            tried.push(path.display().to_string());
        }
        match name.split_once('/').and_then(|(app, rest)| library::header(app, rest)) {
            Some(text) => Ok(Included {
                name: name.to_owned(),
                text: Arc::from(text.as_bytes()),
            }),
            None => Err(IncludeError::NotFound(tried)),
        }
    }
}
