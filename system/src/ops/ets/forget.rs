//! Replay: which versions of a table nobody can read any more.
//!
//! A replay keeps old versions, because a process may come later to its reads than in the recorded run. What a process reads is never older than
//! what it has written before; what comes after a message is not older than what its sender had written before sending it; and a new process
//! reads nothing older than who spawned it has seen. So the least of what the living have seen bounds all reads that are still to come. A process
//! that waits for a message which has not been sent has seen what its sender has: its reads come later than that.

use interpreter::term::{Pid, Reference};
use log_format::Tag;

use crate::state::process::{Process, ProcessActivity};
use crate::state::tables::contents::Contents;
use crate::step::Step;
use crate::world::World;

/// Limit: how many processes that wait for each other are followed.
const HOPS: usize = 64;

impl Step<'_> {
    /// Forgets versions of a table that nobody can read any more. Only where nothing is undone, and no process is asked for more later.
    pub(super) fn forget_versions(&mut self, id: Reference) {
        let Some(table) = self.world.tables.get(&id) else {
            return;
        };
        let contents = &table.contents;
        let mine = contents.seen_by(crate::ids::to_log(self.process.pid));
        let running = Running {
            pid: crate::ids::to_log(self.process.pid),
            sent: self.process.sent,
            seen: mine,
        };
        let others = self.world.table.iter().filter(|p| !p.mode.is_done());
        let least = others.map(|p| seen(self.world, contents, p, running)).min();
        let least = least.unwrap_or(u64::MAX).min(mine);
        let living = self.world.table.living();
        if let Some(table) = self.world.tables.get_mut(&id) {
            std::sync::Arc::make_mut(&mut table.contents).forget_before(least, living);
        }
    }
}

/// The process that is out of the table.
#[derive(Clone, Copy)]
struct Running {
    pid: log_format::Pid,
    sent: u64,
    seen: u64,
}

/// What a process has seen of a table.
fn seen(world: &World, contents: &Contents, p: &Process, running: Running) -> u64 {
    let mut most = contents.seen_by(crate::ids::to_log(p.pid));
    let mut p = p;
    for _ in 0..HOPS {
        let Some(tag) = awaited(p) else { break };
        // A signal that was sent before may come from an older state of its sender.
        let unsent = |sent: u64| match tag {
            Tag::Sent { k, .. } => sent < k.0,
            Tag::EndTo { .. } | Tag::EndRef { .. } | Tag::EndTable { .. } => true,
            Tag::Limit { .. } => false,
        };
        let Some(by) = tag.sender() else { break };
        if by == running.pid {
            return if unsent(running.sent) {
                most.max(running.seen)
            } else {
                most
            };
        }
        let sender = world.table.by_pid(Pid::new(0, by.0));
        // The end that a lost node stands for is not caused by the process that it names.
        let is_cause = |sender: &&Process| !tag.is_of_an_end() || sender.pid.node() == p.pid.node();
        let Some(sender) = sender.filter(is_cause).filter(|sender| unsent(sender.sent)) else {
            break;
        };
        most = most.max(contents.seen_by(by));
        p = sender;
    }
    most
}

/// The signal that a process waits for before its next action.
fn awaited(p: &Process) -> Option<Tag> {
    match p.state {
        ProcessActivity::Blocked => p.mode.logged_kind()?.consumed(),
        _ => None,
    }
}
