//! The command line.

mod explore;
mod mistyped;
mod parse;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::paint::ColorChoice;
use session::error::Error;
use syntax::Release;
use system::whole_number;

use mistyped::MistypedArgument;

pub use explore::{BoundArgs, CheckedArgs, EXPLORE_COMMANDS, ExploreArgs, GraphArgs, UnitArgs, UniverseBound};
pub use parse::{is_verb, parse, with_verb};

/// All verbs. A trace with the name of a verb is written `./info`.
pub const VERBS: &[&str] = &[
    "run",
    "why",
    "report",
    "bundle",
    "races",
    "what-if",
    "info",
    "log",
    "find",
    "causes",
    "consequences",
    "graph",
    "state",
    "slice",
    "diff",
    "check",
    "debug",
    "explore",
    "verify",
    "export",
    "import",
    "scrub",
    "ls",
    "prune",
    "summary",
    "demo",
    "completions",
    "man",
    "help",
];

const EXIT_CODES: &str = "Exit codes:
    0  done (diff: no difference; check: fixed)
    1  diff: the runs differ; check: still fails, or fails differently
    2  usage
    3  check: fixed, but a delay brings the failure back
   64  the program in the trace does not compile
   65  not a trace, damaged, or of an unsupported version
   66  a file cannot be read
   67  no such target
   70  a bug of replay
   73  an output cannot be written
   81  the replayed program needs more memory than --max-memory allows
   82  the replay diverged
  125  check: diverged, incomplete, or the program does not compile
  128  check: any other error
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM";

const TARGETS: &str = "Targets:
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

const BACK: &str = "Targets of --back. Without a process, the process of the last target is meant:
  3  step:0.7.0+3          three steps back
  rec:42, or another action
                           to just before that action
  birth  birth:0.7.0       to the creation of the process (spawn:0.7.0: to before the spawn)
  line:server.erl:42       to the last time it was about to evaluate that line
  var:X  var:X@0.7.0       to where the variable last got its value
  mailbox  mailbox:0.7.0   to before the last change of the mailbox";

/// The commands of `replay debug`.
pub const DEBUG_COMMANDS: &str = "Move:
  until TARGET [when EXPR] [where PATTERN]
                           go forward, with the causes only
  step [N] [library]       go N steps of the process forward; with `library`, also inside library functions
  action [N]               go N actions of the process forward
  back [N | TARGET | birth | var:X | line:F:L | mailbox]
                           go back, and undo only consequences
  undo TARGET              undo an action with its consequences
  use PID                  make this the current process: the other commands apply to it
  mark NAME, goto NAME     remember a position, and return to it
Look:
  state [PID]              show a process: its place, variables and mailbox
  processes                list the processes, and how far each one is
  print EXPR               show the value of an expression on the variables
  why [TARGET], causes TARGET, consequences TARGET
                           explain why something happened, what led to it, what it led to
  position                 show how far the session is, and its checkpoints
Leave the log:
  choices [PID]            list what each process can do next
  choose N | sent:0.3.0/1 | timeout | step | signal sent:0.3.0/1
                           do it; any choice that differs from the log leaves the log
  run [N] [random [SEED] [any-time] | processes-first | round-robin | as-recorded] [until CONDITION]
                           run N steps of a scheduler, or until a CONDITION holds:
                           error, event:PID/N, exit:PID, end:PID, line:F:L, when EXPR
  normalise [N]            run every step except receives
  leave [PID]              leave the log here
  races [TARGET | here]    list what could have come the other way, decisive choices first
  flip N                   go there, and take the other choice; `goto record` returns to the recorded run
  save FILE                write what was done as a trace
help, quit";

/// The heading of the options that every command takes.
const ALL_VERBS: &str = "Options of every command";

