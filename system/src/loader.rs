//! Sources of modules, and the files that were read: a trace contains them.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use interpreter::compile::unit::Unit;
use interpreter::library;
use interpreter::vm::Program;
use log_format::CompileOption;
use shared::SharedModule;
use syntax::diagnostic::{Diagnostic, Kind};
use syntax::{IncludeKind, Included, Includes, Options};

use crate::error::Unloadable;

mod shared;

/// Loads modules into a program when they are first called.
pub trait Loader: Send {
    /// Loads a module. `Ok(false)`: there is no such module.
    ///
    /// # Errors
    /// The module does not compile, or its file is another one.
    fn load(&mut self, module: Atom, program: &mut Program) -> Result<bool, Unloadable>;
    /// The source of a module as it is now, whatever was read before.
    fn source(&mut self, module: &str) -> Option<ModuleFile>;
    /// What a source includes, as it is now.
    fn included(&mut self, file: &ModuleFile) -> Vec<Source>;

    /// The source file of a module that was loaded, and its forms in the external term format.
    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)>;
}

/// A file that was read to load the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Why it was read.
    pub role: Role,
    /// The path that stack traces and messages show.
    pub path: String,
    /// Its bytes.
    pub text: Arc<[u8]>,
    /// The compiler options of a module.
    pub options: Vec<CompileOption>,
}

/// The source of a module, and its compiler options.
#[derive(Clone, Debug)]
pub struct ModuleFile {
    /// The path that stack traces and messages show.
    pub path: String,
    /// Its bytes.
    pub text: Arc<[u8]>,
    /// Macros and features.
    pub options: Vec<CompileOption>,
}

impl ModuleFile {
    /// A file that is compiled without any option.
    pub fn plain(path: impl Into<String>, text: impl Into<Arc<[u8]>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            options: Vec::new(),
        }
    }
}

/// Why a file was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is the source of this module.
    Module(String),
    /// It was included: the directive, its text, and the including file.
    Include {
        /// `-include_lib` rather than `-include`.
        library: bool,
        /// The text of the directive.
        name: String,
        /// The including file.
        from: String,
    },
}

/// Access to files: those of the outside, or those of a trace.
pub trait Files: Send {
    /// The source of a module that is not named on the command line.
    fn module(&mut self, name: &str) -> Option<ModuleFile>;
    /// An include file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, String>;
}

/// Compiles modules from source; remembers what it read.
pub struct SourceLoader {
    files: Box<dyn Files>,
    /// Everything read so far, in order of reading; shared with the writer of the trace.
    read: Arc<Mutex<Vec<Source>>>,
    /// Warnings of the front end.
    pub warnings: Vec<Diagnostic>,
    /// Modules that do not exist or do not compile, so that they are not searched again.
    missing: std::collections::HashSet<Atom, rustc_hash::FxBuildHasher>,
    /// Modules that a call should have loaded, and that do not compile.
    broken: Arc<Mutex<Vec<Atom>>>,
}

impl SourceLoader {
    /// A loader over these files.
    #[must_use]
    pub fn new(files: Box<dyn Files>) -> Self {
        Self {
            files,
            read: Arc::default(),
            warnings: Vec::new(),
            missing: Default::default(),
            broken: Arc::default(),
        }
    }

    /// The list of modules that a call should have loaded and that do not compile; it grows while the program runs.
    #[must_use]
    pub fn broken(&self) -> Arc<Mutex<Vec<Atom>>> {
        Arc::clone(&self.broken)
    }

    /// The list of everything read, which grows as modules are loaded.
    #[must_use]
    pub fn shared_list(&self) -> Arc<Mutex<Vec<Source>>> {
        Arc::clone(&self.read)
    }

