//! What a replay observed of the actions that may be shown, and what counts as state.

use crate::changes::{self, Context, StateVariable};
use crate::heard::{self};
use crate::past::Taken;
use crate::records::Records;
use crate::story::{Change, Sent};
use log_format::{ActionId, Pid};
use session::called::ProcessNames;
use session::error::Error;
use session::value::Value;
use session::view::{Act, Purpose, SourcePlace};
use session::watch::{SeenAction, Watcher, Wish};
use session::{Goal, Session};
use std::cell::OnceCell;
use std::rc::Rc;

/// What a replay observed of the actions that may be shown, with derived values that are computed once.
pub struct Scene<'a> {
    /// The observations.
    pub(crate) base: session::scene::Scene<'a>,
    /// The records of its program.
    pub(crate) records: OnceCell<Rc<Records>>,
    /// The reason of the failure to be explained.
    pub(crate) failure: OnceCell<Rc<Value>>,
}

/// State and data of a `gen_statem`, from its loop data: the first fields of a record.
fn statem_state(loops: &Value) -> impl Iterator<Item = (&'static str, &Value)> {
    let fields = match loops.tuple() {
        [tag, fields @ ..] if tag.is_atom("s") => fields,
        _ => &[],
    };
    ["the state", "Data"].into_iter().zip(fields)
}

/// The states of the handlers of a `gen_event`, by module, from its list.
fn handler_states(list: &Value) -> Vec<(&str, &Value)> {
    let Value::List(handlers, None) = list else {
        return Vec::new();
    };
    let states = handlers.iter().filter_map(|handler| match handler.tuple() {
        [tag, Value::Atom(module), _, state, _] if tag.is_atom("handler") => Some((&**module, state)),
        _ => None,
    });
    states.collect()
}

/// A replay of the whole run, with what is wished for observed. `None` if that is not possible: the whole run may need what the causes of the
/// failure do not (a value that was left out of the trace, more memory), and a story can do without it.
pub(crate) fn whole_run(session: &Session, wish: Wish) -> Option<system::System<Watcher>> {
    session.replay(&Goal::everything(), Watcher::new(wish)).ok()
}

/// How many activations of the program make up the state of a process.
pub(crate) const STATEFUL: usize = 4;

/// The loop of a behaviour, where it waits for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Server {
    /// Of `gen_server`.
    Calls,
    /// Of `gen_statem`.
    States,
    /// Of `gen_event`.
    Events,
}

impl Server {
    /// The loop that a place is in.
    pub(crate) fn at(place: &SourcePlace) -> Option<Self> {
        let function = &place.function;
        match (function.module.as_str(), function.name.as_str(), function.arity) {
            // With five arguments from OTP 28 on.
            ("gen_server", "loop", 5 | 7) => Some(Self::Calls),
            ("gen_statem", "loop_receive", 3) => Some(Self::States),
            ("gen_event", "fetch_msg", 6) => Some(Self::Events),
            _ => None,
        }
    }
}

