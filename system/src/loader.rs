//! Sources of modules, and the files that were read: a trace contains them.

use std::cell::RefCell;
use std::fmt::Display;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use ahead::compile_ahead;
use interpreter::atom::Atom;
use interpreter::beam;
use interpreter::compile::unit::Unit;
use interpreter::library;
use interpreter::vm::Program;
use log_format::CompileOption;
use shared::SharedModule;
use syntax::diagnostic::{Diagnostic, DiagnosticKind};
use syntax::{IncludeError, IncludeKind, Included, Includes, Language, Parsed, ReadOptions, Release, Transforms as _};
use transforms::{ForFile, RunsTransforms, TransformNeeds, named_by, of_elixir, term_of};

use crate::error::Unloadable;

mod ahead;
mod shared;
pub mod transforms;

/// Loads modules into a program when they are first called.
pub trait Loader: Send {
    /// Loads a module. `Ok(false)`: there is no such module.
    ///
    /// # Errors
    /// The module does not compile, or its file is another one.
    fn load(&mut self, module: Atom, program: &mut Program) -> Result<bool, Unloadable>;
    /// Is there a module of this name, which [`Loader::load`] would load into this program? Its source counts as read.
    fn has(&mut self, module: Atom, program: &Program) -> bool;
    /// Modules that were called in vain.
    fn missed(&self) -> Vec<Atom> {
        Vec::new()
    }
    /// The source file of a module that there is.
    fn path(&mut self, module: Atom) -> Option<String>;
    /// Reads a module that nobody has called, so that what was read holds it. False: there is none, or it does not compile.
    fn reads(&mut self, module: Atom, program: &mut Program) -> bool;
    /// The source of a module as it is now, whatever was read before.
    fn source(&mut self, module: &str) -> Option<ModuleFile>;
    /// What a source includes, as it is now, and the forms that parse transforms make of it, if it asks for any.
    fn included(&mut self, file: &ModuleFile) -> (Vec<LoadedFile>, Option<Vec<u8>>);

    /// The source file of a module that was loaded, and its forms in the external term format.
    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)>;
}

/// A file that was read to load the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadedFile {
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
    /// Its forms in the external term format, if they are not those of its text: parse transforms have changed them.
    pub forms: Option<Forms>,
}

/// Forms in the external term format.
#[derive(Clone, Debug)]
pub enum Forms {
    /// Those of the module.
    Whole(Arc<[u8]>),
    /// What a module of the library makes them of, as a parse transform does.
    ToMake {
        /// The module of the library.
        by: &'static str,
        /// What it is given.
        of: Arc<[u8]>,
    },
}

impl ModuleFile {
    /// A file that is compiled without any option.
    pub fn plain(path: impl Into<String>, text: impl Into<Arc<[u8]>>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            options: Vec::new(),
            forms: None,
        }
    }
}

/// Why a file was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is the source of this module.
    Module(String),
    /// The forms of this module, in the external term format, after the parse transforms.
    Forms(String),
    /// It is the source of this module, which was run as a parse transform or for one.
    Transform(String),
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
    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError>;
}

