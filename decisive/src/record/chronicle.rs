//! What one replay notes of the run.

use log_format::{ActionId, Kind, Pid, Resource, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::doing::Doing;
use system::observer::{ActionEvent, Detail, Observer};
use system::scheduler::mix;

use crate::story::Sort;

/// So many activations of a process tell where it is.
const DEPTH: usize = 6;

/// What one replay noted of the run. Times are in milliseconds from the start: computing takes no time and messages are there at once, so only
/// timeouts and timers take any.
#[derive(Default)]
pub(super) struct Chronicle {
    /// All actions, in an order in which they can be done.
    pub(super) order: Vec<(u32, ActionId)>,
    /// The actions of each process.
    pub(super) done: FxHashMap<Pid, Vec<Done>>,
    /// What each process sent, by its ordinal.
    pub(super) sends: FxHashMap<Pid, Vec<Sent>>,
    pub(super) children: FxHashMap<Pid, Vec<(u64, Pid)>>,
    pub(super) waits: FxHashMap<ActionId, u64>,
    /// How long each timer ran whose message is not taken yet, in milliseconds.
    pub(super) timers: FxHashMap<Tag, u32>,
    pub(super) timed: FxHashSet<Pid>,
    pub(super) tied: FxHashSet<Pid>,
    /// The sorts of the actions of each process, and how many are of each sort.
    pub(super) sorts: FxHashMap<Pid, Vec<Sort>>,
    pub(super) numbers: FxHashMap<(u64, Sort), Sort>,
    pub(super) many: Vec<u32>,
    pub(super) uses: FxHashMap<Resource, Vec<ActionId>>,
    /// What each action of each process did.
    pub(super) steps: FxHashMap<Pid, Vec<u64>>,
    /// What each process sent, by its ordinal: what it holds.
    pub(super) contents: FxHashMap<Pid, Vec<Content>>,
}

/// An action.
#[derive(Clone, Copy)]
pub(super) struct Done {
    pub(super) time: u32,
    /// So many signals has its process sent then.
    pub(super) sends: u32,
}

/// A signal.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    /// When it is there.
    pub(super) time: u32,
    /// It was never consumed, as far as is known.
    pub(super) left: bool,
    /// The sort of the action that sent it.
    pub(super) sort: Sort,
}

/// To whom a signal was sent, and what it holds, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content {
    /// The receiver.
    pub to: Pid,
    /// What it holds: equal for equal messages.
    pub holds: u64,
}

/// A process of the replay.
pub(super) struct Life {
    pub(super) now: u32,
}

pub(super) fn place_of(number: u64) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

impl Chronicle {
    fn at(&self, id: ActionId) -> u32 {
        let done = self.done.get(&id.pid).zip(place_of(id.number.0));
        done.and_then(|(done, at)| done.get(at)).map_or(0, |done| done.time)
    }

    /// When a signal is there; it is consumed.
    fn take(&mut self, tag: Tag) -> u32 {
        match tag {
            Tag::Sent { by, k } => {
                let sent = self.sends.get_mut(&by).zip(place_of(k.0));
                let Some(sent) = sent.and_then(|(sent, at)| sent.get_mut(at)) else {
                    return 0;
                };
                sent.left = false;
                sent.time
            }
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                let last = self.done.get(&by).and_then(|done| done.last());
                last.map_or(0, |done| done.time)
            }
            Tag::Limit { .. } => 0,
        }
    }

    /// The sort of an action: where in the program it was done, and where what it took had been sent.
    fn sort(&mut self, event: &ActionEvent<'_>) -> Sort {
        let action = event.action;
        let taken = action.kind.consumed();
        let is_choice = matches!(
            action.kind,
            Kind::Rec(_) | Kind::After | Kind::Signal { .. } | Kind::Input { .. } | Kind::Observe { .. }
        );
        let sends = action.sends > 0;
        if !is_choice && !sends && taken.is_none() && causality::accesses(event.pid, action).next().is_none() {
            return 0;
        }
        let mut place = 0;
        event
            .machine
            .innermost(DEPTH, |pc| place = mix(place ^ u64::from(pc.0)));
        let from = match taken {
            Some(Tag::Sent { by, k }) => {
                let sent = self.sends.get(&by).zip(place_of(k.0));
                sent.and_then(|(sent, at)| sent.get(at)).map_or(0, |sent| sent.sort)
            }
            _ => 0,
        };
        let new = Sort::try_from(self.many.len()).unwrap_or(Sort::MAX);
        *self.numbers.entry((place, from)).or_insert(new)
    }

    /// Notes what a native does: who may hear of the end of another process, and for how long a timer that it sets runs. A timer for a point of time
    /// counts as none.
    fn native(&mut self, event: &ActionEvent<'_>) -> u32 {
        let name = event.program.native(event.native).name;
        if ["link", "monitor", "_opt", "_request"]
            .iter()
            .any(|word| name.contains(word))
        {
            self.tied.insert(event.pid);
            self.tied.extend(event.action.kind.spawned());
        }
        if event.action.kind != Kind::Send || !matches!(name, "send_after" | "start_timer") {
            return 0;
        }
        self.timed.insert(event.pid);
        let time = event.machine.args().first().and_then(|time| time.as_small());
        time.and_then(|time| u32::try_from(time).ok()).unwrap_or(0)
    }
}

