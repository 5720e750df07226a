//! Controlled replay.

use interpreter::term::Pid;
use log_format::{Kind, Tag};

use crate::feed::Divergence;
use crate::ids;
use crate::process::{Process, Signal, State};
use crate::settings::RunEnd;
use crate::world::World;

impl World {
    /// Replay that came to rest: a process that has not done what was asked of it, and why.
    #[must_use]
    pub fn stuck(&self) -> Option<Box<Divergence>> {
        let stuck = |p: &&Process| p.mode.feed().is_some_and(|f| !f.is_done());
        let all: Vec<&Process> = self.table.iter().filter(stuck).collect();
        // Rather one that does not wait for another of them: it is more likely to be where the trouble began.
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
        let feed = p.mode.feed()?;
        let found = match feed.head_kind().and_then(Kind::consumed) {
            Some(tag) => format!("wait for {tag}, which no process sent"),
            None => "wait for an action of another process that never came".to_owned(),
        };
        Some(self.divergence(p, feed.describe_head(), found))
    }

    /// Replay: asks a process to go on until it has done so many actions of its log, and says what it does then. It may be called for
    /// processes that are not born yet; what is done stays done.
    pub fn aim(&mut self, pid: log_format::Pid, actions: u64, tail: crate::feed::Tail) {
        let Some(plan) = self.purpose.plan_mut() else { return };
        plan.aim(pid, actions, tail);
        if self.end == Some(RunEnd::Quiescent) {
            self.end = None;
        }
        let Some((slot, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        let Some(feed) = p.mode.feed_mut() else { return };
        feed.aim(plan, pid, actions, tail);
        if p.state == State::Frozen && (!feed.is_done() || feed.runs_on()) {
            p.state = State::Ready;
            self.scheduler.ready(slot);
        }
    }

    /// Replay: a process that stands still is asked for no more than so many actions, whatever it was asked for before.
    pub fn ask_no_more(&mut self, pid: log_format::Pid, actions: u64) {
        let Some(plan) = self.purpose.plan() else { return };
        let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) else {
            return;
        };
        if let Some(feed) = p.mode.feed_mut()
            && feed.asks_for_more_than(actions)
        {
            feed.rest();
            feed.aim(plan, pid, actions, crate::feed::Tail::Stop);
        }
    }

    /// Replay: every process is asked for what it has done and for nothing more, whatever it was asked for before.
    pub fn rest(&mut self) {
        let Some(plan) = self.purpose.plan_mut() else { return };
        plan.rest();
        for p in self.table.iter_mut() {
            if let Some(feed) = p.mode.feed_mut() {
                feed.rest();
                if p.state == State::Blocked {
                    p.state = State::Frozen;
                }
                // What it has been handed and not received yet may be received later, or be waiting when it leaves its log.
                while let Some((tag, message)) = p.machine.mailbox.pop() {
                    p.pool.insert(ids::unpack(tag), Signal::Message(message));
                }
            }
        }
        self.blocked.clear();
    }
}
