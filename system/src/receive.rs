//! Receiving.

use interpreter::heap::Fragment;
use interpreter::vm::Timeout;
use log_format::{ActionNo, Kind, Tag};

use crate::ids;
use crate::observer::Detail;
use crate::signals::{absorb, as_message};
use crate::state::mode::Decides;
use crate::state::order::{AwaitedWrite, LogOrder, Receiving};
use crate::state::process::{Label, Process, ProcessActivity};
use crate::state::rare::AliasMode;
use crate::state::signal::Signal;
use crate::step::{After, Interrupt, Step};

impl Step<'_> {
    pub(crate) fn received(&mut self, tag: Tag) -> Result<(), Interrupt> {
        self.expect(
            |k| matches!(k, Kind::Rec(t) if *t == tag),
            || format!("receive the message {tag}"),
        )?;
        self.process.deadline = None;
        self.process.expired = false;
        forget_monitor(self.process, tag);
        if self.process.mode.log().is_some() {
            self.note_arrival(tag);
            // The name that it was sent to.
            if let Some(head) = self.process.mode.logged() {
                self.accesses.extend(&head.accesses);
            }
        } else if !self.world.resources.arrivals.is_empty() {
            self.accesses.extend(self.world.resources.arrivals.remove(&tag));
        }
        let handed = match self.process.rare.take(|rare| &mut rare.handed) {
            Some((handed, message)) => (handed == tag).then_some(message),
            None => self.process.machine.mailbox.take_kept(),
        };
        self.commit(
            Kind::Rec(tag),
            0,
            Detail::Received {
                message: handed.as_ref(),
            },
        );
        if self.process.rare.past.woken {
            self.process.rare.past.woken = false;
        }
        Ok(())
    }

    /// The process is in a receive, and none of the messages in its mailbox matches.
    pub(crate) fn waits(&mut self, timeout: Timeout) -> Result<Option<After>, Interrupt> {
        match self.process.mode.decides() {
            Decides::Follow(feed) if feed.is_done() => return Ok(Some(After::Parked(ProcessActivity::Frozen))),
            Decides::Follow(feed) => {
                let has_timeout = matches!(timeout, Timeout::Millis(_));
                let receiving = LogOrder::of(feed).receives(self.process.machine.events(), has_timeout);
                return self.waits_in_replay(timeout, receiving);
            }
            Decides::Beyond { .. } => {
                self.process.label = Some(Label::Receive(timeout));
                return Ok(Some(After::Parked(ProcessActivity::Frozen)));
            }
            Decides::Driven => self.process.label = Some(Label::Receive(timeout)),
            Decides::Record => {}
        }
        if let Some(after) = self.limit_heap(true) {
            return Ok(Some(after));
        }
        let Timeout::Millis(ms) = timeout else {
            return Ok(Some(After::Parked(ProcessActivity::Waiting)));
        };
        // The caller decides when time passes, even if no time has to pass.
        let at_once = ms == 0 && !self.process.mode.stops_at_gates();
        if at_once || self.process.expired {
            self.times_out(ms);
            return Ok(None);
        }
        if ms == 0 {
            self.process.deadline = Some(self.world.now());
        } else if self.process.deadline.is_none() {
            let late = self.world.scheduler.lateness(self.process.pid.number());
            let time = ms.saturating_mul(1_000_000);
            let deadline = self.world.now().saturating_add(time).saturating_add(late);
            self.process.deadline = Some(deadline);
            self.world.timers.add_wake(deadline, self.process.pid);
        }
        Ok(Some(After::Parked(ProcessActivity::Waiting)))
    }

    /// Replay: as [`Self::waits`]; the log has said what comes of it.
    fn waits_in_replay(&mut self, timeout: Timeout, receiving: Receiving) -> Result<Option<After>, Interrupt> {
        if !self.process.machine.mailbox.is_empty() {
            let tags: Vec<String> = self
                .process
                .machine
                .mailbox
                .tags()
                .map(|t| ids::unpack(t).to_string())
                .collect();
            let found = format!("wait in a receive that does not match the message {}", tags.join(", "));
            return Err(self.unexpected(found));
        }
        if self.probes() {
            self.probe_receive(timeout);
        }
        match receiving {
            Receiving::Takes(tag) => {
                let waiting = self.process.pool.remove(&tag);
                if let Some(signal) = &waiting {
                    self.gives(tag, signal);
                }
                match waiting.or_else(|| self.afloat(tag)) {
                    Some(signal) => {
                        absorb(self.process, &signal);
                        let message = as_message(signal);
                        self.hand(tag, message);
                        Ok(None)
                    }
                    None => {
                        self.process.awaits_message = true;
                        Ok(Some(self.blocks(AwaitedWrite::Signal(tag))))
                    }
                }
            }
            Receiving::TimesOut => {
                self.times_out(match timeout {
                    Timeout::Millis(ms) => ms,
                    Timeout::Infinity => 0,
                });
                Ok(None)
            }
            Receiving::EndsBy(tag) => Ok(Some(self.killed_by_log(tag, true))),
            Receiving::Departs => Err(self.unexpected("wait in a receive")),
        }
    }

    /// Replay: a process gets the signal that its next action consumes. Whether a message is a timer's is known only from its sender's log.
    pub(crate) fn gives(&mut self, tag: Tag, signal: &Signal) {
        if self.sink.retains() && !self.world.resources.timed.contains_key(&tag) {
            let me = ids::to_log(self.process.pid);
            self.sink.given(me, ActionNo(self.process.actions + 1), tag, signal);
        }
    }

    /// Replay: a message that is not in any process's pool: to a name, of a node, or of an end.
    #[inline]
    pub(crate) fn afloat(&mut self, tag: Tag) -> Option<Signal> {
        let none = self.world.resources.afloat.is_empty() && self.world.node_changes.is_empty();
        if none && !matches!(tag, Tag::EndTo { .. }) {
            return None;
        }
        let one = self.world.resources.afloat.remove(&tag).map(|(signal, _)| signal);
        one.or_else(|| {
            self.world
                .message_of_node(tag, self.process.pid, self.process.rare.node_news)
        })
        .or_else(|| self.world.message_of_crash(self.process.pid, tag))
    }

    /// Replay: puts the message that the log names next into the mailbox.
    pub(crate) fn hand(&mut self, tag: Tag, message: Fragment) {
        if self.sink.wants_message(self.process.slot) {
            self.process.rare.handed = Some((tag, message.clone()));
        }
        self.process.machine.deliver(ids::pack(tag), message);
    }

    /// `after`: so many milliseconds.
    pub(crate) fn times_out(&mut self, after: u64) {
        self.process.deadline = None;
        self.process.expired = false;
        self.commit(Kind::After, 0, Detail::TimedOut(after));
        if after > 0 && self.world.purpose.keeps_the_past() && !self.world.resources.timed.is_empty() {
            self.waits_for(after);
        }
        self.process.machine.time_out();
    }
}

/// A process has received a message: if it was a 'DOWN', its monitor has ended.
pub(crate) fn forget_monitor(p: &mut Process, tag: Tag) {
    match tag {
        Tag::EndRef { owner, k, .. } if owner == ids::to_log(p.pid) => {
            let reference = interpreter::term::Reference {
                owner: p.pid,
                number: k,
            };
            p.rare.monitors.remove(&reference);
            p.rare.fired.remove(&reference);
            if p.rare
                .aliases
                .get(&reference)
                .is_some_and(|mode| !matches!(mode, AliasMode::Explicit))
            {
                p.rare.aliases.remove(&reference);
            }
            if !p.rare.urgent.is_empty() || !p.rare.urgent_downs.is_empty() {
                p.rare.forget_urgent(reference);
            }
        }
        Tag::Sent { by, .. } if by == ids::to_log(p.pid) && !p.rare.fired.is_empty() => {
            p.rare.fired.retain(|_, fired| *fired != tag);
        }
        _ => {}
    }
}
