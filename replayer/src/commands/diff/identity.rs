//! Which process of one run is which of another: the j-th child of the same parent that was spawned to run the same function. Numbers of processes are
//! given out in the order of all spawns of a run, which is a matter of chance.

use std::collections::VecDeque;
use std::sync::Arc;

use check::kin::{Shapes, Spawned};
use log_format::{Access, Action, ActionId, Kind, LogStep, ObjectId, Pid, Resource, Tag, Trace};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use system::observer::{ActionEvent, Ending, Observer};

use crate::spoken::ready;

/// A run of more actions is not replayed to see what its processes run.
const SMALL: u64 = 1_000_000;

/// What processes were spawned to run ([`Spawned::function`]), as far as a replay tells. What a process does later does not count: it can differ.
pub type Labels = FxHashMap<Pid, u64>;

/// Notes what is spawned.
#[derive(Default)]
struct Births {
    shapes: Shapes,
    labels: Labels,
}

impl Observer for Births {
    type Log = ();

    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}

    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        if let Kind::Spawn { child, .. } = event.action.kind {
            let native = event.program.native(event.native);
            let spawned = Spawned::of(native, event.machine, event.program, &self.shapes);
            self.labels.insert(child, spawned.function());
        }
    }

    fn plain_send(&mut self, (): &mut ()) -> bool {
        true
    }

    fn plain_rec(&mut self, (): &mut (), _: Tag) -> bool {
        true
    }

    fn ended(&mut self, (): &mut (), _: &Ending<'_>) {}
}

/// What the processes of a run were spawned to run, where it can be replayed: its program may not be in the trace.
#[must_use]
pub fn labels(trace: &Arc<Trace>) -> Labels {
    if trace.totals().counts.actions > SMALL {
        return Labels::default();
    }
    let births = || -> Result<Labels, Error> {
        let session = ready(Session::of(Arc::clone(trace))?);
        let system = session.replay(&session::Goal::everything(), Births::default())?;
        Ok(system.into_observer().labels)
    };
    births().unwrap_or_default()
}

/// The processes of a second run by those of the first.
#[derive(Debug, Default)]
pub struct Kin {
    /// For each process of the second run that of the first, or a number that the first does not have.
    in_first: FxHashMap<Pid, Pid>,
    /// The other way round, of those that are in both.
    in_second: FxHashMap<Pid, Pid>,
}

impl Kin {
    /// Matches the processes of two runs.
    ///
    /// # Errors
    /// If a trace is damaged.
    pub fn of(a: &Trace, b: &Trace, run: (&Labels, &Labels)) -> Result<Self, Error> {
        let mut kin = Self::default();
        let mut queue = VecDeque::new();
        let (in_a, in_b) = (children(a)?, children(b)?);
        // The entry, and whoever else has no parent.
        for process in a.processes() {
            let process = process?;
            if process.parent.is_none() && b.has(process.pid)? && b.process(process.pid)?.parent.is_none() {
                queue.push_back((process.pid, process.pid));
            }
        }
        while let Some((one, other)) = queue.pop_front() {
            kin.in_first.insert(other, one);
            kin.in_second.insert(one, other);
            let none = Vec::new();
            let (of_one, of_other) = (in_a.get(&one).unwrap_or(&none), in_b.get(&other).unwrap_or(&none));
            queue.extend(matched(of_one, of_other, run));
        }
        let mut left = 0;
        for process in b.processes() {
            let pid = process?.pid;
            kin.in_first.entry(pid).or_insert_with(|| {
                left += 1;
                Pid(u64::MAX - left)
            });
        }
        Ok(kin)
    }

    /// The process of the second run that is this one of the first.
    #[must_use]
    pub fn in_second(&self, pid: Pid) -> Option<Pid> {
        self.in_second.get(&pid).copied()
    }

    /// Is this process of the second run in the first, too?
    #[must_use]
    pub fn is_in_both(&self, pid: Pid) -> bool {
        self.in_first
            .get(&pid)
            .is_some_and(|one| self.in_second.get(one) == Some(&pid))
    }

    /// The process of the first run that is this one of the second.
    #[must_use]
    pub fn in_first(&self, pid: Pid) -> Pid {
        self.in_first.get(&pid).copied().unwrap_or(pid)
    }

