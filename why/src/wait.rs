//! Which process waits for which, at the end of a run in which nothing can happen any more.

use log_format::{ActionId, ActionNo, FinalState, Kind, LogStep, Pid, SendNo, Tag, Trace};
use rustc_hash::FxHashMap;
use system::System;
use system::process::Lookup;

use crate::past::Pasts;
use crate::scene::Scene;
use crate::story::{Diagnosis, EndedProcess, Pattern, Wait};
use session::error::Error;
use session::shown;
use session::subject::{self, ShownBounds};
use session::value::Value;
use session::view::FunctionName;
use session::watch::{Watcher, Wish};
use session::words::{count, safe};
use session::{Goal, Session};

/// Limits: processes shown, processes shown of a wait cycle, processes searched for one.
const TOLD: usize = 8;
const IN_CIRCLE: usize = 16;
const LOOKED: usize = 64;

/// Limits for ended processes that a waiting one's variables refer to: how many are shown, and how many characters of their reasons.
const ENDED: usize = 3;
const REASON: usize = 60;

/// The processes that wait.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// Each with what it waits for; the process that was asked about comes first.
    pub list: Vec<Wait>,
    /// How many more wait.
    pub more: u64,
    /// Is there a wait cycle among them?
    pub circular: bool,
}

/// The last signal that a process put in flight after its last receive.
struct Asked {
    action: u64,
    tag: Tag,
}

/// Describes the processes that wait at the end of a run, this one first.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn waits(session: &Session, first: Pid, bounds: &ShownBounds) -> Result<Waits, Error> {
    let trace = session.trace();
    let Standing { pids, sends, more } = standing(trace, first, bounds)?;
    let mut waits = Waits {
        more,
        ..Waits::default()
    };
    let mut pasts = Pasts::new(session, None)?;
    let mut asked: FxHashMap<Pid, Asked> = FxHashMap::default();
    let mut acts = FxHashMap::default();
    let mut ends = Vec::new();
    for &pid in &pids {
        let last = trace.process(pid)?.counts.last_action();
        ends.push(ActionId { pid, number: last });
        let since = pasts.past(pid, last.0)?.taken.first().map_or(0, |taken| taken.number);
        if let Some(one) = last_send(trace, pid, since)? {
            acts.insert(pid, vec![one.action].into());
            asked.insert(pid, one);
        }
    }
    let slice = causality::causes_of_all(trace, ends.into_iter().chain(sends))?;
    let wish = Wish {
        acts,
        subject: None,
        chars: bounds.chars,
        output: 0,
        frames: bounds.frames,
        variables: session::scene::FRAMES,
        ..Wish::default()
    };
    let mut goal = Goal::causes(slice);
    goal.all_run_on = true;
    let system = session.replay(&goal, Watcher::new(wish))?;
    let names = shown::names(&system);
    let scene = Scene::new(session, &system, &names);
    let mut leads: FxHashMap<Pid, Pid> = FxHashMap::default();
    for &pid in &pids {
        let Some(mut wait) = wait_of(session, &system, &scene, pid, bounds)? else {
            continue;
        };
        if let Some(one) = asked.get(&pid)
            && let Some(act) = scene.act(pid, one.action)?
        {
            let to = system
                .observer
                .seen
                .get(&ActionId::new(pid, one.action))
                .and_then(|seen| seen.peer);
            if let Some(to) = to {
                let (fate, received) = fate(trace, pid, to, one.tag)?;
                wait.fate = Some(fate);
                if pids.contains(&to) && (received || !leads.contains_key(&pid)) {
                    leads.insert(pid, to);
                }
            }
            wait.asked = Some(act);
        }
        // Who starts or stops another one waits for it, whatever it had sent before.
        let awaited = wait.starting.as_ref().or(wait.stopping.as_ref());
        if let Some(other) = awaited.and_then(|other| other.parse().ok()) {
            leads.insert(pid, other);
        }
        waits.list.push(wait);
    }
    waits.arrange(&circle(&leads, &pids));
    Ok(waits)
}

