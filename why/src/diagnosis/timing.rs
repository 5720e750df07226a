//! Why a wait was too short: who was asked, what it did meanwhile, how long each part took, and how much time was missing. All of it is measured:
//! of a run that needs no stall, the times are those that its sleeps and timeouts add up to.

use log_format::{ActionId, Pid};

use super::failure::Failure;
use super::run::{Does, Run};
use crate::story::{BusyProcess, Diagnosis, Timing};
use delay::Measure;
use session::view::Purpose;

/// Limit: processes that wait for each other and are followed.
const HOPS: usize = 4;
/// Limit: waits of a process that are told one by one.
const PARTS: usize = 3;

/// A stretch of time in which a process waited or slept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    /// The action that ended it; the next one if nothing did.
    end: ActionId,
    from: u64,
    /// `None`: nothing would have ended it.
    upto: Option<u64>,
    sleeps: bool,
    /// It had not ended when the run did, and an answer could have ended it before its time was up.
    is_open: bool,
}

/// A wait of a process for an answer, with its times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    pid: Pid,
    /// The action that ended it.
    end: ActionId,
    from: u64,
    upto: u64,
}

/// What a wait was for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Awaited {
    from: Pid,
    /// The request; `None`: nobody was asked, and the message came by itself.
    asked: Option<ActionId>,
    /// The receive of the request.
    taken: Option<ActionId>,
    /// The answer, sent after the wait.
    answer: Option<ActionId>,
}

/// Why the first wait of the story was too short, or that of the likely cause, if time says that: the wait needs no stall, and what was waited for takes
/// longer.
pub(super) fn too_short(
    run: &Run<'_>,
    failure: &Failure<'_>,
    likely: Option<&Diagnosis>,
    measure: &Measure,
) -> Option<Timing> {
    if failure.waits || !measure.is_complete() {
        return None;
    }
    let told = failure.known.told.timeouts.iter().map(|(_, timeout)| timeout.id());
    // The story need not go by it: a process can go on without the answer, and fail on that later.
    let likely = likely.filter(|likely| likely.pattern.is_of_a_wait()).into_iter();
    let waited = likely.flat_map(|likely| likely.actions.iter().copied());
    let waited = waited.filter(|id| run.step(*id).is_some_and(|step| step.does == Does::Timeout));
    let mut waits = told.chain(waited).filter(|id| run.purpose(*id) == Purpose::Wait);
    waits.find_map(|end| explained(run, measure, end, failure.action))
}

fn explained(run: &Run<'_>, measure: &Measure, end: ActionId, failure: ActionId) -> Option<Timing> {
    let times = Times { run, measure };
    let wait = times.waiting(end)?;
    let waited_ms = wait.upto - wait.from;
    let first = times.awaited(wait)?;
    let mut told = Told {
        since: wait.from,
        ..Told::default()
    };
    let opening = match first.asked {
        Some(asked) => format!(
            "{} waited {waited_ms} ms for {} answer to {} {}.",
            run.who(end),
            // A message that asks for nothing can have one, too.
            if run.asks(asked) { "the" } else { "an" },
            run.said(asked),
            run.at(end)
        ),
        None => format!("{} waited {waited_ms} ms {}.", run.who(end), run.at(end)),
    };
    let ready = times.follow(wait, first, &mut told)?;
    if measure.stall_since(told.since, Some(failure)).ms > 0 {
        return None;
    }
    told.sentences.insert(0, opening);
    let Some(ready_ms) = ready.ms else {
        return Some(Timing {
            timeout: end,
            waited_ms,
            busy: told.busy,
            missing_ms: None,
            at_least: true,
            text: told.sentences.join(" "),
        });
    };
    let missing = ready_ms.saturating_sub(wait.upto);
    if missing == 0 {
        return None;
    }
    let least = if ready.is_known { "" } else { "At least " };
    let enough = ready_ms - wait.from;
    let earlier = match told.queued {
        true => format!(", or to begin {missing} ms earlier"),
        false => String::new(),
    };
    let (only, verb) = if ready.is_known {
        ("", "would")
    } else {
        ("only ", "could")
    };
    told.sentences.push(format!(
        "{least}{missing} ms were missing: {only}a wait of more than {enough} ms, or {missing} ms less work{earlier}, {verb} have been enough."
    ));
    Some(Timing {
        timeout: end,
        waited_ms,
        busy: told.busy,
        missing_ms: Some(missing),
        at_least: !ready.is_known,
        text: told.sentences.join(" "),
    })
}

