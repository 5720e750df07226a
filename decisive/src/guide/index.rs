//! What the processes of a continuation can do, so that a step looks only at those that have changed since the last one.
//!
//! A process is *looked for in vain* in one of the ways to pick a step if it has nothing to do there. It stays so until it changes.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::player::free::Choice;
use session::player::ready::Among;
use session::player::waiting::Takable;
use system::Since;

/// What a process can do, and when this was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) done: u64,
    pub(super) pending: (usize, usize),
    pub(super) choices: Vec<Choice>,
    /// It can also take the messages that are kept of it.
    pub(super) takes_kept: bool,
}

/// The messages that a process can take where it waits in a receive and no timer has a part in it. They are kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    /// The name of the state that the player knows.
    pub(super) name: u64,
    /// As choices, ascending.
    pub(super) all: Vec<Choice>,
    /// In the order in which a process that has departed takes them, once that was needed.
    pub(super) in_order: Option<BTreeSet<(u64, u64, Tag)>>,
}

impl Messages {
    /// Takes in which messages are there now.
    pub(super) fn take_in(&mut self, takable: Takable) {
        /// More changes are sorted together.
        const FEW: usize = 16;
        self.name = takable.name;
        if takable.is_new {
            self.all.clear();
            self.in_order = None;
        }
        if takable.news.len() > FEW {
            let news: FxHashSet<Tag> = takable.news.iter().map(|(tag, _)| *tag).collect();
            self.all
                .retain(|choice| !matches!(choice, Choice::Message(tag) if news.contains(tag)));
            let there = takable.news.iter().filter(|(_, is_there)| *is_there);
            self.all.extend(there.map(|(tag, _)| Choice::Message(*tag)));
            self.all.sort_unstable();
            return;
        }
        for (tag, is_there) in takable.news {
            let choice = Choice::Message(tag);
            match (self.all.binary_search(&choice), is_there) {
                (Err(at), true) => self.all.insert(at, choice),
                (Ok(at), false) => _ = self.all.remove(at),
                _ => {}
            }
        }
    }
}

/// A living process.
#[derive(Debug)]
struct Standing {
    /// The rank of its next action; without one, that of the last one that was recorded.
    rank: u64,
    /// It has done what was recorded.
    sync: bool,
    /// When its timeout and timers are due, with their places among its choices.
    due: Vec<(u64, usize)>,
}

/// The living processes; see the module.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Up to where the changes of the system were read.
    pub(super) since: Since,
    /// How many signals waited for a name then.
    pub(super) afloat: usize,
    /// All must be looked at again.
    pub(super) stale: bool,
    living: BTreeMap<Pid, Standing>,
    /// By rank: those not looked for in vain for what was recorded.
    recorded: BTreeSet<(u64, Pid)>,
    /// By rank: those not looked for in vain for anything that needs no time.
    others: BTreeSet<(u64, Pid)>,
    /// Those not looked for in vain by a random run, by priority if it has any.
    drawn: BTreeSet<(u64, Pid)>,
    /// Those that have something to do that needs no time, for a draw among many.
    able: Among,
    /// Those that have not, as is known.
    vain: FxHashSet<Pid>,
    /// Those whose choices must be looked at.
    unknown: BTreeSet<Pid>,
    due: BTreeSet<(u64, Pid, usize)>,
    /// Those whose receive times out at once.
    looking: BTreeSet<Pid>,
    known: FxHashMap<Pid, Known>,
    messages: FxHashMap<Pid, Messages>,
}

impl Index {
    /// Forgets all processes, and what they can do.
    pub(super) fn clear(&mut self) {
        *self = Self {
            since: self.since,
            afloat: self.afloat,
            messages: std::mem::take(&mut self.messages),
            ..Self::default()
        };
    }

