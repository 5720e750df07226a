//! The command line: a table of the commands. What each of them takes is written beside it, in its own file of `commands`; what several take, in
//! [`shared`].

pub mod mistyped;
pub mod parse;
pub mod shared;
pub mod verbs;

use clap::{Parser, Subcommand};
use system::whole_number;

use crate::cli::shared::{ALL_VERBS, Format, FormatWord};
use crate::commands::bundle::BundleArgs;
use crate::commands::check::CheckArgs;
use crate::commands::dap::DapArgs;
use crate::commands::debug::DebugArgs;
use crate::commands::demo::DemoArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::explore::arguments::ExploreArgs;
use crate::commands::export::{ExportArgs, ImportArgs};
use crate::commands::find::FindArgs;
use crate::commands::graph::GraphArgs;
use crate::commands::info::InfoArgs;
use crate::commands::installing::{CompletionsArgs, ManArgs};
use crate::commands::log::LogArgs;
use crate::commands::ls::{LsArgs, PruneArgs};
use crate::commands::races::RacesArgs;
use crate::commands::report::ReportArgs;
use crate::commands::run::{CausesArgs, RunArgs, StateArgs};
use crate::commands::scrub::ScrubArgs;
use crate::commands::slice::SliceArgs;
use crate::commands::summary::SummaryArgs;
use crate::commands::verify::VerifyArgs;
use crate::commands::whatif::WhatIfArgs;
use crate::commands::why::{ConsequencesArgs, WhyArgs};
use crate::paint::ColorChoice;

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
    /// Serve an editor: the Debug Adapter Protocol, forward and backward
    Dap(DapArgs),
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
