//! What did not come: who should have sent what a process waited for, and why it did not.

use std::cell::Cell;

use log_format::{ActionId, Pid, Tag};

use super::asked::{Ask, Cause, LATER, Wait, Wish, ask, circle};
use super::failure::Failure;
use super::fate::ended;
use super::run::{Does, Run, sort_of};
use super::unanswered;
use crate::story::{Diagnosis, Pattern, said};
use session::value::Value;
use session::view::Purpose;

/// So many processes are followed that wait for each other.
const HOPS: usize = 8;
/// So many waits are looked into for one.
const LOOKED: u32 = 200;

/// What was waited for in vain right before a failure, or at the end of a run.
pub(super) fn nobody_sent(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    let waits = if failure.waits {
        waits_for_ever(run, failure)
    } else {
        let told = failure.known.told.timeouts.iter();
        let told = told.map(|(_, timeout)| timeout.id());
        in_vain(run, told.filter(|timeout| timeout.pid == failure.pid))
    };
    // Of others than the entry it is not known whether they had anything to wait for: a server that is idle waits, too.
    let is_certain = |found: &Diagnosis| {
        matches!(
            found.pattern,
            Pattern::EndedBeforeItSent | Pattern::WaitCycle | Pattern::LostWakeup
        )
    };
    let mut waits = waits.into_iter();
    let first = waits.next().and_then(|wait| explained(run, failure, wait));
    let mut others = waits.filter(|wait| !has_answered(run, *wait));
    let found = first.or_else(|| others.find_map(|wait| explained(run, failure, wait).filter(is_certain)));
    found.or_else(|| nobody_left(run, failure))
}

/// Was what a process sent last an answer? A server that has answered waits for the next request.
fn has_answered(run: &Run<'_>, wait: Wait) -> bool {
    ask(run, wait).is_some_and(|ask| run.last_got(ask.sent).is_some_and(|(_, from)| from.pid == ask.to))
}

/// What was waited for in vain earlier, by the process that failed or by those that led to it.
pub(super) fn earlier_wait(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    const OF_EACH: usize = 8;
    let mut pids = super::gone::concerned(run, failure);
    let parents: Vec<Pid> = pids
        .iter()
        .filter_map(|pid| Some(run.process(*pid)?.parent?.pid))
        .collect();
    pids.extend(parents);
    let timeouts = pids.into_iter().flat_map(|pid| {
        let steps = run.steps(pid).iter().rev().filter(|step| step.does == Does::Timeout);
        steps.take(OF_EACH).map(move |step| ActionId::new(pid, step.number))
    });
    let mut waits = in_vain(run, timeouts).into_iter();
    waits.find_map(|wait| explained(run, failure, wait))
}

fn explained(run: &Run<'_>, failure: &Failure<'_>, wait: Wait) -> Option<Diagnosis> {
    let mut search = Search {
        run,
        failed: failure.pid,
        way: Vec::new(),
        seen: Vec::new(),
        left: &Cell::new(LOOKED),
    };
    let (pattern, text) = search.cause(wait)?;
    Some(said(pattern, text))
}

/// The processes that wait for ever, the entry first: where it only waits for others, these say more.
fn waits_for_ever(run: &Run<'_>, failure: &Failure<'_>) -> Vec<Wait> {
    let others = run.processes().iter().filter(|process| process.waits.is_some());
    let others = others.map(|process| process.pid).filter(|pid| *pid != failure.pid);
    let all = std::iter::once(failure.pid).chain(others);
    all.map(|pid| Wait { pid, end: LATER }).collect()
}

/// Of these timeouts, those of receives that waited for something, each once.
fn in_vain(run: &Run<'_>, timeouts: impl Iterator<Item = ActionId>) -> Vec<Wait> {
    let mut list: Vec<Wait> = Vec::new();
    for timeout in timeouts {
        let known = list.iter().any(|wait| wait.id() == timeout);
        if !known && run.purpose(timeout) == Purpose::Wait {
            list.push(Wait {
                pid: timeout.pid,
                end: timeout.number.0,
            });
        }
    }
    list
}

