//! `replay info`: the contents of a trace, what went wrong, and the commands to type next.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use log_format::{
    ActionId, Counts, FinalState, InputClass, Kind, LogStep, Pid, ProcessOutcome, REMOVED, REMOVED_SHUTDOWN, Resource,
    Result, RunEnd, Status, TextId, Trace, Version,
};

use crate::cli::shared::ShowArgs;
use crate::commands::{Out, open, run};
use crate::exit::Exit;
use crate::render;
use crate::spoken::ready;
use crate::view::{Extent, Info, NextCommand, Trouble};
use crate::words::{bytes, count, path_argument, safe};
use clap::Args;
use session::Session;
use session::error::Error;
use session::name;
use session::program::Sources;
use session::subject::ShownBounds;
use std::path::PathBuf;

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

/// Actions of a trace with more than this are counted by kind only with `--all`.
const COUNTED: u64 = 2_000_000;
/// The stall of a run with more actions is told by `why`, and with `--all`.
const MEASURED: u64 = 20_000;
/// The process that calls the entry.
const FIRST: Pid = Pid(system::FIRST_PID);
/// Limit: failed or waiting processes that are listed.
const LISTED: usize = 10;

/// Runs `replay info`.
///
/// # Errors
/// The file cannot be read or is not a trace; standard output cannot be written.
pub fn run(args: &InfoArgs, out: &mut Out<'_>) -> std::result::Result<Exit, Error> {
    let trace = open(&args.trace)?;
    // A short name may mean another trace after the next run, so the path is shown.
    let file = crate::store::resolve(args.trace.as_os_str())?;
    let mut view = gather(&trace, &file, args.show.all).map_err(|e| Error::from(e).about(&args.trace))?;
    view.stall = stall(trace, run::bounds(out, args.show), args.show.all).map_err(|e| e.about(&args.trace))?;
    out.view(&view, args.show, render::info::info)?;
    Ok(Exit::Success)
}

/// The stall of a failed run, unless it is long: to measure it takes a few replays, and `info` has to be quick.
fn stall(trace: Arc<Trace>, bounds: ShownBounds, all: bool) -> std::result::Result<Option<delay::Told>, Error> {
    let actions = trace.totals().counts.actions;
    // How its processes ended is known to each log alone, and there may be millions.
    if !all && actions > MEASURED && matches!(trace.status(), Status::Incomplete { .. }) {
        return Ok(None);
    }
    // Nothing failed; or it cannot be read what did, and all else is shown.
    let Ok(found) = causality::Target::Error.resolve(&trace) else {
        return Ok(None);
    };
    if !all && actions > MEASURED {
        let why = format!(
            "of a run of {} it is told by --all and by replay why",
            count(actions, "action")
        );
        return Ok(Some(delay::Told::unknown(why)));
    }
    let session = match Session::of(trace) {
        Ok(session) => ready(session),
        Err(error) => return Ok(Some(delay::Told::unknown(error.to_string()))),
    };
    delay::Told::of(&session, &found, ::why::STALLS, &bounds).map(Some)
}