impl<'a> std::ops::Deref for Scene<'a> {
    type Target = session::scene::Scene<'a>;
    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl<'a> Scene<'a> {
    /// From what this replay of the session's trace observed.
    pub fn new(session: &'a Session, system: &'a system::System<Watcher>, names: &'a ProcessNames) -> Self {
        Self {
            base: session::scene::Scene::new(session, system, names),
            records: OnceCell::new(),
            failure: OnceCell::new(),
        }
    }

    /// The purpose of the receive that timed out with this action.
    pub fn purpose(&self, pid: Pid, n: u64) -> Purpose {
        let seen = self.seen.get(&ActionId::new(pid, n));
        seen.and_then(|seen| seen.purpose).unwrap_or(Purpose::Wait)
    }

    /// Is an action the library's own work: starting, calling, reporting?
    pub fn is_routine(&self, pid: Pid, n: u64) -> bool {
        let place = self
            .seen
            .get(&ActionId::new(pid, n))
            .and_then(|seen| seen.place.as_ref());
        let own = self
            .seen
            .get(&ActionId::new(pid, n))
            .and_then(|seen| self.own_frame(seen));
        own.is_none()
            || place.is_some_and(|place| {
                matches!(
                    place.function.module.as_str(),
                    "gen"
                        | "gen_server"
                        | "gen_statem"
                        | "gen_event"
                        | "supervisor"
                        | "proc_lib"
                        | "sys"
                        | "logger"
                        | "error_logger"
                        | "logger_std_h"
                        | "logger_formatter"
                        | "logger_filters"
                )
            })
    }

    /// A send with the state of the sender.
    pub(crate) fn sent(&self, by: ActionId) -> Result<Option<Sent>, Error> {
        let Some(act) = self.act(by.pid, by.number.0)? else {
            return Ok(None);
        };
        let state = self.seen.get(&by).map(|seen| self.variables_around(seen));
        Ok(Some(Sent {
            place: act.place.clone(),
            line: act.place.as_ref().and_then(|place| self.line(place)),
            act,
            state: state.unwrap_or_default(),
        }))
    }

    /// The variables of the innermost function of the program. If that is a fun or a comprehension, also those of the enclosing function.
    pub(crate) fn variables_around(&self, seen: &SeenAction) -> Vec<(String, String)> {
        let mut list: Vec<(String, String)> = Vec::new();
        let mut around: Option<String> = None;
        for frame in &seen.frames {
            let Some(place) = frame.place.as_ref().filter(|place| self.sources.owns(&place.file)) else {
                continue;
            };
            if around.as_ref().is_some_and(|around| *around != place.function.local()) {
                break;
            }
            for v in &frame.variables {
                if list.iter().all(|(name, _)| *name != v.name) {
                    list.push((v.name.clone(), v.value.clone()));
                }
            }
            around = place.function.written_in();
            if around.is_none() {
                break;
            }
        }
        list
    }

    /// The variables of the activations at an action: function, name, value; without what was just received.
    pub(crate) fn state(&self, pid: Pid, n: u64) -> Vec<StateVariable<'_>> {
        let frames = self
            .seen
            .get(&ActionId::new(pid, n))
            .map_or(&[][..], |seen| &seen.frames);
        let mut out = Vec::new();
        let own = frames.iter().filter_map(|frame| {
            let place = frame.place.as_ref()?;
            let server = Server::at(place);
            (server.is_some() || self.sources.owns(&place.file)).then_some((frame, place, server))
        });
        for (frame, place, server) in own.take(STATEFUL) {
            let function = place.function;
            // Variables of funs and comprehensions are not state.
            if function.written_in().is_some() {
                continue;
            }
            let known = frame.variables.iter().filter(|v| !v.of_message);
            let known = known.filter_map(|v| Some((v.name.as_str(), v.term.as_ref()?)));
            for (name, value) in known {
                match (server, name) {
                    (Some(Server::States), "S") => {
                        out.extend(statem_state(value).map(|(name, value)| (function, name, value)));
                    }
                    (Some(Server::Events), "Handlers") => {
                        let handlers = handler_states(value).into_iter();
                        out.extend(handlers.map(|(module, value)| (function, module, value)));
                    }
                    // Of the variables of a server loop, `State` is the program's.
                    (Some(Server::Calls), "State") | (None, _) => out.push((function, name, value)),
                    (Some(_), _) => {}
                }
            }
        }
        out
    }

    /// The same as terms, where they were kept: name and value.
    pub(crate) fn state_terms(&self, pid: Pid, n: u64) -> Vec<(&str, &Value)> {
        let all = self.known_terms(pid, n).into_iter();
        all.filter_map(|(name, value, of_message)| (!of_message).then_some((name, value)))
            .collect()
    }

