//! What a replay observed of the actions that may be shown, and what counts as state.

use crate::changes::{self, Context};
use crate::heard::{self};
use crate::past::Taken;
use crate::printed::parts;
use crate::records::Records;
use crate::routine::speech;
use crate::story::{Change, Sent};
use log_format::{ActionId, Pid};
use session::act::Names;
use session::error::Error;
use session::value::Value;
use session::view::Purpose;
use session::watch::{Seen, Watcher, Wish};
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
    pub(crate) failure: OnceCell<Rc<str>>,
}

/// State and data of a `gen_statem`, from its printed loop data: the first fields of a record.
pub(crate) fn statem_state(loops: &str) -> Vec<(&'static str, &str)> {
    let Some(rest) = ["{s,", "{:s, "].iter().find_map(|start| loops.strip_prefix(start)) else {
        return Vec::new();
    };
    // Whether something that was cut off has changed is not known.
    let (inside, whole) = match rest.strip_suffix('}') {
        Some(inside) => (inside, 2),
        None => (rest, 1),
    };
    let known = ["the state", "Data"]
        .into_iter()
        .zip(parts(inside).into_iter().map(str::trim));
    known.take(whole).collect()
}

/// The states of the handlers of a `gen_event`, by module, from its printed list.
pub(crate) fn handler_states(list: &str) -> Vec<(&str, &str)> {
    let Some(inside) = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Vec::new();
    };
    fn inner(one: &str) -> Option<Vec<&str>> {
        let one = one.trim();
        let rest = one
            .strip_prefix("{handler,")
            .or_else(|| one.strip_prefix("{:handler, "))?;
        rest.strip_suffix('}').map(parts)
    }
    let handlers = parts(inside).into_iter().filter_map(inner);
    handlers
        .filter_map(|handler| match handler[..] {
            [module, _, state, _] => Some((module.trim(), state.trim())),
            _ => None,
        })
        .collect()
}

/// A replay of the whole run, with what is wished for observed. `None` if that is not possible: the whole run may need what the causes of the
/// failure do not (a value that was left out of the trace, more memory), and a story can do without it.
pub(crate) fn whole_run(session: &Session, wish: Wish) -> Option<system::System<Watcher>> {
    session.replay(&Goal::everything(), Watcher::new(wish)).ok()
}

/// How many activations of the program make up the state of a process.
pub(crate) const STATEFUL: usize = 4;

/// Where a `gen_statem` waits for events.
pub(crate) const STATEM: &str = "gen_statem:loop_receive/3";

/// Where a `gen_event` waits for events.
pub(crate) const EVENTS: &str = "gen_event:fetch_msg/6";