/// Gathers the contents of a trace. `all`: count and list everything, however long it takes.
///
/// # Errors
/// If it is damaged where it is read.
pub fn gather(trace: &Trace, path: &Path, all: bool) -> Result<Info> {
    let header = trace.header();
    let totals = trace.totals();
    let actions = totals.counts.actions;
    let Counted {
        kinds,
        inputs,
        observed,
        hashed,
        modules,
    } = if all || actions <= COUNTED {
        counted(trace)?
    } else {
        Counted::default()
    };
    let program = trace.program()?;
    let run_end = trace.run_end()?;
    // Without the outcomes of processes, everything else can still be shown and replayed.
    let (outcomes, unreadable) = match trace.outcomes() {
        Ok(outcomes) => (outcomes, String::new()),
        Err(error) if error.is_bad_trace() => (
            Vec::new(),
            format!("; how its processes ended cannot be read: {}", safe(&error.to_string())),
        ),
        Err(error) => return Err(error),
    };
    let Troubles {
        crashes,
        running,
        waiting,
        more: mut more_trouble,
    } = troubles(trace, &outcomes, run_end.as_ref(), all)?;
    let tests = causality::tests(trace)?;
    let (mut outcome, failed) = with_tests(outcome(run_end.as_ref()), run_end.as_ref(), &tests);
    // A slice contains the outcome of the whole run, whose failure need not be part of the slice.
    let elsewhere = trace.is_slice() && failed && causality::Target::Error.resolve(trace).is_err();
    if elsewhere {
        outcome.push_str(" (of the whole run; not in this slice)");
    }
    let mut failed_tests: Vec<Trouble> = tests.iter().filter_map(failed_test).collect();
    let failed = failed || outcomes.iter().any(is_failure);
    let returned_error = matches!(&run_end, Some(RunEnd::Returned(value)) if value.starts_with("{error,"));
    let has_error = !elsewhere && (failed || returned_error);
    if !all && failed_tests.len() > LISTED {
        more_trouble += (failed_tests.len() - LISTED) as u64;
        failed_tests.truncate(LISTED);
    }
    let (blocks, index) = trace.sizes();
    let (major, minor) = trace.version();
    let list = |words: &[String]| words.iter().map(|w| safe(w)).collect::<Vec<_>>();
    let receive_numbers = receive_numbers(trace)?;
    let scrubbed = program.sources.is_empty() && run_end.is_some();
    let replays = !header.arguments_left_out() && !scrubbed;
    let next = next(path, has_error, replays, totals.counts.receives, receive_numbers);
    let (modules, more_modules) = changes(trace, modules, all)?;
    Ok(Info {
        trace: path.to_string_lossy().into_owned(),
        argument: path_argument(path),
        bytes: trace.bytes(),
        format: format!("{major}.{minor}"),
        recorder: safe(&header.tool),
        recorded: moment(trace.clock()),
        status: format!("{}{unreadable}", status(trace, run_end.as_ref())),
        complete: !matches!(trace.status(), Status::Incomplete { .. })
            && !matches!(run_end, Some(RunEnd::Unrecorded { .. })),
        command: list(&header.command),
        entry: safe(&header.entry),
        arguments: list(&header.arguments),
        schedule: safe(&header.schedule),
        seed: header.seed,
        virtual_time: header.virtual_time,
        otp: system::recorder::release(header)?.number(),
        outcome,
        failed,
        stall: None,
        extent: Extent {
            actions,
            processes: totals.processes,
        },
        sends: totals.counts.sends,
        receive_numbers,
        receives: totals.counts.receives,
        private: private(trace, &kinds, &inputs, observed, hashed, &outcomes)?,
        kinds,
        bytes_per_action: (actions > 0).then(|| blocks.saturating_add(index) as f64 / actions as f64),
        program: lengths(&program),
        options: compiled_with(&program),
        modules,
        more_modules,
        crashes,
        failed_tests,
        running,
        waiting,
        stopped: was_stopped(run_end.as_ref()),
        more_trouble,
        next,
    })
}

/// The path of a source, and what it is besides a text of the program.
fn described(source: &log_format::ModuleSource) -> String {
    let path = safe(&source.path);
    match source.format.as_str() {
        "forms" => format!("{path} (forms)"),
        "transform" => format!("{path} (parse transform)"),
        _ => path,
    }
}

