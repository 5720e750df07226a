//! Beyond the logs (semantics.md §7, §9 and §10; user-driven mode of GV21): what each process can do next, and doing it.
//!
//! Steps beyond the log are appended to the session's logs, so the other modules can undo and redo them. Any choice other than the log's drops
//! everything that depends on the log's choice (its →-future), over the whole log.

use std::sync::Arc;

use log_format::{Action, ActionId, ActionNo, Cut, InputClass, Kind, Pid, Tag};
use rustc_hash::FxHashMap;
use system::beyond::{Drove, Fresh};
use system::delivery::Causality;
use system::ids;
use system::process::Label;
use system::{Delivery, Since, System};

use super::arrival::ArrivalOrder;
use super::bounds::ReceiveBounds;
use super::known::KnownSignals;
use super::suffixes::Suffixes;
use super::tracker::Tracker;
use super::waiting::WaitingReceives;
use super::{Moved, PATIENCE, Player, Stopped, Stretch, arrival, between, cut_of, future};
use crate::digests::DigestCheck;
use crate::error::Error;
use crate::session::done;
use interpreter::vm::Timeout;

/// The clock advances by this many nanoseconds with every step beyond the log.
const STEP: u64 = 1_000;

/// What a process can do next beyond its log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Its next step, unless that is a receive.
    Step,
    /// Receive this message.
    Message(Tag),
    /// Leave the receive through its `after`.
    Timeout,
    /// Be ended by this exit signal.
    Signal(Tag),
    /// Its next step, which finds that this signal has arrived: what it cancels, or what it observes.
    Arrived(Tag),
    /// Its next step, which takes the alternative of this number, from 0.
    Pick(u32),
}

impl std::fmt::Display for Choice {
    /// `step`, `receive sent:0.7.0/3`, `after`, `signal sent:0.7.0/4`, `arrived sent:0.7.0/4`, `pick 0`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Step => f.write_str("step"),
            Self::Message(tag) => write!(f, "receive {tag}"),
            Self::Timeout => f.write_str("after"),
            Self::Signal(tag) => write!(f, "signal {tag}"),
            Self::Arrived(tag) => write!(f, "arrived {tag}"),
            Self::Pick(number) => write!(f, "pick {number}"),
        }
    }
}

impl Choice {
    /// The choice that an action of a log made.
    #[must_use]
    pub fn of(action: &Action) -> Self {
        match action.kind {
            Kind::Rec(tag) => Self::Message(tag),
            Kind::After => Self::Timeout,
            Kind::Signal { tag, .. } => Self::Signal(tag),
            // A `demonitor` that dropped the 'DOWN'. Who drops the message of a timer was in time.
            Kind::Drop {
                tag: Some(tag @ Tag::EndRef { .. }),
                ..
            } => Self::Arrived(tag),
            Kind::Input { ref value } => InputClass::picked(value).map_or(Self::Step, Self::Pick),
            _ => Self::Step,
        }
    }

    /// The same choice where processes have other names.
    #[must_use]
    pub fn renamed(self, named: impl FnMut(Pid) -> Pid) -> Self {
        match self {
            Self::Message(one) => Self::Message(one.renamed(named)),
            Self::Signal(one) => Self::Signal(one.renamed(named)),
            Self::Arrived(one) => Self::Arrived(one.renamed(named)),
            other @ (Self::Step | Self::Timeout | Self::Pick(_)) => other,
        }
    }

    /// Can an action of a log have made several choices, of which the log does not say which?
    #[must_use]
    pub const fn is_unclear(action: &Action) -> bool {
        matches!(
            action.kind,
            Kind::Drop { tag: None, .. } | Kind::Observe { .. } | Kind::Access
        )
    }
}

/// The action that takes the alternative of this number.
#[must_use]
pub fn picks(number: u32) -> Action {
    Action::new(Kind::Input {
        value: InputClass::pick(number),
    })
}