/// A search for the cause of a wait.
struct Search<'r, 'a> {
    run: &'r Run<'a>,
    /// The process that failed: what came of its end is no cause.
    failed: Pid,
    /// The processes that wait for each other so far.
    way: Vec<(Wait, Ask)>,
    /// The waits that were looked at.
    seen: Vec<Wait>,
    /// So many may still be looked at: those that wait for each other can be many.
    left: &'r Cell<u32>,
}

impl Search<'_, '_> {
    fn cause(&mut self, wait: Wait) -> Option<Cause> {
        let run = self.run;
        if self.has_seen(wait.pid) || self.seen.len() > HOPS || self.left.get() == 0 {
            return None;
        }
        self.left.set(self.left.get() - 1);
        self.seen.push(wait);
        let ask = ask(run, wait);
        if let Some(ask) = &ask
            && let Some(found) = self.circle(wait, ask)
        {
            return Some(found);
        }
        // Who waits for nothing in particular is not looked into so.
        let asks = |taken: ActionId| ask.is_some_and(|ask| ask.taken == Some(taken));
        let unlike = Some(wait).filter(|_| self.seen.len() == 1);
        let unlike = unlike.and_then(|wait| unanswered::unlike_others(run, wait));
        if let Some((_, text)) = unlike.filter(|(taken, _)| !asks(*taken)) {
            return Some((Pattern::NoAnswer, format!("{}: {text}", self.opening(wait))));
        }
        if let Some(found) = self.circle_of_messages(wait) {
            return Some(found);
        }
        // Those that sent to others what this one waits for.
        if let Some(found) = self.silent_sibling(wait).or_else(|| self.silent_child(wait)) {
            return Some(found);
        }
        let Some(ask) = ask else {
            return self.sent_in_vain(wait);
        };
        if ask.wish != Wish::Answer {
            let next = self.stands(wait, &ask)?;
            self.way.push((wait, ask));
            let found = self.cause(next);
            self.way.pop();
            return found;
        }
        let after = ask.taken.map_or(&[][..], |taken| run.after(taken)).iter();
        let mut after = after.map(|step| ActionId::new(ask.to, step.number));
        // A request is no answer.
        if let Some(answer) = after.find(|id| run.receiver(*id) == Some(wait.pid) && !run.asks(*id)) {
            let text = format!(
                "{} before {} answered {} {} with {} {}.",
                self.opening(wait),
                run.named(ask.to),
                run.said(ask.sent),
                run.at(ask.sent),
                run.said(answer),
                run.at(answer),
            );
            return Some((Pattern::TimedOutTooEarly, text));
        }
        if let Some(next) = self.stands(wait, &ask) {
            self.way.push((wait, ask));
            if let Some(found) = self.cause(next) {
                return Some(found);
            }
            let (wait, ask) = self.way.pop()?;
            return self.fate(wait, &ask);
        }
        self.fate(wait, &ask)
    }

    /// Does this request close a circle, alone or with those that follow?
    fn circle(&self, wait: Wait, first: &Ask) -> Option<Cause> {
        let run = self.run;
        let mut way = vec![(wait, *first)];
        while way.len() <= 2 * HOPS {
            let (wait, ask) = *way.last()?;
            if let Some(at) = way.iter().position(|(one, _)| one.pid == ask.to) {
                // Who is asked has not come to it, or came to it in the turn in which it waits.
                let asked = way[at].0;
                let turn = run.last_got(asked.id()).map(|(got, _)| got);
                let stuck = ask.taken.is_none_or(|taken| Some(taken) == turn);
                return stuck.then(|| circle(run, &way[at..]));
            }
            let next = self.stands(wait, &ask)?;
            let then = super::asked::ask(run, next)?;
            // It answered, if too late.
            let answers = |taken: ActionId| then.to == wait.pid && taken.number < then.sent.number;
            if ask.taken.is_some_and(answers) {
                return None;
            }
            way.push((next, then));
        }
        None
    }

