//! `replay what-if`: the other choice at a place, and the run after it.

use std::path::Path;

use decisive::{Alternative, Departed, Flip, Limits, Near, Nearest, NotNamed, Outcome, Taken, Verdict, WhatIf};
use log_format::ActionId;
use serde::Serialize;

use crate::cli::shared::{ShowArgs, TARGETS, TimeArgs};
use crate::commands::{Out, Working, open_session, run, saved};
use crate::exit::Exit;
use crate::render;
use crate::view::{Act, NextCommand};
use crate::words::{path_argument, safe};
use clap::Args;
use session::Session;
use session::error::Error;
use session::subject::ShownBounds;
use std::path::PathBuf;
use system::whole_number;

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

/// A process whose log is another one.
#[derive(Serialize)]
pub struct Differs {
    /// The process of the new run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<String>,
    /// The recorded process, unless only the new run has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
    /// The first action that is another one.
    pub number: u64,
    /// What it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Act>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Act>,
}

/// The new run.
#[derive(Serialize)]
pub struct NewRun {
    /// The number of the choice.
    pub choice: usize,
    /// The two things whose order is another one.
    pub flip: Flip,
    /// What was recorded at the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Act>,
    /// What came instead. A process that only waited for the others: its next action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Act>,
    /// What became of the failure. If nothing failed: `passes`, or `another` if it fails now.
    pub verdict: Verdict,
    /// How it ends.
    pub after: Outcome,
    /// Did it come to rest within the limits?
    pub rests: bool,
    /// Processes whose logs are other ones, in the order in which they first differ.
    pub differ: Vec<Differs>,
    /// So many processes did as recorded.
    pub equal: u64,
    /// The file, with `-o`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Actions of the new run.
    pub actions: u64,
    /// Bytes of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// The answer.
#[derive(Serialize)]
pub struct WhatIfAnswer {
    /// The place.
    pub target: String,
    /// What could have come instead.
    pub choices: Vec<Alternative>,
    /// Was one of them named?
    #[serde(skip)]
    pub is_named: bool,
    /// The failure of the recorded run, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The test that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// How the recorded run ended.
    pub before: Outcome,
    /// The new run; none if there are several choices, and none of them decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<NewRun>,
    /// What to type next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextCommand>,
}

/// Runs `replay what-if`.
///
/// # Errors
/// Everything of [`Error`].
pub fn run(args: &WhatIfArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, choice) = args.parts();
    let path = &args.trace;
    let session = open_session(path)?;
    if let Some(file) = &args.output {
        saved::check(file, path, "it is the trace that is read; name another file with -o")?;
    }
    let bounds = run::bounds(out, args.show);
    let limits = Limits {
        seed: args.seed,
        delivery: args.delivery,
        time: args.time.time(),
        ..Limits::default()
    };
    let gather = || -> Result<(String, Result<WhatIf, Nearest>), Error> {
        let found = session.find(target.parse::<causality::Target>()?)?;
        let answer = decisive::what_if(&session, &found, choice, limits, &bounds)?;
        Ok((found.target.to_string(), answer))
    };
    let working = Working::begin();
    let gathered = gather();
    drop(working);
    let (target, answer) = gathered.map_err(|e| e.about(path))?;
    let answer = answer.map_err(|near| Error::NoTarget(no_choice(&target, &near)))?;
    let mut view = WhatIfAnswer {
        target,
        choices: answer.choices,
        is_named: choice.is_some(),
        failure: answer.failure,
        test: answer.test,
        before: answer.before,
        run: None,
        next: Vec::new(),
    };
    match answer.taken {
        Ok(taken) => {
            let (mut new, player) = new_run(&session, *taken, &bounds).map_err(|e| e.about(path))?;
            if let Some(file) = &args.output {
                let saved = saved::write(&player, file, "replay what-if")?;
                new.file = Some(file.to_string_lossy().into_owned());
                new.bytes = Some(saved.bytes);
            }
            view.next = next(&view, args.output.as_deref(), path);
            view.run = Some(new);
            out.view(&view, args.show, render::whatif::answer)?;
            Ok(Exit::Success)
        }
        Err(NotNamed::Several) => {
            view.next = next(&view, None, path);
            out.view(&view, args.show, render::whatif::answer)?;
            Ok(Exit::Usage)
        }
        Err(NotNamed::Unknown) => Err(Error::Usage(named(&view, choice, "names no choice", None))),
        Err(NotNamed::Unclear(all)) => Err(Error::Usage(named(&view, choice, "names several choices", Some(&all)))),
    }
}

