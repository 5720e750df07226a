//! The program of a trace: its sources, compiled, and quoted for people.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::library;
use interpreter::print::Terms;
use interpreter::vm;
use log_format::{Header, Trace};
use rustc_hash::FxHashMap;
use syntax::{Language, Release};
use system::RunClock;
use system::loader::transforms::of_elixir;
use system::loader::{Archive, Files, LoadedFile, Loader, Role, SourceLoader, TransformArchive};
use system::outside::{Outside, Simulated};
use system::recorder;
use system::transforms::Aside;

use crate::error::Error;
use crate::view::{SourceLine, SourcePlace};
use crate::words::safe;

/// The entry of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunEntry {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// Its one argument, if any: a list of strings.
    pub arguments: Option<Vec<String>>,
}

/// The sources of a trace.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Arc<Vec<LoadedFile>>,
    /// The natives of the recorder, without sources.
    natives: Arc<log_format::Program>,
    /// What the library has to know of the project whose tests ran.
    project: Arc<[String]>,
    /// What they are written in.
    language: Language,
    /// What they are shown in.
    terms: Terms,
    /// For each path: the index of the file, and whether it belongs to the program itself.
    by_path: Arc<FxHashMap<String, (usize, bool)>>,
}

/// Is it a module of the tool's library? A trace contains those that the run used, perhaps in an older version.
fn is_library(source: &LoadedFile) -> bool {
    match &source.role {
        Role::Module(_) if source.options.contains(&of_elixir()) => true,
        Role::Module(name) => {
            let heading = format!("%% The module `{name}`");
            source.path == format!("{name}.erl")
                && library::source(name)
                    .is_some_and(|text| source.text.starts_with(heading.as_bytes()) || *source.text == *text.as_bytes())
        }
        Role::Include { library, .. } => *library,
        Role::Forms(_) | Role::Transform(_) => true,
    }
}

/// Is it code of the program itself in Elixir?
fn is_in_elixir(source: &LoadedFile) -> bool {
    let is_file = [".ex", ".exs"].iter().any(|end| source.path.ends_with(end));
    let is_module = || matches!(&source.role, Role::Module(name) if name.starts_with("Elixir."));
    !is_library(source) && (is_file || is_module())
}

/// Limit: files that a message lists.
const LISTED: usize = 40;

/// Is it the text of a file of the program? Forms have the path of their module.
fn is_text(source: &LoadedFile) -> bool {
    !matches!(source.role, Role::Forms(_) | Role::Transform(_))
}