    /// Is the only process that ever sent what this one waits for one that waits for this one?
    fn circle_of_messages(&self, wait: Wait) -> Option<Cause> {
        let run = self.run;
        let got = self.senders(wait)?;
        let ((_, only), earlier) = got.split_last()?;
        let only = *only;
        let at = self.way.iter().position(|(one, _)| one.pid == only)?;
        // Who has answered each message before owes the last one an answer.
        let answers = |id: ActionId| run.sent_in_turn(id).any(|(_, to)| to == only);
        let takes_several = earlier.iter().any(|(id, _)| !answers(*id));
        if wait.end != LATER || !takes_several || earlier.iter().any(|(_, from)| *from != only) {
            return None;
        }
        let waits = self.way[at..].iter().map(|(one, _)| *one).chain([wait]);
        let names: Vec<String> = waits.clone().map(|one| run.named(one.pid)).collect();
        let asked = self.way[at..].iter().map(|(_, ask)| ask.to).chain([only]);
        let each = waits.zip(asked).map(|(one, of)| {
            let place = one
                .receive(run)
                .map_or_else(String::new, |place| format!(" at {place}"));
            format!("{} waits for ever{place} for a message of {of}", one.pid)
        });
        let text = format!(
            "{} wait for each other: {}.",
            super::fate::listed(&names),
            super::fate::listed(&each.collect::<Vec<_>>())
        );
        Some((Pattern::WaitCycle, text))
    }

    /// What a process had received where it waits: the receives, and who had sent it.
    fn senders(&self, wait: Wait) -> Option<Vec<(ActionId, Pid)>> {
        let run = self.run;
        let receive = wait.receive(run)?;
        let got = run.steps(wait.pid).iter().filter_map(|step| match step.does {
            Does::Got(_, Some(from)) => Some((ActionId::new(wait.pid, step.number), from.pid)),
            _ => None,
        });
        Some(
            got.filter(|(id, _)| run.receive_of(*id).as_ref() == Some(&receive))
                .collect(),
        )
    }

    fn has_seen(&self, pid: Pid) -> bool {
        self.seen.iter().any(|wait| wait.pid == pid)
    }

    /// Did this come of the failure, or of a wait that was in vain? Then it explains neither.
    fn is_effect(&self, id: ActionId) -> bool {
        let follows = |wait: &Wait| wait.pid == id.pid && id.number.0 >= wait.end;
        self.run.is_effect(id) || self.seen.iter().any(follows)
    }

    /// Did the end of a process come of the ends of those that waited, or of the one that failed?
    fn falls(&self, end: ActionId) -> bool {
        let mut at = end;
        for _ in 0..HOPS {
            let by = match self.run.step(at).map(|step| &step.does) {
                Some(Does::EndedBy(_, by)) => *by,
                // The news of an end made it fail.
                Some(Does::Ended { failed: true }) => self.run.last_got(at).map(|(_, from)| from).filter(|from| {
                    matches!(
                        self.run.step(*from).map(|step| &step.does),
                        Some(Does::Ended { .. } | Does::EndedBy(..))
                    )
                }),
                _ => None,
            };
            let Some(by) = by else { return false };
            if self.run.is_effect(by) {
                return true;
            }
            if self.ends_on_purpose(by) {
                return false;
            }
            if by.pid == self.failed || self.has_seen(by.pid) {
                return true;
            }
            at = by;
        }
        false
    }

    /// Did a process end another one although it had not yet waited for anything in vain?
    fn ends_on_purpose(&self, by: ActionId) -> bool {
        let run = self.run;
        let sends = matches!(run.step(by).map(|step| &step.does), Some(Does::Send(_)));
        sends && !run.before(by).iter().any(|step| step.does == Does::Timeout)
    }

    /// Did a process end because of something that followed a wait in vain: its asker took away what it needed, say?
    fn came_of_a_wait(&self, end: ActionId) -> bool {
        let trace = self.run.scene.trace;
        let mut over = self.seen.iter().filter(|wait| wait.end != LATER);
        over.any(|wait| causality::causes(trace, end).is_ok_and(|causes| causes.contains(wait.id())))
    }

