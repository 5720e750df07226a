//! The walk back from an action: which message led to it, who sent that and in which state, because of which message, and so on.
//!
//! What is told is chosen from the causes; it is never more than they are. Two things are folded: questions that only led to an
//! answer (what matters then is the state that the answer was read from), and messages that changed nothing.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::rc::Rc;

use log_format::{ActionId, Pid};
use rustc_hash::FxHashSet;

use super::changes::{self, Context};
use super::heard::{self, Heard};
use super::late::{self, Purpose, Timeout};
use super::lost;
use super::past::{Past, Pasts, Taken};
use super::reads::{self, Found};
use super::records::Records;
use super::routine::{Speech, speech, started};
use super::story::{Because, Change, Link, Sent};
use session::Session;
use session::act::Names;
use session::error::Error;
use session::view::{Act, ActKind};
use session::watch::{Seen, SeenFrame, Watcher};

/// So many activations of the program make up the state of a process.
const STATEFUL: usize = 4;
/// A receive is looked at over so many lines.
const RECEIVE: u32 = 12;
/// Of several messages from which a failure was put together so many others are told, and so many more steps for each.
const COLLECTED: usize = 3;
const OF_COLLECTED: usize = 2;
/// Where a `gen_statem` waits for events.
const STATEM: &str = "gen_statem:loop_receive/3";
/// Where a `gen_event` does.
const EVENTS: &str = "gen_event:fetch_msg/6";

/// What a replay saw of the actions that may be told, and what is worked out of it only once.
pub struct Scene<'a> {
    /// What was seen.
    base: session::scene::Scene<'a>,
    /// The records of its program.
    records: OnceCell<Rc<Records>>,
    /// The reason of the failure that is told.
    failure: OnceCell<Rc<str>>,
}

