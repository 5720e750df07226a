//! What was typed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::paint::ColorChoice;
use session::error::Error;

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

/// Reads a command line.
///
/// # Errors
/// It is wrong, or asks for help.
pub fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    if let Some(message) = unknown_verb(&arguments) {
        return Err(command.error(clap::error::ErrorKind::InvalidSubcommand, message));
    }
    let matches = command.try_get_matches_from_mut(with_verb(arguments))?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let (Command::Run(run), Some((_, given))) = (&mut cli.command, matches.subcommand()) {
        let places = |name: &str| given.indices_of(name).into_iter().flatten();
        let until = places("until").zip(run.until.iter().cloned().map(Move::Until));
        let back = places("back").zip(run.back.iter().cloned().map(Move::Back));
        let mut moves: Vec<(usize, Move)> = until.chain(back).collect();
        moves.sort_by_key(|(at, _)| *at);
        run.moves = moves.into_iter().map(|(_, one)| one).collect();
        if let Some(Move::Back(_)) = run.moves.first() {
            return Err(command.error(
                clap::error::ErrorKind::ArgumentConflict,
                "--back comes before --until: at the beginning there is nothing to go back over",
            ));
        }
    }
    Ok(cli)
}

/// What to say of a first word that is neither a verb nor a trace, as far as that is certain: it looks like a verb, and a trace or a target
/// follows, or there is a verb that it is nearly.
fn unknown_verb(arguments: &[OsString]) -> Option<String> {
    let mut rest = arguments.iter().skip(1).map(|argument| argument.to_str());
    let word = loop {
        let text = rest.next()??;
        match text {
            "-h" | "--help" | "-V" | "--version" | "--" => return None,
            _ if WITH_VALUE.contains(&text) => drop(rest.next()),
            _ if text.starts_with('-') => {}
            word => break word,
        }
    };
    let looks_like_one = word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if VERBS.contains(&word) || !looks_like_one || is_trace(word) {
        return None;
    }
    let followed = rest.next().flatten().is_some_and(|next| !next.starts_with('-'));
    let mut near: Vec<(usize, &str)> = VERBS.iter().map(|verb| (distance(word, verb), *verb)).collect();
    near.retain(|(far, verb)| *far <= 2 && *far < verb.len().min(word.len()));
    near.sort_unstable();
    if near.is_empty() && !followed {
        return None;
    }
    let known = match near.as_slice() {
        [] => format!("expected one of {}", VERBS.join(", ")),
        near => {
            let verbs: Vec<String> = near.iter().take(3).map(|(_, verb)| format!("`{verb}`")).collect();
            format!("did you mean {}?", verbs.join(" or "))
        }
    };
    Some(format!(
        "`{word}` is no verb, and there is no trace of that name: {known}"
    ))
}

fn is_trace(word: &str) -> bool {
    Path::new(word).exists() || crate::store::resolve(std::ffi::OsStr::new(word)).is_ok_and(|path| path.exists())
}

