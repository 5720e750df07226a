//! The walk back from an action: which message led to it, which process sent that and in which state, because of which message, and so on.
//!
//! The steps are chosen from the causes, so they are never more than the causes. Two things are folded: requests that only led to a reply (then
//! the state that the reply was computed from matters), and messages that changed nothing.

use std::collections::VecDeque;
use std::rc::Rc;

use log_format::{ActionId, Pid};
use rustc_hash::FxHashSet;

use crate::late::{self, Timeout};
use crate::lost;
use crate::past::{Past, Pasts, Taken};
use crate::reads::{self, Found};
use crate::scene::Scene;
use crate::story::{AskedRequest, Because, Change, Link};
use session::content::{Content, Speech};
use session::error::Error;
use session::value::Value;
use session::view::{Act, ActKind};
/// What is to be explained next.
pub(crate) enum Item {
    /// Why did this action happen?
    Explain(ActionId),
    /// The process's state comes from this message.
    State(Pid, Taken, Vec<Change>, u64),
    /// What came before an action, except what it read.
    Apart(ActionId),
    /// Another one of several messages that a failure was put together from; the failure is the action with this number.
    Collected(Pid, Taken, u64),
    /// Another message before a failure that has more to do with it than the last one, or that differs from similar ones.
    Also(Pid, Taken, u64),
}

/// How many more steps are told of a collected reply.
const OF_COLLECTED: usize = 2;

/// A story as it grows.
pub struct Told {
    /// The steps back.
    pub links: Vec<Link>,
    /// Actions in the story that depend on others by a resource or an observation, or on the outside.
    pub required: Vec<ActionId>,
    /// The receives in the story, nearest first.
    pub receives: Vec<(Pid, Taken)>,
    /// Writes in the story that another process read.
    pub writes: Vec<lost::Write>,
    /// Timeouts in the story: the step, and what is known of each.
    pub timeouts: Vec<(usize, Timeout)>,
    /// Was there more to tell?
    pub cut: bool,
}

/// Explains why the `n`-th action of a process happened, in at most `limit` steps.
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
        main: Some(Item::Explain(ActionId::new(pid, n))),
        beside: VecDeque::new(),
    };
    if let Some(reason) = scene.reason(pid, n)? {
        // The first failure counts.
        let _ = scene.failure.set(Rc::new(reason.clone()));
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
            Item::Explain(id) => walk.explain(pasts, id.pid, id.number.0)?,
            Item::Apart(id) => walk.apart(pasts, id.pid, id.number.0)?,
            Item::State(pid, taken, changes, later) => walk.taken(Because::State, (pid, taken), changes, later)?,
            Item::Collected(pid, taken, later) => walk.taken(Because::Collected, (pid, taken), Vec::new(), later)?,
            Item::Also(pid, taken, later) => walk.also(pasts, pid, taken, later)?,
        }
    }
    for link in &mut walk.told.links {
        link.spoken = scene.spoken(&link.act);
    }
    Ok(walk.told)
}

pub(crate) struct Walk<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) told: Told,
    pub(crate) known: FxHashSet<ActionId>,
    /// The main line of the story.
    pub(crate) main: Option<Item>,
    /// What follows after the main line.
    pub(crate) beside: VecDeque<Item>,
}

