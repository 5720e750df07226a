//! What was typed.

mod parse;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::paint::ColorChoice;
use session::error::Error;

pub use parse::{parse, with_verb};

/// All verbs. A trace that is named like one of them is written `./info`.
pub const VERBS: &[&str] = &[
    "run",
    "why",
    "info",
    "log",
    "causes",
    "consequences",
    "state",
    "slice",
    "diff",
    "check",
    "debug",
    "verify",
    "export",
    "import",
    "scrub",
    "ls",
    "prune",
    "demo",
    "help",
];

const EXIT_CODES: &str = "Exit codes: 0 done (diff: the same); 1 diff: different, check: it still fails or fails differently; 2 usage; 64 the program of the trace does not compile; 65 not a trace, damaged, or of an \
unsupported version; 66 a file cannot be read; 67 no such target; 70 a bug of replay; 73 an output cannot be written; 82 the replay \
diverged; 125 check: diverged, incomplete, or the program does not compile; 128 check: any other error; 130 interrupted.";

const TARGETS: &str = "Targets:
  rec:42  send:42          message 42 was received / sent (`replay log` lists the numbers)
  sent:0.84.0/3            the third signal of that process was sent
  spawn:0.7.0  exit:0.7.0  signal:0.7.0  timeout:0.7.0/2  output:0.7.0/3  halt
                           that action has happened (the /n-th of its kind)
  event:0.7.0/15           the 15th action of that process
  end:0.7.0                its last action, and then silently on to where it ended or waits
  error                    the first abnormal end; in a deadlock, the wait of the entry
  step:0.7.0+5             five steps of that process from its creation: lines, calls, actions (--until only)
  line:server.erl:42@0.7.0/2
                           that process is about to evaluate that line for the second time (--until only)
A registered name stands for its first holder: exit:server; server/2 for the second.";

const BACK: &str = "Back (--back), for the process of the target unless another is named:
  3  step:0.7.0+3          three steps
  rec:42  sent:0.84.0/3  event:0.7.0/15  and all other actions
                           to just before that action
  birth  birth:0.7.0       to the creation of the process
  line:server.erl:42       to the last time it was about to evaluate that line
  var:X  var:X@0.7.0       to where the variable was last bound, or got another value
  mailbox  mailbox:0.7.0   to before the last change of the mailbox";

/// Replays a recorded run of an Erlang program up to any action: that action and all its causes, and nothing else.
///
/// `replay --until TARGET TRACE` is short for `replay run --until TARGET TRACE`.
#[derive(Parser, Debug)]
#[command(name = "replay", version, disable_help_subcommand = true, override_usage = "replay --until TARGET TRACE\n       replay VERB [TARGET] TRACE", after_help = EXIT_CODES)]
pub struct Cli {
    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormatWord::Text, global = true)]
    format: FormatWord,
    /// Short for --format json
    #[arg(long, global = true, overrides_with = "format")]
    json: bool,
    /// Memory that the replayed program may take; half the machine's by default
    #[arg(long, value_name = "MB", global = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_memory: Option<u32>,
    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, global = true)]
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
            FormatWord::Text | FormatWord::Csv => Format::Text,
        }
    }

    /// Is a table asked for?
    #[must_use]
    pub const fn is_csv(&self) -> bool {
        !self.json && matches!(self.format, FormatWord::Csv)
    }
}

/// How an answer is written.
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
    /// For tables: comma-separated values with a line of names (`log` only)
    Csv,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Replay up to a target, or without one the whole run, and show where the process stands
    Run(RunArgs),
    /// Tell why something happened, backwards: the message, who sent it in which state, because of which message, …
    Why(WhyArgs),
    /// What a trace holds: program, outcome, processes, what went wrong, and the commands to look at it
    Info(InfoArgs),
    /// List recorded actions, each as a target that can be pasted
    Log(LogArgs),
    /// List the causes of a target, from the log alone
    Causes(CausesArgs),
    /// List what came of a target, from the log alone
    Consequences(ConsequencesArgs),
    /// Write a trace with only the causes of a target: it replays the same, and keeps every number
    Slice(SliceArgs),
    /// Find the causally first actions in which two runs of one program differ
    Diff(DiffArgs),
    /// Check whether the failure of a trace still occurs with the program as it is now; fit for `git bisect run`
    Check(CheckArgs),
    /// Go forward and backward in a trace, command by command
    Debug(DebugArgs),
    /// Show a process at a target: where it stands, its variables, its mailbox
    State(StateArgs),
    /// Check every byte of a trace, and that its program still does what was recorded
    Verify(VerifyArgs),
    /// Write a trace as JSON: nothing that it says is lost
    Export(ExportArgs),
    /// Make a trace of what `export` wrote, or of the logs of CauDEr
    Import(ImportArgs),
    /// Write a trace without what could be private
    Scrub(ScrubArgs),
    /// List the traces of a folder, the newest first
    Ls(LsArgs),
    /// Remove old traces of a folder
    Prune(PruneArgs),
    /// Record a program with a race until it fails, and show the replay of the failure
    Demo(DemoArgs),
}

