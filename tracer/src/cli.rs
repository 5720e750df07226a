//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::hunt::HuntArgs;
use crate::options::{Compiling, Recording, Running};
use crate::test::{CompileArgs, DoctorArgs, TestArgs};

/// Runs an Erlang program in its own interpreter and records it, so that `replay` can replay the run.
#[derive(Parser, Debug)]
#[command(name = "tracer", version = log_format::version())]
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
    /// Run a program under many schedules until a run fails; keep that run, made as simple as possible
    Hunt(Box<HuntArgs>),
    /// Run EUnit tests and Common Test suites, and keep the traces of those that fail
    Test(Box<TestArgs>),
    /// Say what there is in a project, and what of it will not work
    Doctor(DoctorArgs),
    /// Compile a project of mix, and write its modules to a file: `replay check` calls this
    Compile(CompileArgs),
    /// Run a program under Erlang/OTP and under `tracer run`, and show the first difference
    Compare(CompareArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    Man(ManArgs),
}

/// `tracer compare`.
#[derive(Args, Debug)]
#[command(
    after_help = "Standard output, exit status and error reports are compared. Times, sizes, lines of stack frames, and the numbers of pids, references and funs are not.

Exit codes:
   0  no difference
   1  a difference
  64  erlc refuses the program
  66  no Erlang/OTP is installed

Example: tracer compare counter.erl -- 10"
)]
pub struct CompareArgs {
    /// Erlang source files. The run starts at main/0 of the first one, unless --entry names another function
    #[arg(required = true, value_name = "FILE.erl")]
    pub files: Vec<PathBuf>,
    /// Start at this function
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// End a run that takes longer than this
    #[arg(long, value_name = "TIME", default_value = "60s", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub max_time: u64,
    /// Compare with the Erlang/OTP in this folder instead of the erl in the path
    #[arg(long, value_name = "DIR")]
    pub otp_root: Option<PathBuf>,
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
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Example: tracer run -o my.bin counter.erl -- 10")]
pub struct RunArgs {
    /// Erlang source files. The run starts at main/0 of the first one, unless --entry names another function
    #[arg(required = true, value_name = "FILE.erl")]
    pub files: Vec<PathBuf>,
    /// Start at this function
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// Write the trace here. A file that is not a trace is never replaced, and neither is a trace that is being written
    #[arg(short, long, value_name = "FILE", default_value = "trace.bin")]
    pub output: PathBuf,
    /// Run without recording
    #[arg(
        long,
        conflicts_with_all = ["output", "require_trace", "sync", "max_trace_bytes", "digests"]
    )]
    pub no_trace: bool,
    /// Exit with 73 if the trace is lost or incomplete (a full disk, a file that was removed), whatever the program's own exit code is.
    /// Without this option, only the last line of standard error says so
    #[arg(long)]
    pub require_trace: bool,
    /// What is recorded
    #[command(flatten)]
    pub recording: Recording,
    /// How the program runs
    #[command(flatten)]
    pub running: Running,
    /// Stop when the entry process has ended, as an escript does
    #[arg(long)]
    pub exit_with_main: bool,
    /// How the program is compiled
    #[command(flatten)]
    pub compiling: Compiling,
    /// Do not print the closing line
    #[arg(short, long)]
    pub quiet: bool,
    /// Arguments for main/1, as strings
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

/// `tracer completions`.
#[derive(Args, Debug)]
#[command(after_help = "Example: tracer completions bash > ~/.local/share/bash-completion/completions/tracer")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `tracer man`.
#[derive(Args, Debug)]
#[command(after_help = "Example: tracer man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder; it is made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[cfg(test)]
#[path = "../../tests/options.rs"]
mod options_alike;

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn options_that_mean_the_same_are_called_the_same() {
        Cli::command().debug_assert();
        options_alike::check("tracer", &Cli::command());
    }
}
