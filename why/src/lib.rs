//! `why`: explains an action by walking backwards: the message that led to it, its sender and the sender's state, the receive because of which
//! it was sent, and so on. Also what else was required, and which messages could have come instead.

pub mod changes;
mod collected;
pub mod decided;
mod diagnosis;
mod frames;
pub mod heard;
mod instead;
mod keys;
pub mod late;
mod limits;
pub mod lost;
pub mod order;
mod origin;
pub mod past;
pub mod reads;
pub mod records;
pub mod scene;
pub mod story;
pub mod stuck;
pub mod tell;
mod tested;
mod told_early;
#[cfg(test)]
mod typed;
pub mod wait;
mod walk;
mod words;

use log_format::{ActionId, Cut, Kind, Pid, RunEnd, Trace};

use causality::Point;
use frames::{frames_of_test, own_frames_first, raised_frame, without_library_source};
use interpreter::print::Terms;
use limits::SMALL;
use past::Pasts;
use rustc_hash::FxHashSet;
use scene::Scene;
use session::error::Error;
use session::of_elixir::machinery;
use session::subject::ShownBounds;
use session::value::Value;
use session::view::{Act, ActKind, ProcessView};
use session::watch::SeenAction;
use session::{Session, notes, shown};
use story::{ElixirShare, Opening, Why};
use tell::Told;
use tested::Tested;

/// Limit: steps of a story.
const LINKS: usize = 8;
/// Limit: steps of the story of a deadlock, where the wait cycle says more.
const LINKS_OF_A_WAIT: usize = 3;
/// Limit: steps with `--all`.
const ALL_LINKS: usize = 200;
/// Limit: required accesses and inputs that are shown.
const REQUIRED: usize = 6;
/// Limit: frames that are searched for the failure's values.
const STATE: usize = 4;
/// Limit: characters of a value that are searched, however few are shown.
const CHARS: usize = 2000;
/// Limit: other failures among the causes that are shown.
const FAILED: usize = 3;
/// The stall is measured of runs of at most this many actions: that takes 600 bytes for each of them.
pub const STALLS: u64 = 2_000_000;

/// Explains why a target happened.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn explain(session: &Session, found: &Point, bounds: &ShownBounds, all: bool) -> Result<Why, Error> {
    let limits = decisive::Limits::default();
    explain_within(session, found, (limits, &mut |_| Ok(())), bounds, all)
}

