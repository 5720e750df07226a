//! Units that come from a file: the way to where they begin, event by event. And what is left when a search is stopped.

use std::path::PathBuf;
use std::sync::Arc;

use log_format::Pid;
use session::Error;
use session::player::free::Choice;
use session::player::handle;

use super::super::branch::BranchNode;
use super::super::crew::SearchFindings;
use super::super::state::State;
use super::{Again, Graphs};

/// The events of the ways of a file. Ways share what they have in common.
pub(super) struct Ways {
    /// The file.
    pub path: PathBuf,
    pub events: Vec<Earlier>,
}

/// An event of a way.
pub(super) struct Earlier {
    /// The one before it, by its place in the file.
    pub before: Option<u32>,
    /// The largest stamp so far.
    pub clock: u64,
    pub event: Again,
}

/// A way from the start of the program: an event of a file, with all before it.
#[derive(Clone)]
pub(in super::super) struct WayFromStart {
    pub(super) all: Arc<Ways>,
    /// `None`: nothing has happened.
    pub(super) last: Option<u32>,
    /// So many of its events were done; the others, of which a revisit has made the graph, perhaps cannot be.
    pub(super) certain: u64,
}

impl WayFromStart {
    /// Its events from the first one on.
    pub(super) fn events(&self) -> Vec<&Again> {
        let mut events = Vec::new();
        let mut at = self.last;
        while let Some(one) = at.and_then(|at| self.all.events.get(at as usize)) {
            events.push(&one.event);
            at = one.before;
        }
        events.reverse();
        events
    }

    /// What does not fit the program.
    pub(super) fn misfits(&self, what: String) -> Error {
        Error::BadInput {
            path: self.all.path.clone(),
            error: format!(
                "this unit does not fit the program: {what}; units have to be made by this version of `replay` and for this program"
            ),
        }
    }
}

impl Graphs {
    /// Goes to the end of a way. `None`: it has none.
    pub(super) fn go_way(&mut self, way: &WayFromStart) -> Result<Option<State>, Error> {
        let events = way.events();
        let here = self.branch.path.iter().map(|node| node.event.uid);
        let common = here.zip(&events).take_while(|(uid, event)| *uid == event.uid).count();
        let base: Option<Arc<BranchNode>> = common.checked_sub(1).map(|at| Arc::clone(&self.branch.path[at]));
        self.branch.go_to(base.as_ref());
        let mut state = self.state_here()?;
        for (event, number) in events.iter().zip(1_u64..).skip(common) {
            let cannot = || match number > way.certain {
                true => Ok(None),
                false => {
                    let what = format!("event {number}, of process {}, cannot be done there", event.pid);
                    Err(way.misfits(what))
                }
            };
            if !can_be_done(&state, event.pid, event.choice) {
                return cannot();
            }
            let stamps = Some(event.stamps.clone());
            let done = self.go_through(&mut state, (event.pid, event.choice), Some(event.uid), stamps)?;
            if self.told.beyond {
                return Ok(None);
            }
            if std::mem::take(&mut self.misfit) || done.is_none() {
                return cannot();
            }
            self.keep(&mut state, false)?;
        }
        Ok(Some(state))
    }

    /// The current run goes on later.
    pub(super) fn put_back(&mut self) {
        let rest = self.rest();
        self.units.push(rest);
    }

    /// What was found out, and what is left.
    pub(in crate::graphs) fn tells(&mut self) -> Result<SearchFindings, Error> {
        if self.told.beyond {
            self.told.beyond_at = self.place_beyond()?;
        }
        let mut told = std::mem::take(&mut self.told);
        told.left = std::mem::take(&mut self.units);
        told.open = told.left.len() as u64;
        Ok(told)
    }

    /// Where the process stood that did last what is not explored here.
    fn place_beyond(&mut self) -> Result<Option<String>, Error> {
        let Some(node) = self.branch.path.last().cloned() else {
            return Ok(None);
        };
        self.branch.go_to(node.parent.as_ref());
        let state = self.state_here()?;
        let place = state.place_of(node.event.pid);
        Ok((!place.is_empty()).then_some(place))
    }
}

/// Can a process make this choice? What comes from a file can be anything.
pub(super) fn can_be_done(state: &State, pid: Pid, choice: Choice) -> bool {
    let steps = || state.steps.contains(&pid) || state.halting.contains(&pid);
    let is_there = state.system.table().by_pid(handle(pid)).is_some();
    is_there
        && match choice {
            Choice::Step => steps(),
            Choice::Arrived(_) => steps() && state.asks(pid).is_some(),
            Choice::Timeout => state.wait_of(pid).is_some(),
            Choice::Message(tag) => state.wait_of(pid).is_some_and(|wait| wait.matching.contains(&tag)),
            Choice::Signal(tag) => state.system.deadly(pid).contains(&tag),
            Choice::Pick(number) => steps() && state.system.alternatives(pid).is_some_and(|of| number < of),
        }
}