    /// The living, ascending.
    pub(super) fn living(&self) -> impl Iterator<Item = Pid> + '_ {
        self.living.keys().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.living.len()
    }

    /// The rank of a living process, and whether it is as recorded.
    pub(super) fn standing(&self, pid: Pid) -> Option<(u64, bool)> {
        self.living.get(&pid).map(|standing| (standing.rank, standing.sync))
    }

    /// A living process has perhaps changed. `priority`: in a random run.
    pub(super) fn put(&mut self, pid: Pid, (sync, rank): (bool, u64), priority: u64, tired: bool) {
        self.remove(pid);
        let due = Vec::new();
        self.living.insert(pid, Standing { rank, sync, due });
        self.unknown.insert(pid);
        self.drawn.insert((priority, pid));
        if !tired {
            self.revive(pid);
        }
    }

    /// A process has ended.
    pub(super) fn bury(&mut self, pid: Pid) {
        self.remove(pid);
        self.known.remove(&pid);
        self.messages.remove(&pid);
    }

    fn remove(&mut self, pid: Pid) {
        self.able.remove(pid);
        self.vain.remove(&pid);
        if let Some(Standing { rank, due, .. }) = self.living.remove(&pid) {
            self.recorded.remove(&(rank, pid));
            self.others.remove(&(rank, pid));
            self.unknown.remove(&pid);
            self.looking.remove(&pid);
            for (when, place) in due {
                self.due.remove(&(when, pid, place));
            }
        }
    }

    /// A process may have something to do again.
    pub(super) fn revive(&mut self, pid: Pid) {
        let Some(standing) = self.living.get(&pid) else { return };
        if standing.rank != u64::MAX {
            self.recorded.insert((standing.rank, pid));
        }
        self.others.insert((standing.rank, pid));
        self.vain.remove(&pid);
    }

    /// A process runs without an action.
    pub(super) fn tire(&mut self, pid: Pid) {
        if let Some(standing) = self.living.get(&pid) {
            self.recorded.remove(&(standing.rank, pid));
            self.others.remove(&(standing.rank, pid));
        }
        self.able.remove(pid);
    }

    /// What was found of a process. `due`: its timeout and timers, with their places among its choices; `looks`: its receive times out at once.
    pub(super) fn learn(&mut self, pid: Pid, known: Known, due: Vec<(u64, usize)>, looks: bool, untimed: bool) {
        self.unknown.remove(&pid);
        self.due.extend(due.iter().map(|(when, place)| (*when, pid, *place)));
        if looks {
            self.looking.insert(pid);
        }
        if untimed {
            self.able.insert(pid);
        } else {
            self.vain.insert(pid);
        }
        if let Some(standing) = self.living.get_mut(&pid) {
            standing.due = due;
        }
        self.known.insert(pid, known);
    }

    /// What a process can do, as it was found last.
    pub(super) fn known(&self, pid: Pid) -> Option<&Known> {
        self.known.get(&pid)
    }

    /// What a process can do, as it was found last, all in one list.
    pub(super) fn choices(&self, pid: Pid) -> Vec<Choice> {
        let Some(known) = self.known.get(&pid) else {
            return Vec::new();
        };
        let kept = self.messages.get(&pid).filter(|_| known.takes_kept);
        let mut all = kept.map_or_else(Vec::new, |messages| messages.all.clone());
        all.extend(&known.choices);
        all
    }

    /// The messages that are kept of a process.
    pub(super) fn messages(&mut self, pid: Pid) -> &mut Messages {
        self.messages.entry(pid).or_default()
    }

    /// What was found of a process no longer counts.
    pub(super) fn forget(&mut self, pid: Pid) {
        self.known.remove(&pid);
    }

    /// Must the choices of a process be looked at?
    pub(super) fn is_unknown(&self, pid: Pid) -> bool {
        self.unknown.contains(&pid)
    }

    /// The first process whose choices must be looked at.
    pub(super) fn first_unknown(&self) -> Option<Pid> {
        self.unknown.first().copied()
    }

    /// A process waits until those have acted whose recorded actions come before this rank.
    pub(super) fn postpone(&mut self, pid: Pid, rank: u64) {
        let Some(standing) = self.living.get_mut(&pid) else {
            return;
        };
        let before = std::mem::replace(&mut standing.rank, rank);
        for by_rank in [&mut self.recorded, &mut self.others] {
            if by_rank.remove(&(before, pid)) {
                by_rank.insert((rank, pid));
            }
        }
    }

    /// The process whose recorded action comes first, of those not looked for in vain.
    pub(super) fn first_recorded(&self) -> Option<(Pid, bool)> {
        let (_, pid) = self.recorded.first()?;
        Some((*pid, self.living.get(pid)?.sync))
    }

    /// A process has nothing recorded to do.
    pub(super) fn nothing_recorded(&mut self, pid: Pid) {
        if let Some(standing) = self.living.get(&pid) {
            self.recorded.remove(&(standing.rank, pid));
        }
    }

    /// The first process, by rank, of those not looked for in vain.
    pub(super) fn first_other(&self) -> Option<Pid> {
        self.others.first().map(|(_, pid)| *pid)
    }

    /// A process has nothing to do that needs no time.
    pub(super) fn nothing_else(&mut self, pid: Pid) {
        if let Some(standing) = self.living.get(&pid) {
            self.others.remove(&(standing.rank, pid));
        }
    }

    /// The process with the highest priority, of those not looked for in vain.
    pub(super) fn highest(&self) -> Option<(u64, Pid)> {
        self.drawn.last().copied()
    }

    /// The process of this priority has nothing to do.
    pub(super) fn nothing_drawn(&mut self, at: (u64, Pid)) {
        self.drawn.remove(&at);
    }

    /// A process may be drawn again.
    pub(super) fn draw_again(&mut self, priority: u64, pid: Pid, untimed: bool) {
        self.drawn.insert((priority, pid));
        if untimed {
            self.able.insert(pid);
        }
    }

    /// Is it known that a process has nothing to do that needs no time?
    pub(super) fn is_vain(&self, pid: Pid) -> bool {
        self.vain.contains(&pid)
    }

    /// The processes of which one is drawn.
    pub(super) fn able(&self) -> &[Pid] {
        self.able.all()
    }

    /// A process that could be drawn has nothing to do.
    pub(super) fn not_able(&mut self, pid: Pid) {
        self.able.remove(pid);
    }

    /// What has its time, the earliest first: when, whose, and its place among the choices.
    pub(super) fn due(&self) -> impl Iterator<Item = (u64, Pid, usize)> + '_ {
        self.due.iter().copied()
    }

    /// The processes whose receives time out at once, ascending.
    pub(super) fn looking(&self) -> impl Iterator<Item = Pid> + '_ {
        self.looking.iter().copied()
    }
}
