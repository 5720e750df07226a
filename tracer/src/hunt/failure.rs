//! What counts as a failure, and in which words.

use log_format::{Pid, Trace};
use pcre::{MatchOutcome, Pattern, Request};
use system::process::ProcessActivity;
use system::recorder::Recorder;
use system::{FIRST_PID, System};

use crate::exit::Exit;
use crate::hunt::watcher::{Crash, Watcher};
use crate::report::Verdict;

/// What counts as a failure besides a crash, a deadlock, failed tests and a status that is not 0.
#[derive(Debug, Default)]
pub struct Rules {
    /// A printed line that matches this.
    pub output: Option<Pattern>,
    /// A message that nobody has received when the run ends.
    pub strict: bool,
}

/// A failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// In words, on one line.
    pub text: String,
    /// The target of `replay why`, unless it is `error`.
    pub target: Option<String>,
    /// The same for failures that count as one: the text without numbers of processes and other counts, but with its place.
    pub sort: String,
}

impl Failure {
    /// `place`: where it happened, if the text says it.
    fn new(text: String, place: Option<&str>, target: Option<String>) -> Self {
        let mut sort = String::new();
        for c in text.chars() {
            match c {
                '0'..='9' if sort.ends_with('#') => {}
                '0'..='9' => sort.push('#'),
                c => sort.push(c),
            }
        }
        if let Some(place) = place {
            sort.push_str(place);
        }
        Self { text, target, sort }
    }
}

/// The failure of a run that has ended, if it is one. Which one it is, [`causality::failure`] says, as for `replay why`. `trace`: what was recorded;
/// `printed`: its output.
///
/// # Errors
/// The trace is damaged: our own fault.
pub fn of(
    system: &System<Recorder<Watcher>>,
    verdict: &Verdict,
    trace: impl FnOnce() -> log_format::Result<Trace>,
    printed: &[u8],
    rules: &Rules,
) -> log_format::Result<Option<Failure>> {
    if !is_well(system, verdict)
        && let Some(failure) = recorded(system, verdict, &trace()?)?
    {
        return Ok(Some(failure));
    }
    if let Some(pattern) = &rules.output
        && let Some(line) = printed.split(|b| *b == b'\n').find(|line| matches(pattern, line))
    {
        let line = String::from_utf8_lossy(line).into_owned();
        let target = Some(format!("end:0.{FIRST_PID}.0"));
        return Ok(Some(Failure::new(format!("it printed: {line}"), None, target)));
    }
    if rules.strict && !matches!(verdict.exit, Exit::Limit | Exit::Interrupted) {
        return Ok(unread(system));
    }
    Ok(None)
}

/// Did it end well, and was there no crash? Then its trace holds no failure.
fn is_well(system: &System<Recorder<Watcher>>, verdict: &Verdict) -> bool {
    let ended_well = matches!(
        verdict.exit,
        Exit::Success | Exit::Limit | Exit::Interrupted | Exit::Halt(0)
    );
    ended_well && system.observer.inner().crashes.is_empty()
}

/// Is it known, before its trace is finished, that a run has no failure?
pub fn is_none(system: &System<Recorder<Watcher>>, verdict: &Verdict, rules: &Rules) -> bool {
    is_well(system, verdict) && rules.output.is_none() && !rules.strict
}

/// The failure that the trace holds.
fn recorded(
    system: &System<Recorder<Watcher>>,
    verdict: &Verdict,
    trace: &Trace,
) -> log_format::Result<Option<Failure>> {
    let crash = |pid| system.observer.inner().crashes.iter().find(|crash| crash.pid == pid);
    let first_line = || verdict.text.lines().next().unwrap_or_default().to_owned();
    let is_entry = |pid: Pid| pid.0 == FIRST_PID;
    Ok(match causality::failure(trace)? {
        Some(causality::RunFailure::Ended { failed: false, .. }) | None => None,
        Some(causality::RunFailure::Ended { first, .. }) => {
            let words = crash(first.pid).map(in_words);
            let of_entry = verdict.exit == Exit::Crashed;
            let text = match (words, is_entry(first.pid)) {
                (Some(words), true) => words,
                (Some(words), false) if of_entry => format!("<{}>, to which the entry has a link: {words}", first.pid),
                (Some(words), false) => format!("<{}>, and no process handled it: {words}", first.pid),
                (None, _) => first_line(),
            };
            let place = crash(first.pid).and_then(|crash| crash.place.as_deref());
            Some(Failure::new(text, place, None))
        }
        Some(causality::RunFailure::Deadlock { entry, .. }) => {
            let entry = system.table().iter().find(|process| process.pid.number() == entry.0);
            let place = entry.and_then(|entry| system::here(&entry.machine, &system.program));
            let place = place.unwrap_or_else(|| "?".to_owned());
            let text = format!("deadlock: the entry waits for ever in the receive at {place}");
            Some(Failure::new(text, Some(&place), None))
        }
        Some(causality::RunFailure::Tests(tests)) => {
            let (text, others) = of_tests(&tests, system.observer.inner());
            let failure = Failure::new(text, None, None);
            // How many others fail, too, depends on their order.
            let text = failure.text + &others;
            Some(Failure { text, ..failure })
        }
        Some(causality::RunFailure::ReturnedError(_) | causality::RunFailure::Halted { .. }) => {
            Some(Failure::new(first_line(), None, None))
        }
    })
}

/// Limit: characters of a test's reason.
const REASON: usize = 200;

/// The first test that failed, with its reason; and how many others did.
fn of_tests(tests: &[causality::Test], watcher: &Watcher) -> (String, String) {
    let Some(first) = tests.first() else {
        return ("a test failed".to_owned(), String::new());
    };
    let mut text = format!("{} failed", causality::test_title(&first.name));
    if let Some((noted, reason, _)) = first.failed() {
        let in_elixir = watcher.failures.iter().find(|(action, _)| *action == noted);
        let reason = in_elixir.map_or(reason, |(_, words)| words);
        let line: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = line.chars().take(REASON).collect();
        let cut = if short.len() < line.len() { "…" } else { "" };
        text += &format!(": {short}{cut}");
    }
    let others = match tests.len() {
        1 => String::new(),
        2 => "; another test failed, too".to_owned(),
        n => format!("; {} other tests failed, too", n - 1),
    };
    (text, others)
}

fn in_words(crash: &Crash) -> String {
    let at = crash
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {place}"));
    format!("{}{at}", crash.words)
}

fn matches(pattern: &Pattern, line: &[u8]) -> bool {
    let mut request = Request::default();
    loop {
        match pattern.search(line, &request).0 {
            MatchOutcome::Match(_) => return true,
            MatchOutcome::Unfinished(place) => request.from = Some(place),
            MatchOutcome::NoMatch | MatchOutcome::GivenUp(_) => return false,
        }
    }
}

/// A process that has not received all its messages.
fn unread(system: &System<Recorder<Watcher>>) -> Option<Failure> {
    let living = system.table().iter().filter(|p| p.state == ProcessActivity::Waiting);
    let living = living.map(|p| (log_format::Pid(p.pid.number()), p.machine.mailbox.len()));
    let ended = system.observer.inner().unread.iter().copied();
    let (pid, n) = ended.chain(living).filter(|(_, n)| *n > 0).min()?;
    let messages = if n == 1 { "1 message" } else { &format!("{n} messages") };
    Some(Failure::new(
        format!("<{pid}> has not received {messages}"),
        None,
        Some(format!("end:{pid}")),
    ))
}