impl Sources {
    /// The sources of a trace.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn of(trace: &Trace) -> Result<Self, log_format::Error> {
        let mut program = trace.program()?;
        let all = system::recorder::sources(&program);
        program.sources.clear();
        Ok(Self {
            language: Language::of(recorder::release(trace.header())?),
            natives: Arc::new(program),
            project: trace
                .header()
                .arguments
                .iter()
                .filter(|word| is_about_applications(word))
                .cloned()
                .collect(),
            ..Self::from(all)
        })
    }

    /// Sources from a list.
    #[must_use]
    pub fn from(all: Vec<LoadedFile>) -> Self {
        let entry = |(i, s): (usize, &LoadedFile)| (s.path.clone(), (i, !is_library(s)));
        let texts = all.iter().enumerate().filter(|(_, source)| is_text(source));
        let by_path = texts.map(entry).collect();
        // The program is shown in one language, whatever else it uses.
        let terms = match all.iter().any(is_in_elixir) {
            true => Terms::Elixir,
            false => Terms::Erlang,
        };
        Self {
            all: Arc::new(all),
            natives: Arc::default(),
            project: Arc::default(),
            language: Language::default(),
            terms,
            by_path: Arc::new(by_path),
        }
    }

    /// Other sources in place of these; the natives stay those of the recorder.
    #[must_use]
    pub fn replaced(&self, all: Vec<LoadedFile>) -> Self {
        Self {
            natives: Arc::clone(&self.natives),
            project: Arc::clone(&self.project),
            language: self.language,
            terms: self.terms,
            ..Self::from(all)
        }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[LoadedFile] {
        &self.all
    }

    /// Are they the same files?
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&LoadedFile, &LoadedFile)| a.path == b.path && a.text == b.text && a.options == b.options;
        self.all.len() == other.all.len() && self.all.iter().zip(other.all.iter()).all(same)
    }

    /// Path and length of each.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize)> {
        let texts = self.all.iter().filter(|source| is_text(source));
        texts.map(|s| (s.path.as_str(), s.text.len()))
    }

    /// Path and text of each file of the program itself.
    pub fn own_texts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let own = self
            .all
            .iter()
            .filter(|source| is_text(source) && self.owns(&source.path));
        own.map(|source| (source.path.as_str(), &source.text[..]))
    }

    /// The file of the program that a path names: by the whole path, or by its last parts.
    ///
    /// # Errors
    /// There is no such file, or more than one.
    pub fn find_file(&self, text: &str) -> Result<Arc<str>, Error> {
        let files: Vec<&str> = self.files().map(|(path, _)| path).collect();
        if let Some(file) = files.iter().find(|file| **file == text) {
            return Ok(Arc::from(*file));
        }
        let end = format!("/{text}");
        let mut fitting: Vec<&str> = files.iter().copied().filter(|file| file.ends_with(&end)).collect();
        fitting.sort_unstable();
        fitting.dedup();
        let listed = |files: &[&str]| {
            let more = match files.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let names = files.iter().take(LISTED).map(|file| safe(file)).collect::<Vec<_>>();
            names.join(", ") + &more
        };
        match fitting.as_slice() {
            [one] => Ok(Arc::from(*one)),
            [] => {
                let mut own: Vec<&str> = files.iter().copied().filter(|file| self.owns(file)).collect();
                own.dedup();
                Err(Error::NoTarget(format!(
                    "there is no file {} in the program: expected one of {}",
                    safe(text),
                    listed(if own.is_empty() { &files } else { &own })
                )))
            }
            more => Err(Error::NoTarget(format!(
                "{} can be any of {}; name more of the path",
                safe(text),
                listed(more)
            ))),
        }
    }

    /// Is there a module of this name?
    #[must_use]
    pub fn has_module(&self, name: &str) -> bool {
        let is_it =
            |source: &LoadedFile| matches!(&source.role, Role::Module(known) | Role::Forms(known) if known == name);
        self.all.iter().any(is_it)
    }

    /// Is it one of these files?
    #[must_use]
    pub fn holds(&self, file: &str) -> bool {
        self.by_path.contains_key(file)
    }

    /// The modules of an installed Elixir.
    #[must_use]
    pub fn of_elixir_itself(&self) -> BTreeSet<&str> {
        let modules = self.all.iter().filter_map(|source| match &source.role {
            Role::Module(name) if source.options.contains(&of_elixir()) => Some(name.as_str()),
            _ => None,
        });
        modules.collect()
    }

    /// Is any module of the program itself written in Elixir?
    #[must_use]
    pub fn has_elixir(&self) -> bool {
        self.all.iter().any(is_in_elixir)
    }

    /// Is it one of these files, and not a module of the library?
    #[must_use]
    pub fn owns(&self, file: &str) -> bool {
        self.by_path.get(file).is_some_and(|(_, own)| *own)
    }

    /// The records that the program's own modules define: the name of each, and of its fields. One that several modules include is there several
    /// times.
    #[must_use]
    pub fn record_definitions(&self) -> Vec<(Atom, Vec<Atom>)> {
        let mut loader = self.loader();
        let own = self.all.iter().filter(|source| self.owns(&source.path));
        own.flat_map(|source| loader.records(source)).collect()
    }

    /// Declarations of the records of the program's own modules, for expressions about its state: names of fields, without defaults and types.
    /// A record that two modules define differently is left out.
    #[must_use]
    pub fn records(&self) -> String {
        let mut all: BTreeMap<String, Option<Vec<String>>> = BTreeMap::new();
        for (name, fields) in self.record_definitions() {
            let fields: Vec<String> = fields.into_iter().map(quoted).collect();
            let known = all.entry(quoted(name)).or_insert_with(|| Some(fields.clone()));
            if known.as_ref().is_some_and(|known| *known != fields) {
                *known = None;
            }
        }
        let declared = all.iter().filter_map(|(name, fields)| {
            let fields = fields.as_ref()?.join(", ");
            Some(format!("-record({name}, {{{fields}}}).\n"))
        });
        declared.collect()
    }

    /// The lines around a place, in the version of the file that its code was made from.
    #[must_use]
    pub fn quote_at(&self, place: &SourcePlace, around: u32) -> Vec<SourceLine> {
        match &place.loaded {
            Some(text) => lines_of(text, place.line, around),
            None => self.quote(&place.file, place.line, around),
        }
    }

    /// The lines around a line of a file, as the program began with it.
    #[must_use]
    pub fn quote(&self, file: &str, line: u32, around: u32) -> Vec<SourceLine> {
        let Some(source) = self.by_path.get(file).and_then(|&(i, _)| self.all.get(i)) else {
            return Vec::new();
        };
        lines_of(&String::from_utf8_lossy(&source.text), line, around)
    }

    /// The release of OTP that the program is of.
    #[must_use]
    pub const fn release(&self) -> Release {
        self.language.release
    }

    /// The language that the program is shown in: Elixir, if any of its own modules is written in it.
    #[must_use]
    pub const fn terms(&self) -> Terms {
        self.terms
    }

    /// Shown in this language instead.
    #[must_use]
    pub const fn shown_in(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }

    /// The natives of the recorder.
    #[must_use]
    pub fn natives(&self) -> &log_format::Program {
        &self.natives
    }

    /// A loader that reads only these sources and the library.
    #[must_use]
    pub fn loader(&self) -> SourceLoader {
        let all = Arc::clone(&self.all);
        let files = Box::new(Archive::new(self.all.as_ref().clone()));
        let transforms = move || -> Box<dyn Files> { Box::new(TransformArchive::new(all.as_ref().clone())) };
        transforming(files, transforms, self.project.to_vec(), self.language)
    }
}

