//! What the processes of a session can do beyond their logs, so that a step looks only at those that have changed since the last one.

use std::collections::BTreeSet;

use log_format::Pid;
use rustc_hash::FxHashMap;
use system::Since;

use super::free::Choice;
use super::{Player, handle};
use crate::error::Error;

/// What a process can do, and when this was found.
#[derive(Clone, Debug)]
struct ReadyChoices {
    done: u64,
    pending: (usize, usize),
    choices: Vec<Choice>,
}

/// A set of processes, one of which can be drawn.
#[derive(Clone, Debug, Default)]
pub struct Among {
    all: Vec<Pid>,
    places: FxHashMap<Pid, usize>,
}

impl Among {
    /// Adds a process.
    pub fn insert(&mut self, pid: Pid) {
        let Self { all, places } = self;
        places.entry(pid).or_insert_with(|| {
            all.push(pid);
            all.len() - 1
        });
    }

    /// Removes a process.
    pub fn remove(&mut self, pid: Pid) {
        let Some(at) = self.places.remove(&pid) else { return };
        self.all.swap_remove(at);
        if let Some(moved) = self.all.get(at) {
            self.places.insert(*moved, at);
        }
    }

    /// All of them, in an order that depends on nothing but what was done to the set.
    #[must_use]
    pub fn all(&self) -> &[Pid] {
        &self.all
    }
}

/// The living processes, with what each can do.
#[derive(Debug, Default)]
pub struct Ready {
    /// Is a process looked at again that has only run on without an action?
    again: bool,
    /// Of the messages of a receive, the first one is enough.
    one: bool,
    since: Since,
    /// How many signals waited for a name.
    afloat: usize,
    living: BTreeSet<Pid>,
    /// Processes with logs that are not used up: what they can do depends on what others have done.
    logged: BTreeSet<Pid>,
    found: FxHashMap<Pid, ReadyChoices>,
}

impl Ready {
    /// Nothing is known yet. `again`: a process is looked at again whenever it has run, even if it did nothing. `one`: of the messages of a receive, the
    /// first one is enough.
    #[must_use]
    pub fn new(again: bool, one: bool) -> Self {
        Self {
            again,
            one,
            ..Self::default()
        }
    }

    /// What a process can do, as it was found last; nothing if it has ended.
    #[must_use]
    pub fn choices(&self, pid: Pid) -> &[Choice] {
        self.found.get(&pid).map_or(&[][..], |found| found.choices.as_slice())
    }

    /// The living, ascending.
    pub fn living(&self) -> impl Iterator<Item = Pid> + '_ {
        self.living.iter().copied()
    }

    /// How many are alive.
    #[must_use]
    pub fn len(&self) -> usize {
        self.living.len()
    }

    /// Is none alive?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.living.is_empty()
    }

    /// Looks at all that may have changed, and returns these processes: alive or not, ascending.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn update(&mut self, player: &mut Player) -> Result<Vec<Pid>, Error> {
        let afloat = player.look(|system| system.afloat());
        let touched = player.touched(&mut self.since);
        let all = afloat != self.afloat || afloat > 0;
        self.afloat = afloat;
        let mut next: BTreeSet<Pid> = match touched.filter(|_| !all) {
            Some(touched) => touched.into_iter().chain(self.logged.iter().copied()).collect(),
            None => {
                let gone = std::mem::take(&mut self.living);
                player.living().into_iter().chain(gone).collect()
            }
        };
        let mut changed = BTreeSet::new();
        while let Some(pid) = next.pop_first() {
            changed.insert(pid);
            if !player.look(|system| system.table().is_alive(handle(pid))) {
                self.living.remove(&pid);
                self.logged.remove(&pid);
                self.found.remove(&pid);
                continue;
            }
            self.living.insert(pid);
            let done = player.done(pid);
            let pending = player.look(|system| system.pending(pid));
            let is_logged = player.logged(pid)?.is_some();
            match is_logged {
                true => self.logged.insert(pid),
                false => self.logged.remove(&pid),
            };
            let known = self.found.get(&pid);
            let is_known = known.is_some_and(|known| known.done == done && known.pending == pending);
            if is_known && !is_logged && !self.again {
                continue;
            }
            let choices = player.enabled_of(pid, self.one)?;
            let pending = player.look(|system| system.pending(pid));
            self.found.insert(pid, ReadyChoices { done, pending, choices });
            // To find that out, it has run on.
            let touched = player.touched(&mut self.since).unwrap_or_else(|| player.living());
            next.extend(
                touched
                    .into_iter()
                    .filter(|other| *other != pid && !changed.contains(other)),
            );
        }
        Ok(changed.into_iter().collect())
    }
}