/// What is done with the first line of an answer before other choices are tried, which can take long.
pub type Begun<'b> = &'b mut dyn FnMut(&Opening<'_>) -> Result<(), Error>;

/// As [`explain`]; other choices are tried within these limits, after `begun` has got what happened.
///
/// # Errors
/// As [`explain`]; whatever `begun` returns.
pub fn explain_within(
    session: &Session,
    found: &Point,
    (limits, begun): (decisive::Limits, Begun<'_>),
    bounds: &ShownBounds,
    all: bool,
) -> Result<Why, Error> {
    let names = match session.trace().totals().counts.actions <= SMALL {
        true => causality::first_names(session.trace())?,
        false => Default::default(),
    };
    // A process of ExUnit runs one test.
    let tests = match session.terms() {
        Terms::Elixir => causality::tests(session.trace())?,
        Terms::Erlang => Vec::new(),
    };
    let tests = tests.into_iter().filter(|test| test.began.is_some());
    session.called().begin(tests.map(|test| (test.of, test.name)), names);
    let answer = explain_called(session, found, (limits, begun), bounds, all);
    session.called().end();
    answer
}

/// As [`explain_within`]; each process is called by one name.
fn explain_called(
    session: &Session,
    found: &Point,
    (limits, begun): (decisive::Limits, Begun<'_>),
    bounds: &ShownBounds,
    all: bool,
) -> Result<Why, Error> {
    let trace = session.trace();
    let shown = bounds;
    let bounds = &ShownBounds {
        chars: bounds.chars.max(CHARS),
        ..*bounds
    };
    let slice = shown::slice_of(trace, found)?;
    let mut tested = Tested::of(trace, found)?;
    let mut pasts = Pasts::new(session, tested.as_ref())?;
    let system = replayed(session, found, (&slice, tested.as_ref()), &mut pasts, bounds)?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let deadlock = found.runs_on && trace.run_end()? == Some(RunEnd::Deadlock);
    let waits_in_test = tested.as_ref().is_some_and(|tested| tested.waits);
    let limit = most_links(all, deadlock || waits_in_test);
    let mut told = tell::tell(&scene, &mut pasts, found.pid, found.action.0, limit)?;
    if trace.totals().counts.actions <= SMALL {
        late::explain(session, &mut told.links, &told.timeouts, bounds)?;
        lost::explain(session, &mut told.links, &told.writes, bounds)?;
    }
    let mentioned = mentioned(&scene, found);
    let noted = scene.seen.get(&found.id()).filter(|_| !found.runs_on);
    let noted_test = noted.filter(|_| tested.is_some());
    let mut process = process_view(session, &system, found, (&names, noted_test), shown)?;
    if let Some(tested) = &mut tested
        && tested.waits
    {
        let place = process.frames.first().and_then(|frame| frame.place.as_ref());
        tested.waits_at = place.map(session::view::SourcePlace::at);
    }
    let happened = happened(&scene, found, &process)?;
    process.name.clone_from(&happened.name);
    let test = failed_test(session, &system, (tested.as_ref(), noted), &happened);
    begun(&Opening {
        target: &found.target.to_string(),
        happened: &happened,
        test: test.as_ref(),
        process: &process,
        waits: deadlock || waits_in_test,
    })?;
    let measure = measured(session, found)?;
    let mut beside = if trace.totals().counts.actions <= SMALL {
        let known = (&mut pasts, &told, mentioned.as_slice());
        let times = measure.as_ref().and_then(|measure| measure.as_ref().ok());
        Beside::search(session, (found, tested.as_ref()), &slice, (known, times), bounds)?
    } else {
        Beside::default()
    };
    // A step tells it.
    beside.unseen.retain(|one| !one.in_step);
    let decided = decided_by(session, (found, tested.as_ref()), (&told, limits), &mut beside, shown)?;
    let origin = origin(session, found, &slice, decided.as_ref(), bounds)?;
    let (required, more_required) = required(&scene, &told, all)?;
    // After what names the processes by all that they did.
    let waits = waits_of(session, (&system, &scene), found.pid, (deadlock, waits_in_test), shown)?;
    waits.as_likely(&mut beside.likely);
    let others = other_ends(trace, found, &beside, (&told, &waits))?;
    let mut notes = notes(session, found, (tested.as_ref(), others), deadlock, shown)?;
    let instead = if slice.actions() <= SMALL {
        let own = pasts.past(found.pid, found.action.0)?.taken.clone();
        instead::instead(session, found, &told, &own, bounds)?
    } else {
        notes.push("the run is too large to look for messages that could have come first".to_owned());
        Vec::new()
    };
    Ok(Why {
        target: found.target.to_string(),
        happened,
        test,
        decided,
        likely: beside.likely,
        timing: beside.timing,
        stall: stall(session, found, measure, shown)?,
        origin,
        process,
        links: told.links,
        waits: waits.list,
        more_waits: waits.more,
        circular: waits.circular,
        unseen: beside.unseen,
        gave_up: beside.gave_up,
        overtaken: beside.overtaken,
        failed: beside.failed,
        instead,
        never: beside.never,
        required,
        more_required,
        causes: slice.actions(),
        processes: slice.processes() as u64,
        of_actions: trace.totals().counts.actions,
        beside: {
            let (causes, processes) = machinery(session).within(&slice);
            ElixirShare { causes, processes }
        },
        cut: told.cut,
        notes,
        next: Vec::new(),
    })
}

/// Replays what led to the target. A failing process can have received much after what told it the value that it fails with: then the story begins there.
fn replayed(
    session: &Session,
    found: &Point,
    (slice, tested): (&Cut, Option<&Tested>),
    pasts: &mut Pasts<'_>,
    bounds: &ShownBounds,
) -> Result<system::System<session::watch::Watcher>, Error> {
    let replay = |pasts: &mut Pasts<'_>| {
        let mut candidates = pasts.candidates(found.pid, found.action.0)?;
        if let Some(tested) = tested {
            candidates.extend(tested::last_actions(found, tested));
        }
        session::scene::replay(session, found, slice.clone(), &candidates, bounds)
    };
    let mut system = replay(pasts)?;
    if told_early::is_wanted(session, &system, pasts, found)?
        && let Some(receive) = told_early::receive(session, found, slice, bounds)?
    {
        pasts.goes_back_to(found.id(), receive);
        system = replay(pasts)?;
    }
    if tested.is_none()
        && let Some((read, key)) = keys::named(session, &system, pasts, found)?
    {
        pasts.reads(read, key);
        system = replay(pasts)?;
    }
    if tested.is_some() {
        tested::restore_frames(session, &mut system, found);
    }
    Ok(system)
}

/// How many steps are told. Of a wait, the cycle says more.
const fn most_links(all: bool, waits: bool) -> usize {
    match (all, waits) {
        (true, _) => ALL_LINKS,
        (false, true) => LINKS_OF_A_WAIT,
        (false, false) => LINKS,
    }
}

/// The test that failed, in words. `noted`: what was seen of its note.
fn failed_test(
    session: &Session,
    system: &system::System<session::watch::Watcher>,
    (tested, noted): (Option<&Tested>, Option<&SeenAction>),
    happened: &Act,
) -> Option<story::TestFailed> {
    // Of one whose process was ended, the point is that end.
    let note = noted.filter(|_| happened.kind == ActKind::Test);
    tested.map(|tested| tested.told(note, ended_from_outside(session, system), session.terms()))
}

/// If an exit signal ended the subject: its reason, and where in the program another process raised it.
fn ended_from_outside<'s>(
    session: &Session,
    system: &'s system::System<session::watch::Watcher>,
) -> (Option<&'s Value>, Option<&'s session::view::SourcePlace>) {
    let Some(end) = system.observer.end.as_ref() else {
        return (None, None);
    };
    let mut raised = end.raised_elsewhere.iter();
    let own = raised.find(|place| session.sources().owns(&place.file));
    (end.class.is_none().then_some(&end.term), own)
}

/// Where the values of a failure came from, if no single choice decided.
fn origin(
    session: &Session,
    found: &Point,
    slice: &Cut,
    decided: Option<&decided::Decided>,
    bounds: &ShownBounds,
) -> Result<Option<story::Origin>, Error> {
    let none_decides = |decided: &decided::Decided| decided.untried.is_none() && decided.flip.is_none();
    match decided.is_some_and(none_decides) {
        true => origin::of(session, found, slice, bounds),
        false => Ok(None),
    }
}

/// What trying other choices says, if it is a failure; it bears out what is likely, or not.
fn decided_by(
    session: &Session,
    (found, tested): (&Point, Option<&Tested>),
    (told, limits): (&Told, decisive::Limits),
    beside: &mut Beside,
    bounds: &ShownBounds,
) -> Result<Option<decided::Decided>, Error> {
    if !is_failure(session.trace(), found, tested)? {
        return Ok(None);
    }
    if beside.likely.is_none() && beside.timing.is_none() {
        beside.likely = stuck_for_ever(found, told);
    }
    let near = near(told, beside.likely.as_ref());
    match decisive::search_near(session, found, &near, limits, bounds) {
        Ok(answer) => {
            // What another run mends was not for good.
            let mut answer = answer;
            if let (Some(timing), Some(answer)) = (&beside.timing, &mut answer) {
                without_effects(session.trace(), answer, timing.timeout)?;
            }
            let mends = |answer: &decisive::Answer| answer.order_matters() || answer.verdicts.stalls > 0;
            let mended = answer.as_ref().is_some_and(mends);
            beside.likely.take_if(|likely| likely.for_good && mended);
            let is_none = |answer: &decisive::Answer| answer.is_no_race() || answer.is_likely_no_race();
            if answer.as_ref().is_some_and(is_none) && beside.otherwise.is_some() {
                beside.likely = beside.otherwise.take();
            }
            let reads = told.links.iter().filter(|link| link.because == story::Because::Read);
            let reads: Vec<ActionId> = reads.map(|link| ActionId::new(link.act.pid, link.act.number)).collect();
            Ok(answer.map(|answer| decided::decide(answer, &mut beside.likely, &reads)))
        }
        // To try something needs more than the causes of the failure, and so perhaps a value that was left out of the trace. The story needs none.
        Err(error) => Ok(Some(decided::Decided::untried(
            error.to_string(),
            beside.likely.as_ref(),
        ))),
    }
}

/// What led to the failure: the steps of the story with what they go back to, and what the likely cause is about, in turn.
fn near(told: &Told, likely: Option<&story::Diagnosis>) -> Vec<ActionId> {
    let id = |act: &Act| ActionId::new(act.pid, act.number);
    let steps = told.links.iter().flat_map(|link| {
        let sent = link.sent.as_ref().map(|sent| id(&sent.act));
        std::iter::once(id(&link.act)).chain(sent)
    });
    let mut likely = likely.map_or(&[][..], |likely| &likely.actions).iter();
    let mut near = Vec::new();
    for step in steps {
        near.push(step);
        near.extend(likely.next());
    }
    near.extend(likely);
    near.retain(|one| one.number.0 > 0);
    let mut known = FxHashSet::default();
    near.retain(|one| known.insert(*one));
    near
}

/// The processes that wait, if that is the failure: of the whole run, or of a test.
fn waits_of(
    session: &Session,
    (system, scene): (&system::System<session::watch::Watcher>, &Scene<'_>),
    pid: Pid,
    (deadlock, in_test): (bool, bool),
    bounds: &ShownBounds,
) -> Result<wait::Waits, Error> {
    match (deadlock, in_test) {
        (true, _) => wait::waits(session, pid, bounds),
        (false, true) => wait::one(session, system, scene, pid, bounds),
        (false, false) => Ok(wait::Waits::default()),
    }
}

/// The times of the run, or why they are not known, if it is a failure.
fn measured(session: &Session, found: &Point) -> Result<Option<Result<delay::Measure, String>>, Error> {
    let is_failure = delay::is_failure(session.trace(), found)?;
    Ok(is_failure.then(|| delay::measure(session, STALLS)))
}

/// What stall a failure needs. Of a run that is too long for that, it is said that it is not known.
fn stall(
    session: &Session,
    found: &Point,
    measure: Option<Result<delay::Measure, String>>,
    bounds: &ShownBounds,
) -> Result<Option<delay::Told>, Error> {
    match measure {
        Some(Ok(measure)) => delay::Told::measured(session, found, &measure, bounds).map(Some),
        Some(Err(why)) => Ok(Some(delay::Told::unknown(why))),
        None => Ok(None),
    }
}

/// Leaves out the choices that are no cause of a wait that was too short: that the answer came first, which takes time, what came of the timeout, and
/// what needs a longer stall than the run did.
fn without_effects(trace: &Trace, answer: &mut decisive::Answer, timeout: ActionId) -> Result<(), Error> {
    let mut kept = Vec::new();
    for flip in std::mem::take(&mut answer.decisive) {
        let id = |act: &Act| ActionId::new(act.pid, act.number);
        let of_wait = id(&flip.at) == timeout;
        let made = flip.made.act.as_ref().map(id).filter(|made| made.number.0 > 0);
        let is_effect = match made {
            Some(made) => causality::causes(trace, made)?.contains(timeout),
            None => false,
        };
        if !of_wait && !is_effect && flip.stall.is_none() {
            kept.push(flip);
        }
    }
    answer.decisive = kept;
    Ok(())
}

/// If the process that failed had timed out, and nobody had been asked: a process that it knew and that waits for ever.
fn stuck_for_ever(found: &Point, told: &Told) -> Option<story::Diagnosis> {
    let timed_out = |link: &&story::Link| link.because == story::Because::TimedOut && link.act.pid == found.pid;
    let link = told.links.iter().find(timed_out)?;
    let waited = link.waited.as_ref()?;
    let known = waited.known.first()?;
    let who = link
        .act
        .name
        .as_ref()
        .map_or_else(|| link.act.pid.to_string(), |name| format!("{} {name}", link.act.pid));
    let place = link.act.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!(", {}", place.short()));
    let text = format!("{who} waited in vain [{}{place}]: {}", link.act.target, known.text);
    let timeout = ActionId::new(link.act.pid, link.act.number);
    Some(story::Diagnosis {
        actions: vec![timeout],
        named: vec![timeout],
        waiting: vec![known.pid],
        ..story::said(story::Pattern::NoAnswer, text)
    })
}

/// The process that is explained, as the program's author wants to see it. `noted`: what was seen of a failed test.
fn process_view(
    session: &Session,
    system: &system::System<session::watch::Watcher>,
    found: &Point,
    (names, noted): (&session::called::ProcessNames, Option<&SeenAction>),
    bounds: &ShownBounds,
) -> Result<ProcessView, Error> {
    let mut process = shown::process(session, system, found, names, bounds)?;
    own_frames_first(session, &mut process);
    if let Some(end) = system.observer.end.as_ref() {
        raised_frame(session, &mut process, &end.raised);
    }
    if let Some(noted) = noted {
        frames_of_test(session, &mut process, noted, bounds);
    }
    without_library_source(session, &mut process);
    Ok(process)
}

/// The action that is explained, or the wait.
fn happened(scene: &Scene<'_>, found: &Point, process: &ProcessView) -> Result<Act, Error> {
    let mut happened = match scene.act(found.pid, found.action.0)? {
        Some(act) => act,
        None => idle_act(scene.trace, found.pid)?,
    };
    if found.runs_on {
        happened.kind = ActKind::Wait;
        happened.target = format!("end:{}", found.pid);
        let place = process.frames.first().and_then(|frame| frame.place.as_ref());
        happened.name = scene.doing(found.pid, place).or(happened.name);
    }
    Ok(happened)
}

/// `others`: the other failures of the run.
fn notes(
    session: &Session,
    found: &Point,
    (tested, others): (Option<&Tested>, Option<String>),
    deadlock: bool,
    bounds: &ShownBounds,
) -> Result<Vec<String>, Error> {
    let trace = session.trace();
    // Waiting processes get a paragraph of their own.
    let mut notes = match tested {
        _ if deadlock => Vec::new(),
        // The heading says the rest.
        Some(_) if found.target == causality::Target::Error => notes::other_tests(trace)?.into_iter().collect(),
        Some(_) => Vec::new(),
        None => notes::on_point(trace, found)?,
    };
    notes.extend(notes::node_note(trace)?);
    notes.splice(0..0, others);
    if tested.is_some() {
        notes.extend(halted_later(session, found, bounds)?);
    }
    Ok(notes)
}

/// After a failed test, the program halted the system: that is another failure. What runs the tests halts it at their end.
fn halted_later(session: &Session, found: &Point, bounds: &ShownBounds) -> Result<Option<String>, Error> {
    let halt = causality::halt(session.trace())?.filter(|halt| *halt != found.id());
    let Some(halt) = halt.filter(|halt| !machinery(session).has(*halt)) else {
        return Ok(None);
    };
    let acts = session::scene::acts(session, &[halt], bounds)?;
    let Some(act) = acts.into_iter().flatten().next() else {
        return Ok(None);
    };
    let name = act.name.map_or_else(String::new, |name| format!(" {name}"));
    let place = act.place.map_or_else(String::new, |place| format!(", {}", place.at()));
    let status = act.content.unwrap_or_default();
    Ok(Some(format!(
        "later, {}{name} halted the system with status {status} [halt{place}]",
        act.pid
    )))
}

/// The other failures of the run, but for those that the answer names already: one end has one role in it.
fn other_ends(
    trace: &Trace,
    found: &Point,
    beside: &Beside,
    (told, waits): (&Told, &wait::Waits),
) -> Result<Option<String>, Error> {
    let mut others = Vec::new();
    for end in &found.others {
        let name = notes::end_named(trace, *end)?;
        let is_told = beside
            .likely
            .as_ref()
            .is_some_and(|likely| likely.actions.contains(end))
            || beside.failed.iter().any(|act| act.target == name)
            || told.links.iter().any(|link| story::names_end(link, &name))
            || waits
                .list
                .iter()
                .flat_map(|wait| &wait.ended)
                .any(|one| one.end == *end);
        if !is_told {
            others.push(*end);
        }
    }
    notes::other_errors(trace, &others)
}

/// What the steps of a story do not show. Searched in small runs only.
#[derive(Default)]
struct Beside {
    likely: Option<story::Diagnosis>,
    otherwise: Option<story::Diagnosis>,
    timing: Option<story::Timing>,
    unseen: Vec<story::Unseen>,
    gave_up: Vec<story::GaveUp>,
    overtaken: Vec<story::Overtaken>,
    failed: Vec<Act>,
    never: Vec<(String, Act)>,
}

impl Beside {
    fn search(
        session: &Session,
        (found, tested): (&Point, Option<&Tested>),
        slice: &Cut,
        ((pasts, told, mentioned), measure): ((&mut Pasts<'_>, &Told, &[&Value]), Option<&delay::Measure>),
        bounds: &ShownBounds,
    ) -> Result<Self, Error> {
        let others = told.receives.iter().map(|(pid, _)| *pid);
        let others: Vec<Pid> = others.filter(|pid| *pid != found.pid).collect();
        let shown = late::Shown {
            timeouts: &told.timeouts,
            receives: &told.receives,
        };
        let mut beside = Self {
            likely: None,
            otherwise: None,
            timing: None,
            unseen: lost::unseen(session, slice, &told.links, mentioned, bounds)?,
            gave_up: late::too_late(session, pasts, slice, shown, bounds)?,
            overtaken: order::overtaken(session, &told.receives, bounds)?,
            failed: failures(session, found, slice, &told.links, bounds)?,
            never: lost::never_received(session, &others, bounds)?,
        };
        if let Some(tested) = tested {
            // What happened before the test began has led to others.
            let earlier = |act: &Act| tested.is_earlier(ActionId::new(act.pid, act.number));
            beside.unseen.retain(|one| !earlier(&one.second));
            beside.gave_up.retain(|one| !earlier(&one.late));
            beside.failed.retain(|act| !earlier(act));
        }
        if is_failure(session.trace(), found, tested)? {
            let findings = diagnosis::Findings {
                told,
                unseen: &beside.unseen,
                gave_up: &beside.gave_up,
                overtaken: &beside.overtaken,
                key: pasts.key(),
            };
            let known = (findings, measure);
            let diagnosed = diagnosis::diagnose(session, (found, tested), slice, known, bounds)?;
            (beside.likely, beside.otherwise, beside.timing) =
                (diagnosed.likely, diagnosed.otherwise, diagnosed.timing);
            // What became of a request is told with its times.
            if let Some(timing) = &beside.timing {
                let is_elsewhere =
                    |likely: &story::Diagnosis| likely.actions.iter().all(|id| id.pid != timing.timeout.pid);
                beside.likely.take_if(|likely| {
                    likely.pattern.is_of_a_wait() || likely.pattern.is_order() && is_elsewhere(likely)
                });
            }
        }
        Ok(beside)
    }
}

/// Is it the end of a process that failed, or a wait for ever? Only of these it is asked what is to blame.
fn is_failure(trace: &Trace, found: &Point, tested: Option<&Tested>) -> Result<bool, Error> {
    if tested.is_some() {
        return Ok(true);
    }
    if found.runs_on {
        return Ok(trace.run_end()? == Some(RunEnd::Deadlock));
    }
    if found.action.0 == 0 {
        return Ok(false);
    }
    Ok(match trace.action(found.pid, found.action)?.kind {
        Kind::Exit { class } => class != log_format::ExitClass::Normal,
        Kind::Halt { code } => code != 0,
        _ => false,
    })
}

/// What a failure mentions: its reason and the program's variables there.
fn mentioned<'s>(scene: &'s Scene<'_>, found: &Point) -> Vec<&'s Value> {
    let Some(seen) = scene.seen.get(&found.id()) else {
        return Vec::new();
    };
    let variables = seen.frames.iter().take(STATE).flat_map(|frame| &frame.variables);
    let values = variables.filter_map(|v| v.term.as_ref());
    seen.term.iter().chain(values).collect()
}

/// Processes that failed earlier, if this is a cause of what is explained and no step shows it.
fn failures(
    session: &Session,
    found: &Point,
    slice: &log_format::Cut,
    links: &[story::Link],
    bounds: &ShownBounds,
) -> Result<Vec<Act>, Error> {
    let trace = session.trace();
    let mut others = Vec::new();
    for ActionId { pid, number: n } in causality::abnormal_ends(trace)? {
        let by_itself = matches!(trace.action(pid, n)?.kind, Kind::Exit { .. });
        let is_told = by_itself && !machinery(session).has(ActionId { pid, number: n });
        if is_told && pid != found.pid && slice.contains(ActionId { pid, number: n }) {
            others.push(ActionId { pid, number: n });
        }
    }
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let acts = session::scene::acts(session, &others, bounds)?.into_iter().flatten();
    let told = |act: &Act| {
        let mut acts = links
            .iter()
            .flat_map(|link| [Some(&link.act), link.sent.as_ref().map(|sent| &sent.act)]);
        acts.any(|known| known.is_some_and(|known| known.target == act.target))
    };
    Ok(acts.filter(|act| !told(act)).take(FAILED).collect())
}

/// For a process that has done nothing: its creation.
fn idle_act(trace: &Trace, pid: Pid) -> Result<Act, Error> {
    let action = log_format::Action::new(Kind::Access);
    let mut act = session::act::from_log(trace, pid, &action, &session::name::ActionTally::default(), 0);
    act.target = format!("end:{pid}");
    act.kind = ActKind::Wait;
    Ok(act)
}

/// Order edges of what was told: uses of shared things that others wrote, and values from outside. What is only bookkeeping is left out, if not all is
/// wanted.
fn required(scene: &Scene<'_>, told: &Told, all: bool) -> Result<(Vec<Act>, u64), Error> {
    let mut list = told.required.clone();
    list.sort_unstable();
    list.dedup();
    let found = list.len();
    if !all {
        let mut telling = Vec::new();
        for id in list {
            if !session::pick::is_bookkeeping(scene.trace, &scene.trace.action(id.pid, id.number)?) {
                telling.push(id);
            }
        }
        telling.truncate(REQUIRED);
        list = telling;
    }
    let more = (found - list.len()) as u64;
    let mut acts = Vec::new();
    for id in list {
        acts.extend(scene.act(id.pid, id.number.0)?);
    }
    Ok((acts, more))
}
