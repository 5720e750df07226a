//! Tests that are named by a line of a generator, `pay_tests:all_test_:12`: where the test module has changed, the same test has another line.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use session::program::Sources;
use system::loader::Role;

/// The names of such tests in the changed program, and those that they had when recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestLines {
    /// By the recorded name.
    now: BTreeMap<String, String>,
    recorded: FxHashMap<String, String>,
    /// Recorded names of tests that are on no line of the changed program, as far as is known.
    lost: BTreeSet<String>,
}

impl TestLines {
    /// For the tests of a recorded run.
    pub(crate) fn of<'a>(tests: impl Iterator<Item = &'a String>, then: &Sources, now: &Sources) -> Self {
        let mut modules: FxHashMap<&str, Option<Vec<Option<usize>>>> = FxHashMap::default();
        let mut lines = Self::default();
        for name in tests {
            let Some((module, function, line)) = parts(name) else {
                continue;
            };
            let aligned = modules.entry(module).or_insert_with(|| {
                let (then, now) = (text_of(then, module)?, text_of(now, module)?);
                (then != now).then(|| alignment(&then, &now))
            });
            let place = aligned.as_ref().and_then(|all| *all.get(line.checked_sub(1)?)?);
            if aligned.is_some() && place.is_none() {
                lines.lost.insert(name.clone());
            }
            if let Some(place) = place.filter(|place| place + 1 != line) {
                let current = format!("{module}:{function}:{}", place + 1);
                lines.recorded.insert(current.clone(), name.clone());
                lines.now.insert(name.clone(), current);
            }
        }
        lines
    }

    /// A test of the changed program as it was named when recorded. Another one that has such a name now is not that one.
    pub(crate) fn as_recorded(&self, name: String) -> String {
        match self.recorded.get(&name) {
            Some(recorded) => recorded.clone(),
            None if self.now.contains_key(&name) || self.lost.contains(&name) => format!("{name} (as it is now)"),
            None => name,
        }
    }

    /// A word that selects tests, with the line that they have now.
    pub(crate) fn word(&self, word: &str) -> Option<String> {
        let (_, line) = word
            .rsplit_once(':')
            .filter(|(_, line)| line.parse::<usize>().is_ok())?;
        let (_, now) = self.now.iter().find(|(name, _)| name.ends_with(word))?;
        let (_, place) = now.rsplit_once(':')?;
        Some(format!("{}{place}", &word[..word.len() - line.len()]))
    }
}

/// The module, the function and the line of a name.
fn parts(name: &str) -> Option<(&str, &str, usize)> {
    let (rest, line) = name.rsplit_once(':')?;
    let (module, function) = rest.split_once(':')?;
    Some((module, function, line.parse().ok()?))
}

fn text_of(sources: &Sources, module: &str) -> Option<String> {
    let is_it = |role: &Role| matches!(role, Role::Module(name) if name == module);
    let source = sources.all().iter().find(|source| is_it(&source.role))?;
    Some(String::from_utf8_lossy(&source.text).into_owned())
}

/// For each line of a text, its place in another version of it: by what is the same before and after it, and by lines that there are once.
fn alignment(then: &str, now: &str) -> Vec<Option<usize>> {
    let (then, now): (Vec<&str>, Vec<&str>) = (
        then.lines().map(str::trim).collect(),
        now.lines().map(str::trim).collect(),
    );
    let before = then.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let rest = then[before..].iter().rev().zip(now[before..].iter().rev());
    let after = rest.take_while(|(a, b)| a == b).count();
    let (old, new) = (&then[before..then.len() - after], &now[before..now.len() - after]);
    let (once_old, once_new) = (once(old), once(new));
    let same = |line: &str| Some((*once_old.get(line)?, *once_new.get(line)?));
    // Between two lines that are the same, as many lines are the same ones, changed.
    let mut places: Vec<Option<usize>> = vec![None; old.len()];
    let (mut from, mut to) = (0, 0);
    let anchors = old.iter().filter_map(|line| same(line));
    for (i, j) in anchors.chain([(old.len(), new.len())]) {
        if j.checked_sub(to) == Some(i - from) {
            for (at, place) in (from..i).zip(to..) {
                places[at] = Some(before + place);
            }
        }
        if let Some(place) = places.get_mut(i) {
            *place = Some(before + j);
        }
        (from, to) = (i + 1, j + 1);
    }
    let start = (0..before).map(Some);
    let end = (0..after).map(|at| Some(now.len() - after + at));
    start.chain(places).chain(end).collect()
}

/// The places of the lines that there are once.
fn once<'a>(lines: &[&'a str]) -> FxHashMap<&'a str, usize> {
    let mut places: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (at, line) in lines.iter().enumerate() {
        let place = places.entry(line).or_insert((at, 0));
        place.1 += 1;
    }
    let found = places.into_iter().filter(|(_, (_, count))| *count == 1);
    found.map(|(line, (at, _))| (line, at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(then: &str, now: &str, line: usize) -> Option<usize> {
        alignment(then, now)[line - 1].map(|at| at + 1)
    }

    #[test]
    fn a_line_is_found_again_in_a_text_that_has_changed() {
        let then = "a\nb\nc\nd\n";
        assert_eq!(place(then, "a\nx\ny\nb\nc\nd\n", 3), Some(5));
        assert_eq!(place(then, "a\nb\nC\nd\n", 3), Some(3));
        assert_eq!(place(then, "a\nx\nb\nC\nd\n", 3), Some(4));
        assert_eq!(place(then, "a\nb\nd\n", 3), None);
        assert_eq!(place(then, "d\nc\nb\na\n", 1), Some(4));
        assert_eq!(place(then, "", 1), None);
        // Which of two lines that are the same is not known.
        assert_eq!(place("a\nt\nt\nz\n", "a\nt\nz\n", 3), None);
    }

    #[test]
    fn a_test_has_its_recorded_name_and_a_word_selects_it() {
        let name = |text: &str| text.to_owned();
        let lines = TestLines {
            now: [(name("a_tests:all_test_:9"), name("a_tests:all_test_:14"))].into(),
            recorded: [(name("a_tests:all_test_:14"), name("a_tests:all_test_:9"))]
                .into_iter()
                .collect(),
            lost: [name("a_tests:all_test_:12")].into(),
        };
        assert_eq!(lines.as_recorded(name("a_tests:all_test_:14")), "a_tests:all_test_:9");
        assert_ne!(lines.as_recorded(name("a_tests:all_test_:9")), "a_tests:all_test_:9");
        assert_ne!(lines.as_recorded(name("a_tests:all_test_:12")), "a_tests:all_test_:12");
        assert_eq!(lines.as_recorded(name("a_tests:one_test")), "a_tests:one_test");
        assert_eq!(lines.word("all_test_:9").as_deref(), Some("all_test_:14"));
        assert_eq!(lines.word("a_tests:all_test_"), None);
    }
}