/// When what was waited for is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ready {
    /// `None`: how long it takes is not known.
    ms: Option<u64>,
    /// Did it come then in this run? Otherwise not before.
    is_known: bool,
}

#[derive(Default)]
struct Told {
    sentences: Vec<String>,
    busy: Vec<BusyProcess>,
    /// Did a request lie in a queue?
    queued: bool,
    /// The earliest time that matters, in milliseconds from the start.
    since: u64,
}

struct Times<'r, 'a> {
    run: &'r Run<'a>,
    measure: &'r Measure,
}

impl Times<'_, '_> {
    fn waiting(&self, end: ActionId) -> Option<Waiting> {
        let upto = self.measure.time(end)?;
        let ms = self.measure.receive(end)?.ms.filter(|ms| *ms > 0)?;
        Some(Waiting {
            pid: end.pid,
            end,
            from: upto.checked_sub(ms)?,
            upto,
        })
    }

    /// Whom a process waited for: the last whom it had asked and that had not answered, or else who sent it something only later.
    fn awaited(&self, wait: Waiting) -> Option<Awaited> {
        let run = self.run;
        let mut asks = run.before(wait.end).iter().rev().filter_map(|step| {
            let id = ActionId::new(wait.pid, step.number);
            let Does::Send(tag) = step.does else { return None };
            let to = run.receiver(id).filter(|to| *to != wait.pid)?;
            Some((id, tag, to))
        });
        let answered = |to: Pid, asked: ActionId| {
            let mut since = run
                .after(asked)
                .iter()
                .take_while(|step| step.number < wait.end.number.0);
            since.any(|step| matches!(step.does, Does::Got(_, Some(from)) if from.pid == to))
        };
        // A message to another one than was asked last is no request that this wait is for.
        if let Some((asked, tag, to)) = asks.next()
            && !answered(to, asked)
        {
            let taken = run.receipt(tag).filter(|taken| taken.pid == to);
            let answer = taken.and_then(|taken| self.answer(wait, to, taken, asked));
            let asked = Awaited {
                from: to,
                asked: Some(asked),
                taken,
                answer,
            };
            // Who never answers, however long one waits, is no matter of time.
            if taken.is_none() || answer.is_some() || self.stands(to, wait.upto).is_some() {
                return Some(asked);
            }
        }
        self.unasked(wait)
    }

    /// What the receiver of a request sent back in that turn.
    fn answer(&self, wait: Waiting, to: Pid, taken: ActionId, asked: ActionId) -> Option<ActionId> {
        let run = self.run;
        let mut after = run.after(taken).iter();
        let reference = |id: ActionId| run.seen(id).and_then(|seen| seen.content.as_ref()?.reference);
        after.find_map(|step| {
            let id = ActionId::new(to, step.number);
            let is_send = matches!(step.does, Does::Send(_));
            let to_asker = run.receiver(id) == Some(wait.pid);
            let of_call = reference(asked).is_some() && reference(asked) == reference(id);
            (is_send && (to_asker || of_call)).then_some(id)
        })
    }

    /// Nobody was asked: the first message that came later than the wait ended.
    fn unasked(&self, wait: Waiting) -> Option<Awaited> {
        let run = self.run;
        let mut late: Vec<(u64, ActionId)> = Vec::new();
        for process in run.processes().iter().filter(|process| process.pid != wait.pid) {
            for step in &process.steps {
                let id = ActionId::new(process.pid, step.number);
                if run.receiver(id) == Some(wait.pid)
                    && let Some(time) = self.measure.time(id).filter(|time| *time > wait.upto)
                {
                    late.push((time, id));
                    break;
                }
            }
        }
        let (_, sent) = late.into_iter().min()?;
        // What it did because of the timeout is an effect.
        if causality::causes(run.scene.trace, sent).ok()?.contains(wait.end) {
            return None;
        }
        Some(Awaited {
            from: sent.pid,
            asked: None,
            taken: None,
            answer: Some(sent),
        })
    }

    /// The stretch in which a process was at a time, or that began then.
    fn stands(&self, pid: Pid, at: u64) -> Option<Stretch> {
        let all = self.stretches(pid);
        all.into_iter()
            .find(|one| one.from <= at && one.upto.is_none_or(|upto| upto > at))
    }

