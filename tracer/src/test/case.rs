//! How tests ended, as the library's runners have told it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

use crate::exit::Exit;

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passed.
    Passed,
    /// It raised an exception.
    Failed,
    /// It was skipped on purpose.
    Skipped,
    /// It did not come to its end: its time was up, its process was ended, or its setup failed.
    Cancelled,
}

impl Status {
    /// Does it make the run a failed one?
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled)
    }
}

/// One test.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Case {
    /// Its name as a target: `bank_tests:transfer_test`, of a generated one with its line.
    pub name: String,
    /// Its module.
    pub module: String,
    /// Its function.
    pub function: String,
    /// The line that a generator gave it; 0: none.
    pub line: u64,
    /// Its description.
    pub description: String,
    /// How it ended.
    pub status: Status,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The class of the exception: error, exit or throw.
    pub class: String,
    /// The reason of the exception, or why it was cancelled or skipped, on one line.
    pub reason: String,
    /// The same as the runner prints it, with the stack.
    pub text: String,
    /// What it printed.
    pub output: String,
    /// The target that names it, if the trace has a note of it.
    #[serde(skip)]
    pub target: Option<String>,
    /// It stands for how the whole run ended.
    #[serde(skip)]
    pub is_of_the_run: bool,
    /// The shape of its causes, if it failed in one of several runs.
    #[serde(skip)]
    pub shape: Option<u64>,
}

impl Case {
    /// A test of which only the name is known.
    pub fn named(name: &str, status: Status, reason: &str) -> Self {
        let (module, rest) = name.split_once(':').unwrap_or((name, name));
        let (function, line) = match rest.rsplit_once(':') {
            Some((function, line)) if line.parse::<u64>().is_ok() => (function, line.parse().unwrap_or_default()),
            _ => (rest, 0),
        };
        Self {
            name: name.to_owned(),
            module: module.to_owned(),
            function: function.to_owned(),
            line,
            description: String::new(),
            status,
            milliseconds: 0,
            class: String::new(),
            reason: reason.to_owned(),
            text: reason.to_owned(),
            output: String::new(),
            target: None,
            is_of_the_run: false,
            shape: None,
        }
    }

    /// Did it fail, or was it cancelled?
    pub const fn has_failed(&self) -> bool {
        self.status.is_failure()
    }
}

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
}

impl Told {
    /// Takes in what a runner told.
    pub fn hear(&mut self, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match *words.as_slice() {
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

    /// A test that was cancelled and of which nobody has said why.
    fn cut_off(&mut self) -> Option<&mut Case> {
        let last = self.cases.last_mut();
        last.filter(|case| case.status == Status::Cancelled && case.reason == "undefined")
    }

    /// The tests of the run. `broken`: how it ended, if it did not end by itself; tests that were running then are cancelled.
    pub fn into_cases(mut self, module: &str, broken: Option<&str>) -> Vec<Case> {
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
        // Tests that a generator made can have the same name; of these, the name alone is the first that failed.
        let mut seen: BTreeMap<String, (u64, bool)> = BTreeMap::new();
        for case in &mut self.cases {
            if case.name.is_empty() {
                module.clone_into(&mut case.name);
                module.clone_into(&mut case.module);
            }
            let (number, has_failed) = seen.entry(case.name.clone()).or_default();
            *number += 1;
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

/// The run of one module.
#[derive(Clone, Debug)]
pub struct ModuleRun {
    /// The module.
    pub module: String,
    /// Its file.
    pub path: PathBuf,
    /// Its tests.
    pub cases: Vec<Case>,
    /// How the run ended.
    pub exit: Exit,
    /// The module, or one that it calls, does not compile.
    pub does_not_compile: bool,
    /// Its trace, if it is kept.
    pub trace: Option<PathBuf>,
    /// Why the trace, or a part of it, is lost.
    pub lost: Option<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl ModuleRun {
    /// Did a test fail, or the whole run?
    pub fn has_failed(&self) -> bool {
        self.cases.iter().any(Case::has_failed) || self.does_not_compile
    }

    /// How many tests ended so.
    pub fn count(&self, status: Status) -> usize {
        self.cases.iter().filter(|case| case.status == status).count()
    }

    /// The command that shows the causes of a failed test.
    pub fn why(&self, case: &Case) -> Option<String> {
        let trace = crate::report::shell(self.trace.as_deref()?);
        if !case.has_failed() {
            return None;
        }
        Some(match &case.target {
            Some(target) => format!("replay why {} {trace}", log_format::quoted(target.as_ref())),
            None => format!("replay why {trace}"),
        })
    }
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
        let cases = told.into_cases("m", Some("halted with status 0"));
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
        let cases = told.into_cases("m", None);
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
        let cases = told(&[&["began", "m:g_test_"], passed, failed, failed]).into_cases("m", None);
        let targets: Vec<Option<&str>> = cases.iter().map(|case| case.target.as_deref()).collect();
        assert_eq!(
            targets,
            [Some("test:m:g_test_"), Some("test:m:g_test_"), Some("test:m:g_test_/3")]
        );
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
        let cases = told.into_cases("m", None);
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
