//! What is typed for `replay explore`.

use std::path::PathBuf;

use clap::Args;
use syntax::Release;
use system::whole_number;

use crate::cli::mistyped::MistypedArgument;
use crate::cli::shared::{ShowArgs, ViewArgs};

/// The commands of `replay explore --interactive`.
pub const EXPLORE_COMMANDS: &str = "Breakpoints:
  break receive|send [by PROC] [from PROC] [to PROC] [in FUN] [when EXPR] [where PATTERN]
                           every universe stops where such a message is about to be received or sent
  break timeout|exit [by PROC] [in FUN] [when EXPR] [where PATTERN]
                           ... where an `after` is about to fire, or a process is about to end (with this reason)
  break line FILE:LINE [by PROC] [in FUN] [when EXPR]
                           ... where a process is about to evaluate this line
  breaks, delete N|all     list the breakpoints, or remove them
Go (N: a paused universe; without a number, all of them):
  run                      start anew: every universe goes on until it stops or ends
  resume [N...]            go on to the next breakpoint
  step [N...]              ... to the next action of the process
  turn [N...]              ... to where the process is about to begin its next turn: it receives the next message
  next [N...]              ... to where the process has come to its next receive
  over [N...]              ... to where the message that is about to be sent or received has been handled
Look:
  list                     list the paused universes, and how they differ
  show N                   all choices that led to a paused universe
  open N                   a session as of `replay debug` in a paused universe; `quit` comes back
  ends                     what came of the universes that have ended
help, quit";

/// `replay explore`.
#[derive(Args, Debug)]
#[command(after_help = format!("Commands, one on each line, if it is interactive:\n{EXPLORE_COMMANDS}\n\nExit codes:
    0  no universe that was found fails
    1  one does: the entry crashes, waits for ever, halts with a status other than 0 or returns {{error, Reason}}, or another process crashes
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM before a failure was found

Example: replay explore --time 1m --traces _universes counter.erl"))]
pub struct ExploreArgs {
    /// A program FILE.erl, which starts at its main/0. Or a trace: its program is explored from the recorded start. None of its effects reach
    /// the outside
    #[arg(value_name = "FILE.erl|TRACE")]
    pub program: PathBuf,
    /// With FILE.erl: start at this function, without arguments
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// With FILE.erl: run it as this release of OTP
    #[arg(long = "otp", value_name = "25..28", default_value_t = Release::NEWEST)]
    pub otp: Release,
    /// With FILE.erl: define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// With FILE.erl: look for include files in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Stop after N universes
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX))]
    pub universes: Option<u64>,
    /// Stop after this time, for example 90s, 10m or 1h
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub time: Option<u64>,
    /// Cut a process after N steps; each is an action
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole_number(1..=u64::MAX))]
    pub steps: u64,
    /// In which order the messages of different senders arrive at one process. `causal`: inside a node, a message that was sent causally before
    /// another one arrives before it. `at-send`: a message is in the mailbox when it is sent, as inside a node of BEAM. `free`: in any order
    #[arg(long, value_name = "ORDER", default_value_t = ExploredDelivery::Causal)]
    pub delivery: ExploredDelivery,
    /// Leave out what happens only if something is held up for longer than this: a watchdog that fires although what it watches takes no
    /// time. `none` leaves nothing out
    #[arg(long, value_name = "TIME", default_value_t = system::StallLimit::default())]
    pub max_stall: system::StallLimit,
    /// Search with N threads [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = whole_number(1..=1024_usize))]
    pub jobs: Option<usize>,
    /// Write traces into this folder: of each group of outcomes, the universe of least stall and the shortest
    #[arg(long, value_name = "DIR")]
    pub traces: Option<PathBuf>,
    /// Stop all universes at breakpoints, and let them go on step by step. Commands are read from standard input, or from --script
    #[arg(long)]
    pub interactive: bool,
    /// Read the commands of --interactive from this file, and stop at the first one that fails
    #[arg(short = 'x', long, value_name = "FILE", requires = "interactive")]
    pub script: Option<PathBuf>,
    /// With a trace: explore what could have followed this target. Its causes, and it itself, have happened. With `before:`, it itself has not:
    /// `--from before:rec:42`
    #[arg(long, value_name = "[before:]TARGET")]
    pub from: Option<String>,
    /// Write the graph of universes: choices, and the states that they lead to. The name says what is written: .sqlite (a database, for `replay
    /// graph` and for SQL), .html (a page for any browser), .json, or .dot (for Graphviz). A page and a .dot are folded if the graph is large
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub checks: CheckedArgs,
    #[command(flatten)]
    pub units: UnitArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// Of `replay explore`: how far it goes.
