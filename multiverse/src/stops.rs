//! Breakpoints of the multiverse: every universe that reaches one stops there (semantics.md §10; [TL19, sections 4 to 6]).

use std::sync::{Arc, Mutex, PoisonError};

use causality::ProcessRef;
use interpreter::heap::Fragment;
use interpreter::vm;
use log_format::{Pid, Tag};
use session::predicate::{Own, Predicate, Scope};
use session::program::Sources;
use session::{Error, Session, subject, watch};
use system::World;

/// What a breakpoint stops a process at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// It is about to send a message.
    Send,
    /// It is about to receive a message.
    Receive,
    /// It is about to leave a receive through its `after`.
    Timeout,
    /// It is about to end, by itself or by an exit signal.
    Exit,
    /// It is about to evaluate a line.
    Line {
        /// The file as stack traces show it.
        file: Arc<str>,
        /// From 1.
        line: u32,
    },
    /// It is about to do anything that is logged.
    Action,
    /// It has come to a receive, after more than so many of its actions.
    Waits {
        /// Its actions before.
        since: u64,
        /// The last receive before that took this signal.
        after: Option<Tag>,
    },
}

/// Where every universe stops that comes there.
pub struct Breakpoint {
    /// At what.
    pub at: At,
    /// Only this process.
    pub by: Option<ProcessRef>,
    /// Only messages to this process, if they are sent, or from it, if they are received.
    pub peer: Option<ProcessRef>,
    /// Only in calls of this function: `name`, `name/arity`, `module:name` or `module:name/arity`.
    pub within: Option<String>,
    /// Only messages, and reasons of exits, of this form.
    pub pattern: Option<Predicate>,
    /// Only where this holds for the variables.
    pub when: Option<Predicate>,
}

impl Breakpoint {
    /// One without conditions.
    #[must_use]
    pub const fn new(at: At) -> Self {
        Self {
            at,
            by: None,
            peer: None,
            within: None,
            pattern: None,
            when: None,
        }
    }

    /// One of a process.
    #[must_use]
    pub fn of(pid: Pid, at: At) -> Self {
        Self {
            by: Some(ProcessRef::Pid(pid)),
            ..Self::new(at)
        }
    }
}

/// Breakpoints, for several threads.
pub struct Stops {
    all: Vec<Mutex<Breakpoint>>,
    /// What each is about, which needs no lock.
    at: Vec<At>,
    sources: Sources,
    /// Why an expression cannot be evaluated, if so.
    fault: Mutex<Option<Error>>,
}

impl std::fmt::Debug for Stops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.at).finish()
    }
}

/// A process at a place where a breakpoint could be.
pub(crate) struct StoppedProcess<'a> {
    pub pid: Pid,
    pub machine: &'a vm::Process,
    pub program: &'a vm::Program,
    pub world: &'a World,
}

impl Stops {
    /// Of a session.
    #[must_use]
    pub fn new(session: &Session, all: Vec<Breakpoint>) -> Self {
        Self {
            at: all.iter().map(|one| one.at.clone()).collect(),
            all: all.into_iter().map(Mutex::new).collect(),
            sources: session.sources().clone(),
            fault: Mutex::new(None),
        }
    }

    /// What the breakpoints are about, in order.
    pub(crate) fn kinds(&self) -> &[At] {
        &self.at
    }

    pub(crate) const fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Is one of them about a line?
    pub(crate) fn has_lines(&self) -> bool {
        self.at.iter().any(|at| matches!(at, At::Line { .. }))
    }

    /// Does a process fulfil what a breakpoint says of it and of its place?
    pub(crate) fn is_met_by(&self, number: usize, who: &StoppedProcess<'_>) -> bool {
        let mut one = self.all[number].lock().unwrap_or_else(PoisonError::into_inner);
        if !is_named(one.by.as_ref(), Some(who.pid), who.world) {
            return false;
        }
        if let Some(function) = &one.within
            && !is_in(who, function)
        {
            return false;
        }
        let Some(when) = &mut one.when else { return true };
        match when.holds(&scope(who, &self.sources)) {
            Ok(holds) => holds,
            Err(error) => {
                let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                fault.get_or_insert(error);
                false
            }
        }
    }