    /// The records of a source file, included ones too, with their fields; empty if it cannot be read.
    pub fn records(&mut self, source: &Source) -> Vec<(Atom, Vec<Atom>)> {
        let recorder = Recording {
            files: RefCell::new(&mut *self.files),
            read: RefCell::new(Vec::new()),
        };
        let Ok(options) = compile_options(&source.path, &source.options) else {
            return Vec::new();
        };
        let Ok(parsed) = syntax::parse_module(&source.path, &source.text, &options, &recorder) else {
            return Vec::new();
        };
        let fields = |record: &syntax::ast::RecordDef| record.fields.iter().map(|field| field.name).collect();
        let records = parsed.module.records.iter();
        records.map(|record| (record.name, fields(record))).collect()
    }

    /// What the compiler makes of a module; none if there is none of that name, or it does not compile.
    pub fn compiled(&mut self, module: &str, program: &Program) -> Option<Unit> {
        let file = self.files.module(module)?;
        let recorder = Recording {
            files: RefCell::new(&mut *self.files),
            read: RefCell::new(Vec::new()),
        };
        let options = compile_options(&file.path, &file.options).ok()?;
        let parsed = syntax::parse_module(&file.path, &file.text, &options, &recorder).ok()?;
        program.compile(&parsed.module).ok()
    }

    /// Compiles and loads one source file; returns the module's name.
    ///
    /// # Errors
    /// It does not compile, or another file is this module already.
    pub fn load_file(&mut self, file: ModuleFile, program: &mut Program) -> Result<Atom, Unloadable> {
        self.load_named(None, file, program)
    }

    /// The same; it must be this module.
    fn load_named(
        &mut self,
        wanted: Option<Atom>,
        file: ModuleFile,
        program: &mut Program,
    ) -> Result<Atom, Unloadable> {
        let ModuleFile {
            ref path,
            ref text,
            ref options,
        } = file;
        let shared = SharedModule::key(&file, program);
        if let Some(key) = shared
            && let Some(known) = SharedModule::find(key)
        {
            let (name, _) = key;
            self.may_be(name, wanted, path)?;
            if program.load_compiled(&known.compiled) {
                self.warnings.extend(known.warnings.iter().cloned());
                self.note_read(name, file, Vec::new());
                return Ok(name);
            }
        }
        let recorder = Recording {
            files: RefCell::new(&mut *self.files),
            read: RefCell::new(Vec::new()),
        };
        let compiled_with = compile_options(path, options)?;
        let parse = || syntax::parse_module(path, text, &compiled_with, &recorder);
        let is_of_library = wanted
            .and_then(|name| library::source(name.as_str()))
            .is_some_and(|own| own.as_bytes() == &**text);
        let parsed = if is_of_library {
            Atom::of_library(parse)
        } else {
            parse()
        };
        let included = recorder.read.into_inner();
        let parsed = parsed.map_err(|diagnostics| {
            let (warnings, errors): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(|d| d.kind == Kind::Warning);
            self.warnings.extend(warnings);
            Unloadable::Refused(render(&errors))
        })?;
        let Some(name) = parsed.module.name.as_ref().map(|n| n.atom) else {
            return Err(Unloadable::Nameless { path: path.clone() });
        };
        self.may_be(name, wanted, path)?;
        let refused = |diagnostics: Vec<Diagnostic>| Unloadable::Refused(refusal(path, &diagnostics));
        let shared = shared.filter(|(module, _)| *module == name && included.is_empty());
        if let Some(key) = shared.filter(|key| SharedModule::is_wanted(*key)) {
            let compiled = program.compile_to_share(&parsed.module).map_err(refused)?;
            program.load_compiled(&compiled);
            SharedModule::keep(key, compiled, parsed.warnings.clone());
        } else {
            program.load(&parsed.module).map_err(refused)?;
        }
        self.warnings.extend(parsed.warnings);
        self.note_read(name, file, included);
        Ok(name)
    }

