//! Points at which exit signals take effect.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Term;
use interpreter::vm::Program;
use log_format::Tag;

use crate::ids;
use crate::outside::Device;
use crate::scheduler::Grain;
use crate::signals::exit_reason;
use crate::state::mode::Decides;
use crate::state::order::{AwaitedWrite, Between};
use crate::state::process::{Process, ProcessActivity};
use crate::state::signal::{PendingExit, Signal};
use crate::step::{After, Interrupt, Step};

impl Step<'_> {
    /// Begins a slice. If the process is at a counted event or at a waiting point, exit signals take effect. If the last slice ended after an
    /// action, they wait for the next such point, unless the scheduler chooses before every action: then this is a point too, because where
    /// between two actions a signal takes effect is its choice.
    #[inline(always)]
    pub(crate) fn point(&mut self) -> Option<After> {
        let at_receive = std::mem::take(&mut self.process.at_receive);
        self.process.awaits_message = false;
        match self.process.mode.decides() {
            Decides::Follow(_) => return None,
            // At a gate, they come where the caller says.
            Decides::Driven => {}
            Decides::Record | Decides::Beyond { .. } => {
                let p = &*self.process;
                let between_points = self.world.grain == Grain::Slices
                    && p.machine.events() == 0
                    && !at_receive
                    && p.actions > 0
                    && p.suspended == 0;
                if between_points {
                    return None;
                }
            }
        }
        if let Some(pending) = self.process.pending.take() {
            self.end_by_signal(pending.tag, pending.reason, at_receive);
            return Some(After::Ended);
        }
        self.limit_heap(at_receive)
    }

    /// Recording: kills a process that has outgrown its limit.
    #[inline(always)]
    pub(crate) fn limit_heap(&mut self, waiting: bool) -> Option<After> {
        self.process.rare.heap_limit()?;
        self.is_too_large(waiting)
    }

    fn is_too_large(&mut self, waiting: bool) -> Option<After> {
        // Otherwise the log says when.
        if !self.process.mode.dies_of_signals() {
            return None;
        }
        if !self.outgrows() {
            return None;
        }
        let to = ids::to_log(self.process.pid);
        let killed = Fragment::immediate(Term::atom(Atom::KILLED));
        self.end_by_signal(Tag::Limit { to }, killed, waiting);
        Some(After::Ended)
    }

    /// Has its heap outgrown `max_heap_size`, so that it must be killed?
    pub(crate) fn outgrows(&mut self) -> bool {
        let Some(&limit) = self.process.rare.heap_limit() else {
            return false;
        };
        let too_large = |p: &Process, program: &Program| p.machine.used_words(program) as i64 > limit.size;
        if too_large(self.process, &self.world.program) {
            self.process.machine.collect(&self.world.program);
        }
        if !too_large(self.process, &self.world.program) {
            self.process.outgrown = false;
            return false;
        }
        if limit.error_logger && !self.process.outgrown {
            self.process.outgrown = true;
            let (words, messages) = (
                self.process.machine.used_words(&self.world.program),
                self.process.machine.mailbox.len(),
            );
            let text = format!(
                "=ERROR REPORT==== {} ===\n     Process:            <0.{}.0> \n     Context:            maximum heap size reached\n     \
                 Max Heap Size:      {}\n     Total Heap Size:    {words}\n     Kill:               {}\n     Error Logger:       true\n     \
                 Message Queue Len:  {messages}\n\n",
                self.world.stamp(),
                self.process.pid.number(),
                limit.size,
                limit.kill
            );
            self.world.outside.flush();
            let _ = self.world.outside.write(Device::Stderr, text.as_bytes());
        }
        limit.kill
    }

    /// Between two labels: a signal to oneself takes effect, and in replay the process may have done all that was requested.
    pub(crate) fn between_labels(&mut self) -> Option<After> {
        let me = ids::to_log(self.process.pid);
        let Some(order) = self.process.mode.order() else {
            let own = |pending: &mut Box<PendingExit>| pending.tag.sender() == Some(me);
            if let Some(pending) = self.process.pending.take_if(own) {
                self.end_by_signal(pending.tag, pending.reason, false);
                return Some(After::Ended);
            }
            return match self.process.mode.decides() {
                Decides::Beyond { before } if self.process.actions > before => {
                    Some(After::Parked(ProcessActivity::Frozen))
                }
                _ => None,
            };
        };
        match order.between_labels(me) {
            Between::GoesOn => {
                self.prepares();
                None
            }
            Between::Rests => {
                if self.probes() {
                    self.probe_rest();
                }
                Some(After::Parked(ProcessActivity::Frozen))
            }
            Between::EndsBy(tag) => Some(self.killed_by_log(tag, false)),
        }
    }

    /// Recording: will an exit signal that has arrived end the process at its next point?
    pub(crate) fn is_doomed(&self) -> bool {
        self.process.pending.is_some() && self.process.mode.dies_of_signals()
    }

    /// An exit signal ends the process at its waiting point: one that has arrived, or, in a replay, the one that the log names.
    pub(crate) fn killed_waiting(&mut self, tag: Tag) -> After {
        match self.is_doomed() {
            true => self.end_by_pending(true),
            false => self.killed_by_log(tag, true),
        }
    }

    /// Replay: the head of the log is an exit signal, and its point is reached.
    pub(crate) fn killed_by_log(&mut self, tag: Tag, waiting: bool) -> After {
        if !waiting && self.probes() && self.process.retry.is_none() {
            self.probe_ahead();
        }
        if let Some(wanted) = self.heirs_wait() {
            return self.blocks(wanted);
        }
        match self.process.pool.remove(&tag) {
            Some(Signal::Exit { reason, link, .. }) => {
                let reason = exit_reason(&reason, link);
                self.end_by_signal(tag, reason, waiting);
                After::Ended
            }
            Some(Signal::Message(_) | Signal::Aliased { .. } | Signal::Down { .. }) => {
                let d = self.world.divergence(
                    self.process,
                    format!("an exit signal {tag}"),
                    "a message was sent under that tag".to_owned(),
                );
                self.world.diverge(d)
            }
            None if matches!(tag, Tag::Limit { .. }) => {
                let killed = Fragment::immediate(Term::atom(Atom::KILLED));
                self.end_by_signal(tag, killed, waiting);
                After::Ended
            }
            None => match self.world.kill_of_node(tag) {
                Some(reason) => {
                    self.end_by_signal(tag, reason, waiting);
                    After::Ended
                }
                None => self.blocks(AwaitedWrite::Signal(tag)),
            },
        }
    }

    /// Replay: the exit signal that ends the process at its current point.
    pub(crate) fn ends_here(&self) -> Option<Tag> {
        self.process.mode.order()?.ends_here(self.process.machine.events())
    }

    /// A native that waits, or that looks at the mailbox of its own process, is a waiting point: an exit signal that has arrived takes effect before
    /// it. So no process sees a message that its sender sent after an exit signal that ends it. In a replay the log says whether one did.
    ///
    /// # Errors
    /// If so.
    pub(crate) fn lives_while_waiting(&self) -> Result<(), Interrupt> {
        if let Some(pending) = self.process.pending.as_deref().filter(|_| self.is_doomed()) {
            return Err(Interrupt::Killed(pending.tag));
        }
        let order = self.process.mode.order();
        match order.and_then(|order| order.ends_waiting(self.process.machine.events())) {
            Some(tag) => Err(Interrupt::Killed(tag)),
            None => Ok(()),
        }
    }
}
