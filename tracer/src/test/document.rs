//! Reports for programs: JSON and JUnit.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use interpreter::vm::CoveredModule;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::case::{Alone, Case, ModuleRun, Status};
use super::{Format, TestArgs};
use crate::error::OutputError;

/// Writes the report, if one was asked for.
///
/// # Errors
/// It cannot be written.
pub fn write(
    args: &TestArgs,
    runs: &[ModuleRun],
    without: &[String],
    covered: Option<&[CoveredModule]>,
) -> Result<(), OutputError> {
    match wanted(args) {
        Format::Text => Ok(()),
        Format::Json => hand_out(args, &json(runs, without, covered)?),
        Format::Junit => hand_out(args, &junit(runs)?),
    }
}

/// What the report is: what was asked for, or what the name of its file says.
pub(super) fn wanted(args: &TestArgs) -> Format {
    if args.junit.is_some() {
        return Format::Junit;
    }
    match &args.output {
        None => args.format,
        Some(path) if path.extension().is_some_and(|extension| extension == "xml") => Format::Junit,
        Some(_) => Format::Json,
    }
}

/// Writes a report to its file, or to standard output.
pub(super) fn hand_out(args: &TestArgs, text: &str) -> Result<(), OutputError> {
    if let Some(path) = args.junit.as_ref().or(args.output.as_ref()) {
        return save(path, text).map_err(|error| OutputError::ReportFile {
            path: path.clone(),
            error,
        });
    }
    match std::io::stdout().write_all(text.as_bytes()) {
        // Whoever read it has seen enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(OutputError::Report(error)),
        _ => Ok(()),
    }
}

/// The old report stays until the new one is complete.
fn save(path: &Path, text: &str) -> std::io::Result<()> {
    let file = log_format::NewFile::for_all(path)?;
    file.handle()?.write_all(text.as_bytes())?;
    file.keep()
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tests: usize,
    passed: usize,
    failed: usize,
    cancelled: usize,
    skipped: usize,
    not_run: usize,
    modules: Vec<Module<'a>>,
    /// Modules that were looked at.
    modules_without_tests: &'a [String],
    /// With `--cover`.
    #[serde(skip_serializing_if = "Option::is_none")]
    covered: Option<Vec<Covered<'a>>>,
}

/// The lines of a module that can be executed, and how often each was.
#[derive(Serialize)]
struct Covered<'a> {
    module: &'a str,
    file: &'a str,
    lines: &'a std::collections::BTreeMap<u32, u64>,
}

impl<'a> Covered<'a> {
    fn of(module: &'a CoveredModule) -> Self {
        Self {
            module: &module.module,
            file: &module.file,
            lines: &module.lines,
        }
    }
}

#[derive(Serialize)]
struct Module<'a> {
    module: &'a str,
    file: String,
    compiles: bool,
    seconds: f64,
    trace: Option<String>,
    trace_problem: Option<&'a str>,
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    #[serde(flatten)]
    case: &'a Case,
    /// The trace of a run of this test alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    /// The command that shows the causes.
    why: Option<String>,
}

fn json(runs: &[ModuleRun], without: &[String], covered: Option<&[CoveredModule]>) -> Result<String, OutputError> {
    let count = |status| runs.iter().map(|run| run.count(status)).sum();
    let document = Document {
        version: 1,
        tests: runs.iter().map(|run| run.cases.len()).sum(),
        passed: count(Status::Passed),
        failed: count(Status::Failed),
        cancelled: count(Status::Cancelled),
        skipped: count(Status::Skipped),
        not_run: count(Status::NotRun),
        modules: runs.iter().map(module).collect(),
        modules_without_tests: without,
        covered: covered.map(|all| all.iter().map(Covered::of).collect()),
    };
    let text = serde_json::to_string_pretty(&document)?;
    Ok(text + "\n")
}

fn module(run: &ModuleRun) -> Module<'_> {
    let test = |case| Test {
        case,
        trace: match &case.alone {
            Some(Alone::Fails(path)) => Some(path.to_string_lossy().into_owned()),
            _ => None,
        },
        why: run.why(case),
    };
    Module {
        module: &run.module,
        file: run.path.to_string_lossy().into_owned(),
        compiles: !run.does_not_compile,
        seconds: run.seconds,
        trace: run.trace.as_ref().map(|path| path.to_string_lossy().into_owned()),
        trace_problem: run.lost.as_deref(),
        tests: run.cases.iter().map(test).collect(),
    }
}

