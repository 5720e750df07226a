//! Messages for people: crash reports as OTP's logger prints them, and how the run ended.

use log_format::ExitClass;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::otp::OtpName;
use interpreter::print;
use interpreter::term::Pid;
use system::observer::{ActionEvent, Ending, Observer};
use system::outside::has_unicode_output;
use system::process::ProcessActivity;
use system::recorder::FinishedTrace;
use system::{RunEnd, System, Tests, World};

use crate::exit::Exit;

/// Prints crash reports on standard error.
#[derive(Clone, Debug, Default)]
pub struct Reporter {
    /// The first crash of the entry process: class and reason, on one line.
    pub entry_crash: Option<(String, String)>,
    /// When the entry process ended, once it has.
    pub entry_ended: crate::lingering::Ended,
    /// Nothing is printed.
    is_silent: bool,
    /// What the library lacks and was already reported.
    told: BTreeSet<String>,
}

impl Observer for Reporter {
    type Log = ();
    fn born(&mut self, _: log_format::Pid, _: Option<&()>, _: u16) {}
    #[inline(always)]
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    fn missing(&mut self, (module, function, arity): (Atom, Atom, u8), known: OtpName) {
        let name = format!("{module}:{function}/{arity}");
        let text = match known {
            OtpName::Function(_) => format!("{name} of Erlang/OTP is not provided"),
            OtpName::Module(application) => {
                format!("{name}: the application {application} of Erlang/OTP is not provided")
            }
        };
        if self.told.insert(name) && !self.is_silent {
            tell(&format!("{text}; see docs/limitations.md"));
        }
    }
    #[inline(always)]
    fn plain_send(&mut self, (): &mut ()) -> bool {
        true
    }
    #[inline(always)]
    fn plain_rec(&mut self, (): &mut (), _: log_format::Tag) -> bool {
        true
    }
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        if ending.pid.0 == system::FIRST_PID {
            self.note_entry(ending);
        }
        let Some(when) = ending.when.as_ref().filter(|_| !self.is_silent) else {
            return;
        };
        let mut heap = Heap::new(ending.program.literals().clone());
        let reason = heap.import(ending.reason);
        {
            let style = print::Style::unicode(ending.program);
            let text = print::pretty(&heap, reason, &print::PrettyOptions::new(style));
            let node = ending.machine.local.node.as_str();
            let on = if node == system::NO_NODE {
                String::new()
            } else {
                format!(" on node {node}")
            };
            let report = format!(
                "=ERROR REPORT==== {when} ===\nError in process <{}>{on} with exit value:\n{text}\n\n",
                ending.pid
            );
            // As OTP's handler writes to standard error. If that is closed, there is nobody to tell.
            // In any release, other characters than those of Latin-1 are escaped.
            let latin1 = print::text::to_latin1(report.as_bytes());
            let _ = match has_unicode_output(ending.program.release()) {
                true => {
                    let text: String = latin1.iter().copied().map(char::from).collect();
                    std::io::stderr().write_all(text.as_bytes())
                }
                false => std::io::stderr().write_all(&latin1),
            };
        }
    }
}

impl Reporter {
    /// A reporter that prints, or one that only notes how the entry ended.
    pub fn new(is_silent: bool) -> Self {
        Self {
            is_silent,
            ..Self::default()
        }
    }

    /// Notes how the entry process ended.
    pub fn note_entry(&mut self, ending: &Ending<'_>) {
        self.entry_ended.get_or_init(std::time::Instant::now);
        let class = match ending.class {
            Some(ExitClass::Normal) => return,
            Some(class) => class.word(),
            None => "exit signal",
        };
        let mut heap = Heap::new(ending.program.literals().clone());
        let reason = heap.import(ending.reason);
        let style = print::Style::unicode(ending.program);
        self.entry_crash = Some((class.to_owned(), print::short(&heap, reason, 200, &style)));
    }
}

/// Access to the reporter inside an observer.
pub trait Reports {
    /// The reporter.
    fn reporter(&self) -> &Reporter;
}

