//! Sources on disk: modules beside the named files, include files, and those of an installed Erlang/OTP.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use interpreter::{library, otp};
use log_format::CompileOption;
use syntax::{IncludeError, IncludeKind, Included, Language};
use system::loader::{Files, ModuleFile};

use crate::error::GeneratorError;
use crate::installed::Installed;
use crate::options::Stub;
use crate::project::Application;
use crate::{elixir, objects, report};

/// Files below the folders of the named sources and `-I` folders.
#[derive(Clone, PartialEq, Eq)]
pub struct Disk {
    /// Folders that are searched for `MODULE.erl`, in order.
    pub source_folders: Vec<PathBuf>,
    /// `-I` folders.
    pub include_folders: Vec<PathBuf>,
    /// Folders that are searched for `MODULE.beam`, in order, where there is no source.
    pub object_folders: Vec<PathBuf>,
    /// Headers and modules of OTP that are not built in.
    pub installed: Installed,
    /// The compiler options of the program's own modules. Those of OTP are always compiled in the same way.
    pub options: Vec<CompileOption>,
    /// The applications of a project and those that it needs. Their modules have options of their own.
    pub applications: Vec<Application>,
    /// Files that take the place of modules.
    pub stubs: Vec<Stub>,
    /// What the modules are written in.
    pub language: Language,
}

impl Disk {
    /// The application that has this source or header.
    fn application(&self, path: &Path) -> Option<&Application> {
        let is_around = |one: &&Application| one.has(path) || path.starts_with(&one.root) && one.root != Path::new(".");
        let of_source = self.applications.iter().find(|one| one.has(path));
        of_source.or_else(|| self.applications.iter().find(is_around))
    }

    /// A module of an application that the project needs.
    fn of_library(&self, file: &str) -> Option<ModuleFile> {
        let libraries = self.applications.iter().filter(|one| !one.is_own);
        let folders = libraries.flat_map(|one| one.sources.iter().map(move |folder| (folder, one)));
        folders
            .map(|(folder, one)| (folder.join(file), one))
            .find_map(|(path, one)| {
                Some(ModuleFile {
                    text: read(&path)?,
                    path: path.display().to_string(),
                    options: one.options.clone(),
                    forms: None,
                })
            })
    }

    /// A module that OTP's `leex` or `yecc` makes of a file in these folders. Nothing is written beside it.
    fn of_generator(&self, name: &str) -> Option<ModuleFile> {
        let of_applications = self.applications.iter().flat_map(|one| &one.sources);
        let folders = self.source_folders.iter().chain(of_applications);
        let kinds = [("leex", "xrl"), ("yecc", "yrl")];
        let (generator, source) = folders
            .flat_map(|folder| kinds.map(|(generator, kind)| (generator, folder.join(format!("{name}.{kind}")))))
            .find(|(_, path)| path.is_file())?;
        let application = self.application(&source);
        let options = application.map_or("[]", |one| one.generator_options(generator));
        match generated(generator, &source, options) {
            Ok(text) => Some(ModuleFile {
                path: source.with_extension("erl").display().to_string(),
                text,
                options: application.map_or_else(|| self.options.clone(), |one| one.options.clone()),
                forms: None,
            }),
            Err(why) => {
                let source = log_format::safe_path(&source);
                report::tell(&format!("the module {name} is not made of {source}: {why}"));
                None
            }
        }
    }

    /// The forms in the beam file of a module of an installed OTP that has no sources.
    fn of_installed(&self, application: &str, name: &str) -> Option<ModuleFile> {
        let path = self
            .installed
            .find(application, &Path::new("ebin").join(format!("{name}.beam")))?;
        match objects::read(&path, &[]) {
            Ok(found) => Some(found),
            Err(why) => {
                let path = log_format::safe_path(&path);
                report::tell(&format!(
                    "the module {name} is called, and of OTP there is only {path}: {why}"
                ));
                None
            }
        }
    }

