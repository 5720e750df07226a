//! How a turn went in which a process took a request and did not answer it.

use log_format::{ActionId, Pid};
use session::Session;
use session::error::Error;
use session::player::places::StandingPlace;
use session::words::cut;

use super::asked::Wait;
use super::caught;
use super::fate::ended;
use super::run::{Does, Run, Step};
use super::state::request;
use crate::story::Diagnosis;
use crate::walk::Walk;

/// Characters of a line of source.
const LINE: usize = 60;

/// A turn: what a process did from a receipt on, until it received at the same place again.
pub(super) struct Turn<'r> {
    /// The receipt.
    pub(super) taken: ActionId,
    /// What followed.
    pub(super) steps: &'r [Step],
    /// The number of the next receipt at that place; `None`: there was none.
    pub(super) next: Option<u64>,
}

impl<'r> Turn<'r> {
    pub(super) fn of(run: &'r Run<'_>, taken: ActionId) -> Self {
        let after = run.after(taken);
        let is_next = |step: &Step| {
            matches!(step.does, Does::Got(..)) && is_same_receive(run, ActionId::new(taken.pid, step.number), taken)
        };
        let length = after.iter().position(is_next);
        Self {
            taken,
            steps: &after[..length.unwrap_or(after.len())],
            next: length.map(|at| after[at].number),
        }
    }

    /// Did it come to its end: to the next receipt, to the receive where it began, or to the end of the process?
    pub(super) fn is_over(&self, run: &Run<'_>) -> bool {
        let pid = self.taken.pid;
        self.next.is_some() || run.end(pid).is_some() || waits_again(run, self.taken)
    }

    /// The actions of this turn.
    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = ActionId> + '_ {
        let pid = self.taken.pid;
        self.steps.iter().map(move |step| ActionId::new(pid, step.number))
    }
}

/// Were both received by the same receive: of the program, or by the same loop of the library?
pub(super) fn is_same_receive(run: &Run<'_>, one: ActionId, other: ActionId) -> bool {
    let function = |id| run.seen(id).and_then(|seen| seen.place.as_ref()).map(|at| at.function);
    if function(one).is_none() || function(one) != function(other) {
        return false;
    }
    run.scene.in_library(one.pid, one.number.0) || run.receive_of(one) == run.receive_of(other)
}

/// Was it received by a function of the library that a turn called, and not by the loop that began it?
pub(super) fn is_inside(run: &Run<'_>, got: ActionId, began: Option<ActionId>) -> bool {
    run.scene.in_library(got.pid, got.number.0) && began.is_some_and(|taken| !is_same_receive(run, got, taken))
}

/// Does a process wait for ever where it received this?
fn waits_again(run: &Run<'_>, taken: ActionId) -> bool {
    let waits = run.process(taken.pid).and_then(|process| process.waits.as_deref());
    let Some((file, line)) = waits.and_then(session::view::located) else {
        return false;
    };
    let Some(place) = run.seen(taken).and_then(|seen| seen.place.as_ref()) else {
        return false;
    };
    let is_line = || run.receive_of(taken).is_some_and(|receive| receive.is_at(file, line));
    place.file == file && (run.scene.in_library(taken.pid, taken.number.0) || is_line())
}