    /// The end of a process that is not a consequence of the wait.
    fn own_end(&self, pid: Pid) -> Option<ActionId> {
        let end = ActionId::new(pid, self.run.end(pid)?.number);
        (!self.falls(end) && !self.came_of_a_wait(end)).then_some(end)
    }

    /// The last wait of a process: up to its end, or to what came of the end of another wait.
    fn last_wait(&self, pid: Pid) -> Wait {
        let news = |step: &&super::run::Step| match step.does {
            Does::Got(_, Some(from)) => self.is_effect(from),
            _ => false,
        };
        if let Some(first) = self.run.steps(pid).iter().find(news) {
            return Wait { pid, end: first.number };
        }
        let end = self.run.end(pid).map(|end| ActionId::new(pid, end.number));
        let end = match end {
            Some(end) if self.falls(end) => match self.run.step(end).map(|step| &step.does) {
                Some(Does::Ended { .. }) => self.run.last_got(end).map(|(got, _)| got.number.0),
                _ => Some(end.number.0),
            },
            _ => None,
        };
        Wait {
            pid,
            end: end.unwrap_or(LATER),
        }
    }

    /// Where the receiver of a request waited itself, so that it did not answer.
    fn stands(&self, wait: Wait, ask: &Ask) -> Option<Wait> {
        let run = self.run;
        let steps = ask.taken.map_or_else(|| run.steps(ask.to), |taken| run.after(taken));
        let id = |step: &super::run::Step| ActionId::new(ask.to, step.number);
        let in_vain = |step: &&super::run::Step| step.does == Does::Timeout && run.purpose(id(step)) == Purpose::Wait;
        if ask.taken.is_some() {
            let end_of_wait = |step: &super::run::Step| match step.does {
                Does::Got(_, Some(from)) => from.pid == wait.pid && from.number.0 >= wait.end,
                _ => false,
            };
            // What it called for in that turn belongs to it.
            let is_called_for = |step: &super::run::Step| unanswered::is_inside(run, id(step), ask.taken);
            let is_next = |step: &&super::run::Step| matches!(step.does, Does::Got(..)) && !is_called_for(step);
            let turn = steps.iter().take_while(|step| !is_next(step));
            if let Some(timeout) = turn.clone().find(in_vain) {
                return Some(Wait {
                    pid: ask.to,
                    end: timeout.number,
                });
            }
            match steps.get(turn.count()) {
                // It went on to something else.
                Some(next) if !end_of_wait(next) => return None,
                Some(next) => {
                    return Some(Wait {
                        pid: ask.to,
                        end: next.number,
                    });
                }
                None => {}
            }
        }
        let last = steps
            .iter()
            .rev()
            .find(|step| matches!(step.does, Does::Timeout | Does::Got(..)));
        if let Some(timeout) = last.filter(in_vain) {
            return Some(Wait {
                pid: ask.to,
                end: timeout.number,
            });
        }
        let last = self.last_wait(ask.to);
        // Who has ended, of itself, waits for nobody; nor does who waits for requests again, and has answered somebody else.
        let is_idle = || {
            let is_over = |taken| unanswered::Turn::of(run, taken).is_over(run);
            let then = super::asked::ask(run, last).filter(|_| ask.taken.is_some_and(is_over));
            then.is_some_and(|then| !run.asks(then.sent) && run.has_heard_of(ask.to, then.to))
        };
        (last.end != LATER || run.end(ask.to).is_none() && !is_idle()).then_some(last)
    }

    /// How a sentence begins: who waited, and for whom those waited that it waited for.
    fn opening(&self, wait: Wait) -> String {
        match self.way.first() {
            None => wait.words(self.run),
            Some((root, _)) => {
                let between: Vec<String> = self.way.iter().map(|(_, ask)| self.run.named(ask.to)).collect();
                format!("{} for {}", root.words(self.run), between.join(", and that for "))
            }
        }
    }

