//! Processes that had ended: those that others still turned to, and those that ended in the middle of something.

use log_format::{ActionId, Pid, Resource};
use rustc_hash::FxHashSet;

use super::failure::Failure;
use super::fate::ended;
use super::run::{Does, Run, Step};
use crate::reads;
use crate::story::{Diagnosis, Pattern, said};
use session::value::Value;
use session::words::cut;

/// The processes of the story, the nearest first.
pub(super) fn concerned(run: &Run<'_>, failure: &Failure<'_>) -> Vec<Pid> {
    let mut pids = vec![failure.pid];
    for got in failure.receives(run) {
        let from = match run.step(got).map(|step| &step.does) {
            Some(Does::Got(_, Some(from))) => Some(from.pid),
            _ => None,
        };
        for pid in [Some(got.pid), from].into_iter().flatten() {
            if !pids.contains(&pid) {
                pids.push(pid);
            }
        }
    }
    pids
}

/// A process that was asked for something when it had ended, where the answer to that led to the failure.
pub(super) fn stale_pid(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    concerned(run, failure).into_iter().find_map(|pid| {
        run.steps(pid).iter().rev().find_map(|step| {
            let gone = step.accesses.iter().find_map(|access| match access.resource {
                Resource::Alive(gone) if !access.write => {
                    let end = run.end(gone)?;
                    (access.by == Some(ActionId::new(gone, end.number))).then_some(gone)
                }
                _ => None,
            })?;
            let id = ActionId::new(pid, step.number);
            match failed_on(run, id, gone) {
                Some(failed) => Some(failed),
                None if led_to(run, failure, (id, gone)) => turned_to(run, id, gone),
                None => None,
            }
        })
    })
}

/// What the runtime answers if the process that an action asks about has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refusal {
    /// A value that the program goes on with.
    Value(&'static str),
    /// An exception, or the reason of a signal.
    Reason(&'static str),
}

impl Refusal {
    /// Of this native function of the module `erlang`.
    fn of(name: &str) -> Self {
        match name {
            "is_process_alive" => Self::Value("false"),
            "process_info" => Self::Value("undefined"),
            "monitor" | "link" => Self::Reason("noproc"),
            _ => Self::Reason("badarg"),
        }
    }

    /// As an atom.
    const fn word(self) -> &'static str {
        match self {
            Self::Value(word) | Self::Reason(word) => word,
        }
    }
}

/// Did the answer to this action lead to the failure? A monitor of a process that has ended is a way to wait for its end, and no fault.
fn led_to(run: &Run<'_>, failure: &Failure<'_>, (asked, gone): (ActionId, Pid)) -> bool {
    let Some(native) = run.seen(asked).and_then(|seen| seen.native) else {
        return false;
    };
    let refusal = Refusal::of(native.name);
    let holds = |value: &Value| {
        let mut found = false;
        value.each(&mut |part| found |= part.is_atom(refusal.word()));
        // A reason that names other processes only is about those.
        let named = value.pids();
        found && (named.is_empty() || named.contains(&gone))
    };
    if run.value(failure.action).is_some_and(holds) {
        return true;
    }
    // It failed by what it made of that value, with nothing in between.
    let alone = |step: &Step| step.accesses.is_empty() && matches!(step.does, Does::Ended { .. } | Does::Other);
    matches!(refusal, Refusal::Value(_))
        && !failure.waits
        && asked.pid == failure.pid
        && run
            .after(asked)
            .iter()
            .take_while(|step| step.number <= failure.action.number.0)
            .all(alone)
}

fn turned_to(run: &Run<'_>, id: ActionId, gone: Pid) -> Option<Diagnosis> {
    let successor = run.name(gone).and_then(|name| {
        let mut others = run.processes().iter().map(|process| process.pid);
        others.find(|pid| *pid > gone && run.name(*pid) == Some(name))
    });
    let then = match (successor, looked_up(run, id)) {
        (Some(successor), _) => {
            let born = run.process(successor)?.parent;
            let born = born.map_or_else(String::new, |born| format!(" {}", run.at(born)));
            format!(
                " {} had been started in its place{born}, but {} still had the old one.",
                run.named(successor),
                id.pid
            )
        }
        (None, Some((looked, what))) => {
            format!(
                " {} had it from {what} {}, where it still stood.",
                id.pid,
                run.at(looked)
            )
        }
        (None, None) => String::new(),
    };
    let text = format!(
        "{} turned to {} {}, which {}.{then}",
        run.who(id),
        run.named(gone),
        run.at(id),
        ended(run, gone)?,
    );
    Some(said(Pattern::AlreadyEnded, text))
}

