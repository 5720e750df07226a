//! Which lines the tests execute (`--cover`).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::vm::{CoveredModule, LineCounts};
use log_format::safe_path;

use super::find::{Found, Kind, Unit};
use super::load::Loading;
use crate::project::tidy;
use crate::report::{plural, tell};

/// Limit: characters of a list of lines.
const LONGEST: usize = 60;

/// Counts for the project's own modules, without its tests.
pub fn counts(found: &Found) -> Arc<LineCounts> {
    let folders = folders(found);
    Arc::new(LineCounts::new(move |file| is_covered(Path::new(file), &folders)))
}

fn folders(found: &Found) -> Vec<PathBuf> {
    let own: Vec<_> = found.applications.iter().filter(|one| one.is_own).collect();
    if own.is_empty() {
        let is_of_tests = |folder: &PathBuf| folder.file_name() == Some(OsStr::new("test"));
        return found
            .sources
            .iter()
            .filter(|folder| !is_of_tests(folder))
            .cloned()
            .map(tidy)
            .collect();
    }
    own.iter()
        .flat_map(|one| {
            let tests: Vec<PathBuf> = one.tests.iter().map(|folder| tidy(one.root.join(folder))).collect();
            let is_of_tests = move |folder: &PathBuf| tests.iter().any(|tests| folder.starts_with(tests));
            one.sources
                .iter()
                .cloned()
                .map(tidy)
                .filter(move |folder| !is_of_tests(folder))
        })
        .collect()
}

fn is_covered(file: &Path, folders: &[PathBuf]) -> bool {
    let Some(stem) = file.file_stem().and_then(OsStr::to_str) else {
        return false;
    };
    let folder = tidy(file.parent().unwrap_or(Path::new("")).to_owned());
    !stem.ends_with("_tests") && !stem.ends_with("_SUITE") && folders.contains(&folder)
}

/// The lines of the project's own modules. Of a module that no test has called, no line was executed; one that does not compile is named.
pub fn of_project(found: &Found, loading: &Loading<'_>, counts: &LineCounts) -> Vec<CoveredModule> {
    let known: Vec<PathBuf> = counts
        .all()
        .into_iter()
        .map(|module| tidy(module.file.into()))
        .collect();
    for path in sources(&folders(found)) {
        if known.contains(&path) {
            continue;
        }
        let module = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let unit = Unit {
            module,
            path,
            kind: Kind::Unit,
            tests: Vec::new(),
            is_again: false,
        };
        if let Err(error) = loading.compile(&unit) {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            tell(&format!(
                "the lines of {} are not counted: {first}",
                safe_path(&unit.path)
            ));
        }
    }
    counts
        .all()
        .into_iter()
        .filter(|module| !module.lines.is_empty())
        .collect()
}

/// Says how many lines of each module were executed, and which were not.
pub fn tell_lines(modules: &[CoveredModule]) {
    if modules.is_empty() {
        tell("no lines were counted: the project has no modules of its own besides its tests");
        return;
    }
    modules.iter().for_each(|module| tell(&of_module(module)));
    let executed = modules.iter().map(CoveredModule::executed).sum();
    let all = modules.iter().map(|module| module.lines.len()).sum();
    let modules = plural(modules.len(), "module", "modules");
    tell(&format!("{} of {modules} were executed", share(executed, all)));
}

/// The modules in these folders.
fn sources(folders: &[PathBuf]) -> Vec<PathBuf> {
    let files = folders.iter().flat_map(|folder| {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
    });
    let mut files: Vec<PathBuf> = files
        .map(tidy)
        .filter(|path| path.extension() == Some(OsStr::new("erl")))
        .collect();
    files.retain(|path| is_covered(path, folders));
    files.sort_unstable();
    files
}

fn share(executed: usize, all: usize) -> String {
    // Only all of them are 100 %.
    let tenths = (executed * 1000).checked_div(all).unwrap_or(1000);
    format!("{}.{} % ({executed} of {all} lines)", tenths / 10, tenths % 10)
}

fn of_module(module: &CoveredModule) -> String {
    let missing = match ranges(&module.lines) {
        missing if missing.is_empty() => String::new(),
        missing => format!(", not {missing}"),
    };
    let file = safe_path(Path::new(&module.file));
    format!("{file}: {}{missing}", share(module.executed(), module.lines.len()))
}

/// The lines that were not executed: `7, 12-15`. Lines between two of them that cannot be executed do not part them.
fn ranges(lines: &BTreeMap<u32, u64>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut goes_on = false;
    for (&line, &count) in lines {
        match ranges.last_mut() {
            _ if count > 0 => {}
            Some((_, last)) if goes_on => *last = line,
            _ => ranges.push((line, line)),
        }
        goes_on = count == 0;
    }
    let mut text = String::new();
    for (at, (first, last)) in ranges.iter().enumerate() {
        let range = if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        };
        if text.len() + range.len() > LONGEST {
            return format!("{text} and {}", plural(ranges.len() - at, "more place", "more places"));
        }
        if !text.is_empty() {
            text += ", ";
        }
        text += &range;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_not_executed_are_named_in_ranges() {
        let lines = |all: &[(u32, u64)]| ranges(&all.iter().copied().collect());
        assert_eq!(lines(&[(1, 2), (4, 1)]), "");
        assert_eq!(lines(&[(1, 0), (4, 1), (5, 0), (9, 0), (12, 3)]), "1, 5-9");
        let many: Vec<(u32, u64)> = (0..200).map(|line| (line, u64::from(line % 2))).collect();
        assert!(lines(&many).ends_with("more places"), "{}", lines(&many));
    }

    #[test]
    fn only_all_lines_are_a_hundred_percent() {
        assert_eq!(share(1999, 2000), "99.9 % (1999 of 2000 lines)");
        assert_eq!(share(2, 2), "100.0 % (2 of 2 lines)");
    }
}