    /// What became of a request that was not answered.
    fn fate(&self, wait: Wait, ask: &Ask) -> Option<Cause> {
        let run = self.run;
        let request = format!("{} {}", run.said(ask.sent), run.at(ask.sent));
        let (server, opening) = (run.named(ask.to), self.opening(wait));
        let Some(taken) = ask.taken else {
            return self.unheard(wait, ask);
        };
        let kept = super::state::not_given_back(run, (wait.pid, ask.to), ask.sent);
        if let Some(found) = too_late_to_be_told(run, wait, ask, taken).filter(|_| kept.is_none()) {
            return Some(found);
        }
        let moved_on = run.after(taken).iter().any(|step| matches!(step.does, Does::Got(..)));
        // Who waits for requests again waits for no answer to what it sent to a client.
        let waits_for_it = self.way.is_empty() || run.asks(ask.sent);
        if !moved_on && !waits_for_it {
            return None;
        }
        if !moved_on && self.own_end(ask.to).is_some() {
            let text = format!(
                "{opening}: {server} received {request} and {} before it answered.",
                ended(run, ask.to)?
            );
            return Some((Pattern::EndedBeforeItSent, text));
        }
        if let Some(kept) = kept {
            let text = format!("{opening}: {server} received {request}, and sent nothing back. {kept}");
            return Some((Pattern::NeverGivenBack, text));
        }
        let elsewhere = heard_elsewhere(run, ask, taken);
        let pattern = elsewhere
            .as_ref()
            .map_or(Pattern::NoAnswer, |_| Pattern::ReceivedElsewhere);
        let elsewhere = elsewhere.unwrap_or_default();
        let text = format!(
            "{opening}: {server} received {request} {}, and sent nothing back{elsewhere}.",
            run.at(taken),
        );
        Some((pattern, text))
    }

    /// What a process that asked for nothing had sent last to one that had ended before it received that.
    fn sent_in_vain(&self, wait: Wait) -> Option<Cause> {
        let run = self.run;
        let before = run.before(wait.id()).iter().rev().filter(|_| self.seen.len() == 1);
        let lost = before.filter_map(|step| match step.does {
            Does::Send(tag) => Some((tag, ActionId::new(wait.pid, step.number))),
            _ => None,
        });
        let mut lost = lost.filter_map(|(tag, sent)| Some((tag, sent, run.receiver(sent)?)));
        let is_lost = |tag: Tag, to: Pid| run.is_untaken(tag, to) && self.own_end(to).is_some();
        let (_, sent, to) = lost.find(|(tag, _, to)| *to != wait.pid && is_lost(*tag, *to))?;
        let text = format!(
            "{}: {} never received {} {}, because it {}.",
            self.opening(wait),
            run.named(to),
            run.said(sent),
            run.at(sent),
            ended(run, to)?
        );
        Some((Pattern::NoAnswer, text))
    }

    /// A request that was never received.
    fn unheard(&self, wait: Wait, ask: &Ask) -> Option<Cause> {
        let run = self.run;
        let request = format!("{} {}", run.said(ask.sent), run.at(ask.sent));
        let (server, opening) = (run.named(ask.to), self.opening(wait));
        if self.own_end(ask.to).is_some() {
            let text = format!(
                "{opening}: {server} never received {request}, because it {}.",
                ended(run, ask.to)?
            );
            return Some((Pattern::EndedBeforeItSent, text));
        }
        // It was busy with something else.
        let until = ActionId::new(ask.to, self.last_wait(ask.to).end);
        let (turn, _) = run.last_got(until)?;
        let last = run.step(until).or_else(|| run.steps(ask.to).last())?;
        let at = run
            .place(ActionId::new(ask.to, last.number))
            .or_else(|| run.place(turn));
        let at = at.map_or_else(String::new, |place| {
            let line = session::words::cut(&run.scene.line(place).unwrap_or_default(), 60);
            format!(" at {} ({line})", place.short())
        });
        let text = format!(
            "{opening}: {server} did not come to {request}, because it was still busy with {} {}{at}.",
            run.said(turn),
            run.at(turn),
        );
        Some((Pattern::Busy, text))
    }