/// Describes a process that a replay has led to a receive in which it waits.
///
/// # Errors
/// The trace is damaged.
pub fn one(
    session: &Session,
    system: &System<Watcher>,
    scene: &Scene<'_>,
    pid: Pid,
    bounds: &ShownBounds,
) -> Result<Waits, Error> {
    Ok(Waits {
        list: wait_of(session, system, scene, pid, bounds)?.into_iter().collect(),
        ..Waits::default()
    })
}

/// The processes that wait at the end of a run.
struct Standing {
    /// Those that are examined.
    pids: Vec<Pid>,
    /// The sends of the messages in their mailboxes.
    sends: Vec<ActionId>,
    /// How many more there are.
    more: u64,
}

fn standing(trace: &Trace, first: Pid, bounds: &ShownBounds) -> Result<Standing, Error> {
    let mut all = Standing {
        pids: vec![first],
        sends: Vec::new(),
        more: 0,
    };
    for outcome in trace.outcomes()? {
        if !matches!(outcome.state, FinalState::Waiting { .. }) {
            continue;
        }
        if outcome.pid != first && all.pids.len() >= LOOKED {
            all.more += 1;
            continue;
        }
        if outcome.pid != first {
            all.pids.push(outcome.pid);
        }
        for tag in outcome.tags.iter().take(bounds.items) {
            all.sends.extend(session::targets::sender_of(trace, *tag)?);
        }
    }
    Ok(all)
}

/// Where a process waits, with its variables and its mailbox; `None` if it has ended.
fn wait_of(
    session: &Session,
    system: &System<Watcher>,
    scene: &Scene<'_>,
    pid: Pid,
    bounds: &ShownBounds,
) -> Result<Option<Wait>, Error> {
    let handle = interpreter::term::Pid::new(0, pid.0);
    let Lookup::Alive(_) = system.table().find(handle) else {
        return Ok(None);
    };
    let Some(p) = system.table().by_pid(handle) else {
        return Ok(None);
    };
    let mut view = subject::living(system, p, bounds);
    crate::frames::own_frames_first(session, &mut view);
    let frame = view.frames.first();
    let place = frame.and_then(|frame| frame.place.as_ref());
    let registered = || scene.names.get(&pid).cloned();
    let variables = frame.map_or_else(Vec::new, |frame| {
        let known = frame.variables.iter();
        known.filter_map(|v| Some((v.name.clone(), v.value.clone()?))).collect()
    });
    let values = subject::values(&p.machine, &system.program, |file| session.sources().owns(file));
    let values = values
        .iter()
        .map(|(_, value)| Value::of_fragment(value, &system.program));
    let pids: Vec<Pid> = values.flat_map(|value| value.pids()).collect();
    Ok(Some(Wait {
        pid: pid.to_string(),
        name: scene.doing(pid, place).or_else(registered),
        state: match place {
            Some(place) => format!("waits at {}", place.short()),
            None => "waits in a receive".to_owned(),
        },
        target: format!("end:{pid}"),
        line: place.and_then(|place| scene.line(place)),
        at: place
            .filter(|place| session.sources().owns(&place.file))
            .map(session::view::SourcePlace::short),
        ended: ended(session.trace(), pid, &pids)?,
        variables,
        mailbox: view.mailbox.iter().map(|m| m.content.clone()).collect(),
        asked: None,
        fate: None,
        in_circle: false,
        starting: awaited(system, p, |place| {
            const STARTS: [&str; 3] = ["sync_start", "sync_start_link", "sync_start_monitor"];
            let is_it = STARTS.iter().any(|name| place.is("proc_lib", name, 2));
            is_it.then_some("Pid")
        }),
        stopping: awaited(system, p, |place| place.is("proc_lib", "stop", 3).then_some("Process")),
    }))
}