impl Observer for Chronicle {
    type Log = Life;

    fn born(&mut self, _: Pid, parent: Option<&Life>, _: u16) -> Life {
        let now = parent.map_or(0, |parent| parent.now);
        Life { now }
    }

    fn action(&mut self, life: &mut Life, event: &ActionEvent<'_>) {
        let mut now = life.now;
        for from in event.action.read_from() {
            now = now.max(self.at(from));
        }
        if let Some(tag) = event.action.kind.consumed() {
            let there = self.take(tag);
            // What a cancelled timer would have brought takes no time.
            if !matches!(event.action.kind, Kind::Drop { .. }) {
                now = now.max(there);
            }
        }
        if let Detail::TimedOut(after) = event.detail {
            now = now.saturating_add(u32::try_from(after).unwrap_or(u32::MAX));
            self.waits.insert(event.id(), after);
        }
        if let Kind::Rec(tag) = event.action.kind
            && let Some(ran) = self.timers.remove(&tag)
        {
            self.waits.insert(event.id(), u64::from(ran));
        }
        life.now = now;
        let wait = match event.action.kind {
            Kind::Rec(_) | Kind::After | Kind::Exit { .. } | Kind::Signal { .. } => 0,
            _ => self.native(event),
        };
        let to = match event.detail {
            Detail::Sent { to, .. } => to,
            // The runtime answers who asked.
            _ => Some(event.pid),
        };
        let doing = Doing::of(event);
        let taken = doing.taken.map_or(0, |tag| holds(&self.contents, tag));
        self.steps.entry(event.pid).or_default().push(doing.with(taken));
        let content = Content {
            to: to.unwrap_or(event.pid),
            holds: doing.sent.map_or(doing.what, |(_, holds)| holds),
        };
        let sort = self.sort(event);
        if let Some(many) = self.many.get_mut(sort as usize) {
            *many += 1;
        } else {
            self.many.push(1);
        }
        self.sorts.entry(event.pid).or_default().push(sort);
        for access in causality::accesses(event.pid, event.action) {
            let uses = self.uses.entry(access.resource).or_default();
            if uses.last() != Some(&event.id()) {
                uses.push(event.id());
            }
        }
        let sends = self.sends.entry(event.pid).or_default();
        let contents = self.contents.entry(event.pid).or_default();
        for _ in 0..event.action.sends {
            sends.push(Sent {
                sort,
                time: now.saturating_add(wait),
                left: to.is_some(),
            });
            contents.push(content);
        }
        if wait > 0 {
            let k = SendNo(sends.len() as u64);
            self.timers.insert(Tag::Sent { by: event.pid, k }, wait);
        }
        let sends = u32::try_from(sends.len()).unwrap_or(u32::MAX);
        if let Some(child) = event.action.kind.spawned() {
            let children = self.children.entry(event.pid).or_default();
            children.push((event.number.0, child));
        }
        let done = self.done.entry(event.pid).or_default();
        done.push(Done { time: now, sends });
        self.order.push((now, event.id()));
    }
}

/// What a signal holds, as a number. The end of a process tells its reason, which is a part of that step.
pub(super) fn holds(contents: &FxHashMap<Pid, Vec<Content>>, tag: Tag) -> u64 {
    match tag {
        Tag::Sent { by, k } => {
            let sent = contents.get(&by).zip(place_of(k.0));
            sent.and_then(|(sent, at)| sent.get(at)).map_or(0, |sent| sent.holds)
        }
        Tag::EndTo { .. } | Tag::EndRef { .. } | Tag::EndTable { .. } | Tag::Limit { .. } => 0,
    }
}