/// The state of a session beyond its logs.
#[derive(Clone)]
pub struct Beyond {
    /// Clock and counter.
    pub(super) fresh: Fresh,
    pub(super) seed: u64,
    /// The system follows older logs than the session.
    pub(super) stale: bool,
    /// Steps go on beyond the logs.
    pub(super) goes_on: bool,
    /// The number of actions at the last checkpoint.
    kept_at: u64,
    /// The next step is this input.
    given: Option<Action>,
    /// In which order signals of different senders arrive.
    pub(super) delivery: Delivery,
    /// A call of a module is an action only if its process sees another version of it.
    passes_over_seen: bool,
    /// Additions to a counter share a version.
    joins_sums: bool,
    pub(super) known: Arc<KnownSignals>,
    /// As [`Self::known`], also of consumed signals, as far as it was asked for.
    pub(super) known_once: Arc<KnownSignals>,
    /// For a process that passed over messages: its actions in the past of others.
    pub(super) bounds: FxHashMap<Pid, Arc<ReceiveBounds>>,
    /// For a process with many messages: which ones its receive takes.
    pub(super) waiting: FxHashMap<Pid, Arc<WaitingReceives>>,
    /// How many messages were looked at to find out what receives take.
    pub(super) judged: u64,
    /// How often all logs were read for the order of arrival.
    pub(super) logs_read: u64,
}

/// What processes know of the signals of others at some position: [`Player::knowledge_at`].
#[derive(Clone, Debug)]
pub struct Knowledge(Arc<KnownSignals>);

impl Default for Beyond {
    fn default() -> Self {
        Self {
            fresh: Fresh::default(),
            seed: 0,
            stale: false,
            goes_on: false,
            kept_at: 0,
            given: None,
            delivery: Delivery::default(),
            passes_over_seen: false,
            joins_sums: false,
            known: Arc::default(),
            known_once: Arc::new(KnownSignals::keeping()),
            bounds: FxHashMap::default(),
            waiting: FxHashMap::default(),
            judged: 0,
            logs_read: 0,
        }
    }
}

impl Player {
    /// Sets the seed of the random numbers that processes get beyond their logs.
    pub const fn set_seed(&mut self, seed: u64) {
        self.beyond.seed = seed;
    }

    /// Sets in which order signals of different senders arrive at one process beyond the logs. What is logged is repeated as it was.
    pub const fn set_delivery(&mut self, delivery: Delivery) {
        self.beyond.delivery = delivery;
    }

    /// From now on, a call of a module beyond the logs is an action only if the process sees another version of the module than before.
    pub const fn pass_over_seen(&mut self) {
        self.beyond.passes_over_seen = true;
    }

    /// From now on, additions to a counter beyond the logs share a version, as when recorded. For players that never leave a log before its end.
    pub const fn join_sums(&mut self) {
        self.beyond.joins_sums = true;
    }

    pub(super) fn delivers_causally(&self) -> bool {
        self.beyond.delivery == Delivery::Causal
    }

    /// What processes know at the current position of the signals of others. `None` with free delivery.
    pub(super) fn known(&mut self) -> Result<Option<&Causality>, Error> {
        if self.beyond.delivery == Delivery::Free {
            return Ok(None);
        }
        let mut since = self.beyond.known.since;
        let touched = self.look(|system| {
            let all = system.table().touched(&mut since)?.into_iter();
            let to = all.map(|pid| (ids::to_log(pid), system.table().actions(pid)));
            Some(to.collect::<Vec<(Pid, u64)>>())
        });
        match touched.filter(|to| self.beyond.known.is_of(&self.history, to)) {
            Some(mut to) => {
                to.retain(|(pid, actions)| *actions > self.beyond.known.actions(*pid));
                if !to.is_empty() || since != self.beyond.known.since {
                    let known = Arc::make_mut(&mut self.beyond.known);
                    known.follow(&self.history, &to)?;
                    known.since = since;
                }
            }
            None => {
                let now = self.look(cut_of);
                let known = Arc::make_mut(&mut self.beyond.known);
                known.at(&self.history, &now)?;
                known.since = since;
            }
        }
        Ok(Some(self.beyond.known.knowledge()))
    }

