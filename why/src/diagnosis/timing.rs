//! Why a wait was too short: who was asked, what it did meanwhile, how long each part took, and how much time was missing. All of it is measured:
//! of a run that needs no stall, the times are those that its sleeps and timeouts add up to.

use log_format::{ActionId, Pid};
use serde::Serialize;

use super::Failure;
use super::run::{Does, Run};
use delay::Measure;
use session::view::Purpose;

/// Limit: processes that wait for each other and are followed.
const HOPS: usize = 4;
/// Limit: waits of a process that are told one by one.
const PARTS: usize = 3;

/// A wait that was too short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Timing {
    /// The action that ended it.
    #[serde(skip)]
    pub timeout: ActionId,
    /// How long it waited, in milliseconds.
    pub waited_ms: u64,
    /// Who was asked, and those that it waited for itself.
    pub busy: Vec<BusyProcess>,
    /// So many milliseconds were missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_ms: Option<u64>,
    /// Can it be more? What was waited for did not come in this run.
    pub at_least: bool,
    /// In words.
    pub text: String,
}

/// What a process did while another one waited for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BusyProcess {
    /// The process, with its name.
    pub process: String,
    /// Milliseconds before it took the request.
    pub queued_ms: u64,
    /// Milliseconds from then on, as far as they are known.
    pub working_ms: u64,
}

/// A stretch of time in which a process waited or slept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    /// The action that ended it; the next one if nothing did.
    end: ActionId,
    from: u64,
    /// `None`: nothing would have ended it.
    upto: Option<u64>,
    sleeps: bool,
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

/// Why the first wait of the story was too short, if time says that: the run needs no stall, and what was waited for takes longer.
pub(super) fn too_short(run: &Run<'_>, failure: &Failure<'_>, measure: &Measure) -> Option<Timing> {
    if failure.waits || !measure.is_complete() || measure.stall(Some(failure.action)).ms > 0 {
        return None;
    }
    let told = failure.known.told.timeouts.iter().map(|(_, timeout)| timeout.id());
    let mut waits = told.filter(|id| run.purpose(*id) == Purpose::Wait);
    waits.find_map(|end| explained(run, measure, end))
}

fn explained(run: &Run<'_>, measure: &Measure, end: ActionId) -> Option<Timing> {
    let times = Times { run, measure };
    let wait = times.waiting(end)?;
    let waited_ms = wait.upto - wait.from;
    let first = times.awaited(wait)?;
    let mut told = Told::default();
    let opening = match first.asked {
        Some(asked) => format!(
            "{} waited {waited_ms} ms for the answer to {} {}.",
            run.who(end),
            run.said(asked),
            run.at(end)
        ),
        None => format!("{} waited {waited_ms} ms {}.", run.who(end), run.at(end)),
    };
    let ready = times.follow(wait, first, &mut told)?;
    let missing = ready.ms.saturating_sub(wait.upto);
    if missing == 0 {
        return None;
    }
    let least = if ready.is_known { "" } else { "At least " };
    let enough = ready.ms - wait.from;
    let earlier = match told.queued {
        true => format!(", or to begin {missing} ms earlier"),
        false => String::new(),
    };
    let (only, verb) = if ready.is_known {
        ("", "would")
    } else {
        ("only ", "could")
    };
    told.sentences.insert(0, opening);
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
    ms: u64,
    /// Did it come then in this run? Otherwise not before.
    is_known: bool,
}