/// JUnit as Jenkins reads it: a suite for each module. A failed assertion is a `failure`; another exception and a cancelled test are an `error`,
/// so that no cancelled test looks like one that was left out on purpose.
fn junit(runs: &[ModuleRun]) -> Result<String, OutputError> {
    let mut report = Report::new("tracer test");
    for run in runs.iter().filter(|run| !run.cases.is_empty()) {
        let mut suite = TestSuite::new(run.module.as_str());
        suite.set_time(Duration::from_secs_f64(run.seconds));
        if let Some(trace) = &run.trace {
            suite.add_property(("trace", &*trace.to_string_lossy()));
        }
        suite.add_test_cases(run.cases.iter().map(|case| junit_case(run, case)));
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn junit_case(run: &ModuleRun, case: &Case) -> TestCase {
    let status = match case.status {
        Status::Passed => TestCaseStatus::success(),
        Status::Skipped | Status::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(case.reason.as_str());
            status
        }
        Status::Failed | Status::Cancelled => {
            let starts = ["{assert", "** (ExUnit.AssertionError)"];
            let is_assertion = case.class == "error" && starts.iter().any(|start| case.reason.starts_with(start));
            let mut status = TestCaseStatus::non_success(match is_assertion {
                true => NonSuccessKind::Failure,
                false => NonSuccessKind::Error,
            });
            status.set_message(case.reason.as_str());
            status.set_type(if case.class.is_empty() {
                "cancelled"
            } else {
                case.class.as_str()
            });
            let why = run
                .why(case)
                .map(|command| format!("\n{command}\n"))
                .unwrap_or_default();
            status.set_description(format!("{}{why}", case.text));
            status
        }
    };
    let mut name = match case.line {
        0 => case.function.clone(),
        line => format!("{}:{line}", case.function),
    } + &case.ordinal();
    if !case.description.is_empty() {
        name += &format!(" ({})", case.description);
    }
    let mut test = TestCase::new(name, status);
    test.set_classname(case.module.as_str());
    test.set_time(Duration::from_millis(case.milliseconds));
    if !case.output.is_empty() {
        test.set_system_out(case.output.as_str());
    }
    test
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> ModuleRun {
        let mut passed = Case::named("m:a_test", Status::Passed, "");
        passed.milliseconds = 1500;
        passed.output = "<b>&\u{1b}[1m".to_owned();
        let mut failed = Case::named("m:b_test_:7", Status::Failed, "{assertEqual,[{line,7}]}");
        failed.class = "error".to_owned();
        failed.description = "second".to_owned();
        failed.target = Some("test:m:b_test_:7".to_owned());
        let mut skipped = Case::named("m:c", Status::Skipped, "not here");
        skipped.line = 0;
        ModuleRun {
            module: "m".to_owned(),
            path: "src/m.erl".into(),
            planned: Vec::new(),
            cases: vec![
                passed,
                failed,
                Case::named("m:d_test", Status::Cancelled, "timeout"),
                skipped,
            ],
            others: Vec::new(),
            meant: Vec::new(),
            exit: crate::exit::Exit::TestsFailed,
            does_not_compile: false,
            trace: Some("_traces/m-00000001.trace".into()),
            lost: None,
            order: None,
            seconds: 2.0,
        }
    }

    #[test]
    fn junit_is_what_jenkins_reads() {
        let text = junit(&[run()]).unwrap();
        for part in [
            r#"<testsuites name="tracer test" tests="4" skipped="1" failures="1" errors="1">"#,
            r#"<testsuite name="m" tests="4" skipped="1" errors="1" failures="1" time="2.000">"#,
            r#"<property name="trace" value="_traces/m-00000001.trace"/>"#,
            r#"<testcase name="a_test" classname="m" time="1.500">"#,
            "<system-out>&lt;b&gt;&amp;</system-out>",
            r#"<testcase name="b_test_:7 (second)" classname="m" time="0.000">"#,
            r#"<failure message="{assertEqual,[{line,7}]}" type="error">"#,
            "replay why test:m:b_test_:7 _traces/m-00000001.trace",
            r#"<error message="timeout" type="cancelled">"#,
            r#"<skipped message="not here"/>"#,
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn json_counts_and_names_commands() {
        let value: serde_json::Value = serde_json::from_str(&json(&[run()], &[], None).unwrap()).unwrap();
        assert_eq!(value["tests"], 4);
        assert_eq!((&value["failed"], &value["cancelled"]), (&1.into(), &1.into()));
        let tests = &value["modules"][0]["tests"];
        assert_eq!(tests[1]["why"], "replay why test:m:b_test_:7 _traces/m-00000001.trace");
        assert_eq!(tests[0]["why"], serde_json::Value::Null);
        assert_eq!(tests[1]["status"], "failed");
    }
}
