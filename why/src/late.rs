//! Why a message did not come in time: what a process had requested before its receive timed out, what became of that, and what else had been
//! sent to it.

use std::collections::hash_map::Entry;

use log_format::{ActionId, ActionNo, Cut, FinalState, Kind, LogStep, Pid, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::past::{Pasts, Taken};
use crate::scene::{Scene, whole_run};
use crate::story::{GaveUp, KnownWait, Link, Waited};
use crate::stuck::{Fate, Last, LastSteps, fate, last_steps, stuck_at};
use session::content::Content;
use session::error::Error;
use session::machinery::Machinery;
use session::of_elixir;
use session::shown;
use session::subject::ShownBounds;
use session::view::ActKind;
use session::view::Purpose;
use session::watch::{Mail, SeenAction, Watcher, Wish, ascending};
use session::{Goal, Session};

/// Limit: how many actions after its receipt of a request are shown.
const TOLD: usize = 4;
/// How many other messages to the process are shown.
const OTHERS: usize = 4;
/// How many processes that wait are shown of those that a process knows.
const KNOWN: usize = 2;
/// How many of a story's timeouts are examined.
const TIMEOUTS: usize = 3;
/// Limits for late replies: timeouts examined in all, timeouts of one process, late replies shown.
const GAVE_UP: usize = 256;
const OF_ONE: usize = 8;
const TOLD_LATE: usize = 2;
/// How many steps of a story are searched for the states in which its first messages were sent.
const WITNESSES: usize = 4;

/// A receive that timed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeout {
    /// The process that timed out.
    pub pid: Pid,
    /// The action that ended the wait.
    pub number: u64,
    /// The last signals that it had sent before, latest first: the action, the tag, and the receiver if it is known.
    pub asked: Vec<(u64, Tag, Option<Pid>)>,
}

impl Timeout {
    pub(crate) const fn id(&self) -> ActionId {
        ActionId::new(self.pid, self.number)
    }
}

/// A request, and what became of it.
struct Question {
    asked: (u64, Tag),
    fate: Option<Fate>,
    /// The receive of its reply by then, as an action.
    answer: Option<u64>,
    /// The receiver's last steps, if it never received anything after what is shown.
    last: Option<LastSteps>,
}

/// Adds to the steps of a story what is known about its timeouts.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn explain(
    session: &Session,
    links: &mut [Link],
    timeouts: &[(usize, Timeout)],
    bounds: &ShownBounds,
) -> Result<(), Error> {
    let trace = session.trace();
    let mut wanted: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    let mut mail: FxHashMap<Pid, Mail> = FxHashMap::default();
    let mut questions = Vec::new();
    for (_, one) in timeouts.iter().take(TIMEOUTS) {
        let question = question(trace, one)?;
        if question.is_none() {
            wanted.entry(one.pid).or_default().push(one.number);
        }
        if let Some(Question { asked, fate, last, .. }) = &question {
            wanted.entry(one.pid).or_default().push(asked.0);
            if let Some(Fate {
                pid,
                taken: Some(taken),
                rest,
                ..
            }) = fate
            {
                wanted.entry(*pid).or_default().extend(*taken..=*rest);
            }
            if let Some(last) = last {
                let list = wanted.entry(last.pid).or_default();
                list.extend(last.sent.map(|(n, _)| n));
                list.extend(last.end);
            }
        }
        mail.insert(one.pid, received(trace, one.pid, one.number)?);
        questions.push(question);
    }
    if questions.is_empty() {
        return Ok(());
    }
    let wanted_near = wanted
        .iter()
        .flat_map(|(pid, list)| list.iter().map(|n| ActionId::new(*pid, *n)))
        .collect();
    let wish = Wish {
        acts: ascending(wanted),
        subject: None,
        chars: bounds.chars,
        output: 0,
        frames: bounds.frames,
        variables: session::scene::FRAMES,
        own: None,
        near: wanted_near,
        terms: true,
        mail,
    };
    let Some(system) = whole_run(session, wish) else {
        return Ok(());
    };
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    for ((at, one), question) in timeouts.iter().zip(questions) {
        let Some(link) = links.get_mut(*at) else { continue };
        link.waited = Some(waited(&scene, (&system, of_elixir::machinery(session)), one, question)?);
    }
    Ok(())
}

/// What a story shows already.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// Timeouts: the step, and what is known of each.
    pub timeouts: &'a [(usize, Timeout)],
    /// Receives, nearest first.
    pub receives: &'a [(Pid, Taken)],
}