/// Compiles modules from source; remembers what it read.
pub struct SourceLoader {
    files: Box<dyn Files>,
    /// Everything read so far, in order of reading; shared with the writer of the trace.
    read: Arc<Mutex<Vec<LoadedFile>>>,
    /// Warnings of the front end.
    pub warnings: Vec<Diagnostic>,
    /// Modules that do not exist or do not compile, so that they are not searched again.
    missing: rustc_hash::FxHashSet<Atom>,
    /// What somebody asked about modules: can they be loaded? Why not is told where one is called.
    asked: rustc_hash::FxHashMap<Atom, bool>,
    /// Modules that a call should have loaded, and that do not compile.
    broken: Arc<Mutex<Vec<String>>>,
    /// Who runs parse transforms; none: modules that ask for one do not compile.
    asking: Option<TransformNeeds>,
    /// What the modules are written in.
    language: Language,
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
            asked: Default::default(),
            broken: Arc::default(),
            asking: None,
            language: Language::default(),
        }
    }

    /// The same, for modules that are written in this language.
    #[must_use]
    pub const fn of(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The release of OTP that the modules are written for.
    #[must_use]
    pub const fn release(&self) -> Release {
        self.language.release
    }

    /// The same, with somebody who runs parse transforms.
    #[must_use]
    pub fn with_transforms(mut self, runner: Arc<dyn RunsTransforms>) -> Self {
        let stack = Vec::new();
        self.asking = Some(TransformNeeds { runner, stack });
        self
    }

    pub(crate) fn run_transforms(&mut self, asking: Option<TransformNeeds>) {
        self.asking = asking;
    }

    /// The diagnostics of the modules that a call should have loaded and that do not compile; the list grows while the program runs.
    #[must_use]
    pub fn broken(&self) -> Arc<Mutex<Vec<String>>> {
        Arc::clone(&self.broken)
    }

    /// Notes the text of a file that is no module, and that people want to see. `from`: who reads it.
    pub fn note_text(&mut self, path: String, text: Arc<[u8]>, from: &str) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let role = Role::Include {
            library: false,
            name: path.clone(),
            from: from.to_owned(),
        };
        read.push(LoadedFile {
            role,
            path,
            text,
            options: Vec::new(),
        });
    }

    /// The list of everything read, which grows as modules are loaded.
    #[must_use]
    pub fn shared_list(&self) -> Arc<Mutex<Vec<LoadedFile>>> {
        Arc::clone(&self.read)
    }

    /// The records of a source file, included ones too, with their fields; empty if it cannot be read.
    pub fn records(&mut self, source: &LoadedFile) -> Vec<(Atom, Vec<Atom>)> {
        let file = match &source.role {
            Role::Module(name) => self.files.module(name),
            Role::Forms(_) | Role::Transform(_) | Role::Include { .. } => None,
        };
        let file = file.unwrap_or_else(|| ModuleFile {
            path: source.path.clone(),
            text: Arc::clone(&source.text),
            options: source.options.clone(),
            forms: None,
        });
        let Ok((Ok(parsed), _)) = front(&mut *self.files, self.asking.as_ref(), self.language, &file) else {
            return Vec::new();
        };
        let fields = |record: &syntax::ast::RecordDef| record.fields.iter().map(|field| field.name).collect();
        let records = parsed.module.records.iter();
        records.map(|record| (record.name, fields(record))).collect()
    }

    /// The file with its forms, if they are still to be made.
    ///
    /// # Errors
    /// They cannot be made.
    fn made(&self, file: ModuleFile) -> Result<ModuleFile, Unloadable> {
        let Some(Forms::ToMake { by, of }) = &file.forms else {
            return Ok(file);
        };
        let transforms = ForFile {
            asking: self.asking.as_ref(),
            options: &[],
        };
        let outcome = transforms.transform(Atom::new(by), &file.path, of.to_vec());
        let refused = |why: &dyn Display| Unloadable::Refused(format!("error: {why}\n  --> {}\n", file.path));
        let made = outcome.map_err(|error| refused(&error))?;
        let object = beam::Object::of_forms(made.forms).map_err(|error| refused(&error))?;
        Ok(ModuleFile {
            path: object.file.unwrap_or(file.path),
            forms: Some(Forms::Whole(object.forms.into())),
            ..file
        })
    }

    /// What the compiler makes of a module; none if there is none of that name, or it does not compile.
    pub fn compiled(&mut self, module: &str, program: &Program) -> Option<Unit> {
        let file = self.files.module(module)?;
        let file = self.made(file).ok()?;
        let (parsed, _) = front(&mut *self.files, self.asking.as_ref(), self.language, &file).ok()?;
        program.compile(&parsed.ok()?.module).ok()
    }

    /// Reads the source of a module and what it includes, so that what was read holds it: whether or not it compiles, which is told where it is
    /// called. False: there is no such module.
    pub fn takes(&mut self, module: Atom) -> bool {
        let Some(file) = self.file(module.as_str()) else {
            return false;
        };
        let file = self.made(file.clone()).unwrap_or(file);
        let (included, forms) = match front(&mut *self.files, self.asking.as_ref(), self.language, &file) {
            Ok((Ok(parsed), included)) => (included, parsed.forms.map(Arc::from)),
            Ok((Err(_), included)) => (included, None),
            Err(_) => (Vec::new(), None),
        };
        self.note_read(module, file, included, forms);
        true
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
        let file = self.made(file)?;
        let path = &file.path;
        let shared = SharedModule::key(&file, program);
        if let Some(key) = shared
            && let Some(known) = SharedModule::find(key)
        {
            let (name, ..) = key;
            self.may_be(name, wanted, path)?;
            if program.load_compiled(&known.compiled) {
                self.warnings.extend(known.warnings.iter().cloned());
                self.note_read(name, file, Vec::new(), None);
                return Ok(name);
            }
        }
        if let Some(name) = wanted
            && let Some(made) = ahead::take(name.as_str(), &file)
            && program.load_compiled(&made.compiled)
        {
            self.may_be(name, wanted, path)?;
            self.warnings.extend(made.warnings);
            self.note_read(name, file, Vec::new(), None);
            return Ok(name);
        }
        let is_of_library = wanted
            .and_then(|name| library::source(name.as_str()))
            .is_some_and(|own| own.as_bytes() == &*file.text);
        let mut parse = || front(&mut *self.files, self.asking.as_ref(), self.language, &file);
        let (parsed, included) = match is_of_library {
            true => Atom::of_library(parse),
            false => parse(),
        }?;
        let parsed = parsed.map_err(|diagnostics| {
            let (warnings, errors): (Vec<_>, Vec<_>) =
                diagnostics.into_iter().partition(|d| d.kind == DiagnosticKind::Warning);
            self.warnings.extend(warnings);
            Unloadable::Refused(render(&errors))
        })?;
        let Some(name) = parsed.module.name.as_ref().map(|n| n.atom) else {
            return Err(Unloadable::Nameless { path: path.clone() });
        };
        self.may_be(name, wanted, path)?;
        let refused = |diagnostics: Vec<Diagnostic>| Unloadable::Refused(refusal(path, &diagnostics));
        let shared = shared.filter(|(module, ..)| *module == name && included.is_empty());
        if let Some(key) = shared.filter(|key| SharedModule::is_wanted(*key)) {
            let compiled = program.compile_to_share(&parsed.module).map_err(refused)?;
            program.load_compiled(&compiled);
            SharedModule::keep(key, compiled, parsed.warnings.clone());
        } else {
            program.load(&parsed.module).map_err(refused)?;
        }
        self.warnings.extend(parsed.warnings);
        let forms = parsed.forms.map(Arc::from);
        self.note_read(name, file, included, forms);
        Ok(name)
    }

    /// Notes a module that was loaded, what it included, and what transforms made of it.
    fn note_read(&self, name: Atom, mut file: ModuleFile, included: Vec<LoadedFile>, made: Option<Arc<[u8]>>) {
        let transforms = match (&made, &self.asking) {
            (Some(_), Some(asking)) => asking.runner.sources(),
            _ => Vec::new(),
        };
        let whole = match file.forms {
            Some(Forms::Whole(forms)) => Some(forms),
            Some(Forms::ToMake { .. }) | None => None,
        };
        let forms = made.or(whole).map(|forms| LoadedFile {
            role: Role::Forms(name.as_str().to_owned()),
            path: file.path.clone(),
            text: forms,
            options: Vec::new(),
        });
        if forms.is_none() {
            // Options that only transforms read.
            let is_read = |option: &CompileOption| {
                *option == of_elixir() || !matches!(option, CompileOption::Feature(name) if term_of(name).is_some())
            };
            file.options.retain(is_read);
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let own = LoadedFile {
            role: Role::Module(name.as_str().to_owned()),
            path: file.path,
            text: file.text,
            options: file.options,
        };
        for source in std::iter::once(own).chain(forms).chain(included).chain(transforms) {
            if !read.contains(&source) {
                read.push(source);
            }
        }
    }

    /// The file of a module.
    fn file(&mut self, name: &str) -> Option<ModuleFile> {
        // Another program has loaded it. A file that has changed since then is not another module.
        let loaded = self.known(name);
        let release = self.language.release;
        loaded
            .or_else(|| self.files.module(name))
            .or_else(|| of_library(name, release))
    }

    /// Does a file compile as this module? Then it is noted as read.
    fn would_load(&mut self, module: Atom, file: ModuleFile, program: &Program) -> bool {
        let Ok(file) = self.made(file) else {
            return false;
        };
        let Ok((Ok(parsed), included)) = front(&mut *self.files, self.asking.as_ref(), self.language, &file) else {
            return false;
        };
        let is_it = parsed.module.name.as_ref().is_some_and(|name| name.atom == module);
        if !is_it || self.may_be(module, Some(module), &file.path).is_err() || program.compile(&parsed.module).is_err()
        {
            return false;
        }
        self.note_read(module, file, included, parsed.forms.map(Arc::from));
        true
    }

    /// A module that was loaded before.
    fn known(&self, name: &str) -> Option<ModuleFile> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        file_of(&read, name)
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
        let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Module(known) if known == name.as_str());
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
pub(crate) fn compile_options(
    path: &str,
    all: &[CompileOption],
    language: Language,
) -> Result<ReadOptions, Unloadable> {
    let mut options = ReadOptions {
        language,
        ..ReadOptions::default()
    };
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
            CompileOption::Feature(name) if term_of(name).is_some() => options.parse_transforms.extend(named_by(name)),
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
        let Some(file) = self.file(module.as_str()) else {
            self.missing.insert(module);
            return Ok(false);
        };
        match self.load_named(Some(module), file, program) {
            Ok(_) => Ok(program.is_loaded(module)),
            Err(text) => {
                self.missing.insert(module);
                let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
                broken.push(text.to_string());
                drop(broken);
                Err(text)
            }
        }
    }

    fn has(&mut self, module: Atom, program: &Program) -> bool {
        if self.missing.contains(&module) {
            return false;
        }
        if let Some(is_there) = self.asked.get(&module) {
            return *is_there;
        }
        let Some(file) = self.file(module.as_str()) else {
            self.missing.insert(module);
            return false;
        };
        let is_there = self.would_load(module, file, program);
        self.asked.insert(module, is_there);
        is_there
    }

    fn missed(&self) -> Vec<Atom> {
        self.missing.iter().copied().collect()
    }

    fn reads(&mut self, module: Atom, program: &mut Program) -> bool {
        let Some(file) = self.file(module.as_str()) else {
            return false;
        };
        let said = self.warnings.len();
        let is_read = self.load_named(Some(module), file, program).is_ok();
        self.warnings.truncate(said);
        is_read
    }

    fn path(&mut self, module: Atom) -> Option<String> {
        self.file(module.as_str()).map(|file| file.path)
    }

    fn source(&mut self, module: &str) -> Option<ModuleFile> {
        self.files.module(module)
    }

    fn included(&mut self, file: &ModuleFile) -> (Vec<LoadedFile>, Option<Vec<u8>>) {
        // What is wrong with it is told by who loads it.
        let Ok(file) = self.made(file.clone()) else {
            return (Vec::new(), None);
        };
        if let Some(Forms::Whole(forms)) = &file.forms {
            return (Vec::new(), Some(forms.to_vec()));
        }
        match front(&mut *self.files, self.asking.as_ref(), self.language, &file) {
            Ok((parsed, included)) => (included, parsed.ok().and_then(|parsed| parsed.forms)),
            Err(_) => (Vec::new(), None),
        }
    }

    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)> {
        let name = module.as_str();
        // What was read when it was loaded: files may have changed since. A replay has the program, and reads it again from the trace.
        let known = self.known(name);
        let is_known = known.is_some();
        let file = match known {
            Some(known) => known,
            None => {
                let release = self.language.release;
                let found = self.files.module(name).or_else(|| of_library(name, release))?;
                self.made(found).ok()?
            }
        };
        if let Some(Forms::Whole(forms)) = &file.forms {
            return Some((file.path, forms.to_vec()));
        }
        let mut read = Archive::new(self.read.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let files: &mut dyn Files = match is_known {
            true => &mut read,
            false => &mut *self.files,
        };
        let (parsed, _) = front(files, self.asking.as_ref(), self.language, &file).ok()?;
        let parsed = parsed.ok()?;
        Some((file.path, syntax::abstract_code::to_external(&parsed.module)))
    }
}

