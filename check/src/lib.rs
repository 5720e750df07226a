//! `check`: does the failure of a trace still occur with the program as it is now?

pub mod choices;
pub mod drive;
pub mod kin;
pub mod races;
pub mod received;

use std::path::PathBuf;
use std::sync::Arc;

use causality::{Gravity, Times};
use interpreter::atom::Atom;
use interpreter::vm;
use log_format::{ActionId, Cut, Pid, RunEnd, Trace};
use rustc_hash::FxHashMap;
use serde::Serialize;
use system::loader::{Loader, Role, Source};
use system::outside::Simulated;
use system::scheduler::{Random, RoundRobin, Scheduler};
use system::{Clock, Limits, Settings, System};

use choices::{AbnormalEnd, Choices, Listener, Naming};
use drive::{Divergence, Longer, Plan, Ran, Timeouts, Waits};
use kin::Kin;
use received::{Contents, Received};
use session::error::Error;
use session::program::{Entry, Sources};
use session::{Goal, Session};

/// A driven run may do so many times the recorded actions.
const BOUND: u64 = 10;
/// And at least so many.
const LEAST: u64 = 10_000;
/// A run under a random schedule may take so many slices an action, and at least so many.
const SLICES: u64 = 16;
const LEAST_SLICES: u64 = 200_000;
/// So many random schedules are tried where the recorded choices lead to no failure, and so many actions in all.
const SEEDS: u64 = 100;
const SEARCH: u64 = 2_000_000;
/// Where they decide, the recorded program is tried so often, if it fails seldom; and so many actions are done in all by either program.
const MANY_SEEDS: u64 = 500;
const LONG_SEARCH: u64 = 5_000_000;
/// The changed program has to come through so many runs in which the recorded one would have failed, as the times of [`OFTEN`].
const SURE: u64 = 10;
/// Where the recorded program fails under so many random schedules, that the changed one fails under none says something.
const OFTEN: u64 = 10;
/// Of so many divergences the recorded message is told, with so many characters.
const TOLD: usize = 3;
const MESSAGE: usize = 200;
/// So often the recorded program is run at most to find out which of its timeouts came although there was something to receive.
const PROBES: u32 = 8;
/// So often a changed program is run at most to find out who its processes are.
const RUNS: u32 = 5;

/// What `check` found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The recorded failure did not occur, nor another one, and the run ended.
    Fixed,
    /// The recorded failure occurred.
    StillFails,
    /// Another failure occurred.
    FailsDifferently,
    /// A recorded choice had no counterpart before the failure.
    Diverged,
    /// The bound was reached, or the trace cannot be judged.
    Incomplete,
}

/// The answer to `check`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Checked {
    /// The verdict.
    pub verdict: Verdict,
    /// The failure of the trace.
    pub recorded: String,
    /// What happened now.
    pub now: String,
    /// Is the program the recorded one, byte for byte?
    pub unchanged: bool,
    /// Files that differ from the recorded ones.
    pub changed: Vec<String>,
    /// Recorded choices without a counterpart.
    pub divergences: Vec<Divergence>,
    /// Recorded timeouts that the clock decides now, since the receives wait longer than they did.
    pub timeouts: Vec<Longer>,
    /// The recorded choices did not lead to the failure, a random schedule of this seed did.
    pub schedule: Option<u64>,
    /// Random schedules that were tried, where none of them led to the failure.
    pub schedules: Option<Schedules>,
    /// Messages came in another order than when recorded, which the changed program does not allow.
    pub other_order: bool,
    /// Files that the program had written itself were read with other contents than when recorded.
    pub own_files: bool,
    /// The recorded program fails under none of them, so that they say nothing; and steps that raced in the record have no counterpart.
    pub no_power: bool,
    /// None were tried, since the program read files that it had not written, or standard input, or ran commands.
    pub reads_outside: bool,
    /// Other abnormal ends of the record that may be what is meant, as targets.
    pub others: Vec<String>,
    /// Where the trace has digests: which messages have other contents now, and which processes end otherwise.
    pub contents: Option<Contents>,
    /// Actions done now.
    pub actions: u64,
}

/// Random schedules under which the program does not fail in the recorded way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Schedules {
    /// Under how many the changed program was tried.
    pub tried: u64,
    /// Under how many the recorded program was tried.
    pub recorded: u64,
    /// Under how many of those it fails.
    pub recorded_fails: u64,
}

/// What is known of the recorded program when another one is driven.
#[derive(Clone, Copy)]
struct Known<'a> {
    waits: Option<&'a Waits>,
    /// Timeouts of the record that came although there was something to receive, while these are looked for.
    real: Option<&'a Timeouts>,
    vain: &'a Timeouts,
    sleeps: &'a Timeouts,
    /// Ends by which the changed program returns results, whatever the schedule.
    usual: &'a [Kind],
}

/// Class and first word of the reason of an end.
type Kind = (String, String);

/// How closely a run follows the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// As it is; what is new comes late.
    Strict,
    /// What is new comes early.
    Early,
    /// Where nothing else can happen, messages come in another order.
    Lenient,
    /// Recorded timeouts come when nothing else can happen.
    Quiet,
}

/// The failure of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Failure {
    /// None.
    None,
    /// An abnormal end.
    End(AbnormalEnd),
    /// The entry waits for ever.
    Deadlock,
    /// A status that is not 0.
    Halt(i64),
}

impl Failure {
    fn words(&self) -> String {
        match self {
            Self::None => "no failure".to_owned(),
            Self::End(end) => {
                let place = if end.place.is_empty() {
                    String::new()
                } else {
                    format!(" at {}", end.place)
                };
                format!("{} ended{place}: {}", end.pid, end.reason)
            }
            Self::Deadlock => "the entry waits for ever".to_owned(),
            Self::Halt(code) => format!("the program halted with status {code}"),
        }
    }
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files of the program as it is now; of a module that is not named the recorded path is read, and else the recorded text is taken.
    pub program: Vec<PathBuf>,
    /// The trace need not hold a failure: none may occur now.
    pub expect_ok: bool,
    /// Go on where a choice has no counterpart.
    pub best_effort: bool,
    /// Which abnormal end is the failure, or the end of the log of an entry that waits for ever; none: that of the target `error`, a deadlock, or
    /// a status that is not 0.
    pub target: Option<String>,
    /// Is told often what is being done.
    pub progress: Option<fn(&str)>,
}