    /// What processes know of the signals of others at a position of these logs, which is after that of `earlier`. `None` with free delivery.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn knowledge_at(&self, cut: &Cut, earlier: Option<&Knowledge>) -> Result<Option<Knowledge>, Error> {
        if self.beyond.delivery == Delivery::Free {
            return Ok(None);
        }
        let mut known = earlier.map_or_else(KnownSignals::default, |Knowledge(known)| KnownSignals::clone(known));
        known.at(&self.history, cut)?;
        known.settle();
        Ok(Some(Knowledge(Arc::new(known))))
    }

    /// How many messages were looked at to find out what receives take: the work of that.
    #[must_use]
    pub const fn judged(&self) -> u64 {
        self.beyond.judged
    }

    /// How often all logs were read to find out in which order messages can arrive.
    #[must_use]
    pub const fn logs_read(&self) -> u64 {
        self.beyond.logs_read
    }

    /// Takes over what was known at a position before the current one, so that not all logs need be read for it.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn recall(&mut self, Knowledge(known): &Knowledge) -> Result<(), Error> {
        self.beyond.known = Arc::clone(known);
        let before = known.read;
        self.known()?;
        self.count_read(self.beyond.known.read.saturating_sub(before));
        Ok(())
    }

    /// Counts actions of the logs that were read.
    pub(super) const fn count_read(&mut self, actions: u64) {
        /// To read so many is as much work as to replay one.
        const READ: u64 = 2;
        self.replayed += actions / READ;
    }

    /// The processes that may have changed since somebody asked last, ended or not, ascending. `None`: that is not known.
    #[must_use]
    pub fn touched(&self, since: &mut Since) -> Option<Vec<Pid>> {
        let touched = self.look(|system| system.table().touched(since))?;
        Some(touched.into_iter().map(ids::to_log).collect())
    }

    /// Sets whether steps and lines go on beyond the logs, or end there.
    pub const fn go_on(&mut self, goes_on: bool) {
        self.beyond.goes_on = goes_on;
    }

    /// What a process can do next, beyond its log or instead of its log's choice: nothing if it has ended or waits for something that has not
    /// been sent.
    ///
    /// ```
    /// use log_format::{Pid, Trace};
    /// use session::record::Text;
    /// use session::{Error, Session};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let source = "-module(m).\n-export([main/0]).\nmain() -> receive after 10 -> late end.\n";
    /// let (_, bytes) = Text::new("m.erl", source).record_bytes(1)?;
    /// let mut player = Session::of(Trace::from_bytes(bytes)?.into())?.player()?;
    /// // Nothing has happened yet, and nothing was sent: it can only time out.
    /// let choices = player.choices(Pid(1))?;
    /// assert_eq!(choices.iter().map(ToString::to_string).collect::<Vec<_>>(), ["after"]);
    /// player.choose(Pid(1), choices[0])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn choices(&mut self, pid: Pid) -> Result<Vec<Choice>, Error> {
        self.choices_of(pid, false)
    }

    /// `one`: of the messages, the first one is enough.
    fn choices_of(&mut self, pid: Pid, one: bool) -> Result<Vec<Choice>, Error> {
        self.stand_still()?;
        // To find its next step, the process runs on. But if its log says that a signal ends it somewhere on the way, it would run past that
        // point; or past one where a signal would still end it, if it begins to trap exits on the way. So this is done in a copy of the session.
        let deadly = self.deadly(pid)?;
        if deadly.iter().any(|tag| tag.sender() == Some(pid)) {
            return self.choices_here(pid, one);
        }
        if deadly.is_empty() && !matches!(self.logged(pid)?, Some(Choice::Signal(_))) {
            return self.choices_here(pid, one);
        }
        let mut choices = self.clone().choices_here(pid, one)?;
        let earlier = deadly.into_iter().map(Choice::Signal);
        let earlier: Vec<Choice> = earlier.filter(|signal| !choices.contains(signal)).collect();
        choices.extend(earlier);
        Ok(choices)
    }

    /// Exit signals that can end a process now: those before which no other one comes.
    fn deadly(&mut self, pid: Pid) -> Result<Vec<Tag>, Error> {
        let all = self.look(|system| system.deadly(pid));
        if all.len() < 2 {
            return Ok(all);
        }
        let order = self.order(pid, &all)?;
        Ok(order.first(&all))
    }

    /// Goes on up to where a process chooses, as [`Player::choices`] does, and looks at none of its choices.
    pub(super) fn go_up_to_choice(&mut self, pid: Pid) -> Result<(), Error> {
        self.stand_still()?;
        let could_die = self.look(|system| !system.deadly(pid).is_empty());
        if could_die || matches!(self.logged(pid)?, Some(Choice::Signal(_))) {
            return Ok(());
        }
        self.go_up_to_step(pid)
    }

    /// Lets a process run on to its next step, where all that is logged has been done. An exit signal that could end it on the way comes later: it may
    /// begin to trap exits before.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn go_up_to_step(&mut self, pid: Pid) -> Result<(), Error> {
        self.sync()?;
        if self.look(|system| system.observer.halted.is_some()) {
            return Ok(());
        }
        self.change(|system| system.look_ahead(pid, PATIENCE))?;
        self.adopt();
        Ok(())
    }

    fn choices_here(&mut self, pid: Pid, one: bool) -> Result<Vec<Choice>, Error> {
        self.sync()?;
        if self.look(|system| system.observer.halted.is_some()) {
            return Ok(Vec::new());
        }
        // What it has sent to itself has arrived, and comes before all else.
        let own = |deadly: &[Tag]| deadly.iter().copied().find(|tag| tag.sender() == Some(pid));
        if let Some(tag) = own(&self.deadly(pid)?) {
            return Ok(vec![Choice::Signal(tag)]);
        }
        let label = self.change(|system| system.look_ahead(pid, PATIENCE))?;
        self.adopt();
        let deadly = self.deadly(pid)?;
        let one = one && deadly.is_empty();
        let alive = self.look(|system| system.table().by_pid(super::handle(pid)).is_some());
        let mut choices = match label {
            Some(Label::Receive(timeout)) => {
                let found = self.receivable(pid, timeout != Timeout::Infinity, one)?;
                let waiting: Vec<Tag> = deadly.iter().chain(&found.messages).copied().collect();
                let order = match deadly.is_empty() {
                    true => ArrivalOrder::default(),
                    false => self.order(pid, &waiting)?,
                };
                let is_alive_then = |tag: &Tag| !deadly.iter().any(|signal| order.comes_before(*signal, *tag));
                let messages = found.messages.into_iter().filter(is_alive_then).map(Choice::Message);
                // A timeout has handled what had arrived.
                let is_over = self.look(|system| {
                    let p = system.table().by_pid(super::handle(pid));
                    let has_arrived =
                        |tag: &Tag| order.has_arrived(*tag) || p.is_some_and(|p| system.has_arrived(p, *tag));
                    deadly.iter().any(has_arrived) && !p.is_some_and(system::beyond::has_turned)
                });
                let timeout = found.timeout && !is_over;
                messages.chain(timeout.then_some(Choice::Timeout)).collect()
            }
            // It sleeps.
            Some(Label::Native(_)) if self.look(|system| system.wakes(pid)) == Some(false) => Vec::new(),
            Some(Label::Native(_)) if let Some(all) = self.look(|system| system.alternatives(pid)) => {
                (0..all).map(Choice::Pick).collect()
            }
            Some(Label::Native(_)) => {
                let found = self.findable(pid)?.into_iter().map(|(_, tag)| Choice::Arrived(tag));
                std::iter::once(Choice::Step).chain(found).collect()
            }
            Some(Label::Version(_) | Label::End) => vec![Choice::Step],
            None if alive => vec![Choice::Step],
            None => Vec::new(),
        };
        choices.extend(deadly.into_iter().map(Choice::Signal));
        Ok(choices)
    }

    /// The log's next choice for a process; `None` if the log is used up.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn logged(&self, pid: Pid) -> Result<Option<Choice>, Error> {
        let n = self.done(pid);
        if self.history.length(pid)?.is_none_or(|length| n >= length) {
            return Ok(None);
        }
        Ok(Some(Choice::of(&self.history.action(pid, n + 1)?)))
    }

    /// Does a process's next step: following its log if that makes the same choice; otherwise the process leaves its log, if that is not used up.
    ///
    /// # Errors
    /// It cannot do that; the trace is damaged; a repeated step diverges.
    pub fn choose(&mut self, pid: Pid, choice: Choice) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        if self.logged(pid)? == Some(choice) {
            return self.pull(pid, self.done(pid) + 1);
        }
        self.check(pid, choice)?;
        let mut moved = Moved::default();
        if self.logged(pid)?.is_some() {
            moved = self.leave_log(pid)?;
            self.check(pid, choice)?;
        }
        let stopped = self.step_beyond(pid, choice, &mut moved.dropped)?;
        Ok(self.summary(&before, moved.dropped, stopped))
    }

    /// Does it stand at a receive?
    fn waits(&self, pid: Pid) -> bool {
        self.look(|system| {
            let process = system.table().by_pid(super::handle(pid));
            process.is_some_and(|p| {
                p.state == system::process::ProcessActivity::Waiting
                    || matches!(p.label, Some(system::process::Label::Receive(_)))
            })
        })
    }

    fn check(&mut self, pid: Pid, choice: Choice) -> Result<(), Error> {
        if self.choices(pid)?.contains(&choice) {
            return Ok(());
        }
        Err(Error::NoTarget(match choice {
            Choice::Step => format!("{pid} cannot make a step: it waits in a receive, or does not exist"),
            Choice::Message(tag) => {
                format!("{pid} cannot receive {tag} now; `choices` lists the messages that it can take")
            }
            Choice::Timeout if !self.waits(pid) => format!("{pid} is not in a receive"),
            Choice::Timeout => {
                format!("{pid} cannot time out now: its receive has no `after`, or it can take a message")
            }
            Choice::Signal(tag) => format!("no exit signal {tag} can end {pid} now"),
            Choice::Arrived(tag) => format!("the next step of {pid} does not ask whether {tag} has arrived"),
            Choice::Pick(number) => format!("the next step of {pid} has no alternative {number}"),
        }))
    }

    /// Does this many actions of a process: following its log, and then beyond it as long as there is nothing to choose.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges.
    pub fn act(&mut self, pid: Pid, actions: u64) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        let length = self.history.length(pid)?.unwrap_or(0);
        let to = self.done(pid).saturating_add(actions);
        self.pull(pid, to.min(length))?;
        let mut dropped = Vec::new();
        let mut stopped = Stopped::Reached;
        while stopped == Stopped::Reached && self.done(pid) < to {
            if !self.beyond.goes_on || self.look(|system| system.table().by_pid(super::handle(pid)).is_none()) {
                stopped = Stopped::EndOfLog;
            } else {
                stopped = match self.look(|system| system.observer.halted) {
                    Some(status) => Stopped::Halted(status),
                    None => self.step_beyond(pid, Choice::Step, &mut dropped)?,
                };
            }
        }
        Ok(self.summary(&before, dropped, stopped))
    }

    /// Makes a process leave its log at its current position: the →-future of its next logged action is dropped, and undone as far as it had
    /// been done.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges.
    pub fn leave_log(&mut self, pid: Pid) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        let next = ActionId::new(pid, self.done(pid) + 1);
        let dropped = self.drop_future([next])?;
        Ok(self.summary(&before, dropped, Stopped::Reached))
    }

    /// As [`Player::leave_log`], for several processes, if the →-future of their next actions is known and nothing of it has been done.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn leave_logs(&mut self, future: &Suffixes) -> Result<(), Error> {
        self.stand_still()?;
        self.cut_off(future)?;
        Ok(())
    }

    /// Drops all logs, if nothing was done yet: what follows is chosen. Children of processes get the numbers that they have in the logs.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn forget_logs(&mut self) -> Result<(), Error> {
        let mut all = Suffixes::default();
        for pid in self.history.processes()? {
            if self.history.length(pid)?.unwrap_or(0) > 0 {
                all.add(ActionId::new(pid, 1));
            }
        }
        self.history.name_births(crate::source::births(self.session.trace())?);
        self.leave_logs(&all)?;
        let nothing = Cut::default();
        self.rebuild(&nothing, None)
    }

    /// As [`Player::choose`] of one of the [`Player::enabled`] choices, where all that is logged has been done: without looking again whether it
    /// can be made, and without telling what it did.
    ///
    /// # Errors
    /// A repeated step diverges.
    pub fn go_way(&mut self, pid: Pid, choice: Choice) -> Result<Stopped, Error> {
        self.stand_still()?;
        if self.logged(pid)?.is_some() {
            return Ok(self.choose(pid, choice)?.stopped);
        }
        self.step_beyond(pid, choice, &mut Vec::new())
    }

    /// As [`Player::go_way`] with a step, whose action is an input with this value. Refused, with the player in no known state, if the step is not
    /// such an input.
    ///
    /// # Errors
    /// It is not such an input; a repeated step diverges.
    pub fn go_way_with(&mut self, pid: Pid, input: Action) -> Result<Stopped, Error> {
        self.beyond.given = Some(input);
        let stopped = self.go_way(pid, Choice::Step);
        self.beyond.given = None;
        stopped
    }

    pub(super) fn summary(&self, before: &Cut, dropped: Vec<Stretch>, stopped: Stopped) -> Moved {
        let after = self.look(cut_of);
        Moved {
            done: between(before, &after),
            undone: between(&after, before),
            dropped,
            stopped,
        }
    }

    /// Drops the →-future of these actions from the logs.
    pub(super) fn drop_future(&mut self, targets: impl IntoIterator<Item = ActionId>) -> Result<Vec<Stretch>, Error> {
        let first = future::future(&self.history, targets)?;
        let now = self.look(cut_of);
        let done: Vec<ActionId> = first
            .starts()
            .filter(|one| one.number.0.max(1) <= now.get(one.pid))
            .collect();
        if !done.is_empty() {
            self.undo(&done)?;
        }
        self.cut_off(&first)
    }

    /// Removes the actions from these on, none of which has been done, from the logs.
    fn cut_off(&mut self, first: &Suffixes) -> Result<Vec<Stretch>, Error> {
        let mut dropped = Vec::new();
        let stamp = self.history.stamp();
        for ActionId {
            pid,
            number: ActionNo(n),
        } in first.starts()
        {
            let last = self.history.length(pid)?.unwrap_or(0);
            dropped.push(Stretch {
                pid,
                first: ActionNo(n),
                last: ActionNo(last),
            });
        }
        for ActionId {
            pid,
            number: ActionNo(n),
        } in first.starts()
        {
            self.history.truncate(pid, n - 1)?;
        }
        // What is known of what was not dropped stays.
        for known in [&mut self.beyond.known, &mut self.beyond.known_once] {
            if known.outlives(stamp, first) {
                Arc::make_mut(known).renew(&self.history);
            }
        }
        for bounds in self.beyond.bounds.values_mut() {
            if bounds.outlives(stamp, first) {
                Arc::make_mut(bounds).renew(&self.history);
            }
        }
        dropped.sort_unstable();
        self.kept.forget(first);
        self.beyond.stale = true;
        Ok(dropped)
    }

    /// Makes the system follow the current logs.
    pub(super) fn catch_up(&mut self) -> Result<(), Error> {
        if self.beyond.stale {
            let source = Arc::new(self.history.clone());
            self.change(|system| system.follow(source))?;
            self.beyond.stale = false;
        }
        Ok(())
    }

    /// As [`Self::catch_up`], and lets processes be driven.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        let (seed, passes_over_seen) = (self.beyond.seed, self.beyond.passes_over_seen);
        let joins_sums = self.beyond.joins_sums;
        self.change(|system| {
            system.be_driven(seed);
            if passes_over_seen {
                system.pass_over_seen();
            }
            if joins_sums {
                system.join_sums();
            }
        })
    }

    /// Does one step beyond the log of a process that has used up its log.
    pub(super) fn step_beyond(
        &mut self,
        pid: Pid,
        choice: Choice,
        dropped: &mut Vec<Stretch>,
    ) -> Result<Stopped, Error> {
        loop {
            self.sync()?;
            // Usually nothing is logged that has not been done.
            let at_the_end = self.look(|system| system.total_actions) >= self.history.total();
            let before = if at_the_end { Cut::default() } else { self.look(cut_of) };
            let n = self.done(pid);
            match choice {
                Choice::Step => self.let_arrive(pid, None)?,
                Choice::Arrived(tag) => self.let_arrive(pid, Some(tag))?,
                Choice::Message(_) | Choice::Timeout | Choice::Signal(_) | Choice::Pick(_) => {}
            }
            let fresh = self.fresh(pid, choice);
            let timer = match choice {
                Choice::Message(tag) => self.look(|system| system.timed(tag)).map(|_| tag),
                _ => None,
            };
            let given = self.beyond.given.clone();
            let (fresh, drove, noted) = self.change(|system| {
                let fresh = system.refresh(fresh);
                system.observer.is_beyond = true;
                system.observer.contents = DigestCheck::default();
                let follows = |system: &mut System<Tracker>, action: Action| {
                    system.instruct(pid, action);
                    system.run();
                    if done(system, pid) > n {
                        Drove::Acted
                    } else {
                        Drove::Refused
                    }
                };
                let drove = match (choice, given) {
                    (Choice::Step, Some(input)) => follows(system, input),
                    (Choice::Step, None) | (Choice::Arrived(_), _) => system.drive(pid, PATIENCE),
                    (Choice::Signal(tag), _) => system.end_by(pid, tag),
                    (Choice::Message(tag), _) => follows(system, Action::new(Kind::Rec(tag))),
                    (Choice::Timeout, _) => follows(system, Action::new(Kind::After)),
                    (Choice::Pick(number), _) => follows(system, picks(number)),
                };
                system.observer.is_beyond = false;
                let noted = std::mem::take(&mut system.observer.beyond);
                (system.refresh(fresh), drove, noted)
            })?;
            self.beyond.fresh = fresh;
            self.adopt();
            self.judge()?;
            match drove {
                Drove::Waits(_) => return Ok(Stopped::Waiting),
                Drove::Running => return Ok(Stopped::Running),
                Drove::Refused => return Err(Error::Bug(format!("{pid} did not do what was chosen: {choice:?}"))),
                Drove::Acted => {}
            }
            let replaced = match at_the_end {
                true => Vec::new(),
                false => self.replaced(&before, &noted, timer)?,
            };
            if replaced.is_empty() {
                let mut done = before;
                for (who, action) in noted {
                    self.history.append(who, action)?;
                    if at_the_end {
                        continue;
                    }
                    let last = ActionId::new(who, done.get(who) + 1);
                    done.extend_to(last);
                    if done.actions() < self.history.total() {
                        let overtaken = future::overtaken(&self.history, &done, last)?;
                        dropped.extend(self.cut_off(&overtaken)?);
                    }
                }
                self.beyond.stale = true;
                let system = self.at.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                self.history.learn(system.texts(), || system.node_names());
                drop(system);
                self.keep_now_and_then()?;
                return Ok(match self.look(|system| system.observer.halted) {
                    Some(status) => Stopped::Halted(status),
                    None => Stopped::Reached,
                });
            }
            // Logged actions that have not been done and cannot be done after this one are dropped; then the step is repeated.
            let base = self.kept.within(&before, &[], &[pid]).cloned();
            self.rebuild(&before, base)?;
            dropped.extend(self.drop_future(replaced)?);
        }
    }

    fn keep_now_and_then(&mut self) -> Result<(), Error> {
        let (now, copied) = self.look(|system| (system.total_actions, system.copied_bytes()));
        let apart = self.near.max((self.cost + copied) as u64 / super::BYTES_AN_ACTION);
        if now < self.beyond.kept_at || now >= self.beyond.kept_at + apart {
            self.beyond.kept_at = now;
            self.keep(now)?;
        }
        Ok(())
    }

    fn fresh(&self, pid: Pid, choice: Choice) -> Fresh {
        let Fresh { mut clock, unique } = self.beyond.fresh;
        clock += STEP;
        // A timeout, and the message of a timer, come when their time is up.
        let waited = self.look(|system| match choice {
            Choice::Timeout => match system.table().by_pid(super::handle(pid)).and_then(|p| p.label) {
                Some(Label::Receive(Timeout::Millis(after))) => Some(after),
                _ => None,
            },
            Choice::Message(tag) => system.timed(tag),
            _ => None,
        });
        clock += waited.unwrap_or(0).saturating_mul(1_000_000);
        let unique = unique.max(i64::try_from(self.session.trace().totals().counts.actions).unwrap_or(i64::MAX / 2));
        Fresh { clock, unique }
    }

    /// Logged actions, not done yet, that the last step took the place of: actions of processes that it ended, writes of the same versions, and
    /// the action that consumes a timer's message.
    fn replaced(&self, before: &Cut, noted: &[(Pid, Action)], mut timer: Option<Tag>) -> Result<Vec<ActionId>, Error> {
        let there: u64 = before.actions();
        if there >= self.history.total() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        let mut written = Vec::new();
        for (who, action) in noted {
            let n = before.get(*who) + 1;
            if self.history.length(*who)?.is_some_and(|length| length >= n) {
                found.push(ActionId::new(*who, n));
            }
            if let Kind::Drop { tag: Some(tag), .. } = action.kind {
                timer = Some(tag);
            }
            // Whether a process is alive follows from its own log.
            let lives = |access: &log_format::Access| matches!(access.resource, log_format::Resource::Alive(_));
            let writes = causality::accesses(*who, action).filter(|access| access.write && !lives(access));
            written.extend(writes.map(|access| (access.resource, access.version.0)));
        }
        if let Some(tag) = timer {
            found.extend(future::consumer(&self.history, before, tag)?);
        }
        if !written.is_empty() {
            found.extend(future::later_writes(&self.history, before, &written, true)?);
        }
        Ok(found)
    }

    pub(super) fn adopt(&self) {
        self.session.adopt(self.look(|system| Arc::clone(&system.program)));
    }

    /// The ⇒-past of an action over all logs of a session, as a cut for [`Player::forward_to`].
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn past(&self, of: ActionId) -> Result<Cut, Error> {
        arrival::past(&self.history, of)
    }

    // ---- many steps --------------------------------------------------------------------------------------------------

    /// Living processes, ascending.
    #[must_use]
    pub fn living(&self) -> Vec<Pid> {
        self.look(|system| system.table().pids().into_iter().map(ids::to_log).collect())
    }

    /// What a process would do next without anyone choosing: its log's choice, if all that this needs has been done.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn enabled(&mut self, pid: Pid) -> Result<Vec<Choice>, Error> {
        self.enabled_of(pid, false)
    }

    /// As [`Player::enabled`]. `one`: of the messages of a receive, the first one is enough.
    pub(super) fn enabled_of(&mut self, pid: Pid, one: bool) -> Result<Vec<Choice>, Error> {
        match self.logged(pid)? {
            Some(choice) => {
                let action = self.history.action(pid, self.done(pid) + 1)?;
                let ready = self.missing(&action)?.is_empty();
                Ok(if ready { vec![choice] } else { Vec::new() })
            }
            None => self.choices_of(pid, one),
        }
    }
}

/// For each process, the number of these actions: for showing what was kept.
#[must_use]
pub fn sizes(stretches: &[Stretch]) -> FxHashMap<Pid, u64> {
    stretches.iter().map(|one| (one.pid, one.actions())).collect()
}
