//! Signals: how they are sent, how they arrive and what they change.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::{Pid, Term};
use log_format::Tag;

use crate::ids;
use crate::sink::Sink;
use crate::state::mode::Decides;
use crate::state::order::{Arrival, LogOrder};
use crate::state::process::{Process, ProcessActivity};
use crate::state::rare::AliasMode;
use crate::state::signal::{PendingExit, Sender, Signal, Via};
use crate::state::table::Lookup;
use crate::step::Step;
use crate::world::World;

/// The effect of a signal that has arrived.
pub(crate) enum Settled {
    /// A message, and whether it comes before ordinary ones.
    Message(Fragment, bool),
    /// An exit signal takes effect at the next point.
    Exit,
    /// Nothing: it was for a link, monitor or alias that does not exist.
    Nothing,
}

impl Step<'_> {
    /// Puts a signal in flight.
    #[inline]
    pub(crate) fn deliver(&mut self, to: Pid, tag: Tag, signal: Signal) {
        if self.world.purpose.keeps_the_past() {
            if self.sink.hears_sends() {
                self.probe_sent(to, tag, &signal);
            }
            if let Signal::Aliased { alias, .. } = &signal {
                self.world.resources.sent_to.insert(*alias);
            }
        }
        if to == self.process.pid {
            self.arrive_at(tag, signal);
            return;
        }
        let world = &mut *self.world;
        if world.purpose.delays_signals() {
            if !world.flight.is_empty() || world.scheduler.delay() {
                self.put_in_flight(to, tag, signal);
                return;
            }
        } else if world.purpose.holds_signals_back() {
            world.note_send(self.process.pid, tag, self.process.sent);
        }
        // In a replay, the logs say when it is received.
        self.arrive(to, tag, signal);
    }

    /// A signal arrives at this process or another one.
    pub(crate) fn arrive(&mut self, to: Pid, tag: Tag, signal: Signal) {
        let returned = self.world.arrive(self.sink, to, tag, signal);
        // Only the process of the step is out of the table, or the one whose step lets it end.
        if let Some(signal) = returned {
            self.aside().incoming.push((tag, signal));
        }
    }

    /// Something is in flight, or this signal is to be.
    fn put_in_flight(&mut self, to: Pid, tag: Tag, signal: Signal) {
        let (world, by) = (&mut *self.world, self.process.pid);
        let from = Sender::Process(by);
        // If nothing was in flight, the scheduler has been asked.
        let stays = world.flight.is_empty() || world.flight.has(from, to) || world.scheduler.delay();
        world.note_send(by, tag, self.process.sent);
        if stays || world.flight.is_early(from, to, tag) {
            world.flight.push(from, to, tag, signal);
        } else {
            self.arrive(to, tag, signal);
        }
    }
}

impl World {
    /// A signal arrives at a process. It is given back if the process is running now, and therefore out of the table.
    pub(crate) fn arrive(&mut self, sink: &mut dyn Sink, to: Pid, tag: Tag, signal: Signal) -> Option<Signal> {
        match self.table.find(to) {
            Lookup::Alive(slot) => {
                let Some(mut q) = self.table.take(slot) else {
                    return Some(signal);
                };
                let wake = match q.mode.decides() {
                    Decides::Record => self.comes_to(&mut q, tag, signal),
                    Decides::Follow(_) | Decides::Beyond { .. } | Decides::Driven => {
                        Step::new(self, &mut q, sink).arrive_at(tag, signal)
                    }
                };
                self.count_words(&mut q);
                if wake {
                    q.state = ProcessActivity::Ready;
                    self.scheduler.ready(slot);
                }
                self.table.put(slot, q);
            }
            Lookup::Unborn if self.purpose.signals_come_early() && !crate::runtime::is_runtime(to) => {
                LogOrder::keep_until_birth(&mut self.resources, to, tag, signal);
            }
            Lookup::Dead(_) => self.note_lost_signal(to),
            Lookup::Unborn if crate::runtime::is_runtime(to) && crate::runtime::device_of(to).is_none() => {
                self.resources.unanswered.get_or_insert(tag);
            }
            Lookup::Unborn => {}
        }
        None
    }