impl Options {
    fn doing(&self, what: &str) {
        if let Some(progress) = self.progress {
            progress(what);
        }
    }
}

/// The sources of the trace with what is on disk now in their place, and the paths of those that differ.
///
/// # Errors
/// A file that was named cannot be read, or belongs to no module of the trace.
pub fn current(session: &Session, named: &[PathBuf]) -> Result<(Sources, Vec<String>), Error> {
    let recorded = session.sources().all();
    let mut texts: Vec<(String, PathBuf, Arc<[u8]>)> = Vec::new();
    for path in named {
        let text = std::fs::read(path).map_err(|error| Error::Input {
            path: path.clone(),
            error: error.to_string(),
        })?;
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let module = session::program::module_of(&text).unwrap_or(stem);
        if let Some((_, other, _)) = texts.iter().find(|(known, ..)| *known == module) {
            return Err(Error::Usage(format!(
                "{} and {} are both module {module}: name one of them",
                other.display(),
                path.display()
            )));
        }
        texts.push((module, path.clone(), text.into()));
    }
    let own = recorded.iter().filter(|source| session.sources().owns(&source.path));
    let paths: Vec<&str> = own.map(|source| source.path.as_str()).collect();
    if named.is_empty() && !paths.is_empty() && paths.iter().all(|path| at_hand(path).is_none()) {
        return Err(Error::Usage(format!(
            "no file of the program is here: {}; go to the folder in which it was recorded, or name its files with --program",
            paths.join(", ")
        )));
    }
    let mut changed = Vec::new();
    let mut all = Vec::new();
    for source in recorded {
        let module = match &source.role {
            Role::Module(name) => Some(name),
            Role::Include { .. } => None,
        };
        let at = module.and_then(|name| texts.iter().position(|(known, _, _)| known == name));
        let text = match at {
            Some(at) => texts.remove(at).2,
            None if named.is_empty() => {
                let here = at_hand(&source.path).and_then(|path| std::fs::read(path).ok());
                here.map_or_else(|| Arc::clone(&source.text), Into::into)
            }
            None => Arc::clone(&source.text),
        };
        if text != source.text {
            changed.push(source.path.clone());
        }
        all.push(Source {
            role: source.role.clone(),
            path: source.path.clone(),
            text,
        });
    }
    let modules = || {
        let own = recorded.iter().filter(|source| session.sources().owns(&source.path));
        let names = own.filter_map(|source| match &source.role {
            Role::Module(name) => Some(name.as_str()),
            Role::Include { .. } => None,
        });
        names.collect::<Vec<_>>().join(", ")
    };
    if texts.len() == named.len() && !named.is_empty() {
        return Err(Error::Usage(format!(
            "none of the files given with --program is a module of the recorded run: {}",
            modules()
        )));
    }
    // A module that the recorded run did not load may be called now.
    for (module, path, text) in texts {
        changed.push(path.display().to_string());
        all.push(Source {
            role: Role::Module(module),
            path: path.display().to_string(),
            text,
        });
    }
    Ok((session.sources().replaced(all), changed))
}

/// The file with a name that a trace has. Of a name that is not UTF-8 the trace has a sign in place of each wrong byte: then the file is meant that looks like
/// it, where there is only one.
fn at_hand(recorded: &str) -> Option<PathBuf> {
    let path = PathBuf::from(recorded);
    if path.exists() {
        return Some(path);
    }
    if !recorded.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let folder = match path.parent().and_then(std::path::Path::to_str) {
        None | Some("") => PathBuf::from("."),
        Some(folder) => at_hand(folder)?,
    };
    let name = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(&folder).ok()?.filter_map(Result::ok);
    let mut alike = entries.filter(|entry| entry.file_name().to_string_lossy() == name);
    match (alike.next(), alike.next()) {
        (Some(entry), None) => Some(entry.path()),
        _ => None,
    }
}

/// Checks.
///
/// # Errors
/// The trace is damaged, or holds no failure and that is not expected; a file cannot be read; the program does not compile.
pub fn check(session: &Session, options: &Options) -> Result<Checked, Error> {
    let mut searched = Searched::default();
    let mut checked = of_what_it_holds(session, options, Naming::Place, &mut searched)?;
    // A message more shifts the places of those that follow.
    let undecided = checked.verdict == Verdict::Diverged || checked.verdict == Verdict::Fixed && !options.expect_ok;
    if undecided && !checked.unchanged {
        let other = of_what_it_holds(session, options, Naming::Shape, &mut searched)?;
        let better = match (checked.verdict, other.verdict) {
            (Verdict::Diverged, Verdict::Fixed | Verdict::StillFails) | (Verdict::Fixed, Verdict::StillFails) => true,
            (Verdict::Fixed, Verdict::Fixed) => checked.other_order && !other.other_order,
            _ => false,
        };
        if better {
            checked = other;
        }
    }
    say_what_was_received(session, &mut checked.divergences)?;
    // What a slice leaves out may be what a changed program waits for, or what it is spared: only a failure is seen for certain.
    if session.trace().is_slice() && !checked.unchanged && checked.verdict != Verdict::StillFails {
        checked.verdict = Verdict::Incomplete;
        checked.now += "; but the trace is a slice, which holds the causes of one action only: check the whole trace for a verdict";
    }
    Ok(checked)
}

