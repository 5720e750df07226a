//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use log_format::CompileOption;
use system::whole_number;

/// Runs an Erlang program in its own interpreter and records it, so that `replay` can replay the run.
#[derive(Parser, Debug)]
#[command(name = "tracer", version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a program and record it
    Run(Box<RunArgs>),
    /// Run a program under Erlang/OTP and under `tracer run`, and show the first difference
    Compare(CompareArgs),
}

/// `tracer compare`.
#[derive(Args, Debug)]
#[command(
    after_help = "Standard output, exit status and error reports are compared. Times, sizes, lines of stack frames, and the numbers of pids, references and funs are not.

Exit codes:
   0  no difference
   1  a difference
  64  erlc refuses the program
  66  no Erlang/OTP is installed"
)]
pub struct CompareArgs {
    /// Erlang source files. The run starts at main/0 of the first one, unless --entry names another function
    #[arg(required = true, value_name = "FILE.erl")]
    pub files: Vec<PathBuf>,
    /// Start at this function
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// End a run that takes longer than this
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = seconds)]
    pub max_time: u64,
    /// Look for include files in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Both runs read this file as standard input [default: no input]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Arguments for main/1, as strings
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

/// How processes are scheduled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Schedule {
    /// First come, first served
    RoundRobin,
    /// A random process each time, short and long slices, delayed signals
    Random,
}

/// Parts of a trace that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Part {
    /// Reasons of ends, with their stacks
    Reasons,
    /// Observed values, such as those of process_info; a replay goes as far as the first one
    Observations,
}

/// `tracer run`.
#[derive(Args, Debug)]
#[command(after_help = "Exit codes:
    N  the program's halt(N)
    0  the entry returned
    1  the entry crashed
    2  usage
   64  the program does not compile, or uses something unsupported
   66  a file cannot be read
   70  a bug of tracer
   73  the trace cannot be written
   80  deadlock: the entry waits for ever
   81  a limit was reached
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM")]
pub struct RunArgs {
    /// Erlang source files. The run starts at main/0 of the first one, unless --entry names another function
    #[arg(required = true, value_name = "FILE.erl")]
    pub files: Vec<PathBuf>,
    /// Start at this function
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// Write the trace here. A file that is not a trace is never replaced, and neither is a trace that is being written
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "trace.bin",
        conflicts_with = "no_trace"
    )]
    pub output: PathBuf,
    /// Run without recording
    #[arg(long)]
    pub no_trace: bool,
    /// Exit with 73 if the trace is lost or incomplete (a full disk, a file that was removed), whatever the program's own exit code is.
    /// Without this option, only the last line of standard error says so
    #[arg(long, conflicts_with = "no_trace")]
    pub require_trace: bool,
    /// Wait at every flush until the trace has reached the disk
    #[arg(long, conflicts_with = "no_trace")]
    pub sync: bool,
    /// Stop recording before the actions make the trace longer than this (K, M and G are powers of 1024). The program runs on. Sources,
    /// outcome and index are always written
    #[arg(long, value_name = "BYTES", value_parser = size, conflicts_with = "no_trace")]
    pub max_trace_bytes: Option<u64>,
    /// Record digests of received messages and final states, so that a replay notices changed contents
    #[arg(long, conflicts_with = "no_trace")]
    pub digests: bool,
    /// Leave out the values of these inputs: clock, random, unique, system, env, file, stdin, arguments, command
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = class)]
    pub redact_input: Vec<log_format::InputClass>,
    /// Leave out parts that may hold such values
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub redact_part: Vec<Part>,
    /// How processes are scheduled
    #[arg(long, value_enum)]
    pub schedule: Option<Schedule>,
    /// Draw the schedule and all randomness from this number. The same seed and input give the same trace. Implies --virtual-time, and
    /// --schedule random unless one is given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Simulate the clock: a sleeping program runs at full speed
    #[arg(long)]
    pub virtual_time: bool,
    /// Stop after this many seconds: simulated ones with --virtual-time or --seed, else real ones
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub max_time: Option<u64>,
    /// At most this many living processes; one more raises system_limit
    #[arg(long, value_name = "N", default_value_t = 262_144, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX))]
    pub max_processes: usize,
    /// Stop when the program holds more than this: heaps, mailboxes, binaries, tables, timers, persistent terms
    #[arg(long, value_name = "MB", allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub max_memory: Option<usize>,
    /// Stop when the entry process has ended, as an escript does
    #[arg(long)]
    pub exit_with_main: bool,
    /// Name the node. It is then alive, and can start others
    #[arg(long, value_name = "NAME@HOST", value_parser = system::long_name)]
    pub name: Option<String>,
    /// Name the node with a short host name; @HOST may be left out
    #[arg(long, value_name = "NAME", value_parser = system::short_name, conflicts_with = "name")]
    pub sname: Option<String>,
    /// Show the compiler's warnings
    #[arg(short = 'W', long = "warnings")]
    pub warnings: bool,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Enable a feature of the language in all modules of the program: maybe_expr
    #[arg(long = "enable-feature", value_name = "FEATURE", value_parser = ["maybe_expr"])]
    pub features: Vec<String>,
    /// Look for include files in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Do not print the closing line
    #[arg(short, long)]
    pub quiet: bool,
    /// Arguments for main/1, as strings
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

impl RunArgs {
    /// The compiler options of the program's modules.
    #[must_use]
    pub fn compile_options(&self) -> Vec<CompileOption> {
        let macros = self.defines.iter().map(|text| CompileOption::define(text));
        macros
            .chain(self.features.iter().cloned().map(CompileOption::Feature))
            .collect()
    }

    /// The name of the first node, if the system is to be alive.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        self.name.as_deref().or(self.sname.as_deref())
    }
}

fn seconds(text: &str) -> Result<u64, String> {
    let value: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds, for example 10 or 0.5".to_owned())?;
    if value.is_finite() && value > 0.0 && value < 1e9 {
        Ok((value * 1e9) as u64)
    } else {
        Err("expected a number of seconds above 0 and below 1e9".to_owned())
    }
}

fn size(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(factor));
    bytes.ok_or_else(|| "expected a number of bytes, for example 500000 or 64M".to_owned())
}

fn class(text: &str) -> Result<log_format::InputClass, String> {
    log_format::InputClass::of_word(text).ok_or_else(|| {
        let all: Vec<&str> = log_format::InputClass::ALL.iter().map(|class| class.word()).collect();
        format!("expected one of {}", all.join(", "))
    })
}