    /// A signal arrives while no process is running.
    pub(crate) fn arrive_between(&mut self, sink: &mut dyn Sink, to: Pid, tag: Tag, signal: Signal) {
        let returned = self.arrive(sink, to, tag, signal);
        debug_assert!(returned.is_none(), "all processes are in the table");
    }
}

impl Step<'_> {
    /// True if the process must be made ready.
    pub(crate) fn arrive_at(&mut self, tag: Tag, signal: Signal) -> bool {
        // To itself: it arrives when it is sent; at an inactive alias it is dropped.
        if let Some(alias) = signal.alias()
            && tag.sender() == Some(ids::to_log(self.process.pid))
            && self
                .process
                .rare
                .aliases
                .get(&alias)
                .is_none_or(|mode| *mode == AliasMode::Spent)
        {
            return false;
        }
        match self.process.mode.decides() {
            Decides::Record => {}
            Decides::Follow(feed) => {
                let is_blocked = self.process.state == ProcessActivity::Blocked;
                let arrival = LogOrder::of(feed).arrives(tag, &signal, is_blocked, self.process.awaits_message);
                match arrival {
                    Arrival::Taken => {
                        self.gives(tag, &signal);
                        self.hand(tag, as_message(signal));
                    }
                    Arrival::Kept | Arrival::Awaited => self.process.pool.insert(tag, signal),
                }
                return arrival != Arrival::Kept;
            }
            // While stepping, only its own fatal signals apply at once. All others wait until they are chosen.
            Decides::Beyond { .. } => {
                let own = tag.sender() == Some(ids::to_log(self.process.pid));
                if !own || is_message(&signal, self.process.trap_exit) {
                    self.process.pool.insert(tag, signal);
                    return false;
                }
            }
            Decides::Driven => {
                if self.world.holds(self.process, tag, &signal) {
                    self.process.pool.insert(tag, signal);
                    return false;
                }
            }
        }
        self.world.comes_to(self.process, tag, signal)
    }
}

impl World {
    /// Beyond the log: a signal takes effect at a process that is out of the table. True if the process must be made ready.
    fn comes_to(&mut self, q: &mut Process, tag: Tag, signal: Signal) -> bool {
        let was_waiting = matches!(q.state, ProcessActivity::Waiting | ProcessActivity::WaitingInput);
        let noticed = self.take_in(q, tag, signal);
        if noticed && q.held && q.pending.is_some() {
            q.held = false;
            return true;
        }
        noticed && was_waiting && (q.state == ProcessActivity::Waiting || q.pending.is_some())
    }

    /// Beyond the log: a message goes into the mailbox, an exit signal takes effect at the next point. True if anything changed.
    pub(crate) fn take_in(&mut self, q: &mut Process, tag: Tag, signal: Signal) -> bool {
        match self.take_effect(q, tag, signal) {
            Settled::Message(message, urgent) => {
                match urgent {
                    true => q.machine.deliver_first(ids::pack(tag), message),
                    false => q.machine.deliver(ids::pack(tag), message),
                }
                true
            }
            Settled::Exit => true,
            Settled::Nothing => false,
        }
    }

