//! What the library's runners tell while a run goes on, and the tests that come of it.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, Status};

/// What is known of a run while it goes on.
#[derive(Clone, Debug, Default)]
pub struct Told {
    cases: Vec<Case>,
    /// Names of tests that have begun and not ended.
    running: BTreeSet<String>,
    /// Names of failures noted in the trace, the first first, that no case stands for yet.
    noted: Vec<String>,
    /// All names that the trace has notes of.
    names: BTreeSet<String>,
    /// Tests that the runner will come to.
    planned: Vec<String>,
    /// The seed of the order of the tests, in Elixir.
    seed: Option<u64>,
    /// ExUnit has come to the end of its tests.
    finished: bool,
    /// The files of failed tests in Elixir.
    files: BTreeMap<String, String>,
    /// What a function that ran aside has made, or why not.
    made: Option<(bool, String)>,
    /// Names of tests that were left out because of `-k`.
    others: BTreeSet<String>,
    /// Words of `-k` that are in descriptions of groups.
    meant: BTreeSet<String>,
}

impl Told {
    /// Takes in what a runner told.
    pub fn hear(&mut self, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match *words.as_slice() {
            ["planned", ref tests @ ..] => self.planned.extend(tests.iter().map(|&test| test.to_owned())),
            ["made", kind, text] => self.made = Some((kind == "ok", text.to_owned())),
            ["seed", seed] => {
                self.seed = seed.parse().ok();
                self.finished = false;
            }
            ["finished"] => self.finished = true,
            ["other", name] => {
                self.others.insert(name.to_owned());
            }
            ["meant", word] => {
                self.meant.insert(word.to_owned());
            }
            ["file", name, file] => {
                self.files.insert(name.to_owned(), file.to_owned());
            }
            ["began", name] => {
                self.names.insert(name.to_owned());
                self.running.insert(name.to_owned());
            }
            ["failed", name] => {
                self.names.insert(name.to_owned());
                self.running.remove(name);
                self.noted.push(name.to_owned());
            }
            ["passed" | "skipped", name] => {
                self.running.remove(name);
            }
            ["test", status, name, description, time, class, reason, text, output] => {
                let status = match status {
                    "passed" => Status::Passed,
                    "skipped" => Status::Skipped,
                    "cancelled" => Status::Cancelled,
                    _ => Status::Failed,
                };
                self.running.remove(name);
                self.noted.retain(|noted| noted != name);
                let mut case = Case::named(name, status, reason);
                // EUnit gives the only test of a module the module's description.
                if !is_title(description) {
                    description.clone_into(&mut case.description);
                }
                case.milliseconds = time.parse().unwrap_or_default();
                class.clone_into(&mut case.class);
                text.clone_into(&mut case.text);
                output.clone_into(&mut case.output);
                self.cases.push(case);
            }
            ["group", _, reason, text] if self.cut_off().is_some() => {
                // The process of a test was ended: EUnit cancels the test without a word, and says why for the group around it.
                if let Some(case) = self.cut_off() {
                    reason.clone_into(&mut case.reason);
                    text.clone_into(&mut case.text);
                }
            }
            ["group", description, reason, text] => {
                let name = match self.noted.is_empty() {
                    true => description.to_owned(),
                    false => self.noted.remove(0),
                };
                let mut case = Case::named(&name, Status::Cancelled, reason);
                description.clone_into(&mut case.description);
                text.clone_into(&mut case.text);
                self.cases.push(case);
            }
            // What a later library tells is not lost silently: the run says how its tests ended in any case.
            _ => {}
        }
    }

    /// Names of tests that were left out, and words that are in descriptions of groups.
    pub fn others(&mut self) -> (Vec<String>, Vec<String>) {
        let all = |names: &mut BTreeSet<String>| std::mem::take(names).into_iter().collect();
        (all(&mut self.others), all(&mut self.meant))
    }

    /// Has a test begun, ended or failed?
    pub fn has_any(&self) -> bool {
        !self.names.is_empty() || !self.cases.is_empty()
    }

    /// What a function that ran aside has made, or why not.
    pub fn made(&mut self) -> Option<(bool, String)> {
        self.made.take()
    }

    /// The seed of the order of the tests, if their runner has told it.
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Has ExUnit come to the end of its tests?
    pub const fn has_finished(&self) -> bool {
        self.finished
    }

