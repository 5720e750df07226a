//! What the next step of a process can find to have arrived: beyond the log, what it cancels may have come before, and what it observes too.

use interpreter::atom::Atom;
use interpreter::heap::{Fragment, TermView};
use interpreter::term::{Pid, Reference, Term};
use log_format::Tag;

use crate::ids;
use crate::signals::as_message;
use crate::state::mode::Decides;
use crate::state::process::{Label, Process};
use crate::state::rare::AliasMode;
use crate::state::resources::Resources;
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::state::turns::Sort;
use crate::step::{Interrupt, Step};
use crate::world::World;

/// Something that a step does, and whose other results are no choices beyond the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blind {
    /// It looks at its own state, which signals change, or at the whole system.
    State,
    /// It looks at what another process does between two of its actions.
    Other,
    /// It cancels a timer that sends to another process.
    Timer,
    /// It lists names or tables.
    Lists,
}

impl World {
    /// Signals that can have arrived when a process takes its next step, and make a difference to that, each with its receiver: the process, or one
    /// that it observes.
    #[must_use]
    pub fn finds(&self, pid: log_format::Pid) -> Vec<(log_format::Pid, Tag)> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        let Some(Label::Native(id)) = p.label else {
            return Vec::new();
        };
        let native = self.program.native(id);
        if native.module != "erlang" {
            return Vec::new();
        }
        let args = crate::ops::args::<2>(p);
        let own = |tags: Vec<Tag>| tags.into_iter().map(|tag| (pid, tag)).collect();
        match native.name {
            "demonitor" if asks(p, args[1]) => {
                own(reference(p, args[0]).map_or_else(Vec::new, |of| ends_monitor(p, of)))
            }
            "unalias" => own(reference(p, args[0]).map_or_else(Vec::new, |of| ends_alias(p, of))),
            "cancel_timer" | "read_timer" => {
                let timer = match p.machine.heap.view(args[0]) {
                    TermView::Reference(of) => self.timer_of(of),
                    _ => None,
                };
                own(timer.filter(|tag| p.pool.contains(tag)).into_iter().collect())
            }
            "link" => own(args[0]
                .as_pid()
                .and_then(|of| self.old_link(p, of))
                .into_iter()
                .collect()),
            "process_info" => match args[0].as_pid().filter(|of| *of != p.pid) {
                Some(of) if has_item(p, args[1], &["message_queue_len", "messages"]) => self.mail_of(of),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// If the next step of a process gives up a monitor or an alias, and tells whether something has ended that: the number of its reference, and
    /// the signals that were sent and do.
    #[must_use]
    pub fn gives_up(&self, pid: log_format::Pid) -> Option<(u64, Vec<Tag>)> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let Some(Label::Native(id)) = p.label else { return None };
        let native = self.program.native(id);
        let args = crate::ops::args::<2>(p);
        let tells = match native.name {
            "demonitor" => asks(p, args[1]),
            name => name == "unalias",
        };
        let of = reference(p, args[0]).filter(|_| tells && native.module == "erlang")?;
        let mode = p.rare.aliases.get(&of);
        let mut tags = match mode {
            Some(AliasMode::Reply | AliasMode::ReplyDemonitor) => to_alias(p, of),
            Some(AliasMode::Explicit | AliasMode::Demonitor | AliasMode::Spent) | None => Vec::new(),
        };
        let ends = native.name == "demonitor" || matches!(mode, Some(AliasMode::Demonitor | AliasMode::ReplyDemonitor));
        if ends && let Some(monitor) = p.rare.monitors.get(&of).filter(|monitor| !monitor.over) {
            let down = Tag::EndRef {
                by: ids::to_log(monitor.target),
                owner: ids::to_log(p.pid),
                k: of.number,
            };
            tags.extend(Some(down).filter(|tag| p.pool.contains(tag)));
        }
        tags.sort_unstable();
        Some((of.number, tags))
    }

    /// If the next step of a process cancels or reads a timer that sends to the process itself, and whose message was not received: that message.
    #[must_use]
    pub fn asks_timer(&self, pid: log_format::Pid) -> Option<Tag> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let Some(Label::Native(id)) = p.label else { return None };
        let native = self.program.native(id);
        if native.module != "erlang" || !matches!(native.name, "cancel_timer" | "read_timer") {
            return None;
        }
        match p.machine.heap.view(crate::ops::args::<1>(p)[0]) {
            TermView::Reference(of) => self.timer_of(of).filter(|tag| p.pool.contains(tag)),
            _ => None,
        }
    }

