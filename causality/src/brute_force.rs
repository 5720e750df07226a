//! The orders again, written straight from semantics.md §3 without regard to cost: every log in memory, every pair an edge. Tests compare the
//! fast versions with it; not for large traces.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Action, ActionId, ActionNo, Kind, Pid, Resource, Result, Tag, Trace, Version};

/// All logs of a trace, with their edges.
#[derive(Debug)]
pub struct BruteForce {
    logs: BTreeMap<Pid, Vec<Action>>,
    before: BTreeMap<ActionId, BTreeSet<ActionId>>,
}

impl BruteForce {
    /// With the edges of the cause `⇒`.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn causes(trace: &Trace) -> Result<Self> {
        let mut all = Self {
            logs: BTreeMap::new(),
            before: BTreeMap::new(),
        };
        for process in trace.processes() {
            let pid = process?.pid;
            let log = trace
                .log(pid)?
                .map(|action| action.map(|(_, action)| action))
                .collect::<Result<Vec<_>>>()?;
            all.logs.insert(pid, log);
        }
        for (pid, log) in &all.logs {
            for (i, action) in log.iter().enumerate() {
                let here = id(*pid, i);
                let before = all.before.entry(here).or_default();
                // (1) program order
                if i > 0 {
                    before.insert(id(*pid, i - 1));
                }
                // (2) the spawn of the process
                before.extend(birth(&all.logs, *pid));
                // (3) the send of what was consumed
                let tag = match &action.kind {
                    Kind::Rec(tag) | Kind::Signal { tag, .. } => Some(*tag),
                    Kind::Drop { tag, .. } => *tag,
                    _ => None,
                };
                before.extend(tag.and_then(|tag| send(&all.logs, tag)));
                // (4) the writes that can be seen, (5) the state that was observed
                let seen = action.accesses.iter().filter_map(|access| access.by);
                let observed = match &action.kind {
                    Kind::Observe { of, .. } => *of,
                    _ => None,
                };
                for by in seen.chain(observed) {
                    if by.number == ActionNo(0) {
                        before.extend(birth(&all.logs, by.pid));
                    } else {
                        before.insert(by);
                    }
                }
            }
        }
        Ok(all)
    }

    /// With the edges of the conflict order `→`, rules 6 and 7.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn conflicts(trace: &Trace) -> Result<Self> {
        let mut all = Self::causes(trace)?;
        let mut uses: Vec<(Resource, Version, bool, ActionId)> = Vec::new();
        let mut edges = Vec::new();
        for (pid, log) in &all.logs {
            for (i, action) in log.iter().enumerate() {
                let here = id(*pid, i);
                for access in &action.accesses {
                    uses.push((access.resource, access.version, access.write, here));
                    // A write of a key also makes a version of the table's contents.
                    if let (true, Resource::TableKey { table, .. }) = (access.write, access.resource) {
                        uses.push((Resource::TableContents(table), access.version, true, here));
                    }
                }
                match &action.kind {
                    Kind::Spawn { child, .. } => uses.push((Resource::Alive(*child), Version(1), true, here)),
                    Kind::Exit { .. } | Kind::Signal { .. } => {
                        uses.push((Resource::Alive(*pid), Version(2), true, here))
                    }
                    // (7)
                    Kind::Observe { of: Some(of), .. } => edges.push((here, ActionId::new(of.pid, of.number.0 + 1))),
                    _ => {}
                }
            }
        }
        // (6)
        for (r, v, write, a) in &uses {
            for (s, w, other, b) in &uses {
                let ordered = match (write, other) {
                    // Writes of different keys have no order; writes of one key are ordered by that key.
                    (true, true) if matches!(r, Resource::TableContents(_)) => false,
                    (true, true) | (false, true) => v < w,
                    (true, false) => v <= w,
                    (false, false) => false,
                };
                if r == s && ordered && a != b {
                    edges.push((*a, *b));
                }
            }
        }
        for (from, to) in edges {
            if let Some(before) = all.before.get_mut(&to) {
                before.insert(from);
            }
        }
        Ok(all)
    }

    /// Every action.
    pub fn actions(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        self.logs
            .iter()
            .flat_map(|(pid, log)| log.iter().enumerate().map(|(i, action)| (id(*pid, i), action)))
    }

    /// What comes directly before an action.
    #[must_use]
    pub fn direct(&self, action: ActionId) -> BTreeSet<ActionId> {
        self.before.get(&action).cloned().unwrap_or_default()
    }

    /// The past of an action, itself included.
    #[must_use]
    pub fn past(&self, action: ActionId) -> BTreeSet<ActionId> {
        let mut past = BTreeSet::new();
        let mut next = vec![action];
        while let Some(action) = next.pop() {
            if past.insert(action) {
                next.extend(self.before.get(&action).into_iter().flatten());
            }
        }
        past
    }

    /// The future of an action, itself included.
    #[must_use]
    pub fn future(&self, action: ActionId) -> BTreeSet<ActionId> {
        let mut future = BTreeSet::from([action]);
        loop {
            let reached = self
                .before
                .iter()
                .filter(|(_, before)| !before.is_disjoint(&future))
                .map(|(action, _)| *action);
            let larger: BTreeSet<ActionId> = future.iter().copied().chain(reached).collect();
            if larger.len() == future.len() {
                return future;
            }
            future = larger;
        }
    }
}

const fn id(pid: Pid, i: usize) -> ActionId {
    ActionId::new(pid, i as u64 + 1)
}

/// The action that created a process.
fn birth(logs: &BTreeMap<Pid, Vec<Action>>, pid: Pid) -> Option<ActionId> {
    logs.iter().find_map(|(parent, log)| {
        let i = log
            .iter()
            .position(|action| matches!(action.kind, Kind::Spawn { child, .. } if child == pid))?;
        Some(id(*parent, i))
    })
}

/// The action that put a signal in flight.
fn send(logs: &BTreeMap<Pid, Vec<Action>>, tag: Tag) -> Option<ActionId> {
    match tag {
        Tag::Sent { by, k } => {
            let mut sent = 0;
            let i = logs[&by].iter().position(|action| {
                sent += u64::from(action.sends);
                sent >= k.0
            })?;
            Some(id(by, i))
        }
        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
            Some(ActionId::new(by, logs[&by].len() as u64))
        }
        Tag::Limit { .. } => None,
    }
}
