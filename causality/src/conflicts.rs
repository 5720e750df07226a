//! What the conflict order `→` needs beyond `⇒` (semantics.md §3, rules 6 and 7): all uses of every resource, by version.
//!
//! Rule 8 (a `drop` and a `rec` of one signal by different processes, and what a `drop(none)` missed) is not included, because the log alone
//! does not determine it.

use log_format::{Access, Action, ActionId, Kind, Pid, Resource, Result, Trace, Version};
use rustc_hash::FxHashMap;

use crate::direct::CauseNeed;

/// One use of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ResourceUse {
    pub version: Version,
    /// In one version, reads come after writes.
    pub read: bool,
    pub action: ActionId,
}

/// All uses of all resources in a trace. Memory grows with their number.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// invariant: sorted; by version, writes before reads.
    pub(crate) uses: FxHashMap<Resource, Vec<ResourceUse>>,
    /// For each action, the observations of its process's private state that were made before it.
    observers: FxHashMap<ActionId, Vec<ActionId>>,
}

/// For each resource, how many of its uses a walk back has already requested.
#[derive(Debug, Default)]
pub(crate) struct RequestedUses {
    before_write: FxHashMap<Resource, usize>,
    before_read: FxHashMap<Resource, usize>,
}

/// The accesses of an action, including the implied ones: a spawn writes the life of its child, an end that of its process; a write of a key
/// makes a version of the table's contents.
pub fn accesses(pid: Pid, action: &Action) -> impl Iterator<Item = Access> + '_ {
    let implied = match &action.kind {
        Kind::Spawn { child, .. } => Some(Access::write(Resource::Alive(*child), Version(1))),
        Kind::Signal { .. } | Kind::Exit { .. } => Some(Access::write(Resource::Alive(pid), Version(2))),
        _ => None,
    };
    let contents = action.accesses.iter().filter_map(|access| match access.resource {
        Resource::TableKey { table, .. } if access.write => {
            Some(Access::write(Resource::TableContents(table), access.version))
        }
        _ => None,
    });
    action.accesses.iter().copied().chain(contents).chain(implied)
}

/// Do the writes of this resource have no order among themselves? Those of different keys of a table have none; those of one key are ordered by
/// that key.
#[must_use]
pub const fn writes_commute(resource: Resource) -> bool {
    matches!(resource, Resource::TableContents(_))
}

/// Does the order of two uses of this resource matter in itself? One of them writes, and if both do, the writes of this resource have an order.
///
/// All who ask whether steps can be exchanged ask here. What some of them ask besides:
///
/// - a trace, and a search that takes back, know versions: of two uses in conflict, that of the earlier version comes first ([`Conflicts`],
///   `session::player::future`);
/// - the search by graphs knows the order in which its events stand;
/// - the races that `check` lists are pairs of which the *later* one writes, because to read what another one wrote is to be caused by it (rule 4), and no
///   race; and only of resources on whose contents a program bases decisions;
/// - a process that follows a log waits only for its causes, `⇒`: a use that is only in conflict keeps nobody waiting (`system`, `state/order`).
///
/// ```
/// use causality::uses_conflict;
/// use log_format::{ObjectId, Pid, Resource};
///
/// let life = Resource::Alive(Pid(7));
/// assert!(uses_conflict(life, true, false) && !uses_conflict(life, false, false));
/// // Inserts of different keys can be exchanged, but not an insert and a look at the whole table.
/// let contents = Resource::TableContents(ObjectId { creator: Pid(1), k: 1 });
/// assert!(!uses_conflict(contents, true, true) && uses_conflict(contents, true, false));
/// ```
#[must_use]
pub const fn uses_conflict(resource: Resource, one_writes: bool, other_writes: bool) -> bool {
    match (one_writes, other_writes) {
        (true, true) => !writes_commute(resource),
        (one, other) => one || other,
    }
}

/// Does the order of these two actions, of different processes, matter in itself: have they uses in conflict, those that are implied included
/// ([`accesses`]), or does one observe the other's process (rule 7)?
#[must_use]
pub fn are_in_conflict((a, early): (ActionId, &Action), (b, late): (ActionId, &Action)) -> bool {
    let observes =
        |action: &Action, of: Pid| matches!(action.kind, Kind::Observe { of: Some(one), .. } if one.pid == of);
    if observes(early, b.pid) || observes(late, a.pid) {
        return true;
    }
    accesses(a.pid, early).any(|one| {
        accesses(b.pid, late)
            .any(|other| one.resource == other.resource && uses_conflict(one.resource, one.write, other.write))
    })
}

/// Does this use, one of [`Conflicts::before`], really come before this access?
pub(crate) const fn precedes(one: &ResourceUse, access: &Access) -> bool {
    uses_conflict(access.resource, !one.read, access.write)
}