/// Replays a recorded run of an Erlang program up to an action: its causes, and nothing else.
///
/// `replay --until TARGET TRACE` is short for `replay run --until TARGET TRACE`.
#[derive(Parser, Debug)]
#[command(name = "replay", version = log_format::version(), override_usage = "replay --until TARGET TRACE\n       replay COMMAND [TARGET] TRACE", after_help = EXIT_CODES)]
pub struct Cli {
    /// How the answer is written: text, json (`log`: one value on each line), csv (`log`, `export`), or svg, mermaid, perfetto (`export`)
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t = FormatWord::Text,
        global = true,
        hide_possible_values = true,
        help_heading = ALL_VERBS
    )]
    format: FormatWord,
    /// Short for --format json
    #[arg(long, global = true, overrides_with = "format", help_heading = ALL_VERBS)]
    json: bool,
    /// Memory that the replayed program may take [default: half the machine's]
    #[arg(
        long,
        value_name = "MB",
        global = true,
        allow_negative_numbers = true,
        value_parser = whole_number(1..=u32::MAX),
        help_heading = ALL_VERBS
    )]
    pub max_memory: Option<u32>,
    /// How terms, functions and variables are written: erlang or elixir [default: elixir if modules of the program are written in it]
    #[arg(
        long,
        value_enum,
        value_name = "LANGUAGE",
        global = true,
        hide_possible_values = true,
        help_heading = ALL_VERBS
    )]
    pub terms: Option<crate::spoken::Language>,
    /// When to colour: auto (on a terminal, unless NO_COLOR is set), always, never
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorChoice::Auto,
        global = true,
        hide_possible_values = true,
        help_heading = ALL_VERBS
    )]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// How the answer is written.
    #[must_use]
    pub const fn format(&self) -> Format {
        match self.format {
            FormatWord::Json => Format::Json,
            _ if self.json => Format::Json,
            FormatWord::Text | FormatWord::Csv | FormatWord::Svg | FormatWord::Mermaid | FormatWord::Perfetto => {
                Format::Text
            }
        }
    }

    /// What `--format` names.
    #[must_use]
    pub const fn format_word(&self) -> FormatWord {
        if self.json { FormatWord::Json } else { self.format }
    }

    /// Is `--format csv` given?
    #[must_use]
    pub const fn is_csv(&self) -> bool {
        !self.json && matches!(self.format, FormatWord::Csv)
    }
}

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

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Replay up to a target, or the whole run, and show where the process stands
    Run(RunArgs),
    /// Explain why the target happened, step by step backwards
    Why(WhyArgs),
    /// Write a page that shows what led to a target: the causes as a picture, in one file that any browser opens
    Report(ReportArgs),
    /// Pack a trace, its page and what to type into one file, for a bug report
    Bundle(BundleArgs),
    /// List what could have come the other way, and what would have become of the failure: what decided comes first
    Races(RacesArgs),
    /// Take the other choice at a place of the run, run on near the record, and show what differs
    WhatIf(WhatIfArgs),
    /// Show how the run ended, what went wrong, sizes, what could be private, and what to type next
    Info(InfoArgs),
    /// List recorded actions; each one is a target
    Log(LogArgs),
    /// Find all messages, inputs, outputs and ends that match an Erlang pattern or contain a text; each one is a target
    Find(FindArgs),
    /// List what led to a target, from the log alone
    Causes(CausesArgs),
    /// List what a target led to, from the log alone
    Consequences(ConsequencesArgs),
    /// Write a trace with only the causes of a target. It replays like the whole trace, and all numbers stay the same
    Slice(SliceArgs),
    /// Find the first actions in which two runs of one program differ
    Diff(DiffArgs),
    /// Test whether the recorded failure still occurs in the current program; works with `git bisect run`
    Check(CheckArgs),
    /// Go forward and backward in a trace, command by command
    Debug(DebugArgs),
    /// Run a program in every way it could go, and list what comes of it
    Explore(Box<ExploreArgs>),
    /// Ask a graph of universes that `replay explore --graph` wrote: how they end, and which choice decides that
    Graph(GraphArgs),
    /// Show a process at a target: its position, its variables, its mailbox
    State(StateArgs),
    /// Check every byte of a trace, and that the program still does what was recorded
    Verify(VerifyArgs),
    /// Write a trace as JSON, which loses nothing; or the causes of a target as a picture, a diagram, a timeline or tables
    Export(ExportArgs),
    /// Make a trace from JSON that `export` wrote, or from CauDEr's logs
    Import(ImportArgs),
    /// Write a trace without what could be private
    Scrub(ScrubArgs),
    /// List the traces in a folder, newest first
    Ls(LsArgs),
    /// Remove old traces from a folder
    Prune(PruneArgs),
    /// Write what failed, and why, as Markdown for the page of a CI job
    Summary(SummaryArgs),
    /// Record a race until it fails, and show the replay of the failure
    Demo(DemoArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    Man(ManArgs),
}

