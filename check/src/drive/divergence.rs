//! Recorded choices without a counterpart, in words.

use super::{Divergence, Drive};
use crate::choices::{SignalKey, StepKind};
use crate::kin::Id;
use log_format::Pid;
use session::player::handle;

/// Limit: withheld messages that are shown.
pub(super) const WITHHELD: usize = 3;

/// Limit: characters of each.
pub(super) const SHOWN: usize = 60;

impl Drive<'_> {
    /// The place of a process, in the program if possible.
    pub(super) fn place(&self, pid: Pid) -> Option<String> {
        let machine = &self.system.table().by_pid(handle(pid))?.machine;
        let frames = machine.frames(&self.system.program);
        let mut locations = frames.iter().filter_map(|frame| frame.location.as_ref());
        let own = locations.find(|location| (self.plan.own)(location.file));
        match own {
            Some(location) => Some(format!("{}:{}", location.file, location.line)),
            None => machine
                .location(&self.system.program)
                .map(|location| format!("{}:{}", location.file, location.line)),
        }
    }

    /// The name of a process, for people.
    pub(super) fn name(&self, pid: Pid) -> String {
        let p = self.system.table().by_pid(handle(pid));
        let name = p.and_then(|p| {
            let registered = p.rare.names.first().map(|name| name.as_str().to_owned());
            let started = || {
                session::watch::started(&p.machine).and_then(|_| session::watch::runs(&p.machine, &self.system.program))
            };
            registered
                .or_else(started)
                .or_else(|| session::watch::label(&p.machine, &self.system.program))
        });
        name.map_or_else(String::new, |name| session::words::safe(&name))
    }

    /// A process with its name and place.
    pub(super) fn whereabouts(&self, id: Id) -> String {
        let Some(pid) = self.system.observer.inner.pid(id) else {
            return match self.plan.pids.get(&id) {
                Some(recorded) => format!("the recorded process {recorded} has no counterpart"),
                None => "its sender was not created".to_owned(),
            };
        };
        let name = self.name(pid);
        let who = if name.is_empty() {
            pid.to_string()
        } else {
            format!("{pid} {name}")
        };
        let at = self.place(pid).map_or_else(String::new, |place| format!(" at {place}"));
        match self.system.table().by_pid(handle(pid)) {
            None => {
                let failed = self.system.observer.inner.ends.iter().find(|end| end.id == id);
                match failed {
                    Some(end) if end.place.is_empty() => format!("{who} has ended: {}", end.reason),
                    Some(end) => format!("{who} has ended at {}: {}", end.place, end.reason),
                    None => format!("{who} has ended normally"),
                }
            }
            Some(_) if self.system.label(pid).is_none() => format!("{who} waits{at}"),
            Some(_) => format!("{who} is{at}"),
        }
    }

    pub(super) fn divergence(&self, pid: Pid, action: u64, expected: String, found: String) -> Divergence {
        let recorded = self
            .id(pid)
            .and_then(|id| self.plan.pids.get(&id))
            .copied()
            .unwrap_or(pid);
        let withheld = self.held_still(pid).filter_map(|(_, tag)| {
            let content = self.system.held_content(pid, tag)?;
            let text = session::watch::fragment(content, &self.system.program, SHOWN);
            let from = tag.sender().map_or_else(String::new, |by| format!(" from {by}"));
            Some(format!("{text}{from}"))
        });
        Divergence {
            pid: pid.to_string(),
            name: self.name(pid),
            recorded: log_format::ActionId::new(recorded, action).to_string(),
            place: self.place(pid).unwrap_or_default(),
            expected,
            message: None,
            found,
            withheld: withheld.take(WITHHELD).collect(),
        }
    }

    /// When messages come in another order than recorded: does this choice concern a process that no longer exists, or that ended without
    /// failing? Its recorded messages will not come, and no process has to wait for them.
    pub(super) fn is_dropped(&self, what: StepKind) -> bool {
        let (StepKind::Rec(SignalKey::Sent(sender, _) | SignalKey::Link(sender) | SignalKey::Down(sender))
        | StepKind::Signal(SignalKey::Sent(sender, _) | SignalKey::Link(sender) | SignalKey::Down(sender))) = what
        else {
            return false;
        };
        let gone = match self.system.observer.inner.pid(sender) {
            None => true,
            Some(pid) => {
                let failed = self.system.observer.inner.ends.iter().any(|end| end.pid == pid);
                self.system.table().by_pid(handle(pid)).is_none() && !failed
            }
        };
        self.lenient && gone
    }

    /// The first process whose next choice has no counterpart, and whether the choice is needed; notes it.
    pub(super) fn missing(&mut self) -> Option<(Pid, usize, bool)> {
        let open = self
            .standing()
            .into_iter()
            .filter_map(|pid| Some((self.next(pid)?, pid)));
        let ranked = open.filter_map(|(i, pid)| {
            let choice = self.choice(pid, i)?;
            Some(((!choice.needed, choice.order), pid, i))
        });
        let (_, pid, place) = ranked.min()?;
        let choice = self.choice(pid, place)?.clone();
        let untimed = self.lenient && choice.what == StepKind::After && self.system.timeout(pid).is_none();
        let needed = choice.needed && !untimed && !self.is_dropped(choice.what);
        if needed {
            let who = |id: Id| {
                let pid = self.system.observer.inner.pid(id);
                pid.map_or_else(|| "a process that no longer exists".to_owned(), |pid| pid.to_string())
            };
            let never = |sender: Id| format!("it was not sent: {}", self.whereabouts(sender));
            let none = || "it never came".to_owned();
            let (expected, found) = match choice.what {
                StepKind::Rec(SignalKey::Sent(sender, n)) => {
                    (format!("message {} from {}", n.n, who(sender)), never(sender))
                }
                StepKind::Signal(SignalKey::Sent(sender, _)) => {
                    (format!("the exit signal from {}", who(sender)), never(sender))
                }
                StepKind::Rec(SignalKey::Link(sender) | SignalKey::Down(sender))
                | StepKind::Signal(SignalKey::Link(sender) | SignalKey::Down(sender)) => (
                    format!("the report that {} ended", who(sender)),
                    format!(
                        "it did not end, or is not linked or monitored: {}",
                        self.whereabouts(sender)
                    ),
                ),
                StepKind::Rec(SignalKey::Made(sender, n)) | StepKind::Signal(SignalKey::Made(sender, n)) => {
                    (format!("answer {n} from the runtime to {}", who(sender)), none())
                }
                StepKind::Rec(SignalKey::Other(..)) | StepKind::Signal(SignalKey::Other(..)) => {
                    ("a signal from the runtime".to_owned(), none())
                }
                StepKind::After => ("a timeout".to_owned(), "this receive has no timeout".to_owned()),
                StepKind::Do(_) => ("the recorded step".to_owned(), "it does another one".to_owned()),
            };
            let divergence = self.divergence(pid, choice.action, expected, found);
            self.divergences.push(divergence);
        }
        Some((pid, place, needed))
    }
}