/// `replay run`.
#[derive(Args, Debug)]
#[command(after_help = format!("{TARGETS}\n{BACK}"))]
pub struct RunArgs {
    /// How far to replay; after --back: how far to go forward again; see below
    #[arg(long, value_name = "TARGET")]
    pub until: Vec<String>,
    /// And then back, undoing consequences only; --until and --back may be repeated in any order; see below
    #[arg(long, value_name = "TARGET", requires = "until")]
    pub back: Vec<String>,
    /// The two in the order in which they were given.
    #[arg(skip)]
    pub moves: Vec<Move>,
    /// Only where this Erlang expression on the variables of the process is true, from the first target on
    #[arg(long, value_name = "EXPR", requires = "until")]
    pub when: Option<String>,
    /// Only where the message sent or received matches this Erlang pattern, from the first target on
    #[arg(long = "where", value_name = "PATTERN", requires = "until")]
    pub pattern: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256)]
    pub checkpoint_memory: usize,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// How much is shown.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct ShowArgs {
    /// Show every cause, every frame and all output: nothing is folded or cut
    #[arg(long)]
    pub all: bool,
    /// Characters on a line (default: the terminal's, else 120)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    pub width: Option<u16>,
}

/// `replay info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay log`.
#[derive(Args, Debug)]
pub struct LogArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Only this process (0.7.0, or a registered name); may be repeated
    #[arg(short, long = "pid", alias = "process", value_name = "PID")]
    pub processes: Vec<String>,
    /// Only actions of this kind (spawn, spawn_failed, send, rec, after, signal, drop, access, start, nodes, observe, input, output, halt, exit); may be repeated
    #[arg(short, long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Begin at this action of each process
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub from: u64,
    /// End after this action of each process
    #[arg(long, value_name = "N")]
    pub to: Option<u64>,
    /// End after so many lines
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<u64>,
}

/// A target in a trace. Taken as words, so that options may stand between them.
#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// The target (default: error), and the trace
    #[arg(value_name = "[TARGET] TRACE", required = true)]
    words: Vec<OsString>,
}

impl PlaceArgs {
    /// The target and the trace.
    ///
    /// # Errors
    /// There are more than two words, or the target is not UTF-8.
    pub fn parts(&self) -> Result<(&str, &Path), Error> {
        let (target, trace) = match self.words.as_slice() {
            [trace] => return Ok(("error", Path::new(trace))),
            [target, trace] => (target, trace),
            words => {
                return Err(Error::Usage(format!(
                    "expected a target and a trace, found {} words",
                    words.len()
                )));
            }
        };
        match target.to_str() {
            Some(target) => Ok((target, Path::new(trace))),
            None => Err(Error::Usage(format!(
                "`{}` is no target",
                target.to_string_lossy().escape_debug()
            ))),
        }
    }
}

/// `replay causes`.
#[derive(Args, Debug)]
#[command(after_help = TARGETS, override_usage = "replay causes [OPTIONS] [TARGET] TRACE")]
pub struct CausesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay why`.
#[derive(Args, Debug)]
#[command(after_help = TARGETS, override_usage = "replay why [OPTIONS] [TARGET] TRACE")]
pub struct WhyArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay consequences`.
#[derive(Args, Debug)]
#[command(after_help = TARGETS, override_usage = "replay consequences [OPTIONS] [TARGET] TRACE")]
pub struct ConsequencesArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay slice`.
#[derive(Args, Debug)]
#[command(after_help = TARGETS, override_usage = "replay slice [TARGET] -o FILE TRACE")]
pub struct SliceArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Where to write the slice; a file that is no trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `replay diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The first trace
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The second trace
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Values of inputs and observations (clocks, random numbers, …) count too
    #[arg(long)]
    pub values: bool,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay check`.
#[derive(Args, Debug)]
#[command(
    override_usage = "replay check [OPTIONS] [TARGET] TRACE",
    after_help = "TARGET: the abnormal end that is the failure, such as exit:0.5.0 (default: error).\n\nExit codes: 0 fixed; 1 still fails, or fails differently; 125 diverged, incomplete, or the program does not compile; 128 any other error; 130 interrupted."
)]
pub struct CheckArgs {
    /// Files of the program as it is now; may be repeated (default: those that the trace names, where they can be read)
    #[arg(long, value_name = "FILE")]
    pub program: Vec<PathBuf>,
    /// `ok`: the trace holds no failure, and none may occur now
    #[arg(long, value_name = "WHAT", value_parser = ["ok"])]
    pub expect: Option<String>,
    /// Go on where a recorded choice has no counterpart
    #[arg(long)]
    pub best_effort: bool,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay debug`.