impl Reports for Reporter {
    fn reporter(&self) -> &Reporter {
        self
    }
}

impl Reports for system::recorder::Recorder<Reporter> {
    fn reporter(&self) -> &Reporter {
        self.inner()
    }
}

/// How a run ended, for the shell, for people and for the trace.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The exit code.
    pub exit: Exit,
    /// One line for people.
    pub text: String,
    /// For the trace.
    pub run: log_format::RunEnd,
}

/// The verdict on how a run ended.
pub fn verdict<O: Observer + Reports>(system: &System<O>, end: &RunEnd) -> Verdict {
    let make = |exit, text: &str, run| Verdict {
        exit,
        text: text.to_owned(),
        run,
    };
    match end {
        RunEnd::Halted(code) => make(
            Exit::Halt(*code as u8),
            &format!("halted with status {code}"),
            log_format::RunEnd::Halted(*code),
        ),
        RunEnd::Limit(which) => make(
            Exit::Limit,
            &format!("limit reached: {which}"),
            log_format::RunEnd::Limit(which.clone()),
        ),
        RunEnd::Interrupted => make(
            Exit::Interrupted,
            &format!("interrupted{}", standing(system)),
            log_format::RunEnd::Interrupted("Ctrl-C, SIGTERM or SIGHUP".to_owned()),
        ),
        RunEnd::Quiescent | RunEnd::EntryEnded => match system.entry_end {
            Some(Some(ExitClass::Normal)) => returned(system),
            Some(_) => {
                let (class, reason) = system.observer.reporter().entry_crash.clone().unwrap_or_default();
                // `exit(normal)`, by another process or by itself, is not a crash.
                if reason == "normal" {
                    return returned(system);
                }
                make(
                    Exit::Crashed,
                    &format!("crashed: {class} {reason}"),
                    log_format::RunEnd::Crashed { class, reason },
                )
            }
            None => make(Exit::Deadlock, &deadlock(system), log_format::RunEnd::Deadlock),
        },
    }
}

/// The entry returned. What its tests found decides, then what it returned.
fn returned(system: &World) -> Verdict {
    let value = system.entry_error.clone().unwrap_or_default();
    let tests = system.tests;
    let (exit, mut text) = if tests.failed > 0 {
        (Exit::TestsFailed, tests_failed(tests))
    } else if value.is_empty() {
        (Exit::Success, "ok".to_owned())
    } else {
        (Exit::ReturnedError, format!("the entry returned {value}"))
    };
    let waiting = waiting(system);
    if !waiting.is_empty() {
        let _ = write!(
            text,
            ", {} still waiting",
            plural(waiting.len(), "process", "processes")
        );
    }
    Verdict {
        exit,
        text,
        run: log_format::RunEnd::Returned(value),
    }
}

/// `2 of 7 tests failed`; a failed setup is not a test that began.
fn tests_failed(Tests { began, failed, .. }: Tests) -> String {
    match (began, failed) {
        (1, 1) => "the test failed".to_owned(),
        (began, failed) if failed <= began => format!("{failed} of {began} tests failed"),
        (_, 1) => "a setup of tests failed".to_owned(),
        (_, failed) => format!("{failed} tests and setups failed"),
    }
}

/// Does a closing line, without `tracer: `, say that only tests failed? `erl` ends such a run with status 0.
pub fn says_tests_failed(line: &str) -> bool {
    let head = line.split([';', ',']).next().unwrap_or_default();
    head.ends_with(" failed") && head.contains("test")
}

fn waiting(system: &World) -> Vec<(Pid, String)> {
    let mut all: Vec<(Pid, String)> = system
        .table()
        .iter()
        .filter(|p| p.state == ProcessActivity::Waiting)
        .map(|p| {
            (
                p.pid,
                system::here(&p.machine, &system.program).unwrap_or_else(|| "?".to_owned()),
            )
        })
        .collect();
    all.sort_unstable();
    all
}

