//! Loads a module of tests with the library's runner: the program of one run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::vm::{LineCounts, Program};
use log_format::CompileOption;
use system::loader::{Loader, ModuleFile, SourceLoader, render};

use super::find::{Found, Kind, Unit};
use super::mix;
use crate::error::CompileError;
use crate::execute::Loaded;
use crate::files::Disk;
use crate::installed::Installed;
use crate::options::Compiling;
use crate::project::{self, Application, tidy};
use crate::report;

/// How much the library's runner prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Failures.
    Plain,
    /// Every test.
    Verbose,
    /// Nothing.
    Silent,
}

/// The folders of a suite: its data, and where it may write.
pub fn folders(file: &Path, suite: &str, private: &Path) -> [String; 2] {
    let beside = file.with_file_name(format!("{suite}_data"));
    let beside = std::path::absolute(&beside).unwrap_or(beside);
    [&*beside, private].map(|path| format!("{}/", path.display()))
}

impl Style {
    /// The word for the library.
    const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Verbose => "verbose",
            Self::Silent => "silent",
        }
    }
}

/// What decides the program of a run.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    /// How modules are compiled.
    pub compiling: &'a Compiling,
    /// Parts of the names of the tests to run; all if there are none.
    pub only: &'a [String],
    /// Configuration files of Common Test that take the place of the project's.
    pub configs: &'a [PathBuf],
    /// The project.
    pub found: &'a Found,
    /// What the runner prints.
    pub style: Style,
    /// Counts of the lines that the tests execute.
    pub counts: Option<&'a Arc<LineCounts>>,
}

/// A compiled module of tests.
pub struct Compiled {
    /// It, and what was compiled for it.
    pub program: Program,
    /// Loads the modules that it calls.
    pub loader: SourceLoader,
    /// Its name.
    pub module: Atom,
}

