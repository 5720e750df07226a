//! The answer of `replay explore`, as data and as text.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use multiverse::outcome::{UniverseEnd, Violation};
use multiverse::summary::Cut;
use multiverse::{Sampled, Summary, UniverseOutcome};
use serde::Serialize;

use super::bounds::{self, Estimated};
use super::groups::{Sample, ToldGroup};
use crate::commands::explore::arguments::ExploreArgs;
use crate::diagram::{self, Diagram, Marks, Style, WantedDiagram};
use crate::render::text::{Layout, wrap};
use crate::words::{count, cut, number, path_argument, safe};
use log_format::Trace;
use session::{Error, Session};

/// Limits: groups of outcomes, and lines of an outcome, that are shown.
const SHOWN: usize = 20;
const LINES: usize = 8;
/// So few other values of a group are shown.
const FEW: usize = 3;
/// With --view: groups that are drawn, and actions of each.
const DRAWN: usize = 20;
const STEPS: usize = 30;

/// The answer.
#[derive(Serialize)]
pub(super) struct ExploreReport {
    universes: u64,
    /// Of random walks: what they estimate. Then universes are those that walks came to, one perhaps several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<Estimated>,
    /// How many of them fail.
    pub failing: u64,
    /// Are these all of them?
    complete: bool,
    runs: u64,
    seconds: f64,
    /// How many runs were left out because something must be held up for longer, each at the first choice that needs it.
    stalled: u64,
    /// How many ways were known and not gone when the search was stopped.
    open: u64,
    /// Why there can be more, if there can.
    notes: Vec<String>,
    /// Outcomes that differ in nothing but values are one group. Failures first, those first that need the least stall; then the most frequent.
    groups: Vec<Group>,
    /// Every outcome.
    outcomes: Vec<One>,
    /// The files of units that are left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
}

impl ExploreReport {
    /// With these files of units that are left.
    pub fn with_left(self, left: Vec<String>) -> Self {
        Self { left, ..self }
    }
}

/// A group of outcomes.
#[derive(Serialize)]
struct Group {
    /// From 1.
    group: usize,
    /// What one of its universes came to, in a line.
    headline: String,
    failure: bool,
    details: Vec<String>,
    universes: u64,
    /// How many different outcomes.
    outcomes: u64,
    shortest: Kept,
    /// Of a failure: the universe of those that were measured that needs the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_stall: Option<Least>,
    /// Its causes as a diagram.
    #[serde(skip)]
    lanes: Option<String>,
}

