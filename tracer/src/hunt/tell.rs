//! What a hunt says.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use delay::Told;
use system::scheduler::{Actor, DEFAULT_JITTER, Schedule, Switch};
use system::{DEFAULT_SCHEDULERS, Delivery};

use crate::error::{Error, HuntError, InputError};
use crate::exit::Exit;
use crate::hunt::HuntArgs;
use crate::hunt::figures::Figures;
use crate::hunt::keep::{self, Attempt, Simpler};
use crate::hunt::once::Ran;
use crate::hunt::search::{Found, Hunted, Refused, Search};
use crate::report::{self, plural, shell, tell};

/// An estimate from fewer runs would mislead.
const ENOUGH: u64 = 20;

/// A schedule of so many characters is not printed.
const LONG: usize = 2_000;

/// So many switches are told one by one.
const TOLD: usize = 8;

/// The command that repeats a run.
pub fn command(args: &HuntArgs, schedule: &Schedule, seed: u64) -> Vec<String> {
    let verb = if args.only.is_empty() { "run" } else { "test" };
    let mut words = vec!["tracer".to_owned(), verb.to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--seed", seed.to_string());
    option("--schedule", schedule.to_string());
    if args.jitter != DEFAULT_JITTER {
        option("--jitter", format!("{}ms", args.jitter / 1_000_000));
    }
    if args.delivery != Delivery::default() {
        option("--delivery", args.delivery.to_string());
    }
    if let Some(entry) = &args.entry {
        option("--entry", entry.clone());
    }
    for text in &args.only {
        option("-k", text.clone());
    }
    if let Some(name) = &args.sname {
        option("--sname", name.clone());
    }
    if args.schedulers != DEFAULT_SCHEDULERS {
        option("--schedulers", args.schedulers.to_string());
    }
    for define in &args.compiling.defines {
        option("-D", define.clone());
    }
    if let Some(release) = args.compiling.otp {
        option("--otp", release.to_string());
    }
    for feature in &args.compiling.features {
        option("--enable-feature", feature.clone());
    }
    for folder in &args.compiling.includes {
        option("-I", folder.display().to_string());
    }
    for folder in &args.compiling.objects {
        option("-pa", folder.display().to_string());
    }
    for stub in &args.compiling.stubs {
        option("--stub", format!("{}={}", stub.module, stub.path.display()));
    }
    if args.exit_with_main {
        words.push("--exit-with-main".to_owned());
    }
    words.extend(args.files.iter().map(|file| file.display().to_string()));
    if !args.arguments.is_empty() {
        words.push("--".to_owned());
        words.extend(args.arguments.iter().cloned());
    }
    words
}

/// Nothing found yet.
pub fn progress(figures: &Figures, time: Duration) {
    tell(&format!(
        "{} so far, {} failed, {}",
        plural(figures.runs as usize, "run", "runs"),
        figures.failed,
        rate(figures.runs, time)
    ));
}

/// A run that continued a copy failed, and not from its start.
pub fn gives_up_copies() {
    tell(
        "a run that began where the test does failed, and from its start it does not: it found what an earlier run had left, such as a file; so now \
         every run begins at its start",
    );
}

/// Runs at the same time would find each other's files.
pub fn one_after_the_other() {
    tell("the test changes files, or starts a program, so its runs are made one after the other");
}

/// Runs go on after their entry has ended: perhaps there is only a heartbeat.
pub fn lives_on(runs: u64) {
    tell(&lives_on_text(runs));
}

fn lives_on_text(runs: u64) -> String {
    crate::lingering::hint(&format!(
        "in {}, other processes went on after the entry had ended, up to the limit",
        plural(runs as usize, "run", "runs")
    ))
}

/// Says why the runs say nothing. `known`: the names of tests that are known.
pub fn refused(refused: &Refused, args: &HuntArgs, mut known: Vec<String>) -> Exit {
    match refused {
        Refused::DoesNotCompile(diagnostics) => {
            report::say(diagnostics);
            Exit::Program
        }
        Refused::NoTests(others) => {
            known.extend(others.iter().cloned());
            let entry = args.entry.as_slice();
            let words = if args.only.is_empty() { entry } else { &args.only };
            let only = words.to_vec();
            Error::from(InputError::NoNamedTest {
                only,
                known,
                names_module: false,
            })
            .told()
        }
    }
}

/// Says what was found, and keeps it.
pub fn results(search: &Arc<Search>, hunted: &Hunted) -> Exit {
    let mut exit = if hunted.interrupted {
        Exit::Interrupted
    } else {
        Exit::Success
    };
    for (found, times) in &hunted.found {
        exit = match one(search, hunted, found, Some(*times)) {
            Ok(()) => Exit::Crashed,
            Err(error) => return Error::from(error).told(),
        };
    }
    // It is told, but it is no failure.
    if let Some(found) = hunted.aside.as_ref().filter(|_| hunted.found.is_empty())
        && let Err(error) = one(search, hunted, found, None)
    {
        return Error::from(error).told();
    }
    if exit == Exit::Success {
        // A folder without traces says that nothing failed; if it cannot be made, nothing is lost.
        let _ = std::fs::create_dir_all(&search.args.traces);
    }
    summary(search, hunted);
    exit
}

/// All runs together.
fn summary(search: &Search, hunted: &Hunted) {
    let figures = &hunted.figures;
    let ended = if hunted.interrupted { ", interrupted" } else { "" };
    let mut failed = match figures.failed {
        0 => "none failed".to_owned(),
        n => format!("{n} failed"),
    };
    if hunted.put_aside > 0 {
        let limit = search.args.max_stall;
        failed += &format!(
            " ({} more only with a stall above {limit} or free delivery)",
            hunted.put_aside
        );
    }
    let mut text = format!(
        "{} in {} ({}){ended}: {failed}; seed {}",
        plural(figures.runs as usize, "run", "runs"),
        seconds(hunted.time),
        rate(figures.runs, hunted.time),
        search.seed
    );
    if figures.failed == 0 && hunted.copies > 0 {
        let whole = figures.runs - hunted.copies;
        text += &format!(
            "\n  {whole} of them began at the start, the others where the test begins; with --from-start, all begin at the start"
        );
    }
    if figures.runs > 0 && (search.args.keep_going || figures.failed == 0) {
        let (low, high) = figures.failure_rate();
        text += &format!(
            "\n  a run fails with a probability of {} to {} (95 %)",
            percent(low),
            percent(high)
        );
    }
    text += &format!("\n  {}", plural(figures.distinct(), "different log", "different logs"));
    if figures.runs >= ENOUGH {
        let seen = percent(figures.coverage());
        text += &format!("; the next run would have one of them with a probability of about {seen}");
    }
    if let Some(limit) = &hunted.limit {
        text += &format!(
            "\n  {} reached a limit: {limit}",
            plural(figures.limited as usize, "run", "runs")
        );
    }
    if hunted.lives_on > 0 {
        text += &format!("\n  {}", lives_on_text(hunted.lives_on));
    }
    lines(&text);
}

/// One failure.
fn one(search: &Arc<Search>, hunted: &Hunted, found: &Found, times: Option<u64>) -> Result<(), HuntError> {
    let args = &search.args;
    let attempt = if args.no_shrink {
        None
    } else {
        let share = hunted.steps / hunted.found.len().max(1) as u64;
        keep::simpler(search, found, share)?
    };
    let simpler = attempt.as_ref().and_then(|attempt| attempt.simpler.as_ref());
    // All that is said is about the run that is kept.
    let (schedule, ran) = match simpler {
        Some(Simpler { schedule, ran, .. }) => (schedule, ran),
        None => (&found.schedule, &found.ran),
    };
    let whole = keep::whole(search, schedule, found.seed, ran)?;
    let ran = whole.as_ref().unwrap_or(ran);
    let failure = ran.failure.as_ref().map_or("", |failure| &failure.text);
    let of = match search.runs {
        u64::MAX => String::new(),
        runs => format!(" of {runs}"),
    };
    let told = keep::needs(search, ran)?;
    let number = found.number;
    let mut text = match times {
        Some(_) => format!("failed in run {number}{of} ({}): {failure}", seconds(found.after)),
        None => aside(
            &told,
            &format!("{failure} (in run {number}{of}, {})", seconds(found.after)),
        ),
    };
    if let Some(times) = times.filter(|_| args.keep_going) {
        text += &format!("\n  {times} of {} runs failed in this way", hunted.figures.runs);
    }
    text += &match &found.schedule {
        schedule if is_usual(schedule) => format!("\n  found by: the usual schedule, seed {}", found.seed),
        schedule => match schedule.at_test() {
            Some((draw, then)) => {
                let then = match is_usual(then) {
                    true => "the usual schedule".to_owned(),
                    false => then.to_string(),
                };
                format!(
                    "\n  found by: {then} from where the test begins, draw {draw}, seed {}",
                    found.seed
                )
            }
            None => format!("\n  found by: {schedule}, seed {}", found.seed),
        },
    };
    if times.is_some() {
        text += &format!("\n  {}", needs(&told));
    }
    if args.keep_original && simpler.is_some() {
        let whole = keep::whole(search, &found.schedule, found.seed, &found.ran)?;
        let ran = whole.as_ref().unwrap_or(&found.ran);
        text += &match ran.write(&args.traces, search.prey.name()) {
            Ok(path) => format!("\n  the run as found: {}", shell(&path)),
            Err(error) => format!("\n  {error}"),
        };
    }
    if let Some(attempt) = &attempt {
        text += &about_switches(attempt, found);
    }
    if let Ok((causes, all)) = keep::causes(ran) {
        text += &format!("\n  causes: {causes} of {}", plural(all as usize, "action", "actions"));
    }
    // The failure and the way back to it count for more than its trace.
    text += &match ran.write(&args.traces, search.prey.name()) {
        Ok(path) => format!("\n  next:   replay why {}", why(ran, &path)),
        Err(error) => format!("\n  {error}"),
    };
    // What it needs can be thousands of switches; what has found it is a word.
    let again = match schedule.to_string().len() {
        0..LONG => schedule,
        _ => &found.schedule,
    };
    text += &format!("\n  again:  {}", quoted(&command(args, again, found.seed)));
    lines(&text);
    Ok(())
}

/// What a failure needs.
fn needs(told: &Told) -> String {
    let mut text = match (&told.unknown, told.ms) {
        (Some(why), None) => format!("its stall is not known: {why}"),
        _ if told.text == delay::NONE => "it needs no stall".to_owned(),
        _ => told.text.clone(),
    };
    if let Some(delivery) = &told.delivery {
        text += &format!("\n  it {delivery}");
    }
    text
}

/// What would be a failure if it needed less.
fn aside(told: &Told, failure: &str) -> String {
    let (what, of) = told.text.split_once(": ").unwrap_or((&told.text, ""));
    let mut text = match told.ms {
        Some(0) | None => format!("only with free delivery: {failure}"),
        Some(_) => format!("{what}: {failure}"),
    };
    if !of.is_empty() {
        text += &format!("\n  held up: {of}");
    }
    if let Some(delivery) = &told.delivery {
        text += &format!("\n  it {delivery}");
    }
    text
}

/// The usual schedule, as the run before all others has it.
fn is_usual(schedule: &Schedule) -> bool {
    *schedule == Schedule::usual()
}

/// What a schedule is from where the test begins, or else from the start.
fn of_test(schedule: &Schedule) -> &Schedule {
    schedule.at_test().map_or(schedule, |(_, then)| then)
}

/// The switches that a failure needs.
fn about_switches(attempt: &Attempt, found: &Found) -> String {
    let (from, runs) = attempt.from;
    let made = plural(runs, "run", "runs");
    let Some(simpler) = &attempt.simpler else {
        return match attempt.early {
            Some(why) => format!("\n  it was not made simpler: stopped after {made}: {why}"),
            None => String::new(),
        };
    };
    let Schedule::Switches { list, .. } = of_test(&simpler.schedule) else {
        return String::new();
    };
    let needed = plural(list.len(), "switch", "switches");
    let mut text = match (list.len(), attempt.early) {
        (0, _) if attempt.usual_fails => "\n  it needs no switch: the usual schedule fails, too".to_owned(),
        (0, _) if is_usual(of_test(&simpler.schedule)) => {
            let drawn = match found.schedule.at_test() {
                Some((draw, _)) => format!("draw {draw}"),
                None => format!("seed {}", found.seed),
            };
            format!(
                "\n  it needs no switch, but {drawn}: with another one, the usual schedule does not fail in this way"
            )
        }
        (0, _) => {
            "\n  it needs no switch, but choices at all built-in calls: the usual schedule does not fail in this way"
                .to_owned()
        }
        (_, Some(why)) => {
            format!("\n  it needs {needed} or fewer (found with {from}; stopped after {made}: {why}):")
        }
        (n, None) if n == from => format!("\n  it needs {needed}:"),
        (_, None) => format!("\n  it needs {needed} (found with {from}; {made} to leave out the others):"),
    };
    for switch in list.iter().take(TOLD) {
        text += &format!("\n    {}", switch_in_words(switch));
    }
    if list.len() > TOLD {
        text += &format!("\n    … and {} more", list.len() - TOLD);
    }
    text
}

fn switch_in_words(switch: &Switch) -> String {
    let turn = match switch.instead_of {
        Actor::Process(pid) => format!(
            "<0.{pid}.0> is interrupted after {}",
            plural(switch.after as usize, "step", "steps")
        ),
        Actor::Channel { from, to } => format!("signal {} from <0.{from}.0> to <0.{to}.0> is late", switch.after + 1),
        Actor::Timer { by, k } => format!("the message of timer {k} of <0.{by}.0> is late"),
        Actor::Clock => "no time passes".to_owned(),
    };
    let instead = match switch.to {
        Actor::Process(pid) => format!("<0.{pid}.0> runs"),
        Actor::Channel { from, to } => format!("a signal from <0.{from}.0> arrives at <0.{to}.0>"),
        Actor::Timer { by, k } => format!("the message of timer {k} of <0.{by}.0> arrives"),
        Actor::Clock => "time passes up to the next timeout".to_owned(),
    };
    format!("{turn}: {instead}")
}

/// The arguments of `replay why`.
fn why(ran: &Ran, path: &Path) -> String {
    match ran.failure.as_ref().and_then(|failure| failure.target.as_ref()) {
        Some(target) => format!("{target} {}", shell(path)),
        None => shell(path),
    }
}

/// Words as a shell command.
fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| log_format::quoted(word.as_ref())).collect();
    words.join(" ")
}

fn lines(text: &str) {
    report::say(&format!("{}\n", log_format::safe_lines(&format!("tracer: {text}"))));
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn rate(runs: u64, time: Duration) -> String {
    format!("{:.0} runs a second", runs as f64 / time.as_secs_f64().max(1e-6))
}

fn percent(p: f64) -> String {
    let p = p * 100.0;
    match p {
        0.0 => "0 %".to_owned(),
        ..0.1 => format!("{p:.3} %"),
        ..10.0 => format!("{p:.1} %"),
        _ => format!("{p:.0} %"),
    }
}