    /// The waits and sleeps of a process that took time, in order.
    fn stretches(&self, pid: Pid) -> Vec<Stretch> {
        let run = self.run;
        let mut list = Vec::new();
        let mut before = self.measure.time(ActionId::new(pid, 0)).unwrap_or(0);
        let steps = run.steps(pid);
        if let Some(first) = steps.first()
            && first.number > 1
        {
            before = self
                .measure
                .time(ActionId::new(pid, first.number - 1))
                .unwrap_or(before);
        }
        let next = steps.last().map(|step| step.number + 1);
        for number in steps.iter().map(|step| step.number).chain(next) {
            let end = ActionId::new(pid, number);
            let time = self.measure.time(end);
            let is_last = Some(number) == next;
            if is_last && run.end(pid).is_some() {
                break;
            }
            let does = run.step(end).map(|step| &step.does);
            let is_over = !is_last && !matches!(does, Some(Does::EndedBy(..)));
            if let Some(receive) = self.measure.receive(end) {
                let due = receive.ms.map(|ms| before.saturating_add(ms));
                let upto = match (is_over, time) {
                    (true, Some(time)) => Some(time),
                    _ => due,
                };
                if upto.is_none_or(|upto| upto > before) {
                    list.push(Stretch {
                        end,
                        from: before,
                        upto,
                        sleeps: receive.sleeps,
                        is_open: !is_over && !receive.sleeps,
                    });
                }
            }
            before = time.unwrap_or(before);
        }
        list
    }

    /// Follows what was waited for, and tells it; when it is there.
    fn follow(&self, wait: Waiting, awaited: Awaited, told: &mut Told) -> Option<Ready> {
        let since = match awaited.asked {
            Some(asked) => self.measure.time(asked)?,
            None => self.born(awaited.from).max(wait.from),
        };
        if awaited.asked.is_none() {
            self.tell_start(wait, awaited, told);
        }
        self.hop(wait, awaited, since, HOPS, told)
    }

    fn born(&self, pid: Pid) -> u64 {
        self.measure.time(ActionId::new(pid, 0)).unwrap_or(0)
    }

    /// One process that was waited for, and those that it waited for itself: so many more.
    fn hop(&self, wait: Waiting, awaited: Awaited, since: u64, left: usize, told: &mut Told) -> Option<Ready> {
        let pid = awaited.from;
        let upto = awaited.answer.and_then(|answer| self.measure.time(answer));
        let taken = awaited.taken.and_then(|taken| self.measure.time(taken));
        let all = self.stretches(pid);
        let mut busy = BusyProcess {
            process: self.run.named(pid),
            queued_ms: 0,
            working_ms: 0,
        };
        let queue = match (awaited.asked, taken) {
            (Some(_), Some(taken)) if taken > since => Some(within(&all, since, taken)),
            (Some(_), None) => Some(within(&all, since, wait.upto.max(since + 1))),
            _ => None,
        };
        told.since = told.since.min(since);
        if let Some(queue) = &queue {
            let until = taken.or_else(|| queue.last()?.upto)?;
            busy.queued_ms = until.saturating_sub(since);
            told.since = told.since.min(queue.first()?.from);
            self.tell_queue("it", &busy, queue, (since, until), told);
            if taken.is_none() {
                told.busy.push(busy);
                return Some(Ready {
                    ms: Some(until),
                    is_known: false,
                });
            }
        }
        let begun = taken.unwrap_or(since);
        let work = within(&all, begun, upto.unwrap_or(u64::MAX));
        // It would have gone on after its last wait.
        let until = upto.or_else(|| work.last()?.upto);
        busy.working_ms = until.unwrap_or(begun).saturating_sub(begun);
        let own = work.iter().rev().find(|one| !one.sleeps).filter(|_| left > 1);
        if let Some(own) = own
            && let Some((inner, next)) = self.waits_for(own, upto, wait.upto)
        {
            self.tell_wait(&busy, queue.is_some(), (&work, own), next, told);
            told.busy.push(busy);
            let asked = next.asked.and_then(|asked| self.measure.time(asked));
            let ready = self.hop(inner, next, asked.unwrap_or(own.from), left - 1, told);
            self.tell_queues(&work, own, wait.upto, told);
            // If the end of the whole is known, the rest only explains it.
            return match upto {
                Some(_) => Some(Ready {
                    ms: upto,
                    is_known: true,
                }),
                // It had its own answer, and was ended in what it did then.
                None if !own.is_open && until.is_some() => Some(Ready {
                    ms: until,
                    is_known: false,
                }),
                None => ready,
            };
        }
        if let Some((last, done)) = work.split_last().filter(|(last, _)| upto.is_none() && last.is_open) {
            return (!done.is_empty()).then(|| self.tell_open(busy, last, done, begun, told));
        }
        let ms = until?;
        if busy.working_ms > 0 {
            let subject = match &queue {
                Some(_) => "Then it was".to_owned(),
                None => format!("{} was", busy.process),
            };
            let with = if awaited.asked.is_some() { " with it" } else { "" };
            let least = if upto.is_some() || work.len() == 1 {
                ""
            } else {
                "at least "
            };
            told.sentences.push(format!(
                "{subject} busy{with} for {least}{} ms: {}.",
                busy.working_ms,
                self.listed(&work)
            ));
        }
        told.busy.push(busy);
        Some(Ready {
            ms: Some(ms),
            is_known: upto.is_some(),
        })
    }