    /// Does the next step of a process have other results that are no choices?
    #[must_use]
    pub fn is_blind(&self, pid: log_format::Pid) -> Option<Blind> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let Some(Label::Native(id)) = p.label else {
            return None;
        };
        let native = self.program.native(id);
        let args = crate::ops::args::<2>(p);
        match native.name {
            "demonitor" | "unalias" | "link" | "hibernate" => None,
            "registered" => Some(Blind::Lists),
            "all" if native.module == "ets" => Some(Blind::Lists),
            "cancel_timer" | "read_timer" => match p.machine.heap.view(args[0]) {
                TermView::Reference(of) => {
                    let set = self.timer_of(of);
                    set.filter(|tag| !p.pool.contains(tag)).map(|_| Blind::Timer)
                }
                _ => None,
            },
            "process_info" if args[0].as_pid() == Some(p.pid) => {
                let items = items(p, args[1]);
                let own = items.is_empty() || !items.iter().all(|item| OWN.contains(&item.as_str()));
                own.then_some(Blind::State)
            }
            "process_info" => {
                let items = items(p, args[1]);
                let known = !items.is_empty() && items.iter().all(|item| OTHERS.contains(&item.as_str()));
                (!known).then_some(Blind::Other)
            }
            _ => Some(Blind::State),
        }
    }

    /// Is the next step of a process to hibernate? Then whether there is a message that can wake it up.
    #[must_use]
    pub fn wakes(&self, pid: log_format::Pid) -> Option<bool> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let Some(Label::Native(id)) = p.label else {
            return None;
        };
        let native = self.program.native(id);
        let [module, function, list] = crate::ops::args::<3>(p);
        let can_be_called = || {
            let arguments = p.machine.heap.list(list).map(|list| list.len());
            module.as_atom().is_some() && function.as_atom().is_some() && arguments.is_some_and(|n| n <= 255)
        };
        let hibernates = native.name == "hibernate" && (native.arity == 0 || can_be_called());
        hibernates.then(|| self.first_mail(p).is_some())
    }

    /// Beyond the log: the first of the messages that a process can have in its mailbox.
    pub(crate) fn first_mail(&self, p: &Process) -> Option<Tag> {
        let named = self.resources.afloat.iter();
        let named = named.filter(|(_, (_, name))| self.resources.holder(*name) == Some(p.pid));
        let own = p
            .pool
            .iter()
            .filter(|(_, signal)| super::choices::is_welcome(p, signal));
        own.map(|(tag, _)| tag).chain(named.map(|(tag, _)| *tag)).min()
    }

    /// Does a process halt the whole run with its next step?
    #[must_use]
    pub fn halts_next(&self, pid: log_format::Pid) -> bool {
        let label = self.table.by_pid(Pid::new(0, pid.0)).map(|p| (p.label, p.pid.node()));
        match label {
            Some((Some(Label::Native(id)), 0)) => self.program.native(id).name == "halt",
            _ => false,
        }
    }

    /// The message of a timer that is set.
    fn timer_of(&self, timer: Reference) -> Option<Tag> {
        let mut timed = self.resources.timed.iter();
        timed.find_map(|(tag, one)| (one.reference == timer).then_some(*tag))
    }

    /// The signal of the end of a process to which there may still be a link.
    fn old_link(&self, p: &Process, of: Pid) -> Option<Tag> {
        let ended = matches!(self.table.find(of), Lookup::Dead(_)) && p.rare.links.contains(&of);
        let tag = Tag::EndTo {
            by: ids::to_log(of),
            to: ids::to_log(p.pid),
        };
        (ended && p.pool.contains(&tag)).then_some(tag)
    }

    /// What a process could have in its mailbox.
    fn mail_of(&self, of: Pid) -> Vec<(log_format::Pid, Tag)> {
        let Some(q) = self.table.by_pid(of) else {
            return Vec::new();
        };
        let to = ids::to_log(of);
        let mut tags: Vec<Tag> = self.messages(to).into_iter().map(|(tag, _)| tag).collect();
        tags.retain(|tag| q.pool.contains(tag));
        tags.into_iter().map(|tag| (to, tag)).collect()
    }

    /// Can what was done have been done? Not if an alias was ended by a message, and nothing was sent to it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let Resources { answered, sent_to, .. } = &self.resources;
        answered.iter().all(|alias| sent_to.contains(alias))
    }

    /// The first `link` or `unlink` whose order against a call of the partner matters. The search for other ways does not try the other order.
    #[must_use]
    pub const fn raced_link(&self) -> Option<log_format::ActionId> {
        self.resources.raced_link
    }

    /// The first message that a process was sent and that is answered by nobody: it went to a process of the runtime.
    #[must_use]
    pub const fn unanswered(&self) -> Option<Tag> {
        self.resources.unanswered
    }
}