#[derive(Args, Debug)]
pub struct BoundArgs {
    /// Go only so far from the usual way. `delay:N`: universes in which another way than the first one is taken at most N times. `preemption:N`:
    /// universes in which a process is left at most N times although it could go on. Repeatable
    #[arg(long = "bound", value_name = "BOUND", value_parser = bound)]
    pub bounds: Vec<UniverseBound>,
    /// Make N random walks through the universes, and estimate from them how many there are, and how many fail
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX), conflicts_with_all = ["universes", "bounds"])]
    pub sample: Option<u64>,
}

/// A value of `--bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UniverseBound {
    /// `delay:N`
    Delay(u32),
    /// `preemption:N`
    Preemption(u32),
}

fn bound(text: &str) -> Result<UniverseBound, MistypedArgument> {
    let expected = MistypedArgument::UniverseBound;
    let (word, number) = text.split_once(':').ok_or(expected)?;
    let number: u32 = number.parse().map_err(|_| expected)?;
    match word {
        "delay" => Ok(UniverseBound::Delay(number)),
        "preemption" => Ok(UniverseBound::Preemption(number)),
        _ => Err(expected),
    }
}

/// Of `replay explore`: what counts as a failure, and what is a choice.
#[derive(Args, Debug)]
pub struct CheckedArgs {
    /// A function of the program that must hold: it is called with a process and {message, M} for every message that is received, {state, S} for
    /// every state in which a process waits for one. A universe in which it returns something else than true or ok, or crashes, fails. Repeatable
    #[arg(long = "invariant", value_name = "MOD:FUN")]
    pub invariants: Vec<String>,
    /// An exit with a reason that matches this pattern is no crash, like normal and shutdown. Repeatable
    #[arg(long = "normal-reason", value_name = "PATTERN")]
    pub normal: Vec<String>,
    /// With FILE.erl: rand:uniform(M) is a choice, of which every value is tried, if M is at most N (up to 100) and the process has not set a
    /// seed itself
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_u32))]
    pub random_choices: Option<u32>,
}

/// `replay explore` in parts.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many machines")]
pub struct UnitArgs {
    /// Explore one part of the search, and write what was found and the units that are left into this folder. Without --unit or --shard, it is
    /// explored from the start of the program
    #[arg(long, value_name = "DIR", conflicts_with = "universes")]
    pub out: Option<PathBuf>,
    /// With --out, go on with the work of this file, which another run left
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with = "shard")]
    pub unit: Option<PathBuf>,
    /// With --out or --resume, stop when about N universes were found, and leave the rest as units
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX), conflicts_with = "merge")]
    pub budget: Option<u64>,
    /// With --out, write what is left into N files at most
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = whole_number(1..=10_000_usize), requires = "out", conflicts_with = "shard")]
    pub split: usize,
    /// With --out, explore share I of N. N processes, which know nothing of each other, explore the whole, each universe once. If the command is
    /// repeated, it goes on with what is left of the share
    #[arg(long, value_name = "I/N", value_parser = share, requires = "out")]
    pub shard: Option<multiverse::units::Share>,
    /// Go on with all units that are left in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "universes"])]
    pub resume: Option<PathBuf>,
    /// Explore nothing: give one answer for the results in this folder. Can be given several times
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "resume", "universes", "time", "jobs"])]
    pub merge: Vec<PathBuf>,
}

/// Reads `3/8`.
fn share(text: &str) -> Result<multiverse::units::Share, MistypedArgument> {
    let parts = text
        .split_once('/')
        .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=SHARES).contains(&of) && (1..=of).contains(&number) => {
            Ok(multiverse::units::Share { number, of })
        }
        _ => Err(MistypedArgument::Share { most: SHARES }),
    }
}

/// Limit: shares.
const SHARES: u64 = 10_000;

/// In which order the messages of different senders arrive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ExploredDelivery {
    Causal,
    AtSend,
    Free,
}

impl ExploredDelivery {
    /// The same for a session: in one, what is sent at once arrives in causal order.
    pub const fn of_session(self) -> system::Delivery {
        match self {
            Self::Causal | Self::AtSend => system::Delivery::Causal,
            Self::Free => system::Delivery::Free,
        }
    }
}

impl std::fmt::Display for ExploredDelivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Causal => "causal",
            Self::AtSend => "at-send",
            Self::Free => "free",
        })
    }
}