/// Adds the recorded messages to the first divergences.
fn say_what_was_received(session: &Session, divergences: &mut [Divergence]) -> Result<(), Error> {
    let trace = session.trace();
    let bounds = session::subject::Bounds {
        chars: MESSAGE,
        frames: 1,
        items: 1,
    };
    for divergence in divergences.iter_mut().take(TOLD) {
        let Ok(found) = session::targets::resolve(trace, &divergence.recorded) else {
            continue;
        };
        let acts = session::scene::acts(session, &[(found.pid, found.action.0)], &bounds)?;
        let Some(act) = acts.into_iter().flatten().next() else {
            continue;
        };
        if act.kind == "rec" {
            divergence.message = act.content;
        } else if divergence.place.is_empty() && !act.accesses.is_empty() {
            // A step that nobody makes now has its place in the recorded program.
            let at = |place: &session::view::Place| format!(" (at {}:{} of it)", place.file, place.line);
            let place = act.place.as_ref().map_or_else(String::new, at);
            divergence.expected = format!("{}{place}", act.accesses.join(", "));
            divergence.name = act.name.unwrap_or_default();
        }
    }
    Ok(())
}

fn of_what_it_holds(
    session: &Session,
    options: &Options,
    naming: Naming,
    searched: &mut Searched,
) -> Result<Checked, Error> {
    let trace = session.trace();
    // The recorded run once more, to name its choices.
    let mut listener = Listener::new(Kin::recorded(), naming);
    listener.contents = session::contents::Contents::of(session.digests()?);
    if listener.contents.are_recorded() {
        listener.received = Received::Noted(received::Recorded::default());
    }
    let system = session.replay(&Goal::everything(), listener)?;
    let mut heard = system.into_observer();
    heard.contents.agree(trace)?;
    let noted = match std::mem::take(&mut heard.received) {
        Received::Noted(all) => Arc::new(all),
        _ => Arc::default(),
    };
    let (failure, slice, peaceful) = recorded_failure(trace, &heard, options)?;
    let others = others(&heard, &failure);
    let is_cut = trace.run_end()?.is_none();
    if failure == Failure::None && !options.expect_ok && !is_cut {
        return Err(Error::Usage(
            "the trace holds no failure: with --expect ok it is checked that none occurs now".to_owned(),
        ));
    }
    let (sources, changed) = current(session, &options.program)?;
    let bound = trace.totals().counts.actions.saturating_mul(BOUND).max(LEAST);
    let answer = |verdict, now: String, divergences, actions| Checked {
        timeouts: Vec::new(),
        schedule: None,
        schedules: None,
        other_order: false,
        own_files: false,
        no_power: false,
        reads_outside: false,
        others: others.clone(),
        contents: None,
        verdict,
        recorded: failure.words(),
        now,
        unchanged: changed.is_empty(),
        changed: changed.clone(),
        divergences,
        actions,
    };
    if is_cut {
        return Ok(answer(
            Verdict::Incomplete,
            "the recording was cut".to_owned(),
            Vec::new(),
            0,
        ));
    }
    if changed.is_empty() {
        // The replay above followed every log to its end: the same run.
        let verdict = if failure == Failure::None {
            Verdict::Fixed
        } else {
            Verdict::StillFails
        };
        let actions = trace.totals().counts.actions;
        return Ok(answer(verdict, failure.words(), Vec::new(), actions));
    }
    compiles(&Entry::of(trace.header())?, &sources, &changed)?;
    let mut choices = choices::choices(trace, &heard, &slice, Times::default())?;
    let sent = heard.sent_to();
    // Driven by its choices, does the recorded program do again what was recorded? Else nothing can be said about another one.
    let entry = Entry::of(trace.header())?;
    let lengths = heard.timer_lengths();
    let pids: FxHashMap<kin::Id, Pid> = heard.ids.iter().map(|(pid, id)| (*id, *pid)).collect();
    let own = |file: &str| session.sources().owns(file);
    let none = Timeouts::default();
    let run = |choices: &Choices, sources: &Sources, kin: Kin, known: Known<'_>, way: Way| -> Result<_, Error> {
        let fresh = trace.processes().last().map_or(Ok(1), |p| p.map(|p| p.pid.0))? + 1;
        let mut plan = Plan {
            choices,
            sent: &sent,
            waits: known.waits,
            real: known.real,
            vain: known.vain,
            sleeps: known.sleeps,
            lengths: &lengths,
            own: &own,
            pids: &pids,
            timeouts_last: way == Way::Quiet,
            fresh,
            bound,
            best_effort: options.best_effort && known.waits.is_some(),
            lenient: way == Way::Lenient,
            eager: way == Way::Early,
        };
        let mut kin = kin;
        let mut alignment = Arc::default();
        let mut runs = 1;
        loop {
            options.doing("the program is driven by the recorded choices");
            let mut listener = Listener::new(kin, naming);
            listener.alignment = Arc::clone(&alignment);
            listener.received = Received::beside(Arc::clone(&noted));
            let mut system = start(sources, &entry, trace, listener)?;
            let mut driven = drive::drive(&mut system, &plan);
            let actions = system.total_actions;
            let again = system.into_observer();
            driven.contents = compared(trace, &again.received)?;
            match again.kin.again() {
                Some(known) if runs < RUNS => kin = known,
                _ if runs < RUNS && again.is_misaligned(&heard, &mut alignment) => kin = again.kin.same_names(),
                _ if driven.other_waits && !plan.timeouts_last => {
                    plan.timeouts_last = true;
                    kin = again.kin.same_names();
                }
                _ => {
                    let found = judge(&driven.ran, &again, &failure, &peaceful, known.usual);
                    return Ok((driven, found, actions, again.kin));
                }
            }
            runs += 1;
        }
    };
    let nothing = Known {
        waits: None,
        real: None,
        vain: &none,
        sleeps: &none,
        usual: &[],
    };
    let (mut driven, mut found, ..) = run(&choices, session.sources(), heard.kin.another(), nothing, Way::Strict)?;
    let reproduces = |driven: &drive::Driven, found: &Failure| match &failure {
        Failure::None => driven.ran != Ran::Diverged && *found == Failure::None,
        failure => same(found, failure),
    };
    let mut reproduced = reproduces(&driven, &found);
    // The log does not say when timeouts and timers came. A clock has them late: what a changed program sends then comes before them.
    let times = heard.times(&choices, &driven.waits);
    if times != Times::default() {
        let in_time = choices::choices(trace, &heard, &slice, times)?;
        let (again, what, ..) = run(&in_time, session.sources(), heard.kin.another(), nothing, Way::Strict)?;
        if reproduces(&again, &what) {
            (choices, driven, found, reproduced) = (in_time, again, what, true);
        }
    }
    if !reproduced {
        let now = "the recorded program, driven by these choices, does not do it again, so that nothing can be said of another one".to_owned();
        return Ok(answer(Verdict::Incomplete, now, driven.divergences, 0));
    }
    let judged = |driven: &drive::Driven, found: &Failure| match (&driven.ran, found) {
        // In which order processes used a file is not recorded: other contents decide now.
        _ if driven.other_files => Verdict::Diverged,
        // Nor is it a failure of the program where somebody's time has run out over what was withheld.
        (_, found) if *found != Failure::None && driven.lost_patience => Verdict::Diverged,
        (_, found) if *found != Failure::None && same(found, &failure) => Verdict::StillFails,
        // Behind a choice without a counterpart other values may be a failure that this run has made.
        (ran, found) if *ran != Ran::Diverged && differs_in_values(found, &failure) => Verdict::StillFails,
        (Ran::Diverged, _) => Verdict::Diverged,
        (Ran::Bound, _) => Verdict::Incomplete,
        (_, Failure::None) => Verdict::Fixed,
        _ => Verdict::FailsDifferently,
    };
    let took_outside = driven.took_outside;
    // Which timeouts were no choices: those that come, too, when all that can happen has happened before.
    let times_out = choices
        .values()
        .flatten()
        .any(|choice| choice.what == choices::What::After);
    let mut vain = Timeouts::default();
    if times_out {
        // What had been sent to who waited is offered: where the receive would have taken it, the timeout was a choice.
        let mut real = Timeouts::default();
        for probes in 0..=PROBES {
            // Where there are many such, nothing that had been sent is left out of account.
            let probed = Known {
                real: (probes < PROBES).then_some(&real),
                ..nothing
            };
            let (quiet, again, ..) = run(&choices, session.sources(), heard.kin.another(), probed, Way::Quiet)?;
            if let Some(one) = quiet.taken_before_time {
                real.insert(one);
                continue;
            }
            if quiet.ran == driven.ran && same(&again, &found) {
                vain = quiet.vain;
            }
            break;
        }
    }
    let known = Known {
        waits: Some(&driven.waits),
        real: None,
        vain: &vain,
        sleeps: &driven.sleeps,
        usual: &[],
    };
    // What the changed program does by these choices, in all the ways that they leave open.
    let by = |known: Known<'_>, choices: &Choices, way: Way| -> Result<_, Error> {
        let (mut driven, mut found, mut actions, kin) = run(choices, &sources, heard.kin.another(), known, way)?;
        let mut verdict = judged(&driven, &found);
        if verdict == Verdict::Fixed
            && let Some(kin) = kin.otherwise()
        {
            // It is fixed only if it is so whoever of those that are alike is new.
            let other = run(choices, &sources, kin, known, way)?;
            let otherwise = judged(&other.0, &other.1);
            // A way to know them that leads nowhere says nothing.
            if matches!(otherwise, Verdict::StillFails | Verdict::FailsDifferently) {
                (driven, found, actions, verdict) = (other.0, other.1, other.2, otherwise);
            }
        }
        if verdict == Verdict::Fixed && failure != Failure::None {
            // What is not in the record may come at another time: early, where it has come late.
            let (early, what, done, _) = run(choices, &sources, heard.kin.another(), known, Way::Early)?;
            let early_verdict = match (&what, &failure) {
                _ if early.lost_patience => None,
                (Failure::End(now), Failure::End(then)) => of_its_kind(now, then),
                _ => Some(judged(&early, &what)).filter(|verdict| *verdict == Verdict::StillFails),
            };
            if let Some(again) = early_verdict {
                (driven, found, actions, verdict) = (early, what, done, again);
            }
        }
        Ok((driven, found, actions, verdict))
    };
    let (mut driven, mut found, mut actions, mut verdict) = by(known, &choices, Way::Strict)?;
    let mut search = |is_changed: bool, enough: Enough| -> Result<Tried, Error> {
        if let Some(known) = searched.get(&(is_changed, enough)) {
            return Ok(known.clone());
        }
        let sources = if is_changed { &sources } else { session.sources() };
        let tried = fails_under(sources, &entry, trace, &failure, bound, enough, options)?;
        searched.insert((is_changed, enough), tried.clone());
        Ok(tried)
    };
    // Another end may be no failure, but how the changed program returns a result: under every schedule somebody waits for it.
    let mut usual: Vec<Kind> = Vec::new();
    if verdict == Verdict::FailsDifferently && !took_outside && returns_a_result(&found) {
        let tried = search(true, Enough::Seeds)?;
        let recorded = search(false, Enough::Seeds)?;
        if tried.fails == 0 && recorded.fails < recorded.runs {
            let always = tried.results.iter().filter(|(_, runs)| *runs == tried.runs);
            usual.extend(always.map(|(kind, _)| kind.clone()));
        }
    }
    let known = Known { usual: &usual, ..known };
    if !usual.is_empty() {
        (driven, found, actions, verdict) = by(known, &choices, Way::Strict)?;
    }
    // What is no cause of the failure binds nobody, where it stands in the way.
    let causes = choices::causes_only(&choices);
    let stuck = verdict == Verdict::Diverged && !driven.other_files && !options.best_effort;
    if (stuck || verdict == Verdict::Fixed) && causes != choices {
        let by_causes = by(known, &causes, Way::Strict)?;
        let better = match by_causes.3 {
            Verdict::StillFails => !stuck,
            // What the clock decides is no remedy that this run could show.
            Verdict::Fixed => stuck && by_causes.0.longer.is_empty(),
            _ => false,
        };
        if better {
            (driven, found, actions, verdict) = by_causes;
        }
    }
    // The recorded order of steps may not be what it was in a program that makes other steps: where the driven run does not fail, others are tried.
    let undecided = matches!(verdict, Verdict::Fixed | Verdict::Diverged | Verdict::Incomplete);
    let mut schedules = None;
    let mut other_order = false;
    let mut own_files = false;
    if undecided && failure != Failure::None && !took_outside {
        let failing = |(seed, end): &(u64, Failure), driven: &drive::Driven| {
            let of_its_kind = match (end, &failure) {
                (Failure::End(now), Failure::End(then)) => of_its_kind(now, then),
                _ => None,
            };
            let verdict = of_its_kind.unwrap_or(Verdict::StillFails);
            Checked {
                timeouts: driven.longer.clone(),
                contents: driven.contents.clone(),
                schedule: Some(*seed),
                ..answer(verdict, end.words(), Vec::new(), actions)
            }
        };
        let tried = search(true, Enough::AFailure)?;
        if let Some(found) = &tried.found {
            return Ok(failing(found, &driven));
        }
        let recorded = search(false, Enough::Seeds)?;
        let mut familiar: Vec<Failure> = heard.ends.iter().cloned().map(Failure::End).collect();
        familiar.extend(recorded.others.iter().map(|(_, failure)| failure.clone()));
        let is_usual = |other: &Failure| match other {
            Failure::End(end) => end.awaited && usual.contains(&kind_of(end)),
            _ => false,
        };
        familiar.extend(
            tried
                .others
                .iter()
                .map(|(_, other)| other)
                .filter(|other| is_usual(other))
                .cloned(),
        );
        if verdict == Verdict::Fixed
            && let Some((seed, other)) = tried.unlike(&familiar)
        {
            return Ok(Checked {
                timeouts: driven.longer,
                contents: driven.contents,
                schedule: Some(*seed),
                ..answer(Verdict::FailsDifferently, other.words(), Vec::new(), actions)
            });
        }
        schedules = Some(Schedules {
            tried: tried.runs,
            recorded: recorded.runs,
            recorded_fails: recorded.fails,
        });
        if verdict == Verdict::Fixed
            && let Some(seed) = tried.endless.filter(|_| recorded.endless.is_none())
        {
            let now = format!("it does not end under a random schedule (number {seed}), as the recorded program does");
            return Ok(Checked {
                timeouts: driven.longer,
                contents: driven.contents,
                schedules,
                ..answer(Verdict::Incomplete, now, Vec::new(), actions)
            });
        }
        // Where they show nothing, and steps that raced are made by nobody, or by others, nothing is known of that race.
        if verdict == Verdict::Fixed && recorded.fails == 0 {
            let lost = races::without_counterpart(trace, &slice, &choices, &driven.done, &heard.ids)?;
            if !lost.is_empty() {
                return Ok(Checked {
                    no_power: true,
                    contents: driven.contents,
                    schedules,
                    timeouts: driven.longer,
                    ..answer(
                        Verdict::Diverged,
                        "no failure; but what raced in the record is done in another way".to_owned(),
                        races::divergences(trace, &lost)?,
                        actions,
                    )
                });
            }
        }
        // A remedy may make the recorded order of messages impossible, and in which order files were used is not recorded. Another order is no proof:
        // many schedules decide.
        let undecided = verdict == Verdict::Diverged
            && !options.best_effort
            && tried.unlike(&familiar).is_none()
            && tried.endless.is_none();
        let otherwise = match driven.other_files {
            _ if !undecided => None,
            // It was given what the recorded program had read, so that this run shows nothing.
            true => Some(None),
            false => {
                let lenient = by(known, &causes, Way::Lenient)?;
                (lenient.3 == Verdict::Fixed && lenient.0.longer.is_empty()).then_some(Some(lenient))
            }
        };
        if let Some(otherwise) = otherwise {
            let recorded = match recorded.fails {
                OFTEN.. => recorded,
                _ => search(false, Enough::Often)?,
            };
            if let Some(enough) = recorded.runs_to_be_sure() {
                let tried = search(true, Enough::AFailureOf(enough))?;
                if let Some(found) = &tried.found {
                    return Ok(failing(found, &driven));
                }
                schedules = Some(Schedules {
                    tried: tried.runs,
                    recorded: recorded.runs,
                    recorded_fails: recorded.fails,
                });
                if tried.runs >= enough && tried.unlike(&familiar).is_none() && tried.endless.is_none() {
                    match otherwise {
                        Some(lenient) => {
                            (driven, found, actions, verdict) = lenient;
                            other_order = true;
                        }
                        None => {
                            (found, verdict) = (Failure::None, Verdict::Fixed);
                            own_files = true;
                        }
                    }
                }
            }
        }
    }
    let now = match verdict {
        Verdict::Diverged if driven.other_files => {
            "it reads a file that it has written itself: in which order that happened is not recorded".to_owned()
        }
        Verdict::Diverged if driven.divergences.is_empty() => format!(
            "the run went another way before the failure: somebody lost patience while messages came in the recorded order ({})",
            found.words()
        ),
        Verdict::Diverged => "the run went another way before the failure".to_owned(),
        Verdict::Incomplete => format!("stopped after {actions} actions"),
        _ => found.words(),
    };
    Ok(Checked {
        timeouts: driven.longer,
        contents: driven.contents,
        schedules,
        other_order,
        own_files,
        reads_outside: took_outside && undecided && failure != Failure::None,
        ..answer(verdict, now, driven.divergences, actions)
    })
}

