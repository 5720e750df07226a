//! Processes, activations, variables and what is inside them; sources; expressions.

use debugger::{Activation, ValueLine};
use log_format::Pid;
use serde_json::{Map, Value, json};
use session::ProcessState;
use session::subject::ShownBounds;

use super::{Launched, Reference};
use crate::answer::{Done, Refusal};

/// Limits: processes in the list of threads; activations and values that are sent if the client names no number; signals of a mailbox.
const THREADS: usize = 100;
const FRAMES: usize = 200;
const VALUES: usize = 1000;
const MAILBOX: usize = 1000;
/// Characters of a message in a mailbox.
const CHARS: usize = 500;
/// The number of the thread that stands for all that are not listed.
const MORE_THREADS: i64 = i32::MAX as i64;

impl Launched {
    pub(super) fn threads(&self) -> Done {
        let (listed, more) = self.debugger.processes(THREADS)?;
        let mut threads: Vec<Value> = Vec::new();
        for one in listed {
            let mut name = one.process.pid.to_string();
            if let Some(called) = &one.name {
                name.push(' ');
                name.push_str(called);
            }
            match one.process.state {
                ProcessState::Ended => name.push_str(" (has ended)"),
                ProcessState::Unborn => name.push_str(" (does not exist yet)"),
                ProcessState::Running | ProcessState::Waiting => {}
            }
            threads.push(json!({"id": one.process.pid.0, "name": name}));
        }
        if more > 0 {
            threads.push(json!({"id": MORE_THREADS, "name": format!("… and {more} more processes")}));
        }
        Ok(json!({"threads": threads}).into())
    }

