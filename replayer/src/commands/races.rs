//! `replay races`: what could have come the other way, and what would have become of the failure.

use std::path::Path;
use std::time::Duration;

use decisive::{Answer, Limits};
use serde::Serialize;

use crate::cli::shared::{PlaceArgs, ShowArgs, TARGETS};
use crate::commands::{Out, Working, open_session, run};
use crate::exit::Exit;
use crate::render;
use crate::view::NextCommand;
use crate::words::path_argument;
use clap::Args;
use session::error::Error;
use system::whole_number;

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

/// The answer.
#[derive(Serialize)]
pub struct Races {
    /// What failed, as a target.
    pub target: String,
    /// What was tried, and what came of it.
    #[serde(flatten)]
    pub answer: Answer,
    /// What to type next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextCommand>,
}

/// How far to go.
#[must_use]
pub fn limits(args: SearchArgs) -> Limits {
    /// It lists what there is, and so does more work than an answer to `why`.
    const MORE: u64 = 3;
    let least = Limits::default();
    Limits {
        work: least.work * MORE,
        flips: args.flips,
        runs: args.continuations,
        seed: args.seed,
        delivery: args.delivery,
        time: args.time.map(Duration::from_nanos),
        soon: false,
        ..least
    }
}

/// Runs `replay races`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &RacesArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, path) = args.place.parts()?;
    let session = open_session(path)?;
    let bounds = run::bounds(out, args.show);
    let gather = || -> Result<Races, Error> {
        let found = session.find(target.parse::<causality::Target>()?)?;
        let answer = decisive::search(&session, &found, limits(args.search), &bounds)?;
        let Some(answer) = answer else {
            return Err(Error::NoTarget(format!(
                "{} is not a failure: races are tried for a failed test, an abnormal end, a deadlock, a halt(N) or a returned {{error, _}}",
                found.target
            )));
        };
        Ok(Races {
            next: next(path, &answer),
            target: found.target.to_string(),
            answer,
        })
    };
    let working = Working::begin();
    let view = gather();
    drop(working);
    let view = view.map_err(|e| e.about(path))?;
    out.view(&view, args.show, render::races::races)?;
    Ok(Exit::Success)
}

fn next(path: &Path, answer: &Answer) -> Vec<NextCommand> {
    let best = answer.decisive.first();
    let commands = |flip: &decisive::Flip| {
        let choice = match flip.class {
            decisive::Class::Later => "=later",
            decisive::Class::MessageLast => "=last",
            _ => "",
        };
        let (target, file) = (&flip.at.target, path_argument(path));
        [
            NextCommand {
                command: format!("replay --until {target} {file}"),
                what: "the process at the choice that decided".to_owned(),
            },
            NextCommand {
                command: format!("replay what-if {target}{choice} {file}"),
                what: "the run with the other choice".to_owned(),
            },
            NextCommand {
                command: format!("replay explore --from before:{target} {file}"),
                what: "every way that the run could have gone from there".to_owned(),
            },
        ]
    };
    best.map(commands).into_iter().flatten().collect()
}
