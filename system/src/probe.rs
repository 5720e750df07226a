//! What a replay tells an observer that measures the stall of the run: what was sent to whom, and which messages a receive could have taken.

use interpreter::atom::Atom;
use interpreter::term::{Pid, Reference};
use interpreter::vm::{self, Stop, Timeout};
use log_format::{ActionId, Kind, Tag};

use crate::beyond::GUARDS;
use crate::ids;
use crate::observer::{CurrentReceive, Fact, Other};
use crate::signals::as_message;
use crate::state::rare::AliasMode;
use crate::state::signal::Signal;
use crate::step::Step;

/// Is it an exit signal whose reason, if that is an atom, and whose link are such?
fn is_exit(signal: &Signal, such: impl Fn(Atom, bool) -> bool) -> bool {
    match signal {
        // A reason that is no atom is none of these words.
        Signal::Exit { reason, link, .. } => such(
            reason
                .as_immediate()
                .and_then(|reason| reason.as_atom())
                .unwrap_or(Atom::ERROR),
            *link,
        ),
        Signal::Message(_) | Signal::Aliased { .. } | Signal::Down { .. } => false,
    }
}

impl Step<'_> {
    /// Is this a replay for an observer that gathers facts?
    pub(crate) fn probes(&self) -> bool {
        self.world.purpose.keeps_the_past() && self.sink.probes()
    }

    /// Is this a replay for an observer that hears of what is sent, and of what changes who gets it?
    pub(crate) fn hears(&self) -> bool {
        self.world.purpose.keeps_the_past() && self.sink.hears_sends()
    }

    /// The name of the last action of this process.
    pub(crate) fn last_action(&self) -> ActionId {
        ActionId::new(ids::to_log(self.process.pid), self.process.actions)
    }

    #[cold]
    pub(crate) fn probe_sent(&mut self, to: Pid, tag: Tag, signal: &Signal) {
        self.sink.learned(Fact::Sent {
            to: ids::to_log(to),
            tag,
            exit: matches!(signal, Signal::Exit { .. }),
            deadly: is_exit(signal, |reason, _| reason != Atom::NORMAL),
            kills: is_exit(signal, |reason, link| reason == Atom::KILL && !link),
            message: as_message(signal.clone()),
            alias: match signal {
                Signal::Aliased { alias, .. } => Some((alias.number, self.mode_of(to, alias.number))),
                Signal::Message(_) | Signal::Down { .. } | Signal::Exit { .. } => None,
            },
        });
    }

    /// What ends an alias of a process. One that it does not have accepts nothing.
    fn mode_of(&self, to: Pid, number: u64) -> AliasMode {
        let owner = match to == self.process.pid {
            true => Some(&*self.process),
            false => self.world.table.by_pid(to),
        };
        let mode = match owner {
            Some(p) => p.rare.past.alias(number),
            None => {
                let ended = self.world.resources.aliases.get(&to);
                ended.and_then(|all| all.get(&number).copied())
            }
        };
        mode.unwrap_or(AliasMode::Spent)
    }

    /// An exit signal is about to end the process while it computes. The place of a kill means nothing: had the process gone on without an
    /// action, it would have been in this receive.
    #[cold]
    pub(crate) fn probe_ahead(&mut self) {
        // It stands at a question about a module: what it would see is a choice, and not known.
        if !self.process.machine.args().is_empty() {
            return;
        }
        let mut machine = self.process.machine.clone();
        let timeout = match machine.run(&self.world.program, GUARDS) {
            Stop::Wait { timeout } => timeout,
            // It waits for an answer, and no message can end that.
            stop @ Stop::Native { .. } if self.world.silent(&stop) => {
                self.sink.others(self.receive(&machine, Timeout::Infinity, true));
                return;
            }
            _ => return,
        };
        let receive = self.receive(&machine, timeout, true);
        let others = self.sink.others(receive);
        self.probe_at(&machine, receive, others);
    }

    /// The process has done all that is logged. Where did it come to, without another action? If it is in a receive, then what of that was sent
    /// could it have taken?
    #[cold]
    pub(crate) fn probe_rest(&mut self) {
        self.probe_ahead();
    }

    /// The process is in a receive.
    #[cold]
    pub(crate) fn probe_receive(&mut self, timeout: Timeout) {
        let logged = self.process.mode.logged_kind();
        if !matches!(logged, Some(Kind::Rec(_) | Kind::After | Kind::Signal { .. })) {
            return;
        }
        let receive = self.receive(&self.process.machine, timeout, false);
        let others = self.sink.others(receive);
        if !others.is_empty() {
            let machine = self.process.machine.clone();
            self.probe_at(&machine, receive, others);
        }
    }

    /// Does an alias of this process still accept messages?
    fn is_open(&self, number: u64) -> bool {
        let owner = self.process.pid;
        let mode = self.process.rare.aliases.get(&Reference { owner, number });
        mode.is_some_and(|mode| *mode != AliasMode::Spent)
    }

    fn receive(&self, machine: &vm::Process, timeout: Timeout, next: bool) -> CurrentReceive {
        CurrentReceive {
            id: ActionId::new(ids::to_log(self.process.pid), self.process.actions + 1),
            ms: match timeout {
                Timeout::Millis(ms) => Some(ms),
                Timeout::Infinity => None,
            },
            next,
            traps: self.process.trap_exit,
            sleeps: machine.sleeps(&self.world.program),
        }
    }

    fn probe_at(&mut self, at: &vm::Process, receive: CurrentReceive, others: Vec<Other>) {
        if others.is_empty() {
            return;
        }
        let (mut taken, mut closed) = (Vec::new(), Vec::new());
        let mut words = at.heap.len();
        let mut machine = at.clone();
        for Other { tag, message, alias } in others {
            // It would be dropped.
            let is_closed = alias.is_some_and(|number| !self.is_open(number));
            machine.deliver(ids::pack(tag), message);
            match machine.run(&self.world.program, GUARDS) {
                Stop::Received(_) => {
                    match is_closed {
                        true => closed.push(tag),
                        false => taken.push(tag),
                    }
                    machine = at.clone();
                    words += at.heap.len();
                }
                _ => {
                    machine.mailbox.remove(ids::pack(tag));
                }
            }
        }
        self.sink.could_take(receive, taken, closed, words);
    }
}