impl Loading<'_> {
    /// Compiles a module as for its run.
    ///
    /// # Errors
    /// It cannot be read or does not compile.
    pub fn compile(&self, unit: &Unit) -> Result<Compiled, CompileError> {
        let disk = self.disk(unit.kind, unit.path.parent());
        let application = disk.applications.iter().find(|one| one.has(&unit.path));
        let options = application.map_or_else(|| disk.options.clone(), |one| one.options.clone());
        let mut loader = crate::transforms::loader(disk);
        let mut program = system::natives::program(loader.release());
        if let Some(counts) = self.counts {
            program.count_lines(Arc::clone(counts));
        }
        let text = std::fs::read(&unit.path).map_err(|error| CompileError::Unread {
            path: unit.path.clone(),
            error,
        })?;
        let file = ModuleFile {
            path: unit.path.display().to_string(),
            text: text.into(),
            options,
            forms: None,
        };
        let module = loader.load_file(file, &mut program)?;
        Ok(Compiled {
            program,
            loader,
            module,
        })
    }

    /// Where the modules of such tests are. `first`: the folder that is searched before all others.
    pub fn disk(&self, kind: Kind, first: Option<&Path>) -> Disk {
        let options = self.options(kind);
        let includes = self.compiling.includes.iter().chain(&self.found.includes);
        let mut sources = self.found.sources.clone();
        if let Some(folder) = first {
            sources.retain(|other| other != folder);
            sources.insert(0, folder.to_owned());
        }
        let installed = Installed::from_environment();
        Disk {
            language: self.compiling.language(&installed, self.found.settings.minimum_otp),
            source_folders: sources,
            include_folders: includes.cloned().collect(),
            object_folders: self.compiling.objects.clone(),
            installed,
            applications: self.applications(&options),
            options,
            stubs: self.compiling.stubs.clone(),
        }
    }

    /// Compiles the module and the library's runner. `private`: the folder that a suite may write to. `becomes_alive`: the node has its name
    /// from the start, and the tests will make it alive.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub fn load(&self, unit: &Unit, private: Option<&Path>, becomes_alive: bool) -> Result<Loaded, CompileError> {
        if unit.kind == Kind::Mix {
            let words = [self.found.options.as_slice(), &self.found.words].concat();
            let mut loaded = mix::load(self.compiling, &super::words::for_runner(self.only), &words)?;
            if becomes_alive && let Some(arguments) = &mut loaded.arguments {
                arguments.insert(0, mix::ALIVE.to_owned());
            }
            return Ok(loaded);
        }
        let Compiled {
            mut program,
            mut loader,
            module,
        } = self.compile(unit)?;
        if self.compiling.warnings {
            report::say(&render(&loader.warnings));
        }
        let runner = Atom::new("retell_test");
        loader.load(runner, &mut program)?;
        let place = if self.found.units.len() == 1 { "alone" } else { "part" };
        let mut arguments = vec![
            module.as_str().to_owned(),
            self.style.word().to_owned(),
            place.to_owned(),
        ];
        let mut words = self.words(unit.kind);
        let chosen = self
            .found
            .settings
            .chosen
            .iter()
            .filter(|chosen| tidy(chosen.suite.clone()) == unit.path);
        words.extend(chosen.map(|chosen| format!("chosen=[{}]", chosen.what)));
        if becomes_alive {
            words.push("alive=later".to_owned());
        }
        arguments.push(words.len().to_string());
        arguments.extend(words);
        if let Some(folder) = private {
            arguments.extend(folders(&unit.path, &unit.module, folder));
        }
        arguments.extend(super::words::for_runner(self.only));
        let function = match unit.kind {
            Kind::Unit | Kind::Mix => "eunit",
            Kind::Suite => "suite",
        };
        Ok(Loaded {
            runs_tests: true,
            named: module,
            built: project::built(&self.found.applications),
            ..Loaded::new(program, loader, (runner, Atom::new(function)), arguments)
        })
    }

    /// The applications, with all options of their modules. Those that the project needs are not compiled for tests.
    fn applications(&self, of_tests: &[CompileOption]) -> Vec<Application> {
        let mut all = self.found.applications.clone();
        for application in all.iter_mut().filter(|application| application.is_own) {
            let own = std::mem::take(&mut application.options);
            application.options = of_tests.iter().cloned().chain(own).collect();
        }
        all
    }

    /// What the library's runners have to know of a project.
    fn words(&self, kind: Kind) -> Vec<String> {
        let settings = &self.found.settings;
        let of_kind = match kind {
            Kind::Unit | Kind::Mix => settings.eunit_words.clone(),
            Kind::Suite => {
                // As for `rebar3 ct`, those of the command line take the place of those of the project.
                let configs = if self.configs.is_empty() {
                    &settings.configs
                } else {
                    self.configs
                };
                let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let configs = configs
                    .iter()
                    .map(|path| format!("config={}", absolute(path).display()));
                settings.suite_words.iter().cloned().chain(configs).collect()
            }
        };
        // rebar3 loads none before it tests.
        let is_loaded = |one: &&Application| one.is_own && kind == Kind::Unit && one.built.is_none();
        let own = self.found.applications.iter().filter(is_loaded);
        let loaded = own.map(|application| format!("load={}", application.name));
        let known = project::words(&self.found.applications);
        known.into_iter().chain(loaded).chain(of_kind).collect()
    }

    /// The compiler options: what rebar3 defines for tests, and what was asked for.
    fn options(&self, kind: Kind) -> Vec<CompileOption> {
        let own = self.compiling.options();
        let of_tests = match kind {
            Kind::Unit | Kind::Mix => ["TEST", "EUNIT"],
            Kind::Suite => ["TEST", "COMMON_TEST"],
        };
        let is_defined = |wanted: &str| {
            own.iter()
                .any(|option| matches!(option, CompileOption::Define { name, .. } if name == wanted))
        };
        let missing = of_tests.into_iter().filter(|name| !is_defined(name));
        missing.map(CompileOption::define).chain(own.iter().cloned()).collect()
    }
}