/// If a process waits in one of these functions of the library: the process that this variable holds.
fn awaited(
    system: &System<Watcher>,
    p: &system::process::Process,
    variable: impl Fn(&FunctionName) -> Option<&'static str>,
) -> Option<String> {
    let here = session::watch::here(&p.machine, &system.program)?;
    let variable = variable(&here.function)?;
    let values = subject::values(&p.machine, &system.program, |file| file == here.file);
    let value = values
        .iter()
        .find(|(name, _)| name == variable)
        .map(|(_, value)| value)?;
    let pids = Value::of_fragment(value, &system.program).pids();
    pids.first().map(Pid::to_string)
}

/// Who waits for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitCycle {
    /// In a sentence.
    pub text: String,
    /// The sends that it names.
    pub named: Vec<ActionId>,
}

impl Waits {
    /// The wait cycle in a sentence: who waits for whom, and for what.
    #[must_use]
    pub fn cycle(&self) -> Option<WaitCycle> {
        let circle: Vec<&Wait> = self.list.iter().filter(|wait| wait.in_circle).collect();
        if circle.len() < 2 {
            return None;
        }
        let named = |wait: &Wait| match &wait.name {
            Some(name) => format!("{} {name}", wait.pid),
            None => wait.pid.clone(),
        };
        let all = circle.iter().enumerate().map(|(at, wait)| {
            let next = circle[(at + 1) % circle.len()];
            let what = match (&wait.starting, &wait.asked) {
                (Some(child), _) if *child == next.pid => ", which it is starting".to_owned(),
                (_, Some(asked)) => format!(" [{}]", asked.target),
                (_, None) if wait.stopping.as_ref() == Some(&next.pid) => {
                    " to end, which it has asked to stop".to_owned()
                }
                (_, None) => String::new(),
            };
            let at = wait.at.as_ref().map_or_else(String::new, |at| format!(" at {at}"));
            format!("{} waits{at} for {}{what}", named(wait), named(next))
        });
        let asked = circle.iter().filter_map(|wait| wait.asked.as_ref());
        Some(WaitCycle {
            text: format!("{}.", all.collect::<Vec<_>>().join("; ")),
            named: asked.map(|act| ActionId::new(act.pid, act.number)).collect(),
        })
    }

    /// The wait cycle as the likely cause, if there is one. That nothing was sent back says less.
    pub(crate) fn as_likely(&self, likely: &mut Option<Diagnosis>) {
        let Some(cycle) = self.cycle().filter(|_| self.circular) else {
            return;
        };
        likely.take_if(|likely| likely.pattern == Pattern::NoAnswer);
        likely.get_or_insert_with(|| Diagnosis {
            named: cycle.named,
            ..crate::story::said(Pattern::WaitCycle, cycle.text)
        });
    }

    /// Puts the most informative first, and drops what is beyond the limit.
    fn arrange(&mut self, circle: &[Pid]) {
        // Unread messages are the most informative: processes that have some come right after the one that was asked about.
        if let Some((_, others)) = self.list.split_first_mut() {
            others.sort_by_key(|wait| (wait.mailbox.is_empty(), wait.asked.is_none()));
        }
        self.circular = !circle.is_empty();
        for wait in &mut self.list {
            wait.in_circle = circle.iter().any(|pid| pid.to_string() == wait.pid);
        }
        // The cycle first, each process before the one that it waits for.
        let place = |wait: &Wait| circle.iter().position(|pid| pid.to_string() == wait.pid);
        self.list.sort_by_key(|wait| place(wait).unwrap_or(usize::MAX));
        let shown = circle.len().clamp(TOLD, IN_CIRCLE).min(self.list.len());
        self.more += (self.list.len() - shown) as u64;
        self.list.truncate(shown);
    }
}

/// Of the processes that a process knows those that had ended.
fn ended(trace: &Trace, own: Pid, known: &[Pid]) -> Result<Vec<EndedProcess>, Error> {
    let mut told: Vec<EndedProcess> = Vec::new();
    for &pid in known {
        let again = pid == own || told.iter().any(|other| other.end.pid == pid);
        if again || told.len() >= ENDED || !trace.has(pid)? || !trace.process(pid)?.ended {
            continue;
        }
        let last = trace.process(pid)?.counts.last_action();
        let by_signal = matches!(trace.action(pid, last)?.kind, Kind::Signal { .. });
        let (word, how) = match by_signal {
            true => ("signal", "had been ended by an exit signal"),
            false => ("exit", "had ended"),
        };
        let reason = match trace.outcome(pid)?.map(|outcome| outcome.state) {
            Some(FinalState::Ended { reason, .. }) => format!(": {}", session::words::cut(&safe(&reason), REASON)),
            _ if !by_signal => " normally".to_owned(),
            _ => String::new(),
        };
        told.push(EndedProcess {
            end: ActionId::new(pid, last.0),
            text: format!("{pid} {how}{reason} [{word}:{pid}]"),
        });
    }
    Ok(told)
}

