//! Code that is loaded at run time: a source with all that it includes, or forms. It is part of the program's data, so a replay compiles it again.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::compile::unit::Unit;
use interpreter::heap::Heap;
use interpreter::term::Term;
use interpreter::vm::{LoadedTexts, Program};
use log_format::CompileOption;
use syntax::diagnostic::Diagnostic;
use syntax::{IncludeError, IncludeKind, Included, Includes, Language};

use crate::hash::fnv;
use crate::loader::{LoadedFile, ModuleFile, Role, compile_options, render};
use crate::terms::text;

/// Why code cannot be loaded.
pub(crate) enum LoadError {
    /// There is no room for its atoms.
    SystemLimit,
    /// It is another module.
    BadFile,
    /// What the compiler says.
    Refused(String),
}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SystemLimit => "system_limit",
            Self::BadFile => "badfile",
            Self::Refused(diagnostics) => diagnostics,
        })
    }
}

/// Code to be loaded.
pub(crate) enum Code {
    /// A source file, and the files that it includes.
    Source {
        file: ModuleFile,
        includes: Vec<LoadedFile>,
    },
    /// Forms in the external term format.
    Forms(Vec<u8>),
}

impl Code {
    /// What a term says: `{source, Path, Text, Options, Includes}` or `{forms, Binary}`.
    pub(crate) fn of(heap: &Heap, code: Term) -> Option<Self> {
        match *heap.tuple(code)? {
            [what, forms] if is(what, "forms") => Some(Self::Forms(heap.bytes(forms)?.into_owned())),
            [what, path, source, options, includes] if is(what, "source") => Some(Self::Source {
                file: ModuleFile {
                    path: text(heap, path)?,
                    text: heap.bytes(source)?.into_owned().into(),
                    options: options_of(heap, options)?,
                    forms: None,
                },
                includes: heap
                    .list(includes)?
                    .into_iter()
                    .map(|one| include_of(heap, one))
                    .collect::<Option<_>>()?,
            }),
            _ => None,
        }
    }

    /// Of all that it is.
    pub(crate) fn hash(&self) -> u64 {
        match self {
            Self::Forms(forms) => fnv(forms),
            Self::Source { file, includes } => {
                let mut all = file.text.to_vec();
                all.extend(file.path.as_bytes());
                includes.iter().for_each(|source| all.extend(&*source.text));
                fnv(&all)
            }
        }
    }

    /// The texts of the files that it was made from.
    pub(crate) fn texts(&self) -> LoadedTexts {
        let Self::Source { file, includes } = self else {
            return Vec::new();
        };
        let all =
            std::iter::once((&file.path, &file.text)).chain(includes.iter().map(|source| (&source.path, &source.text)));
        all.map(|(path, text)| (path.clone(), Arc::from(String::from_utf8_lossy(text))))
            .collect()
    }

    /// Compiles it.
    ///
    /// # Errors
    /// It is another module, does not compile, or the program has no room for its atoms.
    pub(crate) fn compile(&self, name: Atom, program: &Program) -> Result<Unit, LoadError> {
        Atom::of_program(|| self.compiled(name, program)).unwrap_or(Err(LoadError::SystemLimit))
    }

    fn compiled(&self, name: Atom, program: &Program) -> Result<Unit, LoadError> {
        let parsed = match self {
            Self::Forms(forms) => syntax::parse_forms(forms).map_err(|found| errors(&found))?,
            Self::Source { file, includes } => {
                let options = compile_options(&file.path, &file.options, Language::of(program.release()))
                    .map_err(|error| LoadError::Refused(error.to_string()))?;
                let includes = Given(includes);
                syntax::parse_module(&file.path, &file.text, &options, &includes).map_err(|found| errors(&found))?
            }
        };
        if parsed.module.name.as_ref().is_none_or(|found| found.atom != name) {
            return Err(LoadError::BadFile);
        }
        program.compile_verified(&parsed.module).map_err(|found| errors(&found))
    }
}

