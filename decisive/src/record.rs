//! The recorded run as a continuation uses it: when each action was done, as far as waits tell, and which process has which part.

use std::cell::RefCell;
use std::rc::Rc;

use interpreter::vm::Program;
use log_format::{Action, ActionId, Kind, Pid, SendNo, Tag};
use rustc_hash::FxHashMap;
use session::Goal;
use session::Session;
use session::error::Error;
use session::player::history::{Entry, History};
use system::observer::{Detail, Event, Observer};

/// What one replay noted of the run. Times are in milliseconds from the start: computing takes no time and messages are there at once, so only
/// timeouts and timers take any.
#[derive(Default)]
struct Chronicle {
    /// All actions, in an order in which they can be done.
    order: Vec<(u64, ActionId)>,
    times: FxHashMap<Pid, Vec<u64>>,
    /// When each signal was there that has not been consumed.
    sent: FxHashMap<Tag, u64>,
    children: FxHashMap<Pid, Vec<(u64, Pid)>>,
    waits: FxHashMap<ActionId, u64>,
    /// When a process was born.
    births: FxHashMap<Pid, u64>,
}

/// A process of the replay.
struct Life {
    sends: u64,
    now: u64,
}

impl Chronicle {
    fn at(&self, id: ActionId) -> u64 {
        let times = self.times.get(&id.pid);
        let place = usize::try_from(id.number.0).unwrap_or(usize::MAX).checked_sub(1);
        times
            .zip(place)
            .and_then(|(times, at)| times.get(at).copied())
            .unwrap_or(0)
    }
}

/// The delay of a timer that an action sets, in milliseconds. A timer for a point of time counts as none.
fn delay(event: &Event<'_>, program: &Program) -> Option<u64> {
    let name = program.native(event.native).name;
    if event.action.kind != Kind::Send || !matches!(name, "send_after" | "start_timer") {
        return None;
    }
    let time = event.machine.args().first()?.as_small()?;
    u64::try_from(time).ok()
}

impl Observer for Chronicle {
    type Log = Life;

    fn born(&mut self, pid: Pid, parent: Option<&Life>, _: u16) -> Life {
        let now = parent.map_or(0, |parent| parent.now);
        self.births.insert(pid, now);
        Life { sends: 0, now }
    }

    fn action(&mut self, life: &mut Life, event: &Event<'_>) {
        let mut now = life.now;
        for from in event.action.read_from() {
            now = now.max(self.at(from));
        }
        if let Some(tag) = event.action.kind.consumed() {
            let there = match tag {
                Tag::Sent { .. } => self.sent.remove(&tag),
                Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                    self.times.get(&by).and_then(|times| times.last().copied())
                }
                Tag::Limit { .. } => None,
            };
            // What a cancelled timer would have brought takes no time.
            if !matches!(event.action.kind, Kind::Drop { .. }) {
                now = now.max(there.unwrap_or(0));
            }
        }
        if let Detail::TimedOut(after) = event.detail {
            now += after;
            self.waits.insert(event.id(), after);
        }
        life.now = now;
        let wait = delay(event, event.program).unwrap_or(0);
        for _ in 0..event.action.sends {
            life.sends += 1;
            let tag = Tag::Sent {
                by: event.pid,
                k: SendNo(life.sends),
            };
            self.sent.insert(tag, now + wait);
        }
        if let Some(child) = event.action.kind.spawned() {
            self.children
                .entry(event.pid)
                .or_default()
                .push((event.number.0, child));
        }
        self.times.entry(event.pid).or_default().push(now);
        self.order.push((now, event.id()));
    }
}

/// The recorded run.
pub struct Record {
    /// Its logs.
    pub history: History,
    /// All actions, in an order in which they could have been done: by time, then as they depend on each other.
    pub order: Vec<ActionId>,
    ranks: FxHashMap<Pid, Vec<u32>>,
    times: FxHashMap<Pid, Vec<u64>>,
    sent: FxHashMap<Tag, u64>,
    /// The children of a process, each with the action that created it.
    children: FxHashMap<Pid, Vec<(u64, Pid)>>,
    waits: FxHashMap<ActionId, u64>,
    /// What a process received, once somebody asked.
    received: RefCell<FxHashMap<Pid, Rc<Received>>>,
}

/// Which action of a process consumed each signal.
#[derive(Default)]
pub struct Received {
    all: FxHashMap<Tag, u64>,
    /// By sender: the numbers of its signals, ascending, each with the first action that consumed it or a later one.
    later: FxHashMap<Pid, Vec<(SendNo, u64)>>,
}

