//! Breakpoints: on lines, on functions and messages, before failures.

use debugger::{Failing, HitRule, Wish};
use serde_json::{Value, json};

use super::Launched;
use crate::answer::{Answer, Done, Refusal};

impl Launched {
    pub(super) fn add(&mut self, place: &str, wished: &Value, with_line: bool) -> (Value, Option<u32>) {
        let word = |name: &str| {
            wished[name]
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .map(str::to_owned)
        };
        let mut added = || -> Result<(u32, Option<u32>, String), Refusal> {
            let hits = word("hitCondition").map_or(Ok(HitRule::Each), |text| HitRule::parse(&text))?;
            let wish = Wish {
                when: word("condition"),
                hits,
                log: word("logMessage"),
                ..Wish::default()
            };
            let one = self.debugger.add_breakpoint(place, wish)?;
            Ok((one.id, one.line, one.at.clone()))
        };
        match added() {
            Ok((id, line, _)) => {
                let mut told = json!({"id": id, "verified": true});
                if let (Some(line), true) = (line, with_line) {
                    told["line"] = json!(line);
                }
                (told, Some(id))
            }
            Err(Refusal(message)) => (json!({"verified": false, "message": message}), None),
        }
    }

    pub(super) fn set_breakpoints(&mut self, arguments: &Value) -> Done {
        let file = match self.files.find(&arguments["source"]) {
            Ok(file) => file,
            Err(Refusal(why)) => {
                let none = |_: &Value| json!({"verified": false, "message": why});
                let all: Vec<Value> = arguments["breakpoints"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(none)
                    .collect();
                return Ok(json!({"breakpoints": all}).into());
            }
        };
        for id in self.by_file.remove(&file).unwrap_or_default() {
            self.debugger.remove_breakpoint(id);
        }
        let mut told = Vec::new();
        let mut ids = Vec::new();
        for wished in arguments["breakpoints"].as_array().into_iter().flatten() {
            let line = wished["line"].as_u64().unwrap_or(0);
            let (mut one, id) = self.add(&format!("{file}:{line}"), wished, true);
            one["source"] = self.files.source(&file);
            told.push(one);
            ids.extend(id);
        }
        self.by_file.insert(file, ids);
        Ok(json!({"breakpoints": told}).into())
    }

    pub(super) fn set_function_breakpoints(&mut self, arguments: &Value) -> Done {
        for id in std::mem::take(&mut self.functions) {
            self.debugger.remove_breakpoint(id);
        }
        let mut told = Vec::new();
        for wished in arguments["breakpoints"].as_array().into_iter().flatten() {
            let (one, id) = self.add(wished["name"].as_str().unwrap_or_default(), wished, false);
            told.push(one);
            self.functions.extend(id);
        }
        Ok(json!({"breakpoints": told}).into())
    }

    pub(super) fn set_exception_breakpoints(&mut self, arguments: &Value) -> Done {
        let mut failures = Vec::new();
        for filter in arguments["filters"].as_array().into_iter().flatten() {
            failures.push(match filter.as_str() {
                Some("error") => Failing::Error,
                Some("exit") => Failing::Exit,
                Some("throw") => Failing::Throw,
                _ => return Err(Refusal(format!("{filter} is no filter: expected error, exit or throw"))),
            });
        }
        self.debugger.stop_at_failures(failures);
        Ok(Answer::default())
    }

    pub(super) fn breakpoint_locations(&mut self, arguments: &Value) -> Done {
        let file = self.files.find(&arguments["source"])?;
        let first = arguments["line"].as_u64().unwrap_or(1);
        let last = arguments["endLine"].as_u64().unwrap_or(first);
        let lines = self.debugger.code_lines(&file)?;
        let there = lines
            .into_iter()
            .flatten()
            .filter(|line| (first..=last).contains(&u64::from(**line)));
        let told: Vec<Value> = there.map(|line| json!({"line": line})).collect();
        Ok(json!({"breakpoints": told}).into())
    }
}