    /// A signal arrives: it changes links, monitors and aliases; an exit signal becomes pending.
    pub(crate) fn take_effect(&mut self, q: &mut Process, tag: Tag, signal: Signal) -> Settled {
        match signal {
            Signal::Message(message) => Settled::Message(message, false),
            Signal::Aliased { alias, message, urgent } => {
                let Some(mode) = q.rare.aliases.get(&alias).copied() else {
                    return Settled::Nothing;
                };
                if mode == AliasMode::Spent {
                    return Settled::Nothing;
                }
                if matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor) {
                    q.rare.aliases.insert(alias, AliasMode::Spent);
                }
                if mode == AliasMode::ReplyDemonitor
                    && let Some(monitor) = q.rare.monitors.get_mut(&alias)
                {
                    monitor.over = true;
                    if let Some((_, target)) = self.table.by_pid_mut(monitor.target) {
                        target.rare.watchers.remove(&alias);
                    }
                }
                Settled::Message(message, urgent && q.rare.urgent.contains(&alias))
            }
            Signal::Down { monitor, message } => {
                let Some(entry) = q.rare.monitors.get_mut(&monitor).filter(|m| !m.over) else {
                    return Settled::Nothing;
                };
                entry.over = true;
                if let Some(mode) = q.rare.aliases.get_mut(&monitor)
                    && matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor)
                {
                    *mode = AliasMode::Spent;
                }
                Settled::Message(message, q.rare.urgent_downs.contains(&monitor))
            }
            Signal::Exit {
                from,
                reason,
                link,
                via,
            } => {
                if link && !q.rare.links.remove(&from) {
                    return Settled::Nothing;
                }
                let inactive = |via: &Via| {
                    q.rare
                        .aliases
                        .get(&via.alias)
                        .is_none_or(|mode| *mode == AliasMode::Spent)
                };
                if via.as_deref().is_some_and(inactive) {
                    return Settled::Nothing;
                }
                let urgent = match via.as_deref() {
                    Some(via) => via.urgent && q.rare.urgent.contains(&via.alias),
                    None => link && !q.rare.urgent_links.is_empty() && q.rare.urgent_links.remove(&from),
                };
                let untrappable = !link && reason.as_immediate() == Some(Term::atom(Atom::KILL));
                if q.trap_exit && !untrappable {
                    let message = as_message(Signal::Exit {
                        from,
                        reason,
                        link,
                        via: None,
                    });
                    return Settled::Message(message, urgent);
                }
                let normal = reason.as_immediate() == Some(Term::atom(Atom::NORMAL));
                if normal && from != q.pid {
                    return Settled::Nothing;
                }
                q.pending
                    .get_or_insert_with(|| Box::new(pending_exit(tag, from, reason, link)));
                Settled::Exit
            }
        }
    }

    /// Replay: a timer's message to a name was sent; wakes its receiver.
    pub(crate) fn wake_afloat(&mut self, tag: Tag) {
        self.wake_blocked(|order| order.awaits(tag));
    }

    /// Replay: wakes the waiting processes whose logs satisfy this.
    pub(crate) fn wake_blocked(&mut self, wanted: impl Fn(LogOrder<'_>) -> bool) {
        let waiting: Vec<Pid> = self
            .table
            .iter()
            .filter(|q| q.state == ProcessActivity::Blocked && q.mode.order().is_some_and(&wanted))
            .map(|q| q.pid)
            .collect();
        for pid in waiting {
            if let Some((slot, q)) = self.table.by_pid_mut(pid) {
                q.state = ProcessActivity::Ready;
                self.scheduler.ready(slot);
            }
        }
    }

    pub(crate) fn arrive_pair(&mut self, sink: &mut dyn Sink, i: usize) {
        if let Some((to, tag, signal)) = self.flight.pop(i) {
            self.arrive_between(sink, to, tag, signal);
        }
    }

    pub(crate) fn fire_timers(&mut self, sink: &mut dyn Sink) {
        let now = self.now();
        // What fires now, and when it was due.
        let mut fired: Vec<(Tag, u64)> = Vec::new();
        while let Some(timer) = self.timers.pop_due(now) {
            match timer {
                crate::state::timers::Due::Wake { pid, deadline } => {
                    self.ring_before(sink, pid, |tag| {
                        let now = fired.iter().find(|(one, _)| *one == tag);
                        now.is_none_or(|(_, due)| *due < deadline)
                    });
                    if let Some((slot, q)) = self.table.by_pid_mut(pid)
                        && q.deadline == Some(deadline)
                    {
                        q.expired = true;
                        if q.state == ProcessActivity::Waiting {
                            q.state = ProcessActivity::Ready;
                            self.scheduler.ready(slot);
                        }
                    }
                }
                crate::state::timers::Due::Message(timer) => {
                    fired.push((timer.tag, timer.deadline));
                    self.expired(sink, timer);
                }
            }
        }
    }

    /// A receive of a process is about to time out: the messages of its own timers that were due before are not kept in flight any longer.
    fn ring_before(&mut self, sink: &mut dyn Sink, pid: Pid, was_due: impl Fn(Tag) -> bool) {
        let me = ids::to_log(pid);
        let rings = |(from, to): &&(Sender, Pid)| match from {
            Sender::Timer(tag) => *to == pid && tag.sender() == Some(me) && was_due(*tag),
            _ => false,
        };
        while let Some((from, to)) = self.flight.list().iter().find(rings).copied() {
            if let Some((to, tag, signal)) = self.flight.pop_pair(from, to) {
                self.arrive_between(sink, to, tag, signal);
            }
        }
    }

    /// A timer has expired: its message arrives.
    pub(crate) fn expired(&mut self, sink: &mut dyn Sink, timer: crate::state::timers::Message) {
        let to = match timer.to {
            crate::state::timers::To::Pid(pid) => Some(pid),
            crate::state::timers::To::Name(name) => self.resources.arrives_at(name, timer.tag),
        };
        let Some(to) = to else { return };
        let message = Signal::Message(timer.message);
        if self.purpose.delays_signals() && self.scheduler.delay_timer() {
            self.flight.push(Sender::Timer(timer.tag), to, timer.tag, message);
            return;
        }
        self.arrive_between(sink, to, timer.tag, message);
    }
}

