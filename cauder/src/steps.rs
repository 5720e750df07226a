//! The rules: what a process can do next under CauDEr's log.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use log_format::Pid;
use system::driven::Label;
use system::ids;
use system::observer::Observer;
use system::process::Lookup;

use super::drive::{Drive, NextStep, SPINS};
use super::log::LogEntry;

/// Modules of the library that, in OTP, let another process start processes: what they spawn here is in no log.
const DAEMONS: [&str; 9] = [
    "slave",
    "file",
    "timer",
    "global",
    "global_group",
    "application",
    "application_controller",
    "pg",
    "disk_log",
];

/// The destination of a send.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Alive(Pid),
    Ended(Pid),
    Nobody,
}

impl<O: Observer> Drive<'_, O> {
    /// Is it in code of the program, and not of a library?
    fn in_program(&self, pid: Pid) -> bool {
        self.module(pid).is_some_and(|module| self.modules.contains(&module))
    }

    fn module(&self, pid: Pid) -> Option<Atom> {
        let p = self.process(pid)?;
        Some(p.machine.location(&self.system.program)?.module)
    }

    /// Was it called, from the program, by a module of the library that lets another process spawn?
    fn is_in_daemon(&self, pid: Pid) -> bool {
        let Some(p) = self.process(pid) else { return false };
        let frames = p.machine.frames(&self.system.program);
        let modules = frames.iter().filter_map(|frame| Some(frame.location.as_ref()?.module));
        modules
            .take_while(|module| !self.modules.contains(module))
            .any(|module| DAEMONS.contains(&module.as_str()))
    }

    pub(super) fn next_step(&self, pid: Pid) -> Option<NextStep> {
        match self.system.label(pid) {
            None if self.waits(pid) => self.next_of_waiting(pid),
            None => None,
            Some(Label::Spinning) => {
                let over = self.entry(pid) == Some(None) && !self.logs.finished;
                (!over && self.spins < SPINS).then_some(NextStep::Spin)
            }
            Some(Label::End) => match self.entry(pid) {
                Some(Some(_)) => None,
                Some(None) if !self.logs.finished => Some(NextStep::Onward),
                _ => Some(NextStep::Free),
            },
            Some(Label::Native(native)) => self.next_of_gated(pid, native.name, native.arity),
        }
    }

    fn next_of_waiting(&self, pid: Pid) -> Option<NextStep> {
        let untraced = self
            .untraced
            .get(&pid)
            .and_then(|tags| tags.first())
            .map(|(tag, _)| *tag);
        let may_time_out = self.system.can_time_out(pid);
        let time_out = may_time_out.then_some(NextStep::TimeOut);
        let entry = self.entry(pid);
        let (Some(entry), true) = (entry, self.in_program(pid)) else {
            let given = untraced.map(NextStep::Untraced);
            let stopped = entry == Some(None) && !self.logs.finished;
            let time_out = if stopped {
                may_time_out.then_some(NextStep::OnwardTimeOut)
            } else {
                time_out
            };
            let stray = self
                .stray
                .get(&pid)
                .and_then(|tags| tags.first())
                .map(|tag| NextStep::Stray(*tag));
            return given.or(time_out).or(stray);
        };
        let foreign = untraced.map(NextStep::Foreign);
        let loose = self.progress(pid).is_some_and(|p| p.loose.is_some());
        match entry {
            Some(LogEntry::Receive(uid)) if !loose => {
                let here = self.sent.get(uid).is_some_and(|sent| self.has_arrived(pid, sent.tag));
                match here {
                    true => Some(NextStep::Receive(*uid)),
                    false => time_out.or(foreign),
                }
            }
            Some(_) => time_out.or(foreign),
            None if self.logs.finished => time_out.or(foreign),
            None => None,
        }
    }

    fn next_of_gated(&self, pid: Pid, name: &str, arity: u8) -> Option<NextStep> {
        let Some(entry) = self.entry(pid) else {
            return Some(NextStep::Free);
        };
        // If the tracer's time was up, a process that has used up its log stops, unless others need its next step.
        let free = match entry {
            None if !self.logs.finished => NextStep::Onward,
            _ => NextStep::Free,
        };
        match (name, arity) {
            ("!" | "send", 2) if self.in_program(pid) => self.next_send(pid, entry),
            ("spawn" | "spawn_link" | "spawn_monitor" | "spawn_opt" | "spawn_request", _) => {
                self.next_spawn(pid, (name, arity), entry, free)
            }
            ("$node_start", _) => {
                let wanted = self.argument(pid)?;
                let there = self.system.node_is_there(wanted);
                match entry {
                    // Either two processes started it and this one was too late, or none could.
                    Some(LogEntry::Start { node, ok: false }) if node == wanted.as_str() => match there {
                        true => Some(NextStep::Logged),
                        false => (!self.starts.contains(node.as_str())).then_some(NextStep::FailingStart),
                    },
                    Some(LogEntry::Start { node, ok: true }) if node == wanted.as_str() => {
                        (!there && self.nobody_needs_absent(node)).then_some(NextStep::Start)
                    }
                    // OTP's `slave` first asks whether the node exists. If it does, the tracer sees nothing.
                    _ => there.then_some(free),
                }
            }
            ("nodes", 0) if self.in_program(pid) => {
                let Some(LogEntry::Nodes(list)) = entry else {
                    return None;
                };
                let own = self.node_of(pid);
                let all = self.system.nodes().into_iter();
                let mut there: Vec<String> = all
                    .filter(|n| Some(n) != own.as_ref() && self.system.node_is_there(Atom::new(n)))
                    .collect();
                let mut logged = list.clone();
                there.sort_unstable();
                logged.sort_unstable();
                (there == logged).then_some(NextStep::Logged)
            }
            _ => Some(free),
        }
    }

    /// The first argument of the native at which it stands, if that is an atom.
    fn argument(&self, pid: Pid) -> Option<Atom> {
        self.process(pid)?.machine.args().first()?.as_atom()
    }

    fn next_spawn(&self, pid: Pid, native: (&str, u8), entry: Option<&LogEntry>, free: NextStep) -> Option<NextStep> {
        let in_program = self.in_program(pid);
        let own = self.node_of(pid)?;
        let on = match native {
            ("spawn" | "spawn_link" | "spawn_monitor", 2 | 4) | ("spawn_opt", 3 | 5) => self.argument(pid),
            _ => None,
        };
        let on = on.map_or(own.as_str(), |node| node.as_str());
        match entry {
            Some(LogEntry::Spawn { node, ok, .. }) if node == on && (in_program || !self.is_in_daemon(pid)) => {
                let there = self.system.node_is_there(Atom::new(node));
                (there == *ok).then_some(NextStep::Logged)
            }
            // A spawn on another node is done there, and newer versions of OTP do not show it to the tracer.
            _ if !in_program || on != own => Some(free),
            _ => None,
        }
    }

    fn node_of(&self, pid: Pid) -> Option<String> {
        let p = self.process(pid)?;
        self.system.nodes().get(usize::from(p.pid.node())).cloned()
    }

    /// The destination of the send at whose gate a process has stopped. `None`: it raises.
    pub(super) fn destination(&self, pid: Pid) -> Option<(Option<interpreter::term::Pid>, bool)> {
        let p = self.process(pid)?;
        let to = *p.machine.args().first()?;
        if let Some(to) = to.as_pid() {
            return Some((Some(to), true));
        }
        if let TermView::Reference(alias) = p.machine.heap.view(to) {
            return Some((Some(alias.owner), true));
        }
        let (name, node) = match (to.as_atom(), p.machine.heap.tuple(to)) {
            (Some(name), _) => (name, p.pid.node()),
            (None, Some(&[name, node])) => (name.as_atom()?, self.system.known_node(node.as_atom()?)?),
            _ => return None,
        };
        Some((self.system.holder_now(name, node), to.as_atom().is_none()))
    }

    fn next_send(&self, pid: Pid, entry: Option<&LogEntry>) -> Option<NextStep> {
        let to = match self.destination(pid) {
            None => return Some(NextStep::NoName),
            Some((None, _)) => To::Nobody,
            Some((Some(to), _)) => match self.system.table().find(to) {
                Lookup::Alive(_) => To::Alive(ids::to_log(to)),
                Lookup::Unborn | Lookup::Dead(_) => To::Ended(ids::to_log(to)),
            },
        };
        let read = self
            .nth_send(pid)
            .and_then(|nth| self.reading.has_uid.get(&nth).copied());
        // `fun erlang:send/2` and `apply` are not instrumented; their receivers never receive by the log.
        let plain = self.reading.plain_sends.then_some(NextStep::Plain);
        match entry {
            Some(LogEntry::Send(uid)) => {
                let receiver = self.logs.receivers.get(uid);
                let fits = match (receiver, to) {
                    (None, To::Alive(_)) => read != Some(false),
                    (None, To::Ended(_)) => read.unwrap_or(self.reading.ended_has_uid),
                    (None, To::Nobody) => true,
                    (Some(receiver), To::Alive(to) | To::Ended(to)) => self.names.get(&to) == Some(receiver),
                    // The name may still be registered.
                    (Some(_), To::Nobody) => return Some(NextStep::NoName),
                };
                match to {
                    To::Nobody | To::Alive(_) | To::Ended(_) if fits && !self.is_next(*uid) => {
                        Some(NextStep::Early(*uid))
                    }
                    To::Nobody => Some(NextStep::Nameless),
                    To::Alive(_) | To::Ended(_) if fits => Some(NextStep::Logged),
                    // The receiver is another one than the log says: a send without a uid comes first.
                    To::Ended(_) => Some(NextStep::LostSend),
                    To::Alive(_) => plain,
                }
            }
            None if !self.logs.finished => None,
            _ => match to {
                To::Ended(_) => Some(NextStep::LostSend),
                To::Nobody => Some(NextStep::NoName),
                To::Alive(_) => plain,
            },
        }
    }
}