    pub(super) fn stack_trace(&mut self, arguments: &Value) -> Done {
        let id = arguments["threadId"].as_i64().unwrap_or(0);
        if id == MORE_THREADS {
            return Ok(json!({"stackFrames": [], "totalFrames": 0}).into());
        }
        let pid = Pid(u64::try_from(id).map_err(|_| format!("{id} is no thread"))?);
        let number = |name: &str| arguments[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let from = number("startFrame").unwrap_or(0);
        let levels = number("levels").filter(|n| *n > 0).unwrap_or(FRAMES).min(FRAMES);
        let (found, total) = self.debugger.activations(pid, from, levels)?;
        let frames: Vec<Value> = found.iter().map(|one| self.frame(pid, one)).collect();
        Ok(json!({"stackFrames": frames, "totalFrames": total}).into())
    }

    fn frame(&mut self, pid: Pid, one: &Activation) -> Value {
        self.frames.push((pid, one.number));
        let id = self.frames.len();
        let hint = if one.is_own { "normal" } else { "subtle" };
        match &one.place {
            Some(place) => json!({
                "id": id,
                "name": place.called(),
                "line": place.line,
                "column": place.column.max(1),
                "source": self.files.source(&place.file),
                "presentationHint": hint,
            }),
            None => json!({"id": id, "name": "(no source)", "line": 0, "column": 0, "presentationHint": "subtle"}),
        }
    }

    fn frame_of(&self, id: Option<u64>) -> Option<(Pid, usize)> {
        let index = usize::try_from(id?).ok()?.checked_sub(1)?;
        self.frames.get(index).copied()
    }

    fn refer(&mut self, to: Reference) -> usize {
        self.references.push(to);
        self.references.len()
    }

    pub(super) fn scopes(&mut self, arguments: &Value) -> Done {
        let Some((pid, number)) = self.frame_of(arguments["frameId"].as_u64()) else {
            return Err("there is no such frame; the session has moved".into());
        };
        let mut scopes = vec![json!({
            "name": "Variables",
            "presentationHint": "locals",
            "variablesReference": self.refer(Reference::Locals(pid, number)),
            "expensive": false,
        })];
        for (name, reference) in [
            ("Mailbox", Reference::Mailbox(pid)),
            ("Process", Reference::Process(pid)),
            ("Process dictionary", Reference::Dictionary(pid)),
        ] {
            scopes.push(json!({"name": name, "variablesReference": self.refer(reference), "expensive": false}));
        }
        Ok(json!({"scopes": scopes}).into())
    }

    pub(super) fn variables(&mut self, arguments: &Value) -> Done {
        let index = arguments["variablesReference"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
        let Some(reference) = index.and_then(|index| self.references.get(index)).copied() else {
            return Err("there are no such variables; the session has moved".into());
        };
        let number = |name: &str| arguments[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let from = number("start").unwrap_or(0);
        let count = number("count").filter(|n| *n > 0).unwrap_or(VALUES).min(VALUES);
        let told: Vec<Value> = match reference {
            Reference::Locals(pid, number) => self.shown(pid, self.debugger.variables(pid, number)),
            Reference::Dictionary(pid) => self.shown(pid, self.debugger.dictionary(pid)),
            Reference::Inside(held) => {
                let inside = self.debugger.inside(held, from, count);
                self.shown(held.pid, inside)
            }
            Reference::Mailbox(pid) => self.mailbox(pid)?,
            Reference::Process(pid) => self.process(pid)?,
        };
        Ok(json!({"variables": told}).into())
    }

    fn shown(&mut self, pid: Pid, values: Vec<ValueLine>) -> Vec<Value> {
        let told = values.into_iter().map(|one| {
            let mut told = json!({"name": one.name, "value": one.value, "type": one.kind, "variablesReference": 0, "evaluateName": one.name});
            if let Some(held) = one.held(pid) {
                told["variablesReference"] = json!(self.refer(Reference::Inside(held)));
                let count = if one.by_key { "namedVariables" } else { "indexedVariables" };
                told[count] = json!(one.inside);
            }
            told
        });
        told.collect()
    }

    fn mailbox(&self, pid: Pid) -> Result<Vec<Value>, Refusal> {
        let view = self.view(pid)?;
        let told = view.iter().flat_map(|view| &view.mailbox).map(|one| json!({"name": one.signal, "value": one.content.to_string(), "type": one.kind, "variablesReference": 0}));
        let mut told: Vec<Value> = told.collect();
        let length = view.map_or(0, |view| view.mailbox_length);
        if length > told.len() as u64 {
            told.push(
                json!({"name": "…", "value": format!("{} more", length - told.len() as u64), "variablesReference": 0}),
            );
        }
        Ok(told)
    }

    fn process(&self, pid: Pid) -> Result<Vec<Value>, Refusal> {
        let Some(view) = self.view(pid)? else {
            return Ok(Vec::new());
        };
        let line = |name: &str, value: String| json!({"name": name, "value": value, "variablesReference": 0});
        let mut told = vec![
            line("pid", view.pid.clone()),
            line(
                "state",
                view.reason
                    .clone()
                    .map_or_else(|| view.state.clone(), |reason| format!("{}: {reason}", view.state)),
            ),
            line("actions", format!("{} of {} recorded", view.actions, view.of_actions)),
        ];
        for (name, list) in [
            ("names", &view.names),
            ("links", &view.links),
            ("monitors", &view.monitors),
        ] {
            if !list.is_empty() {
                told.push(line(name, list.join(", ")));
            }
        }
        if view.trap_exit {
            told.push(line("trap_exit", "true".to_owned()));
        }
        if let Some(next) = &view.next {
            told.push(line("next recorded action", next.clone()));
        }
        Ok(told)
    }

    fn view(&self, pid: Pid) -> Result<Option<session::view::ProcessView>, Refusal> {
        let bounds = ShownBounds {
            chars: CHARS,
            frames: 0,
            items: MAILBOX,
        };
        let names = session::called::ProcessNames::default();
        Ok(session::shown::standing(&self.debugger.player, pid, &names, &bounds)?)
    }

    pub(crate) fn evaluate(&mut self, expression: &str, frame: Option<u64>) -> Done {
        let (pid, number) = self.frame_of(frame).unwrap_or_else(|| {
            let pid = self.debugger.pid;
            (pid, self.debugger.own_activation(pid))
        });
        // A variable can be looked into.
        let known = self
            .debugger
            .variables(pid, number)
            .into_iter()
            .find(|one| one.name == expression);
        if let Some(known) = known {
            let mut told = self.shown(pid, vec![known]).remove(0);
            let mut body = Map::new();
            body.insert("result".to_owned(), told["value"].take());
            for name in ["type", "variablesReference", "namedVariables", "indexedVariables"] {
                if !told[name].is_null() {
                    body.insert(name.to_owned(), told[name].take());
                }
            }
            return Ok(Value::Object(body).into());
        }
        let value = self.debugger.evaluate(expression, pid, number)?;
        Ok(json!({"result": value, "variablesReference": 0}).into())
    }

    pub(super) fn exception_info(&self) -> Done {
        let Some(reason) = &self.failure else {
            return Err("the session does not stand before a failure".into());
        };
        let class = reason.split(' ').next().unwrap_or_default();
        Ok(json!({"exceptionId": class, "description": reason, "breakMode": "unhandled"}).into())
    }

    pub(super) fn source(&self, arguments: &Value) -> Done {
        let number = arguments["source"]["sourceReference"]
            .as_u64()
            .or_else(|| arguments["sourceReference"].as_u64());
        let path = match number.and_then(|number| self.files.numbered(number)) {
            Some(path) => path.to_owned(),
            None => self.files.find(&arguments["source"])?,
        };
        let sources = self.debugger.session().sources();
        let found = sources.own_texts().find(|(known, _)| *known == path);
        let text = found.map_or_else(String::new, |(_, text)| String::from_utf8_lossy(text).into_owned());
        Ok(json!({"content": text}).into())
    }

    /// Names of variables, and our own commands at the beginning of a line.
    pub(super) fn completions(&self, arguments: &Value) -> Done {
        let typed = arguments["text"].as_str().unwrap_or_default();
        let column = arguments["column"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(1)
            .saturating_sub(1);
        let before: String = typed.chars().take(column).collect();
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        let (pid, number) = self.frame_of(arguments["frameId"].as_u64()).unwrap_or_else(|| {
            let pid = self.debugger.pid;
            (pid, self.debugger.own_activation(pid))
        });
        let mut names: Vec<(String, &str)> = self
            .debugger
            .variables(pid, number)
            .into_iter()
            .map(|one| (one.name, "variable"))
            .collect();
        if start == 0 {
            names.extend(["until ", "undo ", "why "].map(|word| (word.to_owned(), "keyword")));
        }
        let column = before[..start].chars().count();
        let length = word.chars().count();
        let told = names.into_iter().filter(|(name, _)| name.starts_with(word));
        let told: Vec<Value> = told.map(|(name, kind)| json!({"label": name.trim(), "text": name, "type": kind, "start": column, "length": length})).collect();
        Ok(json!({"targets": told}).into())
    }
}