/// Replies among the causes that were sent after the caller had timed out, where the replier's state still refers to the caller. Replies that
/// the story already shows are left out.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn too_late(
    session: &Session,
    pasts: &mut Pasts<'_>,
    upto: &Cut,
    story: Shown<'_>,
    bounds: &ShownBounds,
) -> Result<Vec<GaveUp>, Error> {
    let trace = session.trace();
    let mut waits = timeouts_before(trace, upto)?;
    waits.retain(|one| !story.timeouts.iter().any(|(_, known)| known.id() == *one));
    let skip = waits.len().saturating_sub(GAVE_UP);
    let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    let mut mail: FxHashMap<Pid, Mail> = FxHashMap::default();
    let mut asked = Vec::new();
    for &ActionId {
        pid,
        number: ActionNo(n),
    } in &waits[skip..]
    {
        let Some((_, sends)) = pasts
            .past(pid, n)?
            .timeouts
            .last()
            .filter(|(number, _)| *number == n)
            .cloned()
        else {
            continue;
        };
        acts.entry(pid).or_default().extend(sends.iter().map(|(n, _)| *n));
        acts.entry(pid).or_default().push(n);
        if let Entry::Vacant(place) = mail.entry(pid) {
            place.insert(received(trace, pid, n)?);
        }
        asked.push((pid, n, sends));
    }
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let witnesses = witnesses(trace, story)?;
    for one in &witnesses {
        acts.entry(one.pid).or_default().push(one.number.0);
    }
    let wish = Wish {
        acts: ascending(acts),
        near: witnesses.iter().copied().collect(),
        terms: true,
        chars: bounds.chars,
        frames: bounds.frames,
        variables: session::scene::FRAMES,
        mail,
        ..Wish::default()
    };
    let system = session.replay(&Goal::causes(upto.clone()), Watcher::new(wish))?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut found = Vec::new();
    for (pid, number, sends) in asked.into_iter().rev() {
        if found.len() >= TOLD_LATE {
            break;
        }
        let timeout = Timeout {
            pid,
            number,
            asked: with_receivers(&scene, pid, &sends),
        };
        found.extend(answered_too_late(&scene, &system, story, &witnesses, &timeout)?);
    }
    found.sort_by_key(|one| !one.first);
    Ok(found)
}

/// The last timeouts of each process before a cut.
fn timeouts_before(trace: &Trace, upto: &Cut) -> Result<Vec<ActionId>, Error> {
    let mut waits = Vec::new();
    for ActionId { pid, number: last } in upto.iter() {
        let mut log = trace.log(pid)?.without_values();
        let first = waits.len();
        while log.counts().actions < last.0 {
            let left = last.0 - log.counts().actions;
            match log.step(left)? {
                None => break,
                Some(LogStep::Action(action)) if matches!(action.kind, Kind::After) => {
                    waits.push(ActionId::new(pid, log.counts().actions));
                }
                Some(_) => {}
            }
        }
        let skip = (waits.len() - first).saturating_sub(OF_ONE);
        waits.drain(first..first + skip);
    }
    Ok(waits)
}

/// Did the reply to the request before this timeout come after it?
fn answered_too_late(
    scene: &Scene<'_>,
    system: &system::System<Watcher>,
    story: Shown<'_>,
    witnesses: &[ActionId],
    timeout: &Timeout,
) -> Result<Option<GaveUp>, Error> {
    let (trace, pid, number) = (scene.trace, timeout.pid, timeout.number);
    if scene.purpose(pid, number) != Purpose::Wait {
        return Ok(None);
    }
    let Some(Question {
        asked,
        fate: Some(Fate {
            pid: by,
            taken: Some(taken),
            ..
        }),
        answer: None,
        ..
    }) = question(trace, timeout)?
    else {
        return Ok(None);
    };
    let peer = |one: &ActionId| system.observer.seen.get(one).and_then(|seen| seen.peer);
    let sent_back = |one: &ActionId| one.pid == by && one.number.0 > taken && peer(one) == Some(pid);
    let Some(&ActionId {
        number: ActionNo(n), ..
    }) = system.observer.mailed.iter().find(|one| sent_back(one))
    else {
        return Ok(None);
    };
    let (Some(gave_up), Some(asked), Some(late)) =
        (scene.act(pid, number)?, scene.act(pid, asked.0)?, scene.act(by, n)?)
    else {
        return Ok(None);
    };
    let holds = witnesses
        .iter()
        .any(|one| one.pid == by && one.number.0 > n && scene.seen.get(one).is_some_and(|seen| holds(seen, pid)));
    let turn = turn(trace, by, n)?;
    let mut steps = story.receives.iter().take(WITNESSES);
    let told = steps.any(|(who, taken)| *who == by && Some(taken.number) == turn);
    Ok(Some(GaveUp {
        timeout: gave_up,
        asked,
        late,
        holds,
        first: holds || told,
    }))
}

