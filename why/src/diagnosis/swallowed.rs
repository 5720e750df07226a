//! What got lost on the way to a failure: exceptions that the program caught, messages that a server took and did nothing with.

use log_format::{ActionId, Pid};
use session::value::Value;
use session::watch::CaughtException;

use super::caught::{own, words};
use super::failure::Failure;
use super::run::{Does, Run};
use super::state::{self, Turn, servers, turns};
use super::unanswered;
use crate::heard::is_common;
use crate::story::{Diagnosis, Pattern, said};

/// So many dropped messages of a server say something: one that drops more is meant to.
const DROPPED: usize = 3;

/// What is caught as often says nothing: the program lives with it.
const ROUTINE: usize = 3;

/// An exception that the program caught, in the process that failed or in one whose answer it had received: in the turn that led to the failure, or else
/// earlier, the last one first; or in one that had sent that one what its state comes from.
pub(super) fn exception(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let answers = servers(run, failure);
    let turn = |end: ActionId| (end, run.last_got(end).map_or(0, |(got, _)| got.number.0));
    let turns = std::iter::once(failure.action).chain(answers.iter().copied()).map(turn);
    let lives = answers.iter().copied().chain([failure.action]).map(|end| (end, 0));
    // What made the state of a server what it was: what had been sent to it.
    let told = answers.iter().flat_map(|answer| {
        let told = state::turns(run, answer.pid).into_iter().rev();
        told.filter(|turn| turn.got.number <= answer.number)
            .map(|turn| turn.from)
    });
    let told = told.filter(|from| from.pid != failure.pid).map(turn);
    let spoken = spoken(run, failure, &answers);
    let text = turns.chain(lives).chain(spoken).chain(told).find_map(|(end, from)| {
        let steps = run.steps(end.pid).iter().rev();
        let steps = steps.filter(|step| (from + 1..=end.number.0).contains(&step.number));
        let mut ids = steps.map(|step| ActionId::new(end.pid, step.number));
        let caught = ids.find_map(|id| {
            let all = own(run, run.catches(id));
            words(run, all.filter(|one| !is_routine(run, end.pid, one)))
        })?;
        Some(format!("{} {caught}, and went on.", run.named(end.pid)))
    })?;
    Some(said(Pattern::CaughtException, text))
}

/// Sends, right after an exception that the program caught, to the process that failed or to one whose answer it had received, of what the failure names,
/// however long before it: those of which it names most come first, and of these the last. Each with the receive or send before it.
fn spoken(run: &Run<'_>, failure: &Failure<'_>, answers: &[ActionId]) -> Vec<(ActionId, u64)> {
    let Some(reason) = run.value(failure.action) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, u64, ActionId, u64)> = Vec::new();
    let others = run.processes().iter().filter(|process| process.pid != failure.pid);
    for process in others {
        // The last receive or send, and whether the program has caught anything since.
        let (mut last, mut has_caught) = (0, false);
        for step in &process.steps {
            let id = ActionId::new(process.pid, step.number);
            has_caught |= own(run, run.catches(id)).next().is_some();
            let is_concerned = |to: Pid| to == failure.pid || answers.iter().any(|answer| answer.pid == to);
            let sends = matches!(step.does, Does::Send(_));
            if sends && has_caught && run.receiver(id).is_some_and(is_concerned) {
                let named = run.value(id).map_or(0, |said| named(said, reason));
                found.push((named, step.number, id, last));
            }
            if sends || matches!(step.does, Does::Got(..)) {
                (last, has_caught) = (step.number, false);
            }
        }
    }
    found.retain(|(named, ..)| *named > 0);
    found.sort_unstable_by_key(|(named, number, id, _)| (std::cmp::Reverse((*named, *number)), id.pid));
    found.into_iter().map(|(.., id, got)| (id, got)).collect()
}

/// So many parts of a message a reason names, by which one can tell it from others: no tag, no number, and nothing that is said everywhere.
fn named(said: &Value, reason: &Value) -> usize {
    let tag = state::request(said).0;
    let mut parts: Vec<&Value> = Vec::new();
    said.each(&mut |part| {
        let is_telling = match part {
            Value::Atom(word) => !is_common(word),
            Value::Text(_) => true,
            _ => false,
        };
        if is_telling && Some(part) != tag && !parts.contains(&part) {
            parts.push(part);
        }
    });
    parts.into_iter().filter(|part| reason.holds(part)).count()
}

/// Has a process caught the same at the same place again and again?
fn is_routine(run: &Run<'_>, pid: Pid, caught: &CaughtException) -> bool {
    let all = run.steps(pid).iter();
    let all = all.flat_map(|step| run.catches(ActionId::new(pid, step.number)));
    let same = all.filter(|one| one.reason == caught.reason && one.raised.first() == caught.raised.first());
    same.count() >= ROUTINE
}

/// A message that a server took, after which it neither changed anything nor sent anything, where an answer of that server led to the failure.
pub(super) fn message(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    servers(run, failure).into_iter().find_map(|answer| {
        let turns = turns(run, answer.pid);
        let pairs = turns.windows(2).filter(|pair| pair[1].got.number <= answer.number);
        let dropped: Vec<&Turn<'_>> = pairs
            .filter(|pair| is_dropped(run, pair))
            .map(|pair| &pair[0])
            .collect();
        let last = dropped.last().filter(|_| dropped.len() <= DROPPED)?;
        let from = match run.place(last.from) {
            Some(_) => run.who(last.from),
            None => last.from.pid.to_string(),
        };
        let text = format!(
            "{} took {} from {from} {}, and neither changed nor sent anything in that turn.",
            run.who(last.got),
            run.said(last.got),
            run.at(last.got),
        );
        Some(said(Pattern::DroppedMessage, text))
    })
}

/// Did nothing come of the first of two turns? The message has to be one of the program: no news of an end, no timer, no reply.
fn is_dropped(run: &Run<'_>, pair: &[Turn<'_>]) -> bool {
    let [turn, next] = pair else { return false };
    let between = run
        .after(turn.got)
        .iter()
        .take_while(|step| step.number < next.got.number.0);
    let is_sent = matches!(run.step(turn.from).map(|step| &step.does), Some(Does::Send(_)));
    let is_new = |pid: Pid| turn.from.pid != pid && !run.sets_timer(turn.from);
    let same = || {
        let values = |turn: &Turn<'_>| turn.held.iter().map(|held| held.value.clone()).collect::<Vec<_>>();
        !turn.held.is_empty() && values(turn) == values(next)
    };
    let is_loop = || {
        let place = run.seen(turn.got).and_then(|seen| seen.place.as_ref());
        place.is_some_and(|place| place.function.written_in().is_none())
            && unanswered::is_same_receive(run, turn.got, next.got)
    };
    between.count() == 0 && is_loop() && is_sent && is_new(turn.got.pid) && !run.asks(turn.got) && same()
}