    /// Notes a module that was loaded, and what it included.
    fn note_read(&self, name: Atom, file: ModuleFile, included: Vec<Source>) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let own = Source {
            role: Role::Module(name.as_str().to_owned()),
            path: file.path,
            text: file.text,
            options: file.options,
        };
        for source in std::iter::once(own).chain(included) {
            if !read.contains(&source) {
                read.push(source);
            }
        }
    }

    /// A module that was loaded before.
    fn known(&self, name: &str) -> Option<ModuleFile> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |source: &&Source| matches!(&source.role, Role::Module(known) if known == name);
        read.iter().find(is_it).map(|source| ModuleFile {
            path: source.path.clone(),
            text: Arc::clone(&source.text),
            options: source.options.clone(),
        })
    }

    /// A name refers to one file, so the program does not depend on the order in which its modules are loaded. Several programs can have one
    /// loader (runs of a hunt): each of them loads the file.
    ///
    /// # Errors
    /// The file is another module than the wanted one, or another file was that module already.
    fn may_be(&self, name: Atom, wanted: Option<Atom>, path: &str) -> Result<(), Unloadable> {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != name) {
            return Err(Unloadable::Misnamed {
                path: path.to_owned(),
                wanted,
                found: name,
            });
        }
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |source: &&Source| matches!(&source.role, Role::Module(known) if known == name.as_str());
        match read.iter().find(is_it) {
            Some(other) if wanted.is_some() && other.path == path => Ok(()),
            Some(other) => Err(Unloadable::Twice {
                path: path.to_owned(),
                other: other.path.clone(),
                module: name,
            }),
            None => Ok(()),
        }
    }
}

/// What the compiler refuses, for people.
fn refusal(path: &str, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let file: &str = if d.file.is_empty() { path } else { &d.file };
        format!("error: {}\n  --> {file}:{}:{}\n", d.message, d.loc.line, d.loc.col)
    };
    diagnostics.iter().map(line).collect()
}

/// The options for the front end.
///
/// # Errors
/// One of them is not known.
pub(crate) fn compile_options(path: &str, all: &[CompileOption]) -> Result<Options, Unloadable> {
    let mut options = Options::default();
    for option in all {
        match option {
            CompileOption::Define { name, value } => {
                // Several parts of a configuration may say the same.
                let define = (name.clone(), value.clone());
                if !options.defines.contains(&define) {
                    options.defines.push(define);
                }
            }
            CompileOption::Feature(name) if name == "maybe_expr" => options.maybe_expr = true,
            CompileOption::Feature(name) if name == "export_all" => options.export_all = true,
            // Of a project's configuration: its place is in the text.
            CompileOption::Feature(name) => {
                return Err(Unloadable::Option {
                    path: path.to_owned(),
                    option: name.clone(),
                });
            }
        }
    }
    Ok(options)
}

impl Loader for SourceLoader {
    fn load(&mut self, module: Atom, program: &mut Program) -> Result<bool, Unloadable> {
        if self.missing.contains(&module) {
            return Ok(false);
        }
        let name = module.as_str();
        // Another program has loaded it. A file that has changed since then is not another module.
        let loaded = self.known(name);
        let Some(file) = loaded.or_else(|| self.files.module(name)).or_else(|| of_library(name)) else {
            self.missing.insert(module);
            return Ok(false);
        };
        match self.load_named(Some(module), file, program) {
            Ok(_) => Ok(program.is_loaded(module)),
            Err(text) => {
                self.missing.insert(module);
                self.broken.lock().unwrap_or_else(PoisonError::into_inner).push(module);
                Err(text)
            }
        }
    }

    fn source(&mut self, module: &str) -> Option<ModuleFile> {
        self.files.module(module)
    }

