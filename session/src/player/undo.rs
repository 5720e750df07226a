//! Which actions must be undone together with given ones: all and only their consequences [GV21, LNPV18, FLS21], among those done since a
//! consistent cut. Nothing in the cut depends on what came after it, so the cost grows with what came after.

use log_format::{ActionId, ActionNo, Cut, Error, Pid, SendNo, Tag};
use rustc_hash::FxHashMap;

use super::history::History;
use super::suffixes::Suffixes;

/// What an action depends on, as a position in the log of another process.
#[derive(Clone, Copy, Debug)]
enum UndoNeed {
    Action(u64),
    Sent(u64),
}

/// What depends on a process: what is needed of it, by which process, and by which action. Lost dependants are popped off the end, so each is
/// examined once, however often more of the process is undone.
#[derive(Debug, Default)]
struct Dependants {
    /// By action, ascending.
    actions: Vec<(u64, ActionId)>,
    /// By signal, ascending.
    sends: Vec<(u64, ActionId)>,
}

impl Dependants {
    fn add(&mut self, need: UndoNeed, who: ActionId) {
        match need {
            UndoNeed::Action(n) => self.actions.push((n, who)),
            UndoNeed::Sent(k) => self.sends.push((k, who)),
        }
    }

    fn sort(&mut self) {
        self.actions.sort_unstable();
        self.sends.sort_unstable();
    }

    /// Pops the dependants that need this action or a later one, or a signal after `kept`.
    fn lose(&mut self, action: u64, kept: u64, lost: &mut Vec<ActionId>) {
        while let Some((_, who)) = self.actions.pop_if(|(n, _)| *n >= action) {
            lost.push(who);
        }
        while let Some((_, who)) = self.sends.pop_if(|(k, _)| *k > kept) {
            lost.push(who);
        }
    }
}

/// The dependencies between the actions of two cuts.
pub struct Region<'h> {
    history: &'h History,
    now: &'h Cut,
    dependants: FxHashMap<Pid, Dependants>,
    /// For each process, the number of signals sent up to each action of the region.
    sends: FxHashMap<Pid, Vec<(u64, u64)>>,
}

impl<'h> Region<'h> {
    /// Reads the actions between two cuts.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of(history: &'h History, before: &Cut, now: &'h Cut) -> Result<Self, Error> {
        let mut dependants: FxHashMap<Pid, Dependants> = FxHashMap::default();
        let mut sends: FxHashMap<Pid, Vec<(u64, u64)>> = FxHashMap::default();
        for ActionId {
            pid,
            number: ActionNo(to),
        } in now.besides(before)
        {
            let from = before.get(pid);
            if from >= to {
                continue;
            }
            if from == 0
                && let Some(spawn) = history.parent(pid)?
            {
                let needed = dependants.entry(spawn.pid).or_default();
                needed.add(UndoNeed::Action(spawn.number.0), ActionId::new(pid, 1));
            }
            let entries = history.stretch(pid, from, to)?;
            let counts = entries.iter().map(|entry| (entry.number, entry.sends));
            sends.insert(pid, counts.collect());
            for entry in entries {
                let me = ActionId::new(pid, entry.number);
                let mut add = |of: Pid, need: UndoNeed| {
                    if of != pid {
                        dependants.entry(of).or_default().add(need, me);
                    }
                };
                if let Some(tag) = entry.action.kind.consumed() {
                    match tag {
                        Tag::Sent { by, k: SendNo(k) } => add(by, UndoNeed::Sent(k)),
                        // What an end sends needs the last action of the process.
                        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => {
                            add(by, UndoNeed::Action(now.get(by)));
                        }
                        Tag::Limit { .. } => {}
                    }
                }
                for ActionId { pid: by, number: n } in entry.action.read_from() {
                    if n.0 > 0 {
                        add(by, UndoNeed::Action(n.0));
                    } else if let Some(spawn) = history.parent(by)? {
                        add(spawn.pid, UndoNeed::Action(spawn.number.0));
                    }
                }
            }
        }
        dependants.values_mut().for_each(Dependants::sort);
        Ok(Self {
            history,
            now,
            dependants,
            sends,
        })
    }

    /// How many signals of a process remain sent when it is undone from an action on.
    fn kept(&self, pid: Pid, n: u64) -> Result<u64, Error> {
        let counts = self.sends.get(&pid).map_or(&[][..], Vec::as_slice);
        let at = counts.partition_point(|(number, _)| *number < n);
        Ok(match at.checked_sub(1) {
            Some(last) => counts[last].1,
            None => match counts.first() {
                Some((number, sends)) => sends - u64::from(self.history.action(pid, *number)?.sends),
                None => u64::MAX,
            },
        })
    }

    /// What is undone when `targets` are: their ⇒-future.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn undone(mut self, targets: impl IntoIterator<Item = ActionId>) -> Result<Suffixes, Error> {
        let mut undone = Suffixes::default();
        let mut next: Vec<ActionId> = targets.into_iter().collect();
        while let Some(one) = next.pop() {
            if undone.contains(one) {
                continue;
            }
            undone.add(one);
            let (pid, n) = (one.pid, one.number.0);
            let kept = self.kept(pid, n)?;
            if let Some(dependants) = self.dependants.get_mut(&pid) {
                dependants.lose(n, kept, &mut next);
            }
        }
        Ok(undone)
    }

    /// How many actions are undone together with this one, if fewer than `limit`.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn cost(&self, target: ActionId, limit: u64) -> Result<Option<u64>, Error> {
        let mut undone: FxHashMap<Pid, (u64, u64)> = FxHashMap::default();
        let mut next = vec![target];
        let mut cost = 0;
        while let Some(ActionId {
            pid,
            number: ActionNo(n),
        }) = next.pop()
        {
            let end = self.now.get(pid) + 1;
            let (first, known) = undone.get(&pid).copied().unwrap_or((end, u64::MAX));
            if n >= first {
                continue;
            }
            cost += first - n;
            if cost >= limit {
                return Ok(None);
            }
            let kept = self.kept(pid, n)?;
            undone.insert(pid, (n, kept));
            let Some(Dependants { actions, sends }) = self.dependants.get(&pid) else {
                continue;
            };
            // The dependants of what had been undone before are known.
            let upto = if first == end { u64::MAX } else { first };
            let from = actions.partition_point(|(of, _)| *of < n);
            let lost = actions[from..].iter().take_while(|(of, _)| *of < upto);
            next.extend(lost.map(|(_, who)| *who));
            let from = sends.partition_point(|(k, _)| *k <= kept);
            let lost = sends[from..].iter().take_while(|(k, _)| *k <= known);
            next.extend(lost.map(|(_, who)| *who));
        }
        Ok(Some(cost))
    }
}

/// What is undone when `targets` are: their ⇒-future within `now`. `before` is a cut that contains none of them.
///
/// # Errors
/// If the trace is damaged.
pub fn undone(
    history: &History,
    before: &Cut,
    now: &Cut,
    targets: impl IntoIterator<Item = ActionId>,
) -> Result<Suffixes, Error> {
    Region::of(history, before, now)?.undone(targets)
}
