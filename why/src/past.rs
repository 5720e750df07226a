//! What may explain an action, from the log alone: the receives before it, the sends of the received messages, and so on back.

use std::collections::VecDeque;

use log_format::{
    Access, Action, ActionId, ActionNo, Cut, Kind, LogStep, Pid, Resource, Result, SendNo, Tag, TestNote, Trace,
};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Session;
use session::machinery::Machinery;
use session::of_elixir::machinery;

use crate::reads::Found;
use crate::tested::Tested;

/// How many receives before an action are examined.
const RECEIVES: u64 = 12;
/// The same where replies of the group leader are among them.
const RECEIVES_OF_TESTS: u64 = 60;
/// How many actions are examined in all.
const MOST: usize = 400;
/// How many actions between the last receive and the action are examined for uses of shared resources.
const BETWEEN: u64 = 64;
/// How many of its last sends and timeouts are kept for a process.
const SENDS: usize = 8;
const TIMEOUTS: usize = 8;

/// A signal that a process consumed: by a receive, or the exit signal that ended it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The number of the action that took it.
    pub number: u64,
    /// The action that sent it; `None` for a kill by the runtime.
    pub from: Option<ActionId>,
}

/// What came before an action in its process.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// Consumed signals, latest first; the action itself may be the first of them.
    pub taken: Vec<Taken>,
    /// Are these all?
    pub all: bool,
    /// Actions since the last of them (itself included) that depend on others in another way than by a message, or on the outside.
    pub others: Vec<(u64, Action)>,
    /// Receives since the last of them that timed out, and the last sends before each.
    pub timeouts: Vec<(u64, Vec<(u64, Tag)>)>,
    /// Its last sends, in order.
    pub sends: Vec<(u64, Tag)>,
}

/// Reads pasts, each only once. What Elixir itself did is passed over.
#[derive(Debug)]
pub struct Pasts<'t> {
    trace: &'t Trace,
    machinery: &'t Machinery,
    /// What happened before a test began.
    before: Cut,
    known: FxHashMap<ActionId, Past>,
    /// The past of this action ends with this receive of its process.
    told: Option<(ActionId, ActionNo)>,
    /// What this action, which read a whole table, is about.
    key: Option<(ActionId, Access)>,
    /// Group leaders of tests: what they reply leads to nothing.
    leaders: FxHashSet<Pid>,
}