/// The sends of the messages in the first steps of a story: each message reflects the state that its sender had then.
fn witnesses(trace: &Trace, story: Shown<'_>) -> Result<Vec<ActionId>, Error> {
    let mut found = Vec::new();
    for (pid, taken) in story.receives.iter().take(WITNESSES) {
        if let Kind::Rec(tag) = trace.action(*pid, ActionNo(taken.number))?.kind {
            found.extend(session::targets::sender_of(trace, tag)?);
        }
    }
    Ok(found)
}

/// The last receive of a process before an action.
fn turn(trace: &Trace, pid: Pid, before: u64) -> Result<Option<u64>, Error> {
    let mut log = trace.log(pid)?.without_values();
    let mut last = None;
    while log.counts().actions < before {
        let left = before - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(LogStep::Action(action)) if matches!(action.kind, Kind::Rec(_)) => last = Some(log.counts().actions),
            Some(_) => {}
        }
    }
    Ok(last)
}

/// Do a process's variables still refer to another one?
fn holds(seen: &SeenAction, of: Pid) -> bool {
    let variables = seen.frames.iter().flat_map(|frame| &frame.variables);
    variables
        .filter(|variable| !variable.of_message)
        .filter_map(|variable| variable.term.as_ref())
        .any(|term| term.pids().contains(&of))
}

/// The last request before a timeout that had not been answered by then, or else the last one.
fn question(trace: &Trace, one: &Timeout) -> Result<Option<Question>, Error> {
    let mut last = None;
    for &(n, tag, peer) in &one.asked {
        let Some(to) = peer.filter(|to| *to != one.pid) else {
            continue;
        };
        let fate = fate(trace, to, tag)?;
        let answer = match &fate {
            Some(Fate { taken: Some(taken), .. }) => answer(trace, one, to, *taken)?,
            _ => None,
        };
        let question = Question {
            asked: (n, tag),
            fate,
            answer,
            last: None,
        };
        if answer.is_none() {
            let last = last_steps(trace, to)?;
            return Ok(Some(Question { last, ..question }));
        }
        last.get_or_insert(question);
    }
    let first = one.asked.first();
    Ok(last.or_else(|| {
        first.map(|&(n, tag, _)| Question {
            asked: (n, tag),
            fate: None,
            answer: None,
            last: None,
        })
    }))
}

/// The receive, before the wait ended, of something that the receiver of a request sent after receiving it.
fn answer(trace: &Trace, one: &Timeout, to: Pid, taken: u64) -> Result<Option<u64>, Error> {
    let mut log = trace.log(one.pid)?.without_values();
    let mut tags = Vec::new();
    while log.counts().actions < one.number {
        let left = one.number - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(LogStep::Action(action)) => {
                if let Kind::Rec(tag) = action.kind
                    && tag.sender() == Some(to)
                {
                    tags.push((log.counts().actions, tag));
                }
            }
            Some(LogStep::Sends(_)) => {}
        }
    }
    for (number, tag) in tags.into_iter().rev() {
        if session::targets::sender_of(trace, tag)?.is_some_and(|ActionId { number: n, .. }| n.0 > taken) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// The signals that a process had received up to an action.
///
/// # Errors
/// If the trace is damaged there.
pub(super) fn received(trace: &Trace, pid: Pid, upto: u64) -> Result<Mail, Error> {
    let mut tags = FxHashSet::default();
    let mut log = trace.log(pid)?.without_values();
    while log.counts().actions < upto {
        let left = upto - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(LogStep::Action(action)) => tags.extend(action.kind.consumed()),
            Some(LogStep::Sends(_)) => {}
        }
    }
    Ok(Mail { known: tags })
}

fn waited(
    scene: &Scene<'_>,
    (system, machinery): (&system::System<Watcher>, &Machinery),
    one: &Timeout,
    question: Option<Question>,
) -> Result<Waited, Error> {
    let mut view = Waited::default();
    let Some(Question {
        asked,
        fate,
        answer,
        last,
    }) = question
    else {
        others(scene, (system, machinery), one, &mut view)?;
        view.known = known(scene, one)?;
        return Ok(view);
    };
    view.asked = scene.act(one.pid, asked.0)?;
    view.not_last = one.asked.first().is_some_and(|(_, tag, _)| *tag != asked.1);
    let mut stuck = None;
    if let Some(Fate {
        pid,
        taken,
        rest,
        last: state,
    }) = fate
    {
        view.receiver = Some(scene.who(pid, taken));
        if let Some(taken) = taken {
            view.taken = scene.act(pid, taken)?;
            for n in taken + 1..=rest {
                let Some(mut act) = scene.act(pid, n)? else { continue };
                if act.kind == ActKind::After {
                    match scene.purpose(pid, n) {
                        Purpose::Wait => {}
                        Purpose::Sleep => act.content = Some("a sleep".to_owned().into()),
                        Purpose::Look => continue,
                    }
                }
                if matches!(
                    act.kind,
                    ActKind::Send | ActKind::After | ActKind::Rec | ActKind::Exit | ActKind::Signal | ActKind::Halt
                ) && view.then.len() < TOLD
                {
                    view.then.push(act);
                }
            }
        }
        view.receiver_then = state.map(|last| last.words(scene));
        // Only of a process that sent nothing back, also later, can we say that it never replied.
        let peer = |sent: &ActionId| system.observer.seen.get(sent).and_then(|seen| seen.peer);
        let sent_back =
            |sent: &ActionId| sent.pid == pid && sent.number.0 > taken.unwrap_or(0) && peer(sent) == Some(one.pid);
        if !system.observer.mailed.iter().any(sent_back) {
            stuck = last;
        }
    }
    if let Some(number) = answer {
        let taken = scene.trace.rec_no(one.pid, ActionNo(number))?;
        let name = taken.map_or_else(|| ActionId::new(one.pid, number).to_string(), |n| format!("rec:{n}"));
        view.answered = Some(name);
    }
    if let Some(steps) = stuck {
        view.stuck = stuck_at(scene, system, &steps, &view)?;
    }
    others(scene, (system, machinery), one, &mut view)?;
    Ok(view)
}

