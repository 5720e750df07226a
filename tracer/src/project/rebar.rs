//! `rebar.config`, as `rebar3 eunit` and `rebar3 ct` read it: with the profile `test`.

use std::fs;
use std::path::{Path, PathBuf};

use log_format::safe_path;
use syntax::ast::{Expr, ExprKind};

use super::terms::{atom, is_string, list, shown, source, text, tuple, values};
use crate::error::ConfigError;

use super::{Application, Project, erl_opts, folders, libraries, settings, tidy};

/// The configuration.
pub const FILE: &str = "rebar.config";

/// Where applications are, if the configuration does not say it.
const APPLICATIONS: [&str; 3] = ["apps/*", "lib/*", "."];

/// What rebar3 would run or change, and what is not done here.
const NOT_DONE: [&str; 5] = [
    "pre_hooks",
    "post_hooks",
    "provider_hooks",
    "port_specs",
    "cth_readable",
];

/// The terms of a configuration, with those of its profile `test` after them.
pub(super) struct Config {
    pub(super) path: PathBuf,
    terms: Vec<Expr>,
    of_tests: Vec<Expr>,
    /// Elements that an override takes out, each with its key, as text.
    without: Vec<(&'static str, String)>,
    /// Why its script is not applied.
    pub(super) script: Option<String>,
}

impl Config {
    pub(super) fn read(folder: &Path) -> Result<Self, ConfigError> {
        let path = tidy(folder.join(FILE));
        let mut config = Self {
            terms: Vec::new(),
            of_tests: Vec::new(),
            path,
            without: Vec::new(),
            script: None,
        };
        if config.path.is_file() {
            let path = || config.path.clone();
            let bytes = fs::read(&config.path).map_err(|error| ConfigError::Unread { path: path(), error })?;
            config.terms = syntax::parse_terms(&bytes).map_err(|error| ConfigError::Terms { path: path(), error })?;
        }
        let script = config.path.with_extension("config.script");
        if script.is_file() {
            let made = crate::aside::script(folder, &config.path, &script)
                .map_err(|error| error.to_string())
                .and_then(|text| syntax::parse_terms(text.as_bytes()).map_err(|error| error.to_string()));
            match made {
                Ok(terms) => {
                    let before = std::mem::replace(&mut config.terms, terms);
                    config.terms.iter_mut().for_each(|term| place(term, &before, true));
                }
                Err(why) => config.script = Some(format!("{} is not applied: {why}", safe_path(&script))),
            }
        }
        config.of_tests = of_tests(&config.terms);
        Ok(config)
    }

    /// Applies what `overrides` of the project says about this application.
    pub(super) fn overridden(&mut self, overrides: &[Expr], name: &str) {
        for term in overrides {
            let (kind, changes) = match tuple(term) {
                [kind, changes] => (kind, changes),
                [kind, of, changes] if atom(of) == Some(name) => (kind, changes),
                _ => continue,
            };
            for change in list(changes) {
                let Some(key) = tuple(change).first().and_then(atom) else {
                    continue;
                };
                let is_it = |term: &Expr| tuple(term).first().and_then(atom) == Some(key);
                match atom(kind) {
                    Some("override") => {
                        self.terms.retain(|term| !is_it(term));
                        self.terms.push(change.clone());
                    }
                    Some("add") => self.terms.push(change.clone()),
                    Some("del") => {
                        let gone = values(std::slice::from_ref(change), key).flat_map(list);
                        self.without.extend(gone.map(|element| (key, shown(element))));
                    }
                    _ => {}
                }
            }
        }
        self.of_tests = of_tests(&self.terms);
    }

    /// All elements of the lists under a key.
    pub(super) fn all(&self, key: &str) -> Vec<Expr> {
        let lists = values(&self.terms, key).chain(values(&self.of_tests, key));
        lists
            .flat_map(|term| {
                if is_string(term) {
                    std::slice::from_ref(term)
                } else {
                    list(term)
                }
            })
            .filter(|element| !self.is_without(key, element))
            .cloned()
            .collect()
    }

    fn is_without(&self, key: &str, element: &Expr) -> bool {
        !self.without.is_empty()
            && self
                .without
                .iter()
                .any(|(of, text)| *of == key && *text == shown(element))
    }

    /// The folders of sources of an application in this project, without those that `eunit_compile_opts` and `ct_compile_opts` add.
    fn always_sources(&self, of_application: &Self) -> Vec<String> {
        let named = |config: &Self| {
            [
                config.texts("src_dirs"),
                erl_opts::read(&config.all("erl_opts"), &config.path).sources,
            ]
            .concat()
        };
        let all = [named(self), named(of_application)].concat();
        if all.is_empty() { vec!["src".to_owned()] } else { all }
    }

    /// What `xrl_opts` or `yrl_opts` says, as text.
    pub(super) fn generator(&self, key: &str) -> String {
        let all: Vec<String> = self.all(key).iter().filter_map(source).collect();
        format!("[{}]", all.join(","))
    }