    /// An action of the second run as the first would name it.
    #[must_use]
    pub fn translated(&self, action: &Action) -> Action {
        let kind = match &action.kind {
            Kind::Spawn { child, node } => Kind::Spawn {
                child: self.in_first(*child),
                node: *node,
            },
            Kind::SpawnFailed { child, node } => Kind::SpawnFailed {
                child: self.in_first(*child),
                node: *node,
            },
            Kind::Rec(tag) => Kind::Rec(self.translated_tag(*tag)),
            Kind::Signal { tag, events, waiting } => Kind::Signal {
                tag: self.translated_tag(*tag),
                events: *events,
                waiting: *waiting,
            },
            Kind::Drop { tag, value } => Kind::Drop {
                tag: tag.map(|tag| self.translated_tag(tag)),
                value: value.clone(),
            },
            Kind::Observe { of, value } => Kind::Observe {
                of: of.map(|id| self.action(id)),
                value: value.clone(),
            },
            other => other.clone(),
        };
        Action {
            kind,
            accesses: action.accesses.iter().map(|access| self.access(access)).collect(),
            ..action.clone()
        }
    }

    /// The processes that an action names.
    #[must_use]
    pub fn named(action: &Action) -> Vec<Pid> {
        let mut pids = Vec::new();
        match &action.kind {
            Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. } => pids.push(*child),
            Kind::Rec(tag) | Kind::Signal { tag, .. } | Kind::Drop { tag: Some(tag), .. } => pids.extend(tag.sender()),
            Kind::Observe { of: Some(id), .. } => pids.push(id.pid),
            _ => {}
        }
        pids.extend(action.accesses.iter().filter_map(|access| access.by).map(|id| id.pid));
        pids.dedup();
        pids
    }

    fn action(&self, id: ActionId) -> ActionId {
        ActionId {
            pid: self.in_first(id.pid),
            number: id.number,
        }
    }

    fn object(&self, object: ObjectId) -> ObjectId {
        ObjectId {
            creator: self.in_first(object.creator),
            k: object.k,
        }
    }

    fn access(&self, access: &Access) -> Access {
        Access {
            resource: self.resource(access.resource),
            by: access.by.map(|id| self.action(id)),
            ..*access
        }
    }

    /// A resource of the second run as the first would name it.
    #[must_use]
    pub fn resource(&self, resource: Resource) -> Resource {
        match resource {
            Resource::Alive(pid) => Resource::Alive(self.in_first(pid)),
            Resource::GroupLeader(pid) => Resource::GroupLeader(self.in_first(pid)),
            Resource::Table(table) => Resource::Table(self.object(table)),
            Resource::TableContents(table) => Resource::TableContents(self.object(table)),
            Resource::TableKey { table, key } => Resource::TableKey {
                table: self.object(table),
                key,
            },
            Resource::Counter { array, index } => Resource::Counter {
                array: self.object(array),
                index,
            },
            other => other,
        }
    }

    /// The signal of the second run as the first would name it.
    #[must_use]
    pub fn translated_tag(&self, tag: Tag) -> Tag {
        tag.renamed(|pid| self.in_first(pid))
    }
}

/// The children of each process, in the order in which it created them.
fn children(trace: &Trace) -> Result<FxHashMap<Pid, Vec<Pid>>, Error> {
    let mut children: FxHashMap<Pid, Vec<Pid>> = FxHashMap::default();
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            if let LogStep::Action(action) = step
                && let Kind::Spawn { child, .. } = action.kind
            {
                children.entry(pid).or_default().push(child);
            }
        }
    }
    Ok(children)
}

/// The children of one parent in two runs, those that run the same in their order; of the others those of which a replay does not tell.
fn matched(one: &[Pid], other: &[Pid], run: (&Labels, &Labels)) -> Vec<(Pid, Pid)> {
    let known = !run.0.is_empty() && !run.1.is_empty();
    let label = |labels: &'_ Labels, pid: &Pid| -> Option<u64> { labels.get(pid).filter(|_| known).copied() };
    let mut waiting: FxHashMap<Option<u64>, VecDeque<Pid>> = FxHashMap::default();
    for pid in one {
        waiting.entry(label(run.0, pid)).or_default().push_back(*pid);
    }
    let mut pairs = Vec::new();
    for pid in other {
        let same = waiting.get_mut(&label(run.1, pid)).and_then(VecDeque::pop_front);
        pairs.extend(same.map(|one| (one, *pid)));
    }
    pairs
}