    /// One of those that should have sent to a process, as others like it did, and that did not.
    fn silent_sibling(&mut self, wait: Wait) -> Option<Cause> {
        let run = self.run;
        let got = self.senders(wait)?;
        let (like, _) = *got.last()?;
        let senders: Vec<Pid> = got.into_iter().map(|(_, from)| from).collect();
        let mut fates: Vec<(u8, Cause)> = Vec::new();
        for pid in siblings(run, &senders) {
            fates.extend(self.silence(wait, pid, Some(like)));
        }
        fates.sort_by_key(|(rank, _)| *rank);
        fates.into_iter().next().map(|(_, cause)| cause)
    }

    /// One that the process created and that failed or was killed before it sent anything to it.
    fn silent_child(&mut self, wait: Wait) -> Option<Cause> {
        let run = self.run;
        let children = run.before(wait.id()).iter().filter_map(|step| match step.does {
            Does::Spawn(child) => Some(child),
            _ => None,
        });
        let dead: Vec<Pid> = children
            .filter(|pid| {
                let end = self.own_end(*pid).and_then(|end| run.step(end)).map(|end| &end.does);
                matches!(end, Some(Does::Ended { failed: true } | Does::EndedBy(..)))
            })
            .collect();
        dead.into_iter().find_map(|pid| Some(self.silence(wait, pid, None)?.1))
    }

    /// Why one of several sent nothing; the first number is less where that says more.
    fn silence(&mut self, wait: Wait, pid: Pid, like: Option<ActionId>) -> Option<(u8, Cause)> {
        let run = self.run;
        let mut steps = run.steps(pid).iter();
        let has_sent = steps.any(|step| run.receiver(ActionId::new(pid, step.number)) == Some(wait.pid));
        if pid == wait.pid || has_sent || !run.is_whole(pid) {
            return None;
        }
        let who = run.named(pid);
        let others = like.map_or_else(String::new, |like| {
            format!(" (others did: {} [{}])", run.said(like), run.target(like))
        });
        let opening = self.opening(wait);
        if let Some(end) = self.own_end(pid) {
            let does = &run.step(end)?.does;
            let rank = match does {
                Does::EndedBy(..) => 0,
                Does::Ended { failed: true } => 1,
                // Who never knew of the one that waits was not to send it anything.
                _ if !knows(run, pid, wait.pid) => return None,
                _ => 3,
            };
            let before = if rank == 3 {
                "without having sent"
            } else {
                "before it sent"
            };
            let text = format!(
                "{opening}: {who} {} {before} anything to {}{others}.",
                ended(run, pid)?,
                wait.pid
            );
            return Some((rank, (Pattern::EndedBeforeItSent, text)));
        }
        let mut search = Search {
            run,
            failed: self.failed,
            way: Vec::new(),
            seen: self.seen.clone(),
            left: self.left,
        };
        let (pattern, text) = search.cause(self.last_wait(pid))?;
        Some((
            2,
            (
                pattern,
                format!("{opening}: {who} sent nothing to {}{others}. {text}", wait.pid),
            ),
        ))
    }
}

/// Can a process have known another one: its parent, one that it heard of, or that a message names?
fn knows(run: &Run<'_>, pid: Pid, other: Pid) -> bool {
    let is_parent = run
        .process(pid)
        .and_then(|process| process.parent)
        .is_some_and(|by| by.pid == other);
    let names = |step: &super::run::Step| {
        let message = || run.value(ActionId::new(pid, step.number));
        matches!(step.does, Does::Got(..)) && message().is_some_and(|message| message.pids().contains(&other))
    };
    is_parent || run.has_heard_of(pid, other) || run.steps(pid).iter().any(names)
}

/// The processes created at the places where these were, by the same process, that are not among them.
fn siblings(run: &Run<'_>, of: &[Pid]) -> Vec<Pid> {
    let born = |pid: Pid| {
        let parent = run.process(pid)?.parent?;
        let place = run.place(parent)?;
        Some((parent.pid, place.file.clone(), place.line, place.column))
    };
    let places: Vec<_> = of.iter().filter_map(|pid| born(*pid)).collect();
    let others = run.processes().iter().map(|process| process.pid);
    let others = others.filter(|pid| !of.contains(pid));
    others
        .filter(|pid| born(*pid).is_some_and(|place| places.contains(&place)))
        .collect()
}

