//! What counts as a failure, and in which words.

use pcre::{Outcome, Pattern, Request};
use system::process::State;
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
    /// The same for failures that count as one: the text without numbers of processes and other counts.
    pub sort: String,
}

impl Failure {
    fn new(text: String, target: Option<String>) -> Self {
        let mut sort = String::new();
        for c in text.chars() {
            match c {
                '0'..='9' if sort.ends_with('#') => {}
                '0'..='9' => sort.push('#'),
                c => sort.push(c),
            }
        }
        Self { text, target, sort }
    }
}

/// The failure of a run that has ended, if it is one. `printed`: its output.
pub fn of(system: &System<Recorder<Watcher>>, verdict: &Verdict, printed: &[u8], rules: &Rules) -> Option<Failure> {
    let watcher = system.observer.inner();
    let entry = |crash: &&Crash| crash.pid.0 == FIRST_PID;
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match verdict.exit {
        Exit::Crashed => {
            let crash = watcher.crashes.iter().find(entry);
            let text = crash.map_or_else(|| first_line(&verdict.text), in_words);
            return Some(Failure::new(text, None));
        }
        Exit::Deadlock => {
            let entry = system.table().by_pid(system.entry());
            let place = entry.and_then(|entry| system::here(&entry.machine, &system.program));
            let place = place.unwrap_or_else(|| "?".to_owned());
            let text = format!("deadlock: the entry waits for ever in the receive at {place}");
            return Some(Failure::new(text, None));
        }
        Exit::TestsFailed | Exit::ReturnedError => return Some(Failure::new(first_line(&verdict.text), None)),
        Exit::Halt(code) if code != 0 => return Some(Failure::new(first_line(&verdict.text), None)),
        _ => {}
    }
    if let Some(crash) = watcher.crashes.iter().find(|crash| !crash.is_watched && !entry(crash)) {
        let who = format!("<{}>, which no other process watched: ", crash.pid);
        let target = format!("exit:{}", crash.pid);
        return Some(Failure::new(who + &in_words(crash), Some(target)));
    }
    if let Some(pattern) = &rules.output
        && let Some(line) = printed.split(|b| *b == b'\n').find(|line| matches(pattern, line))
    {
        let line = String::from_utf8_lossy(line).into_owned();
        return Some(Failure::new(
            format!("it printed: {line}"),
            Some(format!("end:0.{FIRST_PID}.0")),
        ));
    }
    if rules.strict && !matches!(verdict.exit, Exit::Limit | Exit::Interrupted) {
        return unread(system);
    }
    None
}

fn in_words(crash: &Crash) -> String {
    let at = crash
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {place}"));
    format!("{} {}{at}", crash.class, crash.reason)
}

fn matches(pattern: &Pattern, line: &[u8]) -> bool {
    let mut request = Request::default();
    loop {
        match pattern.search(line, &request).0 {
            Outcome::Match(_) => return true,
            Outcome::Unfinished(place) => request.from = Some(place),
            Outcome::NoMatch | Outcome::GivenUp(_) => return false,
        }
    }
}

/// A process that has not received all its messages.
fn unread(system: &System<Recorder<Watcher>>) -> Option<Failure> {
    let living = system.table().iter().filter(|p| p.state == State::Waiting);
    let living = living.map(|p| (log_format::Pid(p.pid.number()), p.machine.mailbox.len()));
    let ended = system.observer.inner().unread.iter().copied();
    let (pid, n) = ended.chain(living).filter(|(_, n)| *n > 0).min()?;
    let messages = if n == 1 { "1 message" } else { &format!("{n} messages") };
    Some(Failure::new(
        format!("<{pid}> has not received {messages}"),
        Some(format!("end:{pid}")),
    ))
}