impl Conflicts {
    /// Collects the uses from every log.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn scan(trace: &Trace) -> Result<Self> {
        let mut conflicts = Self::default();
        for process in trace.processes() {
            let pid = process?.pid;
            let mut log = trace.log(pid)?.without_values();
            loop {
                let name = ActionId::new(pid, log.counts().actions + 1);
                let Some(step) = log.step(u64::MAX)? else {
                    break;
                };
                if let log_format::LogStep::Action(action) = step {
                    conflicts.add(name, action);
                }
            }
        }
        for uses in conflicts.uses.values_mut() {
            uses.sort_unstable();
            uses.dedup();
        }
        Ok(conflicts)
    }

    fn add(&mut self, name: ActionId, action: &Action) {
        for access in accesses(name.pid, action) {
            let one = ResourceUse {
                version: access.version,
                read: !access.write,
                action: name,
            };
            self.uses.entry(access.resource).or_default().push(one);
        }
        if let Kind::Observe { of: Some(of), .. } = &action.kind {
            self.observers
                .entry(ActionId::new(of.pid, of.number.0.saturating_add(1)))
                .or_default()
                .push(name);
        }
    }

    /// The observations of a process's state that were made before this action: rule 7.
    pub(crate) fn observers(&self, name: ActionId) -> impl Iterator<Item = ActionId> + '_ {
        self.observers.get(&name).into_iter().flatten().copied()
    }

    /// The uses of a resource that may come before a use of it: for a write, all of earlier versions; for a read, the writes up to its version.
    pub(crate) fn before(&self, access: &Access) -> &[ResourceUse] {
        let Some(uses) = self.uses.get(&access.resource) else {
            return &[];
        };
        let end = if access.write {
            uses.partition_point(|one| one.version < access.version)
        } else {
            uses.partition_point(|one| (one.version, one.read) < (access.version, true))
        };
        &uses[..end]
    }

    /// Appends what an action needs by rule 6 and this walk has not requested yet.
    pub(crate) fn needs(&self, pid: Pid, action: &Action, progress: &mut RequestedUses, into: &mut Vec<CauseNeed>) {
        for access in accesses(pid, action) {
            let before = self.before(&access);
            let asked = if access.write {
                &mut progress.before_write
            } else {
                &mut progress.before_read
            };
            let asked = asked.entry(access.resource).or_default();
            for one in before.iter().skip(*asked) {
                if precedes(one, &access) {
                    into.push(CauseNeed::Action(one.action));
                }
            }
            *asked = before.len().max(*asked);
        }
    }

    /// The actions that come directly before an action by rules 6 and 7: for a write, the uses of the version before; for a read, the writes of
    /// its version; and the observations of its process's state.
    ///
    /// # Errors
    /// If there is no such action, or the trace is damaged.
    pub fn direct(&self, trace: &Trace, name: ActionId) -> Result<Vec<(ActionId, Option<Resource>)>> {
        let pid = name.pid;
        let action = trace.action(pid, name.number)?;
        let mut found: Vec<_> = self.observers(name).map(|by| (by, None)).collect();
        for access in accesses(pid, &action) {
            let before = self.before(&access);
            let Some(last) = before.iter().rev().find(|one| precedes(one, &access)) else {
                continue;
            };
            // If writes have no order, each one comes directly before.
            let all = writes_commute(access.resource);
            let direct = before.iter().rev().take_while(|one| all || one.version == last.version);
            let wanted = direct.filter(|one| precedes(one, &access) && one.action != name);
            found.extend(wanted.map(|one| (one.action, Some(access.resource))));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use log_format::{ActionNo, ObjectId};

    use super::*;

    const A: ActionId = ActionId::new(Pid(1), 3);
    const B: ActionId = ActionId::new(Pid(2), 5);
    const TABLE: ObjectId = ObjectId { creator: Pid(1), k: 1 };
    const KEY: Resource = Resource::TableKey { table: TABLE, key: 7 };
    const OTHER_KEY: Resource = Resource::TableKey { table: TABLE, key: 8 };
    const ALL: Resource = Resource::TableContents(TABLE);

    fn action(kind: Kind, accesses: Vec<Access>) -> Action {
        Action {
            kind,
            accesses,
            sends: 0,
        }
    }

    fn uses(accesses: Vec<Access>) -> Action {
        action(Kind::Access, accesses)
    }

    fn conflict(one: &Action, other: &Action) -> bool {
        let there = are_in_conflict((A, one), (B, other));
        assert_eq!(there, are_in_conflict((B, other), (A, one)), "it has no direction");
        there
    }

    #[test]
    fn one_use_has_to_write() {
        for (one, other, matters) in [
            (false, false, false),
            (true, false, true),
            (false, true, true),
            (true, true, true),
        ] {
            assert_eq!(uses_conflict(KEY, one, other), matters, "{one} {other}");
        }
        // Writes of different keys have no order among themselves, and each matters to who looks at all of them.
        assert!(!uses_conflict(ALL, true, true));
        assert!(uses_conflict(ALL, true, false) && uses_conflict(ALL, false, true));
    }

    #[test]
    fn actions_conflict_by_what_they_use() {
        let writes = |resource| uses(vec![Access::write(resource, Version(1))]);
        let reads = |resource| uses(vec![Access::read(resource, Version(0), None)]);
        assert!(conflict(&writes(KEY), &writes(KEY)) && conflict(&writes(KEY), &reads(KEY)));
        assert!(!conflict(&reads(KEY), &reads(KEY)) && !conflict(&writes(KEY), &writes(OTHER_KEY)));
        assert!(!conflict(&writes(KEY), &uses(Vec::new())));
        // A write of a key is one of the contents, too; two of them can be exchanged.
        assert!(conflict(&writes(KEY), &reads(ALL)) && conflict(&reads(ALL), &writes(OTHER_KEY)));
    }

    #[test]
    fn births_and_ends_are_writes_of_a_life() {
        let looks = |pid| uses(vec![Access::read(Resource::Alive(pid), Version(1), None)]);
        let ends = action(
            Kind::Exit {
                class: log_format::ExitClass::Normal,
            },
            Vec::new(),
        );
        assert!(conflict(&ends, &looks(A.pid)));
        assert!(!conflict(&ends, &looks(Pid(9))));
    }

    #[test]
    fn an_observation_conflicts_with_all_that_its_process_does() {
        let observes = |pid| {
            let of = Some(ActionId {
                pid,
                number: ActionNo(4),
            });
            action(Kind::Observe { of, value: Vec::new() }, Vec::new())
        };
        let plain = action(Kind::Send, Vec::new());
        assert!(conflict(&observes(B.pid), &plain));
        assert!(!conflict(&observes(Pid(9)), &plain));
    }
}