/// Fails if the program as it is now does not compile: any of the modules that are others than the recorded ones.
fn compiles(entry: &Entry, sources: &Sources, changed: &[String]) -> Result<(), Error> {
    let mut program = match entry.load(sources) {
        Err(Error::Program(text)) => return Err(Error::Changed(text)),
        loaded => loaded?,
    };
    let mut loader = sources.loader();
    for source in sources.all() {
        if let Role::Module(name) = &source.role
            && changed.contains(&source.path)
            && !program.is_loaded(Atom::new(name))
        {
            let loaded = loader.load(Atom::new(name), &mut program);
            loaded.map_err(Error::Changed)?;
        }
    }
    Ok(())
}

/// What is told of the contents that were compared.
fn compared(trace: &Trace, received: &Received) -> Result<Option<Contents>, Error> {
    let Received::Compared {
        compared,
        changed,
        first,
        ends,
        ends_changed,
        first_end,
        recorded: _,
    } = received
    else {
        return Ok(None);
    };
    let mut contents = Contents {
        compared: *compared,
        changed: *changed,
        ends: *ends,
        ends_changed: *ends_changed,
        first_end: first_end.clone(),
        ..Contents::default()
    };
    if let Some((pid, place)) = first {
        contents.first = Some(format!("rec:{}", trace.process(*pid)?.base + place));
        contents.receiver = Some(pid.to_string());
    }
    Ok(Some(contents))
}