impl Step<'_> {
    /// Signals of `from` that are still in flight to `to` arrive now (reads of liveness and links come after them); with causal delivery, all
    /// that `from` knows to have been sent.
    pub(crate) fn settle(&mut self, from: Pid, to: Pid) {
        while let Some((from, to)) = self.world.flight.known_to(from, to) {
            if let Some((to, tag, signal)) = self.world.flight.pop_pair(from, to) {
                self.arrive(to, tag, signal);
            }
        }
    }
}

/// What the arrival of a message changes besides delivering it; done when it is received at the latest.
pub(crate) fn absorb(p: &mut Process, signal: &Signal) {
    match signal {
        Signal::Message(_) | Signal::Down { .. } => {}
        Signal::Aliased { alias, .. } => {
            let Some(mode) = p.rare.aliases.get_mut(alias) else {
                return;
            };
            if matches!(mode, AliasMode::Reply | AliasMode::ReplyDemonitor) {
                let ends = *mode == AliasMode::ReplyDemonitor;
                *mode = AliasMode::Spent;
                if ends && let Some(monitor) = p.rare.monitors.get_mut(alias) {
                    monitor.over = true;
                }
            }
        }
        Signal::Exit { from, link, .. } => {
            if *link {
                p.rare.links.remove(from);
            }
        }
    }
}

/// Does a receiver see this signal as a message?
pub(crate) fn is_message(signal: &Signal, traps: bool) -> bool {
    match signal {
        Signal::Message(_) | Signal::Aliased { .. } | Signal::Down { .. } => true,
        Signal::Exit { reason, link, .. } => traps && (*link || reason.as_immediate() != Some(Term::atom(Atom::KILL))),
    }
}

/// A trapped exit signal as a message; a message as itself.
pub(crate) fn as_message(signal: Signal) -> Fragment {
    match signal {
        Signal::Message(message) | Signal::Aliased { message, .. } | Signal::Down { message, .. } => message,
        Signal::Exit { from, reason, .. } => crate::terms::tuple(&[
            crate::terms::TuplePart::Term(Term::atom(Atom::EXIT_UPPER)),
            crate::terms::TuplePart::Term(Term::pid(from)),
            crate::terms::TuplePart::Fragment(&reason),
        ]),
    }
}

/// An exit signal that ends the process at its next point, unless the process starts to trap exits before.
pub(crate) fn pending_exit(tag: Tag, from: Pid, reason: Fragment, link: bool) -> PendingExit {
    let ends_with = exit_reason(&reason, link);
    let signal = Signal::Exit {
        from,
        reason,
        link,
        via: None,
    };
    PendingExit {
        tag,
        reason: ends_with,
        trapped: is_message(&signal, true).then(|| as_message(signal)),
    }
}

/// The reason with which an exit signal ends a process: `kill` sent by `exit/2` becomes `killed`.
pub(crate) fn exit_reason(reason: &Fragment, link: bool) -> Fragment {
    if !link && reason.as_immediate() == Some(Term::atom(Atom::KILL)) {
        Fragment::immediate(Term::atom(Atom::KILLED))
    } else {
        reason.clone()
    }
}