/// `replay run`.
#[derive(Args, Debug)]
#[command(after_help = format!("{TARGETS}\n{BACK}\n\nExample: replay --until rec:42 --back 3 my.bin"))]
pub struct RunArgs {
    /// Go forward to this target; may be repeated
    #[arg(long, value_name = "TARGET")]
    pub until: Vec<String>,
    /// Go back to just before this action: undo it and its consequences, and nothing else; may be repeated, in any order with --until
    #[arg(long, value_name = "TARGET", requires = "until", allow_negative_numbers = true)]
    pub back: Vec<String>,
    /// All `--until` and `--back` in the order in which they were given.
    #[arg(skip)]
    pub moves: Vec<Move>,
    /// Starting at the first target, stop at the next action of the same process and kind where this Erlang expression is true; it may use
    /// the process's variables
    #[arg(long, value_name = "EXPR", requires = "until")]
    pub when: Option<String>,
    /// Starting at the first target, stop at the next action of the same process and kind whose message matches this Erlang pattern; a
    /// guard is allowed
    #[arg(long = "where", value_name = "PATTERN", requires = "until")]
    pub pattern: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub checkpoint_memory: usize,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub show: ShowArgs,
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

/// `replay info`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay info my.bin")]
pub struct InfoArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay log`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay log --pid 0.7.0 --kind rec my.bin")]
pub struct LogArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Only this process, such as 0.7.0 or a registered name; may be repeated
    #[arg(short, long = "pid", alias = "process", value_name = "PID")]
    pub processes: Vec<String>,
    /// Only actions of this kind; may be repeated
    #[arg(short, long = "kind", value_name = "KIND", help = format!("Only actions of this kind; may be repeated. Kinds: {}", log_format::Kind::WORDS.join(", ")))]
    pub kinds: Vec<String>,
    /// Begin at this action of each process
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub from: u64,
    /// End after this action of each process
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub to: Option<u64>,
    /// End after this many lines
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub limit: Option<u64>,
}

/// `replay find`.
#[derive(Args, Debug)]
#[command(
    after_help = "PATTERN is an Erlang pattern, with or without a guard, as for --where; records of the program can be used: '#order{id = 7}',
'{add, N} when N > 3'. The request of a gen_server call or cast is looked at, too, and so is the reason of an error without its stack.

Example: replay find '{add, _}' my.bin"
)]
pub struct FindArgs {
    /// The pattern
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pub pattern: String,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// PATTERN is a text: find what contains it when it is printed
    #[arg(long)]
    pub text: bool,
    /// Show so many hits; all are counted [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub show: ShowArgs,
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

/// `replay causes`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay causes rec:42 my.bin"),
    override_usage = "replay causes [OPTIONS] [TARGET] TRACE"
)]
pub struct CausesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay why`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay why rec:42 my.bin"),
    override_usage = "replay why [OPTIONS] [TARGET] TRACE"
)]
pub struct WhyArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay races`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay races my.bin"),
    override_usage = "replay races [OPTIONS] [TARGET] TRACE"
)]
pub struct RacesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay what-if`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n
CHOICE is a number of the list of choices, an action (sent:0.3.0/2, send:4: that message), timeout, later (after all that the others can do), or a
part of the text, such as put. Without it: the only choice, or the first one after which the run does not fail. If there is none, the
choices are listed.

Exit codes:
    0  another choice was made
    2  CHOICE is missing, names no choice, or more than one
   67  nothing else could have come there

Example: replay what-if rec:5 -o other.bin my.bin"),
    override_usage = "replay what-if [OPTIONS] TARGET[=CHOICE] TRACE"
)]
pub struct WhatIfArgs {
    /// The place, and what is to come there instead
    #[arg(value_name = "TARGET[=CHOICE]")]
    pub place: String,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Write the new run to this file, as a trace. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// In which order the messages of different senders arrive at one process, where choices are made: `causal` (inside a node, as on BEAM) or
    /// `free`. What was recorded is repeated as it was
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// The seed of what is random in the new run and was not recorded
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(0..=u64::MAX))]
    pub seed: u64,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