    /// Is a breakpoint about this process?
    pub(crate) fn is_of(&self, number: usize, pid: Pid, world: &World) -> bool {
        let one = self.all[number].lock().unwrap_or_else(PoisonError::into_inner);
        is_named(one.by.as_ref(), Some(pid), world)
    }

    /// Does a message, or the reason of an exit, fulfil what a breakpoint says of it? `peer`: who sent it, or gets it.
    pub(crate) fn is_about(&self, number: usize, message: Option<&Fragment>, peer: Option<Pid>, world: &World) -> bool {
        let mut one = self.all[number].lock().unwrap_or_else(PoisonError::into_inner);
        if !is_named(one.peer.as_ref(), peer, world) {
            return false;
        }
        match (&mut one.pattern, message) {
            (None, _) => true,
            (Some(pattern), Some(message)) => pattern.matches(message),
            (Some(_), None) => false,
        }
    }

    /// Why an expression could not be evaluated, if so.
    pub(crate) fn fault(&self) -> Option<Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Is it the process that is meant?
fn is_named(meant: Option<&ProcessRef>, pid: Option<Pid>, world: &World) -> bool {
    match meant {
        None => true,
        Some(ProcessRef::Pid(one)) => Some(*one) == pid,
        Some(ProcessRef::Name { name, .. }) => pid.is_some() && world.holder_of(name) == pid,
    }
}

/// Is a function being called?
fn is_in(who: &StoppedProcess<'_>, function: &str) -> bool {
    let (name, arity) = match function.rsplit_once('/') {
        Some((name, arity)) => (name, arity.parse::<u8>().ok()),
        None => (function, None),
    };
    let (module, name) = match name.split_once(':') {
        Some((module, name)) => (Some(module), name),
        None => (None, name),
    };
    let frames = who.machine.frames(who.program);
    let mut places = frames.iter().filter_map(|frame| frame.location.as_ref());
    places.any(|place| {
        // A fun, or a comprehension, belongs to the function that it is in: `-main/0-fun-0-`.
        let own = place.function.as_str();
        let outer = own.strip_prefix('-').and_then(|rest| rest.split_once('-'));
        let outer = outer.and_then(|(outer, _)| outer.rsplit_once('/'));
        let is_it = own == name && arity.is_none_or(|arity| arity == place.arity)
            || outer.is_some_and(|(outer, of)| outer == name && arity.is_none_or(|arity| of.parse() == Ok(arity)));
        is_it && module.is_none_or(|module| place.module.as_str() == module)
    })
}

/// What an expression can use where a process stands.
fn scope(who: &StoppedProcess<'_>, sources: &Sources) -> Scope {
    let pairs = who.machine.local.dictionary.iter();
    let export = |term| who.machine.heap.export_own(term);
    Scope {
        variables: subject::values(who.machine, who.program, |file| sources.owns(file)),
        own: Some(Own {
            pid: session::player::handle(who.pid),
            node: who.machine.local.node,
            dictionary: pairs.map(|(key, value)| (export(key), export(value))).collect(),
        }),
    }
}

/// What a process is about to do where it stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doing {
    /// It sends a message; `None`: to nobody that is there.
    Send {
        /// To whom.
        to: Option<Pid>,
        /// What.
        message: String,
        /// Its tag, if somebody gets it.
        tag: Option<Tag>,
    },
    /// It receives a message.
    Receive {
        /// From whom; `None`: from the runtime.
        from: Option<Pid>,
        /// What.
        message: String,
        /// Its tag.
        tag: Tag,
    },
    /// It leaves a receive through its `after`.
    Timeout,
    /// It ends.
    Exit {
        /// With this reason.
        reason: String,
    },
    /// It evaluates the line that it stands at.
    Line,
    /// It does something else: the word for this kind of action.
    Other(String),
    /// It waits in a receive.
    Waits,
}

/// A text of a message or a reason.
pub(crate) fn text(message: &Fragment, program: &vm::Program) -> String {
    watch::fragment(message, program, CHARS)
}

/// Limit: characters of a message.
const CHARS: usize = 400;