/// Other processes of the recorded run that failed by themselves, as targets.
fn others(heard: &Listener, failure: &Failure) -> Vec<String> {
    let Failure::End(failure) = failure else {
        return Vec::new();
    };
    let others = heard
        .ends
        .iter()
        .filter(|end| end.pid != failure.pid && end.gravity == Gravity::Failed);
    others.map(|end| format!("exit:{}", end.pid)).collect()
}

/// Drives the program of a trace by the choices of the trace. Answers the first process whose steps are others then, and where: none if
/// it does the same again.
///
/// # Errors
/// The trace is damaged.
pub fn drive_again(session: &Session) -> Result<Option<String>, Error> {
    let trace = session.trace();
    let heard = session
        .replay(&Goal::everything(), Listener::new(Kin::recorded(), Naming::Place))?
        .into_observer();
    let choices = choices::choices(trace, &heard, &Cut::whole(trace)?, Times::default())?;
    let entry = Entry::of(trace.header())?;
    let mut system = start(
        session.sources(),
        &entry,
        trace,
        Listener::new(heard.kin.another(), Naming::Place),
    )?;
    let bound = trace.totals().counts.actions;
    let fresh = trace.processes().last().map_or(Ok(1), |p| p.map(|p| p.pid.0))? + 1;
    let sent = heard.sent_to();
    let plan = Plan {
        choices: &choices,
        sent: &sent,
        waits: None,
        real: None,
        timeouts_last: false,
        fresh,
        bound,
        best_effort: false,
        lenient: false,
        eager: false,
        vain: &Timeouts::default(),
        sleeps: &Timeouts::default(),
        lengths: &choices::Lengths::default(),
        own: &|file| session.sources().owns(file),
        pids: &heard.ids.iter().map(|(pid, id)| (*id, *pid)).collect(),
    };
    let driven = drive::drive(&mut system, &plan);
    if let Some(d) = driven.divergences.first() {
        return Ok(Some(format!(
            "{} at {}: expected {}, but {}",
            d.pid, d.place, d.expected, d.found
        )));
    }
    let again = system.into_observer();
    let mut pids: Vec<_> = heard.ids.iter().map(|(pid, id)| (*pid, *id)).collect();
    pids.sort_unstable();
    for (pid, id) in pids {
        let of = |listener: &Listener| listener.made.get(&id).cloned().unwrap_or_default();
        let (was, is) = (of(&heard), of(&again));
        if was != is {
            let n = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
            return Ok(Some(format!(
                "{pid}, step {}: recorded {:?}, now {:?}",
                n + 1,
                was.get(n),
                is.get(n)
            )));
        }
    }
    Ok(None)
}

