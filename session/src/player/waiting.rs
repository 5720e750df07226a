//! What is kept of a process with many messages beyond the log, so that a step judges only those that have changed: which ones its receive takes,
//! which of them must have arrived, and before which of them no other one arrives. As [`super::arrival`] judges them, for the usual case: all that
//! waits are numbered messages without timers, and none that the receive would take has been passed over; or there is only one that it may take first. In
//! all other cases nothing is kept.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use interpreter::vm::{Judge, JudgedBy, Timeout};
use log_format::{Pid, SendNo, Tag};
use rustc_hash::FxHashMap;
use system::World;
use system::beyond::GUARDS;
use system::delivery::{Causality, VectorClock};
use system::pool::is_farewell;
use system::process::{Label, Process};

use super::arrival::{COMPARED, Receivable, is_local};
use super::free::Choice;
use super::{Player, handle};
use crate::error::Error;

/// With fewer messages, all are judged anew.
const MANY: usize = 1;

/// See the module.
#[derive(Clone, Default)]
pub(super) struct WaitingReceives {
    /// The state of the pool that was read.
    pool: u64,
    /// Numbered messages that wait, all of them. What nobody hears of is left out.
    tags: BTreeSet<Tag>,
    /// How many of each sender.
    senders: FxHashMap<Pid, u32>,
    /// Those of them that must have arrived.
    arrived: Arrived,
    /// What the process knew of others when that was found.
    clock: VectorClock,
    /// How many actions it had done when they were judged, and by what.
    done: u64,
    by: Option<JudgedBy>,
    judge: Own,
    /// Does its receive take them?
    takes: FxHashMap<Tag, bool>,
    /// Of those up to this one, it takes none.
    none_to: Option<Tag>,
    first: Option<First>,
    /// How many messages were judged.
    judged: u64,
}

/// Messages that must have arrived.
#[derive(Clone, Default)]
struct Arrived {
    all: BTreeSet<Tag>,
    /// Those of which it is not known whether the receive takes them, and those that it takes.
    unknown: BTreeSet<Tag>,
    taken: BTreeSet<Tag>,
}

impl Arrived {
    fn insert(&mut self, tag: Tag) {
        if self.all.insert(tag) {
            self.unknown.insert(tag);
        }
    }

    fn remove(&mut self, tag: Tag) {
        if self.all.remove(&tag) {
            self.unknown.remove(&tag);
            self.taken.remove(&tag);
        }
    }

    /// There is another receive.
    fn forget_taken(&mut self) {
        self.taken.clear();
        self.unknown.clone_from(&self.all);
    }
}

/// A copy makes its own.
#[derive(Default)]
struct Own(Option<Judge>);

impl Clone for Own {
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// Of the messages that a receive takes, those before which no other one of them arrives.
#[derive(Clone)]
struct First {
    all: BTreeSet<Tag>,
    /// The others, by the first one of the same sender, ascending; or by one of another sender that arrives before them.
    behind: FxHashMap<Tag, VecDeque<Tag>>,
    after: FxHashMap<Tag, Vec<Tag>>,
    /// The name of the state that somebody asked for last, and what has changed since then: whether a message is one of them now.
    asked: u64,
    news: FxHashMap<Tag, bool>,
}

/// The names of all such states; 0 is none.
static NAMES: AtomicU64 = AtomicU64::new(1);

impl Default for First {
    fn default() -> Self {
        Self {
            all: BTreeSet::default(),
            behind: FxHashMap::default(),
            after: FxHashMap::default(),
            asked: NAMES.fetch_add(1, Ordering::Relaxed),
            news: FxHashMap::default(),
        }
    }
}

impl First {
    fn note(&mut self, tag: Tag, is_there: bool) {
        /// Nobody asks any more.
        const FORGOTTEN: usize = 64;
        if self.news.len() > self.all.len() + FORGOTTEN {
            (self.asked, self.news) = (NAMES.fetch_add(1, Ordering::Relaxed), FxHashMap::default());
        }
        self.news.insert(tag, is_there);
    }
}

/// The messages that a process may take, besides those of which the asker knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Takable {
    /// The name of this state, for the next question.
    pub name: u64,
    /// Were the messages of another state told? Then `news` are all there are.
    pub is_new: bool,
    /// Messages, and whether each is there now. The rest is as it was.
    pub news: Vec<(Tag, bool)>,
    /// Can it time out?
    pub times_out: bool,
}

