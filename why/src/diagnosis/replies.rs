//! Messages that a process takes for others: a reply for that to the next request, the message of a timer that was to be cancelled.

use log_format::ActionId;

use super::failure::Failure;
use super::run::{Does, Run};
use crate::story::{Diagnosis, Pattern, said};

/// A reply to a request that had timed out, received as that to the next.
pub(super) fn taken_for_another(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    failure.receives(run).into_iter().find_map(|got| next_call(run, got))
}

fn next_call(run: &Run<'_>, got: ActionId) -> Option<Diagnosis> {
    let Does::Got(_, Some(reply)) = run.step(got)?.does else {
        return None;
    };
    let server = reply.pid;
    let (_, question) = run.last_got(reply)?;
    if question.pid != got.pid || server == got.pid || question.number >= got.number {
        return None;
    }
    // A later request to the same process, and between the two a wait that was given up.
    let since = run.after(question).iter();
    let since: Vec<_> = since.take_while(|step| step.number < got.number.0).collect();
    let id = |number: u64| ActionId::new(got.pid, number);
    let later = since
        .iter()
        .rposition(|step| matches!(step.does, Does::Send(_)) && run.receiver(id(step.number)) == Some(server))?;
    let gave_up = since[..later].iter().rposition(|step| step.does == Does::Timeout)?;
    // What it asked for in between it has not received.
    let answered = since[later..]
        .iter()
        .any(|step| matches!(step.does, Does::Got(_, Some(by)) if by.pid == server));
    let waited = id(since[gave_up].number);
    if answered || run.purpose(waited) != session::view::Purpose::Wait || run.receive_of(waited) != run.receive_of(got)
    {
        return None;
    }
    let later = id(since[later].number);
    let text = format!(
        "{} took {} from {} {} for the reply to {} {}, but it answers {} {}, for which it had stopped waiting {}.",
        run.who(got),
        run.said(got),
        run.named(server),
        run.at(got),
        run.said(later),
        run.at(later),
        run.said(question),
        run.at(question),
        run.at(waited),
    );
    Some(said(Pattern::ReplyForAnother, text))
}

/// The message of a timer that had expired before it was to be cancelled.
pub(super) fn stale_timer(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    failure.receives(run).into_iter().find_map(|got| {
        let Does::Got(_, Some(set)) = run.step(got)?.does else {
            return None;
        };
        if set.pid != got.pid || !run.sets_timer(set) {
            return None;
        }
        let timer = run.seen(set)?.timer;
        let between = run.after(set).iter().take_while(|step| step.number < got.number.0);
        let late = between.filter(|step| step.does == Does::DroppedNothing);
        let cancels = |id: &ActionId| {
            run.seen(*id)
                .is_some_and(|seen| seen.is_erlang("cancel_timer") && seen.timer == timer)
        };
        let cancel = late.map(|step| ActionId::new(got.pid, step.number)).find(cancels)?;
        let text = format!(
            "{} received {} {} of a timer {} that had expired before it cancelled it {}: the message was in its mailbox already.",
            run.who(got),
            run.said(got),
            run.at(got),
            run.at(set),
            run.at(cancel),
        );
        Some(said(Pattern::StaleTimer, text))
    })
}