/// Others were told what a process waits for before it said that it waits for it.
fn too_late_to_be_told(run: &Run<'_>, wait: Wait, ask: &Ask, taken: ActionId) -> Option<Cause> {
    let receive = wait.receive(run)?;
    // It asked somebody else for the answer.
    if run.sent_in_turn(taken).any(|(_, to)| to != wait.pid) {
        return None;
    }
    // What the same process sent to others, who waited at the same place.
    let told = run.before(taken).iter().rev().find_map(|step| {
        let Does::Send(tag) = step.does else { return None };
        let receipt = run.receipt(tag).filter(|receipt| receipt.pid != wait.pid)?;
        let same = run.receive_of(receipt).as_ref() == Some(&receive);
        same.then_some(ActionId::new(taken.pid, step.number))
    })?;
    // It has not sent the like again.
    let like = run.value(told).map(sort_of);
    let again = run.after(told).iter().map(|step| ActionId::new(told.pid, step.number));
    let mut again = again.filter(|id| run.receiver(*id).is_some_and(|to| run.receiver(told) != Some(to)));
    if again.any(|id| run.value(id).map(sort_of) == like) {
        return None;
    }
    // The turn in which it sent them had another reason than this one's like.
    let (turn, _) = run.last_got(told)?;
    if run.value(turn).map(sort_of) == run.value(ask.sent).map(sort_of) {
        return None;
    }
    let text = format!(
        "{}: {} sent {} {} when it received {} {}, before it received {} from {} {}. Whoever comes after that is not told.",
        wait.words(run),
        run.named(ask.to),
        run.said(told),
        run.at(told),
        run.said(turn),
        run.at(turn),
        run.said(ask.sent),
        wait.pid,
        run.at(taken),
    );
    Some((Pattern::LostWakeup, text))
}

/// A message of this sort that the same process received in another function.
fn heard_elsewhere(run: &Run<'_>, ask: &Ask, taken: ActionId) -> Option<String> {
    let sort = run.value(ask.sent).map(sort_of)?;
    let here = run.place(taken)?;
    let other = run.steps(ask.to).iter().find_map(|step| {
        let id = ActionId::new(ask.to, step.number);
        let place = run.place(id)?;
        let same = matches!(step.does, Does::Got(..)) && id != taken && run.value(id).map(sort_of) == Some(sort);
        (same && place.function != here.function).then_some((id, place))
    })?;
    Some(format!(
        ": it was in {} then, and received a similar one {} in {}",
        here.function.local(),
        run.at(other.0),
        other.1.function.local(),
    ))
}

/// A process waits for ever, and all that could have sent to it have ended.
fn nobody_left(run: &Run<'_>, failure: &Failure<'_>) -> Option<Diagnosis> {
    if !failure.waits {
        return None;
    }
    // Who failed, or was killed, may be missed, first of all who knew of the one that waits; but not who was ended with it, nor who had done its work.
    let is_peaceful = |end: ActionId| run.value(end).is_some_and(Value::is_peaceful);
    let mut dead = run.processes().iter().filter(|process| {
        run.end(process.pid).is_some_and(|end| match end.does {
            Does::EndedBy(_, by) => by.is_none_or(|by| by.pid != failure.pid),
            Does::Ended { failed } => failed && !is_peaceful(ActionId::new(process.pid, end.number)),
            _ => false,
        })
    });
    let first = dead.clone().find(|process| knows(run, process.pid, failure.pid));
    let dead = first.or_else(|| dead.next())?;
    let wait = Wait {
        pid: failure.pid,
        end: LATER,
    };
    let text = format!(
        "{}: {} {}.",
        wait.words(run),
        run.named(dead.pid),
        ended(run, dead.pid)?
    );
    Some(said(Pattern::EndedBeforeItSent, text))
}