impl WhatIfArgs {
    /// The target, and the choice if one is named.
    #[must_use]
    pub fn parts(&self) -> (&str, Option<&str>) {
        let is_target = |text: &str| text.parse::<causality::Target>().is_ok();
        let mut parts = self
            .place
            .match_indices('=')
            .map(|(at, _)| (&self.place[..at], &self.place[at + 1..]));
        match parts.find(|(target, _)| is_target(target)) {
            Some((target, choice)) => (target, Some(choice.trim())),
            None => (&self.place, None),
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

/// How far other choices are tried.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchArgs {
    /// Try at most N other choices
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = whole_number(1..=u64::MAX))]
    pub flips: u64,
    /// Examine each decisive choice with N random continuations, and the recorded choice with as many
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number(1..=1000_u64))]
    pub continuations: u64,
    /// In which order the messages of different senders arrive at one process, where choices are made: `causal` (inside a node, as on BEAM) or
    /// `free`. What was recorded is repeated as it was
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// The seed of random continuations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(0..=u64::MAX))]
    pub seed: u64,
    /// Stop after this time, for example 90s or 10m. The answer then depends on the machine
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub time: Option<u64>,
}

/// `replay consequences`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay consequences send:42 my.bin"),
    override_usage = "replay consequences [OPTIONS] [TARGET] TRACE"
)]
pub struct ConsequencesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay report`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay report my.bin -o report.html"),
    override_usage = "replay report [OPTIONS] [TARGET] TRACE"
)]
pub struct ReportArgs {
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the page; `-` for standard output [default: the name of the trace, with .html]. A file that is not a report is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The page holds at most about N actions; `all` for all causes [default: 20000]
    #[arg(long, value_name = "N", value_parser = actions)]
    pub actions: Option<u64>,
}

/// `replay bundle`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay bundle my.bin -o case.zip"),
    override_usage = "replay bundle [OPTIONS] [TARGET] TRACE"
)]
pub struct BundleArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the zip file [default: the name of the trace, with .zip]. A file that is not a zip file is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take out the values of these inputs first, as `replay scrub` does
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = system::input_class)]
    pub input: Vec<log_format::InputClass>,
    /// Take out these parts first, as `replay scrub` does
    #[arg(long = "part", value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub parts: Vec<Part>,
}

/// A number of actions, or `all`.
fn actions(text: &str) -> Result<u64, MistypedArgument> {
    match text {
        "all" => Ok(u64::MAX),
        text => text.parse().map_err(|_| MistypedArgument::Actions),
    }
}

/// `replay slice`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay slice error -o small.bin my.bin"),
    override_usage = "replay slice [OPTIONS] -o FILE [TARGET] TRACE"
)]
pub struct SliceArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the slice. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `replay diff`.
#[derive(Args, Debug)]
#[command(after_help = "Exit code 1: the runs differ.\n\nExample: replay diff good.bin bad.bin")]
pub struct DiffArgs {
    /// The first trace
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The second trace
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Values of inputs and observations, such as clocks and random numbers, count too
    #[arg(long)]
    pub values: bool,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay check`.
#[derive(Args, Debug)]
#[command(
    override_usage = "replay check [OPTIONS] [TARGET] TRACE|FOLDER…",
    after_help = "TARGET names the failure: an abnormal end, such as exit:0.5.0, or the entry that waits for ever, end:0.1.0. A FOLDER stands for all
traces in it.