/// How the turn went in which the request was taken that a diagnosis ends with.
pub(super) fn turn(session: &Session, run: &Run<'_>, found: &Diagnosis) -> Result<Option<String>, Error> {
    let is_got = |id: &&ActionId| matches!(run.step(**id).map(|step| &step.does), Some(Does::Got(..)));
    let Some(&taken) = found.named.iter().rev().find(is_got) else {
        return Ok(None);
    };
    let turn = Turn::of(run, taken);
    let Some(Does::Got(_, Some(from))) = run.step(taken).map(|step| &step.does) else {
        return Ok(None);
    };
    if !turn.is_over(run) || run.scene.trace.is_slice() {
        return Ok(None);
    }
    let mut walk = Walk::new(session)?;
    let lines = walk.lines(taken.pid, Some(taken), turn.next.unwrap_or(u64::MAX))?;
    // In the end it stands at the same receive again.
    let receive = run
        .receive_of(taken)
        .filter(|_| !run.scene.in_library(taken.pid, taken.number.0));
    let is_receive = |stop: &&StandingPlace| {
        let place = &stop.place;
        receive
            .as_ref()
            .is_some_and(|receive| receive.is_at(&place.file, place.line))
    };
    let last = lines.iter().rev().find(|stop| !is_receive(stop));
    let handed = handed_on(run, &mut walk, &turn, from.pid)?;
    let next = turn.next.map(|number| ActionId::new(taken.pid, number));
    let late = match next {
        None => run.last_catches(taken.pid),
        Some(_) => &[],
    };
    let lists = turn.ids().chain(next).map(|id| run.catches(id));
    let caught = caught::words(run, lists.chain([late]).flat_map(|all| caught::own(run, all)));
    let caught = caught.map_or_else(String::new, |caught| format!("; it had {caught}"));
    // A turn on one line has no place besides that of the receipt.
    let last = last.map(|last| &last.place);
    let last = last.or_else(|| {
        run.place(taken)
            .filter(|_| !run.scene.in_library(taken.pid, taken.number.0))
    });
    Ok(last.map(|last| {
        format!(
            "That turn ended in {} at {}{caught}{}.",
            session::words::function(&last.function.local(), run.scene.terms()),
            run.quoted(last),
            handed.map_or_else(String::new, |handed| format!("; {handed}")),
        )
    }))
}

/// Whom the request was handed on to in a turn, and what became of it there.
fn handed_on(run: &Run<'_>, walk: &mut Walk, turn: &Turn<'_>, asker: Pid) -> Result<Option<String>, Error> {
    for id in turn.ids().rev() {
        match run.step(id).map(|step| &step.does) {
            Some(Does::Spawn(child)) if !sends_to(run, *child, asker) => {
                return helper(run, walk, (id, *child), asker).map(Some);
            }
            Some(Does::Send(tag)) => {
                let other = run.receiver(id).filter(|to| *to != asker && *to != id.pid);
                let Some(other) = other else { continue };
                let Some(taken) = run.receipt(*tag).filter(|taken| taken.pid == other) else {
                    continue;
                };
                let mut theirs = Turn::of(run, taken).ids().collect::<Vec<_>>().into_iter();
                let reply = theirs.find(|sent| run.receiver(*sent) == Some(id.pid));
                // What it called for inside of the turn is no answer to the request.
                let reply = reply.and_then(|sent| run.receipt(run.sent(sent)?));
                let reply = reply.filter(|reply| turn.ids().all(|one| one != *reply));
                let names_asker = || run.value(id).is_some_and(|said| said.pids().contains(&asker));
                let sent = || format!("it had sent {} to {} {}", run.said(id), run.named(other), run.at(id));
                if let Some(reply) = reply {
                    let line = run.place(reply).and_then(|place| run.scene.line(place));
                    let line = line.map_or_else(String::new, |line| format!(" ({})", cut(&line, LINE)));
                    return Ok(Some(format!(
                        "{}, and took the answer {} {}{line}",
                        sent(),
                        run.said(reply),
                        run.at(reply)
                    )));
                }
                if names_asker() && !sends_to(run, other, asker) {
                    return Ok(Some(format!("{}, which sent nothing to {asker}", sent())));
                }
            }
            _ => {}
        }
    }
    // It may have sent the answer to somebody else.
    let is_own = |id: &ActionId| !run.scene.in_library(id.pid, id.number.0) && run.place(*id).is_some();
    let mut sent = turn.ids().rev().filter(is_own);
    let elsewhere = sent.find_map(|id| Some((id, run.receiver(id).filter(|to| *to != asker)?)));
    Ok(elsewhere.map(|(id, to)| format!("it had sent {} to {} {}", run.said(id), run.named(to), run.at(id))))
}