impl Received {
    fn of(entries: &[Entry]) -> Self {
        let mut received = Self::default();
        for entry in entries {
            let Some(tag) = entry.action.kind.consumed() else {
                continue;
            };
            received.all.insert(tag, entry.number);
            if let Tag::Sent { by, k } = tag {
                received.later.entry(by).or_default().push((k, entry.number));
            }
        }
        for list in received.later.values_mut() {
            list.sort_unstable();
            let mut first = u64::MAX;
            for (_, number) in list.iter_mut().rev() {
                first = first.min(*number);
                *number = first;
            }
        }
        received
    }

    /// The action that consumed this signal.
    #[must_use]
    pub fn at(&self, tag: Tag) -> Option<u64> {
        self.all.get(&tag).copied()
    }

    /// The first action that consumed this signal or a later one of its sender.
    #[must_use]
    pub fn from(&self, by: Pid, k: SendNo) -> Option<u64> {
        let list = self.later.get(&by)?;
        let at = list.partition_point(|(known, _)| *known < k);
        list.get(at).map(|(_, number)| *number)
    }
}

impl Record {
    /// Replays the run once.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn of(session: &Session) -> Result<Self, Error> {
        let system = session.replay(&Goal::everything(), Chronicle::default())?;
        let Chronicle {
            mut order,
            times,
            sent,
            children,
            waits,
            births: _,
        } = system.into_observer();
        // A stable sort: what depends on something is not earlier, and comes later in the replay.
        order.sort_by_key(|(time, _)| *time);
        let order: Vec<ActionId> = order.into_iter().map(|(_, id)| id).collect();
        let mut ranks: FxHashMap<Pid, Vec<u32>> = FxHashMap::default();
        for (id, rank) in order.iter().zip(0_u32..) {
            ranks.entry(id.pid).or_default().push(rank);
        }
        Ok(Self {
            history: session.history(),
            order,
            ranks,
            times,
            sent,
            children,
            waits,
            received: RefCell::default(),
        })
    }

    /// What a process received.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn received(&self, pid: Pid) -> Result<Rc<Received>, Error> {
        if let Some(known) = self.received.borrow().get(&pid) {
            return Ok(Rc::clone(known));
        }
        let entries = self.history.stretch(pid, 0, self.length(pid))?;
        let received = Rc::new(Received::of(&entries));
        self.received.borrow_mut().insert(pid, Rc::clone(&received));
        Ok(received)
    }

    /// How many processes a process created with its first `n` actions.
    #[must_use]
    pub fn children(&self, pid: Pid, n: u64) -> usize {
        let all = self.children.get(&pid);
        all.map_or(0, |all| all.partition_point(|(at, _)| *at <= n))
    }

    /// Is it a process of the record?
    #[must_use]
    pub fn has(&self, pid: Pid) -> bool {
        self.ranks.contains_key(&pid)
    }

    /// An action of the record.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn action(&self, pid: Pid, n: u64) -> Result<Option<Action>, Error> {
        let there = self
            .ranks
            .get(&pid)
            .is_some_and(|ranks| (1..=ranks.len() as u64).contains(&n));
        Ok(match there {
            true => Some(self.history.action(pid, n)?),
            false => None,
        })
    }

    /// The place of an action in the order; greater than all for one that was not recorded.
    #[must_use]
    pub fn rank(&self, pid: Pid, n: u64) -> u64 {
        let place = usize::try_from(n.max(1) - 1).unwrap_or(usize::MAX);
        let ranks = self.ranks.get(&pid);
        ranks
            .and_then(|ranks| ranks.get(place))
            .map_or(u64::MAX, |rank| u64::from(*rank))
    }

    /// When an action was done, in milliseconds of waits.
    #[must_use]
    pub fn time(&self, id: ActionId) -> u64 {
        let place = usize::try_from(id.number.0).unwrap_or(usize::MAX);
        let times = self.times.get(&id.pid);
        match (place.checked_sub(1), times) {
            (Some(at), Some(times)) => times.get(at).or(times.last()).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// When a signal that was never consumed was there: that of a timer only after its delay.
    #[must_use]
    pub fn there(&self, tag: Tag) -> Option<u64> {
        self.sent.get(&tag).copied()
    }

    /// For how long a receive waited that timed out.
    #[must_use]
    pub fn waited(&self, id: ActionId) -> Option<u64> {
        self.waits.get(&id).copied()
    }

    /// The `j`-th process that a process created, from 1.
    #[must_use]
    pub fn child(&self, parent: Pid, j: usize) -> Option<Pid> {
        self.children
            .get(&parent)?
            .get(j.checked_sub(1)?)
            .map(|(_, child)| *child)
    }

    /// How many actions of a process were recorded.
    #[must_use]
    pub fn length(&self, pid: Pid) -> u64 {
        self.ranks.get(&pid).map_or(0, |ranks| ranks.len() as u64)
    }
}