fn deadlock(system: &World) -> String {
    let entry = system.entry();
    let mut text = "deadlock: nothing more can happen, and the entry waits".to_owned();
    let all = waiting(system);
    for (pid, place) in all.iter().take(20) {
        let who = if *pid == entry { " (the entry)" } else { "" };
        let held = system.table().by_pid(*pid).map_or(0, |p| p.machine.mailbox.len());
        let held = match held {
            0 => "an empty mailbox".to_owned(),
            n => format!(
                "{} in its mailbox that it does not accept",
                plural(n, "message", "messages")
            ),
        };
        let _ = write!(
            text,
            "\n  0.{}.0{who} waits in the receive at {place}, with {held}",
            pid.number()
        );
    }
    if all.len() > 20 {
        let _ = write!(text, "\n  … and {} more", all.len() - 20);
    }
    text
}

/// Where the first processes stood when the run was interrupted, each on a line. It has to end at once, so that not all are looked at.
fn standing(system: &World) -> String {
    let mut text = String::new();
    for p in system.table().iter().take(20) {
        let Some(place) = system::here(&p.machine, &system.program) else {
            continue;
        };
        let who = if p.pid == system.entry() { " (the entry)" } else { "" };
        let does = if p.state == ProcessActivity::Waiting {
            "waits in the receive"
        } else {
            "runs"
        };
        let _ = write!(text, "\n  0.{}.0{who} {does} at {place}", p.pid.number());
    }
    let more = system.table().living().saturating_sub(20);
    if more > 0 {
        let _ = write!(text, "\n  … and {more} more");
    }
    text
}

pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {many}")
    }
}

/// The line at the end of a run.
pub fn closing_line(verdict: &Verdict, system: &World, trace: Option<(&Path, &FinishedTrace)>) {
    // The first line of the text is the verdict; details (where each process waits) come after the figures.
    let (head, details) = verdict.text.split_once('\n').unwrap_or((&verdict.text, ""));
    // Otherwise the verdict says it.
    let tests = match verdict.exit {
        Exit::TestsFailed => String::new(),
        _ if system.tests.failed > 0 => format!("; {}", tests_failed(system.tests)),
        _ => String::new(),
    };
    let mut line = format!(
        "tracer: {head}{tests}; {}, {}",
        plural(system.table().born(), "process", "processes"),
        plural(system.total_actions as usize, "action", "actions"),
    );
    if let Some((_, written)) = trace {
        let _ = write!(line, ", {} bytes", written.bytes);
    }
    if !details.is_empty() {
        let _ = write!(line, "\n{details}");
    }
    if let Some((path, written)) = trace {
        let next = match verdict.exit {
            // The trace contains how the run ended only if it was recorded to its end.
            Exit::Crashed | Exit::TestsFailed | Exit::ReturnedError | Exit::Deadlock if written.complete => "why",
            Exit::Halt(code) if code != 0 && written.complete => "why",
            _ => "info",
        };
        let _ = write!(line, "\ntracer: next: replay {next} {}", shell(path));
    }
    say(&format!("{}\n", log_format::safe_lines(&line)));
}

/// A path as a word of a shell command.
pub(crate) fn shell(path: &Path) -> String {
    let word = log_format::quoted(path.as_os_str());
    // So that it is not mistaken for an option.
    if word.starts_with('-') {
        format!("./{word}")
    } else {
        word
    }
}

/// Writes a message to standard error. Text from outside is escaped for the terminal.
pub fn tell(text: &str) {
    say(&format!("tracer: {}\n", log_format::safe_message(text)));
}

/// Writes a text to standard error. If that is not possible, nobody can be told, and the run goes on.
pub fn say(text: &str) {
    let _unheard = std::io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_can_be_pasted() {
        assert_eq!(shell(Path::new("a/b.trace")), "a/b.trace");
        assert_eq!(shell(Path::new("a b")), "'a b'");
        assert_eq!(shell(Path::new("-x")), "./-x");
        assert_eq!(shell(Path::new("a\x1b[31m")), r"$'a\x1b[31m'");
    }
}