/// The compiler options of all modules.
fn compiled_with(program: &log_format::Program) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for option in program.sources.iter().flat_map(|source| &source.options) {
        let text = safe(&option.to_string());
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// By class of input: the number of values, their bytes, and how many were left out.
type Inputs = BTreeMap<InputClass, (u64, u64, u64)>;

/// The number of actions of each kind.
type Kinds = Vec<(String, u64)>;

/// What one pass over all actions finds.
#[derive(Default)]
struct Counted {
    /// Actions by kind, the most frequent first.
    kinds: Kinds,
    /// Inputs by class.
    inputs: Inputs,
    /// How many values were observed.
    observed: u64,
    /// How many accesses have the hash of a key.
    hashed: u64,
    /// The writes of modules: the name of each, the version, and the action.
    modules: BTreeSet<(TextId, Version, ActionId)>,
}

/// The files of the program, and their lengths in bytes.
fn lengths(program: &log_format::Program) -> Vec<(String, u64)> {
    let files = program.sources.iter();
    files
        .map(|source| (described(source), source.bytes.len() as u64))
        .collect()
}

/// The changes of each module, in the order of its versions.
type Changes = Vec<(String, Vec<String>)>;

/// The changes of modules, and how many modules were left out.
fn changes(trace: &Trace, all: BTreeSet<(TextId, Version, ActionId)>, whole: bool) -> Result<(Changes, Option<u64>)> {
    let mut modules = Changes::new();
    let mut last = None;
    for (name, _, action) in all {
        if last != Some(name) {
            modules.push((safe(trace.text(name)?), Vec::new()));
            last = Some(name);
        }
        if let Some((_, changes)) = modules.last_mut() {
            changes.push(action.to_string());
        }
    }
    for (_, changes) in modules
        .iter_mut()
        .filter(|(_, changes)| !whole && changes.len() > LISTED)
    {
        let more = changes.len() - LISTED;
        changes.truncate(LISTED);
        changes.push(format!("and {more} more"));
    }
    let more = if whole { 0 } else { modules.len().saturating_sub(LISTED) };
    modules.truncate(modules.len() - more);
    Ok((modules, (more > 0).then_some(more as u64)))
}

fn counted(trace: &Trace) -> Result<Counted> {
    let mut kinds: Vec<(&'static str, u64)> = Vec::new();
    let mut inputs = Inputs::default();
    let (mut observed, mut hashed) = (0, 0);
    let mut modules = BTreeSet::new();
    let mut count = |word: &'static str, n: u64| match kinds.iter_mut().find(|(kind, _)| *kind == word) {
        Some((_, total)) => *total += n,
        None => kinds.push((word, n)),
    };
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?;
        let mut number = 0;
        while let Some(step) = log.step(u64::MAX)? {
            match step {
                LogStep::Sends(n) => {
                    number += n;
                    count(Kind::Send.word(), n);
                }
                LogStep::Action(action) => {
                    number += 1;
                    for access in action.accesses.iter().filter(|access| access.write) {
                        if let Resource::Module(name) = access.resource {
                            modules.insert((name, access.version, ActionId::new(pid, number)));
                        }
                    }
                    count(action.kind.word(), 1);
                    observed += u64::from(matches!(&action.kind, Kind::Observe { value, .. } if !value.is_empty()));
                    hashed += action
                        .accesses
                        .iter()
                        .filter(|access| access.resource.has_key())
                        .count() as u64;
                    if let Kind::Input { value } = &action.kind
                        && let Some((class, bytes)) = InputClass::split(value)
                    {
                        let (there, length, left_out) = inputs.entry(class).or_default();
                        match bytes {
                            Some(bytes) => {
                                *there += 1;
                                *length += bytes.len() as u64;
                            }
                            None => *left_out += 1,
                        }
                    }
                }
            }
        }
    }
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    Ok(Counted {
        kinds: kinds.into_iter().map(|(kind, n)| (kind.to_owned(), n)).collect(),
        inputs,
        observed,
        hashed,
        modules,
    })
}