/// Items of a process that only its own steps change.
const OWN: &[&str] = &[
    "registered_name",
    "current_function",
    "current_location",
    "current_stacktrace",
    "initial_call",
    "dictionary",
    "error_handler",
    "group_leader",
    "message_queue_data",
    "parent",
    "priority",
    "status",
    "trap_exit",
    "catchlevel",
    "suspending",
];

/// Items of another process that follow from its actions and from what has arrived.
const OTHERS: &[&str] = &["registered_name", "message_queue_len", "initial_call", "parent"];

/// Does `demonitor` with these options tell whether the monitor was there, or drop a message?
fn asks(p: &Process, options: Term) -> bool {
    let options = (options != Term::NONE).then(|| p.machine.heap.list(options)).flatten();
    options.is_some_and(|options| !options.is_empty())
}

/// The items that are asked for; none for all.
fn items(p: &Process, what: Term) -> Vec<Atom> {
    match what.as_atom() {
        _ if what == Term::NONE => Vec::new(),
        Some(item) => vec![item],
        None => p
            .machine
            .heap
            .list(what)
            .unwrap_or_default()
            .into_iter()
            .filter_map(Term::as_atom)
            .collect(),
    }
}

fn has_item(p: &Process, what: Term, wanted: &[&str]) -> bool {
    let items = items(p, what);
    items.is_empty() || items.iter().any(|item| wanted.contains(&item.as_str()))
}

/// A reference of the process itself.
fn reference(p: &Process, term: Term) -> Option<Reference> {
    match p.machine.heap.view(term) {
        TermView::Reference(of) if of.owner == p.pid => Some(of),
        _ => None,
    }
}

/// What ends a monitor: its 'DOWN', or the reply to its alias.
fn ends_monitor(p: &Process, of: Reference) -> Vec<Tag> {
    let Some(monitor) = p.rare.monitors.get(&of) else {
        return p
            .rare
            .fired
            .get(&of)
            .copied()
            .filter(|tag| p.pool.contains(tag))
            .into_iter()
            .collect();
    };
    let down = Tag::EndRef {
        by: ids::to_log(monitor.target),
        owner: ids::to_log(p.pid),
        k: of.number,
    };
    let mut tags: Vec<Tag> = Some(down).filter(|tag| p.pool.contains(tag)).into_iter().collect();
    if p.rare.aliases.get(&of) == Some(&AliasMode::ReplyDemonitor) {
        tags.extend(to_alias(p, of));
    }
    tags
}

/// What ends an alias: the first message to it, or the 'DOWN' of its monitor.
fn ends_alias(p: &Process, of: Reference) -> Vec<Tag> {
    let (replies, down) = match p.rare.aliases.get(&of) {
        Some(AliasMode::Reply) => (true, false),
        Some(AliasMode::ReplyDemonitor) => (true, true),
        Some(AliasMode::Demonitor) => (false, true),
        Some(AliasMode::Explicit | AliasMode::Spent) | None => (false, false),
    };
    let downs = p
        .pool
        .iter()
        .filter(|(_, signal)| matches!(signal, Signal::Down { monitor, .. } if *monitor == of));
    let mut tags: Vec<Tag> = downs.filter(|_| down).map(|(tag, _)| tag).collect();
    if replies {
        tags.extend(to_alias(p, of));
    }
    tags.sort_unstable();
    tags
}

/// Messages to an alias that were sent and not received.
fn to_alias(p: &Process, of: Reference) -> Vec<Tag> {
    let to = p
        .pool
        .iter()
        .filter(|(_, signal)| matches!(signal, Signal::Aliased { alias, .. } if *alias == of));
    to.map(|(tag, _)| tag).collect()
}