    /// The same, and for each whether it is equal to a part of the message: then it can be one.
    pub(crate) fn known_terms(&self, pid: Pid, n: u64) -> Vec<(&str, &Value, bool)> {
        let seen = self.seen.get(&ActionId::new(pid, n));
        let dictionary = seen.and_then(|seen| seen.dictionary.as_ref());
        let mut out: Vec<(&str, &Value, bool)> = Vec::new();
        out.extend(dictionary.map(|value| ("the process dictionary", value, false)));
        for frame in seen.map_or(&[][..], |seen| &seen.frames) {
            let Some(place) = frame.place.as_ref() else { continue };
            let server = Server::at(place);
            if place.function.written_in().is_some() || !(server.is_some() || self.sources.owns(&place.file)) {
                continue;
            }
            let known = frame.variables.iter();
            for (variable, value) in known.filter_map(|v| Some((v, v.term.as_ref()?))) {
                match (server, variable.name.as_str()) {
                    (None, name) => out.push((name, value, variable.of_message)),
                    (Some(Server::Events), "Handlers") => {
                        let handlers = handler_states(value).into_iter();
                        out.extend(handlers.map(|(module, value)| (module, value, false)));
                    }
                    (Some(_), name @ ("State" | "S")) => out.push((name, value, false)),
                    (Some(_), _) => {}
                }
            }
            if out.len() > 4 * STATEFUL {
                break;
            }
        }
        out
    }

    /// The last message before the first of these that changed the state in which that one was received, and what it changed.
    pub(crate) fn state_change(&self, pid: Pid, taken: &[Taken], context: &Context) -> Option<(Taken, Vec<Change>)> {
        let states: Vec<_> = taken.iter().map(|one| self.state(pid, one.number)).collect();
        changes::last_change(taken, &states, context)
    }

    /// The reason of an abnormal end.
    pub(crate) fn reason(&self, pid: Pid, n: u64) -> Result<Option<&Value>, Error> {
        if n == 0 {
            // It has done nothing that is logged.
            return Ok(None);
        }
        let fails = crate::tested::is_failure(&self.trace.action(pid, log_format::ActionNo(n))?.kind);
        let seen = self.seen.get(&ActionId::new(pid, n)).filter(|_| fails);
        Ok(seen.and_then(|seen| seen.term.as_ref()))
    }

    /// Variables that existed when the first of `taken` was received and whose values the reason of a failure mentions: when they got these values.
    pub(crate) fn dated(&self, pid: Pid, taken: &[Taken], reason: &Value) -> Vec<(Taken, Vec<Change>)> {
        let states: Vec<_> = taken.iter().map(|one| self.state(pid, one.number)).collect();
        let reason = crate::tested::spoken(reason);
        changes::dated(taken, &states, &heard::words(&reason), self.terms())
    }

    /// If an action received a map: the associations of it whose keys the failure mentions, for people.
    pub(crate) fn spoken(&self, act: &Act) -> Option<String> {
        let seen = self.seen.get(&ActionId::new(act.pid, act.number))?;
        let message = seen.meant(self.in_library(act.pid, act.number))?;
        changes::spoken_entries(message, self.failure.get()?, self.terms())
    }

    /// What an action is about: the variables on its line, and what it and these other actions say.
    pub(crate) fn context(&self, pid: Pid, n: u64, others: &[ActionId]) -> Context {
        let seen = self.seen.get(&ActionId::new(pid, n));
        let line = seen
            .and_then(|seen| self.own_place(seen))
            .and_then(|place| self.line(place));
        let others = others.iter().filter_map(|one| self.seen.get(one));
        Context {
            variables: line.map_or_else(Vec::new, |line| session::predicate::variables_of(&line, self.terms())),
            // The caller is not part of the request.
            said: others
                .chain(seen)
                .filter_map(|seen| seen.meant(true).cloned())
                .collect(),
            records: Rc::clone(self.records.get_or_init(|| Rc::new(Records::of(self.sources)))),
            failure: self.failure.get().map(Rc::clone),
            terms: self.terms(),
        }
    }
}
