//! The tests of projects that have a configuration.

use std::path::{Path, PathBuf};

use super::find::{Found, Kind, entries, is_source, is_suite};
use crate::error::{FindError, NotThere};
use crate::project::{Application, Project, Selection, tidy};

impl Found {
    /// Takes in the project around a folder. `false`: there is none with a configuration.
    pub(super) fn configured(&mut self, folder: &Path) -> Result<bool, FindError> {
        let project = Project::around(folder).map(|root| Project::read(&tidy(root)));
        match project.transpose()?.flatten() {
            Some(project) => {
                self.take_in(&project);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn take_in(&mut self, project: &Project) {
        for application in &project.applications {
            if self.applications.iter().all(|other| other.root != application.root) {
                self.applications.push(application.clone());
            }
        }
        for application in project.own() {
            application.sources.iter().for_each(|folder| self.add_source(folder));
            for folder in &application.includes {
                if !self.includes.contains(folder) {
                    self.includes.push(folder.clone());
                }
            }
        }
        self.settings = project.settings.clone();
        for note in &project.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }

    /// All tests of a project, or those that its configuration names.
    pub(super) fn whole(&mut self, project: Project) -> Result<(), FindError> {
        self.take_in(&project);
        let own: Vec<&PathBuf> = project.own().flat_map(|application| &application.sources).collect();
        let chosen = &project.settings.eunit;
        if chosen.is_empty() {
            self.of_rebar3(&project)?;
        } else {
            for selection in chosen {
                self.selected(&project, selection)?;
            }
            for path in own
                .iter()
                .map(|folder| entries(folder))
                .collect::<Result<Vec<_>, _>>()?
                .iter()
                .flatten()
            {
                if is_suite(path) {
                    self.add(path);
                }
            }
        }
        self.specified(&project);
        for folder in project
            .settings
            .suites
            .iter()
            .filter(|_| !project.settings.is_specified)
        {
            self.add_source(folder);
            for path in entries(folder)?.iter().filter(|path| is_source(path) && is_suite(path)) {
                self.add(path);
            }
        }
        Ok(())
    }

    /// As rebar3 finds them: the modules of applications, those of their tests, and some of them again. Of further folders (`extra_src_dirs`), none.
    fn of_rebar3(&mut self, project: &Project) -> Result<(), FindError> {
        let is_built = |one: &&Application| one.built.is_some();
        for one in project.own().filter(|one| !is_built(one)) {
            one.sources.iter().try_for_each(|folder| self.scan(folder))?;
        }
        for one in project.own().filter(is_built) {
            let mut modules = Vec::new();
            for folder in one.own_sources() {
                modules.extend(entries(folder)?.into_iter().filter(|path| is_source(path)));
            }
            for path in &modules {
                self.add(path);
                if has_owner(path, &modules) {
                    self.add_again(path);
                }
            }
        }
        for one in project.own().filter(is_built) {
            let of_tests = one.root.join("test");
            let is_test = |folder: &&PathBuf| folder.starts_with(tidy(of_tests.clone()));
            let folders = one.sources.iter().filter(is_test);
            folders
                .clone()
                .filter(|folder| !one.own_sources().contains(folder))
                .try_for_each(|folder| self.scan(folder))?;
            // Modules of the application only for tests: they are its own, and tests besides.
            let mut modules = Vec::new();
            for folder in one
                .own_sources()
                .iter()
                .filter(|folder| !one.only_for_tests.contains(folder))
            {
                modules.extend(entries(folder)?);
            }
            for folder in folders.filter(|folder| one.only_for_tests.contains(folder)) {
                for path in entries(folder)? {
                    if is_source(&path) && !is_suite(&path) && !has_owner(&path, &modules) {
                        self.add_again(&path);
                    }
                }
            }
        }
        Ok(())
    }

    /// The suites of test specifications take the place of all others.
    fn specified(&mut self, project: &Project) {
        if !project.settings.is_specified {
            return;
        }
        self.units.retain(|unit| unit.kind != Kind::Suite);
        for chosen in &project.settings.chosen {
            if let Some(folder) = chosen.suite.parent() {
                self.add_source(folder);
            }
            self.add(&chosen.suite);
        }
    }

    /// What `eunit_tests` names.
    fn selected(&mut self, project: &Project, selection: &Selection) -> Result<(), FindError> {
        let not_there = |what: NotThere| FindError::NotThere {
            root: project.root.clone(),
            what,
        };
        match selection {
            Selection::Folder(folder) => {
                self.add_source(folder);
                self.scan(folder)
            }
            Selection::File(path) if path.is_file() => {
                if let Some(folder) = path.parent() {
                    self.add_source(folder);
                }
                self.add(path);
                Ok(())
            }
            Selection::File(path) => Err(not_there(NotThere::File(path.clone()))),
            Selection::Application(name) => {
                let application = project.own().find(|application| application.name == *name);
                let application = application.ok_or_else(|| not_there(NotThere::Application(name.clone())))?;
                application.sources.iter().try_for_each(|folder| self.scan(folder))
            }
            Selection::Module(name) => {
                let folders = project.own().flat_map(|application| &application.sources);
                let mut paths = folders.map(|folder| folder.join(format!("{name}.erl")));
                let path = paths
                    .find(|path| path.is_file())
                    .ok_or_else(|| not_there(NotThere::Module(name.clone())))?;
                self.add(&path);
                Ok(())
            }
        }
    }
}

/// Is it the MODULE_tests of one of these?
fn has_owner(path: &Path, modules: &[PathBuf]) -> bool {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let owner = stem(path).and_then(|name| Some(name.strip_suffix("_tests")?.to_owned()));
    owner.is_some() && modules.iter().any(|other| is_source(other) && stem(other) == owner)
}
