//! Monitors.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Reference, Term};
use log_format::{Kind, Tag};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{OpResult, Operation, badarg, badarg_because, badopt, new_reference};
use crate::state::process::Process;
use crate::state::rare::{AliasMode, Monitor};
use crate::state::resources::{Aliveness, Value};
use crate::state::signal::Signal;
use crate::step::{Interrupt, Step};
use crate::terms::{self, TuplePart};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "monitor", 2, NativeClass::Effect, monitor),
    Operation::new("erlang", "monitor", 3, NativeClass::Effect, monitor),
];

fn monitor(step: &mut Step<'_>) -> OpResult {
    let [kind, item, options] = step.args();
    let (alias, tag, urgent) = options_of(step, options)?;
    match kind.as_atom().map(Atom::as_str) {
        Some("process") => {}
        Some("port") => return step.monitor_port(item, alias, tag),
        Some("time_offset") => {
            return monitor_clock(step.process, item, alias, tag);
        }
        _ => return Err(badarg_because("badtype")),
    }
    let (target, named, far) = watched(step, item)?;
    // Processes of the runtime do not end. Only a name that was read is logged.
    let silent = named.is_none() && target.is_some_and(crate::runtime::is_runtime);
    if !silent {
        step.expect(|k| matches!(k, Kind::Access), || "monitor a process".to_owned())?;
    }
    let life = match target {
        Some(target) if target == step.process.pid => Aliveness::Unborn,
        Some(target) => step.read_life(target)?,
        None => Aliveness::Dead,
    };
    // In replay, what may have to wait comes before what the step changes.
    let why = match (life, target) {
        (Aliveness::Alive, _) => Atom::NOPROC,
        (_, Some(target)) if target == step.process.pid => Atom::NOPROC,
        (_, Some(target)) => step.why_missing(target)?,
        (_, None) => step.why_missing(Pid::new(far, 0))?,
    };
    step.process.machine.local.references += 1;
    let reference = Reference {
        owner: step.process.pid,
        number: step.process.machine.local.references,
    };
    // Monitoring oneself has no effect, so there is no alias.
    let on_itself = target == Some(step.process.pid);
    if let Some(mode) = alias.filter(|_| !on_itself) {
        step.opens(reference, mode);
    }
    if urgent && !on_itself {
        step.process.rare.urgent_downs.insert(reference);
    }
    let shown = match named {
        Some((name, node)) => WatchedName::Name(name, node),
        None => WatchedName::Pid(target.unwrap_or_default()),
    };
    match (life, target) {
        (Aliveness::Alive, Some(target)) => {
            if !silent {
                step.commit(Kind::Access, 0, Detail::None);
            }
            let monitor = Monitor {
                target,
                name: named.map(|(name, _)| name),
                tag,
                over: false,
            };
            step.watch(reference, monitor, shown);
        }
        // A monitor on oneself never fires.
        (Aliveness::Unborn, Some(target)) if target == step.process.pid => step.commit(Kind::Access, 0, Detail::None),
        _ => {
            step.commit(Kind::Access, 1, Detail::None);
            step.fires_at_once(reference, shown, why, tag.as_ref());
        }
    }
    Ok(step.process.machine.heap.make_reference(reference))
}

/// The alias that comes with the monitor, the first element of its message, and whether that is a priority message.
fn options_of(step: &Step<'_>, options: Term) -> Result<(Option<AliasMode>, Option<Fragment>, bool), Interrupt> {
    let mut alias = None;
    let mut tag = None;
    let mut urgent = false;
    if options != Term::NONE {
        for option in step.process.machine.heap.list(options).ok_or_else(badopt)? {
            match step.process.machine.heap.tuple(option) {
                Some(&[key, mode]) if key.as_atom() == Some(Atom::new("alias")) => {
                    alias = Some(match mode.as_atom().map(Atom::as_str) {
                        Some("explicit_unalias") => AliasMode::Explicit,
                        Some("demonitor") => AliasMode::Demonitor,
                        Some("reply_demonitor") => AliasMode::ReplyDemonitor,
                        _ => return Err(badopt()),
                    });
                }
                Some(&[key, value]) if key.as_atom() == Some(Atom::new("tag")) => {
                    tag = Some(step.process.machine.heap.export(value));
                }
                _ if option == Term::atom(Atom::new("priority")) && step.has_priority_messages() => urgent = true,
                _ => return Err(badopt()),
            }
        }
    }
    Ok((alias, tag, urgent))
}

/// The process to monitor, by which name and node if any, and its node: now, or as the log says.
#[expect(clippy::type_complexity, reason = "three answers of one question")]
fn watched(step: &mut Step<'_>, item: Term) -> Result<(Option<Pid>, Option<(Atom, Atom)>, u16), Interrupt> {
    let here = step.process.machine.local.node;
    let named = match (item.as_atom(), step.process.machine.heap.tuple(item)) {
        (Some(name), _) => Some((name, here)),
        (None, Some(&[name, node])) => Some((name.as_atom().ok_or_else(badarg)?, node.as_atom().ok_or_else(badarg)?)),
        _ => None,
    };
    let mut far = step.process.pid.node();
    let target = match (item.as_pid(), named) {
        (Some(pid), _) => Some(pid),
        (None, Some((name, node))) => {
            if node != here {
                if !step.world.alive() {
                    return Err(badarg());
                }
                far = step.world.node_index(node)?;
            }
            let resource = step.world.name_resource(name, far);
            match step.read(resource)? {
                Value::Pid(pid) => Some(pid),
                _ => None,
            }
        }
        _ => return Err(badarg()),
    };
    Ok((target, named, far))
}

