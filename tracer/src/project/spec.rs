//! Test specifications of Common Test: which suites, groups and test cases run, and which are skipped.

use std::path::{Path, PathBuf};

use log_format::safe_path;
use syntax::ast::Expr;

use super::settings::{OF_OUTPUT, absolute, several};
use super::terms::{atom, list, source, text, tuple};
use super::{Chosen, Settings, entries, tidy};

/// Reads a specification. What of it is not done is added to the notes.
pub fn add(root: &Path, file: &str, settings: &mut Settings, notes: &mut Vec<String>) {
    let path = tidy(root.join(file));
    let terms = std::fs::read(&path).map_err(|error| error.to_string());
    let terms = terms.and_then(|bytes| syntax::parse_terms(&bytes).map_err(|error| error.to_string()));
    let terms = match terms {
        Ok(terms) => terms,
        Err(error) => {
            notes.push(format!("cannot read the specification {}: {error}", safe_path(&path)));
            return;
        }
    };
    settings.is_specified = true;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut aliases: Vec<(&str, PathBuf)> = Vec::new();
    for term in &terms {
        if let [key, name, place] = tuple(term)
            && atom(key) == Some("alias")
            && let (Some(name), Some(place)) = (atom(name), text(place))
        {
            aliases.push((name, folder.join(place)));
        }
    }
    let place = |term: &Expr| match atom(term) {
        Some(name) => aliases
            .iter()
            .find(|(alias, _)| *alias == name)
            .map(|(_, place)| place.clone()),
        None => text(term).map(|place| tidy(folder.join(place))),
    };
    for term in &terms {
        let done = match (tuple(term).first().and_then(atom), tuple(term)) {
            (Some("alias"), _) => Some(()),
            (Some("config"), [_, files]) => {
                settings
                    .configs
                    .extend(several(files).iter().map(|file| absolute(&folder, file)));
                Some(())
            }
            (Some("ct_hooks"), [_, hooks]) => {
                source(hooks).map(|hooks| settings.suite_words.push(format!("ct_hooks={hooks}")))
            }
            (Some("suites" | "skip_suites"), [key, of, suites, ..]) => place(of).and_then(|of| {
                let comment = tuple(term).get(3).map_or(Some(String::new()), source)?;
                for suite in named(&of, suites)? {
                    let what = match atom(key) {
                        Some("suites") => "all".to_owned(),
                        _ => format!("{{skip,all,{comment}}}"),
                    };
                    settings.chosen.push(Chosen { suite, what });
                }
                Some(())
            }),
            (Some(key @ ("groups" | "cases" | "skip_groups" | "skip_cases")), [_, of, suite, which, rest @ ..]) => {
                place(of).and_then(|of| {
                    let suite = of.join(format!("{}.erl", text(suite)?));
                    let rest: Option<Vec<String>> = rest.iter().map(source).collect();
                    let parts = [vec![key.to_owned(), source(which)?], rest?].concat();
                    let what = format!("{{{}}}", parts.join(","));
                    settings.chosen.push(Chosen { suite, what });
                    Some(())
                })
            }
            (Some(key), _) if OF_OUTPUT.contains(&key) => Some(()),
            _ => None,
        };
        if done.is_none() {
            let what = super::terms::shown(tuple(term).first().unwrap_or(term));
            notes.push(format!("{}:{}: {what} is not applied", safe_path(&path), term.loc.line));
        }
    }
}

/// The files of `all`, a suite or a list of them.
fn named(folder: &Path, suites: &Expr) -> Option<Vec<PathBuf>> {
    let file = |name: &str| folder.join(format!("{name}.erl"));
    match atom(suites) {
        Some("all") => {
            let is_suite = |path: &PathBuf| path.to_string_lossy().ends_with("_SUITE.erl");
            Some(entries(folder).into_iter().filter(is_suite).collect())
        }
        Some(name) => Some(vec![file(name)]),
        None => list(suites).iter().map(|suite| atom(suite).map(file)).collect(),
    }
}