/// The lines around a line of a text.
fn lines_of(text: &str, line: u32, around: u32) -> Vec<SourceLine> {
    let first = line.saturating_sub(around).max(1);
    let lines = text
        .lines()
        .enumerate()
        .skip(first as usize - 1)
        .take((line + around + 1 - first) as usize);
    lines
        .map(|(i, text)| {
            let number = u32::try_from(i + 1).unwrap_or(u32::MAX);
            SourceLine {
                line: number,
                text: crate::words::safe(&text.replace('\t', "        ")),
                here: number == line,
            }
        })
        .collect()
}

/// Words of an entry of `tracer test` that say which applications the project has.
fn is_about_applications(word: &str) -> bool {
    ["application=", "built=", "sources="]
        .iter()
        .any(|start| word.starts_with(start))
}

/// A loader of these files, whose parse transforms come from others. They run on a simulated outside. `project`: about the project's applications.
pub(crate) fn transforming(
    files: Box<dyn Files>,
    transforms: impl Fn() -> Box<dyn Files> + Send + Sync + 'static,
    project: Vec<String>,
    language: Language,
) -> SourceLoader {
    let outside = || -> Box<dyn Outside> { Box::new(Simulated::new(0)) };
    let aside = Aside::new(transforms, outside, RunClock::Virtual(0), project, language);
    SourceLoader::new(files).of(language).with_transforms(aside)
}

/// The name in `-module(name).`, if that is at the start of a line.
#[must_use]
pub fn module_of(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let line = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("-module("))?;
    let name = line.split(')').next()?.trim().trim_matches('\'');
    (!name.is_empty()).then(|| name.to_owned())
}

/// An atom in quotes, as source text.
fn quoted(atom: Atom) -> String {
    let mut text = String::from("'");
    for c in atom.as_str().chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => text.push_str(&format!("\\x{{{:x}}}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}

impl RunEntry {
    /// Parses the header of a trace: `stock:main/0`, with the arguments.
    ///
    /// # Errors
    /// If it has another form.
    pub fn of(header: &Header) -> Result<Self, Error> {
        let parts = header.entry.rsplit_once('/').and_then(|(call, arity)| {
            let (module, function) = call.split_once(':')?;
            Some((module, function, arity))
        });
        match parts {
            Some((_, _, "1")) if header.arguments_left_out() => {
                Err(Error::LeftOut("the program's arguments".to_owned()))
            }
            Some((module, function, arity @ ("0" | "1"))) if !module.is_empty() && !function.is_empty() => Ok(Self {
                module: Atom::new(module),
                function: Atom::new(function),
                arguments: (arity == "1").then(|| header.arguments.clone()),
            }),
            _ => Err(Error::Program(format!(
                "the trace names an entry that cannot be called: expected module:function/0 or /1, found `{}`",
                crate::words::safe(&header.entry)
            ))),
        }
    }

    /// Compiles the module of the entry; other modules are compiled on their first call.
    ///
    /// # Errors
    /// The module is missing or does not compile; a native that the run used has another meaning here.
    pub fn load(&self, sources: &Sources) -> Result<vm::Program, Error> {
        self.load_counting(sources, None)
    }

    /// As [`RunEntry::load`]; executed lines are counted.
    pub(crate) fn load_counting(
        &self,
        sources: &Sources,
        counts: Option<Arc<vm::LineCounts>>,
    ) -> Result<vm::Program, Error> {
        let mut loader = sources.loader();
        let mut program = system::natives::program(loader.release());
        crate::natives::agree(sources.natives(), &mut program)?;
        program.keep_variables();
        program.speak(sources.terms());
        if let Some(counts) = counts {
            program.count_lines(counts);
        }
        match loader.load(self.module, &mut program) {
            Ok(true) => Ok(program),
            Ok(false) => Err(Error::from(log_format::Error::damaged(
                0,
                format!("the source of the entry module {}", self.module.as_str()),
                "none; the recorder ended before it was written, or the file was cut",
            ))),
            Err(error) => Err(error.into()),
        }
    }
}