/// When a signal would be accepted: after which of the actions of its receiver, up to which, and whether it is accepted then.
pub type Window = (u64, u64, bool);

impl World {
    /// For a signal that is accepted at some times and dropped at others: these times, in order. `None` if it is always the same, or if a log says it.
    #[must_use]
    pub fn windows(&self, pid: log_format::Pid, tag: Tag) -> Option<Vec<Window>> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        if p.rare.past.turns.is_empty() || tag.sender() == Some(pid) || p.must_have_got(tag).is_some() {
            return None;
        }
        let mut sorts = match p.pool.get(&tag)? {
            Signal::Aliased { alias, .. } => vec![(Sort::Alias(*alias), true)],
            Signal::Down { monitor, .. } => vec![(Sort::Monitor(*monitor), true)],
            signal @ Signal::Exit {
                from, link, via: None, ..
            } if crate::signals::is_message(signal, true) => match link {
                true => vec![(Sort::Exits, false), (Sort::Link(*from), true)],
                false => vec![(Sort::Exits, false)],
            },
            _ => return None,
        };
        let mut windows = Vec::new();
        let (mut from, mut turned) = (0, false);
        let normal = Some(Term::atom(Atom::NORMAL));
        let deadly = matches!(p.pool.get(&tag), Some(Signal::Exit { reason, .. }) if reason.as_immediate() != normal);
        let mut add = |from: u64, to: u64, sorts: &[(Sort, bool)]| {
            let all = sorts.iter().all(|(_, accepts)| *accepts);
            // One that ends the process is not dropped.
            let ends = deadly && !all && sorts.iter().all(|(sort, accepts)| *accepts || *sort == Sort::Exits);
            if !ends {
                windows.push((from, to, all));
            }
        };
        let of = |(at, (sort, _)): (usize, &(Sort, bool))| {
            let turns = p.rare.past.turns.of(*sort);
            turns.iter().map(move |turn| (turn.at, at, turn.accepts))
        };
        let mut turns: Vec<(u64, usize, bool)> = sorts.iter().enumerate().flat_map(of).collect();
        turns.sort_by_key(|(after, ..)| *after);
        for (after, at, accepts) in turns {
            add(from, after, &sorts);
            (from, turned) = (after, true);
            sorts[at].1 = accepts;
        }
        add(from, u64::MAX, &sorts);
        turned.then_some(windows)
    }

    /// The signals that a process would not accept now, and had accepted before.
    #[must_use]
    pub fn accepted_before(&self, pid: log_format::Pid) -> Vec<(Tag, Fragment)> {
        let Some(p) = self.table.by_pid(Pid::new(0, pid.0)) else {
            return Vec::new();
        };
        let is_plain = || p.is_deaf_to_farewells() && p.pool.is_plain_without_farewells();
        if p.rare.past.turns.is_empty() || p.pool.is_plain() || is_plain() {
            return Vec::new();
        }
        let once = |tag: &Tag| {
            let windows = self.windows(pid, *tag);
            let now = |windows: &Vec<Window>| {
                windows
                    .last()
                    .is_some_and(|(_, to, accepts)| *accepts && *to == u64::MAX)
            };
            windows.is_some_and(|windows| !now(&windows)) || p.must_have_got(*tag).is_some()
        };
        let mut all: Vec<(Tag, Fragment)> = p
            .pool
            .iter()
            .filter(|(tag, _)| once(tag))
            .map(|(tag, signal)| (tag, as_message(signal.clone())))
            .collect();
        all.sort_unstable_by_key(|(tag, _)| *tag);
        all
    }

    /// A signal was dropped when it arrived.
    pub fn was_dropped(&mut self, pid: log_format::Pid, tag: Tag) {
        if let Some((_, p)) = self.table.by_pid_mut(Pid::new(0, pid.0)) {
            p.pool.remove(&tag);
        }
    }
}

/// Has a process ever begun, or ceased, to accept signals of some sort?
#[must_use]
pub fn has_turned(p: &Process) -> bool {
    !p.rare.past.turns.is_empty()
}

impl Process {
    /// Has it never trapped exits? Then the normal end of a process to which it is linked is nothing to it, whenever it hears of that.
    pub(crate) fn is_deaf_to_farewells(&self) -> bool {
        !self.trap_exit && self.rare.past.turns.of(Sort::Exits).is_empty()
    }

