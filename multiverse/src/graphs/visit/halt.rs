//! Runs that halt. When everything else is done, each process that would halt the run next does it: alone with its causes, and after each set of
//! crashes that can have come before. What else others did by then says nothing about such a run (semantics.md §10).

use std::sync::Arc;

use log_format::{ExitClass, Kind, Pid};
use session::Error;
use session::player::free::Choice;

use super::super::crew::{Crew, GoesOn};
use super::super::event::{EventClock, GraphEvent};
use super::super::state::State;
use super::{Again, FoundUniverse, Graphs, Went};
use crate::outcome::RunEnded;
use crate::summary::Gap;

/// Limit: crashes that come before a halt, or not.
const CRASHES: usize = 6;

/// What a process that halts the run depends on.
struct Halt {
    pid: Pid,
    past: EventClock,
    /// When it can halt it, if nothing is held up.
    time: u64,
}

impl Halt {
    fn has(&self, event: &GraphEvent) -> bool {
        event.kept || self.past.get(event.place) >= event.number
    }
}

impl Graphs {
    /// The processes that would halt the run next, with the time until which others can hold them up.
    pub(super) fn halting(&mut self, state: &State) -> Option<u64> {
        let halting = self.who_halts(state);
        let times = halting.into_iter().map(|pid| {
            let place = self.branch.place(pid);
            let time = self.branch.time_at(place);
            time.saturating_add(self.rules.stall.unwrap_or(u64::MAX))
        });
        times.min()
    }

    /// Tells the runs that halt here, and goes on with what ends these processes before they do it.
    pub(super) fn halts(&mut self, state: &mut State, crew: &dyn Crew) -> Result<Went, Error> {
        let stopped = self.stopped(state);
        if !stopped.is_empty() {
            let one = FoundUniverse {
                state,
                branch: &self.branch,
                ended: RunEnded::Quiet,
                stopped,
                weight: 1.0,
            };
            if crew.found(&one, self.units.len())? != GoesOn::On {
                crew.stop();
                return Ok(Went::Stop);
            }
        }
        let whole = self.branch.path.last().cloned();
        let mut is_last = false;
        for pid in self.who_halts(state) {
            let place = self.branch.place(pid);
            let (past, _, time) = self.branch.start(place);
            let own = self.branch.next_number(place) - 1;
            let mut halt = Halt { pid, past, time };
            halt.past.learn(&EventClock::default(), place, own);
            let crashes: Vec<u32> = (0..self.branch.len())
                .filter(|at| {
                    let event = self.branch.event(*at);
                    is_crash(event) && event.stop.is_none() && !event.is_fixed() && !halt.has(event)
                })
                .collect();
            if crashes.len() > CRASHES {
                self.told.gaps.entry(Gap::Halts).or_insert_with(|| state.place_of(pid));
            }
            let crashes = &crashes[..crashes.len().min(CRASHES)];
            for part in self.parts(&halt, crashes) {
                if !self.is_completed(&part) {
                    continue;
                }
                if is_last {
                    return Ok(Went::Within);
                }
                let went = self.tell_halt(&halt, &part, crew)?;
                self.branch.go_to(whole.as_ref());
                match went {
                    Went::On => {}
                    Went::Stop => is_last = true,
                    Went::Within => return Ok(Went::Within),
                }
            }
        }
        self.kill_before(state)?;
        Ok(if is_last { Went::Stop } else { Went::On })
    }