#[derive(Default)]
struct Told {
    sentences: Vec<String>,
    busy: Vec<BusyProcess>,
    /// Did a request lie in a queue?
    queued: bool,
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
                    });
                }
            }
            before = time.unwrap_or(before);
        }
        list
    }

    /// Follows what was waited for, and tells it; when it is there.
    fn follow(&self, wait: Waiting, awaited: Awaited, told: &mut Told) -> Option<Ready> {
        let run = self.run;
        let mut awaited = awaited;
        let mut since = match awaited.asked {
            Some(asked) => self.measure.time(asked)?,
            None => self.measure.time(ActionId::new(awaited.from, 0))?.max(wait.from),
        };
        for hop in 0..HOPS {
            let pid = awaited.from;
            let who = run.named(pid);
            let upto = awaited.answer.and_then(|answer| self.measure.time(answer));
            let taken = awaited.taken.and_then(|taken| self.measure.time(taken));
            let all = self.stretches(pid);
            let end = upto.unwrap_or(u64::MAX);
            let within = |from: u64, upto: u64| {
                let overlaps = move |one: &&Stretch| one.from < upto && one.upto.is_none_or(|end| end > from);
                all.iter().filter(overlaps).copied().collect::<Vec<Stretch>>()
            };
            let mut told_busy = BusyProcess {
                process: who.clone(),
                queued_ms: 0,
                working_ms: 0,
            };
            // Before it took the request, it was busy with something else.
            let queued = match (awaited.asked, taken) {
                (Some(_), Some(taken)) if taken > since => Some(within(since, taken)),
                (Some(_), None) => Some(within(since, wait.upto.max(since + 1))),
                _ => None,
            };
            if let Some(queue) = &queued {
                let until = match (taken, queue.last()) {
                    (Some(taken), _) => taken,
                    (None, Some(last)) => last.upto?,
                    (None, None) => return None,
                };
                let first = queue.first()?;
                // It was not ready to take it: who waits for any message takes the request.
                let earlier = run.last_got(first.end);
                let with = match earlier {
                    Some((got, _)) => format!("with {} {}", run.said(got), run.at(got)),
                    None => "with its start".to_owned(),
                };
                let ms = until.saturating_sub(since);
                told_busy.queued_ms = ms;
                told.queued = true;
                told.sentences.push(format!(
                    "{who} did not take it for {ms} ms, because it was busy {with}: {}.",
                    self.listed(queue)
                ));
                if taken.is_none() {
                    told.busy.push(told_busy);
                    return Some(Ready {
                        ms: until,
                        is_known: false,
                    });
                }
            }
            let begun = taken.unwrap_or(since);
            let work = within(begun, end);
            let then = if queued.is_some() { "Then it" } else { who.as_str() };
            // A wait of its own for somebody else.
            let own = work.iter().rev().find(|one| !one.sleeps).copied();
            let next = own.filter(|_| hop + 1 < HOPS).and_then(|own| {
                let upto = own.upto.unwrap_or(u64::MAX);
                let inner = Waiting {
                    pid,
                    end: own.end,
                    from: own.from,
                    upto,
                };
                let next = self.inner(inner)?;
                Some((own, next))
            });
            let last = work.last();
            let (until, is_known) = match (upto, last) {
                (Some(upto), _) => (Some(upto), true),
                // It would have gone on after that.
                (None, Some(last)) => (last.upto, false),
                (None, None) => (None, false),
            };
            let born = self.measure.time(ActionId::new(pid, 0)).unwrap_or(0);
            if hop == 0 && awaited.asked.is_none() && born > wait.from {
                told.sentences.push(format!(
                    "{who}, which sent {} only later, was started {} ms after the wait began{}.",
                    awaited
                        .answer
                        .map_or_else(|| "it".to_owned(), |answer| run.said(answer)),
                    born - wait.from,
                    run.process(pid)
                        .and_then(|process| process.parent)
                        .map_or_else(String::new, |parent| format!(" {}", run.at(parent)))
                ));
                told.queued = true;
            }
            if let Some((own, inner)) = next {
                let before: Vec<Stretch> = work.iter().copied().filter(|one| one.end != own.end).collect();
                let also = match before.is_empty() {
                    true => String::new(),
                    false => format!(", besides {}", self.listed(&before)),
                };
                let what = match inner.asked {
                    Some(asked) => format!("the answer to {} {}", run.said(asked), run.at(asked)),
                    None => "a message".to_owned(),
                };
                told_busy.working_ms = until.unwrap_or(own.from).saturating_sub(begun);
                told.busy.push(told_busy);
                told.sentences.push(format!(
                    "{then} itself waited for {what} from {}{also}.",
                    run.named(inner.from)
                ));
                since = inner
                    .asked
                    .and_then(|asked| self.measure.time(asked))
                    .unwrap_or(own.from);
                if let Some(upto) = upto {
                    // The end of the whole is known; the rest only explains it.
                    let mut rest = Told::default();
                    let next_wait = Waiting {
                        pid,
                        end: own.end,
                        from: own.from,
                        upto: own.upto.unwrap_or(upto),
                    };
                    self.follow(next_wait, inner, &mut rest);
                    told.sentences.append(&mut rest.sentences);
                    told.busy.append(&mut rest.busy);
                    told.queued |= rest.queued;
                    return Some(Ready {
                        ms: upto,
                        is_known: true,
                    });
                }
                awaited = inner;
                continue;
            }
            let until = until?;
            let ms = until.saturating_sub(begun);
            told_busy.working_ms = ms;
            told.busy.push(told_busy);
            if ms > 0 {
                let with = if awaited.asked.is_some() { " with it" } else { "" };
                let verb = if queued.is_some() { "Then it was" } else { "was" };
                let subject = if queued.is_some() {
                    String::new()
                } else {
                    format!("{who} ")
                };
                let how_long = if is_known || work.len() == 1 { "" } else { "at least " };
                told.sentences.push(format!(
                    "{subject}{verb} busy{with} for {how_long}{ms} ms: {}.",
                    self.listed(&work)
                ));
            }
            return Some(Ready { ms: until, is_known });
        }
        None
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
        let mut text = super::waiting::listed(&told);
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        match text.is_empty() {
            true => "it computed".to_owned(),
            false => text,
        }
    }
}