impl Walk<'_> {
    /// Reads of what others had done, and timeouts, since the last receive are nearer than what was received.
    fn explain(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Past {
            others,
            timeouts,
            taken,
            ..
        } = pasts.past(pid, n)?.clone();
        let trace = self.scene.trace;
        let registers = |number| {
            self.scene
                .seen
                .get(&ActionId::new(pid, number))
                .is_some_and(|seen| seen.is_erlang("register"))
        };
        // That a process did not exist yet matters only if something failed because of it.
        let failed = self.scene.seen.get(&ActionId::new(pid, n)).is_some_and(|seen| {
            let mut is_missing = false;
            let mut look = |part: &Value| is_missing |= part.is_atom("badarg") || part.is_atom("noproc");
            seen.term.iter().for_each(|term| term.each(&mut look));
            is_missing
        });
        let list = reads::reads(trace, pid, &others, registers, failed.then_some(n));
        for read in list {
            if read.by.is_some_and(|by| !pasts.tells_of(by, read.found, failed)) {
                continue;
            }
            // If it only counted, some time ago, what it had received says more.
            if read.update && read.number + 1 != n && !taken.is_empty() {
                continue;
            }
            if self.known.insert(ActionId::new(pid, read.number)) {
                self.found(pid, n, read)?;
            }
        }
        if let Some(timeout) = late::in_vain(self.scene, pid, &timeouts)
            && self.known.insert(ActionId::new(pid, timeout.number))
            && let Some(act) = self.scene.act(pid, timeout.number)?
        {
            self.told.links.push(link(Because::TimedOut, act, n - timeout.number));
            self.told.timeouts.push((self.told.links.len() - 1, timeout));
        }
        match self.main {
            Some(_) => self.beside.push_back(Item::Apart(ActionId::new(pid, n))),
            None => return self.apart(pasts, pid, n),
        }
        Ok(())
    }

    /// What a process found that another one had done, before its `n`-th action.
    fn found(&mut self, pid: Pid, n: u64, read: reads::Read) -> Result<(), Error> {
        let trace = self.scene.trace;
        let Some(act) = self.scene.act(pid, read.number)? else {
            return Ok(());
        };
        let sent = match read.by {
            Some(by) => self.scene.sent(by)?,
            None => None,
        };
        if read.by.is_some() && sent.is_none() {
            return Ok(());
        }
        let by = sent.as_ref().map(|sent| named(&sent.act));
        let written = sent.as_ref().map(|sent| &sent.act);
        let Some(mut fact) = reads::fact(trace, (&act, written), &read, by) else {
            return Ok(());
        };
        if let (Found::Data, Some(by)) = (read.found, read.by) {
            fact.value = lost::written_to(self.scene, by, fact.resource.key());
        }
        if read.found == Found::Never && trace.totals().counts.actions <= crate::limits::SMALL {
            fact.later = reads::later(trace, read.resource)?;
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
            read: Some(fact),
            free_before: free_before.map(|n| ActionId::new(pid, n).to_string()),
            sent,
            ..link(Because::Read, act, n - read.number)
        });
        match (read.by, &self.main) {
            (Some(by), None) => self.main = Some(Item::Explain(by)),
            (Some(by), Some(_)) => self.beside.push_back(Item::Explain(by)),
            (None, _) => {}
        }
        Ok(())
    }

    /// A process that `proc_lib` started has said that it runs: its creation and that are one step.
    fn started(&mut self, pid: Pid, act: Act, trigger: Taken, n: u64) -> Result<bool, Error> {
        let Some(from) = trigger.from else {
            return Ok(false);
        };
        let in_library = self.scene.in_library(pid, trigger.number);
        let said = act.content.as_ref().and_then(Content::started);
        let Some(result) = said.filter(|_| in_library).map(str::to_owned) else {
            return Ok(false);
        };
        let Some(spawn) = self.scene.trace.process(from.pid)?.parent else {
            return Ok(false);
        };
        if spawn.pid != pid || spawn.number.0 >= trigger.number {
            return Ok(false);
        }
        let mut act = act;
        act.content = Some(result.into());
        self.known.insert(spawn);
        let sent = self.scene.sent(spawn)?;
        self.told.links.push(Link {
            sent,
            ..link(Because::Started, act, n - trigger.number)
        });
        self.main = Some(Item::Explain(spawn));
        Ok(true)
    }

    fn apart(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Past { taken, all, others, .. } = pasts.past(pid, n)?.clone();
        self.require(pid, &others);
        let Some(trigger) = self.trigger(pid, n, &taken) else {
            return if all { self.birth(pasts, pid, n) } else { Ok(()) };
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

    /// Explains a message that a process received before its `n`-th action, and what led to it.
    pub(crate) fn follow(
        &mut self,
        pasts: &mut Pasts<'_>,
        pid: Pid,
        n: u64,
        trigger: Taken,
        taken: &[Taken],
    ) -> Result<(), Error> {
        if !self.known.insert(ActionId::new(pid, trigger.number)) {
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
        let is_timer = self.is_timer(pid, trigger.number, &act);
        let mut link = link(because, act, n - trigger.number);
        let context = self.scene.context(pid, n, &[ActionId::new(pid, trigger.number)]);
        let since = taken.iter().position(|one| *one == trigger).unwrap_or(0);
        if let Some((one, changes)) = self.scene.state_change(pid, &taken[since..], &context) {
            self.beside.push_back(Item::State(pid, one, changes, trigger.number));
        }
        let Some(sent) = trigger.from else {
            self.told.links.push(link);
            return Ok(());
        };
        if is_timer && sent.pid == pid {
            return self.own_timer(pasts, link, trigger.number, sent);
        }
        link.sent = self.scene.sent(sent)?;
        match self.question(pasts, (pid, trigger), because, sent)? {
            Some(question) => self.answered(pasts, link, sent, question),
            None => {
                self.told.links.push(link);
                self.main = Some(Item::Explain(sent));
                Ok(())
            }
        }
    }

    /// Is what was received the message of a timer?
    fn is_timer(&self, pid: Pid, n: u64, act: &Act) -> bool {
        let library = self.scene.in_library(pid, n);
        matches!(act.speech(library), Speech::Timer(_))
    }

    /// Its own timer expired: what it waited for since it had set it did not come.
    fn own_timer(&mut self, pasts: &mut Pasts<'_>, mut link: Link, expired: u64, set: ActionId) -> Result<(), Error> {
        link.because = Because::TimedOut;
        let pid = set.pid;
        let sends = pasts.past(pid, set.number.0)?.sends.clone();
        let mut asked = late::with_receivers(self.scene, pid, &sends);
        asked.retain(|(n, _, to)| *n < set.number.0 && to.is_some_and(|to| to != pid));
        let timeout = Timeout {
            pid,
            number: expired,
            asked,
        };
        self.told.timeouts.push((self.told.links.len(), timeout));
        self.told.links.push(link);
        self.main = Some(Item::Explain(set));
        Ok(())
    }

    /// The request of a process that a message answers, if it does.
    fn question(
        &self,
        pasts: &mut Pasts<'_>,
        (pid, trigger): (Pid, Taken),
        because: Because,
        sent: ActionId,
    ) -> Result<Option<ActionId>, Error> {
        let asked = pasts
            .past(sent.pid, sent.number.0)?
            .taken
            .first()
            .and_then(|one| one.from);
        // An exit signal answers nothing.
        let is_question = |asked: &ActionId| {
            because == Because::Received && asked.pid == pid && asked.number.0 < trigger.number && sent.pid != pid
        };
        let Some(question) = asked.filter(is_question) else {
            return Ok(None);
        };
        let asked_for = self
            .scene
            .act(question.pid, question.number.0)?
            .and_then(|act| act.content);
        // That it runs was no question.
        let parent = self.scene.trace.process(pid)?.parent;
        let of_start = parent.is_some_and(|parent| parent.pid == sent.pid)
            && asked_for.is_some_and(|content| content.started().is_some());
        Ok((!of_start).then_some(question))
    }

    /// It asked and was answered: what the answer says dates from the state of who answered.
    fn answered(
        &mut self,
        pasts: &mut Pasts<'_>,
        mut link: Link,
        sent: ActionId,
        question: ActionId,
    ) -> Result<(), Error> {
        let sender = sent.pid;
        let theirs = pasts.past(sender, sent.number.0)?.clone();
        let asked_for = self
            .scene
            .act(question.pid, question.number.0)?
            .and_then(|act| act.content);
        link.because = Because::Answered;
        link.question.clone_from(&asked_for);
        link.asked = Some(AskedRequest {
            send: question,
            receive: ActionId::new(sender, theirs.taken[0].number),
        });
        self.told.links.push(link);
        let asked = theirs.taken[0].number;
        self.known.insert(ActionId::new(sender, asked));
        self.told.receives.push((sender, theirs.taken[0]));
        let context = self.scene.context(sender, sent.number.0, &[question]);
        let state = match self.scene.state_change(sender, &theirs.taken, &context) {
            Some((one, changes)) => Item::State(sender, one, changes, asked),
            None => Item::Explain(question),
        };
        // What the replier read, or waited for in vain, before its reply is nearer.
        let found = reads::reads(self.scene.trace, sender, &theirs.others, |_| false, None);
        let waited = late::in_vain(self.scene, sender, &theirs.timeouts).is_some();
        if found.is_empty() && !waited {
            self.require(sender, &theirs.others);
            self.main = Some(state);
        } else {
            self.main = Some(Item::Explain(sent));
            self.beside.push_back(state);
        }
        Ok(())
    }

    /// Causes by resource or observation, and values from outside, are required. What the library notes for a report is not shown.
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
            // A monitor of a living process is not worth showing.
            let only_watches = matches!(action.kind, log_format::Kind::Access)
                && action
                    .accesses
                    .iter()
                    .all(|access| matches!(access.resource, log_format::Resource::Alive(_)))
                && self.scene.is_routine(pid, *number);
            if depends && !of_report && !only_watches && !self.known.contains(&ActionId::new(pid, *number)) {
                self.told.required.push(ActionId::new(pid, *number));
            }
        }
    }

    /// A message that was received earlier: it changed the state, or the failure was put together from it.
    fn taken(
        &mut self,
        because: Because,
        (pid, taken): (Pid, Taken),
        changes: Vec<Change>,
        later: u64,
    ) -> Result<(), Error> {
        if !self.known.insert(ActionId::new(pid, taken.number)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(pid, taken.number)? else {
            self.told.cut = true;
            return Ok(());
        };
        self.told.receives.push((pid, taken));
        let sent = match taken.from {
            Some(from) => {
                self.main = Some(Item::Explain(from));
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

    fn birth(&mut self, pasts: &Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Some(spawn) = self.scene.trace.process(pid)?.parent else {
            return Ok(());
        };
        if !self.known.insert(spawn) || pasts.is_of_elixir(spawn) {
            return Ok(());
        }
        let Some(act) = self.scene.act(spawn.pid, spawn.number.0)? else {
            self.told.cut = true;
            return Ok(());
        };
        let sent = self.scene.sent(spawn)?;
        self.told.links.push(Link {
            sent,
            ..link(Because::Spawned, act, n)
        });
        self.main = Some(Item::Explain(spawn));
        Ok(())
    }
}

/// A step without its optional parts.
const fn link(because: Because, act: Act, folded: u64) -> Link {
    Link {
        because,
        act,
        sent: None,
        question: None,
        asked: None,
        changes: Vec::new(),
        read: None,
        lost: None,
        free_before: None,
        waited: None,
        spoken: None,
        folded,
    }
}

fn named(act: &Act) -> String {
    match &act.name {
        Some(name) => format!("{} {name}", act.pid),
        None => act.pid.to_string(),
    }
}