/// The first cycle that one of these leads to, starting at the first of them that is in it.
fn circle(leads: &FxHashMap<Pid, Pid>, pids: &[Pid]) -> Vec<Pid> {
    for &pid in pids {
        let mut way = vec![pid];
        let mut at = pid;
        while let Some(&next) = leads.get(&at) {
            if let Some(first) = way.iter().position(|one| *one == next) {
                return way.split_off(first);
            }
            way.push(next);
            at = next;
        }
    }
    Vec::new()
}

/// The last send of a process after one of its actions.
fn last_send(trace: &Trace, pid: Pid, since: u64) -> Result<Option<Asked>, Error> {
    let mut log = trace.log(pid)?.without_values();
    log.seek(ActionNo(since + 1))?;
    let mut last = None;
    loop {
        let sends = match log.step(u64::MAX)? {
            None => return Ok(last),
            Some(LogStep::Sends(n)) => n,
            Some(LogStep::Action(action)) if matches!(action.kind, Kind::Send) => u64::from(action.sends),
            Some(_) => 0,
        };
        if sends > 0 {
            let counts = log.counts();
            last = Some(Asked {
                action: counts.actions,
                tag: Tag::Sent {
                    by: pid,
                    k: SendNo(counts.sends),
                },
            });
        }
    }
}

/// Does the mailbox of a process contain something that another one sent to it after this action?
fn answered(trace: &Trace, pid: Pid, by: Pid, after: ActionNo) -> Result<bool, Error> {
    for tag in trace.outcome(pid)?.map_or_else(Vec::new, |outcome| outcome.tags) {
        let sent = session::targets::sender_of(trace, tag)?;
        if sent.is_some_and(|ActionId { pid: who, number: n }| who == by && n > after) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What became of a message of a waiting process, in words, and whether it was received.
fn fate(trace: &Trace, pid: Pid, to: Pid, tag: Tag) -> Result<(String, bool), Error> {
    if !trace.has(to)? {
        return Ok((format!("{to} is not a process of the run"), false));
    }
    let mut log = trace.log(to)?.without_values();
    loop {
        match log.step(u64::MAX)? {
            None => break,
            Some(LogStep::Action(action)) if action.kind.consumed() == Some(tag) => {
                if matches!(action.kind, Kind::Signal { .. }) {
                    return Ok((format!("that exit signal ended {to} [signal:{to}]"), false));
                }
                let number = log.counts().last_action();
                let rest = trace.process(to)?.counts.actions - number.0;
                let then = match (answered(trace, pid, to, number)?, rest) {
                    (true, _) => "and sent something back".to_owned(),
                    (false, 0) => "and did nothing more".to_owned(),
                    (false, n) => format!("and sent nothing back in {}", count(n, "more action")),
                };
                let name = trace
                    .rec_no(to, number)?
                    .map_or_else(String::new, |n| format!(" (rec:{n})"));
                return Ok((format!("{to} received it{name} {then}"), true));
            }
            Some(_) => {}
        }
    }
    let state = match trace.outcome(to)?.map(|outcome| outcome.state) {
        Some(FinalState::Waiting { location }) => format!("waits at {}", safe(&location)),
        Some(FinalState::Running { location }) => format!("was at {}", safe(&location)),
        Some(FinalState::Ended { reason, .. }) => format!("had ended: {}", safe(&reason)),
        None => "had ended".to_owned(),
    };
    Ok((format!("{to} never received it: it {state}"), false))
}