    /// Has a test failed?
    pub fn has_failed(&self) -> bool {
        self.cases.iter().any(Case::has_failed)
    }

    /// A test that was cancelled and of which nobody has said why.
    fn cut_off(&mut self) -> Option<&mut Case> {
        let last = self.cases.last_mut();
        last.filter(|case| case.status == Status::Cancelled && case.reason == "undefined")
    }

    /// Adds the tests that the run did not come to, if it ended early or a test took the others with it.
    fn add_not_run(&mut self, broken: Option<&str>) {
        let cut = self.cases.iter().find(|case| case.status == Status::Cancelled);
        let why = match (broken, cut) {
            (Some(how), _) => how.to_owned(),
            (None, Some(case)) => format!("{} was cancelled", case.name),
            (None, None) => return,
        };
        let is_of = |name: &str, test: &str| {
            let rest = name.strip_prefix(test);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        let has_run = |test: &String| {
            let told = self.cases.iter().any(|case| is_of(&case.name, test));
            told || self.names.iter().any(|name| is_of(name, test))
        };
        let last = self.planned.iter().rposition(has_run);
        // A generator may have made no tests: only those after the last test that began were surely not called.
        let is_left = |&(at, test): &(usize, &String)| {
            let is_generator = test.ends_with('_');
            !has_run(test) && (!is_generator || broken.is_some() && last.is_none_or(|last| at > last))
        };
        let left: Vec<String> = self
            .planned
            .iter()
            .enumerate()
            .filter(is_left)
            .map(|(_, test)| test.clone())
            .collect();
        for test in left {
            self.cases
                .push(Case::named(&test, Status::NotRun, &format!("not run: {why}")));
        }
    }

    /// The tests of the run. `broken`: how it ended, if it did not end by itself; tests that were running then are cancelled. `planned`: tests
    /// that it should have come to.
    pub fn into_cases(mut self, module: &str, broken: Option<&str>, planned: Vec<String>) -> Vec<Case> {
        for name in std::mem::take(&mut self.noted) {
            // Its runner had no time to say more.
            self.cases.push(Case::named(
                &name,
                Status::Failed,
                "the run ended before its runner could report it",
            ));
        }
        if let Some(how) = broken {
            for name in &self.running {
                let mut case = Case::named(name, Status::Cancelled, &format!("{how} while this test was running"));
                case.is_of_the_run = true;
                self.cases.push(case);
            }
            if self.running.is_empty() {
                let mut case = Case::named(module, Status::Cancelled, &format!("{how} while no test was running"));
                case.is_of_the_run = true;
                self.cases.push(case);
            }
        }
        self.planned.extend(planned);
        self.add_not_run(broken);
        let mut titles: BTreeSet<(String, String)> = BTreeSet::new();
        // Tests that a generator made can have the same name; of these, the name alone is the first that failed.
        let mut seen: BTreeMap<String, (u64, bool)> = BTreeMap::new();
        for case in &mut self.cases {
            if case.name.is_empty() {
                module.clone_into(&mut case.name);
                module.clone_into(&mut case.module);
            }
            let (number, has_failed) = seen.entry(case.name.clone()).or_default();
            *number += 1;
            case.number = *number;
            case.file = self.files.get(&case.name).cloned();
            case.is_repeated = !titles.insert((case.name.clone(), case.description.clone()));
            if self.names.contains(&case.name) && !case.is_of_the_run {
                case.target = Some(match *has_failed {
                    false => format!("test:{}", case.name),
                    true => format!("test:{}/{number}", case.name),
                });
            }
            *has_failed |= case.status.is_failure();
        }
        self.cases
    }
}

/// Is it the description that EUnit gives to a module: `module 'bank_tests'`?
fn is_title(description: &str) -> bool {
    let name = description
        .strip_prefix("module '")
        .and_then(|rest| rest.strip_suffix('\''));
    name.is_some_and(|name| !name.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(all: &[&[&str]]) -> Told {
        let mut told = Told::default();
        for words in all {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            told.hear(&words);
        }
        told
    }

    #[test]
    fn a_test_that_was_running_at_the_end_is_cancelled() {
        let told = told(&[
            &["began", "m:a_test"],
            &["passed", "m:a_test"],
            &["test", "passed", "m:a_test", "", "3", "", "", "", "out"],
            &["began", "m:b_test_:7"],
        ]);
        let cases = told.into_cases("m", Some("halted with status 0"), Vec::new());
        assert_eq!(cases.len(), 2);
        assert_eq!(
            (cases[0].status, cases[0].milliseconds, cases[0].output.as_str()),
            (Status::Passed, 3, "out")
        );
        assert_eq!(
            (cases[1].status, cases[1].function.as_str(), cases[1].line),
            (Status::Cancelled, "b_test_", 7)
        );
        assert_eq!(cases[1].target, None);
        assert_eq!(cases[1].reason, "halted with status 0 while this test was running");
    }

    #[test]
    fn tests_that_the_run_did_not_come_to_are_not_run() {
        let planned = ["m:g_test_", "m:a_test", "m:b_test", "m:c_test", "m:h_test_"]
            .map(str::to_owned)
            .to_vec();
        let begun: &[&[&str]] = &[&["began", "m:a_test"], &["passed", "m:a_test"], &["began", "m:b_test"]];
        let names = |cases: Vec<Case>| -> Vec<String> {
            let left = cases.into_iter().filter(|case| case.status == Status::NotRun);
            left.map(|case| case.name).collect()
        };
        let cases = told(begun).into_cases("m", Some("halted with status 3"), planned.clone());
        assert_eq!(
            cases.last().map(|case| case.reason.as_str()),
            Some("not run: halted with status 3")
        );
        // The first generator was called, and made nothing.
        assert_eq!(names(cases), ["m:c_test", "m:h_test_"]);
        let link: &[&str] = &["test", "cancelled", "m:b_test", "", "0", "", "{exit,oops}", "", ""];
        let all = [begun[0], begun[1], begun[2], link];
        assert_eq!(names(told(&all).into_cases("m", None, planned.clone())), ["m:c_test"]);
        assert_eq!(names(told(begun).into_cases("m", None, planned)), [""; 0]);
    }

    #[test]
    fn a_test_whose_process_was_ended_has_its_reason() {
        let told = told(&[
            &["began", "m:link_test"],
            &["failed", "m:link_test"],
            &[
                "test",
                "cancelled",
                "m:link_test",
                "",
                "0",
                "",
                "undefined",
                "*skipped*",
                "",
            ],
            &["group", "", "{exit,oops}", "*unexpected termination of test process*"],
            &["group", "", "{abort,later}", "later"],
        ]);
        let cases = told.into_cases("m", None, Vec::new());
        assert_eq!(
            (cases[0].name.as_str(), cases[0].reason.as_str()),
            ("m:link_test", "{exit,oops}")
        );
        assert_eq!(
            (cases[1].name.as_str(), cases[1].reason.as_str()),
            ("m", "{abort,later}")
        );
        assert_eq!(cases.len(), 2);
    }

    #[test]
    fn tests_of_one_name_are_told_apart() {
        let failed: &[&str] = &["test", "failed", "m:g_test_", "", "0", "error", "x", "", ""];
        let passed: &[&str] = &["test", "passed", "m:g_test_", "", "0", "", "", "", ""];
        let cases = told(&[&["began", "m:g_test_"], passed, failed, failed]).into_cases("m", None, Vec::new());
        let targets: Vec<Option<&str>> = cases.iter().map(|case| case.target.as_deref()).collect();
        assert_eq!(
            targets,
            [Some("test:m:g_test_"), Some("test:m:g_test_"), Some("test:m:g_test_/3")]
        );
        let names: Vec<String> = cases.iter().map(Case::distinct).collect();
        assert_eq!(names, ["m:g_test_", "m:g_test_/2", "m:g_test_/3"]);
    }

    #[test]
    fn a_failed_setup_takes_the_name_of_its_note() {
        let told = told(&[
            &["failed", "m:db_test_:setup"],
            &[
                "group",
                "with a database",
                "{setup_failed,x}",
                "*** context setup failed ***",
            ],
            &["failed", "m:late_test"],
        ]);
        let cases = told.into_cases("m", None, Vec::new());
        assert_eq!(cases[0].name, "m:db_test_:setup");
        assert_eq!(
            (cases[0].status, cases[0].description.as_str()),
            (Status::Cancelled, "with a database")
        );
        assert_eq!(
            (cases[1].name.as_str(), cases[1].status),
            ("m:late_test", Status::Failed)
        );
    }
}