    /// A module of which only a beam file is at hand: in the folders that are named for them, beside the sources, where builds put
    /// them, and in an installed Elixir.
    fn of_object(&self, name: &str) -> Option<ModuleFile> {
        let own = self.applications.iter().map(|one| one.root.join("ebin"));
        let built = self.applications.iter().flat_map(|one| {
            let profiles = crate::project::folders(&one.root.join("_build"));
            profiles.into_iter().map(|profile| profile.join("lib"))
        });
        let built = built
            .flat_map(|lib| crate::project::folders(&lib))
            .map(|app| app.join("ebin"));
        let named = self.object_folders.iter().chain(&self.source_folders).cloned();
        let file = format!("{name}.beam");
        let path = named
            .chain(own)
            .chain(built)
            .chain(elixir::folders(name).iter().cloned())
            .map(|folder| folder.join(&file))
            .find(|path| path.is_file())?;
        if let Some(own) = elixir::own(name) {
            return Some(own);
        }
        let options = self.application(&path).map_or(&self.options, |one| &one.options);
        match objects::read(&path, options) {
            Ok(found) => Some(found),
            Err(why) => {
                let path = log_format::safe_path(&crate::project::tidy(path));
                report::tell(&format!("the module {name} is called, and there is only {path}: {why}"));
                None
            }
        }
    }
}

/// What was made of each file, or why not: several programs of one command need the same.
type Generated = Mutex<HashMap<PathBuf, Result<Arc<[u8]>, Arc<GeneratorError>>>>;

fn generated(generator: &str, source: &Path, options: &str) -> Result<Arc<[u8]>, Arc<GeneratorError>> {
    static ALL: OnceLock<Generated> = OnceLock::new();
    let all = ALL.get_or_init(Generated::default);
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let made = all.entry(source.to_owned()).or_insert_with(|| {
        let text = crate::aside::generated(generator, source, options).map_err(Arc::new)?;
        Ok(Arc::from(text.into_bytes()))
    });
    made.clone()
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
        // Modules of the standard library are built in, even if there is a file of that name, but for those that older releases do not have: projects
        // may have had them before. Of `cover`, it is the part that measures nothing.
        if library::source(name).is_some() && otp::is_old(name) {
            let whole = (name == "cover").then(|| self.installed.source("tools", "cover.erl"));
            return whole.flatten().map(|(path, text)| ModuleFile::plain(path, text));
        }
        if let Some(stub) = self.stubs.iter().find(|stub| stub.module == name && !stub.is_elixir()) {
            let text = read(&stub.path)?;
            let application = self.application(&stub.path);
            return Some(ModuleFile {
                path: stub.path.display().to_string(),
                text,
                options: application.map_or_else(|| self.options.clone(), |one| one.options.clone()),
                forms: None,
            });
        }
        let file = format!("{name}.erl");
        let beside = self.source_folders.iter().map(|folder| folder.join(&file));
        let own = beside.map(|path| (read(&path), path)).find_map(|(text, path)| {
            Some(ModuleFile {
                path: path.display().to_string(),
                text: text?,
                options: self
                    .application(&path)
                    .map_or_else(|| self.options.clone(), |one| one.options.clone()),
                forms: None,
            })
        });
        let of_project = own.or_else(|| self.of_library(&file));
        if library::source(name).is_some() {
            return of_project;
        }
        let found = of_project.or_else(|| self.of_generator(name)).or_else(|| {
            let (path, text) = match name {
                otp::FRONT_END => self.installed.front_end()?,
                _ => {
                    let application = otp::portable(name)?;
                    match self.installed.source(application, &file) {
                        Some(found) => found,
                        None => return self.of_installed(application, name),
                    }
                }
            };
            let mut file = ModuleFile::plain(path, text);
            // OTP's build compiles it without itself, too.
            if name == "merl_transform" {
                file.options.push(CompileOption::define("MERL_NO_TRANSFORM"));
            }
            Some(file)
        });
        found.or_else(|| self.of_object(name))
    }

    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).to_path_buf();
        let own = self
            .application(Path::new(from))
            .map_or_else(Vec::new, |one| one.includes.clone());
        let folders = std::iter::once(beside)
            .chain(own)
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
            let known = self.applications.iter().find(|one| one.name == app);
            if let Some(path) = known.map(|one| one.root.join(rest))
                && let Some(text) = read(&path)
            {
                return Ok(Included {
                    name: path.display().to_string(),
                    text,
                });
            }
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
        Err(IncludeError::NotFound(tried))
    }
}