/// The processes that the variables of a process name, and that wait for ever: one of them may be whom it waited for.
fn known(scene: &Scene<'_>, one: &Timeout) -> Result<Vec<KnownWait>, Error> {
    let Some(seen) = scene.seen.get(&one.id()) else {
        return Ok(Vec::new());
    };
    let mut pids: Vec<Pid> = Vec::new();
    for variable in seen.frames.iter().flat_map(|frame| &frame.variables) {
        let named = variable.term.iter().flat_map(session::value::Value::pids);
        pids.extend(named.filter(|pid| *pid != one.pid));
    }
    pids.dedup();
    let mut told: Vec<KnownWait> = Vec::new();
    for pid in pids {
        if told.len() < KNOWN
            && scene.trace.has(pid)?
            && let Some(FinalState::Waiting { location }) = scene.trace.outcome(pid)?.map(|outcome| outcome.state)
        {
            let has_it = false;
            let waits = Last::Waits { location, has_it }.words(scene);
            let text = format!("{} {waits} [end:{pid}]", scene.who(pid, None));
            if !told.iter().any(|one| one.pid == pid) {
                told.push(KnownWait { pid, text });
            }
        }
    }
    Ok(told)
}

/// Other messages to a process that timed out, which it had not received by then.
fn others(
    scene: &Scene<'_>,
    (system, machinery): (&system::System<Watcher>, &Machinery),
    one: &Timeout,
    view: &mut Waited,
) -> Result<(), Error> {
    let leaders = crate::tested::leaders(scene.trace)?;
    for &ActionId {
        pid,
        number: ActionNo(n),
    } in &system.observer.mailed
    {
        let told = view.then.iter().any(|act| act.pid == pid && act.number == n);
        if pid == one.pid || told || view.others.len() >= OTHERS {
            continue;
        }
        if machinery.has(ActionId::new(pid, n)) {
            continue;
        }
        // What became of printed texts is the test runner's work.
        let seen = system.observer.seen.get(&ActionId::new(pid, n));
        let content = seen.and_then(|seen| seen.content.as_ref());
        let prints = content.is_some_and(Content::is_printed) && scene.in_library(pid, n);
        if leaders.contains(&pid) || prints {
            continue;
        }
        if system
            .observer
            .seen
            .get(&ActionId::new(pid, n))
            .and_then(|seen| seen.peer)
            == Some(one.pid)
            && !causality::causes(scene.trace, ActionId::new(pid, n))?.contains(one.id())
        {
            view.others.extend(scene.act(pid, n)?);
        }
    }
    Ok(())
}

/// The timeouts of a process since its last receive that are worth showing: the last one that is neither a sleep nor a check of the mailbox.
pub fn in_vain(scene: &Scene<'_>, pid: Pid, timeouts: &[(u64, Vec<(u64, Tag)>)]) -> Option<Timeout> {
    let told = timeouts
        .iter()
        .rev()
        .find(|(n, _)| scene.purpose(pid, *n) == Purpose::Wait);
    told.map(|(number, asked)| Timeout {
        pid,
        number: *number,
        asked: with_receivers(scene, pid, asked),
    })
}

/// Sends of a process, latest first, with their receivers.
pub fn with_receivers(scene: &Scene<'_>, pid: Pid, sends: &[(u64, Tag)]) -> Vec<(u64, Tag, Option<Pid>)> {
    let to = |n: u64| scene.seen.get(&ActionId::new(pid, n)).and_then(|seen| seen.peer);
    sends.iter().rev().map(|&(n, tag)| (n, tag, to(n))).collect()
}
