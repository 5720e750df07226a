//! The observer of a replay: it gathers what the graph is made of.

use interpreter::heap::Fragment;
use log_format::{Access, Action, ActionId, Kind, Pid, Resource, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::observer::{ActionEvent, CurrentReceive, Detail, Fact, Observer, Other};

/// Limit: actions of a run that is measured.
pub const ACTIONS: usize = 3_000_000;
/// Limit: words of messages that are kept, to try which of them a receive could have taken.
const KEPT: usize = 32 << 20;
/// Limit: words that are copied to try messages.
const COPIED: usize = 400 << 20;

/// What an action is, for time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// A message was received.
    Rec(Tag),
    /// A receive timed out, after so many milliseconds.
    After(u64),
    /// An exit signal ended the process.
    Signal { tag: Tag, waiting: bool },
    /// A signal was dropped.
    Drop(Option<Tag>),
    /// Anything else.
    Other,
}

/// A signal that was sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub to: Pid,
    pub tag: Tag,
    pub exit: bool,
    /// It ends a process that does not trap exits; or every process.
    pub deadly: bool,
    pub kills: bool,
    /// How many actions the replay had done.
    pub place: u32,
    /// `None`: too much was kept.
    message: Option<Fragment>,
    alias: Option<u64>,
}

/// What a replay gathered, and what the next one is to ask.
#[derive(Default)]
pub struct Probe {
    /// A replay after the first one: it only asks.
    again: bool,
    /// Something was left out at a limit.
    pub(crate) cut: bool,
    /// Was the run too long to be measured?
    pub(crate) too_long: bool,
    pub(crate) processes: Vec<Pid>,
    pub(crate) acts: FxHashMap<Pid, Vec<Act>>,
    /// For each action, its place in the order of the replay, from 1.
    order: FxHashMap<Pid, Vec<u32>>,
    pub(crate) done: u32,
    pub(crate) births: FxHashMap<Pid, (Option<ActionId>, u16)>,
    /// For each process, the action that sent its k-th signal.
    sends: FxHashMap<Pid, Vec<u64>>,
    pub(crate) sent: Vec<Sent>,
    known: FxHashMap<(Pid, Tag), usize>,
    kept: usize,
    copied: usize,
    /// What each action read from others.
    pub(crate) read: Vec<(ActionId, ActionId)>,
    /// Uses of resources.
    pub(crate) uses: FxHashMap<Resource, Vec<(Access, ActionId)>>,
    /// Observations of the state of a process, after this action of it.
    pub(crate) observed: Vec<(ActionId, ActionId)>,
    pub(crate) waits: FxHashMap<ActionId, CurrentReceive>,
    pub(crate) timers: FxHashMap<Tag, Option<u64>>,
    references: FxHashMap<(Pid, u64), Tag>,
    pub(crate) cancels: Vec<(ActionId, (Pid, u64))>,
    unwatched: FxHashMap<(Pid, u64), u64>,
    /// Monitors that were given up, with the processes whose ends were not known then.
    pub(crate) dropped: Vec<(ActionId, u64, Pid)>,
    /// Drops of nothing whose answer was that there was something to give up.
    pub(crate) active: FxHashSet<ActionId>,
    /// Aliases that were closed, by owner and number: after which action.
    unaliased: FxHashMap<(Pid, u64), u64>,
    /// Processes that trapped exits at some time.
    pub(crate) traps: FxHashSet<Pid>,
    /// How many actions each of them had done before.
    pub(crate) traps_after: FxHashMap<Pid, u64>,
    /// What each receive could have taken, too, if the alias that it was sent to had been open.
    pub(crate) closed: FxHashMap<ActionId, FxHashSet<Tag>>,
    unlinked: FxHashMap<(Pid, Pid), u64>,
    /// Processes that had ended.
    pub(crate) ended: FxHashSet<Pid>,
    /// What to ask, by receive.
    pub(crate) asks: FxHashMap<ActionId, Vec<usize>>,
    /// What each receive could have taken, too.
    pub(crate) matches: FxHashMap<ActionId, FxHashSet<Tag>>,
}