    fn included(&mut self, file: &ModuleFile) -> Vec<Source> {
        let recorder = Recording {
            files: RefCell::new(&mut *self.files),
            read: RefCell::new(Vec::new()),
        };
        if let Ok(options) = compile_options(&file.path, &file.options) {
            // What is wrong with it is told by who loads it.
            let _ = syntax::parse_module(&file.path, &file.text, &options, &recorder);
        }
        recorder.read.into_inner()
    }

    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)> {
        let name = module.as_str();
        // What was read when it was loaded: files may have changed since. A replay has the program, and reads it again from the trace.
        let known = self.known(name);
        let mut read = Archive::new(self.read.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let files: &mut dyn Files = match known {
            Some(_) => &mut read,
            None => &mut *self.files,
        };
        let file = known.or_else(|| files.module(name)).or_else(|| of_library(name))?;
        let recorder = Recording {
            files: RefCell::new(files),
            read: RefCell::new(Vec::new()),
        };
        let options = compile_options(&file.path, &file.options).ok()?;
        let parsed = syntax::parse_module(&file.path, &file.text, &options, &recorder).ok()?;
        Some((file.path, syntax::abstract_code::to_external(&parsed.module)))
    }
}

/// A module of the library.
fn of_library(name: &str) -> Option<ModuleFile> {
    let text = library::source(name)?.as_bytes();
    Some(ModuleFile::plain(format!("{name}.erl"), text))
}

/// Diagnostics for people.
#[must_use]
pub fn render(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| d.render(false, 120) + "\n").collect()
}

struct Recording<'a> {
    files: RefCell<&'a mut dyn Files>,
    read: RefCell<Vec<Source>>,
}

impl Includes for Recording<'_> {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, String> {
        let included = self.files.borrow_mut().include(kind, name, from)?;
        self.read.borrow_mut().push(Source {
            role: Role::Include {
                library: kind == IncludeKind::IncludeLib,
                name: name.to_owned(),
                from: from.to_owned(),
            },
            path: included.name.clone(),
            text: Arc::clone(&included.text),
            options: Vec::new(),
        });
        Ok(included)
    }
}

/// Exactly the files of a trace.
pub struct Archive {
    sources: Vec<Source>,
}

impl Archive {
    /// Over the sources of a trace.
    #[must_use]
    pub const fn new(sources: Vec<Source>) -> Self {
        Self { sources }
    }
}

impl Files for Archive {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        let is_it = |source: &&Source| matches!(&source.role, Role::Module(known) if known == name);
        self.sources.iter().find(is_it).map(|source| ModuleFile {
            path: source.path.clone(),
            text: Arc::clone(&source.text),
            options: source.options.clone(),
        })
    }
    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, String> {
        let library = kind == IncludeKind::IncludeLib;
        let wanted = Role::Include {
            library,
            name: name.to_owned(),
            from: from.to_owned(),
        };
        match self.sources.iter().find(|s| s.role == wanted) {
            Some(s) => Ok(Included {
                name: s.path.clone(),
                text: Arc::clone(&s.text),
            }),
            None => match name.split_once('/').and_then(|(app, rest)| library::header(app, rest)) {
                Some(text) => Ok(Included {
                    name: name.to_owned(),
                    text: Arc::from(text.as_bytes()),
                }),
                None => Err("not among the files of the trace".to_owned()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_share_a_loader_load_the_same_module() {
        let text: Arc<[u8]> = Arc::from(&b"-module(shared).\n"[..]);
        let source = Source {
            role: Role::Module("shared".to_owned()),
            path: "shared.erl".to_owned(),
            text,
            options: Vec::new(),
        };
        let mut loader = SourceLoader::new(Box::new(Archive::new(vec![source])));
        let module = Atom::new("shared");
        // As in a hunt with two jobs: the second run began before the first one needed the module.
        let mut programs = [
            Program::new(&[crate::natives::NATIVES]),
            Program::new(&[crate::natives::NATIVES]),
        ];
        for program in &mut programs {
            assert_eq!(loader.load(module, program), Ok(true));
            assert!(program.is_loaded(module));
        }
        assert_eq!(loader.shared_list().lock().unwrap().len(), 1);
    }
}
