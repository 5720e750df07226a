//! What got lost on the way to a failure: exceptions that the program caught, messages that a server took and did nothing with.

use log_format::{ActionId, Pid};
use session::watch::CaughtException;
use session::words::cut;

use super::run::{Does, Run};
use super::state::{Turn, servers, turns};
use super::{Failure, said, unanswered};
use crate::story::{Diagnosis, Pattern};

/// Characters of a reason.
const REASON: usize = 60;
/// So many dropped messages of a server say something: one that drops more is meant to.
const DROPPED: usize = 3;

/// An exception that the program caught, in the process that failed or in one whose answer it had received, the last one before.
pub(super) fn exception(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let failed = (failure.pid, failure.action.number.0);
    let answers = servers(run, failure)
        .into_iter()
        .map(|answer| (answer.pid, answer.number.0));
    let text = std::iter::once(failed).chain(answers).find_map(|(pid, upto)| {
        let steps = run.steps(pid).iter().rev().filter(|step| step.number <= upto);
        let mut ids = steps.map(|step| ActionId::new(pid, step.number));
        let last = ids.find_map(|id| own(run, run.catches(id)).last())?;
        Some(format!("{} {}, and went on.", run.named(pid), words(run, last)))
    })?;
    Some(said(Pattern::CaughtException, text))
}

/// Of these exceptions, those that the program caught, and not the library. A `throw` is a way to return.
pub(super) fn own<'r>(
    run: &Run<'r>,
    all: &'r [CaughtException],
) -> impl DoubleEndedIterator<Item = &'r CaughtException> {
    let sources = run.scene.sources;
    all.iter()
        .filter(move |one| one.class != "throw" && sources.owns(&one.caught.file))
}

/// `caught error {badkey,tea} in price/2, raised at shop.erl:19 (maps:get(Item, Prices))`.
pub(super) fn words(run: &Run<'_>, one: &CaughtException) -> String {
    let raised = one.raised.iter().find(|place| run.scene.sources.owns(&place.file));
    let raised = raised.map_or_else(String::new, |place| {
        format!(", raised at {}", unanswered::quoted(run, place))
    });
    format!(
        "caught {} {} in {}{raised}",
        one.class,
        cut(&one.reason.shown(run.scene.terms()).to_string(), REASON),
        session::words::function(&one.caught.function.local(), run.scene.terms()),
    )
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
            "{} took {} from {from} {}, and neither changed nor sent anything after it.",
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
