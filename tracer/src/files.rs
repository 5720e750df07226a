//! Sources on disk: modules beside the named files, include files, and those of an installed Erlang/OTP.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::{library, otp};
use log_format::CompileOption;
use syntax::{IncludeKind, Included};
use system::loader::{Files, ModuleFile};

use crate::installed::Installed;

/// Files below the folders of the named sources and `-I` folders.
pub struct Disk {
    /// Folders that are searched for `MODULE.erl`, in order.
    pub source_folders: Vec<PathBuf>,
    /// `-I` folders.
    pub include_folders: Vec<PathBuf>,
    /// Headers and modules of OTP that are not built in.
    pub installed: Installed,
    /// The compiler options of the program's own modules. Those of OTP are always compiled in the same way.
    pub options: Vec<CompileOption>,
}

fn read(path: &Path) -> Option<Arc<[u8]>> {
    path.is_file().then(|| fs::read(path).ok().map(Arc::from)).flatten()
}

impl Files for Disk {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        // A module name is not a path: it must not lead out of the folders.
        if name.is_empty() || name.contains(['/', '\\', '\0']) {
            return None;
        }
        // Modules of the standard library are built in, even if there is a file of that name.
        if library::source(name).is_some() {
            return None;
        }
        let file = format!("{name}.erl");
        let beside = self.source_folders.iter().map(|folder| folder.join(&file));
        let own = beside.map(|path| (read(&path), path)).find_map(|(text, path)| {
            Some(ModuleFile {
                path: path.display().to_string(),
                text: text?,
                options: self.options.clone(),
            })
        });
        own.or_else(|| {
            let (path, text) = self.installed.source(otp::portable(name)?, &file)?;
            Some(ModuleFile::plain(path, text))
        })
    }

    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).to_path_buf();
        let folders = std::iter::once(beside)
            .chain(self.include_folders.iter().cloned())
            .chain(self.installed.headers_for(Path::new(from)));
        let mut tried = Vec::new();
        for folder in folders {
            let path = folder.join(name);
            if let Some(text) = read(&path) {
                return Ok(Included {
                    name: path.display().to_string(),
                    text,
                });
            }
            tried.push(path.display().to_string());
        }
        if let Some(text) = name.split_once('/').and_then(|(app, rest)| library::header(app, rest)) {
            return Ok(Included {
                name: name.to_owned(),
                text: Arc::from(text.as_bytes()),
            });
        }
        if kind == IncludeKind::IncludeLib
            && let Some((app, rest)) = name.split_once('/')
        {
            // An umbrella or rebar3 tree: APP/include/x.hrl beside the source's application.
            for up in Path::new(from).ancestors().skip(1) {
                for candidate in [
                    up.join(app).join(rest),
                    up.join("apps").join(app).join(rest),
                    up.join(rest),
                ] {
                    if let Some(text) = read(&candidate) {
                        return Ok(Included {
                            name: candidate.display().to_string(),
                            text,
                        });
                    }
                }
            }
            if let Some(path) = self.installed.find(app, Path::new(rest))
                && let Some(text) = read(&path)
            {
                return Ok(Included {
                    name: path.display().to_string(),
                    text,
                });
            }
            tried.push(self.installed.described());
        }
        Err(format!("not found in: {}", tried.join(", ")))
    }
}