/// How many letters must be put in, taken out, replaced, or exchanged with the next, to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Puts the verb `run` in front where there is none: `replay --until TARGET TRACE`.
#[must_use]
pub fn with_verb(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut rest = arguments.iter().skip(1);
    let mut needs_verb = false;
    while let Some(argument) = rest.next() {
        let Some(text) = argument.to_str() else {
            needs_verb = true;
            break;
        };
        if matches!(text, "--until" | "--back" | "--when" | "--where")
            || text.starts_with("--until=")
            || text == "--all"
        {
            needs_verb = true;
        }
        if text == "--" {
            needs_verb = true;
            break;
        }
        if WITH_VALUE.contains(&text) {
            rest.next();
        } else if !text.starts_with('-') {
            needs_verb = !VERBS.contains(&text);
            break;
        } else if matches!(text, "-h" | "--help" | "-V" | "--version") {
            return arguments;
        }
    }
    if !needs_verb {
        return arguments;
    }
    let mut out = arguments;
    let at = out.len().min(1);
    out.insert(at, OsString::from("run"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_that_is_none_is_told_with_those_that_are_near() {
        let told = |arguments: &[&str]| {
            let arguments: Vec<OsString> = std::iter::once("replay")
                .chain(arguments.iter().copied())
                .map(OsString::from)
                .collect();
            unknown_verb(&arguments)
        };
        for (typed, near) in [
            ("cuases", "`causes`"),
            ("whyy", "`why`"),
            ("staet", "`state`"),
            ("concequences", "`consequences`"),
        ] {
            let message = told(&[typed, "t.bin"]).unwrap_or_default();
            assert!(message.contains(&format!("did you mean {near}")), "{typed}: {message}");
        }
        assert!(
            told(&["--json", "xyz", "t.bin"])
                .unwrap_or_default()
                .contains("expected one of run, why")
        );
        assert!(told(&["whyy"]).is_some());
        for fine in [
            &["why", "error", "t.bin"][..],
            &["t.bin"],
            &["mytrace"],
            &["--until", "error", "t.bin"],
            &["--help"],
            &[],
        ] {
            assert_eq!(told(fine), None, "{fine:?}");
        }
    }

    fn parse(arguments: &[&str]) -> Result<Cli, clap::Error> {
        let all = std::iter::once("replay")
            .chain(arguments.iter().copied())
            .map(OsString::from)
            .collect();
        super::parse(all)
    }

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
        let verbs: Vec<String> = Cli::command()
            .get_subcommands()
            .map(|c| c.get_name().to_owned())
            .collect();
        for verb in &verbs {
            assert!(VERBS.contains(&verb.as_str()), "{verb} is not in VERBS");
        }
        assert_eq!(verbs.len() + 1, VERBS.len(), "VERBS holds the verbs and `help`");
    }

    #[test]
    fn every_option_with_a_value_is_known() {
        let mut all = vec![Cli::command()];
        all.extend(Cli::command().get_subcommands().cloned());
        for command in all {
            for argument in command
                .get_arguments()
                .filter(|a| a.get_action().takes_values() && !a.is_positional())
            {
                if let Some(long) = argument.get_long() {
                    assert!(WITH_VALUE.contains(&format!("--{long}").as_str()), "--{long}");
                }
                if let Some(short) = argument.get_short() {
                    assert!(WITH_VALUE.contains(&format!("-{short}").as_str()), "-{short}");
                }
            }
        }
    }

    #[test]
    fn run_is_the_verb_where_there_is_none() {
        for arguments in [
            &["--until", "rec:4", "trace.bin"][..],
            &["trace.bin", "--until", "rec:4"],
            &["--until=rec:4", "trace.bin"],
            &["--json", "--until", "rec:4", "trace.bin"],
            &["run", "--until", "rec:4", "trace.bin"],
            &["--format", "json", "run", "--until", "rec:4", "trace.bin"],
        ] {
            let cli = parse(arguments).unwrap();
            let Command::Run(run) = cli.command else {
                panic!("{arguments:?}")
            };
            assert_eq!(
                (run.until.first().map(String::as_str), run.trace),
                (Some("rec:4"), PathBuf::from("trace.bin")),
                "{arguments:?}"
            );
        }
        assert!(matches!(parse(&["trace.bin"]).unwrap().command, Command::Run(_)));
        assert!(matches!(parse(&["./info"]).unwrap().command, Command::Run(_)));
        assert!(matches!(
            parse(&["--until", "info", "t"]).unwrap().command,
            Command::Run(_)
        ));
    }

    #[test]
    fn verbs_take_a_target_or_none() {
        for (words, expected) in [
            (&["state", "t.bin"][..], ("error", "t.bin")),
            (&["state", "rec:1", "t.bin"], ("rec:1", "t.bin")),
            (&["state", "rec:1", "--all", "t.bin"], ("rec:1", "t.bin")),
        ] {
            let Command::State(state) = parse(words).unwrap().command else {
                panic!()
            };
            assert_eq!(state.place.parts().unwrap(), (expected.0, Path::new(expected.1)));
        }
        let Command::State(state) = parse(&["state", "a", "b", "c"]).unwrap().command else {
            panic!()
        };
        assert!(state.place.parts().is_err());
        assert_eq!(parse(&["info", "t", "--json"]).unwrap().format(), Format::Json);
        assert_eq!(
            parse(&["--format", "json", "info", "t"]).unwrap().format(),
            Format::Json
        );
        assert!(parse(&[]).is_err());
        assert!(parse(&["info"]).is_err());
        assert!(parse(&["info", "a", "b"]).is_err());
    }
}