/// The failure of a recorded run, its causes, and the abnormal ends that have nothing to do with it.
fn recorded_failure(
    trace: &Trace,
    heard: &Listener,
    options: &Options,
) -> Result<(Failure, Cut, Vec<AbnormalEnd>), Error> {
    let target = options.target.as_deref();
    // What ended abnormally in a run that went well belonged to it.
    if options.expect_ok && target.is_none() && matches!(trace.run_end()?, Some(RunEnd::Returned(_))) {
        return Ok((Failure::None, Cut::whole(trace)?, heard.ends.clone()));
    }
    let of = |pid: Pid| heard.ends.iter().find(|end| end.pid == pid);
    let last = |pid: Pid| Ok::<_, Error>(trace.process(pid)?.counts.last_action());
    let named = match target {
        None => {
            let ends = causality::abnormal_ends(trace)?;
            causality::first_errors(trace, &ends)?.first().copied()
        }
        Some(target) => {
            let found = session::targets::resolve(trace, target)?;
            let is_entry = trace.process(found.pid)?.parent.is_none();
            if found.runs_on && is_entry && trace.run_end()? == Some(RunEnd::Deadlock) {
                return Ok((Failure::Deadlock, Cut::whole(trace)?, heard.ends.clone()));
            }
            if found.action != last(found.pid)? || of(found.pid).is_none() {
                let mut ends: Vec<String> = heard.ends.iter().map(|end| format!("exit:{}", end.pid)).collect();
                if trace.run_end()? == Some(RunEnd::Deadlock)
                    && let Some(entry) = trace.processes().next().transpose()?
                {
                    ends.push(format!("end:{} (which waits for ever)", entry.pid));
                }
                let there = if ends.is_empty() {
                    "none".to_owned()
                } else {
                    ends.join(", ")
                };
                return Err(Error::Usage(format!(
                    "{target} is no abnormal end of a process; of these there are: {there}"
                )));
            }
            Some(ActionId {
                pid: found.pid,
                number: found.action,
            })
        }
    };
    if let Some(ActionId { pid, number: action }) = named
        && let Some(end) = of(pid)
    {
        let slice = causality::causes(trace, ActionId { pid, number: action })?;
        let future = causality::consequences(trace, ActionId { pid, number: action })?;
        let mut apart = Vec::new();
        for end in &heard.ends {
            if !future.contains(ActionId {
                pid: end.pid,
                number: last(end.pid)?,
            }) {
                apart.push(end.clone());
            }
        }
        return Ok((Failure::End(end.clone()), slice, apart));
    }
    match trace.run_end()? {
        // What ended before belonged to the run.
        Some(RunEnd::Deadlock) => Ok((Failure::Deadlock, Cut::whole(trace)?, heard.ends.clone())),
        Some(RunEnd::Halted(code)) if code != 0 => Ok((Failure::Halt(code), Cut::whole(trace)?, heard.ends.clone())),
        _ => Ok((Failure::None, Cut::whole(trace)?, Vec::new())),
    }
}

