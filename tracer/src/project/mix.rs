//! A project of mix, as far as its Erlang goes: `src` and `include` of the project, of `apps` in an umbrella, and of `deps`. `mix.exs` is a
//! program, so what it says is not known. Its Elixir is for `test::mix`.

use std::fs;
use std::path::Path;

use log_format::safe_path;

use crate::error::ConfigError;

use super::{Application, Project, entries, folders, has_extension, tidy};

/// The configuration.
pub const FILE: &str = "mix.exs";

/// What a configuration can say that matters here.
const SETTINGS: [&str; 3] = ["erlc_paths", "erlc_include_path", "erlc_options"];

/// Reads the project in a folder.
///
/// # Errors
/// The configuration cannot be read.
pub fn read(root: &Path) -> Result<Project, ConfigError> {
    let file = tidy(root.join(FILE));
    let text = fs::read(&file).map_err(|error| ConfigError::Unread {
        path: file.clone(),
        error,
    })?;
    let text = String::from_utf8_lossy(&text);
    let sources = ["src".to_owned()];
    let tests = [("test".to_owned(), false)];
    let mut applications = vec![Application::new(root, &sources, &tests, true)];
    applications.extend(
        folders(&root.join("apps"))
            .iter()
            .map(|folder| Application::new(folder, &sources, &tests, true)),
    );
    let mut notes = Vec::new();
    for setting in SETTINGS {
        if let Some(line) = text.lines().position(|line| line.contains(&format!("{setting}:"))) {
            notes.push(format!(
                "{}:{}: {setting} is not read; use -I and -D",
                safe_path(&file),
                line + 1
            ));
        }
    }
    notes.extend(about_elixir(root, &applications));
    for folder in folders(&root.join("deps")) {
        let library = Application::new(&folder, &sources, &[], false);
        if applications.iter().all(|other| other.name != library.name) {
            applications.push(library);
        }
    }
    applications.retain(|application| !application.sources.is_empty());
    Ok(Project {
        root: root.to_owned(),
        applications,
        notes,
        ..Project::default()
    })
}

/// What is not done of a project in Elixir: nothing of it where no Elixir is installed, and in another folder than its own.
fn about_elixir(root: &Path, applications: &[Application]) -> Vec<String> {
    let mut notes = Vec::new();
    let is_installed = !crate::elixir::all().is_empty();
    if is_installed && root == Path::new(".") {
        return notes;
    }
    let why = match is_installed {
        true => "tests in Elixir run in the folder of their mix.exs",
        false => "no Elixir is installed",
    };
    for own in applications {
        let tests = tidy(own.root.join("test"));
        let elixir = entries(&tests)
            .into_iter()
            .filter(|path| has_extension(path, "exs") && !path.ends_with("test_helper.exs"));
        let elixir: Vec<_> = elixir.collect();
        if let Some(first) = elixir.first() {
            let others = match elixir.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            notes.push(format!(
                "{why}; tests in Elixir are not run: {}{others}",
                safe_path(first)
            ));
        }
    }
    let lib = tidy(root.join("lib"));
    if notes.is_empty() && !is_installed && entries(&lib).iter().any(|path| has_extension(path, "ex")) {
        notes.push(format!("{why}; what is in {} cannot be called", safe_path(&lib)));
    }
    notes
}