/// What judging needs to see.
struct JudgingView<'a> {
    world: &'a World,
    p: &'a Process,
    pid: Pid,
    /// What processes know of signals, with causal delivery.
    known: Option<&'a Causality>,
}

const fn first_of(by: Pid) -> Tag {
    Tag::Sent { by, k: SendNo(0) }
}

impl JudgingView<'_> {
    fn is_local(&self, tag: Tag) -> bool {
        is_local(self.world, self.pid, tag)
    }

    /// Must this message have arrived?
    fn has_arrived(&self, tag: Tag) -> bool {
        let knows =
            |known: &Causality| tag.sender() != Some(self.pid) && known.knows(self.pid, tag) && self.is_local(tag);
        self.world.has_arrived(self.p, tag) || self.known.is_some_and(knows)
    }
}

impl WaitingReceives {
    /// Takes in what has changed. `changes`: what has come to the pool, and what has gone; `None`: that is not known.
    fn update(&mut self, view: &JudgingView<'_>, done: u64, changes: Option<Vec<Tag>>) {
        let by = view.p.machine.judged_by(&view.world.program);
        let is_same = by.is_some() && by == self.by;
        if !is_same && done != self.done {
            self.judge = Own(None);
            self.takes.clear();
            self.arrived.forget_taken();
            self.none_to = None;
            self.first = None;
        }
        (self.done, self.by) = (done, by);
        let had_none = self.tags.is_empty();
        match changes {
            Some(changes) => {
                for tag in changes {
                    match view.p.pool.contains(&tag) {
                        true => self.comes(view, tag),
                        false => self.goes(view, tag),
                    }
                }
            }
            // The pool is a copy. What is kept was known of the other one, and both have gone on from there.
            None => {
                let now: BTreeSet<Tag> = view.p.pool.tags().collect();
                let come: Vec<Tag> = now.difference(&self.tags).copied().collect();
                let gone: Vec<Tag> = self.tags.difference(&now).copied().collect();
                come.into_iter().for_each(|tag| self.comes(view, tag));
                gone.into_iter().for_each(|tag| self.goes(view, tag));
            }
        }
        // What it has heard of has arrived.
        let Some(known) = view.known else { return };
        let clock = known.clock(view.pid);
        // If all have come since, it is known of each. What a process knows of thousands of others is not gone through for one message.
        let news = if had_none { Vec::new() } else { clock.news(&self.clock) };
        for (by, sent) in news {
            let heard = self.tags.range(first_of(by)..=Tag::Sent { by, k: SendNo(sent) });
            let heard = heard.copied().filter(|tag| view.has_arrived(*tag));
            heard.for_each(|tag| self.arrived.insert(tag));
        }
        self.clock = clock;
    }

    fn comes(&mut self, view: &JudgingView<'_>, tag: Tag) {
        if view.p.pool.get(&tag).is_some_and(is_farewell) || !self.tags.insert(tag) {
            return;
        }
        if let Some(by) = tag.sender() {
            *self.senders.entry(by).or_default() += 1;
        }
        if view.has_arrived(tag) {
            self.arrived.insert(tag);
        }
        self.none_to = self.none_to.filter(|last| tag > *last);
        if self.first.is_some() {
            self.sort_in(view, tag);
        }
    }

    fn goes(&mut self, view: &JudgingView<'_>, tag: Tag) {
        if !self.tags.remove(&tag) {
            return;
        }
        if let Some(Entry::Occupied(mut many)) = tag.sender().map(|by| self.senders.entry(by)) {
            *many.get_mut() -= 1;
            if *many.get() == 0 {
                many.remove();
            }
        }
        self.arrived.remove(tag);
        self.takes.remove(&tag);
        // Earlier ones of its sender have arrived if it was received.
        if let Some(by) = tag.sender() {
            let earlier = self.tags.range(first_of(by)..tag);
            let arrived = earlier.copied().filter(|tag| view.has_arrived(*tag));
            arrived.for_each(|tag| self.arrived.insert(tag));
        }
        if let Some(first) = &mut self.first {
            if first.all.remove(&tag) {
                first.note(tag, false);
            }
            let after = first.after.remove(&tag).unwrap_or_default();
            let behind = first.behind.remove(&tag).unwrap_or_default();
            self.come_forward(view, behind);
            after.into_iter().for_each(|tag| self.sort_in(view, tag));
        }
    }