/// Why a name is no good, and the choices there are.
fn named(view: &WhatIfAnswer, name: Option<&str>, what: &str, which: Option<&[usize]>) -> String {
    let shown = |one: &&Alternative| which.is_none_or(|which| which.contains(&one.number));
    let lines: Vec<String> = view.choices.iter().filter(shown).map(render::whatif::line).collect();
    let (target, first) = (&view.target, view.choices.first().map_or(1, |one| one.number));
    format!(
        "`{}` {what} at {target}; name one by its number: {target}={first}\n{}",
        safe(name.unwrap_or("")),
        lines.join("\n")
    )
}

/// What a target without another choice is, and where the nearest one is.
fn no_choice(target: &str, near: &Nearest) -> String {
    let what = match &near.at {
        Some(act) if near.chooses => format!(
            "{target}: {} {}, and nothing else could have come then",
            act.pid,
            render::text::words(act)
        ),
        Some(act) => format!("{target} is no choice: {} {}", act.pid, render::text::words(act)),
        None => format!("{target} is no choice: it is the beginning of a process"),
    };
    match &near.nearest {
        Some((how, act)) => {
            let where_ = match how {
                Near::Receipt => "The choice nearest to it is where what it sent was received",
                Near::Past => "The nearest choice in its causal past is",
                Near::Later => "Nothing that led to it is a choice. The next one of its process is",
            };
            let separator = if *how == Near::Receipt { ", " } else { " " };
            format!(
                "{what}. {where_}{separator}{}: {} {}",
                act.target,
                act.pid,
                render::text::words(act)
            )
        }
        None => format!("{what}. There is no choice near it"),
    }
}

fn next(view: &WhatIfAnswer, output: Option<&Path>, path: &Path) -> Vec<NextCommand> {
    let command = |command: String, what: &str| NextCommand {
        command,
        what: what.to_owned(),
    };
    let mut all = Vec::new();
    if let Some(file) = output {
        all.push(command(format!("replay info {}", path_argument(file)), "the new run"));
        let (old, new) = (path_argument(path), path_argument(file));
        all.push(command(format!("replay diff {old} {new}"), "where the two runs differ"));
    } else if let Some(one) = view.choices.first().filter(|_| view.choices.len() > 1) {
        let (target, number, file) = (&view.target, one.number, path_argument(path));
        all.push(command(
            format!("replay what-if {target}={number} {file}"),
            "take the choice with this number",
        ));
    }
    all.push(command(
        format!("replay explore --from before:{} {}", view.target, path_argument(path)),
        "every way that the run could have gone from there",
    ));
    all
}

/// The new run, with the contents of its actions.
fn new_run(session: &Session, taken: Taken, bounds: &ShownBounds) -> Result<(NewRun, session::player::Player), Error> {
    let player = taken.player;
    let there = |id: ActionId| id.number.0 > 0 && player.done(id.pid) >= id.number.0;
    let mut olds = vec![taken.recorded];
    let mut news: Vec<ActionId> = Some(taken.at).filter(|id| there(*id)).into_iter().collect();
    for one in &taken.departed {
        if let Some(old) = one.recorded {
            let id = ActionId::new(old, one.number);
            olds.extend((one.number <= length(session, id.pid)?).then_some(id));
        }
        news.extend(
            one.pid
                .map(|pid| ActionId::new(pid, one.number))
                .filter(|id| there(*id)),
        );
    }
    let olds = acts(session, olds, bounds)?;
    let news = acts(&player.told()?, news, bounds)?;
    let find = |all: &[Act], id: ActionId| {
        all.iter()
            .find(|act| act.pid == id.pid && act.number == id.number.0)
            .cloned()
    };
    let differs = |one: &Departed| Differs {
        pid: one.pid.map(|pid| pid.to_string()),
        recorded: one.recorded.map(|pid| pid.to_string()),
        number: one.number,
        was: one.recorded.and_then(|pid| find(&olds, ActionId::new(pid, one.number))),
        is: one.pid.and_then(|pid| find(&news, ActionId::new(pid, one.number))),
    };
    let new = NewRun {
        choice: taken.number,
        was: find(&olds, taken.recorded),
        is: find(&news, taken.at),
        verdict: taken.flip.verdict,
        after: taken.flip.outcome.clone(),
        flip: taken.flip,
        rests: taken.rests,
        differ: taken.departed.iter().map(differs).collect(),
        equal: taken.equal,
        file: None,
        actions: player.position().cut.actions(),
        bytes: None,
    };
    Ok((new, player))
}

fn length(session: &Session, pid: log_format::Pid) -> Result<u64, Error> {
    Ok(session.trace().process(pid)?.counts.last_action().0)
}

fn acts(session: &Session, mut ids: Vec<ActionId>, bounds: &ShownBounds) -> Result<Vec<Act>, Error> {
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(session::scene::acts(session, &ids, bounds)?
        .into_iter()
        .flatten()
        .collect())
}
