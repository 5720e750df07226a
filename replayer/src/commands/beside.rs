//! Sources on disk for a program that is explored: modules beside its file, and include files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::library;
use log_format::CompileOption;
use syntax::{IncludeKind, Included};
use system::loader::{Files, ModuleFile};

/// Files beside a program, and in the folders of `-I`.
#[derive(Clone)]
pub struct Beside {
    /// The folder of the program.
    pub folder: PathBuf,
    /// Of `-I`.
    pub includes: Vec<PathBuf>,
    /// The compiler options of all its modules.
    pub options: Vec<CompileOption>,
}

fn read(path: &Path) -> Option<Arc<[u8]>> {
    path.is_file()
        .then(|| std::fs::read(path).ok().map(Arc::from))
        .flatten()
}

impl Files for Beside {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
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

    fn include(&mut self, _: IncludeKind, name: &str, from: &str) -> Result<Included, String> {
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
            None => Err(format!("not found in: {}", tried.join(", "))),
        }
    }
}