    /// The causes of a halt, with those of each set of crashes: which events belong to them.
    fn parts(&self, halt: &Halt, crashes: &[u32]) -> Vec<Vec<bool>> {
        let nodes = || self.branch.path.iter().map(|node| &node.event);
        // What has crashed before the search began has crashed.
        let crashed: Vec<&GraphEvent> = nodes().filter(|event| event.is_fixed() && is_crash(event)).collect();
        let has = |event: &GraphEvent| {
            let before = |crash: &&GraphEvent| crash.uid == event.uid || crash.has(event);
            halt.has(event) || crashed.iter().any(before)
        };
        let mut parts: Vec<Vec<bool>> = vec![nodes().map(has).collect()];
        for crash in crashes {
            let crash = self.branch.event(*crash);
            for part in parts.clone() {
                let more = part
                    .iter()
                    .zip(nodes())
                    .map(|(has, event)| *has || crash.uid == event.uid || crash.has(event));
                let more: Vec<bool> = more.collect();
                if !parts.contains(&more) {
                    parts.push(more);
                }
            }
        }
        // Nothing may be held up for too long: the halt, or what comes only after it.
        let most = self.rules.stall;
        let is_in_time = |part: &Vec<bool>| {
            let ends = part.iter().zip(nodes()).filter(|(has, _)| **has);
            let at = ends.map(|(_, event)| event.time).max().unwrap_or(0).max(halt.time);
            let left = part
                .iter()
                .zip(nodes())
                .filter(|(has, event)| !**has && is_crash(event));
            most.is_none_or(|most| {
                at - halt.time <= most && left.into_iter().all(|(_, event)| at.saturating_sub(event.time) <= most)
            })
        };
        parts.retain(is_in_time);
        parts
    }

    /// Is the current graph what the search would come to from a part of it? Then it is the one graph of which this part is told.
    fn is_completed(&mut self, part: &[bool]) -> bool {
        let left = (0..self.branch.len()).filter(|at| !part[*at as usize] && !self.branch.event(*at).is_fixed());
        let has = |at: u32, _: &GraphEvent| part.get(at as usize).copied().unwrap_or(false);
        for at in left.collect::<Vec<u32>>() {
            let mut parts = Vec::new();
            self.parts_of(at, &mut parts);
            if !parts
                .into_iter()
                .all(|(stamp, at, part)| self.is_canonical(&has, stamp, at, part))
            {
                return false;
            }
        }
        true
    }

    /// Tells a run that halts after these events.
    fn tell_halt(&mut self, halt: &Halt, part: &[bool], crew: &dyn Crew) -> Result<Went, Error> {
        let nodes = self.branch.path.clone();
        let same = part.iter().take_while(|has| **has).count();
        let base = same.checked_sub(1).map(|at| Arc::clone(&nodes[at]));
        let kept = part.iter().zip(&nodes).skip(same).filter(|(has, _)| **has);
        let again: Vec<Again> = kept.map(|(_, node)| Again::of(&node.event)).collect();
        self.branch.go_to(base.as_ref());
        let mut state = self.state_here()?;
        let halts = (halt.pid, Choice::Step);
        if !self.repeats(&mut state, &again)? || self.go_through(&mut state, halts, None, None)?.is_none() {
            return Err(Error::Bug("a run cannot be repeated to where it halts".to_owned()));
        }
        let one = FoundUniverse {
            state: &state,
            branch: &self.branch,
            ended: RunEnded::Halted(state.halted().unwrap_or(0)),
            stopped: Vec::new(),
            weight: self.order.sample.unwrap_or(1.0),
        };
        let heard = crew.found(&one, self.units.len())?;
        if heard != GoesOn::On {
            crew.stop();
        }
        Ok(match heard {
            GoesOn::On => Went::On,
            GoesOn::Last => Went::Stop,
            GoesOn::Not => Went::Within,
        })
    }

    /// Puts aside: an exit signal ends a process before it halts the run.
    fn kill_before(&mut self, state: &mut State) -> Result<(), Error> {
        let mut killed = 0;
        for pid in self.who_halts(state) {
            let deadly = self.deadly(state, pid);
            if deadly.is_empty() {
                continue;
            }
            killed += 1;
            // The order in which two of them end is not explored.
            if killed > 1 {
                self.told.gaps.entry(Gap::Halts).or_insert_with(|| state.place_of(pid));
                break;
            }
            self.keep(state, true)?;
            let stamp = self.branch.clock() + 1;
            for tag in deadly {
                self.put(pid, Choice::Signal(tag), stamp);
            }
        }
        Ok(())
    }
}

/// An end by an error, a throw or an exit.
fn is_crash(event: &GraphEvent) -> bool {
    let ends = |action: &log_format::Action| matches!(action.kind, Kind::Exit { class } if class != ExitClass::Normal);
    event.actions.iter().any(ends)
}