/// How the run ended, for people, and whether that is a failure.
fn outcome(end: Option<&RunEnd>) -> (String, bool) {
    match end {
        None => ("unknown: the recording was cut off".to_owned(), false),
        Some(RunEnd::Returned(value)) if value.is_empty() => ("the entry returned".to_owned(), false),
        Some(RunEnd::Returned(value)) => (format!("the entry returned {}", safe(value)), false),
        Some(RunEnd::Crashed { class, reason }) => {
            (format!("the entry crashed: {} {}", safe(class), safe(reason)), true)
        }
        Some(RunEnd::Deadlock) => ("deadlock: the entry waits for ever".to_owned(), true),
        Some(RunEnd::Limit(limit)) => (format!("a limit was reached: {}", safe(limit)), false),
        Some(RunEnd::Halted(0)) => ("halted with status 0".to_owned(), false),
        Some(RunEnd::Halted(code)) => (format!("halted with status {code}"), true),
        Some(RunEnd::Interrupted(by)) => (format!("interrupted by {}", safe(by)), false),
        Some(RunEnd::Unrecorded { why, then }) => (
            format!("recording stopped early: {}; then {}", safe(why), safe(then)),
            false,
        ),
    }
}

/// How the run of a trace ended, for people, and whether it failed: of a run of tests, how many of them did.
///
/// # Errors
/// If the trace is damaged.
pub(crate) fn outcome_of(trace: &Trace) -> Result<(String, bool)> {
    let end = trace.run_end()?;
    Ok(with_tests(
        outcome(end.as_ref()),
        end.as_ref(),
        &causality::tests(trace)?,
    ))
}

/// Adds how many tests failed. That the runner of tests returned says nothing then.
fn with_tests((outcome, failed): (String, bool), end: Option<&RunEnd>, tests: &[causality::Test]) -> (String, bool) {
    let failures = tests.iter().filter(|test| test.failed().is_some()).count();
    if failures == 0 {
        return (outcome, failed);
    }
    let ran = tests.iter().filter(|test| test.began.is_some()).count().max(failures);
    let told = format!("of {}, {failures} failed", count(ran as u64, "test"));
    let told = match end {
        Some(RunEnd::Returned(_)) => told,
        _ => format!("{outcome}; {told}"),
    };
    (told, true)
}

fn status(trace: &Trace, end: Option<&RunEnd>) -> String {
    let counts = trace.totals().counts;
    match trace.status() {
        Status::Complete if matches!(end, Some(RunEnd::Unrecorded { .. })) => {
            format!("recording stopped early, last rec:{}", counts.receives)
        }
        Status::Complete if trace.is_slice() => "a slice, complete".to_owned(),
        Status::Complete => "complete".to_owned(),
        Status::IndexRebuilt { damaged: false, .. } => "complete, without an index".to_owned(),
        Status::IndexRebuilt { why, .. } => {
            format!("complete; the index is damaged and was made again: {}", safe(why))
        }
        Status::Incomplete { damaged: false, .. } if counts == Counts::default() => {
            format!("cut off before anything was recorded, {}", bytes(trace.bytes()))
        }
        Status::Incomplete {
            end,
            lost,
            why,
            damaged,
        } => {
            let held = format!(
                "incomplete, last rec:{}: {}, {} up to byte {end}",
                counts.receives,
                count(counts.actions, "action"),
                count(counts.receives, "receive")
            );
            match (lost, why) {
                (0, _) | (_, None) => held,
                (lost, _) if !damaged => format!("{held}; the {} after it were not written to their end", bytes(*lost)),
                (lost, Some(why)) => format!("{held}; {} after it cannot be used: {}", bytes(*lost), safe(why)),
            }
        }
    }
}

/// Was the run stopped while it could still go on?
const fn was_stopped(end: Option<&RunEnd>) -> bool {
    matches!(end, Some(RunEnd::Interrupted(_) | RunEnd::Limit(_)))
}

/// Processes in trouble: the first of each sort.
#[derive(Default)]
struct Troubles {
    /// Those that ended abnormally.
    crashes: Vec<Trouble>,
    /// Those that were running when the run was stopped.
    running: Vec<Trouble>,
    /// Those that waited.
    waiting: Vec<Trouble>,
    /// How many more there are of all.
    more: u64,
}