    /// Who was asked for nothing sent something later: was it started only then?
    fn tell_start(&self, wait: Waiting, awaited: Awaited, told: &mut Told) {
        let run = self.run;
        let late = self.born(awaited.from).saturating_sub(wait.from);
        if late == 0 {
            return;
        }
        let what = awaited
            .answer
            .map_or_else(|| "it".to_owned(), |answer| run.said(answer));
        let parent = run.process(awaited.from).and_then(|process| process.parent);
        let parent = parent.map_or_else(String::new, |parent| format!(" {}", run.at(parent)));
        told.sentences.push(format!(
            "{}, which sent {what} only later, was started {late} ms after the wait began{parent}.",
            run.named(awaited.from)
        ));
        told.queued = true;
    }

    /// Of the waits of a process besides the last one: whom it asked, and who was busy with something else then.
    fn tell_queues(&self, work: &[Stretch], last: &Stretch, limit: u64, told: &mut Told) {
        let earlier = work.iter().filter(|one| one.end != last.end && !one.sleeps);
        for one in earlier.take(PARTS) {
            let Some((_, next)) = self.waits_for(one, one.upto, limit) else {
                continue;
            };
            let time = |id: Option<ActionId>| id.and_then(|id| self.measure.time(id));
            let (Some(request), Some(asked), Some(taken)) = (next.asked, time(next.asked), time(next.taken)) else {
                continue;
            };
            let queue = within(&self.stretches(next.from), asked, taken);
            if let Some(first) = queue.first().filter(|_| taken > asked) {
                told.since = told.since.min(first.from);
                let busy = BusyProcess {
                    process: self.run.named(next.from),
                    queued_ms: taken - asked,
                    working_ms: 0,
                };
                let what = format!("{} {}", self.run.said(request), self.run.at(request));
                // To ask the first one earlier is not to ask this one when it has nothing else to do.
                let queued = told.queued;
                self.tell_queue(&what, &busy, &queue, (asked, taken), told);
                told.queued = queued;
                told.busy.push(busy);
            }
        }
    }

    /// Before it took the request, from one time to another, it was busy with something else.
    fn tell_queue(
        &self,
        what: &str,
        busy: &BusyProcess,
        queue: &[Stretch],
        (since, until): (u64, u64),
        told: &mut Told,
    ) {
        let run = self.run;
        let got = |one: &Stretch| run.last_got(one.end).map(|(got, _)| got);
        let with = |work: &[Stretch]| match work.first().and_then(got) {
            Some(got) => format!("with {} {}", run.said(got), run.at(got)),
            None => "with its start".to_owned(),
        };
        let ms = |work: &[Stretch]| -> u64 {
            let within = |one: &Stretch| one.upto.unwrap_or(until).min(until).saturating_sub(one.from.max(since));
            work.iter().map(within).sum()
        };
        let works: Vec<&[Stretch]> = queue.chunk_by(|one, next| got(one) == got(next)).collect();
        let busy_with = match works.as_slice() {
            [work] => format!("{}: {}", with(work), self.listed(work)),
            works => {
                let (told, rest) = works.split_at(works.len().min(PARTS));
                let one = |work: &&[Stretch]| format!("{} for {} ms", with(work), ms(work));
                let told: Vec<String> = told.iter().map(one).collect();
                let rest_ms: u64 = rest.iter().map(|work| ms(work)).sum();
                match rest.len() {
                    0 => told.join(", then "),
                    more => format!("{}, then with {more} more for {rest_ms} ms", told.join(", then ")),
                }
            }
        };
        told.queued = true;
        told.sentences.push(format!(
            "{} did not take {what} for {} ms, because it was busy {busy_with}.",
            busy.process, busy.queued_ms
        ));
    }

