//! Runs parse transforms: each in a system of its own, aside, unrecorded. What comes out of it is part of the trace, so a replay runs none.
//!
//! One [`Aside`] serves a whole command: modules of transforms are compiled once, and the same forms are transformed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interpreter::atom::Atom;
use interpreter::native::CodeInfo as _;
use interpreter::vm::Program;
use log_format::CompileOption;
use syntax::{Language, Remark, Transformed, Untransformed};

use crate::hash::{fnv, mix};
use crate::loader::transforms::{RunsTransforms, Stack, TransformNeeds, TransformResult, term_of};
use crate::loader::{Files, LoadedFile, Loader as _, Role, SharedLoader, SourceLoader};
use crate::outside::Outside;
use crate::scheduler::RoundRobin;
use crate::settings::{Limits, RunClock, RunEnd, Settings};
use crate::state::delivery::Delivery;
use crate::system::System;

mod apart;
mod watch;

use apart::{Answers, Apart};
use watch::TransformWatch;

/// Limit: nanoseconds that a transform may take for one module.
const LONGEST: u64 = 120_000_000_000;
/// Limit: bytes that it may hold.
const MOST_MEMORY: usize = 1 << 30;

type MakeFiles = Box<dyn Fn() -> Box<dyn Files> + Send + Sync>;
type MakeOutside = Box<dyn Fn() -> Box<dyn Outside> + Send + Sync>;

/// Where transforms run.
pub struct Aside {
    files: MakeFiles,
    outside: MakeOutside,
    clock: RunClock,
    /// What the library has to know of the project.
    project: Vec<String>,
    /// What the transforms are written in.
    language: Language,
    /// Programs with the transforms that were loaded, one for each that runs at the same time.
    ready: Mutex<Vec<Ready>>,
    /// What was transformed before.
    done: Mutex<HashMap<[u64; 2], TransformResult>>,
    /// The sources of the transforms.
    read: Mutex<Vec<LoadedFile>>,
}

struct Ready {
    program: Arc<Program>,
    loader: Arc<Mutex<SourceLoader>>,
    /// Transforms that do not compile, and why.
    broken: HashMap<Atom, String>,
}

impl Aside {
    /// Transforms come from these files, and run in a world like this. Their clock is real if the world's is. `project`: words for the library
    /// about the project's applications.
    #[must_use]
    pub fn new(
        files: impl Fn() -> Box<dyn Files> + Send + Sync + 'static,
        outside: impl Fn() -> Box<dyn Outside> + Send + Sync + 'static,
        clock: RunClock,
        project: Vec<String>,
        language: Language,
    ) -> Arc<Self> {
        Arc::new(Self {
            files: Box::new(files),
            outside: Box::new(outside),
            clock,
            project,
            language,
            ready: Mutex::default(),
            done: Mutex::default(),
            read: Mutex::default(),
        })
    }

    fn prepared(&self) -> Ready {
        let loader = SourceLoader::new((self.files)()).of(self.language);
        Ready {
            program: Arc::new(crate::natives::program(loader.release())),
            loader: Arc::new(Mutex::new(loader)),
            broken: HashMap::new(),
        }
    }

    fn note_read(&self, loader: &SourceLoader) {
        let mut read = held(&self.read);
        let all = loader.shared_list();
        for source in held(&all).iter() {
            let role = match &source.role {
                Role::Module(name) if interpreter::library::source(name).is_some() => continue,
                Role::Module(name) => Role::Transform(name.clone()),
                Role::Forms(_) => continue,
                other => other.clone(),
            };
            let source = LoadedFile { role, ..source.clone() };
            if !read.contains(&source) {
                read.push(source);
            }
        }
    }

    fn run(&self, ready: &mut Ready, name: Atom, words: Vec<String>, forms: &[u8]) -> TransformResult {
        let runner = Atom::new("retell_transform");
        let transform = Atom::new("parse_transform");
        let Some(program) = Arc::get_mut(&mut ready.program) else {
            return Err(Untransformed::because("its program is in use: a bug of the tool"));
        };
        for module in [name, runner] {
            let loaded = held(&ready.loader).load(module, program);
            if let Err(error) = loaded {
                ready.broken.insert(module, error.to_string());
            }
        }
        if let Some(why) = ready.broken.get(&name) {
            let text = format!("the parse transform {name} does not compile:\n{}", why.trim_end());
            return Err(Untransformed::because(text));
        }
        if !program.is_exported(name, transform, 2) {
            return Err(Untransformed::because(format!("undefined parse transform '{name}'")));
        }
        let answers = Answers::default();
        let settings = Settings {
            scheduler: Box::new(RoundRobin::default()),
            outside: Box::new(Apart::new((self.outside)(), Arc::clone(&answers))),
            loader: Box::new(SharedLoader(Arc::clone(&ready.loader))),
            clock: self.clock,
            delivery: Delivery::Causal,
            limits: Limits {
                time: Some(LONGEST),
                memory: Some(MOST_MEMORY),
                ..Limits::default()
            },
            arguments: Vec::new(),
            exit_with_entry: true,
        };
        let mut system = System::new(Arc::clone(&ready.program), TransformWatch::default(), settings, None);
        let mut arguments = words;
        arguments.insert(2, forms.iter().copied().map(char::from).collect());
        system.start(runner, Atom::new("run"), Some(&arguments));
        let end = system.run();
        system.outside().flush();
        ready.program = Arc::clone(&system.program);
        let TransformWatch { reason, missing } = system.into_observer();
        let answer = held(&answers).pop();
        let mut outcome = answer.and_then(|words| read(&words)).unwrap_or_else(|| {
            Err(Untransformed::because(format!(
                "the parse transform {name} gave no forms: {}",
                match &end {
                    RunEnd::Limit(which) => format!("it reached the limit of {which}"),
                    RunEnd::Halted(status) => format!("it halted with status {status}"),
                    RunEnd::Interrupted => "it was interrupted".to_owned(),
                    RunEnd::Quiescent => "it waits for ever".to_owned(),
                    RunEnd::EntryEnded => format!("its process ended: {}", reason.unwrap_or_default()),
                }
            )))
        });
        if let (Err(Untransformed::Wrong(errors, _)), Some(missing)) = (&mut outcome, missing)
            && let Some(first) = errors.first_mut()
        {
            first.message += &format!("\n({missing} of Erlang/OTP, which it called, is not provided)");
        }
        outcome
    }
}