/// Finds the processes in trouble.
fn troubles(trace: &Trace, outcomes: &[ProcessOutcome], end: Option<&RunEnd>, all: bool) -> Result<Troubles> {
    let limit = if all { usize::MAX } else { LISTED };
    let mut found = Troubles::default();
    let sources = Sources::of(trace)?;
    let is_own = |location: &str| {
        let mut parts = location.rsplitn(3, ':');
        parts.nth(2).is_some_and(|file| sources.owns(file))
    };
    let add = |list: &mut Vec<Trouble>, more: &mut u64, make: &dyn Fn() -> Result<Trouble>| {
        if list.len() < limit {
            list.push(make()?);
        } else {
            *more += 1;
        }
        Ok::<_, log_format::Error>(())
    };
    for outcome in outcomes {
        let ProcessOutcome {
            pid, state, mailbox, ..
        } = outcome;
        let trouble = |target: String, what: String| Trouble {
            pid: pid.to_string(),
            target,
            what,
            unreceived: *mailbox,
        };
        match state {
            FinalState::Ended { reason, .. } if reason == "normal" => {}
            FinalState::Ended { reason, .. } => add(&mut found.crashes, &mut found.more, &|| {
                let what = if reason.is_empty() {
                    "ended".to_owned()
                } else {
                    safe(reason)
                };
                Ok(trouble(end_target(trace, *pid)?, what))
            })?,
            // A server of the library that waits for its next request is not listed, unless the entry waits for ever.
            FinalState::Waiting { location }
                if *mailbox > 0
                    || was_stopped(end)
                    || end == Some(&RunEnd::Deadlock)
                    || matches!(end, Some(RunEnd::Returned(_) | RunEnd::Crashed { .. }))
                        && (all || is_own(location)) =>
            {
                add(&mut found.waiting, &mut found.more, &|| {
                    Ok(trouble(format!("end:{pid}"), format!("waits at {}", safe(location))))
                })?;
            }
            FinalState::Running { location } if was_stopped(end) && !location.is_empty() => {
                add(&mut found.running, &mut found.more, &|| {
                    Ok(trouble(format!("end:{pid}"), format!("runs at {}", safe(location))))
                })?;
            }
            FinalState::Waiting { .. } | FinalState::Running { .. } => {}
        }
    }
    Ok(found)
}

/// A failed test as a trouble.
fn failed_test(test: &causality::Test) -> Option<Trouble> {
    let (_, reason, _) = test.failed()?;
    Some(Trouble {
        pid: test.of.to_string(),
        target: format!("test:{}", safe(&test.name)),
        what: safe(reason),
        unreceived: 0,
    })
}

/// Is it an end that counts as a failure? Of the entry, any that is not normal.
fn is_failure(outcome: &ProcessOutcome) -> bool {
    match &outcome.state {
        FinalState::Ended { reason, .. } if outcome.pid == FIRST => reason != "normal",
        FinalState::Ended { reason, .. } => !log_format::is_peaceful(reason),
        FinalState::Waiting { .. } | FinalState::Running { .. } => false,
    }
}

/// The target of the end of a process.
fn end_target(trace: &Trace, pid: Pid) -> Result<String> {
    let process = trace.process(pid)?;
    if !process.ended {
        return Ok(format!("end:{pid}"));
    }
    let action = trace.action(pid, process.counts.last_action())?;
    let tally = name::ActionTally {
        counts: process.counts,
        ..name::ActionTally::default()
    };
    Ok(name::target(pid, &action, &tally, process.base))
}