/// A process of the replay.
pub struct Life {
    sends: u64,
}

impl Probe {
    /// A signal that was sent to a process.
    pub(crate) fn sent_to(&self, to: Pid, tag: Tag) -> Option<&Sent> {
        self.sent.get(*self.known.get(&(to, tag))?)
    }

    /// The action with which a process gave up its monitor with this number.
    pub(crate) fn gave_up(&self, owner: Pid, k: u64) -> Option<u64> {
        self.unwatched.get(&(owner, k)).copied()
    }

    /// The same, for another replay, which asks.
    pub(crate) fn ask(mut self, asks: FxHashMap<ActionId, Vec<usize>>) -> Self {
        self.again = true;
        self.asks = asks;
        self
    }

    /// The action that sent this signal.
    pub(crate) fn sender(&self, tag: Tag) -> Option<ActionId> {
        match tag {
            Tag::Sent { by, k } => {
                let at = usize::try_from(k.0).ok()?.checked_sub(1)?;
                let number = self.sends.get(&by)?.get(at)?;
                Some(ActionId::new(by, *number))
            }
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                Some(ActionId::new(by, self.acts.get(&by)?.len() as u64))
            }
            Tag::Limit { .. } => None,
        }
    }

    /// The place of an action in the order of the replay.
    pub(crate) fn place(&self, id: ActionId) -> u32 {
        let at = usize::try_from(id.number.0).ok().and_then(|n| n.checked_sub(1));
        let places = self.order.get(&id.pid);
        at.zip(places)
            .and_then(|(at, places)| places.get(at).copied())
            .unwrap_or(0)
    }

    /// The message of the timer with this reference.
    pub(crate) fn timer(&self, reference: (Pid, u64)) -> Option<Tag> {
        self.references.get(&reference).copied()
    }

    /// Had this process given up the monitor whose 'DOWN' this is, or the link?
    pub(crate) fn is_unwatched(&self, tag: Tag, at: ActionId) -> bool {
        let since = match tag {
            Tag::EndRef { k, .. } => self.unwatched.get(&(at.pid, k)),
            Tag::EndTo { by, .. } => self.unlinked.get(&(at.pid, by)),
            Tag::Sent { .. } | Tag::EndTable { .. } | Tag::Limit { .. } => None,
        };
        since.is_some_and(|since| *since < at.number.0)
    }

    /// The action after which a process closed the alias to which this was sent.
    pub(crate) fn closing(&self, owner: Pid, tag: Tag) -> Option<ActionId> {
        let alias = self.sent.get(*self.known.get(&(owner, tag))?)?.alias?;
        let number = self.unaliased.get(&(owner, alias))?;
        Some(ActionId::new(owner, *number))
    }

    fn uses(&mut self, id: ActionId, action: &Action) {
        for access in causality::accesses(id.pid, action) {
            self.uses.entry(access.resource).or_default().push((access, id));
        }
        self.read.extend(action.read_from().map(|from| (from, id)));
        if let Kind::Observe { of: Some(of), .. } = &action.kind {
            self.observed.push((*of, id));
        }
    }
}

impl Observer for Probe {
    type Log = Life;

    fn born(&mut self, pid: Pid, _: Option<&Life>, node: u16) -> Life {
        if !self.again {
            self.births.entry(pid).or_insert((None, 0)).1 = node;
            self.processes.push(pid);
            self.acts.insert(pid, Vec::new());
        }
        Life { sends: 0 }
    }