    /// Replay: had this signal arrived when the process did one of its actions, because there must be one and there is no other? Which action.
    pub(crate) fn must_have_got(&self, tag: Tag) -> Option<u64> {
        if self.rare.past.turns.is_empty() {
            return None;
        }
        let (what, only) = match self.pool.get(&tag)? {
            Signal::Aliased { alias, .. } => (Sort::Alias(*alias), to_alias(self, *alias).len() == 1),
            Signal::Down { monitor, .. } => (Sort::Monitor(*monitor), true),
            _ => return None,
        };
        let mut turns = self.rare.past.turns.of(what).iter().filter(|turn| turn.sure && only);
        turns.next().map(|turn| turn.at + 1)
    }
}

impl Step<'_> {
    /// Wakes up a process that hibernates, if there is a message. Beyond the log, this is an observation of who sent it: without that, it would
    /// sleep on.
    pub(crate) fn hears_mail(&mut self) -> Result<Option<log_format::ActionId>, Interrupt> {
        let mail = match self.process.mode.decides() {
            Decides::Follow(_) => return Ok(None),
            Decides::Record | Decides::Driven if self.process.machine.mailbox.is_empty() => {
                return Err(Interrupt::Message);
            }
            Decides::Record | Decides::Driven => return Ok(None),
            Decides::Beyond { .. } => self.world.first_mail(self.process).ok_or(Interrupt::Message)?,
        };
        let Some(by) = mail.sender().filter(|by| *by != ids::to_log(self.process.pid)) else {
            return Ok(None);
        };
        let actions = match self.world.table.find(Pid::new(0, by.0)) {
            Lookup::Alive(slot) => self.world.table.get(slot).map(|q| q.actions),
            Lookup::Dead(actions) => Some(actions),
            Lookup::Unborn => None,
        };
        Ok(actions.map(|n| log_format::ActionId::new(by, n)))
    }

    /// It has woken up because of a message.
    pub(crate) fn has_woken(&mut self) {
        if self.world.purpose.keeps_the_past() {
            self.process.rare.past.woken = true;
        }
    }

    /// Beyond the log: has this signal arrived, as far as that was said or is known?
    pub(crate) fn is_there(&self, tag: Tag) -> bool {
        let me = ids::to_log(self.process.pid);
        self.world.was_let_arrive(me, tag) || self.world.has_arrived(self.process, tag)
    }

    /// Beyond the log: the reply to an alias that accepts one, if it has arrived. Then it is in the mailbox.
    pub(crate) fn reply_to(&mut self, alias: Reference) -> Option<Tag> {
        let one = matches!(
            self.process.rare.aliases.get(&alias),
            Some(AliasMode::Reply | AliasMode::ReplyDemonitor)
        );
        let sent = to_alias(self.process, alias).into_iter().filter(|_| one);
        let there = sent.filter(|tag| self.is_there(*tag)).min();
        self.stays(there);
        there
    }

    /// Beyond the log: has the 'DOWN' of a monitor arrived? Then it is in the mailbox.
    pub(crate) fn is_down(&mut self, monitor: Reference) -> bool {
        let ends = matches!(
            self.process.rare.aliases.get(&monitor),
            Some(AliasMode::Demonitor | AliasMode::ReplyDemonitor)
        );
        let down = |(_, signal): &(Tag, &Signal)| matches!(signal, Signal::Down { monitor: of, .. } if *of == monitor);
        let down = self.process.pool.iter().find(down).map(|(tag, _)| tag).filter(|_| ends);
        let there = down.filter(|tag| self.is_there(*tag));
        if there.is_some()
            && let Some(monitor) = self.process.rare.monitors.get_mut(&monitor)
        {
            monitor.over = true;
        }
        self.stays(there)
    }

    /// A signal has become a message in the mailbox, whatever comes. True if there is one.
    pub(crate) fn stays(&mut self, tag: Option<Tag>) -> bool {
        let Some(tag) = tag else { return false };
        if let Some(signal) = self.process.pool.remove(&tag) {
            self.process.pool.insert(tag, Signal::Message(as_message(signal)));
        }
        let at = self.process.actions + 1;
        self.process.rare.past.arrived.get_or_insert_with(tag, || at);
        true
    }
}