/// The causes of the failure of a universe, or of the end of its entry.
fn drawn(bytes: &[u8], style: Style) -> Result<String, Error> {
    let session = Session::of(Arc::new(Trace::from_bytes(bytes.to_vec())?))?;
    let found = match session.find("error".parse::<causality::Target>()?) {
        Ok(found) => found,
        Err(Error::NoTarget(_) | Error::Trace { .. }) => {
            let entry = session
                .trace()
                .processes()
                .next()
                .transpose()?
                .map_or(log_format::Pid(1), |entry| entry.pid);
            session.find(format!("end:{entry}").parse::<causality::Target>()?)?
        }
        Err(error) => return Err(error),
    };
    let diagram = Diagram::of(
        &session,
        &found,
        WantedDiagram {
            limit: STEPS,
            marks: &Marks::default(),
        },
    )?;
    let mut text = Vec::new();
    diagram::lanes(&mut text, &diagram, style)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A universe that was kept.
#[derive(Serialize)]
struct Kept {
    actions: u64,
    /// Its trace, if traces are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    /// Where an invariant fails: after this action.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

/// The universe that needs the least.
#[derive(Serialize)]
struct Least {
    ms: u64,
    needs_free_delivery: bool,
    /// There can be one that needs less: not all were measured.
    at_most: bool,
    #[serde(flatten)]
    kept: Kept,
}

/// An outcome, and the universes that have it.
#[derive(Serialize)]
struct One {
    group: usize,
    #[serde(skip)]
    headline: String,
    outcome: String,
    failure: bool,
    details: Vec<String>,
    universes: u64,
    /// The number of actions of the shortest one.
    shortest: u64,
}

/// Makes the answer, and writes the traces.
pub(super) fn view(
    args: &ExploreArgs,
    (summary, sampled): (&Summary, Option<&Sampled>),
    (groups_told, failing): (Vec<ToldGroup>, u64),
    notes: Vec<String>,
    (time, style): (Duration, Option<Style>),
) -> Result<ExploreReport, Error> {
    let (mut groups, mut outcomes) = (Vec::new(), Vec::new());
    for (told, number) in groups_told.into_iter().zip(1..) {
        groups.push(group(args, &told, number, style.filter(|_| number <= DRAWN))?);
        outcomes.extend(told.outcomes.into_iter().map(|(outcome, universes, shortest)| One {
            group: number,
            headline: headline(&outcome).0,
            outcome: ending(&outcome),
            failure: outcome.is_failure(),
            details: details(&outcome),
            universes,
            shortest,
        }));
    }
    Ok(ExploreReport {
        universes: summary.universes,
        estimated: sampled.map(Estimated::of),
        failing,
        complete: summary.is_complete(),
        runs: summary.runs,
        stalled: summary.stalled,
        open: summary.open,
        seconds: time.as_secs_f64(),
        notes,
        groups,
        outcomes,
        left: Vec::new(),
    })
}

fn group(args: &ExploreArgs, told: &ToldGroup, number: usize, style: Option<Style>) -> Result<Group, Error> {
    let kept = |sample: &Sample, which: &str| -> Result<Kept, Error> {
        let trace = match (&args.traces, &sample.trace) {
            (Some(folder), Some(bytes)) => {
                let name = name(&args.program, &sample.outcome, number, which);
                Some(write(&folder.join(name), bytes)?)
            }
            _ => None,
        };
        Ok(Kept {
            actions: sample.actions,
            trace: trace.map(|path| path_argument(&path)),
            broken: sample
                .broken
                .filter(|at| at.number.0 > 0)
                .map(|at| format!("event:{}/{}", at.pid, at.number.0)),
        })
    };
    let is_one = told
        .calmest
        .as_ref()
        .is_none_or(|(_, calmest)| calmest.actions == told.shortest.actions);
    let shown = told.shown();
    let least_stall = match &told.calmest {
        Some((needs, calmest)) => Some(Least {
            ms: needs.stall,
            needs_free_delivery: needs.free_delivery,
            at_most: !told.all_measured,
            kept: kept(calmest, "")?,
        }),
        None => None,
    };
    let shortest = match &least_stall {
        // As long, and needs less.
        Some(least) if is_one => Kept {
            actions: least.kept.actions,
            trace: least.kept.trace.clone(),
            broken: least.kept.broken.clone(),
        },
        Some(_) => kept(&told.shortest, "-shortest")?,
        None => kept(&told.shortest, "")?,
    };
    let (headline, details) = headline(&shown.outcome);
    let lanes = match (style, &shown.trace) {
        (Some(style), Some(bytes)) => Some(drawn(bytes, style)?),
        _ => None,
    };
    Ok(Group {
        lanes,
        group: number,
        headline,
        failure: shown.outcome.is_failure(),
        details,
        universes: told.universes,
        outcomes: told.outcomes.len() as u64,
        shortest,
        least_stall,
    })
}

/// The name of the trace of a universe says which program and what comes of it.
fn name(program: &Path, outcome: &UniverseOutcome, number: usize, which: &str) -> String {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let word = match outcome.end {
        UniverseEnd::Crashed(_) => "crashed",
        UniverseEnd::Deadlock(_) => "deadlock",
        UniverseEnd::Halted(_) => "halted",
        UniverseEnd::Returned(_) => "returned",
        UniverseEnd::Exited => "exited",
        UniverseEnd::Cut(_) => "cut",
    };
    format!("{stem}-{word}-{number}{which}.trace")
}

fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, Error> {
    let failed = |error: std::io::Error| Error::Output {
        path: path.to_owned(),
        error: error.to_string(),
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| place.keep()).map_err(failed)?;
    Ok(path.to_owned())
}

fn ending(outcome: &UniverseOutcome) -> String {
    match &outcome.end {
        UniverseEnd::Crashed(reason) => {
            let others = |place: &&(String, String)| !outcome.crashes.iter().any(|(pid, _)| *pid == place.0);
            let place = outcome.places.iter().find(others).map(|(_, place)| place);
            format!("the entry crashed{}: {}", at(place), safe(reason))
        }
        UniverseEnd::Deadlock(_) => "the entry waits for ever".to_owned(),
        UniverseEnd::Halted(status) => format!("halt({status})"),
        UniverseEnd::Returned(value) => format!("returned {}", safe(value)),
        UniverseEnd::Exited => "the entry ended with a normal exit".to_owned(),
        UniverseEnd::Cut(Cut::Steps) => "the entry did not end within --steps".to_owned(),
        UniverseEnd::Cut(Cut::Computes) => "a process computes without end, or for very long".to_owned(),
    }
}

fn at(place: Option<&String>) -> String {
    place.map_or_else(String::new, |place| format!(" at {}", safe(place)))
}

fn details(outcome: &UniverseOutcome) -> Vec<String> {
    let test =
        |(name, reason): &(String, String)| format!("{} failed: {}", safe(&causality::test_said(name)), safe(reason));
    let mut lines: Vec<String> = outcome.tests.iter().map(test).collect();
    lines.extend(outcome.violations.iter().map(violation));
    for (pid, reason) in &outcome.crashes {
        let place = outcome.places.iter().find(|(of, _)| of == pid).map(|(_, place)| place);
        lines.push(format!("{pid} crashed{}: {}", at(place), safe(reason)));
    }
    if let UniverseEnd::Deadlock(waits) = &outcome.end {
        lines.extend(
            waits
                .iter()
                .map(|(pid, place)| format!("{pid} waits at {}", safe(place))),
        );
    }
    for (pid, text) in &outcome.printed {
        lines.extend(text.lines().map(|line| format!("{pid} printed {}", safe(line))));
    }
    if outcome.cut == Some(Cut::Steps) && !matches!(outcome.end, UniverseEnd::Cut(_)) {
        lines.push("another process did not end within --steps".to_owned());
    }
    for (pid, left) in &outcome.unreceived {
        lines.push(format!("{pid} did not receive {}", count(*left, "message")));
    }
    lines
}

fn violation(one: &Violation) -> String {
    format!(
        "{} does not hold{}: {} of {} is {}; it {}",
        safe(&one.invariant),
        at(Some(&one.place).filter(|place| !place.is_empty())),
        one.about,
        safe(&one.who),
        safe(&one.value),
        safe(&one.how)
    )
}

/// What to say first, and what more. If the entry came to a good end and another process crashed, that is what matters.
pub(super) fn headline(outcome: &UniverseOutcome) -> (String, Vec<String>) {
    let ending = ending(outcome);
    let mut details = details(outcome);
    let well = matches!(
        outcome.end,
        UniverseEnd::Returned(_) | UniverseEnd::Exited | UniverseEnd::Halted(0)
    );
    let wrong = outcome.tests.len() + outcome.crashes.len() + outcome.violations.len();
    // The tool that ran the tests halts with a status that tells of them.
    let well = well || !outcome.tests.is_empty() && matches!(outcome.end, UniverseEnd::Halted(_));
    if !well || wrong == 0 {
        return (ending, details);
    }
    let ending = match outcome.end {
        UniverseEnd::Returned(_) => format!("the entry {ending}"),
        _ => ending,
    };
    let first = std::mem::replace(&mut details[0], ending);
    let others = wrong - 1;
    details[..=others].rotate_left(1);
    (first, details)
}

pub(super) fn text(out: &mut dyn Write, view: &ExploreReport, layout: &Layout) -> std::io::Result<()> {
    match &view.estimated {
        Some(estimated) => {
            bounds::text(out, estimated, view.seconds, layout)?;
            writeln!(out, "{}", wrap(&format!("  {}", bounds::EXPLAINED), layout.width))?;
        }
        None => first_line(out, view, layout)?,
    }
    for note in &view.notes {
        writeln!(out, "{}", wrap(&format!("  {note}"), layout.width))?;
    }
    let shown = if layout.all { usize::MAX } else { SHOWN };
    for path in view.left.iter().take(shown) {
        writeln!(out, "    left: {path}")?;
    }
    if view.left.len() > shown {
        writeln!(
            out,
            "    … and {} (--all)",
            count((view.left.len() - shown) as u64, "file")
        )?;
    }
    for group in view.groups.iter().take(shown) {
        one_group(out, view, group, layout)?;
    }
    if view.groups.len() > shown {
        let left = (view.groups.len() - shown) as u64;
        writeln!(out, "\n… and {} of outcomes (--all)", count(left, "group"))?;
    }
    Ok(())
}

fn first_line(out: &mut dyn Write, view: &ExploreReport, layout: &Layout) -> std::io::Result<()> {
    let all = match view.complete {
        true => ": these are all".to_owned(),
        false => ", and there can be more".to_owned(),
    };
    let fail = match (view.universes, view.failing) {
        (0, _) => String::new(),
        (_, 0) => "; none of them fails".to_owned(),
        (_, 1) => layout.paint.bad("; 1 of them fails"),
        (_, failing) => layout.paint.bad(&format!("; {} of them fail", number(failing))),
    };
    writeln!(
        out,
        "{}{all} ({} in {:.1} s){fail}",
        layout.paint.strong(&count(view.universes, "universe")),
        count(view.runs, "run"),
        view.seconds
    )
}

fn one_group(out: &mut dyn Write, view: &ExploreReport, group: &Group, layout: &Layout) -> std::io::Result<()> {
    let outcome = short(&group.headline, layout);
    let outcome = match group.failure {
        true => layout.paint.bad(&outcome),
        false => outcome,
    };
    writeln!(out, "\n{:>8}  {outcome}  ({})", number(group.universes), lengths(group))?;
    lines(out, "            ", &group.details, layout)?;
    let traces = group.least_stall.iter().map(|least| &least.kept);
    let mut traces: Vec<(&str, Option<&str>)> = traces
        .chain([&group.shortest])
        .filter_map(|kept| Some((kept.trace.as_deref()?, kept.broken.as_deref())))
        .collect();
    traces.dedup();
    for ((trace, broken), which) in traces.iter().zip(["", "  (the shortest)"]) {
        match broken {
            Some(at) => writeln!(out, "            replay state {at} {trace}{which}")?,
            None if group.failure => writeln!(out, "            replay why {trace}{which}")?,
            None => writeln!(out, "            replay info {trace}{which}")?,
        }
    }
    others(out, view, group, layout)?;
    match &group.lanes {
        Some(lanes) => write!(out, "\n{lanes}"),
        None => Ok(()),
    }
}

/// The other outcomes of a group: the values of a few, the number of many.
fn others(out: &mut dyn Write, view: &ExploreReport, group: &Group, layout: &Layout) -> std::io::Result<()> {
    let more = group.outcomes.saturating_sub(1);
    if more == 0 {
        return Ok(());
    }
    let all = view.outcomes.iter().filter(|one| one.group == group.group);
    if layout.all {
        writeln!(out, "            all {} that differ in values:", number(group.outcomes))?;
        for one in all {
            let shortest = count(one.shortest, "action");
            writeln!(
                out,
                "{:>20}  {}  (shortest: {shortest})",
                number(one.universes),
                one.outcome
            )?;
            lines(out, "                        ", &one.details, layout)?;
        }
        return Ok(());
    }
    let others = all.map(|one| one.headline.as_str());
    let others: BTreeSet<&str> = others.filter(|one| *one != group.headline).take(FEW + 1).collect();
    if others.len() as u64 == more && others.len() <= FEW {
        for other in others {
            writeln!(out, "            or: {}", short(other, layout))?;
        }
        return Ok(());
    }
    let differ = if more == 1 { "differs" } else { "differ" };
    writeln!(
        out,
        "            and {} more that {differ} only in values (--all)",
        number(more)
    )
}

/// How long the universes of a group are that are kept, and what the first one needs.
fn lengths(group: &Group) -> String {
    let shortest = count(group.shortest.actions, "action");
    let Some(least) = &group.least_stall else {
        return format!("shortest: {shortest}");
    };
    let most = if least.at_most { "at most " } else { "" };
    let free = if least.needs_free_delivery {
        " and free delivery"
    } else {
        ""
    };
    let needs = match least.ms {
        0 if least.needs_free_delivery => "needs free delivery".to_owned(),
        0 => "needs no stall".to_owned(),
        ms => format!("needs a stall of {most}{} ms{free}", number(ms)),
    };
    match least.kept.actions == group.shortest.actions {
        true => format!("shortest: {shortest}; {needs}"),
        false => format!("{}; {needs}; shortest: {shortest}", count(least.kept.actions, "action")),
    }
}

/// A line, cut after two lines' worth of characters unless all is shown.
fn short(line: &str, layout: &Layout) -> String {
    match layout.all {
        true => line.to_owned(),
        false => cut(line, 2 * layout.width.clamp(40, 120)),
    }
}

fn lines(out: &mut dyn Write, indent: &str, all: &[String], layout: &Layout) -> std::io::Result<()> {
    let most = if layout.all { usize::MAX } else { LINES };
    for line in all.iter().take(most) {
        writeln!(out, "{indent}{}", short(line, layout))?;
    }
    if all.len() > most {
        writeln!(
            out,
            "{indent}… and {} (--all)",
            count((all.len() - most) as u64, "line")
        )?;
    }
    Ok(())
}