Exit codes (of several traces, the first line that is true for one of them):
  128  any error of the tool: a bad file, no failure in the trace, a wrong command line
    1  still fails, or fails differently
  125  diverged, incomplete, or the program does not compile
    3  fixed, but a delay brings the failure back (within --max-stall)
    0  fixed
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Examples:
  replay check my.bin
  replay check --junit check.xml _traces
  git bisect run replay check my.bin"
)]
pub struct CheckArgs {
    /// A file of the current program, in place of the one that is found; may be repeated
    #[arg(long, value_name = "FILE")]
    pub program: Vec<PathBuf>,
    /// Run no code of the project to compile it: what cannot be read without that is as recorded, or there is no verdict
    #[arg(long)]
    pub no_compile: bool,
    /// Define a macro in the program as it is now. The macros of the recording are defined too; one of the same name is replaced
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// In which order the messages of different senders arrive at one process, where the program goes another way than recorded: `causal` (inside
    /// a node, as on BEAM) or `free`. A run that was recorded with free delivery is checked with it
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// ok: the trace holds no failure, and none may occur now
    #[arg(long, value_name = "WHAT", value_parser = ["ok"])]
    pub expect: Option<String>,
    /// Skip a recorded choice that the current program cannot repeat, and go on with the next one
    #[arg(long)]
    pub best_effort: bool,
    /// If the failure is fixed: look for it with delays of at most so long, beyond those of the recorded run. `none` sets no limit
    #[arg(long, value_name = "TIME", default_value_t = system::StallLimit::default())]
    pub max_stall: system::StallLimit,
    /// With several traces: check N at the same time [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = whole_number(1..=1024_usize))]
    pub jobs: Option<usize>,
    /// Write the verdicts to this file as JUnit's XML, a test for each trace
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay debug`.
#[derive(Args, Debug)]
#[command(after_help = format!("Commands, one on each line:\n{DEBUG_COMMANDS}\n\n{TARGETS}\n\nExample: replay debug my.bin"))]
pub struct DebugArgs {
    /// The trace. Or a program FILE.erl: its main/0 is run step by step as you choose, and none of its effects reach the outside
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Read the commands from this file, and stop at the first one that fails
    #[arg(short = 'x', long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// With FILE.erl: run and record it first, under this schedule. Also seeds the random numbers beyond the log
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// In which order the messages of different senders arrive at one process, where choices are made: `causal` (inside a node, as on BEAM) or
    /// `free`. What was recorded is repeated as it was
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// With FILE.erl: run it as this release of OTP
    #[arg(long = "otp", value_name = "25..28", default_value_t = Release::NEWEST)]
    pub otp: Release,
    /// With FILE.erl: the short name of the first node; without it the node is not alive
    #[arg(long, value_name = "NAME", value_parser = system::short_name)]
    pub sname: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub checkpoint_memory: usize,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay state`.
#[derive(Args, Debug)]
#[command(
    after_help = format!("{TARGETS}\n\nExample: replay state rec:42 my.bin"),
    override_usage = "replay state [OPTIONS] [TARGET] TRACE"
)]
pub struct StateArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay verify`.
#[derive(Args, Debug)]
#[command(after_help = "Exit codes:
    0  the trace is intact; or the recorder was killed, and the trace is intact up to its last cut
   65  damage
   82  the replay differs from the record

Example: replay verify my.bin")]
pub struct VerifyArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
}

/// `replay demo`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay demo -o demo.bin")]
pub struct DemoArgs {
    /// Where to write the trace. A file that the demo did not write is never replaced
    #[arg(short, long, value_name = "FILE", default_value = "trace.bin")]
    pub output: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay export`.
#[derive(Args, Debug)]
#[command(
    after_help = "--format says what is written:
  json      the whole trace; `replay import` reads it (without --format, this is meant)
  svg       a picture of the causes of TARGET: a lane for each process, an arrow for each message
  mermaid   the same as a sequence diagram, which GitHub and GitLab draw in Markdown
  perfetto  the same as trace events, for ui.perfetto.dev
  csv       four tables in the folder of -o: runs, processes, actions, messages; of several traces and folders, if there is no TARGET

Examples:
  replay export my.bin -o my.json
  replay export --format svg error my.bin -o error.svg
  replay export --format csv _traces -o tables",
    override_usage = "replay export [OPTIONS] [TARGET] TRACE|FOLDER…"
)]
pub struct ExportArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write [default: standard output]. For csv: a folder
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// For svg, mermaid and perfetto: at most so many actions, the nearest causes; what is left out is said [default: 200, 100, 100000]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(1..=10_000_000_u64))]
    pub limit: Option<u64>,
}

/// `replay import`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  replay import my.json -o my.bin
  replay import --cauder trace --program barber.erl -o barber.bin")]