    /// The first one of these messages of a sender is no longer behind another one. The others are behind it.
    fn come_forward(&mut self, view: &JudgingView<'_>, mut behind: VecDeque<Tag>) {
        while let Some(next) = behind.pop_front() {
            if self.tags.contains(&next) {
                if let Some(first) = self.first.as_mut().filter(|_| !behind.is_empty()) {
                    first.behind.entry(next).or_default().extend(behind);
                }
                self.sort_in(view, next);
                return;
            }
        }
    }

    /// Puts a message among the first, or behind one.
    fn sort_in(&mut self, view: &JudgingView<'_>, tag: Tag) {
        if !self.tags.contains(&tag) || !self.takes(view, tag) {
            return;
        }
        let before = self.before(view, tag);
        let Some(first) = &mut self.first else { return };
        match before {
            Some(before) if before.sender() == tag.sender() => {
                let behind = first.behind.entry(before).or_default();
                match behind.back().is_none_or(|last| *last < tag) {
                    true => behind.push_back(tag),
                    false => _ = behind.binary_search(&tag).map_err(|at| behind.insert(at, tag)),
                }
            }
            Some(before) => first.after.entry(before).or_default().push(tag),
            None => {
                first.all.insert(tag);
                first.note(tag, true);
            }
        }
    }

    /// Does its receive take this message?
    fn takes(&mut self, view: &JudgingView<'_>, tag: Tag) -> bool {
        if let Some(known) = self.takes.get(&tag) {
            return *known;
        }
        let program = &view.world.program;
        let Own(judge) = &mut self.judge;
        if judge.is_none() {
            *judge = Judge::of(&view.p.machine, program);
        }
        let takes = match (judge, view.world.welcome(view.p, tag)) {
            (Some(judge), Some(message)) => judge.takes(program, message, GUARDS),
            _ => false,
        };
        self.takes.insert(tag, takes);
        self.judged += 1;
        takes
    }

    /// Another message that it takes, and that arrives before this one: of the same sender, or known to the sender of this one.
    fn before(&mut self, view: &JudgingView<'_>, tag: Tag) -> Option<Tag> {
        let Tag::Sent { by, .. } = tag else { return None };
        if let Some(one) = self.first_taken(view, first_of(by), tag, |_| true) {
            return Some(one);
        }
        let clock = view.known?.known_at(tag);
        if clock.is_empty() || !view.is_local(tag) {
            return None;
        }
        let senders: Vec<(Pid, u64)> = match clock.len() <= self.senders.len() {
            true => clock.iter().filter(|(by, _)| self.senders.contains_key(by)).collect(),
            false => {
                let sent = |by: &Pid| Some((*by, clock.sent(*by)?));
                self.senders.keys().filter_map(sent).collect()
            }
        };
        for (other, sent) in senders
            .into_iter()
            .filter(|(other, _)| *other != by && *other != view.pid)
        {
            let end = Tag::Sent {
                by: other,
                k: SendNo(sent.saturating_add(1)),
            };
            let first = self.first_taken(view, first_of(other), end, |one| view.is_local(one));
            if first.is_some() {
                return first;
            }
        }
        None
    }

    /// The first message from this one up to the end, without that, which its receive takes and which is such. The rest is not looked at.
    fn first_taken(
        &mut self,
        view: &JudgingView<'_>,
        from: Tag,
        end: Tag,
        is_such: impl Fn(Tag) -> bool,
    ) -> Option<Tag> {
        let mut next = self.tags.range(from..end).next().copied();
        while let Some(one) = next {
            if is_such(one) && self.takes(view, one) {
                return Some(one);
            }
            next = self.tags.range((Excluded(one), Excluded(end))).next().copied();
        }
        None
    }