impl<'a> std::ops::Deref for Scene<'a> {
    type Target = session::scene::Scene<'a>;
    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl<'a> Scene<'a> {
    /// What this replay of the session's trace saw.
    pub fn new(session: &'a Session, system: &'a system::System<Watcher>, names: &'a Names) -> Self {
        Self {
            base: session::scene::Scene::new(session, system, names),
            records: OnceCell::new(),
            failure: OnceCell::new(),
        }
    }

    /// What the receive was there for that timed out with this action.
    pub fn purpose(&self, pid: Pid, n: u64) -> Purpose {
        let place = self.seen.get(&(pid, n)).and_then(|seen| seen.place.as_ref());
        let Some(place) = place else { return Purpose::Wait };
        let lines = self.sources.quote(&place.file, place.line, RECEIVE);
        let mut text = String::new();
        for line in lines.iter().skip_while(|line| !line.here) {
            // Characters before the receive may hold another one.
            let skip = if line.here {
                place.column.saturating_sub(1) as usize
            } else {
                0
            };
            text.extend(line.text.chars().skip(skip));
            text.push('\n');
        }
        late::purpose(&text)
    }

    /// Does an action stand in the library's own work: starting, calling, reporting?
    pub fn is_routine(&self, pid: Pid, n: u64) -> bool {
        let place = self.seen.get(&(pid, n)).and_then(|seen| seen.place.as_ref());
        let own = self.seen.get(&(pid, n)).and_then(|seen| self.own_frame(seen));
        own.is_none()
            || place.is_some_and(|place| {
                let module = place.function.split(':').next().unwrap_or_default();
                matches!(
                    module,
                    "gen"
                        | "gen_server"
                        | "gen_statem"
                        | "gen_event"
                        | "supervisor"
                        | "proc_lib"
                        | "sys"
                        | "logger"
                        | "error_logger"
                        | "logger_std_h"
                        | "logger_formatter"
                        | "logger_filters"
                )
            })
    }

    /// A send with the state of the sender.
    fn sent(&self, (pid, n): (Pid, u64)) -> Result<Option<Sent>, Error> {
        let Some(act) = self.act(pid, n)? else { return Ok(None) };
        let state = self.seen.get(&(pid, n)).map(|seen| self.variables_around(seen));
        Ok(Some(Sent {
            place: act.place.clone(),
            line: act.place.as_ref().and_then(|place| self.line(place)),
            act,
            state: state.unwrap_or_default(),
        }))
    }

    /// The variables of the innermost function of the program; where that is a fun or a comprehension, with those of the function around it.
    fn variables_around(&self, seen: &Seen) -> Vec<(String, String)> {
        let mut list: Vec<(String, String)> = Vec::new();
        let mut around = None;
        for frame in &seen.frames {
            let Some(place) = frame.place.as_ref().filter(|place| self.sources.owns(&place.file)) else {
                continue;
            };
            let function = place.function.split_once(':').map_or("", |(_, name)| name);
            if around.is_some_and(|around| around != function) {
                break;
            }
            for v in &frame.variables {
                if list.iter().all(|(name, _)| *name != v.name) {
                    list.push((v.name.clone(), v.value.clone()));
                }
            }
            // `-decide/2-lc$^0/1-0-` is written in `decide/2`.
            around = function.strip_prefix('-').and_then(|name| name.split('-').next());
            if around.is_none() {
                break;
            }
        }
        list
    }

    /// The variables of the activations at an action: function, name, value; what was just received left out.
    fn state(&self, pid: Pid, n: u64) -> Vec<(&str, &str, &str)> {
        let frames = self.seen.get(&(pid, n)).map_or(&[][..], |seen| &seen.frames);
        let mut out = Vec::new();
        let own = frames.iter().filter_map(|frame| {
            let place = frame.place.as_ref()?;
            let is_server = matches!(place.function.as_str(), "gen_server:loop/7" | STATEM | EVENTS);
            (is_server || self.sources.owns(&place.file)).then_some((frame, place, is_server))
        });
        for (frame, place, is_server) in own.take(STATEFUL) {
            let function = place.function.as_str();
            // What funs and comprehensions count in is no state.
            if function.split_once(':').is_some_and(|(_, name)| name.starts_with('-')) {
                continue;
            }
            let known = frame.variables.iter().filter(|v| !v.of_message);
            if function == STATEM {
                out.extend(
                    known
                        .filter(|v| v.name == "S")
                        .flat_map(|v| of_statem(&v.value))
                        .map(|(name, value)| (function, name, value)),
                );
                continue;
            }
            if function == EVENTS {
                let handlers = known
                    .filter(|v| v.name == "Handlers")
                    .flat_map(|v| of_handlers(&v.value));
                out.extend(handlers.map(|(module, value)| (function, module, value)));
                continue;
            }
            // Of what the loop of a server holds, the state is the program's.
            let known = known.filter(|v| !is_server || v.name == "State");
            out.extend(known.map(|v| (function, v.name.as_str(), v.value.as_str())));
        }
        out
    }

    /// The last message before the first of these that changed the state in which that one was received, and what it changed.
    fn state_change(&self, pid: Pid, taken: &[Taken], context: &Context) -> Option<(Taken, Vec<Change>)> {
        let states: Vec<_> = taken.iter().map(|one| self.state(pid, one.number)).collect();
        changes::last_change(taken, &states, context)
    }

    /// The reason of an abnormal end, as it was printed.
    fn reason(&self, pid: Pid, n: u64) -> Result<Option<&str>, Error> {
        let fails = match self.trace.action(pid, log_format::ActionNo(n))?.kind {
            log_format::Kind::Exit { class } => class != log_format::ExitClass::Normal,
            _ => false,
        };
        let seen = self.seen.get(&(pid, n)).filter(|_| fails);
        Ok(seen.and_then(|seen| seen.content.as_deref()))
    }

    /// Of the variables that were there when the first of these was received, and whose values the reason of a failure names: when they got them.
    fn dated(&self, pid: Pid, taken: &[Taken], reason: &str) -> Vec<(Taken, Vec<Change>)> {
        let states: Vec<_> = taken.iter().map(|one| self.state(pid, one.number)).collect();
        let reason = reason.split_once(' ').map_or(reason, |(_, term)| term);
        changes::dated(taken, &states, &heard::words(reason))
    }

    /// What an action is about: the variables on its line, and what it and these others said.
    fn context(&self, pid: Pid, n: u64, others: &[Option<&str>]) -> Context {
        let seen = self.seen.get(&(pid, n));
        let line = seen
            .and_then(|seen| self.own_place(seen))
            .and_then(|place| self.line(place));
        let said = seen.and_then(|seen| seen.content.as_deref());
        let texts = others.iter().copied().chain([said]).flatten();
        Context {
            variables: line.map_or_else(Vec::new, |line| session::predicate::variables(&line)),
            // Who asked is not what was asked.
            texts: texts.map(|text| speech(text, true).body().to_owned()).collect(),
            records: Rc::clone(self.records.get_or_init(|| Rc::new(Records::of(self.sources)))),
            failure: Rc::clone(self.failure.get_or_init(|| Rc::from(""))),
        }
    }
}

/// What is to be explained next.
enum Item {
    /// Why did this action happen?
    Explain(Pid, u64),
    /// The state of a process dates from this message.
    State(Pid, Taken, Vec<Change>, u64),
    /// What came before an action, apart from what it read.
    Apart(Pid, u64),
    /// Another one of several messages from which a failure was put together: the failure is the action with this number.
    Collected(Pid, Taken, u64),
    /// Another message before a failure that has more to do with it than the last one, or that says something else than its like.
    Also(Pid, Taken, u64),
}

/// A story as it grows.
pub struct Told {
    /// The steps back.
    pub links: Vec<Link>,
    /// The actions told that depend on others by an order edge, or on the outside.
    pub required: Vec<(Pid, u64)>,
    /// The receives told, the nearest first.
    pub receives: Vec<(Pid, Taken)>,
    /// The writes that were told, where another process had read what they wrote.
    pub writes: Vec<lost::Write>,
    /// The waits in vain that were told: which link, and what is known of each.
    pub timeouts: Vec<(usize, Timeout)>,
    /// Was there more to tell?
    pub cut: bool,
}

/// Tells why the `n`-th action of a process happened, in at most `limit` links.
///
/// # Errors
/// If the trace is damaged there.
pub fn tell(scene: &Scene<'_>, pasts: &mut Pasts<'_>, pid: Pid, n: u64, limit: usize) -> Result<Told, Error> {
    let mut walk = Walk {
        scene,
        told: Told {
            links: Vec::new(),
            required: Vec::new(),
            receives: Vec::new(),
            writes: Vec::new(),
            timeouts: Vec::new(),
            cut: false,
        },
        known: FxHashSet::default(),
        main: Some(Item::Explain(pid, n)),
        beside: VecDeque::new(),
    };
    if let Some(reason) = scene.reason(pid, n)? {
        // The first failure counts.
        let _ = scene.failure.set(Rc::from(reason));
    }
    let mut limit = limit;
    while let Some(item) = walk.main.take().or_else(|| walk.beside.pop_front()) {
        // Each of several messages has a story of its own.
        if matches!(item, Item::Collected(..) | Item::Also(..)) {
            limit += OF_COLLECTED;
        }
        if walk.told.links.len() >= limit {
            walk.told.cut = true;
            break;
        }
        match item {
            Item::Explain(pid, n) => walk.explain(pasts, pid, n)?,
            Item::Apart(pid, n) => walk.apart(pasts, pid, n)?,
            Item::State(pid, taken, changes, later) => walk.taken(Because::State, (pid, taken), changes, later)?,
            Item::Collected(pid, taken, later) => walk.taken(Because::Collected, (pid, taken), Vec::new(), later)?,
            Item::Also(pid, taken, later) => walk.also(pasts, pid, taken, later)?,
        }
    }
    Ok(walk.told)
}

struct Walk<'a> {
    scene: &'a Scene<'a>,
    told: Told,
    known: FxHashSet<(Pid, u64)>,
    /// The line of the story.
    main: Option<Item>,
    /// What is told when the line has ended.
    beside: VecDeque<Item>,
}

