//! A universe that was found, held against the invariants.

use log_format::{Pid, Tag};
use rustc_hash::FxHashMap;
use session::Error;
use session::player::free::Choice;

use super::super::state::SentSignal;
use super::FoundUniverse;
use crate::checks::{Checks, Look, Looked, LookedAt, Violations};
use crate::outcome::Names;

impl FoundUniverse<'_> {
    /// The invariants that do not hold in it.
    ///
    /// # Errors
    /// One cannot be evaluated.
    pub fn violations(&self, checks: &mut Checks, names: &mut dyn Names) -> Result<Violations, Error> {
        let mut violations = Violations::default();
        if checks.invariants.is_empty() {
            return Ok(violations);
        }
        let program = (self.state.system.program.as_ref(), self.state.sources());
        let events = || self.branch.path.iter().map(|node| &node.event);
        let sent: FxHashMap<Tag, &SentSignal> = events()
            .flat_map(|event| &event.sent)
            .map(|sent| (sent.tag, sent))
            .collect();
        let mut called = FxHashMap::default();
        let mut name_of = |pid: Pid| *called.entry(pid).or_insert_with(|| self.state.name_of(pid));
        // How many actions each process has done, and the last event of it.
        let mut done: FxHashMap<Pid, (u64, u64)> = FxHashMap::default();
        for event in events() {
            let (before, _) = done.get(&event.pid).copied().unwrap_or_default();
            let after = before + event.actions.len() as u64;
            done.insert(event.pid, (after, event.uid));
            let Some(machine) = &event.machine else { continue };
            let mut look = Look {
                pid: event.pid,
                done: before,
                key: Some((event.uid, Looked::State)),
                name: name_of(event.pid),
                what: LookedAt::Waits(machine),
            };
            checks.look(&look, program, names, &mut violations)?;
            if let Choice::Message(tag) = event.choice
                && let Some(sent) = sent.get(&tag)
            {
                look.done = after;
                look.key = Some((event.uid, Looked::Message));
                look.what = LookedAt::Message(&sent.message, Some(machine));
                checks.look(&look, program, names, &mut violations)?;
            }
        }
        for (pid, machine) in self.state.waiting() {
            let known = done.get(&pid).copied();
            let look = Look {
                pid,
                done: known.map_or(0, |(done, _)| done),
                key: Some(match known {
                    Some((_, uid)) => (uid, Looked::LastState),
                    None => (pid.0, Looked::FirstState),
                }),
                name: name_of(pid),
                what: LookedAt::Waits(machine),
            };
            checks.look(&look, program, names, &mut violations)?;
        }
        violations.in_order();
        Ok(violations)
    }
}