/// The source of a module among others, with its forms if transforms have changed them.
fn file_of(sources: &[LoadedFile], name: &str) -> Option<ModuleFile> {
    let is_it = |source: &&LoadedFile| matches!(&source.role, Role::Module(known) if known == name);
    let is_forms = |source: &&LoadedFile| matches!(&source.role, Role::Forms(known) if known == name);
    sources.iter().find(is_it).map(|source| ModuleFile {
        path: source.path.clone(),
        text: Arc::clone(&source.text),
        options: source.options.clone(),
        forms: sources
            .iter()
            .find(is_forms)
            .map(|forms| Forms::Whole(Arc::clone(&forms.text))),
    })
}

type Front = (Result<Parsed, Vec<Diagnostic>>, Vec<LoadedFile>);

/// What the front end makes of a module: from its forms if they are there, else from its text. Returns the files that it includes, too.
///
/// # Errors
/// An option is not known.
fn front(
    files: &mut dyn Files,
    asking: Option<&TransformNeeds>,
    language: Language,
    file: &ModuleFile,
) -> Result<Front, Unloadable> {
    let mut options = compile_options(&file.path, &file.options, language)?;
    // As rebar3 does: parse transforms for a whole project are not applied to themselves, nor to what they call.
    let runs_in_transform = asking.is_some_and(|asking| !asking.stack.is_empty());
    let is_one = |name: &String| {
        Path::new(&file.path)
            .file_stem()
            .is_some_and(|stem| stem == name.as_str())
    };
    if runs_in_transform || options.parse_transforms.iter().any(is_one) {
        options.parse_transforms.clear();
    }
    match &file.forms {
        Some(Forms::Whole(forms)) => return Ok((syntax::parse_forms(forms), Vec::new())),
        Some(Forms::ToMake { by, .. }) => {
            let why = format!(
                "error: its forms are not made by {by} yet: a bug of the tool\n  --> {}\n",
                file.path
            );
            return Err(Unloadable::Refused(why));
        }
        None => {}
    }
    let recorder = Recording {
        files: RefCell::new(files),
        read: RefCell::new(Vec::new()),
    };
    let transforms = ForFile {
        asking,
        options: &file.options,
    };
    let parsed = syntax::parse_transformed(&file.path, &file.text, &options, &recorder, &transforms);
    Ok((parsed, recorder.read.into_inner()))
}

