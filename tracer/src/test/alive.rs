//! Tests that make their node alive: `net_kernel:start([NAME, …])` in a module of tests, or in one beside it that it names.

use std::fs;
use std::path::{Path, PathBuf};

use super::find::{Found, Kind, Unit};
use super::mix::without_lines;
use super::words::for_runner;
use crate::project::{entries, folders};

/// Limit: bytes of a source that are looked at.
const LONGEST: usize = 1 << 22;

/// The name that tests give their node. `only`: texts in the names of those that run.
pub fn of(unit: &Unit, found: &Found, only: &[String]) -> Option<String> {
    match unit.kind {
        Kind::Mix => in_scripts(&found.words, &for_runner(only)),
        Kind::Unit | Kind::Suite => name(&unit.path, &found.sources),
    }
}

/// The first name that a node is given in the files and folders of tests among these words, or else in all of the project. A file of other tests than those
/// that run does not count.
fn in_scripts(words: &[String], only: &[String]) -> Option<String> {
    let named = words.iter().map(|word| PathBuf::from(without_lines(word)));
    let mut files: Vec<PathBuf> = named.filter(|path| path.exists()).collect();
    if files.is_empty() {
        let apps = folders(Path::new("apps")).into_iter().map(|app| app.join("test"));
        files = apps.chain([PathBuf::from("test")]).collect();
    }
    let helper = files
        .first()
        .and_then(|file| file.ancestors().find(|folder| folder.ends_with("test")));
    let beside: Vec<PathBuf> = helper
        .into_iter()
        .flat_map(|test| [test.join("test_helper.exs"), test.join("support")])
        .collect();
    let of_tests = files.iter().find_map(|file| in_script(file, only, 0));
    of_tests.or_else(|| beside.iter().find_map(|file| in_script(file, &[], 0)))
}

/// Has a file a test with one of these texts in its name? What is before it, `Module:test `, is not in one piece there.
fn is_about(text: &str, only: &[String]) -> bool {
    let part = |word: &String| {
        let name = word.rsplit(':').next().unwrap_or(word);
        text.contains(name.strip_prefix("test ").unwrap_or(name))
    };
    only.is_empty() || only.iter().any(part)
}

/// Limit: folders in folders that are looked into.
const DEEPEST: usize = 12;

fn in_script(path: &Path, only: &[String], depth: usize) -> Option<String> {
    if path.is_dir() && depth < DEEPEST {
        return entries(path).iter().find_map(|path| in_script(path, only, depth + 1));
    }
    let is_elixir = path.extension().is_some_and(|kind| kind == "exs" || kind == "ex");
    let text = is_elixir.then(|| read(path)).flatten();
    text.filter(|text| is_about(text, only))
        .and_then(|text| started_in_elixir(&text))
}

/// The atom in `:net_kernel.start([NAME` or `Node.start(NAME`, outside of comments.
fn started_in_elixir(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let code = line.split('#').next().unwrap_or_default();
        let starts = [":net_kernel.start(", "Node.start("];
        let (_, rest) = starts.iter().find_map(|start| code.split_once(start))?;
        let rest = rest
            .trim_start()
            .trim_start_matches('[')
            .trim_start()
            .strip_prefix(':')?;
        let name: String = match rest.strip_prefix('"') {
            Some(quoted) => quoted.chars().take_while(|&c| c != '"').collect(),
            None => {
                let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '@');
                rest.chars().take_while(is_part).collect()
            }
        };
        system::long_name(&whole(&name)).is_ok().then_some(name)
    })
}

/// The name that a module of tests, or its MODULE_tests, gives its node.
fn name(path: &Path, folders: &[PathBuf]) -> Option<String> {
    let companion = format!("{}_tests.erl", path.file_stem()?.to_str()?);
    let companions = folders.iter().map(|folder| folder.join(&companion));
    std::iter::once(path.to_owned())
        .chain(companions)
        .find_map(|path| name_in(&path, folders))
}

fn name_in(path: &Path, folders: &[PathBuf]) -> Option<String> {
    let text = read(path)?;
    if let Some(name) = started(&text) {
        return Some(name);
    }
    // Helpers of tests are beside them.
    let folder = path.parent()?;
    if !folders.iter().any(|other| other == folder) || folder.ends_with("src") {
        return None;
    }
    let mut beside: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    beside.sort();
    beside.iter().filter(|other| *other != path).find_map(|other| {
        let module = other.file_stem()?.to_str()?;
        let is_module = other.extension().is_some_and(|extension| extension == "erl");
        let is_named = is_module && names(&text, module);
        is_named.then(|| started(&read(other)?)).flatten()
    })
}

/// Is the module named in the text: called, included in a list, …?
fn names(text: &str, module: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    text.match_indices(module).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + module.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

fn read(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok().filter(|bytes| bytes.len() <= LONGEST)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The atom in `net_kernel:start([NAME`, outside of comments.
fn started(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let code = line.split('%').next().unwrap_or_default();
        let (_, rest) = code.split_once("net_kernel:start(")?;
        let rest = rest.trim_start().trim_start_matches('[').trim_start();
        let name: String = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.chars().take_while(|&c| c != '\'').collect(),
            None => {
                let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '@');
                rest.chars().take_while(is_part).collect()
            }
        };
        let is_atom = rest.starts_with('\'') || name.starts_with(|c: char| c.is_lowercase());
        (is_atom && system::long_name(&whole(&name)).is_ok()).then_some(name)
    })
}

/// With the name of this host, as OTP has it for short names.
pub fn whole(name: &str) -> String {
    if name.contains('@') {
        return name.to_owned();
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let short = host.trim().split('.').next().unwrap_or_default();
    let is_host = !short.is_empty() && short.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    format!("{name}@{}", if is_host { short } else { "localhost" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_node_is_found_in_the_text() {
        assert_eq!(
            started("  {ok, _} = net_kernel:start([here, shortnames])").as_deref(),
            Some("here")
        );
        assert_eq!(started("net_kernel:start(['a@b.c'])").as_deref(), Some("a@b.c"));
        assert_eq!(started("% net_kernel:start([here])"), None);
        assert_eq!(started("net_kernel:start([Name, shortnames])"), None);
        for (text, name) in [
            (
                "    {:ok, _} = :net_kernel.start([:primary, :shortnames])",
                Some("primary"),
            ),
            ("Node.start(:\"a@127.0.0.1\", :longnames)", Some("a@127.0.0.1")),
            ("# :net_kernel.start([:primary])", None),
            ("Node.start(name)", None),
        ] {
            assert_eq!(started_in_elixir(text).as_deref(), name, "{text}");
        }
        let only = |word: &str| is_about("test \"pays\" do", &[word.to_owned()]);
        assert!(only("ShopTest:test pays") && only("pays") && !only("ShopTest:test packs"));
        assert!(names("x() -> helper:f().", "helper"));
        assert!(!names("x() -> my_helper:f().", "helper"));
    }
}
