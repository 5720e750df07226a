//! What several commands take: targets and traces, how much is shown, how the answer is written.

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, ValueEnum};
use session::Error;
use system::whole_number;

pub const TARGETS: &str = "Targets:
  error                    the failure: a failed test, an abnormal end that no other one caused, a deadlock, or
                           halt(N) with N other than 0
  test:bank_tests:pay_test that test has ended; the module may be left out
  rec:42  send:42          message 42 has been received / sent (`replay log` lists the numbers)
  sent:0.84.0/3            the third signal of that process has been sent
  spawn:0.7.0  exit:0.7.0  signal:0.7.0
                           that process has been spawned / has ended / has been ended by an exit signal
  timeout:0.7.0/2  output:0.7.0/3
                           its second timeout; its third output
  start:NODE  halt         that node has been started; the system has been stopped
  event:0.7.0/15           its 15th action
  end:0.7.0                after its last action, where it ended or waits
  step:0.7.0+5             five steps of that process from its creation
  line:server.erl:42@0.7.0/2
                           it is about to evaluate that line for the second time; without @0.7.0: the process
                           that gets there with the fewest causes
  rec:u13  send:u13        in a trace imported from CauDEr: the message with its uid 13
A registered name can stand for a pid: exit:server is its first holder, exit:server/2 the second.";

/// The heading of the options that every command takes.
pub const ALL_VERBS: &str = "Options of every command";

/// The format of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON value (`log`: one on each line)
    Json,
}

/// What `--format` takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FormatWord {
    /// For people
    Text,
    /// For programs: one JSON value (`log`: one on each line)
    Json,
    /// For tables: comma-separated values with a line of names (`log`, `export`)
    Csv,
    /// A picture (`export`)
    Svg,
    /// A sequence diagram for Markdown (`export`)
    Mermaid,
    /// Trace events for Perfetto (`export`)
    Perfetto,
}

/// Options for how much is shown.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct ShowArgs {
    /// Show everything in full
    #[arg(long)]
    pub all: bool,
    /// Characters on a line [default: the terminal's, else 120]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(40..=u16::MAX))]
    pub width: Option<u16>,
}

/// What is drawn instead of the usual answer.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct ViewArgs {
    /// lanes: a diagram of the causes, with a lane for each process, time downwards and an arrow for each message; in 80 columns without --width
    #[arg(long, value_name = "VIEW", value_enum, hide_possible_values = true)]
    pub view: Option<View>,
    /// Draw the view in ASCII [default: only if the locale is not UTF-8]
    #[arg(long, requires = "view")]
    pub ascii: bool,
}

/// A view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// Lanes of processes
    Lanes,
}

/// A target and a trace. Parsed as plain words, so that options may stand between them.
#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// The target [default: error], and the trace
    #[arg(value_name = "[TARGET] TRACE", required = true)]
    words: Vec<OsString>,
}

/// Can the word only be a target, and not a file?
fn is_target(word: &OsString) -> bool {
    let target = word.to_str().and_then(|word| word.parse::<causality::Target>().ok());
    target.is_some() && !Path::new(word).exists()
}

impl PlaceArgs {
    /// Is a target given?
    #[must_use]
    pub fn has_target(&self) -> bool {
        self.words.len() > 1 && self.words.iter().any(is_target)
    }

    /// The target, and the traces and folders, for a command that takes several.
    ///
    /// # Errors
    /// As [`Self::parts`], for a word that is a target after the first one.
    pub fn several(&self) -> Result<(&str, Vec<&Path>), Error> {
        let (target, traces) = match self.words.as_slice() {
            [first, rest @ ..] if !rest.is_empty() && is_target(first) => (first.to_str().unwrap_or("error"), rest),
            words if words.len() > 2 || words.len() == 2 && Path::new(&words[0]).exists() => ("error", words),
            _ => return self.parts().map(|(target, trace)| (target, vec![trace])),
        };
        match traces.iter().find(|word| is_target(word)) {
            Some(word) => Err(Error::Usage(format!(
                "{} is a target, not a trace; a target comes first, before all traces",
                session::words::quoted(word)
            ))),
            None => Ok((target, traces.iter().map(Path::new).collect())),
        }
    }

    /// The target and the trace.
    ///
    /// # Errors
    /// There are more than two words, or the target is not UTF-8.
    pub fn parts(&self) -> Result<(&str, &Path), Error> {
        let shown = |word: &OsString| session::words::quoted(word);
        let (target, trace) = match self.words.as_slice() {
            [one] if is_target(one) => {
                let one = shown(one);
                return Err(Error::Usage(format!(
                    "{one} is a target; the trace is missing: expected {one} TRACE"
                )));
            }
            [trace] => return Ok(("error", Path::new(trace))),
            [trace, target] if is_target(target) && !is_target(trace) => {
                let (target, trace) = (shown(target), shown(trace));
                return Err(Error::Usage(format!(
                    "{target} is a target, not a trace; the target comes first: {target} {trace}"
                )));
            }
            [target, trace] => (target, trace),
            words => {
                let found: Vec<String> = words.iter().map(shown).collect();
                return Err(Error::Usage(format!(
                    "expected a target and a trace, found {} arguments: {}",
                    words.len(),
                    found.join(", ")
                )));
            }
        };
        match target.to_str() {
            Some(target) => Ok((target, Path::new(trace))),
            None => Err(Error::Usage(format!(
                "`{}` is not a target",
                target.to_string_lossy().escape_debug()
            ))),
        }
    }
}

/// A ceiling of time for what is tried.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeArgs {
    /// Stop trying other choices and schedules after this time, for example 90s or 10m. The answer then depends on the machine
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub time: Option<u64>,
}

impl TimeArgs {
    /// The time.
    #[must_use]
    pub fn time(self) -> Option<std::time::Duration> {
        self.time.map(std::time::Duration::from_nanos)
    }

    /// How far other choices are tried.
    #[must_use]
    pub fn limits(self) -> decisive::Limits {
        decisive::Limits {
            time: self.time(),
            ..decisive::Limits::default()
        }
    }
}
