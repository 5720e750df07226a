//! Sessions of a client, message by message.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use dap::{Backend, Launch, Options};
use serde_json::{Value, json};
use session::record::Text;
use session::{Error, Session, Target};

const SERVER: &str = include_str!("../../tests/dap/server.erl");

/// Records and opens one program.
struct Recorded(&'static str);

impl Backend for Recorded {
    fn open(&self, launch: &Launch) -> Result<Session, Error> {
        if launch.program != Path::new("m.trace") {
            return Err(Error::Usage(format!("no such trace: {}", launch.program.display())));
        }
        let (_, bytes) = Text::new("server.erl", self.0).record_bytes(1)?;
        Session::of(Arc::new(log_format::Trace::from_bytes(bytes)?))
    }

    fn why(&self, _: &Session, _: &Path, target: &Target) -> Result<String, Error> {
        Ok(format!("because of {target}"))
    }
}

/// A client that sends one request at a time.
struct Client {
    sent: Vec<u8>,
    requests: usize,
}

impl Client {
    fn new() -> Self {
        Self {
            sent: Vec::new(),
            requests: 0,
        }
    }

    fn send(mut self, command: &str, arguments: Value) -> Self {
        self.requests += 1;
        let body =
            json!({"seq": self.requests, "type": "request", "command": command, "arguments": arguments}).to_string();
        self.sent
            .extend(format!("Content-Length: {}\r\n\r\n{body}", body.len()).bytes());
        self
    }

    fn begin() -> Self {
        Self::new()
            .send("initialize", json!({"adapterID": "retell"}))
            .send("launch", json!({"program": "m.trace"}))
    }

    /// All that is answered.
    fn talk(self, token: Option<&str>) -> Vec<Value> {
        let options = Options {
            checkpoint_memory: 64 << 20,
            token: token.map(str::to_owned),
        };
        let mut out = Vec::new();
        let done = dap::serve(&mut self.sent.as_slice(), &mut out, &Recorded(SERVER), &options);
        let mut messages = Vec::new();
        let mut rest = String::from_utf8(out).unwrap();
        while let Some(at) = rest.find("\r\n\r\n") {
            let length: usize = rest["Content-Length: ".len()..at].parse().unwrap();
            messages.push(serde_json::from_str(&rest[at + 4..at + 4 + length]).unwrap());
            rest = rest[at + 4 + length..].to_owned();
        }
        if let Err(error) = done {
            messages.push(json!({"failed": error.to_string()}));
        }
        messages
    }
}

/// The answers to the requests of this name.
fn bodies<'m>(messages: &'m [Value], command: &str) -> Vec<&'m Value> {
    let is_it = |message: &&Value| message["type"] == "response" && message["command"] == command;
    messages.iter().filter(is_it).map(|message| &message["body"]).collect()
}

fn events<'m>(messages: &'m [Value], event: &str) -> Vec<&'m Value> {
    messages
        .iter()
        .filter(|message| message["event"] == event)
        .map(|message| &message["body"])
        .collect()
}

#[test]
fn a_client_finds_the_failure_and_goes_back_to_where_the_state_came_from() {
    let messages = Client::begin()
        .send("setBreakpoints", json!({"source": {"path": "/home/me/server.erl"}, "breakpoints": [{"line": 14, "condition": "Total > 0"}, {"line": 99}]}))
        .send("setFunctionBreakpoints", json!({"breakpoints": [{"name": "rec:{add, 4}"}, {"name": "nosuch:f/1"}]}))
        .send("setExceptionBreakpoints", json!({"filters": ["error", "exit", "throw"]}))
        .send("configurationDone", json!({}))
        .send("threads", json!({}))
        .send("continue", json!({"threadId": 1}))
        .send("stackTrace", json!({"threadId": 2}))
        .send("scopes", json!({"frameId": 1}))
        .send("variables", json!({"variablesReference": 1}))
        .send("evaluate", json!({"expression": "N * 2", "frameId": 1, "context": "watch"}))
        .send("continue", json!({"threadId": 2}))
        .send("continue", json!({"threadId": 2}))
        .send("exceptionInfo", json!({"threadId": 2}))
        .send("stackTrace", json!({"threadId": 2}))
        .send("evaluate", json!({"expression": "Left", "frameId": 1}))
        .send("reverseContinue", json!({"threadId": 2}))
        .send("reverseContinue", json!({"threadId": 2}))
        .send("reverseContinue", json!({"threadId": 2}))
        .send("disconnect", json!({}))
        .talk(None);
    for response in messages.iter().filter(|message| message["type"] == "response") {
        assert_eq!(response["success"], true, "{response}");
    }
    assert_eq!(
        messages
            .iter()
            .map(|message| message["seq"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        (1..=messages.len() as u64).collect::<Vec<_>>()
    );
    let set = &bodies(&messages, "setBreakpoints")[0]["breakpoints"];
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(15)));
    assert_eq!(set[1]["verified"], false);
    assert!(set[1]["message"].as_str().unwrap().contains("no code on line 99"));
    let functions = &bodies(&messages, "setFunctionBreakpoints")[0]["breakpoints"];
    assert_eq!(
        (&functions[0]["verified"], &functions[1]["verified"]),
        (&json!(true), &json!(false))
    );
    let stops: Vec<&str> = events(&messages, "stopped")
        .iter()
        .map(|stop| stop["reason"].as_str().unwrap())
        .collect();
    assert_eq!(
        stops,
        [
            "entry",
            "breakpoint",
            "breakpoint",
            "exception",
            "breakpoint",
            "breakpoint",
            "beginning of the run"
        ]
    );
    let frames = &bodies(&messages, "stackTrace")[0]["stackFrames"];
    assert_eq!(
        (frames[0]["line"].as_u64(), &frames[0]["source"]["sourceReference"]),
        (Some(12), &json!(1))
    );
    let variables = bodies(&messages, "variables")[0]["variables"].as_array().unwrap();
    let state = variables.iter().find(|one| one["name"] == "State").unwrap();
    assert_eq!(
        (&state["value"], &state["namedVariables"]),
        (&json!("#{total => 0}"), &json!(1))
    );
    let values: Vec<&str> = bodies(&messages, "evaluate")
        .iter()
        .map(|one| one["result"].as_str().unwrap())
        .collect();
    assert_eq!(values, ["8", "0"]);
    assert!(
        bodies(&messages, "exceptionInfo")[0]["description"]
            .as_str()
            .unwrap()
            .contains("badarith")
    );
    assert_eq!(bodies(&messages, "stackTrace")[1]["stackFrames"][0]["line"], 16);
}