#[derive(Args, Debug)]
pub struct DebugArgs {
    /// The trace; or a program FILE.erl, whose main/0 is driven step by step, with nothing of it reaching the outside
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Read the commands from this file, and stop at the first that fails
    #[arg(short = 'x', long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Run and record the program first, under this schedule; also the seed of random numbers beyond the log
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Of a program FILE.erl: the first node's short name; without it the system is not alive
    #[arg(long, value_name = "NAME", value_parser = system::short_name)]
    pub sname: Option<String>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256)]
    pub checkpoint_memory: usize,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay state`.
#[derive(Args, Debug)]
#[command(after_help = TARGETS, override_usage = "replay state [OPTIONS] [TARGET] TRACE")]
pub struct StateArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
}

/// `replay demo`.
#[derive(Args, Debug)]
pub struct DemoArgs {
    /// Where to write the trace; a file that the demo did not write is never replaced
    #[arg(short, long, value_name = "FILE", default_value = "trace.bin")]
    pub output: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// `replay export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Where to write the JSON (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `replay import`.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// What `replay export` wrote; - for standard input
    #[arg(value_name = "FILE.json", required_unless_present = "cauder")]
    pub file: Option<PathBuf>,
    /// Instead: a folder of logs that CauDEr's tracer wrote (trace_result.log, trace_PID.log); the program is run again under them
    #[arg(long, value_name = "DIR", conflicts_with = "file", requires = "program")]
    pub cauder: Option<PathBuf>,
    /// The program that CauDEr traced, file by file: the module of the call and those that were instrumented
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub program: Vec<PathBuf>,
    /// Other modules of the program, which were not instrumented: what they send and receive is in no log
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "cauder")]
    pub untraced: Vec<PathBuf>,
    /// Where to write the trace; a file that is no trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Parts of a trace that can be taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// The program's sources: what is left cannot be replayed
    Sources,
    /// The command line and the program's arguments
    Command,
    /// Reasons of ends and their stacks
    Reasons,
    /// Observed values
    Observations,
    /// Hashes of the keys of tables, persistent terms and the application environment, by which keys can be guessed: numbers take their place
    Keys,
}

/// `replay scrub`.
#[derive(Args, Debug)]
pub struct ScrubArgs {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Where to write the new trace; a file that is no trace is never replaced
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Take out the values of these inputs (clock, random, unique, system, env, file, stdin, arguments, command)
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = input_class)]
    pub input: Vec<log_format::InputClass>,
    /// Take out these parts
    #[arg(long = "part", value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub parts: Vec<Part>,
}

fn input_class(text: &str) -> Result<log_format::InputClass, String> {
    log_format::InputClass::of_word(text).ok_or_else(|| {
        let all: Vec<&str> = log_format::InputClass::ALL.iter().map(|class| class.word()).collect();
        format!("expected one of {}", all.join(", "))
    })
}

/// `replay ls`.
#[derive(Args, Debug)]
pub struct LsArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
}

/// `replay prune`.
#[derive(Args, Debug)]
pub struct PruneArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = crate::store::FOLDER)]
    pub folder: PathBuf,
    /// Keep so many, the newest (default: 50, unless --older-than is given), however old they are
    #[arg(long, value_name = "N")]
    pub keep: Option<usize>,
    /// Remove only those that were written more than so many days ago
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(..=100_000))]
    pub older_than: Option<u64>,
    /// Only list what would be removed
    #[arg(long)]
    pub dry_run: bool,
}

/// Options that take a value: what follows them is no verb.
const WITH_VALUE: &[&str] = &[
    "--until",
    "--back",
    "--when",
    "--where",
    "--checkpoint-memory",
    "--max-memory",
    "--sname",
    "--cauder",
    "--program",
    "--untraced",
    "--script",
    "--seed",
    "-x",
    "--expect",
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