impl<'t> Pasts<'t> {
    /// The pasts of a trace. `tested`: the test that is explained.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub(crate) fn new(session: &'t Session, tested: Option<&Tested>) -> Result<Self> {
        let trace = session.trace();
        Ok(Self {
            trace,
            machinery: machinery(session),
            before: tested.map_or_else(Cut::default, Tested::before),
            known: FxHashMap::default(),
            told: None,
            key: None,
            leaders: crate::tested::leaders(trace)?,
        })
    }

    /// An action goes back to this receive of its process, and not to what came after that.
    pub(crate) fn goes_back_to(&mut self, action: ActionId, receive: ActionNo) {
        self.told = Some((action, receive));
        self.known.clear();
    }

    /// An action that read a whole table is about this key of it.
    pub(crate) fn reads(&mut self, action: ActionId, key: Access) {
        self.key = Some((action, key));
        self.known.clear();
    }

    /// The read of a whole table that is about one key of it, if there is one.
    pub(crate) const fn key(&self) -> Option<(ActionId, Access)> {
        self.key
    }

    /// What came before the `n`-th action of a process, that action included. For what happened in a test, not further back than its beginning.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn past(&mut self, pid: Pid, n: u64) -> Result<&Past> {
        let id = ActionId::new(pid, n);
        if !self.known.contains_key(&id) {
            let told = self.told.filter(|(action, _)| *action == id);
            let mut past = self.read(pid, told.map_or(n, |(_, receive)| receive.0))?;
            if let Some((read, key)) = self.key.filter(|(read, _)| read.pid == pid) {
                for (_, action) in past.others.iter_mut().filter(|(number, _)| *number == read.number.0) {
                    action.accesses.retain(|access| !access.resource.is_data());
                    action.accesses.push(key);
                }
            }
            self.known.insert(id, past);
        }
        Ok(&self.known[&id])
    }

    /// Does it tell something that this action was found to have done? That an earlier test left no process is as it should be, unless something
    /// failed because a process was missing.
    pub(crate) fn tells_of(&self, by: ActionId, found: Found, failed: bool) -> bool {
        let is_normal = !failed && matches!(found, Found::Freed | Found::Ended) && self.before.contains(by);
        !is_normal && !self.is_of_elixir(by)
    }

    /// Did Elixir itself do this?
    #[must_use]
    pub fn is_of_elixir(&self, action: ActionId) -> bool {
        self.machinery.has(action)
    }

    /// All actions that may belong to the story of one, breadth first, so that near ones come before far ones; bounded.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn candidates(&mut self, pid: Pid, n: u64) -> Result<Vec<ActionId>> {
        let mut found = vec![ActionId::new(pid, n)];
        let mut queue = VecDeque::from([ActionId::new(pid, n)]);
        let mut seen: rustc_hash::FxHashSet<ActionId> = found.iter().copied().collect();
        while let Some(ActionId { pid, number }) = queue.pop_front() {
            if found.len() >= MOST {
                break;
            }
            if number == ActionNo(0) {
                continue;
            }
            let own = |n: u64| ActionId::new(pid, n);
            let Past {
                taken,
                all,
                others,
                timeouts,
                sends: _,
            } = self.past(pid, number.0)?.clone();
            let mut next: Vec<ActionId> = Vec::new();
            for one in &taken {
                next.push(own(one.number));
                next.extend(one.from);
            }
            next.extend(others.iter().map(|(number, _)| own(*number)));
            for (number, asked) in timeouts {
                next.push(own(number));
                next.extend(asked.iter().map(|(n, _)| own(*n)));
            }
            // What a timer ended begins with what was sent before the timer was set.
            if let Some(set) = taken.first().and_then(|one| one.from).filter(|from| from.pid == pid) {
                next.extend(self.past(pid, set.number.0)?.sends.iter().map(|(n, _)| own(*n)));
            }
            next.extend(others.iter().flat_map(|(_, action)| order(action)));
            if all {
                next.extend(self.trace.process(pid)?.parent);
            }
            for one in next {
                if one.number > ActionNo(0) && seen.insert(one) {
                    found.push(one);
                    // The walk has already covered this process, but not what led to a signal to itself.
                    if one.pid != pid || taken.iter().any(|taken| taken.from == Some(one)) {
                        queue.push_back(one);
                    }
                }
            }
        }
        Ok(found)
    }

    fn read(&self, pid: Pid, n: u64) -> Result<Past> {
        let (trace, leaders, machinery) = (self.trace, &self.leaders, self.machinery);
        if n == 0 {
            return Ok(Past {
                all: true,
                ..Past::default()
            });
        }
        let mut log = trace.log(pid)?.without_values();
        let before = log.seek(ActionNo(n + 1))?;
        let most = if leaders.is_empty() && machinery.is_empty() {
            RECEIVES
        } else {
            RECEIVES_OF_TESTS
        };
        let first = before.receives.saturating_sub(most - 1).max(1);
        let mut past = Past {
            all: first == 1,
            ..Past::default()
        };
        let mut log = trace.log(pid)?.without_values();
        // It may also have sent something before its first receive.
        if first > 1 {
            log.seek_receive(first)?;
            let number = log.counts().actions;
            if let Kind::Rec(tag) = trace.action(pid, ActionNo(number))?.kind
                && !of_leader(leaders, tag)
                && !machinery.has(ActionId::new(pid, number))
            {
                past.take(trace, number, tag)?;
            }
        }
        while log.counts().actions < n {
            let left = n - log.counts().actions;
            let (number, action) = match log.step(left)? {
                None => break,
                Some(LogStep::Sends(n)) => {
                    let counts = log.counts();
                    past.sent(machinery, pid, counts.actions, counts.sends, n);
                    continue;
                }
                Some(LogStep::Action(action)) => {
                    let action = action.clone();
                    (log.counts().actions, action)
                }
            };
            if matches!(action.kind, Kind::Send) {
                past.sent(machinery, pid, number, log.counts().sends, 1);
            }
            if machinery.has(ActionId::new(pid, number)) && !matches!(action.kind, Kind::Test { .. }) {
                continue;
            }
            match &action.kind {
                Kind::After => {
                    past.timeouts.push((number, past.sends.clone()));
                    if past.timeouts.len() > TIMEOUTS {
                        past.timeouts.remove(0);
                    }
                }
                Kind::Rec(tag) if of_leader(leaders, *tag) => {}
                // Earlier tests of the process are other stories.
                Kind::Test {
                    note: TestNote::Began, ..
                } => past = Past::default(),
                Kind::Rec(tag) | Kind::Signal { tag, .. } => {
                    past.others.clear();
                    past.timeouts.clear();
                    past.take(trace, number, *tag)?;
                }
                Kind::Input { .. } | Kind::Observe { .. } => past.others.push((number, action)),
                _ if order(&action).next().is_some() || looks_for_name(&action) => past.others.push((number, action)),
                _ => {}
            }
            if past.others.len() as u64 > BETWEEN {
                past.others.remove(0);
            }
        }
        past.taken.reverse();
        past.taken.truncate(RECEIVES as usize);
        Ok(past)
    }
}

/// The actions that an action depends on by a shared resource or an observation.
pub fn order(action: &Action) -> impl Iterator<Item = ActionId> + '_ {
    // Who prints where decides nothing.
    let accesses = action.accesses.iter();
    let is_leader = accesses.filter(|access| !access.write && matches!(access.resource, Resource::GroupLeader(_)));
    let leaders: Vec<ActionId> = is_leader.filter_map(|access| access.by).collect();
    action.read_from().filter(move |by| !leaders.contains(by))
}

/// If a name, or the name of a table, was free, no write is a cause of that. It is shown all the same if something failed because of it.
fn looks_for_name(action: &Action) -> bool {
    let mut accesses = action.accesses.iter();
    accesses.any(|access| !access.write && matches!(access.resource, Resource::Name(_) | Resource::Other(_)))
}

/// Was it sent by the group leader of a test?
fn of_leader(leaders: &FxHashSet<Pid>, tag: Tag) -> bool {
    tag.sender().is_some_and(|by| leaders.contains(&by))
}

impl Past {
    /// Consecutive sends; the last of them has these numbers.
    fn sent(&mut self, machinery: &Machinery, by: Pid, number: u64, k: u64, n: u64) {
        for back in (0..n.min(SENDS as u64)).rev() {
            if machinery.has(ActionId::new(by, number - back)) {
                continue;
            }
            let tag = Tag::Sent {
                by,
                k: SendNo(k - back),
            };
            self.sends.push((number - back, tag));
        }
        let skip = self.sends.len().saturating_sub(SENDS);
        self.sends.drain(..skip);
    }

    fn take(&mut self, trace: &Trace, number: u64, tag: log_format::Tag) -> Result<()> {
        let from = trace.find_send(tag)?;
        self.taken.push(Taken { number, from });
        Ok(())
    }
}
