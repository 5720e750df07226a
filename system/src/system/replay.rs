//! Controlled replay.

use interpreter::term::Pid;
use log_format::{Kind, Tag};

use crate::ids::{self, Slot};
use crate::settings::RunEnd;
use crate::state::feed::Divergence;
use crate::state::process::{Process, ProcessActivity};
use crate::state::signal::Signal;
use crate::world::World;

impl World {
    /// For a replay that has come to rest: a process that has not done all that was requested, and why.
    #[must_use]
    pub fn stuck(&self) -> Option<Box<Divergence>> {
        let mut all = self.table.busy();
        all.retain(|p| p.mode.is_unfinished());
        // Prefer one that does not wait for another of them: there the trouble more likely began.
        let waits = |p: &&&Process| {
            let head = p.mode.logged();
            let sender = head.and_then(|a| a.kind.consumed()).and_then(Tag::sender);
            let writers = head
                .into_iter()
                .flat_map(|a| a.accesses.iter().filter_map(|a| a.by.map(|by| by.pid)));
            writers
                .chain(sender)
                .any(|pid| pid != ids::to_log(p.pid) && all.iter().any(|q| ids::to_log(q.pid) == pid))
        };
        let first = all.iter().filter(|p| !waits(p)).min_by_key(|p| p.pid);
        let p = first.or_else(|| all.iter().min_by_key(|p| p.pid))?;
        let feed = p.mode.log()?;
        let found = match feed.head_kind().and_then(Kind::consumed) {
            Some(tag) => format!("wait for {tag}, which no process sent"),
            None => "wait for an action of another process that never came".to_owned(),
        };
        Some(self.divergence(p, feed.describe_head(), found))
    }

    /// Replay: requests that a process goes on to this many actions of its log, and sets what it does then. Also for processes that have not
    /// been created yet. What is done stays done.
    pub fn request(&mut self, pid: log_format::Pid, actions: u64, tail: crate::state::feed::Tail) {
        let Some(plan) = self.purpose.plan_mut() else { return };
        plan.request(pid, actions, tail);
        if self.end == Some(RunEnd::Quiescent) {
            self.end = None;
        }
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = p.mode.log_mut() else { return };
        let damage = feed.request(plan, pid, actions, tail).err();
        if p.state == ProcessActivity::Frozen && (!feed.is_done() || feed.runs_on()) {
            p.state = ProcessActivity::Ready;
            self.scheduler.ready(slot);
        }
        if let Some(error) = damage {
            self.damaged(error);
        }
    }

    /// Replay: requests no more than this many actions of a process that has stopped, whatever was requested before.
    pub fn limit_request(&mut self, pid: log_format::Pid, actions: u64) {
        let Some(plan) = self.purpose.plan() else { return };
        let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        if let Some(feed) = p.mode.log_mut()
            && feed.asks_for_more_than(actions)
        {
            feed.rest();
            let damage = feed.request(plan, pid, actions, crate::state::feed::Tail::Stop).err();
            if let Some(error) = damage {
                self.damaged(error);
            }
        }
    }

    /// Replay: requests only what is done of every process, whatever was requested before.
    pub fn rest(&mut self) {
        let Some(plan) = self.purpose.plan_mut() else { return };
        plan.rest();
        let busy: Vec<Slot> = self.table.busy().into_iter().map(|p| p.slot).collect();
        for slot in busy {
            let Some(p) = self.table.get_mut(slot) else { continue };
            if let Some(feed) = p.mode.log_mut() {
                feed.rest();
                if p.state == ProcessActivity::Blocked {
                    p.state = ProcessActivity::Frozen;
                }
                // A message that it was given and has not received may be received later, or be waiting when the process leaves its log.
                while let Some((tag, message)) = p.machine.mailbox.pop() {
                    p.pool.insert(ids::unpack(tag), Signal::Message(message));
                    p.pool.forget_changes();
                }
            }
        }
        self.waiting.clear();
    }
}