#[test]
fn a_client_goes_to_the_failure_at_once_and_asks_why() {
    let messages = Client::new()
        .send("initialize", json!({}))
        .send("launch", json!({"program": "m.trace", "until": "error"}))
        .send("configurationDone", json!({}))
        .send("evaluate", json!({"expression": "why", "context": "repl"}))
        .send("evaluate", json!({"expression": "undo rec:1", "context": "repl"}))
        .send("evaluate", json!({"expression": "until error", "context": "repl"}))
        .send("evaluate", json!({"expression": "Left", "context": "repl"}))
        .send("stepBack", json!({"threadId": 2}))
        .send("loadedSources", json!({}))
        .send("source", json!({"source": {"sourceReference": 1}}))
        .send("completions", json!({"text": "To", "column": 3}))
        .send(
            "breakpointLocations",
            json!({"source": {"sourceReference": 1}, "line": 10, "endLine": 13}),
        )
        .talk(None);
    let values: Vec<&Value> = bodies(&messages, "evaluate").iter().map(|one| &one["result"]).collect();
    assert_eq!(values[0], "because of error");
    assert!(values[1].as_str().unwrap().ends_with("actions undone"), "{values:?}");
    assert_eq!(values[3], "0");
    assert_eq!(bodies(&messages, "source")[0]["content"], SERVER);
    assert_eq!(bodies(&messages, "completions")[0]["targets"][0]["label"], "Total");
    let lines: Vec<u64> = bodies(&messages, "breakpointLocations")[0]["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [11, 13]);
}

#[test]
fn what_is_wrong_is_answered_and_ends_nothing() {
    let messages = Client::new()
        .send("threads", json!({}))
        .send("initialize", json!({}))
        .send("launch", json!({"program": "other"}))
        .send("launch", json!({}))
        .send("attach", json!({}))
        .send("launch", json!({"program": "m.trace"}))
        .send("bla", json!([1]))
        .send("stackTrace", json!({"threadId": -5}))
        .send("stackTrace", json!({"threadId": 77}))
        .send("variables", json!({"variablesReference": 12}))
        .send("scopes", json!({"frameId": 9}))
        .send("goto", json!({"targetId": 3}))
        .send("retell/until", json!({"target": "nonsense"}))
        .send("evaluate", json!({"expression": "X +"}))
        .send("setBreakpoints", json!({"source": {}, "breakpoints": [{"line": 1}]}))
        .send("setBreakpoints", Value::Null)
        .send("disconnect", json!({}))
        .talk(None);
    let failed = messages.iter().filter(|message| message["success"] == false);
    let failed: Vec<&str> = failed.map(|message| message["command"].as_str().unwrap()).collect();
    assert_eq!(
        failed,
        [
            "threads",
            "launch",
            "launch",
            "attach",
            "bla",
            "stackTrace",
            "stackTrace",
            "variables",
            "scopes",
            "goto",
            "retell/until",
            "evaluate"
        ]
    );
    assert_eq!(bodies(&messages, "disconnect").len(), 1);
}

#[test]
fn a_client_of_a_socket_needs_the_token() {
    let without = Client::begin().send("threads", json!({})).talk(Some("secret"));
    assert_eq!(bodies(&without, "threads").len(), 0);
    let with = Client::new()
        .send("launch", json!({"program": "m.trace", "token": "secret"}))
        .send("threads", json!({}))
        .talk(Some("secret"));
    assert_eq!(bodies(&with, "threads").len(), 1);
}