/// The failure of a driven run: the recorded one if it occurred, else another one.
fn judge(ran: &Ran, heard: &Listener, recorded: &Failure, peaceful: &[AbnormalEnd], usual: &[Kind]) -> Failure {
    let again = heard
        .ends
        .iter()
        .find(|end| same(&Failure::End((*end).clone()), recorded));
    if let Some(end) = again {
        return Failure::End(end.clone());
    }
    let is_one = |p: &AbnormalEnd, end: &AbnormalEnd| p.reason == end.reason && (p.id == end.id || p.does == end.does);
    let is_usual = |end: &AbnormalEnd| end.awaited && usual.contains(&kind_of(end));
    let known = |end: &AbnormalEnd| peaceful.iter().any(|p| is_one(p, end)) || is_usual(end);
    // To kill another process is a means, as in a fix that tidies up.
    if let Some(end) = heard
        .ends
        .iter()
        .find(|end| end.gravity == Gravity::Failed && !known(end))
    {
        return Failure::End(end.clone());
    }
    match ran {
        Ran::Halted(code) if *code != 0 => Failure::Halt(*code),
        Ran::ToTheEnd { waiting: true } => Failure::Deadlock,
        _ => Failure::None,
    }
}

fn same(found: &Failure, recorded: &Failure) -> bool {
    match (found, recorded) {
        (Failure::End(a), Failure::End(b)) => a.id == b.id && a.reason == b.reason,
        (a, b) => a == b,
    }
}

/// Words of the runtime that stand for many failures: what a failure is about is then in the rest of its reason.
const GENERIC: &[&str] = &[
    "",
    "badarg",
    "badarity",
    "badfun",
    "badkey",
    "badmap",
    "badmatch",
    "badrecord",
    "case_clause",
    "error",
    "nocatch",
    "nodedown",
    "noproc",
    "shutdown",
    "timeout",
    "try_clause",
    "undef",
];

/// Did the process end as recorded, in the words of the program, but for the values in its reason?
fn differs_in_values(found: &Failure, recorded: &Failure) -> bool {
    let (Failure::End(now), Failure::End(then)) = (found, recorded) else {
        return false;
    };
    let word = class_and_head(then).1.trim_start_matches('{');
    now.id == then.id && !GENERIC.contains(&word) && of_its_kind(now, then) == Some(Verdict::StillFails)
}

fn kind_of(end: &AbnormalEnd) -> Kind {
    let (class, head) = class_and_head(end);
    (class.to_owned(), head.to_owned())
}

/// Is it an end by `exit` with a word of the program's own, of which another process is told by a monitor?
fn returns_a_result(found: &Failure) -> bool {
    let Failure::End(end) = found else { return false };
    let (class, head) = class_and_head(end);
    end.awaited && class == "exit" && !GENERIC.contains(&head.trim_start_matches('{'))
}

/// What runs under random schedules came to.
#[derive(Clone, Debug, Default)]
struct Tried {
    /// How many there were.
    runs: u64,
    /// How many failed in the recorded way.
    fails: u64,
    /// The seed and the failure of the first of these.
    found: Option<(u64, Failure)>,
    /// The first failure of each other kind, with its seed.
    others: Vec<(u64, Failure)>,
    /// Ends by which results are returned, and in how many of the runs.
    results: Vec<(Kind, u64)>,
    /// The seed of the first that did not end.
    endless: Option<u64>,
}

impl Tried {
    /// How many runs a program has to come through that fails much more seldom than this one; none if nothing is known of how often this one fails.
    fn runs_to_be_sure(&self) -> Option<u64> {
        let failures = OFTEN * SURE;
        (self.fails >= OFTEN).then(|| (self.runs * failures).div_ceil(self.fails).max(SEEDS))
    }

    /// The first failure that is not of the kind of any of these.
    fn unlike<'a>(&'a self, known: &[Failure]) -> Option<&'a (u64, Failure)> {
        self.others
            .iter()
            .find(|(_, failure)| !known.iter().any(|known| is_of_kind(failure, known)))
    }
}

/// Are two failures of one kind: the same status, or ends by the same class and reason, the values in it left out?
fn is_of_kind(a: &Failure, b: &Failure) -> bool {
    match (a, b) {
        (Failure::End(a), Failure::End(b)) => class_and_head(a) == class_and_head(b),
        (a, b) => a == b,
    }
}

/// When runs under random schedules have shown enough.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Enough {
    /// When one has failed in the recorded way.
    AFailure,
    /// After [`SEEDS`].
    Seeds,
    /// When [`OFTEN`] have failed so, and at least after [`SEEDS`].
    Often,
    /// After so many, or when one has failed in the recorded way.
    AFailureOf(u64),
}

impl Enough {
    const fn seeds(self) -> u64 {
        match self {
            Self::AFailure | Self::Seeds => SEEDS,
            Self::Often => MANY_SEEDS,
            Self::AFailureOf(seeds) => seeds,
        }
    }

    const fn actions(self) -> u64 {
        match self {
            Self::AFailure | Self::Seeds => SEARCH,
            Self::Often | Self::AFailureOf(_) => LONG_SEARCH,
        }
    }

    const fn is_shown_by(self, tried: &Tried) -> bool {
        match self {
            Self::AFailure | Self::AFailureOf(_) => tried.fails > 0,
            Self::Seeds => false,
            Self::Often => tried.fails >= OFTEN && tried.runs >= SEEDS,
        }
    }
}

/// What random schedules have shown: of the changed program or the recorded one, and how far they were tried.
type Searched = FxHashMap<(bool, Enough), Tried>;