    /// Would it take one that must have arrived? Each is looked at once for a receive.
    fn has_passed_over(&mut self, view: &JudgingView<'_>) -> bool {
        while self.arrived.taken.is_empty()
            && let Some(tag) = self.arrived.unknown.pop_first()
        {
            if self.takes(view, tag) {
                self.arrived.taken.insert(tag);
            }
        }
        !self.arrived.taken.is_empty()
    }

    /// The first message that it may receive, by name.
    fn one(&mut self, view: &JudgingView<'_>) -> Option<Tag> {
        if let Some(first) = &self.first {
            return first.all.first().copied();
        }
        let mut next = match self.none_to {
            Some(last) => self.tags.range((Excluded(last), Unbounded)).next().copied(),
            None => self.tags.first().copied(),
        };
        let mut none = true;
        while let Some(tag) = next {
            let takes = self.takes(view, tag);
            if takes && self.before(view, tag).is_none() {
                return Some(tag);
            }
            none &= !takes;
            if none {
                self.none_to = Some(tag);
            }
            next = self.tags.range((Excluded(tag), Unbounded)).next().copied();
        }
        None
    }

    /// May it receive this message?
    fn may_take(&mut self, view: &JudgingView<'_>, tag: Tag) -> bool {
        match &self.first {
            Some(first) => first.all.contains(&tag),
            None => self.tags.contains(&tag) && self.takes(view, tag) && self.before(view, tag).is_none(),
        }
    }

    fn sort(&mut self, view: &JudgingView<'_>) {
        if self.first.is_none() {
            self.first = Some(First::default());
            let tags: Vec<Tag> = self.tags.iter().copied().collect();
            tags.into_iter().for_each(|tag| self.sort_in(view, tag));
        }
    }

    /// The messages that it may receive, for somebody who knows them as they were in the state of this name.
    fn takable(&mut self, view: &JudgingView<'_>, name: u64) -> Takable {
        self.sort(view);
        let first = self.first.get_or_insert_default();
        let is_new = first.asked != name;
        let news = std::mem::take(&mut first.news);
        if is_new || !news.is_empty() {
            first.asked = NAMES.fetch_add(1, Ordering::Relaxed);
        }
        Takable {
            name: first.asked,
            is_new,
            news: match is_new {
                true => first.all.iter().map(|tag| (*tag, true)).collect(),
                false => news.into_iter().collect(),
            },
            times_out: false,
        }
    }

    /// Is there only one message that it may receive?
    fn has_one_first(&mut self, view: &JudgingView<'_>) -> bool {
        self.sort(view);
        self.first.as_ref().is_some_and(|first| first.all.len() == 1)
    }

    /// All messages that it may receive.
    fn all(&mut self, view: &JudgingView<'_>) -> Vec<Tag> {
        self.sort(view);
        self.first.iter().flat_map(|first| first.all.iter().copied()).collect()
    }
}

impl Player {
    /// What a process that waits in a receive may receive, if that is kept. `one`: of the messages, the first one is enough.
    pub(super) fn kept_receivable(
        &mut self,
        pid: Pid,
        times_out: bool,
        one: bool,
    ) -> Result<Option<Receivable>, Error> {
        let messages = self.judge_kept(pid, |waiting, view| match one {
            true => waiting.one(view).into_iter().collect(),
            false => waiting.all(view),
        })?;
        Ok(messages.map(|(messages, is_woken)| Receivable {
            messages,
            timeout: times_out && !is_woken,
            optional: Vec::new(),
        }))
    }