    pub(super) fn texts(&self, key: &str) -> Vec<String> {
        self.all(key).iter().filter_map(path_of).collect()
    }

    pub(super) fn compiler(&self, with_tests: bool) -> erl_opts::ErlOpts {
        let mut terms = Vec::new();
        if with_tests {
            for key in ["erl_opts", "eunit_compile_opts", "ct_compile_opts"] {
                terms.extend(self.all(key));
            }
        } else {
            let all = values(&self.terms, "erl_opts").flat_map(list);
            terms.extend(all.filter(|element| !self.is_without("erl_opts", element)).cloned());
        }
        erl_opts::read(&terms, &self.path)
    }
}

/// What a script has left as it was keeps its place in the file. What it has made has that of what it is in.
fn place(term: &mut Expr, before: &[Expr], goes_on: bool) {
    let text = shown(term);
    let key = tuple(term).first().and_then(atom);
    let is_same_key = |old: &&Expr| key.is_some() && tuple(old).first().and_then(atom) == key;
    if let Some(old) = before.iter().find(|old| shown(old) == text) {
        *term = old.clone();
        return;
    }
    let Some(old) = before.iter().find(is_same_key) else {
        return;
    };
    term.loc = old.loc;
    if let (true, ExprKind::Tuple(parts), [_, elements]) = (goes_on, &mut term.kind, tuple(old))
        && let [
            _,
            Expr {
                kind: ExprKind::List(made),
                ..
            },
        ] = &mut parts[..]
    {
        for element in &mut made.items {
            element.loc = old.loc;
            place(element, list(elements), false);
        }
    }
}

/// The terms of the profile `test`.
fn of_tests(terms: &[Expr]) -> Vec<Expr> {
    let profiles = values(terms, "profiles").flat_map(list);
    let of_tests = profiles.filter_map(|profile| match tuple(profile) {
        [name, terms] if atom(name) == Some("test") => Some(list(terms)),
        _ => None,
    });
    of_tests.flatten().cloned().collect()
}

/// `"dir"` or `{"dir", Options}`.
fn path_of(term: &Expr) -> Option<String> {
    text(tuple(term).first().unwrap_or(term))
}

/// Reads the project in a folder.
///
/// # Errors
/// A configuration cannot be read.
pub fn read(root: &Path) -> Result<Project, ConfigError> {
    let config = Config::read(root)?;
    let mut project = Project {
        root: root.to_owned(),
        ..Project::default()
    };
    own(&mut project, &config)?;
    libraries::add(&mut project, &config.all("overrides"))?;
    notes(&mut project, &config);
    let mut notes = Vec::new();
    project.settings = settings::read(root, &config, &mut notes);
    project.notes.extend(notes);
    // A folder of suites belongs to the application around it.
    for folder in &project.settings.suites {
        let is_around = |one: &&mut Application| folder.starts_with(&one.root) || one.root == tidy(root.to_owned());
        let mut own: Vec<&mut Application> = project.applications.iter_mut().filter(|one| one.is_own).collect();
        own.sort_by_key(|one| std::cmp::Reverse(one.root.components().count()));
        if let Some(application) = own.into_iter().find(is_around) {
            application.suites.push(folder.clone());
        }
    }
    built(&mut project);
    Ok(project)
}

/// The folders that `rebar3` would build the applications in for tests.
fn built(project: &mut Project) {
    let whole = std::path::absolute(&project.root).unwrap_or_else(|_| project.root.clone());
    let whole = whole.canonicalize().unwrap_or(whole);
    let place = whole.join("_build/test");
    let has_others = project.own().count() > 1;
    let root = tidy(project.root.clone());
    for application in &mut project.applications {
        // The tests of an umbrella as a whole.
        let is_rest = has_others && application.is_own && application.root == root && !application.is_described();
        let is_checked_out = application
            .root
            .parent()
            .is_some_and(|parent| parent.ends_with("_checkouts"));
        let built = match (is_rest, is_checked_out) {
            (true, _) => place.join("extras"),
            (_, true) => place.join("checkouts").join(&application.name),
            (..) => place.join("lib").join(&application.name),
        };
        for_transforms(application, &built);
        application.built = Some(built);
    }
}

/// What else rebar3 tells the compiler, and with it parse transforms.
fn for_transforms(application: &mut Application, built: &Path) {
    let quoted = |path: &Path| format!("{:?}", path.display().to_string());
    let mut terms = vec![
        format!("{{outdir,{}}}", quoted(&built.join("ebin"))),
        "no_spawn_compiler_process".to_owned(),
    ];
    let includes = ["src", "test", "include"].map(|folder| built.join(folder));
    let includes = includes.iter().map(PathBuf::as_path).chain([built]);
    terms.extend(includes.map(|path| format!("{{i,{}}}", quoted(path))));
    terms.extend(["return_errors", "return_warnings"].map(str::to_owned));
    let options = terms.iter().map(|term| system::loader::transforms::option(term));
    application.options.extend(options);
}

/// The project's own applications.
fn own(project: &mut Project, config: &Config) -> Result<(), ConfigError> {
    let root = project.root.clone();
    let mut places = config.texts("project_app_dirs");
    if places.is_empty() {
        places = APPLICATIONS.map(str::to_owned).to_vec();
    }
    let mut roots: Vec<PathBuf> = Vec::new();
    for place in places {
        match place.strip_suffix("/*") {
            Some(folder) if !folder.contains('*') => roots.extend(folders(&root.join(folder))),
            None if !place.contains('*') => roots.push(root.join(&place)),
            _ => project.notes.push(format!(
                "project_app_dirs of {}: only names and NAME/* are read, not {place}",
                safe_path(&config.path)
            )),
        }
    }
    for folder in roots {
        let is_root = tidy(folder.clone()) == tidy(root.join("."));
        let part = Config::read(&folder)?;
        let compiled = config.compiler(true);
        let part_compiled = part.compiler(true);
        let mut sources = [
            config.texts("src_dirs"),
            part.texts("src_dirs"),
            compiled.sources.clone(),
            part_compiled.sources.clone(),
        ]
        .concat();
        if sources.is_empty() {
            sources.push("src".to_owned());
        }
        if !Application::is_in(&folder, &sources) {
            continue;
        }
        let mut application = Application::new(&folder, &sources, &test_folders(config, &part, is_root), true);
        application.options = compiled.options;
        let always = config.always_sources(&part);
        let is_always = |source: &&PathBuf| {
            always
                .iter()
                .any(|folder| source.starts_with(tidy(application.root.join(folder))))
        };
        let only_for_tests = application
            .own_sources()
            .iter()
            .filter(|source| !is_always(source))
            .cloned()
            .collect();
        application.only_for_tests = only_for_tests;
        application.generators = ["xrl_opts", "yrl_opts"].map(|key| config.generator(key));
        note_each(project, compiled.unknown);
        note_each(project, part.script.clone().into_iter().collect());
        let mut includes = compiled.includes;
        if !is_root {
            application.options.extend(part_compiled.options);
            includes.extend(part_compiled.includes);
            note_each(project, part_compiled.unknown);
        }
        application
            .includes
            .extend(includes.into_iter().map(|path| tidy(folder.join(path))));
        project.applications.push(application);
    }
    // Tests of the project as a whole, or a folder that has no description.
    if project
        .applications
        .iter()
        .all(|application| application.root != tidy(root.clone()))
    {
        let sources: &[String] = if project.applications.is_empty() {
            &["src".to_owned()]
        } else {
            &[]
        };
        let mut application = Application::new(&root, sources, &test_folders(config, config, true), true);
        if !application.sources.is_empty() {
            let compiled = config.compiler(true);
            application.options = compiled.options;
            application.generators = ["xrl_opts", "yrl_opts"].map(|key| config.generator(key));
            note_each(project, compiled.unknown);
            application
                .includes
                .extend(compiled.includes.into_iter().map(|path| tidy(root.join(path))));
            project.applications.push(application);
        }
    }
    Ok(())
}

/// `test`, and `extra_src_dirs`, with the folders inside if that is asked for, as by default for all but `test`.
fn test_folders(config: &Config, part: &Config, is_root: bool) -> Vec<(String, bool)> {
    let mut all = vec![("test".to_owned(), false)];
    let mut extra = config.all("extra_src_dirs");
    if !is_root {
        extra.extend(part.all("extra_src_dirs"));
    }
    for term in &extra {
        let Some(folder) = path_of(term) else { continue };
        let options = tuple(term).get(1).map_or(&[][..], list);
        let said = values(options, "recursive").last().and_then(atom);
        let is_deep = said.map_or(folder != "test", |said| said == "true");
        all.retain(|(other, _)| *other != folder);
        all.push((folder, is_deep));
    }
    all
}

/// Adds each of these notes once.
pub(super) fn note_each(project: &mut Project, notes: Vec<String>) {
    for note in notes {
        if !project.notes.contains(&note) {
            project.notes.push(note);
        }
    }
}

fn notes(project: &mut Project, config: &Config) {
    let path = safe_path(&config.path);
    for key in NOT_DONE {
        let terms = config.terms.iter().chain(&config.of_tests);
        let mut given = terms.filter(|term| tuple(term).first().and_then(atom) == Some(key));
        if let Some(term) = given.next() {
            project
                .notes
                .push(format!("{path}:{}: {key} is not applied", term.loc.line));
        }
    }
    note_each(project, config.script.clone().into_iter().collect());
    for term in config.all("deps") {
        let name = atom(&term).or_else(|| tuple(&term).first().and_then(atom));
        if let Some(name) = name
            && project.applications.iter().all(|application| application.name != name)
        {
            project.notes.push(format!(
                "{path}:{}: {name} is not in {}; `rebar3 as test get-deps` fetches it",
                term.loc.line,
                libraries::PLACES.join(", ")
            ));
        }
    }
}