pub struct ImportArgs {
    /// What `replay export` wrote; - for standard input
    #[arg(value_name = "FILE.json", required_unless_present = "cauder")]
    pub file: Option<PathBuf>,
    /// Instead of JSON: a folder with logs of CauDEr's tracer (trace_result.log, trace_PID.log). The program is run again under these logs
    #[arg(long, value_name = "DIR", conflicts_with = "file", requires = "program")]
    pub cauder: Option<PathBuf>,
    /// The files of the program that CauDEr traced: the module of the call, and the instrumented modules
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub program: Vec<PathBuf>,
    /// Files of other modules of the program, which were not instrumented: their sends and receives are not in the logs
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub untraced: Vec<PathBuf>,
    /// Where to write the trace. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Parts of a trace that can be taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// The program's sources; without them the trace cannot be replayed
    Sources,
    /// The command line and the program's arguments
    Command,
    /// Reasons of ends, with their stacks
    Reasons,
    /// Observed values, such as those of process_info
    Observations,
    /// Hashes of keys of tables, persistent terms and the application environment, from which keys can be guessed; they become numbers
    Keys,
}

/// `replay scrub`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay scrub --input file,env --part reasons -o public.bin my.bin")]
pub struct ScrubArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Where to write the new trace. A file that is not a trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Take out the values of these inputs (clock, random, unique, system, env, file, stdin, arguments, command)
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = system::input_class)]
    pub input: Vec<log_format::InputClass>,
    /// Take out these parts
    #[arg(long = "part", value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub parts: Vec<Part>,
}

/// `replay ls`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay ls _traces")]
pub struct LsArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
}

/// `replay prune`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay prune --keep 20 --dry-run _traces")]
pub struct PruneArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
    /// Keep the newest N, whatever their age [default: 50; 0 if --older-than is given]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX))]
    pub keep: Option<usize>,
    /// Remove only traces that are older than this, for example 30d or 12h
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::duration)]
    pub older_than: Option<u64>,
    /// Only list what would be removed
    #[arg(long)]
    pub dry_run: bool,
}

/// `replay summary`.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0, also if a folder is empty because nothing failed; 68 if there is no such folder, or other files in it, and no traces.

Example: replay summary --github _traces"
)]
pub struct SummaryArgs {
    /// Append the Markdown to the file that GITHUB_STEP_SUMMARY names, and print an annotation for each failure, as GitHub Actions reads them
    #[arg(long)]
    pub github: bool,
    #[command(flatten)]
    pub time: TimeArgs,
    /// The traces; a folder stands for all traces in it
    #[arg(value_name = "TRACE|FOLDER", default_value = crate::store::FOLDER)]
    pub places: Vec<PathBuf>,
}

/// `replay completions`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay completions bash > ~/.local/share/bash-completion/completions/replay")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `replay man`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder; it is made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Options that take a value: the next word is not a verb.
const WITH_VALUE: &[&str] = &[
    "--terms",
    "--out",
    "--unit",
    "--budget",
    "--split",
    "--shard",
    "--resume",
    "--merge",
    "--graph",
    "--way",
    "--decides",
    "--parts",
    "--avoid",
    "--at",
    "--actions",
    "--universes",
    "--delivery",
    "--max-stall",
    "--flips",
    "--continuations",
    "--entry",
    "-I",
    "--time",
    "--steps",
    "--traces",
    "--invariant",
    "--normal-reason",
    "--random-choices",
    "--bound",
    "--sample",
    "--view",
    "--until",
    "--back",
    "--when",
    "--where",
    "--checkpoint-memory",
    "--max-memory",
    "--sname",
    "--otp",
    "--cauder",
    "--program",
    "--untraced",
    "--script",
    "--seed",
    "-x",
    "-D",
    "--expect",
    "--jobs",
    "--junit",
    "-j",
    "--format",
    "--color",
    "--width",
    "--pid",
    "--process",
    "--to",
    "--input",
    "--part",
    "--keep",
    "--older-than",
    "--kind",
    "--from",
    "--limit",
    "--output",
    "-p",
    "-k",
    "-n",
    "-o",
];

/// One move of `replay run`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move {
    /// `--until`.
    Until(String),
    /// `--back`.
    Back(String),
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Until(target) => write!(f, "until {target}"),
            Self::Back(target) => write!(f, "back {target}"),
        }
    }
}
