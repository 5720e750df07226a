//! Spots: places where a run is to stop, whichever process comes there first. Forward to the next one, and back to the last one.
//!
//! All processes are watched in a run beside the session, which goes on with all of them. Where it finds a spot, the session goes there, and does
//! nothing but its causes: so what other processes did meanwhile is not done, and their spots are still to come. Each spot is met once on the way
//! forward, and once on the way back; of those that no cause orders, the one that the run beside came to first is the earlier one.

use std::sync::Arc;

use log_format::{ActionId, Cut, Pid};
use system::feed::Tail;

use super::places::stack_lines;
pub use super::spot::{Here, Holds, Spot, SpotKind, SpotPlace, SpotVisit, Spots};
use super::tracker::{Sought, StopCondition};
use super::{Moved, Player, Stopped, cut_of};
use crate::error::Error;

/// The run beside is looked at after this many actions, then after twice as many, and so on: it goes not much further than the spot.
const FIRST: u64 = 32;
const MOST: u64 = 16_384;
/// And after this many slices.
const SLICES: u32 = 256;

impl Player {
    /// The next visits of spots from here: all at the place that comes first, one for each spot. Empty if there is none. The session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn next_spots(&self, spots: &Spots) -> Result<Vec<SpotVisit>, Error> {
        let mut beside = self.beside_all()?;
        let ends = self.all_ends()?;
        beside.watch_spots(spots)?;
        beside.change(|system| {
            for last in &ends {
                system.request(last.pid, last.number.0, Tail::RunOn);
            }
        })?;
        let mut at_once = FIRST;
        loop {
            let ended = beside.change(|system| {
                let to = system.total_actions + at_once;
                system.run_for(to, SLICES).is_some()
            })?;
            beside.judge()?;
            let found = beside.look(|system| {
                let visits = system.observer.spots.iter().copied();
                let mut ahead = visits.filter(|visit| !self.is_past(visit));
                let first = ahead.next()?;
                let same = ahead.take_while(|visit| (visit.pid, visit.place) == (first.pid, first.place));
                Some(std::iter::once(first).chain(same).collect::<Vec<_>>())
            });
            match found {
                Some(visits) => return Ok(visits),
                None if ended => return Ok(Vec::new()),
                None => beside.change(|system| system.observer.spots.clear())?,
            }
            at_once = MOST.min(at_once * 2);
        }
    }

    /// The last visits of spots before here, of what has been done: all at one place. Empty if there is none. The session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn last_spots(&self, spots: &Spots) -> Result<Vec<SpotVisit>, Error> {
        let now = self.look(cut_of);
        let mut to = now.clone();
        loop {
            let base = self.kept.before(&to).cloned();
            let mut beside = self.once();
            beside.subject = None;
            beside.steps = None;
            let cut = base.as_ref().map_or_else(Cut::default, |one| one.cut.as_ref().clone());
            let ahead = base.as_ref().map(|one| Arc::clone(&one.ahead)).unwrap_or_default();
            beside.rebuild(&cut, base)?;
            beside.watch_spots(spots)?;
            // Of a process that had gone on from its last action, the steps up to its next one are not known here: the way to this place is.
            let counts = |visit: &SpotVisit| match visit.place {
                SpotPlace::Step { actions, .. } => !ahead.contains(&visit.pid) || actions > cut.get(visit.pid),
                SpotPlace::BeforeEnd(_) => true,
            };
            beside.change(|system| {
                for last in to.iter() {
                    // On to its next action: how far it has come since is seen by the place of each visit.
                    system.request(last.pid, last.number.0, Tail::RunOn);
                }
                system.run();
            })?;
            beside.judge()?;
            let found = beside.look(|system| {
                let visits = system.observer.spots.iter().rev().copied();
                let mut past = visits.filter(|visit| counts(visit) && self.is_past(visit) && !self.is_here(visit));
                let last = past.next()?;
                let same = past.take_while(|visit| (visit.pid, visit.place) == (last.pid, last.place));
                let mut all: Vec<SpotVisit> = std::iter::once(last).chain(same).collect();
                all.reverse();
                Some(all)
            });
            if let Some(visits) = found {
                return Ok(visits);
            }
            if cut.actions() == 0 {
                return Ok(Vec::new());
            }
            to = cut;
        }
    }

    /// Goes to a spot that lies ahead, and does nothing but its causes.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn go_to_spot(&mut self, visit: &SpotVisit) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let pid = visit.pid;
        self.subject = Some(pid);
        match visit.place {
            SpotPlace::Step { actions, steps } => {
                let there = self.steps.filter(|ahead| ahead.pid == pid && self.done(pid) == actions);
                let left = match there {
                    Some(ahead) if ahead.steps <= steps => steps - ahead.steps,
                    _ => {
                        self.pull(pid, actions)?;
                        steps
                    }
                };
                if left > 0 {
                    self.step(pid, left)?;
                }
            }
            SpotPlace::BeforeEnd(number) => {
                self.pull(pid, number.saturating_sub(1))?;
                self.passed.insert(pid, (self.done(pid), u64::MAX));
            }
        }
        self.observe(pid)?;
        Ok(self.summary(&before, Vec::new(), Stopped::Reached))
    }

    /// Goes back to a spot that lies behind, and undoes nothing but the consequences of what its process did since. `from`: the process where the
    /// session stands; what brought it there is undone, too, so that the next way back leads further.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn go_back_to_spot(&mut self, visit: &SpotVisit, from: Pid) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let pid = visit.pid;
        if from != pid {
            let (actions, steps) = self.come_to_by(from);
            match steps {
                0 => _ = self.undo(&[ActionId::new(from, actions)])?,
                _ => {
                    self.stand_still()?;
                    self.passed.insert(from, (actions, steps - 1));
                }
            }
        }
        let kept = match visit.place {
            SpotPlace::Step { actions, .. } => actions,
            SpotPlace::BeforeEnd(number) => number.saturating_sub(1),
        };
        if self.done(pid) > kept {
            self.undo(&[ActionId::new(pid, kept + 1)])?;
        } else {
            self.stand_still()?;
        }
        self.passed.remove(&pid);
        self.go_to_spot(visit)?;
        let after = self.look(cut_of);
        Ok(Moved {
            undone: super::between(&after, &before),
            ..Moved::default()
        })
    }

    /// A run beside the session that stands where it stands. No process has gone on silently from its last action but the one that the session has
    /// gone on with.
    fn beside_all(&self) -> Result<Self, Error> {
        let mut beside = self.once();
        let silent = self.steps.map(|ahead| ahead.pid);
        let ahead = beside.look(|system| system.table().ahead());
        let strays: Vec<Pid> = ahead
            .into_iter()
            .map(system::ids::to_log)
            .filter(|pid| Some(*pid) != silent)
            .collect();
        if !strays.is_empty() {
            let cut = beside.look(cut_of);
            let all: Vec<Pid> = strays.into_iter().chain(silent).collect();
            let base = self.kept.within(&cut, &[], &all).cloned();
            beside.steps = None;
            beside.rebuild(&cut, base)?;
        }
        Ok(beside)
    }

    /// From here on, all processes are watched. Each is at the lines where its activations stand, and does not come to them.
    fn watch_spots(&mut self, spots: &Spots) -> Result<(), Error> {
        let silent = self.steps.map(|ahead| ahead.pid);
        let living = self.living();
        let sources = self.session.sources().clone();
        self.change(|system| {
            system.observer.spots.clear();
            system.observer.watch(None, StopCondition::Spots(spots.clone()));
            let program = Arc::clone(&system.program);
            for pid in living.into_iter().filter(|pid| Some(*pid) != silent) {
                let Some((process, log)) = system.log_mut(pid) else {
                    continue;
                };
                process.machine.forget_place();
                log.stands_at(stack_lines(&process.machine, &program, &sources));
            }
        })
    }

    /// The last action of each process.
    fn all_ends(&self) -> Result<Vec<ActionId>, Error> {
        let mut ends = Vec::new();
        for pid in self.history.processes()? {
            ends.push(ActionId::new(pid, self.history.length(pid)?.unwrap_or(0)));
        }
        Ok(ends)
    }

    /// How far a process has come: its actions, and the steps since. Before its end, `u64::MAX` steps.
    fn come_to_by(&self, pid: Pid) -> (u64, u64) {
        let there = self.done(pid);
        let known = self.passed.get(&pid).filter(|(actions, _)| *actions == there);
        let passed = known.map_or(0, |(_, steps)| *steps);
        (there, passed.max(self.steps_of(pid)))
    }

    /// A process stands before its end, which counts as met. It goes to the last such place before.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn stand_before_end(&mut self, pid: Pid, past: &Sought) -> Result<(), Error> {
        let there = self.done(pid);
        self.go_to_last_before_action(pid, past)?;
        if self.done(pid) == there {
            self.passed.insert(pid, (there, u64::MAX));
        }
        Ok(())
    }

    /// Does its process stand there, or further on?
    fn is_past(&self, visit: &SpotVisit) -> bool {
        let (there, come) = self.come_to_by(visit.pid);
        match visit.place {
            SpotPlace::Step { actions, steps } => {
                actions < there || actions == there && self.is_born(visit.pid) && steps <= come
            }
            SpotPlace::BeforeEnd(number) => number <= there || number == there + 1 && come == u64::MAX,
        }
    }

    /// Is it the place where the session stands?
    fn is_here(&self, visit: &SpotVisit) -> bool {
        let (there, come) = self.come_to_by(visit.pid);
        self.subject == Some(visit.pid)
            && match visit.place {
                SpotPlace::Step { actions, steps } => actions == there && steps == come,
                SpotPlace::BeforeEnd(number) => number == there + 1 && come == u64::MAX,
            }
    }
}