    fn action(&mut self, life: &mut Life, event: &ActionEvent<'_>) {
        if self.again || self.too_long {
            return;
        }
        self.done += 1;
        if self.done as usize > ACTIONS {
            self.too_long = true;
            return;
        }
        let id = event.id();
        let act = match &event.action.kind {
            Kind::Rec(tag) => Act::Rec(*tag),
            Kind::After => match event.detail {
                Detail::TimedOut(ms) => Act::After(ms),
                _ => Act::Other,
            },
            Kind::Signal { tag, waiting, .. } => Act::Signal {
                tag: *tag,
                waiting: *waiting,
            },
            Kind::Drop { tag, value } => {
                if tag.is_none() && value.first() == Some(&1) {
                    self.active.insert(id);
                }
                Act::Drop(*tag)
            }
            _ => Act::Other,
        };
        if matches!(event.action.kind, Kind::Exit { .. } | Kind::Signal { .. }) {
            self.ended.insert(id.pid);
        }
        self.acts.entry(id.pid).or_default().push(act);
        self.order.entry(id.pid).or_default().push(self.done);
        if let Some(child) = event.action.kind.spawned() {
            self.births.entry(child).or_insert((None, 0)).0 = Some(id);
        }
        let sends = self.sends.entry(id.pid).or_default();
        for _ in 0..event.action.sends {
            life.sends += 1;
            sends.push(id.number.0);
        }
        self.uses(id, event.action);
    }

    fn probes(&self) -> bool {
        !self.too_long
    }

    fn learned(&mut self, fact: Fact) {
        if self.again {
            return;
        }
        match fact {
            Fact::Sent {
                to,
                tag,
                exit,
                deadly,
                kills,
                message,
                alias,
            } => {
                if self.known.contains_key(&(to, tag)) {
                    return;
                }
                self.known.insert((to, tag), self.sent.len());
                self.kept += message.size();
                self.cut |= self.kept > KEPT;
                self.sent.push(Sent {
                    to,
                    tag,
                    exit,
                    deadly,
                    kills,
                    place: self.done,
                    message: (self.kept <= KEPT).then_some(message),
                    alias: alias.map(|(number, _)| number),
                });
            }
            Fact::Timer { tag, reference, ms, .. } => {
                self.timers.insert(tag, ms);
                self.references.insert(reference, tag);
            }
            Fact::Cancelled { by, reference } => self.cancels.push((by, reference)),
            Fact::Unwatched { by, k, of } => {
                self.unwatched.entry((by.pid, k)).or_insert(by.number.0);
                self.dropped.extend(of.map(|of| (by, k, of)));
            }
            Fact::Unaliased { by, number } => {
                self.unaliased.entry((by.pid, number)).or_insert(by.number.0);
            }
            Fact::Traps { pid } => {
                self.traps.insert(pid);
                let done = self.acts.get(&pid).map_or(0, |acts| acts.len() as u64);
                self.traps_after.entry(pid).or_insert(done);
            }
            Fact::Unlinked { by, of } => {
                self.unlinked.entry((by.pid, of)).or_insert(by.number.0);
            }
        }
    }

    fn others(&mut self, at: CurrentReceive) -> Vec<Other> {
        if !self.again {
            self.waits.insert(at.id, at);
            return Vec::new();
        }
        let Some(asked) = self.asks.get(&at.id) else {
            return Vec::new();
        };
        if self.copied > COPIED {
            self.cut = true;
            return Vec::new();
        }
        let sent = asked.iter().filter_map(|place| self.sent.get(*place));
        let sent = sent.filter(|one| at.traps || !one.exit);
        let other = |one: &Sent| {
            Some(Other {
                tag: one.tag,
                message: one.message.clone()?,
                alias: one.alias,
            })
        };
        sent.filter_map(other).collect()
    }

    fn could_take(&mut self, at: CurrentReceive, tags: Vec<Tag>, closed: Vec<Tag>, words: usize) {
        self.copied = self.copied.saturating_add(words);
        if !closed.is_empty() {
            self.closed.entry(at.id).or_default().extend(closed);
        }
        self.matches.entry(at.id).or_default().extend(tags);
    }
}

/// The place of a signal among those of its sender: pairs keep their order.
pub(crate) const fn number(tag: Tag) -> Option<SendNo> {
    match tag {
        Tag::Sent { k, .. } => Some(k),
        _ => None,
    }
}
