//! The log of a step: what is next in it, and what is appended to it.

use interpreter::vm::{self, Program};
use log_format::{Access, Action, ActionId, ActionNo, Error, Kind, Resource};

use crate::ids;
use crate::observer::{ActionEvent, Detail};
use crate::state::delivery::tells_readers;
use crate::state::feed::{Divergence, Feed};
use crate::state::order::{AwaitedWrite, HeldStep};
use crate::state::process::{Process, ProcessActivity};
use crate::step::{After, Interrupt, Step};
use crate::world::World;

impl Step<'_> {
    /// Replay: the head of the log must be of this kind. Does nothing beyond the log.
    pub(crate) fn expect(
        &self,
        fits: impl FnOnce(&Kind) -> bool,
        found: impl FnOnce() -> String,
    ) -> Result<(), Interrupt> {
        match self.process.mode.order() {
            Some(order) if !order.is_next(fits) => Err(self.unexpected(found())),
            Some(_) | None => Ok(()),
        }
    }
}

impl World {
    pub(crate) fn divergence(&self, p: &Process, expected: String, found: String) -> Box<Divergence> {
        Box::new(Divergence {
            pid: ids::to_log(p.pid),
            action: ActionNo(p.actions + 1),
            location: here(&p.machine, &self.program),
            expected,
            found,
        })
    }
}

impl Step<'_> {
    /// The access to this resource in the next action of the log.
    pub(crate) fn logged_access(&self, resource: Resource) -> Option<Access> {
        self.process.mode.log()?.access(resource)
    }

    /// All accesses of that action. `None` without a log.
    pub(crate) fn logged_accesses(&self) -> Option<&[Access]> {
        let feed = self.process.mode.log()?;
        Some(feed.head().map_or(&[][..], |action| &action.accesses))
    }

    /// Does this step use the resource? With a log, the log says; otherwise `now` does.
    pub(crate) fn uses(&self, resource: Resource, now: impl FnOnce(&World) -> bool) -> bool {
        match self.process.mode.log() {
            Some(feed) => feed.access(resource).is_some(),
            None => now(self.world),
        }
    }

    /// Does this step write the resource? As [`Self::uses`].
    pub(crate) fn writes(&self, resource: Resource, now: impl FnOnce(&World) -> bool) -> bool {
        match self.process.mode.log() {
            Some(feed) => feed.access(resource).is_some_and(|access| access.write),
            None => now(self.world),
        }
    }

    /// Replay: the divergence that the log's next action is another one than this.
    pub(crate) fn unexpected(&self, found: impl Into<String>) -> Interrupt {
        let expected = self.process.mode.log().map(Feed::describe_head);
        self.diverges(expected.unwrap_or_default(), found)
    }

    /// Replay: why the step may not be taken. `found`: what it does, if the recorded step did not do that.
    pub(crate) fn held(&self, held: HeldStep, found: &str) -> Interrupt {
        match held {
            HeldStep::Waits(wanted) => Interrupt::Blocked(wanted),
            HeldStep::Departs => self.unexpected(found),
        }
    }

    /// Replay: the process waits for this.
    #[inline]
    pub(crate) fn blocks(&mut self, wanted: AwaitedWrite) -> After {
        self.world.waiting.add(self.process.slot, wanted);
        After::Parked(ProcessActivity::Blocked)
    }

    /// Replay: the divergence that the step differs from the log.
    pub(crate) fn diverges(&self, expected: impl Into<String>, found: impl Into<String>) -> Interrupt {
        Interrupt::Diverged(self.world.divergence(self.process, expected.into(), found.into()))
    }

    /// Ends the step: it becomes an action. `sends`: how many signals it sends.
    #[inline(always)]
    pub(crate) fn commit(&mut self, kind: Kind, sends: u32, detail: Detail<'_>) {
        let traces = match self.has_traces() {
            true => self.counts_traces(),
            false => 0,
        };
        let sends = sends + traces;
        let is_plain = self.accesses.is_empty()
            && match kind {
                Kind::Send if sends == 1 => self.sink.plain_send(self.process.slot),
                Kind::Rec(tag) if sends == 0 && self.sink.plain_rec(self.process.slot, tag) => {
                    self.world.note_consumed(self.process.pid, tag);
                    true
                }
                _ => false,
            };
        if !is_plain {
            self.tell(kind, sends, detail);
        }
        self.world.acted(self.process);
        if traces > 0 {
            self.sends_traces();
        }
    }

    /// What this action learns of the signals of others, and lets others know.
    #[cold]
    fn note_order(&mut self, action: &Action) {
        let (pid, sent) = (ids::to_log(self.process.pid), self.process.sent);
        let number = ActionNo(self.process.actions + 1);
        let Some(causality) = self.world.causality() else {
            return;
        };
        if let Some(tag) = action.kind.consumed() {
            causality.consumes(pid, tag);
        }
        let mut learned = false;
        for from in action.accesses.iter().filter_map(|access| access.by) {
            learned |= causality.reads(pid, from);
        }
        if let Some(child) = action.kind.spawned() {
            causality.spawns(pid, sent, child);
        }
        if tells_readers(action) {
            causality.writes(ActionId { pid, number }, sent);
        }
        if learned && self.world.purpose.receives_from_mailbox() && !action.kind.is_end() {
            // What it now knows to have been sent to it is there.
            let me = self.process.pid;
            self.settle(me, me);
            self.take_incoming();
        }
    }

    /// Tells the observer all about the action that this step becomes.
    #[inline(never)]
    fn tell(&mut self, kind: Kind, sends: u32, detail: Detail<'_>) {
        let accesses = self.accesses.take();
        let action = Action { kind, sends, accesses };
        if self.world.keeps_order() {
            self.note_order(&action);
        }
        self.process.spawned += u64::from(matches!(action.kind, Kind::Spawn { .. } | Kind::SpawnFailed { .. }));
        let event = ActionEvent {
            pid: ids::to_log(self.process.pid),
            number: ActionNo(self.process.actions + 1),
            action: &action,
            detail,
            machine: &self.process.machine,
            program: &self.world.program,
            native: self.native,
        };
        self.sink.action(self.process.slot, &event);
    }
}

impl World {
    /// An action of this process has become true: the only place that counts actions and goes on in a log.
    #[inline(always)]
    pub(crate) fn acted(&mut self, process: &mut Process) {
        process.actions += 1;
        process.standing = true;
        self.total_actions += 1;
        process.machine.reset_events();
        if let Some(feed) = process.mode.log_mut()
            && let Err(error) = feed.advance()
        {
            self.damaged(error);
        }
    }

    /// A log is damaged, and ends there. The first damage counts.
    #[cold]
    pub(crate) fn damaged(&mut self, error: Box<Error>) {
        self.damage.get_or_insert(error);
    }

    /// Replay: the first damage found in a log.
    pub fn take_damage(&mut self) -> Option<Box<Error>> {
        self.damage.take()
    }
}

/// The place of a process, `file:line:column`.
#[must_use]
pub fn here(machine: &vm::Process, program: &Program) -> Option<String> {
    machine
        .location(program)
        .map(|l| format!("{}:{}:{}", l.file, l.line, l.column))
}
