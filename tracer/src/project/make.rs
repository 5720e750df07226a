//! A project of erlang.mk: `src`, `test` and `include`, with what it needs in `deps`. Of its `Makefile`, which is a program, the plain lines are
//! read: what it needs, and macros.

use std::fs;
use std::path::Path;

use log_format::{CompileOption, safe_path};

use crate::error::ConfigError;

use super::{Project, rebar, tidy};

/// What makes a folder a project of this kind.
pub const FILE: &str = "erlang.mk";

/// Reads the project in a folder.
///
/// # Errors
/// A configuration of an application that it needs cannot be read.
pub fn read(root: &Path) -> Result<Project, ConfigError> {
    let mut project = rebar::read(root)?;
    let file = tidy(root.join("Makefile"));
    let Ok(bytes) = fs::read(&file) else {
        return Ok(project);
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    for (line, key, value) in assignments(&text) {
        match key {
            "DEPS" | "TEST_DEPS" => {
                for name in value.split_whitespace().filter(|name| !name.contains('$')) {
                    if project.applications.iter().all(|one| one.name != name) {
                        let place = safe_path(&file);
                        project.notes.push(format!(
                            "{place}:{line}: {name} is not in deps; `make test-deps` fetches it"
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    let macros = macros(&text);
    for own in project.applications.iter_mut().filter(|one| one.is_own) {
        own.options.extend(macros.iter().cloned());
    }
    Ok(project)
}

/// The macros of a test build: there `TEST_ERLC_OPTS` takes the place of `ERLC_OPTS` (`test-build` of erlang.mk), which it may name.
fn macros(text: &str) -> Vec<CompileOption> {
    let words = |key: &str| -> Vec<String> {
        let of_key = assignments(text).into_iter().filter(|(_, other, _)| *other == key);
        of_key
            .flat_map(|(.., value)| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let all = words("TEST_ERLC_OPTS")
        .into_iter()
        .flat_map(|word| match word.as_str() {
            "$(ERLC_OPTS)" | "${ERLC_OPTS}" => words("ERLC_OPTS"),
            _ => vec![word],
        });
    all.filter_map(|word| word.strip_prefix("-D").map(CompileOption::define))
        .collect()
}

/// Lines `KEY = VALUE`, `KEY += VALUE` and their like, with their numbers. A line that ends with `\\` goes on in the next.
fn assignments(text: &str) -> Vec<(usize, &str, String)> {
    let mut all: Vec<(usize, &str, String)> = Vec::new();
    let mut goes_on = false;
    for (at, line) in text.lines().enumerate() {
        let (content, more) = match line.strip_suffix('\\') {
            Some(content) => (content, true),
            None => (line, false),
        };
        if goes_on {
            if let Some((_, _, value)) = all.last_mut() {
                value.push(' ');
                value.push_str(content);
            }
        } else if let Some((key, value)) = content.split_once('=') {
            let key = key.trim_end_matches(['+', ':', '?']).trim();
            let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            if !is_key || line.starts_with('\t') {
                continue;
            }
            all.push((at + 1, key, value.to_owned()));
        } else {
            continue;
        }
        goes_on = more;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_of_a_makefile_are_read() {
        let text = "PROJECT = a\nDEPS = b \\\n  c\nTEST_DEPS += d\nall:\n\tX=1 make\nERLC_OPTS += -DNEW=1\n";
        let wanted = [
            (1, "PROJECT", " a".to_owned()),
            (2, "DEPS", " b    c".to_owned()),
            (4, "TEST_DEPS", " d".to_owned()),
            (7, "ERLC_OPTS", " -DNEW=1".to_owned()),
        ];
        assert_eq!(assignments(text), wanted);
    }

    #[test]
    fn a_test_build_has_options_of_its_own() {
        let defined = |names: &[&str]| names.iter().map(|name| CompileOption::define(name)).collect::<Vec<_>>();
        let text = "ERLC_OPTS = +debug_info -DGRACE=1\nTEST_ERLC_OPTS = -DGRACE=0 \\\n -DT\n";
        assert_eq!(macros(text), defined(&["GRACE=0", "T"]));
        let both = "TEST_ERLC_OPTS += $(ERLC_OPTS) -DT\nERLC_OPTS += -DGRACE=1\n";
        assert_eq!(macros(both), defined(&["GRACE=1", "T"]));
        assert_eq!(macros("ERLC_OPTS = -DA\n"), []);
    }
}