/// What in the trace could be private, each with the word for `replay scrub`.
fn private(
    trace: &Trace,
    kinds: &[(String, u64)],
    inputs: &Inputs,
    observed: u64,
    hashed: u64,
    outcomes: &[ProcessOutcome],
) -> Result<Vec<String>> {
    let header = trace.header();
    let mut out = Vec::new();
    if !trace.program()?.sources.is_empty() {
        out.push("the program's sources".to_owned());
    }
    if header.command != [REMOVED] {
        out.push("the command line".to_owned());
    }
    if header.arguments_left_out() {
        out.push("(left out: the arguments)".to_owned());
    } else if !header.arguments.is_empty() {
        out.push(count(header.arguments.len() as u64, "argument"));
    }
    for (class, &(there, length, left_out)) in inputs {
        let word = class.word();
        if there > 0 {
            out.push(format!("{} of class {word} ({})", count(there, "input"), bytes(length)));
        }
        if left_out > 0 {
            out.push(format!("(left out: {} of class {word})", count(left_out, "input")));
        }
    }
    if observed > 0 {
        out.push(count(observed, "observation"));
    }
    if kinds.is_empty() && trace.totals().counts.actions > 0 {
        out.push("inputs and observations (--all counts them)".to_owned());
    }
    let says = |text: &str| {
        let nothing = [
            "",
            REMOVED,
            "ok",
            "normal",
            "shutdown",
            "the entry returned",
            "the entry waited for ever",
        ];
        !nothing.contains(&text) && text != REMOVED_SHUTDOWN
    };
    let told = |outcome: &ProcessOutcome| matches!(&outcome.state, FinalState::Ended { reason, .. } if says(reason));
    let ended = match trace.run_end()? {
        Some(RunEnd::Returned(text) | RunEnd::Crashed { reason: text, .. } | RunEnd::Unrecorded { then: text, .. }) => {
            says(&text)
        }
        _ => false,
    };
    if outcomes.iter().any(told) || ended {
        out.push("reasons of ends".to_owned());
    }
    let location = |outcome: &ProcessOutcome| match &outcome.state {
        FinalState::Running { location } | FinalState::Waiting { location } => location.contains(['/', '\\']),
        FinalState::Ended { .. } => false,
    };
    if outcomes.iter().any(location) {
        out.push("folders of sources, where processes wait".to_owned());
    }
    out.push("names of nodes, processes, tables and modules (always kept)".to_owned());
    if header.keys_left_out() {
        out.push("(left out: keys)".to_owned());
    } else if hashed > 0 || kinds.is_empty() && trace.totals().counts.actions > 0 {
        out.push("hashes of keys of tables, persistent terms and the environment (a key can be guessed)".to_owned());
    }
    if trace.has_digests()? {
        out.push("digests of messages".to_owned());
    }
    Ok(out)
}

/// The lowest and the highest number of a receive.
fn receive_numbers(trace: &Trace) -> Result<Option<(u64, u64)>> {
    let receives = trace.totals().counts.receives;
    if receives == 0 {
        return Ok(None);
    }
    if !trace.is_slice() {
        return Ok(Some((1, receives)));
    }
    let mut found: Option<(u64, u64)> = None;
    for process in trace.processes() {
        let process = process?;
        if process.counts.receives > 0 {
            let (first, last) = (process.base + 1, process.base + process.counts.receives);
            found = Some(found.map_or((first, last), |(low, high)| (low.min(first), high.max(last))));
        }
    }
    Ok(found)
}

/// Commands that can be typed next; each of them works. `replays`: the program can be run; otherwise only the log can be read.
fn next(path: &Path, has_error: bool, replays: bool, receives: u64, numbers: Option<(u64, u64)>) -> Vec<NextCommand> {
    let file = path_argument(path);
    let command = |command: String, what: &str| NextCommand {
        command,
        what: what.to_owned(),
    };
    let mut next = Vec::new();
    let verb = if replays { "--until" } else { "causes" };
    if has_error {
        if replays {
            next.push(command(format!("replay why {file}"), "why it failed"));
        }
        next.push(command(
            format!("replay {verb} error {file}"),
            "the failure, with its causes only",
        ));
    }
    if let Some((first, last)) = numbers {
        let gaps = if last - first + 1 == receives {
            ""
        } else {
            ", as far as the slice holds them"
        };
        next.push(command(
            format!("replay {verb} rec:{last} {file}"),
            &format!("any received message: rec:{first} to rec:{last}{gaps}"),
        ));
    }
    next.push(command(format!("replay log {file}"), "all actions, as targets"));
    next
}

/// Microseconds since 1970 as a UTC time.
fn moment(clock: i64) -> String {
    let [year, month, day, hour, minute, second] = system::civil_time(clock.div_euclid(1_000_000));
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}