impl Walk<'_> {
    /// What was found since the last receive of what others had done, and a wait in vain, are nearer than what was received.
    fn explain(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Past {
            others,
            timeouts,
            taken,
            ..
        } = pasts.past(pid, n)?.clone();
        let trace = self.scene.trace;
        let registers = |number| self.scene.seen.get(&(pid, number)).is_some_and(|seen| seen.registers);
        // Only where it failed for it does it matter that nobody was there yet.
        let failed = self.scene.seen.get(&(pid, n)).is_some_and(|seen| {
            let reason = seen.content.as_deref().unwrap_or_default();
            reason.contains("badarg") || reason.contains("noproc")
        });
        let list = reads::reads(trace, pid, &others, registers, failed.then_some(n));
        for read in list {
            // Who only counted, some time before, did not look: what it had received tells more.
            if read.update && read.number + 1 != n && !taken.is_empty() {
                continue;
            }
            if !self.known.insert((pid, read.number)) {
                continue;
            }
            let Some(act) = self.scene.act(pid, read.number)? else {
                continue;
            };
            let sent = match read.by {
                Some(by) => self.scene.sent(by)?,
                None => None,
            };
            if read.by.is_some() && sent.is_none() {
                continue;
            }
            let by = match (&sent, read.by) {
                (Some(sent), _) => named(&sent.act),
                (None, _) => String::new(),
            };
            let mut words = reads::words(trace, &act, &read, &by);
            if read.found == Found::Never
                && trace.totals().counts.actions <= super::SMALL
                && let Some(later) = reads::later(trace, read.resource)?
            {
                words = format!("{words} yet; {later}");
            }
            let free_before = match read.found {
                Found::Taken => lost::free_before(trace, pid, read.number, read.resource)?,
                _ => None,
            };
            if let (Found::Data, Some(by)) = (read.found, read.by) {
                self.told.writes.push(lost::Write {
                    link: self.told.links.len(),
                    resource: read.resource,
                    by,
                });
            }
            self.told.links.push(Link {
                read: Some(words),
                free_before: free_before.map(|n| format!("event:{pid}/{n}")),
                sent,
                ..link(Because::Read, act, n - read.number)
            });
            match (read.by, &self.main) {
                (Some((by, m)), None) => self.main = Some(Item::Explain(by, m)),
                (Some((by, m)), Some(_)) => self.beside.push_back(Item::Explain(by, m)),
                (None, _) => {}
            }
        }
        if let Some(timeout) = late::in_vain(self.scene, pid, &timeouts)
            && self.known.insert((pid, timeout.number))
            && let Some(act) = self.scene.act(pid, timeout.number)?
        {
            self.told.links.push(link(Because::TimedOut, act, n - timeout.number));
            self.told.timeouts.push((self.told.links.len() - 1, timeout));
        }
        match self.main {
            Some(_) => self.beside.push_back(Item::Apart(pid, n)),
            None => return self.apart(pasts, pid, n),
        }
        Ok(())
    }

    /// Which of the messages before an action led to it: the last, or at a failure the one that holds its reason.
    fn trigger(&self, pid: Pid, n: u64, taken: &[Taken]) -> Option<Taken> {
        let content = |n: u64| self.scene.seen.get(&(pid, n)).and_then(|seen| seen.content.clone());
        let ended = self.scene.trace.action(pid, log_format::ActionNo(n)).ok()?;
        let reason = content(n).filter(|_| matches!(ended.kind, log_format::Kind::Exit { .. }));
        let told = reason.and_then(|reason| {
            let messages: Vec<String> = taken
                .iter()
                .map(|one| content(one.number).unwrap_or_default())
                .collect();
            changes::told_by(&reason, &messages)
        });
        taken.get(told.unwrap_or(0)).copied()
    }

    /// Other messages from which a failure was put together, the last first: received at the same place in the same activation, and found again in
    /// its reason or in its variables.
    fn others_collected(&self, pid: Pid, n: u64, trigger: Taken, taken: &[Taken]) -> Vec<Taken> {
        let seen = |n: u64| self.scene.seen.get(&(pid, n));
        let fails = |action: log_format::Action| matches!(action.kind, log_format::Kind::Exit { .. });
        let failed = self.scene.trace.action(pid, log_format::ActionNo(n)).is_ok_and(fails);
        let (Some(end), Some(first)) = (seen(n).filter(|_| failed), seen(trigger.number)) else {
            return Vec::new();
        };
        let Some(frame) = self.scene.own_frame(end) else {
            return Vec::new();
        };
        let function = |frame: &SeenFrame| frame.place.as_ref().map(|place| place.function.clone());
        let value = |name: &str| {
            frame
                .variables
                .iter()
                .find(|v| v.name == name)
                .map(|v| v.value.as_str())
        };
        // The same activation: what it knew then it knows still.
        let is_same = |seen: &Seen| {
            let there = seen.frames.iter().find(|there| function(there) == function(frame));
            there.is_some_and(|there| {
                let mut known = there.variables.iter().filter(|v| !v.of_message);
                known.all(|v| value(&v.name).is_some_and(|now| now == v.value))
            })
        };
        let mut texts: Vec<&str> = end.content.as_deref().into_iter().collect();
        texts.extend(frame.variables.iter().map(|v| v.value.as_str()));
        let mut found = Vec::new();
        for one in taken.iter().filter(|one| **one != trigger) {
            let Some(seen) = seen(one.number).filter(|seen| seen.place == first.place && is_same(seen)) else {
                continue;
            };
            let content = seen.content.as_deref().unwrap_or_default();
            // What was sent to it before it knew is not what it was told.
            if changes::gives_to(content, &texts) {
                found.push(*one);
            }
        }
        found.truncate(COLLECTED);
        found.reverse();
        found
    }

    /// Of the messages before a failure those that have more to do with its reason than the last one: one that it speaks of, where that one
    /// says nothing of it, and one that says something else than its like, which were received at the same place.
    fn also_of(
        &self,
        pasts: &mut Pasts<'_>,
        pid: Pid,
        n: u64,
        trigger: Taken,
        taken: &[Taken],
    ) -> Result<Vec<Taken>, Error> {
        let Some(reason) = self.scene.reason(pid, n)? else {
            return Ok(Vec::new());
        };
        let seen = |n: u64| self.scene.seen.get(&(pid, n));
        let Some(failure) = seen(n) else { return Ok(Vec::new()) };
        let variables = self.scene.own_frame(failure).map_or(&[][..], |frame| &frame.variables);
        let texts: Vec<&str> = std::iter::once(reason)
            .chain(variables.iter().map(|v| v.value.as_str()))
            .collect();
        let mut heard = Vec::new();
        for one in taken {
            let Some(seen) = seen(one.number) else { continue };
            let content = seen.content.as_deref().unwrap_or_default();
            let mut question = None;
            if let Some((by, sent)) = one.from.filter(|(by, _)| *by != pid) {
                let asked = pasts.past(by, sent)?.taken.first().and_then(|one| one.from);
                if let Some((_, k)) = asked.filter(|&(who, k)| who == pid && k < one.number) {
                    question = self.scene.seen.get(&(pid, k)).and_then(|seen| seen.content.as_deref());
                }
            }
            let library = self.scene.in_library(pid, one.number);
            heard.push(Heard {
                message: speech(content, library).body(),
                question: question.map(|text| speech(text, true).body()),
                place: self
                    .scene
                    .own_place(seen)
                    .map(|place| (place.function.as_str(), place.line)),
                taken: *one,
            });
        }
        let mut found = Vec::new();
        if let Some(spoken) = heard::spoken_of(reason, &heard, trigger) {
            found.push(spoken);
        }
        let of = found.first().copied().unwrap_or(trigger);
        found.extend(heard::differing(&texts, &heard, of));
        found.retain(|one| *one != trigger);
        found.dedup();
        Ok(found)
    }

    /// A process that `proc_lib` started has said that it runs: its creation and that are one step.
    fn started(&mut self, pid: Pid, act: Act, trigger: Taken, n: u64) -> Result<bool, Error> {
        let Some((child, _)) = trigger.from else {
            return Ok(false);
        };
        let in_library = self.scene.in_library(pid, trigger.number);
        let said = act.content.as_deref().and_then(started);
        let Some(result) = said.filter(|_| in_library).map(str::to_owned) else {
            return Ok(false);
        };
        let Some(ActionId {
            pid: parent,
            number: spawn,
        }) = self.scene.trace.process(child)?.parent
        else {
            return Ok(false);
        };
        if parent != pid || spawn.0 >= trigger.number {
            return Ok(false);
        }
        let mut act = act;
        act.content = Some(result);
        self.known.insert((pid, spawn.0));
        let sent = self.scene.sent((pid, spawn.0))?;
        self.told.links.push(Link {
            sent,
            ..link(Because::Started, act, n - trigger.number)
        });
        self.main = Some(Item::Explain(pid, spawn.0));
        Ok(true)
    }

    fn apart(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Past { taken, all, others, .. } = pasts.past(pid, n)?.clone();
        self.require(pid, &others);
        let Some(trigger) = self.trigger(pid, n, &taken) else {
            return if all { self.birth(pid, n) } else { Ok(()) };
        };
        let also = self.also_of(pasts, pid, n, trigger, &taken)?;
        self.follow(pasts, pid, n, trigger, &taken)?;
        // Nearer to the failure than what led to the last message.
        let mut nearer: Vec<Item> = also.into_iter().map(|one| Item::Also(pid, one, n)).collect();
        if let Some(reason) = self.scene.reason(pid, n)? {
            let since = taken.iter().position(|one| *one == trigger).unwrap_or(0);
            let dated = self.scene.dated(pid, &taken[since..], reason);
            nearer.extend(
                dated
                    .into_iter()
                    .map(|(one, changes)| Item::State(pid, one, changes, trigger.number)),
            );
        }
        for item in nearer.into_iter().rev() {
            if let Some(main) = self.main.replace(item) {
                self.beside.push_front(main);
            }
        }
        Ok(())
    }

    /// A message that was taken in before another one, with the story of its own.
    fn also(&mut self, pasts: &mut Pasts<'_>, pid: Pid, one: Taken, n: u64) -> Result<(), Error> {
        let taken = pasts.past(pid, one.number)?.taken.clone();
        self.follow(pasts, pid, n, one, &taken)
    }

    /// Tells of a message that a process took in before its `n`-th action, and what led to it.
    fn follow(
        &mut self,
        pasts: &mut Pasts<'_>,
        pid: Pid,
        n: u64,
        trigger: Taken,
        taken: &[Taken],
    ) -> Result<(), Error> {
        if !self.known.insert((pid, trigger.number)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(pid, trigger.number)? else {
            self.told.cut = true;
            return Ok(());
        };
        if self.started(pid, act.clone(), trigger, n)? {
            return Ok(());
        }
        self.told.receives.push((pid, trigger));
        for one in self.others_collected(pid, n, trigger, taken) {
            self.beside.push_front(Item::Collected(pid, one, n));
        }
        let because = if act.kind == ActKind::Signal {
            Because::Signal
        } else {
            Because::Received
        };
        let library = self.scene.in_library(pid, trigger.number);
        let timer = matches!(
            speech(act.content.as_deref().unwrap_or_default(), library),
            Speech::Timer(_)
        );
        let mut link = link(because, act, n - trigger.number);
        let context = self.scene.context(pid, n, &[link.act.content.as_deref()]);
        let since = taken.iter().position(|one| *one == trigger).unwrap_or(0);
        if let Some((one, changes)) = self.scene.state_change(pid, &taken[since..], &context) {
            self.beside.push_back(Item::State(pid, one, changes, trigger.number));
        }
        let Some((sender, sent)) = trigger.from else {
            self.told.links.push(link);
            return Ok(());
        };
        if timer && sender == pid {
            // Its own timer: what it waited for since it had set it did not come.
            link.because = Because::TimedOut;
            let sends = pasts.past(pid, sent)?.sends.clone();
            let mut asked = late::with_receivers(self.scene, pid, &sends);
            asked.retain(|(n, _, to)| *n < sent && to.is_some_and(|to| to != pid));
            let timeout = Timeout {
                pid,
                number: trigger.number,
                asked,
            };
            self.told.timeouts.push((self.told.links.len(), timeout));
            self.told.links.push(link);
            self.main = Some(Item::Explain(sender, sent));
            return Ok(());
        }
        link.sent = self.scene.sent((sender, sent))?;
        let theirs = pasts.past(sender, sent)?.clone();
        let asked = theirs.taken.first().and_then(|one| one.from);
        // An exit signal answers nothing.
        let is_question =
            |&(who, k): &(Pid, u64)| because == Because::Received && who == pid && k < trigger.number && sender != pid;
        let Some(question) = asked.filter(is_question) else {
            self.told.links.push(link);
            self.main = Some(Item::Explain(sender, sent));
            return Ok(());
        };
        let asked_for = self.scene.act(question.0, question.1)?.and_then(|act| act.content);
        // That it runs was no question.
        let of_start = self
            .scene
            .trace
            .process(pid)?
            .parent
            .is_some_and(|ActionId { pid: parent, .. }| parent == sender);
        if of_start && asked_for.as_deref().is_some_and(|text| started(text).is_some()) {
            self.told.links.push(link);
            self.main = Some(Item::Explain(sender, sent));
            return Ok(());
        }
        // It asked and was answered: what the answer says dates from the state of who answered.
        link.because = Because::Answered;
        link.question = asked_for;
        self.told.links.push(link);
        let asked = theirs.taken[0].number;
        self.known.insert((sender, asked));
        self.told.receives.push((sender, theirs.taken[0]));
        let asked_for = self.told.links.last().and_then(|link| link.question.clone());
        let context = self.scene.context(sender, sent, &[asked_for.as_deref()]);
        let state = match self.scene.state_change(sender, &theirs.taken, &context) {
            Some((one, changes)) => Item::State(sender, one, changes, asked),
            None => Item::Explain(question.0, question.1),
        };
        // What it read, or waited for in vain, before it answered is nearer.
        let found = reads::reads(self.scene.trace, sender, &theirs.others, |_| false, None);
        let waited = late::in_vain(self.scene, sender, &theirs.timeouts).is_some();
        if found.is_empty() && !waited {
            self.require(sender, &theirs.others);
            self.main = Some(state);
        } else {
            self.main = Some(Item::Explain(sender, sent));
            self.beside.push_back(state);
        }
        Ok(())
    }

    /// Order edges and values from outside: they are required. What the library notes down for a report is not told.
    fn require(&mut self, pid: Pid, others: &[(u64, log_format::Action)]) {
        for (number, action) in others {
            let of_report = matches!(
                action.kind,
                log_format::Kind::Observe { .. } | log_format::Kind::Input { .. }
            ) && self.scene.is_routine(pid, *number);
            let depends = super::past::order(action).next().is_some()
                || matches!(
                    action.kind,
                    log_format::Kind::Observe { .. } | log_format::Kind::Input { .. }
                );
            // That it watches one that is there goes without saying.
            let only_watches = matches!(action.kind, log_format::Kind::Access)
                && action
                    .accesses
                    .iter()
                    .all(|access| matches!(access.resource, log_format::Resource::Alive(_)))
                && self.scene.is_routine(pid, *number);
            if depends && !of_report && !only_watches && !self.known.contains(&(pid, *number)) {
                self.told.required.push((pid, *number));
            }
        }
    }

    /// A message that was taken in before: it changed the state, or was collected.
    fn taken(
        &mut self,
        because: Because,
        (pid, taken): (Pid, Taken),
        changes: Vec<Change>,
        later: u64,
    ) -> Result<(), Error> {
        if !self.known.insert((pid, taken.number)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(pid, taken.number)? else {
            self.told.cut = true;
            return Ok(());
        };
        self.told.receives.push((pid, taken));
        let sent = match taken.from {
            Some(from) => {
                self.main = Some(Item::Explain(from.0, from.1));
                self.scene.sent(from)?
            }
            None => None,
        };
        self.told.links.push(Link {
            sent,
            changes,
            ..link(because, act, later - taken.number - 1)
        });
        Ok(())
    }

    fn birth(&mut self, pid: Pid, n: u64) -> Result<(), Error> {
        let Some(ActionId {
            pid: parent,
            number: spawn,
        }) = self.scene.trace.process(pid)?.parent
        else {
            return Ok(());
        };
        if !self.known.insert((parent, spawn.0)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(parent, spawn.0)? else {
            self.told.cut = true;
            return Ok(());
        };
        let sent = self.scene.sent((parent, spawn.0))?;
        self.told.links.push(Link {
            sent,
            ..link(Because::Spawned, act, n)
        });
        self.main = Some(Item::Explain(parent, spawn.0));
        Ok(())
    }
}

/// A link without what only some have.
const fn link(because: Because, act: Act, folded: u64) -> Link {
    Link {
        because,
        act,
        sent: None,
        question: None,
        changes: Vec::new(),
        read: None,
        lost: None,
        free_before: None,
        waited: None,
        folded,
    }
}

/// State and data of a `gen_statem`, as what its loop holds is printed: the first fields of a record.
fn of_statem(loops: &str) -> Vec<(&'static str, &str)> {
    let Some(rest) = loops.strip_prefix("{s,") else {
        return Vec::new();
    };
    // Of what was cut off it cannot be said whether it changed.
    let (inside, whole) = match rest.strip_suffix('}') {
        Some(inside) => (inside, 2),
        None => (rest, 1),
    };
    let known = ["the state", "Data"].into_iter().zip(changes::parts(inside));
    known.take(whole).collect()
}

/// The states of the handlers of a `gen_event`, by module, as its list of them is printed.
fn of_handlers(list: &str) -> Vec<(&str, &str)> {
    let Some(inside) = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Vec::new();
    };
    let of = |one: &'_ str| one.strip_prefix("{handler,").is_some_and(|rest| rest.ends_with('}'));
    let handlers = changes::parts(inside).into_iter().filter(|one| of(one));
    handlers
        .filter_map(|one| match changes::parts(&one["{handler,".len()..one.len() - 1])[..] {
            [module, _, state, _] => Some((module, state)),
            _ => None,
        })
        .collect()
}

fn named(act: &Act) -> String {
    match &act.name {
        Some(name) => format!("{} {name}", act.pid),
        None => act.pid.to_string(),
    }
}