fn errors(found: &[Diagnostic]) -> LoadError {
    let errors: Vec<Diagnostic> = found
        .iter()
        .filter(|one| one.kind != syntax::diagnostic::DiagnosticKind::Warning)
        .cloned()
        .collect();
    LoadError::Refused(render(&errors))
}

fn is(term: Term, word: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == word)
}

/// Compiler options: `{define, Name, Value}`, `{define, Name}` and `{feature, Name}`.
pub(crate) fn options_of(heap: &Heap, options: Term) -> Option<Vec<CompileOption>> {
    let option = |one| match *heap.tuple(one)? {
        [what, name] if is(what, "define") => Some(CompileOption::Define {
            name: text(heap, name)?,
            value: None,
        }),
        [what, name, value] if is(what, "define") => Some(CompileOption::Define {
            name: text(heap, name)?,
            value: Some(text(heap, value)?),
        }),
        [what, name] if is(what, "feature") => Some(CompileOption::Feature(text(heap, name)?)),
        _ => None,
    };
    heap.list(options)?.into_iter().map(option).collect()
}

fn include_of(heap: &Heap, one: Term) -> Option<LoadedFile> {
    let [library, name, from, path, source] = *heap.tuple(one)? else {
        return None;
    };
    Some(LoadedFile {
        role: Role::Include {
            library: library.as_bool()?,
            name: text(heap, name)?,
            from: text(heap, from)?,
        },
        path: text(heap, path)?,
        text: heap.bytes(source)?.into_owned().into(),
        options: Vec::new(),
    })
}

/// `{Path, {forms, Binary}}`.
pub(crate) fn forms_term(heap: &mut Heap, path: &str, forms: &[u8]) -> Term {
    let path = heap.make_string(path);
    let forms = heap.make_binary(forms);
    let code = heap.make_tuple(&[Term::atom(Atom::new("forms")), forms]);
    heap.make_tuple(&[path, code])
}

/// `{Path, {source, Path, Text, Options, Includes}}`.
pub(crate) fn source_term(heap: &mut Heap, file: &ModuleFile, included: &[LoadedFile]) -> Term {
    let atom = |word| Term::atom(Atom::new(word));
    let mut options = Vec::with_capacity(file.options.len());
    for option in &file.options {
        let parts = match option {
            CompileOption::Define { name, value } => {
                let mut parts = vec![atom("define"), heap.make_binary(name.as_bytes())];
                if let Some(value) = value {
                    parts.push(heap.make_binary(value.as_bytes()));
                }
                parts
            }
            CompileOption::Feature(name) => vec![atom("feature"), heap.make_binary(name.as_bytes())],
        };
        options.push(heap.make_tuple(&parts));
    }
    let mut includes = Vec::with_capacity(included.len());
    for source in included {
        let Role::Include { library, name, from } = &source.role else {
            continue;
        };
        let parts = [
            Term::boolean(*library),
            heap.make_binary(name.as_bytes()),
            heap.make_binary(from.as_bytes()),
            heap.make_binary(source.path.as_bytes()),
            heap.make_binary(&source.text),
        ];
        includes.push(heap.make_tuple(&parts));
    }
    let options = heap.make_list(&options);
    let includes = heap.make_list(&includes);
    let path = heap.make_string(&file.path);
    let text = heap.make_binary(&file.text);
    let code = heap.make_tuple(&[atom("source"), path, text, options, includes]);
    heap.make_tuple(&[path, code])
}

/// The files that were read with a source.
struct Given<'a>(&'a [LoadedFile]);

impl Includes for Given<'_> {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let wanted = Role::Include {
            library: kind == IncludeKind::IncludeLib,
            name: name.to_owned(),
            from: from.to_owned(),
        };
        let found = self.0.iter().find(|source| source.role == wanted);
        let found = found.ok_or(IncludeError::NotWithSource)?;
        Ok(Included {
            name: found.path.clone(),
            text: Arc::clone(&found.text),
        })
    }
}