impl RunsTransforms for Aside {
    fn sources(&self) -> Vec<LoadedFile> {
        held(&self.read).clone()
    }

    fn transform(
        self: Arc<Self>,
        stack: &Stack,
        name: Atom,
        file: &str,
        forms: &[u8],
        options: &[CompileOption],
    ) -> TransformResult {
        let asked = (name, file.to_owned());
        if let Some(from) = stack.iter().position(|other| *other == asked) {
            let circle: Vec<String> = stack[from..]
                .iter()
                .chain([&asked])
                .map(|(transform, file)| format!("{file} needs {transform}"))
                .collect();
            return Err(Untransformed::because(format!(
                "parse transforms in a circle: {}",
                circle.join(", ")
            )));
        }
        let words = words(name, file, options, &self.project);
        let key = key(&words, forms);
        if let Some(known) = held(&self.done).get(&key) {
            return known.clone();
        }
        let mut ready = held(&self.ready).pop().unwrap_or_else(|| self.prepared());
        let mut deeper = stack.clone();
        deeper.push(asked);
        held(&ready.loader).run_transforms(Some(TransformNeeds {
            runner: Arc::clone(&self) as Arc<dyn RunsTransforms>,
            stack: deeper,
        }));
        let outcome = self.run(&mut ready, name, words, forms);
        let mut loader = held(&ready.loader);
        loader.run_transforms(None);
        self.note_read(&loader);
        drop(loader);
        held(&self.ready).push(ready);
        held(&self.done).insert(key, outcome.clone());
        outcome
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the library's runner is told, without the forms: the transform, the file, where columns are wanted, what it has to know of the project, and
/// the options as terms.
fn words(name: Atom, file: &str, options: &[CompileOption], project: &[String]) -> Vec<String> {
    let mut words = vec![name.as_str().to_owned(), file.to_owned(), "column".to_owned()];
    words.push(project.len().to_string());
    words.extend(project.iter().cloned());
    for option in options {
        let term = match option {
            CompileOption::Define { name, value: None } => format!("{{d,{}}}", quoted(name)),
            CompileOption::Define {
                name,
                value: Some(value),
            } => format!("{{d,{},{value}}}", quoted(name)),
            CompileOption::Feature(name) => match term_of(name) {
                Some(term) if term.replace(' ', "") == "{error_location,line}" => {
                    words[2] = "line".to_owned();
                    term.to_owned()
                }
                Some(term) => term.to_owned(),
                None if name == "maybe_expr" => "{feature,maybe_expr,enable}".to_owned(),
                None => name.clone(),
            },
        };
        // What is no term: a macro whose value is several tokens, say.
        if syntax::parse_terms(format!("{term}.").as_bytes()).is_ok() {
            words.push(term);
        }
    }
    words
}

fn quoted(name: &str) -> String {
    syntax::token::quoted_atom(Atom::new(name))
}

fn key(words: &[String], forms: &[u8]) -> [u64; 2] {
    let mut all = words.join("\n").into_bytes();
    all.push(0);
    all.extend(forms);
    let other = all
        .iter()
        .fold(all.len() as u64, |hash, byte| mix(hash ^ u64::from(*byte)));
    [fnv(&all), other]
}

/// What the library's runner told: `formed` or `failed`, the forms, and five words for each remark.
fn read(words: &[String]) -> Option<TransformResult> {
    let [kind, forms, remarks @ ..] = words else {
        return None;
    };
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for remark in remarks.chunks_exact(5) {
        let [severity, file, line, col, message] = remark else {
            continue;
        };
        let remark = Remark {
            file: file.clone(),
            line: line.parse().unwrap_or(0),
            col: col.parse().unwrap_or(u16::MAX),
            message: message.clone(),
        };
        match severity.as_str() {
            "error" => errors.push(remark),
            _ => warnings.push(remark),
        }
    }
    match kind.as_str() {
        "formed" => Some(Ok(Transformed {
            forms: forms.chars().map(|byte| byte as u8).collect(),
            warnings,
        })),
        // OTP's compiler says nothing then.
        _ if errors.is_empty() => Some(Err(Untransformed::because(
            "the parse transform failed and named no error",
        ))),
        _ => Some(Err(Untransformed::Wrong(errors, warnings))),
    }
}