/// Does the program fail in the recorded way under some random schedules, or in other ways? Runs without a failure prove nothing; one with it
/// does.
fn fails_under(
    sources: &Sources,
    entry: &Entry,
    trace: &Trace,
    recorded: &Failure,
    bound: u64,
    enough: Enough,
    options: &Options,
) -> Result<Tried, Error> {
    let mut program = Arc::new(entry.load(sources)?);
    let mut left = enough.actions();
    let mut tried = Tried::default();
    let whose = match enough {
        Enough::AFailure | Enough::AFailureOf(_) => "the changed",
        Enough::Seeds | Enough::Often => "the recorded",
    };
    let seeds = enough.seeds();
    for seed in 1..=seeds {
        options.doing(&format!("random schedule {seed} of at most {seeds} of {whose} program"));
        let scheduler = Box::new(Random::new(seed));
        let mut system = system_of(
            Arc::clone(&program),
            sources,
            trace,
            Listener::new(Kin::recorded(), Naming::Place),
            scheduler,
            seed,
        )?;
        system.start(entry.module, entry.function, entry.arguments.as_deref());
        let slices = bound.saturating_mul(SLICES).max(LEAST_SLICES);
        let slices = u32::try_from(slices).unwrap_or(u32::MAX - 1);
        let end = system.run_for(bound.min(left), slices);
        if end.is_none() && (system.total_actions < left || left >= bound) {
            tried.endless.get_or_insert(seed);
        }
        left = left.saturating_sub(system.total_actions.max(LEAST / 10));
        program = Arc::clone(&system.program);
        let actions = system.total_actions;
        let deadlock = end == Some(system::RunEnd::Quiescent) && system.table().by_pid(system.entry()).is_some();
        let heard = system.into_observer();
        let found = match recorded {
            Failure::End(recorded) => {
                // First who ran the same, then whoever ended in this way.
                // What others come to when the entry has ended is often how the rest of the program is torn down.
                let counts = |end: &&AbnormalEnd| recorded.late || !end.late || end.does == recorded.does;
                let failed = heard.ends.iter().filter(counts);
                let ends = |wanted| failed.clone().find(|end| of_its_kind(end, recorded) == Some(wanted));
                let end = ends(Verdict::StillFails).or_else(|| ends(Verdict::FailsDifferently));
                end.cloned().map(Failure::End)
            }
            Failure::Deadlock => (deadlock && heard.ends.is_empty()).then_some(Failure::Deadlock),
            Failure::Halt(code) => (heard.halted == Some(*code)).then_some(Failure::Halt(*code)),
            Failure::None => None,
        };
        tried.runs = seed;
        let ends = heard.ends.iter().cloned().map(Failure::End);
        let mut results: Vec<Kind> = ends
            .filter(returns_a_result)
            .filter_map(|end| match end {
                Failure::End(end) => Some(kind_of(&end)),
                _ => None,
            })
            .collect();
        results.sort();
        results.dedup();
        for kind in results {
            match tried.results.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, runs)) => *runs += 1,
                None => tried.results.push((kind, 1)),
            }
        }
        if let Some(found) = found {
            tried.fails += 1;
            tried.found.get_or_insert((seed, found));
        } else {
            // What happens when the entry has ended is often how the rest of the program is torn down.
            let counts = |end: &AbnormalEnd| match recorded {
                Failure::End(recorded) => recorded.late || !end.late,
                _ => !end.late,
            };
            let failed = heard.ends.into_iter();
            let failed = failed.filter(|end| end.gravity == Gravity::Failed && counts(end));
            let halted = heard.halted.filter(|code| *code != 0).map(Failure::Halt);
            let waits = (deadlock && halted.is_none()).then_some(Failure::Deadlock);
            for other in failed.map(Failure::End).chain(halted).chain(waits) {
                if !tried.others.iter().any(|(_, known)| is_of_kind(&other, known)) {
                    tried.others.push((seed, other));
                }
            }
        }
        // Without an action a run takes long before it is given up: one such is enough.
        let spins = tried.endless == Some(seed) && actions < bound;
        if left == 0 || spins || enough.is_shown_by(&tried) {
            break;
        }
    }
    Ok(tried)
}

/// Is an end of the kind of the recorded one, the values in their reasons left out? `still fails` if the process ran the same and ended by the
/// same class, else `fails differently`.
fn of_its_kind(now: &AbnormalEnd, recorded: &AbnormalEnd) -> Option<Verdict> {
    let ((class, head), (recorded_class, recorded_head)) = (class_and_head(now), class_and_head(recorded));
    if now.gravity != recorded.gravity || head != recorded_head {
        return None;
    }
    let same = class == recorded_class && now.does == recorded.does;
    Some(if same {
        Verdict::StillFails
    } else {
        Verdict::FailsDifferently
    })
}

/// The class of an end, and the first word of its reason, with the braces before it.
fn class_and_head(end: &AbnormalEnd) -> (&str, &str) {
    let (class, reason) = match end.reason.split_once(' ') {
        Some((class @ ("error" | "exit" | "throw"), reason)) => (class, reason),
        _ => ("", end.reason.as_str()),
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '{' | '@');
    let length = reason.find(|c| !is_word(c)).unwrap_or(reason.len());
    (class, &reason[..length])
}

/// A system with this program, which holds signals back.
fn start(sources: &Sources, entry: &Entry, trace: &Trace, listener: Listener) -> Result<System<Listener>, Error> {
    let program = Arc::new(entry.load(sources)?);
    let seed = trace.header().seed.unwrap_or(0);
    let mut system = system_of(program, sources, trace, listener, Box::new(RoundRobin::default()), seed)?;
    system.gate();
    system.start(entry.module, entry.function, entry.arguments.as_deref());
    Ok(system)
}

/// A system with this program on the node of the recorded run, without processes.
fn system_of(
    program: Arc<vm::Program>,
    sources: &Sources,
    trace: &Trace,
    listener: Listener,
    scheduler: Box<dyn Scheduler>,
    seed: u64,
) -> Result<System<Listener>, Error> {
    let settings = Settings {
        scheduler,
        outside: Box::new(Simulated::new(seed)),
        loader: Box::new(sources.loader()),
        clock: Clock::Virtual(0),
        limits: Limits::default(),
        arguments: trace.header().arguments.clone(),
        exit_with_entry: false,
    };
    let mut system = System::new(program, listener, settings, None);
    if let Some(node) = trace.nodes()?.first()
        && node != system::NO_NODE
    {
        system.name_node(node);
    }
    Ok(system)
}