/// A module of the library for programs of a release.
fn of_library(name: &str, release: Release) -> Option<ModuleFile> {
    let text = library::source(name)
        .filter(|_| library::has(name, release))?
        .as_bytes();
    Some(ModuleFile::plain(format!("{name}.erl"), text))
}

/// Diagnostics for people.
#[must_use]
pub fn render(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| d.render(false, 120) + "\n").collect()
}

struct Recording<'a> {
    files: RefCell<&'a mut dyn Files>,
    read: RefCell<Vec<LoadedFile>>,
}

impl Includes for Recording<'_> {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let included = self.files.borrow_mut().include(kind, name, from)?;
        self.read.borrow_mut().push(LoadedFile {
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

/// A loader that several runs share.
pub struct SharedLoader(pub Arc<Mutex<SourceLoader>>);

impl SharedLoader {
    fn held(&self) -> std::sync::MutexGuard<'_, SourceLoader> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for SharedLoader {
    fn load(&mut self, module: Atom, program: &mut Program) -> Result<bool, Unloadable> {
        self.held().load(module, program)
    }

    fn missed(&self) -> Vec<Atom> {
        self.held().missed()
    }

    fn has(&mut self, module: Atom, program: &Program) -> bool {
        self.held().has(module, program)
    }

    fn reads(&mut self, module: Atom, program: &mut Program) -> bool {
        self.held().reads(module, program)
    }

    fn path(&mut self, module: Atom) -> Option<String> {
        self.held().path(module)
    }

    fn source(&mut self, module: &str) -> Option<ModuleFile> {
        self.held().source(module)
    }

    fn included(&mut self, file: &ModuleFile) -> (Vec<LoadedFile>, Option<Vec<u8>>) {
        self.held().included(file)
    }

    fn forms(&mut self, module: Atom) -> Option<(String, Vec<u8>)> {
        self.held().forms(module)
    }
}

/// The sources of the parse transforms of a trace, for modules that are compiled anew.
pub struct TransformArchive {
    archive: Archive,
}

impl TransformArchive {
    /// Over the sources of a trace.
    #[must_use]
    pub fn new(mut sources: Vec<LoadedFile>) -> Self {
        // A transform before a module of the program that has its name.
        sources.retain(|source| !matches!(source.role, Role::Forms(_)));
        sources.sort_by_key(|source| !matches!(source.role, Role::Transform(_)));
        for source in &mut sources {
            if let Role::Transform(name) = &source.role {
                source.role = Role::Module(name.clone());
            }
        }
        Self {
            archive: Archive::new(sources),
        }
    }
}

impl Files for TransformArchive {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        self.archive.module(name)
    }

    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        self.archive.include(kind, name, from)
    }
}

/// Exactly the files of a trace.
pub struct Archive {
    sources: Vec<LoadedFile>,
}

impl Archive {
    /// Over the sources of a trace.
    #[must_use]
    pub const fn new(sources: Vec<LoadedFile>) -> Self {
        Self { sources }
    }
}

impl Files for Archive {
    fn module(&mut self, name: &str) -> Option<ModuleFile> {
        file_of(&self.sources, name)
    }
    fn include(&mut self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
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
                None => Err(IncludeError::NotInTrace),
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
        let source = LoadedFile {
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