    /// It waited for somebody itself.
    fn tell_wait(
        &self,
        busy: &BusyProcess,
        queued: bool,
        (work, own): (&[Stretch], &Stretch),
        next: Awaited,
        told: &mut Told,
    ) {
        let run = self.run;
        let subject = if queued { "Then it" } else { busy.process.as_str() };
        let rest: Vec<Stretch> = work.iter().copied().filter(|one| one.end != own.end).collect();
        let also = match rest.is_empty() {
            true => String::new(),
            false => format!(", besides {}", self.listed(&rest)),
        };
        let what = match next.asked {
            Some(asked) => format!("the answer to {} {}", run.said(asked), run.at(asked)),
            None => "a message".to_owned(),
        };
        told.sentences.push(format!(
            "{subject} itself waited for {what} from {}{also}.",
            run.named(next.from)
        ));
    }

    /// A process that had not answered waits for an answer itself: how long that would have taken is not known. `done`: what it had done before, since
    /// `begun`.
    fn tell_open(&self, mut busy: BusyProcess, last: &Stretch, done: &[Stretch], begun: u64, told: &mut Told) -> Ready {
        busy.working_ms = last.from.saturating_sub(begun);
        let place = self.run.waits_at(last.end.pid);
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        told.sentences.push(format!(
            "{} had worked for {} ms ({}), and waited for an answer itself{place} when the time was up: how much was missing is not known.",
            busy.process,
            busy.working_ms,
            self.listed(done)
        ));
        told.busy.push(busy);
        Ready {
            ms: None,
            is_known: false,
        }
    }

    /// The wait of a process for somebody else, in a stretch of its work, and whom it waited for. `upto`: when it answered; `limit`: when the time was
    /// up.
    fn waits_for(&self, own: &Stretch, upto: Option<u64>, limit: u64) -> Option<(Waiting, Awaited)> {
        let inner = Waiting {
            pid: own.end.pid,
            end: own.end,
            from: own.from,
            // It had not ended by then.
            upto: own
                .upto
                .filter(|_| !own.is_open)
                .or(upto)
                .unwrap_or(limit.max(own.from)),
        };
        Some((inner, self.inner(inner)?))
    }

    /// Whom a process waited for that was to answer somebody else.
    fn inner(&self, wait: Waiting) -> Option<Awaited> {
        let run = self.run;
        // What ended its wait says whom it waited for.
        if let Some(Does::Got(_, Some(from))) = run.step(wait.end).map(|step| step.does.clone()) {
            if from.pid == wait.pid {
                return None;
            }
            let (taken, asked) = match run.last_got(from) {
                Some((taken, asked)) if asked.pid == wait.pid => (Some(taken), Some(asked)),
                _ => (None, None),
            };
            return Some(Awaited {
                from: from.pid,
                asked,
                taken,
                answer: Some(from),
            });
        }
        let found = self.awaited(wait)?;
        found.asked.is_some().then_some(found)
    }

    /// `sleeps of 10 ms (a.erl:3) and 20 ms (a.erl:4)`.
    fn listed(&self, all: &[Stretch]) -> String {
        let run = self.run;
        let told: Vec<String> = all
            .iter()
            .take(PARTS)
            .map(|one| {
                let before = ActionId::new(one.end.pid, one.end.number.0.saturating_sub(1));
                let place = run.place(one.end).map(|place| place.short());
                let place = place.or_else(|| Some(run.waits_at(one.end.pid)?.to_string()));
                let place = place.or_else(|| Some(run.place(before)?.short()));
                let place = place.map_or_else(String::new, |place| format!(" ({place})"));
                let ms = one.upto.map(|upto| upto - one.from);
                match (one.sleeps, ms) {
                    (true, Some(ms)) => format!("a sleep of {ms} ms{place}"),
                    (false, Some(ms)) => format!("a wait of {ms} ms{place}"),
                    (true, None) => format!("a sleep without end{place}"),
                    (false, None) => format!("a wait without end{place}"),
                }
            })
            .collect();
        let more = all.len().saturating_sub(PARTS);
        let mut text = super::fate::listed(&told);
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        match text.is_empty() {
            true => "it computed".to_owned(),
            false => text,
        }
    }
}

/// The stretches that lie in this time, if only in part.
fn within(all: &[Stretch], from: u64, upto: u64) -> Vec<Stretch> {
    let overlaps = |one: &&Stretch| one.from < upto && one.upto.is_none_or(|end| end > from);
    all.iter().filter(overlaps).copied().collect()
}