impl<'a> std::ops::Deref for Scene<'a> {
    type Target = session::scene::Scene<'a>;
    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl<'a> Scene<'a> {
    /// From what this replay of the session's trace observed.
    pub fn new(session: &'a Session, system: &'a system::System<Watcher>, names: &'a Names) -> Self {
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
                let module = place.function.split(':').next().unwrap_or_default();
                matches!(
                    module,
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
    pub(crate) fn variables_around(&self, seen: &Seen) -> Vec<(String, String)> {
        let mut list: Vec<(String, String)> = Vec::new();
        let mut around = None;
        for frame in &seen.frames {
            let Some(place) = frame.place.as_ref().filter(|place| self.sources.owns(&place.file)) else {
                continue;
            };
            let function = place.function.split_once(':').map_or("", |(_, name)| name);
            if around.is_some_and(|around| around != function) {
                break;
            }
            for v in &frame.variables {
                if list.iter().all(|(name, _)| *name != v.name) {
                    list.push((v.name.clone(), v.value.clone()));
                }
            }
            // `-decide/2-lc$^0/1-0-` is written in `decide/2`.
            around = function.strip_prefix('-').and_then(|name| name.split('-').next());
            if around.is_none() {
                break;
            }
        }
        list
    }

    /// The variables of the activations at an action: function, name, value; without what was just received.
    pub(crate) fn state(&self, pid: Pid, n: u64) -> Vec<(&str, &str, &str)> {
        let frames = self
            .seen
            .get(&ActionId::new(pid, n))
            .map_or(&[][..], |seen| &seen.frames);
        let mut out = Vec::new();
        let own = frames.iter().filter_map(|frame| {
            let place = frame.place.as_ref()?;
            let is_server = matches!(place.function.as_str(), "gen_server:loop/7" | STATEM | EVENTS);
            (is_server || self.sources.owns(&place.file)).then_some((frame, place, is_server))
        });
        for (frame, place, is_server) in own.take(STATEFUL) {
            let function = place.function.as_str();
            // Variables of funs and comprehensions are not state.
            if function.split_once(':').is_some_and(|(_, name)| name.starts_with('-')) {
                continue;
            }
            let known = frame.variables.iter().filter(|v| !v.of_message);
            if function == STATEM {
                out.extend(
                    known
                        .filter(|v| v.name == "S")
                        .flat_map(|v| statem_state(&v.value))
                        .map(|(name, value)| (function, name, value)),
                );
                continue;
            }
            if function == EVENTS {
                let handlers = known
                    .filter(|v| v.name == "Handlers")
                    .flat_map(|v| handler_states(&v.value));
                out.extend(handlers.map(|(module, value)| (function, module, value)));
                continue;
            }
            // Of the variables of a server loop, `State` is the program's.
            let known = known.filter(|v| !is_server || v.name == "State");
            out.extend(known.map(|v| (function, v.name.as_str(), v.value.as_str())));
        }
        out
    }

    /// The same as terms, where they were kept: name and value.
    pub(crate) fn state_terms(&self, pid: Pid, n: u64) -> Vec<(&str, &Value)> {
        let frames = self
            .seen
            .get(&ActionId::new(pid, n))
            .map_or(&[][..], |seen| &seen.frames);
        let mut out = Vec::new();
        for frame in frames {
            let Some(place) = frame.place.as_ref() else { continue };
            let is_server = matches!(place.function.as_str(), "gen_server:loop/7" | STATEM | EVENTS);
            let in_fun = place
                .function
                .split_once(':')
                .is_some_and(|(_, name)| name.starts_with('-'));
            if in_fun || !(is_server || self.sources.owns(&place.file)) {
                continue;
            }
            let state = |name: &str| !is_server || matches!(name, "State" | "S" | "Handlers");
            let known = frame.variables.iter().filter(|v| !v.of_message && state(&v.name));
            out.extend(known.filter_map(|v| Some((v.name.as_str(), v.term.as_ref()?))));
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

    /// The reason of an abnormal end, as it was printed.
    pub(crate) fn reason(&self, pid: Pid, n: u64) -> Result<Option<&str>, Error> {
        if n == 0 {
            // It has done nothing that is logged.
            return Ok(None);
        }
        let fails = crate::tested::is_failure(&self.trace.action(pid, log_format::ActionNo(n))?.kind);
        let seen = self.seen.get(&ActionId::new(pid, n)).filter(|_| fails);
        Ok(seen.and_then(|seen| seen.content.as_deref()))
    }

    /// Variables that existed when the first of `taken` was received and whose values the reason of a failure mentions: when they got these values.
    pub(crate) fn dated(&self, pid: Pid, taken: &[Taken], reason: &str) -> Vec<(Taken, Vec<Change>)> {
        let states: Vec<_> = taken.iter().map(|one| self.state(pid, one.number)).collect();
        let reason = &crate::tested::spoken(reason);
        let reason = reason.split_once(' ').map_or(reason.as_str(), |(_, term)| term);
        changes::dated(taken, &states, &heard::words(reason))
    }

    /// What an action is about: the variables on its line, and the texts of it and of these others.
    pub(crate) fn context(&self, pid: Pid, n: u64, others: &[Option<&str>]) -> Context {
        let seen = self.seen.get(&ActionId::new(pid, n));
        let line = seen
            .and_then(|seen| self.own_place(seen))
            .and_then(|place| self.line(place));
        let said = seen.and_then(|seen| seen.content.as_deref());
        let texts = others.iter().copied().chain([said]).flatten();
        Context {
            variables: line.map_or_else(Vec::new, |line| session::predicate::variables_of(&line, self.terms())),
            // The caller is not part of the request.
            texts: texts.map(|text| speech(text, true).body().to_owned()).collect(),
            records: Rc::clone(self.records.get_or_init(|| Rc::new(Records::of(self.sources)))),
            failure: Rc::clone(self.failure.get_or_init(|| Rc::from(""))),
        }
    }
}