/// What `monitor(time_offset, _)` watches.
pub(crate) const CLOCK: &str = "clock_service";

impl Step<'_> {
    /// Monitors a process that is alive, or in replay has already ended.
    fn watch(&mut self, reference: Reference, monitor: Monitor, shown: WatchedName) {
        let target = monitor.target;
        if let Some((_, q)) = self.world.table.by_pid_mut(target) {
            q.rare.watchers.insert(reference, monitor.watcher(self.process.pid));
        } else if let Some(reason) = self.world.reason_of_end(target) {
            self.world.note_lost_signal(target);
            let down = shown.down(reference, &reason, monitor.tag.as_ref());
            let tag = Tag::EndRef {
                by: ids::to_log(target),
                owner: ids::to_log(self.process.pid),
                k: reference.number,
            };
            let message = down;
            self.deliver(
                self.process.pid,
                tag,
                Signal::Down {
                    monitor: reference,
                    message,
                },
            );
        }
        self.process.rare.monitors.insert(reference, monitor);
    }

    /// A monitor of something that does not exist: its message comes at once.
    fn fires_at_once(&mut self, reference: Reference, shown: WatchedName, why: Atom, tag: Option<&Fragment>) {
        // The monitor has ended, and so has an alias that ends with it.
        if let Some(mode) = self.process.rare.aliases.get_mut(&reference)
            && matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor)
        {
            *mode = AliasMode::Spent;
            self.process.rare.past.ends_alias(reference.number);
        }
        let sent = self.process.next_tag();
        let why = terms::build(|_| Term::atom(why));
        let down = shown.down(reference, &why, tag);
        // Noted so that `demonitor` with `flush` finds its message.
        self.process.rare.fired.insert(reference, sent);
        self.deliver(self.process.pid, sent, Signal::Message(down));
        // As under OTP, only that of a name.
        let is_named = matches!(shown, WatchedName::Name(..));
        if is_named && self.process.rare.urgent_downs.contains(&reference) {
            // It is the last one, if it has arrived.
            self.process.machine.mailbox.put_first_if(ids::pack(sent));
        }
    }

    /// There are no ports: a monitor of a port's name fires at once.
    pub(crate) fn monitor_port(&mut self, item: Term, alias: Option<AliasMode>, tag: Option<Fragment>) -> OpResult {
        let here = Term::atom(self.process.machine.local.node);
        let name = match self.process.machine.heap.tuple(item) {
            None if item.is_atom() => item,
            Some(&[name, node]) if name.is_atom() && node == here => name,
            _ => return Err(badarg()),
        };
        self.expect(|k| matches!(k, Kind::Access), || "monitor a port".to_owned())?;
        let reference = new_reference(self.process);
        if let Some(mode) = alias {
            let over = matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor);
            self.process
                .rare
                .aliases
                .insert(reference, if over { AliasMode::Spent } else { mode });
        }
        self.commit(Kind::Access, 1, Detail::None);
        let sent = self.process.next_tag();
        let item = terms::tuple(&[TuplePart::Term(name), TuplePart::Term(here)]);
        let down = terms::tuple(&[
            tag.as_ref()
                .map_or(TuplePart::Term(Term::atom(Atom::DOWN)), TuplePart::Fragment),
            TuplePart::Reference(reference),
            TuplePart::Term(Term::atom(Atom::new("port"))),
            TuplePart::Fragment(&item),
            TuplePart::Term(Term::atom(Atom::NOPROC)),
        ]);
        self.process.rare.fired.insert(reference, sent);
        self.deliver(self.process.pid, sent, Signal::Message(down));
        Ok(self.process.machine.heap.make_reference(reference))
    }
}

/// `monitor(time_offset, clock_service)`: the offset of the clocks never changes here, so it never fires.
pub(crate) fn monitor_clock(p: &mut Process, item: Term, alias: Option<AliasMode>, tag: Option<Fragment>) -> OpResult {
    let name = item
        .as_atom()
        .filter(|name| name.as_str() == CLOCK)
        .ok_or_else(badarg)?;
    let reference = new_reference(p);
    if let Some(mode) = alias {
        p.rare.aliases.insert(reference, mode);
    }
    let monitor = Monitor {
        target: crate::settings::DEVICE,
        name: Some(name),
        tag,
        over: false,
    };
    p.rare.monitors.insert(reference, monitor);
    Ok(p.machine.heap.make_reference(reference))
}

/// How the watched process is named in a 'DOWN' message.
#[derive(Clone, Copy)]
pub(crate) enum WatchedName {
    /// By pid.
    Pid(Pid),
    /// By name and node.
    Name(Atom, Atom),
}

impl WatchedName {
    pub(crate) fn down(self, reference: Reference, reason: &Fragment, tag: Option<&Fragment>) -> Fragment {
        match self {
            Self::Pid(pid) => down_message(reference, TuplePart::Term(Term::pid(pid)), reason, tag),
            Self::Name(name, node) => {
                let item = terms::tuple(&[TuplePart::Term(Term::atom(name)), TuplePart::Term(Term::atom(node))]);
                down_message(reference, TuplePart::Fragment(&item), reason, tag)
            }
        }
    }
}

pub(crate) fn down_message(
    reference: Reference,
    item: TuplePart<'_>,
    reason: &Fragment,
    tag: Option<&Fragment>,
) -> Fragment {
    terms::tuple(&[
        tag.map_or(TuplePart::Term(Term::atom(Atom::DOWN)), TuplePart::Fragment),
        TuplePart::Reference(reference),
        TuplePart::Term(Term::atom(Atom::PROCESS)),
        item,
        TuplePart::Fragment(reason),
    ])
}