    /// Is this message among the [`Player::enabled`] choices of a process that has used up its log? `None`: all its choices must be judged to tell
    /// that, or it could time out instead.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn can_take(&mut self, pid: Pid, tag: Tag) -> Result<Option<bool>, Error> {
        let Some(times_out) = self.in_usual_receive(pid)? else {
            return Ok(None);
        };
        let found = self.judge_kept(pid, |waiting, view| waiting.may_take(view, tag))?;
        if let Some((found, _)) = found
            && cfg!(debug_assertions)
            && self.look(|system| system.pending(pid)).0 <= COMPARED
        {
            assert_eq!(self.enabled(pid)?.contains(&Choice::Message(tag)), found, "{pid}");
        }
        let is_clear = |(found, is_woken): &(bool, bool)| *found || *is_woken || !times_out;
        Ok(found.filter(is_clear).map(|(found, _)| found))
    }

    /// The messages among the [`Player::enabled`] choices of a process that has used up its log and waits in a receive, where all other choices are
    /// timeouts. `name`: the state that the asker knows; 0: none. `None`: all its choices must be judged to tell that.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn takable(&mut self, pid: Pid, name: u64) -> Result<Option<Takable>, Error> {
        let Some(times_out) = self.in_usual_receive(pid)? else {
            return Ok(None);
        };
        let takable = self.judge_kept(pid, |waiting, view| waiting.takable(view, name))?;
        let takable = takable.map(|(takable, is_woken)| Takable {
            times_out: times_out && !is_woken,
            ..takable
        });
        if takable.is_some() && cfg!(debug_assertions) && self.look(|system| system.pending(pid)).0 <= COMPARED {
            let all = self.enabled(pid)?;
            let timeouts = all.iter().filter(|choice| **choice == Choice::Timeout).count();
            let times_out = takable.as_ref().is_some_and(|takable| takable.times_out);
            assert_eq!(timeouts, usize::from(times_out), "{pid}");
        }
        Ok(takable)
    }

    /// Goes on up to where a process chooses. Can it time out, if it stands in a receive, and no signal can end it?
    fn in_usual_receive(&mut self, pid: Pid) -> Result<Option<bool>, Error> {
        let is_usual = |system: &World| {
            let p = system.table().by_pid(handle(pid));
            p.is_some_and(|p| p.pool.len() >= MANY && !p.pool.has_deadly())
        };
        if !self.look(|system| is_usual(system)) || self.logged(pid)?.is_some() {
            return Ok(None);
        }
        self.go_up_to_choice(pid)?;
        Ok(self.look(|system| {
            let p = system.table().by_pid(handle(pid)).filter(|_| is_usual(system))?;
            match p.label {
                Some(Label::Receive(timeout)) if system.observer.halted.is_none() => Some(timeout != Timeout::Infinity),
                _ => None,
            }
        }))
    }

    /// Asks what is kept of a process that waits in a receive, if it is the usual case. Also says whether a message that the receive takes must have
    /// arrived, so that it cannot time out; then what is kept is only enough if no other message could come first.
    fn judge_kept<T>(
        &mut self,
        pid: Pid,
        judge: impl FnOnce(&mut WaitingReceives, &JudgingView<'_>) -> T,
    ) -> Result<Option<(T, bool)>, Error> {
        let is_kept = self.look(|system| {
            let p = system.table().by_pid(handle(pid));
            p.is_some_and(|p| p.pool.len() >= MANY && system.waits_plainly(p))
        });
        if !is_kept {
            self.beyond.waiting.remove(&pid);
            return Ok(None);
        }
        let since = self.beyond.waiting.get(&pid).map_or(0, |waiting| waiting.pool);
        let Some((pool, changes)) = self.change(|system| system.changes_of_pool(pid, since))? else {
            return Ok(None);
        };
        self.known()?;
        let done = self.done(pid);
        let known = self.delivers_causally().then(|| Arc::clone(&self.beyond.known));
        let mut waiting = self.beyond.waiting.remove(&pid).unwrap_or_default();
        let found = self.look(|system| {
            let p = system.table().by_pid(handle(pid))?;
            let known = known.as_ref().map(|known| known.knowledge());
            let view = JudgingView {
                world: system,
                p,
                pid,
                known,
            };
            let waiting = Arc::make_mut(&mut waiting);
            (waiting.pool, waiting.judged) = (pool, 0);
            waiting.update(&view, done, changes);
            let is_woken = waiting.has_passed_over(&view);
            if is_woken && !waiting.has_one_first(&view) {
                return None;
            }
            Some((judge(waiting, &view), is_woken))
        });
        self.beyond.judged += waiting.judged;
        self.beyond.waiting.insert(pid, waiting);
        Ok(found)
    }
}