/// What a process did that was created for a request.
fn helper(run: &Run<'_>, walk: &mut Walk, (spawn, child): (ActionId, Pid), asker: Pid) -> Result<String, Error> {
    let lines = walk.lines(child, None, u64::MAX)?;
    let last = lines.last().map(|last| &last.place);
    let name = run
        .scene
        .doing(child, last)
        .map_or_else(String::new, |name| format!(" {name}"));
    let last = last.map_or_else(String::new, |last| format!(", last at {}", run.quoted(last)));
    let fate = match ended(run, child) {
        Some(ended) => format!("which {ended}{last}"),
        None => format!("which has not ended{last}"),
    };
    Ok(format!(
        "it had created {child}{name} {}, {fate}, and sent nothing to {asker}",
        run.at(spawn),
    ))
}

/// Does a process send anything to another one?
fn sends_to(run: &Run<'_>, pid: Pid, to: Pid) -> bool {
    let mut steps = run.steps(pid).iter();
    steps.any(|step| run.receiver(ActionId::new(pid, step.number)) == Some(to))
}

/// A process that took something as others did who then sent what is waited for, and that sent nothing after it: what it took, and in words.
pub(super) fn unlike_others(run: &Run<'_>, wait: Wait) -> Option<(ActionId, String)> {
    // What is not in a slice can have happened.
    let receive = wait.receive(run).filter(|_| !run.scene.trace.is_slice())?;
    let came = run.before(wait.id()).iter().rev().filter_map(|step| match step.does {
        Does::Got(_, Some(from)) if from.pid != wait.pid => Some((ActionId::new(wait.pid, step.number), from)),
        _ => None,
    });
    let mut came = came.filter(|(got, _)| run.receive_of(*got).as_ref() == Some(&receive));
    let (sent, asked) = came.find_map(|(_, sent)| Some((sent, run.last_got(sent)?.0)))?;
    let sort = request(run.value(asked)?);
    let sender = |taken: ActionId| match run.step(taken).map(|step| &step.does) {
        Some(Does::Got(_, Some(from))) => Some(*from),
        _ => None,
    };
    // A request of somebody else, or on behalf of somebody else, is answered there.
    let is_own = |taken: ActionId| sender(taken).is_some_and(|from| from.pid == wait.pid);
    let names = |taken: ActionId| run.value(taken).is_some_and(|said| said.pids().contains(&wait.pid));
    let fits = |taken: ActionId| {
        taken != asked
            && run.value(taken).map(request) == Some(sort)
            && is_same_receive(run, taken, asked)
            && (is_own(taken) || !is_own(asked))
            && (names(taken) || !names(asked))
    };
    let is_silent = |taken: ActionId| {
        let turn = Turn::of(run, taken);
        // Who ended in that turn had no time to.
        run.end(taken.pid).is_none_or(|_| turn.next.is_some())
            && turn.is_over(run)
            && turn.ids().all(|id| run.receiver(id) != Some(wait.pid))
    };
    // Who answered had been silent after such requests, too: then that is usual.
    let mut earlier = run
        .before(asked)
        .iter()
        .map(|step| ActionId::new(asked.pid, step.number));
    if earlier.any(|taken| fits(taken) && is_silent(taken)) {
        return None;
    }
    let processes = run.processes().iter().filter(|process| process.pid != wait.pid);
    let taken = processes
        .flat_map(|process| {
            let got = process.steps.iter().filter(|step| matches!(step.does, Does::Got(..)));
            got.map(|step| ActionId::new(process.pid, step.number))
        })
        .filter(|taken| fits(*taken) && is_silent(*taken))
        // The last that it sent.
        .max_by_key(|taken| {
            (
                sender(*taken).filter(|_| is_own(*taken)).map(|from| from.number),
                taken.number,
            )
        })?;
    let text = format!(
        "{} received {} {}, and sent nothing to {} after it, as {} did with {} {} after {}.",
        run.who(taken),
        run.said(taken),
        run.at(taken),
        wait.pid,
        run.who(sent),
        run.said(sent),
        run.at(sent),
        run.said(asked),
    );
    Some((taken, text))
}