/// A process that only looked whether another one lives has done nothing wrong: why did that one fail?
fn failed_on(run: &Run<'_>, id: ActionId, gone: Pid) -> Option<Diagnosis> {
    let end = run.end(gone)?;
    let looks = run.seen(id)?.is_erlang("is_process_alive");
    if !looks || !matches!(end.does, Does::Ended { failed: true }) {
        return None;
    }
    let end = ActionId::new(gone, end.number);
    let (got, sent) = run.last_got(end)?;
    let reason = run.seen(end)?.told()?;
    let text = format!(
        "{} failed with {} {} on {} {} from {} {}; {} found it gone {}.",
        run.who(end),
        cut(reason, 60),
        run.at(end),
        run.said(sent),
        run.at(got),
        run.who(sent),
        run.at(sent),
        run.who(id),
        run.at(id)
    );
    Some(said(Pattern::Failed, text))
}

/// The last thing that a process looked up in a table right before an action.
fn looked_up(run: &Run<'_>, id: ActionId) -> Option<(ActionId, String)> {
    const BEFORE: usize = 3;
    let before = run.before(id).iter().rev().take(BEFORE);
    for step in before {
        let at = ActionId::new(id.pid, step.number);
        for access in &step.accesses {
            if let Resource::TableKey { .. } = access.resource
                && !access.write
                && let Some(act) = run.scene.act(at.pid, at.number.0).ok().flatten()
            {
                return Some((at, reads::noun(&act, access.resource)?));
            }
        }
    }
    None
}

/// A process that was killed after it had changed something that others like it changed back.
pub(super) fn killed_inside(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let concerned = concerned(run, failure);
    let mut used: FxHashSet<Resource> = FxHashSet::default();
    for pid in &concerned {
        for access in run.steps(*pid).iter().flat_map(|step| &step.accesses) {
            // Who writes a key has written the contents.
            let is_whole = matches!(access.resource, Resource::TableContents(_));
            if access.resource.is_data() && !is_whole {
                used.insert(access.resource);
            }
        }
    }
    for process in run.processes() {
        let Some(Does::EndedBy(_, Some(by))) = run.end(process.pid).map(|end| end.does.clone()) else {
            continue;
        };
        if !matches!(run.step(by).map(|step| &step.does), Some(Does::Send(_))) {
            continue;
        }
        for resource in &used {
            let changes = changes(run, process.pid, *resource);
            let Some(last) = changes.last() else { continue };
            // Another one, created at the same place, changed it again.
            let place = |pid: Pid| {
                run.process(pid)
                    .and_then(|one| one.parent)
                    .and_then(|parent| run.place(parent))
            };
            let like = run.processes().iter().find(|other| {
                other.pid != process.pid
                    && place(other.pid).is_some_and(|at| Some(at) == place(process.pid))
                    && self::changes(run, other.pid, *resource).len() > changes.len()
            });
            let (Some(like), Some(act)) = (like, run.scene.act(last.pid, last.number.0).ok().flatten()) else {
                continue;
            };
            let what = reads::noun(&act, *resource);
            let text = format!(
                "{} {} after it had changed {} {}; others, such as {}, changed it back before they ended.",
                run.who(*last),
                ended(run, process.pid)?,
                what.unwrap_or_else(|| "it".to_owned()),
                run.at(*last),
                run.named(like.pid),
            );
            return Some(said(Pattern::NeverGivenBack, text));
        }
    }
    None
}

/// The actions with which a process changed something.
fn changes(run: &Run<'_>, pid: Pid, resource: Resource) -> Vec<ActionId> {
    let steps = run.steps(pid).iter();
    let wrote = steps.filter(|step| {
        step.accesses
            .iter()
            .any(|access| access.write && access.resource == resource)
    });
    wrote.map(|step| ActionId::new(pid, step.number)).collect()
}
