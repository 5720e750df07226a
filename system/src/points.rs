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
use crate::state::mode::Mode;
use crate::state::process::{Process, State};
use crate::state::signal::{PendingExit, Signal};
use crate::state::table::Lookup;
use crate::step::{After, Interrupt, Step};

impl Step<'_> {
    /// Begins a slice. If the process is at a counted event or at a waiting point, exit signals take effect. If the last slice ended after an
    /// action, they wait for the next such point, unless the scheduler chooses before every action: then this is a point too, because where
    /// between two actions a signal takes effect is its choice.
    #[inline(always)]
    pub(crate) fn point(&mut self) -> Option<After> {
        let at_receive = std::mem::take(&mut self.process.at_receive);
        self.process.awaits_message = false;
        match self.process.mode {
            Mode::Follow(_) => return None,
            // At a gate, they come where the caller says.
            Mode::Driven => {}
            Mode::Record | Mode::Beyond { .. } => {
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
        match self.process.mode {
            Mode::Record | Mode::Driven => {}
            // The log says when.
            Mode::Follow(_) | Mode::Beyond { .. } => return None,
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
        let feed = match &self.process.mode {
            Mode::Follow(feed) => feed,
            Mode::Record | Mode::Beyond { .. } | Mode::Driven => {
                let own = |pending: &mut Box<PendingExit>| pending.tag.sender() == Some(me);
                if let Some(pending) = self.process.pending.take_if(own) {
                    self.end_by_signal(pending.tag, pending.reason, false);
                    return Some(After::Ended);
                }
                return match self.process.mode {
                    Mode::Beyond { before } if self.process.actions > before => Some(After::Parked(State::Frozen)),
                    _ => None,
                };
            }
        };
        if feed.is_done() {
            let stays = !feed.runs_on();
            if stays && self.probes() {
                self.probe_rest();
            }
            return stays.then_some(After::Parked(State::Frozen));
        }
        match feed.signal_due() {
            Some((tag, events, false)) => {
                // A signal to oneself takes effect at the step that sent it. If nothing was counted: right after the last action, or before
                // the process ever ran.
                let at_once = tag.sender() == Some(me) || events == 0;
                at_once.then(|| self.killed_by_log(tag, false))
            }
            _ => None,
        }
    }

    /// Recording: will an exit signal that has arrived end the process at its next point?
    pub(crate) fn is_doomed(&self) -> bool {
        self.process.pending.is_some() && self.process.mode.dies_of_signals()
    }

    /// Replay: the head of the log is an exit signal, and its point is reached.
    pub(crate) fn killed_by_log(&mut self, tag: Tag, waiting: bool) -> After {
        if !waiting && self.probes() && self.process.retry.is_none() {
            self.probe_ahead();
        }
        if let Err(Interrupt::Blocked(wanted)) = self.check_heirs() {
            if let Lookup::Alive(slot) = self.world.table.find(self.process.pid) {
                self.world.blocked.entry(wanted).or_default().push(slot);
            }
            return After::Parked(State::Blocked);
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
                None => After::Parked(State::Blocked),
            },
        }
    }
}

/// Replay: the exit signal that ends the process at its current point.
pub(crate) fn due_here(p: &Process) -> Option<Tag> {
    let (tag, events, waiting) = p.mode.signal_due()?;
    (!waiting && p.machine.events() == events).then_some(tag)
}

/// Replay: the exit signal that ended the process while it waited, if it has reached such a point: a receive, or a native that waits. Before
/// that, it may pass other waiting natives that log nothing, because they fail or concern only the process itself.
pub(crate) fn due_waiting(p: &Process) -> Option<Tag> {
    let (tag, events, waiting) = p.mode.signal_due()?;
    (waiting && p.machine.events() == events).then_some(tag)
}
