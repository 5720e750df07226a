//! Applications that a project needs: what was fetched, checked out, or is named by the environment.

use std::path::{Path, PathBuf};

use syntax::ast::Expr;

use super::rebar::{Config, note_each};
use crate::error::ConfigError;

use super::{Application, Project, folders, tidy};

/// Where they are. A checkout comes before what was fetched.
pub const PLACES: [&str; 4] = ["_checkouts", "_build/test/lib", "_build/default/lib", "deps"];

/// Adds the applications that the project does not have itself. Of several with one name, the first counts.
///
/// # Errors
/// A configuration cannot be read.
pub fn add(project: &mut Project, overrides: &[Expr]) -> Result<(), ConfigError> {
    let root = project.root.clone();
    let mut all: Vec<PathBuf> = PLACES.iter().flat_map(|place| folders(&root.join(place))).collect();
    // Other profiles, and what `ERL_LIBS` names, as for `erl`.
    all.extend(
        folders(&root.join("_build"))
            .iter()
            .flat_map(|profile| folders(&profile.join("lib"))),
    );
    all.extend(of_environment().iter().flat_map(|folder| folders(folder)));
    all.extend(of_flags(&root));
    for folder in all {
        let mut config = Config::read(&folder)?;
        let called = super::last(&folder).unwrap_or_default();
        config.overridden(overrides, called.split('-').next().unwrap_or_default());
        let compiled = config.compiler(false);
        let mut sources = [config.texts("src_dirs"), compiled.sources].concat();
        if sources.is_empty() {
            sources.push("src".to_owned());
        }
        let mut application = Application::new(&folder, &sources, &[], false);
        if application.name.is_empty() || project.applications.iter().any(|other| other.name == application.name) {
            continue;
        }
        application.options = compiled.options;
        application.generators = ["xrl_opts", "yrl_opts"].map(|key| config.generator(key));
        note_each(project, compiled.unknown);
        note_each(project, config.script.into_iter().collect());
        application
            .includes
            .extend(compiled.includes.into_iter().map(|path| tidy(folder.join(path))));
        project.applications.push(application);
    }
    Ok(())
}

/// The folders of `ERL_LIBS`, without those of an installed OTP, which have their own rules.
fn of_environment() -> Vec<PathBuf> {
    let Some(value) = std::env::var_os("ERL_LIBS") else {
        return Vec::new();
    };
    let is_otp = |folder: &Path| folders(folder).iter().any(|one| is_kernel(one));
    std::env::split_paths(&value)
        .filter(|folder| !folder.as_os_str().is_empty() && !is_otp(folder))
        .collect()
}

/// The applications whose `ebin` is named by `-pa` or `-pz` in the flags of the emulator.
fn of_flags(root: &Path) -> Vec<PathBuf> {
    let flags = ["ERL_AFLAGS", "ERL_FLAGS", "ERL_ZFLAGS"].map(|name| std::env::var(name).unwrap_or_default());
    let words: Vec<String> = flags
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(str::to_owned)
        .collect();
    let mut named = Vec::new();
    let mut is_path = false;
    for word in &words {
        match word.strip_prefix('-') {
            Some(flag) => is_path = flag == "pa" || flag == "pz",
            None if is_path => named.push(root.join(word)),
            None => {}
        }
    }
    // A folder of sources, or the `ebin` beside one.
    named
        .into_iter()
        .filter_map(|folder| match folder.ends_with("ebin") {
            true => folder.parent().map(Path::to_path_buf),
            false => Some(folder),
        })
        .filter(|folder| folder.is_dir())
        .collect()
}

fn is_kernel(folder: &Path) -> bool {
    folder
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("kernel-"))
}
